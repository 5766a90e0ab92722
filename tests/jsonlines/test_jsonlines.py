"""Playing by JSON lines: the documented examples, every shape of line, resuming, and what survives a kill."""

from __future__ import annotations

import io
import json
import re
from codecs import BOM_UTF8
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import jsonlines
from companion.games.bidders import rulebook as bidders
from companion.games.egypt import rulebook as egypt
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.installed_games import games
from companion.jsonlines import JsonSession, play_over_streams
from companion.log.events import Began
from companion.log.log import MemoryLog
from companion.requests import REQUEST_TYPE_BY_KIND
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import Store
from tests.support.fair_game import FAIR_GAME
from tests.support.in_process import run_in_process
from tests.support.program import run_companion
from tests.support.stall_game import STALL_GAME, FailingLog

DOCUMENT = Path(__file__).parents[2] / "docs" / "json.md"

Json = dict[str, Any]


# The document


def examples() -> list[tuple[str, list[str], list[Json]]]:
    """Every example of the document: the command, the lines in, the lines out."""
    blocks = re.findall(
        r"^```\n\$ (.*)\n((?:[<>] .*\n)+)```$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    )
    return [
        (
            command,
            [line[2:] for line in lines.splitlines() if line.startswith(">")],
            [json.loads(line[2:]) for line in lines.splitlines() if line.startswith("<")],
        )
        for command, lines in blocks
    ]


@pytest.mark.without_coverage
def test_the_examples_of_the_document_are_true(tmp_path: Path) -> None:
    """Each documented conversation happens exactly so, and each line in gets one line back."""
    assert len(examples()) == 13
    for command, lines_in, lines_out in examples():
        run = run_in_process([*command.split()[1:], "--state", str(tmp_path)], "\n".join(lines_in).encode())
        assert (run.status, run.error_output) == (0, "")
        told = [json.loads(line) for line in run.output.splitlines()]
        assert [_as_shown(line, shown) for line, shown in zip(told, lines_out, strict=True)] == lines_out


def _as_shown(line: Json, shown: Json) -> Json:
    """A line without its forms, which the document leaves out of all examples but one."""
    if '"form"' in json.dumps(shown):
        return line
    told = {key: value for key, value in line.items() if key != "form"}
    if "parts" in told:
        parts = told["parts"].items()
        told["parts"] = {seat: {k: v for k, v in part.items() if k != "form"} for seat, part in parts}
    return told


@pytest.mark.parametrize("kind", REQUEST_TYPE_BY_KIND)
def test_each_kind_is_documented_with_an_answer(kind: str) -> None:
    """Each kind of question has a heading, an example and an answer that was taken."""
    assert f"### {kind}\n" in DOCUMENT.read_text(encoding="utf-8")
    assert any(taken_kinds(*example[1:]) & {kind} for example in examples())


def taken_kinds(lines_in: list[str], lines_out: list[Json]) -> set[str]:
    """The kinds of the questions and parts to which an answer was taken."""
    kinds, asked = set(), lines_out[0]
    for said, came in zip(lines_in, lines_out[1:], strict=True):
        if '"answer"' in said and "do" not in said and "error" not in came:
            seat = json.loads(said).get("seat")
            kinds |= {asked["kind"]} | ({asked["parts"][seat]["kind"]} if seat else set())
        asked = came if "kind" in came else asked
    return kinds


def test_each_deed_is_documented() -> None:
    """The table of commands has a line for each deed, in this order, with all its keys, and an example."""
    text = DOCUMENT.read_text(encoding="utf-8")
    table = text.partition("## Commands")[2].partition("| --- ")[2].partition("```")[0]
    lines = dict(re.findall(r"^\| `(\w+)` \|(.*?)\|", table, re.MULTILINE))
    assert list(lines) == jsonlines.action_names()
    for do, line in lines.items():
        shape = jsonlines.message_shape(do)
        assert set(re.findall(r"`(\w+)`", line)) >= {*shape.required_keys, *shape.optional_keys}
        assert f'> {{"do": "{do}"' in text


# Lines


class Table:
    """A conversation in memory: `says` sends a line and gives the line back."""

    def __init__(self, game: Game, *names: str, log: MemoryLog | None = None, **options: str) -> None:
        self.log = MemoryLog() if log is None else log
        self.session = Session.begin(
            game, names, options, self.log, seed=7, clock=lambda: 0.0, salt=lambda: "salt"
        )
        self.wire = JsonSession(self.session)
        self.line = 0

    def says(self, said: bytes | Json) -> Json:
        """One line in, one line back."""
        self.line += 1
        return self.wire.reply(self.line, said if isinstance(said, bytes) else json.dumps(said).encode())

    def answers(self, *answers: object) -> Json:
        """Answers to one question after the other; the last line back."""
        came: Json = {}
        for answer in answers:
            came = self.says({"n": self.session.question_number, "answer": answer})
            assert "error" not in came
        return came


@pytest.fixture
def auction() -> Table:
    """Egypt, Aki to open the bidding for chip 4 as question 3."""
    table = Table(egypt.GAME, "Aki", "Ben", "Chie")
    table.answers("1", True)
    return table


@pytest.fixture
def sealed() -> Table:
    """A sealed round with purses of 20."""
    return Table(sealed_bid.GAME, "Aki", "Ben", "Chie", start="20")


ANSWER_KEYS = "an answer needs these keys: n, answer. It can also have these keys: seat."
DEEDS = (
    "choose from: roll, undo, redo, correct, pay, amend, rename, leave, come_back, go_on_in, "
    "put_away, reopen, state."
)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"", "this is not valid JSON: Expecting value at column 1."),
        (b"\n", "this is not valid JSON: Expecting value at column 1."),
        (b'{"n": 3, "answer": 5', "this is not valid JSON: Expecting ',' delimiter at column 21."),
        (b'{"n": 3, "answer": 5} {}', "this is not valid JSON: Extra data at column 23."),
        (b"\xff\xfe", "this is not valid UTF-8."),
        (b'{"n": 3, "answer": "\\ud800"}', "this is not valid UTF-8."),
        (b'{"n": 3, "answer": {"\\ud800": 1}}', "this is not valid UTF-8."),
        (b"[" * 200_000, "lists or objects are nested too deeply."),
        (b"[3, 5]", 'a line must be a JSON object, such as {"do": "state"}.'),
        (b"null", 'a line must be a JSON object, such as {"do": "state"}.'),
        (b'{"n": 3, "answer": NaN}', "NaN is not a number in JSON."),
        (b'{"n": 3, "answer": -Infinity}', "-Infinity is not a number in JSON."),
        (b'{"n": 3, "answer": 9007199254740992}', "a number can be at most 9007199254740991."),
        (b'{"n": 3, "answer": ' + b"9" * 9000 + b"}", "a number can be at most 9007199254740991."),
        (b'{"n": 3, "n": 4, "answer": 5}', '"n" appears twice.'),
        (b"{}", f'"n" is missing; {ANSWER_KEYS}'),
        (b'{"n": 3}', f'"answer" is missing; {ANSWER_KEYS}'),
        (b'{"answer": 5}', f'"n" is missing; {ANSWER_KEYS}'),
        (b'{"n": "3", "answer": 5}', '"n" must be a whole number, not "3".'),
        (b'{"n": true, "answer": 5}', '"n" must be a whole number, not true.'),
        (b'{"n": 3.0, "answer": 5}', '"n" must be a whole number, not 3.0.'),
        (b'{"n": null, "answer": 5}', '"n" must be a whole number, not null.'),
        (b'{"n": 3, "answer": 5, "seat": 1}', '"seat" must be a text, not 1.'),
        (b'{"n": 3, "answer": 5, "colour": 1}', f'"colour" is unknown here; {ANSWER_KEYS}'),
        (
            b'{"do": "fly"}',
            f'"do" can\'t be "fly"; {DEEDS}',
        ),
        (
            b'{"do": ["undo"]}',
            f'"do" can\'t be ["undo"]; {DEEDS}',
        ),
        (
            b'{"do": "undo", "n": 3}',
            '"n" is unknown here; undo needs these keys: none. It can also have these keys: past_reveal, to.',
        ),
        (b'{"do": "undo", "past_reveal": 1}', '"past_reveal" must be true or false, not 1.'),
        (
            b'{"do": "correct", "from": "a"}',
            (
                '"to" is missing; correct needs these keys: from, to, piece, count, reason. It can also '
                "have these keys: again."
            ),
        ),
        (
            b'{"do": "correct", "from": "a", "to": "b", "piece": "c", "count": true, "reason": "d"}',
            '"count" must be a whole number, not true.',
        ),
        (b'{"do": "amend", "event": "1", "answer": 5}', '"event" must be a whole number, not "1".'),
        (
            b'{"do": "amend", "event": 1, "answer": 5, "seat": "' + b"x" * 99 + b'", "go_back": "no"}',
            '"go_back" must be true or false, not "no".',
        ),
        (
            b'{"n": "' + b"x" * 99 + b'", "answer": 5}',
            f'"n" must be a whole number, not "{"x" * 39}….',
        ),
    ],
)
def test_a_malformed_line_is_refused_by_its_number(auction: Table, line: bytes, sentence: str) -> None:
    """A line in no known form is refused with its number and what is wrong with it, and changes nothing."""
    before = list(auction.log)
    assert auction.says(line) == {"n": 3, "error": f"Line 3: {sentence}"}
    assert list(auction.log) == before


