"""Keypads on real terminals: found, worked, pulled out, plugged in, damaged."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import pytest

from benchmarks.pad_side import pad_line
from hardware.device_drivers import SeatPanel
from hardware.keypad_protocol import HeartbeatMessage, HelloMessage
from hardware.keypads import Keypads, list_usb_serial_ports
from hardware.signals import ControlKeyAnswer, DeviceFound, DeviceLost, NumbersAnswer
from hardware.simulated.keypads import CableNoise, SimulatedKeypad
from hardware.wiring import Keypad
from tests.support.hardware.device_helpers import (
    TIMEOUT_SECONDS,
    FakeSerialDevice,
    NoisyCable,
    SignalListener,
)
from tests.support.soak import SOAK


@pytest.fixture
def game() -> SignalListener:
    """A game's thread that listens."""
    return SignalListener()


@pytest.fixture
def keypad(tmp_path: Path) -> Iterator[SimulatedKeypad]:
    """A keypad called kp-1, plugged in."""
    with SimulatedKeypad("kp-1", tmp_path / "kp-1") as keypad:
        yield keypad


@pytest.fixture
def keypads(game: SignalListener, keypad: SimulatedKeypad) -> Iterator[Keypads]:
    """The host, with kp-1's port wired to seat 1."""
    with Keypads([Keypad(seat=1, port=str(keypad.path))], game.inbox) as keypads:
        yield keypads


def _shows(keypad: SimulatedKeypad, display: str) -> None:
    keypad.wait_until(lambda: keypad.display == display, TIMEOUT_SECONDS)


def test_a_bid_is_typed_taken_and_followed_by_the_next_question(
    keypads: Keypads, keypad: SimulatedKeypad, game: SignalListener
) -> None:
    """From the prompt to the ACK: what is shown, what is said, and when it was pressed."""
    keypads.show_panel("keypad 1", SeatPanel(7, "Bid more than 4", "blink"))
    assert game.wait_for_signal(DeviceFound) == DeviceFound("keypad 1")
    _shows(keypad, "Bid more than 4\n")
    keypad.wait_until(lambda: keypad.light == "blink", TIMEOUT_SECONDS)
    before = time.monotonic()
    keypad.type("12 OK")
    bid = game.wait_for_signal(NumbersAnswer)
    assert (bid.device, bid.question, bid.numbers) == ("keypad 1", 7, (12,))
    assert before - 0.25 <= bid.at <= time.monotonic()
    assert keypad.display == "Bid more than 4\n>12"
    keypads.handle_answer_accepted(bid)
    keypads.show_panel("keypad 1", SeatPanel(0, "Ben bids"))
    _shows(keypad, "Ben bids\n")
    keypad.wait_until(lambda: keypad.light == "off", TIMEOUT_SECONDS)


def test_a_seat_withdraws_and_confirms(
    keypads: Keypads, keypad: SimulatedKeypad, game: SignalListener
) -> None:
    """NO and OK alone are answers too, with the number of the question they were pressed for."""
    keypads.show_panel("keypad 1", SeatPanel(8, "Chip 5?", "on"))
    _shows(keypad, "Chip 5?\n")
    keypad.press("NO")
    withdrawn = game.wait_for_signal(ControlKeyAnswer)
    assert (withdrawn.question, withdrawn.key) == (8, "no")
    keypads.handle_answer_accepted(withdrawn)
    keypads.show_panel("keypad 1", SeatPanel(9, "Card put back?", "on"))
    _shows(keypad, "Card put back?\n")
    keypad.press("OK")
    confirmed = game.wait_for_signal(ControlKeyAnswer)
    assert (confirmed.question, confirmed.key) == (9, "ok")


def test_a_refusal_is_read_on_the_keypad(
    keypads: Keypads, keypad: SimulatedKeypad, game: SignalListener
) -> None:
    """The sentence is shown to the one who answered, and the next answer counts."""
    keypads.show_panel("keypad 1", SeatPanel(7, "Bid", "on"))
    _shows(keypad, "Bid\n")
    keypad.type("2 OK")
    keypads.handle_answer_refused(game.wait_for_signal(NumbersAnswer), "More than ４")
    _shows(keypad, "More than 4\n")
    keypad.type("5 OK")
    assert game.wait_for_signal(NumbersAnswer).numbers == (5,)


