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

from companion.actions import GO_ON_IN, PAY, PUT_AWAY, ROLL, ParameterValues, SessionAndStore, TableAction
from companion.errors import CompanionError, IllegalAnswer, UserError
from companion.name_matching import find_by_name
from companion.requests import Raise, Request
from companion.rules.game import Game
from companion.scenes.evaluate import evaluate_scene
from companion.session import typed_payments
from companion.session.session import Session
from companion.session.timekeeper import Timekeeper
from companion.session.view import history_in_force, make_view
from companion.store import SavedGame, Store
from companion.table.seats import Seat, make_new_seats
from companion.terminal import commands, table_text
from companion.terminal.answers import (
    asks_app_to_answer,
    can_open_round,
    is_enter_alone_an_answer,
    is_one_number_per_player,
    parse_round_line,
    parse_typed_answer,
    question_line,
    round_typing_hints,
    typing_hints,
)
from companion.terminal.terminal import ANSI_SEAT_COLOURS, BOLD, DIM, Terminal, typeable_names_by_seat
from companion.texts import say, say_list

TERMINAL_INPUT = "terminal"


def play_in_terminal(
    session: Session, terminal: Terminal, named_directory: Path | None = None, store: Store | None = None
) -> int:
    """Plays a game in the terminal, and returns the exit status.

    Plays until the game is put away, people quit or the input ends. `named_directory` is the state
    directory that people named; the printed command that continues the game names it too.
    """
    match = TerminalGame(session, terminal, store)
    try:
        terminal.print_line(say('Type "help" at any time to see what else you can type.'), style=DIM)
        match.print_last_event()
        while not session.is_put_away:
            match.handle_input_line()
    except (EOFError, KeyboardInterrupt, commands.QuitTerminal):
        if session.clock_settings:
            session.pause_clocks()
        terminal.print_line()
        named_directory = match.new_directory or named_directory
        kept = [] if named_directory is None else ["--state", str(named_directory)]
        command = shlex.join(["companion", "play", session.game.key, "--resume", *kept])
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
        """Waits for one line of input and handles it.

        If the clock answers first, no line is handled.
        """
        try:
            self._turn()
        except AnsweredByTimeout:
            self.print_last_event()

    def _turn(self) -> None:
        question = self.session.question
        if question is not None and question.is_sealed:
            self._fill_envelope(question)
            return
        if self._is_news(
            (self.session.question_number, *(draft.salt for draft in self.session.drafts.values()))
        ):
            self._print_table()
            self._print_question(question)
        line = self.terminal.ask_line(self._prompt(question.seats if question else ()))
        if not self._run_command_line(line):
            self._attempt(lambda: self._read_answer_or_command(line, partial(self._answer, question)))

    def print_last_event(self) -> None:
        """Prints the last answer or correction and its notes."""
        for last in history_in_force(self.session)[-1:]:
            self.terminal.print_line(last.text, style=DIM)
            for note in last.notes:
                self.terminal.print_line(note, style=BOLD)

    # What there is to see

    def _is_news(self, asked: object) -> bool:
        news = self._must_print_table or asked != self._printed_question
        self._printed_question = asked
        return news

    def _print_table(self, *, always: bool = False) -> None:
        """Prints the table if it has changed and the kind of question is another one."""
        seen = make_view(self.session)
        kind = seen.question.kind if seen.question else ""
        now = seen.heading, seen.holdings
        if always or self._must_print_table or (kind != self._printed_kind and now != self._printed_table):
            laid = evaluate_scene(seen, self.session.scene)
            table_text.print_heading(self.terminal, seen)
            table_text.print_seats(self.terminal, seen, laid)
            table_text.print_table_middle(self.terminal, laid, table_text.endless_accounts(self.session))
            self._printed_table = now
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

    def _prompt(self, seats: Sequence[Seat]) -> str:
        if len(seats) != 1:
            return "> "
        return self.terminal.style_text(f"{seats[0].name}> ", ANSI_SEAT_COLOURS[seats[0].colour])

    # What people type

    def _attempt(self, do: Callable[[], None]) -> bool:
        """Returns True if it could be done; otherwise prints why not, and nothing has changed."""
        self._last_line_failed = False
        try:
            do()
        except CompanionError as error:
            self._last_line_failed = True
            self.terminal.print_error(error.text)
            store = self._game.store
            if store and (place := store.find_replacement_directory()):
                self._offer_directory(place)
        return not self._last_line_failed

    def _offer_directory(self, place: Path) -> None:
        """Offers to continue the game in another directory, with all answers so far."""
        question = say(
            "Save this game in {directory} from now on, with all answers so far?", directory=str(place)
        )
        if self.terminal.ask_yes_or_no(question) and self._attempt(
            lambda: self._perform_action(GO_ON_IN, {"directory": str(place)})
        ):
            self.new_directory = place

    def _run_command_line(self, line: str) -> bool:
        """Runs the command or payment that a line is; returns False if it is neither."""
        found = commands.find_command(line, self.terminal)
        if found is None:
            return self._read_payment(line)
        command, rest = found
        self._attempt(lambda: self._run_command(command, rest))
        return True

    def _read_answer_or_command(
        self, line: str, answer: Callable[[str], None], *, is_sealed: bool = False
    ) -> None:
        """Answers; a line that is no answer may be a synonym of a command, or a misspelled one.

        A refusal of a sealed answer doesn't name a similar command, because that would show what was typed.
        """
        try:
            answer(line)
        except IllegalAnswer as error:
            if (found := commands.find_command_by_synonym(line, self.terminal)) is not None:
                self._run_command(*found)
            elif not is_sealed and (near := commands.suggest_command_word(line, self.terminal)) is not None:
                text = "{why} Or did you mean {word}?"
                raise UserError(say(text, why=error.text, word=near)) from error
            else:
                raise

    def _read_payment(self, line: str) -> bool:
        """Pays if the line is a payment by hand, such as `Aki Ben 37`; returns False if it isn't."""
        payment = typed_payments.parse_payment(self.session, line, "en", self.terminal.language)
        if payment is not None and self._attempt(lambda: self._perform_action(PAY, payment)):
            self._must_print_table = True
            self.print_last_event()
        return payment is not None

    def _run_command(self, command: commands.TerminalCommand, rest: str) -> None:
        self._must_print_table = command.handle(self._game, self.terminal, rest) or self._must_print_table

    def _perform_action(self, action: TableAction, given: ParameterValues) -> None:
        commands.run_action_with_confirmations(action, self._game, self.terminal, given)

    def _answer(self, question: Request[Any] | None, line: str) -> None:
        if question is None and not line:
            self._perform_action(PUT_AWAY, {})
        elif (
            question is None and (found := commands.find_command_by_synonym(line, self.terminal)) is not None
        ):
            self._run_command(*found)
        elif question is None or (not line and not is_enter_alone_an_answer(question.form)):
            self._must_print_table = True
        elif question.parts_by_seat:
            self._enter(question, line)
        elif self._opens_round(question, line):
            self.session.answer(
                self.session.question_number, self.session.game.typed_row_option, TERMINAL_INPUT
            )
            self.print_last_event()
            self._answer(self.session.question, line)
        elif asks_app_to_answer(question.form, line, self.terminal.language):
            self._perform_action(ROLL, {"n": self.session.question_number})
            self.print_last_event()
        else:
            with typed_payments.explaining_payment_errors(self.session, line, "en", self.terminal.language):
                answer = self._read(question, line)
            if self._is_sure(question, answer):
                self.session.answer(self.session.question_number, answer, TERMINAL_INPUT)
                self.print_last_event()

    def _opens_round(self, question: Request[Any], line: str) -> bool:
        """Returns True if the line is a whole round, typed while the menu can open one."""
        is_row = is_one_number_per_player(line, len(self.session.table.paying_seats))
        return is_row and can_open_round(self.session.game.typed_row_option, question)

    def _enter(self, question: Request[Any], line: str) -> None:
        """Answers an open round: all at once, or some answers, of which the last one completes the round."""
        n, answers = (
            self.session.question_number,
            parse_round_line(question.parts_by_seat, line, self.terminal.language),
        )
        if set(answers) == set(question.parts_by_seat):
            self.session.answer(n, {str(seat.number): each for seat, each in answers.items()}, TERMINAL_INPUT)
        else:
            for seat, each in answers.items():
                self.session.put_answer_in_envelope(n, seat, each, TERMINAL_INPUT)
        if self.session.question_number != n:
            self.print_last_event()

    def _read(self, question: Request[Any], line: str) -> object:
        seat = question.seats[0] if question.seats else None
        return parse_typed_answer(question.form, line, self.terminal.language, seat)

    def _is_sure(self, question: Request[Any], answer: object) -> bool:
        """Returns True if people confirm the answer, or it needs no confirmation."""
        doubt = question.confirmation_for(question.parse_answer(answer))
        return doubt is None or self.terminal.ask_yes_or_no(doubt)

    # Sealed answers

    def _fill_envelope(self, question: Request[Any]) -> None:
        seat = self._next_to_seal(question)
        if self._is_news((self.session.question_number, seat, tuple(self.session.drafts))):
            if not self._last_line_failed:
                self.terminal.clear_screen()
            self._print_table(always=self.terminal.is_interactive)
            self.terminal.print_line()
            if self.terminal.is_interactive:
                self.print_last_event()
            table_text.print_envelopes(self.terminal, make_view(self.session))
        if not self.terminal.is_interactive or self._hand_over_keyboard(question, seat):
            self._ask_sealed_answer(seat, question.parts_by_seat[seat])

    def _next_to_seal(self, question: Request[Any]) -> Seat:
        """Returns the seat that was called by name, else the first whose envelope is open."""
        if self._called_seat is not None and self._called_seat in question.parts_by_seat:
            return self._called_seat
        return next((seat for seat in question.seats if seat not in self.session.drafts), question.seats[0])

    def _hand_over_keyboard(self, question: Request[Any], seat: Seat) -> bool:
        """Returns True once that player has the keyboard; False after a command or another name."""
        cover = say(
            "Pass the keyboard to {seat}. {seat}, press Enter when nobody else is looking: ", seat=seat
        )
        line = self.terminal.ask_line(self.terminal.render(cover))
        if not line:
            self.terminal.clear_screen()
            return True
        if not self._run_command_line(line):
            self._attempt(
                lambda: self._read_answer_or_command(line, partial(self._call_seat, question), is_sealed=True)
            )
        return False

    def _call_seat(self, question: Request[Any], line: str) -> None:
        found = find_by_name(line, typeable_names_by_seat(question.seats))
        if len(found) == 1:
            self._called_seat = found[0]
        else:
            names = say_list(question.seats)
            self._printed_question = None
            if commands.find_command_by_synonym(line, self.terminal) is None:
                self.terminal.clear_screen()  # a bid typed too early has been seen long enough
            raise IllegalAnswer(say("Press Enter, or type the name of another player: {names}.", names=names))

    def _ask_sealed_answer(self, seat: Seat, part: Request[Any]) -> None:
        n = self.session.question_number
        self._print_question(part)
        if self.terminal.is_interactive:
            self.terminal.print_line(say("  what you type is not shown"))
        before = self.session.drafts.get(seat)
        while self.session.drafts.get(seat) is before and self._is_asked(n):
            line = self.terminal.ask_hidden_line(self._prompt([seat]))
            if not self._run_command_line(line):
                self._attempt(
                    partial(
                        self._read_answer_or_command,
                        line,
                        partial(self._draft, n, seat, part),
                        is_sealed=True,
                    )
                )

    def _is_asked(self, n: int) -> bool:
        """Returns True if this question is still open on this table."""
        return (
            self.session.question_number == n and not self._must_print_table and not self.session.is_put_away
        )

    def _draft(self, n: int, seat: Seat, part: Request[Any], line: str) -> None:
        answer = self._read(part, line)
        if not self._is_sure(part, answer):
            return
        self.session.put_answer_in_envelope(n, seat, answer, TERMINAL_INPUT)
        self._called_seat = None
        self.terminal.clear_screen()
        if self.session.question_number != n:
            self._reveal()
        else:
            self.terminal.print_line(say("{seat}'s answer is sealed.", seat=seat))

    def _reveal(self) -> None:
        opened = self.session.run.answered_questions[-1]
        seen = make_view(self.session)
        self.terminal.print_line(say("The envelopes are open:"))
        for seat, part in opened.question.parts_by_seat.items():
            told = part.describe_revealed_answer(opened.answer[seat])
            won = say("  {told} (won)", told=told)
            self.terminal.print_line(won if seat in seen.winners else say("  {told}", told=told), style=BOLD)
        for note in seen.notes:
            self.terminal.print_line(note, style=BOLD)


