"""Tracks on or back, some steps at a time."""

from __future__ import annotations

from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.laid import Laid
from companion.games.any_game.tracks import TableTrack
from companion.rulebook import Choose, Labelled, Offer, Say, say

STEPS = (1, 2, 3, -1)
"""How far a track goes in one touch."""


async def move(shelf: Laid) -> None:
    """One of the tracks goes on or back."""
    tracks = {one.key: one for one in shelf.tracks}
    options: dict[str, Labelled] = {
        f"{one.key} {steps:+}": Offer(
            say("{track} {steps}", track=one.label, steps=f"{steps:+}"),
            note=_stops(one, steps),
            group=one.label,
        )
        for one in shelf.tracks
        for steps in STEPS
    }
    key, _, steps = (await Choose(None, say("Which track moves?"), options)).rpartition(" ")
    track = tracks[key]
    track.go(int(steps))
    shelf.table.add_note(
        say("{track}: step {step} of {goal}.", track=track.label, step=track.step, goal=track.goal)
    )


def _stops(track: TableTrack, steps: int) -> Say | None:
    """Where the track stops, if that is sooner."""
    to = track.after(steps)
    return None if to == track.step + steps else say("to {n}", n=to)


DEEDS = (MenuLine("track", say("Move a track"), move, lambda shelf: bool(shelf.tracks)),)
