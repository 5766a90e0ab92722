"""What people may type at any prompt beside an answer: actions, and what only a terminal has.

The words and the help follow from the table of actions. Here is how the rest of a line says what an action
needs to know, what is asked before it, and how its outcome is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from companion import languages, spelling
from companion.actions import (
    ACTIONS,
    PAY,
    Action,
    Command,
    Given,
    HasGame,
    NeedsConfirmation,
    Outcome,
    amended_question,
)
from companion.columns import aligned
from companion.errors import TableError
from companion.requests import Request
from companion.requests.fields import TextField
from companion.scenes.evaluate import evaluate_scene
from companion.session.session import Session
from companion.session.view import history, view, withdrawn
from companion.spelling import find_near
from companion.table.seats import Seat, find_leading_name, find_seat_by_name
from companion.terminal import correction, row, standing
from companion.terminal.forms import hints, read_line, title
from companion.terminal.terminal import BOLD, DIM, Terminal, called
from companion.words import Say, listed, render, say, say_n

COUNT = re.compile(r"[0-9]{1,6}")
ALL = 1_000_000
"""More than was ever answered."""
MISSPELLED = 3
"""What has fewer letters is no misspelled command."""
ALSO = {
    **dict.fromkeys(("q", ":q", "exit", "bye"), "quit"),
    **dict.fromkeys(("h", "commands"), "help"),
    **dict.fromkeys(("list", "log", "hist"), "history"),
    **dict.fromkeys(("stats", "status", "score", "scores", "table", "show"), "state"),
}
"""What else people type for a command."""
LATEST = 12
"""Number of events that `history` shows by default."""

Do = Callable[[HasGame, Terminal, str], bool]
"""Returns whether the table may look different now."""


class Leave(Exception):
    """People leave the game as it is."""


class TerminalCommand(msgspec.Struct, frozen=True):
    """A command, and what it does with the rest of the line."""

    command: Command
    do: Do

    @property
    def word(self) -> Say:
        """The word that the line begins with."""
        return self.command.word


def commands() -> list[TerminalCommand]:
    """Returns everything that can be typed, in the order of the help."""
    acting = [
        TerminalCommand(one.command, partial(act, one)) for one in ACTIONS.values() if one.command is not None
    ]
    return [HELP, *acting, *OWN]


def find(line: str, terminal: Terminal) -> tuple[TerminalCommand, str] | None:
    """The command that a line begins with, in English or the reader's language, and the rest of it."""
    for command in commands():
        for word in (render(command.word), terminal.text(command.word)):
            if line.lower() == word or line.lower().startswith(f"{word} "):
                return command, line[len(word) :].strip()
    return (HELP, "") if line == "?" else None


def guess(line: str, terminal: Terminal) -> tuple[TerminalCommand, str] | None:
    """The command that people mean by another word for it; only for a line that is no answer."""
    first, _, rest = line.partition(" ")
    word = ALSO.get(first.lower())
    found = None if word is None else find(word, terminal)
    return found and (found[0], rest.strip())


def near(line: str, terminal: Terminal) -> str | None:
    """The command whose word was perhaps misspelled."""
    words = [word for one in commands() for word in (render(one.word), terminal.text(one.word))]
    first = line.partition(" ")[0]
    return find_near(first, [*words, *ALSO]) if len(first) >= MISSPELLED else None


# Actions


def act(action: Action, evening: HasGame, terminal: Terminal, rest: str) -> bool:
    """Does an action with what the rest of the line says; whatever is missing is asked for."""
    before = evening.playing.changes
    reads = LINES.get(action.key)
    given = reads(evening, terminal, rest) if reads else _read(action, evening, terminal, rest)
    perform(action, evening, terminal, given)
    return evening.playing.changes != before


def perform(action: Action, evening: HasGame, terminal: Terminal, given: Given) -> None:
    """Does an action, if people confirm what they must, and shows what came of it."""
    confirmed: set[str] = set()
    while True:
        try:
            outcome = action.run(evening, given, confirmed)
        except NeedsConfirmation as asked:
            show = terminal.show if asked.refusal is asked else terminal.trouble
            show(asked.text)
            if not terminal.agrees(asked.question):
                return
            confirmed.add(asked.key)
        else:
            _show_outcome(terminal, outcome)
            return


