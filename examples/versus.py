"""Two policies on one floor: a duel by hand, a match with its tables, a race.

Run it: python examples/versus.py [FOLDER]

The picture in docs/versus.md: python examples/versus.py --png docs/images/duel.png
"""

import sys
from pathlib import Path

from mt_gym.agents import make_policy
from mt_gym.cli.png import write_png
from mt_gym.versus import duel, race
from mt_gym.versus.match import play_match

FLOOR = "simple"


def duel_by_hand(png: Path, turns: int = 6) -> None:
    """PettingZoo's loop; the picture is drawn after a few turns."""
    game = duel.env(FLOOR, render_mode="rgb_array")
    game.reset(seed=0)
    seats = game.unwrapped.seats
    players = {
        agent: make_policy("heuristic").new_episode(seat, seed=0)
        for agent, seat in zip(game.possible_agents, seats, strict=True)
    }
    done = 0
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        if terminated or truncated:
            print(f"{agent}: {info['outcome']} ({info['result']}), reward {reward}")
            game.step(None)
            continue
        # observation["action_mask"] says what is legal, `pass` included;
        # observation["text"] is what a language model reads.
        decision = players[agent].act(observation["text"], info)
        game.step(decision.action)
        done += 1
        if done == turns:
            write_png(game.render(), png)
            print(f"{png}: after {turns} turns")
    game.close()


def match(folder: Path) -> None:
    """Each pair meets four times, and moves first in turn."""
    policies = [make_policy(name) for name in ("heuristic", "solver", "random")]
    result = play_match(FLOOR, policies, games=4, swap_sides=True, out=folder)
    print(result.table())


def race_of_three() -> None:
    """All move at once, each on a floor of their own."""
    game = race.parallel_env(FLOOR, players=3, reward="rank")
    observations, infos = game.reset(seed=0)
    while game.agents:
        # Everybody takes the first action that is legal.
        actions = {
            agent: int(seen["action_mask"].argmax())
            for agent, seen in observations.items()
        }
        observations, rewards, _, _, infos = game.step(actions)
    print("race:", {agent: info["outcome"] for agent, info in infos.items()}, rewards)


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--png"]:
        duel_by_hand(Path(arguments[1]))
        return
    folder = Path(arguments[0] if arguments else "runs")
    folder.mkdir(parents=True, exist_ok=True)
    duel_by_hand(folder / "duel.png")
    match(folder / "match")
    race_of_three()


if __name__ == "__main__":
    main(sys.argv[1:])
