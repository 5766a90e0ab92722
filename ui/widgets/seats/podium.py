"""A podium of paper and brass with the tokens of the best players on it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from companion.table.scores import Standing
from ui import theme
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    draw_border,
    draw_grain,
    draw_shadow,
    fill_rounded_box,
    inset_box,
)
from ui.widgets.drawing.symbols import draw_filled_dot, draw_player_token
from ui.widgets.drawing.text import (
    draw_text,
    draw_text_lines,
    is_name_whole,
    measure_text_width,
    wrap_name,
)

BLOCK_HEIGHT_SHARE_BY_RANK = {1: 1.0, 2: 0.82, 3: 0.66}
"""The height of each block, as a share of the highest."""
COLUMN_BY_RANK = {2: 0, 1: 1, 3: 2}
"""The winner stands in the middle, the second at the left of the winner."""
MAX_TOKENS_IN_ROW, MAX_TOKENS_IN_ROW_IF_ALONE = 3, 6
MAX_TOKEN_WIDTH_SHARE = 0.56
"""The greatest width of a single token, as a share of its block."""
TOKENS_HEIGHT_SHARE, TOKENS_HEIGHT_SHARE_IF_ALONE = 0.25, 0.5
"""The height above the highest block, or above the only one, for the tokens on it."""
MAX_NAMES_ON_BLOCK = 2
MIN_HEIGHT_FOR_LARGE_NAMES = 3.5
"""The least height of a podium with large names, in rows."""
NAME_LINE_HEIGHT_EM, TOTAL_HEIGHT_EM = 1.2, 1.05
MEDAL_MARGIN_SHARE = 0.12
"""The margin above and below the medal, as a share of its width."""


def standings_by_podium_rank(standings: Sequence[Standing]) -> dict[int, list[Standing]]:
    """Returns who stands on which block: players of rank 1 to 3 who aren't eliminated."""
    return {
        rank: on_block
        for rank in BLOCK_HEIGHT_SHARE_BY_RANK
        if (on_block := [each for each in standings if each.rank == rank and not each.is_eliminated])
    }


