"""What one seat is asked in a round, as numbers for a pad: one, or several that belong together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from companion.errors import IllegalAnswer
from companion.requests import Amount, Counts, Request
from companion.words import Labelled

Limits = tuple[int, int | None, int]
"""The least number, the most, if there is a limit, and the step."""


class Numbers(Protocol):
    """The numbers of one part, each by a key."""

    labels: Mapping[str, Labelled | None]
    """What each is called; None where there is only one."""

    def limits(self, key: str) -> Limits:
        """What may be typed for it now."""
        ...

    def allows(self, key: str, number: int) -> bool:
        """Whether that may stand there, as all may know it."""
        ...

    def plain(self, numbers: Mapping[str, int]) -> Any:
        """The answer, as JSON."""
        ...

    def read(self, plain: Any) -> dict[str, int]:
        """The numbers of such an answer."""
        ...


class OneNumber:
    """An `Amount`."""

    def __init__(self, part: Amount) -> None:
        self._part = part
        self.labels: Mapping[str, Labelled | None] = {"": None}

    def limits(self, _key: str) -> Limits:
        """Those of the question."""
        limits = self._part.limits
        return limits["least"], limits["most"], limits["step"]

    def allows(self, _key: str, number: int) -> bool:
        """What is covered doesn't count: the key must not tell of it."""
        try:
            self._part.check_known(number)
        except IllegalAnswer:
            return False
        return True

    def plain(self, numbers: Mapping[str, int]) -> int:
        """The number."""
        return numbers[""]

    def read(self, plain: int) -> dict[str, int]:
        """Returns the answer as the one number of the sheet."""
        return {"": plain}


class SeveralNumbers:
    """`Counts`, whose sum is checked once all are in."""

    def __init__(self, part: Counts) -> None:
        self._part = part
        self.labels: Mapping[str, Labelled | None] = {key: count.label for key, count in part.counted.items()}

    def limits(self, key: str) -> Limits:
        """From nothing to what there is of it."""
        return 0, self._part.limits["counts"][key], 1

    def allows(self, key: str, number: int) -> bool:
        """No more than there is, as far as all may know."""
        least, most, _ = self.limits(key)
        return least <= number and (most is None or number <= most)

    def plain(self, numbers: Mapping[str, int]) -> dict[str, int]:
        """All of them."""
        return dict(numbers)

    def read(self, plain: Mapping[str, int]) -> dict[str, int]:
        """Returns the answer as the numbers of the sheet."""
        return dict(plain)


def numbers_of(part: Request[Any]) -> Numbers | None:
    """How a part is entered on a pad; None where it is no numbers, or where one may say that one can't."""
    match part:
        case Amount():
            return OneNumber(part)
        case Counts(cant=None):
            return SeveralNumbers(part)
    return None
