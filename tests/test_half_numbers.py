"""Numbers with a half: arithmetic compared with fractions, and how they are read and written."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from operator import add, floordiv, ge, gt, le, lt, mod, sub
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.half_numbers import (
    HalfNumber,
    WholeOrHalf,
    halves_of,
    number_as_ascii,
    number_from_float,
    number_from_halves,
    number_from_json,
    number_to_json,
    parse_number,
)
from companion.texts import parse_text_json, render, say, say_n, text_to_json

HALVES = st.integers(-(2 * 10**8), 2 * 10**8)


def as_fraction(number: WholeOrHalf) -> Fraction:
    """The number as Python's own fractions have it."""
    return Fraction(halves_of(number), 2)


@pytest.mark.parametrize("operation", [add, sub, lt, le, gt, ge])
@given(one=HALVES, other=HALVES)
def test_numbers_count_like_fractions(operation: Callable[[Any, Any], Any], one: int, other: int) -> None:
    """Sums, differences and comparisons are exact, whether the numbers are whole or not."""
    result: Any = operation(number_from_halves(one), number_from_halves(other))
    expected = operation(Fraction(one, 2), Fraction(other, 2))
    assert (result if isinstance(result, bool) else as_fraction(result)) == expected


@pytest.mark.parametrize("operation", [floordiv, mod])
@given(one=HALVES, other=HALVES.filter(bool))
def test_steps_are_counted_like_fractions(operation: Callable[[Any, Any], Any], one: int, other: int) -> None:
    """Division by a step and its remainder are exact too."""
    result = operation(number_from_halves(one), number_from_halves(other))
    assert as_fraction(result) == operation(Fraction(one, 2), Fraction(other, 2))


@given(halves=HALVES, factor=st.integers(-1000, 1000))
def test_multiples_are_exact(halves: int, factor: int) -> None:
    """So are multiples, the number below zero, its size, and the number as a float."""
    number: Any = number_from_halves(halves)
    assert as_fraction(number * factor) == as_fraction(factor * number) == Fraction(halves * factor, 2)
    assert as_fraction(-number) == -Fraction(halves, 2)
    assert as_fraction(abs(number)) == abs(Fraction(halves, 2))
    assert float(number) == halves / 2


@given(halves=HALVES)
def test_a_number_is_read_as_it_was_written(halves: int) -> None:
    """As text, for a display, and as JSON; a whole number is an int everywhere."""
    number = number_from_halves(halves)
    assert isinstance(number, int) == (halves % 2 == 0)
    assert parse_number(str(number)) == parse_number(number_as_ascii(number)) == number
    assert number_from_json(json.loads(json.dumps(number_to_json(number)))) == number
    assert number_from_float(number_to_json(number)) == number
    assert type(number_to_json(number)) is (float if halves % 2 else int)


@pytest.mark.parametrize(
    ("halves", "text"), [(15, "7½"), (14, "7"), (1, "½"), (-1, "-½"), (-7, "-3½"), (0, "0"), (21, "10½")]
)
def test_a_half_is_written_with_its_sign(halves: int, text: str) -> None:
    """A half alone has no 0 before it."""
    assert str(number_from_halves(halves)) == text
    assert f"{number_from_halves(halves):>5}" == f"{text:>5}"


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("7½", 15),
        ("7 ½", 15),
        ("7 1/2", 15),
        ("7.5", 15),
        ("7,5", 15),
        ("-0.5", -1),
        ("1/2", 1),
        ("-½", -1),
        (".5", 1),
        (",5", 1),
        ("-.5", -1),
    ],
)
def test_a_half_is_typed_in_many_ways(text: str, halves: int) -> None:
    """With the sign, as a fraction, and with a point or a comma; 0 may be left out."""
    assert parse_number(text) == HalfNumber(halves)


@pytest.mark.parametrize(("text", "number"), [("7.0", 7), ("7,0", 7), ("-7.0", -7), ("0.0", 0)])
def test_a_whole_number_may_have_a_0_after_the_point(text: str, number: int) -> None:
    """As people write it beside halves: 7.0 and 7.5."""
    assert parse_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "-", "7.", ".", ".0", ".55", "7.50", "7.00", "7.05", "7.25", "71/2", "7½½", "½7", "--7", "1e1"],
)
def test_anything_else_is_no_number(text: str) -> None:
    """Nothing is guessed or rounded."""
    assert parse_number(text) is None


@pytest.mark.parametrize("value", [0.25, 0.1 + 0.2, float("nan"), float("inf"), True, "7.5", None, [7.5]])
def test_json_that_is_no_half_is_no_number(value: object) -> None:
    """True doesn't count as 1."""
    assert number_from_json(value) is None


def test_a_half_stands_in_texts() -> None:
    """It takes the plural, in every language."""
    assert render(say("{n} for you", n=HalfNumber(15))) == "7½ for you"
    assert render(say_n("{n} point", "{n} points", n=HalfNumber(1))) == "½ points"


def test_a_saved_text_about_a_half_is_read_again() -> None:
    """A label of a saved score may count halves; another text is no number."""
    saved = text_to_json(say_n("{n} point", "{n} points", n=HalfNumber(15)))
    assert render(parse_text_json(saved)) == "7½ points"
    with pytest.raises(ValueError, match="without what it says"):
        parse_text_json({**saved, "args": {"n": "many"}})
