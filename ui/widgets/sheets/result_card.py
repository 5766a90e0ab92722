"""The card that shows what has been decided, such as a battle or a sale, and who gains or loses what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product, zip_longest
from math import inf
from typing import Any, NamedTuple

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.half_numbers import WholeOrHalf
from companion.rules.scene_views import MatView
from companion.scenes import number_in_piece_name
from companion.session.view_changes import PublicMove
from companion.table.ledger import Piece
from companion.table.outcomes import Outcome, ScoreTable
from companion.table.seats import Seat
from companion.texts import Labelled, render
from ui import theme
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, PaperBoxLayout, draw_border, inset_box
from ui.widgets.drawing.symbols import draw_icon
from ui.widgets.drawing.text import (
    FittedLabel,
    draw_text,
    measure_text_width,
    min_name_width,
    wrap_name,
)
from ui.widgets.pieces.glyph import MarkWidget
from ui.widgets.pieces.marks import (
    PAPER_TEXT_COLOURS,
    DigitsMark,
    HorizontalGroup,
    Mark,
    TextMark,
    TokenMark,
)
from ui.widgets.pieces.rows import MarkRows, flow_into_rows, place_rows, rows_height
from ui.widgets.pieces.signs_of_change import format_signed_change
from ui.widgets.pieces.worded import (
    has_picture,
    make_paper_table_label_mark,
    make_piece_mark,
    make_quiet_label_mark,
)
from ui.widgets.sheets.opposite_headline import OppositeHeadline
from ui.widgets.sheets.overlays import MAX_NOTICE_LINES, TimedNotice, make_close_key
from ui.words import render_sentence

TABLE_LINE_HEIGHTS_IN_GLYPHS = (1.9, 1.7, 1.5, 1.35, 1.25)
"""Heights of a line of a table to try, as shares of a glyph."""
MIN_LINE_HEIGHT_IN_GLYPHS = TABLE_LINE_HEIGHTS_IN_GLYPHS[-1]
NAME_LINE_HEIGHT_EM = 1.2
"""The height of a line of a name in several lines, in heights of its letters."""
MAX_LINES_BESIDE_PICTURE, HEADLINE_LINE_EM = 3, 1.35
"""Most lines of a headline beside a picture in a narrow card, and the height of each in its letters."""
MAX_WINNERS_WITH_SIGN = 3
"""Most winners whose signs stand before the headline."""


class PlayerGains(NamedTuple):
    """What a player has gained or lost, as marks."""

    seat: Seat
    marks: Sequence[Mark]


def find_gains(
    moves: Iterable[PublicMove],
    mats: Iterable[MatView],
    changes_by_seat: Mapping[Seat, Mapping[int, WholeOrHalf]],
    lang: str,
) -> Iterator[PlayerGains]:
    """Yields what each player who has gained or lost something has more and less, as everybody sees it.

    Pieces that only moved among places of one player are left out, and so are markers, unless the player's
    panel shows how their number changes. How much money the panel shows says no more.
    """
    piece_moves = [move for move in moves if not move.piece.is_marker]
    for mat in mats:
        gains = find_piece_gains([move for move in piece_moves if move.place.seat == mat.seat], mat)
        marks = [_make_piece_gain_mark(gain, lang) for gain in gains]
        for index, change in changes_by_seat.get(mat.seat, {}).items():
            cell = mat.cells[index] if index >= 0 else None
            if cell is not None and cell.label is not None and not cell.is_money:
                name = make_quiet_label_mark(cell.name, lang, PAPER_TEXT_COLOURS)
                marks.append(
                    HorizontalGroup(name, _make_number_mark(format_signed_change(change)), gap_share=0.25)
                )
        if marks:
            yield PlayerGains(mat.seat, marks)


class PieceGain(NamedTuple):
    """How many more or fewer of a piece a player has: `label` says where, if that must be said."""

    piece: Piece
    change: int
    label: Labelled | None = None


def find_piece_gains(moves: Sequence[PublicMove], mat: MatView) -> Iterator[PieceGain]:
    """Yields what a player has gained or lost by moves at the player's places.

    A piece whose number has a sign such as −6 on the player's panel has the same number here, under the same
    name. What moved at other places comes with the name of the place: a bet, for instance, that left the
    purse before; it is left out if it only went to the number or came from it. Of any other piece all is
    added up.
    """
    cells = [cell for cell in (mat.headline, *mat.cells) if cell is not None and cell.shows_change]
    for piece in dict.fromkeys(move.piece for move in moves):
        change_by_place = {move.place: move.difference for move in moves if move.piece == piece}
        shown = list[PieceGain]()
        piece_cells = [cell for cell in cells if piece in [counted for _, counted in cell.accounts]]
        for cell in piece_cells:
            change = sum(change_by_place.pop(place, 0) for place, _ in cell.accounts)
            shown += [PieceGain(piece, change, cell.label)] if change else []
        if piece_cells:
            elsewhere = [PieceGain(piece, change, place.name) for place, change in change_by_place.items()]
        else:
            elsewhere = [PieceGain(piece, change)] if (change := sum(change_by_place.values())) else []
        yield from _without_opposites(shown, elsewhere)


def _without_opposites(shown: list[PieceGain], elsewhere: Iterable[PieceGain]) -> list[PieceGain]:
    """Returns the gains without each one elsewhere that only went to another place or came from there."""
    remaining = [*shown]
    for gain in elsewhere:
        opposite = next((each for each in remaining if each.change == -gain.change), None)
        if opposite is None:
            remaining.append(gain)
        else:
            remaining.remove(opposite)
    return remaining


def _make_piece_gain_mark(gain: PieceGain, lang: str) -> Mark:
    """Returns the mark of a gain, behind the name of its place if that must be said."""
    mark = _make_piece_change_mark(gain.piece, gain.change, lang)
    if gain.label is None:
        return mark
    return HorizontalGroup(make_quiet_label_mark(gain.label, lang, PAPER_TEXT_COLOURS), mark, gap_share=0.25)


def _make_piece_change_mark(piece: Piece, change: int, lang: str) -> Mark:
    """Returns the picture of a piece with a sign such as +3, or a sign with the name of a piece."""
    mark = make_piece_mark(piece, lang, PAPER_TEXT_COLOURS)
    if has_picture(piece):
        return HorizontalGroup(mark, _make_number_mark(format_signed_change(change)), gap_share=0.12)
    sign = format_signed_change(change)[0]
    if abs(change) == 1:
        return HorizontalGroup(_make_number_mark(sign), mark, gap_share=0.12)
    return TextMark(f"{sign}{render(piece.quantity_text(abs(change)), lang)}", theme.INK)


def _make_number_mark(text: str) -> Mark:
    return DigitsMark(text, theme.INK)


class ColumnMark(Mark):
    """A mark in a column, at its left or right edge."""

    def __init__(self, mark: Mark, column_width: float, *, is_right: bool) -> None:
        self._mark, self._width, self._is_right = mark, column_width, is_right
        self.visible_text = mark.visible_text

    def width_at(self, line_height: float) -> float:  # noqa: ARG002 - the column has one width
        """Returns the width of the column."""
        return self._width

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the mark in its column."""
        offset = self._width - self._mark.width_at(line_height) if self._is_right else 0.0
        self._mark.draw(x + offset, y, line_height)


