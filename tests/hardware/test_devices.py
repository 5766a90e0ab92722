"""Whole games played with three keypads on real terminals and a real store, through inbox and desk."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NoReturn

import pytest

from companion.games.egypt import rulebook as egypt
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.log.events import Answered, Sealed
from companion.log.log import MemoryLog
from companion.requests import Amount, Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import Store
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table as Rules
from companion.texts import render, say
from hardware.desk.answers import MIN_QUESTION_READING_SECONDS
from hardware.device_drivers import fit_to_display
from hardware.devices import Devices
from hardware.signals import DeviceLost, DuplicateKeypad, Inbox, LostReason
from hardware.simulated.keypads import SimulatedKeypad
from hardware.wiring import Buttons, Buzzer, Display, Keypad, Light, Numpad, Reader, Wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS

NAMES = ["Aki", "Ben", "Chie"]


def long_ago() -> float:
    """A clock that is a second slow: whatever is shown has been there for a while, so that no test waits."""
    return time.monotonic() - 2 * MIN_QUESTION_READING_SECONDS


class Table:
    """People with a keypad each, a game in a store, and the thread in which it is played."""

    def __init__(
        self, folder: Path, *, seats: int = 3, clock: Callable[[], float] = long_ago, language: str = "en"
    ) -> None:
        self.opened = ExitStack()
        self.awake, self.heard = threading.Event(), threading.Event()
        self.language = language
        self.pads = {seat: self._plugged_in(folder, seat) for seat in range(1, seats + 1)}
        self.store = self.opened.enter_context(closing(Store.open(folder / "state", for_writing=True)))
        self.wired = tuple(Keypad(seat, port=str(pad.path)) for seat, pad in self.pads.items())
        self.devices = self.opened.enter_context(Devices(Wiring(self.wired), Inbox(self._wake), clock=clock))
        self.session: Session | None = None
        self.aloud: list[str] = []

    def begins(self, game: Game) -> None:
        """The table begins a game; every keypad is there."""
        self.log = self.store.new_game_log()
        self.session = Session.begin(game, NAMES, {}, self.log, seed=7)
        self.until(lambda: not self.missing())

    def until(self, seen: Callable[[], bool]) -> None:
        """Plays on until something is to be seen."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while not self._pump_and_look(seen):
            if not self.awake.wait(end - time.monotonic()):
                raise TimeoutError(str({seat: pad.display for seat, pad in self.pads.items()}))
            self.awake.clear()

    def shows(self, seat: int, line: str) -> None:
        """A keypad comes to show this line, and nothing below it."""
        self.until(
            lambda: self.pads[seat].display == f"{fit_to_display(line, width_cells=16, has_kana=True)}\n"
        )

    def asks(self, seat: int, line: str, keys: str) -> None:
        """A keypad comes to show this line with its light on; somebody presses these keys."""
        self.shows(seat, line)
        assert self.pads[seat].light == "on"
        self.pads[seat].type(keys)

    def missing(self) -> list[str]:
        """What the screen says about keypads that are not there."""
        assert self.session is not None
        return [
            render(missing.message, self.language)
            for missing in self.devices.missing_devices_needed_by_game(self.session)
        ]

    def answers(self) -> list[object]:
        """The answers that the store has kept, all of them from keypads."""
        kept = [event for event in self.log.events() if isinstance(event, Answered)]
        assert {event.via for event in kept} <= {"keypad"}
        return [event.answer for event in kept]

    def sealed(self) -> list[int]:
        """Whose envelopes were closed, in order, as the store has kept it."""
        return [event.seat for event in self.log.events() if isinstance(event, Sealed)]

    def holds(self, what: str) -> list[int]:
        """What lies at everybody's place of that name."""
        assert self.session is not None
        counts = {
            account.place.key_with_player_name: account.count
            for account in self.session.table.ledger
            if account.count
        }
        return [counts[f"{name}/{what}"] for name in NAMES]

    def _plugged_in(self, folder: Path, seat: int) -> SimulatedKeypad:
        pad = SimulatedKeypad(f"kp-{seat}", folder / f"kp-{seat}", on_change=lambda *_: self.awake.set())
        return self.opened.enter_context(pad)

    def _pump_and_look(self, seen: Callable[[], bool]) -> bool:
        self.aloud += [
            render(text, self.language)
            for text in self.devices.process_signals_and_refresh(self.session, self.language)
        ]
        return seen()

    def _wake(self) -> None:
        self.heard.set()
        self.awake.set()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Three people, three keypads, nothing begun."""
    table = Table(tmp_path)
    with table.opened:
        yield table


def test_a_grave_0_is_pressed_twice_in_a_row(table: Table) -> None:
    """A keypad that asks about 0 takes it the second time; another number in between counts at once."""
    sure = say("With 0 you are out.")

    async def arm(there: Rules) -> GameResult:
        seats = there.seats
        await Together(
            say("Arm"), {seat: Amount(seat, say("Strength"), 0, 9, zero_confirmation=sure) for seat in seats}
        )
        return rank_seats(seats, lambda _: 0, lambda _: ())

    table.begins(Game("arming", 1, say("Arming"), (2, 5), arm))
    table.asks(1, "Enter 0-9", "0 OK")
    table.shows(1, "0? Press again")
    assert table.sealed() == []
    table.pads[1].type("0 OK")
    table.shows(1, "OK. Wait")
    table.asks(2, "Enter 0-9", "0 OK")
    table.shows(2, "0? Press again")
    table.pads[2].type("4 OK")
    table.until(lambda: table.sealed() == [1, 2])
    table.asks(3, "Enter 0-9", "NO")
    table.shows(3, "0? Press again")
    table.pads[3].type("NO")
    table.until(lambda: bool(table.answers()))
    assert table.answers() == [{"1": 0, "2": 4, "3": 0}]


def test_an_auction_of_egypt_is_played_with_keypads_alone(table: Table) -> None:
    """Leader, deal, bids, withdrawals, payments, a payment refused and a card taken back."""
    table.begins(egypt.GAME)
    table.asks(3, "Choose 1-3", "1 OK")
    table.asks(2, "When done: OK", "OK")
    table.asks(1, "Bid 1-99", "2 OK")
    table.shows(3, "Wait: Ben")
    table.asks(2, "Bid 3-99/NO", "2 OK")
    table.shows(2, "Only 3-99/NO")
    table.pads[2].type("4 OK")
    table.asks(3, "Bid 5-99/NO", "NO")
    table.asks(1, "Bid 5-99/NO", "5 OK")
    table.asks(2, "Bid 6-99/NO", "NO")
    table.asks(1, "Pay 5=_x2._x1", "2.1 OK")
    table.asks(2, "Pay 4=_x2._x1", "1.1 OK")
    table.shows(2, "Only 4=_x2._x1")
    table.pads[2].type("2.1 OK")
    table.asks(2, "Choose 1-2", "1 OK")
    table.shows(1, "Bid 1-99")
    cards = [{"values": {"number": 4}}, {"values": {"number": 4}}, {"values": {}}]
    assert table.answers() == ["1", True, 2, 4, None, 5, None, cards, cards, "take_back"]
    assert table.holds("hand") == [22, 23, 25]
    assert table.aloud == []


def test_a_sealed_round_survives_a_pulled_plug(table: Table) -> None:
    """Ben's keypad goes in the middle of the round and comes back; nothing is lost, nothing taken twice."""
    table.begins(sealed_bid.GAME)
    for seat in (1, 2, 3):
        table.shows(seat, "Enter 0..")
    table.asks(1, "Enter 0..", "5 OK")
    table.shows(1, "OK. Wait")
    assert table.pads[1].light == "off"
    table.pads[2].type("7")
    table.pads[2].unplug()
    table.until(lambda: bool(table.missing()))
    assert table.missing() == ["Ben's keypad is unplugged. Plug it in again or let Ben use the screen."]
    table.asks(3, "Enter 0..", "3 OK")
    table.shows(3, "OK. Wait: Ben")
    table.pads[2].plug_in()
    table.asks(2, "Enter 0..", "9 OK")
    table.asks(2, "1 Again 2 Finish", "2 OK")
    table.until(lambda: "Sure? Again" in table.pads[2].display)
    table.pads[2].type("2 OK")
    for seat, line in ((1, "Place 2: 0"), (2, "Place 1: 1"), (3, "Place 2: 0")):
        table.shows(seat, line)
    assert table.missing() == []
    assert table.sealed() == [1, 3, 2]
    assert table.answers() == [{"1": 5, "2": 9, "3": 3}, "finish"]


