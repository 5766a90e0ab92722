"""What players read about a game names everything they can set."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import installed_games
from companion.rules.game import ChoiceOption, Game

DOCS = Path(__file__).parents[2] / "docs"
GAMES = {key: game for key, game in installed_games.games().items() if isinstance(game, Game)}


@pytest.mark.parametrize("folder", ["games", "ja/games"])
@pytest.mark.parametrize("key", GAMES)
def test_every_option_of_a_game_is_explained(folder: str, key: str) -> None:
    """Each registered game has its page in both languages, with every option and every choice of it."""
    page = (DOCS / folder / f"{key}.md").read_text(encoding="utf-8")
    options = GAMES[key].options
    names = [option.key for option in options]
    names += [choice for option in options if isinstance(option, ChoiceOption) for choice in option.choices]
    assert [name for name in names if f"`{name}`" not in page] == []


@pytest.mark.parametrize("key", GAMES)
def test_the_pages_of_a_game_lead_to_each_other(key: str) -> None:
    """From one language's page one gets to the other's."""
    assert f"(../ja/games/{key}.md)" in (DOCS / "games" / f"{key}.md").read_text(encoding="utf-8")
    assert f"(../../games/{key}.md)" in (DOCS / "ja/games" / f"{key}.md").read_text(encoding="utf-8")
