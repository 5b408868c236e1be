"""What each mechanism of the tower is worth to the best play that is found.

Each row of the table is a search with one mechanism left out, or used as soon as it
can be.  `python -m mt_gym.solver.tower.features` writes the table into the page
`docs/tower.md`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mt_gym.engine.kinds import ATK, DEF, EXP
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.net import Net, build
from mt_gym.solver.tower.route import Play
from mt_gym.solver.tower.search import Portfolio, TowerResult

BUDGET: Final = 1_000_000
"""Macro transitions of the search behind each row."""
BEGIN, END = "<!-- features: begin -->", "<!-- features: end -->"

Change = Callable[[Net], Net]


def without(*names: str) -> Change:
    """Nothing can be done with the objects of some kinds."""

    def change(net: Net) -> Net:
        objects = net.objects.copy()
        for thing in _things(net, names):
            objects[thing, at.CLASS] = at.INERT
        return replace(net, objects=objects)

    return change


def at_once(*names: str) -> Change:
    """What objects of some kinds offer is done as soon as it can be."""

    def change(net: Net) -> Net:
        rows = net.rows.copy()
        for thing in _things(net, names):
            start = int(net.objects[thing, at.ROWS])
            for row in range(start, start + int(net.objects[thing, at.N_ROWS])):
                rows[row, at.R_AUTO] = 1
        return replace(net, rows=rows)

    return change


def never_buys(resource: int, currency: int) -> Change:
    """No offer gives a resource for a currency."""

    def change(net: Net) -> Net:
        offers = net.offers
        barred = (offers[:, at.O_GIVES] == resource) & (
            offers[:, at.O_CURRENCY] == currency
        )
        return replace(net, offers=offers[~barred])

    return change


def _things(net: Net, names: tuple[str, ...]) -> list[int]:
    found = [o.index for o in net.tower.board.objects if o.name in names]
    for name in names:
        if all(o.name != name for o in net.tower.board.objects):
            raise MtGymError(f"{net.tower.name!r} has no object {name!r}")
    return found


@dataclass(frozen=True, slots=True)
class Feature:
    """One row of the table: its words, and what is changed."""

    text: str
    change: Change


FEATURES: Final = (
    Feature("without the Cross", without("Cross")),
    Feature("the Cross handed in at once", at_once("Fairy")),
    Feature("without the Holy Water", without("Holy Water")),
    Feature("the Holy Water drunk at once", at_once("Holy Water")),
    Feature("without the Ice Pickaxe", without("Ice Pickaxe")),
    Feature("without the gold shop of MT3", without("Gold Shop")),
    Feature("without the exp shop of MT5", without("Exp Shop")),
    Feature("without the key seller of MT5", without("Key Seller")),
    Feature("without the gold shop of MT11", without("Great Gold Shop")),
    Feature("without the key buyer of MT12", without("Key Buyer")),
    Feature("without the exp shop of MT13", without("Great Exp Shop")),
    Feature("without the anvil of MT15", without("Magic Anvil")),
    Feature("without the armour of MT15", without("Magic Armour")),
    Feature("both trades of MT15 at once", at_once("Magic Anvil", "Magic Armour")),
    Feature("without the two prisoners", without("Swordsmith", "Armourer")),
    Feature("strategy: experience only buys ATK", never_buys(DEF, EXP)),
    Feature("strategy: experience only buys DEF", never_buys(ATK, EXP)),
    Feature("strategy: no trade on MT15", without("Magic Anvil", "Magic Armour")),
    Feature("strategy: keys not traded", without("Key Seller", "Key Buyer")),
)


def measure(
    tower: Tower, feature: Feature | None, budget: int, hints: Sequence[Play] = ()
) -> TowerResult:
    """The best play with a mechanism changed; None changes nothing."""
    net = build(tower)
    if feature is not None:
        net = feature.change(net)
    search = Portfolio(net, tower.initial_state(), 0, hints)
    return search.run(None, budget, None)


def table(tower: Tower, budget: int = BUDGET) -> str:
    """The table of all features, in Markdown.

    Shares are of the best play known: the certificate's, or a better one of a row,
    since whatever wins with something left out wins the tower too.
    """
    search = Portfolio(build(tower), tower.initial_state(), 0)
    search.run(None, 3 * budget, None)
    hints = [play for play, _, _ in search.elite]
    everything = measure(tower, None, budget, hints).hp
    found = [everything, tower.certificate.optimum if tower.certificate else None]
    rows = []
    for feature in FEATURES:
        hp = measure(tower, feature, budget, hints).hp
        rows.append((feature.text, hp))
        found.append(hp)
        print(feature.text, hp, file=sys.stderr, flush=True)
    best = max(hp or 0 for hp in found)
    lines = [
        f"Best play known: {best} HP. With everything allowed, the budget of a row "
        f"({budget:,} macro transitions, with hints from a search of {3 * budget:,}) "
        f"finds {_shown(everything)}.",
        "",
        "| search | final HP | of the best |",
        "|---|---|---|",
    ]
    for text, hp in rows:
        share = "–" if hp is None else f"{100 * hp // best} %"
        lines.append(f"| {text} | {_shown(hp)} | {share} |")
    return "\n".join(lines)


def _shown(hp: int | None) -> str:
    return "no win found" if hp is None else f"{hp} HP"


def main(page: str = "docs/tower.md", budget: str = str(BUDGET)) -> None:
    """Write the table of the shipped tower into the page; `budget` per row."""
    path = Path(page)
    before, _, rest = path.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    text = f"{before}{BEGIN}\n{table(load('tower'), int(budget))}\n{END}{after}"
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
