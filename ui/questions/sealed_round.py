"""Sealed rounds: an envelope for each player, who enters the answer on a private screen.

The widget with the envelopes never keeps an answer: the private screen forgets its answer before the
envelope closes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import ceil, inf
from typing import Any, ClassVar, NamedTuple

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.requests import Request, Together
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import render, say_people
from ui import theme
from ui.events import EventMixin
from ui.host import get_companion_app
from ui.questions.question import (
    MAX_EXTRA_HEIGHT_IN_TARGETS,
    QuestionWidget,
    make_question_widget,
    report_touches_on_unavailable_options,
)
from ui.widgets.drawing.containers import RotatedFrame, add_children
from ui.widgets.drawing.line_breaking import count_wrapped_lines
from ui.widgets.drawing.surfaces import FeltBackground, draw_border, inset_box
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import (
    FittedLabel,
    count_left_out_letters,
    measure_text_width,
    min_name_width,
    wrap_name,
)
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.envelope import (
    FLAP_HEIGHT_SHARE,
    MAX_FLAP_SHARE_OF_WIDTH,
    Envelope,
    envelope_name_height,
    raised_flap_height,
)
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.private_view import HandOverCover, hand_over_text


def pass_screen_on_text(
    app: Any, unsealed_seats: Sequence[Seat], *, has_room: Callable[[str], bool] = lambda _: True
) -> str:
    """Returns the text that asks people to pass the screen on, with the seats that haven't sealed an answer.

    If there are many such seats, or their names have no room, the text says only how many.
    """
    text_with_names = str(
        app.tr(
            "Pass the screen on. Not answered yet: {names}",
            names=render(say_people(unsealed_seats), app.lang),
        )
    )
    if len(unsealed_seats) > MAX_FULL_DETAIL_PANELS or (
        len(unsealed_seats) > 1 and not has_room(text_with_names)
    ):
        return str(
            app.tr("Pass the screen on. {count} players still have to answer.", count=len(unsealed_seats))
        )
    return text_with_names


class UnansweredNotice(BoxLayout):
    """A notice with the open envelopes of all seats that still have to answer, or the pieces of many."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        super().__init__(orientation="vertical", spacing=theme.length.gap / 2)
        tr, has_many_seats = get_companion_app().tr, len(seats) > MAX_FULL_DETAIL_PANELS
        text = tr("{count} players still have to answer.", count=len(seats))
        self.title = FittedLabel(
            text=text if has_many_seats else tr("Still to answer:"),
            style="question",
            halign="center",
            is_on_felt=True,
            lines=2,
            size_hint_y=0.35,
        )
        row = BoxLayout(spacing=theme.length.gap)
        for seat in seats:
            mark = PlayerToken(colour=seat.colour) if has_many_seats else make_open_envelope(seat)
            row.add_widget(mark)
        add_children(self, self.title, row)


def make_open_envelope(seat: Seat) -> Envelope:
    """Returns an open envelope with the piece and the name of its owner."""
    return Envelope(
        colour=seat.colour, name=seat.name, is_waiting=False, flap=1.0, name_lines=SHORTENED_NAME_LINES
    )


