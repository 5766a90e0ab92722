"""Helpers for scripts of Egypt; they use only what the questions say."""

from __future__ import annotations

from companion.games.egypt.rulebook import CARD, GAME, HAND
from companion.requests import Raise, Read
from companion.session.session import Session
from companion.testing import Script
from tests.support.games.script_helpers import set_count

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi")


def deal_first_round(players: int = 3, leader: str = "Aki", **options: str) -> Script:
    """Begins a game and deals; `leader` is about to open the auction of chip 4."""
    script = Script(GAME, *NAMES[:players], options=options, tags=TAGS)
    return script.says(f"table: {leader}", "table: done")


TAGS = {
    "04a1": ("egypt", "4.1"),
    "04a2": ("egypt", "4.2"),
    "06a1": ("egypt", "6.1"),
    "99": ("oyakata", "ruby"),
}


def buy_chips(script: Script, *names: str) -> Script:
    """Lets these players buy the next chips as cheaply as possible."""
    for name in names:
        let_player_win_auction(script, name)
        pay_with_other_cards(script)
    return script


def let_player_win_auction(script: Script, buyer: str) -> None:
    """Plays one auction in which the leader opens at 1 and only the buyer bids more."""
    while isinstance(question := script.session.question, Raise):
        who = question.seat.name
        stays = not question.bids or who == buyer
        script.says(f"{who} {question.lowest_allowed_bid}" if stays else f"{who} withdraws")


def pay_with_other_cards(script: Script) -> None:
    """Lets everybody pay in other cards; players with too few cards can't pay."""
    while isinstance(question := script.session.question, Read):
        owed, most = script.open_question_limits["owed"], script.open_question_limits["most"]
        paid = f"pays {owed}×other" if owed <= most else "can't pay"
        script.says(f"{question.seats[0].name} {paid}")


def set_hand_size(script: Script, name: str, cards: int) -> Script:
    """Sets the number of cards in a hand by a correction, so that a test need not play that far."""
    return set_count(script, cards, "card", f"{name}/hand")


def hand_sizes_of_script(script: Script) -> list[int]:
    """Returns the number of cards in each hand, clockwise from seat 1."""
    return hand_sizes(script.session)


def hand_sizes(session: Session) -> list[int]:
    """Returns the number of cards in each hand, clockwise from seat 1."""
    return [session.table.account(CARD, HAND, seat).count for seat in session.table.seats]


def point_counts(script: Script) -> list[int]:
    """Returns the points of each player, clockwise from seat 1."""
    return [script[f"{seat.name}/front", "point"] for seat in script.session.table.seats]


def knocked_out_players(script: Script) -> list[str]:
    """Returns the names of the players who are out of the round."""
    return [seat.name for seat in script.session.table.seats if script[f"{seat.name}/front", "knocked out"]]


# A covered payment


PAID_ROUND = (
    "table: Aki",
    "table: done",
    "Aki 1",
    "Ben 3",
    "Chie withdraws",
    "Aki withdraws",
    "Aki pays card:4.1",
)
"""Answers of an auction in which Aki has paid with a card that was read; then Ben is asked to pay."""
ANSWERS_AFTER_PAID_ROUND = (
    "Ben pays 3×other",
    "Ben 2",
    "Chie 4",
    "Aki withdraws",
    "Ben withdraws",
    "Ben pays 5",
)
"""Answers of the rest of that auction, and of the next one."""


def swap_paid(session: Session) -> None:
    """Changes the card with which Aki paid: a secret change that no rule makes."""
    ledger = session.table.ledger
    for shown, hidden in (("card 4.1", "card 5.1"), ("card 4.2", "card 6.1")):
        for piece, bank, unseen in ((shown, 0, 1), (hidden, 1, 0)):
            at_bank, at_unseen = (
                ledger.find_account_by_keys("bank", piece),
                ledger.find_account_by_keys("unseen", piece),
            )
            ledger.register_account(at_bank)
            assert at_bank.covered
            assert at_unseen.covered
            ledger.supply_from_box(at_bank, bank - at_bank.count)
            ledger.supply_from_box(at_unseen, unseen - at_unseen.count)
