"""Reads a template: its designs by kind, and the values of its one `rules` design.

A match that was begun before templates had rules, and a template without rules, play by the defaults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeVar

import msgspec

from companion.rulebook import NAME_FIELD, CardDesign, Deck, Piece, Say, fold_name, say, say_n, word_label

DECK = "any_game"
YES = "yes"
NO_COLOUR = "plain"
COUNT_LABELS = {
    "coin": say_n("{n} coin", "{n} coins", n=2),
    "house": say_n("{n} house", "{n} houses", n=2),
    "white chip": say_n("{n} white chip", "{n} white chips", n=2),
    "red chip": say_n("{n} red chip", "{n} red chips", n=2),
    "blue chip": say_n("{n} blue chip", "{n} blue chips", n=2),
    "chip": say_n("{n} chip", "{n} chips", n=2),
    "cube": say_n("{n} cube", "{n} cubes", n=2),
    "gem": say_n("{n} gem", "{n} gems", n=2),
}
"""How to count pieces whose names the shipped templates use; the plural of other names is unknown."""
TYPED_TOGETHER = ("piece", "place", "company")
"""People type these in one line, as in `3 coins from North Line to pot`: no two may have the same name."""
RESERVED_NAMES = ("all", "everybody", "bank", "box", "purse", "front", "tracks", "round track", "price track")
"""No place and no company may have such a name: a place of the companion has it, or it means all seats."""
ID_SUFFIXES = ("lost", "filled", "price")
"""The companion makes ids of markers from the id of a design and one of these words."""


class CommonRules(msgspec.Struct, frozen=True):
    """The rules that several features read; any_game.toml explains each word."""

    scoring: str = "free"
    best: str = "highest"
    rounds: int = 0
    target: int = 0
    deal: str = "nobody"
    teams: int = 0
    out: bool = False

    @property
    def lowest_wins(self) -> bool:
        """True if fewer points are better."""
        return self.best == "lowest"

    @property
    def writes_rounds(self) -> bool:
        """True if one menu action enters all points of a round and ends the round."""
        return self.scoring in ("rounds", "contract")


class MoneyRules(msgspec.Struct, frozen=True):
    """The rules about purses and payments; any_game.toml explains each word."""

    payments: bool = False
    covered: bool = False
    debts: int = 0
    income: int = 0
    salary: int = 0
    small_blind: int = 0
    big_blind: int = 0


RulesStruct = TypeVar("RulesStruct", bound=msgspec.Struct)


class Template:
    """`Template(deck)`: everything that a template says. Each feature reads its own struct with `rules`."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._rules: dict[type[msgspec.Struct], msgspec.Struct] = {}

    def designs(self, kind: str) -> tuple[CardDesign, ...]:
        """All designs of a kind, in the order of the template."""
        return tuple([one for one in self.deck.designs if one.values["kind"] == kind])

    def rules(self, struct: type[RulesStruct]) -> RulesStruct:
        """The values of the `rules` design for the fields of this struct."""
        if struct not in self._rules:
            printed = next((one.values for one in self.designs("rules")), {})
            values = {
                field.name: printed[field.name] == YES
                if isinstance(field.default, bool)
                else printed[field.name]
                for field in msgspec.structs.fields(struct)
                if field.name in printed
            }
            self._rules[struct] = msgspec.convert(values, struct)
        found = self._rules[struct]
        assert isinstance(found, struct)
        return found

    @cached_property
    def common_rules(self) -> CommonRules:
        """The rules that several features read."""
        return self.rules(CommonRules)

    @cached_property
    def money_rules(self) -> MoneyRules:
        """The rules about purses and payments."""
        return self.rules(MoneyRules)

    @property
    def predates_rules(self) -> bool:
        """True for a match that was begun before templates had rules; it asks for points seat by seat."""
        return "rules" not in self.deck.fields["kind"].choices

    @property
    def prices(self) -> Sequence[int]:
        """The steps of the price track."""
        return self.deck.board["prices"]

    @cached_property
    def pieces(self) -> dict[Piece, CardDesign]:
        """The pieces of the template, with their designs."""
        return {_piece(one, self.money_values[one.id]): one for one in self.designs("piece")}

    @cached_property
    def money_values(self) -> dict[str, int]:
        """The value of each piece as money, by id; if no piece says it, one of the first piece is worth 1."""
        pieces = self.designs("piece")
        notes = {one.id: number_on(one, "note") for one in pieces}
        return notes if any(notes.values()) else {one.id: int(one is pieces[0]) for one in pieces}

    @cached_property
    def money_piece(self) -> Piece | None:
        """The first piece that is money; bids are made in it. None without pieces."""
        return next((one for one in self.pieces if one.money_value), None)

    def points_of_money(self, amount: int) -> int:
        """The points that an amount of money counts at the end; 0 without money."""
        if self.money_piece is None:
            return 0
        return amount * number_on(self.pieces[self.money_piece], "worth") // self.money_piece.money_value


