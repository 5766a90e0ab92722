"""Mistakes of authors: `check_game` says in a sentence what is wrong, at which line or in which field."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from companion.errors import CompanionError, RulesCrashed
from companion.rules.game import Game
from companion.testing import Script, check_game
from companion.testing.code_checks import find_first_code_fault
from companion.texts import Say, find_text_fault, render, say, say_n

HEAD = """
from companion.rulebook import *
from companion import rulebook

COIN, PURSE, BANK = Piece("coin", say("coin"), look="coin"), say("purse"), say("bank")

async def sell(table):
    await Done(None, say("Sell"))

def scene(setup):
    return Scene(middle=(CountCell(COIN, BANK),))

async def match(table):
    aki, bank = table.seats[0], table.account(COIN, BANK)
    table.account_by_seat(COIN, PURSE)
    table.supply_from_box(bank, 30)
    {body}
    await Done(None, say("Well"))
    return rank_seats(table.seats, lambda seat: 0, lambda seat: ())

LID = dict(scene=scene)
{lid}
GAME = Game(**dict(dict(key="oops", version=1, title=say("Oops"), players=(2, 3), play=match), **LID))
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Game]:
    """A game written with these lines in its rulebook and on its lid."""

    def write(body: str = "pass", lid: str = "") -> Game:
        text = HEAD.replace("{body}", body).replace("{lid}", lid)
        (tmp_path / "oops_rules.py").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "oops_rules", raising=False)
        game = import_module("oops_rules").GAME
        assert isinstance(game, Game)
        return game

    return write


def refusal(game: Game) -> str:
    """What `check_game` raises, with its notes."""
    try:
        check_game(game, games=3)
    except (AssertionError, CompanionError) as error:
        return "\n".join([str(error), *getattr(error, "__notes__", ())])
    return "nothing is wrong"


