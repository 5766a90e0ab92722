"""Payments in a few words, in the terminal and in JSON: one correction, whatever notes it takes."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.cards import CardDesign
from companion.errors import UserError
from companion.games.any_game.rulebook import GAME
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.jsonlines import play_over_streams
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.session.typed_payments import parse_payment
from companion.testing import Script
from tests.any_game_presets import deck_of
from tests.support.terminal_sessions import begin_session, play_lines

NAMES = ("Aki", "Ben", "千恵")


def table(template: str = "plain", *names: str) -> Session:
    """Three people with a template of Any Game."""
    decks = None if template == "plain" else {"any_game": deck_of(template, Path("/nonexistent"))}
    return Session.begin(GAME, names or NAMES, {}, MemoryLog(), deck_by_name=decks, seed=1)


def purses(session: Session, piece: str = "coin") -> list[int]:
    """What everybody holds."""
    ledger = session.table.ledger
    return [ledger.find_account_by_keys(f"{seat.key}/purse", piece).count for seat in session.table.seats]


@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("bank Aki 150", [250, 100, 100]),
        ("Aki bank 40", [60, 100, 100]),
        ("aki BEN 37", [63, 137, 100]),
        ("ＡＫＩ 千恵 ３７", [63, 100, 137]),
        ("all Aki 10", [120, 90, 90]),
        ("Aki all 10", [80, 110, 110]),
        ("all bank 5", [95, 95, 95]),
        ("bank all 5", [105, 105, 105]),
        ("Aki Ben 3 coin", [97, 103, 100]),
    ],
)
def test_a_line_moves_money(line: str, held: list[int]) -> None:
    """Who, whom, how much; all is everybody else. One line of the history, and one step to undo."""
    session = table()
    play_lines(session, "bank all 100", line)
    assert purses(session) == held
    assert len(session.steps) == 2
    session.undo()
    assert purses(session) == [100] * 3


def test_a_line_in_japanese() -> None:
    """Places are called as they are shown."""
    session = table()
    play_lines(session, "銀行 Aki 150", "全員 銀行 1", language="ja")
    assert purses(session) == [150, 0, 0]


def test_what_is_not_there_is_refused() -> None:
    """Of a payment by all nothing moves where one of them has too little, who is named."""
    session = table()
    said = play_lines(session, "bank Aki 10", "bank Ben 10", "all bank 10", "Aki Aki 5", "Aki Ben 0")
    assert "千恵 has only 0, not 10." in said
    assert "Nothing can move from Aki's purse to the same place. Choose two places." in said
    assert purses(session) == [10, 10, 0]
    assert len(session.steps) == 2


@pytest.mark.parametrize(
    "line", ["Aki 3", "Aki Dai 3", "all all 3", "Aki Ben 3 wool", "Aki Ben", "3 3 3", ""]
)
def test_what_is_no_payment_is_an_answer(line: str) -> None:
    """Nothing else is taken for one."""
    assert parse_payment(table(), line, "en") is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "Aki Dai 3",
            "There is no player or place called Dai. Choose from: Aki, Ben, 千恵, bank, all.",
        ),
        ("Aki Ben", 'How much? Type the amount as a whole number at the end, such as "Aki Ben 37".'),
        ("Aki Ben -5", 'How much? Type the amount as a whole number at the end, such as "Aki Ben 37".'),
        ("Aki Ben 1.5", 'How much? Type the amount as a whole number at the end, such as "Aki Ben 37".'),
        (
            "Aki Ben 9999999999999",
            'How much? Type the amount as a whole number at the end, such as "Aki Ben 37".',
        ),
        ("Aki Ben 3 wool", "There is no piece called wool. Pieces: coin."),
        (
            "all all 3",
            'I can\'t tell who pays whom. Type two names of players or places. "all" means all players.',
        ),
    ],
)
def test_a_line_that_begins_as_a_payment_is_refused_as_one(line: str, why: str) -> None:
    """It names who, how much or what nobody understands, and moves nothing."""
    session = table()
    assert f"! {why}" in play_lines(session, line)
    assert not session.steps


def test_the_longest_name_counts() -> None:
    """Aki B isn't Aki, who pays somebody called B."""
    said = play_lines(table("plain", "Aki", "Aki B", "Ben"), "Aki B Ben lots")
    assert '! How much? Type the amount as a whole number at the end, such as "Aki B Ben 37".' in said


def test_a_line_that_begins_otherwise_is_refused_as_an_answer() -> None:
    """The menu says how it is answered."""
    assert "! Type a number from 1 to " in play_lines(table(), "Dai Aki 3")


