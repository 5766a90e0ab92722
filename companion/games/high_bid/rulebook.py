"""High Bid: auctions of collectors' sets, dice that sell them, and cash that nobody shows. 2 to 4 players.

3M, 1965. The companion is the auctioneer. Parts and arithmetic are in `board.py`.

Rulings where the rulebook is silent:
1. The table chooses who opens the first auction. Later the seat to the left of the last winner opens; only a
   lot that was paid changes the last winner.
2. Bids above one's cash are taken without a hint. Who can't pay the bid pays a penalty as far as the cash
   goes, the rest is forgiven: `penalty = warehouse` the property's warehouse price, or `bid` a quarter.
3. A closed bid of 0 is no bid. Tied seats bid again, at least as much. If the highest bids tie once more, the
   tied seat that comes first from the last winner's left takes the lot.
4. A lot that isn't sold and paid is returned, with its Buyer's cards, once; the second time it is out.
5. Red 200: sold to the collector and $200 on top, or with `red_200 = bonus_keep` $200 and the card is kept.
6. Green 0: nothing but a public auction, in which the seller bids last and pays the bank. Unsold or unpaid,
   the card stays; it gives no rights and doesn't change the last winner.
7. Up to three different cards are put up in a win, none of them won or bought in it; one Buyer's card buys
   up to three from one section. What was sold may be bought back.
8. Who buys the last lot of all has no rights. Buyer's cards at the bottom of the pile join the oldest
   returned lot, which is closed from then on; where there is none the game ends at once.
9. Cash is covered: everybody knows what is paid, only the owner knows what is left. Dealt cards are known
   once they are laid down: a card never seen counts as dealt, as long as the hand still holds unknown cards.
   A card that may be an equal card before its owner is counted as that card; nothing is concluded about
   which copy is left.
10. A declaration is believed while the companion doesn't know all of the player's cards.
11. A card that isn't laid down at the end counts nothing.
"""

from __future__ import annotations

from companion.games.high_bid.board import (
    ASIDE,
    BANK_PLACE,
    BLOCK,
    BLOCK_PLACE,
    BOX_PLACE,
    BUYER_VALUES,
    CARD,
    CARDS_DEALT,
    CARDS_IN_ALL,
    CLOSED_BID_STEP,
    DECLARED_END_MARKER,
    DOLLAR,
    FRONT,
    HAND,
    LAST_WINNER_MARKER,
    MAX_BOUGHT_PER_WIN,
    MAX_SALES_PER_WIN,
    OFFER,
    OPEN_BID_STEP,
    PILE,
    PILE_PLACE,
    PLACE_BY_SECTION,
    PROPERTY_VALUES,
    PUBLIC_AUCTION_START,
    PURSE,
    RED_200_BONUS,
    RETURNED,
    SECTION_BY_RED_FACE,
    STARTING_CASH,
    VALUE_OF_UNUSED_BUYER,
    WEALTH_TO_DECLARE_END,
    Board,
    Lot,
    PropertyForSale,
    check_deck,
    describe_property,
    most_valuable_card_sets,
    printed_number,
)
from companion.rulebook import (
    Amount,
    AuctionResult,
    Card,
    CardPile,
    CardSpread,
    ChoiceOption,
    Choose,
    ComputedCell,
    CountCell,
    CountGrid,
    DetailedOption,
    Die,
    Done,
    Game,
    GameResult,
    Labelled,
    LotQueue,
    OptionRequirement,
    Piece,
    PieceRow,
    Place,
    Read,
    Roll,
    Say,
    Scene,
    SceneSetup,
    ScoreLine,
    Seat,
    SeatBadge,
    SeatMat,
    Table,
    Together,
    VisibleTable,
    ask_open_bids,
    choose_seat,
    highest_bidders,
    rank_seats,
    say,
    say_list,
    say_people,
)

DECLARE_END_LABEL = say("declare the end of the game")
NEVER_MIND_LABEL = say("never mind")
DONE_OPTION = DetailedOption(say("Done"), is_decline_option=True)
NO_MORE_SALES_REASON = say("No more sales.")
BUYER_ALREADY_USED_REASON = say("Already used.")
NO_PROPERTY_REASON = say("No property.")
NO_BUYER_REASON = say("You have none.")
NOTHING_FOR_SALE_REASON = say("None for sale.")


