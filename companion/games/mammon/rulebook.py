"""Mammon: coins are bids, money and armies; the last country standing wins. 2 to 5 players.

The accounts and sums are in `board.py`.

Rulings where the rulebook is silent:
1. All seats that tie at the top of a battle win: they pay, and only the others lose strength.
2. If every bet of a battle counts 0 after the reactions, all lose the strength put forward.
3. Foreign coins are paid one by one from the colour the payer holds most of; among equals from that of the
   next seat clockwise. Where another split is possible the payer may enter it.
4. Whoever holds foreign coins says how many own and how many foreign ones are paid or bet.
5. The companion never learns hands: a card is named when it is played, and each kind of which not both have
   been played is offered. Cards turned up for the start wagers go into the hand like any other.
6. Start wagers go on without a card when the market is empty.
7. A hand above the quota, from the start wagers, is kept.
8. Where the bank has fewer than five coins of a colour, mansion and ambush give as many as there are.
9. Exchange is offered where another survivor holds a card; with one such survivor nobody is asked who.
10. An eliminated seat loses its extra turns; its confusion lasts until the turn passes that seat.
11. Seats that are eliminated together rank equally; if nobody is left, the last of them share the win.
12. Elimination is tested before every turn too, so that strength that was put right by hand counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.mammon.board import (
    BANK,
    BATTLE_WON_MARKER,
    BET,
    CARD,
    CONFUSION_MARKER,
    DISCARD,
    ELIMINATION_MARKER,
    EXTRA_TURN_MARKER,
    FRONT,
    FRONT_LINE,
    HAND,
    MARKET,
    REACTION_MARKER_BY_CARD,
    START_PLAYER_MARKER,
    STRENGTH,
    STRENGTH_PLACES,
    TREASURY,
    TURNED_UP,
    Board,
    bet_value,
    can_split_in_several_ways,
    make_coin_piece,
    make_market_card_piece,
    pick_most_common_foreign_coins,
)
from companion.rulebook import (
    Amount,
    CardSpread,
    Choose,
    ComputedCell,
    CountCell,
    CountedItem,
    Counts,
    DetailedOption,
    Done,
    Game,
    GameResult,
    OptionRequirement,
    PieceRow,
    Place,
    Request,
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
    choose_seat,
    find_leaders,
    highest_bidders,
    rank_seats,
    say,
    say_amount_of,
    say_list,
    say_people,
)

HAND_QUOTA = {2: 6, 3: 5, 4: 4, 5: 3}
SURVEY_QUESTIONS = (say("Survey a first card"), say("Survey a second card"))
SCALE_BY_BATTLE_OPTION = {f"battle_{scale}": scale for scale in (1, 2, 3)}
RESOLVE_SCALE = 5
EXTRA_TURNS_PER_COMMAND = 2
BATTLE_GROUP, CARD_GROUP = say("a battle"), say("a card")
OPTION_BY_CARD = {
    "mansion": DetailedOption(say("mansion"), gain=say("5 own coins"), group=CARD_GROUP, emblem="🏰"),
    "ambush": DetailedOption(say("ambush"), gain=say("5 strength"), group=CARD_GROUP, emblem="🗡"),
    "command": DetailedOption(say("command"), gain=say("2 extra turns"), group=CARD_GROUP, emblem="📣"),
    "exchange": DetailedOption(
        say("exchange"), gain=say("another player's card"), group=CARD_GROUP, emblem="🤝"
    ),
    "confusion": DetailedOption(
        say("confusion"), gain=say("nobody plays cards until your next turn"), group=CARD_GROUP, emblem="🌀"
    ),
    "resolve": DetailedOption(say("resolve"), gain=say("scale-5 battle"), group=CARD_GROUP, emblem="🔥"),
}
OPTION_BY_REACTION_CARD = {
    "spy": DetailedOption(
        say("spy"), REACTION_MARKER_BY_CARD["spy"], gain=say("your bet counts 3 more"), emblem="🕵"
    ),
    "retreat": DetailedOption(
        say("retreat"), REACTION_MARKER_BY_CARD["retreat"], gain=say("you lose no strength"), emblem="🏃"
    ),
}
PASS_OPTION = DetailedOption(say("pass"), is_decline_option=True)
CONFUSION_REASON = say("Nobody can play a card during Confusion.")


async def play_match(table: Table) -> GameResult:
    """Plays a match of Mammon and returns the result.

    Start wagers, the auction and arming come first, then battles until at most one player is left.
    """
    board = Board(table)
    table.score_so_far = lambda: standings(board)
    question = say("Lay the shuffled cards in a row, face down; everybody takes 20 coins of a colour.")
    await Done(None, question, shuffled_pieces=(CARD,))
    await choose_start_player_by_wagers(board)
    table.start_player = table.first_holder(board.start_marks)
    await play_survey_and_buying_turns(board)
    await ask_coins_for_strength(board)
    await play_armageddon_turns(board)
    survivors = board.survivors()
    table.ending = (
        say("Only {seat} is still in the game.", seat=survivors[0])
        if survivors
        else say("Nobody is left in the game.")
    )
    return standings(board)


# Wagers


async def ask_and_place_secret_bets(
    board: Board, question: Say, seats: Sequence[Seat], log_name: Say
) -> None:
    """Asks these seats for secret bets at once, then places the bets openly."""
    request_by_seat = {seat: make_bet_request(board, seat) for seat in seats}
    for seat, answer in (await Together(question, request_by_seat, log_name=log_name)).items():
        coin_counts = answer if isinstance(answer, dict) else {"own": answer, "foreign": 0}
        board.place_bet(seat, coin_counts["own"], coin_counts["foreign"])


def make_bet_request(board: Board, seat: Seat) -> Request[Any]:
    """Returns the question for a bet: a number, or own and foreign coins if the seat holds foreign ones."""
    question = say("How many coins do you bet? 0 is no bet.")
    if board.foreign_coins_by_owner(seat):
        return Counts(seat, question, board.own_and_foreign_coin_counts(seat))
    return Amount(seat, question, 0, board.own_coin_account(seat))


async def pay_bet_to_bank(board: Board, seat: Seat, about: Say) -> None:
    """Pays a seat's open bet to the bank.

    The payer may pay other foreign coins than those in the bet.
    """
    own_coins, foreign_coins = board.own_and_foreign_coins_in_open_bet(seat)
    board.return_bets_to_treasuries([seat])
    await pay_coins_to_bank(board, seat, own_coins, foreign_coins, about)
    board.table.add_markers(board.coins_paid[seat], own_coins + foreign_coins)


async def pay_coins_to_bank(
    board: Board,
    seat: Seat,
    own_coins: int,
    foreign_coins: int,
    about: Say,
    bought_card_place: Place | None = None,
) -> None:
    """Pays own and foreign coins from the treasury to the bank.

    If there is a choice, the payer may say which foreign coins. `card_place` is the place of a card that is
    bought.
    """
    available_coins = board.foreign_coins_by_owner(seat)
    paid_coins = pick_most_common_foreign_coins(available_coins, foreign_coins)
    if can_split_in_several_ways(available_coins, foreign_coins):
        item_by_colour = {
            owner.colour: CountedItem(board.coin_by_owner[owner], board.treasury[seat][owner])
            for owner in available_coins
        }
        question = say("{about}: pay which foreign coins?", about=about)
        chosen_counts = await Counts(
            seat,
            question,
            item_by_colour,
            foreign_coins,
            foreign_coins,
            decline=say("most common colour first"),
            about=bought_card_place,
            log_name=say("{about}: which foreign coins?", about=about),
        )
        if chosen_counts is not None:
            paid_coins = {owner: chosen_counts[owner.colour] for owner in available_coins}
        coins = say_list(
            [board.coin_by_owner[owner].quantity_text(count) for owner, count in paid_coins.items() if count]
        )
        board.table.add_note(say("{seat} pays with {coins}.", seat=seat, coins=coins))
    board.move_coins(board.treasury[seat], board.bank, paid_coins | {seat: own_coins})


# Start player


async def choose_start_player_by_wagers(board: Board) -> None:
    """Plays start wagers until one seat wins alone and becomes the start player.

    Each wager is for one more card; the winner gets all turned-up cards.
    """
    board.table.heading = say("Start player")
    bidding_seats, wager_number = list(board.seats), 1
    while len(best_bidders := await play_start_wager(board, bidding_seats, wager_number)) != 1:
        board.return_bets_to_treasuries(bidding_seats)
        bidding_seats, wager_number = best_bidders or bidding_seats, wager_number + 1
    winner = best_bidders[0]
    board.return_bets_to_treasuries(seat for seat in bidding_seats if seat != winner)
    await pay_bet_to_bank(board, winner, say("Start wager"))
    board.table.move_all(board.turned_up, board.hands[winner])
    board.appoint_start_player(winner)
    board.table.declare_outcome(say("{seat} is the start player.", seat=winner), best_bidders)


async def play_start_wager(board: Board, bidding_seats: Sequence[Seat], wager_number: int) -> list[Seat]:
    """Plays one start wager and returns the highest bidders.

    The market's first card is turned up, if one is left, and all bet. Several seats are returned if they tie,
    and none if all bet 0.
    """
    for slot in board.filled_market_slots[:1]:
        board.table.add_note(say("The first market card lies face up beside the others."))
        board.table.move(board.market[slot], board.turned_up)
    question = say("Start wager {number}: everybody bets in secret", number=wager_number)
    await ask_and_place_secret_bets(
        board, question, bidding_seats, say("Start wager {number}", number=wager_number)
    )
    best_bidders = highest_bidders({seat: board.current_bet_value(seat) for seat in bidding_seats})
    if not best_bidders:
        board.table.add_note(say("Nobody made a bet, so everybody bets again."))
    elif len(best_bidders) > 1:
        board.table.add_note(say("{seats} tie and bet again.", seats=say_people(best_bidders)))
    return best_bidders


# Phase 1


async def play_survey_and_buying_turns(board: Board) -> None:
    """Plays the turns in which seats survey and buy cards: the auction.

    The turns go clockwise from the start player's left, until all have their quota or the market is empty.
    """
    table, quota = board.table, HAND_QUOTA[len(board.seats)]
    table.heading = say("Auction phase")
    seats_in_turn = deque(board.seats.starting_after(board.start_player))
    while board.filled_market_slots and any(hand.count < quota for hand in board.hands.values()):
        seat = seats_in_turn[0]
        seats_in_turn.rotate(-1)
        if board.hands[seat].count < quota:
            await let_seat_survey_cards(board, seat)
            await ask_and_buy_card(board, seat)
    for slot in board.market:
        table.move_all(board.market[slot], board.box)
        board.move_all_coins(board.coins_by_market_slot[slot], board.bank)


async def let_seat_survey_cards(board: Board, seat: Seat) -> None:
    """Lets a seat survey up to two cards of the market.

    To survey a card is to look at it and put an own coin on it. Cards with the seat's own coin can't be
    chosen.
    """
    for question in SURVEY_QUESTIONS:
        options = market_card_options(board)
        requirement_by_slot = {
            str(slot): require_card_not_surveyed(board, seat, slot) for slot in board.filled_market_slots
        }
        has_new_card = any(requirement.is_met for requirement in requirement_by_slot.values())
        if has_new_card and board.own_coin_account(seat).count:
            slot = int(
                await Choose(
                    seat, question, dict(options), requirement_by_slot, about=filled_market_places(board)
                )
            )
            board.table.move(board.own_coin_account(seat), board.coins_by_market_slot[slot][seat])
            board.table.add_note(say("{seat} looks at {card}.", seat=seat, card=board.market_card(slot)))


def require_card_not_surveyed(board: Board, seat: Seat, slot: int) -> OptionRequirement:
    """Returns the requirement that a seat hasn't surveyed a card yet.

    The seat's own coin lies on a surveyed card. Surveyed cards stay in the list of options, so that option 3
    is card 3.
    """
    return OptionRequirement(board.coins_by_market_slot[slot][seat], 0, say("Already surveyed."), most=0)


def market_card_options(board: Board, coin_count: int | None = None) -> dict[str, DetailedOption]:
    """Returns the cards of the market as options.

    Each option shows the card's current price. `coin_count`: cards that cost more are barred.
    """
    return {
        str(slot): DetailedOption(
            say("{card}", card=make_market_card_piece(slot, price)),
            price=price,
            barred_reason=say("Too dear.") if coin_count is not None and price > coin_count else None,
            place=board.market[slot].place,
        )
        for price, slot in enumerate(board.filled_market_slots)
    }


def filled_market_places(board: Board) -> tuple[Place, ...]:
    """Returns the places of the market that hold a card."""
    return tuple([board.market[slot].place for slot in board.filled_market_slots])


async def ask_and_buy_card(board: Board, seat: Seat) -> None:
    """Asks which card a seat buys; the seat pays for it and takes it.

    A card costs one coin per card before it. The seat also gets the coins on the card. There is no card only
    if people took the last one away by hand.
    """
    coin_count = sum(account.count for account in board.treasury[seat].values())
    options = market_card_options(board, coin_count)
    if not options:
        return
    question, log_name = say("Which card do you buy?"), say("Buy a card")
    slot = int(
        await Choose(seat, question, dict(options), about=filled_market_places(board), log_name=log_name)
    )
    await pay_market_card_price(board, seat, slot)
    board.table.move(board.market[slot], board.hands[seat])
    board.move_all_coins(board.coins_by_market_slot[slot], board.treasury[seat])


async def pay_market_card_price(board: Board, seat: Seat, slot: int) -> None:
    """Pays the price of a market card to the bank; the card isn't moved.

    Own and foreign coins are worth 1 each; the buyer chooses if both would do.
    """
    price, card, place = board.price_of_card(slot), board.market_card(slot), board.market[slot].place
    payment_name = say("Payment for {card}", card=card)
    own_coins = max(0, price - sum(board.foreign_coins_by_owner(seat).values()))
    if own_coins < min(price, board.own_coin_account(seat).count):
        question = say("How do you pay for {card}?", card=card)
        chosen_counts = await Counts(
            seat,
            question,
            board.own_and_foreign_coin_counts(seat),
            price,
            price,
            about=place,
            log_name=payment_name,
        )
        assert chosen_counts is not None, "there is no way to decline"
        own_coins = chosen_counts["own"]
    await pay_coins_to_bank(board, seat, own_coins, price - own_coins, payment_name, place)
    board.table.add_note(say("{seat} buys {card} for {price}.", seat=seat, card=card, price=price))


# Phase 2


async def ask_coins_for_strength(board: Board) -> None:
    """Asks everybody how many own coins become strength, and moves them.

    All answer in secret.
    """
    board.table.heading = say("Arming")
    question = say("How many coins of your colour become strength? With 0 you are out.")
    confirmation = say("With 0 strength you are out before the first battle. Do you really want 0?")
    request_by_seat = {
        seat: Amount(seat, question, 0, board.own_coin_account(seat), zero_confirmation=confirmation)
        for seat in board.seats
    }
    request = Together(
        say("Arming: everybody turns coins into strength in secret"),
        dict(request_by_seat),
        log_name=say("Arming"),
    )
    for seat, coins in (await request).items():
        board.table.move(board.own_coin_account(seat), board.strength[seat], coins)


# Phase 3


async def play_armageddon_turns(board: Board) -> None:
    """Plays turns until at most one seat is left.

    The start player begins; eliminated seats are skipped.
    """
    seats_in_turn = deque(board.seats.starting_with(board.start_player))
    while len(eliminate_and_list_survivors(board)) > 1:
        seat = seats_in_turn[0]
        seats_in_turn.rotate(-1)
        board.table.remove_markers(board.confusion[seat])
        if not board.eliminated[seat].count:
            await take_turn_and_extra_turns(board, seat)


async def take_turn_and_extra_turns(board: Board, seat: Seat) -> None:
    """Plays a turn of a seat, then its extra turns."""
    await take_turn(board, seat, say("Your turn: a battle or a card?"))
    while len(eliminate_and_list_survivors(board)) > 1 and board.extra_turn_markers[seat].count:
        board.table.remove_markers(board.extra_turn_markers[seat], 1)
        await take_turn(board, seat, say("Your extra turn: a battle or a card?"))


def eliminate_and_list_survivors(board: Board) -> list[Seat]:
    """Eliminates all seats without strength at once; returns the survivors."""
    fallen = [seat for seat in board.survivors() if not board.strength[seat].count]
    number = 1 + max(account.count for account in board.eliminated.values())
    for seat in fallen:
        board.table.add_markers(board.eliminated[seat], number)
        board.table.move_all(board.hands[seat], board.box)
        board.move_all_coins(board.treasury[seat], board.bank)
        board.table.remove_markers(board.extra_turn_markers[seat])
        board.table.add_note(
            say("{seat} has no strength left and is eliminated: all cards and coins go back.", seat=seat)
        )
    return board.survivors()


async def take_turn(board: Board, seat: Seat, question: Say) -> None:
    """Asks for a battle of a scale up to the seat's strength, or one card, and plays it."""
    board.table.heading = say("Armageddon")
    too_weak_reason, strength = say("Not enough strength."), board.strength[seat]
    battles = {
        key: DetailedOption(say("battle, scale {scale}", scale=scale), group=BATTLE_GROUP, emblem="⚔",
                   barred_reason=too_weak_reason if strength.count < scale else None)
        for key, scale in SCALE_BY_BATTLE_OPTION.items()
    }  # fmt: skip  # one key
    requirements = {
        key: OptionRequirement(strength, scale, too_weak_reason)
        for key, scale in SCALE_BY_BATTLE_OPTION.items()
    }
    chosen = await Choose(
        seat, question, {**battles, **unplayed_turn_card_options(board, seat)}, requirements, board.deck
    )
    if chosen in SCALE_BY_BATTLE_OPTION:
        scale = SCALE_BY_BATTLE_OPTION[chosen]
        board.table.add_note(say("{seat} begins a battle of scale {scale}.", seat=seat, scale=scale))
        await fight_battle(board, seat, scale)
    else:
        board.discard_played_card(seat, chosen)
        announce_played_card(board, seat, OPTION_BY_CARD[chosen])
        await apply_card_effect(board, seat, chosen)


