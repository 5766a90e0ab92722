"""The reader chip's driver, on a chip simulated to its registers."""

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.pi_modules import plug_in, stand_ins
from hardware.rfid import rc522
from hardware.rfid.iso14443 import (
    BACK_TO_SLEEP_FRAME,
    MAX_FRAMES_PER_SCAN,
    WUPA,
    TagAnswer,
    crc_a,
    format_uid,
    join_levels_to_uid,
    split_uid_into_levels,
)
from hardware.rfid.readers import open_reader_at_spi
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.simulated.tags import SimulatedTag
from hardware.wiring.sections import DEFAULT_SPI_MHZ
from tests.support.hardware.reader_tags import (
    UID_LENGTHS,
    measure_cost,
    random_uid,
    random_uids,
    reader_chip_with_tags,
)
from tests.support.soak import SOAK

STICKER = bytes.fromhex("04A2B3C4D5E680")
COIN = bytes.fromhex("DEADBEEF")
REEL = [bytes.fromhex(f"04A2B3C4D5E6{last:02X}") for last in (0x80, 0x81)]
TEN = sorted({random_uid(random.Random(seed), 7) for seed in range(10)})


def test_the_package_is_loaded_without_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RPi.GPIO, which refuses to load on a Pi 5, isn't asked, and what stood in for it is gone afterwards."""
    (tmp_path / "RPi").mkdir()
    (tmp_path / "RPi/__init__.py").write_text("")
    (tmp_path / "RPi/GPIO.py").write_text("raise RuntimeError('Cannot determine SOC')")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] in ("mfrc522", "RPi", "spidev")]:
        monkeypatch.delitem(sys.modules, name)
    assert rc522._load_package_class().VersionReg == 0x37
    assert not {"RPi", "RPi.GPIO", "spidev"} & sys.modules.keys()


@pytest.mark.parametrize(("frame", "check"), [("0000", "a01e"), ("1234", "26cf"), ("5000", "57cd")])
def test_a_frame_ends_with_its_crc(frame: str, check: str) -> None:
    """CRC_A is that of ISO/IEC 14443-3, annex B, low byte first."""
    assert crc_a(bytes.fromhex(frame)).hex() == check


@pytest.mark.parametrize(
    ("uid", "said"),
    [
        ("DEADBEEF", ["deadbeef22"]),
        ("04A2B3C4D5E680", ["8804a2b39d", "c4d5e68077"]),
        ("00010203040506070809", ["880001028b", "880304058a", "0607080900"]),
    ],
)
def test_a_uid_is_said_in_levels(uid: str, said: list[str]) -> None:
    """Four bytes are one level, seven two, ten three; each has its check byte."""
    assert [level.hex() for level in split_uid_into_levels(bytes.fromhex(uid))] == said
    assert format_uid(join_levels_to_uid(split_uid_into_levels(bytes.fromhex(uid)))) == uid


def test_a_uid_of_another_length_is_none() -> None:
    """Five bytes can't be said in levels."""
    with pytest.raises(ValueError, match="4, 7 or 10 bytes, not 5"):
        split_uid_into_levels(bytes(5))


@pytest.mark.parametrize("uid", ["88010203", "04A1B288010203"])
def test_a_uid_whose_end_says_that_it_goes_on_is_none(uid: str) -> None:
    """No reader would ever have heard the whole of it, and whoever laid such a tag would wait for ever."""
    with pytest.raises(ValueError, match="the last four bytes of a UID don't begin with 88"):
        split_uid_into_levels(bytes.fromhex(uid))


@pytest.mark.parametrize("length", UID_LENGTHS)
def test_tags_of_every_length_are_read(length: int) -> None:
    """A UID of 4, 7 and 10 bytes is read whole in one look, and in every look after it."""
    uid = random_uid(random.Random(length), length)
    reader = open_simulated_reader(reader_chip_with_tags([uid]))
    assert [reader.read_tags() for _ in range(5)] == [{uid}] * 5