async def play_match(table: Table) -> GameResult:
    """Plays a match of High Bid and returns the result.

    Lots are auctioned until none are left or somebody declares the end; then everybody's wealth is compared.
    """
    board = Board(table)
    table.score_so_far = lambda: standings(board)
    await ask_opener_and_deal(board)
    lot = await prepare_next_lot(board)
    while lot is not None:
        await auction_lot(board, lot)
        lot = await prepare_next_lot(board)
    await ask_to_show_unseen_cards(board)
    return standings(board)


async def ask_opener_and_deal(board: Board) -> None:
    """Asks who opens the first auction, then deals cards and cash."""
    table, count = board.table, CARDS_DEALT[len(board.seats)]
    opener = await choose_seat(say("Who opens the first auction?"), board.seats)
    table.add_markers(board.opener_markers[opener])
    table.start_player = opener
    table.add_note(say("{seat} opens the first auction.", seat=opener))
    question = say("Deal {count} cards each, face down; the rest is the auction pile.", count=count)
    await Done(None, question, shuffled_pieces=(CARD,))
    for seat in board.seats:
        table.move(board.pile, board.hands[seat], count)
        table.move(board.bank, board.purses[seat], STARTING_CASH)
    table.add_note(
        say(
            "Everybody begins with ${cash}: six $10, seven $20, eight $100 and one $1000.", cash=STARTING_CASH
        )
    )


# Lots


async def prepare_next_lot(board: Board) -> Lot | None:
    """Returns the next lot on the block; None if the end is declared or nothing is left."""
    number = board.auction_counter.count + 1
    board.table.heading = say("Auction {number}", number=number)
    while board.has_lots_left:
        if await put_up_lot_unless_end_is_declared(board, number):
            return await turn_up_cards_until_property(board, number)
        if await ask_who_declares_end(board, number):
            return None
    board.table.ending = say("No lots are left.")
    return None


async def put_up_lot_unless_end_is_declared(board: Board, auction_number: int) -> bool:
    """Puts the pile's first card or the oldest returned lot on the block; False if the end is declared."""
    if board.pile.count:
        return await turn_up_card_unless_end_is_declared(board, auction_number, can_declare_end=True)
    question = say("Auction {number}: the next returned lot", number=auction_number)
    options = {"go_on": say("Auction the lot again"), "declare": DECLARE_END_LABEL}
    if await Choose(None, question, dict(options)) == "declare":
        return False
    put_up_oldest_returned_lot(board)
    return True


async def turn_up_card_unless_end_is_declared(
    board: Board, auction_number: int, *, can_declare_end: bool = False
) -> bool:
    """Turns the pile's top card up onto the block; returns False if the end is declared instead."""
    question = say(
        "Auction {number}: turn up card {card}", number=auction_number, card=board.card_count(BLOCK_PLACE) + 1
    )
    cards = await Read(
        None,
        question,
        board.faces,
        1,
        1,
        decline=DECLARE_END_LABEL if can_declare_end else None,
        is_face_up=True,
    )
    board.move_cards_face_up(cards or (), PILE_PLACE, BLOCK_PLACE)
    return cards is not None


def put_up_oldest_returned_lot(board: Board) -> None:
    """Puts the oldest returned lot on the block for the second time."""
    board.move_all_face_up_cards(board.returned_lot_places[0], BLOCK_PLACE)
    board.table.add_markers(board.second_time_marker)


async def turn_up_cards_until_property(board: Board, auction_number: int) -> Lot | None:
    """Turns up cards until the first property, and returns the lot; None if there is no property left.

    If the pile ends before a property comes, the oldest returned lot is added.
    """
    while not (
        properties := [
            card for card in board.face_up_cards(BLOCK_PLACE) if card.has_printed_values(PROPERTY_VALUES)
        ]
    ):
        if board.pile.count:
            await turn_up_card_unless_end_is_declared(board, auction_number)
        elif board.returned_lot_places:
            put_up_oldest_returned_lot(board)
        else:
            board.move_all_face_up_cards(BLOCK_PLACE, BOX_PLACE)
            board.table.ending = say("Only Buyer's cards were left: the game is over.")
            board.table.add_note(board.table.ending)
            return None
    board.table.add_markers(board.auction_counter)
    lot = Lot(auction_number, properties[0], board.card_count(BLOCK_PLACE) > 1)
    card_names = say_list([describe_property(card) for card in board.face_up_cards(BLOCK_PLACE)])
    bidding_method = say("closed bids") if lot.has_closed_bids else say("open bids")
    board.table.heading = say(
        "Auction {number} · {card}", number=auction_number, card=describe_property(lot.card)
    )
    board.table.add_note(
        say("{cards}: {how} from ${price}.", cards=card_names, how=bidding_method, price=lot.min_bid)
    )
    return lot


