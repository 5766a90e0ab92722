"""Breaks lines: in Japanese between phrases, and within a word only if it is wider than a line.

Kivy itself breaks lines well only at spaces: it breaks Japanese anywhere, and long words without a hyphen.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import ceil
from typing import Any

NOT_AT_LINE_START = (
    "、。，．・：；？！」』）】〕〉》ー～〜…‥々ゝゞヽヾ゛゜"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%"
)
"""Characters that may not stand at the start of a line.

The source is JIS X 4051: closing marks, sound marks, small kana.
"""
NOT_AT_LINE_END = "「『（【〔〈《([{"
"""Characters that no line ends with."""
NO_BREAK_SPACE = "\u00a0"
"""A space at which no line ends."""
NO_BREAK_BEFORE_PARTICLES = "は|が|を|に|へ|と|で|も|の|や|か|から|まで|より|だけ|しか|ずつ|ほど|など"
"""Japanese particles before which no line is broken.

A line begins with a particle only if the particle has no room beside the word before it.
"""
UNBREAKABLE_WORDS = "いくつ|いくら|ずつ|どおり|持ち時間"
"""Japanese words that must not be broken over two lines, because a line could end between kanji and kana."""
NUMBER_WITH_COUNTER = "[0-9何数]+[個枚人回点金](?:以上|以下|ずつ)?"
"""A pattern for a number and its counter, between which no line is broken as long as both have room."""
POLITE_ENDING = "[ぁ-ん]{0,3}(?:ますか|ください)"
"""A pattern for the kana with which a question or a request ends, such as してください."""
UNBREAKABLE_COMPOUNDS = f"掘削技術|得点表|秘密入札|不満チップ|手札ボーナス|{NUMBER_WITH_COUNTER}"
"""Japanese compounds that must not be broken over two lines, because the parser ends a phrase within them."""
_SPACED = "!-~\u00a1-\u052f\u1e00-\u1fff\u2018-\u2027"
"""Characters of scripts that put spaces between words: Latin, Greek and Cyrillic, with their marks."""
_KATAKANA = "ァ-ヺー"
_KANJI = "々〆一-鿿豈-\ufaff"
_JAPANESE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"


def wrap_japanese(text: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    """Inserts newlines so that Japanese lines are no wider than `max_width`; other lines stay.

    Lines end between sentences if that costs no additional line, else between phrases, and within a phrase
    only if it is wider than a line. Words that are still too wide are left to Kivy or to
    `hyphenate_long_words`. `measure_width` returns the width of a text.
    """
    return "\n".join(_wrap_japanese_line(line, max_width, measure_width) for line in text.split("\n"))


def hyphenate_long_words(text: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    """Inserts a hyphen and a newline into words that are wider than a line; Japanese stays as it is."""
    if contains_japanese(text):
        return text
    return re.sub(r"\S+", lambda word: _hyphenate_word(word[0], max_width, measure_width), text)


def join_short_endings(text: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    """Puts a no-break space before a number or a single letter at the end of a line of the text.

    Otherwise it could stand alone on the last line. It stays as it is if it has no room beside the word
    before it. A text never needs more lines with such spaces than without them.
    """
    return "\n".join(_join_short_ending(line, max_width, measure_width) for line in text.split("\n"))


def widest_word_width(
    text: str, measure_width: Callable[[str], float], *, may_split_kanji: bool = False
) -> float:
    """Returns the width of the widest word in a text.

    A word is Latin, a number, katakana, or a kanji compound with its particle. With
    `may_split_kanji`, as for names, kanji may stand on two lines and don't count.
    """
    if may_split_kanji or not contains_japanese(text):
        words = _word_pattern().findall(text)
    else:
        words = [
            word for phrase in split_japanese_phrases(text) for word in _compound_pattern().findall(phrase)
        ]
    return max(map(measure_width, words), default=0.0)


def wrap_text(text: str, max_width: float, measure_width: Callable[[str], float]) -> list[str]:
    """Splits a text into lines no wider than `max_width`; within a word only if it is wider than a line."""
    if contains_japanese(text):
        return wrap_japanese(text, max_width, measure_width).split("\n")
    lines: list[str] = []
    for word in join_short_endings(" ".join(text.split()), max_width, measure_width).split(" "):
        longer_line = f"{lines[-1]} {word}" if lines else word
        if lines and measure_width(longer_line) <= max_width:
            lines[-1] = longer_line
        else:
            lines += _hyphenate_word(word, max_width, measure_width).split("\n")
    return [line.replace(NO_BREAK_SPACE, " ") for line in lines]


def count_wrapped_lines(text: str, max_width: float, measure_width: Callable[[str], float]) -> int:
    """Returns the number of lines that a text needs at that width."""
    return len(wrap_text(text, max_width, measure_width))


def min_width_in_lines(text: str, max_lines: int, measure_width: Callable[[str], float]) -> float:
    """Returns the least width, in whole pixels, at which a text needs at most `max_lines` lines.

    No word and no Japanese phrase is broken at that width.
    """
    widths = range(ceil(widest_phrase_width(text, measure_width)), ceil(measure_width(text)) + 1)

    def fits(width: int) -> bool:
        return count_wrapped_lines(text, width, measure_width) <= max_lines

    return float(widths.start + bisect_left(widths, True, key=fits))


def widest_phrase_width(text: str, measure_width: Callable[[str], float]) -> float:
    """Returns the width of the widest word or, in Japanese, of the widest phrase."""
    return max(widest_word_width(text, measure_width), *map(measure_width, find_japanese_phrases(text)), 0.0)


def find_japanese_phrases(text: str) -> list[str]:
    """Returns the phrases of a text, which end also at dots and spaces; none if it isn't Japanese."""
    if not contains_japanese(text):
        return []
    return [
        phrase_part.strip()
        for line in text.split("\n")
        for phrase in split_japanese_phrases(line)
        for phrase_part in _phrase_part_pattern().findall(phrase)
    ]


