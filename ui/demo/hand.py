"""A simulated finger for the real window: it taps buttons by their names, waits, and takes screenshots.

    finger = SimulatedFinger(app, Window)
    await finger.tap_buttons("Egypt", "Begin")
    await finger.save_screenshot(Path("out/01-table.png"))

`AnsweringHand` enters answers with such a finger. `BankHand` pays amounts and moves pieces in the bank, as
people did in a recorded match. All are for demonstrations and pictures; the app must run in the same event
loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.input.motionevent import MotionEvent
from kivy.uix.behaviors import ButtonBehavior

from companion.files.regular_files import replace_file
from companion.requests import CardsField, Form, OptionField, QuantitiesField, Request, TextField
from companion.requests.fields import numbers_from_answer
from companion.session.card_offers import list_card_choices
from companion.session.typed_payments import Payment
from companion.table.ledger import Ledger, Place
from companion.table.moves import PieceMove
from companion.table.seats import Seat
from ui.app import CompanionApp
from ui.demo.presses import button_names_for_answer
from ui.questions.card_form import CardDigitsForm
from ui.screens.bank import BankPage
from ui.screens.paying import PayPage
from ui.widgets.keys.keyboard import Keyboard
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.private_view import hand_over_text

WAIT_TIMEOUT_SECONDS = 20.0
"""Seconds after which `SimulatedFinger` stops waiting and raises TimeoutError."""


class SimulatedTouch(MotionEvent):
    """One simulated touch of the window."""

    def __init__(self, window: Any, x: float, y: float) -> None:
        position = {"x": x / (window.width - 1), "y": y / (window.height - 1)}
        super().__init__("finger", 1, position, is_touch=True, type_id="touch")
        self.profile = ["pos"]

    def depack(self, args: dict[str, float]) -> None:
        """Sets the position of the touch (called by Kivy)."""
        self.sx, self.sy = args["x"], args["y"]
        super().depack(args)

    def send_touch_down(self) -> None:
        """Sends the touch-down event to the window."""
        EventLoop.post_dispatch_input("begin", self)

    def send_touch_up(self) -> None:
        """Sends the touch-up event to the window."""
        EventLoop.post_dispatch_input("end", self)


class SimulatedFinger:
    """A simulated finger that finds buttons and taps them.

    If a button isn't there, it raises LookupError, which lists the visible texts.
    """

    def __init__(self, app: CompanionApp, window: Any) -> None:
        app.shows_table_across_room = False  # a demonstration may answer by keypad for minutes
        self.app = app
        self.window = window

    async def wait_frames(self, count: int = 1) -> None:
        """Waits for `count` frames; Kivy doesn't draw a frame without a change."""
        for _ in range(count):
            has_passed = asyncio.Event()
            Clock.schedule_once(partial(_set_event, has_passed))
            await asyncio.wait_for(has_passed.wait(), WAIT_TIMEOUT_SECONDS)

    async def wait_until(
        self, condition: Callable[[], bool], timeout_seconds: float = WAIT_TIMEOUT_SECONDS
    ) -> None:
        """Waits until the condition is true; raises TimeoutError after `timeout_seconds`."""
        async with asyncio.timeout(timeout_seconds):
            while not condition():  # noqa: ASYNC110 a condition sends no event
                await asyncio.sleep(0.002)

    def walk_widgets_from_top(self, ancestor: Any = None) -> Iterator[Any]:
        """Yields all widgets on the screen, or in `ancestor`, the topmost first."""
        for root in self.window.children if ancestor is None else [ancestor]:
            yield from _walk_from_top(root)

    def find_button(self, name_or_text: str, ancestor: Any = None) -> Any:
        """Returns the topmost button with this name or, without one, with this text.

        Keys of a market are named after their cards, and show the numbers of the cards in the row now.
        """
        for attribute in ("name", "text"):
            for widget in self.walk_widgets_from_top(ancestor):
                if isinstance(widget, ButtonBehavior) and getattr(widget, attribute, None) == name_or_text:
                    return widget
        raise LookupError(f"there is no key {name_or_text!r}; the screen says {self.visible_texts()}")

    def can_tap(self, name_or_text: str, ancestor: Any = None) -> bool:
        """Returns whether there is a button with this name or text that can be touched."""
        try:
            return not getattr(self.find_button(name_or_text, ancestor), "disabled", False)
        except LookupError:
            return False

    def visible_texts(self) -> list[str]:
        """Returns every text on the screen, without repetitions."""
        found = (getattr(widget, "text", "") for widget in self.walk_widgets_from_top())
        return [text for text in dict.fromkeys(found) if text]

    async def tap_buttons(self, *names_or_texts: str) -> None:
        """Taps the buttons one after the other."""
        for name in names_or_texts:
            await self.tap_widget(self.find_button(name))

    async def tap_widget(self, widget: Any) -> None:
        """Puts a finger on the middle of a widget and lifts it again."""
        self.press_and_hold(widget, widget.center).send_touch_up()
        await self.wait_frames(2)  # new widgets must be laid out before they can be touched

    def press_and_hold(self, widget: Any, position: tuple[float, float]) -> SimulatedTouch:
        """Puts a finger on a position of a widget, and holds it there.

        The returned touch stays down until `send_touch_up`.
        """
        touch = SimulatedTouch(self.window, *widget.to_window(*position))
        touch.send_touch_down()
        return touch

    async def save_screenshot(self, file: Path) -> None:
        """Saves what the window shows as a PNG, exactly under this name."""
        kivy_files: list[str] = []
        await self.wait_frames(2)

        def take_screenshot(*_: object) -> None:
            kivy_files.append(self.window.screenshot(name=f"{folder}/taken.png"))
            self.window.unbind(on_flip=take_screenshot)

        # Kivy changes the name, and lets everybody read its file.
        with TemporaryDirectory(prefix="companion-") as folder:
            self.window.bind(on_flip=take_screenshot)
            self.window.canvas.ask_update()
            await self.wait_until(lambda: bool(kivy_files))
            _copy_file(Path(kivy_files[0]), file)


