"""How people type an answer: hints about what to type, and the parsing of the typed line.

The form of a question decides what a line means; only the question knows whether the answer is legal.
A refusal never repeats what was typed: it may be a sealed bid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from companion.cards import Card, CardDesign, CardField, CardValues
from companion.cards.deck import NAME_FIELD, CardValue
from companion.errors import IllegalAnswer
from companion.half_numbers import ONE_HALF, JsonNumber, number_to_json, parse_number
from companion.name_matching import find_by_leading_words, find_by_name, fold_name
from companion.requests import (
    CardsField,
    ConfirmField,
    Decline,
    Form,
    NumberField,
    OptionField,
    QuantitiesField,
    Request,
    TextField,
)
from companion.requests.bid_values import bid_values_text
from companion.requests.choose import option_line_with_details
from companion.table.seats import Seat, find_seat_in_first_words
from companion.terminal.terminal import name_and_key_by_seat, normalize_letter_width_and_strip
from companion.texts import Labelled, Say, render, say, say_list, say_n

DECLINING_WORDS = {"c", "cant", "can't"}
NOTHING_WORDS = {"none", "nothing", "0"}
DECLINE_OR_NOTHING_WORDS = {"no", "-"}


def decline_hint(decline: Decline) -> Say:
    """Returns the hint how to decline."""
    if not decline.typed_letter:
        return say("Enter = {none}", none=decline.label)
    return say("{typed} = {meaning}", typed=decline.typed_letter, meaning=decline.label)


def is_decline_line(line: str, language: str, decline_label: Say | None, *, is_none_legal: bool) -> bool:
    """Returns True if a typed line declines the question.

    Raises `IllegalAnswer` if the line could also mean "nothing".
    """
    if line.lower() in DECLINING_WORDS or (
        decline_label is not None
        and line == normalize_letter_width_and_strip(render(decline_label, language))
    ):
        return True
    if line.lower() not in DECLINE_OR_NOTHING_WORDS:
        return False
    if decline_label and is_none_legal:
        raise IllegalAnswer(say('Type "none", or "c" for: {cant}.', cant=decline_label))
    return not is_none_legal


def is_nothing_line(line: str, language: str) -> bool:
    """Returns True if the line says "nothing"."""
    words = (
        NOTHING_WORDS
        | DECLINE_OR_NOTHING_WORDS
        | {render(word, language) for word in (say("none"), say("nothing"))}
    )
    return line.lower() in words


# One question


INTEGER_PATTERN = re.compile(r"-?[0-9]{1,18}")
NAME_SEPARATOR_IN_LABEL_PATTERN = re.compile(r"[,、] *")
"""The pattern of what separates several names in the label of an option."""
DIE_FACES_PATTERN = re.compile(r"-?[0-9]{1,9}( -?[0-9]{1,9})*")
QUOTED_TEXT_PATTERN = re.compile(r'"(.*)"')
PASSING_WORDS = {"n", "no", "p", "pass", "w", "withdraw", "-"}


def question_line(question: Request[object]) -> Say:
    """Returns the question as a line of text, with the name of the asked player and what is to be paid."""
    text, form = question.text, question.form
    if len(question.seats) != 1 or "bids" in form.side_facts:
        return text
    if isinstance(form.single_field, CardsField) and form.single_field.counts:
        text = say("{question} – {owed} to pay", question=text, owed=form.single_field.counts.least or 0)
    return say("{seat}: {question}", seat=question.seats[0], question=text)


def typing_hints(form: Form) -> list[Say]:
    """Returns hints on what may be typed, a text for each line."""
    decline = form.decline
    lines = [] if decline is None else [decline_hint(decline)]
    match form.single_field:
        case None if form.is_list_answer:
            lines = _roll_hints(form)
        case NumberField() as number:
            numbers, no = _number_range_hint(number), form.must_answer_text or next(iter(lines), None)
            lines = [say("{amounts}; {no}", amounts=numbers, no=no) if no else numbers]
        case OptionField() as option_field:
            lines = _option_hints(form, option_field)
        case QuantitiesField() as quantities:
            lines = quantity_typing_hints(quantities, decline)
        case CardsField() as cards:
            lines = card_typing_hints(cards, decline)
        case TextField(max_letters=max_letters):
            limit = say_n("at most {n} character", "at most {n} characters", n=max_letters)
            hint = say('{most}; put a word that is also a command in quotation marks: "undo"', most=limit)
            lines = [hint, *lines]
        case ConfirmField():
            lines = [say("press Enter when you have done this")]
    return lines


def parse_typed_answer(form: Form, line: str, language: str, asked_seat: Seat | None = None) -> object:
    """Returns the JSON answer that a typed line means; raises `IllegalAnswer` if the line can't be parsed.

    `asked_seat` is named in the refusal.
    """
    answer: object
    match form.single_field:
        case None if form.is_list_answer:
            answer = _read_faces(form, line, language)
        case NumberField() | None:
            answer = _read_number(form, line, language, asked_seat)
        case OptionField() as option_field:
            answer = _read_option(option_field, line, language)
        case QuantitiesField() as quantities:
            answer = parse_typed_quantities(quantities, form.decline, line, language)
        case CardsField() as cards:
            answer = parse_typed_cards(cards, form.decline, line, language)
        case TextField():
            match = QUOTED_TEXT_PATTERN.fullmatch(line)
            answer = match[1] if match else line
        case ConfirmField(answer=confirmed_answer):
            if line.lower() not in {"", "ok", "done"}:
                raise IllegalAnswer(say("Press Enter when you have done this."))
            answer = confirmed_answer
    return answer


def asks_app_to_answer(form: Form, line: str, language: str) -> bool:
    """Returns True if the line leaves the answer to Companion, such as the roll of the dice."""
    return form.app_may_roll and line.lower() in {"r", "roll", render(say("roll"), language)}


def is_enter_alone_an_answer(form: Form) -> bool:
    """Returns True if pressing Enter alone is an answer."""
    return isinstance(form.single_field, ConfirmField) or (
        isinstance(form.single_field, TextField) and form.decline is not None
    )


# One number


def _number_range_hint(field: NumberField) -> Say:
    """Returns which numbers are allowed, as far as everybody may know it."""
    if field.values:
        return _list_values(field)
    range_text = say("{least} or more", least=field.least)
    if field.stated_least is None:
        range_text = _any_number(field)
    elif field.stated_most is not None:
        range_text = say("{least} to {most}", least=field.least, most=field.stated_most)
    return _with_step(range_text, field)


def _any_number(field: NumberField) -> Say:
    """Returns what to type where no number is too low or too high."""
    return say("any number") if field.allows_halves else say("a whole number")


def _with_step(range_text: Say, field: NumberField) -> Say:
    """Returns the text of a range with the step between its numbers, if the step isn't 1."""
    if field.step == 1:
        return range_text
    if field.step == ONE_HALF:
        return say('{numbers}, also with a half such as "7.5" or "7½"', numbers=range_text)
    return say("{numbers}, in steps of {step}", numbers=range_text, step=field.step)


