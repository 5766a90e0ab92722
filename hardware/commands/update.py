"""`companion update`: verifies the signature of a release, unpacks it and runs its install script.

    verify_signature_if_keys_installed(archive, Path("companion-0.3.0.tar.gz.sig"), folder)

The signature is checked if the owner of the machine has installed keys. A signature is what `ssh-keygen -Y
sign -n companion-release` writes. The keys are in one file that only root can have written, one key per line:
`companion ssh-ed25519 AAAA…` (ALLOWED SIGNERS in ssh-keygen's manual).

An archive is checked to its end and unpacked into an empty folder. Only files and folders are unpacked, with
the permissions of new files. If the archive contains what no release contains (links, devices, names that
lead out of the folder), all of it is refused. That is stricter than the filter `data` of tarfile (PEP 706),
and it also works on Debian 12, whose Python 3.11.2 has no filters yet.
"""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import zlib
from argparse import ArgumentParser, Namespace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

from companion.errors import UserError
from companion.files.regular_files import open_regular_file, open_replacement, read_regular_file, replace_file
from companion.subcommand import Subcommand
from companion.texts import Say, render, say

RELEASE_KEYS_FILE = Path("/etc/companion-release-keys")
"""File with the public keys that sign releases.

The file isn't in /etc/companion, which belongs to the service's user.
"""
ROOT_USER_ID = 0
SIGNER_NAME, SIGNATURE_NAMESPACE = "companion", "companion-release"
"""The signer whose keys count, and the purpose of a signature.

A signature that such a key made for another purpose doesn't count.
"""
MAX_KEYS_OR_SIGNATURE_BYTES = 2**16
"""Maximum size of the file of keys and of a signature; a signature has some 300 bytes."""
SSH_KEYGEN = "/usr/bin/ssh-keygen"
OTHERS_MAY_WRITE_MODE_BITS = stat.S_IWGRP | stat.S_IWOTH
MAX_UNPACKED_BYTES = 2**28
"""The greatest size of an unpacked archive: ten times the project."""
MAX_ARCHIVE_MEMBERS = 20_000
"""The most files and folders in an archive; the project has a fifteenth.

Each costs memory, however small it is.
"""
READ_BUFFER_BYTES = 2**20
"""The size of the part of the archive that is in memory at once."""
FILE_MODE, PROGRAM_MODE, FOLDER_MODE = 0o644, 0o755, 0o755
OWNER_MAY_RUN = 0o100
REGULAR_FILE_TYPES = {tarfile.REGTYPE, tarfile.AREGTYPE}

UNPACK_ERRORS = (OSError, tarfile.TarError, zlib.error, EOFError, ValueError, KeyError, RecursionError)
"""The errors of `unpack_archive` for a damaged, too large or unsafe archive. They have no common class."""


def verify_signature_if_keys_installed(archive: Path, signature: Path, scratch_folder: Path) -> bool:
    """Verifies the signature of a release; returns False if no release keys are installed.

    Copies of the signature and the keys go into `scratch_folder`. Raises `UserError` for a key file that
    others can write, and for a release that none of the keys has signed.
    """
    keys = _read_keys()
    if keys is None:
        return False
    try:
        replace_file(scratch_folder / "signature", read_regular_file(signature, MAX_KEYS_OR_SIGNATURE_BYTES))
    except OSError as error:
        text = "{file} can't be read: {why}. Only signed releases are accepted, because {keys} contains keys."
        why = error.strerror or str(error)
        raise UserError(say(text, file=str(signature), why=why, keys=str(RELEASE_KEYS_FILE))) from error
    replace_file(scratch_folder / "keys", keys)
    if not _is_signed(archive, scratch_folder / "signature", scratch_folder / "keys"):
        text = "{file} isn't a valid signature of this release by a key in {keys}."
        raise UserError(say(text, file=str(signature), keys=str(RELEASE_KEYS_FILE)))
    return True