def test_an_answer_waits_for_its_commit(
    keypads: Keypads, keypad: SimulatedKeypad, game: SignalListener
) -> None:
    """However long the commit takes and however often the keypad repeats, it is one signal."""
    keypads.show_panel("keypad 1", SeatPanel(7, "Bid", "on"))
    _shows(keypad, "Bid\n")
    keypad.type("2 OK")
    bid = game.wait_for_signal(NumbersAnswer)
    repeats = time.monotonic() + 0.8
    with pytest.raises(TimeoutError):
        keypad.wait_until(lambda: keypad.display != "Bid\n>2", repeats - time.monotonic())
    keypads.handle_answer_accepted(bid)
    _shows(keypad, "Bid\n")
    assert [signal for signal in game.signals + game.listen(0) if signal != DeviceFound("keypad 1")] == [bid]


def test_an_unplugged_keypad_is_lost_and_found_again(
    keypads: Keypads, keypad: SimulatedKeypad, game: SignalListener
) -> None:
    """Ten times, a tenth of a second at most: its question waits, and stands there again when it is back."""
    keypads.show_panel("keypad 1", SeatPanel(7, "Bid", "on"))
    waited = []
    for _ in range(10):
        game.wait_for_signal(DeviceFound)
        _shows(keypad, "Bid\n")
        pulled = time.monotonic()
        keypad.unplug()
        assert game.wait_for_signal(DeviceLost) == DeviceLost("keypad 1", "unplugged")
        waited.append(time.monotonic() - pulled)
        assert keypad.display == "\n"
        keypad.plug_in()
    assert median(waited) < 0.1
    game.wait_for_signal(DeviceFound)
    _shows(keypad, "Bid\n")
    keypad.type("3 OK")
    assert game.wait_for_signal(NumbersAnswer).numbers == (3,)


def test_a_host_that_closes_is_noticed(keypads: Keypads, keypad: SimulatedKeypad) -> None:
    """The keypad shows that nobody is connected, and what is ordered after that does nothing."""
    keypads.show_panel("keypad 1", SeatPanel(7, "Bid", "on"))
    _shows(keypad, "Bid\n")
    keypads.close()
    _shows(keypad, "not connected\n")
    keypads.show_panel("keypad 1", SeatPanel(8, "Nobody hears", "on"))
    keypads.close()


def test_a_host_that_starts_anew_gets_the_answer_that_waits(
    keypads: Keypads, keypad: SimulatedKeypad
) -> None:
    """A keypad with power keeps its unsettled answer and brings it to the next host."""
    keypads.show_panel("keypad 1", SeatPanel(7, "Bid", "on"))
    _shows(keypad, "Bid\n")
    keypads.close()
    keypad.type("4 OK")
    second = SignalListener()
    with Keypads(
        [Keypad(seat=3, id="kp-1")], second.inbox, list_ports_to_search=lambda: [str(keypad.path)]
    ) as host:
        bid = second.wait_for_signal(NumbersAnswer)
        assert (bid.device, bid.question, bid.numbers) == ("keypad 3", 7, (4,))
        host.handle_answer_accepted(bid)
        _shows(keypad, "\n")


def test_a_keypad_is_known_by_its_id_at_any_port(tmp_path: Path, game: SignalListener) -> None:
    """Two keypads wired by id change their ports; each still speaks for its seat."""
    ports = [tmp_path / "usb0", tmp_path / "usb1"]
    wired = [Keypad(seat=1, id="kp-1"), Keypad(seat=2, id="kp-2")]
    found = {"keypad 1", "keypad 2"}
    with Keypads(wired, game.inbox, list_ports_to_search=lambda: map(str, filter(Path.exists, ports))):
        for order in (ports, ports[::-1]):
            with SimulatedKeypad("kp-1", order[0]), SimulatedKeypad("kp-2", order[1]):
                assert {
                    game.wait_for_signal(DeviceFound).device,
                    game.wait_for_signal(DeviceFound).device,
                } == found
            assert {game.wait_for_signal(DeviceLost).device, game.wait_for_signal(DeviceLost).device} == found


