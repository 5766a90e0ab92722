"""The parts of a game's table that front ends show: the mat of each seat and the middle.

A rulebook's scene function returns a `Scene` of such parts. A part names pieces and places, never widgets,
sizes or colours. `evaluate` turns it into labelled cells (`scene_views`), which the window, the terminal and
records draw; a new part that evaluates to these cells needs no code there.
Without a label, a part of the middle is named after its place, and a cell after its piece. A row on a mat or
on a card has no name then, and a single card of a numbered row shows its number.

A scene depends only on what was chosen before the match, and its numbers only on what a view shows, so it
can't leak anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.cards import Card, CardFace, Deck
from companion.errors import UserError
from companion.half_numbers import WholeOrHalf
from companion.requests import Raise, Request
from companion.rules.scene_views import (
    CardSpreadView,
    CellValue,
    CellView,
    GridView,
    LotRowView,
    LotView,
    MatView,
    RowView,
)
from companion.table.ledger import Ledger, Piece, Place
from companion.table.seats import Seat, Seats
from companion.table.table import OptionValue
from companion.texts import Labelled, Say, say

MIN_DIFFERENT_STANDINGS = 2
"""Fewest different numbers at which somebody leads."""
MAX_CROWNS = 3
"""Most seats that share the lead with a crown each; crowns of more distinguish nobody."""
ComputedValue = CellValue
"""A computed cell's value: a number, a pair (count, maximum), or None for a hidden count."""
PieceForSeat = Callable[[Seat], Piece]
"""A function that returns a seat's piece in the seat's own colour."""
CountByAccount = Mapping[tuple[Place, Piece], int | None]
"""The count of each account (place and piece); None is a hidden count."""


class SceneSetup(msgspec.Struct, frozen=True):
    """Everything that a scene may depend on: the seats, options and decks chosen before the match began."""

    seats: Seats
    options: Mapping[str, OptionValue]
    decks: Mapping[str, Deck]

    def deck(self, deck_name: str) -> Deck:
        """Returns the deck with that name, with the printed values of this match."""
        return self.decks[deck_name]


class VisibleTable(msgspec.Struct, frozen=True):
    """What one viewer can see of the table; the functions of a scene read it."""

    counts: CountByAccount
    faces: Mapping[Piece, CardFace]
    question: Request[Any] | None
    piles: Mapping[Place, tuple[Piece, ...]] = {}
    """Pieces of the places where their order counts, lowest first."""
    current_slot_by_place: Mapping[Place, Place] = {}
    """The current slot of each place in a row that closes up, as a place."""

    def count(
        self, piece: Piece, place_name: Say, seat: Seat | None = None, slot: int | None = None
    ) -> int | None:
        """Returns how many copies of a piece are at a place; None if the count is hidden."""
        return self.counts.get((Place(place_name, seat, slot), piece), 0)

    def visible_count_or_zero(
        self, piece: Piece, place_name: Say, seat: Seat | None = None, slot: int | None = None
    ) -> int:
        """Returns the visible count of a piece at a place; 0 if the count is hidden."""
        return self.count(piece, place_name, seat, slot) or 0

    def open_cards(self, place_name: Say, seat: Seat | None = None, slot: int | None = None) -> list[Card]:
        """Returns the cards that are face up at a place."""
        return [face.card for face in self.open_faces(Place(place_name, seat, slot))]

    def open_faces(self, place: Place) -> list[CardFace]:
        """Returns the faces of the open cards at a place, each as often as its card is there."""
        return [
            face for piece, face in self.faces.items() for _ in range(self.counts.get((place, piece)) or 0)
        ]

    @property
    def current_bids(self) -> Mapping[Seat, int]:
        """The bids so far by seat, if the open question is an open bid."""
        return self.question.bids if isinstance(self.question, Raise) else {}


