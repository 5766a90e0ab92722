"""Discontent in Oyakata: chips that are drawn, explosions and what they do, chips that go back."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from companion.games.oyakata.board import (
    ACTIONS,
    COLOURS,
    EFFECTS,
    Board,
    chip_piece,
    colour_kept_by_explosion,
    describe_chips,
    most_expensive_colours,
)
from companion.rulebook import Choose, CountedItem, Counts, DetailedOption, Say, Seat, say, say_n

EXPLODES_AT = 5
CHIP_OFFERS = {colour: DetailedOption(name, chip_piece(colour)) for colour, name in COLOURS.items()}
OTHER_CHIPS = say("Other chips")
LOGGED_ACTION_NAMES = {ACTIONS["kinds"]: say("Negotiation: kinds")}
"""Names of actions in logs, from an earlier wording."""


async def draw_chip(board: Board, seat: Seat, why: Say) -> None:
    """Draws a discontent chip onto a player's stack, if there are employees; five chips explode."""
    if not board.has_discontent or not board.employees(seat):
        return
    left = {colour: CHIP_OFFERS[colour] for colour, account in board.chip_bag.items() if account.count}
    if not left:
        board.table.add_note(say("The discontent bag is empty: {seat} draws nothing.", seat=seat))
        return
    colour = await Choose(seat, drawn_chip_question(why), left, log_name=drawn_chip_log_name(why))
    board.table.move(board.chip_bag[colour], board.chips[seat][colour])
    board.calm_seat(seat)  # people may have taken the employees away since it was asked
    if board.chip_count(seat) >= EXPLODES_AT:
        await explode_discontent(board, seat)


@lru_cache
def drawn_chip_question(why: Say) -> Say:
    """Returns the question which chip was drawn."""
    return say("Which discontent chip was drawn? ({why})", why=why)


@lru_cache
def drawn_chip_log_name(why: Say) -> Say:
    """Returns the name of that question in logs."""
    return say("Discontent chip drawn: {why}", why=LOGGED_ACTION_NAMES.get(why, why))


async def explode_discontent(board: Board, seat: Seat) -> None:
    """Keeps only the most common colour; its effect replaces the one before."""
    table, kept = board.table, colour_kept_by_explosion(board.colours_stacked(seat))
    for marks in board.effects.values():
        board.table.remove_markers(marks[seat])
    board.return_chips(seat, {colour: a.count for colour, a in board.chips[seat].items() if colour != kept})
    chips = board.chips[seat][kept].count
    staying = board.chips[seat][kept].piece.quantity(chips)
    table.add_note(say("{seat}'s discontent explodes: {chips} left.", seat=seat, chips=staying))
    if kept in EFFECTS:
        board.table.add_markers(board.effects[kept][seat])
        table.add_note(say("{seat} suffers from {effect}.", seat=seat, effect=EFFECTS[kept]))
        return
    if kept == "red":
        leaving = min(chips, board.employees(seat))
        table.add_note(
            say_n("{seat} loses {n} employee.", "{seat} loses {n} employees.", n=leaving, seat=seat)
        )
        board.remove_employees(seat, leaving)
    if kept == "yellow":
        for _ in range(chips):
            await steal_gem(board, seat)
    board.return_chips(seat, {kept: board.chips[seat][kept].count})


async def steal_gem(board: Board, seat: Seat) -> None:
    """Removes a gem of the most expensive colour in the storage; the owner chooses among equals."""
    best = most_expensive_colours(
        {colour: a.count for colour, a in board.stored[seat].items()}, board.prices()
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


async def return_chips(board: Board, seat: Seat, number: int, why: Say) -> None:
    """Returns chips to the bag. The owner says which if it matters; the top ones are proposed."""
    stack = board.colours_stacked(seat)
    number = min(number, len(stack))
    top = stack[::-1][:number]
    chips: dict[str, int] | None = dict(Counter(top))
    if 0 < number < len(stack) and len(set(stack)) > 1:
        which = {"top": say("Top of the stack: {chips}", chips=describe_chips(top)), "others": OTHER_CHIPS}
        question, known = (
            say("Which chips go back? ({why})", why=why),
            say("Chips that go back: {why}", why=why),
        )
        if await Choose(seat, question, dict(which), log_name=known) == "others":
            counted = {one: CountedItem(COLOURS[one], account) for one, account in board.chips[seat].items()}
            chips = await Counts(seat, question, counted, number, number, log_name=known)
    assert chips is not None
    board.return_chips(seat, chips)


def recover_from_effect(board: Board, seat: Seat) -> None:
    """Returns a chip of a lasting effect at the start of a turn."""
    for colour in EFFECTS:
        if board.suffers(seat, colour):
            board.return_chips(seat, {colour: 1})
