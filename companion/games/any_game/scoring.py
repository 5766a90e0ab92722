"""Who is ahead, by what, and what stands on each seat's sheet."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.any_game.laid import Laid
from companion.games.any_game.printed import number
from companion.rulebook import Line, Result, Seat, ranked, say


def standings(shelf: Laid) -> Result:
    """The highest total first; equals share or go by the tie rule."""
    rule = str(shelf.table.options["tie_rule"])
    words = {"turn_order": say("first in turn")}
    if shelf.pieces:
        words["money"] = say("more of {piece}", piece=shelf.money)
    return ranked(
        shelf.seats,
        shelf.total,
        lambda seat: score_sheet(shelf, seat),
        by=lambda seat: (shelf.total(seat), TIE_RULES[rule](shelf, seat)),
        tie=words.get(rule),
    )


def first_in_turn(shelf: Laid, seat: Seat) -> int:
    """Who sits nearest from the start player on comes first."""
    return -shelf.seats.from_(shelf.start or shelf.seats[0]).index(seat)


TIE_RULES: dict[str, Callable[[Laid, Seat], int]] = {
    "shared": lambda _shelf, _seat: 0,
    "money": lambda shelf, seat: shelf.purses[shelf.money][seat].count if shelf.pieces else 0,
    "turn_order": first_in_turn,
}


def score_sheet(shelf: Laid, seat: Seat) -> tuple[Line, ...]:
    """What pieces and points count; for information pieces that somebody holds and that count nothing."""
    counting = [one for one, printed in shelf.pieces.items() if number(printed, "worth")]
    held = [one for one, purses in shelf.purses.items() if any(purse.count for purse in purses.values())]
    return (
        *(Line(one.label, shelf.worth(one, seat)) for one in counting),
        *(Line(one.label, one.of(seat)) for one in shelf.categories),
        *(
            Line(one.label, shelf.purses[one][seat].count, counts=False)
            for one in held
            if one not in counting
        ),
    )
