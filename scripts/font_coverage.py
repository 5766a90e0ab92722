"""`python -m scripts.font_coverage`: writes companion/characters.txt from the fonts of the screen."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from unicodedata import category

from fontTools.ttLib import TTFont

from ui import theme

COVERAGE = Path(__file__).parents[1] / "companion" / "characters.txt"
COMBINING = set(range(0x300, 0x370))
"""Marks that BIZ UDPGothic draws over each other, and Noto Sans above each other."""

UNSHAPED = {*range(0x900, 0x980), *range(0x1CD0, 0x1D00), *range(0xA8E0, 0xA900)}
"""Devanagari, which Noto Sans has: its letters must be reordered, and we shape that font as Latin."""

NOT_DRAWN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs"}
"""Kinds of characters without a picture.

Characters that this Python doesn't know yet may have one, so that the file is the same for every Python.
"""


def ranges(code_points: Iterable[int]) -> Iterator[str]:
    """Neighbouring code points as one range each, such as `20-7e`."""
    for _, run in groupby(enumerate(sorted(code_points)), key=lambda pair: pair[1] - pair[0]):
        members = [code for _, code in run]
        yield f"{members[0]:x}" if len(members) == 1 else f"{members[0]:x}-{members[-1]:x}"


def code_points(file: Path) -> set[int]:
    """Returns the code points of all characters that a font file has."""
    with TTFont(file, lazy=True) as font:
        return set(font.getBestCmap())


def coverage() -> str:
    """The whole file: a line for each font. A font has a character if both its weights do."""
    lines = []
    for name, weights in theme.FILES_BY_FONT.items():
        if name == theme.MONEY_FONT:
            continue  # has what TEXT has
        shared = set.intersection(*map(code_points, weights))
        if name == theme.TEXT_FONT:
            shared -= COMBINING
        shared -= UNSHAPED
        drawn = {code for code in shared if chr(code) == " " or category(chr(code)) not in NOT_DRAWN}
        lines.append(f"{name}: {' '.join(ranges(drawn))}\n")
    return "".join(lines)


if __name__ == "__main__":
    COVERAGE.write_text(coverage(), "utf-8")
