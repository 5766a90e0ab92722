"""A log as readable text: how its lines look, that they read back exactly, what is said of a broken one."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import logtext
from companion.cards import CardDesign, CardField, Deck
from companion.errors import UserError
from companion.games.egypt import rulebook as egypt
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.log.events import (
    Amended,
    Answered,
    Began,
    Corrected,
    CorrectionMove,
    Event,
    PlayerLeft,
    PlayerReturned,
    PutAway,
    Redone,
    Reopened,
    Sealed,
    Undone,
)
from companion.log.log import MemoryLog
from companion.log.timeline import Timeline
from companion.session.session import Session
from companion.table.seats import SEAT_COLOURS
from tests.support.fair_game import FAIR_GAME

NASTY = "AB1 :()->#[]{}\"\\×'.no_"
SEPARATORS = (" = ", ": ", " -> ", "  (", " salts ", ", ")

texts = st.one_of(
    st.text(NASTY + "=,/@", max_size=12),
    st.text(max_size=8),
    st.lists(st.one_of(st.sampled_from(SEPARATORS), st.text(NASTY, max_size=4)), max_size=4).map("".join),
)
keys = st.text("abc@ 7", min_size=1, max_size=6)
whole = st.integers(-(2**53) + 1, 2**53 - 1)
printed = st.integers(-(10**9), 10**9)
scalars = st.one_of(st.none(), st.booleans(), whole, st.floats(-(2**53) + 1, 2**53 - 1), texts)
values = st.dictionaries(texts, st.one_of(printed, texts), max_size=2)
cards = st.lists(
    st.one_of(st.builds(lambda name: {"card": name}, texts), st.builds(lambda v: {"values": v}, values)),
    max_size=3,
)


def answers(seats: int) -> st.SearchStrategy[Any]:
    """Any JSON, and what has a short form more often."""
    by_seat = st.dictionaries(st.integers(1, seats).map(str), st.one_of(scalars, cards), max_size=seats)
    anything = st.recursive(
        scalars,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    )
    counts = st.dictionaries(st.one_of(texts, st.text("abn_", max_size=3)), whole, max_size=3)
    faces = st.lists(whole, max_size=3)
    return st.one_of(scalars, cards, by_seat, counts, faces, anything)


def fits(name: str) -> bool:
    """What may be the name of a player."""
    return bool(name.strip()) and name == name.strip() and name.isprintable() and not set(name) & set("/,@=")


names = st.one_of(st.text(NASTY, max_size=12), st.text(max_size=5)).filter(fits)


@st.composite
def beginnings(draw: st.DrawFn) -> Began:
    """How a game may begin."""
    people = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    designs = st.lists(
        st.builds(CardDesign, texts, st.integers(0, 99), values),
        max_size=3,
        unique_by=lambda one: one.id.partition(".")[0],
    )
    field = st.builds(CardField, printed, printed, st.lists(texts, max_size=2).map(tuple), values)
    fields = st.dictionaries(texts, field, max_size=2)
    board = st.dictionaries(texts, st.lists(printed, max_size=3).map(tuple), max_size=2)
    deck = st.tuples(designs.map(tuple), board, fields, st.booleans())
    deck_names = draw(st.lists(texts, max_size=2, unique=True))
    return Began(
        draw(texts),
        draw(st.integers(1, 9)),
        tuple(people),
        SEAT_COLOURS[: len(people)],
        draw(st.dictionaries(texts, st.one_of(st.none(), whole, texts), max_size=3)),
        {name: Deck(name, *draw(deck)) for name in deck_names},
        draw(st.integers(0, 2**32)),
    )


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """A game that could have been kept: every kind of event, in an order a session keeps."""
    began = draw(beginnings())
    timeline, events = Timeline(), list[Event]([began])
    for _ in range(draw(st.integers(0, 8))):
        event = draw(nexts(timeline, len(began.names)))
        timeline.add_event(event)
        events.append(event)
    if draw(st.booleans()):
        events.append(
            PutAway(timeline.question_number, draw(st.none() | results(answers(5))), draw(st.booleans()))
        )
        seconds = draw(st.sampled_from([0.0, 73.7]))
        events += [Reopened(timeline.question_number, seconds)] * draw(st.booleans())
    return events


def results(labels: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A score as it is kept, older forms too."""
    line = st.fixed_dictionaries({"label": labels, "value": printed}, optional={"counts": st.booleans()})
    standing = {"seat": texts, "rank": st.integers(1, 5), "out": st.booleans(), "total": whole}
    more = {"lines": st.lists(line, max_size=2)}
    standings = st.lists(st.fixed_dictionaries({**standing, **more}, optional={"why": labels}), max_size=2)
    return st.fixed_dictionaries({"winners": st.lists(texts, max_size=2), "standings": standings})


