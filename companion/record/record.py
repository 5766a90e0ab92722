"""Everything that happened, as sentences: what is in force, and between it what the table should remember.

Taking something back leaves no trace but three: a round of envelopes that everybody has seen, a correction
under cover, and a roll of the companion's dice. The movements tell thing by thing what moved, from what all
may see.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

import msgspec

from companion.clocks import TICKS_PER_SECOND, TimeUse, time_use
from companion.clocks.timekeeping import parse_question_key
from companion.errors import UserError
from companion.log.dates import Played
from companion.log.events import Answered, Corrected, Event, Left, PutAway, Reopened, Returned
from companion.log.proof import rounds
from companion.record import player_statistics
from companion.record.dates import describe_dates, format_duration
from companion.rules.game import ChosenPreset
from companion.scenes.evaluate import SceneView, evaluate_scene
from companion.session.run import Run
from companion.session.session import Session
from companion.session.view import Holding, history, view, withdrawn
from companion.store import Store
from companion.table.moves import diff_snapshots, take_snapshot
from companion.table.scores import GameResult, ScoreLine, Standing, StoredResult, StoredStanding
from companion.table.seats import Seat, Seats
from companion.table.table import OptionValue
from companion.texts import Say, Text, say, text_from_json


class RecordEntry(msgspec.Struct, frozen=True):
    """One sentence with what followed from it; `n` is the question, `at` the seconds of play.

    `at` is None where the log has no time. `undone`: it tells of what was taken back, or changed too late.
    `heading` is where in the game that was, `seats` who was asked.
    """

    n: int
    at: float | None
    text: Say
    notes: tuple[Say, ...] = ()
    undone: bool = False
    heading: Say | None = None
    seats: tuple[Seat, ...] = ()


def history_entries(session: Session, events: Sequence[Event]) -> tuple[RecordEntry, ...]:
    """The whole game, oldest first.

    What the result was before a game was reopened is told once it is over again: it counts what is covered.
    """
    found = [
        RecordEntry(step.n, step.at, entry.text, entry.notes, heading=entry.heading, seats=entry.seats)
        for step, entry in zip(session.steps, history(session), strict=True)
    ]
    tried = [RecordEntry(n, None, text, undone=True) for n, text in withdrawn(session)]
    is_over = session.put_aside or session.result is not None
    comings = (*_departures_and_returns(events, session.table.seats), *_reopenings(events, is_over=is_over))
    extras = sorted((*comings, *_revealed_changes(events), *tried), key=lambda one: one.n)
    return tuple(_merge_by_question(found, extras))


def _merge_by_question(found: Sequence[RecordEntry], extras: Sequence[RecordEntry]) -> Iterator[RecordEntry]:
    """What was said while a question was open comes before its answer."""
    rest = deque(extras)
    for one in found:
        while rest and rest[0].n <= one.n:
            yield rest.popleft()
        yield one
    yield from rest


def _departures_and_returns(events: Sequence[Event], seats: Seats) -> Iterator[RecordEntry]:
    """Who left and came back, and a game that ended before its end."""
    for event in events:
        match event:
            case Left():
                yield RecordEntry(event.n, None, say("{seat} leaves.", seat=seats.seat_numbered(event.seat)))
            case Returned():
                yield RecordEntry(event.n, None, say("{seat} is back.", seat=seats.seat_numbered(event.seat)))
            case PutAway(early=True) if event is events[-1]:
                yield RecordEntry(
                    event.n, None, say("The game was put away before the end. This is the score so far.")
                )


def _reopenings(events: Sequence[Event], *, is_over: bool) -> Iterator[RecordEntry]:
    """Where the game was taken up again after it had been put away, and what its result was until then."""
    for before, event in pairwise(events):
        if isinstance(before, PutAway) and isinstance(event, Reopened):
            text = say("The game was put away and later reopened.")
            standings = before.result["standings"] if before.result and is_over else ()
            ranks = ", ".join(f"{one['rank']}. {one['seat']} {one['total']}" for one in standings)
            notes = (say("The result before the game was reopened: {ranks}", ranks=ranks),) if ranks else ()
            yield RecordEntry(event.n, None, text, notes, undone=True)


def _revealed_changes(events: Sequence[Event]) -> Iterator[RecordEntry]:
    for one in rounds(events):
        if one.taken_back is not None:
            text = say(
                "The envelopes of question {n} were opened, and later the reveal was taken back.", n=one.n
            )
            yield RecordEntry(one.taken_back, None, text, undone=True)
        for n in one.amended:
            text = say("The sealed answers to question {n} were changed after the reveal.", n=one.n)
            yield RecordEntry(n, None, text, undone=True)


class StepMovements(msgspec.Struct, frozen=True):
    """One thing in force, and what it moved; `by_hand`: it was a correction."""

    text: Say
    moves: tuple[Say, ...]
    by_hand: bool


def movements_by_step(session: Session) -> list[StepMovements]:
    """All that is in force, oldest first."""
    found, before = [], take_snapshot(session.earlier(0).table.ledger)
    for entry, step, run in zip(history(session), session.steps, session.moments(), strict=True):
        now, by_hand = take_snapshot(run.table.ledger), isinstance(step, Corrected)
        moved = () if by_hand else tuple(move.line for move in diff_snapshots(before, now))
        found.append(StepMovements(entry.text, moved, by_hand))
        before = now
    return found


# What charts are drawn from: the score as it stood after each answer, and how long people thought.
#
# They thought the same seconds of play that a clock counts against them.


MARKERS_PER_LINE = 6
"""Most shapes on a line."""


class ScoreMoment(msgspec.Struct, frozen=True):
    """Everybody's total after one more answer or correction; `n` is the question that was open."""

    n: int
    totals: dict[Seat, int]


