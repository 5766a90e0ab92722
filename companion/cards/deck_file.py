"""The file of a deck: reads it, checks it against what may be printed, names file and key where it is wrong.

id = "number"          # which value names a card; without it each card has an `id`
provisional = true     # the values are a guess until the owner has entered those of their copy
[fields.number]        # what may be printed there: least, most, step or choices; `on` = which cards have it;
                       # `only` = what may be printed on some of them instead;
                       # `under` = the field above whose number this one never is; `hint` = what it means
[[face]]               # how cards look that show `on`: big, corners, row, colour, signs: see `FaceLayout`
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

from companion.bounds import MAX_COPIES_PER_CARD, ShortText
from companion.cards.deck import (
    NAME_FIELD,
    Card,
    CardField,
    CardValue,
    Deck,
    Design,
    PrintedValues,
    invalid_value_text,
)
from companion.distribution import PACKAGE_FOLDER
from companion.errors import UserError
from companion.files import toml
from companion.texts import Say, say

F = TypeVar("F", bound=CardField)
OWN_DECKS_FOLDER = PACKAGE_FOLDER / "games"
"""Where the decks of our own games are, with which others may play too."""
DECK_NAME = re.compile(r"[a-z0-9_]+")
"""What a deck may be called."""
ID_KEY, COPIES_KEY = "id", "copies"
COPIES_FIELD = CardField(1, MAX_COPIES_PER_CARD)
DECK_FILE_KEYS = ("id", "provisional", "fields", "face", "board", "bounds", "card")
OWNER_FILE_KEYS = ("provisional", "board", "card")
"""What an owner's file may hold; the rest is the game's."""


class BoardField(CardField, frozen=True):
    """What may be printed in a row of a board; `lengths`: so many numbers at least and at most.

    Without it an owner's row is as long as the shipped one.
    `optional`: an owner's file that lacks the row has the shipped one.
    """

    lengths: tuple[int, int] | None = None
    optional: bool = False


class DeckFile(msgspec.Struct, frozen=True):
    """A deck, which value names its cards, what may be printed on its boards, and how its cards look."""

    deck: Deck
    id: str = ID_KEY
    bounds: dict[str, BoardField] = {}
    faces: tuple[FaceLayout, ...] = ()


@cache
def shipped_deck_file(name: str, folder: Path = OWN_DECKS_FOLDER) -> DeckFile:
    """The deck `NAME.toml` that comes with a game, beside its rulebook or among ours.

    Raises `UserError` where there is none, or for what is wrong in it.
    """
    file = f"{name}.toml"
    places = (folder, OWN_DECKS_FOLDER / name) if DECK_NAME.fullmatch(name) else ()
    found = [place / file for place in places if (place / file).is_file()]
    if not found:
        raise UserError(say("there is no deck {name} in the folder of the rulebook.", name=name))
    return parse_deck_file(name, found[0].read_text(encoding="utf-8"), file)


def shipped_deck(name: str, folder: Path = OWN_DECKS_FOLDER) -> Deck:
    """The printed values that come with a game."""
    return shipped_deck_file(name, folder).deck


def parse_deck_file(game: str, text: str, where: str, like: DeckFile | None = None) -> DeckFile:
    """A deck's file; an owner's takes fields and bounds from the shipped one it must be `like`.

    Raises `UserError`, which names `where` (the file), the key and what is allowed.
    """
    try:
        return _build_deck_file(
            game, _parse_toml(text, DECK_FILE_KEYS if like is None else OWNER_FILE_KEYS), like
        )
    except UserError as error:
        raise UserError(say("{file}: {why}", file=where, why=error.text)) from error


def _parse_toml(text: str, keys: Sequence[str]) -> dict[str, Any]:
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


def _build_deck_file(game: str, rows: Mapping[str, Any], like: DeckFile | None) -> DeckFile:
    if like is None:
        fields, bounds = (
            _read_fields(rows.get("fields", {}), CardField),
            _read_fields(rows.get("bounds", {}), BoardField),
        )
        _check_fields(fields)
        id_field, faces = rows.get("id", ID_KEY), tuple(_read_face_layouts(rows.get("face", []), fields))
    else:
        fields, bounds, id_field, faces = like.deck.fields, like.bounds, like.id, like.faces
    board = _read_board(rows.get("board", {}), bounds, like)
    designs = tuple(_read_designs(rows.get("card", []), fields, id_field))
    deck = Deck(game, designs, board, fields, rows.get("provisional", False))
    return DeckFile(deck, id_field, bounds, faces)


def find_deck_fault(deck: Deck, like: Deck) -> Say | None:
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


def _read_face_layouts(rows: object, fields: Mapping[str, CardField]) -> Iterator[FaceLayout]:
    try:
        faces = toml.convert_value(rows, list[FaceLayout])
    except toml.InvalidTomlValue as error:
        raise UserError(say("a face can't be read: {why}.", why=error.text)) from None
    known = (NAME_FIELD, *fields)
    for face in faces:
        for name in (*face.on, face.big, *face.corners, *face.row, *face.signs):
            if fields and name not in known:
                text = "face: unknown field {name}; known fields: {names}."
                raise UserError(say(text, name=name, names=", ".join(known)))
        yield face


def _read_fields(rows: Mapping[str, Any], kind: type[F]) -> dict[str, F]:
    try:
        return {
            name: toml.convert_value(row, kind)
            for name, row in toml.convert_value(rows, dict[str, Any]).items()
        }
    except toml.InvalidTomlValue as error:
        raise UserError(say("a field can't be read: {why}.", why=error.text)) from None


def _check_fields(fields: Mapping[str, CardField]) -> None:
    """Raises `UserError` for a field that depends on one there isn't, or whose default can't stand there."""
    for name, field in fields.items():
        on = [each for one in (field, *field.only) for each in one.on.items()]
        for other, value in on:
            if other not in fields:
                text = 'field {name}: "on" names an unknown field, {other}; known fields: {names}.'
                raise UserError(say(text, name=name, other=other, names=", ".join(fields)))
            if not any(one.allows(value) for one in (fields[other], *fields[other].only)):
                raise UserError(invalid_value_text(f"field {name}: {other}", fields[other], value))
        if field.under and field.under not in fields:
            text = 'field {name}: "under" names an unknown field, {other}; known fields: {names}.'
            raise UserError(say(text, name=name, other=field.under, names=", ".join(fields)))
        for one in (field, *field.only):
            if not one.choices and one.least > one.most:
                text = 'field {name}: "least" ({least}) is higher than "most" ({most}).'
                raise UserError(say(text, name=name, least=one.least, most=one.most))
        usual = field.default
        if usual is not None and not any(one.allows(usual) for one in (field, *field.only)):
            raise UserError(invalid_value_text(f"field {name}: default", field, usual))


def _read_board(
    rows: object, bounds: Mapping[str, BoardField], like: DeckFile | None
) -> dict[str, tuple[int, ...]]:
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
        _check_board_row(name, rows[name], bound, bound.lengths or as_shipped)
    return {name: tuple(rows[name]) for name in bounds}


def _check_board_row(name: str, row: object, bound: BoardField, lengths: tuple[int, int] | None) -> None:
    key = f"board.{name}"
    if not isinstance(row, list) or (lengths and not lengths[0] <= len(row) <= lengths[1]):
        raise UserError(
            say("{key} must be a list of {count} numbers.", key=key, count=_describe_lengths(lengths))
        )
    for value in row:
        if not bound.allows(value):
            raise UserError(invalid_value_text(key, bound, value))


def _describe_lengths(lengths: tuple[int, int] | None) -> Say | str:
    if lengths is None:
        return ""
    least, most = lengths
    return str(least) if least == most else say("{least} to {most}", least=least, most=most)


def _read_designs(rows: object, fields: Mapping[str, CardField], id_field: str) -> Iterator[Design]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise UserError(say("there are no cards; begin each card with [[card]]."))
    seen = set()
    for at, row in enumerate(rows, 1):
        name = _design_id(row, id_field, at)
        if name in seen:
            raise UserError(say("card {id} appears twice.", id=name))
        seen.add(name)
        try:
            yield parse_design(name, {key: value for key, value in row.items() if key != ID_KEY}, fields)
        except UserError as error:
            raise UserError(say("card {id}: {why}", id=name, why=error.text)) from error


def _design_id(row: Mapping[str, Any], id_field: str, at: int) -> str:
    name = row.get(id_field)
    if type(name) not in {str, int} or not str(name).isprintable() or not str(name).strip():
        raise UserError(say("card number {at} has no {key}.", at=at, key=id_field))
    return str(name)


def parse_design(name: str, row: Mapping[str, Any], fields: Mapping[str, CardField]) -> Design:
    """One design from its row; raises `UserError` for what is missing or can't be printed on it."""
    copies = row.get(COPIES_KEY, 1)
    if not COPIES_FIELD.allows(copies):
        raise UserError(invalid_value_text(COPIES_KEY, COPIES_FIELD, copies))
    values = {key: value for key, value in row.items() if key != COPIES_KEY}
    if fields:
        like = Deck("", (), fields=dict(fields))
        values = like.filled(values)
        like.check(values)
    return Design(name, copies, values)


