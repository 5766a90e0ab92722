"""Egypt: ten all-pay auctions a round, first to two points. 3 to 5 players.

Design: Toshihiro Hachisuka, 2016.

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
from typing import NamedTuple

from companion.rulebook import (
    BOX,
    Card,
    CardPile,
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
    PriceInCards,
    Raise,
    Read,
    Say,
    Scene,
    SceneSetup,
    ScoreLine,
    ScoreTable,
    ScoreTableLine,
    Seat,
    SeatBadge,
    SeatMat,
    Table,
    VisibleTable,
    choose_seat,
    find_leaders,
    rank_seats,
    say,
    say_amount_of,
    say_list,
    say_n,
    say_people,
)

CHIP_NUMBERS = range(4, 14)
CARDS_IN_ALL = 85
CARDS_PER_POINT = 3

HAND, FRONT, MARKET = say("hand"), say("front"), say("market")
BANK, ROUND_TRACK = say("bank"), say("round track")

CARD = Piece("card", say("card"), count_label=say_n("{n} card", "{n} cards", n=2))
CHIP_BY_NUMBER = {
    number: Piece(f"chip {number}", say("daughter {number}", number=number)) for number in CHIP_NUMBERS
}
POINT_MARKER = Piece(
    "point", say("point"), is_endless=True, is_marker=True, count_label=say_n("{n} point", "{n} points", n=2)
)
KNOCKED_OUT_MARKER = Piece("knocked out", say("knocked out"), is_endless=True, is_marker=True)
LEADER_MARKER = Piece("leader", say("leader"), is_marker=True)
ROUND_MARKER = Piece(
    "round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2)
)


class Board:
    """The accounts of a match of Egypt, and what can be read from them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.hands = table.account_by_seat(CARD, HAND)
        self.points = table.account_by_seat(POINT_MARKER, FRONT)
        self.knocked_out = table.account_by_seat(KNOCKED_OUT_MARKER, FRONT)
        self.leader_marks = table.account_by_seat(LEADER_MARKER, FRONT)
        self.bank = table.account(CARD, BANK)
        self.box = table.supply_from_box(table.account(CARD, BOX), CARDS_IN_ALL)
        self.market = {
            number: table.supply_from_box(table.account(CHIP_BY_NUMBER[number], MARKET, slot=number))
            for number in CHIP_NUMBERS
        }
        self.chips_won = {seat: table.account_by_key(CHIP_BY_NUMBER, FRONT, seat) for seat in table.seats}
        self.chips_in_box = table.account_by_key(CHIP_BY_NUMBER, BOX)
        self.round = table.round_counter = table.account(ROUND_MARKER, ROUND_TRACK)
        table.supply_from_box(table.account(LEADER_MARKER, BOX))
        self.faces = table.track_faces("egypt", Place(BANK))
        self._home_by_piece = {CARD: self.box, KNOCKED_OUT_MARKER: table.account(KNOCKED_OUT_MARKER, BOX)}
        self._home_by_piece |= {CHIP_BY_NUMBER[number]: account for number, account in self.market.items()}

    @property
    def leader_of_next_auction(self) -> Seat:
        """The seat that leads the next auction; the first seat if people took the mark away by hand."""
        return self.table.first_holder(self.leader_marks) or self.seats[0]

    @property
    def seats_still_in_round(self) -> list[Seat]:
        """The seats that aren't knocked out of the round."""
        return [seat for seat in self.seats if not self.knocked_out[seat].count]

    def seats_able_to_bid(self, first_seat: Seat) -> list[Seat]:
        """Returns the seats that are in and hold cards, clockwise from `first_seat`."""
        return [
            seat
            for seat in self.seats.starting_with(first_seat)
            if self.hands[seat].count and not self.knocked_out[seat].count
        ]

    def sum_of_chips_won(self, seat: Seat) -> int:
        """Returns the sum of the chips that a seat has won this round."""
        return sum([number for number, account in self.chips_won[seat].items() if account.count])

    def round_total(self, seat: Seat) -> int:
        """Returns a seat's chips plus card bonus in this round; 0 if it is knocked out."""
        return (
            0
            if self.knocked_out[seat].count
            else self.sum_of_chips_won(seat) + card_bonus(self.hands[seat].count)
        )

    def give_leader_mark(self, seat: Seat) -> None:
        """Moves the leader's mark to a seat, wherever the mark is."""
        self.table.move_single_piece(self.leader_marks[seat])

    def reset_cards_and_chips(self) -> None:
        """Returns all cards to the box and all chips to the market; everybody is in the round again."""
        for account, home in self.table.ledger.find_misplaced_accounts(self._home_by_piece):
            self.table.move_all(account, home)
        self.faces.mark_all_unseen()


