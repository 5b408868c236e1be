"""What each transformation owes: the optimum, or its multiple, is the same."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mt_gym.engine import rescale
from mt_gym.engine.generate import SPECIALS, Recipe, random_tower
from mt_gym.engine.kinds import amounts
from mt_gym.engine.load import load, loads
from mt_gym.engine.tower import Tower
from mt_gym.engine.transform import TRANSFORMS, factor_of, parse, transformed
from mt_gym.errors import MtGymError
from mt_gym.solver import solve
from tests.engine.towers import NAMES as SMALL
from tests.engine.towers import tower as small

SAME = ("mirror", "rotate", "transpose", "rename:5", "permute:3")
HOLDS = {
    "rescale:3": ("solid", "magic", "hits", "first_strike", "purify", "fixed"),
    "restrike:3": (
        "vampire",
        "magic",
        "hits",
        "first_strike",
        "armour_break",
        "purify",
        "fixed",
    ),
}


def random(seed: int, specials: tuple[str, ...], hp: int) -> Tower:
    recipe = Recipe(
        gateways=8,
        shape="loose",
        specials=specials,
        plain=30,
        shop=seed % 2 == 0,
        growth=seed % 3,
        holy_water=seed % 2,
        floors=1 + seed % 2,
        goal=("defeat", "reach", "take")[seed % 3],
    )
    made = random_tower(np.random.default_rng(seed), recipe)
    numbers = dict(made.data.hero) | {"hp": hp}
    return Tower(replace(made.data, hero=amounts(numbers)))


def best(tower: Tower) -> int | None:
    solution = solve(tower)
    assert solution.status != "bounded"
    return solution.hp


@pytest.mark.parametrize("spec", SAME)
@settings(max_examples=12)
@given(seed=st.integers(0, 10_000), hp=st.integers(40, 300))
def test_the_optimum_stays_the_same(spec: str, seed: int, hp: int) -> None:
    tower = random(seed, SPECIALS, hp)
    assert best(transformed(tower, spec)) == best(tower)


@pytest.mark.parametrize("spec", HOLDS)
@settings(max_examples=12)
@given(seed=st.integers(0, 10_000), hp=st.integers(40, 300))
def test_rescaling_multiplies_the_optimum_by_its_factor(
    spec: str, seed: int, hp: int
) -> None:
    tower = random(seed, HOLDS[spec], hp)
    before = best(tower)
    after = best(transformed(tower, spec))
    assert after == (None if before is None else before * factor_of(spec))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("spec", [*SAME, "rescale:2", "restrike:2"])
def test_the_optimum_stays_the_same_with_every_kind_of_object(
    name: str, spec: str
) -> None:
    tower = small(name)
    try:
        twin = transformed(tower, spec)
    except MtGymError as error:
        assert "does not hold" in str(error)
        return
    assert twin.problems() == []
    before, after = best(tower), best(twin)
    assert after == (None if before is None else before * factor_of(spec))


BLOOD = """\
name = "blood"

[hero]
hp = 60
atk = 9
def = 2

[goal]
defeat = "Guard"

[monsters]
Guard = { hp = 20, atk = 14, def = 4, strengthened = [{ hp = 20, atk = 20, def = 4 }] }

[shops."Altar"]
price = { hp = 4 }
growth = 5
offers = [{ def = 2 }]

[[scripts]]
name = "the bars rise for who is hard enough"
needs = { def = 6 }
gives = { hp = 7 }
strengthens = ["Guard"]
removes = ["3,3"]

[[floors]]
id = "blood"
map = '''
#######
#A.@..#
#.....#
###I###
#..Z..#
#######
'''