def test_only_where_pieces_are_moved_freely() -> None:
    """In a game with rules of its own pieces are corrected, with a reason."""
    session = begin_session(EGYPT, *NAMES)
    assert parse_payment(session, "Aki Ben 3 card", "en") is None
    assert Script(EGYPT, *NAMES).session.steps == session.steps


def test_change_goes_by_itself() -> None:
    """Pay 37 is one act in chips of 1, 5 and 25: what comes back is part of it."""
    session = table("poker", *NAMES[:2])
    worth = {"white": 1, "red": 5, "blue": 25}
    play_lines(session, "Aki bank 17 white", "Aki bank 9 red", "Aki Ben 37")
    held = [sum(purses(session, one)[at] * each for one, each in worth.items()) for at in range(2)]
    assert held == [195 - 17 - 45 - 37, 195 + 37]
    assert len(session.steps) == 3


def talk(session: Session, *lines: object) -> list[dict[str, object]]:
    """What JSON lines bring back, without the first, unasked one."""
    out = BytesIO()
    play_over_streams(session, BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()][1:]


def test_a_payment_in_json() -> None:
    """JSON takes the names that the terminal takes; what can't be is an error."""
    session = table()
    pays = {"do": "pay", "from": "bank", "to": "all", "amount": 7}
    nobody = {**pays, "to": "Dai"}
    pieces = {"do": "pay", "from": "Aki", "to": "Ben", "amount": 2, "piece": "coin"}
    first, second, third = talk(session, pays, nobody, pieces)
    assert first == {"done": "pay", "n": 1}
    assert second["error"] == (
        "There is no player or place called Dai. Choose from: Aki, Ben, 千恵, bank, all."
    )
    assert third["done"] == "pay"
    assert purses(session) == [5, 9, 7]


def test_help_tells_of_payments_where_pieces_are_moved_freely() -> None:
    """With the names of this table; elsewhere nothing is moved without a reason."""
    assert "\n  Aki Ben 37 " in play_lines(table(), "help")
    assert "37" not in play_lines(begin_session(EGYPT, "Aki", "Ben", "Chie"), "help")


def shared(teams: int = 0, *names: str) -> Session:
    """People with 50 coins each, in teams if there are any, who may leave for good."""
    rules = CardDesign("rules", 1, {"kind": "rules", "teams": teams, "out": "yes"})
    coin = CardDesign("coin", 1, {"kind": "piece", "start": 50, "worth": 1, "value": 1})
    deck = replace(deck_of("points", Path("/nonexistent")), designs=(coin, rules))
    return Session.begin(GAME, names or NAMES, {}, MemoryLog(), deck_by_name={"any_game": deck}, seed=1)


def test_all_are_those_in_the_game() -> None:
    """Who has left for good neither pays with all others nor is paid; by name they still may."""
    session = shared()
    play_lines(session, "Ben bank 50", "out", "Ben", "all Aki 10", "bank all 5")
    assert purses(session) == [65, 0, 45]
    play_lines(session, "Aki all 1", "bank Ben 7")
    assert purses(session) == [64, 7, 46]


def test_a_team_is_called_by_any_of_its_members() -> None:
    """What they pay comes out of their purse; all others are the other teams."""
    session = shared(2, "Aki", "Ben", "Chie", "Dai")
    play_lines(session, "Chie Dai 7", "all Chie 3", "bank all 1")
    ledger = session.table.ledger
    assert [ledger.find_account_by_keys(f"{name}/purse", "coin").count for name in ("Aki", "Ben")] == [
        97,
        105,
    ]
    assert "Nothing can move from Aki's purse to the same place. Choose two places." in play_lines(
        session, "Aki Chie 5"
    )


@pytest.mark.parametrize("name", ["All", "everybody", "全員", "Bank", "pot", "Side pot"])
def test_nobody_is_called_as_everybody_or_a_place(name: str) -> None:
    """A payment would mean the other one; only where pieces are moved freely people type payments."""
    ledger = table("poker").table.ledger
    with pytest.raises(UserError, match="means something else"):
        GAME.check_player_names_unambiguous(["Aki", name], ledger)
    GAME.check_player_names_unambiguous(["Aki", "purse"], ledger)
    EGYPT.check_player_names_unambiguous(["Aki", name], ledger)


def test_everybody_is_all() -> None:
    """Both words are understood, in Japanese too."""
    session = table()
    play_lines(session, "bank everybody 10", "全員 銀行 1", "全部 銀行 1", language="ja")
    assert purses(session) == [8, 8, 8]


def test_a_loan_is_no_money() -> None:
    """What is owed lies before people, but nobody pays with it."""
    said = play_lines(table("property"), "Aki Ben 1 loan")
    assert "! There is no piece called loan. Pieces: $, house.\n" in said
