"""Simulated tags: what an ISO/IEC 14443-3 type A tag does with every frame, alone and together with others.

    from hardware.simulated.tags import SimulatedTag, simulated_tag_of

    tag = SimulatedTag.from_uid("04A2B3C4D5E680")
    chip.add_tag(simulated_tag_of("egypt", "7.1"))

Frames are bits in the order in which they are sent, without parity; a simulated chip carries them. Only what
tells tags apart is here: no pages, no keys. `SimulatedField` is what happens to bits between tags and reader:
answers overlap, bits arrive wrong, tags lose their power. Its times are the chip's own seconds. Each card of
each deck has a simulated tag without being taught. These tags are the same on every machine, and no maker of
real tags has their first byte.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2s
from typing import Literal, NamedTuple, Self, TypeAlias

from companion.owner_decks import OwnerDeck
from hardware.rfid.iso14443 import (
    CASCADE_TAG,
    FIELD_SETTLE_SECONDS,
    HALT_COMMAND,
    LEVEL_BYTES,
    REQA,
    SAK_MORE_LEVELS,
    SELECT_COMMANDS,
    WHOLE_LEVEL,
    WUPA,
    check_byte,
    format_uid,
    levels_of_uid,
    with_crc,
)

Bits: TypeAlias = tuple[int, ...]
TagState: TypeAlias = Literal["idle", "ready", "active", "halted"]

BITS_PER_BYTE = 8
SHORT_FRAME_BITS = 7
"""Bits of REQA and WUPA."""
CODE_BITS = 16
"""Bits of a level's command and of the count of bits that follow."""
ATQA = {1: bytes((0x04, 0x00)), 2: bytes((0x44, 0x00)), 3: bytes((0x84, 0x00))}
"""What a tag answers to REQA, by the number of levels of its UID."""


@lru_cache(1024)  # the same frames come again in every look
def to_bits(data: bytes) -> Bits:
    """Returns bytes as they go on air, the lowest bit first."""
    return tuple(byte >> bit & 1 for byte in data for bit in range(BITS_PER_BYTE))


@lru_cache(1024)
def to_bytes(bits: Bits) -> bytes:
    """Returns bits as bytes; the last byte may not be full."""
    starts = range(0, len(bits), BITS_PER_BYTE)
    return bytes(
        sum(bit << at for at, bit in enumerate(bits[start : start + BITS_PER_BYTE])) for start in starts
    )


class SimulatedTag:
    """One tag. `obeys_halt` is false for the odd clone that answers REQA after HLTA, too.

    `missed_share` is the share of frames that it doesn't hear, as at the edge of the field, drawn from `rng`.
    `levels` replace the levels of its UID, as broken and forged tags send them.
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
        self._levels = [to_bits(level) for level in levels or levels_of_uid(uid)]
        self._level = 0
        self._was_halted = False
        self._powered: bool = False
        self._since = float("-inf")

    @classmethod
    def from_uid(cls, name: str) -> Self:
        """Returns the tag with this UID in hexadecimal digits, or a forged tag for 88 and six more digits.

        ValueError for anything else.
        """
        uid = bytes.fromhex(name)
        is_forged = len(uid) == LEVEL_BYTES - 1 and uid[0] == CASCADE_TAG
        return cls(uid, levels=[uid + bytes((check_byte(uid),))] if is_forged else ())

    @classmethod
    def with_wrong_check_byte(cls, name: str) -> Self:
        """Returns the tag with this UID and a wrong check byte."""
        *before, last = levels_of_uid(bytes.fromhex(name))
        return cls(bytes.fromhex(name), levels=[*before, last[:-1] + bytes((last[-1] ^ 1,))])

    def set_power(self, on: bool, now: float) -> None:  # noqa: FBT001  the field is there or not
        """The field around the tag is on or off, since now."""
        if on and not self._powered and now - self._since >= FIELD_SETTLE_SECONDS:
            self.state, self._was_halted = "idle", False
        if on != self._powered:
            self._powered, self._since = on, now

    def receive(self, frame: Bits | None, now: float) -> Bits | None:
        """Returns the answer to a frame, or None; a damaged frame is None."""
        if (
            not self._powered
            or now - self._since < FIELD_SETTLE_SECONDS
            or (self.missed_share and self._rng.random() < self.missed_share)
        ):
            return None
        if frame is not None and len(frame) == SHORT_FRAME_BITS:
            return self._request(to_bytes(frame)[0])
        answer = None
        if frame is not None and self.state == "ready":
            answer = self._level_asked(frame)
        elif self.state == "active" and frame == to_bits(with_crc(HALT_COMMAND)) and self.obeys_halt:
            self.state, self._was_halted = "halted", True
        elif self.state != "halted":
            self._fall_back()
        return answer

    def _request(self, command: int) -> Bits | None:
        wakes = self.state == "idle" or (self.state == "halted" and command == WUPA)
        if wakes and command in {REQA, WUPA}:
            self.state, self._level = "ready", 0
            return to_bits(ATQA[len(self._levels)])
        if self.state != "halted":
            self._fall_back()
        return None

    def _level_asked(self, frame: Bits) -> Bits | None:
        codes, known = to_bytes(frame[:CODE_BITS]), frame[CODE_BITS:]
        level = self._levels[self._level]
        if len(codes) == 2 and codes[0] == SELECT_COMMANDS[self._level]:  # noqa: PLR2004  a code and a count
            count = (codes[1] >> 4) * BITS_PER_BYTE - CODE_BITS + (codes[1] & 0x0F)
            if codes[1] == WHOLE_LEVEL and known[: len(level)] == level:
                return self._selected(frame)
            if codes[1] != WHOLE_LEVEL and count == len(known) < len(level):
                return level[count:] if known == level[:count] else None
        self._fall_back()
        return None

    def _selected(self, frame: Bits) -> Bits | None:
        said = to_bytes(frame)
        if with_crc(said[:-2]) != said:
            self._fall_back()
            return None
        is_last = self._level == len(self._levels) - 1
        if is_last:
            self.state = "active"
        else:
            self._level += 1
        return to_bits(with_crc(bytes((0x00 if is_last else SAK_MORE_LEVELS,))))

    def _fall_back(self) -> None:
        self.state = "halted" if self._was_halted else "idle"


class ReceivedBits(NamedTuple):
    """What arrives: the bits, where two answers first differ, and whether all parity bits fit."""

    bits: Bits
    collision: int | None
    is_sound: bool


class SimulatedField:
    """The field in front of an antenna. `bit_errors` is the chance of a bit to arrive wrong."""

    def __init__(self, bit_errors: float, rng: random.Random) -> None:
        self.bit_errors = bit_errors
        self.tags: dict[str, SimulatedTag] = {}
        self._rng = rng
        self._away: dict[str, float] = {}
        self._is_on = False

    def add_tag(self, tag: SimulatedTag, now: float) -> None:
        """A tag comes into the field."""
        self.tags[format_uid(tag.uid)] = tag
        self.update_power(now)

    def remove_tag(self, name: str, now: float) -> None:
        """A tag leaves the field. KeyError if it isn't there."""
        self.tags.pop(name).set_power(False, now)

    def flicker(self, name: str, now: float, seconds: float) -> None:
        """A tag has no power for so many seconds."""
        self._away[name] = now + seconds
        self.update_power(now)

    def switch_antenna(self, *, on: bool, now: float) -> None:
        """The antenna is switched on or off."""
        self._is_on = on
        self.update_power(now)

    def update_power(self, now: float) -> None:
        """Tells every tag whether it has power now."""
        for name, tag in self.tags.items():
            back = self._away.get(name, now)
            if back <= now:
                self._away.pop(name, None)
            tag.set_power(self._is_on and back <= now, min(back, now))

    def exchange(self, frame: Bits, align: int, now: float) -> ReceivedBits | None:
        """Sends a frame to all tags; returns what arrives of their answers, or None for silence.

        `align` bits of the answer's first byte were sent by the reader.
        """
        self.update_power(now)
        said = damage_bits(frame, self.bit_errors, self._rng, has_parity=len(frame) > SHORT_FRAME_BITS)
        heard = said.bits if said.is_sound else None
        answers = [answer for tag in self.tags.values() if (answer := tag.receive(heard, now)) is not None]
        return overlay_answers(answers, self.bit_errors, self._rng, align) if answers else None


