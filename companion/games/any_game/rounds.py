"""Rounds, and points that are entered for everybody at once, with each round or at any time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.any_game import bank, loans, majority
from companion.games.any_game.contract import enter_tricks
from companion.games.any_game.leaving import is_out
from companion.games.any_game.loans import LoanRules
from companion.games.any_game.points import (
    FRONT,
    MAX_POINTS,
    Category,
    GridLine,
    category_lines,
    number_figure,
    points_by_round,
)
from companion.games.any_game.state import MenuAction, TemplateState
from companion.games.any_game.teams import Keepers, team_label
from companion.games.any_game.template import Template, number_on, word_on
from companion.games.any_game.turn_order import (
    ROUND,
    ROUND_TRACK,
    RoundTrack,
    current_round,
    give_marker,
    marker_holder,
    pass_marker,
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
ROUND_ENDING_ACTIONS = (WRITE_ROUND, NEXT_ROUND)
"""The actions of the menu that end a round."""
WITHOUT_ROUNDS = ("sheet", "knockout")
"""The kinds of scoring that have no rounds."""


async def begin_rounds(state: TemplateState) -> None:
    """Gives the first dealer the marker, and opens the first round if rounds are limited or written down."""
    if state.house.deal == "left":
        give_marker(state, state.seats[0])
    if state.house.writes_rounds or (has_free_rounds(state) and state.house.rounds):
        await open_round(state)


async def open_round(state: TemplateState) -> None:
    """Moves the round marker on, passes the start player's or dealer's marker, and pays income and the like.

    The marker stays where it is as the first round begins, unless its holder has left.
    """
    track = RoundTrack.of(state)
    is_later = track.step > 0
    if not state.house.writes_rounds:
        state.table.add_markers(track.account)
    state.table.heading = say("Round {round}", round=current_round(state) or 1)
    holder = marker_holder(state)
    if holder is not None and (is_later or is_out(state, holder)):
        pass_marker(state, holder)
    await bank.pay_income(state)
    await loans.charge_interest(state)
    await bank.pay_blinds(state)


async def end_free_round(_state: TemplateState) -> None:
    """Does nothing: the next round opens once the table has said that it goes on."""


async def write_round(state: TemplateState) -> None:
    """Asks for the points of a round, one screen for each category; then the round is over."""
    if state.house.scoring == "contract":
        await enter_tricks(state)
    else:
        for category in state.categories:
            if category.when == "round":
                await enter_points(state, category, current_round(state))
    state.table.add_markers(RoundTrack.of(state).account)


async def enter_points(state: TemplateState, category: Category, slot: int | None) -> None:
    """Asks for everybody's points in one category, and adds them to the earlier points.

    `slot` is the round of the points; None if they belong to no round.
    """
    question, log_text = _point_texts(category, slot)
    parts = {seat: _point_part(state, seat, category) for seat in state.sides}
    about = category.gained if slot is None else Place(FRONT, slot=slot)
    given = await Together(question, dict(parts), is_open=True, about=about, log_name=log_text)
    if category.prizes:
        given = majority.majority_points(given, category.prizes, category.ties)
        state.table.add_note(points_text(given))
    for seat, points in given.items():
        category.add(seat, points, slot)


def _point_texts(category: Category, slot: int | None) -> tuple[Say, Say]:
    """The question for points, and its text in logs."""
    if category.prizes:
        question = majority.count_question(category.label)
    else:
        question = say("How much do you add to everybody's {category}?", category=category.label)
    if slot is None:
        return question, say("Points for {category}", category=category.label)
    return question, say("Round {round}: {category}", round=slot, category=category.label)


def _point_part(state: TemplateState, seat: Seat, category: Category) -> Amount:
    """One seat's part of the question for points."""
    least = 0 if category.prizes else -MAX_POINTS
    text = say("{team}", team=state.side_label(seat)) if state.house.teams else category.label
    return Amount(seat, text, least, MAX_POINTS)


def points_text(points: Mapping[Seat, int]) -> Say:
    """The sentence that says how many points everybody got."""
    each = [say("{seat} {points}", seat=seat, points=gained) for seat, gained in points.items()]
    return say("Points: {points}.", points=say_list(each))


async def enter_points_any_time(state: TemplateState) -> None:
    """Asks for points of one category after the other, until the table is done."""
    categories = {
        one.key: one for one in state.categories if one.when == "end" or not state.house.writes_rounds
    }
    if state.template.predates_rules:
        await enter_points_by_seat(state)
    elif len(categories) == 1:
        category = next(iter(categories.values()))
        await enter_points(state, category, _slot_of(state, category))
    else:
        texts: dict[str, Labelled] = {key: one.label for key, one in categories.items()}
        texts[DONE] = DetailedOption(say("No more points"), is_way_out=True)
        while (key := await Choose(None, say("Points for what?"), texts)) != DONE:
            await enter_points(state, categories[key], _slot_of(state, categories[key]))


def _slot_of(state: TemplateState, category: Category) -> int | None:
    """The round of points that are entered now; None for categories of the end."""
    return None if category.when == "end" else current_round(state)


