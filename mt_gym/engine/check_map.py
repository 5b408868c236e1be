"""Defects of the drawing: floors, letters, stairs, portals, what can be reached."""

from __future__ import annotations

import re
from collections import Counter

from mt_gym.engine.formats.fields import did_you_mean
from mt_gym.engine.kinds import GROUND, START, WALL, Floor, Placement, Spot
from mt_gym.engine.survey import Placed, Survey

_CELL = re.compile(r"(\d+),(\d+)")


def check_floors(survey: Survey) -> None:
    """Ids, drawings, letters and the start."""
    data = survey.data
    if not data.floors:
        survey.report("floor-none", "the tower has no floor")
    for fid, times in Counter(floor.id for floor in data.floors).items():
        if times > 1:
            survey.report("floor-duplicate", f"floor {fid!r} exists {times} times")
        if not fid or ":" in fid or any(letter.isspace() for letter in fid):
            survey.report(
                "floor-id", f"{fid!r}: a floor id has no ':', no space, is not empty"
            )
    for floor in data.floors:
        _check_drawing(survey, floor)
        _check_legend(survey, floor)
    if not survey.starts and data.floors:
        survey.report("start-none", f"no floor has the start {START!r}")
    if len(survey.starts) > 1:
        places = ", ".join(str(spot) for spot in survey.starts)
        survey.report("start-several", f"the start {START!r} stands at {places}")


def _check_drawing(survey: Survey, floor: Floor) -> None:
    if not floor.rows or not any(floor.rows):
        survey.report("floor-empty", f"{floor.id}: the floor has no cell")
        return
    known = {WALL, GROUND, START} | {letter for letter, _ in floor.legend}
    for y, row in enumerate(floor.rows):
        if len(row) != len(floor.rows[0]):
            survey.report(
                "floor-ragged",
                f"{floor.id}: row {y + 1} has {len(row)} cells, "
                f"row 1 has {len(floor.rows[0])}",
            )
        for x, letter in enumerate(row):
            if letter not in known:
                spot = Spot(floor.id, x, y)
                survey.report(
                    "letter-unknown", f"{spot}: {letter!r} is not in the legend"
                )


def _check_legend(survey: Survey, floor: Floor) -> None:
    for letter, times in Counter(letter for letter, _ in floor.legend).items():
        if times > 1:
            survey.report(
                "letter-reserved", f"{floor.id}: letter {letter!r} has {times} meanings"
            )
        reserved = letter in (WALL, GROUND, START) or letter.isspace()
        if reserved or len(letter) != 1:
            survey.report(
                "letter-reserved", f"{floor.id}: {letter!r} cannot be a letter"
            )
    for letter, place in floor.legend:
        _check_placement(survey, place, f"{floor.id}: letter {letter!r}")
    for hidden in floor.hidden:
        where = f"{hidden.spot}: hidden object"
        _check_placement(survey, hidden.placement, where)
        if hidden.spot.floor != floor.id or hidden.spot not in survey.letters:
            survey.report("spot-outside", f"{where}: no cell of floor {floor.id!r}")


def _check_placement(survey: Survey, place: Placement, where: str) -> None:
    kind = survey.kinds.get(place.kind)
    if kind is None:
        hint = did_you_mean(place.kind, survey.kinds)
        survey.report("kind-unknown", f"{where}: unknown kind {place.kind!r}{hint}")
    elif kind.type != "stairs" and (place.to or place.direction or place.one_way):
        survey.report("stairs-target", f"{where}: {place.kind!r} leads nowhere")


# -- stairs and portals ----------------------------------------------------------


def landing(survey: Survey, thing: Placed) -> Spot | None:
    """Where a staircase leads; None if that is not clear."""
    floor, colon, cell = thing.placement.to.partition(":")
    if colon:
        match = _CELL.fullmatch(cell)
        return Spot(floor, int(match[1]), int(match[2])) if match else None
    back = _stairs_back(survey, thing)
    return back[0].spot if back else None


