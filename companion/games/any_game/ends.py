"""What ends an evening: rounds that are all played, a score that is reached, nobody left to play against.

The last round has been played once it is over: that is asked before anything of another one happens.
"""

from __future__ import annotations

from companion.games.any_game import sheet
from companion.games.any_game.laid import Laid
from companion.rulebook import Choose, Labelled, Offer, Say, listed, say


class End:
    """Whether the table ends the evening now; whoever goes on is asked again after the next round."""

    def __init__(self, shelf: Laid) -> None:
        self._shelf = shelf
        self._asked: object = None

    async def is_wanted(self, *, round_over: bool = False) -> bool:
        """Asked once a round and reason; what is asked as a round is over counts for the next one."""
        why = why_now(self._shelf, round_over=round_over)
        asked = self._shelf.round.count + (round_over and not self._shelf.by_rounds), why
        if why is None or asked == self._asked:
            return False
        self._asked = asked
        return await is_wanted(why)


def why_now(shelf: Laid, *, round_over: bool) -> Say | None:
    """Why the evening might end now; None: nothing says so."""
    rules = shelf.rules
    for track in shelf.tracks:
        if track.is_full and track.ends != "nothing":
            return say("The track “{track}” has reached its end.", track=track.label)
    if rules.out and len(shelf.sides) == 1:
        return say("Only {seat} is still in the game.", seat=shelf.sides[0])
    reached = [seat for seat in shelf.sides if rules.target and shelf.total(seat) >= rules.target]
    if reached:
        return say("Target of {points} points reached: {seats}.", seats=listed(reached), points=rules.target)
    if round_over and 0 < rules.rounds <= shelf.round.count:
        return say("All rounds have been played.")
    if rules.scoring == "sheet" and sheet.in_turn(shelf) is None:
        return say("All boxes are filled.")
    return None


async def is_wanted(why: Say) -> bool:
    """Whether the table ends it."""
    question, known = say("{why} Finish the game?", why=why), say("Finish now?")
    options: dict[str, Labelled] = {"finish": say("Finish"), "go_on": Offer(say("Go on"), apart=True)}
    return await Choose(None, question, options, known_as=known) == "finish"
