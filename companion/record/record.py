"""One game as a record: who played, how it ended, everything that happened, the score and the thinking times.

Undo leaves only three traces in the history: a round of envelopes that everybody has seen, a correction of
hidden pieces, and a roll of the companion's dice. `movements_by_step` says what moved at each step, as far as
everybody may see it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count, pairwise
from typing import NamedTuple

import msgspec

from companion.clocks import TICKS_PER_SECOND, TimeUse, compute_time_use, parse_question_key
from companion.errors import UserError
from companion.half_numbers import WholeOrHalf, number_from_float
from companion.log.events import Answered, Corrected, Event, PlayerLeft, PlayerReturned, PutAway, Reopened
from companion.log.log import PlayDates
from companion.log.proof import sealed_rounds
from companion.record import player_statistics
from companion.record.dates import describe_dates, format_duration
from companion.rules.game import ChosenPreset
from companion.scenes import SceneView, evaluate_scene
from companion.session.session import Session
from companion.session.view import (
    Holding,
    beginning_of_history,
    list_history_entries,
    make_view,
    undone_hidden_corrections_and_rolls,
)
from companion.store import Store
from companion.table.moves import diff_snapshots, take_snapshot
from companion.table.scores import GameResult, ScoreLine, Standing, StoredResult, StoredStanding
from companion.table.seats import Seat, Seats
from companion.table.table import OptionValue
from companion.texts import Say, Text, parse_text_json, say


class RecordEntry(msgspec.Struct, frozen=True):
    """An entry of the history in a game's record: a sentence, with its notes.

    `question_number` is the number of the question, `played_seconds` the seconds of play, or None if the log
    has no time. `is_undone`: the sentence is about something undone, or changed too late. `heading` is the
    part of the game, `seats` are those who were asked.
    """

    question_number: int
    played_seconds: float | None
    text: Say
    notes: tuple[Say, ...] = ()
    is_undone: bool = False
    heading: Say | None = None
    seats: tuple[Seat, ...] = ()


def history_entries(session: Session, events: Sequence[Event]) -> tuple[RecordEntry, ...]:
    """Returns the history of the whole game, oldest first.

    A result from before the game was reopened is included only once the game is over again: it counts hidden
    pieces.
    """
    beginning = [RecordEntry(1, None, entry.text, entry.notes) for entry in beginning_of_history(session)]
    entries = [
        RecordEntry(step.n, step.at, entry.text, entry.notes, heading=entry.heading, seats=entry.seats)
        for step, entry in zip(session.steps, list_history_entries(session), strict=True)
    ]
    undone_entries = [
        RecordEntry(n, None, text, is_undone=True) for n, text in undone_hidden_corrections_and_rolls(session)
    ]
    is_over = session.is_put_away or session.result is not None
    extras = (
        *_departures_and_returns(events, session.table.seats),
        *_reopenings(events, is_over=is_over),
        *_revealed_changes(events),
        *undone_entries,
    )
    merged = _merge_by_question(entries, sorted(extras, key=lambda entry: entry.question_number))
    return (*beginning, *merged)


def _merge_by_question(
    entries: Sequence[RecordEntry], extras: Sequence[RecordEntry]
) -> Iterator[RecordEntry]:
    """Yields entries and extras in order; what happened while a question was open comes before its answer."""
    remaining = deque(extras)
    for entry in entries:
        while remaining and remaining[0].question_number <= entry.question_number:
            yield remaining.popleft()
        yield entry
    yield from remaining


def _departures_and_returns(events: Sequence[Event], seats: Seats) -> Iterator[RecordEntry]:
    """Yields an entry for each player who left or came back, and one if the game was put away early."""
    for event in events:
        match event:
            case PlayerLeft():
                yield RecordEntry(event.n, None, say("{seat} leaves.", seat=seats.seat_numbered(event.seat)))
            case PlayerReturned():
                yield RecordEntry(event.n, None, say("{seat} is back.", seat=seats.seat_numbered(event.seat)))
            case PutAway(early=True) if event is events[-1]:
                yield RecordEntry(
                    event.n, None, say("The game was put away before the end. This is the score so far.")
                )


def _reopenings(events: Sequence[Event], *, is_over: bool) -> Iterator[RecordEntry]:
    """Yields an entry for each time the game was reopened, with the result until then if the game is over."""
    for before, event in pairwise(events):
        if isinstance(before, PutAway) and isinstance(event, Reopened):
            text = say("The game was put away and later reopened.")
            standings = before.result["standings"] if before.result and is_over else ()
            ranks = ", ".join(
                f"{standing['rank']}. {standing['seat']} {standing['total']}" for standing in standings
            )
            notes = (say("The result before the game was reopened: {ranks}", ranks=ranks),) if ranks else ()
            yield RecordEntry(event.n, None, text, notes, is_undone=True)


def _revealed_changes(events: Sequence[Event]) -> Iterator[RecordEntry]:
    for sealed_round in sealed_rounds(events):
        if sealed_round.taken_back_during_question is not None:
            text = say(
                "The envelopes of question {n} were opened, and later the reveal was taken back.",
                n=sealed_round.question_number,
            )
            yield RecordEntry(sealed_round.taken_back_during_question, None, text, is_undone=True)
        for n in sealed_round.amended_during_questions:
            text = say(
                "The sealed answers to question {n} were changed after the reveal.",
                n=sealed_round.question_number,
            )
            yield RecordEntry(n, None, text, is_undone=True)


class StepMovements(msgspec.Struct, frozen=True):
    """The movements of pieces in one step in force.

    `is_correction`: people moved the pieces by hand; then `moves` is empty, because `text` says it.
    """

    text: Say
    moves: tuple[Say, ...]
    is_correction: bool


def movements_by_step(session: Session) -> list[StepMovements]:
    """Returns the movements of pieces in all steps in force, oldest first."""
    movements, earlier = [], take_snapshot(session.session_after_steps(0).table.ledger)
    for entry, step, run in zip(
        list_history_entries(session), session.steps, session.replay_step_by_step(), strict=True
    ):
        later, is_correction = take_snapshot(run.table.ledger), isinstance(step, Corrected)
        differences = () if is_correction else diff_snapshots(earlier, later)
        moves = tuple(move.description_text for move in differences)
        movements.append(StepMovements(entry.text, moves, is_correction))
        earlier = later
    return movements


# Score history and thinking times


MAX_MARKERS_PER_LINE = 6
"""The most seat shapes on a line of the score chart."""


class ScoreMoment(msgspec.Struct, frozen=True):
    """A moment of the score: the totals of all seats after one more answer or correction.

    `question_number` is the question that was open, `round_number` the round after its answer; None in a game
    without rounds. `eliminated_seats` are out, so that their totals don't count.
    """

    question_number: int
    totals: dict[Seat, WholeOrHalf]
    round_number: int | None = None
    eliminated_seats: tuple[Seat, ...] = ()


def scores_after_each_step(session: Session) -> tuple[ScoreMoment, ...]:
    """Returns the history of the score: the totals after each step of the game.

    The history is empty during a game in which pieces were ever hidden, and if the rulebook can't tell the
    score before the end.
    """
    is_over, moments = session.result is not None or session.is_put_away, []
    for step, run in zip(session.steps, session.replay_step_by_step(), strict=True):
        if not is_over and any(account.covered for account in run.table.ledger):
            return ()
        if (result := run.result_or_score_so_far()) is not None:
            counter = run.table.round_counter
            totals = {standing.seat: standing.total for standing in result.standings}
            eliminated = tuple([standing.seat for standing in result.standings if standing.is_eliminated])
            moments.append(ScoreMoment(step.n, totals, counter.count if counter else None, eliminated))
    return tuple(moments) if len(moments) > 1 else ()


def moments_of_chart(moments: Sequence[ScoreMoment]) -> Sequence[ScoreMoment]:
    """Returns the moments that the score chart shows: where each round begins, and the end of the game.

    A game without rounds shows every moment.
    """
    if not counts_rounds(moments):
        return moments
    in_rounds = [moment for moment in moments if moment.round_number]
    beginnings = [
        moment for before, moment in pairwise(in_rounds) if before.round_number != moment.round_number
    ]
    end = [] if beginnings[-1] is moments[-1] else [moments[-1]]
    return [in_rounds[0], *beginnings, *end]


def score_line_corners(moments: Sequence[ScoreMoment], seat: Seat) -> list[tuple[int, WholeOrHalf]]:
    """Returns the corners of a seat's line in the score chart as (index of the moment, total).

    Points between two points with the same total are left out.
    """
    points = [(index, moment.totals[seat]) for index, moment in enumerate(moments)]
    last_index = len(points) - 1
    return [
        point
        for index, point in enumerate(points)
        if index in {0, last_index} or not points[index - 1][1] == point[1] == points[index + 1][1]
    ]


class AxisTick(NamedTuple):
    """A tick below the score chart: the index of a moment, and the number of its round or question."""

    moment_index: int
    number: int


def counts_rounds(moments: Sequence[ScoreMoment]) -> bool:
    """Returns whether the score chart counts rounds; else it counts questions."""
    return len({moment.round_number for moment in moments if moment.round_number}) > 1


def score_axis_ticks(moments: Sequence[ScoreMoment], max_count: int) -> list[AxisTick]:
    """Returns at most `max_count` ticks below the score chart, at equal steps of rounds or questions.

    A round's tick is where the round begins.
    """
    has_rounds = counts_rounds(moments)
    first_index_by_number: dict[int, int] = {}
    for index, moment in enumerate(moments):
        number = moment.round_number if has_rounds else moment.question_number
        if number:
            first_index_by_number.setdefault(number, index)
    if not first_index_by_number:
        return []
    numbers = range(min(first_index_by_number), max(first_index_by_number) + 1)
    step = next(step for step in _round_steps() if len(numbers) <= step * max(1, max_count))
    return [AxisTick(index, number) for number, index in first_index_by_number.items() if number % step == 0]


def _round_steps() -> Iterator[int]:
    """Yields 1, 2, 5, 10, 20, 50 and so on."""
    for power in count():
        for step in (1, 2, 5):
            yield step * 10**power


def marker_moment_indices(moment_count: int, offset_fraction: float) -> list[int]:
    """Returns the indices of the moments that have a marker on a seat's line in the score chart.

    The marker is the seat's shape. `offset_fraction`, from 0 to 1, keeps the shapes of seats apart.
    """
    return [
        round((marker + offset_fraction) * (moment_count - 1) / MAX_MARKERS_PER_LINE)
        for marker in range(MAX_MARKERS_PER_LINE)
    ]


def score_axis_range(moments: Sequence[ScoreMoment]) -> tuple[WholeOrHalf, WholeOrHalf]:
    """Returns the lowest and the highest total on the axis of the score chart.

    The axis begins at 0, unless all totals are far above 0.
    """
    totals = [total for moment in moments for total in moment.totals.values()]
    low, high = min(totals), max(totals)
    return (low, high) if 0 < high - low < low else (min(0, low), max(1, high))


class ThinkingTime(msgspec.Struct, frozen=True):
    """The thinking time of one seat, or of the whole table.

    `seconds` are those that all `answer_count` answers took, `longest_seconds` those of the slowest answer.
    Undone answers count too: time never comes back. `seat` is None for answers of the whole table. `percent`
    is the share in all thinking times together; the shares of a game add up to 100.
    """

    seat: Seat | None
    answer_count: int
    seconds: float
    longest_seconds: float
    percent: int


def thinking_times(events: Iterable[Event], seats: Seats) -> tuple[ThinkingTime, ...]:
    """Returns the thinking times of the seats in their order, then that of the table.

    Seats without an answer are left out. The times are the seconds of play that a clock counts.
    """
    time_use = TimeUse()
    ticks_by_seat_number: dict[int, list[int]] = {0: [], **{seat.number: [] for seat in seats}}
    for event in events:
        ticks_before, asked_ticks = time_use.ticks_by_seat.copy(), time_use.asked_ticks
        time_use.add_event(event)
        if isinstance(event, Answered):
            seat_numbers = parse_question_key(event.asks).seat_numbers
            for number in seat_numbers:
                ticks_by_seat_number[number].append(time_use.ticks_by_seat[number] - ticks_before[number])
            if not seat_numbers:
                ticks_by_seat_number[0].append(time_use.now_ticks - asked_ticks)
    ticks_by_seat = {
        seat: ticks for seat in (*seats, None) if (ticks := ticks_by_seat_number[seat.number if seat else 0])
    }
    percents = round_shares_to_percent([sum(ticks) for ticks in ticks_by_seat.values()])
    return tuple(
        ThinkingTime(seat, len(ticks), sum(ticks) / TICKS_PER_SECOND, max(ticks) / TICKS_PER_SECOND, percent)
        for (seat, ticks), percent in zip(ticks_by_seat.items(), percents, strict=True)
    )


def round_shares_to_percent(parts: Sequence[int]) -> list[int]:
    """Returns each part as a whole percentage of their sum; together 100, or 0 if all parts are 0.

    The parts that lose most by rounding down are rounded up: 1, 1 and 1 are 34, 33 and 33 percent.
    """
    total = sum(parts) or 1
    percents = [100 * part // total for part in parts]
    losses = [100 * part % total for part in parts]
    by_loss = sorted(range(len(parts)), key=lambda index: -losses[index])
    for index in by_loss[: sum(losses) // total]:
        percents[index] += 1
    return percents


# Facts


REOPENED_TEXT = say("This game was reopened after it had been put away.")
EXCLUDED_TEXT = say("This game doesn't count in the statistics.")


class GameFacts(msgspec.Struct, frozen=True):
    """Facts about a game besides its course: dates, duration, preset, start player, and whether it counts.

    `start_player` is None if the rules don't say who it is. `is_counted`: the game counts in the statistics.
    `reopen_count`: how often the game was reopened after it had been put away.
    """

    play_dates: PlayDates = PlayDates()
    played_seconds: float = 0.0
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
        if round(self.played_seconds):
            yield say("Playing time: {time}", time=format_duration(self.played_seconds))
        if self.start_player is not None:
            yield say("Start player: {seat}", seat=self.start_player)
        if self.reopen_count:
            yield REOPENED_TEXT
        if not self.is_counted:
            yield EXCLUDED_TEXT


FACTS_OF_UNSAVED_GAME = GameFacts()
"""The facts of a game that isn't saved."""


