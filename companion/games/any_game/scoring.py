"""Who is ahead, the score sheet of each seat, and when the match may end."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.games.any_game import companies, loans, sheet, tournament
from companion.games.any_game.leaving import LeavingOrder, is_out
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
    rank_seats,
    say,
    say_list,
)

SCORE_LINES = (
    TemplateState.piece_lines,
    companies.score_lines,
    loans.score_lines,
    TemplateState.point_lines,
    tournament.score_lines,
    TemplateState.uncounted_lines,
)
"""The lines of the score sheet that each feature adds, in their order."""


def score_sheet(state: TemplateState, seat: Seat) -> tuple[ScoreLine, ...]:
    """What pieces, shares, loans, points and matches count; last the pieces that don't count."""
    return tuple([line for lines in SCORE_LINES for line in lines(state, seat)])


def total_points(state: TemplateState, seat: Seat) -> int:
    """The sum of everything that counts."""
    return sum(line.value for line in score_sheet(state, seat) if line.is_part_of_total)


def current_result(state: TemplateState) -> GameResult:
    """The best total first; equal totals share a rank or go by the tie rule, and those who left come last."""
    rule, sign = str(state.table.options["tie_rule"]), -1 if state.house.lowest_wins else 1
    tie_texts = {"turn_order": say("first in turn")}
    if state.pieces:
        tie_texts["money"] = say("more of {piece}", piece=state.money_piece)
    defeat = Tracks.of(state).defeat_reason()

    def key(seat: Seat) -> tuple[int, int, int]:
        return (
            LeavingOrder.of(state).position(seat),
            sign * total_points(state, seat),
            TIE_RULES[rule](state, seat),
        )

    result = rank_seats(
        state.seats,
        lambda seat: total_points(state, seat),
        lambda seat: score_sheet(state, seat),
        rank_by=key,
        out=state.seats if defeat else [seat for seat in state.seats if is_out(state, seat)],
        why=lambda _: defeat,
        tie=tie_texts.get(rule),
    )
    return rank_teams(state, result) if state.house.teams else result


def rank_teams(state: TemplateState, result: GameResult) -> GameResult:
    """The result with ranks for teams: the second team has rank 2, however large the first team is."""

    def teams_ahead(rank: int) -> int:
        return len({state.keeper[one.seat] for one in result.standings if one.rank < rank})

    return GameResult(tuple([replace(one, rank=1 + teams_ahead(one.rank)) for one in result.standings]))


def turn_rank(state: TemplateState, seat: Seat) -> int:
    """A number that is higher the earlier a seat plays, from the start player on."""
    return -state.seats.starting_with(start_seat(state) or state.seats[0]).index(state.keeper[seat])


TIE_RULES: dict[str, Callable[[TemplateState, Seat], int]] = {
    "shared": lambda _state, _seat: 0,
    "money": lambda state, seat: state.purse(seat).value if state.pieces else 0,
    "turn_order": turn_rank,
}


class EndCondition:
    """Asks whether the match ends, once a round for each reason; who goes on is asked again next round."""

    def __init__(self, state: TemplateState) -> None:
        self._state = state
        self._asked: object = None

    async def is_met(self, *, round_over: bool = False) -> bool:
        """True if there is a reason to finish and the table wants to.

        What is asked as a round ends counts as asked in the next one.
        """
        why = reason_to_finish(self._state, round_over=round_over)
        begun = round_over and not self._state.house.writes_rounds
        asked = RoundTrack.of(self._state).step + begun, why
        if why is None or asked == self._asked:
            return False
        self._asked = asked
        return await wants_to_finish(why)


def reason_to_finish(state: TemplateState, *, round_over: bool) -> Say | None:
    """Why the match might end now; None if there is no reason. The last round counts once it is over."""
    house = state.house
    if why := Tracks.of(state).reason_to_finish():
        return why
    if house.out and len(state.sides) == 1:
        return say("Only {seat} is still in the game.", seat=state.sides[0])
    reached = [seat for seat in state.sides if house.target and total_points(state, seat) >= house.target]
    if reached:
        return say(
            "Target of {points} points reached: {seats}.", seats=say_list(reached), points=house.target
        )
    if round_over and 0 < house.rounds <= RoundTrack.of(state).step:
        return say("All rounds have been played.")
    if house.scoring == "sheet" and sheet.seat_in_turn(state) is None:
        return say("All boxes are filled.")
    return None


async def wants_to_finish(why: Say) -> bool:
    """Asks whether the table finishes the match."""
    question, log_text = say("{why} Finish the game?", why=why), say("Finish now?")
    options: dict[str, Labelled] = {
        "finish": say("Finish"),
        "go_on": DetailedOption(say("Go on"), is_way_out=True),
    }
    return await Choose(None, question, options, log_name=log_text) == "finish"


HELP = {
    "{why} Finish the game?": say(
        'The rules of this template let the game end now. Choose "Go on" to play on, or "Finish" to count '
        "the score."
    ),
}
