"""The page of the floors says what the files say, and its pictures are the floors."""

import re
from pathlib import Path

import numpy as np
import pytest

from mt_gym.engine.load import load, shipped
from mt_gym.envs.scene import picture
from mt_gym.play.episode import Moment

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "floors.md").read_text(encoding="utf-8")
FLOORS = [name for name in shipped() if name != "tower"]  # that one has its own page


@pytest.mark.parametrize("name", FLOORS)
def test_the_page_shows_every_floor(name: str) -> None:
    tower = load(name)
    assert f"### {name}: {tower.data.title}" in PAGE
    assert " ".join(tower.data.about.split()) in " ".join(PAGE.split())


@pytest.mark.parametrize("name", shipped())
def test_the_page_has_the_figures_of_every_floor(name: str) -> None:
    tower = load(name)
    certificate = tower.certificate
    assert certificate is not None
    figures = dict(certificate.profile)
    proved = certificate.status == "optimal"
    cells = [
        f"`{name}`",
        str(figures["gateways"]),
        str(figures["decisions"]),
        f"{figures.get('winning_first_moves', '?')} of {figures['first_moves']}",
        str(tower.initial_state().hero.hp),
        f"{'' if proved else '≥ '}{certificate.optimum}",
        str(figures["slack"]),
        str(figures["greedy"]),
        str(figures.get("loss_depth", "?") or "–"),
    ]
    assert "| " + " | ".join(cells) + " |" in PAGE


@pytest.mark.parametrize("name", FLOORS)
def test_the_pictures_are_the_floors(name: str) -> None:
    image = pytest.importorskip("PIL.Image")
    tower = load(name)
    moment = Moment(tower.initial_state(), 0, None, frozenset())
    for number, floor in enumerate(tower.floors):
        file = f"{name}-{floor.id}.png" if number else f"{name}.png"
        assert f"(images/{file})" in PAGE
        stored = np.asarray(image.open(DOCS / "images" / file).convert("RGB"))
        assert np.array_equal(stored, picture(tower, moment, number))


def test_every_link_of_the_page_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (DOCS / target).exists(), target
