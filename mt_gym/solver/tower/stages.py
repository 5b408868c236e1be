"""Certificates of the tower's stages: how much air the opening gives, and what is due.

`python -m mt_gym.solver.tower.stages` writes them into the page `docs/tower.md`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from mt_gym.engine.kinds import Effect, Goal, Kind, Placement, Row, Spot, TowerData
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver.tower.mandatory import mandatory_objects
from mt_gym.solver.tower.search import search_tower

OPENING: Final = 4
"""Floors of the opening: MT0 to MT3."""
BUDGET: Final = 200_000
"""Macro transitions behind each start HP that is tried."""
BEGIN, END = "<!-- stages: begin -->", "<!-- stages: end -->"


def opening(tower: Tower, floors: int, hp: int) -> Tower:
    """The first floors alone: who gets to the stairs out of them has won.

    Args:
        tower: a tower whose floors are joined by stairs in their order.
        floors: how many are kept.
        hp: HP of the hero at the start.

    Raises:
        MtGymError: the tower has no more floors than that.
    """
    data = tower.data
    if not 0 < floors < len(data.floors):
        raise MtGymError(
            f"{data.name!r} has {len(data.floors)} floors; an opening has from 1 to "
            f"{len(data.floors) - 1}"
        )
    left = {floor.id for floor in data.floors[:floors]}
    last = data.floors[floors - 1]
    legend = tuple(
        (letter, Placement("Exit") if _leaves(place, left) else place)
        for letter, place in last.legend
    )
    kept = (*data.floors[: floors - 1], replace(last, legend=legend))
    return Tower(
        TowerData(
            name=f"{data.name}-opening",
            hero=tuple((k, hp if k == "hp" else v) for k, v in data.hero),
            floors=kept,
            goal=Goal("reach"),
            kinds=tuple(_cut(kind, left) for kind in data.kinds),
            scripts=tuple(
                script
                for script in data.scripts
                if all(spot.floor in left for spot in _spots(script.row, script.at))
            ),
            settings=data.settings,
        )
    )


def _leaves(place: Placement, left: set[str]) -> bool:
    return bool(place.to) and place.to.partition(":")[0] not in left


def _spots(row: Row, at: Spot | None) -> list[Spot]:
    spots = [effect.spot for effect in row.effects]
    return [spot for spot in (at, *spots, *row.condition.gone) if spot is not None]


def _cut(kind: Kind, left: set[str]) -> Kind:
    """A kind without effects on floors that are not there."""

    def stays(effect: Effect) -> bool:
        return effect.spot is None or effect.spot.floor in left

    rows = tuple(
        replace(row, effects=tuple(filter(stays, row.effects))) for row in kind.rows
    )
    return replace(kind, rows=rows)


def least_start(
    tower: Tower, floors: int = OPENING, budget: int = BUDGET
) -> tuple[int, int]:
    """Start HP with which a search gets out of the opening, by halving.

    Returns:
        (most for which no way was found, least for which one was); with fewer HP a
        wider search may still find one.

    Raises:
        MtGymError: no way is found with the tower's own start HP.
    """
    high = dict(tower.data.hero)["hp"]
    if _way_out(tower, floors, high, budget) is None:
        raise MtGymError(f"{tower.name!r}: no way out of the first {floors} floors")
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        if _way_out(tower, floors, middle, budget) is None:
            low = middle
        else:
            high = middle
    return low, high


def _way_out(tower: Tower, floors: int, hp: int, budget: int) -> int | None:
    return search_tower(opening(tower, floors, hp), node_limit=budget).hp


def arrivals(tower: Tower) -> Iterator[tuple[str, State]]:
    """The certificate's hero when he first stands on each floor."""
    claim = tower.certificate
    if claim is None or not claim.route:
        raise MtGymError(f"{tower.name!r} has no certificate with a route")
    state = tower.initial_state()
    seen = state.world.visited
    for text in claim.route:
        state = tower.step(state, tower.action(text))
        if state.world.visited != seen:
            fresh = state.world.visited & ~seen
            seen = state.world.visited
            yield tower.board.floor_ids[fresh.bit_length() - 1], state


def mandatory(tower: Tower) -> list[tuple[str, str]]:
    """Objects that no win can do without, as pairs (floor, names with their number)."""
    board = tower.board
    names: dict[int, Counter[str]] = {}
    for index in sorted(mandatory_objects(board)):
        thing = board.objects[index]
        names.setdefault(thing.floor, Counter())[thing.name] += 1
    return [
        (
            board.floor_ids[floor],
            ", ".join(f"{n} × {name}" if n > 1 else name for name, n in found.items()),
        )
        for floor, found in sorted(names.items())
    ]


def section(tower: Tower, budget: int = BUDGET) -> str:
    """All certificates, in Markdown."""
    below, least = least_start(tower, budget=budget)
    due = mandatory(tower)
    count = len(mandatory_objects(tower.board))
    lines = [
        f"**The opening.** With {least} of the {dict(tower.data.hero)['hp']} HP a "
        f"search of {budget:,} macro transitions still gets from MT0 to the stairs of "
        f"MT4; with {below} it finds no way.",
        "",
        "**On the way.** The certificate's hero when he first stands on each floor:",
        "",
        "| floor | HP | ATK | DEF | gold | exp | keys (yellow, blue, red) |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, state in arrivals(tower):
        hero = state.hero
        keys = f"{hero.yellow}, {hero.blue}, {hero.red}"
        lines.append(
            f"| {name} | {hero.hp} | {hero.atk} | {hero.defense} | {hero.gold} "
            f"| {hero.exp} | {keys} |"
        )
    lines += [
        "",
        f"**What is due.** {count} objects without any one of which nobody wins, "
        "whatever he can pay:",
        "",
        "| floor | mandatory |",
        "|---|---|",
    ]
    lines += [f"| {floor} | {names} |" for floor, names in due]
    return "\n".join(lines)


def main(page: str = "docs/tower.md", budget: str = str(BUDGET)) -> None:
    """Write the section of the shipped tower into the page."""
    path = Path(page)
    before, _, rest = path.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    text = f"{before}{BEGIN}\n{section(load('tower'), int(budget))}\n{END}{after}"
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
