"""Seats: number, name and colour of each player, in clockwise order.

Names are for people and may change; the log knows seats by their number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec.structs import force_setattr

from companion.errors import UnknownName, UserError
from companion.languages import languages
from companion.name_matching import (
    count_graphemes,
    find_by_leading_words,
    find_by_name,
    find_indistinguishable_names,
    fold_name,
)
from companion.screen_characters import MAX_CODE_POINTS_PER_LETTER, require_showable
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR
from companion.texts import Labelled, Say, Text, render, say, say_list

SEAT_COLOURS = tuple(SIGN_BY_SEAT_COLOUR)
"""The colours of seats, in the order in which seats take them. Their number is the most players possible."""
MAX_NAME_LETTERS = 20
"""The most letters of a player's name.

Letters are counted as people count them; a letter may have marks.
"""
MAX_NAME_CODE_POINTS = MAX_CODE_POINTS_PER_LETTER * MAX_NAME_LETTERS
"""The most code points of a player's name.

The limit also holds for a log from before each letter was checked.
"""
WORDS_FOR_ALL_PLAYERS = say("all"), say("everybody")
"""Words that mean all players, for people who type who pays."""


class Seat(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A player's seat at the table; `number` counts from 1, clockwise.

    `key` is `@1` for seat 1. Logs use the key, so a player's name may change.
    """

    number: int
    name: str
    colour: str
    key: str = ""

    def __post_init__(self) -> None:
        """Makes the key once, because every answer is stored with it."""
        force_setattr(self, "key", f"@{self.number}")

    @property
    def label(self) -> Text:
        """The player's name."""
        return self.name


class Seats(tuple[Seat, ...]):
    """All seats of one game, clockwise."""

    __slots__ = ()

    def find_seat(self, name: str) -> Seat:
        """Returns the seat with that name or key.

        Raises `UnknownName`, which lists the names.
        """
        return find_seat_by_name(name, {seat: (seat.name, seat.key) for seat in self})

    def seat_numbered(self, number: int) -> Seat:
        """Returns the seat with that number, counted from 1."""
        return next(seat for seat in self if seat.number == number)

    def starting_with(self, first: Seat) -> Seats:
        """Returns all seats once, clockwise, beginning with `first`: `table.seats.starting_with(starter)`."""
        index = self.index(first)
        return Seats((*self[index:], *self[:index]))

    def starting_after(self, seat: Seat) -> Seats:
        """Returns all seats once, clockwise, beginning with the one after `seat`."""
        return self.starting_with(self[(self.index(seat) + 1) % len(self)])


def find_seat_by_name(name: str, names_by_seat: Mapping[Seat, Collection[str]]) -> Seat:
    """Returns the seat that has the whole name.

    Raises `UnknownName`, which lists the seats, if not exactly one seat has it. A name that reads the same
    counts, see `find_by_name`; the beginning of a name doesn't.
    """
    matches = find_by_name(name, names_by_seat)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UnknownName(ambiguous_name_text(name, matches))
    names = ", ".join(seat.name for seat in names_by_seat)
    raise UnknownName(say("There is no player called {name}. Players: {names}.", name=name, names=names))


def ambiguous_name_text(name: str, matches: Sequence[Labelled]) -> Say:
    """Returns the sentence that a name is ambiguous, and how to type it; a seat is among the matches."""
    key = next(seat.key for seat in matches if isinstance(seat, Seat))
    text = "{name} could mean any of these: {names}. Type one of them in full, or the seat, such as {key}."
    return say(text, name=name, names=say_list(matches), key=key)


class SeatInFirstWords(NamedTuple):
    """The seat that the words at the start of a line name, and the number of those words."""

    seat: Seat
    word_count: int


def find_seat_in_first_words(
    words: Sequence[str], names_by_seat: Mapping[Seat, Collection[str]]
) -> SeatInFirstWords | None:
    """Finds the seat that the words at the start name; None if they name no seat.

    The longest name counts. Raises `UnknownName` if the words may name several seats.
    """
    word_count = find_by_leading_words(words, names_by_seat).word_count
    if not word_count:
        return None
    return SeatInFirstWords(find_seat_by_name(" ".join(words[:word_count]), names_by_seat), word_count)