def unplayed_turn_card_options(board: Board, seat: Seat) -> dict[str, DetailedOption]:
    """Returns the unplayed kinds of cards that can be played as a turn, as options.

    The companion doesn't know hands: a kind is offered as long as one of its cards hasn't been played,
    whatever cards the hand holds. A seat without cards gets no options. Confusion bars all of them.
    """
    if not board.hands[seat].count:
        return {}
    option_by_kind = {
        kind: offer for kind, offer in OPTION_BY_CARD.items() if board.unplayed_card_count(kind)
    }
    if board.is_confusion_active:
        return {
            kind: replace(offer, barred_reason=CONFUSION_REASON) for kind, offer in option_by_kind.items()
        }
    if not exchange_partners(board, seat):
        option_by_kind.pop("exchange", None)
    return option_by_kind


async def apply_card_effect(board: Board, seat: Seat, kind: str) -> None:
    """Applies the effect of a card that was played as a turn."""
    match kind:
        case "mansion":
            board.move_up_to_five_coins_from_bank(board.own_coin_account(seat))
        case "ambush":
            board.move_up_to_five_coins_from_bank(board.strength[seat])
        case "command":
            board.table.add_markers(board.extra_turn_markers[seat], EXTRA_TURNS_PER_COMMAND)
        case "confusion":
            board.table.add_markers(board.confusion[seat])
        case "exchange":
            await exchange_or_take_card(board, seat)
        case _:
            await fight_battle(board, seat, RESOLVE_SCALE)


