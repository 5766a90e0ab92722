"""Makes an app on a fresh state directory, and answers questions of its game."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

NAMES = ["Aki", "Ben", "ちえ"]
COLOURS = ["orange", "sky", "green"]


def make_test_app(state: Path, *, seconds: Callable[[], float] = time.monotonic, **kwargs: Any) -> Any:
    """Returns an app that saves its games in `state` and takes the time from `seconds`."""
    from companion.store import Store
    from ui.app import CompanionApp
    from ui.evening.controller import TableController

    return CompanionApp(
        lambda: TableController(Store.open(state, for_writing=True), seconds=seconds), **kwargs
    )


def answer_questions(controller: Any, *answers: object) -> None:
    """Answers the open questions one after the other."""
    for plain_answer in answers:
        controller.answer_question(controller.view.question_number, plain_answer)


def answer_randomly(controller: Any, rng: Random) -> None:
    """Answers the open question with a random legal answer."""
    question = controller.view.question
    answer_questions(controller, question.answer_to_json(question.random_legal_answer(rng)))
