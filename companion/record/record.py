"""One game as a record: who played, how it ended, everything that happened, the score and the thinking times.

Undo leaves only three traces in the history: a round of envelopes that everybody has seen, a correction of
hidden pieces, and a roll of the companion's dice. `movements_by_step` tells what moved at each step, as far
as everybody may see it.
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
from companion.log.events import Answered, Corrected, Event, Left, PutAway, Reopened, Returned
from companion.log.log import PlayedDates
from companion.log.proof import sealed_rounds
from companion.record import player_statistics
from companion.record.dates import describe_dates, format_duration
from companion.rules.game import ChosenPreset
from companion.scenes.evaluate import SceneView, evaluate_scene
from companion.session.run import RulebookRun
from companion.session.session import Session
from companion.session.view import Holding, history, undone_history, view
from companion.store import Store
from companion.table.moves import diff_snapshots, take_snapshot
from companion.table.scores import GameResult, ScoreLine, Standing, StoredResult, StoredStanding
from companion.table.seats import Seat, Seats
from companion.table.table import OptionValue
from companion.texts import Say, Text, parse_text_json, say


class RecordEntry(msgspec.Struct, frozen=True):
    """One sentence of the history with its consequences; `n` is the question, `at` the seconds of play.

    `at` is None if the log has no time. `is_undone`: it tells of something undone, or changed too late.
    `heading` is the part of the game, `seats` are those who were asked.
    """

    n: int
    at: float | None
    text: Say
    notes: tuple[Say, ...] = ()
    is_undone: bool = False
    heading: Say | None = None
    seats: tuple[Seat, ...] = ()


def history_entries(session: Session, events: Sequence[Event]) -> tuple[RecordEntry, ...]:
    """Returns the whole game, oldest first.

    A result from before the game was reopened is told only once the game is over again: it counts hidden
    pieces.
    """
    found = [
        RecordEntry(step.n, step.at, entry.text, entry.notes, heading=entry.heading, seats=entry.seats)
        for step, entry in zip(session.steps, history(session), strict=True)
    ]
    tried = [RecordEntry(n, None, text, is_undone=True) for n, text in undone_history(session)]
    is_over = session.is_put_away or session.result is not None
    comings = (*_departures_and_returns(events, session.table.seats), *_reopenings(events, is_over=is_over))
    extras = sorted((*comings, *_revealed_changes(events), *tried), key=lambda one: one.n)
    return tuple(_merge_by_question(found, extras))


def _merge_by_question(found: Sequence[RecordEntry], extras: Sequence[RecordEntry]) -> Iterator[RecordEntry]:
    """Yields both in order; what happened while a question was open comes before its answer."""
    rest = deque(extras)
    for one in found:
        while rest and rest[0].n <= one.n:
            yield rest.popleft()
        yield one
    yield from rest


def _departures_and_returns(events: Sequence[Event], seats: Seats) -> Iterator[RecordEntry]:
    """Yields who left and came back, and whether the game was put away early."""
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
    """Yields where the game was reopened, and what its result was until then."""
    for before, event in pairwise(events):
        if isinstance(before, PutAway) and isinstance(event, Reopened):
            text = say("The game was put away and later reopened.")
            standings = before.result["standings"] if before.result and is_over else ()
            ranks = ", ".join(f"{one['rank']}. {one['seat']} {one['total']}" for one in standings)
            notes = (say("The result before the game was reopened: {ranks}", ranks=ranks),) if ranks else ()
            yield RecordEntry(event.n, None, text, notes, is_undone=True)


def _revealed_changes(events: Sequence[Event]) -> Iterator[RecordEntry]:
    for one in sealed_rounds(events):
        if one.taken_back is not None:
            text = say(
                "The envelopes of question {n} were opened, and later the reveal was taken back.", n=one.n
            )
            yield RecordEntry(one.taken_back, None, text, is_undone=True)
        for n in one.amended:
            text = say("The sealed answers to question {n} were changed after the reveal.", n=one.n)
            yield RecordEntry(n, None, text, is_undone=True)


class StepMovements(msgspec.Struct, frozen=True):
    """One step in force, and what it moved; `is_correction`: people moved pieces by hand."""

    text: Say
    moves: tuple[Say, ...]
    is_correction: bool


def movements_by_step(session: Session) -> list[StepMovements]:
    """Returns all steps in force, oldest first."""
    found, before = [], take_snapshot(session.session_at(0).table.ledger)
    for entry, step, run in zip(history(session), session.steps, session.replay_moments(), strict=True):
        now, by_hand = take_snapshot(run.table.ledger), isinstance(step, Corrected)
        moved = () if by_hand else tuple(move.line for move in diff_snapshots(before, now))
        found.append(StepMovements(entry.text, moved, by_hand))
        before = now
    return found


# Score history and thinking times


MARKERS_PER_LINE = 6
"""The most shapes on a line."""


class ScoreMoment(msgspec.Struct, frozen=True):
    """The total of each seat after one more answer or correction; `n` is the question that was open."""

    n: int
    totals: dict[Seat, int]


def score_history(session: Session) -> tuple[ScoreMoment, ...]:
    """Returns the score after each step of the game; empty during a game in which pieces were ever hidden.

    It is also empty if the rulebook can't tell the score before the end.
    """
    is_over, found = session.result is not None or session.is_put_away, []
    for step, run in zip(session.steps, session.replay_moments(), strict=True):
        if not is_over and any(account.covered for account in run.table.ledger):
            return ()
        if (totals := _totals_of(run)) is not None:
            found.append(ScoreMoment(step.n, totals))
    return tuple(found) if len(found) > 1 else ()


def line_corners(moments: Sequence[ScoreMoment], seat: Seat) -> list[tuple[int, int]]:
    """Returns the corners of one seat's line.

    (steps played, total), without the points between two equal ones.
    """
    points = [(at, moment.totals[seat]) for at, moment in enumerate(moments)]
    last = len(points) - 1
    return [
        point
        for at, point in enumerate(points)
        if at in {0, last} or not points[at - 1][1] == point[1] == points[at + 1][1]
    ]


def marker_positions(count: int, turn: float) -> list[int]:
    """Returns where a seat's shapes are on a line of `count` moments.

    `turn`, from 0 to 1, keeps seats apart.
    """
    return [round((mark + turn) * (count - 1) / MARKERS_PER_LINE) for mark in range(MARKERS_PER_LINE)]


def score_range(moments: Sequence[ScoreMoment]) -> tuple[int, int]:
    """Returns the lowest and highest total of the chart; it begins at 0, unless all totals are far above."""
    totals = [total for moment in moments for total in moment.totals.values()]
    low, high = min(totals), max(totals)
    return (low, high) if 0 < high - low < low else (min(0, low), max(1, high))


def _totals_of(run: RulebookRun) -> dict[Seat, int] | None:
    result = run.score()
    return {one.seat: one.total for one in result.standings} if result else None


class ThinkingTime(msgspec.Struct, frozen=True):
    """The number of one seat's answers and the seconds they took.

    Undone answers count too: time never comes back. `seat` is None for answers of the whole table.
    """

    seat: Seat | None
    answers: int
    seconds: float
    longest_seconds: float


def thinking_times(events: Iterable[Event], seats: Seats) -> tuple[ThinkingTime, ...]:
    """Returns the times of all seats in their order, then the table's.

    They are the seconds of play that a clock counts.
    """
    times = TimeUse()
    taken: dict[int, list[int]] = {number: [] for number in (*(seat.number for seat in seats), 0)}
    for event in events:
        before, asked = times.ticks_by_seat.copy(), times.asked_ticks
        times.add_event(event)
        if isinstance(event, Answered):
            _, who, _ = parse_question_key(event.asks)
            for number in who:
                taken[number].append(times.ticks_by_seat[number] - before[number])
            if not who:
                taken[0].append(times.now_ticks - asked)
    return tuple(
        ThinkingTime(seat, len(took), sum(took) / TICKS_PER_SECOND, max(took) / TICKS_PER_SECOND)
        for seat in (*seats, None)
        if (took := taken[seat.number if seat else 0])
    )


# Facts


REOPENED_TEXT = say("This game was reopened after it had been put away.")
EXCLUDED_TEXT = say("This game doesn't count in the statistics.")


class GameFacts(msgspec.Struct, frozen=True):
    """Facts about a game besides its course: dates, duration, preset, start player, and whether it counts.

    `start_player` is None if the rules don't tell it. `is_counted`: the game counts in the statistics.
    `reopen_count`: how often it was reopened after it had been put away.
    """

    play_dates: PlayedDates = PlayedDates()
    seconds: float = 0.0
    start_player: Seat | None = None
    preset: ChosenPreset | None = None
    is_counted: bool = True
    reopen_count: int = 0

    @property
    def sentences(self) -> Iterator[Say]:
        """Yields each fact as a sentence."""
        if self.preset is not None:
            yield say("Template: {template}", template=self.preset.title)
        yield describe_dates(self.play_dates)
        if round(self.seconds):
            yield say("Playing time: {time}", time=format_duration(self.seconds))
        if self.start_player is not None:
            yield say("Start player: {seat}", seat=self.start_player)
        if self.reopen_count:
            yield REOPENED_TEXT
        if not self.is_counted:
            yield EXCLUDED_TEXT


NO_FACTS = GameFacts()
"""The facts of a game that isn't saved."""


