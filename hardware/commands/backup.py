"""The subcommands `backup`, which writes all games into one file, and `restore`, which reads them back."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.errors import UserError
from companion.files import user_files
from companion.files.state_directory import state_directory
from companion.store import archive
from companion.store.state_files import next_folder_for_replaced_files
from companion.subcommand import Subcommand, add_state_argument
from companion.texts import Say, render, say, say_n
from hardware.usb_sticks import collect_backup_metadata
from hardware.wiring.files import WIRING_FILE, choose_file_mode_by_folder, config_folders, find_config_file


def _add_backup_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        type=Path,
        help="the file to write; without FILE, the folder of the saved games gets a backup and keeps the "
        "seven newest",
    )
    add_state_argument(parser)


def _backup(args: Namespace) -> int:
    directory = state_directory(args.state)
    if args.file is None:
        file = archive.write_nightly_archive(directory, *collect_backup_metadata())
    else:
        file = args.file
        archive.write_archive(directory, file, *collect_backup_metadata())
    text = (
        "All games are saved in {file}. This file contains hidden cards and money, but no sealed bids. Keep "
        "the file private."
    )
    _print(say(text, file=str(file)))
    return 0


def _add_restore_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a file written by companion backup")
    parser.add_argument("--config", action="store_true", help="restore the wiring, too")
    parser.add_argument("--yes", action="store_true", help="start without asking")
    add_state_argument(parser)


def _restore(args: Namespace) -> int:
    directory = state_directory(args.state)
    if not args.yes and not _ask_to_restore(directory):
        raise UserError(say("Nothing was changed."))
    result = archive.restore_archive(directory, args.file)
    _print(say_n("{n} game restored.", "{n} games restored.", n=len(result.games)))
    if result.replaced_files_folder is not None and any(result.replaced_files_folder.glob("*.sqlite3")):
        _print(
            say(
                "The games from before the restore are in {directory}.",
                directory=str(result.replaced_files_folder),
            )
        )
    if args.config and WIRING_FILE in result.config_text_by_name:
        path = (
            find_config_file(WIRING_FILE, folders := config_folders(os.environ)) or folders[0] / WIRING_FILE
        )
        user_files.write_app_file(
            path, result.config_text_by_name[WIRING_FILE], choose_file_mode_by_folder(path)
        )
        _print(say("The wiring was restored to {file}.", file=str(path)))
    return 0


def _ask_to_restore(directory: Path) -> bool:
    folder = next_folder_for_replaced_files(directory)
    question = say("The present games will be moved to {directory}. Restore? (yes/no)", directory=str(folder))
    _print(question)
    return sys.stdin.readline().strip().lower() in {"yes", "y"}


def _print(text: Say) -> None:
    sys.stdout.write(f"{render(text)}\n")
    sys.stdout.flush()


BACKUP = Subcommand(
    "Copy all saved games into one file.", _add_backup_arguments, _backup, ("companion backup games.zip",)
)
RESTORE = Subcommand(
    "Restore all saved games from a backup.",
    _add_restore_arguments,
    _restore,
    ("companion restore games.zip",),
)
