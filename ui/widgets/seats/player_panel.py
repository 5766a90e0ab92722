"""A player's panel: the pieces that the scene shows, the bid, the clock, and whose turn it is.

The panel is one widget that draws marks. All panels of a table share the columns of their cells, so that
people can compare numbers down a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, ClassVar

import msgspec
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, OptionProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.rules.scene_views import MatView
from ui import theme
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, draw_brass_frame, draw_paper, inset_box
from ui.widgets.drawing.symbols import draw_filled_dot, draw_leader_token, draw_player_token
from ui.widgets.drawing.text import Point, draw_text
from ui.widgets.pieces.marks import FELT_TEXT_COLOURS, PlacedMark, box_centre
from ui.widgets.pieces.signs_of_change import (
    Change,
    PlacedSign,
    draw_marks_and_signs,
    find_free_place,
    format_signed_change,
    place_signs,
)
from ui.widgets.seats.clock_face import ClockFace
from ui.widgets.seats.panel_changes import HEADLINE_INDEX
from ui.widgets.seats.panel_columns import PanelColumns, draw_bid
from ui.widgets.seats.panel_layout import (
    DETAIL_LEVELS,
    USUAL_SHAPE,
    ArrangedPanel,
    PanelContents,
    PanelLayout,
    PanelShape,
    make_panel_badge,
)
from ui.words import get_running_translator

ROW_WEIGHT, NAME_WEIGHT, BADGE_WEIGHT = 1.5, 0.5, 0.25
"""How much the heights of rows, names and badges count, relative to the height of the headline.

