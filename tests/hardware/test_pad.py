"""What a keypad's program does with keys and lines; time is a number here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import keypad_protocol
from hardware.desk.entry import PAD_KEYS, KeyEntry, apply_key
from hardware.firmware.keypad import lines, pad
from hardware.firmware.keypad.lines import MAX_SEQ
from hardware.firmware.keypad.pad import FIRMWARE_VERSION, NO_HOST_TEXT, KeypadProgram
from hardware.keypad_protocol import (
    UNCLEAR_NUMBER,
    AnswerAcceptedMessage,
    AnswerRefusedMessage,
    ControlKeyMessage,
    EntryMessage,
    HeartbeatMessage,
    HelloMessage,
    HelloRequestMessage,
    HostMessage,
    KeypadMessage,
    ShowMessage,
    crc16,
    encode_host_line,
    escape_katakana,
    parse_keypad_line,
    verify_and_split_line,
)
from hardware.signals import PadKey
from hardware.simulated.keypads import parse_keys

BOOT = "9F2C1A07"


class Bench:
    """A pad and what it said since it was last asked."""

    def __init__(self) -> None:
        self.now = 100_000
        self.pad = KeypadProgram("kp-1", BOOT, self.now, "line16,kana")

    def hears(self, message: HostMessage, seq: int = 0) -> None:
        """A line from the host."""
        self.pad.handle_host_bytes(encode_host_line(seq, message), self.now)

    def shows(self, question: int, text: str = "Bid") -> None:
        """The host's heartbeat."""
        self.hears(ShowMessage(BOOT, question, "on", text))

    def types(self, keys: str) -> list[tuple[int, KeypadMessage]]:
        """Press keys; what the pad says to it."""
        for cap in parse_keys(keys):
            self.pad.press_key(cap, self.now)
        return self.said()

    def said(self) -> list[tuple[int, KeypadMessage]]:
        """What the pad said since it was last asked."""
        return [parse_keypad_line(line) for line in self.pad.take_outgoing_bytes().splitlines()]

    def passes(self, seconds: float) -> list[tuple[int, KeypadMessage]]:
        """Let time pass; what the pad says then."""
        self.now += round(seconds * 1000)
        self.pad.queue_due_lines(self.now)
        return self.said()

    @property
    def lines(self) -> list[str]:
        """The two lines of the display."""
        return list(self.pad.display_lines(self.now))


@pytest.fixture
def bench() -> Bench:
    """A keypad that a host shows question 7 on."""
    bench = Bench()
    bench.shows(7)
    return bench


def test_it_says_hello_until_the_host_shows_something() -> None:
    """Before the first SHOW its heartbeat is HELLO, and no key does anything."""
    bench = Bench()
    hello = HelloMessage(1, "kp-1", FIRMWARE_VERSION, BOOT, ("line16", "kana"))
    assert bench.passes(0) == [(0, hello)]
    assert bench.passes(0.25) == [(0, hello)]
    assert bench.types("5 OK") == []
    assert bench.lines == [NO_HOST_TEXT, ""]
    bench.shows(7)
    assert bench.passes(0.25) == [(0, HeartbeatMessage(500))]


def test_it_says_hello_when_asked(bench: Bench) -> None:
    """WHO is answered at once."""
    bench.hears(HelloRequestMessage())
    assert [type(message) for _, message in bench.said()] == [HelloMessage]


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("12 OK", EntryMessage(7, 0, (12,))),
        ("2.3 OK", EntryMessage(7, 0, (2, 3))),
        ("0.0.5 OK", EntryMessage(7, 0, (0, 0, 5))),
        ("12 DEL 3 OK", EntryMessage(7, 0, (13,))),
        ("OK", ControlKeyMessage(7, 0, "ok")),
        ("NO", ControlKeyMessage(7, 0, "no")),
        ("OWN", ControlKeyMessage(7, 0, "own")),
        ("12 NO NO", ControlKeyMessage(7, 0, "no")),
        ("12 NO OK", ControlKeyMessage(7, 0, "ok")),
        (". . 4 . . 5 OK", EntryMessage(7, 0, (0, 4, 5))),
        (".5 OK", EntryMessage(7, 0, (0, 5))),
        ("7.05 OK", EntryMessage(7, 0, (7, UNCLEAR_NUMBER))),
        ("12345678901234567 OK", EntryMessage(7, 0, (1234567890123456,))),
    ],
)
def test_keys_make_one_answer(bench: Bench, keys: str, answer: KeypadMessage) -> None:
    """Digits and points are put together here; NO first erases what was typed."""
    assert bench.types(keys) == [(1, answer)]


