"""Finds the buttons of the screen, by name, and the keys of a keypad that enter an answer.

The module knows no widget.
"""

from __future__ import annotations

from typing import Any

from companion.half_numbers import HALF_SIGN, number_as_ascii, number_from_json
from companion.requests import (
    CardsField,
    ConfirmField,
    Decline,
    Form,
    NumberField,
    OptionField,
    TextField,
    numbers_from_answer,
)
from hardware.keypad_protocol import MAX_ENTRY_LENGTH

BUTTON_NAME_BY_CHARACTER = {"-": "sign", HALF_SIGN: "half"}
"""Names of the buttons whose character of a number isn't their name."""


def button_names_for_answer(form: Form, answer: Any, *, is_sealed: bool = False) -> list[str]:
    """Returns the names of the buttons that enter an answer, or seal it if `is_sealed`.

    It covers only answers whose buttons don't depend on the state of the screen.
    """
    if form.decline is not None and form.is_decline(answer):
        return [_decline_button_name(form, form.decline)]
    match form.single_field:
        case None:
            return [f"die {number} {face}" for number, face in enumerate(answer, 1)]
        case NumberField() as number:
            keys = _number_button_names(form, number, answer, is_sealed=is_sealed)
            return [*keys, *_confirm_button_names(form, answer)]
        case OptionField():
            return [answer, *_confirm_button_names(form, answer)]
        case CardsField() as cards:
            filled_in = cards.only_exact_payment or {}
            counts: Any = enumerate(numbers_from_answer(form, answer) or (), 1)
            changes = {str(key): count - filled_in.get(str(key), 0) for key, count in counts}
            steps = [(f"{'more' if n > 0 else 'less'} {key}", abs(n)) for key, n in changes.items()]
            return [name for name, count in steps for _ in range(count)] + ["lay"]
    return ["done"]


def _number_button_names(form: Form, number: NumberField, answer: Any, *, is_sealed: bool) -> list[str]:
    """Returns the names of the buttons that enter a number: its own key, or its digits."""
    is_bid = "bids" in form.side_facts
    if number.few_numbers and not is_bid:
        return [str(answer), "confirm"] if is_sealed else [str(answer)]
    keys = "" if is_bid and answer == number.least else str(number_from_json(answer))
    return [*(BUTTON_NAME_BY_CHARACTER.get(key, key) for key in keys), "confirm"]


def _decline_button_name(form: Form, decline: Decline) -> str:
    """Returns the name of the button that declines."""
    if isinstance(form.single_field, TextField):
        return "nothing"
    return "cant" if decline.key == "cant" else "way out"


def _confirm_button_names(form: Form, answer: Any) -> list[str]:
    """Returns the name of the button that confirms the answer, if it needs a confirmation."""
    return ["sure"] if form.confirmation_for(answer) else []


def keypad_keys_for_answer(form: Form, answer: Any) -> str:
    """Returns the keypad keys that enter an answer; "" if a keypad can't enter it."""
    if form.is_decline(answer):
        return "NO"
    if isinstance(form.single_field, ConfirmField):
        return "OK"
    numbers = numbers_from_answer(form, answer)
    if numbers is None or min(numbers, default=0) < 0:
        return ""
    keys = ".".join(map(number_as_ascii, numbers))
    return f"{keys} OK" if len(keys) <= MAX_ENTRY_LENGTH else ""
