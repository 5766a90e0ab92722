"""Old answers that come once more: whatever brings them, the latest one that was acknowledged counts."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.pad_side import pad_line, parse_host_line
from companion.half_numbers import WholeOrHalf
from hardware.firmware.keypad.lines import MAX_SEQ
from hardware.keypad_protocol import (
    AnswerAcceptedMessage,
    ControlKeyMessage,
    EntryMessage,
    HeartbeatMessage,
    HelloMessage,
    HostMessage,
    encode_host_line,
    is_later_seq,
)
from hardware.keypads import Keypads, KeypadSession, SerialLink
from hardware.signals import NumbersAnswer
from hardware.wiring import Keypad
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS, FakeSerialDevice, SignalListener

HELLO = HelloMessage(1, "kp-1", "1.0.0", "9F2C1A07", ("line16",))
DOCUMENT = Path(__file__).parents[2] / "docs" / "keypad-protocol.md"


class Envelope:
    """A seat with an open port: what its keypad typed last for a question that stays open."""

    def __init__(self) -> None:
        self.holds: WholeOrHalf | None = None
        self._game = SignalListener()
        self._station = KeypadSession("keypad 1", self._game.inbox)
        self._receipt = 0
        self.plug_in()

    def plug_in(self) -> None:
        """Its port is opened, for the first time or again."""
        self._link = SerialLink(0.0)

    def hears(self, line: bytes) -> list[bytes]:
        """A line comes in; what is said to it. The game takes every answer at once."""
        return list(self._replies(line))

    def _replies(self, line: bytes) -> Iterator[bytes]:
        for seq, message in self._link.receive_messages(line, 0.0):
            if isinstance(message, HelloMessage):
                yield self._station.handle_hello(message)
            elif isinstance(message, EntryMessage | ControlKeyMessage):
                self._receipt += 1
                said = self._station.handle_answer(seq, message, 0.0, self._receipt)
                yield said or self._taken()

    def _taken(self) -> bytes:
        for signal in self._game.inbox.drain():
            if isinstance(signal, NumbersAnswer):
                self.holds = signal.numbers[0]
        return self._station.set_verdict(self._receipt, None)


@pytest.mark.parametrize(
    ("seq", "other"), [(2, 1), (1, MAX_SEQ), (5, MAX_SEQ - 5), (32_768, 1), (1, 32_769), (MAX_SEQ, 32_768)]
)
def test_a_seq_comes_after_another_within_half_the_numbers(seq: int, other: int) -> None:
    """1 follows 65535; of two numbers one is the later."""
    assert is_later_seq(seq, other)
    assert not is_later_seq(other, seq)
    assert not is_later_seq(seq, seq)


def test_the_documented_replays_happen_so() -> None:
    """Each conversation of the page, line by line, with a keypad that has said HELLO before."""
    section = DOCUMENT.read_text("utf-8").partition("## A replay\n")[2].partition("\n## ")[0]
    conversations = re.findall(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert len(conversations) == 3
    for conversation in conversations:
        envelope = Envelope()
        envelope.hears(pad_line(0, HELLO))
        for said, answered in re.findall(r"^> (.*)\n< (.*)$", conversation, re.MULTILINE):
            assert envelope.hears(f"{said}\n".encode()) == [f"{answered}\n".encode()]


@st.composite
def streams(draw: st.DrawFn) -> list[tuple[str, int]]:
    """What happens at one seat: bids, starts of its program, open ports, and lines that come once more."""
    happens = st.tuples(
        st.sampled_from(["bid", "bid", "again", "again", "again", "start", "plug"]), st.integers(0, 50)
    )
    return draw(st.lists(happens, max_size=60))


@given(streams(), st.sampled_from([0, 1, 32_766, MAX_SEQ - 3]))
def test_the_latest_acknowledged_bid_is_in_the_envelope(stream: list[tuple[str, int]], begun: int) -> None:
    """Whatever came before comes again, in whatever order: it is acknowledged and opens nothing.

    The keypad has given so many answers before, and goes on when each is acknowledged.
    """
    envelope, seq, bid, boot = Envelope(), begun, 0, 0
    hello = HELLO
    said = [pad_line(0, hello)]
    envelope.hears(said[0])
    for what, number in stream:
        if what == "bid":
            seq, bid = seq % MAX_SEQ + 1, bid + 1
            said.append(pad_line(seq, EntryMessage(7, bid, (bid,))))
            assert envelope.hears(said[-1]) == [encode_host_line(seq, AnswerAcceptedMessage())]
        elif what == "again":
            before = envelope.holds
            line = said[number % len(said)]
            assert all(line.startswith((b"0 ", reply.partition(b" ")[0])) for reply in envelope.hears(line))
            assert envelope.holds == before
        else:
            envelope.plug_in()
            if what == "start":
                # On a cable bytes keep their order: what is said before HELLO doesn't come after it.
                seq, boot, said = 0, boot + 1, []
                hello = msgspec.structs.replace(HELLO, boot=f"{boot:08X}")
            said.append(pad_line(0, hello))
            envelope.hears(said[-1])
        assert envelope.holds in (None, bid)


def _gives(serial_device: FakeSerialDevice, seq: int, bid: int) -> None:
    serial_device.send(pad_line(seq, EntryMessage(7, bid, (bid,))))


def test_on_a_real_terminal_an_old_bid_opens_nothing(tmp_path: Path, serial_device: FakeSerialDevice) -> None:
    """11, then 22, then both once more: they are acknowledged, and the game hears of them once.

    A keypad that starts again counts from 1, and its first bid is a new one, also where the HELLO of its
    last start comes again.
    """
    game = SignalListener()
    with Keypads([Keypad(seat=1, port=str(tmp_path / "metal"))], game.inbox) as host:
        serial_device.receive()
        serial_device.send(pad_line(0, HELLO))
        for seq, bid in ((1, 11), (2, 22)):
            _gives(serial_device, seq, bid)
            host.handle_answer_accepted(game.wait_for_signal(NumbersAnswer))
            _is_told(serial_device, seq, AnswerAcceptedMessage())
        for seq, bid in ((1, 11), (2, 22)):
            _gives(serial_device, seq, bid)
            _is_told(serial_device, seq, AnswerAcceptedMessage())
        serial_device.send(pad_line(0, msgspec.structs.replace(HELLO, boot="00000001")) + pad_line(0, HELLO))
        _gives(serial_device, 1, 33)
        host.handle_answer_accepted(game.wait_for_signal(NumbersAnswer))
        _is_told(serial_device, 1, AnswerAcceptedMessage())
    assert [each.numbers for each in game.signals if isinstance(each, NumbersAnswer)] == [(11,), (22,), (33,)]


def test_a_host_that_starts_anew_takes_the_answer_that_waits(
    tmp_path: Path, serial_device: FakeSerialDevice
) -> None:
    """Whatever its SEQ is, it counts; what is older than that doesn't any more."""
    game = SignalListener()
    with Keypads([Keypad(seat=1, port=str(tmp_path / "metal"))], game.inbox) as host:
        serial_device.receive()
        serial_device.send(pad_line(0, HELLO) + pad_line(0, HeartbeatMessage(1)))
        _gives(serial_device, 40_000, 44)
        host.handle_answer_accepted(game.wait_for_signal(NumbersAnswer))
        _is_told(serial_device, 40_000, AnswerAcceptedMessage())
        _gives(serial_device, 39_999, 43)
        _is_told(serial_device, 39_999, AnswerAcceptedMessage())
    assert [each.numbers for each in game.signals if isinstance(each, NumbersAnswer)] == [(44,)]


def _is_told(serial_device: FakeSerialDevice, seq: int, verdict: HostMessage) -> None:
    """Reads on until the host has said this."""
    rest, end = b"", time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < end:
        *lines, rest = (rest + serial_device.receive()).split(b"\n")
        if (seq, verdict) in map(parse_host_line, lines):
            return
    raise TimeoutError(f"the host doesn't say {verdict} to {seq}")
