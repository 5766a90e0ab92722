"""A program for tests to kill: plays the open game in its own window, by touch, until its end.

    python tests/support/ui/self_playing_app.py STATE SEED

Its first line has the state of the game, as JSON lines do. It prints each answer before the first touch, and
again once the answer is acknowledged: the next question is shown, or the envelope is closed and the screen
passed on.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from pathlib import Path
from typing import Any


def print_line(**line: object) -> None:
    """Prints one line of JSON."""
    print(json.dumps(line), flush=True)


async def continue_game(app: Any, finger: Any) -> None:
    """Continues the open game from the home screen, and prints its state."""
    await finger.wait_until(lambda: app.number_pads_flow is not None)
    await finger.wait_frames(3)
    await finger.tap_buttons("go on" if finger.can_tap("go on") else "Continue")
    view = app.controller.view
    closed_seats = [each.seat.name for each in view.envelopes if each.has_answer]
    print_line(
        **({"result": True} if view.question is None else {"n": view.question_number, "in": closed_seats})
    )


async def play_to_end(app: Any, finger: Any, rng: random.Random) -> None:
    """Answers every question until the game ends."""
    from companion.requests import Together
    from ui.demo.demo import Demonstration
    from ui.demo.hand import AnsweringHand

    demonstration = Demonstration(app, AnsweringHand(app, finger), {}, None)
    while (question := app.controller.view.question) is not None:
        n = app.controller.view.question_number
        if isinstance(question, Together):
            for seat in rng.sample(question.seats, len(question.seats)):
                part = question.parts_by_seat[seat]
                line = {
                    "n": n,
                    "seat": seat.name,
                    "answer": part.answer_to_json(part.random_legal_answer(rng)),
                }
                print_line(**line)
                await demonstration.hand.seal_answer(seat, part, line["answer"])
                print_line(**line)
            await demonstration._leave_reveal_screen()
        else:
            answer = question.answer_to_json(question.random_legal_answer(rng))
            if answer == "finish":
                continue
            print_line(n=n, answer=answer)
            await demonstration.enter_answer(question, answer)
            answered = app.evening.session.rulebook_run.answered_questions[-1]
            print_line(n=n, answer=question.answer_to_json(answered.answer))


async def main(state: Path, seed: int) -> None:
    """Starts the app as the program does, including the handling of the last crash, and plays."""
    from kivy.core.window import Window

    from ui import theme
    from ui.demo.hand import SimulatedFinger
    from ui.screen import make_app
    from ui.starts import CrashCounter

    theme.IGNORED_REPEATED_TOUCH_SECONDS, theme.reduced_motion = 0.0, True
    theme.RESULT_CARD_SECONDS = 0.0
    app: Any = make_app(state, lang="en")
    app.reopens_game_after_crash = CrashCounter(state).count_start().was_interrupted
    running = asyncio.create_task(app.async_run("asyncio"))
    finger = SimulatedFinger(app, Window)
    await continue_game(app, finger)
    await play_to_end(app, finger, random.Random(seed))
    await running


if __name__ == "__main__":
    os.environ["SDL_VIDEODRIVER"] = "offscreen"
    sys.path.insert(0, str(Path(__file__).parents[3]))
    from ui.kivy_env import WindowSettings, configure_kivy

    configure_kivy(Path(sys.argv[1]) / "kivy", WindowSettings(touch="none"))
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
