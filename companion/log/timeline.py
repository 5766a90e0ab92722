"""Which events of a log are in force, which can be redone and which were undone; it knows no rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any, TypeVar

import msgspec

from companion.errors import UserError
from companion.log.events import (
    APP_DICE_SOURCE,
    Amended,
    Answered,
    Began,
    Corrected,
    Event,
    Left,
    PutAway,
    Redone,
    Reopened,
    Returned,
    Sealed,
    Step,
    Undone,
)
from companion.texts import say

START = -1
"""Stands for the beginning of the game, before the first step."""


class WithdrawnAnswers:
    """The answers that were taken back, by the number of their question.

    The steps are a tree: each entry is a step and the index of the entry before it. An entry has a higher
    index than all entries before it.
    """

    def __init__(self) -> None:
        self._tree: list[tuple[int, Step]] = []
        self._branch: list[int] = []
        self._entries: dict[int, int] = {}

    def add(self, before: Sequence[Step], now: Sequence[Step]) -> None:
        """Notes the answers that were in force `before` and are no longer in force `now`."""
        gone = _numbers(before) - _numbers(now)
        if not gone:
            return
        self._grow(before)
        for entry in self._branch:
            step = self._tree[entry][1]
            if isinstance(step, Answered) and step.n in gone:
                self._entries[step.n] = entry

    def made_by(self, via: str, now: Sequence[Step]) -> list[int]:
        """The questions whose answer came in that way and is not in force `now`."""
        in_force = _numbers(now)
        answers = ((n, self._tree[entry][1]) for n, entry in self._entries.items() if n not in in_force)
        return [n for n, step in answers if isinstance(step, Answered) and step.via == via]

    def paths(self, numbers: Iterable[int]) -> Iterator[tuple[list[Step], Mapping[int, list[Answered]]]]:
        """Yields the steps before the answers to these questions, in as few lists as contain them all.

        With each list come the answers, by how many of its steps were in force before them. Each answer comes
        once. A number whose answer was never taken back is left out.
        """
        after: dict[int, list[Answered]] = {}
        for n in numbers:
            if n in self._entries:
                before, answer = self._tree[self._entries[n]]
                assert isinstance(answer, Answered)
                after.setdefault(before, []).append(answer)
        for last in sorted(after, reverse=True):  # an entry's index is higher than those before it
            if last in after:
                path = self._path(last)
                answers = {at: after.pop(entry) for at, entry in enumerate(path) if entry in after}
                yield [self._tree[entry][1] for entry in path[1:]], answers

    def _path(self, last: int) -> list[int]:
        """The entries from the beginning up to this one."""
        path = [last]
        while path[-1] != START:
            path.append(self._tree[path[-1]][0])
        return path[::-1]

    def _grow(self, steps: Sequence[Step]) -> None:
        """Makes these steps the branch: it keeps the entries of the first ones that it has already."""
        pairs = zip(count(), self._branch, steps, strict=False)
        known = min(len(self._branch), len(steps))
        known = next((at for at, entry, step in pairs if self._tree[entry][1] is not step), known)
        del self._branch[known:]
        for step in steps[known:]:
            self._tree.append((self._branch[-1] if self._branch else START, step))
            self._branch.append(len(self._tree) - 1)


def _numbers(steps: Iterable[Step]) -> set[int]:
    """The numbers of the questions that were answered."""
    return {step.n for step in steps if isinstance(step, Answered)}


S = TypeVar("S", bound=Step)


class Timeline(msgspec.Struct):
    """What is in force (`steps`), what redo would put back (last of `undone` first), and the open number.

    `seals` are the last commitments to that question, by seat. `left` are the seats whose player has gone.
    `continues_amendment`: an amendment took back what waits in `undone`, so that answering goes on with it.
    `corrections` are all that were ever made. `withdrawn_answers` are those that were ever taken back.
    """

    steps: list[Step] = []
    undone: list[Step] = []
    n: int = 1
    seals: dict[int, str] = {}
    left: set[int] = set()
    is_put_away: bool = False
    continues_amendment: bool = False
    corrections: list[Corrected] = []
    withdrawn_answers: WithdrawnAnswers = msgspec.field(default_factory=WithdrawnAnswers)

    def add(self, event: Event) -> None:
        """Takes one more event of the log into account."""
        if isinstance(event, Answered):  # first, because nearly all are
            self.steps.append(event)
            self.n = event.n + 1
            self.seals.clear()
            if self.undone:
                del self.undone[event.rest :]
                self.continues_amendment = self.continues_amendment and bool(self.undone)
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
                self.is_put_away = True
                self.seals.clear()
            case Reopened():
                self.is_put_away = False
        if isinstance(event, (Undone, Redone, Amended, Reopened)) or (
            isinstance(event, Corrected) and event.asks_anew
        ):
            self.n = event.n + 1
            self.seals.clear()

    def _move(self, event: Event) -> None:
        """What is in force, what waits to be redone, and which answers were taken back."""
        goes_back = isinstance(event, (Undone, Amended)) or (isinstance(event, Corrected) and event.back)
        before = [*self.steps] if goes_back else []
        match event:
            case Corrected():
                self.corrections.append(event)
                _put(self.steps, event)
                del self.undone[event.rest :]
            case Undone():
                self._undo(event)
            case Redone():
                self.steps, self.undone = self.preview_redo(event.count, event.skipped)
            case Amended():
                self.steps, gone = self.preview_amendment(event.event, event.answer, event.kept)
                self.undone[event.rest :] = [_redoable(step, again=False) for step in gone]
                self.continues_amendment = self.continues_amendment or bool(gone)
        self.continues_amendment = self.continues_amendment and bool(self.undone)
        if goes_back:
            self.withdrawn_answers.add(before, self.steps)

    @property
    def undone_rolls(self) -> list[int]:
        """The questions that the companion's own dice answered, where that is no longer in force."""
        return self.withdrawn_answers.made_by(APP_DICE_SOURCE, self.steps)

    def preview_redo(self, count: int, skipped: int = 0) -> tuple[list[Step], list[Step]]:
        """The steps in force and those left to redo, once `count` are redone after those that are skipped."""
        waiting = self.undone[: len(self.undone) - skipped]
        at, steps = len(waiting) - count, [*self.steps]
        for step in waiting[at:][::-1]:
            _put(steps, step)
        return steps, waiting[:at]

    def with_step(self, step: Step) -> list[Step]:
        """The steps in force with one more; after a correction the last answer may be given again."""
        steps = [*self.steps]
        _put(steps, step)
        return steps

    def _undo(self, event: Undone) -> None:
        """Redo puts each thing back at the end; after a correction alone the last answer is given again."""
        if event.correction:
            self.undone.append(_redoable(self.steps.pop(self.inserted_correction_index), again=True))
            return
        self.undone += [_redoable(step, again=False) for step in self.steps[: -event.count - 1 : -1]]
        del self.steps[-event.count :]

    @property
    def inserted_correction_index(self) -> int:
        """Where the correction stands that was made last, if an answer was given again after it; else -1."""
        last = self.steps[-1] if self.steps else None
        if not isinstance(last, Answered):
            return -1
        for at, one in _backwards(self.steps):
            if isinstance(one, Corrected) and one.n > last.n:
                return at
        return -1

    @property
    def undone_corrections(self) -> list[Corrected]:
        """The corrections that are no longer in force."""
        in_force = Counter(_made(step) for step in self.steps if isinstance(step, Corrected))
        return list((Counter(map(_made, self.corrections)) - in_force).elements())

    def preview_amendment(
        self, event: int, answer: Any, kept: int | None = None
    ) -> tuple[list[Step], list[Step]]:
        """The steps in force and those left to redo, if the answer to question `event` were another."""
        at = self.index_of_answer(event)
        step = self.steps[at]
        assert isinstance(step, Answered)
        later = self.steps[at + 1 :]
        kept = len(later) if kept is None else kept
        changed = msgspec.structs.replace(step, answer=answer)
        return [*self.steps[:at], changed, *later[:kept]], later[kept:][::-1]

    def answer_to(self, event: int) -> Answered:
        """The answer in force to question `event`; raises `UserError` where there is none."""
        step = self.steps[self.index_of_answer(event)]
        assert isinstance(step, Answered)
        return step

    def check(self, event: Event) -> None:
        """Raises `UserError` for an event that no game could have kept at this moment."""
        if isinstance(event, Began):
            raise UserError(say("the game has already begun"))
        if self.is_put_away != isinstance(event, Reopened):
            why = say("the game was not put away before this event")
            raise UserError(
                say("the game was already put away before this event") if self.is_put_away else why
            )
        if event.n != self.n:
            raise UserError(
                say("it belongs to question {n}, but question {now} is open", n=event.n, now=self.n)
            )
        match event:
            case Corrected(again=again, back=back) if (
                back < 0 or len(_last_answers(self.steps, again + back)) < again + back
            ):
                raise UserError(say("there is no earlier question to ask again"))
            case Undone(count=count, correction=correction) if not (
                self.inserted_correction_index >= 0 if correction else 1 <= count <= len(self.steps)
            ):
                raise UserError(say("there is nothing to undo"))
            case Redone(count=count, skipped=skipped) if (
                count < 1 or skipped < 0 or count + skipped > len(self.undone)
            ):
                raise UserError(say("there is nothing to redo"))
            case Amended(event=changed, kept=kept):
                later = len(self.steps) - self.index_of_answer(changed) - 1
                if not 0 <= kept <= later:
                    raise UserError(say("only {later} of the later events can be kept", later=later))
        if not 0 <= getattr(event, "rest", 0) <= len(self.undone):
            raise UserError(say("only {count} events can be redone", count=len(self.undone)))

    def index_of_answer(self, event: int) -> int:
        """Steps in force before the answer to question `event`; raises `UserError` where there is none."""
        for at, step in enumerate(self.steps):
            if isinstance(step, Answered) and step.n == event:
                return at
        raise UserError(
            say(
                "Answer {event} can't be changed. The history lists the answers that can be changed.",
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


def as_new_events(steps: Iterable[Step]) -> list[Step]:
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


def fold_events(events: Iterable[Event]) -> Timeline:
    """What is in force after these events."""
    timeline = Timeline()
    for event in events:
        timeline.add(event)
    return timeline