def card_bonus(card_count: int) -> int:
    """Returns the bonus for the cards in hand at the end of a round: a point for every three cards."""
    return card_count // CARDS_PER_POINT


# The rules


CARDS_DEALT = {3: 25, 4: 21, 5: 17}
MAX_BID = 99
POINTS_TO_WIN = 2

NUMBERED_CARDS_RATE_BY_CHIP_NUMBER = {
    n: CardRate(say("cards numbered {number}", number=n), 2, {"number": n}) for n in CHIP_NUMBERS
}
OTHER_CARDS_RATE = CardRate(say("other cards"), 1)
PAYMENT_LOG_NAME_BY_CHIP_NUMBER = {
    number: say("Payment for {chip}", chip=chip) for number, chip in CHIP_BY_NUMBER.items()
}
CANT_PAY_LABEL = say("can't pay")


def make_card_price(chip_number: int, amount_owed: int) -> PriceInCards:
    """Returns the price of a chip in cards: a card numbered like the chip counts 2, any other 1."""
    return PriceInCards(amount_owed, (NUMBERED_CARDS_RATE_BY_CHIP_NUMBER[chip_number], OTHER_CARDS_RATE))


def surplus_cards(price: PriceInCards, paid_cards: Sequence[Card]) -> list[Card]:
    """Returns the paid cards that the payment doesn't need: first those not numbered like the chip.

    Among equal cards, those with a known number come first, so that it is clear which ones are meant.
    """
    surplus: list[Card] = []
    surplus_value = price.total_value(paid_cards) - price.owed
    if not surplus_value:
        return surplus
    least_needed_last = sorted(paid_cards, key=lambda card: (-price.value_of(card), bool(card.values)))
    for card in reversed(least_needed_last):
        if price.value_of(card) <= surplus_value:
            surplus.append(card)
            surplus_value -= price.value_of(card)
    return surplus


async def play_match(table: Table) -> GameResult:
    """Plays rounds until somebody has two points."""
    board = Board(table)
    table.score_so_far = lambda: standings(board)
    table.start_player = await choose_first_leader(board)
    while all(points.count < POINTS_TO_WIN for points in board.points.values()):
        await play_round(board)
    return standings(board)


async def choose_first_leader(board: Board) -> Seat:
    """Asks the table who leads a round's first auction, and gives this seat the mark."""
    leader = await choose_seat(say("Who leads the first auction?"), board.seats)
    board.give_leader_mark(leader)
    board.table.add_note(say("{seat} leads the first auction.", seat=leader))
    return leader


async def play_round(board: Board) -> None:
    """Plays ten auctions, each with its payments, then gives the point and chooses the next leader."""
    await ask_to_deal_and_reset(board)
    if not board.table.first_holder(board.leader_marks):
        await choose_first_leader(board)
    last_buyer, seats_unable_to_pay = board.leader_of_next_auction, list[Seat]()
    for number in CHIP_NUMBERS:
        bidders = appoint_leader_and_list_bidders(board)
        if not bidders or (seats_unable_to_pay and await ask_to_end_round_early(board)):
            break
        board.table.heading = auction_heading(board.round.count, number)
        winner, bids = await run_auction(bidders, CHIP_BY_NUMBER[number])
        seats_unable_to_pay = await collect_bids_and_give_chip(board, number, bidders, winner, bids)
        board.give_leader_mark(winner)
        if winner not in seats_unable_to_pay:
            last_buyer = winner
    score_round(board, last_buyer)


async def ask_to_deal_and_reset(board: Board) -> None:
    """Asks people to deal; once they confirm it, gathers all cards and deals them anew.

    Until then the old round stays on the table.
    """
    table, count = board.table, CARDS_DEALT[len(board.seats)]
    table.add_markers(board.round)
    table.heading = say("Round {round}", round=board.round.count)
    await Done(
        None,
        say("Shuffle, deal {count} cards each, box the rest, lay out the daughters.", count=count),
        shuffled_pieces=(CARD,),
    )
    board.reset_cards_and_chips()
    for seat in board.seats:
        table.move(board.box, board.hands[seat], count)


