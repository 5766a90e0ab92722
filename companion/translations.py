"""Where the translations of texts come from: our own catalogue, and what a game brings beside its rulebook.

Ours is compiled; a game's is read as its author writes it, `locale/ja/LC_MESSAGES/KEY.po`, with one form for
any number: those of our games once somebody reads that language, those of others as they come onto the shelf.
What Companion says already stays as we say it. Of games that say the same in other words the one on the table
counts, then the first, first ours.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from string import Formatter

from companion.distribution import FOLDER

OURS = "companion"
_STRING = re.compile(r'(?:(msg[a-z_]+)(?:\[0\])? +)?(".*")')
_learnt: list[Path] = []
_spoken_for = ""
"""The key of the game on the table; a program has one table."""


class _Brought(gettext.NullTranslations):
    """What games bring: texts with their translations."""

    def __init__(self, words: dict[str, str]) -> None:
        super().__init__()
        self._words = words

    def gettext(self, message: str) -> str:
        """The translation, or what the next catalogue says."""
        return self._words.get(message) or super().gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The translation of a text that has a form for many in English, or what the next catalogue says."""
        return self._words.get(msgid1) or super().ngettext(msgid1, msgid2, n)


def learn(locale: Path, domain: str) -> None:
    """Takes the texts of a game in, where there are any; doing it again does nothing. Raises `ValueError`."""
    for path in sorted(locale.glob(f"*/LC_MESSAGES/{domain}.po")):
        if path not in _learnt:
            written(path)
            _learnt.append(path)
            _all_of.cache_clear()


def speak_for(domain: str) -> None:
    """That game lies on the table: what it brings counts before what other games say."""
    global _spoken_for  # noqa: PLW0603 - texts are values that don't know who said them
    _spoken_for = domain


@lru_cache
def written(path: Path) -> dict[str, str]:
    """The catalogue of a game; raises `ValueError` for what can't be read or says something else."""
    try:
        return dict(_entries(path.read_text(encoding="utf-8")))
    except ValueError as fault:
        raise ValueError(f"{path.name}: {fault}") from fault


def translations(language: str) -> gettext.NullTranslations:
    """All that is known of a language; what is not translated stays English."""
    return _all_of(language, _spoken_for)


def own(language: str, domain: str) -> gettext.NullTranslations:
    """What Companion and that game know of a language, without what other games say."""
    return _with(language, [path for path in _brought(language) if path.stem == domain])


@lru_cache
def _all_of(language: str, domain: str) -> gettext.NullTranslations:
    return _with(language, sorted(_brought(language), key=lambda path: path.stem != domain))


def _brought(language: str) -> list[Path]:
    """The catalogues of games, ours first."""
    ours = sorted(FOLDER.glob(f"games/*/locale/{language}/LC_MESSAGES/*.po"))
    return [*ours, *(path for path in _learnt if path.parents[1].name == language)]


def _with(language: str, brought: Sequence[Path]) -> gettext.NullTranslations:
    """Our own words, then those of games; the first counts."""
    found = gettext.translation(OURS, FOLDER / "locale", [language], fallback=True)
    words = dict[str, str]()
    for path in reversed(brought):
        words |= written(path)
    found.add_fallback(_Brought(words))
    return found


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Each text with its translation, whatever is in force; one marked fuzzy is a guess and none."""
    for entry in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n")):
        parts, name = dict[str, str](), ""
        for line in entry.splitlines():
            if (found := _STRING.fullmatch(line.strip())) is not None:
                name = found[1] or name
                parts[name] = parts.get(name, "") + json.loads(found[2])
        english, translated = parts.get("msgid", ""), parts.get("msgstr", "")
        if english and translated and not re.search(r"^#,.*\bfuzzy\b", entry, re.MULTILINE):
            if _fields(translated) - _fields(english) - _fields(parts.get("msgid_plural", "")):
                raise ValueError(f"{translated} names what isn't in {english}")
            yield english, translated


def _fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
