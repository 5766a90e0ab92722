"""JSON lines say what happened: with the next line, once, and nothing that not all may know."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.games.egypt import rulebook as egypt
from companion.games.high_bid import rulebook as high_bid
from companion.games.oyakata import rulebook as oyakata
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.jsonlines import JsonSession, public_table_as_json
from companion.log.events import Answered
from companion.log.log import MemoryLog
from companion.requests import Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import list_history_entries
from companion.testing.random_game import RandomGame, sample_answer
from companion.texts import render
from tests.conformance.registry import GAMES
from tests.support.fair_game import FAIR_GAME
from tests.support.games.oyakata_helpers import add_discontent_chips, begin_first_day, begin_first_night

Json = dict[str, Any]
BACK = (1, 1, 2, 3)
STEPS = 120
each_game = pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])


class Talk:
    """A conversation; `says` gives the notes that came back."""

    def __init__(self, session: Session) -> None:
        self.session, self.wire = session, JsonSession(session)

    def line(self, said: Json) -> Json:
        """The whole line that comes back."""
        came = self.wire.reply(1, json.dumps(said).encode())
        assert "error" not in came, came
        return came

    def says(self, do: str, **more: Any) -> list[str]:
        """What a deed led to."""
        return list(self.line({"do": do, **more}).get("notes", []))

    def answers(self, *answers: object) -> list[str]:
        """What the last of these answers led to."""
        notes: list[str] = []
        for answer in answers:
            notes = self.line({"n": self.session.question_number, "answer": answer}).get("notes", [])
        return notes

    def seals(self, **bids: int) -> list[str]:
        """What the last of these envelopes led to."""
        lines = [
            self.line({"n": self.session.question_number, "seat": seat, "answer": bid})
            for seat, bid in bids.items()
        ]
        assert all("notes" not in line for line in lines[:-1])
        return list(lines[-1].get("notes", []))


def begun(game: Game, *names: str, **options: str) -> Talk:
    """A game that has just begun."""
    return Talk(Session.begin(game, names, options, MemoryLog(), seed=1))


def test_what_was_opened_and_who_wins_comes_with_the_last_envelope() -> None:
    """All bids, the winner and what is paid; a tie where there is one; nothing with those before."""
    talk = begun(sealed_bid.GAME, "Aki", "Ben", start="20")
    assert talk.seals(Aki=6, Ben=5) == ["Aki: 6, Ben: 5", "Aki wins with 6.", "To pay: Aki 6."]
    talk.answers("again")
    assert talk.seals(Ben=4, Aki=4) == [
        "Aki: 4, Ben: 4",
        "Tie at 4: Aki, Ben. Nobody wins here; follow the rules of your game.",
    ]


def test_an_answer_of_ones_own_is_not_told() -> None:
    """What it led to is; a line after which nothing happened has no notes."""
    talk = begun(egypt.GAME, "Aki", "Ben", "Chie")
    assert talk.answers("1", True, 3) == []
    assert talk.answers(None) == []
    assert talk.answers(None) == ["Aki wins daughter 4 at 3.", "To pay: Aki 3."]
    assert "notes" not in talk.line({"do": "state"})


def test_what_the_companion_rolled_is_told() -> None:
    """The faces are in the notes, as no other line says them."""
    assert begun(FAIR_GAME, "Aki", "Ben").says("roll", n=1)[0].startswith("Aki rolls: tens ")


def test_what_silence_answered_is_told() -> None:
    """Ben is away: the pass that follows Aki's bid is told with its notes."""
    talk = begun(high_bid.GAME, "Aki", "Ben")
    talk.says("leave", seat="Ben")
    talk.answers("1", True, [{"card": "books.1"}])
    assert talk.answers(100) == ["Ben passes.", "Aki pays $100 for Books."]


def test_explosion_strike_and_payday_are_told() -> None:
    """Oyakata: the fifth chip, what it brings, the turn that is passed."""
    session = add_discontent_chips(begin_first_day(), "Aki", "black", "black", "black", "red").session
    talk = Talk(session)
    talk.answers("dig", {})
    assert talk.answers("black") == [
        "Aki draws 1 black chip.",
        "Aki's discontent explodes: 4 black chips left.",
        "Aki suffers from strike.",
    ]


def test_who_won_a_reveal_comes_with_its_notes() -> None:
    """As the rules say, on the line that tells of the reveal and no other; nobody in a tie."""
    talk = begun(sealed_bid.GAME, "Aki", "Ben", start="20", wins="lowest")
    talk.line({"n": 1, "seat": "Aki", "answer": 6})
    assert talk.line({"n": 1, "seat": "Ben", "answer": 5})["won"] == ["Ben"]
    assert JsonSession(talk.session).question_with_last_event()["won"] == ["Ben"]
    assert "won" not in talk.line({"do": "state"})
    assert "won" not in talk.line({"do": "undo", "past_reveal": True})
    assert talk.line({"do": "redo"})["won"] == ["Ben"]
    assert "won" not in talk.line({"n": talk.session.question_number, "answer": "again"})
    tie = [
        talk.line({"n": talk.session.question_number, "seat": seat, "answer": 4}) for seat in ("Aki", "Ben")
    ]
    assert not any("won" in line for line in tie)
    talk.answers("again")
    assert "won" not in talk.line({"do": "rename", "seat": "Aki", "name": "Chie"})


