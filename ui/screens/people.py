"""First page of set-up: how many play, who they are, which piece is theirs."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import Tells
from ui.host import running
from ui.widgets.drawing.putting import put
from ui.widgets.keys.chips import Chips
from ui.widgets.keys.dial import Dial
from ui.widgets.seats.columns import FEW_SEATS
from ui.widgets.seats.person import Person
from ui.widgets.sheets.keyboard import number_pad


class People(Tells, BoxLayout):
    """`people` are (name, colour) clockwise, `counts` the numbers that may play.

    `inputs` are the kinds of devices each answers with, and whether they can be used; empty: there are none.
    """

    people = ListProperty()
    counts = ListProperty()
    inputs = ListProperty()
    seats = NumericProperty(0)
    remark = StringProperty("")
    onward = StringProperty("")
    stuck = BooleanProperty(defaultvalue=False)
    has_groups = BooleanProperty(defaultvalue=False)
    """Whether others have played together lately, who may be chosen at once."""
    is_upright = BooleanProperty(defaultvalue=False)
    __events__ = (
        "on_count",  # count: so many play
        "on_piece",  # at: somebody wants another piece
        "on_rename",  # at: somebody wants another name
        "on_groups",  # those who played together lately are to be offered
        "on_sides",  # they want to say where they sit
        "on_done",  # everybody is there
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(is_upright=running().stage.is_upright, **kwargs)
        if not self.has_groups:
            self.ids.ways.remove_widget(self.ids.groups)
        self.ids.count.add_widget(self._counting())
        self.rows: list[Person] = []
        self.bind(people=self._lay, inputs=self._tell)
        self._lay()

    def light(self, at: int) -> None:
        """That one has pressed something of their own."""
        self.rows[at].light()

    def _counting(self) -> Widget:
        """A key for each number that may play; where these are many, one more and one less."""
        if len(self.counts) <= FEW_SEATS:
            chips = Chips(choices=[(count, str(count)) for count in self.counts], chosen=self.seats)
            chips.bind(chosen=lambda _, count: self.dispatch("on_count", count))
            return chips
        dial = Dial("players", least=self.counts[0], most=self.counts[-1], count=self.seats)
        dial.bind(count=lambda _, count: self.dispatch("on_count", int(count)))
        dial.bind(on_type=lambda _: running().stage.lay(number_pad(dial, step=1)))
        return dial

    def _tell(self, *_: object) -> None:
        for row, inputs in zip_longest(self.rows, self.inputs[: len(self.rows)]):
            row.tell(inputs)

    def _lay(self, *_: object) -> None:
        """One below the other, many in two columns."""
        columns = 1 if len(self.people) <= FEW_SEATS else 2
        lines, high = -(-len(self.people) // columns), theme.length.target * (1.06 if columns == 1 else 1.0)
        gap = theme.length.gap
        self.ids.rows.padding = gap if columns == 1 else (gap, gap / 4)
        self.ids.rows.clear_widgets()
        self.rows = [self._row(at, is_narrow=columns > 1) for at in range(len(self.people))]
        grid = GridLayout(
            cols=columns, rows=lines, orientation="tb-lr", size_hint_y=None, height=lines * high
        )
        put(self.ids.rows, put(grid, *self.rows), BoxLayout())
        if columns > 1 and self.is_upright:  # no higher than they must be, and no lower
            self.ids.rows.size_hint_y, self.ids.rows.height = None, grid.height + gap
            for keys in (self.ids.count, self.ids.ways, self.ids.onward):
                keys.height = theme.length.target
        self._tell()

    def _row(self, at: int, *, is_narrow: bool) -> Person:
        name, colour = self.people[at]
        person = Person(name=name, colour=colour, is_narrow=is_narrow)
        person.bind(
            on_piece=lambda _: self.dispatch("on_piece", at),
            on_rename=lambda _: self.dispatch("on_rename", at),
        )
        return person
