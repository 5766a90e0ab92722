"""Reads the file of a deck and checks it against what may be printed; an error names the file and the key.

id = "number"          # which value names a card; without it each card has an `id`
provisional = true     # the values are a guess until the owner has entered those of their copy
[fields.number]        # what may be printed there: least, most, step or choices; `on` = which cards have it;
                       # `only` = what may be printed on some of them instead;
                       # `under` = the field whose number is the upper limit; `hint` = what it means;
                       # `halves_on` = which cards may have 7.5 there
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
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from companion.bounds import MAX_COPIES_PER_CARD, MAX_NUMBER, ShortText
from companion.cards.deck import (
    NAME_FIELD,
    Card,
    CardDesign,
    CardField,
    CardValue,
    Deck,
    PrintedValues,
    invalid_value_text,
)
from companion.distribution import PACKAGE_FOLDER
from companion.errors import UserError
from companion.files import toml
from companion.texts import Say, say

T = TypeVar("T")
SHIPPED_DECKS_FOLDER = PACKAGE_FOLDER / "games"
"""The folder of the decks that ship with Companion's own games; other games may use them too."""
DECK_NAME_PATTERN = re.compile(r"[a-z0-9_]+")
"""The pattern of a valid deck name."""
ID_KEY, COPIES_KEY = "id", "copies"
COPIES_FIELD = CardField(1, MAX_COPIES_PER_CARD)
DECK_FILE_KEYS = ("id", "provisional", "fields", "face", "board", "bounds", "card")
OWNER_FILE_KEYS = ("provisional", "board", "card")
"""The keys that an owner's deck file may have; everything else comes from the game's file."""


class BoardField(CardField, frozen=True):
    """A field for a row of values on a board: what may be printed there.

    `lengths` are the least and the greatest number of values. Without `lengths`, an owner's row must be as
    long as the shipped row. `optional`: if an owner's file lacks the row, the shipped row is used. Numbers of
    boards are whole.
    """

    step: Annotated[int, Meta(ge=1, le=MAX_NUMBER)] = 1
    lengths: tuple[int, int] | None = None
    optional: bool = False


class DeckFile(msgspec.Struct, frozen=True):
    """A parsed deck file: the deck, the key of card ids, the allowed board values and the card faces."""

    deck: Deck
    id_key: str = ID_KEY
    bounds: dict[str, BoardField] = {}
    faces: tuple[FaceLayout, ...] = ()


@cache
def shipped_deck_file(name: str, folder: Path = SHIPPED_DECKS_FOLDER) -> DeckFile:
    """Returns the deck file that ships with a game, by the name of the deck.

    The file is `NAME.toml`, beside the game's rulebook or in the folder of Companion's own game with that
    name. Raises `UserError` if there is no such file, or if it is wrong.
    """
    file = f"{name}.toml"
    folders = (folder, SHIPPED_DECKS_FOLDER / name) if DECK_NAME_PATTERN.fullmatch(name) else ()
    paths = [deck_folder / file for deck_folder in folders if (deck_folder / file).is_file()]
    if not paths:
        raise UserError(say("there is no deck {name} in the folder of the rulebook.", name=name))
    return parse_deck_file(name, paths[0].read_text(encoding="utf-8"), file)


def shipped_deck(name: str, folder: Path = SHIPPED_DECKS_FOLDER) -> Deck:
    """Returns the deck that ships with a game, with its printed values."""
    return shipped_deck_file(name, folder).deck


def parse_deck_file(
    deck_name: str, text: str, file_name: str, shipped_file: DeckFile | None = None
) -> DeckFile:
    """Returns the deck file that a text contains.

    An owner's file takes fields and bounds from the `shipped_file`. Raises `UserError`, which names
    the file, the key and what is allowed.
    """
    try:
        return _build_deck_file(
            deck_name,
            _parse_rows(text, DECK_FILE_KEYS if shipped_file is None else OWNER_FILE_KEYS),
            shipped_file,
        )
    except UserError as error:
        raise UserError(say("{file}: {why}", file=file_name, why=error.text)) from error


def _parse_rows(text: str, keys: Sequence[str]) -> dict[str, Any]:
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


def _build_deck_file(deck_name: str, rows: Mapping[str, Any], shipped_file: DeckFile | None) -> DeckFile:
    if shipped_file is None:
        fields, bounds = (
            _convert_value("fields", rows.get("fields", {}), dict[str, CardField]),
            _convert_value("bounds", rows.get("bounds", {}), dict[str, BoardField]),
        )
        _require_valid_fields(fields)
        id_field, faces = rows.get("id", ID_KEY), tuple(_read_face_layouts(rows.get("face", []), fields))
    else:
        fields, bounds, id_field, faces = (
            shipped_file.deck.fields,
            shipped_file.bounds,
            shipped_file.id_key,
            shipped_file.faces,
        )
    board = _read_board(rows.get("board", {}), bounds, shipped_file)
    designs = tuple(_read_designs(rows.get("card", []), fields, id_field))
    deck = Deck(deck_name, designs, board, fields, rows.get("provisional", False))
    return DeckFile(deck, id_field, bounds, faces)


