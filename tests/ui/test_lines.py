"""Where lines of Japanese end, by themselves and on the screen."""

from __future__ import annotations

import re
from itertools import chain, pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from companion.languages import languages
from tests.support.ui.text_checks import is_bad_line_break
from ui.widgets.drawing.line_breaking import (
    NO_BREAK_SPACE,
    NOT_AT_LINE_END,
    NOT_AT_LINE_START,
    find_japanese_phrases,
    hyphenate_long_words,
    join_short_endings,
    split_japanese_phrases,
    widest_word_width,
    wrap_japanese,
    wrap_text,
)

JAPANESE = languages()["ja"].catalogue_paths
COLUMN = 11
"""Letters of 18 pixels that a column of 200 holds."""
MAX_SAMPLED_QUESTIONS = 12
"""Number of questions of a game that the usual run fits to headings and keys."""


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("あいうえお", 3, ["あいう", "えお"]),
        ("あいう、えお", 3, ["あい", "う、", "えお"]),
        ("あいう。」えお", 3, ["あい", "う。」", "えお"]),
        ("あい「うえ」お", 3, ["あい", "「う", "え」お"]),
        ("あい(うえ)お", 3, ["あい", "(う", "え)お"]),
        ("あいキャット", 3, ["あい", "キャッ", "ト"]),
        ("ああサーバー", 3, ["ああ", "サー", "バー"]),
        ("次のラウンド", 5, ["次の", "ラウンド"]),
        ("アキ・ベン", 2, ["ア", "キ・", "ベン"]),
        ("さんBenの番", 4, ["さん", "Benの", "番"]),
        ("札12枚です", 3, ["札", "12枚", "です"]),
        ("Benの 番です", 4, ["Benの", "番です"]),
        ("あい\nう", 9, ["あい", "う"]),
        ("掘削技術の値段", 5, ["掘削技術の", "値段"]),
        ("掘削技術の値段", 4, ["掘削", "技術の", "値段"]),
        ("掘削技術：3", 5, ["掘削技術：", "3"]),
        ("コマをいくつ出しますか？", 9, ["コマを", "いくつ出しますか？"]),
        ("何枚ずつ払うか", 4, ["何枚ずつ", "払うか"]),
        ("1.\u00a0さん\u00a05  2.\u00a0ちえ\u00a07", 10, ["1.\u00a0さん\u00a05", "2.\u00a0ちえ\u00a07"]),
    ],
)
def test_a_line_ends_where_japanese_allows_it(text: str, width: int, lines: list[str]) -> None:
    """Every character is one wide: marks stay with what they belong to, words and numbers stay whole."""
    assert wrap_japanese(text, width, len).split("\n") == lines


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("カードを混ぜて裏向きに並べる。", 9, ["カードを混ぜて", "裏向きに並べる。"]),
        ("アキさん、4の娘に入札してください。", 11, ["アキさん、4の娘に", "入札してください。"]),
        ("自分の色のコイン20枚を取る", 9, ["自分の色の", "コイン20枚を取る"]),
    ],
)
def test_a_line_ends_between_phrases(text: str, width: int, lines: list[str]) -> None:
    """As one would read it aloud; a word isn't torn while it has room on a line of its own."""
    assert wrap_japanese(text, width, len).split("\n") == lines


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("Akiさんが落札。どのカードで払いますか？", 14, ["Akiさんが落札。", "どのカードで払いますか？"]),
        (
            "娘の４を落札。「はい。」どれで払いますか？",
            13,
            ["娘の４を落札。「はい。」", "どれで払いますか？"],
        ),
        ("はい。そう。カードを混ぜて並べる。", 11, ["はい。そう。", "カードを混ぜて並べる。"]),
        ("払う。カードを混ぜて裏向きに並べる。", 10, ["払う。カードを混ぜて", "裏向きに並べる。"]),
    ],
)
def test_a_line_ends_after_a_sentence_if_that_costs_no_line(text: str, width: int, lines: list[str]) -> None:
    """A sentence begins on a new line where it can; it goes on in the same line where that saves one."""
    assert wrap_japanese(text, width, len).split("\n") == lines


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("Bartholomew", 8, ["Bartho-", "lomew"]),
        ("Bartholomew", 6, ["Bartho", "lomew"]),
        ("Bartholomew", 11, ["Bartholomew"]),
        ("to Bartholomew too", 5, ["to Bart-", "holo-", "mew too"]),
        ("Bartholomew", 3, ["Bar", "tho", "lom", "ew"]),
        ("Bartholomew", 1, ["Bartholomew"]),
        ("Bartholomew's coin", 8, ["Barthol-", "omew's coin"]),
        ("(Bartholomew),", 8, ["(Bartho-", "lomew),"]),
        ("/srv/companion-2", 8, ["/srv/companion-2"]),
        ("Demo-Tisch", 9, ["Demo-", "Tisch"]),
        ("(Auto-Antwort)", 8, ["(Auto-", "Antwort)"]),
        ("Demo-Tischdecke", 9, ["Demo-", "Tisch-", "decke"]),
        ("/srv/companion", 8, ["/srv/companion"]),
        ("カードを混ぜて裏向きに", 8, ["カードを混ぜて裏向きに"]),
    ],
)
def test_a_word_goes_on_after_a_hyphen(text: str, width: int, lines: list[str]) -> None:
    """Only where it is wider than a line, and after its own hyphens first; a path is left to Kivy."""
    assert hyphenate_long_words(text, width, len).split("\n") == lines


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("Jürgen's coin", 8),
        ("der Ångströmsson", 12),
        ("Αλέξανδρος", 10),
        ("Maxi…'s coin", 7),
        ("得点 Zoë", 3),
    ],
)
def test_a_word_with_accents_is_one_word(text: str, width: int) -> None:
    """Also in Greek, and with what replaces the end of a long name."""
    assert widest_word_width(text, len) == width


