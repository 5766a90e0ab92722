"""One evening at the table: the only place in `ui` that touches the store, the session and the devices.

Screens show its `view` and call it with what people did; whatever it refuses changes nothing.
It draws nothing. Over 300 lines, because everything people can do passes here, in one order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.properties import ObjectProperty, StringProperty

from companion import catalogue, templates
from companion.cards import Deck
from companion.clocks import Clocks
from companion.copies import decks_for
from companion.errors import CompanionError, Hushed, PastReveal
from companion.log.events import Answered, Began, Corrected, Event, Step
from companion.log.memory import Memory
from companion.log.timeline import fold
from companion.record.journal import Movement, journal
from companion.record.standing import Moment, standing
from companion.record.thinking import Thinking, thinking
from companion.requests import Roll, Together
from companion.rules.game import Game, written
from companion.session.run import Told
from companion.session.session import NO_CLOCKS, Session, no_tags
from companion.session.settling import Settled
from companion.session.view import Holding, View, purses, view
from companion.store import Saved, Store
from companion.table.audit import REASON, Difference, Fix, audit
from companion.table.ledger import Place
from companion.table.moves import Move
from companion.table.scores import Result
from companion.table.seats import Seat
from companion.words import Say
from hardware import wall_clock
from hardware.desk.missing import Missing
from hardware.devices import Devices
from hardware.doctor import this_host
from hardware.inbox import Inbox
from hardware.wiring import Wiring
from ui import theme
from ui.evening.bench import Bench
from ui.evening.cardbox import CardBox
from ui.evening.clockwork import Clockwork
from ui.evening.trays import Trays

if TYPE_CHECKING:
    from companion.record.happenings import Happening

T = TypeVar("T")
BEGUN = "begun"
"""The setting that holds the number of the game begun last, and when that was."""


class Evening(EventDispatcher):
    """`Evening(store, wiring)`; `begin` or `resume`, then `answer`, `draft`, `undo` … until `put_away`.

    `clock` gives the seconds since 1970, None where the time isn't known; `seconds` those that never jump.
    `tags` knows tags besides those that were taught.
    Every input names the number `n` of the question it is meant for; late input is dropped.
    Events: `on_change()` (the view is new), `on_refusal(text, seat)` (`seat` is who was asked, None for the
    whole table), `on_whisper(text, seat)` (the same, for that seat's eyes only), `on_by_hand(moves)` (what
    people must move back on the real table), `on_rolled(question, faces)` (the companion's own dice),
    `on_missing(texts)` (devices that can't be used now), `on_found(texts)` (of these that is so no longer).
    """

    view = ObjectProperty(None, allownone=True)
    """What everybody may see; None while no game is on the table."""
    lang = StringProperty("en")
    """The language of the devices' displays."""
    __events__ = (
        "on_change",
        "on_refusal",
        "on_whisper",
        "on_by_hand",
        "on_rolled",
        "on_missing",
        "on_found",
    )

    def __init__(
        self,
        store: Store,
        wiring: Wiring | None = None,
        *,
        clock: Callable[[], float | None] = wall_clock.now,
        seconds: Callable[[], float] = time.monotonic,
        devices: Callable[[Wiring, Inbox], Devices] = Devices,
        tags: Callable[[str], tuple[str, str] | None] = no_tags,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._store = store
        self._clock = clock
        self._outside: dict[str, Any] = {"tags": lambda uid: store.tag(uid) or tags(uid), "clock": seconds}
        self.notices = [*store.notices, *(wiring.faults if wiring else ())]
        self._session: Session | None = None
        self._recorded: list[Step] = []
        self._events: Callable[[], Sequence[Event]] = list
        self._number: int | None = None
        self._missed: set[Missing] = set()
        self.clockwork = Clockwork(self._do)
        self._playing_on = Clock.create_trigger(lambda _: self._play_on(), theme.PAUSE)
        # Kivy's triggers may be pulled from any thread and run in this one.
        self._woken = Clock.create_trigger(lambda _: self.pump())
        self._devices = devices(wiring or Wiring(), Inbox(wake=self._woken))
        self.bench = Bench(self._devices, wiring or Wiring(), partial(this_host, store.directory))
        self.cards = CardBox(store, self._devices, wiring.reader if wiring else ())
        self._devices.laying.whisper = partial(self.dispatch, "on_whisper")
        self.trays = Trays(self._devices.laying)
        self.fbind("lang", lambda *_: self.pump())

    def open(self) -> None:
        """Starts to listen to the devices."""
        self._devices.open()

    def close(self) -> None:
        """Lets go of the devices and of the store; the game on the table can be resumed another time."""
        self._rest()
        self.clockwork.stop()
        self.bench.close()
        self._devices.close()
        self._woken.cancel()
        self._playing_on.cancel()
        self._store.close()

    # Games

    def going(self) -> Saved | None:
        """The open game, if there is one that can be read."""
        return self._read(self._store.open_game, None)

    def guests(self) -> tuple[tuple[str, str], ...]:
        """Name and colour of everybody in the open game."""
        saved = self.going()
        if saved is None:
            return ()
        nothing: list[Event] = []
        events = self._read(lambda: self._store.log(saved.number).events(), nothing)
        if not events:
            return ()
        began = events[0]
        assert isinstance(began, Began)
        return tuple(zip(began.names, began.colours, strict=False))

    def begun(self) -> float | None:
        """When the open game was begun, in seconds since 1970; None where nobody knew the time."""
        saved, known = self.going(), self.setting(BEGUN, shape=tuple[int, float])
        return known[1] if saved and known and known[0] == saved.number else None

    def begin(
        self,
        game: str,
        names: Sequence[str],
        colours: Sequence[str],
        options: Mapping[str, str],
        clocks: Clocks = NO_CLOCKS,
    ) -> bool:
        """A new game; one still open waits in the history. Whether it could begin."""

        def start() -> None:
            playable, log = self.offered(game), self._store.new_game()
            decks = decks_for(playable, self._store.directory, options)
            self._session = Session.begin(
                playable,
                names,
                options,
                log,
                colours=colours,
                decks=decks,
                clocks=clocks,
                **self._outside,
            )
            self._events, self._number, self._recorded = log.events, log.number, []
            if (now := self._clock()) is not None:
                self.remember(BEGUN, [log.number, now])

        return self._do(start)

    def offered(self, game: str) -> Game:
        """The game of that key, with one's own templates among its choices."""
        return templates.offered(catalogue.game(game), self._store.directory)

    def resume(self) -> bool:
        """Goes on with the open game, where it stood. Whether that was possible."""

        def start() -> None:
            saved = self._store.open_game()
            assert saved is not None
            log = self._store.log(saved.number)
            session = Session(catalogue.game(saved.game), log.events(), log, **self._outside)
            session.resume()
            self._session = session
            self._events, self._number, self._recorded = log.events, log.number, []

        return self._do(start)

    def watch(self, events: Sequence[Event]) -> None:
        """Plays a recorded game by itself and keeps nothing of it; what people touch doesn't count."""
        began = events[0]
        assert isinstance(began, Began)

        def start() -> None:
            log = Memory()
            self._session = Session(catalogue.game(began.game), [began], log)
            self._events, self._number = log.copy, None
            self._recorded = list(fold(events).steps[::-1])

        if self._do(start):
            self._playing_on()

    @property
    def watched(self) -> bool:
        """Whether the game plays by itself."""
        return bool(self._recorded)

    def standing(self) -> tuple[Moment, ...]:
        """The score after each answer of the game on the table; nothing before its end."""
        return standing(self._session) if self._session else ()

    def thinking(self) -> tuple[Thinking, ...]:
        """How long everybody thought in the game on the table."""
        return thinking(self._events(), self._playing.table.seats) if self._session else ()

    def export(self, form: str) -> Path:
        """Writes the record of the game on the table to a file; raises `CompanionError` where it can't."""
        from companion.record.forms import keep  # what draws records takes long to load
        from companion.record.record import recorded

        record = recorded(self._playing, self._events(), self._number)
        return keep(record, form, self.lang, self._store.directory)

    @property
    def kept(self) -> bool:
        """Whether the game on the table is one of the saved ones; a match that is only watched isn't."""
        return self._number is not None

    def leave(self) -> None:
        """Leaves the table as it is; the game stays open."""
        self._rest()
        self._recorded = []
        self._session = None
        self._refresh()

    def put_away(self) -> None:
        """Ends the game, finished or not."""
        if self._playing.put_aside or self._do(self._playing.put_away):
            self.leave()

    def again(self) -> None:
        """Puts the game away and begins it anew, with the same people and options."""
        began, clocks = self._playing.began, self._playing.clocks
        names = [seat.name for seat in self._playing.table.seats]
        options = {key: written(value) for key, value in began.options.items()}
        if self._playing.put_aside or self._do(self._playing.put_away):
            self.begin(began.game, names, began.colours, options, clocks)

    # What people do

    def answer(self, n: int, plain: object) -> None:
        """Answers question `n`; nothing happens if another is open."""
        if self._may_answer(n):
            self._do(partial(self._playing.answer, n, plain))

    def draft(self, n: int, seat: Seat, plain: object) -> None:
        """Puts a seat's sealed answer to question `n` into its envelope."""
        if self._may_answer(n):
            self._do(partial(self._playing.draft, n, seat, plain), seat)

    def roll(self, n: int) -> None:
        """Lets the companion roll the dice of question `n`."""
        if self._may_answer(n) and self._do(partial(self._playing.roll, n)):
            told = self._playing.run.told[-1]
            self.dispatch("on_rolled", told.question, told.answer)

    def take(self, n: int) -> None:
        """Takes the cards that already lay on a reader for question `n`."""
        if self._may_answer(n):
            self._heed(partial(self._devices.laying.take, self._playing))

    def undo(self, *, past_reveal: bool = False) -> None:
        """Takes the last thing back; raises `PastReveal` unless told that everybody knows."""
        if not self.watched:
            self._go(partial(self._playing.undo, past_reveal=past_reveal))

    def redo(self, count: int = 1) -> None:
        """Puts back what was undone last, or as much as fits up to `count`."""
        if not self.watched:
            self._go(partial(self._playing.redo, count))

    def pause(self) -> None:
        """The clocks stand still until `go_on`, or until somebody answers."""
        self._do(self._playing.pause)

    def set_clocks(self, clocks: Clocks) -> None:
        """Other clocks from now on; they stand still at first, so that nobody is late by surprise."""

        def change() -> None:
            self._playing.set_clocks(clocks)
            if clocks:
                self._playing.pause()
            else:
                self._playing.go_on()

        self._do(change)

    def go_on(self) -> None:
        """The clocks go on."""
        self._do(self._playing.go_on)

    # When something went wrong

    def seen_by(self, seat: Seat) -> View:
        """What that seat alone may see now."""
        return view(self._playing, seat)

    def purses(self) -> dict[Place, list[Holding]]:
        """Every place there is, with what people may move from it."""
        return purses(self._playing)

    def limits(self) -> tuple[Clocks, tuple[str, ...]]:
        """The clocks of the game on the table, and the kinds of questions it may ask."""
        return self._playing.clocks, self._playing.game.asks

    def told(self) -> Sequence[Happening]:
        """The whole game, as sentences; what has a time is in force, one for each thing."""
        from companion.record.happenings import happenings  # what draws records takes long to load

        return happenings(self._playing, self._events())

    def journal(self) -> list[Movement]:
        """What moved, from the beginning on."""
        return journal(self._playing)

    def answered(self, at: int) -> Told | None:
        """The question and the answer that came `at` in force; None for what people moved by hand."""
        step = self._playing.steps[at]
        return (
            next((told for told in self._playing.run.told if told.n == step.n), None)
            if isinstance(step, Answered)
            else None
        )

    def earlier(self, kept: int) -> Session:
        """The game after the first `kept` things in force, to look at."""
        return self._playing.earlier(kept)

    @property
    def deck(self) -> Deck | None:
        """The cards of the game on the table, if it has any that can have tags."""
        names = self._playing.game.decks if self._session else ()
        return next((self._playing.table.deck(name) for name in names if name != templates.DECK), None)

    def audit(self, seat: Seat, read: Collection[str]) -> list[Difference]:
        """How these cards of a seat, by their ids, differ from what the ledger has; for its eyes only."""
        assert self.deck is not None
        return audit(self._playing.table.ledger, self.deck, seat, read)

    def set_right(self, fix: Fix) -> None:
        """Puts right what an audit found; raises `CompanionError` where that can't be."""
        if self.watched:
            return
        try:
            for move in fix.moves:
                self._move(move, REASON)
        finally:
            self._refresh()

    def correct(self, move: Move, reason: str, *, again: bool = False) -> Say | None:
        """Moves pieces by hand; gives why another question is open then. Raises where that can't be."""
        if self.watched:
            return None
        with self._caught_up():
            settled = self._move(move, reason, again=again)
        self._refresh()
        self.dispatch("on_by_hand", list(settled.by_hand))
        return settled.why

    @property
    def free_moves(self) -> bool:
        """Whether pieces may be moved without a reason."""
        return self._playing.game.free_moves

    def go_back(self, kept: int, *, past_reveal: bool = False) -> None:
        """Takes back all but the first `kept` things; raises `PastReveal` as `undo` does."""
        if not self.watched:
            self._go(partial(self._playing.go_back, kept, past_reveal=past_reveal))

    def amend(self, event: int, plain: object, seat: Seat | None = None, **sure: bool) -> None:
        """Changes an earlier answer; raises `Misfit` for a later one, or why the answer itself can't be.

        With `go_back` it goes back to there; raises `PastReveal` as `undo` does.
        """
        if self.watched:
            return
        with self._caught_up():
            moves = self._playing.amend(event, plain, seat, **sure)
        self._refresh()
        self.dispatch("on_by_hand", moves)

    def rename(self, seat: Seat, name: str) -> bool:
        """Gives a seat another name, or to another player; whether that could be."""
        return self._do(partial(self._playing.rename, seat, name))

    def away(self, seat: Seat) -> None:
        """A player leaves."""
        if not self.watched:
            self._do(partial(self._playing.leave, seat))

    def back(self, seat: Seat) -> None:
        """Somebody takes the seat again."""
        self._do(partial(self._playing.come_back, seat))

    def end(self) -> None:
        """Ends the game before its end and shows the score so far."""
        scores: list[Result | None] = []
        if not self.watched and self._do_quietly(lambda: scores.append(self._playing.put_away())):
            self.view = msgspec.structs.replace(
                view(self._playing), question=None, result=scores[0], early=True
            )
            self.dispatch("on_change")

    def elsewhere(self) -> Path | None:
        """Where the game can go on, if the directory of the games is lost and there is such a place."""
        return self._store.elsewhere()

    def go_on_in(self, directory: Path) -> bool:
        """Writes all that was taken to another directory and goes on there; whether that could be."""
        return self._do(partial(self._store.go_on_in, directory))

    def pump(self) -> None:
        """Takes what the devices said, and shows on them what is asked."""
        self._heed(lambda: self._devices.pump(self._heard, self.lang))
        self.cards.look()
        self._miss()

    # Settings

    def setting(self, key: str, default: Any = None, shape: Any = Any) -> Any:
        """Something remembered from earlier evenings."""
        return self._read(lambda: self._store.setting(key, default, shape), default)

    def remember(self, key: str, value: Any) -> None:
        """Keeps it for the evenings to come."""
        self._do_quietly(partial(self._store.set_setting, key, value))

    # How it is done

    @property
    def _playing(self) -> Session:
        assert self._session is not None
        return self._session

    @property
    def _heard(self) -> Session | None:
        """The game that devices speak to: one that plays by itself hears nobody."""
        return None if self.watched else self._session

    def _heed(self, hear: Callable[[], Sequence[Say]]) -> None:
        """Hears devices, shows what has changed, and says what all must hear, which would else go with it."""
        before = self._state()
        aloud = hear()
        if self._state() != before:
            self._refresh()
        self.trays.look(self._heard)
        for text in aloud:
            self.dispatch("on_refusal", text, None)

    def _miss(self) -> None:
        """Says what device is missing, once: the table's at once, a seat's when the question waits for it.

        And says when that is so no longer.
        """
        session = self._heard
        missing = self._devices.missing(session) if session else ()
        if found := self._missed - set(missing):
            self._missed -= found
            self.dispatch("on_found", [each.why for each in found])
        asked = session.question.seats if session and session.question else ()
        news = [
            each
            for each in missing
            if (each.seat is None or each.seat in asked)
            and each not in self._missed
            and each.seat not in self._playing.drafts
        ]
        if news:
            self._missed |= set(news)
            self.dispatch("on_missing", [each.why for each in news])

    def _move(self, move: Move, reason: str, *, again: bool = False) -> Settled:
        keys = move.source.key, move.target.key, move.piece.key
        return self._playing.correct(*keys, move.count, reason, again=again)

    def _may_answer(self, n: int) -> bool:
        return self._session is not None and self._session.n == n and not self.watched

    def _state(self) -> object:
        """What changes with everything a device can do."""
        session = self._session
        return session and (session.n, session.question, tuple(session.drafts.values()), session.put_aside)

    def _go(self, there: Callable[[], list[Say]]) -> None:
        moves: list[Say] = []
        if self._do(lambda: moves.extend(there())):
            self.dispatch("on_by_hand", moves)

    def _do(self, do: Callable[[], object], seat: Seat | None = None) -> bool:
        """Does it and shows what came of it, or says why it can't be."""
        if not self._do_quietly(do, seat):
            return False
        self._refresh()
        return True

    def _do_quietly(self, do: Callable[[], object], seat: Seat | None = None) -> bool:
        try:
            with self._caught_up():
                do()
        except PastReveal:
            raise
        except CompanionError as error:
            asked = self._asked()
            if isinstance(error, Hushed) and seat is None and asked is not None:
                self.dispatch("on_whisper", error.text, asked)
            else:
                self.dispatch("on_refusal", error.text, seat or asked)
            return False
        return True

    @contextmanager
    def _caught_up(self) -> Iterator[None]:
        """What can't be kept is played again from the log: then the same is asked with another Request."""
        try:
            yield
        except CompanionError:
            session, seen = self._session, self.view
            if session and seen and not session.put_aside and session.question is not seen.question:
                self._refresh()
            raise

    def _read(self, look: Callable[[], T], otherwise: T) -> T:
        """What lies in the store; where that can't be read, it is said why once the screen is there."""
        try:
            return look()
        except CompanionError as error:
            text = error.text
            Clock.schedule_once(lambda _: self.dispatch("on_refusal", text, None))
            return otherwise

    def _play_on(self) -> None:
        """The next recorded answer, once it is time; where it can't be, the match ends."""
        if not self.watched:
            return
        try:
            self._play_recorded(self._recorded.pop())
        except CompanionError as error:
            self.leave()
            self.dispatch("on_refusal", error.text, None)
            return
        self._refresh()
        self._playing_on()

    def _play_recorded(self, step: Step) -> None:
        session = self._playing
        if isinstance(step, Corrected):
            session.correct(step.source, step.target, step.piece, step.count, step.reason)
        elif isinstance(session.question, Together):
            for seat in session.question.seats:
                session.draft(session.n, seat, step.answer[str(seat.number)])
        else:
            session.answer(session.n, step.answer)

    def _asked(self) -> Seat | None:
        seats = self._session.question.seats if self._session and self._session.question else ()
        return seats[0] if len(seats) == 1 else None

    def _rest(self) -> None:
        """People leave the table: what was played so far is kept to the tick."""
        session = self._heard
        if session and session.clocks and not session.put_aside:
            self._do_quietly(session.pause)

    def _refresh(self) -> None:
        self.view = view(self._session) if self._session else None
        self.clockwork.watch(self._heard)
        self.dispatch("on_change")
        self.pump()

    def on_change(self) -> None:
        """The view is new."""

    def on_refusal(self, text: Say, seat: Seat | None) -> None:
        """Something can't be, and why; nothing has changed."""

    def on_whisper(self, text: Say, seat: Seat) -> None:
        """The same, but only that seat may read why."""

    def on_by_hand(self, moves: list[Say]) -> None:
        """What to move back on the real table; empty where nothing lies wrong."""

    def on_rolled(self, question: Roll, faces: tuple[int, ...]) -> None:
        """The companion rolled."""

    def on_missing(self, texts: list[Say]) -> None:
        """These devices can't be used: what to do, a sentence each."""

    def on_found(self, texts: list[Say]) -> None:
        """What these sentences say is so no longer."""