def _read_number(form: Form, line: str, language: str, seat: Seat | None) -> object:
    """Returns the answer that a number or a word for declining means.

    A number is refused if only declining is left. If people must bid but can't, the question says why.
    """
    decline = form.decline
    if decline is not None and _is_decline_of_number(decline, line, language):
        return decline.answer
    may_be_number = form.single_field or form.must_answer_text or (decline and decline.key != "cant")
    if INTEGER_PATTERN.fullmatch(line) and may_be_number:
        return int(line)
    if _allows_halves(form) and (number := parse_number(line)) is not None:
        return number_to_json(number)
    raise IllegalAnswer(_how_to_answer(form, seat))


def _allows_halves(form: Form) -> bool:
    return isinstance(form.single_field, NumberField) and form.single_field.allows_halves


def _is_decline_of_number(decline: Decline, line: str, language: str) -> bool:
    """Returns True if the line is what is typed for declining, or its label.

    Pass and withdraw mean the same here.
    """
    if decline.key == "cant":
        return is_decline_line(line, language, decline.label, is_none_legal=False)
    words = {
        decline.typed_letter,
        normalize_letter_width_and_strip(render(decline.label)),
        normalize_letter_width_and_strip(render(decline.label, language)),
    }
    if decline.key in {"pass", "withdraw"}:
        words |= PASSING_WORDS | {render(word, language) for word in (say("pass"), say("withdraw"))}
    return line.lower() in words


def _how_to_answer(form: Form, seat: Seat | None) -> Say:
    """Returns a sentence about which number to type, and what to type to decline."""
    decline_text, field = _how_to_decline(form), form.single_field
    if not isinstance(field, NumberField):
        return decline_text or say("There is nothing to answer.")
    range_text = say("a number, {least} or more", least=field.least)
    if field.values:
        range_text = say("one of these numbers: {numbers}", numbers=_list_values(field))
    elif field.stated_least is None:
        range_text = _any_number(field)
    elif field.stated_most is not None:
        range_text = say("a number from {least} to {most}", least=field.least, most=field.stated_most)
    if not field.values:
        range_text = _with_step(range_text, field)
    text = say("Type {how}.", how=range_text)
    if seat:
        text = say("{seat}, type {how}.", seat=seat, how=range_text)
    return say("{one} {other}", one=text, other=decline_text) if decline_text else text