def _read_keys() -> bytes | None:
    """Returns the content of the file of keys; None if there is no such file."""
    if not os.path.lexists(RELEASE_KEYS_FILE):
        return None
    try:
        for path in (RELEASE_KEYS_FILE, *RELEASE_KEYS_FILE.parents):
            _require_root_only_rights(path)
        return read_regular_file(RELEASE_KEYS_FILE, MAX_KEYS_OR_SIGNATURE_BYTES, follow_links=False)
    except OSError as error:
        raise _untrusted_keys_error(error.strerror or str(error)) from error


def _require_root_only_rights(path: Path) -> None:
    """Raises `UserError` if others than root may write to `path`.

    A sticky directory such as /tmp is allowed, because nobody else can move root's files there.
    """
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise _untrusted_keys_error(say("{path} is a link", path=str(path)))
    if status.st_uid not in {0, ROOT_USER_ID}:
        raise _untrusted_keys_error(say("{path} belongs to another user", path=str(path)))
    if status.st_mode & OTHERS_MAY_WRITE_MODE_BITS and not (
        stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
    ):
        raise _untrusted_keys_error(say("other users can change {path}", path=str(path)))


def _is_signed(archive: Path, signature: Path, keys: Path) -> bool:
    command = [
        SSH_KEYGEN,
        "-Y",
        "verify",
        "-f",
        str(keys),
        "-I",
        SIGNER_NAME,
        "-n",
        SIGNATURE_NAMESPACE,
        "-s",
        str(signature),
    ]
    try:
        with archive.open("rb") as content:
            result = subprocess.run(command, stdin=content, capture_output=True, check=False)  # noqa: S603 - the paths are ours
    except FileNotFoundError as error:
        text = "The signature can't be checked without {program}: sudo apt install openssh-client"
        raise UserError(say(text, program=SSH_KEYGEN)) from error
    return result.returncode == 0


def _untrusted_keys_error(why: Say | str) -> UserError:
    text = "The keys in {file} can't be trusted: {why}. Nothing was changed."
    return UserError(say(text, file=str(RELEASE_KEYS_FILE), why=why))


INSTALL_SCRIPT = "scripts/install.sh"
INSTALLED_PROJECT_FOLDER = Path(sys.prefix) / "appliance"
"""Folder with the project files of the installed version, such as its install script."""


