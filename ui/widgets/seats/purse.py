"""The bank's purses, which show the pieces of a place each, and the bar that chooses an amount to move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.session.view import Holding
from companion.table.ledger import Place
from companion.texts import render
from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.line_breaking import NO_BREAK_SPACE
from ui.widgets.drawing.surfaces import AutoRedrawWidget, box_contains, draw_brass_frame, draw_paper
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import (
    FittedLabel,
    count_left_out_letters,
    count_name_lines,
    shorten_name,
    wrap_name,
)
from ui.widgets.keys.key import Key
from ui.widgets.pieces.glyph import MarkWidget
from ui.widgets.pieces.marks import (
    PAPER_TEXT_COLOURS,
    DigitsMark,
    HorizontalGroup,
    Mark,
    TextMark,
    box_centre,
)
from ui.widgets.pieces.pieces import HoldingsWidget
from ui.widgets.pieces.things import SOLID_PIECE_LOOKS
from ui.widgets.pieces.worded import has_picture, make_holding_mark, make_piece_mark
from ui.words import get_running_translator, replace_seat_names

INFINITY_SIGN = "∞"
MAX_NAME_LINES = 2
"""Maximum number of lines for the name of a purse."""
PREFERRED_MIN_PIECE_SIZE_SHARE = 0.67
"""Preferred least size of pieces, as a share of the largest size."""


class Purse(AutoRedrawWidget, BoxLayout):
    """Sheet of paper with the name and the pieces of a place; a covered holding is a card's back.

    `is_drop_target`: a piece that is dropped now goes to the place.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("is_drop_target",)
    is_drop_target = BooleanProperty(defaultvalue=False)

    def __init__(self, place: Place, lang: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap, gap * 0.5), spacing=gap * 0.25, **kwargs)
        self.place, self.name, self._lang = place, render(place, lang), lang
        self._line_height = theme.length.body * 1.4
        self.head = BoxLayout(spacing=gap, size_hint_y=None, height=self._line_height)
        if place.seat is not None:
            add_children(
                self.head,
                PlayerToken(colour=place.seat.colour, size_hint_x=None, width=self._line_height * 0.85),
            )
        self.name_label = FittedLabel(text=self.name, style="body", line_height=1.0, abbreviates=True)
        self.holdings_view = HoldingsWidget(lambda holding: _make_named_mark(holding, lang))
        add_children(self, add_children(self.head, self.name_label), self.holdings_view)
        self.name_label.bind(width=self._fit_name)

    def _fit_name(self, _writing: FittedLabel, width: float) -> None:
        """Makes room for two lines if the name is too long for one."""
        self.name_label.lines = count_name_lines(self.name, width)
        self.head.height = self._line_height if self.name_label.lines == 1 else theme.length.smallest * 2.4

    def needed_height(self, width: float, piece_share: float = PREFERRED_MIN_PIECE_SIZE_SHARE) -> float:
        """Returns the height for name and pieces, at least a target; infinite if something is too wide.

        `piece_share` is the size of the pieces as a share of the largest size.
        """
        gap, token_width = theme.length.gap, self._line_height * 0.85 + theme.length.gap
        inner_width = width - 2 * gap
        name_width = inner_width - (token_width if self.place.seat is not None else 0.0)
        lines = wrap_name(self.name, name_width)
        if len(lines) > MAX_NAME_LINES and not count_left_out_letters(self.name, lines):
            return inf
        head_height = (
            self._line_height if count_name_lines(self.name, name_width) == 1 else theme.length.smallest * 2.4
        )
        return max(
            theme.length.target,
            head_height + gap * 1.25 + self.holdings_view.needed_height(inner_width, piece_share),
        )

    def show_name(self, place: Place) -> None:
        """Shows the name of the place, which changes when a numbered row closes up."""
        self.name = render(place, self._lang)
        if self.name != self.name_label.text:
            self.name_label.text = self.name
            self._fit_name(self.name_label, self.name_label.width)

    def show_holdings(self, holdings: Sequence[Holding]) -> None:
        """Shows the holdings of the place; draws nothing again if the holdings are equal."""
        self.holdings_view.holdings = tuple(holdings)

    @property
    def holdings(self) -> Sequence[Holding]:
        """The holdings that were shown last."""
        holdings: Sequence[Holding] = self.holdings_view.holdings
        return holdings

    def holding_at(self, x: float, y: float) -> Holding | None:
        """Returns the holding under a point, or None."""
        return next(
            (
                holding
                for holding, placed in self.holdings_view.placed_holdings
                if box_contains(placed.box, x, y)
            ),
            None,
        )

    def centre_of_piece(self, piece_key: str) -> tuple[float, float] | None:
        """Returns the centre of the piece with that key, or None if it isn't shown."""
        boxes = (
            placed.box
            for holding, placed in self.holdings_view.placed_holdings
            if holding.piece.key == piece_key
        )
        return next((box_centre(box) for box in boxes), None)

    def draw(self) -> None:
        """Draws the purse's paper, with a brass frame around a drop target."""
        draw_paper(self.box, theme.length.line)
        if self.is_drop_target:
            draw_brass_frame(self.box)


