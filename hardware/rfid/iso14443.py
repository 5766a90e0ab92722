"""How readers and tags talk: ISO/IEC 14443-3 type A, as far as it takes to tell tags apart.

    from hardware.rfid.iso14443 import levels, tag_name

    uid = bytes.fromhex("04A2B3C4D5E680")
    print(tag_name(uid), [level.hex(" ") for level in levels(uid)])

A UID of 4, 7 or 10 bytes is said in one, two or three *levels* of four bytes
and a check byte (BCC); a level that isn't the last begins with the mark 88.
Only what the reader's program and the simulated tags both need is here.
"""

from functools import lru_cache, reduce
from operator import xor

REQA = 0x26
"""Asks who is there; tags that were told to halt keep silent."""
WUPA = 0x52
"""Asks who is there, those told to halt too."""
SELECTS = (0x93, 0x95, 0x97)
"""Names a level; alone it asks for what is missing of that level."""
WHOLE_LEVEL = 0x70
"""After one of SELECTS: all bits of the level follow, and a CRC_A."""
HALT = bytes((0x50, 0x00))
MORE_LEVELS = 0x04
"""In a tag's answer to a whole level (SAK): the UID goes on."""
CASCADE = 0x88
"""First byte of a level that isn't the last; no UID and no last level begins with it."""

LEVEL = 5
"""Bytes of a level with its BCC."""
LEVEL_BITS = 32
"""Bits of a level that tags can differ in."""
BIT = 128 / 13.56e6
"""Seconds that one bit takes on air."""
ANSWER_AFTER = 1236 / 13.56e6
"""Seconds from the end of a reader's frame to a tag's answer: all answer at the same instant."""
SETTLE = 0.005
"""Seconds that a tag may need to come alive in the field, and to forget everything outside it."""


@lru_cache(1024)  # a resting tag is called in the same words a hundred times a second
def crc_a(data: bytes) -> bytes:
    """The two bytes that end a checked frame."""
    crc = 0x6363
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    return crc.to_bytes(2, "little")


def sealed(data: bytes) -> bytes:
    """A frame with its CRC_A."""
    return data + crc_a(data)


def bcc(four: bytes) -> int:
    """The check byte of a level."""
    return reduce(xor, four)


def levels(uid: bytes) -> tuple[bytes, ...]:
    """The levels of a UID, five bytes each.

    ValueError if it hasn't 4, 7 or 10 bytes, or if a reader would wait for the rest of it.
    """
    if len(uid) not in {4, 7, 10}:
        raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}: {uid.hex()}")
    if len(uid) < 10 and uid[-4] == CASCADE:  # noqa: PLR2004 - the longest there is
        raise ValueError(f"the last four bytes of a UID don't begin with {CASCADE:X}: {uid.hex()}")
    *firsts, last = (uid[start : start + 3] for start in range(0, len(uid) - 1, 3))
    parts = [*(bytes((CASCADE,)) + first for first in firsts), last + uid[-1:]]
    return tuple(part + bytes((bcc(part),)) for part in parts)


def is_level(level: bytes) -> bool:
    """Whether these are five bytes with the right BCC."""
    return len(level) == LEVEL and bcc(level[:-1]) == level[-1]


def uid_of(said: tuple[bytes, ...]) -> bytes:
    """The UID that these levels say."""
    return b"".join(level[1:4] for level in said[:-1]) + said[-1][:4]


def tag_name(uid: bytes) -> str:
    """A UID as signals, the store and people write it: "04A2B3C4D5E680"."""
    return uid.hex().upper()
