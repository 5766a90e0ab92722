"""What everybody may see, as lines: heading, what lies before each seat, the rest of the table, the score.

Everything is drawn from a View or a Result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from companion.requests import Raise
from companion.session.view import Holding, View
from companion.table.ledger import Piece
from companion.table.scores import PROVISIONAL, Result
from companion.table.seats import Seat
from companion.terminal.terminal import BOLD, COLOURS, DIM, Terminal, padded, width
from companion.words import Say, say

SHAPES = {"orange": "●", "sky": "▲", "green": "■", "vermilion": "◆", "purple": "★"}
GAP = "   "
BETWEEN = " · "
ON_IT = " + "
NUMBERED = re.compile(r"(\D*)(\d+)(\D*)")
Key = tuple[Say, Piece]
"""A piece at one kind of place, whosoever's."""


def draw_heading(terminal: Terminal, seen: View) -> None:
    """`── Egypt · Round 1 · daughter 4 ──`."""
    guessed = say("provisional values") if seen.provisional else None
    parts = [terminal.text(text) for text in (seen.game, seen.heading, guessed) if text]
    terminal.show()
    terminal.show(f"── {BETWEEN.join(parts)} ──", style=BOLD)


def draw_seats(terminal: Terminal, seen: View) -> None:
    """One row a seat: its shape, its name, what lies before it; `>` is before those who are asked."""
    asked = seen.question.seats if seen.question else ()
    columns = _columns(seen.holdings)
    rows = [["", *(terminal.text(piece) for _, piece in columns), ""]]
    for seat in seen.seats:
        held = {_key(one): one for one in seen.before(seat)}
        counts = [_count(terminal, held.pop(column, None)) for column in columns]
        left = [terminal.text(say("has left"))] if seat in seen.absent else []
        pieces = BETWEEN.join(filter(None, [*left, _pieces(terminal, held.values())]))
        rows.append([seat.name, *counts, pieces])
    head, *lines = aligned(rows)
    if columns:
        terminal.show(f"    {head}", style=DIM)
    for seat, line in zip(seen.seats, lines, strict=True):
        shape = terminal.styled(SHAPES[seat.colour], COLOURS[seat.colour])
        row = terminal.styled(line, BOLD if seat in asked else "")
        terminal.show(f"{'>' if seat in asked else ' '} {shape} {row}")


def draw_common(terminal: Terminal, seen: View) -> None:
    """What lies before nobody, one row a place; without cards' faces, which only the companion keeps.

    In a row that closes up what lies on each place stands together, after its number.
    """
    places: dict[str, dict[str, list[Holding]]] = {}
    for one in seen.common():
        if not one.piece.mark if one.count is None else one.count > 0:
            number = f"{seen.numbered[one.place].slot} " if one.place in seen.numbered else ""
            places.setdefault(terminal.text(one.place.what), {}).setdefault(number, []).append(one)
    for line in aligned([[place, _spots(terminal, spots)] for place, spots in places.items()]):
        terminal.show(f"    {line}")


def draw_bids(terminal: Terminal, question: Raise, seats: Sequence[Seat]) -> None:
    """Everybody's last bid, and who has withdrawn."""
    bids = [terminal.text(_bid(question, seat)) for seat in seats]
    terminal.show(f"  {BETWEEN.join(bids)}")


def draw_envelopes(terminal: Terminal, seen: View) -> None:
    """Whose envelope is closed, with the beginning of its seal, and whose is still open."""
    for one in seen.envelopes:
        state = say("closed, seal {seal}", seal=one.seal) if one.closed else say("open")
        terminal.show(say("  {seat}: {state}", seat=one.seat, state=state))
    if terminal.private and any(one.closed for one in seen.envelopes):
        terminal.show(say("To change a closed envelope, type its owner's name."), style=DIM)


def draw_provisional(terminal: Terminal, seen: View) -> None:
    """That the score rests on a guess, where it does."""
    if seen.provisional:
        terminal.show(PROVISIONAL, style=BOLD)


def draw_score(terminal: Terminal, result: Result, *, early: bool = False) -> None:
    """The winners, then every total with the lines that make it; `early`: it is only the score so far.

    What is for information stands apart and quieter.
    """
    terminal.show()
    terminal.show(say("Ended early; the score so far:") if early else result.text, style=BOLD)
    rows = [[terminal.text(line.label), str(line.value)] for one in result.standings for line in one.sum]
    sums = iter(aligned(rows))
    for standing in result.standings:
        terminal.show(standing.text, style=BOLD)
        for _ in standing.sum:
            terminal.show(f"     {next(sums)}")
        if standing.aside:
            terminal.show(f"     ({terminal.text(standing.aside)})", style=DIM)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines whose columns stand below each other."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        GAP.join(padded(cell, columns) for cell, columns in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _bid(question: Raise, seat: Seat) -> Say:
    bid = question.bids.get(seat)
    if bid is None:
        return say("{seat} –", seat=seat) if seat in question.still else say("{seat} out", seat=seat)
    if seat not in question.still:
        return say("{seat} {amount}, out", seat=seat, amount=bid)
    if bid == max(question.bids.values()):
        return say("{seat} {amount} is the highest", seat=seat, amount=bid)
    return say("{seat} {amount}", seat=seat, amount=bid)


def _columns(holdings: Iterable[Holding]) -> list[Key]:
    """Whatever somebody holds more than one of, or nobody may count, in the order of the table."""
    many = [one for one in holdings if one.place.seat and (one.count is None or one.count > 1)]
    return list(dict.fromkeys(_key(one) for one in many))


def _key(one: Holding) -> Key:
    return one.place.what, one.piece


def _count(terminal: Terminal, one: Holding | None) -> str:
    if one is None:
        return "0"
    return terminal.text(say("hidden")) if one.count is None else str(one.count)


def _spots(terminal: Terminal, spots: Mapping[str, Iterable[Holding]]) -> str:
    """`1 card · 2 card + Aki's coin`; what has no number stands alone."""
    return BETWEEN.join(
        number + _pieces(terminal, held).replace(BETWEEN, ON_IT if number else BETWEEN)
        for number, held in spots.items()
    )


def _pieces(terminal: Terminal, held: Iterable[Holding]) -> str:
    """`leader · 2 × point · daughter 4, 5, 9`: what differs only in its number is named once."""
    parts: list[tuple[str, list[str], str]] = []
    for one in held:
        text = _piece(terminal, one)
        numbered = NUMBERED.fullmatch(text) if one.count == 1 else None
        before, number, after = numbered.groups() if numbered else (text, "", "")
        if numbered and parts and (parts[-1][0], parts[-1][2]) == (before, after):
            parts[-1][1].append(number)
        else:
            parts.append((before, [number], after))
    return BETWEEN.join(f"{before}{', '.join(numbers)}{after}" for before, numbers, after in parts)


def _piece(terminal: Terminal, one: Holding) -> str:
    if one.count is None:
        return terminal.text(say("{piece}: hidden", piece=one.piece))
    if one.count == 1:
        return terminal.text(one.piece)
    return terminal.text(say("{count} × {piece}", count=one.count, piece=one.piece))
