"""The dates and durations of games, for people and programs, in this machine's time zone."""

from __future__ import annotations

from datetime import date, datetime

from companion.errors import UserError
from companion.log.log import PlayDates
from companion.texts import Say, say
from companion.wall_clock import EARLIEST_GAME_UNIX_TIME

MINUTE_SECONDS, HOUR_SECONDS = 60, 3600


def game_date(play_dates: PlayDates) -> str | None:
    """Returns the date of a game, such as 2026-11-24: entered by hand, or of its beginning.

    None if not known.
    """
    if play_dates.day:
        return play_dates.day
    known = play_dates.began if play_dates.began is not None else play_dates.ended
    return None if known is None else f"{_local_time(known):%Y-%m-%d}"


def describe_dates(play_dates: PlayDates) -> Say:
    """Returns when a game was played, as a sentence."""
    day = game_date(play_dates)
    if day is None:
        return say("The date is not known: the clock of this device was not set.")
    if play_dates.day:
        return say("Played on {day} (date entered by hand).", day=day)
    if play_dates.began is None or play_dates.ended is None:
        return say("Played on {day}.", day=day)
    began, ended = _local_time(play_dates.began), _local_time(play_dates.ended)
    if began.date() == ended.date():
        return say(
            "Played on {day}, {start} to {end}.", day=day, start=_format_hour(began), end=_format_hour(ended)
        )
    start, end = f"{began:%Y-%m-%d} {_format_hour(began)}", f"{ended:%Y-%m-%d} {_format_hour(ended)}"
    return say("Played from {start} to {end}.", start=start, end=end)


def short_date_time(play_dates: PlayDates) -> str:
    """Returns date and time of a game in short: `2026-11-24 20:15`.

    Without a known time the date alone, or an empty text.
    """
    day = game_date(play_dates)
    known = play_dates.began if play_dates.began is not None else play_dates.ended
    return day or "" if play_dates.day or known is None else f"{day} {_format_hour(_local_time(known))}"


def format_duration(seconds: float) -> str:
    """Returns `0:05`, `12:34` or `1:02:03`."""
    whole = round(seconds)
    hours, minutes, rest = (
        whole // HOUR_SECONDS,
        whole % HOUR_SECONDS // MINUTE_SECONDS,
        whole % MINUTE_SECONDS,
    )
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def iso_timestamp(unix_time: float | None) -> str | None:
    """Returns a moment with its time zone: `2026-11-24T20:15:00+01:00`."""
    return None if unix_time is None else _local_time(unix_time).isoformat(timespec="seconds")


def parse_game_date(text: str, now_unix_time: float | None = None) -> str:
    """Returns the date of a game that people typed.

    Raises `UserError` for an invalid one, or one no game can have.
    """
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise UserError(say("Write a date like 2026-11-24, not {text}.", text=text)) from None
    if found < _local_time(EARLIEST_GAME_UNIX_TIME).date():
        raise UserError(
            say(
                "No game can be older than {day}.",
                day=_local_time(EARLIEST_GAME_UNIX_TIME).date().isoformat(),
            )
        )
    if now_unix_time is not None and found > _local_time(now_unix_time).date():
        raise UserError(say("{day} is in the future.", day=found.isoformat()))
    return found.isoformat()


def _local_time(moment: float) -> datetime:
    return datetime.fromtimestamp(moment).astimezone()


def _format_hour(moment: datetime) -> str:
    return f"{moment:%H:%M}"
