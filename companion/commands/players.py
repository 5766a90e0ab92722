"""The subcommand `players`: lists who has played, how often, and how many games they won."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import closing

from companion.files.state_directory import state_directory
from companion.monospace_text import align_columns
from companion.record import player_statistics
from companion.store import Store
from companion.subcommand import Subcommand, add_examples, add_state_argument
from companion.texts import render, say, say_n


def _list(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state))) as store:
        players = player_statistics.statistics_of_all_players(store)
    rows = [
        [
            render(player.name),
            render(say_n("{n} game", "{n} games", n=player.games)),
            render(say_n("{n} won", "{n} won", n=player.wins)),
        ]
        for player in players
    ]
    if rows:
        print(*align_columns(rows), sep="\n")
    else:
        print(render(say("Nobody has finished a game yet.")))
    return 0


def _merge(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        player_statistics.merge_players(store, args.name, args.into)
    return 0


def _delete(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        player_statistics.delete_player_statistics(store, args.name)
    return 0


def _add_arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.set_defaults(do=_list)
    subparsers = parser.add_subparsers(metavar="ACTION")
    for name, help_text, do, example in (
        ("list", "List all players with their games and wins.", _list, "companion players list"),
        (
            "merge",
            "Count the games of NAME as games of INTO, because both are the same person.",
            _merge,
            "companion players merge Akki Aki",
        ),
        ("delete", "Forget the wins of NAME. The games stay saved.", _delete, "companion players delete Ben"),
    ):
        subparser = subparsers.add_parser(name, help=help_text, description=help_text)
        add_examples(subparser, example)
        if do is not _list:
            subparser.add_argument("name", metavar="NAME", help="the name of the player")
        if do is _merge:
            subparser.add_argument("into", metavar="INTO", help="the name that stays")
        add_state_argument(subparser, is_nested=True)
        subparser.set_defaults(do=do)


PLAYERS = Subcommand(
    "List all players with their games and wins, or merge or forget players.",
    _add_arguments,
    lambda args: int(args.do(args)),
    ("companion players list", "companion players merge Akki Aki"),
)
