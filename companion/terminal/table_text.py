"""Prints the table as text: the heading, each seat, the middle, everything else, envelopes and the score.

The functions print only what a View, its evaluated scene or a Result holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.monospace_text import COLUMN_GAP, align_columns, display_width
from companion.requests import Raise, Request
from companion.scenes.evaluate import SceneView
from companion.scenes.text import EndlessAccounts, TextTable, middle_tables, other_tables, seat_table
from companion.session.session import Session
from companion.session.view import View, correctable_holdings
from companion.table.scores import PROVISIONAL_NOTE, GameResult
from companion.table.seat_signs import SEAT_SIGNS
from companion.table.seats import Seat
from companion.terminal.terminal import BOLD, DIM, SEAT_COLOURS, Terminal
from companion.texts import Say, say

SEPARATOR = " · "
MAX_COLUMNS = 72
"""Columns of a line for numbers; badges and rows may be longer."""


def print_heading(terminal: Terminal, seen: View) -> None:
    """Prints a line like `── Egypt · Round 1 · daughter 4 ──`."""
    guessed = say("provisional values") if seen.provisional else None
    parts = [terminal.render(text) for text in (seen.game, seen.heading, guessed) if text]
    terminal.print_line()
    terminal.print_line(f"── {SEPARATOR.join(parts)} ──", style=BOLD)


def print_seats(terminal: Terminal, seen: View, laid: SceneView) -> None:
    """Prints a row for each seat: its shape, name, numbers under their heads, then badges and rows.

    `>` is before those who are asked. What a line has no room for stands in a second table.
    """
    asked = seen.question.seats if seen.question else ()
    written = seat_table(laid)
    left = {seat: terminal.render(say("has left")) for seat in seen.absent}
    rows = [
        [terminal.render(cell) if cell else "" for cell in row] for row in (written.heads, *written.lines)
    ]
    for row, seat in zip(rows[1:], seen.seats, strict=True):
        row[-1] = SEPARATOR.join(filter(None, [left.get(seat), row[-1]]))
    for columns in _split_columns(rows):
        head, *lines = align_columns(columns)
        if head:
            terminal.print_line(f"    {head}", style=DIM)
        for seat, line in zip(seen.seats, lines, strict=True):
            shape = terminal.style_text(SEAT_SIGNS[seat.colour].letter, SEAT_COLOURS[seat.colour])
            bold = terminal.style_text(line, BOLD if seat in asked else "")
            terminal.print_line(f"{'>' if seat in asked else ' '} {shape} {bold}")


def endless_accounts(session: Session) -> EndlessAccounts:
    """Returns the pieces that never run out, with their places: nobody wants to know their counts."""
    return {
        (one.place, one.piece)
        for held in correctable_holdings(session).values()
        for one in held
        if one.is_endless
    }


def print_middle(terminal: Terminal, laid: SceneView, endless: EndlessAccounts) -> None:
    """Prints what lies before nobody, the most important first."""
    print_text_tables(terminal, middle_tables(laid, endless))


def print_other_holdings(terminal: Terminal, laid: SceneView, endless: EndlessAccounts) -> None:
    """Prints everything that the scene doesn't name, a row for each place."""
    print_text_tables(terminal, other_tables(laid, endless))


def print_text_tables(terminal: Terminal, tables: Iterable[TextTable]) -> None:
    """Prints tables with aligned cells."""
    for written in tables:
        heads = [written.heads] if written.heads else []
        rows = [[terminal.render(cell) if cell else "" for cell in row] for row in (*heads, *written.lines)]
        for at, line in enumerate(align_columns(rows)):
            terminal.print_line(f"    {line}", style=DIM if heads and not at else "")


def print_bids(terminal: Terminal, question: Raise, seats: Sequence[Seat]) -> None:
    """Prints everybody's last bid, and who has withdrawn."""
    bids = [terminal.render(_describe_bid(question, seat)) for seat in seats]
    terminal.print_line(f"  {SEPARATOR.join(bids)}")


def print_envelopes(terminal: Terminal, seen: View) -> None:
    """Prints each envelope: the beginning of its seal, or that it is still open."""
    for one in seen.envelopes:
        state = say("seal {seal}", seal=one.seal) if one.is_closed else say("not sealed yet")
        terminal.print_line(say("  {seat}: {state}", seat=one.seat, state=state))
    if terminal.is_interactive and any(one.is_closed for one in seen.envelopes):
        terminal.print_line(
            say("To change a sealed answer, type the name of the player who gave it."), style=DIM
        )


def print_open_answers(terminal: Terminal, seen: View, parts: Mapping[Seat, Request[Any]]) -> None:
    """Prints the answers so far of an open round."""
    for one in seen.envelopes:
        if one.open_answer is not None:
            part = parts[one.seat]
            terminal.print_line(say("  {told}", told=part.describe_revealed(part.load(one.open_answer[0]))))


def print_provisional_note(terminal: Terminal, seen: View) -> None:
    """Prints a note if the score is provisional."""
    if seen.provisional:
        terminal.print_line(PROVISIONAL_NOTE, style=BOLD)


def print_score(terminal: Terminal, result: GameResult, *, early: bool = False) -> None:
    """Prints the winners, then every total with its lines. `early`: it is only the score so far.

    Lines for information are printed dimly in brackets.
    """
    terminal.print_line()
    terminal.print_line(say("The game ended early. The score so far:") if early else result.text, style=BOLD)
    rows = [
        [terminal.render(line.label), str(line.value)]
        for one in result.standings
        for line in one.counted_lines
    ]
    sums = iter(align_columns(rows))
    for standing in result.standings:
        terminal.print_line(standing.text, style=BOLD)
        for _ in standing.counted_lines:
            terminal.print_line(f"     {next(sums)}")
        if standing.information_text:
            terminal.print_line(f"     ({terminal.render(standing.information_text)})", style=DIM)


def _describe_bid(question: Raise, seat: Seat) -> Say:
    bid = question.bids.get(seat)
    if bid is None:
        return say("{seat} (out)", seat=seat) if question.has_withdrawn(seat) else say("{seat} –", seat=seat)
    if question.has_withdrawn(seat):
        return say("{seat} {amount} (out)", seat=seat, amount=bid)
    if bid == max(question.bids.values()):
        return say("{seat} {amount} (highest)", seat=seat, amount=bid)
    return say("{seat} {amount}", seat=seat, amount=bid)


def _split_columns(rows: Sequence[Sequence[str]]) -> Iterator[list[list[str]]]:
    """Splits the columns into tables that fit a line, each with the first column."""
    wide = [max(display_width(row[at]) for row in rows) + len(COLUMN_GAP) for at in range(len(rows[0]))]
    begin, used = 1, wide[0]
    for at in range(1, len(wide) - 1):
        if used + wide[at] > MAX_COLUMNS and at > begin:
            yield [[row[0], *row[begin:at]] for row in rows]
            begin, used = at, wide[0]
        used += wide[at]
    yield [[row[0], *row[begin:]] for row in rows]
