"""The controller of the table: it applies what people touch and what devices send, and shows the result.

Screens show its `view` and call it with what people did; whatever it refuses changes nothing.
The way is always the same: somebody does something, the session keeps it, and one view of it is shown on the
screen and on the devices. It draws nothing, and passes on nothing that the `Evening` says by itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import msgspec
from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty

from companion import languages, wall_clock
from companion.actions import ActionOutcome, ParameterValues, TableAction
from companion.clocks import ClockSettings
from companion.errors import CompanionError, PrivateRefusal
from companion.evening import Evening
from companion.log.events import Event
from companion.recorded_match import RecordedMatch
from companion.session.session import NO_CLOCKS, Session, no_tags
from companion.session.timekeeper import ClockRing, Timekeeper
from companion.session.view import View
from companion.settings import SettingValue, default_settings, find_setting, load_settings, save_setting
from companion.store import SavedGame, Store
from companion.table.audit import AuditFix
from companion.table.moves import PieceMove
from companion.table.seats import Seat
from companion.texts import Say
from hardware.desk.tags import TagInput
from hardware.devices import Devices, MissingDevice
from hardware.doctor import this_host
from hardware.signals import (
    ButtonDown,
    DeviceFound,
    DeviceLost,
    Inbox,
    KeyAnswer,
    NumbersAnswer,
    PadKeyDown,
    Signal,
)
from hardware.wiring import Wiring
from ui import journal, theme
from ui.evening.card_service import CardService
from ui.evening.diagnostics import Diagnostics
from ui.events import EventMixin
from ui.journal import LOG

T = TypeVar("T")
E = TypeVar("E")
HAND_SIGNALS = (ButtonDown, PadKeyDown, KeyAnswer, NumbersAnswer)
"""Signals that only a hand causes."""


class TableController(EventMixin, EventDispatcher):
    """`TableController(store, wiring)`; `begin` or `resume`, `answer`, `draft`, `run(UNDO, {})` … `put_away`.

    `clock` returns the seconds since 1970, None where the time isn't known; `seconds` those that never jump.
    `tags` knows tags besides those that were taught.
    Every input names the number `n` of the question it is meant for; late input is dropped.
    """

    view = ObjectProperty(None, allownone=True)
    """What everybody may see; None without a game on the table."""
    lang = StringProperty("en")
    """The language of the devices' displays."""
    settings = ObjectProperty(default_settings())
    """The settings of this evening."""
    is_safe = False
    """In safe mode settings have their defaults, and neither settings nor remembered values are saved."""
    __events__ = (
        "on_change",  # the view is new
        "on_refusal",  # text, seat or None for the whole table: something can't be; nothing has changed
        "on_whisper",  # text, seat: the same, for that seat's eyes only
        "on_by_hand",  # moves: what to move back on the real table; empty where nothing lies wrong
        "on_rolled",  # question, faces: the companion rolled
        "on_missing",  # texts: these devices can't be used: what to do, a sentence each
        "on_found",  # texts: what these sentences say is so no longer
        "on_input",  # device, pressed: no game lies there, and somebody pressed it, or it was lost or found
    )

    def __init__(
        self,
        store: Store,
        wiring: Wiring | None = None,
        *,
        clock: Callable[[], float | None] = wall_clock.trusted_now,
        seconds: Callable[[], float] = time.monotonic,
        devices: Callable[[Wiring, Inbox], Devices] = Devices,
        tags: Callable[[str], tuple[str, str] | None] = no_tags,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.evening = Evening(store, clock=clock, seconds=seconds, tags=tags)
        """The game on the table and what is saved."""
        self.notices = [*store.notices, *(wiring.faults if wiring else ())]
        self._recorded: RecordedMatch | None = None
        self._shown: object = None
        self._missed: set[MissingDevice] = set()
        self.ticker = ClockTicker(self._do)
        self._playing_on = Clock.create_trigger(lambda _: self._play_on(), theme.REVEAL_PAUSE_SECONDS)
        # Kivy's triggers may be pulled from any thread and run in this one.
        self._woken = Clock.create_trigger(lambda _: self.poll_devices())
        self._devices = devices(wiring or Wiring(), Inbox(wake=self._woken))
        self.diagnostics = Diagnostics(self._devices, wiring or Wiring(), partial(this_host, store.directory))
        self.cards = CardService(store, self._devices, wiring.reader if wiring else ())
        self._devices.signal_listeners += [self._overhear, journal.log_device_change]
        for notice in store.notices:
            LOG.warning("%s", notice.template)
        self._devices.tag_input.private_notice = partial(self.dispatch, "on_whisper")
        self.reader_state = ReaderState(self._devices.tag_input)
        self.fbind("lang", lambda *_: self._show())

    def open(self) -> None:
        """Opens the devices and listens to them."""
        self._devices.open()

    def close(self) -> None:
        """Closes devices and store; the game on the table can be resumed later."""
        self.attempt(self.evening.suspend)
        self.ticker.stop()
        self.diagnostics.close()
        self._devices.close()
        self._woken.cancel()
        self._playing_on.cancel()
        self.evening.store.close()

    # Which game

    def read_store(self, look: Callable[[Evening], T], otherwise: E) -> T | E:
        """Returns what `look` reads from the evening; if that fails, explains it and returns `otherwise`."""
        try:
            return look(self.evening)
        except CompanionError as error:
            text = error.text
            Clock.schedule_once(lambda _: self.dispatch("on_refusal", text, None))
            return otherwise

    def begin(
        self,
        game: str,
        names: Sequence[str],
        colours: Sequence[str],
        options: Mapping[str, str],
        clocks: ClockSettings = NO_CLOCKS,
    ) -> bool:
        """Begins a new game; one that is open stays saved. Returns whether it could begin."""
        LOG.info("%s begins, %d people", game, len(names))
        return self._lay(lambda: self.evening.begin_game(game, names, options, clocks, colours))

    def resume(self, saved: SavedGame | None = None) -> bool:
        """Resumes a saved game, or the open one. Returns whether that was possible."""
        LOG.info("game %s goes on", "that is open" if saved is None else saved.number)
        return self._lay(partial(self.evening.resume_game, saved))

    def continue_game(self, saved: SavedGame) -> None:
        """Continues a saved game; raises `CompanionError` if it can't."""
        with self._caught_up():
            self.evening.resume_game(saved)
        self._recorded = None
        self._show()

    def show_past_game(self, saved: SavedGame) -> None:
        """Shows the end of a past game; raises `CompanionError` if its rules can't read it."""
        self.evening.show_finished_game(saved)
        self._recorded = None
        self._show()

    def reopen(self, saved: SavedGame) -> None:
        """Reopens a game that was put away; raises `CompanionError` if it can't."""
        LOG.info("game %s is reopened", saved.number)
        with self._caught_up():
            self.evening.reopen_game(saved)
        self._recorded = None
        self._show()

    def play_again(self) -> None:
        """Puts the game away and begins it again with the same players and options."""
        self._lay(self.evening.play_again)

    def play_recording(self, events: Sequence[Event]) -> None:
        """Plays a recorded game by itself and saves nothing of it; touches don't count."""

        def start() -> None:
            self._recorded = recorded = RecordedMatch(events)
            self.evening.show_recorded_match(recorded)

        if self._do(start):
            self._playing_on()

    @property
    def is_playing_recording(self) -> bool:
        """Returns whether the game plays by itself."""
        return self._recorded is not None and not self._recorded.is_over

    @property
    def is_demo(self) -> bool:
        """Returns whether a recorded game is on the table, over or not."""
        return self._recorded is not None

    def leave(self) -> None:
        """Leaves the table; the game stays open."""
        self.attempt(self.evening.suspend)
        self._recorded = None
        self.evening.clear_table()
        self._show()

    def put_away(self) -> None:
        """Ends the game, finished or not."""
        LOG.info("the game is put away")
        if self.attempt(self.evening.put_game_away):
            self._recorded = None
            self._show()

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
            told = self._playing.run.answered[-1]
            self.dispatch("on_rolled", told.question, told.answer)

    def take_cards(self, n: int) -> None:
        """Answers question `n` with the cards that already lie on a reader."""
        if self._may_answer(n):
            self._heed(self._devices.tag_input.use_waiting_tags(self._playing))

    def run(
        self, action: TableAction, given: ParameterValues, confirmed: Collection[str] = ()
    ) -> ActionOutcome:
        """Does an action of the table and shows what came of it.

        Raises `NeedsConfirmation`, or another `CompanionError` if it can't be done. A game that plays by
        itself stays as it is.
        """
        if self.is_playing_recording:
            return ActionOutcome()
        with self._caught_up():
            outcome = action.run(self.evening, given, confirmed)
        self._show(self.evening.view_with_score(outcome.score) if outcome.ended_early else None)
        if outcome.by_hand is not None:
            self.dispatch("on_by_hand", list(outcome.by_hand))
        return outcome

    def correct(
        self,
        moves: Sequence[PieceMove],
        reason: str,
        *,
        again: bool = False,
        confirmed: Collection[str] = (),
    ) -> Say | None:
        """Moves pieces by hand; returns why another question is open then.

        Raises `NeedsConfirmation`, or another `CompanionError` if a part of it can't be done; nothing has
        moved then.
        """
        if self.is_playing_recording:
            return None
        with self._caught_up():
            settled = self.evening.move_pieces(moves, reason, again=again, confirmed=confirmed)
        self._show()
        self.dispatch("on_by_hand", list(settled.by_hand))
        return settled.why

    def apply_fix(self, fix: AuditFix, confirmed: Collection[str] = ()) -> None:
        """Applies the fix of an audit; raises as `correct` does."""
        if not self.is_playing_recording:
            with self._caught_up():
                self.evening.apply_fix(fix, confirmed)
            self._show()

    def poll_devices(self) -> None:
        """Handles the signals of the devices, and shows the result."""
        self._heed(self._devices.process_signals(self._heard, self.lang))

    def devices_of_seat(self, seat: int) -> Mapping[str, bool]:
        """Returns the devices of a seat by name, and whether each can be used now."""
        return self._devices.devices_at_seat(seat)

    def _overhear(self, signal: Signal) -> None:
        """Dispatches that something was pressed, never what."""
        if self._heard is None and isinstance(signal, (*HAND_SIGNALS, DeviceFound, DeviceLost)):
            Clock.schedule_once(
                lambda _: self.dispatch("on_input", signal.device, isinstance(signal, HAND_SIGNALS))
            )

    # What is set, and what is remembered

    def load_settings(self, lang: str | None) -> list[Say]:
        """Reads what is saved and returns sentences about values that aren't allowed.

        `lang`, if given, is the language of this evening, whatever is saved. In safe mode nothing is read.
        """
        found, faults = default_settings(), list[Say]()
        if not self.is_safe:
            found, faults = self.read_store(lambda evening: load_settings(evening.store), (found, faults))
        known = lang is not None and languages.find_language(lang) is not None
        self.settings = msgspec.structs.replace(found, language=lang) if known else found
        return faults

    def change_setting(self, name: str, value: SettingValue) -> None:
        """Changes a setting at once, and saves it; raises `UserError` for a value that isn't allowed.

        If the disk refuses to save it, people are told, and the change is for this evening.
        """
        checked = find_setting(name).check_value(value)
        self.settings = msgspec.structs.replace(self.settings, **{name: checked})
        if not self.is_safe:
            self.attempt(partial(save_setting, self.evening.store, name, checked))

    def recall_value(self, key: str, default: Any = None, shape: Any = Any) -> Any:
        """Returns a value remembered from earlier evenings."""
        if self.is_safe:
            return default
        return self.read_store(lambda evening: evening.store.load_value(key, default, shape), default)

    def remember_value(self, key: str, value: Any) -> None:
        """Remembers a value for later evenings."""
        if not self.is_safe:
            self.attempt(partial(self.evening.store.save_value, key, value))

    # How it is done

    @property
    def _playing(self) -> Session:
        return self.evening.playing

    @property
    def _heard(self) -> Session | None:
        """Returns the game that devices answer; none if it plays by itself or is past."""
        return None if self.is_playing_recording or self.evening.finished_game else self.evening.session

    def _may_answer(self, n: int) -> bool:
        session = self._heard
        return session is not None and session.question_number == n

    def _lay(self, begin: Callable[[], object]) -> bool:
        def start() -> None:
            begin()
            self._recorded = None

        return self._do(start)

    def _do(self, do: Callable[[], object], seat: Seat | None = None) -> bool:
        """Calls `do` and shows the result, or explains why it can't be done; returns whether it was done."""
        if not self.attempt(do, seat):
            return False
        self._show()
        return True

    def attempt(self, do: Callable[[], object], seat: Seat | None = None) -> bool:
        """Calls `do`, or explains why it can't; returns whether it was done. The screen isn't updated."""
        try:
            with self._caught_up():
                do()
        except CompanionError as error:
            self.refuse(error, seat)
            return False
        return True

    def refuse(self, error: CompanionError, seat: Seat | None = None) -> None:
        """Explains why something can't be done: to a seat, to the asked player, or to the whole table."""
        journal.log_refusal(error)
        asked = self._asked()
        is_private = isinstance(error, PrivateRefusal) and error.is_private
        if is_private and seat is None and asked is not None:
            self.dispatch("on_whisper", error.text, asked)
        else:
            self.dispatch("on_refusal", error.text, seat or asked)

    @contextmanager
    def _caught_up(self) -> Iterator[None]:
        """Updates the screen after an error: a session replayed from the log has a new Request object."""
        try:
            yield
        except CompanionError:
            session = self.evening.session
            if session is None or not session.is_put_away:
                self._show()
            raise

    def _asked(self) -> Seat | None:
        session = self.evening.session
        seats = session.question.seats if session and session.question else ()
        return seats[0] if len(seats) == 1 else None

    def _play_on(self) -> None:
        """Gives the next recorded answer; if it is refused, the match ends."""
        if self._recorded is None or self._recorded.is_over:
            return
        try:
            self._recorded.play_next_step()
        except CompanionError as error:
            self.leave()
            self.dispatch("on_refusal", error.text, None)
            return
        self._show()
        self._playing_on()

    # What is shown

    def _heed(self, aloud: Sequence[Say]) -> None:
        """Refreshes the screen, then announces the messages (a refresh would clear them)."""
        self._show()
        for text in aloud:
            self.dispatch("on_refusal", text, None)

    def _show(self, seen: View | None = None) -> None:
        """Shows one view of a changed game on the screen, and always updates the devices."""
        session = self.evening.session
        now = session and (session, session.change_count)
        changed, self._shown = now != self._shown, now
        if changed:
            self.view = seen or (self.evening.view_for() if session else None)
        self.ticker.watch(self._heard)
        if changed:
            self.dispatch("on_change")
        self._devices.refresh_displays(self._heard, self.view, self.lang)
        self.reader_state.look(self._heard)
        self.cards.check_readers()
        self._miss()

    def _miss(self) -> None:
        """Announces each missing device once: the table's at once, a seat's when the question waits for it.

        And says when that is so no longer.
        """
        session = self._heard
        missing = self._devices.missing_devices(session) if session else ()
        if found := self._missed - set(missing):
            self._missed -= found
            self.dispatch("on_found", [each.message for each in found])
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
            self.dispatch("on_missing", [each.message for each in news])


# Kivy's clock as a device at the table: it looks at the limits of time, in the thread that runs the screen.
#
# It draws nothing. What it may do to the game goes through `do`, like every other input.


class ClockTicker(EventMixin, EventDispatcher):
    """`do` changes the game, shows the result and returns whether it could.

    `timed`: the game is played with clocks; `clocks`: what those that count now show.
    """

    timed = BooleanProperty(defaultvalue=False)
    clocks = ListProperty()
    paused = BooleanProperty(defaultvalue=False)
    __events__ = ("on_ring",)  # text: a clock is up

    def __init__(self, do: Callable[[Callable[[], object]], bool], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._do = do
        self._session: Session | None = None
        self._keeper: Timekeeper | None = None
        self._ticking = Clock.schedule_interval(lambda _: self.tick(), theme.CLOCK_TICK_SECONDS)
        self._ticking.cancel()

    def watch(self, session: Session | None) -> None:
        """Follows the clocks of a game; called whenever the game has changed."""
        if session is not self._session:
            self._session, self._keeper = session, Timekeeper(session) if session else None
        self.timed = bool(session and session.clocks and session.result is None)
        if self.timed:
            self._ticking()
        else:
            self._ticking.cancel()
        self._show()

    def stop(self) -> None:
        """Stops following the clocks."""
        self._ticking.cancel()

    def tick(self) -> None:
        """Handles the first clock that is up; one at a time, so that people see who is passed over."""
        keeper, rung = self._keeper, list[ClockRing | None]()
        assert keeper is not None
        if keeper.seconds_until_due == 0 and self._do(lambda: rung.append(keeper.tick())):
            for ring in rung:
                if ring is not None and not ring.quiet:
                    self.dispatch("on_ring", ring.text)
        self._show()

    def _show(self) -> None:
        self.clocks = self._keeper.clocks if self._keeper else []
        self.paused = self.timed and self._session is not None and self._session.are_clocks_paused


# What lies on the readers of tags, for the screen; it draws nothing and knows no reader.


class ReaderState(EventDispatcher):
    """`laid` are the tags for the open question, in order; `waiting` is how many more lie there for it."""

    laid = ListProperty()
    waiting = NumericProperty(0)

    def __init__(self, laying: TagInput, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._laying = laying

    def look(self, session: Session | None) -> None:
        """Reads from the devices what lies on the readers."""
        self.laid = self._laying.current_tags(session) if session else []
        self.waiting = len(self._laying.waiting_tags(session))
