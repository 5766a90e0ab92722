"""The verb `cards`: what it prints and refuses, where a guess is called so, and the page for owners."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from companion import cli, logtext
from companion.cards import shipped_deck
from companion.games.bidders import rulebook as bidders
from companion.jsonlines import public_table_as_json, question_or_result_as_json
from companion.log.log import MemoryLog
from companion.presets import starting_decks
from companion.session.session import Session
from companion.store import Store
from companion.table.scores import PROVISIONAL_NOTE
from companion.testing.random_game import play_randomly_to_end
from companion.texts import render
from tests.support.terminal_sessions import play_lines

PAGE = Path(__file__).parents[2] / "docs" / "cards.md"
OWN = "STATE/cards/bidders.toml: "
LEFT = (
    "The values are still provisional. When they all match your cards, run: companion cards check "
    "bidders --entered\n"
)
NAMES = ("Aki", "Ben", "Chie")


class Said(NamedTuple):
    """What a command came to: its status, what it printed, and what it complained of."""

    status: int
    out: str
    err: str


class Owner:
    """Somebody with a state directory, who types `companion cards …`."""

    def __init__(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.state = directory / "state"
        self.path = self.state / "cards" / "bidders.toml"
        self._capsys = capsys

    def types(self, *words: str) -> Said:
        """One command in this state directory, which is written STATE."""
        status = cli.main(["cards", *words, "--state", str(self.state)])
        out, err = self._capsys.readouterr()
        return Said(status, out.replace(str(self.state), "STATE"), err.replace(str(self.state), "STATE"))

    def is_refused(self, *words: str) -> str:
        """The one sentence with which a command is refused; it has changed nothing."""
        before = self.path.read_bytes() if self.path.exists() else None
        said = self.types(*words)
        assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
        assert (self.path.read_bytes() if self.path.exists() else None) == before
        return said.err.rstrip()


@pytest.fixture
def owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Owner:
    """An owner who has entered nothing yet, in a directory of their own."""
    monkeypatch.chdir(tmp_path)
    return Owner(tmp_path, capsys)


# The page for owners


def blocks() -> Iterator[tuple[str, str]]:
    """The examples of the page: a kind, and what stands in it."""
    return iter(
        re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    )


def test_the_examples_of_the_page_are_true(owner: Owner) -> None:
    """Each documented command prints exactly what the page says, and the sheet of the page is imported."""
    commands = 0
    for kind, text in blocks():
        if kind == "csv":
            Path("bidders.csv").write_text(text, encoding="utf-8")
            continue
        for command, told in re.findall(r"^\$ companion cards (.*)\n((?:[^$].*\n)*)", text, re.MULTILINE):
            said = owner.types(*command.split())
            assert said.out + said.err == told
            commands += 1
    assert commands == 8
    assert starting_decks(bidders.GAME, owner.state, {})["bidders"].cards["palace"].values["crew"] == 3


def test_each_part_of_the_verb_is_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever `companion cards` can do is explained to owners."""
    with pytest.raises(SystemExit):
        cli.main(["cards", "--help"])
    parts = re.findall(r"^    (\w+) ", capsys.readouterr().out, re.MULTILINE)
    page = PAGE.read_text(encoding="utf-8")
    assert {"list", "import"} <= set(parts)
    assert [part for part in parts if f"cards {part}" not in page and f"`{part}" not in page] == []


# list and show


def test_the_list_goes_on_past_a_broken_file(owner: Owner) -> None:
    """A file that was broken by hand is told in the line of its game; the others are listed."""
    owner.types("check", "bidders", "--entered")
    owner.path.write_text("[board]\n", encoding="utf-8")
    said = owner.types("list")
    assert (said.status, said.err) == (0, "")
    told = dict(line.split(maxsplit=1) for line in said.out.splitlines())
    assert told["bidders"] == f"{OWN}board.hearts is missing."
    assert told["egypt"] == "Egypt: 85 cards, complete"


def test_a_deck_is_shown_as_a_table(owner: Owner) -> None:
    """All columns, a line for each design, and the numbers of each board."""
    lines = owner.types("show", "bidders").out.splitlines()
    rows = [line.split() for line in lines]
    assert lines[0] == "Bidders!: 24 cards, provisional"
    assert rows[2] == ["id", "copies", "name", "colour", "popularity", "start", "crew"]
    assert len(rows) == 2 + 1 + 24 + 1 + 2
    assert rows[-2] == ["board.hearts", *map(str, shipped_deck("bidders").board["hearts"])]
    assert owner.types("show", "egypt").out.splitlines()[-1].split() == ["13", "13"]


# edit