@given(
    st.one_of(
        st.binary(max_size=40),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3),
                st.dictionaries(
                    st.sampled_from(["n", "answer", "seat", "do", "event", "from", "values", "card", "tag"]),
                    st.one_of(inner, st.sampled_from(["undo", "redo", "amend", "roll", "Aki", 3])),
                    max_size=4,
                ),
            ),
        ).map(lambda value: json.dumps(value).encode()),
    )
)
def test_any_line_gets_one_line_back(line: bytes) -> None:
    """Whatever comes in, one line of JSON comes back, and what was refused changed nothing."""
    table = Table(egypt.GAME, "Aki", "Ben", "Chie")
    table.answers("1", True)
    before = list(table.log)
    came = json.loads(json.dumps(table.says(line)))
    assert isinstance(came, dict)
    assert "error" not in came or before == list(table.log)
    assert came.keys() & {"n", "error", "state"}


def test_a_line_that_is_too_long_is_refused(auction: Table) -> None:
    """A line longer than the limit is read to its end and refused; the next one counts as the next."""
    out = io.BytesIO()
    long = b'{"n": 3, "answer": "' + b"x" * 3 * jsonlines.MAX_LINE_BYTES + b'"}\n'
    play_over_streams(auction.session, io.BytesIO(long + b'{"n": 3, "answer": 5}\n{"n": 4}'), out)
    first, refused, taken, last = map(json.loads, out.getvalue().splitlines())
    assert refused == {"n": 3, "error": "Line 1: a line can have at most 1000000 bytes."}
    assert (first["n"], taken["n"]) == (3, 4)
    assert last["error"].startswith('Line 3: "answer" is missing')


