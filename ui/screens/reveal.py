"""The reveal: a drum-roll, envelopes open one by one, bids rise as bars, and a headline says who has won.

The winner's envelope opens last, after a pause; who wins is what the rules say.

The screen shows only what the view already shows to everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import ceil
from typing import Any, NamedTuple, TypeVar

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import PopMatrix, PushMatrix, Translate
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout

from companion.half_numbers import WholeOrHalf, number_from_json
from companion.requests import Counts, Request
from companion.session.view import OpenedEnvelopes, View
from companion.table.seats import Seat
from companion.texts import render, say_people
from ui import theme
from ui.events import EventMixin
from ui.host import get_companion_app
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.line_breaking import widest_word_width
from ui.widgets.drawing.surfaces import Box, FeltBackground, draw_grain, draw_shadow, fill_rounded_box
from ui.widgets.drawing.text import FittedLabel, measure_text_width, min_name_width, wrap_name
from ui.widgets.keys.key import Key, min_key_width_in_two_lines
from ui.widgets.seats.answer_rows import RevealRow
from ui.widgets.seats.envelope import Envelope, envelope_name_height
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.seat_slips import SeatSlip
from ui.widgets.sheets.opposite_headline import OppositeHeadline
from ui.words import join_as_list

SLIP_TO_ENVELOPE_WIDTH_RATIO = 0.88
"""A slip's share of its envelope's width."""
HIDDEN_SLIP_SHARE = 0.3
"""The share of an envelope's height that its slip, when out, reaches down behind its body."""
(
    ENVELOPE_WIDTH_SHARE,
    ENVELOPE_WIDTH_TO_BAR_HEIGHT_RATIO,
    ENVELOPE_HEIGHT_TO_WIDTH_RATIO,
    MIN_ENVELOPE_HEIGHT_IN_TARGETS,
) = 0.92, 0.75, 0.6, 0.4
"""The envelope: width to bar width, width to bar height, height to width, minimum height in targets."""
MAX_SLIPS_HEIGHT_SHARE = 0.4
"""The share of the page's height for a row of slips."""
MAX_TITLE_LINES, TITLE_HEIGHT_EM, TITLE_MARGIN_RATIO = 3, 1.5, 1.1
"""The title: its lines, its least height in letters of a question, and its height to that of its text."""
BID_RANGE_SHARE = 0.2
"""The least difference between the highest and the lowest slip, as a share of the bar's height."""
MAX_BID_RANGE_EM = 1.0
"""The most difference between them, in heights of a large number; with more, a slip is a blank strip."""
NUMBER_HEIGHT_EM = 1.1
"""The height of a number or a sum on a slip, in heights of its digits."""
MAX_NOTES_HEIGHT_SHARE = 0.45
"""The share of the page's height for the notes."""
MAX_REVEALED_ANSWER_LINES = 24
FOOT_HEIGHT_IN_ROWS = 1.1
"""The least height of the foot, with the key that closes the screen."""
ENVELOPE_TREMBLE_COUNT = 9
"""How often the envelopes tremble before they open."""


class EnvelopeOpening(NamedTuple):
    """The seconds after which the envelope of a seat opens."""

    seat: Seat
    seconds: float


class ListLine(NamedTuple):
    """The rows side by side in a list of answers, and the least height of the highest."""

    rows: Sequence[RevealRow]
    min_height: float


