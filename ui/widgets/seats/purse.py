"""The bank's purses: a purse shows the pieces of one place, and a bar says how many of a piece are moved."""

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
from ui.widgets.drawing.surfaces import AutoRedrawWidget, box_contains, draw_brass_highlight, draw_paper
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import ELLIPSIS, FittedLabel, count_name_lines, shorten_name, wrap_name
from ui.widgets.keys.key import Key
from ui.widgets.pieces.glyph import MarkWidget
from ui.widgets.pieces.marks import (
    PAPER_TEXT_COLOURS,
    HorizontalGroup,
    Mark,
    TextMark,
    box_centre,
    make_digits_mark,
)
from ui.widgets.pieces.pieces import HoldingsView
from ui.widgets.pieces.things import SOLID_PIECE_LOOKS
from ui.widgets.pieces.worded import has_picture, make_holding_mark, make_piece_mark
from ui.words import get_running_translator, replace_seat_names

INFINITY_SIGN = "∞"
MAX_NAME_LINES = 2
"""Lines that the name of a purse may take."""
PREFERRED_PIECE_SHARE = 0.67
"""Least size of pieces that is preferred, as a share of the largest size."""


class Purse(AutoRedrawWidget, BoxLayout):
    """A place as a sheet of paper with its pieces and their names. A covered holding is a back.

    `is_drop_target`: a piece that is let go now comes here.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("is_drop_target",)
    is_drop_target = BooleanProperty(defaultvalue=False)

    def __init__(self, place: Place, lang: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap, gap * 0.5), spacing=gap * 0.25, **kwargs)
        self.place, self.name, self._lang = place, render(place, lang), lang
        self._line = theme.length.body * 1.4
        self.head = BoxLayout(spacing=gap, size_hint_y=None, height=self._line)
        if place.seat is not None:
            add_children(
                self.head, PlayerToken(colour=place.seat.colour, size_hint_x=None, width=self._line * 0.85)
            )
        self.name_label = FittedLabel(text=self.name, style="body", line_height=1.0, abbreviates=True)
        self.holdings_view = HoldingsView(lambda one: _named(one, lang))
        add_children(self, add_children(self.head, self.name_label), self.holdings_view)
        self.name_label.bind(width=self._make_room)

    def _make_room(self, _writing: FittedLabel, width: float) -> None:
        """Gives a name that is too long for one line two lines."""
        self.name_label.lines = count_name_lines(self.name, width)
        self.head.height = self._line if self.name_label.lines == 1 else theme.length.smallest * 2.4

    def needed_height(self, width: float, piece_share: float = PREFERRED_PIECE_SHARE) -> float:
        """Returns the height at which the purse can be touched; infinite if the name is too wide.

        `piece_share` is the size of the pieces as a share of the largest size.
        """
        gap, token = theme.length.gap, self._line * 0.85 + theme.length.gap
        inner = width - 2 * gap
        named = inner - (token if self.place.seat is not None else 0.0)
        lines = wrap_name(self.name, named)
        if len(lines) > MAX_NAME_LINES and not lines[-1].endswith(ELLIPSIS):
            return inf
        head = self._line if count_name_lines(self.name, named) == 1 else theme.length.smallest * 2.4
        return max(
            theme.length.target, head + gap * 1.25 + self.holdings_view.needed_height(inner, piece_share)
        )

    def show_name(self, place: Place) -> None:
        """Shows the name of the place.

        The name changes when a row closes up.
        """
        self.name = render(place, self._lang)
        if self.name != self.name_label.text:
            self.name_label.text = self.name
            self._make_room(self.name_label, self.name_label.width)

    def show_holdings(self, holdings: Sequence[Holding]) -> None:
        """Shows the holdings of the place. Nothing is drawn again if nothing has changed."""
        self.holdings_view.holdings = tuple(holdings)

    @property
    def holdings(self) -> Sequence[Holding]:
        """The holdings that were shown last."""
        found: Sequence[Holding] = self.holdings_view.holdings
        return found

    def holding_at(self, x: float, y: float) -> Holding | None:
        """Returns the holding under a point, or None."""
        return next(
            (held for held, placed in self.holdings_view.placed_holdings if box_contains(placed.box, x, y)),
            None,
        )

    def centre_of_piece(self, piece_key: str) -> tuple[float, float] | None:
        """Returns the centre of the piece with that key, or None if it isn't shown."""
        found = (
            placed.box for held, placed in self.holdings_view.placed_holdings if held.piece.key == piece_key
        )
        return next((box_centre(box) for box in found), None)

    def draw(self) -> None:
        """Draws the purse's paper.

        Brass is around it if a piece may be put here.
        """
        draw_paper(self.box, theme.length.line)
        if self.is_drop_target:
            draw_brass_highlight(self.box)


def _named(one: Holding, lang: str) -> Mark:
    """Returns the mark of a holding, behind its name if the picture alone doesn't tell which piece it is."""
    is_told = (
        one.piece.look in SOLID_PIECE_LOOKS
        and one.piece.colour in theme.PLAYER_LOOKS
        and one.count is not None
    )
    if is_told or not (has_picture(one.piece) or one.count is None):
        return _make_endless_or_counted_mark(one, lang)
    name = TextMark(render(one.piece, lang), PAPER_TEXT_COLOURS.quiet, 0.0, bold=False)
    return HorizontalGroup(name, _make_endless_or_counted_mark(one, lang))