class SceneReader:
    """Reads the visible table for the parts of a scene, and records which accounts they show."""

    def __init__(self, visible_table: VisibleTable) -> None:
        self.visible_table = visible_table
        self.shown_accounts: set[tuple[Place, Piece]] = set()

    def count(self, piece: Piece, place: Place) -> int | None:
        """Returns how many copies of a piece are at a place; None if the count is hidden."""
        self.shown_accounts.add((place, piece))
        return self.visible_table.counts.get((place, piece), 0)

    def open_card_faces(self, place: Place) -> tuple[CardFace, ...]:
        """Returns the faces of the open cards at a place, each as often as its card is there."""
        self.shown_accounts.update((place, piece) for piece in self.visible_table.faces)
        return tuple(self.visible_table.open_faces(place))

    def occupied_slots(self, place_name: Say) -> list[int]:
        """Returns the slots of a common place that aren't empty, in their order; a hidden count counts."""
        slots = {
            place.slot
            for (place, _), count in self.visible_table.counts.items()
            if count != 0 and place.slot is not None and place.seat is None and place.name == place_name
        }
        return sorted(slots)

    def markers(self, place: Place) -> list[Piece]:
        """Returns the markers at a place: pieces that exist only in Companion."""
        accounts = self.visible_table.counts
        return [piece for account_place, piece in accounts if account_place == place and piece.is_marker]

    def first_place_with(self, piece: Piece) -> Place | None:
        """Returns the first place that visibly has a piece; None if no place has it."""
        for account, count in self.visible_table.counts.items():
            if account[1] == piece and count is not None and count > 0:
                self.shown_accounts.add(account)
                return account[0]
        return None

    @property
    def question_subjects(self) -> tuple[object, ...]:
        """The pieces, cards and places that the open question is about."""
        return () if self.visible_table.question is None else self.visible_table.question.subjects


ReferencedAccounts = Iterator[tuple[Piece | PieceForSeat | None, Say]]
"""Pieces with the names of their places; the piece is None if only the place is known."""


class CountCell(msgspec.Struct, frozen=True):
    """A cell with the count of a piece at a place: on a mat the seat's own place, in the middle a common one.

    The pieces at `more_place_names` are counted, too.
    The cell is named after its piece, or by `label`. On a mat `piece` may be a function that returns the
    seat's own piece; then the cell is named after the place.
    `maximum`: the highest possible count. `hidden_when_zero`: in the middle, the cell is left out while the
    count is 0, and stays empty in a grid. `shows_change`: when the number changes, a sign such as +37 is
    shown beside it; money always has it. `is_detail`: a player's panel that is read from all sides of the
    table leaves the number to a touch.
    """

    piece: Piece | PieceForSeat
    place_name: Say
    slot: int | None = None
    label: Say | None = None
    maximum: int = 0
    hidden_when_zero: bool = False
    shows_change: bool = False
    more_place_names: tuple[Say, ...] = ()
    is_detail: bool = False

    def evaluate(self, reader: SceneReader, seat: Seat | None = None) -> CellView:
        """Returns the cell with the count for a seat, or for the middle if `seat` is None."""
        if isinstance(self.piece, Piece):
            piece, label = self.piece, self.label
        else:
            assert seat is not None
            # The mat says whose piece it is, so all seats have one name for it: the label, else the place.
            piece, label = self.piece(seat), self.label or self.place_name
        drawn_piece = None if self.label else piece
        names = (self.place_name, *self.more_place_names)
        accounts = [(Place(name, seat, self.slot), piece) for name in names]
        counts = [reader.count(piece, place) for place, piece in accounts]
        return CellView(
            drawn_piece,
            label,
            None if None in counts else sum(count or 0 for count in counts),
            self.maximum,
            shows_change=self.shows_change or piece.is_money,
            is_money=piece.is_money,
            accounts=tuple(accounts),
            is_detail=self.is_detail,
        )

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields the accounts that the cell counts."""
        for place_name in (self.place_name, *self.more_place_names):
            yield self.piece, place_name


class ComputedCell(msgspec.Struct, frozen=True):
    """A cell with a number that a function computes.

    `compute` receives the visible table and the seat of the mat (or None).
    `piece` is drawn instead of the label, which stays its name.
    `amendable_answer`: the number is an answer; the subject of that question and the seat that answered it.
    `hidden_when_zero`: in the middle, the cell is left out while the number is 0, and stays empty in a grid.
    `shows_change`: when the number changes, a sign such as +37 is shown beside it; money always has it.
    `is_total`: the number is the sum of others, so a panel needn't show another number that is equal. On the
    mat of a seat that is out, it doesn't count. `is_void`: the same for a number in the middle.
    `is_detail`: a player's panel that is read from all sides of the table leaves the number to a touch.
    """

    label: Say
    compute: Callable[[VisibleTable, Seat | None], ComputedValue]
    piece: Piece | None = None
    amendable_answer: tuple[Piece | Place, Seat] | None = None
    hidden_when_zero: bool = False
    shows_change: bool = False
    is_total: bool = False
    is_void: bool = False
    is_detail: bool = False

    def evaluate(self, reader: SceneReader, seat: Seat | None = None) -> CellView:
        """Returns the cell with its number for a seat, or for the middle if `seat` is None."""
        number = self.compute(reader.visible_table, seat)
        is_money = self.piece is not None and self.piece.is_money
        return CellView(
            self.piece,
            self.label,
            number,
            amendable_answer=self.amendable_answer,
            shows_change=self.shows_change or is_money,
            is_money=is_money,
            is_total=self.is_total,
            is_void=self.is_void and bool(number),
            is_detail=self.is_detail,
        )

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields no accounts, because the function may read any visible one."""
        yield from ()


