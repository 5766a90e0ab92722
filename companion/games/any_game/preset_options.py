"""Options of the game that a template sets: which bid wins, who pays, and what ties mean.

People can still choose other values before a match. The values in force are those of the table's options.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.any_game.bank import counts_covered_money
from companion.games.any_game.lots import (
    ASK_TABLE,
    AUCTION_AND_SEALED_BID,
    NO_AUCTION,
    LotRules,
    can_hold_auctions,
    find_pays_errors,
)
from companion.games.any_game.template import Template
from companion.rulebook import Deck, Say, say

TIE_RULE_BY_TEMPLATE_WORD = {"order": "turn_order"}
"""Values of the option `tie_rule` that a template names with a shorter word."""
AUCTIONS_WITH_SEALED_BIDS = ("sealed", AUCTION_AND_SEALED_BID, ASK_TABLE)
"""Words of the template for ways to sell that have sealed bids, or may have them."""


class OptionRules(msgspec.Struct, frozen=True):
    """Values of options that a template sets; any_game.toml explains each word."""

    wins: str = "highest"
    bid_ties: str = "named"
    pays: str = "winner"
    tie_rule: str = "shared"


def read_options(deck: Deck) -> dict[str, str]:
    """Returns the values of options that a template sets, by the key of the option."""
    rules = Template(deck).read_rules(OptionRules)
    tie_rule = TIE_RULE_BY_TEMPLATE_WORD.get(rules.tie_rule, rules.tie_rule)
    return {"wins": rules.wins, "ties": rules.bid_ties, "pays": rules.pays, "tie_rule": tie_rule}


def has_auctions(template: Template) -> bool:
    """Returns whether people can sell lots."""
    return can_hold_auctions(template) and template.read_rules(LotRules).auction != NO_AUCTION


def may_have_sealed_bids(template: Template) -> bool:
    """Returns whether people can sell lots by sealed bids."""
    return has_auctions(template) and template.read_rules(LotRules).auction in AUCTIONS_WITH_SEALED_BIDS


def find_unused_options(deck: Deck) -> list[str]:
    """Returns the keys of the options that have no effect with a template."""
    template = Template(deck)
    general = template.general_rules
    unused = [] if has_auctions(template) else ["most", "pays"]
    if not may_have_sealed_bids(template):
        unused += ["wins", "ties"]
    if general.scoring == "knockout" or general.teams == 1:
        unused.append("tie_rule")
    return unused


# Errors in a template


def find_option_errors(template: Template) -> Iterator[Say]:
    """Yields an error for each option that a template sets without effect, or that it can't have."""
    rules = template.read_rules(OptionRules)
    has_sealed_bids = may_have_sealed_bids(template)
    for field, needs_sealed_bids in (
        ("wins", rules.wins != "highest"),
        ("bid_ties", rules.bid_ties != "named"),
        ("pays", rules.pays in ("second", "all")),
    ):
        if needs_sealed_bids and not has_sealed_bids:
            yield say("{field} needs sealed bids. Set auction to sealed, both or ask.", field=field)
    if rules.pays == "nobody" and not has_auctions(template):
        yield say('"pays = nobody" needs an auction. Set auction to a value other than none.')
    yield from find_pays_errors(template, rules.pays)
    if rules.tie_rule == "money" and template.money_piece is None:
        yield say("{field} needs a piece that serves as money.", field="tie_rule")
    if rules.tie_rule == "table" and counts_covered_money(template):
        yield say('"tie_rule = table" has no effect, because covered money counts: nobody is asked.')
