"""The verb `update`: another version from an archive of the project, or the version before.

It only unpacks; the installation in the archive does the rest, as it does from a clone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.errors import TableError
from companion.files import tarball
from companion.verb import Verb
from companion.words import say

INSTALL = "scripts/install.sh"
INSTALLED = Path(sys.prefix) / "appliance"
"""Where a version keeps its own installation."""


def _arguments(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("archive", metavar="ARCHIVE", nargs="?", type=Path, help="a release, as .tar.gz")
    which.add_argument("--back", action="store_true", help="the version before")


def _update(args: Namespace) -> int:
    if not (INSTALLED / INSTALL).exists():
        text = "No installed version runs here. From a clone: git pull, then sudo {program}."
        raise TableError(say(text, program=INSTALL))
    if os.geteuid() != 0:
        raise TableError(say("This changes the system: sudo companion update."))
    if args.back:
        return _install(INSTALLED, "--rollback")
    with TemporaryDirectory(prefix="companion-update-") as folder:
        return _install(unpacked(args.archive, Path(folder)))


def unpacked(archive: Path, folder: Path) -> Path:
    """The project in an archive, in that folder; raises `TableError` for what is no release."""
    try:
        tarball.unpack(archive, folder)
    except tarball.UNREADABLE as error:
        raise _none(archive) from error
    found = [path for path in (folder, *folder.iterdir()) if (path / INSTALL).is_file()]
    if not found:
        raise _none(archive)
    return found[0]


def _install(project: Path, *words: str) -> int:
    return subprocess.run(["/bin/sh", project / INSTALL, *words], check=False).returncode  # noqa: S603 - it is ours


def _none(archive: Path) -> TableError:
    return TableError(say("{file} is no whole release of the companion.", file=str(archive)))


UPDATE = Verb("Change over to another version, or back to the one before.", _arguments, _update)
