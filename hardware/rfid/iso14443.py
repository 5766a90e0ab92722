"""ISO/IEC 14443-3 type A: the frames of readers and tags, and how to tell tags apart that answer together.

    from hardware.rfid.iso14443 import format_uid, levels_of_uid

    uid = bytes.fromhex("04A2B3C4D5E680")
    print(format_uid(uid), [level.hex(" ") for level in levels_of_uid(uid)])

A UID of 4, 7 or 10 bytes is sent in one, two or three *levels* of four bytes and a check byte (BCC). A level
that isn't the last begins with the mark 88.

`find_tags` works over anything that carries frames. Tags seen before are called by their UID and told to halt
again, so they stay silent while the others are asked. When several tags answer together, the first bit in
which they differ is asked one way, and later the other way, until one tag is left.

A UID is returned only after a tag was selected by it and confirmed that with a good CRC_A: the check byte
alone lets every tenth double error pass. Levels that no UID can have are reported separately: they come from
a broken or a forged tag.
"""

from collections.abc import Callable
from functools import lru_cache, reduce
from operator import xor
from typing import NamedTuple, Protocol, TypeAlias

REQA = 0x26
"""Asks who is there; tags that were told to halt stay silent."""
WUPA = 0x52
"""Asks who is there, halted tags too."""
SELECT_COMMANDS = (0x93, 0x95, 0x97)
"""The commands that name a level; alone, a command asks for the missing bits of the level."""
WHOLE_LEVEL = 0x70
"""After a select command: all bits of the level follow, and a CRC_A."""
HALT_COMMAND = bytes((0x50, 0x00))
SAK_MORE_LEVELS = 0x04
"""The bit in a tag's answer to a whole level (SAK) that says that the UID goes on."""
CASCADE_TAG = 0x88
"""First byte of a level that isn't the last; no UID and no last level begins with it."""

LEVEL_BYTES = 5
"""Bytes of a level with its BCC."""
LEVEL_BITS = 32
"""Bits of a level in which tags can differ."""
BIT_SECONDS = 128 / 13.56e6
"""Time of one bit on air."""
ANSWER_DELAY_SECONDS = 1236 / 13.56e6
"""Time from the end of a reader's frame to the answer of a tag: all tags answer at the same instant."""
FIELD_SETTLE_SECONDS = 0.005
"""Time that a tag may need to start in the field, and to forget everything outside it."""


@lru_cache(1024)  # a resting tag is called in the same words a hundred times a second
def crc_a(data: bytes) -> bytes:
    """Returns the two bytes that end a checked frame."""
    crc = 0x6363
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    return crc.to_bytes(2, "little")


def with_crc(data: bytes) -> bytes:
    """Returns a frame with its CRC_A."""
    return data + crc_a(data)


def check_byte(four: bytes) -> int:
    """Returns the check byte (BCC) of a level."""
    return reduce(xor, four)


def levels_of_uid(uid: bytes) -> tuple[bytes, ...]:
    """Returns the levels of a UID, five bytes each.

    ValueError if the UID hasn't 4, 7 or 10 bytes, or if a reader would wait for the rest of it.
    """
    if len(uid) not in {4, 7, 10}:
        raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}: {uid.hex()}")
    if len(uid) < 10 and uid[-4] == CASCADE_TAG:  # noqa: PLR2004 - the longest there is
        raise ValueError(f"the last four bytes of a UID don't begin with {CASCADE_TAG:X}: {uid.hex()}")
    *firsts, last = (uid[start : start + 3] for start in range(0, len(uid) - 1, 3))
    parts = [*(bytes((CASCADE_TAG,)) + first for first in firsts), last + uid[-1:]]
    return tuple(part + bytes((check_byte(part),)) for part in parts)


def has_valid_check_byte(level: bytes) -> bool:
    """Returns whether these are five bytes with the right BCC."""
    return len(level) == LEVEL_BYTES and check_byte(level[:-1]) == level[-1]


def uid_of_levels(said: tuple[bytes, ...]) -> bytes:
    """Returns the UID of these levels."""
    return b"".join(level[1:4] for level in said[:-1]) + said[-1][:4]


def format_uid(uid: bytes) -> str:
    """Returns a UID as signals, the store and people write it: "04A2B3C4D5E680"."""
    return uid.hex().upper()


MAX_FRAMES_PER_LOOK = 160
"""Ten new tags need 69 frames; noise may look like tags without end."""
MAX_CALLS = 3
"""Times a tag is called before it counts as gone, because a frame may be damaged."""
UNKNOWN_COMMAND = b"\x00"
"""A command that no tag knows: it sends tags that were in the middle of a command back to sleep.

Without it, they would take the next call for an error and not answer, while others do.
"""
ATQA_BYTES = 2
SAK_BYTES = 3


class TagAnswer(NamedTuple):
    """An answer; `collision` is the first bit of `data` in which tags differ.

    If the answer isn't `is_sound`, parity, length or framing are wrong; it says only that somebody is there.
    """

    data: bytes
    collision: int | None
    is_sound: bool


class FrameCarrier(Protocol):
    """Carries frames to all tags in a field."""

    frames: int
    """Frames sent in this look."""

    def exchange(self, frame: bytes, expected: int, *, bits: int = 0, align: int = 0) -> TagAnswer | None:
        """Sends a frame and returns the answer; None is silence.

        Of the last byte only `bits` bits are sent, if not 0.
        An answer has `expected` bytes; the first `align` bits of its first byte are missing and read 0.
        """

    def send_without_answer(self, frame: bytes) -> None:
        """Sends a frame that no tag answers."""


