"""Everything that people can type besides an answer: actions, corrections, and the terminal's own commands.

The words and the help of actions come from the table of actions. This module reads the rest of the line, asks
for what is missing or must be confirmed, and prints the outcome.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from companion import languages, name_matching
from companion.actions import (
    ACTIONS,
    PAY,
    ActionOutcome,
    ActionTarget,
    CommandUsage,
    NeedsConfirmation,
    ParameterValues,
    TableAction,
    find_question_to_amend,
)
from companion.errors import UserError
from companion.monospace_text import align_columns
from companion.name_matching import find_by_name, suggest_name
from companion.requests import Request
from companion.requests.fields import TextField
from companion.scenes import evaluate_scene
from companion.session.session import Session
from companion.session.upcoming_round import can_open_round
from companion.session.view import (
    Holding,
    beginning_of_history,
    list_history_entries,
    make_view,
    movable_holdings_by_place,
    undone_hidden_corrections_and_rolls,
)
from companion.table.ledger import Place
from companion.table.seats import Seat, find_seat_by_name, find_seat_in_first_words
from companion.terminal import table_text
from companion.terminal.answers import parse_typed_answer, question_line, typing_hints
from companion.terminal.terminal import (
    BOLD,
    DIM,
    Terminal,
    name_and_key_by_seat,
    normalize_letter_width_and_strip,
)
from companion.texts import Labelled, Say, render, say, say_list, say_n

WHOLE_NUMBER_PATTERN = re.compile(r"[0-9]{1,6}")
MORE_THAN_ALL_ANSWERS = 1_000_000
"""A number that is larger than that of the answers in any game; it stands for all answers."""
MIN_LETTERS_OF_MISSPELLED_COMMAND = 3
"""The fewest letters of a word that may be a misspelled command."""
COMMAND_BY_SYNONYM = {
    **dict.fromkeys(("q", ":q", "exit", "bye"), "quit"),
    **dict.fromkeys(("h", "commands"), "help"),
    **dict.fromkeys(("list", "log", "hist"), "history"),
    **dict.fromkeys(("stats", "status", "score", "scores", "table", "show"), "state"),
}
"""The command for each other word that people type for it."""
DEFAULT_HISTORY_LENGTH = 12
"""Number of events that `history` shows by default."""

CommandHandler = Callable[[ActionTarget, Terminal, str], bool]
"""A function that runs a command with the rest of its line; returns True if the table may have changed."""


class QuitTerminal(Exception):
    """Raised when people quit; the game stays open."""


class TerminalCommand(msgspec.Struct, frozen=True):
    """A typed command, and the function that runs it with the rest of the line."""

    command: CommandUsage
    handle: CommandHandler

    @property
    def word(self) -> Say:
        """The word that calls the command."""
        return self.command.word


def all_commands() -> list[TerminalCommand]:
    """Returns all commands in the order of the help."""
    action_commands = [
        TerminalCommand(action.command, partial(run_typed_action, action))
        for action in ACTIONS.values()
        if action.command is not None
    ]
    return [HELP_COMMAND, *action_commands, *TERMINAL_ONLY_COMMANDS]


class TypedCommand(NamedTuple):
    """The command that a typed line begins with, and the rest of the line."""

    command: TerminalCommand
    rest_of_line: str


def find_command(line: str, terminal: Terminal) -> TypedCommand | None:
    """Returns the command that a line begins with; None if there is none.

    The command's word may be English or in the reader's language.
    """
    for command in all_commands():
        for word in (render(command.word), terminal.render(command.word)):
            if line.lower() == word or line.lower().startswith(f"{word} "):
                return TypedCommand(command, line[len(word) :].strip())
    return TypedCommand(HELP_COMMAND, "") if line == "?" else None


def find_command_by_synonym(line: str, terminal: Terminal) -> TypedCommand | None:
    """Returns the command for a synonym; None if the line begins with no synonym.

    Only for lines that are no answer.
    """
    first_word, _, rest = line.partition(" ")
    word = COMMAND_BY_SYNONYM.get(first_word.lower())
    match = None if word is None else find_command(word, terminal)
    return match and TypedCommand(match.command, rest.strip())


def suggest_command_word(line: str, terminal: Terminal) -> str | None:
    """Returns the command word most similar to the first word of the line; None if none is similar."""
    words = [
        word for command in all_commands() for word in (render(command.word), terminal.render(command.word))
    ]
    first_word = line.partition(" ")[0]
    return (
        suggest_name(first_word, [*words, *COMMAND_BY_SYNONYM])
        if len(first_word) >= MIN_LETTERS_OF_MISSPELLED_COMMAND
        else None
    )


# Actions


def run_typed_action(action: TableAction, evening: ActionTarget, terminal: Terminal, arguments: str) -> bool:
    """Runs an action with parameters from the rest of the line; returns True if the table may have changed.

    Asks for missing parameters.
    """
    change_count_before = evening.current_session.change_count
    read_parameters = PARAMETER_READER_BY_ACTION.get(action.key)
    parameters = (
        read_parameters(evening, terminal, arguments)
        if read_parameters
        else _read_parameters(action, evening, terminal, arguments)
    )
    run_action_with_confirmations(action, evening, terminal, parameters)
    return evening.current_session.change_count != change_count_before


def run_action_with_confirmations(
    action: TableAction, evening: ActionTarget, terminal: Terminal, parameters: ParameterValues
) -> None:
    """Runs an action, asks for the confirmations that it needs, and prints its outcome."""
    confirmed_keys: set[str] = set()
    while True:
        try:
            outcome = action.run(evening, parameters, confirmed_keys)
        except NeedsConfirmation as needed:
            is_error = needed.session_error_or_self is not needed
            (terminal.print_error if is_error else terminal.print_line)(needed.text)
            if not terminal.ask_for_yes(needed.question):
                return
            confirmed_keys.add(needed.key)
        else:
            _print_outcome(terminal, outcome)
            return


def _print_outcome(terminal: Terminal, outcome: ActionOutcome) -> None:
    for text in outcome.undone_texts:
        terminal.print_line(say("Undone: {what}", what=text), style=BOLD)
    for text in outcome.redone_texts:
        terminal.print_line(say("Redone: {what}", what=text), style=BOLD)
    if outcome.amended_answer_text is not None:
        terminal.print_line(say("Amended: {what}", what=outcome.amended_answer_text), style=BOLD)
    if outcome.score is not None:
        table_text.print_score(terminal, outcome.score, ended_early=True)
    for text in outcome.messages:
        terminal.print_line(text)
    if outcome.why_asked_again is not None:
        terminal.print_line(outcome.why_asked_again)
    for move in outcome.moves_by_hand or ():
        terminal.print_line(say("Moved by hand: {move}", move=move))


def _read_parameters(
    action: TableAction, evening: ActionTarget, terminal: Terminal, rest: str
) -> ParameterValues:
    """Returns the parameters of an action: a word for each; a text takes the rest of the line.

    Asks for missing parameters.
    """
    values: dict[str, Any] = {}
    words = rest.split()
    while (missing := action.next_missing_parameter(evening, values)) is not None:
        parameter, form = missing
        if not words:
            terminal.print_line(parameter.question, style=BOLD)
            for hint in typing_hints(form):
                terminal.print_line(say("  {hint}", hint=hint))
            line = terminal.ask_line("> ")
        elif isinstance(form.single_field, TextField):
            line, words = " ".join(words), []
        else:
            line = words.pop(0)
        values[parameter.key] = parse_typed_answer(form, line, terminal.language)
    return values


def _read_redo_count(_: ActionTarget, terminal: Terminal, rest: str) -> ParameterValues:
    if rest in ("all", terminal.render(say("all"))):
        return {"count": MORE_THAN_ALL_ANSWERS}
    if rest and not WHOLE_NUMBER_PATTERN.fullmatch(rest):
        raise UserError(say('Type "redo", "redo all", or "redo" and the number of answers to redo.'))
    return {"count": int(rest or 1)}


def _read_back_target(evening: ActionTarget, _: Terminal, rest: str) -> ParameterValues:
    if not WHOLE_NUMBER_PATTERN.fullmatch(rest):
        raise UserError(
            say(
                'Type "back" and the number of an answer, such as: back 12. Type "history" to '
                "see the numbers."
            )
        )
    return {"kept": evening.current_session.step_count_before_answer(int(rest))}


def _read_amendment(evening: ActionTarget, terminal: Terminal, rest: str) -> ParameterValues:
    """Returns the parameters of an amendment: the number of an answer, its seat in a round, the new answer.

    Asks for missing parameters.
    """
    number, _, words = rest.partition(" ")
    answered_questions = evening.current_session.rulebook_run.answered_questions
    if number not in [str(answered.question_number) for answered in answered_questions]:
        raise UserError(
            say(
                'Type "amend" and the number of an answer, such as: amend 12. '
                'Type "history" to see the numbers.'
            )
        )
    values: dict[str, Any] = {"event": int(number)}
    question = find_question_to_amend(evening, values)
    if question.parts_by_seat:
        seat, words = _read_amended_seat(terminal, question, words)
        values["seat"] = seat.key
        question = question.parts_by_seat[seat]
    line = words or _ask_new_answer(terminal, question)
    asked_seat = question.seats[0] if question.seats else None
    return {**values, "answer": parse_typed_answer(question.form, line, terminal.language, asked_seat)}


def _read_new_name(evening: ActionTarget, _: Terminal, rest: str) -> ParameterValues:
    old_name, equals, new_name = rest.partition("=")
    if not equals:
        raise UserError(say("Type the old and the new name like this: rename Aki = Dai"))
    return {"seat": _find_seat(evening, old_name).key, "name": new_name.strip()}


def _read_seat_key(evening: ActionTarget, _: Terminal, rest: str) -> ParameterValues:
    return {"seat": _find_seat(evening, rest).key}


def _find_seat(evening: ActionTarget, name: str) -> Seat:
    """Returns the seat with a name; raises `UnknownName`, which lists the names."""
    return find_seat_by_name(name.strip(), name_and_key_by_seat(evening.current_session.table.seats))


# Corrections: typed in one line, or asked for step by step

ASK_AGAIN_PREFIX_PATTERN = re.compile(r"again(?: |$)")
CORRECTION_LINE_PATTERN = re.compile(r"([0-9]{1,9}) (?:[×x] )?(.+?) from (.+?) to (.+?)(?:: (.*))?")
TypedCorrection = tuple[str, str, str, str, str]
"""A typed correction: count, piece, source, target and reason."""


def read_correction(evening: ActionTarget, terminal: Terminal, line: str) -> ParameterValues:
    """Returns the parameters of a correction that is typed in a line, or asked for if the line is empty.

    After a line that begins with `again`, the open question is asked once more. Raises `UserError` if
    people stop half-way.
    """
    session = evening.current_session
    again_match = ASK_AGAIN_PREFIX_PATTERN.match(line)
    line = line[again_match.end() :] if again_match else line
    if line:
        match = CORRECTION_LINE_PATTERN.fullmatch(line)
        if match is None or not (match[5] or session.game.has_free_moves):
            raise UserError(
                say(
                    'Type only "correct", or a whole correction, such as: correct 2 cards from bank to '
                    "Aki/hand: miscounted"
                )
            )
        count, *names, reason = match.groups(default="")
        piece, source, target = _find_piece_and_place_keys(session, terminal, int(count), *names)
    else:
        count, piece, source, target, reason = _ask_for_correction(session, terminal)
    move = {"from": source, "to": target, "piece": piece, "count": int(count)}
    return {**move, "reason": reason, "again": bool(again_match)}


LabelsByKey = Mapping[str, Collection[Labelled]]
"""The labels of each key."""


def _find_piece_and_place_keys(
    session: Session, terminal: Terminal, count: int, piece: str, *places: str
) -> list[str]:
    """Returns the keys of a piece, a source and a target that are typed by key or label: `coins`, `Aki`."""
    holdings_by_place = movable_holdings_by_place(session)
    slot_by_place = session.table.ledger.current_slot_by_place()
    piece_labels: dict[str, tuple[Labelled, ...]] = {}
    full_places: dict[str, tuple[Labelled, ...]] = {}
    empty_places: dict[str, tuple[Labelled, ...]] = {}
    for place, holdings in holdings_by_place.items():
        place_labels = full_places if holdings else empty_places
        place_labels[place.key] = _place_labels(slot_by_place.get(place, place))
        for holding in holdings:
            piece_labels[holding.piece.key] = holding.piece, holding.piece.quantity_text(count)
    source, target = places
    return [
        _find_key(piece, terminal, piece_labels, count=count),
        _find_key(source, terminal, full_places, empty_places),
        _find_key(target, terminal, empty_places, full_places),
    ]


def _place_labels(place: Place) -> tuple[Labelled, ...]:
    return place, place.label_as_owner


def _find_key(word: str, terminal: Terminal, *label_maps: LabelsByKey, count: int | None = None) -> str:
    """Returns the key whose label is a word, looking through `label_maps` in order; else the word itself.

    `count` was typed before the word and may be the beginning of its label.
    """
    if any(word in labels_by_key for labels_by_key in label_maps):
        return word
    languages = "en", terminal.language
    for labels_by_key in label_maps:
        names_by_key = {
            key: [
                normalize_letter_width_and_strip(render(label, language)).removeprefix(f"{count} ")
                for label in labels
                for language in languages
            ]
            for key, labels in labels_by_key.items()
        }
        matches = find_by_name(word, names_by_key)
        if len(matches) == 1:
            return matches[0]
    return word


def _ask_for_correction(session: Session, terminal: Terminal) -> TypedCorrection:
    holdings_by_place = movable_holdings_by_place(session)
    slot_by_place = session.table.ledger.current_slot_by_place()
    movable = [holding for holdings in holdings_by_place.values() for holding in holdings]
    labels = [_describe_holding(holding, slot_by_place) for holding in movable]
    source = movable[_ask_choice(terminal, say("What do you want to move?"), labels)]
    places = [
        account.place
        for account in session.table.ledger
        if account.piece == source.piece
        and account.place != source.place
        and account.place in holdings_by_place
    ]
    target = places[
        _ask_choice(terminal, say("Where to?"), [slot_by_place.get(place, place) for place in places])
    ]
    count = "1" if source.count == 1 else _ask_text(terminal, say("How many?"))
    if not count.isdecimal() or len(count) > 9:  # noqa: PLR2004 - nobody moves a milliard pieces
        raise _nothing_moved_error()
    reason = "" if session.game.has_free_moves else _ask_text(terminal, say("Why?"))
    return count, source.piece.key, source.place.key, target.key, reason


def _describe_holding(holding: Holding, slot_by_place: Mapping[Place, Place]) -> Labelled:
    place = slot_by_place.get(holding.place, holding.place)
    if holding.count is None or holding.count < 1:
        return say("{place}: {piece}", place=place, piece=holding.piece)
    return say("{place}: {piece}", place=place, piece=holding.piece.quantity_text(holding.count))


def _ask_choice(terminal: Terminal, question: Labelled, options: Sequence[Labelled]) -> int:
    for number, option in enumerate(options, 1):
        terminal.print_line(f"  {number:>2}  {terminal.render(option)}")
    line = _ask_text(terminal, question)
    if line.isdecimal() and len(line) < 9 and 1 <= int(line) <= len(options):  # noqa: PLR2004 - see above
        return int(line) - 1
    raise _nothing_moved_error()


def _ask_text(terminal: Terminal, question: Labelled) -> str:
    line = terminal.ask_line(
        terminal.render(say("{question} (press Enter to move nothing) ", question=question))
    )
    if not line:
        raise _nothing_moved_error()
    return line


def _nothing_moved_error() -> UserError:
    return UserError(say("Nothing was moved."))


PARAMETER_READER_BY_ACTION: Mapping[str, Callable[[ActionTarget, Terminal, str], ParameterValues]] = {
    "redo": _read_redo_count,
    "back": _read_back_target,
    "amend": _read_amendment,
    "correct": read_correction,
    "rename": _read_new_name,
    "leave": _read_seat_key,
    "come_back": _read_seat_key,
}
"""The function that reads an action's parameters, by action key; other actions take a word per parameter."""


