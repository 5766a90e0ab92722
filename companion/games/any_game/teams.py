"""Teams: partners share a purse and points. They sit so that the teams alternate around the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rulebook import Labelled, Seat, say_list

Keepers = Mapping[Seat, Seat]
"""The seat in front of which everything of a seat lies: the first seat of its team."""


def keepers(seats: Sequence[Seat], teams: int) -> dict[Seat, Seat]:
    """The keeper of each seat; without teams each seat is its own keeper."""
    return {seat: seats[at % teams] if teams else seat for at, seat in enumerate(seats)}


def members(keeper: Keepers, seat: Seat) -> tuple[Seat, ...]:
    """All seats of the team of a seat, the seat itself included."""
    return tuple([one for one, kept in keeper.items() if kept == keeper[seat]])


def team_label(keeper: Keepers, seat: Seat) -> Labelled:
    """What people call the team of a seat: the names of all its members; a seat alone has its own name."""
    team = members(keeper, seat)
    return say_list(team) if len(team) > 1 else seat
