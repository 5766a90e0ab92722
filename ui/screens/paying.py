"""Paying an amount: people type it, then drag from the payer to the receiver, or touch both.

The page moves nothing: its owner pays, and shows the new amounts on the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.session.typed_payments import Payment
from companion.session.view import Holding
from companion.table.ledger import Place
from companion.texts import render
from ui import theme
from ui.pages import Page, make_key
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
        self.name_label = FittedLabel(text=party.name, style="key", line_height=1.0, abbreviates=True)
        self.amount_label = FittedLabel(style="digit", halign="right")
        super().__init__(size_hint_max_y=theme.length.target * MAX_TILE_HEIGHT_IN_TARGETS, **kwargs)
        for label in (self.name_label, self.amount_label):
            self.add_widget(label)
        self.fbind("amount", lambda _, amount: setattr(self.amount_label, "text", amount))

    def draw(self) -> None:
        """Draws the tile as paper, with a brass rim if this is the payer."""
        sizes = theme.length
        x, y, width, height = inset_box(self.box, sizes.line)
        draw_paper((x, y, width, height), sizes.line)
        if self.is_payer:
            draw_border(theme.BRASS, (x, y, width, height), sizes.rim)
        gap, name_height = sizes.gap, sizes.smallest * 1.35
        amount_height = height - name_height - sizes.line * 2
        seats = {place.seat for place in self.party.places}
        seat = next(iter(seats)) if len(seats) == 1 else None
        side = min(amount_height, sizes.token) if seat is not None else 0.0
        if seat is not None:
            draw_player_token(seat.colour, (x + gap, y + sizes.line + (amount_height - side) / 2, side, side))
        name_depth = name_height if self.amount else height / 2 + name_height / 2
        self.name_label.pos = (x + gap, y + height - name_depth - sizes.line)
        self.name_label.size = (width - 2 * gap, name_height)
        self.amount_label.pos = (x + gap + side, y + sizes.line)
        self.amount_label.size = (width - 2 * gap - side, amount_height)


class PaymentAmountPad(NumberPad):
    """A number pad for the amount to pay.

    The pad has no confirming key, as people touch tiles afterwards.
    """

    def _arrange(self, *_: object) -> None:
        if self.children:
            return
        self.orientation, self.spacing = "vertical", theme.length.gap / 2
        self.amount_sheet.remove_widget(self.limits_label)
        self.amount_sheet.size_hint_y, self.digit_grid.size_hint_y = AMOUNT_HEIGHT_IN_TARGETS, 3.0
        self.amount_label.style = "amount"
        for part in (self.amount_sheet, self.digit_grid):
            self.add_widget(part)


class PayPage(Page):
    """A page for paying: a tile for each money place, and a number pad. `pay` gets each payment.

    With `pay_otherwise` a key closes the page and calls it: there are ways to pay that the page doesn't have.
    """

    def __init__(
        self, pay: Callable[[Payment], object], pay_otherwise: Callable[[], object] | None = None
    ) -> None:
        sizes = theme.length
        super().__init__()
        self._pay = pay
        self.tiles: list[MoneyPlaceTile] = []
        self.payer_tile: MoneyPlaceTile | None = None
        self._touched_tile: MoneyPlaceTile | None = None
        is_upright = self.app.stage.is_next_page_portrait
        self.pager = Pager(between=sizes.gap / 2, has_external_keys=True)
        self.pad = PaymentAmountPad(least=1)
        self.hint = FittedLabel(is_on_felt=True, halign="center", lines=2, line_height=1.0)
        self.refusal = RefusalNotice()
        self.hint.size_hint_y, self.hint.height = None, sizes.remark
        body = BoxLayout(spacing=sizes.gap, orientation="vertical" if is_upright else "horizontal")
        self.pad.size_hint = (1, None) if is_upright else (None, 1)
        if is_upright:
            self.pad.height = (AMOUNT_HEIGHT_IN_TARGETS + DIGIT_ROWS) * (sizes.target + sizes.gap)
        self.pad.width = DIGIT_KEYS_WIDTH_TARGETS * sizes.target
        for part in (self.pager, self.pad):
            body.add_widget(part)
        keys = [self.pager.back_key, self.pager.next_key]
        if pay_otherwise is not None:
            keys.insert(0, self._make_other_way_key(pay_otherwise))
        self.add_content(self.app.tr("Pay"), body, self.hint, keys_beside_title=keys)
        self.pager.bind(size=lambda *_: self._arrange_tiles())
        self._show_hint()

    def _make_other_way_key(self, pay_otherwise: Callable[[], object]) -> Key:
        def close_and_pay_otherwise() -> None:
            self.close()
            pay_otherwise()

        key = make_key("pay otherwise", self.app.tr("Other ways to pay"), close_and_pay_otherwise)
        key.size_hint_x, key.width = None, key.min_width_in_two_lines()
        return key

    def show_amounts(
        self, parties: Sequence[PaymentParty], money_by_place: Mapping[Place, Sequence[Holding]]
    ) -> None:
        """Shows the current amount of each party."""
        if [tile.party for tile in self.tiles] != list(parties):
            self.tiles = [MoneyPlaceTile(party) for party in parties]
            self.pager.items = self.tiles
            self._arrange_tiles()
        for tile in self.tiles:
            tile.amount = _format_amount(tile.party, money_by_place)

    def select_payer_at(self, place: Place | None) -> None:
        """Selects the party at a place as the payer."""
        self._select_payer(next((tile for tile in self.tiles if tile.party.places == (place,)), None))

    def show_payment_made(self, payment_text: str) -> None:
        """Shows the pieces of the payment that was just made; people can type the next amount."""
        self.pad.clear()
        self._select_payer(None)
        self.hint.text = payment_text

    def show_refusal(self, text: str) -> None:
        """Shows why an amount can't be paid, until the next touch."""
        self._select_payer(None)
        self._show_hint()
        self.refusal.text = text
        self.refusal.show_over(self, (self.hint.x, self.hint.y, self.hint.width, self.hint.height))

    def _show_hint(self) -> None:
        self.hint.text = self.app.tr("Type the amount, then drag from the payer to the receiver.")

    def _arrange_tiles(self) -> None:
        """Arranges as many tiles on a page as fit."""
        target = theme.length.target
        cols = max(1, int(self.pager.width // (MIN_TILE_WIDTH_IN_TARGETS * target)))
        rows = max(1, int(self.pager.height // (target * 1.05)))
        needed_rows = -(-len(self.tiles) // cols)
        self.pager.cols, self.pager.rows = cols, max(1, min(rows, needed_rows))

    # The finger

    def _tile_at(self, touch: Any) -> MoneyPlaceTile | None:
        tiles = (tile for tile in self.pager.grid.children if isinstance(tile, MoneyPlaceTile))
        return next((tile for tile in tiles if tile.collide_point(*touch.pos)), None)

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch: starts to drag from a tile."""
        if self.refusal.dismiss_on_touch(touch):
            return True
        self._touched_tile = self._tile_at(touch)
        if self._touched_tile is None:
            return bool(super().on_touch_down(touch))
        touch.grab(self)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """Handles a lifted finger: pays if it ends on another tile.

        If it ends on the same tile, that tile is selected as the payer.
        """
        if touch.grab_current is not self or self._touched_tile is None:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        first_tile, last_tile, self._touched_tile = self._touched_tile, self._tile_at(touch), None
        if last_tile is not None and last_tile is not first_tile:
            self._take_payment(first_tile, last_tile)
        elif last_tile is None or self.payer_tile is first_tile:
            self._select_payer(None)
        elif self.payer_tile is not None:
            self._take_payment(self.payer_tile, first_tile)
        else:
            self._select_payer(first_tile)
        return True

    def _select_payer(self, payer: MoneyPlaceTile | None) -> None:
        self.payer_tile = payer
        for tile in self.tiles:
            tile.is_payer = tile is payer
        if payer is not None:
            self.hint.text = self.app.tr("{name} pays. Touch the player who gets the money.", name=payer.name)

    def _take_payment(self, payer: MoneyPlaceTile, payee: MoneyPlaceTile) -> None:
        amount = self.pad.amount
        if isinstance(amount, int) and amount > 0:
            self._pay(Payment(payer.party.places, payee.party.places, amount))
        else:
            self.show_refusal(self.app.tr("Type the amount first."))


def _format_amount(party: PaymentParty, money_by_place: Mapping[Place, Sequence[Holding]]) -> str:
    """Returns the money at one place; an empty text for several places."""
    if len(party.places) > 1:
        return ""
    money = money_by_place[party.places[0]]
    if any(holding.is_endless for holding in money):
        return INFINITY_SIGN
    if any(holding.count is None for holding in money):
        return "?"
    return str(sum(holding.piece.money_value * (holding.count or 0) for holding in money)).replace("-", "−")


def make_pay_key(app: Any) -> Key:
    """Returns the key in the bank that opens the page for paying."""
    return Key(text=app.tr("Pay"), name="pay", look="brass", size_hint_x=None, width=theme.length.bar * 1.3)


def payment_party_of(place: Place, lang: str) -> PaymentParty:
    """Returns the payer or receiver at a place, named after its seat if it has one."""
    return PaymentParty((place,), render(place.seat or place, lang))
