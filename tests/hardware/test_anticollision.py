"""Tags that contradict themselves, and noise that looks like tags: none of it becomes a UID."""

from collections.abc import Callable

import pytest

from hardware.rfid.iso14443 import REQA, TagAnswer, append_crc_a, find_and_halt_tags, halt_tag_if_present
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.simulated.tags import Bits, SimulatedTag, bits_to_bytes, bytes_to_bits

COIN = bytes.fromhex("DEADBEEF")
STICKER = bytes.fromhex("04A2B3C4D5E680")


class OddTag(SimulatedTag):
    """A tag that says something else where it should confirm a whole level."""

    def __init__(self, uid: bytes, says: Callable[[bytes], bytes]) -> None:
        super().__init__(uid)
        self._says = says

    def answer_frame(self, frame: Bits | None, now: float) -> Bits | None:
        """Its answer to a frame."""
        answer = super().answer_frame(frame, now)
        is_sak = answer is not None and len(answer) == 24
        return bytes_to_bits(self._says(bits_to_bytes(answer))) if answer is not None and is_sak else answer


def wrong_crc(sak: bytes) -> bytes:
    """The right answer with a bit of its CRC_A turned."""
    return sak[:2] + bytes((sak[2] ^ 0x10,))


@pytest.mark.parametrize("uid", [COIN, STICKER])
@pytest.mark.parametrize(
    "says",
    [
        wrong_crc,
        lambda sak: append_crc_a(bytes((sak[0] ^ 0x04,))),  # whole where the UID goes on, or the reverse
        lambda sak: sak[:1],
        lambda sak: sak + sak,
    ],
)
def test_a_tag_is_read_only_after_a_good_confirmation(uid: bytes, says: Callable[[bytes], bytes]) -> None:
    """A wrong CRC_A, a wrong length, or one that contradicts the level: the tag isn't read."""
    chip = SimulatedRc522()
    chip.add_tag(OddTag(uid, says))
    reader = open_simulated_reader(chip)
    assert [reader.read_tags() for _ in range(5)] == [set()] * 5
    chip.add_tag(SimulatedTag(uid))
    chip.wait(0.03)
    assert reader.read_tags() == {uid}


def test_a_tag_is_called_three_times() -> None:
    """A known tag whose answers are damaged twice in a row is confirmed in the same look."""
    damage = iter([False, True, True, False])
    chip = SimulatedRc522()
    chip.add_tag(OddTag(COIN, lambda sak: wrong_crc(sak) if next(damage) else sak))
    reader = open_simulated_reader(chip)
    assert [reader.read_tags(), reader.read_tags()] == [{COIN}, {COIN}]


class HungTag(SimulatedTag):
    """A tag that hears nothing more once it was told to halt."""

    def answer_frame(self, frame: Bits | None, now: float) -> Bits | None:
        """Its answer to a frame."""
        return None if self.state == "halted" else super().answer_frame(frame, now)


def test_a_tag_that_hangs_is_freed() -> None:
    """The field is off long enough for a tag that hangs to forget everything."""
    chip = SimulatedRc522()
    chip.add_tag(HungTag(COIN))
    reader = open_simulated_reader(chip)
    assert [reader.read_tags() for _ in range(4)] == [{COIN}, set(), {COIN}, set()]


class Noise:
    """A field in which every frame is answered alike."""

    def __init__(self, answer: TagAnswer) -> None:
        self.frames_sent = 0
        self._answer = answer

    def exchange_frame(
        self, frame: bytes, expected_bytes: int, *, last_byte_bits: int = 0, rx_align: int = 0
    ) -> TagAnswer | None:
        """Gives one answer again and again, as long as it is expected."""
        self.frames_sent += 1
        return self._answer._replace(data=self._answer.data[:expected_bytes])

    def send_without_answer(self, frame: bytes) -> None:
        """Nobody listens."""
        self.frames_sent += 1


@pytest.mark.parametrize(
    "answer", [TagAnswer(bytes(5), None, True), TagAnswer(bytes((1, 2, 3, 4, 5)), None, True)]
)
def test_noise_is_no_tag(answer: TagAnswer) -> None:
    """Answers that fit nothing end the search at once, and confirm no tag."""
    noise = Noise(answer)
    assert find_and_halt_tags(noise, REQA) == set()
    assert not halt_tag_if_present(noise, STICKER)
    assert noise.frames_sent < 24


@pytest.mark.parametrize("place", [2, 31, 32, 39])
def test_a_collision_that_cannot_be_leads_nowhere(place: int) -> None:
    """Bits that were named can't differ, and after 32 bits all that can differ has."""
    noise = Noise(TagAnswer(bytes(5), place, True))
    assert find_and_halt_tags(noise, REQA) == set()
    assert noise.frames_sent < 24


def test_damaged_answers_lead_nowhere() -> None:
    """Somebody is there, but nothing of what he says is used."""
    noise = Noise(TagAnswer(bytes(5), None, False))
    assert find_and_halt_tags(noise, REQA) == set()
    assert noise.frames_sent == 9
