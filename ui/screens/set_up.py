"""Set-up: who plays, with which pieces, by which options; it ends in a `Begin`.

A little over 300 lines: each thing that may be decided is asked in a dialog of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.clocks import PRESETS, read
from companion.spelling import find_look_alikes
from companion.table.seats import LONGEST_NAME
from companion.words import listed, literal, render
from ui import theme
from ui.evening.boxes import PickOption, Timed, Value
from ui.evening.party import Party
from ui.events import Tells
from ui.host import running
from ui.screens.limits import Limits
from ui.screens.options import OptionPages
from ui.screens.people import People
from ui.widgets.keys.key import Key
from ui.widgets.seats.person import TokenKey
from ui.widgets.sheets.dialog import Dialog, Leaf
from ui.widgets.sheets.keyboard import keyboard

Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class SetUp(Tells, FloatLayout):
    """Gathers people and options for `box`; a box in another language may replace it any time."""

    box = ObjectProperty()
    guests = ListProperty()
    """Names and colours of those who played last."""
    groups = ListProperty()
    """Names and colours of the last groups who played together, to be chosen at once."""
    inputs = ObjectProperty(lambda _seat: {})
    """The devices with which a seat answers, and whether each can be used now."""
    heading = StringProperty("")
    __events__ = (
        "on_begin",  # begin: everything is decided
        "on_sides",  # people: they want to say where they sit; names and colours
        "on_made",  # option: people want to make a choice of their own
        "on_leave",  # back home; nothing was begun
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.party = Party.for_(self.box, self.guests)
        self.values: dict[str, Value] = {option.key: option.default for option in self.box.options}
        self.at_rules = False
        self.bind(box=self._lay)
        self._lay()

    @property
    def names(self) -> tuple[str, ...]:
        """What everybody is called: a number until somebody types a name."""
        app = running()
        return tuple(
            guest.name or app.tr("Player {n}", n=at) for at, guest in enumerate(self.party.playing, 1)
        )

    def hear(self, device: str, *, pressed: bool) -> None:
        """Whose device was pressed is shown for a moment; what is lost or found, until it changes."""
        for at in range(self.party.size if not self.at_rules else 0):
            if device in self.inputs(at + 1):
                self.people.inputs = self._inputs()
                if pressed:
                    self.people.light(at)

    def _inputs(self) -> list[list[tuple[str, bool]]]:
        """Everybody's devices by their kinds, and whether they can be used; none where nobody has any."""
        seats = [self.inputs(number) for number in range(1, self.party.size + 1)]
        if not any(seats):
            return []
        return [[(name.split()[0], there) for name, there in seat.items()] for seat in seats]

    def step_back(self) -> None:
        """From the rules to the people, from the people home."""
        if self.at_rules:
            self.at_rules = False
            self._lay()
        else:
            self.dispatch("on_leave")

    def _lay(self, *_: object) -> None:
        self._forget_what_is_gone()
        app, title = running(), self.box.title
        self.ids.page.clear_widgets()
        if self.at_rules:
            self.heading = app.tr("{game}: the rules", game=title)
            self.ids.page.add_widget(self._rules())
        else:
            self.heading = app.tr("{game}: who plays?", game=title)
            self.ids.page.add_widget(self._people())

    def _people(self) -> Widget:
        counts = list(range(self.box.least, self.box.most + 1))
        self.people = People(counts=counts, seats=self.party.size, has_groups=bool(self._fitting))
        self._describe()
        self.people.bind(
            on_count=lambda _, count: self._take(replace(self.party, size=count)),
            on_piece=lambda _, at: self._ask_colour(at),
            on_rename=lambda _, at: self._ask_name(at),
            on_groups=lambda _: self._ask_group(),
            on_sides=lambda _: self.dispatch("on_sides", list(self.people.people)),
            on_done=lambda _: self._people_done(),
        )
        return self.people

    def _describe(self) -> None:
        app, names = running(), self.names
        alike = find_look_alikes(names)
        self.people.people = [
            (name, guest.colour) for name, guest in zip(names, self.party.playing, strict=True)
        ]
        self.people.inputs = self._inputs()
        self.people.stuck = alike is not None
        if alike is not None:
            self.people.remark = _why_stuck(app, *alike)
        elif self.people.inputs:
            self.people.remark = app.tr(
                "Seats are numbered clockwise. Touch a name or a piece to change it. Press a key of yours to "
                "test it."
            )
        else:
            self.people.remark = app.tr("Seats are numbered clockwise. Touch a name or a piece to change it.")
        self.people.onward = app.tr("Next") if self.box.options else app.tr("Begin")

    def _take(self, party: Party) -> None:
        self.party = party
        self._describe()

    def _people_done(self) -> None:
        if self.box.options:
            self.at_rules = True
            self._lay()
        else:
            self._begin()

    def _ask_name(self, at: int) -> None:
        app, before = running(), self.party.guests[at].name

        def take(name: str) -> None:
            self._take(self.party.renamed(at, name))

        heading = app.tr("Name of seat {n}", n=at + 1)
        self.add_widget(keyboard(heading, take, most=LONGEST_NAME, text=before))

    @property
    def _fitting(self) -> list[Sequence[tuple[str, str]]]:
        """Groups of so many people as the box is for, but those who sit there now."""
        now = {(guest.name, guest.colour) for guest in self.party.playing}
        sized = [group for group in self.groups if self.box.least <= len(group) <= self.box.most]
        return [group for group in sized if {*map(tuple, group)} != now]

    def _ask_group(self) -> None:
        """Who played together lately; a touch seats all of them."""
        app = running()
        rows = BoxLayout(orientation="vertical", spacing=theme.length.gap)
        leaf = Leaf(title=app.tr("Who plays?"), body=rows, answers=[("no", app.tr("Cancel"), "paper")])

        def take(group: Sequence[tuple[str, str]]) -> None:
            self.remove_widget(leaf)
            self.party = Party.for_(self.box, group)
            self._lay()

        for at, group in enumerate(self._fitting):
            key = Key(
                text=render(listed([literal(name) for name, _ in group]), app.lang),
                name=f"group {at}",
                lines=3,
            )
            key.bind(on_release=lambda _, group=group: take(group))
            rows.add_widget(key)
        self.add_widget(leaf)

    def _ask_colour(self, at: int) -> None:
        app = running()
        row = GridLayout(cols=4 if app.stage.is_upright else 6, spacing=theme.length.gap / 2)
        dialog = Dialog(
            title=app.tr("Which piece does {name} take?", name=self.names[at]),
            body=row,
            answers=[("no", app.tr("Cancel"), "paper")],
        )

        def take(key: TokenKey) -> None:
            self.remove_widget(dialog)
            self._take(self.party.recoloured(at, key.colour))

        for colour in theme.PLAYERS:
            key = TokenKey(colour=colour, chosen=colour == self.party.guests[at].colour, name=colour)
            key.bind(on_release=take)
            row.add_widget(key)
        self.add_widget(dialog)

    def _rules(self) -> Widget:
        """The options, with the key that begins the game."""
        begin = Key(look="brass", name="begin", text=running().tr("Begin"))
        begin.bind(on_release=lambda _: self._begin())
        pages = OptionPages(self.box.options, dict(self.values), corner=begin)
        pages.bind(
            on_value=lambda _, key, value: self._choose(pages, key, value),
            on_own=lambda _, option: self._make_own(pages, option),
        )
        return pages

    def _make_own(self, pages: OptionPages, option: PickOption) -> None:
        if isinstance(option, Timed):
            self._ask_limits(pages, option)
        else:
            self.dispatch("on_made", option)

    def choose(self, option: str, value: Value) -> None:
        """Chooses a value, if it is offered, as a touch would."""
        before = self.values[option]
        self.values[option] = value
        self._forget_what_is_gone({option: before})
        self._lay()

    def _forget_what_is_gone(self, before: Mapping[str, Value] = {}) -> None:
        """A value that is offered no longer is the one before it, or the usual one."""
        for option in self.box.options:
            if isinstance(option, PickOption) and not isinstance(option, Timed):
                values = (self.values[option.key], before.get(option.key), option.default)
                self.values[option.key] = next(value for value in values if value in dict(option.choices))

    def _ask_limits(self, pages: OptionPages, option: Timed) -> None:
        """Clocks of the table's own; those of the list are called as there."""

        def take(_page: Limits, text: str) -> None:
            listed = (name for name in PRESETS if read(name) == read(text))
            self._choose(pages, option.key, next(listed, text))

        page = Limits(running(), str(self.values[option.key]), option.asks)
        page.bind(on_done=take)
        page.open()

    def _choose(self, pages: OptionPages, key: str, value: Value) -> None:
        self.values[key] = value
        pages.show(self.box.options, dict(self.values))

    def _begin(self) -> None:
        self.dispatch("on_begin", self.party.begin(self.box, self.names, dict(self.values)))


def _why_stuck(app: Any, one: str, other: str) -> str:
    """Why a game can't begin with two names that read the same."""
    if one == other:
        return str(app.tr("Two players are called {name}. Change one of the names.", name=one))
    return str(
        app.tr("{one} and {other} count as the same name. Change one of the names.", one=one, other=other)
    )