def _how_to_decline(form: Form) -> Say | None:
    """Returns what to type to decline, or that declining isn't allowed."""
    if form.must_answer_text:
        return say("You must bid.")
    if form.decline is None:
        return None
    text_by_key = {
        "pass": say("Type p to pass."),
        "withdraw": say("Type w to withdraw."),
        "none": say("Type 0 for no bid."),
    }
    default_text = say(
        "Type {typed} for: {meaning}.", typed=form.decline.typed_letter, meaning=form.decline.label
    )
    return text_by_key.get(form.decline.key, default_text)


# One of several


def _option_hints(form: Form, field: OptionField) -> list[Say]:
    """Returns the falling price, a number for each option, and why other options are barred."""
    price_step = form.side_facts.get("falling")
    price_hint = []
    if price_step is not None:
        price_hint = [say("{price}  {after}", price=price_step.price, after=price_step.next_price_text)]
    option_hints = [
        say("{number}  {choice}", number=number, choice=option_line_with_details(option))
        for number, option in enumerate(field.options.values(), 1)
    ]
    barred_hints = [
        say("–  {choice}: {why}", choice=option, why=why) for option, why in field.barred_options.values()
    ]
    return [*price_hint, *option_hints, *barred_hints]


def _read_option(field: OptionField, line: str, language: str) -> str:
    """Returns the key of the option with the shown number, or of the only option that the words fit.

    A number never means a key that looks like it. One name of a label with several names is enough.
    """
    keys = list(field.options)
    if INTEGER_PATTERN.fullmatch(line):
        matches = keys[int(line) - 1 : int(line)] if int(line) > 0 else []
    else:
        label_by_key = {
            key: normalize_letter_width_and_strip(render(option, language))
            for key, option in field.all_options.items()
        }
        matches = find_by_name(line, {key: (text,) for key, text in label_by_key.items()})
        matches += [key for key in label_by_key if key.lower() == line.lower() and key not in matches]
        matches = matches or find_by_name(
            line, {key: NAME_SEPARATOR_IN_LABEL_PATTERN.split(text) for key, text in label_by_key.items()}
        )
    if len(matches) != 1:
        if len(keys) == 1:
            raise IllegalAnswer(say("Type 1."))
        raise IllegalAnswer(say("Type a number from 1 to {most}.", most=len(keys)))
    return matches[0]


# Faces of dice, and lots


def _dice_fields(form: Form) -> list[NumberField]:
    return [field for field in form.fields if isinstance(field, NumberField)]


def _roll_hints(form: Form) -> list[Say]:
    lots = form.side_facts.get("lots")
    hints = [
        say(
            "{die}: {faces}",
            die=die.label,
            faces=_numbered_names(die.named_values) if die.value_names else _list_values(die),
        )
        for die in _dice_fields(form)
    ]
    if lots:
        hints = [say("{lots}", lots=_numbered_names(enumerate(lots, 1)))]
    return [*hints, say("{how}; r = the companion rolls", how=_how_to_roll(form))]


def _read_faces(form: Form, line: str, language: str) -> list[int]:
    (first_die, *other_dice) = _dice_fields(form)
    named_faces = first_die.named_values if not other_dice else []
    faces = find_by_name(line, {face: (render(name), render(name, language)) for face, name in named_faces})
    if len(faces) == 1:
        return faces
    drawn_lots = parse_drawn_lots(form.side_facts.get("lots", ()), len(form.fields), line, language)
    if drawn_lots is not None:
        return drawn_lots
    line = " ".join(line.replace(",", " ").split())
    if DIE_FACES_PATTERN.fullmatch(line) and len(line.split()) == len(form.fields):
        return [int(face) for face in line.split()]
    raise IllegalAnswer(say("Type {how}.", how=_how_to_roll(form)))


def _how_to_roll(form: Form) -> Say:
    dice, lots = _dice_fields(form), form.side_facts.get("lots", ())
    faces = " ".join(str(die.values[-1]) for die in dice)
    if len(dice) > 1 and lots:
        text = 'the {n} numbers in the order they were drawn, such as "{faces}", or the names in that order'
        return say(text, n=len(dice), faces=faces)
    if len(dice) == 1 and (names := lots or dice[0].value_names):
        return say('the face that the die shows, such as "{name}" or "{face}"', name=names[-1], face=faces)
    return say_n(
        'the number that the die shows, such as "{faces}"',
        'the faces of the {n} dice in this order, such as "{faces}"',
        n=len(dice),
        faces=faces,
    )


