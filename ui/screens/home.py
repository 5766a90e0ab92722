"""Home: go on with a game, take a box from the shelf, look back at past games, watch the demo table."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.evening.home_snapshot import GameSummary, OngoingGame
from ui.events import Tells, heed
from ui.host import running
from ui.widgets.covers.lid import Lid
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.token import Token
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager

DEMO = Path(__file__).parents[1] / "widgets/covers/demo.png"
"""What is on the box of the demo table."""
LID = 2.05, 2.1
"""A box is at least so wide and high, in targets."""
ACROSS = 3.7
"""How high what goes on is where it lies across the page, in rows: five people have room."""
Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class Continue(Tells, Sheet):
    """The game that was played last; `more` others wait. `is_wide`: it lies across the page."""

    title = StringProperty("")
    since = StringProperty("")
    is_wide = BooleanProperty(defaultvalue=False)
    __events__ = (
        "on_continue",  # the brass key was pressed
        "on_waiting",  # the others are wanted
    )

    def __init__(self, going: OngoingGame, more: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.title, self.since = going.title, going.since
        self._players, self._names = going.players, going.names
        self.ids.people.bind(size=Clock.create_trigger(self._seat, -1))
        if more:
            text = running().trn("{n} more open game", "{n} more open games", more)
            key = Key(name="waiting", text=text, is_full=True, size_hint_y=None, height=theme.length.target)
            key.bind(on_release=lambda _: self.dispatch("on_waiting"))
            put(self.ids.ways, key)

    def _seat(self, *_: object) -> None:
        """A row for everybody where there is room, else all names in a few lines."""
        people, line = self.ids.people, theme.length.body * 1.4
        people.clear_widgets()
        if len(self._players) * line > people.height:
            lines = max(3, int(people.height / (theme.length.smallest * 1.3)))
            put(people, Writing(text=self._names, lines=lines, abbreviates=True))
            return
        for name, colour in self._players:
            row = BoxLayout(spacing=theme.length.gap, size_hint_max_y=line * 1.5)
            token = Token(colour=colour, size_hint_x=None, width=line)
            put(people, put(row, token, Writing(text=name, abbreviates=True)))
        put(people, Widget(size_hint_y=0.001))


class Home(Tells, BoxLayout):
    """The lids of `games`; the game that is `going`, if there is one, and how many others are `waiting`."""

    games = ListProperty()
    going = ObjectProperty(None, allownone=True)
    waiting = NumericProperty(0)
    is_upright = BooleanProperty(defaultvalue=False)
    __events__ = (
        "on_continue",  # go on with the game that was played last
        "on_waiting",  # show the other games that can go on
        "on_past",  # show the games that are over, and who played them
        "on_new",  # game: set up that game
        "on_broken",  # game: say why that game can't be played
        "on_demo",  # show the recorded game
        "on_cards",  # show what is printed on cards, and their tags
        "on_settings",  # show the settings
        "on_language",  # show the list of languages
        "on_quit",  # leave the app, if that is meant
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        soon = Clock.create_trigger(self._lay, -1)
        heed(running(), "lang", self._lay)
        self.bind(games=soon, going=soon, waiting=soon, size=soon)

    def _lay(self, *_: object) -> None:
        self.is_upright = self.height > self.width
        self._place_head()
        table = self.ids.table
        table.clear_widgets()
        if self.going:
            put(table, self._continue(self.going))
        lids = [*map(self._lid, self.games), self._demo()]
        cols, rows = self._grid(len(lids))
        put(table, Pager(things=lids, cols=cols, rows=rows, between=theme.length.space))

    def _place_head(self) -> None:
        """Upright the ways to other pages have a row of their own."""
        pages, head = self.ids.pages, self.ids.head
        pages.parent.remove_widget(pages)
        pages.size_hint_x = 1 if self.is_upright else None
        if self.is_upright:
            self.add_widget(pages, index=1)
        else:
            head.add_widget(pages, index=3)

    def _continue(self, going: OngoingGame) -> Continue:
        sheet = Continue(going, self.waiting, is_wide=self.is_upright)
        sheet.height = theme.length.row * ACROSS
        for event in ("on_continue", "on_waiting"):
            sheet.bind(**{event: lambda _, event=event: self.dispatch(event)})
        return sheet

    def _grid(self, lids: int) -> tuple[int, int]:
        """As many boxes on a page as have room, in even rows; with a key to turn where that isn't all."""
        sizes = theme.length
        wide, high = self.width - 2 * sizes.margin, self.height - sizes.row - sizes.margin - 2 * sizes.gap
        if self.is_upright:
            high -= sizes.row + sizes.gap
        if self.going and self.is_upright:
            high -= ACROSS * sizes.row + sizes.margin
        elif self.going:
            wide -= 4 * sizes.target + sizes.margin
        cols, rows = _least(wide, LID[0]), _least(high, LID[1])
        if cols * rows < lids:
            return cols, _least(high - sizes.target - sizes.gap, LID[1])
        rows = min(rows, ceil(lids / cols))
        return ceil(lids / rows), rows

    def _lid(self, game: GameSummary) -> Widget:
        app = running()
        note = app.tr("{least}–{most} players", least=game.least, most=game.most)
        if game.broken:
            note = app.tr("Broken")
        lid = Lid(cover=game.cover, text=game.title, note=note, broken=bool(game.broken))
        lid.bind(on_release=lambda _: self.dispatch("on_broken" if game.broken else "on_new", game))
        return lid

    def _demo(self) -> Widget:
        app = running()
        note = app.tr("Just watch")
        lid = Lid(cover=str(DEMO), text=app.tr("Demo table"), note=note)
        lid.bind(on_release=lambda _: self.dispatch("on_demo"))
        return lid


def _least(room: float, targets: float) -> int:
    """How many of that size have room, with what lies between them; at least one."""
    between = theme.length.space
    return max(1, int((room + between) // (theme.length.target * targets + between)))
