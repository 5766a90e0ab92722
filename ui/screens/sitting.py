"""How the panel lies, and at which side of it everybody sits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kivy.uix.widget import Widget

from companion.settings import find
from companion.words import render
from ui import theme
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.chips import Chips
from ui.widgets.seats.round_table import RoundTable
from ui.widgets.sheets.head import Head, Page


class Sitting(Page):
    """Standing or flat; where it lies flat, the table with everybody's name at a side of it."""

    __events__: tuple[str, ...] = (
        "on_plan",  # plan: standing, flat
        "on_side",  # name, side: this one sits there now
    )

    def __init__(
        self, people: Sequence[tuple[str, str]], plan: str, sides: Mapping[str, int], **kwargs: object
    ) -> None:
        super().__init__(**kwargs)
        tr, sizes = self.app.tr, theme.length
        placement, lang = find("placement"), self.app.lang
        choices = [(value, render(text, lang)) for value, text in placement.choices.items()]
        self.plan = Chips(
            choices=choices, chosen=plan, name=placement.name, size_hint_y=None, height=sizes.row
        )
        self.hint = Writing(felt=True, lines=2, size_hint_y=None, height=sizes.body * 2.6)
        self.table = RoundTable(people=list(people), sides=dict(sides))
        self.rest = Widget()
        self.lay_under(Head(tr("Screen position")), self.plan, self.hint, self.table)
        self.plan.bind(chosen=lambda _, plan: self._choose(plan))
        self.table.bind(on_side=lambda _, name, side: self._sit(name, side))
        self._show()

    def _choose(self, plan: str) -> None:
        self._show()
        self.dispatch("on_plan", plan)

    def _sit(self, name: str, side: int) -> None:
        self.table.sides = {**self.table.sides, name: side}
        self.dispatch("on_side", name, side)

    def _show(self) -> None:
        """The table only where it matters."""
        tr, flat = self.app.tr, self.plan.chosen == "flat"
        self.hint.text = (
            tr("Drag each name to the side of the table where that player sits.")
            if flat
            else tr("Everybody looks at the screen from the same side.")
        )
        shown, other = (self.table, self.rest) if flat else (self.rest, self.table)
        self.remove_widget(other)
        if shown.parent is None:
            self.add_widget(shown)
