"""High Bid: auctions of collectors' sets, dice that sell them, and cash that nobody shows. 2 to 4 players.

3M, 1965. The companion is the auctioneer. Parts and arithmetic are in `board.py`.
Over 300 lines, because a lot, a win and a sale each have so many ways to end.

Rulings where the rulebook is silent:
1. The table chooses who opens the first auction; who won the last lot that was paid has the next on the left.
2. Bids above one's cash are taken without a hint. Who can't pay the bid pays a penalty as far as the cash
   goes, the rest is forgiven: `penalty = warehouse` the property's warehouse price, or `bid` a quarter.
3. A closed bid of 0 is none. Those tied bid again, at least as much; if the highest tie once more, the one
   of them who is nearest from the last winner's left takes the lot.
4. A lot that isn't sold and paid is returned, with its Buyer's cards, once; the second time it is out.
5. Red 200: sold to the collector and $200 on top, or with `red_200 = bonus_keep` $200 and the card is kept.
6. Green 0: nothing but a public auction, in which the seller bids last and pays the bank. Unsold or unpaid,
   the card stays; it gives no rights and doesn't change the last winner.
7. Up to three different cards are put up in a win, none of them won or bought in it; one Buyer's card buys
   up to three from one section. What was sold may be bought back.
8. Who buys the last lot of all has no rights. Buyer's cards at the bottom of the pile join the oldest
   returned lot, which is closed from then on; where there is none the game ends at once.
9. Cash is covered; what is paid is known to all, what is left to its owner. Dealt cards are known once
   they are laid down: a card never seen counts as dealt, as long as the hand still holds unknown ones. One
   that may be an equal card before its owner is counted as that one; which copy is left isn't concluded.
10. A declaration is believed while the companion doesn't know all of the player's cards.
11. What isn't laid down at the end counts nothing.
"""

from __future__ import annotations

from companion.games.high_bid.board import (
    ASIDE,
    AT_BANK,
    AT_BLOCK,
    AT_BOX,
    AT_PILE,
    BONUS,
    BUYER,
    CARD,
    CARDS_DEALT,
    CASH,
    CLOSED_STEP,
    FRONT,
    HAND,
    MOST_BOUGHT,
    MOST_SALES,
    OFFER,
    OPEN_STEP,
    PERCENT,
    PROPERTY,
    PUBLIC_START,
    RETURNED,
    SECTIONS,
    UNUSED_BUYER,
    Board,
    Lot,
    called,
    check_deck,
    estate,
    price,
)
from companion.games.high_bid.help import HELP
from companion.games.high_bid.scene import scene
from companion.rulebook import (
    Amount,
    Card,
    ChoiceOption,
    Choose,
    DetailedOption,
    Die,
    Done,
    Game,
    GameResult,
    Labelled,
    OptionRequirement,
    Piece,
    Place,
    Read,
    Roll,
    Say,
    ScoreLine,
    Seat,
    Table,
    Together,
    ask_open_bids,
    choose_seat,
    highest_bidders,
    rank_seats,
    say,
    say_list,
)

DECLARE = say("declare the end of the game")
NOTHING = say("never mind")
DONE = DetailedOption(say("Done"), is_way_out=True)
SALES_TRIED = say("You can't sell any more properties after this auction.")
BOUGHT_ONCE = say("You have already used a Buyer's card after this auction.")
NO_PROPERTY = say("You have no property to sell.")
NO_BUYER = say("You have no Buyer's card to buy with.")
NOTHING_FOR_SALE = say("There are no properties in the sections.")


async def match(table: Table) -> GameResult:
    """Lots until there are none, or somebody declares the end; then the wealth of all."""
    board = Board(table)
    table.score_so_far = lambda: standings(board)
    await begin(board)
    lot = await next_lot(board)
    while lot is not None:
        await auction(board, lot)
        lot = await next_lot(board)
    await lay_hands_down(board)
    return standings(board)


