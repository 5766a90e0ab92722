"""Tries what the README promises, and prints one table: `make prove`, or `make prove SEED=7`.

It needs three minutes at most on two idle cores. The seed decides what is played and where the power fails;
the exact moment of a kill is the machine's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import count as counting
from pathlib import Path
from random import Random
from shutil import which
from typing import NamedTuple

from companion.errors import CompanionError, describe_exception
from companion.installed_games import games
from companion.monospace_text import align_columns
from companion.presets import chosen_preset_decks
from companion.requests import Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import make_view
from companion.store import Store
from companion.testing.noninterference import (
    Observation,
    ViewFunction,
    check_noninterference,
    find_observable_differences,
)
from companion.testing.random_game import (
    MISSING_STATE_DIRECTORY,
    PLAYER_NAMES,
    RandomGame,
    answer_randomly,
    choose_random_options,
    play_randomly_to_end,
    sample_answer,
)
from tests.support.kill_and_resume import KillTest
from tests.support.power_cuts import DiskOperation, record_operations, simulate_power_cuts
from tests.support.sealed_bid_games import WRITER_COMMAND, finish_open_round, reported_lines_in, resume_game
from tests.support.twin_observations import observe_moment

KILLS, CUTS, PAIRS, GAMES = 30, 10, 20, 1_000
SEATS = "Aki,Ben,Chie"
LONGEST_LIFE = 0.3
"""The most seconds that the program plays before it is killed."""
ROUNDS = 8
"""Rounds of each of the two evenings that are recorded for the power cuts."""
ANSWERS, TRIES = 60, 20
"""How far into a game a pair is compared, and how many answers are drawn until two differ."""
SEEDS = 1_000_000
NEEDS_STRACE = "A power cut can be played only where strace may watch the program"
FAULTS = (AssertionError, BrokenPipeError, CompanionError)
"""What is raised where a promise isn't kept."""


class Proof(NamedTuple):
    """One promise: what was tried, what came out, and why it isn't kept, or couldn't be tried."""

    promise: str
    tried: str
    found: str
    broken: str = ""
    skipped: str = ""


Tell = Callable[[int], None]
"""Is told how many have been tried."""


def _nothing(_state: Path) -> None:
    """Between two starts nobody touches the files."""


def prove_kills(
    many: int,
    seed: int,
    tell: Tell,
    between: Callable[[Path], None] = _nothing,
    shelf: Collection[str] | None = None,
) -> Proof:
    """Kills the program at random moments while it plays the games of the shelf in turn.

    `between` is done to its files before it starts again.
    """
    promise, lost, broken = "A confirmed answer survives a crash", 0, ""
    with tempfile.TemporaryDirectory() as there:
        found = sorted(shelf or games())
        keys = Random(seed).sample(found, min(many, len(found)))
        players = [KillTest(Path(there, key), key, SEATS, str(seed), LONGEST_LIFE) for key in keys]
        for number in range(many):
            one = players[number % len(players)]
            try:
                one.resume_and_play_until_killed()
                between(one.state)
            except FAULTS as error:
                lost, broken = lost + 1, f"{one.game}: {describe_exception(error)}"
            tell(number + 1)
        for one in players:
            try:
                one.resume_and_check()
            except FAULTS as error:
                lost, broken = lost + 1, f"{one.game}: {describe_exception(error)}"
            if gone := one.lost_answers():
                lost, broken = lost + len(gone), f"{one.game}: {gone[0]} is not in its log"
        answers = sum(len(one.acknowledged) for one in players)
    return Proof(promise, f"{many} kills, {answers:,} confirmed answers", f"{lost} lost", broken)


def prove_power_cuts(
    many: int, seed: int, tell: Tell, reaches_the_disk: Callable[[DiskOperation], bool] = lambda _: True
) -> Proof:
    """Cuts the power at random moments on a disk that forgets what was not synced.

    `reaches_the_disk`: which of the program's writes and syncs that disk gets at all.
    """
    promise, lost, told, broken = "A confirmed answer survives a power cut", 0, 0, ""
    with tempfile.TemporaryDirectory() as there:
        state, found = Path(there, "recorded", "state"), Path(there, "found")
        state.parent.mkdir()
        if why := _why_not_traced():
            return Proof(promise, "nothing", "not tried", skipped=f"{NEEDS_STRACE}: {why}")
        try:
            operations = [
                *filter(
                    reaches_the_disk, record_operations([*WRITER_COMMAND, str(state), str(ROUNDS)], state)
                )
            ]
        except OSError as error:
            return Proof(promise, "nothing", "not played", broken=describe_exception(error))
        for number, disk in enumerate(simulate_power_cuts(state, operations, many, found, seed=seed), 1):
            told += len(disk.printed_lines)
            missing = _missing(found / "state", disk.printed_lines)
            if missing:
                lost, broken = lost + len(missing), f"cut {number}: {missing[0]}"
            tell(number)
    return Proof(promise, f"{many} power cuts, {told:,} confirmed answers", f"{lost} lost", broken)


