"""The people who played lately, with the pieces that they had; set-up offers them as keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.name_matching import are_same_name
from companion.record.remembered_players import KNOWN_PLAYERS_KEY, NameAndColour

if TYPE_CHECKING:
    from ui.evening.controller import TableController

MAX_KNOWN_PLAYERS = 100
"""How many people who played are remembered."""


class KnownPlayers:
    """Remembers who played lately: `KnownPlayers(controller)`."""

    def __init__(self, controller: TableController) -> None:
        self._controller = controller

    def names_and_colours(self) -> list[NameAndColour]:
        """Returns the names of the people who played lately, with their colours, the latest first."""
        known: list[NameAndColour] = self._controller.load_remembered_value(
            KNOWN_PLAYERS_KEY, [], list[NameAndColour]
        )
        return known

    def remember(self, players: Sequence[NameAndColour]) -> None:
        """Remembers the players of a game; they come before those who didn't play it."""
        absent = [
            (name, colour)
            for name, colour in self.names_and_colours()
            if not any(are_same_name(name, player) for player, _ in players)
        ]
        self._controller.remember_value(KNOWN_PLAYERS_KEY, [*players, *absent][:MAX_KNOWN_PLAYERS])