async def begin(board: Board) -> None:
    """Who opens; then cards and money are dealt."""
    table, count = board.table, CARDS_DEALT[len(board.seats)]
    first = await choose_seat(say("Who opens the first auction?"), board.seats)
    table.add_markers(board.opens[first])
    table.start_player = first
    deal = say("Deal {count} cards each, face down; the rest is the auction pile.", count=count)
    await Done(None, deal, shuffled_pieces=(CARD,))
    for seat in board.seats:
        table.move(board.pile, board.hands[seat], count)
        table.move(board.bank, board.purses[seat], CASH)
    table.add_note(
        say("Everybody begins with ${cash}: six $10, seven $20, eight $100 and one $1000.", cash=CASH)
    )


# Lots


async def next_lot(board: Board) -> Lot | None:
    """The next lot, on the auction block; None where the end is declared or nothing is left."""
    number = board.auction.count + 1
    board.table.heading = say("Auction {number}", number=number)
    while board.goes_on:
        if await comes_up(board, number):
            return await whole_lot(board, number)
        if await declares_end(board, number):
            return None
    return None


async def comes_up(board: Board, number: int) -> bool:
    """The first card of the pile, or the oldest returned lot; false where somebody declares the end."""
    if board.pile.count:
        return await turn_up(board, number, declare=True)
    question = say("Auction {number}: the next returned lot", number=number)
    options = {"go_on": say("Auction the lot again"), "declare": DECLARE}
    if await Choose(None, question, dict(options)) == "declare":
        return False
    put_up_again(board)
    return True


async def turn_up(board: Board, number: int, *, declare: bool = False) -> bool:
    """The top card of the pile comes onto the block; false where the end is declared instead."""
    question = say("Auction {number}: turn up card {card}", number=number, card=board.cards(AT_BLOCK) + 1)
    cards = await Read(
        None, question, board.faces, 1, 1, decline=DECLARE if declare else None, is_face_up=True
    )
    board.carry(cards or (), AT_PILE, AT_BLOCK)
    return cards is not None


def put_up_again(board: Board) -> None:
    """The oldest returned lot comes onto the block for the second time."""
    board.carry_all(board.returned[0], AT_BLOCK)
    board.table.add_markers(board.again)


async def whole_lot(board: Board, number: int) -> Lot | None:
    """Cards up to the first property; where the pile ends before it, the oldest returned lot joins them."""
    while not (properties := [card for card in board.lying(AT_BLOCK) if card.shows(PROPERTY)]):
        if board.pile.count:
            await turn_up(board, number)
        elif board.returned:
            put_up_again(board)
        else:
            board.carry_all(AT_BLOCK, AT_BOX)
            board.table.add_note(say("Only Buyer's cards were left: the game is over."))
            return None
    board.table.add_markers(board.auction)
    lot = Lot(number, properties[0], board.cards(AT_BLOCK) > 1)
    names = say_list([called(card) for card in board.lying(AT_BLOCK)])
    how = say("closed bids") if lot.closed else say("open bids")
    board.table.heading = say("Auction {number} · {card}", number=number, card=called(lot.card))
    board.table.add_note(say("{cards}: {how} from ${price}.", cards=names, how=how, price=lot.price))
    return lot


async def declares_end(board: Board, number: int) -> bool:
    """Who declares the end; refused to nobody but whose cards are all known and not worth enough."""
    options: dict[str, Labelled] = {str(seat.number): seat for seat in board.seats}
    too_poor = {
        str(seat.number): OptionRequirement(
            board.purses[seat],
            board.goal - estate(board.known(seat)).worth,
            say("{seat} doesn't have ${goal}.", seat=seat, goal=board.goal),
        )
        for seat in board.seats
        if not board.hands[seat].count
    }
    question = say("Auction {number}: who declares the end?", number=number)
    options["nobody"] = DetailedOption(say("Nobody: play on"), is_way_out=True)
    answer = await Choose(None, question, options, too_poor)
    if answer == "nobody":
        return False
    seat = board.seats.seat_numbered(int(answer))
    board.table.add_markers(board.declared[seat])
    board.table.add_note(say("{seat} declares the end of the game.", seat=seat))
    return True


# Auctions


