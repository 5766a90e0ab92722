"""Pages of the shelf behind home: the games that wait, those that are over, and who played them.

They change nothing; whoever made one hears which row was touched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.record.register import Player
from companion.record.when import short
from companion.store import Saved
from ui import theme
from ui.host import running
from ui.screens import saved_games
from ui.widgets.covers.picture import draw_cover
from ui.widgets.drawing.drawn import Drawn, inset, paper
from ui.widgets.drawing.icons import draw_icon
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.head import Head, Page

ROW, UPRIGHT_ROW = 1.25, 1.8
"""A row is at least so high, in targets; upright its lines are short, and more."""


class ShelfRow(ButtonBehavior, Drawn, BoxLayout):
    """A row of paper: the picture on the box, a title over a line, and a word at its right end.

    Where it is `still` it only tells, and leads nowhere.
    """

    shows: ClassVar[tuple[str, ...]] = ("state",)
    name = StringProperty("")
    still = BooleanProperty(defaultvalue=False)

    def __init__(
        self, title: str, line: str = "", aside: str = "", cover: str | None = None, **kwargs: Any
    ) -> None:
        sizes = theme.length
        if aside and line and running().stage.is_upright:  # beside it there is no room for the title
            line, aside = f"{aside}   {line}", ""
        self._cover = cover
        left = sizes.space if cover is None else sizes.target * ROW + sizes.gap
        kwargs.setdefault("size_hint_max_y", _high() * 1.2)
        super().__init__(padding=(left, sizes.line, sizes.token, sizes.line), **kwargs)
        head = put(BoxLayout(spacing=sizes.gap), Writing(text=title, style="key"))
        if aside:
            put(head, Writing(text=aside, style="quiet" if line else "body", halign="right"))
        text = put(BoxLayout(orientation="vertical", padding=(0, sizes.line)), head)
        if line:
            head.size_hint_y, head.height = None, sizes.key * 1.4
            put(text, Writing(text=line, style="quiet", lines=4, line_height=1.0, abbreviates=True))
        put(self, text)

    def draw(self) -> None:
        """Paper, the picture, and the sign that it leads on."""
        sizes, down = theme.length, self.state == "down" and not self.still
        paper(self.box, sizes.line, theme.PAPER_PRESSED if down else theme.PAPER)
        x, y, _width, height = inset(self.box, sizes.gap / 2)
        if self._cover is not None:
            draw_cover(self._cover, (x, y, sizes.target * ROW - sizes.gap, height))
        if not self.still:
            side = sizes.smallest
            draw_icon("next", (self.right - side * 1.5, self.center_y - side / 2, side, side), theme.INK)


class ShelfPage(Page):
    """Rows made of `things`, page by page; `nothing` is said where there are none."""

    def __init__(
        self,
        title: str,
        things: Sequence[Any],
        make: Callable[[Any], Widget],
        nothing: str,
        keys: tuple[Widget, ...] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        sizes = theme.length
        high = running().stage.room[1] - sizes.target - 3 * sizes.gap
        rows = max(1, int((high + sizes.gap) // (_high() + sizes.gap)))
        self.pager = Pager(things=things, rows=rows, make=make, is_apart=True)
        empty = Writing(text=nothing, felt=True, halign="center", lines=3)
        self.lay_under(Head(title, (*self.pager.turning, *keys)), self.pager if things else empty)


class WaitingGames(ShelfPage):
    """The games that can go on."""

    __events__: tuple[str, ...] = ("on_game",)  # saved: that one goes on

    def __init__(self, unfinished: Sequence[Saved], title: str, **kwargs: Any) -> None:
        super().__init__(title, unfinished, self._row, "", **kwargs)

    def _row(self, saved: Saved) -> Widget:
        app = running()
        title, names = saved_games.title(app, saved), saved_games.names(app, saved)
        when, cover = " ".join(saved_games.last_played(app, saved)), saved_games.cover(saved)
        row = ShelfRow(title, names, when, cover, name=f"game {saved.number}")
        row.bind(on_release=lambda _: self.dispatch("on_game", saved))
        return row


class PastGames(ShelfPage):
    """The games that are over, the newest first, and how each of them ended."""

    __events__: tuple[str, ...] = (
        "on_game",  # saved: its score is wanted
        "on_people",  # who played them is wanted
    )

    def __init__(self, over: Sequence[Saved], **kwargs: Any) -> None:
        width = {"size_hint_x": None, "width": theme.length.target * 2.2}
        people = self.telling("on_people", name="regulars", look="felt", **width)
        super().__init__(**kwargs, things=over, make=self._row, keys=(people,))
        people.text = self.app.tr("Players")

    def _row(self, saved: Saved) -> Widget:
        app = running()
        title, ending = saved_games.title(app, saved), saved_games.ending(app, saved)
        when, cover = short(saved_games.facts(app, saved).played), saved_games.cover(saved)
        row = ShelfRow(title, ending, when, cover, name=f"game {saved.number}")
        row.bind(on_release=lambda _: self.dispatch("on_game", saved))
        return row


class Regulars(ShelfPage):
    """Who played, how often, and how many games they won."""

    __events__: tuple[str, ...] = ("on_regular",)  # player: more of that one is wanted

    def __init__(self, found: Sequence[Player], **kwargs: Any) -> None:
        super().__init__(**kwargs, things=found, make=self._row)

    def _row(self, one: Player) -> Widget:
        row = ShelfRow(one.name, aside=counted(self.app, one), name=f"regular {one.name}")
        row.bind(on_release=lambda _: self.dispatch("on_regular", one))
        return row


def _high() -> float:
    """How high a row is at least."""
    targets = UPRIGHT_ROW if running().stage.is_upright else ROW
    return theme.length.target * targets


def counted(app: Any, one: Player) -> str:
    """How many games a player finished and how many they won."""
    games = app.trn("{n} game", "{n} games", one.games)
    return str(app.tr("{games}, {n} won", games=games, n=one.wins))
