"""Which steps of a log are in force, which can be redone and which were undone; no rule is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any, NamedTuple, TypeVar

import msgspec

from companion.errors import UserError
from companion.log.events import (
    APP_DICE_SOURCE,
    Amended,
    Answered,
    Began,
    Corrected,
    Event,
    PlayerLeft,
    PlayerReturned,
    PutAway,
    Redone,
    Reopened,
    Sealed,
    Step,
    Undone,
)
from companion.texts import say

INDEX_BEFORE_FIRST_STEP = -1
"""The index before the first step, which stands for the beginning of the game."""


class StepsWithWithdrawnAnswers(NamedTuple):
    """Steps that were once in force, and answers that were withdrawn after some of them.

    The answers are by the number of steps that were in force before each of them.
    """

    steps: list[Step]
    answers_by_step_count: Mapping[int, list[Answered]]


class WithdrawnAnswers:
    """The answers that were undone or amended, by the number of their question.

    The steps are a tree: each entry is a step and the index of the entry before it, which is lower than the
    entry's own.
    """

    def __init__(self) -> None:
        self._tree: list[tuple[int, Step]] = []
        self._branch: list[int] = []
        self._entries: dict[int, int] = {}

    def add_withdrawn(self, steps_before: Sequence[Step], steps_now: Sequence[Step]) -> None:
        """Adds the answers that are in `steps_before` and no longer in `steps_now`."""
        withdrawn_numbers = _answered_questions(steps_before) - _answered_questions(steps_now)
        if not withdrawn_numbers:
            return
        self._set_branch(steps_before)
        for entry in self._branch:
            step = self._tree[entry][1]
            if isinstance(step, Answered) and step.n in withdrawn_numbers:
                self._entries[step.n] = entry

    def questions_with_withdrawn_answer_from(self, source: str, steps_now: Sequence[Step]) -> list[int]:
        """Returns the numbers of the questions with a withdrawn answer from `source`, and none in force."""
        in_force = _answered_questions(steps_now)
        answers = ((n, self._tree[entry][1]) for n, entry in self._entries.items() if n not in in_force)
        return [n for n, step in answers if isinstance(step, Answered) and step.via == source]

    def steps_before_withdrawn_answers(
        self, question_numbers: Iterable[int]
    ) -> Iterator[StepsWithWithdrawnAnswers]:
        """Yields the steps before the withdrawn answers to these questions, with the answers.

        A question without a withdrawn answer is left out. The steps come in as few lists as contain them
        all. Each answer comes once.
        """
        answers_by_entry_before: dict[int, list[Answered]] = {}
        for n in question_numbers:
            if n in self._entries:
                entry_before, answer = self._tree[self._entries[n]]
                assert isinstance(answer, Answered)
                answers_by_entry_before.setdefault(entry_before, []).append(answer)
        # An entry has a higher index than those before it, so a later list contains the earlier ones.
        for last in sorted(answers_by_entry_before, reverse=True):
            if last in answers_by_entry_before:
                path = self._path(last)
                answers = {
                    step_count: answers_by_entry_before.pop(entry)
                    for step_count, entry in enumerate(path)
                    if entry in answers_by_entry_before
                }
                steps = [self._tree[entry][1] for entry in path[1:]]
                yield StepsWithWithdrawnAnswers(steps, answers)

    def _path(self, last_entry: int) -> list[int]:
        """Returns the indices of the entries from the beginning up to this one."""
        path = [last_entry]
        while path[-1] != INDEX_BEFORE_FIRST_STEP:
            path.append(self._tree[path[-1]][0])
        return path[::-1]

    def _set_branch(self, steps: Sequence[Step]) -> None:
        """Makes these steps the current branch; entries that the branch has already are reused."""
        pairs = zip(count(), self._branch, steps, strict=False)
        shorter = min(len(self._branch), len(steps))
        shared_count = next((i for i, entry, step in pairs if self._tree[entry][1] is not step), shorter)
        del self._branch[shared_count:]
        for step in steps[shared_count:]:
            self._tree.append((self._branch[-1] if self._branch else INDEX_BEFORE_FIRST_STEP, step))
            self._branch.append(len(self._tree) - 1)


def _answered_questions(steps: Iterable[Step]) -> set[int]:
    """Returns the numbers of the questions that were answered."""
    return {step.n for step in steps if isinstance(step, Answered)}


S = TypeVar("S", bound=Step)


class PreviewedSteps(NamedTuple):
    """The steps that would be in force, and those that could be redone, the next one last."""

    in_force: list[Step]
    redoable: list[Step]


class Timeline(msgspec.Struct):
    """The state of a log: steps in force, redoable steps, and the number of the open question.

    The last of `redoable_steps` is redone first. `commitment_by_seat` are the last seals for the open
    question. `absent_seats` are the seats whose player has left. `continues_amendment`: an amendment undid
    the redoable steps, so that answering continues with them. `corrections` are all that were ever made,
    `withdrawn_answers` all that were ever withdrawn.
    """

    steps: list[Step] = []
    redoable_steps: list[Step] = []
    question_number: int = 1
    commitment_by_seat: dict[int, str] = {}
    absent_seats: set[int] = set()
    is_put_away: bool = False
    continues_amendment: bool = False
    corrections: list[Corrected] = []
    withdrawn_answers: WithdrawnAnswers = msgspec.field(default_factory=WithdrawnAnswers)

    def add_event(self, event: Event) -> None:
        """Applies one more event of the log."""
        if isinstance(event, Answered):  # first, because nearly all are
            self.steps.append(event)
            self.question_number = event.n + 1
            self.commitment_by_seat.clear()
            if self.redoable_steps:
                del self.redoable_steps[event.rest :]
                self.continues_amendment = self.continues_amendment and bool(self.redoable_steps)
            return
        self._update_steps(event)
        match event:
            case Sealed():
                self.commitment_by_seat[event.seat] = event.commitment
            case PlayerLeft():
                self.absent_seats.add(event.seat)
            case PlayerReturned():
                self.absent_seats.discard(event.seat)
            case PutAway():
                self.is_put_away = True
                self.commitment_by_seat.clear()
            case Reopened():
                self.is_put_away = False
        if isinstance(event, (Undone, Redone, Amended, Reopened)) or (
            isinstance(event, Corrected) and event.opens_new_question
        ):
            self.question_number = event.n + 1
            self.commitment_by_seat.clear()

    def _update_steps(self, event: Event) -> None:
        """Updates the steps in force, the redoable steps and the withdrawn answers."""
        may_withdraw_answers = isinstance(event, (Undone, Amended)) or (
            isinstance(event, Corrected) and event.back
        )
        steps_before = [*self.steps] if may_withdraw_answers else []
        match event:
            case Corrected():
                self.corrections.append(event)
                _apply_step(self.steps, event)
                del self.redoable_steps[event.rest :]
            case Undone():
                self._undo(event)
            case Redone():
                self.steps, self.redoable_steps = self.preview_redo(event.count, event.skipped)
            case Amended():
                self.steps, undone_steps = self.preview_amendment(event.event, event.answer, event.kept)
                self.redoable_steps[event.rest :] = [_as_redone(step, again=False) for step in undone_steps]
                self.continues_amendment = self.continues_amendment or bool(undone_steps)
        self.continues_amendment = self.continues_amendment and bool(self.redoable_steps)
        if may_withdraw_answers:
            self.withdrawn_answers.add_withdrawn(steps_before, self.steps)

    @property
    def questions_with_undone_app_roll(self) -> list[int]:
        """The numbers of the questions with an undone roll by Companion's own dice."""
        return self.withdrawn_answers.questions_with_withdrawn_answer_from(APP_DICE_SOURCE, self.steps)

    def preview_redo(self, count: int, skipped_count: int = 0) -> PreviewedSteps:
        """Returns the steps after a redo of `count` steps; changes nothing.

        Before the redone steps, `skipped_count` steps are left out.
        """
        redoable_steps = self.redoable_steps[: len(self.redoable_steps) - skipped_count]
        rest_count, steps = len(redoable_steps) - count, [*self.steps]
        for step in redoable_steps[rest_count:][::-1]:
            _apply_step(steps, step)
        return PreviewedSteps(steps, redoable_steps[:rest_count])

    def preview_step(self, step: Step) -> list[Step]:
        """Returns the steps in force after one more step; changes nothing.

        A correction may move the last answer behind itself or remove answers.
        """
        steps = [*self.steps]
        _apply_step(steps, step)
        return steps

    def _undo(self, event: Undone) -> None:
        """Undoes steps, or only the correction before the last answer.

        Redo puts each step back at the end; after such a correction the last answer is given again.
        """
        if event.correction:
            self.redoable_steps.append(
                _as_redone(self.steps.pop(self.last_inserted_correction_index), again=True)
            )
            return
        self.redoable_steps += [_as_redone(step, again=False) for step in self.steps[: -event.count - 1 : -1]]
        del self.steps[-event.count :]

    @property
    def last_inserted_correction_index(self) -> int:
        """The index of the last correction that was inserted before the last answer; -1 if there is none.

        After such a correction the answer was given again.
        """
        last_step = self.steps[-1] if self.steps else None
        if not isinstance(last_step, Answered):
            return -1
        for index, step in _enumerate_backwards(self.steps):
            if isinstance(step, Corrected) and step.n > last_step.n:
                return index
        return -1

    @property
    def corrections_not_in_force(self) -> list[Corrected]:
        """The corrections that are no longer in force."""
        in_force = Counter(_without_side_effects(step) for step in self.steps if isinstance(step, Corrected))
        return list((Counter(map(_without_side_effects, self.corrections)) - in_force).elements())

    def preview_amendment(
        self, question_number: int, answer: Any, kept_step_count: int | None = None
    ) -> PreviewedSteps:
        """Returns the steps if an answer is amended; changes nothing.

        `kept_step_count`: the number of later steps that stay in force; None for all.
        """
        index = self.index_of_answer(question_number)
        step = self.steps[index]
        assert isinstance(step, Answered)
        later_steps = self.steps[index + 1 :]
        kept_step_count = len(later_steps) if kept_step_count is None else kept_step_count
        amended = msgspec.structs.replace(step, answer=answer)
        in_force = [*self.steps[:index], amended, *later_steps[:kept_step_count]]
        return PreviewedSteps(in_force, later_steps[kept_step_count:][::-1])

    def answer_to_question(self, question_number: int) -> Answered:
        """Returns the answer in force to a question; raises `UserError` if there is none."""
        step = self.steps[self.index_of_answer(question_number)]
        assert isinstance(step, Answered)
        return step

    def require_possible_next_event(self, event: Event) -> None:
        """Checks that an event can come next in the log; raises `UserError` if not."""
        if isinstance(event, Began):
            raise UserError(say("the game has already begun"))
        if self.is_put_away != isinstance(event, Reopened):
            why = say("the game was not put away before this event")
            raise UserError(
                say("the game was already put away before this event") if self.is_put_away else why
            )
        if event.n != self.question_number:
            raise UserError(
                say(
                    "it belongs to question {n}, but question {now} is open",
                    n=event.n,
                    now=self.question_number,
                )
            )
        match event:
            case Corrected(again=again, back=back) if (
                back < 0 or len(_indices_of_last_answers(self.steps, again + back)) < again + back
            ):
                raise UserError(say("there is no earlier question to ask again"))
            case Undone(count=count, correction=correction) if not (
                self.last_inserted_correction_index >= 0 if correction else 1 <= count <= len(self.steps)
            ):
                raise UserError(say("there is nothing to undo"))
            case Redone(count=count, skipped=skipped) if (
                count < 1 or skipped < 0 or count + skipped > len(self.redoable_steps)
            ):
                raise UserError(say("there is nothing to redo"))
            case Amended(event=amended_question, kept=kept):
                later_count = len(self.steps) - self.index_of_answer(amended_question) - 1
                if not 0 <= kept <= later_count:
                    raise UserError(say("only {later} of the later events can be kept", later=later_count))
        if not 0 <= getattr(event, "rest", 0) <= len(self.redoable_steps):
            raise UserError(say("only {count} events can be redone", count=len(self.redoable_steps)))

    def index_of_answer(self, question_number: int) -> int:
        """Returns the index of the step that answers a question; raises `UserError` if there is none."""
        for index, step in enumerate(self.steps):
            if isinstance(step, Answered) and step.n == question_number:
                return index
        raise UserError(
            say(
                "Answer {event} can't be changed. The history lists the answers that can be changed.",
                event=question_number,
            )
        )


