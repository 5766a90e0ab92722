"""The subcommand `cards`: shows, enters, checks, imports and exports the values on the owner's cards.

A change is refused as a whole: after an error all values are as before.
More subcommands of `cards` come from entry points of the group `companion.cards`. One is in
`hardware.commands.learn`: learning tags needs devices, which this package must not import.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import msgspec

from companion import installed_games
from companion.cards import Deck
from companion.errors import (
    InternalError,
    UnknownName,
    UserError,
    describe_exception,
    make_unknown_name_error,
)
from companion.files import toml, user_files
from companion.files.state_directory import state_directory
from companion.monospace_text import align_columns
from companion.owner_decks import (
    DesignRow,
    EditableDeckRows,
    OwnerDeck,
    csv_columns,
    deck_to_rows,
    parse_cell,
    rows_from_csv,
    rows_to_csv,
    rows_to_toml,
)
from companion.store import Store
from companion.subcommand import Subcommand, add_examples, add_state_argument
from companion.tag_enrolment import card_label, require_card_in_deck, taggable_decks_by_name
from companion.texts import Say, render, say, say_n

ENTRY_POINT_GROUP = "companion.cards"
BOARD_PREFIX = "board."
NO_TAG = "–"
STDOUT = "-"
TOML_SUFFIX, CSV_SUFFIX = ".toml", ".csv"

CardsSubcommandHandler = Callable[[OwnerDeck, Namespace], int]


def _find_owner_deck(name: str, directory: Path) -> OwnerDeck:
    """Returns the owner's cards of a game.

    Raises `UnknownName`, which names the games that have cards, or says what is broken.
    """
    owner_decks = installed_games.owner_decks_by_name(directory)
    key = installed_games.match_game_key(
        name,
        {key: deck.game if deck.game.key == key else None for key, deck in owner_decks.items()},
    )
    if key not in owner_decks:
        for broken_game in installed_games.broken_games():
            if broken_game.key == name:
                raise UnknownName(broken_game.why)
        text = "There are no cards for {name}. Games with cards: {names}."
        raise make_unknown_name_error(name, owner_decks, say(text, name=name, names=", ".join(owner_decks)))
    return owner_decks[key]


# list


def _list_games(args: Namespace) -> int:
    description_by_game = {
        name: _describe_deck(owner_deck)
        for name, owner_deck in installed_games.owner_decks_by_name(state_directory(args.state)).items()
    }
    description_by_game |= {
        broken_game.key: broken_game.why for broken_game in installed_games.broken_games()
    }
    width = max(map(len, description_by_game), default=0)
    for name, description in description_by_game.items():
        print(f"{name:{width}}  {render(description)}")
    return 0


def _describe_deck(owner_deck: OwnerDeck) -> Say:
    """Returns a line about the cards of a game; about a broken file, what is wrong with it."""
    try:
        deck = owner_deck.load_own_or_shipped_deck()
    except UserError as error:
        return error.text
    return say(
        "{game}: {cards} cards, {state}",
        game=owner_deck.game.title,
        cards=len(deck.cards),
        state=_describe_state(owner_deck, deck),
    )


def _describe_state(owner_deck: OwnerDeck, deck: Deck) -> Say:
    if deck.provisional:
        return say("provisional")
    return say("entered") if owner_deck.might_have_own_values else say("complete")


# show


def _show(owner_deck: OwnerDeck, _: Namespace) -> int:
    rows = owner_deck.load_rows()
    names = csv_columns(owner_deck.shipped_file)
    print(render(_describe_deck(owner_deck)))
    print()
    cells = [[str(row.get(name, "")) for name in names] for row in rows.cards]
    print(*align_columns([names, *cells]), sep="\n")
    if rows.board:
        board = [[f"{BOARD_PREFIX}{key}", " ".join(map(str, numbers))] for key, numbers in rows.board.items()]
        print("", *align_columns(board), sep="\n")
    return 0


# edit


def _add_edit_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("what", metavar="CARD", help="the card, or board.NAME")
    parser.add_argument(
        "values",
        metavar="FIELD=VALUE",
        nargs="+",
        help="the values printed on the card, or the numbers of the board",
    )


def _edit(owner_deck: OwnerDeck, args: Namespace) -> int:
    rows = owner_deck.load_rows()
    if args.what.startswith(BOARD_PREFIX):
        changed = _with_board_values(rows, args.what, args.values, owner_deck)
    else:
        changed = _with_card_values(rows, args.what, args.values, owner_deck)
    owner_deck.save_rows(changed, str(owner_deck.path))
    _print_faults_and_summary(owner_deck)
    return 0


def _with_board_values(
    rows: EditableDeckRows, board_name: str, numbers: Sequence[str], owner_deck: OwnerDeck
) -> EditableDeckRows:
    key = board_name.removeprefix(BOARD_PREFIX)
    if key not in rows.board:
        names = ", ".join(rows.board) or "none"
        text = "The boards of {game} have no value called {key}. Choose from: {names}."
        not_found = say(text, key=key, game=owner_deck.game.title, names=names)
        raise make_unknown_name_error(key, rows.board, not_found)
    values = [parse_cell(owner_deck.shipped_file, board_name, number) for number in numbers]
    return msgspec.structs.replace(rows, board={**rows.board, key: values})


def _with_card_values(
    rows: EditableDeckRows, name: str, assignments: Sequence[str], owner_deck: OwnerDeck
) -> EditableDeckRows:
    id_field = owner_deck.shipped_file.id_key
    names = [str(row[id_field]) for row in rows.cards]
    if name not in names:
        text = "{game} has no card {id}. Its cards: {names}."
        raise UnknownName(say(text, id=name, game=owner_deck.game.title, names=", ".join(names)))
    index = names.index(name)
    changed = _with_printed_values(rows.cards[index], assignments, owner_deck)
    return msgspec.structs.replace(rows, cards=[*rows.cards[:index], changed, *rows.cards[index + 1 :]])


def _with_printed_values(row: DesignRow, assignments: Sequence[str], owner_deck: OwnerDeck) -> DesignRow:
    """Returns the row with values typed as FIELD=VALUE; an empty value is not printed on the card."""
    changed = dict(row)
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals:
            raise UserError(say("Write a value as FIELD=VALUE, not {text}.", text=assignment))
        if text:
            changed[key] = parse_cell(owner_deck.shipped_file, key, text)
        else:
            changed.pop(key, None)
    return changed


def _print_faults_and_summary(owner_deck: OwnerDeck) -> None:
    """Prints what people should check, the line about the cards, and what is left to do."""
    deck = owner_deck.load_own_or_shipped_deck()
    for warning in owner_deck.check_deck(deck, str(owner_deck.path)):
        print(render(say("Please check: {why}", why=warning)))
    print(render(_describe_deck(owner_deck)))
    if deck.provisional:
        text = "The values are still provisional. When they all match your cards, run: {command}"
        print(render(say(text, command=f"companion cards check {owner_deck.deck_name} --entered")))


# check


def _add_check_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--entered",
        action="store_true",
        help="confirm that all values match your cards, so they are no longer provisional",
    )


def _check(owner_deck: OwnerDeck, args: Namespace) -> int:
    if args.entered:
        owner_deck.save_rows(
            msgspec.structs.replace(owner_deck.load_rows(), provisional=False),
            str(owner_deck.path),
        )
    _print_faults_and_summary(owner_deck)
    return 0


# export and import


def _add_file_argument(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file that ends in .toml or .csv")


def _export(owner_deck: OwnerDeck, args: Namespace) -> int:
    rows = owner_deck.load_rows()
    text = (
        rows_to_csv(rows.cards, owner_deck.shipped_file)
        if _file_suffix(args.file) == CSV_SUFFIX
        else rows_to_toml(rows)
    )
    if args.file == STDOUT:
        print(text, end="")
    else:
        user_files.write_user_file(Path(args.file), text)
    return 0


def _import(owner_deck: OwnerDeck, args: Namespace) -> int:
    text = user_files.read_user_file(Path(args.file), toml.MAX_TOML_CHARACTERS)
    if _file_suffix(args.file) == CSV_SUFFIX:
        rows = msgspec.structs.replace(
            owner_deck.load_rows(), cards=_parse_csv_cards(text, owner_deck, args.file)
        )
    else:
        rows = deck_to_rows(owner_deck.parse_deck(text, args.file), owner_deck.shipped_file.id_key)
    owner_deck.save_rows(rows, args.file)
    _print_faults_and_summary(owner_deck)
    return 0


def _parse_csv_cards(text: str, owner_deck: OwnerDeck, file_name: str) -> list[DesignRow]:
    try:
        return rows_from_csv(text, owner_deck.shipped_file)
    except UserError as error:
        raise UserError(say("{file}: {why}", file=file_name, why=error.text)) from error


def _file_suffix(file_name: str) -> str:
    suffix = TOML_SUFFIX if file_name == STDOUT else Path(file_name).suffix.lower()
    if suffix not in {TOML_SUFFIX, CSV_SUFFIX}:
        raise UserError(say("{file} must end in .toml or .csv.", file=file_name))
    return suffix


# tags


def load_taggable_deck(owner_deck: OwnerDeck) -> Deck:
    """Returns the deck of an owner's cards, whose cards can have tags.

    Raises `UnknownName` for a deck without tags, and lists the games whose cards can have tags.
    """
    decks = taggable_decks_by_name(owner_deck.path.parent)
    if owner_deck.deck_name not in decks:
        text = "There are no cards for {name}. Games with cards: {names}."
        raise UnknownName(say(text, name=owner_deck.deck_name, names=", ".join(decks)))
    return owner_deck.load_own_or_shipped_deck()


def describe_tag_count(owner_deck: OwnerDeck, deck: Deck, store: Store) -> Say:
    """Returns how many cards of a deck have tags."""
    cards = deck.cards
    return say_n(
        "{game}: {n} of {cards} cards has a tag.",
        "{game}: {n} of {cards} cards have a tag.",
        n=len(cards.keys() & store.tag_uid_by_card(owner_deck.deck_name).keys()),
        game=owner_deck.game.title,
        cards=len(cards),
    )


def _tags(owner_deck: OwnerDeck, args: Namespace) -> int:
    deck = load_taggable_deck(owner_deck)
    with closing(Store.open(state_directory(args.state))) as store:
        print(render(describe_tag_count(owner_deck, deck, store)))
        tags = store.tag_uid_by_card(owner_deck.deck_name)
    print(*align_columns([[name, render(tags.get(name, NO_TAG))] for name in deck.cards]), sep="\n")
    return 0


def _add_card_argument(parser: ArgumentParser) -> None:
    parser.add_argument("card", metavar="CARD", help="the card; companion cards tags GAME lists all cards")


def _forget(owner_deck: OwnerDeck, args: Namespace) -> int:
    deck = load_taggable_deck(owner_deck)
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        tag = store.tag_uid_by_card(owner_deck.deck_name).get(args.card)
        if tag is None:
            require_card_in_deck(deck, args.card, owner_deck.game.title)
            raise UserError(say("{card} has no tag.", card=card_label(deck, args.card)))
        store.unassign_tag(tag)
        print(render(describe_tag_count(owner_deck, deck, store)))
    return 0


# the subcommand


class CardsSubcommand(msgspec.Struct, frozen=True):
    """A subcommand of `companion cards`, which does something with the cards of a game."""

    help: str
    run: CardsSubcommandHandler
    add_arguments: Callable[[ArgumentParser], None] = lambda _: None
    example: str = ""


BUILT_IN_SUBCOMMANDS = {
    "show": CardsSubcommand(
        "Show the values of all cards and boards of a game.", _show, example="companion cards show egypt"
    ),
    "edit": CardsSubcommand(
        "Enter the values of one card or board.",
        _edit,
        _add_edit_arguments,
        "companion cards edit bidders W1 popularity=5",
    ),
    "check": CardsSubcommand(
        "Check the values you entered.",
        _check,
        _add_check_arguments,
        "companion cards check bidders --entered",
    ),
    "import": CardsSubcommand(
        "Read all values from a file.",
        _import,
        _add_file_argument,
        "companion cards import bidders bidders.csv",
    ),
    "export": CardsSubcommand(
        "Write all values to a file, or print them if FILE is -.",
        _export,
        _add_file_argument,
        "companion cards export bidders bidders.csv",
    ),
}


def cards_subcommands() -> dict[str, CardsSubcommand]:
    """Returns the subcommands of `cards` by name, including those of other packages.

    A subcommand that can't be loaded reports this when somebody uses it.
    """
    return BUILT_IN_SUBCOMMANDS | {
        point.name: _load_subcommand(point) for point in entry_points(group=ENTRY_POINT_GROUP)
    }


def _load_subcommand(point: EntryPoint) -> CardsSubcommand:
    try:
        subcommand = point.load()
    except Exception as fault:  # noqa: BLE001 - whatever a stranger's module raises, the others must go on
        return _broken_subcommand(point, describe_exception(fault))
    if isinstance(subcommand, CardsSubcommand):
        return subcommand
    return _broken_subcommand(point, f"{point.value} is not a CardsSubcommand")


def _broken_subcommand(point: EntryPoint, why: str) -> CardsSubcommand:
    error = InternalError(
        say('The command "cards {name}" can\'t be loaded: {why}.', name=point.name, why=why)
    )
    return CardsSubcommand(str(error), partial(_raise_error, error))


def _raise_error(error: InternalError, *_: object) -> int:
    raise error


def _add_arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.set_defaults(do=_list_games)
    subparsers = parser.add_subparsers(metavar="ACTION")
    list_help = "List the games with cards."
    list_parser = subparsers.add_parser("list", help=list_help, description=list_help)
    add_examples(list_parser, "companion cards list")
    list_parser.set_defaults(do=_list_games)
    add_state_argument(list_parser, is_nested=True)
    for name, subcommand in cards_subcommands().items():
        escaped_help = subcommand.help.replace("%", "%%")  # argparse replaces %(…); a fault may contain %
        subparser = subparsers.add_parser(name, help=escaped_help, description=subcommand.help)
        subparser.add_argument(
            "game", metavar="GAME", help="the game; companion cards list lists all games with cards"
        )
        subcommand.add_arguments(subparser)
        if subcommand.example:
            add_examples(subparser, subcommand.example)
        add_state_argument(subparser, is_nested=True)
        subparser.set_defaults(
            do=lambda args, do=subcommand.run: do(
                _find_owner_deck(args.game, state_directory(args.state)), args
            )
        )


CARDS = Subcommand(
    "Show and enter the values printed on your cards and boards.",
    _add_arguments,
    lambda args: int(args.do(args)),
    ("companion cards list", "companion cards edit bidders W1 popularity=5"),
)

TAGS = CardsSubcommand(
    "List the cards of a game and their tags.", _tags, example="companion cards tags mammon"
)
FORGET = CardsSubcommand(
    "Remove the tag of a card.", _forget, _add_card_argument, "companion cards forget mammon spy.1"
)
