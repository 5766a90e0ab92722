"""Two players whose names a look-up would take for each other don't sit at one table; all look-ups agree."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.commands.play import PlayArguments, resume_unfinished_game
from companion.errors import UserError
from companion.evening import Evening
from companion.games.any_game.rulebook import GAME
from companion.games.sealed_bid.rulebook import GAME as SEALED
from companion.jsonlines import play_over_streams
from companion.log.log import MemoryLog
from companion.record import player_statistics
from companion.requests import Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import Store
from companion.table.seats import MAX_NAME_LETTERS, make_seats
from companion.terminal.game import ask_names_or_continue
from companion.testing import Script
from tests.any_game_presets import deck_of
from tests.support.sealed_bid_games import begin_game
from tests.support.terminal_sessions import begin_session, piped_terminal, play_lines, terminal_output
from tests.test_spelling import SAME

WHY = "{} and {} count as the same name. Change one of the names."
UNCLEAR = "ANN could mean any of these: Ann, ann. Type one of them in full, or the seat, such as @1."


def why(one: str, other: str) -> str:
    """The refusal; two ways to write the very same letters are one name."""
    return (
        f"{one} is used twice. Each player needs a different name and colour."
        if "é" in one
        else WHY.format(one, other)
    )


def table(template: str, *names: str) -> Session:
    """People with a template of Any Game."""
    decks = None if template == "plain" else {"any_game": deck_of(template, Path("/nonexistent"))}
    return Session.begin(GAME, names, {}, MemoryLog(), deck_by_name=decks, seed=1)


def old(session: Session, *names: str) -> Session:
    """A game that has just begun, as if with these names before such were refused."""
    log = MemoryLog([replace(session.began, names=names)])
    return Session(session.game, list(log), log)


def talk(session: Session, *lines: object) -> list[dict[str, object]]:
    """What JSON lines bring back, without the first, unasked one."""
    out = BytesIO()
    play_over_streams(session, BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()][1:]


def purses(session: Session) -> list[int]:
    """What everybody holds."""
    return [
        session.table.ledger.find_account_by_keys(f"{seat.key}/purse", "coin").count
        for seat in session.table.seats
    ]


def names(session: Session) -> list[str]:
    """Who sits there."""
    return [seat.name for seat in session.table.seats]


# Nobody joins


@pytest.mark.parametrize("game", [GAME, SEALED], ids=lambda game: game.key)
@pytest.mark.parametrize(("one", "other"), [pair for pair in SAME if "、" not in pair[1]])
def test_no_game_begins_with_look_alikes(game: Game, one: str, other: str) -> None:
    """Whatever the game is; the refusal says why, and nothing is kept."""
    log = MemoryLog()
    for pair in ((one, other), (other, one)):
        with pytest.raises(UserError) as refused:
            Session.begin(game, ["Ben", *pair], {}, log)
        assert str(refused.value) == why(*map(str, pair)) or "is used twice" in why(one, other)
    assert not list(log)


@pytest.mark.parametrize(("one", "other"), [pair for pair in SAME if "、" not in pair[1]])
def test_nobody_is_renamed_to_a_look_alike(one: str, other: str) -> None:
    """The old name stays; a player may spell their own name otherwise."""
    session = begin_session(GAME, one, "Ben")
    for deed in (
        lambda: session.rename_player(session.table.seats[1], other),
        lambda: Script(GAME, one, "Ben").says(f"Ben is now {other}"),
    ):
        with pytest.raises(UserError, match=r"count as the same name|is used twice"):
            deed()
    (answer,) = talk(session, {"do": "rename", "seat": "Ben", "name": other})
    assert "error" in answer
    assert names(session)[1] == "Ben"
    session.rename_player(session.table.seats[0], other)
    assert names(session)[1] == "Ben"


def test_the_terminal_asks_again_for_a_look_alike() -> None:
    """It says why, and who was named before stays."""
    there = piped_terminal("Ann", "ann", "Ｂｅｎ", "")
    assert ask_names_or_continue(there, GAME, None) == ["Ann", "Ben"]
    assert f"! {WHY.format('Ann', 'ann')}\n" in terminal_output(there)


@pytest.mark.parametrize("name", ["A／B", "Ａ＝", "＠2", "a，b", "a、b"])
def test_signs_that_separate_names_are_refused_in_any_width(name: str) -> None:
    """The terminal would read them as the usual ones."""
    with pytest.raises(UserError, match="can't contain"):
        begin_session(GAME, "Aki", name)


@pytest.mark.parametrize("name", ["\u3164", "\ufe0f", "\u034f"])
def test_a_name_can_be_seen(name: str) -> None:
    """Letters without ink are none."""
    with pytest.raises(UserError, match="one line of visible characters"):
        begin_session(GAME, "Aki", name)


def test_a_name_has_so_many_letters_as_people_count() -> None:
    """Whatever they are made of; it is kept with accents in their letters."""
    accents = "e\u0301" * MAX_NAME_LETTERS
    session = begin_session(GAME, "A" * MAX_NAME_LETTERS, accents, "x\u0301\u0323" * MAX_NAME_LETTERS)
    assert names(session)[1] == "é" * MAX_NAME_LETTERS
    for name in ("A" * MAX_NAME_LETTERS + "s", accents + "e", "x" + "\u0301" * 80):
        with pytest.raises(UserError, match=f"A name must have 1 to {MAX_NAME_LETTERS} characters"):
            begin_session(GAME, "Aki", name)


# All look-ups share one rule


def at_json(session: Session, name: str, deed: str) -> list[dict[str, object]]:
    """A deed with that name in JSON lines."""
    lines: dict[str, dict[str, object]] = {
        "pay": {"do": "pay", "from": "bank", "to": name, "amount": 5},
        "rename": {"do": "rename", "seat": name, "name": "Dai"},
        "leave": {"do": "leave", "seat": name},
        "correct": {"do": "correct", "from": "bank", "to": f"{name}/purse", "piece": "coin", "count": 5,
                    "reason": ""},
    }  # fmt: skip  # a line each
    return talk(session, lines[deed])


def at_terminal(session: Session, name: str, deed: str) -> str:
    """Does the deed in the terminal."""
    lines = {
        "pay": f"bank {name} 5",
        "rename": f"rename {name} = Dai",
        "leave": f"away {name}",
        "correct": f"correct 5 coin from bank to {name}'s purse",
    }
    return play_lines(session, lines[deed])


def by_script(session: Session, name: str, deed: str) -> None:
    """Does the deed in a test script, which corrects what others pay."""
    lines = {
        "rename": f"{name} is now Dai",
        "leave": f"{name} leaves",
        "correct": f"correct 5 coin from bank to {name}/purse: ",
    }
    script = Script(GAME, "Ann", "Ben")
    script.session = session
    script.says(lines.get(deed, lines["correct"]))


DONE: dict[str, Callable[[Session, int], bool]] = {
    "pay": lambda session, at: purses(session)[at] == 5,
    "rename": lambda session, at: names(session)[at] == "Dai",
    "leave": lambda session, at: [seat.number for seat in session.absent_seats] == [at + 1],
    "correct": lambda session, at: purses(session)[at] == 5,
}
"""Whether a deed was done to the seat at that place, from 0."""
LOOK_UPS = [at_json, at_terminal, by_script]


@pytest.mark.parametrize("deed", DONE)
@pytest.mark.parametrize("look_up", LOOK_UPS)
@pytest.mark.parametrize("word", ["Ann B", "ann b", "ＡＮＮ Ｂ", "ANN B", "@2"])
def test_every_look_up_finds_a_name_however_it_is_spelled(
    look_up: Callable[[Session, str, str], object], deed: str, word: str
) -> None:
    """In the terminal, in JSON and in scripts: capitals and width don't matter, the longest name counts."""
    if word == "@2" and deed == "correct" and look_up is at_terminal:
        word = "Ann B"  # a place is called as it is shown there
    session = table("plain", "Ann", "Ann B", "B")
    look_up(session, word, deed)
    assert DONE[deed](session, 1)


