"""The games that are installed, and how much is asked of each: eight random games, in a soak a thousand.

Any Game is as many games as templates come along: each is a table of its own.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from companion.catalogue import game, games
from companion.rules.game import Game, Pick
from companion.templates import OPTION
from tests.soak import SOAK

GAMES = [game(key) for key in games()]
RANDOM_GAMES = 1_000 if SOAK else 8


def tables(one: Game) -> Iterator[Game]:
    """A game with each of the templates that it can begin with; any other game as it is."""
    for option in one.options:
        if isinstance(option, Pick) and option.key == OPTION:
            others = tuple(other for other in one.options if other is not option)
            for name, label in option.choices.items():
                only = replace(option, default=name, choices={name: label})
                yield replace(one, options=(only, *others))
            return
    yield one


TABLES = [table for one in GAMES for table in tables(one)]


def called(one: Game) -> str:
    """How a table is called: its game, and the template where there is only one."""
    template = next((option.default for option in one.options if option.key == OPTION), None)
    return f"{one.key}-{template}" if one not in GAMES else one.key
