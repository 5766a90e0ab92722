"""A market stall: the smallest game that does all that sessions must withstand.

Purses are covered, gems are sold by sealed bids, the till is open, and the rules can be made to crash.
"""

import math

from companion.log.events import Began, Event
from companion.log.log import MemoryLog, SealedDraft
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
MENU_OPTIONS = {
    "sell": say("Sell a gem"),
    "give": say("Give a gem"),
    "fail": say("Fail"),
    "close": say("Close"),
}
CRASHING_BID = 13
"""A sealed bid that makes the rules crash."""


async def play_stall(table: Table) -> GameResult:
    """Plays the rules: sells or gives away gems until the stall closes."""
    purses = {
        seat: table.supply_from_box(table.ledger.open_account(Place(PURSE, seat), COIN, covered=True), 20)
        for seat in table.seats
    }
    gems, fronts = table.supply_from_box(table.account(GEM, TILL), 9), table.account_by_seat(GEM, FRONT)
    while (choice := await Choose(None, say("What now?"), dict(MENU_OPTIONS))) != "close":
        if choice == "fail":
            raise RuntimeError
        if choice == "give":
            table.move(gems, fronts[table.seats[0]])
            table.add_note(say("{seat} gets a gem.", seat=table.seats[0]))
        else:
            await sell_gem(table, purses, gems)
    return rank_seats(table.seats, lambda seat: fronts[seat].count, lambda seat: ())


async def sell_gem(table: Table, purses: dict[Seat, Account], gems: Account) -> None:
    """Sells a gem to the highest sealed bid; of equal bids the first wins."""
    question = say("Sealed bid")
    bids: dict[Seat, int] = await Together(
        question, {seat: Amount(seat, question, 0, 99, paid_from=purse) for seat, purse in purses.items()}
    )
    if CRASHING_BID in bids.values():
        raise ZeroDivisionError
    buyer = max(bids, key=lambda seat: bids[seat])
    table.move(purses[buyer], table.account(COIN, TILL), bids[buyer])
    table.move(gems, table.account(GEM, FRONT, buyer))


def play(table: Table) -> RulebookCoroutine:
    """Returns the coroutine of the rules."""
    return play_stall(table)


STALL_GAME = Game("stall", 1, say("Stall"), (2, 3), play)


async def _play_changed_stall(table: Table) -> GameResult:
    seat = table.seats[0]
    for account in (table.ledger.open_account(Place(PURSE, seat), COIN), table.account(GEM, TILL)):
        table.supply_from_box(account, 20)
    await Choose(None, say("What now?"), dict(MENU_OPTIONS))
    await Choose(seat, say("What else?"), dict(MENU_OPTIONS))
    return rank_seats(table.seats, lambda seat: 0, lambda seat: ())


def _play_changed(table: Table) -> RulebookCoroutine:
    return _play_changed_stall(table)


CHANGED_STALL_GAME = Game("stall", 2, say("Stall"), (2, 3), _play_changed)
"""The stall with newer rules that ask different questions."""


class FailingLog(MemoryLog):
    """A log whose disk can be full (it saves nothing more) or `cannot_erase` (it deletes nothing)."""

    free_event_slots: float = math.inf
    """Number of events that still fit on the disk; if it is 0, no draft fits either."""
    can_save_drafts_when_full = False
    """Whether drafts still fit on a full disk, as they are in another file."""
    cannot_erase = False
    """Whether deleting drafts fails."""

    @property
    def is_full(self) -> bool:
        """Whether the disk has no more room."""
        return not self.free_event_slots

    @is_full.setter
    def is_full(self, is_full: bool) -> None:
        self.free_event_slots = 0 if is_full else math.inf

    def append(self, event: Event) -> None:
        """Saves an event; raises OSError if the disk is full."""
        if self.is_full:
            raise OSError(28, "No space left on device")
        self.free_event_slots -= 1
        super().append(event)

    def add_draft(self, draft: SealedDraft) -> None:
        """Saves a draft; raises OSError if the disk is full."""
        if self.is_full and not self.can_save_drafts_when_full:
            raise OSError(28, "No space left on device")
        super().add_draft(draft)

    def delete_drafts(self, drafts_to_keep: object = ()) -> None:
        """Deletes drafts; raises OSError if `cannot_erase` is set."""
        if self.cannot_erase:
            raise OSError(5, "Input/output error")
        assert any(isinstance(event, Began) for event in self) or not self
        super().delete_drafts(drafts_to_keep)  # type: ignore[arg-type]  # any drafts