@pytest.mark.parametrize("po", JAPANESE, ids=lambda po: po.stem)
def test_no_text_of_ours_is_torn_inside_a_phrase(po: Path) -> None:
    """In columns of 11 letters, as many as 200 pixels hold: only a phrase that is longer goes on below."""
    with po.open("rb") as file:
        texts = [one.string for one in read_po(file) if isinstance(one.string, str) and one.string]
    for line in (line for text in texts for line in text.split("\n")):
        at, torn = 0, False
        lines = wrap_japanese(line, COLUMN, len).split("\n")
        for phrase in split_japanese_phrases(line):
            inside = range(at + 1, at + len(phrase.rstrip()))
            torn = torn or (
                len(phrase.rstrip()) <= COLUMN and any(end in inside for end in ends(line, lines))
            )
            at += len(phrase)
        assert not torn, lines


@pytest.mark.parametrize("po", JAPANESE, ids=lambda po: po.stem)
def test_no_line_ends_inside_a_word_or_before_a_particle(po: Path) -> None:
    """Of any of our texts, in columns of any width in which its longest word has room."""
    with po.open("rb") as file:
        texts = [one.string for one in read_po(file) if isinstance(one.string, str) and one.string]
    wrong = {
        f"{before}|{after}"
        for line in {re.sub(r"\{\w+\}", "アキ", line) for text in texts for line in text.split("\n")}
        for width in range(max(4, int(widest_word_width(line, len))), min(25, len(line)))
        for before, after in pairwise(wrap_japanese(line, width, len).split("\n"))
        if is_bad_line_break(before, after, line)
    }
    assert not wrong, sorted(wrong)