class SeatBadge(msgspec.Struct, frozen=True):
    """A badge on a seat's mat while the seat has a piece, such as the start player marker.

    While a question is about the piece, such as who gets it, nobody has the badge.

    `sits_out`: a seat with this badge doesn't take part for now. `comes_later`: it takes part later, so its
    total will count.
    """

    piece: Piece
    place_name: Say
    label: Say | None = None
    sits_out: bool = False
    comes_later: bool = False

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields the account whose piece the badge shows."""
        yield self.piece, self.place_name


class PieceRow(msgspec.Struct, frozen=True):
    """A row of the pieces at a place, in this order; in a pile, in the pile's order.

    Without pieces the row shows the open cards there. With `shows_markers` it shows all markers there, such
    as lots won. `is_detail`: a player's panel that is read from all sides of the table leaves the row to a
    touch.
    """

    place_name: Say
    pieces: tuple[Piece, ...] = ()
    label: Say | None = None
    slot: int | None = None
    shows_markers: bool = False
    is_detail: bool = False

    def evaluate(self, reader: SceneReader, seat: Seat | None = None) -> RowView:
        """Returns the row with the pieces at a seat's place, or at a common place if `seat` is None."""
        place = Place(self.place_name, seat, self.slot)
        counts = [(piece, reader.count(piece, place)) for piece in self.pieces]
        if (pile := reader.visible_table.piles.get(place)) is not None:
            return RowView(
                self.label,
                tuple([(piece, 1) for piece in pile]),
                is_pile=True,
                place=place,
                is_detail=self.is_detail,
            )
        counted_pieces = [(piece, count) for piece, count in counts if count is None or count > 0]
        if self.shows_markers:
            marker_counts = [(piece, reader.count(piece, place)) for piece in reader.markers(place)]
            counted_pieces += [(piece, count) for piece, count in marker_counts if count]
        open_cards = () if self.pieces else reader.open_card_faces(place)
        return RowView(self.label, tuple(counted_pieces), open_cards, place=place, is_detail=self.is_detail)

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields the accounts that the row names: its place, then its pieces there."""
        yield None, self.place_name
        for piece in self.pieces:
            yield piece, self.place_name


class SeatMat(msgspec.Struct, frozen=True):
    """What the screen shows of each seat: a main number, then more cells, badges and rows.

    Everything else appears when the seat is touched.
    """

    headline: CountCell | ComputedCell | None = None
    cells: tuple[CountCell | ComputedCell, ...] = ()
    badges: tuple[SeatBadge, ...] = ()
    rows: tuple[PieceRow, ...] = ()

    def evaluate(self, reader: SceneReader, seat: Seat) -> MatView:
        """Returns the mat of one seat with its numbers, badges and rows."""
        badges = [badge for badge in self.badges if reader.count(badge.piece, Place(badge.place_name, seat))]
        is_out = any(badge.sits_out and not badge.comes_later for badge in badges)

        def evaluate_cell(cell: CountCell | ComputedCell) -> CellView:
            view = cell.evaluate(reader, seat)
            return replace(view, is_void=is_out and view.is_total and bool(view.value))

        return MatView(
            seat,
            headline=None if self.headline is None else evaluate_cell(self.headline),
            cells=tuple(map(evaluate_cell, self.cells)),
            badges=tuple(
                [
                    (badge.label or badge.piece, badge.sits_out)
                    for badge in badges
                    if badge.piece not in reader.question_subjects
                ]
            ),
            rows=tuple([row.evaluate(reader, seat) for row in self.rows]),
        )


GridLines = tuple[tuple[Labelled, tuple[CountCell | ComputedCell | None, ...]], ...]
"""The lines of a grid: a label and its cells. None is an empty cell."""


class CountGrid(msgspec.Struct, frozen=True):
    """A table of counts: a heading for each column, and labelled lines with one cell for each column.

    `lines` may be a function of the visible table, for instance if there is one line for each round played.
    `last_line_is_sum`: the last line is the sum of the lines before it.
    """

    column_headings: tuple[Labelled, ...]
    lines: GridLines | Callable[[VisibleTable], GridLines]
    last_line_is_sum: bool = False

    def evaluate(self, reader: SceneReader) -> GridView:
        """Returns the grid with its numbers; cells that are hidden while 0 stay empty."""
        lines = self.lines(reader.visible_table) if callable(self.lines) else self.lines
        line_views = [
            (label, tuple([_evaluate_grid_cell(cell, reader) for cell in cells])) for label, cells in lines
        ]
        return GridView(self.column_headings, tuple(line_views), self.last_line_is_sum)

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields the accounts of the grid's cells, unless a function returns its lines."""
        for _, cells in () if callable(self.lines) else self.lines:
            for cell in cells:
                if cell is not None:
                    yield from cell.referenced_accounts()


