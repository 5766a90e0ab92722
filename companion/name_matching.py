"""Finds the thing that a name means as people spell it, and compares names.

Every look-up of a name uses `find_by_name`: the exact name wins, then a name that reads the same. The module
knows no seat, no piece and no language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import combinations
from typing import Generic, NamedTuple, TypeVar
from unicodedata import normalize

T = TypeVar("T")
MIN_SIMILARITY, MIN_PREFIX_LETTERS = 0.7, 3
"""How similar two words must be (difflib), and how many first letters may stand for a name."""
_KEYBOARD_VARIANTS = str.maketrans(
    {**dict.fromkeys("‘’ʼ′", "'"), **dict.fromkeys("‐‑‒–—―−", "-"), **dict.fromkeys(",、", " ")}
)
"""Apostrophes and dashes that keyboards mix up become one kind. A comma separates words, as a space does."""
_INVISIBLE_CHARACTERS = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff"
    "\U000e0100-\U000e01ef]"
)
"""Characters that take no room on a screen, so names don't differ by them."""


def fold_name(name: str) -> str:
    """Returns the folded form of a name: names that read the same have the same form.

    The form is empty if nothing of the name is visible. Capitals, width, accents in one letter or two, ß and
    ss, kinds of apostrophes and dashes, and the number of spaces make no difference: Unicode's NFKC_Casefold,
    and what keyboards mix up.
    """
    return _fold_name(name)


@lru_cache(maxsize=1024)  # a table's names are compared at each line that is typed
def _fold_name(name: str) -> str:
    folded = _INVISIBLE_CHARACTERS.sub("", normalize("NFKC", name))
    folded = normalize("NFKC", normalize("NFKC", normalize("NFD", folded).casefold()).casefold())
    return " ".join(folded.translate(_KEYBOARD_VARIANTS).split())


def are_same_name(one: str, other: str) -> bool:
    """Returns whether two names read the same."""
    return fold_name(one) == fold_name(other)


def find_by_name(name: str, names_by_thing: Mapping[T, Collection[str]]) -> list[T]:
    """Returns the things that have this name.

    If no thing has exactly this name, those whose name reads the same are returned.
    """
    exact = [thing for thing, names in names_by_thing.items() if name in names]
    if exact:
        return exact
    folded = fold_name(name)
    return [thing for thing, names in names_by_thing.items() if folded and folded in map(fold_name, names)]


class LeadingWordsMatch(NamedTuple, Generic[T]):
    """The things that words at the start of a line name, and the number of those words."""

    things: list[T]
    word_count: int


def find_by_leading_words(
    words: Sequence[str], names_by_thing: Mapping[T, Collection[str]]
) -> LeadingWordsMatch[T]:
    """Returns the match of the most leading words; without a match, no things and 0 words."""
    max_words = max(
        (len(fold_name(name).split()) for names in names_by_thing.values() for name in names), default=0
    )
    for word_count in range(min(max_words, len(words)), 0, -1):
        if things := find_by_name(" ".join(words[:word_count]), names_by_thing):
            return LeadingWordsMatch(things, word_count)
    return LeadingWordsMatch([], 0)


def suggest_name(word: str, names: Iterable[str]) -> str | None:
    """Returns the name that was probably meant by a word.

    It is the only name with this beginning, else the most similar one.
    """
    names_by_folded_name = {fold_name(name): name for name in names}
    similar = get_close_matches(fold_name(word), names_by_folded_name, n=1, cutoff=MIN_SIMILARITY)
    beginning_with_word = [
        name
        for name in names_by_folded_name
        if len(word) >= MIN_PREFIX_LETTERS and name.startswith(fold_name(word))
    ]
    folded_names = beginning_with_word if len(beginning_with_word) == 1 else similar
    return names_by_folded_name[folded_names[0]] if folded_names else None


def find_indistinguishable_names(names: Sequence[str]) -> tuple[str, str] | None:
    """Returns two of these names that read the same; None if all can be told apart."""
    pairs = combinations(names, 2)
    return next((pair for pair in pairs if fold_name(pair[0]) == fold_name(pair[1])), None)


def split_graphemes(text: str) -> list[str]:
    """Returns the graphemes of a text: the letters as people see them (UAX 29).

    A base with its marks, or a flag, is one.
    """
    if text.isascii():
        return list(text)
    import regex  # takes 20 ms to load, and most names never need it

    return regex.findall(r"\X", text)


def count_graphemes(text: str) -> int:
    """Returns the number of letters that people see."""
    return len(split_graphemes(text))
