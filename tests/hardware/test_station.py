"""A keypad and its station over a bad cable, in made-up time: thousands of damaged chunks."""

import random

import msgspec
import pytest

from benchmarks.pad_side import pad_line, parse_host_line
from companion.half_numbers import WholeOrHalf
from hardware.device_drivers import SeatPanel
from hardware.firmware.keypad.pad import KeypadProgram
from hardware.keypad_protocol import (
    AnswerAcceptedMessage,
    AnswerRefusedMessage,
    ControlKeyMessage,
    EntryMessage,
    HeartbeatMessage,
    HelloMessage,
    ShowMessage,
    encode_host_line,
)
from hardware.keypads import KeypadClockConverter, KeypadSession, SerialLink
from hardware.signals import ControlKeyAnswer, DeviceFound, DeviceLost, NumbersAnswer
from hardware.simulated.keypads import CableNoise, parse_keys
from tests.support.hardware.device_helpers import SignalListener

STEP = 0.01
HELLO = HelloMessage(1, "kp-1", "1.0.0", "9F2C1A07", ("line16", "kana"))


class Table:
    """One player, one pad, a cable, a station and a game that takes every answer a little later."""

    def __init__(self, seed: int, share: float) -> None:
        self.chance = random.Random(seed)
        self.noise = CableNoise(seed, share)
        self.now = 0.0
        self.game = SignalListener()
        self.station = KeypadSession("keypad 1", self.game.inbox)
        self.pad = self._fresh_pad()
        self.link = SerialLink(self.now)
        self.receipts = iter(range(1, 1_000_000))
        self.question = 1
        self.typed: list[tuple[int, ...]] = []
        self.delivered: list[tuple[WholeOrHalf, ...]] = []
        self.acknowledged: list[tuple[int, ...]] = []
        self.is_sending = False
        self.waiting: list[tuple[float, NumbersAnswer | ControlKeyAnswer]] = []

    def _fresh_pad(self) -> KeypadProgram:
        return KeypadProgram("kp-1", f"{self.chance.getrandbits(32):08X}", self.ms, "line16,kana")

    @property
    def ms(self) -> int:
        """The moment in milliseconds, as the pad counts."""
        return round(self.now * 1000)

    def step(self) -> None:
        """One hundredth of a second."""
        self.now += STEP
        self.pad.queue_due_lines(self.ms)
        for chunk in self.noise.transmit(self.pad.take_outgoing_bytes()):
            for seq, message in self.link.receive_messages(chunk, self.now):
                self._host_hears(seq, message)
        if round(self.now / STEP) % 25 == 0:
            self.to_pad(self.station.heartbeat_line())
        self._game()
        self._player()

    def _host_hears(self, seq: int, message: object) -> None:
        if isinstance(message, HelloMessage):
            self.to_pad(self.station.handle_hello(message))
        if isinstance(message, EntryMessage | ControlKeyMessage):
            at = self.link.clock.to_host_time(message.ms, self.now)
            self.to_pad(self.station.handle_answer(seq, message, at, next(self.receipts)))

    def to_pad(self, line: bytes) -> None:
        """What the cable leaves of a line."""
        for chunk in self.noise.transmit(line):
            self.pad.handle_host_bytes(chunk, self.ms)

    def _game(self) -> None:
        for signal in self.game.inbox.drain():
            if isinstance(signal, NumbersAnswer):
                self.delivered.append(signal.numbers)
                self.waiting.append((self.now + self.chance.random() * 0.5, signal))
        while self.waiting and self.waiting[0][0] <= self.now:
            _, signal = self.waiting.pop(0)
            self.question += 1
            self.station.panel = SeatPanel(self.question, f"Question {self.question}", "on")
            self.to_pad(self.station.set_verdict(signal.receipt, None))
            self.to_pad(self.station.heartbeat_line())

    def _player(self) -> None:
        if self.is_sending and not self.own_line:
            self.acknowledged.append(self.typed[-1])
            self.is_sending = False
        elif not self.is_sending:
            numbers = (len(self.typed), self.chance.randint(0, 9999))
            for cap in parse_keys(f"{numbers[0]}.{numbers[1]} OK"):
                self.pad.press_key(cap, self.ms)
            self.is_sending = bool(self.own_line)
            self.typed += [numbers] if self.is_sending else []

    @property
    def own_line(self) -> str:
        """What the pad has typed or is sending."""
        return self.pad.display_lines(self.ms)[1]

    def power_cut(self) -> None:
        """Unplugged and plugged in: the pad's program starts again, what it had not got through is gone."""
        self.is_sending = False
        self.pad = self._fresh_pad()
        self.link = SerialLink(self.now)

    def glitch(self) -> None:
        """The cable breaks for a moment; the pad keeps its power."""
        self.link = SerialLink(self.now)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(5))
def test_each_acknowledged_bid_arrives_exactly_once(seed: int) -> None:
    """30 % of all chunks damaged, 60 power cuts and 60 broken cables: no bid lost, doubled or changed.

    What was delivered is what was acknowledged, in order, but for bids whose
    acknowledgement the power cut: those may or may not have arrived, once.
    """
    table = Table(seed, share=0.3)
    for _ in range(60):
        cut, glitch = (table.chance.randrange(500) for _ in range(2))
        for moment in range(500):
            if moment == cut:
                table.power_cut()
            if moment == glitch:
                table.glitch()
            table.step()
    assert table.noise.damaged_count > 500
    assert len(table.acknowledged) > 150
    arrived = iter(table.delivered)
    assert all(bid in arrived for bid in table.acknowledged), "an acknowledged bid is missing"
    assert len(set(table.delivered)) == len(table.delivered), "a bid arrived twice"
    assert set(table.delivered) <= set(table.typed), "a bid arrived changed"


