"""ISO/IEC 14443-3 type A: the frames of readers and tags, and how to tell tags apart that answer together.

    from hardware.rfid.iso14443 import format_uid, split_uid_into_levels

    uid = bytes.fromhex("04A2B3C4D5E680")
    print(format_uid(uid), [level.hex(" ") for level in split_uid_into_levels(uid)])

A UID of 4, 7 or 10 bytes is sent in one, two or three *levels* of four bytes and a check byte (BCC). A level
that isn't the last begins with the mark 88.

`find_and_halt_tags` works over anything that carries frames. Tags seen before are called by their UID and
halted again, so they stay silent while the reader asks the others. When several tags answer together, the
search first takes one value of the bit in which they differ, and later the other, until one tag is left.

A UID is returned only after a tag was selected by it and confirmed the selection with a good CRC_A: the check
byte alone lets every tenth double error pass. Levels that no UID can have are reported separately: they come
from a broken or a forged tag.
"""

from collections.abc import Callable
from functools import lru_cache, reduce
from operator import xor
from typing import NamedTuple, Protocol, TypeAlias

REQA = 0x26
"""Command that asks for an answer of all tags but those that were halted."""
WUPA = 0x52
"""Command that asks for an answer of all tags, halted ones too."""
SELECT_COMMAND_BY_LEVEL = (0x93, 0x95, 0x97)
"""Select command for each level of a UID; alone, it asks for the missing bits of the level."""
WHOLE_LEVEL_BIT_COUNT_BYTE = 0x70
"""Byte after a select command: all bits of the level follow, and a CRC_A."""
HALT_COMMAND = bytes((0x50, 0x00))
SAK_MORE_LEVELS_BIT = 0x04
"""Bit in a tag's answer to a whole level (SAK): the UID has more levels."""
CASCADE_TAG_BYTE = 0x88
"""First byte of every level but the last; no UID and no last level begins with it."""

UID_LEVEL_BYTES = 5
"""Bytes of a level of a UID, with its check byte (BCC)."""
UID_BITS_PER_LEVEL = 32
"""Bits of a level in which tags can differ."""
BIT_SECONDS = 128 / 13.56e6
"""Duration of one bit on air."""
TAG_ANSWER_DELAY_SECONDS = 1236 / 13.56e6
"""Time from the end of a frame to the answer of a tag.

All tags answer at the same instant.
"""
TAG_START_OR_RESET_SECONDS = 0.005
"""Time that a tag may need to start in the field, and to lose its state outside it."""


@lru_cache(1024)  # a resting tag is called with the same frames a hundred times a second
def crc_a(data: bytes) -> bytes:
    """Returns the CRC_A of a frame: the two bytes at its end."""
    crc = 0x6363
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    return crc.to_bytes(2, "little")


def append_crc_a(data: bytes) -> bytes:
    """Returns a frame with its CRC_A appended."""
    return data + crc_a(data)


def compute_check_byte(uid_bytes: bytes) -> int:
    """Returns the check byte (BCC) of the four UID bytes of a level."""
    return reduce(xor, uid_bytes)


def split_uid_into_levels(uid: bytes) -> tuple[bytes, ...]:
    """Splits a UID into its levels, five bytes each with the check byte.

    Raises ValueError if the UID hasn't 4, 7 or 10 bytes, or if a reader would wait for the rest of it.
    """
    if len(uid) not in {4, 7, 10}:
        raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}: {uid.hex()}")
    if len(uid) < 10 and uid[-4] == CASCADE_TAG_BYTE:  # noqa: PLR2004 - the longest there is
        raise ValueError(f"the last four bytes of a UID don't begin with {CASCADE_TAG_BYTE:X}: {uid.hex()}")
    *first_parts, last_part = (uid[start : start + 3] for start in range(0, len(uid) - 1, 3))
    parts = [*(bytes((CASCADE_TAG_BYTE,)) + part for part in first_parts), last_part + uid[-1:]]
    return tuple(part + bytes((compute_check_byte(part),)) for part in parts)


def has_valid_check_byte(level: bytes) -> bool:
    """Returns whether these are five bytes with the right BCC."""
    return len(level) == UID_LEVEL_BYTES and compute_check_byte(level[:-1]) == level[-1]


