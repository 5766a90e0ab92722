"""The dates and durations of games, for people and programs, in this machine's time zone."""

from __future__ import annotations

from datetime import date, datetime

from companion.errors import UserError
from companion.log.log import PlayDates
from companion.texts import Say, say
from companion.wall_clock import EARLIEST_GAME_UNIX_TIME

MINUTE_SECONDS, HOUR_SECONDS = 60, 3600


def game_date(play_dates: PlayDates) -> str | None:
    """Returns the date of a game, such as 2026-11-24; None if it isn't known.

    A date entered by hand comes first, then that of the beginning, then that of the end.
    """
    if play_dates.entered_date:
        return play_dates.entered_date
    unix_time = play_dates.began if play_dates.began is not None else play_dates.ended
    return None if unix_time is None else f"{_local_time(unix_time):%Y-%m-%d}"


def say_date(iso_date: str) -> Say:
    """Returns a date such as 2026-11-24, which each language writes in its own way."""
    year, month, day = iso_date.split("-")
    return say("{year}-{month}-{day}", year=year, month=month, day=day)


def describe_dates(play_dates: PlayDates) -> Say:
    """Returns when a game was played, as a sentence."""
    iso_date = game_date(play_dates)
    if iso_date is None:
        return say("The date is not known: the clock of this device was not set.")
    if play_dates.entered_date:
        return say("Played on {day} (date entered by hand).", day=say_date(iso_date))
    if play_dates.began is None or play_dates.ended is None:
        return say("Played on {day}.", day=say_date(iso_date))
    began, ended = _local_time(play_dates.began), _local_time(play_dates.ended)
    if began.date() == ended.date():
        return say(
            "Played on {day}, {start} to {end}.",
            day=say_date(iso_date),
            start=_format_time_of_day(began),
            end=_format_time_of_day(ended),
        )
    return say(
        "Played from {start} to {end}.", start=_say_date_and_time(began), end=_say_date_and_time(ended)
    )


def say_date_and_time(play_dates: PlayDates) -> Say | None:
    """Returns date and time of a game: `2026-11-24 20:15`; without a known time, the date or None."""
    iso_date = game_date(play_dates)
    unix_time = play_dates.began if play_dates.began is not None else play_dates.ended
    if play_dates.entered_date or unix_time is None:
        return say_date(iso_date) if iso_date else None
    return _say_date_and_time(_local_time(unix_time))


def format_duration(seconds: float) -> str:
    """Returns a duration such as `0:05`, `12:34` or `1:02:03`."""
    total_seconds = round(seconds)
    hours, rest = divmod(total_seconds, HOUR_SECONDS)
    minutes, remaining_seconds = divmod(rest, MINUTE_SECONDS)
    return f"{hours}:{minutes:02}:{remaining_seconds:02}" if hours else f"{minutes}:{remaining_seconds:02}"


def iso_timestamp(unix_time: float | None) -> str | None:
    """Returns a moment with its time zone: `2026-11-24T20:15:00+01:00`; None for None."""
    return None if unix_time is None else _local_time(unix_time).isoformat(timespec="seconds")


def parse_game_date(text: str, now_unix_time: float | None = None) -> str:
    """Returns the date of a game that people typed.

    Raises `UserError` for an invalid date, and for a date that no game can have.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UserError(say("Write a date like 2026-11-24, not {text}.", text=text)) from None
    earliest_day = _local_time(EARLIEST_GAME_UNIX_TIME).date()
    if day < earliest_day:
        raise UserError(say("No game can be older than {day}.", day=say_date(earliest_day.isoformat())))
    if now_unix_time is not None and day > _local_time(now_unix_time).date():
        raise UserError(say("{day} is in the future.", day=say_date(day.isoformat())))
    return day.isoformat()


def _local_time(unix_time: float) -> datetime:
    return datetime.fromtimestamp(unix_time).astimezone()


def _say_date_and_time(moment: datetime) -> Say:
    return say("{one} {other}", one=say_date(f"{moment:%Y-%m-%d}"), other=_format_time_of_day(moment))


def _format_time_of_day(moment: datetime) -> str:
    return f"{moment:%H:%M}"
