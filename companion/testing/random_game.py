"""Plays a game at random, and describes its observable state for comparisons.

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
from companion.presets import chosen_preset_decks
from companion.requests import Request
from companion.rules.game import NO_NUMBER_WORD, ChoiceOption, Game, GameOption, NumberOption, TextOption
from companion.session.run import replay_steps
from companion.session.session import Session, find_no_card
from companion.session.view import HistoryEntry, View, list_history_entries, make_view
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import render

MISSING_STATE_DIRECTORY = Path("/nonexistent")
"""A state directory that doesn't exist, for people without saved files."""
MAX_ANSWERS_PER_GAME = 10_000
"""The most answers that a random game may have; with more it counts as endless."""
PLAYER_NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ian", "Jo", "Ken", "Lea")
MAX_PLAYERS_BIDDING_WITHOUT_LIMIT, MAX_BIDDING_ANSWERS = 5, 200
"""With more players than this, nobody bids after this many answers: random players hardly ever all pass."""
APP_ROLL_FRACTION = 0.5
"""The share of dice rolls that Companion makes itself."""
ROUND_ANSWERED_AT_ONCE_FRACTION = 0.5
"""The share of open rounds that are answered at once for all seats."""
MAX_OPTION_TRIES = 100
"""The most times that options are drawn until they are compatible."""
ROUNDS_WITH_SECOND_ANSWER_FRACTION = 0.1
"""The share of rounds answered seat by seat in which somebody answers twice."""


class SampledAmendment(NamedTuple):
    """A random legal answer, as JSON, that may replace an earlier one, and its seat.

    The seat is None unless each seat answered its own part of the question.
    """

    seat: Seat | None
    json_answer: object


class ReplayableState(NamedTuple):
    """All that a replay must restore: the view, the question as JSON, the history and the pieces' totals."""

    view: dict[str, Any]
    question_json: str
    history: list[HistoryEntry]
    total_by_piece_key: dict[str, int]


class RandomGame(NamedTuple):
    """A game played at random: the session, its log and its random generator."""

    session: Session
    log: MemoryLog
    rng: Random

    @classmethod
    def begin(
        cls, game: Game, game_number: int, rng: Random, decks: Mapping[str, Deck] | None = None
    ) -> RandomGame:
        """Begins a game with random options; `game_number` decides how many play.

        A chosen preset is used; an owner's own printed values are used only if given as `decks`.
        """
        least, most = game.players[0], min(game.players[1], len(PLAYER_NAMES))
        names = PLAYER_NAMES[: least + game_number % (most - least + 1)]
        options = choose_random_options(game, rng, decks, len(names))
        log = MemoryLog()
        decks = decks or chosen_preset_decks(game, options, MISSING_STATE_DIRECTORY) or None
        session = Session.begin(
            game, names, options, log, deck_by_name=decks, seed=game_number, **_fixed_clock_and_salt(rng)
        )
        return cls(session, log, rng)

    def reopen_from_log(self, event_count: int | None = None) -> RandomGame:
        """Returns the game reopened from its log, through JSON.

        With `event_count` only that many events from the start are used.
        """
        events = self.log[:event_count]
        decoded_events = msgspec.json.decode(msgspec.json.encode(events), type=list[Event])
        assert decoded_events == events, "the log can't be written and read as JSON"
        log = MemoryLog(decoded_events)
        for draft in self.log.drafts():
            log.add_draft(draft)
        return RandomGame(
            Session(self.session.game, decoded_events, log, **_fixed_clock_and_salt(self.rng)), log, self.rng
        )

    def reopen_at_earlier_event(self) -> RandomGame:
        """Returns the game reopened at a random earlier event."""
        return self.reopen_from_log(self.rng.randrange(1, len(self.log) + 1))

    def check_replay(self) -> None:
        """Asserts that replaying the log leads to the present state."""
        assert replayable_state(self.reopen_from_log().session) == replayable_state(self.session), (
            "the log replays to another table"
        )

    def sample_amendment(self, question_number: int) -> SampledAmendment:
        """Returns a random legal answer with which the answer to an earlier question may be amended."""
        session, steps = self.session, list(self.session.steps)
        step_index = next(
            step_index
            for step_index, step in enumerate(steps)
            if isinstance(step, Answered) and step.n == question_number
        )
        question = replay_steps(session.game, session.began, steps[:step_index], find_no_card).question
        assert question is not None
        if question.parts_by_seat:
            seat = self.rng.choice(question.seats)
            return SampledAmendment(seat, sample_answer(question.parts_by_seat[seat], self.rng))
        return SampledAmendment(None, sample_answer(question, self.rng))


