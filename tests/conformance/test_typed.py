"""Every legal answer can be typed at the terminal as documented, and undocumented texts are no answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.errors import IllegalAnswer
from companion.half_numbers import parse_number
from companion.languages import languages
from companion.requests import Amount, Choose, Counts, Read, Request, Together, Write
from companion.requests.fields import NumberField
from companion.session.session import Session
from companion.terminal.answers import parse_typed_answer, typing_hints
from companion.terminal.commands import all_commands
from companion.testing.random_game import RandomGame, answer_randomly, sample_answer
from companion.texts import render
from tests.conformance.registry import GameConfig, each_config
from tests.conformance.test_kinds import EXAMPLES
from tests.support.soak import SOAK
from tests.support.terminal_input import NEVER_AN_ANSWER, typed_forms

TERMINAL_PAGE = Path(__file__).parents[2] / "docs" / "terminal.md"
RANDOM_ANSWERS = 3
GAMES_PER_CONFIG = 20 if SOAK else 1
each_kind = pytest.mark.parametrize("kind", [kind for kind in EXAMPLES if kind != "Together"])


def legal_answers(question: Request[Any], rng: Random) -> Iterator[object]:
    """Yields legal answers in JSON form: random ones or all options, empty ones, and declining."""
    if isinstance(question, Choose):
        yield from (key for key in question.options if _is_legal(question, key))
    else:
        yield from (sample_answer(question, rng) for _ in range(RANDOM_ANSWERS))
    edges: tuple[object, ...] = (None, [], {}, 0, "")
    for edge in edges:
        if _is_legal(question, edge):
            yield question.answer_to_json(question.parse_answer(edge))


@each_config
def test_the_example_names_a_card_that_can_come(config: GameConfig) -> None:
    """The example isn't a card that everybody knows to be elsewhere, as this answer would be refused."""
    if "Read" not in config.game.question_kinds:
        return
    for number in range(GAMES_PER_CONFIG):
        trial = RandomGame.begin(config.game, number, Random(f"example {config.name} {number}"), config.decks)
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


def _allows_halves(question: Request[Any]) -> bool:
    fields = question.form.fields
    return any(isinstance(field, NumberField) and field.allows_halves for field in fields)


def _is_answer(question: Request[Any], line: str, language: str) -> bool:
    try:
        plain = parse_typed_answer(question.form, line, language)
    except IllegalAnswer:
        return False
    return _is_legal(question, plain)


def parts_of(question: Request[Any] | None) -> list[Request[Any]]:
    """Returns the question of each seat, or the question itself."""
    if isinstance(question, Together):
        return list(question.parts_by_seat.values())
    return [question] if question else []


def check_every_form_is_read(question: Request[Any], rng: Random) -> None:
    """Checks that each typed form is read as its answer in every language, and odd words aren't answers."""
    for language in languages():
        for answer in legal_answers(question, rng):
            for line in typed_forms(question, answer, language):
                read = question.answer_to_json(
                    question.parse_answer(parse_typed_answer(question.form, line, language))
                )
                assert read == answer, (question.log_key, line, language)
        for line in () if isinstance(question, Write) else NEVER_AN_ANSWER:
            if _allows_halves(question) and parse_number(line) is not None:
                continue
            assert not _is_answer(question, line, language), f"{question.log_key} took {line!r}"


@each_kind
def test_each_kind_is_typed_as_its_page_says(kind: str) -> None:
    """Random answers, all options and empty answers are read as they were typed."""
    examples: list[Callable[[], Request[Any]]] = EXAMPLES[kind]
    for example in examples:
        question = example()
        check_every_form_is_read(question, Random(1))


def questions_of_random_games(config: GameConfig) -> Iterator[tuple[Session, Random]]:
    """Yields the session at every question of a few random games."""
    for number in range(GAMES_PER_CONFIG):
        trial = RandomGame.begin(config.game, number, Random(f"typed {number}"), config.decks)
        while trial.session.question is not None:
            yield trial.session, trial.rng
            answer_randomly(trial.session, trial.rng)


@each_config
def test_every_question_of_every_game_is_typed_as_its_page_says(config: GameConfig) -> None:
    """At each question of random games every legal answer can be typed in each documented way."""
    asked = set()
    for session, rng in questions_of_random_games(config):
        for question in parts_of(session.question):
            asks = (
                question.log_key.split(":")[-1].split(" ")[0],
                question.kind,
                len(str(question.limits_json)) // 40,
            )
            if asks not in asked:
                asked.add(asks)
                check_every_form_is_read(question, rng)
    assert asked


@each_config
def test_the_hint_says_how_to_type_nothing_and_that_one_can_not(config: GameConfig) -> None:
    """If no card, no number, no word or "can't" is a legal answer, the lines before the prompt say how."""
    for session, _ in questions_of_random_games(config):
        for question in parts_of(session.question):
            shown = " ".join(hint.in_language("en") for hint in typing_hints(question.form))
            if isinstance(question, (Counts, Read)):
                empty: object = [] if isinstance(question, Read) else {}
                assert not _is_legal(question, empty) or '"none" = ' in shown
                assert not question.limits_json["cant"] or "c = " in shown
            if isinstance(question, Amount) and question.decline:
                assert f"0 = {render(question.zero_label)}" in shown
            if isinstance(question, Write):
                assert not question.decline or "Enter = " in shown


def test_the_page_names_every_kind_and_every_word() -> None:
    """Each kind but Together, which has parts of other kinds, has a row; commands are as in the help."""
    page = TERMINAL_PAGE.read_text(encoding="utf-8")
    assert all(f"| **{kind}**" in page for kind in EXAMPLES if kind != "Together")
    table = page.partition("## Commands")[2]
    shown = [word for row in re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE) for word in row.split(", ")]
    words = [render(command.word) for command in all_commands()]
    for word, typed in zip(words, [one for one in shown if one != "`?`"], strict=True):
        assert typed.startswith(f"`{word}")
    assert all(
        f"`{word}`" in page for word in ("none", "nothing", "0", "c", "can't", "no", "-", "r", "w", "p")
    )
