"""Brings the Japanese catalogues of games, terminal and keypads up to date with every text that is said.

    .venv/bin/python -m scripts.update_catalogue

Texts are the templates given to `say` and the words of the decks that ship. What one game alone says is in
the catalogue beside its rulebook, all else in Companion's.
What is new is added without a translation and named; what is said no more goes. Then fill in the
new ones by hand and run `scripts/setup`, which compiles Companion's.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from companion.testing.texts import printed_in, said_in
from companion.translations import OURS

ROOT = Path(__file__).parents[1]
SOURCES = ("companion", "hardware")
"""Whose texts these are; the screen's own are in `ui/locale`."""
GAMES = ROOT / "companion/games"
HOMES = (OURS, *sorted(rules.parent.name for rules in GAMES.glob("*/rulebook.py")))
"""Who has a catalogue: Companion and each of its games."""
Text = str | tuple[str, str]
HEADER = """\
# The words of {whose} in Japanese.
msgid ""
msgstr ""
"Project-Id-Version: companion\\n"
"Language: ja\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

"""


def catalogue_of(home: str) -> Path:
    """Where a catalogue is kept."""
    folder = ROOT / "companion" if home == OURS else GAMES / home
    return folder / f"locale/ja/LC_MESSAGES/{home}.po"


def said() -> dict[str, Catalog]:
    """Every text that is said, untranslated, in the catalogue where it belongs."""
    homes = defaultdict[Text, set[str]](set)
    for file in sorted(path for source in SOURCES for path in (ROOT / source).rglob("*.*")):
        home = file.relative_to(GAMES).parts[0] if file.is_relative_to(GAMES) else OURS
        for text in _said_in(file):
            homes[text].add(home if home in HOMES else OURS)
    catalogues = {home: Catalog(locale="ja") for home in HOMES}
    for text, found in homes.items():
        catalogues[found.pop() if len(found) == 1 else OURS].add(text)
    return catalogues


def _said_in(file: Path) -> Iterator[Text]:
    """The templates of a module, or the words of a deck or a template of Any Game."""
    if file.suffix == ".py":
        yield from said_in(file.read_text(encoding="utf-8"))
    elif file.suffix == ".toml" and file.is_relative_to(ROOT / "companion"):
        yield from printed_in(tomllib.loads(file.read_text(encoding="utf-8")))


def translated() -> Catalog:
    """All translations there are, of whichever home."""
    there = [catalogue_of(home) for home in HOMES if catalogue_of(home).exists()]
    entries = [path.read_text(encoding="utf-8").partition("\n\n")[2] for path in there]
    return read_po(BytesIO("\n\n".join(entries).encode()), locale="ja")


def written(home: str, catalogue: Catalog) -> str:
    """A catalogue as its file: in the order of the alphabet, without dates, so that changes are small."""
    body = BytesIO()
    write_po(
        body, catalogue, width=110, omit_header=True, no_location=True, sort_output=True, ignore_obsolete=True
    )
    whose = "several games, the errors, the terminal and the keypads" if home == OURS else f"the game {home}"
    return HEADER.format(whose=whose) + body.getvalue().decode()


def updated() -> dict[str, Catalog]:
    """The catalogues with what is new and without what is gone; nothing is guessed."""
    found, before = said(), translated()
    for message in (message for catalogue in found.values() for message in catalogue if message.id):
        if known := before.get(message.id):
            message.string, message.flags = known.string, known.flags
    return found


def untranslated(catalogue: Catalog) -> list[str]:
    """The texts that have no translation yet."""
    return [str(message.id) for message in catalogue if message.id and not any(message.string or ())]


if __name__ == "__main__":
    for home, latest in updated().items():
        catalogue_of(home).parent.mkdir(parents=True, exist_ok=True)
        catalogue_of(home).write_text(written(home, latest), encoding="utf-8")
        for text in untranslated(latest):
            print(f"not translated yet: {text}")