@pytest.mark.parametrize("deed", DONE)
@pytest.mark.parametrize("look_up", LOOK_UPS)
@pytest.mark.parametrize(("word", "at"), [("Ann", 0), ("ann", 1), ("ANN", None)])
def test_in_an_old_game_the_exact_name_wins(
    look_up: Callable[[Session, str, str], object], deed: str, word: str, at: int | None
) -> None:
    """A game from before such names were refused opens; any other spelling is refused."""
    session = old(table("plain", "Ann", "Bob", "Ben"), "Ann", "ann", "Ben")
    if at is not None:
        look_up(session, word, deed)
        assert DONE[deed](session, at)
        return
    try:
        said = look_up(session, word, deed)
    except UserError as error:
        said = str(error)
    assert not any(DONE[deed](session, seat) for seat in range(3))
    assert "There is no place called ANN" in str(said) if "place" in str(said) else UNCLEAR in str(said)


def test_a_seat_of_an_old_game_can_be_renamed_by_its_number() -> None:
    """Where full-width letters, which the terminal reads as the usual ones, leave no other way."""
    session = old(table("plain", "Ann", "Bob"), "Ann", "Ａｎｎ")
    assert "such as @1.\n" in play_lines(session, "rename Ann = Dai")
    play_lines(session, "rename @2 = Dai")
    assert names(session) == ["Ann", "Dai"]


