"""Rounds, and points that are entered for everybody at once, with each round or at any time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from companion.games.any_game import bank, blinds, loans, majority
from companion.games.any_game.contract import ask_and_score_bids_and_tricks
from companion.games.any_game.leaving import is_out, is_visibly_out, playing_seats
from companion.games.any_game.limits import MAX_AMOUNT
from companion.games.any_game.loans import LoanRules
from companion.games.any_game.points import (
    FRONT,
    Category,
    GridLine,
    category_grid_lines,
    halves_by_round,
    make_number_cell,
)
from companion.games.any_game.round_sum import ask_if_sum_is_wrong
from companion.games.any_game.rounding import round_amount
from companion.games.any_game.state import POINTS_GROUP, ROUNDS_GROUP, MenuAction, TemplateState
from companion.games.any_game.teams import CaptainBySeat, team_label
from companion.games.any_game.template import Template, read_number, read_word
from companion.games.any_game.turn_order import (
    ROUND_MARKER,
    ROUND_TRACK,
    RoundTrack,
    current_round,
    give_start_or_dealer_marker,
    pass_start_or_dealer_marker_left,
    start_or_dealer_marker_holder,
)
from companion.rulebook import (
    Amount,
    Choose,
    CountCell,
    CountGrid,
    DetailedOption,
    Labelled,
    MiddlePart,
    Place,
    ProgressTrack,
    Say,
    Seat,
    Together,
    VisibleTable,
    WholeOrHalf,
    confirm_above,
    number_from_halves,
    say,
    say_amount_of,
    say_list,
)

DONE_KEY = "done"
WRITE_ROUND_KEY, NEXT_ROUND_KEY = "write_round", "round"
ROUND_ENDING_ACTION_KEYS = (WRITE_ROUND_KEY, NEXT_ROUND_KEY)
"""Keys of the menu actions that end a round."""
SCORINGS_WITHOUT_ROUNDS = ("sheet", "knockout")
"""The kinds of scoring that have no rounds."""


async def give_dealer_marker_and_open_first_round(state: TemplateState) -> None:
    """Gives the first dealer the marker, and opens the first round.

    The round is opened only if rounds are limited or scored.
    """
    if state.general_rules.deal == "left":
        give_start_or_dealer_marker(state, playing_seats(state)[0])
    if state.general_rules.scores_whole_rounds or (has_free_scoring(state) and state.general_rules.rounds):
        await open_next_round(state)


async def open_next_round(state: TemplateState) -> None:
    """Opens the next round: counts it, passes the start or dealer marker, and makes the payments of a round.

    The payments are income, interest and blinds. In the first round, the marker stays with its holder unless
    that seat has left.
    """
    track = RoundTrack.of(state)
    is_after_first_round = track.round_marker_position > 0
    if not state.general_rules.scores_whole_rounds:
        state.table.add_markers(track.account)
    state.table.heading = say("Round {round}", round=current_round(state) or 1)
    holder = start_or_dealer_marker_holder(state)
    if holder is not None and (is_after_first_round or is_out(state, holder)):
        pass_start_or_dealer_marker_left(state, holder)
    await bank.pay_income_to_everybody(state)
    await loans.charge_everybody_interest(state)
    await blinds.pay_antes_and_blinds(state)


async def do_nothing_at_round_end(_state: TemplateState) -> None:
    """Does nothing: the match opens the next round after this menu action."""


async def ask_points_and_end_round(state: TemplateState) -> None:
    """Asks for the points of a round, and ends the round.

    There is one screen for each category.
    """
    if state.general_rules.scoring == "contract":
        await ask_and_score_bids_and_tricks(state)
    else:
        for category in state.categories:
            if category.when == "round":
                await ask_and_add_points_in_category(state, category, current_round(state))
    state.table.add_markers(RoundTrack.of(state).account)


async def ask_and_add_points_in_category(
    state: TemplateState, category: Category, round_number: int | None
) -> None:
    """Asks for everybody's points in one category, and adds them to the earlier points.

    `round_number` is the round of the points; None if they belong to no round.
    """
    question, log_name = _make_points_question_and_log_name(category, round_number)
    request_by_seat = {seat: _make_points_request(state, seat, category) for seat in state.playing_sides}
    points_place = category.gained_marker if round_number is None else Place(FRONT, slot=round_number)
    points_by_seat: Mapping[Seat, WholeOrHalf] | None = None
    while points_by_seat is None:
        answer_by_seat = await Together(
            question, dict(request_by_seat), is_open=True, about=points_place, log_name=log_name
        )
        if category.prizes:
            points_by_seat = award_prizes(state, category, answer_by_seat)
            continue
        points_by_seat = {seat: category.answered_points(answer) for seat, answer in answer_by_seat.items()}
        if round_number is not None:
            points_by_seat = await ask_if_sum_is_wrong(state, points_by_seat, category.label, round_number)
    for seat, points in points_by_seat.items():
        category.add_points(seat, points, round_number)
    if round_number is None and not category.prizes:
        state.table.add_note(
            category_announcement(category, points_by_seat)
            if len(state.categories) > 1
            else points_announcement(points_by_seat)
        )


def award_prizes(
    state: TemplateState, category: Category, piece_count_by_seat: Mapping[Seat, int]
) -> dict[Seat, WholeOrHalf]:
    """Returns the rounded prizes of a majority by seat, and announces them.

    With half points they are rounded to halves.
    """
    exact_points = majority.majority_points(piece_count_by_seat, category.prizes, category.tie_rule)
    parts_per_point = 2 if category.has_halves else 1
    rounded_parts = {
        seat: round_amount(points * parts_per_point, category.prize_rounding)
        for seat, points in exact_points.items()
    }
    points_by_seat = {seat: category.answered_points(parts.amount) for seat, parts in rounded_parts.items()}
    state.table.add_note(
        points_announcement(
            {seat: rounded_parts[seat].label_as(points) for seat, points in points_by_seat.items()}
        )
    )
    return points_by_seat


def _make_points_question_and_log_name(category: Category, round_number: int | None) -> tuple[Say, Say]:
    """Returns the question for points, and its name in logs."""
    if category.prizes:
        question = majority.piece_count_question(category.label)
    else:
        question = say("{category}: how many points for each player?", category=category.label)
    if round_number is None:
        return question, say("Points for {category}", category=category.label)
    return question, say("Round {round}: {category}", round=round_number, category=category.label)


def _make_points_request(state: TemplateState, seat: Seat, category: Category) -> Amount:
    """Returns one seat's part of the question for points."""
    part_question = (
        say("{team}", team=state.side_label(seat)) if state.general_rules.teams else category.label
    )
    if category.prizes:
        return Amount(seat, part_question, 0, MAX_AMOUNT, confirm_above=confirm_above())
    return category.make_points_request(seat, part_question, -MAX_AMOUNT, MAX_AMOUNT)


