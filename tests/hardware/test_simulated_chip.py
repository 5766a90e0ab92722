"""The simulated chip is the chip: the package `mfrc522` reads it, and the data sheet's words hold."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.pi_modules import SpiDev, plug_in, stock_reader
from hardware.rfid.iso14443 import REQA, TAG_START_OR_RESET_SECONDS, WUPA, append_crc_a, format_uid
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.simulated.tags import Bits, SimulatedTag, bits_to_bytes, bytes_to_bits
from tests.support.hardware.reader_tags import measure_cost, random_uid

COIN = bytes.fromhex("DEADBEEF")
STICKER = bytes.fromhex("04A2B3C4D5E680")
# The package negates truths with ~, which Python calls deprecated since 3.12.
stock_says = pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")


@pytest.fixture
def chip() -> SimulatedRc522:
    """A chip with power."""
    return SimulatedRc522()


@pytest.fixture
def stock(chip: SimulatedRc522) -> Iterator[Any]:
    """The package's own reader on the chip; pins and SPI are stand-ins, on a Pi too."""
    plug_in(chip, bus=0, device=0)
    reader = stock_reader()()
    yield reader
    reader.READER.Close_MFRC522()


@stock_says
def test_the_package_reads_a_tag(chip: SimulatedRc522, stock: Any) -> None:
    """A tag of four bytes is read by the package, with its BCC, and only every second time."""
    chip.add_tag(format_uid(COIN))
    chip.wait(TAG_START_OR_RESET_SECONDS)
    read = [stock.read_id_no_block() for _ in range(4)]
    assert read == [0xDEADBEEF22, None, 0xDEADBEEF22, None]


@stock_says
def test_the_package_waits_as_on_a_pi(chip: SimulatedRc522, stock: Any) -> None:
    """Without a tag it makes the 2,013 transfers, in the 113 ms, that it was measured with."""
    spent = measure_cost(chip, stock.read_id_no_block)
    assert spent.transfers == 2013
    assert spent.seconds == pytest.approx(0.113, abs=0.001)


@stock_says
def test_the_package_selects_with_the_crc_of_the_chip(chip: SimulatedRc522, stock: Any) -> None:
    """Its SELECT has its CRC_A from the chip, and the tag confirms it; keys are never answered."""
    chip.add_tag(format_uid(COIN))
    chip.wait(TAG_START_OR_RESET_SECONDS)
    driver = stock.READER
    assert driver.CalulateCRC([0x50, 0x00]) == [0x57, 0xCD]
    assert driver.MFRC522_Request(driver.PICC_REQIDL) == (driver.MI_OK, 16)
    assert driver.MFRC522_Anticoll() == (driver.MI_OK, [*COIN, 0x22])
    driver.MFRC522_SelectTag([*COIN, 0x22])
    assert driver.MFRC522_Request(driver.PICC_REQIDL)[0] == driver.MI_ERR
    key = [0xFF] * 6
    assert driver.MFRC522_Auth(driver.PICC_AUTHENT1A, 11, key, COIN) != driver.MI_OK


def read(chip: SimulatedRc522, register: int) -> int:
    """One register."""
    return chip.xfer2([register << 1 | 0x80, 0])[1]


def write(chip: SimulatedRc522, register: int, *values: int) -> None:
    """One register, several values in one chip select."""
    chip.xfer2([register << 1, *values])


def test_a_transfer_overwrites_its_list(chip: SimulatedRc522) -> None:
    """As in spidev, what is read stands in the list that was sent; bytes are left alone."""
    sent = [0x37 << 1 | 0x80, 0]
    assert chip.xfer2(sent) == sent == [0, 0x92]
    assert chip.xfer2(bytes((0x37 << 1 | 0x80, 0))) == [0, 0x92]


def test_each_byte_sent_is_the_next_address(chip: SimulatedRc522) -> None:
    """A read gives several registers in one chip select; a write fills one register."""
    write(chip, 0x09, 1, 2, 3)
    registers = [register << 1 | 0x80 for register in (0x0A, 0x09, 0x09, 0x37)]
    assert chip.xfer2([*registers, 0]) == [0, 3, 1, 2, 0x92]
    write(chip, 0x0A, 0x80)
    assert read(chip, 0x0A) == 0


def test_the_fifo_has_an_end(chip: SimulatedRc522) -> None:
    """The 65th byte is lost and BufferOvfl is set."""
    write(chip, 0x09, *range(65))
    assert (read(chip, 0x0A), read(chip, 0x06)) == (64, 0x10)


def test_interrupt_flags_are_set_and_cleared_by_bit_7(chip: SimulatedRc522) -> None:
    """A write with bit 7 sets the flags named, without it clears them."""
    write(chip, 0x04, 0x7F)
    write(chip, 0x04, 0x80 | 0x21)
    assert read(chip, 0x04) == 0x21
    write(chip, 0x04, 0x01)
    assert read(chip, 0x04) == 0x20


