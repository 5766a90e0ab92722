"""Actions of a night in Oyakata: which are possible, what they cost, and how they are asked and played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from companion.games.oyakata.board import (
    EMBLEM_BY_NIGHT_ACTION,
    GOLD,
    LABEL_BY_COLOUR,
    LETTERS,
    NIGHT_ACTION_LABELS,
    VALUE_ROW_BY_TRACK,
    Board,
    next_step_price,
    printed_value_at_level,
    redundancy_pay,
    remaining_hire_prices,
    sale_proceeds,
)
from companion.games.oyakata.discontent import ask_and_add_discontent_chip, ask_and_return_discontent_chips
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
    say_list,
    say_n,
)

SURVEY_FEE_BY_LETTER = {"A": 1, "B": 2}
BONUS_PER_EMPLOYEE_BY_RETURNED_CHIPS = {1: 2, 2: 4}
RETURNED_CHIPS_BY_BONUS = {"bonus_1": 1, "bonus_2": 2}
"""Number of chips that each bonus returns."""
LETTER_BY_SURVEY_ACTION = {f"survey_{letter}": letter for letter in LETTERS}
TRACK_ACTIONS = ("digging", "survey", "dormitory", "storage", "negotiation", "kinds")
ACTION_GROUP, BONUS_GROUP = say("Actions"), say("Bonuses")
DONE_TONIGHT_REASON = say("Already done tonight.")
NOT_ENOUGH_GOLD_REASON = say("Not enough gold.")
WHY_ACTION_IMPOSSIBLE_WITH_ANY_GOLD = {
    "survey_A": say("All A tiles have been placed."),
    "survey_B": say("All B tiles have been placed."),
    "hire": say("The marker is already on the last space."),
    "dismiss": say("There is no employee to dismiss."),
    "sell": say("There is no gem to sell."),
} | dict.fromkeys(TRACK_ACTIONS, say("The marker is already on the last space."))
"""Reasons why an action can't be taken however much gold there is."""


class ActionContext(msgspec.Struct, frozen=True):
    """Everything that the options of a seat's actions depend on.

    `has_tiles_left` is in the order of `LETTERS`, `track_levels` of `TRACK_ACTIONS`, and `is_done_tonight` of
    `NIGHT_ACTION_LABELS`.
    """

    deck: Deck
    seat: Seat
    gold: int
    workers: int
    employees: int
    has_gems: bool
    has_tiles_left: tuple[bool, ...]
    track_levels: tuple[int, ...]
    is_done_tonight: tuple[bool, ...]


def make_action_context(board: Board, seat: Seat) -> ActionContext:
    """Returns what a seat has for its actions now."""
    return ActionContext(
        board.deck,
        seat,
        board.gold[seat].count,
        board.workers[seat].count,
        board.employee_count(seat),
        board.has_gems(seat),
        tuple([board.tiles_left(letter) > 0 for letter in LETTERS]),
        tuple([board.tracks[track][seat].count for track in TRACK_ACTIONS]),
        tuple([account.count > 0 for account in board.action_marks_tonight[seat].values()]),
    )


# A replay makes the options of every night, though nobody looks at them: equal options are made once.
@lru_cache(maxsize=1024)
def action_costs_and_options(
    context: ActionContext,
) -> tuple[Mapping[str, int], Mapping[str, DetailedOption]]:
    """Returns the lowest costs of actions that can be taken now, and all actions as options.

    Options of actions that can't be taken are barred with a reason.
    """
    cost_by_possible_action = min_cost_by_possible_action(context)
    is_done_by_action = dict(zip(NIGHT_ACTION_LABELS, context.is_done_tonight, strict=True))
    cost_by_payable_action = {
        key: cost
        for key, cost in cost_by_possible_action.items()
        if cost <= context.gold and not is_done_by_action[key]
    }
    options = {}
    for key, label in NIGHT_ACTION_LABELS.items():
        cost, barred_reason = cost_by_payable_action.get(key), None
        if cost is None:
            barred_reason = why_action_impossible(
                key, is_done=is_done_by_action[key], is_possible=key in cost_by_possible_action
            )
        options[key] = DetailedOption(
            label,
            GOLD if cost else None,
            price=cost or None,
            gain=describe_gain(context, key, cost_by_possible_action),
            group=ACTION_GROUP,
            barred_reason=barred_reason,
            emblem=EMBLEM_BY_NIGHT_ACTION[key],
        )
    return cost_by_payable_action, options


def bonus_options(price_by_bonus: Mapping[str, int]) -> dict[str, DetailedOption]:
    """Returns bonuses as options with their prices."""
    return {key: make_bonus_option(key, price) for key, price in price_by_bonus.items()}


