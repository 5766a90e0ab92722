"""What the picture of a preset shows.

The home screen draws such pictures before the games are loaded, so this module imports nothing of them.
"""

from __future__ import annotations

import msgspec

PICTURE_SIGNS = (
    "score sheet", "boxes", "cards", "bracket", "podium", "map", "track", "teams", "star", "half", "scales",
    "out", "arrow down", "flag", "clock", "envelope", "hammer", "tag", "dice",
)  # fmt: skip  # a list of words
"""Signs that the picture of a preset may show besides pieces."""


class PieceLook(msgspec.Struct, frozen=True):
    """How a piece looks in a picture: one of `PIECE_LOOKS`, and the name of its colour or ""."""

    look: str
    colour: str = ""


class PresetPicture(msgspec.Struct, frozen=True):
    """What the picture of a preset shows: signs of `PICTURE_SIGNS`, the largest first, and pieces."""

    signs: tuple[str, ...] = ()
    pieces: tuple[PieceLook, ...] = ()
