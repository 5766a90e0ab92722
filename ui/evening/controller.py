"""The controller of the table: it applies what people touch and what devices send, and shows the result.

Screens show its `view` and call its methods for what people do; a refused call changes nothing. Each change
takes the same way: somebody does something, the session saves it, and screen and devices show one new view.
The controller draws nothing, and has no method that only forwards to the `Evening`.
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
from companion.actions import AMEND, REDO, UNDO, UNDO_TO_STEP, ActionOutcome, ParameterValues, TableAction
from companion.clocks import ClockSettings
from companion.errors import CompanionError, PrivateRefusal
from companion.evening import Evening
from companion.house_rules import (
    GameVariant,
    change_house_rule,
    move_house_rules,
    save_house_rule,
    save_moved_house_rules,
)
from companion.log.events import Event
from companion.recorded_match import RecordedMatch
from companion.session.session import NO_CLOCKS, Session, find_no_card
from companion.session.timekeeper import ClockTimeout, Timekeeper
from companion.session.upcoming_round import is_round_just_opened
from companion.session.view import View
from companion.settings import (
    LoadedSettings,
    SettingValue,
    default_settings,
    find_setting,
    load_settings,
    save_setting,
)
from companion.store import SavedGame, Store
from companion.table.audit import AuditFix
from companion.table.moves import PieceMove
from companion.table.seats import Seat
from companion.table.table import OptionValue
from companion.texts import Say
from hardware.desk.tags import TagInput
from hardware.devices import Devices, MissingDevice
from hardware.doctor import this_computer
from hardware.signals import (
    ButtonDown,
    ControlKeyAnswer,
    DeviceFound,
    DeviceLost,
    Inbox,
    NumbersAnswer,
    NumpadKeyDown,
    Signal,
)
from hardware.wiring import Wiring
from ui import journal, theme
from ui.evening.card_service import CardService
from ui.evening.diagnostics import Diagnostics
from ui.evening.phone_service import PhoneService
from ui.evening.round_preview import RoundPreview
from ui.evening.wifi_service import WifiService
from ui.events import EventMixin
from ui.journal import LOG

T = TypeVar("T")
E = TypeVar("E")
HUMAN_INPUT_SIGNALS = (ButtonDown, NumpadKeyDown, ControlKeyAnswer, NumbersAnswer)
"""Signals that only a person causes, by pressing something."""
RESTORING_ACTIONS = (UNDO, UNDO_TO_STEP, REDO, AMEND)
"""Actions that restore what was on the table before, or play it again."""


class TableController(EventMixin, EventDispatcher):
    """Connects the evening with screen and devices: `TableController(store, wiring)`.

    Call `start_new_game` or `resume_saved_game`, then `answer_question`, `seal_answer_in_envelope`,
    `run_table_action(UNDO, {})` …, `put_away`.
    `clock` returns the seconds since 1970, None if the time isn't known; `seconds` returns monotonic seconds.
    `tags` returns deck and card of a tag that nobody has enrolled, such as a simulated one.
    Every answer has the number of its question; late answers are dropped.
    """

    view = ObjectProperty(None, allownone=True)
    """The view that everybody may see; None without a game on the table."""
    display_language = StringProperty("en")
    """The language of the devices' displays."""
    settings = ObjectProperty(default_settings())
    """The settings of this evening."""
    is_safe_mode = False
    """True in safe mode: nothing is loaded from, or saved in, the settings and the remembered values.

    The settings are the default settings. Games are saved as usual.
    """
    is_restoring = False
    """True while one of `RESTORING_ACTIONS`, or a correction that leads to another question, is shown."""
    __events__ = (
        "on_change",  # the view is new
        "on_refusal",  # text, seat or None for the whole table: something isn't possible; nothing has changed
        "on_private_refusal",  # text, seat: a refusal that only that seat may read
        "on_pieces_to_move_back",  # moves: what to move back on the real table; empty if nothing is misplaced
        "on_dice_rolled",  # question, faces: the companion rolled
        "on_devices_missing",  # texts: devices can't be used, with a sentence for each that says what to do
        "on_devices_found",  # texts: sentences of `on_devices_missing` that are no longer true
        "on_device_signal",  # a device was used, lost or found
        "on_device_activity",  # device, pressed: without a game, a device was pressed, lost or found
    )

    def __init__(  # noqa: PLR0915 - it makes all parts of an evening
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
        self._recorded_match: RecordedMatch | None = None
        self._shown_game_and_change_count: object = None
        self._announced_devices: set[MissingDevice] = set()
        self.round_preview = RoundPreview()
        """The next round, while people may enter it instead of choosing it from the menu."""
        self.ticker = ClockTicker(self._apply_and_show)
        self.may_play_next_step: Callable[[], bool] = lambda: True
        """Whether people have seen the last step of a recorded game; the game waits until they have."""
        self._next_step_trigger = Clock.create_trigger(
            lambda _: self._play_next_step_if_allowed(), theme.REVEAL_PAUSE_SECONDS
        )
        self._read_errors: dict[Say, None] = {}
        self._announce_read_errors_soon = Clock.create_trigger(lambda _: self._announce_read_errors())
        # Any thread may call Kivy's triggers; they run in the main thread.
        self._signal_trigger = Clock.create_trigger(lambda _: self.handle_device_signals())
        inbox = Inbox(wake=self._signal_trigger)
        self._devices = devices(wiring or Wiring(), inbox)
        self.phone_service = PhoneService(store, inbox, self.round_preview.find_question_for, seconds)
        self.wifi_service = WifiService()
        self._connect_devices()
        self.diagnostics = Diagnostics(
            self._devices, wiring or Wiring(), partial(this_computer, store.directory)
        )
        self.cards = CardService(store, self._devices, wiring.reader if wiring else ())
        for notice in store.notices:
            LOG.warning("%s", notice.template)
        self.reader_state = TagReaderState(self._devices.tag_input)
        self.fbind("display_language", lambda *_: self._show())

    def _connect_devices(self) -> None:
        """Connects the devices with what they need of the table."""
        self._devices.find_shown_round = self.round_preview.find_question_for
        self._devices.phone_listener = self.phone_service.handle_signal
        self.phone_service.bind(on_sleeping_phone=lambda _: self._announce_missing_devices())
        self._devices.signal_listeners += [self._announce_input, journal.log_device_change]
        self._devices.tag_input.show_private_notice = partial(self.dispatch, "on_private_refusal")

    def open_devices(self) -> None:
        """Opens the ports and pins of the devices."""
        self._devices.open()
        self.try_or_refuse(self.phone_service.switch_on_again_after_restart)

    def close(self) -> None:
        """Closes devices and store; the game on the table can be resumed later."""
        self.try_or_refuse(self.evening.save_dates_and_stop_clocks)
        self.ticker.stop_following_clocks()
        self.diagnostics.stop_examination()
        self.phone_service.close()
        self._devices.close()
        self._signal_trigger.cancel()
        self._next_step_trigger.cancel()
        self._announce_read_errors_soon.cancel()
        self.evening.store.close()

    # The game on the table

    def read_store(self, read: Callable[[Evening], T], default: E) -> T | E:
        """Returns what `read` reads from the store, or shows why that failed and returns `default`.

        `read` gets the evening. A page may read many values; the same reason is shown only once.
        """
        try:
            return read(self.evening)
        except CompanionError as error:
            self._read_errors[error.text] = None
            self._announce_read_errors_soon()
            return default

    def _announce_read_errors(self) -> None:
        texts, self._read_errors = list(self._read_errors), {}
        for text in texts:
            self.dispatch("on_refusal", text, None)

    def start_new_game(
        self,
        game_key: str,
        names: Sequence[str],
        colours: Sequence[str],
        options: Mapping[str, str],
        clocks: ClockSettings = NO_CLOCKS,
    ) -> bool:
        """Starts a new game, and returns whether it could start; a game that is open stays saved."""
        LOG.info("%s begins, %d people", game_key, len(names))
        return self._put_on_table(lambda: self.evening.begin_game(game_key, names, options, clocks, colours))

    def resume_saved_game(self, saved: SavedGame | None = None) -> bool:
        """Resumes a saved game, or by default the open one; returns whether that was possible."""
        LOG.info("game %s goes on", "that is open" if saved is None else saved.number)
        return self._put_on_table(partial(self.evening.resume_game, saved))

    def continue_saved_game(self, saved: SavedGame) -> None:
        """Continues a saved game; raises `CompanionError` if that isn't possible."""
        with self._refreshing_after_error():
            self.evening.resume_game(saved)
        self._recorded_match = None
        self._show()

    def show_past_game(self, saved: SavedGame) -> None:
        """Shows a past game at its end; raises `CompanionError` if the rules can't read the game."""
        self.evening.show_finished_game(saved)
        self._recorded_match = None
        self._show()

    def reopen_past_game(self, saved: SavedGame) -> None:
        """Reopens a game that was put away; raises `CompanionError` if that isn't possible."""
        LOG.info("game %s is reopened", saved.number)
        with self._refreshing_after_error():
            self.evening.reopen_game(saved)
        self._recorded_match = None
        self._show()

    def undo_early_end(self) -> None:
        """Continues the game that was ended early; raises `CompanionError` if that isn't possible."""
        LOG.info("the early end is undone")
        with self._refreshing_after_error():
            self.evening.undo_early_end()
        self._show()

    def put_away_and_play_again(self) -> None:
        """Puts the game away and begins it again with the same players and options."""
        self._put_on_table(self.evening.play_again)

    def play_recording(self, events: Sequence[Event]) -> None:
        """Plays a recorded game by itself; nothing is saved, and touches are ignored."""

        def start() -> None:
            self._recorded_match = match = RecordedMatch(events)
            self.evening.show_recorded_match(match)

        if self._apply_and_show(start):
            self._next_step_trigger()

    @property
    def is_playing_recording(self) -> bool:
        """Returns whether a recorded game is playing by itself."""
        return self._recorded_match is not None and not self._recorded_match.is_over

    @property
    def is_showing_recorded_game(self) -> bool:
        """Returns whether a recorded game is on the table, over or not."""
        return self._recorded_match is not None

    def leave_table(self) -> None:
        """Leaves the table; the game stays open."""
        self.try_or_refuse(self.evening.save_dates_and_stop_clocks)
        self._recorded_match = None
        self.evening.take_game_off_table()
        self._show()

    def put_away(self) -> None:
        """Puts the game away: it ends, finished or not, and its result is kept."""
        LOG.info("the game is put away")
        if self.try_or_refuse(self.evening.put_game_away):
            self._recorded_match = None
            self._show()

    # Answers, actions and devices

    def answer_question(self, question_number: int, json_answer: object) -> None:
        """Answers a question; does nothing if another question is open."""
        if self._may_answer(question_number):
            self._apply_and_show(partial(self._session_on_table.answer, question_number, json_answer))

    def seal_answer_in_envelope(self, question_number: int, seat: Seat, json_answer: object) -> None:
        """Puts a seat's answer to a question into its envelope; the answer may open the next round."""
        if self._may_answer(question_number):
            enter = partial(self.round_preview.enter_answer, self._session_on_table, question_number)
            self._apply_and_show(partial(enter, seat, json_answer), seat)

    @property
    def table_view(self) -> View | None:
        """The view of everybody as the table shows it: with the next round instead of the menu."""
        question, view = self.round_preview.question, self.round_preview.put_in_place_of_menu(self.view)
        if question is None or view is None:
            return view
        return msgspec.structs.replace(view, help_text=self.evening.game.help_for_question(question))

    @property
    def can_return_to_menu(self) -> bool:
        """Returns whether a round is shown that has just been opened from a menu, or could be."""
        session = self._answerable_session
        is_previewed = self.round_preview.question is not None
        return session is not None and (is_previewed or is_round_just_opened(session))

    def show_menu(self) -> None:
        """Shows the menu instead of the next round, until something is chosen from it."""
        self.round_preview.dismiss()
        self.dispatch("on_change")
        self._refresh_devices()

    def roll_dice(self, question_number: int) -> None:
        """Lets the companion roll the dice of a question."""
        if self._may_answer(question_number) and self._apply_and_show(
            partial(self._session_on_table.roll_app_dice, question_number)
        ):
            answered = self._session_on_table.rulebook_run.answered_questions[-1]
            self.dispatch("on_dice_rolled", answered.question, answered.answer)

    def answer_with_cards_on_reader(self, question_number: int) -> None:
        """Answers a question with the cards that are already on a reader."""
        if self._may_answer(question_number):
            self._refresh_and_announce(self._devices.tag_input.use_earlier_tags(self._session_on_table))

    def run_table_action(
        self, action: TableAction, parameters: ParameterValues, confirmed_keys: Collection[str] = ()
    ) -> ActionOutcome:
        """Runs an action of the table and shows its outcome.

        Raises `NeedsConfirmation`, or another `CompanionError` if the action isn't possible. A game that
        plays by itself stays unchanged.
        """
        if self.is_playing_recording:
            return ActionOutcome()
        self.is_restoring = action in RESTORING_ACTIONS
        try:
            with self._refreshing_after_error():
                outcome = action.run(self.evening, parameters, confirmed_keys)
            self._show(self.evening.view_ended_early(outcome.score) if outcome.ended_early else None)
        finally:
            self.is_restoring = False
        if outcome.moves_by_hand is not None:
            self.dispatch("on_pieces_to_move_back", list(outcome.moves_by_hand))
        return outcome

    def correct_by_hand(
        self,
        moves: Sequence[PieceMove],
        reason: str,
        *,
        ask_again: bool = False,
        confirmed_keys: Collection[str] = (),
    ) -> Say | None:
        """Corrects the table by moving pieces by hand; returns why another question is open then, or None.

        Raises `NeedsConfirmation`, or another `CompanionError` if one of the moves isn't possible; then
        nothing has moved.
        """
        if self.is_playing_recording:
            return None
        question_number = self._session_on_table.question_number
        with self._refreshing_after_error():
            correction = self.evening.move_pieces(
                moves, reason, ask_again=ask_again, confirmed_keys=confirmed_keys
            )
        self._show_correction(question_number)
        self.dispatch("on_pieces_to_move_back", list(correction.moves_by_hand))
        return correction.why_asked_again

    def apply_audit_fix(self, fix: AuditFix, confirmed_keys: Collection[str] = ()) -> None:
        """Applies the fix of an audit; raises the errors of `correct_by_hand`."""
        if not self.is_playing_recording:
            question_number = self._session_on_table.question_number
            with self._refreshing_after_error():
                self.evening.apply_audit_fix(fix, confirmed_keys)
            self._show_correction(question_number)

    def _show_correction(self, question_number: int) -> None:
        """Shows the table after a correction; `question_number` is that of the question before it."""
        self.is_restoring = self._session_on_table.question_number != question_number
        try:
            self._show()
        finally:
            self.is_restoring = False

    def handle_device_signals(self) -> None:
        """Handles the signals of the devices, and shows the result."""
        self._refresh_and_announce(
            self._devices.process_signals(self._answerable_session, self.display_language)
        )

    def device_availability_of_seat(self, seat_number: int) -> Mapping[str, bool]:
        """Returns whether each device of a seat can be used now, by device name; its phone is one of them."""
        devices = self._devices.usability_by_input_device_at_seat(seat_number)
        return {**devices, **self.phone_service.availability_of_seat(seat_number)}

    def _announce_input(self, signal: Signal) -> None:
        """Announces that a device was used, lost or found; without a game also which one, never which key."""
        self.dispatch("on_device_signal")
        if self._answerable_session is None and isinstance(
            signal, (*HUMAN_INPUT_SIGNALS, DeviceFound, DeviceLost)
        ):
            Clock.schedule_once(
                lambda _: self.dispatch(
                    "on_device_activity", signal.device, isinstance(signal, HUMAN_INPUT_SIGNALS)
                )
            )

    # Settings and remembered values

    def load_settings(self, language: str | None) -> list[Say]:
        """Loads the saved settings; returns sentences about values that aren't allowed.

        `language`, if given, is used this evening instead of the saved one. In safe mode nothing is loaded.
        """
        loaded = LoadedSettings(default_settings(), [])
        if not self.is_safe_mode:
            loaded = self.read_store(lambda evening: load_settings(evening.store), loaded)
        settings = loaded.settings
        is_known = language is not None and languages.find_language(language) is not None
        self.settings = msgspec.structs.replace(settings, language=language) if is_known else settings
        return loaded.faults

    def change_setting(self, name: str, value: SettingValue) -> None:
        """Changes a setting at once, and saves it.

        Raises `UserError` for a value that isn't allowed. If the disk can't save the change, people are told,
        and the change is for this evening only.
        """
        allowed_value = find_setting(name).require_allowed_value(value)
        self.settings = msgspec.structs.replace(self.settings, **{name: allowed_value})
        if not self.is_safe_mode:
            self.try_or_refuse(partial(save_setting, self.evening.store, name, allowed_value))

    def change_house_rule(self, variant: GameVariant, option_key: str, value: OptionValue) -> None:
        """Changes a house rule at once, and saves it; the usual value is no house rule.

        Raises `UserError` for a value that isn't allowed. The disk matters as in `change_setting`.
        """
        rules = change_house_rule(self.settings.house_rules, variant, option_key, value)
        self.settings = msgspec.structs.replace(self.settings, house_rules=rules)
        if not self.is_safe_mode:
            self.try_or_refuse(partial(save_house_rule, self.evening.store, variant, option_key, value))

    def move_house_rules(self, variant_key: str, new_key: str = "") -> None:
        """Keeps the house rules of a renamed preset; without a new key, deletes them."""
        rules = move_house_rules(self.settings.house_rules, variant_key, new_key)
        self.settings = msgspec.structs.replace(self.settings, house_rules=rules)
        if not self.is_safe_mode:
            self.try_or_refuse(partial(save_moved_house_rules, self.evening.store, variant_key, new_key))

    def toggle_sound(self) -> None:
        """Turns sound on or off; the volume stays, unless nothing could be heard with it."""
        is_on = self.settings.sound and self.settings.volume > 0
        if not is_on and self.settings.volume == 0:
            self.change_setting("volume", default_settings().volume)
        self.change_setting("sound", not is_on)

    def load_remembered_value(self, key: str, default: Any = None, value_type: Any = Any) -> Any:
        """Returns a value remembered from earlier evenings; `default` without one, and in safe mode."""
        if self.is_safe_mode:
            return default
        return self.read_store(lambda evening: evening.store.load_value(key, default, value_type), default)

    def remember_value(self, key: str, value: Any) -> None:
        """Saves a value for later evenings, except in safe mode."""
        if not self.is_safe_mode:
            self.try_or_refuse(partial(self.evening.store.save_value, key, value))

    # Helpers for changes and refusals

    @property
    def _session_on_table(self) -> Session:
        return self.evening.current_session

    @property
    def _answerable_session(self) -> Session | None:
        """The game that people can answer; None if it plays by itself or is past."""
        return None if self.is_playing_recording or self.evening.finished_game else self.evening.session

    def _may_answer(self, question_number: int) -> bool:
        session = self._answerable_session
        return session is not None and session.question_number == question_number

    def _put_on_table(self, open_game: Callable[[], object]) -> bool:
        def start() -> None:
            open_game()
            self._recorded_match = None

        return self._apply_and_show(start)

    def _apply_and_show(self, change: Callable[[], object], seat: Seat | None = None) -> bool:
        """Calls `change` and shows the new state or the refusal; returns whether the change was done."""
        if not self.try_or_refuse(change, seat):
            return False
        self._show()
        return True

    def try_or_refuse(self, action: Callable[[], object], seat: Seat | None = None) -> bool:
        """Calls an action, or shows why it was refused; returns whether it was done.

        After the action the screen isn't refreshed.
        """
        try:
            with self._refreshing_after_error():
                action()
        except CompanionError as error:
            self.show_refusal(error, seat)
            return False
        return True

    def show_refusal(self, error: CompanionError, seat: Seat | None = None) -> None:
        """Shows why something isn't possible, to the seat, or else to the asked player or the whole table."""
        journal.log_error_behind_refusal(error)
        asked_seat = self._only_asked_seat()
        is_private = isinstance(error, PrivateRefusal) and error.is_private
        if is_private and seat is None and asked_seat is not None:
            self.dispatch("on_private_refusal", error.text, asked_seat)
        else:
            self.dispatch("on_refusal", error.text, seat or asked_seat)

    @contextmanager
    def _refreshing_after_error(self) -> Iterator[None]:
        """Refreshes the screen after an error: a session replayed from the log has a new Request object."""
        try:
            yield
        except CompanionError:
            session = self.evening.session
            if session is None or not session.is_put_away:
                self._show()
            raise

    def _only_asked_seat(self) -> Seat | None:
        session = self.evening.session
        seats = session.question.seats if session and session.question else ()
        return seats[0] if len(seats) == 1 else None

    def _play_next_step_if_allowed(self) -> None:
        if self.may_play_next_step():
            self._play_next_step()
        elif self.is_playing_recording:
            self._next_step_trigger()

    def _play_next_step(self) -> None:
        """Plays the next step of the recorded game; if the step is refused, the game leaves the table."""
        if self._recorded_match is None or self._recorded_match.is_over:
            return
        try:
            self._recorded_match.play_next_step()
        except CompanionError as error:
            self.leave_table()
            self.dispatch("on_refusal", error.text, None)
            return
        self._show()
        self._next_step_trigger()

    # Refreshing screen and devices

    def _refresh_and_announce(self, messages: Sequence[Say]) -> None:
        """Refreshes the screen, then announces the messages (a refresh would clear them)."""
        self._show()
        for text in messages:
            self.dispatch("on_refusal", text, None)

    def _show(self, view: View | None = None) -> None:
        """Shows a changed game on the screen, by default with a new view; always refreshes the devices."""
        session = self.evening.session
        game_and_change_count = session and (session, session.change_count)
        has_changed = game_and_change_count != self._shown_game_and_change_count
        self._shown_game_and_change_count = game_and_change_count
        if has_changed:
            self.round_preview.follow(self._answerable_session)
            self.view = view or (self.evening.view_for() if session else None)
        self.ticker.follow_clocks_of(self._answerable_session)
        if has_changed:
            played = None if self.is_showing_recorded_game else self._answerable_session
            self.try_or_refuse(partial(self.phone_service.follow_game, played))
            self.phone_service.mark_changed()
            self.dispatch("on_change")
        self._refresh_devices()
        self.reader_state.refresh_tags(self._answerable_session)
        self.cards.update_lost_reader()
        self._announce_missing_devices()

    def _refresh_devices(self) -> None:
        view = self.round_preview.put_in_place_of_menu(self.view)
        self._devices.refresh_displays(self._answerable_session, view, self.display_language)
        self.phone_service.show(self._answerable_session, view, self.ticker.clocks)

    def refresh_phones(self) -> None:
        """Shows the table to all phones, and phones on the screen, after a change of who has a phone."""
        self.phone_service.mark_changed()
        self._refresh_devices()
        self._announce_missing_devices()
        self.phone_service.dispatch("on_phones")

    def _announce_missing_devices(self) -> None:
        """Announces each missing device and each sleeping phone once, and each that works again.

        A device of the table is announced at once, a device of a seat when the question, or the next
        round that is shown, asks the seat.
        """
        session = self._answerable_session
        question = self.round_preview.question or (session.question if session else None)
        awaited = [
            seat for seat in (question.seats if question else ()) if seat not in self._session_on_table.drafts
        ]
        missing: list[MissingDevice] = []
        if session is not None:
            missing += self._devices.missing_devices_needed_by_game(session)
            missing += self.phone_service.find_sleeping_phones(session, awaited)
        if usable_again := self._announced_devices - set(missing):
            self._announced_devices -= usable_again
            self.dispatch("on_devices_found", [device.message for device in usable_again])
        newly_missing = [
            device
            for device in missing
            if (device.seat is None or device.seat in awaited) and device not in self._announced_devices
        ]
        if newly_missing:
            self._announced_devices |= set(newly_missing)
            self.dispatch("on_devices_missing", [device.message for device in newly_missing])


class ClockTicker(EventMixin, EventDispatcher):
    """Checks the clocks of a game at intervals, in the thread that runs the screen; draws nothing.

    `change_game` calls its argument, which changes the game, shows the result, and returns whether the change
    was done. `has_clocks`: the game is played with clocks; `clocks`: the displays of the running clocks.
    """

    has_clocks = BooleanProperty(defaultvalue=False)
    clocks = ListProperty()
    are_clocks_paused = BooleanProperty(defaultvalue=False)
    __events__ = ("on_ring",)  # text: a clock has run out

    def __init__(self, change_game: Callable[[Callable[[], object]], bool], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._change_game = change_game
        self._session: Session | None = None
        self._timekeeper: Timekeeper | None = None
        self._tick_trigger = Clock.schedule_interval(
            lambda _: self.handle_expired_clock(), theme.EXPIRED_CLOCK_CHECK_INTERVAL_SECONDS
        )
        self._tick_trigger.cancel()

    @property
    def will_ring(self) -> bool:
        """Returns whether a clock runs that will ring."""
        is_running = any(clock.is_running and (clock.remaining_ticks or 0) > 0 for clock in self.clocks)
        return is_running and not self.are_clocks_paused

    def follow_clocks_of(self, session: Session | None) -> None:
        """Follows the clocks of a game; to be called whenever the game has changed."""
        if session is not self._session:
            self._session, self._timekeeper = session, Timekeeper(session) if session else None
        self.has_clocks = bool(session and session.has_clocks and session.result is None)
        if self.has_clocks:
            self._tick_trigger()
        else:
            self._tick_trigger.cancel()
        self._show()

    def stop_following_clocks(self) -> None:
        """Stops following the clocks."""
        self._tick_trigger.cancel()

    def handle_expired_clock(self) -> None:
        """Handles the first clock that ran out, if any.

        Only one clock is handled at a time, so that people see whose turn is skipped.
        """
        timekeeper, rings = self._timekeeper, list[ClockTimeout | None]()
        assert timekeeper is not None
        if timekeeper.seconds_until_next_ring == 0 and self._change_game(
            lambda: rings.append(timekeeper.ring_next_due_clock())
        ):
            for ring in rings:
                if ring is not None and not ring.is_silent:
                    self.dispatch("on_ring", ring.text)
        self._show()

    def _show(self) -> None:
        self.clocks = self._timekeeper.clock_states if self._timekeeper else []
        self.are_clocks_paused = (
            self.has_clocks and self._session is not None and self._session.are_clocks_paused
        )


class TagReaderState(EventDispatcher):
    """The tags on the readers, for the screen.

    `current_tags` are the tags for the open question, in order; `waiting_tag_count` is the number of earlier
    tags that one touch can use for it.
    """

    current_tags = ListProperty()
    waiting_tag_count = NumericProperty(0)

    def __init__(self, tag_input: TagInput, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._tag_input = tag_input

    def refresh_tags(self, session: Session | None) -> None:
        """Updates the tags from the readers."""
        self.current_tags = self._tag_input.tags_for_open_question(session) if session else []
        self.waiting_tag_count = len(self._tag_input.fitting_tags_read_before_question(session))
