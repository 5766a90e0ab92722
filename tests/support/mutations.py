"""Mutates valid texts, as a mailed file, another program or a typing error may.

`mutate(text, rng)` changes one to a few spots: letters, words, lines, or pieces of other texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random

MUTATION_MARKER = "ž"
"""No valid text has this letter, so an output that repeats it repeats the mutation."""
ODD_NUMBERS: tuple[str, ...] = (
    *("0", "-1", "1", "2", "7", "99", "100", "999", "99999", "999999999", "-999999999", "1000000001"),
    *(str(2**31), str(2**53), str(2**63), str(2**64), "9" * 400, "9" * 5_000, "-" + "9" * 1_000),
)
ODD_WORDS: tuple[str, ...] = (
    *("", " ", *ODD_NUMBERS),
    *("1.5", "-0.0", "1e5", "1e308", "1e999", "-1e999", "NaN", "Infinity", "inf", "0x10", "1_000"),
    *("null", "true", "false", "no", "any", "{}", "[]", '""', "''", '{"": null}', "[[]]", "{Aki: 3}"),
    *('"\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"\\u001b[2J"', "\x1b[2J", "\x9b2J", "\x00", "\x7f"),
    *("\u202e", "\u2028", "\ufeff", "\r", "\t", "\n", "　", "é", "e\u0301", "名", "😀"),
    *("×", "=", "  (", " -> ", ": ", ", "),
    *("{", "}", "[", "]", '"', "'", "\\", "#", "@1", "@9", "{0}", "{x}", "{x.y}", "{n:>999999999}", "%s"),
    *(
        MUTATION_MARKER * 250,
        MUTATION_MARKER * 10_000,
        f'"{MUTATION_MARKER * 10_000}"',
        "[" * 20_000,
        "{" * 3_000,
        '{"a":' * 3_000,
    ),
    *("[" * 60 + "]" * 60, "[" * 900 + "]" * 900, "1," * 5_000, "1 " * 5_000, "a." * 5_000),
)
"""Words that a mutation may put anywhere."""
MAX_LETTERS = 1_500_000
"""A longer text finds no more faults."""
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|-?[0-9.]+|[A-Za-z_]\w*|[^\w\s]')


def mutate(text: str, rng: Random, others: Sequence[str] = ()) -> str:
    """Returns the text with one to eight mutations; `others` are valid texts of the same kind."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        text = rng.choice(CHANGES)(text, rng, others or (text,))[:MAX_LETTERS]
    return text


def _random_token(text: str, rng: Random) -> re.Match[str] | None:
    """Finds a random word, number or sign; every position of the text is equally likely."""
    begin = rng.randrange(len(text) + 1)
    return TOKEN.search(text, begin) or TOKEN.search(text)


def _replace_with_odd_word(text: str, rng: Random, _: Sequence[str]) -> str:
    spot = _random_token(text, rng)
    word = rng.choice(ODD_WORDS)
    return word if spot is None else text[: spot.start()] + word + text[spot.end() :]


def _replace_with_known_word(text: str, rng: Random, others: Sequence[str]) -> str:
    """Replaces a word by another word of this text or of another text."""
    spot, other = _random_token(text, rng), _random_token(borrowed := rng.choice([text, *others]), rng)
    if spot is None or other is None:
        return borrowed
    return text[: spot.start()] + other[0] + text[spot.end() :]


def _insert_odd_word(text: str, rng: Random, _: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(ODD_WORDS) + text[at:]


def _delete_letters(text: str, rng: Random, _: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + text[at + rng.choice((1, 1, 2, 5, 40)) :]


def _truncate(text: str, rng: Random, _: Sequence[str]) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _change_lines(change: Callable[[list[str], Random, Sequence[str]], object]) -> Callable[..., str]:
    def changed(text: str, rng: Random, others: Sequence[str]) -> str:
        lines = text.split("\n")
        change(lines, rng, others)
        return "\n".join(lines)

    return changed


def _replace_number(lines: list[str], rng: Random, _: Sequence[str]) -> None:
    """Replaces a number; every line with numbers is equally likely, however few numbers it has."""
    numbered = [at for at, line in enumerate(lines) if NUMBER.search(line)]
    if numbered:
        at = rng.choice(numbered)
        count = sum(1 for _ in NUMBER.finditer(lines[at]))  # a long line has too many numbers for a list
        spot = next(islice(NUMBER.finditer(lines[at]), rng.randrange(count), None))
        lines[at] = lines[at][: spot.start()] + rng.choice(ODD_NUMBERS) + lines[at][spot.end() :]


def _delete_line(lines: list[str], rng: Random, _: Sequence[str]) -> None:
    del lines[rng.randrange(len(lines))]


def _repeat_line(lines: list[str], rng: Random, _: Sequence[str]) -> None:
    """Repeats a line once, or up to the longest text."""
    at, where = rng.randrange(len(lines)), rng.randrange(len(lines) + 1)
    most = 1 + MAX_LETTERS // (1 + len(lines[at]))
    lines[where:where] = [lines[at]] * min(most, rng.choice((1, 1, 1, 100, 3_000)))


def _move_line(lines: list[str], rng: Random, _: Sequence[str]) -> None:
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)


def _insert_other_line(lines: list[str], rng: Random, others: Sequence[str]) -> None:
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(rng.choice(others).split("\n")))


def _append_other_end(lines: list[str], rng: Random, others: Sequence[str]) -> None:
    other = rng.choice(others).split("\n")
    lines[rng.randrange(len(lines)) :] = other[rng.randrange(len(other)) :]


CHANGES: tuple[Callable[[str, Random, Sequence[str]], str], ...] = (
    *(
        _replace_with_odd_word,
        _replace_with_odd_word,
        _replace_with_odd_word,
        _replace_with_odd_word,
        _replace_with_known_word,
        _replace_with_known_word,
    ),
    *(
        _change_lines(_replace_number),
        _change_lines(_replace_number),
        _insert_odd_word,
        _delete_letters,
        _truncate,
        _change_lines(_delete_line),
    ),
    *(
        _change_lines(_repeat_line),
        _change_lines(_move_line),
        _change_lines(_insert_other_line),
        _change_lines(_append_other_end),
    ),
)
