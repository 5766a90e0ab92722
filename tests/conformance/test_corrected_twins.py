"""Every game: corrections find out nothing of what is sealed or covered.

Twins that differ only in that get the same corrections, undos and restarts; nobody can tell them apart.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, islice
from random import Random
from typing import Any, NamedTuple

import pytest

from companion import jsonlines
from companion.errors import CompanionError, IllegalAnswer, RulesCrashed
from companion.game import Game
from companion.journal import journal
from companion.ledger import Account
from companion.record.as_json import as_json
from companion.record.as_text import as_text
from companion.record.record import recorded
from companion.requests import Choose, Request, Together
from companion.seats import Seat
from companion.settling import Settled
from companion.testing.trial import Trial, answer_at_random
from companion.view import view
from companion.words import render
from hardware.prompts import panel
from tests.conformance.registry import GAMES, SOAK
from tests.stall import STALL
from tests.twin import Moment, differing, moment

PAIRS = 300 if SOAK else 2
ROUNDS = 300 if SOAK else 10
DEEDS = 12 if SOAK else 8
FAR = 300
"""A round of envelopes that doesn't come within so many answers is waited for another evening."""
AGAIN = 0.05
"""How often the question is asked again after a correction."""
OPENING = 120 if SOAK else 40
"""Something covered is made to differ after less than so many answers."""
SEALED = [game for game in [*GAMES, STALL] if "Together" in game.asks]
SEALS = "sealed_bid"
"""What people choose in Any Game for a round of envelopes."""
HOME = {"bank", "box", "till", "centre", "unseen"}

Deed = Callable[[Trial], object]


class Twins:
    """Two games that get the same deeds; `seen` is what came of each, as everybody but `owners` sees it.

    Nothing of the first `base` things in force is taken back: there they differ.
    """

    def __init__(self, game: Game, number: int, kind: str) -> None:
        self.number, name = number, f"{kind} twins {game.key} {number}"
        self.pair = [Trial.begun(game, number, Random(name)) for _ in range(2)]
        self.rng = Random(name)
        self.owners: set[str] = set()
        self.base = 0
        self.seen: list[list[Moment]] = [[], []]

    @property
    def one(self) -> Trial:
        """The first of them, by which deeds are chosen."""
        return self.pair[0]

    @property
    def asked(self) -> Request[Any] | None:
        """What is open in both."""
        return self.one.session.question

    def play(self, answers: int, *, until: type[Request[Any]] | None = None) -> None:
        """Answers both alike, until such a question is open."""
        for _ in range(answers):
            if self.asked is None or (until and isinstance(self.asked, until)):
                return
            seals = until is Together and isinstance(self.asked, Choose) and SEALS in self.asked.options
            seals = seals and self.rng.random() < 0.5
            for trial in self.pair:
                with suppress(RulesCrashed):  # a game of the tests that may fail
                    if seals:
                        trial.session.answer(trial.session.n, SEALS)
                    else:
                        answer_at_random(trial.session, trial.rng)

    def do(self, what: str, deed: Deed) -> None:
        """The same deed for both, and a look at what came of it."""
        for trial, seen in zip(self.pair, self.seen, strict=True):
            seen.append(self._observed(trial, f"{what}: {_outcome(deed, trial)}"))

    def differing(self) -> list[str]:
        """What a stranger could tell them apart by, the papers of the game included."""
        for trial, seen in zip(self.pair, self.seen, strict=True):
            seen.append(Moment({name: text.encode() for name, text in papers(trial).items()}))
        return differing(*self.seen)

    def _observed(self, trial: Trial, came_of_it: str) -> Moment:
        session, log = trial.session, list(trial.log)
        found = moment(session, log=log)
        sights = {name: sight for name, sight in found.sights.items() if name not in self.owners}
        texts = {
            "deed": came_of_it,
            "line": json.dumps(jsonlines.now(session)),
            "state": json.dumps(jsonlines.state(session)),
            "told": repr([render(text) for text in session.table.notes]),
        }
        for seat in session.table.seats:
            texts[f"lamp and display of {seat.name}"] = repr(panel(view(session), seat, "en"))
        return Moment(sights | {name: text.encode() for name, text in texts.items()}, found.commitments)


def papers(trial: Trial) -> dict[str, str]:
    """What is written of the whole game: the bank's journal and the record."""
    record = recorded(trial.session, list(trial.log))
    moved = [[render(one.text), [*map(render, one.moves)]] for one in journal(trial.session)]
    return {"journal": repr(moved), "record": as_text(record) + as_json(record)}


