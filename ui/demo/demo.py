"""The subcommand `show`: plays a recorded match in the real window, with touches and wired keypads.

Every answer of the log is given as a person would give it. Two of the seats use keypads of their own, and
withdraw on the screen, because a keypad and the screen may be used by turns.

Kivy loads only when the subcommand runs, after its environment is set.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import InternalError, UserError
from companion.files.regular_files import create_folder, replace_file
from companion.log.events import Answered, Began, Corrected, Event
from companion.log.timeline import build_timeline
from companion.recorded_match import recorded_match_of, replay_until
from companion.store import Store
from companion.subcommand import Subcommand
from companion.table.moves import PieceMove
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.table.table import OptionValue
from companion.texts import render, say
from hardware.simulated.keypads import SimulatedKeypad
from hardware.wiring import Keypad, Wiring
from ui.demo.presses import keypad_keys_for_answer
from ui.journal import LOG
from ui.kivy_env import WindowSettings, configure_kivy

if TYPE_CHECKING:
    from ui.app import CompanionApp
    from ui.demo.hand import AnsweringHand

PAUSE_BETWEEN_ANSWERS_SECONDS = 0.7
"""Seconds between two answers if somebody watches."""
ANSWERS_BETWEEN_SCREENSHOTS = 24
"""The number of answers between two screenshots."""
UNWATCHED_FRAMES_PER_SECOND = 240
"""The frame rate if nobody watches.

