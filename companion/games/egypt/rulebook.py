"""Egypt: ten all-pay auctions a round, first to two points. 3 to 5 players.

Design: Toshihiro Hachisuka, 2016. As long as its rulebook, so a little longer than 300 lines.

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
10. A payment that some cards less would still cover is accepted after one warning that names them all.
    Of cards alike nobody says which was taken back: each may be in the hand until that one is seen.
11. Paid cards lie face down: their number is public, which ones is covered until the round is over.
12. The table chooses who leads the very first auction, and a round's first where no player has the mark.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from functools import lru_cache

from companion.rulebook import (
    BOX,
    Card,
    CardPile,
    CardPrice,
    CardRate,
    ChoiceOption,
    Choose,
    ComputedCell,
    CountCell,
    DetailedOption,
    Done,
    Game,
    GameResult,
    LotRow,
    Piece,
    PieceRow,
    Place,
    Raise,
    Read,
    Say,
    Scene,
    SceneSetup,
    ScoreLine,
    Seat,
    SeatBadge,
    SeatMat,
    Table,
    VisibleTable,
    choose_seat,
    rank_seats,
    say,
    say_list,
    say_n,
)

CHIP_NUMBERS = range(4, 14)
CARDS_IN_ALL = 85
CARDS_PER_POINT = 3

HAND, FRONT, MARKET = say("hand"), say("front"), say("market")
BANK, ROUND_TRACK = say("bank"), say("round track")

CARD = Piece("card", say("card"), count_label=say_n("{n} card", "{n} cards", n=2))
CHIP = {number: Piece(f"chip {number}", say("daughter {number}", number=number)) for number in CHIP_NUMBERS}
POINT = Piece(
    "point", say("point"), is_endless=True, is_marker=True, count_label=say_n("{n} point", "{n} points", n=2)
)
KNOCKED_OUT = Piece("knocked out", say("knocked out"), is_endless=True, is_marker=True)
LEADER = Piece("leader", say("leader"), is_marker=True)
ROUND = Piece("round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2))


class Board:
    """The accounts of Egypt, with questions about them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.hands = table.account_per_seat(CARD, HAND)
        self.points = table.account_per_seat(POINT, FRONT)
        self.knocked_out = table.account_per_seat(KNOCKED_OUT, FRONT)
        self.leader_marks = table.account_per_seat(LEADER, FRONT)
        self.bank = table.account(CARD, BANK)
        self.box = table.supply(table.account(CARD, BOX), CARDS_IN_ALL)
        self.market = {
            number: table.supply(table.account(CHIP[number], MARKET, slot=number)) for number in CHIP_NUMBERS
        }
        self.chips_won = {seat: table.accounts(CHIP, FRONT, seat) for seat in table.seats}
        self.chips_in_box = table.accounts(CHIP, BOX)
        self.round = table.account(ROUND, ROUND_TRACK)
        table.supply(table.account(LEADER, BOX))
        self.faces = table.track_faces("egypt", Place(BANK))
        self._homes = {CARD: self.box, KNOCKED_OUT: table.account(KNOCKED_OUT, BOX)}
        self._homes |= {CHIP[number]: at for number, at in self.market.items()}

    @property
    def leader(self) -> Seat:
        """The seat that leads the next auction."""
        return self.table.first_holder(self.leader_marks) or self.seats[0]

    @property
    def still_in(self) -> list[Seat]:
        """The seats that aren't knocked out of the round."""
        return [seat for seat in self.seats if not self.knocked_out[seat].count]

    def bidders_from(self, first: Seat) -> list[Seat]:
        """Returns the seats that are in and hold cards, clockwise from `first`."""
        return [
            seat
            for seat in self.seats.starting_with(first)
            if self.hands[seat].count and not self.knocked_out[seat].count
        ]

    def chip_sum(self, seat: Seat) -> int:
        """Returns the sum of the chips that a seat has won this round."""
        return sum([number for number, account in self.chips_won[seat].items() if account.count])

    def total(self, seat: Seat) -> int:
        """Returns chips plus card bonus; 0 for a seat that is knocked out."""
        return 0 if self.knocked_out[seat].count else self.chip_sum(seat) + card_bonus(self.hands[seat].count)

    def give_lead(self, seat: Seat) -> None:
        """Moves the leader's mark to a seat, wherever it lies."""
        self.table.move_only_piece(self.leader_marks[seat])

    def gather_everything(self) -> None:
        """Returns all cards to the box and all chips to the market; everybody is in again."""
        for account, home in self.table.ledger.misplaced(self._homes):
            self.table.move_all(account, home)
        self.faces.shuffle_all()


def card_bonus(cards: int) -> int:
    """Returns the points for the cards in hand at the end of a round: one per three cards."""
    return cards // CARDS_PER_POINT