def test_nobody_there() -> None:
    """A look without a tag is empty, costs 8 transfers and less than a millisecond."""
    chip = SimulatedRc522()
    reader = open_simulated_reader(chip)
    assert reader.read_tags() == frozenset()
    transfers, frames, seconds = measure_cost(chip, reader.read_tags)
    assert (transfers, frames) == (8, 1)
    assert seconds < 0.001


def test_a_new_sticker_costs_little() -> None:
    """A UID of 7 bytes is known after 32 transfers at most, SELECT and HLTA included."""
    chip = SimulatedRc522()
    reader = open_simulated_reader(chip)
    reader.read_tags()
    chip.add_tag(format_uid(STICKER))
    chip.wait(0.03)
    assert measure_cost(chip, reader.read_tags).transfers <= 32
    assert reader.read_tags() == {STICKER}


@pytest.mark.parametrize("uids", [REEL, [*REEL, COIN], [bytes(range(10)), bytes((*range(9), 8))]])
def test_two_of_one_first_level_are_told_apart(uids: Sequence[bytes]) -> None:
    """Stickers of one reel share their first level; each is read, and one that joins is noticed."""
    reader = open_simulated_reader(reader_chip_with_tags(uids))
    assert reader.read_tags() == set(uids)
    chip = reader_chip_with_tags(uids[:1])
    reader = open_simulated_reader(chip)
    assert reader.read_tags() == {uids[0]}
    for uid in uids[1:]:
        chip.add_tag(format_uid(uid))
    chip.wait(0.03)
    assert reader.read_tags() == set(uids)


def test_ten_tags_at_once() -> None:
    """Ten new tags are all found in 70 frames, and confirmed in 50 in every look after that."""
    chip = reader_chip_with_tags(TEN)
    reader = open_simulated_reader(chip)
    looks = []
    assert measure_cost(chip, lambda: looks.append(reader.read_tags())).frames <= 70
    assert measure_cost(chip, lambda: looks.append(reader.read_tags())).frames <= 50
    assert looks == [set(TEN)] * 2


@pytest.mark.sweep(80)
@pytest.mark.parametrize("seed", range(200))
def test_every_set_is_found(seed: int) -> None:
    """Of 200 random sets of tags of all lengths, near relatives too, every tag is found in one look."""
    uids = random_uids(random.Random(seed))
    reader = open_simulated_reader(reader_chip_with_tags(uids))
    assert [reader.read_tags(), reader.read_tags()] == [uids, uids]


def test_a_tag_lifted_from_among_others() -> None:
    """The look after a tag was lifted misses only that one."""
    chip = reader_chip_with_tags(TEN)
    reader = open_simulated_reader(chip)
    reader.read_tags()
    chip.remove_tag(format_uid(TEN[3]))
    gone = set(TEN) - {TEN[3]}
    assert [reader.read_tags() for _ in range(3)] == [gone] * 3


def test_a_tag_that_comes_back_is_seen_again() -> None:
    """A tag told to halt that lost its power, or was lifted for a moment, answers again."""
    chip = reader_chip_with_tags([STICKER, COIN])
    reader = open_simulated_reader(chip)
    reader.read_tags()
    chip.interrupt_tag_power(format_uid(STICKER), 0.02)
    assert reader.read_tags() == {COIN}
    chip.wait(0.03)
    assert reader.read_tags() == {STICKER, COIN}


def test_a_tag_that_never_halts_is_one_tag() -> None:
    """A clone that answers twice in a look is read once, beside others too."""
    chip = reader_chip_with_tags([COIN])
    chip.add_tag(SimulatedTag(STICKER, obeys_halt=False))
    reader = open_simulated_reader(chip)
    reader.read_tags()
    assert [reader.read_tags() for _ in range(20)] == [{STICKER, COIN}] * 20


def test_a_reader_that_went_deaf_is_set_up_anew() -> None:
    """When a known tag is silent the chip is begun again, so that the next look hears it."""
    chip = reader_chip_with_tags([STICKER])
    reader = open_simulated_reader(chip)
    reader.read_tags()
    chip.hang_receiver()
    assert [reader.read_tags(), reader.read_tags()] == [set(), {STICKER}]