def test_a_round_in_one_line_names_people_as_any_look_up() -> None:
    """Each answer goes to the exact name, and no line is taken where a name may mean two people."""
    session = old(table("points", "Ann", "Bob", "Ben"), "Ann", "ann", "Ben")
    said = play_lines(session, "1", "ann 7 Ben 2 Ann 5")
    front = [
        session.table.ledger.find_account_by_keys(f"{seat.key}/front/1", "points").count
        for seat in session.table.seats
    ]
    assert front == [5, 7, 2]
    assert f"! {UNCLEAR}\n" in play_lines(session, "1", "ANN 7")
    assert "Ben" in said


def test_lots_are_called_as_any_look_up() -> None:
    """Lots that may mean two people aren't drawn."""
    session = old(table("points", "Ann", "Bob", "Ben"), "Ann", "ann", "Ben")
    assert "The order" not in play_lines(session, "chance", "order", "ANN Ben")
    assert "The order: ann, Ben, Ann.\n" in play_lines(session, "ann Ben")


def test_a_choice_by_name_is_as_any_look_up() -> None:
    """Who starts is the exact one."""
    session = old(table("points", "Ann", "Bob", "Ben"), "Ann", "ann", "Ben")
    said = play_lines(session, "chance", "starts", "ANN", "ann")
    assert "! Type the face that the die shows" in said
    assert "ann is the start player.\n" in said


def test_sealed_answers_are_amended_by_any_spelling() -> None:
    """The longest name counts, and the exact one wins."""
    session = begin_session(SEALED, "Ann", "Ann B", unit="gold", start="none")
    assert isinstance(session.question, Together)
    for seat, bid in zip(session.table.seats, (1, 2), strict=True):
        session.put_answer_in_envelope(session.question_number, seat, bid)
    play_lines(session, "amend 1 ann b 9")
    assert [session.rulebook_run.answered_questions[0].answer[seat] for seat in session.table.seats] == [1, 9]


# The register


def test_the_register_counts_one_name_however_it_is_spelled(tmp_path: Path) -> None:
    """It stands there as it was written last; merging and deleting find it in any spelling."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        for people in (["Ann", "Ben"], ["ANN", "Ben"], ["ann", "Bea"]):
            session = begin_game(store, people)
            play_once(session)
        assert {(one.name, one.games) for one in player_statistics.statistics_of_all_players(store)} == {
            ("ann", 3),
            ("Ben", 2),
            ("Bea", 1),
        }
        assert player_statistics.find_player_name(store, "ANN") == "ann"
        with pytest.raises(UserError, match="ann is one player"):
            player_statistics.merge_players(store, "ANN", "Ann")
        player_statistics.merge_players(store, "BEA", "ben")
        assert {(one.name, one.games) for one in player_statistics.statistics_of_all_players(store)} == {
            ("ann", 3),
            ("Ben", 3),
        }
        player_statistics.delete_player_statistics(store, "Ａｎｎ")
        assert [one.name for one in player_statistics.statistics_of_all_players(store)] == ["Ben"]


def play_once(session: Session) -> None:
    """One round, and the game is over and put away."""
    for seat in session.table.seats:
        session.put_answer_in_envelope(session.question_number, seat, seat.number)
    session.answer(session.question_number, "finish")
    session.put_away()


# The command line


def test_a_game_goes_on_with_its_names_in_any_spelling(tmp_path: Path) -> None:
    """The names of now or those it began with; others are refused with the names of now."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        begin_game(store, ["Ann", "Ben"]).rename_player(make_seats(["Ann", "Ben"])[1], "Dai")
        evening = Evening(store)
        for people in (["ann", "DAI"], ["Ann", "ben"]):
            assert names(resume_unfinished_game(evening, PlayArguments(SEALED, people, {}, None))) == [
                "Ann",
                "Dai",
            ]
        with pytest.raises(UserError, match="played by Ann, Dai, not by ann, Emi"):
            resume_unfinished_game(evening, PlayArguments(SEALED, ["ann", "Emi"], {}, None))
