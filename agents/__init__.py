"""Policies that play: random, heuristic, solver, witness, person, and your own."""

from mt_gym.agents.policy import AsyncPlayer, Decision, Player, Policy
from mt_gym.agents.registry import make_policy

__all__ = ["AsyncPlayer", "Decision", "Player", "Policy", "make_policy"]
