"""Points lie on the table as markers. The points of a round lie at places of that round, for the grid.

A place holds no negative numbers, so points gained and points lost are two markers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.games.any_game.majority import prizes_of
from companion.games.any_game.teams import Keepers
from companion.games.any_game.template import Template, error_on, label_of, limit_errors, number_on, word_on
from companion.rulebook import (
    Account,
    CardDesign,
    ComputedCell,
    Labelled,
    Piece,
    Place,
    Say,
    ScoreLine,
    Seat,
    Table,
    VisibleTable,
    say,
)

FRONT = say("front")
MAX_POINTS = 9_999
GridLine = tuple[Labelled, tuple[ComputedCell | None, ...]]
"""A line of a grid: its label, and a figure for each column."""


def gained_and_lost(design: CardDesign) -> tuple[Piece, Piece]:
    """The markers of points gained and of points lost."""
    label = label_of(design)
    gained = Piece(design.id, label, is_endless=True, is_marker=True)
    return gained, Piece(
        f"{design.id} lost", say("{points} lost", points=label), is_endless=True, is_marker=True
    )


def filled_marker(design: CardDesign) -> Piece:
    """The marker of a box of a score sheet that has been filled, even with 0."""
    label = say("{box} filled", box=label_of(design))
    return Piece(f"{design.id} filled", label, is_endless=True, is_marker=True)


class Category:
    """Points of one kind on the table.

    `when` says whether points are entered with each `round`, or at any time until the `end`.
    `prizes` are those of a majority; an empty list means that points are entered as they are.
    """

    def __init__(self, table: Table, design: CardDesign, keeper: Keepers) -> None:
        self.key, self.label = design.id, label_of(design)
        self.when, self.ties = word_on(design, "when", "round"), word_on(design, "ties", "split")
        self.group, self.highest = number_on(design, "group"), number_on(design, "highest")
        self.multiple = number_on(design, "multiple", 1)
        self.prizes = prizes_of(design)
        self.gained, self.lost = gained_and_lost(design)
        self._filled = filled_marker(design)
        self._keeper, self._table = keeper, table
        for seat in table.seats:
            self._account(self.gained, seat, None)
            self._account(self.lost, seat, None)

    def add(self, seat: Seat, points: int, slot: int | None = None) -> None:
        """Adds points to a seat, in a round if `slot` is given; gained and lost points cancel out."""
        mine, other = (self.gained, self.lost) if points > 0 else (self.lost, self.gained)
        opposite = self._account(other, seat, slot)
        cancelled = min(abs(points), opposite.count)
        self._table.remove_markers(opposite, cancelled)
        self._table.add_markers(self._account(mine, seat, slot), abs(points) - cancelled)

    def fill_box(self, seat: Seat, points: int) -> None:
        """Fills the box of a seat with these points."""
        self.add(seat, points)
        self._table.add_markers(self._account(self._filled, seat, None))

    def is_filled(self, seat: Seat) -> bool:
        """True if the box of a seat has been filled, even with 0."""
        return self._account(self._filled, seat, None).count > 0

    def total_points(self, seat: Seat) -> int:
        """The points of a seat, or of its team, in all rounds."""
        return self._sum(self.gained, seat) - self._sum(self.lost, seat)

    def _account(self, marker: Piece, seat: Seat, slot: int | None) -> Account:
        return self._table.account(marker, FRONT, self._keeper[seat], slot)

    def _sum(self, marker: Piece, seat: Seat) -> int:
        keeper = self._keeper[seat]
        return sum(one.count for one in self._table.ledger.accounts_of(marker) if one.place.seat == keeper)


class Bonus:
    """Points for a seat whose categories of one group reach a sum together."""

    def __init__(self, design: CardDesign) -> None:
        self.label = label_of(design)
        self.group, self._reached_at = number_on(design, "of_group"), number_on(design, "reached_at")
        self._gives = number_on(design, "gives")

    def bonus_points(self, categories: Sequence[Category], seat: Seat) -> int:
        """The bonus of a seat."""
        return self.bonus_for(sum(one.total_points(seat) for one in categories if one.group == self.group))

    def bonus_for(self, group_points: int) -> int:
        """The bonus for that many points in the group."""
        return self._gives if group_points >= self._reached_at else 0


def score_lines(categories: Sequence[Category], bonuses: Iterable[Bonus], seat: Seat) -> Iterator[ScoreLine]:
    """The lines of a seat on the score sheet: its points of each kind, and its bonuses."""
    for category in categories:
        yield ScoreLine(category.label, category.total_points(seat))
    for bonus in bonuses:
        yield ScoreLine(bonus.label, bonus.bonus_points(categories, seat))


# Errors in a template


def errors(template: Template) -> Iterator[Say]:
    """Categories and bonuses whose numbers contradict each other."""
    for one in template.designs("category"):
        if highest := number_on(one, "highest"):
            yield from limit_errors(one, "multiple", highest, "highest")
    for one in template.designs("bonus"):
        yield from _bonus_errors(template, one)


def _bonus_errors(template: Template, bonus: CardDesign) -> Iterator[Say]:
    """A bonus that nobody can get."""
    group, reached_at = number_on(bonus, "of_group"), number_on(bonus, "reached_at")
    boxes = [one for one in template.designs("category") if group and number_on(one, "group") == group]
    if not boxes:
        text = "of_group must be the group of a category; no category has group {value}."
        yield error_on(bonus, say(text, value=group))
    elif template.common_rules.scoring == "sheet" and reached_at > (most := sum(map(_max_of_box, boxes))):
        text = "reached_at can't be {value}. The boxes of group {group} can score only {most} together."
        yield error_on(bonus, say(text, most=most, group=group, value=reached_at))


def _max_of_box(box: CardDesign) -> int:
    """The most points in a box of a score sheet; points that are entered at the end have no limit."""
    if word_on(box, "when", "round") != "round":
        return MAX_POINTS
    highest, multiple = number_on(box, "highest") or MAX_POINTS, number_on(box, "multiple", 1)
    return highest // multiple * multiple


# How it looks


def points_by_round(look: VisibleTable, categories: Iterable[CardDesign], seat: Seat) -> Counter[int]:
    """The points of a seat in these categories by round; 0 stands for points of no round."""
    signs: dict[Piece, int] = {}
    for one in categories:
        gained, lost = gained_and_lost(one)
        signs |= {gained: 1, lost: -1}
    points: Counter[int] = Counter()
    for (place, piece), count in look.counts.items():
        if place.seat == seat and piece in signs:
            points[place.slot or 0] += signs[piece] * (count or 0)
    return points


def category_figure(design: CardDesign, keeper: Keepers) -> ComputedCell:
    """The points of a seat in one category, in all rounds."""

    def total(look: VisibleTable, seat: Seat | None) -> int:
        return points_by_round(look, [design], keeper_of_mat(keeper, seat)).total()

    return ComputedCell(label_of(design), total)


def scene_points(look: VisibleTable, template: Template, seat: Seat) -> int:
    """The points and bonuses of a seat that the scene adds to its total."""
    categories = template.designs("category")
    bonuses = sum(_seen_bonus(look, Bonus(one), template, seat) for one in template.designs("bonus"))
    return points_by_round(look, categories, seat).total() + bonuses


def category_lines(look: VisibleTable, template: Template, sides: tuple[Seat, ...]) -> Iterator[GridLine]:
    """The grid's lines for each category and bonus; boxes that aren't filled are empty.

    There are no lines before points are entered, except on a score sheet: people want to see its boxes.
    """
    categories = template.designs("category")
    is_sheet = template.common_rules.scoring == "sheet"
    if not is_sheet and not any(points_by_round(look, categories, side) for side in sides):
        return
    for one in template.deck.designs:
        if one.values["kind"] == "category":
            yield (
                label_of(one),
                tuple(
                    [
                        None
                        if is_sheet and not look.open_count(filled_marker(one), FRONT, side)
                        else number_figure(
                            points_by_round(look, [one], side).total(), gained_and_lost(one)[0], side
                        )
                        for side in sides
                    ]
                ),
            )
        elif one.values["kind"] == "bonus":
            bonus = Bonus(one)
            yield (
                bonus.label,
                tuple([number_figure(_seen_bonus(look, bonus, template, side)) for side in sides]),
            )


def _seen_bonus(look: VisibleTable, bonus: Bonus, template: Template, seat: Seat) -> int:
    group = [one for one in template.designs("category") if number_on(one, "group") == bonus.group]
    return bonus.bonus_for(points_by_round(look, group, seat).total())


def number_figure(value: int, about: Piece | Place | None = None, seat: Seat | None = None) -> ComputedCell:
    """A number in a grid; `about` and `seat` lead to the answer that it comes from."""
    source = None if about is None or seat is None else (about, seat)
    return ComputedCell(say("points"), lambda _look, _seat: value, amendable_answer=source)


def keeper_of_mat(keeper: Mapping[Seat, Seat], seat: Seat | None) -> Seat:
    """The keeper of the seat whose mat a figure is on."""
    assert seat is not None, "the figures of a mat are a seat's"
    return keeper[seat]
