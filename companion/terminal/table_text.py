"""Prints the table as text: the heading, each seat, the middle, everything else, envelopes and the score.

The functions print only what a View, its evaluated scene or a result holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.monospace_text import COLUMN_GAP, align_columns, display_width
from companion.requests import Raise, Request
from companion.scenes import (
    EndlessAccounts,
    SceneView,
    TextTable,
    middle_tables,
    other_holdings_tables,
    seat_table,
)
from companion.session.session import Session
from companion.session.view import View, movable_holdings_by_place
from companion.table.scores import PROVISIONAL_NOTE, GameResult
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR
from companion.table.seats import Seat
from companion.terminal.terminal import ANSI_SEAT_COLOURS, BOLD, DIM, Terminal
from companion.texts import Say, say

LINE_PART_SEPARATOR = " · "
MAX_SEAT_TABLE_LINE_WIDTH = 72
"""The maximum width of a line in the table of seats.

Numbers that don't fit are printed in a further table. Badges and rows at the end of a line may be longer.
"""


def print_heading(terminal: Terminal, table_view: View) -> None:
    """Prints the heading line, such as `── Egypt · Round 1 · daughter 4 ──`."""
    guessed = say("provisional values") if table_view.has_provisional_values else None
    parts = [terminal.render(text) for text in (table_view.game_title, table_view.heading, guessed) if text]
    terminal.print_line()
    terminal.print_line(f"── {LINE_PART_SEPARATOR.join(parts)} ──", style=BOLD)


def print_seats(terminal: Terminal, table_view: View, scene_view: SceneView) -> None:
    """Prints all seats, a row for each.

    A row has shape, name, numbers under column headings, then badges and rows. `>` marks the seats that
    are asked. Columns that don't fit into a line are printed in a further table.
    """
    asked_seats = table_view.question.seats if table_view.question else ()
    table = seat_table(scene_view)
    absence_notes = {seat: terminal.render(say("has left")) for seat in table_view.absent_seats}
    rows = [
        [terminal.render(cell) if cell else "" for cell in row]
        for row in (table.column_headings, *table.lines)
    ]
    for row, seat in zip(rows[1:], table_view.seats, strict=True):
        row[-1] = LINE_PART_SEPARATOR.join(filter(None, [absence_notes.get(seat), row[-1]]))
    for columns in _split_columns(rows):
        head, *lines = align_columns(columns)
        if head:
            terminal.print_line(f"    {head}", style=DIM)
        for seat, line in zip(table_view.seats, lines, strict=True):
            shape = terminal.style_text(
                SIGN_BY_SEAT_COLOUR[seat.colour].letter, ANSI_SEAT_COLOURS[seat.colour]
            )
            styled_line = terminal.style_text(line, BOLD if seat in asked_seats else "")
            terminal.print_line(f"{'>' if seat in asked_seats else ' '} {shape} {styled_line}")


def endless_accounts(session: Session) -> EndlessAccounts:
    """Returns the places and pieces of the accounts that never run out; nobody wants to know their counts."""
    return {
        (holding.place, holding.piece)
        for holdings in movable_holdings_by_place(session).values()
        for holding in holdings
        if holding.is_endless
    }


def print_table_middle(terminal: Terminal, scene_view: SceneView, endless: EndlessAccounts) -> None:
    """Prints the middle of the table (what belongs to no seat), the most important first."""
    print_text_tables(terminal, middle_tables(scene_view, endless))


def print_holdings_outside_scene(terminal: Terminal, scene_view: SceneView, endless: EndlessAccounts) -> None:
    """Prints all pieces that the scene doesn't show, a row for each place."""
    print_text_tables(terminal, other_holdings_tables(scene_view, endless))


def print_text_tables(terminal: Terminal, tables: Iterable[TextTable]) -> None:
    """Prints tables with aligned cells."""
    for table in tables:
        headings = [table.column_headings] if table.column_headings else []
        rows = [[terminal.render(cell) if cell else "" for cell in row] for row in (*headings, *table.lines)]
        for index, line in enumerate(align_columns(rows)):
            terminal.print_line(f"    {line}", style=DIM if headings and not index else "")


