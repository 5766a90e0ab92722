"""Helpers for scripts of High Bid; they use only what the questions say."""

from __future__ import annotations

from companion.cards import shipped_deck
from companion.games.high_bid.rulebook import GAME
from companion.requests import Raise
from companion.testing import Script
from companion.texts import render
from tests.support.games.script_helpers import set_count

NAMES = ("Aki", "Ben", "Chie", "Dai")
DECK = shipped_deck("high_bid")
PRINTED = {name: design for design in DECK.designs for name in design.copy_ids}
"""The design of each card by its name."""
TAGS = {"04b1": ("high_bid", "books.1"), "04b2": ("high_bid", "books.2"), "99": ("egypt", "4.1")}


def deal_first_round(players: int = 4, first: str = "Aki", **options: str) -> Script:
    """Begins a game and deals cards and money; `first` is about to open the first auction."""
    script = Script(GAME, *NAMES[:players], options=options, tags=TAGS)
    return script.says(f"table: {first}", "table: done")


def turn_up_cards(script: Script, *cards: str) -> Script:
    """Turns up these cards from the pile."""
    return script.says(*(f"table: turns {card}" for card in cards))


def sell_to(script: Script, buyer: str, bid: int | None = None) -> Script:
    """Sells the lot of the open auction to this buyer, who alone bids: the lowest bid, or `bid`."""
    while isinstance(question := script.session.question, Raise):
        who = question.seat.name
        bids = who == buyer and not question.bids
        script.says(
            f"{who} {question.lowest_allowed_bid if bid is None else bid}" if bids else f"{who} passes"
        )
    return script


def pass_all(script: Script) -> Script:
    """Lets everybody pass at the current auction."""
    while isinstance(question := script.session.question, Raise):
        script.says(f"{question.seat.name} passes")
    return script


def turn_up_and_sell(script: Script, buyer: str = "Aki", card: str = "lamps") -> Script:
    """Turns up a card and sells it to the buyer, who then has the rights."""
    return sell_to(turn_up_cards(script, card), buyer)


def put_up_and_roll(script: Script, name: str, card: str, red: int, green: int) -> Script:
    """Lets the winner put up a property and roll both dice."""
    return script.says(f"{name}: sell", f"{name} puts {card}", f"{name}: {red} {green}")


def set_pile_size(script: Script, count: int) -> Script:
    """Leaves `count` cards in the pile; the others go to the box."""
    return set_count(script, count, "card", "auction pile", "box")


def set_dollars(script: Script, name: str, dollars: int) -> Script:
    """Sets the dollars in a purse by a correction, so that a test need not play that far."""
    return set_count(script, dollars, "dollar", f"{name}/purse")


def remove_dealt_cards(script: Script, name: str) -> Script:
    """Takes away a player's dealt cards, so that the companion knows all remaining cards."""
    return set_count(script, 0, "card", f"{name}/hand", "box")


def dollar_counts(script: Script) -> list[int]:
    """Returns the dollars of each player, clockwise from seat 1."""
    return [script[f"{seat.name}/purse", "dollar"] for seat in script.session.table.seats]


def open_cards_at(script: Script, place: str) -> list[str]:
    """Returns the names of the open cards at a place, in alphabetical order."""
    return sorted(
        render(account.piece)
        for account in script.session.table.ledger
        if account.place.key_with_player_name == place
        and account.piece.is_marker
        and account.piece.look == "card"
        for _ in range(account.count)
    )


def rank_explanation(script: Script, name: str) -> str | None:
    """Returns how the score sheet explains a player's rank."""
    told: str | None = next(one["why"] for one in script.result_json["standings"] if one["seat"] == name)
    return told


def score_lines(script: Script, name: str) -> dict[str, float]:
    """Returns the lines and the total of a player on the score sheet."""
    standing = next(one for one in script.result_json["standings"] if one["seat"] == name)
    return {line["label"]: line["value"] for line in standing["lines"]} | {"total": standing["total"]}