def play_randomly_to_end(
    session: Session, rng: Random, before_each_answer: Callable[[], None] = lambda: None
) -> None:
    """Answers at random until the game is over.

    `before_each_answer` is called before each answer and at the end.
    """
    for _ in range(MAX_ANSWERS_PER_GAME):
        before_each_answer()
        if session.question is None:
            return
        answer_randomly(session, rng)
    raise AssertionError(f"after {MAX_ANSWERS_PER_GAME} answers the game still asks {session.question}")


def answer_randomly(session: Session, rng: Random) -> None:
    """Gives a random legal answer to the open question.

    If several seats are asked, all answer, in any order.
    """
    question = session.question
    assert question is not None
    form = question.form
    if form.app_may_roll and rng.random() < APP_ROLL_FRACTION:
        session.roll_app_dice(session.question_number)
        return
    if "bids" in form.side_facts and form.may_decline_now and _should_end_bidding(session):
        session.answer(session.question_number, None, answer_source="sample")
        return
    if not question.parts_by_seat or (
        not question.is_sealed and rng.random() < ROUND_ANSWERED_AT_ONCE_FRACTION
    ):
        session.answer(session.question_number, sample_answer(question, rng), answer_source="sample")
        return
    seats = list(question.seats)
    rng.shuffle(seats)
    if rng.random() < ROUNDS_WITH_SECOND_ANSWER_FRACTION:
        seats.insert(0, seats[0])
    n = session.question_number
    for seat in seats:
        if session.question_number == n:
            session.put_answer_in_envelope(
                n, seat, sample_answer(question.parts_by_seat[seat], rng), answer_source="sample"
            )


def _should_end_bidding(session: Session) -> bool:
    return (
        len(session.table.seats) > MAX_PLAYERS_BIDDING_WITHOUT_LIMIT
        and session.question_number > MAX_BIDDING_ANSWERS
    )


def replayable_state(session: Session) -> ReplayableState:
    """Returns everything that a replay must restore."""
    return ReplayableState(
        comparable_view_without_question(make_view(session)),
        question_as_json_text(session.question),
        list_history_entries(session),
        session.table.ledger.total_by_piece_key(),
    )


def comparable_view_without_question(table_view: View) -> dict[str, Any]:
    """Returns a view without its question, as a dict of comparable values.

    Opened answers are given by name.
    """
    fields = msgspec.structs.asdict(table_view)
    fields.pop("question")
    fields["piles"] = {place.key: pieces for place, pieces in table_view.piles.items()}
    fields["current_slot_by_place"] = {
        place.key: current_slot.key for place, current_slot in table_view.current_slot_by_place.items()
    }
    if envelopes := fields.pop("opened_envelopes"):
        fields["opened_envelopes"] = envelopes.question.answer_to_json(envelopes.answers)
    return fields


def count_by_place_and_piece(session: Session) -> dict[tuple[Place, Piece], int]:
    """Returns the counts of all accounts that aren't empty, covered ones too, by place and piece."""
    ledger = session.table.ledger
    return {(account.place, account.piece): account.count for account in ledger if account.count}


def is_legal_answer(question: Request[Any], json_answer: object) -> bool:
    """Returns whether the answer is legal."""
    try:
        question.check_answer(question.parse_answer(json_answer))
    except IllegalAnswer:
        return False
    return True


def question_as_json_text(question: Request[Any] | None) -> str:
    """Returns the open question with its limits as JSON text."""
    if question is None:
        return "the game is over"
    parts = question.parts_by_seat.items()
    parts_by_name = {seat.name: [part.log_key, render(part.text), part.limits_json] for seat, part in parts}
    return json.dumps(
        [question.log_key, render(question.text), question.limits_json, parts_by_name], allow_nan=False
    )


def sample_answer(question: Request[Any], rng: Random) -> object:
    """Returns a random legal answer as JSON; asserts that it is legal and can be loaded unchanged."""
    answer = question.random_legal_answer(rng)
    question.check_answer(answer)
    json_answer = question.answer_to_json(answer)
    assert question.answer_to_json(question.parse_answer(json_answer)) == json_answer, (
        f"{question.log_key}: {json_answer!r} isn't read as written"
    )
    return json_answer


def choose_random_options(
    game: Game, rng: Random, decks: Mapping[str, Deck] | None = None, player_count: int | None = None
) -> dict[str, str]:
    """Returns random, compatible values of all options, as people would type them.

    Without `player_count`, the options fit the smallest number of players.
    """
    options: dict[str, str] = {}
    for _ in range(MAX_OPTION_TRIES):
        options = {option.key: choose_random_option_value(option, rng) for option in game.options}
        starting_decks = decks or chosen_preset_decks(game, options, MISSING_STATE_DIRECTORY)
        starting_decks = starting_decks or {name: shipped_deck(name, game.folder) for name in game.decks}
        with suppress(UserError):
            game.check_options(game.parse_options(options), starting_decks, player_count or game.players[0])
            break
    return options


def choose_random_option_value(option: GameOption, rng: Random) -> str:
    """Returns a random value of an option as people would type it, more often an extreme number."""
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
