"""Tags on a reader: what they mean for the question now open.

A function over (question, tags), like the desk: it reads no clock, knows no reader and keeps nothing.
Every refusal is one sentence that names the tag's card; what follows from covered cards names nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from companion import installed_games
from companion.cards import Deck, TagLookup
from companion.errors import IllegalAnswer
from companion.requests import CardsField, Form, OptionField
from companion.tag_enrolment import labels_of_other_card
from companion.texts import say

VIA = "reader"

UNKNOWN = say('This tag doesn\'t belong to a card yet. Add it under "Cards & tags".')


def card_field(form: Form) -> CardsField | OptionField | None:
    """Returns the field that a card on a reader answers; None if no card can."""
    field = form.single_field
    if isinstance(field, CardsField) or (isinstance(field, OptionField) and field.deck is not None):
        return field
    return None


def meaning(field: CardsField | OptionField, laid: Sequence[str], tags: TagLookup) -> object | None:
    """The answer, as JSON, that these tags make, the last one laid just now; None: more may be laid.

    Raises `IllegalAnswer` where the last one can be no part of an answer.
    """
    if isinstance(field, OptionField):
        return _option(field, laid[-1], tags)
    last = field.read({"card": _learnt(laid[-1], field.deck, tags)})
    field.rules.check_cards_possible([*(field.read({"tag": tag}) for tag in laid[:-1]), last])
    most = field.most
    if most is not None and len(laid) > most > 1:
        text = "{card} is one card too many. At most {most} cards count, so take another card away first."
        raise IllegalAnswer(say(text, card=last, most=most))
    return cards(laid) if most == 1 else None


def cards(laid: Sequence[str]) -> list[object]:
    """Returns tags as the answer to a Read."""
    return [{"tag": tag} for tag in laid]


def offered(field: CardsField, lying: Sequence[str], laid: Sequence[str], tags: TagLookup) -> list[str]:
    """Which of the tags that already lay there may be taken with one touch.

    Those that fit as far as all may know; where one card is asked for, only if it is clear which.
    """
    found: list[str] = []
    for tag in lying:
        with suppress(IllegalAnswer):
            meaning(field, [*laid, *found, tag], tags)
            found.append(tag)
    return [] if field.most == 1 and len(found) > 1 else found


def _option(field: OptionField, tag: str, tags: TagLookup) -> str:
    assert field.deck is not None
    name = _learnt(tag, field.deck, tags)
    card = field.deck.cards.get(name)
    if card is None or card.design is None or card.design not in field.all_options:
        raise IllegalAnswer(say("{card} can't be played now.", card=card or name))
    return card.design


def _learnt(tag: str, deck: Deck, tags: TagLookup) -> str:
    """The id of a tag's card."""
    known = tags(tag)
    if known is None:
        raise IllegalAnswer(UNKNOWN)
    other, card = known
    if other != deck.name:
        named, game = labels_of_other_card(installed_games.owner_decks(Path()), other, card)
        raise IllegalAnswer(say("This tag belongs to {card} in {game}.", card=named, game=game))
    return card
