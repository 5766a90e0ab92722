"""Plays a game at random, and compares what can be seen of it.

Chance comes from a seed, and no clock runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.cards import Deck, shipped_deck
from companion.errors import IllegalAnswer, UserError
from companion.log.events import Answered, Event
from companion.log.log import MemoryLog
from companion.presets import chosen_decks
from companion.requests import Request
from companion.rules.game import NO_NUMBER_WORD, ChoiceOption, Game, GameOption, NumberOption, TextOption
from companion.session.run import replay
from companion.session.session import Session, no_tags
from companion.session.view import HistoryEntry, View, history, view
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import render

NO_STATE_DIRECTORY = Path("/nonexistent")
"""A state directory that doesn't exist: people who own nothing."""
MAX_ANSWERS = 10_000
"""A random game with more answers than this counts as endless."""
PLAYER_NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ian", "Jo", "Ken", "Lea")
MANY_PLAYERS, MAX_BIDDING_ANSWERS = 5, 200
"""Of more people nobody bids any more after so many answers: they hardly ever all pass in a row by chance."""
APP_ROLL_RATE = 0.5
"""Share of the rolls that Companion makes."""
WHOLE_ROUND_RATE = 0.5
"""Share of the open rounds that are answered at once."""
MAX_OPTION_TRIES = 100
"""Options are drawn again until they go together, at most this often."""
RESEAL_RATE = 0.1
"""Share of the sealed rounds in which somebody seals twice."""


class RandomGame(NamedTuple):
    """A game played at random: the session, its log and its chance."""

    session: Session
    log: MemoryLog
    rng: Random

    @classmethod
    def begin(
        cls, game: Game, number: int, rng: Random, decks: Mapping[str, Deck] | None = None
    ) -> RandomGame:
        """Begins a game with random options; `number` decides how many play.

        A preset that was chosen lies on the table, and printed values of somebody's own only as `decks`.
        """
        least, most = game.players[0], min(game.players[1], len(PLAYER_NAMES))
        names = PLAYER_NAMES[: least + number % (most - least + 1)]
        options = random_options(game, rng, decks)
        log, decks = MemoryLog(), decks or chosen_decks(game, options, NO_STATE_DIRECTORY) or None
        session = Session.begin(
            game, names, options, log, decks=decks, seed=number, **_fixed_clock_and_salt(rng)
        )
        return cls(session, log, rng)

    def reopen(self, length: int | None = None) -> RandomGame:
        """Returns the game reopened from its log, or the first `length` events, through JSON."""
        events = self.log[:length]
        read = msgspec.json.decode(msgspec.json.encode(events), type=list[Event])
        assert read == events, "the log can't be written and read as JSON"
        log = MemoryLog(read)
        for draft in self.log.drafts():
            log.seal(draft)
        return RandomGame(
            Session(self.session.game, read, log, **_fixed_clock_and_salt(self.rng)), log, self.rng
        )

    def reopen_earlier(self) -> RandomGame:
        """Returns the game reopened at a random earlier event."""
        return self.reopen(self.rng.randrange(1, len(self.log) + 1))

    def check_replay(self) -> None:
        """Asserts that the log replays to what is seen now."""
        assert observable_state(self.reopen().session) == observable_state(self.session), (
            "the log replays to another table"
        )

    def another_answer(self, event: int) -> tuple[Seat | None, object]:
        """Returns a legal answer to an earlier question, and its seat if the question was a Together."""
        session, steps = self.session, list(self.session.steps)
        at = next(at for at, step in enumerate(steps) if isinstance(step, Answered) and step.n == event)
        question = replay(session.game, session.began, steps[:at], no_tags).question
        assert question is not None
        if question.parts_by_seat:
            seat = self.rng.choice(question.seats)
            return seat, sample_answer(question.parts_by_seat[seat], self.rng)
        return None, sample_answer(question, self.rng)


def play_on(session: Session, rng: Random, watch: Callable[[], None] = lambda: None) -> None:
    """Answers at random until the game is over; calls `watch` before every answer and at the end."""
    for _ in range(MAX_ANSWERS):
        watch()
        if session.question is None:
            return
        answer_at_random(session, rng)
    raise AssertionError(f"after {MAX_ANSWERS} answers the game still asks {session.question}")


