"""Texts of the screen in the reader's language, which may change at any moment.

In kv: `text: app.words.said(app.lang, 'Pay')`; the language comes first so that kv sees it change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.languages import screen_translations
from companion.table.seats import Seat
from companion.texts import Labelled, Say, Text


class ScreenTexts:
    """Translates texts of the screen, by the catalogues of all languages."""

    def said(self, lang: str, text: str, **named: object) -> str:
        """`said("de", "{name}, take the screen", name="Aki")`; what is not translated stays English."""
        return screen_translations(lang).gettext(text).format(**named)

    def said_n(self, lang: str, one: str, many: str, n: int) -> str:
        """The text for `n` things; both may hold `{n}`."""
        return screen_translations(lang).ngettext(one, many, n).format(n=n)


class Translator(Protocol):
    """An object that translates texts of the screen into the reader's language."""

    lang: str
    words: ScreenTexts

    def tr(self, text: str, **named: object) -> str:
        """Returns the text in the reader's language, with the named values filled in."""

    def trn(self, one: str, many: str, n: int) -> str:
        """Returns the singular or plural text for `n` things; both may hold `{n}`."""


def running_translator() -> Translator:
    """Returns the app as widgets know it, once it has been made."""
    from kivy.app import App  # words are looked up without a window, too

    app: Translator = App.get_running_app()
    return app


def rename_seats(text: Labelled | Text | int, name: Callable[[str], str]) -> Labelled | Text | int:
    """Returns the text with the name of each seat replaced by what `name` returns for it."""
    match text:
        case str() | int():
            return text
        case Say():
            args = tuple((key, rename_seats(value, name)) for key, value in text.args)
            return Say(text.template, args, text.plural_template)
        case Seat():
            return name(text.name)
    return rename_seats(text.label, name)
