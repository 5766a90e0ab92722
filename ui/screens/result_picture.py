"""A picture of the result as a PNG file, to keep or to send: the title, the podium and all totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from math import ceil

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout

from companion.session.view import View
from companion.table.scores import GameResult
from ui import theme
from ui.host import get_companion_app
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import FeltBackground
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.seats.podium import Podium
from ui.widgets.seats.rank_card import RankCard

MAX_CARDS_IN_ONE_COLUMN = 6
PODIUM_WIDTH_SHARE_BY_COLUMNS = {1: 0.5, 2: 0.34}
MAX_CARD_HEIGHT_IN_ROWS = 1.3
MIN_WIDTH_FOR_LARGE_TOTALS = 6.0
"""The least width of a card with a large total, in touch targets."""
FRAMES_UNTIL_LAID_OUT = 4
"""The frames after which all texts of a new widget have their place and size."""


class ResultPicture(FloatLayout):
    """The result of a game as it is printed into a picture: who won, the podium, and each player's total.

    The picture is as large as the window, and always wider than high.
    """

    def __init__(
        self,
        view: View,
        title: str,
        winners_text: str,
        winner_count_text: str,
        sentences: Sequence[str],
        lang: str,
    ) -> None:
        window_size = get_companion_app().stage.size
        super().__init__(size=(max(window_size), min(window_size)), size_hint=(None, None))
        sizes, result = theme.length, view.result
        assert isinstance(result, GameResult)
        heading = FittedLabel(
            text=title, style="body", is_on_felt=True, size_hint_y=None, height=sizes.body * 1.4
        )
        winners = FittedLabel(
            text=winners_text, style="title", is_on_felt=True, halign="center", lines=2, abbreviates=True
        )
        winners.shorter_text = winner_count_text
        is_long = winners.one_line_width() > self.width - 2 * sizes.margin
        winners.size_hint_y, winners.height = None, sizes.title * (2.4 if is_long else 1.4)
        notes = FittedLabel(
            text="\n".join(sentences),
            style="note",
            is_on_felt=True,
            halign="center",
            lines=4,
            line_height=1.0,
        )
        notes.size_hint_y = None
        notes.height = notes.min_height_at(self.width - 2 * sizes.margin) * 1.2 if notes.text else 0
        page = BoxLayout(
            orientation="vertical", padding=sizes.margin, spacing=sizes.gap, size=self.size, size_hint=(1, 1)
        )
        add_children(page, heading, winners, notes, self._make_body(view, result, lang))
        add_children(self, FeltBackground(), page)

    def _make_body(self, view: View, result: GameResult, lang: str) -> BoxLayout:
        count, gap = len(result.standings), theme.length.gap
        columns = 1 if count <= MAX_CARDS_IN_ONE_COLUMN else 2
        rows = ceil(count / columns)
        cards = GridLayout(rows=rows, cols=columns, orientation="tb-lr", spacing=gap)
        cards.size_hint_max_y = rows * theme.length.row * MAX_CARD_HEIGHT_IN_ROWS
        cards_width = (self.width - 2 * theme.length.margin) * (1 - PODIUM_WIDTH_SHARE_BY_COLUMNS[1])
        has_large_totals = columns == 1 and cards_width > theme.length.target * MIN_WIDTH_FOR_LARGE_TOTALS
        for standing in result.standings:
            card = RankCard(
                standing,
                ended_early=view.is_score_so_far,
                is_narrow=True,
                total_style="amount" if has_large_totals else "digit",
            )
            card.show_rank_reason(lang)
            card.show_everything()
            add_children(cards, card)
        body = BoxLayout(spacing=theme.length.margin)
        if view.winners_of_finished_game:
            podium_share = PODIUM_WIDTH_SHARE_BY_COLUMNS[columns]
            podium = Podium(result.standings, size_hint_x=podium_share)
            podium.size_hint_max_y = self.width * podium_share
            add_children(body, podium)
            cards.size_hint_x = 1 - podium_share
        return add_children(body, cards)

    def render_png(self) -> bytes:
        """Returns the picture as PNG."""
        content = BytesIO()
        self.export_as_image().save(content, fmt="png")
        return content.getvalue()


def render_soon(make_picture: Callable[[], ResultPicture], use_png: Callable[[bytes], object]) -> None:
    """Makes a picture, and calls `use_png` with its PNG as soon as everything in it is laid out.

    The picture never appears on the screen.
    """
    _render_after_frames(make_picture(), use_png, FRAMES_UNTIL_LAID_OUT)


def _render_after_frames(picture: ResultPicture, use_png: Callable[[bytes], object], frames: int) -> None:
    if frames == 0:
        use_png(picture.render_png())
    else:
        Clock.schedule_once(lambda _: _render_after_frames(picture, use_png, frames - 1), 0)
