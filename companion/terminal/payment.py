"""Cards as people type them: two counts such as `1 2`, or words: `6 6 other`, `2x6 3`, `6.1`, `tag 04a1b2`.

A card may go by its name, and one that isn't in the list by what is printed on it: `popularity=3 start=9`;
where one card is asked for its values alone do, in the order of the deck: `3 9`.
A line of nothing but numbers counts the cards of each worth, in the order in which the worths are shown.
Beside a word such as `2x6` one lone number counts the other cards; otherwise a number is a card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from companion.cards import Card, Design, Field, Values
from companion.cards.deck import NAME
from companion.errors import IllegalAnswer
from companion.requests import CardsField, Decline, QuantitiesField
from companion.spelling import find
from companion.terminal import nothing
from companion.terminal.terminal import normal
from companion.words import Say, listed, render, say

COUNTS = re.compile(r"[0-9]{1,3}( [0-9]{1,3})*")
TIMES = re.compile(r"([0-9]{1,3})[x×*](\S+)")
LOOSE = re.compile(r"(?<=[0-9]) *([x×*]) *(?=\S)|\b(tag|card)[ :]+")
WHOLE = re.compile(r"-?[0-9]{1,9}")
OTHER = "other"


def hints(cards: CardsField, decline: Decline | None) -> list[Say]:
    """What each card counts, and how to type cards."""
    how = say('the cards, such as "{example}"', example=_example(cards))
    if cards.is_single:
        how = say('the card, such as "{example}"', example=_example(cards))
    lines = []
    if cards.counts:
        parts = cards.counts.parts
        rates = [say("{cards} are worth {each}", cards=one.label, each=one.each) for one in parts]
        lines.append(say("{rates}", rates=listed(rates)))
        counts = " ".join(str(number) for number in range(1, len(parts) + 1))
        how = say('how many of each, such as "{counts}", or {cards}', counts=counts, cards=how)
    if fields := _fields(cards):
        how = say("{how}, or the values printed on the card: {printed}", how=how, printed=_printed(fields))
        if cards.is_single:
            alone = " ".join(map(str, fields.values()))
            how = say('{how}, or only the card\'s values, such as "{values}"', how=how, values=alone)
    if cards.least == 0:
        how = say('{how}; "none" = no card', how=how)
    if decline is not None and decline.barred is None:
        how = say("{how}; {no}", how=how, no=nothing.decline_hint(decline))
    return [*lines, how]


def read_line(cards: CardsField, decline: Decline | None, line: str, language: str) -> object:
    """A list of cards in JSON, or None for those who can't."""
    line = " ".join(line.replace(",", " ").replace("’", "'").split())
    may_be_none = cards.least == 0
    if nothing.can_not(line, language, decline.label if decline else None, may_be_none=may_be_none):
        return None
    if called := _called(cards, line, language):
        return [called]
    if cards.counts and COUNTS.fullmatch(line):
        return _counted(cards.counts, cards.rates, [int(word) for word in line.split()])
    if values := _values_alone(cards, line.split()):
        return [{"values": values}]
    if may_be_none and nothing.is_none(line, language):
        return []
    words = LOOSE.sub(lambda found: found[1] or f"{found[2]}:", line).split()
    translated = render(say("other"), language)
    found = _listed(cards, [OTHER if word in {"o", "others", translated} else word for word in words])
    if not found:
        raise IllegalAnswer(say("This answer isn't clear. Type {how}.", how=hints(cards, decline)[-1]))
    return found


def _values_alone(cards: CardsField, words: Sequence[str]) -> dict[str, int | str]:
    """What is printed on the one card asked for, value by value; empty where these words are no values."""
    deck, known = cards.deck, dict(cards.shows)
    ids = {*deck.cards, *(design.id for design in deck.designs)}
    if not cards.is_single or not ids.isdisjoint(words):
        return {}
    for word in words:
        name, field = next((one for one in deck.fields_of(known) if one[0] not in known), ("", Field()))
        if not name or not (word in field.choices if field.choices else WHOLE.fullmatch(word)):
            return {}
        known[name] = word if field.choices else int(word)
    return {name: value for name, value in known.items() if name not in cards.shows}


def _fields(cards: CardsField) -> dict[str, int | str]:
    """What is to be typed of a card that would do, as on one of the deck; only the cards of some decks."""
    deck, values = cards.deck, _likely(cards)[0].values
    return {name: values[name] for name, _ in deck.fields_of(values) if name not in cards.shows}


def _printed(fields: Iterable[str]) -> str:
    return " ".join(f"{name}=…" for name in fields)


def _counted(
    parts: QuantitiesField, rates: Sequence[Values], counts: Sequence[int]
) -> list[dict[str, object]]:
    if len(counts) != len(rates):
        labels = listed([part.label for part in parts.parts])
        raise IllegalAnswer(say("Type {n} numbers: {labels}.", n=len(rates), labels=labels))
    return [
        {"values": dict(values)} for values, count in zip(rates, counts, strict=True) for _ in range(count)
    ]


def _listed(cards: CardsField, words: Sequence[str]) -> list[dict[str, object]]:
    """The cards that these words mean; empty where one of them means none."""
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
    found = [card for count, name in _whole(counted) for card in [_card(cards, name)] * count]
    return [] if None in found else [card for card in found if card]


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


def _called(cards: CardsField, line: str, language: str) -> dict[str, object] | None:
    """The one card whose name this is: the only copy itself, else any of them."""
    designs = {design.id: design for design in cards.deck.designs}
    labels = {key: Card(None, key, design.values).label for key, design in designs.items()}
    languages = "en", language
    found = find(
        line, {key: [normal(render(label, each)) for each in languages] for key, label in labels.items()}
    )
    if len(found) != 1:
        return None
    design = designs[found[0]]
    return {"card": design.id} if design.copies == 1 else {"values": dict(design.values)}


def _card(cards: CardsField, name: str) -> dict[str, object] | None:
    """The card that a word means, in JSON; None where it means none."""
    deck = cards.deck
    if "=" in name:
        return {"values": dict(_value(cards, pair) for pair in name.split())}
    how, _, id_ = name.partition(":")
    if how == "tag":
        return {"tag": id_.replace(":", "").lower()}
    if how == "card":
        return {"card": id_}
    if name in deck.cards:
        return {"card": name}
    values: dict[str, Values] = {OTHER: {}, **{design.id: dict(design.values) for design in deck.designs}}
    return {"values": values[name]} if name in values else None


def _value(cards: CardsField, pair: str) -> tuple[str, int | str]:
    name, _, text = pair.partition("=")
    field = cards.deck.fields.get(name)
    if name == NAME or (field and field.choices) or not WHOLE.fullmatch(text):
        return name, text
    return name, int(text)


def _example(cards: CardsField) -> str:
    """A card as people type it, and of a payment two others; none is named where none can come."""
    likely = _likely(cards)
    found = likely[0].id if _may_come(cards, likely[0]) else OTHER
    return f"{found} {OTHER} {OTHER}" if cards.rates else found


def _likely(cards: CardsField) -> list[Design]:
    """All designs: before all others those that may come, and of these those of the first worth."""
    first = cards.rates[0] if cards.rates else cards.shows

    def unlikely(one: Design) -> tuple[bool, bool]:
        return not _may_come(cards, one), not first.items() <= one.values.items()

    return sorted(cards.deck.designs, key=unlikely)


def _may_come(cards: CardsField, design: Design) -> bool:
    """Whether a card of that design would be taken, as far as all may know."""
    try:
        cards.rules.check_cards([cards.read(_card(cards, design.id))])
    except IllegalAnswer:
        return False
    return True
