"""The verb `show`: the real window plays a recorded match, by touches on its keys and with keypads on wires.

Every answer of the log is given as a person would give it. Two of the seats use keypads of their own;
one of them withdraws on the screen, because a keypad and the screen may be used by turns.
Kivy loads only when it runs, after its environment is set.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.cli import Verb
from companion.errors import OurError
from companion.events import Answered, Began, Event, fold
from companion.logs import recorded
from companion.requests import Choose, Raise, Read
from companion.scores import Result
from companion.store import Store
from companion.words import render, say
from hardware.simulated import SimulatedKeypad
from hardware.wiring import Keypad, Wiring
from ui.kivy_env import Display, prepare

PACE = 0.7
"""Seconds between two answers where somebody watches."""
EVERY = 24
"""Answers between two photographs."""
FRAMES = 120
"""A second, where nobody watches; more would take the time that the keypads need."""
KEYPADS = 2
"""So many seats, the last ones, have keypads."""


class Demonstration:
    """One recorded match on one running app. `out` (None: nowhere) is where photographs go."""

    def __init__(self, app: Any, finger: Any, pads: dict[int, SimulatedKeypad], out: Path | None) -> None:
        self.app, self.finger, self.pads, self.out = app, finger, pads, out
        self.pace = 0.0
        self._taken = 0
        self._kinds: set[str] = set()

    async def play(self, events: Sequence[Event]) -> Result:
        """From home to the final score."""
        began = events[0]
        assert isinstance(began, Began)
        await self._photograph("home")
        await self._set_up(began)
        for count, step in enumerate(fold(events).steps):
            assert isinstance(step, Answered)
            await self._step(count, step)
        return await self._score()

    async def _set_up(self, began: Began) -> None:
        """Takes the box from the shelf and types everybody's name."""
        finger, app = self.finger, self.app
        title = next(box.title for box in app.shelf.boxes(app.lang) if box.key == began.game)
        await finger.tap(title, str(len(began.names)))
        for at, name in enumerate(began.names, 1):
            await finger.tap(app.tr(app.lang, "Player {n}", n=at), *name, "done")
        await self._photograph("players")
        await finger.tap(app.tr(app.lang, "Next"))
        await self._photograph("rules")
        await finger.tap(app.tr(app.lang, "Begin"))

    async def _step(self, count: int, step: Answered) -> None:
        seen = self.app.evening.view
        kind = seen.question.kind
        await asyncio.sleep(self.pace)
        if kind not in self._kinds or count % EVERY == 0:
            self._kinds.add(kind)
            await self._photograph(kind.lower())
        await self._answer(seen.question, step)
        await self.finger.until(lambda: self.app.evening.view.n != seen.n)
        await self.finger.frames(1)

    async def _answer(self, question: Any, step: Answered) -> None:
        number = question.seats[0].number if question.seats else 0
        pad = self.pads.get(number)
        if pad is None or (step.answer is None and number != max(self.pads)):
            await self.finger.tap(*touches(question, step.answer))
        else:
            await self._press(pad, keys(question, step.answer))

    async def _press(self, pad: SimulatedKeypad, typed: str) -> None:
        """Presses the keys, again where the keypad had not yet shown the question long enough."""
        n = self.app.evening.view.n
        while self.app.evening.view.n == n:
            pad.type(typed)
            await self.finger.until(
                lambda: self.app.evening.view.n != n or not pad.display.split("\n")[1].startswith(">")
            )
            await asyncio.sleep(0.02)

    async def _score(self) -> Result:
        await self._photograph("final score, face down")
        self.app.stage.screen.skip()
        await self._photograph("final score")
        await self.finger.touch(self.app.stage.screen.places[0])
        await self._photograph("how a total came about")
        result: Result = self.app.evening.view.result
        return result

    async def _photograph(self, what: str) -> None:
        if self.out is not None:
            self._taken += 1
            await self.finger.photograph(self.out / f"{self._taken:02} {what}.png")


def touches(question: Any, answer: Any) -> list[str]:
    """The keys of the screen that give an answer."""
    match question:
        case Raise(floor=floor):
            bid = [] if answer == floor else [*str(answer)]
            return ["way out"] if answer is None else [*bid, "confirm"]
        case Choose():
            return [answer]
        case Read():
            if answer is None:
                return ["cant"]
            counts = enumerate(_counts(question, answer), 1)
            return [f"more {at}" for at, count in counts for _ in range(count)] + ["lay"]
    return ["done"]


