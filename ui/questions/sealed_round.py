"""Sealed rounds: an envelope for each player, who enters the answer on a private screen.

The widget with the envelopes never learns an answer: the pad that knew it forgets it before the envelope
closes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, ClassVar

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.requests import Request, Together
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import render, say_list
from ui import theme
from ui.events import EventMixin
from ui.host import get_companion_app
from ui.questions.question import (
    MAX_EXTRA_HEIGHT_IN_TARGETS,
    Question,
    make_question_widget,
    report_touches_on_unavailable_options,
)
from ui.widgets.drawing.containers import RotatedFrame
from ui.widgets.drawing.line_breaking import count_wrapped_lines
from ui.widgets.drawing.surfaces import FeltBackground, draw_border, inset_box
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import ELLIPSIS, FittedLabel, measure_text_width, wrap_name
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.envelope import (
    FLAP_SHARE,
    MAX_FLAP_SHARE_OF_WIDTH,
    Envelope,
    name_height,
    raised_flap_height,
)
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.private_view import HandOverCover


def pass_screen_on_text(
    app: Any, unsealed_seats: Sequence[Seat], *, has_room: Callable[[str], bool] = lambda _: True
) -> str:
    """Returns the text that asks people to pass the screen on, with the seats that haven't sealed an answer.

    If there are many, or their names have no room, the text says only how many.
    """
    named = str(
        app.tr(
            "Pass the screen on. Not answered yet: {names}", names=render(say_list(unsealed_seats), app.lang)
        )
    )
    if len(unsealed_seats) > MAX_FULL_DETAIL_PANELS or (len(unsealed_seats) > 1 and not has_room(named)):
        return str(
            app.tr("Pass the screen on. {count} players still have to answer.", count=len(unsealed_seats))
        )
    return named


class SealedAnswerScreen(EventMixin, FloatLayout):
    """A private screen on which one seat enters its sealed answer, with the widget of its question.

    Whoever handles `on_sealed` calls `close_envelope` once the answer is accepted.
    """

    __events__ = (
        "on_sealed",  # plain: the answer, as JSON
        "on_close",  # it has taken itself away
    )

    def __init__(self, part: Request[Any], view: View, seat: Seat, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.part, self.view, self.seat = part, view, seat
        self.app = get_companion_app()
        self._again = any(each.seat == seat and each.has_answer for each in view.envelopes)
        self._ending: Any = None
        self._refusal: FittedLabel | None = None
        self._show(self._cover())

    def remove_from_screen(self) -> None:
        """Removes the screen; the envelope stays open or sealed as it is."""
        if self._ending is not None:
            self._ending.cancel()
        if self.parent is not None:
            self.parent.remove_widget(self)
            self.dispatch("on_close")

    def close_envelope(self, seal: str, unsealed_seats: Sequence[Seat]) -> None:
        """Shows the envelope closing with its seal, and says who answers next.

        Before that, the screen forgets the accepted answer.
        """
        self.question.clear_answer()
        self.envelope = Envelope(colour=self.seat.colour, name=self.seat.name, seal="", is_waiting=False)
        self.envelope.flap = 1.0
        self._show(self._closing(unsealed_seats))
        shut = Animation(flap=0.0, duration=theme.animation_seconds(theme.TURN_SECONDS), t="in_cubic")
        shut.bind(on_complete=lambda *_: setattr(self.envelope, "seal", seal))
        shut.start(self.envelope)
        self._ending = Clock.schedule_once(lambda _: self.remove_from_screen(), theme.REVEAL_PAUSE_SECONDS)

    def try_show_refusal(self, text: str) -> bool:
        """Shows why the answer is refused, if somebody is entering one here, and returns whether it did."""
        if self._refusal is None or self._ending is not None:
            return False
        self._refusal.text = text
        return True

    def _show(self, *things: Widget) -> None:
        self.clear_widgets()
        for thing in (FeltBackground(), *things):
            self.add_widget(thing)

    def _cover(self) -> Widget:
        hint = self.app.tr("Press here when nobody else is looking.")
        if self._again:
            hint = self.app.tr("Your envelope is sealed. Press to change your answer.")
        cover = HandOverCover(
            colour=self.seat.colour,
            text=self.app.tr("{name}, take the screen", name=self.seat.name),
            hint=hint,
        )
        cover.bind(on_release=lambda _: self._show(self._entering()))
        return cover

    def _entering(self) -> Widget:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        head = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.space)
        back = Key(icon="leave", name="not now", look="felt", size_hint_x=None, width=sizes.bar)
        back.bind(on_release=lambda _: self._not_now())
        head.add_widget(back)
        head.add_widget(PlayerToken(colour=self.seat.colour, size_hint_x=None, width=sizes.token))
        text = render(self.part.text, self.app.lang)
        head.add_widget(FittedLabel(text=text, style="question", is_on_felt=True, lines=3, line_height=1.0))
        self.question: Any = make_question_widget(self.part, self.view)
        self.question.bind(on_answer=lambda _, plain: self.dispatch("on_sealed", plain))
        report_touches_on_unavailable_options(self.question, self.try_show_refusal)
        self._refusal = FittedLabel(
            style="body", is_on_felt=True, halign="center", size_hint_y=None, height=sizes.body * 1.4
        )
        for part in (head, self.question, self._refusal):
            page.add_widget(part)
        return page

    def _not_now(self) -> None:
        self.question.clear_answer()
        self.remove_from_screen()

    def _closing(self, missing: Sequence[Seat]) -> Widget:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        page.add_widget(self.envelope)
        page.add_widget(
            FittedLabel(
                text=pass_screen_on_text(self.app, missing),
                style="question",
                halign="center",
                is_on_felt=True,
                lines=2,
                size_hint_y=0.4,
            )
        )
        return page

    def on_touch_down(self, touch: Any) -> bool:
        """Handles every touch, so that nothing below is touched.

        While the envelope closes, a touch ends that. The next touch removes a refusal.
        """
        if self._ending is not None:
            self.remove_from_screen()
        else:
            self.try_show_refusal("")
            super().on_touch_down(touch)
        return True


# The row of envelopes


SENTENCE_LINES_BELOW_ENVELOPES = 3
"""The number of lines for the sentence below the envelopes.