def _evaluate_grid_cell(cell: CountCell | ComputedCell | None, reader: SceneReader) -> CellView | None:
    if cell is None:
        return None
    view = cell.evaluate(reader)
    return None if cell.hidden_when_zero and view.value == 0 else view


class CardSpread(msgspec.Struct, frozen=True):
    """The open cards at a place, or a face-down card `back`, and what is `on_top` of them."""

    place_name: Say
    slot: int | None = None
    back: Piece | None = None
    on_top: tuple[CountCell | ComputedCell | PieceRow, ...] = ()
    label: Say | None = None

    def evaluate(self, reader: SceneReader) -> CardSpreadView:
        """Returns the cards at the place and what is on them."""
        place = Place(self.place_name, slot=self.slot)
        faces = reader.open_card_faces(place)
        count = reader.count(self.back, place) if self.back else 0
        return CardSpreadView(
            label=self.label or (self.place_name if self.slot is None else None),
            place=reader.visible_table.current_slot_by_place.get(place, place),
            open_cards=faces,
            back=self.back,
            back_count=None if count is None else max(0, count - len(faces)),
            on_top=tuple([part.evaluate(reader) for part in self.on_top]),
            is_subject=any(
                subject == place or subject in [face.card for face in faces]
                for subject in reader.question_subjects
            ),
        )

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields the accounts that the spread names: its back, then what is on the cards."""
        yield self.back, self.place_name
        for part in self.on_top:
            yield from part.referenced_accounts()


class CardPile(msgspec.Struct, frozen=True):
    """A pile of face-down cards with the number of cards."""

    piece: Piece
    place_name: Say
    label: Say | None = None

    def evaluate(self, reader: SceneReader) -> CellView:
        """Returns a cell with the number of cards in the pile."""
        count = reader.count(self.piece, Place(self.place_name))
        return CellView(self.piece, self.label or self.place_name, count, display="pile")

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields the account of the cards."""
        yield self.piece, self.place_name