def damage_bits(
    bits: Bits, chance: float, rng: random.Random, *, has_parity: bool, align: int = 0
) -> ReceivedBits:
    """Returns the bits after the air: each bit, and each byte's parity bit, may have flipped.

    `align` bits of the first byte were sent before, so its parity can't be checked.
    """
    if chance == 0 or rng.random() >= 1 - (1 - chance) ** (len(bits) * 9 // BITS_PER_BYTE):
        return ReceivedBits(bits, None, is_sound=True)
    turned = [rng.random() < chance for _ in bits]
    turned[rng.randrange(len(bits))] = True
    is_sound = True
    for end in range(BITS_PER_BYTE - align, len(bits) + 1, BITS_PER_BYTE) if has_parity else ():
        byte = turned[max(0, end - BITS_PER_BYTE) : end]
        is_first_of_two_parts = end < BITS_PER_BYTE
        if (sum(byte) + (rng.random() < chance)) % 2 and not is_first_of_two_parts:
            is_sound = False
    return ReceivedBits(
        tuple(bit ^ turn for bit, turn in zip(bits, turned, strict=True)), None, is_sound=is_sound
    )


def overlay_answers(answers: Sequence[Bits], chance: float, rng: random.Random, align: int) -> ReceivedBits:
    """Returns answers that begin at the same instant.

    Where they differ there is a collision, which reads 1.
    """
    heard = [damage_bits(answer, chance, rng, has_parity=True, align=align) for answer in answers]
    if len(heard) == 1:
        return heard[0]
    longest = max(len(said.bits) for said in heard)
    over: list[int] = []
    collision = None
    for at in range(longest):
        here = {said.bits[at] for said in heard if at < len(said.bits)}
        if len(here) > 1 and collision is None:
            collision = at
        over.append(max(here))
    # After a collision parity says nothing.
    is_sound = collision is not None or all(said.is_sound for said in heard)
    return ReceivedBits(tuple(over), collision, is_sound=is_sound)


UNUSED_MAKER = "FE"
HASH_DIGITS = 12
CASCADE_DIGITS, PLAIN_DIGITS = f"{CASCADE_TAG:02X}", "00"


def simulated_tag_of(deck: str, card: str) -> str:
    """Returns the simulated tag of a card, by the names of its deck and the card."""
    digits = blake2s(f"{deck}/{card}".encode()).hexdigest()[:HASH_DIGITS].upper()
    if digits[4:6] == CASCADE_DIGITS:  # the first of the last four bytes: a reader would wait for more
        digits = digits[:4] + PLAIN_DIGITS + digits[6:]
    return UNUSED_MAKER + digits


def cards_by_simulated_tag(copies: Mapping[str, OwnerDeck]) -> dict[str, tuple[str, str]]:
    """Returns deck and card of every simulated tag of these decks."""
    return {
        simulated_tag_of(deck, card): (deck, card)
        for deck, copy in copies.items()
        for card in copy.shipped_file.deck.cards
    }
