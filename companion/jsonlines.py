"""The front end for programs: plays a game with one line of JSON in, one line of JSON out (docs/json.md).

A line is written only after what it acknowledges is saved. The line holds only what everybody may know.
The keys of a line that does an action come from the table of actions. The module knows no game; the question
decides whether an answer is legal.
"""

from __future__ import annotations

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import msgspec

from companion.actions import (
    ACTIONS,
    LATER_ANSWERS_CONFIRMATION,
    REVEAL_CONFIRMATION,
    NeedsConfirmation,
    SessionAndStore,
    TableAction,
)
from companion.bounds import MAX_TEXT_CHARACTERS
from companion.errors import CompanionError, ReplayConflict, UserError
from companion.files import bounded_json
from companion.form_json import Json, form_as_json
from companion.log.events import Answered
from companion.requests import Request
from companion.session.session import Session
from companion.session.view import (
    HistoryEntry,
    View,
    history_entry_of_answer,
    list_history_entries,
    make_view,
)
from companion.store import Store
from companion.table.seats import Seat
from companion.texts import Say, render, say

MAX_LINE_BYTES = 1_000_000
"""The greatest length of a line; a longer line is read to its end and refused."""
MAX_LETTERS_OF_VALUE_IN_ERROR = 40
"""The most letters of a wrong value that an error repeats."""


class MessageShape(msgspec.Struct, frozen=True):
    """The keys of one kind of line and the types of their values."""

    required_keys: Mapping[str, type] = {}
    optional_keys: Mapping[str, type] = {}


ANSWER_SHAPE = MessageShape({"n": int, "answer": object}, {"seat": str})
JSON_ONLY_ACTIONS = {"state": MessageShape()}
"""The actions that only JSON lines have."""
ACTIONS_NOT_IN_JSON = ("back", "pause", "go_on", "set_clocks")
"""The actions that are not in JSON lines.

`undo` has `to` instead of `back`, and nobody sets or pauses clocks here.
"""
EXTRA_KEYS_BY_ACTION: Mapping[str, Mapping[str, type]] = {"undo": {"to": int}, "redo": {"past_reveal": bool}}
"""The extra JSON keys of each action, with their types.

The key of `redo` has no effect.
"""
JSON_KEY_BY_CONFIRMATION = {LATER_ANSWERS_CONFIRMATION: "go_back", REVEAL_CONFIRMATION: "past_reveal"}
"""The JSON key with which a program confirms, for each confirmation.

A confirmation without a key counts as given.
"""


def action_names() -> list[str]:
    """Returns the names of all actions in JSON, the possible values of `do`."""
    return [*(key for key in ACTIONS if key not in ACTIONS_NOT_IN_JSON), *JSON_ONLY_ACTIONS]


def message_shape(action_name: str | None) -> MessageShape:
    """Returns the keys that a line with an action must and may have; None stands for an answer."""
    if action_name is None:
        return ANSWER_SHAPE
    if action_name in JSON_ONLY_ACTIONS:
        return JSON_ONLY_ACTIONS[action_name]
    action = ACTIONS[action_name]
    confirmation_keys = [
        JSON_KEY_BY_CONFIRMATION[key] for key in action.confirmations if key in JSON_KEY_BY_CONFIRMATION
    ]
    return MessageShape(
        {parameter.key: parameter.json_type for parameter in action.parameters if not parameter.is_optional},
        {
            **{
                parameter.key: parameter.json_type for parameter in action.parameters if parameter.is_optional
            },
            **dict.fromkeys(confirmation_keys, bool),
            **EXTRA_KEYS_BY_ACTION.get(action_name, {}),
        },
    )


_TYPE_NAMES = {int: "a whole number", str: "a text", bool: "true or false"}


class JsonMessage(msgspec.Struct, frozen=True):
    """A parsed line: its action, and its other keys as arguments; without an action, an answer."""

    action: str | None
    arguments: dict[str, Any]


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yields the lines of a stream; of a line that is too long, only its first `MAX_LINE_BYTES` + 1 bytes."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE_BYTES)
        yield line


def parse_message(line_number: int, line: bytes) -> JsonMessage:
    """Returns the message in a line; raises `UserError`, which names the line and what is wrong with it."""
    if line_number == 1:
        line = line.removeprefix(BOM_UTF8)  # Windows begins files with it
    try:
        return _make_message(_parse_json_object(line))
    except UserError as error:
        raise UserError(say("Line {line}: {why}", line=line_number, why=error.text)) from error


