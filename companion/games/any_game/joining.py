"""Players who come later: they have a seat from the beginning, and join the match in any round.

The log of a match knows its seats from its first event, and so do panels and keypads. So a table that may
grow has seats for those who come later, and says at the beginning who isn't there yet. Such a seat takes no
part in anything until its player joins.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.any_game.leaving import LateSeats, late_seats
from companion.games.any_game.state import PLAYERS_GROUP, MenuAction, TemplateState
from companion.games.any_game.template import Template, read_number, read_word
from companion.games.any_game.turn_order import current_round
from companion.rulebook import (
    BOX,
    Choose,
    DetailedOption,
    Labelled,
    Say,
    Seat,
    WholeOrHalf,
    choose_seat,
    say,
    say_list,
    say_n,
)

JOINING_IN_LAST_PLACE = "level"
"""The value of a template with which players who join get the points of the player in last place."""
EVERYBODY_ELSE_IS_HERE_KEY = "done"
MIN_PLAYERS_AT_BEGINNING = 2
"""Smallest number of players who are there from the beginning."""


async def ask_who_comes_later_and_deal_start(state: TemplateState) -> None:
    """Asks who comes later, one player after the other, and deals the pieces of the start to all others.

    Does nothing if the template lets nobody join: then everybody has these pieces from the beginning.
    """
    accounts = LateSeats.of(state).accounts
    if not accounts:
        return
    while len(state.playing_sides) > MIN_PLAYERS_AT_BEGINNING:
        options: dict[str, Labelled] = {str(seat.number): seat for seat in state.playing_sides}
        options[EVERYBODY_ELSE_IS_HERE_KEY] = DetailedOption(
            say("Everybody else is here"), is_decline_option=True
        )
        key = await Choose(None, say("Who comes later?"), options)
        if key == EVERYBODY_ELSE_IS_HERE_KEY:
            state.table.add_note(say("Everybody else is here."))
            break
        seat = state.seats.seat_numbered(int(key))
        state.table.add_markers(accounts[seat])
        state.table.add_note(say("{seat} comes later.", seat=seat))
    for seat in state.playing_sides:
        deal_start(state, seat)


async def ask_and_let_player_join(state: TemplateState) -> None:
    """Asks who joins; this player gets the pieces of the start, and points if the template says so."""
    seats = late_seats(state)
    if not seats:
        state.table.add_note(say("Everybody has joined."))
        return
    seat = seats[0] if len(seats) == 1 else await choose_seat(say("Who joins?"), seats)
    total_in_last_place = _total_in_last_place(state)
    state.table.remove_markers(LateSeats.of(state).accounts[seat])
    round_number = current_round(state)
    state.table.add_note(
        say("{seat} joins in round {round}.", seat=seat, round=round_number)
        if round_number
        else say("{seat} joins.", seat=seat)
    )
    if quantities := deal_start(state, seat):
        state.table.add_note(say("{seat} gets {pieces}.", seat=seat, pieces=say_list(quantities)))
    if state.general_rules.join == JOINING_IN_LAST_PLACE:
        points = total_in_last_place - _total_by_seat(state)[seat]
        state.categories[0].add_points(seat, points)
        state.table.add_note(
            say_n(
                "{seat} begins with {n} point.",
                "{seat} begins with {n} points.",
                n=total_in_last_place,
                seat=seat,
            )
        )


def deal_start(state: TemplateState, seat: Seat) -> list[Say]:
    """Deals a seat the pieces of the start out of the box; returns what it got, as texts.

    What people took out of the box by hand comes from the bank. A marker says that the seat has had the
    start: it gets nothing more, also if people mark it as coming later once again.
    """
    quantities = list[Say]()
    if (start_dealt := LateSeats.of(state).start_dealt_accounts[seat]).count:
        return quantities
    state.table.add_markers(start_dealt)
    for piece, design in state.design_by_piece.items():
        count, purse = read_number(design, "start"), state.purse_accounts_by_piece[piece][seat]
        dealt = state.table.move_up_to(state.table.account(piece, BOX), purse, count)
        dealt += state.table.move_up_to(state.bank_account_by_piece[piece], purse, count - dealt)
        quantities += [piece.quantity_text(dealt)] if dealt else []
    return quantities


def _total_by_seat(state: TemplateState) -> dict[Seat, WholeOrHalf]:
    """Returns the total of each seat now."""
    assert state.table.score_so_far is not None
    return {standing.seat: standing.total for standing in state.table.score_so_far().standings}


def _total_in_last_place(state: TemplateState) -> WholeOrHalf:
    """Returns the worst total of those who play."""
    total_by_seat = _total_by_seat(state)
    totals = [total_by_seat[seat] for seat in state.playing_sides]
    return max(totals) if state.general_rules.lowest_wins else min(totals)


def can_players_join(state: TemplateState) -> bool:
    """Returns True if somebody comes later."""
    return bool(late_seats(state))


# Errors in a template


def find_joining_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about players who come later.

    Errors are a match that nobody can join, and points of the last place that can't be given or must stay
    secret.
    """
    rules = template.general_rules
    if not rules.lets_players_join:
        return
    if rules.teams:
        yield say('"join" doesn\'t work with teams. Set teams to 0, or join to "no".')
    if rules.scoring == "knockout":
        yield say('"join" doesn\'t work with "scoring = knockout". Set join to "no".')
    if rules.join == JOINING_IN_LAST_PLACE:
        yield from _find_last_place_errors(template)


def _find_last_place_errors(template: Template) -> Iterator[Say]:
    categories = template.designs_of_kind("category")
    if not any(read_word(design, "when", "round") == "round" for design in categories[:1]):
        yield say('"join = level" needs a category of points whose points are entered with each round.')
    if template.general_rules.scoring == "sheet" or template.designs_of_kind("bonus"):
        yield say('"join = level" doesn\'t work with a score sheet or a bonus. Set join to "yes".')
    if template.money_rules.covered:
        yield say('"join = level" doesn\'t work with covered purses, because it would show them.')


MENU = (MenuAction("join", say("A player joins"), ask_and_let_player_join, PLAYERS_GROUP, can_players_join),)
HELP = {
    "Who comes later?": say(
        "Choose everybody who isn't here yet, one after the other. They take no part until they join; then "
        'choose "A player joins" in the menu.'
    ),
    "Who joins?": say(
        "The player gets what everybody had at the start, and takes part from now on. To change the name of "
        "the seat, use the game's menu."
    ),
}