class BidBar(Envelope):
    """An envelope out of which the bid rises as a bar; `bid_share` is its share of the highest bid.

    The slip of a bid of 0 is as high as its number; that of another bid is higher in proportion to the bid.
    `lines` are an answer in words. `total` is the value of several numbers, large above the words, or "".
    """

    bid_share = NumericProperty(0.0)
    name_lines = NumericProperty(2)

    def __init__(self, *, lines: Sequence[str] = (), total: str = "", **kwargs: Any) -> None:
        self.total_label = FittedLabel(text=total, style="amount", halign="center", opacity=0)
        self._content = FittedLabel(
            text="\n".join(lines), style="body", lines=MAX_REVEALED_ANSWER_LINES, line_height=1.0
        )
        self._text_height_by_width: dict[float, float] = {}
        self.all_bars: Sequence[BidBar] = ()
        """All bars of the reveal: bars of equal bids are equally high, with any text on their slips."""
        self.max_number_width_em = 1.0
        """The width of the widest number, in heights of its digits; the digits of all are equally high."""
        super().__init__(is_waiting=False, **kwargs)
        if total:
            add_children(self, self.total_label)
        self.answer_label.style = "number"
        if lines:
            self.answer_text = self._content.text
            self.answer_label.style, self.answer_label.lines, self.answer_label.line_height = (
                "body",
                MAX_REVEALED_ANSWER_LINES,
                1.0,
            )

    def reserve_equal_name_lines(self, bar_width: float) -> None:
        """Makes room for all names below the envelopes.

        All names get as many lines as the longest needs, so that the envelopes are level.
        """
        lines = max(2, *(len(wrap_name(bar.name, bar_width)) for bar in self.all_bars))
        for bar in self.all_bars:
            bar.name_lines = lines

    @property
    def number_width_em(self) -> float:
        """Returns the width of the number on the slip, in heights of its digits; 1 for an answer in words."""
        size = theme.length.number
        return (
            1.0 if self._content.text else measure_text_width(self.answer_text, size, theme.MONEY_FONT) / size
        )

    @property
    def _min_text_height(self) -> float:
        """Returns the least height of the text on the slip."""
        if not self._content.text:
            return self._digit_height * NUMBER_HEIGHT_EM
        return self._text_height_at(self._text_width) + self._total_height + theme.length.gap

    @property
    def _digit_height(self) -> float:
        """Returns the height of the digits with which the widest number of the reveal fits on its slip."""
        min_envelope_height = theme.length.target * MIN_ENVELOPE_HEIGHT_IN_TARGETS
        available_height = self.height * (1 - BID_RANGE_SHARE) - self.name_area_height - min_envelope_height
        has_totals = any(bar.total_label.text for bar in self.all_bars)
        digit_height = min(
            theme.length.amount if has_totals else theme.length.number,
            available_height / NUMBER_HEIGHT_EM,
            self._text_width / self.max_number_width_em,
        )
        return float(max(theme.length.smallest, digit_height))

    @property
    def _total_height(self) -> float:
        return theme.length.amount * NUMBER_HEIGHT_EM if self.total_label.text else 0.0

    def _text_height_at(self, width: float) -> float:
        """Returns the least height of the text at a width; cached, as the bar is drawn in each frame."""
        if width not in self._text_height_by_width:
            self._text_height_by_width[width] = self._content.min_height_at(width)
        return self._text_height_by_width[width]

    @property
    def _lowest_bid_height(self) -> float:
        """Returns the height of the slip of the lowest bid."""
        return max([self._min_text_height, *(bar._min_text_height for bar in self.all_bars)])  # noqa: SLF001 - another bar

    def has_room_for_text(self, width: float, height: float) -> bool:
        """Returns whether the answer's text fits on a slip in a bar of this width and height."""
        text_width = width * ENVELOPE_WIDTH_SHARE * SLIP_TO_ENVELOPE_WIDTH_RATIO - 2 * theme.length.gap
        size, text = theme.length.smallest, self._content.text
        word_width = widest_word_width(text, lambda word: measure_text_width(word, size, bold=False))
        needed_height = self._text_height_at(text_width) + self._total_height
        return not text or (word_width <= text_width and needed_height <= height)

    @property
    def _text_width(self) -> float:
        """Returns the width for the text on the slip."""
        return self._envelope_width * SLIP_TO_ENVELOPE_WIDTH_RATIO - 2 * theme.length.gap

    def body_box(self) -> Box:
        """Returns the box of the envelope's body, which is above the name.

        The body is lower and narrower than that of other envelopes, because the bar needs the room above. If
        the slip has words, the box is as wide as possible, and lower if the words need more room.
        """
        width = self._envelope_width
        available_height = (
            self.height * (1 - BID_RANGE_SHARE) - self.name_area_height - self._lowest_bid_height
        )
        height = max(
            min(width * ENVELOPE_HEIGHT_TO_WIDTH_RATIO, available_height),
            theme.length.target * MIN_ENVELOPE_HEIGHT_IN_TARGETS,
        )
        height_above = self._lowest_bid_height + theme.length.number * MAX_BID_RANGE_EM
        unused_height = max(0.0, self.height - self.name_area_height - height - height_above)
        y = self.y + self.name_area_height + unused_height / 2
        return self.center_x - width / 2, y, width, height

    @property
    def _envelope_width(self) -> float:
        has_words = any(bar._content.text for bar in (self, *self.all_bars))  # noqa: SLF001 - other bars
        max_width = self.height * (1.0 if has_words else ENVELOPE_WIDTH_TO_BAR_HEIGHT_RATIO)
        return float(min(self.width * ENVELOPE_WIDTH_SHARE, max_width))

    def fits_in(self, width: float, height: float) -> bool:
        """Returns whether the bar fits in a size with its name, all words, and large digits."""
        lines = max(2, *(len(wrap_name(bar.name, width)) for bar in self.all_bars))
        has_words = any(bar._content.text for bar in self.all_bars)  # noqa: SLF001 - other bars
        max_width = height * (1.0 if has_words else ENVELOPE_WIDTH_TO_BAR_HEIGHT_RATIO)
        slip_width = min(width * ENVELOPE_WIDTH_SHARE, max_width) * SLIP_TO_ENVELOPE_WIDTH_RATIO
        text_height = theme.length.digit * NUMBER_HEIGHT_EM
        if self._content.text:
            text_height = self._text_height_at(slip_width - 2 * theme.length.gap)
            text_height += self._total_height + theme.length.gap
        envelope_height = theme.length.target * MIN_ENVELOPE_HEIGHT_IN_TARGETS
        needed_height = envelope_name_height(lines) + envelope_height + text_height
        return needed_height <= height * (1 - BID_RANGE_SHARE)

    def _draw_slip(self, body: Box) -> None:
        x, y, width, height = body
        text_height, lowest = self._min_text_height, self._lowest_bid_height
        bid_range = min(theme.length.number * MAX_BID_RANGE_EM, self.top - y - height - lowest)
        height_above = (lowest + max(0.0, bid_range) * self.bid_share) * self.slip
        slip = (
            x + width * (1 - SLIP_TO_ENVELOPE_WIDTH_RATIO) / 2,
            y + height * (1 - HIDDEN_SLIP_SHARE),
            width * SLIP_TO_ENVELOPE_WIDTH_RATIO,
            height * HIDDEN_SLIP_SHARE + height_above,
        )
        draw_shadow(slip, 0, 0.6)
        fill_rounded_box(theme.PAPER_LIT, slip, theme.length.radius * 0.4)
        draw_grain(slip, 0.05, theme.length.radius * 0.4)
        stripe = (slip[0], slip[1], theme.length.gap, slip[3])
        fill_rounded_box(theme.PLAYER_LOOKS[self.colour].colour, stripe, theme.length.radius * 0.4)
        x, top, width = slip[0] + theme.length.gap * 1.5, slip[1] + slip[3], slip[2] - theme.length.gap * 2
        answer_width = width
        if not self._content.text:
            answer_width = min(width, self.number_width_em * self._digit_height + theme.length.hair)
        self.answer_label.pos = (x + (width - answer_width) / 2, top - text_height)
        self.answer_label.size = (answer_width, text_height - self._total_height)
        self.total_label.pos, self.total_label.size = (
            (x, top - self._total_height),
            (width, self._total_height),
        )
        self.total_label.opacity = self.slip


