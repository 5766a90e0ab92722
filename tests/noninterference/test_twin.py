"""Secrets stay secret: twins that differ only in them can't be told apart."""

from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path

import msgspec
import pytest

from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.log.events import Sealed
from companion.log.log import SealedDraft
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.store import GameLog, Store
from companion.table.seats import Seat
from companion.testing import Script
from companion.testing.noninterference import Observation, ViewFunction, find_observable_differences
from companion.texts import say
from tests.support.games.egypt_helpers import ANSWERS_AFTER_PAID_ROUND, PAID_ROUND, swap_paid
from tests.support.twin_observations import card_refusals, observe_moment

NEVER = (True, 1_000, -1, 0.5, None)
"""What no sealed bid may be."""


def run_sealed_round(
    directory: Path,
    bids: Mapping[str, int],
    *,
    look: ViewFunction = make_view,
    log: Callable[[GameLog], GameLog] = lambda log: log,
) -> list[Observation]:
    """Observes a round from its first question to the reveal; one seat changes its mind.

    Clock, salts and seed are the same for all.
    """
    salts, moments = count(), []
    with closing(Store.open(directory, for_writing=True)) as store:
        store.wall_clock = lambda: None
        kept = log(store.new_game_log())
        session = Session.begin(
            SEALED_BID,
            list(bids),
            {"start": "900"},
            kept,
            seed=7,
            clock=lambda: 0.0,
            salt=lambda: f"{next(salts):032x}",
        )

        def observed() -> Observation:
            deeds = NEVER if session.question_number == 1 else ()
            return observe_moment(
                session, log=kept.events(), directory=directory, view_function=look, refused_answers=deeds
            )

        moments.append(observed())
        first = session.table.seats[0]
        session.put_answer_in_envelope(1, first, bids[first.name] // 2)
        for seat in session.table.seats:
            session.put_answer_in_envelope(1, seat, bids[seat.name])
            moments.append(observed())
    return moments


ONE = {"Aki": 4, "Ben": 0, "Chie": 900}
OTHER = {"Aki": 899, "Ben": 512, "Chie": 1}


def twins(tmp_path: Path, **how: object) -> tuple[list[Observation], list[Observation]]:
    """Two rounds that differ only in what is sealed."""
    one = run_sealed_round(tmp_path / "one", ONE, **how)  # type: ignore[arg-type]  # as run_sealed_round takes them
    return one, run_sealed_round(tmp_path / "other", OTHER, **how)  # type: ignore[arg-type]  # the same


def test_a_sealed_bid_is_sealed(tmp_path: Path) -> None:
    """Until the reveal every file, view, text and refusal is the same, whatever was bid; then it is told."""
    one, other = twins(tmp_path)
    assert find_observable_differences(one[:-1], other[:-1]) == []
    told = find_observable_differences(one, other)
    assert {"moment 3: view of all", "moment 3: history", "moment 3: file companion.sqlite3"} <= set(told)


def leaky_view(session: Session, eyes: Seat | None) -> View:
    """Tells one bit of what is in the envelopes."""
    odd = any(draft.answer % 2 for draft in session.drafts.values())
    seen = make_view(session, eyes)
    return msgspec.structs.replace(seen, notes=(*seen.notes, say("Hm."))) if odd else seen


class LeakyLog(GameLog):
    """Notes beside the envelopes whether a bid is high."""

    def add_draft(self, draft: SealedDraft) -> None:
        """Keeps the draft, and writes one bit where everybody may read."""
        super().add_draft(draft)
        (self._disk.directory / "journal").write_text(f"{draft.seat} {draft.answer > 500}\n")


def leaky_log(log: GameLog) -> GameLog:
    """Makes the log leak."""
    log.__class__ = LeakyLog
    return log


@pytest.mark.parametrize(
    ("how", "where"),
    [({"look": leaky_view}, "view of all"), ({"log": leaky_log}, "file journal")],
    ids=["view", "log"],
)
def test_one_bit_is_enough(tmp_path: Path, how: dict[str, object], where: str) -> None:
    """A view or a file that tells a single bit is caught."""
    one, other = twins(tmp_path, **how)
    assert any(where in difference for difference in find_observable_differences(one[:-1], other[:-1]))


def test_masks_hide_commitments_only() -> None:
    """What isn't a commitment differs, and a sight or a moment that only one twin has does too."""
    seal = Sealed(1, 1, "ab" * 32).commitment
    one, other = Observation({"file": seal.encode()}, frozenset([seal])), Observation({"file": b"#" * 64})
    assert find_observable_differences([one], [other]) == []
    assert find_observable_differences([one], [Observation({"file": b"4"})]) == ["moment 0: file"]
    assert find_observable_differences([one], [Observation({})]) == ["moment 0: file"]
    assert find_observable_differences([one, one], [one]) == ["the number of moments"]


# Covered


PROBES: tuple[object, ...] = (
    *([{"card": "4.1"}], [{"card": "5.1"}], [{"card": "4.1"}, {"card": "5.1"}]),
    *([{"values": {"number": 4}}] * 4, [{"values": {"number": 5}}] * 5, [{"values": {}}] * 60),
)
LAST = ("Chie pays 4×other", "undo", "redo", "undo")


def covered_round(
    cover: Callable[[Session], None], look: ViewFunction = make_view
) -> tuple[list[Observation], list[dict[str, str]]]:
    """Observes two auctions from the moment when the first payment lies face down."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says(*PAID_ROUND)
    cover(script.session)
    moments, refused = [], []
    for line in (None, *ANSWERS_AFTER_PAID_ROUND, *LAST):
        if line is not None:
            script.says(line)
        now = observe_moment(script.session, view_function=look)
        now.values["moves"] = repr(script.moves_by_hand).encode()
        now.values["told"] = repr((script.history_texts, script.last_notes)).encode()
        moments.append(now)
        refused.append(card_refusals(script.session, PROBES))
    return moments, refused


def test_a_paid_card_is_covered() -> None:
    """Which cards lie paid at the bank is on no view, in no history, limit, instruction or refusal."""
    one, refused = covered_round(lambda session: None)
    other, also_refused = covered_round(swap_paid)
    assert find_observable_differences(one, other) == []
    for mine, yours in zip(refused, also_refused, strict=True):
        assert all(mine[probe] == yours[probe] for probe in mine.keys() & yours.keys())
    assert refused != also_refused, "what is covered still decides what is legal"


def test_a_view_that_counts_covered_cards_is_caught() -> None:
    """A view that tells how one covered account stands differs between the twins."""

    def look(session: Session, eyes: Seat | None) -> View:
        seen = make_view(session, eyes)
        lies = session.table.ledger.find_account_by_keys("bank", "card 4.1").count
        return msgspec.structs.replace(seen, notes=(*seen.notes, say("{count}", count=lies)))

    one, _ = covered_round(lambda session: None, look)
    other, _ = covered_round(swap_paid, look)
    assert find_observable_differences(one, other)