def answer_at_random(session: Session, rng: Random) -> None:
    """Gives a legal answer to the open question, or those of all who are asked at once, in any order."""
    question = session.question
    assert question is not None
    form = question.form
    if form.app_may_roll and rng.random() < APP_ROLL_RATE:
        session.roll(session.question_number)
        return
    if "bids" in form.side_facts and form.may_decline and _bids_no_more(session):
        session.answer(session.question_number, None, via="sample")
        return
    if not question.parts_by_seat or (not question.is_sealed and rng.random() < WHOLE_ROUND_RATE):
        session.answer(session.question_number, sample_answer(question, rng), via="sample")
        return
    seats = list(question.seats)
    rng.shuffle(seats)
    if rng.random() < RESEAL_RATE:
        seats.insert(0, seats[0])
    n = session.question_number
    for seat in seats:
        if session.question_number == n:
            session.draft(n, seat, sample_answer(question.parts_by_seat[seat], rng), via="sample")


def _bids_no_more(session: Session) -> bool:
    return len(session.table.seats) > MANY_PLAYERS and session.question_number > MAX_BIDDING_ANSWERS


def observable_state(session: Session) -> tuple[dict[str, Any], str, list[HistoryEntry], dict[str, int]]:
    """Returns everything about a moment that a replay must restore: view, question, history and sums."""
    return (
        comparable_view(view(session)),
        question_as_text(session.question),
        history(session),
        session.table.ledger.piece_totals(),
    )


def comparable_view(look: View) -> dict[str, Any]:
    """Returns a view as comparable values: opened answers by name, without the question."""
    fields = msgspec.structs.asdict(look)
    fields.pop("question")
    fields["piles"] = {place.key: pieces for place, pieces in look.piles.items()}
    fields["slots"] = {place.key: now.key for place, now in look.slots.items()}
    if opened := fields.pop("opened"):
        fields["opened"] = opened.question.dump(opened.answers)
    return fields


def counts_by_account(session: Session) -> dict[tuple[Place, Piece], int]:
    """Returns the counts of all accounts that aren't empty, covered ones too."""
    ledger = session.table.ledger
    return {(account.place, account.piece): account.count for account in ledger if account.count}


def accepts_answer(question: Request[Any], plain: object) -> bool:
    """Returns True for a legal answer."""
    try:
        question.check(question.load(plain))
    except IllegalAnswer:
        return False
    return True


def question_as_text(question: Request[Any] | None) -> str:
    """Returns the open question with its limits as JSON text."""
    if question is None:
        return "the game is over"
    parts = question.parts_by_seat.items()
    sealed = {seat.name: [part.log_key, render(part.text), part.limits_json] for seat, part in parts}
    return json.dumps(
        [question.log_key, render(question.text), question.limits_json, sealed], allow_nan=False
    )


def sample_answer(question: Request[Any], rng: Random) -> object:
    """Returns a random legal answer as JSON; asserts that it is legal and is read back equal."""
    answer = question.sample(rng)
    question.check(answer)
    given = question.dump(answer)
    assert question.dump(question.load(given)) == given, (
        f"{question.log_key}: {given!r} isn't read as written"
    )
    return given


def random_options(game: Game, rng: Random, decks: Mapping[str, Deck] | None = None) -> dict[str, str]:
    """Returns random settings of all options that go together, as people would type them."""
    options: dict[str, str] = {}
    for _ in range(MAX_OPTION_TRIES):
        options = {option.key: random_setting(option, rng) for option in game.options}
        lying = decks or chosen_decks(game, options, NO_STATE_DIRECTORY)
        lying = lying or {name: shipped_deck(name, game.folder) for name in game.decks}
        with suppress(UserError):
            game.check_options(game.parse_options(options), lying)
            break
    return options


def random_setting(option: GameOption, rng: Random) -> str:
    """Returns a random setting of an option as people would type it; the ends of a number more often."""
    if isinstance(option, ChoiceOption):
        return rng.choice(list(option.choices))
    if isinstance(option, NumberOption):
        numbers = [str(option.least), str(option.most), str(rng.randint(option.least, option.most))]
        return rng.choice([*numbers, NO_NUMBER_WORD] if option.default is None else numbers)
    assert isinstance(option, TextOption)
    return rng.choice(["", "gold"[: option.max_letters]])


def _fixed_clock_and_salt(rng: Random) -> dict[str, Any]:
    seconds = count()
    return {"clock": lambda: float(next(seconds)), "salt": lambda: f"{rng.getrandbits(128):032x}"}