# The rules


CARDS_DEALT = {3: 25, 4: 21, 5: 17}
HIGHEST_BID = 99
GOAL = 2

NUMBERED_CARDS_RATE = {
    n: CardRate(say("cards numbered {number}", number=n), 2, {"number": n}) for n in CHIP_NUMBERS
}
OTHER_CARDS_RATE = CardRate(say("other cards"), 1)
PAYMENT_QUESTION = {number: say("What do you pay for {chip}?", chip=chip) for number, chip in CHIP.items()}
PAYMENT_LOG_NAME = {number: say("Payment for {chip}", chip=chip) for number, chip in CHIP.items()}
CANT_PAY = say("can't pay")


def price_in_cards(number: int, owed: int) -> CardPrice:
    """Returns the worth of cards: a card numbered like the chip counts 2, any other 1."""
    return CardPrice(owed, (NUMBERED_CARDS_RATE[number], OTHER_CARDS_RATE))


def surplus_cards(worth: CardPrice, paid: Sequence[Card]) -> list[Card]:
    """Returns the cards that the payment doesn't need: other cards before those numbered like the chip.

    Among equal cards, those with a known number come first, so that it is clear which ones are meant.
    """
    spare: list[Card] = []
    over = worth.total_value(paid) - worth.owed
    if not over:
        return spare
    least_last = sorted(paid, key=lambda card: (-worth.value_of(card), bool(card.values)))
    for card in reversed(least_last):
        if worth.value_of(card) <= over:
            spare.append(card)
            over -= worth.value_of(card)
    return spare


async def play_match(table: Table) -> GameResult:
    """Plays rounds until somebody has two points."""
    board = Board(table)
    table.score_so_far = lambda: standings(board)
    table.start_player = await choose_leader(board)
    while all(points.count < GOAL for points in board.points.values()):
        await play_round(board)
    return standings(board)


async def choose_leader(board: Board) -> Seat:
    """Asks the table who leads a round's first auction."""
    leader = await choose_seat(say("Who leads the first auction?"), board.seats)
    board.give_lead(leader)
    return leader


async def play_round(board: Board) -> None:
    """Plays ten auctions, each with its payments, then gives the point and chooses the next leader."""
    await deal_cards(board)
    if not board.table.first_holder(board.leader_marks):
        await choose_leader(board)
    last_buyer, broke = board.leader, list[Seat]()
    for number in CHIP_NUMBERS:
        bidders = next_bidders(board)
        if not bidders or (broke and await ends_early(board)):
            break
        board.table.heading = auction_heading(board.round.count, number)
        winner, bids = await run_auction(bidders, CHIP[number])
        broke = await collect_from_bidders(board, number, bidders, winner, bids)
        board.give_lead(winner)
        if winner not in broke:
            last_buyer = winner
    score_round(board, last_buyer)


async def deal_cards(board: Board) -> None:
    """Gathers everything and deals once people confirm it; until then the old round stays on the table."""
    table, count = board.table, CARDS_DEALT[len(board.seats)]
    board.table.add_markers(board.round)
    table.heading = say("Round {round}", round=board.round.count)
    await Done(
        None,
        say("Shuffle, deal {count} cards each, box the rest, lay out the daughters.", count=count),
        shuffled_pieces=(CARD,),
    )
    board.gather_everything()
    for seat in board.seats:
        table.move(board.box, board.hands[seat], count)


@lru_cache
def auction_heading(number: int, chip: int) -> Say:
    """Returns the heading of an auction and its payments."""
    return say("Round {round} · {chip}", round=number, chip=CHIP[chip])


def next_bidders(board: Board) -> list[Seat]:
    """Returns the seats that are in and hold cards, clockwise from the last winner; the first one leads."""
    leader = board.leader
    bidders = board.bidders_from(leader)
    if not bidders:
        board.table.add_note(
            say("None of the remaining players has any cards, so the other daughters aren't sold.")
        )
    elif bidders[0] != leader:
        board.give_lead(bidders[0])
        board.table.add_note(say("{seat} leads the next auction.", seat=bidders[0]))
    return bidders


async def ends_early(board: Board) -> bool:
    """Returns True if only one player is left and the table gives that player the point at once."""
    if len(board.still_in) > 1:
        return False
    end_round = DetailedOption(
        say("End the round"), gain=say("the point goes to {seat}", seat=board.still_in[0])
    )
    play_on = DetailedOption(say("Play on"), is_way_out=True)
    question = say("Only one player is left. End the round?")
    return await Choose(None, question, {"end_round": end_round, "play_on": play_on}) == "end_round"


