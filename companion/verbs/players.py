"""The verb `players`: who has played over the evenings, how often and with what success."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import closing

from companion.columns import aligned
from companion.files.places import state_directory
from companion.record import register
from companion.store import Store
from companion.verb import Verb, state_argument
from companion.words import render, say, say_n


def _list(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state))) as store:
        found = register.players(store)
    rows = [
        [
            render(player.name),
            render(say_n("{n} game", "{n} games", n=player.games)),
            render(say_n("{n} won", "{n} won", n=player.wins)),
        ]
        for player in found
    ]
    if rows:
        print(*aligned(rows), sep="\n")
    else:
        print(render(say("Nobody has played a game to its end yet.")))
    return 0


def _merge(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state), playing=True)) as store:
        register.merge(store, args.name, args.into)
    return 0


def _delete(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state), playing=True)) as store:
        register.delete(store, args.name)
    return 0


def _arguments(parser: ArgumentParser) -> None:
    state_argument(parser)
    parser.set_defaults(do=_list)
    parts = parser.add_subparsers(metavar="WHAT")
    for name, help_, do in (
        ("list", "List everybody with games and wins, the most wins first.", _list),
        ("merge", "Count what NAME has played as played by INTO, who is the same person.", _merge),
        ("delete", "Forget what NAME has played; the games stay in the history.", _delete),
    ):
        one = parts.add_parser(name, help=help_, description=help_)
        if do is not _list:
            one.add_argument("name", metavar="NAME")
        if do is _merge:
            one.add_argument("into", metavar="INTO")
        state_argument(one, within=True)
        one.set_defaults(do=do)


PLAYERS = Verb(
    "List who has played and won, merge two names, or forget one.",
    _arguments,
    lambda args: int(args.do(args)),
)
