"""Reads a template: its designs by kind, and the values of its one `rules` design.

A match that was begun before templates had rules, and a template without rules, play by the defaults.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache, cached_property
from typing import TypeVar

import msgspec

from companion.games.any_game.rounding import DOWN
from companion.rulebook import (
    NAME_FIELD,
    CardDesign,
    Deck,
    Piece,
    Say,
    WholeOrHalf,
    fold_name,
    number_from_float,
    say,
    say_n,
    word_label,
)

DECK = "any_game"
YES = "yes"
ASK, BROKEN = "ask", "broken"
"""Words of the template: people are asked; the bank pays with a debt, and is broken then."""
NO_COLOUR = "plain"
COUNT_LABEL_BY_PIECE_NAME = {
    "coin": say_n("{n} coin", "{n} coins", n=2),
    "house": say_n("{n} house", "{n} houses", n=2),
    "hotel": say_n("{n} hotel", "{n} hotels", n=2),
    "helper": say_n("{n} helper", "{n} helpers", n=2),
    "food": say("{n} food", n=2),
    "wood": say("{n} wood", n=2),
    "stone": say("{n} stone", n=2),
    "cloth": say("{n} cloth", n=2),
    "gold bar": say_n("{n} gold bar", "{n} gold bars", n=2),
    "white chip": say_n("{n} white chip", "{n} white chips", n=2),
    "red chip": say_n("{n} red chip", "{n} red chips", n=2),
    "blue chip": say_n("{n} blue chip", "{n} blue chips", n=2),
    "black chip": say_n("{n} black chip", "{n} black chips", n=2),
    "chip": say_n("{n} chip", "{n} chips", n=2),
    "cube": say_n("{n} cube", "{n} cubes", n=2),
    "yellow cube": say_n("{n} yellow cube", "{n} yellow cubes", n=2),
    "red cube": say_n("{n} red cube", "{n} red cubes", n=2),
    "blue cube": say_n("{n} blue cube", "{n} blue cubes", n=2),
    "black cube": say_n("{n} black cube", "{n} black cubes", n=2),
    "gem": say_n("{n} gem", "{n} gems", n=2),
}
"""Labels with a count for the piece names of shipped templates; other plurals are unknown."""
KINDS_NEEDING_DISTINCT_NAMES = ("piece", "place", "company")
"""Kinds of designs whose names must be distinct: no two of these designs may have one name.

People type these names in one line, as in `3 coins from North Line to pot`.
"""
RESERVED_PLACE_NAMES = (
    "all",
    "everybody",
    "bank",
    "box",
    "purse",
    "front",
    "lots won",
    "tracks",
    "round track",
    "price track",
)
"""Names that no place and no company may have: they mean all seats, or a place of the companion."""
MARKER_ID_SUFFIXES = ("lost", "filled", "price")
HALF_MARKER_ID_SUFFIXES = ("half", "half lost")
"""Words that the companion adds to the id of a design to make the id of a marker."""


class GeneralRules(msgspec.Struct, frozen=True):
    """General rules of a template, such as scoring, rounds and teams.

    Several features read them; any_game.toml explains each word.
    """

    scoring: str = "free"
    best: str = "highest"
    rounds: int = 0
    target: float = 0
    half_points: bool = False
    deal: str = "nobody"
    teams: int = 0
    out: bool = False
    join: str = "no"

    @property
    def lets_players_join(self) -> bool:
        """True if players can join during the match."""
        return self.join != "no"

    @property
    def target_points(self) -> WholeOrHalf:
        """The points that a player needs for the end of the match; 0 without a target."""
        return number_from_float(self.target)

    @property
    def lowest_wins(self) -> bool:
        """True if fewer points are better."""
        return self.best == "lowest"

    @property
    def scores_whole_rounds(self) -> bool:
        """True if one menu action asks for all points of a round and ends the round."""
        return self.scoring in ("rounds", "contract")


class MoneyRules(msgspec.Struct, frozen=True):
    """Rules of a template about purses and payments.

    any_game.toml explains each word.
    """

    payments: bool = False
    percentage_rounding: str = DOWN
    covered: bool = False
    debts: int = 0
    empty_bank: str = ASK
    loans: bool = False
    income: int = 0
    salary: int = 0
    small_blind: int = 0
    big_blind: int = 0


RulesStruct = TypeVar("RulesStruct", bound=msgspec.Struct)


@cache
def _fields_of(rules_class: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Returns the fields of a class of rules; msgspec evaluates their annotations each time it is asked."""
    return msgspec.structs.fields(rules_class)


