"""Tools for authors of games: play a table from a script, and check what every game must fulfil."""

from companion.testing.code_checks import find_untranslated_texts
from companion.testing.game_check import check_game
from companion.testing.script import Script

__all__ = ["Script", "check_game", "find_untranslated_texts"]
