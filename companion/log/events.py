"""What happened in a game, event by event, and which of it is in force.

The log only grows. `fold` reads it without knowing any rule.
Over 300 lines, because what may stand in a log and how it is kept are read together.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any, Protocol, TypeVar

import msgspec

from companion.bounds import Line, Natural
from companion.cards import Deck
from companion.errors import TableError
from companion.log.seals import Commitment
from companion.table.scores import Kept
from companion.table.table import Setting
from companion.words import say

Seed = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=10**9)]
"""How long was played; thirty years at the most."""


class Began(msgspec.Struct, frozen=True, tag=True):
    """The game, who plays with which colours, the options, the printed values used and the seed of chance."""

    game: Line
    version: Natural
    names: tuple[Line, ...]
    colours: tuple[Line, ...]
    options: dict[str, Setting]
    decks: dict[str, Deck]
    seed: Seed


class Answered(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Question `n` got an answer (as JSON) after `at` seconds of play; `salts` open the seals of a round.

    `rest`: so much of what was taken back before can still be redone after it.
    """

    n: Natural
    asks: Line
    answer: Any
    via: Line
    at: Seconds
    salts: dict[str, Line] = {}
    rest: Natural = 0


class Sealed(msgspec.Struct, frozen=True, tag=True):
    """A seat's envelope for question `n` is closed; the commitment is `commitment(…)` of what is in it."""

    n: Natural
    seat: Natural
    commitment: Commitment
    at: Seconds = 0.0


class Corrected(msgspec.Struct, frozen=True, tag=True):
    """The table moved pieces by hand while question `n` was open; places as `@1/hand`.

    `again`: the last answer was given again after it, so that the open question was asked anew.
    `back`: so many answers were taken back before that, as what they led to could not stand any more.
    `face`: the face of the card that was moved, which went to `face_to`.
    `rest` as of an answer.
    """

    n: Natural
    source: Line
    target: Line
    piece: Line
    count: Natural
    reason: Line
    at: Seconds
    again: bool = False
    rest: Natural = 0
    back: Natural = 0
    face: Line = ""
    face_to: Line = ""

    @property
    def asks_anew(self) -> bool:
        """Whether another question was open after it, or the same one anew."""
        return self.again or self.back > 0


