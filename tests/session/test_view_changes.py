"""What everybody sees change between two views: pieces that move, and who pays whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion import installed_games, logtext
from companion.log.log import MemoryLog
from companion.recorded_match import RecordedMatch
from companion.scenes import evaluate_scene
from companion.session.session import Session
from companion.session.view import Holding, View, make_view
from companion.session.view_changes import (
    PublicMove,
    VisiblePayment,
    find_payments,
    find_public_moves,
)
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.testing.noninterference import _answer_both_games, swap_covered_pieces
from companion.texts import say
from tests.games.test_scenes import answer
from ui.widgets.seats.panel_changes import NumberChanges

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES_WITH_COVERED_PIECES = ("bidders", "high_bid", "oyakata")
AKI, BEN, CHIE = Seat(1, "Aki", "orange"), Seat(2, "Ben", "sky"), Seat(3, "Chie", "green")
A, B, C = (Place(say("purse"), seat) for seat in (AKI, BEN, CHIE))
BANK = Place(say("bank"))
COIN, SHELL = Piece("coin", say("coin"), look="coin"), Piece("shell", say("shell"), look="coin")
ONE, HUNDRED = (Piece(str(n), say("note {n}", n=n), look="card", money_value=n) for n in (1, 100))
CUBE = Piece("cube", say("cube"), look="cube")


def test_who_has_less_pays_who_has_more() -> None:
    """What isn't money is no payment; money without a payer that everybody sees isn't either."""
    assert find_payments([PublicMove(COIN, A, -3), PublicMove(COIN, B, 3), PublicMove(CUBE, C, 3)]) == [
        VisiblePayment(A, B, COIN, 3)
    ]
    assert find_payments([PublicMove(COIN, BANK, 5)]) == []


def test_several_payers_and_payees_are_paired_in_order() -> None:
    """Each coin goes once."""
    moves = [
        PublicMove(COIN, A, -3),
        PublicMove(COIN, B, -4),
        PublicMove(COIN, C, 5),
        PublicMove(COIN, BANK, 2),
    ]
    assert find_payments(moves) == [
        VisiblePayment(A, C, COIN, 3),
        VisiblePayment(B, C, COIN, 2),
        VisiblePayment(B, BANK, COIN, 2),
    ]


def test_change_is_no_payment_of_its_own() -> None:
    """Who pays 37 with a note of 100 pays 37."""
    moves = [
        PublicMove(HUNDRED, A, -1),
        PublicMove(ONE, A, 63),
        PublicMove(HUNDRED, B, 1),
        PublicMove(ONE, B, -63),
    ]
    assert find_payments(moves) == [VisiblePayment(A, B, HUNDRED, 37)]


def test_coins_of_different_kinds_are_different_money() -> None:
    """A shell isn't paid with a coin."""
    moves = [
        PublicMove(COIN, A, -2),
        PublicMove(SHELL, B, 2),
        PublicMove(SHELL, BANK, -2),
        PublicMove(COIN, B, 2),
    ]
    assert find_payments(moves) == [VisiblePayment(A, B, COIN, 2), VisiblePayment(BANK, B, SHELL, 2)]


def views_of(log: str) -> Iterator[tuple[View, View]]:
    """Each two views in a row of a golden match."""
    match = RecordedMatch(logtext.parse_log_text((GOLDEN / f"{log}.log").read_text(encoding="utf-8")))
    before = make_view(match.session)
    while not match.is_over:
        match.play_next_step()
        after = make_view(match.session)
        yield before, after
        before = after


@pytest.mark.parametrize("log", ["mammon-3", "oyakata-3", "bidders-3"])
def test_money_of_a_recorded_match_is_seen(log: str) -> None:
    """Somebody pays somebody, and payer and payee are different places."""
    payments = [
        payment
        for before, after in views_of(log)
        for payment in find_payments(find_public_moves(before, after))
    ]
    assert payments
    assert all(payment.payer != payment.payee and payment.amount > 0 for payment in payments)


# Secrets


def seen_of_covered_twins(game: str, seed: int, *, leaks: bool) -> list[tuple[object, object]]:
    """What two games show at each step that differ only in what lies covered and get the same answers."""
    rules, log, rng = installed_games.playable_game(game), MemoryLog(), Random(seed)
    session = Session.begin(rules, ("Aki", "Ben", "Chie")[: rules.players[1]], {}, log, seed=seed)
    for _ in range(30):
        answer(session, rng)
    twins = [Session(session.game, list(log), MemoryLog(), salt=lambda: "0" * 32) for _ in range(2)]
    changes, before = [NumberChanges(), NumberChanges()], [look(twin, leaks=leaks) for twin in twins]
    seen: list[tuple[object, object]] = []
    for step in range(20):
        one, other = twins
        is_played = swap_covered_pieces(one, other, rng) if step == 0 else _answer_both_games(one, other, rng)
        after = [look(twin, leaks=leaks) for twin in twins]
        if not is_played or (not leaks and after[0].holdings != after[1].holdings):
            break
        moments = []
        for twin, number_changes, old, new in zip(twins, changes, before, after, strict=True):
            number_changes.update(new, evaluate_scene(new, twin.scene).mats, is_restored=new.may_redo)
            signs = {seat.number: by for seat, by in number_changes.changes_by_seat.items()}
            moments.append((signs, find_payments(find_public_moves(old, new))))
        seen.append((moments[0], moments[1]))
        before = after
    assert len(seen) > 1, "the twins were never played"
    return seen


def look(session: Session, *, leaks: bool) -> View:
    """The view of everybody; one that leaks counts what lies covered."""
    import msgspec

    view = make_view(session)
    if not leaks:
        return view
    holdings = tuple(Holding(one.place, one.piece, one.count) for one in session.table.ledger if one.count)
    return msgspec.structs.replace(view, holdings=holdings)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("game", GAMES_WITH_COVERED_PIECES)
def test_what_lies_covered_moves_unseen(game: str, seed: int) -> None:
    """Two tables that differ only in purses, hands or bags show the same signs and coins."""
    seen = seen_of_covered_twins(game, seed, leaks=False)
    assert [one for one, _ in seen] == [other for _, other in seen]


def test_a_view_that_leaks_is_seen() -> None:
    """If covered pieces counted, the twins would show different signs."""
    seen = [pair for game in GAMES_WITH_COVERED_PIECES for pair in seen_of_covered_twins(game, 0, leaks=True)]
    assert any(one != other for one, other in seen)
