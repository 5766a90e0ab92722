"""Decides which sound effect is heard when, from what everybody at the table may see.

    TableSounds(controller, player.play)

An effect follows from the views of everybody before and after a change, from public refusals, and from the
clocks. So it tells nothing that is sealed or covered: closing an envelope sounds the same for every answer. A
refusal is silent if only one seat may read it, or if a sealed question is open. Undo, redo and a game that is
opened are silent, as they only restore what was there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock

from companion.requests import Raise
from companion.session.view import View
from companion.session.view_changes import PublicMove, find_public_moves
from ui.evening.controller import TableController
from ui.sound import EFFECTS, Effect


class TableSounds:
    """Plays the effects of one evening: `play` gets the name of each.

    The effect is played in the next frame, so that people see the change when they hear it. Of several
    effects in one frame, only the first in `EFFECTS` is played.
    """

    def __init__(self, controller: TableController, play: Callable[[Effect], object]) -> None:
        self._controller, self._play = controller, play
        self._view: View | None = controller.view
        self._ending_clocks: set[object] = set()
        self._waiting_effects: set[Effect] = set()
        self._play_trigger = Clock.create_trigger(lambda _: self._play_most_important())
        controller.bind(on_change=self._handle_change, on_refusal=self._handle_refusal)
        controller.ticker.bind(clocks=self._handle_clocks, on_ring=self._handle_ring)

    def play_soon(self, effect: Effect) -> None:
        """Plays an effect in the next frame, unless a more important one is played then."""
        self._waiting_effects.add(effect)
        self._play_trigger()

    def _play_most_important(self) -> None:
        effect = min(self._waiting_effects, key=EFFECTS.index)
        self._waiting_effects.clear()
        self._play(effect)

    def _handle_change(self, controller: TableController) -> None:
        before, self._view = self._view, controller.view
        effect = None if controller.is_restoring else effect_of_change(before, self._view)
        if effect is not None:
            self.play_soon(effect)

    def _handle_refusal(self, controller: TableController, _text: object, _seat: object) -> None:
        view = controller.view
        if view is None or view.question is None or not view.question.is_sealed:
            self.play_soon("refusal")

    def _handle_clocks(self, _ticker: object, clocks: list[Any]) -> None:
        ending_clocks: set[object] = {
            (clock.key, clock.seats) for clock in clocks if clock.is_in_final_seconds
        }
        was_open = self._view is not None  # the clocks of a game that is opened come before its view
        if was_open and ending_clocks - self._ending_clocks:
            self.play_soon("ten_seconds")
        self._ending_clocks = ending_clocks

    def _handle_ring(self, _ticker: object, _text: object) -> None:
        self.play_soon("time_up")


# Which effect a change has


def effect_of_change(before: View | None, after: View | None) -> Effect | None:
    """Returns the effect of a change, by the views of everybody before and after it; None for silence.

    Silent are a game that begins, is opened or is over; the fanfare is for the winners, who are announced
    later. Undo and redo aren't told from other changes here.
    """
    if before is None or after is None or before.question is None or after.result is not None:
        return None
    if after.question_number < before.question_number:
        return None
    if _has_new_seal(before, after):
        return "envelope"
    moves = list(find_public_moves(before, after))
    return (
        _effect_of_ended_bidding(before, after, moves)
        or _effect_of_moves(moves)
        or _effect_of_turn(before, after)
    )


def _has_new_seal(before: View, after: View) -> bool:
    """Returns whether a seat has sealed an answer; the last seal of a round opens all envelopes."""
    opened = after.opened_envelopes
    if opened is not None and after.question_number > before.question_number == opened.question_number:
        return True
    earlier_seals = {envelope.seat.number: envelope.seal for envelope in before.envelopes}
    return after.question_number == before.question_number and any(
        envelope.seal and envelope.seal != earlier_seals.get(envelope.seat.number)
        for envelope in after.envelopes
    )


def _effect_of_ended_bidding(before: View, after: View, moves: list[PublicMove]) -> Effect | None:
    """Returns the effect of a bidding that is over: sold, or the gavel alone if nobody has the lot.

    After a sale at the first bid, only what follows shows that it was one: the winner pays, takes the lot, or
    is asked about it.
    """
    bidding = before.question
    if not isinstance(bidding, Raise) or _is_same_bidding(bidding, after.question):
        return None
    assert after.question is not None
    is_still_about_lot = bidding.about in after.question.subjects
    is_sold = bidding.bids or is_still_about_lot or any(move.is_at_seat for move in moves)
    return "sold" if is_sold else "gavel"


def _is_same_bidding(earlier: Raise, question: object) -> bool:
    """Returns whether a question continues a bidding: it is about the same lot, and no bid is lower."""
    if not isinstance(question, Raise) or question.about.key != earlier.about.key:
        return False
    bid_by_seat = {seat.number: bid for seat, bid in question.bids.items()}
    return all(bid <= bid_by_seat.get(seat.number, -1) for seat, bid in earlier.bids.items())


def _effect_of_moves(moves: list[PublicMove]) -> Effect | None:
    """Returns the effect of moved pieces: cards before money before other pieces; markers are silent."""
    if any(move.piece.is_card_face or move.piece.is_physical_card for move in moves):
        return "card"
    coins = Counter[bool]()
    for move in moves:
        if move.piece.is_money:
            coins[move.difference > 0] += abs(move.difference)
    if coins:
        return "coin" if max(coins.values()) == 1 else "coins"
    return "chip" if any(not move.piece.is_marker for move in moves) else None


def _effect_of_turn(before: View, after: View) -> Effect | None:
    """Returns the effect of a turn that passes to one seat.

    Within a bidding the turn passes at every bid, and everybody watches, so it is silent.
    """
    assert before.question is not None
    assert after.question is not None
    asked = {seat.number for seat in after.question.seats}
    if len(asked) != 1 or asked <= {seat.number for seat in before.question.seats}:
        return None
    if isinstance(before.question, Raise) and isinstance(after.question, Raise):
        return None
    return "your_turn"
