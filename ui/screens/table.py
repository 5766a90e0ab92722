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
from ui.pages import DialogChoice, open_dialog, show_message
from ui.screens import saved_games
from ui.screens.actions import perform_with_confirmations
from ui.screens.history import UndoFlow
from ui.screens.notices import DiceNotice, TimeUpNotice
from ui.screens.past_games import PastGamesFlow
from ui.screens.play import PlayScreen
from ui.screens.reveal import RevealScreen
from ui.screens.saved_games import confirm_new_game
from ui.screens.score import ScoreScreen, save_record_as_file
from ui.screens.screen_position import ScreenPosition
from ui.screens.table_menu import TableMenu
from ui.widgets.sheets.dialog import Dialog


class TableFlow:
    """Shows the screen for each view of the open game, and handles what people do there.

    `TableFlow(app, past_games_flow)`, then `bind_controller_events` as soon as the app's evening is open.
    `last_reveal_screen` is the last reveal. From a past game the way leads back to `past_games_flow`.
    """

    def __init__(self, app: AppWithEvening, past_games_flow: PastGamesFlow) -> None:
        self.app = app
        self._shelving = past_games_flow
        self.undo_flow = UndoFlow(app)
        self.menu = TableMenu(app, self.undo_flow, past_games_flow.ask_to_reopen)
        self.storage_relocation_flow = StorageRelocationFlow(app)
        self.last_reveal_screen: RevealScreen | None = None
        self._notices: dict[Say, Dialog] = {}
        self._n = 0
        self._ending: set[object] = set()

    def bind_controller_events(self) -> None:
        """Binds the controller's events to the screens and notices that show them."""
        controller = self.app.controller
        controller.bind(
            on_change=lambda _: self.show_current_screen(),
            settings=lambda *_: self._place(),
            on_whisper=lambda _, text, seat: self.menu.show_private_notice(text, seat),
            on_refusal=lambda _, text, _seat: self.show_refusal(text),
            on_by_hand=lambda _, moves: self.undo_flow.show_moves_by_hand(moves),
            on_rolled=lambda _, roll, faces: self.app.stage.show_overlay(
                DiceNotice(roll.dice, faces, self.app.lang)
            ),
            on_missing=lambda _, texts: self._miss(texts),
            on_found=lambda _, texts: self._find(texts),
        )
        controller.ticker.bind(
            **dict.fromkeys(("has_clocks", "clocks", "are_clocks_paused"), lambda *_: self._tell_time()),
            on_ring=lambda _, text: self._ring(text),
        )
        controller.reader_state.bind(
            **dict.fromkeys(("current_tags", "waiting_tag_count"), lambda *_: self._show_readers())
        )

    def show_current_screen(self) -> None:
        """Shows the screen for the current view."""
        screen, seen = self.app.stage.screen, self.app.controller.view
        if seen is None:
            self.app.show_home()
        elif isinstance(screen, PlayScreen) and seen.question is not None:
            screen.is_demo = self.app.controller.has_recorded_game
            screen.scene_function, screen.view = self.app.evening.scene, seen
        elif not (
            isinstance(screen, ScoreScreen)
            and screen.result == seen.result
            and screen.past_game_title == self._about()
        ):
            self.app.stage.replace_screen(self._screen)
        self._show_reveal(seen)
        self.undo_flow.offer_redo_after_amendment(seen)
        self.menu.update_open_page()

    def _place(self) -> None:
        """Applies the position of the screen to the play screen."""
        if isinstance(screen := self.app.stage.screen, PlayScreen):
            ScreenPosition(self.app).apply_to(screen)

    def show_refusal(self, text: Say) -> None:
        """Shows why something is refused: near the question, or over the screen."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.show_refusal(text)
        else:
            show_message(text)
        self.storage_relocation_flow.offer_other_directory()

    def _ring(self, text: Say) -> None:
        """Shows that a clock is up, with a sound."""
        self.app.sounds.play("up")
        self.app.stage.show_overlay(TimeUpNotice(render(text, self.app.lang)))

    def _tell_time(self) -> None:
        """Updates the clocks; plays a tone when one begins its last ten seconds."""
        screen, time = self.app.stage.screen, self.app.controller.ticker
        ending: set[object] = {(clock.key, clock.seats) for clock in time.clocks if clock.is_in_final_seconds}
        if ending - self._ending:
            self.app.sounds.play("ending")
        self._ending = ending
        if isinstance(screen, PlayScreen):
            screen.has_clocks, screen.clocks, screen.is_paused = (
                time.has_clocks,
                time.clocks,
                time.are_clocks_paused,
            )

    def _show_readers(self) -> None:
        """Shows the cards on the readers."""
        screen, readers = self.app.stage.screen, self.app.controller.reader_state
        if isinstance(screen, PlayScreen):
            screen.show_cards_on_reader(list(readers.current_tags), int(readers.waiting_tag_count))

    def _show_reveal(self, seen: View | None) -> None:
        """Shows the reveal if the envelopes of the last question were opened."""
        if self.last_reveal_screen is not None and (seen is None or seen.question_number != self._n):
            self.last_reveal_screen.close()
        if (
            seen is not None
            and seen.opened_envelopes is not None
            and seen.opened_envelopes.question_number == self._n
        ):
            self.last_reveal_screen = RevealScreen(seen, is_flat=ScreenPosition(self.app).placement == "flat")
            self.app.stage.show_overlay(self.last_reveal_screen)
        self._n = 0 if seen is None else seen.question_number

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
                notice.close()

    def _about(self) -> str:
        """Returns title and date of the past game that is shown; empty if none is."""
        past = self.app.evening.finished_game
        return saved_games.title_and_date(self.app, past) if past else ""

    def _screen(self) -> Widget:
        controller = self.app.controller
        if controller.view.result is not None:
            evening = self.app.evening
            kept = {"is_saved": evening.is_saved, "is_demo": controller.has_recorded_game}
            kept["is_flat"] = ScreenPosition(self.app).placement == "flat"
            score = ScoreScreen(
                controller.view,
                evening.score_history,
                evening.thinking_times,
                past_game_title=self._about(),
                **kept,
            )
            score.bind(on_do=lambda _, name: self._do(name))
            return score
        time, readers = controller.ticker, controller.reader_state
        seen, scene = controller.view, self.app.evening.scene
        times = {"has_clocks": time.has_clocks, "clocks": time.clocks, "is_paused": time.are_clocks_paused}
        play = PlayScreen(view=seen, scene_function=scene, is_demo=controller.has_recorded_game, **times)
        ScreenPosition(self.app).apply_to(play)
        play.show_cards_on_reader(list(readers.current_tags), int(readers.waiting_tag_count))
        play.bind(
            on_answer=lambda _, n, plain: self._give(controller.answer_question, n, plain),
            on_draft=lambda _, n, seat, plain: self._give(controller.seal_answer_in_envelope, n, seat, plain),
            on_roll=lambda _, n: self._give(controller.roll_dice, n),
            on_take=lambda _, n: self._give(controller.answer_with_cards_on_reader, n),
            on_do=lambda _, name: self._do(name),
            on_private=lambda _, seat: self.menu.show_covered_pieces_privately(seat),
        )
        return play

    def _give(self, answer: Callable[..., None], *given: Any) -> None:
        """Gives an answer to the controller; in a demo asks whether people want to play instead."""
        if self.app.controller.has_recorded_game:
            self._invite()
        else:
            answer(*given)

    def _invite(self) -> None:
        """Asks whether people want to play the demo's game."""
        app, game = self.app, self.app.evening.game
        title = render(game.title, app.lang)
        text = app.tr("This demo plays by itself. Would you like to play {game} yourselves?", game=title)
        play = DialogChoice(
            "yes", app.tr("Play {game}", game=title), partial(self._set_up, game.key), "brass"
        )
        open_dialog(app.tr("Demo"), text, DialogChoice("no", app.tr("Keep watching")), play)

    def _set_up(self, game: str) -> None:
        self.app.controller.leave_table()
        self.app.open_game_setup(game)

    def _do(self, name: str) -> None:
        """Handles a key of the bar; in a demo nothing can be undone or played again."""
        if self.app.controller.has_recorded_game and name in ("undo", "redo", "again"):
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
                self.menu.open_menu_page(name)
            case "save":
                save_record_as_file(self.app)
            case "pause":
                perform_with_confirmations(self.app, PAUSE)
            case "go on":
                perform_with_confirmations(self.app, GO_ON)
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
            self.app.controller.leave_table()
            self._shelving.return_to_past_games()
        else:
            self._shelving.show_game_details(past)


