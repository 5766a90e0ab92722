"""What the tests see more of twins than `companion.testing` does: their files, and what is refused."""

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from companion.errors import IllegalAnswer, UserError
from companion.log.events import Event
from companion.requests import Read
from companion.session.session import Session
from companion.session.view import make_view
from companion.testing import noninterference
from companion.testing.noninterference import Observation, ViewFunction
from companion.texts import render

SEALED = re.compile(r"^sealed/")
"""The one part of a state directory that may hold secrets."""


def moment(
    session: Session,
    *,
    log: Iterable[Event] = (),
    directory: Path | None = None,
    look: ViewFunction = make_view,
    deeds: Iterable[object] = (),
) -> Observation:
    """What can be observed, its files too, with what follows from the commitments in its rows.

    `deeds` are answers that are refused in any case; they are tried, and the refusals are sights.
    """
    seen, commitments = noninterference.observe_session(session, log, look)
    seen |= {f"refusal of {deed}": "; ".join(_refusals(session, deed)).encode() for deed in deeds}
    if directory is None:
        return Observation(seen, commitments)
    return Observation(seen | files(directory), commitments | chains(directory))


def chains(directory: Path) -> set[str]:
    """What chains events to those before them: it follows from the commitments among them."""
    with closing(sqlite3.connect(directory / "companion.sqlite3")) as games:
        return {chain for (chain,) in games.execute("SELECT chain FROM event")}


def files(directory: Path) -> dict[str, bytes]:
    """All files but the sealed ones: name, size and content, databases as they are once all is written back.

    SQLite salts its write-ahead log by chance, so that log is merged in a copy before it is compared.
    """
    names = {
        str(path.relative_to(directory)): path for path in sorted(directory.rglob("*")) if path.is_file()
    }
    open_names = {name: path for name, path in names.items() if not SEALED.match(name)}
    found = {f"size of {name}": str(path.stat().st_size).encode() for name, path in open_names.items()}
    with tempfile.TemporaryDirectory() as there:
        for name, path in open_names.items():
            shutil.copy(path, Path(there, name))
        for copy in Path(there).glob("*.sqlite3"):
            with closing(sqlite3.connect(copy)) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for copy in Path(there).iterdir():
            if not copy.name.endswith(("-wal", "-shm")):
                found[f"file {copy.name}"] = copy.read_bytes()
    return found


def _refusals(session: Session, deed: object) -> list[str]:
    refused = []
    for seat in (None, *session.table.seats):
        try:
            session.put_answer_in_envelope(session.question_number, seat, deed) if seat else session.answer(
                session.question_number, deed
            )
        except UserError as error:
            refused.append(render(error.text))
        else:
            raise AssertionError(f"{deed!r} was not refused")
    return refused


def refused_cards(session: Session, probes: Iterable[object]) -> dict[str, str]:
    """Why these answers would be refused now, if cards are asked for; what would be taken is left out."""
    found: dict[str, str] = {}
    question = session.question
    for probe in probes:
        if not isinstance(question, Read):
            break
        try:
            question.check_answer(question.parse_answer(probe))
        except IllegalAnswer as error:
            found[str(probe)] = render(error.text)
    return found
