"""The people who played lately, with the pieces that they had; set-up offers them as keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.name_matching import are_same_name

if TYPE_CHECKING:
    from ui.evening.controller import TableController

KNOWN_PLAYERS_KEY, MAX_KNOWN_PLAYERS = "known players", 100
"""The key under which names and colours of people who played are remembered, and how many."""
NameAndColour = tuple[str, str]


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

    def forget(self, name: str) -> None:
        """Forgets a person."""
        others = [known for known in self.names_and_colours() if not are_same_name(known[0], name)]
        self._controller.remember_value(KNOWN_PLAYERS_KEY, others)
