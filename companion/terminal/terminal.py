"""Reads lines from standard input and prints texts to standard output, in one language; knows no game.

On a pipe it prints plain lines; on a terminal it can style text, clear the screen and hide what is typed.
"""

from __future__ import annotations

import os
import select
import sys
import termios
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

from companion import languages
from companion.half_numbers import HALF_SIGN
from companion.monospace_text import columns_to_wrap_at, wrap_text
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR
from companion.table.seats import Seat
from companion.texts import Labelled, render, say

BOLD, DIM, RED = "1", "2", "31"
CLEAR_SCREEN = "\x1b[H\x1b[2J"
ANSI_SEAT_COLOURS = {name: f"38;5;{sign.terminal_colour}" for name, sign in SIGN_BY_SEAT_COLOUR.items()}
"""The ANSI code of each seat colour, among the 256 colours of terminals."""


class Terminal:
    """Reads typed lines and prints texts: `Terminal(sys.stdin, sys.stdout, "de")`.

    `ask_line` raises EOFError at the end of the input.
    """

    def __init__(
        self,
        stdin: TextIO,
        stdout: TextIO,
        language: str = "en",
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.language = language
        self._environ = environ
        self.is_interactive = stdin.isatty()
        """True if people use it, one after the other, rather than a program."""
        has_styles = stdout.isatty() and environ.get("TERM", "dumb") != "dumb"
        self._can_clear = has_styles
        self._can_style = has_styles and not environ.get("NO_COLOR")
        self._stdin = stdin
        self._stdout = stdout
        self.before_waiting: Callable[[], float | None] = lambda: None
        """Called before the terminal waits; returns the seconds until the next call, None for never.

        An exception that it raises ends the waiting. It isn't called on a pipe, where nobody thinks.
        """
        for stream in (stdin, stdout):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")

    def render(self, text: Labelled | str | int) -> str:
        """Returns a text in the reader's language."""
        return render(text, self.language)

    def print_line(self, text: Labelled | str = "", *, style: str = "") -> None:
        """Prints one line. A string is printed unchanged."""
        line = text if isinstance(text, str) else self.render(text)
        self._write(self.style_text(line, style) + "\n")

    def print_error(self, text: Labelled) -> None:
        """Prints one sentence about an error."""
        self.print_line(say("! {text}", text=text), style=RED)

    def style_text(self, text: str, style: str) -> str:
        """Returns the text in a style: bold, dim or coloured; plain if the output can't show styles."""
        return f"\x1b[{style}m{text}\x1b[0m" if style and self._can_style else text

    def clear_screen(self) -> None:
        """Clears the screen; does nothing on a pipe."""
        if self._can_clear:
            self._write(CLEAR_SCREEN)

    def ask_line(self, prompt: str) -> str:
        """Asks for one line and returns what was typed.

        The line is stripped; full-width characters become normal ones.
        """
        self._write(prompt)
        self._wait_for_input()
        line = self._stdin.readline()
        if not self.is_interactive or not line:
            self._write("\n")
        if not line:
            raise EOFError
        line = normalize_letter_width_and_strip(line.removeprefix("\ufeff"))  # Windows begins files with it
        return "".join(letter if letter.isprintable() else "�" for letter in line)

    def ask_hidden_line(self, prompt: str) -> str:
        """Asks for one line like `ask_line`, but shows nothing that is typed."""
        if not self.is_interactive:
            return self.ask_line(prompt)
        with self._without_echo():
            line = self.ask_line(prompt)
        self._write("\n")
        return line

    def ask_for_yes(self, question: Labelled) -> bool:
        """Asks a yes-or-no question once; returns whether the answer was yes.

        Any other answer counts as no.
        """
        words = {"y", "yes", self.render(say("yes"))}
        return self.ask_line(self.render(say("{question} (yes or no) ", question=question))).lower() in words

    def discard_typed_ahead(self) -> None:
        """Discards what was typed without Enter: it was meant for an earlier moment."""
        if self.is_interactive:
            termios.tcflush(self._stdin.fileno(), termios.TCIFLUSH)

    def _wait_for_input(self) -> None:
        while self.is_interactive and (seconds := self.before_waiting()) is not None:
            if select.select([self._stdin], [], [], seconds)[0]:
                break

    def _write(self, text: str) -> None:
        self._stdout.write(wrap_text(text, columns_to_wrap_at(self._stdout, self._environ)))
        self._stdout.flush()

    @contextmanager
    def _without_echo(self) -> Iterator[None]:
        """Hides what is typed, and discards what was typed ahead: it was meant for another moment."""
        device = self._stdin.fileno()
        old_attributes = termios.tcgetattr(device)
        silent_attributes = [*old_attributes]
        silent_attributes[3] = old_attributes[3] & ~termios.ECHO
        termios.tcsetattr(device, termios.TCSAFLUSH, silent_attributes)
        try:
            yield
        finally:
            termios.tcsetattr(device, termios.TCSAFLUSH, old_attributes)


def make_standard_terminal(language: str | None = None) -> Terminal:
    """Returns a terminal on standard input and output, in that language or else the user's own."""
    return Terminal(sys.stdin, sys.stdout, language or detect_language(os.environ))


def detect_language(environ: Mapping[str, str]) -> str:
    """Returns the first supported language of the user's locales, else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    return languages.best_language_code(next((environ[name] for name in names if environ.get(name)), ""))


def name_and_key_by_seat(seats: Iterable[Seat]) -> dict[Seat, tuple[str, str]]:
    """Returns the words that mean each seat in a typed line: its name, and its key such as `@2`."""
    return {seat: (normalize_letter_width_and_strip(seat.name), seat.key) for seat in seats}


def normalize_letter_width_and_strip(text: str) -> str:
    """Returns a typed line with normal letters instead of full-width and half-width ones, stripped.

    The sign ½ stays: as compatible letters 7½ would be 71⁄2.
    """
    return HALF_SIGN.join(unicodedata.normalize("NFKC", part) for part in text.split(HALF_SIGN)).strip()
