"""Keypad protocol 1: every kind of line, in the program and in its documentation."""

import re
from pathlib import Path

import pytest

from benchmarks.pad_side import FROM_HOST, pad_line, parse_host_line
from hardware.keypad_protocol import (
    KEYPAD_LINE_PARSER_BY_WORD,
    PROTOCOL_VERSION,
    AnswerAcceptedMessage,
    AnswerRefusedMessage,
    ControlKeyMessage,
    DamagedLine,
    EntryMessage,
    HeartbeatMessage,
    HelloMessage,
    HelloRequestMessage,
    HostMessage,
    KeypadMessage,
    ShowMessage,
    crc16,
    encode_host_line,
    encode_line,
    parse_keypad_line,
    verify_and_split_line,
)
from hardware.signals import ControlKey

DOCUMENT = (Path(__file__).parents[2] / "docs" / "keypad-protocol.md").read_text("utf-8")
EXAMPLES = re.findall(r"^(> |< )(.+)$", DOCUMENT, re.MULTILINE)


@pytest.mark.parametrize(
    ("seq", "message"),
    [
        (0, HelloMessage(1, "kp-1", "1.0.0", "9F2C1A07", ("line16", "kana"))),
        (0, HeartbeatMessage(0)),
        (1, EntryMessage(7, 81_250, (12,))),
        (65_535, EntryMessage(1_000_000, 4_000_000_000, (0, 3, 10))),
        (1, ControlKeyMessage(0, 5, "ok")),
        (2, ControlKeyMessage(7, 5, "no")),
    ],
)
def test_the_host_reads_what_a_keypad_says(seq: int, message: KeypadMessage) -> None:
    """Each message of a keypad is one line and comes back as it was."""
    assert parse_keypad_line(pad_line(seq, message)[:-1]) == (seq, message)


@pytest.mark.parametrize(
    ("seq", "message"),
    [
        (0, HelloRequestMessage()),
        (0, ShowMessage("9F2C1A07", 7, "blink", "ﾍﾞﾝ > 4")),
        (0, ShowMessage("9F2C1A07", 0, "off", "")),
        (0, ShowMessage("9F2C1A07", 4_000_000_000, "on", "ｱ" * 20)),
        (1, AnswerAcceptedMessage()),
        (65_535, AnswerRefusedMessage("100% ｽﾞﾙ")),
    ],
)
def test_a_keypad_reads_what_the_host_says(seq: int, message: HostMessage) -> None:
    """Each message of the host is one line and comes back as it was."""
    assert parse_host_line(encode_host_line(seq, message)[:-1]) == (seq, message)


@pytest.mark.parametrize(
    ("seq", "body"),
    [
        (0, "WHO"),
        (0, "HELLO 1 kp 1 1.0 9F2C1A07 line16"),
        (0, "HELLO 1 .. 1.0 9F2C1A07 line16"),
        (0, "BEAT"),
        (0, "BEAT 01"),
        (7, "BEAT 1"),
        (0, "ENTRY 7 1 12"),
        (7, "ENTRY 7 1 "),
        (7, "ENTRY 7 1 1..2"),
        (7, "ENTRY 7 1 -3"),
        (7, "ENTRY 7 1 12345678901234567"),
        (7, "PRESS 7 1 OK"),
        (0, "("),
        (0, "[ x"),
        (0, ".*"),
        (0, "(x+)+y " + "x" * 80),
    ],
)
def test_the_host_takes_no_other_line(seq: int, body: str) -> None:
    """A line with a good CRC that says nothing known is dropped, an echo too."""
    with pytest.raises(DamagedLine):
        parse_keypad_line(encode_line(seq, body)[:-1])


@pytest.mark.parametrize(
    ("seq", "body"),
    [
        (0, "BEAT 1"),
        (0, "ACK"),
        (3, "WHO"),
        (0, "SHOW 9F2C1A07 7 red x"),
        (0, "SHOW 9F2C1A07 7 on %20"),
        (3, "NAK 100%"),
        (0, "*"),
    ],
)
def test_a_keypad_takes_no_other_line(seq: int, body: str) -> None:
    """A line with a good CRC that says nothing known is dropped, an echo too."""
    with pytest.raises(DamagedLine):
        parse_host_line(encode_line(seq, body)[:-1])


@pytest.mark.parametrize(("side", "line"), EXAMPLES)
def test_each_documented_line_is_right(side: str, line: str) -> None:
    """An example has the CRC it should have and is what the program itself would write."""
    data = line.encode("ascii")
    payload = data.rpartition(b"*")[0]
    assert data == b"%b*%04X" % (payload, crc16(payload))
    if side == "> ":
        assert pad_line(*parse_keypad_line(data)) == data + b"\n"
    else:
        assert encode_host_line(*parse_host_line(data)) == data + b"\n"


def test_each_kind_of_line_is_documented() -> None:
    """The document names the version, and shows and heads every kind the program knows."""
    shown = {verify_and_split_line(line.encode()).body.split(" ")[0] for _, line in EXAMPLES}
    assert shown == {*KEYPAD_LINE_PARSER_BY_WORD, *FROM_HOST}
    headed = re.findall(r"^### ([A-Z]+)", DOCUMENT, re.MULTILINE)
    assert sorted(headed) == sorted([*KEYPAD_LINE_PARSER_BY_WORD, *FROM_HOST])
    assert f"# Keypad protocol {PROTOCOL_VERSION}\n" in DOCUMENT


def test_the_keys_of_a_press_are_the_keys_of_a_signal() -> None:
    """Every key that a signal may name can be said on the wire."""
    keys: tuple[ControlKey, ...] = ("ok", "no")
    for key in keys:
        assert parse_keypad_line(pad_line(1, ControlKeyMessage(0, 0, key))[:-1]) == (
            1,
            ControlKeyMessage(0, 0, key),
        )
