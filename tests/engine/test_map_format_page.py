"""`docs/map_format.md` says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from mt_gym.engine.formats import toml, toml_kinds, toml_rows
from mt_gym.engine.kinds import BUILT_IN, RESOURCES
from mt_gym.engine.load import loads
from mt_gym.engine.problems import DEFECTS

PAGE = (Path(__file__).parents[2] / "docs" / "map_format.md").read_text()


def test_page_lists_every_defect_with_its_meaning() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", PAGE.split("## Defects")[1], re.M)
    assert dict(rows) == DEFECTS


def test_page_names_every_key_and_built_in_kind() -> None:
    keys = {
        *toml.TOP_KEYS,
        *toml.FLOOR_KEYS,
        *toml.GOALS,
        *toml.SETTINGS_KEYS,
        *toml.CERTIFICATE_KEYS,
        *toml_kinds.MONSTER_KEYS,
        *toml_kinds.ITEM_KEYS,
        *toml_kinds.SHOP_KEYS,
        *toml_kinds.THING_KEYS,
        *toml_rows.FULL_ROW_KEYS,
        *toml_rows.NEEDS_KEYS,
        *toml_rows.SINGLE_EFFECTS,
        *RESOURCES,
        *(kind.name for kind in BUILT_IN),
    }
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", PAGE)] == []


def test_first_example_is_a_sound_map_and_the_others_are_toml() -> None:
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    head = blocks[0].replace('"Red Gem"', '"Green Gem"')
    assert loads(head).problems() == []
    kinds = [block for block in blocks[1:] if "floors" not in block]
    assert kinds
    for block in kinds:
        text = head
        if "[monsters]" in block or "[items]" in block:
            section = block.split("\n")[0]
            text = head.replace(section, block.strip(), 1)
        else:
            text = head.replace("[[floors]]", block + "\n[[floors]]", 1)
        names = {kind.name for kind in loads(text).data.kinds}
        assert names >= {"Guard", "Warden"}
