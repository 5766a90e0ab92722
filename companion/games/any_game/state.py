"""State of a match of Any Game: what its template put on the table, and what each feature added.

The state asks people nothing but which side is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeVar

import msgspec

from companion.games.any_game import points
from companion.games.any_game.points import Category, GroupBonus
from companion.games.any_game.teams import assign_team_captains, team_label
from companion.games.any_game.template import DECK, Template, read_number
from companion.rulebook import (
    NO_PURSE_LIMITS,
    Account,
    Choose,
    Labelled,
    MoneyAtPlace,
    Piece,
    Place,
    Request,
    Say,
    ScoreLine,
    Seat,
    Table,
    money_at,
    say,
)

PURSE, BANK = say("purse"), say("bank")
FeatureType = TypeVar("FeatureType", bound="FeatureState")


class TemplateState:
    """State of a match of Any Game: the table, its template, the purses, the points and all features.

    `feature_state` returns what each feature put on the table. `money_sources` is what a payment offers to a
    seat that can't pay, by key.
    """

    def __init__(self, table: Table, money_sources: Mapping[str, MoneySource] | None = None) -> None:
        self.table, self.money_sources = table, money_sources or {}
        self.template = template = Template(table.find_deck(DECK))
        self.general_rules, self.money_rules = template.general_rules, template.money_rules
        self.seats = table.seats
        self.captain_by_seat = table.captain_by_seat = assign_team_captains(
            self.seats, self.general_rules.teams
        )
        self.pieces = template.design_by_piece
        self.categories = [
            Category(table, one, self.captain_by_seat) for one in template.designs_of_kind("category")
        ]
        self.bonuses = [GroupBonus(one) for one in template.designs_of_kind("bonus")]
        self.purses = {one: self._open_purses(one) for one in self.pieces}
        self.banks = {one: table.account(one, BANK) for one in self.pieces}
        for one, printed in self.pieces.items():
            table.supply_from_box(self.banks[one], read_number(printed, "supply"))
            for held in self.purses[one].values():
                table.supply_from_box(held, read_number(printed, "start"))
        self.bank = Place(BANK)
        self.treasuries: list[Place] = []
        self._parts: dict[type[FeatureState], FeatureState] = {}
        self._funds: dict[Place, MoneyAtPlace] = {}

    def add_feature(self, feature_class: type[FeatureState]) -> None:
        """Creates a feature's state, which puts on the table what the feature needs."""
        self._parts[feature_class] = feature_class(self)

    def feature_state(self, feature_class: type[FeatureType]) -> FeatureType:
        """Returns the state of a feature."""
        found = self._parts[feature_class]
        assert isinstance(found, feature_class)
        return found

    # Money

    def _open_purses(self, one: Piece) -> dict[Seat, Account]:
        """The account of a piece in each purse; money may be covered or owed."""
        rules, ledger = self.money_rules, self.table.ledger
        if rules.covered and one.money_value:
            return {
                seat: self.table.covered_account(one, PURSE, kept)
                for seat, kept in self.captain_by_seat.items()
            }
        smallest = min((each for each in self.pieces if each.money_value), key=lambda each: each.money_value)
        debt = rules.debts // one.money_value if one is smallest and rules.debts else None
        return {
            seat: ledger.open_account(Place(PURSE, kept), one, max_debt=debt)
            for seat, kept in self.captain_by_seat.items()
        }

    @property
    def money_piece(self) -> Piece:
        """The first piece that is money, in which bids are made.

        Use it only for a template with pieces.
        """
        money = self.template.money_piece
        assert money is not None, "a template without pieces has no money"
        return money

    def money_at(self, place: Place) -> MoneyAtPlace:
        """Returns all money at a place; accounts for all notes are open from the beginning."""
        if place not in self._funds:  # every payment asks for two of them
            self._funds[place] = money_at(self.table.ledger, place)
        return self._funds[place]

    @cached_property
    def _purse_funds(self) -> Mapping[Seat, MoneyAtPlace]:
        return {seat: self.money_at(Place(PURSE, kept)) for seat, kept in self.captain_by_seat.items()}

    def purse(self, seat: Seat) -> MoneyAtPlace:
        """Returns the purse of a seat: all its money."""
        return self._purse_funds[seat]

    @property
    def max_bid_option(self) -> int | None:
        """The highest bid allowed by the table's options; None without a limit."""
        most = self.table.options["most"]
        return most if isinstance(most, int) else None

    @property
    def purses_paying_bids(self) -> Mapping[Seat, Account] | Mapping[Seat, MoneyAtPlace]:
        """The purses that pay bids; none where nobody pays."""
        if self.table.options["pays"] == "nobody":
            return NO_PURSE_LIMITS
        if [one.money_value for one in self.pieces if one.money_value] != [1] or self.money_rules.debts:
            return self._purse_funds
        return self.purses[self.money_piece]

    # Sides: a seat, or a team that shares a purse

    @property
    def sides(self) -> tuple[Seat, ...]:
        """The sides still in the match, one seat for each.

        A side is a team, with its first seat, or a player without a team. These seats hold a purse and score
        points.
        """
        return tuple(self.table.paying_seats)

    def side_label(self, seat: Seat) -> Labelled:
        """Returns the label of a seat's side: its team, or the seat itself."""
        return team_label(self.captain_by_seat, seat)

    async def choose_side(
        self, question: Say, sides: Iterable[Seat] | None = None, log_name: Say | None = None
    ) -> Seat:
        """Asks which side (team or player) is meant, of these or of all."""
        named = {str(one.number): one for one in (self.sides if sides is None else sides)}
        texts = {key: self.side_label(one) for key, one in named.items()}
        return named[await Choose(None, question, texts, log_name=log_name)]

    # What pieces and points count

    def counted_piece_lines(self, seat: Seat) -> Iterator[ScoreLine]:
        """Yields a seat's score lines for pieces that count at the end."""
        for one, printed in self.pieces.items():
            if worth := read_number(printed, "worth"):
                yield ScoreLine(one.label, self.purses[one][seat].count * worth)

    def uncounted_piece_lines(self, seat: Seat) -> Iterator[ScoreLine]:
        """Yields a seat's score lines for pieces that somebody holds and that don't count."""
        for one, purses in self.purses.items():
            if not read_number(self.pieces[one], "worth") and any(held.count for held in purses.values()):
                yield ScoreLine(one.label, purses[seat].count, is_part_of_total=False)

    def category_and_bonus_lines(self, seat: Seat) -> Iterator[ScoreLine]:
        """Returns a seat's score lines for categories of points and bonuses."""
        return points.category_score_lines(self.categories, self.bonuses, seat)


