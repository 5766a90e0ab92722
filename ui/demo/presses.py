"""Which buttons or keypad keys enter an answer: buttons of the screen by name, and keys of a keypad.

The module knows no widget.
"""

from __future__ import annotations

from typing import Any

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


def button_names_for_answer(form: Form, answer: Any) -> list[str]:
    """Returns the names of the buttons that enter an answer.

    Only answers are covered whose buttons don't depend on what is shown.
    """
    if form.decline is not None and form.is_decline(answer):
        return [_way_out(form, form.decline)]
    match form.single_field:
        case None:
            return [f"die {at} {face}" for at, face in enumerate(answer, 1)]
        case NumberField(least=least):
            typed = "" if "bids" in form.side_facts and answer == least else str(answer)
            return [*("sign" if key == "-" else key for key in typed), "confirm", *_sure(form, answer)]
        case OptionField():
            return [answer, *_sure(form, answer)]
        case CardsField():
            counts = enumerate(numbers_from_answer(form, answer) or (), 1)
            return [f"more {at}" for at, count in counts for _ in range(count)] + ["lay"]
    return ["done"]


def _way_out(form: Form, decline: Decline) -> str:
    """Returns the name of the button that declines."""
    if isinstance(form.single_field, TextField):
        return "nothing"
    return "cant" if decline.key == "cant" else "way out"


def _sure(form: Form, answer: Any) -> list[str]:
    """Returns the name of the button that confirms a grave answer, if there is one."""
    return ["sure"] if answer in form.confirmations else []


def keypad_keys_for_answer(form: Form, answer: Any) -> str:
    """Returns the keypad keys that enter an answer; empty if a keypad can't."""
    if form.is_decline(answer):
        return "NO"
    if isinstance(form.single_field, ConfirmField):
        return "OK"
    numbers = numbers_from_answer(form, answer)
    if numbers is None or min(numbers, default=0) < 0:
        return ""
    typed = ".".join(map(str, numbers))
    return f"{typed} OK" if len(typed) <= MAX_ENTRY_LENGTH else ""