def exchange_partners(board: Board, seat: Seat) -> list[Seat]:
    """Returns the seats with whom a card can be exchanged: other survivors who hold one."""
    return [other for other in seats_with_cards(board, board.survivors(seat)) if other != seat]


async def exchange_or_take_card(board: Board, seat: Seat) -> None:
    """Exchanges an own card for a random one of another survivor; without an own card, takes one."""
    others = exchange_partners(board, seat)
    other = others[0]
    if len(others) > 1:
        other = await choose_seat(say("With whom do you exchange a card?"), others, seat)
    own_hand, other_hand = board.hands[seat], board.hands[other]
    has_card_to_give = bool(own_hand.count)
    board.table.move(other_hand, own_hand)
    if has_card_to_give:
        board.table.move(own_hand, other_hand)
        board.table.add_note(
            say("{seat} and {other} exchange a card without showing it.", seat=seat, other=other)
        )
    else:
        board.table.add_note(
            say("{seat} takes a card from {other} without showing it.", seat=seat, other=other)
        )


# Battles


async def fight_battle(board: Board, caller: Seat, scale: int) -> None:
    """Plays a battle that a seat calls.

    All put forward strength up to the scale, and bet. Reactions follow, and the battle is settled.
    """
    fighters, battle_name = board.survivors(caller), say("{seat}'s battle", seat=caller)
    for seat in fighters:
        board.table.move_up_to(board.strength[seat], board.front_line[seat], scale)
    board.table.heading = say("Battle, scale {scale}", scale=scale)
    await ask_and_place_secret_bets(
        board, say("{seat}'s battle: everybody bets in secret", seat=caller), fighters, battle_name
    )
    if not board.is_confusion_active:
        await ask_reaction_cards(board, fighters, battle_name)
    await settle_battle(board, fighters, battle_name)


