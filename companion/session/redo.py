"""How many of the steps that an amendment undid can be redone after other answers.

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
    """Which undone steps can be redone now: `redoable_count` steps, after `skipped_count` no longer asked."""

    skipped_count: int = 0
    redoable_count: int = 0


def plan_redo(run: RulebookRun, waiting_steps: Sequence[Step]) -> RedoPlan:
    """Returns how many of the undone steps (the next one first) can be redone; it consumes the run.

    Steps that are no longer asked are skipped if at least as many steps are redone after them. Nothing is
    redone if a skipped answer is asked right after the first answer that fits: the fitting answer belongs to
    a later time.
    """
    skipped_count, redoable_count, is_first_answer = _first_redoable_index(run, waiting_steps), 0, True
    for step in waiting_steps[skipped_count:]:
        try:
            run.apply_step(step)
        except (ReplayConflict, RulesCrashed):
            if redoable_count or isinstance(step, Answered):
                break
            skipped_count += 1
            continue
        redoable_count += 1
        if is_first_answer and isinstance(step, Answered):
            is_first_answer = False
            if any(_is_answer_to(run.question, skipped) for skipped in waiting_steps[:skipped_count]):
                return RedoPlan()
    if redoable_count and redoable_count >= skipped_count:
        return RedoPlan(skipped_count, redoable_count)
    return RedoPlan()


def redo_count_left_after_answer(
    get_redo_plan: Callable[[], RedoPlan], question: Request[object], waiting_steps: Sequence[Step]
) -> int:
    """Returns the number of redoable steps left after the open question is answered by hand.

    The new answer replaces the next answer that would be redone, or the first undone answer to this question.
    All steps stay if none of them answers it. `get_redo_plan` costs a replay, so it is called only if needed.
    """
    index = _index_of_answer(question, waiting_steps)
    if index is None:
        return len(waiting_steps)
    is_next = all(isinstance(step, Corrected) for step in waiting_steps[:index])
    if is_next or get_redo_plan().redoable_count:
        return len(waiting_steps) - index - 1
    return len(waiting_steps)


def _first_redoable_index(run: RulebookRun, waiting_steps: Sequence[Step]) -> int:
    """Returns where redo begins: at the answer to the open question, with the corrections just before it."""
    index = _index_of_answer(run.question, waiting_steps) or 0
    while index and isinstance(waiting_steps[index - 1], Corrected):
        index -= 1
    return index


def _index_of_answer(question: Request[object] | None, steps: Sequence[Step]) -> int | None:
    """Returns the index of the first step that is an answer to this question; None if there is none."""
    return next((index for index, step in enumerate(steps) if _is_answer_to(question, step)), None)


def _is_answer_to(question: Request[object] | None, step: Step) -> bool:
    """Returns whether a step is the answer to this question."""
    return isinstance(step, Answered) and question is not None and question.matches_log_key(step.asks)
