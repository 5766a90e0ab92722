"""Companies: their shares, the step of the prices at which each stands, and their treasuries.

Shares and money move; the price is a marker on a track. Nobody is asked anything here.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.any_game.printed import named, number, word
from companion.rulebook import Account, Design, Piece, Place, Say, Seat, Table, say, say_n

PRICES = say("price track")


def share_of(printed: Design) -> Piece:
    """A share of the company."""
    colour = word(printed, "livery", "plain")
    label, plain = named(printed), colour == "plain"
    counted = say_n("{n} share of {company}", "{n} shares of {company}", n=2, company=label)
    return Piece(printed.id, label, look="chip", colour="" if plain else colour, count_label=counted)


def marker_of(printed: Design) -> Piece:
    """What stands on the price track."""
    label = say("price of {company}", company=named(printed))
    return Piece(f"{printed.id} price", label, is_endless=True, is_marker=True)


def price_at(prices: Sequence[int], step: int) -> int:
    """What a share costs at a step, 0 before the first; a marker beyond the last is put there by hand."""
    return prices[min(step, len(prices)) - 1] if step > 0 else 0


class Company:
    """Shares lie in the bank, before seats or in the treasury; its price stands at a step, 0: at none."""

    def __init__(self, table: Table, printed: Design, prices: Sequence[int], bank: Say, purse: Say) -> None:
        self.label, self.prices = named(printed), prices
        self.share = share_of(printed)
        self.shares = number(printed, "shares")
        self.bank = table.supply(table.account(self.share, bank), self.shares)
        self.held = table.account_per_seat(self.share, purse)
        self.treasury = Place(self.label)
        self.own = table.account(self.share, self.label)
        self.marker = table.account(marker_of(printed), PRICES)
        table.supply(self.marker, min(number(printed, "step_at"), len(prices)))
        self._table = table

    @property
    def step(self) -> int:
        """How far up the track its price is; 0: it has none."""
        return self.marker.count

    @property
    def price(self) -> int:
        """What a share costs; 0 without a price."""
        return price_at(self.prices, self.step)

    def stand_at(self, step: int) -> None:
        """The price goes up or down to that step."""
        more = step - self.step
        if more > 0:
            self._table.add_markers(self.marker, more)
        else:
            self._table.remove_markers(self.marker, -more)

    def worth(self, seat: Seat) -> int:
        """What a seat's shares would be sold for."""
        return self.held[seat].count * self.price

    @property
    def holders(self) -> dict[Place, Account]:
        """Where shares lie that are paid for: before seats and in the treasury."""
        return {one.place: one for one in (*self.held.values(), self.own) if one.count > 0}
