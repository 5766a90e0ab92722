"""One game from where it stands until people leave: shows, asks, and hands lines to the session.

It shows an answer only after the session has kept it.
A little over 300 lines: a short function for each thing that a line may be.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from companion.actions import GO_ON_IN, PAY, PUT_AWAY, ROLL, Action, Given, OneGame
from companion.errors import CompanionError, IllegalAnswer, TableError
from companion.requests import Raise, Request
from companion.scenes.evaluate import evaluate_scene
from companion.session import paying
from companion.session.session import Session
from companion.session.view import history, view
from companion.spelling import find
from companion.store import Store
from companion.table.seats import Seat
from companion.terminal import commands, row, standing
from companion.terminal.forms import app_is_to_answer, hints, read_line, takes_enter, title
from companion.terminal.terminal import BOLD, COLOURS, DIM, Terminal, called
from companion.terminal.timing import Overtaken, Watching
from companion.words import listed, say

VIA = "terminal"


def play(session: Session, terminal: Terminal, state: Path | None = None, store: Store | None = None) -> int:
    """Plays until the game is put away, people quit or the input ends; returns the exit status.

    `state` is the directory people named, so that the command that goes on names it too.
    """
    match = Match(session, terminal, store)
    try:
        terminal.show(say('Type "help" at any time to see what else you can type.'), style=DIM)
        match.tell_last()
        while not session.put_aside:
            match.turn()
    except (EOFError, KeyboardInterrupt, commands.Leave):
        if session.clocks:
            session.pause()
        terminal.show()
        state = match.moved_to or state
        kept = [] if state is None else ["--state", str(state)]
        command = shlex.join(["companion", "play", session.game.key, "--resume", *kept])
        terminal.show(say("Saved. To continue, run: {command}", command=command))
    return 0


class Match:
    """A session before people at a terminal.

    On a real terminal a sealed answer is typed unseen behind a cover, so that one keyboard can go round.
    """

    def __init__(self, session: Session, terminal: Terminal, store: Store | None = None) -> None:
        self.session = session
        self.moved_to: Path | None = None
        self._game = OneGame(session, store)
        self.terminal = terminal
        self._stale = True
        self._asked: object = None
        self._stood: object = None
        self._kind = ""
        self._wanted: Seat | None = None
        self._troubled = False
        self._watching = Watching(session, terminal)

    def turn(self) -> None:
        """One line of input, whatever comes of it; or none, where the clock was faster."""
        try:
            self._turn()
        except Overtaken:
            self.tell_last()

    def _turn(self) -> None:
        question = self.session.question
        if question is not None and question.is_sealed:
            self._envelope(question)
            return
        if self._is_news((self.session.n, *(draft.salt for draft in self.session.drafts.values()))):
            self._show_standing()
            self._show_question(question)
        line = self.terminal.ask(self._prompt(question.seats if question else ()))
        if not self._obeys(line):
            self._try(lambda: self._take(line, partial(self._answer, question)))

    def tell_last(self) -> None:
        """What the last answer or correction was and what it led to."""
        for last in history(self.session)[-1:]:
            self.terminal.show(last.text, style=DIM)
            for note in last.notes:
                self.terminal.show(note, style=BOLD)

    # What there is to see

    def _is_news(self, asked: object) -> bool:
        news = self._stale or asked != self._asked
        self._asked = asked
        return news

    def _show_standing(self, *, always: bool = False) -> None:
        """The table, where it has changed and something of another kind is asked."""
        seen = view(self.session)
        kind = seen.question.kind if seen.question else ""
        now = seen.heading, seen.holdings
        if always or self._stale or (kind != self._kind and now != self._stood):
            laid = evaluate_scene(seen, self.session.scene)
            standing.draw_heading(self.terminal, seen)
            standing.draw_seats(self.terminal, seen, laid)
            standing.draw_middle(self.terminal, laid, standing.endless(self.session))
            self._stood = now
        self._kind, self._stale = kind, False

    def _show_question(self, question: Request[Any] | None) -> None:
        if self.session.result:
            standing.draw_score(self.terminal, self.session.result)
            standing.draw_provisional(self.terminal, view(self.session))
            self.terminal.show()
            self.terminal.show(
                say('Press Enter to put the game away. You can still type "undo" or "history".')
            )
        if question is not None:
            self.terminal.show()
            if isinstance(question, Raise) and question.bids:
                standing.draw_bids(self.terminal, question, self.session.table.seats)
            self.terminal.show(title(question), style=BOLD)
            standing.draw_entered(self.terminal, view(self.session), question.parts)
            for hint in row.hints(question.parts) if question.parts else hints(question.form):
                self.terminal.show(say("  {hint}", hint=hint))
            commands.show_waiting(self.session, self.terminal)
            self._watching.draw()

    def _prompt(self, seats: Sequence[Seat]) -> str:
        if len(seats) != 1:
            return "> "
        return self.terminal.styled(f"{seats[0].name}> ", COLOURS[seats[0].colour])

    # What people type

    def _try(self, do: Callable[[], None]) -> bool:
        """Whether it could be done; if not, the sentence that says why is shown and nothing has changed."""
        self._troubled = False
        try:
            do()
        except CompanionError as error:
            self._troubled = True
            self.terminal.trouble(error.text)
            store = self._game.store
            if store and (place := store.elsewhere()):
                self._offer(place)
        return not self._troubled

    def _offer(self, place: Path) -> None:
        """What was taken so far can go on in another directory."""
        question = say(
            "Save this game in {directory} from now on, with all answers so far?", directory=str(place)
        )
        if self.terminal.agrees(question) and self._try(
            lambda: self._perform(GO_ON_IN, {"directory": str(place)})
        ):
            self.moved_to = place

    def _obeys(self, line: str) -> bool:
        """Whether the line was a command."""
        found = commands.find(line, self.terminal)
        if found is None:
            return self._pays(line)
        command, rest = found
        self._try(lambda: self._do(command, rest))
        return True

    def _take(self, line: str, answer: Callable[[str], None], *, is_sealed: bool = False) -> None:
        """Answers; what is no answer may be another word for a command, or a misspelled one.

        Of what is sealed no letter is told, so that nothing is said of a command that it looks like.
        """
        try:
            answer(line)
        except IllegalAnswer as error:
            if (found := commands.guess(line, self.terminal)) is not None:
                self._do(*found)
            elif not is_sealed and (near := commands.near(line, self.terminal)) is not None:
                text = "{why} Or did you mean {word}?"
                raise TableError(say(text, why=error.text, word=near)) from error
            else:
                raise

    def _pays(self, line: str) -> bool:
        """Whether the line was a payment by hand, such as `Aki Ben 37`."""
        payment = paying.read(self.session, line, "en", self.terminal.language)
        if payment is not None and self._try(lambda: self._perform(PAY, payment)):
            self._stale = True
            self.tell_last()
        return payment is not None

    def _do(self, command: commands.TerminalCommand, rest: str) -> None:
        self._stale = command.do(self._game, self.terminal, rest) or self._stale

    def _perform(self, action: Action, given: Given) -> None:
        commands.perform(action, self._game, self.terminal, given)

    def _answer(self, question: Request[Any] | None, line: str) -> None:
        if question is None and not line:
            self._perform(PUT_AWAY, {})
        elif question is None and (found := commands.guess(line, self.terminal)) is not None:
            self._do(*found)
        elif question is None or (not line and not takes_enter(question.form)):
            self._stale = True
        elif question.parts:
            self._enter(question, line)
        elif self._opens_round(question, line):
            self.session.answer(self.session.n, self.session.game.typed_row_option, VIA)
            self.tell_last()
            self._answer(self.session.question, line)
        elif app_is_to_answer(question.form, line, self.terminal.language):
            self._perform(ROLL, {"n": self.session.n})
            self.tell_last()
        else:
            with paying.meant(self.session, line, "en", self.terminal.language):
                answer = self._read(question, line)
            if self._is_sure(question, answer):
                self.session.answer(self.session.n, answer, VIA)
                self.tell_last()

    def _opens_round(self, question: Request[Any], line: str) -> bool:
        """Whether a row of numbers, typed at the menu, opens the round that it is."""
        is_row = row.is_one(line, len(self.session.table.paying_seats))
        return is_row and row.is_offered(self.session.game.typed_row_option, question)

    def _enter(self, question: Request[Any], line: str) -> None:
        """A round that all may see: all of it in one go, or some answers, of which the last takes it."""
        n, answers = self.session.n, row.read_line(question.parts, line, self.terminal.language)
        if set(answers) == set(question.parts):
            self.session.answer(n, {str(seat.number): each for seat, each in answers.items()}, VIA)
        else:
            for seat, each in answers.items():
                self.session.draft(n, seat, each, VIA)
        if self.session.n != n:
            self.tell_last()

    def _read(self, question: Request[Any], line: str) -> object:
        seat = question.seats[0] if question.seats else None
        return read_line(question.form, line, self.terminal.language, seat)

    def _is_sure(self, question: Request[Any], answer: object) -> bool:
        """Whether people give that answer; a grave one only if they say yes."""
        doubt = question.doubt(question.load(answer))
        return doubt is None or self.terminal.agrees(doubt)

    # Sealed answers

    def _envelope(self, question: Request[Any]) -> None:
        seat = self._next(question)
        if self._is_news((self.session.n, seat, tuple(self.session.drafts))):
            if not self._troubled:
                self.terminal.clear()
            self._show_standing(always=self.terminal.private)
            self.terminal.show()
            if self.terminal.private:
                self.tell_last()
            standing.draw_envelopes(self.terminal, view(self.session))
        if not self.terminal.private or self._takes_keyboard(question, seat):
            self._seal(seat, question.parts[seat])

    def _next(self, question: Request[Any]) -> Seat:
        """Whoever was called by name, else the first whose envelope is open."""
        if self._wanted is not None and self._wanted in question.parts:
            return self._wanted
        return next((seat for seat in question.seats if seat not in self.session.drafts), question.seats[0])

    def _takes_keyboard(self, question: Request[Any], seat: Seat) -> bool:
        """Whether that seat is alone with the keyboard now; else somebody was called, or commanded."""
        cover = say(
            "Pass the keyboard to {seat}. {seat}, press Enter when nobody else is looking: ", seat=seat
        )
        line = self.terminal.ask(self.terminal.text(cover))
        if not line:
            self.terminal.clear()
            return True
        if not self._obeys(line):
            self._try(lambda: self._take(line, partial(self._call, question), is_sealed=True))
        return False

    def _call(self, question: Request[Any], line: str) -> None:
        found = find(line, called(question.seats))
        if len(found) == 1:
            self._wanted = found[0]
        else:
            names = listed(question.seats)
            self._asked = None
            if commands.guess(line, self.terminal) is None:
                self.terminal.clear()  # a bid typed too early has been seen long enough
            raise IllegalAnswer(say("Press Enter, or type the name of another player: {names}.", names=names))

    def _seal(self, seat: Seat, part: Request[Any]) -> None:
        n = self.session.n
        self._show_question(part)
        if self.terminal.private:
            self.terminal.show(say("  what you type is not shown"))
        before = self.session.drafts.get(seat)
        while self.session.drafts.get(seat) is before and self._is_asked(n):
            line = self.terminal.secretly(self._prompt([seat]))
            if not self._obeys(line):
                self._try(partial(self._take, line, partial(self._draft, n, seat, part), is_sealed=True))

    def _is_asked(self, n: int) -> bool:
        """Whether it is still that question, on that table, that people answer."""
        return self.session.n == n and not self._stale and not self.session.put_aside

    def _draft(self, n: int, seat: Seat, part: Request[Any], line: str) -> None:
        answer = self._read(part, line)
        if not self._is_sure(part, answer):
            return
        self.session.draft(n, seat, answer, VIA)
        self._wanted = None
        self.terminal.clear()
        if self.session.n != n:
            self._reveal()
        else:
            self.terminal.show(say("{seat}'s answer is sealed.", seat=seat))

    def _reveal(self) -> None:
        opened = self.session.run.told[-1]
        seen = view(self.session)
        self.terminal.show(say("The envelopes are open:"))
        for seat, part in opened.question.parts.items():
            told = part.opened(opened.answer[seat])
            won = say("  {told} (won)", told=told)
            self.terminal.show(won if seat in seen.winners else say("  {told}", told=told), style=BOLD)
        for note in seen.notes:
            self.terminal.show(note, style=BOLD)
