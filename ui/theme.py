"""The theme: every colour, length, duration and font of the screen.

No other module names a colour, a length, a duration or a font. Lengths are pixels at 800×480 and grow with
the window's shorter side, a little less than the side does. Widgets read colours and lengths when they are
built, and the app builds its screen again when the window changes its size or people change the look.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR

Colour = tuple[float, float, float, float]


def _colour_from_hex(hex_code: str, alpha: float = 1.0) -> Colour:
    red, green, blue = (int(hex_code[index : index + 2], 16) / 255 for index in (1, 3, 5))
    return red, green, blue, alpha


def multiply_opacity(colour: Colour, factor: float) -> Colour:
    """Returns the colour with its opacity multiplied, by a factor from 0 (invisible) to 1 (unchanged)."""
    return (*colour[:3], colour[3] * factor)


def blend_colours(one: Colour, other: Colour, fraction: float) -> Colour:
    """Returns a blend of two colours: `one` at a `fraction` of 0, `other` at 1."""
    red, green, blue, alpha = (a + (b - a) * fraction for a, b in zip(one, other, strict=True))
    return red, green, blue, alpha


# The table: felt, paper, ink and brass
FELT = _colour_from_hex("#10211C")
FELT_LIT = _colour_from_hex("#24443A")
FELT_DARK = _colour_from_hex("#070F0D")
PAPER = _colour_from_hex("#F3EAD7")
PAPER_LIT = _colour_from_hex("#FBF5E7")
WHITE = _colour_from_hex("#FFFFFF")
PAPER_PRESSED = _colour_from_hex("#DFD0B3")
PAPER_EDGE = _colour_from_hex("#B8A782")
PAPER_LINE = _colour_from_hex("#D3C4A3")
KRAFT = _colour_from_hex("#E2CFA8")
KRAFT_DARK = _colour_from_hex("#CDB68A")
INK = _colour_from_hex("#221C14")
INK_QUIET = _colour_from_hex("#4E4436")
BRASS = _colour_from_hex("#D9A441")
BRASS_LIT = _colour_from_hex("#F4D58C")
BRASS_DARK = _colour_from_hex("#8A6420")
DANGER = _colour_from_hex("#A83F28")
QUIET = _colour_from_hex("#B4C8BC")
SHADOW = _colour_from_hex("#000000", 0.55)
CLEAR = _colour_from_hex("#000000", 0.0)
DARKNESS = _colour_from_hex("#000000")
VEIL = _colour_from_hex("#050B09", 0.72)
SAND = _colour_from_hex("#D8BC85")

HIGH_CONTRAST_COLOURS = {
    "FELT": _colour_from_hex("#000000"),
    "FELT_LIT": _colour_from_hex("#000000"),
    "FELT_DARK": _colour_from_hex("#2E2E2E"),
    "PAPER": _colour_from_hex("#FFFFFF"),
    "PAPER_LIT": _colour_from_hex("#FFFFFF"),
    "PAPER_PRESSED": _colour_from_hex("#D5D5D5"),
    "PAPER_EDGE": _colour_from_hex("#6A6A6A"),
    "PAPER_LINE": _colour_from_hex("#6A6A6A"),
    "KRAFT": _colour_from_hex("#F3E3BE"),
    "INK": _colour_from_hex("#000000"),
    "INK_QUIET": _colour_from_hex("#262626"),
    "BRASS": _colour_from_hex("#FFC22E"),
    "BRASS_DARK": _colour_from_hex("#6B4800"),
    "DANGER": _colour_from_hex("#B00020"),
    "QUIET": _colour_from_hex("#E6E6E6"),
    "VEIL": _colour_from_hex("#000000", 0.85),
}
"""The colours that are different with high contrast, by name."""
_USUAL_COLOURS = {name: globals()[name] for name in HIGH_CONTRAST_COLOURS}


class PlayerLook(msgspec.Struct, frozen=True):
    """The colour and shape of a player; they are always shown together."""

    colour: Colour
    shape: str


PLAYER_LOOKS = {
    name: PlayerLook(_colour_from_hex(sign.colour), sign.shape) for name, sign in SIGN_BY_SEAT_COLOUR.items()
}

PIECE_COLOURS = {
    "red": _colour_from_hex("#B5402E"),
    "blue": _colour_from_hex("#3B6FA8"),
    "yellow": _colour_from_hex("#E3BC3F"),
    "black": _colour_from_hex("#302A25"),
    "white": _colour_from_hex("#FAF6EA"),
    "brown": _colour_from_hex("#8A5A34"),
    "grey": _colour_from_hex("#9A9C96"),
}
"""The drawing colour of each colour name, for pieces that belong to no player.

