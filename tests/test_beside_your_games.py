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
from tests.any_game_presets import SHIPPED, library
from tests.support.doc_examples import ROOT

README = {code: f"README{'' if code == 'en' else f'.{code}'}.md" for code in languages()}
README = {code: page for code, page in README.items() if (ROOT / page).is_file()}
ROW = re.compile(
    r"^\| [^|]+ \| (?P<title>[^|`]+?)\s?[（(]`(?P<name>\w+)`[^|]*[)）] \| (?P<what>[^|]+) \|$", re.MULTILINE
)
NAMED_BELOW_THE_TABLE = {"points", "tournament"}
"""Templates that fit no game more than others; a sentence names them."""
TEMPLATE_ROW = re.compile(r"^\| `(?P<name>\w+)` \| [^|]+ \|$", re.MULTILINE)
GAME_ROW = re.compile(r"^\| [^|`]+ \| `(?P<name>\w+)` \| [^|]+ \| [^|]+ \|$", re.MULTILINE)
TWENTY = 20


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
def test_every_template_has_its_game(lang: str, tmp_path: Path) -> None:
    """Each row names something that can be chosen, as the screen calls it in that language."""
    known = titles(lang, tmp_path)
    found = [(row["name"], row["title"]) for row in rows(lang)]
    assert found == [(name, known.get(name)) for name, _ in found]
    rows_of_templates = sorted(name for name, _ in found if name in SHIPPED)
    assert rows_of_templates == sorted({*SHIPPED} - NAMED_BELOW_THE_TABLE)


@pytest.mark.parametrize("lang", README)
def test_all_languages_have_the_same_table(lang: str) -> None:
    """No game is missing in one of them."""
    assert [row["name"] for row in rows("en")] == [row["name"] for row in rows(lang)]


@pytest.mark.parametrize("lang", README)
def test_the_page_of_any_game_lists_all_templates(lang: str) -> None:
    """In the order of the screen; and it says of twenty games what their template covers."""
    page = (ROOT / "docs" / ("" if lang == "en" else lang) / "games/any_game.md").read_text(encoding="utf-8")
    begin, end = (page.index(f"| `{name}` |") for name in ("plain", "auction"))
    listed = [row["name"] for row in TEMPLATE_ROW.finditer(page, begin, page.index("\n", end) + 1)]
    assert listed == ["plain", *SHIPPED]
    games = [row["name"] for row in GAME_ROW.finditer(page)]
    assert (len(games), {*games} <= {*SHIPPED}) == (TWENTY, True)


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
        ("streets", "12 hotels", "piece", "supply", 12),
        ("streets", "by name", "rules", "names", "yes"),
        ("poker_tournament", "come later", "rules", "join", "yes"),
        ("dealers", "asks how", "rules", "auction", "ask"),
        ("dealers", "the seller keeps", "rules", "unsold", "seller"),
        ("shares", "a total", "rules", "dividend", "total"),
        ("shares", "half", "rules", "half_pay", "up"),
        ("shares", "lets the bank break", "rules", "empty_bank", "broken"),
        ("workers", "income of 2", "rules", "income", 2),
        ("tricks", "bids of 0 by the round", "rules", "zero", "round"),
        ("tricks", "ten rounds", "rules", "rounds", 10),
        ("partners", "500 points", "rules", "target", 500),
        ("rummy", "101", "rules", "target", 101),
        ("rummy", "join level", "rules", "join", "level"),
        ("race", "121", "rules", "target", 121),
        ("mahjong", "16 hands", "rules", "rounds", 16),
        ("areas", "next lower prize", "category", "ties", "next"),
        ("tracks", "four cures", "track", "goal", 4),
        ("tracks", "eight outbreaks", "track", "goal", 8),
        ("tracks", "24 cubes", "piece", "supply", 24),
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
        for name in ("art", "sheet", "coop", "areas", "tracks")
    }
    assert count["art"]["company"] == 5
    assert count["sheet"]["category"] == 13
    assert count["coop"]["track"] == 2
    assert count["areas"]["category"] == 9 + len({"tower", "bonus"})
    assert count["tracks"]["piece"] == 4


def test_a_poker_tournament_begins_with_10_000(tmp_path: Path) -> None:
    """The chips of the start add up to the number in the row."""
    chips = [card for card in cards("poker_tournament", tmp_path) if card["kind"] == "piece"]
    assert sum(card["start"] * card["note"] for card in chips) == 10_000


def cards(name: str, directory: Path) -> list[dict[str, Any]]:
    """What stands in a template."""
    path = directory / f"{name}.toml"
    path.write_text(library(directory).read_preset_text(name), encoding="utf-8")
    found: list[dict[str, Any]] = toml.parse_toml(user_files.read_user_file(path, toml.MAX_TOML_CHARACTERS))[
        "card"
    ]
    return found
