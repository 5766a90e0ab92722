"""Two games that get the same corrections, undos and restarts, and what a stranger sees of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from companion.errors import CompanionError, RulesCrashed
from companion.jsonlines import json_session
from companion.record.exports import record_to_json
from companion.record.record import create_record, movements_by_step
from companion.record.text_export import record_to_text
from companion.requests import Choose, Request, Together
from companion.session.corrections import CorrectionResult
from companion.session.view import make_view
from companion.table.ledger import Account
from companion.table.seats import Seat
from companion.testing.noninterference import Observation, find_observable_differences, observe_session
from companion.testing.random_game import RandomGame, answer_randomly
from companion.texts import render
from hardware.desk.prompts import build_seat_panel
from tests.conformance.registry import Evening

AGAIN = 0.05
"""How often the question is asked again after a correction."""
SEALS = ("sealed_bid", "auction")
"""What people choose in Any Game for a round of envelopes, the first that there is."""
SEALED_ON_PURPOSE = 0.5
"""How often they do where they can."""
HOME = {"bank", "box", "till", "centre", "unseen"}

Deed = Callable[[RandomGame], object]


def is_sealed(question: Request[Any] | None) -> bool:
    """Whether a round of envelopes is open."""
    return isinstance(question, Together) and not question.is_open


class Twins:
    """Two games that get the same deeds; `seen` is what came of each, as everybody but `owners` sees it.

    Nothing of the first `base` things in force is taken back: there they differ.
    """

    def __init__(self, evening: Evening, number: int, kind: str) -> None:
        self.number, name = number, f"{kind} twins {evening.name} {number}"
        self.pair = [RandomGame.begin(evening.game, number, Random(name), evening.decks) for _ in range(2)]
        self.rng = Random(name)
        self.owners: list[Seat] = []
        self.base = 0
        self.seen: list[list[Observation]] = [[], []]

    @property
    def one(self) -> RandomGame:
        """The first of them, by which deeds are chosen."""
        return self.pair[0]

    @property
    def asked(self) -> Request[Any] | None:
        """What is open in both."""
        return self.one.session.question

    def play(self, answers: int, *, to_seal: bool = False) -> None:
        """Answers both alike, perhaps until a round of envelopes is open."""
        for _ in range(answers):
            if self.asked is None or (to_seal and is_sealed(self.asked)):
                return
            offered = self.asked.options if to_seal and isinstance(self.asked, Choose) else ()
            seals = next((key for key in SEALS if key in offered), None)
            seals = seals if self.rng.random() < SEALED_ON_PURPOSE else None
            for trial in self.pair:
                with suppress(RulesCrashed):  # a game of the tests that may fail
                    if seals:
                        trial.session.answer(trial.session.question_number, seals)
                    else:
                        answer_randomly(trial.session, trial.rng)

    def do(self, what: str, deed: Deed) -> None:
        """Does one deed in both games, and observes what came of it."""
        for trial, seen in zip(self.pair, self.seen, strict=True):
            seen.append(self._observed(trial, f"{what}: {_outcome(deed, trial)}"))

    def differing(self) -> list[str]:
        """What a stranger could tell them apart by, the papers of the game included."""
        for trial, seen in zip(self.pair, self.seen, strict=True):
            seen.append(Observation({name: text.encode() for name, text in papers(trial).items()}))
        return find_observable_differences(*self.seen)

    def _observed(self, trial: RandomGame, came_of_it: str) -> Observation:
        session = trial.session
        found = observe_session(session, trial.log, excluded_seats=self.owners)
        texts = {
            "deed": came_of_it,
            "line": json.dumps(json_session.question_or_result_as_json(session)),
            "state": json.dumps(json_session.public_table_as_json(session)),
            "told": repr([render(text) for text in session.table.notes]),
        }
        for seat in session.table.seats:
            texts[f"lamp and display of {seat.name}"] = repr(build_seat_panel(make_view(session), seat, "en"))
        return Observation(
            found.values | {name: text.encode() for name, text in texts.items()}, found.commitments
        )


def papers(trial: RandomGame) -> dict[str, str]:
    """What is written of the whole game: the bank's movements and the record."""
    record = create_record(trial.session, list(trial.log))
    moved = [[render(one.text), [*map(render, one.moves)]] for one in movements_by_step(trial.session)]
    return {"movements": repr(moved), "record": record_to_text(record) + record_to_json(record)}


