"""What an amendment took back and how much of it fits again, now that something else was answered.

It is found by asking the rules and kept as numbers, so that a log is read without any rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.errors import ReplayConflict, RulesCrashed
from companion.log.events import Answered, Corrected, Step
from companion.requests import Request
from companion.session.run import RulebookRun


class RedoPlan(msgspec.Struct, frozen=True):
    """What can be put back now: `count` things in a row, after those `skipped` that aren't asked any more."""

    skipped: int = 0
    count: int = 0


def plan_redo(run: RulebookRun, waiting: Sequence[Step]) -> RedoPlan:
    """How much of what waits, the first to redo first, this run takes from here; the run is used up.

    What isn't asked any more is left out if no more than that is put back after it, and if it isn't asked
    right after the first answer that fits: then that one belongs to a later time.
    """
    skipped, count, is_first = _begin(run, waiting), 0, True
    for step in waiting[skipped:]:
        try:
            run.apply(step)
        except (ReplayConflict, RulesCrashed):
            if count or isinstance(step, Answered):
                break
            skipped += 1
            continue
        count += 1
        if is_first and isinstance(step, Answered):
            is_first = False
            if any(_asks(run.question, one) for one in waiting[:skipped]):
                return RedoPlan()
    return RedoPlan(skipped, count) if count and count >= skipped else RedoPlan()


def remaining_redo(
    offered: Callable[[], RedoPlan], question: Request[object], waiting: Sequence[Step]
) -> int:
    """How much of what waits stays once the open question is answered by hand.

    The answer takes the place of the one that would be redone, or that waits first for the same question;
    where it was not asked then, everything stays. What is `offered` costs a replay: only then it is asked.
    """
    at = next((at for at, step in enumerate(waiting) if _asks(question, step)), None)
    if at is None:
        return len(waiting)
    is_next = all(isinstance(step, Corrected) for step in waiting[:at])
    return len(waiting) - at - 1 if is_next or offered().count else len(waiting)


def _begin(run: RulebookRun, waiting: Sequence[Step]) -> int:
    """Where to go on: at the open question's next answer, with what was moved by hand just before it."""
    at = next((at for at, step in enumerate(waiting) if _asks(run.question, step)), 0)
    while at and isinstance(waiting[at - 1], Corrected):
        at -= 1
    return at


def _asks(question: Request[object] | None, step: Step) -> bool:
    """Whether this is what was answered to that question then."""
    return isinstance(step, Answered) and question is not None and question.matches_log_key(step.asks)
