"""Actions of the table: what they need to know is entered, people confirm what must be, and they are done.

    perform(app, UNDO)

The dialogs show what the action says of itself. What a refusal says is shown by the evening, unless a page
shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any, TypeVar

from companion.actions import Action, ActionOutcome, NeedsConfirmation, ParameterValues
from companion.errors import CompanionError
from companion.requests.fields import ConfirmField, Form, NumberField, OptionField, TextField
from companion.texts import render
from ui.host import TableHost
from ui.pages import Choice, open_choice, open_dialog, open_keyboard, open_number_pad

T = TypeVar("T")
LONG_TEXT = 120
"""An explanation with more letters takes the whole screen."""
ROWS_PER_PAGE = 5


def perform(
    app: TableHost,
    action: Action,
    given: ParameterValues | None = None,
    *,
    confirmed: Collection[str] = (),
    refuse: Callable[[CompanionError], object] | None = None,
    done: Callable[[ActionOutcome], object] = lambda _: None,
) -> None:
    """Does an action, after people have confirmed what they must; `done` gets what came of it."""
    run = partial(app.controller.run, action, given or {})
    confirming(app, run, confirmed=confirmed, refuse=refuse or app.controller.refuse, done=done)


def confirming(
    app: TableHost,
    do: Callable[[Collection[str]], T],
    *,
    confirmed: Collection[str] = (),
    refuse: Callable[[CompanionError], object],
    done: Callable[[T], object],
) -> None:
    """Calls `do` with what is confirmed, again after each confirmation; `done` gets what it returned."""
    try:
        outcome = do(confirmed)
    except NeedsConfirmation as asked:
        sure = {*confirmed, asked.key}
        _confirm(app, asked, partial(confirming, app, do, confirmed=sure, refuse=refuse, done=done))
    except CompanionError as error:
        refuse(error)
    else:
        done(outcome)


def _confirm(app: TableHost, asked: NeedsConfirmation, run: Callable[[], object]) -> None:
    """Asks for a confirmation; a long explanation takes the whole screen."""
    title, text, yes = (render(one, app.lang) for one in (asked.question, asked.text, asked.yes))
    keep, go_on = Choice("no", app.tr("Change nothing")), Choice("yes", yes, run, "danger")
    open_dialog(title, text, keep, go_on, is_large=len(text) > LONG_TEXT)


def start(app: TableHost, action: Action, given: ParameterValues | None = None) -> None:
    """Asks for one parameter after the other, then does it."""
    given = given or {}
    found = action.next_parameter(app.evening, given)
    if found is None:
        perform(app, action, given)
        return
    parameter, form = found
    take = partial(_go_on, app, action, given, parameter.key)
    enter(app, render(parameter.question, app.lang), form, take)


def _go_on(app: TableHost, action: Action, given: ParameterValues, key: str, value: object) -> None:
    start(app, action, {**given, key: value})


def enter(app: TableHost, title: str, form: Form, take: Callable[[Any], object]) -> None:
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
