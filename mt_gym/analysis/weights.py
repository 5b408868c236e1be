"""Hand-set prices in HP-equivalents, the only estimates of the observation.

Source: section 5.2.2 of the thesis chapter.  Potions have no price: their HP is
gained whenever they are taken, whatever the order of fights.
"""

from __future__ import annotations

from typing import Final

POINT: Final = {"atk": 70, "def": 90, "mdef": 45}
"""Per point of an attribute."""

KEY: Final = {"yellow": 60, "blue": 90, "red": 120, "green": 120}
"""Per key."""

DOOR: Final = {"yellow": 80, "blue": 130, "red": 180, "green": 180}
"""Per newly exposed door; three quarters while more than one key is held."""

STAIRS: Final = 120
"""A staircase to a floor that has not been visited."""

DEPTH_PERCENT: Final = (100, 70, 50, 35, 25, 18, 12)
"""What a thing behind 0, 1, 2, ... gateways counts, in percent."""

MAX_DEPTH: Final = len(DEPTH_PERCENT) - 1
