"""Several numbers as people type them: `2 1` in the order shown, or by name: `own 2 foreign 1`.

A name is the word shown before each line or, in any language, what is counted.
"""

from __future__ import annotations

import re

from companion.errors import IllegalAnswer
from companion.requests import Counts
from companion.terminal.lines import normal
from companion.words import Say, listed, render, say, say_n

CANT = {"c", "cant", "can't", "no", "-"}
IN_ORDER = re.compile(r"[0-9]{1,9}( [0-9]{1,9})*")
NAMED = re.compile(r"(\D+?) ?([0-9]{1,9})(?: |$)")


def hints(question: Counts) -> list[Say]:
    """What is counted and how many of it there may be, a line each; then how to type it."""
    limits = question.limits
    lines = [
        say("{key}  {what}", key=key, what=count.label)
        if limits["counts"][key] is None
        else say("{key}  {what}: at most {most}", key=key, what=count.label, most=limits["counts"][key])
        for key, count in question.counted.items()
    ]
    return [*lines, say("{how}", how=listed([_how(question), *_condition(question)]))]


def given(question: Counts, line: str, language: str) -> object:
    """The numbers by key in JSON, or None for those who can't."""
    line = " ".join(re.sub("[,:=]", " ", line.replace("’", "'")).split())
    if line.lower() in CANT or (question.cant and line == normal(render(question.cant, language))):
        return None
    if IN_ORDER.fullmatch(line):
        numbers = line.split()
        if len(numbers) == len(question.counted):
            return {key: int(number) for key, number in zip(question.counted, numbers, strict=True)}
    elif counts := _named(question, line.lower(), language):
        return counts
    raise IllegalAnswer(say("Type {how}.", how=_how(question)))


def _named(question: Counts, line: str, language: str) -> dict[str, int]:
    """The numbers by key; empty where something in the line is no number with a name, or named twice."""
    names = {key.lower(): key for key in question.counted}
    names |= {normal(render(count.label, language)).lower(): key for key, count in question.counted.items()}
    found = NAMED.findall(line)
    counts = {names[name]: int(number) for name, number in found if name in names}
    return counts if len(counts) == len(found) and not NAMED.sub("", line) else {}


def _how(question: Counts) -> Say:
    """`2 numbers in this order, such as "0 1", or by name, such as "own 1"`."""
    keys = list(question.counted)
    return say_n(
        'a number, such as "{numbers}", or with its name, such as "{named}"',
        '{n} numbers in this order, such as "{numbers}", or by name, such as "{named}"',
        n=len(keys),
        numbers=" ".join(["0"] * (len(keys) - 1) + ["1"]),
        named=f"{keys[0]} 1",
    )


def _condition(question: Counts) -> list[Say]:
    """What the numbers must make together, of how many kinds, and how to say that one can't."""
    least, most, kinds = (question.limits[key] for key in ("least", "most", "kinds"))
    conditions = []
    if most is not None and least == most:
        conditions.append(say("{sum} together", sum=most))
    else:
        conditions += [say("at least {least} together", least=least)] if least else []
        conditions += [say("at most {most} together", most=most)] if most is not None else []
    if kinds is not None:
        conditions.append(say_n("of {n} kind at most", "of {n} kinds at most", n=kinds))
    if question.cant is not None:
        conditions.append(say("c = {cant}", cant=question.cant))
    return conditions
