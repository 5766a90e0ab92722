"""The games that are installed, and how much is asked of each: eight random games, in a soak a thousand.

Any Game is as many games as templates come along: each is a table of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from companion.cards import Deck
from companion.games.any_game.lots import SALE_METHOD_BY_TEMPLATE_WORD
from companion.games.any_game.template import DECK
from companion.installed_games import games, playable_game
from companion.rules.game import ChoiceOption, Game
from tests.any_game_presets import read
from tests.support.soak import SOAK

GAMES = [playable_game(key) for key in games()]
RANDOM_GAMES = 1_000 if SOAK else 8


def tables(one: Game) -> Iterator[Game]:
    """A game with each of the templates that it can begin with; any other game as it is."""
    for option in one.options:
        if isinstance(option, ChoiceOption) and option.key == "template":
            others = tuple(other for other in one.options if other is not option)
            for name, label in option.choices.items():
                only = replace(option, default=name, choices={name: label})
                yield replace(one, options=(only, *others))
            return
    yield one


TABLES = [table for one in GAMES for table in tables(one)]


def called(one: Game) -> str:
    """How a table is called: its game, and the template where there is only one."""
    template = next((option.default for option in one.options if option.key == "template"), None)
    return f"{one.key}-{template}" if one not in GAMES else one.key


class Evening(NamedTuple):
    """A table under its name, and the template that lies on it where that doesn't come along."""

    name: str
    game: Game
    decks: Mapping[str, Deck] | None = None


def own(name: str, *rules: str, more: Sequence[str] = ()) -> Evening:
    """Any Game with a template of these rules, a coin, a pot, and what else there is."""
    cards = (
        "\n".join(('id = "rules"', 'kind = "rules"', *rules)),
        'id = "coin"\nkind = "piece"\nstart = 30\nworth = 1',
        'id = "pot"\nkind = "place"',
        *more,
    )
    text = "\n".join(f"[[card]]\n{card}" for card in cards)
    plain = next(tables(playable_game("any_game")))
    return Evening(name, plain, {DECK: read(text, f"{name}.toml")})


AUCTIONS = [
    own(f"auction-{kind}", 'covered = "yes"', 'names = "yes"', f'auction = "{kind}"')
    for kind in SALE_METHOD_BY_TEMPLATE_WORD
]
"""Where all that is covered can be is, and lots have names and are sold in one way."""
ASKED = own("auction-asked", 'auction = "ask"', 'payee = "ask"', 'reserve_by = "seller"', "debts = 20")
"""Where all that can be said of each lot anew is."""
TEAMS = own(
    "teams", "teams = 2", 'out = "yes"', 'payments = "yes"', "debts = 20", 'loans = "yes"', "reserve = 5",
    more=['id = "line"\nkind = "company"\nshares = 3'],
)  # fmt: skip  # a template
"""Where purses are shared, people leave for good, even with shares, and what isn't there is owed."""
EVENINGS = [*(Evening(called(one), one) for one in TABLES), *AUCTIONS, ASKED, TEAMS]
each_evening = pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.name)
