"""The doctor's lines as text: for the terminal as they are, for a report without whose machine it is."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

from companion.files import user_files
from companion.texts import render
from hardware.doctor import past
from hardware.doctor.computer import Computer
from hardware.doctor.machine import Finding
from hardware.doctor.packages import own

EVERYBODYS = {"", "/", "root"}
"""Names and homes that tell nothing about anybody."""


def line(finding: Finding, language: str = "en") -> str:
    """One line; a failing one ends with what to do."""
    what = f"{finding.mark:7} {render(finding.what, language)}"
    return what if finding.todo is None else f"{what} → {render(finding.todo, language)}"


def write_report(path: Path, findings: Sequence[Finding], host: Computer) -> None:
    """Writes every line where nothing is yet, in English; raises `UserError` where that can't be.

    Findings, the past and the journal know no player, no tag and no number that was typed; names and homes of
    this machine's users are taken out here.
    """
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(host.now()))
    lines = [
        f"companion {own(host).version}, {date}",
        *map(line, findings),
        "",
        *past.games(host.state),
        "",
        *past.journal(),
    ]
    user_files.write_new_file(path, "\n".join([*(_nobodys(each, host) for each in lines), ""]))


def _nobodys(text: str, host: Computer) -> str:
    names = {host.user_name, *(host.environ.get(key, "") for key in ("USER", "LOGNAME", "SUDO_USER"))}
    homes = {host.environ.get("HOME", ""), f"/home/{host.user_name}"}
    for home in sorted(homes - EVERYBODYS, key=len, reverse=True):
        text = text.replace(home, "~")
    text = re.sub(r"/home/[^/\s]+", "~", text)
    for name in sorted(names - EVERYBODYS, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "USER", text)
    return text
