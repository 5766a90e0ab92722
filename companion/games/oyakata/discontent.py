"""Discontent in Oyakata: drawing chips, explosions and their effects, and returning chips."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from companion.games.oyakata.board import (
    LABEL_BY_COLOUR,
    LASTING_EFFECT_BY_CHIP_COLOUR,
    NIGHT_ACTION_LABELS,
    Board,
    colour_kept_by_explosion,
    describe_chip_colours,
    make_chip_piece,
    most_expensive_held_colours,
)
from companion.rulebook import Choose, CountedItem, Counts, DetailedOption, Say, Seat, say, say_list, say_n

CHIPS_TO_EXPLODE = 5
OPTION_BY_CHIP_COLOUR = {
    colour: DetailedOption(name, make_chip_piece(colour)) for colour, name in LABEL_BY_COLOUR.items()
}
OTHER_CHIPS_LABEL = say("Other chips")
OLD_LOG_NAME_BY_ACTION_LABEL = {NIGHT_ACTION_LABELS["kinds"]: say("Negotiation: kinds")}
"""Names of actions in logs, from an earlier wording."""


async def ask_and_add_discontent_chip(board: Board, seat: Seat, reason: Say) -> None:
    """Asks which discontent chip a player drew, and puts it on the player's stack; five chips explode.

    Nobody draws without employees.
    """
    if not board.has_discontent or not board.employee_count(seat):
        return
    option_by_colour = {
        colour: OPTION_BY_CHIP_COLOUR[colour] for colour, account in board.chip_bag.items() if account.count
    }
    if not option_by_colour:
        board.table.add_note(say("The discontent bag is empty: {seat} draws nothing.", seat=seat))
        return
    colour = await Choose(
        seat, drawn_chip_question(reason), option_by_colour, log_name=drawn_chip_log_name(reason)
    )
    board.table.move(board.chip_bag[colour], board.discontent_chips[seat][colour])
    drawn_chip = make_chip_piece(colour).quantity_text(1)
    board.table.add_note(say("{seat} draws {chips}.", seat=seat, chips=drawn_chip))
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
    table, kept_colour = board.table, colour_kept_by_explosion(board.chip_colours_from_bottom(seat))
    for marker_by_seat in board.effects.values():
        board.table.remove_markers(marker_by_seat[seat])
    board.return_discontent_chips(
        seat,
        {
            colour: account.count
            for colour, account in board.discontent_chips[seat].items()
            if colour != kept_colour
        },
    )
    chip_count = board.discontent_chips[seat][kept_colour].count
    chips_left = board.discontent_chips[seat][kept_colour].piece.quantity_text(chip_count)
    table.add_note(say("{seat}'s discontent explodes: {chips} left.", seat=seat, chips=chips_left))
    if kept_colour in LASTING_EFFECT_BY_CHIP_COLOUR:
        board.table.add_markers(board.effects[kept_colour][seat])
        table.add_note(
            say("{seat} suffers from {effect}.", seat=seat, effect=LASTING_EFFECT_BY_CHIP_COLOUR[kept_colour])
        )
        return
    if kept_colour == "red":
        leaving_count = min(chip_count, board.employee_count(seat))
        table.add_note(
            say_n("{seat} loses {n} employee.", "{seat} loses {n} employees.", n=leaving_count, seat=seat)
        )
        board.remove_employees(seat, leaving_count)
    if kept_colour == "yellow":
        for _ in range(chip_count):
            await steal_most_expensive_gem(board, seat)
    board.return_discontent_chips(seat, {kept_colour: board.discontent_chips[seat][kept_colour].count})


async def steal_most_expensive_gem(board: Board, seat: Seat) -> None:
    """Removes a gem of the most expensive colour in the storage; the owner chooses among equals."""
    candidate_colours = most_expensive_held_colours(
        {colour: account.count for colour, account in board.gems_in_storage[seat].items()},
        board.gem_price_today_by_colour(),
    )
    if not candidate_colours:
        return
    colour = candidate_colours[0]
    if len(candidate_colours) > 1:
        option_by_colour = {
            candidate: DetailedOption(
                LABEL_BY_COLOUR[candidate], board.gems_in_storage[seat][candidate].piece
            )
            for candidate in candidate_colours
        }
        colour = await Choose(seat, say("Which gem is stolen?"), dict(option_by_colour))
    stored = board.gems_in_storage[seat][colour]
    board.table.move(stored, board.centre[colour])
    board.table.add_note(say("{seat} loses a {piece}.", seat=seat, piece=stored.piece))


async def ask_and_return_discontent_chips(board: Board, seat: Seat, count: int, reason: Say) -> None:
    """Asks the owner which discontent chips go back, and returns them to the bag.

    The top chips are proposed. Nobody is asked if it makes no difference which chips go back.
    """
    stack = board.chip_colours_from_bottom(seat)
    count = min(count, len(stack))
    top_chips = stack[::-1][:count]
    count_by_colour: dict[str, int] | None = dict(Counter(top_chips))
    if 0 < count < len(stack) and len(set(stack)) > 1:
        options = {
            "top": say("Top of the stack: {chips}", chips=describe_chip_colours(top_chips)),
            "others": OTHER_CHIPS_LABEL,
        }
        question = say("Which chips go back? ({why})", why=reason)
        log_name = say("Chips that go back: {why}", why=reason)
        if await Choose(seat, question, dict(options), log_name=log_name) == "others":
            item_by_colour = {
                colour: CountedItem(LABEL_BY_COLOUR[colour], account)
                for colour, account in board.discontent_chips[seat].items()
            }
            count_by_colour = await Counts(seat, question, item_by_colour, count, count, log_name=log_name)
    assert count_by_colour is not None
    board.return_discontent_chips(seat, count_by_colour)
    returned_chips = [
        make_chip_piece(colour).quantity_text(count) for colour, count in count_by_colour.items() if count
    ]
    if returned_chips:
        board.table.add_note(say("{seat} returns {chips}.", seat=seat, chips=say_list(returned_chips)))


def return_chip_per_lasting_effect(board: Board, seat: Seat) -> None:
    """Returns a chip of a lasting effect at the start of a turn."""
    for colour in LASTING_EFFECT_BY_CHIP_COLOUR:
        if board.suffers_effect(seat, colour):
            board.return_discontent_chips(seat, {colour: 1})
