"""Who made a release: where keys are installed, only what they signed is. The real ssh-keygen signs."""

from __future__ import annotations

import hashlib
import os
import subprocess
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import UserError
from hardware.commands import update
from tests.hardware.test_update import packed

pytestmark = pytest.mark.needs("ssh-keygen")

MARKER = "installed"


def key(path: Path, kind: str = "ed25519") -> Path:
    """A new private key; its public one lies beside."""
    command = ["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "maker", "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path


def sign(file: Path, private: Path, purpose: str = "companion-release") -> None:
    """As whoever makes a release signs it."""
    signature_of(file).unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", purpose, "-f", private, file], check=True)


def trust(*private: Path, signer: str = "companion") -> None:
    """As the owner installs keys."""
    lines = [f"{signer} {one.with_suffix('.pub').read_text()}" for one in private]
    update.RELEASE_KEYS_FILE.write_text("".join(lines))
    update.RELEASE_KEYS_FILE.chmod(0o644)


@pytest.fixture
def makers(tmp_path: Path) -> Path:
    """The key of whoever makes releases."""
    return key(tmp_path / "maker")


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release whose installation leaves a mark, on a machine with a version installed, for root."""
    (tmp_path / "etc").mkdir(mode=0o755)
    (tmp_path / "appliance/scripts").mkdir(parents=True)
    (tmp_path / "appliance/scripts/install.sh").touch()
    monkeypatch.setattr(update, "INSTALLED_PROJECT_FOLDER", tmp_path / "appliance")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(update, "RELEASE_KEYS_FILE", tmp_path / "etc/companion-release-keys")
    monkeypatch.setattr(update, "ROOT_USER_ID", os.getuid())
    script = f"touch {tmp_path / MARKER}\n".encode()
    return packed(tmp_path / "companion-9.tar.gz", **{"companion-9__scripts__install_sh": script})


def updated(release: Path) -> bool:
    """Whether the script of the release ran, as the verb does it."""
    update._update(Namespace(archive=release, back=False))
    return (release.parent / MARKER).exists()


def refused(release: Path, why: str) -> bool:
    """Whether the verb says why not, and nothing of the release ran."""
    with pytest.raises(UserError, match=why):
        updated(release)
    return not (release.parent / MARKER).exists()


def test_without_a_key_the_sum_is_told_and_that_nobody_checked(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever knows the right sum can compare it."""
    assert updated(release)
    said = capsys.readouterr().out
    assert f"SHA-256 of {release}: {hashlib.sha256(release.read_bytes()).hexdigest()}\n" in said
    assert (
        "The signature of this release was not checked, "
        f"because {update.RELEASE_KEYS_FILE} contains no keys.\n" in said
    )


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_a_release_that_is_signed_is_installed(
    release: Path, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By any of the keys, whatever they are called beside."""
    makers, other = key(tmp_path / "maker", kind), key(tmp_path / "other")
    trust(other, makers)
    sign(release, makers)
    assert updated(release)
    assert "The signature of this release is valid. It was made with a key in" in capsys.readouterr().out


def signature_of(release: Path) -> Path:
    """Where it is looked for."""
    return release.with_name(f"{release.name}.sig")


def change(release: Path, private: Path) -> None:
    """Signed first, then changed."""
    sign(release, private)
    packed(release, a__scripts__install_sh=b"true\n")


def swap(release: Path, private: Path) -> None:
    """A good signature, of another file."""
    public = private.with_suffix(".pub")
    sign(public, private)
    signature_of(public).rename(signature_of(release))


UNSIGNED: dict[str, Callable[[Path, Path], object]] = {
    "changed afterwards": change,
    "by another key": lambda release, makers: sign(release, key(makers.with_name("other"))),
    "for another purpose": lambda release, makers: sign(release, makers, "file"),
    "of another file": swap,
    "not at all": lambda release, _: signature_of(release).write_text("signed, the maker"),
    "by an empty file": lambda release, _: signature_of(release).touch(),
}


@pytest.mark.parametrize("how", UNSIGNED)
def test_a_release_that_no_key_has_signed_is_refused(release: Path, makers: Path, how: str) -> None:
    """Nothing of it runs."""
    trust(makers)
    UNSIGNED[how](release, makers)
    assert refused(release, r"companion-9\.tar\.gz\.sig isn't a valid signature of this release by a key in ")


def test_with_keys_a_signature_must_be_there(release: Path, makers: Path) -> None:
    """A release alone is refused; so is a pipe in the place of its signature, which nobody waits for."""
    trust(makers)
    assert refused(
        release, r"\.sig can't be read: No such file or directory\. Only signed releases are accepted"
    )
    os.mkfifo(signature_of(release))
    assert refused(release, r"\.sig can't be read: It is not a regular file\.")


@pytest.mark.parametrize("signer", ["somebody", "companions", "!companion,*"])
def test_only_keys_for_the_companion_count(release: Path, makers: Path, signer: str) -> None:
    """A key that the file names for something else signs no release; nor does an empty file of keys."""
    trust(makers, signer=signer)
    sign(release, makers)
    assert refused(release, "isn't a valid signature of this release")
    trust()
    assert refused(release, "isn't a valid signature of this release")


def link(keys: Path) -> None:
    """The keys lie elsewhere, and a link in their place."""
    keys.symlink_to(keys.rename(keys.with_name("real")))


def pipe(keys: Path) -> None:
    """Something that keeps its reader waiting."""
    keys.unlink()
    os.mkfifo(keys, 0o600)


def directory(keys: Path) -> None:
    """Something that holds no keys."""
    keys.unlink()
    keys.mkdir()


OPEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "writable by all": (lambda keys: keys.chmod(0o646), "other users can change"),
    "writable by a group": (lambda keys: keys.chmod(0o664), "other users can change"),
    "in a directory writable by all": (lambda keys: keys.parent.chmod(0o777), "other users can change .*etc"),
    "a link": (link, "is a link"),
    "a pipe": (pipe, "It is not a regular file"),
    "a directory": (directory, "Is a directory"),
}


def nobodys(path: Path) -> None:
    """Makes a file somebody else's, as far as this user may."""
    if os.getuid() == 0:
        os.chown(path, 65534, 65534)


@pytest.mark.parametrize("how", OPEN)
def test_keys_that_others_may_have_written_are_refused(release: Path, makers: Path, how: str) -> None:
    """As is a release that they would let in; it isn't installed as if there were no keys."""
    trust(makers)
    sign(release, makers)
    do, why = OPEN[how]
    do(update.RELEASE_KEYS_FILE)
    assert refused(release, f"The keys in .* can't be trusted: .*({why})")


@pytest.mark.parametrize("what", ["keys", "directory"])
def test_keys_that_are_not_roots_are_refused(
    release: Path, makers: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever owns the file, or the directory it lies in, could let any release in."""
    trust(makers)
    sign(release, makers)
    nobodys(update.RELEASE_KEYS_FILE if what == "keys" else update.RELEASE_KEYS_FILE.parent)
    monkeypatch.setattr(update, "ROOT_USER_ID", 0)
    assert refused(release, "can't be trusted: .* belongs to another user")


def test_without_ssh_keygen_nothing_is_taken_on_trust(
    release: Path, makers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says what to install."""
    trust(makers)
    sign(release, makers)
    monkeypatch.setattr(update, "SSH_KEYGEN", "/absent")
    assert refused(release, "can't be checked without /absent: sudo apt install openssh-client")


def test_what_is_installed_is_what_was_checked(
    release: Path, makers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever owns the archive may change it in between: a copy of root's is checked and unpacked."""
    trust(makers)
    sign(release, makers)
    check = update.verify_signature_if_keys_installed

    def changed_meanwhile(archive: Path, *rest: Path) -> bool:
        done = check(archive, *rest)
        packed(release, a__scripts__install_sh=b"exit 3\n")
        return done

    monkeypatch.setattr(update, "verify_signature_if_keys_installed", changed_meanwhile)
    assert updated(release)


def test_a_pipe_is_no_release(tmp_path: Path, release: Path) -> None:
    """Nobody waits for one."""
    os.mkfifo(tmp_path / "pipe.tar.gz")
    assert refused(tmp_path / "pipe.tar.gz", r"pipe\.tar\.gz is damaged or isn't a release")
