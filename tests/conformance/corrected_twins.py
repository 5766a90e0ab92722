"""Two twin games that get the same corrections, undos and restarts, and what other players see of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from companion import jsonlines
from companion.errors import CompanionError, RulesCrashed
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
from tests.conformance.registry import GameConfig

ASK_AGAIN_CHANCE = 0.05
"""Probability that a correction asks the question again."""
SEALED_ROUND_OPTIONS = ("sealed_bid", "auction")
"""The options of Any Game that begin a sealed round; the first that is offered is chosen."""
SEALED_ROUND_CHANCE = 0.5
"""Probability of choosing a sealed round if it is offered."""
COMMON_PLACES = {"bank", "box", "till", "centre", "unseen"}

TwinAction = Callable[[RandomGame], object]


def is_sealed_round_open(question: Request[Any] | None) -> bool:
    """Whether the open question is a sealed round."""
    return isinstance(question, Together) and not question.is_open


class TwinGames:
    """Two games that get the same actions; `observations` is what all but `excluded_seats` see after each.

    The first `kept_step_count` steps are never undone, as the games differ there.
    """

    def __init__(self, config: GameConfig, number: int, kind: str) -> None:
        self.number, name = number, f"{kind} twins {config.name} {number}"
        self.pair = [RandomGame.begin(config.game, number, Random(name), config.decks) for _ in range(2)]
        self.rng = Random(name)
        self.excluded_seats: list[Seat] = []
        self.kept_step_count = 0
        self.observations: list[list[Observation]] = [[], []]

    @property
    def first(self) -> RandomGame:
        """The first game, which decides the actions."""
        return self.pair[0]

    @property
    def question(self) -> Request[Any] | None:
        """The open question of both games."""
        return self.first.session.question

    def play(self, answers: int, *, to_seal: bool = False) -> None:
        """Gives both games the same answers; with `to_seal` only until a sealed round is open."""
        for _ in range(answers):
            if self.question is None or (to_seal and is_sealed_round_open(self.question)):
                return
            offered = self.question.options if to_seal and isinstance(self.question, Choose) else ()
            sealed_option = next((key for key in SEALED_ROUND_OPTIONS if key in offered), None)
            sealed_option = sealed_option if self.rng.random() < SEALED_ROUND_CHANCE else None
            for trial in self.pair:
                with suppress(RulesCrashed):  # a game of the tests may crash
                    if sealed_option:
                        trial.session.answer(trial.session.question_number, sealed_option)
                    else:
                        answer_randomly(trial.session, trial.rng)

    def do_in_both(self, description: str, action: TwinAction) -> None:
        """Performs one action in both games, and observes the outcome."""
        for trial, seen in zip(self.pair, self.observations, strict=True):
            seen.append(self._observe(trial, f"{description}: {_outcome(action, trial)}"))

    def find_differences(self) -> list[str]:
        """Returns the differences that others could observe, including in the records of the game."""
        for trial, seen in zip(self.pair, self.observations, strict=True):
            seen.append(Observation({name: text.encode() for name, text in game_records(trial).items()}))
        return find_observable_differences(*self.observations)

    def _observe(self, trial: RandomGame, outcome: str) -> Observation:
        session = trial.session
        found = observe_session(session, trial.log, excluded_seats=self.excluded_seats)
        texts = {
            "outcome": outcome,
            "line": json.dumps(jsonlines.question_or_result_as_json(session)),
            "state": json.dumps(jsonlines.public_table_as_json(session)),
            "notes": repr([render(text) for text in session.table.notes]),
        }
        for seat in session.table.seats:
            texts[f"lamp and display of {seat.name}"] = repr(build_seat_panel(make_view(session), seat, "en"))
        return Observation(
            found.values | {name: text.encode() for name, text in texts.items()}, found.commitments
        )


def game_records(trial: RandomGame) -> dict[str, str]:
    """Returns the documents about the whole game: the bank's movements and the record."""
    record = create_record(trial.session, list(trial.log))
    movements = [[render(one.text), [*map(render, one.moves)]] for one in movements_by_step(trial.session)]
    return {"movements": repr(movements), "record": record_to_text(record) + record_to_json(record)}


