"""Which names are the same, which name a word means, and how many letters people count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.name_matching import (
    count_graphemes,
    find_by_leading_words,
    find_by_name,
    find_indistinguishable_names,
    fold_name,
)

SAME = [
    ("Ann", "ann"),
    ("Ann", "ＡＮＮ"),
    ("Zoé", "Zoe\u0301"),
    ("Groß", "GROSS"),
    ("ﬁona", "Fiona"),
    ("ガイ", "ｶﾞｲ"),
    ("O'Neil", "O’Neil"),
    ("Anna-Lena", "Anna‐Lena"),
    ("Ann B", "Ann  B"),
    ("Ann B", "Ann、B"),
    ("Ann", "Ann\ufe0f"),
    ("İnci", "i̇nci"),
    ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_read_the_same(one: str, other: str) -> None:
    """Capitals, width, accents, ß, apostrophes, dashes, spaces and what can't be seen make no other name."""
    assert fold_name(one) == fold_name(other) != ""
    assert find_indistinguishable_names(["Ben", one, other]) == (one, other)
    assert find_by_name(other, {1: ("Ben",), 2: (one,)}) == [2]


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("あき", "アキ"), ("Zoe", "Zoé"), ("A B", "AB")])
def test_names_that_differ(one: str, other: str) -> None:
    """An accent, another script and a space are another name."""
    assert find_indistinguishable_names([one, other]) is None
    assert find_by_name(other, {1: (one,)}) == []


@given(st.text())
def test_a_folded_name_stays_as_it_is(name: str) -> None:
    """Folding twice changes nothing, so that it doesn't matter who has folded before."""
    assert fold_name(fold_name(name)) == fold_name(name)


def test_an_exact_name_wins() -> None:
    """What is written as it is means that one; any other spelling means all that read the same."""
    called = {1: ("Ann",), 2: ("ann",)}
    assert [find_by_name(word, called) for word in ("Ann", "ann", "ANN", "Ben", "", "\ufe0f")] == [
        [1], [2], [1, 2], [], [], []
    ]  # fmt: skip  # one line a row


def test_the_longest_name_counts() -> None:
    """Of the first words as many as are a name, however its spaces are typed."""
    called = {1: ("Ann",), 2: ("Ann von B",)}
    assert find_by_leading_words(["ann", "VON", "b", "7"], called) == ([2], 3)
    assert find_by_leading_words(["Ann", "von", "7"], called) == ([1], 1)
    assert find_by_leading_words(["7", "Ann"], called) == ([], 0)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("Anna-Katharina", 14),
        ("Zoe\u0301", 3),
        ("e\u0301\u0323\u0308", 1),
        ("ガｶﾞ", 2),
        ("한\u1112\u1161\u11ab각\u11a8", 3),
        ("\u1112\u1112\u1161", 1),
        ("กำ", 1),
        ("❤️👍🏽", 2),
        ("👨\u200d👩\u200d👧a", 2),
        ("🇯🇵🇩🇪🇫", 3),
    ],
)
def test_letters_are_counted_as_people_see_them(text: str, count: int) -> None:
    """A letter with its marks, a syllable, a flag and a family are one."""
    assert count_graphemes(text) == count
