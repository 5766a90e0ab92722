"""What home still offers newcomers: a short game to try, a game to play, or nothing any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rules.game import Game
    from ui.evening.controller import TableController

FIRST_STEPS_KEY = "first steps"
"""The key under which it is remembered what home still offers."""
QUESTIONS, TRIAL, SUGGESTION, NOTHING = "questions", "trial", "suggestion", "nothing"
"""What home offers: first the questions, a short game and a suggested game, only that game, or nothing."""


class FirstStepsOffer:
    """Remembers what home still offers newcomers: `FirstStepsOffer(controller)`."""

    def __init__(self, controller: TableController) -> None:
        self._controller = controller

    @property
    def _offer(self) -> str:
        return str(self._controller.load_remembered_value(FIRST_STEPS_KEY, NOTHING, str))

    @property
    def is_first_evening(self) -> bool:
        """Returns whether nobody has changed a setting or played here; False in safe mode.

        The first questions save settings, so they are asked again until people have finished their page.
        """
        from companion.record.remembered_players import has_remembered_players
        from companion.settings import has_saved_settings

        if self._controller.is_safe_mode:
            return False
        if self._offer == QUESTIONS:
            return True
        return self._controller.read_store(
            lambda evening: (
                not (
                    has_saved_settings(evening.store)
                    or evening.store.all_saved_games()
                    or has_remembered_players(evening.store)
                )
            ),
            False,
        )

    def begin_questions(self) -> None:
        """Remembers that the first questions are asked, until people have finished their page."""
        self._controller.remember_value(FIRST_STEPS_KEY, QUESTIONS)

    def begin(self) -> None:
        """Offers everything, after people have answered the first questions."""
        self._controller.remember_value(FIRST_STEPS_KEY, TRIAL)

    def end_trial(self) -> None:
        """Offers only the suggested game, because people have tried the short one."""
        self._controller.remember_value(FIRST_STEPS_KEY, SUGGESTION)

    def end(self) -> None:
        """Offers nothing any more."""
        if self._offer != NOTHING:
            self._controller.remember_value(FIRST_STEPS_KEY, NOTHING)

    def find_suggested_game(self) -> Game | None:
        """Returns the game that home suggests; None if it suggests none."""
        from companion import installed_games  # not before: it would delay the first frame

        if self._offer not in (TRIAL, SUGGESTION):
            return None
        return next((game for game in installed_games.playable_games() if game.is_demo), None)

    def find_trial(self) -> Game | None:
        """Returns the short game that home offers; None if it offers none."""
        from companion import installed_games  # not before: it would delay the first frame

        if self._offer != TRIAL:
            return None
        return next((game for game in installed_games.playable_games() if game.is_trial), None)
