"""Small `.mt` maps for tests, written from a drawing of a few rows."""

SIDE = 15


def mt_text(
    *maps: str,
    hero: str = "100 10 10 2",
    keys: str = "0 0 0",
    bag: str = "0 0 0 0",
    start: str = "0 0 0",
    units: str = "50 1 2 3",
    enemies: str = "",
    portals: str = "",
) -> str:
    """A map file: cells of each map from its top left corner, the rest solid wall.

    The header takes lines 1 to 7, map k lines 8 + 15 * k and on, then come the
    enemies and the portals, a line each.
    """
    enemy_lines = [line.strip() for line in enemies.split(",") if line.strip()]
    portal_lines = [line.strip() for line in portals.split(",") if line.strip()]
    lines = ["0 1 2 3 4 5", hero, keys, bag, start]
    lines.append(f"{len(maps)} {len(enemy_lines)} {len(portal_lines)}")
    lines.append(units)
    for drawing in maps:
        rows = [row.split() for row in drawing.strip().splitlines()]
        rows += [[] for _ in range(SIDE - len(rows))]
        lines += [" ".join(row + ["100"] * (SIDE - len(row))) for row in rows]
    return "\n".join([*lines, *enemy_lines, *portal_lines]) + "\n"
