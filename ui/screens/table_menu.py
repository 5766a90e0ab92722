"""The pages over the table: bank, history, score sheet, players, more, and what one player alone may see.

The pages decide nothing about the game; the evening does. Each page is shown again when the evening changes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.actions import (
    AMEND,
    BACK,
    COME_BACK,
    LEAVE,
    PUT_AWAY,
    RENAME,
    SET_CLOCKS,
    TableAction,
    offered_actions,
)
from companion.errors import CompanionError
from companion.requests import Request
from companion.session.run import AnsweredQuestion
from companion.session.view import Holding, View, make_view
from companion.store import SavedGame
from companion.table.seats import MAX_NAME_LETTERS, Seat
from companion.texts import Labelled, Say, Text, render
from ui import theme
from ui.host import AppWithEvening
from ui.pages import DialogChoice, open_choice_dialog, open_dialog, open_keyboard, open_page
from ui.screens.actions import ask_parameters_and_perform, perform_with_confirmations
from ui.screens.bank import BankFlow
from ui.screens.history import AmendPage, HistoryPage, UndoFlow
from ui.screens.limits import TimeLimitsPage
from ui.screens.players import PlayersDialog
from ui.screens.score_sheet import ScoreSheetFlow
from ui.screens.screen_position import ScreenPosition
from ui.screens.settings import open_language_list, open_settings
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.seats.private_view import PrivateView
from ui.widgets.sheets.overlays import Overlay

ACTIONS_WITH_OWN_PLACE = {
    *("roll", "undo", "redo", "pause", "go_on"),
    *("back", "amend"),  # in the history
    *("correct", "pay"),  # in the bank
    *("rename", "leave", "come_back", "set_clocks", "put_away"),
    *("go_on_in", "reopen"),  # offered when the place of the games is lost, and among past games
}
"""Actions with a place of their own on the screen; others are listed under More."""
MAX_CHOICES_IN_TWO_COLUMNS, MANY_COLUMNS = 8, 3
"""More choices than these are listed in this many columns."""


class TableMenu:
    """The menu of the table, which opens pages over it, such as the bank or the history.

    `open_menu_page("bank")` opens one; `update_open_page` updates the open page. `reopen` asks whether to
    change a past game.
    """

    def __init__(self, app: AppWithEvening, undoing: UndoFlow, reopen: Callable[[SavedGame], None]) -> None:
        self.app = app
        self._undoing = undoing
        self._reopen = reopen
        self._overlay: Overlay | None = None
        self._show: Callable[[], None] = lambda: None

    def open_menu_page(self, page_key: str) -> None:
        """Opens the page with this key.

        Keys are bank, history, score, people, more, and values (the badge).
        """
        pages = {"bank": self._bank, "history": self._history, "score": self._score}
        (pages | {"people": self._people, "more": self._more, "values": self._values})[page_key]()

    def update_open_page(self) -> None:
        """Updates the open page after a change of the game."""
        if self._overlay is not None and self._overlay.parent is not None:
            self._show()

    def _lay(self, page: Widget, show: Callable[[], None]) -> None:
        self._show = show
        show()
        self._overlay = open_page(page)

    def _said(self, text: Labelled | Text) -> str:
        return render(text, self.app.lang)

    def _bank(self) -> None:
        banking, evening = BankFlow(self.app), self.app.evening
        bank = banking.make_page()

        def show() -> None:
            bank.show_purses(
                evening.movable_holdings_by_place(), evening.table.ledger.current_slot_by_place()
            )
            banking.update_pay_page()

        self._lay(bank, show)

    def _score(self) -> None:
        scoring = ScoreSheetFlow(self.app, self._amend_seat)
        sheet = scoring.make_page()
        self._lay(sheet, lambda: sheet.show_grids(scoring.current_grids()))

    # History

    def _history(self) -> None:
        history = HistoryPage(self.app.controller.view.seats)
        history.bind(on_touched=lambda _, at: self._event(at))
        self._lay(history, lambda: history.show_history(self.app.evening.history_entries()))

    def _event(self, at: int) -> None:
        """Asks what to do about an event of the history."""
        tr = self.app.tr
        told = [one for one in self.app.evening.history_entries() if one.at is not None][at]
        answered = self.app.evening.answered_question_of_step(at)
        choices = [DialogChoice("close", tr("Close"))]
        if BACK.is_offered(self.app.evening):
            undo = partial(self._undoing.undo_back_to, at)
            choices.append(DialogChoice("back", tr("Undo this and later answers"), undo))
            if answered is not None:
                amend = partial(self._amend, at, answered)
                choices.append(DialogChoice("amend", tr("Change this answer"), amend, "brass"))
        if (past := self.app.evening.finished_game) is not None:
            choices.append(DialogChoice("reopen", tr("Reopen to change this"), partial(self._reopen, past)))
        open_dialog("", "\n".join(map(self._said, (told.text, *told.notes))), *choices)

    def _amend(self, at: int, answered: AnsweredQuestion) -> None:
        """Opens the page that changes an answer; for a sealed round asks whose answer."""
        question, seen = self._asked_then(at)
        if question is not None and question.is_sealed:
            self._whose(question, seen, answered)
        elif question is not None:
            self._put(AmendPage(question, seen, answered.answer), answered.question_number, None)

    def _amend_seat(self, at: int, seat: Seat) -> None:
        """Shows one seat's part of a sealed round as it was asked then."""
        answered = self.app.evening.answered_question_of_step(at)
        question, seen = self._asked_then(at)
        if answered is not None and question is not None and question.parts_by_seat:
            page = AmendPage(question.parts_by_seat[seat], seen, answered.answer[seat])
            self._put(page, answered.question_number, seat)
        elif answered is not None and question is not None:
            self._put(AmendPage(question, seen, answered.answer), answered.question_number, None)

    def _asked_then(self, at: int) -> tuple[Request[Any] | None, View]:
        """Returns an earlier question and its view; the view has no open question, as that may roll."""
        earlier = self.app.evening.current_session.session_after_steps(at)
        seen = msgspec.structs.replace(make_view(earlier), question=None, envelopes=())
        return earlier.question, seen

    def _whose(self, question: Request[Any], seen: View, answered: AnsweredQuestion) -> None:
        def change(seat: Seat) -> None:
            self._put(
                AmendPage(question.parts_by_seat[seat], seen, answered.answer[seat]),
                answered.question_number,
                seat,
            )

        given = {
            seat: question.parts_by_seat[seat].describe_revealed_answer(answered.answer[seat])
            for seat in question.seats
        }
        choices = [
            DialogChoice(seat.name, self._said(text), partial(change, seat), about=seat)
            for seat, text in given.items()
        ]
        open_choice_dialog(self.app.tr("Whose answer?"), choices)

    def _put(self, page: AmendPage, event: int, seat: Seat | None) -> None:
        def amend(_page: AmendPage, plain: object) -> None:
            given = {"event": event, "answer": plain, **({} if seat is None else {"seat": seat.key})}
            perform_with_confirmations(
                self.app, AMEND, given, show_refusal=refuse, on_done=lambda _: page.close()
            )

        def refuse(error: CompanionError) -> None:
            page.show_refusal(self._said(error.text))

        page.bind(on_answer=amend)
        open_page(page)

    # People

    def _people(self) -> None:
        seated = PlayersDialog(self.app, self.app.controller.view)
        seated.bind(
            on_rename=lambda _, seat: self._rename(seat),
            on_away=lambda _, seat: perform_with_confirmations(self.app, LEAVE, {"seat": seat.key}),
            on_back=lambda _, seat: perform_with_confirmations(self.app, COME_BACK, {"seat": seat.key}),
        )
        self.app.stage.show_overlay(seated)

    def _rename(self, seat: Seat) -> None:
        def take(name: str) -> None:
            perform_with_confirmations(self.app, RENAME, {"seat": seat.key, "name": name})

        heading = self.app.tr("Name of seat {n}", n=seat.number)
        open_keyboard(heading, take, max_letters=MAX_NAME_LETTERS, text=seat.name)

    def _more(self) -> None:
        """Lists rare actions, so that the bar stays thin."""
        tr, controller = self.app.tr, self.app.controller
        sound = tr("Sound off") if self.app.sounds.is_on else tr("Sound on")
        choices = [
            DialogChoice("score", tr("Score sheet"), self._score),
            DialogChoice("people", tr("People"), self._people),
            DialogChoice("limits", tr("Time limits"), self._limits),
            DialogChoice("sides", tr("Screen position"), self._sides),
            DialogChoice("sound", sound, self.app.toggle_sounds),
            # its readers may not know the word: a sign stands before it
            DialogChoice("language", tr("Language"), partial(open_language_list, self.app), icon="language"),
            DialogChoice("settings", tr("Settings"), partial(open_settings, self.app)),
            DialogChoice("home", tr("Home screen"), controller.leave_table),
            DialogChoice("end", tr("End the game here"), self.end_game, "danger"),
            *self._unplaced(),
        ]
        if "bank" in self.app.stage.screen.bar.hidden_icons:
            choices.insert(0, DialogChoice("bank", tr("Bank"), self._bank))
        columns = (
            MANY_COLUMNS
            if len(choices) > MAX_CHOICES_IN_TWO_COLUMNS and not self.app.stage.is_next_page_portrait
            else 2
        )
        open_choice_dialog("", choices, DialogChoice("close", tr("Close"), look="brass"), columns=columns)

    def _unplaced(self) -> list[DialogChoice]:
        """Returns the actions that are offered now and have no place of their own on the screen."""
        actions = [] if self.app.controller.has_recorded_game else offered_actions(self.app.evening)
        return [
            DialogChoice(
                action.key, self._called(action), partial(ask_parameters_and_perform, self.app, action)
            )
            for action in actions
            if action.key not in ACTIONS_WITH_OWN_PLACE
        ]

    def _called(self, action: TableAction) -> str:
        name = action.key if action.command is None else self._said(action.command.word)
        return name.capitalize()

    def _sides(self) -> None:
        ScreenPosition(self.app).open_page_for(
            [(seat.name, seat.colour) for seat in self.app.controller.view.seats]
        )

    def _limits(self) -> None:
        """Opens the page that changes the clocks."""
        playing = self.app.evening.current_session
        page = TimeLimitsPage(playing.clock_settings.text, playing.game.question_kinds)
        page.bind(on_done=lambda _, text: perform_with_confirmations(self.app, SET_CLOCKS, {"clocks": text}))
        open_page(page)

    def end_game(self) -> None:
        """Ends the game, even if it isn't finished, and puts it away."""
        perform_with_confirmations(self.app, PUT_AWAY)

    def _values(self) -> None:
        """Says which printed values are provisional, and offers the cards where they are entered."""
        tr, lang = self.app.tr, self.app.lang
        playing = self.app.evening.current_session
        decks = [name for name, deck in playing.began.decks.items() if deck.provisional]
        title = tr("Some card values are guesses")
        text = tr(
            '{game}: open "Cards & tags" and enter the values printed on your cards. The next game will use '
            "these values.",
            game=render(playing.game.title, lang),
        )

        def enter() -> None:
            self.app.controller.leave_table()
            self.app.open_cards(decks)

        cards = DialogChoice("yes", tr("Cards & tags"), enter, "brass")
        open_dialog(title, text, DialogChoice("no", tr("Close")), cards)

    # For one person's eyes

    def show_covered_pieces_privately(self, seat: Seat) -> None:
        """Shows the covered pieces of a seat to its player alone."""
        title = self.app.tr("Only {name} may look", name=seat.name)
        self._hand(seat, lambda: self._own(seat), title)

    def show_private_notice(self, text: Say, seat: Seat) -> None:
        """Shows a sentence that only one player may read."""
        sentence = self._said(text)
        self._hand(
            seat,
            lambda: FittedLabel(text=sentence, style="question", halign="center", lines=4),
            self.app.tr("That isn't possible. Only {name} may see the reason.", name=seat.name),
        )

    def _hand(self, seat: Seat, look: Callable[[], Widget], title: str) -> None:
        tr = self.app.tr
        hint = tr("Press and hold your cards to see them. Let go to hide them.")
        self.app.stage.show_overlay(
            PrivateView(seat, look, title=title, hint=hint, close_text=tr("Close")), seat
        )

    def _own(self, seat: Seat) -> Widget:
        """Returns the seat's own covered holdings, from its own view."""
        view = self.app.controller.view
        seat = view.seats.seat_numbered(seat.number)  # it may have another name since the cover was laid
        covered = {(one.place, one.piece) for one in view.holdings_of(seat) if one.count is None}
        sheet = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2)
        for one in self.app.evening.view_for(seat).holdings_of(seat):
            if (one.place, one.piece) in covered and (one.count or not one.piece.is_marker):
                add_children(sheet, _counted(one, self.app.lang))
        return sheet


def _counted(one: Holding, lang: str) -> Widget:
    """Returns a row with a large number, its piece and its place."""
    row = BoxLayout(spacing=theme.length.space, size_hint_max_y=theme.length.amount * 1.2)
    text = f"{render(one.piece, lang)} ({render(one.place.name, lang)})"
    number = FittedLabel(text=str(one.count), style="amount", halign="right", size_hint_x=0.6)
    return add_children(row, number, FittedLabel(text=text, style="question", lines=2))
