"""The table of one match, and what a rulebook can do with it.

A table knows no rule, no screen and no log: it moves pieces and remembers what to tell the players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from companion.cards import Card, Deck, TagLookup
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.moves_by_hand import find_real_sources
from companion.table.outcomes import Outcome, ScoreTable
from companion.table.reminder import Reminder
from companion.table.scores import GameResult
from companion.table.seats import Seat, Seats
from companion.texts import Labelled, Say, find_text_fault, say, say_all_of

K = TypeVar("K")

BOX = say("box")
"""The name of the game's box: markers come from it, and pieces that leave the game go there."""
BOX_PLACE = Place(BOX)

OptionValue = str | int | None
NOBODY = say("")
"""Stands for the people in a note, to find the notes that say the same of others."""


class Table:
    """The table as a rulebook uses it: the seats, the chosen options, the decks and all pieces.

    `heading` is shown above the table and says where in the game you are.
    `ending` is a sentence that says what ended the game, such as its last round; the final score begins with
    it. If it isn't a note, Companion adds it when the game is over.
    `score_so_far` is a function that returns the score at this moment; it must change nothing.
    `after_moves_by_hand` is a function that Companion calls after people have moved pieces by hand, for rules
    that always hold.
    `captain_by_seat` maps each seat to the seat that keeps its things; members of a team share one.
    `seats_in_game()` returns everybody who has not left the game for good.
    `start_player` is the seat that started the game; set it as soon as it is known.
    `round_counter` is the account whose count is the number of the round; a game with rounds sets it at the
    start, and the chart of the score counts by it.
    `shared_notes` are the notes since the last answer that may be said of several people.
    `reminder` is what a clock reminds people of; `remind_after` sets it, and None ends it.
    `version` is the rulebook's version with which the match began; an old match goes on under its old rules.
    """

    def __init__(
        self,
        seats: Seats,
        options: Mapping[str, OptionValue],
        decks: Mapping[str, Deck],
        tags: TagLookup,
        version: int = 1,
    ) -> None:
        self.seats = seats
        self.options = options
        self.version = version
        self.ledger = Ledger()
        self.heading: Say | None = None
        self.ending: Say | None = None
        self.score_so_far: Callable[[], GameResult] | None = None
        self.after_moves_by_hand: Callable[[], None] = lambda: None
        self.captain_by_seat: Mapping[Seat, Seat] = {seat: seat for seat in seats}
        self.seats_in_game: Callable[[], Sequence[Seat]] = lambda: seats
        self.start_player: Seat | None = None
        self.round_counter: Account | None = None
        self.reminder: Reminder | None = None
        self.notes: list[Say] = []
        self.shared_notes: dict[Say, tuple[int, tuple[Labelled, ...]]] = {}
        self.outcomes: list[Outcome] = []
        self._faces: list[KnownCardTracker] = []
        self._decks = decks
        self._tags = tags

    @property
    def captains_in_game(self) -> Sequence[Seat]:
        """The seats still in the game, one per team.

        If everybody pays or is paid, these seats do.
        """
        return [*dict.fromkeys(self.captain_by_seat[seat] for seat in self.seats_in_game())]

    def remind_after(self, seconds: int, label: Say, text: Say) -> None:
        """Reminds people of something after that many seconds of play, counted from the last answer.

        A clock with this label shows the time that is left. Then it rings and shows the text. Nothing else
        happens: offer an answer for what people then do. A new reminder replaces the old one.
        """
        self.reminder = Reminder(label, seconds, text)

    def account(
        self, piece: Piece, place_name: Say, seat: Seat | None = None, slot: int | None = None
    ) -> Account:
        """Returns the account of a piece at a place: `table.account(CARD, HAND, ben)`."""
        return self.ledger.open_account(Place(place_name, seat, slot), piece)

    def account_by_key(
        self, piece_by_key: Mapping[K, Piece], place_name: Say, seat: Seat | None = None
    ) -> dict[K, Account]:
        """Returns accounts of several pieces at one place, by key: `table.account_by_key(CHIPS, MARKET)`."""
        place = Place(place_name, seat)
        return {key: self.ledger.open_account(place, piece) for key, piece in piece_by_key.items()}

    def covered_account(
        self, piece: Piece, place_name: Say, seat: Seat | None = None, slot: int | None = None
    ) -> Account:
        """Returns a covered account: only the owner of the place sees its count.

        Open the account this way before its first use.
        """
        return self.ledger.open_account(Place(place_name, seat, slot), piece, covered=True)

    def account_by_seat(
        self, piece: Piece, place_name: Say, capacity: int | None = None
    ) -> dict[Seat, Account]:
        """Returns one account of a piece for every seat; each holds at most `capacity` pieces."""
        return {
            seat: self.ledger.open_account(Place(place_name, seat), piece, capacity=capacity)
            for seat in self.seats
        }

    def supply_from_box(self, account: Account, count: int = 1) -> Account:
        """Adds `count` pieces from the game's box to an account, and returns the account.

        Call it only before the first question.
        """
        return self.ledger.supply_from_box(account, count)

    def make_pile(self, place_name: Say, seat: Seat | None = None) -> Place:
        """Makes an empty pile and returns its place.

        A pile keeps the order of its pieces.
        """
        place = Place(place_name, seat)
        self.ledger.make_pile(place)
        return place

    def make_compact_row(self, row_name: Say, piece: Piece) -> None:
        """Makes a row compact: its slots close up when a piece leaves.

        People then count the slots again from 1.
        """
        self.ledger.define_compact_row(row_name, piece)

    def find_deck(self, name: str) -> Deck:
        """Returns the deck of that name, with the printed values that this match uses."""
        return self._decks[name]

    def track_faces(self, deck_name: str, *covered_places: Place) -> KnownCardTracker:
        """Starts to track the faces of a deck, all unseen, and returns their tracker.

        At the covered places cards are face down.
        """
        self._faces.append(KnownCardTracker(self._decks[deck_name], self.ledger, self._tags, *covered_places))
        return self._faces[-1]

    def card_of_face(self, face: Piece) -> Card | None:
        """Returns the card whose face this piece is; None if it is no face."""
        return next(
            (card for faces in self._faces if (card := faces.find_card_by_face(face)) is not None), None
        )

    def move(self, source: Account, target: Account, count: int = 1) -> None:
        """Moves `count` pieces of a kind from one account to another; 0 is allowed and does nothing."""
        if count:
            self.ledger.transfer(source, target, count)

    def move_by_hand(self, source: Account, target: Account, count: int) -> None:
        """Moves pieces as people corrected them; `count` is at least 1."""
        if any(
            faces.try_move_faces_known_differently_since_amendment(source, target.place, count)
            for faces in self._faces
        ):
            return
        for real_source, moved_count in find_real_sources(self.ledger, source, target, count):
            self.ledger.transfer(real_source, target, moved_count, allow_below_zero=source.covered)
            self.ledger.register_account(source)
            self.ledger.register_account(target)  # first: whoever records the faces looks at this account
            for faces in self._faces:
                faces.record_faces_moved_by_hand(source.piece, real_source.place, target.place, moved_count)

    def move_up_to(self, source: Account, target: Account, count: int) -> int:
        """Moves `count` pieces, or all if there are fewer; returns how many it moved."""
        moved_count = count if source.can_go_below_zero else min(count, max(source.count, 0))
        self.move(source, target, moved_count)
        return moved_count

    def move_single_piece(self, target: Account) -> None:
        """Moves the single piece of its kind to the target account, from wherever it is."""
        if not target.count:
            self.move(self.ledger.find_account_holding(target.piece), target)

    def move_all(self, source: Account, target: Account) -> None:
        """Moves all pieces from one account to another.

        A debt stays.
        """
        if source.count > 0:
            self.ledger.transfer(source, target, source.count)

    def add_markers(self, account: Account, count: int = 1) -> None:
        """Adds markers from the box to an account.

        On a track this moves a marker `count` steps forward.
        """
        self.move(self.ledger.open_account(BOX_PLACE, account.piece), account, count)

    def remove_markers(self, account: Account, count: int | None = None) -> None:
        """Puts `count` markers back into the box; without `count` all of them."""
        removed_count = max(account.count, 0) if count is None else count
        self.move(account, self.ledger.open_account(BOX_PLACE, account.piece), removed_count)

    @staticmethod
    def first_holder(accounts: Mapping[Seat, Account]) -> Seat | None:
        """Returns the first seat with a non-empty account, such as the one with the start player's marker."""
        for seat, account in accounts.items():
            if account.count > 0:
                return seat
        return None

    def add_note(self, text: Say) -> None:
        """Adds a note that tells everybody what just happened.

        The note is a sentence. Raises `ValueError` for a text with a gap.
        """
        if fault := find_text_fault(text):
            raise ValueError(fault)
        self.notes.append(text)

    def add_note_about(self, who: Labelled, note: Say, say_of_several: Callable[[Labelled], Say]) -> None:
        """Adds a note about somebody; if the same happens to several people after one answer, they share one.

        `say_of_several` makes the shared note: `Aki and Ben each pay 2.` instead of `Aki pays 2.`
        """
        key = say_of_several(NOBODY)
        index, people = self.shared_notes.get(key, (len(self.notes), ()))
        if who in people:  # such as the seats of a team, which are paid into one purse
            index, people = len(self.notes), ()
        self.shared_notes[key] = index, (*people, who)
        if people:
            self.notes[index] = say_of_several(say_all_of((*people, who)))
        else:
            self.add_note(note)

    def declare_outcome(
        self,
        headline: Say,
        winners: Iterable[Seat] = (),
        about: Piece | None = None,
        scores: ScoreTable | None = None,
    ) -> None:
        """Declares what has been decided, such as a battle, a round or a sale; the headline is also a note.

        `winners`: who won; the screen highlights them. `about`: the piece that was won or sold. `scores`: the
        numbers that decided it, in any order; the sentence of each line must be a note too.
        """
        self.add_note(headline)
        winners = tuple(winners)
        ordered_scores = scores and scores.in_order(winners)
        self.outcomes.append(Outcome(headline, winners, about, ordered_scores))