def _stairs_back(survey: Survey, thing: Placed) -> list[Placed]:
    here = thing.spot.floor if thing.spot is not None else ""
    target = thing.placement.to.partition(":")[0]
    return [
        other
        for other in survey.objects
        if other.kind.type == "stairs"
        and other.spot is not None
        and other.spot.floor == target
        and other.placement.to.partition(":")[0] == here
    ]


def check_stairs(survey: Survey) -> None:
    """Every staircase leads to a cell where the hero can stand."""
    ids = {floor.id for floor in survey.data.floors}
    for thing in survey.objects:
        if thing.kind.type != "stairs":
            continue
        target, colon, _ = thing.placement.to.partition(":")
        if not target:
            survey.report("stairs-target", f"{thing}: 'to' does not name a floor")
        elif target not in ids:
            hint = did_you_mean(target, ids)
            survey.report("stairs-target", f"{thing}: unknown floor {target!r}{hint}")
        elif colon:
            _check_landing(survey, thing)
        else:
            back = _stairs_back(survey, thing)
            if not back:
                survey.report(
                    "stairs-back",
                    f"{thing}: no stairs of {target!r} lead back; name the cell "
                    f"where it lands ('{target}:x,y')",
                )
            elif len(back) > 1:
                survey.report(
                    "stairs-ambiguous",
                    f"{thing}: {len(back)} stairs of {target!r} lead back; name the "
                    f"cell of one",
                )


def _check_landing(survey: Survey, thing: Placed) -> None:
    spot = landing(survey, thing)
    if spot is None or spot not in survey.letters:
        survey.report(
            "stairs-landing", f"{thing}: there is no cell {thing.placement.to}"
        )
        return
    things = survey.at.get(spot, [])
    on_stairs = any(other.kind.type == "stairs" for other in things)
    if not on_stairs and (things or not survey.is_floor(spot)):
        what = repr(things[0].kind.name) if things else "a wall"
        survey.report("stairs-landing", f"{thing}: it lands on {what} at {spot}")


def check_portals(survey: Survey) -> None:
    """Both ends of a portal are cells, different ones, and no walls."""
    for one, two in survey.data.portals:
        if one == two:
            survey.report("portal", f"a portal joins {one} with itself")
        for spot in (one, two):
            if spot not in survey.letters:
                survey.report("portal", f"a portal's end {spot} is no cell")
            elif not survey.is_floor(spot):
                survey.report("portal", f"a portal's end {spot} is a wall")


# -- what can be reached -----------------------------------------------------------


def check_reach(survey: Survey) -> None:
    """Objects and floors that stay out of reach even with everything open."""
    if len(survey.starts) != 1:
        return
    reached = reachable(survey)
    floors = {spot.floor for spot in reached}
    for floor in survey.data.floors:
        if floor.id not in floors and any(floor.rows):
            survey.report("floor-unreachable", f"{floor.id}: no way leads to the floor")
    for thing in survey.objects:
        if thing.spot is None or thing.spot in reached:
            continue
        if thing.spot.floor in floors:
            survey.report(
                "object-unreachable", f"{thing}: walled off, whatever is opened"
            )


def reachable(survey: Survey) -> set[Spot]:
    """Cells that the hero can touch when all that can go is gone."""
    portals: dict[Spot, list[Spot]] = {}
    for one, two in survey.data.portals:
        portals.setdefault(one, []).append(two)
        portals.setdefault(two, []).append(one)
    stack = list(survey.starts[:1])
    touched = set(stack)
    while stack:
        spot = stack.pop()
        things = survey.at.get(spot, [])
        near: list[Spot] = []
        for thing in things:
            if thing.kind.type == "stairs":
                target = landing(survey, thing)
                near += [] if target is None else [target]
        if all(survey.can_go(thing) for thing in things):
            x, y = spot.x, spot.y
            near += [
                Spot(spot.floor, *cell)
                for cell in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
            ]
            near += portals.get(spot, [])
        for other in near:
            passable = survey.is_floor(other) or other in survey.at
            if other not in touched and other in survey.letters and passable:
                touched.add(other)
                stack.append(other)
    return touched
