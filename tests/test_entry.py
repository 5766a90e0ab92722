"""How questions are entered: the table of all shapes, and what forms and questions say of each other."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.errors import CompanionError, IllegalAnswer, PrivateRefusal
from companion.requests import NumberField, OptionField, Request
from companion.requests.fields import (
    answer_from_numbers,
    number_fields_replacing_all_fields,
    numbers_from_answer,
)
from companion.testing.random_game import RandomGame, answer_randomly
from companion.texts import render
from tests.support.entry_table import TABLE_FILE, table_lines

GAMES = sorted(installed_games.games())
ANSWERS = 25
"""Of a game, or fewer if it is over."""


def test_every_question_is_entered_as_the_table_says() -> None:
    """Keypad lines, allowed keys, button steps, hints, JSON and refusals are those of the table."""
    told = [json.loads(line) for line in TABLE_FILE.read_text(encoding="utf-8").splitlines()]
    now = json.loads(json.dumps(list(table_lines())))
    assert [line["where"] for line in now] == [line["where"] for line in told]
    for line, expected in zip(now, told, strict=True):
        assert line == expected, line["where"]


@pytest.mark.sweep(5)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", GAMES)
def test_forms_and_questions_agree(game: str, seed: int) -> None:
    """Whatever a form offers its question takes or refuses for what is hidden; what it bars is refused."""
    rng = Random(f"{game} {seed}")
    trial = RandomGame.begin(installed_games.playable_game(game), seed, rng)
    for _ in range(ANSWERS):
        question = trial.session.question
        if question is None:
            break
        for part in question.parts_by_seat.values() or (question,):
            _agrees(part, rng)
        with suppress(CompanionError):
            answer_randomly(trial.session, rng)


def _agrees(question: Request[Any], rng: Random) -> None:
    form = question.form
    answer = question.answer_to_json(question.random_legal_answer(rng))
    assert form.fields or form.is_decline(answer)
    if form.is_decline(answer):
        assert form.may_decline_now
    elif (
        number_fields_replacing_all_fields(form)
        and (numbers := numbers_from_answer(form, answer)) is not None
    ):
        meant = answer_from_numbers(form, numbers)
        assert meant is not None
        with suppress(PrivateRefusal):  # which cards are hidden where, a count of cards can't know
            _takes(question, meant[0])
    if form.decline is not None:
        assert _refusal(question, form.decline.answer) is None or not form.may_decline_now
    match form.single_field:
        case OptionField(barred_options=barred):
            for key, (_, why) in barred.items():
                assert _refusal(question, key) == render(why)
        case NumberField(least=least, most=most, step=step) as number:
            assert _refusal(question, least) is None or most is None or least > most
            for beyond in (least - step, *([] if most is None else [most + step])):
                assert not number.accepts(beyond)
                assert form.is_decline(beyond) or _refusal(question, beyond)


def _takes(question: Request[Any], plain: object) -> None:
    question.check_answer(question.parse_answer(plain))


def _refusal(question: Request[Any], plain: object) -> str | None:
    try:
        _takes(question, plain)
    except IllegalAnswer as refusal:
        return render(refusal.text)
    return None