def print_last_bids(terminal: Terminal, question: Raise, seats: Sequence[Seat]) -> None:
    """Prints everybody's last bid, and who has passed or withdrawn."""
    bids = [terminal.render(_describe_bid(question, seat)) for seat in seats]
    terminal.print_line(f"  {LINE_PART_SEPARATOR.join(bids)}")


def print_envelope_seals(terminal: Terminal, table_view: View) -> None:
    """Prints each envelope: the first letters of its seal, or that it is not sealed yet."""
    for envelope in table_view.envelopes:
        state = say("seal {seal}", seal=envelope.seal) if envelope.has_answer else say("not sealed yet")
        terminal.print_line(say("  {seat}: {state}", seat=envelope.seat, state=state))
    if terminal.is_interactive and any(envelope.has_answer for envelope in table_view.envelopes):
        terminal.print_line(
            say("To change a sealed answer, type the name of the player who gave it."), style=DIM
        )


def print_open_round_answers(
    terminal: Terminal, table_view: View, question_by_seat: Mapping[Seat, Request[Any]]
) -> None:
    """Prints the answers given so far in an open round."""
    for envelope in table_view.envelopes:
        if envelope.open_answer is not None:
            question = question_by_seat[envelope.seat]
            answer = question.parse_answer(envelope.open_answer[0])
            terminal.print_line(say("  {told}", told=question.describe_revealed_answer(answer)))


def print_note_if_score_provisional(terminal: Terminal, table_view: View) -> None:
    """Prints a note if the score is provisional."""
    if table_view.has_provisional_values:
        terminal.print_line(PROVISIONAL_NOTE, style=BOLD)


def print_score(terminal: Terminal, result: GameResult, *, ended_early: bool = False) -> None:
    """Prints the winners, then every total with its lines; `ended_early`: it is only the score so far.

    Lines that are only information are printed dimly in brackets.
    """
    terminal.print_line()
    terminal.print_line(
        say("The game ended early. The score so far:") if ended_early else result.winners_text, style=BOLD
    )
    rows = [
        [terminal.render(line.label), str(line.value)]
        for standing in result.standings
        for line in standing.counted_lines
    ]
    score_lines = iter(align_columns(rows))
    for standing in result.standings:
        terminal.print_line(standing.text, style=BOLD)
        for _ in standing.counted_lines:
            terminal.print_line(f"     {next(score_lines)}")
        if standing.uncounted_lines_text:
            terminal.print_line(f"     ({terminal.render(standing.uncounted_lines_text)})", style=DIM)


def _describe_bid(question: Raise, seat: Seat) -> Say:
    bid = question.bids.get(seat)
    if seat in question.passed_seats:
        passed = say("{seat} (passed)", seat=seat)
        return passed if bid is None else say("{seat} {amount} (passed)", seat=seat, amount=bid)
    if bid is None:
        return say("{seat} (out)", seat=seat) if question.has_withdrawn(seat) else say("{seat} –", seat=seat)
    if question.has_withdrawn(seat):
        return say("{seat} {amount} (out)", seat=seat, amount=bid)
    if bid == max(question.bids.values()):
        return say("{seat} {amount} (highest)", seat=seat, amount=bid)
    return say("{seat} {amount}", seat=seat, amount=bid)


def _split_columns(rows: Sequence[Sequence[str]]) -> Iterator[list[list[str]]]:
    """Yields tables that fit into a line; each has the first column and some of the others."""
    widths = [max(map(display_width, column)) + len(COLUMN_GAP) for column in zip(*rows, strict=True)]
    first_column, used_width = 1, widths[0]
    for column in range(1, len(widths) - 1):
        if used_width + widths[column] > MAX_SEAT_TABLE_LINE_WIDTH and column > first_column:
            yield [[row[0], *row[first_column:column]] for row in rows]
            first_column, used_width = column, widths[0]
        used_width += widths[column]
    yield [[row[0], *row[first_column:]] for row in rows]
