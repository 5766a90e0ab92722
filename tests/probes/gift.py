"""An action that no product has: the bank gives somebody coins, once people have confirmed it."""

from __future__ import annotations

from collections.abc import Collection

from companion.actions import (
    ActionOutcome,
    ActionParameter,
    ActionTarget,
    CommandUsage,
    NeedsConfirmation,
    ParameterValues,
    TableAction,
)
from companion.requests.fields import Field, NumberField, OptionField
from companion.texts import say

SURE = "gift"


def _gift(evening: ActionTarget, given: ParameterValues, confirmed: Collection[str]) -> ActionOutcome:
    session = evening.current_session
    seat = session.table.seats.find_seat(given["seat"])
    if SURE not in confirmed:
        text = say("Gifts make the others envious.")
        raise NeedsConfirmation(SURE, say("Give {seat} a gift?", seat=seat), text, say("Give"))
    session.correct("bank", f"{seat.key}/purse", "coin", given["coins"], "")
    return ActionOutcome(messages=(say("{seat} has got {n} coins.", seat=seat, n=given["coins"]),))


def _seats(evening: ActionTarget, _: ParameterValues) -> Field:
    return OptionField(options={seat.key: seat for seat in evening.current_session.table.seats})


def _coins(_: ActionTarget, given: ParameterValues) -> Field:
    """The first seat gets less."""
    return NumberField(least=1, most=3 if given["seat"] == "@1" else 9)


GIFT = TableAction(
    key="gift",
    command=CommandUsage(say("gift"), "Aki 3", say("gives somebody coins from the bank")),
    parameters=(
        ActionParameter(
            key="seat", json_type=str, question=say("Who gets a gift?"), make_entry_if_needed=_seats
        ),
        ActionParameter(
            key="coins", json_type=int, question=say("How many coins?"), make_entry_if_needed=_coins
        ),
    ),
    confirmations=(SURE,),
    is_offered=lambda evening: evening.current_session.game.has_free_moves,
    run=_gift,
)
