"""Who is going to play, while it is still being decided, and the game that they begin. Knows no widget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from companion.rules.game import Game
from companion.table.table import OptionValue
from ui import theme


class NewGame(msgspec.Struct, frozen=True):
    """Everything that set-up decides: the game, its options and clocks, and who plays with which pieces.

    `guests` are name and colour of everybody who was seated, to be remembered; a name that nobody typed is
    empty.
    """

    game: str
    names: tuple[str, ...]
    colours: tuple[str, ...]
    options: Mapping[str, OptionValue]
    clocks: str
    guests: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Guest:
    """A seat to be: its colour, and its name once somebody typed one."""

    colour: str
    name: str = ""


@dataclass(frozen=True)
class SeatingPlan:
    """The guests in clockwise order; all twelve are kept, the first `size` of them play."""

    guests: tuple[Guest, ...]
    size: int

    @staticmethod
    def for_(game: Game, people: Sequence[tuple[str, str]] = ()) -> SeatingPlan:
        """Returns a plan with these people (name, colour) first, and as many guests as the game needs."""
        least, most = game.players
        known = [Guest(colour, name) for name, colour in people if colour in theme.PLAYERS]
        taken = {guest.colour for guest in known}
        guests = (*known, *(Guest(colour) for colour in theme.PLAYERS if colour not in taken))
        named = sum(bool(guest.name) for guest in known)
        return SeatingPlan(guests, min(most, max(least, named)))

    @property
    def playing(self) -> tuple[Guest, ...]:
        """The guests who play."""
        return self.guests[: self.size]

    def renamed(self, at: int, name: str) -> SeatingPlan:
        """Returns the plan with another name for guest number `at` (from 0)."""
        return self._with(at, replace(self.guests[at], name=name))

    def recoloured(self, at: int, colour: str) -> SeatingPlan:
        """Returns the plan with that colour for guest `at`; the guest who had it gets theirs."""
        holder = next(n for n, guest in enumerate(self.guests) if guest.colour == colour)
        guests = list(self.guests)
        guests[holder] = replace(guests[holder], colour=guests[at].colour)
        guests[at] = replace(guests[at], colour=colour)
        return replace(self, guests=tuple(guests))

    def _with(self, at: int, guest: Guest) -> SeatingPlan:
        return replace(self, guests=(*self.guests[:at], guest, *self.guests[at + 1 :]))

    def begin(
        self, game: Game, names: tuple[str, ...], options: Mapping[str, OptionValue], clocks: str
    ) -> NewGame:
        """Returns the game that these guests begin."""
        colours = tuple(guest.colour for guest in self.playing)
        guests = tuple((guest.name, guest.colour) for guest in self.guests)
        return NewGame(game.key, names, colours, options, clocks, guests)
