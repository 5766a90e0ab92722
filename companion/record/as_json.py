"""A record as JSON for programs; docs/record.md says what each key means."""

from __future__ import annotations

import json
from typing import Any

from companion.record.happenings import Happening
from companion.record.record import Record
from companion.words import render

Json = dict[str, Any]


def as_json(record: Record, lang: str = "en") -> str:
    """One object over several lines; it ends with a newline."""
    return json.dumps(_record(record, lang), ensure_ascii=False, indent=1) + "\n"


def _record(record: Record, lang: str) -> Json:
    said: Json = {
        "game": record.game,
        "title": render(record.title, lang),
        "number": record.number,
        "version": record.version,
        "seats": [{"seat": seat.name, "colour": seat.colour} for seat in record.seats],
        "options": dict(record.options),
        "over": record.over,
        "early": record.early,
        "provisional": record.provisional,
        "result": record.result and record.result.plain(lambda label: render(label, lang)),
    }
    return said | _course(record, lang)


def _course(record: Record, lang: str) -> Json:
    places: dict[str, dict[str, int | None]] = {}
    for holding in record.table:
        places.setdefault(holding.place.text, {})[holding.piece.key] = holding.count
    return {
        "places": places,
        "standing": [
            {"n": moment.n, "totals": {seat.name: total for seat, total in moment.totals.items()}}
            for moment in record.standing
        ],
        "thinking": [
            {
                "seat": one.seat and one.seat.name,
                "answers": one.answers,
                "seconds": one.seconds,
                "longest": one.longest,
            }
            for one in record.thinking
        ],
        "events": [_happened(one, lang) for one in record.happenings],
        "trouble": record.trouble and render(record.trouble, lang),
    }


def _happened(one: Happening, lang: str) -> Json:
    notes = [render(note, lang) for note in one.notes]
    return {"n": one.n, "at": one.at, "text": render(one.text, lang), "notes": notes, "undone": one.undone}
