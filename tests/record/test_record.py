"""What a record holds: the score, the standing over time, thinking times and everything that happened."""

from __future__ import annotations

import csv
import io
import json
from html import escape

import msgspec
import pytest

from companion import installed_games, logtext
from companion.games.high_bid.rulebook import GAME as HIGH_BID
from companion.games.mammon.rulebook import GAME as MAMMON
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.languages import languages
from companion.log.events import Answered, Began, Event, Sealed, Undone
from companion.log.log import MemoryLog
from companion.record.exports import record_to_csv, record_to_json
from companion.record.html_page import record_to_html, thinking_time_chart_svg
from companion.record.record import (
    GameRecord,
    ScoreMoment,
    ThinkingTime,
    create_record,
    moments_of_chart,
    result_from_json,
    round_shares_to_percent,
    score_axis_range,
    score_axis_ticks,
    score_line_corners,
    scores_after_each_step,
    thinking_times,
)
from companion.record.text_export import qr_code, record_to_text, score_summary
from companion.session.session import Session
from companion.table.scores import GameResult, Standing, StoredScoreLine, StoredStanding
from companion.table.seats import make_seats
from companion.testing import Script
from companion.texts import render, say, text_to_json
from scripts.update_catalogue import ROOT

GOLDEN = sorted((ROOT / "tests/golden").glob("*.log"))
FORMS = (record_to_text, record_to_csv, record_to_json, record_to_html)
FOREIGN = ("http", "://", "<script", "javascript", "src=", "href", "@import", "<link", "<iframe", " on")
"""What a page that needs nothing else has in no tag and no style."""


def bids(*lines: str) -> Script:
    """A sealed round after another, Aki and Ben."""
    return Script(SEALED_BID, "Aki", "Ben", options={"unit": "gold"}).says(*lines)


ROUND = ("Aki 5", "Ben 3", "table: again")
FINISH = ("Aki 5", "Ben 3", "table: finish")


# The score


def test_a_finished_game_has_its_score_and_how_it_came() -> None:
    """Winners, totals with their lines, and each answer as a sentence with what followed from it."""
    table = bids(*ROUND, *FINISH)
    sheet = record_to_text(create_record(table.session, table.log)).splitlines()
    assert sheet[:2] == ["Sealed bid: Aki, Ben", "Final score: Aki wins."]
    assert "1. Aki: 2" in sheet
    assert "       2  rounds won" in sheet
    assert any(line.endswith("Aki: 5, Ben: 3") for line in sheet)
    assert any(line.strip() == "Aki wins with 5 gold." for line in sheet)


def test_a_game_put_away_early_has_the_score_so_far() -> None:
    """It is marked as such, in the score and among what happened; nobody is said to have won."""
    table = bids(*ROUND)
    table.session.put_away()
    record = create_record(table.session, table.log)
    assert (record.was_put_away_early, record.is_over) == (True, True)
    sheet = record_to_text(record)
    assert "This game was put away before the end." in sheet
    assert "The game was put away before the end. This is the score so far." in sheet
    assert "1. Aki: 1" in sheet
    assert "wins." not in sheet.split("\n\n")[0]


def test_a_running_game_shows_what_lies_where() -> None:
    """Until the end there is no score, but what all see on the table; what is covered is called hidden."""
    events = logtext.parse_log_text((ROOT / "tests/golden/high_bid-3.log").read_text(encoding="utf-8"))[:20]
    record = create_record(Session(HIGH_BID, events, MemoryLog()), events)
    assert (record.result, record.scores_after_each_step, record.is_over) == (None, (), False)
    assert "This game is not over yet." in record_to_text(record)
    assert None in json.loads(record_to_json(record))["places"]["Aki/purse"].values()
    assert ["table", "", "", "Aki's purse", "$1", ""] in rows(record)
    assert "hidden" in record_to_html(record)


def test_a_kept_score_is_the_score() -> None:
    """What the history keeps as JSON is read back as it was; labels are still rendered late."""
    table = bids(*FINISH)
    result = table.session.result
    assert result is not None
    kept = result_from_json(json.loads(json.dumps(result.to_json(text_to_json))), table.session.table.seats)
    assert isinstance(kept, GameResult)
    assert kept.to_json(lambda label: render(label, "ja")) == result.to_json(
        lambda label: render(label, "ja")
    )
    assert result_from_json(None, table.session.table.seats) is None


