"""When a game was played: what is kept, what counts as a date, and how it is told."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from companion import installed_games, logtext, wall_clock
from companion.errors import UserError
from companion.evening import Evening
from companion.languages import languages
from companion.log.events import Began
from companion.log.log import MemoryLog, PlayDates
from companion.presets import chosen_preset_decks
from companion.record.dates import describe_dates, game_date, parse_game_date, say_date, say_date_and_time
from companion.record.exports import record_to_csv, record_to_json
from companion.record.html_page import record_to_html
from companion.record.record import GameFacts, GameRecord, create_record
from companion.record.text_export import record_to_text
from companion.session.session import Session
from companion.store import Store
from companion.texts import render
from companion.wall_clock import EARLIEST_GAME_UNIX_TIME, is_same_day_on_battery_clock
from scripts.update_catalogue import ROOT
from tests.any_game_presets import library
from tests.commands.test_history import Evenings, evenings

__all__ = ["evenings"]
FRIDAY = datetime(2026, 11, 20, 20, 15).timestamp()  # noqa: DTZ001 as the clock on the wall there says
HOUR, DAY = 3600.0, 86400.0
GOLDEN = sorted((ROOT / "tests/golden").glob("*.log"))


@pytest.fixture(params=["UTC", "Asia/Tokyo", "America/Los_Angeles"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The machine stands there."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


# What counts as a date


def battery(folder: Path, *, says: str) -> Path:
    """The folder of a machine's own clocks, one of which says so."""
    (folder / "rtc0").mkdir(parents=True)
    (folder / "rtc0/since_epoch").write_text(says)
    return folder


@pytest.mark.parametrize(
    ("says", "agrees"),
    [("1795202100\n", True), ("1795234500", True), ("37", False), ("1795402100", False), ("", False)],
)
def test_a_clock_with_a_battery_counts_if_it_agrees(tmp_path: Path, says: str, *, agrees: bool) -> None:
    """To the day, as it may keep local time; one without a battery says 1970."""
    assert is_same_day_on_battery_clock(1795202100.0, battery(tmp_path, says=says)) is agrees
    assert not is_same_day_on_battery_clock(1795202100.0, tmp_path / "none")


@pytest.mark.parametrize("seconds", [0.0, 37.0, EARLIEST_GAME_UNIX_TIME - 1])
def test_a_date_before_the_first_companion_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seconds: float
) -> None:
    """Whatever agrees with it."""
    monkeypatch.setattr(wall_clock, "BATTERY_CLOCKS_FOLDER", battery(tmp_path, says=str(int(seconds))))
    monkeypatch.setattr(time, "time", lambda: seconds)
    assert wall_clock.trusted_unix_time() is None


def test_a_date_that_a_battery_clock_keeps_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a network too."""
    monkeypatch.setattr(wall_clock, "BATTERY_CLOCKS_FOLDER", battery(tmp_path, says=str(int(FRIDAY))))
    monkeypatch.setattr(time, "time", lambda: FRIDAY)
    assert wall_clock.trusted_unix_time() == FRIDAY


def test_a_clock_that_people_have_set_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Even if neither a network nor a battery agrees."""
    monkeypatch.setattr(wall_clock, "BATTERY_CLOCKS_FOLDER", tmp_path)
    monkeypatch.setattr(wall_clock, "_is_set_by_hand", False)
    monkeypatch.setattr(time, "time", lambda: FRIDAY)
    wall_clock.trust_clock()
    assert wall_clock.trusted_unix_time() == FRIDAY


# What is kept


class Clock:
    """The clock on the wall, and the one that never jumps."""

    def __init__(self, now: float | None) -> None:
        self.now, self.passed = now, 0.0

    def wait(self, seconds: float) -> None:
        """Time passes on both, if the first was set."""
        self.passed += seconds
        self.now = None if self.now is None else self.now + seconds


def evening_at(store: Store, clock: Clock) -> Evening:
    """An evening by that clock."""
    return Evening(store, clock=lambda: clock.now, seconds=lambda: clock.passed)


