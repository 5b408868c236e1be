"""Random small `.mt` floors and random key routes; no promise that they can be won."""

import numpy as np

SIDE = 15
KEYS = "hhhhjjjjkkkkllllgggppbbsadm"
THINGS = (
    *(8, 9, 16, 24, 32, 33),
    *(40, 41, 42, 56, 56, 57, 58, 59, 60, 61, 62),
    *(96, 96, 97, 98),
)


def random_floor(rng: np.random.Generator) -> str:
    """The text of a map: one or two floors whose inner part is at most 7 x 7.

    Portals may end on objects and on walls that a pickaxe of this map can break.
    """
    maps = int(rng.integers(1, 3))
    width, height = (int(n) for n in rng.integers(3, 8, size=2))
    border = int(rng.choice([99, 100]))
    left, top = (int(rng.integers(0, SIDE - n + 1)) for n in (width, height))
    enemies = [_enemy(rng) for _ in range(int(rng.integers(2, 6)))]
    inside = [
        (z, left + x, top + y)
        for z in range(maps)
        for y in range(height)
        for x in range(width)
    ]
    cells = dict.fromkeys(inside, 0)
    for place in inside:
        cells[place] = _thing(rng, len(enemies))
    start, flag, *rest = (inside[i] for i in rng.permutation(len(inside)))
    cells[start], cells[flag] = 0, 63
    bag = [int(rng.integers(0, 2)), *(int(rng.integers(0, 3)) for _ in range(2))]
    walls = (100,) if bag[1] or 61 in cells.values() else (99, 100)
    rest = [place for place in rest if cells[place] not in walls]
    pairs = int(rng.integers(0, 3)) if maps == 1 else 2
    if maps == 2:
        rest = _other_floor_first(rest, start[0])
    ends = [start, *rest] if rng.integers(2) else rest
    pairs = min(pairs, len(ends) // 2)
    portals = [(ends[2 * i], ends[2 * i + 1]) for i in range(pairs)]
    lines = [
        "0 1 2 3 4 5",
        f"{rng.integers(20, 300)} {rng.integers(5, 14)} {rng.integers(0, 9)} "
        f"{rng.integers(0, 4)}",
        " ".join(str(rng.integers(0, 2)) for _ in range(3)),
        " ".join(map(str, (rng.choice([0, 0, 150, 300]), *bag))),
        f"{start[1]} {start[2]} {start[0]}",
        f"{maps} {len(enemies)} {len(portals)}",
        f"{rng.integers(5, 40)} {rng.integers(1, 4)} {rng.integers(1, 4)} "
        f"{rng.integers(1, 6)}",
    ]
    for z in range(maps):
        for y in range(SIDE):
            row = [cells.get((z, x, y), border) for x in range(SIDE)]
            lines.append(" ".join(map(str, row)))
    lines += [" ".join(map(str, enemy)) for enemy in enemies]
    lines += [f"{_number(one)} {_number(two)}" for one, two in portals]
    return "\n".join(lines) + "\n"


def random_route(rng: np.random.Generator, length: int) -> str:
    return "".join(KEYS[i] for i in rng.integers(len(KEYS), size=length))


def _enemy(rng: np.random.Generator) -> tuple[int, ...]:
    special = int(rng.choice([0, 0, 0, 1, 2, 16, 32, 64, 128, 16 + 64, 128 + 32 + 1]))
    hp, atk = int(rng.integers(1, 60)), int(rng.integers(1, 25))
    return hp, atk, int(rng.integers(0, 10)), int(rng.integers(0, 60)), special


def _thing(rng: np.random.Generator, enemies: int) -> int:
    draw = rng.random()
    if draw < 0.35:
        return 0
    if draw < 0.5:
        return int(rng.choice([99, 99, 100]))
    if draw < 0.7:
        return 128 + int(rng.integers(enemies))
    return int(rng.choice(THINGS))


def _other_floor_first(
    places: list[tuple[int, int, int]], floor: int
) -> list[tuple[int, int, int]]:
    """Places in turn from both floors, so that portals join them."""
    here = [place for place in places if place[0] == floor]
    there = [place for place in places if place[0] != floor]
    return [place for pair in zip(there, here, strict=False) for place in pair]


def _number(place: tuple[int, int, int]) -> int:
    z, x, y = place
    return z * SIDE * SIDE + y * SIDE + x