def test_a_keypad_that_moves_is_found_within_a_second(tmp_path: Path, game: SignalListener) -> None:
    """Pulled out of one port and pushed into another, ten times; half of them, where the machine is busy."""
    ports = [tmp_path / "usb0", tmp_path / "usb1"]
    wired = [Keypad(seat=1, id="kp-1"), Keypad(seat=2, id="kp-2")]
    waited = []
    with Keypads(wired, game.inbox, list_ports_to_search=lambda: map(str, filter(Path.exists, ports))):
        for turn in range(10):
            with SimulatedKeypad("kp-1", ports[turn % 2]):
                plugged = time.monotonic()
                game.wait_for_signal(DeviceFound)
                waited.append(time.monotonic() - plugged)
            game.wait_for_signal(DeviceLost)
    assert median(waited) < 1


def test_a_keypad_hangs_and_recovers(keypads: Keypads, keypad: SimulatedKeypad, game: SignalListener) -> None:
    """While its program hangs its port is there, no key does anything, and its seat has lost it."""
    keypads.show_panel("keypad 1", SeatPanel(7, "Bid", "on"))
    _shows(keypad, "Bid\n")
    keypad.hang_program()
    assert game.wait_for_signal(DeviceLost) == DeviceLost("keypad 1", "silent")
    keypad.type("5 OK")
    keypad.resume_program()
    assert game.wait_for_signal(DeviceFound) == DeviceFound("keypad 1")
    _shows(keypad, "Bid\n")
    keypad.hang_program()
    keypad.unplug()
    keypad.plug_in()
    assert game.wait_for_signal(DeviceLost).reason == "unplugged"
    _shows(keypad, "Bid\n")
    keypad.type("6 OK")
    assert game.wait_for_signal(NumbersAnswer).numbers == (6,)


def test_sparks_and_damage_change_no_answer(
    keypads: Keypads, keypad: SimulatedKeypad, game: SignalListener
) -> None:
    """Binary bytes, a line far too long and a third of all chunks damaged: late at worst, never wrong."""
    keypad.set_damaged_chunk_share(0.3)
    for number in range(1, 9):
        keypads.show_panel("keypad 1", SeatPanel(number, f"Bid {number}", "on"))
        _shows(keypad, f"Bid {number}\n")
        keypad.send_garbage()
        keypad.type(f"{number}.{number} OK")
        bid = game.wait_for_signal(NumbersAnswer)
        assert (bid.question, bid.numbers) == (number, (number, number))
        keypads.handle_answer_accepted(bid)
        _shows(keypad, f"Bid {number}\n")


def test_a_twin_is_turned_away(tmp_path: Path, game: SignalListener) -> None:
    """Of two keypads with one id the first one counts."""
    ports: list[str] = []
    with (
        SimulatedKeypad("kp-1", tmp_path / "one") as first,
        SimulatedKeypad("kp-1", tmp_path / "two") as twin,
        SimulatedKeypad("kp-2", tmp_path / "three") as other,
        Keypads(
            [Keypad(seat=1, id="kp-1"), Keypad(seat=2, id="kp-2")],
            game.inbox,
            list_ports_to_search=lambda: ports,
        ) as keypads,
    ):
        keypads.show_panel("keypad 1", SeatPanel(7, "Bid", "on"))
        ports.append(str(first.path))
        _shows(first, "Bid\n")
        ports.append(str(twin.path))
        ports.append(str(other.path))
        game.wait_for_signal(DeviceFound, lambda signal: signal.device == "keypad 2")
        assert twin.display == "not connected\n"
        first.type("1 OK")
        assert game.wait_for_signal(NumbersAnswer).numbers == (1,)


def test_another_keypad_at_a_wired_port_is_not_taken(keypad: SimulatedKeypad, game: SignalListener) -> None:
    """Port and id both given: a keypad that calls itself otherwise is refused and named so."""
    wired = Keypad(seat=1, port=str(keypad.path), id="kp-9")
    with Keypads([wired], game.inbox):
        assert game.wait_for_signal(DeviceLost) == DeviceLost("keypad 1", "another")


def test_a_keypad_of_another_version_is_not_taken(
    tmp_path: Path, serial_device: FakeSerialDevice, game: SignalListener
) -> None:
    """Its HELLO says version 2: it is lost, with that reason."""
    with Keypads([Keypad(seat=1, port=str(tmp_path / "metal"))], game.inbox):
        serial_device.receive()
        serial_device.send(pad_line(0, HelloMessage(2, "kp-1", "9.0", "9F2C1A07", ("line16",))))
        assert game.wait_for_signal(DeviceLost) == DeviceLost("keypad 1", "protocol")


