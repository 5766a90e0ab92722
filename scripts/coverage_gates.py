"""Says whether the tests reach as much as the project promises.

Reads coverage.py's data of the last run.
What only metal or MicroPython can reach is left out by [tool.coverage.run] omit
in pyproject.toml, each with its reason, and named here again.
"""

import json
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from coverage import Coverage

WHOLE = (
    "companion/games",
    "companion/requests",
    "companion/session/envelopes.py",
    "companion/session/session.py",
    "companion/session/session.py",
    "companion/session/session.py",
    "companion/session/view.py",
    "companion/store",
    "companion/table/ledger.py",
    "companion/table/table.py",
)
"""Rooms and files whose every branch is reached."""
REST_PERCENT = 90


class Reach(NamedTuple):
    """How much of one file the tests reach: lines and branches together."""

    path: str
    covered: int
    total: int

    @property
    def percent(self) -> float:
        """Percent of lines and branches; an empty file is reached."""
        return 100 * self.covered / self.total if self.total else 100.0


def promised_whole(path: str) -> bool:
    """Tell whether every branch of this file must be reached."""
    return any(PurePath(path).is_relative_to(whole) for whole in WHOLE)


def gates(files: Sequence[Reach]) -> list[str]:
    """List the broken promises as sentences; none means all are kept."""
    broken = [
        f"{file.path} must be reached whole, not {file.percent:.1f} %"
        for file in files
        if promised_whole(file.path) and file.covered < file.total
    ]
    rest = [file for file in files if not promised_whole(file.path)]
    whole_rest = Reach("the rest", sum(f.covered for f in rest), sum(f.total for f in rest))
    if whole_rest.percent < REST_PERCENT:
        broken.append(f"the rest must reach {REST_PERCENT} %, not {whole_rest.percent:.1f} %")
        broken += [
            f"    {file.percent:5.1f} %  {file.path}"
            for file in sorted(rest, key=lambda file: file.percent)
            if file.percent < REST_PERCENT
        ]
    return broken


def reaches(report: Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]]) -> list[Reach]:
    """Read the files out of coverage.py's JSON report."""
    return [
        Reach(
            path,
            counts["covered_lines"] + counts["covered_branches"],
            counts["num_statements"] + counts["num_branches"],
        )
        for path, file in report["files"].items()
        for counts in [file["summary"]]
    ]


def main() -> int:
    """Print the broken promises; return 1 if there are any."""
    coverage = Coverage()
    coverage.load()
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        coverage.json_report(outfile=report.name)
        files = reaches(json.loads(Path(report.name).read_text()))
    omitted = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["coverage"]["run"]["omit"]
    print("coverage: not counted, see pyproject.toml:", *omitted)
    broken = gates(files)
    print(*(f"coverage: {sentence}" for sentence in broken or ["every gate is kept"]), sep="\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
