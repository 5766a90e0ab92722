"""Cards as people type them: two counts such as `1 2`, or words: `6 6 other`, `2x6 3`, `6.1`, `tag 04a1b2`.

A card may go by its name, and one that isn't in the list by what is printed on it: `popularity=3 start=9`;
where one card is asked for its values alone do, in the order of the deck: `3 9`.
A line of nothing but numbers counts the cards of each worth, in the order in which the worths are shown.
Beside a word such as `2x6` one lone number counts the other cards; otherwise a number is a card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from companion.cards import Card, Design, Field
from companion.cards.deck import NAME
from companion.errors import IllegalAnswer
from companion.requests import Rate, Read
from companion.spelling import find
from companion.terminal import nothing
from companion.terminal.terminal import normal
from companion.words import Say, listed, render, say

COUNTS = re.compile(r"[0-9]{1,3}( [0-9]{1,3})*")
TIMES = re.compile(r"([0-9]{1,3})[x×*](\S+)")
LOOSE = re.compile(r"(?<=[0-9]) *([x×*]) *(?=\S)|\b(tag|card)[ :]+")
WHOLE = re.compile(r"-?[0-9]{1,9}")
OTHER = "other"


def hints(question: Read) -> list[Say]:
    """What each card counts, and how to type cards."""
    limits, worth = question.limits, question.worth
    how = say('the cards, such as "{example}"', example=_example(question))
    if _is_one(question):
        how = say('the card, such as "{example}"', example=_example(question))
    lines = []
    if worth:
        rates = [say("{cards} are worth {each}", cards=one.label, each=one.each) for one in worth.rates]
        lines.append(say("{rates}", rates=listed(rates)))
        counts = " ".join(str(number) for number in range(1, len(worth.rates) + 1))
        how = say('how many of each, such as "{counts}", or {cards}', counts=counts, cards=how)
    if fields := _fields(question):
        how = say("{how}, or the values printed on the card: {printed}", how=how, printed=_printed(fields))
        if _is_one(question):
            alone = " ".join(map(str, fields.values()))
            how = say('{how}, or only the card\'s values, such as "{values}"', how=how, values=alone)
    if question.least == 0:
        how = say("{how}; none = no card", how=how)
    if limits["cant"] and question.cant:
        how = say("{how}; c = {cant}", how=how, cant=question.cant)
    return [*lines, how]


def given(question: Read, line: str, language: str) -> object:
    """A list of cards in JSON, or None for those who can't."""
    line = " ".join(line.replace(",", " ").replace("’", "'").split())
    if nothing.can_not(line, language, question.cant, may_be_none=question.least == 0):
        return None
    if called := _called(question, line, language):
        return [called]
    rates = question.worth.rates if question.worth else ()
    if rates and COUNTS.fullmatch(line):
        return _counted(rates, [int(word) for word in line.split()])
    if values := _values_alone(question, line.split()):
        return [{"values": values}]
    if question.least == 0 and nothing.is_none(line, language):
        return []
    words = LOOSE.sub(lambda found: found[1] or f"{found[2]}:", line).split()
    translated = render(say("other"), language)
    return _cards(question, [OTHER if word in {"o", "others", translated} else word for word in words])


def _values_alone(question: Read, words: Sequence[str]) -> dict[str, int | str]:
    """What is printed on the one card asked for, value by value; empty where these words are no values."""
    deck, known = question.faces.deck, dict(question.shows)
    ids = {*deck.cards, *(design.id for design in deck.designs)}
    if not _is_one(question) or not ids.isdisjoint(words):
        return {}
    for word in words:
        name, field = next((one for one in deck.fields_of(known) if one[0] not in known), ("", Field()))
        if not name or not (word in field.choices if field.choices else WHOLE.fullmatch(word)):
            return {}
        known[name] = word if field.choices else int(word)
    return {name: value for name, value in known.items() if name not in question.shows}


def _is_one(question: Read) -> bool:
    """Whether one card is asked for, so that all that is typed is about it."""
    return question.limits["most"] == 1 and not question.worth


def _fields(question: Read) -> dict[str, int | str]:
    """What is to be typed of a card that would do, as on one of the deck; only the cards of some decks."""
    deck, values = question.faces.deck, _likely(question)[0].values
    return {name: values[name] for name, _ in deck.fields_of(values) if name not in question.shows}


def _printed(fields: Iterable[str]) -> str:
    return " ".join(f"{name}=…" for name in fields)


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
    cards = [card for count, name in _whole(counted) for card in [_card(question, name)] * count]
    if not cards:
        raise _unreadable(question)
    return cards


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
    """The one card whose name this is: the only copy itself, else any of them."""
    designs = {design.id: design for design in question.faces.deck.designs}
    labels = {key: Card(None, key, design.values).label for key, design in designs.items()}
    languages = "en", language
    found = find(
        line, {key: [normal(render(label, each)) for each in languages] for key, label in labels.items()}
    )
    if len(found) != 1:
        return None
    design = designs[found[0]]
    return {"card": design.id} if design.copies == 1 else {"values": dict(design.values)}


def _card(question: Read, name: str) -> dict[str, object]:
    deck = question.faces.deck
    if "=" in name:
        return {"values": dict(_value(question, pair) for pair in name.split())}
    how, _, id_ = name.partition(":")
    if how == "tag":
        return {"tag": id_.replace(":", "").lower()}
    if how == "card":
        return {"card": id_}
    if name in deck.cards:
        return {"card": name}
    for design in deck.designs:
        if design.id == name:
            return {"values": dict(design.values)}
    if name == OTHER:
        return {"values": {}}
    raise _unreadable(question)


def _unreadable(question: Read) -> IllegalAnswer:
    return IllegalAnswer(say("This answer isn't clear. Type {how}.", how=hints(question)[-1]))


def _value(question: Read, pair: str) -> tuple[str, int | str]:
    name, _, text = pair.partition("=")
    field = question.faces.deck.fields.get(name)
    if name == NAME or (field and field.choices) or not WHOLE.fullmatch(text):
        return name, text
    return name, int(text)


def _example(question: Read) -> str:
    """A card as people type it, and of a payment two others; none is named where none can come."""
    likely = _likely(question)
    found = likely[0].id if _may_come(question, likely[0]) else OTHER
    return f"{found} {OTHER} {OTHER}" if question.worth and question.worth.rates else found


def _likely(question: Read) -> list[Design]:
    """All designs: before all others those that may come, and of these those of the first worth."""
    rates = question.worth.rates if question.worth else ()
    first = rates[0].values if rates else question.shows

    def unlikely(one: Design) -> tuple[bool, bool]:
        return not _may_come(question, one), not first.items() <= one.values.items()

    return sorted(question.faces.deck.designs, key=unlikely)


def _may_come(question: Read, design: Design) -> bool:
    """Whether a card of that design would be taken, as far as all may know."""
    try:
        question.check_cards([question.faces.read(_card(question, design.id))])
    except IllegalAnswer:
        return False
    return True