def score_history(session: Session) -> tuple[ScoreMoment, ...]:
    """The score over the whole game; while it is played nothing, if anything ever lay covered in it.

    Nothing either where the rulebook can't tell the score before its end.
    """
    is_over, found = session.result is not None or session.put_aside, []
    for step, run in zip(session.steps, session.moments(), strict=True):
        if not is_over and any(account.covered for account in run.table.ledger):
            return ()
        if (totals := _totals_of(run)) is not None:
            found.append(ScoreMoment(step.n, totals))
    return tuple(found) if len(found) > 1 else ()


def line_corners(moments: Sequence[ScoreMoment], seat: Seat) -> list[tuple[int, int]]:
    """The corners of one seat's line: (steps played, total), without the points between two equal ones."""
    points = [(at, moment.totals[seat]) for at, moment in enumerate(moments)]
    last = len(points) - 1
    return [
        point
        for at, point in enumerate(points)
        if at in {0, last} or not points[at - 1][1] == point[1] == points[at + 1][1]
    ]


def marker_positions(count: int, turn: float) -> list[int]:
    """Where on a line of so many moments a seat's shape stands; `turn`, from 0 to 1, keeps seats apart."""
    return [round((mark + turn) * (count - 1) / MARKERS_PER_LINE) for mark in range(MARKERS_PER_LINE)]


def score_range(moments: Sequence[ScoreMoment]) -> tuple[int, int]:
    """The lowest and highest total that a chart has room for: from 0 on, unless all stand far above it."""
    totals = [total for moment in moments for total in moment.totals.values()]
    low, high = min(totals), max(totals)
    return (low, high) if 0 < high - low < low else (min(0, low), max(1, high))


def _totals_of(run: Run) -> dict[Seat, int] | None:
    result = run.score()
    return {one.seat: one.total for one in result.standings} if result else None


class ThinkingTime(msgspec.Struct, frozen=True):
    """One seat's answers and the seconds they took, `longest` the longest of them.

    Answers that were taken back count too: time never comes back. `seat` None: what the table answered.
    """

    seat: Seat | None
    answers: int
    seconds: float
    longest: float


def thinking_times(events: Iterable[Event], seats: Seats) -> tuple[ThinkingTime, ...]:
    """Everybody's times in the order of the seats, then the table's."""
    times = TimeUse()
    taken: dict[int, list[int]] = {number: [] for number in (*(seat.number for seat in seats), 0)}
    for event in events:
        before, asked = times.spent.copy(), times.asked
        times.add(event)
        if isinstance(event, Answered):
            _, who, _ = parse_question_key(event.asks)
            for number in who:
                taken[number].append(times.spent[number] - before[number])
            if not who:
                taken[0].append(times.now - asked)
    return tuple(
        ThinkingTime(seat, len(took), sum(took) / TICKS_PER_SECOND, max(took) / TICKS_PER_SECOND)
        for seat in (*seats, None)
        if (took := taken[seat.number if seat else 0])
    )


# What is told of a game besides its course: when, how long, which template, who started, if it counts.


REOPENED_TEXT = say("This game was reopened after it had been put away.")
EXCLUDED_TEXT = say("This game doesn't count in the statistics.")


