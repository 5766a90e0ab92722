"""Observes more of twin games than `companion.testing` does: their files, and why answers are refused."""

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

SEALED_FILE = re.compile(r"^sealed/")
"""The only part of a state directory that may have secrets."""


def observe_moment(
    session: Session,
    *,
    log: Iterable[Event] = (),
    directory: Path | None = None,
    view_function: ViewFunction = make_view,
    refused_answers: Iterable[object] = (),
) -> Observation:
    """Returns all that others can observe, including the files in `directory`, and the commitments.

    `refused_answers` must be refused in any case; they are tried, and their error messages are observed too.
    """
    values, commitments = noninterference.observe_session(session, log, view_function)
    values |= {
        f"refusal of {answer}": "; ".join(_refusals(session, answer)).encode() for answer in refused_answers
    }
    if directory is None:
        return Observation(values, commitments)
    return Observation(values | readable_files(directory), commitments | event_chains(directory))


def event_chains(directory: Path) -> set[str]:
    """Returns the chain checksums of all events; they depend on the commitments in the events."""
    with closing(sqlite3.connect(directory / "companion.sqlite3")) as games:
        return {chain for (chain,) in games.execute("SELECT chain FROM event")}


def readable_files(directory: Path) -> dict[str, bytes]:
    """Returns name, size and content of all files but the sealed ones.

    SQLite salts its write-ahead log randomly, so the log is merged in a copy before it is compared.
    """
    names = {
        str(path.relative_to(directory)): path for path in sorted(directory.rglob("*")) if path.is_file()
    }
    open_names = {name: path for name, path in names.items() if not SEALED_FILE.match(name)}
    contents = {f"size of {name}": str(path.stat().st_size).encode() for name, path in open_names.items()}
    with tempfile.TemporaryDirectory() as copy_directory:
        for name, path in open_names.items():
            shutil.copy(path, Path(copy_directory, name))
        for copy in Path(copy_directory).glob("*.sqlite3"):
            with closing(sqlite3.connect(copy)) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for copy in Path(copy_directory).iterdir():
            if not copy.name.endswith(("-wal", "-shm")):
                contents[f"file {copy.name}"] = copy.read_bytes()
    return contents


def _refusals(session: Session, answer: object) -> list[str]:
    refused = []
    for seat in (None, *session.table.seats):
        try:
            session.put_answer_in_envelope(session.question_number, seat, answer) if seat else session.answer(
                session.question_number, answer
            )
        except UserError as error:
            refused.append(render(error.text))
        else:
            raise AssertionError(f"{answer!r} was not refused")
    return refused


def card_refusals(session: Session, probes: Iterable[object]) -> dict[str, str]:
    """Returns the error message of each answer that would be refused, if the open question asks for cards."""
    refusal_by_probe: dict[str, str] = {}
    question = session.question
    for probe in probes:
        if not isinstance(question, Read):
            break
        try:
            question.check_answer(question.parse_answer(probe))
        except IllegalAnswer as error:
            refusal_by_probe[str(probe)] = render(error.text)
    return refusal_by_probe