def test_an_answer_gets_the_next_question(auction: Table) -> None:
    """A taken answer gets the next question; a refused one gets the reason, and the question stays open."""
    assert auction.says({"n": 3, "answer": 4})["asks"] == "Raise Ben: chip 4"
    assert auction.says({"n": 4, "answer": 4}) == {"n": 4, "error": "Ben must bid more than 4."}
    assert auction.says({"n": 4, "answer": True}) == {
        "n": 4,
        "error": "Ben must answer with a whole number, or null to withdraw.",
    }
    assert auction.says({"n": 4, "answer": 5})["asks"] == "Raise Chie: chip 4"


def test_dice_are_answered_or_rolled() -> None:
    """Faces are a list in the order of the dice; `roll` lets the companion roll instead."""
    table = Table(FAIR_GAME, "Aki", "Ben")
    asked = table.wire.question_or_result()
    assert (asked["kind"], asked["seats"]) == ("Roll", ["Aki"])
    assert asked["limits"] == {
        "dice": [{"label": "tens", "faces": [0, 25, 50, 75]}, {"label": "ones", "faces": [0, 5]}]
    }
    assert table.says({"do": "roll", "n": 9})["error"].startswith("Question 9 isn't open yet")
    assert table.says({"do": "roll"})["error"].startswith('Line 2: "n" is missing')
    assert table.says({"n": 1, "answer": [0]})["error"].startswith("Answer with a list of 2 faces")
    assert table.says({"n": 1, "answer": [75, 5]})["asks"] == "Roll Ben: Throw at the cans"
    assert table.says({"do": "roll", "n": 2})["n"] == 3