@lru_cache
def make_bonus_option(bonus: str, price: int) -> DetailedOption:
    """Returns a bonus as an option: its cost, and how many chips go back."""
    label = say_n("Bonus: {n} chip goes back", "Bonus: {n} chips go back", RETURNED_CHIPS_BY_BONUS[bonus])
    return DetailedOption(label, GOLD, price=price, group=BONUS_GROUP)


def describe_gain(
    context: ActionContext, action: str, cost_by_possible_action: Mapping[str, int]
) -> Say | None:
    """Returns what an action gives: a survey's draw and placing, or a track's value before and after."""
    printed, levels = context.deck.board, dict(zip(TRACK_ACTIONS, context.track_levels, strict=True))
    if action in LETTER_BY_SURVEY_ACTION:
        drawn, placed = (
            printed_value_at_level(printed[name], levels["survey"])
            for name in (VALUE_ROW_BY_TRACK["survey"], "survey_placed")
        )
        return say("draw {drawn}, place {placed}", drawn=drawn, placed=placed)
    if action not in TRACK_ACTIONS or action not in cost_by_possible_action:
        return None
    level = levels[action]
    places = printed[VALUE_ROW_BY_TRACK[action]] if action in VALUE_ROW_BY_TRACK else range(level + 2)
    return say("{now} → {then}", now=places[level], then=places[level + 1])


def why_action_impossible(action: str, *, is_done: bool, is_possible: bool) -> Say:
    """Returns why an action can't be taken now; `is_possible`: it can be taken with enough gold."""
    if is_done:
        return DONE_TONIGHT_REASON
    return NOT_ENOUGH_GOLD_REASON if is_possible else WHY_ACTION_IMPOSSIBLE_WITH_ANY_GOLD[action]


def gold_requirements(
    board: Board, seat: Seat, price_by_option: Mapping[str, int]
) -> dict[str, OptionRequirement]:
    """Returns the gold that each option needs, checked when it is chosen.

    A correction may come between the question and the answer.
    """
    gold = board.gold[seat]
    return {
        key: OptionRequirement(gold, price, NOT_ENOUGH_GOLD_REASON)
        for key, price in price_by_option.items()
        if price
    }


def min_cost_by_possible_action(context: ActionContext) -> dict[str, int]:
    """Returns the lowest cost of each action; actions that can't be taken are left out."""
    printed = context.deck.board
    cost_by_action = {
        f"survey_{letter}": SURVEY_FEE_BY_LETTER[letter]
        for letter, has_tiles in zip(LETTERS, context.has_tiles_left, strict=True)
        if has_tiles
    }
    if hire_prices := remaining_hire_prices(printed, context.workers):
        cost_by_action["hire"] = hire_prices[0]
    if context.employees:
        cost_by_action["dismiss"] = redundancy_pay(1)
    if context.has_gems:
        cost_by_action["sell"] = 0
    for track, level in zip(TRACK_ACTIONS, context.track_levels, strict=True):
        price = next_step_price(printed, track, level)
        if price is not None:
            cost_by_action[track] = price
    return cost_by_action


def cost_by_payable_bonus(board: Board, seat: Seat) -> dict[str, int]:
    """Returns the bonuses that can be paid now, with their costs."""
    chip_count, employees = board.discontent_chip_count(seat), board.employee_count(seat)
    if not employees:
        return {}
    cost_by_bonus = {
        key: BONUS_PER_EMPLOYEE_BY_RETURNED_CHIPS[returned_chips] * employees
        for key, returned_chips in RETURNED_CHIPS_BY_BONUS.items()
        if returned_chips <= chip_count
    }
    return {key: cost for key, cost in cost_by_bonus.items() if cost <= board.gold[seat].count}


# The night


END_OF_NIGHT_OPTION = DetailedOption(say("End the night"), is_decline_option=True)
BOSS_QUESTION = say("Night: what does the boss do?")
EMPLOYEE_QUESTION = say("Night: what does an employee do?")
BONUS_QUESTION = say("Night: do you pay a bonus or end the night?")
LOG_NAME_BY_NIGHT_QUESTION = {
    BOSS_QUESTION: say("Night: the boss's action"),
    EMPLOYEE_QUESTION: say("Night: an employee's action"),
    BONUS_QUESTION: say("Night: a bonus, or the end"),
}
"""Names of the questions of a night in logs."""
BONUS_REASON, ACCIDENT_REASON = say("bonus"), say("accident")


