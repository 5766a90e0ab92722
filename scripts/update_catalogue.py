"""Brings the catalogues of languages up to date with every text that is said, and lists what is untranslated.

    .venv/bin/python -m scripts.update_catalogue             # the languages in companion/locale
    .venv/bin/python -m scripts.update_catalogue FOLDER      # a language of another package

Texts are the templates given to `say`, those the screen gives to `tr`, and the words of the decks that ship.
What one game alone says is in its catalogue, what the screen says in `ui.po`, all else in `companion.po`.
What is new is added without a translation; what is said no more goes. A new folder such as `companion_it`
gets every catalogue; the end of its name is the code of the language.
"""

from __future__ import annotations

import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from babel import UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from companion.languages import (
    COMPANION_CATALOGUE,
    ENGLISH,
    SCREEN_CATALOGUE,
    find_unreadable_lines,
    languages,
)
from companion.testing.code_checks import extract_texts_from_code, extract_texts_from_deck

ROOT = Path(__file__).parents[1]
SOURCES = ("companion", "hardware")
"""Whose texts are given to `say`."""
LOCALE = ROOT / "companion/locale"
TRANSLATED = [LOCALE / code for code in languages() if code != ENGLISH and (LOCALE / code).is_dir()]
"""The folders of our languages that have catalogues."""
GAMES = ROOT / "companion/games"
HOMES = (
    COMPANION_CATALOGUE,
    *sorted(rules.parent.name for rules in GAMES.glob("*/rulebook.py")),
    SCREEN_CATALOGUE,
)
"""Who has a catalogue: Companion, each of its games, and the screen."""
KEYWORDS = {"tr": (1,), "trn": (1, 2), "translate_text": (2,), "translate_plural": (2, 3)}
"""How the screen says its texts, and which arguments they are."""
WHOSE = {
    COMPANION_CATALOGUE: "several games, the errors, the terminal and the keypads",
    SCREEN_CATALOGUE: "the screen",
}
MILLIONS = "n != 0 && n % 1000000 == 0 ? 1 : 2"
"""How Babel chooses between the form for whole millions, which French, Italian and others have, and the last.

A new catalogue has no form for millions: a text with an empty form would stay English.
"""
Text = str | tuple[str, str]
HEADER = """\
# The texts of {whose}.
msgid ""
msgstr ""
"Project-Id-Version: companion\\n"
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


@cache
def said() -> dict[str, list[Text]]:
    """Returns every text that is said, by the catalogue where it belongs."""
    homes = defaultdict[Text, set[str]](set)
    for file in sorted(path for source in SOURCES for path in (ROOT / source).rglob("*.*")):
        home = file.relative_to(GAMES).parts[0] if file.is_relative_to(GAMES) else COMPANION_CATALOGUE
        for text in _said_in(file):
            homes[text].add(home if home in HOMES else COMPANION_CATALOGUE)
    texts: dict[str, list[Text]] = {home: [] for home in HOMES}
    for text, found in homes.items():
        texts[found.pop() if len(found) == 1 else COMPANION_CATALOGUE].append(text)
    return texts | {SCREEN_CATALOGUE: list(_said_by_the_screen())}


def _said_in(file: Path) -> Iterator[Text]:
    """The templates of a module, or the words of a deck or a preset."""
    if file.suffix == ".py":
        yield from extract_texts_from_code(file.read_text(encoding="utf-8"))
    elif file.suffix == ".toml" and file.is_relative_to(ROOT / "companion") and file.parent.parent != LOCALE:
        yield from extract_texts_from_deck(tomllib.loads(file.read_text(encoding="utf-8")))


def _said_by_the_screen() -> Iterator[Text]:
    found = extract_from_dir(ROOT / "ui", [("**.py", "python"), ("**.kv", "python")], keywords=KEYWORDS)
    for _, _, text, _, _ in found:
        yield text if isinstance(text, str) else (text[0], text[1])


def catalogue_in(folder: Path, home: str) -> Catalog:
    """Returns the catalogue that is in that folder; an empty one if there is none.

    Ends the program at a line that can't be read: Babel would drop a letter of it.
    """
    if (file := folder / f"{home}.po").exists():
        for number, line in find_unreadable_lines(file.read_text(encoding="utf-8-sig")):
            sys.exit(f"{file}, line {number}: the string has no quotation mark at its end: {line}")
        return read_po(BytesIO(file.read_bytes()))
    try:
        new = Catalog(locale=code_of(folder))
    except UnknownLocaleError:
        return Catalog()
    if MILLIONS in new.plural_forms:
        rule = new.plural_forms.replace(MILLIONS, "1").replace("nplurals=3", "nplurals=2")
        new.mime_headers = [("Plural-Forms", rule)]
    return new


def code_of(folder: Path) -> str:
    """Returns the code of the language that a folder is for."""
    return folder.resolve().name.removeprefix("companion_")


def updated(folder: Path) -> dict[str, Catalog]:
    """Returns the catalogues of a folder with what is new and without what is gone; nothing is guessed."""
    before = {home: catalogue_in(folder, home) for home in HOMES}
    return {home: _updated(home, before) for home in HOMES}


def _updated(home: str, before: dict[str, Catalog]) -> Catalog:
    """A text that another home says now keeps its translation; the screen means other things by it."""
    others = (
        ()
        if home == SCREEN_CATALOGUE
        else [known for other, known in before.items() if other != SCREEN_CATALOGUE]
    )
    latest = Catalog()
    latest.mime_headers = [("Plural-Forms", before[home].plural_forms)]
    for text in said()[home]:
        found = (known.get(text[0] if isinstance(text, tuple) else text) for known in (before[home], *others))
        message = next((one for one in found if one and one.string), Message(text))
        latest.add(text, message.string, flags=message.flags)
    return latest


def written(folder: Path, home: str, catalogue: Catalog) -> str:
    """A catalogue as its file: in the order of the alphabet, without dates, so that changes are small."""
    body = BytesIO()
    write_po(
        body, catalogue, width=110, omit_header=True, no_location=True, sort_output=True, ignore_obsolete=True
    )
    whose, plurals = WHOSE.get(home, f"the game {home}"), catalogue.plural_forms
    return HEADER.format(whose=whose, code=code_of(folder), plurals=plurals) + body.getvalue().decode()


def untranslated(catalogue: Catalog) -> list[str]:
    """Returns the texts that have no translation yet, or only a guess."""
    return [str(one.id) for one in catalogue if one.id and (one.fuzzy or not all(forms_of(one)))]


def forms_of(message: Message) -> tuple[str, ...]:
    """Returns the translations of a text, one for each form that its language has."""
    return message.string if isinstance(message.string, tuple) else (str(message.string or ""),)


def main(folders: list[Path]) -> None:
    """Writes all catalogues in these folders."""
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for home, latest in updated(folder).items():
            (folder / f"{home}.po").write_text(written(folder, home, latest), encoding="utf-8")
            for text in untranslated(latest):
                print(f"{folder.name}/{home}.po: not translated yet: {text}")


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]] or TRANSLATED)
