"""Mammon: coins are bids, money and armies; the last country standing wins. 2 to 5 players.

As long as its rulebook, from the start wagers to Armageddon, so longer than 300 lines; the accounts and sums
are in `board.py`.

Rulings where the rulebook is silent:
1. Who ties at the top of a battle wins: all of them pay, and none of them loses strength; the others do.
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
10. Who is eliminated loses the extra turns; confusion then lasts until the turn passes that seat.
11. Those who are eliminated together rank equally; if nobody is left, the last of them share the win.
12. Elimination is tested before every turn too, so that strength that was put right by hand counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.mammon.board import CARD, REACTIONS, Board, by_number, market_card, may_split
from companion.games.mammon.help import HELP
from companion.games.mammon.scene import scene
from companion.rulebook import (
    Amount,
    Choose,
    CountedItem,
    Counts,
    DetailedOption,
    Done,
    Game,
    GameResult,
    OptionRequirement,
    Place,
    Request,
    Say,
    ScoreLine,
    Seat,
    Table,
    Together,
    choose_seat,
    highest_bidders,
    rank_seats,
    say,
    say_list,
)

QUOTA = {2: 6, 3: 5, 4: 4, 5: 3}
SURVEYED = (say("Survey a first card"), say("Survey a second card"))
SCALES = {f"battle_{scale}": scale for scale in (1, 2, 3)}
RESOLVE_SCALE = 5
COMMANDED = 2
BATTLES, HAND = say("a battle"), say("a card")
PLAYS = {
    "mansion": DetailedOption(say("mansion"), gain=say("5 own coins"), group=HAND),
    "ambush": DetailedOption(say("ambush"), gain=say("5 strength"), group=HAND),
    "command": DetailedOption(say("command"), gain=say("2 extra turns"), group=HAND),
    "exchange": DetailedOption(say("exchange"), gain=say("another player's card"), group=HAND),
    "confusion": DetailedOption(
        say("confusion"), gain=say("nobody plays cards until your next turn"), group=HAND
    ),
    "resolve": DetailedOption(say("resolve"), gain=say("a scale-5 battle"), group=HAND),
}
REACTS = {
    "spy": DetailedOption(say("spy"), REACTIONS["spy"], gain=say("your bet counts 3 more")),
    "retreat": DetailedOption(say("retreat"), REACTIONS["retreat"], gain=say("you lose no strength")),
}
PASS = DetailedOption(say("pass"), is_way_out=True)
CONFUSED = say("Nobody can play a card during Confusion.")


async def match(table: Table) -> GameResult:
    """Who starts, the auction, arming, and battles until at most one is left."""
    board = Board(table)
    table.score_so_far = lambda: standings(board)
    row = say("Lay the shuffled cards in a row, face down; everybody takes 20 coins of a colour.")
    await Done(None, row, shuffled_pieces=(CARD,))
    await start_wagers(board)
    table.start_player = table.first_holder(board.starts)
    await auction(board)
    await arming(board)
    await armageddon(board)
    return standings(board)


# Wagers


async def wager(board: Board, question: Say, seats: Sequence[Seat], log_name: Say) -> None:
    """Everybody concerned bets any coins of the treasury at once; then the bets lie open."""
    bets = {seat: bet_of(board, seat) for seat in seats}
    for seat, given in (await Together(question, bets, log_name=log_name)).items():
        counted = given if isinstance(given, dict) else {"own": given, "foreign": 0}
        board.lay_bet(seat, counted["own"], counted["foreign"])


def bet_of(board: Board, seat: Seat) -> Request[Any]:
    """A number of coins; who holds foreign ones counts both."""
    question = say("How many coins do you bet? 0 is no bet.")
    if board.foreign(seat):
        return Counts(seat, question, board.purse(seat))
    return Amount(seat, question, 0, board.own(seat))


async def pay_bet(board: Board, seat: Seat, about: Say) -> None:
    """The bet goes to the bank; other foreign coins than those that lie open may be paid in their stead."""
    own, foreign = board.bet(seat)
    board.take_back([seat])
    await pay(board, seat, own, foreign, about)
    board.table.add_markers(board.paid[seat], own + foreign)


async def pay(
    board: Board, seat: Seat, own: int, foreign: int, about: Say, card: Place | None = None
) -> None:
    """Coins from the treasury to the bank, for a `card` of the market where they are.

    Where there is a choice the payer may say which foreign ones.
    """
    held = board.foreign(seat)
    paid = by_number(held, foreign)
    if may_split(held, foreign):
        counted = {
            owner.colour: CountedItem(board.coins[owner], board.treasury[seat][owner]) for owner in held
        }
        by_itself = say("most common colour first")
        question = say("{about}: which foreign coins?", about=about)
        chosen = await Counts(seat, question, counted, foreign, foreign, decline=by_itself, about=card)
        paid = paid if chosen is None else {owner: chosen[owner.colour] for owner in held}
    board.hand_over(board.treasury[seat], board.bank, paid | {seat: own})


# Start player


async def start_wagers(board: Board) -> None:
    """Wagers, each for one more card, until one alone wins: the start player, who takes all those cards."""
    board.table.heading = say("Start player")
    asked, number = list(board.seats), 1
    while len(ahead := await start_wager(board, asked, number)) != 1:
        board.take_back(asked)
        asked, number = ahead or asked, number + 1
    winner = ahead[0]
    board.table.declare_winners(ahead)
    board.take_back(seat for seat in asked if seat != winner)
    await pay_bet(board, winner, say("Start wager"))
    board.table.move_all(board.turned_up, board.hands[winner])
    board.appoint(winner)
    board.table.add_note(say("{seat} is the start player.", seat=winner))


async def start_wager(board: Board, asked: Sequence[Seat], number: int) -> list[Seat]:
    """The head of the market is turned up, if there is one; gives who bet most of those asked."""
    for slot in board.row[:1]:
        board.table.add_note(say("Turn over {card}.", card=board.called(slot)))
        board.table.move(board.market[slot], board.turned_up)
    question = say("Start wager {number}: everybody bets in secret", number=number)
    await wager(board, question, asked, say("Start wager {number}", number=number))
    ahead = highest_bidders({seat: board.value(seat) for seat in asked})
    if not ahead:
        board.table.add_note(say("Nobody made a bet, so everybody bets again."))
    elif len(ahead) > 1:
        board.table.add_note(say("{seats} tie and bet again.", seats=say_list(ahead)))
    return ahead


# Phase 1


async def auction(board: Board) -> None:
    """From the left of the start player, until all have their quota or the market is empty."""
    table, quota = board.table, QUOTA[len(board.seats)]
    table.heading = say("Auction")
    turn = deque(board.seats.starting_after(board.start))
    while board.row and any(hand.count < quota for hand in board.hands.values()):
        seat = turn[0]
        turn.rotate(-1)
        if board.hands[seat].count < quota:
            await survey(board, seat)
            await purchase(board, seat)
    for slot in board.market:
        table.move_all(board.market[slot], board.box)
        board.clear(board.on_card[slot], board.bank)


async def survey(board: Board, seat: Seat) -> None:
    """Looks at two cards without an own coin, fewer if there are no more, and lays an own coin on each."""
    for question in SURVEYED:
        options = priced(board.row)
        new = {str(slot): new_to(board, seat, slot, before) for before, slot in enumerate(board.row)}
        if any(need.is_met for need in new.values()) and board.own(seat).count:
            slot = int(await Choose(seat, question, dict(options), new, about=market(board)))
            board.table.move(board.own(seat), board.on_card[slot][seat])
            board.table.add_note(say("{seat} surveys {card}.", seat=seat, card=board.called(slot)))


def new_to(board: Board, seat: Seat, slot: int, before: int) -> OptionRequirement:
    """A card on which no own coin lies; all are listed, so that the third choice is the third card."""
    why = say("{seat} has already surveyed {card}.", seat=seat, card=market_card(slot, before))
    return OptionRequirement(board.on_card[slot][seat], 0, why, most=0)


def priced(row: Sequence[int]) -> dict[str, DetailedOption]:
    """The cards of the market by their position now, and how many cards are before each."""
    return {
        str(slot): DetailedOption(say("{card}", card=market_card(slot, before)), price=before)
        for before, slot in enumerate(row)
    }


def market(board: Board) -> tuple[Place, ...]:
    """Where the cards of the market lie."""
    return tuple([board.market[slot].place for slot in board.row])


async def purchase(board: Board, seat: Seat) -> None:
    """One card for a coin per card before it, and with it the coins that lie on it.

    There is none only where people took the last one away by hand.
    """
    held = sum(account.count for account in board.treasury[seat].values())
    options = priced(board.row[: held + 1])
    if not options:
        return
    question, known = say("Which card do you buy?"), say("Buy a card")
    slot = int(await Choose(seat, question, dict(options), about=market(board), log_name=known))
    await pay_price(board, seat, slot)
    board.table.move(board.market[slot], board.hands[seat])
    board.clear(board.on_card[slot], board.treasury[seat])


async def pay_price(board: Board, seat: Seat, slot: int) -> None:
    """The price in own and foreign coins, each worth 1, as the buyer likes where both would do."""
    price, card, place = board.before(slot), board.called(slot), board.market[slot].place
    about = say("Payment for {card}", card=card)
    own = max(0, price - sum(board.foreign(seat).values()))
    if own < min(price, board.own(seat).count):
        question = say("How do you pay for {card}?", card=card)
        counted = await Counts(seat, question, board.purse(seat), price, price, about=place, log_name=about)
        assert counted is not None, "there is no way to decline"
        own = counted["own"]
    await pay(board, seat, own, price - own, about, place)
    board.table.add_note(say("{seat} buys {card} for {price}.", seat=seat, card=card, price=price))


# Phase 2


async def arming(board: Board) -> None:
    """Everybody turns own coins into strength at once."""
    board.table.heading = say("Arming")
    question = say("How many coins of your colour become strength? With 0 you are out.")
    sure = say("With 0 strength you are out before the first battle. Do you really want 0?")
    parts = {seat: Amount(seat, question, 0, board.own(seat), zero_confirmation=sure) for seat in board.seats}
    armed = Together(
        say("Arming: everybody turns coins into strength in secret"), dict(parts), log_name=say("Arming")
    )
    for seat, coins in (await armed).items():
        board.table.move(board.own(seat), board.strength[seat], coins)


# Phase 3


async def armageddon(board: Board) -> None:
    """Turn after turn from the start player, until at most one is left; who is out is passed over."""
    turn = deque(board.seats.starting_with(board.start))
    while len(eliminate(board)) > 1:
        seat = turn[0]
        turn.rotate(-1)
        board.table.remove_markers(board.confusion[seat])
        if not board.out[seat].count:
            await take_turns(board, seat)


async def take_turns(board: Board, seat: Seat) -> None:
    """A turn, and then the extra ones that are left."""
    await take_turn(board, seat, say("Your turn: a battle or a card?"))
    while len(eliminate(board)) > 1 and board.extra[seat].count:
        board.table.remove_markers(board.extra[seat], 1)
        await take_turn(board, seat, say("Your extra turn: a battle or a card?"))


def eliminate(board: Board) -> list[Seat]:
    """Who has no strength is out, all at once: cards out of the game, coins to the bank. Gives the rest."""
    fallen = [seat for seat in board.survivors() if not board.strength[seat].count]
    number = 1 + max(account.count for account in board.out.values())
    for seat in fallen:
        board.table.add_markers(board.out[seat], number)
        board.table.move_all(board.hands[seat], board.box)
        board.clear(board.treasury[seat], board.bank)
        board.table.remove_markers(board.extra[seat])
        board.table.add_note(say("{seat} has no strength left and is eliminated.", seat=seat))
    return board.survivors()


async def take_turn(board: Board, seat: Seat, question: Say) -> None:
    """A battle of a scale up to the own strength, or one card."""
    board.table.heading = say("Armageddon")
    weak, strength = say("{seat} doesn't have enough strength for that.", seat=seat), board.strength[seat]
    battles = {
        key: DetailedOption(say("battle, scale {scale}", scale=scale), group=BATTLES,
                   barred_reason=weak if strength.count < scale else None)
        for key, scale in SCALES.items()
    }  # fmt: skip  # one key
    needs = {key: OptionRequirement(strength, scale, weak) for key, scale in SCALES.items()}
    chosen = await Choose(seat, question, {**battles, **playable(board, seat)}, needs, board.deck)
    if chosen in SCALES:
        await battle(board, seat, SCALES[chosen])
    else:
        board.play(seat, chosen)
        await use(board, seat, chosen)


def playable(board: Board, seat: Seat) -> dict[str, DetailedOption]:
    """The cards that may be played as a turn, whatever the hand holds."""
    if not board.hands[seat].count:
        return {}
    possible = {kind: offer for kind, offer in PLAYS.items() if board.left(kind)}
    if board.confused:
        return {kind: replace(offer, barred_reason=CONFUSED) for kind, offer in possible.items()}
    if not partners(board, seat):
        possible.pop("exchange", None)
    return possible


async def use(board: Board, seat: Seat, kind: str) -> None:
    """What a card does that was played as a turn."""
    match kind:
        case "mansion":
            board.recruit(board.own(seat))
        case "ambush":
            board.recruit(board.strength[seat])
        case "command":
            board.table.add_markers(board.extra[seat], COMMANDED)
        case "confusion":
            board.table.add_markers(board.confusion[seat])
        case "exchange":
            await exchange(board, seat)
        case _:
            await battle(board, seat, RESOLVE_SCALE)


def partners(board: Board, seat: Seat) -> list[Seat]:
    """With whom a card can be exchanged: every other survivor who holds one."""
    return [other for other in holding(board, board.survivors(seat)) if other != seat]


async def exchange(board: Board, seat: Seat) -> None:
    """An own card for one of another survivor's by chance; without an own card one is just taken."""
    others = partners(board, seat)
    other = others[0]
    if len(others) > 1:
        other = await choose_seat(say("With whom do you exchange a card?"), others, seat)
    mine, theirs = board.hands[seat], board.hands[other]
    gives = bool(mine.count)
    board.table.move(theirs, mine)
    if gives:
        board.table.move(mine, theirs)
        board.table.add_note(
            say("{seat} and {other} exchange a card without showing it.", seat=seat, other=other)
        )
    else:
        board.table.add_note(
            say("{seat} takes a card from {other} without showing it.", seat=seat, other=other)
        )