async def play_night(board: Board, seat: Seat) -> None:
    """Plays the boss's action, then one action of each employee with its discontent chip."""
    while not board.suffers_effect(seat, "black"):
        board.show_turn_heading(seat)
        question, cost_by_bonus = question_for_next_action(board, seat), cost_by_payable_bonus(board, seat)
        cost_by_action, action_options = (
            ({}, {})
            if question is BONUS_QUESTION
            else action_costs_and_options(make_action_context(board, seat))
        )
        if not cost_by_action and not cost_by_bonus:
            break
        choice = await Choose(
            seat,
            question,
            {**action_options, **bonus_options(cost_by_bonus), "end": END_OF_NIGHT_OPTION},
            gold_requirements(board, seat, {**cost_by_action, **cost_by_bonus}),
            log_name=LOG_NAME_BY_NIGHT_QUESTION[question],
            has_free_order=True,
        )
        if choice == "end":
            board.table.add_note(say("{seat} ends the night.", seat=seat))
            return
        if choice not in NIGHT_ACTION_LABELS:
            await pay_bonus_and_return_chips(board, seat, choice)
            continue
        await take_action(board, seat, choice)
        board.table.add_markers(board.action_marks_tonight[seat][choice])
        if question is EMPLOYEE_QUESTION:
            await ask_and_add_discontent_chip(board, seat, NIGHT_ACTION_LABELS[choice])
    if not board.suffers_effect(seat, "black"):
        board.table.add_note(say("The night is over."))


def question_for_next_action(board: Board, seat: Seat) -> Say:
    """Returns the question for the next action: of the boss, of an employee, or only for a bonus."""
    action_count = board.actions_taken_tonight(seat)
    if not action_count:
        return BOSS_QUESTION
    if board.holidays[seat].count or board.suffers_effect(seat, "blue") or not board.has_discontent:
        return BONUS_QUESTION
    has_idle_employee = action_count <= board.employee_count(seat)  # the first action is the boss's
    return EMPLOYEE_QUESTION if has_idle_employee else BONUS_QUESTION


async def take_action(board: Board, seat: Seat, action: str) -> None:
    """Plays one action of a night completely."""
    if action in LETTER_BY_SURVEY_ACTION:
        await draw_and_place_tiles(board, seat, LETTER_BY_SURVEY_ACTION[action])
    elif action in TRACK_ACTIONS:
        price = next_step_price(board.printed, action, board.track_level(seat, action))
        assert price is not None
        board.pay_gold_to_bank(seat, price)
        board.table.add_markers(board.tracks[action][seat])
        board.table.add_note(say("{seat} improves: {skill}.", seat=seat, skill=NIGHT_ACTION_LABELS[action]))
    else:
        await {"hire": hire_employees, "dismiss": dismiss_employees, "sell": sell_gems}[action](board, seat)


async def hire_employees(board: Board, seat: Seat) -> None:
    """Asks how many employees a seat hires in one action, and hires them.

    Each costs the price of the place it reaches.
    """
    prices = remaining_hire_prices(board.printed, board.workers[seat].count)
    total_prices = [sum(prices[:count]) for count in range(1, len(prices) + 1)]
    options = [say("hire {count}", count=count) for count in range(1, len(total_prices) + 1)]
    count = await choose_affordable_number(board, seat, say("How many are hired?"), options, total_prices)
    board.pay_gold_to_bank(seat, total_prices[count - 1])
    board.table.add_markers(board.workers[seat], count)
    board.table.add_note(
        say_n("{seat} hires {n} employee.", "{seat} hires {n} employees.", n=count, seat=seat)
    )


async def dismiss_employees(board: Board, seat: Seat) -> None:
    """Asks how many employees a seat dismisses in one action, and dismisses them.

    All of them can be dismissed, down to the boss alone.
    """
    total_prices = [redundancy_pay(count) for count in range(1, board.employee_count(seat) + 1)]
    options = [say("dismiss {count}", count=count) for count in range(1, len(total_prices) + 1)]
    count = await choose_affordable_number(board, seat, say("How many are dismissed?"), options, total_prices)
    board.pay_gold_to_bank(seat, total_prices[count - 1])
    board.remove_employees(seat, count)
    board.table.add_note(
        say_n("{seat} dismisses {n} employee.", "{seat} dismisses {n} employees.", n=count, seat=seat)
    )


async def choose_affordable_number(
    board: Board, seat: Seat, question: Say, option_labels: Sequence[Say], total_prices: Sequence[int]
) -> int:
    """Asks for a number that the seat can afford with its gold; returns 1 unasked if only 1 is possible."""
    options = {
        str(count): DetailedOption(option, GOLD, price=price)
        for count, (option, price) in enumerate(zip(option_labels, total_prices, strict=True), 1)
        if price <= board.gold[seat].count
    }
    return int(await Choose(seat, question, dict(options))) if len(options) > 1 else 1


def make_gem_sale_count(colour: str, stored: Account, price: int) -> CountedItem:
    """Returns the stored gems of a colour as a count to enter, with the gold for each."""
    label = say("{piece} at {price} gold", piece=stored.piece, price=price)
    count_label = say_n(
        "{n} {colour} gem at {price} gold",
        "{n} {colour} gems at {price} gold",
        n=2,
        colour=LABEL_BY_COLOUR[colour],
        price=price,
    )
    return CountedItem(label, stored, count_label)