def test_a_repeated_answer_gets_the_same_verdict() -> None:
    """The signal comes once; whatever was said to it is said again as often as it is asked."""
    game = SignalListener()
    station = KeypadSession("keypad 1", game.inbox)
    station.handle_hello(HELLO)
    assert station.handle_answer(1, EntryMessage(7, 0, (2,)), 5.0, receipt=11) == b""
    assert station.handle_answer(1, EntryMessage(7, 0, (2,)), 5.0, receipt=12) == b""
    refusal = encode_host_line(1, AnswerRefusedMessage("More than 4"))
    assert station.set_verdict(11, "More than 4") == refusal
    assert station.handle_answer(1, EntryMessage(7, 0, (2,)), 5.0, receipt=13) == refusal
    assert game.listen(0) == [DeviceFound("keypad 1"), NumbersAnswer("keypad 1", 7, (2,), 5.0, 11)]


def test_a_verdict_that_nobody_waits_for_is_dropped() -> None:
    """After a power cut the same SEQ is another answer; the old one's ACK isn't for it."""
    game = SignalListener()
    station = KeypadSession("keypad 1", game.inbox)
    station.handle_hello(HELLO)
    station.handle_answer(1, EntryMessage(7, 0, (2,)), 5.0, receipt=11)
    station.handle_hello(msgspec.structs.replace(HELLO, boot="00000001"))
    assert station.handle_answer(1, ControlKeyMessage(7, 0, "no"), 6.0, receipt=12) == b""
    assert station.set_verdict(11, None) == b""
    assert station.set_verdict(12, None) == encode_host_line(1, AnswerAcceptedMessage())


def test_a_state_is_said_once() -> None:
    """Found and Lost are changes, however often they are noticed."""
    game = SignalListener()
    station = KeypadSession("keypad 1", game.inbox)
    station.report_found()
    station.report_found()
    station.report_lost("silent")
    station.report_lost("silent")
    station.report_lost("unplugged")
    assert game.listen(0) == [
        DeviceFound("keypad 1"),
        DeviceLost("keypad 1", "silent"),
        DeviceLost("keypad 1", "unplugged"),
    ]


@pytest.mark.parametrize(
    ("can", "text"),
    [
        (("line16", "kana"), "ﾍﾞﾝ must bid mor"),
        (("line8",), "?? must "),
        (("line40", "light", "kana"), "ﾍﾞﾝ must bid more th"),
        (("line0",), ""),
        (("bell",), "?? must bid more tha"),
    ],
)
def test_a_text_is_sent_as_the_keypad_can_show_it(can: tuple[str, ...], text: str) -> None:
    """Its HELLO says how long its line is and whether it has kana; unknown words are ignored."""
    station = KeypadSession("keypad 1", SignalListener().inbox)
    station.panel = SeatPanel(7, "ベン must bid more than 4", "blink")
    shown = station.handle_hello(msgspec.structs.replace(HELLO, capabilities=can))
    assert parse_host_line(shown[:-1]) == (0, ShowMessage(HELLO.boot, 7, "blink", text))


def test_a_press_keeps_its_time_over_repeats() -> None:
    """The keypad's clock is matched to ours by the quickest of its last lines."""
    clock = KeypadClockConverter()
    assert clock.to_host_time(5_000, now=100.0) == 100.0
    for ms, now in ((1_000, 51.30), (1_250, 51.26), (1_500, 51.70)):
        clock.record_heartbeat(ms, now)
    assert clock.to_host_time(2_000, now=60.0) == pytest.approx(52.01)
    assert clock.to_host_time(20_000, now=60.0) == 60.0


def test_a_drifting_clock_is_followed() -> None:
    """Only the last sixteen lines count, so an offset of long ago is forgotten."""
    clock = KeypadClockConverter()
    for beat in range(100):
        clock.record_heartbeat(beat * 250, now=beat * 0.26)
    assert clock.to_host_time(99 * 250, now=99.0) == pytest.approx(99 * 0.26, abs=0.2)


def test_an_answer_before_hello_is_dropped() -> None:
    """A host that has just started asks who is there; the keypad repeats its answer."""
    link = SerialLink(0.0)
    line = pad_line(1, EntryMessage(7, 0, (2,)))
    assert list(link.receive_messages(line, 0.0)) == []
    assert list(link.receive_messages(pad_line(0, HELLO), 0.1)) == [(0, HELLO)]
    assert list(link.receive_messages(line, 0.2)) == [(1, EntryMessage(7, 0, (2,)))]


def test_three_missing_heartbeats_are_silence() -> None:
    """Garbage is no sign of life; any intact line is."""
    link = SerialLink(0.0)
    list(link.receive_messages(pad_line(0, HeartbeatMessage(0)), 1.0))
    list(link.receive_messages(b"\xff" * 1000 + b"\n", 1.7))
    assert not link.is_silent(1.75)
    assert link.is_silent(1.76)
    list(link.receive_messages(pad_line(0, HeartbeatMessage(900)), 1.9))
    assert not link.is_silent(2.0)


def test_a_link_forgets_a_start_that_another_followed() -> None:
    """Its HELLO once more is a replay, while the port is open: what comes next is of the later start."""
    link, later = SerialLink(0.0), msgspec.structs.replace(HELLO, boot="00000001")
    lines = [pad_line(0, hello) for hello in (HELLO, later, HELLO, later)]
    heard = [message for line in lines for _, message in link.receive_messages(line, 0.0)]
    assert heard == [HELLO, later, later]
    assert link.hello == later