More would take the time that the keypads need.
"""
KEYPAD_TIMEOUT_SECONDS = 20.0
"""Seconds until the demonstration gives up on a keypad."""
KEYPAD_SEAT_COUNT = 2
"""The number of seats with keypads; the last seats have them."""


class Demonstration:
    """Plays one recorded match on a running app. `out` is the folder for screenshots, if any."""

    def __init__(
        self, app: CompanionApp, hand: AnsweringHand, pads: dict[int, SimulatedKeypad], out: Path | None
    ) -> None:
        self.app, self.hand, self.finger, self.pads, self.out = app, hand, hand.finger, pads, out
        self.pace = 0.0
        self._taken = 0
        self._kinds: set[str] = set()

    async def play_match(self, events: Sequence[Event]) -> GameResult:
        """Plays the match from home to the final score, and returns the result."""
        began = events[0]
        assert isinstance(began, Began)
        await self.finger.wait_frames(3)
        if self.out is not None:
            sys.stderr.write(f"{began.game}: {len(events)} recorded events, by touch and keypads\n")
        await self._photograph("home")
        await self.set_up_game(began.game, began.names, began.options)
        for count, step in enumerate(build_timeline(events).steps):
            if isinstance(step, Corrected):
                self._correct(step)
                await self.finger.wait_frames(1)
            else:
                await self._step(count, step)
        return await self._score()

    async def set_up_game(
        self, game_key: str, names: Sequence[str], options: Mapping[str, OptionValue] = {}
    ) -> None:
        """Begins a game on the screen: opens it, types the players' names and chooses the options."""
        finger, app = self.finger, self.app
        offered = app.evening.game_with_presets(game_key)
        await finger.tap_buttons(render(offered.title, app.lang))
        so_many = str(len(names))
        if finger.can_tap("type players"):
            await finger.tap_buttons("type players", "clear", *so_many, "confirm")
        else:
            await finger.tap_buttons(so_many)
        for at, name in enumerate(names, 1):
            await finger.tap_buttons(app.tr("Player {n}", n=at))
            await self.hand.type_text(name)
            await finger.tap_buttons("done")
        await self._photograph("players")
        await finger.tap_buttons(app.tr("Next"))
        for option in offered.options:
            if option.key in options:
                app.stage.screen.choose_option(option.key, options[option.key])
        await finger.wait_frames(2)
        await self._photograph("rules")
        await finger.tap_buttons(app.tr("Begin"))

    async def _step(self, count: int, step: Answered) -> None:
        question = self.app.controller.view.question
        await asyncio.sleep(self.pace)
        if question.kind not in self._kinds or count % ANSWERS_BETWEEN_SCREENSHOTS == 0:
            self._kinds.add(question.kind)
            await self._photograph(question.kind.lower())
        await self.enter_answer(question, step.answer)

    def _correct(self, step: Corrected) -> None:
        """Applies at once what people moved by hand."""
        ledger = self.app.evening.table.ledger
        places = {account.place.key: account.place for account in ledger}
        pieces = {account.piece.key: account.piece for account in ledger}
        moves = [
            PieceMove(pieces[one.piece], places[one.source], places[one.target], one.count)
            for one in step.moves
        ]
        self.app.controller.correct_by_hand(moves, step.reason)

    async def enter_answer(self, question: Any, answer: Any) -> None:
        """Enters everybody's answer to the open question, and goes on to the next question."""
        n = self.app.controller.view.question_number
        if question.is_sealed:
            for seat, part in question.parts_by_seat.items():
                await self._one(seat, part, answer[str(seat.number)], sealed=True)
        else:
            await self._one(question.seats[0] if question.seats else None, question, answer)
        await self.finger.wait_until(lambda: self.app.controller.view.question_number != n)
        await self.finger.wait_frames(1)
        await self._go_on()

    async def _one(self, seat: Seat | None, part: Any, answer: Any, *, sealed: bool = False) -> None:
        """Enters one seat's answer: at its keypad, if it has one that can enter it, else on the screen."""
        pad = self.pads.get(seat.number) if seat else None
        typed = keypad_keys_for_answer(part.form, answer)
        if seat and pad and typed and (sealed or answer is not None):
            await self._press(pad, seat, typed)
        elif seat and sealed:
            await self.hand.seal_answer(seat, part, answer)
        else:
            await self.hand.answer_open_question(part, answer)

    async def _press(self, pad: SimulatedKeypad, seat: Seat, typed: str) -> None:
        """Presses the keys; again where the keypad had not shown the question long enough, or asks back."""
        n = self.app.controller.view.question_number

        def taken() -> bool:
            seen = self.app.controller.view
            return seen.question_number != n or any(
                each.seat == seat and each.has_answer for each in seen.envelopes
            )

        async with asyncio.timeout(KEYPAD_TIMEOUT_SECONDS):
            while not taken():
                pad.type(typed)
                await self.finger.wait_until(
                    lambda: taken() or not pad.display.split("\n")[1].startswith(">")
                )
                await asyncio.sleep(0.02)

    async def _go_on(self) -> None:
        """Looks at opened envelopes, if there are any, and goes on."""
        reveal = self.app.table.last_reveal_screen
        if reveal is not None and reveal.parent is not None:
            await self.finger.wait_until(lambda: self.finger.can_tap("go on", reveal))
            await asyncio.sleep(self.pace)
            await self.finger.tap_widget(self.finger.find_button("go on", reveal))

    async def _score(self) -> GameResult:
        await self._photograph("final score, face down")
        score = self.app.stage.screen
        score.turn_up_all_cards()
        await self.finger.wait_frames(2)
        if score.events_notice is not None:  # its sheet lies over the score
            await self._photograph("what the last answer led to")
            await self.finger.tap_widget(score.events_notice)
        await self._photograph("final score")
        await self.finger.tap_widget(score.places[0])
        await self._photograph("how a total came about")
        result: GameResult = score.result
        return result

    async def _photograph(self, what: str) -> None:
        if self.out is not None:
            self._taken += 1
            file = self.out / f"{self._taken:02} {what}.png"
            await self.finger.save_screenshot(file)
            sys.stderr.write(f"{file}\n")  # whoever waits sees how far it is


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="the game whose recorded match is played")
    parser.add_argument("--offscreen", action="store_true", help="play the match off screen")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder for the pictures and the score sheet"
    )


