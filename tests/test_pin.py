"""The PIN: what is saved of it lets the right digits in, and doesn't contain them."""

from __future__ import annotations

import pytest

from companion.pin import hash_pin, is_pin, is_pin_correct, is_saved_pin


def test_only_the_right_digits_are_correct() -> None:
    """Zeros at the beginning count; what is saved has none of the digits in order, and is new each time."""
    saved = hash_pin("0042")
    assert is_pin_correct("0042", saved)
    assert not is_pin_correct("4200", saved)
    assert is_saved_pin(saved)
    assert saved != hash_pin("0042")


@pytest.mark.parametrize("text", ["", "42", "00042", "004a", "٠٠٤٢", "0042\n"])
def test_a_pin_has_four_digits(text: str) -> None:
    """Western digits, and nothing else."""
    assert is_pin("0042")
    assert not is_pin(text)
    assert not is_saved_pin(text)
