"""What is asked before a game begins: whether to go on with the open one, and who plays."""

from __future__ import annotations

import sys

from companion.errors import TableError
from companion.rules.game import Game
from companion.store import Saved
from companion.table.seats import make_new_seats
from companion.terminal.terminal import BOLD, Terminal
from companion.words import say

LEAVES = ("quit", "exit")
"""Nobody is called so who is asked for a name."""


def who_plays(terminal: Terminal, game: Game, saved: Saved | None) -> list[str]:
    """Names in clockwise order for a new game; nobody if people want to go on with the one still open.

    Raises `TableError` where the input ends before that.
    """
    try:
        return _asked(terminal, game, saved)
    except EOFError as end:
        raise TableError(say("Name the players in clockwise order, such as --seats Aki,Ben,Chie.")) from end


def _asked(terminal: Terminal, game: Game, saved: Saved | None) -> list[str]:
    if saved is not None and saved.game == game.key and _goes_on(terminal, game, saved):
        return []
    least, most = game.players
    title = say("{game}: {least} to {most} players", game=game.title, least=least, most=most)
    terminal.show(title, style=BOLD)
    terminal.show(
        say(
            "Players' names, clockwise, one per line or separated by commas. Press Enter on an "
            "empty line to begin."
        )
    )
    return _names(terminal, game)


def _goes_on(terminal: Terminal, game: Game, saved: Saved) -> bool:
    names = ", ".join(saved.names)
    terminal.show(
        say("A game of {game} is open. Players: {names}.", game=game.title, names=names), style=BOLD
    )
    return not terminal.ask(
        terminal.text(say("Press Enter to continue this game, or type n for a new game: "))
    )


def _names(terminal: Terminal, game: Game) -> list[str]:
    """Asked until they can be told apart and are as many as the game is for."""
    most = game.players[1]
    names: list[str] = []
    while len(names) < most:
        line = terminal.ask(terminal.text(say("Player {number}: ", number=len(names) + 1)))
        if line.lower() in LEAVES:
            sys.exit()
        more = [*names, *(name.strip() for name in line.split(",") if line)]
        try:
            if not line or len(more) > most:
                game.check_players(more)
            names = [seat.name for seat in make_new_seats(more)]
        except TableError as error:
            terminal.trouble(error.text)
        else:
            if not line:
                break
    return names
