"""Bids on demand: what a table sells by auction, in the open or in secret."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.any_game.deeds import Deed
from companion.games.any_game.laid import Laid
from companion.rulebook import (
    BEST,
    Emptiest,
    Piece,
    Seat,
    bids_made,
    capped,
    listed,
    open_bids,
    payments,
    say,
    sealed_bids,
    sealed_round,
)


async def sealed_bid(shelf: Laid) -> None:
    """Everybody bids in secret; the options say what wins, who pays and what a tie means."""
    table, held = shelf.table, shelf.paid_from
    wins, pays = str(table.options["wins"]), str(table.options["pays"])
    most = capped(shelf.most, held, wins, pays)
    question = say("Your sealed bid in {unit}; 0 is no bid", unit=shelf.money)
    if isinstance(most, Emptiest):
        text = "Your sealed bid in {unit}, at most what the emptiest purse holds; 0 is no bid"
        question = say(text, unit=shelf.money)

    def tie(ahead: Sequence[Seat], bid: int) -> None:
        table.tell(say("Tie at {bid}: {seats} bid again.", bid=bid, seats=listed(ahead)))

    bids, ahead = await sealed_round(
        lambda seats: sealed_bids(say("Sealed bid"), question, seats, most, held),
        BEST[wins],
        shelf.seats,
        tie if table.options["ties"] == "again" else None,
    )
    tell_winner(shelf, ahead, bids[ahead[0]] if ahead else 0)
    if pays == "nobody" and any(bids.values()):
        table.tell(say("Nobody pays. Bids: {bids}.", bids=bids_made(bids)))
    for seat, amount in payments(bids, ahead, pays, BEST[wins]).items():
        shelf.pay(seat, amount)


def tell_winner(shelf: Laid, ahead: Sequence[Seat], bid: int) -> None:
    """Who has won, who ties, or that nobody has bid."""
    if not ahead:
        shelf.table.tell(say("Nobody wins."))
    elif len(ahead) == 1:
        shelf.table.tell(say("{seat} wins with {bid}.", seat=ahead[0], bid=bid))
    else:
        text = "Tie at {bid}: {seats}. Nobody wins; your game decides."
        shelf.table.tell(say(text, bid=bid, seats=listed(ahead)))


async def auction(shelf: Laid) -> None:
    """Bids in turn from the start player on; the winner pays the bank, unless nobody pays."""
    table, first, held = shelf.table, shelf.start or shelf.seats[0], shelf.paid_from
    shelf.table.mark(shelf.lot)
    number = shelf.lot.count
    about = Piece(f"lot {number}", say("lot {number}", number=number))
    winner, bid = await open_bids(shelf.seats.from_(first), about, most=shelf.most, held=held)
    if winner is None:
        table.tell(say("Nobody wins."))
        return
    table.tell(say("{seat} wins with {bid}.", seat=winner, bid=bid))
    if held:
        shelf.pay(winner, bid)


def has_pieces(shelf: Laid) -> bool:
    """Whether there is something to bid in."""
    return bool(shelf.pieces)


DEEDS = (
    Deed("sealed_bid", say("Sealed bid"), sealed_bid, has_pieces),
    Deed("auction", say("Auction"), auction, has_pieces),
)
