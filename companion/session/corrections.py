"""Whether the open question is still valid after a correction, and from where the correction counts.

The options of a question, and the variables of a rulebook while it waits, were computed before the
correction. So both are tested: the last answer is replayed after the correction, and then legal answers are
tried. The tests use temporary tables, on which every hidden place holds plenty, so that the outcome depends
only on what everybody may know. The event stores the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import takewhile
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.errors import IllegalAnswer, NoLegalContinuation, ReplayConflict, RulesCrashed
from companion.log.events import Answered, Corrected, Step
from companion.log.timeline import Timeline
from companion.requests import OptionField, Request, are_questions_equal
from companion.session.run import RulebookRun, is_hidden_correction
from companion.table.ledger import Ledger, Piece, Place
from companion.table.moves_by_hand import mask_covered_counts
from companion.texts import Say, say

MAX_ANSWERS_UNDONE_BY_CORRECTION = 1
"""The most answers that a correction may undo; a correction that would undo more is refused."""
MAX_RANDOM_ANSWERS_TRIED = 10
"""The number of random legal answers to try if there are too many to try all."""
Replay = Callable[[Sequence[Step]], RulebookRun]
"""A function that returns the run of the rulebook after these steps."""


class CorrectionResult(msgspec.Struct, frozen=True):
    """What follows from a correction: why another question is open now, and what people must move by hand."""

    why_asked_again: Say | None = None
    moves_by_hand: Sequence[Say] = ()


class PlacedCorrection(NamedTuple):
    """A correction with the point from which it counts, and the run of the rulebook after it."""

    event: Corrected
    run: RulebookRun


def apply_correction(
    replay: Replay,
    timeline: Timeline,
    correction: Corrected,
    corrected_run: RulebookRun,
    *,
    keep_open_question: bool,
) -> PlacedCorrection:
    """Chooses from when a correction counts, and applies it.

    `corrected_run` is the present game with the pieces moved. Raises `NoLegalContinuation` if the game
    couldn't continue.

    Normally the correction counts from now on. A correction counts from before the last answer if the open
    question would offer something else then, or is impossible now. If the question is impossible from there
    too, the last answer is undone. With `keep_open_question` the correction counts from now on if the
    question is still possible, because envelopes are closed.

    A correction of hidden pieces always counts from now on, so that they decide nothing. After it the last
    answer isn't tried again, because the correction might have made that answer impossible.
    """
    ledger = corrected_run.table.ledger
    if is_hidden_correction(ledger, correction):
        steps = timeline.preview_step(correction)
        if _legal_answers(replay, steps) and not can_continue_after_correction(replay, steps, correction):
            raise NoLegalContinuation
        return PlacedCorrection(correction, corrected_run)
    may_replay_last_answer = not has_hidden_correction_since_last_answer(ledger, timeline)
    for back in range(MAX_ANSWERS_UNDONE_BY_CORRECTION + 1):
        later = msgspec.structs.replace(correction, back=back)
        earlier = msgspec.structs.replace(later, again=True)
        later_run = _replay_with_correction(replay, timeline, later) if back else corrected_run
        earlier_run = _replay_with_correction(replay, timeline, earlier) if may_replay_last_answer else None
        candidates = [(later, later_run), (earlier, earlier_run)]
        if (
            later_run
            and earlier_run
            and not keep_open_question
            and _asks_another_question(later_run, earlier_run)
        ):
            candidates.reverse()
        for event, run in candidates:
            if run and can_continue_after_correction(replay, timeline.preview_step(event), event):
                return PlacedCorrection(event, run)
    raise NoLegalContinuation


def has_hidden_correction_since_last_answer(ledger: Ledger, timeline: Timeline) -> bool:
    """Returns whether hidden pieces were corrected since the last answer."""
    latest_corrections = takewhile(lambda step: isinstance(step, Corrected), reversed(timeline.steps))
    return any(
        is_hidden_correction(ledger, step) for step in latest_corrections if isinstance(step, Corrected)
    )


def _asks_another_question(later_run: RulebookRun, earlier_run: RulebookRun) -> bool:
    """Returns whether the run with the earlier correction asks another question, at an equal table.

    The tables must be equal because pieces that people put somewhere must still be there. False if the
    earlier run asks one seat again: revealed answers count as long as the game can continue with them.
    """
    if _asks_one_seat_again(earlier_run) and not _asks_one_seat_again(later_run):
        return False
    if are_questions_equal(later_run.question, earlier_run.question):
        return False
    return _public_counts(later_run) == _public_counts(earlier_run)


def _asks_one_seat_again(run: RulebookRun) -> bool:
    """Returns whether one seat is asked again for a sealed answer."""
    if not run.answered_questions:
        return False
    last_question = run.answered_questions[-1].question
    return any(part is run.question for part in last_question.parts_by_seat.values())


def _public_counts(run: RulebookRun) -> dict[tuple[Place, Piece], int]:
    """Returns the public counts of all accounts."""
    return {
        (account.place, account.piece): account.count
        for account in run.table.ledger
        if account.count and not account.covered
    }


def why_asked_again(run_before: RulebookRun, correction: Corrected) -> Say:
    """Returns a sentence that says why the question is asked again after a correction."""
    if correction.back:
        return say(
            "This answer is no longer possible, so the companion asks the question again: {answer}",
            answer=run_before.answered_questions[-1].sentence,
        )
    return say("The choices have changed, so the companion asks the question again.")


def can_continue_after_correction(replay: Replay, steps: Sequence[Step], correction: Corrected) -> bool:
    """Returns whether the rules accept every tried legal answer after a correction, and there is one.

    An answer that also fails without the correction doesn't count: the correction may be the repair.
    """
    other_steps = [step for step in steps if step is not correction]
    answers = _legal_answers(replay, steps)
    if not answers:
        return not _legal_answers(replay, other_steps)
    return all(
        _continues_after_answer(replay, steps, answer) or _crashes_after_answer(replay, other_steps, answer)
        for answer in answers
    )


def _replay_with_correction(replay: Replay, timeline: Timeline, event: Corrected) -> RulebookRun | None:
    """Returns the game with the correction; None if it doesn't fit or would undo a reveal."""
    answers = [step for step in timeline.steps if isinstance(step, Answered)]
    undone_answers = answers[len(answers) - event.back :]
    if len(answers) < event.back + event.again or any(answer.salts for answer in undone_answers):
        return None
    try:
        return replay(timeline.preview_step(event))
    except (ReplayConflict, RulesCrashed):
        return None


