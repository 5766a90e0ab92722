"""One real window in a process of its own that moves: `python -m benchmarks.moving WHAT SHOWN FOLDER`.

WHAT is a motion: reveal, ceremony or transfer. It prints the milliseconds of each frame in which something
moves: from the beginning of the tick until the frame is drawn, without the rest between two frames.
SHOWN is ours (the companion) or bare (a Kivy App in which as many plain rectangles move for as long).
WHAT is also still (prints the frames drawn on each screen while nobody does anything) or memory (prints the
least KiB of the process before each number of questions).
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ui.app import CompanionApp
    from ui.demo.hand import SimulatedFinger

SIZE = 1280, 720
NAMES, COLOURS = ("Aki", "Ben", "Chie", "Dai"), ("orange", "sky", "green", "vermilion")
BIDS = (12, 7, 3, 9)
TRANSFERS, PAID, PAUSE = 8, 7, 0.5
"""Number of payments, what each pays, and seconds before something begins to move and after it has ended."""
SETTLED, WATCHED = 4.0, 5.0
"""Seconds until a screen counts as still, and for how long it is watched."""
QUESTIONS = (500, 1000)
"""Numbers of questions until which memory is measured."""
LOOKS, LOOK_EVERY = 20, 5
"""How often memory is measured until then, and after how many questions each time."""
STEPS = 3
"""Frames that each answer's motion and sound get, of which the next answer skips what is left."""


class Move(NamedTuple):
    """Number of rectangles that move at a time, their size as shares of the window, and for how long."""

    rectangles: int
    size: tuple[float, float]
    seconds: float


def moves(motion: str) -> list[Move]:
    """What moves in a motion of four players, one after the other."""
    from ui import theme
    from ui.widgets.drawing.confetti import PIECE_COUNT

    players = len(NAMES)
    envelope, card, coin, paper = (0.2, 0.25), (0.6, 0.12), (0.05, 0.08), (0.015, 0.02)
    return {
        "reveal": [
            Move(players, envelope, theme.REVEAL_PAUSE_SECONDS),
            *[Move(1, envelope, theme.TURN_SECONDS + theme.SLIDE_SECONDS)] * players,
        ],
        "ceremony": [
            *[Move(1, card, theme.TURN_SECONDS)] * players,
            Move(PIECE_COUNT, paper, theme.CONFETTI_SECONDS),
        ],
        "transfer": [Move(1, coin, theme.COIN_SLIDE_SECONDS)] * TRANSFERS,
    }[motion]


class FrameTimes:
    """Milliseconds of each frame that is drawn while it watches; it must be made before anything moves."""

    def __init__(self, window: Any) -> None:
        from kivy.clock import Clock

        self.is_watching = False
        self.milliseconds: list[float] = []
        self._began = 0.0
        self._window = window
        Clock.schedule_interval(self._begin, 0)
        window.bind(on_flip=self._end)

    def _begin(self, _seconds: float) -> None:
        self._began = perf_counter()

    def _end(self, _window: object) -> None:
        from kivy.graphics.opengl import glFinish

        glFinish()  # software draws in threads of its own, which nobody would wait for off screen
        if self.is_watching:
            self.milliseconds.append((perf_counter() - self._began) * 1e3)


async def watch(finger: SimulatedFinger, frames: FrameTimes, is_over: Callable[[], bool]) -> None:
    """Watches from the next frame until it is over; on a busy machine at least one frame."""
    await finger.wait_frames(1)
    seen = len(frames.milliseconds)
    frames.is_watching = True
    await finger.wait_until(lambda: is_over() and len(frames.milliseconds) > seen)
    frames.is_watching = False


def is_past(moment: float) -> bool:
    """Whether a moment of the monotonic clock is over."""
    return perf_counter() > moment


# What moves