class SealedAnswerScreen(EventMixin, FloatLayout):
    """A private screen on which one seat enters its sealed answer, with the widget of its question.

    Whoever handles `on_sealed` calls `close_envelope` once the answer is accepted.
    """

    __events__ = (
        "on_sealed",  # plain: the answer, as JSON
        "on_close",  # the screen has removed itself
    )

    def __init__(self, part: Request[Any], view: View, seat: Seat, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.part, self.view, self.seat = part, view, seat
        self.app = get_companion_app()
        self._seal = next((envelope.seal for envelope in view.envelopes if envelope.seat == seat), "")
        self._removal: Any = None
        self._refusal: FittedLabel | None = None
        self._show(self._build_cover())

    def remove_from_screen(self) -> None:
        """Removes the screen; the envelope stays open or sealed as before."""
        if self._removal is not None:
            self._removal.cancel()
        if self.parent is not None:
            self.parent.remove_widget(self)
            self.dispatch("on_close")

    def close_envelope(self, unsealed_seats: Sequence[Seat]) -> None:
        """Forgets the answer, then shows the envelope closing, and says who answers next."""
        self.question.clear_answer()
        self.envelope = Envelope(colour=self.seat.colour, name=self.seat.name, is_waiting=False)
        self.envelope.flap = 1.0
        self._show(self._build_closing_page(unsealed_seats))
        animation = Animation(flap=0.0, duration=theme.animation_seconds(theme.TURN_SECONDS), t="in_cubic")
        animation.start(self.envelope)
        self._removal = Clock.schedule_once(lambda _: self.remove_from_screen(), theme.REVEAL_PAUSE_SECONDS)

    def try_show_refusal(self, text: str) -> bool:
        """Shows why the answer is refused, if somebody is entering one; returns whether it did."""
        if self._refusal is None or self._removal is not None:
            return False
        self._refusal.text = text
        return True

    def _show(self, *widgets: Widget) -> None:
        self.clear_widgets()
        for widget in (FeltBackground(), *widgets):
            self.add_widget(widget)

    def _build_cover(self) -> Widget:
        hint = self.app.tr("Press here when nobody else is looking.")
        if self._seal:
            hint = self.app.tr("Your envelope is sealed. Press to change your answer.")
        cover = HandOverCover(
            colour=self.seat.colour,
            text=hand_over_text(self.seat.name),
            hint=hint,
            seal=self.app.tr("Seal: {letters}", letters=self._seal) if self._seal else "",
        )
        cover.bind(on_release=lambda _: self._show(self._build_entry_page()))
        return cover

    def _build_entry_page(self) -> Widget:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        head = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.space)
        back = Key(icon="leave", name="not now", look="felt", size_hint_x=None, width=sizes.bar)
        back.bind(on_release=lambda _: self._leave_without_answer())
        head.add_widget(back)
        head.add_widget(PlayerToken(colour=self.seat.colour, size_hint_x=None, width=sizes.token))
        text = render(self.part.text, self.app.lang)
        head.add_widget(FittedLabel(text=text, style="question", is_on_felt=True, lines=3, line_height=1.0))
        self.question: Any = make_question_widget(self.part, self.view)
        self.question.is_sealed = True
        self.question.update_texts()
        self.question.bind(on_answer=lambda _, plain: self.dispatch("on_sealed", plain))
        report_touches_on_unavailable_options(self.question, self.try_show_refusal)
        self._refusal = FittedLabel(
            style="body", is_on_felt=True, halign="center", size_hint_y=None, height=sizes.body * 1.4
        )
        for part in (head, self.question, self._refusal):
            page.add_widget(part)
        return page

    def _leave_without_answer(self) -> None:
        self.question.clear_answer()
        self.remove_from_screen()

    def _build_closing_page(self, unsealed_seats: Sequence[Seat]) -> Widget:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        if theme.is_read_from_all_sides:
            opposite_frame = RotatedFrame(size_hint=(1, 1), quarter_turns=2)
            opposite_notice = UnansweredNotice(unsealed_seats)
            opposite_frame.bind(size=opposite_notice.setter("size"))
            opposite_frame.add_widget(opposite_notice)
            return add_children(page, opposite_frame, self.envelope, UnansweredNotice(unsealed_seats))
        page.add_widget(self.envelope)
        page.add_widget(
            FittedLabel(
                text=pass_screen_on_text(self.app, unsealed_seats),
                style="question",
                halign="center",
                is_on_felt=True,
                lines=2,
                size_hint_y=0.4,
            )
        )
        return page

    def on_touch_down(self, touch: Any) -> bool:
        """Handles every touch, so that no widget below gets it.

        A touch removes the refusal. While the envelope closes, a touch removes the screen.
        """
        if self._removal is not None:
            self.remove_from_screen()
        else:
            self.try_show_refusal("")
            super().on_touch_down(touch)
        return True


# The row of envelopes


SENTENCE_LINES_BELOW_ENVELOPES = 3
"""The number of lines for the sentence below one row of envelopes; below more rows, one line less."""
SHORTENED_NAME_LINES = 2
"""The number of lines for a name that is cut short."""
MAX_NAME_LINES = 3
"""The most lines for a name that is wider than its envelope."""
MIN_ENVELOPE_HEIGHT_IN_TARGETS = 0.94
"""The minimum height of an envelope in one of two rows, in targets; its name makes it one target."""
MAX_ENVELOPE_HEIGHT_TO_WIDTH_RATIO = 1.4
"""The maximum height of an envelope relative to its width."""
SIDEWAYS_FLAP_SHARES = (MAX_FLAP_SHARE_OF_WIDTH, 0.15)
"""Heights of raised flaps, relative to the width, that are tried for envelopes on their side."""
MIN_ENVELOPES_PER_ROW = 3
"""The minimum number of envelopes side by side in a row, if there are many envelopes."""


