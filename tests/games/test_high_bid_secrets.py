"""High Bid's secrets: cash is its owner's alone, a closed bid nobody's until all are in."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

import msgspec
import pytest

from companion.cards import Card, shipped_deck
from companion.errors import IllegalAnswer
from companion.games.high_bid.board import Board
from companion.games.high_bid.rulebook import GAME
from companion.requests import Choose
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.store import Store
from companion.table.ledger import Account
from companion.table.seats import Seat
from companion.testing import Script
from companion.testing.noninterference import Observation, ViewFunction, find_observable_differences
from companion.texts import render, say
from tests.support.games.high_bid_helpers import deal_first_round, remove_dealt_cards
from tests.support.twin_observations import observe_moment

NAMES = ("Aki", "Ben", "Chie")

# Cash

RICH = (
    "table: turns lamps",
    "Aki passes",
    "Ben 30",
    "Chie passes",
    "Aki passes",
    "Ben: sell",
    "Ben puts coins",
    "Ben: 75 1",
    "Ben: sell",
    "Ben puts maps",
    "Ben: 200 0",
    "Chie 20",
    "Aki 200",
    "Ben 220",
    "Chie passes",
    "Aki 300",
    "Ben passes",
    "Chie passes",
    "Ben: buy",
    "Ben lays buyer",
    "Ben: gallery coins",
    "Ben: done",
    "undo",
    "undo",
    "redo",
    "redo",
    "table: turns books",
    "Chie passes",
    "Aki passes",
    "Ben 4060",
    "Chie passes",
    "Aki passes",
    "table: can't",
    "table: nobody",
    "table: turns buyer",
    "table: turns rugs",
    "Aki 0",
    "Ben 60",
    "Chie 50",
)
POOR = ("table: turns books", "Aki 60", "Ben 80", "Chie passes", "Aki passes", "table: can't")

BUYS = (
    "table: turns lamps",
    "Aki 30",
    "Ben passes",
    "Chie passes",
    "Aki: sell",
    "Aki puts jewels",
    "Aki: 100 1",
    "Aki: done",
    "table: turns maps",
    "Ben 50",
    "Chie passes",
    "Aki passes",
    "Ben: buy",
    "Ben lays buyer",
    "Ben: enough",
)
"""Ben may buy what Aki sold, and doesn't."""


def purse(session: Session, name: str) -> Account:
    """What somebody has."""
    return session.table.ledger.find_account_by_keys(f"{name}/purse", "dollar")


def covered_play(
    cash: int, lines: Sequence[str], *, known: bool = False, look: ViewFunction = make_view
) -> tuple[list[Observation], list[dict[str, str]]]:
    """Observes some lots from the moment when Ben has so much, as no rule makes it."""
    script = deal_first_round(3)
    if known:
        remove_dealt_cards(script, "Ben")
    ledger = script.session.table.ledger
    bens, bank = purse(script.session, "Ben"), ledger.find_account_by_keys("bank", "dollar")
    assert bens.covered
    assert bank.covered
    ledger.supply_from_box(bank, bens.count - cash)
    ledger.supply_from_box(bens, cash - bens.count)
    moments, refused = [], []
    for line in (None, *lines):
        if line is not None:
            script.says(line)
        now = observe_moment(script.session, log=script.log, view_function=look)
        now.values["told"] = repr((script.history_texts, script.last_notes, script.moves_by_hand)).encode()
        del now.values["view of Ben"]
        moments.append(now)
        refused.append(refusals(script.session))
    return moments, refused


def refusals(session: Session) -> dict[str, str]:
    """Why an option would be refused now; those that would be taken are left out."""
    found: dict[str, str] = {}
    question = session.question
    if not isinstance(question, Choose):
        return found
    for key in question.offered_options:
        try:
            question.check_answer(key)
        except IllegalAnswer as error:
            found[key] = render(error.text)
    return found


def test_cash_is_shown_to_nobody_else() -> None:
    """Whatever Ben has, all others see and hear the same: views, history, limits, moves back, refusals."""
    one, refused = covered_play(1_000, RICH)
    other, also_refused = covered_play(3_990, RICH)
    assert find_observable_differences(one, other) == []
    assert refused == also_refused


def test_a_penalty_does_not_tell_what_was_left() -> None:
    """Two who can't pay pay a penalty of the same name, however far their cash goes."""
    one, _ = covered_play(10, POOR)
    other, _ = covered_play(70, POOR)
    assert find_observable_differences(one, other) == []


def test_refusals_over_cash_have_one_text() -> None:
    """Whether a purchase or a declaration is refused may differ; what is said and shown may not."""
    one, refused = covered_play(2_000, BUYS)
    other, also_refused = covered_play(100, BUYS)
    assert find_observable_differences(one, other) == []
    assert {key: why for found in also_refused for key, why in found.items()} == {
        "collector jewels": "Ben doesn't have enough cash for that."
    }
    assert not any(refused)
    poor, enough = (covered_play(cash, ["table: can't"], known=True)[1][-1] for cash in (4_990, 5_000))
    assert (poor, enough) == ({"2": "Ben doesn't have $5000."}, {})


def leaky_view(session: Session, eyes: Seat | None) -> View:
    """Tells one bit of what Ben has."""
    seen = make_view(session, eyes)
    odd = purse(session, "Ben").count % 20 != 0
    return msgspec.structs.replace(seen, notes=(*seen.notes, say("Hm."))) if odd else seen


