"""One game being played: takes answers, drafts and corrections, goes back and forth, and knows the time.

It draws nothing, listens to no device, and is used by one thread. How it is kept is told in `keeper`.
Over 300 lines, because it is the list of all that people can do with a game, whatever the game.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from random import Random
from typing import Any

from companion.bounds import LETTERS
from companion.cards import Deck, Tags, deck_of
from companion.clocks import SECOND, Clocks, Stopwatch, Times, read
from companion.errors import (
    IllegalAnswer,
    Misfit,
    PastReveal,
    RulesCrashed,
    TableError,
)
from companion.log.events import (
    Amended,
    Answered,
    Began,
    Corrected,
    Event,
    Left,
    PutAway,
    Redone,
    Returned,
    Step,
    Undone,
)
from companion.log.memory import Draft, Log, Memory, Timing
from companion.log.timeline import in_order
from companion.requests import Request, Roll, Together
from companion.requests.request import whole_number
from companion.rules.game import Game
from companion.session.keeper import Keeper
from companion.session.run import Run, amended, still_fitting
from companion.session.settling import Settled
from companion.session.silence import unanswered
from companion.table.backs import Pair, together
from companion.table.scores import Result
from companion.table.seats import COLOURS, Seat, seated
from companion.table.table import Table
from companion.words import Say, listed, plain, say

PATIENCE = 50
"""So many times in a row silence answers for absent players; then the table must."""
NO_CLOCKS = Clocks()
"""Nobody looks at the time."""


def no_tags(uid: str) -> None:
    """The look-up of a table that has learnt no tags."""


class Session:
    """`Session.begin(game, ["Aki", "Ben"], {}, log=Memory())`, then `answer` until there is a `result`.

    Every input names the number `n` of the question it is meant for; late and double input is refused.
    `clock` gives monotonic seconds; `salt` gives the secret that makes a commitment unguessable.
    """

    def __init__(
        self,
        game: Game,
        events: Sequence[Event],
        log: Log,
        *,
        tags: Tags = no_tags,
        clock: Callable[[], float] = time.monotonic,
        salt: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        """Opens a game from its log; raises `RulesChanged` where the rulebook no longer asks the same."""
        self.game = game
        self._log = log
        self._tags = tags
        self._kept = Keeper(game, events, log, tags, salt)
        timing = log.timing()
        self._clocks = read(timing.clocks)
        self._watch = Stopwatch(clock, max(timing.at, self.times.now / SECOND))
        if not self._clocks:
            self._watch.go()
        self._kept.find_envelopes(self.seconds)

    @classmethod
    def begin(  # noqa: PLR0913 - each says one thing about a new game
        cls,
        game: Game,
        names: Sequence[str],
        options: Mapping[str, str],
        log: Log,
        *,
        colours: Sequence[str] = COLOURS,
        decks: Mapping[str, Deck] | None = None,
        seed: int | None = None,
        clocks: Clocks = NO_CLOCKS,
        **outside: Any,
    ) -> Session:
        """A new game with these printed values, or those that come along.

        Raises `TableError` for people or options that don't fit.
        """
        game.check_players(names)
        seats = seated(names, colours)
        began = Began(
            game.key,
            game.version,
            tuple(seat.name for seat in seats),
            tuple(seat.colour for seat in seats),
            game.settings(options),
            {deck: deck_of(deck) for deck in game.decks} if decks is None else dict(decks),
            secrets.randbits(32) if seed is None else seed,
        )
        log.keep_timing(Timing(clocks.text))
        session = cls(game, [began], log, **outside)
        session._kept.commit(began)
        session.go_on()
        return session

    # What there is

    @property
    def began(self) -> Began:
        """How the game began."""
        return self._kept.began

    @property
    def n(self) -> int:
        """The number of the open question; never used twice in a game."""
        return self._kept.timeline.n

    @property
    def question(self) -> Request[Any] | None:
        """The open question, None when the game is over. Hold its number, not it: replay makes new ones."""
        return self._kept.run.question

    @property
    def result(self) -> Result | None:
        """The final score; undo still works on it until the game is put away."""
        return self._kept.run.result

    @property
    def table(self) -> Table:
        """Everything on the table, to look at."""
        return self._kept.run.table

    @property
    def tags(self) -> Tags:
        """Which tag is which card."""
        return self._tags

    @property
    def run(self) -> Run:
        """The rulebook at work, for the view and the history."""
        return self._kept.run

    @property
    def steps(self) -> Sequence[Step]:
        """All answers and corrections in force, oldest first."""
        return self._kept.timeline.steps

    @property
    def may_redo(self) -> bool:
        """Whether something can be redone now."""
        return bool(self._kept.offer.count)

    @property
    def waiting(self) -> int:
        """How many things that an amendment took back wait to be redone."""
        return len(self._kept.timeline.undone) if self._kept.timeline.mends else 0

    @property
    def fitting(self) -> int:
        """How many of them fit in a row to the open question, so that `redo` can put them back at once."""
        return self._kept.offer.count if self.waiting else 0

    @property
    def drafts(self) -> Mapping[Seat, Draft]:
        """What the seats have sealed for the open question; only commitments may be shown of it."""
        return self._kept.envelopes.drafts

    @property
    def put_aside(self) -> bool:
        """Whether the game has been put away."""
        return self._kept.timeline.over

    @property
    def withdrawn(self) -> Sequence[Corrected]:
        """All corrections that were taken back."""
        return self._kept.timeline.withdrawn

    def moments(self) -> Iterator[Run]:
        """The table after each step in force, played again from the beginning; it is one Run that goes on."""
        run = self._kept.replay(())
        for step in self.steps:
            run.take(step)
            yield run

    def earlier(self, kept: int) -> Session:
        """The game as it stood after the first `kept` things in force, to look at; its log is nobody's."""
        log = Memory([self.began, *in_order(self.steps[:kept])])
        log.rename([seat.name for seat in self.table.seats])
        return Session(self.game, list(log), log, tags=self._tags)

    def where(self) -> str:
        """The line of the rulebook the game waits at."""
        return self.run.where()

    # What people do

    def resume(self) -> None:
        """Goes on with a game that was opened: what silence would have answered meanwhile, it answers now."""
        self._wake_silence()

    def answer(self, n: int, given: object, via: str = "screen") -> None:
        """Answers the open question; when this returns, the answer is kept. It ends a pause."""
        self._answer(n, given, via)
        self.go_on()
        self._wake_silence()

    def _answer(self, n: int, given: object, via: str) -> None:
        question = self._kept.open(n)
        if isinstance(question, Together):
            raise IllegalAnswer(say("Each seat answers for itself here."))
        answer = question.load(given)
        question.check(answer)
        self._kept.answer(question, answer, via, self.seconds)

    def roll(self, n: int, via: str = "dice") -> None:
        """Answers the open Roll with the companion's own dice; raises `IllegalAnswer` where there is none.

        They are drawn from the seed of the game and the count of answers in force. The number of the question
        would let people fish: undo renews it. So does a stream of chance: each undone roll would use it up.
        A roll that was taken back comes again as it was, after a correction and a restart too.
        """
        question = self._kept.open(n)
        if not isinstance(question, Roll):
            raise IllegalAnswer(say("No dice are rolled now."))
        answers = sum(isinstance(step, Answered) for step in self.steps)
        faces = question.sample(Random(f"{self.began.seed} {answers}"))
        self.answer(n, question.dump(faces), via)

    def draft(self, n: int, seat: Seat, given: object, via: str = "screen") -> None:
        """Puts a seat's answer into its envelope, or another in its stead; the last one in opens them all."""
        self._draft(n, seat, given, via)
        self.go_on()
        self._wake_silence()

    def _draft(self, n: int, seat: Seat, given: object, via: str) -> None:
        question = self._kept.open(n)
        if not isinstance(question, Together):
            raise IllegalAnswer(
                say("Nothing is sealed now. What is asked: {question}", question=question.text)
            )
        if seat not in question.parts:
            text = "{seat} is not asked now; sealed answers are asked of: {names}."
            raise IllegalAnswer(say(text, seat=seat, names=listed(question.seats)))
        part = question.parts[seat]
        answer = part.load(given)
        part.check(answer)
        self._kept.seal(seat, part.dump(answer), self.seconds)
        if self._kept.envelopes.full(question):
            self._kept.reveal(question, via, self.seconds)

    def correct(
        self, source: str, target: str, piece: str, count: int, reason: str, *, again: bool = False
    ) -> Settled:
        """Moves pieces by hand; free moves need no reason.

        What the open question offers was computed when it was asked. Where that no longer holds, or with
        `again`, the last answer is played once more after the correction, so that the question is asked anew;
        where that answer no longer fits, it is taken back. Raises `TableError` where the game can't go on.
        """
        self._kept.not_put_away()
        if not reason.isprintable() or not (reason.strip() or self.game.free_moves):
            raise TableError(say("A correction needs a reason, in one line."))
        if len(reason) > LETTERS:
            raise TableError(say("A reason has at most {most} letters.", most=LETTERS))
        count = whole_number(count, say("A correction"))
        ledger = self.table.ledger
        one, other = ledger.find(source, piece), ledger.find(target, piece)
        ledger.check_by_hand(other, count)
        pair = together(ledger, one, other.place, count) or Pair(one.piece)
        moved = (one.place.key, other.place.key, pair.piece.key, count, reason)
        face = (pair.face.key, pair.face_to.key) if pair.face and pair.face_to else ("", "")
        # What may have become impossible under cover must not show as something that can't be redone.
        rest = 0 if one.covered or other.covered else self.waiting
        event = Corrected(self.n, *moved, self.seconds, again, rest, 0, *face)
        settled = self._kept.correct(event)
        self._wake_silence()
        return settled

    def undo(self, *, past_reveal: bool = False) -> list[Say]:
        """Takes back the last answer or correction; gives what to move back by hand."""
        at = self._kept.timeline.inserted
        if at >= 0 and not self.put_aside:
            with suppress(Misfit, RulesCrashed):  # the answer after it may need it
                run = self._kept.replay([*self.steps[:at], *self.steps[at + 1 :]])
                return self._kept.go(run, Undone(self.n, 1, self.seconds, correction=True))
        return self.go_back(len(self.steps) - 1, past_reveal=past_reveal)

    def go_back(self, kept: int, *, past_reveal: bool = False) -> list[Say]:
        """Takes back all that is in force but the first `kept` things; gives what to move back by hand."""
        self._kept.not_put_away()
        gone = self.steps[max(0, kept) :]
        if not gone:
            raise TableError(say("There is nothing to undo."))
        _ask_first(gone, past_reveal=past_reveal)
        run = self._kept.replay(self.steps[:kept])
        return self._kept.go(run, Undone(self.n, len(gone), self.seconds))

    def before(self, event: int) -> int:
        """How many things were in force before the answer to question `event`, for `go_back`."""
        return self._kept.timeline.index(event)

    def redo(self, count: int = 1) -> list[Say]:
        """Puts back what was undone last, or as many things as fit up to `count`; gives what to move by hand.

        Raises `Misfit` where it no longer fits. What an amendment took back and isn't asked any more
        is left out, see `redoing`.
        """
        self._kept.not_put_away()
        if count < 1:
            raise TableError(say("At least 1 answer is redone, not {count}.", count=count))
        if not self._kept.timeline.undone:
            raise TableError(say("There is nothing to redo."))
        offer = self._kept.offer
        event = Redone(self.n, self.seconds, max(1, min(count, offer.count)), offer.skipped)
        steps, _ = self._kept.timeline.redone(event.count, event.skipped)
        moves = self._kept.go(self._kept.replay(steps), event)
        self._wake_silence()
        return moves

    def amend(
        self,
        event: int,
        given: object,
        seat: Seat | None = None,
        *,
        go_back: bool = False,
        past_reveal: bool = False,
    ) -> list[Say]:
        """Changes an earlier answer and plays all later ones again; gives what to move by hand.

        Raises `Misfit` at the first later event that no longer fits, unless `go_back`: then the game goes
        back to before that event, as `go_back` does, and the rest waits to be redone as soon as it fits.
        """
        self._kept.not_put_away()
        old = self._kept.timeline.answered(event)
        at = self.before(event)
        run = self._kept.replay(self.steps[:at])
        answer = amended(run.question, old, given, seat)
        steps, _ = self._kept.timeline.amended(event, answer)
        kept, misfit = still_fitting(run, steps[at:])
        if misfit is not None:
            if not go_back:
                raise misfit
            _ask_first(steps[at + kept :], past_reveal=past_reveal)
            run = self._kept.replay(steps[: at + kept])
        moves = self._kept.go(run, Amended(self.n, old.n, answer, kept - 1, self.seconds, self.waiting))
        self._wake_silence()
        return moves

    def rename(self, seat: Seat, name: str) -> None:
        """Another name for a seat, whoever sits there now; no event, as the log knows seats by number."""
        self._kept.not_put_away()
        names = [name if one.number == seat.number else one.name for one in self.table.seats]
        seated(names, self.began.colours)
        self._log.rename(names)
        self._kept.run = self._kept.replay(self.steps)
        self._kept.envelopes.reseat(self.table.seats)
        self._wake_silence()

    def leave(self, seat: Seat) -> None:
        """A player leaves: silence answers for the seat, and where it means only a ring, the table does."""
        self._kept.not_put_away()
        if seat.number in self._kept.timeline.left:
            raise TableError(say("{seat} has left already.", seat=seat))
        self._kept.commit(Left(self.n, seat.number))
        self._answer_for_the_absent()

    def come_back(self, seat: Seat) -> None:
        """Somebody takes the seat again, and seals anew where silence had sealed."""
        self._kept.not_put_away()
        if seat.number not in self._kept.timeline.left:
            raise TableError(say("{seat} is at the table.", seat=seat))
        self._kept.commit(Returned(self.n, seat.number))
        self._kept.envelopes.reopen(seat)
        self._wake_silence()

    @property
    def absent(self) -> list[Seat]:
        """Whose players have left."""
        return [seat for seat in self.table.seats if seat.number in self._kept.timeline.left]

    # Time

    @property
    def seconds(self) -> float:
        """How long was played: pauses and the time between two evenings don't count."""
        return self._watch.seconds

    @property
    def times(self) -> Times:
        """How long everything took, up to the last event."""
        return self._kept.times

    @property
    def clocks(self) -> Clocks:
        """The clocks of this table; whoever runs the front end looks at them and says `time_up`."""
        return self._clocks

    @property
    def paused(self) -> bool:
        """Whether time stands still; a game with clocks is resumed so."""
        return self._watch.stands

    def set_clocks(self, clocks: Clocks) -> None:
        """Other clocks from now on; no event, as no rule knows of time."""
        self._log.keep_timing(Timing(clocks.text, self.seconds))
        self._clocks = clocks

    def pause(self) -> None:
        """Time stands still until `go_on`, or until somebody answers; raises OSError if that isn't kept."""
        self._watch.stop()
        self._log.keep_timing(Timing(self._clocks.text, self.seconds))

    def go_on(self) -> None:
        """Time goes on."""
        self._watch.go()

    def time_up(self, n: int, seats: Sequence[Seat] | None = None) -> bool:
        """The limit of time is up for `seats`, or all who are asked: silence answers for those who haven't.

        False where that only means a ring.
        """
        question = self._kept.open(n)
        answered = self._answer_for(question.seats if seats is None else seats, "clock")
        self._wake_silence()
        return answered

    def put_away(self) -> Result | None:
        """Ends the game for good; gives the result, or unfinished the score so far."""
        self._kept.not_put_away()
        result = self.run.score()
        early = result is not self.result
        self._kept.commit(PutAway(self.n, None if result is None else result.plain(plain), early))
        self._kept.envelopes.drop()
        return result

    # Silence

    def _wake_silence(self) -> None:
        """After whatever may have left a question to silence, unless something can still be redone.

        Or nobody could go back past what silence answered.
        """
        if self._kept.timeline.left and not self.may_redo:
            self._answer_for_the_absent()

    def _answer_for_the_absent(self) -> None:
        """As long as only absent players are waited for; with nobody left at the table nothing goes on.

        Nor for ever: a rulebook may ask those who tie again and again, and silence would never decide.
        What can't be taken, or kept, waits for the table.
        """
        with suppress(TableError, RulesCrashed):
            for _ in range(self._silent_in_a_row, PATIENCE):
                if len(self.absent) == len(self.table.seats) or not self._answer_for(self.absent, "absent"):
                    break

    @property
    def _silent_in_a_row(self) -> int:
        """How many answers for absent players came last, so that waking silence doesn't begin them anew."""
        silent = takewhile(lambda step: isinstance(step, Answered) and step.via == "absent", self.steps[::-1])
        return sum(1 for _ in islice(silent, PATIENCE))

    def _answer_for(self, silent: Sequence[Seat], via: str) -> bool:
        answers = list(unanswered(self.question, self.drafts, silent))
        for seat, given in answers:
            if seat is None:
                self._answer(self.n, given, via)
            else:
                self._draft(self.n, seat, given, via)
        return bool(answers)


def _ask_first(gone: Sequence[Step], *, past_reveal: bool) -> None:
    """Raises `PastReveal` where a reveal lies anywhere among what is taken back and nobody confirmed it."""
    if not past_reveal and any(isinstance(step, Answered) and step.salts for step in gone):
        raise PastReveal
