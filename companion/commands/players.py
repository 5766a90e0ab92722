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
        found = player_statistics.statistics_of_all_players(store)
    rows = [
        [
            render(player.name),
            render(say_n("{n} game", "{n} games", n=player.games)),
            render(say_n("{n} won", "{n} won", n=player.wins)),
        ]
        for player in found
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


def _arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.set_defaults(do=_list)
    parts = parser.add_subparsers(metavar="ACTION")
    for name, help_, do, example in (
        ("list", "List all players with their games and wins.", _list, "companion players list"),
        (
            "merge",
            "Count the games of NAME as games of INTO, because both are the same person.",
            _merge,
            "companion players merge Akki Aki",
        ),
        ("delete", "Forget the wins of NAME. The games stay saved.", _delete, "companion players delete Ben"),
    ):
        one = parts.add_parser(name, help=help_, description=help_)
        add_examples(one, example)
        if do is not _list:
            one.add_argument("name", metavar="NAME", help="the name of the player")
        if do is _merge:
            one.add_argument("into", metavar="INTO", help="the name that stays")
        add_state_argument(one, is_nested=True)
        one.set_defaults(do=do)


PLAYERS = Subcommand(
    "List all players with their games and wins, or merge or forget players.",
    _arguments,
    lambda args: int(args.do(args)),
    ("companion players list", "companion players merge Akki Aki"),
)
