"""Run folders: what is kept, what is played again, and what is refused."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mt_gym
from mt_gym.agents import make_policy
from mt_gym.bench import Budget, run, verify
from mt_gym.bench.log import failed_episodes, finished_episodes
from mt_gym.bench.read import Run, read_episode
from mt_gym.errors import EndpointError, MtGymError, StateMismatch
from tests.bench.players import ID, Breaking, failure, silence


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("episode-*"))


def test_server_failure_is_no_score_and_is_played_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    policy = Breaking({1: failure()})
    first = run(ID, policy, episodes=3, out=folder)
    assert [one.outcome for one in first.episodes][1] == "infra_error"
    assert first.episodes[1].goal_score is None
    assert first.episodes[1].error == "the server is down"
    assert first.figures()["episodes"] == 2
    assert first.unfinished == 1
    assert "not finished      1 (in no rate above)" in first.table()
    kept = {n: (folder / n).read_bytes() for n in names(folder)}
    assert list(failed_episodes(folder)) == [2]

    policy.errors.clear()
    again = run(ID, policy, episodes=3, out=folder, resume=True)
    whole = run(ID, policy, episodes=3)
    assert again.figures() == whole.figures()
    assert again.unfinished == 0
    assert {n: (folder / n).read_bytes() for n in kept} == kept
    assert list(finished_episodes(folder)) == [1, 2, 3]


def test_no_answer_is_a_failure_and_is_not_played_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    policy = Breaking({0: silence()})
    first = run(ID, policy, episodes=2, out=folder)
    one = first.episodes[0]
    assert (one.outcome, one.decisions, one.format_errors) == ("no_answer", 3, 1)
    assert one.goal_score is not None and 0 <= one.goal_score <= 0.35
    assert first.figures()["episodes"] == 2
    policy.errors.clear()
    again = run(ID, policy, episodes=2, out=folder, resume=True)
    assert again.episodes[0].outcome == "no_answer"
    assert verify(folder).episodes == 2


def test_each_failed_attempt_keeps_its_log(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    policy = Breaking({1: failure()})
    for resume in (False, True, True):
        run(ID, policy, episodes=2, out=folder, resume=resume)
    assert names(folder) == [
        "episode-00001.jsonl",
        "episode-00002.failed-1.jsonl",
        "episode-00002.failed-2.jsonl",
        "episode-00002.failed-3.jsonl",
    ]
    assert verify(folder).failed == 1


def test_refused_first_request_ends_the_run_with_its_error(tmp_path: Path) -> None:
    class Refused(Breaking):
        def new_episode(self, env: Any, seed: int) -> Any:
            class Player:
                def act(self, observation: Any, info: dict[str, Any]) -> Any:
                    raise EndpointError("the key is refused", 401)

            return Player()

    folder = tmp_path / "run"
    with pytest.raises(EndpointError, match="the key is refused"):
        run(ID, Refused({}), episodes=5, out=folder)
    assert names(folder) == ["episode-00001.failed-1.jsonl"]


def test_resumed_run_of_nothing_is_a_new_one(tmp_path: Path) -> None:
    result = run(ID, make_policy("random"), out=tmp_path / "run", resume=True)
    assert result.unfinished == 0
    with pytest.raises(MtGymError, match="nothing to resume without a folder"):
        run(ID, make_policy("random"), resume=True)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"episodes": 3}, "episodes differs: it was begun with 2, now it is 3"),
        ({"seed": 1}, "seed differs"),
        ({"settings": {"max_turns": 9}}, "environment.kwargs.max_turns differs"),
        ({"policy": "witness"}, "policy differs: it was begun with 'random'"),
        ({"labels": {"condition": "x"}}, "condition differs"),
    ],
)
def test_run_of_other_settings_is_not_resumed(
    change: dict[str, Any], what: str, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    run(ID, make_policy("random"), episodes=2, out=folder)
    given: dict[str, Any] = {"policy": "random", "episodes": 2, **change}
    policy = make_policy(given.pop("policy"))
    with pytest.raises(MtGymError, match=rf"cannot be resumed.*{what}"):
        run(ID, policy, out=folder, resume=True, **given)


def test_folder_in_use_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def again(row: dict[str, Any]) -> None:
        if row["row"] == "end":
            for resume in (True, False):
                with pytest.raises(MtGymError, match=r"is in use by another run"):
                    run(ID, make_policy("random"), out=folder, resume=resume)

    assert run(ID, make_policy("random"), out=folder, watch=again).unfinished == 0


def test_label_that_was_used_is_refused_without_resume(tmp_path: Path) -> None:
    run(ID, make_policy("random"), out=tmp_path)
    with pytest.raises(MtGymError, match=r"not empty and is never overwritten.*--res"):
        run(ID, make_policy("random"), out=tmp_path)


def test_policy_without_a_model_takes_no_budget() -> None:
    with pytest.raises(MtGymError, match="'random' asks no model"):
        run(ID, make_policy("random"), budget=Budget(calls=1))


def test_another_tower_of_the_same_name_is_refused(tmp_path: Path) -> None:
    floor, folder = tmp_path / "mine.toml", tmp_path / "run"
    text = mt_gym.load("simple").to_toml()
    floor.write_text(text[: text.index("[certificate]")], encoding="utf-8")
    settings = {"tower": str(floor)}
    run("MagicTower-v0", make_policy("random"), settings=settings, out=folder)
    floor.write_text(floor.read_text().replace("hp = 470", "hp = 471"))
    with pytest.raises(StateMismatch, match=r"another tower.*the map has changed"):
        verify(folder)
    with pytest.raises(StateMismatch, match="another tower"):
        _ = Run.of(folder).tower
    with pytest.raises(MtGymError, match="cannot be resumed, digest differs"):
        run(
            "MagicTower-v0",
            make_policy("random"),
            settings=settings,
            out=folder,
            resume=True,
        )


def test_path_of_a_map_is_stored_from_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(mt_gym.load("simple").to_toml(), encoding="utf-8")
    settings = {"tower": "mine.toml"}
    run("MagicTower-v0", make_policy("random"), settings=settings, out="run")
    monkeypatch.chdir("/")
    assert verify(tmp_path / "run").episodes == 1


def test_run_says_everything_that_it_depends_on(tmp_path: Path) -> None:
    run(ID, make_policy("random"), episodes=2, seed=7, out=tmp_path / "run")
    about = json.loads((tmp_path / "run" / "run.json").read_text())
    assert about["environment"]["id"] == ID
    assert (about["episodes"], about["seed"]) == (2, 7)
    assert about["digest"] == mt_gym.load("simple").digest
    assert set(about["versions"]) == {"python", "gymnasium", "mt-gym", "numpy"}
    assert len(about["identity"]) == len(about["first_observation"]) == 32


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text[:-40], "line [0-9]+: no JSON"),
        (lambda text: text.rsplit("\n", 2)[0] + "\n", "the episode is cut"),
        (lambda text: text.replace('"format": 1', '"format": 9'), "log format 9"),
        (lambda text: text.replace('"row": "step"', '"row": "stop"', 1), "'row'"),
    ],
)
def test_log_that_is_cut_or_of_another_version_is_refused(
    spoil: Any, message: str, tmp_path: Path
) -> None:
    run(ID, make_policy("random"), out=tmp_path)
    file = tmp_path / "episode-00001.jsonl"
    file.write_text(spoil(file.read_text()))
    for use in (lambda: verify(tmp_path), lambda: read_episode(file)):
        with pytest.raises(MtGymError, match=message):
            use()
    with pytest.raises(MtGymError, match=message):
        run(ID, make_policy("random"), out=tmp_path, resume=True)


def test_torn_end_of_the_texts_is_mended_on_resume(tmp_path: Path) -> None:
    run(ID, make_policy("random"), episodes=2, out=tmp_path)
    texts = tmp_path / "texts.jsonl"
    whole = texts.read_bytes()
    texts.write_bytes(whole + b'{"text": "abc", "z": "eJ')
    assert verify(tmp_path).episodes == 2
    run(ID, make_policy("random"), episodes=2, out=tmp_path, resume=True)
    assert texts.read_bytes() == whole


def test_missing_or_changed_text_is_named(tmp_path: Path) -> None:
    run(ID, make_policy("random"), out=tmp_path)
    texts = tmp_path / "texts.jsonl"
    lines = texts.read_text().splitlines(keepends=True)
    texts.write_text("".join(lines[1:]))
    with pytest.raises(MtGymError, match=r"the text '\w+' is not in texts.jsonl"):
        verify(tmp_path)
    first, second = (json.loads(line) for line in lines[:2])
    forged = json.dumps({"text": first["text"], "z": second["z"]}) + "\n"
    texts.write_text(forged + "".join(lines[1:]))
    with pytest.raises(MtGymError, match="line 1: the text was changed"):
        verify(tmp_path)


FULL_DISK = """
import resource, sys
from mt_gym.agents import make_policy
from mt_gym.bench import run
from mt_gym.errors import MtGymError

