"""What people type for an answer: the hints of a form, and the reading of a typed line.

What a line means depends only on the fields of the form; whether it is legal only the question knows.
What was typed is never repeated in a refusal: it may be a sealed bid.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from companion.errors import IllegalAnswer
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
from companion.requests.choose import described
from companion.spelling import find
from companion.table.seats import Seat
from companion.terminal import counting, lots, nothing, payment
from companion.terminal.terminal import normal
from companion.words import Labelled, Say, listed, names, render, say, say_n

NUMBER = re.compile(r"-?[0-9]{1,18}")
LISTED = re.compile(r"[,、] *")
"""Between names of one choice."""
FACES = re.compile(r"-?[0-9]{1,9}( -?[0-9]{1,9})*")
QUOTED = re.compile(r'"(.*)"')
NO = {"n", "no", "p", "pass", "w", "withdraw", "-"}


def title(question: Request[object]) -> Say:
    """Returns the question, with the name of who is asked and the price."""
    text, form = question.text, question.form
    if len(question.seats) != 1 or "bids" in form.facts:
        return text
    if isinstance(form.field, CardsField) and form.field.counts:
        text = say("{question} – {owed} to pay", question=text, owed=form.field.counts.least or 0)
    return say("{seat}: {question}", seat=question.seats[0], question=text)


def hints(form: Form) -> list[Say]:
    """Returns what may be typed, one text per line."""
    decline = form.decline
    lines = [] if decline is None else [nothing.decline_hint(decline)]
    match form.field:
        case None if form.many:
            lines = _roll_hints(form)
        case NumberField() as number:
            numbers, no = _range_hint(number), form.must or next(iter(lines), None)
            lines = [say("{amounts}; {no}", amounts=numbers, no=no) if no else numbers]
        case OptionField() as choice:
            lines = _choice_hints(form, choice)
        case QuantitiesField() as several:
            lines = counting.hints(several, decline)
        case CardsField() as cards:
            lines = payment.hints(cards, decline)
        case TextField(most=most):
            limit = say_n("at most {n} character", "at most {n} characters", n=most)
            quoted = say('{most}; put a word that is also a command in quotation marks: "undo"', most=limit)
            lines = [quoted, *lines]
        case ConfirmField():
            lines = [say("press Enter when you have done this")]
    return lines


def read_line(form: Form, line: str, language: str, seat: Seat | None = None) -> object:
    """Returns the answer in JSON that a typed line means; raises `IllegalAnswer` if it can't be read.

    `seat` is who is asked, to be named in the refusal.
    """
    meant: object
    match form.field:
        case None if form.many:
            meant = _read_faces(form, line, language)
        case NumberField() | None:
            meant = _read_number(form, line, language, seat)
        case OptionField() as choice:
            meant = _read_choice(choice, line, language)
        case QuantitiesField() as numbers:
            meant = counting.read_line(numbers, form.decline, line, language)
        case CardsField() as cards:
            meant = payment.read_line(cards, form.decline, line, language)
        case TextField():
            quoted = QUOTED.fullmatch(line)
            meant = quoted[1] if quoted else line
        case ConfirmField(answer=answer):
            if line.lower() not in {"", "ok", "done"}:
                raise IllegalAnswer(say("Press Enter when you have done this."))
            meant = answer
    return meant


def app_is_to_answer(form: Form, line: str, language: str) -> bool:
    """True if the line leaves the answer to Companion, such as the roll of the dice."""
    return form.app_answers and line.lower() in {"r", "roll", render(say("roll"), language)}


def takes_enter(form: Form) -> bool:
    """True if Enter alone is an answer."""
    return isinstance(form.field, ConfirmField) or (
        isinstance(form.field, TextField) and form.decline is not None
    )


# One number


def _range_hint(number: NumberField) -> Say:
    """Returns the numbers that all may know to be allowed."""
    numbers = say("{least} or more", least=number.least)
    if number.most is not None:
        numbers = say("{least} to {most}", least=number.least, most=number.most)
    if number.step == 1:
        return numbers
    return say("{numbers}, in steps of {step}", numbers=numbers, step=number.step)


def _read_number(form: Form, line: str, language: str, seat: Seat | None) -> object:
    """A number is one in any language; where only declining is left, the question refuses it."""
    declined = form.decline
    if declined is not None and _declines(declined, line, language):
        return declined.answer
    if NUMBER.fullmatch(line) and (form.field or (declined and declined.key != "cant")):
        return int(line)
    raise IllegalAnswer(_how_to_answer(form, seat))


def _declines(decline: Decline, line: str, language: str) -> bool:
    """True if the line is what is typed for declining, or its name; to pass and to withdraw are the same."""
    if decline.key == "cant":
        return nothing.can_not(line, language, decline.label, may_be_none=False)
    words = {decline.typed, normal(render(decline.label)), normal(render(decline.label, language))}
    if decline.key in {"pass", "withdraw"}:
        words |= NO | {render(word, language) for word in (say("pass"), say("withdraw"))}
    return line.lower() in words


def _how_to_answer(form: Form, seat: Seat | None) -> Say:
    """Which number to type, and what to type to decline."""
    declining, number = _how_to_decline(form), form.field
    if not isinstance(number, NumberField):
        return declining or say("There is nothing to answer.")
    numbers = say("a number, {least} or more", least=number.least)
    if number.most is not None:
        numbers = say("a number from {least} to {most}", least=number.least, most=number.most)
    if number.step > 1:
        numbers = say("{numbers}, in steps of {step}", numbers=numbers, step=number.step)
    text = say("Type {how}.", how=numbers)
    if seat:
        text = say("{seat}, type {how}.", seat=seat, how=numbers)
    return say("{one} {other}", one=text, other=declining) if declining else text


def _how_to_decline(form: Form) -> Say | None:
    """What to type to decline, or that declining isn't allowed."""
    if form.must:
        return say("You must bid.")
    if form.decline is None:
        return None
    ways = {
        "pass": say("Type p to pass."),
        "withdraw": say("Type w to withdraw."),
        "none": say("Type 0 for no bid."),
    }
    otherwise = say("Type {typed} for: {meaning}.", typed=form.decline.typed, meaning=form.decline.label)
    return ways.get(form.decline.key, otherwise)


