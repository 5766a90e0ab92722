"""The pages over the table: bank, history, score sheet, players, more, and what one player alone may see.

The pages decide nothing about the game; the evening does. The open page is updated when the game changes.
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
    COME_BACK,
    LEAVE,
    PUT_AWAY,
    RENAME,
    SET_CLOCKS,
    UNDO_TO_STEP,
    ActionOutcome,
    TableAction,
    offered_actions,
)
from companion.errors import CompanionError
from companion.record.record import RecordEntry
from companion.requests import Request
from companion.session.run import AnsweredQuestion
from companion.session.view import View, make_view
from companion.store import SavedGame
from companion.table.seats import MAX_NAME_LETTERS, Seat
from companion.texts import Labelled, Say, Text, render
from ui import theme
from ui.host import AppWithEvening
from ui.pages import DialogChoice, open_choice_dialog, open_dialog, open_keyboard, open_page
from ui.screens.actions import ask_parameters_and_perform, perform_with_confirmations
from ui.screens.bank import BankFlow
from ui.screens.history import AmendPage, HistoryPage
from ui.screens.limits import TimeLimitsPage
from ui.screens.score_sheet import ScoreSheetFlow
from ui.screens.settings import ScreenPlacement, open_language_list, open_settings
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.icon_bar import SOUND_ICONS
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.private_view import PrivateView
from ui.widgets.sheets.overlays import Dialog, Overlay

ACTIONS_WITH_OWN_PLACE = {
    *("roll", "undo", "redo", "pause", "go_on"),
    *("back", "amend"),  # in the history
    *("correct", "pay"),  # in the bank
    *("rename", "leave", "come_back", "set_clocks", "put_away"),
    *("go_on_in", "reopen"),  # offered when the place of the games is lost, and among past games
}
"""Actions with a place of their own on the screen; others are listed under More."""
LEAST_SIZE_HINT = 0.001
"""The size hint of a spacer beside rows or labels, which take all the room that they need first."""
MAX_CHOICES_IN_TWO_COLUMNS, COLUMNS_FOR_MANY_CHOICES = 8, 3
"""More choices than these are listed in this many columns."""


class TableMenu:
    """The menu of the table, which opens pages over it, such as the bank or the history.

    `open_menu_page("bank")` opens a page; `update_open_pages` updates the open ones. `ask_to_reopen` asks
    whether to reopen a past game. `show_undone` shows on the table what was undone.
    """

    def __init__(
        self,
        app: AppWithEvening,
        ask_to_reopen: Callable[[SavedGame], None],
        show_undone: Callable[[ActionOutcome], None],
    ) -> None:
        self.app = app
        self._reopen, self._show_undone_on_table = ask_to_reopen, show_undone
        self._open_pages: list[tuple[Overlay, Callable[[], None]]] = []

    def open_menu_page(self, page_key: str) -> None:
        """Opens the page with this key.

        Keys are bank, history, score, people, more, and values (the badge).
        """
        openers = {
            "bank": self._open_bank,
            "history": self._open_history,
            "score": self._open_score_sheet,
            "people": self._open_players,
            "more": self._open_more,
            "values": self._open_provisional_values,
        }
        openers[page_key]()

    def update_open_pages(self) -> None:
        """Updates the open pages after a change of the game; two fingers can open several at once."""
        for overlay, update in self._open_pages:
            if overlay.parent is not None:
                update()

    def _open_page(self, page: Widget, update: Callable[[], None]) -> None:
        """Opens a page; `update` shows the current state of the game on it."""
        update()
        self._keep_updated(open_page(page), update)

    def _keep_updated(self, overlay: Overlay, update: Callable[[], None]) -> None:
        """Lets `update_open_pages` update a page until it is closed."""
        open_pages = [pair for pair in self._open_pages if pair[0].parent is not None]
        self._open_pages = [*open_pages, (overlay, update)]

    def _render(self, text: Labelled | Text) -> str:
        return render(text, self.app.lang)

    def _open_bank(self) -> None:
        flow, evening = BankFlow(self.app), self.app.evening
        page = flow.make_page()

        def update() -> None:
            page.show_purses(
                evening.movable_holdings_by_place(), evening.table.ledger.current_slot_by_place()
            )
            flow.update_pay_page()

        self._open_page(page, update)

    # Payments that begin at the player panels

    def can_pay_from(self, seat: Seat) -> bool:
        """Returns whether people may pay from a seat to others at any time."""
        return BankFlow(self.app).can_pay_from(seat)

    def open_payment_from(self, seat: Seat) -> None:
        """Opens the page for one payment, with this seat as the payer."""
        flow = BankFlow(self.app)
        self._keep_updated(flow.open_payment_from(seat), flow.update_pay_page)

    def try_open_payment(self, pay_otherwise: Callable[[], object]) -> bool:
        """Opens the page for one payment between anybody, if people may pay at any time.

        A key on the page closes it and calls `pay_otherwise`. Returns whether the page is open.
        """
        flow = BankFlow(self.app)
        if not flow.can_pay:
            return False
        self._keep_updated(flow.open_payment(pay_otherwise), flow.update_pay_page)
        return True

    def ask_amount_between(self, payer: Seat, payee: Seat) -> None:
        """Asks for the amount that one seat pays to another."""
        BankFlow(self.app).ask_amount_between(payer, payee)

    def _open_score_sheet(self) -> None:
        flow = ScoreSheetFlow(self.app, self._amend_seat)
        page = flow.make_page()
        self._open_page(page, lambda: page.show_scores(flow.decided_by_scores(), flow.current_grids()))

    # History

    def _open_history(self) -> None:
        page = HistoryPage(self.app.controller.view.seats, self._ask_about_event)
        self._open_page(page, lambda: page.show_history(self.app.evening.history_entries()))

    def _ask_about_event(self, step_index: int) -> None:
        """Asks what to do about an event of the history, until the event changes."""
        tr = self.app.tr
        entry = self._entries_of_steps()[step_index]
        answered = self.app.evening.answered_question_of_step(step_index)
        choices = [DialogChoice("close", tr("Close"))]
        if UNDO_TO_STEP.is_offered(self.app.evening):
            undo = partial(
                perform_with_confirmations,
                self.app,
                UNDO_TO_STEP,
                {"kept": step_index},
                on_done=self._show_undone,
            )
            choices.append(DialogChoice("back", tr("Undo this and later answers"), undo))
            if answered is not None:
                amend = partial(self._amend, step_index, answered)
                choices.append(DialogChoice("amend", tr("Change this answer"), amend, "brass"))
        if (past_game := self.app.evening.finished_game) is not None:
            reopen = partial(self._reopen, past_game)
            choices.append(DialogChoice("reopen", tr("Reopen to change this"), reopen))
        dialog = open_dialog("", "\n".join(map(self._render, (entry.text, *entry.notes))), *choices)

        def close_if_changed() -> None:
            if self._entries_of_steps()[step_index : step_index + 1] != [entry]:
                dialog.close()

        self._keep_updated(dialog, close_if_changed)

    def _entries_of_steps(self) -> list[RecordEntry]:
        """Returns the entries of the history that people can touch: one for each step."""
        return [entry for entry in self.app.evening.history_entries() if entry.played_seconds is not None]

    def _show_undone(self, outcome: ActionOutcome) -> None:
        """Closes the open pages, so that people see on the table what was undone, and can put it back."""
        for overlay, _ in self._open_pages:
            overlay.close()
        self._show_undone_on_table(outcome)

    def _amend(self, step_index: int, answered: AnsweredQuestion) -> None:
        """Opens the page that changes an answer; for a sealed round asks whose answer."""
        question, view = self._earlier_question_and_view(step_index)
        if question is not None and question.is_sealed:
            self._ask_whose_answer(question, view, answered)
        elif question is not None:
            self._open_amend_page(AmendPage(question, view, answered.answer), answered.question_number, None)

    def _amend_seat(self, step_index: int, seat: Seat) -> None:
        """Opens the page that changes one seat's answer; in a sealed round the seat's part is asked again."""
        answered = self.app.evening.answered_question_of_step(step_index)
        question, view = self._earlier_question_and_view(step_index)
        if answered is None or question is None:
            return
        if question.parts_by_seat:
            self._amend_part(question, view, answered, seat)
        else:
            self._open_amend_page(AmendPage(question, view, answered.answer), answered.question_number, None)

    def _amend_part(self, question: Request[Any], view: View, answered: AnsweredQuestion, seat: Seat) -> None:
        """Opens the page that changes one seat's part of a sealed round."""
        page = AmendPage(question.parts_by_seat[seat], view, answered.answer[seat])
        self._open_amend_page(page, answered.question_number, seat)

    def _earlier_question_and_view(self, step_index: int) -> tuple[Request[Any] | None, View]:
        """Returns an earlier question and its view.

        The view has no open question, as a widget for that question may roll dice.
        """
        earlier = self.app.evening.current_session.session_after_steps(step_index)
        view = msgspec.structs.replace(make_view(earlier), question=None, envelopes=())
        return earlier.question, view

    def _ask_whose_answer(self, question: Request[Any], view: View, answered: AnsweredQuestion) -> None:
        answer_texts = {
            seat: question.parts_by_seat[seat].describe_revealed_answer(answered.answer[seat])
            for seat in question.seats
        }
        amend_part = partial(self._amend_part, question, view, answered)
        choices = [
            DialogChoice(seat.name, self._render(text), partial(amend_part, seat), subject=seat)
            for seat, text in answer_texts.items()
        ]
        open_choice_dialog(self.app.tr("Whose answer?"), choices)

    def _open_amend_page(self, page: AmendPage, event: int, seat: Seat | None) -> None:
        """Opens a page that amends the answer to question number `event`.

        `seat` is the seat whose answer it is, in a sealed round.
        """

        def amend(_page: AmendPage, plain: object) -> None:
            values = {"event": event, "answer": plain, **({} if seat is None else {"seat": seat.key})}
            perform_with_confirmations(
                self.app, AMEND, values, show_refusal=show_refusal, on_done=lambda _: page.close()
            )

        def show_refusal(error: CompanionError) -> None:
            page.show_refusal(self._render(error.text))

        page.bind(on_answer=amend)
        open_page(page)

    # Players

    def _open_players(self) -> None:
        dialog = PlayersDialog(
            self.app,
            self.app.controller.view,
            rename=self._ask_new_name,
            leave=lambda seat: perform_with_confirmations(self.app, LEAVE, {"seat": seat.key}),
            come_back=lambda seat: perform_with_confirmations(self.app, COME_BACK, {"seat": seat.key}),
        )
        self.app.stage.show_overlay(dialog)

    def _ask_new_name(self, seat: Seat) -> None:
        def rename(name: str) -> None:
            perform_with_confirmations(self.app, RENAME, {"seat": seat.key, "name": name})

        heading = self.app.tr("Name of seat {n}", n=seat.number)
        open_keyboard(heading, rename, max_letters=MAX_NAME_LETTERS, text=seat.name)

    def _open_more(self) -> None:
        """Lists rare actions, so that the bar stays thin."""
        tr, controller = self.app.tr, self.app.controller
        choices = [
            DialogChoice("score", tr("Score sheet"), self._open_score_sheet),
            DialogChoice("people", tr("People"), self._open_players),
            DialogChoice("phones", tr("Phones"), self._open_phones),
            DialogChoice("limits", tr("Time limits"), self._open_time_limits),
            DialogChoice("sides", tr("Screen position"), self._open_screen_position),
            # People who need this key may not know the word, so the key has an icon.
            DialogChoice("language", tr("Language"), partial(open_language_list, self.app), icon="language"),
            DialogChoice("settings", tr("Settings"), partial(open_settings, self.app)),
            DialogChoice("home", tr("Home screen"), controller.leave_table),
            DialogChoice("end", tr("End the game here"), self.end_and_put_away_game, "danger"),
            *self._choices_without_own_place(),
        ]
        hidden_icons = self.app.stage.screen.bar.hidden_icons
        if "bank" in hidden_icons:
            choices.insert(0, DialogChoice("bank", tr("Bank"), self._open_bank))
        if not {*SOUND_ICONS}.isdisjoint(hidden_icons):
            sound = tr("Sound off") if self.app.is_sound_on else tr("Sound on")
            choices.insert(0, DialogChoice("sound", sound, self.app.toggle_sounds))
        columns = (
            COLUMNS_FOR_MANY_CHOICES
            if len(choices) > MAX_CHOICES_IN_TWO_COLUMNS and not self.app.stage.is_next_page_portrait
            else 2
        )
        open_choice_dialog("", choices, DialogChoice("close", tr("Close"), look="brass"), columns=columns)

    def _choices_without_own_place(self) -> list[DialogChoice]:
        """Returns the actions that are offered now and have no place of their own on the screen."""
        actions = [] if self.app.controller.is_showing_recorded_game else offered_actions(self.app.evening)
        return [
            DialogChoice(
                action.key, self._action_title(action), partial(ask_parameters_and_perform, self.app, action)
            )
            for action in actions
            if action.key not in ACTIONS_WITH_OWN_PLACE
        ]

    def _action_title(self, action: TableAction) -> str:
        name = action.key if action.command is None else self._render(action.command.word)
        return name.capitalize()

    def _open_phones(self) -> None:
        from ui.screens.phones import open_phones  # not before: it would delay the first frame

        open_phones(self.app, self.app.controller.view.seats)

    def _open_screen_position(self) -> None:
        ScreenPlacement(self.app).open_page_for(
            [(seat.name, seat.colour) for seat in self.app.controller.view.seats]
        )

    def _open_time_limits(self) -> None:
        """Opens the page that changes the clocks."""
        session = self.app.evening.current_session
        open_page(
            TimeLimitsPage(
                session.clock_settings.as_text,
                session.game.question_kinds,
                lambda text: perform_with_confirmations(self.app, SET_CLOCKS, {"clocks": text}),
            )
        )

    def end_and_put_away_game(self) -> None:
        """Ends the game, even if it isn't finished, and puts it away."""
        perform_with_confirmations(self.app, PUT_AWAY)

    def _open_provisional_values(self) -> None:
        """Says that some printed values are provisional, and offers the page where people enter them."""
        tr, lang = self.app.tr, self.app.lang
        session = self.app.evening.current_session
        decks = [name for name, deck in session.began.decks.items() if deck.provisional]
        title = tr("Some card values are guesses")
        text = tr(
            '{game}: open "Cards & tags" and enter the values printed on your cards. The next game will use '
            "these values.",
            game=render(session.game.title, lang),
        )

        def open_cards() -> None:
            self.app.controller.leave_table()
            self.app.open_cards(decks)

        cards = DialogChoice("yes", tr("Cards & tags"), open_cards, "brass")
        open_dialog(title, text, DialogChoice("no", tr("Close")), cards)

    # Private views

    def show_covered_pieces_privately(self, seat: Seat) -> None:
        """Shows the covered pieces of a seat to its player alone."""
        title = self.app.tr("Only {name} may look", name=seat.name)
        self._open_private_view(seat, lambda: self._make_covered_sheet(seat), title)

    def show_private_notice(self, text: Say, seat: Seat) -> None:
        """Shows a sentence that only one player may read."""
        sentence = self._render(text)
        self._open_private_view(
            seat,
            lambda: FittedLabel(text=sentence, style="question", halign="center", lines=4),
            self.app.tr("That isn't possible. Only {name} may see the reason.", name=seat.name),
        )

    def _open_private_view(self, seat: Seat, make_content: Callable[[], Widget], title: str) -> None:
        tr = self.app.tr
        hint = tr("Press and hold your cards to see them. Let go to hide them.")
        self.app.stage.show_overlay(
            PrivateView(seat, make_content, title=title, hint=hint, close_text=tr("Close")), seat
        )

    def _make_covered_sheet(self, seat: Seat) -> Widget:
        """Returns a sheet with the seat's covered holdings, from its own view."""
        view = self.app.controller.view
        seat = view.seats.seat_numbered(seat.number)  # its name may have changed since the view was opened
        covered = {
            (holding.place, holding.piece) for holding in view.holdings_of(seat) if holding.count is None
        }
        rows = [_make_owner_row(seat)]
        for holding in self.app.evening.view_for(seat).holdings_of(seat):
            is_covered = (holding.place, holding.piece) in covered
            if is_covered and (holding.count or not holding.piece.is_marker):
                place_text = self.app.tr("your {place}", place=self._render(holding.place.name))
                amount = self._render(holding.piece.quantity_text(holding.count or 0))
                rows.append(_make_holding_row(place_text, amount))
        sheet = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2)
        return add_children(sheet, _make_spacer(), *rows, _make_spacer())


