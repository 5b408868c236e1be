"""Map files in TOML: the package's own format, described in `docs/map_format.md`.

A reader checks form: types, keys, letters, cells.  Whether the map makes sense is
asked afterwards, by `mt_gym.engine.problems`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mt_gym.engine.formats.fields import Fields, listed
from mt_gym.engine.formats.toml_kinds import SECTIONS, read_kinds
from mt_gym.engine.formats.toml_rows import ROW_KEYS, read_row
from mt_gym.engine.formats.toml_write import dumps
from mt_gym.engine.kinds import (
    GROUND,
    RESOURCES,
    START,
    VERBS,
    WALL,
    Certificate,
    Floor,
    Goal,
    Hidden,
    Placement,
    Script,
    Settings,
    Spot,
    TowerData,
)
from mt_gym.errors import MapError

__all__ = ["dumps", "load", "loads"]

TOP_KEYS: Final = (
    "name",
    "title",
    "about",
    "floor_files",
    "hero",
    "settings",
    "goal",
    *SECTIONS,
    "order",
    "scripts",
    "portals",
    "floors",
    "certificate",
)
GOALS: Final = ("defeat", "reach", "take", "script")
FLOOR_KEYS: Final = ("id", "title", "about", "map", "legend", "hidden")
PLACE_KEYS: Final = ("is", "stairs", "to", "direction", "one_way")
SCRIPT_KEYS: Final = ("name", "at", "verb", *ROW_KEYS)
SETTINGS_KEYS: Final = ("max_turns", "lookahead_depth", "rule4_share")
CERTIFICATE_KEYS: Final = (
    "optimum",
    "status",
    "bound",
    "assisted_optimum",
    "method",
    "profile",
    "route",
)

_TARGET = re.compile(r"[^:]+(:\d+,\d+)?")
_SYNTAX = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.DOTALL)


def load(path: Path | str) -> TowerData:
    """Read a map file and the floor files that it names.

    Raises:
        MapError: the file, or a floor file, is not a map.
    """
    path = Path(path)
    return loads(read_text(path), str(path), lambda name: read_text(path.parent / name))


def read_text(path: Path) -> str:
    """The text of a file, with or without a mark; else it is a `MapError`."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise MapError(error.strerror or str(error), str(path)) from error
    except UnicodeDecodeError as error:
        raise MapError(f"not UTF-8: {error.reason}", str(path)) from error


def loads(
    text: str,
    path: str = "<text>",
    read: Callable[[str], str] | None = None,
) -> TowerData:
    """Read a map from its text.

    Args:
        text: the TOML text.
        path: its name in messages.
        read: returns the text of a floor file; without it, `floor_files` is
            refused.

    Raises:
        MapError: the text is not a map.
    """
    top = Fields(_parse(text, path), "", path, TOP_KEYS)
    floor_tables = _floor_tables(top, read)
    if len(floor_tables) == 1:
        top.floor = floor_tables[0].text("id")
    floors = tuple(_floor(table) for table in floor_tables)
    _check_start(floors, path)
    for key in ("hero", "goal"):
        if key not in top:
            raise top.error(f"[{key}] is missing")
    hero = top.table("hero", RESOURCES)
    hero.integer("hp")
    return TowerData(
        name=top.text("name"),
        hero=hero.resources(),
        floors=floors,
        goal=_goal(top.table("goal", (*GOALS, "at", "text"))),
        kinds=read_kinds(top),
        scripts=tuple(_script(fields) for fields in top.tables("scripts", SCRIPT_KEYS)),
        portals=_portals(top),
        settings=_settings(top.table("settings", SETTINGS_KEYS)),
        title=top.text("title", ""),
        about=top.text("about", ""),
        certificate=(
            _certificate(top.table("certificate", CERTIFICATE_KEYS))
            if "certificate" in top
            else None
        ),
    )


