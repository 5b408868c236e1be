"""The writer of TOML map files: what it writes reads back as equal data."""

from __future__ import annotations

import itertools

from mt_gym.engine.formats.fields import Fields
from mt_gym.engine.formats.toml_kinds import SECTIONS, category_of, read_kinds
from mt_gym.engine.formats.toml_rows import EFFECT_LISTS
from mt_gym.engine.formats.toml_tables import (
    abilities_table,
    certificate_table,
    crystal_table,
    legend_value,
    monster_table,
    placement_table,
    plain,
    put,
    settings_table,
    stats_table,
)
from mt_gym.engine.formats.toml_values import Table, drawing, lines, toml_key
from mt_gym.engine.kinds import (
    Condition,
    Effect,
    Floor,
    Kind,
    Row,
    Script,
    Spot,
    TowerData,
)
from mt_gym.errors import MtGymError

_LIST_OF = {op: key for key, op in EFFECT_LISTS.items()}


def dumps(data: TowerData) -> str:
    """The map file of a tower; `loads(dumps(data)) == data`.

    Raises:
        MtGymError: the data hold something that a map file cannot say, such as an
            effect without its spot.
    """
    from mt_gym.engine.formats.toml import loads

    text = _Writer(data).text()
    again = loads(text)
    if again != data or again.certificate != data.certificate:
        raise MtGymError(f"{data.name!r} holds something that a map file cannot say")
    return text


# -- the file ----------------------------------------------------------------------