async def sell_gems(board: Board, seat: Seat) -> None:
    """Asks which gems a seat sells, and sells them to the centre."""
    prices, bonus = board.gem_price_today_by_colour(), board.track_value(seat, "negotiation")
    item_by_colour = {
        colour: make_gem_sale_count(colour, stored, prices[colour] + bonus)
        for colour, stored in board.gems_in_storage[seat].items()
    }
    sold_counts = await Counts(
        seat,
        say("Which gems will you sell?"),
        item_by_colour,
        1,
        None,
        board.track_value(seat, "kinds"),
        log_name=say("Gems sold"),
    )
    assert sold_counts is not None
    for colour, stored in board.gems_in_storage[seat].items():
        board.table.move(stored, board.centre[colour], sold_counts[colour])
    gold = sale_proceeds(
        sold_counts, board.gem_price_today_by_colour(), board.track_value(seat, "negotiation")
    )
    board.table.move(board.bank, board.gold[seat], gold)
    gems = say_list(
        [
            stored.piece.quantity_text(sold_counts[colour])
            for colour, stored in board.gems_in_storage[seat].items()
            if sold_counts[colour]
        ]
    )
    board.table.add_note(say("{seat} sells {gems} for {gold} gold.", seat=seat, gems=gems, gold=gold))


async def draw_and_place_tiles(board: Board, seat: Seat, letter: str) -> None:
    """Draws tiles and places some of them.

    Drawing costs a fee. Tiles that aren't placed are discarded. Accidents come first.
    """
    board.pay_gold_to_bank(seat, SURVEY_FEE_BY_LETTER[letter])
    drawn = board.drawn_tiles[letter][seat]
    board.draw_tiles(seat, letter, board.track_value(seat, "survey"))
    board.table.add_note(say("{seat} surveys {letter} tiles.", seat=seat, letter=letter))
    while drawn.count:
        tiles = await read_placed_tiles(board, seat, letter)
        if tiles is not None:
            board.place_drawn_tiles_in_tunnel(seat, letter, tiles)
            return
        await let_everybody_suffer_accident(board, seat, letter)
    board.place_drawn_tiles_in_tunnel(seat, letter, ())
    board.table.add_note(say("There are no {letter} tiles left to draw.", letter=letter))


async def read_placed_tiles(board: Board, seat: Seat, letter: str) -> Sequence[Card] | None:
    """Asks which drawn tiles are placed; None if one of them shows an accident."""
    may_show_accident = letter == "B" and board.accident_tiles[letter].count < board.accidents_in_all
    drawn_count = board.drawn_tiles[letter][seat].count
    max_placed = min(drawn_count, board.track_value(seat, "survey", "survey_placed"))
    question = say("Draw {drawn} {letter} tiles; you may place up to {placed}",
                   drawn=drawn_count, letter=letter, placed=max_placed)  # fmt: skip  # one sentence
    if board.accident_tiles[letter].count:
        question = say("Draw again after the accident; you may place up to {placed}", placed=max_placed)
    return await Read(
        seat,
        question,
        board.faces,
        0,
        max_placed,
        decline=say("An accident") if may_show_accident else None,
        required_values=required_values_of_placeable_tile(letter),
        is_face_up=True,
        log_name=say("Tiles {letter} placed", letter=letter),
    )


async def let_everybody_suffer_accident(board: Board, seat: Seat, letter: str) -> None:
    """Lets everybody suffer the accident on a tile: each draws a discontent chip, the drawer first.

    The tile is put aside, and the drawer draws another tile without a fee.
    """
    board.table.move(board.drawn_tiles[letter][seat], board.accident_tiles[letter])
    for drawing_seat in board.seats.starting_with(seat):
        await ask_and_add_discontent_chip(board, drawing_seat, ACCIDENT_REASON)
    board.draw_tiles(seat, letter, 1)


def required_values_of_placeable_tile(letter: str) -> dict[str, int | str]:
    """Returns the printed values that a tile must have to be placed."""
    return {"kind": "tile", "letter": letter, "accident": "no"}


async def pay_bonus_and_return_chips(board: Board, seat: Seat, bonus: str) -> None:
    """Pays the bonus for each employee and returns one or two chips."""
    chips = RETURNED_CHIPS_BY_BONUS[bonus]
    bonus_gold = BONUS_PER_EMPLOYEE_BY_RETURNED_CHIPS[chips] * board.employee_count(seat)
    board.pay_gold_to_bank(seat, bonus_gold)
    board.table.add_note(say("{seat} pays a bonus of {gold} gold.", seat=seat, gold=bonus_gold))
    await ask_and_return_discontent_chips(board, seat, chips, BONUS_REASON)