def _outcome(deed: Deed, trial: RandomGame) -> str:
    """What came of it, as whoever did it is told."""
    try:
        came = deed(trial)
    except CompanionError as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(came, CorrectionResult):
        return repr(
            (came.why_asked_again and render(came.why_asked_again), [*map(render, came.moves_by_hand)])
        )
    return repr([render(text) for text in came] if isinstance(came, list) else came)


# Deeds


def corrects(twins: Twins, among: list[Account]) -> None:
    """Some pieces go somewhere, once in a while with the question asked again; half of the time back home."""
    rng, session = twins.rng, twins.one.session
    source = rng.choice(among)
    places = [one.place for one in session.table.ledger if one.place != source.place]
    home = [place for place in places if place.key_with_player_name in HOME]
    target = rng.choice(home if home and rng.random() < 0.5 else places)
    if rng.random() < 0.3:
        source, target = session.table.ledger.find_account_by_keys(target.key, source.piece.key), source.place
    most = max(abs(source.count), 1)
    so_many = rng.choice(
        [1, most, most + 1, *(rng.randint(1, most) for _ in range(4)), rng.randint(1, 2 * most)]
    )
    move = source.place.key, target.key, source.piece.key, so_many, "miscounted"
    again = rng.random() < AGAIN
    twins.do(f"correct {move} {again}", lambda trial: trial.session.correct(*move, ask_again=again))


def goes_back_and_forth(twins: Twins) -> None:
    """Undo, redo, another name and back, a restart."""
    back = ["undo"] * 3 if len(twins.one.session.steps) > twins.base else []
    deed = twins.rng.choice([*back, "redo", "rename", "restart"])

    def do(trial: RandomGame) -> object:
        session = trial.session
        match deed:
            case "undo":
                return session.undo()
            case "redo":
                return session.redo()
            case "rename":
                for name in ("Zoë", session.table.seats[0].name):
                    session.rename_player(session.table.seats[0], name)
        return None

    if deed == "restart":
        twins.pair = [trial.reopen_from_log() for trial in twins.pair]
    twins.do(deed, do)


def leaves(twins: Twins) -> None:
    """Somebody leaves and is back; not where silence would fill the last envelope."""
    session = twins.one.session
    question = session.question
    if isinstance(question, Together) and len(set(question.seats) - set(session.drafts)) < 2:
        return
    seat = twins.rng.choice(session.table.seats).number

    def here(trial: RandomGame) -> Seat:
        return trial.session.table.seats.seat_numbered(seat)

    twins.do(f"leave {seat}", lambda trial: trial.session.mark_player_absent(here(trial)))
    twins.do(f"come back {seat}", lambda trial: trial.session.mark_player_returned(here(trial)))


def open_accounts(twins: Twins) -> list[Account]:
    """What people may see lying about."""
    ledger = twins.one.session.table.ledger
    return [one for one in ledger if one.count and not one.covered] or list(ledger)


def held_accounts(twins: Twins) -> list[Account]:
    """What those have who are asked: it is what they bid with."""
    seats = twins.asked.seats if twins.asked else ()
    held = [
        one for one in twins.one.session.table.ledger if one.place.seat in seats and not one.piece.is_marker
    ]
    return held or open_accounts(twins)


def covered_accounts(twins: Twins) -> list[Account]:
    """What lies covered, or might; mostly what people hold, as there are so many faces."""
    ledger = twins.one.session.table.ledger
    held = [one for one in ledger if one.covered and not one.piece.is_marker]
    faces = [one for one in ledger if one.covered and one.piece.is_marker and one.count]
    return held if held and (twins.rng.random() < 0.7 or not faces) else faces