# One of several


def _choice_hints(form: Form, choice: OptionField) -> list[Say]:
    """The price they run for, a number for each option that can be chosen, and why others can't be."""
    falling = form.facts.get("falling")
    price = [] if falling is None else [say("{price}  {after}", price=falling.price, after=falling.after)]
    numbered = [
        say("{number}  {choice}", number=number, choice=described(option))
        for number, option in enumerate(choice.options.values(), 1)
    ]
    barred = [say("–  {choice}: {why}", choice=option, why=why) for option, why in choice.barred.values()]
    return [*price, *numbered, *barred]


def _read_choice(choice: OptionField, line: str, language: str) -> str:
    """A number is the one shown, whatever the keys look like; a word must be one choice's alone.

    Of a choice that names several people, such as a team, one of them is enough.
    """
    keys = list(choice.options)
    if NUMBER.fullmatch(line):
        named = keys[int(line) - 1 : int(line)] if int(line) > 0 else []
    else:
        said = {key: normal(render(option, language)) for key, option in choice.all.items()}
        named = find(line, {key: (text,) for key, text in said.items()})
        named += [key for key in said if key.lower() == line.lower() and key not in named]
        named = named or find(line, {key: LISTED.split(text) for key, text in said.items()})
    if len(named) != 1:
        if len(keys) == 1:
            raise IllegalAnswer(say("Type 1."))
        raise IllegalAnswer(say("Type a number from 1 to {most}.", most=len(keys)))
    return named[0]


# Faces of dice, and lots


def _dice(form: Form) -> list[NumberField]:
    return [field for field in form.fields if isinstance(field, NumberField)]


def _roll_hints(form: Form) -> list[Say]:
    lots_drawn = form.facts.get("lots")
    shown = [
        say("{die}: {faces}", die=die.label, faces=_numbered(die.named) if die.names else _faces_of(die))
        for die in _dice(form)
    ]
    if lots_drawn:
        shown = [say("{lots}", lots=_numbered(enumerate(lots_drawn, 1)))]
    return [*shown, say("{how}; r = the companion rolls", how=_how_to_roll(form))]


def _read_faces(form: Form, line: str, language: str) -> list[int]:
    (die, *others) = _dice(form)
    named = die.named if not others else []
    found = find(line, {face: (render(name), render(name, language)) for face, name in named})
    if len(found) == 1:
        return found
    drawn = lots.counted(form.facts.get("lots", ()), len(form.fields), line, language)
    if drawn is not None:
        return drawn
    line = " ".join(line.replace(",", " ").split())
    if FACES.fullmatch(line) and len(line.split()) == len(form.fields):
        return [int(face) for face in line.split()]
    raise IllegalAnswer(say("Type {how}.", how=_how_to_roll(form)))


def _how_to_roll(form: Form) -> Say:
    dice, lots_drawn = _dice(form), form.facts.get("lots", ())
    faces = " ".join(str(die.values[-1]) for die in dice)
    if len(dice) > 1 and lots_drawn:
        text = 'the {n} numbers in the order they were drawn, such as "{faces}", or the names in that order'
        return say(text, n=len(dice), faces=faces)
    if len(dice) == 1 and (called := lots_drawn or dice[0].names):
        return say('the face that the die shows, such as "{name}" or "{face}"', name=called[-1], face=faces)
    return say_n(
        'the number that the die shows, such as "{faces}"',
        'the faces of the {n} dice in this order, such as "{faces}"',
        n=len(dice),
        faces=faces,
    )


def _numbered(called: Iterable[tuple[int, Labelled]]) -> Labelled:
    return listed([say("{n} {name}", n=face, name=name) for face, name in called])


def _faces_of(die: NumberField) -> Say:
    return names(map(str, dict.fromkeys(die.values)))
