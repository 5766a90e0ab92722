"""A knock-out tournament: the loser of a match is out; the draw says who meets whom."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.any_game.leaving import eliminate_team_of_seat, playing_seats
from companion.games.any_game.points import FRONT
from companion.games.any_game.state import ROUNDS_GROUP, FeatureState, MenuAction, TemplateState
from companion.games.any_game.template import Template
from companion.rulebook import CountCell, Piece, Say, ScoreLine, Seat, VisibleTable, choose_seat, say, say_n

MATCH_WON_MARKER = Piece(
    "match won",
    say("match won"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} match won", "{n} matches won", n=2),
)
STAGE_MARKER = Piece("stage", say("stage"), is_endless=True, is_marker=True)
SEED_MARKER = Piece("place in the draw", say("place in the draw"), is_endless=True, is_marker=True)


class Tournament(FeatureState):
    """Accounts before each seat: the matches it won, the stage it reached, and its place in the draw."""

    def __init__(self, state: TemplateState) -> None:
        self.wins, self.stages, self.seeds = (
            state.table.account_by_seat(marker, FRONT) if state.general_rules.scoring == "knockout" else {}
            for marker in (MATCH_WON_MARKER, STAGE_MARKER, SEED_MARKER)
        )

    def bye_count(self, seat: Seat) -> int:
        """Returns the number of stages that a seat passed without a match."""
        return self.stages[seat].count - self.wins[seat].count


def next_opponents_or_bye(state: TemplateState) -> list[Seat]:
    """Returns the two seats that meet in the next match, or one seat that is left over and gets a bye.

    The opponents are at the lowest stage and first in the draw. Seats with byes come before all others, so
    that nobody has a second bye before everybody has had one.
    """
    tournament = Tournament.of(state)
    seats_in_order = sorted(
        playing_seats(state), key=lambda seat: (-tournament.bye_count(seat), tournament.seeds[seat].count)
    )
    lowest_stage = min(tournament.stages[seat].count for seat in seats_in_order)
    return [seat for seat in seats_in_order if tournament.stages[seat].count == lowest_stage][:2]


async def ask_winner_of_next_match(state: TemplateState) -> None:
    """Asks who wins the next match; the winner goes on, the loser is out.

    People may have marked an opponent as out by hand: then a seat gets a bye first, or no match is left.
    """
    tournament = Tournament.of(state)
    while len(opponents := next_opponents_or_bye(state)) == 1:
        if len(playing_seats(state)) == 1:
            return
        give_bye_to_seat_left_over(state)
    first, second = opponents
    question = say("{one} meets {other}: who wins?", one=first, other=second)
    winner = await choose_seat(question, opponents)
    loser = second if winner is first else first
    state.table.add_markers(tournament.wins[winner])
    eliminate_team_of_seat(state, loser, 1 + tournament.stages[loser].count)
    state.table.add_markers(tournament.stages[winner])
    give_bye_to_seat_left_over(state)


def give_bye_to_seat_left_over(state: TemplateState) -> None:
    """Lets a seat that is left over in a stage go on without a match."""
    if len(playing_seats(state)) > 1 and len(opponents := next_opponents_or_bye(state)) == 1:
        state.table.add_markers(Tournament.of(state).stages[opponents[0]])
        state.table.add_note(say("{seat} has no opponent this time and goes on.", seat=opponents[0]))


def has_next_match(state: TemplateState) -> bool:
    """Returns True if there is a match left to play in a tournament."""
    return state.general_rules.scoring == "knockout" and len(playing_seats(state)) > 1


def find_tournament_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about tournaments.

    Errors are a tournament in which players can't be out, and one that has teams.
    """
    if template.general_rules.scoring == "knockout" and not template.general_rules.out:
        yield say('A tournament needs the setting "out = yes".')
    if template.general_rules.scoring == "knockout" and template.general_rules.teams > 0:
        yield say("A tournament has no teams.")


def matches_won_lines(state: TemplateState, seat: Seat) -> Iterator[ScoreLine]:
    """Yields the score line of the matches that a seat won."""
    if wins := Tournament.of(state).wins:
        yield ScoreLine(say("matches won"), wins[seat].count)


def visible_match_points(look: VisibleTable, _template: Template, seat: Seat) -> int:
    """Returns the number of matches that a seat won, as the scene adds it to its total."""
    return look.visible_count_or_zero(MATCH_WON_MARKER, FRONT, seat)


def build_matches_won_cells(template: Template) -> Iterator[CountCell]:
    """Yields the cell with the matches that a seat won."""
    if template.general_rules.scoring == "knockout":
        yield CountCell(MATCH_WON_MARKER, FRONT, label=say("won"))


MENU = (MenuAction("match", say("Next match"), ask_winner_of_next_match, ROUNDS_GROUP, has_next_match),)
HELP = {
    "{one} meets {other}: who wins?": say(
        "The winner goes on and the loser is out. The draw decides who plays whom next."
    ),
}
