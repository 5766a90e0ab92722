"""The forms in which a record is written, and where the screen keeps what it writes.

Nothing here asks people; a verb or a screen names the form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from companion.files import files
from companion.record.as_csv import as_csv
from companion.record.as_json import as_json
from companion.record.as_text import as_text
from companion.record.page import as_html
from companion.record.record import Record

FORMATS: Mapping[str, Callable[[Record, str], str]] = {
    "html": as_html,
    "csv": as_csv,
    "json": as_json,
    "text": as_text,
}


def keep(record: Record, form: str, lang: str, state: Path) -> Path:
    """Writes it as `exports/NUMBER-GAME.FORM` in the state directory; gives the file.

    The same game written before is replaced, for its number is no other's.
    Raises `TableError` where that can't be; then nothing has changed.
    """
    game = record.game.replace("_", "-")  # the screen's font draws _ so thin that nobody sees it
    path = state / "exports" / f"{record.number}-{game}.{form}"
    files.replace(path, FORMATS[form](record, lang))
    return path
