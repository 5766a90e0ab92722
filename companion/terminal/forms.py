"""How each kind of question is asked in a line and answered by one: a form a kind.

A form reads what was typed into an answer's JSON; whether that is legal only the question knows.
What was typed is never repeated in a refusal: it may be a sealed bid.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from companion.errors import IllegalAnswer
from companion.requests import Amount, Choose, Counts, Die, Done, Raise, Read, Request, Roll, Together, Write
from companion.requests.choose import described
from companion.spelling import find
from companion.terminal import counting, lots, payment, row
from companion.terminal.terminal import normal
from companion.words import Labelled, Say, listed, names, render, say, say_n

NUMBER = re.compile(r"-?[0-9]{1,18}")
LISTED = re.compile(r"[,、] *")
"""Between names of one choice."""
FACES = re.compile(r"-?[0-9]{1,9}( -?[0-9]{1,9})*")
QUOTED = re.compile(r'"(.*)"')
NO = {"n", "no", "p", "pass", "w", "withdraw", "-"}


@singledispatch
def hints(question: Request[Any]) -> list[Say]:
    """What may be typed, a line each."""
    raise NotImplementedError(question.kind)  # a kind without a form is a fault of ours


@singledispatch
def given(question: Request[Any], line: str, language: str) -> object:
    """The answer's JSON form of a typed line; raises `IllegalAnswer` where it can't be read."""
    raise NotImplementedError(question.kind)  # a kind without a form is a fault of ours


def asks(question: Request[Any]) -> Say:
    """The question, with the name of who is asked and the price."""
    text = question.text
    if isinstance(question, Raise) or len(question.seats) != 1:
        return text
    if isinstance(question, Read) and question.worth:
        text = say("{question} – {owed} to pay", question=text, owed=question.worth.owed)
    return say("{seat}: {question}", seat=question.seats[0], question=text)


@hints.register
def _(question: Choose) -> list[Say]:
    """The price they run for, a number for each that may be chosen, and why others can't be."""
    falling = question.falling
    price = [] if falling is None else [say("{price}  {after}", price=falling.price, after=falling.after)]
    numbered = [
        say("{number}  {choice}", number=number, choice=described(choice))
        for number, choice in enumerate(question.offered.values(), 1)
    ]
    barred = [say("–  {choice}: {why}", choice=question.options[key], why=why)
              for key, why in question.barred.items()]  # fmt: skip  # one line each
    return [*price, *numbered, *barred]


@given.register
def _(question: Choose, line: str, language: str) -> object:
    """A number is the one shown, whatever the keys look like; a word must be one choice's alone.

    Of a choice that names several people, such as a team, one of them is enough.
    """
    keys = list(question.offered)
    if NUMBER.fullmatch(line):
        named = keys[int(line) - 1 : int(line)] if int(line) > 0 else []
    else:
        said = {key: normal(render(choice, language)) for key, choice in question.options.items()}
        named = find(line, {key: (text,) for key, text in said.items()})
        named += [key for key in said if key.lower() == line.lower() and key not in named]
        named = named or find(line, {key: LISTED.split(text) for key, text in said.items()})
    if len(named) != 1:
        if len(keys) == 1:
            raise IllegalAnswer(say("Type 1."))
        raise IllegalAnswer(say("Type a number from 1 to {most}.", most=len(keys)))
    return named[0]


@hints.register
def _(question: Raise) -> list[Say]:
    no = {None: say("you must bid"), "pass": say("p = pass"), "withdraw": say("w = withdraw")}[question.no]
    return [say("{amounts}; {no}", amounts=_between(question.limits), no=no) if question.may_bid else no]


@given.register
def _(question: Raise, line: str, language: str) -> object:
    if line.lower() in NO | {render(word, language) for word in (say("pass"), say("withdraw"))}:
        return None
    return _number(question, line)


@hints.register
def _(question: Amount) -> list[Say]:
    if not question.may_bid:
        return [say("0 = no bid")]
    numbers = _between(question.limits)
    return [say("{numbers}; 0 = no bid", numbers=numbers) if question.none else numbers]


@given.register
def _(question: Amount, line: str, language: str) -> object:  # noqa: ARG001 - a number is one in any language
    return _number(question, line)


hints.register(Counts, counting.hints)
given.register(Counts, counting.given)
hints.register(Read, payment.hints)
given.register(Read, payment.given)


@hints.register
def _(question: Roll) -> list[Say]:
    shown = [
        say("{die}: {faces}", die=die.label, faces=_called(die) if die.names else _numbers(die.faces))
        for die in question.dice
    ]
    if question.lots:
        shown = [say("{lots}", lots=_numbered(enumerate(question.lots, 1)))]
    return [*shown, say("{how}; r = the companion rolls", how=_faces(question))]