def join_levels_to_uid(levels: tuple[bytes, ...]) -> bytes:
    """Joins levels to the UID that they contain."""
    return b"".join(level[1:4] for level in levels[:-1]) + levels[-1][:4]


def format_uid(uid: bytes) -> str:
    """Returns a UID as signals, the store and people write it: "04A2B3C4D5E680"."""
    return uid.hex().upper()


MAX_FRAMES_PER_SCAN = 160
"""Maximum frames in one scan: ten new tags need 69, and noise may look like tags without end."""
MAX_CALLS_PER_TAG = 3
"""Maximum calls until a tag counts as gone; more than one, because a frame may be damaged."""
BACK_TO_SLEEP_FRAME = b"\x00"
"""Frame that sends tags in the middle of a selection back to sleep; its command is unknown to them.

Without it, these tags would treat the next call as an error and not answer, while others do.
"""
ATQA_LENGTH = 2
SAK_LENGTH = 3


class TagAnswer(NamedTuple):
    """An answer of one or more tags; `collision` is the first bit of `data` in which they differ.

    If `is_sound` is false, parity, length or framing are wrong; the answer only shows that some tag is there.
    """

    data: bytes
    collision: int | None
    is_sound: bool


class FrameTransport(Protocol):
    """Sends frames to all tags in a field and receives their answers."""

    frames_sent: int
    """Number of frames sent in this scan."""

    def exchange_frame(
        self, frame: bytes, expected_bytes: int, *, last_byte_bits: int = 0, rx_align: int = 0
    ) -> TagAnswer | None:
        """Sends a frame to all tags and returns their answer; None for silence.

        Of the last byte only `last_byte_bits` bits are sent, if not 0. An answer has `expected_bytes` bytes;
        the first `rx_align` bits of its first byte are missing and read 0.
        """

    def send_without_answer(self, frame: bytes) -> None:
        """Sends a frame that no tag answers."""


ImpossibleUidLevels: TypeAlias = tuple[bytes, ...]
"""Levels that a tag sent, of which no UID can have the last."""


class TagSearchBranch(NamedTuple):
    """A branch of the search for tags: tags still to be found whose UIDs begin alike.

    The tags share `selected_levels` and the first bits of the next level: the lowest `known_count` bits of
    `known_bits`.
    """

    selected_levels: tuple[bytes, ...]
    known_bits: int
    known_count: int
    remaining_attempts: int = MAX_CALLS_PER_TAG
    """How often the branch may still be tried."""


def halt_tag_if_present(transport: FrameTransport, uid: bytes, max_calls: int = MAX_CALLS_PER_TAG) -> bool:
    """Halts the tag with this UID if it is present; returns whether it is.

    A tag is present if it answers within `max_calls`.
    """
    for _ in range(max_calls):
        if transport.frames_sent >= MAX_FRAMES_PER_SCAN:
            break
        if _wake_tags(transport, WUPA) and _select_levels(transport, split_uid_into_levels(uid)):
            transport.send_without_answer(append_crc_a(HALT_COMMAND))
            return True
        # After silence too: the tag may have answered without being heard.
        transport.send_without_answer(BACK_TO_SLEEP_FRAME)
    return False


def find_and_halt_tags(
    transport: FrameTransport,
    wake_command: int,
    report_impossible: Callable[[ImpossibleUidLevels], object] = lambda _: None,
) -> set[bytes]:
    """Finds and halts all tags that answer to REQA or WUPA; returns their UIDs.

    `report_impossible` gets levels that contradict themselves. Noise may cause such levels too, but not twice
    the same ones.
    """
    found: set[bytes] = set()
    branches = [TagSearchBranch((), 0, 0)]
    while branches and transport.frames_sent < MAX_FRAMES_PER_SCAN:
        branch = branches.pop()
        if not _wake_tags(transport, wake_command):
            continue
        uid_or_branch = _select_tag_of_branch(transport, branch, branches, report_impossible)
        if isinstance(uid_or_branch, bytes):
            found.add(uid_or_branch)
            transport.send_without_answer(append_crc_a(HALT_COMMAND))
        else:
            transport.send_without_answer(BACK_TO_SLEEP_FRAME)
            if uid_or_branch.remaining_attempts > 1:
                branches.append(
                    uid_or_branch._replace(remaining_attempts=uid_or_branch.remaining_attempts - 1)
                )
    return found


