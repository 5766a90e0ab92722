"""The table: shows the screen for each view of the game, with clocks and readers, and handles its keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion.actions import CONTINUE_IN_DIRECTORY, PAUSE_CLOCKS, REDO, RESUME_CLOCKS, UNDO, ActionOutcome
from companion.evening import Evening
from companion.session.session import Session
from companion.session.view import View
from companion.store import SavedGame
from companion.table.scores import GameResult
from companion.texts import Say, render
from ui.evening.table_sounds import TableSounds
from ui.host import AppWithEvening
from ui.pages import DialogChoice, open_dialog, run_or_explain, show_message
from ui.screens import saved_games
from ui.screens.across_room import AcrossRoomFlow
from ui.screens.actions import perform_with_confirmations
from ui.screens.history import offer_redo, show_moves_by_hand
from ui.screens.past_games import PastGamesFlow
from ui.screens.play import PlayScreen
from ui.screens.reveal import RevealScreen
from ui.screens.saved_games import confirm_new_game
from ui.screens.score import ScoreScreen, save_record_as_file
from ui.screens.settings import ScreenPlacement
from ui.screens.table_menu import TableMenu
from ui.widgets.sheets.overlays import Dialog, DiceNotice, TimeUpNotice


class TableFlow:
    """Shows the screen for each view of the open game, and handles what people do there.

    `TableFlow(app, past_games_flow)`, then `bind_controller_events` as soon as the app's evening is open.
    `last_reveal_screen` is the last reveal. From a past game people go back to the pages of
    `past_games_flow`.
    """

    def __init__(self, app: AppWithEvening, past_games_flow: PastGamesFlow) -> None:
        self.app = app
        self._sounds = TableSounds(app.controller, app.sounds.play)
        self.across_room_flow = AcrossRoomFlow(app)
        self._past_games_flow = past_games_flow
        self.menu = TableMenu(app, past_games_flow.ask_to_reopen, self._show_undone)
        self.storage_relocation_flow = ContinueInOtherDirectoryFlow(app)
        self.last_reveal_screen: RevealScreen | None = None
        self._message_by_text: dict[Say, Dialog] = {}
        self._shown_session: Session | None = None
        self._last_question_number = 0
        self._announced_result: GameResult | None = None
        self._is_redo_possible = False

    def bind_controller_events(self) -> None:
        """Binds the controller's events to the screens and notices that show them."""
        controller = self.app.controller
        controller.bind(
            on_change=lambda _: self.show_current_screen(),
            settings=lambda *_: self._apply_screen_position(),
            on_private_refusal=lambda _, text, seat: self.menu.show_private_notice(text, seat),
            on_refusal=lambda _, text, _seat: self.show_refusal(text),
            on_pieces_to_move_back=lambda _, moves: show_moves_by_hand(self.app, moves),
            on_dice_rolled=lambda _, roll, faces: self.app.stage.show_overlay(
                DiceNotice(roll.dice, faces, self.app.lang)
            ),
            on_devices_missing=lambda _, texts: self._show_missing_devices(texts),
            on_devices_found=lambda _, texts: self._remove_device_messages(texts),
        )
        controller.ticker.bind(
            **dict.fromkeys(("has_clocks", "clocks", "are_clocks_paused"), lambda *_: self._update_clocks()),
            on_ring=lambda _, text: self._show_time_up(text),
        )
        controller.reader_state.bind(
            **dict.fromkeys(("current_tags", "waiting_tag_count"), lambda *_: self._update_readers())
        )
        controller.may_play_next_step = lambda: (
            self.last_reveal_screen is None or self.last_reveal_screen.can_be_closed
        )

    def show_current_screen(self) -> None:
        """Shows the screen for the current view."""
        screen, view = self.app.stage.screen, self.app.controller.view
        shown_session, self._shown_session = self._shown_session, self.app.evening.session
        if isinstance(screen, PlayScreen) and self._shown_session is not shown_session:
            screen.forget_last_view()
        if view is None or view.result is None:
            self._announced_result = None
        if view is None:
            self.app.show_home()
        elif isinstance(screen, PlayScreen) and view.question is not None:
            screen.is_demo = self.app.controller.is_showing_recorded_game
            screen.is_restoring = self.app.controller.is_restoring
            screen.is_round_upcoming = self.app.controller.round_preview.question is not None
            screen.has_menu_behind = self.app.controller.can_return_to_menu
            screen.scene_function, screen.view = self.app.evening.scene, self.app.controller.table_view
        elif not (
            isinstance(screen, ScoreScreen)
            and screen.result == view.result
            and screen.past_game_title == self._past_game_title()
        ):
            self.app.stage.replace_screen(self._make_screen)
        self._show_reveal(view)
        self._offer_redo_if_possible_again(view)
        self.menu.update_open_pages()

    def _offer_redo_if_possible_again(self, view: View | None) -> None:
        """Asks once whether to redo answers that an amendment undid, as soon as some are possible again."""
        redo_count = view.fitting_redo_count if view else 0
        was_possible, self._is_redo_possible = self._is_redo_possible, redo_count > 0
        if self._is_redo_possible and not was_possible:
            offer_redo(self.app, redo_count)

    def _apply_screen_position(self) -> None:
        """Applies the position of the screen to the play screen."""
        if isinstance(screen := self.app.stage.screen, PlayScreen):
            ScreenPlacement(self.app).apply_to(screen)

    def show_refusal(self, text: Say) -> None:
        """Shows why something is refused: near the question, or over the screen."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.show_refusal(text)
        else:
            show_message(text)
        self.storage_relocation_flow.offer_other_directory()

    def _show_time_up(self, text: Say) -> None:
        """Shows that a clock is up."""
        self.app.stage.show_overlay(TimeUpNotice(render(text, self.app.lang)))

    def _update_clocks(self) -> None:
        """Updates the clocks."""
        screen, ticker = self.app.stage.screen, self.app.controller.ticker
        if isinstance(screen, PlayScreen):
            screen.has_clocks, screen.clocks = ticker.has_clocks, ticker.clocks
            screen.is_paused = ticker.are_clocks_paused

    def _update_readers(self) -> None:
        """Shows the cards on the readers."""
        screen, readers = self.app.stage.screen, self.app.controller.reader_state
        if isinstance(screen, PlayScreen):
            screen.show_cards_on_reader(list(readers.current_tags), int(readers.waiting_tag_count))

    def _show_reveal(self, view: View | None) -> None:
        """Shows the reveal if the envelopes of the last question were opened."""
        if self.last_reveal_screen is not None and (
            view is None or view.question_number != self._last_question_number
        ):
            self.last_reveal_screen.close()
        if (
            view is not None
            and view.opened_envelopes is not None
            and view.opened_envelopes.question_number == self._last_question_number
        ):
            self.last_reveal_screen = RevealScreen(
                view, is_flat=ScreenPlacement(self.app).placement == "flat"
            )
            if view.winners:
                self.last_reveal_screen.bind(on_outcome=lambda _: self._sounds.play_soon("gavel"))
            self.app.stage.show_overlay(self.last_reveal_screen)
        self._last_question_number = 0 if view is None else view.question_number

    def _show_missing_devices(self, texts: Sequence[Say]) -> None:
        """Shows which devices can't be used: near the question, or over the screen."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.add_device_warnings(*texts)
        else:
            self._message_by_text |= {text: show_message(text) for text in texts}

    def _remove_device_messages(self, texts: Sequence[Say]) -> None:
        """Removes the messages about devices that work again."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.remove_device_warnings(*texts)
        for text in texts:
            if notice := self._message_by_text.pop(text, None):
                notice.close()

    def _past_game_title(self) -> str:
        """Returns title and date of the past game that is shown; empty if none is."""
        past_game = self.app.evening.finished_game
        return saved_games.title_and_date(self.app, past_game) if past_game else ""

    def _make_screen(self) -> Widget:
        has_result = self.app.controller.view.result is not None
        return self._make_score_screen() if has_result else self._make_play_screen()

    def _make_score_screen(self) -> ScoreScreen:
        controller, evening = self.app.controller, self.app.evening
        placement, past_game_title = ScreenPlacement(self.app), self._past_game_title()
        if not past_game_title:  # who looks at a past game sits where home can be read
            seats = controller.view.seats
            self.app.stage.turn_screen_to_side(placement.side_to_face(seats, evening.last_asked_seats()))
            self.app.stage.side_by_seat = placement.side_by_seat(seats)
        screen = ScoreScreen(
            controller.view,
            evening.scores_after_each_step,
            evening.thinking_times,
            lambda: controller.read_store(Evening.find_new_bests, ()),
            past_game_title=past_game_title,
            is_saved=evening.is_game_saved,
            is_demo=controller.is_showing_recorded_game,
            is_flat=placement.placement == "flat",
        )
        screen.bind(on_icon_press=self._handle_key_of)
        if controller.is_restoring or screen.result == self._announced_result:
            screen.turn_up_all_cards()  # people have seen the ceremony of this result
            self._announced_result = screen.result
        screen.bind(on_announcement=self._announce_winners)
        return screen

    def _announce_winners(self, screen: ScoreScreen) -> None:
        """Plays the fanfare for the winners of a game; a score so far has none."""
        self._announced_result = screen.result
        if screen.view.winners_of_finished_game:
            self._sounds.play_soon("fanfare")

    def _make_play_screen(self) -> PlayScreen:
        controller = self.app.controller
        ticker, readers = controller.ticker, controller.reader_state
        screen = PlayScreen(
            view=controller.table_view,
            is_round_upcoming=controller.round_preview.question is not None,
            has_menu_behind=controller.can_return_to_menu,
            scene_function=self.app.evening.scene,
            is_demo=controller.is_showing_recorded_game,
            has_clocks=ticker.has_clocks,
            clocks=ticker.clocks,
            is_paused=ticker.are_clocks_paused,
            can_pay_from=self.menu.can_pay_from,
        )
        ScreenPlacement(self.app).apply_to(screen)
        screen.show_cards_on_reader(list(readers.current_tags), int(readers.waiting_tag_count))
        screen.bind(
            on_answer=lambda _, n, plain: self._answer_or_invite(controller.answer_question, n, plain),
            on_seat_answer=lambda _, n, seat, plain: self._answer_or_invite(
                controller.seal_answer_in_envelope, n, seat, plain
            ),
            on_roll=lambda _, n: self._answer_or_invite(controller.roll_dice, n),
            on_use_reader_cards=lambda _, n: self._answer_or_invite(
                controller.answer_with_cards_on_reader, n
            ),
            on_icon_press=self._handle_key_of,
            on_menu=lambda _: self._return_to_menu(),
            on_put_back=lambda _, count: perform_with_confirmations(self.app, REDO, {"count": count}),
            on_private=lambda _, seat: self.menu.show_covered_pieces_privately(seat),
            on_pay=lambda _, seat: self._answer_or_invite(self.menu.open_payment_from, seat),
            on_pay_page=lambda _, answer: self._open_pay_page(answer),
            on_drag_between_panels=lambda _, payer, payee: self._answer_or_invite(
                self.menu.ask_amount_between, payer, payee
            ),
        )
        return screen

    def _answer_or_invite(self, answer: Callable[..., None], *arguments: Any) -> None:
        """Calls `answer` of the controller; in a demo asks whether people want to play instead."""
        if self.app.controller.is_showing_recorded_game:
            self._invite_to_play()
        else:
            answer(*arguments)

    def _open_pay_page(self, answer: Callable[[], None]) -> bool:
        """Opens the page for paying, if people can pay at any time; returns whether it did."""
        return not self.app.controller.is_showing_recorded_game and self.menu.try_open_payment(answer)

    def _invite_to_play(self) -> None:
        """Asks whether people want to play the game of the demo themselves."""
        app, game = self.app, self.app.evening.game
        title = render(game.title, app.lang)
        text = app.tr("This demo plays by itself. Would you like to play {game} yourselves?", game=title)
        play = DialogChoice(
            "yes", app.tr("Play {game}", game=title), partial(self._open_set_up, game.key), "brass"
        )
        open_dialog(app.tr("Demo"), text, DialogChoice("no", app.tr("Keep watching")), play)

    def _open_set_up(self, game: str) -> None:
        self.app.controller.leave_table()
        self.app.open_game_setup(game)

    def _handle_key_of(self, screen: Widget, name: str) -> None:
        """Handles a key of a screen, unless a key under another finger has just replaced the screen."""
        if screen is self.app.stage.screen:
            self._handle_key(name)

    def _handle_key(self, name: str) -> None:
        """Handles a key of the bar; in a demo nothing can be undone or played again."""
        if self.app.controller.is_showing_recorded_game and name in ("undo", "redo", "again"):
            self._invite_to_play()
            return
        past_game = self.app.evening.finished_game
        if past_game is not None and name in ("shelf", "more"):
            self._handle_past_game_key(name, past_game)
            return
        match name:
            case "undo":
                self._undo()
            case "redo":
                perform_with_confirmations(self.app, REDO)
            case "bank" | "history" | "score" | "more" | "values":
                self.menu.open_menu_page(name)
            case "save":
                self._save_result()
            case "pause" | "go on":
                perform_with_confirmations(self.app, PAUSE_CLOCKS if name == "pause" else RESUME_CLOCKS)
            case "again":
                self._play_again()
            case "put away":
                self.app.controller.put_away()

    def _undo(self) -> None:
        """Undoes the last step; a game that was ended early continues."""
        if self.app.controller.view.is_score_so_far:
            run_or_explain(self.app.controller.undo_early_end)
        else:
            perform_with_confirmations(self.app, UNDO, on_done=self._show_undone)

    def _return_to_menu(self) -> None:
        """Shows the menu instead of the next round; a round that has begun is undone."""
        if self.app.controller.round_preview.question is not None:
            self.app.controller.show_menu()
        else:
            perform_with_confirmations(self.app, UNDO)

    def _save_result(self) -> None:
        """Saves the record, or a picture of the result with the title of the game and its date."""
        screen, title = self.app.stage.screen, self._past_game_title()
        assert isinstance(screen, ScoreScreen)
        if not title and (saved := self.app.controller.read_store(Evening.find_open_game, None)):
            title = saved_games.title_and_date(self.app, saved)
        save_record_as_file(self.app, partial(screen.make_picture, title))

    def _show_undone(self, outcome: ActionOutcome) -> None:
        if isinstance(screen := self.app.stage.screen, PlayScreen):
            screen.show_undone(outcome.undone_texts)

    def _play_again(self) -> None:
        """Begins a new game with the players of this one; another game may be open if this one is past."""
        controller, open_game = self.app.controller, None
        if self.app.evening.finished_game:
            open_game = controller.read_store(Evening.find_open_game, None)
        confirm_new_game(self.app, open_game, controller.put_away_and_play_again)

    def _handle_past_game_key(self, name: str, past_game: SavedGame) -> None:
        """Handles a key under the score of a past game."""
        if name == "shelf":
            self.app.controller.leave_table()
            self._past_games_flow.return_to_past_games()
        else:
            self._past_games_flow.show_game_details(past_game)


# If the saved games can't be reached during a game, the game can continue in another directory.
#
# All accepted answers are written there. A refused answer isn't.


class ContinueInOtherDirectoryFlow:
    """Dialogs that offer to continue the game in another directory if the games can't be saved.

    Only one dialog is open at a time.
    """

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._dialog: Dialog | None = None

    def offer_other_directory(self) -> None:
        """Asks whether to continue in another directory, if the games can't be saved and there is one."""
        directory = self.app.evening.store.find_new_directory_if_lost()
        if directory is None or (self._dialog is not None and self._dialog.parent is not None):
            return
        tr = self.app.tr
        text = tr(
            "The companion can't reach the saved games. "
            "This game can continue in {directory}. No answer is lost.",
            directory=str(directory),
        )
        move = DialogChoice("yes", tr("Continue there"), partial(self._move_game, directory), "brass")
        self._dialog = open_dialog(
            tr("Continue in another folder?"), text, DialogChoice("no", tr("Not now")), move
        )

    def _move_game(self, directory: Path) -> None:
        perform_with_confirmations(
            self.app, CONTINUE_IN_DIRECTORY, {"directory": str(directory)}, on_done=self._show_directory
        )

    def _show_directory(self, outcome: ActionOutcome) -> None:
        tr = self.app.tr
        show_message(
            tr(
                "The game continues in {directory}. Next time, start with: companion --state {directory}",
                directory=str(outcome.new_directory),
            )
        )
