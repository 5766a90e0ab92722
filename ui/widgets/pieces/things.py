"""Draws pieces of wood, metal and stone: coin, cube, gem, chip, tile.

A player's piece has the player's shape, money its colour, any other piece a letter of its name, because some
people can't tell the colours apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest

from companion.languages import ENGLISH
from companion.table.ledger import Piece
from companion.texts import render
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import Color, SmoothEllipse, SmoothLine
from ui.widgets.drawing.surfaces import Box, draw_border, fill_rounded_box, inset_box
from ui.widgets.drawing.symbols import draw_shape
from ui.widgets.drawing.text import draw_text, measure_text_width
from ui.words import get_running_translator

MAX_BRIGHTNESS_FOR_LIGHT_INK = 0.45
"""Maximum brightness of a piece with a light letter; brighter pieces have dark letters."""
MONEY_LOOK_AND_COLOUR = ("coin", "yellow")
"""Look and colour of a piece that everybody knows as money."""


def piece_colour(colour_name: str) -> Colour:
    """Returns the colour of a piece by the colour's name; brass without a known name."""
    if colour_name in theme.PLAYER_LOOKS:
        return theme.PLAYER_LOOKS[colour_name].colour
    return theme.PIECE_COLOURS.get(colour_name, theme.BRASS)


@lru_cache(maxsize=256)  # a layout that is tried makes the marks of all pieces again
def _colour_letter(colour: str, lang: str) -> str:
    """Returns the letter that stands for a colour, or ""."""
    app = get_running_translator()
    letters: dict[str, str] = {
        "red": app.words.translate_text(lang, "R"),
        "blue": app.words.translate_text(lang, "B"),
        "yellow": app.words.translate_text(lang, "Y"),
        "black": app.words.translate_text(lang, "K"),
        "white": app.words.translate_text(lang, "W"),
        "brown": app.words.translate_text(lang, "N"),
        "grey": app.words.translate_text(lang, "A"),
        "green": app.words.translate_text(lang, "G"),
        "orange": app.words.translate_text(lang, "O"),
        "sky": app.words.translate_text(lang, "S"),
        "vermilion": app.words.translate_text(lang, "V"),
        "purple": app.words.translate_text(lang, "P"),
    }
    return letters.get(colour, "")


def name_letters(piece: Piece, lang: str) -> str:
    """Returns the letter that stands for a piece's name, or two if another piece of the game needs it; or "".

    A piece that is named by its colour, such as a red gem, has the letter of the colour.
    """
    if not _has_letter(piece):
        return ""
    if _is_named_by_colour(piece):
        return _colour_letter(piece.colour, lang)
    pieces = _pieces_with_letters
    return _letters_of_names(pieces if piece in pieces else pieces | {piece}, lang)[_own_name(piece, lang)]


_pieces_with_letters: frozenset[Piece] = frozenset()


def use_pieces_of_game(pieces: Iterable[Piece]) -> None:
    """Takes the pieces of the game that is shown next, so that each name has letters of its own."""
    global _pieces_with_letters  # noqa: PLW0603 one screen, one game
    _pieces_with_letters = frozenset(filter(_has_letter, pieces))


def _has_letter(piece: Piece) -> bool:
    """Returns whether a piece has a letter: not money, unless its colour is unusual, nor a player's piece."""
    if piece.look not in _DRAW_FUNCTION_BY_LOOK or (piece.look, piece.colour) == MONEY_LOOK_AND_COLOUR:
        return False
    is_player_s = piece.look in ("coin", "cube") and piece.colour in theme.PLAYER_LOOKS
    return not is_player_s and (piece.look != "coin" or bool(piece.colour))


@lru_cache(maxsize=256)
def _is_named_by_colour(piece: Piece) -> bool:
    return piece.colour in render(piece, ENGLISH).lower().split()


def _own_name(piece: Piece, lang: str) -> str:
    """Returns what tells the name of a piece from that of others: "A" of an A tile."""
    words = [value for _, value in piece.label.args if isinstance(value, str)]
    return words[0] if words else render(piece, lang)


