"""Chips and tags that aren't as the data sheet wants them: read all the same, or named, never guessed."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from companion.texts import render
from hardware.desk.tags import describe_unreadable_tag
from hardware.rfid.iso14443 import ImpossibleUidLevels, format_uid
from hardware.rfid.readers import (
    READER_RETRY_SECONDS,
    SCAN_INTERVAL_SECONDS,
    SCANS_TO_CONFIRM_UNREADABLE_TAG,
    ReaderScanner,
    ReaderZone,
    RepeatedImpossibleLevelsDetector,
)
from hardware.signals import DeviceFound, Signal, TagArrived, TagLeft, TagUnreadable
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.simulated.tags import SimulatedTag
from tests.support.hardware.reader_tags import measure_cost, random_uids

CARD, COIN, LONG = "04A2B3C4D5E680", "DEADBEEF", "00010203040506070809"
SECONDS = 30


def after(chip: SimulatedRc522, seconds: float) -> list[Signal]:
    """What a reader on this chip says in so much of the chip's time."""
    watch = ReaderScanner(
        ReaderZone("reader market", "market", lambda: open_simulated_reader(chip)), lambda: chip.now
    )
    said = []
    for _ in range(round(seconds / SCAN_INTERVAL_SECONDS)):
        chip.wait(SCAN_INTERVAL_SECONDS)
        said += watch.scan_once()
    return said


# A chip that leaves Transceive


@pytest.mark.parametrize("seed", range(20))
def test_a_chip_that_ends_with_every_answer_reads_all(seed: int) -> None:
    """Sets of tags of all lengths are found in every look, the first one too."""
    uids = random_uids(random.Random(seed))
    chip = SimulatedRc522(stops_after_answer=True)
    for uid in uids:
        chip.add_tag(format_uid(uid))
    reader = open_simulated_reader(chip)
    assert [reader.read_tags() for _ in range(3)] == [uids] * 3


def test_a_chip_that_ends_with_every_answer_is_told() -> None:
    """As soon as it was noticed, and then each frame is restarted, without waiting for silence."""
    chip = SimulatedRc522(stops_after_answer=True)
    reader = open_simulated_reader(chip)
    reader.read_tags()
    assert reader.chip_description == "MFRC522 2.0"
    chip.add_tag(CARD)
    chip.wait(SCAN_INTERVAL_SECONDS)
    reader.read_tags()
    assert render(reader.chip_description) == "MFRC522 2.0, restarted before every message"
    sound = SimulatedRc522()
    sound.add_tag(CARD)
    other = open_simulated_reader(sound)
    other.read_tags()
    assert measure_cost(chip, reader.read_tags).frames == measure_cost(sound, other.read_tags).frames
    assert other.chip_description == "MFRC522 2.0"


def test_noise_is_no_chip_that_ends() -> None:
    """However many frames get lost, a chip that goes on is never called one that doesn't."""
    chip = SimulatedRc522(bit_error_chance=0.01)
    chip.add_tag(CARD)
    reader = open_simulated_reader(chip)
    for _ in range(300):
        reader.read_tags()
    assert reader.chip_description == "MFRC522 2.0"


# Cards at the edge of the field


@pytest.mark.sweep(4)
@pytest.mark.parametrize("uid", [CARD, COIN, LONG])
@pytest.mark.parametrize("seed", range(3))
def test_a_card_deaf_to_a_third_of_all_frames_lies_still(uid: str, seed: int) -> None:
    """In half a minute it comes once and never leaves: after one miss it is searched for."""
    chip = SimulatedRc522()
    chip.add_tag(SimulatedTag(bytes.fromhex(uid), missed_share=0.3, rng=random.Random(seed)))
    kinds = [type(signal) for signal in after(chip, SECONDS)]
    assert kinds == [DeviceFound, TagArrived]