Each piece has a letter, too.
"""

# Fonts: Kivy draws a label in one font, so ui/widgets/drawing/font_runs.py separates other scripts
TEXT_FONT = "BIZ UDPGothic"
MONEY_FONT = "BIZ UDGothic"
FONT_FOLDER = Path(__file__).parent / "fonts"
FILES_BY_FONT = {
    TEXT_FONT: (FONT_FOLDER / "BIZUDPGothic-Regular.ttf", FONT_FOLDER / "BIZUDPGothic-Bold.ttf"),
    MONEY_FONT: (FONT_FOLDER / "BIZUDGothic-Regular.ttf", FONT_FOLDER / "BIZUDGothic-Bold.ttf"),
    "Noto Sans": (FONT_FOLDER / "NotoSans-Regular.ttf", FONT_FOLDER / "NotoSans-Bold.ttf"),
    "Noto Sans Hebrew": (FONT_FOLDER / "NotoSansHebrew-Regular.ttf", FONT_FOLDER / "NotoSansHebrew-Bold.ttf"),
    "Noto Sans Arabic": (FONT_FOLDER / "NotoSansArabic-Regular.ttf", FONT_FOLDER / "NotoSansArabic-Bold.ttf"),
    "Noto Sans Thai": (FONT_FOLDER / "NotoSansThai-Regular.ttf", FONT_FOLDER / "NotoSansThai-Bold.ttf"),
    "Droid Sans Fallback": (FONT_FOLDER / "DroidSansFallback.ttf", FONT_FOLDER / "DroidSansFallback.ttf"),
    "Noto Emoji": (FONT_FOLDER / "NotoEmoji-Regular.ttf", FONT_FOLDER / "NotoEmoji-Bold.ttf"),
}
"""The regular and bold file of each font, preferred fonts first.

Fonts after `MONEY_FONT` draw the characters that the first two lack.
"""


class Lengths(msgspec.Struct, frozen=True):
    """Lengths in pixels; the defaults are for 800×480."""

    hair: float = 1.2
    line: float = 2.0
    rim: float = 4.0
    gap: float = 8.0
    space: float = 16.0
    margin: float = 20.0
    radius: float = 10.0
    lift: float = 4.0
    blur: float = 14.0
    apart: float = 40.0
    target: float = 64.0
    row: float = 72.0
    bar: float = 84.0
    token: float = 38.0
    min_token: float = 18.5
    chip: float = 64.0
    dot: float = 8.0
    grain: float = 128.0
    glyph: float = 24.0
    piece: float = 42.0
    remark: float = 58.0
    seats: float = 232.0
    strip: float = 150.0
    head: float = 48.0

    smallest: float = 18.0
    min_deciding_digits: float = 20.0
    body: float = 21.0
    note: float = 22.0
    key: float = 23.0
    question: float = 30.0
    title: float = 36.0
    digit: float = 34.0
    bid: float = 36.0
    kana: float = 29.0
    amount: float = 64.0
    number: float = 96.0
    grand: float = 120.0
    falling: float = 168.0


class Look(msgspec.Struct, frozen=True):
    """What people may choose about the look of everything: larger texts, and a higher contrast."""

    has_large_text: bool = False
    has_high_contrast: bool = False


look = Look()
_TEXT_LENGTHS = (
    *("body", "note", "key", "question", "title", "digit", "bid", "kana", "amount", "number", "grand"),
    "falling",
)
"""Lengths of texts that large text makes larger; a text that lacks the room gets as small as `smallest`."""
_LARGE_TEXT_SCALE = 1.15
_OUTLINE_LENGTHS = ("hair", "line", "rim")
_HIGH_CONTRAST_OUTLINE_SCALE = 1.5
_UNSCALED_SHORTER_SIDE = 480
_FRACTION_BY_SHORTER_SIDE = ((480.0, 1.0), (720.0, 0.85), (1080.0, 0.75))
"""The fraction of the full size by the window's shorter side; a larger screen shows more, not only larger."""
length = Lengths()
max_growth = 1.0
"""How much larger than usual things may be that have room to spare.

They are then as large in proportion to the window as in the smallest one.
"""


def size_fraction_at(shorter_side_px: float) -> float:
    """Returns the fraction of a size in proportion to the window at which things are drawn.

    The fraction is 1 for a small window and less for a larger one, interpolated linearly by the shorter side.
    """
    for (lower_side, lower_fraction), (upper_side, upper_fraction) in pairwise(_FRACTION_BY_SHORTER_SIDE):
        if shorter_side_px <= upper_side:
            return lower_fraction + (upper_fraction - lower_fraction) * max(
                0.0, shorter_side_px - lower_side
            ) / (upper_side - lower_side)
    return _FRACTION_BY_SHORTER_SIDE[-1][1]