def test_several_numbers_are_answered_by_key() -> None:
    """Numbers by key, those that are missing 0, or null for "can't"; a roll is refused here."""
    table = Table(FAIR_GAME, "Aki")
    table.answers([0, 0])
    assert table.wire.question_or_result()["limits"] == {
        "counts": {"own": 4, "foreign": 1},
        "labels": {"own": "own coins", "foreign": "foreign coins"},
        "least": 3,
        "most": 3,
        "kinds": None,
        "cant": True,
    }
    assert table.says({"do": "roll", "n": 2}) == {"n": 2, "error": "There are no dice to roll now."}
    assert table.says({"n": 2, "answer": {"own": 5}}) == {"n": 2, "error": "own coins can be at most 4."}
    assert table.says({"n": 2, "answer": {"own": 3}})["n"] == 3
    assert table.says({"do": "state"})["state"]["places"]["Aki/purse"] == {"own": 1, "foreign": 1}


def test_the_input_may_begin_with_a_byte_order_mark(auction: Table) -> None:
    """As Windows begins texts; later lines don't."""
    line = BOM_UTF8 + json.dumps({"do": "state"}).encode()
    assert auction.wire.reply(1, line)["state"]["game"] == "egypt"
    assert "this is not valid JSON" in auction.wire.reply(2, line)["error"]


def test_a_late_answer_is_refused(auction: Table) -> None:
    """An answer to a question that is no longer open is refused and says which one is."""
    auction.answers(4)
    assert auction.says({"n": 3, "answer": 6}) == {
        "n": 4,
        "error": "Question 3 has been answered. Question 4 is open now.",
    }


def test_seats_and_parts_are_told_apart(auction: Table, sealed: Table) -> None:
    """A seat that isn't there or isn't asked, and a Together answered in one piece, are refused by name."""
    assert auction.says({"n": 3, "seat": "Dora", "answer": 5})["error"] == (
        "There is no player called Dora. Players: Aki, Ben, Chie."
    )
    assert auction.says({"n": 3, "seat": "Aki", "answer": 5})["error"] == (
        "The answers to the present question are not sealed: Aki, open the bidding for daughter 4."
    )
    assert sealed.says({"n": 1, "answer": 5})["error"] == "Each player must answer this question alone."
    assert list(auction.log)[3:] == list(sealed.log)[1:] == []


def test_a_sealed_round(sealed: Table) -> None:
    """Each part is taken, may be replaced, and the last one in gets the next question."""
    assert sealed.wire.question_or_result()["in"] == []
    assert sealed.says({"n": 1, "seat": "Ben", "answer": 4}) == {"n": 1, "seat": "Ben", "taken": True}
    assert sealed.says({"n": 1, "seat": "Ben", "answer": 9}) == {"n": 1, "seat": "Ben", "taken": True}
    too_much = {"n": 1, "error": "Aki has only 20 coins."}
    assert sealed.says({"n": 1, "seat": "Aki", "answer": 21}) == too_much
    assert sealed.wire.question_or_result()["in"] == ["Ben"]
    assert sealed.says({"n": 1, "seat": "Aki", "answer": 8}) == {"n": 1, "seat": "Aki", "taken": True}
    assert sealed.says({"n": 1, "seat": "Chie", "answer": 0})["asks"] == "Choose: Another round?"
    assert sealed.says({"do": "state"})["state"]["places"]["Ben/purse"] == {"money": 11}


