"""Chips and tags that aren't as the data sheet wants them: read all the same, or named, never guessed."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from companion.texts import render
from hardware.desk.missing import unread
from hardware.rfid.anticollision import Odd
from hardware.rfid.iso14443 import tag_name
from hardware.rfid.rfid import AGAIN, PAUSE, SURE, Oddities, Watch, Zone
from hardware.signals import Found, Signal, TagArrived, TagLeft, TagUnread
from hardware.simulated.chip import SimulatedChip, open_simulated
from hardware.simulated.tags import SimulatedTag
from tests.support.hardware.antenna import cost, drawn_set

CARD, COIN, LONG = "04A2B3C4D5E680", "DEADBEEF", "00010203040506070809"
SECONDS = 30


def after(chip: SimulatedChip, seconds: float) -> list[Signal]:
    """What a reader on this chip says in so much of the chip's time."""
    watch = Watch(Zone("reader market", "market", lambda: open_simulated(chip)), lambda: chip.now)
    said = []
    for _ in range(round(seconds / PAUSE)):
        chip.wait(PAUSE)
        said += watch.turn()
    return said


# A chip that leaves Transceive


@pytest.mark.parametrize("seed", range(20))
def test_a_chip_that_ends_with_every_answer_reads_all(seed: int) -> None:
    """Sets of tags of all lengths are found in every look, the first one too."""
    uids = drawn_set(random.Random(seed))
    chip = SimulatedChip(tires=True)
    for uid in uids:
        chip.lay(tag_name(uid))
    reader = open_simulated(chip)
    assert [reader.look() for _ in range(3)] == [uids] * 3


def test_a_chip_that_ends_with_every_answer_is_told() -> None:
    """As soon as it was noticed, and then each frame is restarted, without waiting for silence."""
    chip = SimulatedChip(tires=True)
    reader = open_simulated(chip)
    reader.look()
    assert reader.chip == "MFRC522 2.0"
    chip.lay(CARD)
    chip.wait(PAUSE)
    reader.look()
    assert render(reader.chip) == "MFRC522 2.0, restarted before every message"
    sound = SimulatedChip()
    sound.lay(CARD)
    other = open_simulated(sound)
    other.look()
    assert cost(chip, reader.look).frames == cost(sound, other.look).frames
    assert other.chip == "MFRC522 2.0"


def test_noise_is_no_chip_that_ends() -> None:
    """However many frames get lost, a chip that goes on is never called one that doesn't."""
    chip = SimulatedChip(bit_errors=0.01)
    chip.lay(CARD)
    reader = open_simulated(chip)
    for _ in range(300):
        reader.look()
    assert reader.chip == "MFRC522 2.0"


# Cards at the edge of the field


@pytest.mark.parametrize("uid", [CARD, COIN, LONG])
@pytest.mark.parametrize("seed", range(3))
def test_a_card_deaf_to_a_third_of_all_frames_lies_still(uid: str, seed: int) -> None:
    """In half a minute it comes once and never leaves: after one miss it is searched for."""
    chip = SimulatedChip()
    chip.lay(SimulatedTag(bytes.fromhex(uid), deaf=0.3, rng=random.Random(seed)))
    kinds = [type(signal) for signal in after(chip, SECONDS)]
    assert kinds == [Found, TagArrived]


def test_a_card_that_is_lifted_is_soon_gone() -> None:
    """It is searched for in a quarter of a second at most; then nobody calls it any more."""
    chip = SimulatedChip()
    watch = Watch(Zone("reader market", "market", lambda: open_simulated(chip)), lambda: chip.now)
    chip.lay(CARD)
    for _ in range(3):
        chip.wait(PAUSE)
        watch.turn()
    lifted = chip.now
    chip.lift(CARD)
    gone: list[Signal] = []
    while not gone:
        chip.wait(PAUSE)
        gone = watch.turn()
    assert [type(signal) for signal in gone] == [TagLeft]
    assert chip.now - lifted < 0.25
    assert cost(chip, watch.turn).transfers == 8


# Tags that can't be read


def forged() -> SimulatedTag:
    """One whose id begins with the mark of a longer one, and which says that there is no more."""
    return SimulatedTag.named("88010203")


def endless() -> SimulatedTag:
    """One that says at its end that it goes on, without the mark."""
    tag = SimulatedTag.named(CARD)
    return SimulatedTag(tag.uid, said=[bytes.fromhex("DEADBEEF22"), bytes.fromhex("C4D5E68077")])


@pytest.mark.parametrize(
    ("make", "why", "tag"),
    [
        (lambda: SimulatedTag.broken(COIN), "check", COIN),
        (lambda: SimulatedTag.broken(CARD), "check", CARD),
        (forged, "mark", "88010203"),
        (endless, "mark", COIN),
    ],
)
def test_a_tag_that_contradicts_itself_is_named_once(
    make: Callable[[], SimulatedTag], why: str, tag: str
) -> None:
    """It is never read, and said as often as it is laid; a good one beside it is read as ever."""
    chip = SimulatedChip()
    chip.lay(make())
    chip.lay("04010203040506")
    said = [signal for signal in after(chip, 2.0) if not isinstance(signal, Found)]
    assert [type(signal) for signal in said] == [TagArrived, TagUnread]
    odd = said[1]
    assert isinstance(odd, TagUnread)
    assert (odd.device, odd.zone, odd.why, odd.tag) == ("reader market", "market", why, tag)
    assert render(unread(odd)).startswith(f"Tag {tag} ")


def test_noise_is_no_odd_tag() -> None:
    """With one bit in fifty wrong nothing is called broken: noise says something else every time."""
    chip = SimulatedChip(bit_errors=0.02)
    for tag in (CARD, COIN, LONG):
        chip.lay(tag)
    assert not [signal for signal in after(chip, SECONDS) if isinstance(signal, TagUnread)]


def test_what_is_odd_is_said_when_it_is_sure() -> None:
    """After three looks in a row, once; and once more when it was away."""
    odd: Odd = (bytes(5),)
    oddities = Oddities()
    looks = [[odd], [odd], [], *[[odd]] * 5, [], *[[odd]] * 3]
    said = [bool(oddities.seen(look)) for look in looks]
    assert said == [number in (5, 11) for number in range(len(looks))]
    assert SURE == 3


def test_a_reader_that_is_lost_is_read_on_when_it_is_back() -> None:
    """A clone that ends with every answer is noticed again; its card hasn't left."""
    chip = SimulatedChip(tires=True)
    chip.lay(CARD)
    watch = Watch(Zone("reader market", "market", lambda: open_simulated(chip)), lambda: chip.now)
    said: list[Signal] = []
    for moment in range(round((AGAIN + 2) / PAUSE)):
        if moment == 10:
            chip.unplug()
        if moment == 12:
            chip.plug_in()
        chip.wait(PAUSE)
        said += watch.turn()
    assert [type(signal).__name__ for signal in said] == ["Found", "TagArrived", "Lost", "Found"]
    assert render(watch.about) == "MFRC522 2.0, restarted before every message"
