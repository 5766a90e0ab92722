"""Where people sit round the panel: asked once, remembered for the evenings to come."""

from __future__ import annotations

from collections.abc import Sequence

from companion.table.seats import Seat
from ui.host import TableHost
from ui.plans.flat import usual
from ui.screens.play import Play
from ui.screens.sitting import Sitting
from ui.widgets.sheets.overlay import Overlay

SIDES = "sides"
"""The key under which the side of each person is remembered, by name."""


class Sides:
    """`Sides(app)`: `ask` shows the page, `fit` gives a play screen its plan."""

    def __init__(self, app: TableHost) -> None:
        self.app = app

    @property
    def plan(self) -> str:
        """Standing or flat, as it is set."""
        return str(self.app.controller.settings.placement)

    def of(self, names: Sequence[str]) -> dict[str, int]:
        """The side where each sits, as far as anybody said it; else round the table."""
        said = self._said
        usually = usual(len(names), upright=self.app.stage.height > self.app.stage.width)
        return {name: said.get(name, side) % 4 for name, side in zip(names, usually, strict=True)}

    def fit(self, play: Play) -> None:
        """The play screen stands or lies as was said."""
        seats: Sequence[Seat] = play.seen.seats
        where = self.of([seat.name for seat in seats])
        play.sides = {seat: where[seat.name] for seat in seats}
        play.plan = "flat" if self.plan == "flat" else ""

    def ask(self, people: Sequence[tuple[str, str]]) -> None:
        """The page for these people, each a name and a colour."""
        page = Sitting(people, self.plan, self.of([name for name, _ in people]))
        page.bind(
            on_plan=lambda _, plan: self.app.controller.change_setting("placement", plan),
            on_side=lambda *_: self._sit({**self._said, **page.table.sides}),
        )
        overlay = Overlay(page)
        page.bind(on_close=overlay.close)
        self.app.stage.lay(overlay)

    @property
    def _said(self) -> dict[str, int]:
        return dict(self.app.controller.recall(SIDES, {}, dict[str, int]))

    def _sit(self, sides: dict[str, int]) -> None:
        self.app.controller.remember(SIDES, sides)
        if isinstance(play := self.app.stage.screen, Play):
            self.fit(play)
