"""What can be done in Oyakata and what it costs, and the keys of a day and a night.

Which of it is done is asked and played in night.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from companion.games.oyakata.board import (
    ACTIONS,
    COLOURS,
    GOLD,
    LETTERS,
    TRACK_VALUE_ROWS,
    Board,
    hire_prices,
    redundancy_pay,
    sale_proceeds,
    step_price,
    value_at_level,
)
from companion.games.oyakata.discontent import draw_chip, return_chips
from companion.rulebook import (
    Account,
    Card,
    Choose,
    CountedItem,
    Counts,
    Deck,
    DetailedOption,
    OptionRequirement,
    Read,
    Say,
    Seat,
    say,
    say_n,
)

SURVEY_FEE = {"A": 1, "B": 2}
BONUS_PER_EMPLOYEE = {1: 2, 2: 4}
CHIPS_BY_BONUS = {"bonus_1": 1, "bonus_2": 2}
"""Number of chips that each bonus returns."""
SURVEY_LETTERS = {f"survey_{letter}": letter for letter in LETTERS}
TRACK_ACTIONS = ("digging", "survey", "dormitory", "storage", "negotiation", "kinds")
ACTION_KEYS, BONUS_KEYS = say("Actions"), say("Bonuses")
DONE_TONIGHT = say("You have already taken this action tonight.")
WHY_IMPOSSIBLE = {
    "survey_A": say("All A tiles have been placed."),
    "survey_B": say("All B tiles have been placed."),
    "hire": say("The marker is already on the last space."),
    "dismiss": say("There is no employee to dismiss."),
    "sell": say("There is no gem to sell."),
} | dict.fromkeys(TRACK_ACTIONS, say("The marker is already on the last space."))
"""Reasons why an action without a cost can't be taken."""


class Means(msgspec.Struct, frozen=True):
    """Everything that the options of actions depend on when they are shown to `seat`.

    `tiles`: whether any are left, by letter. `gems`: whether any are stored. `levels` goes by
    `TRACK_ACTIONS`, and `done` (already tonight) by `ACTIONS`.
    """

    deck: Deck
    seat: Seat
    gold: int
    workers: int
    employees: int
    gems: bool
    tiles: tuple[bool, ...]
    levels: tuple[int, ...]
    done: tuple[bool, ...]


def means_of(board: Board, seat: Seat) -> Means:
    """Returns what a seat has for its actions now."""
    return Means(
        board.deck,
        seat,
        board.gold[seat].count,
        board.workers[seat].count,
        board.employees(seat),
        board.has_gems(seat),
        tuple([board.tiles_left(letter) > 0 for letter in LETTERS]),
        tuple([board.tracks[track][seat].count for track in TRACK_ACTIONS]),
        tuple([account.count > 0 for account in board.done[seat].values()]),
    )


# A replay makes the keys of every night, though nobody looks at them: the same are made once.
@lru_cache(maxsize=1024)
def action_offers(has: Means) -> tuple[Mapping[str, int], Mapping[str, DetailedOption]]:
    """Returns the lowest costs of possible actions, and all actions as options, some barred with a reason."""
    possible, done = least_costs(has), dict(zip(ACTIONS, has.done, strict=True))
    prices = {key: price for key, price in possible.items() if price <= has.gold and not done[key]}
    offers = {}
    for key in ACTIONS:
        price = prices.get(key)
        cant = None if key in prices else why_not(key, has.seat, done=done[key], possible=key in possible)
        piece, given = GOLD if price else None, describe_gain(has, key, possible)
        offers[key] = DetailedOption(
            ACTIONS[key], piece, price=price or None, gain=given, group=ACTION_KEYS, barred_reason=cant
        )
    return prices, offers


def bonus_offers(prices: Mapping[str, int]) -> dict[str, DetailedOption]:
    """Returns the bonuses that can be paid, as options."""
    return {key: bonus_offer(key, price) for key, price in prices.items()}


@lru_cache
def bonus_offer(key: str, price: int) -> DetailedOption:
    """Returns a bonus as an option: its cost, and how many chips go back."""
    label = say_n("Bonus: {n} chip goes back", "Bonus: {n} chips go back", CHIPS_BY_BONUS[key])
    return DetailedOption(label, GOLD, price=price, group=BONUS_KEYS)


def describe_gain(has: Means, key: str, possible: Mapping[str, int]) -> Say | None:
    """Returns a text about what a survey draws and places, or a track's value now and after the step."""
    printed, levels = has.deck.board, dict(zip(TRACK_ACTIONS, has.levels, strict=True))
    if key in SURVEY_LETTERS:
        drawn, placed = (
            value_at_level(printed[name], levels["survey"])
            for name in (TRACK_VALUE_ROWS["survey"], "survey_placed")
        )
        return say("draw {drawn}, place {placed}", drawn=drawn, placed=placed)
    if key not in TRACK_ACTIONS or key not in possible:
        return None
    level = levels[key]
    places = printed[TRACK_VALUE_ROWS[key]] if key in TRACK_VALUE_ROWS else range(level + 2)
    return say("{now} → {then}", now=places[level], then=places[level + 1])


