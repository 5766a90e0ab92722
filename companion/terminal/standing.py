"""What everybody may see, as lines: heading, what lies before each seat, the rest of the table, the score.

Everything is drawn from a View, from that laid out as the game's scene says, or from a Result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.columns import GAP, aligned, width
from companion.requests import Raise, Request
from companion.scenes.evaluate import SceneView
from companion.scenes.text import EndlessAccounts, TextTable, middle_tables, other_tables, seat_table
from companion.session.session import Session
from companion.session.view import View, purses
from companion.table.scores import PROVISIONAL_NOTE, GameResult
from companion.table.seats import Seat
from companion.table.signs import SEAT_SIGNS
from companion.terminal.terminal import BOLD, COLOURS, DIM, Terminal
from companion.words import Say, say

BETWEEN = " · "
ROOM = 72
"""Columns of a line for numbers; what comes and goes may run over."""


def draw_heading(terminal: Terminal, seen: View) -> None:
    """`── Egypt · Round 1 · daughter 4 ──`."""
    guessed = say("provisional values") if seen.provisional else None
    parts = [terminal.text(text) for text in (seen.game, seen.heading, guessed) if text]
    terminal.show()
    terminal.show(f"── {BETWEEN.join(parts)} ──", style=BOLD)


def draw_seats(terminal: Terminal, seen: View, laid: SceneView) -> None:
    """One row a seat: its shape, its name, its mat's numbers under their heads, then what comes and goes.

    `>` is before those who are asked. What a line has no room for stands in a second table.
    """
    asked = seen.question.seats if seen.question else ()
    written = seat_table(laid)
    left = {seat: terminal.text(say("has left")) for seat in seen.absent}
    rows = [[terminal.text(cell) if cell else "" for cell in row] for row in (written.heads, *written.lines)]
    for row, seat in zip(rows[1:], seen.seats, strict=True):
        row[-1] = BETWEEN.join(filter(None, [left.get(seat), row[-1]]))
    for columns in _folded(rows):
        head, *lines = aligned(columns)
        if head:
            terminal.show(f"    {head}", style=DIM)
        for seat, line in zip(seen.seats, lines, strict=True):
            shape = terminal.styled(SEAT_SIGNS[seat.colour].letter, COLOURS[seat.colour])
            bold = terminal.styled(line, BOLD if seat in asked else "")
            terminal.show(f"{'>' if seat in asked else ' '} {shape} {bold}")


def endless(session: Session) -> EndlessAccounts:
    """What never runs out, wherever it lies: of it nobody wants to know how many there are."""
    return {(one.place, one.piece) for held in purses(session).values() for one in held if one.endless}


def draw_middle(terminal: Terminal, laid: SceneView, endless: EndlessAccounts) -> None:
    """What lies before nobody, the most important first."""
    draw_written(terminal, middle_tables(laid, endless))


def draw_rest(terminal: Terminal, laid: SceneView, endless: EndlessAccounts) -> None:
    """Everything else that lies somewhere, a row a place."""
    draw_written(terminal, other_tables(laid, endless))


def draw_written(terminal: Terminal, tables: Iterable[TextTable]) -> None:
    """Each table's cells below each other."""
    for written in tables:
        heads = [written.heads] if written.heads else []
        rows = [[terminal.text(cell) if cell else "" for cell in row] for row in (*heads, *written.lines)]
        for at, line in enumerate(aligned(rows)):
            terminal.show(f"    {line}", style=DIM if heads and not at else "")


def draw_bids(terminal: Terminal, question: Raise, seats: Sequence[Seat]) -> None:
    """Everybody's last bid, and who has withdrawn."""
    bids = [terminal.text(_bid(question, seat)) for seat in seats]
    terminal.show(f"  {BETWEEN.join(bids)}")


def draw_envelopes(terminal: Terminal, seen: View) -> None:
    """Whose envelope is closed, with the beginning of its seal, and whose is still open."""
    for one in seen.envelopes:
        state = say("seal {seal}", seal=one.seal) if one.closed else say("not sealed yet")
        terminal.show(say("  {seat}: {state}", seat=one.seat, state=state))
    if terminal.private and any(one.closed for one in seen.envelopes):
        terminal.show(say("To change a sealed answer, type the name of the player who gave it."), style=DIM)


def draw_entered(terminal: Terminal, seen: View, parts: Mapping[Seat, Request[Any]]) -> None:
    """What has been answered so far in a round that all may see."""
    for one in seen.envelopes:
        if one.given is not None:
            part = parts[one.seat]
            terminal.show(say("  {told}", told=part.opened(part.load(one.given[0]))))


def draw_provisional(terminal: Terminal, seen: View) -> None:
    """That the score rests on a guess, where it does."""
    if seen.provisional:
        terminal.show(PROVISIONAL_NOTE, style=BOLD)


def draw_score(terminal: Terminal, result: GameResult, *, early: bool = False) -> None:
    """The winners, then every total with the lines that make it; `early`: it is only the score so far.

    What is for information stands apart and quieter.
    """
    terminal.show()
    terminal.show(say("The game ended early. The score so far:") if early else result.text, style=BOLD)
    rows = [
        [terminal.text(line.label), str(line.value)] for one in result.standings for line in one.counted_lines
    ]
    sums = iter(aligned(rows))
    for standing in result.standings:
        terminal.show(standing.text, style=BOLD)
        for _ in standing.counted_lines:
            terminal.show(f"     {next(sums)}")
        if standing.information_text:
            terminal.show(f"     ({terminal.text(standing.information_text)})", style=DIM)


def _bid(question: Raise, seat: Seat) -> Say:
    bid = question.bids.get(seat)
    if bid is None:
        return say("{seat} (out)", seat=seat) if question.has_withdrawn(seat) else say("{seat} –", seat=seat)
    if question.has_withdrawn(seat):
        return say("{seat} {amount} (out)", seat=seat, amount=bid)
    if bid == max(question.bids.values()):
        return say("{seat} {amount} (highest)", seat=seat, amount=bid)
    return say("{seat} {amount}", seat=seat, amount=bid)


def _folded(rows: Sequence[Sequence[str]]) -> Iterator[list[list[str]]]:
    """The columns of a table as many tables of them as a line needs, each with the first column."""
    wide = [max(width(row[at]) for row in rows) + len(GAP) for at in range(len(rows[0]))]
    begin, used = 1, wide[0]
    for at in range(1, len(wide) - 1):
        if used + wide[at] > ROOM and at > begin:
            yield [[row[0], *row[begin:at]] for row in rows]
            begin, used = at, wide[0]
        used += wide[at]
    yield [[row[0], *row[begin:]] for row in rows]