BODIES = {
    # A question that nobody is asked
    'Done(None, say("Go"))':
        "oops_rules.py, line 17: Done(…) does nothing without await: write await Done(…)",
    'rulebook.Done(None, say("Go"))': "Done(…) does nothing without await",
    "sell(table)": "line 17: sell(…) does nothing without await: write await sell(…)",
    'if Choose(aki, say("Go?"), {"a": say("a")}) == "a": pass': "Choose(…) does nothing without await",
    'bid = Amount(aki, say("Bid"), most=3)\n    if bid > 2: pass': "Amount(…) does nothing without await",
    'bids = Together(say("Bid"), {aki: Done(aki, say("Go"))})[aki]': "Together(…) does nothing without await",
    "choose_seat(None, say('Who?'), table.seats)": "choose_seat(…) does nothing without await",
    "one = choose_seat(say('Who?'), table.seats)\n    order = table.seats.starting_with(one)": (
        "choose_seat(…) does nothing without await"
    ),
    # A text that can't be read
    'table.add_note(say("{seat} wins", who=aki))': 'line 17: The text "{seat} wins" has no value for seat',
    'await Done(None, say("{a} {b}", a=1))': 'The text "{a} {b}" has no value for b',
    'await Done(None, say_n("{n} card", "{n} {what}", n=2))': 'The text "{n} {what}" has no value for what',
    'text = "{n} left"\n    table.add_note(say(text))': 'line 18: The text "{n} left" has no value for n',
    'table.add_note(say("{n" + "} left"))': 'ValueError: The text "{n} left" has no value for n',
    'table.add_note(say("a {seat.name}", seat=aki))': 'The text "a {seat.name}" is not a valid template',
    'table.add_note(say("{all}", all=["a"]))':
        'The text "{all}" has a value that is not a text, number, seat',
    'table.add_note("Hello")': "ValueError: 'Hello' is not a text: write say('Hello')",
    'await Done(None, "Well")': "ValueError: 'Well' is not a text: write say('Well')",
    'table.heading = "Round 1"': "table.heading must be a text, not 'Round 1'",
    'await Choose(aki, say("Go?"), {"a": "A"})':
        "Choose.options must be a mapping from a word to a text",
    # What nobody could answer
    'await Choose(aki, say("Go?"), {})': 'ValueError: Choose "Go?" has no options',
    'await Choose(aki, say("Go?"), ["a"])': 'ValueError: The options of Choose "Go?" are {key: text, …}',
    'await Roll(None, say("Roll"), ())': 'ValueError: Roll "Roll" has no dice',
    'await Counts(aki, say("Pay"), {})': 'ValueError: Counts "Pay" counts nothing',
    'await Together(say("Bids"), {})': 'ValueError: Together "Bids" asks nobody',
    'await Together(say("Bids"), {aki: Choose(aki, say("Go?"), {})})': 'Choose "Go?" has no options',
    'await Amount(aki, say("Bid"), least=5, most=2)': 'Amount "Bid" is 5 at least and 2 at most',
    # A value of another type
    'table.account(say("coin"), BANK)': 'The piece of an account is a Piece, not say("coin")',
    "table.account(BANK, COIN)": 'The piece of an account is a Piece, not say("bank")',
    'table.account(COIN, "bank")': "The place of an account is a Say, not 'bank'",
    "table.account(COIN, PURSE, 1)": "The seat of a place is a Seat, not 1",
    'await Done(None, say("Go"), about=say("coin"))':
        "Done.about must be a Piece or a Card",
    'await Raise(aki, say("coin"), {})': 'Raise.about must be a Piece, not say("coin")',
    'await Amount("Aki", say("Bid"), most=3)': "Amount.seat must be a Seat or None, not 'Aki'",
    'await Amount(aki, say("Bid"), most="3")':
        "Amount.most must be a number or an account or None, not '3'",
    'await Read(None, say("Turn up"), None, 1, 1)': "Read.tracker must be a KnownCardTracker, not None",
    "table.score_so_far = 5": "table.score_so_far must be a function, not 5",
    "table.supply_from_box(bank, '5')": "because of TypeError",
    "table.options['coins']": "because of KeyError: 'coins' (oops_rules.py, line 17)",
    "return None": "TypeError: The rulebook ends without a GameResult",
    'await Done(None, say("Go"))\n    return ((table.seats,),)': "because of TypeError",
}  # fmt: skip  # a line each


@pytest.mark.parametrize("body", BODIES)
def test_a_mistake_in_the_rules_is_told_in_a_sentence(made: Callable[..., Game], body: str) -> None:
    """A forgotten await, a text without a value, an empty question, a value of another type."""
    assert BODIES[body] in refusal(made(body))