def test_an_entry_that_ends_in_a_point_is_not_sent(bench: Bench) -> None:
    """A number is missing: OK waits for it."""
    assert bench.types("2. OK") == []
    assert bench.lines == ["Bid", "2."]


def test_a_point_before_any_digit_is_shown_with_a_0(bench: Bench) -> None:
    """So nobody takes `.5` for 5, and the entry is for the question that was shown at the point."""
    bench.types(".")
    assert bench.lines == ["Bid", "0."]
    bench.shows(8)
    assert bench.types("5 OK") == [(1, EntryMessage(7, 0, (0, 5)))]


def test_each_key_is_seen_at_once(bench: Bench) -> None:
    """The second line shows the entry, then what is on its way, then nothing."""
    bench.types("12")
    assert bench.lines == ["Bid", "12"]
    bench.types("OK")
    assert bench.lines == ["Bid", ">12"]
    bench.hears(AnswerAcceptedMessage(), seq=1)
    assert bench.lines == ["Bid", ""]


def test_an_answer_is_repeated_until_it_is_settled(bench: Bench) -> None:
    """Every quarter of a second, with the same SEQ and the time of its press; then no more."""
    assert bench.types("12 OK") == [(1, EntryMessage(7, 0, (12,)))]
    assert bench.passes(0.3) == [(0, HeartbeatMessage(300)), (1, EntryMessage(7, 0, (12,)))]
    bench.hears(AnswerAcceptedMessage(), seq=1)
    assert bench.passes(0.3) == [(0, HeartbeatMessage(600))]


def test_keys_wait_while_an_answer_is_on_its_way(bench: Bench) -> None:
    """A double press of OK is one answer."""
    assert len(bench.types("12 OK OK 5 NO")) == 1
    assert bench.lines == ["Bid", ">12"]


def test_a_verdict_on_another_answer_changes_nothing(bench: Bench) -> None:
    """An ACK that came late settles only the answer it belongs to."""
    bench.types("12 OK")
    bench.hears(AnswerAcceptedMessage(), seq=2)
    assert bench.lines == ["Bid", ">12"]


def test_a_refusal_is_shown_until_the_next_key(bench: Bench) -> None:
    """The sentence stands over repeated SHOWs and goes with a key or with another SHOW."""
    bench.types("2 OK")
    bench.hears(AnswerRefusedMessage("More than 4"), seq=1)
    bench.shows(7)
    assert bench.lines == ["More than 4", ""]
    bench.types("5")
    assert bench.lines == ["Bid", "5"]
    bench.types("OK")
    bench.hears(AnswerRefusedMessage("More than 5"), seq=2)
    bench.shows(8, "Over")
    assert bench.lines == ["Over", ""]


def test_an_entry_belongs_to_the_question_it_was_begun_for(bench: Bench) -> None:
    """When the question changes under a half-typed bid, the bid carries the old number."""
    bench.types("1")
    bench.shows(8, "Confirm")
    assert bench.types("2 OK") == [(1, EntryMessage(7, 0, (12,)))]
    bench.hears(AnswerRefusedMessage("Too late"), seq=1)
    assert bench.types("3 OK") == [(2, EntryMessage(8, 0, (3,)))]


def test_what_is_shown_to_an_earlier_start_is_ignored(bench: Bench) -> None:
    """A SHOW for the program before the power went is not for this one."""
    bench.hears(ShowMessage("00000000", 9, "blink", "Old"))
    assert bench.lines == ["Bid", ""]
    assert bench.pad.light_state(bench.now) == "on"


def test_a_host_that_falls_silent_is_noticed(bench: Bench) -> None:
    """After three heartbeats without a line the display says so, and the answer is kept."""
    bench.types("12 OK")
    bench.now += 700
    assert bench.lines == ["Bid", ">12"]
    bench.now += 100
    assert bench.lines == [NO_HOST_TEXT, ">12"]
    bench.shows(7)
    assert bench.lines == ["Bid", ">12"]


def test_the_numbers_of_answers_begin_anew_after_the_last(bench: Bench) -> None:
    """After 65535 comes 1; 0 is never the number of an answer."""
    for number in range(65_535):
        assert bench.types("OK")[0][0] == number + 1
        bench.hears(AnswerAcceptedMessage(), seq=number + 1)
    assert bench.types("OK")[0][0] == 1