def test_a_bid_that_was_heard_before_the_plug_was_pulled_counts_once(table: Table) -> None:
    """The keypad never hears that it was taken; plugged in again it shows that the bid is in."""
    table.begins(sealed_bid.GAME)
    for seat in (1, 2, 3):
        table.shows(seat, "Enter 0..")
    table.heard.clear()
    table.pads[2].type("7 OK")
    assert table.heard.wait(TIMEOUT_SECONDS)
    table.pads[2].unplug()
    table.pads[2].plug_in()
    table.shows(2, "OK. Wait")
    assert table.sealed() == [2]
    table.pads[2].type("8 OK")
    table.until(lambda: table.sealed() == [2, 2])
    assert table.session is not None
    assert [draft.answer for draft in table.session.drafts.values()] == [8]


def test_a_double_tap_confirms_nothing_twice(tmp_path: Path) -> None:
    """OK for the card, and OK once more before the next question was read: refused, told and asked again."""
    table = Table(tmp_path, clock=time.monotonic)
    with table.opened:
        table.begins(egypt.GAME)
        table.asks(1, "Choose 1-3", "1 OK")
        table.asks(1, "When done: OK", "OK")
        table.shows(1, "Too soon: again")
        table.shows(2, "When done: OK")
        assert table.answers() == ["1"]