async def reveal(app: CompanionApp, finger: SimulatedFinger, frames: FrameTimes) -> None:
    """Four envelopes shake, open one after the other, and the outcome is shown."""
    controller = app.controller
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    await asyncio.sleep(PAUSE)
    for seat, bid in zip(controller.view.seats, BIDS, strict=True):
        controller.seal_answer_in_envelope(controller.view.question_number, seat, bid)
    await watch(finger, frames, lambda: finger.can_tap("go on"))


async def ceremony(app: CompanionApp, finger: SimulatedFinger, frames: FrameTimes) -> None:
    """The cards of a recorded match turn, their sums add up, and confetti falls on the podium."""
    app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    finish_recorded_match(app)
    await watch(finger, frames, lambda: has_confetti_fallen(app.stage.screen.winners_page))


def finish_recorded_match(app: CompanionApp) -> None:
    """Answers every question of Egypt's recorded match."""
    from companion.log.events import Answered
    from companion.log.timeline import build_timeline
    from companion.recorded_match import load_recorded_events

    for step in build_timeline(load_recorded_events("egypt")).steps:
        assert isinstance(step, Answered)
        app.controller.answer_question(app.controller.view.question_number, step.answer)


def has_confetti_fallen(winners: Any) -> bool:
    """Whether the page of the winners is there, and no confetti falls any more."""
    return winners is not None and winners.confetti.parent is None


async def transfer(app: CompanionApp, finger: SimulatedFinger, frames: FrameTimes) -> None:
    """Money goes from one player to the next; the coin slides, and both numbers get a sign."""
    from companion.table.moves import PieceMove
    from ui import theme

    controller = app.controller
    controller.start_new_game("any_game", NAMES, COLOURS, {"template": "train"})
    await asyncio.sleep(PAUSE)
    purses = [place for place in app.evening.money_by_place() if place.seat is not None]
    money = next(account.piece for account in app.evening.table.ledger if account.piece.money_value)
    for payer, payee in pairwise([*purses * TRANSFERS][: TRANSFERS + 1]):
        controller.correct_by_hand([PieceMove(money, payer, payee, PAID)], "paid")
        await watch(finger, frames, partial(is_past, perf_counter() + theme.COIN_SLIDE_SECONDS + PAUSE))


async def bare(app: Any, finger: Any, frames: FrameTimes, motion: str) -> None:
    """Plain rectangles move to and fro over a picture that fills the window."""
    from kivy.animation import Animation
    from kivy.graphics import Rectangle
    from kivy.uix.widget import Widget

    for move in moves(motion):
        rng, moving = Random(1), list[Widget]()
        for _ in range(move.rectangles):
            across, up = (share * side for share, side in zip(move.size, SIZE, strict=True))
            places = [(rng.random() * (SIZE[0] - across), rng.random() * (SIZE[1] - up)) for _ in range(2)]
            widget = Widget(size_hint=(None, None), size=(across, up), pos=places[0])
            with widget.canvas:
                rectangle = Rectangle(pos=widget.pos, size=widget.size)
            widget.bind(pos=partial(_follow, rectangle))
            app.root.add_widget(widget)
            Animation(pos=places[1], duration=move.seconds).start(widget)
            moving.append(widget)
        await watch(finger, frames, partial(is_past, perf_counter() + move.seconds))
        app.root.clear_widgets(moving)


def _follow(rectangle: Any, _widget: object, position: object) -> None:
    rectangle.pos = position


# What stands still


async def still(app: CompanionApp, finger: SimulatedFinger) -> dict[str, int]:
    """The frames that are drawn on each screen while nobody does anything."""
    drawn: dict[str, int] = {}

    async def count(screen: str) -> None:
        await asyncio.sleep(SETTLED)
        flips: list[object] = []
        finger.window.bind(on_flip=flips.append)
        await asyncio.sleep(WATCHED)
        finger.window.unbind(on_flip=flips.append)
        drawn[screen] = len(flips)

    controller = app.controller
    await count("home")
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    await count("play")
    app.table_flow.across_room_flow.show()
    await count("across the room")
    finish_recorded_match(app)
    await finger.wait_until(lambda: has_confetti_fallen(app.stage.screen.winners_page))
    await count("winners")
    app.stage.screen.winners_page.close()
    await count("score")
    return drawn


