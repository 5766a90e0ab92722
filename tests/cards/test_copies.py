"""The values of people's own copies: read, checked, kept, and what a game begins with."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion import cli, installed_games
from companion.cards import shipped_deck, shipped_deck_file
from companion.errors import UserError
from companion.files import spreadsheet, user_files
from companion.games.any_game import rulebook as any_game
from companion.games.bidders import rulebook as bidders
from companion.games.egypt import rulebook as egypt
from companion.log.log import MemoryLog
from companion.owner_decks import (
    DesignRow,
    EditableDeckRows,
    OwnerDeck,
    deck_to_rows,
    rows_from_csv,
    rows_to_csv,
    rows_to_toml,
)
from companion.presets import starting_decks
from companion.rules.game import Game
from companion.screen_characters import characters_in_font, require_showable, screen_font_names
from companion.session.session import Session
from companion.session.view import make_view

DECKS = {
    name: game for game in installed_games.games().values() if isinstance(game, Game) for name in game.decks
}
SHIPPED = rows_to_toml(deck_to_rows(shipped_deck("bidders"), "id"))
HEARTS = "hearts = [1, 0, 1, 0, 1, 0, 2, 0, 2, 0]"
FIRST = 'id = "W1"\ncolour = "white"\npopularity = 3\n'


@pytest.fixture
def copy(tmp_path: Path) -> OwnerDeck:
    """Somebody's copy of Bidders!, of which nothing has been entered."""
    return OwnerDeck(bidders.GAME, "bidders", tmp_path / "state")


def with_hearts(copy: OwnerDeck, *hearts: int) -> EditableDeckRows:
    """The values in force but for the hearts on the guild card."""
    rows = copy.load_rows()
    return msgspec.structs.replace(rows, board={**rows.board, "hearts": list(hearts)})


def put(copy: OwnerDeck, text: str) -> None:
    """Writes an owner's file as somebody with a text editor would."""
    copy.path.parent.mkdir(parents=True)
    copy.path.write_text(text, encoding="utf-8")


def refusal(copy: OwnerDeck) -> str:
    """The sentence with which a game would not begin, without the directory of the file."""
    with pytest.raises(UserError) as refused:
        starting_decks(copy.game, copy.path.parents[1], {})
    return str(refused.value).replace(str(copy.path), "bidders.toml")


# What a game begins with


def test_without_an_owner_the_shipped_values_count(copy: OwnerDeck) -> None:
    """Where nothing was entered a game begins with what ships, and nothing is written."""
    assert starting_decks(bidders.GAME, copy.path.parents[1], {}) == {"bidders": shipped_deck("bidders")}
    assert not copy.path.parents[1].exists()


def test_a_game_begins_with_what_its_owner_entered(copy: OwnerDeck) -> None:
    """What was kept is what the next game begins with, and only that game's values have changed."""
    copy.save_rows(with_hearts(copy, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0), "here")
    decks = starting_decks(bidders.GAME, copy.path.parents[1], {})
    assert decks["bidders"].board["hearts"] == (5, *[0] * 9)
    assert decks["bidders"].board["dollars"] == shipped_deck("bidders").board["dollars"]
    assert starting_decks(egypt.GAME, copy.path.parents[1], {}) == {"egypt": shipped_deck("egypt")}


def test_a_game_keeps_what_it_began_with(copy: OwnerDeck) -> None:
    """Values that change later change no game that has begun, also when it is opened again."""
    decks = starting_decks(bidders.GAME, copy.path.parents[1], {})
    log = MemoryLog()
    Session.begin(bidders.GAME, ["Aki", "Ben", "Chie"], {}, log, deck_by_name=decks)
    copy.save_rows(with_hearts(copy, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0), "here")
    assert Session(bidders.GAME, log, MemoryLog()).table.find_deck("bidders") == shipped_deck("bidders")