class FeatureState:
    """Base class of what one feature puts on the table.

    A subclass does so in `__init__`; `Tracks.of(state)` returns it.
    """

    def __init__(self, state: TemplateState) -> None:
        raise NotImplementedError

    @classmethod
    def of(cls, state: TemplateState) -> Self:
        """Returns this feature's state in a match."""
        return state.feature_state(cls)


class MoneySource(NamedTuple):
    """A way for a seat that can't pay to get money, such as a loan: its label, for whom, its function."""

    label: Say
    is_available_to: Callable[[TemplateState, Seat], bool]
    run: Callable[[TemplateState, Seat], Coroutine[Request[Any], Any, None]]


def is_always_offered(_state: TemplateState) -> bool:
    """Returns True: the action is offered at every table."""
    return True


class MenuAction(msgspec.Struct, frozen=True):
    """Something that people may do next. Logs keep its `key`; actions with one `group` are together.

    `is_offered` says whether a table has the action at all. No action depends on where pieces lie: people
    move pieces by hand while the menu is open. An action that can't be done says so once it is chosen.
    """

    key: str
    label: Callable[[TemplateState], Say] | Say
    run: Callable[[TemplateState], Coroutine[Request[Any], Any, None]]
    is_offered: Callable[[TemplateState], bool] = is_always_offered
    group: Say | None = None

    def current_label(self, state: TemplateState) -> Say:
        """Returns the text of the action in the menu now."""
        return self.label(state) if callable(self.label) else self.label