Rows that are 10 % higher make up for a headline that is 15 % lower.
"""
CUE_HEIGHT_EM = 1.4
"""Height of a cue, in heights of the smallest letters."""
CUE_SIGN, CUE_DISC_EM = "!", 0.9
"""What a cue draws on the token, and the size of its disc, in heights of the smallest letters."""
CROWN_TEXT = "♛"
"""Stands for the crown of a player who leads among the visible texts."""


class SeatQuestionStatus(msgspec.Struct, frozen=True):
    """Status of a seat in the open question: its bid, and what the seat does or has done."""

    bid: int | None = None
    is_highest: bool = False
    is_asked: bool = False
    has_answered: bool = False
    has_withdrawn: bool = False
    has_passed: bool = False
    has_left: bool = False


class PlayerPanel(ButtonBehavior, AutoRedrawWidget):
    """Panel with a player's `mat` and `status`.

    The owner opens a list of everything in front of the player when somebody presses the panel. `placed` are
    the marks of the last drawing.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (
        "mat",
        "status",
        "line_height",
        "shape",
        "state",
        "lang",
        "columns_key",
        "detail_level",
        "number_changes",
        "cue_text",
        "shows_cue_text",
    )
    mat = ObjectProperty()
    status = ObjectProperty(SeatQuestionStatus())
    line_height = NumericProperty(0.0)
    """Height of a row of cells."""
    shape = ObjectProperty(USUAL_SHAPE)
    """How large the headline is, and where the cells are."""
    number_changes = ObjectProperty({})
    """The latest changes of numbers on the panel, from `NumberChanges`; each has a sign such as +37."""
    cue_text = StringProperty("")
    """What the player does now: a sign on the token says that there is something to do."""
    has_room_for_cue = BooleanProperty(defaultvalue=False)
    """Whether the last drawing had room for the words of the cue, if there is one."""
    shows_cue_text = BooleanProperty(defaultvalue=False)
    """Whether the words of the cue are shown too; the owner sets it if all panels with a cue have room."""
    lang = StringProperty("en")
    columns_key = ObjectProperty()
    """The `layout_key` of the columns that the panel is drawn with."""
    detail_level = OptionProperty(DETAIL_LEVELS[0], options=list(DETAIL_LEVELS))
    """Level of detail of the panel; large groups see less, and a touch shows the rest."""

    def __init__(self, mat: MatView, columns: PanelColumns, **kwargs: Any) -> None:
        self.seat, self.columns, self.name = mat.seat, columns, f"before {mat.seat.name}"
        self.placed: list[PlacedMark] = []
        self._signs: list[PlacedSign] = []
        self.app = get_running_translator()
        super().__init__(size_hint=(None, None), mat=mat, **kwargs)
        self.clock_face = ClockFace(colour=self.seat.colour)
        self.add_widget(self.clock_face)
        self._contents: dict[object, PanelContents] = {}
        self._layouts: dict[object, PanelLayout] = {}
        self._needed_heights: dict[PanelLayout, dict[float, float]] = {}
        for name in ("mat", "lang"):
            self.fbind(name, lambda *_: self._forget_layouts())

    def needed_height(self, width: float, line_height: float, shape: PanelShape = USUAL_SHAPE) -> float:
        """Returns the height needed at a width and a line height.

        The height is infinite if a row is too wide, or if a shape makes a name less readable than usual.
        Each layout is measured once: after an answer the screen asks again, and most panels are as before.
        """
        layout = self._get_layout(width, shape)
        heights = self._needed_heights.setdefault(layout, {})
        if line_height not in heights:
            is_readable = shape == USUAL_SHAPE or layout.keeps_names(self._get_layout(width))
            heights[line_height] = layout.needed_height(line_height) if is_readable else inf
        return heights[line_height]

    def is_shape_possible(self, width: float, shape: PanelShape) -> bool:
        """Returns whether the panel has what the shape is for, and no row is too wide for it."""
        contents = self._get_contents(self._contents_key())
        has_headline, has_large_headline = contents.headline_cell is not None, shape.large_headline_height > 0
        if has_headline != has_large_headline or (
            shape.has_word_above_number and not contents.stacked_headline.visible_text
        ):
            return False
        return not self._get_layout(width, shape).is_too_narrow

    def readability(self, width: float, line_height: float, shape: PanelShape) -> float:
        """Returns how readable headline, rows, badges and name are: the product of their weighted heights."""
        contents, layout = self._get_contents(self._contents_key()), self._get_layout(width, shape)
        headline = shape.large_number_height or layout.headline_height(line_height)
        rows, badges = (line_height if contents.cells or contents.own_marks else 1.0), 1.0
        if contents.badges:
            badges = layout.badge_line_height(line_height)
        name = layout.name_size(line_height)
        return float(headline * rows**ROW_WEIGHT * name**NAME_WEIGHT * badges**BADGE_WEIGHT)

    def is_too_narrow(self, width: float) -> bool:
        """Whether a panel of the width is too narrow for a row or for the name."""
        return self._get_layout(width).is_too_narrow

    def lines_of_lone_headline(self, width: float) -> float:
        """Returns the height, in lines, of a headline that is alone below the name; 0 if it isn't.

        The panel has the width and the usual shape.
        """
        return self._get_layout(width).lines_of_lone_headline

    def left_out_letter_count(self, width: float) -> int:
        """Returns the number of letters of the name that a panel of the width doesn't show."""
        return self._get_layout(width).left_out_letter_count

    def _contents_key(self) -> object:
        """Returns all values besides mat and language on which the marks and their widths depend.

        While people bid, badges and columns come and go, but the mat stays.
        """
        status = self.status
        clock = self.clock_face.digits_width
        return (
            self.detail_level,
            status.has_left,
            status.has_withdrawn,
            status.has_passed,
            self.columns_key,
            clock,
        )

    def _get_layout(self, width: float, shape: PanelShape = USUAL_SHAPE) -> PanelLayout:
        """Returns the layout for a width, made once: the screen measures at many widths and line heights.

        The width is rounded as the width of a placed panel is: a row that just fits in a part of a pixel
        would be broken when the panel is drawn.
        """
        key = round(width), self._contents_key(), shape
        if key not in self._layouts:
            self._layouts[key] = PanelLayout(self._get_contents(key[1]), key[0], shape)
        return self._layouts[key]

    @property
    def _drawn_layout(self) -> PanelLayout:
        return self._get_layout(self.width, self.shape)

    def _get_contents(self, key: object) -> PanelContents:
        if key not in self._contents:
            tr, status = self.app.tr, self.status
            badges = [make_panel_badge(tr("has left"), is_warning=True)] if status.has_left else []
            if status.has_passed:
                badges.append(make_panel_badge(tr("passed"), is_warning=False))
            elif status.has_withdrawn and not self.mat.sits_out:
                badges.append(make_panel_badge(tr("out"), is_warning=True))
            self._contents[key] = PanelContents(
                self.mat, self.columns, self.lang, self.detail_level, badges, self.clock_face.digits_width
            )
        return self._contents[key]

    def _forget_layouts(self) -> None:
        self._contents.clear()
        self._layouts.clear()
        self._needed_heights.clear()

    @property
    def name_lines(self) -> list[str]:
        """Lines of the name as the panel shows it."""
        return self._drawn_layout.wrap_own_name()

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for screen readers and for tests."""
        bid_texts = [] if self.status.bid is None else [str(self.status.bid)]
        clock_texts = [] if self.clock_face.clock is None else [self.clock_face.clock.display_text]
        change_texts = [sign.text for sign in self._signs]
        mark_texts = [
            placed_mark.mark.visible_text for placed_mark in self.placed if placed_mark.mark.visible_text
        ]
        crown_texts = [CROWN_TEXT] if self.mat.leads else []
        cue_signs = [CUE_SIGN] if self.cue_text else []
        signs = [*crown_texts, *cue_signs]
        return [self.seat.name, *signs, *bid_texts, *clock_texts, *change_texts, *mark_texts]

    def draw(self) -> None:
        """Draws the panel on paper.

        The paper is darker for a player who is out or has withdrawn. It has a brass frame for a player who
        is asked and hasn't answered.
        """
        status = self.status
        is_faded = status.has_withdrawn or self.mat.sits_out
        is_dark = is_faded or self.state == "down"
        draw_paper(self.box, theme.length.line, theme.PAPER_PRESSED if is_dark else theme.PAPER)
        if status.is_asked and not status.has_answered:
            draw_brass_frame(self.box)
        colour = theme.INK_QUIET if is_faded else theme.INK
        arranged = self._drawn_layout.arrange(self.box, self.line_height, colour)
        draw_token = draw_leader_token if self.mat.leads else draw_player_token
        draw_token(self.seat.colour, arranged.token, 0.35 if is_faded else 1.0)
        self.clock_face.pos, self.clock_face.size = self.pos, self.size
        self.clock_face.token_box, self.clock_face.digits_box = arranged.token, arranged.clock
        if arranged.bid is not None and status.bid is not None:
            draw_bid(arranged.bid, status.bid, is_highest=status.is_highest, is_faded=status.has_withdrawn)
        marks, self._signs = self._place_signs(arranged)
        self.placed = [*marks, *self._place_cue(arranged, marks)]
        draw_marks_and_signs([arranged.name, *self.placed], self._signs)
        if self.cue_text:
            self._draw_cue_sign(arranged.token)

    def _place_signs(self, arranged: ArrangedPanel) -> tuple[list[PlacedMark], list[PlacedSign]]:
        """Returns the marks, and a sign such as +37 behind each changed number that has room for it.

        The headline and money have room first.
        """
        order = sorted(self.number_changes, key=lambda index: (not self._is_money(index), index))
        changes = [
            Change(format_signed_change(self.number_changes[index]), FELT_TEXT_COLOURS, number)
            for index in order
            if (number := self._find_number(arranged, index)) is not None
        ]
        fixed_boxes = [arranged.token, arranged.name.ink_box]
        fixed_boxes += [arranged.clock] if self.clock_face.digits_width and arranged.clock else []
        fixed_boxes += [arranged.bid] if arranged.bid and self.status.bid is not None else []
        bounds = inset_box(self.box, theme.length.gap * 0.6)
        return place_signs(changes, arranged.marks, fixed_boxes, bounds)

    def _place_cue(self, arranged: ArrangedPanel, placed_marks: Sequence[PlacedMark]) -> list[PlacedMark]:
        """Returns the mark of the cue as near to the name as possible; none if it isn't shown."""
        if not self.cue_text:
            self.has_room_for_cue = False
            return []
        cue, height = make_panel_badge(self.cue_text, is_warning=False), theme.length.smallest * CUE_HEIGHT_EM
        taken = [arranged.token, arranged.name.box, *(mark.box for mark in placed_marks)]
        taken += [*(sign.box for sign in self._signs)]
        taken += [box for box in (arranged.clock, arranged.bid) if box is not None]
        x, y, name_width, name_height = arranged.name.box
        margin, rim = theme.length.gap, theme.length.rim
        bounds = (self.x + margin, self.y + rim, self.width - 2 * margin, self.height - 2 * rim)
        place = find_free_place(
            (cue.width_at(height), height), taken, bounds, (x + name_width, y + name_height / 2)
        )
        self.has_room_for_cue = place is not None
        return [PlacedMark(cue, *place, height)] if place is not None and self.shows_cue_text else []

    def _draw_cue_sign(self, token: Box) -> None:
        """Draws a sign in a disc on the corner of the token."""
        x, y, side, height = token
        size = theme.length.smallest * CUE_DISC_EM
        box = x + side - size / 2, y + height - size / 2, size, size
        draw_filled_dot(box, theme.BRASS_DARK)
        draw_text(CUE_SIGN, box_centre(box), size, theme.PAPER)

    def _is_money(self, index: int) -> bool:
        return index == HEADLINE_INDEX or self.mat.cells[index].is_money

    def _find_number(self, arranged: ArrangedPanel, index: int) -> PlacedMark | None:
        """Returns the placed mark of a number with its caption; None if the panel doesn't show it."""
        contents = self._get_contents(self._contents_key())
        marks = (
            contents.headline_marks if index == HEADLINE_INDEX else [contents.mark_by_cell_index.get(index)]
        )
        placed_marks = (part for placed_mark in arranged.marks for part in placed_mark.walk())
        return next((part for part in placed_marks if any(part.mark is mark for mark in marks)), None)

    @property
    def arranged(self) -> ArrangedPanel:
        """The boxes and marks of the panel in its usual colour."""
        return self._drawn_layout.arrange(self.box, self.line_height, theme.INK)

    def find_headline(self, arranged: ArrangedPanel) -> PlacedMark | None:
        """Returns the placed mark of the headline; None if the panel shows none."""
        return self._find_number(arranged, HEADLINE_INDEX)

    @property
    def money_point(self) -> Point:
        """The middle of the first changed number, or of the panel: where coins come from and go to."""
        arranged = self.arranged
        numbers = (self._find_number(arranged, index) for index in sorted(self.number_changes))
        return box_centre(next((number.box for number in numbers if number is not None), self.box))