def test_nothing_of_a_sealed_answer_shows() -> None:
    """Tables that differ only in a sealed answer say the same, byte for byte, until the reveal."""
    heard = []
    for bid in (1, 19):
        table = Table(sealed_bid.GAME, "Aki", "Ben", "Chie", start="20")
        heard.append(
            [
                json.dumps(line)
                for line in (
                    table.says({"n": 1, "seat": "Aki", "answer": bid}),
                    table.says({"do": "state"}),
                    table.says({"n": 1, "seat": "Ben", "answer": 50}),
                    table.says(
                        {"do": "correct", "from": "Aki/purse", "to": "bank", "piece": "money", "count": 5}
                        | {"reason": "lost"}
                    ),
                    table.says({"n": 1, "seat": "Ben", "answer": 5}),
                    table.says({"do": "undo"}),
                )
            ]
        )
    assert heard[0] == heard[1]


def test_an_answer_that_no_longer_fits_is_asked_for_again(sealed: Table) -> None:
    """A correction touches no envelope; once all are open, who can't pay any more is asked again, alone."""
    sealed.says({"n": 1, "seat": "Aki", "answer": 20})
    fixed = {
        "do": "correct",
        "from": "Aki/purse",
        "to": "bank",
        "piece": "money",
        "count": 5,
        "reason": "lost",
    }
    assert sealed.says(fixed) == {"done": "correct", "n": 1}
    assert sealed.wire.question_or_result()["in"] == ["Aki"]
    sealed.says({"n": 1, "seat": "Ben", "answer": 1})
    heard = sealed.says({"n": 1, "seat": "Chie", "answer": 1})
    assert (heard["n"], heard["kind"], heard["seats"]) == (2, "Amount", ["Aki"])
    assert heard["notes"][-1] == "Only Aki must answer again: Aki has only 15 coins."
    assert sealed.says({"n": 2, "answer": 15})["n"] == 3


def test_undo_and_redo_renew_the_question(auction: Table) -> None:
    """Undo and redo give the question under a new number, with what to move back by hand."""
    auction.answers(4, None, None, [{"card": "4.1"}, {"values": {"number": 4}}])
    undone = auction.says({"do": "undo"})
    assert (undone["n"], undone["asks"]) == (8, "Read Aki: Payment for chip 4")
    assert undone["by_hand"] == [
        "2 cards from bank back to Aki's hand",
        "daughter 4 from Aki's front back to market 4",
    ]
    assert auction.says({"do": "redo"})["n"] == 9
    assert auction.says({"do": "redo"}) == {"n": 9, "error": "There is nothing to redo."}


def test_undo_past_a_reveal_is_asked_for(sealed: Table) -> None:
    """Undo past a reveal is refused unless the line says that it may."""
    for seat in ("Aki", "Ben", "Chie"):
        sealed.says({"n": 1, "seat": seat, "answer": 3})
    assert "opened answers are closed again" in sealed.says({"do": "undo"})["error"]
    assert sealed.says({"do": "undo", "past_reveal": False})["n"] == 2
    assert sealed.says({"do": "undo", "past_reveal": True})["in"] == []


def test_amend(auction: Table) -> None:
    """An amendment is checked, played on, refused by the event that no longer fits, or goes back to it."""
    auction.answers(4, 5, None, None)
    assert auction.says({"do": "amend", "event": 3, "answer": 0})["error"] == "Aki must bid at least 1."
    assert auction.says({"do": "amend", "event": 3, "answer": 6}) == {
        "n": 7,
        "error": "“Ben bids 5 for daughter 4.” is no longer possible (answer 4). Ben must bid more than 6.",
        "event": 4,
    }
    assert auction.says({"do": "amend", "event": 3, "answer": 2})["n"] == 8
    assert auction.says({"do": "amend", "event": 3, "seat": "Ben", "answer": 1})["error"] == (
        "The answers to that question were not sealed: Aki, open the bidding for daughter 4."
    )
    back = auction.says({"do": "amend", "event": 3, "answer": 6, "go_back": True})
    assert (back["n"], back["asks"], back["by_hand"]) == (9, "Raise Ben: chip 4", [])
    assert back["redo"] == {"waiting": 3, "fitting": 0}
    assert auction.says({"do": "redo"})["event"] == 4
    assert auction.says({"n": 9, "answer": 8})["redo"] == {"waiting": 2, "fitting": 2}
    assert auction.says({"do": "redo", "count": 0})["error"] == "Redo at least 1 answer, not 0."
    assert auction.says({"do": "redo", "count": 99})["n"] == 11
    assert "Answer 99 can't be changed" in auction.says({"do": "amend", "event": 99, "answer": 1})["error"]


