"""Twins: two games that differ only in a secret. Until it is told, nothing that can be observed may differ.

A front end extends this by giving each moment more sights: what it wrote, what its widgets say, its pixels.
"""

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.errors import IllegalAnswer, TableError
from companion.log.events import Event, Sealed
from companion.log.seals import letters
from companion.requests import Read
from companion.session.session import Session
from companion.session.view import View, history, view
from companion.table.seats import Seat
from companion.testing.trial import asked, still
from companion.words import render

Look = Callable[[Session, Seat | None], View]
SEALED = re.compile(r"^sealed/")
"""The one part of a state directory that may hold secrets."""


class Moment(NamedTuple):
    """What could be observed at one moment, by name, and the commitments that are in it."""

    sights: dict[str, bytes]
    commitments: frozenset[str] = frozenset()


def differing(one: Sequence[Moment], other: Sequence[Moment]) -> list[str]:
    """What a stranger could tell the twins apart by: `moment 3: view of Aki`; nothing, if all is well."""
    found = [] if len(one) == len(other) else ["the number of moments"]
    for at, (mine, yours) in enumerate(zip(one, other, strict=False)):
        names = sorted({*mine.sights, *yours.sights})
        found += [f"moment {at}: {name}" for name in names if _masked(mine, name) != _masked(yours, name)]
    return found


def moment(
    session: Session,
    *,
    log: Iterable[Event] = (),
    directory: Path | None = None,
    look: Look = view,
    deeds: Iterable[object] = (),
) -> Moment:
    """Everything to be observed of a session now: views, question, history, files, and what is refused.

    The commitments are taken from the `log`, and what follows from them from its rows.
    `deeds` are answers that are refused in any case; they are tried, and the refusals are sights.
    """
    eyes = (None, *session.table.seats)
    sights = {f"view of {seat.name if seat else 'all'}": _written(look(session, seat)) for seat in eyes}
    sights["question"] = asked(session.question).encode()
    sights["history"] = repr([render(entry.text) for entry in history(session)]).encode()
    sights["where"] = session.where().encode()
    for deed in deeds:
        sights[f"refusal of {deed}"] = "; ".join(_refusals(session, deed)).encode()
    sights |= files(directory) if directory else {}
    seals = {event.commitment for event in log if isinstance(event, Sealed)}
    return Moment(sights, frozenset(seals | (chains(directory) if directory else set())))


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
            session.draft(session.n, seat, deed) if seat else session.answer(session.n, deed)
        except TableError as error:
            refused.append(render(error.text))
        else:
            raise AssertionError(f"{deed!r} was not refused")
    return refused


def _written(seen: View) -> bytes:
    return msgspec.json.encode(still(seen))


def _masked(moment: Moment, name: str) -> bytes:
    """A sight without its commitments, and without the letters of them that an envelope shows."""
    sight = moment.sights.get(name, b"there is no such sight")
    for commitment in moment.commitments:
        sight = sight.replace(commitment.encode(), b"#" * 64)
        sight = sight.replace(letters(commitment).encode(), b"#### #### ####")
    return sight


def refused_cards(session: Session, probes: Iterable[object]) -> dict[str, str]:
    """Why these answers would be refused now, if cards are asked for; what would be taken is left out."""
    found: dict[str, str] = {}
    question = session.question
    for probe in probes:
        if not isinstance(question, Read):
            break
        try:
            question.check(question.load(probe))
        except IllegalAnswer as error:
            found[str(probe)] = render(error.text)
    return found
