"""One evening at a table, without a screen: which game lies there, how it began, and what can be seen of it.

The window, the terminal and JSON lines begin, resume and put away their games here; what people do in a game
they do to its `Session`. A little over 300 lines: each way in, and back out, is one short method.
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
from companion.log.memory import Log, Memory
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
from companion.session.run import Told
from companion.session.session import NO_CLOCKS, Session, no_tags
from companion.session.settling import Settled
from companion.session.view import Holding, View, purses, view
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
    """`Evening(store)`; `begin` or `resume`, play the `session`, then `put_away`.

    `clock` gives the seconds since 1970, None where the time isn't known; without one it is the store's.
    `seconds` gives those that never jump.
    `tags` knows tags besides those that were taught. Whatever can't be raises a `CompanionError`.
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
        self.past: SavedGame | None = None
        """The game on the table, if it is over and only looked back at."""
        self._number: int | None = None
        self._log: GameLog | None = None
        self._events: Callable[[], Sequence[Event]] = list
        store.clock, store.seconds = clock or store.clock, seconds
        self._outside: dict[str, Any] = {"tags": lambda uid: store.tag(uid) or tags(uid), "clock": seconds}

    # Which game

    def offered(self, game: str) -> Game:
        """The game of that key, with people's own presets among its choices."""
        return with_own_presets(installed_games.playable_game(game), self.store.directory)

    def begin(
        self,
        game: str,
        names: Sequence[str],
        options: Mapping[str, str],
        clocks: ClockSettings = NO_CLOCKS,
        colours: Sequence[str] = SEAT_COLOURS,
    ) -> Session:
        """A new game with the values printed on the owner's copy; one still open waits in the history."""
        log = self.store.new_game()
        session = self._begun(log, game, names, options, clocks, colours)
        self._lay(session, log)
        return session

    def resume(
        self, saved: SavedGame | None = None, agreed: Callable[[Session], None] = lambda _: None
    ) -> Session:
        """Goes on with a game that isn't finished, where it stood; with the open one, if none is named.

        What `agreed` raises leaves open what was open.
        """
        was_open = self.store.open_game()
        saved = saved or was_open
        assert saved is not None
        log = self.store.log(saved.number)
        try:
            session = Session(installed_games.playable_game(saved.game), log.events(), log, **self._outside)
            session.check_scene()
            agreed(session)
        except CompanionError:
            if was_open is not None:
                self.store.log(was_open.number)
            raise
        session.resume()
        self._lay(session, log)
        self._touch()
        return session

    def look_back(self, saved: SavedGame) -> Session:
        """A game that is over lies on the table once more as it was at its end; nothing can be changed."""
        events = self.store.log(saved.number).events()
        kept = Memory(events)
        kept.rename(saved.names)
        session = Session(installed_games.playable_game(saved.game), events, kept, **self._outside)
        self._show(session, saved.number, kept.copy, past=saved)
        return session

    def reopen(self, saved: SavedGame) -> Session:
        """Takes up a game that was put away, as it stood then; what was open waits, and the record says so.

        Raises `CompanionError` where its rules can't read it any more; then nothing has changed.
        """
        log = self.store.log(saved.number)
        session = Session(installed_games.playable_game(saved.game), log.events(), log, **self._outside)
        session.check_scene()
        session.reopen()
        self.store.lay(log)
        self._lay(session, log)
        return session

    def again(self) -> Session:
        """Puts the game away and begins it again, with the same people and options.

        What can't begin any more, such as with a template that is gone, leaves this game as it is.
        """
        began, clocks = self.playing.began, self.playing.clocks
        names = [seat.name for seat in self.table.seats]
        options = {key: value_text(value) for key, value in began.options.items()}
        self._begun(Memory(), began.game, names, options, clocks, began.colours)
        if not self.playing.put_aside:
            self.playing.put_away()
        return self.begin(began.game, names, options, clocks, began.colours)

    def watch(self, recorded: RecordedMatch) -> None:
        """A match that plays itself lies on the table; it is kept nowhere here."""
        self._show(recorded.session, None, recorded.log.copy)

    def rest(self) -> None:
        """People leave the table: what was played so far is kept to the tick."""
        session = self.session
        if session:
            self._touch()
        if session and self.is_saved and session.clocks and not session.put_aside:
            session.pause()

    def leave(self) -> None:
        """Nothing lies on the table; the game stays open."""
        self.session = self.past = None

    def put_away(self) -> None:
        """Ends the game, finished or not, and clears the table."""
        if not self.playing.put_aside:
            self.playing.put_away()
        self.leave()

    # What is kept

    def going(self) -> SavedGame | None:
        """The open game, if there is one."""
        return self.store.open_game()

    def unfinished(self) -> list[SavedGame]:
        """The games that can go on: the open one first, then the one that lay on the table last."""
        found = [saved for saved in self.store.saved() if saved.state in UNFINISHED_STATES]
        return sorted(found, key=lambda saved: (saved.state != "open", -(self.touched(saved) or 0.0)))

    def over(self) -> list[SavedGame]:
        """The games that were put away, finished or not, the newest first."""
        return [saved for saved in self.store.saved() if saved.state not in UNFINISHED_STATES]

    def people(self, saved: SavedGame) -> tuple[tuple[str, str], ...]:
        """Name and colour of everybody in a saved game."""
        began = self.store.began(saved.number)
        return tuple(zip(saved.names, began.colours if began else SEAT_COLOURS, strict=False))

    def title(self, saved: SavedGame) -> Say:
        """Returns what people say they play: the game, or the preset that stands for it.

        It is the key of the game if the game is no longer installed.
        """
        try:
            game = installed_games.playable_game(saved.game)
        except UserError:
            return literal_text(saved.game)
        return game.title_for(self.options(saved))

    def options(self, saved: SavedGame) -> Mapping[str, OptionValue]:
        """The options that a saved game began with."""
        began = self.store.began(saved.number)
        return began.options if began else {}

    def guests(self) -> tuple[tuple[str, str], ...]:
        """Name and colour of everybody in the open game."""
        saved = self.going()
        return self.people(saved) if saved else ()

    def facts(self, saved: SavedGame) -> GameFacts:
        """What is told of a saved game besides its course; more of one that lies on the table."""
        facts = facts_from_store(self.store, saved.number)
        if self.session is None or self._number != saved.number:
            return facts
        return complete_facts(facts, self.session, self._events())

    def touched(self, saved: SavedGame) -> float | None:
        """When it last lay on the table, in seconds since 1970; None where nobody knew the time."""
        return self.store.played(saved.number).ended

    @property
    def is_saved(self) -> bool:
        """Whether the game on the table is one of the saved ones; a match that is only watched isn't."""
        return self._number is not None

    # What may be seen

    @property
    def playing(self) -> Session:
        """The game on the table; there must be one."""
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

    def seen(self, eyes: Seat | None = None) -> View:
        """What that seat alone may see now; None: what everybody may."""
        seen = view(self.playing, eyes)
        if self.past is None:
            return seen
        result = result_from_json(self.past.result, seen.seats)
        early = self.past.state == "put away"
        return msgspec.structs.replace(seen, question=None, result=result, early=early)

    def purses(self) -> dict[Place, list[Holding]]:
        """Every place there is, with what people may move from it."""
        return purses(self.playing)

    def tills(self) -> list[Place]:
        """Where money lies that amounts are paid from and to: before the seats first."""
        ledger = self.table.ledger
        places = dict.fromkeys(account.place for account in ledger if account.piece.money_value)
        return sorted(places, key=lambda place: place.seat is None)

    def score_so_far(self, score: GameResult | None) -> View:
        """A game that was put away before its end, with the score it was put away with."""
        return msgspec.structs.replace(self.seen(), question=None, result=score, early=True)

    def told(self) -> Sequence[RecordEntry]:
        """The whole game, as sentences; what has a time is in force, one for each thing."""
        from companion.record.record import history_entries  # what draws records takes long to load

        return history_entries(self.playing, self._events())

    def movements(self) -> list[StepMovements]:
        """What moved, from the beginning on."""
        return movements_by_step(self.playing)

    def standing(self) -> tuple[ScoreMoment, ...]:
        """The score after each answer of the game; nothing before its end."""
        return score_history(self.session) if self.session else ()

    def thinking(self) -> tuple[ThinkingTime, ...]:
        """How long everybody thought."""
        return thinking_times(self._events(), self.table.seats) if self.session else ()

    def answered(self, at: int) -> Told | None:
        """The question and the answer that came `at` in force; None for what people moved by hand."""
        step = self.playing.steps[at]
        if not isinstance(step, Answered):
            return None
        return next((told for told in self.playing.run.told if told.n == step.n), None)

    def asked_about(self, about: Piece | Place, seat: Seat) -> list[int]:
        """Which of what is in force answered a question about it that this seat was asked, too."""
        found = []
        for at in range(len(self.playing.steps)):
            told = self.answered(at)
            if told is not None and told.question.about == about and seat in told.question.seats:
                found.append(at)
        return found

    def export(self, form: str, lang: str) -> Path:
        """Writes the record of the game to a file."""
        from companion.record.exports import save_export  # what draws records takes long to load
        from companion.record.record import create_record

        number = self._number
        facts = NO_FACTS if number is None else facts_from_store(self.store, number)
        record = create_record(self.playing, self._events(), number, facts)
        return save_export(record, form, lang, self.store.directory)

    # The cards on the table

    @property
    def deck(self) -> Deck | None:
        """The cards of the game on the table, if it has any that can have tags."""
        names = self.session.game.card_decks if self.session else ()
        return next((self.table.deck(name) for name in names), None)

    def audit(self, seat: Seat, read: Collection[str]) -> list[AuditDifference]:
        """How these cards of a seat, by their ids, differ from what the ledger has; for its eyes only."""
        assert self.deck is not None
        return audit_cards(self.table.ledger, self.deck, seat, read)

    def set_right(self, fix: AuditFix, confirmed: Collection[str] = ()) -> None:
        """Puts right what an audit found; raises as `move` does."""
        self.move(fix.moves, AUDIT_REASON, confirmed=confirmed)

    def move(
        self,
        moves: Sequence[PieceMove],
        reason: str,
        *,
        again: bool = False,
        confirmed: Collection[str] = (),
    ) -> Settled:
        """Moves pieces by hand, one move after the other: all of them or none.

        Raises `NeedsConfirmation` before answers of the open round are deleted, and `UserError` where a move
        isn't possible.
        """
        by_key = [(one.source.key, one.target.key, one.piece.key, one.count) for one in moves]
        return correct_by_hand(self.playing, by_key, reason, again=again, confirmed=confirmed)

    # How it is done

    def _begun(
        self,
        log: Log,
        game: str,
        names: Sequence[str],
        options: Mapping[str, str],
        clocks: ClockSettings,
        colours: Sequence[str],
    ) -> Session:
        offered = self.offered(game)
        decks = starting_decks(offered, self.store.directory, options)
        return Session.begin(
            offered, names, options, log, colours=colours, decks=decks, clocks=clocks, **self._outside
        )

    def _lay(self, session: Session, log: GameLog) -> None:
        self._show(session, log.number, log.events)
        self._log = log

    def _show(
        self,
        session: Session,
        number: int | None,
        events: Callable[[], Sequence[Event]],
        past: SavedGame | None = None,
    ) -> None:
        self.session, self.past, self._number, self._events = session, past, number, events
        self._log = None
        prefer_texts_of_game(session.game.key)

    def _touch(self) -> None:
        """Keeps that it lies here now: a date is not worth a word where the disk refuses it."""
        if self._log is not None:
            with suppress(StoreUnavailable):
                self._log.touch()
