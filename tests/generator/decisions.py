"""Best final HP over every decision of the environment: slow, simple, independent."""

from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.generator.profile import play_settings
from mt_gym.play.choices import legal_actions
from mt_gym.play.episode import Moment, advance, begin


def best_with_assists(tower: Tower) -> int:
    """0 if the goal cannot be reached with all assists on."""
    settings = play_settings(tower)
    best: dict[State, int] = {}

    def value(moment: Moment) -> int:
        state = moment.state
        if moment.outcome is not None:
            return state.hero.hp if moment.outcome == "won" else 0
        if state not in best:
            fresh = Moment(state, 0, None, frozenset())
            best[state] = max(
                value(advance(tower, fresh, move, settings)[0])
                for move in legal_actions(tower, state, settings)
            )
        return best[state]

    start, _ = begin(tower, tower.initial_state(), settings)
    return value(start)
