"""What eyes may see."""

import pytest

from companion.games.any_game.rulebook import GAME as ANY_GAME
from companion.log.events import seal_letters
from companion.requests import Done, Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import Holding, View, list_history_entries, make_view, movable_holdings_by_place
from companion.table.ledger import Piece
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import render, say, say_n
from tests.support.stall_game import STALL_GAME, FailingLog


@pytest.fixture
def stall() -> Script:
    """Aki and Ben at the stall, where purses are covered."""
    return Script(STALL_GAME, "Aki", "Ben")


def seen(holdings: tuple[Holding, ...]) -> dict[str, int | None]:
    """Counts by place and piece."""
    return {
        f"{holding.place.key_with_player_name} {holding.piece.key}": holding.count for holding in holdings
    }


def test_everybody_sees_what_lies_open(stall: Script) -> None:
    """Open accounts with their counts unless empty, covered ones without."""
    stall.says("table: give")
    everybody = make_view(stall.session)
    assert seen(everybody.holdings) == {
        "Aki/purse coin": None,
        "Ben/purse coin": None,
        "till gem": 8,
        "Aki/front gem": 1,
    }
    aki, ben = everybody.seats
    assert seen(everybody.holdings_of(aki)) == {"Aki/purse coin": None, "Aki/front gem": 1}
    assert seen(everybody.holdings_of(ben)) == {"Ben/purse coin": None}
    assert seen(everybody.common_holdings()) == {"till gem": 8}


def test_a_seat_sees_its_own(stall: Script) -> None:
    """What is covered before a seat is shown to that seat alone."""
    aki, _ = stall.session.table.seats
    assert seen(make_view(stall.session, aki).holdings) == {
        "Aki/purse coin": 20,
        "Ben/purse coin": None,
        "till gem": 9,
    }


def test_an_empty_covered_place_looks_like_a_full_one(stall: Script) -> None:
    """To others it is covered, as ever; its owner sees that nothing is there."""
    aki, ben = stall.session.table.seats
    stall.session.correct("@1/purse", "@2/purse", "coin", 20, "lost a bet")
    for eyes in (None, ben):
        assert seen(make_view(stall.session, eyes).holdings_of(aki)) == {"Aki/purse coin": None}
    assert seen(make_view(stall.session, aki).holdings_of(aki)) == {"Aki/purse coin": 0}


def test_a_moment_is_seen_whole(stall: Script) -> None:
    """Question, number, notes of the last answer, and what can be undone."""
    first = make_view(stall.session)
    assert (first.question_number, render(first.game_title), first.notes) == (1, "Stall", ())
    assert (first.may_undo, first.may_redo, first.result, first.heading) == (False, False, None, None)
    stall.says("table: give")
    second = make_view(stall.session)
    assert second.question is stall.session.question
    assert [render(note) for note in second.notes] == ["Aki gets a gem."]
    stall.says("table: sell", "undo")
    third = make_view(stall.session)
    assert (third.question_number, third.may_undo, third.may_redo) == (4, True, True)
    stall.says("table: close")
    assert make_view(stall.session).result == stall.session.result


def test_an_envelope_shows_twelve_letters(stall: Script) -> None:
    """Who has sealed shows the letters of the commitment, and nothing of what is in it."""
    assert make_view(stall.session).envelopes == ()
    stall.says("table: sell", "Ben 7")
    aki, ben = make_view(stall.session).envelopes
    assert (aki.seat.name, aki.has_answer, aki.seal) == ("Aki", False, "")
    assert (ben.seat.name, ben.has_answer) == ("Ben", True)
    assert ben.seal == seal_letters(stall.log.drafts()[0].commitment)
    assert isinstance(make_view(stall.session).question, Together)


def test_the_history_tells_what_is_in_force(stall: Script) -> None:
    """Every answer by its number with its notes, corrections with their reason, and nothing undone."""
    stall.says("table: give", "table: give", "undo", "correct 2 gem from till to Ben/front: forgotten")
    stall.says("table: sell", "Aki 4", "Ben 3", "correct 1 coin from Aki/purse to till: change")
    told = [
        (entry.question_number, render(entry.text), [render(note) for note in entry.notes])
        for entry in list_history_entries(stall.session)
    ]
    assert told == [
        (1, "What now? Give a gem", ["Aki gets a gem."]),
        (None, "Corrected: 2 gems from till to Ben's front (forgotten)", []),
        (4, "What now? Sell a gem", []),
        (5, "Aki: 4, Ben: 3", []),
        (None, "Hidden correction (change)", []),
    ]
    seats = [[seat.name for seat in entry.seats] for entry in list_history_entries(stall.session)]
    assert seats == [[], ["Ben"], [], ["Aki", "Ben"], []]


