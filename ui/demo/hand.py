"""A finger and an eye for the real window: it touches keys by their names, waits, and takes photographs.

    finger = Finger(app, Window)
    await finger.tap("Egypt", "Next", "Begin")
    await finger.photograph(Path("out/01-table.png"))

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
from ui.demo.presses import touches_for
from ui.questions.card_form import PrintedDigits
from ui.widgets.keys.keyboard import Keyboard

TIMEOUT_SECONDS = 20.0
"""Seconds until it gives up on something that should have happened."""


class SimulatedTouch(MotionEvent):
    """One touch of the window."""

    def __init__(self, window: Any, x: float, y: float) -> None:
        place = {"x": x / (window.width - 1), "y": y / (window.height - 1)}
        super().__init__("finger", 1, place, is_touch=True, type_id="touch")
        self.profile = ["pos"]

    def depack(self, args: dict[str, float]) -> None:
        """Where it is."""
        self.sx, self.sy = args["x"], args["y"]
        super().depack(args)

    def down(self) -> None:
        """Comes down."""
        EventLoop.post_dispatch_input("begin", self)

    def up(self) -> None:
        """Goes up again."""
        EventLoop.post_dispatch_input("end", self)


class Finger:
    """Raises LookupError, which lists what can be read, where a key isn't there."""

    def __init__(self, app: CompanionApp, window: Any) -> None:
        self.app = app
        self.window = window

    async def frames(self, count: int = 1) -> None:
        """Lets that many frames pass; as everywhere in Kivy one without a change isn't drawn."""
        for _ in range(count):
            passed = asyncio.Event()
            Clock.schedule_once(partial(_passed, passed))
            await asyncio.wait_for(passed.wait(), TIMEOUT_SECONDS)

    async def until(self, true: Callable[[], bool], seconds: float = TIMEOUT_SECONDS) -> None:
        """Waits until something is so; TimeoutError after so many seconds."""
        async with asyncio.timeout(seconds):
            while not true():  # noqa: ASYNC110 what is waited for tells nobody
                await asyncio.sleep(0.002)

    def widgets(self, within: Any = None) -> Iterator[Any]:
        """Everything on the screen, or on one part of it, the topmost first."""
        for root in self.window.children if within is None else [within]:
            yield from _topmost(root)

    def find(self, name: str, within: Any = None) -> Any:
        """The topmost key that is called so or says so."""
        for widget in self.widgets(within):
            if isinstance(widget, ButtonBehavior) and name in (
                getattr(widget, "name", None),
                getattr(widget, "text", None),
            ):
                return widget
        raise LookupError(f"there is no key {name!r}; the screen says {self.texts()}")

    def sees(self, name: str, within: Any = None) -> bool:
        """Whether there is a key of that name that can be touched."""
        try:
            return not getattr(self.find(name, within), "disabled", False)
        except LookupError:
            return False

    def texts(self) -> list[str]:
        """Every text that can be read now."""
        found = (getattr(widget, "text", "") for widget in self.widgets())
        return [text for text in dict.fromkeys(found) if text]

    async def tap(self, *names: str) -> None:
        """Touches one key after the other."""
        for name in names:
            await self.touch(self.find(name))

    async def touch(self, widget: Any) -> None:
        """Puts a finger on the middle of a widget and lifts it again."""
        self.down(widget, widget.center).up()
        await self.frames(2)  # what comes next must have its place before it can be touched

    def down(self, widget: Any, at: tuple[float, float]) -> SimulatedTouch:
        """Puts a finger on a place of a widget, until the touch goes up."""
        touch = SimulatedTouch(self.window, *widget.to_window(*at))
        touch.down()
        return touch

    async def photograph(self, file: Path) -> None:
        """Saves what the window shows as a PNG, exactly under this name."""
        taken: list[str] = []
        await self.frames(2)

        def take(*_: object) -> None:
            taken.append(self.window.screenshot(name=f"{folder}/taken.png"))
            self.window.unbind(on_flip=take)

        with TemporaryDirectory(prefix="companion-") as folder:  # Kivy gives it another name, and open rights
            self.window.bind(on_flip=take)
            self.window.canvas.ask_update()
            await self.until(lambda: bool(taken))
            _put(Path(taken[0]), file)


def _put(taken: Path, file: Path) -> None:
    replace_file(file, taken.read_bytes())


