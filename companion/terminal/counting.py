"""Several numbers as people type them: `2 1` in the order shown, by name, or one after the other.

By name is `own 2 foreign 1` or `2 own 1 foreign`; one after the other, as from a bag, is `soil soil mud`.
A name is the word shown before each line or, in any language, what is counted.
"""

from __future__ import annotations

import re
from collections import Counter

from companion.errors import IllegalAnswer
from companion.requests import Decline, QuantitiesField
from companion.spelling import fold_name
from companion.terminal import nothing
from companion.words import Labelled, Say, listed, render, say, say_n

IN_ORDER = re.compile(r"[0-9]{1,9}( [0-9]{1,9})*")
WAYS = (
    r"(?P<name>{names}) ?[x×*]? ?(?P<count>[0-9]{{1,9}})",
    r"(?P<count>[0-9]{{1,9}}) ?[x×*]? ?(?P<name>{names})",
    r"(?P<name>{names})(?P<count>)",
)
"""A name with its number, before it or after it, or alone for one of it."""


def hints(numbers: QuantitiesField, decline: Decline | None) -> list[Say]:
    """What is counted and how many of it there may be, a line each; then how to type it."""
    lines = [
        named if part.most is None else say("{what}: at most {most}", what=named, most=part.most)
        for part in numbers.parts
        for named in [_named_by(part.key, part.label)]
    ]
    how = [_how(numbers), *_condition(numbers)]
    if decline is not None:
        how.append(nothing.decline_hint(decline))
    return [*lines, say("{how}", how=listed(how))]


def _named_by(key: str, label: Labelled) -> Say:
    """What is counted, and the word by which it may be typed where that is another one."""
    alone = key == render(label)
    return say("{what}", what=label) if alone else say("{key}  {what}", key=key, what=label)


def read_line(numbers: QuantitiesField, decline: Decline | None, line: str, language: str) -> object:
    """The numbers by key in JSON, or None for those who can't."""
    line = " ".join(re.sub(r"(?<=[^\s:=])[:=] *(?=[0-9])|,", " ", line.replace("’", "'")).split())
    keys, may_be_none = [part.key for part in numbers.parts], numbers.least == 0
    if nothing.can_not(line, language, decline.label if decline else None, may_be_none=may_be_none):
        return None
    if IN_ORDER.fullmatch(line) and len(line.split()) == len(keys):
        return {key: int(number) for key, number in zip(keys, line.split(), strict=True)}
    if may_be_none and nothing.is_none(line, language):
        return dict.fromkeys(keys, 0)
    if counts := _named(numbers, fold_name(line), language):
        return counts
    raise IllegalAnswer(say("Type {how}.", how=_how(numbers)))


def _named(numbers: QuantitiesField, line: str, language: str) -> dict[str, int]:
    """The numbers by key; empty where something in the line is no name of one, or has two numbers."""
    keys = _names(numbers, language)
    names = "|".join(map(re.escape, sorted(keys, key=len, reverse=True)))
    for way in WAYS:
        one = way.format(names=names)
        plain = re.sub(r"\?P<\w+>", "?:", one)
        if not re.fullmatch(f"{plain}(?: {plain})*", line):
            continue
        found = [(keys[each["name"]], each["count"]) for each in re.finditer(f"{one}(?: |$)", line)]
        counts: Counter[str] = Counter()
        for key, number in found:
            counts[key] += int(number or 1)
        return dict(counts) if len(counts) == len(found) or not found[0][1] else {}
    return {}


def _names(numbers: QuantitiesField, language: str) -> dict[str, str]:
    """What may stand for each key: itself and what is counted, unless that is another one's too."""
    labels = {part.key: fold_name(render(part.label, language)) for part in numbers.parts}
    called = Counter(labels.values())
    names = {label: key for key, label in labels.items() if called[label] == 1}
    return names | {fold_name(part.key): part.key for part in numbers.parts}


def _how(numbers: QuantitiesField) -> Say:
    """`2 numbers in this order, such as "0 1", or by name, such as "own 2" or "own own"`."""
    keys = [part.key for part in numbers.parts]
    return say_n(
        'a number, such as "{numbers}", or with its name, such as "{named}"',
        '{n} numbers in this order, such as "{numbers}", or by name, such as "{named}" or "{each}"',
        n=len(keys),
        numbers=" ".join(["0"] * (len(keys) - 1) + ["1"]),
        named=f"{keys[0]} {min(len(keys), 2)}",
        each=f"{keys[0]} {keys[0]}",
    )


def _condition(numbers: QuantitiesField) -> list[Say]:
    """What the numbers must make together, and of how many kinds."""
    least, most, kinds = numbers.least, numbers.most, numbers.kinds
    conditions = []
    if most is not None and least == most:
        conditions.append(say("{sum} in total", sum=most))
    else:
        conditions += [say("at least {least} in total", least=least)] if least else []
        conditions += [say("at most {most} in total", most=most)] if most is not None else []
    if kinds is not None:
        conditions.append(say_n("at most {n} kind", "at most {n} kinds", n=kinds))
    if least == 0:
        conditions.append(say('"none" = nothing'))
    return conditions