class RevealScreen(EventMixin, FloatLayout):
    """The screen of a reveal, which opens all envelopes.

    The screen is over the table. A touch skips the animation, the brass key closes the screen.
    `is_flat`: people sit all round the screen. A key turns it, and the people opposite also read the title
    upside down at their edge if there is room. If it is known where they sit, each player has a slip
    at their edge instead, which says their answer and who has won.
    """

    tremble_offset = NumericProperty(0.0)
    __events__ = (
        "on_outcome",  # all envelopes are open, and the winner is lit up
        "on_close",  # people have closed the screen
    )

    def __init__(self, view: View, *, is_flat: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert view.opened_envelopes is not None
        self.app, self._opened = get_companion_app(), view.opened_envelopes
        self._list_lines: Sequence[ListLine] = ()
        self._outcome_shown_at: float | None = None
        self.notes: FittedLabel | None = None
        self._turn_key = self._make_turn_key() if is_flat else None
        sides = self.app.stage.side_by_seat if is_flat else {}
        self._slips = {seat: SeatSlip(seat) for seat in view.opened_envelopes.answers if seat in sides}
        self._margin = float(theme.length.gap if self._slips else theme.length.margin)
        self.app.stage.show_slips_around_overlay([*self._slips.values()])
        self._opposite_title = OppositeHeadline() if is_flat and not self._slips else None
        self.bars: dict[Seat, BidBar | RevealRow] = {
            **dict(_make_bars(view.opened_envelopes, self.app.lang, BidBar))
        }
        self._is_list = not self._do_answers_fit()
        if self._is_list:
            self.bars = {**dict(_make_bars(view.opened_envelopes, self.app.lang, RevealRow))}
        self.winners = view.winners
        headlines = [outcome.headline for outcome in view.outcomes if outcome.winners]
        self._headline = "\n".join(render(headline, self.app.lang) for headline in headlines)
        self.notes_text = join_as_list(
            [render(note, self.app.lang) for note in view.notes if note not in headlines]
        )
        self._place_opposite_title_soon = Clock.create_trigger(self._place_opposite_title, -1)
        self._page = self._make_page(render(view.opened_envelopes.question.text, self.app.lang))
        add_children(self, FeltBackground(), self._page)
        self._steps = [
            Clock.schedule_once(
                lambda _: self._open_envelopes(), theme.animation_seconds(theme.REVEAL_PAUSE_SECONDS)
            )
        ]
        self._start_trembling()

    def _make_turn_key(self) -> Key:
        """Builds the key that turns the page to the people opposite."""
        key = Key(name="turn", icon="turn", look="felt", size_hint_x=None)
        key.width = max(min_key_width_in_two_lines("", "turn"), key.width_with_caption())
        key.bind(on_release=lambda _: self.app.stage.turn_to_opposite_side())
        return key

    def _make_page(self, heading: str) -> BoxLayout:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=self._margin, spacing=sizes.gap)
        self.title = FittedLabel(
            style="question",
            is_on_felt=True,
            halign="center",
            lines=MAX_TITLE_LINES,
            line_height=1.0,
            size_hint_y=None,
        )
        self._show_title(heading)
        self._grid = grid = self._make_grid()
        with grid.canvas.before:
            PushMatrix()
            shift = Translate()
        with grid.canvas.after:
            PopMatrix()
        self.bind(tremble_offset=lambda _, x: setattr(shift, "x", x))
        self.foot = BoxLayout(size_hint_y=None, height=sizes.row * FOOT_HEIGHT_IN_ROWS, spacing=sizes.space)
        self.bind(size=self._fit_foot)
        sentence = self.app.tr("Everybody has answered.")
        add_children(
            self.foot,
            *([self._turn_key] if self._turn_key is not None else []),
            FittedLabel(text=sentence, style="question", is_on_felt=True, halign="center"),
        )
        return add_children(page, self.title, grid, self.foot)

    def _show_title(self, text: str) -> None:
        """Shows a title in the height of a question, or in more if it needs more."""
        sizes, width = theme.length, self.app.stage.next_page_size[0] - 2 * self._margin
        self.title.text = text
        self.title.height = max(
            sizes.question * TITLE_HEIGHT_EM, self.title.min_height_at(width) * TITLE_MARGIN_RATIO
        )

    def _do_answers_fit(self) -> bool:
        """Returns whether all answers in words fit on their slips."""
        bars = [bar for bar in self.bars.values() if isinstance(bar, BidBar)]
        rows, width = self._row_count, self._bar_width(self._row_count)
        height = self.app.stage.next_page_size[1] * MAX_SLIPS_HEIGHT_SHARE / rows
        return all(bar.has_room_for_text(width, height) for bar in bars)

    @property
    def _row_count(self) -> int:
        """The rows of envelopes: two for many, and on an upright screen also for names with long words."""
        names = [bar.name for bar in self.bars.values()]
        has_long_words = max(map(min_name_width, names)) > self._bar_width(1)
        is_crowded = self.app.stage.is_next_page_portrait and len(names) > 1 and has_long_words
        return 2 if is_crowded or len(names) > MAX_FULL_DETAIL_PANELS else 1

    def _bar_width(self, rows: int) -> float:
        """Returns the width of each envelope in so many rows."""
        sizes, columns = theme.length, ceil(len(self.bars) / rows)
        page_width = self.app.stage.next_page_size[0] - 2 * (self._margin + self._grid_margin(rows))
        return float((page_width - sizes.space * (columns - 1)) / columns)

    def _grid_margin(self, rows: int) -> float:
        """Returns the margin at both sides of the envelopes; there is none if they need the width."""
        is_narrow = rows > 1 or self.app.stage.is_next_page_portrait
        return 0.0 if is_narrow else float(theme.length.margin)

    def _make_grid(self) -> GridLayout:
        """Returns the envelopes side by side, many in two rows; long answers as a list."""
        sizes, many = theme.length, len(self.bars) > MAX_FULL_DETAIL_PANELS
        if self._is_list:
            return add_children(GridLayout(cols=self._arrange_list(), spacing=sizes.gap), *self.bars.values())
        rows = self._row_count
        grid = GridLayout(rows=rows, cols=ceil(len(self.bars) / rows), padding=(self._grid_margin(rows), 0))
        grid.spacing = sizes.gap if many else sizes.space
        bid_bars = [bar for bar in self.bars.values() if isinstance(bar, BidBar)]
        max_number_width_em = max(bar.number_width_em for bar in bid_bars)
        for bar in bid_bars:
            bar.all_bars, bar.max_number_width_em = bid_bars, max_number_width_em
            bar.bind(width=lambda bar, width: bar.reserve_equal_name_lines(width))
        return add_children(grid, *bid_bars)

    def _arrange_list(self) -> int:
        """Shares the height among the rows; returns the number of columns: two if one has no room."""
        width, height = self.app.stage.next_page_size
        width, height = width - 2 * self._margin, height - 2 * self._margin
        height -= self.title.height + theme.length.row * FOOT_HEIGHT_IN_ROWS + 2 * theme.length.gap
        rows = [bar for bar in self.bars.values() if isinstance(bar, RevealRow)]
        is_portrait, many = self.app.stage.is_next_page_portrait, len(rows) > MAX_FULL_DETAIL_PANELS
        lines_by_columns = {
            columns: _measure_list_lines(rows, columns, width)
            for columns in ((1,) if is_portrait else (2,) if many else (1, 2))
        }

        def missing_height(columns: int) -> float:
            return float(max(0.0, _min_height_of_list(lines_by_columns[columns]) - height))

        columns = min(lines_by_columns, key=missing_height)
        self._list_lines = lines_by_columns[columns]
        self._share_list_height(height)
        return columns

    def _share_list_height(self, height: float) -> None:
        """Gives each line of a list the height that it needs, and an equal share of what is left."""
        spare_height = max(0.0, height - _min_height_of_list(self._list_lines))
        for rows, min_height in self._list_lines:
            for row in rows:
                row.size_hint_y = min_height + spare_height / len(self._list_lines)

    def _start_trembling(self) -> None:
        if theme.reduced_motion:
            return
        distance, seconds = theme.length.line, theme.REVEAL_PAUSE_SECONDS / ENVELOPE_TREMBLE_COUNT / 2
        tremble = Animation(tremble_offset=distance, duration=seconds) + Animation(
            tremble_offset=-distance, duration=seconds
        )
        tremble.repeat = True
        tremble.start(self)

    def _open_envelopes(self) -> None:
        """Opens the envelopes one after the other, then shows the outcome."""
        Animation.cancel_all(self, "tremble_offset")
        self.tremble_offset = 0.0
        seconds = 0.0
        for opening in self._plan_openings():
            seconds = opening.seconds
            if seconds:
                open_envelope = partial(self._open_envelope, opening.seat)
                self._steps.append(Clock.schedule_once(open_envelope, seconds))
            else:
                self._open_envelope(opening.seat)
        seconds += theme.animation_seconds(theme.TURN_SECONDS) + theme.animation_seconds(theme.SLIDE_SECONDS)
        self._steps.append(Clock.schedule_once(lambda _: self._show_outcome(), seconds))

    def _open_envelope(self, seat: Seat, *_: object) -> None:
        self.bars[seat].open(self.bars[seat].answer_text)
        self._show_answer_on_slip(seat)

    def _show_answer_on_slip(self, seat: Seat) -> None:
        """Shows a player's own answer, which is a number or words, on the player's slip."""
        if (slip := self._slips.get(seat)) is None:
            return
        answer, lines = self._opened.answers[seat], _answer_lines(self._opened, seat, self.app.lang)
        has_number = isinstance(answer, int) or (isinstance(answer, dict) and len(answer) > 1)
        slip.number = str(_amount(self._opened.question.parts_by_seat[seat], answer)) if has_number else ""
        slip.texts = [] if has_number else [join_as_list(lines)]

    def _plan_openings(self) -> Iterator[EnvelopeOpening]:
        """Yields when each envelope opens: in the order of the seats, after a pause those of all winners.

        Without motion all open at once.
        """
        interval = theme.animation_seconds(
            min(theme.NEXT_ENVELOPE_SECONDS, theme.ALL_ENVELOPES_SECONDS / len(self.bars))
        )
        others = [seat for seat in self.bars if seat not in self.winners]
        for index, seat in enumerate(others):
            yield EnvelopeOpening(seat, index * interval)
        pause = theme.animation_seconds(theme.WINNER_PAUSE_SECONDS) if others else 0.0
        last = max(0, len(others) - 1) * interval + pause
        for seat in self.bars:
            if seat in self.winners:
                yield EnvelopeOpening(seat, last)

    def _show_outcome(self) -> None:
        """Lights up the winner, says large who has won, and shows notes and the closing key.

        Without a winner the title still says what was asked.
        """
        self._steps.clear()
        self._outcome_shown_at = Clock.get_time()
        for seat, bar in self.bars.items():
            bar.is_winner = seat in self.winners
        for seat, slip in self._slips.items():
            slip.is_winner = seat in self.winners
            who_won = self._sentences_about_winners
            slip.texts = [
                *(f"{text}\n{line}" for text in slip.texts for line in who_won),
                *who_won,
                *slip.texts,
            ]
        if self._headline:
            self.title.style = "headline"
            self._show_title(self._headline)
        self.foot.clear_widgets()
        go_on = Key(text=self.app.tr("Go on"), look="brass", name="go on", size_hint_x=None)
        go_on.width = theme.length.target * 2.6
        go_on.bind(on_release=lambda _: self.close())
        if self._turn_key is not None:
            self.foot.add_widget(self._turn_key)
        self.notes = FittedLabel(
            text=self.notes_text,
            style="key",
            is_on_felt=True,
            lines=MAX_REVEALED_ANSWER_LINES,
            line_height=theme.NOTE_LINE_HEIGHT,
        )
        add_children(self.foot, self.notes, go_on)
        self._fit_foot()
        self.dispatch("on_outcome")

    @property
    def _sentences_about_winners(self) -> Sequence[str]:
        """Returns sentences that say who has won, the longest first; none if nobody has."""
        sentences = [self._headline] if self._headline else []
        if len(self.winners) == 1:
            sentences.append(self.app.tr("{name} wins!", name=self.winners[0].name))
        elif self.winners:
            names = render(say_people(self.winners), self.app.lang)
            sentences.append(self.app.tr("{names} share the win!", names=names))
        return sentences

    def _fit_foot(self, *_: object) -> None:
        """Fits the notes into the foot, up to a share of the page; the table shows longer notes.

        The key that turns the page has a word, with or without its icon, unless that makes the foot higher.
        """
        if self.notes is None or self.width <= 1:
            return
        min_height = theme.length.row * FOOT_HEIGHT_IN_ROWS
        space_beside_list = self.height - self.title.height - 2 * (self._margin + theme.length.gap)
        space_beside_rows = space_beside_list - _min_height_of_list(self._list_lines)
        max_height = max(min_height, min(self.height * MAX_NOTES_HEIGHT_SHARE, space_beside_rows))
        self.notes.line_height = theme.NOTE_LINE_HEIGHT
        if self._notes_height_beside_turn_key("turn", "") > max_height:
            self.notes.line_height = 1.0
        notes_height = self._notes_height_beside_turn_key("turn", "")
        word = self.app.tr("Turn round")
        if self._turn_key and not any(
            self._notes_height_beside_turn_key(icon, word) <= max(min_height, notes_height)
            for icon in ("turn", "")
        ):
            self._notes_height_beside_turn_key("turn", "")
        self.notes.opacity = 1.0 if notes_height <= max_height else 0.0
        self.foot.height = max(min_height, notes_height) if self.notes.opacity else min_height
        self._share_list_height(space_beside_list - self.foot.height)
        self._place_opposite_title_soon()

    def _place_opposite_title(self, _seconds: float) -> None:
        """Shows the title also to the people opposite, if all answers stay readable."""
        if self._opposite_title is None:
            return
        sizes, title, grid = theme.length, self._opposite_title, self._grid
        width, height = self.width - 2 * self._margin, self.height - 2 * self._margin
        title.label.text = self.title.text
        title.fit_height(width)
        height -= title.height + self.title.height + self.foot.height + 3 * sizes.gap
        rows, (column_gap, row_gap) = ceil(len(self.bars) / grid.cols), grid.spacing
        bar_width = (width - 2 * grid.padding[0] - column_gap * (grid.cols - 1)) / grid.cols
        bar_height = (height - row_gap * (rows - 1)) / rows
        has_room = all(bar.fits_in(bar_width, bar_height) for bar in self.bars.values())
        if has_room:
            self._share_list_height(height)
        title.show_at_top_of(self._page, has_room=has_room)

    def _notes_height_beside_turn_key(self, icon: str, word: str) -> float:
        """Labels the key that turns the page, if there is one; returns the height that the notes need."""
        assert self.notes is not None
        sizes = theme.length
        if self._turn_key is not None:
            self._turn_key.icon, self._turn_key.text = icon, word
            self._turn_key.width = min_key_width_in_two_lines(word, icon)
        keys_width = sum(key.width + sizes.space for key in self.foot.children if key is not self.notes)
        return float(self.notes.min_height_at(self.width - 2 * self._margin - keys_width))

    @property
    def can_be_closed(self) -> bool:
        """Returns whether people could read the outcome, or have closed the screen."""
        shown_at = self._outcome_shown_at
        return self.parent is None or (
            shown_at is not None and Clock.get_time() - shown_at >= theme.REVEAL_PAUSE_SECONDS
        )

    def skip_to_end(self) -> None:
        """Ends the animation, and opens everything at once."""
        for step in self._steps:
            step.cancel()
        Animation.cancel_all(self, "tremble_offset")
        self.tremble_offset = 0.0
        for seat, bar in self.bars.items():
            bar.skip_animation()
            self._show_answer_on_slip(seat)
        self._show_outcome()

    def close(self) -> None:
        """Stops all motion and closes the screen."""
        for step in self._steps:
            step.cancel()
        Animation.cancel_all(self, "tremble_offset")
        detach_from_parent(self)
        self.dispatch("on_close")

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: the slips go with the screen."""
        if parent is None and self._slips:
            self.app.stage.show_slips_around_overlay(())

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch: skips to the end of the animation while it runs.

        Every touch is handled here, so that nothing below gets it. Only the brass key closes the screen.
        The key that turns the screen skips nothing.
        """
        if self._turn_key is not None and self._turn_key.on_touch_down(touch):
            return True
        if self._steps:
            self.skip_to_end()
        else:
            super().on_touch_down(touch)
        return True