async def auction(board: Board, lot: Lot) -> None:
    """A lot is sold and its winner has the rights, or it is returned, or leaves the game."""
    about = Piece(f"lot {lot.number}", called(lot.card), look="card")
    if lot.closed:
        winner, bid = await closed_bids(board, lot)
    else:
        winner, bid = await ask_open_bids(board.order, about, lot.price, OPEN_STEP, lots_place=AT_BLOCK)
    if winner is None:
        board.table.add_note(say("Nobody bids for {card}.", card=called(lot.card)))
    if winner is None or not board.pays(winner, bid, lot.card, board.bank):
        put_away(board, lot)
        return
    board.table.declare_winners([winner])
    board.take(winner)
    if board.goes_on:
        await rights(board, winner, lot.number)
    board.end_win(winner)


async def closed_bids(board: Board, lot: Lot) -> tuple[Seat | None, int]:
    """Everybody bids in secret; those tied once more; then the nearest in the order of bidding takes it."""
    table, order, number = board.table, board.order, lot.number
    question = say("What do you bid? 0 is no bid.")
    parts = {seat: Amount(seat, question, lot.price, step=CLOSED_STEP, decline=True) for seat in order}
    asked = say("Everybody bids in secret")
    known = say("Closed bids in auction {number}", number=number)
    bids = await Together(asked, dict(parts), about=AT_BLOCK, log_name=known)
    ahead = highest_bidders(bids)
    if len(ahead) > 1:
        tie = bids[ahead[0]]
        table.add_note(say("Tie at ${bid}: {seats} bid again.", bid=tie, seats=say_list(ahead)))
        question = say("What is your second bid? No less than the first.")
        parts = {seat: Amount(seat, question, tie, step=CLOSED_STEP) for seat in ahead}
        asked = say("Tie in auction {number}: bid again", number=number)
        bids = await Together(asked, dict(parts), about=AT_BLOCK)
        ahead = highest_bidders(bids)
    if len(ahead) > 1:
        table.add_note(
            say(
                "Tie at ${bid} again: {seat} is first in bidding order and wins.",
                bid=bids[ahead[0]],
                seat=ahead[0],
            )
        )
    return (ahead[0], bids[ahead[0]]) if ahead else (None, 0)


def put_away(board: Board, lot: Lot) -> None:
    """A lot that is not sold and paid is returned once; the second time it leaves the game."""
    again, name = board.again.count, called(lot.card)
    board.table.remove_markers(board.again)
    board.carry_all(AT_BLOCK, AT_BOX if again else Place(RETURNED, slot=lot.number))
    if again:
        board.table.add_note(say("{card} leaves the game.", card=name))
    else:
        board.table.add_note(
            say("{card} is returned. The card will be auctioned once more at the end.", card=name)
        )


# The winner's rights


async def rights(board: Board, seat: Seat, number: int) -> None:
    """Selling and buying, in any order and mixed, until the winner is done or nothing is left to do."""
    while options := rights_left(board, seat):
        board.table.heading = say("Auction {number} · {seat} sells and buys", number=number, seat=seat)
        question = say("Auction {number}: sell, buy, or done?", number=number)
        choice = await Choose(seat, question, options | {"done": DONE})
        if choice == "done":
            return
        await (put_up if choice == "sell" else buy)(board, seat, number)


def rights_left(board: Board, seat: Seat) -> dict[str, Labelled]:
    """What the winner may still do, as far as all can tell, and why not the other; nothing if neither."""
    left = MOST_SALES - board.tried[seat].count
    reasons = {"sell": cant_sell(board, seat), "buy": cant_buy(board, seat)}
    if None not in reasons.values():
        return {}
    note = say("{left} left", left=left) if reasons["sell"] is None else None
    return {
        "sell": DetailedOption(say("Put a property up for sale"), note=note, barred_reason=reasons["sell"]),
        "buy": DetailedOption(say("Buy with a Buyer's card"), barred_reason=reasons["buy"]),
    }


def cant_sell(board: Board, seat: Seat) -> Say | None:
    """Why nothing more can be put up, as far as all can tell."""
    if board.tried[seat].count >= MOST_SALES:
        return SALES_TRIED
    return None if board.can_be_shown(seat, PROPERTY) else NO_PROPERTY