[floors.legend]
A = "Altar"
I = "Iron Bars"
Z = "Guard"
"""


@pytest.mark.parametrize("factor", [1, 2, 7])
def test_prices_needs_and_scripts_are_rescaled_with_the_rest(factor: int) -> None:
    """An altar asks for HP and then for more; a script needs DEF and gives HP."""
    tower = loads(BLOOD)
    assert tower.problems() == []
    state = tower.initial_state()
    bought = [state.hero.hp]
    while (buy := tower.action("buy 1,1")) in tower.legal_actions(state):
        state = tower.step(state, buy)
        bought.append(state.hero.hp)
    assert bought == [60, 56, 54, 40, 21]  # prices 4, 9 less the script's 7, 14, 19
    twin = transformed(tower, f"rescale:{factor}")
    after = twin.initial_state()
    for hp in bought[1:]:
        after = twin.step(after, twin.action("buy 1,1"))
        assert after.hero.hp == factor * hp
    assert after.hero.defense == factor * state.hero.defense
    assert best(tower) is not None
    assert best(twin) == factor * (best(tower) or 0)


@pytest.mark.parametrize(
    ("spec", "ability"),
    [
        *(("rescale", a) for a in ("vampire", "counter", "armour_break", "mimic")),
        *(("restrike", a) for a in ("solid", "counter", "mimic")),
    ],
)
def test_what_breaks_the_equation_is_refused_with_its_reason(
    spec: str, ability: str
) -> None:
    tower = random_tower(np.random.default_rng(1), Recipe(specials=(ability,), plain=0))
    with pytest.raises(MtGymError, match=rf"does not hold on 'random'.*{ability}, and"):
        transformed(tower, spec)


@pytest.mark.parametrize(
    ("name", "spec"), [("hand05", "rescale"), ("hand06", "rescale")]
)
def test_what_is_refused_would_indeed_break_the_equation(
    name: str, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rescale, "_refuse", lambda data, side: None)
    tower = load(name)
    assert best(transformed(tower, f"{spec}:5")) != 5 * (best(tower) or 0)


def test_a_factor_of_one_changes_nothing_and_refuses_nothing() -> None:
    tower = load("hand06")
    assert transformed(tower, "rescale:1").data.kinds == tower.data.kinds


@pytest.mark.parametrize(
    "spec", ["mirror+mirror", "transpose+transpose", "rotate+rotate+rotate+rotate"]
)
def test_turning_back_gives_the_old_map(spec: str) -> None:
    tower = load("hand09")
    again = transformed(tower, spec)
    assert replace(again.data, name=tower.name) == tower.data


def test_a_rotation_is_a_transposition_and_a_mirror() -> None:
    tower = load("hand09")
    one, two = transformed(tower, "rotate"), transformed(tower, "transpose+mirror")
    assert one.data.floors == two.data.floors


@pytest.mark.parametrize("spec", ["rotate", "rename:2", "permute:4", "rescale:4"])
@pytest.mark.parametrize("name", ["simple", "hand08", "hand09", "hand10"])
def test_the_certificate_is_carried_over_and_still_plays(name: str, spec: str) -> None:
    tower = load(name)
    twin = transformed(tower, spec)
    assert tower.certificate is not None
    assert twin.certificate is not None
    assert twin.certificate.optimum == tower.certificate.optimum * factor_of(spec)
    state = twin.initial_state()
    for text in twin.certificate.route:
        state = twin.step(state, twin.action(text))
    assert state.won
    assert state.hero.hp == twin.certificate.optimum


def test_every_number_of_a_certificate_is_carried_over() -> None:
    tower = load("hand01")
    assert tower.certificate is not None
    open_one = replace(
        tower.certificate, status="bounded", bound=90, assisted_optimum=30
    )
    twin = transformed(Tower(replace(tower.data, certificate=open_one)), "rescale:3")
    found = twin.certificate
    assert found is not None
    assert (found.status, found.optimum) == ("bounded", 105)
    assert (found.bound, found.assisted_optimum) == (270, 90)
    assert found.method == tower.certificate.method


def test_renaming_leaves_no_monster_its_name_anywhere() -> None:
    twin = transformed(load("hand10"), "rename:1")
    text = twin.to_toml().partition("[certificate]")[0].partition("[hero]")[2]
    for old in ("Rat =", "Ghost =", '"Ghost King"', "the Ghost King"):
        assert old not in text
    assert loads(twin.to_toml()) == twin


def test_renaming_depends_on_the_seed_alone() -> None:
    one, two = (transformed(load("simple"), "rename:9") for _ in range(2))
    assert one == two
    assert one != transformed(load("simple"), "rename:8")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("flip", "unknown transformation 'flip'"),
        ("mirror:2", "takes no number"),
        ("rescale:0", "the factor must be an integer from 1 to 1000"),
        ("rescale:x", "the factor must be"),
        ("rescale:5000", "the factor must be"),
        ("rename:-1", "the seed must be"),
        ("rename:\u0663", "the seed must be an integer from 0 to 999999999"),
        ("rename:1234567890", "from 0 to 999999999"),
        ("mirror+", "unknown transformation ''"),
        ("", "unknown transformation ''"),
    ],
)
def test_unknown_transformations_are_refused(spec: str, message: str) -> None:
    with pytest.raises(MtGymError, match=message):
        parse(spec)


def test_a_list_that_names_no_file_is_refused() -> None:
    with pytest.raises(MtGymError, match="50 transformations make too long a name"):
        transformed(load("hand01"), "+".join(["rotate"] * 50))
    with pytest.raises(MtGymError, match="transformations are a text such as"):
        transformed(load("hand01"), ["mirror"])  # type: ignore[arg-type]
    assert transformed(load("hand01"), " mirror +\nrename:3 ").name == (
        "hand01.mirror+rename:3"
    )


@pytest.mark.parametrize(("spec", "number"), [("rescale", 195), ("restrike", 10)])
def test_a_factor_that_no_map_file_could_hold_is_refused(
    spec: str, number: int
) -> None:
    twin = transformed(load("hand01"), "+".join([spec + ":1000"] * 5))
    assert loads(twin.to_toml()) == twin
    with pytest.raises(MtGymError, match=f"is too large: {number}0+ times it has more"):
        transformed(twin, spec + ":1000")


def test_an_optimum_that_no_map_file_could_hold_is_refused() -> None:
    tower = load("hand01")
    assert tower.certificate is not None
    certificate = replace(tower.certificate, optimum=35 * 10**15)
    rich = Tower(replace(tower.data, certificate=certificate))
    with pytest.raises(MtGymError, match=r"factor 1000 is too large: 350+ times"):
        transformed(rich, "rescale:1000")


def test_every_transformation_says_what_it_does_to_the_optimum() -> None:
    assert all("optimum" in t.about or "so is" in t.about for t in TRANSFORMS.values())
