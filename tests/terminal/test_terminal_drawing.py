"""How the terminal draws what it is shown, and reads what is typed, kind by kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.errors import IllegalAnswer
from companion.games.any_game import rulebook as any_game
from companion.monospace_text import display_width, pad_to_width
from companion.requests import (
    REQUEST_TYPE_BY_KIND,
    Amount,
    Choose,
    CountedItem,
    Counts,
    Raise,
    Read,
    Request,
    Together,
)
from companion.rules.auctions import ask_open_bids
from companion.rules.game import Game
from companion.table.ledger import Piece, Place
from companion.table.scores import GameResult, ScoreLine, Standing
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR
from companion.table.table import Table
from companion.terminal.answers import parse_typed_answer, typing_hints
from companion.terminal.table_text import print_score
from companion.terminal.terminal import Terminal, detect_language
from companion.texts import render, say, say_n
from tests.support.fair_game import FAIR_GAME
from tests.support.terminal_sessions import begin_session, piped_terminal, play_lines, terminal_output

LETTERS = [sign.letter for sign in SIGN_BY_SEAT_COLOUR.values()]
COIN = Piece("coin", say("coin"), is_endless=True, count_label=say_n("{n} coin", "{n} coins", n=2))
GEM = Piece("gem", say("gem"), count_label=say_n("{n} gem", "{n} gems", n=2))


async def rules(table: Table) -> GameResult:
    """Covered purses and a covered gem in the bag, then cards without a price, then a bid to pass on."""
    aki = table.seats[0]
    for seat in table.seats:
        table.supply_from_box(table.ledger.open_account(Place(say("purse"), seat), COIN, covered=True), 7)
    table.supply_from_box(table.ledger.open_account(Place(say("bag")), GEM, covered=True), 3)
    faces = table.track_faces("egypt", Place(say("shown")))
    await Read(aki, say("Two cards"), faces, 1, 2, decline=say("none"))
    await Raise(aki, GEM, {table.seats[1]: 4}, step=5, least=4)
    await Choose(None, say("Well?"), {"yes": say("Yes")})
    lines = (ScoreLine(say("gems"), 3),)
    return GameResult(tuple(Standing(seat, 1, 3, lines, is_eliminated=True) for seat in table.seats))


GAME = Game("bags", 1, say("Bags"), (2, 5), rules, decks=("egypt",))


def test_every_kind_of_question_has_a_form() -> None:
    """Every kind of question says itself how it is entered."""
    assert [kind.kind for kind in REQUEST_TYPE_BY_KIND.values() if kind.form is Request.form] == []


def test_a_together_is_never_read_as_a_whole() -> None:
    """A Together has no form of its own, so a line for the whole of it is refused; each part has a form."""
    session = begin_session(GAME, "Aki", "Ben")
    whole = Together(say("Bids"), {seat: Amount(seat, say("Bid")) for seat in session.table.seats})
    with pytest.raises(IllegalAnswer, match="There is nothing to answer"):
        parse_typed_answer(whole.form, "1", "en")
    assert [parse_typed_answer(part.form, "1", "en") for part in whole.parts_by_seat.values()] == [1, 1]


def test_what_is_covered_is_shown_as_hidden() -> None:
    """Covered counts are named as hidden, before a seat and on the table, and never as a number."""
    text = play_lines(begin_session(GAME, "Aki", "Ben"), "state")
    assert "         coin\n> ● Aki   hidden\n  ▲ Ben   hidden\n" in text
    assert "    bag   gem: hidden\n" in text
    assert "7" not in text


def test_cards_without_a_price_are_words_only() -> None:
    """Without a price there is nothing to count: a lone number is a card."""
    session = begin_session(GAME, "Aki", "Ben")
    text = play_lines(session, "4 4 4", "4 5.1")
    assert 'Aki: Two cards\n  the cards, such as "4"; c = none\nAki> ' in text
    assert "! Only 2 cards may be laid down here, not 3.\n" in text
    assert session.steps[0].answer == [{"values": {"number": 4}}, {"card": "5.1"}]  # type: ignore[union-attr]  # it is an answer
    assert "Aki: none" in play_lines(begin_session(GAME, "Aki", "Ben"), "none")


def counts(**limits: Any) -> Counts:
    """Aki sells gems of two colours."""
    aki = begin_session(GAME, "Aki", "Ben").table.seats[0]
    counted = {"red": CountedItem(say("red gems"), 4), "blue": CountedItem(GEM, 2)}
    return Counts(aki, say("Sell gems"), counted, **limits)


@pytest.mark.parametrize(
    ("limits", "condition"),
    [
        ({}, ', "none" = nothing'),
        ({"least": 3, "most": 3}, ", 3 in total"),
        ({"least": 1, "decline": say("can't")}, ", at least 1 in total, c = can't"),
        ({"most": 5, "max_nonzero_items": 1}, ', at most 5 in total, at most 1 kind, "none" = nothing'),
        ({"max_nonzero_items": 2}, ', at most 2 kinds, "none" = nothing'),
    ],
)
def test_several_numbers_are_asked_with_their_condition(limits: Any, condition: str) -> None:
    """A line for each number with the word to type, then how to type them and what they must make."""
    assert [render(hint) for hint in typing_hints(counts(**limits).form)] == [
        "red  red gems: at most 4",
        "blue  gem: at most 2",
        f'2 numbers in this order, such as "0 1", or by name, such as "red 2" or "red red"{condition}',
    ]


def test_who_has_passed_is_named_beside_the_bids() -> None:
    """With the last bid, if there was one."""

    async def auction(table: Table) -> GameResult:
        await ask_open_bids(table.seats, GEM)
        return GameResult(())

    session = begin_session(Game("lot", 1, say("Lot"), (2, 5), auction), "Aki", "Ben", "Chie")
    shown = play_lines(session, "3", "p", "5", "6", "7", "p")
    assert "  Aki 3 (highest) · Ben (passed) · Chie –\n" in shown
    assert "  Aki 6 · Ben 7 (highest) · Chie 5 (passed)\n" in shown


def test_where_no_number_is_left_only_the_way_out_is_hinted_at() -> None:
    """What can't be met is not offered: that one can't, or no bid, is all there is to type."""
    seat = begin_session(GAME, "Aki", "Ben").table.seats[0]
    too_dear = Amount(seat, say("Your bid"), 60, 50, decline=True)
    assert [render(hint) for hint in typing_hints(counts(least=9, decline=say("can't")).form)] == [
        "c = can't"
    ]
    assert [render(hint) for hint in typing_hints(too_dear.form)] == ["0 = no bid"]
    assert parse_typed_answer(too_dear.form, "0", "en") == 0


def test_a_covered_number_is_asked_without_its_limit() -> None:
    """What is covered isn't told by a hint either; what is called as it is typed is named once."""
    session = begin_session(GAME, "Aki", "Ben")
    bag = session.table.ledger.open_account(Place(say("bag")), GEM)
    assert bag.covered
    question = Counts(session.table.seats[0], say("Draw"), {"gem": CountedItem(GEM, bag)})
    assert [render(hint) for hint in typing_hints(question.form)] == [
        "gem",
        'a number, such as "1", or with its name, such as "gem 1", "none" = nothing',
    ]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("2 1", {"red": 2, "blue": 1}),
        ("2, 1", {"red": 2, "blue": 1}),
        ("red 2 blue 1", {"red": 2, "blue": 1}),
        ("blue: 1, Red: 2", {"red": 2, "blue": 1}),
        ("red=4", {"red": 4}),
        ("red gems 3", {"red": 3}),
        ("gem 1", {"blue": 1}),
        ("2 red, 1 gem", {"red": 2, "blue": 1}),
        ("2 x red", {"red": 2}),
        ("red gem RED", {"red": 2, "blue": 1}),
        ("red", {"red": 1}),
        ("none", {"red": 0, "blue": 0}),
        ("0 0", {"red": 0, "blue": 0}),
        ("c", None),
        ("can’t", None),
        ("no sale", None),
    ],
)
def test_several_numbers_are_typed_in_order_or_by_name(line: str, answer: object) -> None:
    """Numbers alone go by the order shown; a name is the word shown, or what is counted."""
    assert parse_typed_answer(counts(decline=say("no sale")).form, line, "en") == answer


