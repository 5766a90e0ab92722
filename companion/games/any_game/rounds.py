"""Rounds, and points that are entered for everybody at once, with each round or at any time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.any_game import bank, loans, majority
from companion.games.any_game.contract import ask_and_score_bids_and_tricks
from companion.games.any_game.leaving import is_out
from companion.games.any_game.loans import LoanRules
from companion.games.any_game.points import (
    FRONT,
    MAX_POINTS,
    Category,
    GridLine,
    category_grid_lines,
    make_number_cell,
    points_by_round,
)
from companion.games.any_game.state import MenuAction, TemplateState
from companion.games.any_game.teams import CaptainBySeat, team_label
from companion.games.any_game.template import Template, read_number, read_word
from companion.games.any_game.turn_order import (
    ROUND,
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
    say,
    say_list,
)

DONE = "done"
WRITE_ROUND, NEXT_ROUND = "write_round", "round"
ROUND_ENDING_ACTION_KEYS = (WRITE_ROUND, NEXT_ROUND)
"""Keys of the menu actions that end a round."""
SCORINGS_WITHOUT_ROUNDS = ("sheet", "knockout")
"""The kinds of scoring that have no rounds."""


async def give_dealer_marker_and_open_first_round(state: TemplateState) -> None:
    """Gives the first dealer the marker, and opens the first round.

    The round is opened only if rounds are limited or scored.
    """
    if state.general_rules.deal == "left":
        give_start_or_dealer_marker(state, state.seats[0])
    if state.general_rules.scores_whole_rounds or (has_free_scoring(state) and state.general_rules.rounds):
        await open_next_round(state)


async def open_next_round(state: TemplateState) -> None:
    """Opens the next round.

    The round is counted, the start or dealer marker is passed, and income, interest and blinds are paid.
    The marker stays where it is as the first round begins, unless its holder has left.
    """
    track = RoundTrack.of(state)
    is_later = track.rounds_on_track > 0
    if not state.general_rules.scores_whole_rounds:
        state.table.add_markers(track.account)
    state.table.heading = say("Round {round}", round=current_round(state) or 1)
    holder = start_or_dealer_marker_holder(state)
    if holder is not None and (is_later or is_out(state, holder)):
        pass_start_or_dealer_marker_left(state, holder)
    await bank.pay_income_to_everybody(state)
    await loans.charge_everybody_interest(state)
    await bank.pay_blinds(state)


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
    question, log_text = _point_texts(category, round_number)
    parts = {seat: _point_part(state, seat, category) for seat in state.sides}
    about = category.gained if round_number is None else Place(FRONT, slot=round_number)
    given = await Together(question, dict(parts), is_open=True, about=about, log_name=log_text)
    if category.prizes:
        given = majority.majority_points(given, category.prizes, category.ties)
        state.table.add_note(points_announcement(given))
    for seat, points in given.items():
        category.add_points(seat, points, round_number)


def _point_texts(category: Category, slot: int | None) -> tuple[Say, Say]:
    """The question for points, and its text in logs."""
    if category.prizes:
        question = majority.piece_count_question(category.label)
    else:
        question = say("How much do you add to everybody's {category}?", category=category.label)
    if slot is None:
        return question, say("Points for {category}", category=category.label)
    return question, say("Round {round}: {category}", round=slot, category=category.label)


def _point_part(state: TemplateState, seat: Seat, category: Category) -> Amount:
    """One seat's part of the question for points."""
    least = 0 if category.prizes else -MAX_POINTS
    text = say("{team}", team=state.side_label(seat)) if state.general_rules.teams else category.label
    return Amount(seat, text, least, MAX_POINTS)


def points_announcement(points_by_seat: Mapping[Seat, int]) -> Say:
    """Returns the sentence that says how many points everybody got."""
    each = [say("{seat} {points}", seat=seat, points=gained) for seat, gained in points_by_seat.items()]
    return say("Points: {points}.", points=say_list(each))


async def ask_points_by_category(state: TemplateState) -> None:
    """Asks for points in one category after the other, until the table is done."""
    categories = {
        one.key: one
        for one in state.categories
        if one.when == "end" or not state.general_rules.scores_whole_rounds
    }
    if state.template.predates_rules:
        await ask_legacy_points_by_seat(state)
    elif len(categories) == 1:
        category = next(iter(categories.values()))
        await ask_and_add_points_in_category(state, category, _slot_of(state, category))
    else:
        texts: dict[str, Labelled] = {key: one.label for key, one in categories.items()}
        texts[DONE] = DetailedOption(say("No more points"), is_decline_option=True)
        while (key := await Choose(None, say("Points for what?"), texts)) != DONE:
            await ask_and_add_points_in_category(state, categories[key], _slot_of(state, categories[key]))


def _slot_of(state: TemplateState, category: Category) -> int | None:
    """The round of points that are entered now; None for categories of the end."""
    return None if category.when == "end" else current_round(state)


async def ask_legacy_points_by_seat(state: TemplateState) -> None:
    """Asks seat by seat for points in one category, in matches older than templates' rules."""
    categories = {str(at): one for at, one in enumerate(state.categories)}
    key = next(iter(categories))
    if len(categories) > 1:
        texts: dict[str, Labelled] = {at: one.label for at, one in categories.items()}
        key = await Choose(None, say("Points for what?"), texts)
    category = categories[key]
    question = say("How much do you add to your {category}?", category=category.label)
    log_text = say("Points for {category}", category=category.label)
    for seat in state.seats:
        category.add_points(seat, await Amount(seat, question, -MAX_POINTS, MAX_POINTS, log_name=log_text))