async def ask_who_declares_end(board: Board, auction_number: int) -> bool:
    """Asks who declares the end; returns False if nobody does.

    A seat can't be chosen if all its cards are known and it is worth too little.
    """
    options: dict[str, Labelled] = {str(seat.number): seat for seat in board.seats}
    too_poor = {
        str(seat.number): OptionRequirement(
            board.purses[seat],
            board.wealth_to_declare_end
            - most_valuable_card_sets(board.publicly_known_cards(seat)).total_worth,
            say("{seat} doesn't have ${goal}.", seat=seat, goal=board.wealth_to_declare_end),
        )
        for seat in board.seats
        if not board.hands[seat].count
    }
    question = say("Auction {number}: who declares the end?", number=auction_number)
    options["nobody"] = DetailedOption(say("Nobody: play on"), is_decline_option=True)
    answer = await Choose(None, question, options, too_poor)
    if answer == "nobody":
        return False
    seat = board.seats.seat_numbered(int(answer))
    board.table.add_markers(board.declared_end_markers[seat])
    board.table.ending = say("{seat} declares the end of the game.", seat=seat)
    board.table.add_note(board.table.ending)
    return True


# Auctions


async def auction_lot(board: Board, lot: Lot) -> None:
    """Auctions a lot: bids, payment, and the winner's rights.

    A winner who pays gets the lot and the rights to sell and buy. Otherwise the lot is returned, or leaves
    the game.
    """
    lot_piece = Piece(f"lot {lot.auction_number}", describe_property(lot.card), look="card")
    if lot.has_closed_bids:
        winner, bid = await ask_closed_bids(board, lot)
    else:
        winner, bid = await ask_open_bids(
            board.bidding_order, lot_piece, lot.min_bid, OPEN_BID_STEP, lots_place=BLOCK_PLACE
        )
    if winner is None:
        board.table.declare_outcome(say("Nobody bids for {card}.", card=describe_property(lot.card)))
    if winner is None or not board.pay_bid_or_penalty(winner, bid, lot.card, board.bank):
        return_or_remove_lot(board, lot)
        return
    board.give_lot_to_winner(winner)
    if board.has_lots_left:
        await let_winner_sell_and_buy(board, winner, lot.auction_number)
    board.make_new_cards_sellable(winner)


async def ask_closed_bids(board: Board, lot: Lot) -> AuctionResult:
    """Asks for secret bids; returns the winner and the bid.

    After a tie those tied bid a second time. After a second tie the first seat in bidding order wins.
    """
    table, order, number = board.table, board.bidding_order, lot.auction_number
    question = say("What do you bid? 0 is no bid.")
    request_by_seat = {
        seat: Amount(seat, question, lot.min_bid, step=CLOSED_BID_STEP, decline=True) for seat in order
    }
    group_question = say("Everybody bids in secret")
    log_name = say("Closed bids in auction {number}", number=number)
    bids = await Together(group_question, dict(request_by_seat), about=BLOCK_PLACE, log_name=log_name)
    best_bidders = highest_bidders(bids)
    if len(best_bidders) > 1:
        tie = bids[best_bidders[0]]
        table.add_note(say("Tie at ${bid}: {seats} bid again.", bid=tie, seats=say_people(best_bidders)))
        question = say("What is your second bid? No less than the first.")
        request_by_seat = {seat: Amount(seat, question, tie, step=CLOSED_BID_STEP) for seat in best_bidders}
        group_question = say("Tie in auction {number}: bid again", number=number)
        bids = await Together(group_question, dict(request_by_seat), about=BLOCK_PLACE)
        best_bidders = highest_bidders(bids)
    if len(best_bidders) > 1:
        table.add_note(
            say(
                "Tie at ${bid} again: {seat} is first in bidding order and wins the lot.",
                bid=bids[best_bidders[0]],
                seat=best_bidders[0],
            )
        )
    if not best_bidders:
        return AuctionResult(None, 0)
    return AuctionResult(best_bidders[0], bids[best_bidders[0]])


