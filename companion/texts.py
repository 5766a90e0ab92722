"""Texts as values: what is said is decided when the text is made, the language when somebody reads it.

A text is a `Say`: an English template and its arguments. The module knows no screen and no seat. Anything
that has a `label` and a `key` may be an argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from typing import Any, Protocol

import msgspec

from companion.bounds import MAX_LOGGED_TEXT_CHARACTERS, MAX_TEXT_CHARACTERS
from companion.half_numbers import HalfNumber, WholeOrHalf, parse_number
from companion.languages import drop_honorific, translations

MAX_CHARACTERS_OF_CODE_IN_ERROR = 60
"""The most characters of source code that an error repeats.

The error is for the author of a game, and the code is a value as the author wrote it.
"""
CURRENT_TEMPLATE_BY_OLD_TEMPLATE = {
    "first of the tie: {reason}": "wins the tie with {reason}",
    "wins the tie: {reason}": "wins the tie with {reason}",
    "more of {piece}": "more money",
    "first in turn": "an earlier turn",
    "fell in elimination {number}": "number {number} to go out",
    "held out until elimination {number}": "number {number} to go out",
}
"""The current templates by their old ones, which results that older versions saved may have."""
SHORTENED_HEAD_CHARACTERS = 150
"""The number of characters at the beginning of a long value that are kept when it is shortened."""
NOUNS_WITH_PLURAL_S = re.compile(
    "bead|bid|block|bottle|card|cent|chip|coin|counter|credit|crown|cube|disc|dollar|euro|flower|franc|game|"
    "gem|goal|heart|house|jewel|key|loan|lot|marker|medal|note|pawn|peg|point|pound|prize|ring|round|"
    "seed|share|ship|soldier|star|stone|ticket|tile|token|train|trick|unit|vote|wagon|worker"
)
"""The pattern of nouns that get an s in the plural; others don't change: 3 wool, 3 sheep, 3 $."""
PLURAL_COUNT_FOR_SYMBOLS = 2
"""The number that chooses the plural form if a count is a symbol, such as ∞."""
_UNPRINTABLE_PATTERN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
"""The pattern of characters that control a terminal, change the writing direction or can't be encoded.

A new line isn't among them.
"""
_TEMPLATE_PATTERN = re.compile(r"(?:[^{}]|\{\{|\}\}|\{[^\W\d]\w*\})*+")
_FIELD_PATTERN = re.compile(r"\{\{|\}\}|\{(\w+)\}")


class Labelled(Protocol):
    """Something with a label: a text can name it, such as a seat, a piece or a place.

    `label` is for readers, `key` for logs.
    """

    @property
    def label(self) -> Text:
        """The text that readers see."""

    @property
    def key(self) -> str:
        """The key that logs contain."""


