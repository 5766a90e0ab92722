"""Points as markers on the table: categories of points, bonuses, and their lines and cells.

The points of a round lie at places of that round, for the grid. A place holds no negative numbers, so points
gained and points lost are two markers. Where a template has half points, a half is a marker of its own: 7½ is
seven points and a half, and -3½ is three points lost and a half lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from companion.games.any_game.limits import MAX_AMOUNT
from companion.games.any_game.majority import SPLIT, majority_prizes
from companion.games.any_game.rounding import DOWN
from companion.games.any_game.teams import CaptainBySeat
from companion.games.any_game.template import (
    Template,
    describe_design_error,
    design_label,
    find_limit_errors,
    read_number,
    read_word,
)
from companion.rulebook import (
    Account,
    Amount,
    CardDesign,
    ComputedCell,
    DetailedOption,
    Labelled,
    Piece,
    Place,
    Say,
    ScoreLine,
    Seat,
    Table,
    VisibleTable,
    WholeOrHalf,
    confirm_above,
    halves_of,
    number_from_halves,
    say,
)

FRONT = say("front")
GridLine = tuple[Labelled, tuple[ComputedCell | None, ...]]
"""A line of a grid: its label, and a cell for each column."""
AGAIN_KEY, KEEP_KEY = "again", "keep"
ENTER_AGAIN_OR_KEEP_OPTIONS: Mapping[str, Labelled] = {
    AGAIN_KEY: say("Enter again"),
    KEEP_KEY: DetailedOption(say("Keep"), is_decline_option=True),
}
"""Options for numbers of a round that don't add up as they should."""


def gained_and_lost_markers(design: CardDesign) -> tuple[Piece, Piece]:
    """Returns the markers of points gained and of points lost."""
    label = design_label(design)
    gained = Piece(design.id, label, is_endless=True, is_marker=True)
    return gained, Piece(
        f"{design.id} lost", say("{points} lost", points=label), is_endless=True, is_marker=True
    )


def halves_by_points_marker(design: CardDesign, *, has_halves: bool) -> Mapping[Piece, int]:
    """Returns the markers of points of a category, each with how many halves of a point it counts.

    They are the markers of points gained and lost and, with half points, of half a point gained and lost.
    """
    gained, lost = gained_and_lost_markers(design)
    halves_by_half_marker = _halves_by_half_marker(design.id, gained.label) if has_halves else {}
    return {gained: 2, lost: -2, **halves_by_half_marker}


@lru_cache(maxsize=256)  # each view counts the points of each seat
def _halves_by_half_marker(design_id: str, label: Say) -> Mapping[Piece, int]:
    """Returns the markers of half a point, each with how many halves it counts."""
    half = say("½ {points}", points=label)
    half_lost = say("{points} lost", points=half)
    return {
        Piece(f"{design_id} half", half, is_endless=True, is_marker=True): 1,
        Piece(f"{design_id} half lost", half_lost, is_endless=True, is_marker=True): -1,
    }


def filled_box_marker(design: CardDesign) -> Piece:
    """Returns the marker of a box of a score sheet that has been filled, even with 0."""
    label = say("{box} filled", box=design_label(design))
    return Piece(f"{design.id} filled", label, is_endless=True, is_marker=True)


