"""What a game of another package brings beside its rulebook: deck, texts, cover, recorded match."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import installed_games, languages
from companion.cards import shipped_deck
from companion.games.egypt import rulebook as egypt
from companion.installed_games import BrokenGame
from companion.log.log import MemoryLog
from companion.presets import starting_decks
from companion.rules.game import COVER_SUFFIX, DEMO_SUFFIX
from companion.session.session import Session
from companion.testing import find_untranslated_texts
from companion.texts import render, say, say_n
from tests.support import third_party_packages

DECK = '[[card]]\nid = "drum"\nname = "big drum"\n'
WORDS = """
msgid ""
msgstr "Language: ja\\n"

# What is on the box.
msgid "Claps"
msgstr ""
"手を"
"たたく"

msgid "{n} clap"
msgid_plural "{n} claps"
msgstr[0] "拍手{n}回"

#, fuzzy
msgid "Yes"
msgstr "いいえ"

msgid "coin"
msgstr "別の硬貨"
"""
Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs the game `claps` with what it brings, by the ends of its files' names."""
    monkeypatch.setattr(languages, "_game_catalogues", [])
    languages.read_catalogue.cache_clear()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "strangers_claps", raising=False)

    def installed(more: str = "", words: str = "", **files: str) -> Path:
        third_party_packages.install_games(
            tmp_path, {"claps": third_party_packages.game_module_text("claps", more=more)}
        )
        for ending, text in files.items():
            (tmp_path / f"claps.{ending}").write_text(text, encoding="utf-8")
        catalogues = tmp_path / "locale/ja/LC_MESSAGES"
        catalogues.mkdir(parents=True)
        (catalogues / "claps.po").write_text(words, encoding="utf-8")
        languages._cached_translations.cache_clear()
        return tmp_path

    yield installed
    languages.prefer_translations_of_game("")
    languages._cached_translations.cache_clear()  # others have learnt more


def why(key: str) -> str:
    """Why a game is broken."""
    found = installed_games.games()[key]
    assert isinstance(found, BrokenGame)
    return render(found.why).removeprefix(f"The game {key} can't be loaded: ")


def test_its_own_deck_is_found_beside_its_rulebook(install: Install, tmp_path: Path) -> None:
    """A match begins with it, and an owner may enter what is printed on their copy."""
    install('decks=("claps",)', toml=DECK)
    claps = installed_games.playable_game("claps")
    session = Session.begin(claps, ["Aki", "Ben"], {}, MemoryLog())
    assert list(session.table.find_deck("claps").cards) == ["drum"]
    assert starting_decks(claps, tmp_path, {})["claps"] == shipped_deck("claps", claps.folder)
    assert installed_games.owner_decks_by_name(tmp_path)["claps"].load_own_or_shipped_deck().cards.keys() == {
        "drum"
    }


def test_it_may_play_with_ours_as_well(install: Install) -> None:
    """A deck that isn't beside the rulebook is one of ours."""
    install('decks=("claps", "egypt")', toml=DECK)
    session = Session.begin(installed_games.playable_game("claps"), ["Aki", "Ben"], {}, MemoryLog())
    assert session.table.find_deck("egypt") == shipped_deck("egypt")


def test_no_deck_takes_anothers_name(install: Install) -> None:
    """Decks are kept and taught by their names: its own begins with its key."""
    folder = install('decks=("drums",)')
    (folder / "drums.toml").write_text(DECK, encoding="utf-8")
    assert why("claps") == "the name of its deck must be claps or begin with claps_; drums isn't allowed."


def test_a_deck_that_can_not_be_read_is_a_sentence(install: Install) -> None:
    """File and card are named, and the game is listed as broken."""
    install('decks=("claps",)', toml="[[card]]\nname = 'no id'\n")
    assert why("claps") == "claps.toml: card number 1 has no id."


def test_cover_and_match_are_files_of_its_key(install: Install) -> None:
    """What lies there is found; what doesn't is none."""
    folder = install(png="a picture")
    claps = installed_games.playable_game("claps")
    assert claps.find_file(COVER_SUFFIX) == folder / "claps.png"
    assert claps.find_file(DEMO_SUFFIX) is None
    assert egypt.GAME.find_file(DEMO_SUFFIX) is not None


def test_its_texts_are_read_as_their_author_writes_them(install: Install) -> None:
    """Once it is on the shelf they are spoken, in one line or in several, for one and for many."""
    install(words=WORDS)
    assert render(installed_games.playable_game("claps").title, "ja") == "手をたたく"
    assert render(say_n("{n} clap", "{n} claps", n=3), "ja") == "拍手3回"
    assert render(say("Claps")) == "Claps"


def test_a_guess_and_what_we_say_are_left_alone(install: Install) -> None:
    """A fuzzy translation stays English, and no game changes the words of the others."""
    install(words=WORDS)
    coin = render(say("coin"), "ja")
    installed_games.games()
    assert render(say("Yes"), "ja") != "いいえ"
    assert render(say("coin"), "ja") == coin != "別の硬貨"


def test_on_its_table_it_speaks_in_its_own_words(install: Install) -> None:
    """What another game says differently stays that game's: each counts where it lies on the table."""
    theirs = render(say("Coins"), "ja")
    install(words='msgid "Coins"\nmsgstr "硬貨"')
    installed_games.games()
    assert render(say("Coins"), "ja") == theirs
    languages.prefer_translations_of_game("claps")
    assert render(say("Coins"), "ja") == "硬貨" != theirs
    languages.prefer_translations_of_game("high_bid")
    assert render(say("Coins"), "ja") == theirs


def test_what_another_game_has_words_for_is_still_to_be_translated(install: Install) -> None:
    """They may mean something else; what Companion says has its words."""
    install(more="help={'a': say('Coins'), 'b': say('coin')}")
    assert "Coins" in find_untranslated_texts(installed_games.playable_game("claps"), "ja")
    assert "coin" not in find_untranslated_texts(installed_games.playable_game("claps"), "ja")


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ('msgid "{n} claps"\nmsgstr "{m}回"', "ValueError: claps.po: {m}回 names what isn't in {n} claps."),
        ('msgid "claps"\nmsgstr "{"', "ValueError: claps.po: "),
        ('msgid "claps"\nmsgstr "\\x"', "ValueError: claps.po: "),
    ],
)
def test_texts_that_can_not_be_read_are_a_sentence(install: Install, words: str, wrong: str) -> None:
    """What would fail at the table, in the middle of a game, is said on the shelf."""
    install(words=words)
    assert why("claps").startswith(wrong)


def test_texts_without_a_translation_are_named(install: Install) -> None:
    """Of its own code and deck, in the order in which they are said; what we say needs none."""
    install('decks=("claps",)', words=WORDS, toml=DECK)
    missing = find_untranslated_texts(installed_games.playable_game("claps"), "ja")
    assert {"Clap your hands.", "no card is blue.", "big drum"} <= set(missing)
    assert not {"Claps", "coin"} & set(missing)
