"""The verb `update`: what is no release is refused before anything is changed."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.files import release_archive
from hardware.commands.update import INSTALL_SCRIPT, unpack_release
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
    monkeypatch.setattr(release_archive, "MAX_UNPACKED_BYTES", 100_000)
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
