"""The subcommand `templates`: lists, exports, imports and deletes the presets of a game.

`companion games new` creates a preset. A file that can't be a preset is refused before anything is written.
"""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from companion import installed_games
from companion.commands.settings import change_store
from companion.errors import UserError
from companion.files import user_files
from companion.files.state_directory import state_directory
from companion.house_rules import has_saved_house_rules, save_moved_house_rules, variant_key
from companion.presets import PresetLibrary
from companion.store import Store
from companion.subcommand import Subcommand, add_examples, add_state_argument
from companion.texts import render, say

STDOUT = "-"


def add_game_argument(parser: ArgumentParser, *, is_nested: bool = False) -> None:
    """Adds `--game GAME`; `is_nested` is as for `add_state_argument`."""
    parser.add_argument(
        "--game",
        metavar="GAME",
        help="the game of the templates, if several games have templates",
        default=SUPPRESS if is_nested else None,
    )


def find_preset_library(args: Namespace) -> PresetLibrary:
    """Returns the presets of the game that the arguments name.

    Without `--game`, the only game that has presets is meant. Otherwise raises `UserError`, which lists the
    games that have presets.
    """
    games = installed_games.games_offering_presets()
    matches = games
    if args.game is not None:
        key = installed_games.find_playable_game(args.game).key
        matches = [game for game in games if game.key == key]
    if len(matches) == 1:
        return PresetLibrary(matches[0], state_directory(args.state))
    names = ", ".join(game.key for game in games)
    raise UserError(say("Name a game that has templates with --game. Games: {names}.", names=names))


def _list(args: Namespace) -> int:
    library = find_preset_library(args)
    labels, own_names = library.labels_by_name(), set(library.own_names())
    width = max(map(len, labels))
    for name, label in labels.items():
        path_or_label = str(library.own_preset_path(name)) if name in own_names else render(label)
        print(f"{name:{width}}  {path_or_label}")
    return 0


def _export(args: Namespace) -> int:
    text = find_preset_library(args).existing_or_new_preset(args.name).toml_text
    if args.file == STDOUT:
        print(text, end="")
    else:
        user_files.export_text(Path(args.file), text, overwrite=args.force)
    return 0


def _import(args: Namespace) -> int:
    preset = find_preset_library(args).import_file(Path(args.file))
    print(render(say("{file} was added as the template {name}.", file=args.file, name=preset.preset_name)))
    return 0


def _delete(args: Namespace) -> int:
    """Deletes a template and its house rules, so that a later template of that name begins without any."""
    library = find_preset_library(args)
    key = variant_key(library.game.key, args.name)
    with closing(Store.open(library.directory)) as store:
        has_house_rules = has_saved_house_rules(store, key)
    if not has_house_rules:
        library.delete(args.name)
        return 0

    def delete_both(store: Store) -> None:
        library.delete(args.name)
        save_moved_house_rules(store, key)

    change_store(args, delete_both)  # if another program has the store open, the template stays too
    return 0


def _add_arguments(parser: ArgumentParser) -> None:
    subparsers = parser.add_subparsers(metavar="ACTION")

    def add_action(name: str, do: Callable[[Namespace], int], help_text: str, example: str) -> ArgumentParser:
        subparser = subparsers.add_parser(name, help=help_text, description=help_text)
        add_examples(subparser, example)
        add_game_argument(subparser, is_nested=True)
        add_state_argument(subparser, is_nested=True)
        subparser.set_defaults(word=do)
        return subparser

    export_parser = add_action(
        "export", _export, "Write a template to a file.", "companion templates export train mytrain.toml"
    )
    export_parser.add_argument("name", metavar="NAME", help="the name of the template")
    export_parser.add_argument("file", metavar="FILE", help="the file to write, or - to print the template")
    export_parser.add_argument("--force", action="store_true", help="overwrite a file that already exists")
    import_parser = add_action(
        "import",
        _import,
        "Add a file as a template with the name of the file.",
        "companion templates import mygame.toml",
    )
    import_parser.add_argument("file", metavar="FILE", help="the template as a .toml file")
    delete_parser = add_action(
        "delete", _delete, "Delete one of your own templates.", "companion templates delete mygame"
    )
    delete_parser.add_argument("name", metavar="NAME", help="the name of the template")
    parser.set_defaults(word=_list)
    add_game_argument(parser)
    add_state_argument(parser)


TEMPLATES = Subcommand(
    "List the templates of a game; export, import or delete one.",
    _add_arguments,
    lambda args: int(args.word(args)),
    ("companion templates", "companion templates export train mytrain.toml"),
)