def field_on(chip: SimulatedRc522) -> None:
    """Modulation, antenna, and a timer of 1 ms."""
    for register, value in ((0x15, 0x40), (0x14, 0x83), (0x2A, 0x80), (0x2B, 169), (0x2D, 40)):
        write(chip, register, value)
    chip.wait(TAG_START_OR_RESET_SECONDS)


def send(chip: SimulatedRc522, frame: bytes, framing: int = 0) -> None:
    """A frame from an idle chip, by the book."""
    for register, value in ((0x01, 0x00), (0x04, 0x7F), (0x0A, 0x80), (0x0D, framing)):
        write(chip, register, value)
    write(chip, 0x09, *frame)
    write(chip, 0x01, 0x0C)
    write(chip, 0x0D, framing | 0x80)


def fifo(chip: SimulatedRc522) -> bytes:
    """Everything in the FIFO."""
    return bytes(read(chip, 0x09) for _ in range(read(chip, 0x0A)))


def test_an_answer_comes_at_its_time(chip: SimulatedRc522) -> None:
    """The end of the frame is flagged first, the answer when its last bit has arrived."""
    chip.add_tag(format_uid(STICKER))
    field_on(chip)
    send(chip, bytes((REQA,)), 7)
    assert read(chip, 0x04) & 0x60 == 0
    chip.wait(85e-6)
    assert read(chip, 0x04) & 0x60 == 0x40
    chip.wait(300e-6)
    assert read(chip, 0x04) & 0x61 == 0x60
    assert fifo(chip) == bytes((0x44, 0x00))


def test_the_timer_tells_that_nobody_answers(chip: SimulatedRc522) -> None:
    """A millisecond after the frame TimerIRq is set, not earlier."""
    field_on(chip)
    send(chip, bytes((REQA,)), 7)
    chip.wait(0.9e-3)
    assert read(chip, 0x04) & 1 == 0
    chip.wait(0.2e-3)
    assert read(chip, 0x04) & 1 == 1


def test_a_command_ends_the_one_before(chip: SimulatedRc522) -> None:
    """A frame that is cut short by Idle is heard by nobody."""
    chip.add_tag(format_uid(STICKER))
    field_on(chip)
    send(chip, bytes((REQA,)), 7)
    write(chip, 0x01, 0x00)
    chip.wait(0.01)
    assert read(chip, 0x04) & 0x60 == 0


def test_where_answers_differ_there_is_a_collision(chip: SimulatedRc522) -> None:
    """CollPos counts from 1 and includes RxAlign; the bits after it are cleared unless they are to stay."""
    chip.add_tag("04A2B3C4D5E680")
    chip.add_tag("04A2B3C4D5E681")
    chip.add_tag("04A2F3C4D5E681")
    field_on(chip)
    write(chip, 0x0E, 0x00)
    send(chip, bytes((WUPA,)), 7)
    chip.wait(0.001)
    # Given are 88 04 A2 and the two lowest bits of the byte in which bit 6 differs.
    send(chip, bytes((0x93, 0x52, 0x88, 0x04, 0xA2, 0x03)), 2 << 4 | 2)
    chip.wait(0.001)
    assert read(chip, 0x06) & 0x08
    assert read(chip, 0x0E) == 7
    assert fifo(chip) == bytes((0x70, 0x00))


def test_a_collision_after_32_bits_has_no_place(chip: SimulatedRc522) -> None:
    """Of a bit further back CollPosNotValid is all that is known."""
    chip.add_tag(OutOfTune(STICKER[:4]))
    chip.add_tag(format_uid(COIN))
    field_on(chip)
    send(chip, bytes((REQA,)), 7)
    chip.wait(0.001)
    send(chip, bytes((0x93, 0x20)))
    chip.wait(0.001)
    assert read(chip, 0x06) & 0x08
    assert read(chip, 0x0E) & 0x20


class OutOfTune(SimulatedTag):
    """A tag that says the coin's level, but for the last bit of its check byte."""

    def answer_frame(self, frame: Bits | None, now: float) -> Bits | None:
        """Its answer to a frame."""
        answer = super().answer_frame(frame, now)
        return (
            bytes_to_bits(bytes((*COIN, 0x22 ^ 0x80))) if answer is not None and len(answer) == 40 else answer
        )


def test_a_tag_hears_nothing_without_full_modulation(chip: SimulatedRc522) -> None:
    """TxASKReg must be set as well as the antenna."""
    chip.add_tag(format_uid(COIN))
    field_on(chip)
    write(chip, 0x15, 0x00)
    chip.wait(TAG_START_OR_RESET_SECONDS)
    send(chip, bytes((REQA,)), 7)
    chip.wait(0.01)
    assert read(chip, 0x04) & 0x20 == 0