def test_a_card_that_is_lifted_is_soon_gone() -> None:
    """It is searched for in a quarter of a second at most; then nobody calls it any more."""
    chip = SimulatedRc522()
    watch = ReaderScanner(
        ReaderZone("reader market", "market", lambda: open_simulated_reader(chip)), lambda: chip.now
    )
    chip.add_tag(CARD)
    for _ in range(3):
        chip.wait(SCAN_INTERVAL_SECONDS)
        watch.scan_once()
    lifted = chip.now
    chip.remove_tag(CARD)
    gone: list[Signal] = []
    while not gone:
        chip.wait(SCAN_INTERVAL_SECONDS)
        gone = watch.scan_once()
    assert [type(signal) for signal in gone] == [TagLeft]
    assert chip.now - lifted < 0.25
    assert measure_cost(chip, watch.scan_once).transfers == 8


# Tags that can't be read


def forged() -> SimulatedTag:
    """One whose id begins with the mark of a longer one, and which says that there is no more."""
    return SimulatedTag.from_uid("88010203")


def endless() -> SimulatedTag:
    """One that says at its end that it goes on, without the mark."""
    tag = SimulatedTag.from_uid(CARD)
    return SimulatedTag(tag.uid, levels=[bytes.fromhex("DEADBEEF22"), bytes.fromhex("C4D5E68077")])


@pytest.mark.parametrize(
    ("make", "why", "tag"),
    [
        (lambda: SimulatedTag.with_wrong_check_byte(COIN), "check", COIN),
        (lambda: SimulatedTag.with_wrong_check_byte(CARD), "check", CARD),
        (forged, "mark", "88010203"),
        (endless, "mark", COIN),
    ],
)
def test_a_tag_that_contradicts_itself_is_named_once(
    make: Callable[[], SimulatedTag], why: str, tag: str
) -> None:
    """It is never read, and said as often as it is laid; a good one beside it is read as ever."""
    chip = SimulatedRc522()
    chip.add_tag(make())
    chip.add_tag("04010203040506")
    said = [signal for signal in after(chip, 2.0) if not isinstance(signal, DeviceFound)]
    assert [type(signal) for signal in said] == [TagArrived, TagUnreadable]
    odd = said[1]
    assert isinstance(odd, TagUnreadable)
    assert (odd.device, odd.zone, odd.reason, odd.claimed_tag) == ("reader market", "market", why, tag)
    assert render(describe_unreadable_tag(odd)).startswith(f"Tag {tag} ")


def test_noise_is_no_odd_tag() -> None:
    """With one bit in fifty wrong nothing is called broken: noise says something else every time."""
    chip = SimulatedRc522(bit_error_chance=0.02)
    for tag in (CARD, COIN, LONG):
        chip.add_tag(tag)
    assert not [signal for signal in after(chip, SECONDS) if isinstance(signal, TagUnreadable)]


def test_what_is_odd_is_said_when_it_is_sure() -> None:
    """After three looks in a row, once; and once more when it was away."""
    odd: ImpossibleUidLevels = (bytes(5),)
    oddities = RepeatedImpossibleLevelsDetector()
    looks = [[odd], [odd], [], *[[odd]] * 5, [], *[[odd]] * 3]
    said = [bool(oddities.confirm_after_scan(look)) for look in looks]
    assert said == [number in (5, 11) for number in range(len(looks))]
    assert SCANS_TO_CONFIRM_UNREADABLE_TAG == 3


def test_a_reader_that_is_lost_is_read_on_when_it_is_back() -> None:
    """A clone that ends with every answer is noticed again; its card hasn't left."""
    chip = SimulatedRc522(stops_after_answer=True)
    chip.add_tag(CARD)
    watch = ReaderScanner(
        ReaderZone("reader market", "market", lambda: open_simulated_reader(chip)), lambda: chip.now
    )
    said: list[Signal] = []
    for moment in range(round((READER_RETRY_SECONDS + 2) / SCAN_INTERVAL_SECONDS)):
        if moment == 10:
            chip.unplug()
        if moment == 12:
            chip.plug_in()
        chip.wait(SCAN_INTERVAL_SECONDS)
        said += watch.scan_once()
    assert [type(signal).__name__ for signal in said] == [
        "DeviceFound",
        "TagArrived",
        "DeviceLost",
        "DeviceFound",
    ]
    assert render(watch.chip_description) == "MFRC522 2.0, restarted before every message"
