"""The subcommand `cards`: shows, enters, checks, imports and exports the values on the owner's cards.

A change is refused as a whole: after an error all values are as before.
More subcommands of `cards` come from entry points of the group `companion.cards`: learning tags needs
devices, which this package must not import. `hardware.commands.learn` has it.
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
    DeckRows,
    DesignRow,
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

RunOnCards = Callable[[OwnerDeck, Namespace], int]


def _copy(name: str, directory: Path) -> OwnerDeck:
    """Raises `UnknownName`, which names the games that have cards, or says what is broken."""
    copies = installed_games.owner_decks(directory)
    known = installed_games.match_game_key(
        name, {key: copy.game if copy.game.key == key else None for key, copy in copies.items()}
    )
    if known not in copies:
        for broken in installed_games.broken_games():
            if broken.key == name:
                raise UnknownName(broken.why)
        text = "There are no cards for {name}. Games with cards: {names}."
        raise make_unknown_name_error(name, copies, say(text, name=name, names=", ".join(copies)))
    return copies[known]


# list


def _list(args: Namespace) -> int:
    lines = {
        name: _summary(copy)
        for name, copy in installed_games.owner_decks(state_directory(args.state)).items()
    }
    lines |= {broken.key: broken.why for broken in installed_games.broken_games()}
    width = max(map(len, lines), default=0)
    for name, line in lines.items():
        print(f"{name:{width}}  {render(line)}")
    return 0


def _summary(copy: OwnerDeck) -> Say:
    """A broken file is told in the line of its game."""
    try:
        deck = copy.load_deck()
    except UserError as error:
        return error.text
    return say(
        "{game}: {cards} cards, {state}",
        game=copy.game.title,
        cards=len(deck.cards),
        state=_state(copy, deck),
    )


def _state(copy: OwnerDeck, deck: Deck) -> Say:
    if deck.provisional:
        return say("provisional")
    return say("entered") if copy.has_own_values else say("complete")


# show


def _show(copy: OwnerDeck, _: Namespace) -> int:
    rows = copy.load_rows()
    names = csv_columns(copy.shipped_file)
    print(render(_summary(copy)))
    print()
    cells = [[str(row.get(name, "")) for name in names] for row in rows.cards]
    print(*align_columns([names, *cells]), sep="\n")
    if rows.board:
        board = [[f"{BOARD_PREFIX}{key}", " ".join(map(str, numbers))] for key, numbers in rows.board.items()]
        print("", *align_columns(board), sep="\n")
    return 0


# edit


def _edit_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("what", metavar="CARD", help="the card, or board.NAME")
    parser.add_argument(
        "values",
        metavar="FIELD=VALUE",
        nargs="+",
        help="the values printed on the card, or the numbers of the board",
    )


def _edit(copy: OwnerDeck, args: Namespace) -> int:
    rows = copy.load_rows()
    if args.what.startswith(BOARD_PREFIX):
        changed = _with_board(rows, args.what, args.values, copy)
    else:
        changed = _with_card(rows, args.what, args.values, copy)
    copy.save_rows(changed, str(copy.path))
    _print_state(copy)
    return 0


def _with_board(rows: DeckRows, what: str, numbers: Sequence[str], copy: OwnerDeck) -> DeckRows:
    key = what.removeprefix(BOARD_PREFIX)
    if key not in rows.board:
        names = ", ".join(rows.board) or "none"
        none = say("The boards of {game} have no value called {key}. Choose from: {names}.",
                   key=key, game=copy.game.title, names=names)  # fmt: skip  # one sentence
        raise make_unknown_name_error(key, names.split(", "), none)
    read = [parse_cell(copy.shipped_file, what, number) for number in numbers]
    return msgspec.structs.replace(rows, board={**rows.board, key: read})


def _with_card(rows: DeckRows, name: str, pairs: Sequence[str], copy: OwnerDeck) -> DeckRows:
    id_field = copy.shipped_file.id
    names = [str(row[id_field]) for row in rows.cards]
    if name not in names:
        raise UnknownName(say("{game} has no card {id}. Its cards: {names}.",
                          id=name, game=copy.game.title, names=", ".join(names)))  # fmt: skip  # one sentence
    at = names.index(name)
    changed = _with_values(rows.cards[at], pairs, copy)
    return msgspec.structs.replace(rows, cards=[*rows.cards[:at], changed, *rows.cards[at + 1 :]])


def _with_values(row: DesignRow, pairs: Sequence[str], copy: OwnerDeck) -> DesignRow:
    """An empty value is not printed on the card."""
    changed = dict(row)
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise UserError(say("Write a value as FIELD=VALUE, not {text}.", text=pair))
        if text:
            changed[key] = parse_cell(copy.shipped_file, key, text)
        else:
            changed.pop(key, None)
    return changed


def _print_state(copy: OwnerDeck) -> None:
    """Prints what looks odd, what there is now, and what is left to do."""
    deck = copy.load_deck()
    for odd in copy.check_deck(deck, str(copy.path)):
        print(render(say("Please check: {why}", why=odd)))
    print(render(_summary(copy)))
    if deck.provisional:
        command = f"companion cards check {copy.name} --entered"
        print(
            render(
                say(
                    "The values are still provisional. When they all match your cards, run: {command}",
                    command=command,
                )
            )
        )


# check


def _check_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--entered",
        action="store_true",
        help="confirm that all values match your cards, so they are no longer provisional",
    )


def _check(copy: OwnerDeck, args: Namespace) -> int:
    if args.entered:
        copy.save_rows(msgspec.structs.replace(copy.load_rows(), provisional=False), str(copy.path))
    _print_state(copy)
    return 0


# export and import


def _file_argument(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file that ends in .toml or .csv")


def _export(copy: OwnerDeck, args: Namespace) -> int:
    rows = copy.load_rows()
    text = (
        rows_to_csv(rows.cards, copy.shipped_file)
        if _format_of(args.file) == CSV_SUFFIX
        else rows_to_toml(rows)
    )
    if args.file == STDOUT:
        print(text, end="")
    else:
        user_files.write_user_file(Path(args.file), text)
    return 0


def _import(copy: OwnerDeck, args: Namespace) -> int:
    text = user_files.read_user_file(Path(args.file), toml.MAX_FILE_CHARACTERS)
    if _format_of(args.file) == CSV_SUFFIX:
        rows = msgspec.structs.replace(copy.load_rows(), cards=_cards(text, copy, args.file))
    else:
        rows = deck_to_rows(copy.parse_deck(text, args.file), copy.shipped_file.id)
    copy.save_rows(rows, args.file)
    _print_state(copy)
    return 0


def _cards(text: str, copy: OwnerDeck, where: str) -> list[DesignRow]:
    try:
        return rows_from_csv(text, copy.shipped_file)
    except UserError as error:
        raise UserError(say("{file}: {why}", file=where, why=error.text)) from error


def _format_of(name: str) -> str:
    kind = TOML_SUFFIX if name == STDOUT else Path(name).suffix.lower()
    if kind not in {TOML_SUFFIX, CSV_SUFFIX}:
        raise UserError(say("{file} must end in .toml or .csv.", file=name))
    return kind


# tags


def load_taggable_deck(owner_deck: OwnerDeck) -> Deck:
    """Returns the deck of an owner's cards, whose cards can have tags.

    Raises `UnknownName` for another deck, and lists the games whose cards can have tags.
    """
    names = taggable_decks_by_name(owner_deck.path.parent)
    if owner_deck.name not in names:
        known = ", ".join(names)
        raise UnknownName(
            say(
                "There are no cards for {name}. Games with cards: {names}.", name=owner_deck.name, names=known
            )
        )
    return owner_deck.load_deck()


def describe_tag_count(owner_deck: OwnerDeck, deck: Deck, store: Store) -> Say:
    """Returns how many cards of a deck have tags."""
    cards = deck.cards
    return say_n(
        "{game}: {n} of {cards} cards has a tag.",
        "{game}: {n} of {cards} cards have a tag.",
        n=len(cards.keys() & store.tag_uid_by_card(owner_deck.name).keys()),
        game=owner_deck.game.title,
        cards=len(cards),
    )


def _tags(copy: OwnerDeck, args: Namespace) -> int:
    deck = load_taggable_deck(copy)
    with closing(Store.open(state_directory(args.state))) as store:
        print(render(describe_tag_count(copy, deck, store)))
        tags = store.tag_uid_by_card(copy.name)
    print(*align_columns([[name, render(tags.get(name, NO_TAG))] for name in deck.cards]), sep="\n")
    return 0


def _card_argument(parser: ArgumentParser) -> None:
    parser.add_argument("card", metavar="CARD", help="the card; companion cards tags GAME lists all cards")


def _forget(copy: OwnerDeck, args: Namespace) -> int:
    deck = load_taggable_deck(copy)
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        tag = store.tag_uid_by_card(copy.name).get(args.card)
        if tag is None:
            require_card_in_deck(deck, args.card, copy.game.title)
            raise UserError(say("{card} has no tag.", card=card_label(deck, args.card)))
        store.unassign_tag(tag)
        print(render(describe_tag_count(copy, deck, store)))
    return 0


# the subcommand


class CardsSubcommand(msgspec.Struct, frozen=True):
    """A subcommand of `companion cards`, which does something with the cards of a game."""

    help: str
    run: RunOnCards
    add_arguments: Callable[[ArgumentParser], None] = lambda _: None
    example: str = ""


BUILT_IN_SUBCOMMANDS = {
    "show": CardsSubcommand(
        "Show the values of all cards and boards of a game.", _show, example="companion cards show egypt"
    ),
    "edit": CardsSubcommand(
        "Enter the values of one card or board.",
        _edit,
        _edit_arguments,
        "companion cards edit bidders W1 popularity=5",
    ),
    "check": CardsSubcommand(
        "Check the values you entered.", _check, _check_arguments, "companion cards check bidders --entered"
    ),
    "import": CardsSubcommand(
        "Read all values from a file.", _import, _file_argument, "companion cards import bidders bidders.csv"
    ),
    "export": CardsSubcommand(
        "Write all values to a file, or print them if FILE is -.",
        _export,
        _file_argument,
        "companion cards export bidders bidders.csv",
    ),
}


def cards_subcommands() -> dict[str, CardsSubcommand]:
    """Returns the subcommands of `cards` by name, including those of other packages.

    A subcommand that can't be loaded reports this when somebody uses it.
    """
    return BUILT_IN_SUBCOMMANDS | {
        point.name: _loaded(point) for point in entry_points(group=ENTRY_POINT_GROUP)
    }


def _loaded(point: EntryPoint) -> CardsSubcommand:
    try:
        part = point.load()
    except Exception as fault:  # noqa: BLE001 - whatever a stranger's module raises, the others must go on
        return _broken(point, describe_exception(fault))
    if isinstance(part, CardsSubcommand):
        return part
    return _broken(point, f"{point.value} is not a CardsSubcommand")


def _broken(point: EntryPoint, why: str) -> CardsSubcommand:
    error = InternalError(
        say('The command "cards {name}" can\'t be loaded: {why}.', name=point.name, why=why)
    )
    return CardsSubcommand(str(error), partial(_fail, error))


def _fail(error: InternalError, *_: object) -> int:
    raise error


def _arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.set_defaults(do=_list)
    names = parser.add_subparsers(metavar="ACTION")
    about = "List the games with cards."
    lists = names.add_parser("list", help=about, description=about)
    add_examples(lists, "companion cards list")
    lists.set_defaults(do=_list)
    add_state_argument(lists, is_nested=True)
    for name, part in cards_subcommands().items():
        in_list = part.help.replace("%", "%%")  # argparse fills in what stands there; a fault may hold any
        one = names.add_parser(name, help=in_list, description=part.help)
        one.add_argument(
            "game", metavar="GAME", help="the game; companion cards list lists all games with cards"
        )
        part.add_arguments(one)
        if part.example:
            add_examples(one, part.example)
        add_state_argument(one, is_nested=True)
        one.set_defaults(do=lambda args, do=part.run: do(_copy(args.game, state_directory(args.state)), args))


CARDS = Subcommand(
    "Show and enter the values printed on your cards and boards.",
    _arguments,
    lambda args: int(args.do(args)),
    ("companion cards list", "companion cards edit bidders W1 popularity=5"),
)

TAGS = CardsSubcommand(
    "List the cards of a game and their tags.", _tags, example="companion cards tags mammon"
)
FORGET = CardsSubcommand(
    "Remove the tag of a card.", _forget, _card_argument, "companion cards forget mammon spy.1"
)
