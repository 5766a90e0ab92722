"""The games that are installed, whole and broken."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from companion import installed_games, languages
from companion.errors import UnknownName
from companion.installed_games import BrokenGame
from companion.rules.game import Game


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package is installed whose games are broken, each in its own way."""
    metadata = tmp_path / "strangers-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(
        "[companion.games]\n"
        "absent = strangers_absent:GAME\n"
        "crash = strangers_crash:GAME\n"
        "number = strangers_games:NUMBER\n"
        "twin = companion.games.sealed_bid.rulebook:GAME\n"
    )
    (tmp_path / "strangers_crash.py").write_text("raise ValueError('no dice')\n")
    (tmp_path / "strangers_games.py").write_text("NUMBER = 7\n")
    monkeypatch.syspath_prepend(tmp_path)


def test_every_registered_game_loads() -> None:
    """Each entry point of this package is a game under its own key."""
    ours = entry_points(group="companion.games").names
    games = installed_games.games()
    assert {"egypt", "sealed_bid"} <= ours == set(games)
    assert all(isinstance(game, Game) and game.key == key for key, game in games.items())


def test_a_game_is_found_by_its_key() -> None:
    """`game` gives the very game the catalogue lists."""
    assert installed_games.playable_game("egypt") is installed_games.games()["egypt"]


@pytest.mark.usefixtures("strangers")
@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("absent", "No module named 'strangers_absent'"),
        ("crash", "ValueError: no dice"),
        ("number", "strangers_games:NUMBER is not a Game"),
        ("twin", "its key is sealed_bid"),
    ],
)
def test_a_broken_game_is_a_status_with_a_sentence(key: str, why: str) -> None:
    """A game that can't be loaded says why, when listed and when asked for, and leaves the others alone."""
    games = installed_games.games()
    assert isinstance(games[key], BrokenGame)
    assert isinstance(games["egypt"], Game)
    with pytest.raises(UnknownName, match=rf"The game {key} can't be loaded: .*{why}"):
        installed_games.playable_game(key)


@pytest.mark.usefixtures("strangers")
def test_an_unknown_game_names_those_that_can_be_played() -> None:
    """A game nobody has installed is refused with the keys of the whole ones."""
    with pytest.raises(UnknownName) as refused:
        installed_games.playable_game("chess")
    whole = [key for key, game in installed_games.games().items() if isinstance(game, Game)]
    assert str(refused.value) == f"There is no game called chess. Installed games: {', '.join(whole)}."


@pytest.mark.usefixtures("strangers")
def test_in_safe_mode_only_our_games_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a stranger's is loaded; a saved game of theirs is of a game that isn't there."""
    monkeypatch.setattr(installed_games, "_third_party", installed_games._ThirdParty())
    monkeypatch.setattr(languages, "_third_party", languages._ThirdPartyLanguages())
    installed_games.disable_third_party_games()
    games = installed_games.games()
    assert {"egypt", "sealed_bid"} <= games.keys()
    assert not {"absent", "crash", "number"} & games.keys()
    with pytest.raises(UnknownName, match="There is no game called crash"):
        installed_games.playable_game("crash")
