"""Who sits where: number, name and colour of each seat, in clockwise order.

Names are for people and may change; the log knows seats by their number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec
from msgspec.structs import force_setattr

from companion.errors import TableError, Unknown
from companion.table.signs import SIGNS
from companion.words import LANGUAGES, Labelled, Text, render, say

COLOURS = tuple(SIGNS)
"""In the order in which seats take them; so many people there can be."""
LONGEST_NAME = 12
EVERYBODY = say("all"), say("everybody")
"""Where people type who pays, each of these words means all of them."""


class Seat(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """One place at the table; `number` counts from 1, clockwise.

    `key` follows from it: `@1` for seat 1, which the log writes, so that a name may change.
    """

    number: int
    name: str
    colour: str
    key: str = ""

    def __post_init__(self) -> None:
        """Writes the key once, as every answer is kept with it."""
        force_setattr(self, "key", f"@{self.number}")

    @property
    def label(self) -> Text:
        """The player's name."""
        return self.name


class Seats(tuple[Seat, ...]):
    """The seats of one game, clockwise."""

    __slots__ = ()

    def named(self, name: str) -> Seat:
        """The seat of that name; raises `Unknown`, which lists the names."""
        for seat in self:
            if seat.name == name:
                return seat
        names = ", ".join(seat.name for seat in self)
        raise Unknown(say("There is no seat {name}; at the table are {names}.", name=name, names=names))

    def numbered(self, number: int) -> Seat:
        """The seat of that number, from 1."""
        return next(seat for seat in self if seat.number == number)

    def from_(self, first: Seat) -> Seats:
        """Everybody once, clockwise, beginning with `first`."""
        at = self.index(first)
        return Seats((*self[at:], *self[:at]))

    def after(self, seat: Seat) -> Seats:
        """Everybody once, clockwise, `seat` last."""
        return self.from_(self[(self.index(seat) + 1) % len(self)])


def seated(names: Sequence[str], colours: Sequence[str] = COLOURS) -> Seats:
    """Seats for these people in clockwise order; refuses names and colours that can't be told apart."""
    return _seated(tuple(names), tuple(colours))


@lru_cache(maxsize=64)  # each replay begins with the same people; what is the very same is found sooner
def _seated(names: tuple[str, ...], colours: tuple[str, ...]) -> Seats:
    most = min(len(colours), len(COLOURS))
    if most < len(names):
        raise TableError(say("There are {count} colours for {seats} seats.", count=most, seats=len(names)))
    for name in names:
        _check_name(name)
    _check_distinct(names)
    _check_distinct(colours)
    if unknown := sorted(set(colours) - set(COLOURS)):
        raise Unknown(
            say(
                "There is no colour {name}; choose {names}.",
                name=unknown[0],
                names=", ".join(COLOURS),
            )
        )
    return Seats(
        Seat(number, name, colour)
        for number, (name, colour) in enumerate(zip(names, colours, strict=False), 1)
    )


def as_typed(name: str) -> str:
    """A name as lines are compared: full-width letters and capitals are as good as others."""
    return unicodedata.normalize("NFKC", name).strip().lower()


def check_free(names: Sequence[str], words: Iterable[Labelled]) -> None:
    """Refuses a name that people type for something else, in any language."""
    taken = {as_typed(render(word, language)) for word in words for language in LANGUAGES}
    for name in names:
        if as_typed(name) in taken:
            text = "Nobody can be called {name} on this table, where it means something else."
            raise TableError(say(text, name=name))


def _check_name(name: str) -> None:
    if not name.isprintable():
        raise TableError(say("A name is one line of visible characters."))
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME:
        raise TableError(
            say(
                "A name has 1 to {most} letters and no space at its ends, not '{name}'.",
                most=LONGEST_NAME,
                name=name,
            )
        )
    if set(name) & set("/,@="):
        raise TableError(say("The name {name} may not contain / , @ or =.", name=name))


def _check_distinct(values: Sequence[str]) -> None:
    for value in _repeated(values):
        raise TableError(say("{value} is there twice; each seat needs its own name and colour.", value=value))


def _repeated(values: Sequence[str]) -> Iterator[str]:
    return (value for at, value in enumerate(values) if value in values[:at])
