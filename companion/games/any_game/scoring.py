"""Who is ahead, the score sheet of each seat, and when the match may end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce

from msgspec.structs import replace

from companion.games.any_game import companies, loans, sheet, tournament
from companion.games.any_game.bank import BROKEN_BANK_NOTE, BankStatus, counts_covered_money
from companion.games.any_game.leaving import LeavingOrder, is_out, late_seats
from companion.games.any_game.rounds import SCORINGS_WITHOUT_ROUNDS
from companion.games.any_game.state import TemplateState
from companion.games.any_game.tracks import Tracks
from companion.games.any_game.turn_order import RoundTrack, start_seat
from companion.rulebook import (
    Choose,
    DetailedOption,
    GameResult,
    Labelled,
    Say,
    ScoreLine,
    Seat,
    Table,
    WholeOrHalf,
    rank_seats,
    say,
    say_people,
)

SCORE_LINE_FUNCTIONS = (
    TemplateState.counted_piece_lines,
    companies.share_score_lines,
    loans.debt_score_lines,
    TemplateState.category_and_bonus_lines,
    tournament.matches_won_lines,
    TemplateState.unscored_piece_lines,
)
"""Functions that yield each feature's lines of the score sheet, in the order of the sheet."""
DECIDED_BY_TABLE = "table"
"""Key of the tie rule by which the table says at the end who wins a tie for first place."""
TIE_BREAKER_BY_RULE = {"money": say("more money"), "turn_order": say("an earlier turn")}
"""What decides between equal totals, by the tie rule; other rules compare nothing."""


def score_sheet(state: TemplateState, seat: Seat) -> tuple[ScoreLine, ...]:
    """Returns a seat's score lines; pieces that don't count come last."""
    return tuple([line for lines in SCORE_LINE_FUNCTIONS for line in lines(state, seat)])


def total_points(state: TemplateState, seat: Seat) -> WholeOrHalf:
    """Returns the sum of everything that counts for a seat."""
    return sum(line.value for line in score_sheet(state, seat) if line.is_part_of_total)


def current_result(state: TemplateState, tie_winner: Seat | None = None) -> GameResult:
    """Returns the ranking now, best total first.

    Equal totals share a rank, or the tie rule decides. Players who left come last, and those who never joined
    come behind them, also if everybody has lost.
    `tie_winner`: the seat whose side wins a tie for first place, as the table decided.
    """
    tie_rule, sign = str(state.table.options["tie_rule"]), -1 if state.general_rules.lowest_wins else 1
    defeat_reason, late = Tracks.of(state).defeat_reason(), late_seats(state)

    def key(seat: Seat) -> tuple[bool, bool, int, WholeOrHalf, int, bool]:
        return (
            seat not in late,
            not is_out(state, seat),
            LeavingOrder.of(state).leaving_position(seat),
            sign * total_points(state, seat),
            TIE_RANK_FUNCTION_BY_RULE[tie_rule](state, seat),
            state.captain_by_seat[seat] == tie_winner,
        )

    def reason_for_seat(seat: Seat) -> Say | None:
        if seat in late:
            return say("didn't join")
        if state.captain_by_seat[seat] == tie_winner:
            return say("wins the tie, as the table decided")
        return defeat_reason

    result = rank_seats(
        state.seats,
        lambda seat: total_points(state, seat),
        lambda seat: score_sheet(state, seat),
        rank_by=key,
        eliminated_seats=state.seats
        if defeat_reason
        else [seat for seat in state.seats if is_out(state, seat) or seat in late],
        reason_for_seat=reason_for_seat,
        tie_breaker=TIE_BREAKER_BY_RULE.get(tie_rule),
    )
    standings = [replace(standing, has_joined=standing.seat not in late) for standing in result.standings]
    result = GameResult(tuple(standings))
    return rank_by_team(state, result) if state.general_rules.teams else result


def rank_by_team(state: TemplateState, result: GameResult) -> GameResult:
    """Returns the result with ranks of teams: the second team has rank 2, however large the first is."""

    def teams_ahead(rank: int) -> int:
        return len(
            {state.captain_by_seat[standing.seat] for standing in result.standings if standing.rank < rank}
        )

    return GameResult(
        tuple([replace(standing, rank=1 + teams_ahead(standing.rank)) for standing in result.standings])
    )


def turn_order_tie_rank(state: TemplateState, seat: Seat) -> int:
    """Returns a number that breaks ties: the earlier a seat plays from the start player on, the higher."""
    return -state.seats.starting_with(start_seat(state) or state.seats[0]).index(state.captain_by_seat[seat])


TIE_RANK_FUNCTION_BY_RULE: dict[str, Callable[[TemplateState, Seat], int]] = {
    "shared": lambda _state, _seat: 0,
    "money": lambda state, seat: state.purse(seat).total_value if state.design_by_piece else 0,
    "turn_order": turn_order_tie_rank,
    DECIDED_BY_TABLE: lambda _state, _seat: 0,
}


