"""Brings the Japanese catalogue of games, terminal and keypads up to date with every text that is said.

    .venv/bin/python -m scripts.update_catalogue

Texts are the templates given to `say` and the words of the decks that ship.
What is new is added without a translation and named; what is said no more goes. Then fill in the
new ones by hand and run `scripts/setup`, which compiles the catalogue.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from companion.testing.texts import printed_in, said_in

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "companion/locale/ja/LC_MESSAGES/companion.po"
SOURCES = ("companion", "hardware")
"""Whose texts it holds; the screen's own are in `ui/locale`."""
DECKS = ROOT / "companion"
"""Where the cards of the games and the templates of Any Game are."""
HEADER = """\
# The words of the games, the errors, the terminal and the keypads in Japanese.
msgid ""
msgstr ""
"Project-Id-Version: companion\\n"
"Language: ja\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

"""


def said() -> Catalog:
    """Every text that is said, untranslated."""
    catalogue = Catalog(locale="ja")
    for source in SOURCES:
        for file in sorted((ROOT / source).rglob("*.py")):
            for text in said_in(file.read_text(encoding="utf-8")):
                catalogue.add(text)
    for word in printed_words():
        catalogue.add(word)
    return catalogue


def printed_words() -> Iterator[str]:
    """The words of all decks and templates that ship."""
    for file in sorted(DECKS.rglob("*.toml")):
        yield from printed_in(tomllib.loads(file.read_text(encoding="utf-8")))


def translated() -> Catalog:
    """The catalogue as it stands."""
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="ja")


def written(catalogue: Catalog) -> str:
    """A catalogue as its file: in the order of the alphabet, without dates, so that changes are small."""
    body = BytesIO()
    write_po(
        body, catalogue, width=110, omit_header=True, no_location=True, sort_output=True, ignore_obsolete=True
    )
    return HEADER + body.getvalue().decode()


def updated() -> Catalog:
    """The catalogue with what is new and without what is gone; nothing is guessed."""
    catalogue = translated()
    catalogue.update(said(), no_fuzzy_matching=True)
    return catalogue


def untranslated(catalogue: Catalog) -> list[str]:
    """The texts that have no translation yet."""
    return [str(message.id) for message in catalogue if message.id and not any(message.string or ())]


if __name__ == "__main__":
    latest = updated()
    CATALOGUE.write_text(written(latest), encoding="utf-8")
    for text in untranslated(latest):
        print(f"not translated yet: {text}")
