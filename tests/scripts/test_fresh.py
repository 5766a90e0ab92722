"""A stranger's two commands in a bare Debian: what is reported and what fails."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.scripts.stubs import PROJECT, Stubs


@pytest.fixture
def stubs(tmp_path: Path) -> Stubs:
    """Programs that tell what they were called with."""
    return Stubs(tmp_path)


@pytest.mark.parametrize(
    ("made", "fresh", "status", "reported"),
    [(0, 0, 0, False), (2, 0, 2, False), (0, 75, 0, True), (0, 1, 1, False), (0, 123, 123, False)],
)
def test_a_change_passes_here_and_in_a_bare_root(
    tmp_path: Path, stubs: Stubs, made: int, fresh: int, status: int, reported: bool
) -> None:
    """A root that can't be made is reported; whatever fails in one that could be made fails."""
    for folder in (".ci", "scripts"):
        (tmp_path / folder).mkdir()
    shutil.copy(PROJECT / ".ci/run", tmp_path / ".ci/run")
    stubs.add("make", f"exit {made}")
    stubs.add("fresh.sh", f"exit {fresh}")
    shutil.move(stubs.bin / "fresh.sh", tmp_path / "scripts/fresh.sh")
    done = stubs.sh(str(tmp_path / ".ci/run"))
    assert (done.returncode, "NOT CHECKED" in done.stdout) == (status, reported)
    assert stubs.calls() == ["make test", "fresh.sh trixie"][: 2 - bool(made)]


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        ({"id": "echo 1000"}, "only root can make one"),
        ({"unshare": "exit 1"}, "namespaces are not allowed"),
        ({"mmdebstrap": "", "apt-helper": "exit 100"}, "the mirror http://mirror.test/debian doesn't answer"),
    ],
    ids=["no root", "no namespaces", "no mirror"],
)
def test_a_root_that_can_not_be_made_has_a_status_of_its_own(
    tmp_path: Path, stubs: Stubs, missing: dict[str, str], why: str
) -> None:
    """Nothing was tried then, so nothing has failed; the reason is said."""
    for name, script in {
        "id": "echo 0",
        "unshare": "",
        "apt-get": 'case "$1" in indextargets) echo Debian http://mirror.test/debian ;; esac',
        **missing,
    }.items():
        stubs.add(name, script)
    done = stubs.sh("scripts/fresh.sh trixie", TMPDIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (75, f"fresh trixie: no root can be made here: {why}\n")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("tmp.")]
