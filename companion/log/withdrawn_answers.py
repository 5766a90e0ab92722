"""The answers of a game that were ever taken back, each with the steps that were in force before it.

It stores every step once, however many answers came after it, and knows no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from companion.log.events import Answered, Step

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
