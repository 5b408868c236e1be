"""Every defect of a tower at once: what a map's author has to mend.

`DEFECTS` is the table of codes and meanings.  A tower without defects compiles and
can be played; whether it can be won is the solver's question.
"""

from __future__ import annotations

from typing import Final

from mt_gym.engine.check_kinds import (
    check_certificate,
    check_doubling,
    check_hero,
    check_kinds,
    check_offers,
    check_rows,
    check_settings,
)
from mt_gym.engine.check_map import (
    check_floors,
    check_portals,
    check_reach,
    check_stairs,
)
from mt_gym.engine.check_scripts import (
    check_conditions,
    check_goal,
    check_hidden,
    check_scripts,
)
from mt_gym.engine.kinds import TowerData
from mt_gym.engine.survey import Survey

DEFECTS: Final[dict[str, str]] = {
    "hero-hp": "the hero has no HP, or 0, or less",
    "resource": "a name that is none of the hero's numbers",
    "amount": "a start value, price, gain, need or growth below 0",
    "settings": "a turn limit below 1, a negative depth, a share that is no ratio",
    "certificate": "status, optimum and bound contradict each other",
    "kind-name": "a kind with an empty name",
    "kind-duplicate": "two kinds of one name, or a built-in kind defined again",
    "kind-type": "an unknown type, or a property that its type cannot have",
    "kind-category": "an item without a known category",
    "kind-rows": "a kind that offers no action, or a monster with several",
    "kind-verb": "an action that does not fit the type of its object",
    "kind-unknown": "a legend, hidden object or goal names an undefined kind",
    "monster-values": "a monster without numbers, with HP below 1 or a negative one",
    "monster-ability": "fewer than one hit, negative purify or fixed damage",
    "ratio": "a share with a denominator below 1 or a negative numerator",
    "growth": "a growing price that is not in exactly one resource",
    "doubling": "over 1000 of a number that doubles a gain",
    "effect": "an unknown operation, or one that lacks its cell or flag",
    "offer-price": "a shop's offer without a price",
    "offer-consumes": "a shop's offer that takes the shop away",
    "endless-gain": "one or two repeatable rows that only gain",
    "floor-none": "a tower without floors",
    "floor-id": "a floor id that is empty or has a ':' or a space",
    "floor-duplicate": "two floors of one id",
    "floor-empty": "a floor without cells",
    "floor-ragged": "rows of different lengths",
    "floor-unreachable": "a floor that no stairs or portal lead to",
    "letter-unknown": "a letter of the drawing that the legend lacks",
    "letter-reserved": "a legend letter that is reserved, not one sign, or repeated",
    "start-none": "no start",
    "start-several": "more than one start",
    "spot-outside": "a hidden object outside its floor",
    "stairs-target": "stairs to no or an unknown floor, or another object with 'to'",
    "stairs-back": "stairs to a floor from which none lead back, without a cell",
    "stairs-ambiguous": "stairs to a floor from which several lead back",
    "stairs-landing": "stairs that land outside, on a wall or on an object",
    "portal": "a portal's end that is a wall, no cell, or the other end",
    "object-unreachable": "an object walled off even with everything open",
    "goal-type": "an unknown goal, or one of the wrong type of object",
    "goal-absent": "a goal that is not on the map, or a script that never wins",
    "goal-several": "several objects could be the goal and 'at' names none",
    "goal-unreachable": "the goal is out of reach even with everything open",
    "flag-unknown": "a condition or a clear names a flag that nothing sets",
    "flag-reserved": "a script sets a flag that the game uses itself",
    "condition-never": "a condition that can never hold",
    "condition-merged": "one action with a 'count' and a second list of 'gone'",
    "script-spot": "a script names a cell without the object that it needs",
    "script-never": "a script on an object with which nothing can be done",
    "script-ignored": "a script with a part that scripts do not have",
    "script-strengthens": "strengthening what is no monster or has no further values",
    "trigger-always": "a script with neither a place nor a condition",
    "hidden-place": "a hidden object on open floor, or two on one cell",
    "hidden-never": "a hidden object that nothing reveals",
    "reveal-cuts": "a hidden object under another that something else reveals",
}
"""Code and meaning of every defect."""


def find_problems(data: TowerData) -> list[str]:
    """Every defect as `code: place and what is wrong`; [] for a sound tower.

    Never raises, whatever the data hold.  A code says which rule of `DEFECTS` is
    broken.
    """
    survey = Survey(data)
    for check in (
        check_hero,
        check_settings,
        check_kinds,
        check_rows,
        check_doubling,
        check_offers,
        check_floors,
        check_stairs,
        check_portals,
        check_goal,
        check_conditions,
        check_scripts,
        check_hidden,
        check_reach,
        check_certificate,
    ):
        check(survey)
    return list(dict.fromkeys(f"{code}: {text}" for code, text in survey.found))
