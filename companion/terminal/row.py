"""A round that all may see, in one line: `12 -3 10` as people sit, or `Aki 12 Ben -3` by name.

An answer is one word; of several numbers `2/1`. How it is read is said by the form of its part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from companion.errors import IllegalAnswer
from companion.requests import Choose, Counts, Request, Together
from companion.table.seats import Seat, name_first
from companion.terminal.terminal import called
from companion.words import Say, listed, say

ROW = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9})*")
"""What stands for one of the people in a row of numbers."""
Reads = Callable[[Request[Any], str], object]
"""The answer's JSON form of one part's words; raises `IllegalAnswer` where it can't be read."""


def hints(question: Together[Any], of: Callable[[Request[Any]], list[Say]]) -> list[Say]:
    """What may be typed for each seat, once where that is the same for all; then how to type a round."""
    each = {seat: _what(question.parts[seat], of) for seat in _in_order(question)}
    first = next(iter(each.values()))
    told = first
    if any(lines != first for lines in each.values()):
        told = [say("{seat}: {question}", seat=seat, question=line) for seat in each for line in each[seat]]
    return [*told, say("{how}", how=_how(question))]


def given(question: Together[Any], line: str, reads: Reads) -> dict[Seat, object]:
    """The answers of all who are asked, or of those who are named; raises `IllegalAnswer`."""
    answers = _given(question, line, reads)
    for seat, answer in answers.items():
        _check(question.parts[seat], seat, answer)
    return answers


def _check(part: Request[Any], seat: Seat, answer: object) -> None:
    """Several numbers are refused by what they count; of several rows it is said whose."""
    try:
        part.check(part.load(answer))
    except IllegalAnswer as error:
        if isinstance(part, Counts):
            raise IllegalAnswer(say("{seat}: {why}", seat=seat, why=error.text)) from None
        raise


def _given(question: Together[Any], line: str, reads: Reads) -> dict[Seat, object]:
    words, seats = line.replace(",", " ").split(), _in_order(question)
    if len(words) == len(seats):
        with suppress(IllegalAnswer):  # they may be a name and its answer
            return {seat: _read(question, seat, word, reads) for seat, word in zip(seats, words, strict=True)}
    return {seat: _read(question, seat, word, reads) for seat, word in _named(question, words)}


def is_offered(choice: str, question: Request[Any] | None) -> bool:
    """Whether the choice that opens a round can be made now."""
    return isinstance(question, Choose) and choice in question.offered


def is_one(line: str, people: int) -> bool:
    """Whether it is nothing but a number for each of so many people."""
    words = line.replace(",", " ").split()
    return len(words) == people > 1 and all(map(ROW.fullmatch, words))


def _named(question: Together[Any], words: Sequence[str]) -> Iterator[tuple[Seat, str]]:
    names, left = called(question.parts), list(words)
    while left:
        named = name_first(left, names)
        if named is None or len(left) == named[1]:
            raise IllegalAnswer(say("Type {how}.", how=_how(question)))
        seat, cut = named
        yield seat, left[cut]
        del left[: cut + 1]


def _read(question: Together[Any], seat: Seat, word: str, reads: Reads) -> object:
    return reads(question.parts[seat], word.replace("/", " "))


def _in_order(question: Together[Any]) -> list[Seat]:
    return sorted(question.parts, key=lambda seat: seat.number)


def _what(part: Request[Any], of: Callable[[Request[Any]], list[Say]]) -> list[Say]:
    """What may be answered; how several numbers are typed is otherwise here than alone."""
    return of(part)[:-1] if isinstance(part, Counts) else of(part)


def _how(question: Together[Any]) -> Say:
    seats = _in_order(question)
    part = question.parts[seats[0]]
    example = "/".join(map(str, range(1, 1 + len(part.counted)))) if isinstance(part, Counts) else "7"
    text = '{n} answers in this order: {seats}; or only some answers with names, such as "{seat} {example}"'
    return say(text, n=len(seats), seats=listed(seats), seat=seats[0], example=example)