async def ask_reaction_cards(board: Board, fighters: Sequence[Seat], battle_name: Say) -> None:
    """Asks the fighters for reaction cards until all pass after the last card.

    Clockwise from the caller, each plays a spy or a retreat, or passes.
    """
    fighters_in_turn, seats_that_passed = deque(fighters), set[Seat]()
    question = say("{battle}: a card, or pass?", battle=battle_name)
    if any(map(board.unplayed_card_count, REACTION_MARKER_BY_CARD)) and seats_with_cards(board, fighters):
        announce_highest_bets(board, fighters)
    while any(map(board.unplayed_card_count, REACTION_MARKER_BY_CARD)) and not seats_that_passed.issuperset(
        seats_with_cards(board, fighters)
    ):
        seat = fighters_in_turn[0]
        fighters_in_turn.rotate(-1)
        if board.hands[seat].count:
            board.table.heading = describe_bet_values(board, fighters)
            card_options = {
                kind: card
                for kind, card in OPTION_BY_REACTION_CARD.items()
                if board.unplayed_card_count(kind)
            }
            chosen = await Choose(seat, question, {**card_options, "pass": PASS_OPTION}, deck=board.deck)
            if chosen == "pass":
                seats_that_passed.add(seat)
            else:
                board.discard_played_card(seat, chosen)
                announce_played_card(board, seat, OPTION_BY_REACTION_CARD[chosen])
                board.table.add_markers(board.reaction_markers_by_card[chosen][seat])
                seats_that_passed.clear()


