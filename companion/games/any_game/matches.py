"""A knock-out tournament: who loses a match is out; the draw says who meets whom."""

from __future__ import annotations

from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.laid import Laid
from companion.games.any_game.leaving import put_out
from companion.rulebook import Seat, choose_seat, say


def next_match(shelf: Laid) -> list[Seat]:
    """Who meets next: of those who have come least far the first two in the draw; alone: a bye.

    Those who had byes come before all others, so that nobody has a second one before all have had one.
    """
    there = sorted(shelf.playing, key=lambda seat: (-byes(shelf, seat), shelf.seeds[seat].count))
    least = min(shelf.stages[seat].count for seat in there)
    return [seat for seat in there if shelf.stages[seat].count == least][:2]


def byes(shelf: Laid, seat: Seat) -> int:
    """How many stages a seat has gone on in without a match."""
    return shelf.stages[seat].count - shelf.wins[seat].count


async def match(shelf: Laid) -> None:
    """Two meet: one goes on, the other is out; whoever has nobody to meet goes on without a match."""
    one, other = next_match(shelf)
    winner = await choose_seat(say("{one} meets {other}: who wins?", one=one, other=other), (one, other))
    loser = other if winner is one else one
    shelf.table.add_markers(shelf.wins[winner])
    put_out(shelf, loser, 1 + shelf.stages[loser].count)
    shelf.table.add_markers(shelf.stages[winner])
    give_byes(shelf)


def give_byes(shelf: Laid) -> None:
    """Whoever is left over in a stage goes on without a match."""
    if len(shelf.playing) > 1 and len(waits := next_match(shelf)) == 1:
        shelf.table.add_markers(shelf.stages[waits[0]])
        shelf.table.add_note(say("{seat} has no opponent this time and goes on.", seat=waits[0]))


def is_on(shelf: Laid) -> bool:
    """Whether there is a match to play in a tournament."""
    return shelf.rules.scoring == "knockout" and len(shelf.playing) > 1


DEEDS = (MenuLine("match", say("Next match"), match, is_on),)
