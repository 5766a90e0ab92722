"""Tags on a reader: what they mean for the question now open.

A function over (question, tags), like the desk: it reads no clock, knows no reader and keeps nothing.
Every refusal is one sentence that names the tag's card; what follows from covered cards names nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import catalogue
from companion.cards import Card, Deck, Tags
from companion.errors import IllegalAnswer
from companion.learning import elsewhere
from companion.requests import Choose, Read, Request, Together
from companion.table.seats import Seat
from companion.words import say
from hardware.desk.prompts import part_of

VIA = "reader"

UNKNOWN = say('This tag doesn\'t belong to a card yet. Add it under "Cards & tags".')


def part_at(question: Request[Any] | None, seat: Seat | None) -> Read | Choose | None:
    """What a reader asks for now, of its seat or (None) of the table; None where no card can answer.

    The table's own reader takes nothing that is sealed.
    """
    if seat is not None:
        part = part_of(question, seat)
    else:
        part = None if isinstance(question, Together) else question
    if isinstance(part, Read) or (isinstance(part, Choose) and part.cards is not None):
        return part
    return None


def meaning(part: Read | Choose, laid: Sequence[str], tags: Tags) -> object | None:
    """The answer, as JSON, that these tags make, the last one laid just now; None: more may be laid.

    Raises `IllegalAnswer` where the last one can be no part of an answer.
    """
    if isinstance(part, Choose):
        return _option(part, laid[-1], tags)
    last = part.faces.read({"card": _learnt(laid[-1], part.faces.deck, tags)})
    part.check_cards([*_read(part, laid[:-1]), last])
    most = part.limits["most"]
    if most is not None and len(laid) > most > 1:
        text = "{card} is one card too many. At most {most} cards count, so take another card away first."
        raise IllegalAnswer(say(text, card=last, most=most))
    return cards(laid) if most == 1 else None


def cards(laid: Sequence[str]) -> list[object]:
    """Returns tags as the answer to a Read."""
    return [{"tag": tag} for tag in laid]


def offered(part: Read, lying: Sequence[str], laid: Sequence[str], tags: Tags) -> list[str]:
    """Which of the tags that already lay there may be taken with one touch.

    Those that fit as far as all may know; where one card is asked for, only if it is clear which.
    """
    found: list[str] = []
    for tag in lying:
        with suppress(IllegalAnswer):
            meaning(part, [*laid, *found, tag], tags)
            found.append(tag)
    return [] if part.limits["most"] == 1 and len(found) > 1 else found


def _read(part: Read, laid: Sequence[str]) -> list[Card]:
    return [part.faces.read({"tag": tag}) for tag in laid]


def _option(part: Choose, tag: str, tags: Tags) -> str:
    assert part.cards is not None
    name = _learnt(tag, part.cards, tags)
    card = part.cards.cards.get(name)
    if card is None or card.design is None or card.design not in part.options:
        raise IllegalAnswer(say("{card} can't be played now.", card=card or name))
    return card.design


def _learnt(tag: str, deck: Deck, tags: Tags) -> str:
    """The id of a tag's card."""
    known = tags(tag)
    if known is None:
        raise IllegalAnswer(UNKNOWN)
    other, card = known
    if other != deck.name:
        named, game = elsewhere(catalogue.copies(Path()), other, card)
        raise IllegalAnswer(say("This tag belongs to {card} in {game}.", card=named, game=game))
    return card