def _show(args: Namespace) -> int:
    events = recorded_match_of(args.game)
    ended = replay_until(events).result
    if ended is None:
        raise UserError(say("The recorded match of {game} stops before the game is over.", game=args.game))
    if args.out is not None:
        create_folder(args.out)
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        _prepare(Path(folder), offscreen=args.offscreen)
        result = asyncio.run(_played(events, Path(folder), args))
    if result is None:
        return 0
    if _totals(result) != _totals(ended):
        raise InternalError(say("The match on the screen ended differently from the recorded one."))
    sheet = "".join(f"{line}\n" for line in result.score_sheet_lines())
    line = json.dumps({"result": result.to_json(render)}, ensure_ascii=False)
    if args.out is not None:
        replace_file(args.out / "score.txt", sheet.encode())
        replace_file(args.out / "score.json", f"{line}\n".encode())
    sys.stdout.write(f"{sheet}{line}\n")
    return 0


def _prepare(folder: Path, *, offscreen: bool) -> None:
    LOG.setLevel(logging.ERROR)  # on a busy machine the simulated keypads fall silent for a moment
    if offscreen:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
    configure_kivy(folder / "kivy", WindowSettings(touch="none" if offscreen else "mouse"))
    if offscreen:
        from kivy.config import Config

        from ui import theme

        Config.set("graphics", "maxfps", str(UNWATCHED_FRAMES_PER_SECOND))
        Config.set("graphics", "multisamples", "0")
        # Nobody watches, and this finger never slips: nothing need move, no touch comes twice.
        theme.reduced_motion, theme.IGNORED_DOUBLE_TOUCH_SECONDS = True, 0.0


async def _played(events: Sequence[Event], folder: Path, args: Namespace) -> GameResult | None:
    """How the match ended; None where somebody closed the window before."""
    began = events[0]
    assert isinstance(began, Began)
    seats = range(max(2, len(began.names) - KEYPAD_SEAT_COUNT + 1), len(began.names) + 1)
    with ExitStack() as stack:
        pads = {
            seat: stack.enter_context(SimulatedKeypad(f"kp-{seat}", folder / f"kp-{seat}")) for seat in seats
        }
        app, hand = _app(folder, pads, offscreen=args.offscreen)
        demonstration = Demonstration(app, hand, pads, args.out)
        demonstration.pace = 0.0 if args.offscreen else PAUSE_BETWEEN_ANSWERS_SECONDS
        return await _until_closed(app, demonstration.play_match(events), stays=not args.offscreen)


def _app(
    folder: Path, pads: Mapping[int, SimulatedKeypad], *, offscreen: bool
) -> tuple[CompanionApp, AnsweringHand]:
    """The app with these keypads on its wires, and a hand at its window."""
    from kivy.core.window import Window

    from ui.app import CompanionApp
    from ui.demo.hand import AnsweringHand, SimulatedFinger, draw_only_awaited_frames
    from ui.evening.controller import TableController

    if offscreen:
        draw_only_awaited_frames(Window)
    wiring = Wiring(tuple(Keypad(seat, port=str(pad.path)) for seat, pad in pads.items()))
    app = CompanionApp(
        lambda: TableController(Store.open(folder / "state", for_writing=True), wiring), lang="en"
    )
    return app, AnsweringHand(app, SimulatedFinger(app, Window))


async def _until_closed(
    app: CompanionApp, play: Coroutine[Any, Any, GameResult], *, stays: bool
) -> GameResult | None:
    """Runs the app and plays on it; None where the app ends first. `stays`: people close the window."""
    running, playing = asyncio.create_task(app.async_run("asyncio")), asyncio.create_task(play)
    try:
        await asyncio.wait({running, playing}, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            running.result()
            return None
        result = playing.result()
        if stays:
            await running
        return result
    finally:
        playing.cancel()
        app.stop()
        await asyncio.wait({running, playing})


def _totals(result: GameResult) -> list[tuple[str, int, int]]:
    """Everybody's rank and total: what the match on the screen must end with, too."""
    return [(each.seat.name, each.rank, each.total) for each in result.standings]


SHOW = Subcommand(
    "Play the recorded match of a game in the window, with touches and keypads.",
    _arguments,
    _show,
    ("companion show egypt",),
)
