"""Where a line may end: in Japanese between phrases, and within a word only if it is wider than a line.

Kivy breaks Japanese text anywhere, since it breaks well only at spaces, and a long word without a hyphen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

NOT_AT_LINE_START = (
    "、。，．・：；？！」』）】〕〉》ー～〜…‥々ゝゞヽヾ゛゜"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%"
)
"""Characters that may not stand at the start of a line.

JIS X 4051: closing marks, sound marks, small kana.
"""
NOT_AT_LINE_END = "「『（【〔〈《([{"
"""Characters that no line ends with."""
NO_BREAK_SPACE = "\u00a0"
"""A space at which no line ends."""
NO_BREAK_BEFORE_PARTICLES = "は|が|を|に|へ|と|で|も|の|や|か|から|まで|より|だけ|しか|ずつ|ほど|など"
"""Japanese particles before which no line is broken.

A line begins with one only if the word before it has no room on the same line.
"""
UNBREAKABLE_WORDS = "いくつ|いくら|ずつ|どおり|持ち時間"
UNBREAKABLE_COMPOUNDS = "掘削技術|得点表|秘密入札"
"""Japanese compounds that must not be broken over two lines.

The parser would end a phrase within them, or a line could end between kanji and kana.
"""
_KATAKANA = "ァ-ヺー"
_KANJI = "々〆一-鿿豈-\ufaff"
_JAPANESE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"


def wrap_japanese(text: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    """Inserts newlines so that Japanese lines are no wider than `max_width`; other lines stay.

    Lines end between phrases, and within a phrase only if it is wider than a line. Words that are too wide
    even so are left to Kivy or to `hyphenate_long_words`. `measure_width` returns the width of a text.
    """
    return "\n".join(_wrap_japanese_line(line, max_width, measure_width) for line in text.split("\n"))


def hyphenate_long_words(text: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    """Inserts a hyphen and a newline into words that are wider than a line; Japanese stays as it is."""
    if contains_japanese(text):
        return text
    return re.sub(r"\S+", lambda word: _hyphenate_word(word[0], max_width, measure_width), text)


def widest_word_width(
    text: str, measure_width: Callable[[str], float], *, may_split_kanji: bool = False
) -> float:
    """Returns the width of the widest word in a text.

    A word is Latin, a number, katakana, or a kanji compound with its particle. With
    `may_split_kanji`, as for names, kanji may stand on two lines and don't count.
    """
    if may_split_kanji or not contains_japanese(text):
        words = _words().findall(text)
    else:
        words = [word for phrase in split_japanese_phrases(text) for word in _compounds().findall(phrase)]
    return max(map(measure_width, words), default=0.0)


def wrap_text(text: str, max_width: float, measure_width: Callable[[str], float]) -> list[str]:
    """Splits a text into lines no wider than `max_width`; within a word only if it is wider than a line."""
    if contains_japanese(text):
        return wrap_japanese(text, max_width, measure_width).split("\n")
    lines: list[str] = []
    for word in text.split():
        wider = f"{lines[-1]} {word}" if lines else word
        if lines and measure_width(wider) <= max_width:
            lines[-1] = wider
        else:
            lines.append(word)
    return lines or [""]


def count_wrapped_lines(text: str, max_width: float, measure_width: Callable[[str], float]) -> int:
    """Returns the number of lines that a text needs at that width."""
    return len(wrap_text(text, max_width, measure_width))


def widest_phrase_width(text: str, measure_width: Callable[[str], float]) -> float:
    """Returns the width of the widest word or, in Japanese, of the widest phrase."""
    parts = (
        [part for phrase in split_japanese_phrases(text) for part in _breaths().findall(phrase)]
        if contains_japanese(text)
        else []
    )
    return max([widest_word_width(text, measure_width), *(measure_width(part) for part in parts)])


def contains_japanese(text: str) -> bool:
    """True if the text contains Japanese.

    In such a text a line may end where there is no space.
    """
    return not text.isascii() and _any_japanese().search(text) is not None


def split_word_evenly(word: str, line_count: int, hyphen: str = "-") -> list[str]:
    """Splits a word evenly into lines of about equal length.

    Lines end with a hyphen unless the word is Japanese.
    """
    each = max(1, -(-len(word) // line_count))
    lines = [word[at : at + each] for at in range(0, len(word), each)]
    end = "" if contains_japanese(word) else hyphen
    return [*(line + end for line in lines[:-1]), *lines[-1:]]


def _wrap_japanese_line(line: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    if not contains_japanese(line):
        return line
    if measure_width(line) <= max_width:
        return line
    lines = [""]
    for part in _parts(line, max_width, measure_width):
        if lines[-1] and measure_width((lines[-1] + part).rstrip()) > max_width:
            lines.append(part.lstrip())
        else:
            lines[-1] += part
    return "\n".join(each.rstrip() for each in lines)


def _hyphenate_word(word: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    """Splits a word into as few parts as fit, with hyphens if they fit; a path keeps its letters."""
    if measure_width(word) <= max_width or not word.isalpha():
        return word
    tries = (split_word_evenly(word, parts, hyphen) for parts in range(2, len(word)) for hyphen in ("-", ""))
    return "\n".join(next((parts for parts in tries if max(map(measure_width, parts)) <= max_width), [word]))


def _parts(line: str, max_width: float, measure_width: Callable[[str], float]) -> Iterator[str]:
    """Splits a line into phrases; a phrase wider than a line into words, and such a word into letters.

    A word keeps its particle as long as both have room; a compound that is wider than a line ends after two
    characters, as most parts of compounds have two.
    """
    for phrase in split_japanese_phrases(line):
        yield from _divided(phrase, max_width, measure_width, (_whole(), _pairs(), _alone()))


def _divided(
    part: str, max_width: float, measure_width: Callable[[str], float], finer: Sequence[re.Pattern[str]]
) -> Iterator[str]:
    """The part if it has room; else what the first of the patterns finds in it, divided further."""
    if not finer or measure_width(part.rstrip()) <= max_width:
        yield part
        return
    for smaller in finer[0].findall(part):
        yield from _divided(smaller, max_width, measure_width, finer[1:])


@cache  # not before: who plays in English never needs it, and compiling is a hundredth of the start
def _any_japanese() -> re.Pattern[str]:
    return re.compile(f"[{_JAPANESE}]")


@cache  # nor this
def _words() -> re.Pattern[str]:
    """What is of one piece with its marks, also where Japanese stands right beside it."""
    return re.compile(
        f"[!-~]+|[{re.escape(NOT_AT_LINE_END)}]*[{_KATAKANA}]+[{re.escape(NOT_AT_LINE_START)}]*"
    )


@cache  # nor this
def _compounds() -> re.Pattern[str]:
    """Japanese words and compounds of kanji, each with the particle behind it."""
    opening = re.escape(NOT_AT_LINE_END)
    return re.compile(
        f"[{opening}]*(?:{UNBREAKABLE_WORDS}|[^\\s{_JAPANESE}]+|[{_KATAKANA}]+|[{_KANJI}]{{2,}}){_behind()}"
    )


@cache  # nor this
def _breaths() -> re.Pattern[str]:
    """A phrase ends at its dots, too: they stand between things of which each has a name."""
    return re.compile("[^・·： ]+[・·：]?")


@cache  # nor this
def _whole() -> re.Pattern[str]:
    """What stays together: a word, a number or a character, with its particle and the marks beside it."""
    return _with_marks(f"{UNBREAKABLE_WORDS}|[{_KATAKANA}]+|[{_KANJI}]+|[^\\s{_JAPANESE}]+|.", _behind())


@cache  # nor this
def _pairs() -> re.Pattern[str]:
    """What stays together on narrow lines: as in `_whole`, but two kanji of a compound."""
    two = f"[{_KANJI}]{{2}}(?=[{_KANJI}]{{2}})|[{_KANJI}]+"
    return _with_marks(f"{UNBREAKABLE_WORDS}|[{_KATAKANA}]+|{two}|[^\\s{_JAPANESE}]+|.", _behind())


@cache  # nor this
def _alone() -> re.Pattern[str]:
    """What stays together on the narrowest lines: as in `_pairs`, but one katakana letter."""
    return _with_marks(f"[^\\s{_JAPANESE}]+|.", f"[{re.escape(NOT_AT_LINE_START)}]*")


@cache  # nor this
def _unbreakable() -> re.Pattern[str]:
    return re.compile(f"{UNBREAKABLE_WORDS}|{UNBREAKABLE_COMPOUNDS}")


@cache  # nor this
def _particle() -> re.Pattern[str]:
    """A particle that begins a phrase; more kana behind it would be another word, such as もう."""
    return re.compile(f"(?:{NO_BREAK_BEFORE_PARTICLES})(?![ぁ-ん])")


def _behind() -> str:
    """Closing marks and the particle of a word: both stay with it."""
    marks = f"[{re.escape(NOT_AT_LINE_START)}]*"
    return f"{marks}(?:(?:{NO_BREAK_BEFORE_PARTICLES})(?![ぁ-ん]){marks})?"


def _with_marks(word: str, behind: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(NOT_AT_LINE_END)}]*(?:{word}){behind} *")


@lru_cache(maxsize=2048)
def split_japanese_phrases(line: str) -> tuple[str, ...]:
    """Splits a Japanese line into phrases, where a reader would pause; marks stay with their words.

    Words joined by no-break spaces are one phrase.
    """
    if NO_BREAK_SPACE in line:
        words = re.findall("[^ ]* +|[^ ]+", line)
        return tuple(
            part
            for word in words
            for part in ([word] if NO_BREAK_SPACE in word else split_japanese_phrases(word))
        )
    found: list[str] = []
    for phrase in _parser().parse(line):
        # The parser knows no marks but full stops: none may begin a line, and brackets don't end one.
        if found and (
            phrase[0] in NOT_AT_LINE_START
            or found[-1][-1] in NOT_AT_LINE_END
            or _is_latin(found[-1][-1] + phrase[0])
        ):
            found[-1] += phrase
        else:
            found.append(phrase)
    return _mended(found)


def _mended(found: Sequence[str]) -> tuple[str, ...]:
    """Joins phrases that end before a particle or within an unbreakable word."""
    line, at, mended = "".join(found), 0, [found[0]] if found else []
    inside = {end for word in _unbreakable().finditer(line) for end in range(word.start() + 1, word.end())}
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