def test_a_deaf_reader_with_nothing_on_it_is_set_up_anew() -> None:
    """After ten seconds without a tag the chip is begun again, though nothing seems wrong."""
    chip = SimulatedRc522()
    reader = open_simulated_reader(chip)
    reader.read_tags()
    chip.hang_receiver()
    chip.add_tag(format_uid(STICKER))
    looks = [reader.read_tags() for _ in range(rc522.EMPTY_SCANS_UNTIL_RESET + 1)]
    assert looks[0] == set()
    assert looks[-1] == {STICKER}


def test_settings_lost_are_noticed_in_the_same_look() -> None:
    """When the chip's power dipped, the look begins it again and still finds the tags."""
    chip = reader_chip_with_tags([STICKER])
    reader = open_simulated_reader(chip)
    chip.dip_power()
    assert reader.read_tags() == {STICKER}


class WeakPower(SimulatedRc522):
    """A chip whose power dips whenever an answer is read."""

    def xfer2(self, data: Sequence[int]) -> list[int]:
        """One chip select."""
        if len(data) > 8:
            self.dip_power()
        return super().xfer2(data)


def test_a_chip_that_forgets_at_once_is_silent() -> None:
    """A chip whose power dips again and again can't be used, and says what to look at."""
    reader = open_simulated_reader(WeakPower())
    with pytest.raises(rc522.ReaderNotResponding, match="power and wires"):
        reader.read_tags()


def test_no_chip() -> None:
    """A reader whose wires are off is silent at the start and later, and can be begun again."""
    chip = reader_chip_with_tags([STICKER])
    reader = open_simulated_reader(chip)
    chip.unplug()
    with pytest.raises(rc522.ReaderNotResponding, match="version reads 0x00"):
        reader.read_tags()
    with pytest.raises(rc522.ReaderNotResponding):
        open_simulated_reader(chip)
    chip.plug_in()
    assert open_simulated_reader(chip).read_tags() == {STICKER}
    assert reader.read_tags() == {STICKER}


@pytest.mark.parametrize(
    ("version", "chip"),
    [(0x91, "MFRC522 1.0"), (0x92, "MFRC522 2.0"), (0x88, "FM17522"), (0xB2, "FM17522 (0xB2)")],
)
def test_clones_are_known_by_their_version(version: int, chip: str) -> None:
    """NXP's chips and the known clones are named, and read tags alike."""
    simulated = SimulatedRc522(version=version)
    simulated.add_tag(format_uid(STICKER))
    reader = open_simulated_reader(simulated)
    assert reader.chip_description == chip
    assert reader.read_tags() == {STICKER}


def test_an_unknown_clone_is_used() -> None:
    """A chip that nobody knows is used and named by its number."""
    assert open_simulated_reader(SimulatedRc522(version=0x77)).chip_description == "unknown (0x77)"


def test_tags_that_a_former_program_halted_are_found() -> None:
    """A new beginning keeps the field off until every tag has forgotten what it was told."""
    chip = reader_chip_with_tags([STICKER])
    open_simulated_reader(chip).read_tags()
    assert open_simulated_reader(chip).read_tags() == {STICKER}


FRAMES = 100_000 if SOAK else 4_000


def test_bit_errors_never_make_a_wrong_uid() -> None:
    """In 100,000 damaged frames no UID is read but of a tag that lies there, and every look ends."""
    rng = random.Random(1)
    frames = read = 0
    while frames < FRAMES:
        uids = random_uids(rng)
        chip = reader_chip_with_tags(uids, bit_error_chance=rng.choice((0.002, 0.01, 0.05)), seed=frames)
        reader = open_simulated_reader(chip)
        for _ in range(10):
            seen = reader.read_tags()
            assert seen <= uids
            read += len(seen)
            assert reader.frames_sent <= MAX_FRAMES_PER_SCAN + 16
        frames += chip.frames_sent
    assert read > 0