def _show_outcome(terminal: Terminal, outcome: Outcome) -> None:
    for what in outcome.taken_back:
        terminal.show(say("Undone: {what}", what=what), style=BOLD)
    for what in outcome.redone:
        terminal.show(say("Redone: {what}", what=what), style=BOLD)
    if outcome.amended is not None:
        terminal.show(say("Amended: {what}", what=outcome.amended), style=BOLD)
    if outcome.score is not None:
        standing.draw_score(terminal, outcome.score, early=True)
    for text in outcome.said:
        terminal.show(text)
    if outcome.why is not None:
        terminal.show(outcome.why)
    for move in outcome.by_hand or ():
        terminal.show(say("Moved by hand: {move}", move=move))


def _read(action: Action, evening: HasGame, terminal: Terminal, rest: str) -> Given:
    """Reads a word for each parameter, or all that is left for one that is words; asks for the others."""
    given: dict[str, Any] = {}
    words = rest.split()
    while (found := action.next_parameter(evening, given)) is not None:
        parameter, form = found
        if not words:
            terminal.show(parameter.question, style=BOLD)
            for hint in hints(form):
                terminal.show(say("  {hint}", hint=hint))
            line = terminal.ask("> ")
        elif isinstance(form.field, TextField):
            line, words = " ".join(words), []
        else:
            line = words.pop(0)
        given[parameter.key] = read_line(form, line, terminal.language)
    return given


def _how_many_to_redo(_: HasGame, terminal: Terminal, rest: str) -> Given:
    if rest in ("all", terminal.text(say("all"))):
        return {"count": ALL}
    if rest and not COUNT.fullmatch(rest):
        raise TableError(say('Type "redo", "redo all", or "redo" and the number of answers to redo.'))
    return {"count": int(rest or 1)}


def _where_to_go_back(evening: HasGame, _: Terminal, rest: str) -> Given:
    if not COUNT.fullmatch(rest):
        raise TableError(
            say(
                'Type "back" and the number of an answer, such as: back 12. Type "history" to '
                "see the numbers."
            )
        )
    return {"kept": evening.playing.before(int(rest))}


def _amendment(evening: HasGame, terminal: Terminal, rest: str) -> Given:
    """Reads the number, in a round also whose answer it is, and the answer; what is missing is asked for."""
    number, _, words = rest.partition(" ")
    if number not in [str(told.n) for told in evening.playing.run.told]:
        raise TableError(
            say(
                'Type "amend" and the number of an answer, such as: amend 12. '
                'Type "history" to see the numbers.'
            )
        )
    given: dict[str, Any] = {"event": int(number)}
    question = amended_question(evening, given)
    if question.parts:
        seat, words = _part(terminal, question, words)
        given["seat"] = seat.key
        question = question.parts[seat]
    line = words or _asked_again(terminal, question)
    seat_asked = question.seats[0] if question.seats else None
    return {**given, "answer": read_line(question.form, line, terminal.language, seat_asked)}


def _new_name(evening: HasGame, _: Terminal, rest: str) -> Given:
    old, equals, new = rest.partition("=")
    if not equals:
        raise TableError(say("Type the old and the new name like this: rename Aki = Dai"))
    return {"seat": _seat(evening, old).key, "name": new.strip()}


def _who(evening: HasGame, _: Terminal, rest: str) -> Given:
    return {"seat": _seat(evening, rest).key}


def _seat(evening: HasGame, name: str) -> Seat:
    """The seat that is called so; raises `Unknown`, which lists the names."""
    return find_seat_by_name(name.strip(), called(evening.playing.table.seats))


LINES: Mapping[str, Callable[[HasGame, Terminal, str], Given]] = {
    "redo": _how_many_to_redo,
    "back": _where_to_go_back,
    "amend": _amendment,
    "correct": correction.read,
    "rename": _new_name,
    "leave": _who,
    "come_back": _who,
}
"""By the action's key, how the rest of a line says what it needs to know, unless it is a word for each."""


def _asked_again(terminal: Terminal, question: Request[object]) -> str:
    terminal.show(title(question), style=BOLD)
    for hint in hints(question.form):
        terminal.show(say("  {hint}", hint=hint))
    return terminal.ask(terminal.text(say("New answer: ")))


