"""Logs whose head was altered: what they began with no longer fits the rules, and a sentence says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import logtext
from companion.errors import CompanionError
from companion.recorded_match import replay_until
from scripts.evening import ROOT
from tests.support.soak import SOAK

LOGS = sorted([*ROOT.glob("tests/golden/*.log"), *ROOT.glob("tests/golden/older/*.log")])
EVERY = 1 if SOAK else 5
"""Of so many lines one is altered."""


def altered(lines: list[str]) -> Iterator[str]:
    """The log without one line of its head, with less in it, or with other numbers and words."""
    end = next(at for at, line in enumerate(lines) if line[:1].isdigit())
    for at, line in enumerate(lines[2:end], 2):
        ways = [
            "",
            re.sub(r", [^,\]]*\]$", "]", line),
            re.sub(r" = \[.*", " = []", line),
            re.sub(r": .*", ": ", line),
            re.sub(r" \w+ \S+$", "", line),
            re.sub(r"card \d+", "card 0", line),
            re.sub(r" \d+$", " what", line),
            re.sub(r"\d+", "0", line),
        ]
        for way in dict.fromkeys(ways):
            if way != line:
                yield "\n".join([*lines[:at], way, *lines[at + 1 :]])
    for word in ("board", "card", "field", "deck", "option", "seat"):
        yield "\n".join(line for at, line in enumerate(lines) if at >= end or not line.startswith(f"{word} "))


@pytest.mark.without_coverage
@pytest.mark.sweep(2)
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_an_altered_log_is_played_or_refused_with_a_sentence(path: Path) -> None:
    """Whatever its deck, seats or options lack, nobody reads the name of a Python error."""
    for text in list(altered(path.read_text(encoding="utf-8").split("\n")))[::EVERY]:
        try:
            replay_until(logtext.parse_log_text(text))
        except CompanionError as error:
            assert "Error" not in str(error), str(error)  # noqa: PT017 - most of them are refused


@pytest.mark.parametrize(
    ("log", "line", "why"),
    [
        ("high_bid-2", "board red", "The card values of high_bid are wrong: board.red is missing."),
        (
            "oyakata-2",
            "card 1 × fifth",
            "The card values of oyakata are wrong: The number of cards of kind chip must be 1, not 0.",
        ),
        (
            "older/any_game-1-plain",
            "field kind",
            "The card values of any_game are wrong: card coin: This kind of card has no",
        ),
    ],
)
def test_a_log_whose_deck_lacks_a_row(log: str, line: str, why: str) -> None:
    """The deck is named, and what is missing in it."""
    lines = (ROOT / f"tests/golden/{log}.log").read_text(encoding="utf-8").split("\n")
    text = "\n".join(one for one in lines if not one.startswith(line))
    with pytest.raises(CompanionError) as refused:
        replay_until(logtext.parse_log_text(text))
    assert f"With the rules of this version, this game can't continue. {why}" in str(refused.value)