def test_values_are_provisional_until_all_are_entered(copy: OwnerDeck) -> None:
    """A game with provisional values says so; once the owner has confirmed all, the next one doesn't."""
    names = ["Aki", "Ben", "Chie"]
    copy.save_rows(with_hearts(copy, 1, 0, 1, 0, 1, 0, 2, 0, 2, 1), "here")
    state = copy.path.parents[1]
    assert make_view(
        Session.begin(
            bidders.GAME, names, {}, MemoryLog(), deck_by_name=starting_decks(bidders.GAME, state, {})
        )
    ).has_provisional_values
    copy.save_rows(msgspec.structs.replace(copy.load_rows(), provisional=False), "here")
    begun = Session.begin(
        bidders.GAME, names, {}, MemoryLog(), deck_by_name=starting_decks(bidders.GAME, state, {})
    )
    assert not make_view(begun).has_provisional_values


# A broken file


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("provisional = true", "provisional = 1", "provisional must be true or false."),
        ("provisional = true", 'id = "name"', "unknown key id; known keys: provisional, board, card."),
        ("[board]", "[board", "this is not valid TOML: "),
        ("provisional = true", f"provisional = {'1' * 5000}", "this is not valid TOML: "),
        ("provisional = true", f"provisional = {'[' * 20000}", "this is not valid TOML: "),
        (SHIPPED, "board = 3", "the numbers of the board must be in a section called [board]."),
        (HEARTS, "", "board.hearts is missing."),
        (HEARTS, HEARTS.replace(", 0]", "]"), "board.hearts must be a list of 10 numbers."),
        (HEARTS, HEARTS.replace("[1", "[6"), "board.hearts must be a number from 0 to 5, not 6."),
        (HEARTS, HEARTS.replace("[1", "[1.0"), "board.hearts must be a number from 0 to 5, not 1.0."),
        (HEARTS, f"{HEARTS}\nstars = [1]", "board.stars is unknown; known: hearts, dollars."),
        (FIRST, FIRST.replace("3", "21"), "card W1: popularity must be a number from 1 to 20, not 21."),
        (FIRST, FIRST.replace("3", '"3"'), "card W1: popularity must be a number from 1 to 20, not 3."),
        (FIRST, FIRST.replace("white", "red"), "card W1: colour must be one of white, black, not red."),
        (
            FIRST,
            FIRST.replace("white", "black"),
            "card W1: popularity must be a number from -20 to -1, not 3.",
        ),
        (
            FIRST,
            FIRST.replace("popularity = 3\n", ""),
            "card W1: popularity is missing. Allowed: a number from 1 to 20.",
        ),
        (
            FIRST,
            f"{FIRST}crew = 2\n",
            "card W1: This kind of card has no value called crew. Choose from: colour, popularity.",
        ),
        (FIRST, f"{FIRST}copies = 0\n", "card W1: copies must be a number from 1 to 99, not 0."),
        (FIRST, FIRST.replace("W1", "W2"), "card W2 appears twice."),
        (FIRST, f"{FIRST}copies = 2\n", "The number of cards of colour white must be 12, not 13."),
        (FIRST, f"{FIRST}copies = 2\n\n[[card]]\n{FIRST.replace('W1', 'W1.2')}", "card W1.2 appears twice."),
        (FIRST, FIRST.replace('id = "W1"\n', ""), "card number 1 has no id."),
    ],
)
def test_a_broken_file_begins_no_game(copy: OwnerDeck, old: str, new: str, why: str) -> None:
    """A missing or impossible value is a sentence with the file, the key and what is allowed."""
    assert old in SHIPPED
    put(copy, SHIPPED.replace(old, new))
    assert refusal(copy).startswith(f"bidders.toml: {why}")


def test_a_file_that_can_not_be_read_begins_no_game(copy: OwnerDeck) -> None:
    """What is no text, or no file, is a sentence with its name; wrong values are never taken silently."""
    copy.path.mkdir(parents=True)
    assert refusal(copy) == "bidders.toml can't be read: Is a directory."
    copy.path.rmdir()
    copy.path.write_bytes(b"\xff")
    assert refusal(copy) == "bidders.toml is not UTF-8 text."
    hidden = OwnerDeck(bidders.GAME, "bidders", copy.path.parent / ("x" * 300))
    assert refusal(hidden).endswith(" can't be read: File name too long.")