def _make_owner_row(seat: Seat) -> Widget:
    """Returns a row that says whose private view it is."""
    row = BoxLayout(spacing=theme.length.gap, size_hint_max_y=theme.length.row)
    token = PlayerToken(colour=seat.colour, size_hint_x=None, width=theme.length.token)
    name = FittedLabel(text=seat.name, style="question", lines=2, line_height=1.0)
    return add_children(row, _make_spacer(), token, _no_wider_than_its_text(name), _make_spacer())


def _make_holding_row(place_text: str, amount: str) -> Widget:
    """Returns a row with a place and a large amount there, such as `your purse` and `$2000`."""
    row = BoxLayout(spacing=theme.length.space, size_hint_max_y=theme.length.amount * 1.2)
    number = FittedLabel(text=amount, style="amount", lines=2, line_height=1.0)
    place = FittedLabel(text=place_text, style="question", lines=2)
    labels = map(_no_wider_than_its_text, (place, number))
    return add_children(row, _make_spacer(), *labels, _make_spacer())


def _make_spacer() -> Widget:
    """Returns an empty widget that takes only what the others leave: what is between two is in the middle."""
    return Widget(size_hint=(LEAST_SIZE_HINT, LEAST_SIZE_HINT))


def _no_wider_than_its_text(label: FittedLabel) -> FittedLabel:
    label.size_hint_max_x = label.one_line_width() + theme.length.gap
    return label