@pytest.mark.parametrize("po", JAPANESE, ids=lambda po: po.stem)
async def test_a_question_breaks_no_phrase_that_smaller_letters_hold(kivy_window: Any, po: Path) -> None:
    """In headings and keys as narrow as in small windows: letters get smaller before a phrase is broken."""
    from ui import theme
    from ui.widgets.drawing.text import TEXT_STYLES, FittedLabel, load_fonts, measure_text_width

    load_fonts()
    with po.open("rb") as file:
        texts = [one.string for one in read_po(file) if isinstance(one.string, str) and one.string]
    questions = [
        re.sub(r"\{\w+\}", "アキ", text) for text in texts if text.endswith(("？", "ください。", "："))
    ]
    broken = set[str]()
    for number, question in enumerate(questions[:: 1 + len(questions) // MAX_SAMPLED_QUESTIONS]):
        style = ("headline", "question", "key")[number % 3]
        label = FittedLabel(text=question, style=style, lines=6, halign="center")
        for width in (120, 170, 230):
            label.size = width, 160
            label._fit(0)
            lines = [
                "".join(word.text for word in line.words) for line in label._label._cached_lines if line.words
            ]
            for before, after in pairwise(lines):
                for phrase in find_japanese_phrases(question):
                    smallest_width = measure_text_width(
                        phrase, theme.length.smallest, bold=TEXT_STYLES[style].bold
                    )
                    is_broken = any(
                        before.endswith(phrase[:end]) and after.startswith(phrase[end:])
                        for end in range(1, len(phrase))
                    )
                    if is_broken and smallest_width <= width:
                        broken.add(f"{before}|{after} at {width}, {label.font_size}")
    assert not broken, sorted(broken)


def ends(line: str, lines: list[str]) -> set[int]:
    """Where in the line each of its parts ends."""
    found, at = set[int](), 0
    for part in lines[:-1]:
        at = line.index(part, at) + len(part)
        found.add(at)
    return found


def test_text_without_japanese_is_left_as_it_is() -> None:
    """Kivy breaks English well."""
    assert (
        wrap_japanese("Pass the screen on. Not answered yet: Aki", 5, len)
        == "Pass the screen on. Not answered yet: Aki"
    )


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("battle, scale 1", 14, ["battle,", "scale 1"]),
        ("Survey, tiles A.", 15, ["Survey,", "tiles A."]),
        ("battle, scale 1", 15, ["battle, scale 1"]),
        ("battle, scale 1", 6, ["batt-", "le,", "scale", "1"]),
        ("up to 100", 6, ["up", "to 100"]),
        ("scale 1", 5, ["scale", "1"]),
        ("the second of us", 13, ["the second of", "us"]),
        ("1", 5, ["1"]),
        ("", 5, [""]),
    ],
)
def test_no_number_or_letter_stands_alone_on_the_last_line(text: str, width: int, lines: list[str]) -> None:
    """It stays with the word before it, as long as both have room."""
    assert wrap_text(text, width, len) == lines


WORDS = st.lists(
    st.sampled_from(["a", "1", "20", "to", "scale", "battle,", "players."]), min_size=1, max_size=6
)


@given(WORDS, st.integers(8, 30))
def test_short_endings_need_no_more_lines(words: list[str], width: int) -> None:
    """So what was measured has room as it is drawn."""
    text = " ".join(words)
    assert len(wrap_text(text, width, len)) == len(wrap(text, width))


@given(
    st.text(st.sampled_from("今の回答得点アレクさん：・はを"), min_size=1),
    st.integers(1, 99),
    st.integers(6, 30),
)
def test_a_japanese_line_ends_where_it_would_without_its_short_ending(text: str, n: int, width: int) -> None:
    """The phrases before a number are the same, whichever space is in front of the number."""
    line = f"{text} → {n}"
    plain, joined = (split_japanese_phrases(each) for each in (line, join_short_endings(line, width, len)))
    assert "".join(joined).replace(NO_BREAK_SPACE, " ") == line
    assert joined[:-1] == plain[: len(joined) - 1]


def test_the_drawn_lines_keep_short_endings(kivy_window: Any) -> None:
    """Kivy breaks no line at a no-break space, and the texts that people read have none."""
    from ui import theme
    from ui.widgets.drawing.text import FittedLabel, load_fonts, measure_text_width

    load_fonts()
    label = FittedLabel(text="battle, scale 1", style="quiet", lines=2)
    width = measure_text_width("battle, scale", theme.length.smallest, bold=False)
    label.size = width + 2, 100
    label._fit(0)
    drawn = ["".join(word.text for word in line.words) for line in label._label._cached_lines]
    assert [line.split() for line in drawn] == [["battle,"], ["scale", "1"]]
    assert label.shown_text == "battle, scale 1"


LETTERS = st.sampled_from("あいうえお漢字 ab12" + NOT_AT_LINE_START[:12] + NOT_AT_LINE_END[:4])


@given(st.text(LETTERS, min_size=1), st.integers(1, 12))
def test_nothing_is_lost_but_spaces_at_the_end_of_a_line(text: str, width: int) -> None:
    """Whatever the width, the letters are the same in the same order."""
    assert "".join(wrap_japanese(text, width, len).split()) == "".join(text.split())


