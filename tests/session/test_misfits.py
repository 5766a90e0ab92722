"""What no longer fits, in people's words."""

import pytest

from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.high_bid.rulebook import GAME as HIGH_BID
from companion.log.events import Answered, Corrected
from companion.requests import Amount, Choose, Request, Together
from companion.session.run import describe_open_question, describe_step_from_log
from companion.session.session import find_no_card
from companion.table.seats import make_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import render, say

AKI, BEN = make_seats(["Aki", "Ben"])
DAY = say("Day")


@pytest.mark.parametrize(
    ("asks", "told"),
    [
        ("Read @2: Payment for chip 4", "Ben: Payment for daughter 4"),
        ("Raise @1: chip 13", "Aki: daughter 13"),
        ("Together @1 @3: Sealed bid", "Aki, Chie: Sealed bid"),
        ("Choose: Who leads?", "Who leads?"),
        ("Choose: A chip or a discard?", "A chip or a discard?"),
        ("", ""),
    ],
)
def test_what_was_asked_then(asks: str, told: str) -> None:
    """A log alone tells who was asked what; pieces have the names that people know them by."""
    table = Script(EGYPT, "Aki", "Ben", "Chie").session.table
    assert render(describe_step_from_log(table, Answered(1, asks, 1, "screen", 0.0))) == told


def test_what_was_asked_at_a_table_without_pieces() -> None:
    """Where nothing lies nothing has a name of its own."""
    table = Table(make_seats(["Aki", "Ben"]), {}, {}, find_no_card)
    assert (
        render(describe_step_from_log(table, Answered(1, "Choose @2: Day", "dig", "screen", 0.0)))
        == "Ben: Day"
    )


@pytest.mark.parametrize(
    ("place", "reason", "told"),
    [
        ("@1/hand", "lost", "Corrected: 1 card from Aki's hand to box (lost)"),
        ("@1/hand", "", "1 card from Aki's hand to box"),
        ("@9/hand", "lost", "Corrected (lost)"),
        ("@9/hand", "", "Corrected"),
    ],
)
def test_what_was_moved_then(place: str, reason: str, told: str) -> None:
    """A correction is told as in the history; where a place isn't there any more, by its reason."""
    table = Script(EGYPT, "Aki", "Ben", "Chie").session.table
    assert render(describe_step_from_log(table, Corrected(1, place, "box", "card", 1, reason, 0.0))) == told


@pytest.mark.parametrize(
    ("reason", "told"), [("change", "Hidden correction (change)"), ("", "Hidden correction")]
)
def test_what_was_moved_under_cover(reason: str, told: str) -> None:
    """Not what and how much; where people gave no reason there are no brackets."""
    table = Script(HIGH_BID, "Aki", "Ben", "Chie").session.table
    assert (
        render(describe_step_from_log(table, Corrected(1, "@1/purse", "@2/purse", "dollar", 1, reason, 0.0)))
        == told
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (Choose(AKI, DAY, {"dig": say("Dig")}), "The question now is: “Aki: Day”"),
        (Choose(None, DAY, {"dig": say("Dig")}), "The question now is: “Day”"),
        (Choose(AKI, say("{seat}, dig?", seat=AKI), {"dig": DAY}), "The question now is: “Aki, dig?”"),
        (
            Together(DAY, {AKI: Amount(AKI, DAY, most=9), BEN: Amount(BEN, DAY, most=9)}),
            "The question now is: “Aki, Ben: Day”",
        ),
    ],
)
def test_what_is_asked_now(question: Request[object], told: str) -> None:
    """Who is asked is named once."""
    assert render(describe_open_question(question)) == told
