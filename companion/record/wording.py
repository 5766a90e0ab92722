"""What every form of a record says alike: its heading, times, and what lies where."""

from __future__ import annotations

from companion.record.record import Record
from companion.session.view import Holding
from companion.words import Say, listed, say

MINUTE, HOUR = 60, 3600


def heading(record: Record) -> Say:
    """The game and who plays it."""
    return say("{game}: {names}", game=record.title, names=listed(record.seats))


def ending(record: Record) -> Say:
    """How it ended, in a sentence."""
    if record.early:
        return say("This game was put away before its end.")
    return record.result.text if record.result else say("This game is not over yet.")


def lies(holding: Holding) -> Say:
    """How many of a piece lie there, or that they are hidden."""
    if holding.count is None:
        return say("{piece}: hidden", piece=holding.piece)
    return say("{count} × {piece}", count=holding.count, piece=holding.piece)


def play_time(seconds: float) -> str:
    """`0:05`, `12:34` or `1:02:03`."""
    whole = round(seconds)
    hours, minutes, rest = whole // HOUR, whole % HOUR // MINUTE, whole % MINUTE
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