def facts_from_store(store: Store, game_number: int) -> GameFacts:
    """Returns the facts about a saved game that the store knows without the rules."""
    return GameFacts(
        store.play_dates(game_number),
        store.seconds_played(game_number),
        is_counted=player_statistics.is_counted_in_statistics(store, game_number),
        reopen_count=store.reopen_count(game_number),
    )


def complete_facts(facts: GameFacts, session: Session, events: Sequence[Event]) -> GameFacts:
    """Returns the facts, completed from a session and its log."""
    return msgspec.structs.replace(
        facts,
        played_seconds=compute_time_use(events).now_ticks / TICKS_PER_SECOND,
        start_player=session.table.start_player,
        preset=session.game.chosen_preset(session.table.options),
        reopen_count=sum(isinstance(event, Reopened) for event in events),
    )


# The record


class GameRecord(msgspec.Struct, frozen=True):
    """The record of one game, for exports.

    `result` is the final score, or the score when the game was put away. `public_holdings` are the pieces at
    each place during the game, as everybody may see them; `scene` is the scene with these pieces.
    `replay_error` says why there is only the result, if the rules can't read the log any more.
    `has_provisional_values`: printed values in the game were a guess.
    """

    game_key: str
    title: Text
    game_number: int | None
    seats: Seats
    result: GameResult | None
    was_put_away_early: bool = False
    version: int | None = None
    options: Mapping[str, OptionValue] = {}
    has_provisional_values: bool = False
    entries: tuple[RecordEntry, ...] = ()
    scores_after_each_step: tuple[ScoreMoment, ...] = ()
    thinking_times: tuple[ThinkingTime, ...] = ()
    public_holdings: tuple[Holding, ...] = ()
    scene: SceneView | None = None
    replay_error: Say | None = None
    facts: GameFacts = FACTS_OF_UNSAVED_GAME

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.result is not None


