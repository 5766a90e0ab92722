"""The subcommand `show`: plays a recorded match in the real window, with touches and wired keypads.

Every answer of the log is entered as a person would enter it. Two of the seats use keypads of their own, but
withdraw on the screen, because people may use keypad and screen by turns.

Kivy is imported only when the subcommand runs, after its environment is set.
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
from companion.half_numbers import WholeOrHalf
from companion.log.events import Answered, Began, Corrected, Event
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events, replay_until
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
"""The frame rate if nobody watches; more frames would take the time that the keypads need."""
KEYPAD_TIMEOUT_SECONDS = 20.0
"""Seconds until the demonstration gives up on a keypad."""
KEYPAD_SEAT_COUNT = 2
"""The number of seats with keypads; the last seats have them."""


class Demonstration:
    """Plays one recorded match on a running app, and takes screenshots if there is a folder for them."""

    def __init__(
        self, app: CompanionApp, hand: AnsweringHand, pads: dict[int, SimulatedKeypad], out: Path | None
    ) -> None:
        self.app, self.hand, self.finger, self.keypad_by_seat, self.screenshot_folder = (
            app,
            hand,
            hand.finger,
            pads,
            out,
        )
        self.pause_seconds = 0.0
        self._screenshot_count = 0
        self._photographed_kinds: set[str] = set()

    async def play_match(self, events: Sequence[Event]) -> GameResult:
        """Plays the match from home to the final score, and returns the result."""
        began = events[0]
        assert isinstance(began, Began)
        await self.finger.wait_frames(3)
        if self.screenshot_folder is not None:
            sys.stderr.write(f"{began.game}: {len(events)} recorded events, by touch and keypads\n")
        await self._save_screenshot("home")
        await self.set_up_game(began.game, began.names, began.options)
        for count, step in enumerate(build_timeline(events).steps):
            if isinstance(step, Corrected):
                await self._make_correction(step)
                await self.finger.wait_frames(1)
            else:
                await self._play_answer(count, step)
        return await self._photograph_score()

    async def set_up_game(
        self, game_key: str, names: Sequence[str], options: Mapping[str, OptionValue] = {}
    ) -> None:
        """Begins a game on the screen: opens it, types the players' names and chooses the options."""
        finger, app = self.finger, self.app
        game = app.evening.game_with_presets(game_key)
        await finger.tap_buttons(render(game.title, app.lang))
        if game.presets is not None:
            preset = options.get(game.presets.option, game.preset_option.default)
            while not finger.can_tap(f"template {preset}"):
                await finger.tap_buttons("page on")
            await finger.tap_buttons(f"template {preset}")
        count_text = str(len(names))
        if finger.can_tap("type players"):
            await finger.tap_buttons("type players", "clear", *count_text, "confirm")
        else:
            await finger.tap_buttons(count_text)
        await finger.tap_buttons(app.tr("Player {n}", n=1))
        for name in names:  # after each name the keyboard asks for the next one
            await self.hand.type_text(name)
            await finger.tap_buttons("done")
        await self._save_screenshot("players")
        await finger.tap_buttons("rules")
        for option in game.options:
            if option.key in options and (game.presets is None or option.key != game.presets.option):
                app.stage.screen.choose_option(option.key, options[option.key])
        await finger.wait_frames(2)
        await self._save_screenshot("rules")
        await finger.tap_buttons(app.tr("Begin"))

    async def _play_answer(self, count: int, step: Answered) -> None:
        question = self.app.controller.view.question
        await asyncio.sleep(self.pause_seconds)
        await self._close_events_notice()  # a picture shows the question
        if question.kind not in self._photographed_kinds or count % ANSWERS_BETWEEN_SCREENSHOTS == 0:
            self._photographed_kinds.add(question.kind)
            await self._save_screenshot(question.kind.lower())
        await self.enter_answer(question, step.answer)

    async def _make_correction(self, step: Corrected) -> None:
        """Makes a correction of the recorded match, in the bank if that is possible by touch."""
        from ui.demo.hand import BankHand

        await self._close_events_notice()
        ledger = self.app.evening.table.ledger
        places = {account.place.key: account.place for account in ledger}
        pieces = {account.piece.key: account.piece for account in ledger}
        moves = [
            PieceMove(pieces[move.piece], places[move.source], places[move.target], move.count)
            for move in step.moves
        ]
        if step.reason or not await BankHand(self.app, self.finger).try_correction(moves):
            self.app.controller.correct_by_hand(moves, step.reason)

    async def _close_events_notice(self) -> None:
        """Touches the notice of what happened, if it covers the table or the score."""
        notice = self.app.stage.screen.events_notice
        if notice is not None and notice.parent is not None:
            # Beside the sheet of a result card, a touch would go on to the keys of the question.
            await self.finger.tap_widget(getattr(notice, "sheet", notice))

    async def enter_answer(self, question: Any, answer: Any) -> None:
        """Enters everybody's answer to the open question, and goes on to the next question."""
        await self._close_events_notice()
        question_number = self.app.controller.view.question_number
        if question.is_sealed:
            for seat, part in question.parts_by_seat.items():
                await self._enter_answer_of_seat(seat, part, answer[str(seat.number)], is_sealed=True)
        else:
            await self._enter_answer_of_seat(question.seats[0] if question.seats else None, question, answer)
        await self.finger.wait_until(lambda: self.app.controller.view.question_number != question_number)
        await self.finger.wait_frames(1)
        await self._leave_reveal_screen()

    async def _enter_answer_of_seat(
        self, seat: Seat | None, part: Any, answer: Any, *, is_sealed: bool = False
    ) -> None:
        """Enters one seat's answer: on its keypad if that can enter the answer, else on the screen."""
        pad = self.keypad_by_seat.get(seat.number) if seat else None
        keys = keypad_keys_for_answer(part.form, answer)
        if seat and pad and keys and (is_sealed or answer is not None):
            await self._press_keypad(pad, seat, keys)
        elif seat and is_sealed:
            await self.hand.seal_answer(seat, part, answer)
        else:
            await self.hand.answer_open_question(part, answer)

    async def _press_keypad(self, pad: SimulatedKeypad, seat: Seat, keys: str) -> None:
        """Presses the keys until the answer counts.

        The keypad refuses keys that come too soon after the question, and asks for some answers twice.
        """
        question_number = self.app.controller.view.question_number

        def is_answered() -> bool:
            view = self.app.controller.view
            return view.question_number != question_number or any(
                envelope.seat == seat and envelope.has_answer for envelope in view.envelopes
            )

        async with asyncio.timeout(KEYPAD_TIMEOUT_SECONDS):
            while not is_answered():
                pad.type(keys)
                await self.finger.wait_until(
                    lambda: is_answered() or not pad.display.split("\n")[1].startswith(">")
                )
                await asyncio.sleep(0.02)

    async def _leave_reveal_screen(self) -> None:
        """Waits on the screen with the opened envelopes, if it is shown, and leaves it."""
        reveal_screen = self.app.table_flow.last_reveal_screen
        if reveal_screen is not None and reveal_screen.parent is not None:
            await self.finger.wait_until(lambda: self.finger.can_tap("go on", reveal_screen))
            await asyncio.sleep(self.pause_seconds)
            await self.finger.tap_widget(self.finger.find_button("go on", reveal_screen))

    async def _photograph_score(self) -> GameResult:
        await self._save_screenshot("final score, face down")
        score_screen = self.app.stage.screen
        score_screen.turn_up_all_cards()
        await self.finger.wait_frames(2)
        if self.finger.can_tap("what happened"):
            await self.finger.tap_buttons("what happened")
            await self._save_screenshot("what the last answer led to")
            await self._close_events_notice()
        await self._save_screenshot("final score")
        await self.finger.tap_widget(score_screen.rank_cards[0])
        await self._save_screenshot("how a total came about")
        result: GameResult = score_screen.result
        return result

    async def _save_screenshot(self, title: str) -> None:
        if self.screenshot_folder is not None:
            self._screenshot_count += 1
            file = self.screenshot_folder / f"{self._screenshot_count:02} {title}.png"
            await self.finger.save_screenshot(file)
            sys.stderr.write(f"{file}\n")  # people who wait see the progress


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="the game whose recorded match is played")
    parser.add_argument("--offscreen", action="store_true", help="play the match off screen")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder for the pictures and the score sheet"
    )