@lru_cache(maxsize=256)  # each drawing of a piece asks again
def _letters_of_names(pieces: frozenset[Piece], lang: str) -> Mapping[str, str]:
    """Returns the letters of each name: its first one, or two if another piece has the first one, too."""
    taken = {_colour_letter(piece.colour, lang) for piece in pieces if _is_named_by_colour(piece)}
    names_by_first: dict[str, list[str]] = {}
    for name in sorted({_own_name(piece, lang) for piece in pieces if not _is_named_by_colour(piece)}):
        names_by_first.setdefault(name[:1].upper(), []).append(name)
    letters: dict[str, str] = {}
    for first, names in names_by_first.items():
        is_unique = len(names) == 1 and first not in taken
        seconds = [""] if is_unique else _find_second_letters(names)
        letters |= {name: first + second for name, second in zip(names, seconds, strict=True)}
    return letters


def _find_second_letters(names: Sequence[str]) -> Sequence[str]:
    """Returns a letter of each name that no other name has at the same place, or else numbers."""
    places = ([letter.strip() for letter in column] for column in zip_longest(*names, fillvalue=""))
    numbers = [str(number) for number in range(1, len(names) + 1)]
    fitting = (column for column in list(places)[1:] if all(column) and len(set(column)) == len(names))
    return next(fitting, numbers)


def draw_solid_piece(piece: Piece, letter: str, box: Box) -> None:
    """Draws a coin, cube, gem, chip or tile in a square box, with a letter or a player's shape."""
    colour = piece_colour(piece.colour)
    _DRAW_FUNCTION_BY_LOOK[piece.look](colour, box)
    if not letter and piece.colour in theme.PLAYER_LOOKS:
        shape_colour = theme.blend_colours(colour, theme.PAPER_LIT, 0.75)
        shape = theme.PLAYER_LOOKS[piece.colour].shape
        draw_shape(shape, inset_box(box, box[2] * 0.24), shape_colour, theme.INK, theme.length.hair)
        return
    is_dark = sum(colour[:3]) / 3 < MAX_BRIGHTNESS_FOR_LIGHT_INK
    middle = (box[0] + box[2] / 2, box[1] + box[3] / 2)
    size = max(theme.length.smallest * 0.9, box[3] * 0.6)
    inner_width = box[2] - 2 * (theme.length.line + theme.length.hair)
    size *= min(1.0, inner_width / max(1.0, measure_text_width(letter, size)))  # Japanese letters are wide
    draw_text(letter, middle, size, theme.PAPER if is_dark else theme.INK)


def _draw_coin(colour: Colour, box: Box) -> None:
    _draw_chip(colour, box)
    box = inset_box(box, theme.length.hair)
    Color(*theme.blend_colours(colour, theme.INK, 0.35))
    middle, radius = (box[0] + box[2] / 2, box[1] + box[3] / 2), box[2] * 0.4
    SmoothLine(circle=(*middle, radius), width=theme.length.hair * 0.6)


def _draw_chip(colour: Colour, box: Box) -> None:
    box = inset_box(box, theme.length.hair)
    Color(*theme.INK)
    SmoothEllipse(pos=box[:2], size=box[2:])
    inner = inset_box(box, theme.length.hair)
    Color(*colour)
    SmoothEllipse(pos=inner[:2], size=inner[2:])


def _draw_cube(colour: Colour, box: Box) -> None:
    box = inset_box(box, theme.length.line)
    fill_rounded_box(colour, box, theme.length.line)
    x, y, width, height = box
    Color(*theme.blend_colours(colour, theme.PAPER_LIT, 0.4))
    SmoothLine(
        points=[x, y + height * 0.94, x + width * 0.94, y + height * 0.94], width=theme.length.line * 0.7
    )
    draw_border(theme.INK, inset_box(box, -theme.length.hair / 2), theme.length.hair * 1.4, theme.length.line)


def _draw_gem(colour: Colour, box: Box) -> None:
    draw_shape("gem", box, colour, theme.INK, theme.length.hair * 1.4)


def _draw_tile(colour: Colour, box: Box) -> None:
    box = inset_box(box, theme.length.hair)
    fill_rounded_box(theme.SAND if colour == theme.BRASS else colour, box, theme.length.line)
    draw_border(theme.INK, box, theme.length.hair * 1.4, theme.length.line)


_DRAW_FUNCTION_BY_LOOK: dict[str, Callable[[Colour, Box], None]] = {
    "coin": _draw_coin,
    "chip": _draw_chip,
    "cube": _draw_cube,
    "gem": _draw_gem,
    "tile": _draw_tile,
}
SOLID_PIECE_LOOKS = tuple(_DRAW_FUNCTION_BY_LOOK)
"""Looks of pieces that this module draws; cards have their own module."""