def test_undo_takes_notes_back_without_a_word_and_redo_tells_them_again() -> None:
    """After redo the answer is told too, since the line that asked for it doesn't hold it."""
    talk = begun(sealed_bid.GAME, "Aki", "Ben", start="20")
    won = talk.seals(Aki=6, Ben=5)
    assert talk.says("undo", past_reveal=True) == []
    assert talk.says("redo") == won
    talk.answers("again")
    talk.says("undo")
    assert talk.says("redo") == ["Another round? Again"]


def test_amend_tells_only_what_came_otherwise() -> None:
    """Of two rounds the second stays as it was and isn't told again."""
    talk = begun(sealed_bid.GAME, "Aki", "Ben", start="20")
    talk.seals(Aki=6, Ben=5)
    talk.answers("again")
    talk.seals(Aki=1, Ben=2)
    assert talk.says("amend", event=1, seat="Ben", answer=7) == [
        "Aki: 6, Ben: 7",
        "Ben wins with 7.",
        "To pay: Ben 7.",
    ]
    assert talk.says("amend", event=1, seat="Ben", answer=7) == []


def test_a_new_name_is_no_news() -> None:
    """Nothing has happened, though all that was told would now be written otherwise."""
    talk = begun(sealed_bid.GAME, "Aki", "Ben", start="20")
    talk.seals(Aki=6, Ben=5)
    assert talk.says("rename", seat="Aki", name="Chie") == []


def test_the_first_line_tells_what_came_last() -> None:
    """Whoever goes on after a pulled plug may not have read it; a new game has nothing to tell."""
    talk = begun(sealed_bid.GAME, "Aki", "Ben", start="20")
    assert "notes" not in talk.wire.question_with_last_event()
    won = talk.seals(Aki=6, Ben=5)
    assert JsonSession(talk.session).question_with_last_event()["notes"] == won


def test_what_null_means_is_said_by_the_text() -> None:
    """Where null is an answer; what is asked stays what it was."""
    talk = begun(high_bid.GAME, "Aki", "Ben")
    came = [talk.line({"n": talk.session.question_number, "answer": answer}) for answer in ("1", True)]
    assert came[-1]["text"] == "Auction 1: turn up card 1 (null: declare the end of the game)"
    assert came[-1]["asks"] == "Read: Auction 1: turn up card 1"


def test_the_state_has_the_order_of_piles() -> None:
    """The lowest chip first; without a pile there is no such key."""
    script = add_discontent_chips(begin_first_night(), "Aki", "red", "blue")
    assert public_table_as_json(script.session)["piles"] == {
        "Aki/discontent": ["white chip", "red chip", "blue chip"]
    }
    assert "piles" not in public_table_as_json(begun(oyakata.GAME, "Aki", "Ben").session)


# All games


def expected(session: Session) -> list[str]:
    """What the history holds, less the answers that came over the wire and were no secret."""
    steps = {step.n: step for step in session.steps if isinstance(step, Answered)}
    return [
        render(text)
        for entry in list_history_entries(session)
        if entry.question_number is not None
        for text in (
            []
            if steps[entry.question_number].via == "json" and not steps[entry.question_number].salts
            else [entry.text]
        )
        + list(entry.notes)
    ]


def play_a_while(talk: Talk, rng: Random) -> list[str]:
    """Answers at random; gives all notes."""
    told: list[str] = []
    for _ in range(STEPS):
        question = talk.session.question
        if isinstance(question, Together):
            parts: dict[str, Any] = {
                seat.name: sample_answer(part, rng) for seat, part in question.parts_by_seat.items()
            }
            told += talk.seals(**parts)
        elif question is not None:
            told += talk.answers(sample_answer(question, rng))
    return told


@each_game
def test_all_that_happens_is_told_once(game: Game) -> None:
    """Over a game at random the notes are what the history holds, in its order."""
    trial = RandomGame.begin(game, 1, Random(f"news {game.key}"))
    told = play_a_while(Talk(trial.session), trial.rng)
    assert told == expected(trial.session)
    assert told


@pytest.mark.without_coverage
@each_game
def test_going_back_and_forth_tells_what_counts_again(game: Game) -> None:
    """Undo says nothing; each redo tells the answer that it puts back and what that led to."""
    trial = RandomGame.begin(game, 2, Random(f"back {game.key}"))
    talk = Talk(trial.session)
    play_a_while(talk, trial.rng)
    for far in BACK:
        entries = list_history_entries(trial.session)[-far:]
        for _ in entries:
            assert talk.says("undo", past_reveal=True) == []
        for entry in entries:
            assert talk.says("redo") == [render(text) for text in (entry.text, *entry.notes)]
