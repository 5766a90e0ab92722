"""One game in a terminal: asks who plays, shows the table and the question, and answers with the typed lines.

An answer is shown only after the session has saved it.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from companion.actions import (
    CONTINUE_IN_DIRECTORY,
    PAY,
    PUT_AWAY,
    ROLL,
    ParameterValues,
    SessionAndStore,
    TableAction,
)
from companion.errors import CompanionError, IllegalAnswer, UserError
from companion.name_matching import find_by_name
from companion.requests import Raise, Request
from companion.rules.game import Game
from companion.scenes import evaluate_scene
from companion.session import typed_payments
from companion.session.session import Session
from companion.session.timekeeper import Timekeeper
from companion.session.upcoming_round import can_open_round, open_round
from companion.session.view import beginning_of_history, list_history_entries, make_view
from companion.store import SavedGame, Store
from companion.table.seats import Seat, make_new_seats
from companion.terminal import commands, table_text
from companion.terminal.answers import (
    asks_app_to_answer,
    is_enter_alone_an_answer,
    is_one_number_per_player,
    parse_round_line,
    parse_typed_answer,
    question_line,
    round_typing_hints,
    typing_hints,
)
from companion.terminal.terminal import ANSI_SEAT_COLOURS, BOLD, DIM, Terminal, name_and_key_by_seat
from companion.texts import say, say_list

TERMINAL_ANSWER_SOURCE = "terminal"


def play_in_terminal(
    session: Session, terminal: Terminal, named_directory: Path | None = None, store: Store | None = None
) -> int:
    """Plays a game in the terminal, and returns the exit status.

    Plays until the game is put away, people quit or the input ends. `named_directory` is the state
    directory that people named; the printed command that continues the game names it too.
    """
    terminal_game = TerminalGame(session, terminal, store)
    try:
        terminal.print_line(say('Type "help" at any time to see what else you can type.'), style=DIM)
        terminal_game.print_last_event()
        while not session.is_put_away:
            terminal_game.handle_input_line()
    except (EOFError, KeyboardInterrupt, commands.QuitTerminal):
        if session.has_clocks:
            session.pause_clocks()
        terminal.print_line()
        named_directory = terminal_game.new_directory or named_directory
        state_arguments = [] if named_directory is None else ["--state", str(named_directory)]
        command = shlex.join(["companion", "play", session.game.key, "--resume", *state_arguments])
        terminal.print_line(say("Saved. To continue, run: {command}", command=command))
    return 0


class TerminalGame:
    """A session that people play at a terminal.

    On a real terminal sealed answers are typed hidden, one player after the other at the same keyboard.
    """

    def __init__(self, session: Session, terminal: Terminal, store: Store | None = None) -> None:
        self.session = session
        self.new_directory: Path | None = None
        self._game = SessionAndStore(session, store)
        self.terminal = terminal
        self._must_print_table = True
        self._printed_question: object = None
        self._printed_table: object = None
        self._printed_kind = ""
        self._called_seat: Seat | None = None
        self._last_line_failed = False
        self._clocks = TerminalClocks(session, terminal)

    def handle_input_line(self) -> None:
        """Waits for one line of input and handles it, unless the clock answers first."""
        try:
            self._ask_and_handle_line()
        except AnsweredByTimeout:
            self.print_last_event()

    def _ask_and_handle_line(self) -> None:
        question = self.session.question
        if question is not None and question.is_sealed:
            self._ask_for_sealed_answer(question)
            return
        if self._must_print_question(
            (self.session.question_number, *(draft.salt for draft in self.session.drafts.values()))
        ):
            self._print_table()
            self._print_question(question)
        line = self.terminal.ask_line(self._format_prompt(question.seats if question else ()))
        if not self._run_if_command_or_payment(line):
            self._try_or_print_error(
                lambda: self._read_answer_or_command(line, partial(self._answer, question))
            )

    def print_last_event(self) -> None:
        """Prints the last answer or correction and its notes; at first, the notes of the beginning."""
        for entry in (list_history_entries(self.session) or beginning_of_history(self.session))[-1:]:
            self.terminal.print_line(entry.text, style=DIM)
            for note in entry.notes:
                self.terminal.print_line(note, style=BOLD)

    # What there is to see

    def _must_print_question(self, question_state: object) -> bool:
        """Returns True if the table or the state of the question has changed, and remembers the state."""
        must_print = self._must_print_table or question_state != self._printed_question
        self._printed_question = question_state
        return must_print

    def _print_table(self, *, always: bool = False) -> None:
        """Prints the table if both the table and the kind of question have changed."""
        table_view = make_view(self.session)
        kind = table_view.question.kind if table_view.question else ""
        table_state = table_view.heading, table_view.holdings
        has_changed = kind != self._printed_kind and table_state != self._printed_table
        if always or self._must_print_table or has_changed:
            scene_view = evaluate_scene(table_view, self.session.scene)
            table_text.print_heading(self.terminal, table_view)
            table_text.print_seats(self.terminal, table_view, scene_view)
            endless = table_text.endless_accounts(self.session)
            table_text.print_table_middle(self.terminal, scene_view, endless)
            self._printed_table = table_state
        self._printed_kind, self._must_print_table = kind, False

    def _print_question(self, question: Request[Any] | None) -> None:
        if self.session.result:
            table_text.print_score(self.terminal, self.session.result)
            table_text.print_note_if_score_provisional(self.terminal, make_view(self.session))
            self.terminal.print_line()
            self.terminal.print_line(
                say('Press Enter to put the game away. You can still type "undo" or "history".')
            )
        if question is not None:
            self.terminal.print_line()
            if isinstance(question, Raise) and question.bids:
                table_text.print_last_bids(self.terminal, question, self.session.table.seats)
            self.terminal.print_line(question_line(question), style=BOLD)
            table_text.print_open_round_answers(
                self.terminal, make_view(self.session), question.parts_by_seat
            )
            for hint in (
                round_typing_hints(question.parts_by_seat)
                if question.parts_by_seat
                else typing_hints(question.form)
            ):
                self.terminal.print_line(say("  {hint}", hint=hint))
            commands.print_redoable_answer_count(self.session, self.terminal)
            self._clocks.print_clocks()

    def _format_prompt(self, seats: Sequence[Seat]) -> str:
        if len(seats) != 1:
            return "> "
        return self.terminal.style_text(f"{seats[0].name}> ", ANSI_SEAT_COLOURS[seats[0].colour])

    # What people type

    def _try_or_print_error(self, attempt: Callable[[], None]) -> bool:
        """Returns True if the attempt succeeded; otherwise prints why not, and nothing has changed."""
        self._last_line_failed = False
        try:
            attempt()
        except CompanionError as error:
            self._last_line_failed = True
            self.terminal.print_error(error.text)
            store = self._game.store
            if store and (directory := store.find_new_directory_if_lost()):
                self._offer_directory(directory)
            return False
        return True

    def _offer_directory(self, directory: Path) -> None:
        """Offers to continue the game in another directory, with all answers so far."""
        question = say(
            "Save this game in {directory} from now on, with all answers so far?", directory=str(directory)
        )
        if self.terminal.ask_for_yes(question) and self._try_or_print_error(
            lambda: self._perform_action(CONTINUE_IN_DIRECTORY, {"directory": str(directory)})
        ):
            self.new_directory = directory

    def _run_if_command_or_payment(self, line: str) -> bool:
        """Runs the command or the payment in a line; returns False if the line is neither."""
        match = commands.find_command(line, self.terminal)
        if match is None:
            return self._pay_if_payment(line)
        command, arguments = match
        self._try_or_print_error(lambda: self._run_command(command, arguments))
        return True

    def _read_answer_or_command(
        self, line: str, answer: Callable[[str], None], *, is_sealed: bool = False
    ) -> None:
        """Answers; a line that is no answer may be a synonym of a command, or a misspelled command.

        The refusal of a sealed answer doesn't name a similar command, because that would show what was typed.
        """
        try:
            answer(line)
        except IllegalAnswer as error:
            if (match := commands.find_command_by_synonym(line, self.terminal)) is not None:
                self._run_command(*match)
                return
            similar_word = None if is_sealed else commands.suggest_command_word(line, self.terminal)
            if similar_word is None:
                raise
            text = "{why} Or did you mean {word}?"
            raise UserError(say(text, why=error.text, word=similar_word)) from error

    def _pay_if_payment(self, line: str) -> bool:
        """Pays if the line is a payment by hand, such as `Aki Ben 37`; returns False if the line is none."""
        payment = typed_payments.parse_payment(self.session, line, "en", self.terminal.language)
        if payment is not None and self._try_or_print_error(lambda: self._perform_action(PAY, payment)):
            self._must_print_table = True
            self.print_last_event()
        return payment is not None

    def _run_command(self, command: commands.TerminalCommand, arguments: str) -> None:
        if command.handle(self._game, self.terminal, arguments):
            self._must_print_table = True

    def _perform_action(self, action: TableAction, parameters: ParameterValues) -> None:
        commands.run_action_with_confirmations(action, self._game, self.terminal, parameters)

    def _answer(self, question: Request[Any] | None, line: str) -> None:
        if question is None and not line:
            self._perform_action(PUT_AWAY, {})
        elif (
            question is None and (match := commands.find_command_by_synonym(line, self.terminal)) is not None
        ):
            self._run_command(*match)
        elif question is None or (not line and not is_enter_alone_an_answer(question.form)):
            self._must_print_table = True
        elif question.parts_by_seat:
            self._answer_open_round(question, line)
        elif self._opens_round(question, line):
            open_round(self.session, TERMINAL_ANSWER_SOURCE)
            self.print_last_event()
            self._answer(self.session.question, line)
        elif asks_app_to_answer(question.form, line, self.terminal.language):
            self._perform_action(ROLL, {"n": self.session.question_number})
            self.print_last_event()
        else:
            with typed_payments.explaining_payment_if_answer_refused(
                self.session, line, "en", self.terminal.language
            ):
                answer = self._parse_answer(question, line)
            if self._confirm_answer(question, answer):
                self.session.answer(self.session.question_number, answer, TERMINAL_ANSWER_SOURCE)
                self.print_last_event()

    def _opens_round(self, question: Request[Any], line: str) -> bool:
        """Returns True if the line is a whole round, typed while the menu can open one."""
        is_row = is_one_number_per_player(line, len(self.session.table.captains_in_game))
        return is_row and can_open_round(self.session.game.typed_numbers_option_key, question)

    def _answer_open_round(self, question: Request[Any], line: str) -> None:
        """Answers an open round: all answers at once, or some; the last missing one completes the round."""
        n = self.session.question_number
        answers = parse_round_line(question.parts_by_seat, line, self.terminal.language)
        if not all(self._confirm_answer(question.parts_by_seat[seat], one) for seat, one in answers.items()):
            return
        if set(answers) == set(question.parts_by_seat):
            answer_by_seat_number = {str(seat.number): answer for seat, answer in answers.items()}
            self.session.answer(n, answer_by_seat_number, TERMINAL_ANSWER_SOURCE)
        else:
            for seat, answer in answers.items():
                self.session.put_answer_in_envelope(n, seat, answer, TERMINAL_ANSWER_SOURCE)
        if self.session.question_number != n:
            self.print_last_event()

    def _parse_answer(self, question: Request[Any], line: str) -> object:
        seat = question.seats[0] if question.seats else None
        return parse_typed_answer(question.form, line, self.terminal.language, seat)

    def _confirm_answer(self, question: Request[Any], answer: object) -> bool:
        """Returns True if people confirm the answer, or if it needs no confirmation."""
        confirmation = question.confirmation_for(question.parse_answer(answer))
        return confirmation is None or self.terminal.ask_for_yes(confirmation)

    # Sealed answers

    def _ask_for_sealed_answer(self, question: Request[Any]) -> None:
        seat = self._next_seat_to_seal(question)
        if self._must_print_question((self.session.question_number, seat, tuple(self.session.drafts))):
            if not self._last_line_failed:
                self.terminal.clear_screen()
            self._print_table(always=self.terminal.is_interactive)
            self.terminal.print_line()
            if self.terminal.is_interactive:
                self.print_last_event()
            table_text.print_envelope_seals(self.terminal, make_view(self.session))
        if not self.terminal.is_interactive or self._hand_over_keyboard(question, seat):
            self._ask_until_sealed(seat, question.parts_by_seat[seat])

    def _next_seat_to_seal(self, question: Request[Any]) -> Seat:
        """Returns the seat that was called by name, else the first whose envelope is open."""
        if self._called_seat is not None and self._called_seat in question.parts_by_seat:
            return self._called_seat
        return next((seat for seat in question.seats if seat not in self.session.drafts), question.seats[0])

    def _hand_over_keyboard(self, question: Request[Any], seat: Seat) -> bool:
        """Returns True once the player has the keyboard; False after a command or the name of another."""
        prompt = say(
            "Pass the keyboard to {seat}. {seat}, press Enter when nobody else is looking: ", seat=seat
        )
        line = self.terminal.ask_line(self.terminal.render(prompt))
        if not line:
            self.terminal.clear_screen()
            return True
        if not self._run_if_command_or_payment(line):
            self._try_or_print_error(
                lambda: self._read_answer_or_command(line, partial(self._call_seat, question), is_sealed=True)
            )
        return False

    def _call_seat(self, question: Request[Any], line: str) -> None:
        matches = find_by_name(line, name_and_key_by_seat(question.seats))
        if len(matches) == 1:
            self._called_seat = matches[0]
        else:
            names = say_list(question.seats)
            self._printed_question = None
            if commands.find_command_by_synonym(line, self.terminal) is None:
                self.terminal.clear_screen()  # a bid typed too early has been seen long enough
            raise IllegalAnswer(say("Press Enter, or type the name of another player: {names}.", names=names))

    def _ask_until_sealed(self, seat: Seat, part: Request[Any]) -> None:
        n = self.session.question_number
        self._print_question(part)
        if self.terminal.is_interactive:
            self.terminal.print_line(say("  what you type is not shown"))
        draft_before = self.session.drafts.get(seat)
        while self.session.drafts.get(seat) is draft_before and self._is_still_asked(n):
            line = self.terminal.ask_hidden_line(self._format_prompt([seat]))
            if not self._run_if_command_or_payment(line):
                self._try_or_print_error(
                    partial(
                        self._read_answer_or_command,
                        line,
                        partial(self._seal_answer, n, seat, part),
                        is_sealed=True,
                    )
                )

    def _is_still_asked(self, n: int) -> bool:
        """Returns True if the question is still open and the table unchanged."""
        return (
            self.session.question_number == n and not self._must_print_table and not self.session.is_put_away
        )

    def _seal_answer(self, n: int, seat: Seat, part: Request[Any], line: str) -> None:
        answer = self._parse_answer(part, line)
        if not self._confirm_answer(part, answer):
            return
        self.session.put_answer_in_envelope(n, seat, answer, TERMINAL_ANSWER_SOURCE)
        self._called_seat = None
        self.terminal.clear_screen()
        if self.session.question_number != n:
            self._print_reveal()
        else:
            self.terminal.print_line(say("{seat}'s answer is sealed.", seat=seat))

    def _print_reveal(self) -> None:
        answered = self.session.rulebook_run.answered_questions[-1]
        table_view = make_view(self.session)
        self.terminal.print_line(say("The envelopes are open:"))
        for seat, part in answered.question.parts_by_seat.items():
            text = part.describe_revealed_answer(answered.answer[seat])
            is_winner = seat in table_view.winners
            line = say("  {told} (won)", told=text) if is_winner else say("  {told}", told=text)
            self.terminal.print_line(line, style=BOLD)
        for note in table_view.notes:
            self.terminal.print_line(note, style=BOLD)


# Clocks are shown with each question, and checked while people think. There is no clock on a pipe, because a
# late line can't be told from a line for the next question.


class AnsweredByTimeout(Exception):
    """Raised when the clock answered the question while somebody was typing."""


class TerminalClocks:
    """Prints the clocks, and lets them answer while the terminal waits for a line."""

    def __init__(self, session: Session, terminal: Terminal) -> None:
        self._session = session
        self._terminal = terminal
        self._timekeeper = Timekeeper(session)
        terminal.before_waiting = self._ring_due_clocks

    def print_clocks(self) -> None:
        """Prints one line with all clocks, and whether they are stopped."""
        clocks = self._timekeeper.clock_states
        if clocks:
            faces = [say("{clock} {face}", clock=clock.label, face=clock.display_text) for clock in clocks]
            self._terminal.print_line(say("  time: {clocks}", clocks=say_list(faces)))
        if clocks and self._session.are_clocks_paused:
            self._terminal.print_line(say("  The clocks are stopped until somebody answers."))

    def _ring_due_clocks(self) -> float | None:
        while ring := self._timekeeper.ring_next_due_clock():
            self._terminal.print_line()
            if not ring.is_silent:
                self._terminal.print_line(ring.text, style=BOLD)
            if ring.gave_default_answer:
                self._terminal.discard_typed_ahead()
                raise AnsweredByTimeout
        return self._timekeeper.seconds_until_next_ring


# Before the game: continue the open game, or enter the players of a new one


QUIT_WORDS_AT_NAME_PROMPT = ("quit", "exit")
"""Words that quit instead of being a player's name."""


