"""TOML as people write it: what is too deep, too long or wrong is one plain sentence, and does no harm."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import pytest

from companion.errors import UserError
from companion.files import toml, user_files
from companion.texts import render


def refused(text: str) -> str:
    """The sentence with which a text is refused."""
    with pytest.raises(UserError) as caught:
        toml.parse_toml(text)
    return str(caught.value)


DEEP = "lists, tables or parts of a key are nested more than 16 levels deep"
WORD = "a number, or a word without quotes, can have at most 64 characters"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = " + "[" * 100_000, f"line 1: {DEEP}"),
        ("a = " + "[\n" * 17, f"line 17: {DEEP}"),
        ("a = " + "{a=" * 50_000, f"line 1: {DEEP}"),
        ("[" + ".".join("a" * 100_000) + "]", f"line 1: {DEEP}"),
        ("\n" + '"a"."b c".' * 20_000 + "c = 1", f"line 2: {DEEP}"),
        ("a = " + "9" * 5_000, f"line 1: {WORD}"),
        ("a = 0x" + "F" * 5_000, f"line 1: {WORD}"),
        ("a = -1." + "9" * 5_000, f"line 1: {WORD}"),
        ("b" * 65 + " = 1", f"line 1: {WORD}"),
        ("#" * 300_000, "it has more than 250000 characters"),
        ("'" + "k" * 65 + "' = 1", "a key must have 1 to 64 visible characters"),
        ('"a\\nb" = 1', "a key must have 1 to 64 visible characters"),
        ("a = [{b = '" + "x" * 201 + "'}]", f'the text "{"x" * 39}… has more than 200 characters'),
        ("a", "at the end of the file: a line must be KEY = VALUE, [SECTION] or [[SECTION]]"),
        ("a = 1\na = 2\n", "line 2, column 6: it is defined twice"),
        ("[a]\n[a]", "line 2, column 3: it is defined twice"),
        ("a = [1", "at the end of the file: a bracket or a quotation mark is not closed"),
        ("a = 'x", "at the end of the file: a bracket or a quotation mark is not closed"),
        ("a = 1, 2", "line 1, column 6: a line must be KEY = VALUE, [SECTION] or [[SECTION]]"),
        ("a = yes", "line 1, column 5: a value can't be read; put texts in quotation marks"),
        ("a = 2026-11-41", "line 1, column 9: a line must be KEY = VALUE, [SECTION] or [[SECTION]]"),
        ("a = '\0'", "line 1, column 6: this character isn't allowed here"),
    ],
)
def test_what_can_not_be_read_is_said(text: str, why: str) -> None:
    """Where it is, and what is wrong; whatever its size, at once."""
    assert refused(text) == why


@pytest.mark.parametrize(
    "text",
    [
        "a = '[[[[[[[[[[[[[[[[[[[[[['",
        'a = "[[[[[[[[[[[[[[[[[[[[[[\\"[[[[[[[[[[["',
        "a = '''\n[[[[[[[[[[[[[[[[[[[[[['''",
        'a = """\\"""[[[[[[[[[[[[[[[[[[[[[""[["""',
        "# [[[[[[[[[[[[[[[[[[[[[[ a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t",
        "a = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]",
        "[[a]]\n" * 30,
        "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q = 1",
    ],
)
def test_what_is_not_deep_is_read(text: str) -> None:
    """What stands in texts and remarks counts for nothing, and what is side by side isn't in one another."""
    assert toml.parse_toml(text) is not None


class Keypad(msgspec.Struct, forbid_unknown_fields=True):
    """Anything with a seat."""

    seat: int
    sounds: tuple[str, ...] = ()


class Rack(msgspec.Struct):
    """Keypads by name."""

    keypads: dict[Annotated[str, msgspec.Meta(max_length=4)], Keypad]


@pytest.mark.parametrize(
    ("value", "key", "why"),
    [
        ({"left": {"seat": 1}, "mid": {"seat": "a"}}, "keypads.mid.seat", '"a" isn\'t allowed here'),
        ({"mid": {"seat": 1}, "left": {}, "top": {}}, "keypads.left", "seat is missing"),
        ({"left": {"seat": 1}, "mid": 5}, "keypads.mid", "5 isn't allowed here"),
        ({"left": {"seat": 1}, "middle": {"seat": 1}}, "keypads", '"middle" isn\'t allowed here'),
    ],
)
def test_what_does_not_fit_in_a_table_of_any_keys_is_named(value: object, key: str, why: str) -> None:
    """The key is named though no type knows it."""
    with pytest.raises(toml.InvalidTomlValue) as caught:
        toml.convert_value({"keypads": value}, Rack)
    assert (caught.value.key, render(caught.value.text)) == (key, why)


def test_the_right_one_of_several_tables_is_named() -> None:
    """Of several wrong values the first one is named, with all keys that lead to it."""
    with pytest.raises(toml.InvalidTomlValue) as caught:
        toml.convert_value({"a": {"x": 1, "y": "u"}, "b": {"x": "v"}}, dict[str, dict[str, int]])
    assert (caught.value.key, render(caught.value.text)) == ("a.y", '"u" isn\'t allowed here')


@pytest.mark.parametrize(
    ("value", "key", "why"),
    [
        ({}, "", "seat is missing"),
        ({"seat": 1, "set": 2}, "", "unknown key set"),
        ({"seat": 1, "a` - at `$.x[...]": 2}, "", "unknown key a` - at `$.x[...]"),
        ({"seat": "1"}, "seat", '"1" isn\'t allowed here'),
        ({"seat": True}, "seat", "true isn't allowed here"),
        ({"seat": 1.5}, "seat", "1.5 isn't allowed here"),
        ({"seat": "a\u2028b\n"}, "seat", '"a\\u2028b\\n" isn\'t allowed here'),
        ({"seat": [1]}, "seat", "a list isn't allowed here"),
        ({"seat": {}}, "seat", "a table isn't allowed here"),
        ({"seat": 1, "sounds": ["a", 2]}, "sounds[2]", "2 isn't allowed here"),
        ({"seat": "x" * 100}, "seat", f"\"{'x' * 39}… isn't allowed here"),
        (3, "", "3 isn't allowed here"),
    ],
)
def test_what_does_not_fit_is_named_with_its_key(value: object, key: str, why: str) -> None:
    """In plain words: what stands there, never how the program calls what it wants."""
    with pytest.raises(toml.InvalidTomlValue) as caught:
        toml.convert_value(value, Keypad)
    assert (caught.value.key, render(caught.value.text)) == (key, why)


def test_a_file_that_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    """Whoever knows how long a file may be reads no more of it; a mark at its begin is no letter."""
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbfabc")
    assert (
        user_files.read_user_file(path, 3)
        == user_files.read_user_file(path, toml.MAX_TOML_CHARACTERS)
        == "abc"
    )
    with pytest.raises(UserError, match=r"a\.toml has more than 2 characters\.$"):
        user_files.read_user_file(path, 2)