def points_announcement(points_by_seat: Mapping[Seat, Labelled | int]) -> Say:
    """Returns the sentence that says how many points everybody got."""
    return say("Points: {points}.", points=_list_points(points_by_seat))


def category_announcement(category: Category, points_by_seat: Mapping[Seat, Labelled | int]) -> Say:
    """Returns the sentence that says how many points everybody got in a category."""
    return say("{category}: {points}.", category=category.label, points=_list_points(points_by_seat))


def _list_points(points_by_seat: Mapping[Seat, Labelled | int]) -> Labelled:
    return say_list([say_amount_of(seat, points) for seat, points in points_by_seat.items()])


async def ask_points_by_category(state: TemplateState) -> None:
    """Asks for points in one category after the other, until the table is done."""
    category_by_key = {
        category.key: category
        for category in state.categories
        if category.when == "end" or not state.general_rules.scores_whole_rounds
    }
    if state.template.predates_rules:
        await ask_legacy_points_by_seat(state)
    elif len(category_by_key) == 1:
        (category,) = category_by_key.values()
        await ask_and_add_points_in_category(state, category, _round_of_entered_points(state, category))
    else:
        options: dict[str, Labelled] = {key: category.label for key, category in category_by_key.items()}
        options[DONE_KEY] = DetailedOption(say("No more points"), is_decline_option=True)
        while (key := await Choose(None, say("Points for what?"), options)) != DONE_KEY:
            category = category_by_key[key]
            await ask_and_add_points_in_category(state, category, _round_of_entered_points(state, category))