class ProgressTrack(msgspec.Struct, frozen=True):
    """A track on which a marker has gone `position` of `steps` steps.

    `shows_step_begun`: the marker moves when a step is over, so that the step that has begun is one more.
    """

    label: Say
    position: CountCell | ComputedCell
    steps: int
    shows_step_begun: bool = False

    def evaluate(self, reader: SceneReader) -> CellView:
        """Returns a cell with the number of steps done or begun, of all steps."""
        steps_done = self.position.evaluate(reader).value
        value = steps_done if isinstance(steps_done, int) else 0
        if self.shows_step_begun:
            value = min(value + 1, self.steps)
        return CellView(None, self.label, value, self.steps, display="track")

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields the account of the track's marker."""
        yield from self.position.referenced_accounts()


class LotRow(msgspec.Struct, frozen=True):
    """A row of lots: pieces that are sold one by one from a place.

    A sold piece keeps its spot and shows its owner's sign.
    """

    place_name: Say
    pieces: tuple[Piece, ...]
    label: Say | None = None

    def evaluate(self, reader: SceneReader) -> LotRowView:
        """Returns each lot with its state: for sale, sold or gone."""
        return LotRowView(
            self.label or self.place_name, tuple([self._lot_view(piece, reader) for piece in self.pieces])
        )

    def _lot_view(self, piece: Piece, reader: SceneReader) -> LotView:
        place = reader.first_place_with(piece)
        owner = None if place is None else place.seat
        is_for_sale = place is not None and place.name == self.place_name
        return LotView(
            piece,
            is_subject=is_for_sale and piece in reader.question_subjects,
            owner=owner,
            is_gone=not is_for_sale and owner is None,
        )

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields the accounts that the row names: its place, then its pieces there."""
        yield None, self.place_name
        for piece in self.pieces:
            yield piece, self.place_name


class LotQueue(msgspec.Struct, frozen=True):
    """The lots that will be sold later, in their order; the part is shown while a lot waits.

    The lots are the markers at a place, or the open cards there from slot 1 to `slots`. Of cards that lie
    face down there, only their number is shown; `back` is their piece.
    """

    place_name: Say
    slots: int = 0
    back: Piece | None = None
    label: Say | None = None

    def evaluate(self, reader: SceneReader) -> RowView:
        """Returns the lots in their order, and the number of cards that lie face down."""
        markers = reader.markers(Place(self.place_name))
        counts = [(marker, reader.count(marker, Place(self.place_name))) for marker in markers]
        lots = [(marker, count) for marker, count in counts if count]
        faces: list[CardFace] = []
        hidden_count = 0
        for slot in reader.occupied_slots(self.place_name):
            if slot > self.slots:
                break
            place = Place(self.place_name, slot=slot)
            faces_in_slot = reader.open_card_faces(place)
            faces += faces_in_slot
            card_count = reader.count(self.back, place) if self.back else 0
            hidden_count += max(0, (card_count or 0) - len(faces_in_slot))
        if self.back and hidden_count:
            lots.append((self.back, hidden_count))
        return RowView(self.label or self.place_name, tuple(lots), tuple(faces))

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields no accounts, because a place for lots is on the table only when a lot comes there."""
        yield from ()