def test_what_the_disk_refuses_the_keypad_may_say_again(table: Table) -> None:
    """The store can't write: keypad and table are told, the question stays, the same keys count later."""
    table.begins(egypt.GAME)
    table.asks(1, "Choose 1-3", "1 OK")
    table.shows(1, "When done: OK")
    table.store._games.execute("PRAGMA query_only = ON")
    table.pads[1].type("OK")
    table.shows(1, "Not saved: again")
    assert len(table.aloud) == 1
    assert table.aloud[0].startswith("This could not be saved, so it doesn't count: ")
    assert table.answers() == ["1"]
    table.store._games.execute("PRAGMA query_only = OFF")
    table.pads[1].type("OK")
    table.shows(1, "Bid 1-99")


def test_what_is_said_unasked_is_told_to_that_seat_only(table: Table) -> None:
    """Before a game, out of turn, and when the game has been put away."""
    table.until(lambda: table.pads[1].display == "\n")
    table.pads[1].type("5 OK")
    table.shows(1, "No game yet")
    table.begins(egypt.GAME)
    table.asks(1, "Choose 1-3", "1 OK")
    table.asks(1, "When done: OK", "OK")
    table.shows(2, "Wait: Aki")
    table.pads[2].type("5 OK")
    table.shows(2, "Not your turn")
    table.shows(3, "Wait: Aki")
    table.shows(1, "Bid 1-99")
    assert table.session is not None
    table.session.put_away()
    for seat in (1, 2, 3):
        table.shows(seat, "")
        assert table.pads[seat].light == "off"
    table.pads[1].type("1 OK")
    table.shows(1, "No game yet")


def test_a_keypad_at_which_nobody_plays_is_dark(tmp_path: Path) -> None:
    """Four are wired, three play: the fourth shows nothing, answers nothing, and nobody misses it."""
    table = Table(tmp_path, seats=4)
    with table.opened:
        table.begins(egypt.GAME)
        table.shows(1, "Choose 1-3")
        table.shows(4, "")
        table.pads[4].type("1 OK")
        table.shows(4, "Not your turn")
        table.pads[4].unplug()
        table.asks(1, "Choose 1-3", "1 OK")
        table.shows(1, "When done: OK")
        assert table.missing() == []


def test_keypads_speak_the_language_of_the_table(tmp_path: Path) -> None:
    """Switched while a question stands, the lines and the sentence about a missing keypad follow."""
    table = Table(tmp_path)
    with table.opened:
        table.begins(egypt.GAME)
        table.shows(1, "Choose 1-3")
        table.language = "ja"
        table.until(lambda: "1-3" in table.pads[1].display and "Choose" not in table.pads[1].display)
        assert "?" not in table.pads[1].display
        table.pads[1].unplug()
        table.until(lambda: bool(table.missing()))
        assert "Akiさん" in table.missing()[0]


