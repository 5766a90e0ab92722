"""The front end for programs: one line of JSON in, one line of JSON out; docs/json.md says which.

A line is written only after what it acknowledges is kept. Nothing is shown but what all may know.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from companion.errors import CompanionError, Misfit, TableError
from companion.jsonlines.forms import write_form
from companion.jsonlines.messages import lines, read
from companion.jsonlines.news import News, last, winners
from companion.requests import Request
from companion.session.paying import between, pay, why_not
from companion.session.session import Session
from companion.session.view import View, view
from companion.store import Store
from companion.table.seats import Seat
from companion.words import Say, render, say

VIA = "json"
Json = dict[str, Any]
PLAYS_AGAIN = ("amend", "correct")
"""Deeds that may play answers again that came before."""


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
        self._store = store
        self._deeds: dict[str | None, Callable[[Json], Json]] = {
            None: self._answer,
            "roll": self._roll,
            "undo": self._undo,
            "redo": lambda said: self._moved(session.redo(said.get("count", 1))),
            "amend": self._amend,
            "correct": self._correct,
            "pay": self._pay,
            "rename": self._rename,
            "leave": self._leave,
            "come_back": self._come_back,
            "go_on_in": self._go_on_in,
            "state": lambda _: {"state": state(session)},
            "put_away": self._put_away,
            "reopen": self._reopen,
        }

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
            own = None if message.do else VIA
            news = News(self._session, own=own, again=message.do in PLAYS_AGAIN)
            came = self._deeds[message.do](message.said)
            return _with_news(came, news.told(), news.won())
        except Misfit as misfit:
            return {"n": self._session.n, "error": str(misfit), "event": misfit.event}
        except CompanionError as error:
            return {"n": self._session.n, "error": str(error), **self._elsewhere()}

    def _answer(self, said: Json) -> Json:
        session, n = self._session, said["n"]
        if "seat" not in said:
            session.answer(n, said["answer"], VIA)
            return self.now()
        seat = self._seat(said)
        session.draft(n, seat, said["answer"], VIA)
        return {"n": n, "seat": seat.name, "taken": True} if session.n == n else self.now()

    def _roll(self, said: Json) -> Json:
        self._session.roll(said["n"])
        return self.now()

    def _undo(self, said: Json) -> Json:
        """The last thing in force, or all up to the answer to question `to`."""
        session = self._session
        past_reveal = said.get("past_reveal", False)
        if "to" not in said:
            return self._moved(session.undo(past_reveal=past_reveal))
        return self._moved(session.go_back(session.before(said["to"]), past_reveal=past_reveal))

    def _correct(self, said: Json) -> Json:
        """Where the question is another one now it comes back, with why, and with what to move."""
        n, again = self._session.n, said.get("again", False)
        move = said["from"], said["to"], said["piece"], said["count"], said["reason"]
        settled = self._session.correct(*move, again=again)
        if self._session.n == n:
            return self._done("correct")
        why = {} if settled.why is None else {"why": render(settled.why)}
        return {**self._done("correct", **why), **self._moved(settled.by_hand)}

    def _pay(self, said: Json) -> Json:
        """One correction, whatever notes it takes."""
        payer, payee, piece = said["from"], said["to"], said.get("piece", "")
        payment = between(self._session, payer, payee, said["amount"], piece, "en")
        if payment is None:
            raise TableError(why_not(self._session, payer, payee, piece, "en"))
        pay(self._session, payment)
        return self._done("pay")

    def _rename(self, said: Json) -> Json:
        self._session.rename(self._seat(said), said["name"])
        return self._done("rename", **self.now())

    def _leave(self, said: Json) -> Json:
        """Silence may have answered at once."""
        self._session.leave(self._seat(said))
        return self._done("leave", **self.now())

    def _come_back(self, said: Json) -> Json:
        self._session.come_back(self._seat(said))
        return self._done("come_back", **self.now())

    def _amend(self, said: Json) -> Json:
        session = self._session
        seat = self._seat(said) if "seat" in said else None
        sure = {key: said.get(key, False) for key in ("go_back", "past_reveal")}
        return self._moved(session.amend(said["event"], said["answer"], seat, **sure))

    def _go_on_in(self, said: Json) -> Json:
        if self._store is None:
            raise TableError(say("This game isn't saved anywhere."))
        self._store.go_on_in(Path(said["directory"]).absolute())
        return self._done("go_on_in", **self.now())

    def _elsewhere(self) -> Json:
        """Where the game can go on, if its directory is lost."""
        place = self._store.elsewhere() if self._store else None
        return {} if place is None else {"elsewhere": str(place)}

    def _put_away(self, _: Json) -> Json:
        early = self._session.result is None
        score = self._session.put_away()
        if not early:
            return self._done("put_away")
        result = score and {**score.plain(render), **_provisional(view(self._session))}
        return self._done("put_away", early=True, result=result)

    def _reopen(self, _: Json) -> Json:
        """A mistake found after the game was put away."""
        self._session.reopen()
        return self._done("reopen", **self.now())

    def _seat(self, said: Json) -> Seat:
        return self._session.table.seats.named(said["seat"])

    def _done(self, what: str, **more: Any) -> Json:
        return {"done": what, "n": self._session.n, **more}

    def _moved(self, by_hand: Sequence[Say]) -> Json:
        return {**self.now(), "by_hand": [render(move) for move in by_hand]}


def now(session: Session) -> Json:
    """The open question, or the result."""
    if session.result is None:
        return question(session)
    return {"result": {**session.result.plain(render), **_provisional(view(session))}}


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
        places.setdefault(holding.place.text, {})[holding.piece.key] = holding.count
    over = seen.result is not None
    line: Json = {"n": seen.n, "game": session.game.key, "over": over, "places": places}
    if seen.piles:
        line["piles"] = {place.text: [piece.key for piece in pile] for place, pile in seen.piles.items()}
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