def return_or_remove_lot(board: Board, lot: Lot) -> None:
    """Returns an unsold or unpaid lot once; the second time the lot leaves the game."""
    is_second_time, name = board.second_time_marker.count > 0, describe_property(lot.card)
    board.table.remove_markers(board.second_time_marker)
    board.move_all_face_up_cards(
        BLOCK_PLACE, BOX_PLACE if is_second_time else Place(RETURNED, slot=lot.auction_number)
    )
    if is_second_time:
        board.table.add_note(say("{card} leaves the game.", card=name))
    else:
        board.table.add_note(
            say("{card} is returned. The card will be auctioned once more at the end.", card=name)
        )


# The winner's rights


async def let_winner_sell_and_buy(board: Board, seat: Seat, auction_number: int) -> None:
    """Lets the winner sell and buy in any order, until the winner is done or no right is left."""
    while options := selling_and_buying_options(board, seat):
        board.table.heading = say(
            "Auction {number} · {seat} sells and buys", number=auction_number, seat=seat
        )
        question = say("Auction {number}: sell, buy, or done?", number=auction_number)
        choice = await Choose(seat, question, options | {"done": DONE_OPTION})
        if choice == "done":
            board.table.add_note(say("{seat} is done selling and buying.", seat=seat))
            return
        if choice == "sell":
            await sell_own_property_by_dice(board, seat, auction_number)
        else:
            await buy_properties_with_buyers_card(board, seat, auction_number)


def selling_and_buying_options(board: Board, seat: Seat) -> dict[str, Labelled]:
    """Returns selling and buying as options, some barred with a reason; empty if both are barred.

    The reasons use only what everybody knows.
    """
    sales_left = MAX_SALES_PER_WIN - board.sales_tried_markers[seat].count
    barred_reason_by_key = {"sell": why_cant_sell(board, seat), "buy": why_cant_buy(board, seat)}
    if None not in barred_reason_by_key.values():
        return {}
    note = say("{left} left", left=sales_left) if barred_reason_by_key["sell"] is None else None
    return {
        "sell": DetailedOption(
            say("Put a property up for sale"),
            note=note,
            barred_reason=barred_reason_by_key["sell"],
            emblem="🏷",
        ),
        "buy": DetailedOption(
            say("Buy with a Buyer's card"), barred_reason=barred_reason_by_key["buy"], emblem="🛍"
        ),
    }


def why_cant_sell(board: Board, seat: Seat) -> Say | None:
    """Returns why a seat can't put up a property for sale; None if it can.

    Only what everybody knows is considered.
    """
    if board.sales_tried_markers[seat].count >= MAX_SALES_PER_WIN:
        return NO_MORE_SALES_REASON
    return None if board.can_seat_have_card(seat, PROPERTY_VALUES) else NO_PROPERTY_REASON


def why_cant_buy(board: Board, seat: Seat) -> Say | None:
    """Returns why a seat can't buy a property; None if it can.

    Only what everybody knows is considered.
    """
    if board.has_bought_markers[seat].count:
        return BUYER_ALREADY_USED_REASON
    if not board.can_seat_have_card(seat, BUYER_VALUES):
        return NO_BUYER_REASON
    return None if board.properties_for_sale(None) else NOTHING_FOR_SALE_REASON


async def sell_own_property_by_dice(board: Board, seat: Seat, auction_number: int) -> None:
    """Asks for a property to sell; the dice decide how."""
    sale_number = board.sales_tried_markers[seat].count + 1
    question = say(
        "Auction {number}, sale {sale}: put up a property", number=auction_number, sale=sale_number
    )
    card = await ask_for_card_to_lay_down(board, seat, question, PROPERTY_VALUES)
    if card is None:
        return
    board.table.add_markers(board.sales_tried_markers[seat])
    board.lay_down_shown_card(seat, card, Place(OFFER, seat))
    printed = board.table.find_deck("high_bid").board
    dice = Die(say("red"), printed["red"]), Die(say("green"), printed["green"])
    question = say("Auction {number}, sale {sale}: roll both dice", number=auction_number, sale=sale_number)
    red, green = await Roll(seat, question, dice)
    if green:
        sell_at_price_of_red_die(board, seat, card, red)
    else:
        lot_piece = Piece(f"lot {auction_number} sale {sale_number}", describe_property(card), look="card")
        await auction_property_publicly(board, seat, card, lot_piece)
    board.move_all_face_up_cards(Place(OFFER, seat), Place(ASIDE, seat))