def make_new_seats(names: Sequence[str], colours: Sequence[str] = SEAT_COLOURS) -> Seats:
    """Returns the seats of a new game, in clockwise order, with normalized names that were checked.

    Raises `UserError` also for two names that a look-up would take for each other.
    """
    seats = make_seats([normalize_name_to_nfc(name) for name in names], colours)
    for seat in seats:
        check_new_name(seat.name, [other.name for other in seats if other.number < seat.number])
    return seats


def normalize_name_to_nfc(name: str) -> str:
    """Returns the name in Unicode's normal form NFC, so that equal names have equal characters.

    In this form, an accent and its letter are one character, as keyboards write them.
    """
    return unicodedata.normalize("NFC", name)


def check_new_name(name: str, other_names: Sequence[str]) -> None:
    """Checks the name of a new player; raises `UserError` if it isn't allowed.

    A name isn't allowed if it can't be shown or typed, or is too similar to another.
    """
    if not fold_name(name):
        raise UserError(say("A name must be one line of visible characters."))
    require_showable(name)
    _check_signs(unicodedata.normalize("NFKC", name), name, "/,、@=")
    for other in other_names:
        if find_indistinguishable_names([other, name]):
            text = "{one} and {other} count as the same name. Change one of the names."
            raise UserError(say(text, one=other, other=name))


def make_seats(names: Sequence[str], colours: Sequence[str] = SEAT_COLOURS) -> Seats:
    """Returns the seats of these players, in clockwise order.

    Raises `UserError` for names and colours that a log can't hold. `make_new_seats` refuses more names, but
    older logs may have them.
    """
    return _make_cached_seats(tuple(names), tuple(colours))


@lru_cache(maxsize=64)  # each replay begins with the same people; identical seats also compare faster
def _make_cached_seats(names: tuple[str, ...], colours: tuple[str, ...]) -> Seats:
    max_seats = min(len(colours), len(SEAT_COLOURS))
    if max_seats < len(names):
        raise UserError(
            say("There are {seats} players, but only {count} colours.", count=max_seats, seats=len(names))
        )
    for name in names:
        _check_name(name)
    _check_distinct(names)
    _check_distinct(colours)
    if unknown := sorted(set(colours) - set(SEAT_COLOURS)):
        raise UnknownName(
            say(
                "There is no colour called {name}. Choose from: {names}.",
                name=unknown[0],
                names=", ".join(SEAT_COLOURS),
            )
        )
    return Seats(
        Seat(number, name, colour)
        for number, (name, colour) in enumerate(zip(names, colours, strict=False), 1)
    )


def check_names_not_reserved(names: Sequence[str], reserved_words: Iterable[Labelled]) -> None:
    """Checks that no name is a reserved word; raises `UserError` if one is.

    Reserved words are those that people type for something else, in any language.
    """
    taken = {fold_name(render(word, language)) for word in reserved_words for language in languages()}
    for name in names:
        if fold_name(name) in taken:
            text = "{name} can't be the name of a player, because this word means something else here."
            raise UserError(say(text, name=name))


def _check_name(name: str) -> None:
    if not name.isprintable():
        raise UserError(say("A name must be one line of visible characters."))
    is_long = count_graphemes(name) > MAX_NAME_LETTERS or len(name) > MAX_NAME_CODE_POINTS
    if not name.strip() or name != name.strip() or is_long:
        raise UserError(
            say(
                "A name must have 1 to {most} characters and no space at the start or the end; '{name}' "
                "isn't allowed.",
                most=MAX_NAME_LETTERS,
                name=name,
            )
        )
    _check_signs(name, name, "/,@=")


def _check_signs(letters: str, name: str, signs: str) -> None:
    """Raises `UserError` if the letters contain signs that separate names in lines and logs."""
    if set(letters) & set(signs):
        text = "The name {name} can't contain any of these characters: {signs}"
        raise UserError(say(text, name=name, signs=" ".join(signs)))


def _check_distinct(values: Sequence[str]) -> None:
    """Raises `UserError` for the first value that occurs a second time."""
    for position, value in enumerate(values):
        if value in values[:position]:
            text = "{value} is used twice. Each player needs a different name and colour."
            raise UserError(say(text, value=value))