class GameFacts(msgspec.Struct, frozen=True):
    """`played` says when, `seconds` how long people played; `starter` is who started, if the rules tell it.

    `preset` is the one that was played, where the game has presets. `is_counted`: it is in the statistics.
    `reopened`: how often it was taken up again after it had been put away.
    """

    played: Played = Played()
    seconds: float = 0.0
    starter: Seat | None = None
    preset: ChosenPreset | None = None
    counts: bool = True
    reopened: int = 0

    @property
    def told(self) -> Iterator[Say]:
        """A sentence each."""
        if self.preset is not None:
            yield say("Template: {template}", template=self.preset.title)
        yield describe_dates(self.played)
        if round(self.seconds):
            yield say("Playing time: {time}", time=format_duration(self.seconds))
        if self.starter is not None:
            yield say("Start player: {seat}", seat=self.starter)
        if self.reopened:
            yield REOPENED_TEXT
        if not self.counts:
            yield EXCLUDED_TEXT


NO_FACTS = GameFacts()
"""Of a game that is kept nowhere."""


def facts_from_store(store: Store, number: int) -> GameFacts:
    """What the store knows of a saved game without its rules."""
    return GameFacts(
        store.played(number),
        store.lasted(number),
        counts=player_statistics.is_counted(store, number),
        reopened=store.reopened(number),
    )


def complete_facts(facts: GameFacts, session: Session, events: Sequence[Event]) -> GameFacts:
    """Returns the facts completed with what a session and its log tell."""
    return msgspec.structs.replace(
        facts,
        seconds=time_use(events).now / TICKS_PER_SECOND,
        starter=session.table.start_player,
        preset=session.game.chosen_preset(session.table.options),
        reopened=sum(isinstance(event, Reopened) for event in events),
    )


# One game as it is kept: who played, how it ended, everything that happened.


class GameRecord(msgspec.Struct, frozen=True):
    """`result` is the final score, or where the game was put `early` away the score so far; None before.

    `table` is what lies where as all may see it, while the game goes on; `laid` the same as people see it.
    `trouble` says why there is nothing but the result, if the rules no longer read the log.
    `provisional`: printed values it was played by were a guess.
    """

    game: str
    title: Text
    number: int | None
    seats: Seats
    result: GameResult | None
    early: bool = False
    version: int | None = None
    options: Mapping[str, OptionValue] = {}
    provisional: bool = False
    entries: tuple[RecordEntry, ...] = ()
    standing: tuple[ScoreMoment, ...] = ()
    thinking: tuple[ThinkingTime, ...] = ()
    table: tuple[Holding, ...] = ()
    laid: SceneView | None = None
    trouble: Say | None = None
    facts: GameFacts = NO_FACTS

    @property
    def over(self) -> bool:
        """Whether this is how it ended."""
        return self.result is not None


def create_record(
    session: Session, events: Sequence[Event], number: int | None = None, facts: GameFacts = NO_FACTS
) -> GameRecord:
    """The record of a game at this moment.

    `events` is its log, `number` the one in the history, `facts` what the store knows of it.
    """
    seen, last = view(session), events[-1]
    put_away = last if isinstance(last, PutAway) else None
    result = result_from_json(put_away.result, seen.seats) if put_away else seen.result
    over = put_away is not None or result is not None
    return GameRecord(
        game=session.game.key,
        title=seen.game,
        number=number,
        seats=seen.seats,
        result=result,
        early=put_away is not None and (put_away.early or result is None),
        version=session.began.version,
        options=session.table.options,
        provisional=seen.provisional,
        entries=history_entries(session, events),
        standing=score_history(session),
        thinking=thinking_times(events, seen.seats),
        table=() if over else _sort_by_place(seen.holdings),
        laid=None if over else evaluate_scene(seen, session.scene),
        facts=complete_facts(facts, session, events),
    )


def _sort_by_place(holdings: Sequence[Holding]) -> tuple[Holding, ...]:
    """What lies at one place together, places in the order of the table."""
    order = list(dict.fromkeys(holding.place for holding in holdings))
    return tuple(sorted(holdings, key=lambda holding: order.index(holding.place)))


def result_from_json(plain: StoredResult | None, seats: Seats) -> GameResult | None:
    """What `GameResult.plain` wrote; None where there was no result, or none that can be read."""
    if plain is None:
        return None
    with suppress(UserError, ValueError):
        return _result_from_json(plain, seats)
    return None


def _result_from_json(plain: StoredResult, seats: Seats) -> GameResult:
    return GameResult(
        tuple(
            Standing(
                seats.find_seat(one["seat"]),
                one["rank"],
                one["total"],
                tuple(_score_lines(one)),
                one["out"],
                text_from_json(one.get("why")),
            )
            for one in plain["standings"]
        )
    )


def _score_lines(one: StoredStanding) -> Iterator[ScoreLine]:
    """A sheet of an older version doesn't say which lines count: all where they make the total, else none."""
    adds_up = sum(line["value"] for line in one["lines"]) == one["total"]
    for line in one["lines"]:
        yield ScoreLine(text_from_json(line["label"]), line["value"], line.get("counts", adds_up))