async def ask_for_card_to_lay_down(
    board: Board, seat: Seat, question: Say, required_values: dict[str, str]
) -> Card | None:
    """Asks for a card that the seat lays down, known or dealt to it; None if the seat changes its mind."""
    cards = await Read(
        seat,
        question,
        board.faces,
        1,
        1,
        decline=NEVER_MIND_LABEL,
        required_values=required_values,
        places=(Place(FRONT, seat),),
        max_unseen=board.hands[seat],
        is_face_up=True,
    )
    if not cards:
        board.table.add_note(say("{seat} lays down no card.", seat=seat))
        return None
    return cards[0]


def sell_at_price_of_red_die(board: Board, seat: Seat, card: Card, red_face: int) -> None:
    """Sells a card for what the red die says: a section's price, the bonus, or both."""
    table, has_bonus = board.table, red_face not in SECTION_BY_RED_FACE
    keeps_card = has_bonus and table.options["red_200"] == "bonus_keep"
    if not keeps_card:
        section = SECTION_BY_RED_FACE.get(red_face, "collector")
        price = printed_number(card, section)
        table.move(board.bank, board.purses[seat], price)
        board.move_all_face_up_cards(Place(OFFER, seat), PLACE_BY_SECTION[section])
        table.declare_outcome(say("The {section} pays {seat} ${paid} for {card}.",
                                  section=PLACE_BY_SECTION[section], seat=seat, paid=price,
                                  card=describe_property(card)), [seat])  # fmt: skip  # one sentence
    if has_bonus:
        table.move(board.bank, board.purses[seat], RED_200_BONUS)
        table.add_note(say("{seat} gets a bonus of ${bonus}.", seat=seat, bonus=RED_200_BONUS))
    if keeps_card:
        table.add_note(say("{seat} keeps {card}.", seat=seat, card=describe_property(card)))


async def auction_property_publicly(board: Board, seat: Seat, card: Card, about: Piece) -> None:
    """Auctions a seat's property publicly, after a green 0.

    Only the best bidder who pays gets the card. The bids begin at the seller's left.
    """
    table, name = board.table, describe_property(card)
    table.heading = say("Public auction · {card}", card=name)
    table.add_note(say("The green die shows 0: {card} goes to public auction.", card=name))
    winner, bid = await ask_open_bids(
        board.seats.starting_after(seat), about, PUBLIC_AUCTION_START, OPEN_BID_STEP
    )
    payee = board.bank if winner == seat else board.purses[seat]
    if winner is None or not board.pay_bid_or_penalty(winner, bid, card, payee) or winner == seat:
        table.add_note(say("{seat} keeps {card}.", seat=seat, card=name))
    else:
        board.move_all_face_up_cards(Place(OFFER, seat), Place(FRONT, winner))


async def buy_properties_with_buyers_card(board: Board, seat: Seat, auction_number: int) -> None:
    """Lets a seat buy properties with a Buyer's card.

    The card buys up to three properties of one section; each is paid at once.
    """
    question = say("Auction {number}: lay down a Buyer's card", number=auction_number)
    buyer = await ask_for_card_to_lay_down(board, seat, question, BUYER_VALUES)
    if buyer is None:
        return
    board.lay_down_shown_card(seat, buyer, Place(FRONT, seat))
    section: str | None = None
    for property_number in range(1, MAX_BOUGHT_PER_WIN + 1):
        offer = await choose_property_to_buy(
            board,
            seat,
            section,
            say("Auction {number}: buy property {at}", number=auction_number, at=property_number),
        )
        if offer is None:
            break
        if section is None:
            board.move_cards_face_up([buyer], Place(FRONT, seat), BANK_PLACE)
            board.table.add_markers(board.has_bought_markers[seat])
        section, card = offer
        board.pay_bid_or_penalty(seat, printed_number(card, section), card, board.bank)
        board.give_property_to_buyer(section, card, seat)


