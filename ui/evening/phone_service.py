"""Phones on the screen's side: it switches them on and off, and connects them with the game on the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty

from companion.texts import Say
from hardware.devices import MissingDevice
from hardware.phones import KEY_FILE_NAME
from hardware.signals import Inbox, WebLinkLost, WebSignal
from ui.events import EventMixin

if TYPE_CHECKING:
    from companion.clocks import ClockState
    from companion.requests import Together
    from companion.session.session import Session
    from companion.session.view import View
    from companion.store import Store
    from companion.table.seats import Seat
    from hardware.phones.link import WebLink
    from hardware.phones.phones import Phones
    from hardware.phones.web_process import WebProcess

WEB_RESTART_SECONDS = 2.0
"""Seconds after which a web process that has ended is started again."""
TIME_CHECK_SECONDS = 1.0
"""How often codes, waiting phones and sleeping phones are checked for their time."""
SLEEP_WARNING_SECONDS = 20.0
"""Seconds for which a sleeping phone's answer is awaited before the phone is named."""


class PhoneService(EventMixin, EventDispatcher):
    """The phones of the table, and the process that faces the network while they are on.

    `find_round` returns the upcoming round that is shown instead of a session's menu, if one is. `seconds`
    returns monotonic seconds. The modules of phones are imported when people switch phones on.
    """

    is_on = BooleanProperty(defaultvalue=False)
    """True while phones are switched on."""
    __events__ = (
        "on_phones",  # a phone was paired, connected or lost, or a code was used
        "on_sleeping_phone",  # `find_sleeping_phones` finds another one
    )

    def __init__(
        self,
        store: Store,
        inbox: Inbox,
        find_round: Callable[[Session], Together[Any] | None],
        seconds: Callable[[], float],
    ) -> None:
        super().__init__()
        self._store, self._inbox, self._find_round, self._seconds = store, inbox, find_round, seconds
        self._link: WebLink | None = None
        self._phones: Phones | None = None
        self._web_process: WebProcess | None = None
        self._must_show = False
        self._session: Session | None = None
        self._asleep_since: dict[tuple[int, int], float] = {}
        """Since when a seat's answer is awaited and its phone asleep, by question number and seat number."""
        self._named_seat_numbers: set[int] = set()
        self._restart_trigger = Clock.create_trigger(lambda _: self._start_web(), WEB_RESTART_SECONDS)
        self._check_trigger = Clock.schedule_interval(lambda _: self.check_times(), TIME_CHECK_SECONDS)
        self._check_trigger.cancel()

    @property
    def phones(self) -> Phones:
        """The phones of the table; they must be switched on."""
        assert self._phones is not None
        return self._phones

    def switch_on(self) -> None:
        """Switches phones on; raises `UserError` if that isn't possible."""
        from hardware.phones.link import WebLink
        from hardware.phones.phones import Phones
        from hardware.phones.web_process import make_web_process

        if self._link is None:
            self._link = WebLink(self._inbox)
            self._web_process = make_web_process(self._link)
        phones = Phones(self._store, self._link.send, seconds=self._seconds)
        phones.switch_on()
        phones.seat_players(self._players(), is_same_game=False)
        self._phones, self.is_on, self._must_show = phones, True, True
        self._check_trigger()
        self._start_web()

    def switch_on_again_after_restart(self) -> None:
        """Switches phones on if they were on when the program ended."""
        if (self._store.directory / KEY_FILE_NAME).exists():
            self.switch_on()

    def switch_off(self) -> None:
        """Switches phones off: every pairing ends, and nothing listens to the network any more."""
        if self.is_on:
            self.is_on = False
            self._asleep_since.clear()
            self.phones.switch_off()
            self._stop_web()
            self.dispatch("on_phones")

    def close(self) -> None:
        """Ends the web process; phones stay paired until the program starts again."""
        if self.is_on:
            self.is_on = False
            self._stop_web()

    def _start_web(self) -> None:
        if self.is_on and self._web_process is not None:
            self._web_process.start()

    def _stop_web(self) -> None:
        self._restart_trigger.cancel()
        self._check_trigger.cancel()
        assert self._web_process is not None
        assert self._link is not None
        self._link.disconnect()
        self._web_process.stop()

    def check_times(self) -> None:
        """Withdraws what is too old; announces phones that have been asleep for too long."""
        phones = self.phones
        before = phones.offered_code, phones.pending_pairing
        phones.expire()
        if before != (phones.offered_code, phones.pending_pairing):
            self.dispatch("on_phones")
        if self._overdue_seat_numbers() - self._named_seat_numbers:
            self.dispatch("on_sleeping_phone")

    def availability_of_seat(self, seat_number: int) -> Mapping[str, bool]:
        """Returns the phone of a seat by name, and whether it is connected; empty if the seat has none."""
        if not self.is_on or seat_number not in self.phones.paired_seat_numbers:
            return {}
        return {f"phone {seat_number}": seat_number in self.phones.connected_seat_numbers}

    def find_sleeping_phones(self, session: Session, awaited: Collection[Seat]) -> list[MissingDevice]:
        """Returns the phones that sleep although their answer is awaited, each with a message for people.

        `awaited` are the seats whose answer to the open question is missing. Phones sleep all the time, so
        one is named only after `SLEEP_WARNING_SECONDS`, and then until it wakes.
        """
        if not self.is_on:
            return []
        from hardware.desk.answers import find_device_question
        from hardware.phones.phones import describe_sleeping_phone

        asleep = self.phones.paired_seat_numbers - self.phones.connected_seat_numbers
        number, now = find_device_question(session, self._find_round(session)).number, self._seconds()
        keys = [(number, seat.number) for seat in awaited if seat.number in asleep]
        self._asleep_since = {key: self._asleep_since.get(key, now) for key in keys}
        self._named_seat_numbers = (self._named_seat_numbers | self._overdue_seat_numbers()) & asleep
        return [
            MissingDevice(seat, describe_sleeping_phone(seat))
            for seat in session.table.seats
            if seat.number in self._named_seat_numbers
        ]

    def _overdue_seat_numbers(self) -> set[int]:
        latest = self._seconds() - SLEEP_WARNING_SECONDS
        return {seat_number for (_, seat_number), since in self._asleep_since.items() if since <= latest}

    def follow_game(self, session: Session | None) -> None:
        """Follows the game on the table: once it is put away, or a seat has another player, pairings end.

        The same people who play again keep their phones.
        """
        last, self._session = self._session, session
        if not self.is_on:
            return
        paired = self.phones.paired_seat_numbers
        if session is None and last is not None and last.is_put_away:
            self.phones.unpair_all()
        self.phones.seat_players(self._players(), is_same_game=session is last)
        if paired != self.phones.paired_seat_numbers:
            self._must_show = True
            self.dispatch("on_phones")

    def _players(self) -> Sequence[str]:
        return [] if self._session is None else [seat.name for seat in self._session.table.seats]

    # What happens on phones, and what they show

    def handle_signal(self, signal: WebSignal, session: Session | None) -> Sequence[Say]:
        """Handles what happens on phones; returns messages for the whole table.

        The panel shows phones again only if their state has changed.
        """
        if not self.is_on:  # it happened just before phones were switched off
            return ()
        must_show = has_changed_phones = True
        announcements: Sequence[Say] = ()
        if isinstance(signal, WebLinkLost):
            self.phones.forget_connections()
            if self._web_process is not None and self._web_process.must_be_restarted_by_us:
                self._restart_trigger()
        else:
            upcoming_round = self._find_round(session) if session is not None else None
            must_show, has_changed_phones, announcements = self.phones.handle(
                signal.message, session, upcoming_round
            )
        self._must_show |= must_show
        if has_changed_phones:
            Clock.schedule_once(lambda _: self.dispatch("on_phones"))
        return announcements

    def mark_changed(self) -> None:
        """Notes that the game has changed, so that `show` sends it to all phones.

        Keys of keypads that change nothing send nothing: otherwise somebody who records the Wi-Fi could
        count the digits of a sealed bid.
        """
        self._must_show = True

    def show(self, session: Session | None, view: View | None, clocks: Sequence[ClockState] = ()) -> None:
        """Shows the table to all phones, if anything has changed.

        `view` has the upcoming round instead of its menu.
        """
        if not (self.is_on and self._must_show):
            return
        from companion.phones.state import PublicTable
        from hardware.desk.answers import find_device_question

        self._must_show, table = False, None
        if session is not None and view is not None:
            phones, seats = self.phones, view.seats
            here = {seat for seat in seats if seat.number in phones.connected_seat_numbers}
            asleep = {seat for seat in seats if seat.number in phones.paired_seat_numbers} - here
            number = find_device_question(session, self._find_round(session)).number
            table = PublicTable(session, view, number, clocks, here, asleep)
        self.phones.show(table)