X_BY_TURNS, HEIGHT_BY_TURNS = (0, 1, 0, -1), (-1, 0, 1, 0)
"""Where the owners sit from the middle of the screen, by the quarter turns of their envelopes."""


class EnvelopeKey(ButtonBehavior, Envelope):
    """A player's envelope as a key; its flap is open until an answer is sealed.

    `seal` has the letters of the seal, which the cover of the owner's private screen shows.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (*Envelope.redraw_properties, "state")

    def __init__(self, seat: Seat, seal: str) -> None:
        super().__init__(colour=seat.colour, name=seat.name, is_waiting=False)
        self.seal = seal
        self.flap = 0.0 if seal else 1.0

    def show_seal(self, seal: str) -> None:
        """Turns the flap down, or up if the seal is empty."""
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


class EnvelopeFrame(RotatedFrame):
    """A frame, filled by an envelope, that turns the envelope to its owner.

    An envelope that lies on its side has its name below it, as its owner sees it, or beside it. If the name
    has no room there, the envelope stays upright.
    """

    def __init__(self, key: EnvelopeKey) -> None:
        self.key, self.owner_turns, self.may_lie_sideways = key, 0, False
        super().__init__(size_hint=(1, 1))
        self.add_widget(key)
        self.fbind("size", lambda *_: self.fit_key())

    @property
    def has_owner_at_side(self) -> bool:
        """Whether the owner sits at the left or the right."""
        return self.owner_turns % 2 == 1

    def fit_key(self) -> None:
        """Turns the envelope to its owner, and gives it the size of the frame."""
        key, is_sideways, has_name_beside = self.key, False, False
        if self.has_owner_at_side and self.may_lie_sideways:
            height = key.max_body_width * (1 + key.raised_flap_share) + key.name_area_height
            has_name_beside = height > self.width
            is_sideways = not has_name_beside or key.fits_beside_name(self.height, self.width)
        self.quarter_turns = self.owner_turns if is_sideways or not self.has_owner_at_side else 0
        key.has_name_beside, key.size = is_sideways and has_name_beside, self.inner_size


class EnvelopeShape(NamedTuple):
    """Columns and rows of a page of square envelopes, their side, their relative flaps, and name lines."""

    columns: int
    rows: int
    side: float
    flap_share: float
    name_lines: int


class SealedRoundWidget(QuestionWidget[Together[Any]]):
    """The widget of a sealed round: an envelope for each seat.

    Many envelopes are in two rows, in more rows if half of the envelopes don't fit in one, or on pages.
    """

    __events__ = ("on_seat_answer",)  # seat, plain: one seat's answer as JSON

    def build_widgets(self) -> None:
        """Builds the envelopes, and the sentence below them."""
        self.answer_screen: SealedAnswerScreen | None = None
        self.keys = {
            envelope.seat.number: EnvelopeKey(envelope.seat, envelope.seal)
            for envelope in self.view.envelopes
        }
        self.has_many_seats = len(self.keys) > MAX_FULL_DETAIL_PANELS
        self._min_compact_height = self._min_collapsed_height = 0.0
        lines = SENTENCE_LINES_BELOW_ENVELOPES - 1 if self.has_many_seats else SENTENCE_LINES_BELOW_ENVELOPES
        self.sentence = FittedLabel(halign="center", is_on_felt=True, lines=lines, size_hint_y=None)
        for envelope in self.view.envelopes:
            key = self.keys[envelope.seat.number]
            key.bind(on_release=lambda _, seat=envelope.seat: self._open_answer_screen(seat))
        self.frames = [EnvelopeFrame(key) for key in self.keys.values()]
        self.row = Pager(items=self.frames, cols=len(self.frames), rows=1, size_hint_y=None)
        for part in (Widget(size_hint_y=0.2), self.row, self.sentence, Widget(size_hint_y=0.2)):
            self.add_widget(part)
        self.bind(size=self._fit_envelopes)

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width.

        The minimum has room for open flaps, names and the sentence.
        """
        columns = self._column_count(width)
        rows, sentence_height = ceil(len(self.keys) / columns), self._sentence_height
        min_height = (
            self._rows_height(rows, self._envelope_width(width, columns)) + sentence_height + 4 * self.spacing
        )
        paged_height = (
            self._rows_height(1, self._envelope_width(width, columns))
            + self._page_keys_height
            + 4 * self.spacing
        )
        self._min_compact_height = (
            min_height - sentence_height if columns == self._max_columns else paged_height
        )
        self._min_collapsed_height = (
            min(min_height - sentence_height, paged_height)
            if self.has_many_seats
            else min_height - sentence_height
        )
        return min_height, min_height + MAX_EXTRA_HEIGHT_IN_TARGETS * theme.length.target

    def rotate_toward_seats(self, quarter_turns_by_seat: Mapping[Seat, int]) -> None:
        """Turns the envelopes of players toward their seats."""
        for envelope, frame in zip(self.view.envelopes, self.frames, strict=True):
            frame.owner_turns = quarter_turns_by_seat[envelope.seat]
        self._fit_envelopes()

    def update_texts(self) -> None:
        """Updates the sentence below the envelopes: what to do, or whose answers are missing."""
        app, unsealed_seats = self.app, self.unsealed_seats()
        text = ""
        if len(unsealed_seats) == len(self.keys):
            text = app.tr("One player at a time: touch your own envelope.")
        elif unsealed_seats:
            text = pass_screen_on_text(app, unsealed_seats, has_room=self._does_sentence_fit)
        self.sentence.text = text

    def _does_sentence_fit(self, text: str) -> bool:
        """Returns whether a sentence fits below the envelopes in the smallest letters."""
        small = theme.length.smallest
        lines = count_wrapped_lines(
            text, max(1.0, self.width), lambda part: measure_text_width(part, small, bold=False)
        )
        return bool(lines <= self.sentence.lines)

    def unsealed_seats(self) -> list[Seat]:
        """Returns the seats that haven't sealed an answer."""
        return [envelope.seat for envelope in self.view.envelopes if not envelope.has_answer]

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view: opens and closes envelopes."""
        self.view = view
        for envelope in view.envelopes:
            self.keys[envelope.seat.number].show_seal(envelope.seal)
        self._turn_page()
        self.update_texts()

    def _turn_page(self) -> None:
        """Turns to the next page with an open envelope, if all envelopes on this page are sealed."""
        numbers, unsealed_numbers = list(self.keys), {seat.number for seat in self.unsealed_seats()}
        per_page = int(self.row.cols * self.row.rows)
        first_index = int(self.row.page) * per_page
        if unsealed_numbers and unsealed_numbers.isdisjoint(numbers[first_index : first_index + per_page]):
            unsealed_indices = [
                index
                for index in (*range(first_index, len(numbers)), *range(first_index))
                if numbers[index] in unsealed_numbers
            ]
            self.row.page = unsealed_indices[0] // per_page

    def try_show_refusal(self, text: str) -> bool:
        """Shows the refusal on the private screen, if it is open; returns whether it did.

        Only the player who is entering an answer may see why it is refused.
        """
        return self.answer_screen is not None and self.answer_screen.try_show_refusal(text)

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether an envelope would be narrower than a target, even in several rows."""
        columns = (
            min(self._max_columns, MIN_ENVELOPES_PER_ROW)
            if self.has_many_seats
            else self._column_count_of_few(width)
        )
        return self._envelope_width(width, columns) < theme.length.target

    def _name_line_count(self, envelope_width: float) -> int:
        """Returns the number of lines for names below envelopes; two if a name is too long for three."""
        names = [key.name for key in self.keys.values()]
        wrapped_names = [wrap_name(name, envelope_width) for name in names]
        if any(map(count_left_out_letters, names, wrapped_names)):
            return SHORTENED_NAME_LINES
        lines = max(map(len, wrapped_names))
        is_long = any(measure_text_width(name, theme.length.smallest) > envelope_width for name in names)
        return lines if self.has_many_seats and lines > 1 else MAX_NAME_LINES if is_long else 1

    @property
    def _min_envelope_height(self) -> float:
        """Returns the minimum height of an envelope, which is less in two rows."""
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
    def _sentence_height(self) -> float:
        """Returns the height of the sentence; on a screen read from all sides each panel says it instead."""
        if theme.is_read_from_all_sides:
            return 0.0
        return float(theme.length.smallest * 1.3 * self.sentence.lines)

    @property
    def _page_keys_height(self) -> float:
        """Returns the height of the page keys."""
        return float(theme.length.target + theme.length.gap)

    @property
    def _max_columns(self) -> int:
        """Returns the most envelopes side by side: half of many, or all of few."""
        return ceil(len(self.keys) / (2 if self.has_many_seats else 1))

    def _column_count(self, width: float) -> int:
        """Returns how many envelopes are side by side; many are each at least a target wide."""
        if not self.has_many_seats:
            return self._column_count_of_few(width)
        fitting_columns = int((width + self._gap) / (theme.length.target + self._gap))
        return max(1, min(self._max_columns, fitting_columns))

    @property
    def _gap(self) -> float:
        """Returns the gap between envelopes."""
        has_narrow_gaps = self.has_many_seats or theme.is_read_from_all_sides
        return float(theme.length.gap / (2 if has_narrow_gaps else 1))

    def _column_count_of_few(self, width: float) -> int:
        """Returns all envelopes, or half of them if the screen has no sentence, and a row no room for all."""
        is_row_too_narrow = self._envelope_width(width, self._max_columns) < theme.length.target
        has_two_rows = is_row_too_narrow and not self._sentence_height
        return ceil(self._max_columns / 2) if has_two_rows else self._max_columns

    def _envelope_width(self, width: float, columns: int) -> float:
        return float((width - self._gap * (columns - 1)) / columns)

    def _rows_height(self, rows: int, envelope_width: float) -> float:
        """Returns the height of some rows of envelopes at their minimum height, with open flaps and names."""
        envelope_height = min(envelope_width * MAX_ENVELOPE_HEIGHT_TO_WIDTH_RATIO, self._min_envelope_height)
        row_height = (
            envelope_height
            + raised_flap_height(envelope_width, envelope_height)
            + envelope_name_height(self._name_line_count(envelope_width))
        )
        return rows * row_height + (rows - 1) * self._gap

    def _fit_envelopes(self, *_: object) -> None:
        """Lets envelopes lie on their side if all, in one size, have room; else none is turned so."""
        shape = self._choose_shape_for_sides()
        self.row.grid.spacing = self._gap
        self.row.items = self._frames_by_place(shape)
        self.spacing = 0 if shape else theme.length.gap
        if shape is None:
            self._fit_upright_envelopes()
        else:
            self.update_texts()
            self.sentence.opacity, self.sentence.height = 0, 0
            self.row.cols, self.row.rows, self.row.height = shape.columns, shape.rows, self.height
            self._set_body(shape.side, 1.0, shape.name_lines, shape.flap_share)
        for frame in self.frames:
            frame.may_lie_sideways = shape is not None
            frame.fit_key()

    def _set_body(
        self,
        max_width: float,
        height_to_width: float,
        name_lines: int,
        flap_share: float = MAX_FLAP_SHARE_OF_WIDTH,
    ) -> None:
        """Gives all envelopes the same size."""
        for key in self.keys.values():
            key.max_body_width, key.height_to_width, key.name_lines = max_width, height_to_width, name_lines
            key.raised_flap_share = flap_share

    def _choose_shape_for_sides(self) -> EnvelopeShape | None:
        """Returns columns and rows in which envelopes can lie on their side; None if none need to or can.

        Fewest pages come first, then high flaps, then large envelopes.
        """
        if not any(frame.has_owner_at_side for frame in self.frames):
            return None
        count = len(self.frames)
        shapes = [
            self._measure_shape(columns, rows, flap_share)
            for columns, rows, flap_share in product(
                range(1, count + 1), range(1, count + 1), SIDEWAYS_FLAP_SHARES
            )
            if (rows - 1) * columns < count and (self.has_many_seats or rows * columns >= count)
        ]
        return min(
            (shape for shape in shapes if shape.side >= self._min_envelope_height),
            key=lambda shape: (ceil(count / (shape.columns * shape.rows)), -shape.flap_share, -shape.side),
            default=None,
        )

    def _measure_shape(self, columns: int, rows: int, flap_share: float) -> EnvelopeShape:
        """Returns the shape with the largest envelopes that fit on their side and upright."""
        has_pages = columns * rows < len(self.frames)
        height = self.height - (self._page_keys_height if has_pages else 0.0)
        width, height = self._envelope_width(self.width, columns), (height - self._gap * (rows - 1)) / rows
        name_lines = self._name_line_count(min(width, height))
        name_height = envelope_name_height(name_lines)
        side = min(width, height - name_height) / (1 + flap_share)
        side_beside_names = height - theme.length.gap - self._widest_name_at_sides
        if side * (1 + flap_share) + name_height > width and side_beside_names >= self._min_envelope_height:
            side = min(side, side_beside_names)
        return EnvelopeShape(columns, rows, side, flap_share, name_lines)

    def _frames_by_place(self, shape: EnvelopeShape | None) -> list[EnvelopeFrame]:
        """Returns the envelopes in rows from top to bottom, each near the side of its owner.

        Envelopes in one row or on pages are in the order of the seats.
        """
        if shape is None or shape.rows == 1 or shape.columns * shape.rows < len(self.frames):
            return self.frames
        frames_from_left = [frame for frame in self.frames if frame.owner_turns]
        frames_from_left += [frame for frame in reversed(self.frames) if not frame.owner_turns]
        frames = sorted(frames_from_left, key=lambda frame: HEIGHT_BY_TURNS[frame.owner_turns], reverse=True)
        rows = [frames[start : start + shape.columns] for start in range(0, len(frames), shape.columns)]
        return [
            frame for row in rows for frame in sorted(row, key=lambda frame: X_BY_TURNS[frame.owner_turns])
        ]

    @property
    def _widest_name_at_sides(self) -> float:
        """Returns the least width for each name beside an envelope on its side."""
        return max(min_name_width(frame.key.name) for frame in self.frames if frame.has_owner_at_side)

    def _fit_upright_envelopes(self) -> None:
        needed_height = (
            self.min_and_preferred_height(self.width)[0] - 2 * self.spacing
        )  # the empty widgets above and below may have no height
        columns = self._column_count(self.width)
        rows = ceil(len(self.keys) / columns)
        shows_sentence = self._sentence_height > 0 and self.height >= needed_height
        page_keys_height = 0.0
        if self.has_many_seats and self.height + 1 < needed_height - self._sentence_height:
            page_keys_height = self._page_keys_height
            columns, rows = self._choose_page_shape(columns, rows)
        self.update_texts()
        self.sentence.opacity, self.sentence.height = (1, self._sentence_height) if shows_sentence else (0, 0)
        envelope_width = self._envelope_width(self.width, columns)
        lines = self._name_line_count(envelope_width)
        names_height, gaps_height = envelope_name_height(lines), (rows - 1) * self._gap
        height_per_row = (
            self.height - self.sentence.height - self.spacing * 3 - gaps_height - page_keys_height
        ) / rows - names_height
        fitting_height = max(
            height_per_row / (1 + FLAP_HEIGHT_SHARE),
            height_per_row - envelope_width * MAX_FLAP_SHARE_OF_WIDTH,
        )
        envelope_height = min(
            envelope_width * MAX_ENVELOPE_HEIGHT_TO_WIDTH_RATIO,
            max(self._min_envelope_height, fitting_height),
        )
        self.row.height = (
            rows * (envelope_height + raised_flap_height(envelope_width, envelope_height) + names_height)
            + gaps_height
            + page_keys_height
        )
        self.row.cols, self.row.rows = columns, rows
        self._set_body(inf, envelope_height / envelope_width, lines)

    def _choose_page_shape(self, columns: int, rows: int) -> tuple[int, int]:
        """Returns the columns and rows of a page: all rows that fit, and no more columns than needed."""
        available_height = self.height - self._page_keys_height - 3 * self.spacing + 1

        def fits(columns: int, rows: int) -> bool:
            return bool(
                self._rows_height(rows, self._envelope_width(self.width, columns)) <= available_height
            )

        rows = next((fewer_rows for fewer_rows in range(rows - 1, 1, -1) if fits(columns, fewer_rows)), 1)
        pages = ceil(len(self.keys) / (columns * rows))
        even_columns = ceil(len(self.keys) / (pages * rows))
        return (even_columns if fits(even_columns, rows) else columns), rows

    def _open_answer_screen(self, seat: Seat) -> None:
        """Gives the screen to a seat, unless another seat has it: two fingers can touch two envelopes."""
        if self.answer_screen is not None and self.answer_screen.parent is not None:
            return
        answer_screen = SealedAnswerScreen(self.request.parts_by_seat[seat], self.view, seat)
        answer_screen.bind(
            on_sealed=lambda _, plain: self._seal(answer_screen, seat, plain),
            on_close=lambda _: self._forget_answer_screen(),
        )
        self.answer_screen = answer_screen
        self.app.stage.show_overlay(answer_screen, seat)

    def _seal(self, answer_screen: SealedAnswerScreen, seat: Seat, plain: object) -> None:
        """Sends the answer; closes the envelope if the game accepted it, which a new view shows."""
        previous_view = self.view
        self.dispatch("on_seat_answer", seat, plain)
        if self.answer_screen is answer_screen and self.view is not previous_view:
            answer_screen.close_envelope(self.unsealed_seats())

    def _forget_answer_screen(self) -> None:
        self.answer_screen = None

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: closes the private screen when the widget is removed."""
        if parent is None and self.answer_screen is not None:
            self.answer_screen.remove_from_screen()
