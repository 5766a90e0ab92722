"""Any Game in the terminal: rounds and lots in one line, and how the table is called there."""

from pathlib import Path

import pytest

from companion.errors import IllegalAnswer
from companion.games.any_game.rulebook import GAME
from companion.log.log import MemoryLog
from companion.requests import Choose
from companion.session.session import Session
from companion.terminal.answers import parse_typed_answer
from companion.texts import say
from tests.any_game_presets import deck_of
from tests.support.games.any_game_helpers import begin_with_cards, rules_card, template_card
from tests.support.terminal_sessions import play_lines


def table(template: str, *names: str) -> Session:
    """People with a template."""
    decks = {"any_game": deck_of(template, Path("/nonexistent"))}
    return Session.begin(GAME, names or ("Aki", "Ben", "Chie"), {}, MemoryLog(), deck_by_name=decks, seed=1)


def front(session: Session, seat: str, piece: str) -> int:
    """Number of marks of the first round before a seat."""
    return session.table.ledger.find_account_by_keys(f"{seat}/front/1", piece).count


# A round in one line


def test_a_round_is_entered_in_one_line_at_the_menu() -> None:
    """As many whole numbers as people; it is what the menu and the round would be, one after the other."""
    session = table("points")
    assert "\n! " not in play_lines(session, "12 -3, 10")
    assert [front(session, "Aki", "points"), front(session, "Ben", "points lost")] == [12, 3]
    assert session.steps[0].answer == "write_round"  # type: ignore[union-attr]  # both are answers
    assert len(session.steps) == 2


def test_a_contract_is_entered_in_one_line_at_the_menu() -> None:
    """Bid and made of each."""
    session = table("contract")
    play_lines(session, "2/2 1/3 0/0")
    assert [front(session, "Aki", "points"), front(session, "Ben", "points lost")] == [40, 20]


@pytest.mark.parametrize("line", ["12 -3", "12 -3 10 4", "12 -3 1.7", "12"])
def test_other_numbers_are_no_round(line: str) -> None:
    """Too few, too many and other fractions than ½ are refused by the menu; one number is a line of it."""
    session = table("points")
    assert "! Type a number from 1 to 5.\n" in play_lines(session, line)
    assert not session.steps


def test_a_row_is_a_round_only_where_rounds_are_written_down() -> None:
    """Elsewhere the menu doesn't know what it should be; help says where it does."""
    plain, points = table("majority"), table("points")
    assert "! Type a number from 1 to " in play_lines(plain, "1 2 3")
    assert not plain.steps
    told = "enters a whole round: one number for each player, clockwise"
    assert told in play_lines(points, "help")
    assert told not in play_lines(plain, "help")


def test_a_row_that_can_not_be_is_asked_for_again() -> None:
    """The round is open then, and it is said what is allowed."""
    said = play_lines(table("points"), "12 -3 100000000", "1 2 3")
    assert "! Chie can answer at most 99999999.\n" in said
    assert "Aki: 1, Ben: 2, Chie: 3\n" in said


def test_a_huge_number_in_a_row_is_asked_about() -> None:
    """Without a yes the round is still open."""
    said = play_lines(table("points"), "12 -3 20000", "n", "1 2 3")
    assert "20000 is an unusual number here. Is it right?" in said
    assert "Aki: 1, Ben: 2, Chie: 3\n" in said
    assert "Aki: 12, Ben: -3, Chie: 20000\n" in play_lines(table("points"), "12 -3 20000", "y")


def half_points_table(*names: str) -> Session:
    """People who score rounds with half points."""
    points, rules = template_card("category", "points"), rules_card(scoring="rounds", half_points="yes")
    return begin_with_cards(points, rules, names=names or ("Ann", "Ben")).session


@pytest.mark.parametrize(
    "line", ["7.5 2", "7½ 2", "7.5, 2", "7,5 2", "ann 7.5 Ben 2", "ann 7,5 Ben 2", "Ben 2 Ann 7½"]
)
def test_half_points_are_typed_with_a_point_a_comma_or_the_sign(line: str) -> None:
    """A comma is a half after a name, and where the line has too many numbers otherwise."""
    session = half_points_table()
    assert "Ann: 7½, Ben: 2" in play_lines(session, "1", line)


@pytest.mark.parametrize("lines", [("1", ".5 7.0"), (".5 7.0",), ("1", ",5 7"), ("1", "Ben 7.0 Ann ,5")])
def test_a_half_alone_is_typed_without_a_0(lines: tuple[str, ...]) -> None:
    """`.5` is ½ and never 5, in the round and at the menu; 7.0 is 7."""
    assert "Ann: ½, Ben: 7" in play_lines(half_points_table(), *lines)


def test_a_comma_separates_the_points_of_two_players() -> None:
    """`7,5` are two answers of two players, as in every round."""
    assert "Ann: 7, Ben: 5" in play_lines(half_points_table(), "1", "7,5")


