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

from companion.games.egypt.board import CARD, CHIP, CHIPS, Board, bonus
from companion.games.egypt.help import HELP
from companion.games.egypt.scene import scene
from companion.rulebook import (
    Card,
    CardPrice,
    CardRate,
    ChoiceOption,
    Choose,
    DetailedOption,
    Done,
    Game,
    GameResult,
    Piece,
    Raise,
    Read,
    Say,
    ScoreLine,
    Seat,
    Table,
    choose_seat,
    rank_seats,
    say,
    say_list,
    say_n,
)

CARDS_DEALT = {3: 25, 4: 21, 5: 17}
HIGHEST_BID = 99
GOAL = 2

OWN = {n: CardRate(say("cards numbered {number}", number=n), 2, {"number": n}) for n in CHIPS}
OTHER = CardRate(say("other cards"), 1)
PAYMENT = {number: say("What do you pay for {chip}?", chip=chip) for number, chip in CHIP.items()}
PAYMENT_LOGGED = {number: say("Payment for {chip}", chip=chip) for number, chip in CHIP.items()}
CANT = say("can't pay")


def price(number: int, owed: int) -> CardPrice:
    """A card numbered like the chip is worth 2, any other 1."""
    return CardPrice(owed, (OWN[number], OTHER))


def surplus(worth: CardPrice, paid: Sequence[Card]) -> list[Card]:
    """Cards without which the payment would still do: other cards before those numbered like the chip.

    Among equals those of which the number is known come first, so that it is clear which are meant.
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


async def match(table: Table) -> GameResult:
    """Rounds until somebody has two points."""
    board = Board(table)
    table.score_so_far = lambda: standings(board)
    table.start_player = await choose_leader(board)
    while all(points.count < GOAL for points in board.points.values()):
        await play_round(board)
    return standings(board)


async def choose_leader(board: Board) -> Seat:
    """The table says who leads a round's first auction."""
    leader = await choose_seat(say("Who leads the first auction?"), board.seats)
    board.lead(leader)
    return leader


async def play_round(board: Board) -> None:
    """Ten auctions, each followed by its payments; then the point and the next leader."""
    await deal(board)
    if not board.table.first_holder(board.leads):
        await choose_leader(board)
    last_buyer, broke = board.leader, list[Seat]()
    for number in CHIPS:
        bidders = next_bidders(board)
        if not bidders or (broke and await ends_early(board)):
            break
        board.table.heading = heading(board.round.count, number)
        winner, bids = await auction(bidders, CHIP[number])
        broke = await settle(board, number, bidders, winner, bids)
        board.lead(winner)
        if winner not in broke:
            last_buyer = winner
    score(board, last_buyer)


async def deal(board: Board) -> None:
    """Gathers everything and deals again, once people have done it; the old round lies there till then."""
    table, count = board.table, CARDS_DEALT[len(board.seats)]
    board.table.add_markers(board.round)
    table.heading = say("Round {round}", round=board.round.count)
    await Done(
        None,
        say("Shuffle, deal {count} cards each, box the rest, lay out the daughters.", count=count),
        shuffled_pieces=(CARD,),
    )
    board.gather()
    for seat in board.seats:
        table.move(board.box, board.hands[seat], count)


@lru_cache
def heading(number: int, chip: int) -> Say:
    """What stands above an auction and its payments."""
    return say("Round {round} · {chip}", round=number, chip=CHIP[chip])


def next_bidders(board: Board) -> list[Seat]:
    """Who is in and holds cards, clockwise from the last winner; the first of them leads."""
    leader = board.leader
    bidders = board.bidders(leader)
    if not bidders:
        board.table.add_note(
            say("None of the remaining players has any cards, so the other daughters aren't sold.")
        )
    elif bidders[0] != leader:
        board.lead(bidders[0])
        board.table.add_note(say("{seat} leads the next auction.", seat=bidders[0]))
    return bidders


async def ends_early(board: Board) -> bool:
    """Whether only one player is left, and the table gives that player the point at once."""
    if len(board.still_in) > 1:
        return False
    end_round = DetailedOption(
        say("End the round"), gain=say("the point goes to {seat}", seat=board.still_in[0])
    )
    play_on = DetailedOption(say("Play on"), is_way_out=True)
    question = say("Only one player is left. End the round?")
    return await Choose(None, question, {"end_round": end_round, "play_on": play_on}) == "end_round"


async def auction(bidders: Sequence[Seat], chip: Piece) -> tuple[Seat, dict[Seat, int]]:
    """Raise or withdraw in turn until one is left; the first must open. Gives the winner and last bids."""
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