def kept_older(*lines: tuple[str, int], total: int) -> Standing:
    """A standing as it was kept before lines said whether they count."""
    sheet: list[StoredScoreLine] = [
        {"label": text_to_json(say(what)), "value": value} for what, value in lines
    ]
    one: StoredStanding = {"seat": "Aki", "rank": 1, "out": False, "total": total, "lines": sheet}
    result = result_from_json({"winners": ["Aki"], "standings": [one]}, bids().session.table.seats)
    assert result is not None
    return result.standings[0]


def test_a_score_of_an_older_version_still_opens() -> None:
    """Its lines don't say whether they count: they all do where they make the total, else none does."""
    adds_up = kept_older(("chips", 3), ("dollars", 4), total=7)
    assert (len(adds_up.counted_lines), adds_up.uncounted_lines, adds_up.why) == (2, (), None)
    mixed = kept_older(("battles won", 3), ("cards played", 4), total=1)
    assert (mixed.counted_lines, len(mixed.uncounted_lines)) == ((), 2)


def mammon_over() -> GameRecord:
    """A finished match in which somebody was eliminated."""
    *events, _ = logtext.parse_log_text((ROOT / "tests/golden/mammon-3.log").read_text(encoding="utf-8"))
    return create_record(Session(MAMMON, events, MemoryLog()), events)


def test_what_counts_stands_apart_from_what_is_for_information() -> None:
    """In every form the sum is told from the rest, and whoever fell has the reason beside the total."""
    record = mammon_over()
    assert record.result is not None
    last = record.result.standings[-1]
    assert last.why is not None
    why = render(last.why)
    sheet = record_to_text(record).splitlines()
    at = sheet.index(f"{last.rank}. {last.seat.name}: {why} ({last.total})")
    assert sheet[at + 1] == f"{last.total:>8}  strength"
    assert sheet[at + 2].strip().startswith("(for information: battles won ")
    found = rows(record)
    assert ["why", "", "", last.seat.name, why, ""] in found
    assert ["score", "", "", last.seat.name, "strength", str(last.total)] in found
    assert ["information", "", "", last.seat.name, "treasury", "0"] in found
    written = json.loads(record_to_json(record))["result"]["standings"][-1]
    assert (written["why"], [line["counts"] for line in written["lines"]]) == (why, [True] + [False] * 4)
    page = record_to_html(record)
    assert f'<p class="quiet">{why}</p><table><tr><td>strength</td>' in page
    assert '<table class="apart"><tr><td>battles won</td>' in page


# The standing over time


def test_the_standing_is_told_after_each_answer() -> None:
    """After each step in force everybody has a total; an undone one leaves none."""
    table = bids(*ROUND, "Aki 1", "Ben 4", "undo past a reveal", *FINISH)
    aki, ben = table.session.table.seats
    assert scores_after_each_step(table.session) == (
        ScoreMoment(1, {aki: 1, ben: 0}, 1),
        ScoreMoment(2, {aki: 1, ben: 0}, 2),
        ScoreMoment(5, {aki: 2, ben: 0}, 2),
        ScoreMoment(6, {aki: 2, ben: 0}, 2),
    )


def test_an_open_game_is_drawn_while_it_is_played() -> None:
    """Where nothing ever lay covered all can reckon how it stands."""
    table = bids(*ROUND, *ROUND)
    totals = [list(moment.totals.values()) for moment in scores_after_each_step(table.session)]
    assert totals == [[1, 0], [1, 0], [2, 0], [2, 0]]
    table.session.put_away()
    assert len(scores_after_each_step(table.session)) == 4


def test_nothing_is_drawn_of_what_lies_covered_before_the_end() -> None:
    """The score counts it, so until then nobody sees how it stands."""
    events = logtext.parse_log_text((ROOT / "tests/golden/high_bid-3.log").read_text(encoding="utf-8"))[:20]
    session = Session(HIGH_BID, events, MemoryLog())
    assert scores_after_each_step(session) == ()
    session.put_away()
    assert len(scores_after_each_step(session)) > 1


def test_one_moment_is_no_course() -> None:
    """Where the score is known at one moment only there is no chart."""
    table = bids()
    table.session.put_away()
    assert scores_after_each_step(table.session) == ()
    assert "<figure>" not in record_to_html(create_record(table.session, table.log))