def test_a_tag_needs_time_in_the_field_and_out_of_it() -> None:
    """A tag is deaf for 5 ms after it was laid, and remembers HLTA until it was 5 ms without power."""
    tag = SimulatedTag(COIN)
    tag.set_power(True, 0)
    assert tag.answer_frame(bytes_to_bits(bytes((REQA,)))[:7], 0.004) is None
    assert says(tag, bytes((REQA,)), 7, 0.006) == bytes((0x04, 0x00))
    assert says(tag, append_crc_a(bytes((0x93, 0x70, *COIN, 0x22))), 72, 0.007) == append_crc_a(b"\x00")
    assert says(tag, append_crc_a(bytes((0x50, 0x00))), 32, 0.008) is None
    tag.set_power(False, 0.010)
    tag.set_power(True, 0.014)
    assert says(tag, bytes((REQA,)), 7, 0.020) is None
    tag.set_power(False, 0.030)
    tag.set_power(True, 0.036)
    assert says(tag, bytes((REQA,)), 7, 0.042) == bytes((0x04, 0x00))


def says(tag: SimulatedTag, frame: bytes, bits: int, now: float) -> bytes | None:
    """What the tag answers to so many bits of a frame."""
    answer = tag.answer_frame(bytes_to_bits(frame)[:bits], now)
    return None if answer is None else bits_to_bytes(answer)


@pytest.mark.parametrize(
    ("frame", "bits"),
    [
        (bytes((WUPA,)), 7),
        (append_crc_a(bytes((0x30, 0x04))), 32),
        (bytes((0x93,)), 8),
        (bytes((0x95, 0x20)), 16),
        (bytes((0x93, 0x40)), 16),
        (bytes((0x93, 0x70, *COIN, 0x22, 0, 0)), 72),
    ],
)
def test_a_tag_that_is_asked_what_does_not_fit_falls_asleep(frame: bytes, bits: int) -> None:
    """After REQA only a well-formed question for its level is answered; anything else ends the talk."""
    tag = SimulatedTag(COIN)
    tag.set_power(True, 0)
    assert says(tag, bytes((REQA,)), 7, 1)
    assert says(tag, frame, bits, 1) is None
    assert says(tag, bytes((0x93, 0x20)), 16, 1) is None
    assert says(tag, bytes((REQA,)), 7, 1)


def test_a_tag_keeps_silent_when_another_is_meant() -> None:
    """Named bits that aren't its own get no answer, and it goes on listening."""
    tag = SimulatedTag(COIN)
    tag.set_power(True, 0)
    says(tag, bytes((REQA,)), 7, 1)
    assert says(tag, bytes((0x93, 0x30, 0x04)), 24, 1) is None
    assert says(tag, bytes((0x93, 0x30, 0xDE)), 24, 1) == bytes((0xAD, 0xBE, 0xEF, 0x22))


def test_noise_is_noticed_by_parity() -> None:
    """A turned bit in an answer is flagged as a parity error."""
    chip = SimulatedRc522(rng=random.Random(3))
    chip.add_tag(format_uid(COIN))
    field_on(chip)
    flagged = 0
    for _ in range(200):
        chip.set_bit_error_chance(0)
        send(chip, bytes((WUPA,)), 7)
        chip.wait(0.001)
        chip.set_bit_error_chance(0.02)
        send(chip, bytes((0x93, 0x20)))
        chip.wait(0.001)
        flagged += read(chip, 0x06) & 0x02 > 0
    assert 20 < flagged < 150


def test_a_clock_keeps_the_chip_from_falling_behind() -> None:
    """With a clock, time passes for the chip while nobody talks to it."""
    now = [0.0]
    chip = SimulatedRc522(clock=lambda: now[0])
    reader = open_simulated_reader(chip)
    chip.add_tag(format_uid(STICKER))
    assert reader.read_tags() == frozenset()
    now[0] = chip.now + TAG_START_OR_RESET_SECONDS
    assert reader.read_tags() == {STICKER}


def test_what_lies_there_can_be_asked(chip: SimulatedRc522) -> None:
    """The tags on the chip are known by name; lifting another is an error."""
    names = {format_uid(random_uid(random.Random(n), 7)) for n in range(3)}
    for name in names:
        chip.add_tag(name)
    assert chip.tag_uids == names
    with pytest.raises(KeyError):
        chip.remove_tag("04A2B3C4D5E680")
    with pytest.raises(ValueError, match="4, 7 or 10 bytes"):
        chip.add_tag("0102")


def test_spidev_that_is_not_open() -> None:
    """The stand-in for spidev refuses a device with nothing at it, and a transfer before it is open."""
    with pytest.raises(FileNotFoundError, match=r"spidev9\.1"):
        SpiDev().open(9, 1)
    with pytest.raises(OSError, match="Bad file descriptor"):
        SpiDev().xfer2([0])
