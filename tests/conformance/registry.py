"""The installed games in all tested configurations, and the number of random games: two, in a soak 1000.

Any Game counts as one game for each shipped template.
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
RANDOM_GAMES = 1_000 if SOAK else 2


def games_with_one_template(game: Game) -> Iterator[Game]:
    """Yields a game once for each of its templates, or the game itself if it has none."""
    for option in game.options:
        if isinstance(option, ChoiceOption) and option.key == "template":
            others = tuple(other for other in game.options if other is not option)
            for name, label in option.choices.items():
                only = replace(option, default=name, choices={name: label})
                yield replace(game, options=(only, *others))
            return
    yield game


GAMES_WITH_ONE_TEMPLATE = [table for one in GAMES for table in games_with_one_template(one)]


def config_name(game: Game) -> str:
    """Returns the game's key, followed by its template if it has only one."""
    template = next((option.default for option in game.options if option.key == "template"), None)
    return f"{game.key}-{template}" if game not in GAMES else game.key


class GameConfig(NamedTuple):
    """A game with a name for the tests, and the decks of a template that isn't shipped."""

    name: str
    game: Game
    decks: Mapping[str, Deck] | None = None


def make_any_game_config(name: str, *rules: str, more: Sequence[str] = ()) -> GameConfig:
    """Returns Any Game with a template of these rules, a coin, a pot, and `more` cards."""
    cards = (
        "\n".join(('id = "rules"', 'kind = "rules"', *rules)),
        'id = "coin"\nkind = "piece"\nstart = 30\nworth = 1',
        'id = "pot"\nkind = "place"',
        *more,
    )
    text = "\n".join(f"[[card]]\n{card}" for card in cards)
    plain = next(games_with_one_template(playable_game("any_game")))
    return GameConfig(name, plain, {DECK: read(text, f"{name}.toml")})


AUCTION_CONFIGS = [
    make_any_game_config(f"auction-{kind}", 'covered = "yes"', 'names = "yes"', f'auction = "{kind}"')
    for kind in SALE_METHOD_BY_TEMPLATE_WORD
]
"""Any Game with everything covered that can be, and lots with names that are sold in only one way."""
EACH_LOT_ASKED_CONFIG = make_any_game_config(
    "auction-asked", 'auction = "ask"', 'payee = "ask"', 'reserve_by = "seller"', "debts = 20"
)
"""Any Game that asks for each lot everything that can be decided for each lot."""
TEAMS_CONFIG = make_any_game_config(
    "teams", "teams = 2", 'out = "yes"', 'payments = "yes"', "debts = 20", 'loans = "yes"', "reserve = 5",
    more=['id = "line"\nkind = "company"\nshares = 3'],
)  # fmt: skip  # a template
"""Any Game with shared purses, debts, and players who leave for good, even with shares."""
CONFIGS = [
    *(GameConfig(config_name(one), one) for one in GAMES_WITH_ONE_TEMPLATE),
    *AUCTION_CONFIGS,
    EACH_LOT_ASKED_CONFIG,
    TEAMS_CONFIG,
]
each_config = pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.name)
