"""A correction by hand: in one line, or asked for step by step."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from companion.actions import Given, HasGame
from companion.errors import TableError
from companion.session.session import Session
from companion.session.view import Holding, purses
from companion.spelling import find
from companion.table.ledger import Place
from companion.terminal.terminal import Terminal, normal
from companion.words import Labelled, render, say

AGAIN = re.compile(r"again(?: |$)")
LINE = re.compile(r"([0-9]{1,9}) (?:[×x] )?(.+?) from (.+?) to (.+?)(?:: (.*))?")
Move = tuple[str, str, str, str, str]
"""How many, of which piece, from where, to where, why."""


def read(evening: HasGame, terminal: Terminal, line: str) -> Given:
    """Returns what a correction moves, from a whole line or asked for step by step.

    Raises `TableError` if people stop half-way. After `again` the open question is asked once more.
    """
    session = evening.playing
    again = AGAIN.match(line)
    line = line[again.end() :] if again else line
    if line:
        found = LINE.fullmatch(line)
        if found is None or not (found[5] or session.game.has_free_moves):
            raise TableError(
                say(
                    'Type only "correct", or a whole correction, such as: correct 2 cards from bank to '
                    "Aki/hand: miscounted"
                )
            )
        count, *names, reason = found.groups(default="")
        piece, source, target = _meant(session, terminal, int(count), *names)
    else:
        count, piece, source, target, reason = _step_by_step(session, terminal)
    move = {"from": source, "to": target, "piece": piece, "count": int(count)}
    return {**move, "reason": reason, "again": bool(again)}


Names = Mapping[str, Collection[Labelled]]
"""What the thing with each key is called."""


def _meant(session: Session, terminal: Terminal, count: int, piece: str, *places: str) -> list[str]:
    """The keys of a piece and of places that are called as the terminal shows them: `coins`, `Aki`."""
    there, numbered = purses(session), session.table.ledger.current_slots()
    pieces = {held.piece.key: held.piece for holdings in there.values() for held in holdings}
    called = {place: numbered.get(place, place) for place in there}
    full = {place.key: _names(called[place]) for place, held in there.items() if held}
    empty = {place.key: _names(called[place]) for place, held in there.items() if not held}
    source, target = places
    return [
        _key(piece, terminal, {key: (one, one.quantity(count)) for key, one in pieces.items()}, count=count),
        _key(source, terminal, full, empty),
        _key(target, terminal, empty, full),
    ]


def _names(place: Place) -> tuple[Labelled, ...]:
    return place, place.holder


def _key(word: str, terminal: Terminal, *things: Names, count: int | None = None) -> str:
    """The key of the only one of the first things that is called so; else the word, which may be a key.

    `count` may begin a name: it was written before the word.
    """
    if any(word in some for some in things):
        return word
    languages = "en", terminal.language
    for some in things:
        said = {
            key: [normal(render(one, lang)) for one in names for lang in languages]
            for key, names in some.items()
        }
        meant = find(
            word, {key: [name.removeprefix(f"{count} ") for name in names] for key, names in said.items()}
        )
        if len(meant) == 1:
            return meant[0]
    return word


def _step_by_step(session: Session, terminal: Terminal) -> Move:
    there, numbered = purses(session), session.table.ledger.current_slots()
    held = [one for holdings in there.values() for one in holdings]
    moved = held[
        _picked(terminal, say("What do you want to move?"), [_holding(one, numbered) for one in held])
    ]
    places = [
        account.place
        for account in session.table.ledger
        if account.piece == moved.piece and account.place != moved.place and account.place in there
    ]
    target = places[_picked(terminal, say("Where to?"), [numbered.get(place, place) for place in places])]
    count = "1" if moved.count == 1 else _typed(terminal, say("How many?"))
    if not count.isdecimal() or len(count) > 9:  # noqa: PLR2004 - nobody moves a milliard pieces
        raise _nothing_moved()
    reason = "" if session.game.has_free_moves else _typed(terminal, say("Why?"))
    return count, moved.piece.key, moved.place.key, target.key, reason


def _holding(one: Holding, numbered: Mapping[Place, Place]) -> Labelled:
    place = numbered.get(one.place, one.place)
    if one.count is None or one.count < 1:
        return say("{place}: {piece}", place=place, piece=one.piece)
    return say("{place}: {piece}", place=place, piece=one.piece.quantity(one.count))


def _picked(terminal: Terminal, question: Labelled, things: Sequence[Labelled]) -> int:
    for number, thing in enumerate(things, 1):
        terminal.show(f"  {number:>2}  {terminal.text(thing)}")
    line = _typed(terminal, question)
    if line.isdecimal() and len(line) < 9 and 1 <= int(line) <= len(things):  # noqa: PLR2004 - see above
        return int(line) - 1
    raise _nothing_moved()


def _typed(terminal: Terminal, question: Labelled) -> str:
    line = terminal.ask(terminal.text(say("{question} (press Enter to move nothing) ", question=question)))
    if not line:
        raise _nothing_moved()
    return line


def _nothing_moved() -> TableError:
    return TableError(say("Nothing was moved."))
