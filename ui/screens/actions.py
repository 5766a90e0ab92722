"""Runs actions of the table: asks for their parameters and for the confirmations they need.

    perform_with_confirmations(app, UNDO)

The dialogs show the texts of the action. The evening shows a refusal, unless a page shows it.
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
from ui.pages import DialogChoice, open_choice_dialog, open_dialog, open_keyboard, open_number_pad

T = TypeVar("T")
MAX_SMALL_DIALOG_LETTERS = 120
"""The most letters of an explanation in a small dialog; a longer one takes the whole screen."""
ROWS_PER_PAGE = 5


def perform_with_confirmations(
    app: AppWithEvening,
    action: TableAction,
    parameter_values: ParameterValues | None = None,
    *,
    confirmed_keys: Collection[str] = (),
    show_refusal: Callable[[CompanionError], object] | None = None,
    on_done: Callable[[ActionOutcome], object] = lambda _: None,
) -> None:
    """Performs an action of the table, after the confirmations it needs.

    `on_done` gets the outcome.
    """
    run = partial(app.controller.run_table_action, action, parameter_values or {})
    run_with_confirmations(
        app,
        run,
        confirmed_keys=confirmed_keys,
        show_refusal=show_refusal or app.controller.show_refusal,
        on_done=on_done,
    )


def run_with_confirmations(
    app: AppWithEvening,
    run_action: Callable[[Collection[str]], T],
    *,
    confirmed_keys: Collection[str] = (),
    show_refusal: Callable[[CompanionError], object],
    on_done: Callable[[T], object],
) -> None:
    """Runs `run_action`, asking people for each confirmation that it needs.

    `run_action` is called with the confirmed keys, and again after each confirmation. `on_done` gets its
    result.
    """
    try:
        outcome = run_action(confirmed_keys)
    except NeedsConfirmation as asked:
        sure = {*confirmed_keys, asked.key}
        _confirm(
            app,
            asked,
            partial(
                run_with_confirmations,
                app,
                run_action,
                confirmed_keys=sure,
                show_refusal=show_refusal,
                on_done=on_done,
            ),
        )
    except CompanionError as error:
        show_refusal(error)
    else:
        on_done(outcome)


def _confirm(app: AppWithEvening, asked: NeedsConfirmation, run: Callable[[], object]) -> None:
    """Asks for a confirmation; a long explanation takes the whole screen."""
    title, text, yes = (render(one, app.lang) for one in (asked.question, asked.text, asked.yes))
    keep, go_on = DialogChoice("no", app.tr("Change nothing")), DialogChoice("yes", yes, run, "danger")
    open_dialog(title, text, keep, go_on, is_full_screen=len(text) > MAX_SMALL_DIALOG_LETTERS)


def ask_parameters_and_perform(
    app: AppWithEvening, action: TableAction, parameter_values: ParameterValues | None = None
) -> None:
    """Asks for the parameters of an action one after the other, then runs the action."""
    parameter_values = parameter_values or {}
    found = action.next_missing_parameter(app.evening, parameter_values)
    if found is None:
        perform_with_confirmations(app, action, parameter_values)
        return
    parameter, form = found
    take = partial(_go_on, app, action, parameter_values, parameter.key)
    open_field_input(app, render(parameter.question, app.lang), form, take)


def _go_on(app: AppWithEvening, action: TableAction, given: ParameterValues, key: str, value: object) -> None:
    ask_parameters_and_perform(app, action, {**given, key: value})


def open_field_input(app: AppWithEvening, title: str, form: Form, on_value: Callable[[Any], object]) -> None:
    """Opens a list, a number pad or a keyboard to enter a single field; `on_value` gets the value."""
    match form.single_field:
        case OptionField(options=options):
            _choose(title, {key: render(option, app.lang) for key, option in options.items()}, on_value)
        case NumberField(values=values) as number if values:
            texts = {value: render(name, app.lang) for value, name in number.named_values}
            _choose(title, {value: texts.get(value, str(value)) for value in values}, on_value)
        case NumberField() as number:
            open_number_pad(title, number, on_value, confirm_text=app.tr("Take {amount}", amount="{amount}"))
        case TextField(max_letters=most):
            open_keyboard(title, on_value, max_letters=most)
        case ConfirmField(answer=answer):
            on_value(answer)
        case _:
            raise NotImplementedError  # it is entered on the page of its question


def _choose(title: str, options: dict[Any, str], take: Callable[[Any], object]) -> None:
    choices = [DialogChoice(f"option {key}", text, partial(take, key)) for key, text in options.items()]
    open_choice_dialog(title, choices, rows_per_page=ROWS_PER_PAGE)
