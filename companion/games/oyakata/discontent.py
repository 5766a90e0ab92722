"""Discontent in Oyakata: chips that are drawn, explosions and what they do, chips that go back."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from companion.games.oyakata.board import (
    ACTIONS,
    COLOURS,
    EFFECTS,
    Board,
    chip,
    chips_named,
)
from companion.games.oyakata.printed import dearest, kept_colour
from companion.rulebook import Choose, CountedItem, Counts, DetailedOption, Say, Seat, say, say_n

EXPLODES_AT = 5
CHIPS = {colour: DetailedOption(name, chip(colour)) for colour, name in COLOURS.items()}
OTHERS = say("Other chips")
LOGGED = {ACTIONS["kinds"]: say("Negotiation: kinds")}
"""What logs call an action that is worded in another way by now."""


async def draw_chip(board: Board, seat: Seat, why: Say) -> None:
    """One discontent chip on top of a player's stack, if there are employees; at five it explodes."""
    if not board.has_discontent or not board.employees(seat):
        return
    left = {colour: CHIPS[colour] for colour, account in board.chip_bag.items() if account.count}
    if not left:
        board.table.add_note(say("The discontent bag is empty: {seat} draws nothing.", seat=seat))
        return
    colour = await Choose(seat, drawn(why), left, log_name=logged(why))
    board.table.move(board.chip_bag[colour], board.chips[seat][colour])
    board.calm(seat)  # people may have taken the employees away since it was asked
    if board.chip_count(seat) >= EXPLODES_AT:
        await explode(board, seat)


@lru_cache
def drawn(why: Say) -> Say:
    """The question which chip was drawn."""
    return say("Which discontent chip was drawn? ({why})", why=why)


@lru_cache
def logged(why: Say) -> Say:
    """What logs call that question."""
    return say("Discontent chip drawn: {why}", why=LOGGED.get(why, why))


async def explode(board: Board, seat: Seat) -> None:
    """Only the commonest colour stays; what it does replaces what lasted before."""
    table, kept = board.table, kept_colour(board.colours_stacked(seat))
    for marks in board.effects.values():
        board.table.remove_markers(marks[seat])
    board.send_back(seat, {colour: a.count for colour, a in board.chips[seat].items() if colour != kept})
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
        board.leave(seat, leaving)
    if kept == "yellow":
        for _ in range(chips):
            await theft(board, seat)
    board.send_back(seat, {kept: board.chips[seat][kept].count})


async def theft(board: Board, seat: Seat) -> None:
    """One gem of the dearest colour in the storage is gone; the owner picks among equals."""
    best = dearest({colour: a.count for colour, a in board.stored[seat].items()}, board.prices())
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
    """Returns chips to the bag. The owner says which, where it matters; proposed are the top ones."""
    stack = board.colours_stacked(seat)
    number = min(number, len(stack))
    top = stack[::-1][:number]
    chips: dict[str, int] | None = dict(Counter(top))
    if 0 < number < len(stack) and len(set(stack)) > 1:
        which = {"top": say("Top of the stack: {chips}", chips=chips_named(top)), "others": OTHERS}
        question, known = (
            say("Which chips go back? ({why})", why=why),
            say("Chips that go back: {why}", why=why),
        )
        if await Choose(seat, question, dict(which), log_name=known) == "others":
            counted = {one: CountedItem(COLOURS[one], account) for one, account in board.chips[seat].items()}
            chips = await Counts(seat, question, counted, number, number, log_name=known)
    assert chips is not None
    board.send_back(seat, chips)


def recover(board: Board, seat: Seat) -> None:
    """At the start of a turn a chip of what lasts goes back."""
    for colour in EFFECTS:
        if board.suffers(seat, colour):
            board.send_back(seat, {colour: 1})
