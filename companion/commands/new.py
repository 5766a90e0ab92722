"""The subcommand `new`: writes the package of a new game, which is complete and whose tests pass."""

from __future__ import annotations

import keyword
import os
import re
import sys
from argparse import ArgumentParser, Namespace
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from string import Template

from companion.distribution import PACKAGE_FOLDER
from companion.errors import UserError, describe_exception
from companion.files.regular_files import create_folder, replace_file
from companion.installed_games import ENTRY_POINT_GROUP
from companion.subcommand import Subcommand, add_examples
from companion.texts import say

NEW_GAME_SKELETON_FOLDER = PACKAGE_FOLDER / "commands" / "new_game"
"""The folder with the files from which a new game's package is made.

KEY and PACKAGE in a path, and $key, $dashed and $title in a text are replaced.
"""
SKELETON_TEXT_SUFFIX = ".txt"
GAME_KEY_PATTERN = re.compile(r"[a-z][a-z0-9_]{1,19}")


def write_new_game(game_key: str, folder: Path) -> Path:
    """Writes the package of a new game into a folder; raises `UserError` for an invalid name."""
    _require_free_name(game_key)
    game_folder = folder / game_key
    if os.path.lexists(game_folder):
        raise UserError(say("{path} already exists.", path=str(game_folder)))
    substitutions = {
        "key": game_key,
        "dashed": game_key.replace("_", "-"),
        "title": game_key.replace("_", " ").capitalize(),
    }
    try:
        create_folder(game_folder)
        for skeleton_file in NEW_GAME_SKELETON_FOLDER.rglob("*"):
            relative_path = skeleton_file.relative_to(NEW_GAME_SKELETON_FOLDER)
            if skeleton_file.is_dir():
                continue
            target_path = str(relative_path).replace("PACKAGE", game_key).replace("KEY", game_key)
            target_file = game_folder / target_path
            create_folder(target_file.parent)
            if relative_path.suffix == SKELETON_TEXT_SUFFIX:
                text = Template(skeleton_file.read_text(encoding="utf-8")).substitute(substitutions)
                replace_file(target_file.with_suffix(""), text.encode())
            else:
                replace_file(target_file, skeleton_file.read_bytes())
    except OSError as fault:
        raise UserError(
            say("{path} can't be written: {why}.", path=str(game_folder), why=describe_exception(fault))
        ) from fault
    return game_folder


def _require_free_name(name: str) -> None:
    """Raises `UserError` for an invalid name, and for the name of an installed game or a Python module.

    The name becomes a folder, a module and the key of the game in logs.
    """
    if not GAME_KEY_PATTERN.fullmatch(name) or keyword.iskeyword(name):
        text = (
            "A game's name must be 2 to 20 lowercase letters, digits or _, and begin with a letter; {name} "
            "isn't allowed."
        )
        raise UserError(say(text, name=name))
    if name in entry_points(group=ENTRY_POINT_GROUP).names:
        raise UserError(say("An installed game is already called {name}. Choose another name.", name=name))
    if name in sys.stdlib_module_names or find_spec(name):
        raise UserError(say("A Python module is already called {name}. Choose another name.", name=name))


NEW_GAME_HELP = "Begin a game of your own: a small card game that works, with tests and texts."


def _add_arguments(parser: ArgumentParser) -> None:
    subparsers = parser.add_subparsers(metavar="ACTION", required=True)
    game_parser = subparsers.add_parser("game", help=NEW_GAME_HELP, description=NEW_GAME_HELP)
    game_parser.add_argument(
        "name", metavar="NAME", help="the name of the game and its folder: small letters, digits and _"
    )
    game_parser.add_argument(
        "--in",
        dest="folder",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="the folder for the new game (default: the current folder)",
    )
    add_examples(game_parser, "companion new game bazaar", "companion new game bazaar --in games")


def _write_and_explain(args: Namespace) -> int:
    game_folder = write_new_game(args.name, args.folder)
    print(
        f"{game_folder / args.name / 'rulebook.py'}\n"
        f"Test it: cd {game_folder} && {sys.executable} -m pytest\n"
        f"Install it: {sys.executable} -m pip install --editable {game_folder}"
    )
    return 0


NEW = Subcommand(NEW_GAME_HELP, _add_arguments, _write_and_explain, ("companion new game bazaar",))
