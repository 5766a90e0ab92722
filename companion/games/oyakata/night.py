"""The nights of Oyakata: what the boss and the employees do, and the bonus."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.oyakata.board import ACTIONS, COLOURS, GOLD, Board
from companion.games.oyakata.discontent import draw_chip, return_chips
from companion.games.oyakata.keys import (
    BONUS_AN_EMPLOYEE,
    BONUSES,
    STEPS,
    SURVEY_FEE,
    SURVEYS,
    actions,
    bonus_offers,
    bonuses,
    means,
    needs,
)
from companion.games.oyakata.printed import hire_prices, redundancy, sale, step_price
from companion.rulebook import (
    Account,
    Card,
    Choose,
    CountedItem,
    Counts,
    DetailedOption,
    Read,
    Say,
    Seat,
    say,
    say_n,
)

END = DetailedOption(say("End of the night"), is_way_out=True)
BOSS, EMPLOYEE = say("Night: what does the boss do?"), say("Night: what does an employee do?")
BONUS_ONLY = say("Night: do you pay a bonus or end the night?")
LOGGED = {
    BOSS: say("Night: the boss's action"),
    EMPLOYEE: say("Night: an employee's action"),
    BONUS_ONLY: say("Night: a bonus, or the end"),
}
"""What logs call them."""
BONUS, ACCIDENT = say("bonus"), say("accident")


async def night(board: Board, seat: Seat) -> None:
    """The boss's action, then an employee's after the other, each with its discontent chip."""
    while not board.suffers(seat, "black"):
        board.head(seat)
        menu, back = whose(board, seat), bonuses(board, seat)
        prices, acts = ({}, {}) if menu is BONUS_ONLY else actions(means(board, seat))
        if not prices and not back:
            break
        options, asked = {**acts, **bonus_offers(back), "end": END}, {**prices, **back}
        choice = await Choose(seat, menu, options, needs(board, seat, asked), log_name=LOGGED[menu])
        if choice == "end":
            break
        if choice not in ACTIONS:
            await pay_bonus(board, seat, choice)
            continue
        await act(board, seat, choice)
        board.table.add_markers(board.done[seat][choice])
        if menu is EMPLOYEE:
            await draw_chip(board, seat, ACTIONS[choice])


def whose(board: Board, seat: Seat) -> Say:
    """Whose action it is: the boss's, then an employee's, then nobody's, and only a bonus is left."""
    acted = board.acted(seat)
    if not acted:
        return BOSS
    at_rest = board.holidays[seat].count or board.suffers(seat, "blue") or not board.has_discontent
    return BONUS_ONLY if at_rest or acted > board.employees(seat) else EMPLOYEE


async def act(board: Board, seat: Seat, choice: str) -> None:
    """One action, completely."""
    if choice in SURVEYS:
        await survey(board, seat, SURVEYS[choice])
    elif choice in STEPS:
        price = step_price(board.printed, choice, board.level(seat, choice))
        assert price is not None
        board.pay(seat, price)
        board.table.add_markers(board.tracks[choice][seat])
    else:
        await {"hire": hire, "dismiss": dismiss, "sell": sell}[choice](board, seat)


async def hire(board: Board, seat: Seat) -> None:
    """Any number in one action, each at the price of the place it reaches."""
    each = hire_prices(board.printed, board.workers[seat].count)
    sums = [sum(each[:count]) for count in range(1, len(each) + 1)]
    options = [say("hire {count}", count=count) for count in range(1, len(sums) + 1)]
    count = await describe_tag_count(board, seat, say("How many are hired?"), options, sums)
    board.pay(seat, sums[count - 1])
    board.table.add_markers(board.workers[seat], count)


async def dismiss(board: Board, seat: Seat) -> None:
    """Any number in one action, down to the boss alone."""
    sums = [redundancy(count) for count in range(1, board.employees(seat) + 1)]
    options = [say("dismiss {count}", count=count) for count in range(1, len(sums) + 1)]
    count = await describe_tag_count(board, seat, say("How many are dismissed?"), options, sums)
    board.pay(seat, sums[count - 1])
    board.leave(seat, count)