@pytest.mark.parametrize("width", range(120, 300, 7))
async def test_no_line_on_the_screen_begins_or_ends_with_the_wrong_mark(kivy_window: Any, width: int) -> None:
    """Kivy draws the lines that we have chosen, and all of them where they just fit."""
    from ui.widgets.drawing.text import FittedLabel, load_fonts

    load_fonts()
    writing = FittedLabel(text="アキは「5」、ベンはパス。\nちょっと待って・ください（もう一度）。", lines=9)
    writing.size = width, 400
    writing._fit(0)
    writing.height = writing.texture_size[1]
    writing._fit(0)
    drawn = [word.text for line in writing._label._cached_lines for word in line.words]
    assert "".join(drawn) == writing.text.replace("\n", "")
    assert not [line for line in drawn if line[0] in NOT_AT_LINE_START or line[-1] in NOT_AT_LINE_END]


@pytest.mark.parametrize(
    ("text", "spacing"), [("The green die decides. " * 9, 1.25), ("緑のサイコロで決まります。" * 9, 1.4)]
)
async def test_running_text_is_spaced_by_its_script(kivy_window: Any, text: str, spacing: float) -> None:
    """Where room is scarce, the lines move together before the letters get smaller."""
    from ui import theme
    from ui.widgets.drawing.text import FittedLabel, load_fonts

    load_fonts()
    writing = FittedLabel(text=text, lines=9, is_paragraph=True, size=(400, 900))
    writing._fit(0)
    line_count = len(writing._label._cached_lines)
    line_heights = [line.h for line in writing._label._cached_lines]
    assert line_heights == pytest.approx([spacing * writing.font_size] * line_count, abs=1)
    writing.height = line_count * theme.length.body * 1.15 + 2
    writing._fit(0)
    assert writing.font_size == int(theme.length.body)
    assert writing.texture_size[1] <= writing.height


async def test_a_text_stays_in_the_middle_of_a_box_that_moves_or_grows(kivy_window: Any) -> None:
    """Whichever of its properties changes, in whichever order."""
    from ui.widgets.drawing.text import FittedLabel, load_fonts

    load_fonts()
    writing = FittedLabel(text="0", style="digit", halign="center", size=(80, 60))
    writing._fit(0)
    changes: list[tuple[str, Any]] = [("y", 50), ("x", 70), ("height", 90), ("width", 200), ("pos", (5, 6))]
    for name, value in (*changes, ("size", (300, 80)), ("y", 9)):
        setattr(writing, name, value)
        writing._fit(0)
        (x, y), (width, height) = writing._rectangle.pos, writing.texture_size
        middle = int(writing.x + (writing.width - width) / 2), int(writing.y + (writing.height - height) / 2)
        assert (x, y) == middle, name


@pytest.mark.parametrize(
    ("width", "drawn"), [(400, ["Bartholomew"]), (80, ["Bartho-", "lomew"]), (60, ["Bart-", "holo-", "mew"])]
)
async def test_a_name_wider_than_its_key_goes_on_after_a_hyphen(
    kivy_window: Any, width: int, drawn: list[str]
) -> None:
    """Once no smaller letters make it fit."""
    from ui.widgets.drawing.text import FittedLabel, load_fonts

    load_fonts()
    writing = FittedLabel(text="Bartholomew", style="key", lines=2, halign="center")
    writing.size = width, 60
    writing._fit(0)
    assert [word.text for line in writing._label._cached_lines for word in line.words] == drawn


@pytest.mark.parametrize("po", JAPANESE, ids=lambda po: po.stem)
def test_no_phrase_ends_between_kanji_and_katakana_of_a_compound(po: Path) -> None:
    """不満チップ is one word; 一度 is an adverb, after which a reader pauses."""
    with po.open("rb") as file:
        strings = [
            one.string if isinstance(one.string, tuple | list) else [str(one.string)] for one in read_po(file)
        ]
    torn = [
        (before, after)
        for text in chain(*strings)
        for before, after in pairwise(split_japanese_phrases(text))
        if re.search("[一-鿿]$", before) and re.match("[ァ-ヺー]", after) and not before.endswith("一度")
    ]
    assert torn == []


async def test_balanced_lines_end_where_the_sentence_ends(kivy_window: Any) -> None:
    """Centred lines are made about equally long only if the break between two sentences stays."""
    from ui.widgets.drawing.text import FittedLabel, load_fonts

    load_fonts()
    text = "画面を次の人に渡してください。まだ答えていない人：ちえさん、大輔さん"
    label = FittedLabel(text=text, style="body", halign="center", lines=2, size=(600, 64))
    label._fit(0)
    lines = ["".join(word.text for word in line.words) for line in label._label._cached_lines]
    assert lines[0].endswith("。")