def _make_endless_or_counted_mark(one: Holding, lang: str) -> Mark:
    """Returns the mark of a holding; one that never runs out has an infinity sign."""
    if not one.is_endless:
        return make_holding_mark(one, lang)
    alone = make_piece_mark(one.piece, lang, PAPER_TEXT_COLOURS)
    return (
        HorizontalGroup(alone, make_digits_mark(INFINITY_SIGN, PAPER_TEXT_COLOURS.normal))
        if has_picture(one.piece)
        else alone
    )


def make_holding_widget(holding: Holding, lang: str) -> MarkWidget:
    """Returns a widget with the picture of a holding, for dragging."""
    return MarkWidget(_make_endless_or_counted_mark(holding, lang))


# The bar for amounts


QUICK_AMOUNTS = (1, 5, 10, 50, 100)
WORDS_TARGETS, ALL_KEY_TARGETS = 2.2, 1.35
"""Least width of the words and width of a key for all other seats, in targets."""
ONE_ROW_TARGETS, WORDS_ABOVE_TARGETS = 11.0, 0.6
"""Width from which the words stand beside the keys, and their height above narrower keys, in targets."""


class AmountBar(EventMixin, BoxLayout):
    """Bar of keys that choose the amount of a piece to move.

    Two more keys move it to or from all other seats. `holding` is what is moved (None: nothing),
    `amount` how much of it (0: not chosen yet). `amount_by_other_holding` are holdings that are
    moved with it.
    """

    holding = ObjectProperty(None, allownone=True)
    amount = NumericProperty(0)
    amount_by_other_holding = ObjectProperty({})
    instruction_text = StringProperty("")
    """Tells what can be done now, above or beside the keys."""
    __events__ = (
        "on_each",  # to_each: everybody else gets it from this purse, or gives it to its owner
    )

    def __init__(self, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(size_hint_y=None, height=sizes.target, spacing=sizes.gap / 2, **kwargs)
        self.app = get_running_translator()
        self.description = FittedLabel(style="quiet", is_on_felt=True, lines=2)
        self.keys = BoxLayout(spacing=sizes.gap / 2, size_hint_y=None, height=sizes.target)
        self.quick_keys = [self._key(str(count), self._add, text=f"+{count}") for count in QUICK_AMOUNTS]
        self.clear_key = self._key("clear", self._clear, text="C")
        tr = self.app.tr
        each = [("to each", tr("To each"), True), ("from each", tr("From each"), False)]
        self.all_seats_keys = [
            self._key(name, lambda _, to=to: self.dispatch("on_each", to), text=text, lines=2)
            for name, text, to in each
        ]
        for key in self.all_seats_keys:
            key.width = sizes.target * ALL_KEY_TARGETS
        for name in ("holding", "amount", "amount_by_other_holding", "instruction_text", "width"):
            self.fbind(name, self._show)
        self._show()

    def _key(self, name: str, do: Any, **look: Any) -> Key:
        sizes = theme.length
        return Key(
            name=name, on_release=do, size_hint_x=None, width=sizes.target, has_narrow_margins=True, **look
        )

    @property
    def max_amount(self) -> float:
        """The most that can be moved at once: the count of the holding, or infinity if nobody may know it."""
        held = self.holding
        return float("inf") if held is None or held.count is None or held.is_endless else held.count

    def _add(self, key: Key) -> None:
        self.amount += int(key.name)

    def _clear(self, _key: Key) -> None:
        self.amount_by_other_holding = {}
        self.amount = 0

    def _show(self, *_: object) -> None:
        """Shows the hint alone, or the piece with its amount and the keys that have room."""
        held, amount, sizes = self.holding, int(self.amount), theme.length
        wide = self.width >= ONE_ROW_TARGETS * sizes.target
        self.orientation = "horizontal" if wide else "vertical"
        self.height = sizes.target * (1 if wide else 1 + WORDS_ABOVE_TARGETS) + (0 if wide else self.spacing)
        self.clear_widgets()
        self.keys.clear_widgets()
        self.description.halign = "center" if held is None else "left"
        counted = {**self.amount_by_other_holding, **({held: amount} if amount else {})}
        self.description.style = "body" if counted else "quiet"
        self.description.text = self.instruction_text
        self.add_widget(self.description)
        if held is None or held.piece.is_marker:
            return
        if counted:
            place = render(replace_seat_names(held.place, shorten_name), self.app.lang)
            what = self._describe(counted)
            self.description.text = f"{what}\n{place}" if wide else f"{place}: {what}"
        keys = (*self._presets(wide=wide), self.clear_key, *self.all_seats_keys)
        add_children(self.keys, *keys)
        self.keys.size_hint_x = None if wide else 1
        self.keys.width = sum(key.width + sizes.gap / 2 for key in keys)
        self.add_widget(self.keys)
        for key in self.quick_keys:
            key.disabled = amount + int(key.name) > self.max_amount
        self.clear_key.disabled = not counted

    def _describe(self, counted: Mapping[Holding, int]) -> str:
        return ", ".join(
            render(one.piece.quantity_text(count), self.app.lang).replace(" ", NO_BREAK_SPACE)
            for one, count in counted.items()
        )

    def _presets(self, *, wide: bool) -> list[Key]:
        """Returns the keys that have room; the largest and the smallest amount come first."""
        sizes = theme.length
        key = sizes.target + sizes.gap / 2
        others = (
            (WORDS_TARGETS * sizes.target if wide else 0)
            + key
            + 2 * (ALL_KEY_TARGETS * sizes.target + sizes.gap / 2)
        )
        room = max(2, int((self.width - others) / key))
        one, five, ten, fifty, hundred = self.quick_keys
        return sorted([one, hundred, ten, fifty, five][:room], key=lambda key: int(key.name))
