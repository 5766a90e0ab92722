"""Options of a game and settings as the screen shows them: plain values, in the reader's language."""

from __future__ import annotations

from companion.rules.game import Number, Pick, Word
from companion.rules.game import Option as GameOption
from companion.words import render
from ui.evening.boxes import NumberOption, Option, PickOption, WordOption
from ui.words import Words


def in_language(option: GameOption, words: Words, lang: str, made: str = "") -> Option:
    """Returns the option as a slip shows it; `made` is the text of the key to choices of people's own."""
    texts = (option.key, render(option.label, lang), render(option.hint, lang))
    match option:
        case Pick():
            choices = tuple((key, render(label, lang)) for key, label in option.choices.items())
            return PickOption(*texts, option.default, choices, made)
        case Number(default=default):
            assert not isinstance(default, str)
            none = words.said(lang, "None") if default is None else None
            return NumberOption(*texts, default, option.least, option.most, none)
        case Word(default=default):
            return WordOption(*texts, str(default), option.letters)
    raise NotImplementedError(option.key)  # an option without a slip is a fault of ours