def test_a_line_has_only_its_corners() -> None:
    """Points between two equal ones are left out."""
    (aki,) = make_seats(["Aki"])
    totals = [0, 0, 0, 4, 4, 4, 4, 7]
    moments = [ScoreMoment(n, {aki: total}) for n, total in enumerate(totals)]
    assert score_line_corners(moments, aki) == [(0, 0), (2, 0), (3, 4), (6, 4), (7, 7)]


@pytest.mark.parametrize(
    ("totals", "ends"),
    [
        ((0, 3, 7), (0, 7)),
        ((-4, 3), (-4, 3)),
        ((-4, -2), (-4, 1)),
        ((0, 0), (0, 1)),
        ((400, 400), (0, 400)),
        ((385, 400, 415), (385, 415)),
        ((5, 10), (0, 10)),
        ((6, 11), (6, 11)),
    ],
)
def test_a_chart_begins_at_nothing_unless_all_stand_far_above_it(
    totals: tuple[int, ...], ends: tuple[int, int]
) -> None:
    """Else the lines of a game with large purses would all lie at its upper edge."""
    (aki,) = make_seats(["Aki"])
    assert score_axis_range([ScoreMoment(n, {aki: total}) for n, total in enumerate(totals)]) == ends


@pytest.mark.parametrize(
    ("rounds", "ticks"),
    [
        ((0, 1, 1, 2, 3, 3), [(1, 1), (3, 2), (4, 3)]),
        ((1, 2, 3, 4, 5, 6), [(1, 2), (3, 4), (5, 6)]),
        ((None,) * 4, [(0, 10), (1, 11), (2, 12), (3, 13)]),
        ((None,) * 6, [(0, 10), (2, 12), (4, 14)]),
        ((1, 1, 1, 1), [(0, 10), (1, 11), (2, 12), (3, 13)]),
    ],
)
def test_the_axis_of_a_chart_counts_rounds_or_else_questions(
    rounds: tuple[int | None, ...], ticks: list[tuple[int, int]]
) -> None:
    """At most so many numbers, at equal steps; a round is where it begins."""
    (aki,) = make_seats(["Aki"])
    moments = [ScoreMoment(n, {aki: 0}, number) for n, number in enumerate(rounds, 10)]
    assert score_axis_ticks(moments, 4) == ticks


@pytest.mark.parametrize(
    ("rounds", "shown"),
    [
        ((0, 1, 1, 2, 3, 3), [1, 3, 4, 5]),
        ((1, 1, 2, 2, 2, 3), [0, 2, 5]),
        ((None, None, None), [0, 1, 2]),
        ((1, 1, 1), [0, 1, 2]),
    ],
)
def test_a_chart_has_a_point_for_each_round(rounds: tuple[int | None, ...], shown: list[int]) -> None:
    """The standing where each round begins, and at the end; without rounds, after each answer."""
    (aki,) = make_seats(["Aki"])
    moments = [ScoreMoment(n, {aki: n}, number) for n, number in enumerate(rounds)]
    assert [moment.question_number for moment in moments_of_chart(moments)] == shown


# Thinking times


def answered(n: int, asks: str, at: float) -> Answered:
    """An answer that took until then."""
    return Answered(n, asks, 1, "screen", at)


def test_thinking_is_what_a_clock_counts() -> None:
    """Each answer counts from its question, also one that was taken back; the table's count by themselves."""
    events: list[Event] = [
        answered(1, "Choose: Who begins?", 5),
        answered(2, "Raise @1: chip 7", 15),
        answered(3, "Raise @2: chip 7", 18.5),
        Undone(4, at=20),
        answered(5, "Raise @2: chip 7", 21),
        answered(6, "Raise @1: chip 7", 22),
    ]
    seats = make_seats(["Aki", "Ben", "Chie"])
    assert thinking_times(events, seats) == (
        ThinkingTime(seats[0], 2, 11.0, 10.0, 54),
        ThinkingTime(seats[1], 2, 4.5, 3.5, 22),
        ThinkingTime(None, 1, 5.0, 5.0, 24),
    )