def cant_buy(board: Board, seat: Seat) -> Say | None:
    """Why nothing can be bought, as far as all can tell."""
    if board.bought[seat].count:
        return BOUGHT_ONCE
    if not board.can_be_shown(seat, BUYER):
        return NO_BUYER
    return None if board.offers(None) else NOTHING_FOR_SALE


async def put_up(board: Board, seat: Seat, number: int) -> None:
    """A property is put up and the dice decide."""
    sale = board.tried[seat].count + 1
    question = say("Auction {number}, sale {sale}: put up a property", number=number, sale=sale)
    card = await shown_card(board, seat, question, PROPERTY)
    if card is None:
        return
    board.table.add_markers(board.tried[seat])
    board.lay_down(seat, card, Place(OFFER, seat))
    printed = board.table.deck("high_bid").board
    dice = Die(say("red"), printed["red"]), Die(say("green"), printed["green"])
    question = say("Auction {number}, sale {sale}: roll both dice", number=number, sale=sale)
    red, green = await Roll(seat, question, dice)
    if green:
        sell(board, seat, card, red)
    else:
        about = Piece(f"lot {number} sale {sale}", called(card), look="card")
        await sell_publicly(board, seat, card, about)
    board.carry_all(Place(OFFER, seat), Place(ASIDE, seat))


async def shown_card(board: Board, seat: Seat, question: Say, kind: dict[str, str]) -> Card | None:
    """A card that the seat lays down, known or dealt to it; None where it thinks again."""
    at, dealt = (Place(FRONT, seat),), board.hands[seat]
    cards = await Read(
        seat,
        question,
        board.faces,
        1,
        1,
        decline=NOTHING,
        required_values=kind,
        places=at,
        max_unseen=dealt,
        is_face_up=True,
    )
    return cards[0] if cards else None


def sell(board: Board, seat: Seat, card: Card, red: int) -> None:
    """The bank pays what the red die says: a section's price, and perhaps the bonus, or that alone."""
    table, bonus = board.table, red not in PERCENT
    keeps = bonus and table.options["red_200"] == "bonus_keep"
    if not keeps:
        section = PERCENT.get(red, "collector")
        paid = price(card, section)
        table.move(board.bank, board.purses[seat], paid)
        board.carry_all(Place(OFFER, seat), SECTIONS[section])
        table.add_note(say("The {section} pays {seat} ${paid} for {card}.",
                       section=SECTIONS[section], seat=seat, paid=paid,
                       card=called(card)))  # fmt: skip  # one sentence
    if bonus:
        table.move(board.bank, board.purses[seat], BONUS)
        table.add_note(say("{seat} gets a bonus of ${bonus}.", seat=seat, bonus=BONUS))
    if keeps:
        table.add_note(say("{seat} keeps {card}.", seat=seat, card=called(card)))


async def sell_publicly(board: Board, seat: Seat, card: Card, about: Piece) -> None:
    """Green 0: a public auction from the seller's left; only who bids most and pays gets the card."""
    table, name = board.table, called(card)
    table.heading = say("Public auction · {card}", card=name)
    table.add_note(say("The green die shows 0: {card} goes to public auction.", card=name))
    winner, bid = await ask_open_bids(board.seats.starting_after(seat), about, PUBLIC_START, OPEN_STEP)
    payee = board.bank if winner == seat else board.purses[seat]
    if winner is None or not board.pays(winner, bid, card, payee) or winner == seat:
        table.add_note(say("{seat} keeps {card}.", seat=seat, card=name))
    else:
        board.carry_all(Place(OFFER, seat), Place(FRONT, winner))