ImpossibleLevels: TypeAlias = tuple[bytes, ...]
"""The levels that a tag sent; no UID has the last one."""


class SearchBranch(NamedTuple):
    """Tags still to be found: they have `selected_levels`, and the next level begins with `known_bits`.

    `known_count` is the number of bits that are known.
    """

    selected_levels: tuple[bytes, ...]
    known_bits: int
    known_count: int
    remaining_calls: int = MAX_CALLS
    """How often the branch may be tried again."""


def is_tag_present(air: FrameCarrier, uid: bytes, calls: int = MAX_CALLS) -> bool:
    """Returns whether the tag with this UID answers within so many calls; it is then told to halt."""
    for _ in range(calls):
        if air.frames >= MAX_FRAMES_PER_LOOK:
            break
        if _request(air, WUPA) and _select_all(air, levels_of_uid(uid)):
            air.send_without_answer(with_crc(HALT_COMMAND))
            return True
        air.send_without_answer(
            UNKNOWN_COMMAND
        )  # after silence too: it may have answered, and not been heard
    return False


def find_tags(
    air: FrameCarrier,
    wake_command: int,
    report_impossible: Callable[[ImpossibleLevels], object] = lambda _: None,
) -> set[bytes]:
    """Returns the UIDs of all tags that answer to REQA or WUPA; each is told to halt.

    `report_impossible` gets levels that contradict themselves. Noise does so too, but not twice in the same
    way.
    """
    found: set[bytes] = set()
    branches = [SearchBranch((), 0, 0)]
    while branches and air.frames < MAX_FRAMES_PER_LOOK:
        branch = branches.pop()
        if not _request(air, wake_command):
            continue
        end = _follow_branch(air, branch, branches, report_impossible)
        if isinstance(end, bytes):
            found.add(end)
            air.send_without_answer(with_crc(HALT_COMMAND))
        else:
            air.send_without_answer(UNKNOWN_COMMAND)
            if end.remaining_calls > 1:
                branches.append(end._replace(remaining_calls=end.remaining_calls - 1))
    return found


def _follow_branch(
    air: FrameCarrier,
    branch: SearchBranch,
    others: list[SearchBranch],
    tell: Callable[[ImpossibleLevels], object],
) -> bytes | SearchBranch:
    """Selects one tag of the branch; returns its UID, or the branch at which that failed.

    Other tags that are found on the way are added to `others`.
    """
    if not _select_all(air, branch.selected_levels):
        return branch
    above, known, bits, calls = branch
    while (
        air.frames < MAX_FRAMES_PER_LOOK and (answer := _ask_level(air, len(above), known, bits)) is not None
    ):
        level, collision = answer
        if collision is not None:
            known, bits = level & (1 << collision) - 1, collision + 1
            others.append(SearchBranch(above, known, bits))
            known |= 1 << collision
            continue
        said = level.to_bytes(LEVEL_BYTES, "little")
        goes_on = (
            _select(air, len(above), said)
            if has_valid_check_byte(said)
            else not _says_more_levels(len(above), said)
        )
        if goes_on is None:
            break
        if goes_on != _says_more_levels(len(above), said):
            tell((*above, said))
            break
        if not goes_on:
            return uid_of_levels((*above, said))
        above, known, bits = (*above, said), 0, 0
    return SearchBranch(above, known, bits, calls)


def _request(air: FrameCarrier, command: int) -> bool:
    """Returns whether any tag answers, clearly or not."""
    return air.exchange(bytes((command,)), ATQA_BYTES, bits=7) is not None


def _ask_level(air: FrameCarrier, depth: int, known: int, bits: int) -> tuple[int, int | None] | None:
    """Asks all tags that begin the level with these bits for the rest of it.

    Returns the level as a number, and the first bit in which the tags differ, if they do.
    """
    whole, rest = divmod(bits, 8)
    frame = bytes((SELECT_COMMANDS[depth], 2 + whole << 4 | rest)) + known.to_bytes(
        whole + (rest > 0), "little"
    )
    answer = air.exchange(frame, LEVEL_BYTES - whole, bits=rest, align=rest)
    if answer is None or not answer.is_sound:
        return None
    said = int.from_bytes(answer.data, "little") >> rest << bits | known
    if answer.collision is not None:
        place = answer.collision + whole * 8
        return (said, place) if bits <= place < LEVEL_BITS else None
    return said, None


def _select_all(air: FrameCarrier, said: tuple[bytes, ...]) -> bool:
    return all(
        _select(air, depth, level) == _says_more_levels(depth, level) for depth, level in enumerate(said)
    )


def _select(air: FrameCarrier, depth: int, level: bytes) -> bool | None:
    """Selects the tags with this level; returns whether their UID goes on. None without a good answer."""
    answer = air.exchange(with_crc(bytes((SELECT_COMMANDS[depth], WHOLE_LEVEL)) + level), SAK_BYTES)
    if answer is None or not answer.is_sound or answer.data != with_crc(answer.data[:1]):
        return None
    return bool(answer.data[0] & SAK_MORE_LEVELS)


def _says_more_levels(depth: int, level: bytes) -> bool:
    """Returns whether the level itself says that the UID goes on.

    A tag that answers otherwise isn't genuine.
    """
    return level[0] == CASCADE_TAG and depth < len(SELECT_COMMANDS) - 1