def find_part_missing_in_logged_deck(logged_deck: Deck, shipped: Deck) -> Say | None:
    """Returns the first part that the deck of an old log lacks, as a sentence; None if it lacks nothing.

    A part is a value that a card needs by the logged deck's own fields, or a field or a row of the board that
    the shipped deck has. A value that can't be printed and a row of another length count as missing, too.
    """
    for design in logged_deck.designs if logged_deck.fields else ():
        try:
            logged_deck.check_values(design.values)
        except UserError as error:
            return say("card {id}: {why}", id=design.id, why=error.text)
    for name in shipped.fields:
        if name not in logged_deck.fields:
            return say("fields.{key} is missing.", key=name)
    for name, row in shipped.board.items():
        if name not in logged_deck.board:
            return say("board.{key} is missing.", key=name)
        if len(logged_deck.board[name]) != len(row):
            text = "board.{key} must have {needed} numbers, not {count}."
            return say(text, key=name, count=len(logged_deck.board[name]), needed=len(row))
    return None


def _read_face_layouts(rows: object, fields: Mapping[str, CardField]) -> Iterator[FaceLayout]:
    faces = _convert_value("face", rows, list[FaceLayout])
    known_fields = (NAME_FIELD, *fields)
    for face in faces:
        named = (*face.on, face.big, *face.corners, *face.row, *face.signs, face.emblem_field or face.big)
        for name in named:
            if fields and name not in known_fields:
                text = "face: unknown field {name}; known fields: {names}."
                raise UserError(say(text, name=name, names=", ".join(known_fields)))
        yield face


def _convert_value(key: str, value: object, value_type: type[T]) -> T:
    """Returns the value of a key, converted to `value_type`; raises `UserError`."""
    try:
        return toml.convert_value(value, value_type)
    except toml.InvalidTomlValue as error:
        dot = "." if error.key and not error.key.startswith("[") else ""
        raise UserError(say("{key}: {why}.", key=f"{key}{dot}{error.key}", why=error.text)) from None


def _require_valid_fields(fields: Mapping[str, CardField]) -> None:
    """Raises `UserError` for a field that depends on an unknown one, or whose default isn't allowed."""
    for name, field in fields.items():
        variants = (field, *field.only)
        conditions = [
            condition
            for variant in variants
            for condition in (*variant.on.items(), *variant.halves_on.items())
        ]
        for other, value in conditions:
            if other not in fields:
                text = 'field {name}: "on" names an unknown field, {other}; known fields: {names}.'
                raise UserError(say(text, name=name, other=other, names=", ".join(fields)))
            if not any(variant.allows(value) for variant in (fields[other], *fields[other].only)):
                raise UserError(invalid_value_text(f"field {name}: {other}", fields[other], value))
        for variant in (field, *field.only):
            _require_valid_upper_limit(name, variant, fields)
            if not variant.choices and variant.least > variant.most:
                text = 'field {name}: "least" ({least}) is higher than "most" ({most}).'
                raise UserError(say(text, name=name, least=variant.least, most=variant.most))
        default = field.default
        if default is not None and not any(variant.allows(default) for variant in (field, *field.only)):
            raise UserError(invalid_value_text(f"field {name}: default", field, default))


def _require_valid_upper_limit(name: str, field: CardField, fields: Mapping[str, CardField]) -> None:
    """Raises `UserError` if `under` doesn't name a field with numbers, or if the field itself has none."""
    if not field.under:
        return
    if field.under not in fields:
        text = 'field {name}: "under" names an unknown field, {other}; known fields: {names}.'
        raise UserError(say(text, name=name, other=field.under, names=", ".join(fields)))
    other = fields[field.under]
    if field.choices or any(variant.choices for variant in (other, *other.only)):
        text = 'field {name}: "under" needs numbers in {name} and in {other}, not choices.'
        raise UserError(say(text, name=name, other=field.under))


def _read_board(
    rows: object, bounds: Mapping[str, BoardField], shipped_file: DeckFile | None
) -> dict[str, tuple[int, ...]]:
    if not isinstance(rows, dict):
        raise UserError(say("the numbers of the board must be in a section called [board]."))
    for name in rows:
        if name not in bounds:
            raise UserError(say("board.{key} is unknown; known: {names}.", key=name, names=", ".join(bounds)))
    optional_rows = {
        name: shipped_file.deck.board[name]
        for name, bound in bounds.items()
        if shipped_file and bound.optional
    }
    rows = {**{name: list(row) for name, row in optional_rows.items()}, **rows}
    for name in bounds:
        if name not in rows:
            raise UserError(say("board.{key} is missing.", key=name))
        bound = bounds[name]
        shipped_lengths = (len(shipped_file.deck.board[name]),) * 2 if shipped_file else None
        _require_valid_board_row(name, rows[name], bound, bound.lengths or shipped_lengths)
    return {name: tuple(rows[name]) for name in bounds}


