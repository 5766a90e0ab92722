"""What a question allows can be met, in every game, also when people bid as high as they may."""

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
from tests.conformance.registry import Evening, each_evening

BOLD = 0.3
"""How often somebody bids all that is allowed."""


def parts(question: Request[Any]) -> Iterator[Request[Any]]:
    """The question, or each seat's own."""
    yield from question.parts_by_seat.values() if isinstance(question, Together) else (question,)


def reasons(question: Choose) -> Iterator[str]:
    """Why an option can't be chosen, now or when what it takes isn't there."""
    offers = (option for option in question.options.values() if isinstance(option, DetailedOption))
    yield from (render(offer.barred_reason, "en") for offer in offers if offer.barred_reason)
    yield from (render(need.refusal, "en") for need in question.requirements.values())


COMMANDS = {"Add", "Bid", "Buy", "Dig", "Draw", "Everybody", "Lay", "Put", "Roll", "Survey", "Toss", "Turn"}
"""How people are told what to do, or what everybody does: a sentence without a question mark."""


def is_sentence(text: str) -> bool:
    """It asks, tells, or says what to do, after where in the game that is; a heading does none of it."""
    asks = text.rsplit(": ", 1)[-1]
    return text.rstrip(")")[-1] in "?.!" or "?" in text or asks.split()[0].strip(",").capitalize() in COMMANDS


def put(question: Request[Any]) -> Iterator[Say]:
    """What it says; an open round's parts are lines of its sheet, and only called something."""
    yield question.text
    if isinstance(question, Together) and not question.is_open:
        yield from (part.text for part in question.parts_by_seat.values())


def misshapen(question: Request[Any]) -> str:
    """What is said of an answer that is of a wrong kind for every question."""
    with pytest.raises(IllegalAnswer) as refusal:
        question.parse_answer({"no": "answer"})
    return render(refusal.value.text, "en").replace('{"no": "answer"}', "")


def can_be_met(question: Request[Any]) -> None:
    """Some answer is legal, and what is said to be allowed doesn't contradict itself."""
    sample_answer(question, Random(question.log_key))
    if isinstance(question, Choose):
        for why in reasons(question):
            assert why.endswith("."), f"{why!r} is no sentence that says why not"
    limits = question.limits_json
    declines = limits.get("no") or limits.get("cant") in (True, "only")
    assert ("null" in misshapen(question)) == bool(declines), "whoever declines in JSON must know how"
    least, most = limits.get("least"), limits.get("most")
    if isinstance(question, Raise):
        assert (least is None) == (not question.may_bid)
        assert least is not None or question.decline
    if least is not None and most is not None and limits.get("cant") is not True:
        assert least <= most, (question.log_key, limits)


def bold(part: Request[Any], rng: Random) -> object:
    """The highest bid allowed now and then, else any legal answer."""
    if (
        isinstance(part, Raise | Amount)
        and part.may_bid
        and part.highest_publicly_allowed is not None
        and rng.random() < BOLD
    ):
        highest = (
            part.highest_publicly_allowed
            - (part.highest_publicly_allowed - part.limits_json["least"]) % part.step
        )
        with suppress(PrivateRefusal):  # more than lies covered
            part.check_answer(highest)
            return highest
    return sample_answer(part, rng)


def play_boldly(session: Session, rng: Random) -> None:
    """To the end of the game, looking at every question."""
    for _ in range(MAX_ANSWERS_PER_GAME):
        question = session.question
        if question is None:
            return
        assert all(is_sentence(render(one, "en")) for one in put(question)), question.log_key
        for part in parts(question):
            can_be_met(part)
        if isinstance(question, Together):
            n = session.question_number
            for seat, part in question.parts_by_seat.items():
                session.put_answer_in_envelope(n, seat, bold(part, rng))
        elif isinstance(question, Raise | Amount):
            session.answer(session.question_number, bold(question, rng))
        else:
            answer_randomly(session, rng)
    raise AssertionError("the game has no end")


@pytest.mark.sweep(4)
@each_evening
def test_no_rulebook_asks_what_cannot_be_answered(evening: Evening) -> None:
    """At every moment something is legal: a bid within limits that agree, or declining, which is said."""
    for number in range(12):
        trial = RandomGame.begin(evening.game, number, Random(f"bold {number}"), evening.decks)
        play_boldly(trial.session, trial.rng)


def test_a_heading_is_no_sentence() -> None:
    """Whoever reads it must know what to do."""
    assert not any(map(is_sentence, ("Night: the boss's action", "Payment for daughter 4", "Day")))
    assert all(map(is_sentence, ("Night: what does the boss do?", "Round 1: bid on a card, or pass", "Roll")))