# The dialog of the players


class PlayersDialog(Dialog):
    """A dialog to rename players, and to mark who leaves or comes back: a row for each seat.

    The dialog closes before it calls one of the functions, with the seat.
    """

    width_share, height_share = 0.94, 0.98

    def __init__(
        self,
        app: AppWithEvening,
        view: View,
        *,
        rename: Callable[[Seat], object],
        leave: Callable[[Seat], object],
        come_back: Callable[[Seat], object],
    ) -> None:
        self._rename, self._leave, self._come_back = rename, leave, come_back
        self.app, self.view = app, view
        is_one_page = len(view.seats) <= MAX_FULL_DETAIL_PANELS
        super().__init__(
            body=self._make_column() if is_one_page else self._make_pager(),
            answers=[("close", app.tr("Close"), "brass")],
        )

    def _make_column(self) -> Widget:
        rows = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2)
        return add_children(rows, *map(self._make_row, self.view.seats))

    def _make_pager(self) -> Widget:
        columns, rows = (1, self._count_upright_rows()) if self.app.stage.is_next_page_portrait else (2, 4)
        return Pager(
            items=list(self.view.seats),
            make=self._make_row,
            cols=columns,
            rows=rows,
            look="paper",
            between=theme.length.gap / 2,
            spacing=theme.length.gap / 2,
        )

    def _count_upright_rows(self) -> int:
        """Returns how many rows fit on an upright screen, above the keys."""
        sizes = theme.length
        keys_height = sizes.row + sizes.target + 2 * sizes.margin + 2 * sizes.space
        available_height = self.app.stage.next_page_size[1] * self.height_share - keys_height
        return int(available_height / (sizes.target + sizes.gap / 2))

    def _make_row(self, seat: Seat) -> BoxLayout:
        tr, sizes = self.app.tr, theme.length
        row = BoxLayout(spacing=sizes.gap, size_hint_max_y=sizes.row)
        token = PlayerToken(colour=seat.colour, size_hint_x=None, width=sizes.token)
        name = Key(text=seat.name, name=f"rename {seat.name}", icon="pen", lines=2, abbreviates=True)
        self.bind_closing_keys([name], lambda _: self._rename(seat))
        is_away = seat in self.view.absent_seats
        change, text = ("back", tr("Is back")) if is_away else ("away", tr("Has left"))
        presence = Key(text=text, name=f"{change} {seat.name}", size_hint_x=0.45)
        self.bind_closing_keys([presence], lambda _: (self._come_back if is_away else self._leave)(seat))
        return add_children(row, token, name, presence)
