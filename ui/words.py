"""Texts of the screen in the reader's language, which may change at any time.

In kv: `text: app.words.translate_text(app.lang, 'Pay')`; kv notices a new language because `app.lang` is an
argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from companion.languages import drop_honorific, translations_of_screen_texts
from companion.table.seats import Seat
from companion.texts import Labelled, Say, Text, render

_FIRST_FIELD = re.compile(r"\{(\w+)\}")


class ScreenTexts:
    """Translates texts of the screen, with the catalogues of all languages."""

    def translate_text(self, lang: str, text: str, **values: object) -> str:
        """Returns a text in a language; a text without a translation stays English.

        `translate_text("de", "{name}, take the screen", name="Aki")`.
        """
        template = translations_of_screen_texts(lang).gettext(text)
        return drop_honorific(template, values, lang).format(**values)

    def translate_plural(self, lang: str, one: str, many: str, n: int) -> str:
        """Returns the singular or plural text for `n` things in a language; both may contain `{n}`."""
        return translations_of_screen_texts(lang).ngettext(one, many, n).format(n=n)


class Translator(Protocol):
    """An object that translates texts of the screen into the reader's language."""

    lang: str
    words: ScreenTexts

    def tr(self, text: str, **values: object) -> str:
        """Returns the text in the reader's language, with the named values filled in."""

    def trn(self, one: str, many: str, n: int) -> str:
        """Returns the singular or plural text for `n` things; both may hold `{n}`."""


def get_running_translator() -> Translator:
    """Returns the running app as a translator; the app must have been made."""
    from kivy.app import App  # not at the top: texts are looked up without a window, too

    app: Translator = App.get_running_app()
    return app


def replace_seat_names(
    text: Labelled | Text | int, new_name_of: Callable[[str], str]
) -> Labelled | Text | int:
    """Returns the text with each name of a seat replaced by what `new_name_of` returns for the name."""
    match text:
        case str() | int():
            return text
        case Say():
            args = tuple((key, replace_seat_names(value, new_name_of)) for key, value in text.args)
            return Say(text.template, args, text.plural_template)
        case Seat():
            return new_name_of(text.name)
    return replace_seat_names(text.label, new_name_of)


def join_as_list(texts: Sequence[str]) -> str:
    """Returns the texts below each other, each with a bullet, because a text may take several lines.

    A single text has no bullet.
    """
    return "\n".join(f"• {text}" for text in texts) if len(texts) > 1 else "".join(texts)


def render_sentence(text: Labelled | Text | int, lang: str) -> str:
    """Returns a text that stands alone, such as a key or a question, in a language.

    It begins with a capital letter, unless its first word is a name that people wrote.
    """
    rendered = render(text, lang)
    return capitalize_first_letter(rendered) if _begins_with_word_of_ours(text) else rendered


def _begins_with_word_of_ours(text: Labelled | Text | int) -> bool:
    """Returns whether the first word of a text isn't a name that people wrote."""
    match text:
        case str() | int() | Seat():
            return False
        case Say():
            first_field = _FIRST_FIELD.match(text.template)
            return first_field is None or _begins_with_word_of_ours(dict(text.args).get(first_field[1], ""))
    return _begins_with_word_of_ours(text.label)


def capitalize_first_letter(text: str) -> str:
    """Returns the text with a capital first letter, as at the beginning of a title."""
    return text[:1].upper() + text[1:]
