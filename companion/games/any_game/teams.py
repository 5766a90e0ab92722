"""Teams: whose purse and points are one. Partners sit so that the teams alternate around the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rulebook import Labelled, Seat, listed


def keepers(seats: Sequence[Seat], teams: int) -> dict[Seat, Seat]:
    """Before whom everything of a seat lies: the first of its team; without teams each keeps its own."""
    return {seat: seats[at % teams] if teams else seat for at, seat in enumerate(seats)}


def members(keeper: Mapping[Seat, Seat], seat: Seat) -> tuple[Seat, ...]:
    """Everybody who plays with that seat, itself too."""
    return tuple([one for one, kept in keeper.items() if kept == keeper[seat]])


def called(keeper: Mapping[Seat, Seat], seat: Seat) -> Labelled:
    """How people call the team of a seat: by the names of all who are in it; of one alone by its own."""
    team = members(keeper, seat)
    return listed(team) if len(team) > 1 else seat