def why_not(key: str, seat: Seat, *, done: bool, possible: bool) -> Say:
    """Returns why an action can't be taken now. `possible`: it can be taken with enough gold."""
    if done:
        return DONE_TONIGHT
    return describe_lack_of_gold(key, seat) if possible else WHY_IMPOSSIBLE[key]


def gold_needs(board: Board, seat: Seat, prices: Mapping[str, int]) -> dict[str, OptionRequirement]:
    """Returns the gold that each option needs, checked when it is chosen: a correction may come between."""
    gold = board.gold[seat]
    return {
        key: OptionRequirement(gold, price, describe_lack_of_gold(key, seat))
        for key, price in prices.items()
        if price
    }


@lru_cache
def describe_lack_of_gold(key: str, seat: Seat) -> Say:
    """Returns a text about why an action or a bonus can't be paid."""
    return say("{what}: {seat} doesn't have enough gold.", what=ACTIONS.get(key, say("Bonus")), seat=seat)


def least_costs(has: Means) -> dict[str, int]:
    """Returns the lowest cost of each action; actions that can't be taken are left out."""
    printed = has.deck.board
    found = {
        f"survey_{letter}": SURVEY_FEE[letter]
        for letter, are_left in zip(LETTERS, has.tiles, strict=True)
        if are_left
    }
    if hiring := hire_prices(printed, has.workers):
        found["hire"] = hiring[0]
    if has.employees:
        found["dismiss"] = redundancy_pay(1)
    if has.gems:
        found["sell"] = 0
    for track, level in zip(TRACK_ACTIONS, has.levels, strict=True):
        price = step_price(printed, track, level)
        if price is not None:
            found[track] = price
    return found


def payable_bonuses(board: Board, seat: Seat) -> dict[str, int]:
    """Returns the bonuses that can be paid now, with their costs."""
    chips, employees, gold = board.chip_count(seat), board.employees(seat), board.gold[seat].count
    if not chips or not employees:
        return {}
    return {
        key: BONUS_PER_EMPLOYEE[back] * employees
        for key, back in CHIPS_BY_BONUS.items()
        if back <= chips and BONUS_PER_EMPLOYEE[back] * employees <= gold
    }


# The nights of Oyakata: what the boss and the employees do, and the bonus.


END_OF_NIGHT = DetailedOption(say("End of the night"), is_way_out=True)
BOSS_QUESTION, EMPLOYEE_QUESTION = (
    say("Night: what does the boss do?"),
    say("Night: what does an employee do?"),
)
BONUS_QUESTION = say("Night: do you pay a bonus or end the night?")
LOG_NAMES = {
    BOSS_QUESTION: say("Night: the boss's action"),
    EMPLOYEE_QUESTION: say("Night: an employee's action"),
    BONUS_QUESTION: say("Night: a bonus, or the end"),
}
"""Names of these questions in logs."""
BONUS, ACCIDENT = say("bonus"), say("accident")


async def play_night(board: Board, seat: Seat) -> None:
    """Plays the boss's action, then one action of each employee with its discontent chip."""
    while not board.suffers(seat, "black"):
        board.show_heading(seat)
        menu, back = question_of_next_action(board, seat), payable_bonuses(board, seat)
        prices, acts = ({}, {}) if menu is BONUS_QUESTION else action_offers(means_of(board, seat))
        if not prices and not back:
            break
        options, asked = {**acts, **bonus_offers(back), "end": END_OF_NIGHT}, {**prices, **back}
        choice = await Choose(seat, menu, options, gold_needs(board, seat, asked), log_name=LOG_NAMES[menu])
        if choice == "end":
            break
        if choice not in ACTIONS:
            await pay_bonus(board, seat, choice)
            continue
        await take_action(board, seat, choice)
        board.table.add_markers(board.done[seat][choice])
        if menu is EMPLOYEE_QUESTION:
            await draw_chip(board, seat, ACTIONS[choice])


def question_of_next_action(board: Board, seat: Seat) -> Say:
    """Returns the question for the next action: of the boss, of an employee, or only for a bonus."""
    acted = board.actions_tonight(seat)
    if not acted:
        return BOSS_QUESTION
    at_rest = board.holidays[seat].count or board.suffers(seat, "blue") or not board.has_discontent
    return BONUS_QUESTION if at_rest or acted > board.employees(seat) else EMPLOYEE_QUESTION


async def take_action(board: Board, seat: Seat, choice: str) -> None:
    """Plays one action completely."""
    if choice in SURVEY_LETTERS:
        await survey_tiles(board, seat, SURVEY_LETTERS[choice])
    elif choice in TRACK_ACTIONS:
        price = step_price(board.printed, choice, board.track_level(seat, choice))
        assert price is not None
        board.pay_gold(seat, price)
        board.table.add_markers(board.tracks[choice][seat])
    else:
        await {"hire": hire, "dismiss": dismiss, "sell": sell_gems}[choice](board, seat)


