"""What nobody may know in Bidders!: won cards before the end, and bids for the cooperation before the reveal.

Twins that differ only in those can't be told apart. And what never changes: no worker is made or lost.
"""

from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.errors import UserError
from companion.games.bidders.board import WORKERS_PER_SEAT
from companion.games.bidders.rulebook import GAME
from companion.requests import Together
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.store import Store
from companion.table.seats import Seat
from companion.testing import Script
from companion.testing.noninterference import Observation, ViewFunction, find_observable_differences
from companion.testing.random_game import RandomGame, play_randomly_to_end
from companion.texts import render, say
from tests.support.games.bidders_helpers import begin_script, pass_until_sold, play_round
from tests.support.twin_observations import card_refusals, observe_moment

# Won cards


ONE, OTHER = ("W1", "B6"), ("W9", "B7")
"""B6 and B7 differ in popularity only, so that both twins may do the same."""
PROBES: tuple[object, ...] = (
    *([{"card": name}] for name in (*ONE, *OTHER, "W12", "B12")),
    *([{"values": {"popularity": number}}] for number in (-3, -2, 3, 7)),
)
PIECES = ("card W1", "card W9", "card any W1", "card B6", "no such thing")


def refusals(session: Session) -> dict[str, str]:
    """Why cards would be refused now, and why corrections would; what would be taken is left out."""
    found = card_refusals(session, PROBES)
    for piece in PIECES:
        try:
            session.table.ledger.find_account_by_keys("Aki/front", piece)
        except UserError as error:
            found[piece] = render(error.text)
    return found


def after_a_round(
    won: tuple[str, str], look: ViewFunction = make_view
) -> tuple[list[Observation], list[dict[str, str]]]:
    """Observes a match whose first round, in which these cards were won, is over; to the last round."""
    script = begin_script(3)
    script.says(*[f"table: lays card:{card}" for card in won])
    play_round(script, white=("Aki", 2), black=("Ben", 3), share={"Ben": 1})
    moments, refused = [], []
    for number in range(2, 11):
        moments.append(observed(script, look))
        refused.append(refusals(script.session))
        script.says(f"table: lays card:W{number if number < 9 else number + 1}")
        refused.append(refusals(script.session))
        script.says(f"table: lays card:B{number if number < 6 else number + 2}")
        moments.append(observed(script, look))
        if number == 2:
            script.says("undo", "redo", "restart")
            moments.append(observed(script, look))
            play_round(script, white=("Chie", 1), share={"Aki": 1})
        elif number < 10:
            pass_until_sold(script)
    return moments, refused


def observed(script: Script, look: ViewFunction) -> Observation:
    """Everything to be seen now, told or said to do."""
    now = observe_moment(script.session, view_function=look)
    now.values["told"] = repr((script.history_texts, script.last_notes, script.moves_by_hand)).encode()
    return now


def test_a_won_card_is_covered() -> None:
    """Which card was won is on no view, in no history, limit, instruction or refusal until the end."""
    one, refused = after_a_round(ONE)
    other, also_refused = after_a_round(OTHER)
    assert find_observable_differences(one, other) == []
    for mine, yours in zip(refused, also_refused, strict=True):
        assert all(mine[probe] == yours[probe] for probe in mine.keys() & yours.keys())
    assert refused != also_refused, "what is covered still decides what is legal"


def test_won_cards_are_told_at_the_end() -> None:
    """The twins' score sheets differ: then every won card is turned up."""

    def end(won: tuple[str, str]) -> Observation:
        script = begin_script(3).says(*[f"table: lays card:{card}" for card in won])
        for _ in range(10):
            play_round(script, white=("Aki", 1))
        return observe_moment(script.session)

    assert "moment 0: view of all" in find_observable_differences([end(ONE)], [end(OTHER)])


def running_popularity(session: Session, eyes: Seat | None) -> View:
    """A view that adds up what lies face down in front of Aki's left edge."""
    piece = "card W1"
    lies = sum(
        one.count
        for one in session.table.ledger
        if one.piece.key == piece and "left" in one.place.key_with_player_name
    )
    seen = make_view(session, eyes)
    return msgspec.structs.replace(seen, notes=(*seen.notes, say("{count}", count=lies)))


def owners_peek(session: Session, eyes: Seat | None) -> View:
    """A view that lets a seat look under its own cards."""
    seen = make_view(session, eyes)
    under = [
        one.piece.key
        for one in session.table.ledger
        if eyes and one.covered and one.count and one.place.slot == eyes.number
    ]
    return msgspec.structs.replace(seen, heading=say("{cards}", cards=", ".join(under)))


