"""What each mechanism of the tower is worth to the best play that is found.

Each row of the table is a search with one mechanism left out, or used as soon as it
can be; equally seeded, with the same budget and the same hints.  `python -m
mt_gym.solver.tower.features` writes the table into the page `docs/tower.md`, and the
plays of the strategies that win into the folder `floors/tower/witnesses`.
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

BUDGET: Final = 1_500_000
"""Macro transitions of the search behind each row."""
HINTS: Final = 3
"""Budgets of the search of the whole tower whose best plays are the hints."""
STRATEGY: Final = "strategy: "
"""How the words of a row begin that is a way to play, not a mechanism."""
BEGIN, END = "<!-- features: begin -->", "<!-- features: end -->"

NEVER: Final = 1 << 30
"""More objects than ever go away."""

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


def without_trigger(name: str) -> Change:
    """An event that waits for something never happens."""

    def change(net: Net) -> Net:
        scripts = [one.name for one in net.tower.data.scripts if one.at is None]
        if name not in scripts:
            raise MtGymError(f"{net.tower.name!r} has no event {name!r}")
        rows = net.rows.copy()
        rows[net.triggers + scripts.index(name), at.R_COUNT] = NEVER
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
    Feature("with the seal left shut", without_trigger("the seal of MT7 breaks")),
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


@dataclass(frozen=True, slots=True)
class Table:
    """What all searches found.

    Attributes:
        budget: macro transitions of a row; `everything` its result with nothing
            changed; `certified` the HP of the tower's certificate.
        results: of `FEATURES`, in their order.
    """

    budget: int
    everything: int | None
    certified: int | None
    results: tuple[TowerResult, ...]

    @property
    def best(self) -> int:
        """The best play known: whatever wins with less wins the tower too."""
        found = [self.everything, self.certified, *(one.hp for one in self.results)]
        return max(hp or 0 for hp in found)

    def markdown(self) -> str:
        """The table with a line above it."""
        equal = max(self.everything or 0, 1)
        lines = [
            f"Best play known: {self.best} HP. With everything allowed the budget of a "
            f"row ({self.budget:,} macro transitions) finds {_shown(self.everything)}.",
            "",
            "| search | final HP | of the same budget | of the best known | wins |",
            "|---|---|---|---|---|",
        ]
        for feature, found in zip(FEATURES, self.results, strict=True):
            shares = ["–", "–"]
            if found.hp is not None:
                shares = [f"{100 * found.hp // hp} %" for hp in (equal, self.best)]
            wins = f"{found.stats.wins} of {found.stats.beams} beams"
            cells = (feature.text, _shown(found.hp), *shares, wins)
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)


def measured(tower: Tower, budget: int = BUDGET) -> Table:
    """Search with each feature changed, and with nothing changed."""
    search = Portfolio(build(tower), tower.initial_state(), 0)
    search.run(None, HINTS * budget, None)
    hints = [play for play, _, _ in search.elite]
    everything = measure(tower, None, budget, hints).hp
    print("everything", everything, file=sys.stderr, flush=True)
    results = []
    for feature in FEATURES:
        results.append(measure(tower, feature, budget, hints))
        print(feature.text, results[-1].hp, file=sys.stderr, flush=True)
    claim = tower.certificate
    certified = claim.optimum if claim is not None else None
    return Table(budget, everything, certified, tuple(results))


def _shown(hp: int | None) -> str:
    return "no win found" if hp is None else f"{hp} HP"


def _filled(words: Sequence[str]) -> list[str]:
    """Lines of whole words, indented, up to 88 characters."""
    lines = ["   "]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > 88:
            lines.append("   ")
        lines[-1] += f" {word}"
    return lines


def strategies(table: Table) -> dict[str, str]:
    """Files of the strategies that win, by name: words, final HP and route."""
    files = {}
    for feature, found in zip(FEATURES, table.results, strict=True):
        if not feature.text.startswith(STRATEGY) or found.hp is None:
            continue
        words = feature.text.removeprefix(STRATEGY)
        route = "\n".join(_filled([f'"{one.text}",' for one in found.route]))
        files[words.replace(" ", "-")] = (
            f'strategy = "{words}"\nhp = {found.hp}\nroute = [\n{route}\n]\n'
        )
    return files


def main(
    page: str = "docs/tower.md",
    budget: str = str(BUDGET),
    folder: str = "floors/tower/witnesses",
) -> None:
    """Write the shipped tower's table into the page, its strategies into the folder."""
    path = Path(page)
    before, _, rest = path.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    table = measured(load("tower"), int(budget))
    text = f"{before}{BEGIN}\n{table.markdown()}\n{END}{after}"
    path.write_text(text, "utf-8")
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, file in strategies(table).items():
        (Path(folder) / f"{name}.toml").write_text(file, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