def _ask_new_answer(terminal: Terminal, question: Request[object]) -> str:
    terminal.print_line(question_line(question), style=BOLD)
    for hint in typing_hints(question.form):
        terminal.print_line(say("  {hint}", hint=hint))
    return terminal.ask_line(terminal.render(say("New answer: ")))


def _read_amended_seat(terminal: Terminal, question: Request[object], words: str) -> tuple[Seat, str]:
    """Returns the seat whose answer is amended, which is typed or asked for, and the rest of the line."""
    words = words or terminal.ask_line(terminal.render(say("Whose answer? ")))
    if match := find_seat_in_first_words(words.split(), name_and_key_by_seat(question.seats)):
        seat, word_count = match
        return seat, " ".join(words.split()[word_count:])
    raise UserError(say("Type the name of a player who answered: {seats}.", seats=say_list(question.seats)))


# Commands that only a terminal has


def print_help(evening: ActionTarget, terminal: Terminal, arguments: str) -> bool:  # noqa: ARG001 - as each Do
    """Prints help: the rule behind the question, how to answer, and all commands."""
    session = evening.current_session
    if help_text := make_view(session).help_text:
        terminal.print_line(help_text, style=BOLD)
    terminal.print_line(
        say("The lines above the prompt say what to type. Press only Enter to see the question again.")
    )
    rows = []
    for command in all_commands():
        words = dict.fromkeys([render(command.word), terminal.render(command.word)])
        usage = f"{' / '.join(words)} {command.command.argument_hint}"
        rows.append([usage, terminal.render(command.command.help)])
    if PAY.is_offered(evening):
        names = " ".join(seat.name for seat in session.table.seats[:2])
        rows.append([f"{names} 37", terminal.render(say("pays money, or moves a piece that you name"))])
    if can_open_round(session.game.typed_numbers_option_key, session.question):
        rows.append(
            ["12 -3 …", terminal.render(say("enters a whole round: one number for each player, clockwise"))]
        )
    for line in align_columns(rows):
        terminal.print_line(f"  {line}")
    return False