def test_one_value_is_entered_at_a_time(owner: Owner) -> None:
    """What was named is changed, everything else is as before, and a hint says what is left to do."""
    assert owner.types("edit", "bidders", "W1", "popularity=9", "name=The mill") == (
        0,
        f"Bidders!: 24 cards, provisional\n{LEFT}",
        "",
    )
    owner.types("edit", "bidders", "W1", "name=")
    before, after = shipped_deck("bidders"), starting_decks(bidders.GAME, owner.state, {})["bidders"]
    assert after.designs[0].values == {**before.designs[0].values, "popularity": 9}
    assert (after.designs[1:], after.board) == (before.designs[1:], before.board)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("W99 crew=1", "Bidders! has no card W99. Its cards: W1, W2, "),
        ("W1 popularity=21", OWN + "card W1: popularity must be a number from 1 to 20, not 21."),
        ("W1 popularity=high", OWN + "card W1: popularity must be a number from 1 to 20, not high."),
        ("W1 popularity=", OWN + "card W1: popularity is missing. Allowed: a number from 1 to 20."),
        (
            "W1 weight=3",
            OWN + "card W1: This kind of card has no value called weight. Choose from: colour, popularity.",
        ),
        ("W1 popularity", "Write a value as FIELD=VALUE, not popularity."),
        ("W1 popularity=-3", OWN + "card W1: popularity must be a number from 1 to 20, not -3."),
        ("W1 id=W2", OWN + "card W2 appears twice."),
        ("board.stars 1", "The boards of Bidders! have no value called stars. Choose from: hearts, dollars."),
        ("board.hearts 1 2", OWN + "board.hearts must be a list of 10 numbers."),
        ("board.hearts 1 0 1 0 1 0 2 0 2 x", OWN + "board.hearts must be a number from 0 to 5, not x."),
        ("board.hearts 1 0 1 0 1 0 2 0 2 -1", OWN + "board.hearts must be a number from 0 to 5, not -1."),
    ],
)
def test_what_can_not_be_entered_is_refused(owner: Owner, words: str, why: str) -> None:
    """An unknown card or field and an impossible value name what there is or what is allowed."""
    owner.types("edit", "bidders", "W2", "popularity=5")
    assert owner.is_refused("edit", "bidders", *words.split()).startswith(why)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            "egypt 4 copies=5",
            "STATE/cards/egypt.toml: you don't need to enter values for the cards of Egypt.",
        ),
        ("egypt board.hire 4", "The boards of Egypt have no value called hire. Choose from: none."),
        ("egypt board.nine 4", "The boards of Egypt have no value called nine. Choose from: none."),
        ("chess king value=3", "There are no cards for chess. Games with cards: any_game, bidders, egypt, "),
        (
            "sealed_bid king value=3",
            "There are no cards for sealed_bid. Games with cards: any_game, bidders, egypt, ",
        ),
    ],
)
def test_where_nothing_can_be_entered_the_reason_is_said(owner: Owner, words: str, why: str) -> None:
    """An unknown game names those that have cards; complete cards are left as they are."""
    assert owner.is_refused("edit", *words.split()).startswith(why)


def test_prices_that_rise_are_refused(owner: Owner) -> None:
    """High Bid's four prices of a card fall from one to the next; the sentence names both."""
    why = "STATE/cards/high_bid.toml: card maps: dealer can't be higher than gallery: at most 150, not 160."
    assert owner.is_refused("edit", "high_bid", "maps", "dealer=160") == why
    assert owner.types("edit", "high_bid", "maps", "dealer=150").status == 0


def test_an_unwritable_state_directory_is_a_sentence(owner: Owner) -> None:
    """Where nothing can be kept, the command says so and ends with status 2."""
    owner.state.touch()
    why = "STATE/cards/bidders.toml can't be written: "
    assert owner.is_refused("edit", "bidders", "W1", "popularity=5").startswith(why)


# check


def test_what_is_odd_is_a_hint(owner: Owner) -> None:
    """Odd values are told and taken."""
    said = owner.types("edit", "bidders", "board.hearts", *"5555555555")
    assert said.status == 0
    assert said.out.startswith("Please check: hearts: slots 1 to 8 add up to 40. ")
    assert owner.types("check", "bidders") == said


def test_what_ships_may_be_confirmed(owner: Owner) -> None:
    """Whose copy is just like the shipped values says so once; only then are they no longer provisional."""
    assert owner.types("check", "bidders") == (0, f"Bidders!: 24 cards, provisional\n{LEFT}", "")
    assert not owner.path.exists()
    entered = Said(0, "Bidders!: 24 cards, entered\n", "")
    assert owner.types("check", "bidders", "--entered") == entered == owner.types("check", "bidders")


def test_a_broken_file_is_found_by_the_check(owner: Owner) -> None:
    """A file that was broken by hand is refused by its name; a whole import mends it."""
    owner.types("export", "bidders", "whole.toml")
    owner.types("check", "bidders", "--entered")
    text = owner.path.read_text(encoding="utf-8")
    owner.path.write_text(text.replace("popularity", "popular", 1), encoding="utf-8")
    why = (
        "STATE/cards/bidders.toml: card W1: This kind of card has no value called popular. Choose "
        "from: popularity, colour."
    )
    assert {owner.is_refused(word, "bidders") for word in ("check", "show")} == {why}
    assert owner.types("import", "bidders", "whole.toml").status == 0
    assert owner.types("check", "bidders").status == 0


