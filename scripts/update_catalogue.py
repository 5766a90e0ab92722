"""Brings the Japanese catalogue of games, terminal and keypads up to date with every `say` in the code.

    .venv/bin/python -m scripts.update_catalogue

What is new is added without a translation and named; what no code says any more goes. Then fill in the
new ones by hand and run `scripts/setup`, which compiles the catalogue.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "companion/locale/ja/LC_MESSAGES/companion.po"
SOURCES = ("companion", "hardware")
"""Whose texts it holds; the screen's own are in `ui/locale`."""
KEYWORDS = {"say": None, "say_n": (1, 2)}
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
    """Every text that the code says, untranslated."""
    catalogue = Catalog(locale="ja")
    for source in SOURCES:
        for _file, _line, text, _comments, _context in extract_from_dir(
            ROOT / source, method_map=[("**.py", "python")], keywords=KEYWORDS
        ):
            catalogue.add(text)
    return catalogue


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
