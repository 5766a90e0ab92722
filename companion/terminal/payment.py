"""Cards as people type them: two counts such as `1 2`, or words: `6 6 other`, `2x6 3`, `6.1`, `tag 04a1b2`.

A card may go by its name, and one that isn't in the list by what is printed on it: `popularity=3 start=9`.
A line of nothing but numbers counts the cards of each worth, in the order in which the worths are shown.
Beside a word such as `2x6` one lone number counts the other cards; otherwise a number is a card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.cards import Card
from companion.errors import IllegalAnswer
from companion.requests import Rate, Read
from companion.terminal.lines import normal
from companion.words import Say, listed, render, say

COUNTS = re.compile(r"[0-9]{1,3}( [0-9]{1,3})*")
TIMES = re.compile(r"([0-9]{1,3})[x×*](\S+)")
LOOSE = re.compile(r"(?<=[0-9]) *([x×*]) *(?=\S)|\b(tag|card)[ :]+")
WHOLE = re.compile(r"-?[0-9]{1,9}")
CANT = {"c", "cant", "can't", "no", "-"}
OTHER = "other"


def hints(question: Read) -> list[Say]:
    """What each card counts, and how to type cards."""
    limits, worth = question.limits, question.worth
    how = say('the cards, such as "{example}"', example=_example(question))
    lines = []
    if worth:
        rates = [say("{cards} count {each}", cards=one.label, each=one.each) for one in worth.rates]
        lines.append(say("{rates}", rates=listed(rates)))
        counts = " ".join(str(number) for number in range(1, len(worth.rates) + 1))
        how = say('how many of each, such as "{counts}", or {cards}', counts=counts, cards=how)
    fields = [name for name, _ in question.faces.deck.fields_of(question.shows) if name not in question.shows]
    if fields:
        printed = " ".join(f"{name}=…" for name in fields)
        how = say("{how}, or what is printed on it: {printed}", how=how, printed=printed)
    if limits["cant"] and question.cant:
        how = say("{how}; c = {cant}", how=how, cant=question.cant)
    return [*lines, how]


def given(question: Read, line: str, language: str) -> object:
    """A list of cards in JSON, or None for those who can't."""
    line = " ".join(line.replace(",", " ").replace("’", "'").split())
    if line.lower() in CANT or (question.cant and line == normal(render(question.cant, language))):
        return None
    if called := _called(question, line, language):
        return [called]
    rates = question.worth.rates if question.worth else ()
    if rates and COUNTS.fullmatch(line):
        return _counted(rates, [int(word) for word in line.split()])
    words = LOOSE.sub(lambda found: found[1] or f"{found[2]}:", line).split()
    translated = render(say("other"), language)
    return _cards(question, [OTHER if word in {"o", "others", translated} else word for word in words])


def _counted(rates: Sequence[Rate], counts: Sequence[int]) -> list[dict[str, object]]:
    if len(counts) != len(rates):
        labels = listed([rate.label for rate in rates])
        raise IllegalAnswer(say("Type {n} numbers: {labels}.", n=len(rates), labels=labels))
    return [
        {"values": dict(rate.values)} for rate, count in zip(rates, counts, strict=True) for _ in range(count)
    ]


def _cards(question: Read, words: Sequence[str]) -> list[dict[str, object]]:
    times = [TIMES.fullmatch(word) for word in words]
    lone = [word for word in words if word.isdecimal()]
    if any(times) and lone:
        if len(lone) > 1 or any(word.endswith(OTHER) for word in words):
            raise IllegalAnswer(say("Write what each number counts, such as 2x6 3xother."))
        words = [f"{word}x{OTHER}" if word in lone else word for word in words]
        times = [TIMES.fullmatch(word) for word in words]
    counted = [
        (int(found[1]), found[2]) if found else (1, word) for found, word in zip(times, words, strict=True)
    ]
    return [_card(question, name) for count, name in _whole(counted) for _ in range(count)]


def _whole(words: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """`popularity=3` and `start=9` in a row are one card, until a value comes a second time."""
    printed: list[str] = []
    for count, word in words:
        name, equals, _ = word.partition("=")
        if printed and (not equals or any(one.startswith(f"{name}=") for one in printed)):
            yield 1, " ".join(printed)
            printed = []
        if equals:
            printed.append(word)
        else:
            yield count, word
    if printed:
        yield 1, " ".join(printed)


def _called(question: Read, line: str, language: str) -> dict[str, object] | None:
    """The card whose name this is: the only copy itself, else any of them."""
    for design in question.faces.deck.designs:
        label = Card(None, design.id, design.values).label
        if line and line.lower() in {normal(render(label, each)).lower() for each in ("en", language)}:
            return {"card": design.id} if design.copies == 1 else {"values": dict(design.values)}
    return None


def _card(question: Read, name: str) -> dict[str, object]:
    deck = question.faces.deck
    if "=" in name:
        return {"values": dict(_value(question, pair) for pair in name.split())}
    how, _, id_ = name.partition(":")
    if how == "tag":
        return {"tag": id_.replace(":", "").lower()}
    if how == "card":
        return {"card": id_}
    if name in deck.named():
        return {"card": name}
    for design in deck.designs:
        if design.id == name:
            return {"values": dict(design.values)}
    if name == OTHER:
        return {"values": {}}
    raise IllegalAnswer(say("That can't be read; type {how}.", how=hints(question)[-1]))


def _value(question: Read, pair: str) -> tuple[str, int | str]:
    name, _, text = pair.partition("=")
    field = question.faces.deck.fields.get(name)
    if field is None or field.choices or not WHOLE.fullmatch(text):
        return name, text
    return name, int(text)


def _example(question: Read) -> str:
    """Two cards of the deck as people type them: one of the first worth, and another."""
    rates = question.worth.rates if question.worth else ()
    wanted = rates[0].values if rates else question.shows
    designs = question.faces.deck.designs
    found = next((design for design in designs if wanted.items() <= design.values.items()), designs[0])
    return f"{found.id} {OTHER} {OTHER}" if rates else found.id