async def settle(
    board: Board, number: int, bidders: Sequence[Seat], winner: Seat, bids: dict[Seat, int]
) -> list[Seat]:
    """Everybody who bid pays, clockwise from the auction's leader; gives those who can't.

    Only then knock-outs count and the chip is handed out.
    """
    table, chip = board.table, CHIP[number]
    everybody_alike = table.options["pay_rule"] == "winning_bid"
    owed = {seat: bids[winner] if everybody_alike else bids[seat] for seat in bidders if seat in bids}
    table.add_note(say("{seat} wins {chip} at {bid}.", seat=winner, chip=chip, bid=bids[winner]))
    sums = [amount_by(seat, amount) for seat, amount in owed.items()]
    table.add_note(say("To pay: {payments}.", payments=say_list(sums)))
    broke: list[Seat] = []
    for seat, amount in owed.items():
        if not await payment(board, seat, number, amount):
            broke.append(seat)
    for seat in broke:
        knock_out(board, seat)
    if winner in broke:
        table.add_note(say("Nobody gets {chip}. The chip leaves the round.", chip=chip))
    table.move_all(
        board.market[number], board.aside[number] if winner in broke else board.won[winner][number]
    )
    return broke


@lru_cache(maxsize=512)
def amount_by(seat: Seat, amount: int) -> Say:
    """What one seat has to pay."""
    return say("{amount} by {seat}", seat=seat, amount=amount)


async def payment(board: Board, seat: Seat, number: int, owed: int) -> bool:
    """Cards from the hand to the bank, face down; false if the player can't."""
    table, hand, worth = board.table, board.hands[seat], price(number, owed)
    known = PAYMENT_LOGGED[number]
    about = CHIP[number]
    paid = await Read(seat, PAYMENT[number], board.faces, 1, hand, worth, CANT, about=about, log_name=known)
    if paid is None:
        return False
    table.move(hand, board.bank, len(paid))
    back = surplus(worth, paid)
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
    """Whether a player who laid down too much takes those cards back; change is not given."""
    question = say("One card less would be enough for {chip}.", chip=CHIP[number])
    counts = Counter(card.values.get("number") for card in back)
    cards = say_list([called(count, printed, number) for printed, count in counts.items()])
    sums = say("{paid} paid, {owed} owed", paid=worth.total_value(paid), owed=worth.owed)
    take_back = DetailedOption(say("Take back {cards}", cards=cards), note=sums)
    leave = DetailedOption(say("Pay all these cards"), is_way_out=True)
    return await Choose(seat, question, {"take_back": take_back, "leave": leave}) == "take_back"


def called(count: int, printed: int | str | None, number: int) -> Say:
    """A number of cards of one value; without `printed`, of cards of other values than the chip's."""
    if printed is None:
        return say_n(
            "{n} card not numbered {number}", "{n} cards not numbered {number}", count, number=number
        )
    return say_n("{n} card numbered {number}", "{n} cards numbered {number}", count, number=printed)


def knock_out(board: Board, seat: Seat) -> None:
    """No more auctions and no point this round; all cards go face down to the bank."""
    board.table.add_markers(board.out[seat])
    board.table.move_all(board.hands[seat], board.bank)
    board.table.add_note(say("{seat} can't pay and is knocked out of the round.", seat=seat))


def score(board: Board, last_buyer: Seat) -> None:
    """The single highest total gets the point and the lead; else the winner of the last chip sold leads."""
    table, totals = board.table, {seat: board.total(seat) for seat in board.still_in}
    for seat in board.seats:
        table.add_note(round_score(board, seat))
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
    board.lead(leader)
    if board.points[leader].count < GOAL:
        table.add_note(say("{seat} leads the next round.", seat=leader))
    else:
        table.add_note(say("{seat} wins the match.", seat=leader))


def round_score(board: Board, seat: Seat) -> Say:
    """What a seat made of the round, as a sentence."""
    if board.out[seat].count:
        return say("{seat} is knocked out and scores nothing.", seat=seat)
    chips, cards = board.chips(seat), bonus(board.hands[seat].count)
    return say("{seat}: daughters {chips} + cards {cards} = {total}.",
               seat=seat, chips=chips, cards=cards, total=chips + cards)  # fmt: skip  # one sentence


def standings(board: Board) -> GameResult:
    """Most points first."""
    return rank_seats(
        board.seats, lambda seat: board.points[seat].count, lambda seat: score_sheet(board, seat)
    )


def score_sheet(board: Board, seat: Seat) -> tuple[ScoreLine, ...]:
    """Points; for information what the last round brought."""
    cards = board.hands[seat].count
    kept = say_n("last round: bonus for {n} card", "last round: bonus for {n} cards", n=cards)
    total = say("last round: knocked out") if board.out[seat].count else say("last round: total")
    return (
        ScoreLine(say("points"), board.points[seat].count),
        ScoreLine(say("last round: daughters"), board.chips(seat), is_part_of_total=False),
        ScoreLine(kept, bonus(cards), is_part_of_total=False),
        ScoreLine(total, board.total(seat), is_part_of_total=False),
    )


PAY_RULE = ChoiceOption(
    "pay_rule",
    say("Payment"),
    say("Choose what each bidder pays."),
    "own_bid",
    choices={"own_bid": say("their own last bid"), "winning_bid": say("the winning bid")},
)


GAME = Game(
    "egypt",
    1,
    say("Egypt"),
    (3, 5),
    match,
    (PAY_RULE,),
    ("egypt",),
    question_kinds=("Choose", "Raise", "Read", "Done"),
    scene=scene,
    help=HELP,
    is_demo=True,
)
