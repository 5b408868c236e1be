"""The header of an action: what it is, what it costs, and its tags."""

from __future__ import annotations

from typing import Final

from mt_gym.analysis.decision import EntryFacts
from mt_gym.engine.board import FIGHT
from mt_gym.observation import words
from mt_gym.observation.lines import WITHOUT_LINES
from mt_gym.observation.specials import tags_of
from mt_gym.observation.tower.entry import route_tags, shop_tags
from mt_gym.observation.verbs import plain
from mt_gym.observation.view import View

DEAD_END: Final = "DEAD END - DO NOT OPEN"


def header(view: View, entry: EntryFacts) -> str:
    """The first line of an action, without its number."""
    if entry.action.code == FIGHT:
        return _fight(view, entry)
    text = plain(view, entry)
    shown = view.annotations
    if entry.action.code not in WITHOUT_LINES:
        if "dead_end" in shown and entry.dead_end:
            return f"{text} [{DEAD_END}]"
    text += "".join(f" [{tag}]" for tag in _tower_tags(view, entry))
    if entry.action.code in WITHOUT_LINES:
        return text
    if "lookahead_value" in shown:
        text += f" — {_lookahead(entry)}"
    return text + _potions(view, entry) + _alternative(view, entry)


def tags(view: View, entry: EntryFacts) -> tuple[str, ...]:
    """The tags of an action, without brackets."""
    shown = view.annotations
    if not entry.is_fight:
        dead = "dead_end" in shown and entry.dead_end
        found = [DEAD_END] if dead else []
    else:
        found = [*_able_tags(view, entry), *_risk_tags(view, entry)]
    if found != [DEAD_END]:
        found += _tower_tags(view, entry)
    if "alternative" in shown and not (found and found[-1] == DEAD_END):
        if entry.action.code not in WITHOUT_LINES and entry.alternative is not None:
            more = entry.alternative.more
            found.append("ALTERNATIVE ROUTE" if more else "SAME REGION")
    return tuple(part for tag in found for part in tag.split("] ["))


def _fight(view: View, entry: EntryFacts) -> str:
    label = view.labels[entry.action.object]
    thing = view.objects[entry.action.object]
    stats = view.tower.game.stats(thing.monster, view.state.world)
    shown = view.annotations
    parts = [
        f"[fight] {label.name} at {label.at} — monATK={stats.atk} "
        f"monDEF={stats.defense}"
    ]
    parts += [f"[{tag}]" for tag in _able_tags(view, entry)]
    if "costs" in shown:
        parts.append(f"— {_cost(view, entry)}")
    parts += [f"[{tag}]" for tag in _risk_tags(view, entry)]
    parts += [f"[{tag}]" for tag in _tower_tags(view, entry)]
    if "lookahead_value" in shown:
        parts.append(f"{_lookahead(entry)} effCost={_effective(entry)}")
    text = " ".join(parts) + _potions(view, entry)
    if "min_cost" in shown:
        text += _min_cost(view, entry)
    return text + _alternative(view, entry)


def _able_tags(view: View, entry: EntryFacts) -> list[str]:
    """The DEF threshold and the special abilities."""
    found = []
    if "free_at" in view.annotations and entry.free_at is not None:
        more = entry.free_at - view.state.hero.defense
        found.append(
            f"FREE if DEF≥{entry.free_at}, need +{more} more" if more else "FREE"
        )
    able = view.objects[entry.action.object].kind.abilities
    return found + tags_of(able, view.annotations)


def _risk_tags(view: View, entry: EntryFacts) -> list[str]:
    shown = view.annotations
    found = []
    if "risk" in shown and entry.risk is not None:
        found.append(entry.risk.upper())
    if "winnable_at" in shown and entry.winnable_at is not None:
        found.append(f"WINNABLE at ATK≥{entry.winnable_at}")
    if "optional" in shown and entry.optional:
        found.append("OPTIONAL")
    return found


def _tower_tags(view: View, entry: EntryFacts) -> list[str]:
    """What the whole tower says about an action; nothing on a single floor."""
    if not view.several:
        return []
    return [*route_tags(view, entry), *shop_tags(view, entry)]


def _cost(view: View, entry: EntryFacts) -> str:
    if entry.damage is None:
        return "damage=UNWINNABLE"
    share = words.tenths(entry.damage, view.state.hero.hp)
    return f"damage={entry.damage} ({share}%) hpAfter={entry.hp_after}"


def _lookahead(entry: EntryFacts) -> str:
    value = entry.value
    return f"lookahead={value.value}(raw={value.raw}-gw={value.gateways})"


def _effective(entry: EntryFacts) -> int | None:
    return None if entry.damage is None else entry.value.effective_cost


def _potions(view: View, entry: EntryFacts) -> str:
    if "potions" not in view.annotations or not entry.potions:
        return ""
    return f" | +{entry.potions} HP potions behind it (collect any time)"


def _min_cost(view: View, entry: EntryFacts) -> str:
    least = entry.min_cost
    if least is None:
        return ""
    hero, left = view.state.hero, entry.block.left.gain
    most = f"ATK={hero.atk + left.atk},DEF={hero.defense + left.defense}"
    if left.mdef:
        most += f",MDEF={hero.mdef + left.mdef}"
    return (
        f" | min-cost={least.cost}@maxStats({most}) save={least.saving}HP — collect "
        "stat gems first"
    )


def _alternative(view: View, entry: EntryFacts) -> str:
    if "alternative" not in view.annotations or entry.alternative is None:
        return ""
    other = view.name(view.facts.entries[entry.alternative.number - 1])
    if entry.alternative.more:
        return (
            f'  [ALTERNATIVE ROUTE — "{other}" opens all of this and more; whoever '
            "takes both pays twice for one way in]"
        )
    return (
        f'  [SAME REGION — "{other}" opens exactly the same; one of the two is enough]'
    )