# If the saved games can't be reached while people play: the game can continue in another directory.
#
# All accepted answers are written there; an answer that was refused isn't.


class StorageRelocationFlow:
    """Offers to continue in another directory if the games can't be saved.

    Only one dialog is open at a time.
    """

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._asking: Dialog | None = None

    def offer_other_directory(self) -> None:
        """Asks whether to continue in another directory, if the games can't be saved and there is one."""
        place = self.app.evening.store.find_replacement_directory()
        if place is None or (self._asking is not None and self._asking.parent is not None):
            return
        tr = self.app.tr
        text = tr(
            "The companion can't reach the saved games. "
            "This game can continue in {directory}. No answer is lost.",
            directory=str(place),
        )
        move = DialogChoice("yes", tr("Continue there"), partial(self._do, place), "brass")
        self._asking = open_dialog(
            tr("Continue in another folder?"), text, DialogChoice("no", tr("Not now")), move
        )

    def _do(self, place: Path) -> None:
        perform_with_confirmations(self.app, GO_ON_IN, {"directory": str(place)}, on_done=self._tell)

    def _tell(self, outcome: ActionOutcome) -> None:
        tr = self.app.tr
        show_message(
            tr(
                "The game continues in {directory}. Next time, start with: companion --state {directory}",
                directory=str(outcome.moved_to),
            )
        )