def test_amend_a_part(sealed: Table) -> None:
    """One seat's part of a sealed round is amended by its name."""
    for seat in ("Aki", "Ben", "Chie"):
        sealed.says({"n": 1, "seat": seat, "answer": 3})
    assert sealed.says({"do": "amend", "event": 1, "answer": 4})["error"] == (
        "Whose answer do you want to change? Type one of these names: Aki, Ben, Chie."
    )
    assert sealed.says({"do": "amend", "event": 1, "seat": "Dora", "answer": 4})["error"] == (
        "There is no player called Dora. Players: Aki, Ben, Chie."
    )
    assert sealed.says({"do": "amend", "event": 1, "seat": "Ben", "answer": 4})["by_hand"] == [
        "4 coins from Ben to bank"
    ]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"from": "Dora/hand"}, "There is no place called Dora/hand. Places: Aki/front, Aki/hand,"),
        ({"to": "market/14"}, "There is no place called market/14. Places: Aki/front, Aki/hand,"),
        ({"piece": "gold"}, "There is no piece called gold. Pieces: card, point, knocked out, leader,"),
        ({"count": 26}, "Aki's hand has only 25 cards, not 26."),
        ({"count": 0}, "Move at least 1 piece, not 0."),
        ({"to": "Aki/hand"}, "Nothing can move from Aki's hand to the same place. Choose two places."),
        ({"reason": " "}, "A correction needs a reason, in one line."),
    ],
)
def test_an_impossible_correction_is_refused(auction: Table, changed: Json, sentence: str) -> None:
    """A place or piece that doesn't exist is named with those that do; what isn't there can't be moved."""
    before = list(auction.log)
    said = {"do": "correct", "from": "Aki/hand", "to": "bank", "piece": "card", "count": 1, "reason": "torn"}
    came = auction.says(said | changed)
    assert (came["n"], came["error"].startswith(sentence)) == (3, True), came
    assert list(auction.log) == before


def test_a_question_that_no_longer_holds_comes_back() -> None:
    """With why, and with what to move; where the question stays as it is, only its number comes."""
    table = Table(bidders.GAME, "Aki", "Ben", "Chie")
    table.answers("1", True, [{"card": "W1"}], [{"card": "B1"}])
    said = {
        "do": "correct",
        "from": "Aki/guild card",
        "to": "box",
        "piece": "orange worker",
        "reason": "lost",
    }
    assert table.says({**said, "count": 1}) == {"done": "correct", "n": 5}
    came = table.says({**said, "count": 9})
    assert (came["done"], came["n"], came["by_hand"]) == ("correct", 6, [])
    assert came["why"] == "The choices have changed, so the companion asks the question again."
    assert came["limits"]["options"] == {"pass": "pass"}


def test_state_is_what_all_may_know(auction: Table) -> None:
    """The state names every place and what lies there; of covered faces not even that they exist."""
    auction.answers(4, None, None, [{"card": "4.1"}, {"card": "4.2"}])
    state = auction.says({"do": "state"})["state"]
    assert (state["n"], state["game"], state["over"]) == (7, "egypt", False)
    places = state["places"]
    assert places["Aki/hand"] == {"card": 23}
    assert places["bank"]["card"] == 2
    assert "unseen" not in places


def test_the_result_and_after(sealed: Table) -> None:
    """The result comes in place of a question; undo still works on it, until the game is put away."""
    for seat, bid in (("Aki", 3), ("Ben", 4), ("Chie", 0)):
        sealed.says({"n": 1, "seat": seat, "answer": bid})
    assert sealed.answers("finish") == {
        "result": {
            "winners": ["Ben"],
            "standings": [
                {"seat": name, "rank": rank, "out": False, "total": won, "why": None}
                | {
                    "lines": [
                        {"label": "rounds won", "value": won, "counts": True},
                        {"label": "paid", "value": paid, "counts": False},
                    ]
                }
                for name, rank, won, paid in (("Ben", 1, 1, 4), ("Aki", 2, 0, 0), ("Chie", 2, 0, 0))
            ],
        }
    }
    assert sealed.says({"do": "state"})["state"]["over"]
    assert sealed.says({"n": 3, "answer": "again"}) == {
        "n": 3,
        "error": "The game is over. There are no more questions.",
    }
    assert sealed.says({"do": "undo"})["n"] == 4
    assert "result" in sealed.says({"do": "redo"})
    assert sealed.says({"do": "put_away"}) == {"done": "put_away", "n": 5}
    for late in ({"do": "undo"}, {"do": "put_away"}, {"n": 5, "answer": "again"}):
        assert sealed.says(late) == {"n": 5, "error": "This game has been put away."}