class AnnouncedLot(msgspec.Struct, frozen=True):
    """The lot that the open question is about, if people only name their lots; else the part isn't shown.

    Such a lot lies at no place of the table. `is_lot` says which pieces are such lots.
    """

    label: Say
    is_lot: Callable[[Piece], bool]

    def evaluate(self, reader: SceneReader) -> RowView:
        """Returns the lot as the subject of the question."""
        lots = [
            subject
            for subject in reader.question_subjects
            if isinstance(subject, Piece) and self.is_lot(subject)
        ]
        return RowView(self.label, tuple([(lot, 1) for lot in lots]), is_subject=bool(lots))

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields no accounts, because the lot lies at no place."""
        yield from ()


MiddlePart = (
    CountGrid
    | CardSpread
    | CardPile
    | ProgressTrack
    | LotRow
    | LotQueue
    | AnnouncedLot
    | CountCell
    | ComputedCell
    | PieceRow
)
"""A part that a scene can show in the middle of the table."""


def find_leaders(
    seats: Iterable[Seat],
    visible_standing: Callable[[Seat], WholeOrHalf | None],
    *,
    lowest_leads: bool = False,
) -> tuple[Seat, ...]:
    """Returns the seats with the highest number, or with the lowest if `lowest_leads`.

    `seats` are those that can still win: a player who is out ranks behind them, whatever the number.
    Returns no seat if all numbers are equal, or if one of them is None because something hidden counts.
    """
    standing_by_seat = {seat: visible_standing(seat) for seat in seats}
    numbers = [number for number in standing_by_seat.values() if number is not None]
    if len(numbers) < len(standing_by_seat) or len(set(numbers)) < MIN_DIFFERENT_STANDINGS:
        return ()
    best = min(numbers) if lowest_leads else max(numbers)
    return tuple([seat for seat, number in standing_by_seat.items() if number == best])


class Scene(msgspec.Struct, frozen=True):
    """How a game's table looks: the mat of each seat, and the parts in the middle, most important first.

    `leaders` returns the seats that lead, who wear a crown if they are no more than `MAX_CROWNS`; only a game
    in which nothing hidden counts has it. `find_leaders` helps.
    """

    mat: SeatMat = SeatMat()
    middle: tuple[MiddlePart, ...] = ()
    leaders: Callable[[VisibleTable], Collection[Seat]] | None = None

    def referenced_accounts(self) -> ReferencedAccounts:
        """Yields the accounts that the parts of the scene name."""
        headline = () if self.mat.headline is None else (self.mat.headline,)
        for part in (*headline, *self.mat.cells, *self.mat.badges, *self.mat.rows, *self.middle):
            yield from part.referenced_accounts()


def check_scene(scene: Scene, ledger: Ledger, game_title: Labelled) -> None:
    """Raises `UserError` for the first piece or place of a scene that isn't on the game's table."""
    if not isinstance(scene, Scene):
        raise UserError(say("The scene function of {game} must return a Scene.", game=game_title))
    place_names, known_pieces = {place.name for place in ledger.places}, ledger.pieces
    seats = {place.seat for place in ledger.places if place.seat is not None}
    for part in scene.middle:
        if not isinstance(part, MiddlePart):
            raise TypeError(f"a scene shows no {type(part).__name__}: {part!r}")
        if any(callable(piece) for piece, _ in part.referenced_accounts()):
            text = "In the shared middle, the scene of {game} shows a piece that belongs to one seat."
            raise UserError(say(text, game=game_title))
    for piece_or_function, place_name in scene.referenced_accounts():
        pieces = (
            [piece_or_function(seat) for seat in seats]
            if callable(piece_or_function)
            else [piece_or_function]
        )
        if place_name not in place_names:
            text = "The scene of {game} names a place that isn't on its table: {place}."
            raise UserError(say(text, game=game_title, place=place_name))
        for piece in pieces:
            if piece is not None and piece not in known_pieces:
                text = "The scene of {game} names a piece that isn't on its table: {piece}."
                raise UserError(say(text, game=game_title, piece=piece))