def _outcome(deed: Deed, trial: Trial) -> str:
    """What came of it, as whoever did it is told."""
    try:
        came = deed(trial)
    except CompanionError as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(came, Settled):
        return repr((came.why and render(came.why), [*map(render, came.by_hand)]))
    return repr([render(text) for text in came] if isinstance(came, list) else came)


# Deeds


def corrects(twins: Twins, among: list[Account]) -> None:
    """Some pieces go somewhere, once in a while with the question asked again; half of the time back home."""
    rng, session = twins.rng, twins.one.session
    source = rng.choice(among)
    places = [one.place for one in session.table.ledger if one.place != source.place]
    home = [place for place in places if place.text in HOME]
    target = rng.choice(home if home and rng.random() < 0.5 else places)
    if rng.random() < 0.3:
        source, target = session.table.ledger.find(target.key, source.piece.key), source.place
    most = max(abs(source.count), 1)
    so_many = rng.choice(
        [1, most, most + 1, *(rng.randint(1, most) for _ in range(4)), rng.randint(1, 2 * most)]
    )
    move = source.place.key, target.key, source.piece.key, so_many, "miscounted"
    again = rng.random() < AGAIN
    twins.do(f"correct {move} {again}", lambda trial: trial.session.correct(*move, again=again))


def goes_back_and_forth(twins: Twins) -> None:
    """Undo, redo, another name and back, a restart."""
    back = ["undo"] * 3 if len(twins.one.session.steps) > twins.base else []
    deed = twins.rng.choice([*back, "redo", "rename", "restart"])

    def do(trial: Trial) -> object:
        session = trial.session
        match deed:
            case "undo":
                return session.undo()
            case "redo":
                return session.redo()
            case "rename":
                for name in ("Zoë", session.table.seats[0].name):
                    session.rename(session.table.seats[0], name)
        return None

    if deed == "restart":
        twins.pair = [trial.reopened() for trial in twins.pair]
    twins.do(deed, do)


def leaves(twins: Twins) -> None:
    """Somebody leaves and is back; not where silence would fill the last envelope."""
    session = twins.one.session
    question = session.question
    if isinstance(question, Together) and len(set(question.seats) - set(session.drafts)) < 2:
        return
    seat = twins.rng.choice(session.table.seats).number

    def here(trial: Trial) -> Seat:
        return trial.session.table.seats.numbered(seat)

    twins.do(f"leave {seat}", lambda trial: trial.session.leave(here(trial)))
    twins.do(f"come back {seat}", lambda trial: trial.session.come_back(here(trial)))


def open_accounts(twins: Twins) -> list[Account]:
    """What people may see lying about."""
    ledger = twins.one.session.table.ledger
    return [one for one in ledger if one.count and not one.covered] or list(ledger)


def held_accounts(twins: Twins) -> list[Account]:
    """What those have who are asked: it is what they bid with."""
    seats = twins.asked.seats if twins.asked else ()
    held = [one for one in twins.one.session.table.ledger if one.place.seat in seats and not one.piece.mark]
    return held or open_accounts(twins)


def covered_accounts(twins: Twins) -> list[Account]:
    """What lies covered, or might; mostly what people hold, as there are so many faces."""
    ledger = twins.one.session.table.ledger
    held = [one for one in ledger if one.covered and not one.piece.mark]
    faces = [one for one in ledger if one.covered and one.piece.mark and one.count]
    return held if held and (twins.rng.random() < 0.7 or not faces) else faces


# Sealed


@pytest.mark.parametrize("game", SEALED, ids=lambda game: game.key)
def test_no_correction_finds_what_is_sealed(game: Game) -> None:
    """Whatever is corrected before the reveal, what is in the envelopes shows in nothing."""
    for twins in islice(sealed_twins(game), ROUNDS):
        for _ in range(DEEDS):
            deed = twins.rng.random()
            if not twins.one.session.drafts:
                break
            if deed < 0.8:
                corrects(twins, held_accounts(twins))
            elif deed < 0.9:
                corrects(twins, open_accounts(twins))
            elif deed < 0.97:
                goes_back_and_forth(twins)
            else:
                leaves(twins)
        assert twins.differing() == [], twins.number
        for trial in twins.pair:
            opens(trial)


def sealed_twins(game: Game) -> Iterator[Twins]:
    """Evenings in which others are in the envelopes of one than of the other."""
    for number in count():
        twins = Twins(game, number, "sealed")
        if game.free_moves:
            fills_purses(twins)
        twins.play(FAR, until=Together)
        if isinstance(twins.asked, Together) and seals(twins):
            yield twins


