"""What a browser shows, as JSON: the public table, a seat's question, and what only that seat may know.

Everything comes from views and forms, so each game works without code of its own. docs/web.md lists the keys.
`table_state` and `question_state` say only what everybody may know; `private_state` is for one seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from companion.clocks import TICKS_PER_SECOND, ClockState
from companion.form_json import Json, form_as_json
from companion.half_numbers import number_from_json
from companion.log.events import seal_letters
from companion.requests import CardsField, Form, OptionField, Request, Together
from companion.rules.scene_views import CellView, MatView
from companion.scenes import (
    TextTable,
    describe_cell,
    evaluate_scene,
    middle_tables,
    other_holdings_tables,
)
from companion.session.card_offers import list_card_choices
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.table.scores import GameResult
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR
from companion.table.seats import Seat
from companion.texts import Labelled, render

STATE_VERSION = 1
"""The version of the JSON in docs/web.md."""


class PublicTable(NamedTuple):
    """Everything that the pages show to everybody at one moment.

    `view` has the upcoming round instead of its menu, and `number` is the number with which phones answer.
    `asleep_seats` have a paired phone that can't be reached; `phone_seats` have one that is connected.
    """

    session: Session
    view: View
    number: int
    clocks: Sequence[ClockState] = ()
    phone_seats: Collection[Seat] = ()
    asleep_seats: Collection[Seat] = ()


def empty_table_state() -> Json:
    """Returns the state while no game is on the table."""
    return {"v": STATE_VERSION, "game": None}


def table_state(table: PublicTable, language: str) -> Json:
    """Returns the table as everybody may see it."""

    def text(item: Labelled | None) -> str:
        return "" if item is None else render(item, language)

    view = table.view
    scene_view = evaluate_scene(view, table.session.scene)
    question = view.question
    tables = [*middle_tables(scene_view), *other_holdings_tables(scene_view)]
    return {
        "v": STATE_VERSION,
        "n": table.number,
        "game": text(view.game_title),
        "heading": text(view.heading),
        "question": "" if question is None else text(question.text),
        "asked": [seat.number for seat in question.seats] if question else [],
        "awaited": [seat.number for seat in view.awaited_seats],
        "sealed": question is not None and question.is_sealed,
        "race": question is not None and question.form.is_race,
        "facts": {} if question is None else _facts_as_json(question.form, language),
        "seats": [_seat_as_json(table, mat, language) for mat in scene_view.mats],
        "tables": [_table_as_json(each, language) for each in tables],
        "happened": [text(step.text) for step in view.untold_steps]
        + [text(note) for note in (*view.earlier_notes, *view.notes_from_ending)],
        "revealed": _revealed_as_json(view, language),
        "clocks": [_clock_as_json(clock) for clock in table.clocks],
        "result": None if view.result is None else _result_as_json(view, view.result, language),
    }


def _facts_as_json(form: Form, language: str) -> Json:
    """Returns what stands beside the fields of a form, such as the bids so far."""
    line = form_as_json(form, language)
    return {key: line[key] for key in form.side_facts}


def _seat_as_json(table: PublicTable, mat: MatView, language: str) -> Json:
    seat, view = mat.seat, table.view
    sign = SIGN_BY_SEAT_COLOUR[seat.colour]
    envelope = next((each for each in view.envelopes if each.seat == seat), None)
    line: Json = {
        "number": seat.number,
        "name": seat.name,
        "colour": sign.colour,
        "sign": sign.letter,
        "headline": None if mat.headline is None else _cell_as_json(mat.headline, language),
        "cells": [_cell_as_json(cell, language) for cell in mat.cells],
        "badges": [render(label, language) for label, _ in mat.badges],
        "leads": mat.leads,
        "absent": seat in view.absent_seats,
        "phone": _phone_word(table, seat),
    }
    if envelope is not None:
        line["envelope"] = {"closed": envelope.has_answer, "seal": envelope.seal}
        if envelope.open_answer is not None and isinstance(view.question, Together):
            part = view.question.parts_by_seat[seat]
            answer = part.parse_answer(envelope.open_answer[0])
            line["envelope"]["answer"] = _answer_text(part, answer, language)
    return line


def _phone_word(table: PublicTable, seat: Seat) -> str | None:
    if seat in table.asleep_seats:
        return "asleep"
    return "here" if seat in table.phone_seats else None


def _cell_as_json(cell: CellView, language: str) -> Json:
    return {"label": render(cell.name, language), "value": render(describe_cell(cell), language)}


def _table_as_json(table: TextTable, language: str) -> Json:
    def texts(cells: Sequence[Labelled | None]) -> list[str]:
        return ["" if cell is None else render(cell, language) for cell in cells]

    return {"headings": texts(table.column_headings), "lines": [texts(line) for line in table.lines]}


def _answer_text(part: Request[Any], answer: Any, language: str) -> str:
    number = number_from_json(part.answer_to_json(answer))
    if number is not None:
        return str(number)
    return " · ".join(
        line if isinstance(line, str) else render(line, language)
        for line in part.revealed_answer_lines(answer)
    )


def _revealed_as_json(view: View, language: str) -> Json | None:
    """Returns the envelopes that the last answer opened, in the order of the seats; None if none were."""
    opened = view.opened_envelopes
    if opened is None:
        return None
    parts = opened.question.parts_by_seat
    return {
        "n": opened.question_number,
        "text": render(opened.question.text, language),
        "answers": [
            {"seat": seat.number, "answer": _answer_text(parts[seat], answer, language)}
            for seat, answer in opened.answers.items()
        ],
        "winners": [seat.number for seat in view.winners],
    }


def _clock_as_json(clock: ClockState) -> Json:
    """Returns a clock with the seconds that remain, so that no browser needs the right time."""
    remaining = clock.remaining_ticks
    return {
        "key": clock.key,
        "seats": [seat.number for seat in clock.seats],
        "left": None if remaining is None else remaining / TICKS_PER_SECOND,
        "used": clock.elapsed_ticks / TICKS_PER_SECOND,
        "waits": clock.waiting_ticks / TICKS_PER_SECOND,
        "runs": clock.is_running,
    }


def _result_as_json(view: View, result: GameResult, language: str) -> Json:
    return {
        "final": not view.is_score_so_far,
        "text": render(result.winners_text, language),
        "winners": [seat.number for seat in view.winners_of_finished_game],
        "standings": [
            {
                "seat": standing.seat.number,
                "rank": standing.rank,
                "total": standing.total_text,
                "why": "" if standing.why is None else render(standing.why, language),
                "lines": [
                    {"label": render(line.label, language), "value": str(line.value)}
                    for line in standing.counted_lines
                ],
            }
            for standing in result.standings
            if standing.has_joined
        ],
    }


# The question of a seat


def question_state(table: PublicTable, seat: Seat, language: str) -> Json | None:
    """Returns what a seat is asked, as everybody may know it; None if the seat isn't asked."""
    question = table.view.question
    part = question.question_for(seat) if question is not None else None
    if question is None or part is None:
        return None
    form = part.form
    line = {
        "text": render(part.text, language),
        "for_table": not question.seats,
        "sealed": question.is_sealed,
        "form": _facts_as_json(question.form, language) | form_as_json(form, language),
    }
    if isinstance(form.single_field, OptionField) and form.single_field.barred_options:
        line["barred"] = [
            {"label": render(label, language), "why": render(why, language)}
            for label, why in form.single_field.barred_options.values()
        ]
    if isinstance(form.single_field, CardsField):
        line["cards"] = list(_cards_as_json(form.single_field, table.view, language))
    return line