def test_devices_that_can_not_all_be_opened_are_closed_again(tmp_path: Path) -> None:
    """If a driver can't start, no thread, port or pipe of a driver that was started stays open."""

    def no_number_pads() -> NoReturn:
        raise OSError(24, "too many open files")

    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    with SimulatedKeypad("kp-1", tmp_path / "kp-1") as pad:
        files, threads = open_files(), threading.enumerate()
        wiring = Wiring((Keypad(1, port=str(pad.path)),), numpad=(Numpad(2, "usb-1.2"),))
        devices = Devices(wiring, Inbox(lambda: None), inputs=no_number_pads)
        with pytest.raises(OSError, match="too many open files"):
            devices.open()
        assert (open_files(), threading.enumerate()) == (files, threads)


ONE_EACH = {
    "keypad": Wiring((Keypad(2, id="kp-2"),)),
    "numpad": Wiring(numpad=(Numpad(2, "usb-1.2"),)),
    "buttons": Wiring(buttons=(Buttons(2, tap=Pin(4)),)),
}


@pytest.mark.parametrize(
    ("kind", "why"),
    [(each.type_name(), why) for each in (Keypad, Numpad, Buttons) for why in each.missing_text_by_reason],
)
def test_each_way_to_be_missing_says_what_to_do(kind: str, why: LostReason) -> None:
    """The sentence names the seat and the way out."""
    woken: list[str] = []
    inbox = Inbox(lambda: woken.append("!"))
    devices = Devices(ONE_EACH[kind], inbox)
    session = Session.begin(sealed_bid.GAME, NAMES, {}, MemoryLog())
    inbox.put(DeviceLost(f"{kind} 2", why))
    assert devices.process_signals_and_refresh(session) == []
    (missing,) = devices.missing_devices_needed_by_game(session)
    assert missing.seat == session.table.seats.seat_numbered(2)
    assert render(missing.message).endswith("et Ben use the screen.")


def test_what_only_tells_something_is_missed_and_the_game_goes_on() -> None:
    """Lights, displays and buzzers whose pins can't be used are named; nothing waits for them."""

    def pins() -> object:
        raise OSError(19, "no such device")

    wiring = Wiring(
        outputs=(
            Light(1, pin=Pin(16)),
            Light(4, pin=Pin(17)),
            Display(2, clock=Pin(23), data=Pin(24)),
            Buzzer(Pin(12), seat=3),
            Buzzer(Pin(13)),
        ),
    )
    session = Session.begin(sealed_bid.GAME, NAMES, {}, MemoryLog())
    with Devices(wiring, Inbox(lambda: None), pins=pins) as devices:
        assert devices.process_signals_and_refresh(session) == []
        assert devices.process_signals_and_refresh(session) == []
        said = {
            each.seat and each.seat.name: render(each.message).partition(".")[0]
            for each in devices.missing_devices_needed_by_game(session)
        }
        assert {each.reason for each in devices.lost_devices.values()} == {"no_pins"}
    assert said == {
        "Aki": "Aki's light isn't working",
        "Ben": "Ben's display isn't working",
        "Chie": "Chie's buzzer isn't working",
        None: "The table's buzzer isn't working",
    }


