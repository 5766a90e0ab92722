"""Whatever text is accepted can be written to a log, and the log can be read back."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion import logtext
from companion.bounds import MAX_TEXT_CHARACTERS
from companion.errors import UserError
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.log.events import Answered, Began
from companion.log.log import MemoryLog
from companion.name_matching import split_graphemes
from companion.requests import Together, Write
from companion.rules.game import Game, TextOption
from companion.screen_characters import MAX_CODE_POINTS_PER_LETTER, characters_in_font, screen_font_names
from companion.session.session import Session
from companion.table.ledger import Piece
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.texts import say
from tests.support.games.any_game_helpers import begin_with_cards_and_coins, rules_card

COIN = Piece("coin", say("coin"))
STACKS = ("ก" + "\u0e34" * 300_000, "Z" + "\u0489" * 20_000, "ｶ" + "ﾞ" * 20_000, "\u1112" * 20_000)
"""Each is one letter."""


async def _write(table: Table) -> GameResult:
    """Asks for as many words as an author may allow, in the open and sealed."""
    table.supply_from_box(table.account(COIN, say("bank")), 9)
    table.account(COIN, say("till"))
    await Write(None, say("What is sold?"), max_letters=50_000)
    await Together(say("Your words"), {seat: Write(seat, say("Your word?")) for seat in table.seats})
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


UNIT = TextOption("unit", say("Unit"), say("What is paid."), "", max_letters=50_000)
WORDS = Game("words", 1, say("Words"), (2, 2), _write, (UNIT,))


def _begin(log: MemoryLog, name: str = "Aki", unit: str = "") -> Session:
    return Session.begin(WORDS, [name, "Ben"], {"unit": unit}, log)


def _answered(log: MemoryLog) -> Session:
    session = _begin(log)
    session.answer(1, "Vase")
    return session


def _rename(log: MemoryLog, text: str) -> None:
    session = _begin(log)
    session.rename_player(session.table.seats[0], text)


def _seal(log: MemoryLog, text: str) -> None:
    session = _answered(log)
    for seat in session.table.seats:
        session.put_answer_in_envelope(2, seat, text)


ENTRIES: dict[str, Callable[[MemoryLog, str], object]] = {
    "a name": lambda log, text: _begin(log, name=text),
    "a new name": _rename,
    "an option": lambda log, text: _begin(log, unit=text),
    "an answer": lambda log, text: _begin(log).answer(1, text),
    "sealed answers": _seal,
    "an amendment": lambda log, text: _answered(log).amend_answer(1, text),
    "a reason": lambda log, text: _begin(log).correct("bank", "till", "coin", 1, text),
}


def _characters() -> list[str]:
    """One character of each category and combining class in the fonts, and what joins letters."""
    known = sorted({character for font in screen_font_names() for character in characters_in_font(font)})
    by_kind = {(unicodedata.category(one), unicodedata.combining(one)): one for one in known}
    return [*by_kind.values(), *'aกשمあ🇯👍🏽ﾞ\u1112\u0e33\u0e34\u0489\ufe0f\u20e3\u200d \t\n"#=(,{:', "\ud800"]


TEXTS = st.lists(
    st.builds(
        lambda one, times: one * times, st.sampled_from(_characters()), st.sampled_from((1, 1, 1, 2, 3, 90))
    ),
    min_size=1,
    max_size=8,
).map("".join)


@pytest.mark.parametrize("entry", ENTRIES)
@given(text=TEXTS)
def test_accepted_text_is_read_back_from_the_log(entry: str, text: str) -> None:
    """Names, options, answers, amendments and reasons, however odd they are."""
    log = MemoryLog()
    with suppress(UserError):
        ENTRIES[entry](log, text)
    events = list(log)
    if events and log.current_names():
        assert isinstance(events[0], Began)
        events[0] = replace(events[0], names=tuple(log.current_names()))
    if events:
        assert logtext.parse_log_text(logtext.format_log_text(events)) == events


@pytest.mark.parametrize("text", STACKS, ids=["Thai", "Cyrillic", "kana", "Hangul"])
@pytest.mark.parametrize("entry", ENTRIES)
def test_one_letter_has_an_end(entry: str, text: str) -> None:
    """However few letters people count, a text of any length isn't taken."""
    with pytest.raises(UserError):
        ENTRIES[entry](MemoryLog(), text)


@given(text=TEXTS)
def test_every_letter_of_an_accepted_text_is_short(text: str) -> None:
    """A text has a bound, and so has each of its letters."""
    log = MemoryLog()
    session = _begin(log)
    with suppress(UserError):
        session.answer(1, text)
        answered = session.steps[0]
        assert isinstance(answered, Answered)
        assert len(answered.answer) <= MAX_TEXT_CHARACTERS
        assert all(len(letter) <= MAX_CODE_POINTS_PER_LETTER for letter in split_graphemes(answered.answer))


@pytest.mark.parametrize("text", STACKS, ids=["Thai", "Cyrillic", "kana", "Hangul"])
def test_no_game_takes_an_endless_letter(text: str) -> None:
    """Any Game refuses it as the name of what is sold, Sealed Bids as the unit; the question stays open."""
    session = (
        begin_with_cards_and_coins(rules_card(auction="open", names="yes")).says("table: auction").session
    )
    n = session.question_number
    with pytest.raises(UserError):
        session.answer(n, text)
    assert session.question_number == n
    with pytest.raises(UserError):
        Session.begin(SEALED_BID, ["Aki", "Ben"], {"unit": text}, MemoryLog())


@pytest.mark.parametrize("text", ["ก" + "\u0e34" * 79, "Z" + "\u0489" * 79, "\u0301"])
def test_older_games_with_such_names_open(text: str) -> None:
    """Their names, options and answers are from before each letter had an end; the others may be renamed."""
    log = MemoryLog()
    began = replace(_begin(log).began, names=(text, "Ben"), options={"unit": text})
    question = Write(None, say("What is sold?"))
    old = MemoryLog([began, Answered(1, question.log_key, text, "screen", 1.0)])
    events = logtext.parse_log_text(logtext.format_log_text(list(old)))
    assert events == list(old)
    session = Session(WORDS, events, MemoryLog(events))
    assert session.question_number == 2
    session.rename_player(session.table.seats[1], "Chie")
    assert [seat.name for seat in session.table.seats] == [text, "Chie"]
