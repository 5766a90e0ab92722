"""Simulated tags: what an ISO/IEC 14443-3 type A tag does with every frame, alone and together with others.

    from hardware.simulated.tags import SimulatedTag, simulated_tag_uid

    tag = SimulatedTag.from_uid("04A2B3C4D5E680")
    chip.add_tag(simulated_tag_uid("egypt", "7.1"))

Frames are bits in the order in which they are sent, without parity; a simulated chip carries them. A tag
does only what tells it apart from others: it has no pages and no keys. `SimulatedTagField` is what happens to
bits between tags and reader: answers overlap, bits arrive wrong, tags lose their power. Its times are the
chip's own seconds. Each card of each deck has a simulated tag without being taught. The UIDs of such tags are
the same on every machine, and no maker of real tags has their first byte.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2s
from typing import Literal, NamedTuple, Self, TypeAlias

from companion.cards import DeckAndCard
from companion.owner_decks import OwnerDeck
from hardware.rfid.iso14443 import (
    CASCADE_TAG_BYTE,
    HALT_COMMAND,
    REQA,
    SAK_MORE_LEVELS_BIT,
    SELECT_COMMAND_BY_LEVEL,
    TAG_START_OR_RESET_SECONDS,
    UID_LEVEL_BYTES,
    WHOLE_LEVEL_BIT_COUNT_BYTE,
    WUPA,
    append_crc_a,
    compute_check_byte,
    format_uid,
    split_uid_into_levels,
)

Bits: TypeAlias = tuple[int, ...]
TagState: TypeAlias = Literal["idle", "ready", "active", "halted"]

BITS_PER_BYTE = 8
SHORT_FRAME_BITS = 7
"""Number of bits in the short frames REQA and WUPA."""
SELECT_HEADER_BITS = 16
"""Number of bits of a select command and of the byte that counts the bits after it."""
ATQA_BY_LEVEL_COUNT = {1: bytes((0x04, 0x00)), 2: bytes((0x44, 0x00)), 3: bytes((0x84, 0x00))}
"""The answer of a tag to REQA, by the number of levels of its UID."""


@lru_cache(1024)  # every scan has the same frames
def bytes_to_bits(data: bytes) -> Bits:
    """Converts bytes to bits as they are sent on air, the lowest bit first."""
    return tuple(byte >> bit & 1 for byte in data for bit in range(BITS_PER_BYTE))


@lru_cache(1024)
def bits_to_bytes(bits: Bits) -> bytes:
    """Converts bits to bytes; the last byte may not be full."""
    starts = range(0, len(bits), BITS_PER_BYTE)
    return bytes(
        sum(bit << place for place, bit in enumerate(bits[start : start + BITS_PER_BYTE])) for start in starts
    )


class SimulatedTag:
    """A simulated tag of ISO/IEC 14443-3 type A.

    `obeys_halt` is false for clones that answer REQA even after HLTA. `missed_share` is the share of frames
    that the tag misses, as at the edge of the field, drawn from `rng`. `levels` replace the levels of its
    UID, as broken and forged tags send them.
    """

    def __init__(
        self,
        uid: bytes,
        *,
        obeys_halt: bool = True,
        missed_share: float = 0.0,
        rng: random.Random | None = None,
        levels: Sequence[bytes] = (),
    ) -> None:
        self.uid = uid
        self.obeys_halt = obeys_halt
        self.missed_share = missed_share
        self.state: TagState = "idle"
        self._rng = rng or random.Random(0)
        self._levels = [bytes_to_bits(level) for level in levels or split_uid_into_levels(uid)]
        self._level = 0
        self._was_halted = False
        self._powered: bool = False
        self._power_changed_at = float("-inf")

    @classmethod
    def from_uid(cls, uid_hex: str) -> Self:
        """Makes the tag with this UID in hexadecimal digits, or a forged tag for 88 and six more digits.

        Raises ValueError for anything else.
        """
        uid = bytes.fromhex(uid_hex)
        is_forged = len(uid) == UID_LEVEL_BYTES - 1 and uid[0] == CASCADE_TAG_BYTE
        return cls(uid, levels=[uid + bytes((compute_check_byte(uid),))] if is_forged else ())

    @classmethod
    def with_wrong_check_byte(cls, uid_hex: str) -> Self:
        """Makes the tag with this UID and a wrong check byte."""
        *first_levels, last_level = split_uid_into_levels(bytes.fromhex(uid_hex))
        return cls(
            bytes.fromhex(uid_hex), levels=[*first_levels, last_level[:-1] + bytes((last_level[-1] ^ 1,))]
        )

    def set_power(self, is_on: bool, now: float) -> None:  # noqa: FBT001  the power is on or off
        """Switches the field around the tag on or off, at the time `now`."""
        if is_on and not self._powered and now - self._power_changed_at >= TAG_START_OR_RESET_SECONDS:
            self.state, self._was_halted = "idle", False
        if is_on != self._powered:
            self._powered, self._power_changed_at = is_on, now

    def answer_frame(self, frame: Bits | None, now: float) -> Bits | None:
        """Returns the tag's answer to a frame, or None; a damaged frame is None."""
        if (
            not self._powered
            or now - self._power_changed_at < TAG_START_OR_RESET_SECONDS
            or (self.missed_share and self._rng.random() < self.missed_share)
        ):
            return None
        if frame is not None and len(frame) == SHORT_FRAME_BITS:
            return self._answer_request(bits_to_bytes(frame)[0])
        answer = None
        if frame is not None and self.state == "ready":
            answer = self._answer_select(frame)
        elif (
            self.state == "active" and frame == bytes_to_bits(append_crc_a(HALT_COMMAND)) and self.obeys_halt
        ):
            self.state, self._was_halted = "halted", True
        elif self.state != "halted":
            self._return_to_resting_state()
        return answer

    def _answer_request(self, command: int) -> Bits | None:
        can_wake = self.state == "idle" or (self.state == "halted" and command == WUPA)
        if can_wake and command in {REQA, WUPA}:
            self.state, self._level = "ready", 0
            return bytes_to_bits(ATQA_BY_LEVEL_COUNT[len(self._levels)])
        if self.state != "halted":
            self._return_to_resting_state()
        return None

    def _answer_select(self, frame: Bits) -> Bits | None:
        header, known_bits = bits_to_bytes(frame[:SELECT_HEADER_BITS]), frame[SELECT_HEADER_BITS:]
        level = self._levels[self._level]
        if len(header) == 2 and header[0] == SELECT_COMMAND_BY_LEVEL[self._level]:  # noqa: PLR2004  a code and a count
            count = (header[1] >> 4) * BITS_PER_BYTE - SELECT_HEADER_BITS + (header[1] & 0x0F)
            if header[1] == WHOLE_LEVEL_BIT_COUNT_BYTE and known_bits[: len(level)] == level:
                return self._answer_whole_level(frame)
            if header[1] != WHOLE_LEVEL_BIT_COUNT_BYTE and count == len(known_bits) < len(level):
                return level[count:] if known_bits == level[:count] else None
        self._return_to_resting_state()
        return None

    def _answer_whole_level(self, frame: Bits) -> Bits | None:
        data = bits_to_bytes(frame)
        if append_crc_a(data[:-2]) != data:
            self._return_to_resting_state()
            return None
        is_last = self._level == len(self._levels) - 1
        if is_last:
            self.state = "active"
        else:
            self._level += 1
        return bytes_to_bits(append_crc_a(bytes((0x00 if is_last else SAK_MORE_LEVELS_BIT,))))

    def _return_to_resting_state(self) -> None:
        self.state = "halted" if self._was_halted else "idle"


