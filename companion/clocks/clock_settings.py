"""The settings of a table's clocks: which clocks run, for how long, and what happens on a timeout.

People write settings as `turn=60 ring, Raise=20 answer`, or in TOML with the same keys and values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.errors import UserError
from companion.files import toml
from companion.requests import REQUEST_TYPE_BY_KIND
from companion.texts import say

COUNT_UP_WORD, RING_WORD, ANSWER_WORD = "up", "ring", "answer"
MAX_CLOCK_SECONDS = 24 * 60 * 60
"""The longest time limit of a clock: a day."""
CLOCK_KEYS = ("turn", "lot", "price", "game", "budget")
TURN_TIME_KEYS = ("increment", "delay", "bronstein")
"""Settings that give a budget time for each turn; a table has one of them."""
DURATION_KEYS = (*TURN_TIME_KEYS, "extension")
ALL_CLOCK_KEYS = (*CLOCK_KEYS, *DURATION_KEYS, *REQUEST_TYPE_BY_KIND)
TIME_PATTERN = re.compile(r"[0-9]{1,5}|(?:[0-9]{1,2}:)?[0-9]{1,2}:[0-5][0-9]")

CLOCK_PRESETS = {
    "none": "",
    "watch": "turn=up, game=up",
    "turn": "turn=60 ring",
    "bids": "Raise=20 answer, Together=60 answer",
    "budget": "budget=15:00 ring, increment=10",
    "auction": "lot=60 answer, extension=10",
    "falling": "price=4 answer",
}
"""The clock settings that the set-up page offers, by name."""


class TimeLimit(msgspec.Struct, frozen=True):
    """The time limit of a clock in seconds, None if the clock only counts up.

    On a timeout the default answer is given, or the clock rings.
    """

    seconds: int | None
    answers_on_timeout: bool = False


class ClockSettings(msgspec.Struct, frozen=True):
    """The settings of a table's clocks: which clocks run, and for how long.

    `turn`: from when a seat is asked until another seat is asked. `lot`: the open bidding for one thing.
    `price`: each price of a falling price. `game`: the whole game. `budget`: the time of each seat for the
    whole game, with `increment` seconds more for each turn that the seat has finished. Instead of an
    increment, the budget can wait `delay` seconds in each turn before it runs, or give back up to `bronstein`
    seconds of each finished turn. After a bid in the last `extension` seconds of a lot, that many seconds are
    left again. `limit_by_question_kind`: a limit for each question of a kind.
    """

    turn: TimeLimit | None = None
    lot: TimeLimit | None = None
    price: TimeLimit | None = None
    game: TimeLimit | None = None
    budget: TimeLimit | None = None
    increment: int = 0
    extension: int = 0
    delay: int = 0
    bronstein: int = 0
    limit_by_question_kind: dict[str, TimeLimit] = {}

    def __bool__(self) -> bool:
        """Returns whether there is any clock."""
        return self != ClockSettings()

    @property
    def as_text(self) -> str:
        """The settings as text, in the form that `parse_clocks` reads."""
        limits = {key: getattr(self, key) for key in CLOCK_KEYS} | self.limit_by_question_kind
        parts = [f"{key}={_format_limit(limit)}" for key, limit in limits.items() if limit]
        return ", ".join(
            parts + [f"{key}={getattr(self, key)}" for key in DURATION_KEYS if getattr(self, key)]
        )


def parse_clocks(text: str) -> ClockSettings:
    """Returns the clock settings that a text describes: the name of a preset, or `KEY=VALUE, KEY=VALUE`.

    Raises `UserError` for any other text.
    """
    settings = [part.strip() for part in CLOCK_PRESETS.get(text.strip(), text).split(",")]
    pairs = [part.partition("=") for part in settings if part]
    for key, equals, _ in pairs:
        if not equals:
            raise UserError(
                say(
                    "{text} isn't a clock. Write KEY=VALUE, such as turn=60, or use one of these "
                    "names: {names}.",
                    names=", ".join(CLOCK_PRESETS),
                    text=key,
                )
            )
    return _clocks_from_pairs((key.strip(), value.strip()) for key, _, value in pairs)


def parse_clocks_toml(text: str, file_name: str) -> ClockSettings:
    """Returns clocks from the text of a TOML file; raises `UserError`, which names file and key."""
    try:
        rows = toml.parse_toml(text)
    except UserError as error:
        raise UserError(say("{file} is not valid TOML: {why}", file=file_name, why=error.text)) from error
    try:
        return _clocks_from_pairs(rows.items())
    except UserError as error:
        raise UserError(say("{file}: {why}", file=file_name, why=error.text)) from error


def _clocks_from_pairs(pairs: Iterable[tuple[str, Any]]) -> ClockSettings:
    settings: dict[str, Any] = {}
    for key, value in pairs:
        if key not in ALL_CLOCK_KEYS:
            keys = ", ".join(ALL_CLOCK_KEYS)
            raise UserError(say("There is no clock called {key}. Clocks: {keys}.", key=key, keys=keys))
        if key in settings:
            raise UserError(say("The clock {key} is set twice; set it once.", key=key))
        settings[key] = _parse_seconds(key, value) if key in DURATION_KEYS else _parse_limit(key, value)
    _require_compatible_settings(settings)
    kinds = {key: settings.pop(key) for key in REQUEST_TYPE_BY_KIND if key in settings}
    return ClockSettings(**settings, limit_by_question_kind=kinds)


def _require_compatible_settings(settings: Mapping[str, Any]) -> None:
    """Raises `UserError` if two settings contradict each other."""
    for key, needed_key in (*[(key, "budget") for key in TURN_TIME_KEYS], ("extension", "lot")):
        if key in settings and (needed_key not in settings or settings[needed_key].seconds is None):
            raise UserError(
                say('"{key}" works only with a time limit for "{needs}".', key=key, needs=needed_key)
            )
    if len(turn_times := [key for key in TURN_TIME_KEYS if key in settings]) > 1:
        raise UserError(
            say("A budget works with only one of these settings: {keys}.", keys=", ".join(turn_times))
        )
    if "extension" in settings and settings["extension"] > settings["lot"].seconds:
        raise UserError(
            say(
                '"extension" can be at most {most} seconds, the total time for one lot.',
                most=settings["lot"].seconds,
            )
        )


def _parse_limit(key: str, value: Any) -> TimeLimit:
    """Returns a limit from `60`, `1:30 ring`, `20 answer` or `up`."""
    if not isinstance(value, str):
        return TimeLimit(_parse_seconds(key, value))
    time, _, timeout_word = value.partition(" ")
    if value == COUNT_UP_WORD:
        if key not in ("turn", "lot", "game"):
            raise UserError(
                say(
                    'Only the clocks "turn", "lot" and "game" can count up. The clock "{key}" needs a '
                    "time limit.",
                    key=key,
                )
            )
        return TimeLimit(None)
    if timeout_word.strip() not in ("", RING_WORD, ANSWER_WORD):
        raise UserError(
            say("{key}: what happens when time is up must be {ring} or {answer}, not {silence}.",
                key=key, ring=RING_WORD, answer=ANSWER_WORD, silence=toml.shorten_to_one_line(timeout_word))
        )  # fmt: skip  # one sentence
    if key == "game" and timeout_word.strip() == ANSWER_WORD:
        raise UserError(
            say('The clock "game" can only ring when its time is up, because no answer can end a game.')
        )
    return TimeLimit(_parse_seconds(key, time), timeout_word.strip() == ANSWER_WORD)


def _parse_seconds(key: str, value: Any) -> int:
    """Returns the seconds of `90`, `1:30` or `1:02:03`."""
    seconds = 0
    if not isinstance(value, bool) and TIME_PATTERN.fullmatch(str(value)):
        for part in str(value).split(":"):
            seconds = seconds * 60 + int(part)
    if not 1 <= seconds <= MAX_CLOCK_SECONDS:
        raise UserError(
            say(
                "{key} must be a time from 1 second to 24:00:00, such as 90 or 1:30, not {value}.",
                key=key,
                value=toml.shorten_to_one_line(value) if isinstance(value, str) else toml.quote_value(value),
            )
        )
    return seconds


def _format_limit(limit: TimeLimit) -> str:
    return (
        COUNT_UP_WORD
        if limit.seconds is None
        else f"{limit.seconds} {ANSWER_WORD if limit.answers_on_timeout else RING_WORD}"
    )