def _copy_file(source: Path, target: Path) -> None:
    replace_file(target, source.read_bytes())


def draw_only_awaited_frames(window: Any) -> None:
    """Makes the window draw only awaited frames, because drawing in software is half of all the work."""
    dispatch = window.dispatch

    def dispatch_unless_unawaited(event: str, *args: object) -> object:
        is_awaited = event != "on_draw" or window.get_property_observers("on_flip")
        return dispatch(event, *args) if is_awaited else None

    window.dispatch = dispatch_unless_unawaited


def _set_event(has_passed: asyncio.Event, _: float) -> None:
    has_passed.set()


def _walk_from_top(widget: Any) -> Iterator[Any]:
    for child in widget.children:
        yield from _walk_from_top(child)
    yield widget


class AnsweringHand:
    """A hand that enters answers to questions of any kind by touch, for demonstrations and pictures.

    It enters each JSON answer on the widget that asks for it, and finds buttons by their names. It enters
    sealed answers under the cover.
    """

    def __init__(self, app: CompanionApp, finger: SimulatedFinger) -> None:
        self.app, self.finger = app, finger

    async def answer_open_question(self, question: Request[Any], answer: Any) -> None:
        """Answers the open question on the table.

        If it is the menu, and the next round is shown, the hand goes to the menu first.
        """
        if self.app.controller.round_preview.question is not None:
            await self._tap(self.app.stage.screen.question_widget, "menu")
        if question.is_sealed:
            for seat, part in question.parts_by_seat.items():
                await self.seal_answer(seat, part, answer[str(seat.number)])
        elif question.parts_by_seat:
            await self._fill_open_round(question, answer)
        else:
            await self._enter_on_widget(self.app.stage.screen.question_widget, question, answer)

    async def seal_answer(self, seat: Seat, question: Request[Any], answer: Any) -> None:
        """Seals one seat's answer: takes the screen, enters the answer and passes the screen on."""
        envelopes = self.app.stage.screen.question_widget
        await self._tap(envelopes, seat.name)
        await self.seal_on_answer_screen(envelopes.answer_screen, question, answer)

    async def seal_on_answer_screen(self, answer_screen: Any, question: Request[Any], answer: Any) -> None:
        """Seals an answer on the private screen that is open, and passes the screen on."""
        cover_text = hand_over_text(answer_screen.seat.name)
        if self.finger.can_tap(cover_text, answer_screen):
            await self._tap(answer_screen, cover_text)
        await self._enter_on_widget(answer_screen.question, question, answer)
        await self.finger.wait_until(lambda: answer_screen.parent is None)

    async def _fill_open_round(self, question: Request[Any], answer: Mapping[str, Any]) -> None:
        """Fills the rows of the seats in `answer`: numbers on the pad, other answers on their own widgets."""
        widget: Any = self.app.stage.screen.question_widget
        if self.finger.can_tap("unfold", widget):
            await self._tap(widget, "unfold")
        sheet = widget.sheet
        for seat, part in question.parts_by_seat.items():
            if str(seat.number) not in answer:
                continue
            await self._tap(sheet, seat.name)
            if not sheet.has_pad:
                await self._enter_on_widget(widget.seat_question, part, answer[str(seat.number)])
                continue
            for number in sheet.answer_numbers_by_key(seat, answer[str(seat.number)]).values():
                sign = ["sign"] if number < 0 else []
                await self._tap(sheet, *sign, *str(abs(number)), "confirm")

    async def _enter_on_widget(self, widget: Any, question: Request[Any], answer: Any) -> None:
        form = question.form
        match form.single_field:
            case _ if form.is_decline(answer):
                await self._tap(widget, *button_names_for_answer(form, answer))
            case CardsField(counts=None) as cards:
                await self._pick_cards(widget, cards, answer)
            case CardsField():
                await self._enter_card_counts(widget, form, answer)
            case QuantitiesField():
                await self._enter_counts(widget, answer)
            case TextField():
                await self._enter_text(widget, answer)
            case field:
                if isinstance(field, OptionField):
                    await self._turn_to_page_with(widget, answer)
                buttons = button_names_for_answer(form, answer, is_sealed=widget.is_sealed)
                await self._tap(widget, *buttons)
                if self.finger.can_tap("pay otherwise"):  # the page for paying doesn't give the answer
                    await self.finger.tap_buttons("pay otherwise")

    async def _enter_text(self, widget: Any, text: str) -> None:
        await self._tap(widget, "write")
        await self.type_text(text)
        await self.finger.tap_buttons("done")

    async def type_text(self, text: str) -> None:
        """Types a text on the open keyboard, letter by letter.

        A letter without a key is added without a touch.
        """
        if self.finger.can_tap("latin"):
            await self.finger.tap_buttons("latin")
        keyboard = next(
            widget for widget in self.finger.walk_widgets_from_top() if isinstance(widget, Keyboard)
        )
        for letter in text:
            if letter.isalpha() and not self.finger.can_tap(letter, keyboard):
                await self.finger.tap_buttons("shift")
            if letter == " " or self.finger.can_tap(letter, keyboard):
                await self.finger.tap_buttons("space" if letter == " " else letter)
            else:
                keyboard.text += letter

    async def _enter_counts(self, widget: Any, answer: Mapping[str, int]) -> None:
        for key, dial in widget.dials.items():
            if answer[key] != dial.count:
                await self._set_dial(widget, dial, key, answer[key])
        await self._tap(widget, "take")

    async def _enter_card_counts(self, widget: Any, form: Form, answer: Any) -> None:
        """Counts the cards of each rate, from what is filled in or was begun, and lays them down."""
        for key, count in enumerate(numbers_from_answer(form, answer) or (), 1):
            steps = round(count - widget.steppers[key - 1].count)
            await self._tap(widget, *[f"{'more' if steps > 0 else 'less'} {key}"] * abs(steps))
        await self._tap(widget, "lay")

    async def _set_dial(self, widget: Any, dial: Any, name: str, target_count: int) -> None:
        """Sets a dial to a count: types the number if the dial can be typed on, else presses more or less."""
        if dial.number.can_type:
            await self._tap(widget, f"type {name}", *str(target_count), "confirm")
            return
        steps = round((target_count - dial.count) / dial.step_size)
        await self._tap(widget, *[f"{'more' if steps > 0 else 'less'} {name}"] * abs(steps))

    async def _pick_cards(self, widget: Any, cards: CardsField, items: Sequence[Any]) -> None:
        for item in items:
            name = _find_offered_card(widget, cards, item)
            if name is None:
                await self._describe_card(widget, cards, item)
            else:
                await self._filter_to_card(widget, name)
                await self._turn_to_page_with(widget, f"card {name}")
                await self._tap(widget, f"card {name}")
        if not widget.is_single_card_answer:
            await self._tap(widget, "lay")

    async def _describe_card(self, widget: Any, cards: CardsField, item: Any) -> None:
        """Describes a card by the values that are printed on it: on dials, or by digits."""
        values = cards.parse_card_item(item).values
        await self._tap(widget, "describe")
        if isinstance(widget.open_form, CardDigitsForm):
            await self._tap(widget, *(f"{name} {values[name]}" for name in widget.open_form.rows))
            return
        for name, field in cards.deck.fields_for(values).items():
            if name in cards.required_values:
                continue
            target = field.choices.index(str(values[name])) if field.choices else int(values[name])
            await self._set_dial(widget, widget.open_form.dials[name], name, target)
        await self._tap(widget, "described")

    async def _filter_to_card(self, widget: Any, name: str) -> None:
        """Filters all cards, value by value, until a page shows the card."""
        while widget.filter_path:
            await self._tap(widget, "all cards")
        while group := widget.find_group_of_card(name):
            await self._tap(widget, f"narrow {group.field} {group.value}")

    async def _turn_to_page_with(self, widget: Any, name: str) -> None:
        """Turns pages, first back and then on, until a button with this name can be tapped."""
        while not self.finger.can_tap(name, widget) and self.finger.can_tap("page back", widget):
            await self._tap(widget, "page back")
        while not self.finger.can_tap(name, widget) and self.finger.can_tap("page on", widget):
            await self._tap(widget, "page on")

    async def _tap(self, widget: Any, *names: str) -> None:
        for name in names:
            await self.finger.tap_widget(self.finger.find_button(name, widget))


