"""A program for tests to kill: plays by touch in its own window, reports the state of the game, and waits.

    python tests/support/ui/app_to_kill.py STATE GAME

It prints a line of JSON once all its touches are on the screen.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

SCRIPTS = {
    "egypt": ["Egypt", "Begin", "1", "done", "5", "confirm", "7", "confirm"],
    "sealed_bid": [
        "Sealed bid",
        "more players",
        "Begin",
        "Player 2",
        "Player 2, take the screen",
        "4",
        "2",
        "confirm",
    ],
}


def describe_state(view: Any) -> dict[str, object]:
    """Returns the open question, and the seal of each closed envelope."""
    envelopes = {each.seat.name: each.seal for each in view.envelopes}
    return {"n": view.question_number, "asks": view.question.log_key, "envelopes": envelopes}


async def main(state: Path, game: str) -> None:
    """Plays, prints the state of the game, and waits until it is killed."""
    from kivy.core.window import Window

    from companion.store import Store
    from ui import theme
    from ui.app import CompanionApp
    from ui.demo.hand import SimulatedFinger
    from ui.evening.controller import TableController

    theme.IGNORED_REPEATED_TOUCH_SECONDS = theme.RESULT_CARD_SECONDS = 0.0
    app: Any = CompanionApp(lambda: TableController(Store.open(state, for_writing=True)), lang="en")
    running = asyncio.create_task(app.async_run("asyncio"))
    finger = SimulatedFinger(app, Window)
    await finger.wait_frames(3)
    await finger.tap_buttons(*SCRIPTS[game])
    print(json.dumps(describe_state(app.controller.view)), flush=True)
    await running


if __name__ == "__main__":
    os.environ["SDL_VIDEODRIVER"] = "offscreen"
    sys.path.insert(0, str(Path(__file__).parents[3]))
    from ui.kivy_env import WindowSettings, configure_kivy

    configure_kivy(Path(sys.argv[1]) / "kivy", WindowSettings(touch="none"))
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