def ask_names_or_continue(terminal: Terminal, game: Game, open_game: SavedGame | None) -> list[str]:
    """Asks for the players' names of a new game, unless people want to continue the open game.

    Returns the names in clockwise order, or [] to continue. Raises `UserError` if the input ends before all
    names are known.
    """
    try:
        return _ask_names_or_continue(terminal, game, open_game)
    except EOFError as error:
        raise UserError(say("Name the players in clockwise order, such as --seats Aki,Ben,Chie.")) from error


def _ask_names_or_continue(terminal: Terminal, game: Game, open_game: SavedGame | None) -> list[str]:
    if open_game is not None and open_game.game == game.key and _wants_to_continue(terminal, game, open_game):
        return []
    least, most = game.players
    title = say("{game}: {least} to {most} players", game=game.title, least=least, most=most)
    terminal.print_line(title, style=BOLD)
    terminal.print_line(
        say(
            "Players' names, clockwise, one per line or separated by commas. Press Enter on an "
            "empty line to begin."
        )
    )
    return _ask_names(terminal, game)


def _wants_to_continue(terminal: Terminal, game: Game, open_game: SavedGame) -> bool:
    names = ", ".join(open_game.names)
    terminal.print_line(
        say("A game of {game} is open. Players: {names}.", game=game.title, names=names), style=BOLD
    )
    return not terminal.ask_line(
        terminal.render(say("Press Enter to continue this game, or type n for a new game: "))
    )


def _ask_names(terminal: Terminal, game: Game) -> list[str]:
    """Asks for names until all are allowed and the game can be played with their number."""
    max_players = game.players[1]
    names: list[str] = []
    while len(names) < max_players:
        line = terminal.ask_line(terminal.render(say("Player {number}: ", number=len(names) + 1)))
        if line.lower() in QUIT_WORDS_AT_NAME_PROMPT:
            sys.exit()
        all_names = [*names, *(name.strip() for name in line.split(",") if line)]
        try:
            if not line or len(all_names) > max_players:
                game.check_player_count(all_names)
            names = [seat.name for seat in make_new_seats(all_names)]
        except UserError as error:
            terminal.print_error(error.text)
        else:
            if not line:
                break
    return names