def _numbered_names(named_faces: Iterable[tuple[int, Labelled]]) -> Labelled:
    return say_list([say("{n} {name}", n=face, name=name) for face, name in named_faces])


def _list_values(number: NumberField) -> Say:
    return bid_values_text(dict.fromkeys(number.values))


# Several numbers: `2 1` in the order shown, by name such as `own 2 foreign 1` or `2 own 1 foreign`, or one
# by one as from a bag, such as `soil soil mud`. A name is the word before each line, or the label of what is
# counted, in any language.


NUMBERS_IN_ORDER_PATTERN = re.compile(r"[0-9]{1,9}( [0-9]{1,9})*")
NAMED_COUNT_PATTERNS = (
    r"(?P<name>{names}) ?[x×*]? ?(?P<count>[0-9]{{1,9}})",
    r"(?P<count>[0-9]{{1,9}}) ?[x×*]? ?(?P<name>{names})",
    r"(?P<name>{names})(?P<count>)",
)
"""Patterns for a name with a count after it, with a count before it, or without a count, which means 1."""


def quantity_typing_hints(quantities: QuantitiesField, decline: Decline | None) -> list[Say]:
    """Returns hints on how to type quantities: a line for each with its maximum, then one on how to type."""
    lines = [
        label if part.most is None else say("{what}: at most {most}", what=label, most=part.most)
        for part in quantities.numbers
        for label in [_label_with_key(part.key, part.label)]
    ]
    conditions = [_how_to_type_quantities(quantities), *_total_conditions(quantities)]
    if decline is not None:
        conditions.append(decline_hint(decline))
    return [*lines, say("{how}", how=say_list(conditions))]


def _label_with_key(key: str, label: Labelled) -> Say:
    """Returns the label of a number, after its key if the key is another word."""
    is_key_enough = key == render(label)
    return say("{what}", what=label) if is_key_enough else say("{key}  {what}", key=key, what=label)


def parse_typed_quantities(
    quantities: QuantitiesField, decline: Decline | None, line: str, language: str
) -> object:
    """Returns the typed numbers by key, or None for declining."""
    line = " ".join(re.sub(r"(?<=[^\s:=])[:=] *(?=[0-9])|,", " ", line.replace("’", "'")).split())
    keys, may_be_none = [part.key for part in quantities.numbers], quantities.least == 0
    if is_decline_line(line, language, decline.label if decline else None, is_none_legal=may_be_none):
        return None
    if NUMBERS_IN_ORDER_PATTERN.fullmatch(line) and len(line.split()) == len(keys):
        return {key: int(number) for key, number in zip(keys, line.split(), strict=True)}
    if may_be_none and is_nothing_line(line, language):
        return dict.fromkeys(keys, 0)
    if counts := _read_named_counts(quantities, fold_name(line), language):
        return counts
    raise IllegalAnswer(say("Type {how}.", how=_how_to_type_quantities(quantities)))


def _read_named_counts(quantities: QuantitiesField, line: str, language: str) -> dict[str, int]:
    """Returns the numbers by key; empty if a word of the line is no name, or a name has two numbers."""
    key_by_name = _key_by_name(quantities, language)
    names = "|".join(map(re.escape, sorted(key_by_name, key=len, reverse=True)))
    for pattern in NAMED_COUNT_PATTERNS:
        item_pattern = pattern.format(names=names)
        group_free_pattern = re.sub(r"\?P<\w+>", "?:", item_pattern)
        if not re.fullmatch(f"{group_free_pattern}(?: {group_free_pattern})*", line):
            continue
        keys_and_counts = [
            (key_by_name[match["name"]], match["count"])
            for match in re.finditer(f"{item_pattern}(?: |$)", line)
        ]
        counts: Counter[str] = Counter()
        for key, number in keys_and_counts:
            counts[key] += int(number or 1)
        return dict(counts) if len(counts) == len(keys_and_counts) or not keys_and_counts[0][1] else {}
    return {}


def _key_by_name(quantities: QuantitiesField, language: str) -> dict[str, str]:
    """Returns the key for each name: the keys themselves, and the labels that belong to only one key."""
    label_by_key = {part.key: fold_name(render(part.label, language)) for part in quantities.numbers}
    label_counts = Counter(label_by_key.values())
    names = {label: key for key, label in label_by_key.items() if label_counts[label] == 1}
    return names | {fold_name(part.key): part.key for part in quantities.numbers}