def _find_offered_card(widget: Any, cards: CardsField, item: Any) -> str | None:
    """Returns the name of the listed card that is `item`, or of an equal one that isn't picked; else None."""
    picked_names = [card.key_name for card in widget.picked]
    values = cards.parse_card_item(item).values
    offers = [
        offer
        for offer in list_card_choices(cards, widget.view, "en")
        if picked_names.count(offer.name) < offer.copies
        and cards.parse_card_item(offer.item).values == values
    ]
    exact_offers = [offer for offer in offers if offer.item == item]
    return next((offer.name for offer in [*exact_offers, *offers]), None)


# Corrections in the bank


class BankHand:
    """A hand that enters corrections in the bank, in a game whose pieces people may move freely."""

    def __init__(self, app: CompanionApp, finger: SimulatedFinger) -> None:
        self.app, self.finger = app, finger

    async def try_correction(self, moves: Sequence[PieceMove]) -> bool:
        """Makes a correction by touch; returns False if this hand can't make it, and then touches nothing."""
        if not self.app.evening.game.has_free_moves:
            return False
        payment = find_payment(self.app.evening.table.ledger, moves)
        if payment is not None and self._has_tiles_for(payment):
            await self._pay(payment)
            return True
        if len(moves) == 1 and not moves[0].piece.is_marker:
            await self._move_pieces(moves[0])
            return True
        return False

    def _has_tiles_for(self, payment: Payment) -> bool:
        """Returns whether both parties have tiles: one place, or the places of all other players."""
        evening = self.app.evening
        places = [*evening.money_by_place()]
        players = {place for place in places if place.seat in evening.table.captains_in_game}
        return all(
            party[0] in places if len(party) == 1 else {*party} == players - {*other}
            for party, other in ((payment.payers, payment.payees), (payment.payees, payment.payers))
        )

    async def _pay(self, payment: Payment) -> None:
        await self._open_bank()
        await self.finger.tap_buttons("pay", *str(payment.amount))
        page = self._find_page(PayPage)
        for party in (payment.payers, payment.payees):
            tile = next(tile for tile in page.tiles if _is_party_of(tile.party.places, party))
            await self._turn_to_item(page.pager, tile)
            await self.finger.tap_widget(tile)
        await self.finger.tap_buttons("close", "close")

    async def _move_pieces(self, move: PieceMove) -> None:
        await self._open_bank()
        bank = self._find_page(BankPage)
        purse_by_place = {purse.place: purse for purse in bank.purses}
        source, target = purse_by_place[move.source], purse_by_place[move.target]
        await self._turn_to_item(bank.pager, source)
        holding = next(holding for holding in source.holdings if holding.piece == move.piece)
        position = source.centre_of_piece(move.piece.key)
        if position is None:  # people choose a piece without room in its purse from a list
            bank.select_holding(holding)
        else:
            self.finger.press_and_hold(source, position).send_touch_up()
            await self.finger.wait_frames(2)
        await self._turn_to_item(bank.pager, target)
        await self.finger.tap_widget(target)
        if holding.count != 1 or holding.is_endless:
            await self.finger.tap_buttons(*str(move.count), "confirm")
        await self.finger.tap_buttons("close")

    async def _open_bank(self) -> None:
        """Opens the bank with its icon, or from the menu if the icon has no room."""
        bar = self.app.stage.screen.bar
        if "bank" in bar.hidden_icons:
            await self.finger.tap_buttons("more", "bank")
        else:
            await self.finger.tap_widget(self.finger.find_button("bank", bar))

    def _find_page(self, page_class: type[Any]) -> Any:
        return next(page for page in self.finger.walk_widgets_from_top() if isinstance(page, page_class))

    async def _turn_to_item(self, pager: Pager, item: Any) -> None:
        """Turns pages until an item is shown."""
        page = pager.items.index(item) // (pager.cols * pager.rows)
        while pager.page != page:
            await self.finger.tap_widget(pager.next_key if pager.page < page else pager.back_key)


def find_payment(ledger: Ledger, moves: Sequence[PieceMove]) -> Payment | None:
    """Returns the payment of one amount that makes exactly these moves; None if there is none."""
    amounts = Counter[tuple[Place, Place]]()
    for move in moves:
        value = move.piece.money_value * move.count
        amounts[move.source, move.target] += value
        amounts[move.target, move.source] -= value
    paid_amounts = {parties: amount for parties, amount in amounts.items() if amount > 0}
    if len({*paid_amounts.values()}) != 1:
        return None
    payers = tuple(dict.fromkeys(payer for payer, _ in paid_amounts))
    payees = tuple(dict.fromkeys(payee for _, payee in paid_amounts))
    payment = Payment(payers, payees, next(iter(paid_amounts.values())))
    is_payment = min(len(payers), len(payees)) == 1 and payment.piece_moves(ledger) == list(moves)
    return payment if is_payment else None


def _is_party_of(places: Sequence[Place], party: Sequence[Place]) -> bool:
    """Returns whether a tile with these places is the tile of a party: its place, or everybody's."""
    return len(places) > 1 if len(party) > 1 else tuple(places) == tuple(party)