def test_there_is_no_other_key(bench: Bench) -> None:
    """A key that isn't on the keypad is an error, before anything is pressed."""
    not_a_key: list[PadKey] = ["F1"]  # type: ignore[list-item]  # that is the mistake
    with pytest.raises(ValueError, match="no key 'F1'"):
        bench.pad.press_key(not_a_key[0], bench.now)
    with pytest.raises(ValueError, match="no key 'X'"):
        parse_keys("12 x")


def test_the_firmware_keeps_the_numbers_of_the_protocol() -> None:
    """What the keypad counts on is what the host counts on."""
    assert pad.PROTOCOL_VERSION == keypad_protocol.PROTOCOL_VERSION
    assert pad.HEARTBEAT_MS == keypad_protocol.HEARTBEAT_SECONDS * 1000
    assert pad.MAX_MISSED_HEARTBEATS == keypad_protocol.MAX_MISSED_HEARTBEATS
    assert pad.MAX_ENTRY_LENGTH == keypad_protocol.MAX_ENTRY_LENGTH
    assert pad.KEY_CAPS == PAD_KEYS


@given(st.binary(max_size=150))
def test_both_ends_compute_one_crc(data: bytes) -> None:
    """The firmware's own, nibble by nibble, and the host's."""
    assert lines.crc16(data) == crc16(data)


@given(st.integers(0, MAX_SEQ), st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1))
def test_both_ends_read_what_the_other_writes(seq: int, body: str) -> None:
    """Any printable body; and no damaged line is one for either."""
    line = lines.encode_line(seq, body)[:-1]
    assert lines.verify_and_split_line(line) == verify_and_split_line(line) == (seq, body)
    assert lines.verify_and_split_line(line[:-1] + b"\xff") is None


@given(st.integers(1, MAX_SEQ), st.data())
def test_the_firmware_notices_one_or_two_flipped_bits(seq: int, data: st.DataObject) -> None:
    """An ACK or a text that the cable changed is no line for the keypad either."""
    line = bytearray(encode_host_line(seq, AnswerRefusedMessage("More than 12"))[:-1])
    for bit in data.draw(st.sets(st.integers(0, len(line) * 8 - 1), min_size=1, max_size=2)):
        line[bit // 8] ^= 1 << bit % 8
    assert lines.verify_and_split_line(bytes(line)) is None


@given(st.text(st.sampled_from("%Aa 9ｱﾟﾞ｡")))
def test_a_text_is_shown_as_it_was_escaped(text: str) -> None:
    """Half-width katakana and the percent sign come through the line."""
    assert lines.unescape_katakana(escape_katakana(text)) == text


@given(st.lists(st.sampled_from(PAD_KEYS), max_size=40))
def test_a_keypad_and_a_number_pad_make_the_same_of_keys(keys: list[PadKey]) -> None:
    """The firmware puts entries together as the host does for pads that only know keys."""
    bench = Bench()
    bench.shows(7)
    entry = KeyEntry()
    answers: list[KeypadMessage] = []
    for key in keys:
        bench.pad.press_key(key, bench.now)
        entry, said = apply_key(entry, key, 7)
        if said is not None:
            answers.append(
                ControlKeyMessage(7, 0, said) if isinstance(said, str) else EntryMessage(7, 0, said)
            )
        for seq, answer in bench.said():
            assert answer == answers.pop(0)
            bench.hears(AnswerAcceptedMessage(), seq=seq)
    assert answers == []
    assert bench.lines[1] == entry.text


@pytest.mark.parametrize(
    "body",
    [f"SHOW {BOOT} 8 bright Bid", f"SHOW {BOOT} x on Bid", f"SHOW {BOOT} 8 on 100%ZZ", "SHOW x", "NAK %0A"],
)
def test_what_no_host_says_is_not_heard(bench: Bench, body: str) -> None:
    """Though its sum fits, as another program's might: what was shown stays, and an answer waits."""
    bench.types("12 OK")
    payload = f"1 {body}".encode()
    bench.pad.handle_host_bytes(b"%b*%04X\n" % (payload, crc16(payload)), bench.now)
    assert bench.lines == ["Bid", ">12"]
    assert bench.pad.light_state(bench.now) == "on"
