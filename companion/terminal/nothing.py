"""The words for what is no number and no card: that one can't, and that it is none of what is asked for.

`c` says that one can't, `none` that there is none; `no` and `-` say whichever of the two can be answered.
"""

from __future__ import annotations

from companion.errors import IllegalAnswer
from companion.requests import Decline
from companion.terminal.terminal import normal
from companion.words import Say, render, say

CANT = {"c", "cant", "can't"}
NONE = {"none", "nothing", "0"}
EITHER = {"no", "-"}


def decline_hint(decline: Decline) -> Say:
    """Returns what is typed to decline."""
    if not decline.typed:
        return say("Enter = {none}", none=decline.label)
    return say("{typed} = {meaning}", typed=decline.typed, meaning=decline.label)


def can_not(line: str, language: str, cant: Say | None, *, may_be_none: bool) -> bool:
    """Whether the line says that one can't; raises `IllegalAnswer` where it might say that there is none."""
    if line.lower() in CANT or (cant is not None and line == normal(render(cant, language))):
        return True
    if line.lower() not in EITHER:
        return False
    if cant and may_be_none:
        raise IllegalAnswer(say('Type "none", or "c" for: {cant}.', cant=cant))
    return not may_be_none


def is_none(line: str, language: str) -> bool:
    """Whether the line says that there is none."""
    words = NONE | EITHER | {render(word, language) for word in (say("none"), say("nothing"))}
    return line.lower() in words
