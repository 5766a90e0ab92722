"""Who is going to play, while it is still being decided. Knows no widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ui import theme
from ui.evening.boxes import Begin, Box, Value


@dataclass(frozen=True)
class Guest:
    """A seat to be: its colour, and its name once somebody typed one."""

    colour: str
    name: str = ""


@dataclass(frozen=True)
class Party:
    """The guests in clockwise order; all twelve are kept, the first `size` of them play."""

    guests: tuple[Guest, ...]
    size: int

    @staticmethod
    def for_(box: Box, people: Sequence[tuple[str, str]] = ()) -> Party:
        """Those who played last (names and colours), and others up to as many as the box needs at least."""
        known = [Guest(colour, name) for name, colour in people if colour in theme.PLAYERS]
        taken = {guest.colour for guest in known}
        guests = (*known, *(Guest(colour) for colour in theme.PLAYERS if colour not in taken))
        named = sum(bool(guest.name) for guest in known)
        return Party(guests, min(box.most, max(box.least, named)))

    @property
    def playing(self) -> tuple[Guest, ...]:
        """Those who play."""
        return self.guests[: self.size]

    def renamed(self, at: int, name: str) -> Party:
        """Guest number `at` (from 0) is called so."""
        return self._with(at, replace(self.guests[at], name=name))

    def recoloured(self, at: int, colour: str) -> Party:
        """Guest `at` takes that colour; who had it gets theirs."""
        holder = next(n for n, guest in enumerate(self.guests) if guest.colour == colour)
        guests = list(self.guests)
        guests[holder] = replace(guests[holder], colour=guests[at].colour)
        guests[at] = replace(guests[at], colour=colour)
        return replace(self, guests=tuple(guests))

    def _with(self, at: int, guest: Guest) -> Party:
        return replace(self, guests=(*self.guests[:at], guest, *self.guests[at + 1 :]))

    def begin(self, box: Box, names: tuple[str, ...], options: dict[str, Value]) -> Begin:
        """Everything decided."""
        colours = tuple(guest.colour for guest in self.playing)
        guests = tuple((guest.name, guest.colour) for guest in self.guests)
        return Begin(box.key, names, colours, options, guests)