def with_grown(descending_lengths: Sequence[float]) -> list[float]:
    """Returns the lengths after larger ones: the first, grown by half and by all that `max_growth` allows."""
    growths = (max_growth, (1 + max_growth) / 2) if max_growth > 1 else ()
    return [*(descending_lengths[0] * growth for growth in growths), *descending_lengths]


def grow_count(count: int) -> int:
    """Returns how many rows have room where `count` rows have room in the smallest window."""
    return int(count * max_growth)


def use_look(new_look: Look) -> None:
    """Uses a look: its colours at once, its lengths when `scale_lengths_to_window` is called next."""
    global look  # noqa: PLW0603 one screen, one look
    look = new_look
    globals().update(HIGH_CONTRAST_COLOURS if look.has_high_contrast else _USUAL_COLOURS)


def scale_lengths_to_window(width_px: float, height_px: float) -> None:
    """Scales all lengths to a window of that many pixels; to be called before widgets are built.

    With large text, everything on a larger window is as large in proportion as on the smallest one.
    """
    global length, max_growth  # noqa: PLW0603 one screen, one scale
    shorter_side = min(width_px, height_px)
    fraction = 1.0 if look.has_large_text else size_fraction_at(shorter_side)
    scale, max_growth = shorter_side / _UNSCALED_SHORTER_SIDE * fraction, 1 / fraction
    scale_by_name = dict.fromkeys(Lengths.__struct_fields__, scale)
    if look.has_large_text:
        scale_by_name |= dict.fromkeys(_TEXT_LENGTHS, scale * _LARGE_TEXT_SCALE)
    if look.has_high_contrast:
        scale_by_name |= dict.fromkeys(_OUTLINE_LENGTHS, scale * _HIGH_CONTRAST_OUTLINE_SCALE)
    unscaled = Lengths()
    length = replace(unscaled, **{name: getattr(unscaled, name) * by for name, by in scale_by_name.items()})


def paragraph_line_height(*, is_japanese: bool) -> float:
    """Returns the distance between lines of running text, in font sizes: kana and kanji need more."""
    return 1.4 if is_japanese else NOTE_LINE_HEIGHT


NOTE_LINE_HEIGHT = 1.25
"""The distance between lines of notes, in font sizes, where it makes no letters smaller and hides nothing."""


# Durations in seconds
TURN_SECONDS = 0.28
SLIDE_SECONDS = 0.22
COIN_SLIDE_SECONDS = 0.3
REVEAL_PAUSE_SECONDS = 1.2
SCORE_LINE_SECONDS, MAX_SUM_SECONDS = 0.45, 2.0
"""Seconds between two lines of a sum that adds up, and the most seconds that a whole sum takes."""
CONFETTI_SECONDS = 4.0
"""Seconds in which confetti falls from the upper edge past the lower edge."""
NEXT_ENVELOPE_SECONDS, ALL_ENVELOPES_SECONDS, WINNER_PAUSE_SECONDS = 0.6, 3.0, 1.2
"""From one envelope to the next in a reveal, at most for all of them, and before the winner's."""
PUT_BACK_SECONDS = 3.0
"""How long people are offered to put back what they have just undone."""
RESULT_CARD_SECONDS = 1.5
"""How long the card with a result covers the table, unless somebody touches it."""
CHANGE_SIGN_SECONDS = 3.0
"""How long a sign such as +37 is shown beside a number."""
ACROSS_ROOM_AFTER_SECONDS = 60.0
"""Seconds without a touch until the table is shown in letters that can be read across a room."""
EXPIRED_CLOCK_NOTICE_SECONDS = 2.5
"""How long the notice that a clock has run out is shown to everybody."""
EXPIRED_CLOCK_CHECK_INTERVAL_SECONDS = 0.2
"""Seconds between two checks whether a clock has run out."""
LONG_PRESS_FOR_ACCENTS_SECONDS = 0.45
"""How long a letter is pressed until similar letters are offered."""
WRONG_PINS_WAIT_SECONDS = 30.0
"""How long nobody may enter a PIN after several wrong ones."""
BACKLIGHT_RETRY_SECONDS = 1.0
"""Seconds after which a backlight that couldn't be set is set again."""
WAKING_SECONDS = 0.35
"""Seconds after a touch has woken the screen in which further touches press nothing."""
IGNORED_REPEATED_TOUCH_SECONDS = 0.35
"""Seconds after a new question in which a second touch at the spot of the first is ignored."""

reduced_motion = False
is_read_from_all_sides = False
"""Whether people sit all round the screen, which lies flat, so that they see numbers upside down."""


def animation_seconds(full_seconds: float) -> float:
    """Returns how long an animation of `full_seconds` takes: no time with reduced motion."""
    return 0.0 if reduced_motion else full_seconds
