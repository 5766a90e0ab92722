"""Whether the open question is still valid after a correction, and from where the correction counts.

What a question offers, and what a rulebook remembers while it waits, was computed before the correction. So
both are tried: the last answer is replayed after the correction, and then legal answers are tried. All of
this happens on temporary tables. On them every hidden place holds plenty, so that the outcome depends only on
what everybody may know. The event stores the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import takewhile
from random import Random
from typing import Any

import msgspec

from companion.errors import IllegalAnswer, NoLegalContinuation, ReplayConflict, RulesCrashed
from companion.log.events import Answered, Corrected, Step
from companion.log.timeline import Timeline
from companion.requests import OptionField, Request, are_questions_equal
from companion.session.run import RulebookRun, is_hidden_correction
from companion.table.ledger import Ledger, Piece, Place
from companion.table.moves_by_hand import make_covered_counts_plentiful
from companion.texts import Say, say

MAX_ANSWERS_UNDONE_BY_CORRECTION = 1
"""The most answers that a correction may undo; a correction that would undo more is refused."""
MAX_RANDOM_ANSWERS_TRIED = 10
"""The number of random legal answers to try if there are too many to try all."""
Replay = Callable[[Sequence[Step]], RulebookRun]


class CorrectionResult(msgspec.Struct, frozen=True):
    """The result of a correction: why another question is open now, and what people must move by hand."""

    why_asked_again: Say | None = None
    moves_by_hand: Sequence[Say] = ()


def apply_correction(
    replay: Replay,
    timeline: Timeline,
    correction: Corrected,
    corrected_run: RulebookRun,
    *,
    keep_open_question: bool,
) -> tuple[Corrected, RulebookRun]:
    """Applies a correction and returns it with the game after it.

    The returned correction has the point from which it counts.
    `corrected_run` is the present game with the pieces moved.
    The correction counts from now on. Or it counts from before the last answer, if the open question offers
    something else then, or is impossible now. If it is impossible then too, that answer is undone.
    `keep_open_question`: the correction counts from now on if the question is still possible, because
    envelopes are closed.
    Hidden pieces decide nothing about this: a correction of them always counts from now on. After it the
    last answer isn't tried again, because the correction might have made it impossible.
    Raises `NoLegalContinuation` if the game couldn't continue.
    """
    ledger = corrected_run.table.ledger
    if is_hidden_correction(ledger, correction):
        steps = timeline.preview_step(correction)
        if _legal_answers(replay, steps) and not can_continue_after_correction(replay, steps, correction):
            raise NoLegalContinuation
        return correction, corrected_run
    as_it_is = has_hidden_correction_since_last_answer(ledger, timeline)
    for back in range(MAX_ANSWERS_UNDONE_BY_CORRECTION + 1):
        here = msgspec.structs.replace(correction, back=back)
        anew = msgspec.structs.replace(here, again=True)
        now = _replay_with_correction(replay, timeline, here) if back else corrected_run
        then = None if as_it_is else _replay_with_correction(replay, timeline, anew)
        ways = [(here, now), (anew, then)]
        if now and then and not keep_open_question and _asks_something_else(now, then):
            ways.reverse()
        for one, run in ways:
            if run and can_continue_after_correction(replay, timeline.preview_step(one), one):
                return one, run
    raise NoLegalContinuation


def has_hidden_correction_since_last_answer(ledger: Ledger, timeline: Timeline) -> bool:
    """Returns whether hidden pieces were corrected since the last answer."""
    since = takewhile(lambda step: isinstance(step, Corrected), reversed(timeline.steps))
    return any(is_hidden_correction(ledger, step) for step in since if isinstance(step, Corrected))


def _asks_something_else(now: RulebookRun, then: RulebookRun) -> bool:
    """Returns whether something else is asked at an equal table.

    Pieces that people put somewhere must still be there.

    Revealed answers count as long as the game can continue with them.
    """
    if _asks_one_seat_again(then) and not _asks_one_seat_again(now):
        return False
    return not are_questions_equal(now.question, then.question) and _public_counts(now) == _public_counts(
        then
    )


def _asks_one_seat_again(run: RulebookRun) -> bool:
    """Returns whether one seat is asked again for a sealed answer."""
    opened = run.answered_questions[-1].question if run.answered_questions else None
    return opened is not None and any(part is run.question for part in opened.parts_by_seat.values())


def _public_counts(run: RulebookRun) -> dict[tuple[Place, Piece], int]:
    """Returns the public counts of all accounts."""
    accounts = [one for one in run.table.ledger if one.count and not one.covered]
    return {(one.place, one.piece): one.count for one in accounts}


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
    without = [step for step in steps if step is not correction]
    answers = _legal_answers(replay, steps)
    if not answers:
        return not _legal_answers(replay, without)
    return all(
        _continues_after_answer(replay, steps, one) or _crashes_after_answer(replay, without, one)
        for one in answers
    )


def _replay_with_correction(replay: Replay, timeline: Timeline, event: Corrected) -> RulebookRun | None:
    """Returns the game with the correction; None if it doesn't fit or would undo a reveal."""
    answers = [step for step in timeline.steps if isinstance(step, Answered)]
    gone = answers[len(answers) - event.back :]
    if len(answers) < event.back + event.again or any(step.salts for step in gone):
        return None
    try:
        return replay(timeline.preview_step(event))
    except (ReplayConflict, RulesCrashed):
        return None


def _legal_answers(replay: Replay, steps: Sequence[Step]) -> list[Any]:
    """Returns legal answers as JSON: all options, or some samples; [None] if nothing is asked."""
    run = replay(steps)
    make_covered_counts_plentiful(run.table.ledger)
    question = run.question
    if question is None:
        return [None]
    found: dict[str, Any] = {}
    for answer in _candidate_answers(question):
        with suppress(IllegalAnswer):
            question.check_answer(answer)
            plain = question.answer_to_json(answer)
            found[repr(plain)] = plain
    return list(found.values())


def _candidate_answers(question: Request[Any]) -> Iterable[Any]:
    rng = Random(0)
    choice = question.form.single_field
    return (
        choice.all_options
        if isinstance(choice, OptionField)
        else [question.random_legal_answer(rng) for _ in range(MAX_RANDOM_ANSWERS_TRIED)]
    )


def _continues_after_answer(replay: Replay, steps: Sequence[Step], plain: Any) -> bool:
    run = replay(steps)
    make_covered_counts_plentiful(run.table.ledger)
    with suppress(RulesCrashed):
        if (question := run.question) is not None:
            run.send_answer(Answered(0, question.log_key, plain, "", 0.0), question.parse_answer(plain))
        return True
    return False


def _crashes_after_answer(replay: Replay, steps: Sequence[Step], plain: Any) -> bool:
    """Returns whether an answer makes the rules crash even without the correction."""
    with suppress(IllegalAnswer, ReplayConflict):
        return not _continues_after_answer(replay, steps, plain)
    return False
