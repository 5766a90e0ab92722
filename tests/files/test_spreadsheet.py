"""Text in a CSV file that no spreadsheet takes for a formula."""

from __future__ import annotations

import csv
import io
import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.files.spreadsheet import (
    CELL_ENDS,
    FORMULA_START_CHARACTERS,
    SKIPPED_BEFORE_FORMULA,
    escape_formulas,
    unescape_formulas,
)
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.record.exports import record_to_csv
from companion.record.record import create_record
from companion.testing import Script

BEGINS = re.compile(rf"[{SKIPPED_BEFORE_FORMULA}]*[{FORMULA_START_CHARACTERS}]")
"""A cell that is calculated."""
RISKY = [
    "=",
    "+",
    "-",
    "@",
    "＝",
    "＋",
    "－",
    "＠",
    "−",
    "﹣",
    ";",
    "\t",
    "\r",
    "\n",
    " ",
    "\u3000",
    "\u00a0",
    '"',
]
RISKY += ["'", "\u200b", "\ufeff", ",", "a", "1"]


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("-5", "'-5"),
        ("＝1", "'＝1"),
        ("＋Aki", "'＋Aki"),
        ("－Ben", "'－Ben"),
        ("＠Chie", "'＠Chie"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("\n=1", "'\n'=1"),
        ("  =1", "'  =1"),
        ("\u3000=1", "'\u3000=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ('"=1', "'\"=1"),
        ("Aki;=1", "Aki;'=1"),
        ("Aki; ＝1; -2", "Aki;' ＝1;' -2"),
        ("'=1", "''=1"),
        ("Aki: 3; Ben", "Aki: 3; Ben"),
        ("a=1", "a=1"),
        ("a, -1", "a, -1"),
        ("", ""),
    ],
)
def test_what_could_begin_a_formula_begins_with_an_apostrophe(text: str, cell: str) -> None:
    """At the start of a cell, after what may end one, and behind spaces and quotes; nothing else changes."""
    assert escape_formulas(text) == cell
    assert unescape_formulas(cell) == text


def test_every_letter_that_stands_for_one_of_the_four_is_known() -> None:
    """Unicode has full-width, small, raised and lowered ones."""
    meant = {
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.normalize("NFKC", chr(code))[:1] in {"=", "+", "-", "@", "\u2212"}
    }
    assert meant == set(FORMULA_START_CHARACTERS.replace("\\-", "-"))


@given(st.lists(st.sampled_from(RISKY), max_size=12).map("".join))
def test_no_text_is_calculated_whatever_ends_a_cell(text: str) -> None:
    """A row read with commas, semicolons or tabs between its cells has no cell that is a formula."""
    out = io.StringIO()
    csv.writer(out).writerow(["event", escape_formulas(text), "note"])
    assert unescape_formulas(escape_formulas(text)) == text
    for end in ",;\t":
        for row in csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=end):
            assert [cell for cell in row if BEGINS.match(cell)] == []


@given(st.lists(st.sampled_from(RISKY), max_size=12).map("".join))
def test_no_text_is_calculated_by_who_knows_no_quotes(text: str) -> None:
    """Split at whatever may end a cell, no part is a formula."""
    assert [part for part in re.split(f"[{CELL_ENDS}]", escape_formulas(text)) if BEGINS.match(part)] == []


def test_every_text_of_a_record_is_text() -> None:
    """Names, units, reasons and what happened, in every row; numbers stay numbers."""
    table = Script(SEALED_BID, "＋A", ";+B", options={"unit": "＠x"})
    table.says("＋A 5", ";+B 3", "table: finish")
    written = record_to_csv(create_record(table.session, table.log))
    for end in ",;\t":
        for row in csv.reader(io.StringIO(written.removeprefix("\ufeff"), newline=""), delimiter=end):
            assert [cell for cell in row if BEGINS.match(cell) and not re.fullmatch(r"-\d+", cell)] == []