def _how_to_type_quantities(quantities: QuantitiesField) -> Say:
    """Returns `2 numbers in this order, such as "0 1", or by name, such as "own 2" or "own own"`."""
    keys = [part.key for part in quantities.numbers]
    return say_n(
        'a number, such as "{numbers}", or with its name, such as "{named}"',
        '{n} numbers in this order, such as "{numbers}", or by name, such as "{named}" or "{each}"',
        n=len(keys),
        numbers=" ".join(["0"] * (len(keys) - 1) + ["1"]),
        named=f"{keys[0]} {min(len(keys), 2)}",
        each=f"{keys[0]} {keys[0]}",
    )


def _total_conditions(quantities: QuantitiesField) -> list[Say]:
    """Returns the conditions of the total, and the maximum number of kinds."""
    least, most, max_kinds = quantities.least, quantities.most, quantities.max_nonzero_numbers
    conditions = []
    if most is not None and least == most:
        conditions.append(say("{sum} in total", sum=most))
    else:
        conditions += [say("at least {least} in total", least=least)] if least else []
        conditions += [say("at most {most} in total", most=most)] if most is not None else []
    if max_kinds is not None:
        conditions.append(say_n("at most {n} kind", "at most {n} kinds", n=max_kinds))
    if least == 0:
        conditions.append(say('"none" = nothing'))
    return conditions


# A draw of lots: the names in the order in which they were drawn, such as `Chie Aki Ben`


def parse_drawn_lots(lots: Sequence[Labelled], draw_count: int, line: str, language: str) -> list[int] | None:
    """Returns the `draw_count` drawn lots that a typed line names, as faces; None for any other line.

    A face is the position of a lot among those not drawn before it, counted from 1. The last name can be
    left out if all others are typed. If several names match, the longest counts.
    """
    remaining_lots, faces = list(lots), list[int]()
    words = line.replace(",", " ").replace("、", " ").split()
    while words and remaining_lots:
        matches, word_count = find_by_leading_words(
            words, {index: _names_of_lot(name, language) for index, name in enumerate(remaining_lots)}
        )
        if len({_names_of_lot(remaining_lots[index], language) for index in matches}) != 1:
            return None
        del words[:word_count], remaining_lots[matches[0]]
        faces.append(matches[0] + 1)
    return faces[:draw_count] if len(faces) >= draw_count and not words else None


def _names_of_lot(lot: Labelled, language: str) -> tuple[str, ...]:
    """Returns the names of a lot as they are typed, in English and in the reader's language."""
    return tuple(
        normalize_letter_width_and_strip(render(lot, language_code)) for language_code in ("en", language)
    )


# Cards: counts such as `1 2`, or words such as `6 6 other`, `2x6 3`, `6.1`, `tag 04a1b2`.
#
# A card can be typed by its name; one that isn't in the list, by its printed values: `popularity=3 start=9`.
# If one card is asked for, its values alone are enough, in the order of the deck: `3 9`.
# A line of nothing but numbers counts the cards of each worth, in the order in which the worths are shown.
# Beside a word such as `2x6`, a single number counts the other cards; otherwise a number is a card.


CARD_COUNTS_PATTERN = re.compile(r"[0-9]{1,3}( [0-9]{1,3})*")
COUNTED_CARD_PATTERN = re.compile(r"([0-9]{1,3})[x×*](\S+)")
LOOSE_CARD_PREFIX_PATTERN = re.compile(r"(?<=[0-9]) *([x×*]) *(?=\S)|\b(tag|card)[ :]+")
OTHER_CARD_WORD = "other"


def card_typing_hints(cards: CardsField, decline: Decline | None) -> list[Say]:
    """Returns hints: what the cards are worth, and how to type cards."""
    instruction = say('the cards, such as "{example}"', example=_example_cards(cards))
    if cards.asks_for_one_card:
        instruction = say('the card, such as "{example}"', example=_example_cards(cards))
    lines = []
    if cards.counts:
        parts = cards.counts.numbers
        rates = [say("{cards} are worth {each}", cards=part.label, each=part.unit_value) for part in parts]
        lines.append(say("{rates}", rates=say_list(rates)))
        counts = " ".join(str(number) for number in range(1, len(parts) + 1))
        instruction = say(
            'how many of each, such as "{counts}", or {cards}', counts=counts, cards=instruction
        )
    if fields := _fields_to_type(cards):
        instruction = say(
            "{how}, or the values printed on the card: {printed}",
            how=instruction,
            printed=" ".join(f"{name}=…" for name in fields),
        )
        if cards.asks_for_one_card:
            values = " ".join(map(str, fields.values()))
            instruction = say(
                '{how}, or only the card\'s values, such as "{values}"', how=instruction, values=values
            )
    if cards.least == 0:
        instruction = say('{how}; "none" = no card', how=instruction)
    if decline is not None and decline.barred_reason is None:
        instruction = say("{how}; {no}", how=instruction, no=decline_hint(decline))
    return [*lines, instruction]