# A text can't refer to itself, and a match keeps thousands of texts. With gc=False, here and in similar
# structs, the garbage collector doesn't look at them.
class Say(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A text that isn't translated yet: a template, its arguments, and a plural template."""

    template: str
    args: tuple[tuple[str, TextArgument], ...] = ()
    plural_template: str | None = None

    @property
    def label(self) -> Text:
        """The text itself, which is its own label."""
        return self

    @property
    def key(self) -> str:
        """The text as a key that depends on no language and no name; logs may contain it."""
        return _log_key(self)

    def in_language(self, language: str) -> str:
        """Returns the text in the language with that code; an untranslated text stays English."""
        return render(self, language)


Text = Say | str
TextArgument = Any
"""The type of an argument of a text: `Say | Labelled | int | str`.

msgspec can't read this union; `say` and `say_n` are typed in its place.
"""


def say(template: str, /, **args: Labelled | int | str) -> Say:
    """Returns a text to translate later: `say("{seat} must bid more than {n}", seat=ben, n=4)`."""
    return Say(template, tuple(args.items()))


def say_n(singular: str, plural: str, /, n: WholeOrHalf, **args: Labelled | int | str) -> Say:
    """Returns a text with a singular and a plural: `say_n("{n} coin", "{n} coins", n=3)`.

    `singular` is used if `n` is 1, `plural` for every other number, also for ½ and 7½. They may use `{n}` and
    the other arguments.
    """
    return Say(singular, (("n", n), *args.items()), plural)


def say_quantity(count: int | str, thing: Labelled, counted_text: Say | None = None) -> Say:
    """Returns a text with a count of something: `4 coins`.

    `counted_text` is a text with the number `n`, such as `say_n("{n} coin", "{n} coins", n=2)`. Without it
    some English names get an s, and all other names follow the number unchanged: `4 wool`, `37 $`. A name
    that begins with a digit gets a sign before it: `4 × 100`. `count` may be a symbol for an endless supply.
    """
    if counted_text is not None:
        args = [(name, count if name == "n" else value) for name, value in counted_text.args]
        return Say(counted_text.template, tuple(args), counted_text.plural_template)
    name = render(thing)
    if name[:1].isdigit():
        return say("{count} × {thing}", count=count, thing=thing)
    if not any(map(str.isalpha, name)):
        return say("{count} {sign}", count=count, sign=thing)
    if count != 1 and NOUNS_WITH_PLURAL_S.fullmatch(name.rpartition(" ")[2]):
        return say("{count} {thing}s", count=count, thing=thing)
    return say("{count} {thing}", count=count, thing=thing)


def say_list(texts: Iterable[Labelled]) -> Labelled:
    """Returns several names or texts, with commas between them, as one argument: `Aki, Ben, Chie`."""
    return reduce(lambda one, other: say("{one}, {other}", one=one, other=other), texts)


def say_amount_of(who: Labelled, amount: Labelled | int) -> Say:
    """Returns whose an amount is, as one item of a list: `Aki 4`, but `Player 1: 4`."""
    if render(who)[-1:].isdigit():
        return say("{seat}: {amount}", seat=who, amount=amount)
    return say("{seat} {amount}", seat=who, amount=amount)


def say_people(seats: Iterable[Labelled]) -> Labelled:
    """Returns the names of seats as one argument of a sentence: `Aki, Ben`; in Japanese, each with さん.

    Tables and lists without a sentence have bare names: `say_list`.
    """
    return say_list([say("{seat}", seat=seat) for seat in seats])


def say_all_of(texts: Sequence[Labelled]) -> Labelled:
    """Returns all of several names or texts as one argument: `Aki, Ben and Chie`."""
    if len(texts) == 1:
        return texts[0]
    return say("{some} and {last}", some=say_list(texts[:-1]), last=texts[-1])


def join_names_with_commas(names: Iterable[str]) -> Say:
    """Returns names as one argument, which errors never shorten: `Aki, Ben, Chie`."""
    return say_plain_text(", ".join(names))


def say_plain_text(text: str) -> Say:
    """Returns a plain text as a `Say`, with its braces escaped.

    A catalogue may translate it.
    """
    return Say(text.replace("{", "{{").replace("}", "}}"))


def shorten_long_values(text: Say) -> Say:
    """Returns the text with long values shortened: the middle of each one is left out."""
    args = tuple((name, _shorten_argument(value)) for name, value in text.args)
    return text if args == text.args else msgspec.structs.replace(text, args=args)


def _shorten_argument(value: TextArgument) -> TextArgument:
    if isinstance(value, Say):
        return shorten_long_values(value)
    if isinstance(value, (str, int)) and len(text := str(value)) > MAX_TEXT_CHARACTERS:
        tail = MAX_TEXT_CHARACTERS - SHORTENED_HEAD_CHARACTERS
        return f"{text[:SHORTENED_HEAD_CHARACTERS]}…{text[-tail:]}"
    return value


def render(text: Labelled | Text | int, language: str = "en") -> str:
    """Renders a text in a language: returns it as the reader sees it.

    Anything with a label is rendered as its label. Control characters for a terminal are shown as
    escapes.
    """
    if isinstance(text, Say):
        values = {name: render(value, language) for name, value in text.args}
        nameless = [name for name, value in text.args if _names_nobody(value)]
        template = drop_honorific(_translated_template(text, language), values, language, nameless)
        return _escape_unprintable(_fill_template(template, values))
    if isinstance(text, (str, int)):
        return _escape_unprintable(str(text))
    return render(text.label, language)


def _names_nobody(value: TextArgument) -> bool:
    """Returns whether a value is a text without a name in it, such as "The table"."""
    return isinstance(value, Say) and all(
        isinstance(part, int) or _names_nobody(part) for _, part in value.args
    )


def _fill_template(template: str, values: dict[str, str]) -> str:
    """Returns the template with its values. A field without a value stays as it is: no text stops a game."""
    try:
        return template.format(**values)
    except (LookupError, ValueError, AttributeError):
        return _FIELD_PATTERN.sub(lambda match: values.get(match[1] or "", match[0]), template)


def as_source_code(value: object) -> str:
    """Returns a value as an author wrote it in source code, in one line."""
    text = f'say("{value.template}")' if isinstance(value, Say) else repr(value)
    return (
        text if len(text) <= MAX_CHARACTERS_OF_CODE_IN_ERROR else text[:MAX_CHARACTERS_OF_CODE_IN_ERROR] + "…"
    )


def find_text_fault(text: object) -> str | None:
    """Returns what is wrong with a text, as a sentence for its author; None if nothing is."""
    if not isinstance(text, Say):
        return f"{as_source_code(text)} is not a text: write say({as_source_code(text)})"
    try:
        return _find_fault_of_say(text)
    except TypeError:  # a list, which can't be a key of the cache
        return f'The text "{text.template}" has a value that is not a text, number, seat, piece or place'


@lru_cache(maxsize=4096)  # every question's texts are checked, and most texts were said before
def _find_fault_of_say(text: Say) -> str | None:
    templates = [text.template] if text.plural_template is None else [text.template, text.plural_template]
    argument_names = {name for name, _ in text.args}
    for template in templates:
        if (fields := _valid_template_fields(template)) is None:
            return (
                f'The text "{template}" is not a valid template: write a field as {{name}}, and a brace twice'
            )
        if missing := [name for name in fields if name not in argument_names]:
            return f'The text "{template}" has no value for {", ".join(missing)}'
    if text.plural_template is not None and type(dict(text.args).get("n")) not in {int, HalfNumber}:
        return f'The text "{text.template}" has two forms, but no number n to choose between them'
    inner_faults = (find_text_fault(value) for _, value in text.args if isinstance(value, Say))
    return next((fault for fault in inner_faults if fault), None) if text.args else None


@lru_cache(maxsize=4096)
def _valid_template_fields(template: str) -> tuple[str, ...] | None:
    """Returns the fields of a template; None if it isn't valid."""
    try:
        return tuple(dict.fromkeys(_parse_fields(template)))
    except ValueError:
        return None


def _escape_unprintable(text: str) -> str:
    """Returns the text with invisible characters as escapes, as Python writes them."""
    if text.isprintable():
        return text
    return _UNPRINTABLE_PATTERN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def text_to_json(text: Labelled | Text | int) -> Any:
    """Returns a text as JSON that `parse_text_json` reads without knowing seats or pieces."""
    if isinstance(text, Say):
        return {
            "say": text.template,
            "many": text.plural_template,
            "args": {name: text_to_json(value) for name, value in text.args},
        }
    if isinstance(text, (str, int)):
        return text
    return text_to_json(text.label)


def parse_text_json(data: Any) -> Any:
    """Returns the text that `text_to_json` wrote.

    Raises `ValueError` for any other value, and for a text that nobody could read.
    """
    if data is None or isinstance(data, (str, int)):
        return data
    try:
        args = {name: parse_text_json(value) for name, value in data["args"].items()}
        templates = [data["say"]] if data["many"] is None else [data["say"], data["many"]]
        fields = {field for template in templates for field in _parse_fields(template)}
        text = Say(
            CURRENT_TEMPLATE_BY_OLD_TEMPLATE.get(data["say"], data["say"]), tuple(args.items()), data["many"]
        )
    except (LookupError, TypeError, AttributeError) as fault:
        raise ValueError("no text") from fault
    if not fields <= args.keys() or (len(templates) > 1 and not _is_number_or_typed_number(args.get("n"))):
        raise ValueError("a text without what it says")
    if len(render(text)) > MAX_LOGGED_TEXT_CHARACTERS:
        raise ValueError("a text that is too long")
    return text


def _is_number_or_typed_number(n: object) -> bool:
    """Returns True for a whole number, and for a number with a half, which is a text in JSON."""
    return type(n) is int or (isinstance(n, str) and isinstance(parse_number(n), HalfNumber))


def _parse_fields(template: str) -> list[str]:
    """Returns the names of a template's fields; raises `ValueError` for an invalid template."""
    if len(template) > MAX_LOGGED_TEXT_CHARACTERS or not _TEMPLATE_PATTERN.fullmatch(template):
        raise ValueError("no template")
    return [name for name in _FIELD_PATTERN.findall(template) if name]


@lru_cache(maxsize=4096)
def _log_key(text: Say) -> str:
    template = (
        text.template
        if text.plural_template is None or dict(text.args).get("n") == 1
        else text.plural_template
    )
    return _fill_template(template, {name: _argument_key(value) for name, value in text.args})


def _argument_key(value: Labelled | int | str) -> str:
    return str(value) if isinstance(value, (str, int)) else value.key


def _translated_template(text: Say, language: str) -> str:
    catalogue = translations(language)
    if not text.template:
        return ""  # under the empty text, a catalogue has its own heading
    if text.plural_template is None:
        return catalogue.gettext(text.template)
    n = dict(text.args)["n"]
    return catalogue.ngettext(
        text.template, text.plural_template, n if isinstance(n, int) else PLURAL_COUNT_FOR_SYMBOLS
    )
