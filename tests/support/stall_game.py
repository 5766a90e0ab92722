"""A market stall: a game as small as it can be that does what sessions must withstand.

Purses are covered, everybody may bid sealed for a gem, the till is open, and the rules can be made to fail.
"""

import math

from companion.log.events import Began, Event
from companion.log.log import Draft, MemoryLog
from companion.requests import Amount, Choose, Together
from companion.rules.game import Game, RulebookCoroutine
from companion.table.ledger import Account, Piece, Place
from companion.table.scores import GameResult, rank_seats
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import say, say_n

COIN, GEM = (
    Piece("coin", say("coin"), count_label=say_n("{n} coin", "{n} coins", n=2)),
    Piece("gem", say("gem"), count_label=say_n("{n} gem", "{n} gems", n=2)),
)
PURSE, TILL, FRONT = say("purse"), say("till"), say("front")
MENU = {"sell": say("Sell a gem"), "give": say("Give a gem"), "fail": say("Fail"), "close": say("Close")}
UNLUCKY = 13
"""A sealed bid that the rules can't stand."""


async def business(table: Table) -> GameResult:
    """Sells or gives away gems until the stall closes."""
    purses = {
        seat: table.supply_from_box(table.ledger.open_account(Place(PURSE, seat), COIN, covered=True), 20)
        for seat in table.seats
    }
    gems, fronts = table.supply_from_box(table.account(GEM, TILL), 9), table.account_by_seat(GEM, FRONT)
    while (choice := await Choose(None, say("What now?"), dict(MENU))) != "close":
        if choice == "fail":
            raise RuntimeError
        if choice == "give":
            table.move(gems, fronts[table.seats[0]])
            table.add_note(say("{seat} gets a gem.", seat=table.seats[0]))
        else:
            await sells(table, purses, gems)
    return rank_seats(table.seats, lambda seat: fronts[seat].count, lambda seat: ())


async def sells(table: Table, purses: dict[Seat, Account], gems: Account) -> None:
    """The highest sealed bid gets a gem; the first of equals."""
    question = say("Sealed bid")
    bids: dict[Seat, int] = await Together(
        question, {seat: Amount(seat, question, 0, 99, paid_from=purse) for seat, purse in purses.items()}
    )
    if UNLUCKY in bids.values():
        raise ZeroDivisionError
    buyer = max(bids, key=lambda seat: bids[seat])
    table.move(purses[buyer], table.account(COIN, TILL), bids[buyer])
    table.move(gems, table.account(GEM, FRONT, buyer))


def play(table: Table) -> RulebookCoroutine:
    """The whole day."""
    return business(table)


STALL = Game("stall", 1, say("Stall"), (2, 3), play)


async def _other_business(table: Table) -> GameResult:
    seat = table.seats[0]
    for account in (table.ledger.open_account(Place(PURSE, seat), COIN), table.account(GEM, TILL)):
        table.supply_from_box(account, 20)
    await Choose(None, say("What now?"), dict(MENU))
    await Choose(seat, say("What else?"), dict(MENU))
    return rank_seats(table.seats, lambda seat: 0, lambda seat: ())


def _other_play(table: Table) -> RulebookCoroutine:
    return _other_business(table)


CHANGED_STALL = Game("stall", 2, say("Stall"), (2, 3), _other_play)
"""The stall after its rules began to ask in another way."""


class Disk(MemoryLog):
    """A log on a disk that can be full: then it keeps nothing more, or (`stuck`) erases nothing."""

    room: float = math.inf
    """Number of events that still fit on it; where none does no draft fits either."""
    room_for_drafts = False
    """Whether drafts still fit on a full disk: they lie in another file."""
    stuck = False
    """Whether nothing can be erased."""

    @property
    def full(self) -> bool:
        """Whether there is no more room."""
        return not self.room

    @full.setter
    def full(self, is_full: bool) -> None:
        self.room = 0 if is_full else math.inf

    def append(self, event: Event) -> None:
        """Keeps an event; raises OSError where the disk is full."""
        if self.full:
            raise OSError(28, "No space left on device")
        self.room -= 1
        super().append(event)

    def add_draft(self, draft: Draft) -> None:
        """Keeps a draft; raises OSError where the disk is full."""
        if self.full and not self.room_for_drafts:
            raise OSError(28, "No space left on device")
        super().add_draft(draft)

    def delete_drafts(self, drafts_to_keep: object = ()) -> None:
        """Forgets drafts; raises OSError where the disk is stuck."""
        if self.stuck:
            raise OSError(5, "Input/output error")
        assert any(isinstance(event, Began) for event in self) or not self
        super().delete_drafts(drafts_to_keep)  # type: ignore[arg-type]  # any drafts
