"""First page of set-up: how many play, who they are, which piece is theirs."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from kivy.app import App
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.events import Tells
from ui.widgets.drawing.putting import put
from ui.widgets.seats.person import Person


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
        super().__init__(is_upright=App.get_running_app().stage.is_upright, **kwargs)
        if not self.has_groups:
            self.ids.ways.remove_widget(self.ids.groups)
        self.ids.count.choices = [(count, str(count)) for count in self.counts]
        self.ids.count.chosen = self.seats
        self.ids.count.bind(chosen=lambda _, count: self.dispatch("on_count", count))
        self.rows: list[Person] = []
        self.bind(people=self._lay, inputs=self._tell)
        self._lay()

    def light(self, at: int) -> None:
        """That one has pressed something of their own."""
        self.rows[at].light()

    def _tell(self, *_: object) -> None:
        for row, inputs in zip_longest(self.rows, self.inputs[: len(self.rows)]):
            row.tell(inputs)

    def _lay(self, *_: object) -> None:
        self.ids.rows.clear_widgets()
        self.rows = []
        for at, (name, colour) in enumerate(self.people):
            person = Person(name=name, colour=colour, size_hint_y=None, height=theme.length.target * 1.06)
            person.bind(
                on_piece=lambda _, at=at: self.dispatch("on_piece", at),
                on_rename=lambda _, at=at: self.dispatch("on_rename", at),
            )
            self.rows.append(person)
        put(self.ids.rows, *self.rows, BoxLayout())
        self._tell()