@lru_cache
def payment_question(winner: Seat, chip_number: int) -> Say:
    """Returns the question for a payment; it says who won the auction."""
    return say("{seat} won {chip}. What do you pay?", seat=winner, chip=CHIP_BY_NUMBER[chip_number])


@lru_cache
def auction_heading(round_number: int, chip_number: int) -> Say:
    """Returns the heading of an auction and its payments."""
    return say("Round {round} · {chip}", round=round_number, chip=CHIP_BY_NUMBER[chip_number])


def appoint_leader_and_list_bidders(board: Board) -> list[Seat]:
    """Gives the next auction's leader the mark; returns its bidders, clockwise from the leader.

    Bidders are in the round and hold cards. If the last winner isn't a bidder, the next bidder leads.
    """
    leader = board.leader_of_next_auction
    bidders = board.seats_able_to_bid(leader)
    if not bidders:
        board.table.add_note(
            say("None of the remaining players has any cards, so the other daughters aren't sold.")
        )
    elif bidders[0] != leader:
        board.give_leader_mark(bidders[0])
        board.table.add_note(say("{seat} leads the next auction.", seat=bidders[0]))
    return bidders


async def ask_to_end_round_early(board: Board) -> bool:
    """Asks whether the round ends early if only one player is left; returns True if it does.

    That player then gets the point at once.
    """
    if len(board.seats_still_in_round) > 1:
        return False
    end_round = DetailedOption(
        say("End the round"), gain=say("the point goes to {seat}", seat=board.seats_still_in_round[0])
    )
    play_on = DetailedOption(say("Play on"), is_decline_option=True)
    question = say("Only one player is left. End the round?")
    return await Choose(None, question, {"end_round": end_round, "play_on": play_on}) == "end_round"


class ChipAuctionResult(NamedTuple):
    """The winner of a chip's auction, and the last bid of each seat that bid."""

    winner: Seat
    bids: dict[Seat, int]


async def run_auction(bidders: Sequence[Seat], chip: Piece) -> ChipAuctionResult:
    """Asks for bids in turn until one bidder is left, who wins. The first bidder must bid."""
    bids: dict[Seat, int] = {}
    bidders_left = deque(bidders)
    while len(bidders_left) > 1 or not bids:
        still_bidding = tuple(bidders_left)
        seat = bidders_left.popleft()
        bid = await Raise(
            seat, chip, bids, most=MAX_BID, decline="withdraw" if bids else None, still_bidding=still_bidding
        )
        if bid is not None:
            bids = {**bids, seat: bid}
            bidders_left.append(seat)
    return ChipAuctionResult(bidders_left[0], bids)


async def collect_bids_and_give_chip(
    board: Board, chip_number: int, bidders: Sequence[Seat], winner: Seat, bid_by_seat: dict[Seat, int]
) -> list[Seat]:
    """Makes everybody who bid pay, clockwise from the leader; returns the seats that can't pay.

    Only after all payments are seats knocked out and the chip is given.
    """
    table, chip = board.table, CHIP_BY_NUMBER[chip_number]
    all_owe_winning_bid = table.options["pay_rule"] == "winning_bid"
    amount_owed_by_seat = {
        seat: bid_by_seat[winner] if all_owe_winning_bid else bid_by_seat[seat]
        for seat in bidders
        if seat in bid_by_seat
    }
    headline = say("{seat} wins {chip} at {bid}.", seat=winner, chip=chip, bid=bid_by_seat[winner])
    table.declare_outcome(headline, [winner], chip)
    debts = [describe_debt(seat, amount) for seat, amount in amount_owed_by_seat.items()]
    table.add_note(say("To pay: {payments}.", payments=say_list(debts)))
    seats_unable_to_pay: list[Seat] = []
    for seat, amount in amount_owed_by_seat.items():
        if not await ask_payment_for_chip(board, winner, seat, chip_number, amount):
            seats_unable_to_pay.append(seat)
            if seat != [*amount_owed_by_seat][-1]:  # the last one is knocked out at once, which says so
                table.add_note(say("{seat} can't pay.", seat=seat))
    for seat in seats_unable_to_pay:
        knock_seat_out_of_round(board, seat)
    if winner in seats_unable_to_pay:
        table.declare_outcome(say("Nobody gets {chip}. The chip leaves the round.", chip=chip), about=chip)
        table.move_all(board.market[chip_number], board.chips_in_box[chip_number])
    else:
        table.move_all(board.market[chip_number], board.chips_won[winner][chip_number])
    return seats_unable_to_pay