def _why_not_traced() -> str:
    """Why strace can't watch a program here; empty where it can."""
    strace = which("strace")
    if strace is None:
        return "sudo apt install strace"
    traced = subprocess.run([strace, "-o", os.devnull, "true"], capture_output=True, text=True, check=False)
    return traced.stderr.strip() or "it ended with an error" if traced.returncode else ""


def _missing(state: Path, told: list[str]) -> list[str]:
    """What was confirmed and is not there after a power cut; else the game goes on."""
    try:
        with closing(Store.open(state, for_writing=True)) as store:
            there = {*reported_lines_in(store), "end"} if store.all_saved_games() else set()
            lost = [line for line in told if line not in there]
            if not lost and "end" not in told and store.find_open_game():
                finish_open_round(resume_game(store))
    except CompanionError as error:
        return [describe_exception(error)]
    return lost


def prove_secrets(many: int, seed: int, tell: Tell, look: ViewFunction = make_view) -> Proof:
    """Plays games in pairs that differ only in a secret, and compares everything that can be observed.

    Half of the pairs differ in a sealed answer, the others in what lies covered. `look` is what a seat sees.
    """
    rng, apart = Random(seed), list[str]()
    shelf = [game for _, game in sorted(games().items()) if isinstance(game, Game)]
    done = 0
    while done < many:
        game, number = rng.choice(shelf), rng.randrange(SEEDS)
        found = _sealed_pair(game, number, look) if done % 2 else _covered_pair(game, number)
        if found is None:
            continue  # this game had no secret at that moment
        apart += [f"{game.key}: {what}" for what in found]
        done += 1
        tell(done)
    broken = apart[0] if apart else ""
    return Proof(
        "A secret stays secret", f"{many} pairs of games", _several(len(apart), "difference"), broken
    )


def _covered_pair(game: Game, number: int) -> list[str] | None:
    """Plays on at two tables that differ in what lies covered; None where nothing does."""
    rng = Random(number)
    trial = RandomGame.begin(game, number, rng)
    for _ in range(rng.randrange(ANSWERS)):
        if trial.session.question is not None:
            answer_randomly(trial.session, rng)
    try:
        return [] if check_noninterference(trial) else None
    except AssertionError as error:
        return [describe_exception(error)]


def _sealed_pair(game: Game, number: int, look: ViewFunction) -> list[str] | None:
    """Plays the same game twice up to a sealed round in which one answer differs; None if it has none."""
    pair = []
    for which_answer in (0, 1):
        with tempfile.TemporaryDirectory() as there:
            pair.append(_sealed_round(game, number, which_answer, Path(there), look))
    one, other = pair
    return None if one is None or other is None else find_observable_differences(one, other)


def _sealed_round(
    game: Game, number: int, which_answer: int, folder: Path, look: ViewFunction
) -> list[Observation] | None:
    """What can be observed of a sealed round before it is opened, files included."""
    rng, salts = Random(number), counting()
    options = choose_random_options(game, rng)
    with closing(Store.open(folder, for_writing=True)) as store:
        store.wall_clock = lambda: None
        log = store.new_game_log()
        session = Session.begin(
            game,
            PLAYER_NAMES[: max(2, game.players[0])],
            options,
            log,
            deck_by_name=chosen_preset_decks(game, options, MISSING_STATE_DIRECTORY) or None,
            seed=number,
            clock=lambda: 0.0,
            salt=lambda: f"{next(salts):032x}",
        )
        question = _sealed_question(session, rng)
        if question is None:
            return None
        first, *others = rng.sample(list(question.seats), len(question.seats))
        answers = [sample_answer(question.parts_by_seat[first], rng) for _ in range(TRIES)]
        different = [answers[0], next((each for each in answers if each != answers[0]), None)]
        if different[1] is None:
            return None
        sights = list[Observation]()
        for seat in [first, *others[:-1]]:
            given = (
                different[which_answer] if seat is first else sample_answer(question.parts_by_seat[seat], rng)
            )
            session.put_answer_in_envelope(session.question_number, seat, given)
            sights.append(observe_moment(session, log=log.events(), directory=folder, view_function=look))
        return sights


