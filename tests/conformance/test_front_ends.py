"""Plays every game from beginning to end through its other front ends: JSON lines and the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from random import Random
from typing import Any

import pytest

from companion.jsonlines import JsonSession, public_table_as_json
from companion.requests import Roll, Together
from companion.session.session import Session
from companion.terminal import Terminal, play_in_terminal
from companion.testing.random_game import MAX_ANSWERS_PER_GAME, PLAYER_NAMES, RandomGame, sample_answer
from companion.texts import render
from tests.conformance.registry import CONFIGS, GameConfig, each_config
from tests.support.terminal_input import typed_forms

JSON_GAMES = 20


@pytest.mark.sweep(3)
@each_config
def test_random_games_through_json_lines(config: GameConfig) -> None:
    """Twenty games: each line gets one reply, which says what the session has."""
    for number in range(JSON_GAMES):
        trial = RandomGame.begin(config.game, number, Random(f"json {number}"), config.decks)
        session, json_session = trial.session, JsonSession(trial.session)
        reply = json_session.question_or_result()
        for at, line in enumerate(_answer_lines(session, trial.rng), 1):
            reply = json_session.reply(at, json.dumps(line).encode())
            assert "error" not in reply, (line, reply)
            json.dumps(reply, allow_nan=False)
        assert session.result is not None
        assert reply["result"].items() >= session.result.to_json(render).items()
        assert public_table_as_json(session)["over"]


def _answer_lines(session: Session, rng: Random) -> Iterator[dict[str, Any]]:
    """Yields lines that answer every question until the game is over."""
    for _ in range(MAX_ANSWERS_PER_GAME):
        question, n = session.question, session.question_number
        if question is None:
            return
        if isinstance(question, Together):
            for seat in rng.sample(question.seats, len(question.seats)):
                yield {"n": n, "seat": seat.name, "answer": sample_answer(question.parts_by_seat[seat], rng)}
        elif isinstance(question, Roll) and rng.random() < 1 / 2:
            yield {"do": "roll", "n": n}
        else:
            yield {"n": n, "answer": sample_answer(question, rng)}
    raise AssertionError("the game has no end")


class TypingPlayer(StringIO):
    """A standard input that types a legal answer whenever a line is read."""

    def __init__(self, session: Session, rng: Random) -> None:
        super().__init__()
        self._session, self._rng = session, rng
        self._must_confirm = False
        self.lines = 0

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]  # StringIO's gives text too
        """Returns an answer, a confirmation, or an empty line, which puts the finished game away."""
        self.lines += 1
        assert self.lines < MAX_ANSWERS_PER_GAME, "the game has no end"
        if self._must_confirm:
            self._must_confirm = False
            return "y\n"
        question = self._session.question
        if isinstance(question, Together) and question.is_open:
            return self._answer_round(question)
        if isinstance(question, Together):
            missing = next(seat for seat in question.seats if seat not in self._session.drafts)
            question = question.parts_by_seat[missing]
        if question is None:
            return "\n"
        answer = sample_answer(question, self._rng)
        self._must_confirm = question.confirmation_for(question.parse_answer(answer)) is not None
        return next(typed_forms(question, answer)) + "\n"

    def _answer_round(self, question: Together[Any]) -> str:
        """Returns answers with names, of some or all seats."""
        seats = self._rng.sample(question.seats, self._rng.randint(1, len(question.seats)))
        typed = []
        for seat in seats:
            part = question.parts_by_seat[seat]
            typed.append(
                f"{seat.name} {next(typed_forms(part, sample_answer(part, self._rng))).replace(' ', '/')}"
            )
        return " ".join(typed) + "\n"


def config_parameters() -> list[Any]:
    """Returns each game with each number of players for which random games exist."""
    return [
        pytest.param(config, count, id=f"{config.name}-{count}")
        for config in CONFIGS
        for count in range(config.game.players[0], min(config.game.players[1], len(PLAYER_NAMES)) + 1)
    ]


@pytest.mark.sweep(14)
@pytest.mark.parametrize(("config", "count"), config_parameters())
def test_a_random_game_at_the_terminal(config: GameConfig, count: int) -> None:
    """One game with each number of players, typed line by line, ends with its score and is put away."""
    number = count - config.game.players[0]
    trial = RandomGame.begin(config.game, number, Random(f"terminal {count}"), config.decks)
    session = trial.session
    assert len(session.table.seats) == count
    typing, out = TypingPlayer(session, trial.rng), StringIO()
    assert play_in_terminal(session, Terminal(typing, out, "en", {})) == 0
    assert session.is_put_away
    assert session.result is not None
    for seat in session.table.seats:
        assert seat.name in out.getvalue()
