"""Telling tags apart that answer together: over anything that carries frames.

Tags seen before are called by name and told to halt again, so they stay silent
while the rest is asked. Of those who answer together, the first bit in which
they differ is named one way, later the other, until one is left.

A UID is given only after a tag was selected by it and confirmed that with a
good CRC_A: its check byte alone lets every tenth double error pass.
What says levels that no UID is made of is told aside: a broken tag, or a forged one.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeAlias

from hardware.rfid.iso14443 import (
    CASCADE,
    HALT,
    LEVEL,
    LEVEL_BITS,
    MORE_LEVELS,
    SELECTS,
    WHOLE_LEVEL,
    WUPA,
    is_level,
    levels,
    sealed,
    uid_of,
)

MOST_FRAMES = 160
"""Frames of one look: ten new tags need 69; noise may pretend tags without end."""
CALLS = 3
"""How often a tag is called before it counts as gone: a frame may be damaged."""
NONSENSE = b"\x00"
"""A word that no tag knows: those that were in the middle of something go back to sleep.

Without it they would take the next call for an error and not answer, while others do.
"""
ATQA_BYTES = 2
SAK_BYTES = 3


class Answer(NamedTuple):
    """What came back; `collision` is the first bit of `data` in which tags differ.

    Not sound: parity, length or framing are wrong; then it says only that somebody is there.
    """

    data: bytes
    collision: int | None
    is_sound: bool


class Air(Protocol):
    """Carries frames to all tags in a field."""

    frames: int
    """Frames sent in this look."""

    def exchange(self, frame: bytes, expected: int, *, bits: int = 0, align: int = 0) -> Answer | None:
        """Send a frame and return what is answered; None is silence.

        Of the last byte only so many `bits` are sent, if not 0.
        An answer has `expected` bytes; its first one lacks `align` bits, which are 0.
        """

    def tell(self, frame: bytes) -> None:
        """Send a frame that nobody answers."""


Odd: TypeAlias = tuple[bytes, ...]
"""The levels that a tag said, of which the last one can't be."""


class Branch(NamedTuple):
    """Tags still to be found: they have the levels `above`; `bits` bits of the next are `known`."""

    above: tuple[bytes, ...]
    known: int
    bits: int
    calls: int = CALLS
    """How often it may be gone through."""


def is_there(air: Air, uid: bytes, calls: int = CALLS) -> bool:
    """Whether the tag with this UID answers when it is called so often; it is then told to halt."""
    for _ in range(calls):
        if air.frames >= MOST_FRAMES:
            break
        if _request(air, WUPA) and _select_all(air, levels(uid)):
            air.tell(sealed(HALT))
            return True
        air.tell(NONSENSE)  # after silence too: it may have answered, and not been heard
    return False


def search(air: Air, wake: int, tell: Callable[[Odd], object] = lambda _: None) -> set[bytes]:
    """The UIDs of all tags that answer to `wake`, REQA or WUPA; each is told to halt.

    `tell` hears of what contradicts itself; noise does as well, but not in the same way again and again.
    """
    found: set[bytes] = set()
    branches = [Branch((), 0, 0)]
    while branches and air.frames < MOST_FRAMES:
        branch = branches.pop()
        if not _request(air, wake):
            continue
        end = _follow(air, branch, branches, tell)
        if isinstance(end, bytes):
            found.add(end)
            air.tell(sealed(HALT))
        else:
            air.tell(NONSENSE)
            if end.calls > 1:
                branches.append(end._replace(calls=end.calls - 1))
    return found


def _follow(air: Air, branch: Branch, others: list[Branch], tell: Callable[[Odd], object]) -> bytes | Branch:
    """Select one tag of the branch, and return its UID, or the branch at which that failed.

    What else there is joins the others.
    """
    if not _select_all(air, branch.above):
        return branch
    above, known, bits, calls = branch
    while air.frames < MOST_FRAMES and (answer := _ask_level(air, len(above), known, bits)) is not None:
        level, collision = answer
        if collision is not None:
            known, bits = level & (1 << collision) - 1, collision + 1
            others.append(Branch(above, known, bits))
            known |= 1 << collision
            continue
        said = level.to_bytes(LEVEL, "little")
        goes_on = _select(air, len(above), said) if is_level(said) else not _is_marked(len(above), said)
        if goes_on is None:
            break
        if goes_on != _is_marked(len(above), said):
            tell((*above, said))
            break
        if not goes_on:
            return uid_of((*above, said))
        above, known, bits = (*above, said), 0, 0
    return Branch(above, known, bits, calls)


def _request(air: Air, command: int) -> bool:
    """Whether anybody answers, clearly or not."""
    return air.exchange(bytes((command,)), ATQA_BYTES, bits=7) is not None


def _ask_level(air: Air, depth: int, known: int, bits: int) -> tuple[int, int | None] | None:
    """All tags that begin the level with these bits say the rest of it.

    Returns the level as a number, and the first bit in which they differ, if they do.
    """
    whole, rest = divmod(bits, 8)
    frame = bytes((SELECTS[depth], 2 + whole << 4 | rest)) + known.to_bytes(whole + (rest > 0), "little")
    answer = air.exchange(frame, LEVEL - whole, bits=rest, align=rest)
    if answer is None or not answer.is_sound:
        return None
    said = int.from_bytes(answer.data, "little") >> rest << bits | known
    if answer.collision is not None:
        place = answer.collision + whole * 8
        return (said, place) if bits <= place < LEVEL_BITS else None
    return said, None


def _select_all(air: Air, said: tuple[bytes, ...]) -> bool:
    return all(_select(air, depth, level) == _is_marked(depth, level) for depth, level in enumerate(said))


def _select(air: Air, depth: int, level: bytes) -> bool | None:
    """Select the tags with this level: whether their UID goes on, as they say; None without a good answer."""
    answer = air.exchange(sealed(bytes((SELECTS[depth], WHOLE_LEVEL)) + level), SAK_BYTES)
    if answer is None or not answer.is_sound or answer.data != sealed(answer.data[:1]):
        return None
    return bool(answer.data[0] & MORE_LEVELS)


def _is_marked(depth: int, level: bytes) -> bool:
    """Whether the level itself says that the UID goes on; a tag that then says otherwise is none."""
    return level[0] == CASCADE and depth < len(SELECTS) - 1