def announce_played_card(board: Board, seat: Seat, card: DetailedOption) -> None:
    """Announces which card a seat plays."""
    board.table.add_note(say("{seat} plays {card}.", seat=seat, card=card.label))


def seats_with_cards(board: Board, seats: Sequence[Seat]) -> list[Seat]:
    """Returns the seats that hold at least one card."""
    return [seat for seat in seats if board.hands[seat].count]


def describe_bet_values(board: Board, fighters: Sequence[Seat]) -> Say:
    """Returns a text with the value of each bet now."""
    values = [say_amount_of(seat, board.current_bet_value(seat)) for seat in fighters]
    return say("Bets: {values}", values=say_list(values))


def announce_highest_bets(board: Board, fighters: Sequence[Seat]) -> None:
    """Announces who bets most, but no winner: reactions may still change who wins."""
    bettors = highest_bidders({seat: board.current_bet_value(seat) for seat in fighters})
    if not bettors:
        return
    amount = board.current_bet_value(bettors[0])
    if len(bettors) == 1:
        headline = say("{seat} bets most: {amount}.", seat=bettors[0], amount=amount)
    else:
        headline = say("{seats} bet most: {amount} each.", seats=say_people(bettors), amount=amount)
    board.table.declare_outcome(headline)


async def settle_battle(board: Board, fighters: Sequence[Seat], battle_name: Say) -> None:
    """Settles a battle by the values of the bets.

    Winners pay their bets, and losers lose the strength that they put forward. Losers get their bets back. A
    loser who retreats loses no strength.
    """
    winners = highest_bidders({seat: board.current_bet_value(seat) for seat in fighters})
    announce_battle_result(board, fighters, winners)
    for seat in fighters:
        account = board.front_line[seat]
        loses = seat not in winners and not board.reaction_markers_by_card["retreat"][seat].count
        board.table.move_all(account, board.bank[seat] if loses else board.strength[seat])
        for marks in board.reaction_markers_by_card.values():
            board.table.remove_markers(marks[seat])
    board.return_bets_to_treasuries(seat for seat in fighters if seat not in winners)
    for seat in winners:
        board.table.add_markers(board.battles_won[seat])
        await pay_bet_to_bank(board, seat, battle_name)