def test_a_little_noise_hides_nothing_for_long() -> None:
    """With one bit in a thousand wrong, every tag of five is seen in three looks of four, mostly in all."""
    chip = reader_chip_with_tags(TEN[:5], bit_error_chance=0.001)
    reader = open_simulated_reader(chip)
    looks = [reader.read_tags() for _ in range(100)]
    assert all(sum(uid in look for look in looks) > 75 for uid in TEN[:5])


POLLS = 10_000 if SOAK else 500


def test_a_resting_tag_is_always_there() -> None:
    """A tag that rests is in every one of 10,000 looks."""
    reader = open_simulated_reader(reader_chip_with_tags([STICKER]))
    assert all(reader.read_tags() == {STICKER} for _ in range(POLLS))


def test_an_answer_too_long_leaves_nothing_behind() -> None:
    """Bytes that nobody expected are thrown away and don't come before the next frame."""
    reader = open_simulated_reader(reader_chip_with_tags([COIN]))
    assert reader.exchange_frame(bytes((WUPA,)), 1, last_byte_bits=7) == TagAnswer(
        b"\x04", None, is_sound=False
    )
    assert reader.exchange_frame(bytes((0x93, 0x20)), 5) == TagAnswer(
        bytes((*COIN, 0x22)), None, is_sound=True
    )


def test_an_answer_with_wrong_parity_is_not_sound() -> None:
    """Of answers that arrive wrong, nearly all are known by their parity alone."""
    chip = reader_chip_with_tags([COIN])
    reader = open_simulated_reader(chip)
    wrong = []
    for _ in range(300):
        chip.set_bit_error_chance(0)
        reader.send_without_answer(BACK_TO_SLEEP_FRAME)
        reader.exchange_frame(bytes((WUPA,)), 2, last_byte_bits=7)
        chip.set_bit_error_chance(0.01)
        answer = reader.exchange_frame(bytes((0x93, 0x20)), 5)
        if answer is not None and answer.data != bytes((*COIN, 0x22)):
            wrong.append(answer)
    assert len(wrong) > 50
    assert sum(answer.is_sound for answer in wrong) < len(wrong) / 10


def test_a_reset_pin_is_pulled_when_it_is_wired() -> None:
    """Every beginning pulls the chip's reset pin first."""
    chip, pulled = SimulatedRc522(), []
    reader = rc522.Rc522(chip, wait=chip.wait, reset=lambda: pulled.append(chip.transfers))
    begun = chip.transfers
    reader.initialise_chip()
    assert pulled == [0, begun]


def test_readers_are_opened_by_their_spi_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device's path names bus and chip select; it is let go of when no chip answers there."""
    monkeypatch.setitem(sys.modules, "spidev", stand_ins()["spidev"])
    chip = reader_chip_with_tags([STICKER])
    plug_in(chip, bus=1, device=2)
    reader = open_reader_at_spi("/dev/spidev1.2", wait=chip.wait)
    assert chip.max_speed_hz == DEFAULT_SPI_MHZ * 1_000_000
    reader.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        reader.read_tags()
    chip.unplug()
    with pytest.raises(rc522.ReaderNotResponding):
        open_reader_at_spi("/dev/spidev1.2", wait=chip.wait)
    with pytest.raises(FileNotFoundError, match=r"spidev7\.0"):
        open_reader_at_spi("/dev/spidev7.0")


def test_wires_that_are_too_long_are_spoken_to_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 1 MHz a tag is read as well, in twice the time at most."""
    monkeypatch.setitem(sys.modules, "spidev", stand_ins()["spidev"])
    chip = reader_chip_with_tags([STICKER])
    plug_in(chip, bus=1, device=1)
    reader = open_reader_at_spi("/dev/spidev1.1", wait=chip.wait, mhz=1)
    reader.read_tags()
    slow = measure_cost(chip, reader.read_tags).seconds
    assert chip.max_speed_hz == 1_000_000
    assert reader.read_tags() == {STICKER}
    quick = reader_chip_with_tags([STICKER])
    other = open_simulated_reader(quick)
    other.read_tags()
    assert slow < 2 * measure_cost(quick, other.read_tags).seconds