def test_without_keypads_no_metal_is_touched() -> None:
    """Nothing wired: pyserial isn't imported, and a game is pumped all the same."""
    program = (
        "import sys\n"
        "from companion.log.log import MemoryLog\n"
        "from companion.games.egypt.rulebook import GAME\n"
        "from companion.session.session import Session\n"
        "from hardware.devices import Devices\n"
        "from hardware.signals import Inbox\n"
        "from hardware.wiring import Wiring\n"
        "session = Session.begin(GAME, ['Aki', 'Ben', 'Chie'], {}, MemoryLog())\n"
        "with Devices(Wiring(), Inbox(lambda: None)) as devices:\n"
        "    assert devices.process_signals_and_refresh(session) == []\n"
        "    assert devices.missing_devices_needed_by_game(session) == ()\n"
        "assert 'serial' not in sys.modules\n"
        "assert 'gpiozero' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("why", Reader.missing_text_by_reason)
def test_a_reader_that_is_missing_is_named_by_its_zone(why: LostReason) -> None:
    """A game with cards begins without it; a game without cards doesn't miss it."""
    inbox = Inbox(lambda: None)
    devices = Devices(Wiring(reader=(Reader("market", "/dev/spidev0.0"),)), inbox)
    inbox.put(DeviceLost("reader market", why))
    session = Session.begin(egypt.GAME, NAMES, {}, MemoryLog())
    assert devices.process_signals_and_refresh(session) == []
    (missing,) = devices.missing_devices_needed_by_game(session)
    assert missing.seat is None
    assert render(missing.message).endswith(", or pick cards on the screen.")
    assert (
        devices.missing_devices_needed_by_game(Session.begin(sealed_bid.GAME, NAMES, {}, MemoryLog())) == ()
    )


def test_a_seats_reader_is_missed_in_games_with_cards_only() -> None:
    """As the table's is."""
    inbox = Inbox(lambda: None)
    devices = Devices(Wiring(reader=(Reader("tray", "/dev/spidev0.0", seat=2),)), inbox)
    inbox.put(DeviceLost("reader tray", "silent"))
    devices.process_signals_and_refresh(None)
    missing = [
        len(devices.missing_devices_needed_by_game(Session.begin(game, NAMES, {}, MemoryLog())))
        for game in (egypt.GAME, sealed_bid.GAME)
    ]
    assert missing == [1, 0]


def test_a_reader_of_an_empty_seat_is_not_missed() -> None:
    """The tray of the fourth seat, where three play."""
    inbox = Inbox(lambda: None)
    wiring = Wiring(reader=tuple(Reader(f"tray-{at}", f"/dev/spidev1.{at % 3}", seat=at) for at in (3, 4)))
    devices = Devices(wiring, inbox)
    for each in wiring.reader:
        inbox.put(DeviceLost(each.device_name, "silent"))
    session = Session.begin(egypt.GAME, NAMES, {}, MemoryLog())
    devices.process_signals_and_refresh(session)
    assert [missing.seat for missing in devices.missing_devices_needed_by_game(session)] == [
        session.table.seats.seat_numbered(3)
    ]


def test_where_no_reader_answers_the_game_is_played_without(table: Table) -> None:
    """Nothing is at its SPI device: that is said of it, and keypads answer as ever."""
    wiring = Wiring(table.wired, reader=(Reader("market", "/dev/spidev1.2"),))
    table.devices.close()
    table.devices = table.opened.enter_context(Devices(wiring, Inbox(table._wake), clock=long_ago))
    table.log = table.store.new_game_log()
    table.session = Session.begin(egypt.GAME, NAMES, {}, table.log, seed=7)
    table.until(lambda: len(table.missing()) == 1 and "he reader market" in table.missing()[0])
    table.asks(1, "Choose 1-3", "1 OK")
    table.until(lambda: table.answers() == ["1"])


def test_a_package_that_is_missing_costs_its_devices_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyserial nobody has a keypad, and the game goes on."""
    monkeypatch.setitem(sys.modules, "hardware.keypads", None)
    session = Session.begin(egypt.GAME, NAMES, {}, MemoryLog())
    with Devices(Wiring((Keypad(2, id="kp-2"),)), Inbox(lambda: None)) as devices:
        assert devices.process_signals_and_refresh(session) == []
        (missing,) = devices.missing_devices_needed_by_game(session)
    assert "A package for Ben's device is missing." in render(missing.message)


def test_a_second_keypad_of_the_same_id_is_named_to_the_table(table: Table) -> None:
    """It isn't used, and the table hears whose id it has; where nobody plays there, nobody hears of it."""
    table.begins(egypt.GAME)
    inbox = table.devices._inbox
    inbox.put(DuplicateKeypad("keypad 2", "kp-2", "/dev/ttyACM5"))
    table.until(lambda: bool(table.aloud))
    assert table.aloud == [
        (
            "Another keypad has the same id as Ben's keypad: kp-2. The other keypad isn't "
            "used; give it a different id."
        )
    ]
    inbox.put(DuplicateKeypad("keypad 2", "kp-2", "/dev/ttyACM5"))
    assert table.devices.process_signals_and_refresh(None) == []


def test_a_keypad_whose_port_is_closed_to_us_names_the_group(table: Table) -> None:
    """What to do about it is said with the seat."""
    table.begins(egypt.GAME)
    table.devices._inbox.put(DeviceLost("keypad 2", "denied", "dialout"))
    table.until(lambda: bool(table.missing()))
    (text,) = table.missing()
    assert "Join the group dialout (sudo usermod -aG dialout $USER)" in text
    assert "let Ben use the screen" in text