def fills_purses(twins: Twins) -> None:
    """Where pieces are moved freely, people take what they bid with out of the bank."""
    purses = [one for one in twins.one.session.table.ledger if one.place.seat and one.piece.endless]
    for trial in twins.pair:
        for purse in purses:
            if not purse.piece.mark:
                trial.session.correct("bank", purse.place.key, purse.piece.key, 20, "")


def seals(twins: Twins) -> bool:
    """Some, but not all, seal what the twin doesn't; gives whether anything differs."""
    question = twins.one.session.question
    assert isinstance(question, Together)
    sealing = twins.rng.sample(question.seats, twins.rng.randrange(1, max(2, len(question.seats))))
    differ = False
    for seat in sealing[: len(question.seats) - 1]:
        given = [_dumped(trial, seat, twins.rng) for trial in twins.pair]
        differ = differ or given[0] != given[1]
        for trial, plain in zip(twins.pair, given, strict=True):
            trial.session.draft(trial.session.n, trial.session.table.seats.numbered(seat.number), plain)
    return differ


def _dumped(trial: Trial, seat: Seat, rng: Random) -> object:
    question = trial.session.question
    assert isinstance(question, Together)
    part = question.parts[trial.session.table.seats.numbered(seat.number)]
    answer = part.sample(rng)
    part.check(answer)
    return part.dump(answer)


def opens(trial: Trial) -> None:
    """Whatever was corrected, the round goes on: whoever can't give theirs any more is asked alone."""
    question = trial.session.question
    try:
        if isinstance(question, Together):
            for seat in set(question.seats) - set(trial.session.drafts):
                trial.session.draft(trial.session.n, seat, _dumped(trial, seat, trial.rng))
        if trial.session.question is not None:
            answer_at_random(trial.session, trial.rng)
    except (IllegalAnswer, RulesCrashed):  # people took away what every answer needs: they correct again
        return
    trial.check_log()


# Covered


@pytest.mark.parametrize("game", [*GAMES, STALL], ids=lambda game: game.key)
def test_no_correction_finds_what_is_covered(game: Game) -> None:
    """Whatever is corrected, out of covered places too, what lies in them shows to nobody but its owner."""
    for twins in covered_twins(game):
        for _ in range(DEEDS):
            deed = twins.rng.random()
            if deed < 0.5:
                corrects(twins, covered_accounts(twins))
            elif deed < 0.75:
                corrects(twins, open_accounts(twins))
            else:
                goes_back_and_forth(twins)
        assert twins.differing() == [], twins.number


def covered_twins(game: Game) -> Iterator[Twins]:
    """Evenings in which something else lies covered in one than in the other; none where nothing can."""
    for number in range(PAIRS):
        twins = Twins(game, number, "covered")
        twins.play(twins.rng.randrange(OPENING))
        is_full = bool(twins.one.session.drafts)  # the rules failed on them, and a restart tries them again
        if twins.asked is not None and not is_full and cover(twins):
            twins.base = len(twins.one.session.steps)
            yield twins


class Hidden(NamedTuple):
    """Pieces that go from a covered place to another: what makes twins differ."""

    source: Account
    target: Account


def cover(twins: Twins) -> bool:
    """Each moves another number of pieces from one covered place to another; gives whether there is one."""
    ways = list(_ways(twins.one))
    if not ways:
        return False
    source, target = twins.rng.choice(ways)
    twins.owners = {f"view of {one.place.seat.name}" for one in (source, target) if one.place.seat}
    most = source.count if source.count > 0 else 2_000
    counts = twins.rng.sample(range(1, most + 1), 2) if most > 1 else [1, 0]
    way = source.place.key, target.place.key, source.piece.key
    others = [way for way in ways if way.source.piece.is_face and way.target.place == target.place]
    for trial, number in zip(twins.pair, counts, strict=True):
        if number:
            trial.session.correct(*way, number, "covered")
        elif others:
            other = twins.rng.choice(others)
            trial.session.correct(other.source.place.key, other.target.place.key, other.source.piece.key, 1,
                                  "covered")  # fmt: skip
        else:
            return False
    return True


def _ways(trial: Trial) -> Iterator[Hidden]:
    covered = [one for one in trial.session.table.ledger if one.covered]
    for source in covered:
        if source.count > 0 or (source.piece.endless and not source.piece.is_face):
            for target in covered:
                if target.piece == source.piece and target.place != source.place:
                    yield Hidden(source, target)
