"""Egypt: ten all-pay auctions a round, first to two points. 3 to 5 players. Design: Toshihiro Hachisuka, 2016.

Rulings where the rulebook is silent:
1. Everybody who bid owes their own last bid, or with `pay_rule = winning_bid` the winning bid.
2. Bids above what a hand can pay are allowed and never hinted at: bluffing is the game.
3. A player without cards is skipped in auctions, keeps the chips and can still win the round.
4. If the next leader has no cards or is knocked out, the next clockwise from the winner who can bid leads.
5. The only player who still holds cards leads every chip, must bid, wins at once and pays.
6. A winner who is knocked out at payment gets no chip; it leaves the round and doesn't count as sold.
7. When nobody who is in holds cards, the remaining chips are not sold and the round ends.
8. No chip sold and no point given: whoever led the round's first auction leads again.
9. The last player not knocked out is offered the point at once; refused, play goes on.
10. A payment that one card less would still cover is accepted after a warning that names the card.
11. Paid cards lie face down: their number is public, which ones is covered until the round is over.
12. The table chooses who leads the very first auction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from companion.cards import Card
from companion.game import Game, Pick, Play
from companion.ledger import Piece, Place
from companion.requests import Choose, Done, Raise, Rate, Read, Worth
from companion.scores import Line, Result, ranked
from companion.seats import Seat
from companion.table import Table
from companion.words import Say, say

CHIPS = range(4, 14)
CARDS_DEALT = {3: 25, 4: 21, 5: 17}
CARDS_IN_ALL = 85
HIGHEST_BID = 99
GOAL = 2
CARDS_A_POINT = 3

HAND, FRONT, MARKET = say("hand"), say("front"), say("market")
BANK, BOX, TRACK = say("bank"), say("box"), say("round track")

CARD = Piece("card", say("card"))
CHIP = {number: Piece(f"chip {number}", say("daughter {number}", number=number)) for number in CHIPS}
POINT = Piece("point", say("point"), mark=True)
OUT = Piece("knocked out", say("knocked out"), mark=True)
LEADER = Piece("leader", say("leader"), mark=True)
ROUND = Piece("round", say("round"), mark=True)


class Board:
    """The accounts of Egypt, and what can be read off them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.hands = table.each(CARD, HAND)
        self.points = table.each(POINT, FRONT)
        self.out = table.each(OUT, FRONT)
        self.leads = table.each(LEADER, FRONT)
        self.bank = table.account(CARD, BANK)
        self.box = table.lay(table.account(CARD, BOX), CARDS_IN_ALL)
        self.market = {number: table.account(CHIP[number], MARKET, slot=number) for number in CHIPS}
        self.won = {
            seat: {number: table.account(CHIP[number], FRONT, seat) for number in CHIPS}
            for seat in table.seats
        }
        self.aside = {number: table.account(CHIP[number], BOX) for number in CHIPS}
        self.round = table.account(ROUND, TRACK)
        self.faces = table.faces("egypt", Place(BANK))
        for number in CHIPS:
            table.lay(self.market[number])
        self.marks = {piece: table.lay(table.account(piece, BOX), 99) for piece in (POINT, OUT, ROUND)}

    @property
    def leader(self) -> Seat:
        """Who leads the next auction, unless unable to bid."""
        return next(seat for seat in self.seats if self.leads[seat].count)

    @property
    def still_in(self) -> list[Seat]:
        """Everybody not knocked out of the round."""
        return [seat for seat in self.seats if not self.out[seat].count]

    def bidders(self, first: Seat) -> list[Seat]:
        """Who is in and holds cards, clockwise beginning with `first`."""
        return [
            seat for seat in self.seats.from_(first) if self.hands[seat].count and not self.out[seat].count
        ]

    def chips(self, seat: Seat) -> int:
        """The sum of the chips a seat has won this round."""
        return sum(number for number, account in self.won[seat].items() if account.count)

    def total(self, seat: Seat) -> int:
        """Chips and the bonus for cards; nothing for who is knocked out."""
        return 0 if self.out[seat].count else self.chips(seat) + bonus(self.hands[seat].count)

    def lead(self, seat: Seat) -> None:
        """Gives a seat the lead."""
        for other in self.seats:
            self.table.clear(self.leads[other], self.leads[seat]) if other != seat else None

    def deal(self) -> None:
        """Gathers everything and deals again; one more round."""
        for seat in self.seats:
            self.table.clear(self.hands[seat], self.box)
            self.table.clear(self.out[seat], self.marks[OUT])
            for number in CHIPS:
                self.table.clear(self.won[seat][number], self.market[number])
        for number in CHIPS:
            self.table.clear(self.aside[number], self.market[number])
        self.table.clear(self.bank, self.box)
        self.faces.gather()
        for seat in self.seats:
            self.table.move(self.box, self.hands[seat], CARDS_DEALT[len(self.seats)])
        self.table.move(self.marks[ROUND], self.round)


