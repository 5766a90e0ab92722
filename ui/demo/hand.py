"""A simulated finger for the real window: it taps buttons by their names, waits, and takes screenshots.

    finger = SimulatedFinger(app, Window)
    await finger.tap_buttons("Egypt", "Next", "Begin")
    await finger.save_screenshot(Path("out/01-table.png"))

For demonstrations and pictures; the app must be running in the same loop.
"""

from __future__ import annotations

import asyncio
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
from companion.requests import CardsField, OptionField, QuantitiesField, Request, TextField
from companion.session.card_offers import list_card_choices
from companion.table.seats import Seat
from ui.app import CompanionApp
from ui.demo.presses import button_names_for_answer
from ui.questions.card_form import CardDigitsForm
from ui.widgets.keys.keyboard import Keyboard

WAIT_TIMEOUT_SECONDS = 20.0
"""Seconds until waiting for something gives up."""


class SimulatedTouch(MotionEvent):
    """One simulated touch of the window."""

    def __init__(self, window: Any, x: float, y: float) -> None:
        place = {"x": x / (window.width - 1), "y": y / (window.height - 1)}
        super().__init__("finger", 1, place, is_touch=True, type_id="touch")
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

    Raises LookupError, which lists the visible texts, if a button isn't there.
    """

    def __init__(self, app: CompanionApp, window: Any) -> None:
        self.app = app
        self.window = window

    async def wait_frames(self, count: int = 1) -> None:
        """Waits for that many frames.

        As everywhere in Kivy a frame without a change isn't drawn.
        """
        for _ in range(count):
            passed = asyncio.Event()
            Clock.schedule_once(partial(_passed, passed))
            await asyncio.wait_for(passed.wait(), WAIT_TIMEOUT_SECONDS)

    async def wait_until(
        self, condition: Callable[[], bool], timeout_seconds: float = WAIT_TIMEOUT_SECONDS
    ) -> None:
        """Waits until the condition is true; raises TimeoutError after `timeout_seconds`."""
        async with asyncio.timeout(timeout_seconds):
            while not condition():  # noqa: ASYNC110 what is waited for tells nobody
                await asyncio.sleep(0.002)

    def walk_widgets_from_top(self, ancestor: Any = None) -> Iterator[Any]:
        """Yields all widgets on the screen, or in `ancestor`, the topmost first."""
        for root in self.window.children if ancestor is None else [ancestor]:
            yield from _topmost(root)

    def find_button(self, name_or_text: str, ancestor: Any = None) -> Any:
        """Returns the topmost button with this name or text."""
        for widget in self.walk_widgets_from_top(ancestor):
            if isinstance(widget, ButtonBehavior) and name_or_text in (
                getattr(widget, "name", None),
                getattr(widget, "text", None),
            ):
                return widget
        raise LookupError(f"there is no key {name_or_text!r}; the screen says {self.visible_texts()}")

    def can_tap(self, name_or_text: str, ancestor: Any = None) -> bool:
        """Returns whether there is a button with this name or text that can be touched."""
        try:
            return not getattr(self.find_button(name_or_text, ancestor), "disabled", False)
        except LookupError:
            return False

    def visible_texts(self) -> list[str]:
        """Returns every text that can be read now."""
        found = (getattr(widget, "text", "") for widget in self.walk_widgets_from_top())
        return [text for text in dict.fromkeys(found) if text]

    async def tap_buttons(self, *names_or_texts: str) -> None:
        """Taps the buttons one after the other."""
        for name in names_or_texts:
            await self.tap_widget(self.find_button(name))

    async def tap_widget(self, widget: Any) -> None:
        """Puts a finger on the middle of a widget and lifts it again."""
        self.press_and_hold(widget, widget.center).send_touch_up()
        await self.wait_frames(2)  # what comes next must have its place before it can be touched

    def press_and_hold(self, widget: Any, position: tuple[float, float]) -> SimulatedTouch:
        """Puts a finger on a position of a widget, and holds it there.

        The returned touch stays down until `send_touch_up`.
        """
        touch = SimulatedTouch(self.window, *widget.to_window(*position))
        touch.send_touch_down()
        return touch

    async def save_screenshot(self, file: Path) -> None:
        """Saves what the window shows as a PNG, exactly under this name."""
        taken: list[str] = []
        await self.wait_frames(2)

        def take(*_: object) -> None:
            taken.append(self.window.screenshot(name=f"{folder}/taken.png"))
            self.window.unbind(on_flip=take)

        with TemporaryDirectory(prefix="companion-") as folder:  # Kivy gives it another name, and open rights
            self.window.bind(on_flip=take)
            self.window.canvas.ask_update()
            await self.wait_until(lambda: bool(taken))
            _put(Path(taken[0]), file)


def _put(taken: Path, file: Path) -> None:
    replace_file(file, taken.read_bytes())


def draw_only_awaited_frames(window: Any) -> None:
    """Makes the window draw only awaited frames: in software drawing is half of all the work."""
    draw = window.on_draw
    window.on_draw = lambda: draw() if window.get_property_observers("on_flip") else None


def _passed(frame: asyncio.Event, _: float) -> None:
    frame.set()


def _topmost(widget: Any) -> Iterator[Any]:
    for child in widget.children:
        yield from _topmost(child)
    yield widget


# A hand at the screen: gives an answer to a question of any kind, by touches on its keys.
# For demonstrations and pictures. What a kind looks like it knows by the names of its keys.


class AnsweringHand:
    """A hand that enters answers by touch.

    Each JSON answer is entered on the widget that asks for it; sealed answers under the cover.
    """

    def __init__(self, app: CompanionApp, finger: SimulatedFinger) -> None:
        self.app, self.finger = app, finger

    async def answer_open_question(self, question: Request[Any], answer: Any) -> None:
        """Answers the open question on the table."""
        if question.is_sealed:
            for seat, part in question.parts_by_seat.items():
                await self.seal_answer(seat, part, answer[str(seat.number)])
        elif question.parts_by_seat:
            await self._fill(question, answer)
        else:
            await self._give(self.app.stage.screen.question, question, answer)

    async def seal_answer(self, seat: Seat, question: Request[Any], answer: Any) -> None:
        """Seals one seat's answer.

        The seat takes the screen first; returns when the screen is passed on.
        """
        envelopes = self.app.stage.screen.question
        await self._touch(envelopes, seat.name)
        sealing = envelopes.answer_screen
        await self._touch(sealing, self.app.tr("{name}, take the screen", name=seat.name))
        await self._give(sealing.question, question, answer)
        await self.finger.wait_until(lambda: sealing.parent is None)

    async def _fill(self, question: Request[Any], answer: Mapping[str, Any]) -> None:
        """Fills an open round row by row on its pad; other answers have their own widget."""
        widget: Any = self.app.stage.screen.question
        if self.finger.can_tap("unfold", widget):
            await self._touch(widget, "unfold")
        sheet = widget.sheet
        for seat, part in question.parts_by_seat.items():
            await self._touch(sheet, seat.name)
            if not sheet.has_pad:
                await self._give(widget.seat_question, part, answer[str(seat.number)])
                continue
            for number in sheet.read(seat, answer[str(seat.number)]).values():
                sign = ["sign"] if number < 0 else []
                await self._touch(sheet, *sign, *str(abs(number)), "confirm")

    async def _give(self, widget: Any, question: Request[Any], answer: Any) -> None:
        form = question.form
        match form.single_field:
            case _ if form.is_decline(answer):
                await self._touch(widget, *button_names_for_answer(form, answer))
            case CardsField(counts=None) as cards:
                await self._cards(widget, cards, answer)
            case QuantitiesField():
                await self._counts(widget, answer)
            case TextField():
                await self._write(widget, answer)
            case field:
                if isinstance(field, OptionField):
                    await self._leaf(widget, answer)
                await self._touch(widget, *button_names_for_answer(form, answer))

    async def _write(self, widget: Any, text: str) -> None:
        await self._touch(widget, "write")
        await self.type_text(text)
        await self.finger.tap_buttons("done")

    async def type_text(self, text: str) -> None:
        """Types a text on the open keyboard, letter by letter.

        A letter without a key is added without a touch.
        """
        if self.finger.can_tap("latin"):
            await self.finger.tap_buttons("latin")
        keyboard = next(one for one in self.finger.walk_widgets_from_top() if isinstance(one, Keyboard))
        for letter in text:
            if letter.isalpha() and not self.finger.can_tap(letter, keyboard):
                await self.finger.tap_buttons("shift")
            if letter == " " or self.finger.can_tap(letter, keyboard):
                await self.finger.tap_buttons("space" if letter == " " else letter)
            else:
                keyboard.text += letter

    async def _counts(self, widget: Any, answer: Mapping[str, int]) -> None:
        for key, count in answer.items():
            if count:
                await self._turn(widget, widget.dials[key], key, count)
        await self._touch(widget, "take")

    async def _turn(self, widget: Any, dial: Any, name: str, wanted: int) -> None:
        """Types a large number, steps to a small one."""
        if dial.number.can_type:
            await self._touch(widget, f"type {name}", *str(wanted), "confirm")
            return
        steps = round((wanted - dial.count) / dial.step_size)
        await self._touch(widget, *[f"{'more' if steps > 0 else 'less'} {name}"] * abs(steps))

    async def _cards(self, widget: Any, cards: CardsField, items: Sequence[Any]) -> None:
        for item in items:
            name = _offer(widget, cards, item)
            if name is None:
                await self._describe(widget, cards, item)
            else:
                await self._narrow(widget, name)
                await self._leaf(widget, f"card {name}")
                await self._touch(widget, f"card {name}")
        if not widget.is_single_card_answer:
            await self._touch(widget, "lay")

    async def _describe(self, widget: Any, cards: CardsField, item: Any) -> None:
        """Turns a dial for each value that is printed on the card."""
        values = cards.parse_card_item(item).values
        await self._touch(widget, "describe")
        if isinstance(widget.open_form, CardDigitsForm):
            await self._touch(widget, *(f"{name} {values[name]}" for name in widget.open_form.rows))
            return
        for name, field in cards.deck.fields_for(values):
            if name in cards.required_values:
                continue
            wanted = field.choices.index(str(values[name])) if field.choices else int(values[name])
            await self._turn(widget, widget.open_form.dials[name], name, wanted)
        await self._touch(widget, "described")

    async def _narrow(self, widget: Any, name: str) -> None:
        """From all cards to a page with that one, value by value."""
        while widget.filter_path:
            await self._touch(widget, "all cards")
        while group := widget.find_shown_group(name):
            await self._touch(widget, f"narrow {group.field} {group.value}")

    async def _leaf(self, widget: Any, name: str) -> None:
        """Turns pages until a button of that name is there, from any page of the list."""
        while not self.finger.can_tap(name, widget) and self.finger.can_tap("page back", widget):
            await self._touch(widget, "page back")
        while not self.finger.can_tap(name, widget) and self.finger.can_tap("page on", widget):
            await self._touch(widget, "page on")

    async def _touch(self, widget: Any, *names: str) -> None:
        for name in names:
            await self.finger.tap_widget(self.finger.find_button(name, widget))


def _offer(widget: Any, cards: CardsField, item: Any) -> str | None:
    """Returns the name of the listed card that is this one, or an unpicked equal one; else None."""
    picked = [name for name, _ in widget.picked]
    values = cards.parse_card_item(item).values
    offers = [
        offer
        for offer in list_card_choices(cards, widget.view, "en")
        if picked.count(offer.name) < offer.copies and cards.parse_card_item(offer.item).values == values
    ]
    exact = [offer for offer in offers if offer.item == item]
    return next((offer.name for offer in [*exact, *offers]), None)
