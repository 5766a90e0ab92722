"""What the tests of a whole evening share: an app on a fresh state directory, and a game at its table."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

NAMES = ["Aki", "Ben", "ちえ"]
COLOURS = ["orange", "sky", "green"]


def make_test_app(state: Path, *, seconds: Callable[[], float] = time.monotonic, **kwargs: Any) -> Any:
    """An app that keeps its games in `state` and tells the time by `seconds`."""
    from companion.store import Store
    from ui.app import CompanionApp
    from ui.evening.controller import TableController

    return CompanionApp(
        lambda: TableController(Store.open(state, for_writing=True), seconds=seconds), **kwargs
    )


def answer_questions(controller: Any, *answers: object) -> None:
    """Answers one question after the other."""
    for plain in answers:
        controller.answer_question(controller.view.question_number, plain)


def answer_randomly(controller: Any, rng: Random) -> None:
    """Answers the open question in some legal way."""
    question = controller.view.question
    answer_questions(controller, question.answer_to_json(question.random_legal_answer(rng)))