@pytest.mark.parametrize("look", [running_popularity, owners_peek])
def test_a_view_that_tells_of_won_cards_is_caught(look: ViewFunction) -> None:
    """One bit of a won card, told to all or only to its owner, tells the twins apart."""
    assert find_observable_differences(after_a_round(ONE, look)[0], after_a_round(OTHER, look)[0])


def test_an_owner_may_not_look() -> None:
    """Q&A: a won card may not be looked at by anybody, its owner included."""
    script = begin_script(3).says("table: lays card:W1", "table: lays card:B6")
    play_round(script, white=("Aki", 2), black=("Ben", 3))
    for seat in script.session.table.seats:
        shown = [holding.piece.key for holding in make_view(script.session, seat).holdings]
        assert not [key for key in shown if key.startswith("card ")]


# Bids for the cooperation


NEVER = (True, 100, -1, 0.5, None)
"""What no bid for the cooperation may be."""
BIDS = (({"Chie": 2, "Aki": 7}), ({"Chie": 9, "Aki": 0}))


def cooperation(directory: Path, bids: dict[str, int], look: ViewFunction = make_view) -> list[Observation]:
    """Observes a cooperative auction from its question to the reveal; Chie changes her mind.

    Clock, salts and seed are the same for all.
    """
    salts, moments = count(), []
    with closing(Store.open(directory, for_writing=True)) as store:
        kept = store.new_game_log()
        session = Session.begin(
            *(GAME, ("Aki", "Ben", "Chie", "Dai"), {}, kept),
            seed=7,
            clock=lambda: 0.0,
            salt=lambda: f"{next(salts):032x}",
        )
        for given in ("2", True, [{"card": "W1"}], [{"card": "B4"}], "white", 1, "pass", "pass", "pass"):
            session.answer(session.question_number, given)
        assert isinstance(session.question, Together)
        n = session.question_number

        def look_around() -> Observation:
            deeds = NEVER if session.question_number == n else ()
            return observe_moment(
                session, log=kept.events(), directory=directory, view_function=look, refused_answers=deeds
            )

        moments.append(look_around())
        session.put_answer_in_envelope(n, session.table.seats.find_seat("Chie"), 9 - bids["Chie"])
        for seat in session.question.seats:
            session.put_answer_in_envelope(n, seat, bids[seat.name])
            moments.append(look_around())
    return moments


def leaky_view(session: Session, eyes: Seat | None) -> View:
    """Tells one bit of what is in the envelopes."""
    seen = make_view(session, eyes)
    odd = any(draft.answer % 2 for draft in session.drafts.values())
    return msgspec.structs.replace(seen, notes=(*seen.notes, say("Hm."))) if odd else seen


def both(tmp_path: Path, look: ViewFunction = make_view) -> tuple[list[Observation], list[Observation]]:
    """Two cooperative auctions that differ only in what is bid."""
    one, other = (cooperation(tmp_path / str(at), bids, look) for at, bids in enumerate(BIDS))
    return one, other


def test_a_bid_for_the_cooperation_is_sealed(tmp_path: Path) -> None:
    """Until both are in every file, view, text and refusal is the same, whatever was bid; then it is told."""
    one, other = both(tmp_path)
    assert find_observable_differences(one[:-1], other[:-1]) == []
    assert {"moment 2: view of all", "moment 2: history"} <= set(find_observable_differences(one, other))


def test_one_bit_of_a_bid_is_enough(tmp_path: Path) -> None:
    """A view that tells a single bit of a sealed bid is caught."""
    one, other = both(tmp_path, leaky_view)
    assert any(
        "view of all" in difference for difference in find_observable_differences(one[:-1], other[:-1])
    )


# What never changes


@pytest.mark.parametrize("number", range(6))
def test_no_worker_is_made_or_lost(number: int) -> None:
    """At every event each colour's workers, the cards and the markers are all there, whatever is played."""
    trial = RandomGame.begin(GAME, number, Random(f"workers {number}"))
    seats = trial.session.table.seats
    whole = {f"{seat.colour} worker": WORKERS_PER_SEAT[len(seats)] for seat in seats}
    whole |= {"white card": 12, "black card": 12, "white marker": 1, "black marker": 1, "start player": 1}

    def watch() -> None:
        lying = {key: [one for one in trial.session.table.ledger if one.piece.key == key] for key in whole}
        assert {key: sum(one.count for one in ones) for key, ones in lying.items()} == whole
        assert all(one.count >= 0 for ones in lying.values() for one in ones)

    play_randomly_to_end(trial.session, trial.rng, watch)
    assert trial.session.result is not None
