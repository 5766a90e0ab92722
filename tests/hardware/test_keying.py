"""Keying in numbers: a table of keys, with the question that stood there at each."""

import pytest

from hardware.desk.entry import KeyEntry, KeyEntryResult, apply_key
from hardware.keypad_protocol import UNCLEAR_NUMBER
from hardware.simulated.keypads import parse_keys


def said(keys: str) -> list[tuple[int, KeyEntryResult]]:
    """All that keys complete, each with the question it is for; `/` is where the next question appears."""
    entry, question, found = KeyEntry(), 7, []
    for part in keys.split("/"):
        for cap in parse_keys(part):
            begun = entry
            entry, each = apply_key(begun, cap, question)
            if each is not None:
                found.append((begun.question if isinstance(each, tuple) else question, each))
        question += 1
    return found


@pytest.mark.parametrize(
    ("keys", "meant"),
    [
        ("12 OK", [(7, (12,))]),
        ("2.3 OK", [(7, (2, 3))]),
        ("0.0.5 OK", [(7, (0, 0, 5))]),
        ("007 OK", [(7, (7,))]),
        ("12 DEL 3 OK", [(7, (13,))]),
        ("1 DEL DEL 2 OK", [(7, (2,))]),
        ("OK", [(7, "ok")]),
        ("NO", [(7, "no")]),
        ("OWN", [(7, "own")]),
        ("1 OWN 2 OK", [(7, "own"), (7, (12,))]),
        ("12 NO", []),
        ("12 NO NO", [(7, "no")]),
        ("12 NO OK", [(7, "ok")]),
        ("1 DEL NO", [(7, "no")]),
        (". . 4 . . 5 OK", [(7, (0, 4, 5))]),
        (".5 OK", [(7, (0, 5))]),
        (". OK", []),
        (". DEL DEL 5 OK", [(7, (5,))]),
        ("/ . 5 OK", [(8, (0, 5))]),
        ("7.05 OK", [(7, (7, UNCLEAR_NUMBER))]),
        ("7.00 OK", [(7, (7, UNCLEAR_NUMBER))]),
        ("07.5 OK", [(7, (7, 5))]),
        ("7.50 OK", [(7, (7, 50))]),
        ("4. OK", []),
        ("4. OK 5 OK", [(7, (4, 5))]),
        ("12345678901234567 OK", [(7, (1234567890123456,))]),
        ("12 OK 3 OK", [(7, (12,)), (7, (3,))]),
        ("12 / OK", [(7, (12,))]),
        ("1 / 2 OK", [(7, (12,))]),
        ("1 / DEL 2 OK", [(8, (2,))]),
        ("1 / NO 2 OK", [(8, (2,))]),
        ("/ NO", [(8, "no")]),
        ("1 / OWN", [(8, "own")]),
    ],
)
def test_keys_make_answers(keys: str, meant: list[tuple[int, KeyEntryResult]]) -> None:
    """Numbers are for the question at which their first digit was keyed, the other keys for the one now."""
    assert said(keys) == meant