def test_a_keypad_that_hangs_is_lost_while_it_is_silent(
    tmp_path: Path, serial_device: FakeSerialDevice, game: SignalListener
) -> None:
    """Its port is there and nothing comes: lost; one heartbeat, and it is found."""
    with Keypads([Keypad(seat=1, port=str(tmp_path / "metal"))], game.inbox):
        serial_device.receive()
        serial_device.send(pad_line(0, HelloMessage(1, "kp-1", "1.0", "9F2C1A07", ("line16",))))
        assert game.wait_for_signal(DeviceFound) == DeviceFound("keypad 1")
        assert game.wait_for_signal(DeviceLost) == DeviceLost("keypad 1", "silent")
        serial_device.send(pad_line(0, HeartbeatMessage(9_000)))
        assert game.wait_for_signal(DeviceFound) == DeviceFound("keypad 1")


def test_a_keypad_that_takes_no_bytes_does_not_hold_up_the_others(
    tmp_path: Path, serial_device: FakeSerialDevice, keypad: SimulatedKeypad, game: SignalListener
) -> None:
    """Its port is full: it is dropped after a tenth of a second; the other seat plays on."""
    wired = [Keypad(seat=1, port=str(keypad.path)), Keypad(seat=2, port=str(tmp_path / "metal"))]
    with Keypads(wired, game.inbox) as keypads:
        serial_device.send(pad_line(0, HelloMessage(1, "kp-2", "1.0", "9F2C1A07", ("line16",))))
        serial_device.receive()
        serial_device.send(pad_line(0, HelloMessage(1, "kp-2", "1.0", "9F2C1A07", ("line16",))))
        game.wait_for_signal(DeviceFound, lambda signal: signal.device == "keypad 2")
        for number in range(2_000):
            keypads.show_panel("keypad 2", SeatPanel(number + 1, "x" * 16, "on"))
        assert (
            game.wait_for_signal(DeviceLost, lambda signal: signal.device == "keypad 2").reason == "unplugged"
        )
        keypads.show_panel("keypad 1", SeatPanel(7, "Bid", "on"))
        _shows(keypad, "Bid\n")


def test_garbage_at_one_port_disturbs_no_other(
    tmp_path: Path, serial_device: FakeSerialDevice, keypad: SimulatedKeypad, game: SignalListener
) -> None:
    """While one device talks nonsense without end, the keypad beside it is answered."""
    wired = [Keypad(seat=1, port=str(keypad.path)), Keypad(seat=2, port=str(tmp_path / "metal"))]
    finished = threading.Event()

    def babble() -> None:
        while not finished.is_set():
            serial_device.send(b"\xa5" * 1000)

    babbler = threading.Thread(target=babble, daemon=True)
    with Keypads(wired, game.inbox) as keypads:
        game.wait_for_signal(DeviceFound)
        babbler.start()
        try:
            for number in range(1, 21):
                keypads.show_panel("keypad 1", SeatPanel(number, f"Bid {number}", "on"))
                _shows(keypad, f"Bid {number}\n")
                keypad.type(f"{number} OK")
                bid = game.wait_for_signal(NumbersAnswer)
                assert bid.numbers == (number,)
                keypads.handle_answer_accepted(bid)
                _shows(keypad, f"Bid {number}\n")
        finally:  # while somebody reads: what is said to a port that nobody reads is never out
            finished.set()
            babbler.join(TIMEOUT_SECONDS)
    assert not babbler.is_alive(), "the port of the babbler isn't read any more"
    assert {signal.device for signal in game.signals} == {"keypad 1"}


