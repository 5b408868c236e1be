"""Renders facts: text for language models, arrays for networks."""

from mt_gym.observation.annotations import resolve
from mt_gym.observation.bounds import max_length
from mt_gym.observation.names import action_name
from mt_gym.observation.text import render, tags

__all__ = ["action_name", "max_length", "render", "resolve", "tags"]
