"""The screen variants in which sweeps check a table: layout, window size and language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from companion.languages import languages


class ScreenVariant(NamedTuple):
    """A layout, window size and language."""

    layout: str
    size: tuple[int, int]
    lang: str


SIZES_BY_LAYOUT = {
    "landscape": [(800, 480), (1024, 600), (1280, 720), (1920, 1080)],
    "upright": [(480, 800), (720, 1280)],
    "flat": [(800, 480), (480, 800), (1280, 720), (720, 1280)],
}
SCREEN_VARIANTS = [
    ScreenVariant(plan, size, lang)
    for plan, sizes in SIZES_BY_LAYOUT.items()
    for size, lang in product(sizes, languages())
]


def variants_with_languages_in_turn(
    case_number: int, sizes_by_layout: Mapping[str, Sequence[tuple[int, int]]] = SIZES_BY_LAYOUT
) -> list[ScreenVariant]:
    """Returns each layout and size in one language; the next case number has the next language at each.

    Sweeps over many cases use it: a text that is too long for a screen is found in its own language, and
    neighbouring cases share most of their texts.
    """
    codes = list(languages())
    sizes = [(layout, size) for layout, sizes in sizes_by_layout.items() for size in sizes]
    return [
        ScreenVariant(layout, size, codes[(case_number + turn) % len(codes)])
        for turn, (layout, size) in enumerate(sizes)
    ]


def variant_id(look: ScreenVariant) -> str:
    """Returns the variant as a part of a test's name."""
    return f"{look.layout}-{look.size[0]}x{look.size[1]}-{look.lang}"
