"""What people may type at any prompt beside an answer: back, forth, look, correct, leave.

Each command changes the game only through the session and says what is to be moved by hand.
A little over 300 lines: a short function for each command, and their list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile

import msgspec

from companion import languages, spelling
from companion.columns import aligned
from companion.errors import Misfit, PastReveal, TableError
from companion.log.events import Step
from companion.log.timeline import in_order
from companion.requests import Request
from companion.scenes import lay
from companion.session.session import Session
from companion.session.view import history, view, withdrawn
from companion.spelling import find_near
from companion.table.seats import Seat, name_first, name_one
from companion.terminal import correction, row, standing, timing
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

Do = Callable[[Session, Terminal, str], bool]
"""Returns whether the table may look different now."""


class Leave(Exception):
    """People leave the game as it is."""


class Command(msgspec.Struct, frozen=True):
    """A word, what may follow it, what it is for, and what it does with the rest of the line."""

    word: Say
    rest: str
    help: Say
    do: Do


def find(line: str, terminal: Terminal) -> tuple[Command, str] | None:
    """The command that a line begins with, in English or the reader's language, and the rest of it."""
    for command in COMMANDS:
        for word in (render(command.word), terminal.text(command.word)):
            if line.lower() == word or line.lower().startswith(f"{word} "):
                return command, line[len(word) :].strip()
    return (HELP, "") if line == "?" else None


def guess(line: str, terminal: Terminal) -> tuple[Command, str] | None:
    """The command that people mean by another word for it; only for a line that is no answer."""
    first, _, rest = line.partition(" ")
    word = ALSO.get(first.lower())
    found = None if word is None else find(word, terminal)
    return found and (found[0], rest.strip())


def near(line: str, terminal: Terminal) -> str | None:
    """The command whose word was perhaps misspelled."""
    words = [word for one in COMMANDS for word in (render(one.word), terminal.text(one.word))]
    first = line.partition(" ")[0]
    return find_near(first, [*words, *ALSO]) if len(first) >= MISSPELLED else None


def show_help(session: Session, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """The rule behind the question, how to answer, and all commands, a line each."""
    if rule := view(session).help:
        terminal.show(rule, style=BOLD)
    terminal.show(
        say("The lines above the prompt say what to type. Press only Enter to see the question again.")
    )
    rows = []
    for one in COMMANDS:
        words = dict.fromkeys([render(one.word), terminal.text(one.word)])
        rows.append([f"{' / '.join(words)} {one.rest}", terminal.text(one.help)])
    if session.game.free_moves:
        names = " ".join(seat.name for seat in session.table.seats[:2])
        rows.append([f"{names} 37", terminal.text(say("pays money, or moves a piece that you name"))])
    if row.is_offered(session.game.row, session.question):
        rows.append(
            ["12 -3 …", terminal.text(say("enters a whole round: one number for each player, clockwise"))]
        )
    for line in aligned(rows):
        terminal.show(f"  {line}")
    return False


def undo(session: Session, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """The last answer or correction is taken back."""
    return _take_back(session, terminal, session.undo)


def back(session: Session, terminal: Terminal, rest: str) -> bool:
    """Everything from that answer on is taken back; redo puts it back one by one."""
    if not COUNT.fullmatch(rest):
        raise TableError(
            say(
                'Type "back" and the number of an answer, such as: back 12. Type "history" to '
                "see the numbers."
            )
        )
    return _take_back(session, terminal, partial(session.go_back, session.before(int(rest))))


def _take_back(session: Session, terminal: Terminal, do: Callable[..., list[Say]]) -> bool:
    """Does it, past a reveal too if people say so, and shows what was taken back, the last thing first."""
    if not _may_open_envelopes(session, terminal):
        return False
    before = _in_force(session)
    try:
        moves = do()
    except PastReveal as reveal:
        terminal.trouble(reveal.text)
        if not terminal.agrees(say("Undo this anyway?")):
            return False
        moves = do(past_reveal=True)
    for what in reversed(_only_in(before, _in_force(session))):
        terminal.show(say("Undone: {what}", what=what), style=BOLD)
    return _by_hand(terminal, moves)


def _in_force(session: Session) -> list[tuple[Step, Say]]:
    """Each thing in force with its sentence in the history."""
    return [(step, entry.text) for step, entry in zip(session.steps, history(session), strict=True)]


def _only_in(some: Sequence[tuple[Step, Say]], others: Sequence[tuple[Step, Say]]) -> list[Say]:
    """The sentences of what is among some, but not among the others.

    A correction may come or go before an answer that stays.
    """
    steps, left = in_order(step for step, _ in some), in_order(step for step, _ in others)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(steps, left, strict=False)))
    del left[:alike]
    found = []
    for step, (_, text) in zip(steps[alike:], some[alike:], strict=True):
        if step in left:
            left.remove(step)
        else:
            found.append(text)
    return found