async def enter_points_by_seat(state: TemplateState) -> None:
    """Asks seat by seat for points of one category, as in matches begun before templates had rules."""
    categories = {str(at): one for at, one in enumerate(state.categories)}
    key = next(iter(categories))
    if len(categories) > 1:
        texts: dict[str, Labelled] = {at: one.label for at, one in categories.items()}
        key = await Choose(None, say("Points for what?"), texts)
    category = categories[key]
    question = say("How much do you add to your {category}?", category=category.label)
    log_text = say("Points for {category}", category=category.label)
    for seat in state.seats:
        category.add(seat, await Amount(seat, question, -MAX_POINTS, MAX_POINTS, log_name=log_text))


def has_free_rounds(state: TemplateState) -> bool:
    """True if a touch counts rounds, and points are entered at any time."""
    return state.house.scoring == "free"


def has_other_points(state: TemplateState) -> bool:
    """True if there are points besides those of written rounds."""
    return any(has_free_rounds(state) or one.when == "end" for one in state.categories)


# Errors in a template


def scoring_errors(template: Template) -> Iterator[Say]:
    """Scoring that needs a category of points, without one."""
    scoring, categories = template.common_rules.scoring, template.designs("category")
    has_category = any(word_on(one, "when", "round") == "round" for one in categories)
    if scoring in ("rounds", "contract", "sheet") and not has_category:
        yield say('"scoring = {kind}" needs a category of points.', kind=scoring)


def errors(template: Template) -> Iterator[Say]:
    """Rules about rounds where there are none, and targets that nobody can reach."""
    scoring = template.common_rules.scoring
    if scoring in WITHOUT_ROUNDS:
        for field in _fields_of_rounds(template):
            text = '{field} must be 0, because "scoring = {kind}" has no rounds.'
            yield say(text, field=field, kind=scoring)
    if template.common_rules.target:
        yield from _target_errors(template)


def _fields_of_rounds(template: Template) -> Iterator[str]:
    """The fields with a value that means something only with rounds."""
    values = {
        "rounds": template.common_rules.rounds,
        "income": template.money_rules.income,
        "interest": template.rules(LoanRules).interest,
        "small_blind": template.money_rules.small_blind,
        "big_blind": template.money_rules.big_blind,
    }
    return (field for field, value in values.items() if value)


def _target_errors(template: Template) -> Iterator[Say]:
    """A target that is never reached, or from the beginning."""
    pieces, target = template.designs("piece"), template.common_rules.target
    worth = {one.id: number_on(one, "worth") for one in pieces}
    start = sum(number_on(one, "start") * worth[one.id] for one in pieces)
    is_knockout = template.common_rules.scoring == "knockout"
    if not (any(worth.values()) or template.designs("category") or is_knockout):
        yield say('target needs a category of points, or a piece with a "worth".')
    elif target <= start:
        text = "target can't be {value}. It must be more than {start}, because everybody begins with {start}."
        yield say(text, start=start, value=target)


# How it looks


def scene_parts(template: Template, keeper: Keepers) -> Iterator[MiddlePart]:
    """The track of rounds, or their number; then the grids of points by round and by category."""
    if template.common_rules.rounds:
        yield ProgressTrack(say("rounds"), CountCell(ROUND, ROUND_TRACK), template.common_rules.rounds)
    elif template.common_rules.scoring == "free":
        yield CountCell(ROUND, ROUND_TRACK, label=say("round"))
    categories = template.designs("category")
    sides = tuple(dict.fromkeys(keeper.values()))
    heads = tuple([team_label(keeper, side) for side in sides])
    if categories:
        yield CountGrid(heads, lambda look: _round_lines(look, template, sides), last_line_is_sum=True)
    if len(categories) > 1:
        yield CountGrid(heads, lambda look: tuple(category_lines(look, template, sides)))


def _round_lines(look: VisibleTable, template: Template, sides: tuple[Seat, ...]) -> tuple[GridLine, ...]:
    """A line for each round with points, one for points of no round, and one for all of them."""
    categories = template.designs("category")
    each = [points_by_round(look, categories, side) for side in sides]
    last = max([look.open_count(ROUND, ROUND_TRACK), *[slot for one in each for slot in one]])
    if not last:
        return ()
    lines: list[GridLine] = [
        (
            say("round {round}", round=slot),
            tuple(
                [
                    number_figure(one[slot], Place(FRONT, slot=slot), side)
                    for one, side in zip(each, sides, strict=True)
                ]
            ),
        )
        for slot in range(1, last + 1)
    ]
    if any(one[0] for one in each):
        lines.append((say("other points"), tuple([number_figure(one[0]) for one in each])))
    return (*lines, (say("points"), tuple([number_figure(one.total()) for one in each])))


MENU = (
    MenuAction(
        WRITE_ROUND,
        lambda state: say("Round {round}", round=current_round(state) or 1),
        write_round,
        lambda state: state.house.writes_rounds,
    ),
    MenuAction(NEXT_ROUND, say("Next round"), end_free_round, has_free_rounds),
)
POINTS_MENU = (MenuAction("points", say("Points"), enter_points_any_time, has_other_points),)
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