def _sealed_question(session: Session, rng: Random) -> Together[object] | None:
    """Plays at random until several seats are asked in secret; None where that doesn't happen soon."""
    for _ in range(ANSWERS):
        question = session.question
        if isinstance(question, Together) and not question.is_open and len(question.seats) > 1:
            return question
        if question is None:
            return None
        answer_randomly(session, rng)
    return None


def prove_games(many: int, seed: int, tell: Tell, shelf: Mapping[str, object] | None = None) -> Proof:
    """Plays random games of the shelf to their ends.

    Each ends, no piece is made or lost at any moment, the lines of the score add up to the totals, and the
    log brings the same table back.
    """
    found = [game for _, game in sorted((shelf or games()).items()) if isinstance(game, Game)]
    faults, answers, broken = 0, 0, ""
    for number in range(many):
        game = found[number % len(found)]
        trial = RandomGame.begin(game, number // len(found), Random(f"{game.key} {seed} {number}"))
        try:
            _play(trial)
        except FAULTS as error:
            faults, broken = faults + 1, f"{game.key}, game {number}: {describe_exception(error)}"
        answers += len(trial.session.steps)
        tell(number + 1)
    return Proof(
        "Games keep their rules",
        f"{many:,} random games, {answers:,} answers",
        _several(faults, "fault"),
        broken,
    )


def _play(trial: RandomGame) -> None:
    session = trial.session
    books = session.table.ledger.total_by_piece_key()

    def watch() -> None:
        assert session.table.ledger.total_by_piece_key() == books, (
            f"pieces were made or lost before answer {session.question_number}"
        )

    play_randomly_to_end(session, trial.rng, watch)
    assert session.result is not None
    for one in session.result.standings:
        assert one.lines_add_up, f"{one.seat.name}'s score doesn't add up to {one.total}"
    trial.check_replay()


def _several(many: int, what: str) -> str:
    return f"{many} {what}" if many == 1 else f"{many} {what}s"


class Progress:
    """Says what is tried and how far it is: on a terminal in one line, elsewhere at the end of each."""

    def __init__(self, what: str, many: int) -> None:
        self.what, self.many = what, many
        self.shows = sys.stdout.isatty()
        self(0)

    def __call__(self, done: int) -> None:
        """Shows how many have been tried."""
        if self.shows:
            end = "\n" if done == self.many else "\r"
            print(f"{self.what}: {done:,} of {self.many:,}", end=end, flush=True)
        elif done == self.many:
            print(f"{self.what}: {done:,}", flush=True)


def prove(kills: int, power_cuts: int, pairs: int, random_games: int, seed: int) -> Iterator[Proof]:
    """Tries one promise after the other."""
    yield prove_kills(kills, seed, Progress("Killing the program", kills))
    yield prove_power_cuts(power_cuts, seed, Progress("Cutting the power", power_cuts))
    yield prove_secrets(pairs, seed, Progress("Comparing games that differ only in a secret", pairs))
    yield prove_games(random_games, seed, Progress("Playing random games", random_games))


def report(proofs: Iterable[Proof], seed: int) -> int:
    """Prints the table and gives the exit status: 1 if a promise is broken."""
    start = time.monotonic()
    results = list(proofs)
    minutes, seconds = divmod(round(time.monotonic() - start), 60)
    rows = [["Promise", "Tried", "Result"], *([one.promise, one.tried, one.found] for one in results)]
    print("", *align_columns(rows), "", sep="\n")
    for one in results:
        if one.broken:
            print(f"Broken: {one.promise}. {one.broken}")
        if one.skipped:
            print(one.skipped)
    if any(one.broken for one in results):
        print(f"Please report this with the lines above: seed {seed}.")
        return 1
    kept_all = (
        "Not everything was tried." if any(one.skipped for one in results) else "Every promise was kept."
    )
    print(f"{kept_all} {minutes} min {seconds} s, seed {seed}: make prove SEED={seed} plays the same games.")
    return 0


def main() -> int:
    """Reads the command line and proves."""
    parser = ArgumentParser(prog="make prove", description=str(__doc__).partition("\n")[0])
    parser.add_argument(
        "--seed", type=int, default=None, help="what is drawn; without it a new one each time"
    )
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--cuts", type=int, default=CUTS)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--games", type=int, default=GAMES)
    args = parser.parse_args()
    seed = Random().randrange(SEEDS) if args.seed is None else args.seed
    print(f"Seed {seed}. This takes up to three minutes.", flush=True)
    return report(prove(args.kills, args.cuts, args.pairs, args.games, seed), seed)


if __name__ == "__main__":
    sys.exit(main())