def facts_from_store(store: Store, number: int) -> GameFacts:
    """Returns what the store knows about a saved game without its rules."""
    return GameFacts(
        store.play_dates(number),
        store.seconds_played(number),
        is_counted=player_statistics.is_counted(store, number),
        reopen_count=store.reopen_count(number),
    )


def complete_facts(facts: GameFacts, session: Session, events: Sequence[Event]) -> GameFacts:
    """Returns the facts, completed with those of a session and its log."""
    return msgspec.structs.replace(
        facts,
        seconds=time_use(events).now_ticks / TICKS_PER_SECOND,
        start_player=session.table.start_player,
        preset=session.game.chosen_preset(session.table.options),
        reopen_count=sum(isinstance(event, Reopened) for event in events),
    )


# The record


class GameRecord(msgspec.Struct, frozen=True):
    """The record of a game; `result` is the final score, or the score so far if it was put away early.

    `table` is what lies where during the game, as all may see it; `scene` is the scene of it.
    `trouble` says why there is only the result, if the rules can't read the log any more.
    `provisional`: printed values in the game were a guess.
    """

    game: str
    title: Text
    number: int | None
    seats: Seats
    result: GameResult | None
    was_put_away_early: bool = False
    version: int | None = None
    options: Mapping[str, OptionValue] = {}
    provisional: bool = False
    entries: tuple[RecordEntry, ...] = ()
    score_history: tuple[ScoreMoment, ...] = ()
    thinking_times: tuple[ThinkingTime, ...] = ()
    table: tuple[Holding, ...] = ()
    scene: SceneView | None = None
    trouble: Say | None = None
    facts: GameFacts = NO_FACTS

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.result is not None


