"""Who sits where."""

import pytest

from companion.errors import UnknownName, UserError
from companion.table.seats import SEAT_COLOURS, check_names_not_reserved, make_seats
from companion.texts import say

SEATS = make_seats(["Aki", "Ben", "Chie"])
AKI, BEN, CHIE = SEATS


def test_seats_are_clockwise() -> None:
    """Seats count from 1 and take the colours in their order."""
    assert [(seat.number, seat.label, seat.key) for seat in SEATS] == [
        (1, "Aki", "@1"),
        (2, "Ben", "@2"),
        (3, "Chie", "@3"),
    ]
    assert [seat.colour for seat in SEATS] == list(SEAT_COLOURS[:3])


def test_round_the_table() -> None:
    """From a seat, and after a seat, everybody comes once; a turned table can be turned on."""
    assert SEATS.starting_with(BEN) == (BEN, CHIE, AKI)
    assert SEATS.starting_after(BEN) == (CHIE, AKI, BEN)
    assert SEATS.starting_after(CHIE) == (AKI, BEN, CHIE)
    assert SEATS.starting_with(BEN).starting_after(CHIE) == (AKI, BEN, CHIE)
    assert SEATS.starting_with(BEN).seat_numbered(1) == AKI


def test_seats_are_found() -> None:
    """By number, or by name; an unknown name lists those at the table."""
    assert SEATS.seat_numbered(2) == SEATS.find_seat("Ben") == BEN
    with pytest.raises(UnknownName, match=r"no player called Dai\. Players: Aki, Ben, Chie"):
        SEATS.find_seat("Dai")


@pytest.mark.parametrize(
    ("names", "colours", "why"),
    [
        (["Aki", ""], SEAT_COLOURS, "1 to 20 characters"),
        (["Aki", " Ben"], SEAT_COLOURS, "no space at the start or the end"),
        (["Aki", "B" * 21], SEAT_COLOURS, "1 to 20 characters"),
        (["Aki", "Be\nn"], SEAT_COLOURS, "one line of visible characters"),
        (["Aki", "\ud800"], SEAT_COLOURS, "one line of visible characters"),
        (["Aki", "Ben/hand"], SEAT_COLOURS, "can't contain"),
        (["Aki", "@2"], SEAT_COLOURS, "can't contain"),
        (["Aki", "Aki"], SEAT_COLOURS, "Aki is used twice"),
        (["Aki", "Ben"], ["sky", "sky"], "sky is used twice"),
        (["Aki", "Ben"], ["sky", "pink"], "no colour called pink. Choose from: orange, sky"),
        (["Aki", "Ben"], ["sky"], "There are 2 players, but only 1 colours"),
    ],
)
def test_people_must_be_told_apart(names: list[str], colours: list[str], why: str) -> None:
    """Names and colours that can't be read or told apart are refused."""
    with pytest.raises(UserError, match=why):
        make_seats(names, colours)


@pytest.mark.parametrize("name", ["bank", "BANK", "ｂａｎｋ", "銀行"])
def test_a_name_may_mean_nothing_else(name: str) -> None:
    """What people type for something else is refused, in capitals, full width and any language."""
    check_names_not_reserved(["Aki", "Banker"], [say("bank")])
    with pytest.raises(UserError) as refused:
        check_names_not_reserved(["Aki", name], [say("bank")])
    assert (
        str(refused.value)
        == f"{name} can't be the name of a player, because this word means something else here."
    )