def _cards_as_json(field: CardsField, view: View, language: str) -> Iterator[Json]:
    """Yields the cards that people can choose, each with the item of an answer and how often it fits."""
    for choice in list_card_choices(field, view, language):
        yield {"item": choice.item, "label": choice.title.replace("\n", " · "), "copies": choice.copies}


# What only the player of a seat may know


def private_state(table: PublicTable, seat: Seat, language: str) -> Json:
    """Returns what only the player of a seat may see: hidden pieces, and the answer in the own envelope."""
    session = table.session
    public_holdings = {
        (holding.place, holding.piece) for holding in table.view.holdings_of(seat) if holding.count is None
    }
    own_holdings = make_view(session, seat).holdings_of(seat) if public_holdings else ()
    hidden = [
        {"label": render(holding.piece.label, language), "count": holding.count}
        for holding in own_holdings
        if (holding.place, holding.piece) in public_holdings
    ]
    state: Json = {"hidden": hidden}
    draft = session.drafts.get(seat)
    question = session.question
    if draft is not None and isinstance(question, Together) and question.is_sealed:
        part = question.parts_by_seat[seat]
        state["envelope"] = {
            "answer": _answer_text(part, part.parse_answer(draft.answer), language),
            "letters": seal_letters(draft.commitment),
        }
    return state
