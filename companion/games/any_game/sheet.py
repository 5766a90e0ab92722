"""A score sheet, as for five dice: everybody fills each box once, one box a turn."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.any_game.limits import MAX_AMOUNT
from companion.games.any_game.points import Category
from companion.games.any_game.state import POINTS_GROUP, MenuAction, TemplateState
from companion.games.any_game.turn_order import start_seat
from companion.rulebook import Choose, DetailedOption, Labelled, Seat, say

BACK_KEY = "back"


def empty_boxes(state: TemplateState, seat: Seat) -> list[Category]:
    """Returns the boxes that a seat has not filled yet."""
    return [box for box in state.categories if box.when == "round" and not box.is_box_filled(seat)]


def seat_with_most_empty_boxes(state: TemplateState) -> Seat | None:
    """Returns the seat with the most empty boxes, from the start player on; None if all are filled."""
    order = state.seats.starting_with(start_seat(state) or state.seats[0])
    seats_with_empty_boxes = [
        seat for seat in order if seat in state.playing_sides and empty_boxes(state, seat)
    ]
    return max(seats_with_empty_boxes, key=lambda seat: len(empty_boxes(state, seat)), default=None)


async def ask_and_fill_boxes(state: TemplateState) -> None:
    """Asks for boxes and points turn after turn, until all boxes are filled or the table stops."""
    while (seat := seat_with_most_empty_boxes(state)) is not None:
        box_by_key = {box.key: box for box in empty_boxes(state, seat)}
        options: dict[str, Labelled] = {key: box.label for key, box in box_by_key.items()}
        options[BACK_KEY] = DetailedOption(say("Something else"), is_decline_option=True)
        key = await Choose(seat, say("Which box?"), options)
        if key == BACK_KEY:
            return
        box = box_by_key[key]
        question = say("How many points in {box}?", box=box.label)
        log_name = say("Points in {box}", box=box.label)
        least, most = box.least_points_in_box, box.highest or MAX_AMOUNT
        request = box.make_points_request(seat, question, least, most, box.multiple)
        answer = await replace(
            request,
            decline=least > 0,
            zero_label=say("cross out"),
            about=box.gained_marker,
            log_name=log_name,
        )
        points = box.answered_points(answer)
        box.fill_box(seat, points)
        state.table.add_note(
            say("{seat} scores {points} in {box}.", seat=seat, points=points, box=box.label)
            if points
            else say("{seat} crosses out {box}.", seat=seat, box=box.label)
        )


MENU = (
    MenuAction(
        "turns",
        say("Fill the sheet"),
        ask_and_fill_boxes,
        POINTS_GROUP,
        lambda state: state.general_rules.scoring == "sheet",
    ),
)
HELP = {
    "Which box?": say(
        "Fill each box once. If your dice give no points, enter 0. The player with the fewest filled boxes "
        "is next."
    ),
    "How many points in {box}?": say(
        "Enter how many points your dice score in this box. Enter 0 to cross the box out."
    ),
}
