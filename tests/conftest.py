"""Settings and fixtures for all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No window and no sound, whatever the machine has; child processes inherit it.
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

# The same examples in every run, and no failure because the machine is busy.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def reference_folder() -> Path:
    """The folder of the reference instances, for tests marked `reference`."""
    folder = os.environ.get("MT_GYM_REFERENCE")
    if not folder:
        pytest.skip("MT_GYM_REFERENCE does not name the folder of reference maps")
    if not Path(folder).is_dir():
        pytest.skip(f"MT_GYM_REFERENCE: there is no folder {folder}")
    return Path(folder)
