"""Values as TOML text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

Table = dict[str, Any]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDTH = 88


def toml_key(name: str) -> str:
    """A key, quoted where it must be."""
    return name if _BARE.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    """A basic string; JSON's escapes are a subset of TOML's but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml_key(k)} = {_value(v)}" for k, v in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, Iterable):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise TypeError(f"no TOML value: {value!r}")


def _line(key: str, value: object) -> str:
    """`key = value`; a list that is too long for a line gets one line an entry."""
    line = f"{toml_key(key)} = {_value(value)}"
    if isinstance(value, list) and len(line) > _WIDTH and value:
        inner = "".join(f"    {_value(item)},\n" for item in value)
        return f"{toml_key(key)} = [\n{inner}]"
    return line


def lines(table: Table) -> list[str]:
    """A table as `key = value` lines."""
    return [_line(key, value) for key, value in table.items()]


def drawing(rows: tuple[str, ...]) -> str:
    """A floor's rows as a string of several lines."""
    return '"""\n' + "".join(f"{_string(row)[1:-1]}\n" for row in rows) + '"""'
