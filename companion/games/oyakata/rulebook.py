"""Oyakata: a mine, a bag, and people who get discontented. Two rounds of 20 market cards. 2 to 4 players.

This file holds the market, the days, payday and the score. What is printed is in printed.py,
what lies where in board.py, the nights in night.py, discontent in discontent.py.

Rulings where the rulebook is silent or unclear:
1. The worker track counts the boss, or with `boss_on_track = false` only employees.
2. A market card is turned up each turn, passed turns too, or with `market_per = round` each time round.
3. The turn order goes on from round to round without a break.
4. Mud counts as drawn and goes back once the whole draw is done.
5. The owner picks which chips a bonus or a holiday returns; of a colour the topmost goes.
6. What is in a bag is known, as all that went in and out was seen, but hidden unless `bag_odds` is on.
7. An effect lasts while chips of its colour lie there, whenever they came; another explosion replaces it.
8. In the turn in which it begins, the running action is finished, an employee's chip for it drawn too;
   then a strike ends the turn and illness stops further employee actions.
9. All accidents of a survey come before any tile is placed; an accident tile isn't shuffled in again before
   its survey is over. A survey is refused only when all tiles of the letter are laid.
10. Payday is clockwise from the start player, one player completely: how many are unpaid is fixed first.
11. `rounds = 1`: no payday, and the last card isn't open before its turn.
12. `discontent = false`: no chips, one night action, the boss's; unpaid wages and accidents have no effect.
13. A tie for any place goes to the fewer chips in the bag, then it is shared.
"""

from __future__ import annotations

from functools import lru_cache

from companion.games.oyakata.board import COLOURS, HOLIDAY, Board
from companion.games.oyakata.discontent import draw_chip, recover, return_chips
from companion.games.oyakata.help import HELP
from companion.games.oyakata.keys import bonus_offers, bonuses, needs
from companion.games.oyakata.night import night, pay_bonus, tile
from companion.games.oyakata.printed import check_deck, wages
from companion.games.oyakata.scene import scene
from companion.rulebook import (
    Card,
    ChoiceOption,
    Choose,
    Counts,
    DetailedOption,
    Game,
    GameResult,
    NumberOption,
    Read,
    Say,
    ScoreLine,
    Seat,
    Table,
    choose_seat,
    rank_seats,
    say,
)

FIRST_DRAWN, FIRST_PLACED = 2, 1
HOLIDAY_DIG = 1

DIG, DAY = say("dig"), say("Day: do you dig or take a holiday?")
DAY_LOGGED, START_LOGGED = say("Day"), say("Start tile")
DUG, DUG_BY_BOSS = say("Chips dug"), say("Chips dug on the holiday")
"""What logs call questions that were once worded in another way."""
WAGES = say("wages")


async def match(table: Table) -> GameResult:
    """All rounds, each with its payday; then the richest boss wins."""
    board = Board(table)
    table.score_so_far = lambda: standings(board, bags=table.options["bag_odds"] == "true")
    table.start_player = first = await choose_seat(say("Who is the start player?"), table.seats)
    for marks in (board.starts, board.turns):
        table.add_markers(marks[first])
    for seat in table.seats.starting_with(first):
        await start_tile(board, seat)
    while board.round.count < board.rounds:
        await play_round(board)
        if board.wage:
            await payday(board, board.wage)
    return standings(board, bags=True)


async def start_tile(board: Board, seat: Seat) -> None:
    """Two tiles A are drawn and one is placed, without a fee."""
    board.draw_tiles(seat, "A", FIRST_DRAWN)
    tiles = await Read(
        seat,
        say("Draw {drawn} A tiles; place one", drawn=FIRST_DRAWN),
        board.faces,
        FIRST_PLACED,
        FIRST_PLACED,
        required_values=tile("A"),
        is_face_up=True,
        log_name=START_LOGGED,
    )
    board.lay_tiles(seat, "A", tiles or ())


# The market