def test_a_game_knows_when_it_began_and_ended(tmp_path: Path) -> None:
    """Whoever puts it away; what lies between evenings is kept as the time from the first to the last."""
    clock = Clock(FRIDAY)
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        session = evening_at(store, clock).begin_game("egypt", ["Aki", "Ben", "Chie"], {})
        clock.wait(2 * HOUR)
        session.put_away()
        assert store.play_dates(1) == PlayDates(FRIDAY, FRIDAY + 2 * HOUR)
    with closing(Store.open(tmp_path)) as store:
        assert store.play_dates(1) == PlayDates(FRIDAY, FRIDAY + 2 * HOUR)


def test_a_clock_that_is_set_while_people_play_dates_the_beginning(tmp_path: Path) -> None:
    """It is as long ago as the clock that never jumps says."""
    clock = Clock(None)
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        session = evening_at(store, clock).begin_game("egypt", ["Aki", "Ben", "Chie"], {})
        clock.wait(HOUR)
        clock.now = FRIDAY + HOUR
        session.put_away()
        assert store.play_dates(1) == PlayDates(FRIDAY, FRIDAY + HOUR)


def test_nothing_is_kept_of_a_clock_that_nobody_has_set(tmp_path: Path) -> None:
    """Neither at the beginning nor at the end; a date by hand stays whatever comes after."""
    clock = Clock(None)
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        evening = evening_at(store, clock)
        evening.begin_game("egypt", ["Aki", "Ben", "Chie"], {})
        store.set_play_date(1, "2026-11-20")
        evening.put_game_away()
        assert store.play_dates(1) == PlayDates(entered_date="2026-11-20")
        store.set_play_date(1, "")
        assert store.play_dates(1) == PlayDates()


@pytest.mark.parametrize("played", [FRIDAY, None])
def test_a_game_that_is_reopened_to_correct_it_keeps_its_dates(tmp_path: Path, played: float | None) -> None:
    """Also a date that nobody knows: the day of the correction isn't the day of the game."""
    clock = Clock(played)
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        evening = evening_at(store, clock)
        evening.begin_game("egypt", ["Aki", "Ben", "Chie"], {})
        clock.wait(HOUR)
        evening.put_game_away()
        before = store.play_dates(1)
        clock.now = FRIDAY + 200 * DAY
        evening.reopen_game(evening.past_games()[0])
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        evening = evening_at(store, clock)
        evening.resume_game()
        evening.take_game_off_table()
        evening.resume_game()
        evening.put_game_away()
        assert store.play_dates(1) == before


@pytest.mark.parametrize(
    ("touched", "ended"), [(FRIDAY, FRIDAY), (37.0, None), (EARLIEST_GAME_UNIX_TIME - 1, None)]
)
def test_a_game_of_an_older_version_has_the_date_it_was_touched(
    tmp_path: Path, touched: float, ended: float | None
) -> None:
    """Unless that is a wrong date, such as 1970, which 0.2 kept too."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        store.save_value("touched 1", touched)
        assert store.play_dates(1) == PlayDates(ended=ended)


def test_dates_go_with_a_game_that_leaves_a_lost_directory(tmp_path: Path) -> None:
    """They are written where it goes on."""
    clock = Clock(FRIDAY)
    with closing(Store.open(tmp_path / "one", for_writing=True)) as store:
        evening_at(store, clock).begin_game("egypt", ["Aki", "Ben", "Chie"], {})
        store.move_current_game_to(tmp_path / "other")
        assert store.play_dates(1) == PlayDates(FRIDAY, FRIDAY)


# How it is told


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize(
    ("played", "said", "brief", "day"),
    [
        (
            PlayDates(),
            "The date is not known: the clock of this device was not set.",
            "",
            None,
        ),
        (PlayDates(ended=0), "Played on 2026-11-20.", "2026-11-20 20:15", "2026-11-20"),
        (PlayDates(0, 2 * HOUR), "Played on 2026-11-20, 20:15 to 22:15.", "2026-11-20 20:15", "2026-11-20"),
        (
            PlayDates(0, 4 * HOUR),
            "Played from 2026-11-20 20:15 to 2026-11-21 00:15.",
            "2026-11-20 20:15",
            "2026-11-20",
        ),
        (
            PlayDates(0, HOUR, "2026-10-01"),
            "Played on 2026-10-01 (date entered by hand).",
            "2026-10-01",
            "2026-10-01",
        ),
    ],
)
def test_when_a_game_was_played_is_a_sentence(
    played: PlayDates, said: str, brief: str, day: str | None
) -> None:
    """In the time of this place; an unknown date is said to be one, and a date by hand comes first."""
    friday = datetime(2026, 11, 20, 20, 15).timestamp()  # noqa: DTZ001 of the zone
    began = None if played.began is None else friday + played.began
    ended = None if played.ended is None else friday + played.ended
    real = PlayDates(began, ended, played.entered_date)
    date_and_time = say_date_and_time(real)
    shown = "" if date_and_time is None else render(date_and_time)
    assert (render(describe_dates(real)), shown, game_date(real)) == (said, brief, day)


@pytest.mark.parametrize(
    ("lang", "shown"), [("en", "2026-11-24"), ("de", "24.11.2026"), ("ja", "2026/11/24")]
)
def test_each_language_writes_a_date_in_its_own_way(lang: str, shown: str) -> None:
    """The order of year, month and day, and what stands between them, is a translation."""
    assert render(say_date("2026-11-24"), lang) == shown


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-02-30", "24.11.2026", "1970-01-01", "2026-11-22", "2026"]
)
def test_what_is_no_date_of_a_game_is_refused(text: str) -> None:
    """What isn't in the calendar, is older than any Companion, or in the future, where that is known."""
    with pytest.raises(UserError):
        parse_game_date(text, FRIDAY)


