"""Plays a game with a program: one line of JSON in, one line of JSON out (docs/json.md).

A line is written only after what it acknowledges is saved. It holds only what everybody may know.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from companion.actions import ACTIONS, NeedsConfirmation, SessionAndStore, TableAction
from companion.errors import CompanionError, ReplayConflict
from companion.jsonlines.messages import JSON_KEY_BY_CONFIRMATION, form_as_json, read_lines, read_message
from companion.log.events import Answered
from companion.requests import Request
from companion.session.session import Session
from companion.session.view import HistoryEntry, View, history_entry_of_answer, history_in_force, make_view
from companion.store import Store
from companion.table.seats import Seat
from companion.texts import Say, render, say

JSON_INPUT = "json"
Json = dict[str, Any]


def play_over_stdio(session: Session, store: Store | None = None) -> int:
    """Plays over standard input and output until the input ends; every answer is saved at once."""
    play_over_streams(session, sys.stdin.buffer, sys.stdout.buffer, store)
    return 0


def play_over_streams(
    session: Session, lines_in: BinaryIO, lines_out: BinaryIO, store: Store | None = None
) -> None:
    """Plays a game over two streams: writes one line in reply to each line read.

    First of all the open question is written.
    """
    wire = JsonSession(session, store)
    _write(lines_out, wire.question_with_last_event())
    for number, line in enumerate(read_lines(lines_in), 1):
        _write(lines_out, wire.reply(number, line))


class JsonSession:
    """A session in JSON lines: a program's conversation about one game."""

    def __init__(self, session: Session, store: Store | None = None) -> None:
        self._session = session
        self._game = SessionAndStore(session, store)

    def question_or_result(self) -> Json:
        """Returns the open question, or the result if the game is over."""
        return question_or_result(self._session)

    def question_with_last_event(self) -> Json:
        """Returns the open question with the last event.

        Perhaps nobody had read that event when the game was left.
        """
        return _with_changes(
            self.question_or_result(), last_answer_texts(self._session), winners_of_last_reveal(self._session)
        )

    def reply(self, line_number: int, line: bytes) -> Json:
        """Returns the reply to a line: the line to write.

        `line_number` counts from 1.
        """
        try:
            message = read_message(line_number, line)
            action = ACTIONS.get(message.action) if message.action else None
            own = None if message.action else JSON_INPUT
            news = GameChanges(self._session, own_source=own, replays=action is not None and action.replays)
            came = self._run(message.action, message.arguments)
            return _with_changes(came, news.describe(), news.winners_of_new_reveal())
        except CompanionError as error:
            return {"n": self._session.question_number, **self._refusal(error)}

    def _run(self, do: str | None, said: Json) -> Json:
        if do is None:
            return self._answer(said)
        if do == "state":
            return {"state": public_table_state(self._session)}
        if do == "undo" and "to" in said:
            do, said = "back", {**said, "kept": self._session.step_count_before_answer(said["to"])}
        return self._run_action(ACTIONS[do], said)

    def _answer(self, said: Json) -> Json:
        session, n = self._session, said["n"]
        if "seat" not in said:
            session.answer(n, said["answer"], JSON_INPUT)
            return self.question_or_result()
        seat = session.table.seats.find_seat(said["seat"])
        session.put_answer_in_envelope(n, seat, said["answer"], JSON_INPUT)
        return (
            {"n": n, "seat": seat.name, "taken": True}
            if session.question_number == n
            else self.question_or_result()
        )

    def _run_action(self, action: TableAction, said: Json) -> Json:
        """Runs an action; the line back holds the question if it has changed."""
        confirmed = [
            key
            for key in action.confirmations
            if key not in JSON_KEY_BY_CONFIRMATION or said.get(JSON_KEY_BY_CONFIRMATION[key], False)
        ]
        outcome = action.run(self._game, said, confirmed)
        line: Json = {} if action.is_answer else {"done": action.key, "n": self._session.question_number}
        if outcome.ended_early:
            result = outcome.score and {
                **outcome.score.to_json(render),
                **_provisional(make_view(self._session)),
            }
            line |= {"early": True, "result": result}
        if outcome.why_asked_again is not None:
            line["why"] = render(outcome.why_asked_again)
        if not outcome.is_question_unchanged:
            line |= self.question_or_result()
        if outcome.by_hand is not None:
            line["by_hand"] = [render(move) for move in outcome.by_hand]
        return line

    def _refusal(self, error: CompanionError) -> Json:
        """Returns why it was refused; if a confirmation is missing, why it is needed."""
        if isinstance(error, NeedsConfirmation):
            error = error.session_error_or_self
        if isinstance(error, ReplayConflict):
            return {"error": str(error), "event": error.event}
        return {"error": str(error), **self._offered_directory()}

    def _offered_directory(self) -> Json:
        """Returns the directory where the game can continue if its own is lost."""
        store = self._game.store
        place = store.find_replacement_directory() if store else None
        return {} if place is None else {"elsewhere": str(place)}


def question_or_result(session: Session) -> Json:
    """Returns the open question of a session, or the result if the game is over."""
    if session.result is None:
        return question_as_json(session)
    return {"result": {**session.result.to_json(render), **_provisional(make_view(session))}}


