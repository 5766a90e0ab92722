"""Who made a release: its signature, where the owner of the machine has installed keys.

    check(Path("companion-0.3.0.tar.gz"), Path("companion-0.3.0.tar.gz.sig"), folder)

A signature is what `ssh-keygen -Y sign -n companion-release` writes. The keys lie in one file that only root
can have written, a key a line: `companion ssh-ed25519 AAAA…` (ALLOWED SIGNERS in ssh-keygen's manual).
"""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

from companion.errors import UserError
from companion.files.regular_files import read_regular_file, replace_file
from companion.texts import Say, say

KEYS = Path("/etc/companion-release-keys")
"""Not in /etc/companion, which belongs to the service's user."""
ROOT = 0
SIGNER, PURPOSE = "companion", "companion-release"
"""Whose keys count, and what for: a key that signs something else too signs no release by it."""
LARGEST = 2**16
"""Bytes of the keys and of a signature, which has some 300."""
SSH_KEYGEN = "/usr/bin/ssh-keygen"
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def check(archive: Path, signature: Path, folder: Path) -> bool:
    """Whether one of the keys has signed the archive; False where none is installed.

    `folder` is one's own, for copies. Raises `UserError` for a key file that isn't root's alone, and for an
    archive that no key has signed.
    """
    keys = _keys()
    if keys is None:
        return False
    try:
        replace_file(folder / "signature", read_regular_file(signature, LARGEST))
    except OSError as error:
        text = "{file} can't be read: {why}. Only signed releases are accepted, because {keys} contains keys."
        why = error.strerror or str(error)
        raise UserError(say(text, file=str(signature), why=why, keys=str(KEYS))) from error
    replace_file(folder / "keys", keys)
    if not _is_signed(archive, folder / "signature", folder / "keys"):
        text = "{file} isn't a valid signature of this release by a key in {keys}."
        raise UserError(say(text, file=str(signature), keys=str(KEYS)))
    return True


def _keys() -> bytes | None:
    """What lies in the file of keys; None where there is none."""
    if not os.path.lexists(KEYS):
        return None
    try:
        for path in (KEYS, *KEYS.parents):
            _check_rights(path)
        return read_regular_file(KEYS, LARGEST, follow_links=False)
    except OSError as error:
        raise _refused(error.strerror or str(error)) from error


def _check_rights(path: Path) -> None:
    """Root alone may put something else there. In a sticky directory, as /tmp, nobody moves root's files."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise _refused(say("{path} is a link", path=str(path)))
    if found.st_uid not in {0, ROOT}:
        raise _refused(say("{path} belongs to another user", path=str(path)))
    if found.st_mode & OTHERS_WRITE and not (stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX):
        raise _refused(say("other users can change {path}", path=str(path)))


def _is_signed(archive: Path, signature: Path, keys: Path) -> bool:
    command = [SSH_KEYGEN, "-Y", "verify", "-f", str(keys), "-I", SIGNER, "-n", PURPOSE, "-s", str(signature)]
    try:
        with archive.open("rb") as content:
            done = subprocess.run(command, stdin=content, capture_output=True, check=False)  # noqa: S603 - the paths are ours
    except FileNotFoundError as error:
        text = "The signature can't be checked without {program}: sudo apt install openssh-client"
        raise UserError(say(text, program=SSH_KEYGEN)) from error
    return done.returncode == 0


def _refused(why: Say | str) -> UserError:
    text = "The keys in {file} can't be trusted: {why}. Nothing was changed."
    return UserError(say(text, file=str(KEYS), why=why))