def bonus(cards: int) -> int:
    """Points for the cards still held at the end of a round: one per three."""
    return cards // CARDS_A_POINT


def price(number: int, owed: int) -> Worth:
    """A card numbered like the chip is worth 2, any other 1."""
    return Worth(
        owed,
        (
            Rate(say("cards numbered {number}", number=number), 2, {"number": number}),
            Rate(say("other cards"), 1),
        ),
    )


def one_too_many(worth: Worth, paid: Sequence[Card]) -> Card | None:
    """A card without which the payment would still do: another card before one numbered like the chip."""
    spare = min(reversed(paid), key=lambda card: (worth.of(card), card.id is not None))
    return spare if worth.sum(paid) - worth.of(spare) >= worth.owed else None


async def match(table: Table) -> Result:
    """Rounds until somebody has two points."""
    board = Board(table)
    seats: dict[str, Seat] = {str(seat.number): seat for seat in table.seats}
    first = await Choose(None, say("Who leads the first auction?"), dict(seats))
    table.lay(board.leads[seats[first]])
    while all(points.count < GOAL for points in board.points.values()):
        await play_round(board)
    return ranked(table.seats, lambda seat: board.points[seat].count, lambda seat: score_sheet(board, seat))


async def play_round(board: Board) -> None:
    """Ten auctions, each followed by its payments; then the point and the next leader."""
    table = board.table
    board.deal()
    table.heading = say("Round {round}", round=board.round.count)
    await Done(None, deal_instruction(len(table.seats)))
    next_leader, last_survivor_asked = board.leader, False
    for number in CHIPS:
        bidders = board.bidders(board.leader)
        if not bidders:
            break
        table.heading = say("Round {round} · {chip}", round=board.round.count, chip=CHIP[number])
        winner, bids = await auction(bidders, CHIP[number])
        await settle(board, number, bidders, winner, bids)
        if not board.out[winner].count:
            next_leader = winner
        can_bid = board.bidders(winner)
        board.lead(can_bid[0] if can_bid else winner)
        if len(board.still_in) == 1 and can_bid and number != CHIPS[-1] and not last_survivor_asked:
            last_survivor_asked = True
            if (
                await Choose(None, say("Only one player is left. End the round?"), LAST_SURVIVOR)
                == "end_round"
            ):
                break
    score(board, next_leader)


LAST_SURVIVOR = {"end_round": say("End the round: the point is won"), "play_on": say("Play on")}


def deal_instruction(players: int) -> Say:
    """What to do with cards and chips before a round."""
    return say("Shuffle all cards, deal {count} to each player, lay out the daughters 4 to 13.",
               count=CARDS_DEALT[players])  # fmt: skip