def _round_of_entered_points(state: TemplateState, category: Category) -> int | None:
    """Returns the round of points that are entered now; None for categories of the end."""
    return None if category.when == "end" else current_round(state)


async def ask_legacy_points_by_seat(state: TemplateState) -> None:
    """Asks seat by seat for points in one category, in matches older than templates' rules."""
    category_by_key = {str(index): category for index, category in enumerate(state.categories)}
    key = next(iter(category_by_key))
    if len(category_by_key) > 1:
        options: dict[str, Labelled] = {key: category.label for key, category in category_by_key.items()}
        key = await Choose(None, say("Points for what?"), options)
    category = category_by_key[key]
    question = say("How much do you add to your {category}?", category=category.label)
    log_name = say("Points for {category}", category=category.label)
    for seat in state.seats:
        request = category.make_points_request(seat, question, -MAX_AMOUNT, MAX_AMOUNT)
        category.add_points(seat, await replace(request, log_name=log_name))


def has_free_scoring(state: TemplateState) -> bool:
    """Returns True if the scoring is free: points are entered at any time.

    A menu action counts the rounds.
    """
    return state.general_rules.scoring == "free"


def can_enter_points_any_time(state: TemplateState) -> bool:
    """Returns True if points can be entered at any time, besides those of scored rounds."""
    return any(has_free_scoring(state) or category.when == "end" for category in state.categories)


# Errors in a template


def find_scoring_errors(template: Template) -> Iterator[Say]:
    """Yields an error in the scoring of a template.

    The error is that the scoring, or half points, need a category of points and have none.
    """
    scoring, categories = template.general_rules.scoring, template.designs_of_kind("category")
    has_category = any(read_word(design, "when", "round") == "round" for design in categories)
    if scoring in ("rounds", "contract", "sheet") and not has_category:
        yield say('"scoring = {kind}" needs a category of points.', kind=scoring)
    if template.general_rules.half_points and not categories:
        yield say("half_points needs a category of points.")


