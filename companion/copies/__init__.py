"""The values printed on people's own copies of the games, entered once and kept in the state directory.

A game takes them when it begins and keeps what it began with. Updates of the program leave them alone.
"""

from companion.copies.copy import Copy, Row, Rows, rows_of, written
from companion.copies.sheet import columns, read_sheet, sheet, value

__all__ = [
    "Copy",
    "Row",
    "Rows",
    "columns",
    "read_sheet",
    "rows_of",
    "sheet",
    "value",
    "written",
]
