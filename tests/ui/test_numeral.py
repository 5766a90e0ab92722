"""Half-typed numbers: tables of keys, without any widget."""

from __future__ import annotations

import pytest

from ui.widgets.keys.typed_number import TypedNumber


def keyed(keys: str) -> TypedNumber:
    """What keys make of nothing: digits, `<` deletes, `±` turns."""
    numeral = TypedNumber()
    for key in keys:
        match key:
            case "<":
                numeral = numeral.without_last_digit_or_sign()
            case "±":
                numeral = numeral.with_opposite_sign()
            case _:
                numeral = numeral.with_digit(key)
    return numeral


@pytest.mark.parametrize(
    ("keys", "shown", "amount"),
    [
        ("", "–", None),
        ("<", "–", None),
        ("0", "0", 0),
        ("00", "0", 0),
        ("07", "7", 7),
        ("12", "12", 12),
        ("12<", "1", 1),
        ("12<<", "–", None),
        ("0<", "–", None),
        ("±", "−", None),
        ("±±", "–", None),
        ("±<", "–", None),
        ("±1", "−1", -1),
        ("1±", "−1", -1),
        ("±1<", "−", None),
        ("±1<<", "–", None),
        ("±1±", "1", 1),
        ("±0", "−0", 0),
        ("±05", "−5", -5),
        ("±9999<<<<", "−", None),
        ("123456789", "12345678", 12345678),
        ("±123456789", "−12345678", -12345678),
    ],
)
def test_every_state_of_a_half_typed_number(keys: str, shown: str, amount: int | None) -> None:
    """A sign alone is a state, and no number yet; each key has a next state in each."""
    assert (keyed(keys).display_text, keyed(keys).amount) == (shown, amount)


@pytest.mark.parametrize(
    ("before", "steps", "limits", "after"),
    [
        (None, 1, (0, 99), 1),
        (None, -1, (0, 99), 0),
        (None, 1, (-9999, 9999), 1),
        (None, -1, (-9999, 9999), -1),
        (0, -1, (-9999, 9999), -1),
        (-9999, -1, (-9999, 9999), -9999),
        (None, 1, (5, 99), 5),
        (None, -1, (5, 99), 5),
        (None, 5, (5, 99), 5),
        (None, 5, (3, 99), 5),
        (98, 5, (5, 99), 99),
        (3, 1, (5, 99), 5),
        (400, -1, (5, 99), 99),
        (None, 1, (-9, -3), -3),
        (None, 1, (60, None, 10), 60),
        (60, 5, (60, None, 10), 110),
        (12, 1, (10, 50, 5), 15),
        (17, -1, (10, 50, 5), 15),
        (49, 1, (10, 52, 5), 50),
        (None, 1, (-5, 9, 2), 1),
        (None, -1, (-5, 9, 2), -1),
        (99999999, 1, (0, None), 99999999),
        (7, 1, (100, 99), 100),
    ],
)
def test_a_step_leads_to_an_allowed_number(
    before: int | None, steps: int, limits: tuple[int, int | None], after: int
) -> None:
    """From nothing it counts from 0, or leads to the least where that is above 0."""
    assert TypedNumber.from_amount(before).changed_by_steps(steps, *limits).amount == after


@pytest.mark.parametrize(
    ("key", "amount"), [("7", 7), ("<", 1), ("±", -12)], ids=["a digit", "delete", "the sign"]
)
def test_only_a_digit_replaces_what_is_offered(key: str, amount: int) -> None:
    """12 is offered; to delete or to turn it is to take it up."""
    offered = TypedNumber.from_amount(12, is_offered=True)
    after = {"<": offered.without_last_digit_or_sign(), "±": offered.with_opposite_sign()}.get(
        key
    ) or offered.with_digit(key)
    assert (after.amount, after.is_offered) == (amount, False)


def test_a_number_with_more_digits_than_people_can_type_takes_no_digit() -> None:
    """Step keys reach such numbers if the limit allows them; the number stays until a digit is deleted."""
    number = TypedNumber.from_amount(99_999_999).changed_by_steps(5, 0, 10**9)
    assert number.amount == 100_000_004
    assert number.with_digit("7") == number
    assert number.without_last_digit_or_sign().amount == 10_000_000


@pytest.mark.parametrize(
    ("number", "steps", "after"),
    [
        (None, 1, 2),
        (2, 1, 5),
        (2, 5, 9),
        (9, 1, 9),
        (4, 1, 5),
        (9, -1, 5),
        (2, -1, 2),
        (6, -1, 5),
        (None, -1, 2),
    ],
)
def test_steps_from_one_own_number_to_another(number: int | None, steps: int, after: int) -> None:
    """A step goes to the next higher or lower number of the bidder's own, and stops at both ends."""
    typed = TypedNumber.from_amount(number)
    assert typed.changed_to_further_value(steps, (2, 5, 9)).amount == after
