"""Names as people spell them: which of them are the same, and how many letters they have.

Every look-up of a name goes by `find`: the name as it is written wins, else what reads the same. It knows no
seat, no piece and no language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import combinations
from typing import TypeVar
from unicodedata import normalize

T = TypeVar("T")
MIN_SIMILARITY, MIN_PREFIX_LETTERS = 0.7, 3
"""How much of two words must be the same (difflib), and how many letters begin a name."""
_KEYBOARD_VARIANTS = str.maketrans(
    {**dict.fromkeys("‘’ʼ′", "'"), **dict.fromkeys("‐‑‒–—―−", "-"), **dict.fromkeys(",、", " ")}
)
"""Apostrophes and dashes that keyboards put in each other's place; commas separate words."""
_INVISIBLE_CHARACTERS = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff"
    "\U000e0100-\U000e01ef]"
)
"""What takes no room on a screen, so that no name differs by it."""


def fold_name(name: str) -> str:
    """Returns the form in which names are compared; empty if nothing of the name is visible.

    Capitals, width, accents in one letter or two, ß and ss, kinds of apostrophes and dashes, and the number
    of spaces make no difference: Unicode's NFKC_Casefold, and what keyboards mix up.
    """
    return _fold_name(name)


@lru_cache(maxsize=1024)  # a table's names are compared at each line that is typed
def _fold_name(name: str) -> str:
    plain = _INVISIBLE_CHARACTERS.sub("", normalize("NFKC", name))
    plain = normalize("NFKC", normalize("NFKC", normalize("NFD", plain).casefold()).casefold())
    return " ".join(plain.translate(_KEYBOARD_VARIANTS).split())


def find_by_name(word: str, called: Mapping[T, Collection[str]]) -> list[T]:
    """The things that are called so: those of this very name, else those whose name reads the same."""
    exact = [thing for thing, names in called.items() if word in names]
    if exact:
        return exact
    folded = fold_name(word)
    return [thing for thing, names in called.items() if folded and folded in map(fold_name, names)]


def find_name_at_start(words: Sequence[str], called: Mapping[T, Collection[str]]) -> tuple[list[T], int]:
    """The things that as many of the first words as possible name, and how many words these are."""
    longest = max((len(fold_name(name).split()) for names in called.values() for name in names), default=0)
    for cut in range(min(longest, len(words)), 0, -1):
        if found := find_by_name(" ".join(words[:cut]), called):
            return found, cut
    return [], 0


def suggest_name(word: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant: one spelled much like the word, or the only one that begins so."""
    folded = {fold_name(name): name for name in names}
    near = get_close_matches(fold_name(word), folded, n=1, cutoff=MIN_SIMILARITY)
    begun = [name for name in folded if len(word) >= MIN_PREFIX_LETTERS and name.startswith(fold_name(word))]
    found = begun if len(begun) == 1 else near
    return folded[found[0]] if found else None


def find_indistinguishable_names(names: Sequence[str]) -> tuple[str, str] | None:
    """Two of these names that read the same; None where all can be told apart."""
    return next(
        ((one, other) for one, other in combinations(names, 2) if fold_name(one) == fold_name(other)), None
    )


def split_graphemes(text: str) -> list[str]:
    """The letters as people see them (UAX 29): a base with its marks, or a flag, is one."""
    if text.isascii():
        return list(text)
    import regex  # takes 20 ms to load, and most names never need it

    return regex.findall(r"\X", text)


def count_graphemes(text: str) -> int:
    """How many letters people see."""
    return len(split_graphemes(text))
