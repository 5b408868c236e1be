"""The text that a policy reads at a decision, and the tags of each action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mt_gym.analysis.decision import Block, facts
from mt_gym.analysis.listing import Entry
from mt_gym.analysis.options import Options
from mt_gym.analysis.tower.cells import (
    floors_in_reach,
)
from mt_gym.engine.board import BUY, NO_CELL, SELL, TRAVEL
from mt_gym.engine.kinds import HP
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.observation import headers, state_block, words
from mt_gym.observation.annotations import ALL
from mt_gym.observation.bounds import max_length
from mt_gym.observation.lines import lines
from mt_gym.observation.tower.entry import under_block
from mt_gym.observation.verbs import plain
from mt_gym.observation.view import View
from mt_gym.play.record import Executed

KINDS: Final = ("annotated", "bare", "tower-final", "tower-2", "tower-1")
"""`annotated` is `tower-final` on a map of several floors."""

REQUEST: Final = (
    "Choose one action. End your answer with this line:\nFINAL_CHOICE: <number>"
)

NOTES: Final = (
    ("costs", "damage = HP the fight takes, with its share of your HP."),
    (
        "lookahead_value",
        "lookahead = worth of what the action unlocks, in HP (raw), less the fights "
        "in front of it (gw); effCost = damage - lookahead; effCost=None: what it "
        "unlocks is not worth those fights yet.",
    ),
    (
        "lookahead_tree",
        "via [...] = has to be passed first, in this order; [STAT] = raises an "
        "attribute for good.",
    ),
)
"""How to read the list: a sentence per annotation that needs one."""


def render(
    tower: Tower,
    state: State,
    *,
    options: Options,
    kind: str = "annotated",
    annotations: frozenset[str] = ALL,
    turn: int = 0,
    recent: Sequence[Executed] = (),
    entries: tuple[Entry, ...] | None = None,
    entry_hp: int | None = None,
    used: int = 0,
) -> str:
    """The observation of a state.

    Args:
        tower: where the state belongs.
        state: as the policy finds it, after the assists.
        options: depth of the lookahead, rule-4 share, turn limit.
        kind: one of `KINDS`.
        annotations: names out of `annotations.KINDS`; `bare` shows none.
        turn: completed turns.
        recent: executed turns, oldest first; the last six are shown.
        entries: the numbered list; None for everything that can be chosen.
        entry_hp: HP of which the hero's share is told; None for those he starts with.
        used: mask of the shops at which something has been bought or sold.

    Raises:
        MtGymError: unknown kind, or a text longer than `max_length` allows.
    """
    if kind not in KINDS:
        raise MtGymError(
            f"unknown observation {kind!r}; allowed are {', '.join(KINDS)}"
        )
    known = facts(tower, state, options, entries)
    view = View(known, annotations, state, kind, used)
    if entry_hp is None:
        entry_hp = dict(tower.data.hero)["hp"]
    if kind == "bare":
        parts = _bare_block(view, turn)
    else:
        parts = state_block.state_block(view, turn, recent, entry_hp)
    parts += ["", "Available actions:"]
    if kind != "bare" and known.entries:
        parts += _note(view)
    parts += action_list(view, bare=kind == "bare")
    parts += ["", REQUEST]
    text = "\n".join(parts)
    limit = max_length(tower, kind, annotations, options)
    if len(text) > limit:
        raise MtGymError(
            f"the observation of {tower.name!r} at turn {turn} has {len(text)} "
            f"characters, more than the {limit} that its text space allows"
        )
    return text


def _bare_block(view: View, turn: int) -> list[str]:
    """Hero, items and boss, without anything that is worked out."""
    block = view.facts.floor(view.facts.here)
    return [
        state_block.floor_line(view, turn),
        f"Hero: HP={view.state.hero.hp} {state_block.attributes(view)}",
        *state_block.hand_lines(view),
        state_block.position_line(view),
        state_block.items_line(view, block),
        *state_block.goal_lines(view, bare=True),
    ]


def _note(view: View) -> list[str]:
    sentences = [text for name, text in NOTES if name in view.annotations]
    return [f"  (Note: {' '.join(sentences)})"] if sentences else []


def action_list(view: View, bare: bool) -> list[str]:
    """The numbered list; on several floors block by block."""
    if not view.facts.entries:
        outcome = view.tower.outcome(view.state)
        return [f"  none: the game has ended ({outcome})" if outcome else "  none"]
    several = len(view.tower.floors) > 1
    found = []
    for block in view.facts.blocks:
        if several and block.floor is not None:
            found.append(_heading(view, block))
        found += _entries(view, block, bare)
        if several and not bare and block.floor is not None:
            found += under_block(view, view.facts.floor(block.floor), inside=True)
    if several:
        listed = {block.floor for block in view.facts.blocks}
        if not any(map(_sells, view.facts.blocks)):
            found += _not_affordable(view)
        if view.kind != "tower-1":
            found += _empty_floors(view)
        for number in bits(floors_in_reach(view.tower, view.state)):
            if number not in listed and not bare:
                found += under_block(view, view.facts.floor(number), inside=False)
    return found


def _entries(view: View, block: Block, bare: bool) -> list[str]:
    """The numbered entries of a block; those of no floor under their headings."""
    found: list[str] = []
    several = len(view.tower.floors) > 1
    journeys = False
    for entry in block.entries:
        travels = entry.action.code == TRAVEL
        if several and block.floor is None:
            if travels and not journeys:
                if found:
                    found += _not_affordable(view)
                found.append("Other floors:")
            elif not travels and not found:
                found.append(_heading(view, block))
            journeys = travels
        text = plain(view, entry) if bare else headers.header(view, entry)
        found.append(f"  {entry.number}. {text}")
        if not bare:
            found += lines(view, entry)
    if _sells(block) and not journeys:
        found += _not_affordable(view)
    return found


def _sells(block: Block) -> bool:
    """Whether a block has purchases."""
    return block.floor is None and any(
        entry.action.code != TRAVEL for entry in block.entries
    )


def _heading(view: View, block: Block) -> str:
    if block.floor is None:
        if view.kind in ("annotated", "tower-final"):
            return "Purchases (from any floor; may end with QUANTITY: n, at most 10):"
        if view.kind == "tower-1":
            return "Purchases:"
        return "Purchases (from any floor):"
    name = view.tower.board.floor_ids[block.floor]
    if block.floor == view.facts.here:
        return f"--- {name} (current) ---"
    left = block.left
    keys: dict[int, int] = {}
    for index in left.items:
        for slot, number in view.objects[index].actions[0].row.gain:
            keys[slot] = keys.get(slot, 0) + number
    parts = [f"+{left.gain.atk} ATK", f"+{left.gain.defense} DEF"]
    if left.gain.mdef:
        parts.append(f"+{left.gain.mdef} MDEF")
    parts += [
        words.counted(keys[slot], words.NAMES[name])
        for slot, name in enumerate(view.tower.board.resource_names)
        if name in ("yellow", "blue", "red", "green") and slot in keys
    ]
    parts.append(f"{keys.get(HP, 0)} HP")
    return (
        f"--- {name} | enemies {left.monsters}/{left.monsters_ever} | items left: "
        f"{', '.join(parts)} ---"
    )


def _empty_floors(view: View) -> list[str]:
    """Visited floors without a listed action."""
    listed = {block.floor for block in view.facts.blocks}
    ids = view.tower.board.floor_ids
    empty = [
        ids[number]
        for number in bits(floors_in_reach(view.tower, view.state))
        if number not in listed
    ]
    return [f"Nothing to choose on: {', '.join(empty)}"] if empty else []


def _not_affordable(view: View) -> list[str]:
    """Offers of shops in reach that cannot be paid."""
    tower, state = view.tower, view.state
    game, board, hero = tower.game, tower.board, state.hero
    there = game.candidates(state)
    parts = []
    for action in board.actions:
        if action.code not in (BUY, SELL) or not there >> action.object & 1:
            continue
        shop = board.objects[action.object]
        away = shop.cell != NO_CELL and shop.floor != view.facts.here
        if away and view.kind == "tower-1":
            continue
        if not game.holds(state, action.row):
            continue
        cost = game.cost(state, action.row)
        missing = [(slot, n - hero[slot]) for slot, n in cost if hero[slot] < n]
        if missing:
            gain = words.offer(game.gain(state, action.row))
            parts.append(
                f"{gain} at {action.floor} ({words.price(cost)}, "
                f"{' and '.join(str(n) for _, n in missing)} missing)"
            )
    return [f"Not affordable: {', '.join(parts)}"] if parts else []


def tags(
    tower: Tower,
    state: State,
    *,
    options: Options,
    kind: str = "annotated",
    annotations: frozenset[str] = ALL,
    entries: tuple[Entry, ...] | None = None,
    used: int = 0,
) -> tuple[tuple[str, ...], ...]:
    """The tags that `render` prints, without brackets: one tuple per listed action."""
    known = facts(tower, state, options, entries)
    if kind == "bare":
        return ((),) * len(known.entries)
    view = View(known, annotations, state, kind, used)
    return tuple(headers.tags(view, entry) for entry in known.entries)