@pytest.mark.parametrize(
    ("parts", "percents"),
    [
        ([], []),
        ([0, 0], [0, 0]),
        ([7], [100]),
        ([1, 1, 1], [34, 33, 33]),
        ([2, 2, 2, 1, 0], [29, 29, 28, 14, 0]),
        ([1, 999], [0, 100]),
        ([10_800_001, 3_600_000, 3_599_999], [60, 20, 20]),
    ],
)
def test_shares_of_time_add_up_to_a_hundred(parts: list[int], percents: list[int]) -> None:
    """Each share is a whole percentage; those that lose most by rounding down get one more."""
    assert round_shares_to_percent(parts) == percents


def test_shares_of_time_are_in_every_form() -> None:
    """The text, the page, the spreadsheet and the JSON say which part of all thinking was whose."""
    now = [0.0]
    session = Session.begin(SEALED_BID, ["Aki", "Ben"], {}, log := MemoryLog(), seed=1, clock=lambda: now[0])
    for seat, seconds in zip(session.table.seats, (30.0, 15.0), strict=True):
        now[0] += seconds
        session.put_answer_in_envelope(1, seat, 1)
    record = create_record(session, log)
    assert "    0:30   40 %  Aki, longest answer 0:30" in record_to_text(record).splitlines()
    assert "    0:45   60 %  Ben, longest answer 0:45" in record_to_text(record).splitlines()
    assert "Aki, 40 %" in record_to_html(record)
    assert ["thinking", "1", "30.0", "Aki", "40 %", "30.0"] in rows(record)
    assert json.loads(record_to_json(record))["thinking"][1]["percent"] == 60


def test_a_sealed_answer_took_until_its_envelope_was_closed() -> None:
    """Who seals early isn't charged for those who think."""
    events: list[Event] = [
        Sealed(1, 1, "ab", at=2),
        Sealed(1, 2, "cd", at=9),
        answered(1, "Together @1 @2: bid", 9),
    ]
    assert [one.seconds for one in thinking_times(events, make_seats(["Aki", "Ben"]))] == [2.0, 9.0]


def test_a_long_japanese_name_stands_inside_its_chart() -> None:
    """Wide letters get room at the left, so that no name is cut."""
    (seat,) = make_seats(["山田花子山田花子山田花子"])
    assert 'viewBox="-84 0 544' in thinking_time_chart_svg([ThinkingTime(seat, 1, 60.0, 60.0, 100)], "ja")


# What happened


def test_an_undone_reveal_is_marked() -> None:
    """What everybody saw can't be unseen: the record says which round was taken back, and when."""
    table = bids("Aki 5", "Ben 3", "undo past a reveal", *FINISH)
    events = create_record(table.session, table.log).entries
    assert [(one.is_undone, render(one.text)) for one in events][:2] == [
        (True, "The envelopes of question 1 were opened, and later the reveal was taken back."),
        (False, "Aki: 5, Ben: 3"),
    ]
    assert '<p class="undone">' in record_to_html(create_record(table.session, table.log))


def test_an_amended_reveal_is_marked() -> None:
    """So is a sealed answer that the table changed afterwards, where that was done."""
    table = bids("Aki 5", "Ben 3", "amend 1: Ben 4", "table: finish")
    texts = [render(one.text) for one in create_record(table.session, table.log).entries if one.is_undone]
    assert texts == ["The sealed answers to question 1 were changed after the reveal."]


def test_who_left_and_came_back_is_told() -> None:
    """People who go and return stand between the answers."""
    table = bids("Aki leaves", "Aki returns", *FINISH)
    texts = [render(one.text) for one in create_record(table.session, table.log).entries]
    assert texts[:2] == ["Aki leaves.", "Aki is back."]


# Forms


def rows(record: GameRecord) -> list[list[str]]:
    """The table of a spreadsheet."""
    return list(csv.reader(io.StringIO(record_to_csv(record).removeprefix("\ufeff"))))


def test_a_spreadsheet_gets_one_fact_a_row() -> None:
    """Score, standing, thinking times and events are rows of the same six columns."""
    table = bids(*ROUND, *FINISH)
    found = rows(create_record(table.session, table.log, 7))
    assert found[:3] == [
        ["part", "n", "seconds", "who", "what", "value"],
        ["game", "", "", "", "Sealed bid: Aki, Ben", "7"],
        ["game", "", "", "", "Final score: Aki wins.", ""],
    ]
    assert ["score", "", "", "Aki", "rounds won", "2"] in found
    assert ["standing", "1", "", "Ben", "", "0"] in found
    assert {len(row) for row in found} == {6}


