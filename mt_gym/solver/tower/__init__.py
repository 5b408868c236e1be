"""The anytime search for towers too big to be solved exactly."""

from __future__ import annotations

from mt_gym.solver.extent import is_too_big
from mt_gym.solver.tower.bound import upper_bound
from mt_gym.solver.tower.interval import bounds
from mt_gym.solver.tower.search import SearchStats, TowerResult, search_tower

__all__ = [
    "SearchStats",
    "TowerResult",
    "bounds",
    "is_too_big",
    "search_tower",
    "upper_bound",
]
