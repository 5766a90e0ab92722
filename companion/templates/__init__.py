"""Templates for Any Game: small TOML files that say which pieces and points are on the table.

Some come along; those people make or are given lie in the state directory, as `templates/NAME.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files as resources
from pathlib import Path

import msgspec

from companion.cards import Deck, read_deck, shipped
from companion.cards.deck import spoken
from companion.errors import TableError, Unknown
from companion.files import files, toml
from companion.rules.game import Game, Option, Pick
from companion.words import say

OPTION, DECK, PLAIN = "template", "any_game", "plain"
WITHOUT_MONEY = ("points", "lowest", "contract", "sheet", "majority", "coop", "tournament")
SHIPPED = (*WITHOUT_MONEY, "poker", "train", "property", "art", "estate")
"""Those that come along, in the order in which they are offered."""
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,19}")


def offered(game: Game, directory: Path) -> Game:
    """The game with every template it can begin with as a choice; any other game as it is."""
    options = tuple(_with_templates(option, directory) for option in game.options)
    return msgspec.structs.replace(game, options=options)


def deck_of(name: str, directory: Path) -> Deck:
    """The deck of a template; raises `TableError`, which names the file, the key and what is allowed."""
    return read(text_of(name, directory), f"{name}.toml")


def read(text: str, where: str) -> Deck:
    """A template's text; `where` as people know it. Raises `TableError` for what can't stand in one."""
    return read_deck(DECK, text, where, like=shipped(DECK)).deck


def text_of(name: str, directory: Path) -> str:
    """The file of a template; raises `Unknown`, which names those there are."""
    path = path_of(name, directory)
    if path.exists():
        return files.read(path, toml.MOST)
    if name in SHIPPED:
        return (resources(__name__) / f"{name}.toml").read_text(encoding="utf-8")
    names = ", ".join([*SHIPPED, *own(directory)])
    raise Unknown(say("There is no template {name}; there are: {names}.", name=name, names=names))


def path_of(name: str, directory: Path) -> Path:
    """Where a template of one's own lies; raises `TableError` for a name that can't be a file's."""
    if not NAME.fullmatch(name):
        text = "The name of a template has 1 to 20 small letters, digits, - or _, not {name}."
        raise TableError(say(text, name=name))
    return directory / "templates" / f"{name}.toml"


def own(directory: Path) -> list[str]:
    """The names of one's own templates."""
    names = sorted(path.stem for path in (directory / "templates").glob("*.toml"))
    return [name for name in names if NAME.fullmatch(name)]


def begin(name: str, like: str, directory: Path) -> Path:
    """Writes a new template that begins as another one; raises `TableError` where there is one already."""
    path = path_of(name, directory)
    if name in SHIPPED or name == PLAIN or path.exists():
        raise TableError(say("There is a template {name} already; choose another name.", name=name))
    files.replace(path, text_of(like, directory))
    return path


def chosen(game: Game, options: Mapping[str, str], directory: Path) -> dict[str, Deck]:
    """The deck of the template that was chosen, by the name of the deck it stands in for.

    Raises `TableError`, which names the file and what is wrong with it.
    """
    name = options.get(OPTION, PLAIN)
    if DECK not in game.decks or name == PLAIN:
        return {}
    deck = deck_of(name, directory)
    try:
        game.check_deck(deck)
    except TableError as error:
        raise TableError(say("{file}: {why}", file=f"{name}.toml", why=error.text)) from error
    return {DECK: deck}


def _with_templates(option: Option, directory: Path) -> Option:
    if isinstance(option, Pick) and option.key == OPTION:
        mine = {name: spoken(name) for name in own(directory)}
        return msgspec.structs.replace(option, choices={**option.choices, **mine})
    return option
