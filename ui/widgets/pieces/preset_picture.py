"""Draws the picture of a preset: what it keeps track of, on felt, and for how many players it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin

from companion.rules.preset_pictures import PieceLook, PresetPicture
from companion.table.ledger import Piece
from companion.texts import say_plain_text
from ui import theme
from ui.widgets.drawing.canvas_diff import Color, SmoothEllipse, SmoothLine
from ui.widgets.drawing.surfaces import Box, draw_border, draw_paper, fill_rounded_box, inset_box
from ui.widgets.drawing.symbols import draw_filled_dot, draw_shape
from ui.widgets.drawing.text import draw_text, measure_text_width
from ui.widgets.pieces.signs import draw_printed_sign
from ui.widgets.pieces.things import SOLID_PIECE_LOOKS, draw_solid_piece, piece_colour

MAX_ITEMS = 5
"""The most signs and pieces in a picture."""
LARGE_ITEM_SIDE, SMALL_ITEM_SIDE = 0.66, 0.4
"""Sides of the first item and of all others beside it, as shares of the height of the scene."""
SINGLE_ITEM_SIDE = 0.84
PAPER_LINE_ROWS, PAPER_COLUMNS = 4, 3
"""Rows and columns of a score sheet in a picture."""


def draw_preset_picture(picture: PresetPicture, players_text: str, box: Box) -> None:
    """Draws a picture in a box; the number of players stands at its lower edge, unless it is empty."""
    fill_rounded_box(theme.BRASS_DARK, box)
    inner = inset_box(box, theme.length.line)
    fill_rounded_box(theme.FELT_LIT, inner, theme.length.radius * 0.8)
    x, y, width, height = inset_box(inner, theme.length.gap / 2)
    if not width or not height:  # the box isn't laid out yet
        return
    strip_height = theme.length.smallest * 1.2 if players_text else 0.0
    # A saved picture of another version may have signs that this version doesn't know.
    items: list[str | PieceLook] = [sign for sign in picture.signs if sign in _DRAW_FUNCTION_BY_SIGN]
    items = (items + list(picture.pieces))[:MAX_ITEMS]
    scene = (x, y + strip_height, width, height - strip_height)
    for item, item_box in zip(items, place_items(scene, len(items)), strict=True):
        if isinstance(item, PieceLook):
            _draw_piece(item, item_box)
        else:
            _DRAW_FUNCTION_BY_SIGN[item](item_box)
    if players_text:
        _draw_players(players_text, (x, y, width, strip_height))


def place_items(box: Box, count: int) -> list[Box]:
    """Returns square boxes for the items of a picture: the first is large, the others are beside it."""
    x, y, width, height = box
    if not count:
        return []
    if count == 1:
        side = min(width, height * SINGLE_ITEM_SIDE)
        return [(x + (width - side) / 2, y + (height - side) / 2, side, side)]
    large, small = height * LARGE_ITEM_SIDE, height * SMALL_ITEM_SIDE
    columns = max(1, count // 2)
    gap = theme.length.gap / 4
    small = min(small, (width - large * 0.8) / columns - gap)
    total_width = large + columns * (small + gap)
    left = x + (width - total_width) / 2
    boxes = [(left, y + (height - large) / 2, large, large)]
    for index in range(count - 1):
        column, row = divmod(index, 2)
        is_alone = index == count - 2 and row == 0
        middle = y + height / 2 if is_alone else y + height * (0.74 if row == 0 else 0.26)
        boxes.append((left + large + gap + column * (small + gap), middle - small / 2, small, small))
    return boxes


def _draw_players(players_text: str, box: Box) -> None:
    """Draws a figure and the number of players."""
    x, y, width, height = box
    size, figure = theme.length.smallest, theme.length.smallest * 0.85
    text_width = measure_text_width(players_text, size, theme.MONEY_FONT)
    gap = theme.length.gap / 2
    left = x + (width - figure - gap - text_width) / 2
    draw_printed_sign("people", (left, y + (height - figure) / 2, figure, figure), theme.QUIET)
    middle = (left + figure + gap + text_width / 2, y + height / 2)
    draw_text(players_text, middle, size, theme.PAPER, theme.MONEY_FONT)


def _draw_piece(look: PieceLook, box: Box) -> None:
    if look.look in SOLID_PIECE_LOOKS:
        draw_solid_piece(Piece("", say_plain_text(""), look=look.look, colour=look.colour), "", box)
        return
    x, y, width, height = box  # a card, such as a share
    paper = (x, y + height * 0.12, width, height * 0.76)
    draw_paper(paper, theme.length.hair, theme.PAPER, theme.length.line)
    band = (x, y + height * 0.58, width, height * 0.3)
    fill_rounded_box(piece_colour(look.colour), band, theme.length.line)
    draw_border(theme.INK, paper, theme.length.hair, theme.length.line)


# The signs


def _draw_lines(points_of_lines: Sequence[Sequence[float]], width: float) -> None:
    for points in points_of_lines:
        SmoothLine(points=list(points), width=width, cap="round", joint="round")


def _draw_score_sheet(box: Box) -> None:
    x, y, width, height = inset_box(box, box[2] * 0.06)
    draw_paper((x, y, width, height), theme.length.hair, theme.PAPER, theme.length.line)
    row, column = height / (PAPER_LINE_ROWS + 1), width / PAPER_COLUMNS
    looks = list(theme.PLAYER_LOOKS.values())[:PAPER_COLUMNS]
    for index, look in enumerate(looks):
        side = min(row, column) * 0.72
        middle = x + column * (index + 0.5), y + height - row / 2
        sign_box = (middle[0] - side / 2, middle[1] - side / 2, side, side)
        draw_shape(look.shape, sign_box, look.colour, theme.INK, theme.length.hair * 0.8)
    Color(*theme.INK_QUIET)
    _draw_lines(
        [
            (x + column * 0.2, y + row * at, x + width - column * 0.2, y + row * at)
            for at in range(1, PAPER_LINE_ROWS + 1)
        ],
        theme.length.hair * 0.5,
    )
    _draw_lines(
        [
            (x + column * at, y + row * 0.4, x + column * at, y + height - row * 0.3)
            for at in range(1, PAPER_COLUMNS)
        ],
        theme.length.hair * 0.5,
    )


def _draw_boxes(box: Box) -> None:
    paper = inset_box(box, box[2] * 0.06)
    draw_paper(paper, theme.length.hair, theme.PAPER, theme.length.line)
    x, y, width, height = inset_box(paper, box[2] * 0.1)
    side = min(width / 2, height / 3) * 0.72
    for index in range(6):
        row, column = divmod(index, 2)
        left = x + width * (column + 0.5) / 2 - side / 2
        bottom = y + height - height * (row + 0.5) / 3 - side / 2
        draw_border(theme.INK, (left, bottom, side, side), theme.length.hair, theme.length.line / 2)
        if index in (0, 3):
            Color(*theme.BRASS_DARK)
            tick = (
                left + side * 0.2,
                bottom + side * 0.5,
                left + side * 0.42,
                bottom + side * 0.24,
                left + side * 0.82,
                bottom + side * 0.8,
            )
            _draw_lines([tick], theme.length.hair)


def _draw_cards(box: Box) -> None:
    x, y, width, height = box
    card_width, card_height = width * 0.5, height * 0.74
    shapes = (("diamond", theme.DANGER), ("clover", theme.INK), ("heart", theme.DANGER))
    for index, (shape, colour) in enumerate(shapes):
        left = x + (width - card_width) * index / 2
        bottom = y + height * (0.08 + 0.08 * (1 - abs(index - 1)))
        draw_paper((left, bottom, card_width, card_height), theme.length.hair, theme.PAPER, theme.length.line)
        draw_border(
            theme.INK, (left, bottom, card_width, card_height), theme.length.hair * 0.7, theme.length.line
        )
        side = card_width * 0.46
        draw_shape(
            shape,
            (left + card_width * 0.1, bottom + card_height - side * 1.25, side, side),
            colour,
            theme.INK,
            theme.length.hair * 0.5,
        )


def _draw_envelope(box: Box) -> None:
    x, y, width, height = box
    body = (x, y + height * 0.14, width, height * 0.7)
    draw_paper(body, theme.length.hair, theme.KRAFT, theme.length.line)
    Color(*theme.KRAFT_DARK)
    fold = x + width / 2, y + height * 0.42
    _draw_lines([(x, body[1] + body[3], *fold, x + width, body[1] + body[3])], theme.length.line)
    draw_border(theme.INK, body, theme.length.hair * 0.7, theme.length.line)
    seal = width * 0.26
    draw_filled_dot((fold[0] - seal / 2, fold[1] - seal / 2, seal, seal), theme.DANGER)


def _draw_hammer(box: Box) -> None:
    x, y, side, _ = box
    wood, dark = (
        theme.PIECE_COLOURS["brown"],
        theme.blend_colours(theme.PIECE_COLOURS["brown"], theme.INK, 0.5),
    )
    handle = (x + side * 0.12, y + side * 0.2, x + side * 0.58, y + side * 0.6)
    head = (x + side * 0.42, y + side * 0.82, x + side * 0.78, y + side * 0.42)
    for points, width in ((handle, side * 0.055), (head, side * 0.14)):
        Color(*dark)
        SmoothLine(points=list(points), width=width + theme.length.hair, cap="square")
        Color(*wood)
        SmoothLine(points=list(points), width=width, cap="square")
    Color(*theme.BRASS)
    band = (x + side * 0.54, y + side * 0.56, x + side * 0.67, y + side * 0.68)
    SmoothLine(points=list(band), width=side * 0.03, cap="none")
    plate = (x + side * 0.5, y + side * 0.06, side * 0.46, side * 0.12)
    fill_rounded_box(dark, plate, theme.length.line)
    fill_rounded_box(wood, inset_box(plate, theme.length.hair), theme.length.line)


def _draw_track(box: Box) -> None:
    x, y, side, _ = box
    steps = [(0.14, 0.2), (0.44, 0.2), (0.74, 0.32), (0.66, 0.6), (0.36, 0.62), (0.24, 0.86), (0.56, 0.88)]
    points = [(x + side * across, y + side * up) for across, up in steps]
    Color(*theme.SAND)
    _draw_lines([[value for point in points for value in point]], theme.length.hair)
    dot = side * 0.19
    for index, (across, up) in enumerate(points):
        place = (across - dot / 2, up - dot / 2, dot, dot)
        draw_filled_dot(place, theme.INK)
        is_reached = index < 4  # noqa: PLR2004 the marker stands on the fourth step
        draw_filled_dot(inset_box(place, theme.length.hair), theme.BRASS if is_reached else theme.PAPER)


def _draw_die(box: Box) -> None:
    x, y, side, _ = inset_box(box, box[2] * 0.1)
    draw_paper((x, y, side, side), theme.length.line, theme.PAPER_LIT, side * 0.2)
    draw_border(theme.INK, (x, y, side, side), theme.length.hair, side * 0.2)
    pip = side * 0.18
    for across, up in ((0.26, 0.26), (0.74, 0.74), (0.26, 0.74), (0.74, 0.26), (0.5, 0.5)):
        draw_filled_dot((x + side * across - pip / 2, y + side * up - pip / 2, pip, pip), theme.INK)


def _draw_clock(box: Box) -> None:
    x, y, side, _ = inset_box(box, box[2] * 0.08)
    middle = x + side / 2, y + side / 2
    draw_filled_dot((x, y, side, side), theme.BRASS_DARK)
    draw_filled_dot(inset_box((x, y, side, side), side * 0.07), theme.PAPER)
    Color(*theme.INK)
    for hour in range(0, 12, 3):
        way = cos(pi * hour / 6), sin(pi * hour / 6)
        ends = [middle[axis] + way[axis] * side * share for share in (0.33, 0.38) for axis in (0, 1)]
        _draw_lines([ends], theme.length.hair)
    for direction, share in ((1.4, 0.22), (3.0, 0.31)):
        way = cos(pi * direction / 6), sin(pi * direction / 6)
        hand = (*middle, middle[0] + way[0] * side * share, middle[1] + way[1] * side * share)
        _draw_lines([hand], theme.length.line * 0.8)
    SmoothEllipse(pos=(middle[0] - side * 0.05, middle[1] - side * 0.05), size=(side * 0.1, side * 0.1))


def _draw_bracket(box: Box) -> None:
    x, y, side, _ = box
    Color(*theme.PAPER)
    heights = (0.12, 0.37, 0.63, 0.88)
    lines = [(0.08, at, 0.36, at) for at in heights]
    lines += [(0.36, 0.12, 0.36, 0.37), (0.36, 0.63, 0.36, 0.88)]
    lines += [(0.36, 0.245, 0.62, 0.245), (0.36, 0.755, 0.62, 0.755)]
    lines += [(0.62, 0.245, 0.62, 0.755), (0.62, 0.5, 0.76, 0.5)]
    _draw_lines(
        [[x + side * line[0], y + side * line[1], x + side * line[2], y + side * line[3]] for line in lines],
        theme.length.line * 0.8,
    )
    star = side * 0.36
    draw_shape(
        "star", (x + side * 0.68, y + side * 0.32, star, star), theme.BRASS, theme.INK, theme.length.hair
    )


def _draw_podium(box: Box) -> None:
    x, y, side, _ = box
    for place, left, height in ((2, 0.06, 0.38), (1, 0.36, 0.56), (3, 0.66, 0.26)):
        step = (x + side * left, y + side * 0.08, side * 0.29, side * height)
        draw_paper(step, theme.length.hair, theme.SAND, theme.length.line)
        draw_border(theme.INK, step, theme.length.hair, theme.length.line)
        if place == 1:
            star = side * 0.3
            star_box = (step[0] + (step[2] - star) / 2, step[1] + step[3] + side * 0.02, star, star)
            draw_shape("star", star_box, theme.BRASS, theme.INK, theme.length.hair)


def _draw_map(box: Box) -> None:
    x, y, side, _ = box
    colours = ("yellow", "blue", "brown", "red", "grey", "white", "blue")
    places = ((0.5, 0.5), (0.5, 0.8), (0.76, 0.65), (0.76, 0.35), (0.5, 0.2), (0.24, 0.35), (0.24, 0.65))
    hexagon = side * 0.33
    for colour, (across, up) in zip(colours, places, strict=True):
        place = (x + side * across - hexagon / 2, y + side * up - hexagon / 2, hexagon, hexagon)
        draw_shape("gem", place, theme.PIECE_COLOURS[colour], theme.INK, theme.length.hair * 0.8)


def _draw_figure(box: Box, colour: theme.Colour) -> None:
    """Draws a person: head and shoulders, with an outline."""
    x, y, side, _ = box
    for outline, shade in ((theme.length.hair, theme.INK), (0.0, colour)):
        head = inset_box((x + side * 0.29, y + side * 0.56, side * 0.42, side * 0.42), -outline)
        body = inset_box((x + side * 0.14, y + side * 0.04, side * 0.72, side * 0.5), -outline)
        fill_rounded_box(shade, body, side * 0.24)
        draw_filled_dot(head, shade)


def _draw_teams(box: Box) -> None:
    x, y, side, _ = box
    looks = list(theme.PLAYER_LOOKS.values())
    for left, up, look in (
        (0.0, 0.36, looks[0]),
        (0.46, 0.36, looks[1]),
        (0.46, 0.0, looks[0]),
        (0.0, 0.0, looks[1]),
    ):
        _draw_figure((x + side * left, y + side * up, side * 0.5, side * 0.5), look.colour)


def _draw_out(box: Box) -> None:
    x, y, side, _ = box
    _draw_figure(box, theme.PIECE_COLOURS["grey"])
    Color(*theme.DANGER)
    _draw_lines([(x + side * 0.12, y + side * 0.1, x + side * 0.88, y + side * 0.9)], side * 0.05)


def _draw_star(box: Box) -> None:
    draw_shape("star", box, theme.BRASS, theme.INK, theme.length.hair)


def _draw_half(box: Box) -> None:
    x, y, side, _ = box
    disc = inset_box(box, side * 0.06)
    draw_filled_dot(disc, theme.INK)
    draw_filled_dot(inset_box(disc, theme.length.hair), theme.BRASS_LIT)
    draw_text("½", (x + side / 2, y + side / 2), side * 0.6, theme.INK)


def _draw_scales(box: Box) -> None:
    x, y, side, _ = box
    Color(*theme.BRASS)
    _draw_lines(
        [
            (x + side * 0.5, y + side * 0.1, x + side * 0.5, y + side * 0.84),
            (x + side * 0.3, y + side * 0.1, x + side * 0.7, y + side * 0.1),
            (x + side * 0.14, y + side * 0.78, x + side * 0.86, y + side * 0.78),
        ],
        theme.length.line * 0.8,
    )
    for across in (0.16, 0.84):
        top = x + side * across, y + side * 0.78
        pan = (top[0] - side * 0.17, y + side * 0.4, top[0] + side * 0.17, y + side * 0.4)
        Color(*theme.BRASS)
        _draw_lines([(pan[0], pan[1], *top, pan[2], pan[3])], theme.length.hair * 0.7)
        fill_rounded_box(theme.BRASS, (pan[0], pan[1] - side * 0.08, side * 0.34, side * 0.09), side * 0.04)


def _draw_arrow_down(box: Box) -> None:
    x, y, side, _ = box
    points = [(0.5, 0.06), (0.9, 0.46), (0.66, 0.46), (0.66, 0.92), (0.34, 0.92), (0.34, 0.46), (0.1, 0.46)]
    flat = [value for across, up in points for value in (x + side * across, y + side * up)]
    Color(*theme.PAPER)
    SmoothLine(points=[*flat, *flat[:2]], width=theme.length.line * 0.8, joint="round")


def _draw_flag(box: Box) -> None:
    x, y, side, _ = box
    Color(*theme.SAND)
    _draw_lines([(x + side * 0.2, y + side * 0.06, x + side * 0.2, y + side * 0.94)], theme.length.line)
    cell = side * 0.2
    for row, column in ((row, column) for row in range(3) for column in range(3)):
        colour = theme.INK if (row + column) % 2 else theme.PAPER
        square = (x + side * 0.22 + cell * column, y + side * 0.3 + cell * row, cell, cell)
        fill_rounded_box(colour, square, 0.0)


def _draw_tag(box: Box) -> None:
    x, y, side, _ = box
    paper = (x + side * 0.06, y + side * 0.26, side * 0.88, side * 0.48)
    draw_paper(paper, theme.length.hair, theme.KRAFT, side * 0.12)
    draw_border(theme.INK, paper, theme.length.hair, side * 0.12)
    draw_filled_dot((x + side * 0.14, y + side * 0.43, side * 0.14, side * 0.14), theme.FELT)
    Color(*theme.INK_QUIET)
    _draw_lines(
        [(x + side * 0.38, y + side * up, x + side * 0.82, y + side * up) for up in (0.42, 0.58)],
        theme.length.hair * 0.8,
    )


_DRAW_FUNCTION_BY_SIGN: dict[str, Callable[[Box], None]] = {
    "score sheet": _draw_score_sheet,
    "boxes": _draw_boxes,
    "cards": _draw_cards,
    "envelope": _draw_envelope,
    "hammer": _draw_hammer,
    "track": _draw_track,
    "dice": _draw_die,
    "clock": _draw_clock,
    "bracket": _draw_bracket,
    "podium": _draw_podium,
    "map": _draw_map,
    "teams": _draw_teams,
    "star": _draw_star,
    "half": _draw_half,
    "scales": _draw_scales,
    "out": _draw_out,
    "arrow down": _draw_arrow_down,
    "flag": _draw_flag,
    "tag": _draw_tag,
}
