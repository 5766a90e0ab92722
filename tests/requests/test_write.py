"""A few words: what they may be, what is refused, and how they are kept."""

import json
from random import Random

import pytest

from companion.errors import IllegalAnswer
from companion.log.events import Answered, Began, Event
from companion.logtext import format_log_text, parse_log_text
from companion.requests import Request, Write
from companion.table.seats import make_seats
from companion.texts import render, say
from tests.support.mutations import ODD_WORDS

AKI, BEN = make_seats(["Aki", "Ben"])
WHAT = say("What is sold?")
NAMED = Write(AKI, WHAT, decline=say("No name"))
MUST = Write(None, WHAT)


def refused(question: Write, plain: object) -> str:
    """The sentence of a refusal."""
    with pytest.raises(IllegalAnswer) as refusal:
        question.check_answer(question.parse_answer(plain))
    return render(refusal.value.text)


@pytest.mark.parametrize(
    ("plain", "kept"),
    [
        ("Vase", "Vase"),
        ("  two   words\t", "two words"),
        ("　あおい　つぼ　", "あおい つぼ"),
        ("Cafe\u0301", "Café"),
        ("か\u3099", "が"),
        ("two\nlines", "two lines"),
    ],
)
def test_words_are_kept_as_they_look(plain: str, kept: str) -> None:
    """Without space at their ends, one space between words whatever it was, and composed."""
    assert NAMED.parse_answer(plain) == kept
    NAMED.check_answer(kept)


def test_nothing_is_an_answer_only_where_it_means_something() -> None:
    """It is what silence means there too; elsewhere something must be written, and the bell rings."""
    NAMED.check_answer(NAMED.parse_answer("  "))
    assert NAMED.default_answer == ("",)
    assert MUST.default_answer is None
    assert refused(MUST, " ") == "The table must write at least one character."


def test_what_has_no_room_is_refused() -> None:
    """A text may have as many letters as the limit says, however wide they are, and not one more."""
    NAMED.check_answer("名" * 20)
    assert refused(NAMED, "x" * 21) == "Aki can write at most 20 characters."
    assert refused(Write(BEN, WHAT, max_letters=1), "ab") == "Ben can write at most 1 character."


@pytest.mark.parametrize("odd", ["\x1b[2J", "a\x00", "\x7f", "\x9b2J", "\u202eesav", "\ufeff", "\ud800"])
def test_nothing_that_is_not_seen_is_taken(odd: str) -> None:
    """What steers a terminal, turns the way of writing or can't be written is refused, and not repeated."""
    assert refused(NAMED, odd) == "Aki can write only visible characters."


@pytest.mark.parametrize("plain", [None, True, 7, 1.0, ["Vase"], {"name": "Vase"}])
def test_only_a_text_is_words(plain: object) -> None:
    """No number, list or null is."""
    assert refused(NAMED, plain) == "Aki must answer with a text."


def test_limits_say_how_many_letters_and_what_nothing_means() -> None:
    """Where something must be written, nothing means nothing."""
    assert NAMED.limits_json == {"most": 20, "none": "No name"}
    assert MUST.limits_json == {"most": 20}


def test_what_was_written_is_told() -> None:
    """By whom, and at which question; nothing is told as what it means."""
    assert render(NAMED.describe_answer("{0}")) == "Aki: What is sold? → {0}"
    assert render(NAMED.describe_answer("")) == "Aki: What is sold? → No name"
    assert render(MUST.describe_answer("花瓶")) == "What is sold? 花瓶"
    assert render(NAMED.describe_revealed_answer("Vase")) == "Aki: Vase"
    assert render(MUST.describe_revealed_answer("Vase")) == "The table: Vase"


def test_samples_are_of_several_scripts_and_sometimes_nothing() -> None:
    """Where something must be written, there is always something, however short."""
    samples = {NAMED.random_legal_answer(Random(seed)) for seed in range(200)}
    assert "" in samples
    assert any(not sample.isascii() for sample in samples)
    assert all(
        len(Write(None, WHAT, max_letters=1).random_legal_answer(Random(seed))) == 1 for seed in range(200)
    )


def odd_words(question: Write) -> list[str]:
    """What of all oddities is an answer, as it is kept."""
    kept = []
    for word in [*ODD_WORDS, *(f"a {word}" for word in ODD_WORDS)]:
        answer = question.parse_answer(word)
        try:
            question.check_answer(answer)
        except IllegalAnswer:
            continue
        kept.append(answer)
    return kept


def test_a_log_keeps_any_words() -> None:
    """However odd, what was written reads back from a log's text and from JSON as exactly that."""
    began = Began("any_game", 2, ("Aki", "Ben"), ("orange", "sky"), {}, {}, 1)
    question: Request[str] = NAMED
    odd = odd_words(NAMED)
    assert len(odd) > 80
    events: list[Event] = [
        began,
        *(Answered(n, question.log_key, answer, "screen", 1.0) for n, answer in enumerate(odd, 1)),
    ]
    assert parse_log_text(format_log_text(events)) == events
    assert json.loads(json.dumps(odd)) == odd