def contains_japanese(text: str) -> bool:
    """Returns whether the text contains Japanese, in which a line may end where there is no space."""
    return not text.isascii() and _japanese_character_pattern().search(text) is not None


def find_name_parts(name: str) -> list[list[str]]:
    """Returns the parts of a name between which a line may end, for each kind of place, best first.

    A line ends after a space, then also after a hyphen or a dot, then also between Japanese phrases, at last
    between kanji or kana, but never within a Latin or katakana word.
    """
    granularities = [re.findall(r"\S+\s*", name), _name_part_pattern().findall(name)]
    if contains_japanese(name):
        phrases = [part for word in granularities[-1] for part in split_japanese_phrases(word)]
        granularities += [phrases, _name_letter_pattern().findall(name)]
    return granularities


def split_word_evenly(word: str, line_count: int, hyphen: str = "-") -> list[str]:
    """Splits a word into lines of about equal length, which end with a hyphen unless the word is Japanese."""
    line_length = max(1, -(-len(word) // line_count))
    lines = [word[start : start + line_length] for start in range(0, len(word), line_length)]
    line_end = "" if contains_japanese(word) else hyphen
    return [*(line + line_end for line in lines[:-1]), *lines[-1:]]


def _join_short_ending(line: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    start, _, ending = line.rpartition(" ")
    if not start or not _short_ending_pattern().fullmatch(ending):
        return line
    word = start.rpartition(" ")[2]
    has_room = measure_width(f"{word} {ending}") <= max_width
    return f"{start}{NO_BREAK_SPACE}{ending}" if has_room else line


def _wrap_japanese_line(line: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    if not contains_japanese(line):
        return line
    if measure_width(line) <= max_width:
        return line
    # From each sentence to the end: the fewest lines and, among those, the most breaks between sentences.
    sentences = _sentence_pattern().findall(line)
    best_endings: list[tuple[int, int, list[str]]] = [(0, 0, [])]
    for start in reversed(range(len(sentences))):
        endings = []
        for end, (line_count, break_count, next_lines) in enumerate(best_endings, start + 1):
            lines = _fill_japanese_lines("".join(sentences[start:end]), max_width, measure_width)
            endings.append((len(lines) + line_count, break_count + 1, [*lines, *next_lines]))
        best_endings.insert(0, min(endings, key=lambda ending: (ending[0], -ending[1])))
    return "\n".join(best_endings[0][2])


def _fill_japanese_lines(text: str, max_width: float, measure_width: Callable[[str], float]) -> list[str]:
    """Splits a text into lines, each as full as phrases allow."""
    lines = [""]
    for part in _split_to_fit(text, max_width, measure_width):
        if lines[-1] and measure_width((lines[-1] + part).rstrip()) > max_width:
            lines.append(part.lstrip())
        else:
            lines[-1] += part
    return [line.rstrip() for line in lines]


def _hyphenate_word(word: str, max_width: float, measure_width: Callable[[str], float]) -> str:
    """Splits a word into as few lines as fit: after its own hyphens, otherwise with hyphens if they fit.

    The marks beside a word and the apostrophes in it stay with its letters. A word with other characters,
    such as a path, isn't split.
    """
    if measure_width(word) <= max_width:
        return word
    if _hyphenated_word_pattern().fullmatch(word):
        parts = _hyphen_part_pattern().findall(word)
        return "\n".join(_hyphenate_word(part, max_width, measure_width) for part in parts)
    if not _splittable_word_pattern().fullmatch(word):
        return word
    splits = (split_word_evenly(word, lines, hyphen) for lines in range(2, len(word)) for hyphen in ("-", ""))
    return "\n".join(next((lines for lines in splits if max(map(measure_width, lines)) <= max_width), [word]))


def _split_to_fit(line: str, max_width: float, measure_width: Callable[[str], float]) -> Iterator[str]:
    """Splits a line into phrases, phrases wider than a line into words, and such words into letters.

    Before that, a phrase is split at dots and colons. A word keeps its particle as long as both have room.
    A compound that is wider than a line is split after two characters, because most of its parts have two.
    """
    patterns = (
        _phrase_part_pattern(),
        _whole_word_pattern(),
        _polite_ending_pattern(),
        _kanji_pair_pattern(),
        _single_character_pattern(),
    )
    for phrase in split_japanese_phrases(line):
        yield from _divide(phrase, max_width, measure_width, patterns)


def _divide(
    part: str,
    max_width: float,
    measure_width: Callable[[str], float],
    finer_patterns: Sequence[re.Pattern[str]],
) -> Iterator[str]:
    """Yields the part if it has room; else what the first of the patterns finds in it, divided further."""
    if not finer_patterns or measure_width(part.rstrip()) <= max_width:
        yield part
        return
    for smaller_part in finer_patterns[0].findall(part):
        yield from _divide(smaller_part, max_width, measure_width, finer_patterns[1:])


# The patterns are compiled on demand: people who play in English never need them, and to compile them takes a
# hundredth of the start.


@cache
def _japanese_character_pattern() -> re.Pattern[str]:
    return re.compile(f"[{_JAPANESE}]")


@cache
def _sentence_pattern() -> re.Pattern[str]:
    """Returns a pattern for a sentence with its full stop and the marks behind it, or for the rest."""
    closing = re.escape(NOT_AT_LINE_START)
    return re.compile(f"[^。！？]*[。！？][{closing}]* *|[^。！？]+")


@cache
def _word_pattern() -> re.Pattern[str]:
    """Returns a pattern for Latin words, numbers and katakana words, with their marks."""
    return re.compile(
        f"[{_SPACED}]+|[{re.escape(NOT_AT_LINE_END)}]*[{_KATAKANA}]+[{re.escape(NOT_AT_LINE_START)}]*"
    )


@cache
def _short_ending_pattern() -> re.Pattern[str]:
    """Returns a pattern for a number or a single letter, with the marks behind it."""
    return re.compile(r"(?:[-+−]?\d+|[^\W\d_])[)\"'”’»,.:;?!…]*")


@cache
def _splittable_word_pattern() -> re.Pattern[str]:
    """Returns a pattern for a word of letters, with apostrophes in it and the marks beside it."""
    letters = r"[^\W\d_]+"
    return re.compile(f"[(\"'“‘«]*{letters}(?:['’]{letters})*[)\"'”’»,.:;?!…]*")


@cache
def _hyphenated_word_pattern() -> re.Pattern[str]:
    """Returns a pattern for words of letters with hyphens between them, and the marks beside them."""
    letters = r"[^\W\d_]+(?:['’][^\W\d_]+)*"
    return re.compile(f"[(\"'“‘«]*{letters}(?:-{letters})+[)\"'”’»,.:;?!…]*")


@cache
def _hyphen_part_pattern() -> re.Pattern[str]:
    """Returns a pattern for the parts of a hyphenated word, each with its hyphen."""
    return re.compile("[^-]+-?")


@cache
def _compound_pattern() -> re.Pattern[str]:
    """Returns a pattern for Japanese words and compounds of kanji, each with the particle behind it."""
    opening = re.escape(NOT_AT_LINE_END)
    return re.compile(
        f"[{opening}]*(?:{UNBREAKABLE_WORDS}|[^\\s{_JAPANESE}]+|[{_KATAKANA}]+|[{_KANJI}]{{2,}}){_marks_and_particle()}"
    )


@cache
def _phrase_part_pattern() -> re.Pattern[str]:
    """Returns a pattern for the parts of a phrase, which ends also at dots, because dots separate names."""
    return re.compile(f"[・·： ]*[^・·： ]+[・·： ]*[{re.escape(NOT_AT_LINE_START)}]* *|[・·： ]+")


@cache
def _whole_word_pattern() -> re.Pattern[str]:
    """Returns a pattern for a word, a number or a character, with its particle and the marks beside it."""
    return _compile_with_marks(
        f"[{_KANJI}]*{POLITE_ENDING}|{NUMBER_WITH_COUNTER}|{UNBREAKABLE_WORDS}|[{_KATAKANA}]+|[{_KANJI}]+|[^\\s{_JAPANESE}]+|.",
        _marks_and_particle(),
    )


@cache
def _polite_ending_pattern() -> re.Pattern[str]:
    """Returns a pattern that divides only a verb with a polite ending, before the ending."""
    return _compile_with_marks(f"{UNBREAKABLE_WORDS}|{POLITE_ENDING}|[^ぁ-ん]+|.", _marks_and_particle())


@cache
def _kanji_pair_pattern() -> re.Pattern[str]:
    """Returns the pattern for narrow lines: as `_whole_word_pattern`, but with two kanji of a compound."""
    kanji = f"[{_KANJI}]{{2}}(?=[{_KANJI}]{{2}})|[{_KANJI}]+"
    return _compile_with_marks(
        f"{UNBREAKABLE_WORDS}|[{_KATAKANA}]+|{kanji}|[^\\s{_JAPANESE}]+|.",
        _marks_and_particle(),
    )


@cache
def _name_part_pattern() -> re.Pattern[str]:
    """Returns a pattern for the parts of a name between spaces, hyphens and dots, with what ends them."""
    return re.compile(
        r"[^\s\-\u2010\u30fb\uff65=\uff1d]*[\-\u2010\u30fb\uff65=\uff1d]+\s*|[^\s\-\u2010\u30fb\uff65=\uff1d]+\s*"
    )


@cache
def _name_letter_pattern() -> re.Pattern[str]:
    """Returns a pattern for single kanji and kana, and whole Latin and katakana words, with their marks."""
    return _compile_with_marks(f"[{_KATAKANA}]+|[^\\s{_JAPANESE}]+|.", f"[{re.escape(NOT_AT_LINE_START)}]*")


@cache
def _single_character_pattern() -> re.Pattern[str]:
    """Returns the pattern for the narrowest lines: single Japanese characters with the marks beside them."""
    return _compile_with_marks(f"[^\\s{_JAPANESE}]+|.", f"[{re.escape(NOT_AT_LINE_START)}]*")


@cache
def _unbreakable_pattern() -> re.Pattern[str]:
    return re.compile(f"{UNBREAKABLE_WORDS}|{UNBREAKABLE_COMPOUNDS}")


@cache
def _particle_pattern() -> re.Pattern[str]:
    """Returns a pattern for a particle; with more kana behind it, it would be another word, such as もう."""
    return re.compile(f"(?:{NO_BREAK_BEFORE_PARTICLES})(?![ぁ-ん])")


def _marks_and_particle() -> str:
    """Returns the pattern of the closing marks and the particle that stay with a word."""
    marks = f"[{re.escape(NOT_AT_LINE_START)}]*"
    return f"{marks}(?:(?:{NO_BREAK_BEFORE_PARTICLES})(?![ぁ-ん]){marks})?"


def _compile_with_marks(word: str, ending: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(NOT_AT_LINE_END)}]*(?:{word}){ending} *")


@lru_cache(maxsize=2048)
def split_japanese_phrases(line: str) -> tuple[str, ...]:
    """Splits a Japanese line into phrases, at places where a reader would pause.

    Marks stay with their words. Phrases beside a no-break space are one phrase; all others are the same as
    with a plain space.
    """
    if NO_BREAK_SPACE in line:
        return _join_at_no_break_spaces(line, split_japanese_phrases(line.replace(NO_BREAK_SPACE, " ")))
    phrases: list[str] = []
    for phrase in _parser().parse(line):
        # The parser knows only full stops. Other marks must not begin a line, nor brackets end one.
        if phrases and (
            phrase[0] in NOT_AT_LINE_START
            or phrases[-1][-1] in NOT_AT_LINE_END
            or _is_ascii_pair(phrases[-1][-1] + phrase[0])
        ):
            phrases[-1] += phrase
        else:
            phrases.append(phrase)
    return _join_unbreakable(phrases)


def _join_at_no_break_spaces(line: str, phrases: Sequence[str]) -> tuple[str, ...]:
    """Returns the parts of a line that are as long as the phrases, joined at no-break spaces."""
    joined, start = [""], 0
    for phrase in phrases:
        part = line[start : start + len(phrase)]
        start += len(phrase)
        if not joined[-1] or joined[-1].endswith(NO_BREAK_SPACE) or part.startswith(NO_BREAK_SPACE):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)


def _join_unbreakable(phrases: Sequence[str]) -> tuple[str, ...]:
    """Joins phrases that end before a particle or within an unbreakable word."""
    line, position, joined = "".join(phrases), 0, [phrases[0]] if phrases else []
    unbreakable_positions = {
        end for word in _unbreakable_pattern().finditer(line) for end in range(word.start() + 1, word.end())
    }
    for previous, phrase in pairwise(phrases):
        position += len(previous)
        if position in unbreakable_positions or _particle_pattern().match(phrase):
            joined[-1] += phrase
        else:
            joined.append(phrase)
    return tuple(joined)


def _is_ascii_pair(pair: str) -> bool:
    """Returns whether both characters are ASCII, so that a word or a number goes on between them."""
    return all("!" <= letter <= "~" for letter in pair)


@cache
def _parser() -> Any:
    from budoux import load_default_japanese_parser  # slow to import, and only Japanese needs it

    return load_default_japanese_parser()