def test_play_begins_no_game_with_a_broken_file(copy: OwnerDeck, capsys: pytest.CaptureFixture[str]) -> None:
    """`companion play` says what is wrong with the owner's file, and saves no game."""
    put(copy, SHIPPED.replace(HEARTS, ""))
    state = ["--state", str(copy.path.parents[1])]
    assert cli.main(["play", "bidders", "--seats", "Aki,Ben,Chie", *state]) == 2
    assert capsys.readouterr().err == f"{copy.path}: board.hearts is missing.\n"
    assert cli.main(["games", *state]) == 0
    assert "Saved" not in capsys.readouterr().out


def test_complete_cards_stay_as_they_come(tmp_path: Path) -> None:
    """Where the game leaves nothing to enter, other cards than the shipped ones are refused."""
    copy = OwnerDeck(egypt.GAME, "egypt", tmp_path)
    put(copy, "[[card]]\nnumber = 4\ncopies = 5\n")
    with pytest.raises(UserError, match=r"you don.t need to enter values for the cards of Egypt"):
        copy.load_own_or_shipped_deck()


# How it is kept


@pytest.mark.parametrize("name", DECKS)
def test_every_deck_can_be_written_and_read_again(name: str, tmp_path: Path) -> None:
    """The shipped values of every registered game survive TOML and CSV, and what looks odd is a sentence."""
    copy = OwnerDeck(DECKS[name], name, tmp_path)
    rows = copy.load_rows()
    assert copy.parse_deck(rows_to_toml(rows), "here") == shipped_deck(name)
    cards = rows_from_csv(rows_to_csv(rows.cards, copy.shipped_file), copy.shipped_file)
    assert (
        copy.save_rows(msgspec.structs.replace(rows, cards=cards), "here")
        == shipped_deck(name)
        == copy.load_own_or_shipped_deck()
    )
    assert all(str(odd.in_language("en")) for odd in copy.check_deck(copy.load_own_or_shipped_deck(), "here"))


SHOWN = sorted({letter for font in screen_font_names() for letter in characters_in_font(font)})
"""What the screen's fonts have, so what a name may be written in."""


@given(st.text(st.sampled_from(SHOWN).filter(str.strip), min_size=1))
def test_any_name_of_a_card_survives(name: str) -> None:
    """Quotes, backslashes and letters of any script in a card's id and name come back as they were."""
    try:
        require_showable(name)
    except UserError:
        assume(False)  # more than two marks on one letter
    copy = OwnerDeck(bidders.GAME, "bidders", Path())
    rows = copy.load_rows()
    named = {**rows.cards[0], "id": name, "name": f"{name} {name}"}
    changed = msgspec.structs.replace(rows, cards=[named, *rows.cards[1:]])
    if name in {str(row["id"]) for row in rows.cards[1:]}:
        return
    first = copy.parse_deck(rows_to_toml(changed), "here").designs[0]
    assert (first.id, first.values["name"]) == (name, f"{name} {name}")
    assert rows_from_csv(rows_to_csv(changed.cards, copy.shipped_file), copy.shipped_file)[0] == {
        "copies": 1,
        **named,
    }


@pytest.mark.parametrize("name", ["=1+1", "Oak; ＝1", "-5", "'=1", "+", "@A"])
def test_a_name_that_looks_like_a_formula_comes_back_from_a_sheet(copy: OwnerDeck, name: str) -> None:
    """In the file an apostrophe keeps a spreadsheet from calculating it."""
    first, *others = copy.load_rows().cards
    written = rows_to_csv([{**first, "name": name}, *others], copy.shipped_file)
    assert spreadsheet.escape_formulas(name) in written
    assert rows_from_csv(written, copy.shipped_file)[0]["name"] == name


def test_what_can_not_be_is_not_kept(copy: OwnerDeck) -> None:
    """Refused values leave those that were kept before, byte for byte."""
    copy.save_rows(copy.load_rows(), "here")
    before = copy.path.read_bytes()
    with pytest.raises(UserError, match=r"^here: board\.hearts must be a list of 10 numbers"):
        copy.save_rows(with_hearts(copy, 1), "here")
    assert copy.path.read_bytes() == before