def _parse_json_object(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE_BYTES:
        raise UserError(say("a line can have at most {most} bytes.", most=MAX_LINE_BYTES))
    try:
        value = bounded_json.parse_json(line.decode().rstrip("\r\n"), MAX_TEXT_CHARACTERS)
    except UnicodeError:
        raise UserError(say("this is not valid UTF-8.")) from None
    except json.JSONDecodeError as error:
        raise UserError(
            say("this is not valid JSON: {why} at column {column}.", why=error.msg, column=error.pos + 1)
        ) from None
    if not isinstance(value, dict):
        raise UserError(say('a line must be a JSON object, such as {{"do": "state"}}.'))
    return value


def _make_message(json_object: dict[str, Any]) -> JsonMessage:
    action = json_object.pop("do", None)
    names = action_names()
    if action is not None and action not in names:
        raise UserError(
            say(
                '"do" can\'t be {do}; choose from: {deeds}.', do=_format_value(action), deeds=", ".join(names)
            )
        )
    shape = message_shape(action)
    for key in shape.required_keys:
        if key not in json_object:
            raise UserError(
                say('"{key}" is missing; {keys}.', key=key, keys=_describe_allowed_keys(action, shape))
            )
    for key, value in json_object.items():
        _check_key_and_type(action, shape, key, value)
    return JsonMessage(action, json_object)


def _check_key_and_type(action: str | None, shape: MessageShape, key: str, value: object) -> None:
    expected_type = {**shape.required_keys, **shape.optional_keys}.get(key)
    if expected_type is None:
        raise UserError(
            say('"{key}" is unknown here; {keys}.', key=key, keys=_describe_allowed_keys(action, shape))
        )
    if expected_type is not object and type(value) is not expected_type:
        raise UserError(
            say(
                '"{key}" must be {kind}, not {value}.',
                key=key,
                kind=_TYPE_NAMES[expected_type],
                value=_format_value(value),
            )
        )


def _describe_allowed_keys(action: str | None, shape: MessageShape) -> Say:
    required = ", ".join(shape.required_keys) or "none"
    optional = ", ".join(shape.optional_keys) or "none"
    subject = say("an answer") if action is None else say("{do}", do=action)
    return say(
        "{what} needs these keys: {needed}. It can also have these keys: {optional}",
        what=subject,
        needed=required,
        optional=optional,
    )


def _format_value(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_LETTERS_OF_VALUE_IN_ERROR else text[:MAX_LETTERS_OF_VALUE_IN_ERROR] + "…"


# A game, line by line


JSON_ANSWER_SOURCE = "json"


def play_over_stdio(session: Session, store: Store | None = None) -> int:
    """Plays over standard input and output until the input ends, and returns the exit status.

    Every answer is saved at once.
    """
    play_over_streams(session, sys.stdin.buffer, sys.stdout.buffer, store)
    return 0


def play_over_streams(
    session: Session, lines_in: BinaryIO, lines_out: BinaryIO, store: Store | None = None
) -> None:
    """Plays a game over two streams: writes the open question, then a reply to each line read."""
    json_session = JsonSession(session, store)
    _write_line(lines_out, json_session.question_with_last_event())
    for number, line in enumerate(read_lines(lines_in), 1):
        _write_line(lines_out, json_session.reply(number, line))


class JsonSession:
    """A session in JSON lines: a program's conversation about one game."""

    def __init__(self, session: Session, store: Store | None = None) -> None:
        self._session = session
        self._game = SessionAndStore(session, store)

    def question_or_result(self) -> Json:
        """Returns the open question, or the result if the game is over."""
        return question_or_result_as_json(self._session)

    def question_with_last_event(self) -> Json:
        """Returns the open question with the last event: perhaps nobody read it before the game was left."""
        return _add_changes(
            self.question_or_result(), last_answer_texts(self._session), winners_of_last_reveal(self._session)
        )

    def reply(self, line_number: int, line: bytes) -> Json:
        """Returns the reply to a line; `line_number` counts from 1."""
        try:
            message = parse_message(line_number, line)
            action = ACTIONS.get(message.action) if message.action else None
            own_source = None if message.action else JSON_ANSWER_SOURCE
            replays = action is not None and action.replays_answers
            changes = GameChanges(self._session, own_source=own_source, replays=replays)
            reply = self._run_message(message.action, message.arguments)
            return _add_changes(reply, changes.describe(), changes.winners_of_new_reveal())
        except CompanionError as error:
            return {"n": self._session.question_number, **self._error_as_json(error)}

    def _run_message(self, action_name: str | None, arguments: Json) -> Json:
        if action_name is None:
            return self._answer(arguments)
        if action_name == "state":
            return {"state": public_table_as_json(self._session)}
        if action_name == "undo" and "to" in arguments:
            action_name = "back"
            arguments = {**arguments, "kept": self._session.step_count_before_answer(arguments["to"])}
        return self._run_action(ACTIONS[action_name], arguments)

    def _answer(self, arguments: Json) -> Json:
        session, n = self._session, arguments["n"]
        if "seat" not in arguments:
            session.answer(n, arguments["answer"], JSON_ANSWER_SOURCE)
            return self.question_or_result()
        seat = session.table.seats.find_seat(arguments["seat"])
        session.put_answer_in_envelope(n, seat, arguments["answer"], JSON_ANSWER_SOURCE)
        return (
            {"n": n, "seat": seat.name, "taken": True}
            if session.question_number == n
            else self.question_or_result()
        )

    def _run_action(self, action: TableAction, arguments: Json) -> Json:
        """Runs an action and returns the reply, which holds the question if it has changed."""
        confirmed = [
            key
            for key in action.confirmations
            if key not in JSON_KEY_BY_CONFIRMATION or arguments.get(JSON_KEY_BY_CONFIRMATION[key], False)
        ]
        outcome = action.run(self._game, arguments, confirmed)
        line: Json = (
            {} if action.changes_answers else {"done": action.key, "n": self._session.question_number}
        )
        if outcome.ended_early:
            result = outcome.score and {
                **outcome.score.to_json(render),
                **_provisional_mark(make_view(self._session)),
            }
            line |= {"early": True, "result": result}
        if outcome.why_asked_again is not None:
            line["why"] = render(outcome.why_asked_again)
        if not outcome.is_question_unchanged:
            line |= self.question_or_result()
        if outcome.moves_by_hand is not None:
            line["by_hand"] = [render(move) for move in outcome.moves_by_hand]
        return line

    def _error_as_json(self, error: CompanionError) -> Json:
        """Returns why a line was refused; if a confirmation is missing, why it is needed."""
        if isinstance(error, NeedsConfirmation):
            error = error.session_error_or_self
        if isinstance(error, ReplayConflict):
            return {"error": str(error), "event": error.event_number}
        return {"error": str(error), **self._replacement_directory_as_json()}

    def _replacement_directory_as_json(self) -> Json:
        """Returns the key `elsewhere` if the game's own directory is lost: where the game can continue."""
        store = self._game.store
        directory = store.find_new_directory_if_lost() if store else None
        return {} if directory is None else {"elsewhere": str(directory)}


def question_or_result_as_json(session: Session) -> Json:
    """Returns the open question of a session, or the result if the game is over."""
    if session.result is None:
        return question_as_json(session)
    return {"result": {**session.result.to_json(render), **_provisional_mark(make_view(session))}}


def question_as_json(session: Session) -> Json:
    """Returns the open question as JSON."""
    table_view = make_view(session)
    question = table_view.question
    assert question is not None
    line: Json = {
        "n": table_view.question_number,
        "kind": question.kind,
        "asks": session.rulebook_run.replace_seat_numbers_with_names(question.log_key),
        "text": _question_text(question),
        "seats": [seat.name for seat in question.seats],
    }
    if question.parts_by_seat:
        line["in"] = [envelope.seat.name for envelope in table_view.envelopes if envelope.has_answer]
    if question.parts_by_seat and not question.is_sealed:
        line["open"] = _open_answers(table_view)
    line["limits"] = question.limits_json
    if not question.parts_by_seat:
        line["form"] = form_as_json(question.form)
    if table_view.waiting_redo_count:
        line["redo"] = {"waiting": table_view.waiting_redo_count, "fitting": table_view.fitting_redo_count}
    if (reminder := session.due_reminder) is not None:
        line["reminder"] = render(reminder.text)
    if question.parts_by_seat:
        line["parts"] = {seat.name: _part_as_json(part) for seat, part in question.parts_by_seat.items()}
    return line


def _open_answers(table_view: View) -> Json:
    """Returns the answers given so far in an open round, by the name of the seat."""
    return {
        envelope.seat.name: envelope.open_answer[0]
        for envelope in table_view.envelopes
        if envelope.open_answer is not None
    }


def public_table_as_json(session: Session) -> Json:
    """Returns the public state of the table: the number of every piece at every place.

    Everybody may know these numbers; null is a hidden number.
    """
    table_view = make_view(session)
    places: dict[str, dict[str, int | None]] = {}
    for holding in table_view.holdings:
        places.setdefault(holding.place.key_with_player_name, {})[holding.piece.key] = holding.count
    is_over = table_view.result is not None
    line: Json = {
        "n": table_view.question_number,
        "game": session.game.key,
        "over": is_over,
        "places": places,
    }
    if table_view.piles:
        line["piles"] = {
            place.key_with_player_name: [piece.key for piece in pile]
            for place, pile in table_view.piles.items()
        }
    if table_view.absent_seats:
        line["absent"] = [seat.name for seat in table_view.absent_seats]
    return {**line, **_provisional_mark(table_view)}


def _provisional_mark(table_view: View) -> Json:
    """Returns the key `provisional` if values are provisional, else nothing."""
    return {"provisional": True} if table_view.has_provisional_values else {}


def _part_as_json(part: Request[Any]) -> Json:
    return {
        "kind": part.kind,
        "text": _question_text(part),
        "limits": part.limits_json,
        "form": form_as_json(part.form),
    }


def _question_text(question: Request[Any]) -> str:
    """Returns the question's text; after it stands what null means if the text doesn't say it."""
    decline = question.form.decline
    if decline is not None and decline.key == "cant" and decline.barred_reason is None:
        return render(say("{question} (null: {cant})", question=question.text, cant=decline.label))
    return render(question.text)


def _add_changes(line: Json, texts: Sequence[Say], winners: Sequence[Seat]) -> Json:
    notes = {"notes": [render(text) for text in texts]} if texts else {}
    return {**line, **notes, **({"won": [seat.name for seat in winners]} if winners else {})}


def _write_line(out: BinaryIO, line: Json) -> None:
    out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    out.flush()


# Changes since a moment, for the line that reports them. Nothing is reported twice: undone answers aren't
# reported, redone answers are, and of replayed answers only those that turned out differently.


class GameChanges:
    """The changes of a session since this object was created.

    `own_source`: answers from this source aren't described, because the front end itself gave them; sealed
    answers always are. `replays`: the change plays earlier answers again.
    """

    def __init__(self, session: Session, *, own_source: str | None = None, replays: bool = False) -> None:
        self._session = session
        self._own_source = own_source
        self._known_questions = {
            answered.question_number for answered in session.rulebook_run.answered_questions
        }
        self._entries_before = (
            {entry.question_number: entry for entry in list_history_entries(session)} if replays else {}
        )

    def describe(self) -> list[Say]:
        """Returns the changes as sentences, oldest first: answers, and the notes of each."""
        return [text for entry in self._new_entries() for text in self._texts(entry)]

    def winners_of_new_reveal(self) -> tuple[Seat, ...]:
        """Returns the winners of what the last answer revealed; nobody if that answer isn't new."""
        last_numbers = [
            answered.question_number for answered in self._session.rulebook_run.answered_questions[-1:]
        ]
        return (
            winners_of_last_reveal(self._session)
            if any(entry.question_number in last_numbers for entry in self._new_entries())
            else ()
        )

    def _new_entries(self) -> Iterator[HistoryEntry]:
        for index, answered in enumerate(self._session.rulebook_run.answered_questions):
            number = answered.question_number
            if number not in self._known_questions or number in self._entries_before:
                entry = history_entry_of_answer(self._session, index)
                if entry != self._entries_before.get(number):
                    yield entry

    def _texts(self, entry: HistoryEntry) -> Iterator[Say]:
        if not self._is_own_answer(entry):
            yield entry.text
        yield from entry.notes

    def _is_own_answer(self, entry: HistoryEntry) -> bool:
        answers = (step for step in reversed(self._session.steps) if isinstance(step, Answered))
        step = next(step for step in answers if step.n == entry.question_number)
        return step.via == self._own_source and not step.salts


def last_answer_texts(session: Session) -> list[Say]:
    """Returns the last answer and its notes; before the first answer, the notes of the beginning."""
    answered_questions = session.rulebook_run.answered_questions
    if not answered_questions:
        return list(session.table.notes)
    entry = history_entry_of_answer(session, len(answered_questions) - 1)
    return [entry.text, *entry.notes]


def winners_of_last_reveal(session: Session) -> tuple[Seat, ...]:
    """Returns the winners of what the last answer revealed; nobody if no envelopes were opened."""
    table_view = make_view(session)
    return table_view.winners if table_view.opened_envelopes is not None else ()