def print_redoable_answer_count(session: Session, terminal: Terminal) -> None:
    """Prints how many answers that an amendment undid can be redone now, or else after the next answer."""
    if session.fitting_redo_count:
        text = say_n(
            '  Type "redo all" to bring back {n} more answer.',
            '  Type "redo all" to bring back {n} more answers.',
            session.fitting_redo_count,
        )
        terminal.print_line(text, style=DIM)
    elif session.waiting_redo_count:
        text = say_n("  After this answer, you can redo {n} more answer.",
                     "  After this answer, you can redo {n} more answers.",
                     session.waiting_redo_count)  # fmt: skip  # one sentence
        terminal.print_line(text, style=DIM)


def print_history(evening: ActionTarget, terminal: Terminal, arguments: str) -> bool:
    """Prints the latest events, each with the number to amend it by; `history 99` prints more."""
    session = evening.current_session
    count = int(arguments) if WHOLE_NUMBER_PATTERN.fullmatch(arguments) else DEFAULT_HISTORY_LENGTH
    entries = [*beginning_of_history(session), *list_history_entries(session)]
    undone = undone_hidden_corrections_and_rolls(session)
    for _, text in undone:
        terminal.print_line(f"{'!':>5}  {terminal.render(text)}")
    for entry in entries[max(0, len(entries) - count) :]:
        number = "" if entry.question_number is None else str(entry.question_number)
        terminal.print_line(f"{number:>5}  {terminal.render(entry.text)}")
        for note in entry.notes:
            terminal.print_line(f"{'':5}  {terminal.render(note)}", style=DIM)
    if not entries and not undone:
        terminal.print_line(say("Nothing has happened yet."))
    return False


