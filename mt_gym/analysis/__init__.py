"""Facts about a state: what is reachable, what it costs, what it opens."""

from mt_gym.analysis.decision import Block, EntryFacts, Facts, facts
from mt_gym.analysis.listing import Entry, entries
from mt_gym.analysis.options import Options

__all__ = ["Block", "Entry", "EntryFacts", "Facts", "Options", "entries", "facts"]
