"""A podium of paper and brass with the tokens of the best players on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

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
    min_name_width,
    wrap_name,
)

BLOCK_HEIGHT_SHARE_BY_RANK = {1: 1.0, 2: 0.82, 3: 0.66}
"""The height of each block, as a share of the highest."""
COLUMN_BY_RANK = {2: 0, 1: 1, 3: 2}
"""The winner stands in the middle, the second at the left of the winner."""
MAX_TOKENS_IN_ROW, MAX_TOKENS_IN_ROW_IF_ALONE = 3, 6
MAX_TOKEN_WIDTH_SHARE = 0.56
"""The greatest width of a single token, as a share of its block."""
TOKENS_HEIGHT_SHARE, LARGE_TOKENS_HEIGHT_SHARE = 0.25, 0.5
"""The height for the tokens on the highest block, usually, and on the only one or on one with many tokens."""
TOKEN_ROWS_SHARE = 0.9
"""The share of this height that rows of tokens fill."""
BLOCK_WIDTH_SHARE_BY_COUNT = {1: 2 / 3, 2: 0.4, 3: 1 / 3}
"""The width of a block by the number of blocks, as a share of the podium's width."""
NAME_SEPARATOR = " · "
"""The sign between names in one line."""
NAME_AND_TOTAL_STYLES = (
    *(("title", "amount"), ("question", "digit"), ("key", "digit"), ("smallest", "digit")),
    *(("title", ""), ("question", ""), ("key", ""), ("smallest", "")),
)
"""Lengths of the letters of names and totals to try, the best first; an empty one means no total."""
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


class _Letters(NamedTuple):
    """The sizes of the letters of names and totals on all blocks; 0 means no total."""

    name_size: float
    total_size: float


def _letters_to_try() -> Iterator[_Letters]:
    """Yields the sizes of letters to try, the best first."""
    for name_style, total_style in NAME_AND_TOTAL_STYLES:
        total_size = getattr(theme.length, total_style) if total_style else 0.0
        yield _Letters(getattr(theme.length, name_style), total_size)


def _join_names_in_lines(names: Sequence[str], width: float) -> list[str]:
    """Returns lines of the smallest letters, each with as many names as its width allows, at least one."""
    lines = [names[0]]
    for name in names[1:]:
        longer_line = f"{lines[-1]}{NAME_SEPARATOR}{name}"
        if measure_text_width(longer_line, theme.length.smallest) <= width:
            lines[-1] = longer_line
        else:
            lines.append(name)
    return lines