# Battles


async def battle(board: Board, caller: Seat, scale: int) -> None:
    """Strength is put forward, all wager, reactions follow, then the losers lose and the winners pay."""
    fighters, name = board.survivors(caller), say("{seat}'s battle", seat=caller)
    for seat in fighters:
        board.table.move_up_to(board.strength[seat], board.front_line[seat], scale)
    board.table.heading = say("Battle, scale {scale}", scale=scale)
    await wager(board, say("{seat}'s battle: everybody bets in secret", seat=caller), fighters, name)
    if not board.confused:
        await reactions(board, fighters, name)
    await settle(board, fighters, name)


async def reactions(board: Board, fighters: Sequence[Seat], name: Say) -> None:
    """Clockwise from the caller: a spy, a retreat or a pass, until all have passed since the last card."""
    turn, passed = deque(fighters), set[Seat]()
    question = say("{battle}: a card, or pass?", battle=name)
    while any(map(board.left, REACTIONS)) and not passed.issuperset(holding(board, fighters)):
        seat = turn[0]
        turn.rotate(-1)
        if board.hands[seat].count:
            board.table.heading = counted_bets(board, fighters)
            kinds = {kind: card for kind, card in REACTS.items() if board.left(kind)}
            chosen = await Choose(seat, question, {**kinds, "pass": PASS}, deck=board.deck)
            if chosen == "pass":
                passed.add(seat)
            else:
                board.play(seat, chosen)
                board.table.add_markers(board.reacted[chosen][seat])
                passed.clear()


