"""The screen's own words, in the reader's language, switched at any moment.

In kv: `text: app.words.said(app.lang, 'Pay')`; the language comes first so that kv sees it change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.languages import screen_translations
from companion.table.seats import Seat
from companion.texts import Labelled, Say, Text


class Words:
    """Looks texts of the screen up in the catalogues of all languages."""

    def said(self, lang: str, text: str, **named: object) -> str:
        """`said("de", "{name}, take the screen", name="Aki")`; what is not translated stays English."""
        return screen_translations(lang).gettext(text).format(**named)

    def said_n(self, lang: str, one: str, many: str, n: int) -> str:
        """The text for `n` things; both may hold `{n}`."""
        return screen_translations(lang).ngettext(one, many, n).format(n=n)


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


def with_names(text: Labelled | Text | int, name: Callable[[str], str]) -> Labelled | Text | int:
    """The text in which each seat is called as `name` says."""
    match text:
        case str() | int():
            return text
        case Say():
            args = tuple((key, with_names(value, name)) for key, value in text.args)
            return Say(text.template, args, text.plural_template)
        case Seat():
            return name(text.name)
    return with_names(text.label, name)