def redo(session: Session, terminal: Terminal, rest: str) -> bool:
    """What was undone last counts again; so much of it, or all that fits."""
    every = rest in ("all", terminal.text(say("all")))
    if rest and not every and not COUNT.fullmatch(rest):
        raise TableError(say('Type "redo", "redo all", or "redo" and the number of answers to redo.'))
    if session.may_redo and not _may_open_envelopes(session, terminal):
        return False
    before = _in_force(session)
    moves = session.redo(ALL if every else int(rest or 1))
    for what in _only_in(_in_force(session), before):
        terminal.show(say("Redone: {what}", what=what), style=BOLD)
    return _by_hand(terminal, moves)


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
        text = say_n("  {n} answer can be redone after this one.",
                     "  {n} answers can be redone after this one.",
                     session.waiting)  # fmt: skip  # one sentence
        terminal.show(text, style=DIM)


def amend(session: Session, terminal: Terminal, rest: str) -> bool:
    """An earlier answer is changed, and all later ones are played again."""
    number, _, words = rest.partition(" ")
    told = next((told for told in session.run.told if str(told.n) == number), None)
    if told is None:
        raise TableError(
            say(
                'Type "amend" and the number of an answer, such as: amend 12. '
                'Type "history" to see the numbers.'
            )
        )
    if not _may_open_envelopes(session, terminal):
        return False
    question, seat = told.question, None
    if question.parts:
        seat, words = _part(terminal, question, words)
        question = question.parts[seat]
    line = words or _asked_again(terminal, question)
    answer = read_line(question.form, line, terminal.language, question.seats[0] if question.seats else None)
    try:
        moves = session.amend(told.n, answer, seat)
    except Misfit as misfit:
        terminal.trouble(misfit.text)
        gone_back = _amend_back(session, terminal, misfit, (told.n, answer, seat))
        if gone_back is None:
            return False
        moves = gone_back
    terminal.show(say("Amended: {what}", what=_told(session, told.n)), style=BOLD)
    return _by_hand(terminal, moves)


def _amend_back(
    session: Session, terminal: Terminal, misfit: Misfit, change: tuple[int, object, Seat | None]
) -> list[Say] | None:
    """Goes back to what no longer fits, past a reveal too, if people say so; None where they don't."""
    back = say("Go back to the answer that no longer fits? You can redo the later answers.")
    if misfit.event == change[0] or not terminal.agrees(back):
        return None
    try:
        return session.amend(*change, go_back=True)
    except PastReveal as reveal:
        terminal.trouble(reveal.text)
        if not terminal.agrees(say("Undo this anyway?")):
            return None
        return session.amend(*change, go_back=True, past_reveal=True)


def correct(session: Session, terminal: Terminal, rest: str) -> bool:
    """Pieces are moved by hand, in one line or step by step."""
    return _by_hand(terminal, correction.correct(session, terminal, rest))


def show_history(session: Session, terminal: Terminal, rest: str) -> bool:
    """The latest events, each with the number to amend it by; `history 99` shows more."""
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