def _part(terminal: Terminal, question: Request[object], words: str) -> tuple[Seat, str]:
    """Whose sealed answer is amended: named in the line, or asked for."""
    words = words or terminal.ask(terminal.text(say("Whose answer? ")))
    if named := find_leading_name(words.split(), called(question.seats)):
        seat, cut = named
        return seat, " ".join(words.split()[cut:])
    raise TableError(say("Type the name of a player who answered: {seats}.", seats=listed(question.seats)))


# Looking, speaking, leaving


def show_help(evening: HasGame, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """The rule behind the question, how to answer, and all commands, a line each."""
    session = evening.playing
    if rule := view(session).help:
        terminal.show(rule, style=BOLD)
    terminal.show(
        say("The lines above the prompt say what to type. Press only Enter to see the question again.")
    )
    rows = []
    for one in commands():
        words = dict.fromkeys([render(one.word), terminal.text(one.word)])
        rows.append([f"{' / '.join(words)} {one.command.rest}", terminal.text(one.command.help)])
    if PAY.offered(evening):
        names = " ".join(seat.name for seat in session.table.seats[:2])
        rows.append([f"{names} 37", terminal.text(say("pays money, or moves a piece that you name"))])
    if row.is_offered(session.game.typed_row_option, session.question):
        rows.append(
            ["12 -3 …", terminal.text(say("enters a whole round: one number for each player, clockwise"))]
        )
    for line in aligned(rows):
        terminal.show(f"  {line}")
    return False


def show_waiting(session: Session, terminal: Terminal) -> None:
    """What an amendment took back, and how much of it can be put back now."""
    if session.fitting:
        text = say_n(
            '  Type "redo all" to bring back {n} more answer.',
            '  Type "redo all" to bring back {n} more answers.',
            session.fitting,
        )
        terminal.show(text, style=DIM)
    elif session.waiting:
        text = say_n("  After this answer, you can redo {n} more answer.",
                     "  After this answer, you can redo {n} more answers.",
                     session.waiting)  # fmt: skip  # one sentence
        terminal.show(text, style=DIM)


def show_history(evening: HasGame, terminal: Terminal, rest: str) -> bool:
    """The latest events, each with the number to amend it by; `history 99` shows more."""
    session = evening.playing
    count = int(rest) if COUNT.fullmatch(rest) else LATEST
    entries, tried = history(session), withdrawn(session)
    for _, text in tried:
        terminal.show(f"{'!':>5}  {terminal.text(text)}")
    for entry in entries[max(0, len(entries) - count) :]:
        number = "" if entry.n is None else str(entry.n)
        terminal.show(f"{number:>5}  {terminal.text(entry.text)}")
        for note in entry.notes:
            terminal.show(f"{'':5}  {terminal.text(note)}", style=DIM)
    if not entries and not tried:
        terminal.show(say("Nothing has happened yet."))
    return False


def show_state(evening: HasGame, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """Everything that lies open on the table."""
    session = evening.playing
    seen = view(session)
    laid = evaluate_scene(seen, session.scene)
    standing.draw_heading(terminal, seen)
    standing.draw_seats(terminal, seen, laid)
    endless = standing.endless(session)
    standing.draw_middle(terminal, laid, endless)
    standing.draw_rest(terminal, laid, endless)
    return False


def speak(evening: HasGame, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """Another language from now on, by its code or its own name."""
    known = languages.languages()
    wanted = spelling.find(rest, {code: (code, one.name) for code, one in known.items()})
    if not wanted:
        raise TableError(say('Type "language" and one of these: {languages}.', languages=", ".join(known)))
    terminal.language = wanted[0]
    return True


def leave(evening: HasGame, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """The game stays as it is and can be resumed."""
    raise Leave


HELP = TerminalCommand(Command(say("help"), "", say("shows this list")), show_help)
OWN = (
    TerminalCommand(Command(say("history"), "[99]", say("shows the history of the game")), show_history),
    TerminalCommand(Command(say("state"), "", say("shows the whole table")), show_state),
    TerminalCommand(Command(say("language"), "CODE", say("changes the language")), speak),
    TerminalCommand(Command(say("quit"), "", say("quits; everything is saved")), leave),
)
"""What only a terminal has."""
