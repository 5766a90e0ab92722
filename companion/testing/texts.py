"""The texts of a game, found in its code and its decks, and those that have no translation."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from companion.cards.deck import NAME, field_word, spoken
from companion.rules.game import Game
from companion.testing.mistakes import source_files
from companion.translations import learn, own

WORD = re.compile(r"[^\W\d_]{2,}")
"""What is a word of some language once the fields of a text are gone."""


def untranslated(game: Game, language: str) -> list[str]:
    """Returns the texts of a game that have no translation in a language, in the order they are said.

    `assert untranslated(GAME, "de") == []`. It looks at the texts in the game's files and the words of its
    decks.
    A translation in another game's catalogue doesn't count: the same word may mean something else there.
    """
    learn(game.folder / "locale", game.key)
    forms = [(text,) if isinstance(text, str) else text for text in dict.fromkeys(_texts(game))]
    said = [form for form in forms if WORD.search(re.sub(r"\{\w*\}", "", form[0]))]
    known = own(language, game.key)
    return list(dict.fromkeys(form[0] for form in said if known.gettext(form[0]) == form[0]))


def _texts(game: Game) -> Iterator[str | tuple[str, str]]:
    for file in source_files(game):
        yield from said_in(file.read_text(encoding="utf-8"))
    for name in game.decks:
        if (deck := game.folder / f"{name}.toml").is_file():
            yield from printed_in(tomllib.loads(deck.read_text(encoding="utf-8")))


def said_in(code: str) -> Iterator[str | tuple[str, str]]:
    """The templates a module gives to `say`, and those for one and for many it gives to `say_n`.

    Babel's own search sees neither a `say` in a list in a `say` nor a long template that was given a name.
    """
    nodes = list(ast.walk(ast.parse(code)))
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    given = {say: [call.args for call in calls if ast.unparse(call.func) == say] for say in ("say", "say_n")}
    names = {args[0].id for args in given["say"] if isinstance(args[0], ast.Name)}
    templates = [args[0] for args in given["say"]]
    templates += [
        node.value for node in nodes if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in names
    ]
    for template in templates:
        for one in (template.body, template.orelse) if isinstance(template, ast.IfExp) else (template,):
            if isinstance(one, ast.Constant):
                yield str(one.value)
    for one, many, *_ in given["say_n"]:
        yield ast.literal_eval(one), ast.literal_eval(many)


def printed_in(deck: Mapping[str, Any]) -> Iterator[str]:
    """The words of a deck's file: names of cards and boards, fields, their choices and what they mean."""
    fields = deck.get("fields", {})
    words = [card[NAME] for card in deck["card"] if NAME in card]
    words += [choice for field in fields.values() for choice in field.get("choices", ())]
    words += [field["hint"] for field in fields.values() if "hint" in field]
    yield from (field_word(name).id for name in [*fields, *deck.get("board", ())])
    for word in words:
        yield spoken(word).id
