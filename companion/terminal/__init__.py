"""A game in a terminal, also over SSH: standard input and output, no metal and no screen.

It shows what everybody may see, takes lines, and turns them into answers; it knows no rule.
"""

from companion.terminal.match import play
from companion.terminal.start import who_plays
from companion.terminal.terminal import Terminal, here

__all__ = ["Terminal", "here", "play", "who_plays"]
