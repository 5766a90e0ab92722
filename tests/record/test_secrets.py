"""Nothing leaks through an export: unfinished twins that differ only in a secret are written alike."""

from __future__ import annotations

from itertools import count

import msgspec

from companion import logtext
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.high_bid.rulebook import GAME as HIGH_BID
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.languages import languages
from companion.log.log import MemoryLog
from companion.record.exports import record_to_csv, record_to_json
from companion.record.html_page import record_to_html
from companion.record.record import GameRecord, create_record
from companion.record.text_export import record_to_text
from companion.session.session import Session
from companion.testing import Script
from companion.testing.noninterference import Observation, find_observable_differences
from companion.texts import say
from scripts.update_catalogue import ROOT
from tests.support.games.egypt_helpers import ANSWERS_AFTER_PAID_ROUND, PAID_ROUND, swap_paid

FORMS = {"text": record_to_text, "csv": record_to_csv, "json": record_to_json, "html": record_to_html}


def moment(session: Session, log: MemoryLog, leak: str = "") -> Observation:
    """All exports of this moment, in every language."""
    record = create_record(session, log, 1)
    if leak:
        record = leaking(record, leak)
    return Observation(
        {
            f"{name} {lang}": form(record, lang).encode()
            for name, form in FORMS.items()
            for lang in languages()
        }
    )


def leaking(record: GameRecord, secret: str) -> GameRecord:
    """A record that tells a secret."""
    return msgspec.structs.replace(record, title=say("{title} {secret}", title=record.title, secret=secret))


def run_sealed_round(aki: int, ben: int, *, leaks: bool = False) -> list[Observation]:
    """A round until the reveal; Aki changes her mind."""
    log, salts = MemoryLog(), count()
    session = Session.begin(
        SEALED_BID, ["Aki", "Ben"], {}, log, seed=7, clock=lambda: 0.0, salt=lambda: f"{next(salts):032x}"
    )
    moments = []
    for name, bid in (("Aki", 1), ("Aki", aki), ("Ben", ben)):
        session.put_answer_in_envelope(1, session.table.seats.find_seat(name), bid)
        sealed = [draft.answer for draft in session.drafts.values()]
        moments.append(moment(session, log, str(sealed[0] % 2) if leaks and sealed else ""))
    return moments


def test_a_sealed_bid_is_in_no_export() -> None:
    """Until the reveal all forms are the same whatever was bid; then they tell it."""
    one, other = run_sealed_round(4, 9), run_sealed_round(7, 2)
    assert find_observable_differences(one[:-1], other[:-1]) == []
    assert len(find_observable_differences(one, other)) == len(languages()) * len(FORMS)


def test_one_bit_of_a_bid_is_caught() -> None:
    """An export that tells whether a sealed bid is odd differs."""
    assert find_observable_differences(
        run_sealed_round(4, 9, leaks=True)[:-1], run_sealed_round(7, 2, leaks=True)[:-1]
    )


def covered_round(*, swapped: bool, leaks: bool = False) -> list[Observation]:
    """Two auctions of Egypt from the moment when the first payment lies face down."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says(*PAID_ROUND)
    if swapped:
        swap_paid(script.session)
    moments = []
    for line in ANSWERS_AFTER_PAID_ROUND:
        script.says(line)
        told = str(script["bank", "card 4.1"]) if leaks else ""
        moments.append(moment(script.session, script.log, told))
    return moments


def test_a_covered_card_is_in_no_export() -> None:
    """Which cards lie paid at the bank is in no form of an unfinished game."""
    assert find_observable_differences(covered_round(swapped=False), covered_round(swapped=True)) == []


def test_a_count_of_covered_cards_is_caught() -> None:
    """An export that tells one covered count differs."""
    assert find_observable_differences(
        covered_round(swapped=False, leaks=True), covered_round(swapped=True, leaks=True)
    )


def high_bid(*, richer: int, leaks: bool = False) -> list[Observation]:
    """The beginning of a recorded match; then Aki has so much more under cover, and the bank less."""
    path = ROOT / "tests/golden/high_bid-3.log"
    log = MemoryLog(logtext.parse_log_text(path.read_text(encoding="utf-8"))[:20])
    session = Session(HIGH_BID, log, log)
    ledger = session.table.ledger
    purse, bank = (ledger.find_account_by_keys(place, "dollar") for place in ("@1/purse", "bank"))
    assert purse.covered
    assert bank.covered
    ledger.supply_from_box(purse, richer)
    ledger.supply_from_box(bank, -richer)
    return [moment(session, log, str(purse.count) if leaks else "")]


def test_covered_money_is_in_no_export() -> None:
    """What lies in a purse is in no form of an unfinished game; a form that tells it is caught."""
    assert find_observable_differences(high_bid(richer=0), high_bid(richer=100)) == []
    assert find_observable_differences(high_bid(richer=0, leaks=True), high_bid(richer=100, leaks=True))
