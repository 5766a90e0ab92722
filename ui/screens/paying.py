"""Paying an amount: people type it, then drag from the payer to the receiver, or touch both.

The page moves nothing: its owner pays, and shows the new amounts on the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.session.view import Holding
from companion.table.ledger import Place
from companion.texts import render
from ui import theme
from ui.host import get_companion_app
from ui.pages import Page
from ui.widgets.drawing.surfaces import AutoRedrawWidget, draw_border, draw_paper, inset_box
from ui.widgets.drawing.symbols import draw_player_token
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.keys.number_pad import DIGIT_KEYS_WIDTH_TARGETS, DIGIT_ROWS, NumberPad
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.purse import INFINITY_SIGN
from ui.widgets.sheets.messages import RefusalNotice

MIN_TILE_WIDTH_IN_TARGETS = 2.3
"""The least width of a tile."""
MAX_TILE_HEIGHT_IN_TARGETS = 1.7
"""The greatest height of a tile."""
AMOUNT_HEIGHT_IN_TARGETS = 1.1
"""The height of the amount over the digits."""


class PaymentParty(NamedTuple):
    """A payer or receiver: one place where money lies, or the places of all players together."""

    places: tuple[Place, ...]
    name: str


class MoneyPlaceTile(AutoRedrawWidget):
    """A tile for a place where money lies, with the amount.

    The amount is "?" if it is covered, and nothing for all players together.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("is_payer", "amount")
    is_payer = BooleanProperty(defaultvalue=False)
    amount = StringProperty("")

    def __init__(self, party: PaymentParty, **kwargs: Any) -> None:
        self.party, self.name = party, party.name
        self.called = FittedLabel(text=party.name, style="key", line_height=1.0, abbreviates=True)
        self.figure = FittedLabel(style="digit", halign="right")
        super().__init__(size_hint_max_y=theme.length.target * MAX_TILE_HEIGHT_IN_TARGETS, **kwargs)
        for writing in (self.called, self.figure):
            self.add_widget(writing)
        self.fbind("amount", lambda _, amount: setattr(self.figure, "text", amount))

    def draw(self) -> None:
        """Draws the tile as paper, with a brass rim if this is the payer."""
        sizes = theme.length
        x, y, width, height = inset_box(self.box, sizes.line)
        draw_paper((x, y, width, height), sizes.line)
        if self.is_payer:
            draw_border(theme.BRASS, (x, y, width, height), sizes.rim)
        gap, line = sizes.gap, sizes.smallest * 1.35
        rest = height - line - sizes.line * 2
        seats = {place.seat for place in self.party.places}
        seat = next(iter(seats)) if len(seats) == 1 else None
        side = min(rest, sizes.token) if seat is not None else 0.0
        if seat is not None:
            draw_player_token(seat.colour, (x + gap, y + sizes.line + (rest - side) / 2, side, side))
        low = line if self.amount else height / 2 + line / 2
        self.called.pos = (x + gap, y + height - low - sizes.line)
        self.called.size = (width - 2 * gap, line)
        self.figure.pos = (x + gap + side, y + sizes.line)
        self.figure.size = (width - 2 * gap - side, rest)


class PaymentAmountPad(NumberPad):
    """A number pad for the amount to pay; people then touch tiles, so the pad has no confirming key."""

    def _arrange(self, *_: object) -> None:
        if self.children:
            return
        self.orientation, self.spacing = "vertical", theme.length.gap / 2
        self.sheet.remove_widget(self.limits_label)
        self.sheet.size_hint_y, self.digits.size_hint_y = AMOUNT_HEIGHT_IN_TARGETS, 3.0
        self.amount_label.style = "amount"
        for part in (self.sheet, self.digits):
            self.add_widget(part)