class GainsList(AutoRedrawWidget):
    """A list of players, each with gains and losses in columns, and the digits at the right of each column.

    If the columns are too wide, the gains of each player follow the name.
    """

    def __init__(self, gains: Sequence[PlayerGains], **kwargs: Any) -> None:
        self._gains = gains
        super().__init__(size_hint_y=None, **kwargs)

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for screen readers and for tests."""
        return [
            text
            for seat, marks in self._gains
            for text in (seat.name, *[mark.visible_text for mark in marks if mark.visible_text])
        ]

    def needed_height(self, width: float) -> float:
        """Returns the height of all players at a width."""
        return rows_height(self._rows(width), _line_height(), theme.length.gap * 0.5)

    def _rows(self, width: float) -> MarkRows:
        line_height, space = _line_height(), theme.length.space
        rows = [
            [HorizontalGroup(TokenMark(seat), TextMark(seat.name, theme.INK), gap_share=0.25), *marks]
            for seat, marks in self._gains
        ]
        widths = [
            max(mark.width_at(line_height) for mark in column if mark is not None)
            for column in zip_longest(*rows)
        ]
        if sum(widths) + space * (len(widths) - 1) > width:
            return [line for row in rows for line in flow_into_rows(row, line_height, width, space)]
        return [
            [ColumnMark(mark, widths[index], is_right=index > 0) for index, mark in enumerate(row)]
            for row in rows
        ]

    def draw(self) -> None:
        """Draws a row for each player, or more if one is too long."""
        gap = theme.length.space
        for placed in place_rows(
            self._rows(self.width), self.x, self.top, _line_height(), gap, theme.length.gap * 0.5
        ):
            placed.draw()


class NameLinesMark(Mark):
    """A name in lines of the smallest letters, which may be higher than the line."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self.visible_text, self._lines = name, lines

    def width_at(self, line_height: float) -> float:  # noqa: ARG002 - the letters have one size
        """Returns the width of the widest line."""
        return max(measure_text_width(line, theme.length.smallest) for line in self._lines)

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the lines, their middle in that of the line."""
        size = theme.length.smallest
        top = y + line_height / 2 + (len(self._lines) - 1) * size * NAME_LINE_HEIGHT_EM / 2
        for index, line in enumerate(self._lines):
            centre = (x + measure_text_width(line, size) / 2, top - index * size * NAME_LINE_HEIGHT_EM)
            draw_text(line, centre, size, theme.INK)


class ScoreTableWidget(AutoRedrawWidget):
    """The numbers that decided a round, in columns; the lines of winners have a brass frame.

    If whole names don't fit into `available_width`, they are in several lines.
    """

    def __init__(
        self,
        table: ScoreTable,
        winners: Sequence[Seat],
        lang: str,
        available_width: float,
        line_height: float,
        max_heading_size: float = inf,
        **kwargs: Any,
    ) -> None:
        self._table, self._winners, self.line_height = table, winners, line_height
        self.sentences = [render_sentence(line.sentence, lang) for line in table.lines]
        """Sentences that say the same as the lines."""
        headings = [
            make_paper_table_label_mark(text, lang, max_heading_size) for text in table.column_headings
        ]
        self._rows: list[list[Mark]] = [[Mark(), Mark(), *headings]]
        for line in table.lines:
            name = HorizontalGroup(TokenMark(line.seat), TextMark(line.seat.name, theme.INK), gap_share=0.25)
            pieces = [make_piece_mark(piece, lang, PAPER_TEXT_COLOURS) for piece in line.pieces]
            numbers = [_make_number_mark(str(number)) for number in line.numbers]
            self._rows.append([name, HorizontalGroup(*pieces) if pieces else Mark(), *numbers])
        self._row_height = line_height + theme.length.gap
        self.has_wrapped_names = False
        if table.lines and self.min_width > available_width:
            self._wrap_names(available_width)
        super().__init__(size_hint_y=None, height=self._row_height * len(self._rows), **kwargs)

    def _wrap_names(self, available_width: float) -> None:
        """Puts the names into lines that leave room for the numbers, if no word must be broken for that."""
        self.has_wrapped_names = True
        line_height, sizes = self.line_height, theme.length
        token_width = TokenMark(self._table.lines[0].seat).width_at(line_height) + 0.25 * line_height
        names = [line.seat.name for line in self._table.lines]
        other_width = self.min_width - self._column_widths(has_pieces=False)[0] + token_width
        name_width = max(available_width - other_width, *map(min_name_width, names))
        for row, line in zip(self._rows[1:], self._table.lines, strict=True):
            lines = wrap_name(line.seat.name, name_width)
            name = NameLinesMark(line.seat.name, lines)
            row[0] = HorizontalGroup(TokenMark(line.seat), name, gap_share=0.25)
            height = len(lines) * sizes.smallest * NAME_LINE_HEIGHT_EM + sizes.gap
            self._row_height = max(self._row_height, height)

    @property
    def min_width(self) -> float:
        """Width of all columns without the pieces."""
        return self._needed_width(has_pieces=False)

    def _needed_width(self, *, has_pieces: bool) -> float:
        widths = [width for width in self._column_widths(has_pieces=has_pieces) if width]
        return sum(widths) + theme.length.space * (len(widths) - 1)

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for screen readers and for tests."""
        return [mark.visible_text for row in self._rows for mark in row if mark.visible_text]

    def _column_widths(self, *, has_pieces: bool) -> list[float]:
        line_height = self.line_height
        widths = [max(row[i].width_at(line_height) for row in self._rows) for i in range(len(self._rows[0]))]
        return widths if has_pieces else [widths[0], 0.0, *widths[2:]]

    def draw(self) -> None:
        """Draws the columns, as far as they have room without the pieces."""
        line_height, gap = self.line_height, theme.length.gap
        has_pieces = self._needed_width(has_pieces=True) <= self.width
        widths, frame_height = self._column_widths(has_pieces=has_pieces), self._row_height - gap / 2
        for index, row in enumerate(self._rows):
            y = self.top - self._row_height * (index + 0.5) - line_height / 2
            if index and self._table.lines[index - 1].seat in self._winners:
                width = self._needed_width(has_pieces=has_pieces) + gap
                draw_border(
                    theme.BRASS,
                    (self.x - gap / 2, y + (line_height - frame_height) / 2, width, frame_height),
                    theme.length.rim,
                )
            x = self.x
            for column, (mark, width) in enumerate(zip(row, widths, strict=True)):
                if column != 1 or has_pieces:
                    offset = width - mark.width_at(line_height) if column > 1 else 0.0
                    mark.draw(x + offset, y, line_height)
                x += width + theme.length.space if width else 0.0


