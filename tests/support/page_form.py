"""How people answer on the page of a seat, with touches and a keyboard, in any language.

    PageForm(page, "de").answer(question, part, 12)

`question` is what the box says of the question, as docs/web.md describes it, and `part` the seat's request.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from companion.half_numbers import number_from_json
from companion.requests import (
    CardsField,
    ConfirmField,
    NumberField,
    OptionField,
    QuantitiesField,
    Request,
    TextField,
)
from companion.requests.fields import Field, numbers_from_answer
from companion.web.texts import page_texts
from tests.support.pages import BrowserTab

MAX_DIGITS = 10
ERASE_ALL = Keys.CONTROL + "a" + Keys.NULL


class PageForm:
    """The form on a page whose language is known."""

    def __init__(self, page: BrowserTab, language: str) -> None:
        self._page = page
        self._texts = page_texts(language)

    def answer(self, question: dict[str, Any], part: Request[Any], answer: Any) -> None:
        """Enters an answer and sends it; what the page asks first is confirmed."""
        if self._page.has_key(self._texts["change"]):
            self._page.tap(self._texts["change"])
        if part.form.is_decline(answer):
            self._page.tap_on(".form > button.decline")
        else:
            self.enter(question, part, answer)
            if self.must_be_sent(question, part, answer):
                self.send()
        if part.confirmation_for(part.parse_answer(answer)):
            self._page.tap_on("#confirm[open] button.main")

    def roll(self) -> None:
        """Lets Companion roll."""
        self._page.tap(self._texts["roll"])

    def send(self) -> None:
        """Touches the one obvious key."""
        self._page.tap_on(".form > button.main")

    def must_be_sent(self, question: dict[str, Any], part: Request[Any], answer: Any) -> bool:
        """Returns whether an answer is sent with a key of its own; one key may be the whole answer."""
        if part.form.is_decline(answer):
            return False
        field = part.form.single_field
        is_key = isinstance(field, OptionField) or (isinstance(field, NumberField) and bool(field.values))
        return question["sealed"] or not is_key

    def enter(self, question: dict[str, Any], part: Request[Any], answer: Any) -> None:
        """Enters an answer without sending it, unless one key is the whole answer."""
        form, is_covered = part.form, bool(question["sealed"])
        if isinstance(form.single_field, CardsField):
            self._enter_cards(question, part, answer)
            return
        for index, (field, value) in enumerate(
            zip(form.fields, form.values_from_answer(answer), strict=True)
        ):
            self._enter_field(index, field, value, is_covered=is_covered)

    def _enter_field(self, index: int, field: Field, value: Any, *, is_covered: bool) -> None:
        place = f".form > :nth-child({index + 1} of .field)"
        match field:
            case NumberField(values=values) if values:
                self._page.tap_on(f"{place} .option", list(values).index(value))
            case NumberField():
                typed = str(number_from_json(value)).replace("-", "−")
                if is_covered:
                    self._type_covered(place, typed)
                else:
                    self._page.type(f"{place} input.number", typed)
            case OptionField(options=options):
                self._page.tap_on(f"{place} .option", list(options).index(value))
            case QuantitiesField(numbers=numbers):
                self._enter_numbers([value[each.key] for each in numbers], is_covered=is_covered)
            case ConfirmField():
                pass
            case TextField():
                if is_covered:
                    self._page.tap_on(f"{place} button")
                    self._page.see(f"{place} input").send_keys(ERASE_ALL, value)
                else:
                    self._page.type(f"{place} input", value)
            case _:
                raise AssertionError(field)

    def _type_covered(self, place: str, typed: str) -> None:
        """Types digits whose display is covered, after erasing what may have been typed before."""
        for _ in range(MAX_DIGITS):
            self._page.tap(self._texts["erase"])
        sign = ["±"] if typed.startswith("−") else []
        for key in [*sign, *typed.removeprefix("−")]:
            self._page.tap(key)
        self._page.see(f"{place} .display")

    def _enter_numbers(self, numbers: list[Any], *, is_covered: bool) -> None:
        """Types the numbers of several rows; where they are covered, while the cover is open."""
        with self.open_cover() if is_covered else nullcontext():
            for index, number in enumerate(numbers, 1):
                place = f".rows > :nth-child({index} of .row)"
                self._page.type(f"{place} input", str(number_from_json(number)))

    @contextmanager
    def open_cover(self) -> Iterator[None]:
        """Opens the cover with the keyboard, if there is one, and closes it again."""
        if not self._page.browser.find_element(By.ID, "secrets").is_displayed():
            yield
            return
        self._toggle_cover()
        self._page.see(".cover.open")
        yield
        self._toggle_cover()
        self._page.see(".cover:not(.open)")

    def _toggle_cover(self) -> None:
        toggle = self._page.browser.find_element(By.CSS_SELECTOR, ".reveal-toggle")
        self._page.browser.execute_script("arguments[0].focus()", toggle)
        self._page.press_keys(Keys.ENTER)

    def _enter_cards(self, question: dict[str, Any], part: Request[Any], answer: Any) -> None:
        field = part.form.single_field
        assert isinstance(field, CardsField)
        if field.counts is not None:
            numbers = numbers_from_answer(part.form, answer)
            assert numbers is not None
            self._enter_numbers(numbers, is_covered=bool(question["sealed"]))
            return
        positions = [_find_choice(question, field, item) for item in answer]
        for position, count in Counter(positions).items():
            assert position is not None
            for _ in range(count):
                self._page.tap_on(".cards .card", position)


def can_be_entered(question: dict[str, Any], part: Request[Any], answer: Any) -> bool:
    """Returns whether a page has what an answer needs: cards that no list has are described on the screen."""
    field = part.form.single_field
    if not isinstance(field, CardsField) or field.counts is not None or part.form.is_decline(answer):
        return True
    return None not in {_find_choice(question, field, item) for item in answer}


def _find_choice(question: dict[str, Any], field: CardsField, item: Any) -> int | None:
    """Returns the position of the card with these printed values, or with these and others."""
    values = field.parse_card_item(item).values
    choices = [field.parse_card_item(each["item"]).values for each in question["cards"]]
    fitting = [each for each in choices if values.items() <= each.items()]
    return choices.index(values if values in fitting else fitting[0]) if fitting else None