def limit(row):
    if row["row"] == "end" and row["episode"] == 2:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, -1))

try:
    run("MagicTower-simple-v0", make_policy("random"), episodes=9, out=sys.argv[1],
        watch=limit)
except MtGymError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of file sizes")
def test_full_disk_is_one_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(folder)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "the run folder cannot be written: File too large" in done.stdout
    assert list(finished_episodes(folder)) == [1, 2]
    again = run(ID, make_policy("random"), episodes=9, out=folder, resume=True)
    assert again.figures() == run(ID, make_policy("random"), episodes=9).figures()
    assert verify(folder).episodes == 9


def test_folder_that_was_stopped_before_it_began_is_used(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(ID, make_policy("random"), out=folder)
    text = (folder / "run.json").read_text()
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / ".lock").touch()
    (folder / "run.json.new").write_text(text[:50])
    assert run(ID, make_policy("random"), out=folder).unfinished == 0


def test_interrupted_resumption_leaves_no_table_of_before(tmp_path: Path) -> None:
    policy = Breaking({1: failure()})
    run(ID, policy, episodes=3, out=tmp_path)
    assert verify(tmp_path).table

    def interrupt(row: dict[str, Any]) -> None:
        if row["row"] == "end":
            raise KeyboardInterrupt

    policy.errors.clear()
    with pytest.raises(KeyboardInterrupt):
        run(ID, policy, episodes=3, out=tmp_path, resume=True, watch=interrupt)
    found = verify(tmp_path)
    assert (found.episodes, found.table) == (3, False)
    run(ID, policy, episodes=3, out=tmp_path, resume=True)
    assert verify(tmp_path).table
