"""Runs actions of the table: asks for their parameters and for the confirmations they need.

    perform_with_confirmations(app, UNDO)

The dialogs show the texts of the action. The controller shows a refusal, unless a page shows it.
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
OPTION_ROWS_PER_PAGE = 5


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

    `on_done` gets the outcome. `show_refusal` gets the error if the action is refused; by default the
    controller shows the error.
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
    except NeedsConfirmation as confirmation:
        run_again = partial(
            run_with_confirmations,
            app,
            run_action,
            confirmed_keys={*confirmed_keys, confirmation.key},
            show_refusal=show_refusal,
            on_done=on_done,
        )
        _ask_confirmation(app, confirmation, run_again)
    except CompanionError as error:
        show_refusal(error)
    else:
        on_done(outcome)


def _ask_confirmation(
    app: AppWithEvening, confirmation: NeedsConfirmation, on_confirmed: Callable[[], object]
) -> None:
    """Asks for a confirmation; a long explanation takes the whole screen."""
    title, text = render(confirmation.question, app.lang), render(confirmation.text, app.lang)
    cancel = DialogChoice("no", app.tr("Keep it"))
    confirm = DialogChoice("yes", render(confirmation.confirm_text, app.lang), on_confirmed, "danger")
    open_dialog(title, text, cancel, confirm, is_full_screen=len(text) > MAX_SMALL_DIALOG_LETTERS)


def ask_parameters_and_perform(
    app: AppWithEvening, action: TableAction, parameter_values: ParameterValues | None = None
) -> None:
    """Asks for the parameters of an action one after the other, then runs the action."""
    entered = parameter_values or {}
    missing = action.next_missing_parameter(app.evening, entered)
    if missing is None:
        perform_with_confirmations(app, action, entered)
        return
    parameter, form = missing

    def ask_next(value: object) -> None:
        ask_parameters_and_perform(app, action, {**entered, parameter.key: value})

    open_field_input(app, render(parameter.question, app.lang), form, ask_next)


def open_field_input(app: AppWithEvening, title: str, form: Form, on_value: Callable[[Any], object]) -> None:
    """Opens a list, a number pad or a keyboard to enter a single field; `on_value` gets the value."""
    match form.single_field:
        case OptionField(options=options):
            _open_option_list(
                title, {key: render(option, app.lang) for key, option in options.items()}, on_value
            )
        case NumberField(values=values) as number if values:
            names = {value: render(name, app.lang) for value, name in number.named_values}
            _open_option_list(title, {value: names.get(value, str(value)) for value in values}, on_value)
        case NumberField() as number:
            open_number_pad(title, number, on_value, confirm_text=app.tr("Take {amount}", amount="{amount}"))
        case TextField(max_letters=max_letters):
            open_keyboard(title, on_value, max_letters=max_letters)
        case ConfirmField(answer=answer):
            on_value(answer)
        case _:
            raise NotImplementedError  # people enter other fields on the page of their question


def _open_option_list(title: str, options: dict[Any, str], on_value: Callable[[Any], object]) -> None:
    choices = [DialogChoice(f"option {key}", text, partial(on_value, key)) for key, text in options.items()]
    open_choice_dialog(title, choices, rows_per_page=OPTION_ROWS_PER_PAGE)
