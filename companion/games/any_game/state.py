"""State of a match of Any Game: what its template put on the table, and what each feature added.

The state asks people nothing except which side is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeVar

import msgspec

from companion.games.any_game import points
from companion.games.any_game.limits import MAX_AMOUNT
from companion.games.any_game.points import Category, GroupBonus
from companion.games.any_game.teams import assign_team_captains, team_label
from companion.games.any_game.template import BROKEN, DECK, Template, read_number
from companion.rulebook import (
    BOX,
    NO_PURSE_LIMITS,
    Account,
    Choose,
    Labelled,
    MoneyAtPlace,
    OptionRequirement,
    Piece,
    Place,
    Request,
    Say,
    ScoreLine,
    Seat,
    Table,
    confirm_above,
    money_at,
    say,
)

PURSE, BANK = say("purse"), say("bank")
MAX_BANK_DEBT = 100_000_000
MIN_VERSION_REFUSING_IMPOSSIBLE = 3
"""The first version of Any Game that refuses payments above what a payer has, and actions that do nothing."""
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
        self.design_by_piece = template.design_by_piece
        self.categories = [
            Category(table, design, self.captain_by_seat, has_halves=self.general_rules.half_points)
            for design in template.designs_of_kind("category")
        ]
        self.bonuses = [GroupBonus(design) for design in template.designs_of_kind("bonus")]
        self.purse_accounts_by_piece = {piece: self._open_purses(piece) for piece in self.design_by_piece}
        self.bank_account_by_piece = {piece: self._open_bank_account(piece) for piece in self.design_by_piece}
        for piece, design in self.design_by_piece.items():
            table.supply_from_box(self.bank_account_by_piece[piece], read_number(design, "supply"))
            for purse in self.purse_accounts_by_piece[piece].values():
                # Where somebody comes later, the start is dealt once the table has said who is there.
                account = table.account(piece, BOX) if self.general_rules.lets_players_join else purse
                table.supply_from_box(account, read_number(design, "start"))
        self.bank_place = Place(BANK)
        self.treasury_places: list[Place] = []
        self._feature_by_class: dict[type[FeatureState], FeatureState] = {}
        self._money_by_place: dict[Place, MoneyAtPlace] = {}

    def add_feature(self, feature_class: type[FeatureState]) -> None:
        """Creates a feature's state, which puts on the table what the feature needs."""
        self._feature_by_class[feature_class] = feature_class(self)

    def feature_state(self, feature_class: type[FeatureType]) -> FeatureType:
        """Returns the state of a feature."""
        feature = self._feature_by_class[feature_class]
        assert isinstance(feature, feature_class)
        return feature

    # Money

    def _open_purses(self, piece: Piece) -> dict[Seat, Account]:
        """Opens the account of a piece in each purse; money may be covered or owed."""
        rules, ledger = self.money_rules, self.table.ledger
        if rules.covered and piece.money_value:
            return {
                seat: self.table.covered_account(piece, PURSE, captain)
                for seat, captain in self.captain_by_seat.items()
            }
        is_owed = piece is self._smallest_money and rules.debts
        max_debt = rules.debts // piece.money_value if is_owed else None
        return {
            seat: ledger.open_account(Place(PURSE, captain), piece, max_debt=max_debt)
            for seat, captain in self.captain_by_seat.items()
        }

    def _open_bank_account(self, piece: Piece) -> Account:
        """Opens the account of a piece in the bank; a bank that may break can owe its smallest money."""
        is_owed = piece is self._smallest_money and self.money_rules.empty_bank == BROKEN
        max_debt = MAX_BANK_DEBT // piece.money_value if is_owed else None
        return self.table.ledger.open_account(Place(BANK), piece, max_debt=max_debt)

    @cached_property
    def _smallest_money(self) -> Piece:
        """The piece of the smallest value that is money; a table has one if it has pieces."""
        return min(
            (piece for piece in self.design_by_piece if piece.money_value),
            key=lambda piece: piece.money_value,
        )

    @property
    def money_piece(self) -> Piece:
        """The first piece that is money, in which bids are made.

        A template without pieces has none.
        """
        piece = self.template.money_piece
        assert piece is not None, "a template without pieces has no money"
        return piece

    def money_at(self, place: Place) -> MoneyAtPlace:
        """Returns all money at a place; accounts for all notes are open from the beginning."""
        if place not in self._money_by_place:  # every payment asks for two of them
            self._money_by_place[place] = money_at(self.table.ledger, place)
        return self._money_by_place[place]

    @cached_property
    def _money_by_seat(self) -> Mapping[Seat, MoneyAtPlace]:
        return {seat: self.money_at(Place(PURSE, captain)) for seat, captain in self.captain_by_seat.items()}

    def purse(self, seat: Seat) -> MoneyAtPlace:
        """Returns the purse of a seat: all its money."""
        return self._money_by_seat[seat]

    @property
    def max_bid_option(self) -> int | None:
        """The highest bid allowed: the table's option, else `MAX_AMOUNT`.

        None if the match was begun before bids had a limit and the table sets none.
        """
        max_bid = self.table.options["most"]
        if isinstance(max_bid, int):
            return max_bid
        return None if self.template.predates_bid_limit else MAX_AMOUNT

    @property
    def purses_paying_bids(self) -> Mapping[Seat, Account] | Mapping[Seat, MoneyAtPlace]:
        """The purses that pay bids; none where nobody pays."""
        if self.table.options["pays"] == "nobody":
            return NO_PURSE_LIMITS
        if [piece.money_value for piece in self.design_by_piece if piece.money_value] != [
            1
        ] or self.money_rules.debts:
            return self._money_by_seat
        return self.purse_accounts_by_piece[self.money_piece]

    @property
    def _money_accounts(self) -> list[Account]:
        pieces = [piece for piece in self.design_by_piece if piece.money_value]
        return [account for piece in pieces for account in self.table.ledger.accounts_of(piece)]

    @property
    def max_money(self) -> int:
        """The most money that anybody can pay or be paid: all the money in the match.

        `MAX_AMOUNT` where money has no end or can be owed, and in matches of older versions.
        """
        accounts = self._money_accounts
        can_be_owed = any(account.can_go_below_zero or account.max_debt for account in accounts)
        if can_be_owed or self.table.version < MIN_VERSION_REFUSING_IMPOSSIBLE:
            return MAX_AMOUNT
        return min(MAX_AMOUNT, _total_value(accounts))

    @property
    def confirm_money_above(self) -> int:
        """The amount of money above which people are asked whether it is right: all the money in the match.

        Where money has no end, it depends on the money that everybody can see.
        """
        accounts = self._money_accounts
        if not any(account.can_go_below_zero for account in accounts):
            return max(confirm_above(), _total_value(accounts))
        return confirm_above(*[_total_value([account]) for account in accounts if not account.covered])

    # Sides: a seat, or a team that shares a purse

    @property
    def playing_sides(self) -> tuple[Seat, ...]:
        """The sides still in the match, one seat for each.

        A side is a team, with its first seat, or a player without a team. These seats hold a purse and score
        points.
        """
        return tuple(self.table.captains_in_game)

    def side_label(self, seat: Seat) -> Labelled:
        """Returns the label of a seat's side: its team, or the seat itself."""
        return team_label(self.captain_by_seat, seat)

    async def choose_side(
        self, question: Say, sides: Iterable[Seat] | None = None, log_name: Say | None = None
    ) -> Seat:
        """Asks which side (team or player) is meant; `playing_sides` are all by default."""
        side_by_key = {str(side.number): side for side in (self.playing_sides if sides is None else sides)}
        options = {key: self.side_label(side) for key, side in side_by_key.items()}
        return side_by_key[await Choose(None, question, options, log_name=log_name)]

    # What pieces and points count

    def counted_piece_lines(self, seat: Seat) -> Iterator[ScoreLine]:
        """Yields a seat's score lines for pieces that count at the end."""
        for piece, design in self.design_by_piece.items():
            if points_each := read_number(design, "worth"):
                yield ScoreLine(piece.label, self.purse_accounts_by_piece[piece][seat].count * points_each)

    def unscored_piece_lines(self, seat: Seat) -> Iterator[ScoreLine]:
        """Yields a seat's score lines for pieces that somebody holds and that don't count."""
        for piece, purses in self.purse_accounts_by_piece.items():
            if not read_number(self.design_by_piece[piece], "worth") and any(
                purse.count for purse in purses.values()
            ):
                yield ScoreLine(piece.label, purses[seat].count, is_part_of_total=False)

    def category_and_bonus_lines(self, seat: Seat) -> Iterator[ScoreLine]:
        """Yields a seat's score lines for categories of points and bonuses."""
        return points.category_score_lines(self.categories, self.bonuses, seat)