# import and export


@pytest.mark.parametrize("name", ["mine.toml", "mine.csv", "MINE.CSV"])
def test_what_was_exported_can_be_imported(owner: Owner, name: str) -> None:
    """Both forms bring back the same values, and whether they are provisional."""
    owner.types("edit", "bidders", "B1", "crew=5")
    before = owner.types("show", "bidders")
    assert owner.types("export", "bidders", name) == (0, "", "")
    owner.types("edit", "bidders", "B1", "crew=6")
    assert owner.types("import", "bidders", name).out == f"Bidders!: 24 cards, provisional\n{LEFT}"
    assert owner.types("show", "bidders") == before


def test_a_file_without_the_word_is_entered(owner: Owner) -> None:
    """A TOML file that doesn't call itself provisional isn't; `-` writes it to standard output."""
    text = owner.types("export", "bidders", "-").out
    assert text.startswith("provisional = true\n\n[board]\nhearts = [")
    Path("mine.toml").write_text("\ufeff" + text.replace("provisional = true\n", ""), encoding="utf-8")
    assert owner.types("import", "bidders", "mine.toml").out == "Bidders!: 24 cards, entered\n"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        (
            "mine.csv",
            "id,colour,popularity\nW1,green,1\n",
            "mine.csv: Line 2: colour must be one of white, black, not green.",
        ),
        ("mine.csv", "id,weight\n", "mine.csv: Line 1: unknown column weight; "),
        (
            "mine.csv",
            "id,colour,popularity\nW1,white,3\n",
            "mine.csv: The number of cards of colour white must be 12, not 1.",
        ),
        ("mine.csv", "", "mine.csv: Line 1: column id is missing. This column names the cards."),
        ("mine.toml", "[board]\nhearts = [1,\n", "mine.toml: this is not valid TOML: "),
        ("mine.toml", "provisional = true\n", "mine.toml: board.hearts is missing."),
        ("mine.txt", "", "mine.txt must end in .toml or .csv."),
        ("mine.toml", None, "mine.toml can't be read: No such file or directory."),
    ],
)
def test_an_import_that_does_not_fit_imports_nothing(
    owner: Owner, name: str, text: str | None, why: str
) -> None:
    """What is wrong is named with file and line, and all values are as before."""
    owner.types("edit", "bidders", "W1", "popularity=5")
    if text is not None:
        Path(name).write_text(text, encoding="utf-8")
    assert owner.is_refused("import", "bidders", name).startswith(why)


def test_an_export_that_can_not_be_written_is_a_sentence(owner: Owner) -> None:
    """A form that doesn't exist and a folder that isn't there are named."""
    assert owner.is_refused("export", "bidders", "mine") == "mine must end in .toml or .csv."
    assert owner.is_refused("export", "bidders", "gone/mine.csv").startswith(
        "gone/mine.csv can't be written: "
    )


# Where provisional values are told


def played(log: MemoryLog, *, entered: bool) -> Session:
    """A random match of Bidders!, to its end."""
    deck = shipped_deck("bidders")
    if entered:
        deck = type(deck)(deck.name, deck.designs, deck.board, deck.fields)
    session = Session.begin(bidders.GAME, NAMES, {}, log, deck_by_name={"bidders": deck}, seed=1)
    play_randomly_to_end(session, Random(1))
    return session


@pytest.mark.parametrize("entered", [False, True])
def test_provisional_values_are_told_with_the_score(
    owner: Owner, entered: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Terminal, JSON and replay say so in heading, score, state and result, and only where it is so."""
    log = MemoryLog()
    session = played(log, entered=entered)
    assert ("provisional values ──" in play_lines(session, "state")) is not entered
    assert (render(PROVISIONAL_NOTE) in play_lines(session)) is not entered
    assert public_table_as_json(session).get("provisional", False) is not entered
    assert question_or_result_as_json(session)["result"].get("provisional", False) is not entered
    Path("match.log").write_text(logtext.format_log_text(log), encoding="utf-8")
    cli.main(["replay", "match.log"])
    assert (capsys.readouterr().out.splitlines()[-1] == render(PROVISIONAL_NOTE)) is not entered
    cli.main(["replay", "match.log", "--json"])
    assert json.loads(capsys.readouterr().out) == question_or_result_as_json(session)


def test_play_begins_with_what_was_entered(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    """`companion play` takes the owner's values into the game; its log has them."""
    owner.types("edit", "bidders", "W1", "popularity=9")
    seats = ["--seats", ",".join(NAMES), "--state", str(owner.state)]
    monkeypatch.setattr("sys.stdin", StringIO())
    assert cli.main(["play", "bidders", *seats]) == 0
    with closing(Store.open(owner.state)) as store:
        assert logtext.format_log_text(store.open_game_log(1).events()).count("popularity 9") == 2
