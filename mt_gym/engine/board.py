"""The compiled map: objects, the action table, and masks over objects.

Removing an object exposes exactly what touches its cell or a region next to it, so
a transition needs one mask per object (`near`) and searches no cells.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

# Codes and classes of `actions` are part of the board's face.
from mt_gym.engine.actions import *  # noqa: F403
from mt_gym.engine.actions import (
    NO_CELL,
    PASS,
    TRAVEL,
    VERB_CODE,
    Action,
    CompiledRow,
    MapObject,
)
from mt_gym.engine.compiler import Compiler, all_rows, merged
from mt_gym.engine.graph import Graph, Placed
from mt_gym.engine.kinds import (
    BLUE,
    GREEN,
    RED,
    RESOURCES,
    YELLOW,
    Effect,
    Kind,
    Row,
    Spot,
    TowerData,
)

_NOTHING = Action(-1, "pass", -1, 0, "", None, "", PASS, CompiledRow())


class Board(Graph):
    """A compiled tower.

    Attributes:
        digest: hash of everything that matters to the game.
        objects: every object that may ever exist.
        actions: every action; `actions[i].index == i`.
        monsters: monster kinds, by number.
        triggers: scripts without a place.
        flag_names, epoch_names, counter_names: what the numbers of a world mean.
        near: per object, the nodes that its removal exposes.
        free_mask, fight_mask, door_masks: objects whose only action needs nothing,
            ATK, or one key; `general_mask` all others that can be acted on.
        automatic_items, automatic_fights: what the assists may take (the latter at
            cost 0): no goal, script, choice, price or share of HP.
    """

    def __init__(self, data: TowerData) -> None:
        super().__init__(data)
        game = replace(data, certificate=None, title="", about="")
        self.digest = hashlib.sha256(repr(game).encode()).hexdigest()[:16]
        self.resource_names = RESOURCES
        self.monsters = tuple(k for k in data.kinds if k.type == "monster")
        compiler = Compiler(self)
        self.epoch_names = compiler.epochs
        self.counter_names = compiler.counters
        self.epoch_of = tuple(
            self.epoch_names.index(k.name) if k.name in self.epoch_names else -1
            for k in self.monsters
        )
        self._build(compiler)
        self.triggers = tuple(
            compiler.trigger(number, script.row)
            for number, script in enumerate(data.scripts)
            if script.at is None
        )
        self.flag_names = tuple(compiler.flags)
        self._relate()
        self._sort_by_need()

    # -- objects and actions -------------------------------------------------

    def _build(self, compiler: Compiler) -> None:
        """Compile every object with its actions, in index order."""
        scripts: dict[int, list[Row]] = {}
        for script in self.data.scripts:
            if script.at is not None:
                scripts.setdefault(self.object_at(script.at), []).append(script.row)
        monster_number = {kind.name: i for i, kind in enumerate(self.monsters)}
        objects: list[MapObject] = []
        actions: list[Action] = []
        for index, thing in enumerate(self.placed):
            kind = thing.kind
            goal = self._is_goal(thing)
            partner, landing = self._stairs(thing)
            own: list[Action] = []
            rows = self._rows(kind, goal, scripts.get(index, []))
            for i, row in enumerate(rows):
                removes = 0
                if row.consumes:
                    removes = 1 << index | (1 << partner if partner >= 0 else 0)
                same = [j for j, other in enumerate(rows) if other.verb == row.verb]
                choice = same.index(i) + 1 if len(same) > 1 else 0
                own.append(
                    Action(
                        index=len(actions) + i,
                        verb=row.verb,
                        object=index,
                        choice=choice,
                        floor=self.floor_ids[thing.floor],
                        position=_position(thing.spot),
                        text=self._action_text(thing, row.verb, choice),
                        code=VERB_CODE[row.verb],
                        row=compiler.row(row, removes, kind, i),
                    )
                )
            actions += own
            carries = 1 if kind.carried else 0
            objects.append(
                MapObject(
                    index=index,
                    kind=kind,
                    floor=thing.floor,
                    spot=thing.spot,
                    cell=NO_CELL if thing.spot is None else self.cell(thing.spot),
                    hidden=thing.hidden,
                    placement=thing.placement,
                    actions=tuple(own),
                    monster=monster_number.get(kind.name, -1),
                    goal=goal,
                    scripted=any(
                        len(a.row.effects) > carries or a.row.conditional for a in own
                    ),
                    partner=partner,
                    landing=landing,
                )
            )
        if len(self.floor_ids) > 1:
            for fid in self.floor_ids:
                number, text = len(actions), f"{fid}:travel"
                walk = CompiledRow(source=Row("travel"))
                actions.append(
                    Action(number, "travel", -1, 0, fid, None, text, TRAVEL, walk)
                )
        self.objects = tuple(objects)
        self.actions = tuple(actions)
        self.by_text = {action.text: action for action in actions}

    def _rows(self, kind: Kind, goal: bool, scripts: list[Row]) -> list[Row]:
        """The rows of one object, with the scripts of its cell and the goal."""
        rows = list(kind.rows)
        if kind.type == "monster" and not rows:
            rows = [Row("fight")]
        if not rows:
            return rows
        for script in scripts:
            rows[0] = merged(rows[0], script)
        if goal:
            verb = "finish" if kind.type == "item" else rows[0].verb
            rows[0] = merged(rows[0], Row(verb, effects=(Effect("win"),)))
        bombs = self._obtainable("bomb") and not (kind.boss or goal)
        if kind.type == "monster" and bombs:
            rows.append(replace(rows[0], verb="bomb", cost=(("bomb", 1),)))
        return rows

    def _obtainable(self, resource: str) -> bool:
        return resource in dict(self.data.hero) or any(
            resource in dict(row.gain) for row in all_rows(self.data)
        )

    def _is_goal(self, thing: Placed) -> bool:
        goal = self.data.goal
        if goal.type == "script":
            return False
        at_place = goal.at is None or goal.at == thing.spot
        if goal.type == "reach" and not goal.name:
            return thing.kind.type == "goal" and at_place
        return thing.kind.name == goal.name and at_place

    def _stairs(self, thing: Placed) -> tuple[int, int]:
        """Number of the other end of a staircase and cell where it leads."""
        if thing.kind.type != "stairs":
            return -1, NO_CELL
        one_way = thing.placement.one_way
        target, _, cell = thing.placement.to.partition(":")
        if cell:
            x, y = (int(part) for part in cell.split(","))
            landing = self.cell(Spot(target, x, y))
            ends = [
                i
                for i in self.at.get(landing, [])
                if self.placed[i].kind.type == "stairs"
            ]
            return (ends[0] if ends and not one_way else -1), landing
        here = self.floor_ids[thing.floor]
        other = next(
            i
            for i, end in enumerate(self.placed)
            if end.kind.type == "stairs"
            and self.floor_ids[end.floor] == target
            and end.placement.to.partition(":")[0] == here
        )
        spot = self.placed[other].spot
        assert spot is not None
        return (-1 if one_way else other), self.cell(spot)

    def _action_text(self, thing: Placed, verb: str, choice: int) -> str:
        text = verb
        if thing.spot is not None:
            text += f" {thing.spot.x},{thing.spot.y}"
            if len(self.floor_ids) > 1:
                text = f"{thing.spot.floor}:{text}"
        else:
            anywhere = [kind.name for kind in self.data.kinds if kind.anywhere]
            if len(anywhere) > 1:
                text += f" {anywhere.index(thing.kind.name) + 1}"
        return f"{text} #{choice}" if choice else text

    # -- masks -----------------------------------------------------------------

    def _relate(self) -> None:
        """What touches what, and which objects are on which floor."""
        floors = range(len(self.floor_ids))
        self.near = tuple(self._near(thing) for thing in self.objects)
        self.object_mask = (1 << self.n_objects) - 1
        self.start_hidden = self.mask(lambda o: o.hidden)
        self.stacked = {
            found[0]: found[1] for found in self.at.values() if len(found) > 1
        }
        self.first = tuple(
            o.actions[0] if o.actions else _NOTHING for o in self.objects
        )
        self.floor_mask = tuple(
            self.mask(lambda o, f=number: o.floor == f and o.cell != NO_CELL)
            for number in floors
        )
        regions = [0 for _ in floors]
        for cell, region in enumerate(self.region_of):
            if region >= 0:
                regions[self.cell_floor[cell]] |= 1 << (self.n_objects + region)
        self.floor_regions = tuple(regions)

    def _sort_by_need(self) -> None:
        """Masks by type, and by what the only action of an object needs."""
        self.monster_mask = self.mask(lambda o: o.monster >= 0)
        self.item_mask = self.mask(lambda o: o.kind.type == "item")
        self.door_mask = self.mask(lambda o: o.kind.type == "door")
        self.gate_mask = self.mask(lambda o: o.kind.type == "gate")
        self.goal_mask = self.mask(lambda o: o.goal)
        self.one_way_mask = self.mask(lambda o: o.placement.one_way)
        self.scripted_mask = self.mask(lambda o: o.scripted)
        plain = self.mask(lambda o: len(o.actions) == 1 and _is_plain(o.actions[0]))
        no_cost = self.mask(lambda o: not _cost(o))
        self.free_mask = plain & no_cost & ~self.monster_mask
        self.fight_mask = plain & no_cost & self.monster_mask
        doors = [
            (key, plain & self.mask(lambda o, c=((key, 1),): _cost(o) == c))
            for key in (YELLOW, BLUE, RED, GREEN)
        ]
        self.door_masks = tuple((key, mask) for key, mask in doors if mask)
        simple = self.free_mask | self.fight_mask
        for _, mask in self.door_masks:
            simple |= mask
        self.general_mask = self.mask(lambda o: bool(o.actions)) & ~simple
        neutral = ~(self.goal_mask | self.scripted_mask)
        by_hand = self.mask(lambda o: o.kind.manual)
        vampires = self.mask(lambda o: o.kind.abilities.vampire is not None)
        self.automatic_items = self.item_mask & self.free_mask & neutral & ~by_hand
        self.automatic_fights = self.fight_mask & neutral & ~vampires

    def _near(self, thing: MapObject) -> int:
        if thing.cell == NO_CELL or not thing.kind.blocks:
            return 0
        mask = self.near_cell(thing.cell)
        if thing.landing != NO_CELL:
            mask |= self.near_cell(thing.landing)
        if thing.partner >= 0:
            mask |= 1 << thing.partner
        return mask & ~(1 << thing.index)

    def mask(self, test: Callable[..., bool]) -> int:
        """The objects for which `test(object)` holds."""
        total = 0
        for thing in self.objects:
            if test(thing):
                total |= 1 << thing.index
        return total

    # -- reach -------------------------------------------------------------------

    def spread(self, reach: int, removed: int, gone: int, hidden: int) -> int:
        """Nodes reached after objects were removed.

        Args:
            reach: nodes reached before.
            removed: objects removed since; those out of reach are kept for the
                moment when a neighbour of theirs is removed.
            gone: all objects that are gone; hidden: not revealed.
        """
        near, stacked = self.near, self.stacked
        pending = removed & reach
        while pending:
            low = pending & -pending
            pending ^= low
            index = low.bit_length() - 1
            add = near[index]
            above = stacked.get(index, -1)
            if above >= 0 and not (gone | hidden) >> above & 1:
                add = 1 << above
            fresh = add & ~reach
            reach |= fresh
            pending |= fresh & gone
        return reach

    def reaches(self, gone: int, hidden: int) -> tuple[int, ...]:
        """Every reach that a hero can have when these objects are gone.

        There is one, from the start, until one-way stairs were climbed; then it
        is one from the landing of those that were climbed last.
        """
        starts = [
            self.near_cell(thing.landing) | self.anywhere
            for thing in self.objects
            if thing.placement.one_way and gone >> thing.index & 1
        ]
        return tuple(
            self.spread(start, start & gone, gone, hidden)
            for start in starts or [self.start_reach]
        )

    def beside(self, index: int, world_gone: int, world_hidden: int, reach: int) -> int:
        """A cell next to an object where the hero stands when he acts on it."""
        for cell in self.steps[self.objects[index].cell]:
            if not self.is_open(cell, world_gone, world_hidden):
                continue
            region = self.region_of[cell]
            if region >= 0:
                reached = reach >> (self.n_objects + region) & 1
            else:
                reached = any(reach >> i & 1 for i in self.at[cell])
            if reached:
                return cell
        return self.objects[index].cell

    def can_hold(self, cell: int, gone: int, reach: int) -> bool:
        """Whether a hero of this reach can be on a cell.

        Where something has gone he may be although another object is there by now.
        """
        region = self.region_of[cell]
        if region >= 0:
            return bool(reach >> (self.n_objects + region) & 1)
        return any((gone & reach) >> i & 1 for i in self.at.get(cell, ()))

    def arrival(self, floor: int, gone: int) -> int:
        """Where a hero who returns to a floor stands: at its stairs."""
        for thing in self.objects:
            if thing.floor == floor and thing.kind.type == "stairs":
                if thing.placement.direction != "down" and gone >> thing.index & 1:
                    return thing.cell
        for thing in self.objects:
            if thing.floor == floor and thing.kind.type == "stairs":
                if gone >> thing.index & 1:
                    return thing.cell
        return self.start_cell


def _position(spot: Spot | None) -> tuple[int, int] | None:
    return None if spot is None else (spot.x, spot.y)


def _is_plain(action: Action) -> bool:
    return not (action.row.conditional or action.row.counter >= 0)


def _cost(thing: MapObject) -> tuple[tuple[int, int], ...]:
    return thing.actions[0].row.cost if thing.actions else ()
