"""Points of a round that always add up to one number, as in Mahjong (0) or Hearts (26).

If the points that people enter add up to something else, the table is asked what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.games.any_game.majority import majority_prizes
from companion.games.any_game.points import AGAIN_KEY, ENTER_AGAIN_OR_KEEP_OPTIONS, KEEP_KEY
from companion.games.any_game.state import TemplateState
from companion.games.any_game.template import Template, read_word
from companion.rulebook import Choose, Labelled, Say, Seat, WholeOrHalf, number_from_float, say


class RoundSumRules(msgspec.Struct, frozen=True):
    """Rules for the sum of the points of a round: whether it is fixed, and the number.

    any_game.toml explains each word.
    """

    fixed_sum: bool = False
    round_sum: float = 0

    @property
    def expected_sum(self) -> WholeOrHalf:
        """The number that the points of a round add up to, if it is fixed."""
        return number_from_float(self.round_sum)


async def ask_if_sum_is_wrong(
    state: TemplateState, points_by_seat: Mapping[Seat, WholeOrHalf], category_label: Say, round_number: int
) -> Mapping[Seat, WholeOrHalf] | None:
    """Returns the points of a round as they count; None if the table wants to enter them again.

    The table is asked only if the template fixes the sum and the points add up to another number. It can then
    give one side the points that are missing, so that the last number needn't be worked out.
    """
    rules, total = state.template.read_rules(RoundSumRules), sum(points_by_seat.values())
    if not rules.fixed_sum or total == rules.expected_sum:
        return points_by_seat
    fitting_points = {seat: points + rules.expected_sum - total for seat, points in points_by_seat.items()}
    options: dict[str, Labelled] = {
        str(seat.number): say("{points} for {seat}", seat=state.side_label(seat), points=points)
        for seat, points in fitting_points.items()
    }
    options |= ENTER_AGAIN_OR_KEEP_OPTIONS
    text = "Round {round}, {category}: the points add up to {n}, not to {expected}."
    question = say(text, round=round_number, category=category_label, n=total, expected=rules.expected_sum)
    log_name = say("Round {round}, {category}: wrong sum", round=round_number, category=category_label)
    key = await Choose(None, question, options, log_name=log_name)
    if key == AGAIN_KEY:
        return None
    if key == KEEP_KEY:
        return points_by_seat
    seat = state.seats.seat_numbered(int(key))
    return {**points_by_seat, seat: fitting_points[seat]}


def find_round_sum_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about the sum of a round.

    Errors are a sum that isn't fixed, and a fixed sum without rounds or without points that are entered.
    """
    rules = template.read_rules(RoundSumRules)
    if rules.round_sum and not rules.fixed_sum:
        yield say('round_sum needs the setting "fixed_sum = yes".')
    if rules.fixed_sum and template.general_rules.scoring != "rounds":
        yield say('fixed_sum needs the setting "scoring = rounds".')
    round_categories = [
        design
        for design in template.designs_of_kind("category")
        if read_word(design, "when", "round") == "round"
    ]
    if rules.fixed_sum and round_categories and all(map(majority_prizes, round_categories)):
        yield say("fixed_sum needs a category without prizes, whose points are entered with each round.")


HELP = {
    "Round {round}, {category}: the points add up to {n}, not to {expected}.": say(
        "Choose the player whose points are missing or wrong: this player gets what makes the sum right. You "
        "can also enter all points again, or keep them."
    ),
}