def parse_typed_cards(cards: CardsField, decline: Decline | None, line: str, language: str) -> object:
    """Returns the typed cards as JSON, or None for declining."""
    line = " ".join(line.replace(",", " ").replace("’", "'").split())
    may_be_none = cards.least == 0
    if is_decline_line(line, language, decline.label if decline else None, is_none_legal=may_be_none):
        return None
    if named_card := _find_card_by_name(cards, line, language):
        return [named_card]
    if cards.counts and CARD_COUNTS_PATTERN.fullmatch(line):
        return _cards_from_counts(cards.counts, cards.rates, [int(word) for word in line.split()])
    if values := _read_values_of_one_card(cards, line.split()):
        return [{"values": values}]
    if may_be_none and is_nothing_line(line, language):
        return []
    words = LOOSE_CARD_PREFIX_PATTERN.sub(lambda match: match[1] or f"{match[2]}:", line).split()
    translated = render(say("other"), language)
    card_list = _read_card_words(
        cards, [OTHER_CARD_WORD if word in {"o", "others", translated} else word for word in words]
    )
    if not card_list:
        raise IllegalAnswer(
            say("This answer isn't clear. Type {how}.", how=card_typing_hints(cards, decline)[-1])
        )
    return card_list


def _read_values_of_one_card(cards: CardsField, words: Sequence[str]) -> dict[str, CardValue]:
    """Returns the printed values of the only card asked for; empty if the words are no printed values."""
    deck, values = cards.deck, dict(cards.required_values)
    ids = {*deck.cards, *(design.id for design in deck.designs)}
    if not cards.asks_for_one_card or not ids.isdisjoint(words):
        return {}
    for word in words:
        missing = ((name, field) for name, field in deck.fields_for(values).items() if name not in values)
        name, field = next(missing, ("", CardField()))
        value = word if word in field.choices else None if field.choices else _parse_printed_number(word)
        if not name or value is None:
            return {}
        values[name] = value
    return {name: value for name, value in values.items() if name not in cards.required_values}


def _fields_to_type(cards: CardsField) -> dict[str, CardValue]:
    """Returns the values to type for a card, from a likely card of the deck; empty if there are none."""
    deck, values = cards.deck, _designs_by_likelihood(cards)[0].values
    return {name: values[name] for name in deck.fields_for(values) if name not in cards.required_values}


def _cards_from_counts(
    parts: QuantitiesField, rates: Sequence[CardValues], counts: Sequence[int]
) -> list[dict[str, object]]:
    if len(counts) != len(rates):
        labels = say_list([part.label for part in parts.numbers])
        raise IllegalAnswer(say("Type {n} numbers: {labels}.", n=len(rates), labels=labels))
    return [
        {"values": dict(values)} for values, count in zip(rates, counts, strict=True) for _ in range(count)
    ]


def _read_card_words(cards: CardsField, words: Sequence[str]) -> list[dict[str, object]]:
    """Returns the cards that words mean, as JSON; empty if one of the words means no card."""
    matches = [COUNTED_CARD_PATTERN.fullmatch(word) for word in words]
    bare_numbers = [word for word in words if word.isdecimal()]
    if any(matches) and bare_numbers:
        if len(bare_numbers) > 1 or any(word.endswith(OTHER_CARD_WORD) for word in words):
            raise IllegalAnswer(say("Write what each number counts, such as 2x6 3xother."))
        words = [f"{word}x{OTHER_CARD_WORD}" if word in bare_numbers else word for word in words]
        matches = [COUNTED_CARD_PATTERN.fullmatch(word) for word in words]
    counted = [
        (int(match[1]), match[2]) if match else (1, word) for match, word in zip(matches, words, strict=True)
    ]
    found = [
        card for count, name in _join_printed_values(counted) for card in [_read_card(cards, name)] * count
    ]
    return [] if None in found else [card for card in found if card]