def _total_value(accounts: Iterable[Account]) -> int:
    """Returns the value of the money in some accounts."""
    return sum(account.count * account.piece.money_value for account in accounts)


class FeatureState:
    """Base class of what one feature puts on the table.

    A subclass puts its accounts on the table in `__init__`. `Tracks.of(state)` returns the one of a match.
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


class ActionGroup(msgspec.Struct, frozen=True):
    """A group of actions in the menu: its name, and the emblem that a screen draws on each of its keys."""

    label: Say
    emblem: str


ROUNDS_GROUP, POINTS_GROUP = ActionGroup(say("Rounds and turns"), "⏳"), ActionGroup(say("Points"), "⭐")
MONEY_GROUP, LOTS_GROUP = ActionGroup(say("Money"), "💰"), ActionGroup(say("Lots"), "🔨")
COMPANIES_GROUP, PLAYERS_GROUP = ActionGroup(say("Companies"), "📈"), ActionGroup(say("Players"), "👤")
CHANCE_GROUP = ActionGroup(say("Chance"), "🎲")


class TotalCount(msgspec.Struct, frozen=True):
    """The pieces in several accounts together, as a count that may change while a question is open."""

    accounts: tuple[Account, ...]

    @property
    def count(self) -> int:
        """The number of pieces now."""
        return sum(account.count for account in self.accounts)

    @property
    def covered(self) -> bool:
        """True if the number is hidden from some players."""
        return any(account.covered for account in self.accounts)


class NeededPieces(NamedTuple):
    """The pieces without which an action does nothing, and the sentence that says so."""

    accounts: Iterable[Account]
    refusal: Say


class MenuAction(msgspec.Struct, frozen=True):
    """Something that people may do next, as an entry of the menu.

    Logs keep its `key`. The menu shows actions with one `group` together. `is_offered` says whether a table
    has the action at all; this never depends on where pieces lie, because people move pieces by hand while
    the menu is open. `needed_pieces`: the action is refused, with a reason, while there are none of these
    pieces. Any other action that can't be done says so once it is chosen. `note` says more about the label.
    `is_payment`: the action asks who pays whom how much. `emblem`: its own emblem instead of its group's.
    """

    key: str
    label: Callable[[TemplateState], Say] | Say
    run: Callable[[TemplateState], Coroutine[Request[Any], Any, None]]
    group: ActionGroup
    is_offered: Callable[[TemplateState], bool] = is_always_offered
    needed_pieces: Callable[[TemplateState], NeededPieces] | None = None
    note: Say | None = None
    is_payment: bool = False
    emblem: str = ""

    def current_label(self, state: TemplateState) -> Say:
        """Returns the text of the action in the menu now."""
        return self.label(state) if callable(self.label) else self.label

    def make_requirement(self, state: TemplateState) -> OptionRequirement | None:
        """Returns the requirement that there is something to do; None if the action needs no pieces."""
        if self.needed_pieces is None or state.table.version < MIN_VERSION_REFUSING_IMPOSSIBLE:
            return None
        accounts, refusal = self.needed_pieces(state)
        return OptionRequirement(TotalCount(tuple(accounts)), 1, refusal)
