"""Home: go on with the open game, take a box from the shelf, watch the demo table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.lang import Builder
from kivy.properties import ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.evening.boxes import Box, Going
from ui.events import Tells
from ui.widgets.covers.lid import Lid
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.token import Token
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.pager import Pager

DEMO = Path(__file__).parents[1] / "widgets/covers/demo.png"
"""What is on the box of the demo table."""
IN_A_ROW, MANY_IN_A_ROW = 3, 4
"""Boxes beside each other; more stand in two rows."""
Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class Continue(Tells, Sheet):
    """The game that is open."""

    title = StringProperty("")
    since = StringProperty("")
    __events__ = ("on_continue",)  # the brass key was pressed

    def __init__(self, going: Going, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.title, self.since = going.title, going.since
        for name, colour in going.players:
            row = BoxLayout(spacing=theme.length.gap)
            row.add_widget(Token(colour=colour, size_hint_x=None, width=theme.length.body * 1.4))
            row.add_widget(Writing(text=name))
            self.ids.people.add_widget(row)


class Home(Tells, BoxLayout):
    """`boxes` on the shelf and the open game, in the reader's language."""

    boxes = ListProperty()
    going = ObjectProperty(None, allownone=True)
    other_language = StringProperty("")
    """What the language key leads to."""
    __events__ = (
        "on_continue",  # go on with the open game
        "on_new",  # box: set up a game from that box
        "on_broken",  # box: say why that box can't be opened
        "on_demo",  # show the recorded game
        "on_cards",  # show what is printed on cards, and their tags
        "on_service",  # show how this machine and its devices are
        "on_language",  # switch to the other language
        "on_quit",  # leave the app, if that is meant
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.bind(boxes=self._lay, going=self._lay)
        self._lay()

    def _lay(self, *_: object) -> None:
        self.ids.table.clear_widgets()
        if self.going is not None:
            sheet = Continue(self.going)
            sheet.bind(on_continue=lambda _: self.dispatch("on_continue"))
            self.ids.table.add_widget(sheet)
        lids = [*map(self._lid, self.boxes), self._demo()]
        cols = IN_A_ROW if self.going is not None or len(lids) <= 2 * IN_A_ROW else MANY_IN_A_ROW
        rows = 1 if len(lids) <= cols else 2
        self.ids.table.add_widget(Pager(things=lids, cols=cols, rows=rows, between=theme.length.space))

    def _lid(self, box: Box) -> Widget:
        app = App.get_running_app()
        note = app.tr("{least}–{most} players", least=box.least, most=box.most)
        if box.broken:
            note = app.tr("Broken")
        lid = Lid(cover=box.cover, text=box.title, note=note, broken=bool(box.broken))
        lid.bind(on_release=lambda _: self.dispatch("on_broken" if box.broken else "on_new", box))
        return lid

    def _demo(self) -> Widget:
        app = App.get_running_app()
        note = app.tr("Just watch")
        lid = Lid(cover=str(DEMO), text=app.tr("Demo table"), note=note)
        lid.bind(on_release=lambda _: self.dispatch("on_demo"))
        return lid