@pytest.mark.parametrize(
    "line",
    [
        "2",
        "1 2 3",
        "green 1",
        "red 1 red 2",
        "red 1 blue",
        "-1 2",
        "red 1 2",
        "2 red blue",
        "1.5 2",
        "redred",
    ],
)
def test_numbers_that_can_not_be_read(line: str) -> None:
    """The refusal says how numbers are typed."""
    with pytest.raises(IllegalAnswer) as refused:
        parse_typed_answer(counts().form, line, "en")
    assert str(refused.value) == (
        'Type 2 numbers in this order, such as "0 1", or by name, such as "red 2" or "red red".'
    )


def test_dice_are_typed_or_rolled_by_the_companion() -> None:
    """The faces of real dice are typed in order; r lets the companion roll. What came up is told."""
    session = begin_session(FAIR_GAME, "Aki", "Ben")
    text = play_lines(session, "7", "75, 0", "r", "r")
    assert (
        "Aki: Throw at the cans\n  tens: 0, 25, 50, 75\n  ones: 0, 5\n"
        '  the faces of the 2 dice in this order, such as "75 5"; r = the companion rolls\n'
    ) in text
    assert '! Type the faces of the 2 dice in this order, such as "75 5".\n' in text
    assert "Aki rolls: tens 75, ones 0\n" in text
    assert "Ben rolls: tens " in text
    assert [step.via for step in session.steps[:2]] == ["terminal", "dice"]  # type: ignore[union-attr]  # answers