def test_a_round_with_halves_is_entered_in_one_line_at_the_menu() -> None:
    """As with whole numbers; the table then shows halves."""
    told = play_lines(half_points_table("Ann", "Ben", "Cleo"), "½ -1.5 1")
    assert "Ann: ½, Ben: -1½, Cleo: 1" in told
    assert "-1½" in told.rpartition("── Any Game · Round 2")[2]


@pytest.mark.parametrize("line", ["7.25 2", "ann 7.3 ben 2"])
def test_what_is_no_half_is_refused_with_what_is_allowed(line: str) -> None:
    """A sentence says how a half is typed."""
    how = 'any number, also with a half such as "7.5" or "7½"'
    assert f"! Ann, type {how}.\n" in play_lines(half_points_table(), "1", line)


def test_a_half_in_a_round_of_whole_points_is_refused_in_the_round() -> None:
    """The round is open then, and a sentence says what is allowed."""
    session = table("points")
    assert "! Chie, type a whole number.\n" in play_lines(session, "12 -3 1.5")
    assert len(session.steps) == 1


def test_of_several_rows_it_is_said_whose_is_wrong() -> None:
    """Each number has its name once above the prompt."""
    said = play_lines(table("contract"), "1", "1/1 1/27 0/0", "Chie 1")
    assert "\n  bid: at most 26\n  made: at most 26\n" in said
    assert "! Ben: made can be at most 26.\n" in said


# Lots


@pytest.mark.parametrize("line", ["4 2 1", "Dai Ben Aki", "dai, BEN, Aki", "Dai Ben Aki Chie"])
def test_lots_are_typed_by_number_or_name(line: str) -> None:
    """Each number counts those who are left; the last name may be left out."""
    said = play_lines(table("tournament", "Aki", "Ben", "Chie", "Dai"), "chance", "order", line)
    assert (
        '  the 3 numbers in the order they were drawn, such as "4 3 2", or the names in that order; r = the '
        "companion rolls\n"
    ) in said
    assert "The order: Dai, Ben, Aki, Chie.\n" in said


@pytest.mark.parametrize("line", ["1", "Dai", "Dai Dai Ben", "Dai Ben Emi", "Dai Ben Aki Emi"])
def test_lots_that_can_not_be_read(line: str) -> None:
    """It is said that lots are asked for, and how many."""
    said = play_lines(table("tournament", "Aki", "Ben", "Chie", "Dai"), "chance", "order", line)
    assert (
        '! Type the 3 numbers in the order they were drawn, such as "4 3 2", or the names in that order.\n'
        in said
    )


def test_who_is_called_by_two_words_is_drawn() -> None:
    """The longest name counts."""
    said = play_lines(table("points", "Aki", "Aki B", "B"), "chance", "order", "Aki B Aki")
    assert "The order: Aki B, Aki, B.\n" in said


@pytest.mark.parametrize("line", ["ben", "2"])
def test_who_starts_is_typed_by_number_or_name(line: str) -> None:
    """What a face is called is as good as its number."""
    said = play_lines(table("points"), "chance", "starts", "Dora", line)
    assert '! Type the face that the die shows, such as "Chie" or "3".\n' in said
    assert "Ben is the start player.\n" in said


@pytest.mark.parametrize("line", ["tails", "裏", "2"])
def test_a_coin_is_typed_by_number_or_word(line: str) -> None:
    """In either language, whatever the terminal speaks."""
    said = play_lines(table("points"), "chance", "coin", line, language="ja")
    assert "裏です。\n" in said


def test_of_dice_that_show_numbers_those_are_typed() -> None:
    """They have no names."""
    said = play_lines(table("points"), "chance", "number", "6", "Ben", "2")
    assert '! Type the number that the die shows, such as "6".\n' in said
    assert "Drawn: 2.\n" in said


# How things are called


def test_the_only_choice_is_one() -> None:
    """No number from 1 to 1 is asked for."""
    with pytest.raises(IllegalAnswer) as refused:
        parse_typed_answer(Choose(None, say("Which?"), {"pot": say("pot")}).form, "2", "en")
    assert str(refused.value) == "Type 1."


def test_what_never_runs_out_has_no_number() -> None:
    """The bank of an endless piece pays more than was paid to it; a place holds what lies there."""
    said = play_lines(table("property"), "Aki bank 150", "Aki fines 20", "state")
    assert "\n    bank    ∞ $ · 32 houses\n" in said
    assert "20 $" in said
    assert "150 $\n" not in said


def test_points_of_a_round_are_called_as_in_the_grid() -> None:
    """Nobody knows the place by the name that logs have for it."""
    said = play_lines(table("lowest"), "12 -3 10", "state")
    assert "\n    Ben, round 1    3 penalty points lost\n" in said
    assert "front 1" not in said
