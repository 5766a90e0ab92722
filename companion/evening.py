"""One evening at a table, without a screen.

Which game is on the table, how it began, and what can be seen of it.
The window, the terminal and JSON lines begin, resume and put away their games here. What people do in a game
is done to its `Session`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion import installed_games
from companion.actions import correct_by_hand
from companion.cards import Deck
from companion.clocks import ClockSettings
from companion.errors import CompanionError, StoreUnavailable, UserError
from companion.languages import prefer_texts_of_game
from companion.log.events import Answered, Event
from companion.log.log import Log, MemoryLog
from companion.presets import starting_decks, with_own_presets
from companion.record.record import (
    NO_FACTS,
    GameFacts,
    ScoreMoment,
    StepMovements,
    ThinkingTime,
    complete_facts,
    facts_from_store,
    movements_by_step,
    result_from_json,
    score_history,
    thinking_times,
)
from companion.recorded_match import RecordedMatch
from companion.rules.game import Game, value_text
from companion.rules.scene import Scene
from companion.session.corrections import CorrectionResult
from companion.session.run import AnsweredQuestion
from companion.session.session import NO_CLOCKS, Session, no_tags
from companion.session.view import Holding, View, correctable_holdings, view
from companion.store import GameLog, SavedGame, Store
from companion.table.audit import AUDIT_REASON, AuditDifference, AuditFix, audit_cards
from companion.table.ledger import Piece, Place
from companion.table.moves import PieceMove
from companion.table.scores import GameResult
from companion.table.seats import SEAT_COLOURS, Seat
from companion.table.table import OptionValue, Table
from companion.texts import Say, literal_text

if TYPE_CHECKING:
    from companion.record.record import RecordEntry

UNFINISHED_STATES = ("open", "waiting")


class Evening:
    """The games of one evening: `Evening(store)`.

    `begin_game` or `resume_game`, play the `session`, `put_game_away`.
    `clock` returns the seconds since 1970, or None if the time isn't known; without it the store's clock is
    used. `seconds` returns seconds that never jump. `tags` knows tags besides those that were enrolled.
    Whatever isn't possible raises a `CompanionError`.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float | None] | None = None,
        seconds: Callable[[], float] = time.monotonic,
        tags: Callable[[str], tuple[str, str] | None] = no_tags,
    ) -> None:
        self.store = store
        self.session: Session | None = None
        """The game on the table."""
        self.finished_game: SavedGame | None = None
        """The game on the table, if it is over and only looked back at."""
        self._number: int | None = None
        self._log: GameLog | None = None
        self._events: Callable[[], Sequence[Event]] = list
        store.wall_clock, store.monotonic_seconds = clock or store.wall_clock, seconds
        self._session_options: dict[str, Any] = {
            "tags": lambda uid: store.card_of_tag(uid) or tags(uid),
            "clock": seconds,
        }

    # Which game

    def game_with_presets(self, game: str) -> Game:
        """Returns the game with that key, with people's own presets among its choices."""
        return with_own_presets(installed_games.playable_game(game), self.store.directory)

    def begin_game(
        self,
        game: str,
        names: Sequence[str],
        options: Mapping[str, str],
        clocks: ClockSettings = NO_CLOCKS,
        colours: Sequence[str] = SEAT_COLOURS,
    ) -> Session:
        """Begins a new game with the values printed on the owner's copy.

        A game that is still open becomes a waiting one.
        """
        log = self.store.new_game_log()
        session = self._begin_session(log, game, names, options, clocks, colours)
        self._put_on_table(session, log)
        return session

    def resume_game(
        self, saved: SavedGame | None = None, approve: Callable[[Session], None] = lambda _: None
    ) -> Session:
        """Continues an unfinished game where it stopped; without `saved` the open one.

        If `approve` raises an error, the open game stays open.
        """
        was_open = self.store.find_open_game()
        saved = saved or was_open
        assert saved is not None
        log = self.store.open_log(saved.number)
        try:
            session = Session(
                installed_games.playable_game(saved.game), log.events(), log, **self._session_options
            )
            session.load_scene()
            approve(session)
        except CompanionError:
            if was_open is not None:
                self.store.open_log(was_open.number)
            raise
        session.resume()
        self._put_on_table(session, log)
        self._update_play_dates()
        return session

    def show_finished_game(self, saved: SavedGame) -> Session:
        """Puts a game that is over on the table as it was at its end; nothing can be changed."""
        events = self.store.open_log(saved.number).events()
        kept = MemoryLog(events)
        kept.rename(saved.names)
        session = Session(installed_games.playable_game(saved.game), events, kept, **self._session_options)
        self._replace_game(session, saved.number, kept.copy, past=saved)
        return session

    def reopen_game(self, saved: SavedGame) -> Session:
        """Reopens a game that was put away; the open game becomes a waiting one, and the record notes it.

        Raises `CompanionError` if its rules can't read it any more; then nothing has changed.
        """
        log = self.store.open_log(saved.number)
        session = Session(
            installed_games.playable_game(saved.game), log.events(), log, **self._session_options
        )
        session.load_scene()
        session.reopen()
        self.store.set_current_log(log)
        self._put_on_table(session, log)
        return session

    def play_again(self) -> Session:
        """Puts the game away and begins it again, with the same people and options.

        If it can't begin any more, for example because its preset was deleted, this game stays as it is.
        """
        began, clocks = self.playing.began, self.playing.clocks
        names = [seat.name for seat in self.table.seats]
        options = {key: value_text(value) for key, value in began.options.items()}
        self._begin_session(MemoryLog(), began.game, names, options, clocks, began.colours)
        if not self.playing.is_put_away:
            self.playing.put_away()
        return self.begin_game(began.game, names, options, clocks, began.colours)

    def show_recorded_match(self, recorded: RecordedMatch) -> None:
        """Puts a match on the table that plays itself; it isn't saved here."""
        self._replace_game(recorded.session, None, recorded.log.copy)

    def suspend(self) -> None:
        """Saves what was played so far, to the tick, when people leave the table."""
        session = self.session
        if session:
            self._update_play_dates()
        if session and self.is_saved and session.clocks and not session.is_put_away:
            session.pause_clocks()

    def clear_table(self) -> None:
        """Takes the game off the table; it stays open."""
        self.session = self.finished_game = None

    def put_game_away(self) -> None:
        """Ends the game, finished or not, and clears the table."""
        if not self.playing.is_put_away:
            self.playing.put_away()
        self.clear_table()

    # What is kept

    def find_open_game(self) -> SavedGame | None:
        """Returns the open game; None if no game is open."""
        return self.store.find_open_game()

    def unfinished_games(self) -> list[SavedGame]:
        """Returns the games that can continue.

        The open one first, then by when they were last on the table.
        """
        found = [saved for saved in self.store.saved_games() if saved.state in UNFINISHED_STATES]
        return sorted(found, key=lambda saved: (saved.state != "open", -(self.last_played_at(saved) or 0.0)))

    def ended_games(self) -> list[SavedGame]:
        """Returns the games that were put away, finished or not, the newest first."""
        return [saved for saved in self.store.saved_games() if saved.state not in UNFINISHED_STATES]

    def players_of(self, saved: SavedGame) -> tuple[tuple[str, str], ...]:
        """Returns the name and colour of each player in a saved game."""
        began = self.store.began_event(saved.number)
        return tuple(zip(saved.names, began.colours if began else SEAT_COLOURS, strict=False))

    def title_of(self, saved: SavedGame) -> Say:
        """Returns what people say they play: the game, or the preset that stands for it.

        It is the key of the game if the game is no longer installed.
        """
        try:
            game = installed_games.playable_game(saved.game)
        except UserError:
            return literal_text(saved.game)
        return game.title_for(self.options_of(saved))

    def options_of(self, saved: SavedGame) -> Mapping[str, OptionValue]:
        """Returns the options with which a saved game began."""
        began = self.store.began_event(saved.number)
        return began.options if began else {}

    def players_of_open_game(self) -> tuple[tuple[str, str], ...]:
        """Returns the name and colour of each player in the open game; empty if no game is open."""
        saved = self.find_open_game()
        return self.players_of(saved) if saved else ()

    def facts_of(self, saved: SavedGame) -> GameFacts:
        """Returns the facts about a saved game besides its course; more of the game on the table."""
        facts = facts_from_store(self.store, saved.number)
        if self.session is None or self._number != saved.number:
            return facts
        return complete_facts(facts, self.session, self._events())

    def last_played_at(self, saved: SavedGame) -> float | None:
        """Returns when a game was last on the table, in seconds since 1970; None if nobody knew the time."""
        return self.store.play_dates(saved.number).ended

    @property
    def is_saved(self) -> bool:
        """True if the game on the table is a saved one; a match that is only watched isn't."""
        return self._number is not None

    # What may be seen

    @property
    def playing(self) -> Session:
        """The session of the game on the table; there must be one."""
        assert self.session is not None
        return self.session

    @property
    def game(self) -> Game:
        """The game that is played; there must be one."""
        return self.playing.game

    @property
    def table(self) -> Table:
        """The table of the game, with its seats and its ledger; there must be one."""
        return self.playing.table

    @property
    def scene(self) -> Scene | None:
        """How the game says that its table looks."""
        return None if self.session is None else self.session.scene

    def view_for(self, seat: Seat | None = None) -> View:
        """Returns what that seat may see now; None: what everybody may see."""
        seen = view(self.playing, seat)
        if self.finished_game is None:
            return seen
        result = result_from_json(self.finished_game.result, seen.seats)
        early = self.finished_game.state == "put away"
        return msgspec.structs.replace(seen, question=None, result=result, is_early=early)

    def purses(self) -> dict[Place, list[Holding]]:
        """Every place there is, with what people may move from it."""
        return correctable_holdings(self.playing)

    def money_places(self) -> list[Place]:
        """Returns the places of money that amounts are paid from and to, those of no seat first."""
        ledger = self.table.ledger
        places = dict.fromkeys(account.place for account in ledger if account.piece.money_value)
        return sorted(places, key=lambda place: place.seat is None)

    def view_with_score(self, score: GameResult | None) -> View:
        """Returns the view of a game that was put away before its end, with the score it had then."""
        return msgspec.structs.replace(self.view_for(), question=None, result=score, is_early=True)

    def history_entries(self) -> Sequence[RecordEntry]:
        """Returns the whole game as sentences; an entry with a time is a step in force."""
        from companion.record.record import history_entries  # what draws records takes long to load

        return history_entries(self.playing, self._events())

    def movements(self) -> list[StepMovements]:
        """Returns what moved at each step, from the beginning on."""
        return movements_by_step(self.playing)

    def score_history(self) -> tuple[ScoreMoment, ...]:
        """Returns the score after each answer of the game; empty before its end."""
        return score_history(self.session) if self.session else ()

    def thinking_by_seat(self) -> tuple[ThinkingTime, ...]:
        """Returns how long each seat thought."""
        return thinking_times(self._events(), self.table.seats) if self.session else ()

    def answered_question_at(self, at: int) -> AnsweredQuestion | None:
        """Returns question and answer of the step in force at an index.

        None for what people moved by hand.
        """
        step = self.playing.steps[at]
        if not isinstance(step, Answered):
            return None
        return next((told for told in self.playing.run.answered if told.n == step.n), None)

    def steps_asked_about(self, about: Piece | Place, seat: Seat) -> list[int]:
        """Returns the indices of steps in force at which this seat was asked about a piece or place."""
        found = []
        for at in range(len(self.playing.steps)):
            told = self.answered_question_at(at)
            if told is not None and told.question.about == about and seat in told.question.seats:
                found.append(at)
        return found

    def export_record(self, form: str, lang: str) -> Path:
        """Writes the record of the game to a file."""
        from companion.record.exports import save_export  # what draws records takes long to load
        from companion.record.record import create_record

        number = self._number
        facts = NO_FACTS if number is None else facts_from_store(self.store, number)
        record = create_record(self.playing, self._events(), number, facts)
        return save_export(record, form, lang, self.store.directory)

    # The cards on the table

    @property
    def deck_with_tags(self) -> Deck | None:
        """The cards of the game on the table, if they can have tags."""
        names = self.session.game.card_decks if self.session else ()
        return next((self.table.deck(name) for name in names), None)

    def audit_hand(self, seat: Seat, read: Collection[str]) -> list[AuditDifference]:
        """Returns how these cards of a seat, by their ids, differ from the ledger.

        Only that seat may see it.
        """
        assert self.deck_with_tags is not None
        return audit_cards(self.table.ledger, self.deck_with_tags, seat, read)

    def apply_fix(self, fix: AuditFix, confirmed: Collection[str] = ()) -> None:
        """Corrects what an audit found; raises as `move_pieces` does."""
        self.move_pieces(fix.moves, AUDIT_REASON, confirmed=confirmed)

    def move_pieces(
        self,
        moves: Sequence[PieceMove],
        reason: str,
        *,
        again: bool = False,
        confirmed: Collection[str] = (),
    ) -> CorrectionResult:
        """Moves pieces by hand, one move after the other: all of them or none.

        Raises `NeedsConfirmation` before answers of the open round are deleted, and `UserError` if a move
        isn't possible.
        """
        by_key = [(one.source.key, one.target.key, one.piece.key, one.count) for one in moves]
        return correct_by_hand(self.playing, by_key, reason, again=again, confirmed=confirmed)

    # How it is done

    def _begin_session(
        self,
        log: Log,
        game: str,
        names: Sequence[str],
        options: Mapping[str, str],
        clocks: ClockSettings,
        colours: Sequence[str],
    ) -> Session:
        offered = self.game_with_presets(game)
        decks = starting_decks(offered, self.store.directory, options)
        return Session.begin(
            offered, names, options, log, colours=colours, decks=decks, clocks=clocks, **self._session_options
        )

    def _put_on_table(self, session: Session, log: GameLog) -> None:
        self._replace_game(session, log.number, log.events)
        self._log = log

    def _replace_game(
        self,
        session: Session,
        number: int | None,
        events: Callable[[], Sequence[Event]],
        past: SavedGame | None = None,
    ) -> None:
        self.session, self.finished_game, self._number, self._events = session, past, number, events
        self._log = None
        prefer_texts_of_game(session.game.key)

    def _update_play_dates(self) -> None:
        """Keeps that it lies here now: a date is not worth a word where the disk refuses it."""
        if self._log is not None:
            with suppress(StoreUnavailable):
                self._log.update_play_dates()
