"""Actions of the table: what they need to know is entered, people confirm what must be, and they are done.

    perform(app, UNDO)

The dialogs show what the action says of itself. What a refusal says is shown by the evening, unless a page
shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any, TypeVar

from kivy.uix.boxlayout import BoxLayout

from companion.actions import Action, Given, NeedsConfirmation, Outcome
from companion.errors import CompanionError
from companion.requests.fields import ConfirmField, Form, NumberField, OptionField, TextField
from companion.words import render
from ui import theme
from ui.host import TableHost
from ui.widgets.drawing.containers import put
from ui.widgets.keys.key import Key
from ui.widgets.keys.number_pad import Pad
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Dialog, Leaf
from ui.widgets.sheets.overlays import Overlay, keyboard
from ui.widgets.sheets.page_header import Head

T = TypeVar("T")
LONG = 120
"""Letters of a text that needs the whole screen."""
ROWS = 5
"""Options on a page."""


def perform(
    app: TableHost,
    action: Action,
    given: Given | None = None,
    *,
    confirmed: Collection[str] = (),
    refuse: Callable[[CompanionError], object] | None = None,
    done: Callable[[Outcome], object] = lambda _: None,
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


def _confirm(app: TableHost, asked: NeedsConfirmation, do: Callable[[], object]) -> None:
    title, text, yes = (render(one, app.lang) for one in (asked.question, asked.text, asked.yes))
    answers = [("no", app.tr("Change nothing"), "paper"), ("yes", yes, "danger")]
    kind = Leaf if len(text) > LONG else Dialog
    app.stage.lay(kind(title=title, text=text, answers=answers, deeds={"yes": do}))


def start(app: TableHost, action: Action, given: Given | None = None) -> None:
    """Asks for one parameter after the other, then does it."""
    given = given or {}
    found = action.next_parameter(app.evening, given)
    if found is None:
        perform(app, action, given)
        return
    parameter, form = found
    take = partial(_go_on, app, action, given, parameter.key)
    enter(app, render(parameter.question, app.lang), form, take)


def _go_on(app: TableHost, action: Action, given: Given, key: str, value: object) -> None:
    start(app, action, {**given, key: value})


def enter(app: TableHost, title: str, form: Form, take: Callable[[Any], object]) -> None:
    """Lays what is needed to enter a single field over the screen: options, a pad or a keyboard."""
    match form.field:
        case OptionField(options=options):
            _choose(app, title, {key: render(option, app.lang) for key, option in options.items()}, take)
        case NumberField(values=values) as number if values:
            texts = {value: render(name, app.lang) for value, name in number.named}
            _choose(app, title, {value: texts.get(value, str(value)) for value in values}, take)
        case NumberField() as number:
            _type_number(app, title, number, take)
        case TextField(most=most):
            app.stage.lay(keyboard(title, take, most=most))
        case ConfirmField(answer=answer):
            take(answer)
        case _:
            raise NotImplementedError  # it is entered on the page of its question


def _choose(app: TableHost, title: str, options: dict[Any, str], take: Callable[[Any], object]) -> None:
    keys = {Key(name=f"option {key}", text=text): key for key, text in options.items()}
    body = Pager(things=list(keys), cols=2, rows=ROWS, look="paper")
    leaf = Leaf(title=title, body=body, answers=[("no", app.tr("Cancel"), "paper")])
    leaf.leave_with(keys, lambda key: take(keys[key]))
    app.stage.lay(leaf)


def _type_number(app: TableHost, title: str, number: NumberField, take: Callable[[Any], object]) -> None:
    tr, sizes = app.tr, theme.length
    sentence = tr("{least} or more", least=number.least)
    if number.most is not None:
        sentence = tr("From {least} to {most}", least=number.least, most=number.most)
    pad = Pad(least=number.least, most=number.most, step=number.step, sentence=sentence)
    pad.yes = tr("Take {amount}", amount="{amount}")
    head = Head(title)
    page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
    overlay = Overlay(put(page, head, pad))
    head.bind(on_close=overlay.close)

    def confirmed(_pad: Pad, amount: int) -> None:
        overlay.close()
        take(amount)

    pad.bind(on_confirm=confirmed)
    app.stage.lay(overlay)
