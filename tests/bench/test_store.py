"""The call store: there and back, offline, shared, and what is refused."""

import sqlite3
import threading
from pathlib import Path

import pytest

from mt_gym.bench import SqliteCallStore
from mt_gym.errors import EndpointError, MtGymError

CALL = {"request": {"body": {"model": "m"}}, "reply": {"choices": ["→ ✓"]}}


def test_call_comes_back_also_from_another_process_opening(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteCallStore(path) as store:
        assert store.get("a") is None
        store.put("a", CALL)
    with SqliteCallStore(path) as store:
        assert store.get("a") == CALL
        assert len(store) == 1


def test_first_answer_of_a_key_stays(tmp_path: Path) -> None:
    with SqliteCallStore(tmp_path / "calls.db") as store:
        store.put("a", CALL)
        store.put("a", {"reply": {}})
        assert store.get("a") == CALL


def test_two_stores_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteCallStore(path) as one, SqliteCallStore(path) as other:
        one.put("a", CALL)
        assert other.get("a") == CALL


def test_store_works_in_another_thread(tmp_path: Path) -> None:
    with SqliteCallStore(tmp_path / "calls.db") as store:
        thread = threading.Thread(target=store.put, args=("a", CALL))
        thread.start()
        thread.join()
        assert store.get("a") == CALL


def test_offline_store_asks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with pytest.raises(MtGymError, match="there is no call store"):
        SqliteCallStore(path, offline=True)
    SqliteCallStore(path).close()
    store = SqliteCallStore(path, offline=True)
    with pytest.raises(EndpointError, match="holds no answer to this request"):
        store.get("a")
    store.close()


def test_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    path.write_text("not a database, but long enough to be read as one" * 9)
    with pytest.raises(MtGymError, match="cannot be used: file is not a database"):
        SqliteCallStore(path)


def test_another_database_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE mine (x)")
    base.commit()
    base.close()
    with pytest.raises(MtGymError, match="is no call store of this version"):
        SqliteCallStore(path)
    base = sqlite3.connect(path)
    assert [row[0] for row in base.execute("SELECT name FROM sqlite_master")] == [
        "mine"
    ]
    base.close()


def test_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MtGymError, match="cannot be used: unable to open"):
        SqliteCallStore(tmp_path)