def _make_named_mark(holding: Holding, lang: str) -> Mark:
    """Returns the mark of a holding, with the piece's name if the picture alone is ambiguous."""
    is_told = (
        holding.piece.look in SOLID_PIECE_LOOKS
        and holding.piece.colour in theme.PLAYER_LOOKS
        and holding.count is not None
    )
    if is_told or not (has_picture(holding.piece) or holding.count is None):
        return _make_endless_or_counted_mark(holding, lang)
    name = TextMark(name_of_counted_pieces(holding, lang), PAPER_TEXT_COLOURS.quiet, 0.0, bold=False)
    return HorizontalGroup(name, _make_endless_or_counted_mark(holding, lang))


def name_of_counted_pieces(holding: Holding, lang: str) -> str:
    """Returns the name of the pieces beside their number: `cards` for 21, where a language says so.

    A count in other words, such as "10 shares of North Line", is too long here.
    """
    name = render(holding.piece, lang)
    if holding.count is None or holding.is_endless:
        return name
    number, _, counted_name = render(holding.piece.quantity_text(holding.count), lang).partition(" ")
    is_same_name = counted_name[:1].isalpha() and counted_name.count(" ") == name.count(" ")
    return counted_name if number == str(holding.count) and is_same_name else name


def _make_endless_or_counted_mark(holding: Holding, lang: str) -> Mark:
    """Returns the mark of a holding; a holding that never runs out has an infinity sign."""
    if not holding.is_endless:
        return make_holding_mark(holding, lang)
    mark = make_piece_mark(holding.piece, lang, PAPER_TEXT_COLOURS)
    return (
        HorizontalGroup(mark, DigitsMark(INFINITY_SIGN, PAPER_TEXT_COLOURS.normal))
        if has_picture(holding.piece)
        else mark
    )


def make_holding_widget(holding: Holding, lang: str) -> MarkWidget:
    """Returns a widget with the picture of a holding, for dragging."""
    return MarkWidget(_make_endless_or_counted_mark(holding, lang))


# The bar for amounts


QUICK_AMOUNTS = (1, 5, 10, 50, 100)
MIN_WORDS_WIDTH_TARGETS, ALL_SEATS_KEY_WIDTH_TARGETS = 2.2, 1.35
"""Least width of the words, and width of a key for all other seats, in targets."""
MIN_ONE_ROW_WIDTH_TARGETS, WORDS_ABOVE_KEYS_HEIGHT_TARGETS = 11.0, 0.6
"""Least width with the words beside the keys, and height of words above the keys, in targets."""