@lru_cache(maxsize=512)
def describe_debt(seat: Seat, amount: int) -> Say:
    """Returns a text about what a seat has to pay."""
    return say_amount_of(seat, amount)


async def ask_payment_for_chip(
    board: Board, winner: Seat, seat: Seat, chip_number: int, amount_owed: int
) -> bool:
    """Asks for a payment with cards from the hand, face down; returns False if the player can't pay."""
    table, hand, price = board.table, board.hands[seat], make_card_price(chip_number, amount_owed)
    paid_cards = await Read(
        seat,
        payment_question(winner, chip_number),
        board.faces,
        1,
        hand,
        price,
        CANT_PAY_LABEL,
        about=CHIP_BY_NUMBER[chip_number],
        log_name=PAYMENT_LOG_NAME_BY_CHIP_NUMBER[chip_number],
    )
    if paid_cards is None:
        return False
    table.move(hand, board.bank, len(paid_cards))
    surplus = surplus_cards(price, paid_cards)
    if surplus and await ask_to_take_back_surplus(table, seat, chip_number, price, paid_cards, surplus):
        table.move(board.bank, hand, len(surplus))
    else:
        surplus = []
    board.faces.move_faces(paid_cards, returned_unseen=surplus)
    if not hand.count:
        table.add_note(say("{seat} has no cards left.", seat=seat))
    return True


async def ask_to_take_back_surplus(
    table: Table,
    seat: Seat,
    chip_number: int,
    price: PriceInCards,
    paid_cards: Sequence[Card],
    surplus: Sequence[Card],
) -> bool:
    """Asks a player who paid too much whether to take surplus cards back; True if so.

    The bank gives no change.
    """
    question = say("One card less would be enough for {chip}.", chip=CHIP_BY_NUMBER[chip_number])
    count_by_number = Counter(card.values.get("number") for card in surplus)
    cards = say_list(
        [
            describe_cards_of_value(count, printed_number, chip_number)
            for printed_number, count in count_by_number.items()
        ]
    )
    paid_and_owed = say("{paid} paid, {owed} owed", paid=price.total_value(paid_cards), owed=price.owed)
    take_back = DetailedOption(say("Take back {cards}", cards=cards), note=paid_and_owed)
    leave = DetailedOption(say("Pay all these cards"), is_decline_option=True)
    is_taken_back = await Choose(seat, question, {"take_back": take_back, "leave": leave}) == "take_back"
    table.add_note(
        say("{seat} takes back {cards}.", seat=seat, cards=cards)
        if is_taken_back
        else say("{seat} pays all these cards.", seat=seat)
    )
    return is_taken_back


def describe_cards_of_value(count: int, printed_number: float | str | None, chip_number: int) -> Say:
    """Returns a number of cards of one value as text.

    `printed_number` is None for cards that aren't numbered like the chip.
    """
    if printed_number is None:
        return say_n(
            "{n} card not numbered {number}", "{n} cards not numbered {number}", count, number=chip_number
        )
    return say_n(
        "{n} card numbered {number}", "{n} cards numbered {number}", count, number=str(printed_number)
    )


def knock_seat_out_of_round(board: Board, seat: Seat) -> None:
    """Knocks a seat out of the round.

    All its cards go face down to the bank.
    """
    board.table.add_markers(board.knocked_out[seat])
    board.table.move_all(board.hands[seat], board.bank)
    board.table.add_note(say("{seat} can't pay and is knocked out of the round.", seat=seat))


def score_round(board: Board, last_buyer: Seat) -> None:
    """Gives the point and the lead of the next round to the seat with the highest total.

    If several seats have it, or none, nobody gets the point, and the last chip's winner leads.
    """
    table, totals = board.table, {seat: board.round_total(seat) for seat in board.seats_still_in_round}
    for seat in board.seats:
        table.add_note(describe_round_score(board, seat))
    highest_total = max(totals.values(), default=0)
    leading_seats = [seat for seat, total in totals.items() if total == highest_total]
    leader = leading_seats[0] if len(leading_seats) == 1 else last_buyer
    if len(leading_seats) == 1:
        table.add_markers(board.points[leader])
        headline = say("{seat} has the highest total and gets the point.", seat=leader)
        table.declare_outcome(headline, [leader], scores=make_round_score_table(board))
    elif leading_seats:
        headline = say(
            "{seats} share the highest total: nobody gets the point.", seats=say_people(leading_seats)
        )
        table.declare_outcome(headline, scores=make_round_score_table(board))
    else:
        table.declare_outcome(say("Everybody is knocked out: nobody gets the point."))
    board.give_leader_mark(leader)
    if board.points[leader].count < POINTS_TO_WIN:
        table.add_note(say("{seat} leads the next round.", seat=leader))
    else:
        table.ending = say("{seat} wins the match.", seat=leader)
        table.add_note(table.ending)


