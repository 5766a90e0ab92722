"""The score while people play: the sheet of all rounds, whose numbers are amended, and how the score went."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.scene_views import CellView, GridView
from companion.scenes.evaluate import SceneView, evaluate_scene
from companion.table.seats import Seat
from companion.words import render
from ui.host import TableHost
from ui.screens.score_sheet import ScoreSheet
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.course import Course
from ui.widgets.sheets.dialog import Leaf


class Scoring:
    """`Scoring(app, amend).page()`; `amend` changes what a seat answered after so many things."""

    def __init__(self, app: TableHost, amend: Callable[[int, Seat], None]) -> None:
        self.app = app
        self._amend = amend

    def page(self) -> ScoreSheet:
        """The sheet, to be shown the grids by `show`."""
        sheet = ScoreSheet()
        sheet.bind(
            on_amend=lambda _, number: self._change(number),
            on_course=lambda _: self._course(),
        )
        return sheet

    def grids(self) -> list[GridView]:
        """What stands on it now."""
        controller = self.app.controller
        if controller.view is None:
            return []
        laid = evaluate_scene(controller.view, self.app.evening.scene)
        grids = [
            part
            for part in laid.middle
            if isinstance(part, GridView) and (part.has_amendable_answers or part.last_line_is_sum)
        ]
        return grids or _numbers(laid)

    def _change(self, number: CellView) -> None:
        """Asks the question again whose answer it is; which, where it is made of several."""
        assert number.amendable_answer is not None
        about, seat = number.amendable_answer
        found = self.app.evening.asked_about(about, seat)
        if len(found) == 1:
            self._amend(found[0], seat)
        elif found:
            self._which(found, seat)

    def _which(self, found: list[int], seat: Seat) -> None:
        tr, evening = self.app.tr, self.app.evening
        sheet = Leaf(title=tr("Which answer?"), answers=[("no", tr("Cancel"), "paper")])

        def put(key: Any) -> None:
            self.app.stage.take(sheet)
            self._amend(key.at, seat)

        keys = []
        for at in found:
            told = evening.answered(at)
            assert told is not None
            key = Key(text=render(told.question.text, self.app.lang), name=f"answer {at}", on_release=put)
            key.at = at
            keys.append(key)
        sheet.body = Pager(things=keys, rows=4, look="paper")
        self.app.stage.lay(sheet)

    def _course(self) -> None:
        """How the score went until now, where all may know it."""
        tr = self.app.tr
        moments = self.app.evening.standing()
        nothing = tr("There is no score yet.")
        body = Course(moments) if moments else Writing(text=nothing, lines=2, halign="center")
        close = [("close", tr("Close"), "brass")]
        self.app.stage.lay(Leaf(title=tr("Score over time"), body=body, answers=close))


def _numbers(laid: SceneView) -> list[GridView]:
    """The numbers on the strips as one table, where nothing is written down; a covered one stays empty."""
    mats = laid.mats
    rows = zip(*([mat.headline, *mat.cells] for mat in mats), strict=True)
    lines = [(row[0].name, row) for row in rows if row[0] is not None]
    seen = tuple(
        [
            (name, tuple([None if one is None or one.value is None else one for one in row]))
            for name, row in lines
        ]
    )
    return [GridView(tuple([mat.seat for mat in mats]), seen)] if seen else []
