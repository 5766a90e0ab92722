"""Does actions of the table: asks for their parameters and for the confirmations they need.

    perform(app, UNDO)

The dialogs show what the action says of itself. What a refusal says is shown by the evening, unless a page
shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any, TypeVar

from companion.actions import ActionOutcome, NeedsConfirmation, ParameterValues, TableAction
from companion.errors import CompanionError
from companion.requests.fields import ConfirmField, Form, NumberField, OptionField, TextField
from companion.texts import render
from ui.host import AppWithEvening
from ui.pages import Choice, open_choice, open_dialog, open_keyboard, open_number_pad

T = TypeVar("T")
LONG_TEXT = 120
"""An explanation with more letters takes the whole screen."""
ROWS_PER_PAGE = 5


def perform(
    app: AppWithEvening,
    action: TableAction,
    given: ParameterValues | None = None,
    *,
    confirmed: Collection[str] = (),
    refuse: Callable[[CompanionError], object] | None = None,
    done: Callable[[ActionOutcome], object] = lambda _: None,
) -> None:
    """Does an action, after the confirmations it needs; `done` gets the outcome."""
    run = partial(app.controller.run, action, given or {})
    run_with_confirmations(app, run, confirmed=confirmed, refuse=refuse or app.controller.refuse, done=done)


def run_with_confirmations(
    app: AppWithEvening,
    do: Callable[[Collection[str]], T],
    *,
    confirmed: Collection[str] = (),
    refuse: Callable[[CompanionError], object],
    done: Callable[[T], object],
) -> None:
    """Calls `do` with the confirmed keys, again after each confirmation; `done` gets its result."""
    try:
        outcome = do(confirmed)
    except NeedsConfirmation as asked:
        sure = {*confirmed, asked.key}
        _confirm(
            app, asked, partial(run_with_confirmations, app, do, confirmed=sure, refuse=refuse, done=done)
        )
    except CompanionError as error:
        refuse(error)
    else:
        done(outcome)


def _confirm(app: AppWithEvening, asked: NeedsConfirmation, run: Callable[[], object]) -> None:
    """Asks for a confirmation; a long explanation takes the whole screen."""
    title, text, yes = (render(one, app.lang) for one in (asked.question, asked.text, asked.yes))
    keep, go_on = Choice("no", app.tr("Change nothing")), Choice("yes", yes, run, "danger")
    open_dialog(title, text, keep, go_on, is_large=len(text) > LONG_TEXT)


def start_action(app: AppWithEvening, action: TableAction, given: ParameterValues | None = None) -> None:
    """Asks for the parameters of an action one after the other, then does it."""
    given = given or {}
    found = action.next_parameter(app.evening, given)
    if found is None:
        perform(app, action, given)
        return
    parameter, form = found
    take = partial(_go_on, app, action, given, parameter.key)
    open_field_input(app, render(parameter.question, app.lang), form, take)


def _go_on(app: AppWithEvening, action: TableAction, given: ParameterValues, key: str, value: object) -> None:
    start_action(app, action, {**given, key: value})


def open_field_input(app: AppWithEvening, title: str, form: Form, take: Callable[[Any], object]) -> None:
    """Opens what is needed to enter a single field: a list, a pad or a keyboard; `take` gets the value."""
    match form.single_field:
        case OptionField(options=options):
            _choose(title, {key: render(option, app.lang) for key, option in options.items()}, take)
        case NumberField(values=values) as number if values:
            texts = {value: render(name, app.lang) for value, name in number.named_values}
            _choose(title, {value: texts.get(value, str(value)) for value in values}, take)
        case NumberField() as number:
            open_number_pad(title, number, take, confirm=app.tr("Take {amount}", amount="{amount}"))
        case TextField(max_letters=most):
            open_keyboard(title, take, max_letters=most)
        case ConfirmField(answer=answer):
            take(answer)
        case _:
            raise NotImplementedError  # it is entered on the page of its question


def _choose(title: str, options: dict[Any, str], take: Callable[[Any], object]) -> None:
    choices = [Choice(f"option {key}", text, partial(take, key)) for key, text in options.items()]
    open_choice(title, choices, rows=ROWS_PER_PAGE)
