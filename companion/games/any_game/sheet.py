"""A sheet of combinations: everybody fills each box once, a box a turn."""

from __future__ import annotations

from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.laid import Laid
from companion.games.any_game.points import Category
from companion.rulebook import Amount, Choose, Labelled, Offer, Seat, say

BACK = "back"
MOST_POINTS = 9_999


def boxes(shelf: Laid) -> list[Category]:
    """What is filled in turn."""
    return [one for one in shelf.categories if one.when == "round"]


def empty(shelf: Laid, seat: Seat) -> list[Category]:
    """What a seat has still to fill."""
    return [one for one in boxes(shelf) if not one.is_filled(seat)]


def in_turn(shelf: Laid) -> Seat | None:
    """Whose turn it is: from the start player on whoever has filled least; None: all boxes are filled."""
    order = shelf.seats.starting_with(shelf.start or shelf.seats[0])
    still = [seat for seat in order if seat in shelf.sides and empty(shelf, seat)]
    return max(still, key=lambda seat: len(empty(shelf, seat)), default=None)


async def turns(shelf: Laid) -> None:
    """Turn after turn until all is filled or the table wants something else."""
    while (seat := in_turn(shelf)) is not None:
        left = {one.key: one for one in empty(shelf, seat)}
        texts: dict[str, Labelled] = {key: one.label for key, one in left.items()}
        texts[BACK] = Offer(say("Something else"), apart=True)
        key = await Choose(seat, say("Which box?"), texts)
        if key == BACK:
            return
        box = left[key]
        question, logged = (
            say("How many points in {box}?", box=box.label),
            say("Points in {box}", box=box.label),
        )
        most = box.highest or MOST_POINTS
        box.fill(seat, await Amount(seat, question, 0, most, box.multiple, about=box.gained, known_as=logged))


DEEDS = (
    MenuLine(
        "turns",
        say("Fill the sheet"),
        turns,
        lambda shelf: shelf.rules.scoring == "sheet",
    ),
)
