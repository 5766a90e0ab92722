"""The screen's own words, in the reader's language, switched at any moment.

In kv: `text: app.words.said(app.lang, 'Pay')`; the language comes first so that kv sees it change.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from companion.table.seats import Seat
from companion.words import LANGUAGES, Labelled, Say, Text

LOCALE = Path(__file__).parent / "locale"
DOMAIN = "ui"


class Words:
    """The catalogues found under `locale`, loaded once."""

    def __init__(self, locale: Path = LOCALE) -> None:
        self._catalogues = {
            lang: gettext.translation(DOMAIN, locale, [lang], fallback=True) for lang in LANGUAGES
        }

    def said(self, lang: str, text: str, **named: object) -> str:
        """`said("ja", "{name}, take the screen", name="Aki")`; what is not translated stays English."""
        return self._catalogues[lang].gettext(text).format(**named)

    def said_n(self, lang: str, one: str, many: str, n: int) -> str:
        """The text for `n` things; both may hold `{n}`."""
        return self._catalogues[lang].ngettext(one, many, n).format(n=n)


class Speaking(Protocol):
    """Whoever has a language."""

    lang: str
    words: Words

    def tr(self, text: str, **named: object) -> str:
        """The text in the reader's language."""

    def trn(self, one: str, many: str, n: int) -> str:
        """The text for `n` things."""


def speaking() -> Speaking:
    """The app, as widgets know it; only once it has been made."""
    from kivy.app import App  # words are looked up without a window, too

    app: Speaking = App.get_running_app()
    return app


def other(lang: str) -> str:
    """The language that the switch leads to."""
    languages = list(LANGUAGES)
    return languages[(languages.index(lang) + 1) % len(languages)]


def with_names(text: Labelled | Text | int, name: Callable[[str], str]) -> Labelled | Text | int:
    """The text in which each seat is called as `name` says."""
    match text:
        case str() | int():
            return text
        case Say():
            args = tuple((key, with_names(value, name)) for key, value in text.args)
            return Say(text.id, args, text.many)
        case Seat():
            return name(text.name)
    return with_names(text.label, name)