def _select_tag_of_branch(
    transport: FrameTransport,
    branch: TagSearchBranch,
    other_branches: list[TagSearchBranch],
    report_impossible: Callable[[ImpossibleUidLevels], object],
) -> bytes | TagSearchBranch:
    """Selects one tag of the branch; returns its UID, or the branch at which the selection failed.

    Branches with other tags are added to `other_branches`.
    """
    if not _select_levels(transport, branch.selected_levels):
        return branch
    selected_levels, known_bits, known_count, remaining_attempts = branch
    while (
        transport.frames_sent < MAX_FRAMES_PER_SCAN
        and (answer := _request_level(transport, len(selected_levels), known_bits, known_count)) is not None
    ):
        level_bits, collision = answer
        if collision is not None:
            known_bits, known_count = level_bits & (1 << collision) - 1, collision + 1
            other_branches.append(TagSearchBranch(selected_levels, known_bits, known_count))
            known_bits |= 1 << collision
            continue
        level = level_bits.to_bytes(UID_LEVEL_BYTES, "little")
        has_more_levels = (
            _select_level(transport, len(selected_levels), level)
            if has_valid_check_byte(level)
            else not _announces_more_levels(len(selected_levels), level)
        )
        if has_more_levels is None:
            break
        if has_more_levels != _announces_more_levels(len(selected_levels), level):
            report_impossible((*selected_levels, level))
            break
        if not has_more_levels:
            return join_levels_to_uid((*selected_levels, level))
        selected_levels, known_bits, known_count = (*selected_levels, level), 0, 0
    return TagSearchBranch(selected_levels, known_bits, known_count, remaining_attempts)


def _wake_tags(transport: FrameTransport, command: int) -> bool:
    """Wakes tags with REQA or WUPA; returns whether any tag answers, clearly or not."""
    return transport.exchange_frame(bytes((command,)), ATQA_LENGTH, last_byte_bits=7) is not None


def _request_level(
    transport: FrameTransport, depth: int, known_bits: int, known_count: int
) -> tuple[int, int | None] | None:
    """Requests the rest of a level from all tags whose level begins with these bits.

    Returns the level as a number, and the first bit in which the tags differ, if they do; None without a good
    answer.
    """
    whole_bytes, extra_bits = divmod(known_count, 8)
    frame = bytes((SELECT_COMMAND_BY_LEVEL[depth], 2 + whole_bytes << 4 | extra_bits)) + known_bits.to_bytes(
        whole_bytes + (extra_bits > 0), "little"
    )
    answer = transport.exchange_frame(
        frame, UID_LEVEL_BYTES - whole_bytes, last_byte_bits=extra_bits, rx_align=extra_bits
    )
    if answer is None or not answer.is_sound:
        return None
    level_bits = int.from_bytes(answer.data, "little") >> extra_bits << known_count | known_bits
    if answer.collision is not None:
        collision = answer.collision + whole_bytes * 8
        return (level_bits, collision) if known_count <= collision < UID_BITS_PER_LEVEL else None
    return level_bits, None


def _select_levels(transport: FrameTransport, levels: tuple[bytes, ...]) -> bool:
    return all(
        _select_level(transport, depth, level) == _announces_more_levels(depth, level)
        for depth, level in enumerate(levels)
    )


def _select_level(transport: FrameTransport, depth: int, level: bytes) -> bool | None:
    """Selects the tags with this level; returns whether their UID has more levels.

    Returns None without a good answer.
    """
    answer = transport.exchange_frame(
        append_crc_a(bytes((SELECT_COMMAND_BY_LEVEL[depth], WHOLE_LEVEL_BIT_COUNT_BYTE)) + level), SAK_LENGTH
    )
    if answer is None or not answer.is_sound or answer.data != append_crc_a(answer.data[:1]):
        return None
    return bool(answer.data[0] & SAK_MORE_LEVELS_BIT)


def _announces_more_levels(depth: int, level: bytes) -> bool:
    """Returns whether the level itself says that the UID has more levels.

    A tag whose SAK says otherwise isn't genuine.
    """
    return level[0] == CASCADE_TAG_BYTE and depth < len(SELECT_COMMAND_BY_LEVEL) - 1