def _outcome(action: TwinAction, trial: RandomGame) -> str:
    """Performs an action and returns its outcome, as the companion tells it."""
    try:
        result = action(trial)
    except CompanionError as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(result, CorrectionResult):
        return repr(
            (result.why_asked_again and render(result.why_asked_again), [*map(render, result.moves_by_hand)])
        )
    return repr([render(text) for text in result] if isinstance(result, list) else result)


# Actions


def correct_randomly(twins: TwinGames, accounts: list[Account]) -> None:
    """Moves random pieces of these accounts by a correction; half of the targets are common places."""
    rng, session = twins.rng, twins.first.session
    source = rng.choice(accounts)
    places = [one.place for one in session.table.ledger if one.place != source.place]
    common_places = [place for place in places if place.key_with_player_name in COMMON_PLACES]
    target = rng.choice(common_places if common_places and rng.random() < 0.5 else places)
    if rng.random() < 0.3:
        source, target = session.table.ledger.find_account_by_keys(target.key, source.piece.key), source.place
    max_count = max(abs(source.count), 1)
    count = rng.choice(
        [
            1,
            max_count,
            max_count + 1,
            *(rng.randint(1, max_count) for _ in range(4)),
            rng.randint(1, 2 * max_count),
        ]
    )
    move = source.place.key, target.key, source.piece.key, count, "miscounted"
    ask_again = rng.random() < ASK_AGAIN_CHANCE
    twins.do_in_both(
        f"correct {move} {ask_again}", lambda trial: trial.session.correct(*move, ask_again=ask_again)
    )


def undo_redo_rename_or_restart(twins: TwinGames) -> None:
    """Performs an undo, a redo, a restart, or a change of a name and back."""
    undo_actions = ["undo"] * 3 if len(twins.first.session.steps) > twins.kept_step_count else []
    action = twins.rng.choice([*undo_actions, "redo", "rename", "restart"])

    def do(trial: RandomGame) -> object:
        session = trial.session
        match action:
            case "undo":
                return session.undo()
            case "redo":
                return session.redo()
            case "rename":
                for name in ("Zoë", session.table.seats[0].name):
                    session.rename_player(session.table.seats[0], name)
        return None

    if action == "restart":
        twins.pair = [trial.reopen_from_log() for trial in twins.pair]
    twins.do_in_both(action, do)


def leave_and_return(twins: TwinGames) -> None:
    """Lets a player leave and return, unless the default answer would fill the last envelope."""
    session = twins.first.session
    question = session.question
    if isinstance(question, Together) and len(set(question.seats) - set(session.drafts)) < 2:
        return
    seat = twins.rng.choice(session.table.seats).number

    def here(trial: RandomGame) -> Seat:
        return trial.session.table.seats.seat_numbered(seat)

    twins.do_in_both(f"leave {seat}", lambda trial: trial.session.mark_player_absent(here(trial)))
    twins.do_in_both(f"come back {seat}", lambda trial: trial.session.mark_player_returned(here(trial)))


def open_accounts(twins: TwinGames) -> list[Account]:
    """Returns the accounts with pieces that everybody sees."""
    ledger = twins.first.session.table.ledger
    return [one for one in ledger if one.count and not one.covered] or list(ledger)


def held_accounts(twins: TwinGames) -> list[Account]:
    """Returns the accounts of the players who are asked, from which they bid."""
    seats = twins.question.seats if twins.question else ()
    accounts = [
        one for one in twins.first.session.table.ledger if one.place.seat in seats and not one.piece.is_marker
    ]
    return accounts or open_accounts(twins)


def covered_accounts(twins: TwinGames) -> list[Account]:
    """Returns covered accounts: usually what players hold, as there are very many accounts of faces."""
    ledger = twins.first.session.table.ledger
    accounts = [one for one in ledger if one.covered and not one.piece.is_marker]
    face_accounts = [one for one in ledger if one.covered and one.piece.is_marker and one.count]
    return accounts if accounts and (twins.rng.random() < 0.7 or not face_accounts) else face_accounts