class Category:
    """A category of points on the table: the points of each seat, and how they are entered.

    `when` says whether points are entered with each `round`, or at any time until the `end`. `prizes` are
    those of a majority; an empty list means that points are entered directly. `has_halves`: the template has
    half points.
    """

    def __init__(
        self, table: Table, design: CardDesign, captain_by_seat: CaptainBySeat, *, has_halves: bool
    ) -> None:
        self.key, self.label = design.id, design_label(design)
        self.when, self.tie_rule = read_word(design, "when", "round"), read_word(design, "ties", SPLIT)
        self.group, self.highest = read_number(design, "group"), read_number(design, "highest")
        self.lowest, self.multiple = read_number(design, "lowest"), read_number(design, "multiple", 1)
        self.prizes, self.prize_rounding = majority_prizes(design), read_word(design, "prize_rounding", DOWN)
        self.gained_marker, self.lost_marker = gained_and_lost_markers(design)
        self._halves_by_marker = halves_by_points_marker(design, has_halves=has_halves)
        self._filled, self.has_halves = filled_box_marker(design), has_halves
        self._captain_by_seat, self._table = captain_by_seat, table
        for seat in table.seats:
            self._account(self.gained_marker, seat, None)
            self._account(self.lost_marker, seat, None)

    def make_points_request(self, seat: Seat, question: Say, least: int, most: int, step: int = 1) -> Amount:
        """Returns the question for points of a seat; `answered_points` says what its answer means.

        With half points a step of 1 is half a point.
        """
        limit = self.confirm_points_above
        if not self.has_halves:
            return Amount(seat, question, least, most, step, confirm_above=limit)
        halves_per_step = 1 if step == 1 else 2 * step
        return Amount(
            seat, question, 2 * least, 2 * most, halves_per_step, in_halves=True, confirm_above=limit
        )

    @property
    def least_points_in_box(self) -> int:
        """The fewest points in a box of the score sheet, apart from 0: the first multiple allowed."""
        return -(-self.lowest // self.multiple) * self.multiple

    @property
    def confirm_points_above(self) -> int:
        """The number of points above which people are asked whether they are right."""
        return confirm_above(
            self.highest, *[float(self.total_points(seat)) for seat in self._captain_by_seat]
        )

    def answered_points(self, answer: int) -> WholeOrHalf:
        """Returns the points that an answer to a question of `make_points_request` means."""
        return number_from_halves(answer) if self.has_halves else answer

    def add_points(self, seat: Seat, points: WholeOrHalf, round_number: int | None = None) -> None:
        """Adds points to a seat, in a round if one is given; gained and lost points cancel out."""
        if self.has_halves:
            self._add_halves(seat, halves_of(points), round_number)
            return
        assert isinstance(points, int), "without half points all points are whole"
        marker, opposite_marker = (
            (self.gained_marker, self.lost_marker) if points > 0 else (self.lost_marker, self.gained_marker)
        )
        opposite_account = self._account(opposite_marker, seat, round_number)
        cancelled = min(abs(points), opposite_account.count)
        self._table.remove_markers(opposite_account, cancelled)
        self._table.add_markers(self._account(marker, seat, round_number), abs(points) - cancelled)

    def _add_halves(self, seat: Seat, halves: int, round_number: int | None) -> None:
        """Adds halves to a seat: its points here then have one sign, and at most one half."""
        account_by_marker = {
            marker: self._account(marker, seat, round_number) for marker in self._halves_by_marker
        }
        total = halves + sum(
            account.count * self._halves_by_marker[marker] for marker, account in account_by_marker.items()
        )
        whole_and_half = divmod(abs(total), 2)
        gained, lost = (whole_and_half, (0, 0)) if total > 0 else ((0, 0), whole_and_half)
        wanted_counts = (gained[0], lost[0], gained[1], lost[1])
        for account, wanted_count in zip(account_by_marker.values(), wanted_counts, strict=True):
            self._table.remove_markers(account, max(0, account.count - wanted_count))
            self._table.add_markers(account, max(0, wanted_count - account.count))

    def fill_box(self, seat: Seat, points: WholeOrHalf) -> None:
        """Fills the box of a seat on the score sheet with these points."""
        self.add_points(seat, points)
        self._table.add_markers(self._account(self._filled, seat, None))

    def is_box_filled(self, seat: Seat) -> bool:
        """Returns True if the box of a seat has been filled, even with 0."""
        return self._account(self._filled, seat, None).count > 0

    def total_points(self, seat: Seat) -> WholeOrHalf:
        """Returns the points of a seat, or of its team, in all rounds."""
        return number_from_halves(
            sum(
                halves * self._count_markers(marker, seat)
                for marker, halves in self._halves_by_marker.items()
            )
        )

    def _account(self, marker: Piece, seat: Seat, slot: int | None) -> Account:
        return self._table.account(marker, FRONT, self._captain_by_seat[seat], slot)

    def _count_markers(self, marker: Piece, seat: Seat) -> int:
        captain = self._captain_by_seat[seat]
        return sum(
            account.count
            for account in self._table.ledger.accounts_of(marker)
            if account.place.seat == captain
        )


class GroupBonus:
    """A bonus for a seat whose categories of one group reach a sum together."""

    def __init__(self, design: CardDesign) -> None:
        self.label = design_label(design)
        self.group, self._reached_at = read_number(design, "of_group"), read_number(design, "reached_at")
        self._gives = read_number(design, "gives")

    def bonus_of_seat(self, categories: Sequence[Category], seat: Seat) -> int:
        """Returns the bonus of a seat."""
        return self.bonus_for_group_points(
            sum(category.total_points(seat) for category in categories if category.group == self.group)
        )

    def bonus_for_group_points(self, group_points: WholeOrHalf) -> int:
        """Returns the bonus for that many points in the group."""
        return self._gives if group_points >= self._reached_at else 0


def category_score_lines(
    categories: Sequence[Category], bonuses: Iterable[GroupBonus], seat: Seat
) -> Iterator[ScoreLine]:
    """Yields the lines of a seat on the score sheet for its points of each category and its bonuses."""
    for category in categories:
        yield ScoreLine(category.label, category.total_points(seat))
    for bonus in bonuses:
        yield ScoreLine(bonus.label, bonus.bonus_of_seat(categories, seat))


# Errors in a template


def find_category_errors(template: Template) -> Iterator[Say]:
    """Yields errors of categories and bonuses.

    Errors are numbers that contradict each other, and a rounding of prizes that are never shared.
    """
    for design in template.designs_of_kind("category"):
        if highest := read_number(design, "highest"):
            yield from find_limit_errors(design, "multiple", highest, "highest")
            yield from find_limit_errors(design, "lowest", highest, "highest")
        is_split = read_word(design, "ties", SPLIT) == SPLIT
        if read_word(design, "prize_rounding", DOWN) != DOWN and not (majority_prizes(design) and is_split):
            reason = say('prize_rounding needs prizes and the setting "ties = split".')
            yield describe_design_error(design, reason)
    for design in template.designs_of_kind("bonus"):
        yield from _find_bonus_errors(template, design)


def _find_bonus_errors(template: Template, bonus: CardDesign) -> Iterator[Say]:
    """Yields an error about a bonus that nobody can get."""
    group, reached_at = read_number(bonus, "of_group"), read_number(bonus, "reached_at")
    boxes = [
        box for box in template.designs_of_kind("category") if group and read_number(box, "group") == group
    ]
    if not boxes:
        text = "of_group must be the group of a category; no category has group {value}."
        yield describe_design_error(bonus, say(text, value=group))
    elif template.general_rules.scoring == "sheet" and reached_at > (
        max_points := sum(map(_max_points_in_box, boxes))
    ):
        text = "reached_at can't be {value}. The boxes of group {group} can score only {most} together."
        yield describe_design_error(bonus, say(text, most=max_points, group=group, value=reached_at))


def _max_points_in_box(box: CardDesign) -> int:
    """Returns the most points in a box of a score sheet; `MAX_AMOUNT` if it is filled at the end."""
    if read_word(box, "when", "round") != "round":
        return MAX_AMOUNT
    highest, multiple = read_number(box, "highest") or MAX_AMOUNT, read_number(box, "multiple", 1)
    return highest // multiple * multiple


# The scene


def halves_by_round(look: VisibleTable, categories: Iterable[CardDesign], seat: Seat) -> Counter[int]:
    """Returns the points of a seat in these categories by round, in halves of a point.

    Key 0 is for points of no round.
    """
    halves_by_marker: dict[Piece, int] = {}
    for design in categories:
        halves_by_marker |= halves_by_points_marker(design, has_halves=True)
    halves: Counter[int] = Counter()
    for (place, piece), count in look.counts.items():
        if place.seat == seat and piece in halves_by_marker:
            halves[place.slot or 0] += halves_by_marker[piece] * (count or 0)
    return halves


def visible_points(look: VisibleTable, categories: Iterable[CardDesign], seat: Seat) -> WholeOrHalf:
    """Returns the points of a seat in these categories, in all rounds."""
    return number_from_halves(halves_by_round(look, categories, seat).total())


def make_category_cell(design: CardDesign, captain_by_seat: CaptainBySeat) -> ComputedCell:
    """Returns a cell with a seat's points in one category, in all rounds."""

    def total(look: VisibleTable, seat: Seat | None) -> WholeOrHalf:
        return visible_points(look, [design], captain_of_mat(captain_by_seat, seat))

    return ComputedCell(design_label(design), total, shows_change=True)


def visible_category_points(look: VisibleTable, template: Template, seat: Seat) -> WholeOrHalf:
    """Returns a seat's points and bonuses, as the scene adds them to its total."""
    categories = template.designs_of_kind("category")
    bonuses = sum(
        _visible_bonus(look, GroupBonus(design), template, seat)
        for design in template.designs_of_kind("bonus")
    )
    return visible_points(look, categories, seat) + bonuses


def category_grid_lines(
    look: VisibleTable, template: Template, sides: tuple[Seat, ...]
) -> Iterator[GridLine]:
    """Yields the grid's lines for each category and bonus; boxes that aren't filled are empty.

    There are no lines before points are entered, except on a score sheet: people want to see its boxes.
    """
    categories = template.designs_of_kind("category")
    is_sheet = template.general_rules.scoring == "sheet"
    if not is_sheet and not any(halves_by_round(look, categories, side) for side in sides):
        return
    for design in template.deck.designs:
        if design.values["kind"] == "category":
            yield (
                design_label(design),
                tuple(
                    [
                        None
                        if is_sheet and not look.visible_count_or_zero(filled_box_marker(design), FRONT, side)
                        else make_number_cell(
                            visible_points(look, [design], side),
                            gained_and_lost_markers(design)[0],
                            side,
                        )
                        for side in sides
                    ]
                ),
            )
        elif design.values["kind"] == "bonus":
            bonus = GroupBonus(design)
            yield (
                bonus.label,
                tuple([make_number_cell(_visible_bonus(look, bonus, template, side)) for side in sides]),
            )


def _visible_bonus(look: VisibleTable, bonus: GroupBonus, template: Template, seat: Seat) -> int:
    designs = [
        design
        for design in template.designs_of_kind("category")
        if read_number(design, "group") == bonus.group
    ]
    return bonus.bonus_for_group_points(visible_points(look, designs, seat))


def make_number_cell(
    value: WholeOrHalf,
    answer_about: Piece | Place | None = None,
    answer_seat: Seat | None = None,
    *,
    is_void: bool = False,
) -> ComputedCell:
    """Returns a grid cell with a number.

    `answer_about` and `answer_seat` lead to the answer that the number comes from. `is_void`: the number is
    the total of a player who is out.
    """
    amendable_answer = None if answer_about is None or answer_seat is None else (answer_about, answer_seat)
    return ComputedCell(
        say("points"), lambda _look, _seat: value, amendable_answer=amendable_answer, is_void=is_void
    )


def captain_of_mat(captain_by_seat: Mapping[Seat, Seat], mat_seat: Seat | None) -> Seat:
    """Returns the team captain of the seat whose mat a cell is on."""
    assert mat_seat is not None, "the figures of a mat are a seat's"
    return captain_by_seat[mat_seat]