def _apply_step(steps: list[Step], step: Step) -> None:
    """Adds a step to the steps in force; a correction may remove answers and repeat the last one."""
    if isinstance(step, Answered) or not step.opens_new_question:
        steps.append(step)
        return
    for index in _indices_of_last_answers(steps, step.back):
        del steps[index]
    repeated_answers = [steps.pop(index) for index in _indices_of_last_answers(steps, int(step.again))]
    steps += [step, *repeated_answers]


def events_recreating_steps(steps: Iterable[Step]) -> list[Step]:
    """Returns events that recreate these steps when they are applied in order.

    The events have no effect on other steps.
    """
    return [_without_side_effects(step) for step in steps]


def _without_side_effects(step: S) -> S:
    """Returns the step without its effect on other steps."""
    return msgspec.structs.replace(_as_redone(step, again=False), rest=0)


def _as_redone(step: S, *, again: bool) -> S:
    """Returns the step as redo applies it: answers that a correction had undone stay undone.

    `again`: redoing the correction gives the last answer again.
    """
    return msgspec.structs.replace(step, again=again, back=0) if isinstance(step, Corrected) else step


def _indices_of_last_answers(steps: Sequence[Step], count: int) -> list[int]:
    """Returns the indices of the last answers, at most `count`, the last one first."""
    indices = (index for index, step in _enumerate_backwards(steps) if isinstance(step, Answered))
    return list(islice(indices, count))


def _enumerate_backwards(steps: Sequence[Step]) -> Iterator[tuple[int, Step]]:
    return zip(range(len(steps) - 1, -1, -1), reversed(steps), strict=True)


def build_timeline(events: Iterable[Event]) -> Timeline:
    """Returns the state of a log after these events."""
    timeline = Timeline()
    for event in events:
        timeline.add_event(event)
    return timeline
