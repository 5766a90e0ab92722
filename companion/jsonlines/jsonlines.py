"""The front end for programs: one line of JSON in, one line of JSON out; docs/json.md says which.

A line is written only after what it acknowledges is kept. Nothing is shown but what all may know.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

from companion.actions import ACTIONS, Action, NeedsConfirmation, OneGame
from companion.errors import CompanionError, Misfit
from companion.jsonlines.forms import write_form
from companion.jsonlines.messages import CONFIRMED_BY, lines, read
from companion.jsonlines.news import News, last, winners
from companion.requests import Request
from companion.session.session import Session
from companion.session.view import View, view
from companion.store import Store
from companion.table.seats import Seat
from companion.words import Say, render, say

VIA = "json"
Json = dict[str, Any]


def play(session: Session, store: Store | None = None) -> int:
    """Plays until the input ends; the game is saved all along."""
    converse(session, sys.stdin.buffer, sys.stdout.buffer, store)
    return 0


def converse(session: Session, lines_in: BinaryIO, lines_out: BinaryIO, store: Store | None = None) -> None:
    """The open question unasked, then one line back for each line."""
    wire = Wire(session, store)
    _write(lines_out, wire.first())
    for number, line in enumerate(lines(lines_in), 1):
        _write(lines_out, wire.reply(number, line))


class Wire:
    """One conversation about one game."""

    def __init__(self, session: Session, store: Store | None = None) -> None:
        self._session = session
        self._game = OneGame(session, store)

    def now(self) -> Json:
        """The open question, or the result."""
        return now(self._session)

    def first(self) -> Json:
        """The open question with the last news: when the game was left, nobody may have heard it."""
        return _with_news(self.now(), last(self._session), winners(self._session))

    def reply(self, number: int, line: bytes) -> Json:
        """The one line back to line `number`, counted from 1."""
        try:
            message = read(number, line)
            action = ACTIONS.get(message.do) if message.do else None
            own = None if message.do else VIA
            news = News(self._session, own=own, again=action is not None and action.replays)
            came = self._does(message.do, message.said)
            return _with_news(came, news.told(), news.won())
        except CompanionError as error:
            return {"n": self._session.n, **self._refused(error)}

    def _does(self, do: str | None, said: Json) -> Json:
        if do is None:
            return self._answer(said)
        if do == "state":
            return {"state": state(self._session)}
        if do == "undo" and "to" in said:
            do, said = "back", {**said, "kept": self._session.before(said["to"])}
        return self._act(ACTIONS[do], said)

    def _answer(self, said: Json) -> Json:
        session, n = self._session, said["n"]
        if "seat" not in said:
            session.answer(n, said["answer"], VIA)
            return self.now()
        seat = session.table.seats.find_seat(said["seat"])
        session.draft(n, seat, said["answer"], VIA)
        return {"n": n, "seat": seat.name, "taken": True} if session.n == n else self.now()

    def _act(self, action: Action, said: Json) -> Json:
        """Does an action of the table; the question comes back where it isn't exactly as it was."""
        confirmed = [
            key
            for key in action.confirmations
            if key not in CONFIRMED_BY or said.get(CONFIRMED_BY[key], False)
        ]
        outcome = action.run(self._game, said, confirmed)
        line: Json = {} if action.is_answer else {"done": action.key, "n": self._session.n}
        if outcome.ended_early:
            result = outcome.score and {
                **outcome.score.to_json(render),
                **_provisional(view(self._session)),
            }
            line |= {"early": True, "result": result}
        if outcome.why is not None:
            line["why"] = render(outcome.why)
        if not outcome.question_stays:
            line |= self.now()
        if outcome.by_hand is not None:
            line["by_hand"] = [render(move) for move in outcome.by_hand]
        return line

    def _refused(self, error: CompanionError) -> Json:
        """Why it can't be; of what must be confirmed the reason why it isn't done at once."""
        if isinstance(error, NeedsConfirmation):
            error = error.refusal
        if isinstance(error, Misfit):
            return {"error": str(error), "event": error.event}
        return {"error": str(error), **self._elsewhere()}

    def _elsewhere(self) -> Json:
        """Where the game can go on, if its directory is lost."""
        store = self._game.store
        place = store.elsewhere() if store else None
        return {} if place is None else {"elsewhere": str(place)}


def now(session: Session) -> Json:
    """The open question, or the result."""
    if session.result is None:
        return question(session)
    return {"result": {**session.result.to_json(render), **_provisional(view(session))}}


def question(session: Session) -> Json:
    """The open question as JSON."""
    seen = view(session)
    asked = seen.question
    assert asked is not None
    line: Json = {
        "n": seen.n,
        "kind": asked.kind,
        "asks": session.run.named(asked.asks),
        "text": _text(asked),
        "seats": [seat.name for seat in asked.seats],
    }
    if asked.parts:
        line["in"] = [envelope.seat.name for envelope in seen.envelopes if envelope.closed]
    if asked.parts and not asked.is_sealed:
        line["open"] = _given(seen)
    line["limits"] = asked.limits
    if not asked.parts:
        line["form"] = write_form(asked.form)
    if seen.waiting:
        line["redo"] = {"waiting": seen.waiting, "fitting": seen.fitting}
    if asked.parts:
        line["parts"] = {seat.name: _part(part) for seat, part in asked.parts.items()}
    return line


def _given(seen: View) -> Json:
    """What seats have answered so far, where all may see it."""
    return {one.seat.name: one.given[0] for one in seen.envelopes if one.given is not None}


def state(session: Session) -> Json:
    """What lies where, as all may know it; null is covered."""
    seen = view(session)
    places: dict[str, dict[str, int | None]] = {}
    for holding in seen.holdings:
        places.setdefault(holding.place.named_key, {})[holding.piece.key] = holding.count
    over = seen.result is not None
    line: Json = {"n": seen.n, "game": session.game.key, "over": over, "places": places}
    if seen.piles:
        line["piles"] = {place.named_key: [piece.key for piece in pile] for place, pile in seen.piles.items()}
    if seen.absent:
        line["absent"] = [seat.name for seat in seen.absent]
    return {**line, **_provisional(seen)}


def _provisional(seen: View) -> Json:
    """Only where it is so."""
    return {"provisional": True} if seen.provisional else {}


def _part(part: Request[Any]) -> Json:
    return {"kind": part.kind, "text": _text(part), "limits": part.limits, "form": write_form(part.form)}


def _text(asked: Request[Any]) -> str:
    """The question, with what null means where it is an answer and the question doesn't say it."""
    declined = asked.form.decline
    if declined is not None and declined.key == "cant" and declined.barred is None:
        return render(say("{question} (null: {cant})", question=asked.text, cant=declined.label))
    return render(asked.text)


def _with_news(line: Json, told: Sequence[Say], won: Sequence[Seat]) -> Json:
    notes = {"notes": [render(text) for text in told]} if told else {}
    return {**line, **notes, **({"won": [seat.name for seat in won]} if won else {})}


def _write(out: BinaryIO, line: Json) -> None:
    out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    out.flush()
