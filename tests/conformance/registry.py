"""The games that are installed, and how much is asked of each: eight random games, in a soak a thousand."""

from companion.catalogue import game, games
from tests.soak import SOAK

GAMES = [game(key) for key in games()]
RANDOM_GAMES = 1_000 if SOAK else 8
