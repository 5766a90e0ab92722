"""An answer is amended by JSON; a later conflict is named before anything changes, in every game."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.installed_games import games
from companion.jsonlines import JsonSession, public_table_as_json
from companion.log.log import MemoryLog
from companion.requests import Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.testing.random_game import answer_randomly

GAMES = [game for game in games().values() if isinstance(game, Game)]
OPENING_ANSWERS, AMENDMENTS = 60, 25


def play_opening(game: Game, seed: int) -> tuple[Session, MemoryLog, Random]:
    """Plays the first answers of a random match."""
    rng, log = Random(seed), MemoryLog()
    names = ["Aki", "Ben", "Chie", "Dai", "Emi"][: game.players[1]]
    session = Session.begin(game, names, {}, log, seed=seed)
    for _ in range(OPENING_ANSWERS):
        if session.question is None:
            break
        answer_randomly(session, rng)
    return session, log, rng


def random_other_answer(session: Session, n: int, rng: Random) -> tuple[Any, str | None]:
    """Returns a random answer to question `n`, and the name of its seat if the round was sealed."""
    earlier = session.session_after_steps(session.step_count_before_answer(n))
    question = earlier.question
    assert question is not None
    if not isinstance(question, Together):
        return question.answer_to_json(question.random_legal_answer(rng)), None
    seat = rng.choice(question.seats)
    part = question.parts_by_seat[seat]
    return part.answer_to_json(part.random_legal_answer(rng)), seat.name


@pytest.mark.sweep(4)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_an_earlier_answer_is_amended_by_json(game: Game) -> None:
    """The new answer counts, or the error names the later event that conflicts and nothing has changed.

    With `go_back` the game then goes back to this event. A replay of the log gives the same table.
    """
    session, log, rng = play_opening(game, 5)
    json_session, accepted_count, refused_count = JsonSession(session), 0, 0
    for at in range(AMENDMENTS):
        question_numbers = [one.question_number for one in session.rulebook_run.answered_questions]
        if not question_numbers:
            break
        n = rng.choice(question_numbers)
        answer, seat = random_other_answer(session, n, rng)
        line = {"do": "amend", "event": n, "answer": answer} | ({"seat": seat} if seat else {})
        before, length = public_table_as_json(session), len(log)
        reply = json_session.reply(at, json.dumps(line).encode())
        if "error" in reply:
            refused_count += 1
            assert "no longer possible" in reply["error"], reply
            assert reply["event"] > n
            assert (public_table_as_json(session), len(log)) == (before, length)
            reply = json_session.reply(at, json.dumps(line | {"go_back": True, "past_reveal": True}).encode())
        accepted_count += "by_hand" in reply
        again = Session(game, list(log), log)
        assert public_table_as_json(again) == public_table_as_json(session)
    assert accepted_count
    assert accepted_count + refused_count >= AMENDMENTS // 2