def test_a_date_is_read_as_it_is_written() -> None:
    """Of a box without a clock nobody knows what is in the future."""
    assert parse_game_date("2026-11-20", FRIDAY) == "2026-11-20"
    assert parse_game_date("2062-11-20") == "2062-11-20"


def train(played: PlayDates = PlayDates(), *, counts: bool = True) -> GameRecord:  # noqa: B008 - a value
    """Any Game with the train template, in which Ben starts."""
    clock = Clock(None)
    log = MemoryLog()
    game = installed_games.playable_game("any_game")
    options = {"template": "train"}
    decks = chosen_preset_decks(game, options, ROOT)
    session = Session.begin(
        game, ["Aki", "Ben"], options, log, deck_by_name=decks, clock=lambda: clock.passed
    )
    for answer in ("start_player", "2", "finish"):
        clock.wait(100)
        session.answer(session.question_number, answer)
    session.put_away()
    return create_record(session, log, 3, GameFacts(played, is_counted=counts))


def test_every_form_tells_when_how_long_what_and_who_started() -> None:
    """Text and page in sentences, the table in rows, JSON in keys of their own."""
    record = train(PlayDates(FRIDAY, FRIDAY + HOUR))
    told = [
        "Template: train companies",
        "Played on 2026-11-20, 20:15 to 21:15.",
        "Playing time: 5:00",
        "Start player: Ben",
    ]
    assert record_to_text(record).splitlines()[2:6] == told
    assert "<br>".join(told) in record_to_html(record)
    rows = list(csv.reader(io.StringIO(record_to_csv(record).removeprefix("\ufeff"))))
    parts = {row[0]: row for row in rows}
    assert parts["date"][4:] == ["2026-11-20", ""]
    assert parts["duration"][2:5] == ["300.0", "", "5:00"]
    assert parts["template"][4:] == ["train companies", "train"]
    assert parts["starter"][3] == "Ben"
    assert datetime.fromisoformat(parts["ended"][4]).timestamp() == FRIDAY + HOUR
    said = json.loads(record_to_json(record))
    assert datetime.fromisoformat(said["began"]).timestamp() == FRIDAY
    assert datetime.fromisoformat(said["ended"]).timestamp() == FRIDAY + HOUR
    keys = ("template", "date", "dated_by_hand", "seconds", "starter", "counts")
    assert [said[key] for key in keys] == ["train", "2026-11-20", False, 300.0, "Ben", True]


