"""Lines: their form, their CRC, and how a damaged stream is brought into step again."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware.keypad.lines import MAX_LINE_BYTES, MAX_SEQ, LineSplitter, unescape_katakana
from hardware.keypad_protocol import DamagedLine, crc16, encode_line, escape_katakana, verify_and_split_line

BODIES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=100)


def test_the_crc_has_its_published_check_value() -> None:
    """CRC-16/IBM-3740 of "123456789" is 29B1."""
    assert crc16(b"123456789") == 0x29B1


@given(st.integers(0, MAX_SEQ), BODIES)
def test_what_is_written_is_read(seq: int, body: str) -> None:
    """Any SEQ and any printable body survive the wire, asterisks included."""
    line = encode_line(seq, body)
    assert line.endswith(b"\n")
    assert verify_and_split_line(line[:-1]) == (seq, body)


@given(st.integers(0, MAX_SEQ), BODIES, st.randoms())
def test_one_or_two_flipped_bits_are_always_noticed(seq: int, body: str, chance: random.Random) -> None:
    """A line with one or two bits flipped is never taken for another line."""
    line = bytearray(encode_line(seq, body)[:-1])
    for bit in chance.sample(range(len(line) * 8), chance.randint(1, 2)):
        line[bit // 8] ^= 1 << bit % 8
    with pytest.raises(DamagedLine):
        verify_and_split_line(bytes(line))


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"*",
        b"7 ACK",
        b"7 ACK*0000",
        b" ACK*1D0F",
        b"07 ACK*FFFF",
        b"7 \xffACK*1234",
        b"7 *E5F7",
    ],
)
def test_what_is_no_line_is_damaged(line: bytes) -> None:
    """Nothing is guessed: a line without CRC, number, body or with other bytes is refused."""
    with pytest.raises(DamagedLine):
        verify_and_split_line(line)


def test_a_good_crc_does_not_excuse_a_bad_form() -> None:
    """A SEQ above 65535 or with a leading zero is refused, though its CRC fits."""
    for payload in (b"65536 ACK", b"07 ACK"):
        with pytest.raises(DamagedLine):
            verify_and_split_line(b"%b*%04X" % (payload, crc16(payload)))


def test_what_can_not_be_a_line_is_not_written() -> None:
    """A body that is too long, empty or not printable ASCII is an error at the sender."""
    for body in ("x" * MAX_LINE_BYTES, "", "a\nb", "ア"):
        with pytest.raises(ValueError, match=r"at most|form|encode"):
            encode_line(0, body)


@given(st.text(st.sampled_from("Az %0~ｱﾝﾟ｡"), max_size=20))
def test_texts_cross_in_ascii(text: str) -> None:
    """Kana and percent signs are escaped and come back."""
    assert escape_katakana(text).isascii()
    assert unescape_katakana(escape_katakana(text)) == text


@given(st.lists(BODIES, max_size=5), st.data())
def test_lines_arrive_whatever_the_pieces(bodies: list[str], data: st.DataObject) -> None:
    """A stream cut anywhere gives the same lines."""
    stream = b"".join(encode_line(0, body) for body in bodies)
    splitter, lines = LineSplitter(), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        lines += splitter.feed_bytes(stream[:size])
        stream = stream[size:]
    assert [verify_and_split_line(line).body for line in lines] == bodies


def test_garbage_without_end_takes_no_memory() -> None:
    """Ten megabytes without a newline leave fewer than 120 bytes waiting, and the next line counts."""
    splitter = LineSplitter()
    for _ in range(2_500):
        assert splitter.feed_bytes(b"\xa5" * 4096) == []
        assert len(splitter._rest) < MAX_LINE_BYTES
    assert splitter.feed_bytes(b"the end of the garbage\n" + encode_line(3, "ACK")) == [b"3 ACK*4FD3"]


def test_a_line_that_is_too_long_is_dropped_whole() -> None:
    """Its end is not taken for a line of its own, even if it would be one."""
    splitter = LineSplitter()
    splitter.feed_bytes(b"x" * MAX_LINE_BYTES)
    assert splitter.feed_bytes(encode_line(3, "ACK")) == []
    assert splitter.feed_bytes(encode_line(4, "ACK")) != []