async def describe_tag_count(
    board: Board, seat: Seat, question: Say, options: Sequence[Say], sums: Sequence[int]
) -> int:
    """One, two or more, as far as the gold goes; nobody is asked where only one is possible."""
    choices = {
        str(count): DetailedOption(option, GOLD, price=gold)
        for count, (option, gold) in enumerate(zip(options, sums, strict=True), 1)
        if gold <= board.gold[seat].count
    }
    return int(await Choose(seat, question, dict(choices))) if len(choices) > 1 else 1


def for_sale(colour: str, stored: Account, price: int) -> CountedItem:
    """The gems of a colour, with what each brings."""
    label = say("{piece} at {price} gold", piece=stored.piece, price=price)
    counted = say_n(
        "{n} {colour} gem at {price} gold",
        "{n} {colour} gems at {price} gold",
        n=2,
        colour=COLOURS[colour],
        price=price,
    )
    return CountedItem(label, stored, counted)


async def sell(board: Board, seat: Seat) -> None:
    """Gems of some colours, any number of each, to the centre."""
    prices, bonus = board.prices(), board.value(seat, "negotiation")
    counted = {
        colour: for_sale(colour, stored, prices[colour] + bonus)
        for colour, stored in board.stored[seat].items()
    }
    sold = await Counts(
        seat,
        say("Which gems will you sell?"),
        counted,
        1,
        None,
        board.value(seat, "kinds"),
        log_name=say("Gems sold"),
    )
    assert sold is not None
    for colour, stored in board.stored[seat].items():
        board.table.move(stored, board.centre[colour], sold[colour])
    gold = sale(sold, board.prices(), board.value(seat, "negotiation"))
    board.table.move(board.bank, board.gold[seat], gold)
    board.table.add_note(say("{seat} gets {gold} gold.", seat=seat, gold=gold))


async def survey(board: Board, seat: Seat, letter: str) -> None:
    """One fee, so many tiles drawn, accidents first; then some are placed and the rest is discarded."""
    board.pay(seat, SURVEY_FEE[letter])
    drawn = board.drawn[letter][seat]
    board.draw_tiles(seat, letter, board.value(seat, "survey"))
    while drawn.count:
        tiles = await tiles_placed(board, seat, letter)
        if tiles is not None:
            board.lay_tiles(seat, letter, tiles)
            return
        await accident(board, seat, letter)
    board.lay_tiles(seat, letter, ())
    board.table.add_note(say("There are no {letter} tiles left to draw.", letter=letter))


async def tiles_placed(board: Board, seat: Seat, letter: str) -> Sequence[Card] | None:
    """Those of the drawn tiles that are placed, none if none fits; None where one shows an accident."""
    may_be = letter == "B" and board.aside[letter].count < board.accidents_in_all
    drawn, placed = board.drawn[letter][seat].count, board.value(seat, "survey", "survey_placed")
    question = say("Draw {drawn} {letter} tiles; you may place up to {placed}",
                   drawn=drawn, letter=letter, placed=min(drawn, placed))  # fmt: skip  # one sentence
    if board.aside[letter].count:
        question = say(
            "Draw again after the accident; you may place up to {placed}", placed=min(drawn, placed)
        )
    return await Read(
        seat,
        question,
        board.faces,
        0,
        min(drawn, placed),
        decline=say("An accident") if may_be else None,
        required_values=tile(letter),
        is_face_up=True,
        log_name=say("Tiles {letter} placed", letter=letter),
    )


async def accident(board: Board, seat: Seat, letter: str) -> None:
    """The tile is put aside; a chip for everybody, the drawer first; another tile is drawn without a fee."""
    board.table.move(board.drawn[letter][seat], board.aside[letter])
    for other in board.seats.starting_with(seat):
        await draw_chip(board, other, ACCIDENT)
    board.draw_tiles(seat, letter, 1)


def tile(letter: str) -> dict[str, int | str]:
    """What a tile that can be placed shows."""
    return {"kind": "tile", "letter": letter, "accident": "no"}


async def pay_bonus(board: Board, seat: Seat, choice: str) -> None:
    """So much for each employee, and one or two chips go back."""
    chips = BONUSES[choice]
    board.pay(seat, BONUS_AN_EMPLOYEE[chips] * board.employees(seat))
    await return_chips(board, seat, chips, BONUS)