async def auction(bidders: Sequence[Seat], chip: Piece) -> tuple[Seat, dict[Seat, int]]:
    """Raise or withdraw in turn until one is left; the first must open. Gives the winner and all last bids."""
    bids: dict[Seat, int] = {}
    turn = deque(bidders)
    while len(turn) > 1 or not bids:
        still = tuple(turn)
        seat = turn.popleft()
        bid = await Raise(
            seat, chip, dict(bids), most=HIGHEST_BID, no="withdraw" if bids else None, still=still
        )
        if bid is not None:
            bids[seat] = bid
            turn.append(seat)
    return turn[0], bids


async def settle(
    board: Board, number: int, bidders: Sequence[Seat], winner: Seat, bids: dict[Seat, int]
) -> None:
    """Everybody who bid pays, clockwise from the auction's leader; then knock-outs count and the chip is handed out."""
    table = board.table
    table.tell(say("{seat} wins {chip} at {bid}.", seat=winner, chip=CHIP[number], bid=bids[winner]))
    winning_bid = table.options["pay_rule"] == "winning_bid"
    broke = []
    for seat in bidders:
        if seat in bids and not await payment(
            board, seat, number, bids[winner] if winning_bid else bids[seat]
        ):
            broke.append(seat)
    for seat in broke:
        table.move(board.marks[OUT], board.out[seat])
        table.clear(board.hands[seat], board.bank)
        table.tell(say("{seat} can't pay and is knocked out of the round.", seat=seat))
    table.move(board.market[number], board.aside[number] if winner in broke else board.won[winner][number])


async def payment(board: Board, seat: Seat, number: int, owed: int) -> bool:
    """Cards from the hand to the bank, face down; false if the player can't."""
    hand, worth = board.hands[seat], price(number, owed)
    paid = await Read(seat, say("Payment for {chip}", chip=CHIP[number]), board.faces, 1, hand, worth, CANT)
    if paid is None:
        return False
    cards = list(paid)
    while spare := one_too_many(worth, cards):
        question = say("One card less would be enough for {chip}.", chip=CHIP[number])
        choices = {
            "take_back": say("Take back {card}", card=called(spare, number)),
            "leave": say("Leave it so"),
        }
        if await Choose(seat, question, dict(choices)) == "leave":
            break
        cards.remove(spare)
    board.table.move(hand, board.bank, len(cards))
    board.faces.show(cards)
    return True


CANT = say("can't pay")


def called(card: Card, number: int) -> Say:
    """How people know the card that they may take back."""
    if card.id is not None:
        return say("card {id}", id=card.id)
    return (
        say("a card numbered {number}", number=number)
        if card.shows({"number": number})
        else say("another card")
    )


def score(board: Board, last_winner: Seat) -> None:
    """The single highest total gets the point and the lead; else the winner of the last chip sold leads."""
    table, still_in = board.table, board.still_in
    best = max((board.total(seat) for seat in still_in), default=0)
    highest = [seat for seat in still_in if board.total(seat) == best]
    if len(highest) == 1:
        table.move(board.marks[POINT], board.points[highest[0]])
        table.tell(say("{seat} gets a point with {total}.", seat=highest[0], total=best))
    else:
        table.tell(say("Nobody is alone at the top: no point this round."))
    board.lead(highest[0] if len(highest) == 1 else last_winner)


def score_sheet(board: Board, seat: Seat) -> tuple[Line, ...]:
    """Points, then what the last round brought."""
    return (
        Line(say("points"), board.points[seat].count),
        Line(say("last round: daughters"), board.chips(seat)),
        Line(say("last round: cards"), bonus(board.hands[seat].count)),
        Line(
            say("last round: knocked out") if board.out[seat].count else say("last round: total"),
            board.total(seat),
        ),
    )


PAY_RULE = Pick(
    "pay_rule",
    say("Payment"),
    say("What everybody who bid pays."),
    "own_bid",
    choices={"own_bid": say("their own last bid"), "winning_bid": say("the winning bid")},
)


def play(table: Table) -> Play:
    """The whole match."""
    return match(table)


GAME = Game("egypt", 1, say("Egypt"), (3, 5), play, (PAY_RULE,), ("egypt",))