class Undone(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open the last `count` things in force were taken back.

    `correction`: not they, but the correction that was made last and counts from before the last answer.
    """

    n: Natural
    count: Natural = 1
    at: Seconds = 0.0
    correction: bool = False


class Redone(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open the last `count` things taken back were put in force again.

    Before them `skipped` were left out, because they aren't asked any more.
    """

    n: Natural
    at: Seconds = 0.0
    count: Natural = 1
    skipped: Natural = 0


class Amended(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open the answer to `event` was changed; `kept` later things still fit.

    What doesn't fit any more waits to be redone, on top of the `rest` of what waited before.
    """

    n: Natural
    event: Natural
    answer: Any
    kept: Natural
    at: Seconds = 0.0
    rest: Natural = 0


class Left(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open a player left; from now on silence answers for the seat."""

    n: Natural
    seat: Natural


class Returned(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open somebody took the seat again."""

    n: Natural
    seat: Natural


class PutAway(msgspec.Struct, frozen=True, tag=True):
    """The game left the table with its `result` as JSON; `early`: that is only the score so far."""

    n: Natural
    result: Kept | None
    early: bool = False


Step = Answered | Corrected
"""What can be in force: an answer or a correction."""
S = TypeVar("S", bound=Step)
Event = Began | Answered | Sealed | Corrected | Undone | Redone | Amended | Left | Returned | PutAway


class Timeline(msgspec.Struct):
    """What is in force (`steps`), what redo would put back (last of `undone` first), and the open number.

    `seals` are the last commitments to that question, by seat. `left` are the seats whose player has gone.
    `mends`: an amendment took back what waits in `undone`, so that answering goes on with it.
    `corrections` are all that were ever made.
    """

    steps: list[Step] = []
    undone: list[Step] = []
    n: int = 1
    seals: dict[int, str] = {}
    left: set[int] = set()
    over: bool = False
    mends: bool = False
    corrections: list[Corrected] = []

    def add(self, event: Event) -> None:
        """Takes one more event of the log into account."""
        if isinstance(event, Answered):  # first, because nearly all are
            self._answered(event)
            return
        self._move(event)
        match event:
            case Sealed():
                self.seals[event.seat] = event.commitment
            case Left():
                self.left.add(event.seat)
            case Returned():
                self.left.discard(event.seat)
            case PutAway():
                self.over = True
                self.seals.clear()
        if isinstance(event, (Undone, Redone, Amended)) or (isinstance(event, Corrected) and event.asks_anew):
            self.n = event.n + 1
            self.seals.clear()

    def _answered(self, event: Answered) -> None:
        self.steps.append(event)
        self.n = event.n + 1
        self.seals.clear()
        if self.undone:
            del self.undone[event.rest :]
            self.mends = self.mends and bool(self.undone)

    def _move(self, event: Event) -> None:
        """What is in force, and what waits to be redone."""
        match event:
            case Corrected():
                self.corrections.append(event)
                _put(self.steps, event)
                del self.undone[event.rest :]
            case Undone():
                self._undo(event)
            case Redone():
                self.steps, self.undone = self.redone(event.count, event.skipped)
            case Amended():
                self.steps, gone = self.amended(event.event, event.answer, event.kept)
                self.undone[event.rest :] = [_redoable(step, again=False) for step in gone]
                self.mends = self.mends or bool(gone)
        self.mends = self.mends and bool(self.undone)

    def redone(self, count: int, skipped: int = 0) -> tuple[list[Step], list[Step]]:
        """The steps in force and those left to redo, once `count` are redone after those that are skipped."""
        waiting = self.undone[: len(self.undone) - skipped]
        at, steps = len(waiting) - count, [*self.steps]
        for step in waiting[at:][::-1]:
            _put(steps, step)
        return steps, waiting[:at]

    def taken(self, step: Step) -> list[Step]:
        """The steps in force with one more; after a correction the last answer may be given again."""
        steps = [*self.steps]
        _put(steps, step)
        return steps

    def _undo(self, event: Undone) -> None:
        """Redo puts each thing back at the end; after a correction alone the last answer is given again."""
        if event.correction:
            self.undone.append(_redoable(self.steps.pop(self.inserted), again=True))
            return
        self.undone += [_redoable(step, again=False) for step in self.steps[: -event.count - 1 : -1]]
        del self.steps[-event.count :]

    @property
    def inserted(self) -> int:
        """Where the correction stands that was made last, if an answer was given again after it; else -1."""
        last = self.steps[-1] if self.steps else None
        if not isinstance(last, Answered):
            return -1
        for at, one in _backwards(self.steps):
            if isinstance(one, Corrected) and one.n > last.n:
                return at
        return -1

    @property
    def withdrawn(self) -> list[Corrected]:
        """The corrections that are no longer in force."""
        in_force = Counter(_made(step) for step in self.steps if isinstance(step, Corrected))
        return list((Counter(map(_made, self.corrections)) - in_force).elements())

    def amended(self, event: int, answer: Any, kept: int | None = None) -> tuple[list[Step], list[Step]]:
        """The steps in force and those left to redo, if the answer to question `event` were another."""
        at = self.index(event)
        step = self.steps[at]
        assert isinstance(step, Answered)
        later = self.steps[at + 1 :]
        kept = len(later) if kept is None else kept
        changed = msgspec.structs.replace(step, answer=answer)
        return [*self.steps[:at], changed, *later[:kept]], later[kept:][::-1]

    def answered(self, event: int) -> Answered:
        """The answer in force to question `event`; raises `TableError` where there is none."""
        step = self.steps[self.index(event)]
        assert isinstance(step, Answered)
        return step

    def check(self, event: Event) -> None:
        """Raises `TableError` for an event that no game could have kept at this moment."""
        if isinstance(event, Began):
            raise TableError(say("a game begins only once"))
        if self.over:
            raise TableError(say("the game was put away before this"))
        if event.n != self.n:
            raise TableError(say("this is about question {n}, but {now} is open", n=event.n, now=self.n))
        match event:
            case Corrected(again=again, back=back) if (
                back < 0 or len(_last_answers(self.steps, again + back)) < again + back
            ):
                raise TableError(say("no answer came before this that could be asked for again"))
            case Undone(count=count, correction=correction) if not (
                self.inserted >= 0 if correction else 1 <= count <= len(self.steps)
            ):
                raise TableError(say("there is nothing to undo"))
            case Redone(count=count, skipped=skipped) if (
                count < 1 or skipped < 0 or count + skipped > len(self.undone)
            ):
                raise TableError(say("there is nothing to redo"))
            case Amended(event=changed, kept=kept):
                later = len(self.steps) - self.index(changed) - 1
                if not 0 <= kept <= later:
                    raise TableError(say("only {later} later events can be kept", later=later))
        if not 0 <= getattr(event, "rest", 0) <= len(self.undone):
            raise TableError(say("only {count} events wait to be redone", count=len(self.undone)))

    def index(self, event: int) -> int:
        """How many things were in force before the answer to question `event`; raises like `answered`."""
        for at, step in enumerate(self.steps):
            if isinstance(step, Answered) and step.n == event:
                return at
        raise TableError(
            say(
                "Event {event} is no answer in force; the history lists those that are.",
                event=event,
            )
        )


def _put(steps: list[Step], step: Step) -> None:
    if isinstance(step, Answered) or not step.asks_anew:
        steps.append(step)
        return
    for at in _last_answers(steps, step.back):
        del steps[at]
    again = [steps.pop(at) for at in _last_answers(steps, int(step.again))]
    steps += [step, *again]


def in_order(steps: Iterable[Step]) -> list[Step]:
    """Steps in force as events that, one after the other, come into force just so.

    What each did to others when it came has been done.
    """
    return [_made(step) for step in steps]


def _made(step: S) -> S:
    """The step by itself, whatever it did to others when it came."""
    return msgspec.structs.replace(_redoable(step, again=False), rest=0)


def _redoable(step: S, *, again: bool) -> S:
    """The step as redo puts it back: what a correction had taken back stays so."""
    return msgspec.structs.replace(step, again=again, back=0) if isinstance(step, Corrected) else step


def _last_answers(steps: Sequence[Step], count: int) -> list[int]:
    """Where the last answers stand, up to so many, the last one first."""
    return [at for at, _ in islice((one for one in _backwards(steps) if isinstance(one[1], Answered)), count)]


def _backwards(steps: Sequence[Step]) -> Iterator[tuple[int, Step]]:
    return zip(range(len(steps) - 1, -1, -1), reversed(steps), strict=True)


def fold(events: Iterable[Event]) -> Timeline:
    """What is in force after these events."""
    timeline = Timeline()
    for event in events:
        timeline.add(event)
    return timeline


class Draft(msgspec.Struct, frozen=True):
    """What one seat has put into its envelope for question `n`; known to nobody else until the reveal."""

    n: int
    seat: int
    answer: Any
    salt: str

    @property
    def commitment(self) -> str:
        """SHA-256, in hex, of salt, seat, number and value; it binds the seat and tells nothing."""
        value = json.dumps(self.answer, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(f"{self.salt}:{self.seat}:{self.n}:{value}".encode()).hexdigest()


class Timing(msgspec.Struct, frozen=True):
    """How time is kept in a game: its clocks as text, and the seconds of play when they last stood still."""

    clocks: str = ""
    at: Seconds = 0.0


class Log(Protocol):
    """Where a game is kept. What `append` and `seal` took survives a pulled plug once they return."""

    def append(self, event: Event) -> None:
        """Keeps one more event; raises OSError where it can't."""

    def seal(self, draft: Draft) -> None:
        """Keeps what is in an envelope, beside earlier drafts of the same seat."""

    def drafts(self) -> list[Draft]:
        """All drafts that are still kept."""

    def erase(self, keep: Iterable[Draft] = ()) -> None:
        """Destroys all drafts but these."""

    def names(self) -> Sequence[str]:
        """How the players are called now; none before they were ever renamed."""

    def rename(self, names: Sequence[str]) -> None:
        """Keeps other names for the players."""

    def timing(self) -> Timing:
        """How time is kept; no event, because no rule knows of time."""

    def keep_timing(self, timing: Timing) -> None:
        """Keeps time otherwise; before the first event it is kept together with that."""


class Memory(list[Event]):
    """A log in memory, for games that need not outlive the program: tests, samples, demonstrations."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        super().__init__(events)
        self._drafts: list[Draft] = []
        self._names: Sequence[str] = ()
        self._timing = Timing()

    def seal(self, draft: Draft) -> None:
        """Keeps the draft."""
        self._drafts.append(draft)

    def drafts(self) -> list[Draft]:
        """All drafts."""
        return list(self._drafts)

    def erase(self, keep: Iterable[Draft] = ()) -> None:
        """Forgets all drafts but these."""
        self._drafts = list(keep)

    def names(self) -> Sequence[str]:
        """The names, if there were ever others than at the beginning."""
        return self._names

    def rename(self, names: Sequence[str]) -> None:
        """Other names."""
        self._names = names

    def timing(self) -> Timing:
        """How time is kept."""
        return self._timing

    def keep_timing(self, timing: Timing) -> None:
        """Otherwise."""
        self._timing = timing
