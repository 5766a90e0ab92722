"""What a template says of the rules of the evening, as the printed values of its one `rules` design.

A game that was begun before templates had rules, and a template without them, play by the defaults.
"""

from __future__ import annotations

import msgspec

from companion.rulebook import NAME, Deck, Design, Say, spoken

DECK = "any_game"
YES, NO = "yes", "no"


class HouseRules(msgspec.Struct, frozen=True):
    """How points are written down, what ends the evening, and what else the menu offers.

    Each word stands, explained, in any_game.toml. `knows_rounds`: the game was begun when templates could
    have rules; before that points were asked seat by seat.
    """

    scoring: str = "free"
    best: str = "highest"
    rounds: int = 0
    target: int = 0
    deal: str = "nobody"
    teams: int = 0
    out: bool = False
    chance: bool = True
    dice: int = 2
    sides: int = 6
    bids: str = "after"
    tricks: int = 0
    hit: int = 0
    each: int = 0
    miss: int = 0
    knows_rounds: bool = True

    @property
    def lowest_wins(self) -> bool:
        """Whether fewer points are better."""
        return self.best == "lowest"


def rules_of(deck: Deck) -> HouseRules:
    """The rules that stand in a template."""
    printed = next((one.values for one in kind_of(deck, "rules")), {})
    known = {name: printed[name] for name in HouseRules.__struct_fields__ if name in printed}
    values = {name: value == YES if value in (YES, NO) else value for name, value in known.items()}
    knows_rounds = "rules" in deck.fields["kind"].choices
    return msgspec.convert(values | {"knows_rounds": knows_rounds}, HouseRules)


def kind_of(deck: Deck, kind: str) -> tuple[Design, ...]:
    """All designs of a kind, in the order in which they stand in the template."""
    return tuple([one for one in deck.designs if one.values["kind"] == kind])


def named(printed: Design) -> Say:
    """How people call it."""
    return spoken(str(printed.values.get(NAME, printed.id)))


def number(printed: Design, field: str, otherwise: int = 0) -> int:
    """A number that stands on a design; a log of an older game may lack it."""
    return int(printed.values.get(field, otherwise))


def word(printed: Design, field: str, otherwise: str) -> str:
    """A word that stands on a design; a log of an older game may lack it."""
    return str(printed.values.get(field, otherwise))
