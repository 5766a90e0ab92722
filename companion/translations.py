"""What texts are in a language: the catalogues of the language, and what a game brings beside its rulebook.

Catalogues are read as they are written. In the folder of a language there is `ui.po` for the screen, one for
each game, such as `egypt.po`, and `companion.po` for all else. A game of another package may bring its own,
`locale/de/LC_MESSAGES/KEY.po`. What is not translated, or not correctly, stays English.

What Companion says already stays as we say it. Of games that say the same in other words the one on the table
counts, then the first, first those in the language's folder.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from string import Formatter

import msgspec

from companion import languages
from companion.languages import Language

OURS, SCREEN = "companion", "ui"
"""Whose texts are in the catalogues that are no game's."""
_STRING = re.compile(r'(?:(msg[a-z_]+)(?:\[(\d+)\])? +)?(".*")')
_ENTRY = re.compile(r'\n[ \t]*\n|(?<=")\n(?=(?:#.*\n)*msgid ")')
"""Between two entries: an empty line, or where the next one begins without any."""
TRIED = 201
"""Numbers from 0 on that the rule for plurals is tried with."""
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_PLURAL = re.compile(r"\bplural\s*=\s*([^;\n]+)")
_learnt: list[Path] = []
_spoken_for = ""
"""The key of the game on the table; a program has one table."""
Choice = Callable[[int], int]
"""Says for a number which of the forms of a text is read."""


class Catalogue(msgspec.Struct, frozen=True):
    """The texts of one file: the forms of each, and for a number which of them is read.

    `faults` are sentences about those that can't be used.
    """

    forms: dict[str, tuple[str, ...]]
    choice: Choice
    faults: tuple[str, ...] = ()


class Translations:
    """What is known of a language; of several catalogues the first that has a text counts."""

    def __init__(self, catalogues: Iterable[Catalogue] = ()) -> None:
        self._texts: dict[str, tuple[tuple[str, ...], Choice]] = {}
        for catalogue in reversed([*catalogues]):
            self._texts |= {text: (forms, catalogue.choice) for text, forms in catalogue.forms.items()}

    def gettext(self, text: str) -> str:
        """Returns the translation, else the text itself."""
        return self._texts[text][0][0] if text in self._texts else text

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Returns the translation of a text that has a form for many in English."""
        if one not in self._texts:
            return one if n == 1 else many
        forms, choice = self._texts[one]
        try:
            at = choice(n)
        except ArithmeticError:  # the rule was tried with small numbers only
            at = 0
        return forms[max(0, min(at, len(forms) - 1))]


def learn(locale: Path, domain: str) -> None:
    """Takes the texts of a game in, where there are any; doing it again does nothing. Raises `ValueError`."""
    for path in sorted(locale.glob(f"*/LC_MESSAGES/{domain}.po")):
        if path not in _learnt:
            for fault in read(path).faults:
                raise ValueError(f"{path.name}: {fault}")
            _learnt.append(path)
            _all_of.cache_clear()


def speak_for(domain: str) -> None:
    """That game lies on the table: what it brings counts before what other games say."""
    global _spoken_for  # noqa: PLW0603 - texts are values that don't know who said them
    _spoken_for = domain


def translations(language: str) -> Translations:
    """Returns all that Companion and games say in a language."""
    return _all_of(language, _spoken_for, languages.are_kept_out())


def own(language: str, domain: str) -> Translations:
    """Returns what Companion and that game say in a language, without what other games say."""
    return _translations(language, [OURS], [domain])


def screen(language: str) -> Translations:
    """Returns what the screen itself says in a language."""
    return _screen(language, languages.are_kept_out())


@lru_cache
def _screen(language: str, _are_kept_out: bool) -> Translations:  # noqa: FBT001 - for the cache
    return _translations(language, [SCREEN], [])


def untranslated(language: Language) -> list[tuple[str, str]]:
    """Returns the texts that our languages have and this one lacks, each after its catalogue.

    A text of a game counts wherever it is translated: it is found in every catalogue but the screen's.
    """
    if language.code == languages.ENGLISH:
        return []
    every = languages.languages().values()
    ours = [path for one in every if languages.is_ours(one.code) for path in one.catalogues]
    there = {(path.stem == SCREEN, text) for path in language.catalogues for text in read(path).forms}
    wanted = {(path.stem, text) for path in ours for text in read(path).forms}
    return sorted((name, text) for name, text in wanted if (name == SCREEN, text) not in there)


@lru_cache
def read(path: Path) -> Catalogue:
    """Returns the catalogue in a file; what can't be used is left out and named."""
    try:
        text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except (OSError, ValueError) as fault:
        return Catalogue({}, _english, (f"it can't be read: {fault}",))
    forms, faults = dict[str, tuple[str, ...]](), list[str]()
    choice: Choice = _english
    for entry in _ENTRY.split(text):
        try:
            parts = _parts(entry)
            if plural := _PLURAL.search(next(iter(parts["msgstr"].values()), "") if _is_head(parts) else ""):
                choice = _tried(gettext.c2py(plural[1].strip()))
            forms |= _translated(entry, parts)
        except (ValueError, RecursionError) as fault:
            faults.append(str(fault))
    return Catalogue(forms, choice, tuple(faults))


