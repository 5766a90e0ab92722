"""Templates for Any Game: small TOML files that say which pieces and points are on the table.

Some come along; those people make or are given lie in the state directory, as `templates/NAME.toml`.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from importlib.resources import files as resources
from itertools import chain, count
from pathlib import Path

import msgspec

from companion.bounds import MOST_TEMPLATES
from companion.cards import Deck, read_deck, shipped
from companion.cards.deck import spoken
from companion.errors import TableError, Unknown, unknown
from companion.files import files, toml
from companion.files.plain import is_plain
from companion.rules.game import Game, Option, Pick
from companion.words import say

OPTION, DECK, PLAIN = "template", "any_game", "plain"
WITHOUT_MONEY = ("points", "lowest", "contract", "sheet", "majority", "coop", "tournament")
SHIPPED = (*WITHOUT_MONEY, "poker", "train", "property", "art", "estate", "auction")
"""Those that come along, in the order in which they are offered."""
LONGEST = 20
NAME = re.compile(rf"[^\W_][\w-]{{0,{LONGEST - 1}}}")


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
    if os.path.lexists(path):
        return files.read(path, toml.MOST, follow=False)
    if name in SHIPPED:
        return (resources(__name__) / f"{name}.toml").read_text(encoding="utf-8")
    raise _unknown(name, directory)


def path_of(name: str, directory: Path) -> Path:
    """Where a template of one's own lies; raises `TableError` for a name that can't be a file's."""
    if not _is_name(name):
        text = "A template's name must be 1 to 20 lowercase letters, digits, - or _; {name} isn't allowed."
        raise TableError(say(text, name=name))
    return directory / "templates" / f"{name}.toml"


def own(directory: Path) -> list[str]:
    """The names of one's own templates."""
    paths = sorted((directory / "templates").glob("*.toml"))
    return [path.stem for path in paths if _is_name(path.stem) and is_plain(path)]


def begin(name: str, like: str, directory: Path) -> Path:
    """Writes a new template that begins as another one; raises `TableError` where there is one already."""
    path = new(name, directory)
    files.replace(path, text_of(like, directory))
    return path


def new(name: str, directory: Path) -> Path:
    """Where a template of a name that none has yet will lie; raises `TableError` for any other name.

    So it does where there are too many already.
    """
    path = path_of(name, directory)
    if _is_taken(name, path):
        raise TableError(say("There is already a template called {name}. Choose another name.", name=name))
    if len(own(directory)) >= MOST_TEMPLATES:
        raise TableError(
            say("There are {most} templates already. Delete a template first.", most=MOST_TEMPLATES)
        )
    return path


def fitting(wanted: str, directory: Path) -> str:
    """The name nearest to what people wrote that a new template can have: `My game` is `my-game`.

    Where a template is called so already, a number is put behind it.
    """
    words = re.findall(r"\w+", unicodedata.normalize("NFC", wanted).lower().replace("_", " "))
    name = "-".join(words)[: LONGEST - 3] or "template"
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(one for one in names if not _is_taken(one, path_of(one, directory)))


def rename(name: str, to: str, directory: Path) -> None:
    """Calls a template of one's own by another name; raises `TableError` where that can't be."""
    files.move(_mine(name, directory), new(to, directory))


def delete(name: str, directory: Path) -> None:
    """A template of one's own is gone; games that began with it have what they need.

    Raises `TableError` where it came along, or where there is none.
    """
    files.delete(_mine(name, directory))


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


def _mine(name: str, directory: Path) -> Path:
    """The file of a template of one's own; raises `TableError` where it isn't."""
    path = path_of(name, directory)
    if name in own(directory):
        return path
    if name in (PLAIN, *SHIPPED):
        text = (
            "The template {name} comes with the Companion. You can rename or delete only your own templates."
        )
        raise TableError(say(text, name=name))
    raise _unknown(name, directory)


def _unknown(name: str, directory: Path) -> Unknown:
    names = ", ".join([PLAIN, *SHIPPED, *own(directory)])
    none = say("There is no template {name}. Templates: {names}.", name=name, names=names)
    return unknown(name, names.split(", "), none)


def _is_name(name: str) -> bool:
    """Letters of any script, small ones where it has both: file systems differ in what else is one name."""
    return NAME.fullmatch(name) is not None and name == name.lower()


def _is_taken(name: str, path: Path) -> bool:
    return name in SHIPPED or name == PLAIN or os.path.lexists(path)


def _with_templates(option: Option, directory: Path) -> Option:
    if isinstance(option, Pick) and option.key == OPTION:
        mine = {name: spoken(name) for name in own(directory)}
        return msgspec.structs.replace(option, choices={**option.choices, **mine})
    return option
