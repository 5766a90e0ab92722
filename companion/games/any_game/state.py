"""The state of an evening: what a template laid on the table, as the features of Any Game see it.

Each feature adds a part of its own. The state asks nobody anything but which side is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeVar

import msgspec

from companion.games.any_game import points
from companion.games.any_game.points import Bonus, Category
from companion.games.any_game.teams import keepers, team_label
from companion.games.any_game.template import DECK, Template, number_on
from companion.rulebook import (
    NO_PURSES,
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
    """The table, its template, the purses and the points; `feature` finds what each feature laid there.

    `money_sources` is what a payment offers to a seat that can't pay, by key.
    """

    def __init__(self, table: Table, money_sources: Mapping[str, MoneySource] | None = None) -> None:
        self.table, self.money_sources = table, money_sources or {}
        self.template = template = Template(table.deck(DECK))
        self.house, self.money_rules = template.common_rules, template.money_rules
        self.seats = table.seats
        self.keeper = table.keeper_of = keepers(self.seats, self.house.teams)
        self.pieces = template.pieces
        self.categories = [Category(table, one, self.keeper) for one in template.designs("category")]
        self.bonuses = [Bonus(one) for one in template.designs("bonus")]
        self.purses = {one: self._open_purses(one) for one in self.pieces}
        self.banks = {one: table.account(one, BANK) for one in self.pieces}
        for one, printed in self.pieces.items():
            table.supply(self.banks[one], number_on(printed, "supply"))
            for held in self.purses[one].values():
                table.supply(held, number_on(printed, "start"))
        self.bank = Place(BANK)
        self.treasuries: list[Place] = []
        self._parts: dict[type[FeatureState], FeatureState] = {}
        self._funds: dict[Place, MoneyAtPlace] = {}

    def add_feature(self, feature: type[FeatureState]) -> None:
        """Lays what a feature needs on the table."""
        self._parts[feature] = feature(self)

    def feature(self, feature: type[FeatureType]) -> FeatureType:
        """What a feature laid on the table."""
        found = self._parts[feature]
        assert isinstance(found, feature)
        return found

    # Money

    def _open_purses(self, one: Piece) -> dict[Seat, Account]:
        """The account of a piece in each purse; money may be covered or owed."""
        rules, ledger = self.money_rules, self.table.ledger
        if rules.covered and one.money_value:
            return {seat: self.table.covered_account(one, PURSE, kept) for seat, kept in self.keeper.items()}
        smallest = min((each for each in self.pieces if each.money_value), key=lambda each: each.money_value)
        debt = rules.debts // one.money_value if one is smallest and rules.debts else None
        return {
            seat: ledger.account(Place(PURSE, kept), one, debt=debt) for seat, kept in self.keeper.items()
        }

    @property
    def money_piece(self) -> Piece:
        """The first piece that is money, in which bids are made; ask only a template with pieces."""
        money = self.template.money_piece
        assert money is not None, "a template without pieces has no money"
        return money

    def money_at(self, place: Place) -> MoneyAtPlace:
        """All money at a place; accounts for all notes are open from the beginning."""
        if place not in self._funds:  # every payment asks for two of them
            self._funds[place] = money_at(self.table.ledger, place)
        return self._funds[place]

    @cached_property
    def _purse_funds(self) -> Mapping[Seat, MoneyAtPlace]:
        return {seat: self.money_at(Place(PURSE, kept)) for seat, kept in self.keeper.items()}

    def purse(self, seat: Seat) -> MoneyAtPlace:
        """All money of a seat."""
        return self._purse_funds[seat]

    @property
    def highest_bid(self) -> int | None:
        """The table's own limit of every bid."""
        most = self.table.options["most"]
        return most if isinstance(most, int) else None

    @property
    def bidding_purses(self) -> Mapping[Seat, Account] | Mapping[Seat, MoneyAtPlace]:
        """The purses that pay bids; none where nobody pays."""
        if self.table.options["pays"] == "nobody":
            return NO_PURSES
        if [one.money_value for one in self.pieces if one.money_value] != [1] or self.money_rules.debts:
            return self._purse_funds
        return self.purses[self.money_piece]

    # Sides: a seat, or a team that shares a purse

    @property
    def sides(self) -> tuple[Seat, ...]:
        """The seats that hold a purse and write points: everybody who plays, but only one of a team."""
        return tuple(self.table.paying_seats)

    def side_label(self, seat: Seat) -> Labelled:
        """What people call the side of a seat: its team, or the seat itself."""
        return team_label(self.keeper, seat)

    async def choose_side(
        self, question: Say, sides: Iterable[Seat] | None = None, known_as: Say | None = None
    ) -> Seat:
        """Asks which side is meant, of these or of all."""
        named = {str(one.number): one for one in (self.sides if sides is None else sides)}
        texts = {key: self.side_label(one) for key, one in named.items()}
        return named[await Choose(None, question, texts, log_name=known_as)]

    # What pieces and points count

    def piece_lines(self, seat: Seat) -> Iterator[ScoreLine]:
        """The lines of a seat on the score sheet for pieces that count at the end."""
        for one, printed in self.pieces.items():
            if worth := number_on(printed, "worth"):
                yield ScoreLine(one.label, self.purses[one][seat].count * worth)

    def uncounted_lines(self, seat: Seat) -> Iterator[ScoreLine]:
        """The lines of a seat for pieces that somebody holds and that don't count."""
        for one, purses in self.purses.items():
            if not number_on(self.pieces[one], "worth") and any(held.count for held in purses.values()):
                yield ScoreLine(one.label, purses[seat].count, is_part_of_total=False)

    def point_lines(self, seat: Seat) -> Iterator[ScoreLine]:
        """The lines of a seat on the score sheet for points and bonuses."""
        return points.score_lines(self.categories, self.bonuses, seat)


class FeatureState:
    """What a feature lays on the table. A subclass lays it in `__init__`; `Tracks.of(state)` finds it."""

    def __init__(self, state: TemplateState) -> None:
        raise NotImplementedError

    @classmethod
    def of(cls, state: TemplateState) -> Self:
        """The part of this feature on the table."""
        return state.feature(cls)


class MoneySource(NamedTuple):
    """How a seat that can't pay may get money, such as by a loan: its label, for whom, and its function."""

    label: Say
    is_open_to: Callable[[TemplateState, Seat], bool]
    run: Callable[[TemplateState, Seat], Coroutine[Request[Any], Any, None]]


def is_always_offered(_state: TemplateState) -> bool:
    """True for every table."""
    return True


class MenuAction(msgspec.Struct, frozen=True):
    """Something that people may do next. Logs keep its `key`; actions with one `group` stand together.

    `is_offered` says whether a table has the action at all. No action depends on where pieces lie: people
    move pieces by hand while the menu is open. An action that can't be done says so once it is chosen.
    """

    key: str
    label: Callable[[TemplateState], Say] | Say
    run: Callable[[TemplateState], Coroutine[Request[Any], Any, None]]
    is_offered: Callable[[TemplateState], bool] = is_always_offered
    group: Say | None = None

    def current_label(self, state: TemplateState) -> Say:
        """The text of the action in the menu now."""
        return self.label(state) if callable(self.label) else self.label
