"""The page on which people enter the PIN, before settings and corrections, and where they choose one.

    run_after_pin(app, open_settings)

Without a PIN, nothing is asked. The page shows a dot for each digit, never the digit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from kivy.clock import Clock
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.pin import PIN_DIGITS, is_pin_correct
from ui import theme
from ui.host import AppWithEvening
from ui.pages import Page, open_page
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout, draw_border
from ui.widgets.drawing.symbols import draw_filled_dot
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key

KEYS_PER_ROW, KEY_ROWS = 3, 4
KEYS_WIDTH_IN_TARGETS = 5.5
"""The width of the keys beside the dots on a landscape page."""
DOTS_HEIGHT_IN_TARGETS = 1.0


class PinDots(AutoRedrawWidget):
    """A ring for each digit of a PIN, filled once the digit is entered."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("entered_count",)
    entered_count = NumericProperty(0)

    def draw(self) -> None:
        """Draws the rings in a row, in the middle of the widget."""
        side = theme.length.glyph
        left = self.center_x - side * (PIN_DIGITS - 0.5)
        for index in range(PIN_DIGITS):
            box = (left + 2 * index * side, self.center_y - side / 2, side, side)
            if index < self.entered_count:
                draw_filled_dot(box, theme.INK)
            else:
                draw_border(theme.INK, box, theme.length.line, side / 2)


class PinPage(Page):
    """A page with the keys for a PIN.

    `on_pin` gets the four digits as a text, once the last one is entered. Then the page is empty again.
    """

    __events__: tuple[str, ...] = ("on_pin",)

    def __init__(self, sentence: str) -> None:
        super().__init__(padding=theme.length.margin)
        self._entered_digits = ""
        self.sentence_label = FittedLabel(text=sentence, style="question", halign="center", lines=6)
        self.dots = PinDots(size_hint_y=None, height=theme.length.target * DOTS_HEIGHT_IN_TARGETS)
        sheet = add_children(PaperBoxLayout(padding=theme.length.margin), self.sentence_label, self.dots)
        is_portrait = self.app.stage.is_next_page_portrait
        self._keys = keys = self._make_keys()
        if not is_portrait:
            keys.size_hint_x, keys.width = None, KEYS_WIDTH_IN_TARGETS * theme.length.target
        orientation = "vertical" if is_portrait else "horizontal"
        body = BoxLayout(orientation=orientation, spacing=theme.length.space)
        self.add_content(self.app.tr("PIN"), add_children(body, sheet, keys))

    def _make_keys(self) -> GridLayout:
        """Returns the digits, in the order of the number pad, and a key that deletes the last digit."""
        grid = GridLayout(cols=KEYS_PER_ROW, rows=KEY_ROWS, spacing=theme.length.gap / 2)
        digits = [Key(text=digit, style="digit", on_press=self._enter_digit) for digit in "7894561230"]
        delete = Key(
            icon="delete", name="delete", on_press=lambda _: self._show_digits(self._entered_digits[:-1])
        )
        return add_children(grid, *digits[:-1], Widget(), digits[-1], delete)

    def close_keys_for(self, seconds: float, sentence: str, sentence_afterwards: str) -> None:
        """Turns the keys off for some seconds, and shows one sentence meanwhile and another afterwards."""
        self._keys.disabled, self.sentence_label.text = True, sentence

        def open_keys(_seconds: float) -> None:
            self._keys.disabled, self.sentence_label.text = False, sentence_afterwards

        Clock.schedule_once(open_keys, seconds)

    def _enter_digit(self, key: Key) -> None:
        digits = self._entered_digits + key.text
        self._show_digits(digits)
        if len(digits) == PIN_DIGITS:
            self._show_digits("")
            self.dispatch("on_pin", digits)

    def _show_digits(self, digits: str) -> None:
        self._entered_digits, self.dots.entered_count = digits, len(digits)


def run_after_pin(app: AppWithEvening, action: Callable[[], object]) -> None:
    """Runs an action after people have entered the PIN; at once if there is none.

    After several wrong PINs, people wait before they can enter another one, also on a new page.
    """
    saved_pin = app.controller.settings.pin
    if not saved_pin:
        action()
        return
    page, attempts = PinPage(app.tr("Enter the PIN.")), app.pin_attempts

    def let_people_wait() -> None:
        if attempts.remaining_wait_seconds:
            page.close_keys_for(
                attempts.remaining_wait_seconds,
                app.tr("Too many wrong PINs. The keys work again after half a minute."),
                app.tr("Enter the PIN."),
            )

    def check(_page: PinPage, pin: str) -> None:
        if is_pin_correct(pin, saved_pin):
            attempts.count_correct_pin()
            page.close()
            action()
        else:
            attempts.count_wrong_pin()
            page.sentence_label.text = app.tr(
                "This PIN is wrong. The owner of this machine can turn it off: see “Settings” in the "
                "documentation."
            )
            let_people_wait()

    let_people_wait()
    page.bind(on_pin=check)
    open_page(page)


def ask_for_new_pin(app: AppWithEvening, on_chosen: Callable[[str], object]) -> None:
    """Asks for a new PIN, twice, and calls `on_chosen` with it; if people go back, nothing is called."""
    entered: list[str] = []
    page = PinPage(app.tr("Choose four digits."))

    def confirm(_page: PinPage, pin: str) -> None:
        entered.append(pin)
        if len(entered) == 1:
            page.sentence_label.text = app.tr("Enter the same four digits again.")
        elif entered[0] == pin:
            page.close()
            on_chosen(pin)
        else:
            entered.clear()
            page.sentence_label.text = app.tr("The two PINs weren't the same. Choose four digits.")

    page.bind(on_pin=confirm)
    open_page(page)