async def run_auction(bidders: Sequence[Seat], chip: Piece) -> tuple[Seat, dict[Seat, int]]:
    """Asks for bids in turn until one bidder is left; the first must open. Returns winner and last bids."""
    bids: dict[Seat, int] = {}
    turn = deque(bidders)
    while len(turn) > 1 or not bids:
        still = tuple(turn)
        seat = turn.popleft()
        bid = await Raise(
            seat, chip, bids, most=HIGHEST_BID, decline="withdraw" if bids else None, still_bidding=still
        )
        if bid is not None:
            bids = {**bids, seat: bid}
            turn.append(seat)
    return turn[0], bids


async def collect_from_bidders(
    board: Board, number: int, bidders: Sequence[Seat], winner: Seat, bids: dict[Seat, int]
) -> list[Seat]:
    """Everybody who bid pays, clockwise from the auction's leader; returns the seats that can't.

    Only then knock-outs count and the chip is handed out.
    """
    table, chip = board.table, CHIP[number]
    everybody_alike = table.options["pay_rule"] == "winning_bid"
    owed = {seat: bids[winner] if everybody_alike else bids[seat] for seat in bidders if seat in bids}
    table.add_note(say("{seat} wins {chip} at {bid}.", seat=winner, chip=chip, bid=bids[winner]))
    sums = [describe_debt(seat, amount) for seat, amount in owed.items()]
    table.add_note(say("To pay: {payments}.", payments=say_list(sums)))
    broke: list[Seat] = []
    for seat, amount in owed.items():
        if not await pay_for_chip(board, seat, number, amount):
            broke.append(seat)
    for seat in broke:
        knock_out(board, seat)
    if winner in broke:
        table.add_note(say("Nobody gets {chip}. The chip leaves the round.", chip=chip))
    table.move_all(
        board.market[number],
        board.chips_in_box[number] if winner in broke else board.chips_won[winner][number],
    )
    return broke


@lru_cache(maxsize=512)
def describe_debt(seat: Seat, amount: int) -> Say:
    """Returns a text about what a seat has to pay."""
    return say("{amount} by {seat}", seat=seat, amount=amount)


async def pay_for_chip(board: Board, seat: Seat, number: int, owed: int) -> bool:
    """Asks for a payment with cards from the hand, face down; returns False if the player can't pay."""
    table, hand, worth = board.table, board.hands[seat], price_in_cards(number, owed)
    known = PAYMENT_LOG_NAME[number]
    about = CHIP[number]
    paid = await Read(
        seat, PAYMENT_QUESTION[number], board.faces, 1, hand, worth, CANT_PAY, about=about, log_name=known
    )
    if paid is None:
        return False
    table.move(hand, board.bank, len(paid))
    back = surplus_cards(worth, paid)
    if back and await takes_back(seat, number, worth, paid, back):
        table.move(board.bank, hand, len(back))
    else:
        back = []
    board.faces.show(paid, back=back)
    if not hand.count:
        table.add_note(say("{seat} has no cards left.", seat=seat))
    return True


async def takes_back(
    seat: Seat, number: int, worth: CardPrice, paid: Sequence[Card], back: Sequence[Card]
) -> bool:
    """Returns True if a player who laid down too much takes those cards back; the bank gives no change."""
    question = say("One card less would be enough for {chip}.", chip=CHIP[number])
    counts = Counter(card.values.get("number") for card in back)
    cards = say_list([describe_cards_of_value(count, printed, number) for printed, count in counts.items()])
    sums = say("{paid} paid, {owed} owed", paid=worth.total_value(paid), owed=worth.owed)
    take_back = DetailedOption(say("Take back {cards}", cards=cards), note=sums)
    leave = DetailedOption(say("Pay all these cards"), is_way_out=True)
    return await Choose(seat, question, {"take_back": take_back, "leave": leave}) == "take_back"


def describe_cards_of_value(count: int, printed: int | str | None, number: int) -> Say:
    """Returns a number of cards of one value as text; without `printed`, cards not numbered like the chip."""
    if printed is None:
        return say_n(
            "{n} card not numbered {number}", "{n} cards not numbered {number}", count, number=number
        )
    return say_n("{n} card numbered {number}", "{n} cards numbered {number}", count, number=printed)


def knock_out(board: Board, seat: Seat) -> None:
    """Knocks a seat out of the round; all its cards go face down to the bank."""
    board.table.add_markers(board.knocked_out[seat])
    board.table.move_all(board.hands[seat], board.bank)
    board.table.add_note(say("{seat} can't pay and is knocked out of the round.", seat=seat))


