"""The letters on a closed envelope."""

import pytest

from companion.log.events import SEAL_ALPHABET, SEAL_BITS, normalize_seal_letters, seal_letters


def test_the_letters_are_the_first_sixty_bits() -> None:
    """Five to each, from the first: twelve letters in three groups."""
    assert seal_letters("0" * 64) == "0000 0000 0000"
    assert seal_letters("f" * 15 + "0" * 49) == "ZZZZ ZZZZ ZZZZ"
    assert seal_letters("00443214c74254b" + "0" * 49) == "0123 4567 89AB"
    shown = {seal_letters(f"{1 << bit:064x}") for bit in range(256 - SEAL_BITS, 256)}
    assert len(shown) == SEAL_BITS


def test_no_letter_looks_like_another() -> None:
    """Of 0 and O, of 1, I and L only the digit is there."""
    assert len(set(SEAL_ALPHABET)) == 32
    assert not set("OIL") & set(SEAL_ALPHABET)


@pytest.mark.parametrize("noted", ["K7M0 931D 2HVT", "k7mo93ld2hvt", "k7mo-93id-2hvt", " K7M 0931 D2HVT "])
def test_letters_are_read_as_people_write_them(noted: str) -> None:
    """Small or large, in whatever groups, with letters for digits that look like them."""
    assert normalize_seal_letters(noted) == "K7M0 931D 2HVT"
