"""The bank as a file: its maps, then one line for each decision.

Reading checks whatever needs no search; `check_values` also searches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from mt_gym.engine.load import loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.generator.bank import SAMPLERS, BankDecision, judged

FORMAT: Final = 1

_KEYS: Final = {
    "bank": ("row", "format"),
    "floor": ("row", "floor", "digest", "map"),
    "decision": (
        "row",
        "number",
        "floor",
        "turn",
        "sampler",
        "stratum",
        "value",
        "values",
        "state",
    ),
}
"""What a line of each sort holds."""


def write_bank(bank: Sequence[BankDecision], file: str | Path) -> None:
    """Write a bank: a line for each floor, then one for each decision."""
    towers = {one.tower.name: one.tower for one in bank}
    rows: list[dict[str, Any]] = [{"row": "bank", "format": FORMAT}]
    rows += [
        {"row": "floor", "floor": name, "digest": t.digest, "map": t.to_toml()}
        for name, t in towers.items()
    ]
    for number, one in enumerate(bank, start=1):
        actions = one.tower.actions
        rows.append(
            {
                "row": "decision",
                "number": number,
                "floor": one.tower.name,
                "turn": one.turn,
                "sampler": one.sampler,
                "stratum": one.stratum,
                "value": one.value,
                "values": {actions[i].text: hp for i, hp in one.values.items()},
                "state": json.loads(one.state.to_json()),
            }
        )
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    Path(file).write_text(text, encoding="utf-8")


def read_bank(file: str | Path) -> list[BankDecision]:
    """The decisions of a file.

    Raises:
        MtGymError: no file, or a line that is not what `write_bank` writes.
    """
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MtGymError(f"the bank {str(file)!r} cannot be read: {error}") from error
    reader = _Reader()
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        try:
            reader.take(line, first=number == 1)
        except RecursionError as error:
            raise MtGymError(f"{str(file)!r}, line {number}: too deep") from error
        except (MtGymError, ValueError) as error:
            raise MtGymError(f"{str(file)!r}, line {number}: {error}") from error
    if not reader.bank:
        raise MtGymError(f"{str(file)!r} holds no decision")
    return reader.bank


def check_values(
    bank: Sequence[BankDecision],
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Search for every value again.

    Args:
        progress: called with decisions done and to be done.

    Raises:
        MtGymError: a value is another one, with the number of the decision.
    """
    for number, one in enumerate(bank, start=1):
        found = judged(one.tower, one.state, one.turn, one.sampler)
        if found != one:
            raise MtGymError(
                f"decision {number}, on {one.tower.name!r}: "
                + ("it cannot be valued" if found is None else _difference(one, found))
            )
        if progress is not None:
            progress(number, len(bank))


def _difference(one: BankDecision, found: BankDecision) -> str:
    if one.value != found.value:
        return f"the state is worth {found.value} HP, not {one.value}"
    index = next(i for i, hp in one.values.items() if found.values[i] != hp)
    text = one.tower.actions[index].text
    return (
        f"{text!r} is worth {_words(found.values[index])}, not "
        f"{_words(one.values[index])}"
    )


def _words(hp: int | None) -> str:
    return "nothing" if hp is None else f"{hp} HP"


class _Reader:
    """Takes line after line; `MtGymError` and `ValueError` say what is wrong."""

    def __init__(self) -> None:
        self.towers: dict[str, Tower] = {}
        self.bank: list[BankDecision] = []
        self._seen: set[State] = set()

    def take(self, line: str, first: bool) -> None:
        row = json.loads(line)
        kind = row.get("row") if isinstance(row, dict) else None
        if first and kind != "bank":
            raise MtGymError("no bank begins here: a first line of row 'bank' is due")
        if kind not in ("floor", "decision") and not first:
            raise MtGymError(f"a row 'floor' or 'decision' is due, not {kind!r}")
        keys = _KEYS[str(kind)]
        if sorted(row) != sorted(keys):
            raise MtGymError(f"a row {kind!r} holds {', '.join(keys)}")
        if first:
            if _integer(row, "format", 0) != FORMAT:
                raise MtGymError(f"no bank of format {FORMAT}")
        elif kind == "floor":
            self._floor(row)
        else:
            self.bank.append(self._decision(row))

    def _floor(self, row: dict[str, Any]) -> None:
        if not isinstance(row["floor"], str) or row["floor"] in self.towers:
            raise MtGymError(f"the floor {row['floor']!r} once more")
        if not isinstance(row["map"], str):
            raise MtGymError("the map must be a text")
        tower = loads(row["map"])
        if (tower.name, tower.digest) != (row["floor"], row["digest"]):
            raise MtGymError(
                f"the map is {tower.name!r} ({tower.digest}), not {row['floor']!r} "
                f"({row['digest']})"
            )
        self.towers[tower.name] = tower

    def _decision(self, row: dict[str, Any]) -> BankDecision:
        tower = self.towers.get(str(row["floor"]))
        if tower is None:
            raise MtGymError(f"there is no floor {row['floor']!r} above")
        if _integer(row, "number", 1) != len(self.bank) + 1:
            raise MtGymError(f"decision {len(self.bank) + 1} is due, not another")
        if row["sampler"] not in SAMPLERS:
            raise MtGymError(f"the sampler is one of {', '.join(SAMPLERS)}")
        state = State.from_json(json.dumps(row["state"]))
        tower.check(state)
        if state in self._seen:
            raise MtGymError("the same decision once more")
        self._seen.add(state)
        turn, value = _integer(row, "turn", 0), _integer(row, "value", 1)
        worths = _worths(tower, state, row["values"])
        if max(hp or 0 for hp in worths.values()) != value:
            raise MtGymError("the state is not worth what its best action is")
        one = BankDecision(tower, state, turn, row["sampler"], value, worths)
        if row["stratum"] != one.stratum:
            raise MtGymError(f"the stratum is {one.stratum}, not {row['stratum']}")
        return one


def _integer(row: dict[str, Any], key: str, least: int) -> int:
    value = row[key]
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise MtGymError(f"{key!r} must be an integer >= {least}, not {value!r}")
    return value


def _worths(tower: Tower, state: State, said: Any) -> dict[int, int | None]:
    """The values by action index; what wins leaves 1 HP at least."""
    if not isinstance(said, dict):
        raise MtGymError("the values must be an object of HP by action")
    for text, hp in said.items():
        if hp is not None:
            _integer({text: hp}, text, 1)
    found = {tower.action(text).index: hp for text, hp in said.items()}
    if set(found) != {action.index for action in tower.legal_actions(state)}:
        raise MtGymError("the valued actions are not the legal ones")
    return found


__all__ = ["FORMAT", "check_values", "read_bank", "write_bank"]