def score_round(board: Board, last_buyer: Seat) -> None:
    """Gives the point and the lead to the single highest total; else the last chip's winner leads."""
    table, totals = board.table, {seat: board.total(seat) for seat in board.still_in}
    for seat in board.seats:
        table.add_note(describe_round_score(board, seat))
    most = max(totals.values(), default=0)
    highest = [seat for seat, total in totals.items() if total == most]
    leader = highest[0] if len(highest) == 1 else last_buyer
    if len(highest) == 1:
        board.table.add_markers(board.points[leader])
        table.add_note(say("{seat} has the highest total and gets the point.", seat=leader))
    elif highest:
        table.add_note(
            say("{seats} share the highest total: nobody gets the point.", seats=say_list(highest))
        )
    else:
        table.add_note(say("Everybody is knocked out: nobody gets the point."))
    board.give_lead(leader)
    if board.points[leader].count < GOAL:
        table.add_note(say("{seat} leads the next round.", seat=leader))
    else:
        table.add_note(say("{seat} wins the match.", seat=leader))


def describe_round_score(board: Board, seat: Seat) -> Say:
    """Returns a sentence about a seat's total in the round."""
    if board.knocked_out[seat].count:
        return say("{seat} is knocked out and scores nothing.", seat=seat)
    chips, cards = board.chip_sum(seat), card_bonus(board.hands[seat].count)
    return say("{seat}: daughters {chips} + cards {cards} = {total}.",
               seat=seat, chips=chips, cards=cards, total=chips + cards)  # fmt: skip  # one sentence


def standings(board: Board) -> GameResult:
    """Returns the result, most points first."""
    return rank_seats(
        board.seats, lambda seat: board.points[seat].count, lambda seat: score_lines(board, seat)
    )


def score_lines(board: Board, seat: Seat) -> tuple[ScoreLine, ...]:
    """Returns the points, and for information the totals of the last round."""
    cards = board.hands[seat].count
    kept = say_n("last round: bonus for {n} card", "last round: bonus for {n} cards", n=cards)
    total = say("last round: knocked out") if board.knocked_out[seat].count else say("last round: total")
    return (
        ScoreLine(say("points"), board.points[seat].count),
        ScoreLine(say("last round: daughters"), board.chip_sum(seat), is_part_of_total=False),
        ScoreLine(kept, card_bonus(cards), is_part_of_total=False),
        ScoreLine(total, board.total(seat), is_part_of_total=False),
    )


PAY_RULE = ChoiceOption(
    "pay_rule",
    say("Payment"),
    say("Choose what each bidder pays."),
    "own_bid",
    choices={"own_bid": say("their own last bid"), "winning_bid": say("the winning bid")},
)


# The scene


def sum_of_daughters(look: VisibleTable, seat: Seat | None) -> int:
    """The sum of the daughters a seat has won this round."""
    return sum(number for number in CHIP_NUMBERS if look.open_count(CHIP[number], FRONT, seat))


def egypt_scene(_: SceneSetup) -> Scene:
    """Shows the cards in hand before each seat, and the ten daughters in the middle."""
    return Scene(
        SeatMat(
            headline=CountCell(CARD, HAND),
            cells=(
                ComputedCell(say("sum"), sum_of_daughters),
                CountCell(POINT, FRONT, label=say("points"), maximum=GOAL),
            ),
            badges=(SeatBadge(LEADER, FRONT, say("starts")), SeatBadge(KNOCKED_OUT, FRONT, sits_out=True)),
            rows=(PieceRow(FRONT, tuple(CHIP.values())),),
        ),
        (LotRow(MARKET, tuple(CHIP.values())), CardPile(CARD, BANK)),
    )


# Help: the rule behind each question, and what comes next


HELP = {
    "Who leads the first auction?": say(
        "Choose who leads the first auction. Later the winner of each auction leads the next auction."
    ),
    "Shuffle, deal {count} cards each, box the rest, lay out the daughters.": say(
        "Confirm when the cards are dealt and ten daughters are on the table. The first "
        "auction is for daughter 4."
    ),
    "Raise": say(
        "Bid more than the last bid, or withdraw and leave this auction. The last player left wins, and "
        "everybody who made a bid pays."
    ),
    "What do you pay for {chip}?": say(
        "Cards with the daughter's number count as 2, other cards as 1. A player who can't pay is knocked "
        "out of the round."
    ),
    "One card less would be enough for {chip}.": say(
        "You have paid more than you owe, and the bank gives no change. Take these cards "
        "back, or pay them too."
    ),
    "Only one player is left. End the round?": say(
        "Nobody else can buy a daughter in this round. End the round and give the point now, or play on."
    ),
}

# The game

GAME = Game(
    "egypt",
    1,
    say("Egypt"),
    (3, 5),
    play_match,
    (PAY_RULE,),
    ("egypt",),
    question_kinds=("Choose", "Raise", "Read", "Done"),
    scene=egypt_scene,
    help=HELP,
    is_demo=True,
)
