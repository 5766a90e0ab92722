"""Which presets people chose last, and which are their favourites; both are remembered between evenings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ui.evening.controller import TableController

RECENT_PRESETS_KEY, MAX_RECENT_PRESETS = "recent presets", 50
"""The key under which the presets played last are remembered, and how many of a game."""
FAVOURITE_PRESETS_KEY = "favourite presets"
"""The key under which the favourite presets are remembered."""


class PresetOfGame(NamedTuple):
    """A preset: the key of its game, and its name."""

    game: str
    name: str


class PresetChoices:
    """Remembers which presets were played last, and which are favourites: `PresetChoices(controller)`."""

    def __init__(self, controller: TableController) -> None:
        self._controller = controller

    def recent_names(self, game_key: str) -> list[str]:
        """Returns the names of the presets that a game was played with, the latest first."""
        return self._load_recent().get(game_key, [])

    def remember_played(self, preset: PresetOfGame) -> None:
        """Remembers that a game was played with a preset."""
        others = [name for name in self.recent_names(preset.game) if name != preset.name]
        recent = [preset.name, *others][:MAX_RECENT_PRESETS]
        self._controller.remember_value(RECENT_PRESETS_KEY, {**self._load_recent(), preset.game: recent})

    @property
    def favourites(self) -> list[PresetOfGame]:
        """Returns the favourites, in the order in which people chose them."""
        saved = self._controller.load_remembered_value(FAVOURITE_PRESETS_KEY, [], list[tuple[str, str]])
        return [PresetOfGame(*pair) for pair in saved]

    def toggle_favourite(self, preset: PresetOfGame) -> None:
        """Makes a preset a favourite; a favourite is none from then on."""
        favourites = self.favourites
        if preset in favourites:
            favourites.remove(preset)
        else:
            favourites.append(preset)
        self._controller.remember_value(FAVOURITE_PRESETS_KEY, favourites)

    def rename_preset(self, preset: PresetOfGame, new_name: str) -> None:
        """Keeps a renamed preset a favourite and among those played last; without a new name it is gone."""
        if preset in (favourites := self.favourites):
            renamed_preset = preset._replace(name=new_name)
            renamed = [renamed_preset if other == preset else other for other in favourites]
            self._controller.remember_value(FAVOURITE_PRESETS_KEY, [other for other in renamed if other.name])
        if preset.name in (recent := self.recent_names(preset.game)):
            names = [new_name if name == preset.name else name for name in recent]
            self._controller.remember_value(
                RECENT_PRESETS_KEY, {**self._load_recent(), preset.game: [name for name in names if name]}
            )

    def _load_recent(self) -> dict[str, list[str]]:
        recent: dict[str, list[str]] = self._controller.load_remembered_value(
            RECENT_PRESETS_KEY, {}, dict[str, list[str]]
        )
        return recent
