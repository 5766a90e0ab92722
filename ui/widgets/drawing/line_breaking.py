"""Where a line may end: in Japanese between phrases, and in a word only where it is wider than a line.

Kivy breaks Japanese anywhere, since it knows no break but a space, and a long word without a hyphen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

NOT_FIRST = (
    "、。，．・：；？！」』）】〕〉》ー～〜…‥々ゝゞヽヾ゛゜"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%"
)
"""What no line begins with (JIS X 4051: closing marks, sound marks, small kana)."""
NOT_LAST = "「『（【〔〈《([{"
"""What no line ends with."""
UNBROKEN = "\u00a0"
"""A space at which no line ends."""
PARTICLES = "は|が|を|に|へ|と|で|も|の|や|か|から|まで|より|だけ|しか|ずつ|ほど|など"
"""Words that belong to the one before them: no line begins with one while what they stay with has room."""
HELD = "いくつ|いくら|ずつ|どおり|持ち時間"
COMPOUNDS = "掘削技術|得点表|秘密入札"
"""Words inside which the parser ends a phrase, or a line could end between kanji and kana."""
_KATAKANA = "ァ-ヺー"
_KANJI = "々〆一-鿿豈-\ufaff"
_JAPANESE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"


def broken(text: str, width: float, across: Callable[[str], float]) -> str:
    """The text with a newline wherever a line of it is full; `across` is how wide a text is.

    Lines of Japanese end between phrases; inside one only where it is wider than a line.
    What stays together but is wider than that is for Kivy to break, or `hyphened`.
    """
    return "\n".join(_filled(line, width, across) for line in text.split("\n"))


def hyphened(text: str, width: float, across: Callable[[str], float]) -> str:
    """The text in which a word that is wider than a line goes on after a hyphen; Japanese has none."""
    if is_japanese(text):
        return text
    return re.sub(r"\S+", lambda word: _within(word[0], width, across), text)


def longest(text: str, across: Callable[[str], float], *, is_name: bool = False) -> float:
    """The width of the widest word: Latin, a number, katakana, or a compound of kanji with its particle.

    The kanji of a name may stand on two lines (`is_name`), where those of a word may not.
    """
    if is_name or not is_japanese(text):
        words = _words().findall(text)
    else:
        words = [word for phrase in phrases(text) for word in _compounds().findall(phrase)]
    return max(map(across, words), default=0.0)


def filled(text: str, width: float, across: Callable[[str], float]) -> list[str]:
    """Its lines; only what is wider than a line on its own is broken anywhere but between words."""
    if is_japanese(text):
        return broken(text, width, across).split("\n")
    lines: list[str] = []
    for word in text.split():
        wider = f"{lines[-1]} {word}" if lines else word
        if lines and across(wider) <= width:
            lines[-1] = wider
        else:
            lines.append(word)
    return lines or [""]


def lines_in(text: str, width: float, across: Callable[[str], float]) -> int:
    """How many lines it takes."""
    return len(filled(text, width, across))


def longest_phrase(text: str, across: Callable[[str], float]) -> float:
    """How wide the widest of what is read in one breath is: as `longest`, and in Japanese a phrase."""
    parts = (
        [part for phrase in phrases(text) for part in _breaths().findall(phrase)] if is_japanese(text) else []
    )
    return max([longest(text, across), *(across(part) for part in parts)])


def is_japanese(text: str) -> bool:
    """Whether a line of it may end where there is no space."""
    return not text.isascii() and _any_japanese().search(text) is not None


def cut(word: str, parts: int, hyphen: str = "-") -> list[str]:
    """A word in lines about as long as each other; where it isn't Japanese a hyphen says that it goes on."""
    each = max(1, -(-len(word) // parts))
    lines = [word[at : at + each] for at in range(0, len(word), each)]
    end = "" if is_japanese(word) else hyphen
    return [*(line + end for line in lines[:-1]), *lines[-1:]]


def _filled(line: str, width: float, across: Callable[[str], float]) -> str:
    if not is_japanese(line):
        return line
    if across(line) <= width:
        return line
    lines = [""]
    for part in _parts(line, width, across):
        if lines[-1] and across((lines[-1] + part).rstrip()) > width:
            lines.append(part.lstrip())
        else:
            lines[-1] += part
    return "\n".join(each.rstrip() for each in lines)


def _within(word: str, width: float, across: Callable[[str], float]) -> str:
    """A word in as few parts as have room, sooner without hyphens than in more; a path keeps its letters."""
    if across(word) <= width or not word.isalpha():
        return word
    tries = (cut(word, parts, hyphen) for parts in range(2, len(word)) for hyphen in ("-", ""))
    return "\n".join(next((parts for parts in tries if max(map(across, parts)) <= width), [word]))


def _parts(line: str, width: float, across: Callable[[str], float]) -> Iterator[str]:
    """Its phrases; of one that is wider than a line its words, and of such a word its letters.

    A word keeps its particle as long as both have room; a compound that is wider than a line ends after
    two characters, as most of what it is made of has two.
    """
    for phrase in phrases(line):
        yield from _divided(phrase, width, across, (_whole(), _pairs(), _alone()))


def _divided(
    part: str, width: float, across: Callable[[str], float], finer: Sequence[re.Pattern[str]]
) -> Iterator[str]:
    """The part if it has room; else what the first of the patterns finds in it, divided further."""
    if not finer or across(part.rstrip()) <= width:
        yield part
        return
    for smaller in finer[0].findall(part):
        yield from _divided(smaller, width, across, finer[1:])


@cache  # not before: who plays in English never needs it, and compiling is a hundredth of the start
def _any_japanese() -> re.Pattern[str]:
    return re.compile(f"[{_JAPANESE}]")


@cache  # nor this
def _words() -> re.Pattern[str]:
    """What is of one piece with its marks, also where Japanese stands right beside it."""
    return re.compile(f"[!-~]+|[{re.escape(NOT_LAST)}]*[{_KATAKANA}]+[{re.escape(NOT_FIRST)}]*")


@cache  # nor this
def _compounds() -> re.Pattern[str]:
    """Japanese words and compounds of kanji, each with the particle behind it."""
    opening = re.escape(NOT_LAST)
    return re.compile(f"[{opening}]*(?:{HELD}|[^\\s{_JAPANESE}]+|[{_KATAKANA}]+|[{_KANJI}]{{2,}}){_behind()}")


@cache  # nor this
def _breaths() -> re.Pattern[str]:
    """A phrase ends at its dots, too: they stand between things of which each has a name."""
    return re.compile("[^・·： ]+[・·：]?")


@cache  # nor this
def _whole() -> re.Pattern[str]:
    """What stays together: a word, a number or a character, with its particle and the marks beside it."""
    return _with_marks(f"{HELD}|[{_KATAKANA}]+|[{_KANJI}]+|[^\\s{_JAPANESE}]+|.", _behind())


@cache  # nor this
def _pairs() -> re.Pattern[str]:
    """What stays together on narrow lines: as in `_whole`, but two kanji of a compound."""
    two = f"[{_KANJI}]{{2}}(?=[{_KANJI}]{{2}})|[{_KANJI}]+"
    return _with_marks(f"{HELD}|[{_KATAKANA}]+|{two}|[^\\s{_JAPANESE}]+|.", _behind())


@cache  # nor this
def _alone() -> re.Pattern[str]:
    """What stays together on the narrowest lines: as in `_pairs`, but one katakana letter."""
    return _with_marks(f"[^\\s{_JAPANESE}]+|.", f"[{re.escape(NOT_FIRST)}]*")


@cache  # nor this
def _held() -> re.Pattern[str]:
    return re.compile(f"{HELD}|{COMPOUNDS}")


@cache  # nor this
def _particle() -> re.Pattern[str]:
    """A particle that begins a phrase; more kana behind it would be another word, such as もう."""
    return re.compile(f"(?:{PARTICLES})(?![ぁ-ん])")


def _behind() -> str:
    """Closing marks and the particle of a word: both stay with it."""
    marks = f"[{re.escape(NOT_FIRST)}]*"
    return f"{marks}(?:(?:{PARTICLES})(?![ぁ-ん]){marks})?"


def _with_marks(word: str, behind: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(NOT_LAST)}]*(?:{word}){behind} *")


@lru_cache(maxsize=2048)
def phrases(line: str) -> tuple[str, ...]:
    """Where people who read Japanese aloud would draw breath; marks stay with the words they belong to.

    What holds together with unbroken spaces is one.
    """
    if UNBROKEN in line:
        words = re.findall("[^ ]* +|[^ ]+", line)
        return tuple(part for word in words for part in ([word] if UNBROKEN in word else phrases(word)))
    found: list[str] = []
    for phrase in _parser().parse(line):
        # The parser knows no marks but full stops: none may begin a line, and brackets don't end one.
        if found and (
            phrase[0] in NOT_FIRST or found[-1][-1] in NOT_LAST or _is_latin(found[-1][-1] + phrase[0])
        ):
            found[-1] += phrase
        else:
            found.append(phrase)
    return _mended(found)


def _mended(found: Sequence[str]) -> tuple[str, ...]:
    """The phrases without an end before a particle or inside one of the words that are held together."""
    line, at, mended = "".join(found), 0, [found[0]] if found else []
    inside = {end for word in _held().finditer(line) for end in range(word.start() + 1, word.end())}
    for before, phrase in pairwise(found):
        at += len(before)
        if at in inside or _particle().match(phrase):
            mended[-1] += phrase
        else:
            mended.append(phrase)
    return tuple(mended)


def _is_latin(pair: str) -> bool:
    """Whether a word or a number goes on there."""
    return all("!" <= letter <= "~" for letter in pair)


@cache
def _parser() -> Any:
    from budoux import load_default_japanese_parser  # nor this

    return load_default_japanese_parser()