def test_a_view_that_knows_the_cash_is_caught() -> None:
    """One bit of a purse on any view differs between the twins."""
    one, _ = covered_play(1_000, RICH, look=leaky_view)
    other, _ = covered_play(3_990, RICH, look=leaky_view)
    assert "moment 0: view of all" in find_observable_differences(one, other)


def test_a_rule_that_tells_the_penalty_paid_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rulebook that named the money handed over would tell what was left."""
    honest = Board.pay_bid_or_penalty

    def leaky(board: Board, seat: Seat, bid: int, card: Card, payee: Account) -> bool:
        before = board.purses[seat].count
        paid = honest(board, seat, bid, card, payee)
        board.table.add_note(say("{paid} changes hands.", paid=before - board.purses[seat].count))
        return paid

    monkeypatch.setattr(Board, "pay_bid_or_penalty", leaky)
    one, _ = covered_play(10, POOR)
    other, _ = covered_play(70, POOR)
    assert any("view of all" in difference for difference in find_observable_differences(one, other))


def test_the_owner_sees_the_own_cash() -> None:
    """Eyes of a seat see that seat's purse and no other."""
    script = deal_first_round(3)
    aki, ben, _ = script.session.table.seats
    held = {
        one.place: one.count for one in make_view(script.session, ben).holdings if one.piece.key == "dollar"
    }
    assert [held[purse(script.session, name).place] for name in NAMES] == [None, 2000, None]
    assert all(one.count is None for one in make_view(script.session).holdings if one.piece.key == "dollar")
    assert aki != ben


# Closed bids

DECK = {design.id: {"values": design.values} for design in shipped_deck("high_bid").designs}
NEVER = (True, 55, -10, 0.5, None)
"""What no closed bid for Books may be."""


def closed_round(
    directory: Path, *rounds: Mapping[str, int], look: ViewFunction = make_view
) -> list[Observation]:
    """Observes the last of these closed bids for Books from its question to the reveal.

    Clock, salts and seed are the same for all.
    """
    salts, moments = count(), []
    with closing(Store.open(directory, for_writing=True)) as store:
        kept = store.new_game_log()
        session = Session.begin(
            GAME, NAMES, {}, kept, seed=7, clock=lambda: 0.0, salt=lambda: f"{next(salts):032x}"
        )
        for given in ("1", True, [DECK["buyer"]], [DECK["books"]]):
            session.answer(session.question_number, given)

        def seal(bids: Mapping[str, int], after: Callable[[], object] = lambda: None) -> None:
            n = session.question_number
            for name, bid in bids.items():
                session.put_answer_in_envelope(n, session.table.seats.find_seat(name), bid)
                after()

        def observe() -> None:
            deeds = NEVER if not session.drafts else ()
            moments.append(
                observe_moment(
                    session, log=kept.events(), directory=directory, view_function=look, refused_answers=deeds
                )
            )

        for bids in rounds[:-1]:
            seal(bids)
        observe()
        seal(rounds[-1], observe)
    return moments


ONE, OTHER = {"Aki": 60, "Ben": 0, "Chie": 900}, {"Aki": 0, "Ben": 510, "Chie": 70}
TIE = {"Aki": 100, "Ben": 100, "Chie": 90}


def test_a_closed_bid_is_closed(tmp_path: Path) -> None:
    """Until all are in, every file, view, text and refusal is the same, whatever was bid; then it is told."""
    one, other = closed_round(tmp_path / "one", ONE), closed_round(tmp_path / "other", OTHER)
    assert find_observable_differences(one[:-1], other[:-1]) == []
    assert {"moment 3: view of all", "moment 3: history"} <= set(find_observable_differences(one, other))


def test_a_second_bid_is_closed(tmp_path: Path) -> None:
    """Those tied bid in secret once more."""
    one = closed_round(tmp_path / "one", TIE, {"Aki": 100, "Ben": 900})
    other = closed_round(tmp_path / "other", TIE, {"Aki": 170, "Ben": 100})
    assert find_observable_differences(one[:-1], other[:-1]) == []
    assert "moment 2: view of all" in find_observable_differences(one, other)


def test_a_view_that_knows_a_closed_bid_is_caught(tmp_path: Path) -> None:
    """One bit of an envelope on any view differs between the twins."""

    def look(session: Session, eyes: Seat | None) -> View:
        seen = make_view(session, eyes)
        high = any(draft.answer > 0 for draft in session.drafts.values())
        return msgspec.structs.replace(seen, heading=say("Hm.")) if high else seen

    one = closed_round(tmp_path / "one", ONE, look=look)
    other = closed_round(tmp_path / "other", OTHER, look=look)
    assert "moment 1: view of all" in find_observable_differences(one[:-1], other[:-1])


def test_no_cash_and_a_closed_bid() -> None:
    """A closed bid above the cash is taken like any other."""
    script = Script(GAME, *NAMES).says(
        "table: Aki", "table: done", "table: turns buyer", "table: turns books"
    )
    script.says("Aki 9000", "Ben 0", "Chie 0")
    assert script.last_notes[0] == "Aki can't pay $9000. Penalty: $60 to the bank, or all of Aki's cash."