def test_what_could_not_be_kept_was_not_taken() -> None:
    """A full disk is said in a sentence, and the question stays open until there is room."""
    log = FailingLog()
    table = Table(egypt.GAME, "Aki", "Ben", "Chie", log=log)
    log.is_full = True
    assert table.says({"n": 1, "answer": "1"}) == {
        "n": 1,
        "error": "This could not be saved, so it doesn't count: [Errno 28] No space left on device",
    }
    log.is_full = False
    assert table.says({"n": 1, "answer": "1"})["n"] == 2


class TerminalClocks(io.BytesIO):
    """An output that notes how many events were kept when each line was written."""

    def __init__(self, log: MemoryLog) -> None:
        super().__init__()
        self._log = log
        self.kept: list[int] = []

    def write(self, line: Any) -> int:
        """One line."""
        self.kept.append(len(self._log))
        return super().write(line)


def test_a_line_is_written_after_what_it_acknowledges_is_kept() -> None:
    """Each line out leaves only after its event is in the log."""
    table = Table(egypt.GAME, "Aki", "Ben", "Chie")
    out = TerminalClocks(table.log)
    lines = b'{"n": 1, "answer": "1"}\n{"n": 2, "answer": true}\n{"n": 3, "answer": 3}\n'
    play_over_streams(table.session, io.BytesIO(lines), out)
    assert out.kept == [1, 2, 3, 4]


def test_a_rulebook_that_fails_is_an_error() -> None:
    """A rulebook that fails on an answer is reported as an error, and the question stays open."""
    came = Table(STALL_GAME, "Aki", "Ben").says({"n": 1, "answer": "fail"})
    assert came["n"] == 1
    assert came["error"].startswith("The rules of Stall crashed here")


# Resuming


def test_a_game_goes_on_with_seats_and_options_from_its_log(tmp_path: Path) -> None:
    """The end of the input saves; --resume goes on without being told who plays."""
    begun = ["play", "sealed_bid", "--json", "--seats", "Aki,Ben", "--option", "most=9"]
    run_companion(begun, tmp_path, '{"n": 1, "seat": "Aki", "answer": 9}')
    run = run_companion(["play", "sealed_bid", "--json", "--resume"], tmp_path)
    (line,) = map(json.loads, run.stdout.splitlines())
    assert (line["n"], line["in"], line["parts"]["Ben"]["limits"]["most"]) == (1, ["Aki"], 9)
    same = ["play", "sealed_bid", "--json", "--resume", "--seats", "Aki,Ben", "--option", "most=9"]
    assert json.loads(run_companion(same, tmp_path).stdout) == line