class _Writer:
    """Writes one tower; knows whether spots must name their floor."""

    def __init__(self, data: TowerData) -> None:
        self.data = data
        self.only = data.floors[0].id if len(data.floors) == 1 else ""

    def text(self) -> str:
        data = self.data
        top: Table = {"name": data.name}
        put(top, "title", data.title)
        put(top, "about", data.about)
        sections, order = self.sections()
        put(top, "order", order)
        put(
            top,
            "portals",
            [[self.spot(one), self.spot(two)] for one, two in data.portals],
        )
        blocks = [lines(top)]
        blocks.append(["[hero]", *lines({"hp": 0} | dict(data.hero))])
        settings = settings_table(data.settings)
        if settings:
            blocks.append(["[settings]", *lines(settings)])
        blocks.append(["[goal]", *lines(self.goal())])
        for section, tables in sections.items():
            if section in ("monsters", "items", "crystals"):
                blocks.append([f"[{section}]", *lines(tables)])
            else:
                for name, table in tables.items():
                    blocks.append([f"[{section}.{toml_key(name)}]", *lines(table)])
        blocks += [["[[scripts]]", *lines(self.script(s))] for s in data.scripts]
        for floor in data.floors:
            blocks += self.floor(floor)
        if data.certificate is not None:
            blocks.append(
                ["[certificate]", *lines(certificate_table(data.certificate))]
            )
        return "\n\n".join("\n".join(block) for block in blocks) + "\n"

    def spot(self, spot: Spot) -> str:
        return f"{spot.x},{spot.y}" if spot.floor == self.only else str(spot)

    def goal(self) -> Table:
        goal = self.data.goal
        table: Table = {goal.type: goal.name or True}
        if goal.at is not None:
            table["at"] = self.spot(goal.at)
        put(table, "text", goal.text)
        return table

    def script(self, script: Script) -> Table:
        table: Table = {}
        put(table, "name", script.name)
        if script.at is not None:
            table["at"] = self.spot(script.at)
        if script.row.verb != "pass":
            table["verb"] = script.row.verb
        return table | self.row(script.row)

    def floor(self, floor: Floor) -> list[list[str]]:
        table: Table = {"id": floor.id}
        put(table, "title", floor.title)
        put(table, "about", floor.about)
        blocks = [
            ["[[floors]]", *lines(table), f"map = {drawing(floor.rows)}"],
        ]
        if floor.legend:
            legend = {letter: legend_value(place) for letter, place in floor.legend}
            blocks.append(["[floors.legend]", *lines(legend)])
        for hidden in floor.hidden:
            spot = hidden.spot
            at = f"{spot.x},{spot.y}" if spot.floor == floor.id else str(spot)
            table = {"at": at} | placement_table(hidden.placement)
            blocks.append(["[[floors.hidden]]", *lines(table)])
        return blocks

    # -- kinds and rows ------------------------------------------------------------

    def sections(self) -> tuple[dict[str, Table], list[str]]:
        """Tables by section; and the order of the kinds, where it is unusual."""
        found: dict[str, Table] = {section: {} for section in SECTIONS}
        for kind in self.data.kinds:
            section, table = self.kind(kind)
            found[section][kind.name] = table
        usual = [name for tables in found.values() for name in tables]
        names = [kind.name for kind in self.data.kinds]
        return (
            {section: tables for section, tables in found.items() if tables},
            [] if usual == names else names,
        )

    def kind(self, kind: Kind) -> tuple[str, Table]:
        """The short form if it says everything, else the full one."""
        short = {
            "monster": ("monsters", monster_table),
            "item": ("items", self.item),
            "crystal": ("crystals", crystal_table),
            "shop": ("shops", self.shop),
            "trade": ("trades", self.trade),
            "character": ("characters", self.character),
        }
        said = kind.values if kind.type == "monster" else kind.rows
        if kind.type in short and said:
            section, write = short[kind.type]
            table = write(kind)
            if self.reads_as(kind, section, table):
                return section, table
        return "things", self.thing(kind)

    def reads_as(self, kind: Kind, section: str, table: Table) -> bool:
        top = Fields({section: {kind.name: plain(table)}}, "", "", None, self.only)
        try:
            return read_kinds(top) == (kind,)
        except MtGymError:
            return False

    def row(self, row: Row, *, inline: bool = False) -> Table:
        """What every row may say; `inline` puts the gain into the table itself."""
        table: Table = {}
        if inline:
            table |= dict(row.gain)
        put(table, "text", row.text)
        put(table, "needs", self.needs(row.condition))
        put(table, "price", dict(row.cost))
        if not inline:
            put(table, "gives", dict(row.gain))
        return table | self.effects(row.effects)

    def needs(self, condition: Condition) -> Table:
        table: Table = dict(condition.holds)
        put(table, "flags", list(condition.flags))
        put(table, "without", list(condition.without))
        put(table, "gone", [self.spot(spot) for spot in condition.gone])
        put(table, "count", condition.count)
        return table

    def effects(self, effects: tuple[Effect, ...]) -> Table:
        """Effects grouped by operation where the order allows it."""
        groups = [(op, list(g)) for op, g in itertools.groupby(effects, lambda e: e.op)]
        scaled = [effect.name for effect in effects if effect.op == "scale"]
        repeated = (
            len({op for op, _ in groups}) < len(groups)
            or len(set(scaled)) < len(scaled)
            or sum(effect.op == "win" for effect in effects) > 1
        )
        if repeated:
            return {"effects": [self.effect(effect) for effect in effects]}
        table: Table = {}
        for op, group in groups:
            if op == "win":
                table["wins"] = True
            elif op == "scale":
                table["scale"] = {e.name: list(e.ratio) for e in group}
            elif op in _LIST_OF:
                table[_LIST_OF[op]] = [
                    next(iter(self.effect(e).values())) for e in group
                ]
        return table

    def effect(self, effect: Effect) -> Table:
        if effect.op == "win":
            return {"win": True}
        if effect.op == "scale":
            return {"scale": {effect.name: list(effect.ratio)}}
        if effect.spot is not None:
            return {effect.op: self.spot(effect.spot)}
        return {effect.op: effect.name}

    def item(self, kind: Kind) -> Table:
        row = kind.rows[0]
        table = self.row(row, inline=True)
        scales = any(effect.op == "scale" for effect in row.effects)
        if kind.category != category_of(row.gain, kind.carried, scales):
            table["category"] = kind.category
        if kind.carried:
            table["carried"] = True
        if kind.manual != scales:
            table["manual"] = kind.manual
        return table

    def shop(self, kind: Kind) -> Table:
        """Price, growth and doubling stand at the shop where its offers share them."""
        table: Table = {}
        shared: Table = {}
        offers = [self.offer(row) for row in kind.rows]
        for key in ("price", "growth", "doubles_with"):
            values = [offer.get(key) for offer in offers]
            if values[0] and all(value == values[0] for value in values):
                shared[key] = values[0]
                for offer in offers:
                    del offer[key]
        table |= shared
        if kind.anywhere:
            table["anywhere"] = True
        return table | {"offers": offers}

    def offer(self, row: Row) -> Table:
        table = self.row(row, inline=True)
        put(table, "growth", row.growth)
        put(table, "doubles_with", row.doubles_with)
        return table

    def trade(self, kind: Kind) -> Table:
        return self.row(kind.rows[0])

    def character(self, kind: Kind) -> Table:
        return {"talks": [self.talk(row, False) for row in kind.rows]}

    def talk(self, row: Row, leaves: bool) -> Table:
        table = self.row(row)
        if row.consumes != leaves:
            table["leaves"] = row.consumes
        if row.once == row.consumes:
            table["again"] = not row.once
        return table

    def thing(self, kind: Kind) -> Table:
        table: Table = {"type": kind.type}
        rows = []
        for row in kind.rows:
            inner = {"verb": row.verb} | self.talk(row, True)
            put(inner, "growth", row.growth)
            put(inner, "doubles_with", row.doubles_with)
            rows.append(inner)
        put(table, "rows", rows)
        put(table, "values", [stats_table(values) for values in kind.values])
        put(table, "abilities", abilities_table(kind.abilities))
        put(table, "category", kind.category)
        for key in ("manual", "carried", "anywhere", "boss"):
            put(table, key, getattr(kind, key))
        if not kind.blocks:
            table["blocks"] = False
        return table


__all__ = ["dumps"]