def create_record(
    session: Session,
    events: Sequence[Event],
    game_number: int | None = None,
    facts: GameFacts = FACTS_OF_UNSAVED_GAME,
) -> GameRecord:
    """Returns the record of a game at this moment.

    `events` is its log, `game_number` its number in the list of games, `facts` what the store knows about it.
    """
    table_view, last_event = make_view(session), events[-1]
    put_away_event = last_event if isinstance(last_event, PutAway) else None
    result = table_view.result
    if put_away_event is not None:
        result = result_from_json(put_away_event.result, table_view.seats)
    is_over = put_away_event is not None or result is not None
    return GameRecord(
        game_key=session.game.key,
        title=table_view.game_title,
        game_number=game_number,
        seats=table_view.seats,
        result=result,
        was_put_away_early=put_away_event is not None and (put_away_event.early or result is None),
        version=session.began.version,
        options=session.table.options,
        has_provisional_values=table_view.has_provisional_values,
        entries=history_entries(session, events),
        scores_after_each_step=scores_after_each_step(session),
        thinking_times=thinking_times(events, table_view.seats),
        public_holdings=() if is_over else _sort_by_place(table_view.holdings),
        scene=None if is_over else evaluate_scene(table_view, session.scene),
        facts=complete_facts(facts, session, events),
    )


