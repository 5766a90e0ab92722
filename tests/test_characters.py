"""Text that the screen can't show is refused wherever people enter it, with the character's name."""

from collections.abc import Callable, Iterable

import pytest
from msgspec.structs import replace

from companion.errors import UserError
from companion.files import toml
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.log.events import Answered, Began
from companion.log.log import MemoryLog
from companion.requests import Together, Write
from companion.rules.game import Game
from companion.screen_characters import require_showable
from companion.session.session import Session
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import say
from scripts.font_coverage import COVERAGE, code_points, coverage
from ui import theme

SHOWN = [
    "Ștefan",
    "Łukasz",
    "Đặng",
    "Αθηνά",
    "Ёлка",
    "张伟",
    "김민준",
    "אביגיל",
    "محمد",
    "ปู่",
    "น้ำสิทธิ์",
    "ที่กู้ชื่อเป็น",
    "שָׁלוֹם מִרְיָם",
    "שַּׁבָּת",
    "مُحَمَّد اللّٰه أُمِّ",
    "Vie\u0323\u0302t Nguye\u0302\u0303n",
    "か\u3099ｶﾞ",
    "\u1112\u1161\u11ab각",
    "а\u0489",
    "❤\ufe0f",
    "1\ufe0f\u20e3#\ufe0f\u20e3",
    "👍🏽☝🏿",
    "🇯🇵🇩🇪",
    "😀🎲",
    "髙橋",
    "Zoë",
]
UNKNOWN = "नमस्ते"
WHY = "The screen can't show the character Devanagari Letter Na (U+0928). Please write the text without it."


@pytest.mark.parametrize("text", SHOWN)
def test_text_in_the_fonts_is_accepted(text: str) -> None:
    """Names from Europe, East Asia, Hebrew, Arabic and Thai, and emoji, can be shown."""
    require_showable(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (UNKNOWN, WHY),
        ("ა", "character Georgian Letter An (U+10D0)"),
        ("\ue000", "character U+E000"),
        ("o\u0300\u0301\u0302", "A letter can have at most 2 accents or other marks above or below it."),
        ("\u1ead\u0301", "at most 2 accents"),
        ("ก\u0e34\u0e34\u0e34", "at most 2 accents"),
        ("ก\u0e38\u0e34\u0e38", "at most 2 accents"),
        ("ก\u0e34\u0e33\u0e34\u0e33\u0e34", "at most 2 accents"),
        ("Z" + "\u0489" * 79, "at most 2 accents"),
        ("❤\ufe0f\u0489\ufe0f", "at most 2 accents"),
        ("ש\u05bc\u05bc\u05bc\u05bc", "at most 2 accents"),
        ("\u0301", "A mark such as an accent needs a letter before it."),
        ("\u0e34ก", "needs a letter"),
        ("\ufe0f", "needs a letter"),
        ("a \u0301b", "needs a letter"),
        ("ｶﾞﾞﾞﾞﾞ", "At most 4 characters can be joined into one letter."),
        ("👍🏽🏽🏽🏽", "At most 4 characters"),
        ("\u1112" * 5, "At most 4 characters"),
        ("\u1112" * 201, "A text can have at most 200 characters."),
        ("👨\u200d👩\u200d👧", "character Zero Width Joiner (U+200D)"),
    ],
)
def test_other_text_is_refused_by_name(text: str, why: str) -> None:
    """The sentence names the character, in letters that can be shown themselves."""
    with pytest.raises(UserError) as refusal:
        require_showable(text)
    assert why in str(refusal.value)
    require_showable(str(refusal.value))


async def _written(table: Table) -> GameResult:
    """Asks the table for a word in the open, then both seats for a sealed one."""
    await Write(None, say("What is sold?"))
    await Together(say("Your words"), {seat: Write(seat, say("Your word?")) for seat in table.seats})
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


WORDS = Game("words", 1, say("Words"), (2, 2), _written)


def _begin(names: Iterable[str] = ("Aki", "Ben"), log: MemoryLog | None = None) -> Session:
    return Session.begin(WORDS, list(names), {}, MemoryLog() if log is None else log)


def _rename() -> None:
    session = _begin()
    session.rename_player(session.table.seats[0], UNKNOWN)


def _answer() -> None:
    _begin().answer(1, UNKNOWN)


def _seal() -> None:
    session = _begin()
    session.answer(1, "Vase")
    session.put_answer_in_envelope(2, session.table.seats[0], UNKNOWN)


def _amend() -> None:
    session = _begin()
    session.answer(1, "Vase")
    session.amend_answer(1, UNKNOWN)


def _correct() -> None:
    script = Script(SEALED_BID, "Aki", "Ben")
    script.session.correct_all([], UNKNOWN)


ENTRIES: dict[str, Callable[[], object]] = {
    "a name at the start": lambda: _begin(["Aki", UNKNOWN]),
    "a new name": _rename,
    "an answer": _answer,
    "a sealed answer": _seal,
    "an amendment": _amend,
    "the reason of a correction": _correct,
    "a text in a TOML file": lambda: toml.parse_toml(f'title = "{UNKNOWN}"'),
    "a key in a TOML file": lambda: toml.parse_toml(f'"{UNKNOWN}" = 1'),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_way_in_refuses_what_the_screen_cant_show(entry: str) -> None:
    """Names, answers, sealed answers, amendments, reasons and files give one sentence."""
    with pytest.raises(UserError) as refusal:
        ENTRIES[entry]()
    assert WHY in str(refusal.value)


def test_a_refused_answer_changes_nothing() -> None:
    """The question stays open and the log as it was."""
    log = MemoryLog()
    session = _begin(log=log)
    events = list(log)
    with pytest.raises(UserError):
        session.answer(1, UNKNOWN)
    assert (session.question_number, list(log)) == (1, events)


def test_older_games_open_whatever_their_texts_are() -> None:
    """A log that was written before texts were checked is replayed unchanged."""
    log = MemoryLog()
    _begin(log=log).answer(1, "Vase")
    began, answered = log
    assert isinstance(began, Began)
    assert isinstance(answered, Answered)
    old = MemoryLog([began, replace(answered, answer=UNKNOWN)])
    assert Session(WORDS, list(old), old).question_number == 2


def test_the_list_of_characters_is_that_of_the_fonts() -> None:
    """What is checked is what the font files have, and both of the theme's own fonts have the same."""
    assert COVERAGE.read_text("utf-8") == coverage()
    assert code_points(theme.FILES_BY_FONT[theme.TEXT_FONT][0]) == code_points(
        theme.FILES_BY_FONT[theme.MONEY_FONT][0]
    )
