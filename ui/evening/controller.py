"""The controller of the table: it applies what people touch and what devices send, and shows the result.

Screens show its `view` and call it with what people did; a refused call changes nothing. The way is always
the same: somebody does something, the session saves it, and one view of it is shown on the screen and on the
devices. The controller draws nothing, and passes on nothing that the `Evening` says by itself.
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
from companion.session.session import NO_CLOCKS, Session, find_no_card
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
from hardware.doctor import this_computer
from hardware.signals import (
    ButtonDown,
    DeviceFound,
    DeviceLost,
    Inbox,
    KeyAnswer,
    NumbersAnswer,
    NumpadKeyDown,
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
HUMAN_INPUT_SIGNALS = (ButtonDown, NumpadKeyDown, KeyAnswer, NumbersAnswer)
"""Signals that only a person causes, by pressing something."""


class TableController(EventMixin, EventDispatcher):
    """Connects the evening with screen and devices: `TableController(store, wiring)`.

    Call `start_new_game` or `resume_saved_game`, then `answer_question`, `seal_answer_in_envelope`,
    `run_table_action(UNDO, {})` …, `put_away`.
    `clock` returns the seconds since 1970, None if the time isn't known; `seconds` returns monotonic seconds.
    `tags` knows tags besides those that were learned.
    Every input has the number of the question it is meant for; late input is dropped.
    """

    view = ObjectProperty(None, allownone=True)
    """The view that everybody may see; None without a game on the table."""
    display_language = StringProperty("en")
    """The language of the devices' displays."""
    settings = ObjectProperty(default_settings())
    """The settings of this evening."""
    is_safe_mode = False
    """True in safe mode, with default settings.

    Neither settings nor remembered values are saved then.
    """
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
        clock: Callable[[], float | None] = wall_clock.trusted_unix_time,
        seconds: Callable[[], float] = time.monotonic,
        devices: Callable[[Wiring, Inbox], Devices] = Devices,
        tags: Callable[[str], tuple[str, str] | None] = find_no_card,
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
        self._woken = Clock.create_trigger(lambda _: self.handle_device_signals())
        self._devices = devices(wiring or Wiring(), Inbox(wake=self._woken))
        self.diagnostics = Diagnostics(
            self._devices, wiring or Wiring(), partial(this_computer, store.directory)
        )
        self.cards = CardService(store, self._devices, wiring.reader if wiring else ())
        self._devices.signal_listeners += [self._overhear, journal.log_device_change]
        for notice in store.notices:
            LOG.warning("%s", notice.template)
        self._devices.tag_input.private_notice = partial(self.dispatch, "on_whisper")
        self.reader_state = TagReaderState(self._devices.tag_input)
        self.fbind("display_language", lambda *_: self._show())

    def open_devices(self) -> None:
        """Opens the devices and listens to them."""
        self._devices.open()

    def close(self) -> None:
        """Closes devices and store; the game on the table can be resumed later."""
        self.try_or_refuse(self.evening.save_dates_and_stop_clocks)
        self.ticker.stop_following_clocks()
        self.diagnostics.stop_examination()
        self._devices.close()
        self._woken.cancel()
        self._playing_on.cancel()
        self.evening.store.close()

    # Which game

    def read_store(self, read: Callable[[Evening], T], default: E) -> T | E:
        """Returns what `read` reads from the store, or `default` if that fails.

        A failure is shown. `read` gets the evening.
        """
        try:
            return read(self.evening)
        except CompanionError as error:
            text = error.text
            Clock.schedule_once(lambda _: self.dispatch("on_refusal", text, None))
            return default

    def start_new_game(
        self,
        game_key: str,
        names: Sequence[str],
        colours: Sequence[str],
        options: Mapping[str, str],
        clocks: ClockSettings = NO_CLOCKS,
    ) -> bool:
        """Starts a new game, and returns whether it could start.

        A game that is open stays saved.
        """
        LOG.info("%s begins, %d people", game_key, len(names))
        return self._lay(lambda: self.evening.begin_game(game_key, names, options, clocks, colours))

    def resume_saved_game(self, saved: SavedGame | None = None) -> bool:
        """Resumes a saved game, or the open one. Returns whether that was possible."""
        LOG.info("game %s goes on", "that is open" if saved is None else saved.number)
        return self._lay(partial(self.evening.resume_game, saved))

    def continue_saved_game(self, saved: SavedGame) -> None:
        """Continues a saved game.

        Raises `CompanionError` if that isn't possible.
        """
        with self._caught_up():
            self.evening.resume_game(saved)
        self._recorded = None
        self._show()

    def show_past_game(self, saved: SavedGame) -> None:
        """Shows a past game at its end.

        Raises `CompanionError` if its rules can't read it.
        """
        self.evening.show_finished_game(saved)
        self._recorded = None
        self._show()

    def reopen_past_game(self, saved: SavedGame) -> None:
        """Reopens a past game, which was put away.

        Raises `CompanionError` if that isn't possible.
        """
        LOG.info("game %s is reopened", saved.number)
        with self._caught_up():
            self.evening.reopen_game(saved)
        self._recorded = None
        self._show()

    def play_again(self) -> None:
        """Puts the game away and begins it again with the same players and options."""
        self._lay(self.evening.play_again)

    def play_recording(self, events: Sequence[Event]) -> None:
        """Plays a recorded game by itself.

        Nothing of it is saved, and touches are ignored.
        """

        def start() -> None:
            self._recorded = recorded = RecordedMatch(events)
            self.evening.show_recorded_match(recorded)

        if self._do(start):
            self._playing_on()

    @property
    def is_playing_recording(self) -> bool:
        """Returns whether a recorded game is playing by itself."""
        return self._recorded is not None and not self._recorded.is_over

    @property
    def has_recorded_game(self) -> bool:
        """Returns whether a recorded game is on the table, over or not."""
        return self._recorded is not None

    def leave_table(self) -> None:
        """Leaves the table; the game stays open."""
        self.try_or_refuse(self.evening.save_dates_and_stop_clocks)
        self._recorded = None
        self.evening.take_game_off_table()
        self._show()

    def put_away(self) -> None:
        """Puts the game away: it ends, finished or not, and its result is kept."""
        LOG.info("the game is put away")
        if self.try_or_refuse(self.evening.put_game_away):
            self._recorded = None
            self._show()

    # What people do

    def answer_question(self, question_number: int, json_answer: object) -> None:
        """Answers a question; does nothing if another question is open."""
        if self._may_answer(question_number):
            self._do(partial(self._playing.answer, question_number, json_answer))

    def seal_answer_in_envelope(self, question_number: int, seat: Seat, json_answer: object) -> None:
        """Puts a seat's sealed answer to a question into its envelope."""
        if self._may_answer(question_number):
            self._do(partial(self._playing.put_answer_in_envelope, question_number, seat, json_answer), seat)

    def roll_dice(self, question_number: int) -> None:
        """Lets the companion roll the dice of a question."""
        if self._may_answer(question_number) and self._do(
            partial(self._playing.roll_app_dice, question_number)
        ):
            told = self._playing.run.answered_questions[-1]
            self.dispatch("on_rolled", told.question, told.answer)

    def answer_with_cards_on_reader(self, question_number: int) -> None:
        """Answers a question with the cards that are already on a reader."""
        if self._may_answer(question_number):
            self._heed(self._devices.tag_input.use_earlier_tags(self._playing))

    def run_table_action(
        self, action: TableAction, parameters: ParameterValues, confirmed_keys: Collection[str] = ()
    ) -> ActionOutcome:
        """Runs an action of the table and shows its outcome.

        Raises `NeedsConfirmation`, or another `CompanionError` if the action isn't possible. A game that
        plays by itself stays unchanged.
        """
        if self.is_playing_recording:
            return ActionOutcome()
        with self._caught_up():
            outcome = action.run(self.evening, parameters, confirmed_keys)
        self._show(self.evening.view_with_score(outcome.score) if outcome.ended_early else None)
        if outcome.by_hand is not None:
            self.dispatch("on_by_hand", list(outcome.by_hand))
        return outcome

    def correct_by_hand(
        self,
        moves: Sequence[PieceMove],
        reason: str,
        *,
        ask_again: bool = False,
        confirmed_keys: Collection[str] = (),
    ) -> Say | None:
        """Corrects the table by moving pieces by hand.

        Returns why another question is open then. Raises `NeedsConfirmation`, or another `CompanionError`
        if one of the moves isn't possible; then nothing has moved.
        """
        if self.is_playing_recording:
            return None
        with self._caught_up():
            settled = self.evening.move_pieces(
                moves, reason, ask_again=ask_again, confirmed_keys=confirmed_keys
            )
        self._show()
        self.dispatch("on_by_hand", list(settled.moves_by_hand))
        return settled.why_asked_again

    def apply_audit_fix(self, fix: AuditFix, confirmed_keys: Collection[str] = ()) -> None:
        """Applies the fix of an audit; raises the errors of `correct_by_hand`."""
        if not self.is_playing_recording:
            with self._caught_up():
                self.evening.apply_audit_fix(fix, confirmed_keys)
            self._show()

    def handle_device_signals(self) -> None:
        """Handles the signals of the devices, and shows the result."""
        self._heed(self._devices.process_signals(self._heard, self.display_language))

    def device_availability_of_seat(self, seat_number: int) -> Mapping[str, bool]:
        """Returns whether each device of a seat can be used now, by device name."""
        return self._devices.usability_by_input_device_at_seat(seat_number)

    def _overhear(self, signal: Signal) -> None:
        """Dispatches that something was pressed, never which key."""
        if self._heard is None and isinstance(signal, (*HUMAN_INPUT_SIGNALS, DeviceFound, DeviceLost)):
            Clock.schedule_once(
                lambda _: self.dispatch("on_input", signal.device, isinstance(signal, HUMAN_INPUT_SIGNALS))
            )

    # What is set, and what is remembered

    def load_settings(self, language: str | None) -> list[Say]:
        """Loads the saved settings; returns sentences about values that aren't allowed.

        `language`, if given, is used this evening instead of the saved one. In safe mode nothing is loaded.
        """
        found, faults = default_settings(), list[Say]()
        if not self.is_safe_mode:
            found, faults = self.read_store(lambda evening: load_settings(evening.store), (found, faults))
        known = language is not None and languages.find_language(language) is not None
        self.settings = msgspec.structs.replace(found, language=language) if known else found
        return faults

    def change_setting(self, name: str, value: SettingValue) -> None:
        """Changes a setting at once, and saves it.

        Raises `UserError` for a value that isn't allowed. If the disk refuses to save the change, people
        are told, and the change is for this evening only.
        """
        checked = find_setting(name).require_allowed_value(value)
        self.settings = msgspec.structs.replace(self.settings, **{name: checked})
        if not self.is_safe_mode:
            self.try_or_refuse(partial(save_setting, self.evening.store, name, checked))

    def load_remembered_value(self, key: str, default: Any = None, value_type: Any = Any) -> Any:
        """Returns a value remembered from earlier evenings."""
        if self.is_safe_mode:
            return default
        return self.read_store(lambda evening: evening.store.load_value(key, default, value_type), default)

    def remember_value(self, key: str, value: Any) -> None:
        """Remembers a value for later evenings."""
        if not self.is_safe_mode:
            self.try_or_refuse(partial(self.evening.store.save_value, key, value))

    # How it is done

    @property
    def _playing(self) -> Session:
        return self.evening.current_session

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
        """Calls `do` and shows the result, or the reason why it failed; returns whether it was done."""
        if not self.try_or_refuse(do, seat):
            return False
        self._show()
        return True

    def try_or_refuse(self, action: Callable[[], object], seat: Seat | None = None) -> bool:
        """Calls an action, or shows why it was refused; returns whether it was done.

        The screen isn't updated.
        """
        try:
            with self._caught_up():
                action()
        except CompanionError as error:
            self.show_refusal(error, seat)
            return False
        return True

    def show_refusal(self, error: CompanionError, seat: Seat | None = None) -> None:
        """Shows a refusal: why something isn't possible.

        The refusal is shown to the seat, else to the asked player, or to the whole table.
        """
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
            self.leave_table()
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
        self.ticker.follow_clocks_of(self._heard)
        if changed:
            self.dispatch("on_change")
        self._devices.refresh_displays(self._heard, self.view, self.display_language)
        self.reader_state.refresh_tags(self._heard)
        self.cards.update_lost_reader()
        self._miss()

    def _miss(self) -> None:
        """Announces each missing device once, and when it works again.

        A device of the table is announced at once, a device of a seat when the question waits for the seat.
        """
        session = self._heard
        missing = self._devices.missing_devices_needed_by_game(session) if session else ()
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
    """Checks the clocks of a game at intervals, for the screen.

    `change_game` changes the game, shows the result and returns whether it could. `has_clocks`: the game is
    played with clocks; `clocks`: the displays of the running clocks.
    """

    has_clocks = BooleanProperty(defaultvalue=False)
    clocks = ListProperty()
    are_clocks_paused = BooleanProperty(defaultvalue=False)
    __events__ = ("on_ring",)  # text: a clock is up

    def __init__(self, change_game: Callable[[Callable[[], object]], bool], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._do = change_game
        self._session: Session | None = None
        self._keeper: Timekeeper | None = None
        self._ticking = Clock.schedule_interval(
            lambda _: self.handle_expired_clock(), theme.CLOCK_TICK_SECONDS
        )
        self._ticking.cancel()

    def follow_clocks_of(self, session: Session | None) -> None:
        """Starts following the clocks of a game; called whenever the game has changed."""
        if session is not self._session:
            self._session, self._keeper = session, Timekeeper(session) if session else None
        self.has_clocks = bool(session and session.clock_settings and session.result is None)
        if self.has_clocks:
            self._ticking()
        else:
            self._ticking.cancel()
        self._show()

    def stop_following_clocks(self) -> None:
        """Stops following the clocks."""
        self._ticking.cancel()

    def handle_expired_clock(self) -> None:
        """Handles the first clock that ran out.

        Only one is handled at a time, so that people see who is passed over.
        """
        keeper, rung = self._keeper, list[ClockRing | None]()
        assert keeper is not None
        if keeper.seconds_until_next_ring == 0 and self._do(
            lambda: rung.append(keeper.ring_next_due_clock())
        ):
            for ring in rung:
                if ring is not None and not ring.is_silent:
                    self.dispatch("on_ring", ring.text)
        self._show()

    def _show(self) -> None:
        self.clocks = self._keeper.clock_states if self._keeper else []
        self.are_clocks_paused = (
            self.has_clocks and self._session is not None and self._session.are_clocks_paused
        )


# What lies on the readers of tags, for the screen; it draws nothing and knows no reader.


class TagReaderState(EventDispatcher):
    """The tags on the readers, for the screen.

    `current_tags` are the tags for the open question, in order; `waiting_tag_count` is how many more lie
    there for it.
    """

    current_tags = ListProperty()
    waiting_tag_count = NumericProperty(0)

    def __init__(self, tag_input: TagInput, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._tag_input = tag_input

    def refresh_tags(self, session: Session | None) -> None:
        """Updates the tags from the readers."""
        self.current_tags = self._tag_input.tags_for_open_question(session) if session else []
        self.waiting_tag_count = len(self._tag_input.usable_earlier_tags(session))