class AmountBar(EventMixin, BoxLayout):
    """Bar of keys that choose the amount of a piece to move.

    Two more keys move the amount to or from all other seats. `holding` is the holding to move from, or None.
    `amount` is 0 until people choose. `amount_by_other_holding` are holdings that are moved at the same time.
    """

    holding = ObjectProperty(None, allownone=True)
    amount = NumericProperty(0)
    amount_by_other_holding = ObjectProperty({})
    instruction_text = StringProperty("")
    """What people can do now; the text is above or beside the keys."""
    __events__ = (
        "on_move_for_all_seats",  # to_each: everybody else gets the amount from the owner, or gives it
    )

    def __init__(self, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(size_hint_y=None, height=sizes.target, spacing=sizes.gap / 2, **kwargs)
        self.app = get_running_translator()
        self.description = FittedLabel(style="quiet", is_on_felt=True, lines=2)
        self.keys = BoxLayout(spacing=sizes.gap / 2, size_hint_y=None, height=sizes.target)
        self.quick_keys = [self._make_key(str(count), self._add, text=f"+{count}") for count in QUICK_AMOUNTS]
        self.clear_key = self._make_key("clear", self._clear, text="C")
        tr = self.app.tr
        all_seats_key_texts = [("to each", tr("To each"), True), ("from each", tr("From each"), False)]
        self.all_seats_keys = [
            self._make_key(
                name,
                lambda _, is_to_each=is_to_each: self.dispatch("on_move_for_all_seats", is_to_each),
                text=text,
                lines=2,
            )
            for name, text, is_to_each in all_seats_key_texts
        ]
        for key in self.all_seats_keys:
            key.width = sizes.target * ALL_SEATS_KEY_WIDTH_TARGETS
        for name in ("holding", "amount", "amount_by_other_holding", "instruction_text", "width"):
            self.fbind(name, self._update)
        self._update()

    def _make_key(self, name: str, on_release: Any, **look: Any) -> Key:
        sizes = theme.length
        return Key(
            name=name,
            on_release=on_release,
            size_hint_x=None,
            width=sizes.target,
            has_narrow_margins=True,
            **look,
        )

    @property
    def max_amount_to_move(self) -> float:
        """Maximum amount to move at once: the count of the holding, or infinity if covered or endless."""
        holding = self.holding
        return (
            float("inf") if holding is None or holding.count is None or holding.is_endless else holding.count
        )

    def _add(self, key: Key) -> None:
        self.amount += int(key.name)

    def _clear(self, _key: Key) -> None:
        self.amount_by_other_holding = {}
        self.amount = 0

    def _update(self, *_: object) -> None:
        """Shows the instruction alone, or the chosen amounts and the keys that fit."""
        holding, amount, sizes = self.holding, int(self.amount), theme.length
        is_wide = self.width >= MIN_ONE_ROW_WIDTH_TARGETS * sizes.target
        self.orientation = "horizontal" if is_wide else "vertical"
        self.height = sizes.target * (1 if is_wide else 1 + WORDS_ABOVE_KEYS_HEIGHT_TARGETS) + (
            0 if is_wide else self.spacing
        )
        self.clear_widgets()
        self.keys.clear_widgets()
        self.description.halign = "center" if holding is None else "left"
        amount_by_holding = {**self.amount_by_other_holding, **({holding: amount} if amount else {})}
        self.description.style = "body" if amount_by_holding else "quiet"
        self.description.text = self.instruction_text
        self.add_widget(self.description)
        if holding is None or holding.piece.is_marker:
            return
        if amount_by_holding:
            place_text = render(replace_seat_names(holding.place, shorten_name), self.app.lang)
            amounts_text = self._amounts_text(amount_by_holding)
            self.description.text = f"{place_text}: {amounts_text}"
        keys = (*self._fitting_quick_keys(is_wide=is_wide), self.clear_key, *self.all_seats_keys)
        add_children(self.keys, *keys)
        self.keys.size_hint_x = None if is_wide else 1
        self.keys.width = sum(key.width + sizes.gap / 2 for key in keys)
        self.add_widget(self.keys)
        for key in self.quick_keys:
            key.disabled = amount + int(key.name) > self.max_amount_to_move
        self.clear_key.disabled = not amount_by_holding

    def _amounts_text(self, amount_by_holding: Mapping[Holding, int]) -> str:
        return ", ".join(
            render(holding.piece.quantity_text(count), self.app.lang).replace(" ", NO_BREAK_SPACE)
            for holding, count in amount_by_holding.items()
        )

    def _fitting_quick_keys(self, *, is_wide: bool) -> list[Key]:
        """Returns the keys for amounts that fit; the smallest and the largest amount come first."""
        sizes = theme.length
        key_width = sizes.target + sizes.gap / 2
        other_width = (
            (MIN_WORDS_WIDTH_TARGETS * sizes.target if is_wide else 0)
            + key_width
            + 2 * (ALL_SEATS_KEY_WIDTH_TARGETS * sizes.target + sizes.gap / 2)
        )
        key_count = max(2, int((self.width - other_width) / key_width))
        one, five, ten, fifty, hundred = self.quick_keys
        return sorted([one, hundred, ten, fifty, five][:key_count], key=lambda key_width: int(key_width.name))
