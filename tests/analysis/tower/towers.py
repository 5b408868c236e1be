"""Small towers, each around one line of the tower observation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mt_gym.analysis import Options
from mt_gym.engine.load import loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.observation import render
from mt_gym.observation.annotations import ALL
from mt_gym.play.choices import choices
from mt_gym.play.episode import Moment, begin
from mt_gym.play.settings import PlaySettings

KINDS = """
[settings]
max_turns = 5000
lookahead_depth = 2
rule4_share = [3, 5]

[monsters]
"Green Slime" = { hp = 50, atk = 20, def = 1, gold = 1, exp = 1 }
"Red Slime" = { hp = 70, atk = 15, def = 2, gold = 2, exp = 2 }
"Junior Mage" = { hp = 125, atk = 50, def = 25, gold = 10, exp = 7 }
"Big Bat" = { hp = 150, atk = 65, def = 30, gold = 10, exp = 8 }
"Beastman" = { hp = 300, atk = 75, def = 45, gold = 13, exp = 10 }
"Skeleton Captain" = { hp = 400, atk = 90, def = 50, gold = 15, exp = 12 }
"Rock Man" = { hp = 500, atk = 115, def = 65, gold = 15, exp = 15 }
"Brown-robe Mage" = { hp = 250, atk = 120, def = 70, gold = 20, exp = 17, fixed = 100 }
"Red Bat" = { hp = 550, atk = 160, def = 90, gold = 25, exp = 20 }
"White Warrior" = { hp = 1300, atk = 300, def = 150, gold = 40, vampire = [1, 4] }
"Demon King" = { hp = 9000, atk = 900, def = 900, boss = true }

[items]
"Red Gem" = { atk = 3 }
"Blue Gem" = { def = 3 }
"Red Potion" = { hp = 200 }
"Yellow Key" = { yellow = 1 }
"Blue Key" = { blue = 1 }
"Iron Shield" = { def = 10, category = "shield" }
"Key Box" = { yellow = 1, blue = 1, red = 1 }
"Cross" = { category = "quest", carried = true }
"Ice Pickaxe" = { category = "quest", carried = true }
"Holy Water" = { scale = { hp = [2, 1] } }

[shops."gold shop"]
price = { gold = 25 }
offers = [{ hp = 800 }, { atk = 4 }, { def = 4 }]

[shops."exp shop"]
offers = [
  { price = { exp = 100 }, level = 1, hp = 1000, atk = 7, def = 7 },
  { price = { exp = 30 }, atk = 5 },
  { price = { exp = 30 }, def = 5 },
]

[shops."great shop"]
price = { gold = 100 }
offers = [{ hp = 4000 }, { atk = 20 }, { def = 20 }]

[shops."key seller"]
offers = [
  { price = { gold = 10 }, yellow = 1 },
  { price = { gold = 100 }, red = 1 },
]

[shops."key buyer"]
offers = [{ price = { yellow = 1 }, gold = 7 }]

[trades."Magic Anvil"]
price = { exp = 500 }
gives = { atk = 120 }
"""

LEGEND = {
    "g": "Green Slime",
    "r": "Red Slime",
    "j": "Junior Mage",
    "b": "Big Bat",
    "B": "Beastman",
    "C": "Skeleton Captain",
    "R": "Rock Man",
    "m": "Brown-robe Mage",
    "t": "Red Bat",
    "W": "White Warrior",
    "Z": "Demon King",
    "a": "Red Gem",
    "d": "Blue Gem",
    "u": "Red Potion",
    "y": "Yellow Key",
    "l": "Blue Key",
    "(": "Iron Shield",
    "X": "Key Box",
    "+": "Cross",
    "/": "Ice Pickaxe",
    "w": "Holy Water",
    "1": "Yellow Door",
    "2": "Blue Door",
    "3": "Red Door",
    "=": "Gate",
    "I": "Iron Bars",
    "4": "gold shop",
    "5": "exp shop",
    "6": "great shop",
    "7": "key seller",
    "8": "key buyer",
    "9": "Magic Anvil",
    "F": "Fairy",
    "V": "Thief",
    "Q": "Smith",
}
"""What every letter of a small tower means; `<` and `>` are stairs."""


def tower(floors: Mapping[str, str], hero: str, more: str = "") -> Tower:
    """A tower of drawn floors, joined in their order; see `text`."""
    return loads(text(floors, hero, more))


def text(
    floors: Mapping[str, str],
    hero: str,
    more: str = "",
    letters: Mapping[str, str] | None = None,
) -> str:
    """The map file of a small tower.

    Args:
        floors: drawing by floor id; `@` on the first one.
        hero: the lines of `[hero]`.
        more: further tables, such as scripts and characters.
        letters: further letters of the legend.
    """
    legend = {**LEGEND, **(letters or {})}
    names = list(floors)
    parts = [f'name = "small"\n[hero]\n{hero}\n[goal]\ndefeat = "Demon King"\n{KINDS}']
    parts.append(more)
    for number, (name, drawing) in enumerate(floors.items()):
        parts.append(f'[[floors]]\nid = "{name}"\nmap = """\n{drawing.strip()}\n"""')
        parts.append("[floors.legend]")
        for letter in dict.fromkeys(drawing):
            if letter in legend:
                parts.append(f'"{letter}" = "{legend[letter]}"')
            elif letter == "<":
                to = names[number - 1]
                parts.append(f'"<" = {{ stairs = "down", to = "{to}" }}')
            elif letter == ">":
                to = names[number + 1]
                parts.append(f'">" = {{ stairs = "up", to = "{to}" }}')
        parts.append("")
    return "\n".join(parts)


HERO_X = "hp = 1000\natk = 60\ndef = 40\ngold = 60\nexp = 95\nyellow = 1"

FLOORS_X = {
    "MT3": """