LIDS = {
    'LID["title"] = "Oops"': "Game.title must be a text, not 'Oops': write say('Oops')",
    'LID["players"] = (5, 2)': "Game.players is (5, 2): the fewest first, then the most",
    'LID["decks"] = "oops"': "Game.decks must be a tuple of word, not 'oops'",
    'LID["question_kinds"] = ("Dune",)': "Game.question_kinds names Dune; known kinds: Choose, Raise,",
    'LID["help"] = {"Go": "Away"}':
        "Game.help must be a mapping from a word to a text, not {'Go': 'Away'}",
    'LID["play"] = lambda table: rank_seats(table.seats, lambda s: 0, lambda s: ())':
        "isn't written with async def",
    'LID["options"] = NumberOption("n", say("N"), say("N"), 5, least=1, most=9)':
        "Game.options must be a tuple of GameOption, not NumberOption(",
    'LID["options"] = (NumberOption("n", say("N"), say("N"), 50, least=1, most=9),)':
        "The default of option n isn't allowed: n must be a number from 1 to 9, not 50.",
    'LID["options"] = (ChoiceOption("p", say("P"), say("P"), "c", choices={"a": say("A")}),)':
        "The default of option p isn't allowed: p must be one of a, not c.",
    'LID["options"] = (TextOption("w", say("W"), say("W"), "", max_letters=3),) * 2':
        "Game.options has two with the key w",
    'LID["scene"] = lambda setup: None': "Game.scene must give a Scene, not None",
    'LID["scene"] = lambda setup: Scene(middle=(CountCell(say("coin"), BANK),))':
        'CountCell.piece must be a Piece or a function, not say("coin")',
    'LID["scene"] = lambda setup: Scene(middle=(CardPile(BANK, COIN),))':
        'CardPile.piece must be a Piece, not say("bank")',
    'LID["scene"] = lambda setup: Scene(middle=(CountCell(COIN, BANK)))':
        "Scene.middle must be a tuple of CountGrid",
    'LID["scene"] = lambda setup: Scene(SeatMat(rows=PieceRow(PURSE, (COIN,))))':
        "SeatMat.rows must be a tuple of PieceRow, not PieceRow(",
    'LID["scene"] = lambda setup: Scene(middle=(CountCell(lambda seat: COIN, BANK),))':
        "In the shared middle, the scene of Oops shows a piece that belongs to one seat.",
    'LID["scene"] = lambda setup: Scene(middle=(ComputedCell(say("f"), lambda look, seat: "3"),))':
        "CellView.value must be a number or a HalfNumber or a tuple or None, not '3'",
    'LID["scene"] = lambda setup: Scene(middle=(CountCell(COIN, say("cellar")),))':
        "The scene of Oops names a place that isn't on its table: cellar.",
}  # fmt: skip  # a line each


@pytest.mark.parametrize("lid", LIDS)
def test_a_mistake_on_the_lid_is_told_in_a_sentence(made: Callable[..., Game], lid: str) -> None:
    """Title, people, options, decks, kinds of questions, help and scene."""
    assert LIDS[lid] in refusal(made(lid=lid))


HANDED_ON = [
    'await Done(None, say("Go"))',
    'go = Done(None, say("Go"))\n    await go',
    'part = Done(aki, say("Go"))\n    await Together(say("All"), {aki: part})',
    'await Together(say("All"), {seat: Done(seat, say("Go")) for seat in table.seats})',
    'await (Done(aki, say("Go")) if table.options else Done(None, say("Go")))',
    'parts = {}\n    parts[aki] = Done(aki, say("Go"))\n    await Together(say("All"), parts)',
    "await ask_until_all_pass(table.seats, lambda seat: sell_for(seat))",
    "for seat in table.seats: await sell(table)",
    "sold = sell(table)\n    await sold",
]


@pytest.mark.parametrize("body", HANDED_ON)
def test_a_question_that_is_awaited_elsewhere_is_no_mistake(body: str) -> None:
    """Kept, given to another function, or a part of a question that is awaited."""
    assert find_first_code_fault((("oops.py", HEAD.replace("{body}", body).replace("{lid}", "")),)) is None


def test_a_correct_game_passes(made: Callable[..., Game]) -> None:
    """Without the mistake each game passes."""
    check_game(made(), games=3)


def test_an_empty_choice_says_so_where_it_is_played_too(made: Callable[..., Game]) -> None:
    """A script, and with it the table, gets a sentence; no error of Python's comes through."""
    with pytest.raises(RulesCrashed, match='Choose "Go\\?" has no options'):
        Script(made('await Choose(aki, say("Go?"), {})'), "Aki", "Ben")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (say("{n} left"), "{n} left"),
        (say("{seat} has {n}", seat="Aki"), "Aki has {n}"),
        (say("{", n=1), "{"),
        (say("{} and {n}", n=1), "{} and 1"),
        (say_n("{n} card", "{n} {what}", n=2), "2 {what}"),
        (say("all: {text}", text=say("{n} left")), "all: {n} left"),
    ],
)
def test_a_text_without_a_value_is_shown_as_it_is_written(text: Say, shown: str) -> None:
    """No text stops a game that is being played; its author is told of it."""
    gap: Any = find_text_fault(text)
    assert render(text) == shown
    assert gap.startswith('The text "')
    assert text.key
