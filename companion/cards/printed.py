"""The file of a deck: reads it, checks it against what may be printed, names file and key where it is wrong.

id = "number"          # which value names a card; without it each card has an `id`
provisional = true     # the values are a guess until the owner has entered those of their copy
[fields.number]        # what may be printed there: least, most, step or choices; `on` = which cards have it;
                       # `only` = what may be printed on some of them instead;
                       # `under` = the field above whose number this one never is; `hint` = what it means
[[face]]               # how cards look that show `on`: big, corners, row, colour, signs: see `Face`
[board]                # what is printed on boards and dice: lists of numbers
[bounds.hire]          # what may be printed there: least and most; `lengths`, if boards differ in how much
[[card]]               # one design: its id, how many `copies` (1), its `name`, its fields
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.bounds import MAX_COPIES_PER_CARD
from companion.cards.deck import NAME, Deck, Design, Field, wrong
from companion.cards.face import Face
from companion.distribution import PACKAGE_FOLDER
from companion.errors import UserError
from companion.files import toml
from companion.texts import Say, say

F = TypeVar("F", bound=Field)
OURS = PACKAGE_FOLDER / "games"
"""Where the decks of our own games are, with which others may play too."""
BARE = re.compile(r"[a-z0-9_]+")
"""What a deck may be called."""
ID, COPIES = "id", "copies"
COPIED = Field(1, MAX_COPIES_PER_CARD)
KEYS = ("id", "provisional", "fields", "face", "board", "bounds", "card")
COPY_KEYS = ("provisional", "board", "card")
"""What an owner's file may hold; the rest is the game's."""


class Bound(Field, frozen=True):
    """What may be printed in a row of a board; `lengths`: so many numbers at least and at most.

    Without it an owner's row is as long as the shipped one.
    `optional`: an owner's file that lacks the row has the shipped one.
    """

    lengths: tuple[int, int] | None = None
    optional: bool = False


class Printed(msgspec.Struct, frozen=True):
    """A deck, which value names its cards, what may be printed on its boards, and how its cards look."""

    deck: Deck
    id: str = ID
    bounds: dict[str, Bound] = {}
    faces: tuple[Face, ...] = ()


@cache
def shipped(name: str, folder: Path = OURS) -> Printed:
    """The deck `NAME.toml` that comes with a game, beside its rulebook or among ours.

    Raises `UserError` where there is none, or for what is wrong in it.
    """
    file = f"{name}.toml"
    places = (folder, OURS / name) if BARE.fullmatch(name) else ()
    found = [place / file for place in places if (place / file).is_file()]
    if not found:
        raise UserError(say("there is no deck {name} in the folder of the rulebook.", name=name))
    return read_deck(name, found[0].read_text(encoding="utf-8"), file)


def deck_of(name: str, folder: Path = OURS) -> Deck:
    """The printed values that come with a game."""
    return shipped(name, folder).deck


def read_deck(game: str, text: str, where: str, like: Printed | None = None) -> Printed:
    """A deck's file; an owner's takes fields and bounds from the shipped one it must be `like`.

    Raises `UserError`, which names `where` (the file), the key and what is allowed.
    """
    try:
        return _read(game, _parsed(text, KEYS if like is None else COPY_KEYS), like)
    except UserError as error:
        raise UserError(say("{file}: {why}", file=where, why=error.text)) from error


def _parsed(text: str, keys: Sequence[str]) -> dict[str, Any]:
    try:
        rows = toml.parse_toml(text)
    except UserError as error:
        raise UserError(say("this is not valid TOML: {why}.", why=error.text)) from error
    for key in rows:
        if key not in keys:
            raise UserError(say("unknown key {key}; known keys: {names}.", key=key, names=", ".join(keys)))
    if type(rows.get("provisional", False)) is not bool:
        raise UserError(say("provisional must be true or false."))
    return rows


def _read(game: str, rows: Mapping[str, Any], like: Printed | None) -> Printed:
    if like is None:
        fields, bounds = _fields(rows.get("fields", {}), Field), _fields(rows.get("bounds", {}), Bound)
        _check_fields(fields)
        id_field, faces = rows.get("id", ID), tuple(_faces(rows.get("face", []), fields))
    else:
        fields, bounds, id_field, faces = like.deck.fields, like.bounds, like.id, like.faces
    board = _board(rows.get("board", {}), bounds, like)
    designs = tuple(_designs(rows.get("card", []), fields, id_field))
    deck = Deck(game, designs, board, fields, rows.get("provisional", False))
    return Printed(deck, id_field, bounds, faces)


def find_fault(deck: Deck, like: Deck) -> Say | None:
    """What a deck of an old or altered log lacks that the shipped one has, the first thing; None: nothing."""
    for design in deck.designs if deck.fields else ():
        try:
            deck.check(design.values)
        except UserError as error:
            return say("card {id}: {why}", id=design.id, why=error.text)
    for name in like.fields:
        if name not in deck.fields:
            return say("fields.{key} is missing.", key=name)
    for name, row in like.board.items():
        if name not in deck.board:
            return say("board.{key} is missing.", key=name)
        if len(deck.board[name]) != len(row):
            text = "board.{key} must have {needed} numbers, not {count}."
            return say(text, key=name, count=len(deck.board[name]), needed=len(row))
    return None


def _faces(rows: object, fields: Mapping[str, Field]) -> Iterator[Face]:
    try:
        faces = toml.convert_value(rows, list[Face])
    except toml.InvalidTomlValue as error:
        raise UserError(say("a face can't be read: {why}.", why=error.text)) from None
    known = (NAME, *fields)
    for face in faces:
        for name in (*face.on, face.big, *face.corners, *face.row, *face.signs):
            if fields and name not in known:
                text = "face: unknown field {name}; known fields: {names}."
                raise UserError(say(text, name=name, names=", ".join(known)))
        yield face


def _fields(rows: Mapping[str, Any], kind: type[F]) -> dict[str, F]:
    try:
        return {
            name: toml.convert_value(row, kind)
            for name, row in toml.convert_value(rows, dict[str, Any]).items()
        }
    except toml.InvalidTomlValue as error:
        raise UserError(say("a field can't be read: {why}.", why=error.text)) from None


def _check_fields(fields: Mapping[str, Field]) -> None:
    """Raises `UserError` for a field that depends on one there isn't, or whose default can't stand there."""
    for name, field in fields.items():
        on = [each for one in (field, *field.only) for each in one.on.items()]
        for other, value in on:
            if other not in fields:
                text = 'field {name}: "on" names an unknown field, {other}; known fields: {names}.'
                raise UserError(say(text, name=name, other=other, names=", ".join(fields)))
            if not any(one.allows(value) for one in (fields[other], *fields[other].only)):
                raise UserError(wrong(f"field {name}: {other}", fields[other], value))
        if field.under and field.under not in fields:
            text = 'field {name}: "under" names an unknown field, {other}; known fields: {names}.'
            raise UserError(say(text, name=name, other=field.under, names=", ".join(fields)))
        for one in (field, *field.only):
            if not one.choices and one.least > one.most:
                text = 'field {name}: "least" ({least}) is higher than "most" ({most}).'
                raise UserError(say(text, name=name, least=one.least, most=one.most))
        usual = field.default
        if usual is not None and not any(one.allows(usual) for one in (field, *field.only)):
            raise UserError(wrong(f"field {name}: default", field, usual))


def _board(rows: object, bounds: Mapping[str, Bound], like: Printed | None) -> dict[str, tuple[int, ...]]:
    if not isinstance(rows, dict):
        raise UserError(say("the numbers of the board must be in a section called [board]."))
    for name in rows:
        if name not in bounds:
            raise UserError(say("board.{key} is unknown; known: {names}.", key=name, names=", ".join(bounds)))
    usual = {name: like.deck.board[name] for name, bound in bounds.items() if like and bound.optional}
    rows = {**{name: list(row) for name, row in usual.items()}, **rows}
    for name in bounds:
        if name not in rows:
            raise UserError(say("board.{key} is missing.", key=name))
        bound = bounds[name]
        as_shipped = (len(like.deck.board[name]),) * 2 if like else None
        _check_row(name, rows[name], bound, bound.lengths or as_shipped)
    return {name: tuple(rows[name]) for name in bounds}


def _check_row(name: str, row: object, bound: Bound, lengths: tuple[int, int] | None) -> None:
    key = f"board.{name}"
    if not isinstance(row, list) or (lengths and not lengths[0] <= len(row) <= lengths[1]):
        raise UserError(say("{key} must be a list of {count} numbers.", key=key, count=_so_many(lengths)))
    for value in row:
        if not bound.allows(value):
            raise UserError(wrong(key, bound, value))


def _so_many(lengths: tuple[int, int] | None) -> Say | str:
    if lengths is None:
        return ""
    least, most = lengths
    return str(least) if least == most else say("{least} to {most}", least=least, most=most)


def _designs(rows: object, fields: Mapping[str, Field], id_field: str) -> Iterator[Design]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise UserError(say("there are no cards; begin each card with [[card]]."))
    seen = set()
    for at, row in enumerate(rows, 1):
        name = _named(row, id_field, at)
        if name in seen:
            raise UserError(say("card {id} appears twice.", id=name))
        seen.add(name)
        try:
            yield design(name, {key: value for key, value in row.items() if key != ID}, fields)
        except UserError as error:
            raise UserError(say("card {id}: {why}", id=name, why=error.text)) from error


def _named(row: Mapping[str, Any], id_field: str, at: int) -> str:
    name = row.get(id_field)
    if type(name) not in {str, int} or not str(name).isprintable() or not str(name).strip():
        raise UserError(say("card number {at} has no {key}.", at=at, key=id_field))
    return str(name)


def design(name: str, row: Mapping[str, Any], fields: Mapping[str, Field]) -> Design:
    """One design from its row; raises `UserError` for what is missing or can't be printed on it."""
    copies = row.get(COPIES, 1)
    if not COPIED.allows(copies):
        raise UserError(wrong(COPIES, COPIED, copies))
    values = {key: value for key, value in row.items() if key != COPIES}
    if fields:
        like = Deck("", (), fields=dict(fields))
        values = like.filled(values)
        like.check(values)
    return Design(name, copies, values)