def test_a_game_from_before_an_option_was_there_goes_on_with_its_default(tmp_path: Path) -> None:
    """What a saved game doesn't say is at its default, also for whoever says it while resuming."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        store.new_game_log().append(Began("sealed_bid", 1, ("Aki", "Ben"), ("orange", "sky"), {}, {}, 7))
    resume = ["play", "sealed_bid", "--json", "--resume", "--option"]
    assert json.loads(run_companion([*resume, "start=none"], tmp_path).stdout)["n"] == 1
    refused = "This game began with start none, not 5. To continue it, don't type --option."
    assert refused in run_companion([*resume, "start=5"], tmp_path).stderr


@pytest.mark.sweep(1)
@pytest.mark.without_coverage
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["egypt", "--resume"], "There is no unfinished game of Egypt. Unfinished games: sealed_bid."),
        (
            ["sealed_bid", "--resume", "--seats", "Ben,Aki"],
            "This game is played by Aki, Ben, not by Ben, Aki. To continue it, don't type --seats.",
        ),
        (
            ["sealed_bid", "--resume", "--option", "start=5"],
            "This game began with start none, not 5. To continue it, don't type --option.",
        ),
        (
            ["sealed_bid", "--resume", "--option", "bonus=5"],
            "Sealed bid has no option bonus. Its options: unit, start, most, wins, ties, pays.",
        ),
        (
            ["sealed_bid", "--seats", "Aki,Aki"],
            "Aki is used twice. Each player needs a different name and colour.",
        ),
        (["sealed_bid", "--seats", "Aki"], "Sealed bid is for 2 to 12 players, not 1."),
        (["sealed_bid"], "Name the players in clockwise order, such as --seats Aki,Ben,Chie."),
        (
            ["sealed_bid", "--seats", "Aki,Ben", "--option", "most"],
            "Write an option as KEY=VALUE, not most.",
        ),
        (
            ["sealed_bid", "--seats", "Aki,Ben", "--option", "wins=both"],
            "wins must be one of highest, lowest, not both.",
        ),
        (
            ["chess", "--seats", "Aki,Ben"],
            f"There is no game called chess. Installed games: {', '.join(games())}.",
        ),
    ],
)
def test_what_prevents_the_start_is_a_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    """A game, seat or option that can't be is one sentence on standard error and status 2."""
    for _ in range(2):
        run_companion(["play", "sealed_bid", "--json", "--seats", "Aki,Ben"], tmp_path)
    run = run_companion(["play", *arguments, "--json"], tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (2, "", sentence + "\n")
    with closing(Store.open(tmp_path)) as store:
        assert [game.state for game in store.all_saved_games()] == ["open", "waiting"]


def test_a_refused_resume_leaves_the_open_game_open(tmp_path: Path) -> None:
    """A game that waits takes nobody's place before it goes on."""
    run_companion(["play", "egypt", "--json", "--seats", "Aki,Ben,Chie"], tmp_path)
    run_companion(["play", "sealed_bid", "--json", "--seats", "Aki,Ben"], tmp_path)
    assert (
        run_companion(["play", "egypt", "--json", "--resume", "--seats", "Dai,Emi,Fumi"], tmp_path).returncode
        == 2
    )
    with closing(Store.open(tmp_path)) as store:
        assert [(game.game, game.state) for game in store.all_saved_games()] == [
            ("sealed_bid", "open"),
            ("egypt", "waiting"),
        ]


def test_a_new_game_lets_the_open_one_wait(tmp_path: Path) -> None:
    """Without --resume a new game begins, and the one still open waits and can be resumed later."""
    run_companion(["play", "sealed_bid", "--json", "--seats", "Aki,Ben"], tmp_path)
    run_companion(["play", "egypt", "--json", "--seats", "Aki,Ben,Chie"], tmp_path)
    with closing(Store.open(tmp_path)) as store:
        assert [(game.game, game.state) for game in store.all_saved_games()] == [
            ("egypt", "open"),
            ("sealed_bid", "waiting"),
        ]
    resumed = run_companion(["play", "sealed_bid", "--json", "--resume"], tmp_path)
    assert json.loads(resumed.stdout)["seats"] == ["Aki", "Ben"]


def test_the_result_of_a_game_that_was_not_put_away_comes_back(tmp_path: Path) -> None:
    """A finished game that was not put away is resumed at its result, and undo still works."""
    bids = ['{"n": 1, "seat": "Aki", "answer": 2}', '{"n": 1, "seat": "Ben", "answer": 1}']
    played = ["play", "sealed_bid", "--json", "--seats", "Aki,Ben"]
    over = run_companion(
        played, tmp_path, "\n".join([*bids, '{"n": 2, "answer": "finish"}'])
    ).stdout.splitlines()[-1]
    resumed = run_companion(
        ["play", "sealed_bid", "--json", "--resume"], tmp_path, '{"do": "undo"}'
    ).stdout.splitlines()
    assert json.loads(resumed[0]) == json.loads(over) | {"notes": ["Another round? Finish"]}
    assert json.loads(resumed[1])["asks"] == "Choose: Another round?"
