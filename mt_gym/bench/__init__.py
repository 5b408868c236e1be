"""Benchmarks: the episode loop, logs, measures, comparisons, reports."""

from mt_gym.bench.budget import Budget
from mt_gym.bench.compare import compare
from mt_gym.bench.loop import run
from mt_gym.bench.measures import EpisodeResult
from mt_gym.bench.report import report
from mt_gym.bench.result import RunResult
from mt_gym.bench.store import SqliteCallStore
from mt_gym.bench.suites import run_suite
from mt_gym.bench.verify import verify

__all__ = [
    "Budget",
    "EpisodeResult",
    "RunResult",
    "SqliteCallStore",
    "compare",
    "report",
    "run",
    "run_suite",
    "verify",
]