def _show(args: Namespace) -> int:
    events = load_recorded_events(args.game)
    recorded_result = replay_until(events).result
    if recorded_result is None:
        raise UserError(say("The recorded match of {game} stops before the game is over.", game=args.game))
    if args.out is not None:
        create_folder(args.out)
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        _configure_screen(Path(folder), offscreen=args.offscreen)
        result = asyncio.run(_play_match(events, Path(folder), args))
    if result is None:
        return 0
    if _ranks_and_totals(result) != _ranks_and_totals(recorded_result):
        raise InternalError(say("The match on the screen ended differently from the recorded one."))
    sheet = "".join(f"{line}\n" for line in result.score_sheet_lines())
    line = json.dumps({"result": result.to_json(render)}, ensure_ascii=False)
    if args.out is not None:
        replace_file(args.out / "score.txt", sheet.encode())
        replace_file(args.out / "score.json", f"{line}\n".encode())
    sys.stdout.write(f"{sheet}{line}\n")
    return 0


def _configure_screen(folder: Path, *, offscreen: bool) -> None:
    LOG.setLevel(logging.ERROR)  # on a busy machine the simulated keypads fall silent for a moment
    if offscreen:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
    configure_kivy(folder / "kivy", WindowSettings(touch="none" if offscreen else "mouse"))
    if offscreen:
        from kivy.config import Config

        from ui import theme

        Config.set("graphics", "maxfps", str(UNWATCHED_FRAMES_PER_SECOND))
        # Nobody watches, and the simulated finger never touches twice by mistake.
        theme.reduced_motion, theme.IGNORED_REPEATED_TOUCH_SECONDS = True, 0.0


