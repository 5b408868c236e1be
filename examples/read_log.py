"""Read a stored episode: where was the game lost, and what would have been better?

Run it: python examples/read_log.py [FOLDER]
"""

import sys
from pathlib import Path

from mt_gym.agents import make_policy
from mt_gym.bench import run
from mt_gym.bench.ledger import Worths, ledger
from mt_gym.bench.log import finished_episodes
from mt_gym.bench.read import Run
from mt_gym.bench.truth import judge


def main(folder: Path) -> None:
    run("MagicTower-simple-v0", make_policy("random"), episodes=1, out=folder)

    stored = Run.of(folder)
    rows = stored.rows(finished_episodes(folder)[1])
    tower, worths = stored.tower, Worths(stored.tower)

    # Every executed turn with the best final HP that was possible before it.
    account = ledger(tower, rows, worths)
    for line in account.lines:
        print(
            f"turn {line.turn:>2}  {line.source:<11}  {line.text or 'nothing':<12}  "
            f"possible {line.worth!s:>3}  given up {line.regret}"
        )
    print(f"in all: {account.total} of {account.start} HP given up")

    lost = account.lost_by()
    if lost is None:
        print("the goal was never lost")
        return
    print(f"the goal was lost at turn {lost.turn} by {lost.text}")
    for judged in judge(tower, rows, worths):
        if judged.turn == lost.turn:
            better = [str(tower.actions[index]) for index in judged.truth.optimal]
            print(f"it could still be won by: {', '.join(better)}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/read-log"))