def keys(question: Any, answer: Any) -> str:
    """The keys of a keypad that give an answer."""
    match question:
        case Choose(options=options):
            return f"{list(options).index(answer) + 1} OK"
        case Raise() | Read() if answer is None:
            return "NO"
        case Raise():
            return f"{answer} OK"
        case Read():
            return f"{'.'.join(map(str, _counts(question, answer)))} OK"
    return "OK"


def _counts(question: Read, answer: Any) -> list[int]:
    """How many cards of each rate were laid down; each card counts by the first rate that fits it."""
    assert question.worth is not None
    rates = question.worth.rates
    cards = [question.faces.read(card) for card in answer]
    fitting = [next(at for at, rate in enumerate(rates) if card.shows(rate.values)) for card in cards]
    return [fitting.count(at) for at in range(len(rates))]


def sheet(result: Result) -> str:
    """The score sheet as text."""
    lines = []
    for standing in result.standings:
        lines.append(f"{standing.rank}. {standing.seat.name}: {standing.total}")
        lines += [f"     {render(line.label)}: {line.value}" for line in standing.lines]
    return "\n".join(lines) + "\n"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="which game's recorded match")
    parser.add_argument("--offscreen", action="store_true", help="play it on a screen that nobody sees")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where pictures and the score sheet are left")


def _show(args: Namespace) -> int:
    events = recorded(args.game)
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        _prepare(Path(folder), offscreen=args.offscreen)
        result = asyncio.run(_played(events, Path(folder), args))
    line = json.dumps({"result": result.plain(render)}, ensure_ascii=False)
    if args.out is not None:
        (args.out / "score.txt").write_text(sheet(result), encoding="utf-8")
        (args.out / "score.json").write_text(line + "\n", encoding="utf-8")
    sys.stdout.write(f"{sheet(result)}{line}\n")
    return 0


def _prepare(folder: Path, *, offscreen: bool) -> None:
    if offscreen:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
    prepare(folder / "kivy", Display(touch="none" if offscreen else "mouse"))
    if offscreen:
        from kivy.config import Config

        from ui import theme

        Config.set("graphics", "maxfps", str(FRAMES))
        Config.set("graphics", "multisamples", "0")
        # Nobody watches, and this finger never slips: nothing need move, no touch comes twice.
        theme.reduced_motion, theme.TWICE = True, 0.0


async def _played(events: Sequence[Event], folder: Path, args: Namespace) -> Result:
    from kivy.core.window import Window

    from ui.evening import Evening
    from ui.finger import Finger
    from ui.table import TableApp

    began = events[0]
    assert isinstance(began, Began)
    seats = range(len(began.names) - KEYPADS + 1, len(began.names) + 1)
    with ExitStack() as stack:
        pads = {
            seat: stack.enter_context(SimulatedKeypad(f"kp-{seat}", folder / f"kp-{seat}")) for seat in seats
        }
        wiring = Wiring(tuple(Keypad(seat, port=str(folder / f"kp-{seat}")) for seat in seats))
        app = TableApp(lambda: Evening(Store.open(folder / "state", playing=True), wiring), lang="en")
        running = asyncio.create_task(app.async_run("asyncio"))
        finger = Finger(app, Window)
        await finger.frames(3)
        demonstration = Demonstration(app, finger, pads, args.out)
        demonstration.pace = 0.0 if args.offscreen else PACE
        result = await demonstration.play(events)
        if not args.offscreen:
            await running
        app.stop()
        await asyncio.wait({running})
    _check(events, result)
    return result


def _check(events: Sequence[Event], result: Result) -> None:
    """The match on the screen must end as the recorded one did."""
    put_away = events[-1]
    standings = getattr(put_away, "result", {}).get("standings", [])
    totals = [(each["seat"], each["rank"], each["total"]) for each in standings]
    if totals != [(each.seat.name, each.rank, each.total) for each in result.standings]:
        raise OurError(say("The match on the screen ended otherwise than the recorded one."))


SHOW = Verb("Play the recorded match of a game in the window, by touches and keypads.", _arguments, _show)