def test_a_correction_that_is_covered_in_part_is_nobodys(stall: Script) -> None:
    """What lay open is told, but not before whom the rest lay."""
    moves = [("till", "Aki/front", "gem", 1), ("Ben/purse", "till", "coin", 1)]
    stall.session.correct_all(moves, "change")
    (entry,) = list_history_entries(stall.session)
    assert entry.seats == ()


def test_looking_changes_nothing(stall: Script) -> None:
    """A view and a history open no account, so that a table looked at is the table replayed."""
    stall.says("correct 1 gem from till to Aki/purse: kept", "table: give")
    accounts = len(list(stall.session.table.ledger))
    first: View = make_view(stall.session)
    list_history_entries(stall.session)
    assert len(list(stall.session.table.ledger)) == accounts
    again = Session(STALL_GAME, list(stall.log), FailingLog(stall.log))
    assert seen(make_view(again).holdings) == seen(first.holdings)


def test_opened_envelopes_are_seen(stall: Script) -> None:
    """After the last envelope everybody sees what was in them, until the next answer."""
    stall.says("table: sell", "Aki 4")
    assert make_view(stall.session).opened_envelopes is None
    stall.says("Ben 3")
    opened = make_view(stall.session).opened_envelopes
    assert opened is not None
    assert (opened.question_number, {seat.name: bid for seat, bid in opened.answers.items()}) == (
        2,
        {"Aki": 4, "Ben": 3},
    )
    stall.says("table: give")
    assert make_view(stall.session).opened_envelopes is None


def test_purses_hold_what_may_be_moved(stall: Script) -> None:
    """Seats' places first, kind by kind; covered ones without counts, nothing absent, marks last."""
    stall.says("table: give")
    found = {
        place.key_with_player_name: {held.piece.key: held.count for held in there}
        for place, there in movable_holdings_by_place(stall.session).items()
    }
    assert list(found)[:2] == ["Aki/purse", "Ben/purse"]
    assert found["Aki/purse"] == {"coin": None}
    assert found["Aki/front"] == {"gem": 1}
    assert found["Ben/front"] == {}
    assert found["till"] == {"gem": 8}


def test_a_bank_that_never_ends_is_a_source() -> None:
    """Though nothing lies there, or less: more can always be taken."""
    script = Script(ANY_GAME, "Aki", "Ben")
    script.says("correct 3 coin from bank to Aki/purse: ", "table: Next round")
    found = {
        place.key_with_player_name: [held.piece.key for held in there]
        for place, there in movable_holdings_by_place(script.session).items()
    }
    assert found["bank"] == ["coin"]
    assert found["Aki/purse"] == ["coin"]
    assert found["round track"] == ["round"]


def test_who_has_left_is_seen(stall: Script) -> None:
    """The view says whose seat nobody sits at."""
    stall.says("Ben leaves")
    assert [seat.name for seat in make_view(stall.session).absent_seats] == ["Ben"]
    assert make_view(stall.says("Ben returns").session).absent_seats == ()


def test_the_order_of_a_covered_pile_is_not_seen() -> None:
    """A pile whose pieces lie covered keeps its order to itself; one that lies open shows it."""
    gem, coin, place = (
        Piece("gem", say("gem"), count_label=say_n("{n} gem", "{n} gems", n=2)),
        Piece("coin", say("coin"), count_label=say_n("{n} coin", "{n} coins", n=2)),
        say("pile"),
    )

    async def heaps(table: Table) -> GameResult:
        for seat in table.seats[:1]:
            table.make_pile(place, seat)
            table.supply_from_box(table.covered_account(gem, place, seat), 2)
        open_pile = table.make_pile(say("heap"))
        table.supply_from_box(table.ledger.open_account(open_pile, coin), 1)
        await Done(None, say("Look."))
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    piles = make_view(Script(Game("heaps", 1, say("Heaps"), (2, 5), heaps), "Aki", "Ben").session).piles
    assert {place.key_with_player_name: pile for place, pile in piles.items()} == {"heap": (coin,)}


def test_a_pile_in_which_something_lies_covered_shows_nothing() -> None:
    """Its order would tell where between the open pieces the covered ones lie."""
    gem, coin, place = (
        Piece("gem", say("gem"), count_label=say_n("{n} gem", "{n} gems", n=2)),
        Piece("coin", say("coin"), count_label=say_n("{n} coin", "{n} coins", n=2)),
        say("pile"),
    )

    async def heap(table: Table) -> GameResult:
        table.make_pile(place)
        table.supply_from_box(table.account(gem, place), 2)
        table.supply_from_box(table.covered_account(coin, place))
        await Done(None, say("Look."))
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    assert make_view(Script(Game("heap", 1, say("Heap"), (2, 5), heap), "Aki", "Ben").session).piles == {}
