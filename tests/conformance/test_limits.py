"""Every question has a legal answer in every game, even if players bid as high as allowed."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from companion.errors import IllegalAnswer, PrivateRefusal
from companion.requests import Amount, Choose, DetailedOption, Raise, Request, Together
from companion.session.session import Session
from companion.testing.random_game import MAX_ANSWERS_PER_GAME, RandomGame, answer_randomly, sample_answer
from companion.texts import Say, render
from tests.conformance.registry import GameConfig, each_config

HIGHEST_BID_CHANCE = 0.3
"""Probability that a bid is the highest allowed."""


def parts_of(question: Request[Any]) -> Iterator[Request[Any]]:
    """Yields the question, or the question of each seat."""
    yield from question.parts_by_seat.values() if isinstance(question, Together) else (question,)


def reasons_against_options(question: Choose) -> Iterator[str]:
    """Yields why options can't be chosen, now or if their requirements aren't met."""
    offers = (option for option in question.options.values() if isinstance(option, DetailedOption))
    yield from (render(offer.barred_reason, "en") for offer in offers if offer.barred_reason)
    yield from (render(need.refusal, "en") for need in question.requirements.values())


COMMANDS = {"Add", "Bid", "Buy", "Dig", "Draw", "Everybody", "Lay", "Put", "Roll", "Survey", "Toss", "Turn"}
"""First words of instructions without a question mark."""


def is_sentence(text: str) -> bool:
    """Whether a text, after the part about the moment in the game, is a sentence or an instruction.

    A heading is neither.
    """
    asks = text.rsplit(": ", 1)[-1]
    return text.rstrip(")")[-1] in "?.!" or "?" in text or asks.split()[0].strip(",").capitalize() in COMMANDS


def texts_that_must_be_sentences(question: Request[Any]) -> Iterator[Say]:
    """Yields the texts of a question, without those of an open round's parts, which are labels of lines."""
    yield question.text
    if isinstance(question, Together) and not question.is_open:
        yield from (part.text for part in question.parts_by_seat.values())


def refusal_of_malformed_answer(question: Request[Any]) -> str:
    """Returns the refusal of an answer that is malformed for every question."""
    with pytest.raises(IllegalAnswer) as refusal:
        question.parse_answer({"no": "answer"})
    return render(refusal.value.text, "en").replace('{"no": "answer"}', "")


def check_can_be_answered(question: Request[Any]) -> None:
    """Checks that some answer is legal, and that the stated limits don't contradict each other."""
    sample_answer(question, Random(question.log_key))
    if isinstance(question, Choose):
        for why in reasons_against_options(question):
            assert why.endswith("."), f"{why!r} is no sentence that says why not"
    limits = question.limits_json
    declines = limits.get("no") or limits.get("cant") in (True, "only")
    assert ("null" in refusal_of_malformed_answer(question)) == bool(declines), (
        "the refusal must say how to decline in JSON"
    )
    least, most = limits.get("least"), limits.get("most")
    if isinstance(question, Raise):
        assert (least is None) == (not question.may_bid)
        assert least is not None or question.decline
    if least is not None and most is not None and limits.get("cant") is not True:
        assert least <= most, (question.log_key, limits)


def bold_answer(part: Request[Any], rng: Random) -> object:
    """Returns the highest allowed bid or a random legal answer, as JSON."""
    if (
        isinstance(part, Raise | Amount)
        and part.may_bid
        and part.highest_publicly_allowed is not None
        and rng.random() < HIGHEST_BID_CHANCE
    ):
        least = part.lowest_allowed_bid if isinstance(part, Raise) else part.least
        highest = part.highest_publicly_allowed - (part.highest_publicly_allowed - least) % part.step
        with suppress(PrivateRefusal):  # the covered purse has less
            part.check_answer(highest)
            return part.answer_to_json(highest)
    return sample_answer(part, rng)


def play_boldly(session: Session, rng: Random) -> None:
    """Plays to the end of the game and checks every question."""
    for _ in range(MAX_ANSWERS_PER_GAME):
        question = session.question
        if question is None:
            return
        assert all(is_sentence(render(one, "en")) for one in texts_that_must_be_sentences(question)), (
            question.log_key
        )
        for part in parts_of(question):
            check_can_be_answered(part)
        if isinstance(question, Together):
            n = session.question_number
            for seat, part in question.parts_by_seat.items():
                session.put_answer_in_envelope(n, seat, bold_answer(part, rng))
        elif isinstance(question, Raise | Amount):
            session.answer(session.question_number, bold_answer(question, rng))
        else:
            answer_randomly(session, rng)
    raise AssertionError("the game has no end")


@pytest.mark.sweep(4)
@each_config
def test_no_rulebook_asks_what_cannot_be_answered(config: GameConfig) -> None:
    """Every question has a legal answer: a bid within consistent limits, or a documented way to decline."""
    for number in range(12):
        trial = RandomGame.begin(config.game, number, Random(f"bold {number}"), config.decks)
        play_boldly(trial.session, trial.rng)


def test_a_heading_is_no_sentence() -> None:
    """A heading doesn't tell players what to do."""
    assert not any(map(is_sentence, ("Night: the boss's action", "Payment for daughter 4", "Day")))
    assert all(map(is_sentence, ("Night: what does the boss do?", "Round 1: bid on a card, or pass", "Roll")))