def _require_valid_board_row(
    name: str, row: object, bound: BoardField, lengths: tuple[int, int] | None
) -> None:
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


def _read_designs(rows: object, fields: Mapping[str, CardField], id_field: str) -> Iterator[CardDesign]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise UserError(say("there are no cards; begin each card with [[card]]."))
    names = set()
    for number, row in enumerate(rows, 1):
        name = _design_id(row, id_field, number)
        if name in names:
            raise UserError(say("card {id} appears twice.", id=name))
        names.add(name)
        try:
            yield parse_design(name, {key: value for key, value in row.items() if key != ID_KEY}, fields)
        except UserError as error:
            raise UserError(say("card {id}: {why}", id=name, why=error.text)) from error


def _design_id(row: Mapping[str, Any], id_field: str, number: int) -> str:
    name = row.get(id_field)
    if type(name) not in {str, int} or not str(name).isprintable() or not str(name).strip():
        raise UserError(say("card number {at} has no {key}.", at=number, key=id_field))
    return str(name)


def parse_design(design_id: str, row: Mapping[str, Any], fields: Mapping[str, CardField]) -> CardDesign:
    """Returns one card design from its row in a file.

    Raises `UserError` for a value that is missing or can't be printed on the card.
    """
    copies = row.get(COPIES_KEY, 1)
    if not COPIES_FIELD.allows(copies):
        raise UserError(invalid_value_text(COPIES_KEY, COPIES_FIELD, copies))
    values = {key: value for key, value in row.items() if key != COPIES_KEY}
    if fields:
        deck = Deck("", (), fields=dict(fields))
        values = deck.fill_in_defaults(values)
        deck.check_values(values)
    return CardDesign(design_id, copies, values)


# Faces: where the printed values are. A card's face depends on what is printed, never on the card's code.


class FaceLayout(msgspec.Struct, frozen=True):
    """The layout of a card's face: where which printed value is.

    Cards with the values of `on` have this layout. Each value is given by its field. `big` is the main value;
    the other values are in the `corners` and in a `row` below it. A zero in the row is not shown. `colour`:
    the field with the colour of the card, or the colour itself if there is no such field. `signs`: by field,
    a picture or a colour that is shown beside the value. `emblems`: by the value of `emblem_field`, or by
    main value, a character that is drawn over the main value, or in its place if the card has none.
    """

    on: PrintedValues = {}
    big: ShortText = NAME_FIELD
    corners: tuple[ShortText, ...] = ()
    row: tuple[ShortText, ...] = ()
    colour: ShortText | None = None
    signs: dict[ShortText, ShortText] = {}
    emblems: dict[ShortText, ShortText] = {}
    emblem_field: ShortText | None = None

    def build_face(self, card: Card) -> CardFace:
        """Returns the face of a card, with each known value in its place."""
        values = card.values
        printed_values = {name: PrintedValue(name, values[name], self.signs.get(name, "")) for name in values}
        colour = str(values.get(self.colour, self.colour)) if self.colour else ""
        return CardFace(
            card,
            printed_values.get(self.big),
            tuple([printed_values[name] for name in self.corners if name in printed_values]),
            tuple([printed_values[name] for name in self.row if values.get(name)]),
            colour,
            self.emblems.get(str(values.get(self.emblem_field or self.big, "")), ""),
        )


class PrintedValue(msgspec.Struct, frozen=True):
    """One printed value: its field, the value itself, and the sign beside it, if any."""

    field: str
    value: CardValue
    sign: str = ""


class CardFace(msgspec.Struct, frozen=True):
    """The face of a card as people see it: its main value with its emblem, corners, row and colour."""

    card: Card
    big: PrintedValue | None
    corners: tuple[PrintedValue, ...] = ()
    row: tuple[PrintedValue, ...] = ()
    colour: str = ""
    emblem: str = ""


DEFAULT_FACE_LAYOUT = FaceLayout()
"""The layout of cards without a layout of their own: only their name, if they have one."""


def face_of_card(layouts: Sequence[FaceLayout], card: Card) -> CardFace:
    """Returns the face of a card, with the first of `layouts` whose condition `on` the card fulfils."""
    face = next((face for face in layouts if card.has_printed_values(face.on)), DEFAULT_FACE_LAYOUT)
    return face.build_face(card)
