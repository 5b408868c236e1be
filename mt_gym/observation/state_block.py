"""The block above the action list: hero, keys, what is left, boss, HP budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mt_gym.analysis.decision import Block
from mt_gym.engine.state import bits
from mt_gym.observation import words
from mt_gym.observation.names import action_name
from mt_gym.observation.tower import block as tower
from mt_gym.observation.view import View
from mt_gym.play.record import Executed

OK_PERCENT, LOW_PERCENT = 50, 25
RECENT_SHOWN: Final = 6


def state_block(
    view: View, turn: int, recent: Sequence[Executed], entry_hp: int
) -> list[str]:
    """All lines of the annotated block."""
    block = view.facts.floor(view.facts.here)
    shown = view.annotations
    found = [floor_line(view, turn), hero_line(view, entry_hp), *hand_lines(view)]
    if "key_budget" in shown:
        found += key_budget_lines(block)
    if view.several and "tower_key_budget" in shown:
        found += tower.key_budget_lines(view)
    found.append(position_line(view))
    left = block.left
    found.append(f"Enemies remaining: {left.monsters}/{left.monsters_ever}")
    found.append(items_line(view, block))
    if "def_tip" in shown:
        found += def_tip_line(view, block)
    found += goal_lines(view)
    if "hp_budget" in shown:
        found += hp_budget_line(view)
    if view.several:
        found += tower.tower_lines(view)
    if "recent" in shown:
        found += recent_lines(view, recent)
    return found


def floor_line(view: View, turn: int) -> str:
    """Floor, highest floor visited, completed turns and their limit."""
    ids = view.tower.board.floor_ids
    text = f"=== Floor: {ids[view.facts.here]}"
    if len(ids) > 1:
        text += f" | highest visited: {ids[view.state.world.visited.bit_length() - 1]}"
    return f"{text} | Turn {turn}/{view.facts.options.max_turns} ==="


def hero_line(view: View, entry_hp: int) -> str:
    """The hero's numbers; HP as a share of what he came with."""
    hp = view.state.hero.hp
    level = "CRITICAL"
    if 100 * hp > LOW_PERCENT * entry_hp:
        level = "LOW"
    if 100 * hp > OK_PERCENT * entry_hp:
        level = "OK"
    share = words.tenths(hp, entry_hp)
    return f"Hero: HP={hp} ({share}% [{level}]) {attributes(view)}"


def attributes(view: View) -> str:
    """Attributes and purse; the level only where the map has levels."""
    hero = view.state.hero
    text = (
        f"ATK={hero.atk} DEF={hero.defense} MDEF={hero.mdef} Gold={hero.gold} "
        f"EXP={hero.exp}"
    )
    return f"{text} Level={hero.level}" if "level" in used_resources(view) else text


def used_resources(view: View) -> frozenset[str]:
    """The numbers that a map speaks of, found once per tower."""
    tower = view.tower
    found = tower.caches.get("used resources")
    if found is None:
        board = tower.board
        slots = {name for name, _ in tower.data.hero}
        for action in board.actions:
            row = action.row
            for slot, _ in (*row.cost, *row.gain, *row.needs):
                slots.add(board.resource_names[slot])
        for row in board.triggers:
            slots |= {board.resource_names[slot] for slot, _ in row.gain}
        found = tower.caches["used resources"] = frozenset(slots)
    return found


def hand_lines(view: View) -> list[str]:
    """Keys, tools and carried things."""
    hero, used = view.state.hero, used_resources(view)
    keys = f"Keys: Y={hero.yellow} B={hero.blue} R={hero.red}"
    if "green" in used:
        keys += f" G={hero.green}"
    found = [keys]
    tools = [
        f"{name}={getattr(hero, name)}"
        for name in ("pickaxe", "bomb", "token")
        if name in used
    ]
    if tools:
        found.append("Tools: " + " ".join(tools))
    flags = view.state.world.flags
    names = view.tower.board.flag_names
    carried = [
        kind.name
        for kind in view.tower.data.kinds
        if kind.carried and flags >> names.index(kind.name) & 1
    ]
    if carried:
        found.append("Carrying: " + ", ".join(carried))
    return found


def position_line(view: View) -> str:
    """The hero's cell."""
    spot = view.tower.board.spots[view.state.hero.position]
    return f"Position: {words.place(view.tower, spot)}"


def key_budget_lines(block: Block) -> list[str]:
    """One line per colour that has a closed door on the floor."""
    return [
        f"Key budget: {budget.colour} {budget.held} in hand + {budget.lying} on this "
        f"floor = {budget.held + budget.lying} for {budget.doors} closed "
        f"{budget.colour} door(s)"
        for budget in block.key_budgets
    ]


def items_line(view: View, block: Block) -> str:
    """Everything that lies on the floor, reachable or not."""
    items = ", ".join(view.labels[index].left for index in block.left.items)
    return f"Uncollected items still on floor: {items or 'none'}"


def merged_names(view: View, things: Sequence[int]) -> str:
    """`Green Slime ×2, Bat`."""
    counts: dict[str, int] = {}
    for index in things:
        name = view.labels[index].name
        counts[name] = counts.get(name, 0) + 1
    return ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in counts.items())


