"""A game played at random, and everything that can be seen of it at one moment.

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

from companion.cards import Deck, deck_of
from companion.errors import IllegalAnswer, TableError
from companion.log.events import Answered, Event
from companion.log.memory import Memory
from companion.presets import chosen_decks
from companion.requests import Request
from companion.rules.game import NO_NUMBER_WORD, ChoiceOption, Game, GameOption, NumberOption, TextOption
from companion.session.run import replay
from companion.session.session import Session, no_tags
from companion.session.view import HistoryEntry, View, history, view
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.words import render

NOWHERE = Path("/nonexistent")
"""The state directory of people who own nothing."""
LONGEST = 10_000
"""A random game with more answers than this has no end."""
NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ian", "Jo", "Ken", "Lea")
MANY, TIRED = 5, 200
"""Of more people nobody bids any more after so many answers: they hardly ever all pass in a row by chance."""
ROLLED = 0.5
"""How often the companion rolls, and not the table."""
AT_ONCE = 0.5
"""How often a round that all may see is answered in one go."""
DRAWN = 100
"""So often options are drawn until they go together."""
RESEALED = 0.1
"""How often somebody seals twice."""


class Trial(NamedTuple):
    """A game played at random: the session, its log and its chance."""

    session: Session
    log: Memory
    rng: Random

    @classmethod
    def begun(cls, game: Game, number: int, rng: Random, decks: Mapping[str, Deck] | None = None) -> Trial:
        """A game that has just begun with random options; `number` decides how many play.

        A preset that was chosen lies on the table, and printed values of somebody's own only as `decks`.
        """
        least, most = game.players[0], min(game.players[1], len(NAMES))
        names = NAMES[: least + number % (most - least + 1)]
        options = any_options(game, rng, decks)
        log, decks = Memory(), decks or chosen_decks(game, options, NOWHERE) or None
        session = Session.begin(game, names, options, log, decks=decks, seed=number, **_outside(rng))
        return cls(session, log, rng)

    def reopened(self, length: int | None = None) -> Trial:
        """The game as a program finds it that starts now; its log, or a part of it, is written and read."""
        events = self.log[:length]
        read = msgspec.json.decode(msgspec.json.encode(events), type=list[Event])
        assert read == events, "the log can't be written and read as JSON"
        log = Memory(read)
        for draft in self.log.drafts():
            log.seal(draft)
        return Trial(Session(self.session.game, read, log, **_outside(self.rng)), log, self.rng)

    def cut(self) -> Trial:
        """The game as a program finds it that was stopped at some earlier event."""
        return self.reopened(self.rng.randrange(1, len(self.log) + 1))

    def check_log(self) -> None:
        """Proves that the log brings back what is seen now."""
        assert seen(self.reopened().session) == seen(self.session), "the log replays to another table"

    def another(self, event: int) -> tuple[Seat | None, object]:
        """A legal answer to an earlier question, as it was when it was asked; whose, if it is a Together."""
        session, steps = self.session, list(self.session.steps)
        at = next(at for at, step in enumerate(steps) if isinstance(step, Answered) and step.n == event)
        question = replay(session.game, session.began, steps[:at], no_tags).question
        assert question is not None
        if question.parts:
            seat = self.rng.choice(question.seats)
            return seat, sample(question.parts[seat], self.rng)
        return None, sample(question, self.rng)


def play_on(session: Session, rng: Random, watch: Callable[[], None] = lambda: None) -> None:
    """Answers at random until the game is over; calls `watch` before every answer and at the end."""
    for _ in range(LONGEST):
        watch()
        if session.question is None:
            return
        answer_at_random(session, rng)
    raise AssertionError(f"after {LONGEST} answers the game still asks {session.question}")


def answer_at_random(session: Session, rng: Random) -> None:
    """Gives a legal answer to the open question, or those of all who are asked at once, in any order."""
    question = session.question
    assert question is not None
    form = question.form
    if form.app_answers and rng.random() < ROLLED:
        session.roll(session.n)
        return
    if "bids" in form.facts and form.may_decline and _are_tired(session):
        session.answer(session.n, None, via="sample")
        return
    if not question.parts or (not question.is_sealed and rng.random() < AT_ONCE):
        session.answer(session.n, sample(question, rng), via="sample")
        return
    seats = list(question.seats)
    rng.shuffle(seats)
    if rng.random() < RESEALED:
        seats.insert(0, seats[0])
    n = session.n
    for seat in seats:
        if session.n == n:
            session.draft(n, seat, sample(question.parts[seat], rng), via="sample")


def _are_tired(session: Session) -> bool:
    return len(session.table.seats) > MANY and session.n > TIRED


def seen(session: Session) -> tuple[dict[str, Any], str, list[HistoryEntry], dict[str, int]]:
    """Everything about a moment that must come back: what is seen, what is asked, the history, the sums."""
    return (
        still(view(session)),
        asked(session.question),
        history(session),
        session.table.ledger.piece_totals(),
    )


def still(look: View) -> dict[str, Any]:
    """A view as values that can be compared and written: opened answers by name, the question left out."""
    fields = msgspec.structs.asdict(look)
    fields.pop("question")
    fields["piles"] = {place.key: pieces for place, pieces in look.piles.items()}
    fields["numbered"] = {place.key: now.key for place, now in look.numbered.items()}
    if opened := fields.pop("opened"):
        fields["opened"] = opened.question.dump(opened.answers)
    return fields


def held(session: Session) -> dict[tuple[Place, Piece], int]:
    """What lies where, nothing left out."""
    ledger = session.table.ledger
    return {(account.place, account.piece): account.count for account in ledger if account.count}


def takes(question: Request[Any], plain: object) -> bool:
    """Whether that is a legal answer."""
    try:
        question.check(question.load(plain))
    except IllegalAnswer:
        return False
    return True


def asked(question: Request[Any] | None) -> str:
    """An open question, with its limits, as JSON."""
    if question is None:
        return "the game is over"
    parts = question.parts.items()
    sealed = {seat.name: [part.asks, render(part.text), part.limits] for seat, part in parts}
    return json.dumps([question.asks, render(question.text), question.limits, sealed], allow_nan=False)


def sample(question: Request[Any], rng: Random) -> object:
    """The JSON form of a legal answer; fails where the sample isn't legal or isn't read as it is written."""
    answer = question.sample(rng)
    question.check(answer)
    given = question.dump(answer)
    assert question.dump(question.load(given)) == given, f"{question.asks}: {given!r} isn't read as written"
    return given


def any_options(game: Game, rng: Random, decks: Mapping[str, Deck] | None = None) -> dict[str, str]:
    """Settings of all options that go together, as people would type them."""
    options: dict[str, str] = {}
    for _ in range(DRAWN):
        options = {option.key: chosen(option, rng) for option in game.options}
        lying = decks or chosen_decks(game, options, NOWHERE)
        lying = lying or {name: deck_of(name, game.folder) for name in game.decks}
        with suppress(TableError):
            game.check_options(game.parse_options(options), lying)
            break
    return options


def chosen(option: GameOption, rng: Random) -> str:
    """A setting of an option, as people would type it; the ends of a number more often."""
    if isinstance(option, ChoiceOption):
        return rng.choice(list(option.choices))
    if isinstance(option, NumberOption):
        numbers = [str(option.least), str(option.most), str(rng.randint(option.least, option.most))]
        return rng.choice([*numbers, NO_NUMBER_WORD] if option.default is None else numbers)
    assert isinstance(option, TextOption)
    return rng.choice(["", "gold"[: option.max_letters]])


def _outside(rng: Random) -> dict[str, Any]:
    seconds = count()
    return {"clock": lambda: float(next(seconds)), "salt": lambda: f"{rng.getrandbits(128):032x}"}