# Clocks: shown with each question, and checked while people think. There is no clock on a pipe, because a
# line that comes late can't be told from one for the next question.


class AnsweredByTimeout(Exception):
    """Raised when the clock answered the question while somebody was typing."""


class TerminalClocks:
    """Prints the clocks, and lets them answer while the terminal waits for a line."""

    def __init__(self, session: Session, terminal: Terminal) -> None:
        self._session = session
        self._terminal = terminal
        self._timekeeper = Timekeeper(session)
        terminal.before_waiting = self._tick

    def print_clocks(self) -> None:
        """Prints one line with all clocks, and whether they are stopped."""
        clocks = self._timekeeper.clock_states
        if clocks:
            faces = [say("{clock} {face}", clock=clock.name, face=clock.display_text) for clock in clocks]
            self._terminal.print_line(say("  time: {clocks}", clocks=say_list(faces)))
        if clocks and self._session.are_clocks_paused:
            self._terminal.print_line(say("  The clocks are stopped until somebody answers."))

    def _tick(self) -> float | None:
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


def ask_player_names(terminal: Terminal, game: Game, open_game: SavedGame | None) -> list[str]:
    """Asks for the players' names of a new game, and returns them in clockwise order.

    Returns [] if people want to continue the open game instead. Raises `UserError` if the input ends
    before that.
    """
    try:
        return _ask_all(terminal, game, open_game)
    except EOFError as end:
        raise UserError(say("Name the players in clockwise order, such as --seats Aki,Ben,Chie.")) from end


def _ask_all(terminal: Terminal, game: Game, saved: SavedGame | None) -> list[str]:
    if saved is not None and saved.game == game.key and _wants_to_continue(terminal, game, saved):
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


def _wants_to_continue(terminal: Terminal, game: Game, saved: SavedGame) -> bool:
    names = ", ".join(saved.names)
    terminal.print_line(
        say("A game of {game} is open. Players: {names}.", game=game.title, names=names), style=BOLD
    )
    return not terminal.ask_line(
        terminal.render(say("Press Enter to continue this game, or type n for a new game: "))
    )


def _ask_names(terminal: Terminal, game: Game) -> list[str]:
    """Asks for names until they differ and the game can be played with that many."""
    most = game.players[1]
    names: list[str] = []
    while len(names) < most:
        line = terminal.ask_line(terminal.render(say("Player {number}: ", number=len(names) + 1)))
        if line.lower() in QUIT_WORDS_AT_NAME_PROMPT:
            sys.exit()
        more = [*names, *(name.strip() for name in line.split(",") if line)]
        try:
            if not line or len(more) > most:
                game.check_player_count(more)
            names = [seat.name for seat in make_new_seats(more)]
        except UserError as error:
            terminal.print_error(error.text)
        else:
            if not line:
                break
    return names