One line less if the envelopes are in two rows.
"""
SHORTENED_NAME_LINES = 2
"""Lines of a name that is cut short."""
MAX_NAME_LINES = 3
"""The most lines for a name that is wider than its envelope."""
MIN_ENVELOPE_HEIGHT_IN_TARGETS = 0.94
"""The minimum height of an envelope in one of two rows, in targets; with its name it is one target."""
MAX_ENVELOPE_HEIGHT_TO_WIDTH_RATIO = 1.4
"""The maximum height of an envelope relative to its width; a narrow one needs the height for its seal."""
MIN_ENVELOPES_SIDE_BY_SIDE = 3
"""The minimum number of envelopes side by side in a row, if there are many envelopes."""
OPPOSITE_QUARTER_TURNS = 2
"""The quarter turns of the opposite side; at other sides a turned envelope would have too little room."""


class EnvelopeKey(ButtonBehavior, Envelope):
    """A player's envelope as a key; its flap is open until an answer is sealed."""

    redraw_properties: ClassVar[tuple[str, ...]] = (*Envelope.redraw_properties, "state")

    def __init__(self, seat: Seat, seal: str) -> None:
        super().__init__(colour=seat.colour, name=seat.name, seal=seal, is_waiting=False)
        self.flap = 0.0 if seal else 1.0

    def show_seal(self, seal: str) -> None:
        """Shows the seal, and turns the flap down; turns it up if the seal is empty."""
        if bool(seal) != bool(self.seal):
            Animation.cancel_all(self, "flap")
            Animation(
                flap=0.0 if seal else 1.0,
                duration=theme.animation_seconds(theme.TURN_SECONDS),
                t="in_out_cubic",
            ).start(self)
        self.seal = seal

    def draw(self) -> None:
        """Draws the envelope, with a brass frame while it is pressed."""
        super().draw()
        if self.state == "down":
            draw_border(theme.BRASS_LIT, inset_box(self.body_box(), -theme.length.rim), theme.length.rim)


