"""The screen variants in which sweeps check a table: layout, window size and language."""

from __future__ import annotations

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


def variant_id(look: ScreenVariant) -> str:
    """Returns the variant as a part of a test's name."""
    return f"{look.layout}-{look.size[0]}x{look.size[1]}-{look.lang}"