# How a card looks: which of its printed values stand where. What is printed decides, never a card's code.


class FaceLayout(msgspec.Struct, frozen=True):
    """Where the printed values of cards that show `on` stand, each called by its field.

    `big` is what the card is about; `corners` and a `row` below it hold the others;
    a nought in the row is not shown.
    `colour`: the field, or where there is none the word, for what the card is painted in.
    `signs`: by its field, a picture or a colour that stands beside a value.
    """

    on: PrintedValues = {}
    big: ShortText = NAME_FIELD
    corners: tuple[ShortText, ...] = ()
    row: tuple[ShortText, ...] = ()
    colour: ShortText | None = None
    signs: dict[ShortText, ShortText] = {}

    def of(self, card: Card) -> CardFace:
        """The card with each of its known values at its spot."""
        known = card.values
        spots = {name: PrintedValue(name, known[name], self.signs.get(name, "")) for name in known}
        colour = str(known.get(self.colour, self.colour)) if self.colour else ""
        return CardFace(
            card,
            spots.get(self.big),
            tuple([spots[name] for name in self.corners if name in spots]),
            tuple([spots[name] for name in self.row if known.get(name)]),
            colour,
        )


class PrintedValue(msgspec.Struct, frozen=True):
    """One printed value: the field it is of, what it is, and the sign beside it if there is one."""

    field: str
    value: CardValue
    sign: str = ""


class CardFace(msgspec.Struct, frozen=True):
    """A card as people see it."""

    card: Card
    big: PrintedValue | None
    corners: tuple[PrintedValue, ...] = ()
    row: tuple[PrintedValue, ...] = ()
    colour: str = ""


PLAIN_LAYOUT = FaceLayout()
"""Of a card without a face of its own people see its name, if it has one."""


def face_of_card(faces: Sequence[FaceLayout], card: Card) -> CardFace:
    """The card as the first of these faces shows it that is meant for its like."""
    face = next((face for face in faces if card.shows(face.on)), PLAIN_LAYOUT)
    return face.of(card)
