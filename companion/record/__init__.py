"""What is kept of a game when people go home: the score sheet, as text, CSV, JSON or one HTML page.

A `Record` is taken from a session through `companion.view`, so an unfinished game has nothing in it that
is covered or sealed; the score sheet and the standing over time are there once the game is over.
It draws from the log, and knows neither the store nor the time of day.
"""

from companion.record.as_csv import as_csv
from companion.record.as_json import as_json
from companion.record.as_text import as_text
from companion.record.page import as_html
from companion.record.record import Record, recorded
from companion.record.score import score_kept
from companion.record.standing import Moment, standing
from companion.record.summary import dots, summary

__all__ = [
    "Moment",
    "Record",
    "as_csv",
    "as_html",
    "as_json",
    "as_text",
    "dots",
    "recorded",
    "score_kept",
    "standing",
    "summary",
]
