"""Numbers keyed in: what each key of a keypad or a number pad makes of the keys before it.

    from hardware.desk.keying import Keyed, keyed

    entry, _ = keyed(Keyed(), "1", question=7)
    entry, _ = keyed(entry, "2", question=7)
    print(keyed(entry, "OK", question=7))  # (Keyed(text='', question=0), (12,))

Pure. What an answer means, and whether it counts, is decided by the desk.
"""

from typing import TypeAlias, get_args

import msgspec

from hardware.protocol.protocol import ENTRY_LENGTH
from hardware.signals import Key, PadCap

CAPS: tuple[PadCap, ...] = get_args(PadCap)

Said: TypeAlias = Key | tuple[int, ...]
"""A key by itself, or numbers and OK."""


class Keyed(msgspec.Struct, frozen=True):
    """Digits and points before OK, and the question that was shown when the first one was keyed."""

    text: str = ""
    question: int = 0


def keyed(before: Keyed, cap: PadCap, question: int) -> tuple[Keyed, Said | None]:
    """What a key makes of an entry while this question is shown, and the answer it completes.

    OK after a point completes nothing: a number is missing.
    NO with an entry erases it: withdrawing can't be typed over by mistake.
    """
    match cap:
        case "OK" if before.text.endswith("."):
            return before, None
        case "OK":
            return Keyed(), tuple(map(int, before.text.split("."))) if before.text else "ok"
        case "NO":
            return Keyed(), None if before.text else "no"
        case "OWN":
            return before, "own"
    return Keyed(_edited(before.text, cap), before.question if before.text else question), None


def _edited(text: str, cap: PadCap) -> str:
    if cap == "DEL":
        return text[:-1]
    if len(text) == ENTRY_LENGTH or (cap == "." and not text[-1:].isdigit()):
        return text
    return text + cap
