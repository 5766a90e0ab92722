"""The texts that people may type at the terminal for an answer: every form that docs/terminal.md names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.cards import Card, Deck
from companion.requests import Amount, Choose, Counts, Done, Raise, Read, Request, Roll, Write
from companion.terminal.terminal import normalize_letter_width_and_strip
from companion.texts import render

MAX_TYPED_REPETITIONS = 99
"""Largest number of an item that a test types as the item's name repeated, such as `soil soil soil`."""
NEVER_AN_ANSWER = (
    *(
        "0xA5",
        "0x4",
        "00x1",
        "[]",
        "{}",
        "null",
        "true",
        "None of them",
        "nobody else",
        "what",
        "x",
        "?!",
        "1e3",
    ),
    *(
        "0x",
        "x0",
        "--",
        "+",
        "1/2",
        "1.5",
        "²",
        "tag",
        "card",
        "a b c d e f g h",
        "none none",
        "0xother",
        "=",
        "=1",
    ),
    *(
        "other=1",
        "-1x4",
        "undo it",
        ";",
        "9" * 40,
        " ".join(["1"] * 13),  # twelve lots at most are drawn at once
        "soil=",
        "０ｘA5",
        "c c",
        "no no",
    ),
)
"""Texts that no page documents: none of them may be an answer to any question."""


def typed_forms(question: Request[Any], answer: Any, language: str = "en") -> Iterator[str]:
    """Yields every way to type an answer that is given in its JSON form, the shortest first."""
    match question:
        case Choose():
            yield str(list(question.offered_options).index(answer) + 1)
            labels = [
                normalize_letter_width_and_strip(render(choice, language))
                for choice in question.offered_options.values()
            ]
            label = labels[list(question.offered_options).index(answer)]
            others = {key.lower() for key in question.offered_options if key != answer}
            if labels.count(label) == 1 and label.lower() not in others and not label.lstrip("-").isdecimal():
                yield label
        case Done():
            yield from ("", "ok", "done")
        case Raise() if answer is None:
            yield from ("p", "pass", "w", "withdraw", "n", "no", "-")
        case Raise() | Amount():
            yield str(answer)
        case Roll():
            yield " ".join(map(str, answer))
            yield ", ".join(map(str, answer))
        case Write():
            yield from (answer, f'"{answer}"') if not answer.startswith('"') else (f'"{answer}"',)
        case Counts():
            yield from _forms_of_counts(question, answer, language)
        case Read():
            yield from _forms_of_cards(question, answer, language)


def _forms_of_counts(question: Counts, answer: dict[str, int] | None, language: str) -> Iterator[str]:
    may_be_none = question.limits_json["least"] == 0
    if answer is None:
        assert question.decline is not None
        yield from ("c", "can't", normalize_letter_width_and_strip(render(question.decline, language)))
        yield from () if may_be_none else ("no", "-")
        return
    yield " ".join(map(str, answer.values()))
    yield ", ".join(f"{key} {number}" for key, number in answer.items())
    some = {key: number for key, number in answer.items() if number}
    if not some:
        yield from ("none", "nothing", "0")
        yield from () if question.decline else ("no", "-")
        return
    yield " ".join(f"{number} {key}" for key, number in some.items())
    if max(some.values()) <= MAX_TYPED_REPETITIONS:
        yield " ".join(key for key, number in some.items() for _ in range(number))
    labels = [
        normalize_letter_width_and_strip(render(count.label, language)) for count in question.items.values()
    ]
    if len(set(labels)) == len(labels):
        yield " ".join(
            f"{normalize_letter_width_and_strip(render(question.items[key].label, language))} {n}"
            for key, n in some.items()
        )


def _forms_of_cards(question: Read, answer: list[dict[str, Any]] | None, language: str) -> Iterator[str]:
    if answer is None:
        assert question.decline is not None
        yield from ("c", "can't", normalize_letter_width_and_strip(render(question.decline, language)))
        yield from () if question.least == 0 else ("no", "-")
        return
    if not answer:
        cant = question.decline and render(question.decline, language)
        yield from (word for word in ("none", "nothing", "0") if word != cant)
        yield from () if question.decline else ("no", "-")
        return
    deck = question.tracker.deck
    yield " ".join(_form_of_card(question, card) for card in answer)
    if all(
        card.get("card", "").replace(".", "").isalnum() and not card["card"].isdecimal() for card in answer
    ):
        yield " ".join(card["card"] for card in answer)
    rates = question.price.rates if question.price else ()
    if rates and all(any(card.get("values") == rate.values for rate in rates) for card in answer):
        yield " ".join(str(sum(card["values"] == rate.values for card in answer)) for rate in rates)
    if len(answer) == 1 and question.limits_json["most"] == 1 and not rates and answer[0].get("values"):
        yield _form_of_single_card(question, deck, answer[0]["values"])


def _form_of_card(question: Read, card: dict[str, Any]) -> str:
    if "card" in card:
        return f"card:{card['card']}"
    shown = {
        name: value
        for name, value in card["values"].items()
        if name not in {"name", *question.required_values}
    }
    return " ".join(f"{name}={value}" for name, value in shown.items()) or _form_without_values(
        question, card["values"]
    )


def _form_without_values(question: Read, values: dict[str, Any]) -> str:
    """Returns the text for a card of which only the design is known, or nothing."""
    named = [one for one in question.tracker.deck.designs if one.values == values]
    return render(Card(None, named[0].id, named[0].values).label) if named and values else "other"


def _form_of_single_card(question: Read, deck: Deck, values: dict[str, Any]) -> str:
    """Returns the values as they are printed on the card, in the order of the deck."""
    return " ".join(
        str(values[name]) for name in deck.fields_for(values) if name not in question.required_values
    ) or _form_without_values(question, values)