def draw_what_is_looked_at(window: Any) -> None:
    """From now on only frames that somebody waits for are drawn: in software that is half of all the work."""
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
    """Answers as JSON, each on the widget that asks for it; under the cover where it is sealed."""

    def __init__(self, app: CompanionApp, finger: Finger) -> None:
        self.app, self.finger = app, finger

    async def give_answer(self, question: Request[Any], answer: Any) -> None:
        """Answers the question that is open on the table."""
        if question.is_sealed:
            for seat, part in question.parts_by_seat.items():
                await self.seal_answer(seat, part, answer[str(seat.number)])
        elif question.parts_by_seat:
            await self._fill(question, answer)
        else:
            await self._give(self.app.stage.screen.question, question, answer)

    async def seal_answer(self, seat: Seat, part: Request[Any], answer: Any) -> None:
        """One seat takes the screen and seals its answer; returns when the screen is passed on."""
        envelopes = self.app.stage.screen.question
        await self._touch(envelopes, seat.name)
        sealing = envelopes.sealing
        await self._touch(sealing, self.app.tr("{name}, take the screen", name=seat.name))
        await self._give(sealing.question, part, answer)
        await self.finger.until(lambda: sealing.parent is None)

    async def _fill(self, question: Request[Any], answer: Mapping[str, Any]) -> None:
        """A round that is open to all, row by row on its pad; what is no number in its own place."""
        widget: Any = self.app.stage.screen.question
        if self.finger.sees("unfold", widget):
            await self._touch(widget, "unfold")
        sheet = widget.sheet
        for seat, part in question.parts_by_seat.items():
            await self._touch(sheet, seat.name)
            if not sheet.has_pad:
                await self._give(widget.put, part, answer[str(seat.number)])
                continue
            for number in sheet.read(seat, answer[str(seat.number)]).values():
                sign = ["sign"] if number < 0 else []
                await self._touch(sheet, *sign, *str(abs(number)), "confirm")

    async def _give(self, widget: Any, question: Request[Any], answer: Any) -> None:
        form = question.form
        match form.single_field:
            case _ if form.is_decline(answer):
                await self._touch(widget, *touches_for(form, answer))
            case CardsField(counts=None) as cards:
                await self._cards(widget, cards, answer)
            case QuantitiesField():
                await self._counts(widget, answer)
            case TextField():
                await self._write(widget, answer)
            case field:
                if isinstance(field, OptionField):
                    await self._leaf(widget, answer)
                await self._touch(widget, *touches_for(form, answer))

    async def _write(self, widget: Any, text: str) -> None:
        await self._touch(widget, "write")
        await self.type_text(text)
        await self.finger.tap("done")

    async def type_text(self, text: str) -> None:
        """Types on the open keyboard letter by letter; a letter that it hasn't appears without a touch."""
        if self.finger.sees("latin"):
            await self.finger.tap("latin")
        keyboard = next(one for one in self.finger.widgets() if isinstance(one, Keyboard))
        for letter in text:
            if letter.isalpha() and not self.finger.sees(letter, keyboard):
                await self.finger.tap("shift")
            if letter == " " or self.finger.sees(letter, keyboard):
                await self.finger.tap("space" if letter == " " else letter)
            else:
                keyboard.text += letter

    async def _counts(self, widget: Any, answer: Mapping[str, int]) -> None:
        for key, count in answer.items():
            if count:
                await self._turn(widget, widget.dials[key], key, count)
        await self._touch(widget, "take")

    async def _turn(self, widget: Any, dial: Any, name: str, wanted: int) -> None:
        """Types a large number, steps to a small one."""
        if dial.figure.typed:
            await self._touch(widget, f"type {name}", *str(wanted), "confirm")
            return
        steps = round((wanted - dial.count) / dial.by)
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
        if not widget.is_single:
            await self._touch(widget, "lay")

    async def _describe(self, widget: Any, cards: CardsField, item: Any) -> None:
        """Turns a dial for each value that is printed on the card."""
        values = cards.read(item).values
        await self._touch(widget, "describe")
        if isinstance(widget.printed, PrintedDigits):
            await self._touch(widget, *(f"{name} {values[name]}" for name in widget.printed.rows))
            return
        for name, field in cards.deck.fields_for(values):
            if name in cards.required_values:
                continue
            wanted = field.choices.index(str(values[name])) if field.choices else int(values[name])
            await self._turn(widget, widget.printed.dials[name], name, wanted)
        await self._touch(widget, "described")

    async def _narrow(self, widget: Any, name: str) -> None:
        """From all cards to a page with that one, value by value."""
        while widget.narrowed:
            await self._touch(widget, "all cards")
        while group := widget.group_of(name):
            await self._touch(widget, f"narrow {group.field} {group.value}")

    async def _leaf(self, widget: Any, name: str) -> None:
        """Turns pages until a key of that name is there; a list may stand at any of them."""
        while not self.finger.sees(name, widget) and self.finger.sees("page back", widget):
            await self._touch(widget, "page back")
        while not self.finger.sees(name, widget) and self.finger.sees("page on", widget):
            await self._touch(widget, "page on")

    async def _touch(self, widget: Any, *names: str) -> None:
        for name in names:
            await self.finger.touch(self.finger.find(name, widget))


def _offer(widget: Any, cards: CardsField, item: Any) -> str | None:
    """The card of the list that is this one, or shows the same and isn't picked yet; None: none does."""
    picked = [name for name, _ in widget.picked]
    values = cards.read(item).values
    offers = [
        offer
        for offer in list_card_choices(cards, widget.seen, "en")
        if picked.count(offer.name) < offer.copies and cards.read(offer.item).values == values
    ]
    exact = [offer for offer in offers if offer.item == item]
    return next((offer.name for offer in [*exact, *offers]), None)
