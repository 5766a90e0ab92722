"""The winners on a podium under confetti, over the final score; a touch leads to the score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.table.scores import GameResult
from ui import theme
from ui.host import get_companion_app
from ui.theme import Colour
from ui.widgets.drawing.confetti import Confetti
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.surfaces import FeltBackground
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.seats.podium import Podium
from ui.widgets.sheets.opposite_headline import OppositeHeadline
from ui.widgets.sheets.overlays import make_turn_key

MAX_PODIUM_WIDTH_TO_HEIGHT_RATIO = 1.9
MAX_SENTENCE_LINES = 3


class WinnersPage(FloatLayout):
    """A page over the final score: who won, sentences about it, and the podium. Any touch closes the page.

    Confetti in the winners' colours falls once. `turn` turns the page to the people opposite, who also read
    the title upside down at their edge.
    """

    def __init__(
        self,
        result: GameResult,
        winners_text: str,
        winner_count_text: str,
        sentences: Sequence[str],
        hint: str,
        turn: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        title = FittedLabel(
            text=winners_text, style="title", is_on_felt=True, halign="center", lines=2, abbreviates=True
        )
        title.shorter_text = winner_count_text
        inner_width = get_companion_app().stage.next_page_size[0] - 2 * sizes.margin
        is_long = title.one_line_width() > inner_width
        title.size_hint_y, title.height = None, sizes.title * (2.4 if is_long else 1.3)
        self.sentences_label = FittedLabel(
            text="\n".join(sentences),
            style="note",
            is_on_felt=True,
            halign="center",
            lines=MAX_SENTENCE_LINES * 2,
            line_height=1.0,
            size_hint_y=None,
        )
        self._podium = Podium(result.standings, size_hint_x=None)
        hint_label = FittedLabel(
            text=hint,
            style="quiet",
            is_on_felt=True,
            halign="center",
            size_hint_y=None,
            height=sizes.body * 1.4,
        )
        self.turn_key = None if turn is None else make_turn_key(turn)
        opposite_titles, foot = list[Widget](), list[Widget]([hint_label])
        if self.turn_key is not None:
            opposite_title = OppositeHeadline(winners_text)
            opposite_title.fit_height(inner_width)
            opposite_titles.append(opposite_title)
            hint_label.size_hint_y, hint_label.lines, hint_label.line_height = 1, 2, 1.0
            foot = [add_children(BoxLayout(size_hint_y=None, height=sizes.target), hint_label, self.turn_key)]
        place = add_children(BoxLayout(), BoxLayout(), self._podium, BoxLayout())
        self._podium.bind(height=self._fit_podium)
        self.bind(width=self._fit_sentences)
        self.confetti = Confetti([*_confetti_colours(result)])
        add_children(
            self,
            FeltBackground(),
            add_children(page, *opposite_titles, title, self.sentences_label, place, *foot),
            self.confetti,
        )
        Clock.schedule_once(self._begin_confetti, 0)

    def _fit_podium(self, *_: object) -> None:
        """Makes the podium neither wider nor higher than looks good."""
        max_width = self.width - 2 * theme.length.margin
        self._podium.size_hint_max_y = max_width
        self._podium.width = min(max_width, self._podium.height * MAX_PODIUM_WIDTH_TO_HEIGHT_RATIO)

    def _fit_sentences(self, *_: object) -> None:
        """Makes room for the sentences."""
        label, sizes = self.sentences_label, theme.length
        if label.text:
            width = self.width - 2 * sizes.margin
            label.height = label.min_height_at(width) * sizes.note / sizes.smallest * 1.1
        else:
            label.height = 0
        self._fit_podium()

    def _begin_confetti(self, _seconds: float) -> None:
        if self.parent is not None:
            self.confetti.begin()

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: the confetti goes with the page."""
        if parent is None:
            detach_from_parent(self.confetti)

    def close(self) -> None:
        """Removes the page."""
        detach_from_parent(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Closes the page, unless the touch turns it; nothing below gets the touch."""
        if self.turn_key is None or not self.turn_key.on_touch_down(touch):
            self.close()
        return True


def _confetti_colours(result: GameResult) -> Iterator[Colour]:
    """Yields each winner's colour and a lighter one, and brass."""
    for winner in result.winners:
        colour = theme.PLAYER_LOOKS[winner.colour].colour
        yield colour
        yield theme.blend_colours(colour, theme.PAPER_LIT, 0.4)
    yield theme.BRASS