#######
#@...>#
#.....#
#.....#
#.....#
#.....#
###4###
#######
""",
    "MT5": """
#######
#<...>#
##.5.##
#######
""",
    "MT6": """
#########
##B#b#j##
#.......#
#<.....>#
#.......#
##C#R####
#########
""",
    "MT8": """
#########
#...<...#
####.####
####1####
####.####
####.####
####.####
####C####
####.####
#>..C####
#########
""",
    "MT9": """
#####
#<.Z#
#####
""",
}
"""The floors of the hero of all examples: he stands on MT8."""


def hero_x() -> Tower:
    """The tower of the hero of all examples."""
    return tower(FLOORS_X, HERO_X)


def start(
    own: Tower, hero: Mapping[str, int] | None = None, assists: bool = True
) -> State:
    """Where an episode asks first, after the assists; then with other numbers."""
    settings = PlaySettings(Options.of(own))
    if not assists:
        settings = PlaySettings(Options.of(own), assists=frozenset(("stairs",)))
    moment: Moment
    moment, _ = begin(own, own.initial_state(), settings)
    state = moment.state
    return State(state.world, state.hero._replace(**(hero or {})))


def text_of(
    own: Tower,
    state: State,
    kind: str = "tower-final",
    annotations: frozenset[str] = ALL,
    used: int = 0,
) -> str:
    """What is read in a state."""
    one_floor = kind == "tower-1"
    settings = PlaySettings(Options.of(own), one_floor=one_floor)
    return render(
        own,
        state,
        options=settings.options,
        kind=kind,
        entries=choices(own, state, settings),
        used=used,
        annotations=annotations,
    )


def entry_lines(text: str, start_of: str) -> list[str]:
    """An action's header and the lines below it, by what its header holds."""
    lines: Sequence[str] = text.splitlines()
    first = next(i for i, line in enumerate(lines) if start_of in line)
    found = [lines[first]]
    for line in lines[first + 1 :]:
        if "→" not in line[:10]:
            break
        found.append(line)
    return found


GIFTS = """
[characters.Fairy]
[[characters.Fairy.talks]]
gives = { yellow = 1, blue = 1, red = 1 }
[[characters.Fairy.talks]]
needs = { flags = ["Cross"] }
scale = { hp = [4, 3], atk = [4, 3], def = [4, 3] }
clears = ["Cross"]

[characters.Smith]
[[characters.Smith.talks]]
gives = { atk = 70 }
leaves = true
"""
"""Characters who give: for nothing, once and for ever, and for a carried thing."""

THIEF = """
[characters.Thief]
[[characters.Thief.talks]]
needs = { flags = ["Ice Pickaxe"] }
removes = ["MT18:3,1"]
"""


def shop_ahead() -> Tower:
    """A gold shop that is open, and an exp shop behind a door and a fight."""
    floors = {
        "MT3": "#####\n#@.>#\n#.4.#\n#####",
        "MT5": """
########
#<....>#
#####.##
#####.##
#####.##
#####.##
#####j##
#####1##
#####.##
#####5##
########
""",
        "MT6": "#####\n#<.Z#\n#####",
    }
    hero = "hp = 600\natk = 30\ndef = 22\ngold = 50\nexp = 70\nyellow = 1"
    return tower(floors, hero)


def thief() -> Tower:
    """The thief behind a Red Bat and a gate; the Ice Pickaxe behind a blue door."""
    floors = {
        "MT4": """
#######
#@....#
#.###.#
#.###.#
#.###.#
#.###.#
#..##.#
##t##.#
##=##.#
##V##>#
#######
""",
        "MT12": """
#######
#<...>#
####.##
####.##
####.##
####.##
####.##
####.##
####.##
####.##
#/..2##
#######
""",
        "MT17": "######\n#<.1>#\n######",
        "MT18": "######\n#<.I.#\n####Z#\n######",
    }
    return tower(floors, "hp = 5000\natk = 140\ndef = 119", THIEF)


def sealed(needed: int = 4) -> Tower:
    """The Cross behind bars; three guards behind blue doors, a fourth in the open."""
    floor = """
############
#@.>.....W##
#.##########
#..........#
#...#I#..#.#
##2##+##2#.#
##W#####W#.#
##########.#
#####2.....#
#####W######
############
"""
    script = f"""
[[scripts]]
name = "the seal breaks"
needs = {{ gone = ["MT7:9,1", "MT7:2,6", "MT7:8,6", "MT7:5,9"], count = {needed} }}
removes = ["MT7:5,4"]
"""
    floors = {"MT7": floor, "MT8": "#####\n#<.Z#\n#####"}
    return tower(floors, "hp = 2000\natk = 350\ndef = 300\nblue = 1", script)


def treasures() -> Tower:
    """A shield behind two fights and a door, a trade, a key box, gifts, the Cross."""
    floors = {
        "MT5": """
###########
#@>########
#.1j.r..(##
###########
""",
        "MT15": """
###########
#<..>.....#
#.#2#.#C#2#
#9#X#.#+#Q#
###########
""",
        "MT16": "#####\n#<.Z#\n#####",
    }
    hero = "hp = 700\natk = 60\ndef = 40\nexp = 320\nyellow = 1"
    return tower(floors, hero, GIFTS)


def keys() -> Tower:
    """Doors that are not on the way up, one with free fights behind, and shops."""
    floors = {
        "MT5": """
###########
#@...>....#
#.#7###.###
#1g.gr#.3.#
###########
""",
        "MT9": """
###########
#<........#
#########.#
#>.1....1.#
#########.#
#########8#
###########
""",
        "MT10": "#####\n#<.Z#\n#####",
    }
    return tower(floors, "hp = 900\natk = 30\ndef = 20\ngold = 60\nyellow = 2")
