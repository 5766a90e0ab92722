"""Every legal answer can be typed at the terminal as its page says, and what no page says is no answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.errors import IllegalAnswer
from companion.languages import languages
from companion.requests import Amount, Choose, Counts, Read, Request, Together, Write
from companion.session.session import Session
from companion.terminal.answers import parse_typed_answer, typing_hints
from companion.terminal.commands import all_commands
from companion.testing.random_game import RandomGame, answer_randomly, sample_answer
from companion.texts import render
from tests.conformance.registry import Evening, each_evening
from tests.conformance.test_kinds import EXAMPLES
from tests.support.soak import SOAK
from tests.support.terminal_input import NEVER_AN_ANSWER, typed_forms

PAGE = Path(__file__).parents[2] / "docs" / "terminal.md"
SAMPLES = 3
PLAYED = 20 if SOAK else 2
each_kind = pytest.mark.parametrize("kind", [kind for kind in EXAMPLES if kind != "Together"])


def answers(question: Request[Any], rng: Random) -> Iterator[object]:
    """The JSON forms of legal answers: samples, all options, nothing, and that one can't."""
    if isinstance(question, Choose):
        yield from (key for key in question.options if _is_legal(question, key))
    else:
        yield from (sample_answer(question, rng) for _ in range(SAMPLES))
    edges: tuple[object, ...] = (None, [], {}, 0, "")
    for edge in edges:
        if _is_legal(question, edge):
            yield question.answer_to_json(question.parse_answer(edge))


@each_evening
def test_the_example_names_a_card_that_can_come(evening: Evening) -> None:
    """Of one that lies elsewhere, as all know, the answer would be refused."""
    if "Read" not in evening.game.question_kinds:
        return
    for number in range(PLAYED):
        trial = RandomGame.begin(
            evening.game, number, Random(f"example {evening.name} {number}"), evening.decks
        )
        while trial.session.question is not None:
            question = trial.session.question
            if isinstance(question, Read):
                said = render(typing_hints(question.form)[-1])
                example = re.findall(r'such as "([^"]+)"', said.partition("only the card's values")[0])[-1]
                card, *_ = question.parse_answer(parse_typed_answer(question.form, example, "en")) or ()
                if example.split()[0] != "other":
                    question.are_cards_possible([card])
            answer_randomly(trial.session, trial.rng)


def _is_legal(question: Request[Any], plain: object) -> bool:
    try:
        question.check_answer(question.parse_answer(plain))
    except IllegalAnswer:
        return False
    return True


def _is_answer(question: Request[Any], line: str, language: str) -> bool:
    try:
        plain = parse_typed_answer(question.form, line, language)
    except IllegalAnswer:
        return False
    return _is_legal(question, plain)


def parts(question: Request[Any] | None) -> list[Request[Any]]:
    """What is asked of each seat, or of the table."""
    if isinstance(question, Together):
        return list(question.parts_by_seat.values())
    return [question] if question else []


def check_typed(question: Request[Any], rng: Random) -> None:
    """Each answer comes back in each way, in both languages; unknown words are none, unless any are."""
    for language in languages():
        for answer in answers(question, rng):
            for line in typed_forms(question, answer, language):
                read = question.answer_to_json(
                    question.parse_answer(parse_typed_answer(question.form, line, language))
                )
                assert read == answer, (question.log_key, line, language)
        for line in () if isinstance(question, Write) else NEVER_AN_ANSWER:
            assert not _is_answer(question, line, language), f"{question.log_key} took {line!r}"


@each_kind
def test_each_kind_is_typed_as_its_page_says(kind: str) -> None:
    """Samples, all options, empty answers: each comes back as it was meant."""
    examples: list[Callable[[], Request[Any]]] = EXAMPLES[kind]
    for example in examples:
        question = example()
        check_typed(question, Random(1))


def moments(evening: Evening) -> Iterator[tuple[Session, Random]]:
    """Every question of a few games played at random."""
    for number in range(PLAYED):
        trial = RandomGame.begin(evening.game, number, Random(f"typed {number}"), evening.decks)
        while trial.session.question is not None:
            yield trial.session, trial.rng
            answer_randomly(trial.session, trial.rng)


@each_evening
def test_every_question_of_every_game_is_typed_as_its_page_says(evening: Evening) -> None:
    """At each question of random games every legal answer can be typed in each documented way."""
    asked = set()
    for session, rng in moments(evening):
        for question in parts(session.question):
            asks = (
                question.log_key.split(":")[-1].split(" ")[0],
                question.kind,
                len(str(question.limits_json)) // 40,
            )
            if asks not in asked:
                asked.add(asks)
                check_typed(question, rng)
    assert asked


@each_evening
def test_the_hint_says_how_to_type_nothing_and_that_one_can_not(evening: Evening) -> None:
    """Where no card, no number, no word or "can't" is an answer, the lines before the prompt say how."""
    for session, _ in moments(evening):
        for question in parts(session.question):
            shown = " ".join(hint.in_language("en") for hint in typing_hints(question.form))
            if isinstance(question, (Counts, Read)):
                empty: object = [] if isinstance(question, Read) else {}
                assert not _is_legal(question, empty) or '"none" = ' in shown
                assert not question.limits_json["cant"] or "c = " in shown
            if isinstance(question, Amount) and question.decline:
                assert "0 = no bid" in shown
            if isinstance(question, Write):
                assert not question.decline or "Enter = " in shown


def test_the_page_names_every_kind_and_every_word() -> None:
    """Each kind but Together, which is made of others, has its row; commands are listed as in the help."""
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"| **{kind}**" in page for kind in EXAMPLES if kind != "Together")
    table = page.partition("## Commands")[2]
    shown = [word for row in re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE) for word in row.split(", ")]
    words = [render(command.word) for command in all_commands()]
    for word, typed in zip(words, [one for one in shown if one != "`?`"], strict=True):
        assert typed.startswith(f"`{word}")
    assert all(
        f"`{word}`" in page for word in ("none", "nothing", "0", "c", "can't", "no", "-", "r", "w", "p")
    )