def _legal_answers(replay: Replay, steps: Sequence[Step]) -> list[Any]:
    """Returns legal answers as JSON: all options, or some samples; [None] if the game is over."""
    run = replay(steps)
    mask_covered_counts(run.table.ledger)
    question = run.question
    if question is None:
        return [None]
    json_answers: dict[str, Any] = {}
    for answer in _candidate_answers(question):
        with suppress(IllegalAnswer):
            question.check_answer(answer)
            json_answer = question.answer_to_json(answer)
            json_answers[repr(json_answer)] = json_answer
    return list(json_answers.values())


def _candidate_answers(question: Request[Any]) -> Iterable[Any]:
    field = question.form.single_field
    if isinstance(field, OptionField):
        return field.all_options
    rng = Random(0)
    return [question.random_legal_answer(rng) for _ in range(MAX_RANDOM_ANSWERS_TRIED)]


def _continues_after_answer(replay: Replay, steps: Sequence[Step], json_answer: Any) -> bool:
    run = replay(steps)
    mask_covered_counts(run.table.ledger)
    with suppress(RulesCrashed):
        if (question := run.question) is not None:
            event = Answered(0, question.log_key, json_answer, "", 0.0)
            run.send_answer(event, question.parse_answer(json_answer))
        return True
    return False


def _crashes_after_answer(replay: Replay, steps: Sequence[Step], json_answer: Any) -> bool:
    """Returns whether an answer that is legal after these steps makes the rules crash."""
    with suppress(IllegalAnswer, ReplayConflict):
        return not _continues_after_answer(replay, steps, json_answer)
    return False
