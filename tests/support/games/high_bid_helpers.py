"""What tests of High Bid do at the table again and again; nothing here knows more than the questions say."""

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
"""What is printed on each card, by its name."""
TAGS = {"04b1": ("high_bid", "books.1"), "04b2": ("high_bid", "books.2"), "99": ("egypt", "4.1")}


def deal_first_round(players: int = 4, first: str = "Aki", **options: str) -> Script:
    """Cards and money dealt, `first` about to open the first auction."""
    script = Script(GAME, *NAMES[:players], options=options, tags=TAGS)
    return script.says(f"table: {first}", "table: done")


def turn_up_cards(script: Script, *cards: str) -> Script:
    """Turns up these cards from the pile."""
    return script.says(*(f"table: turns {card}" for card in cards))


def sell_to(script: Script, buyer: str, bid: int | None = None) -> Script:
    """The open auction now on goes to this buyer, who alone bids: the least, or so much."""
    while isinstance(question := script.session.question, Raise):
        who = question.seat.name
        bids = who == buyer and not question.bids
        script.says(
            f"{who} {question.lowest_allowed_bid if bid is None else bid}" if bids else f"{who} passes"
        )
    return script


def pass_all(script: Script) -> Script:
    """Nobody bids for the lot now on the block, or at the public auction."""
    while isinstance(question := script.session.question, Raise):
        script.says(f"{question.seat.name} passes")
    return script


def turn_up_and_sell(script: Script, buyer: str = "Aki", card: str = "lamps") -> Script:
    """A card comes up and goes to the buyer, who now has the rights."""
    return sell_to(turn_up_cards(script, card), buyer)


def put_up_and_roll(script: Script, name: str, card: str, red: int, green: int) -> Script:
    """The winner puts up a property and rolls both dice."""
    return script.says(f"{name}: sell", f"{name} puts {card}", f"{name}: {red} {green}")


def set_pile_size(script: Script, count: int) -> Script:
    """Only so many cards are left in the pile; the others go to the box."""
    return set_count(script, count, "card", "auction pile", "box")


def set_dollars(script: Script, name: str, dollars: int) -> Script:
    """Corrects a purse, so that a test need not play until it has come about."""
    return set_count(script, dollars, "dollar", f"{name}/purse")


def remove_dealt_cards(script: Script, name: str) -> Script:
    """Takes a player's dealt cards away, so that the companion knows all that are left."""
    return set_count(script, 0, "card", f"{name}/hand", "box")


def dollar_counts(script: Script) -> list[int]:
    """What everybody has, clockwise from seat 1."""
    return [script[f"{seat.name}/purse", "dollar"] for seat in script.session.table.seats]


def open_cards_at(script: Script, place: str) -> list[str]:
    """The names of the cards that lie open at a place, in alphabetical order."""
    return sorted(
        render(account.piece)
        for account in script.session.table.ledger
        if account.place.key_with_player_name == place
        and account.piece.is_marker
        and account.piece.look == "card"
        for _ in range(account.count)
    )


def rank_explanation(script: Script, name: str) -> str | None:
    """What the score sheet says of somebody's place."""
    told: str | None = next(one["why"] for one in script.result_json["standings"] if one["seat"] == name)
    return told


def score_lines(script: Script, name: str) -> dict[str, int]:
    """What the score sheet says of somebody."""
    standing = next(one for one in script.result_json["standings"] if one["seat"] == name)
    return {line["label"]: line["value"] for line in standing["lines"]} | {"total": standing["total"]}