@st.composite
def nexts(draw: st.DrawFn, timeline: Timeline, seats: int) -> Event:
    """One event that may follow."""
    seconds = st.floats(0, 1e9)
    heads = st.lists(st.integers(1, seats), max_size=seats).map(lambda who: "".join(f" @{n}" for n in who))
    asks = st.one_of(texts, st.builds("{}{}: {}".format, st.sampled_from(["Raise", "Read"]), heads, texts))
    hexes = st.text("0123456789abcdef", min_size=64, max_size=64)
    salts = st.dictionaries(st.integers(1, seats).map(str), st.one_of(hexes, texts), max_size=seats)
    places = st.one_of(texts, st.builds("@{}/{}".format, st.integers(1, seats), texts))
    rest = st.integers(0, len(timeline.redoable_steps))
    kinds: list[st.SearchStrategy[Event]] = [
        st.builds(
            Answered, st.just(timeline.question_number), asks, answers(seats), texts, seconds, salts, rest
        ),
        st.builds(
            Sealed, st.just(timeline.question_number), st.integers(1, seats), hexes, seconds, st.booleans()
        ),
        st.builds(PlayerLeft, st.just(timeline.question_number), st.integers(1, seats)),
        st.builds(PlayerReturned, st.just(timeline.question_number), st.integers(1, seats)),
    ]
    moved = st.just(timeline.question_number), places, places, texts, st.integers(1, 99), texts, seconds
    kinds += [st.builds(Corrected, *moved, *how, rest, *more) for how, more in corrections(timeline, places)]
    if timeline.steps:
        counts = st.integers(1, len(timeline.steps))
        kinds.append(st.builds(Undone, st.just(timeline.question_number), counts, seconds))
    if timeline.last_inserted_correction_index >= 0:
        kinds.append(
            st.builds(Undone, st.just(timeline.question_number), st.just(1), seconds, st.just(value=True))
        )
    if timeline.redoable_steps:
        count = draw(st.integers(1, len(timeline.redoable_steps)))
        skipped = st.integers(0, len(timeline.redoable_steps) - count)
        kinds.append(st.builds(Redone, st.just(timeline.question_number), seconds, st.just(count), skipped))
    for at, step in enumerate(timeline.steps):
        if isinstance(step, Answered):
            later = st.integers(0, len(timeline.steps) - at - 1)
            kinds.append(
                st.builds(
                    Amended,
                    st.just(timeline.question_number),
                    st.just(step.n),
                    answers(seats),
                    later,
                    seconds,
                    rest,
                )
            )
    return draw(st.one_of(kinds))