class ReceivedFrame(NamedTuple):
    """A frame as it arrives: the answers of all tags that send at once, overlaid.

    `first_collision` is the index of the first bit in which two answers differ; None if they are equal.
    """

    bits: Bits
    first_collision: int | None
    has_valid_parity: bool


class SimulatedTagField:
    """The field in front of an antenna, with tags in it.

    `bit_error_chance` is the chance that a bit arrives wrong.
    """

    def __init__(self, bit_error_chance: float, rng: random.Random) -> None:
        self.bit_error_chance = bit_error_chance
        self.tags: dict[str, SimulatedTag] = {}
        self._rng = rng
        self._unpowered_until_by_uid: dict[str, float] = {}
        self._is_on = False

    def add_tag(self, tag: SimulatedTag, now: float) -> None:
        """Puts a tag into the field."""
        self.tags[format_uid(tag.uid)] = tag
        self.update_tag_power(now)

    def remove_tag(self, uid: str, now: float) -> None:
        """Removes a tag from the field; raises KeyError if it isn't there."""
        self.tags.pop(uid).set_power(False, now)

    def interrupt_tag_power(self, uid: str, now: float, seconds: float) -> None:
        """Cuts a tag's power for this time."""
        self._unpowered_until_by_uid[uid] = now + seconds
        self.update_tag_power(now)

    def switch_antenna(self, *, is_on: bool, now: float) -> None:
        """Switches the antenna on or off."""
        self._is_on = is_on
        self.update_tag_power(now)

    def update_tag_power(self, now: float) -> None:
        """Updates for every tag whether it has power now."""
        for uid, tag in self.tags.items():
            powered_from = self._unpowered_until_by_uid.get(uid, now)
            if powered_from <= now:
                self._unpowered_until_by_uid.pop(uid, None)
            tag.set_power(self._is_on and powered_from <= now, min(powered_from, now))

    def exchange_frame(self, frame: Bits, rx_align: int, now: float) -> ReceivedFrame | None:
        """Sends a frame to all tags; returns what arrives of their answers, or None for silence.

        `rx_align` bits of the answer's first byte were sent by the reader.
        """
        self.update_tag_power(now)
        received = damage_bits(
            frame, self.bit_error_chance, self._rng, has_parity=len(frame) > SHORT_FRAME_BITS
        )
        intact_frame = received.bits if received.has_valid_parity else None
        answers = [
            answer
            for tag in self.tags.values()
            if (answer := tag.answer_frame(intact_frame, now)) is not None
        ]
        return overlay_answers(answers, self.bit_error_chance, self._rng, rx_align) if answers else None


