"""The core names no game: what it needs of one, the game says in its `Game`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.installed_games import games

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "companion/games"
CORE = sorted(
    path
    for folder in ("companion", "hardware", "ui")
    for path in (ROOT / folder).rglob("*.py")
    if not path.is_relative_to(GAMES) and "new_game" not in path.parts
)
KEYS = re.compile(rf"(?<![\w-])(?:{'|'.join(games())})(?![\w-])")


def words_of(tree: ast.Module) -> list[tuple[int, str]]:
    """Names and strings with their lines, without docstrings and the examples of commands in a help."""
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = list[tuple[int, str]]()
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in notes and not text.startswith("companion "):
                found.append((node.lineno, text))
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.append((node.lineno, name))
            case ast.ImportFrom(module=module, names=names):
                found += [
                    (node.lineno, word) for word in (*(module or "").split("."), *(one.name for one in names))
                ]
            case ast.Import(names=names):
                found += [(node.lineno, word) for one in names for word in one.name.split(".")]
    return found


def named_in(text: str) -> list[str]:
    """The lines that name a game."""
    return [f"{line}: {word}" for line, word in words_of(ast.parse(text)) if KEYS.search(word)]


def test_no_module_of_the_core_names_a_game() -> None:
    """A third party's game is worth as much as any that comes along."""
    named = {str(path.relative_to(ROOT)): named_in(path.read_text(encoding="utf-8")) for path in CORE}
    assert {path: lines for path, lines in named.items() if lines} == {}


@pytest.mark.parametrize(
    "text",
    [
        'GAME = "any_game"',
        'print(f"To play: companion play any_game {name}")',
        "from companion.games.egypt.rulebook import GAME",
        "from companion.games import egypt",
        "import companion.games.egypt",
        "egypt.GAME",
    ],
)
def test_a_game_is_found_wherever_it_is_named(text: str) -> None:
    """In a string, in an import, as a name."""
    assert named_in(text)