class Template:
    """Everything that a template says, read from its deck.

    Each feature reads its own struct with `read_rules`.
    """

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._rules: dict[type[msgspec.Struct], msgspec.Struct] = {}

    def designs_of_kind(self, kind: str) -> tuple[CardDesign, ...]:
        """Returns all designs of a kind, in the order of the template."""
        return tuple([design for design in self.deck.designs if design.values["kind"] == kind])

    def read_rules(self, rules_class: type[RulesStruct]) -> RulesStruct:
        """Returns the template's values for the fields of this class of rules.

        The values are on the template's one `rules` design; missing fields have their defaults.
        """
        if rules_class not in self._rules:
            printed_values = next((design.values for design in self.designs_of_kind("rules")), {})
            value_by_field = {
                field.name: printed_values[field.name] == YES
                if isinstance(field.default, bool)
                else printed_values[field.name]
                for field in _fields_of(rules_class)
                if field.name in printed_values
            }
            self._rules[rules_class] = msgspec.convert(value_by_field, rules_class)
        rules = self._rules[rules_class]
        assert isinstance(rules, rules_class)
        return rules

    @cached_property
    def general_rules(self) -> GeneralRules:
        """The general rules, which several features read."""
        return self.read_rules(GeneralRules)

    @cached_property
    def money_rules(self) -> MoneyRules:
        """The rules about purses and payments."""
        return self.read_rules(MoneyRules)

    @property
    def predates_rules(self) -> bool:
        """True for a match that was begun before templates had rules.

        Such a match asks for points seat by seat.
        """
        return "rules" not in self.deck.fields["kind"].choices

    @property
    def predates_bid_limit(self) -> bool:
        """True for a match that was begun before bids were limited to `MAX_AMOUNT`."""
        return "bid_with" not in self.deck.fields

    @property
    def predates_shared_shortage(self) -> bool:
        """True for a match that was begun before several receivers shared what an empty bank still has."""
        return "bid_ties" not in self.deck.fields

    @property
    def price_track_values(self) -> Sequence[int]:
        """The prices on the steps of the price track."""
        return self.deck.board["prices"]

    @property
    def tile_numbers(self) -> tuple[int, ...]:
        """The numbers on the tiles with which people bid; none in a log of an older match."""
        return tuple(self.deck.board.get("tiles", ()))

    @cached_property
    def design_by_piece(self) -> dict[Piece, CardDesign]:
        """The pieces of the template, with their designs."""
        return {
            _make_piece(design, self.money_value_by_piece_id[design.id]): design
            for design in self.designs_of_kind("piece")
        }

    @cached_property
    def money_value_by_piece_id(self) -> dict[str, int]:
        """The value of each piece as money, by id.

        If no piece has a value, one of the first piece is worth 1.
        """
        designs = self.designs_of_kind("piece")
        value_by_id = {design.id: read_number(design, "note") for design in designs}
        return (
            value_by_id
            if any(value_by_id.values())
            else {design.id: int(design is designs[0]) for design in designs}
        )

    @cached_property
    def money_piece(self) -> Piece | None:
        """The first piece that is money; bids are made in it. None without pieces."""
        return next((piece for piece in self.design_by_piece if piece.money_value), None)

    def points_for_money(self, amount: int) -> int:
        """Returns the points that an amount of money counts at the end; 0 without money."""
        if self.money_piece is None:
            return 0
        return (
            amount
            * read_number(self.design_by_piece[self.money_piece], "worth")
            // self.money_piece.money_value
        )


