"""The games that are installed, and how much is asked of each: fifteen random games, in a soak a thousand."""

import os

from companion.catalogue import game, games

SOAK = bool(os.environ.get("COMPANION_SOAK"))
GAMES = [game(key) for key in games()]
RANDOM_GAMES = 1_000 if SOAK else 15
