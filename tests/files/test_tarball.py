"""Releases that somebody hands over: files and folders come out of them, and nothing else."""

from __future__ import annotations

import io
import os
import stat
import tarfile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.files import release_archive

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
    release_archive.unpack_release(archive, tmp_path / "new")
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
        release_archive.unpack_release(archive, tmp_path / "new")
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
    with pytest.raises(release_archive.UNPACK_ERRORS):
        release_archive.unpack_release(archive, tmp_path / "new")
    assert {path.name for path in tmp_path.iterdir()} == {OUTSIDE, "x.tar.gz", "new"}
    assert (tmp_path / OUTSIDE).read_text() == "mine"


def test_an_archive_of_countless_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files without content hardly count in bytes, but each costs memory and a place on the disk."""
    monkeypatch.setattr(release_archive, "MAX_ARCHIVE_MEMBERS", 10)
    release_archive.unpack_release(
        pack(tmp_path / "10.tar.gz", *(member(str(n), b"") for n in range(10))), tmp_path / "10"
    )
    with pytest.raises(ValueError, match="too many files"):
        release_archive.unpack_release(
            pack(tmp_path / "11.tar.gz", *(member(str(n), b"") for n in range(11))), tmp_path / "11"
        )
    assert len(list((tmp_path / "11").iterdir())) == 10


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """Reading it would wait until somebody writes."""
    os.mkfifo(tmp_path / "x.tar.gz")
    with pytest.raises(ValueError, match="no file"):
        release_archive.unpack_release(tmp_path / "x.tar.gz", tmp_path / "new")


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
        release_archive.unpack_release(archive, new)
    except release_archive.UNPACK_ERRORS:
        pass
    else:
        assert not any(is_refused_by_python(info, new) for info, _ in members)
    assert {path.name for path in tmp_path.iterdir()} <= {OUTSIDE, "x.tar.gz", "new"}
    assert (tmp_path / OUTSIDE).read_text() == "mine"
    for how in tree(new).values():
        assert stat.S_ISDIR(how.st_mode) or (stat.S_ISREG(how.st_mode) and how.st_nlink == 1)
        assert stat.S_IMODE(how.st_mode) in {0o644, 0o755}
