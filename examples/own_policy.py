"""Write a policy of your own, let it play, and see what each choice was worth.

Run it: python examples/own_policy.py [FOLDER]
"""

import sys
from pathlib import Path
from typing import Any

import gymnasium as gym

from mt_gym.agents import Decision, make_policy
from mt_gym.bench import compare, report, run

ENV = "MagicTower-simple-v0"


class Careful:
    """Takes what is free, else the fight that costs the fewest hit points.

    A policy has a name, says which observation it wants (None: any), and makes one
    player for each episode.
    """

    name = "careful"
    observation = None

    def new_episode(self, env: gym.Env[Any, Any], seed: int) -> "CarefulPlayer":
        return CarefulPlayer()


class CarefulPlayer:
    """Answers the decisions of one episode."""

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        options = [entry for entry in info["actions"] if entry["enabled"]]
        costs = {entry["action"]: entry["damage"] or 0 for entry in options}
        cheapest = min(costs, key=lambda action: (costs[action], action))
        # A distribution over all enabled options is optional; with one, the report
        # states its expected regret.
        weights = {action: 1 / (1 + cost) for action, cost in costs.items()}
        total = sum(weights.values())
        shares = {action: weight / total for action, weight in weights.items()}
        reason = f"costs {costs[cheapest]} HP, the least of {len(options)}"
        return Decision(cheapest, distribution=shares, trace={"reason": reason})


def main(folder: Path) -> None:
    # A run stores every question, choice and turn; it is never overwritten.
    mine = run(ENV, Careful(), episodes=5, out=folder / "careful")
    print(mine.table(), end="\n\n")
    run(ENV, make_policy("heuristic"), episodes=5, out=folder / "heuristic")

    # The report asks the exact solver what the choices gave up.
    found = report(folder / "careful", folder / "heuristic")
    print(found.table(), end="\n\n")

    for comparison in compare(folder / "careful", folder / "heuristic"):
        print(comparison.text())


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs"))