async def ask_winner_of_tie(state: TemplateState) -> GameResult:
    """Returns the final ranking; asks the table who wins a tie for first place, if the tie rule says so.

    It isn't asked if covered money counts: an undo would go on with a game in which people know who is ahead.
    People may move pieces while the question is open: if others are tied then, the table is asked again.
    """
    may_ask = state.table.options["tie_rule"] == DECIDED_BY_TABLE and not counts_covered_money(state.template)
    while may_ask and len(sides := sides_in_first_place(state)) > 1:
        winner = await state.choose_side(say("Who wins the tie for first place?"), sides)
        if sides == sides_in_first_place(state):
            return current_result(state, winner)
    return current_result(state)


def sides_in_first_place(state: TemplateState) -> list[Seat]:
    """Returns the sides (teams or players) that share first place now, in the order of their seats."""
    winners = current_result(state).winners
    return list(dict.fromkeys(state.captain_by_seat[seat] for seat in state.seats if seat in winners))


class FinishPrompt:
    """Asks whether the match ends, once a round for each reason.

    One question names all reasons. A table that goes on is asked again in the next round, or if there is
    another reason.
    """

    def __init__(self, state: TemplateState) -> None:
        self._state = state
        self._last_round = -1
        self._last_reasons: list[Say] = []

    async def ask_if_due(self, *, is_round_over: bool = False) -> bool:
        """Asks whether to finish if there is a new reason; returns True if the table finishes.

        A question at the end of a round counts for the next round, too: it isn't asked again there.
        """
        reasons = list(reasons_to_finish(self._state, is_round_over=is_round_over))
        counts_as_next_round = is_round_over and not self._state.general_rules.scores_whole_rounds
        round_number = RoundTrack.of(self._state).round_marker_position + counts_as_next_round
        asked_reasons = self._last_reasons if round_number == self._last_round else []
        if all(reason in asked_reasons for reason in reasons):
            return False
        self._last_round, self._last_reasons = round_number, reasons
        return await ask_whether_to_finish(self._state.table, reasons)


def reasons_to_finish(state: TemplateState, *, is_round_over: bool) -> Iterator[Say]:
    """Yields each reason why the match might end now.

    The last round and a broken bank are reasons only if `is_round_over`. Without rounds, a broken bank is one
    at once. A target is none if covered money counts: the question would show who has how much.
    """
    rules = state.general_rules
    if reason := Tracks.of(state).reason_to_finish():
        yield reason
    if rules.out and len(state.playing_sides) == 1 and not late_seats(state):
        yield say("Only {seat} is still in the game.", seat=state.playing_sides[0])
    target = rules.target_points
    has_target = rules.target and not counts_covered_money(state.template)
    seats_at_target = [
        seat for seat in state.playing_sides if has_target and total_points(state, seat) >= target
    ]
    if seats_at_target:
        yield say(
            "Target of {points} points reached: {seats}.",
            seats=say_people(seats_at_target),
            points=target,
        )
    if is_round_over or rules.scoring in SCORINGS_WITHOUT_ROUNDS:
        yield from _reasons_after_round(state)
    if rules.scoring == "sheet" and sheet.seat_with_most_empty_boxes(state) is None:
        yield say("All boxes are filled.")


def _reasons_after_round(state: TemplateState) -> Iterator[Say]:
    """Yields each reason why the match might end after a round."""
    if BankStatus.of(state).is_broken:
        yield BROKEN_BANK_NOTE
    if 0 < state.general_rules.rounds <= RoundTrack.of(state).round_marker_position:
        yield say("All rounds have been played.")


async def ask_whether_to_finish(table: Table, reasons: Sequence[Say]) -> bool:
    """Asks whether the table finishes the match, for at least one reason; returns True if it does.

    The reasons are then what ended the match.
    """
    all_reasons = reduce(lambda why, also: say("{why} {also}", why=why, also=also), reasons)
    question, log_name = say("{why} Finish the game?", why=all_reasons), say("Finish now?")
    options: dict[str, Labelled] = {
        "finish": DetailedOption(say("Finish"), is_most_likely=True),
        "go_on": DetailedOption(say("Go on"), is_decline_option=True),
    }
    if await Choose(None, question, options, log_name=log_name) != "finish":
        return False
    table.ending = all_reasons
    return True


HELP = {
    "Who wins the tie for first place?": say(
        "These players have equal totals. Decide by the rules of your game, then choose who wins. The score "
        "sheet says that the table decided."
    ),
    "{why} Finish the game?": say(
        'The rules of this template let the game end now. Choose "Go on" to play on, or "Finish" to count '
        "the score."
    ),
}