def def_tip_line(view: View, block: Block) -> list[str]:
    """The smallest DEF gain that makes monsters free."""
    tip = block.def_tip
    if tip is None:
        return []
    verb = "become" if len(tip.monsters) > 1 else "becomes"
    return [
        f"DEF threshold tip: Collect +{tip.points} more DEF gems → "
        f"{merged_names(view, tip.monsters)} {verb} FREE (saves {tip.saving} HP; "
        f"+{tip.left} DEF gems remain on map)"
    ]


def goal_lines(view: View, bare: bool = False) -> list[str]:
    """The goal, and the boss's numbers once his floor has been visited."""
    line = f"Goal: {goal_sentence(view)}"
    block = boss_block(view)
    boss = None if block is None else block.boss
    if boss is None:
        return [line + goal_places(view)]
    thing = view.objects[boss.thing]
    stats = view.tower.game.stats(thing.monster, view.state.world)
    label = view.labels[boss.thing]
    line += (
        f" {label.name} at {label.far}: ATK={stats.atk} DEF={stats.defense} "
        f"HP={stats.hp}"
    )
    hero = view.state.hero
    if bare or "boss" not in view.annotations or hero.hp <= 0:
        return [line]
    if boss.damage is None:
        now = (
            f"UNWINNABLE — need ATK≥{boss.need_atk} to deal damage (you have "
            f"ATK={hero.atk})"
        )
    else:
        now = f"damage={boss.damage} ({words.tenths(boss.damage, hero.hp)}%) "
        left = hero.hp - boss.damage
        now += f"hpAfter={left}" if left > 0 else "LETHAL"
    return [f"{line} | if fought now: {now}"]


def goal_places(view: View) -> str:
    """Where the goals lie that are no monsters, on the floors visited."""
    board, world = view.tower.board, view.state.world
    there = board.goal_mask & ~(board.monster_mask | world.gone | world.hidden)
    seen = [
        f"{view.labels[index].name} at {view.labels[index].far}"
        for index in bits(there)
        if world.visited >> board.objects[index].floor & 1
    ]
    return f" {', '.join(seen)}." if seen else ""


def goal_sentence(view: View) -> str:
    """The map's own sentence, or one by the type of the goal."""
    goal = view.tower.data.goal
    if goal.text:
        return goal.text
    if goal.type == "defeat":
        return f"Defeat {goal.name} with as much HP left as possible."
    if goal.type == "take":
        return f"Take {goal.name} with as much HP left as possible."
    if goal.type == "reach":
        return f"Reach {goal.name or 'the exit'} with as much HP left as possible."
    return "Reach the end of the story with as much HP left as possible."


def boss_block(view: View) -> Block | None:
    """The floor of the goal monster, if it has been visited."""
    board = view.tower.board
    gone = view.state.world.gone | view.state.world.hidden
    for index in bits(board.goal_mask & board.monster_mask & ~gone):
        floor = board.objects[index].floor
        if view.state.world.visited >> floor & 1:
            return view.facts.floor(floor)
    return None


def hp_budget_line(view: View) -> list[str]:
    """HP against what blocks the way to the boss."""
    block = boss_block(view)
    budget = None if block is None else block.hp_budget
    if budget is None:
        return []
    gain, boss = budget.gain, view.labels[budget.boss].name
    stats = f"all {gain.atk} ATK / {gain.defense} DEF"
    if gain.mdef:
        stats += f" / {gain.mdef} MDEF"
    text = (
        f"HP budget at max stats ({stats} gems collected): {budget.available} HP "
        f"available (HP + {budget.healing} potions)"
    )
    count = len(budget.blockers)
    if budget.needed is None:
        names = merged_names(view, budget.impossible)
        text += f" vs {names}: UNWINNABLE even at max stats"
    else:
        blocking = ""
        if count:
            verb = "monsters that block" if count > 1 else "monster that blocks"
            blocking = f"the {count} {verb} the way to the boss + "
        text += (
            f" vs {budget.needed} HP for {blocking}the boss → margin "
            f"{budget.margin:+d} HP"
        )
    if budget.others:
        noun = "monsters" if budget.others > 1 else "monster"
        cost = f"{budget.others_cost} HP at max stats"
        if budget.others_impossible:
            cost += f" + {budget.others_impossible} unwinnable"
        verb = "block" if budget.others > 1 else "blocks"
        text += (
            f". {budget.others} other {noun} ({cost}) {verb} nothing on the way to "
            f"{boss}; fighting there is extra and comes off this margin"
        )
    return [f"{text}."]


def recent_lines(view: View, recent: Sequence[Executed]) -> list[str]:
    """The last executed turns, with the HP they cost or gave."""
    several = len(view.tower.floors) > 1
    found = []
    for step in recent[-RECENT_SHOWN:]:
        head = f"T{step.turn}"
        name = "no action: the choice was not legal"
        if step.action is not None:
            name = action_name(view.tower, None, step.action, inside=True)
            if several:
                head += f" {step.action.floor}"
        change = step.hp_after - step.hp_before
        found.append(f"  {head}: {name} (HP {change:+d}→{step.hp_after})")
    title = "Recent actions:" if several else "Recent actions this floor:"
    return [title, *found] if found else []