class Podium(AutoRedrawWidget):
    """A podium for the best three ranks; players who share a rank share its block.

    The names are on the blocks, and the totals below them, if all of them have room there. Otherwise only
    blocks with room for all their names have them.
    """

    def __init__(self, standings: Sequence[Standing], **kwargs: Any) -> None:
        self._standings_by_rank = standings_by_podium_rank(standings)
        self._standings = [each for on_block in self._standings_by_rank.values() for each in on_block]
        self.visible_texts: list[str] = []
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Draws the blocks from the lowest to the highest, which casts its shadow on the others."""
        boxes = {rank: self._block_box(rank) for rank in self._standings_by_rank}
        lines_by_rank, letters = self._find_letters(boxes)
        self.visible_texts = []
        for rank in sorted(boxes, reverse=True):
            self._draw_block(rank, boxes[rank])
            self._draw_tokens(self._standings_by_rank[rank], boxes[rank])
            if lines_by_rank[rank]:
                self._draw_names(rank, boxes[rank], lines_by_rank[rank], letters)

    def _find_letters(self, boxes: Mapping[int, Box]) -> tuple[dict[int, list[str]], _Letters]:
        """Returns the lines of names on each block and their letters: the best that all blocks have room for.

        If there are none, only blocks with room for the smallest letters have lines.
        """
        tries = [
            ({rank: self._find_name_lines(rank, box, letters) for rank, box in boxes.items()}, letters)
            for letters in _letters_to_try()
        ]
        return next((each for each in tries if all(each[0].values())), tries[-1])

    def _block_box(self, rank: int) -> Box:
        """Returns the box of a block; one or two blocks are wider than three, and all are centred."""
        ranks = sorted(self._standings_by_rank, key=COLUMN_BY_RANK.__getitem__)
        width = self.width * BLOCK_WIDTH_SHARE_BY_COUNT[len(ranks)]
        left = self.center_x + width * (ranks.index(rank) - len(ranks) / 2)
        height = (self.height - self._tokens_height) * BLOCK_HEIGHT_SHARE_BY_RANK[rank]
        return left, self.y, width, height

    @property
    def _is_one_block(self) -> bool:
        """Whether there is one block only, because all win together."""
        return len(self._standings_by_rank) == 1

    @property
    def _tokens_height(self) -> float:
        max_count = max(map(len, self._standings_by_rank.values()))
        row_height = (
            self.height * TOKENS_HEIGHT_SHARE * TOKEN_ROWS_SHARE / ceil(max_count / MAX_TOKENS_IN_ROW)
        )
        needs_room = self._is_one_block or row_height < theme.length.min_token
        return float(self.height * (LARGE_TOKENS_HEIGHT_SHARE if needs_room else TOKENS_HEIGHT_SHARE))

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
        room = self._tokens_height * TOKEN_ROWS_SHARE / row_count
        side = min(room, width * MAX_TOKEN_WIDTH_SHARE, width * 0.94 / in_row)
        for index, standing in enumerate(standings):
            row, column = divmod(index, in_row)
            columns = min(in_row, len(standings) - row * in_row)
            left = x + width / 2 + (column - columns / 2) * side
            token = (left, y + height + row * side + theme.length.line, side, side)
            draw_player_token(standing.seat.colour, inset_box(token, side * 0.04))

    def _find_name_lines(self, rank: int, block: Box, letters: _Letters) -> list[str]:
        """Returns the lines with the whole names of a block; no lines if names and total have no room.

        Only the smallest names may have two lines, or share a line.
        """
        names = [standing.seat.name for standing in self._standings_by_rank[rank]]
        width = block[2] - theme.length.gap
        total_height = (
            letters.total_size * TOTAL_HEIGHT_EM + theme.length.gap / 2 if letters.total_size else 0.0
        )
        names_height = self._room_below_medal(block) - total_height
        max_lines = int(names_height / (letters.name_size * NAME_LINE_HEIGHT_EM))
        lines = names
        if letters.name_size == theme.length.smallest:
            lines_of_names = [wrap_name(name, width) for name in names]
            lines = [line for name_lines in lines_of_names for line in name_lines]
            if len(lines) > max_lines:
                lines = _join_names_in_lines(names, width)
            elif not all(map(is_name_whole, names, lines_of_names)) or width < max(
                map(min_name_width, names)
            ):
                return []
        is_narrow_enough = all(measure_text_width(line, letters.name_size) <= width for line in lines)
        return lines if is_narrow_enough and len(lines) <= max_lines else []

    def _room_below_medal(self, block: Box) -> float:
        return float(block[3] - self._plate_height - self._medal_side * (1 + 2 * MEDAL_MARGIN_SHARE))

    def _draw_names(self, rank: int, block: Box, lines: list[str], letters: _Letters) -> None:
        """Draws the names on the front of a block, and the total below them, if it is shown."""
        x, y, width, _height = block
        names_height = len(lines) * letters.name_size * NAME_LINE_HEIGHT_EM
        total_height = letters.total_size * TOTAL_HEIGHT_EM
        top = y + self._room_below_medal(block)
        free_height = min(theme.length.gap, (top - y - names_height - total_height) / 2)
        centre = (x + width / 2, top - free_height - names_height / 2)
        draw_text_lines(lines, centre, letters.name_size, theme.INK)
        standings = self._standings_by_rank[rank]
        self.visible_texts += [standing.seat.name for standing in standings]
        if letters.total_size:
            total = " / ".join(dict.fromkeys(str(standing.total) for standing in standings))
            centre = (x + width / 2, top - 2 * free_height - names_height - total_height / 2)
            draw_text(total, centre, letters.total_size, theme.INK, theme.MONEY_FONT)
            self.visible_texts.append(total)