def _join_printed_values(words: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yields words with counts; values such as `popularity=3 start=9` are one card until one repeats."""
    assignments: list[str] = []
    for count, word in words:
        name, equals, _ = word.partition("=")
        if assignments and (
            not equals or any(assignment.startswith(f"{name}=") for assignment in assignments)
        ):
            yield 1, " ".join(assignments)
            assignments = []
        if equals:
            assignments.append(word)
        else:
            yield count, word
    if assignments:
        yield 1, " ".join(assignments)


def _find_card_by_name(cards: CardsField, line: str, language: str) -> dict[str, object] | None:
    """Returns the card with a name as JSON: by its id if there is only one copy, else by its values."""
    designs = {design.id: design for design in cards.deck.designs}
    labels = {key: Card(None, key, design.values).label for key, design in designs.items()}
    languages = "en", language
    matches = find_by_name(
        line,
        {
            key: [
                normalize_letter_width_and_strip(render(label, language_code)) for language_code in languages
            ]
            for key, label in labels.items()
        },
    )
    if len(matches) != 1:
        return None
    design = designs[matches[0]]
    return {"card": design.id} if design.copies == 1 else {"values": dict(design.values)}


def _read_card(cards: CardsField, name: str) -> dict[str, object] | None:
    """Returns the card that a word means, as JSON; None if it means no card."""
    deck = cards.deck
    if "=" in name:
        return {"values": dict(_read_printed_value(cards, pair) for pair in name.split())}
    prefix, _, id_ = name.partition(":")
    if prefix == "tag":
        return {"tag": id_.replace(":", "").lower()}
    if prefix == "card":
        return {"card": id_}
    if name in deck.cards:
        return {"card": name}
    values: dict[str, CardValues] = {
        OTHER_CARD_WORD: {},
        **{design.id: dict(design.values) for design in deck.designs},
    }
    return {"values": values[name]} if name in values else None


def _read_printed_value(cards: CardsField, pair: str) -> tuple[str, CardValue]:
    name, _, text = pair.partition("=")
    field = cards.deck.fields.get(name)
    if name == NAME_FIELD or (field and field.choices):
        return name, text
    number = _parse_printed_number(text)
    return name, text if number is None else number


def _parse_printed_number(text: str) -> JsonNumber | None:
    number = parse_number(text)
    return None if number is None else number_to_json(number)


def _example_cards(cards: CardsField) -> str:
    """Returns an example of what to type, which names a card only if that card could be accepted."""
    designs = _designs_by_likelihood(cards)
    example = designs[0].id if _would_be_accepted(cards, designs[0]) else OTHER_CARD_WORD
    return f"{example} {OTHER_CARD_WORD} {OTHER_CARD_WORD}" if cards.rates else example


def _designs_by_likelihood(cards: CardsField) -> list[CardDesign]:
    """Returns all designs: acceptable ones first, and among them the designs of the first worth."""
    wanted_values = cards.rates[0] if cards.rates else cards.required_values

    def rank(design: CardDesign) -> tuple[bool, bool]:
        return not _would_be_accepted(cards, design), not wanted_values.items() <= design.values.items()

    return sorted(cards.deck.designs, key=rank)


def _would_be_accepted(cards: CardsField, design: CardDesign) -> bool:
    """Returns True if a card of a design would be accepted, as far as everybody may know."""
    try:
        cards.rules.are_cards_possible([cards.parse_card_item(_read_card(cards, design.id))])
    except IllegalAnswer:
        return False
    return True


# An open round in one line: `12 -3 10` in the order of the seats, or `Aki 12 Ben -3` by name.
#
# The answer of a seat is one word, or several numbers with slashes: `2/1`. The form of its part reads it.
# A comma separates answers, so `7,5` is 7½ only after a name, or if there are too many numbers otherwise.


ROUND_LINE_SEAT_ANSWER_PATTERN = re.compile(r"-?[0-9]{1,9}((/[0-9]{1,9})*|½|[.][05])|-?(½|[.]5)")
"""The answer of one seat in a line for the whole round: a number, or several with slashes."""
NUMBERS_ONLY_PATTERN = re.compile(r"[-0-9./½]+")
COMMA_BEFORE_HALF_PATTERN = re.compile(r"(?<=[0-9]),(?=5(?![0-9]))")
COMMA_OF_HALF_ALONE_PATTERN = re.compile(r"(?<![^\s-]),(?=5(?![0-9]))")
"""The pattern of the comma in `,5` without a number before it, which separates no answers."""
QuestionBySeat: TypeAlias = Mapping[Seat, Request[Any]]
"""The question of each seat."""


def round_typing_hints(question_by_seat: QuestionBySeat) -> list[Say]:
    """Returns the hints of each seat, only once if they are equal, then a hint how to type a round."""
    seats = _seats_in_order(question_by_seat)
    hints_by_seat = {seat: _round_part_hints(question_by_seat[seat]) for seat in seats}
    hints = hints_by_seat[seats[0]]
    if any(seat_hints != hints for seat_hints in hints_by_seat.values()):
        hints = [
            say("{seat}: {question}", seat=seat, question=hint)
            for seat in seats
            for hint in hints_by_seat[seat]
        ]
    return [*hints, say("{how}", how=_how_to_type_round(question_by_seat))]


def parse_round_line(question_by_seat: QuestionBySeat, line: str, language: str) -> dict[Seat, object]:
    """Returns the answers that one typed line gives for a round, by seat.

    The line answers for all seats, or for the seats that it names. Raises `IllegalAnswer`.
    """
    answers = _read_answers_by_seat(question_by_seat, line, language)
    for seat, answer in answers.items():
        _check_answer_of_seat(question_by_seat[seat], seat, answer)
    return answers


def _check_answer_of_seat(question: Request[Any], seat: Seat, answer: object) -> None:
    """Raises `IllegalAnswer` for an illegal answer; an error about several numbers names the seat."""
    try:
        question.check_answer(question.parse_answer(answer))
    except IllegalAnswer as error:
        if isinstance(question.form.single_field, QuantitiesField):
            raise IllegalAnswer(say("{seat}: {why}", seat=seat, why=error.text)) from None
        raise


def _read_answers_by_seat(question_by_seat: QuestionBySeat, line: str, language: str) -> dict[Seat, object]:
    seats = _seats_in_order(question_by_seat)
    may_have_halves = all(_allows_halves(question.form) for question in question_by_seat.values())
    if may_have_halves:
        line = COMMA_OF_HALF_ALONE_PATTERN.sub(".", line)
    words = words_with_halves = line.replace(",", " ").split()
    if may_have_halves:
        words_with_halves = COMMA_BEFORE_HALF_PATTERN.sub(".", line).replace(",", " ").split()
    for answers in (words, words_with_halves):
        if len(answers) == len(seats):
            try:
                return {
                    seat: _read_answer_of_seat(question_by_seat, seat, answer, language)
                    for seat, answer in zip(seats, answers, strict=True)
                }
            except IllegalAnswer:  # the words may be a name and its answer
                if all(map(NUMBERS_ONLY_PATTERN.fullmatch, answers)):
                    raise
    return {
        seat: _read_answer_of_seat(question_by_seat, seat, word, language)
        for seat, word in _split_named_answers(question_by_seat, words_with_halves)
    }


def is_one_number_per_player(line: str, player_count: int) -> bool:
    """Returns True if the line is nothing but one number for each player."""
    words = line.replace(",", " ").split()
    return len(words) == player_count > 1 and all(map(ROUND_LINE_SEAT_ANSWER_PATTERN.fullmatch, words))


def _split_named_answers(
    question_by_seat: QuestionBySeat, words: Sequence[str]
) -> Iterator[tuple[Seat, str]]:
    names, remaining_words = name_and_key_by_seat(question_by_seat), list(words)
    while remaining_words:
        match = find_seat_in_first_words(remaining_words, names)
        if match is None or len(remaining_words) == match.word_count:
            raise IllegalAnswer(say("Type {how}.", how=_how_to_type_round(question_by_seat)))
        seat, word_count = match
        yield seat, remaining_words[word_count]
        del remaining_words[: word_count + 1]


def _read_answer_of_seat(question_by_seat: QuestionBySeat, seat: Seat, word: str, language: str) -> object:
    return parse_typed_answer(question_by_seat[seat].form, word.replace("/", " "), language, seat)


def _seats_in_order(question_by_seat: QuestionBySeat) -> list[Seat]:
    return sorted(question_by_seat, key=lambda seat: seat.number)


def _round_part_hints(question: Request[Any]) -> list[Say]:
    """Returns the hints of one seat's question, without how to type several numbers in a line."""
    form = question.form
    return typing_hints(form)[:-1] if isinstance(form.single_field, QuantitiesField) else typing_hints(form)


def _how_to_type_round(question_by_seat: QuestionBySeat) -> Say:
    seats, example = _seats_in_order(question_by_seat), "7"
    field = question_by_seat[seats[0]].form.single_field
    if isinstance(field, QuantitiesField):
        example = "/".join(map(str, range(1, 1 + len(field.numbers))))
    elif isinstance(field, NumberField) and field.allows_halves:
        example = "7.5"
    text = '{n} answers in this order: {seats}; or only some answers with names, such as "{seat} {example}"'
    return say(text, n=len(seats), seats=say_list(seats), seat=seats[0], example=example)
