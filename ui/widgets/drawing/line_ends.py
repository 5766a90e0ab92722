"""Where a line of Japanese may end.

Kivy breaks Japanese anywhere, since it knows no break but a space; English is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

NOT_FIRST = (
    "、。，．・：；？！」』）】〕〉》ー～〜…‥々ゝゞヽヾ゛゜"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%"
)
"""What no line begins with (JIS X 4051: closing marks, sound marks, small kana)."""
NOT_LAST = "「『（【〔〈《([{"
"""What no line ends with."""
_JAPANESE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_ANY_JAPANESE = re.compile(f"[{_JAPANESE}]")
_WHOLE = re.compile(f"[{re.escape(NOT_LAST)}]*(?:[^\\s{_JAPANESE}]+|.)[{re.escape(NOT_FIRST)}]* *")
"""What stays together: a Latin word, a number or one Japanese character, with the marks that belong to it."""


def broken(text: str, width: float, across: Callable[[str], float]) -> str:
    """The text with a newline wherever a line of it is full; `across` is how wide a text is.

    What stays together but is wider than that is for Kivy to break.
    """
    return "\n".join(_filled(line, width, across) for line in text.split("\n"))


def _filled(line: str, width: float, across: Callable[[str], float]) -> str:
    if not _ANY_JAPANESE.search(line):
        return line
    lines = [""]
    for whole in _WHOLE.findall(line):
        if lines[-1] and across((lines[-1] + whole).rstrip()) > width:
            lines.append(whole)
        else:
            lines[-1] += whole
    return "\n".join(each.rstrip() for each in lines)
