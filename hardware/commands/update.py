"""The subcommand `update`: installs another version from an archive of the project, or the previous version.

It only unpacks. The installation script in the archive does the rest, as it does from a clone. That script
runs as root: a checksum tells whether the archive is intact, but only a signature tells who made it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from companion.errors import UserError
from companion.files import release_archive
from companion.files.regular_files import open_regular_file, open_replacement
from companion.subcommand import Subcommand
from companion.texts import Say, render, say
from hardware.commands import signature

INSTALL = "scripts/install.sh"
INSTALLED = Path(sys.prefix) / "appliance"
"""Where a version keeps its own installation."""


def _arguments(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("archive", metavar="ARCHIVE", nargs="?", type=Path, help="a release (.tar.gz)")
    which.add_argument("--back", action="store_true", help="go back to the previous version")


def _update(args: Namespace) -> int:
    if not (INSTALLED / INSTALL).exists():
        text = (
            'This version isn\'t installed as a service. To update a clone, run "git pull", then "sudo '
            '{program}".'
        )
        raise UserError(say(text, program=INSTALL))
    if os.geteuid() != 0:
        raise UserError(say("This command changes the system. Run it with sudo: sudo companion update"))
    if args.back:
        return _install(INSTALLED, "--rollback")
    with TemporaryDirectory(prefix="companion-update-") as name:
        return _install(checked(args.archive, Path(name)))


def checked(archive: Path, folder: Path) -> Path:
    """The project in an archive, unpacked in that folder of root's; says its SHA-256 and who checked it.

    Raises `UserError` for what is no release, and where keys are installed for one that none has signed.
    """
    copy = folder / "release.tar.gz"  # whoever owns the archive could change it after it was checked
    try:
        with open_regular_file(archive) as source, open_replacement(copy) as target:
            told = _copy(source, target)
    except (OSError, ValueError) as error:
        raise _none(archive) from error
    _print(say("SHA-256 of {file}: {sum}", file=str(archive), sum=told))
    if signature.check(copy, archive.with_name(f"{archive.name}.sig"), folder):
        _print(
            say(
                "The signature of this release is valid. It was made with a key in {keys}.",
                keys=str(signature.KEYS),
            )
        )
    else:
        _print(
            say(
                "The signature of this release was not checked, because {keys} contains no keys.",
                keys=str(signature.KEYS),
            )
        )
    try:
        return unpacked(copy, folder / "unpacked")
    except UserError as error:
        raise _none(archive) from error


def _copy(source: IO[bytes], target: IO[bytes]) -> str:
    """Copies an archive; returns its SHA-256 in hex. Raises `ValueError` where it is too large."""
    summed, size = sha256(), 0
    while part := source.read(release_archive.READ_BUFFER_BYTES):
        size += len(part)
        if size > release_archive.MAX_UNPACKED_BYTES:
            raise ValueError("too many bytes")
        summed.update(part)
        target.write(part)
    return summed.hexdigest()


def unpacked(archive: Path, folder: Path) -> Path:
    """The project in an archive, in that folder; raises `UserError` for what is no release."""
    try:
        release_archive.unpack_release(archive, folder)
    except release_archive.UNPACK_ERRORS as error:
        raise _none(archive) from error
    found = [path for path in (folder, *folder.iterdir()) if (path / INSTALL).is_file()]
    if not found:
        raise _none(archive)
    return found[0]


def _install(project: Path, *words: str) -> int:
    return subprocess.run(["/bin/sh", project / INSTALL, *words], check=False).returncode  # noqa: S603 - it is ours


def _none(archive: Path) -> UserError:
    return UserError(say("{file} is damaged or isn't a release of the Companion.", file=str(archive)))


def _print(text: Say) -> None:
    sys.stdout.write(f"{render(text)}\n")
    sys.stdout.flush()


UPDATE = Subcommand(
    "Install another version, or go back to the previous version.",
    _arguments,
    _update,
    ("sudo companion update companion-0.3.0.tar.gz", "sudo companion update --back"),
)
