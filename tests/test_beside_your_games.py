"""The README's table of well-known games names only templates that exist, and says only what they hold."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion import installed_games
from companion.files import toml, user_files
from companion.languages import languages
from companion.presets import with_own_presets
from companion.rules.game import ChoiceOption
from companion.texts import render
from tests.any_game_presets import library
from tests.support.doc_examples import ROOT

README = {code: f"README{'' if code == 'en' else f'.{code}'}.md" for code in languages()}
README = {code: page for code, page in README.items() if (ROOT / page).is_file()}
ROW = re.compile(
    r"^\| [^|]+ \| (?P<title>[^|`]+?)\s?[（(]`(?P<name>\w+)`[^|]*[)）] \| (?P<what>[^|]+) \|$", re.MULTILINE
)
TWELVE = 12


def rows(lang: str) -> list[re.Match[str]]:
    """The rows of the table in one language."""
    return list(ROW.finditer((ROOT / README[lang]).read_text(encoding="utf-8")))


def titles(lang: str, directory: Path) -> dict[str, str]:
    """Every template and every game: its name, and how the screen calls it."""
    option = with_own_presets(installed_games.playable_game("any_game"), directory).options[0]
    assert isinstance(option, ChoiceOption)
    games = {
        name: render(installed_games.playable_game(name).title, lang) for name in installed_games.games()
    }
    return games | {name: render(label, lang) for name, label in option.choices.items()}


@pytest.mark.parametrize("lang", README)
def test_twelve_games_have_their_template(lang: str, tmp_path: Path) -> None:
    """Each row names something that can be chosen, as the screen calls it in that language."""
    known = titles(lang, tmp_path)
    found = [(row["name"], row["title"]) for row in rows(lang)]
    assert found == [(name, known.get(name)) for name, _ in found]
    assert len({name for name, _ in found}) == TWELVE


@pytest.mark.parametrize("lang", README)
def test_all_languages_have_the_same_table(lang: str) -> None:
    """No game is missing in one of them."""
    assert [row["name"] for row in rows("en")] == [row["name"] for row in rows(lang)]


@pytest.mark.parametrize(
    ("name", "said", "kind", "field", "held"),
    [
        ("property", "$1,500", "piece", "start", 1500),
        ("property", "salary of $200", "rules", "salary", 200),
        ("property", "32 houses", "piece", "supply", 32),
        ("property", "loans", "rules", "loans", "yes"),
        ("property", "fines", "place", "name", "fines"),
        ("poker", "1, 5 and 25", "piece", "note", 25),
        ("poker", "side pot", "place", "name", "side pot"),
        ("poker", "dealer", "rules", "deal", "left"),
        ("art", "hidden money", "rules", "covered", "yes"),
        ("art", "pays the seller", "rules", "payee", "seller"),
        ("estate", "18 coins", "piece", "start", 18),
        ("estate", "half", "rules", "refund", 50),
        ("auction", "until one bidder is left", "rules", "auction", "final"),
        ("auction", "Plant 13", "rules", "names", "yes"),
        ("train", "$12,000", "piece", "supply", 12000),
        ("contract", "ten rounds", "rules", "rounds", 10),
        ("lowest", "100", "rules", "target", 100),
        ("sheet", "63", "bonus", "reached_at", 63),
        ("majority", "three scorings", "rules", "rounds", 3),
        ("coop", "one to win", "track", "ends", "won"),
        ("coop", "one that loses", "track", "ends", "lost"),
    ],
)
def test_a_row_says_what_the_template_holds(
    name: str, said: str, kind: str, field: str, held: object, tmp_path: Path
) -> None:
    """Each number and each rule in the row stands in the template."""
    (row,) = (row for row in rows("en") if row["name"] == name)
    assert said in row["what"]
    assert held in [card.get(field) for card in cards(name, tmp_path) if card["kind"] == kind]


def test_a_row_counts_what_the_template_holds(tmp_path: Path) -> None:
    """Painters, boxes, tracks, regions."""
    count = {
        name: Counter(card["kind"] for card in cards(name, tmp_path))
        for name in ("art", "sheet", "coop", "majority")
    }
    assert count["art"]["company"] == 5
    assert count["sheet"]["category"] == 13
    assert count["coop"]["track"] == 2


def cards(name: str, directory: Path) -> list[dict[str, Any]]:
    """What stands in a template."""
    path = directory / f"{name}.toml"
    path.write_text(library(directory).read_preset_text(name), encoding="utf-8")
    found: list[dict[str, Any]] = toml.parse_toml(user_files.read_user_file(path, toml.MAX_TOML_CHARACTERS))[
        "card"
    ]
    return found
