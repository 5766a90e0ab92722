"""What comes in has an end: texts, numbers, cards. What is beyond is refused in a sentence as it comes in."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion import cli, logtext
from companion.cards import CardDesign, Deck
from companion.errors import IllegalAnswer, UserError
from companion.games.any_game import rulebook as any_game
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.jsonlines import JsonSession
from companion.log.events import Corrected
from companion.log.log import MemoryLog
from companion.record.record import result_from_json
from companion.session.session import Session
from companion.session.view import list_history_entries
from companion.store import Store
from companion.texts import parse_text_json, render, say, say_plain_text, shorten_long_values
from tests.support.sealed_bid_games import begin_game, play_last_round_and_put_away

LONG = "ž" * 10_000
HEAD = "companion log 1\ngame sealed_bid 1\nseat Aki (orange)\nseat Ben (sky)\nseed 1\n"
EGYPT = "companion log 1\ngame egypt 1\nseat Aki (orange)\nseat Ben (sky)\nseat Chie (green)\nseed 1\n"
DONE = "1  Done: x = true  (screen)\n"
SCORE = (
    '{"winners": ["Aki"], "standings": [{"seat": "Aki", "rank": 1, "out": false, "total": %s, "lines": []}]}'
)


@pytest.mark.parametrize(
    ("log", "why"),
    [
        (EGYPT + "deck egypt\ncard 999999999 × 4: number 4", "Line 8: copies: 999999999 isn't allowed here"),
        (EGYPT + "deck egypt\n" + "card 99 × 4: any\n" * 11, "Line 7: a deck can have at most 1000 cards."),
        (EGYPT + "deck egypt\ncard 1 × 4: number 9999999999", "Line 8: values"),
        (EGYPT + "deck egypt\nboard hire = [1, 1e400]", "Line 8: a number can be at most 9007199254740991."),
        (EGYPT + "deck egypt\nboard hire = [1, 2000000000]", "Line 8: this can't be read"),
        (EGYPT + 'deck egypt\nfield x = {"least": 1, "most": 9, "step": 0}', "Line 8: this can't be read"),
        (EGYPT.replace("seed 1", "seed " + "9" * 19), "Line 1: seed"),
        (EGYPT.replace("seed 1", "seed " + "9" * 90), "Line 6: a whole number is expected here"),
        (HEAD.replace("Aki", LONG), "Line 3: A name must have 1 to 20 characters"),
        (
            HEAD.replace("seed", "seat Chie (sky)\n" * 11 + "seed"),
            "Line 3: There are 13 players, but only 12 colours.",
        ),
        (HEAD + "1  Done: x = true  (screen, 1e999 s)", "Line 6: at: inf isn't allowed here"),
        (HEAD + "1  Done: x = [NaN]  (screen)", "Line 6: NaN is not a number in JSON."),
        (HEAD + '1  Done: x = "\\ud800"  (screen)', "Line 6: this is not valid UTF-8."),
        (HEAD + '1  Done: x = {"a": 1, "a": 2}  (screen)', 'Line 6: "a" appears twice.'),
        (HEAD + f'1  Done: x = "{LONG}{LONG}"  (screen)', "Line 6: the text"),
        (
            HEAD + "1  Done: x = " + "[" * 60 + "]" * 60 + "  (screen)",
            "Line 6: lists or objects are nested too deeply.",
        ),
        (
            HEAD + "1  Done: x = [" + "1, " * 5_000 + "1]  (screen)",
            "Line 6: a list can have at most 1000 entries.",
        ),
        (HEAD + DONE + '2  correct 1000000001 card: a -> b = "x"  (1 s)', "Line 7: count: 1000000001"),
        (HEAD + "1  put away = {}", "Line 6: result: winners is missing"),
        (HEAD + "1  put away = " + SCORE % '"x"', "Line 6: result.standings[1].total"),
        (HEAD + "1  undo\n" * 50_001, "This log has more than 50000 events."),
        (HEAD + "deck x\n" * 10_001, "This log has more than 10000 lines before its first event."),
    ],
)
def test_a_log_has_bounds(log: str, why: str) -> None:
    """Each refusal names the line and what is beyond, and repeats no more than the beginning of it."""
    with pytest.raises(UserError) as caught:
        logtext.parse_log_text(log)
    assert str(caught.value).startswith(why)
    assert len(str(caught.value)) < 400


def test_a_log_that_is_too_long_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether it is replayed or proved."""
    path = tmp_path / "mailed.log"
    path.touch()
    os.truncate(path, logtext.MAX_LOG_TEXT_CHARACTERS + 1)
    for verb in ("replay", "verify"):
        assert cli.main([verb, str(path)]) == 2
        assert "more than 50000000 characters" in capsys.readouterr().err