async def _play_match(events: Sequence[Event], folder: Path, args: Namespace) -> GameResult | None:
    """Plays the match and returns its result; None if somebody closed the window before the end."""
    began = events[0]
    assert isinstance(began, Began)
    seats = range(max(2, len(began.names) - KEYPAD_SEAT_COUNT + 1), len(began.names) + 1)
    with ExitStack() as resources:
        pads = {
            seat: resources.enter_context(SimulatedKeypad(f"kp-{seat}", folder / f"kp-{seat}"))
            for seat in seats
        }
        app, hand = _make_app_and_hand(folder, pads, offscreen=args.offscreen)
        demonstration = Demonstration(app, hand, pads, args.out)
        demonstration.pause_seconds = 0.0 if args.offscreen else PAUSE_BETWEEN_ANSWERS_SECONDS
        return await _run_until_closed(
            app, demonstration.play_match(events), waits_for_close=not args.offscreen
        )


def _make_app_and_hand(
    folder: Path, pads: Mapping[int, SimulatedKeypad], *, offscreen: bool
) -> tuple[CompanionApp, AnsweringHand]:
    """Returns an app whose wiring has these keypads, and a hand for its window."""
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


async def _run_until_closed(
    app: CompanionApp, play: Coroutine[Any, Any, GameResult], *, waits_for_close: bool
) -> GameResult | None:
    """Runs the app and `play`, and returns the result; None if the app ends first.

    `waits_for_close`: after the match the window stays open until people close it.
    """
    app_task, play_task = asyncio.create_task(app.async_run("asyncio")), asyncio.create_task(play)
    try:
        await asyncio.wait({app_task, play_task}, return_when=asyncio.FIRST_COMPLETED)
        if not play_task.done():
            app_task.result()
            return None
        result = play_task.result()
        if waits_for_close:
            await app_task
        return result
    finally:
        play_task.cancel()
        app.stop()
        await asyncio.wait({app_task, play_task})


def _ranks_and_totals(result: GameResult) -> list[tuple[str, int, WholeOrHalf]]:
    """Returns name, rank and total of each seat, which must be equal in the recorded match and on screen."""
    return [(standing.seat.name, standing.rank, standing.total) for standing in result.standings]


SHOW = Subcommand(
    "Play the recorded match of a game in the window, with touches and keypads.",
    _add_arguments,
    _show,
    ("companion show egypt",),
)