@lru_cache
def _all_of(language: str, domain: str, _are_kept_out: bool) -> Translations:  # noqa: FBT001 - for the cache
    found = languages.find(language)
    here = [path.stem for path in found.catalogues] if found else []
    games = dict.fromkeys([domain, *(name for name in here if name not in {OURS, SCREEN})])
    return _translations(language, [OURS], [*games, *(path.stem for path in _learnt)])


def _translations(language: str, first: Iterable[str], games: Iterable[str]) -> Translations:
    """The catalogues of these names in the language's folder, and those that games brought."""
    found = languages.find(language)
    return Translations(read(path) for name in (*first, *games) for path in _files(found, language, name))


def _files(found: Language | None, language: str, name: str) -> Iterator[Path]:
    """Yields the catalogues of that name."""
    if found is not None and (ours := found.folder / f"{name}.po").is_file():
        yield ours
    yield from (path for path in _learnt if path.stem == name and path.parents[1].name == language)


def _english(n: int) -> int:
    return int(n != 1)


def _tried(choice: Choice) -> Choice:
    """Returns the rule for plurals; raises `ValueError` for one that fails, or counts below 0."""
    try:
        if min(map(choice, range(TRIED))) >= 0:
            return choice
    except ArithmeticError as fault:
        raise ValueError(f"Plural-Forms can't be used: {fault}") from fault
    raise ValueError("Plural-Forms can't be used: it is below 0 for some numbers")


def _parts(entry: str) -> dict[str, dict[int, str]]:
    """Returns what an entry says, by the word before it and the number of its form."""
    parts = dict[str, dict[int, str]]()
    here, at = dict[int, str](), 0
    for line in entry.splitlines():
        if (found := _STRING.fullmatch(line.strip())) is not None:
            if found[1]:
                here, at = parts.setdefault(found[1], {}), int(found[2] or 0)
            here[at] = here.get(at, "") + (json.loads(found[3]) if "\\" in found[3] else found[3][1:-1])
    return parts


def _is_head(parts: dict[str, dict[int, str]]) -> bool:
    return parts.get("msgid") == {0: ""}


def _translated(entry: str, parts: dict[str, dict[int, str]]) -> dict[str, tuple[str, ...]]:
    """Returns the text of an entry with its forms; nothing for one marked fuzzy, which is a guess.

    Raises `ValueError` for a translation that names what the text doesn't.
    """
    english, forms = parts.get("msgid", {}).get(0, ""), tuple(parts.get("msgstr", {}).values())
    if not english or not forms or not all(forms) or _FUZZY.search(entry):
        return {}
    known = _fields(english) | _fields(parts.get("msgid_plural", {}).get(0, ""))
    for form in forms:
        form.encode()  # half a character can't be drawn
        if _fields(form) - known:
            raise ValueError(f"{form} names what isn't in {english}")
    return {english: forms}


def _fields(template: str) -> set[str]:
    """Returns the names in braces, with all that is written there besides."""
    if "{" not in template and "}" not in template:
        return set()
    parts = Formatter().parse(template)
    return {f"{name}!{how or ''}:{form}" for _, name, form, how in parts if name is not None}