def describe_round_score(board: Board, seat: Seat) -> Say:
    """Returns a sentence about a seat's total in the round."""
    if board.knocked_out[seat].count:
        return say("{seat} is knocked out and scores nothing.", seat=seat)
    chips, cards = board.sum_of_chips_won(seat), card_bonus(board.hands[seat].count)
    return say("{seat}: daughters {chips} + cards {cards} = {total}.",
               seat=seat, chips=chips, cards=cards, total=chips + cards)  # fmt: skip  # one sentence


def make_round_score_table(board: Board) -> ScoreTable:
    """Returns the totals of the round: the daughters of each seat still in the round, and its cards."""
    lines = []
    for seat in board.seats_still_in_round:
        chips = tuple(
            [CHIP_BY_NUMBER[number] for number, chip in board.chips_won[seat].items() if chip.count]
        )
        daughters, cards = board.sum_of_chips_won(seat), card_bonus(board.hands[seat].count)
        numbers = (daughters, cards, daughters + cards)
        lines.append(ScoreTableLine(seat, chips, numbers, describe_round_score(board, seat)))
    return ScoreTable((say("daughters"), say("cards"), say("total")), tuple(lines))


def standings(board: Board) -> GameResult:
    """Returns the result, most points first."""
    return rank_seats(
        board.seats, lambda seat: board.points[seat].count, lambda seat: score_lines(board, seat)
    )


def score_lines(board: Board, seat: Seat) -> tuple[ScoreLine, ...]:
    """Returns a seat's score lines: its points, and for information the totals of the last round."""
    card_count = board.hands[seat].count
    bonus_label = say_n("last round: bonus for {n} card", "last round: bonus for {n} cards", n=card_count)
    total_label = (
        say("last round: knocked out") if board.knocked_out[seat].count else say("last round: total")
    )
    return (
        ScoreLine(say("points"), board.points[seat].count),
        ScoreLine(say("last round: daughters"), board.sum_of_chips_won(seat), is_part_of_total=False),
        ScoreLine(bonus_label, card_bonus(card_count), is_part_of_total=False),
        ScoreLine(total_label, board.round_total(seat), is_part_of_total=False),
    )


PAY_RULE_OPTION = ChoiceOption(
    "pay_rule",
    say("Payment"),
    say("Choose what each bidder pays."),
    "own_bid",
    choices={"own_bid": say("their own last bid"), "winning_bid": say("the winning bid")},
)


# The scene


def visible_sum_of_daughters(look: VisibleTable, seat: Seat | None) -> int:
    """Returns the sum of the daughters that a seat has won this round."""
    return sum(
        number for number in CHIP_NUMBERS if look.visible_count_or_zero(CHIP_BY_NUMBER[number], FRONT, seat)
    )


def build_egypt_scene(setup: SceneSetup) -> Scene:
    """Builds the scene of Egypt.

    The cards in hand are before each seat, and the ten daughters in the middle.
    """
    return Scene(
        SeatMat(
            headline=CountCell(CARD, HAND),
            cells=(
                ComputedCell(say("sum"), visible_sum_of_daughters),
                CountCell(POINT_MARKER, FRONT, label=say("points"), maximum=POINTS_TO_WIN, shows_change=True),
            ),
            badges=(
                SeatBadge(LEADER_MARKER, FRONT, say("starts")),
                SeatBadge(KNOCKED_OUT_MARKER, FRONT, sits_out=True),
            ),
            rows=(PieceRow(FRONT, tuple(CHIP_BY_NUMBER.values())),),
        ),
        (LotRow(MARKET, tuple(CHIP_BY_NUMBER.values())), CardPile(CARD, BANK)),
        leaders=lambda look: find_leaders(setup.seats, lambda seat: look.count(POINT_MARKER, FRONT, seat)),
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
    "{seat} won {chip}. What do you pay?": say(
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
    (PAY_RULE_OPTION,),
    ("egypt",),
    question_kinds=("Choose", "Raise", "Read", "Done"),
    scene=build_egypt_scene,
    help=HELP,
    is_demo=True,
)