def _parse(text: str, path: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        match = _SYNTAX.fullmatch(message)
        if match is None:
            line = text.count("\n") + 1
            message = message.removesuffix(" (at end of document)")
            raise MapError(f"{message}, at the end of the text", path, line) from error
        raise MapError(match[1], path, int(match[2]), int(match[3])) from error
    except (ValueError, RecursionError) as error:
        raise MapError(f"a value that is no TOML: {error}", path) from error


# -- floors --------------------------------------------------------------------


def _floor_tables(top: Fields, read: Callable[[str], str] | None) -> list[Fields]:
    tables = []
    for name in top.texts("floor_files"):
        if read is None:
            raise top.error("'floor_files' needs a map that is read from a file")
        tables.append(Fields(_parse(read(name), name), "", name, FLOOR_KEYS))
    tables += top.tables("floors", FLOOR_KEYS)
    if not tables:
        raise top.error("there is no floor: [[floors]] or 'floor_files' is expected")
    return tables


def _floor(table: Fields) -> Floor:
    fid = table.text("id")
    table.place = f"floor {fid!r}"
    table.floor = fid
    legend = _legend(table)
    rows = tuple(line.strip() for line in table.text("map").strip().splitlines())
    _check_drawing(rows, legend, table)
    return Floor(
        id=fid,
        rows=rows,
        legend=tuple(legend.items()),
        title=table.text("title", ""),
        hidden=tuple(
            Hidden(fields.spot("at"), _placement(fields))
            for fields in table.tables("hidden", ("at", *PLACE_KEYS))
        ),
        about=table.text("about", ""),
    )


def _legend(table: Fields) -> dict[str, Placement]:
    section = table.table("legend", None)
    legend = {}
    for letter, value in section.values.items():
        if len(letter) != 1 or letter.isspace() or letter in (WALL, GROUND, START):
            raise section.error(
                f"{letter!r} cannot be a letter: one character is expected, other "
                f"than space, {WALL!r} (wall), {GROUND!r} (floor), {START!r} (start)"
            )
        if isinstance(value, str):
            legend[letter] = Placement(value)
        else:
            place = f"{section.place}, letter {letter!r}"
            legend[letter] = _placement(Fields(value, place, table.path, PLACE_KEYS))
    return legend


def _placement(fields: Fields) -> Placement:
    if ("is" in fields) == ("stairs" in fields):
        raise fields.error("exactly one of 'is' (a kind) and 'stairs' is expected")
    to = fields.text("to", "")
    if to and not _TARGET.fullmatch(to):
        raise fields.error(
            f"'to' must be a floor ('MT2') or one of its cells ('MT2:5,1'), not {to!r}"
        )
    direction = fields.text("stairs" if "stairs" in fields else "direction", "")
    if "stairs" in fields:
        if direction not in ("up", "down"):
            raise fields.error(f"'stairs' must be 'up' or 'down', not {direction!r}")
        if "direction" in fields:
            raise fields.error("'direction' says what 'stairs' has said")
        kind = f"Stairs {direction.title()}"
    else:
        kind = fields.text("is")
    return Placement(kind, to, direction, fields.truth("one_way", False))


def _check_drawing(
    rows: tuple[str, ...], legend: dict[str, Placement], table: Fields
) -> None:
    where = f" on floor {table.floor!r}"
    if not rows or not rows[0]:
        raise table.error("'map' is empty")
    known = {WALL, GROUND, START, *legend}
    for y, row in enumerate(rows, 1):
        for x, letter in enumerate(row, 1):
            if letter not in known:
                raise MapError(
                    f"unknown letter {letter!r}{where} (allowed: "
                    f"{WALL!r} wall, {GROUND!r} floor, {START!r} start, and of the "
                    f"legend {listed(repr(letter) for letter in legend)})",
                    table.path,
                    y,
                    x,
                    unit="row",
                )
        if len(row) != len(rows[0]):
            raise MapError(
                f"{len(row)} cells{where}, but row 1 has {len(rows[0])}",
                table.path,
                y,
                min(len(row), len(rows[0])) + 1,
                unit="row",
            )


def _check_start(floors: tuple[Floor, ...], path: str) -> None:
    starts = [
        Spot(floor.id, x, y)
        for floor in floors
        for y, row in enumerate(floor.rows)
        for x, letter in enumerate(row)
        if letter == START
    ]
    if not starts:
        raise MapError(f"no floor has the start {START!r}; one is expected", path)
    if len(starts) > 1:
        spot = starts[1]
        raise MapError(
            f"a second start {START!r} on floor {spot.floor!r}; the first is at "
            f"{starts[0]}",
            path,
            spot.y + 1,
            spot.x + 1,
            unit="row",
        )


# -- the rest --------------------------------------------------------------------


def _goal(fields: Fields) -> Goal:
    named = [key for key in GOALS if key in fields]
    if len(named) != 1:
        raise fields.error(
            f"exactly one of {listed(GOALS)} is expected, found {listed(named)}"
        )
    (key,) = named
    if key in ("reach", "script") and fields.values[key] is True:
        name = ""
    elif key == "script":
        raise fields.error("'script' can only be true")
    else:
        name = fields.text(key)
    return Goal(
        key,
        name,
        at=fields.spot("at") if "at" in fields else None,
        text=fields.text("text", ""),
    )


def _script(fields: Fields) -> Script:
    verb = fields.text("verb", "pass")
    if verb not in VERBS:
        raise fields.error(f"unknown verb {verb!r} (allowed: {listed(VERBS)})")
    return Script(
        read_row(fields, verb),
        at=fields.spot("at") if "at" in fields else None,
        name=fields.text("name", ""),
    )


def _portals(top: Fields) -> tuple[tuple[Spot, Spot], ...]:
    found = []
    for pair in top.items("portals"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise top.error("'portals' must be a list of pairs of cells")
        for end in pair:
            if not isinstance(end, str):
                raise top.error(f"'portals' must be pairs of cells, not {end!r}")
        one, two = (top.parse_spot(end, "portals") for end in pair)
        found.append((one, two))
    return tuple(found)


def _settings(fields: Fields) -> Settings:
    usual = Settings()
    return Settings(
        max_turns=fields.integer("max_turns", usual.max_turns),
        lookahead_depth=fields.integer("lookahead_depth", usual.lookahead_depth),
        rule4_share=fields.ratio("rule4_share") or usual.rule4_share,
    )


def _certificate(fields: Fields) -> Certificate:
    status = fields.text("status", "optimal")
    if status not in ("optimal", "bounded"):
        raise fields.error(f"'status' must be 'optimal' or 'bounded', not {status!r}")
    return Certificate(
        optimum=fields.integer("optimum"),
        route=fields.texts("route"),
        status=status,
        bound=fields.optional_integer("bound"),
        assisted_optimum=fields.optional_integer("assisted_optimum"),
        method=fields.text("method", ""),
        profile=_profile(fields),
    )


def _profile(fields: Fields) -> tuple[tuple[str, int], ...]:
    if "profile" not in fields:
        return ()
    figures = fields.table("profile", None)
    return tuple((name, figures.integer(name)) for name in figures.values)
