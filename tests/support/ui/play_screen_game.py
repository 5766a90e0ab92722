"""Shows a test's own rulebook on the play screen, without a store."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from companion.cards.deck import CardDesign, Deck
from companion.log.log import MemoryLog
from companion.requests import Done
from companion.rules.game import Game
from companion.rules.scene import Scene, SceneSetup
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.texts import say

DECK = Deck(
    "small",
    tuple(
        CardDesign(name, 1, {"name": name})
        for stack in "ABCDEFGHI"
        for n in range(12)
        if (name := f"{stack}{n}")
    ),
)
"""Cards on which only their name is printed."""
NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ichiro", "Jun", "Kei", "Maximilian21")
RulebookFunction = Callable[[Table], Coroutine[Any, Any, None]]


def begin_session(
    rules: RulebookFunction,
    players: int = 3,
    seed: int = 1,
    log: MemoryLog | None = None,
    names: Sequence[str] = NAMES,
    scene: Callable[[SceneSetup], Scene] | None = None,
) -> Session:
    """Begins a game with these rules; it ends with a step at the table."""

    async def match(table: Table) -> GameResult:
        await rules(table)
        await Done(None, say("Pack up"))
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    game = Game("small", 1, say("Small game"), (2, 12), match, scene=scene)
    log = MemoryLog() if log is None else log
    return Session.begin(game, names[:players], {}, log, deck_by_name={DECK.name: DECK}, seed=seed)


class PlayScreenGame:
    """The play screen of a session, as in the app; `last_refusal` is why the last answer was refused."""

    def __init__(self, table: Any, session: Session) -> None:
        from companion.errors import CompanionError
        from ui.screens.play import PlayScreen

        self.table, self.session, self.last_refusal = table, session, ""
        self.error_type = CompanionError
        table.app.stage.replace_screen(
            lambda: PlayScreen(view=make_view(session), scene_function=session.scene)
        )
        self.play_screen = table.app.stage.screen
        self.play_screen.bind(
            on_answer=lambda _, n, plain_answer: self._do(lambda: session.answer(n, plain_answer)),
            on_seat_answer=lambda _, n, seat, plain_answer: self._do(
                lambda: session.put_answer_in_envelope(n, seat, plain_answer)
            ),
            on_roll=lambda _, n: self._do(lambda: session.roll_app_dice(n)),
        )

    def _do(self, action: Callable[[], object]) -> None:
        try:
            action()
        except self.error_type as error:
            self.last_refusal = error.text.in_language("en")
            self.play_screen.show_refusal(error.text)
        else:
            self.show()

    def show(self) -> None:
        """Shows the current state of the session."""
        self.play_screen.view = make_view(self.session)

    @property
    def answers(self) -> list[Any]:
        """All answers so far."""
        return [step.answer for step in self.session.steps]  # type: ignore[union-attr]  # nothing is corrected
