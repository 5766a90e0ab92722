"""Teams: partners share a purse and points. They sit so that the teams alternate around the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rulebook import Labelled, Seat, say_list, say_people

CaptainBySeat = Mapping[Seat, Seat]
"""Maps each seat to the first seat of its team, before which everything of the team lies."""


def assign_team_captains(seats: Sequence[Seat], team_count: int) -> dict[Seat, Seat]:
    """Maps each seat to the first seat of its team; without teams to the seat itself."""
    return {seat: seats[index % team_count] if team_count else seat for index, seat in enumerate(seats)}


def team_members(captain_by_seat: CaptainBySeat, seat: Seat) -> tuple[Seat, ...]:
    """Returns all seats of a seat's team, including the seat."""
    return tuple([member for member, captain in captain_by_seat.items() if captain == captain_by_seat[seat]])


def team_label(captain_by_seat: CaptainBySeat, seat: Seat) -> Labelled:
    """Returns the names of all members of a seat's team; the seat itself if it has no team."""
    members = team_members(captain_by_seat, seat)
    return say_list(members) if len(members) > 1 else seat


def team_in_sentence(captain_by_seat: CaptainBySeat, seat: Seat) -> Labelled:
    """Returns the names of all members of a seat's team as a sentence names them: in Japanese, with さん."""
    return say_people(team_members(captain_by_seat, seat))