def test_a_face_is_a_number() -> None:
    """What is no number is refused; where no dice are asked for, r is no answer."""
    session = begin_session(FAIR_GAME, "Aki")
    text = play_lines(session, "six", "0 0", "r", "2 1")
    assert '! Type the faces of the 2 dice in this order, such as "75 5".\n' in text
    assert (
        '! Type 2 numbers in this order, such as "0 1", or by name, such as "own 2" or "own own".\n' in text
    )
    assert "Aki: 2 own coins, 1 foreign coin\n" in text


def test_a_bid_in_steps_says_so() -> None:
    """Where a bid has no upper limit and goes in steps, both are said; p passes."""
    text = play_lines(begin_session(GAME, "Aki", "Ben"), "4", "10", "p")
    assert "Aki, bid for gem or pass.\n  9 or more, in steps of 5; p = pass\n" in text
    assert "! Aki must bid 9 or more, in steps of 5.\n" in text
    assert "Aki passes.\n" in text


def test_a_game_that_nobody_wins_says_so() -> None:
    """Everybody is eliminated: the score sheet names no winner."""
    text = play_lines(begin_session(GAME, "Aki", "Ben"), "4", "p", "1")
    assert "Final score: nobody wins.\n1. Aki: eliminated (3)\n     gems   3\n" in text


@pytest.mark.parametrize(("text", "columns"), [("Aki", 3), ("千恵", 4), ("ｱｷ", 2), ("e\u0301", 1), ("", 0)])
def test_japanese_takes_two_columns_a_letter(text: str, columns: int) -> None:
    """Full-width letters take two columns, half-width one, combining marks none."""
    assert display_width(text) == columns
    assert display_width(pad_to_width(text, 6)) == 6


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "en_GB", "LC_ALL": "ja"}, "ja"),
        ({"LANG": "ja", "LC_ALL": ""}, "ja"),
    ],
)
def test_the_first_locale_that_is_set_decides(environ: dict[str, str], language: str) -> None:
    """LC_ALL before LC_MESSAGES before LANG, as in any program; what we don't speak is English."""
    assert detect_language(environ) == language


def test_full_width_digits_are_digits() -> None:
    """What a Japanese keyboard sends is read as what it means; control letters are made harmless."""
    there = piped_terminal(" １２ ", "a\x1bb")
    assert there.ask_line("> ") == "12"
    assert there.ask_line("> ") == "a\N{REPLACEMENT CHARACTER}b"
    assert terminal_output(there) == "> \n> \n"


def test_a_score_in_japanese_keeps_its_columns() -> None:
    """Sums stand below each other whatever the width of their labels."""
    session = begin_session(GAME, "千恵", "Ben")
    there = piped_terminal()
    lines = (ScoreLine(say("gems"), 3), ScoreLine(say("コイン"), 12))
    print_score(there, GameResult((Standing(session.table.seats[0], 1, 15, lines),)))
    assert terminal_output(there).endswith("1. 千恵: 15\n     gems     3\n     コイン   12\n")


def test_bytes_that_are_no_text_are_a_wrong_line(tmp_path: Path) -> None:
    """Broken UTF-8 is read as marks that no form takes."""
    said, out = tmp_path / "in", tmp_path / "out"
    said.write_bytes(b"\xff3\n")
    with said.open(encoding="utf-8") as stdin, out.open("w", encoding="utf-8") as stdout:
        line = Terminal(stdin, stdout).ask_line("")
    session = begin_session(GAME, "Aki", "Ben")
    question = Amount(session.table.seats[0], say("Bid"))
    with pytest.raises(IllegalAnswer, match="Aki, type a number, 0 or more"):
        parse_typed_answer(question.form, line, "en", question.seat)


def test_twelve_seats_are_told_apart_without_colour() -> None:
    """Each row begins with the letter of its seat's shape; letters are one column wide."""
    names = [f"P{number}" for number in range(1, 13)]
    rows = play_lines(begin_session(any_game.GAME, *names)).splitlines()
    letters = [line[2] for line in rows if line[:2] in ("  ", "> ") and line[2:3] in LETTERS]
    assert letters[:12] == LETTERS
    assert "\x1b" not in "".join(rows)
    assert {display_width(letter) for letter in LETTERS} == {1}