@pytest.mark.parametrize("lang", languages())
def test_no_form_tells_a_date_that_nobody_knows(lang: str) -> None:
    """It says that it isn't known, and prints no 1970."""
    record = train(counts=False)
    for form in (record_to_text, record_to_csv, record_to_json, record_to_html):
        assert "1970" not in form(record, lang)
    said = json.loads(record_to_json(record, lang))
    assert [said[key] for key in ("date", "began", "ended", "dated_by_hand", "counts")] == [
        None,
        None,
        None,
        False,
        False,
    ]
    assert [
        row
        for row in record_to_csv(record, lang).splitlines()
        if row.startswith(("date,", "began,", "ended,"))
    ] == []
    assert render(describe_dates(PlayDates()), lang) in record_to_text(record, lang)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_who_started_is_who_the_log_says(path: Path) -> None:
    """In every recorded match: whom the table named, or who won the wager; in a sealed bid nobody."""
    events = logtext.parse_log_text(path.read_text(encoding="utf-8"))
    began = events[0]
    assert isinstance(began, Began)
    session = Session(installed_games.playable_game(began.game), events, MemoryLog())
    starter = session.table.start_player
    first = events[1]
    if began.game == "sealed_bid":
        assert starter is None
    elif began.game == "mammon":
        assert starter is not None
        assert any(f"{starter.name} is the start player." == render(note) for note in session.table.notes)
    else:
        assert starter is not None
        assert str(starter.number) == getattr(first, "answer", None)


def test_a_template_of_ones_own_is_called_by_its_name(tmp_path: Path) -> None:
    """In the list of games, at home and in the record, also once its file is gone."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        evening = Evening(store)
        library(tmp_path).create_copy("our-cards", "points")
        evening.begin_game("any_game", ["Aki", "Ben"], {"template": "our-cards"})
        library(tmp_path).delete("our-cards")
        evening.take_game_off_table()
        session = evening.resume_game()
        assert render(evening.view_for().game_title) == "our-cards"
        record = create_record(session, store.open_game_log(1).events())
        assert record.facts.preset is not None
        assert (record.facts.preset.key, render(record.facts.preset.title)) == ("our-cards", "our-cards")
    assert (
        render(installed_games.playable_game("any_game").title_for_options({"template": "plain"}))
        == "Any Game"
    )


# By hand, on the command line


def test_the_history_lists_when_and_how_long(evenings: Evenings) -> None:
    """The date by hand comes first; a game of unknown date has none."""
    evenings.finished("Aki", "Ben")
    evenings.now = FRIDAY
    evenings.finished("Aki", "Ben")
    assert evenings.run("history", "list").splitlines() == [
        "2  Sealed bid: Aki, Ben (won by Aki; 2026-11-20 20:15)",
        "1  Sealed bid: Aki, Ben (won by Aki)",
    ]
    assert evenings.run("history", "date", "1", "2026-11-19").splitlines() == [
        "1  Sealed bid: Aki, Ben (won by Aki; 2026-11-19)"
    ]
    assert "Played on 2026-11-19 (date entered by hand)." in evenings.run("history", "show", "1")
    assert evenings.refused("history", "date", "1", "1970-01-01").startswith("No game can be older than 202")
    assert evenings.refused("history", "date", "1", "today") == "Write a date like 2026-11-24, not today."
    evenings.run("history", "date", "1", "unknown")
    assert "is not known" in evenings.run("history", "show", "1")


def test_a_game_of_other_rules_has_its_dates(evenings: Evenings) -> None:
    """What can't be played any more is still dated, and can be dated by hand."""
    evenings.now = FRIDAY
    evenings.finished("Aki", "Ben")
    evenings.of_other_rules(1)
    assert "Played on 2026-11-20, 20:15 to 20:15." in evenings.run("history", "show", "1")
    evenings.run("history", "date", "1", "2026-11-19")
    assert json.loads(evenings.run("export", "1", "--format", "json"))["date"] == "2026-11-19"


# Left out of the statistics


def test_a_game_that_is_left_out_counts_for_nobody(evenings: Evenings) -> None:
    """Its result and its winner stay in the history, which says so, and it can count again."""
    evenings.finished("Aki", "Ben")
    evenings.finished("Ben", "Aki")
    assert evenings.run("history", "leave-out", "2").splitlines() == [
        "2  Sealed bid: Ben, Aki (won by Ben; not in the statistics)"
    ]
    assert evenings.run("players", "list").splitlines() == [
        "Aki   1 game   1 won   100 %",
        "Ben   1 game   0 won   0 %",
    ]
    assert "This game doesn't count in the statistics." in evenings.run("history", "show", "2")
    assert evenings.run("history", "count-in", "2") == "2  Sealed bid: Ben, Aki (won by Ben)\n"
    assert evenings.run("players", "list").splitlines() == [
        "Aki   2 games   1 won   50 %",
        "Ben   2 games   1 won   50 %",
    ]
