"""The table: shows the screen for each view of the game, with clocks and readers, and handles its keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion.actions import GO_ON, GO_ON_IN, PAUSE, ActionOutcome
from companion.evening import Evening
from companion.session.view import View
from companion.store import SavedGame
from companion.texts import Say, render
from ui.host import AppWithEvening
from ui.pages import Choice, open_dialog, show_message
from ui.screens import saved_games
from ui.screens.actions import perform
from ui.screens.history import UndoFlow
from ui.screens.notices import DiceNotice, TimeUpNotice
from ui.screens.past_games import PastGamesFlow
from ui.screens.play import PlayScreen
from ui.screens.reveal import RevealScreen
from ui.screens.saved_games import confirm_new_game
from ui.screens.score import ScoreScreen, save_record
from ui.screens.screen_position import ScreenPosition
from ui.screens.table_menu import TableMenu
from ui.widgets.sheets.dialog import Dialog


class TableFlow:
    """`TableFlow(app, shelving)`, then `bind_events` as soon as the app's evening is open.

    `reveal` is the last ceremony. From a game that is past the way leads back to `shelving`.
    """

    def __init__(self, app: AppWithEvening, shelving: PastGamesFlow) -> None:
        self.app = app
        self._shelving = shelving
        self.undo_flow = UndoFlow(app)
        self.menu = TableMenu(app, self.undo_flow, shelving.ask_to_reopen)
        self.relocate_flow = RelocateFlow(app)
        self.reveal: RevealScreen | None = None
        self._notices: dict[Say, Dialog] = {}
        self._n = 0
        self._ending: set[object] = set()

    def bind_events(self) -> None:
        """Binds the events of the controller to what is shown."""
        controller = self.app.controller
        controller.bind(
            on_change=lambda _: self.show(),
            settings=lambda *_: self._place(),
            on_whisper=lambda _, text, seat: self.menu.show_private_notice(text, seat),
            on_refusal=lambda _, text, _seat: self.refuse(text),
            on_by_hand=lambda _, moves: self.undo_flow.show_moves_by_hand(moves),
            on_rolled=lambda _, roll, faces: self.app.stage.show_overlay(
                DiceNotice(roll.dice, faces, self.app.lang)
            ),
            on_missing=lambda _, texts: self._miss(texts),
            on_found=lambda _, texts: self._find(texts),
        )
        controller.ticker.bind(
            **dict.fromkeys(("timed", "clocks", "paused"), lambda *_: self._tell_time()),
            on_ring=lambda _, text: self._ring(text),
        )
        controller.reader_state.bind(**dict.fromkeys(("laid", "waiting"), lambda *_: self._show_readers()))

    def show(self) -> None:
        """Shows the screen for the current view."""
        screen, seen = self.app.stage.screen, self.app.controller.view
        if seen is None:
            self.app.go_home()
        elif isinstance(screen, PlayScreen) and seen.question is not None:
            screen.is_demo = self.app.controller.is_demo
            screen.scene, screen.seen = self.app.evening.scene, seen
        elif not (
            isinstance(screen, ScoreScreen) and screen.result == seen.result and screen.about == self._about()
        ):
            self.app.stage.show_screen(self._screen)
        self._show_reveal(seen)
        self.undo_flow.offer_redo(seen)
        self.menu.show()

    def _place(self) -> None:
        """Applies the position of the screen to the play screen."""
        if isinstance(screen := self.app.stage.screen, PlayScreen):
            ScreenPosition(self.app).apply_to(screen)

    def refuse(self, text: Say) -> None:
        """Shows why something can't be done: near the question, or over the screen."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.show_refusal(text)
        else:
            show_message(text)
        self.relocate_flow.offer_relocation()

    def _ring(self, text: Say) -> None:
        """Shows that a clock is up, with a sound."""
        self.app.sounds.play("up")
        self.app.stage.show_overlay(TimeUpNotice(render(text, self.app.lang)))

    def _tell_time(self) -> None:
        """Updates the clocks; plays a tone when one begins its last ten seconds."""
        screen, time = self.app.stage.screen, self.app.controller.ticker
        ending: set[object] = {(clock.key, clock.seats) for clock in time.clocks if clock.is_ending}
        if ending - self._ending:
            self.app.sounds.play("ending")
        self._ending = ending
        if isinstance(screen, PlayScreen):
            screen.timed, screen.clocks, screen.paused = time.timed, time.clocks, time.paused

    def _show_readers(self) -> None:
        """Shows what lies on the readers."""
        screen, readers = self.app.stage.screen, self.app.controller.reader_state
        if isinstance(screen, PlayScreen):
            screen.show_cards_on_reader(list(readers.laid), int(readers.waiting))

    def _show_reveal(self, seen: View | None) -> None:
        """Shows the reveal if the envelopes of the last question were opened."""
        if self.reveal is not None and (seen is None or seen.n != self._n):
            self.reveal.close()
        if seen is not None and seen.opened is not None and seen.opened.n == self._n:
            self.reveal = RevealScreen(seen, is_flat=ScreenPosition(self.app).placement == "flat")
            self.app.stage.show_overlay(self.reveal)
        self._n = 0 if seen is None else seen.n

    def _miss(self, texts: Sequence[Say]) -> None:
        """Shows which devices can't be used: near the question, or over the screen."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.add_device_warnings(*texts)
        else:
            self._notices |= {text: show_message(text) for text in texts}

    def _find(self, texts: Sequence[Say]) -> None:
        """Removes the messages about devices that work again."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.remove_device_warnings(*texts)
        for text in texts:
            if notice := self._notices.pop(text, None):
                notice.leave()

    def _about(self) -> str:
        """Returns title and date of the past game that is shown; empty if none is."""
        past = self.app.evening.finished_game
        return saved_games.title_and_date(self.app, past) if past else ""

    def _screen(self) -> Widget:
        controller = self.app.controller
        if controller.view.result is not None:
            evening = self.app.evening
            kept = {"is_kept": evening.is_saved, "is_demo": controller.is_demo}
            kept["is_flat"] = ScreenPosition(self.app).placement == "flat"
            score = ScoreScreen(
                controller.view, evening.score_history, evening.thinking_by_seat, about=self._about(), **kept
            )
            score.bind(on_do=lambda _, name: self._do(name))
            return score
        time, readers = controller.ticker, controller.reader_state
        seen, scene = controller.view, self.app.evening.scene
        times = {"timed": time.timed, "clocks": time.clocks, "paused": time.paused}
        play = PlayScreen(seen=seen, scene=scene, is_demo=controller.is_demo, **times)
        ScreenPosition(self.app).apply_to(play)
        play.show_cards_on_reader(list(readers.laid), int(readers.waiting))
        play.bind(
            on_answer=lambda _, n, plain: self._give(controller.answer, n, plain),
            on_draft=lambda _, n, seat, plain: self._give(controller.draft, n, seat, plain),
            on_roll=lambda _, n: self._give(controller.roll, n),
            on_take=lambda _, n: self._give(controller.take_cards, n),
            on_do=lambda _, name: self._do(name),
            on_private=lambda _, seat: self.menu.show_hand(seat),
        )
        return play

    def _give(self, answer: Callable[..., None], *given: Any) -> None:
        """Gives an answer to the controller; in a demo asks whether people want to play instead."""
        if self.app.controller.is_demo:
            self._invite()
        else:
            answer(*given)

    def _invite(self) -> None:
        """Asks whether people want to play the game of the demo."""
        app, game = self.app, self.app.evening.game
        title = render(game.title, app.lang)
        text = app.tr("This demo plays by itself. Would you like to play {game} yourselves?", game=title)
        play = Choice("yes", app.tr("Play {game}", game=title), partial(self._set_up, game.key), "brass")
        open_dialog(app.tr("Demo"), text, Choice("no", app.tr("Keep watching")), play)

    def _set_up(self, game: str) -> None:
        self.app.controller.leave()
        self.app.set_up(game)

    def _do(self, name: str) -> None:
        """Handles a key of the bar; in a demo nothing can be undone or played again."""
        if self.app.controller.is_demo and name in ("undo", "redo", "again"):
            self._invite()
            return
        past = self.app.evening.finished_game
        if past is not None and name in ("shelf", "more"):
            self._do_in_past(name, past)
            return
        match name:
            case "undo" | "redo":
                getattr(self.undo_flow, name)()
            case "bank" | "history" | "score" | "more" | "values":
                self.menu.open(name)
            case "save":
                save_record(self.app)
            case "pause":
                perform(self.app, PAUSE)
            case "go on":
                perform(self.app, GO_ON)
            case "again":
                self._again()
            case "put away":
                self.app.controller.put_away()

    def _again(self) -> None:
        """Begins a new game with the players of this one; another game may be open if this one is past."""
        controller = self.app.controller
        going = (
            controller.read_store(Evening.find_open_game, None) if self.app.evening.finished_game else None
        )
        confirm_new_game(self.app, going, controller.play_again)

    def _do_in_past(self, name: str, past: SavedGame) -> None:
        """Handles a key under the score of a past game."""
        if name == "shelf":
            self.app.controller.leave()
            self._shelving.return_to_past()
        else:
            self._shelving.show_details(past)


# If the saved games can't be reached while people play: the game can continue in another directory.
#
# All accepted answers are written there; an answer that was refused isn't.


class RelocateFlow:
    """Offers to continue the game in another directory, one dialog at a time."""

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._asking: Dialog | None = None

    def offer_relocation(self) -> None:
        """Asks whether to continue elsewhere, if the games can't be saved and there is another place."""
        place = self.app.evening.store.find_other_directory()
        if place is None or (self._asking is not None and self._asking.parent is not None):
            return
        tr = self.app.tr
        text = tr(
            "The companion can't reach the saved games. "
            "This game can continue in {directory}. No answer is lost.",
            directory=str(place),
        )
        move = Choice("yes", tr("Continue there"), partial(self._do, place), "brass")
        self._asking = open_dialog(tr("Continue in another folder?"), text, Choice("no", tr("Not now")), move)

    def _do(self, place: Path) -> None:
        perform(self.app, GO_ON_IN, {"directory": str(place)}, done=self._tell)

    def _tell(self, outcome: ActionOutcome) -> None:
        tr = self.app.tr
        show_message(
            tr(
                "The game continues in {directory}. Next time, start with: companion --state {directory}",
                directory=str(outcome.moved_to),
            )
        )
