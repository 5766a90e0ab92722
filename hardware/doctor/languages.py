"""The languages that are installed: which there are, what they lack, and why one can't be used."""

from __future__ import annotations

from collections.abc import Iterator

from companion import languages
from companion.languages import Language
from companion.texts import say, say_n
from hardware.doctor.machine import Finding

TODO = say("Tell the translators, or update or remove the package.")


def findings() -> Iterator[Finding]:
    """Yields a line about all, and one about each that is not whole."""
    known = languages.languages().values()
    names = ", ".join(f"{one.name} ({one.code})" for one in known)
    yield Finding(say("languages: {names}", names=names))
    for one in known:
        yield from _gaps(one)
    for code, why in languages.broken_languages().items():
        yield _wrong(code, why)


def _gaps(language: Language) -> Iterator[Finding]:
    if missing := len(languages.untranslated_texts(language)):
        yield Finding(
            say_n(
                "language {code}: {n} text is not translated and stays English",
                "language {code}: {n} texts are not translated and stay English",
                n=missing,
                code=language.code,
            )
        )
    for file in language.catalogues:
        for fault in languages.read_catalogue(file).faults:
            yield _wrong(language.code, f"{file.name}: {fault}")


def _wrong(code: str, why: str) -> Finding:
    return Finding(say("language {code}: {why}", code=code, why=why), TODO)
