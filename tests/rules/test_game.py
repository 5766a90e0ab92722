"""The lid of a box."""

from typing import Any

import pytest

from companion.errors import UnknownName, UserError
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.rules.game import ChoiceOption, Game, GameOption, NumberOption, TextOption
from companion.texts import render, say
from tests.support.stall_game import STALL_GAME

SET: dict[str, Any] = {"label": say("Set"), "hint": say("What it changes.")}
PICK = ChoiceOption("wins", **SET, default="high", choices={"high": say("high"), "low": say("low")})
NUMBER = NumberOption("most", **SET, default=9, least=1, most=99)
MAYBE = NumberOption("start", **SET, default=None, least=0, most=99)
WORD = TextOption("unit", **SET, default="", max_letters=4)


@pytest.mark.parametrize(
    ("option", "text", "expected"),
    [
        (PICK, "low", "low"),
        (NUMBER, "1", 1),
        (NUMBER, "99", 99),
        (MAYBE, "none", None),
        (MAYBE, "0", 0),
        (WORD, "gold", "gold"),
        (WORD, "", ""),
    ],
)
def test_an_option_reads_what_people_wrote(option: GameOption, text: str, expected: object) -> None:
    """A key, a number within its limits, none where that is the default, or a short word."""
    assert option.parse_value(text) == expected


@pytest.mark.parametrize(
    ("option", "text", "why"),
    [
        (PICK, "middle", "wins must be one of high, low, not middle."),
        *(
            (NUMBER, text, f"most must be a number from 1 to 99, not {text}.")
            for text in ("0", "100", "none", "", "1.5", "-1", "²", "٣", "9" * 150)
        ),
        (MAYBE, "100", "start must be a number from 0 to 99 or none, not 100."),
        (WORD, "coins", "unit can have at most 4 characters."),
        (WORD, "a\n", "unit can have at most 4 characters."),
    ],
)
def test_an_option_says_what_is_allowed(option: GameOption, text: str, why: str) -> None:
    """What can't be is refused with what can."""
    with pytest.raises(UserError) as refused:
        option.parse_value(text)
    assert str(refused.value) == why


def test_an_option_of_no_kind_reads_nothing() -> None:
    """Every kind of option says itself what it reads."""
    option = GameOption("key", **SET, default=None)
    with pytest.raises(NotImplementedError):
        option.parse_value("1")
    with pytest.raises(NotImplementedError):
        _ = option.allowed_values_text


@pytest.mark.parametrize(
    ("option", "allowed"),
    [(PICK, "high, low"), (NUMBER, "1 to 99"), (MAYBE, "0 to 99 or none"), (WORD, "up to 4 characters")],
)
def test_an_option_lists_what_may_be_written(option: GameOption, allowed: str) -> None:
    """Before anything is refused people can read what is allowed."""
    assert render(option.allowed_values_text) == allowed


def test_what_is_not_chosen_stays_at_its_default() -> None:
    """A game's settings hold every option once."""
    settings = SEALED_BID.parse_options({"start": "20", "wins": "lowest"})
    assert settings == {
        "unit": "",
        "start": 20,
        "most": None,
        "wins": "lowest",
        "ties": "named",
        "pays": "winner",
    }


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (SEALED_BID, "Sealed bid has no option speed. Its options: unit, start, most, wins, ties, pays."),
        (STALL_GAME, "Stall has no option speed. Its options: none."),
    ],
)
def test_an_unknown_option_names_those_that_exist(game: Game, why: str) -> None:
    """An option nobody knows is refused with those there are."""
    with pytest.raises(UnknownName) as refused:
        game.parse_options({"speed": "fast"})
    assert str(refused.value) == why


@pytest.mark.parametrize("names", [["Aki"], ["Aki", "Ben", "Chie", "Dai"]])
def test_a_game_is_for_so_many(names: list[str]) -> None:
    """Too few and too many are refused."""
    STALL_GAME.check_player_count(["Aki", "Ben"])
    with pytest.raises(UserError, match=f"Stall is for 2 to 3 players, not {len(names)}"):
        STALL_GAME.check_player_count(names)