def announce_battle_result(board: Board, fighters: Sequence[Seat], winners: Sequence[Seat]) -> None:
    """Announces every bet's value, who wins, and who loses how much."""
    add_note = board.table.add_note
    add_note(describe_bet_values(board, fighters))
    if winners:
        board.table.declare_outcome(say("The battle is won by {seats}.", seats=say_people(winners)), winners)
    else:
        board.table.declare_outcome(say("Nobody made a bet, so everybody loses the battle."))
    for seat in fighters:
        if seat not in winners and board.reaction_markers_by_card["retreat"][seat].count:
            add_note(say("{seat} retreats and loses no strength.", seat=seat))
        elif seat not in winners:
            add_note(say("{seat} loses {count} strength.", seat=seat, count=board.front_line[seat].count))


# Score


def standings(board: Board) -> GameResult:
    """Returns the standings, the last survivor first; seats eliminated together share a rank."""
    last_seats = board.survivors() or last_eliminated_seats(board)
    return rank_seats(
        board.seats,
        lambda seat: board.strength[seat].count,
        lambda seat: score_lines(board, seat),
        rank_by=lambda seat: board.eliminated[seat].count,
        eliminated_seats=[seat for seat in board.seats if seat not in last_seats],
        reason_for_seat=lambda seat: elimination_number_text(board, seat),
    )


