"""What a template says of the rules of the evening, as the printed values of its one `rules` design.

A game that was begun before templates had rules, and a template without them, play by the defaults.
"""

from __future__ import annotations

from typing import Literal, cast

import msgspec

from companion.rulebook import NAME, Deck, Design, Say, spoken

DECK = "any_game"
Scoring = Literal["free", "rounds"]
YES = "yes"


class Rules(msgspec.Struct, frozen=True):
    """How points are written down, what ends the evening, and what else the menu offers.

    `knows_rounds`: the game was begun when templates could have rules; before that points were asked
    seat by seat.
    """

    scoring: Scoring = "free"
    knows_rounds: bool = True


def rules_of(deck: Deck) -> Rules:
    """The rules that stand in a template."""
    known = "rules" in deck.fields["kind"].choices
    values = next((one.values for one in kind_of(deck, "rules")), {})
    return Rules(scoring=cast("Scoring", values.get("scoring", "free")), knows_rounds=known)


def kind_of(deck: Deck, kind: str) -> tuple[Design, ...]:
    """All designs of a kind, in the order in which they stand in the template."""
    return tuple([one for one in deck.designs if one.values["kind"] == kind])


def named(printed: Design) -> Say:
    """How people call it."""
    return spoken(str(printed.values.get(NAME, printed.id)))


def number(printed: Design, field: str) -> int:
    """A number that stands on a design; 0 where a log of an older game lacks it."""
    return int(printed.values.get(field, 0))


def word(printed: Design, field: str, otherwise: str) -> str:
    """A word that stands on a design; a log of an older game may lack it."""
    return str(printed.values.get(field, otherwise))