def corrections(timeline: Timeline, places: Any) -> list[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Whether the last answer is given again, how many are taken back, a face that goes along, more moves."""
    answered = sum(isinstance(step, Answered) for step in timeline.steps)
    again, back = st.just(answered > 0), st.integers(0, max(0, answered - 1))
    moved = places, places, texts, st.integers(1, 99)
    others = st.one_of(
        st.builds(CorrectionMove, *moved), st.builds(CorrectionMove, *moved, texts.filter(bool), places)
    )
    return [
        ((st.just(value=False),), ()),
        ((again,), (back,)),
        ((again,), (back, texts.filter(bool), places)),
        ((again,), (back, st.just(""), st.just(""), st.lists(others, max_size=3).map(tuple))),
    ]


def exactly(events: list[Event]) -> list[str]:
    """Events as text that tells 1 from true and from 1.0."""
    return [repr(event) for event in events]


@pytest.mark.without_coverage
@given(logs())
def test_any_log_round_trips(events: list[Event]) -> None:
    """Whatever people are called and whatever was asked and answered, the text reads back as the same log."""
    assert exactly(events) == exactly(logtext.parse_log_text(logtext.format_log_text(events)))


@pytest.mark.without_coverage
@given(logs())
def test_one_event_is_one_line(events: list[Event]) -> None:
    """Each event is one line, which begins with the number of the question then open."""
    lines = logtext.format_log_text(events).split("\n\n", 1)[1].split("\n")[:-1]
    assert [str(event.n) for event in events[1:]] == [  # type: ignore[union-attr]  # Began is the header
        line.split("  ")[0] for line in lines
    ]


@pytest.mark.without_coverage
@given(logs(), st.data())
def test_a_damaged_log_is_refused_or_read(events: list[Event], data: st.DataObject) -> None:
    """A log with a hole in it is read or refused with a sentence; nothing else happens."""
    text = logtext.format_log_text(events)
    start = data.draw(st.integers(0, len(text)))
    with suppress(UserError):
        logtext.parse_log_text(text[:start] + text[data.draw(st.integers(start, len(text))) :])


class Evening:
    """A short evening of Egypt and its log, one second from event to event."""

    def __init__(self, game: Any, *names: str, **options: str) -> None:
        self.log = MemoryLog()
        salts = (f"{n:02x}" * 16 for n in count(1))
        self.session = Session.begin(
            game,
            names,
            options,
            self.log,
            seed=4242,
            clock=lambda: float(len(self.log)),
            salt=lambda: next(salts),
        )

    def says(self, *answers: object) -> None:
        """Answers one question after the other."""
        for answer in answers:
            self.session.answer(self.session.question_number, answer)

    @property
    def lines(self) -> list[str]:
        """The lines of the events."""
        return logtext.format_log_text(self.log).split("\n\n")[1].splitlines()


@pytest.fixture
def evening() -> Evening:
    """Egypt with a name that has a space and one with brackets."""
    return Evening(egypt.GAME, "Aki", "Ben Jr", "Chie (7)")


def test_the_header_of_a_log(evening: Evening) -> None:
    """The header says game, version, seats with colours, options, seed and the printed cards."""
    assert logtext.format_log_text(evening.log).split("\n\n")[0].splitlines()[:10] == [
        "companion log 1",
        "game egypt 1",
        "seat Aki (orange)",
        "seat Ben Jr (sky)",
        "seat Chie (7) (green)",
        "option pay_rule = own_bid",
        "seed 4242",
        "deck egypt",
        "card 4 × 4: number 4",
        "card 5 × 5: number 5",
    ]


def test_lines_of_play(evening: Evening) -> None:
    """Answers, corrections, undo, redo and amendments are lines that people can read."""
    evening.says("1", True, 2, None, None, [{"card": "6.2"}, {"values": {}}])
    evening.session.correct("Aki/hand", "box", "card", 1, "lost it")
    evening.session.undo()
    evening.session.redo()
    evening.session.amend_answer(3, 1)
    evening.session.undo_to_step_count(4)
    evening.session.put_away()
    first, _, *lines, last = evening.lines
    assert first == '1  Choose: Who leads the first auction? = "1"  (screen, 1.0 s)'
    assert lines == [
        "3  Raise Aki: chip 4 = 2  (screen, 3.0 s)",
        "4  Raise Ben Jr: chip 4 = no  (screen, 4.0 s)",
        "5  Raise Chie (7): chip 4 = no  (screen, 5.0 s)",
        "6  Read Aki: Payment for chip 4 = [#6.2, any]  (screen, 6.0 s)",
        '7  correct 1 card: Aki/hand -> box = "lost it"  (7.0 s)',
        "7  undo  (8.0 s)",
        "8  redo  (9.0 s)",
        "9  amend 3 = 1  (keeps 4)  (10.0 s)",
        "10  undo 3  (11.0 s)",
    ]
    assert last.startswith('11  put away early = {"winners": ["Aki", "Ben Jr", "Chie (7)"]')


def test_lines_of_a_sealed_round() -> None:
    """A closed envelope is a line with its commitment, the opened round one with values and salts."""
    evening = Evening(sealed_bid.GAME, "Aki", "Ben", unit="a b")
    aki, ben = evening.session.table.seats
    evening.session.put_answer_in_envelope(1, aki, 3)
    evening.session.put_answer_in_envelope(1, ben, 4)
    commitments = [event.commitment for event in evening.log if isinstance(event, Sealed)]
    salts = f'{{"1": "{"01" * 16}", "2": "{"02" * 16}"}}'
    assert evening.lines == [
        f"1  sealed Aki = {commitments[0]}  (1.0 s)",
        f"1  sealed Ben = {commitments[1]}  (2.0 s)",
        f"1  Together Aki Ben: Sealed bid = {{Aki: 3, Ben: 4}}  (screen, 3.0 s) salts {salts}",
    ]


def test_lines_of_what_waits_to_be_redone(evening: Evening) -> None:
    """An answer, an amendment or a correction says how much waits, redo how much came."""
    evening.says("1", True, 3, 4, None)
    evening.session.amend_answer(3, 6, go_back=True)
    evening.says(7)
    evening.session.correct("Aki/hand", "box", "card", 1, "lost it")
    evening.session.redo()
    assert evening.lines[5:] == [
        "6  amend 3 = 6  (keeps 0)  (6.0 s)",
        "7  Raise Ben Jr: chip 4 = 7  (screen, 7.0 s) leaves 1",
        '8  correct 1 card: Aki/hand -> box = "lost it"  (8.0 s) leaves 1',
        "8  redo  (9.0 s)",
    ]
    log: list[Event] = [*evening.log[:6], Amended(6, 3, 6, 0, 6.0), Redone(7, 7.0, 1, 1)]
    assert logtext.format_log_text(log).splitlines()[-1] == "7  redo past 1  (7.0 s)"
    log[-2:] = [Amended(6, 3, 6, 1, 6.0), Amended(7, 3, 8, 0, 7.0, 1), Redone(8, 8.0, 2)]
    assert logtext.format_log_text(log).splitlines()[-2:] == [
        "7  amend 3 = 8  (keeps 0) leaves 1  (7.0 s)",
        "8  redo 2  (8.0 s)",
    ]
    assert logtext.parse_log_text(logtext.format_log_text(log)) == log


def test_lines_of_dice_and_counts() -> None:
    """Faces are a list, several numbers have their names; the companion's own dice are the way in."""
    evening = Evening(FAIR_GAME, "Aki", "own")
    evening.says([0, 5], {"own": 2, "foreign": 1})
    evening.session.roll_app_dice(3)
    assert evening.lines[:2] == [
        "1  Roll Aki: Throw at the cans = [0, 5]  (screen, 1.0 s)",
        "2  Counts Aki: Pay for the throw = {own 2, foreign 1}  (screen, 2.0 s)",
    ]
    assert evening.lines[2].startswith("3  Roll own: Throw at the cans = [")
    assert evening.lines[2].endswith("]  (dice, 3.0 s)")
    assert logtext.parse_log_text(logtext.format_log_text(evening.log)) == list(evening.log)


def test_ambiguous_names_are_written_out() -> None:
    """A line that could be read in two ways, as a name looks like a question, is written by seat numbers."""
    began = Began("g", 1, ("A", "A: b"), SEAT_COLOURS[:2], {}, {}, 0)
    asks = ["Raise @1: b: c", "Raise @2: c", "Raise @1: c"]
    log: list[Event] = [began, *(Answered(n, ask, 1, "screen", 0.0) for n, ask in enumerate(asks, 1))]
    text = logtext.format_log_text(log)
    assert text.split("\n\n")[1].splitlines() == [
        '1  "Raise @1: b: c" = 1  (screen)',
        "2  Raise A: b: c = 1  (screen)",
        "3  Raise A: c = 1  (screen)",
    ]
    assert logtext.parse_log_text(text) == log


def test_blank_lines_and_remarks(evening: Evening) -> None:
    """Blank lines and lines that begin with # mean nothing."""
    evening.says("1")
    text = logtext.format_log_text(evening.log).replace("\n1 ", "\n\n# Aki was late.\n  1 ")
    assert logtext.parse_log_text(text) == list(evening.log)


HEADER = "companion log 1\ngame g 1\nseat Aki (orange)\nseat Ben (sky)\nseed 1\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Line 1: 'companion log …' is expected here, not ''"),
        ("hello", "Line 1: 'companion log …' is expected here, not 'hello'"),
        ("companion log 2", "Line 1: '1' is expected here, not '2'"),
        ("companion log 1\ngame g 1\nseed 1", "Line 3: 'seat …' is expected here, not 'seed 1'"),
        ("companion log 1\ngame g 1\nseat Aki (sky)", "Line 3: 'seed …' is expected here, not ''"),
        (HEADER.replace("Ben (sky)", "Aki (sky)"), "Line 3: Aki is used twice. Each player needs"),
        (HEADER.replace("(sky)", "(pink)"), "Line 3: There is no colour called pink. Choose from: orange"),
        (HEADER.replace("Ben (sky)", "Ben"), "Line 4: "),
        (HEADER + "option x = 1", "Line 6: 'deck …' is expected here, not 'option x = 1'"),
        (HEADER.replace("seed", "option x = 1.5\nseed"), "Line 5: an option must be a number, a word or"),
        (HEADER + "1  Raise Cleo: chip = 1  (screen)", "Line 6: one of Aki, Ben is expected here, not 'Cleo"),
        (HEADER + "1 Raise Aki: chip = 1  (screen)", "Line 6: '  ' is expected here, not ' Raise"),
        (HEADER + "1  Raise Aki: chip = ?  (screen)", "Line 6: '?  (screen)' can't be read as an answer"),
        (HEADER + "1  Raise Aki: chip = 1", "Line 6: '  (' is expected here, not 'the end'"),
        (
            HEADER + "1  Raise Aki: chip = 1  (screen, x s)",
            "Line 6: a time in seconds, such as 61.2 s, is expected here",
        ),
        (HEADER + "1  Raise Aki: chip = 1  (screen) twice", "Line 6: the line must end before ' twice'"),
        (
            HEADER + "1  Done: x = 1  (screen) salts 5",
            'Line 6: the "salts" of the seals must be listed by seat number, not 5',
        ),
        (
            HEADER + "1  sealed Aki = 12",
            "Line 6: a seal must have 64 characters, each of them 0-9 or a-f, not '12'",
        ),
        (HEADER + "1  dance", "Line 6: no question or event begins like 'dance'"),
        (HEADER + "1  correct one card: a -> b", "Line 6: a whole number is expected here, not 'one"),
        (HEADER + "1" * 5000 + "  undo", "Line 6: a whole number is expected here, not '111"),
        (HEADER + "1  undo", "Line 6: there is nothing to undo"),
        (HEADER + "1  redo", "Line 6: there is nothing to redo"),
        (HEADER + "2  Done: x = true  (screen)", "Line 6: it belongs to question 2, but question 1 is open"),
        (
            HEADER + "1  Done: x = true  (screen)\n2  amend 1 = true  (keeps 1)",
            "Line 7: only 0 of the later events",
        ),
        (HEADER + "1  put away\n1  undo", "Line 7: the game was already put away before this event"),
        (HEADER + "1  amend 1 = 2  (keeps 0)", "Line 6: Answer 1 can't be changed"),
        (HEADER + "x" + "\n1  Done: x = true  (screen)", "Line 6: 'deck …' is expected here, not 'x'"),
    ],
)
def test_a_broken_log_is_refused_with_its_line(text: str, sentence: str) -> None:
    """What can't be read is refused by the number of its line and what should stand there."""
    with pytest.raises(UserError) as refused:
        logtext.parse_log_text(text)
    assert str(refused.value).startswith(sentence)


def test_deep_nesting_is_refused(evening: Evening) -> None:
    """An answer nested without end is refused like any other that can't be read."""
    with pytest.raises(UserError, match="nested too deeply"):
        logtext.parse_log_text(logtext.format_log_text(evening.log) + "1  Done: x = " + "[" * 100_000)


def test_words_are_kept_apart_from_their_meaning() -> None:
    """The words no, true and 5 are written in quotes, what they would mean isn't."""
    meanings: list[Any] = ["no", None, "true", True, "5", 5, "any", "sell"]
    log: list[Event] = [
        Began("g", 1, ("A",), SEAT_COLOURS[:1], {}, {}, 0),
        *(Answered(n, "Done: x", meaning, "screen", 0.0) for n, meaning in enumerate(meanings, 1)),
    ]
    written = [
        line.split(" = ")[1].split("  (")[0]
        for line in logtext.format_log_text(log).split("\n\n")[1].splitlines()
    ]
    assert written == ['"no"', "no", '"true"', "true", '"5"', "5", '"any"', "sell"]
    read_back = [
        event.answer
        for event in logtext.parse_log_text(logtext.format_log_text(log))
        if isinstance(event, Answered)
    ]
    assert json.dumps(meanings) == json.dumps(read_back)
