"""Texts as values: what to say is decided now, in which language is decided by the reader, later.

A text is a `Say`: an English template and its arguments.
It knows no screen and no seat; whatever has a `label` and a `key` may be an argument.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from functools import lru_cache, reduce
from importlib.resources import as_file, files
from typing import Any, Protocol

import msgspec

LANGUAGES = ("en", "ja")


class Labelled(Protocol):
    """A seat, a piece or a place: `label` is for readers, `key` for the log."""

    @property
    def label(self) -> Text:
        """What readers see."""

    @property
    def key(self) -> str:
        """What the log keeps."""


# Values can't refer to themselves, and a match keeps thousands: gc=False, here and in others like it,
# spares the collector the look.
class Say(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A sentence not yet in any language: template, arguments by name, plural template chosen by `n`."""

    id: str
    args: tuple[tuple[str, Arg], ...] = ()
    many: str | None = None

    @property
    def label(self) -> Text:
        """A text is its own label."""
        return self

    @property
    def key(self) -> str:
        """The same text whatever the language and the names: what a log may keep."""
        return _written(self)

    def in_(self, language: str) -> str:
        """The text in one of `LANGUAGES`; what is not translated stays English."""
        return render(self, language)


Text = Say | str
Arg = Any  # Say | Labelled | int | str, which msgspec can't read; `say` and `say_n` are typed in its place


def say(template: str, /, **args: Labelled | int | str) -> Say:
    """`say("{seat} must bid more than {least}", seat=ben, least=4)`."""
    return Say(template, tuple(args.items()))


def say_n(one: str, many: str, /, n: int, **args: Labelled | int | str) -> Say:
    """Like `say`, with a template for one and a template for any other number `n`."""
    return Say(one, (("n", n), *args.items()), many)


def listed(texts: Iterable[Labelled]) -> Labelled:
    """Several names or sums as one argument: `Aki, Ben, Chie`."""
    return reduce(lambda one, other: say("{one}, {other}", one=one, other=other), texts)


def render(text: Labelled | Text | int, language: str = "en") -> str:
    """Any text, or anything with a label, as a reader of `language` sees it."""
    if isinstance(text, Say):
        values = {name: render(value, language) for name, value in text.args}
        return _template(text, language).format(**values)
    if isinstance(text, (str, int)):
        return str(text)
    return render(text.label, language)


def plain(text: Labelled | Text | int) -> Any:
    """A text as JSON that needs neither seats nor pieces to be read again by `from_plain`."""
    if isinstance(text, Say):
        return {
            "say": text.id,
            "many": text.many,
            "args": {name: plain(value) for name, value in text.args},
        }
    if isinstance(text, (str, int)):
        return text
    return plain(text.label)


def from_plain(data: Any) -> Any:
    """What `plain` wrote; raises ValueError for what it can't have written."""
    if not isinstance(data, dict):
        return data
    try:
        args = tuple((name, from_plain(value)) for name, value in data["args"].items())
        text = Say(data["say"], args, data["many"])
        render(text)
    except (LookupError, TypeError, AttributeError) as fault:
        raise ValueError(f"no text: {data!r}") from fault
    return text


@lru_cache(maxsize=4096)
def _written(text: Say) -> str:
    template = text.id if text.many is None or dict(text.args).get("n") == 1 else text.many
    return template.format(**{name: _key(value) for name, value in text.args})


def _key(value: Labelled | int | str) -> str:
    return str(value) if isinstance(value, (str, int)) else value.key


def _template(text: Say, language: str) -> str:
    catalogue = _catalogue(language)
    if not text.id:
        return ""  # what a catalogue holds under no text is its own heading
    if text.many is None:
        return catalogue.gettext(text.id)
    return catalogue.ngettext(text.id, text.many, dict(text.args)["n"])


@lru_cache
def _catalogue(language: str) -> gettext.NullTranslations:
    with as_file(files("companion") / "locale") as folder:
        return gettext.translation("companion", folder, [language], fallback=True)