def _add_arguments(parser: ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("archive", metavar="ARCHIVE", nargs="?", type=Path, help="a release (.tar.gz)")
    source.add_argument("--back", action="store_true", help="go back to the previous version")


def _update(args: Namespace) -> int:
    if not (INSTALLED_PROJECT_FOLDER / INSTALL_SCRIPT).exists():
        text = (
            'This version isn\'t installed as a service. To update a clone, run "git pull", then "sudo '
            '{program}".'
        )
        raise UserError(say(text, program=INSTALL_SCRIPT))
    if os.geteuid() != 0:
        raise UserError(say("This command changes the system. Run it with sudo: sudo companion update"))
    if args.back:
        return _run_install_script(INSTALLED_PROJECT_FOLDER, "--rollback")
    with TemporaryDirectory(prefix="companion-update-") as name:
        return _run_install_script(verify_and_unpack_release(args.archive, Path(name)))


def verify_and_unpack_release(archive: Path, root_owned_folder: Path) -> Path:
    """Verifies the signature of a release and unpacks it; returns the folder of its project.

    Prints the SHA-256 of the archive, and whether the signature was checked. Only root can write to
    `root_owned_folder`. Raises `UserError` for a file that is no release and, if keys are installed, for one
    that none of them has signed.
    """
    # The owner of the archive could change it after it was checked.
    own_copy = root_owned_folder / "release.tar.gz"
    try:
        with open_regular_file(archive) as source, open_replacement(own_copy) as target:
            checksum = _copy_and_hash(source, target)
    except (OSError, ValueError) as error:
        raise _not_a_release_error(archive) from error
    _print(say("SHA-256 of {file}: {sum}", file=str(archive), sum=checksum))
    if verify_signature_if_keys_installed(
        own_copy, archive.with_name(f"{archive.name}.sig"), root_owned_folder
    ):
        _print(
            say(
                "The signature of this release is valid. It was made with a key in {keys}.",
                keys=str(RELEASE_KEYS_FILE),
            )
        )
    else:
        _print(
            say(
                "The signature of this release was not checked, because {keys} contains no keys.",
                keys=str(RELEASE_KEYS_FILE),
            )
        )
    try:
        return unpack_release(own_copy, root_owned_folder / "unpacked")
    except UserError as error:
        raise _not_a_release_error(archive) from error


def _copy_and_hash(source: IO[bytes], target: IO[bytes]) -> str:
    """Copies an archive; returns its SHA-256 in hex. Raises `ValueError` if it is too large."""
    digest, size = sha256(), 0
    while chunk := source.read(READ_BUFFER_BYTES):
        size += len(chunk)
        if size > MAX_UNPACKED_BYTES:
            raise ValueError("too many bytes")
        digest.update(chunk)
        target.write(chunk)
    return digest.hexdigest()


def unpack_release(archive: Path, folder: Path) -> Path:
    """Unpacks a release into a folder and returns the folder of its project.

    Raises `UserError` for a file that is no release.
    """
    try:
        unpack_archive(archive, folder)
    except UNPACK_ERRORS as error:
        raise _not_a_release_error(archive) from error
    project_folders = [path for path in (folder, *folder.iterdir()) if (path / INSTALL_SCRIPT).is_file()]
    if not project_folders:
        raise _not_a_release_error(archive)
    return project_folders[0]


def _run_install_script(project: Path, *arguments: str) -> int:
    return subprocess.run(["/bin/sh", project / INSTALL_SCRIPT, *arguments], check=False).returncode  # noqa: S603 - it is ours


def _not_a_release_error(archive: Path) -> UserError:
    return UserError(say("{file} is damaged or isn't a release of the Companion.", file=str(archive)))


def _print(text: Say) -> None:
    sys.stdout.write(f"{render(text)}\n")
    sys.stdout.flush()


# Archives of releases


def unpack_archive(archive: Path, folder: Path) -> None:
    """Unpacks an archive into a folder, which is new or empty.

    Raises one of `UNPACK_ERRORS`; the files that were unpacked before the error stay in the folder. Nothing
    is written outside of the folder.
    """
    if not archive.is_file():  # reading a pipe would wait for ever
        raise ValueError("no file")
    with archive.open("rb") as archive_file:
        _require_intact(archive_file)
        archive_file.seek(0)
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(fileobj=archive_file, mode="r:gz") as tar:
            for count, member in enumerate(tar, 1):
                if count > MAX_ARCHIVE_MEMBERS:
                    raise ValueError("too many files")
                _unpack_member(tar, member, folder)


def _require_intact(archive_file: IO[bytes]) -> None:
    """Reads an archive up to its checksum, which comes last; raises an error if it is wrong or too large."""
    size = 0
    with gzip.open(archive_file) as unpacked:
        while part := unpacked.read(READ_BUFFER_BYTES):
            size += len(part)
            if size > MAX_UNPACKED_BYTES:
                raise ValueError("too many bytes")


def _unpack_member(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts:
        raise ValueError(f"{name} leads out of the folder")
    if member.isdir():
        _create_subfolder(folder, name)
        return
    # A sparse file may claim any size: the bytes of the archive don't bound it.
    if member.type not in REGULAR_FILE_TYPES or member.issparse():
        raise ValueError(f"{name} is neither a file nor a folder")
    _create_subfolder(folder, name.parent)
    content = tar.extractfile(member)
    if content is None:
        raise ValueError(f"{name} has no content")
    path = folder / name
    with content, path.open("xb") as new_file:  # a second file of this name is refused
        shutil.copyfileobj(content, new_file)
    path.chmod(PROGRAM_MODE if member.mode & OWNER_MAY_RUN else FILE_MODE)


def _create_subfolder(folder: Path, name: PurePosixPath) -> None:
    """Creates a folder in `folder`, and those above it. No link can be in the way: none is unpacked."""
    for part in name.parts:
        folder /= part
        if not folder.is_dir():
            folder.mkdir()
            folder.chmod(FOLDER_MODE)


UPDATE = Subcommand(
    "Install another version, or go back to the previous version.",
    _add_arguments,
    _update,
    ("sudo companion update companion-0.3.0.tar.gz", "sudo companion update --back"),
)