class PayPage(Page):
    """A page for paying: a tile for each money place, and a number pad."""

    __events__: tuple[str, ...] = ("on_pay",)  # payers, payees, amount: each pays each of the others so much

    def __init__(self, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        self.tiles: list[MoneyPlaceTile] = []
        self.payer: MoneyPlaceTile | None = None
        self._finger: MoneyPlaceTile | None = None
        upright = get_companion_app().stage.is_next_page_portrait
        self.pager = Pager(between=sizes.gap / 2, is_apart=True)
        self.pad = PaymentAmountPad(least=1)
        self.hint, self.refusal = (
            FittedLabel(is_on_felt=True, halign="center", lines=2, line_height=1.0),
            RefusalNotice(),
        )
        self.hint.size_hint_y, self.hint.height = None, sizes.remark
        body = BoxLayout(spacing=sizes.gap, orientation="vertical" if upright else "horizontal")
        self.pad.size_hint = (1, None) if upright else (None, 1)
        if upright:
            self.pad.height = (AMOUNT_HEIGHT_IN_TARGETS + DIGIT_ROWS) * (sizes.target + sizes.gap)
        self.pad.width = DIGIT_KEYS_WIDTH_TARGETS * sizes.target
        for part in (self.pager, self.pad):
            body.add_widget(part)
        for way in (self.pager.back_key, self.pager.next_key):
            way.width = sizes.target
        self.add_content(self.app.tr("Pay"), body, self.hint, keys=(self.pager.back_key, self.pager.next_key))
        self.pager.bind(size=lambda *_: self._fit())
        self._hint()

    def show_amounts(
        self, parties: Sequence[PaymentParty], holdings_by_place: Mapping[Place, Sequence[Holding]]
    ) -> None:
        """Shows the current amount of each party."""
        if [till.party for till in self.tiles] != list(parties):
            self.tiles = [MoneyPlaceTile(ways) for ways in parties]
            self.pager.items = self.tiles
            self._fit()
        for till in self.tiles:
            till.amount = _amount(till.party, holdings_by_place)

    def show_payment(self, payment_text: str) -> None:
        """Shows the payment that was just made, and its pieces; people can type the next amount."""
        self.pad.clear()
        self._choose(None)
        self.hint.text = payment_text

    def show_refusal(self, text: str) -> None:
        """Shows why an amount can't be paid, until the next touch."""
        self._choose(None)
        self._hint()
        self.refusal.text = text
        self.refusal.show_over(self, (self.hint.x, self.hint.y, self.hint.width, self.hint.height))

    def _hint(self) -> None:
        self.hint.text = self.app.tr("Type the amount, then drag from the payer to the receiver.")

    def _fit(self) -> None:
        """Arranges as many tiles on a page as fit."""
        target = theme.length.target
        cols = max(1, int(self.pager.width // (MIN_TILE_WIDTH_IN_TARGETS * target)))
        rows = max(1, int(self.pager.height // (target * 1.05)))
        needed = -(-len(self.tiles) // cols)
        self.pager.cols, self.pager.rows = cols, max(1, min(rows, needed))
        self.pager.back_key.opacity = self.pager.next_key.opacity = 1.0 if self.pager.page_count > 1 else 0.0

    # The finger

    def _till_at(self, touch: Any) -> MoneyPlaceTile | None:
        shown = (till for till in self.pager.grid.children if isinstance(till, MoneyPlaceTile))
        return next((till for till in shown if till.collide_point(*touch.pos)), None)

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch: starts to drag from a tile."""
        if self.refusal.dismiss_on_touch(touch):
            return True
        self._finger = self._till_at(touch)
        if self._finger is None:
            return bool(super().on_touch_down(touch))
        touch.grab(self)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """Handles a lifted finger: pays if it ends on another tile.

        If it ends on the same tile, that tile is selected as the payer.
        """
        if touch.grab_current is not self or self._finger is None:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        began, ended, self._finger = self._finger, self._till_at(touch), None
        if ended is not None and ended is not began:
            self._pay(began, ended)
        elif ended is None or self.payer is began:
            self._choose(None)
        elif self.payer is not None:
            self._pay(self.payer, began)
        else:
            self._choose(began)
        return True

    def _choose(self, till: MoneyPlaceTile | None) -> None:
        self.payer = till
        for one in self.tiles:
            one.is_payer = one is till
        if till is not None:
            self.hint.text = self.app.tr("{name} pays. Touch the player who gets the money.", name=till.name)

    def _pay(self, payer: MoneyPlaceTile, payee: MoneyPlaceTile) -> None:
        if self.pad.amount:
            self.dispatch("on_pay", payer.party.places, payee.party.places, self.pad.amount)
        else:
            self.show_refusal(self.app.tr("Type the amount first."))


def _amount(ways: PaymentParty, purses: Mapping[Place, Sequence[Holding]]) -> str:
    """Returns the money of one place; nothing for several places."""
    if len(ways.places) > 1:
        return ""
    held = [one for one in purses.get(ways.places[0], ()) if one.piece.money_value]
    if any(one.is_endless for one in held):
        return INFINITY_SIGN
    if any(one.count is None for one in held):
        return "?"
    return str(sum(one.piece.money_value * (one.count or 0) for one in held)).replace("-", "−")


def make_pay_key(app: Any) -> Key:
    """Returns the key in the bank that opens the page for paying."""
    return Key(text=app.tr("Pay"), name="pay", look="brass", size_hint_x=None, width=theme.length.bar * 1.3)


def payment_party_of(place: Place, lang: str) -> PaymentParty:
    """Returns the payer or receiver at a place, named after its seat if it has one."""
    return PaymentParty((place,), render(place.seat or place, lang))
