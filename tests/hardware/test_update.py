"""The verb `update`: what is no release is refused before anything changes; only files come out of one."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import tarfile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.errors import UserError
from hardware.commands import update
from hardware.commands.update import INSTALL_SCRIPT, UNPACK_ERRORS, unpack_archive, unpack_release
from tests.support.program import COMPANION

ROOT = Path(__file__).parents[2]


def packed(archive: Path, **files: bytes) -> Path:
    """An archive with these files; two underscores stand for a slash."""
    with tarfile.open(archive, "w:gz") as file:
        for name, content in files.items():
            member = tarfile.TarInfo(name.replace("__", "/").replace("_sh", ".sh"))
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return archive


def test_a_release_is_unpacked(tmp_path: Path) -> None:
    """As git archives the project: one folder, with the installation in it."""
    archive = packed(tmp_path / "x.tar.gz", **{"companion-9__scripts__install_sh": b"true\n"})
    assert unpack_release(archive, tmp_path / "new") == tmp_path / "new/companion-9"


@pytest.mark.parametrize(
    "files",
    [{"x": b""}, {"..__scripts__install_sh": b""}, {"__etc__passwd": b""}],
    ids=["nothing of ours", "a way out", "a root"],
)
def test_what_is_no_release_is_refused(tmp_path: Path, files: dict[str, bytes]) -> None:
    """Nothing is written outside the folder."""
    archive = packed(tmp_path / "x.tar.gz", **files)
    (tmp_path / "new").mkdir()
    with pytest.raises(UserError, match=r"x\.tar\.gz is damaged or isn't a release"):
        unpack_release(archive, tmp_path / "new")
    assert not (tmp_path / "scripts").exists()


@pytest.mark.parametrize("links", [{"x": "absent"}, {"x/y": "x/y"}], ids=["to nothing", "round"])
def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path, links: dict[str, str]) -> None:
    """As tar itself raises for it what nobody else does."""
    with tarfile.open(tmp_path / "x.tar.gz", "w:gz") as file:
        for name, target in links.items():
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.LNKTYPE, target
            file.addfile(link)
    with pytest.raises(UserError, match=r"x\.tar\.gz is damaged or isn't a release"):
        unpack_release(tmp_path / "x.tar.gz", tmp_path / "new")


@pytest.mark.parametrize("content", [b"", b"x" * 1000])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    """Also an empty one."""
    (tmp_path / "x.tar.gz").write_bytes(content)
    with pytest.raises(UserError, match=r"x\.tar\.gz is damaged or isn't a release"):
        unpack_release(tmp_path / "x.tar.gz", tmp_path)


def test_a_release_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    """At any length."""
    whole = packed(tmp_path / "x.tar.gz", a__scripts__install_sh=b"true\n" * 1000).read_bytes()
    for length in range(len(whole)):
        (tmp_path / "cut.tar.gz").write_bytes(whole[:length])
        with pytest.raises(UserError):
            unpack_release(tmp_path / "cut.tar.gz", tmp_path / str(length))


def test_a_release_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However little room it takes packed, and before anything of it is written."""
    monkeypatch.setattr(update, "MAX_UNPACKED_BYTES", 100_000)
    archive = packed(tmp_path / "x.tar.gz", a__scripts__install_sh=b"true\n" * 50_000)
    with pytest.raises(UserError):
        unpack_release(archive, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_checkout_is_updated_by_git(tmp_path: Path) -> None:
    """The verb says so, and what to do then."""
    archive = packed(tmp_path / "x.tar.gz", a__scripts__install_sh=b"true\n")
    said = subprocess.run([COMPANION, "update", archive], capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert f'run "git pull", then "sudo {INSTALL_SCRIPT}"' in said.stderr


@pytest.mark.needs("git")
def test_the_project_archives_itself_as_a_release(tmp_path: Path) -> None:
    """What git archives of this very commit can be unpacked and would be installed."""
    archive = tmp_path / "companion-9.tar.gz"
    git = ["git", "-C", str(ROOT), "archive", "--format=tar.gz", "--prefix=companion-9/", "-o", str(archive)]
    if subprocess.run([*git, "HEAD"], capture_output=True, check=False).returncode:
        pytest.skip("this is no clone")
    project = unpack_release(archive, tmp_path / "new")
    told = subprocess.run(
        ["sh", project / INSTALL_SCRIPT, "--dry-run"], capture_output=True, text=True, check=True
    )
    assert "install: would " in told.stdout


OUTSIDE = "precious"
LINKS = [tarfile.SYMTYPE, tarfile.LNKTYPE]
ODD_TYPES = [
    tarfile.CHRTYPE,
    tarfile.BLKTYPE,
    tarfile.FIFOTYPE,
    tarfile.CONTTYPE,
    tarfile.GNUTYPE_SPARSE,
    b"Z",  # of a tar that is yet to come
]
NAMES = [
    "x",
    "a/x",
    "a",
    "a/b/x",
    "./x",
    "a//x",
    "x/",
    ".",
    "",
    "..",
    "../x",
    "a/../x",
    "a/../../x",
    "/x",
    "/etc/x",
]
TARGETS = ["x", "a", ".", "..", "../precious", "/etc/passwd", "a/../..", "absent"]


def member(name: str, content: bytes = b"x", **fields: Any) -> tuple[tarfile.TarInfo, bytes]:
    """A member of an archive; a link, device or folder has no content."""
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tuple[tarfile.TarInfo, bytes]:
    """A link of either kind."""
    return member(name, b"", type=kind, linkname=target)


def pack(archive: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    """An archive with these members, in this order."""
    with tarfile.open(archive, "w:gz") as file:
        for info, content in members:
            file.addfile(info, io.BytesIO(content))
    return archive


def tree(folder: Path) -> dict[str, os.stat_result]:
    """What lies in a folder, links not followed."""
    return {str(path.relative_to(folder)): path.lstat() for path in folder.rglob("*")}


def test_files_and_folders_come_out(tmp_path: Path) -> None:
    """Files in folders of their own or made for them have the bytes that were packed."""
    folder = member("a", b"", type=tarfile.DIRTYPE)
    archive = pack(tmp_path / "x.tar.gz", folder, member("a/x", b"one"), member("b/c/y", b"two"))
    unpack_archive(archive, tmp_path / "new")
    assert {name: (tmp_path / "new" / name).read_bytes() for name in ("a/x", "b/c/y")} == {
        "a/x": b"one",
        "b/c/y": b"two",
    }


@pytest.mark.parametrize(
    ("packed", "unpacked"),
    [(0o644, 0o644), (0o755, 0o755), (0o6777, 0o755), (0o1666, 0o644), (0o000, 0o644), (0o011, 0o644)],
    ids=oct,
)
def test_an_archive_decides_only_whether_a_file_is_a_program(
    tmp_path: Path, packed: int, unpacked: int
) -> None:
    """Set-user-id bits, bits that let others write and foreign owners are dropped, whatever the umask."""
    hers: dict[str, Any] = {"mode": packed, "uid": 4711, "gid": 4711, "uname": "daemon"}
    archive = pack(
        tmp_path / "x.tar.gz",
        member("a", b"", type=tarfile.DIRTYPE, **hers),
        member("a/x", **hers),
        member("b/c/x", **hers),
    )
    before = os.umask(0o077)
    try:
        unpack_archive(archive, tmp_path / "new")
    finally:
        os.umask(before)
    found = tree(tmp_path / "new")
    assert {name: stat.S_IMODE(how.st_mode) for name, how in found.items()} == {
        "a": 0o755,
        "a/x": unpacked,
        "b": 0o755,
        "b/c": 0o755,
        "b/c/x": unpacked,
    }
    assert {(how.st_uid, how.st_gid) for how in found.values()} <= {
        (os.geteuid(), os.getegid()),
        (os.geteuid(), tmp_path.stat().st_gid),
    }


@pytest.mark.parametrize(
    "members",
    [
        [member("/x")],
        [member("//x")],
        [member("../x")],
        [member("a/../../x")],
        [member("a/../x")],
        [member("..", b"", type=tarfile.DIRTYPE)],
        [link("x", "a")],
        [link("x", "/etc/passwd")],
        [link("a", ".."), member("a/x")],
        [link("a", ".", tarfile.LNKTYPE)],
        [member("y"), link("x", "y", tarfile.LNKTYPE)],
        [link("x", "../precious", tarfile.LNKTYPE), member("x")],
        *([member("x", b"", type=kind)] for kind in ODD_TYPES),
        [member("x", b"", pax_headers={"GNU.sparse.size": "1000000000000", "GNU.sparse.map": "0,0"})],
        [member("x"), member("x")],
        [member("x"), member("x/y")],
        [member("x", b"", type=tarfile.DIRTYPE), member("x")],
        [member(".")],
    ],
)
def test_what_no_release_holds_is_refused(
    tmp_path: Path, members: list[tuple[tarfile.TarInfo, bytes]]
) -> None:
    """Names that lead out of the folder, links, devices, holes, and two files at one place."""
    (tmp_path / OUTSIDE).write_text("mine")
    archive = pack(tmp_path / "x.tar.gz", *members)
    with pytest.raises(UNPACK_ERRORS):
        unpack_archive(archive, tmp_path / "new")
    assert {path.name for path in tmp_path.iterdir()} == {OUTSIDE, "x.tar.gz", "new"}
    assert (tmp_path / OUTSIDE).read_text() == "mine"


def test_an_archive_of_countless_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files without content hardly count in bytes, but each costs memory and a place on the disk."""
    monkeypatch.setattr(update, "MAX_ARCHIVE_MEMBERS", 10)
    unpack_archive(pack(tmp_path / "10.tar.gz", *(member(str(n), b"") for n in range(10))), tmp_path / "10")
    with pytest.raises(ValueError, match="too many files"):
        unpack_archive(
            pack(tmp_path / "11.tar.gz", *(member(str(n), b"") for n in range(11))), tmp_path / "11"
        )
    assert len(list((tmp_path / "11").iterdir())) == 10


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """Reading it would wait until somebody writes."""
    os.mkfifo(tmp_path / "x.tar.gz")
    with pytest.raises(ValueError, match="no file"):
        unpack_archive(tmp_path / "x.tar.gz", tmp_path / "new")


def odd_member(rng: Random) -> tuple[tarfile.TarInfo, bytes]:
    """A member that may be anything."""
    kind = rng.choice([tarfile.REGTYPE, tarfile.REGTYPE, tarfile.DIRTYPE, *LINKS, *ODD_TYPES])
    content = b"x" * rng.randint(0, 9) if kind == tarfile.REGTYPE else b""
    target = rng.choice(TARGETS) if kind in LINKS else ""
    return member(rng.choice(NAMES), content, type=kind, linkname=target, mode=rng.randrange(0o10000))


def is_refused_by_python(info: tarfile.TarInfo, folder: Path) -> bool:
    """Whether tarfile's own filter refuses it, where this Python has filters."""
    if not hasattr(tarfile, "data_filter"):
        return False
    try:
        tarfile.data_filter(info, str(folder))
    except tarfile.FilterError:
        return True
    return False


@pytest.mark.sweep(100)
@pytest.mark.parametrize("seed", range(2_000))
def test_no_archive_reaches_out_of_its_folder(tmp_path: Path, seed: int) -> None:
    """Of any members plain files and folders come out or nothing more; what PEP 706 refuses is refused."""
    rng = Random(seed)
    (tmp_path / OUTSIDE).write_text("mine")
    members = [odd_member(rng) for _ in range(rng.randint(1, 4))]
    archive, new = pack(tmp_path / "x.tar.gz", *members), tmp_path / "new"
    try:
        unpack_archive(archive, new)
    except UNPACK_ERRORS:
        pass
    else:
        assert not any(is_refused_by_python(info, new) for info, _ in members)
    assert {path.name for path in tmp_path.iterdir()} <= {OUTSIDE, "x.tar.gz", "new"}
    assert (tmp_path / OUTSIDE).read_text() == "mine"
    for how in tree(new).values():
        assert stat.S_ISDIR(how.st_mode) or (stat.S_ISREG(how.st_mode) and how.st_nlink == 1)
        assert stat.S_IMODE(how.st_mode) in {0o644, 0o755}