def find_round_rule_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about rounds.

    Errors are rules without rounds, and targets that nobody can reach or that would show covered money.
    """
    scoring = template.general_rules.scoring
    if scoring in SCORINGS_WITHOUT_ROUNDS:
        for field in _find_fields_needing_rounds(template):
            text = '{field} must be 0, because "scoring = {kind}" has no rounds.'
            yield say(text, field=field, kind=scoring)
        if blinds.blind_levels(template):
            yield say('Leave the list "blinds" out, because "scoring = {kind}" has no rounds.', kind=scoring)
    if template.general_rules.target:
        yield from _find_target_errors(template)


def _find_fields_needing_rounds(template: Template) -> Iterator[str]:
    """Returns the names of the fields with a value that means something only with rounds."""
    value_by_field = {
        "rounds": template.general_rules.rounds,
        "income": template.money_rules.income,
        "interest": template.read_rules(LoanRules).interest,
        "small_blind": template.money_rules.small_blind,
        "big_blind": template.money_rules.big_blind,
    }
    return (field for field, value in value_by_field.items() if value)


def _find_target_errors(template: Template) -> Iterator[Say]:
    """Yields an error about a target.

    The target is never reached, everybody has it from the beginning, or it would show covered money.
    """
    piece_designs, target = template.designs_of_kind("piece"), template.general_rules.target_points
    worth_by_id = {design.id: read_number(design, "worth") for design in piece_designs}
    start_total = sum(read_number(design, "start") * worth_by_id[design.id] for design in piece_designs)
    is_knockout = template.general_rules.scoring == "knockout"
    if not (any(worth_by_id.values()) or template.designs_of_kind("category") or is_knockout):
        yield say('target needs a category of points, or a piece with a "worth".')
    elif bank.counts_covered_money(template):
        yield say(
            "A target doesn't work with covered money that counts points, because it would show the money."
        )
    elif target <= start_total:
        text = "target can't be {value}. It must be more than {start}, because everybody begins with {start}."
        yield say(text, start=start_total, value=target)


# The scene


def build_round_parts(template: Template, captain_by_seat: CaptainBySeat) -> Iterator[MiddlePart]:
    """Yields the middle parts of the scene that show rounds and points.

    The parts are the track or the number of rounds, and the grids of points by round and by category.
    """
    if template.general_rules.rounds:
        yield ProgressTrack(
            say("round"),
            CountCell(ROUND_MARKER, ROUND_TRACK),
            template.general_rules.rounds,
            shows_step_begun=template.general_rules.scores_whole_rounds,
        )
    elif template.general_rules.scoring == "free":
        yield CountCell(ROUND_MARKER, ROUND_TRACK, label=say("round"), hidden_when_zero=True)
    categories = template.designs_of_kind("category")
    sides = tuple(dict.fromkeys(captain_by_seat.values()))
    headings = tuple([team_label(captain_by_seat, side) for side in sides])
    if categories:
        yield CountGrid(
            headings, lambda look: _build_round_lines(look, template, sides), last_line_is_sum=True
        )
    if len(categories) > 1:
        yield CountGrid(headings, lambda look: tuple(category_grid_lines(look, template, sides)))


def _build_round_lines(
    look: VisibleTable, template: Template, sides: tuple[Seat, ...]
) -> tuple[GridLine, ...]:
    """Returns a line for each round, one for points of no round if there are any, and one for their sum."""
    categories = template.designs_of_kind("category")
    halves_by_side = [halves_by_round(look, categories, side) for side in sides]
    last_round = max(
        [
            look.visible_count_or_zero(ROUND_MARKER, ROUND_TRACK),
            *[slot for halves in halves_by_side for slot in halves],
        ]
    )
    if not last_round:
        return ()
    lines: list[GridLine] = [
        (
            say("round {round}", round=slot),
            tuple(
                [
                    make_number_cell(number_from_halves(halves[slot]), Place(FRONT, slot=slot), side)
                    for halves, side in zip(halves_by_side, sides, strict=True)
                ]
            ),
        )
        for slot in range(1, last_round + 1)
    ]
    if any(halves[0] for halves in halves_by_side):
        other_points = [number_from_halves(halves[0]) for halves in halves_by_side]
        lines.append((say("other points"), tuple(map(make_number_cell, other_points))))
    totals = [
        make_number_cell(number_from_halves(halves.total()), is_void=is_visibly_out(look, side))
        for halves, side in zip(halves_by_side, sides, strict=True)
    ]
    return (*lines, (say("total"), tuple(totals)))


MENU = (
    MenuAction(
        WRITE_ROUND_KEY,
        lambda state: say("Round {round}", round=current_round(state) or 1),
        ask_points_and_end_round,
        ROUNDS_GROUP,
        lambda state: state.general_rules.scores_whole_rounds,
    ),
    MenuAction(NEXT_ROUND_KEY, say("Next round"), do_nothing_at_round_end, ROUNDS_GROUP, has_free_scoring),
)
POINTS_MENU = (
    MenuAction("points", say("Points"), ask_points_by_category, POINTS_GROUP, can_enter_points_any_time),
)
HELP = {
    "How much do you add to your {category}?": say(
        "Enter the points to add to your earlier points. They can be negative. Then it's "
        "the next player's turn."
    ),
    "Points for what?": say(
        "Choose what the points are for. Then enter everybody's points; you can add more after that."
    ),
    "{category}: how many points for each player?": say(
        "Enter everybody's points; they can be negative. The companion adds them to the earlier points. On a "
        "keypad, players enter their own points."
    ),
}
