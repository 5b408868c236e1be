"""A run that is killed at random moments, and gone on with, ends like one that is not.

The process is killed, not interrupted: nothing of it can tidy up.
"""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mt_gym.agents import make_policy
from mt_gym.bench import run, verify
from mt_gym.bench.log import finished_episodes
from tests.bench.players import ID

EPISODES = 60
CHILD = """
import sys
from mt_gym.agents import make_policy
from mt_gym.bench import run
print("begun", flush=True)
run("MagicTower-simple-v0", make_policy("random"), episodes=int(sys.argv[2]),
    out=sys.argv[1], resume=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_killed_run_resumes_to_the_same_table(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    folder, whole = tmp_path / "killed", tmp_path / "whole"
    command = [sys.executable, "-c", CHILD, str(folder), str(EPISODES)]
    kills, kept = 0, dict[str, bytes]()
    for _ in range(6):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"begun\n"
            time.sleep(float(rng.uniform(0.02, 0.35)))
            child.send_signal(signal.SIGKILL)
            child.communicate()
            kills += child.returncode == -signal.SIGKILL
        files = finished_episodes(folder).values() if folder.exists() else ()
        for file in files:
            assert kept.setdefault(file.name, file.read_bytes()) == file.read_bytes()
        assert set(kept) == {file.name for file in files}
    assert kills >= 2

    policy = make_policy("random")
    resumed = run(ID, policy, episodes=EPISODES, out=folder, resume=True)
    uninterrupted = run(ID, policy, episodes=EPISODES, out=whole)
    assert resumed.figures() == uninterrupted.figures()
    for name in ("run.json", "table.json"):
        assert json.loads((folder / name).read_text()) == json.loads(
            (whole / name).read_text()
        )
    for number, file in finished_episodes(whole).items():
        assert finished_episodes(folder)[number].read_bytes() == file.read_bytes()
    assert verify(folder).episodes == EPISODES