def _sort_by_place(holdings: Sequence[Holding]) -> tuple[Holding, ...]:
    """Groups the holdings by place, with places in the order of the table."""
    order = list(dict.fromkeys(holding.place for holding in holdings))
    return tuple(sorted(holdings, key=lambda holding: order.index(holding.place)))


def result_from_json(stored_result: StoredResult | None, seats: Seats) -> GameResult | None:
    """Returns the result of a game from its stored JSON; None if there is none, or if it can't be read."""
    if stored_result is None:
        return None
    with suppress(UserError, ValueError):
        return _parse_result(stored_result, seats)
    return None


def _parse_result(stored_result: StoredResult, seats: Seats) -> GameResult:
    return GameResult(
        tuple(
            Standing(
                seats.find_seat(standing["seat"]),
                standing["rank"],
                number_from_float(standing["total"]),
                tuple(_score_lines(standing)),
                standing["out"],
                parse_text_json(standing.get("why")),
            )
            for standing in stored_result["standings"]
        )
    )


def _score_lines(standing: StoredStanding) -> Iterator[ScoreLine]:
    """Yields the lines of a standing.

    Older versions didn't save which lines count: then all count if they add up to the total, else none.
    """
    adds_up = sum(line["value"] for line in standing["lines"]) == standing["total"]
    for line in standing["lines"]:
        label, value = parse_text_json(line["label"]), number_from_float(line["value"])
        yield ScoreLine(label, value, line.get("counts", adds_up))