def print_public_table_state(evening: ActionTarget, terminal: Terminal, arguments: str) -> bool:  # noqa: ARG001 - as each Do
    """Prints everything on the table that everybody may see."""
    session = evening.current_session
    table_view = make_view(session)
    scene_view = evaluate_scene(table_view, session.scene)
    table_text.print_heading(terminal, table_view)
    table_text.print_seats(terminal, table_view, scene_view)
    endless = table_text.endless_accounts(session)
    table_text.print_table_middle(terminal, scene_view, endless)
    table_text.print_holdings_outside_scene(terminal, scene_view, endless)
    return False


def change_language(evening: ActionTarget, terminal: Terminal, arguments: str) -> bool:  # noqa: ARG001 - as each Do
    """Changes the language, given by its code or its own name."""
    language_by_code = languages.languages()
    names_by_code = {code: (code, language.name) for code, language in language_by_code.items()}
    codes = name_matching.find_by_name(arguments, names_by_code)
    if not codes:
        known = ", ".join(language_by_code)
        raise UserError(say('Type "language" and one of these: {languages}.', languages=known))
    terminal.language = codes[0]
    return True


def quit_terminal(evening: ActionTarget, terminal: Terminal, arguments: str) -> bool:  # noqa: ARG001 - as each Do
    """Quits by raising `QuitTerminal`: the game stays open and can be resumed."""
    raise QuitTerminal


HELP_COMMAND = TerminalCommand(CommandUsage(say("help"), "", say("shows this list")), print_help)
TERMINAL_ONLY_COMMANDS = (
    TerminalCommand(
        CommandUsage(say("history"), "[99]", say("shows the history of the game")), print_history
    ),
    TerminalCommand(CommandUsage(say("state"), "", say("shows the whole table")), print_public_table_state),
    TerminalCommand(CommandUsage(say("language"), "CODE", say("changes the language")), change_language),
    TerminalCommand(CommandUsage(say("quit"), "", say("quits; everything is saved")), quit_terminal),
)
"""Commands that only a terminal has."""