def _make_piece(design: CardDesign, money_value: int) -> Piece:
    """Returns the piece of a design; a piece whose bank has no limit may be owed."""
    colour = read_word(design, "colour", NO_COLOUR)
    label = design_label(design)
    return Piece(
        design.id,
        label,
        is_endless=not read_number(design, "supply"),
        look=read_word(design, "look", "coin"),
        colour="" if colour == NO_COLOUR else colour,
        money_value=money_value,
        count_label=COUNT_LABEL_BY_PIECE_NAME.get(label.template),
    )


def design_label(design: CardDesign) -> Say:
    """Returns the label of a design: its name, or else its id."""
    return word_label(str(design.values.get(NAME_FIELD, design.id)))


def read_number(design: CardDesign, field: str, default: int = 0) -> int:
    """Returns a number of a design, or the default if the field is missing.

    Logs of older matches may lack the field.
    """
    return int(design.values.get(field, default))


def read_word(design: CardDesign, field: str, default: str) -> str:
    """Returns a word of a design, or the default if the field is missing.

    Logs of older matches may lack the field.
    """
    return str(design.values.get(field, default))


# Errors in a template


def find_content_errors(template: Template) -> Iterator[Say]:
    """Yields errors of a template that has nothing to count, or several sets of rules."""
    has_content = any(template.designs_of_kind(kind) for kind in ("piece", "category", "track"))
    if not has_content and template.general_rules.scoring != "knockout":
        yield say("A template needs at least one piece, category or track.")
    if len(template.designs_of_kind("rules")) > 1:
        yield say('Only one card can have kind = "rules".')


def find_name_errors(template: Template, reserved_ids: frozenset[str]) -> Iterator[Say]:
    """Yields errors of names that are empty, reserved, or given twice.

    `reserved_ids` are the ids of markers.
    """
    designs = template.deck.designs
    half_suffixes = HALF_MARKER_ID_SUFFIXES if template.general_rules.half_points else ()
    suffixes = (*MARKER_ID_SUFFIXES, *half_suffixes)
    reserved = reserved_ids | {f"{design.id} {suffix}" for design in designs for suffix in suffixes}
    used_names = set[tuple[str, str]]()
    for design in designs:
        kind, name = read_word(design, "kind", ""), read_word(design, NAME_FIELD, design.id).strip()
        key = "" if kind in KINDS_NEEDING_DISTINCT_NAMES else kind, fold_name(name)
        if design.id in reserved:
            yield say("{id} is a reserved name. Choose another name.", id=design.id)
        if not name:
            yield describe_design_error(design, say('"name" is empty. Write a name, or leave the line out.'))
        if key in used_names:
            yield describe_design_error(
                design, say("There is already another {name}. Choose a different name.", name=name)
            )
        used_names.add(key)


def find_reserved_place_name_errors(
    template: Template, reserved_names: Collection[str] = RESERVED_PLACE_NAMES
) -> Iterator[Say]:
    """Yields errors of places and companies whose names mean something else in a typed payment."""
    for design in (*template.designs_of_kind("place"), *template.designs_of_kind("company")):
        for name in (design.id, read_word(design, NAME_FIELD, design.id)):
            if fold_name(name) in reserved_names:
                yield say("{id} is a reserved name. Choose another name.", id=name)


def find_limit_errors(design: CardDesign, field: str, max_value: int, limiting_field: str) -> Iterator[Say]:
    """Yields an error if a number of a design is above the limit that another of its fields sets."""
    if (value := read_number(design, field)) > max_value:
        text = "{field} can't be {value}. It can be at most {most}, because {other} is {number}."
        reason = say(
            text,
            field=field,
            most=max_value,
            other=limiting_field,
            number=read_number(design, limiting_field),
            value=value,
        )
        yield describe_design_error(design, reason)


def describe_design_error(design: CardDesign, reason: Say) -> Say:
    """Returns the text of an error with the id of the design that has it."""
    return say("card {id}: {why}", id=design.id, why=reason)