def _line_height() -> float:
    return theme.length.glyph * MIN_LINE_HEIGHT_IN_GLYPHS


def _make_score_tables(outcomes: Sequence[Outcome], lang: str, width: float) -> list[list[ScoreTableWidget]]:
    """Returns the numbers that decided in tables of several line heights, the best first.

    In the best ones no name needs several lines, and lines are high. The last ones have small headings.
    """
    glyph, smallest = theme.length.glyph, theme.length.smallest
    line_heights = [glyph * share for share in TABLE_LINE_HEIGHTS_IN_GLYPHS]
    tries = [
        [
            ScoreTableWidget(outcome.scores, outcome.winners, lang, width, line_height, max_heading_size)
            for outcome in outcomes
            if outcome.scores is not None
        ]
        for line_height, max_heading_size in [*((each, inf) for each in line_heights), (glyph, smallest)]
    ]
    return sorted(tries, key=lambda tables: any(table.has_wrapped_names for table in tables))


def make_largest_score_table(
    outcome: Outcome, lang: str, width: float, height: float
) -> ScoreTableWidget | None:
    """Returns the numbers that decided, in the largest lines that have room, or None if all are too wide.

    A table that is only too high is in the lowest lines.
    """
    tables = [table for (table,) in _make_score_tables([outcome], lang, width) if table.min_width <= width]
    fitting = [table for table in tables if table.height <= height]
    return next(iter(fitting), min(tables, key=lambda table: table.height, default=None))


