"""A round that all may see, in one line: `12 -3 10` as people sit, or `Aki 12 Ben -3` by name.

An answer is one word; of several numbers `2/1`. How it is read is said by the form of its part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from companion.errors import IllegalAnswer
from companion.requests import OptionField, QuantitiesField, Request
from companion.table.seats import Seat, find_leading_name
from companion.terminal import forms
from companion.terminal.terminal import called
from companion.words import Say, listed, say

ROW = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9})*")
"""What stands for one of the people in a row of numbers."""
Parts: TypeAlias = Mapping[Seat, Request[Any]]
"""What each seat is asked."""


def hints(parts: Parts) -> list[Say]:
    """What may be typed for each seat, once where that is the same for all; then how to type a round."""
    each = {seat: _what(parts[seat]) for seat in _in_order(parts)}
    first = next(iter(each.values()))
    told = first
    if any(lines != first for lines in each.values()):
        told = [say("{seat}: {question}", seat=seat, question=line) for seat in each for line in each[seat]]
    return [*told, say("{how}", how=_how(parts))]


def read_line(parts: Parts, line: str, language: str) -> dict[Seat, object]:
    """The answers of all who are asked, or of those who are named; raises `IllegalAnswer`."""
    answers = _read_all(parts, line, language)
    for seat, answer in answers.items():
        _check(parts[seat], seat, answer)
    return answers


def _check(part: Request[Any], seat: Seat, answer: object) -> None:
    """Several numbers are refused by what they count; of several rows it is said whose."""
    try:
        part.check(part.load(answer))
    except IllegalAnswer as error:
        if isinstance(part.form.field, QuantitiesField):
            raise IllegalAnswer(say("{seat}: {why}", seat=seat, why=error.text)) from None
        raise


def _read_all(parts: Parts, line: str, language: str) -> dict[Seat, object]:
    words, seats = line.replace(",", " ").split(), _in_order(parts)
    if len(words) == len(seats):
        with suppress(IllegalAnswer):  # they may be a name and its answer
            return {seat: _read(parts, seat, word, language) for seat, word in zip(seats, words, strict=True)}
    return {seat: _read(parts, seat, word, language) for seat, word in _named(parts, words)}


def is_offered(choice: str, question: Request[Any] | None) -> bool:
    """Whether the choice that opens a round can be made now."""
    field = question.form.field if question else None
    return isinstance(field, OptionField) and choice in field.options


def is_one(line: str, people: int) -> bool:
    """Whether it is nothing but a number for each of so many people."""
    words = line.replace(",", " ").split()
    return len(words) == people > 1 and all(map(ROW.fullmatch, words))


def _named(parts: Parts, words: Sequence[str]) -> Iterator[tuple[Seat, str]]:
    names, left = called(parts), list(words)
    while left:
        named = find_leading_name(left, names)
        if named is None or len(left) == named[1]:
            raise IllegalAnswer(say("Type {how}.", how=_how(parts)))
        seat, cut = named
        yield seat, left[cut]
        del left[: cut + 1]


def _read(parts: Parts, seat: Seat, word: str, language: str) -> object:
    return forms.read_line(parts[seat].form, word.replace("/", " "), language, seat)


def _in_order(parts: Parts) -> list[Seat]:
    return sorted(parts, key=lambda seat: seat.number)


def _what(part: Request[Any]) -> list[Say]:
    """What may be answered; how several numbers are typed is otherwise here than alone."""
    form = part.form
    return forms.hints(form)[:-1] if isinstance(form.field, QuantitiesField) else forms.hints(form)


def _how(parts: Parts) -> Say:
    seats, example = _in_order(parts), "7"
    field = parts[seats[0]].form.field
    if isinstance(field, QuantitiesField):
        example = "/".join(map(str, range(1, 1 + len(field.parts))))
    text = '{n} answers in this order: {seats}; or only some answers with names, such as "{seat} {example}"'
    return say(text, n=len(seats), seats=listed(seats), seat=seats[0], example=example)