def test_a_fault_in_the_program_loses_the_keypads_aloud(
    game: SignalListener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the thread that reads the ports dies, each keypad is lost and the fault is reported."""
    faults: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda fault: faults.append(fault.exc_value))

    def scan() -> list[str]:
        raise ZeroDivisionError

    with Keypads([Keypad(seat=2, id="kp-2")], game.inbox, list_ports_to_search=scan):
        assert game.wait_for_signal(DeviceLost) == DeviceLost("keypad 2", "failed")
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


def test_keypads_that_never_started_can_be_closed(game: SignalListener) -> None:
    """Closing needs no thread."""
    Keypads([], game.inbox).close()


def test_ports_that_are_not_usb_are_not_searched() -> None:
    """A machine's own serial ports and pseudo terminals are never talked to unasked."""
    assert not [port for port in list_usb_serial_ports() if port.startswith(("/dev/pts", "/dev/ttyS"))]


def _plays(
    host: Keypads,
    game: SignalListener,
    pads: dict[str, SimulatedKeypad],
    rounds: int,
    pull: Callable[[str], None],
) -> None:
    """Each pad makes its bids one after the other; after every fourth its cable is pulled."""
    expected = {device: iter(range(1, rounds + 1)) for device in pads}
    done = dict.fromkeys(pads, 0)
    for device in pads:
        host.show_panel(device, SeatPanel(1, "Bid 1", "on"))
    end = time.monotonic() + 10 + 2 * rounds
    while min(done.values()) < rounds:
        assert time.monotonic() < end, f"only {done}"
        for signal in game.listen(0.05):
            if isinstance(signal, NumbersAnswer):
                number = next(expected[signal.device])
                assert (signal.question, signal.numbers) == (number, (number, 7)), "lost, twice or wrong"
                done[signal.device] = number
                host.handle_answer_accepted(signal)
                host.show_panel(signal.device, SeatPanel(number + 1, f"Bid {number + 1}", "on"))
                if number % 4 == 0:
                    pull(signal.device)
        for device, pad in pads.items():
            number = done[device] + 1
            if number <= rounds and pad.display == f"Bid {number}\n":
                pad.type(f"{number}.7 OK")


ROUNDS = 120 if SOAK else 12


def test_bids_cross_a_damaged_cable_exactly_once(tmp_path: Path, game: SignalListener) -> None:
    """Four keypads, 30 % of chunks damaged, every fourth bid a cable pulled: each bid once, none wrong."""
    pads = {f"keypad {n}": SimulatedKeypad(f"kp-{n}", tmp_path / f"pad-{n}") for n in range(1, 5)}
    noises = {device: CableNoise(seed, damaged_share=0.3) for seed, device in enumerate(pads)}
    hosts = {device: tmp_path / f"port-{n}" for n, device in enumerate(pads, 1)}
    cables = {device: NoisyCable(pad.path, hosts[device], noises[device]) for device, pad in pads.items()}

    def pull(device: str) -> None:
        cables[device].unplug_host()
        cables[device] = NoisyCable(pads[device].path, hosts[device], noises[device])

    wired = [Keypad(seat=n, port=str(path)) for n, path in enumerate(hosts.values(), 1)]
    with Keypads(wired, game.inbox) as host:
        _plays(host, game, pads, ROUNDS, pull)
    for cable in cables.values():
        cable.unplug_host()
    for pad in pads.values():
        pad.close()
    assert all(noise.damaged_count > ROUNDS for noise in noises.values())


def test_a_port_that_is_taken_is_tried_again(keypad: SimulatedKeypad, game: SignalListener) -> None:
    """While another program holds the port the keypad is missing; then it is found."""
    with Keypads([Keypad(seat=1, port=str(keypad.path))], SignalListener().inbox) as first:
        keypad.wait_until(lambda: keypad.display == "\n", TIMEOUT_SECONDS)
        with Keypads([Keypad(seat=1, port=str(keypad.path))], game.inbox):
            assert game.listen(0.6) == []
            first.close()
            assert game.wait_for_signal(DeviceFound) == DeviceFound("keypad 1")


def test_a_path_that_is_taken_is_not_overwritten(tmp_path: Path) -> None:
    """A simulated port never replaces a file."""
    path = tmp_path / "notes"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="already exists and is not a simulated port"):
        SimulatedKeypad("kp-1", path)
    assert path.read_text() == "mine"


def test_a_link_that_a_killed_start_left_is_in_nobodys_way(tmp_path: Path) -> None:
    """A start that was killed half way leaves its unfinished link; the next one makes its own."""
    (tmp_path / ".kp-1.new").symlink_to("/dev/pts/nowhere")
    with SimulatedKeypad("kp-1", tmp_path / "kp-1"):
        assert (tmp_path / "kp-1").is_char_device()
    assert list(tmp_path.iterdir()) == []


def test_a_start_that_fails_leaves_nothing_open(tmp_path: Path) -> None:
    """Where the port can't be made, its terminal is closed again."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    (tmp_path / "notes").write_text("mine")
    for path in (tmp_path / "nowhere" / "kp-1", tmp_path / "notes"):
        with pytest.raises(OSError, match=r"nowhere|notes"):
            SimulatedKeypad("kp-1", path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
