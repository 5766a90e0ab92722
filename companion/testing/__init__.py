"""For authors of games: a table played from a script, and what every game must hold."""

from companion.testing.check import check_game
from companion.testing.script import Script
from companion.testing.texts import untranslated

__all__ = ["Script", "check_game", "untranslated"]