async def play_round(board: Board) -> None:
    """Twenty market cards, each for one turn or for a turn of everybody."""
    options = board.table.options
    board.table.add_markers(board.round)
    number = board.round.count
    board.table.heading = say("Round {round}", round=number)
    if not board.stack.count:
        board.shuffle_market()
        board.table.add_note(say("Shuffle the market cards: round {round} begins.", round=number))
        if options["final_price"] == "open":
            await open_last(board, number)
    turns = len(board.seats) if options["market_per"] == "round" else 1
    while board.stack.count or board.last.count:
        await turn_up(board)
        for _ in range(turns):
            await take_turn(board)


async def open_last(board: Board, number: int) -> None:
    """The bottom card lies open from the start: everybody knows the final price."""
    question = say("Round {round}: turn over the bottom market card", round=number)
    card = await market_card(board, question, say("Round {round}: the bottom market card", round=number))
    board.table.move(board.stack, board.last)
    board.open_card(card, board.final)


async def turn_up(board: Board) -> None:
    """The next market card; the last one where it lies open already."""
    number, ordinal = board.round.count, board.turned.count + 1
    if not board.stack.count:
        board.turn_last()
        board.table.add_note(say("The bottom market card shows today's prices."))
        return
    question = say("Round {round}: turn over market card {n}", round=number, n=ordinal)
    logged = say("Round {round}: market card {n}", round=number, n=ordinal)
    card = await market_card(board, question, logged)
    board.table.move(board.stack, board.turned)
    board.open_card(card, board.today)


async def market_card(board: Board, question: Say, logged: Say) -> Card:
    """A market card that hasn't been turned up in this round."""
    shown = {"kind": "market"}
    cards = await Read(
        None, question, board.faces, 1, 1, required_values=shown, is_face_up=True, log_name=logged
    )
    assert cards is not None
    return cards[0]


# A turn


async def take_turn(board: Board) -> None:
    """Day and night of whoever has the turn; in a strike nothing."""
    seat = board.holder(board.turns)
    board.head(seat)
    recover(board, seat)
    if board.suffers(seat, "black"):
        board.table.add_note(say("Strike: no employee works, so {seat} misses this turn.", seat=seat))
    else:
        await day(board, seat)
        await night(board, seat)
        if not board.suffers(seat, "black"):
            board.table.add_note(say("{seat}'s night is over.", seat=seat))
    board.end_turn(seat)


async def day(board: Board, seat: Seat) -> None:
    """Dig or holiday, after as many bonuses as the boss likes."""
    while True:
        prices, most = bonuses(board, seat), min(strength(board, seat), board.free(seat))
        options = {**dig_or_rest(most), **bonus_offers(prices)}
        choice = await Choose(seat, DAY, options, needs(board, seat, prices), log_name=DAY_LOGGED)
        if choice not in prices:
            break
        await pay_bonus(board, seat, choice)
    if choice == "holiday":
        board.table.add_markers(board.holidays[seat])
        await dig(
            board, seat, HOLIDAY_DIG, say("Holiday: you may draw one chip. What did you draw?"), DUG_BY_BOSS
        )
        await return_chips(board, seat, board.value(seat, "dormitory"), HOLIDAY.label)
        return
    await dig(board, seat, strength(board, seat), say("Draw chips from your bag. What did you draw?"), DUG)
    if not board.suffers(seat, "blue"):
        await draw_chip(board, seat, DIG)


@lru_cache
def dig_or_rest(most: int) -> dict[str, DetailedOption]:
    """The keys of a day, bonuses aside."""
    dig = DetailedOption(say("Dig"), gain=say("up to {count}", count=most))
    return {"dig": dig, "holiday": DetailedOption(say("Holiday"))}


def strength(board: Board, seat: Seat) -> int:
    """How many chips can be dug: one for the boss, each employee who may work, each step of skill."""
    workers = 0 if board.suffers(seat, "blue") else board.employees(seat)
    return 1 + workers + board.level(seat, "digging")