class CloseMark(AutoRedrawWidget):
    """A cross in the upper right corner of a sheet that closes at a touch, as large as a key if it may be."""

    def __init__(self) -> None:
        side = theme.length.target
        super().__init__(size_hint=(None, None), size=(side, side), pos_hint={"top": 1})

    def draw(self) -> None:
        """Draws the cross."""
        draw_icon("cross", inset_box(self.box, (self.width - theme.length.glyph) / 2), theme.INK)


class CardRooms(NamedTuple):
    """Boxes on a page in which a card may lie, the best first, and the least height of the card.

    The last box is the whole page. With its least height the card covers the line that it repeats.
    """

    boxes: Sequence[Box]
    min_height: float


class ResultCard(TimedNotice):
    """A card over the table: what has been decided and all else that happened, who gains what, and who leads.

    `texts` are all sentences, with the headlines. `leader_text` says who leads; it is empty if that is hidden
    or nobody does. `heading` stands above all that has been decided. `page_size` is the size of the page over
    which the card is. `turn` turns the card to the people opposite, for whom the headlines are also upside
    down at their edge if there is room.
    The card goes after `seconds`, or only at a touch if they are None; then it has a key to close it.
    A card that goes by itself lies in the first of the `rooms` in which its headlines fit, so that people can
    read the question, or in one with room for the numbers that decided. It shows what else has room there; a
    touch on it calls `open_all` if that isn't everything. A touch beside it closes it, and also does what it
    does without the card.
    """

    def __init__(  # noqa: PLR0913 - each is a part of the card, or says where and how it is shown
        self,
        outcomes: Sequence[Outcome],
        texts: Sequence[str],
        gains: Sequence[PlayerGains],
        page_size: tuple[float, float],
        lang: str,
        seconds: float | None,
        *,
        leader_text: str = "",
        heading: str = "",
        rooms: CardRooms | None = None,
        open_all: Callable[[], object] | None = None,
        turn: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(seconds, turn if rooms is None else None, padding=theme.length.margin)
        self._is_brief, self._open_all, self._close_mark = seconds is not None, open_all, CloseMark()
        self._has_people_opposite = turn is not None
        self.has_more = rooms is not None and turn is not None
        """Whether a touch opens a larger card: this one leaves something out, or can't be turned."""
        self.texts = texts
        self._headlines = [
            *([heading] if heading else []),
            *(render_sentence(outcome.headline, lang) for outcome in outcomes),
        ]
        self.label = FittedLabel(lines=MAX_NOTICE_LINES, line_height=theme.NOTE_LINE_HEIGHT, valign="middle")
        if rooms is None:
            self._build_on_page(outcomes, gains, lang, leader_text, page_size)
        else:
            self._build_in_room(outcomes, gains, lang, leader_text, page_size, rooms)

    def _build_on_page(
        self,
        outcomes: Sequence[Outcome],
        gains: Sequence[PlayerGains],
        lang: str,
        leader_text: str,
        page_size: tuple[float, float],
    ) -> None:
        """Builds the card in the middle of the page, with everything that has room."""
        sizes = theme.length
        self._padding = sizes.margin
        self._width, max_height = page_size[0] - 4 * sizes.margin, page_size[1] - 2 * sizes.margin
        turn_keys = [self.turn_key] if self.turn_key is not None else []
        foot = turn_keys if page_size[1] > page_size[0] else []
        foot_height = sum(key.height + sizes.gap for key in foot)
        max_height -= foot_height
        close = self._close_mark if self._is_brief else make_close_key()
        keys = [close] if foot else [*turn_keys, close]
        head = self._make_head(outcomes, lang, keys, sizes.note)
        others = self._make_others(gains, leader_text)
        rows = self._make_fitting_rows(head, outcomes, lang, max_height, others)
        self._add_opposite_headline(rows, max_height)
        # The panels have signs such as +37, too, so gains are left out if there is no room.
        self._add_fitting_rows(rows, others, max_height)
        height = min(self._height_of(rows), max_height) + foot_height
        self._show_sheet([*rows, *foot], height, {"center_y": 0.5})

    def _build_in_room(
        self,
        outcomes: Sequence[Outcome],
        gains: Sequence[PlayerGains],
        lang: str,
        leader_text: str,
        page_size: tuple[float, float],
        rooms: CardRooms,
    ) -> None:
        """Builds the card at the top of the first room for its headlines, with what else has room there."""
        sizes = theme.length
        self._padding, self._close_mark.size = sizes.gap, (sizes.head, sizes.head)
        boxes = self._find_room_for_scores(outcomes, lang, rooms.boxes) or rooms.boxes
        head, (left, bottom, width, max_height) = self._choose_room_for_head(outcomes, lang, boxes)
        others = self._make_others(gains, leader_text)
        rows = self._make_fitting_rows(head, outcomes, lang, max_height, others)
        if self._height_of(rows) > max_height:
            rows, self.has_more = [head], True
        self._add_opposite_headline(rows, max_height)
        row_count = len(rows) + len(others)
        self._add_fitting_rows(rows, others, max_height)
        self.has_more = self.has_more or len(rows) < row_count
        self.padding = (left, page_size[1] - bottom - max_height, page_size[0] - left - width, 0)
        self._show_sheet(rows, min(max(self._height_of(rows), rooms.min_height), max_height), {"top": 1})

    def _find_room_for_scores(
        self, outcomes: Sequence[Outcome], lang: str, rooms: Sequence[Box]
    ) -> Sequence[Box]:
        """Returns the first room but the last one that has room for the numbers that decided, if any has."""
        if all(outcome.scores is None for outcome in outcomes):
            return ()
        all_headlines, has_more = self._headlines, self.has_more
        for room in rooms[:-1]:
            head, _ = self._choose_room_for_head(outcomes, lang, [room])
            rows = self._make_fitting_rows(head, outcomes, lang, room[3], ())
            self._headlines, self.has_more = all_headlines, has_more
            has_table = any(isinstance(row, ScoreTableWidget) for row in rows)
            if has_table and self._height_of(rows) <= room[3]:
                return [room]
        return ()

    def _choose_room_for_head(
        self, outcomes: Sequence[Outcome], lang: str, rooms: Sequence[Box]
    ) -> tuple[Widget, Box]:
        """Returns the head for the first room in which it fits, and that room; the last one if none does.

        A narrow head has no picture; a low one has only the last of several headlines.
        """
        sizes, all_headlines = theme.length, self._headlines
        head, room = BoxLayout(), rooms[-1]
        for room, headlines, shows_picture, letter_size in product(
            rooms, (all_headlines, all_headlines[-1:]), (True, False), (sizes.note, sizes.smallest)
        ):
            self._headlines, self._width = headlines, max(1.0, room[2] - 2 * self._padding)
            keys = [self._close_mark]
            head = self._make_head(outcomes, lang, keys, letter_size, shows_picture=shows_picture)
            max_height = MAX_LINES_BESIDE_PICTURE * letter_size * HEADLINE_LINE_EM if shows_picture else inf
            is_readable = self._headline_fits(head.height, max_height)
            if is_readable and self._height_of([head]) <= room[3]:
                break
        self.has_more = self.has_more or len(self._headlines) < len(all_headlines)
        return head, room

    def _headline_fits(self, head_height: float, max_height: float) -> bool:
        """Returns whether the headlines have no broken word, and aren't higher than they may be."""
        is_low_enough = head_height <= max(max_height, theme.length.head)
        return is_low_enough and self.headline.widest_word_width() <= self._headline_width

    def _show_sheet(self, rows: Sequence[Widget], height: float, pos_hint: Mapping[str, float]) -> None:
        self.sheet = PaperBoxLayout(
            padding=self._padding,
            spacing=theme.length.gap,
            size_hint_y=None,
            height=height,
            pos_hint={**pos_hint},
        )
        add_children(self, add_children(self.sheet, *rows))

    def _add_fitting_rows(self, rows: list[Widget], more_rows: Iterable[Widget], max_height: float) -> None:
        """Adds those of some more rows that fit into the height."""
        for row in more_rows:
            if self._height_of([*rows, row]) <= max_height:
                rows.append(row)

    def on_touch_down(self, touch: Any) -> bool:
        """Closes the card; a touch beside a card that goes by itself also goes on to what lies there.

        A touch on a card that isn't everything opens everything, unless it is on the cross.
        """
        if self._is_brief and not self.sheet.collide_point(*touch.pos):
            self.close()
            return False
        super().on_touch_down(touch)
        is_closed, is_on_cross = self.parent is None, self._close_mark.collide_point(*touch.pos)
        if is_closed and self.has_more and not is_on_cross and self._open_all is not None:
            self._open_all()
        return True

    def draw(self) -> None:
        """Draws a veil over the table, unless the card goes by itself: what is brief interrupts nobody."""
        if not self._is_brief:
            super().draw()

    def _make_others(self, gains: Sequence[PlayerGains], leader_text: str) -> list[Widget]:
        """Returns what comes below everything else: who gains what, and who leads."""
        self.leader_label = self._make_leader_label(leader_text)
        return [*self._make_gains_lists(gains), *([self.leader_label] if leader_text else [])]

    def _make_gains_lists(self, gains: Sequence[PlayerGains]) -> list[GainsList]:
        """Returns a list of the gains; none if nobody gains or loses anything."""
        if not gains:
            return []
        gains_list = GainsList(gains)
        gains_list.height = gains_list.needed_height(self._width)
        return [gains_list]

    def _add_opposite_headline(self, rows: list[Widget], max_height: float) -> None:
        """Puts the headlines also above all rows, upside down for the people opposite, if there is room.

        Only a card that can be turned has people opposite.
        """
        if not self._has_people_opposite:
            return
        headline = OppositeHeadline(self.headline.text, is_on_felt=False)
        headline.fit_height(self._width)
        if self._height_of([headline, *rows]) <= max_height:
            rows.insert(0, headline)

    def _make_leader_label(self, text: str) -> FittedLabel:
        label = FittedLabel(text=text, style="key", lines=2, size_hint_y=None, line_height=1.0)
        label.height = label.min_height_at(self._width) * theme.length.key / theme.length.smallest
        return label

    def _make_fitting_rows(
        self,
        head: Widget,
        outcomes: Sequence[Outcome],
        lang: str,
        max_height: float,
        others: Sequence[Widget],
    ) -> list[Widget]:
        """Returns the rows with the tables, or with their sentences if the tables are too large.

        The lines of the tables are as high as leaves room for the `others`, which come below the rows. The
        lines of the sentences are closer to each other only if the card has no room otherwise.
        """
        tries = _make_score_tables(outcomes, lang, self._width)
        for line_distance, below, tables in product((theme.NOTE_LINE_HEIGHT, 1.0), (others, ()), tries):
            self.label.line_height = line_distance
            rows = self._make_rows(head, tables)
            is_narrow_enough = all(table.min_width <= self._width for table in tables)
            if is_narrow_enough and self._height_of([*rows, *below]) <= max_height:
                return rows
        return self._make_rows(head, [])

    def _make_rows(self, head: Widget, tables: Sequence[ScoreTableWidget]) -> list[Widget]:
        """Returns the rows of the card: the head, these tables, and the sentences that say anything else."""
        shown = {*self._headlines, *(sentence for table in tables for sentence in table.sentences)}
        self.label.text = "\n".join(text for text in self.texts if text not in shown)
        return [head, *tables, *([self.label] if self.label.text else [])]

    def _height_of(self, rows: Sequence[Widget]) -> float:
        """Returns the height of the card with these rows."""
        sizes = theme.length
        label_height = float(self.label.min_height_at(self._width)) * sizes.body / sizes.smallest + sizes.line
        heights = [label_height if row is self.label else row.height for row in rows]
        return float(sum(heights) + sizes.gap * (len(rows) - 1) + 2 * self._padding)

    def _make_head(
        self,
        outcomes: Sequence[Outcome],
        lang: str,
        keys: Sequence[Widget],
        letter_size: float,
        *,
        shows_picture: bool = True,
    ) -> BoxLayout:
        """Builds the head: a picture of the piece or else the winners' signs, the headlines, the keys.

        The headlines have room for letters of a size.
        """
        sizes = theme.length
        pieces = [
            outcome.about
            for outcome in outcomes
            if outcome.about is not None
            and (has_picture(outcome.about) or number_in_piece_name(outcome.about) is not None)
        ]
        winners = list(dict.fromkeys(seat for outcome in outcomes for seat in outcome.winners))
        marks: list[Mark] = [make_piece_mark(piece, lang, PAPER_TEXT_COLOURS) for piece in pieces[:1]]
        marks = marks or [TokenMark(seat) for seat in winners[:MAX_WINNERS_WITH_SIGN]]
        marks = marks if shows_picture else []
        picture = MarkWidget(HorizontalGroup(*marks), height=sizes.head, pos_hint={"center_y": 0.5})
        picture_width = picture.width + sizes.space if marks else 0.0
        self.headline = FittedLabel(
            text="\n".join(self._headlines), style="question", lines=MAX_NOTICE_LINES, line_height=1.0
        )
        width = self._width - picture_width - sum(key.width + sizes.space for key in keys)
        self._headline_width = max(1.0, width)
        needed = self.headline.min_height_at(self._headline_width) * letter_size / sizes.smallest
        head = BoxLayout(
            spacing=sizes.space,
            size_hint_y=None,
            height=max(sizes.head, needed, *(key.height for key in keys)),
        )
        return add_children(head, *([picture] if marks else []), self.headline, *keys)