class TogetherEnvelopes(Question[Together[Any]]):
    """The widget of a sealed round: an envelope for each seat.

    Many envelopes are in two rows, in more rows if half of them don't fit in one, or on pages.
    """

    __events__ = ("on_draft",)  # seat, plain: one seat's answer as JSON

    def build_widgets(self) -> None:
        """Builds the envelopes, and the sentence below them."""
        self.answer_screen: SealedAnswerScreen | None = None
        self.keys = {each.seat.number: EnvelopeKey(each.seat, each.seal) for each in self.view.envelopes}
        self.has_many_seats = len(self.keys) > MAX_FULL_DETAIL_PANELS
        self._between = theme.length.gap / (2 if self.has_many_seats else 1)
        self._min_compact_height = self._min_collapsed_height = 0.0
        lines = SENTENCE_LINES_BELOW_ENVELOPES - 1 if self.has_many_seats else SENTENCE_LINES_BELOW_ENVELOPES
        self.sentence = FittedLabel(halign="center", is_on_felt=True, lines=lines, size_hint_y=None)
        for each in self.view.envelopes:
            key = self.keys[each.seat.number]
            key.bind(on_release=lambda _, seat=each.seat: self._hand_over(seat))
        frames = [_in_a_frame(key) for key in self.keys.values()]
        self.row = Pager(items=frames, cols=len(frames), rows=1, between=self._between, size_hint_y=None)
        for part in (Widget(size_hint_y=0.2), self.row, self.sentence, Widget(size_hint_y=0.2)):
            self.add_widget(part)
        self.bind(size=self._fit)

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height: envelopes with open flaps, names and the sentence."""
        cols = self._columns(width)
        rows, sentence = ceil(len(self.keys) / cols), self._sentence_high
        least = self._rows_high(rows, self._share(width, cols)) + sentence + 4 * self.spacing
        paged = self._rows_high(1, self._share(width, cols)) + self._way_high + 4 * self.spacing
        self._min_compact_height = least - sentence if cols == self._half else paged
        self._min_collapsed_height = min(least - sentence, paged) if self.has_many_seats else least - sentence
        return least, least + MAX_EXTRA_HEIGHT_IN_TARGETS * theme.length.target

    def rotate_toward_seats(self, quarter_turns_by_seat: Mapping[Seat, int]) -> None:
        """Turns the envelopes of opposite players upright for them."""
        for seat, side in quarter_turns_by_seat.items():
            if seat.number in self.keys:
                self.keys[seat.number].parent.quarter_turns = side if side == OPPOSITE_QUARTER_TURNS else 0

    def update_texts(self) -> None:
        """Updates the sentence: what to do, or whose answers are missing."""
        app, missing = self.app, self.unsealed_seats()
        text = ""
        if len(missing) == len(self.keys):
            text = app.tr("One player at a time: touch your own envelope.")
        elif missing:
            text = pass_screen_on_text(app, missing, has_room=self._has_room)
        self.sentence.text = text

    def _has_room(self, text: str) -> bool:
        """Returns whether a sentence fits below the envelopes in its smallest letters."""
        small = theme.length.smallest
        lines = count_wrapped_lines(
            text, max(1.0, self.width), lambda part: measure_text_width(part, small, bold=False)
        )
        return bool(lines <= self.sentence.lines)

    def unsealed_seats(self) -> list[Seat]:
        """Returns the seats whose envelopes are open."""
        return [each.seat for each in self.view.envelopes if not each.has_answer]

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view: opens and closes envelopes."""
        self.view = view
        for each in view.envelopes:
            self.keys[each.seat.number].show_seal(each.seal)
        self._turn_page()
        self.update_texts()

    def _turn_page(self) -> None:
        """Turns to the next page with an open envelope, if all envelopes on this page are sealed."""
        numbers, missing = list(self.keys), {seat.number for seat in self.unsealed_seats()}
        each = int(self.row.cols * self.row.rows)
        first = int(self.row.page) * each
        if missing and missing.isdisjoint(numbers[first : first + each]):
            following = [at for at in (*range(first, len(numbers)), *range(first)) if numbers[at] in missing]
            self.row.page = following[0] // each

    def try_show_refusal(self, text: str) -> bool:
        """Shows the refusal on the private screen, if it is open; returns whether it did.

        Only the player who is entering an answer may see why it is refused.
        """
        return self.answer_screen is not None and self.answer_screen.try_show_refusal(text)

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the envelopes.

        An envelope may not be narrower than a target; many may be in several rows.
        """
        cols = min(self._half, MIN_ENVELOPES_SIDE_BY_SIDE) if self.has_many_seats else self._half
        return self._share(width, cols) < theme.length.target

    def _name_lines(self, share: float) -> int:
        """Returns the lines of the longest name below its envelope; two if even three can't hold it."""
        names = [wrap_name(key.name, share) for key in self.keys.values()]
        if any(lines[-1].endswith(ELLIPSIS) for lines in names):
            return SHORTENED_NAME_LINES
        lines = max(map(len, names))
        is_long = any(
            measure_text_width(key.name, theme.length.smallest) > share for key in self.keys.values()
        )
        return lines if self.has_many_seats and lines > 1 else MAX_NAME_LINES if is_long else 1

    @property
    def _least(self) -> float:
        """Returns the minimum height of an envelope; in two rows, the three lines of the seal."""
        return theme.length.target * (MIN_ENVELOPE_HEIGHT_IN_TARGETS if self.has_many_seats else 1)

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height of many envelopes, without the sentence or on pages; 0 for few."""
        return self._min_compact_height if self.has_many_seats else 0.0

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height without the sentence; many envelopes are on pages of one row."""
        return self._min_collapsed_height

    @property
    def _sentence_high(self) -> float:
        return float(theme.length.smallest * 1.3 * self.sentence.lines)

    @property
    def _way_high(self) -> float:
        """Returns the height of the page keys."""
        return float(theme.length.target + theme.length.gap)

    @property
    def _half(self) -> int:
        """Returns how many envelopes are side by side if they fit: half of them if there are many."""
        return ceil(len(self.keys) / (2 if self.has_many_seats else 1))

    def _columns(self, width: float) -> int:
        """Returns how many envelopes are side by side, each at least a target wide."""
        if not self.has_many_seats:
            return self._half
        most = int((width + self._between) / (theme.length.target + self._between))
        return max(1, min(self._half, most))

    def _share(self, width: float, cols: int) -> float:
        return float((width - self._between * (cols - 1)) / cols)

    def _rows_high(self, rows: int, share: float) -> float:
        """Returns the height of rows of the lowest envelopes, with open flaps and names."""
        tall = min(share * MAX_ENVELOPE_HEIGHT_TO_WIDTH_RATIO, self._least)
        row = tall + raised_flap_height(share, tall) + name_height(self._name_lines(share))
        return rows * row + (rows - 1) * self._between

    def _fit(self, *_: object) -> None:
        needed = self.height_range(self.width)[0] - 2 * self.spacing  # what is around it may be nothing
        cols = self._columns(self.width)
        rows = ceil(len(self.keys) / cols)
        is_said = self.height >= needed
        way = 0.0
        if self.has_many_seats and self.height + 1 < needed - self._sentence_high:
            way = self._way_high
            cols, rows = self._page(cols, rows)
        self.update_texts()
        self.sentence.opacity, self.sentence.height = (1, self._sentence_high) if is_said else (0, 0)
        share = self._share(self.width, cols)
        lines = self._name_lines(share)
        for key in self.keys.values():
            key.name_lines = lines
        foot, between = name_height(lines), (rows - 1) * self._between
        room = (self.height - self.sentence.height - self.spacing * 3 - between - way) / rows - foot
        high = max(room / (1 + FLAP_SHARE), room - share * MAX_FLAP_SHARE_OF_WIDTH)
        tall = min(share * MAX_ENVELOPE_HEIGHT_TO_WIDTH_RATIO, max(self._least, high))
        self.row.height = rows * (tall + raised_flap_height(share, tall) + foot) + between + way
        self.row.cols, self.row.rows = cols, rows
        for key in self.keys.values():
            key.ratio = tall / share

    def _page(self, cols: int, rows: int) -> tuple[int, int]:
        """Returns columns and rows of a page: all rows that fit, the fewest columns without another page."""
        room = self.height - self._way_high - 3 * self.spacing + 1

        def fits(cols: int, rows: int) -> bool:
            return bool(self._rows_high(rows, self._share(self.width, cols)) <= room)

        rows = next((fewer for fewer in range(rows - 1, 1, -1) if fits(cols, fewer)), 1)
        pages = ceil(len(self.keys) / (cols * rows))
        even = ceil(len(self.keys) / (pages * rows))
        return (even if fits(even, rows) else cols), rows

    def _hand_over(self, seat: Seat) -> None:
        sealing = SealedAnswerScreen(self.request.parts_by_seat[seat], self.view, seat)
        sealing.bind(
            on_sealed=lambda _, plain: self._seal(sealing, seat, plain),
            on_close=lambda _: self._end(),
        )
        self.answer_screen = sealing
        self.app.stage.show_overlay(sealing, seat)

    def _seal(self, sealing: SealedAnswerScreen, seat: Seat, plain: object) -> None:
        """Sends the answer; closes the envelope if it was accepted, else keeps the pad."""
        before = self.view
        self.dispatch("on_draft", seat, plain)
        if self.answer_screen is sealing and self.view is not before:
            sealing.close_envelope(self.keys[seat.number].seal, self.unsealed_seats())

    def _end(self) -> None:
        self.answer_screen = None

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: closes the private screen when the widget is removed."""
        if parent is None and self.answer_screen is not None:
            self.answer_screen.remove_from_screen()


def _in_a_frame(key: EnvelopeKey) -> RotatedFrame:
    """Returns a frame that turns an envelope to its owner; the envelope fills it."""
    frame = RotatedFrame(size_hint=(1, 1))
    frame.bind(size=lambda _, size: setattr(key, "size", size))
    frame.add_widget(key)
    return frame