@given.register
def _(question: Roll, line: str, language: str) -> object:
    (die, *others) = question.dice
    faces = zip(die.faces, die.names, strict=False) if not others else ()
    found = find(line, {face: (render(name), render(name, language)) for face, name in faces})
    if len(found) == 1:
        return found
    if (drawn := lots.counted(question, line, language)) is not None:
        return drawn
    line = " ".join(line.replace(",", " ").split())
    if FACES.fullmatch(line) and len(line.split()) == len(question.dice):
        return [int(face) for face in line.split()]
    raise IllegalAnswer(say("Type {how}.", how=_faces(question)))


def leaves_it(question: Request[Any], line: str, language: str) -> bool:
    """Whether the line leaves the dice to the companion."""
    words = {"r", "roll", render(say("roll"), language)}
    return isinstance(question, Roll) and line.lower() in words


@hints.register
def _(question: Write) -> list[Say]:
    most = say_n("at most {n} character", "at most {n} characters", n=question.most)
    quoted = say('{most}; put a word that is also a command in quotation marks: "undo"', most=most)
    return [quoted] if question.none is None else [quoted, say("Enter = {none}", none=question.none)]


@given.register
def _(question: Write, line: str, language: str) -> object:  # noqa: ARG001 - words are in any language
    quoted = QUOTED.fullmatch(line)
    return quoted[1] if quoted else line


def may_be_enter(question: Request[Any] | None) -> bool:
    """Whether Enter alone is an answer."""
    return isinstance(question, Done) or (isinstance(question, Write) and question.none is not None)


@hints.register
def _(question: Done) -> list[Say]:  # noqa: ARG001 - every step is confirmed in the same way
    return [say("press Enter when you have done this")]


@given.register
def _(question: Done, line: str, language: str) -> object:  # noqa: ARG001 - there is only one answer
    if line.lower() in {"", "ok", "done"}:
        return True
    raise IllegalAnswer(say("Press Enter when you have done this."))


@hints.register
def _(question: Together) -> list[Say]:  # type: ignore[type-arg]  # whatever its parts answer
    return row.hints(question, hints)


def _called(die: Die) -> Labelled:
    """Each face as it is typed, with its name."""
    return _numbered(zip(die.faces, die.names, strict=True))


def _numbered(called: Iterable[tuple[int, Labelled]]) -> Labelled:
    return listed([say("{n} {name}", n=face, name=name) for face, name in called])


def _numbers(faces: tuple[int, ...]) -> Say:
    return names(map(str, dict.fromkeys(faces)))


def _faces(question: Roll) -> Say:
    faces = " ".join(str(die.faces[-1]) for die in question.dice)
    if len(question.dice) > 1 and question.lots:
        text = '{n} lots in this order, such as "{faces}", or the names in the order they were drawn'
        return say(text, n=len(question.dice), faces=faces)
    if len(question.dice) == 1 and (called := question.lots or question.dice[0].names):
        return say('the face that the die shows, such as "{name}" or "{face}"', name=called[-1], face=faces)
    return say_n(
        'the number that the die shows, such as "{faces}"',
        'the faces of the {n} dice in this order, such as "{faces}"',
        n=len(question.dice),
        faces=faces,
    )


def _number(question: Request[Any], line: str) -> int:
    if NUMBER.fullmatch(line):
        return int(line)
    raise IllegalAnswer(_how_to_answer(question))


def _how_to_answer(question: Request[Any]) -> Say:
    """Which number to type, and what stands for no bid."""
    no = _no_bid(question)
    if isinstance(question, (Raise, Amount)) and not question.may_bid:
        return no or question.text
    limits = question.limits
    numbers = say("a number, {least} or more", least=limits["least"])
    if limits["most"] is not None:
        numbers = say("a number from {least} to {most}", least=limits["least"], most=limits["most"])
    if limits["step"] > 1:
        numbers = say("{numbers}, in steps of {step}", numbers=numbers, step=limits["step"])
    text = say("Type {how}.", how=numbers)
    if question.seats:
        text = say("{seat}, type {how}.", seat=question.seats[0], how=numbers)
    return say("{one} {other}", one=text, other=no) if no else text


def _no_bid(question: Request[Any]) -> Say | None:
    """What to type for no bid, or that there must be one."""
    if isinstance(question, Raise):
        ways = {"pass": say("Type p to pass."), "withdraw": say("Type w to withdraw.")}
        return say("You must bid.") if question.no is None else ways[question.no]
    return say("Type 0 for no bid.") if isinstance(question, Amount) and question.none else None


def _between(limits: dict[str, Any]) -> Say:
    """The numbers that all may know to be allowed."""
    least, most, step = limits["least"], limits["most"], limits["step"]
    numbers = say("{least} or more", least=least)
    if most is not None:
        numbers = say("{least} to {most}", least=least, most=most)
    return say("{numbers}, in steps of {step}", numbers=numbers, step=step) if step > 1 else numbers
