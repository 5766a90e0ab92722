"""What a run doesn't check is said in its last line, and no test leaves anything out by itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.required_programs import alternatives_by_program, find_program, summarize_skipped_tests

TESTS = Path(__file__).parents[1]
PROJECT = TESTS.parent
SKIPPED = """
import pytest

@pytest.mark.needs("chromium")
def test_a_page():
    pass

@pytest.mark.needs("strace")
def test_a_disk():
    pass

@pytest.mark.skip(reason="no kernel: see elsewhere")
@pytest.mark.parametrize("n", range(3))
def test_pins(n):
    pass

def test_rules():
    pass
"""


def test_reasons_are_counted_and_what_is_about_one_test_is_left_out() -> None:
    """The commonest reason comes first; where nothing was skipped the line says that."""
    reasons = ["no kernel", "can't mount here: /tmp/x", "can't mount here: /tmp/y"]
    assert summarize_skipped_tests(reasons) == "Not checked: 2 tests (can't mount here); 1 test (no kernel)."
    assert summarize_skipped_tests([]) == "Not checked: nothing."


@pytest.mark.sweep(1)
@pytest.mark.parametrize("how", [["-n", "0"], ["-n", "2"], ["-n", "0", "-q"]], ids=" ".join)
def test_the_last_line_of_a_run_says_what_was_not_checked(tmp_path: Path, how: list[str]) -> None:
    """In one process or several, on a machine that lacks programs that the tests run."""
    (tmp_path / "test_it.py").write_text(SKIPPED)
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    settings = ["-c", str(PROJECT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    command = [sys.executable, "-m", "pytest", *settings, *how, str(tmp_path)]
    env = {**os.environ, "PATH": str(tmp_path), "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == (
        "Not checked: 3 tests (no kernel); 1 test (chromium is not installed); "
        "1 test (strace is not installed)."
    )


def test_only_listed_programs_are_looked_for() -> None:
    """Set-up installs what the list names: any other program would be missing on a fresh machine."""
    with pytest.raises(KeyError):
        find_program("frobnicate")
    marks = re.compile(r"""mark\.needs\((["\w, ./-]+)\)""")
    for file in TESTS.rglob("*.py"):
        text = file.read_text("utf-8")
        for programs in marks.findall(text):
            assert set(re.findall(r'"([^"]+)"', programs)) <= set(alternatives_by_program()), file
        if file.name not in {"machine.py", "box.py", Path(__file__).name}:
            assert "shutil.which(" not in text, f"{file}: mark the test with needs(...) instead"


def test_set_up_lists_the_packages_that_are_missing(tmp_path: Path) -> None:
    """Each once, and none of which one program is there that is enough."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/programs.txt").write_text(
        "# none\na a\nb b-one\nb b-two\nb b-three\nc c-one c-two\nd d\n"
    )
    for name in ("a", "b-two", "c-two"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    for name in ("grep", "sort"):
        (tmp_path / name).symlink_to(Path("/usr/bin") / name)
    done = subprocess.run(
        ["/bin/sh", "-euc", f". {PROJECT}/scripts/packages.sh; missing_for_tests"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={"PATH": str(tmp_path)},
    )
    assert done.stdout.split() == ["b", "d"]
