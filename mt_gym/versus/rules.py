"""The duel as pure transitions: one world, two heroes, one of them to move.

A turn is what the single environment makes of a choice (`play.episode`), in the
world that both share; afterwards the other hero's reach follows the world.  The page
docs/versus.md says the rules in words.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from mt_gym.engine.board import Action
from mt_gym.engine.state import REACH, Hero, State, World
from mt_gym.engine.tower import Tower
from mt_gym.envs.rewards import goal_score
from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.play.episode import Known, Moment, Played, Turns, advance
from mt_gym.play.overrides import Memory
from mt_gym.play.settings import PlaySettings
from mt_gym.play.settle import settle

PASS: Final = "pass"
"""Text of the choice to do nothing; its index is one above the tower's actions."""

REASONS: Final = {
    "goal": "reached the goal",
    "died": "died",
    "stuck": "has nothing left that can be survived",
    "both_stuck": "neither hero has anything left that can be survived",
    "turn_limit": "a hero has used up the turns",
    "passes": "both heroes passed",
}
"""How a duel can end, in words; the last three are decided by goal score."""


class Side(NamedTuple):
    """One hero of a duel.

    Attributes:
        hero: his numbers, place and reach.
        turn: completed turns of his own, assists included, passes not.
        own: objects that went in his turns, as a mask.
        memory: what rule 4 has replaced for him.
    """

    hero: Hero
    turn: int
    own: int
    memory: Memory


class Result(NamedTuple):
    """How a duel ended.

    Attributes:
        winner: number of the player; None for a draw.
        reason: a key of `REASONS`.
    """

    winner: int | None
    reason: str


class Duel(NamedTuple):
    """A moment of a duel.

    Attributes:
        world: what is left of the tower, for both.
        sides: the two heroes.
        mover: number of the player whose turn it is.
        passed: the turn before was a pass.
        result: None while it goes on.
    """

    world: World
    sides: tuple[Side, Side]
    mover: int
    passed: bool
    result: Result | None

    def state(self, player: int) -> State:
        """The world with one of its heroes."""
        return State(self.world, self.sides[player].hero)


class Acted(NamedTuple):
    """A duel after a turn, and what was executed in it."""

    duel: Duel
    played: Turns


def begin_duel(tower: Tower) -> Duel:
    """Two equal heroes at the map's start; player 0 moves first.

    Raises:
        MtGymError: the map leaves nothing to do at its start.
    """
    state = tower.initial_state()
    ended = tower.outcome(state)
    if ended is not None:
        raise MtGymError(
            f"a duel cannot begin on {tower.name!r}: its start has ended ({ended!r})"
        )
    side = Side(state.hero, 0, 0, frozenset())
    return Duel(state.world, (side, side), 0, False, None)


def ready(tower: Tower, duel: Duel, settings: PlaySettings) -> tuple[Moment, Turns]:
    """The mover's moment of choice, and the assisted turns before it.

    They are executed together with his action, and not at all if he passes.
    """
    state = duel.state(duel.mover)
    _, turn, _, memory = duel.sides[duel.mover]
    played: list[Played] = []
    for (action, source, reason), after in settle(
        tower, state, settings, turn, keep_open=True
    ):
        played.append(Played(action, source, reason, None, state, after))
        state = after
    return Moment(state, turn + len(played), None, memory), tuple(played)


def act(
    tower: Tower,
    duel: Duel,
    player: int,
    action: Action | None,
    settings: PlaySettings,
    known: Known | None = None,
) -> Acted:
    """A player's turn.

    Args:
        tower: where the duel is fought.
        duel: a moment of it.
        player: who acts.
        action: his choice; None to pass.
        settings: assists, overrides and the turn limit, for both.
        known: `known_turns` of the same tower and settings; None to compute anew.

    Raises:
        IllegalAction: the duel is over, it is the other's turn, or the action is
            neither legal nor replaced by an override.
    """
    if duel.result is not None:
        raise IllegalAction(f"the duel is over: {told(duel.result)}")
    if player != duel.mover:
        raise IllegalAction(f"it is {name(duel.mover)}'s turn, not {name(player)}'s")
    if action is None:
        result = by_score(tower, duel, "passes") if duel.passed else None
        after = duel._replace(mover=1 - player, passed=True, result=result)
        return Acted(after, ())
    moment, before = ready(tower, duel, settings)
    moment, played = advance(tower, moment, action, settings, known)
    if played[0].action is None:
        raise IllegalAction(f"{name(player)}: {played[0].reason}")
    after = moved(tower, duel, moment)
    result = _result(tower, after, player, settings)
    after = after._replace(mover=1 - player, passed=False, result=result)
    return Acted(after, (*before, *played))


def moved(tower: Tower, duel: Duel, moment: Moment) -> Duel:
    """The duel with a new moment of the mover, and the other's reach in that world.

    The mover is still to move, and nothing is judged.
    """
    world, hero = moment.state
    player = duel.mover
    gone, hidden = world.gone, world.hidden
    mine, other = duel.sides[player], duel.sides[1 - player]
    own = mine.own | gone & ~duel.world.gone
    mine = Side(hero, moment.turn, own, moment.memory)
    reach = other.hero[REACH]
    reach = tower.board.spread(reach, reach & gone, gone, hidden)
    other = other._replace(hero=other.hero._replace(reach=reach))
    sides = (mine, other) if player == 0 else (other, mine)
    return duel._replace(world=world, sides=sides)


def _result(
    tower: Tower, duel: Duel, player: int, settings: PlaySettings
) -> Result | None:
    """How a duel ends with the turn of a player who did not pass; None if not."""
    mine = tower.outcome(duel.state(player))
    if mine == "won":
        return Result(player, "goal")
    if mine == "died":
        return Result(1 - player, "died")
    other = tower.outcome(duel.state(1 - player))
    if mine == other == "stuck":
        return by_score(tower, duel, "both_stuck")
    if mine == "stuck":
        return Result(1 - player, "stuck")
    if other == "stuck":
        return Result(player, "stuck")
    if duel.sides[player].turn >= settings.options.max_turns:
        return by_score(tower, duel, "turn_limit")
    return None


def by_score(tower: Tower, duel: Duel, reason: str) -> Result:
    """The result in favour of the higher goal score; equal ones are a draw."""
    first, second = (score(tower, duel, player) for player in (0, 1))
    if first == second:
        return Result(None, reason)
    return Result(0 if first > second else 1, reason)


def score(tower: Tower, duel: Duel, player: int) -> float:
    """A hero's goal score, as if the duel ended now if it goes on.

    It is that of `envs.rewards`; monsters count for the hero in whose turn they
    went.
    """
    side, result = duel.sides[player], duel.result
    outcome = "died" if side.hero.hp <= 0 else "turn_limit"
    if result == Result(player, "goal"):
        outcome = "won"
    state = State(duel.world._replace(gone=side.own), side.hero)
    return goal_score(tower, state, None, state, outcome)


def told(result: Result) -> str:
    """A result as a sentence without a full stop."""
    why = REASONS[result.reason]
    if result.reason == "goal":
        return f"{name(result.winner)} {why}"
    if result.reason in ("died", "stuck"):
        assert result.winner is not None
        return f"{name(1 - result.winner)} {why}, {name(result.winner)} wins"
    if result.winner is None:
        return f"{why}; the goal scores are equal: a draw"
    return f"{why}; {name(result.winner)} has the higher goal score"


def name(player: int | None) -> str:
    """A player's name in PettingZoo's manner."""
    return f"player_{player}"