# What is kept in memory


async def memory(app: CompanionApp, finger: SimulatedFinger) -> dict[int, int]:
    """The least KiB of the process shortly before each number of questions; coins slide, and each is heard.

    One question shows far more than another: memory goes up and down by 20 MB from one look to the next.
    """
    from companion.requests import Choose

    controller, rng, taken = app.controller, Random(1), {number: list[int]() for number in QUESTIONS}
    assert app.is_sound_on
    controller.start_new_game("any_game", NAMES, COLOURS, {"template": "train"})
    while len(taken[QUESTIONS[-1]]) < LOOKS:
        question, number = controller.view.question, controller.view.question_number
        answer = question.random_legal_answer(rng)
        if isinstance(question, Choose) and "finish" in question.offered_options:
            answer = rng.choice([key for key in question.legal_option_keys if key != "finish"])
        controller.answer_question(number, question.answer_to_json(answer))
        await finger.wait_frames(STEPS)
        for last, looks in taken.items():
            if number in range(last - (LOOKS - 1) * LOOK_EVERY, last + 1, LOOK_EVERY):
                looks.append(resident_kib())
    return {number: min(looks) for number, looks in taken.items()}


def resident_kib() -> int:
    """What the process has in memory, without what it could give back.

    The C library keeps freed memory for itself, which made up all of the growth between two measurements.
    """
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0])


# The window


async def run(app: Any, what: str, shown: str) -> None:
    """Runs the app, and prints what was measured on it."""
    from kivy.core.window import Window

    from ui import theme
    from ui.demo.hand import SimulatedFinger

    theme.scale_lengths_to_window(*SIZE)
    theme.RESULT_CARD_SECONDS = 0.0  # the card of a result would cover what moves
    frames = FrameTimes(Window)
    running = asyncio.create_task(app.async_run("asyncio"))
    finger = SimulatedFinger(app, Window)
    await finger.wait_until(lambda: app.root is not None and (shown == "bare" or hasattr(app, "table_flow")))
    await asyncio.sleep(PAUSE)
    if what in MEASURED:
        print(json.dumps(await MEASURED[what](app, finger)))
    else:
        await (partial(bare, motion=what) if shown == "bare" else MOTIONS[what])(app, finger, frames)
        print(json.dumps(frames.milliseconds))
    app.stop()
    await asyncio.wait({running})


def make_bare_app() -> Any:
    """Returns Kivy's own App, with one picture as large as the window."""
    from kivy.app import App
    from kivy.graphics import Rectangle
    from kivy.graphics.texture import Texture
    from kivy.uix.floatlayout import FloatLayout

    app = App()
    app.root = FloatLayout()  # an App without a `build` of its own shows the root that it has
    with app.root.canvas.before:
        Rectangle(size=SIZE, texture=Texture.create(size=SIZE))
    return app


def main(what: str, shown: str, folder: str) -> None:
    """Measures one thing."""
    os.environ.update(SDL_VIDEODRIVER="offscreen", SDL_AUDIODRIVER="dummy")
    from ui.kivy_env import WindowSettings, configure_kivy

    configure_kivy(Path(folder) / "kivy", WindowSettings(*SIZE, touch="none"))
    if shown == "bare":
        app = make_bare_app()
    else:
        from ui.screen import make_app

        app = make_app(Path(folder) / "state")
    asyncio.run(run(app, what, shown))


MOTIONS = {"reveal": reveal, "ceremony": ceremony, "transfer": transfer}
MEASURED: dict[str, Callable[[Any, Any], Awaitable[object]]] = {"still": still, "memory": memory}

if __name__ == "__main__":
    main(*sys.argv[1:])