def has_free_scoring(state: TemplateState) -> bool:
    """True if scoring is free: points are entered at any time.

    A menu action counts rounds.
    """
    return state.general_rules.scoring == "free"


def can_enter_points_any_time(state: TemplateState) -> bool:
    """True if points can be entered at any time, besides those of scored rounds."""
    return any(has_free_scoring(state) or one.when == "end" for one in state.categories)


# Errors in a template


def find_scoring_errors(template: Template) -> Iterator[Say]:
    """Yields an error in the scoring of a template.

    The error is that the scoring needs a category of points and has none.
    """
    scoring, categories = template.general_rules.scoring, template.designs_of_kind("category")
    has_category = any(read_word(one, "when", "round") == "round" for one in categories)
    if scoring in ("rounds", "contract", "sheet") and not has_category:
        yield say('"scoring = {kind}" needs a category of points.', kind=scoring)


def find_round_rule_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about rounds.

    Errors are rules without rounds, and targets that nobody can reach.
    """
    scoring = template.general_rules.scoring
    if scoring in SCORINGS_WITHOUT_ROUNDS:
        for field in _fields_of_rounds(template):
            text = '{field} must be 0, because "scoring = {kind}" has no rounds.'
            yield say(text, field=field, kind=scoring)
    if template.general_rules.target:
        yield from _target_errors(template)


def _fields_of_rounds(template: Template) -> Iterator[str]:
    """The fields with a value that means something only with rounds."""
    values = {
        "rounds": template.general_rules.rounds,
        "income": template.money_rules.income,
        "interest": template.read_rules(LoanRules).interest,
        "small_blind": template.money_rules.small_blind,
        "big_blind": template.money_rules.big_blind,
    }
    return (field for field, value in values.items() if value)


def _target_errors(template: Template) -> Iterator[Say]:
    """A target that is never reached, or from the beginning."""
    pieces, target = template.designs_of_kind("piece"), template.general_rules.target
    worth = {one.id: read_number(one, "worth") for one in pieces}
    start = sum(read_number(one, "start") * worth[one.id] for one in pieces)
    is_knockout = template.general_rules.scoring == "knockout"
    if not (any(worth.values()) or template.designs_of_kind("category") or is_knockout):
        yield say('target needs a category of points, or a piece with a "worth".')
    elif target <= start:
        text = "target can't be {value}. It must be more than {start}, because everybody begins with {start}."
        yield say(text, start=start, value=target)


# How it looks


def build_round_parts(template: Template, captain_by_seat: CaptainBySeat) -> Iterator[MiddlePart]:
    """Yields the middle parts of the scene that show rounds.

    These are the track of rounds, or their number, and the grids of points by round and by category.
    """
    if template.general_rules.rounds:
        yield ProgressTrack(say("rounds"), CountCell(ROUND, ROUND_TRACK), template.general_rules.rounds)
    elif template.general_rules.scoring == "free":
        yield CountCell(ROUND, ROUND_TRACK, label=say("round"))
    categories = template.designs_of_kind("category")
    sides = tuple(dict.fromkeys(captain_by_seat.values()))
    heads = tuple([team_label(captain_by_seat, side) for side in sides])
    if categories:
        yield CountGrid(heads, lambda look: _round_lines(look, template, sides), last_line_is_sum=True)
    if len(categories) > 1:
        yield CountGrid(heads, lambda look: tuple(category_grid_lines(look, template, sides)))


def _round_lines(look: VisibleTable, template: Template, sides: tuple[Seat, ...]) -> tuple[GridLine, ...]:
    """A line for each round with points, one for points of no round, and one for all of them."""
    categories = template.designs_of_kind("category")
    each = [points_by_round(look, categories, side) for side in sides]
    last = max([look.open_count(ROUND, ROUND_TRACK), *[slot for one in each for slot in one]])
    if not last:
        return ()
    lines: list[GridLine] = [
        (
            say("round {round}", round=slot),
            tuple(
                [
                    make_number_cell(one[slot], Place(FRONT, slot=slot), side)
                    for one, side in zip(each, sides, strict=True)
                ]
            ),
        )
        for slot in range(1, last + 1)
    ]
    if any(one[0] for one in each):
        lines.append((say("other points"), tuple([make_number_cell(one[0]) for one in each])))
    return (*lines, (say("points"), tuple([make_number_cell(one.total()) for one in each])))


MENU = (
    MenuAction(
        WRITE_ROUND,
        lambda state: say("Round {round}", round=current_round(state) or 1),
        ask_points_and_end_round,
        lambda state: state.general_rules.scores_whole_rounds,
    ),
    MenuAction(NEXT_ROUND, say("Next round"), do_nothing_at_round_end, has_free_scoring),
)
POINTS_MENU = (MenuAction("points", say("Points"), ask_points_by_category, can_enter_points_any_time),)
HELP = {
    "How much do you add to your {category}?": say(
        "Enter the points to add to your earlier points. They can be negative. Then it's "
        "the next player's turn."
    ),
    "Points for what?": say(
        "Choose what the points are for. Then enter everybody's points; you can add more after that."
    ),
    "How much do you add to everybody's {category}?": say(
        "Enter everybody's points; they can be negative. The companion adds them to the earlier points. On a "
        "keypad, players enter their own points."
    ),
}