def test_what_steers_a_terminal_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Escapes in a mailed reason, in a refusal, and in what was typed behind a verb."""
    evening = MemoryLog()
    session = Session.begin(any_game.GAME, ["Aki", "Ben"], {}, evening, seed=1)
    session.correct("bank", "Aki/purse", "coin", 1, "lost")
    path = tmp_path / "mailed.log"
    path.write_text(logtext.format_log_text(evening).replace('"lost"', '"\\u001b[2Jlo\\u202est\\u009b"'))
    assert cli.main(["replay", str(path)]) == 0
    assert r"(\x1b[2Jlo\u202est\x9b)" in capsys.readouterr().out
    assert cli.main(["players", "delete", "\x1b[2J", "--state", str(tmp_path)]) == 2
    with pytest.raises(SystemExit):
        cli.main(["players", "forget", "\x1b[2J"])
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert said.count(r"\x1b[2J") == 1


def test_a_name_that_is_no_text_ends_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file's name may be too long for one, or bytes that are no UTF-8."""
    for name in (LONG, "\udcff", "a\udcff.log"):
        assert cli.main(["verify", name, "--state", str(tmp_path)]) == 2
    assert r"\udcff" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["play", "egypt", "--json", "--seats", LONG],
        ["play", "egypt", "--json", "--seats", "Aki,Ben,Chie", "--option", f"pay_rule={LONG}"],
        ["play", LONG, "--json", "--seats", "Aki,Ben"],
        ["cards", "show", LONG],
        ["history", "show", LONG],
        ["replay", "x.log", "--until", LONG],
    ],
)
def test_a_refusal_repeats_little(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever was typed, a refusal has no more than 200 letters of it."""
    if words[0] != "replay":
        words = [*words, "--state", str(tmp_path)]
    try:
        status: Any = cli.main(words)
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert "ž" * 201 not in capsys.readouterr().err


def test_what_a_refusal_repeats_is_cut_however_deep() -> None:
    """Texts and numbers, and those in other texts; what the program itself tells is whole."""
    inner = say("{name} and {number}", name=LONG, number=10**400)
    text = shorten_long_values(say("{inner}: {all}", inner=inner, all=say_plain_text("a" * 300)))
    assert render(text) == f"{'ž' * 150}…{'ž' * 50} and 1{'0' * 149}…{'0' * 50}: {'a' * 300}"
    short = say("{name}", name="Aki")
    assert shorten_long_values(short) is short


@pytest.fixture
def table() -> Session:
    """Any Game that has just begun, with coins that never end."""
    return Session.begin(any_game.GAME, ["Aki", "Ben"], {}, MemoryLog(), seed=1)


def said(session: Session, **line: Any) -> str:
    """What the JSON front end refuses a line with."""
    return str(JsonSession(session).reply(1, json.dumps(line).encode())["error"])


def test_a_reason_is_brief(table: Session) -> None:
    """Up to 200 letters, also through JSON."""
    move = {"do": "correct", "from": "bank", "to": "Aki/purse", "piece": "coin", "count": 1}
    assert said(table, **move, reason=LONG).endswith("has more than 200 characters.")
    with pytest.raises(UserError, match=r"^A reason can have at most 200 characters\.$"):
        table.correct("bank", "Aki/purse", "coin", 1, "x" * 201)
    table.correct("bank", "Aki/purse", "coin", 1, "x" * 200)


def test_a_long_reason_of_old_is_read_and_told_briefly(table: Session) -> None:
    """A game goes on opening whose reasons were kept before they had to be brief."""
    old = Corrected(1, "bank", "@1/purse", "coin", 1, LONG, 1.0)
    session = Session(any_game.GAME, [table.began, old], MemoryLog())
    assert render(list_history_entries(session)[-1].text).endswith(f"({'ž' * 150}…{'ž' * 50})")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"n": 1, "answer": LONG}, 'Line 1: the text "žžž'),
        ({"n": 1, "answer": {LONG: 1}}, 'Line 1: the text "žžž'),
        ({"n": 1, LONG: 1}, 'Line 1: the text "žžž'),
        ({"n": 1, "answer": [0] * 1_001}, "Line 1: a list can have at most 1000 entries."),
        ({"n": 1, "answer": float("inf")}, "Line 1: Infinity is not a number in JSON."),
        ({"n": 1, "answer": 1e300}, "Line 1: a number can be at most 9007199254740991."),
    ],
)
def test_a_line_of_json_has_bounds(table: Session, line: dict[str, Any], why: str) -> None:
    """Texts, lists and numbers of a line, wherever they stand in it."""
    assert said(table, **line).startswith(why)


def test_json_nested_deeply_is_refused(table: Session) -> None:
    """As deep as Python still reads it, and deeper."""
    for depth in (60, 900, 100_000):
        line = b'{"n": 1, "answer": ' + b"[" * depth + b"]" * depth + b"}"
        assert JsonSession(table).reply(1, line) == {
            "n": 1,
            "error": "Line 1: lists or objects are nested too deeply.",
        }


def test_whatever_is_taken_can_be_opened_again(tmp_path: Path) -> None:
    """No more is moved by hand than a log holds, even of what never ends."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        session = Session.begin(any_game.GAME, ["Aki", "Ben"], {}, store.new_game_log())
        with pytest.raises(IllegalAnswer, match=r"^A correction can't use a number above 99999999\.$"):
            session.correct("bank", "Aki/purse", "coin", 10**8, "lost")
        session.correct("bank", "Aki/purse", "coin", 10**8 - 1, "lost")
    assert cli.main(["verify", "any_game", "--state", str(tmp_path)]) == 0


def test_a_deck_has_at_most_a_thousand_cards() -> None:
    """All copies counted."""
    assert len(Deck("x", tuple(CardDesign(str(n), 10, {}) for n in range(100))).cards) == 1_000
    with pytest.raises(IllegalAnswer, match=r"^a deck can have at most 1000 cards\.$"):
        Deck("x", tuple(CardDesign(str(n), 91, {}) for n in range(11)))


@pytest.mark.parametrize(
    ("ids", "twice"),
    [([("a", 1), ("a", 2)], "a"), ([("a", 2), ("a.2", 1)], "a.2"), ([("a", 0), ("a", 0)], "a")],
)
def test_each_card_of_a_deck_has_a_name_of_its_own(ids: list[tuple[str, int]], twice: str) -> None:
    """Neither two designs nor two copies are called the same, or one would be taken for the other."""
    with pytest.raises(IllegalAnswer, match=rf"^card {twice} appears twice\.$"):
        Deck("x", tuple(CardDesign(name, copies, {}) for name, copies in ids))


@pytest.mark.parametrize(
    "plain",
    [
        [],
        {},
        {"say": "x"},
        {"say": 1, "many": None, "args": {}},
        {"say": "{x}", "many": None, "args": {}},
        {"say": "{0}", "many": None, "args": {"0": 1}},
        {"say": "{x!r}", "many": None, "args": {"x": 1}},
        {"say": "{x.y}", "many": None, "args": {"x": 1}},
        {"say": "{n:>999999999}", "many": None, "args": {"n": 1}},
        {"say": "{", "many": None, "args": {}},
        {"say": "x", "many": "y", "args": {}},
        {"say": "x", "many": "y", "args": {"n": "1"}},
        {"say": "x", "many": "{z}", "args": {"n": 1}},
        {"say": "x" * 10_001, "many": None, "args": {}},
        {
            "say": "{a}" * 200,
            "many": None,
            "args": {"a": {"say": "{b}" * 200, "many": None, "args": {"b": "b"}}},
        },
    ],
)
def test_a_kept_text_is_a_template_with_all_it_says(plain: Any) -> None:
    """Whatever else stands in a score that was kept: it is no text, and takes neither time nor room."""
    with pytest.raises(ValueError, match=r"text|template"):
        parse_text_json(plain)


def test_a_kept_text_comes_back() -> None:
    """With its braces and its numbers."""
    text = {"say": "{{{n}}} of {what}", "many": "{n} of {what}s", "args": {"n": 1, "what": "it"}}
    assert render(parse_text_json(text)) == "{1} of it"
    assert parse_text_json("Aki") == "Aki"
    assert parse_text_json(None) is None


def test_a_row_nested_without_end_is_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told in a sentence, and the score that stood there isn't shown."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        play_last_round_and_put_away(begin_game(store))
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as db, db:
        db.execute("UPDATE game SET result = ?, mark = 0", ("[" * 5_000,))
    (tmp_path / "backup.sqlite3").unlink()
    assert cli.main(["history", "list", "--state", str(tmp_path)]) == 2
    assert "damaged" in capsys.readouterr().err


def test_a_score_that_can_not_be_read_is_none() -> None:
    """What a strange result says is shown by nobody."""
    seats = Session.begin(sealed_bid.GAME, ["Aki", "Ben"], {}, MemoryLog()).table.seats
    line = {"label": {"say": "{n:>999999999}", "many": None, "args": {"n": 1}}, "value": 1}
    standing: Any = {"seat": "Aki", "rank": 1, "out": False, "total": 1, "lines": [line]}
    assert result_from_json({"winners": [], "standings": [standing]}, seats) is None
