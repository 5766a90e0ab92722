"""Plays a game in a terminal, also over SSH: standard input and output, without devices or a window.

The package shows what everybody may see and turns typed lines into answers. It knows no rules.
"""

from companion.terminal.game import ask_names_or_continue, play_in_terminal
from companion.terminal.terminal import Terminal, make_standard_terminal

__all__ = ["Terminal", "ask_names_or_continue", "make_standard_terminal", "play_in_terminal"]