async def dig(board: Board, seat: Seat, most: int, question: Say, logged: Say) -> None:
    """Soil to the centre, gems to the storage; mud goes back. No more chips than fit into the storage."""
    most = min(most, board.free(seat))
    if not most:
        board.table.add_note(say("{seat}'s storage is full, so {seat} can't dig.", seat=seat))
        return
    bag = board.bags[seat]
    dug = await Counts(seat, question, board.diggable[seat], 0, most, log_name=logged)
    assert dug is not None
    board.table.move(bag["soil"], board.centre["soil"], dug["soil"])
    for colour, stored in board.stored[seat].items():
        board.table.move(bag[colour], stored, dug[colour])


# Payday and the end


async def payday(board: Board, wage: int) -> None:
    """Clockwise from the start player each pays as many as possible; the others cause discontent."""
    for seat in board.seats.starting_with(board.holder(board.starts)):
        paid, unpaid = wages(board.employees(seat), board.gold[seat].count, wage)
        board.pay(seat, paid * wage)
        board.table.add_note(say("Payday: {seat} pays {gold} gold; unpaid employees: {unpaid}.",
                             seat=seat, gold=paid * wage, unpaid=unpaid))  # fmt: skip  # one sentence
        for _ in range(unpaid):
            await draw_chip(board, seat, WAGES)


def standings(board: Board, *, bags: bool) -> GameResult:
    """Gold, gems at the final price, less a gold for each discontent chip; a tie goes to the emptier bag.

    Before the end `bags` stay closed: they neither rank nor show.
    """
    return rank_seats(
        board.seats,
        lambda seat: total(board, seat),
        lambda seat: score_sheet(board, seat, bags=bags),
        rank_by=lambda seat: (total(board, seat), -board.in_bag(seat) if bags else 0),
        tie=say("fewer chips in the bag"),
    )


def total(board: Board, seat: Seat) -> int:
    """What a player has in the end; it may be less than nothing."""
    return board.gold[seat].count + sum(gem_money(board, seat).values()) - board.chip_count(seat)


def gem_money(board: Board, seat: Seat) -> dict[str, int]:
    """What the gems in a storage are worth, by colour, without any bonus."""
    today = board.prices()
    return {colour: stored.count * today[colour] for colour, stored in board.stored[seat].items()}


def score_sheet(board: Board, seat: Seat, *, bags: bool) -> tuple[ScoreLine, ...]:
    """What the total is made of, and what decides a tie."""
    gems = gem_money(board, seat).items()
    left = (ScoreLine(say("chips in the bag"), board.in_bag(seat), is_part_of_total=False),) if bags else ()
    return (
        ScoreLine(say("gold"), board.gold[seat].count),
        *(ScoreLine(say("{colour} gems", colour=COLOURS[colour]), money) for colour, money in gems),
        ScoreLine(say("discontent"), -board.chip_count(seat)),
        *left,
    )


YES_OR_NO = {"true": say("yes"), "false": say("no")}
OPTIONS = (
    ChoiceOption("boss_on_track", say("Boss on the track"),
         say("Choose whether the worker track counts the boss."),
         "true", choices=YES_OR_NO),
    ChoiceOption("market_per", say("Market card"),
         say("Choose how long a market card's prices are valid."), "turn",
         choices={"turn": say("one turn"), "round": say("one turn of each player")}),
    ChoiceOption("final_price", say("Final price"),
         say("Choose whether the last market card is face up."), "open",
         choices={"open": say("lies open"), "hidden": say("stays hidden")}),
    NumberOption("rounds", say("Rounds"),
         say("Choose the number of rounds. A beginners' game of one round has no "
"payday."), 2, least=1, most=2),
    ChoiceOption("discontent", say("Discontent"),
         say("Choose whether to use discontent chips. Beginners may leave "
"these chips out."), "true",
         choices=YES_OR_NO),
    ChoiceOption("bag_odds", say("Bags shown"),
         say("Choose whether everybody can see the chips left in each bag."),
         "false", choices=YES_OR_NO),
)  # fmt: skip  # a lid

GAME = Game(
    "oyakata",
    1,
    say("Oyakata"),
    (2, 4),
    match,
    OPTIONS,
    ("oyakata",),
    check_deck,
    question_kinds=("Choose", "Counts", "Read"),
    scene=scene,
    help=HELP,
)
