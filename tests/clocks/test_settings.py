"""Clocks as people write them, and what clashes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.clocks import (
    ALL_CLOCK_KEYS,
    CLOCK_PRESETS,
    ClockSettings,
    TimeLimit,
    parse_clocks,
    parse_clocks_toml,
)
from companion.errors import UserError
from companion.requests import REQUEST_TYPE_BY_KIND

NAMES = ", ".join(CLOCK_PRESETS)


@pytest.mark.parametrize(
    ("text", "clocks"),
    [
        ("", ClockSettings()),
        ("none", ClockSettings()),
        ("turn=60", ClockSettings(turn=TimeLimit(60))),
        (" turn = 1:30 ring ", ClockSettings(turn=TimeLimit(90))),
        ("turn=up, game=up", ClockSettings(turn=TimeLimit(None), game=TimeLimit(None))),
        (
            "budget=1:00:00 answer,increment=10",
            ClockSettings(budget=TimeLimit(3600, answers_on_timeout=True), increment=10),
        ),
        ("budget=5:00, delay=2", ClockSettings(budget=TimeLimit(300), delay=2)),
        (
            "bronstein=0:03, budget=5:00 answer",
            ClockSettings(budget=TimeLimit(300, answers_on_timeout=True), bronstein=3),
        ),
        (
            "lot=60 answer, extension=0:10",
            ClockSettings(lot=TimeLimit(60, answers_on_timeout=True), extension=10),
        ),
        (
            "Raise=20 answer",
            ClockSettings(limit_by_question_kind={"Raise": TimeLimit(20, answers_on_timeout=True)}),
        ),
        ("game=24:00:00", ClockSettings(game=TimeLimit(86400))),
        ("game=86400", ClockSettings(game=TimeLimit(86400))),
    ],
)
def test_clocks_are_read(text: str, clocks: ClockSettings) -> None:
    """Seconds, minutes or hours, then what silence means: only a ring, unless it says answer."""
    assert parse_clocks(text) == clocks


@pytest.mark.parametrize("name", CLOCK_PRESETS)
def test_clocks_are_written_as_they_are_read(name: str) -> None:
    """What is kept with a game reads back as the same clocks."""
    assert parse_clocks(parse_clocks(name).as_text) == parse_clocks(name)


@pytest.mark.parametrize("key", REQUEST_TYPE_BY_KIND)
def test_every_kind_of_question_may_have_a_limit(key: str) -> None:
    """A limit for each question of a kind is written by the name of the kind."""
    assert parse_clocks(f"{key}=5 answer").limit_by_question_kind == {
        key: TimeLimit(5, answers_on_timeout=True)
    }
    assert parse_clocks(parse_clocks(f"{key}=5 answer").as_text).limit_by_question_kind == {
        key: TimeLimit(5, answers_on_timeout=True)
    }


def test_only_no_clock_is_nothing() -> None:
    """Clocks that only count are clocks."""
    assert not parse_clocks("none")
    assert parse_clocks("watch")


def test_clocks_from_a_file() -> None:
    """A TOML file has the same keys and values; plain numbers are seconds."""
    text = 'budget = "15:00 answer"\nincrement = 10\nRaise = 20\n'
    assert parse_clocks_toml(text, "clocks.toml") == ClockSettings(
        budget=TimeLimit(900, answers_on_timeout=True),
        increment=10,
        limit_by_question_kind={"Raise": TimeLimit(20)},
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "blitz",
            f"blitz isn't a clock. Write KEY=VALUE, such as turn=60, or use one of these names: {NAMES}.",
        ),
        ("round=60", f"There is no clock called round. Clocks: {', '.join(ALL_CLOCK_KEYS)}."),
        ("turn=60, turn=30", "The clock turn is set twice; set it once."),
        ("turn=0", "turn must be a time from 1 second to 24:00:00, such as 90 or 1:30, not 0."),
        ("turn=-5", "turn must be a time from 1 second to 24:00:00, such as 90 or 1:30, not -5."),
        ("turn=soon", "turn must be a time from 1 second to 24:00:00, such as 90 or 1:30, not soon."),
        ("turn=1:75", "turn must be a time from 1 second to 24:00:00, such as 90 or 1:30, not 1:75."),
        ("turn=", "turn must be a time from 1 second to 24:00:00, such as 90 or 1:30, not ."),
        ("game=86401", "game must be a time from 1 second to 24:00:00, such as 90 or 1:30, not 86401."),
        ("turn=60 bang", "turn: what happens when time is up must be ring or answer, not bang."),
        (
            "game=60 answer",
            'The clock "game" can only ring when its time is up, because no answer can end a game.',
        ),
        (
            "Raise=up",
            'Only the clocks "turn", "lot" and "game" can count up. The clock "Raise" needs a time limit.',
        ),
        (
            "budget=up",
            'Only the clocks "turn", "lot" and "game" can count up. The clock "budget" needs a time limit.',
        ),
        ("increment=10", '"increment" works only with a time limit for "budget".'),
        ("delay=10", '"delay" works only with a time limit for "budget".'),
        ("turn=60, bronstein=10", '"bronstein" works only with a time limit for "budget".'),
        (
            "budget=60, delay=5, bronstein=5",
            "A budget works with only one of these settings: delay, bronstein.",
        ),
        ("extension=10", '"extension" works only with a time limit for "lot".'),
        ("extension=10, lot=up", '"extension" works only with a time limit for "lot".'),
        ("lot=60, extension=61", '"extension" can be at most 60 seconds, the total time for one lot.'),
        (
            "budget=60, increment=ring",
            "increment must be a time from 1 second to 24:00:00, such as 90 or 1:30, not ring.",
        ),
    ],
)
def test_settings_that_clash(text: str, why: str) -> None:
    """What can't be is refused with one sentence, which names the key and what is allowed."""
    with pytest.raises(UserError) as refused:
        parse_clocks(text)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("lot = true", "lot must be a time from 1 second to 24:00:00, such as 90 or 1:30, not true."),
        ("lot = 1.5", "lot must be a time from 1 second to 24:00:00, such as 90 or 1:30, not 1.5."),
        ("lot = [60]", "lot must be a time from 1 second to 24:00:00, such as 90 or 1:30, not a list."),
        ("increment = 10", '"increment" works only with a time limit for "budget".'),
    ],
)
def test_a_file_that_clashes(text: str, why: str) -> None:
    """The sentence about a file begins with its name."""
    with pytest.raises(UserError) as refused:
        parse_clocks_toml(text, "c.toml")
    assert str(refused.value) == f"c.toml: {why}"


def test_a_file_that_is_no_toml() -> None:
    """What TOML itself refuses is said with the name of the file."""
    with pytest.raises(UserError, match=r"^c\.toml is not valid TOML: "):
        parse_clocks_toml("turn = = 5", "c.toml")


def test_the_page_about_clocks() -> None:
    """The page names every key, and says in full what each preset is."""
    page = (Path(__file__).parents[2] / "docs/clocks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| (?:`(.*)` )?\|$", page, re.MULTILINE)
    assert {name: parse_clocks(full) for name, full in rows if name in CLOCK_PRESETS} == {
        name: parse_clocks(name) for name in CLOCK_PRESETS
    }
    assert all(f"`{key}`" in page for key in ALL_CLOCK_KEYS)