async def buy(board: Board, seat: Seat, number: int) -> None:
    """One Buyer's card, up to three properties from one section, each paid as it is taken."""
    question = say("Auction {number}: lay down a Buyer's card", number=number)
    buyer = await shown_card(board, seat, question, BUYER)
    if buyer is None:
        return
    board.lay_down(seat, buyer, Place(FRONT, seat))
    section: str | None = None
    for at in range(1, MOST_BOUGHT + 1):
        offer = await chosen_offer(
            board, seat, section, say("Auction {number}: buy property {at}", number=number, at=at)
        )
        if offer is None:
            break
        if section is None:
            board.carry([buyer], Place(FRONT, seat), AT_BANK)
            board.table.add_markers(board.bought[seat])
        section, card = offer
        board.pays(seat, price(card, section), card, board.bank)
        board.hand_out(section, card, seat)


async def chosen_offer(
    board: Board, seat: Seat, section: str | None, question: Say
) -> tuple[str, Card] | None:
    """A property on the board that the seat's cash pays for; None where it wants no more."""
    offers = board.offers(section)
    purse, cant = board.purses[seat], say("{seat} doesn't have enough cash for that.", seat=seat)
    options: dict[str, Labelled] = {
        key: DetailedOption(say("{card} from the {section}", card=called(card), section=SECTIONS[name]),
                   card=card, price=price(card, name), group=SECTIONS[name].name)
        for key, (name, card) in offers.items()
    }  # fmt: skip  # one key
    needs = {key: OptionRequirement(purse, price(card, name), cant) for key, (name, card) in offers.items()}
    options["enough"] = DetailedOption(say("No more") if section else NOTHING, is_way_out=True)
    return offers.get(await Choose(seat, question, options, needs)) if offers else None


# The end


async def lay_hands_down(board: Board) -> None:
    """Whoever still holds cards that nobody has seen shows those that count."""
    board.table.heading = say("The end")
    for seat in board.seats:
        held = board.hands[seat]
        if held.count:
            question = say("Lay down the cards of your hand")
            cards = await Read(seat, question, board.faces, 0, held, max_unseen=held, is_face_up=True)
            board.carry(cards or (), Place(HAND, seat), Place(FRONT, seat))


def standings(board: Board) -> GameResult:
    """Most wealth first."""
    return rank_seats(
        board.seats,
        lambda seat: wealth(board, seat),
        lambda seat: score_sheet(board, seat),
        why=lambda seat: too_early(board, seat),
    )


def wealth(board: Board, seat: Seat) -> int:
    """Cash and what the cards are worth."""
    return board.purses[seat].count + estate(board.known(seat)).worth


def too_early(board: Board, seat: Seat) -> Say | None:
    """By how much a declaration of the end fell short."""
    short = board.goal - wealth(board, seat)
    if not board.declared[seat].count or short <= 0:
        return None
    return say("declared the end; short of ${goal} by ${short}", goal=board.goal, short=short)


def score_sheet(board: Board, seat: Seat) -> tuple[ScoreLine, ...]:
    """Cash, each set, Buyer's cards left."""
    held = estate(board.known(seat))
    lines = [ScoreLine(say("cash"), board.purses[seat].count)]
    lines += [ScoreLine(called(card), price(card, "value")) for card in held.whole]
    lines += [
        ScoreLine(say("{card} with a Buyer's card", card=called(card)), price(card, "value"))
        for card in held.completed
    ]
    return (*lines, ScoreLine(say("unused Buyer's cards"), UNUSED_BUYER * held.unused))


PENALTY = ChoiceOption(
    "penalty",
    say("Penalty"),
    say("Choose the penalty for a winner who can't pay their bid."),
    "warehouse",
    choices={"warehouse": say("the warehouse price"), "bid": say("a quarter of the bid")},
)
RED_200 = ChoiceOption(
    "red_200",
    say("Red 200"),
    say("Choose what happens when the red die shows 200."),
    "collector_plus_bonus",
    choices={
        "collector_plus_bonus": say("sold to the collector, plus $200"),
        "bonus_keep": say("$200, and you keep the card"),
    },
)

GAME = Game(
    "high_bid",
    2,
    say("High Bid"),
    (2, 4),
    match,
    (PENALTY, RED_200),
    ("high_bid",),
    check_deck=check_deck,
    question_kinds=("Choose", "Raise", "Read", "Roll", "Done", "Together"),
    scene=scene,
    help=HELP,
)
