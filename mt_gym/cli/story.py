"""Rows of an episode as lines for people."""

from __future__ import annotations

from rich.text import Text

from mt_gym.bench.question import Row
from mt_gym.cli.words import action_words, counted, optimum_words
from mt_gym.engine.tower import Tower

OUTCOMES = {
    "won": "won",
    "died": "the hero died",
    "stuck": "stuck: nothing is left that he survives",
    "turn_limit": "out of turns",
    "no_answer": "the policy gave no answer",
    "infra_error": "not finished, the server failed",
    "budget": "not finished, the budget is used up",
}
SOURCE_STYLES = {"policy": "bold", "override": "yellow", "repair": "yellow"}


def line_of(tower: Tower, row: Row) -> Text | None:
    """A row as a line; None for a decision, whose turns say it."""
    if row["row"] == "start":
        return Text(
            f"{tower.data.title or tower.name}: {row['policy']}, seed {row['seed']}, "
            f"start HP {row['hp']}",
            style="bold",
        )
    if row["row"] == "turn":
        return _turn(tower, row)
    if row["row"] == "end":
        return Text(ending(tower, row), style="bold")
    return None


def _turn(tower: Tower, row: Row) -> Text:
    before, after = row["hp_before"], row["hp_after"]
    hp = f"HP {before:>5} → {after:<5}"
    what = "nothing happens"
    if row["action"] is not None:
        what = action_words(tower, tower.actions[row["action"]])
    line = Text(f"T{row['turn']:<4} ")
    line.append(f"{row['source']:<12} ", SOURCE_STYLES.get(row["source"], "dim"))
    line.append(
        f"{hp} ", "red" if after < before else "green" if after > before else ""
    )
    line.append(f"{what:<32} ")
    reason = row["reason"]
    if row["replaces"]:
        reason = f"instead of {row['replaces']}: {reason}"
    line.append(reason, "dim")
    line.rstrip()
    return line


def ending(tower: Tower, row: Row) -> str:
    """How an episode ended, in a sentence."""
    reached = row["hp"] if row["outcome"] == "won" else 0
    known = optimum_words(tower, reached) if tower.certificate else ""
    best = f"best possible {known}" if known else ""
    hp = f"{row['hp']} HP" + (f" ({best})" if best else "")
    turns, decisions = (
        counted(row["turns"], "turn"),
        counted(row["decisions"], "decision"),
    )
    score = row["goal_score"]
    told = "in no rate" if score is None else f"goal score {score:.3f}"
    ended = OUTCOMES[row["outcome"]]
    return f"Result: {ended} after {turns} ({decisions}) with {hp}; {told}"