def holding(board: Board, seats: Sequence[Seat]) -> list[Seat]:
    """Those who hold at least one card."""
    return [seat for seat in seats if board.hands[seat].count]


def counted_bets(board: Board, fighters: Sequence[Seat]) -> Say:
    """What each bet counts now."""
    values = [say("{amount} by {seat}", seat=seat, amount=board.value(seat)) for seat in fighters]
    return say("Bets: {values}", values=say_list(values))


async def settle(board: Board, fighters: Sequence[Seat], name: Say) -> None:
    """Winners pay; losers take their bets back and lose the strength put forward, unless they retreat."""
    winners = highest_bidders({seat: board.value(seat) for seat in fighters})
    tell_battle(board, fighters, winners)
    for seat in fighters:
        account = board.front_line[seat]
        loses = seat not in winners and not board.reacted["retreat"][seat].count
        board.table.move_all(account, board.bank[seat] if loses else board.strength[seat])
        for marks in board.reacted.values():
            board.table.remove_markers(marks[seat])
    board.take_back(seat for seat in fighters if seat not in winners)
    for seat in winners:
        board.table.add_markers(board.won[seat])
        await pay_bet(board, seat, name)


def tell_battle(board: Board, fighters: Sequence[Seat], winners: Sequence[Seat]) -> None:
    """How a battle ends: every value, who wins, and who loses how much."""
    tell = board.table.add_note
    tell(counted_bets(board, fighters))
    if winners:
        tell(say("The battle is won by {seats}.", seats=say_list(winners)))
        board.table.declare_winners(winners)
    else:
        tell(say("Nobody made a bet, so everybody loses the battle."))
    for seat in fighters:
        if seat not in winners and board.reacted["retreat"][seat].count:
            tell(say("{seat} retreats and loses no strength.", seat=seat))
        elif seat not in winners:
            tell(say("{seat} loses {count} strength.", seat=seat, count=board.front_line[seat].count))