async def choose_property_to_buy(
    board: Board, seat: Seat, section: str | None, question: Say
) -> PropertyForSale | None:
    """Asks which property on the board to buy; None if the seat wants no more."""
    offers = board.properties_for_sale(section)
    purse, too_little_cash_reason = (
        board.purses[seat],
        say("{seat} doesn't have enough cash for that.", seat=seat),
    )
    options: dict[str, Labelled] = {
        key: DetailedOption(say("{card} from the {section}", card=describe_property(card),
                                section=PLACE_BY_SECTION[name]),
                   card=card, price=printed_number(card, name), group=PLACE_BY_SECTION[name].name)
        for key, (name, card) in offers.items()
    }  # fmt: skip  # one key
    requirements = {
        key: OptionRequirement(purse, printed_number(card, name), too_little_cash_reason)
        for key, (name, card) in offers.items()
    }
    options["enough"] = DetailedOption(
        say("No more") if section else NEVER_MIND_LABEL, is_decline_option=True
    )
    return offers.get(await Choose(seat, question, options, requirements)) if offers else None


# The end


async def ask_to_show_unseen_cards(board: Board) -> None:
    """Asks the seats with unseen cards to show those that count."""
    board.table.heading = say("The end")
    for seat in board.seats:
        hand = board.hands[seat]
        if hand.count:
            question = say("Lay down the cards of your hand")
            cards = await Read(seat, question, board.faces, 0, hand, max_unseen=hand, is_face_up=True)
            board.move_cards_face_up(cards or (), Place(HAND, seat), Place(FRONT, seat))


def standings(board: Board) -> GameResult:
    """Returns the result, most wealth first."""
    return rank_seats(
        board.seats,
        lambda seat: cash_and_known_card_worth(board, seat),
        lambda seat: score_lines(board, seat),
        reason_for_seat=lambda seat: describe_declaration_shortfall(board, seat),
    )


def cash_and_known_card_worth(board: Board, seat: Seat) -> int:
    """Returns a seat's cash plus the worth of its known cards."""
    return board.purses[seat].count + most_valuable_card_sets(board.publicly_known_cards(seat)).total_worth


def describe_declaration_shortfall(board: Board, seat: Seat) -> Say | None:
    """Returns a text about the missing amount if a seat declared the end with too little wealth."""
    missing_amount = board.wealth_to_declare_end - cash_and_known_card_worth(board, seat)
    if not board.declared_end_markers[seat].count or missing_amount <= 0:
        return None
    return say(
        "declared the end; short of ${goal} by ${short}",
        goal=board.wealth_to_declare_end,
        short=missing_amount,
    )


def score_lines(board: Board, seat: Seat) -> tuple[ScoreLine, ...]:
    """Returns a seat's score lines: cash, each set, and unused Buyer's cards."""
    card_sets = most_valuable_card_sets(board.publicly_known_cards(seat))
    lines = [ScoreLine(say("cash"), board.purses[seat].count)]
    lines += [
        ScoreLine(describe_property(card), printed_number(card, "value")) for card in card_sets.whole_sets
    ]
    lines += [
        ScoreLine(
            say("{card} with a Buyer's card", card=describe_property(card)), printed_number(card, "value")
        )
        for card in card_sets.sets_completed_by_buyers
    ]
    return (
        *lines,
        ScoreLine(say("unused Buyer's cards"), VALUE_OF_UNUSED_BUYER * card_sets.unused_buyer_count),
    )


PENALTY_OPTION = ChoiceOption(
    "penalty",
    say("Penalty"),
    say("Choose the penalty for a winner who can't pay their bid."),
    "warehouse",
    choices={"warehouse": say("the warehouse price"), "bid": say("a quarter of the bid")},
)
RED_200_OPTION = ChoiceOption(
    "red_200",
    say("Red 200"),
    say("Choose what happens when the red die shows 200."),
    "collector_plus_bonus",
    choices={
        "collector_plus_bonus": say("sold to the collector, plus $200"),
        "bonus_keep": say("$200, and you keep the card"),
    },
)


# The scene


