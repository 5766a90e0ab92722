"""What somebody enters now, as opposed to what is read back from a log.

Entered text must be showable on the screen. A log may hold older text that isn't; it is replayed unchanged.
"""

from __future__ import annotations

from typing import Any

from companion.errors import IllegalAnswer, UserError
from companion.requests import Request
from companion.screen_characters import check_showable


def load_entered(question: Request[Any], given: object) -> Any:
    """The answer, loaded and checked against its question; raises `IllegalAnswer`."""
    answer = question.load(given)
    question.check(answer)
    try:
        _check_texts(given)
    except UserError as error:
        raise IllegalAnswer(error.text) from None
    return answer


def _check_texts(given: object) -> None:
    """Checks every text in a plain answer; the question has bounded its size and depth already."""
    if isinstance(given, str):
        check_showable(given)
    elif isinstance(given, dict):
        for each in given.values():
            _check_texts(each)
    elif isinstance(given, list | tuple):
        for each in given:
            _check_texts(each)
