"""Games of sealed bids for the tests of the store; run as a program, it plays until it is killed.

    python -m tests.support.sealed_bid_games DIRECTORY
    python -m tests.support.sealed_bid_games DIRECTORY ROUNDS

Without ROUNDS it plays forever and prints a line for each saved bid and answer. With ROUNDS it plays two
evenings of that many rounds, then puts the game away.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.games.sealed_bid.rulebook import GAME
from companion.log.events import Answered, Sealed
from companion.session.session import Session
from companion.store import Store

NAMES = ["Aki", "Ben"]
UNIT = {"unit": "gold", "start": "none"}
WRITER_COMMAND = [sys.executable, "-m", "tests.support.sealed_bid_games"]


def begin_game(store: Store, names: list[str] = NAMES) -> Session:
    """Begins a game of sealed bids, always with the same seed."""
    return Session.begin(GAME, names, UNIT, store.new_game_log(), seed=7, tags=store.card_of_tag)


def resume_game(store: Store, number: int | None = None) -> Session:
    """Opens the session of the open game, or of the game `number`, as after a restart."""
    if number is None:
        game = store.find_open_game()
        assert game is not None
        number = game.number
    log = store.open_game_log(number)
    return Session(GAME, log.events(), log, tags=store.card_of_tag)


def seal_bid(session: Session, name: str, amount: int) -> None:
    """Puts a seat's bid into its envelope."""
    session.put_answer_in_envelope(session.question_number, session.table.seats.find_seat(name), amount)


def play_round(session: Session, aki: int, ben: int) -> None:
    """Both players bid; then another round begins."""
    seal_bid(session, "Aki", aki)
    seal_bid(session, "Ben", ben)
    session.answer(session.question_number, "again")


def finish_open_round(session: Session) -> None:
    """Gives the bids that are missing, then begins another round."""
    number = session.question_number
    if session.question is not None and session.question.kind == "Together":
        for seat in session.table.seats:
            session.put_answer_in_envelope(number, seat, seat.number)
    if session.result is None:
        session.answer(session.question_number, "again")


def play_last_round_and_put_away(session: Session) -> None:
    """Plays one more round to the final score, and puts the game away."""
    seal_bid(session, "Aki", 5)
    seal_bid(session, "Ben", 3)
    session.answer(session.question_number, "finish")
    session.put_away()


def begin_game_with_open_envelope(store: Store, rounds: int, names: list[str] = NAMES) -> Session:
    """Plays some rounds; in the open round only Aki's bid of 4 is sealed."""
    session = begin_game(store, names)
    for amount in range(1, rounds + 1):
        play_round(session, amount, amount + 1)
    seal_bid(session, "Aki", 4)
    return session


def state_kept_by_restart(session: Session) -> tuple[object, ...]:
    """Returns all that a restart must not change."""
    question = session.question
    accounts = [(account.place.key, account.piece.key, account.count) for account in session.table.ledger]
    log_key = None if question is None else question.log_key
    return session.question_number, log_key, session.drafts, list(session.steps), session.may_redo, accounts


def play_round_and_report(session: Session, answer: str) -> None:
    """Plays one round; prints a line for each bid and answer once it is saved."""
    amount = len(session.steps) % 900 + 1
    if session.question is not None and session.question.kind == "Together":
        for name in NAMES:
            seat = session.table.seats.find_seat(name)
            if seat not in session.drafts:
                number = session.question_number
                session.put_answer_in_envelope(number, seat, amount)
                print(f"bid {number} {seat.number} {amount}", flush=True)
    number = session.question_number
    session.answer(number, answer)
    print(f"answer {number}", flush=True)


def reported_lines_in(store: Store) -> Iterator[str]:
    """Yields the lines that the program may have printed, according to the saved files."""
    log = store.open_game_log(1)
    for event in log.events():
        if isinstance(event, Answered):
            if event.salts:
                yield from (f"bid {event.n} {seat} {bid}" for seat, bid in event.answer.items())
            else:
                yield f"answer {event.n}"
    sealed = {event.commitment for event in log.events() if isinstance(event, Sealed)}
    for draft in log.drafts():
        if draft.commitment in sealed:
            yield f"bid {draft.n} {draft.seat} {draft.answer}"


def main() -> None:
    """Plays forever, or two evenings."""
    directory, rounds = Path(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 10**9
    for last_answer in ("again", "finish"):
        with closing(Store.open(directory, for_writing=True)) as store:
            session = resume_game(store) if store.find_open_game() else begin_game(store)
            for round_number in range(1, rounds + 1):
                play_round_and_report(session, last_answer if round_number == rounds else "again")
            if last_answer == "finish":
                session.put_away()
                print("end", flush=True)


if __name__ == "__main__":
    main()
