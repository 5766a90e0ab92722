"""What a template says of money: how it is paid, lent, bid and shared, from its one `rules` design.

A template without it, and a game that was begun before there were any, have the defaults: what was always so.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import gcd

import msgspec

from companion.games.any_game.printed import YES, kind_of, number, word
from companion.rulebook import NAME, Deck, Say, fold_name, say

RESERVED = ("all", "everybody", "bank", "box", "purse", "front", "tracks", "round track", "price track")
"""What no place and no company of a template may be called: there is one already, or it means all seats."""
ALL = 100
"""Percent."""
SUMS = ("salary", "income", "small_blind", "big_blind")
"""What is paid without anybody saying how much."""
OF_MONEY = (*SUMS, "debts", "covered")


class Terms(msgspec.Struct, frozen=True):
    """How money goes from hand to hand; each word stands, explained, in any_game.toml."""

    payments: bool = False
    covered: bool = False
    debts: int = 0
    loans: bool = False
    interest: int = 0
    income: int = 0
    salary: int = 0
    small_blind: int = 0
    big_blind: int = 0
    auction: str = "both"
    payee: str = "bank"
    lots: str = "numbered"
    names: bool = False
    step: int = 1
    reserve: int = 1
    reserve_by: str = "template"
    refund: int = ALL
    limit: str = "purse"


def terms_of(deck: Deck) -> Terms:
    """The terms of a template."""
    rules = next(iter(kind_of(deck, "rules")), None)
    if rules is None:
        return Terms()
    values: dict[str, bool | int | str] = {}
    for field in msgspec.structs.fields(Terms):
        usual = field.default
        if isinstance(usual, bool):
            values[field.name] = word(rules, field.name, "no") == YES
        elif isinstance(usual, int):
            values[field.name] = number(rules, field.name, usual)
        else:
            values[field.name] = word(rules, field.name, usual)
    return msgspec.convert(values, Terms)


def notes_of(deck: Deck) -> dict[str, int]:
    """What one of each piece is worth in payments; where no piece says it, one of the first is worth 1."""
    pieces = kind_of(deck, "piece")
    notes = {one.id: number(one, "note") for one in pieces}
    return notes if any(notes.values()) else {one.id: int(one is pieces[0]) for one in pieces}


def unkept(deck: Deck) -> Say | None:
    """The first thing that no table can keep to; None: nothing."""
    return next(chain(_called(deck), _contradictions(deck), _amounts(deck)), None)


def _called(deck: Deck) -> Iterator[Say]:
    for one in (*kind_of(deck, "place"), *kind_of(deck, "company")):
        for name in (one.id, word(one, NAME, one.id)):
            if fold_name(name) in RESERVED:
                yield say("{id} is a reserved name. Choose another name.", id=name)


def _contradictions(deck: Deck) -> Iterator[Say]:
    terms, places, companies = terms_of(deck), kind_of(deck, "place"), kind_of(deck, "company")
    money = sum(map(bool, notes_of(deck).values()))
    pays_there = terms.payee == "place" or terms.small_blind + terms.big_blind > 0
    wrong = {
        say("Companies, loans and payments need a piece that serves as money."): not money
        and (bool(companies) or terms.loans or terms.payments),
        say("A covered purse can hold only one kind of money."): terms.covered and money > 1,
        say("A covered purse can't have debts. Set debts to 0."): terms.covered and terms.debts > 0,
        say('Blinds and "payee = place" need a place in the template.'): pays_there and not places,
        say('The option "lots = shares" works only with a company.'): terms.lots == "shares"
        and not companies,
        say('"lots = shares" needs an auction. Set auction to a value other than none.'): terms.lots
        == "shares"
        and terms.auction == "none",
        say('interest needs the setting "loans = yes".'): terms.interest > 0 and not terms.loans,
    }
    return (why for why, is_so in wrong.items() if is_so)


def _amounts(deck: Deck) -> Iterator[Say]:
    """What is paid where there is no money, or not in notes that make it."""
    terms, notes = terms_of(deck), sorted(filter(None, notes_of(deck).values()))
    for field in OF_MONEY:
        if not notes and getattr(terms, field):
            yield say("{field} needs a piece that serves as money.", field=field)
    for field in SUMS:
        if notes and (amount := getattr(terms, field)) % gcd(*notes):
            text = "{field} can't be {value}: the notes can pay only multiples of {note}."
            yield say(text, field=field, note=gcd(*notes), value=amount)
    if notes and 0 < terms.debts < notes[0]:
        text = "debts can't be {value}. It must be 0 or at least the smallest banknote, {least}."
        yield say(text, least=notes[0], value=terms.debts)