def last_eliminated_seats(board: Board) -> list[Seat]:
    """Returns the seats that were eliminated last."""
    number = max(account.count for account in board.eliminated.values())
    return [seat for seat in board.seats if board.eliminated[seat].count == number]


def elimination_number_text(board: Board, seat: Seat) -> Say | None:
    """Returns a text that says in which elimination a seat went out; None if still in."""
    number = board.eliminated[seat].count
    return say("number {number} to go out", number=number) if number else None


def score_lines(board: Board, seat: Seat) -> tuple[ScoreLine, ...]:
    """Returns a seat's score lines: strength, and for information what was won, paid and played."""
    treasury = sum(account.count for account in board.treasury[seat].values())
    return (
        ScoreLine(say("strength"), board.strength[seat].count),
        ScoreLine(say("battles won"), board.battles_won[seat].count, is_part_of_total=False),
        ScoreLine(say("coins paid in bets"), board.coins_paid[seat].count, is_part_of_total=False),
        ScoreLine(say("cards played"), board.cards_played[seat].count, is_part_of_total=False),
        ScoreLine(say("treasury"), treasury, is_part_of_total=False),
    )


# The scene


def build_mammon_scene(setup: SceneSetup) -> Scene:
    """Builds the scene of Mammon.

    Coins, strength and bet are before each seat, and the market is in the middle.
    """
    coins = tuple([make_coin_piece(seat) for seat in setup.seats])

    def visible_bet_value(look: VisibleTable, seat: Seat | None) -> int:
        assert seat is not None
        own_coins = look.visible_count_or_zero(make_coin_piece(seat), BET, seat)
        foreign_coins = sum(look.visible_count_or_zero(coin, BET, seat) for coin in coins) - own_coins
        return bet_value(
            own_coins, foreign_coins, look.visible_count_or_zero(REACTION_MARKER_BY_CARD["spy"], BET, seat)
        )

    strength = CountCell(
        make_coin_piece, STRENGTH_PLACES[0], label=STRENGTH, more_place_names=STRENGTH_PLACES[1:]
    )

    def visible_strength(look: VisibleTable, seat: Seat) -> int:
        coin = make_coin_piece(seat)
        return sum(look.visible_count_or_zero(coin, place, seat) for place in STRENGTH_PLACES)

    mat = SeatMat(
        headline=strength,
        cells=(
            ComputedCell(say("bet"), visible_bet_value),
            *[CountCell(coin, TREASURY) for coin in coins],
            CountCell(make_coin_piece, FRONT_LINE, label=say("front"), is_detail=True),
            CountCell(CARD, HAND),
            CountCell(BATTLE_WON_MARKER, FRONT, label=say("won"), shows_change=True, is_detail=True),
        ),
        badges=(
            SeatBadge(START_PLAYER_MARKER, FRONT, say("starts")),
            SeatBadge(EXTRA_TURN_MARKER, FRONT),
            SeatBadge(CONFUSION_MARKER, FRONT),
            SeatBadge(ELIMINATION_MARKER, FRONT, sits_out=True),
        ),
        rows=(
            PieceRow(BET, (*coins, *REACTION_MARKER_BY_CARD.values()), label=say("staked"), is_detail=True),
        ),
    )
    slots = range(1, sum(design.copies for design in setup.deck("mammon").designs) + 1)
    market = tuple(
        [CardSpread(MARKET, slot, back=CARD, on_top=(PieceRow(MARKET, coins, slot=slot),)) for slot in slots]
    )
    return Scene(
        mat,
        (
            *market,
            PieceRow(TURNED_UP, label=TURNED_UP),
            PieceRow(DISCARD, label=DISCARD),
            PieceRow(BANK, coins, label=BANK),
        ),
        leaders=lambda look: find_leaders(setup.seats, lambda seat: visible_strength(look, seat)),
    )


