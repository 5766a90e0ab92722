"""One copy of a game: `STATE/cards/GAME.toml` where its owner has entered something, else what ships.

Nothing is kept that could not be read again, and a file that can't be read begins no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion import templates
from companion.cards import Deck, Printed, read_deck, shipped
from companion.copies.text import Rows, rows_of, written
from companion.errors import TableError, in_a_line
from companion.files import files, toml
from companion.rules.game import Game
from companion.words import Say, say


def decks_for(game: Game, directory: Path, options: Mapping[str, str]) -> dict[str, Deck]:
    """The printed values a new game begins with: the owner's, where there are any, or the chosen template.

    Raises `TableError`, which names the file, the key and what is allowed.
    """
    decks = {name: Copy(game, name, directory).deck() for name in game.decks}
    return decks | templates.chosen(game, options, directory)


class Copy:
    """`Copy(bidders.GAME, "bidders", state_directory(None))`: what is printed on one's own copy of a deck."""

    def __init__(self, game: Game, name: str, directory: Path) -> None:
        self.game = game
        self.name = name
        self.path = directory / "cards" / f"{name}.toml"

    @property
    def shipped(self) -> Printed:
        """The values that come with the game, and what may be printed in their stead."""
        return shipped(self.name, self.game.folder)

    @property
    def owned(self) -> bool:
        """Whether its owner has entered anything; what can't be looked at may be theirs."""
        try:
            self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True
        return True

    def deck(self) -> Deck:
        """The values in force; raises `TableError`, which names the file, the key and what is allowed."""
        return (
            self.read(files.read(self.path, toml.MOST), str(self.path)) if self.owned else self.shipped.deck
        )

    def read(self, text: str, where: str) -> Deck:
        """The deck of a file of this copy, `where` as people know it; raises `TableError` as `deck` does."""
        deck = read_deck(self.name, text, where, self.shipped).deck
        self.check(deck, where)
        return deck

    def check(self, deck: Deck, where: str) -> list[Say]:
        """What looks odd in a deck; raises `TableError` for what can't be."""
        try:
            self._check_cards(deck)
            return self.game.check_deck(deck)
        except TableError as error:
            raise TableError(say("{file}: {why}", file=where, why=error.text)) from error
        except Exception as fault:
            text = "{file}: {game} can't check it: {why}."
            raise TableError(say(text, file=where, game=self.game.title, why=in_a_line(fault))) from fault

    def rows(self) -> Rows:
        """The values in force as rows that can be changed and kept."""
        return rows_of(self.deck(), self.shipped.id)

    def keep(self, rows: Rows, where: str) -> Deck:
        """Makes these the values in force; they are on the disk when this returns. Raises as `read` does."""
        text = written(rows)
        deck = self.read(text, where)
        files.replace(self.path, text)
        return deck

    def _check_cards(self, deck: Deck) -> None:
        """Cards without fields leave nothing to enter."""
        if not deck.fields and deck.designs != self.shipped.deck.designs:
            raise TableError(say("the cards of {game} are complete as they come.", game=self.game.title))