class Podium(AutoRedrawWidget):
    """A podium for the best three ranks; players who share a rank share its block.

    The names are on the blocks, and the totals below them, if all of them have room there.
    """

    def __init__(self, standings: Sequence[Standing], **kwargs: Any) -> None:
        self._standings_by_rank = standings_by_podium_rank(standings)
        self._standings = [each for on_block in self._standings_by_rank.values() for each in on_block]
        self.visible_texts: list[str] = []
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Draws the blocks from the lowest to the highest, which casts its shadow on the others."""
        boxes = {rank: self._block_box(rank) for rank in self._standings_by_rank}
        with_names, with_total = (
            all(self._has_room(rank, box, with_total=total) for rank, box in boxes.items())
            for total in (False, True)
        )
        self.visible_texts = []
        for rank in sorted(boxes, reverse=True):
            self._draw_block(rank, boxes[rank])
            self._draw_tokens(self._standings_by_rank[rank], boxes[rank])
            if with_names:
                self._draw_names(rank, boxes[rank], with_total=with_total)

    def _block_box(self, rank: int) -> Box:
        """Returns the box of a block; a single block is as wide as two."""
        width = self.width * (2 / 3 if self._is_one_block else 1 / 3)
        left = self.center_x - width / 2 if self._is_one_block else self.x + width * COLUMN_BY_RANK[rank]
        height = (self.height - self._tokens_height) * BLOCK_HEIGHT_SHARE_BY_RANK[rank]
        return left, self.y, width, height

    @property
    def _is_one_block(self) -> bool:
        """Whether there is one block only, because all win together."""
        return len(self._standings_by_rank) == 1

    @property
    def _tokens_height(self) -> float:
        share = TOKENS_HEIGHT_SHARE_IF_ALONE if self._is_one_block else TOKENS_HEIGHT_SHARE
        return float(self.height * share)

    def _draw_block(self, rank: int, box: Box) -> None:
        x, y, width, height = box
        plate_height = self._plate_height
        radius = theme.length.radius * 0.4
        draw_shadow(box, theme.length.line)
        fill_rounded_box(theme.PAPER if rank == 1 else theme.KRAFT, (x, y, width, height), radius)
        draw_grain(box, 0.05, radius)
        draw_border(theme.PAPER_EDGE, box, theme.length.hair, radius)
        sizes = theme.length
        plate = (x - sizes.line, y + height - plate_height, width + 2 * sizes.line, plate_height)
        plate_edge = (plate[0], plate[1] - sizes.line, plate[2], plate[3])
        fill_rounded_box(theme.BRASS_DARK, plate_edge, radius)
        fill_rounded_box(theme.BRASS, plate, radius)
        light = (plate[0], plate[1] + plate_height * 0.6, plate[2], plate_height * 0.3)
        fill_rounded_box(theme.BRASS_LIT, inset_box(light, sizes.hair), radius)
        side = self._medal_side
        medal = (
            x + width / 2 - side / 2,
            y + height - plate_height - side * (1 + MEDAL_MARGIN_SHARE),
            side,
            side,
        )
        draw_filled_dot(medal, theme.BRASS_DARK)
        draw_filled_dot(inset_box(medal, side * 0.04), theme.BRASS)
        draw_filled_dot(inset_box(medal, side * 0.1), theme.PAPER_LIT)
        centre = (medal[0] + side / 2, medal[1] + side / 2)
        draw_text(str(rank), centre, side * 0.6, theme.INK, theme.MONEY_FONT)
        self.visible_texts.append(str(rank))

    @property
    def _plate_height(self) -> float:
        """The height of the brass plate on top of each block."""
        return float(max(theme.length.line * 3, self.height * 0.035))

    @property
    def _medal_side(self) -> float:
        """The width of the medal with the rank, which is on the front of each block."""
        return float(min(self.height * 0.16, self.width / 3 * 0.5))

    def _draw_tokens(self, standings: Sequence[Standing], block: Box) -> None:
        """Draws the tokens of all players on a block, in rows if there are many."""
        x, y, width, height = block
        max_in_row = MAX_TOKENS_IN_ROW_IF_ALONE if self._is_one_block else MAX_TOKENS_IN_ROW
        row_count = ceil(len(standings) / max_in_row)
        in_row = ceil(len(standings) / row_count)
        room = self._tokens_height * 0.9 / row_count
        side = min(room, width * MAX_TOKEN_WIDTH_SHARE, width * 0.94 / in_row)
        for index, standing in enumerate(standings):
            row, column = divmod(index, in_row)
            columns = min(in_row, len(standings) - row * in_row)
            left = x + width / 2 + (column - columns / 2) * side
            token = (left, y + height + row * side + theme.length.line, side, side)
            draw_player_token(standing.seat.colour, inset_box(token, side * 0.04))

    def _has_room(self, rank: int, block: Box, *, with_total: bool) -> bool:
        """Returns whether the whole names have room on a block, with or without the total."""
        names = [standing.seat.name for standing in self._standings_by_rank[rank]]
        height = len(self._name_lines(rank, block)) * self._name_size * NAME_LINE_HEIGHT_EM
        height += theme.length.digit * TOTAL_HEIGHT_EM if with_total else 0
        return (
            len(names) <= MAX_NAMES_ON_BLOCK
            and height <= self._room_below_medal(block)
            and all(is_name_whole(name, wrap_name(name, self._name_width(block))) for name in names)
        )

    def _name_width(self, block: Box) -> float:
        return float(block[2] - theme.length.gap)

    @property
    def _name_size(self) -> float:
        """The font size of all names: larger if each of them fits in one line then."""
        sizes, names = theme.length, [each.seat.name for each in self._standings]
        width = self.width / 3 - sizes.gap
        is_wide = all(measure_text_width(name, sizes.question) <= width for name in names)
        return (
            sizes.question
            if is_wide and self.height > MIN_HEIGHT_FOR_LARGE_NAMES * sizes.row
            else sizes.smallest
        )

    def _name_lines(self, rank: int, block: Box) -> list[str]:
        width, standings = self._name_width(block), self._standings_by_rank[rank]
        return [line for standing in standings for line in wrap_name(standing.seat.name, width)]

    def _room_below_medal(self, block: Box) -> float:
        return float(block[3] - self._plate_height - self._medal_side * (1 + 2 * MEDAL_MARGIN_SHARE))

    def _draw_names(self, rank: int, block: Box, *, with_total: bool) -> None:
        """Draws the names on the front of a block, and the total below them."""
        x, y, width, _height = block
        sizes, lines = theme.length, self._name_lines(rank, block)
        names_height = len(lines) * self._name_size * NAME_LINE_HEIGHT_EM
        total_height = sizes.digit * TOTAL_HEIGHT_EM if with_total else 0.0
        top = y + self._room_below_medal(block)
        free_height = min(sizes.gap, (top - y - names_height - total_height) / 2)
        centre = (x + width / 2, top - free_height - names_height / 2)
        draw_text_lines(lines, centre, self._name_size, theme.INK)
        standings = self._standings_by_rank[rank]
        self.visible_texts += [standing.seat.name for standing in standings]
        if with_total:
            total = " / ".join(dict.fromkeys(str(standing.total) for standing in standings))
            centre = (x + width / 2, top - 2 * free_height - names_height - total_height / 2)
            draw_text(total, centre, sizes.digit, theme.INK, theme.MONEY_FONT)
            self.visible_texts.append(total)
