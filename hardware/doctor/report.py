"""The findings as text, and the report: findings, what was played, and the journal, without personal data."""

from __future__ import annotations

import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from companion.errors import CompanionError
from companion.files import user_files
from companion.log.events import Answered, Began, Event, Sealed
from companion.store import Store
from companion.texts import render
from hardware.doctor.machine import Computer, Finding
from hardware.doctor.system import installed_companion_distribution

IMPERSONAL_NAMES_AND_HOMES = {"", "/", "/home", "root"}
"""User names and home folders that don't identify a person.

A user without a name would have the home `/home`.
"""


def format_finding(finding: Finding, language: str = "en") -> str:
    """Returns the line for a finding; the line for a failed check ends with what to do."""
    line = f"{finding.status:7} {render(finding.subject, language)}"
    return line if finding.advice is None else f"{line} → {render(finding.advice, language)}"


def write_report(path: Path, findings: Sequence[Finding], host: Computer) -> None:
    """Writes a report of all findings into a new file, in English; raises `UserError` if that fails.

    Findings, games and journal contain no player, no tag and no number that was entered; names and homes of
    this machine's users are removed here.
    """
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(host.now()))
    lines = [
        f"companion {installed_companion_distribution(host).version}, {date}",
        *map(format_finding, findings),
        "",
        *describe_saved_games(host.state_directory),
        "",
        *read_service_journal(),
    ]
    user_files.write_new_file(path, "\n".join([*(_remove_personal_names(line, host) for line in lines), ""]))


def _remove_personal_names(text: str, host: Computer) -> str:
    names = {host.user_name, *(host.environ.get(key, "") for key in ("USER", "LOGNAME", "SUDO_USER"))}
    homes = {home.rstrip("/") for home in (host.environ.get("HOME", ""), f"/home/{host.user_name}")}
    for home in sorted(homes - IMPERSONAL_NAMES_AND_HOMES, key=len, reverse=True):
        text = re.sub(rf"{re.escape(home)}(?!\w|[.-]\w)", "~", text)  # not the beginning of another home
    text = re.sub(r"/home/[^/\s]+", "~", text)
    for name in sorted(names - IMPERSONAL_NAMES_AND_HOMES, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "USER", text)
    return text


MAX_EVENTS_OR_JOURNAL_LINES = 200
"""Maximum number of game events, and of journal lines, in a report."""
JOURNAL_TIMEOUT_SECONDS = 10.0
JOURNAL_COMMAND = (
    "journalctl",
    "--unit",
    "companion",
    "--lines",
    str(MAX_EVENTS_OR_JOURNAL_LINES),
    "--output",
    "short-iso",
    "--no-pager",
    "--quiet",
)


def describe_saved_games(state_directory: Path) -> Iterator[str]:
    """Yields lines about the saved games: how many of each kind, and the last inputs of the newest.

    No line contains a name, an answer or a card.
    """
    try:
        with closing(Store.open(state_directory)) as store:
            saved_games = store.all_saved_games()
            counts = Counter((saved_game.game, saved_game.state) for saved_game in saved_games)
            for (game, state), count in sorted(counts.items()):
                yield f"{count} × {game}, {state}"
            if saved_games:
                newest = saved_games[0]
                yield f"the last inputs of game {newest.number}, {newest.game}:"
                events = store.open_game_log(newest.number).events()
                yield from map(_describe_event, events[-MAX_EVENTS_OR_JOURNAL_LINES:])
    except CompanionError as error:
        yield f"the saved games can't be read: {error.text.template}"


def _describe_event(event: Event) -> str:
    """Returns the question, the type and the source of an event; a seat is given by its number."""
    kind = type(event).__name__
    match event:
        case Began():
            return f"{kind}: version {event.version}, {len(event.names)} people"
        case Answered():
            return f"{event.n} {kind} by {event.via} after {event.at:.0f} s: {event.asks.partition(':')[0]}"
        case Sealed():
            return f"{event.n} {kind} by @{event.seat} after {event.at:.0f} s"
    return f"{event.n} {kind}"


def read_service_journal() -> Iterator[str]:
    """Yields the last lines of the service's journal, if there is one that may be read."""
    try:
        result = subprocess.run(  # noqa: S603 - a command of our own
            JOURNAL_COMMAND,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=JOURNAL_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return
    yield from result.stdout.splitlines()
