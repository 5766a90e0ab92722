"""The gates of coverage: what a run must reach before it counts as tested."""

import pytest

from scripts.coverage_gates import Reach, gates, promised_whole, reaches


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("companion/table/ledger.py", True),
        ("companion/games/egypt/rulebook.py", True),
        ("companion/requests/raising.py", True),
        ("companion/terminal.py", False),
        ("hardware/desk/answers.py", False),
        ("ui/store.py", False),
    ],
)
def test_money_and_rules_are_promised_whole(path: str, whole: bool) -> None:
    """Games, ledger, table, requests, session, store and view are promised whole, no more."""
    assert promised_whole(path) is whole


def test_one_missed_branch_in_the_ledger_breaks_a_gate() -> None:
    """A file promised whole may miss nothing, however good the rest is."""
    files = [Reach("companion/table/ledger.py", 999, 1000), Reach("ui/app.py", 10, 10)]
    assert gates(files) == ["companion/table/ledger.py must be reached whole, not 99.9 %"]


def test_the_rest_is_weighed_together() -> None:
    """One weak file outside the promise is borne while the rest together reaches 90 %."""
    files = [
        Reach("ui/app.py", 95, 100),
        Reach("ui/sound.py", 5, 10),
        Reach("ui/__init__.py", 0, 0),
    ]
    assert gates(files) == []


def test_a_weak_rest_names_its_files() -> None:
    """Below 90 % the rest breaks the gate and its weak files are named, the weakest first."""
    files = [Reach("ui/a.py", 50, 100), Reach("ui/b.py", 100, 100), Reach("ui/c.py", 10, 100)]
    assert gates(files) == [
        "the rest must reach 90 %, not 53.3 %",
        "     10.0 %  ui/c.py",
        "     50.0 %  ui/a.py",
    ]


def test_branches_count_beside_lines() -> None:
    """A branch not taken lowers a file's reach though all its lines ran."""
    summary = {
        "covered_lines": 8,
        "num_statements": 8,
        "covered_branches": 1,
        "num_branches": 2,
    }
    assert reaches({"files": {"companion/session/view.py": {"summary": summary}}}) == [
        Reach("companion/session/view.py", 9, 10)
    ]