def test_a_spreadsheet_calculates_nothing() -> None:
    """What people wrote is shown, even where it looks like a formula."""
    table = Script(SEALED_BID, "+1", "-2", options={"unit": "gold"}).says("+1 5", "-2 3", "table: finish")
    assert ["total", "", "", "'+1", "", "1"] in rows(create_record(table.session, table.log))


def test_a_spreadsheet_is_in_the_language_of_its_reader() -> None:
    """Each event and each note stands there translated, and none in English."""
    table = bids(*ROUND, *FINISH)
    record = create_record(table.session, table.log)
    found = list(csv.reader(io.StringIO(record_to_csv(record, "ja"))))
    for part, texts in (
        ("event", [entry.text for entry in record.entries]),
        ("note", [note for entry in record.entries for note in entry.notes]),
    ):
        assert [row[4] for row in found if row[0] == part] == [render(text, "ja") for text in texts]
        assert [render(text, "ja") for text in texts] != [render(text) for text in texts]


def test_json_has_it_all_for_programs() -> None:
    """Keys are the same for every game; times are seconds."""
    table = bids(*ROUND, *FINISH)
    said = json.loads(record_to_json(create_record(table.session, table.log, 7)))
    assert (said["game"], said["number"], said["over"], said["early"]) == ("sealed_bid", 7, True, False)
    assert said["result"]["winners"] == ["Aki"]
    assert said["standing"][-1] == {"n": 4, "totals": {"Aki": 2, "Ben": 0}}
    assert said["events"][0]["text"] == "Aki: 5, Ben: 3"
    assert said["places"] == {}


@pytest.mark.parametrize("lang", languages())
def test_a_page_needs_nothing_else(lang: str) -> None:
    """It names no address and no script, and what people wrote is text, never markup."""
    table = Script(SEALED_BID, "<b>Aki", '"Ben&', options={"unit": "<i>"})
    table.says("<b>Aki 5", '"Ben& 3', "table: finish")
    page = record_to_html(create_record(table.session, table.log), lang)
    assert [word for word in FOREIGN if word in _outside_text(page)] == []
    assert escape("<b>Aki") in page
    assert "<b>Aki" not in page
    assert f'<html lang="{lang}">' in page


def test_a_page_names_its_language_as_browsers_do() -> None:
    """A language of a country has a dash there."""
    table = bids(*ROUND, *FINISH)
    assert '<html lang="pt-BR">' in record_to_html(create_record(table.session, table.log), "pt_BR")


def _outside_text(page: str) -> str:
    """Tags and style of a page, without the words between."""
    return "".join(part.partition(">")[0] + "\n" for part in page.split("<")) + page.partition("</style>")[0]


@pytest.mark.sweep(6)
@pytest.mark.without_coverage
@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_recorded_match_has_every_form(path: object, lang: str) -> None:
    """All golden matches are written in all forms and languages; the course ends at the final score."""
    events = logtext.parse_log_text(path.read_text(encoding="utf-8"))  # type: ignore[attr-defined]  # a Path, as parametrized
    began = events[0]
    assert isinstance(began, Began)
    session = Session(installed_games.playable_game(began.game), events, MemoryLog())
    record = create_record(session, events)
    sheets = [form(record, lang) for form in FORMS]
    assert [word for word in FOREIGN if word in _outside_text(sheets[-1])] == []
    assert record.result is not None
    for one in record.scores_after_each_step[-1:]:
        assert one.totals == {standing.seat: standing.total for standing in record.result.standings}
    for name in began.names:
        assert all(name in sheet for sheet in sheets)


# QR code


def test_a_page_without_room_for_a_code_leaves_it_out() -> None:
    """Where a damaged score has a name that fills pages, the rest of it is there."""
    table = bids(*FINISH)
    record = create_record(table.session, table.log)
    assert 'class="code"' in record_to_html(record)
    long = msgspec.structs.replace(record, title=say("x" * 5_000))
    assert 'class="code"' not in record_to_html(long)
    assert qr_code("x" * 5_000) == ()


def test_a_summary_is_names_ranks_and_totals() -> None:
    """A few lines of plain text, in the reader's language."""
    table = bids(*FINISH)
    assert table.session.result is not None
    assert score_summary(say("Sealed bid"), table.session.result) == "Sealed bid\n1. Aki 1\n2. Ben 0"