def question_as_json(session: Session) -> Json:
    """Returns the open question as JSON."""
    seen = make_view(session)
    asked = seen.question
    assert asked is not None
    line: Json = {
        "n": seen.question_number,
        "kind": asked.kind,
        "asks": session.run.replace_seat_numbers_with_names(asked.log_key),
        "text": _question_text(asked),
        "seats": [seat.name for seat in asked.seats],
    }
    if asked.parts_by_seat:
        line["in"] = [envelope.seat.name for envelope in seen.envelopes if envelope.has_answer]
    if asked.parts_by_seat and not asked.is_sealed:
        line["open"] = _open_answers(seen)
    line["limits"] = asked.limits_json
    if not asked.parts_by_seat:
        line["form"] = form_as_json(asked.form)
    if seen.waiting_redo_count:
        line["redo"] = {"waiting": seen.waiting_redo_count, "fitting": seen.fitting_redo_count}
    if asked.parts_by_seat:
        line["parts"] = {seat.name: _part_as_json(part) for seat, part in asked.parts_by_seat.items()}
    return line


def _open_answers(seen: View) -> Json:
    """Returns the answers so far of an open round."""
    return {one.seat.name: one.open_answer[0] for one in seen.envelopes if one.open_answer is not None}


def public_table_state(session: Session) -> Json:
    """Returns the public state of the table: the number of every piece at every place.

    Everybody may know these numbers; null is a hidden number.
    """
    seen = make_view(session)
    places: dict[str, dict[str, int | None]] = {}
    for holding in seen.holdings:
        places.setdefault(holding.place.key_with_player_name, {})[holding.piece.key] = holding.count
    over = seen.result is not None
    line: Json = {"n": seen.question_number, "game": session.game.key, "over": over, "places": places}
    if seen.piles:
        line["piles"] = {
            place.key_with_player_name: [piece.key for piece in pile] for place, pile in seen.piles.items()
        }
    if seen.absent_seats:
        line["absent"] = [seat.name for seat in seen.absent_seats]
    return {**line, **_provisional(seen)}


def _provisional(seen: View) -> Json:
    """Returns the key `provisional` only for provisional values."""
    return {"provisional": True} if seen.has_provisional_values else {}


def _part_as_json(part: Request[Any]) -> Json:
    return {
        "kind": part.kind,
        "text": _question_text(part),
        "limits": part.limits_json,
        "form": form_as_json(part.form),
    }


def _question_text(asked: Request[Any]) -> str:
    """Returns the question's text, with what null means if the text doesn't say it."""
    declined = asked.form.decline
    if declined is not None and declined.key == "cant" and declined.barred_reason is None:
        return render(say("{question} (null: {cant})", question=asked.text, cant=declined.label))
    return render(asked.text)


def _with_changes(line: Json, told: Sequence[Say], won: Sequence[Seat]) -> Json:
    notes = {"notes": [render(text) for text in told]} if told else {}
    return {**line, **notes, **({"won": [seat.name for seat in won]} if won else {})}


def _write(out: BinaryIO, line: Json) -> None:
    out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    out.flush()


# GameChanges since a moment, for the line that reports them. Nothing is reported twice: undone answers aren't
# reported, redone answers are, and of replayed answers only those that turned out differently.


class GameChanges:
    """What has changed in a session since this object was created; `describe` returns it.

    `own_source`: answers from this source aren't described, because the front end itself gave them; sealed
    answers always are. `replays`: the change plays earlier answers again.
    """

    def __init__(self, session: Session, *, own_source: str | None = None, replays: bool = False) -> None:
        self._session = session
        self._own = own_source
        self._known = {told.question_number for told in session.run.answered_questions}
        self._before = (
            {entry.question_number: entry for entry in history_in_force(session)} if replays else {}
        )

    def describe(self) -> list[Say]:
        """Returns what has happened since as sentences, oldest first: answers, and the notes of each."""
        return [text for entry in self._entries() for text in self._texts(entry)]

    def winners_of_new_reveal(self) -> tuple[Seat, ...]:
        """Returns the winners of what the last answer revealed, if that answer is new; else nobody."""
        last = [told.question_number for told in self._session.run.answered_questions[-1:]]
        return (
            winners_of_last_reveal(self._session)
            if any(entry.question_number in last for entry in self._entries())
            else ()
        )

    def _entries(self) -> Iterator[HistoryEntry]:
        for at, told in enumerate(self._session.run.answered_questions):
            if told.question_number not in self._known or told.question_number in self._before:
                entry = history_entry_of_answer(self._session, at)
                if entry != self._before.get(told.question_number):
                    yield entry

    def _texts(self, entry: HistoryEntry) -> Iterator[Say]:
        if not self._is_own(entry):
            yield entry.text
        yield from entry.notes

    def _is_own(self, entry: HistoryEntry) -> bool:
        answers = (step for step in reversed(self._session.steps) if isinstance(step, Answered))
        step = next(step for step in answers if step.n == entry.question_number)
        return step.via == self._own and not step.salts


def last_answer_texts(session: Session) -> list[Say]:
    """Returns the texts of the last answer: the answer and its notes.

    Before the first answer, they are the notes of the beginning.
    """
    told = session.run.answered_questions
    if not told:
        return list(session.table.notes)
    entry = history_entry_of_answer(session, len(told) - 1)
    return [entry.text, *entry.notes]


def winners_of_last_reveal(session: Session) -> tuple[Seat, ...]:
    """Returns the winners of what the last answer revealed; nobody if no envelopes were opened."""
    seen = make_view(session)
    return seen.winners if seen.opened_envelopes is not None else ()