def create_record(
    session: Session, events: Sequence[Event], number: int | None = None, facts: GameFacts = NO_FACTS
) -> GameRecord:
    """Returns the record of a game at this moment.

    `events` is its log, `number` the one in the list of games, `facts` what the store knows about it.
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
        was_put_away_early=put_away is not None and (put_away.early or result is None),
        version=session.began.version,
        options=session.table.options,
        provisional=seen.provisional,
        entries=history_entries(session, events),
        score_history=score_history(session),
        thinking_times=thinking_times(events, seen.seats),
        table=() if over else _sort_by_place(seen.holdings),
        scene=None if over else evaluate_scene(seen, session.scene),
        facts=complete_facts(facts, session, events),
    )


def _sort_by_place(holdings: Sequence[Holding]) -> tuple[Holding, ...]:
    """Groups the holdings by place, with places in the order of the table."""
    order = list(dict.fromkeys(holding.place for holding in holdings))
    return tuple(sorted(holdings, key=lambda holding: order.index(holding.place)))


def result_from_json(plain: StoredResult | None, seats: Seats) -> GameResult | None:
    """Returns the result that `GameResult` wrote as JSON; None if there was none, or if it can't be read."""
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
                parse_text_json(one.get("why")),
            )
            for one in plain["standings"]
        )
    )


def _score_lines(one: StoredStanding) -> Iterator[ScoreLine]:
    """Yields the lines of a standing. Older versions didn't save which lines count.

    All if they make the total.
    """
    adds_up = sum(line["value"] for line in one["lines"]) == one["total"]
    for line in one["lines"]:
        yield ScoreLine(parse_text_json(line["label"]), line["value"], line.get("counts", adds_up))