def test_only_the_owner_may_read_the_directory(copy: OwnerDeck) -> None:
    """A state directory that is made for the cards is as closed as one that is made for the games."""
    copy.save_rows(copy.load_rows(), "here")
    assert [folder.stat().st_mode & 0o777 for folder in copy.path.parents[:2]] == [0o700, 0o700]


def test_a_pulled_plug_leaves_the_old_or_the_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new text is on the disk under another name before it takes the place of the old one."""
    path, synced = tmp_path / "cards" / "one.toml", []
    user_files.write_app_file(path, "old")
    sync = os.fsync

    def watched(number: int) -> None:
        sync(number)
        beside = [file.read_text() for file in path.parent.iterdir() if file != path]
        synced.append((path.read_text(), *beside))

    monkeypatch.setattr(os, "fsync", watched)
    user_files.write_app_file(path, "new")
    assert synced == [("old", "new"), ("new",)]


def test_an_unwritable_directory_is_a_sentence(tmp_path: Path) -> None:
    """A state directory that can't be written to names the file and the reason."""
    (tmp_path / "file").touch()
    copy = OwnerDeck(bidders.GAME, "bidders", tmp_path / "file" / "state")
    with pytest.raises(UserError) as refused:
        copy.save_rows(copy.load_rows(), "here")
    assert str(refused.value) == f"{copy.path} can't be written: Not a directory."


# Sheets


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Line 1: column id is missing. This column names the cards."),
        ("id,colour\n", "there are no cards below the first line."),
        ("id,weight\n", "Line 1: unknown column weight; known columns: id, copies, name, colour, popularity"),
        ("id,colour,id\n", "Line 1: column id appears twice."),
        ("colour\nwhite\n", "Line 1: column id is missing. This column names the cards."),
        ("id,colour\nW1,white,3\n", "Line 2: this line has 3 cells, but there are 2 columns."),
        ("id,colour\n,white\n", "Line 2: id is missing. This field names the card."),
        ("id,colour\n\nW1,white\n", "Line 3: popularity is missing. Allowed: a number from 1 to 20."),
        (
            "id,colour,popularity\nW1,white,1\nW2,white,x\n",
            "Line 3: popularity must be a number from 1 to 20, not x.",
        ),
        ("id,colour,popularity\nW1,red,1\n", "Line 2: colour must be one of white, black, not red."),
        (
            "id,colour,popularity,crew\nW1,white,1,2\n",
            "Line 2: This kind of card has no value called crew. Choose from: colour, popularity.",
        ),
        (
            "id,colour,popularity,copies\nW1,white,1,0\n",
            "Line 2: copies must be a number from 1 to 99, not 0.",
        ),
        ("id,colour,popularity\nW1,white,1\n,,\nW1,white,1\n", "Line 4: card W1 appears twice."),
        ('id,colour\n"W1,white\n', "Line 2: this is not valid CSV: unexpected end of data."),
    ],
)
def test_a_line_that_does_not_fit_is_named(copy: OwnerDeck, text: str, why: str) -> None:
    """The line of a sheet is named with the key and what is allowed."""
    with pytest.raises(UserError) as refused:
        rows_from_csv(text, copy.shipped_file)
    assert str(refused.value).startswith(why)


def test_a_sheet_may_be_as_programs_write_it(copy: OwnerDeck) -> None:
    """Spaces around cells, blank lines, columns in any order and lines that end in CR LF are taken."""
    text = "popularity , id,colour\r\n3, W1 ,white\r\n,,\r\n"
    assert rows_from_csv(text, copy.shipped_file) == [{"popularity": 3, "id": "W1", "colour": "white"}]


def test_a_half_in_a_sheet_comes_back() -> None:
    """A template with a target of 12½ can be written as a sheet and read again; an id stays a word."""
    deck_file = shipped_deck_file("any_game", any_game.GAME.folder)
    cards: list[DesignRow] = [
        {"id": "2.5", "kind": "rules", "half_points": "yes", "target": 12.5, "round_sum": -1}
    ]
    assert rows_from_csv(rows_to_csv(cards, deck_file), deck_file) == cards