def make_lot_price_cell(section: str) -> ComputedCell:
    """Returns a cell with the price that a section pays for the lot on the block."""

    def visible_price(look: VisibleTable, _: Seat | None) -> int:
        properties_on_block = [
            card for card in look.open_cards(BLOCK) if card.has_printed_values(PROPERTY_VALUES)
        ]
        return printed_number(properties_on_block[0], section) if properties_on_block else 0

    return ComputedCell(say("price"), visible_price, hidden_when_zero=True)


def build_high_bid_scene(setup: SceneSetup) -> Scene:
    """Builds the scene of High Bid.

    The cash is before each seat, and the lot with its four prices in the middle.
    """
    goal = WEALTH_TO_DECLARE_END[len(setup.seats)]
    mat = SeatMat(
        headline=CountCell(DOLLAR, PURSE),
        cells=(CountCell(CARD, HAND),),
        badges=(SeatBadge(LAST_WINNER_MARKER, FRONT), SeatBadge(DECLARED_END_MARKER, FRONT)),
        rows=(PieceRow(FRONT), PieceRow(ASIDE, label=ASIDE)),
    )
    section_lines = [
        (place.name, (make_lot_price_cell(name), CountCell(CARD, place.name)))
        for name, place in PLACE_BY_SECTION.items()
    ]
    grid = CountGrid((say("price"), say("for sale")), tuple(section_lines))
    other_parts = (
        CardPile(CARD, PILE),
        LotQueue(RETURNED, CARDS_IN_ALL, CARD, label=say("returned lots")),
        ComputedCell(say("goal"), lambda *_: goal),
    )
    return Scene(mat, (CardSpread(BLOCK, back=CARD, label=say("the lot")), grid, *other_parts))


# Help: the rule behind each question, and what comes next


HELP = {
    "Who opens the first auction?": say(
        "Choose who bids first. Later the player to the left of the last winner bids first."
    ),
    "Deal {count} cards each, face down; the rest is the auction pile.": say(
        "Confirm when the cards are dealt. Everybody then begins with the same cash."
    ),
    "Auction {number}: turn up card {card}": say(
        "Turn over cards until you reveal a property. All these cards are one lot. Or a player may declare "
        "the end of the game."
    ),
    "Auction {number}: the next returned lot": say(
        "The pile is empty, so lots that nobody bought are auctioned once more. Or a player may declare the "
        "end of the game."
    ),
    "Auction {number}: who declares the end?": say(
        "Only a player who has reached the goal may declare the end of the game. Then the score is counted."
    ),
    "Raise": say(
        "Bid more than the highest bid, or pass; you can bid again later. The auction ends when all others "
        "pass in a row."
    ),
    "Everybody bids in secret": say(
        "The lot came with a Buyer's card, so everybody bids in secret. 0 means no bid. The highest bid wins."
    ),
    "Tie in auction {number}: bid again": say(
        "The tied players bid again, and not less than before. If they tie again, the player who is first in "
        "bidding order wins."
    ),
    "Auction {number}: sell, buy, or done?": say(
        'The winner may sell up to three properties and use one Buyer\'s card, in any order. Choose "Done" '
        "to begin the next auction."
    ),
    "Auction {number}, sale {sale}: put up a property": say(
        "Show the property that you offer. Then the dice decide who buys it."
    ),
    "Auction {number}, sale {sale}: roll both dice": say(
        "The green die decides whether the property is sold on the board. The red die decides who buys it."
    ),
    "Auction {number}: lay down a Buyer's card": say(
        "With a Buyer's card you buy up to three properties from one section of the board. You give up the "
        "card when you buy the first property."
    ),
    "Auction {number}: buy property {at}": say(
        "Each property costs the price of its section. All properties must come from the same section."
    ),
    "Lay down the cards of your hand": say(
        "Show the cards from your hand that score points. Then the score is counted."
    ),
}

# The game

GAME = Game(
    "high_bid",
    2,
    say("High Bid"),
    (2, 4),
    play_match,
    (PENALTY_OPTION, RED_200_OPTION),
    ("high_bid",),
    check_deck=check_deck,
    question_kinds=("Choose", "Raise", "Read", "Roll", "Done", "Together"),
    scene=build_high_bid_scene,
    help=HELP,
)
