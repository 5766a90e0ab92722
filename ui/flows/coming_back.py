"""After the plug was pulled or the program fell over: back at the table, where nothing goes on unasked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.actions import GO_ON
from companion.words import render
from ui.flows.acting import perform
from ui.host import TableHost
from ui.widgets.sheets.dialog import Dialog


def come_back(app: TableHost, end: Callable[[], object]) -> None:
    """Lays the open game on the table as it stood, with its clocks standing; `end` asks whether it is over.

    Without an open game home stays; so it does for one that can't go on, which says why when it is opened.
    """
    controller, tr = app.controller, app.tr
    if controller.read(lambda evening: evening.going(), None) is None or not controller.resume():
        return
    playing = app.evening.playing
    if playing.question is None:
        return
    answers = [
        ("end", tr("Put the game away"), "paper"),
        ("look", tr("Look first"), "paper"),
        ("go on", tr("Play on"), "brass"),
    ]
    text = tr("Nothing was lost.")
    if playing.clocks:
        text += " " + tr("The clocks are stopped until you continue or somebody answers.")
    title = tr("{game} was interrupted", game=render(playing.game.title, app.lang))
    dialog = Dialog(
        title=title, text=text, answers=answers, deeds={"end": end, "go on": partial(perform, app, GO_ON)}
    )
    app.stage.lay(dialog)
    _until_somebody_plays(app, dialog)


def _until_somebody_plays(app: TableHost, dialog: Dialog) -> None:
    """Who answers on a keypad has answered this, too."""
    controller, n = app.controller, app.controller.view.n

    def look(_controller: object) -> None:
        if controller.view is None or controller.view.n != n:
            controller.unbind(on_change=look)
            dialog.leave()

    controller.bind(on_change=look)