def _measure_list_lines(rows: Sequence[RevealRow], columns: int, width: float) -> list[ListLine]:
    """Returns the lines of a list of that many columns and that width."""
    row_width = (width - theme.length.gap * (columns - 1)) / columns
    lines = [rows[start : start + columns] for start in range(0, len(rows), columns)]
    return [ListLine(line, max(row.min_height_at(row_width) for row in line)) for line in lines]


def _min_height_of_list(lines: Sequence[ListLine]) -> float:
    """Returns the least height of all lines of a list, with the gaps; 0 without lines."""
    return sum(line.min_height for line in lines) + theme.length.gap * max(0, len(lines) - 1)


Bar = TypeVar("Bar", BidBar, RevealRow)


def _make_bars(opened: OpenedEnvelopes, lang: str, bar_type: type[Bar]) -> Iterator[tuple[Seat, Bar]]:
    """Yields a bar for each seat: higher for a higher bid, with words for another answer."""
    parts = opened.question.parts_by_seat
    amounts = {seat: _amount(parts[seat], answer) for seat, answer in opened.answers.items()}
    highest = max(amounts.values(), default=0) or 1
    for seat, answer in opened.answers.items():
        has_total = isinstance(answer, dict) and len(answer) > 1
        bar = bar_type(
            colour=seat.colour,
            name=seat.name,
            lines=_answer_lines(opened, seat, lang),
            total=str(amounts[seat]) if has_total else "",
        )
        if isinstance(answer, int):
            bar.answer_text = str(amounts[seat])
        bar.bid_share = float(max(0, amounts[seat])) / float(highest)
        yield seat, bar


def _amount(question: Request[Any], answer: Any) -> WholeOrHalf:
    """Returns a number, or the value of several; 0 for other answers."""
    if isinstance(question, Counts):
        return question.value_of(answer)
    return number_from_json(question.answer_to_json(answer)) or 0


def _answer_lines(opened: OpenedEnvelopes, seat: Seat, lang: str) -> list[str]:
    """Returns the lines of an answer that isn't a number."""
    answer = opened.answers[seat]
    if isinstance(answer, int):
        return []
    return [render(line, lang) for line in opened.question.parts_by_seat[seat].revealed_answer_lines(answer)]