def damage_bits(
    bits: Bits, bit_error_chance: float, rng: random.Random, *, has_parity: bool, rx_align: int = 0
) -> ReceivedFrame:
    """Returns bits with random errors: each bit, and each byte's parity bit, may have flipped.

    `rx_align` bits of the first byte were sent before, so its parity can't be checked.
    """
    if bit_error_chance == 0 or rng.random() >= 1 - (1 - bit_error_chance) ** (
        len(bits) * 9 // BITS_PER_BYTE
    ):
        return ReceivedFrame(bits, None, has_valid_parity=True)
    flips = [rng.random() < bit_error_chance for _ in bits]
    flips[rng.randrange(len(bits))] = True
    is_sound = True
    for end in range(BITS_PER_BYTE - rx_align, len(bits) + 1, BITS_PER_BYTE) if has_parity else ():
        byte_flips = flips[max(0, end - BITS_PER_BYTE) : end]
        is_first_of_two_parts = end < BITS_PER_BYTE
        if (sum(byte_flips) + (rng.random() < bit_error_chance)) % 2 and not is_first_of_two_parts:
            is_sound = False
    return ReceivedFrame(
        tuple(bit ^ flip for bit, flip in zip(bits, flips, strict=True)), None, has_valid_parity=is_sound
    )


def overlay_answers(
    answers: Sequence[Bits], bit_error_chance: float, rng: random.Random, rx_align: int
) -> ReceivedFrame:
    """Combines answers that begin at the same instant; a bit in which they differ collides and reads 1."""
    received_answers = [
        damage_bits(answer, bit_error_chance, rng, has_parity=True, rx_align=rx_align) for answer in answers
    ]
    if len(received_answers) == 1:
        return received_answers[0]
    length = max(len(received.bits) for received in received_answers)
    bits: list[int] = []
    collision = None
    for position in range(length):
        values = {received.bits[position] for received in received_answers if position < len(received.bits)}
        if len(values) > 1 and collision is None:
            collision = position
        bits.append(max(values))
    # Parity says nothing after a collision.
    is_sound = collision is not None or all(received.has_valid_parity for received in received_answers)
    return ReceivedFrame(tuple(bits), collision, has_valid_parity=is_sound)


UNUSED_MAKER = "FE"
HASH_DIGITS = 12
CASCADE_DIGITS, PLAIN_DIGITS = f"{CASCADE_TAG_BYTE:02X}", "00"


def simulated_tag_uid(deck: str, card: str) -> str:
    """Returns the UID of a card's simulated tag, from the names of its deck and the card."""
    digits = blake2s(f"{deck}/{card}".encode()).hexdigest()[:HASH_DIGITS].upper()
    # The last four bytes can't begin with 88, because a reader would wait for more bytes.
    if digits[4:6] == CASCADE_DIGITS:
        digits = digits[:4] + PLAIN_DIGITS + digits[6:]
    return UNUSED_MAKER + digits


def card_by_simulated_tag(owner_decks: Mapping[str, OwnerDeck]) -> dict[str, DeckAndCard]:
    """Returns the card and its deck by the UID of their simulated tag, for all cards of these decks."""
    return {
        simulated_tag_uid(deck, card): DeckAndCard(deck, card)
        for deck, owner_deck in owner_decks.items()
        for card in owner_deck.shipped_file.deck.cards
    }