async def hire(board: Board, seat: Seat) -> None:
    """Hires any number of employees in one action, each at the price of the place it reaches."""
    each = hire_prices(board.printed, board.workers[seat].count)
    sums = [sum(each[:count]) for count in range(1, len(each) + 1)]
    options = [say("hire {count}", count=count) for count in range(1, len(sums) + 1)]
    count = await choose_number(board, seat, say("How many are hired?"), options, sums)
    board.pay_gold(seat, sums[count - 1])
    board.table.add_markers(board.workers[seat], count)


async def dismiss(board: Board, seat: Seat) -> None:
    """Dismisses any number of employees in one action, down to the boss alone."""
    sums = [redundancy_pay(count) for count in range(1, board.employees(seat) + 1)]
    options = [say("dismiss {count}", count=count) for count in range(1, len(sums) + 1)]
    count = await choose_number(board, seat, say("How many are dismissed?"), options, sums)
    board.pay_gold(seat, sums[count - 1])
    board.remove_employees(seat, count)


async def choose_number(
    board: Board, seat: Seat, question: Say, options: Sequence[Say], sums: Sequence[int]
) -> int:
    """Asks for a number that the gold pays for; asks nobody if only 1 is possible."""
    choices = {
        str(count): DetailedOption(option, GOLD, price=gold)
        for count, (option, gold) in enumerate(zip(options, sums, strict=True), 1)
        if gold <= board.gold[seat].count
    }
    return int(await Choose(seat, question, dict(choices))) if len(choices) > 1 else 1


def gem_sale_count(colour: str, stored: Account, price: int) -> CountedItem:
    """Returns the gems of a colour to count, with the gold for each."""
    label = say("{piece} at {price} gold", piece=stored.piece, price=price)
    counted = say_n(
        "{n} {colour} gem at {price} gold",
        "{n} {colour} gems at {price} gold",
        n=2,
        colour=COLOURS[colour],
        price=price,
    )
    return CountedItem(label, stored, counted)


async def sell_gems(board: Board, seat: Seat) -> None:
    """Sells gems of some colours, any number of each, to the centre."""
    prices, bonus = board.prices(), board.track_value(seat, "negotiation")
    counted = {
        colour: gem_sale_count(colour, stored, prices[colour] + bonus)
        for colour, stored in board.stored[seat].items()
    }
    sold = await Counts(
        seat,
        say("Which gems will you sell?"),
        counted,
        1,
        None,
        board.track_value(seat, "kinds"),
        log_name=say("Gems sold"),
    )
    assert sold is not None
    for colour, stored in board.stored[seat].items():
        board.table.move(stored, board.centre[colour], sold[colour])
    gold = sale_proceeds(sold, board.prices(), board.track_value(seat, "negotiation"))
    board.table.move(board.bank, board.gold[seat], gold)
    board.table.add_note(say("{seat} gets {gold} gold.", seat=seat, gold=gold))


async def survey_tiles(board: Board, seat: Seat, letter: str) -> None:
    """Pays the fee and draws tiles, accidents first; then places some tiles and discards the rest."""
    board.pay_gold(seat, SURVEY_FEE[letter])
    drawn = board.drawn[letter][seat]
    board.draw_tiles(seat, letter, board.track_value(seat, "survey"))
    while drawn.count:
        tiles = await read_placed_tiles(board, seat, letter)
        if tiles is not None:
            board.place_tiles(seat, letter, tiles)
            return
        await suffer_accident(board, seat, letter)
    board.place_tiles(seat, letter, ())
    board.table.add_note(say("There are no {letter} tiles left to draw.", letter=letter))


async def read_placed_tiles(board: Board, seat: Seat, letter: str) -> Sequence[Card] | None:
    """Asks which drawn tiles are placed; None if one of them shows an accident."""
    may_be = letter == "B" and board.aside[letter].count < board.accidents_in_all
    drawn, placed = board.drawn[letter][seat].count, board.track_value(seat, "survey", "survey_placed")
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
        required_values=values_of_placeable_tile(letter),
        is_face_up=True,
        log_name=say("Tiles {letter} placed", letter=letter),
    )


async def suffer_accident(board: Board, seat: Seat, letter: str) -> None:
    """Puts the tile aside, draws a chip for everybody, the drawer first, and another tile without a fee."""
    board.table.move(board.drawn[letter][seat], board.aside[letter])
    for other in board.seats.starting_with(seat):
        await draw_chip(board, other, ACCIDENT)
    board.draw_tiles(seat, letter, 1)


def values_of_placeable_tile(letter: str) -> dict[str, int | str]:
    """Returns the printed values of a tile that can be placed."""
    return {"kind": "tile", "letter": letter, "accident": "no"}


async def pay_bonus(board: Board, seat: Seat, choice: str) -> None:
    """Pays the bonus for each employee and returns one or two chips."""
    chips = CHIPS_BY_BONUS[choice]
    board.pay_gold(seat, BONUS_PER_EMPLOYEE[chips] * board.employees(seat))
    await return_chips(board, seat, chips, BONUS)