def _piece(printed: CardDesign, note: int) -> Piece:
    """A piece of the template; a piece whose bank has no limit may be owed."""
    colour = word_on(printed, "colour", NO_COLOUR)
    label = label_of(printed)
    return Piece(
        printed.id,
        label,
        is_endless=not number_on(printed, "supply"),
        look=word_on(printed, "look", "coin"),
        colour="" if colour == NO_COLOUR else colour,
        money_value=note,
        count_label=COUNT_LABELS.get(label.template),
    )


def label_of(design: CardDesign) -> Say:
    """What people call a design."""
    return word_label(str(design.values.get(NAME_FIELD, design.id)))


def number_on(design: CardDesign, field: str, default: int = 0) -> int:
    """A number on a design; logs of older matches may lack the field."""
    return int(design.values.get(field, default))


def word_on(design: CardDesign, field: str, default: str) -> str:
    """A word on a design; logs of older matches may lack the field."""
    return str(design.values.get(field, default))


# Errors in a template


def content_errors(template: Template) -> Iterator[Say]:
    """A template needs something to count, and has one set of rules."""
    has_content = any(template.designs(kind) for kind in ("piece", "category", "track"))
    if not has_content and template.common_rules.scoring != "knockout":
        yield say("A template needs at least one piece, category or track.")
    if len(template.designs("rules")) > 1:
        yield say('Only one card can have kind = "rules".')


def name_errors(template: Template, reserved_ids: frozenset[str]) -> Iterator[Say]:
    """Names that are empty, reserved, or given twice; `reserved_ids` are the ids of markers."""
    designs = template.deck.designs
    taken = reserved_ids | {f"{one.id} {suffix}" for one in designs for suffix in ID_SUFFIXES}
    seen = set[tuple[str, str]]()
    for one in designs:
        kind, name = word_on(one, "kind", ""), word_on(one, NAME_FIELD, one.id).strip()
        key = "" if kind in TYPED_TOGETHER else kind, fold_name(name)
        if one.id in taken:
            yield say("{id} is a reserved name. Choose another name.", id=one.id)
        if not name:
            yield error_on(one, say('"name" is empty. Write a name, or leave the line out.'))
        if key in seen:
            yield error_on(one, say("There is already another {name}. Choose a different name.", name=name))
        seen.add(key)


def place_name_errors(template: Template) -> Iterator[Say]:
    """Places and companies whose names mean something else in a typed payment."""
    for one in (*template.designs("place"), *template.designs("company")):
        for name in (one.id, word_on(one, NAME_FIELD, one.id)):
            if fold_name(name) in RESERVED_NAMES:
                yield say("{id} is a reserved name. Choose another name.", id=name)


def limit_errors(design: CardDesign, field: str, most: int, limiting_field: str) -> Iterator[Say]:
    """A number that is higher than another number of the design allows."""
    if (value := number_on(design, field)) > most:
        text = "{field} can't be {value}. It can be at most {most}, because {other} is {number}."
        why = say(
            text,
            field=field,
            most=most,
            other=limiting_field,
            number=number_on(design, limiting_field),
            value=value,
        )
        yield error_on(design, why)


def error_on(design: CardDesign, why: Say) -> Say:
    """An error with the design that it is on."""
    return say("card {id}: {why}", id=design.id, why=why)
