"""Whether the open question is still valid after a correction, and from where the correction counts.

What a question offers, and what a rulebook remembers while it waits, was computed before the correction. So
it is tried out: the last answer is replayed after the correction, and then legal answers are tried. All of
this happens on tables that are thrown away. On them every covered place holds plenty, so that the outcome
depends only on what everybody may know. The outcome is kept in the event.
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
from companion.requests import OptionField, Request, offers_same
from companion.session.run import RulebookRun, is_hidden_correction
from companion.table.ledger import Ledger, Piece, Place
from companion.table.moves_by_hand import mask_hidden_counts
from companion.texts import Say, say

MAX_ANSWERS_TAKEN_BACK = 1
"""A correction that would take back more answers is refused."""
MAX_SAMPLED_ANSWERS = 10
"""The number of legal answers to draw if there are too many to try them all."""
Replay = Callable[[Sequence[Step]], RulebookRun]


class CorrectionResult(msgspec.Struct, frozen=True):
    """The result of a correction: why another question is open now, and what people must move by hand."""

    why: Say | None = None
    by_hand: Sequence[Say] = ()


def apply_correction(
    replay: Replay, timeline: Timeline, event: Corrected, live: RulebookRun, *, stay: bool
) -> tuple[Corrected, RulebookRun]:
    """The correction as it is kept, and the game after it; `live` is the table with the pieces moved.

    It counts from now on; or from before the last answer, where the open question offers something else then,
    or can't stand now; where it can't stand then either, that answer is taken back.
    `stay`: from now on if the question can stand, as envelopes are in.
    What is covered decides nothing about it: such a correction always counts from now on, and after it the
    last answer isn't tried again, which it might have made impossible.
    Raises `NoLegalContinuation` where the game could not go on.
    """
    ledger = live.table.ledger
    if is_hidden_correction(ledger, event):
        steps = timeline.with_step(event)
        if _legal(replay, steps) and not can_continue(replay, steps, event):
            raise NoLegalContinuation
        return event, live
    as_it_is = has_hidden_correction(ledger, timeline)
    for back in range(MAX_ANSWERS_TAKEN_BACK + 1):
        here = msgspec.structs.replace(event, back=back)
        anew = msgspec.structs.replace(here, again=True)
        now = _moved(replay, timeline, here) if back else live
        then = None if as_it_is else _moved(replay, timeline, anew)
        ways = [(here, now), (anew, then)]
        if now and then and not stay and _offers_else(now, then):
            ways.reverse()
        for one, run in ways:
            if run and can_continue(replay, timeline.with_step(one), one):
                return one, run
    raise NoLegalContinuation


def has_hidden_correction(ledger: Ledger, timeline: Timeline) -> bool:
    """Returns whether something covered was corrected since the last answer."""
    since = takewhile(lambda step: isinstance(step, Corrected), reversed(timeline.steps))
    return any(is_hidden_correction(ledger, step) for step in since if isinstance(step, Corrected))


def _offers_else(now: RulebookRun, then: RulebookRun) -> bool:
    """Whether something else is asked at the same table: what people laid somewhere must still lie there.

    What was sealed and is open counts as long as the game can go on with it.
    """
    if _asks_alone(then) and not _asks_alone(now):
        return False
    return not offers_same(now.question, then.question) and _lying(now) == _lying(then)


def _asks_alone(run: RulebookRun) -> bool:
    """Returns whether one seat is asked again for a sealed answer."""
    opened = run.answered[-1].question if run.answered else None
    return opened is not None and any(part is run.question for part in opened.parts_by_seat.values())


def _lying(run: RulebookRun) -> dict[tuple[Place, Piece], int]:
    """Returns the public counts of all accounts."""
    accounts = [one for one in run.table.ledger if one.count and not one.covered]
    return {(one.place, one.piece): one.count for one in accounts}


def why_asked_again(before: RulebookRun, kept: Corrected) -> Say:
    """Returns a sentence that says why another question is open after a correction."""
    if kept.back:
        return say(
            "This answer is no longer possible, so the companion asks the question again: {answer}",
            answer=before.answered[-1].sentence,
        )
    return say("The choices have changed, so the companion asks the question again.")


def can_continue(replay: Replay, steps: Sequence[Step], event: Corrected) -> bool:
    """Returns whether there is a legal answer and the rules can continue from every answer that is tried.

    An answer that also fails without the correction doesn't count: the correction may be the repair.
    """
    without = [step for step in steps if step is not event]
    answers = _legal(replay, steps)
    if not answers:
        return not _legal(replay, without)
    return all(_goes_on(replay, steps, one) or _fails(replay, without, one) for one in answers)


def _moved(replay: Replay, timeline: Timeline, event: Corrected) -> RulebookRun | None:
    """Returns the game with the correction; None if it doesn't fit or would undo a reveal."""
    answers = [step for step in timeline.steps if isinstance(step, Answered)]
    gone = answers[len(answers) - event.back :]
    if len(answers) < event.back + event.again or any(step.salts for step in gone):
        return None
    try:
        return replay(timeline.with_step(event))
    except (ReplayConflict, RulesCrashed):
        return None


def _legal(replay: Replay, steps: Sequence[Step]) -> list[Any]:
    """Returns legal answers as JSON: all options, or some samples; [None] if nothing is asked."""
    run = replay(steps)
    mask_hidden_counts(run.table.ledger)
    question = run.question
    if question is None:
        return [None]
    found: dict[str, Any] = {}
    for answer in _tries(question):
        with suppress(IllegalAnswer):
            question.check(answer)
            plain = question.dump(answer)
            found[repr(plain)] = plain
    return list(found.values())


def _tries(question: Request[Any]) -> Iterable[Any]:
    rng = Random(0)
    choice = question.form.single_field
    return (
        choice.all_options
        if isinstance(choice, OptionField)
        else [question.sample(rng) for _ in range(MAX_SAMPLED_ANSWERS)]
    )


def _goes_on(replay: Replay, steps: Sequence[Step], plain: Any) -> bool:
    run = replay(steps)
    mask_hidden_counts(run.table.ledger)
    with suppress(RulesCrashed):
        if (question := run.question) is not None:
            run.send(Answered(0, question.log_key, plain, "", 0.0), question.load(plain))
        return True
    return False


def _fails(replay: Replay, steps: Sequence[Step], plain: Any) -> bool:
    """Returns whether an answer makes the rules crash even without the correction."""
    with suppress(IllegalAnswer, ReplayConflict):
        return not _goes_on(replay, steps, plain)
    return False