def show_state(session: Session, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """Everything that lies open on the table."""
    seen = view(session)
    laid = lay(seen, session.scene)
    standing.draw_heading(terminal, seen)
    standing.draw_seats(terminal, seen, laid)
    endless = standing.endless(session)
    standing.draw_middle(terminal, laid, endless)
    standing.draw_rest(terminal, laid, endless)
    return False


def speak(session: Session, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """Another language from now on, by its code or its own name."""
    known = languages.languages()
    wanted = spelling.find(rest, {code: (code, one.name) for code, one in known.items()})
    if not wanted:
        raise TableError(say('Type "language" and one of these: {languages}.', languages=", ".join(known)))
    terminal.language = wanted[0]
    return True


def leave(session: Session, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """The game stays as it is and can be resumed."""
    raise Leave


def put_away(session: Session, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """The game leaves the table, unfinished with the score so far."""
    over = session.result is not None
    if over or terminal.agrees(say("The game isn't over. Put it away with the score so far?")):
        score = session.put_away()
        if score and not over:
            standing.draw_score(terminal, score, early=True)
        terminal.show(say("The game is put away."))
    return False


def rename(session: Session, terminal: Terminal, rest: str) -> bool:  # noqa: ARG001 - as each Do
    """A seat gets another name, or somebody else to sit there."""
    old, equals, new = rest.partition("=")
    if not equals:
        raise TableError(say("Type the old and the new name like this: rename Aki = Dai"))
    session.rename(_seat(session, old), new.strip())
    return True


def leaves(session: Session, terminal: Terminal, rest: str) -> bool:
    """A player leaves; silence answers for the seat from now on."""
    seat = _seat(session, rest)
    session.leave(seat)
    terminal.show(say("{seat} has left. The Companion passes or bids 0 for this player where the rules allow "
"it. Otherwise, the other players answer.",
                      seat=seat))  # fmt: skip  # one sentence
    return True


def returns(session: Session, terminal: Terminal, rest: str) -> bool:
    """Somebody takes the seat again."""
    seat = _seat(session, rest)
    session.come_back(seat)
    terminal.show(say("{seat} is back.", seat=seat))
    return True


def _seat(session: Session, name: str) -> Seat:
    """The seat that is called so; raises `Unknown`, which lists the names."""
    return name_one(name.strip(), called(session.table.seats))


HELP = Command(say("help"), "", say("shows this list"), show_help)
COMMANDS = (
    HELP,
    Command(say("undo"), "", say("undoes the last answer or correction"), undo),
    Command(say("redo"), "[14|all]", say("redoes the answers that were undone"), redo),
    Command(say("history"), "[99]", say("shows the history of the game"), show_history),
    Command(say("amend"), "N", say("changes the answer with that number in the history"), amend),
    Command(say("back"), "N", say("undoes the answer with that number and all later answers"), back),
    Command(
        say("correct"), "[again]", say('moves pieces by hand; "correct again" repeats the question'), correct
    ),
    Command(say("state"), "", say("shows the whole table"), show_state),
    Command(say("rename"), "Aki = Dai", say("changes the name of a player"), rename),
    Command(
        say("away"),
        "Aki",
        say("marks a player as away; the companion then passes or bids 0 for this player, where allowed"),
        leaves,
    ),
    Command(say("here"), "Aki", say("marks a player as back at the table"), returns),
    Command(say("pause"), "", say("stops the clocks until somebody answers"), timing.pause),
    Command(say("language"), "CODE", say("changes the language"), speak),
    Command(say("quit"), "", say("quits; everything is saved"), leave),
    Command(say("put away"), "", say("puts this game away, finished or not"), put_away),
)


def _may_open_envelopes(session: Session, terminal: Terminal) -> bool:
    """Going back or forth drops the sealed answers that are already in; people are asked first."""
    closed = [seat for seat in session.table.seats if seat in session.drafts]
    text = "The sealed answers of {seats} will be deleted. Go on?"
    if session.question and session.question.parts and not session.question.is_sealed:
        text = "The answers of {seats} will be deleted. Go on?"
    return not closed or terminal.agrees(say(text, seats=listed(closed)))


def _by_hand(terminal: Terminal, moves: Iterable[Say]) -> bool:
    for move in moves:
        terminal.show(say("Moved by hand: {move}", move=move))
    return True


def _told(session: Session, n: int) -> Say:
    return next(entry.text for entry in history(session) if entry.n == n)


def _asked_again(terminal: Terminal, question: Request[object]) -> str:
    terminal.show(title(question), style=BOLD)
    for hint in hints(question.form):
        terminal.show(say("  {hint}", hint=hint))
    return terminal.ask(terminal.text(say("New answer: ")))


def _part(terminal: Terminal, question: Request[object], words: str) -> tuple[Seat, str]:
    """Whose sealed answer is amended: named in the line, or asked for."""
    words = words or terminal.ask(terminal.text(say("Whose answer? ")))
    if named := name_first(words.split(), called(question.seats)):
        seat, cut = named
        return seat, " ".join(words.split()[cut:])
    raise TableError(say("Type the name of a player who answered: {seats}.", seats=listed(question.seats)))