# Score


def standings(board: Board) -> GameResult:
    """The last to stand first; those who were eliminated together share a rank."""
    last = board.survivors() or latest(board)
    return rank_seats(
        board.seats,
        lambda seat: board.strength[seat].count,
        lambda seat: score_sheet(board, seat),
        rank_by=lambda seat: board.out[seat].count,
        out=[seat for seat in board.seats if seat not in last],
        why=lambda seat: fallen(board, seat),
    )


def latest(board: Board) -> list[Seat]:
    """Those who were eliminated last."""
    number = max(account.count for account in board.out.values())
    return [seat for seat in board.seats if board.out[seat].count == number]


def fallen(board: Board, seat: Seat) -> Say | None:
    """Which elimination it was; later is better."""
    number = board.out[seat].count
    return say("fell in elimination {number}", number=number) if number else None


def score_sheet(board: Board, seat: Seat) -> tuple[ScoreLine, ...]:
    """Strength; for information what was won, paid and played, and the treasury, which falls with a seat."""
    treasury = sum(account.count for account in board.treasury[seat].values())
    return (
        ScoreLine(say("strength"), board.strength[seat].count),
        ScoreLine(say("battles won"), board.won[seat].count, is_part_of_total=False),
        ScoreLine(say("coins paid in bets"), board.paid[seat].count, is_part_of_total=False),
        ScoreLine(say("cards played"), board.played[seat].count, is_part_of_total=False),
        ScoreLine(say("treasury"), treasury, is_part_of_total=False),
    )


GAME = Game(
    "mammon",
    1,
    say("Mammon"),
    (2, 5),
    match,
    decks=("mammon",),
    question_kinds=("Choose", "Counts", "Done", "Together"),
    scene=scene,
    help=HELP,
)
