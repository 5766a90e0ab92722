"""How many of the steps that an amendment undid can be redone, now that something else was answered.

The rules find the number by replay. The log stores the number, so that it can be read without any rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.errors import ReplayConflict, RulesCrashed
from companion.log.events import Answered, Corrected, Step
from companion.requests import Request
from companion.session.run import RulebookRun


class RedoPlan(msgspec.Struct, frozen=True):
    """Which undone steps can be redone now.

    `redoable_count` steps in a row, after `skipped_count` steps that are no longer asked.
    """

    skipped_count: int = 0
    redoable_count: int = 0


def plan_redo(run: RulebookRun, waiting_steps: Sequence[Step]) -> RedoPlan:
    """Returns how many of the undone steps (the next one first) can be redone; it consumes the run.

    Steps that are no longer asked are skipped if at least as many are redone after them. Nothing is redone if
    a skipped answer is asked right after the first answer that fits: that one belongs to a later time.
    """
    skipped, count, is_first = _begin(run, waiting_steps), 0, True
    for step in waiting_steps[skipped:]:
        try:
            run.apply_step(step)
        except (ReplayConflict, RulesCrashed):
            if count or isinstance(step, Answered):
                break
            skipped += 1
            continue
        count += 1
        if is_first and isinstance(step, Answered):
            is_first = False
            if any(_asks(run.question, one) for one in waiting_steps[:skipped]):
                return RedoPlan()
    return RedoPlan(skipped, count) if count and count >= skipped else RedoPlan()


def redo_count_left_after_answer(
    get_redo_plan: Callable[[], RedoPlan], question: Request[object], waiting_steps: Sequence[Step]
) -> int:
    """Returns the number of redoable steps left after the open question is answered by hand.

    The answer replaces the one that would be redone, or the first undone one for this question. All steps
    stay if the question was not asked then. `get_redo_plan` costs a replay, so it is called only if needed.
    """
    at = next((at for at, step in enumerate(waiting_steps) if _asks(question, step)), None)
    if at is None:
        return len(waiting_steps)
    is_next = all(isinstance(step, Corrected) for step in waiting_steps[:at])
    return len(waiting_steps) - at - 1 if is_next or get_redo_plan().redoable_count else len(waiting_steps)


def _begin(run: RulebookRun, waiting_steps: Sequence[Step]) -> int:
    """Returns where redo begins: at the answer to the open question, with the corrections just before it."""
    at = next((at for at, step in enumerate(waiting_steps) if _asks(run.question, step)), 0)
    while at and isinstance(waiting_steps[at - 1], Corrected):
        at -= 1
    return at


def _asks(question: Request[object] | None, step: Step) -> bool:
    """Returns whether a step is the answer to this question."""
    return isinstance(step, Answered) and question is not None and question.matches_log_key(step.asks)
