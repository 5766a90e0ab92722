"""Discontent in Oyakata: chips that are drawn, explosions and what they do, chips that go back."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from companion.games.oyakata.board import (
    COLOURS,
    LASTING_EFFECT_BY_CHIP_COLOUR,
    NIGHT_ACTION_LABELS,
    Board,
    colour_kept_by_explosion,
    describe_chip_colours,
    make_chip_piece,
    most_expensive_held_colours,
)
from companion.rulebook import Choose, CountedItem, Counts, DetailedOption, Say, Seat, say, say_n

CHIPS_TO_EXPLODE = 5
CHIP_OFFERS = {colour: DetailedOption(name, make_chip_piece(colour)) for colour, name in COLOURS.items()}
OTHER_CHIPS = say("Other chips")
OLD_LOG_NAME_BY_ACTION_LABEL = {NIGHT_ACTION_LABELS["kinds"]: say("Negotiation: kinds")}
"""Names of actions in logs, from an earlier wording."""


async def draw_discontent_chip(board: Board, seat: Seat, reason: Say) -> None:
    """Asks which discontent chip a player drew, and puts it on the player's stack.

    Nobody draws without employees. Five chips explode.
    """
    if not board.has_discontent or not board.employee_count(seat):
        return
    left = {colour: CHIP_OFFERS[colour] for colour, account in board.chip_bag.items() if account.count}
    if not left:
        board.table.add_note(say("The discontent bag is empty: {seat} draws nothing.", seat=seat))
        return
    colour = await Choose(seat, drawn_chip_question(reason), left, log_name=drawn_chip_log_name(reason))
    board.table.move(board.chip_bag[colour], board.chips[seat][colour])
    board.remove_ended_discontent(seat)  # people may have taken the employees away since it was asked
    if board.discontent_chip_count(seat) >= CHIPS_TO_EXPLODE:
        await explode_discontent_of_seat(board, seat)


@lru_cache
def drawn_chip_question(reason: Say) -> Say:
    """Returns the question which chip was drawn."""
    return say("Which discontent chip was drawn? ({why})", why=reason)


@lru_cache
def drawn_chip_log_name(reason: Say) -> Say:
    """Returns the name in logs of the question which chip was drawn."""
    return say("Discontent chip drawn: {why}", why=OLD_LOG_NAME_BY_ACTION_LABEL.get(reason, reason))


async def explode_discontent_of_seat(board: Board, seat: Seat) -> None:
    """Explodes a seat's discontent: only the chips of the most common colour stay, and their effect applies.

    A lasting effect replaces the one before.
    """
    table, kept = board.table, colour_kept_by_explosion(board.chip_colours_from_bottom(seat))
    for marks in board.effects.values():
        board.table.remove_markers(marks[seat])
    board.return_discontent_chips(
        seat, {colour: a.count for colour, a in board.chips[seat].items() if colour != kept}
    )
    chips = board.chips[seat][kept].count
    staying = board.chips[seat][kept].piece.quantity_text(chips)
    table.add_note(say("{seat}'s discontent explodes: {chips} left.", seat=seat, chips=staying))
    if kept in LASTING_EFFECT_BY_CHIP_COLOUR:
        board.table.add_markers(board.effects[kept][seat])
        table.add_note(
            say("{seat} suffers from {effect}.", seat=seat, effect=LASTING_EFFECT_BY_CHIP_COLOUR[kept])
        )
        return
    if kept == "red":
        leaving = min(chips, board.employee_count(seat))
        table.add_note(
            say_n("{seat} loses {n} employee.", "{seat} loses {n} employees.", n=leaving, seat=seat)
        )
        board.remove_employees(seat, leaving)
    if kept == "yellow":
        for _ in range(chips):
            await steal_most_expensive_gem(board, seat)
    board.return_discontent_chips(seat, {kept: board.chips[seat][kept].count})


async def steal_most_expensive_gem(board: Board, seat: Seat) -> None:
    """Removes a gem of the most expensive colour in the storage; the owner chooses among equals."""
    best = most_expensive_held_colours(
        {colour: a.count for colour, a in board.stored[seat].items()}, board.gem_price_today_by_colour()
    )
    if not best:
        return
    colour = best[0]
    if len(best) > 1:
        gems = {one: DetailedOption(COLOURS[one], board.stored[seat][one].piece) for one in best}
        colour = await Choose(seat, say("Which gem is stolen?"), dict(gems))
    stolen = board.stored[seat][colour]
    board.table.move(stolen, board.centre[colour])
    board.table.add_note(say("{seat} loses a {piece}.", seat=seat, piece=stolen.piece))


async def ask_and_return_discontent_chips(board: Board, seat: Seat, count: int, reason: Say) -> None:
    """Asks the owner which discontent chips go back, and returns them to the bag.

    Nobody is asked if all choices are alike. The top chips are proposed.
    """
    stack = board.chip_colours_from_bottom(seat)
    count = min(count, len(stack))
    top = stack[::-1][:count]
    chips: dict[str, int] | None = dict(Counter(top))
    if 0 < count < len(stack) and len(set(stack)) > 1:
        which = {
            "top": say("Top of the stack: {chips}", chips=describe_chip_colours(top)),
            "others": OTHER_CHIPS,
        }
        question, known = (
            say("Which chips go back? ({why})", why=reason),
            say("Chips that go back: {why}", why=reason),
        )
        if await Choose(seat, question, dict(which), log_name=known) == "others":
            counted = {one: CountedItem(COLOURS[one], account) for one, account in board.chips[seat].items()}
            chips = await Counts(seat, question, counted, count, count, log_name=known)
    assert chips is not None
    board.return_discontent_chips(seat, chips)


def return_chip_of_lasting_effect(board: Board, seat: Seat) -> None:
    """Returns a chip of a lasting effect at the start of a turn."""
    for colour in LASTING_EFFECT_BY_CHIP_COLOUR:
        if board.suffers_effect(seat, colour):
            board.return_discontent_chips(seat, {colour: 1})