# Help: the rule behind each question, and what comes next


HELP = {
    "Lay the shuffled cards in a row, face down; everybody takes 20 coins of a colour.": say(
        "Confirm when the row is laid out and everybody has their coins. Then a wager decides who starts."
    ),
    "Start wager {number}: everybody bets in secret": say(
        "Everybody hides coins in one hand; 0 means no bet. The highest bet wins if it isn't tied. The "
        "winner pays it, takes the revealed cards and starts."
    ),
    "{about}: pay which foreign coins?": say(
        "You have coins of several other colours. Choose which coins go to the bank, or pay your most common "
        "colour first."
    ),
    "Survey a first card": say(
        "Look at a face-down card that has none of your coins on it. Lay one of your coins on the card. Then "
        "survey a second card."
    ),
    "Survey a second card": say(
        "Look at another card that has none of your coins on it. Lay one of your coins on the card. Then buy "
        "a card."
    ),
    "Which card do you buy?": say(
        "A card costs one coin for each card in front of it in the row. You also get the coins on the card."
    ),
    "How do you pay for {card}?": say(
        "Your own coins and foreign coins each count as 1. Enter how many of each you pay."
    ),
    "Arming: everybody turns coins into strength in secret": say(
        "Everybody secretly turns coins of their own colour into strength. A player with 0 is out before the "
        "first battle."
    ),
    "Your turn: a battle or a card?": say(
        "Start a battle or play one card. The scale of a battle can't be higher than your strength. A player "
        "with no strength left is out."
    ),
    "Your extra turn: a battle or a card?": say(
        "Your Command card gives you this extra turn. Start a battle or play a card. You "
        "can't skip this turn."
    ),
    "With whom do you exchange a card?": say(
        "You and that player swap one card each, at random and without looking. If you have no card, you "
        "only take a card."
    ),
    "{seat}'s battle: everybody bets in secret": say(
        "Everybody hides coins in one hand. Foreign coins count as 2, your own as 1. The highest bet wins "
        "and goes to the bank. The others lose their front line."
    ),
    "{battle}: a card, or pass?": say(
        "A spy adds 3 to your bet. A retreat saves your strength if you lose. The battle ends when everybody "
        "has passed after the last card."
    ),
}

# The game

GAME = Game(
    "mammon",
    1,
    say("Mammon"),
    (2, 5),
    play_match,
    decks=("mammon",),
    question_kinds=("Choose", "Counts", "Done", "Together"),
    scene=build_mammon_scene,
    help=HELP,
)
