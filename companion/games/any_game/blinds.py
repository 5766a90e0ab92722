"""Blinds and antes: what seats pay into the pot each round, and how these payments rise.

The blinds are the same all evening, or go through the levels of a list, as in a poker tournament: every few
rounds, or when the table says that they go up. A clock may remind people of it; the rules don't know when.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from companion.games.any_game.bank import (
    NEEDS_MONEY_ERROR,
    NEEDS_PLACE_ERROR,
    TemplatePlaces,
    find_unpayable_amount_errors,
    pay_or_ask,
)
from companion.games.any_game.leaving import playing_seats
from companion.games.any_game.state import ROUNDS_GROUP, FeatureState, MenuAction, TemplateState
from companion.games.any_game.template import Template
from companion.games.any_game.turn_order import ROUND_TRACK, current_round, start_or_dealer_marker_holder
from companion.rulebook import ComputedCell, Piece, Say, VisibleTable, say, say_n

HEADS_UP_PLAYER_COUNT = 2
"""With this number of players, the holder of the marker pays the small blind."""
BIG_TO_SMALL_BLIND_RATIO = 2
"""The big blind of a level is its small blind times this number."""
MIN_RISING_LEVELS = 2
"""The fewest levels of blinds that can rise."""
SECONDS_PER_MINUTE = 60
LEVEL_MARKER = Piece(
    "blind level", say("blind level"), is_endless=True, is_marker=True, count_label=say("level {n}", n=2)
)


class BlindRules(msgspec.Struct, frozen=True):
    """Rules for rising blinds: how many rounds a level lasts, or after how many minutes people are reminded.

    Both are 0 if the table says when the blinds go up. any_game.toml explains the words.
    """

    level_rounds: int = 0
    level_minutes: int = 0


def blind_levels(template: Template) -> Sequence[int]:
    """Returns the small blind of each level; empty if the blinds don't rise.

    A log of an older match lacks the list, and a template without levels has only 0 in it.
    """
    levels = template.deck.board.get("blinds", ())
    return levels if any(levels) else ()


def can_blinds_rise(template: Template) -> bool:
    """Returns True if there are at least two levels."""
    return len(blind_levels(template)) >= MIN_RISING_LEVELS


def ante_levels(template: Template) -> Sequence[int]:
    """Returns the ante of each level, the last one also of later levels; empty if nobody pays an ante."""
    antes = template.deck.board.get("antes", ())
    return antes if any(antes) else ()


class BlindLevel(FeatureState):
    """The level of the blinds, as a marker on the round track; no marker if the blinds don't rise."""

    def __init__(self, state: TemplateState) -> None:
        self._levels, self._state = blind_levels(state.template), state
        self._antes = ante_levels(state.template)
        if self._levels:
            self._account = state.table.account(LEVEL_MARKER, ROUND_TRACK)
            state.table.supply_from_box(self._account, 1)
            self._remind_of_next_level()

    @property
    def current_blinds(self) -> tuple[int, int]:
        """The small and the big blind now."""
        if not self._levels:
            return self._state.money_rules.small_blind, self._state.money_rules.big_blind
        small_blind = amount_at_level(self._levels, self._account.count)
        return small_blind, BIG_TO_SMALL_BLIND_RATIO * small_blind

    @property
    def current_ante(self) -> int:
        """The amount that everybody pays each round now."""
        return amount_at_level(self._antes, self._account.count) if self._antes else 0

    def raise_by_one(self) -> None:
        """Moves to the next level and announces it; at the last level, says that there is none."""
        if self._account.count >= len(self._levels):
            self._state.table.add_note(say("The blinds are at the highest level."))
            return
        self._state.table.add_markers(self._account)
        small, big = self.current_blinds
        self._state.table.add_note(say("The blinds are now {small} and {big}.", small=small, big=big))
        self._remind_of_next_level()

    def _remind_of_next_level(self) -> None:
        """Starts the clock of the level that has begun, if the template has one and another level follows."""
        minutes, table = self._state.template.read_rules(BlindRules).level_minutes, self._state.table
        table.reminder = None
        if minutes and self._account.count < len(self._levels):
            small = amount_at_level(self._levels, self._account.count + 1)
            text = say_n(
                "{n} minute is over. Raise the blinds to {small} and {big}: “Blinds go up”.",
                "{n} minutes are over. Raise the blinds to {small} and {big}: “Blinds go up”.",
                n=minutes,
                small=small,
                big=BIG_TO_SMALL_BLIND_RATIO * small,
            )
            table.remind_after(minutes * SECONDS_PER_MINUTE, say("blinds"), text)

    def raise_if_due(self) -> None:
        """Moves to the next level if a round begins with which the template raises the blinds.

        Blinds that people raised earlier stay until the template's level has caught up with them.
        """
        rounds_per_level = self._state.template.read_rules(BlindRules).level_rounds
        rounds_played = (current_round(self._state) or 1) - 1
        if (
            self._levels
            and rounds_per_level
            and rounds_played
            and rounds_played % rounds_per_level == 0
            and self._account.count < min(len(self._levels), 1 + rounds_played // rounds_per_level)
        ):
            self.raise_by_one()


def amount_at_level(levels: Sequence[int], level: int) -> int:
    """Returns the small blind or the ante of a level, counted from 1.

    People can move the marker before the first and beyond the last level by hand; then these count.
    """
    return levels[min(max(level, 1), len(levels)) - 1]


async def pay_antes_and_blinds(state: TemplateState) -> None:
    """Raises the blinds if that is due, and pays antes and blinds into the first place of the template."""
    level = BlindLevel.of(state)
    level.raise_if_due()
    if ante := level.current_ante:
        state.table.add_note(say("The ante is {amount} for everybody.", amount=ante))
        for side in state.playing_sides:
            pot = TemplatePlaces.of(state).places[0]
            if not await pay_or_ask(state, state.purse(side).place, pot, ante):
                state.table.add_note_about(
                    say("{seat}", seat=side),
                    say("{seat} pays no ante.", seat=side),
                    lambda who: say("{who} pay no ante.", who=who),
                )
    await pay_blinds(state)


async def pay_blinds(state: TemplateState) -> None:
    """Pays the small and the big blind into the first place of the template.

    The two sides after the marker pay them. With two sides, the holder of the marker pays the small blind.
    Without a holder nobody pays, and a note says so.
    """
    small_blind, big_blind = BlindLevel.of(state).current_blinds
    if not small_blind + big_blind:
        return
    dealer = start_or_dealer_marker_holder(state)
    if dealer is None:
        state.table.add_note(
            say("Nobody pays blinds. Choose a start player first.")
            if state.general_rules.deal == "nobody"
            else say("Nobody pays blinds. Choose a dealer first.")
        )
        return
    playing = playing_seats(state)
    sides_after_dealer = list(
        dict.fromkeys(
            state.captain_by_seat[seat] for seat in state.seats.starting_after(dealer) if seat in playing
        )
    )
    if len(sides_after_dealer) < HEADS_UP_PLAYER_COUNT:
        return
    small_blind_side, big_blind_side = (
        (sides_after_dealer[-1], sides_after_dealer[0])
        if len(sides_after_dealer) == HEADS_UP_PLAYER_COUNT
        else sides_after_dealer[:HEADS_UP_PLAYER_COUNT]
    )
    for side, amount in ((small_blind_side, small_blind), (big_blind_side, big_blind)):
        paid = await pay_or_ask(state, state.purse(side).place, TemplatePlaces.of(state).places[0], amount)
        state.table.add_note(say("{seat} pays a blind of {amount}.", seat=side, amount=paid))


async def raise_blinds(state: TemplateState) -> None:
    """Raises the blinds by one level; the next round begins with them."""
    BlindLevel.of(state).raise_by_one()


# Errors in a template


def find_blind_errors(template: Template) -> Iterator[Say]:
    """Yields errors of rising blinds: contradictions, and a missing place, list or piece of money."""
    rules, levels = template.money_rules, blind_levels(template)
    if ante_levels(template) and not levels:
        yield say('The list "antes" needs the list "blinds".')
    yield from _find_rise_errors(template)
    if not levels:
        return
    if template.money_piece is None:
        yield NEEDS_MONEY_ERROR
        return
    if not template.designs_of_kind("place"):
        yield NEEDS_PLACE_ERROR
    for field, value in (("small_blind", rules.small_blind), ("big_blind", rules.big_blind)):
        if value:
            text = '{field} must be 0, because the list "blinds" says how high the blinds are.'
            yield say(text, field=field)
    if any(higher < lower for lower, higher in pairwise(levels)):
        yield say('The blinds of the list "blinds" can\'t become lower from one level to the next.')
    if len(ante_levels(template)) > len(levels):
        yield say('The list "antes" can\'t be longer than the list "blinds".')
    yield from find_unpayable_amount_errors(template, "blinds", levels)
    yield from find_unpayable_amount_errors(template, "antes", ante_levels(template))


def _find_rise_errors(template: Template) -> Iterator[Say]:
    """Yields errors about when the blinds rise: without levels, and by rounds and by the clock."""
    rules = template.read_rules(BlindRules)
    for field in BlindRules.__struct_fields__:
        if getattr(rules, field) and not can_blinds_rise(template):
            text = '{field} needs the list "blinds" with the small blind of at least two levels.'
            yield say(text, field=field)
    if rules.level_rounds and rules.level_minutes:
        yield say("level_rounds and level_minutes don't work together. Set one of them to 0.")


# The scene


def build_blind_cells(template: Template) -> Iterator[ComputedCell]:
    """Yields the cells with the small blind, the big blind and the ante now, if the blinds rise."""
    levels, antes = blind_levels(template), ante_levels(template)

    def amount(look: VisibleTable, amounts: Sequence[int]) -> int:
        return amount_at_level(amounts, look.visible_count_or_zero(LEVEL_MARKER, ROUND_TRACK))

    if levels:
        big_blinds = [BIG_TO_SMALL_BLIND_RATIO * small_blind for small_blind in levels]
        yield ComputedCell(say("small blind"), lambda look, _seat: amount(look, levels))
        yield ComputedCell(say("big blind"), lambda look, _seat: amount(look, big_blinds))
    if antes:
        yield ComputedCell(say("ante"), lambda look, _seat: amount(look, antes))


MENU = (
    MenuAction(
        "blinds", say("Blinds go up"), raise_blinds, ROUNDS_GROUP,
        lambda state: can_blinds_rise(state.template), emblem="⏫",
    ),
)  # fmt: skip  # a menu
