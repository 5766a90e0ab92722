"""The languages of Companion's texts, and the message catalogues with the translations.

A language is a folder with `language.toml` and its catalogues:

    name = "Deutsch"
    keyboard = "latin"
    people = ["Anna", "Ben", …]

`name` is the name of the language in itself. `keyboard` is the layout with which its readers type names, one
of `KEYBOARD_LAYOUTS`. `people` are the players of the demo table and of pictures; without them English names
are used. Texts are written in English, which needs no catalogue.

Our languages are the folders in `companion/locale`. The folder of somebody else's language is a Python
package. An entry point in the group `companion.languages` names it, such as `de = "companion_german"`. None
of its code runs.

The folder of a language has the catalogues `ui.po` for the screen, one for each game, such as `egypt.po`, and
`companion.po` for everything else. A game of another package may bring its own,
`locale/de/LC_MESSAGES/KEY.po`. A text without a valid translation stays English. Companion's own translation
of a text wins. If games translate the same text differently, that of the game on the table wins, then the
first one, those in the language's folder first.
"""

from __future__ import annotations

import gettext
import json
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from string import Formatter
from typing import Annotated, Literal, NamedTuple, get_args

import msgspec

from companion.distribution import PACKAGE_FOLDER

ENTRY_POINT_GROUP = "companion.languages"
ENGLISH = "en"
"""The code of the language in which texts are written; English needs no translations."""
DESCRIPTION_FILE = "language.toml"
KeyboardLayout = Literal["latin", "hiragana"]
KEYBOARD_LAYOUTS: tuple[KeyboardLayout, ...] = get_args(KeyboardLayout)
"""The layouts of the on-screen keyboard with which people can type names.

A language says which one comes first; a key changes to each other layout.
"""
DemoName = Annotated[str, msgspec.Meta(pattern=r"^[^\s/,@=]+$", max_length=20)]
"""The type of a player's name in demos and pictures, which every check of names accepts."""
_BUNDLED_FOLDER = PACKAGE_FOLDER / "locale"
_CODE_PATTERN = re.compile(r"[a-z]{2,3}(_[A-Za-z]{2,4})?")


class LanguageDescription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `language.toml`."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
    keyboard: KeyboardLayout = "latin"
    people: tuple[DemoName, ...] = ()
    honorific: str = ""


class Language(msgspec.Struct, frozen=True):
    """A language of Companion's texts, by its code, such as `de` or `pt_BR`.

    `name` is its own name for itself. `honorific` follows names of people in its texts, but not a name
    that ends with a digit.
    """

    code: str
    name: str
    folder: Path
    keyboard: KeyboardLayout
    demo_names: tuple[str, ...]
    honorific: str = ""

    @property
    def catalogue_paths(self) -> list[Path]:
        """The paths of the language's catalogues; the name of a file says whose texts it translates."""
        return sorted(self.folder.glob("*.po"))


class _ThirdPartyLanguages(msgspec.Struct):
    is_disabled: bool = False


_third_party = _ThirdPartyLanguages()


def languages() -> dict[str, Language]:
    """Returns all languages by code.

    English comes first, the others in the order of their codes.
    """
    found = {
        code: language
        for code in (*_bundled_folders(), *_entry_points(tuple(sys.path)))
        if (language := find_language(code))
    }
    return dict(sorted(found.items(), key=lambda item: (item[0] != ENGLISH, item[0])))


def find_language(code: object) -> Language | None:
    """Returns the language with a code; None if there is none.

    For a bundled language no other package is searched.
    """
    if not isinstance(code, str):
        return None
    try:
        return _load_language(code, tuple(sys.path), _third_party.is_disabled)
    except ValueError:
        return None


def drop_honorific(
    template: str, values: Mapping[str, object], code: str, nameless: Collection[str] = ()
) -> str:
    """Returns the template without the honorific behind values that are no names of people.

    They are the `nameless` ones, such as 全員, and those that end with a digit, such as プレイヤー1. A value
    that ends with the honorific gets no other.
    """
    language = find_language(code) if values else None
    if language is not None and language.honorific and language.honorific in template:
        for name, value in values.items():
            has_none = name in nameless or str(value)[-1:].isdigit()
            if has_none or str(value).endswith(language.honorific):
                template = template.replace(f"{{{name}}}{language.honorific}", f"{{{name}}}")
    return template


def broken_languages() -> dict[str, str]:
    """Returns the broken languages by code, each with the reason why it can't be used.

    The reason names the package if the code is taken.
    """
    reasons: dict[str, str] = {}
    for code in _entry_points(tuple(sys.path)):
        try:
            _load_language(code, tuple(sys.path), False)
        except ValueError as fault:
            reasons[code] = str(fault)
    return reasons


def disable_third_party_languages() -> None:
    """Disables the languages of other packages from now on.

    They are ignored in safe mode, because one of them may be at fault.
    """
    _third_party.is_disabled = True


def are_third_party_languages_disabled() -> bool:
    """Returns True if languages of other packages are ignored."""
    return _third_party.is_disabled


def is_bundled(code: str) -> bool:
    """Returns True if the language comes with Companion."""
    return code in _bundled_folders()


def best_language_code(locale: str) -> str:
    """Returns the code of the language that fits a locale such as `de_AT.UTF-8` best, else English."""
    locale_code = re.split("[.@]", locale)[0]
    codes = [code for code in languages() if locale_code == code or locale_code.startswith(f"{code}_")]
    return max(codes, key=len, default=ENGLISH)


@lru_cache
def _load_language(code: str, import_path: tuple[str, ...], is_third_party_disabled: bool) -> Language | None:  # noqa: FBT001 - for the cache
    """Returns the language, None if there is none; raises `ValueError` for one that can't be used."""
    if folder := _bundled_folders().get(code):
        return _read_description(code, folder)
    point = None if is_third_party_disabled else _entry_points(import_path).get(code)
    return None if point is None else _read_description(code, _find_package_folder(point))


@lru_cache
def _bundled_folders() -> Mapping[str, Path]:
    """Returns the folders of the bundled languages by code."""
    return {path.parent.name: path.parent for path in sorted(_BUNDLED_FOLDER.glob(f"*/{DESCRIPTION_FILE}"))}


@lru_cache(1)
def _entry_points(_import_path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Returns the entry points of other packages by code.

    If a code is taken, the package is named too. The search runs only once: after installing a language
    people start the program again.
    """
    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        is_taken = point.name in _bundled_folders() or points.get(point.name, point).value != point.value
        package = point.dist.name if point.dist else point.value
        points[f"{point.name} ({package})" if is_taken else point.name] = point
    return points


def _find_package_folder(point: EntryPoint) -> Path:
    """Returns the folder that an entry point names."""
    name = point.value
    if not name.isidentifier():  # to find a package inside another one, Python would run the outer one
        raise ValueError(f"{name} must be the name of a package, without points")
    try:
        spec = find_spec(name)
    except Exception as fault:  # a package of somebody else may break the search in any way
        raise ValueError(f"{name} can't be found") from fault
    folders = None if spec is None else spec.submodule_search_locations
    if not folders:
        raise ValueError(f"there is no package {name}")
    return Path(next(iter(folders)))


def _read_description(code: str, folder: Path) -> Language:
    if " " in code:
        raise ValueError("there is another language with this code")
    if not _CODE_PATTERN.fullmatch(code):
        raise ValueError("its code must be like de or pt_BR")
    try:
        text = (folder / DESCRIPTION_FILE).read_text(encoding="utf-8")
        description = msgspec.convert(tomllib.loads(text), LanguageDescription)
    except OSError as fault:
        raise ValueError(f"{DESCRIPTION_FILE} can't be read") from fault
    except (ValueError, RecursionError) as fault:
        raise ValueError(f"{DESCRIPTION_FILE}: {fault}") from fault
    return Language(
        code,
        description.name,
        folder,
        description.keyboard,
        description.people,
        description.honorific,
    )


# Message catalogues


COMPANION_CATALOGUE, SCREEN_CATALOGUE = "companion", "ui"
"""The names of the catalogues that belong to no game: Companion's texts, and those of the screen."""
_STRING_PATTERN = re.compile(r'(?:(msg[a-z_]+)(?:\[(\d+)\])? +)?(".*")')
_ENTRY_END_PATTERN = re.compile(r'\n[ \t]*\n|(?<=")\n(?=(?:#.*\n)*msgid ")')
"""The pattern of what separates two entries: an empty line, or the end of a line before `msgid`."""
PLURAL_RULE_TEST_COUNT = 201
"""The number of counts with which a plural rule is tested, from 0 on."""
_FUZZY_PATTERN = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_PLURAL_RULE_PATTERN = re.compile(r"\bplural\s*=\s*([^;\n]+)")
_game_catalogues: list[Path] = []
_preferred_game = ""
"""The key of the game on the table. A program has one table."""
PluralRule = Callable[[int], int]
"""A function that returns the index of the text's form for a number."""


class MessageCatalogue(msgspec.Struct, frozen=True):
    """The translations in one file: the forms of each text, and the rule that chooses a form for a number.

    `faults` are sentences about texts that can't be used.
    """

    forms_by_text: dict[str, tuple[str, ...]]
    plural_rule: PluralRule
    faults: tuple[str, ...] = ()


class Translations:
    """The translations of texts into one language.

    If several catalogues have a text, the first one wins.
    """

    def __init__(self, catalogues: Iterable[MessageCatalogue] = ()) -> None:
        self._texts: dict[str, tuple[tuple[str, ...], PluralRule]] = {}
        for catalogue in reversed([*catalogues]):
            self._texts |= {
                text: (forms, catalogue.plural_rule) for text, forms in catalogue.forms_by_text.items()
            }

    def gettext(self, text: str) -> str:
        """Returns the translation, else the text itself."""
        return self._texts[text][0][0] if text in self._texts else text

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Returns the translation of a text that has a singular and a plural in English."""
        if one not in self._texts:
            return one if n == 1 else many
        forms, plural_rule = self._texts[one]
        try:
            form_index = plural_rule(n)
        except ArithmeticError:  # the rule was tested only with small numbers
            form_index = 0
        return forms[max(0, min(form_index, len(forms) - 1))]


def add_game_catalogues(locale_folder: Path, game_key: str) -> None:
    """Adds the catalogues that a game brings. A catalogue that was added before isn't added again.

    Raises `ValueError` for an invalid catalogue.
    """
    for path in sorted(locale_folder.glob(f"*/LC_MESSAGES/{game_key}.po")):
        if path not in _game_catalogues:
            for fault in read_catalogue(path).faults:
                raise ValueError(f"{path.name}: {fault}")
            _game_catalogues.append(path)
            _cached_translations.cache_clear()


def prefer_translations_of_game(game_key: str) -> None:
    """Makes the translations of the game on the table win over those of other games."""
    global _preferred_game  # noqa: PLW0603 - texts are values that don't know their game
    _preferred_game = game_key


def translations(language: str) -> Translations:
    """Returns all translations of Companion's and games' texts into a language."""
    return _cached_translations(language, _preferred_game, are_third_party_languages_disabled())


def translations_without_other_games(language: str, game_key: str) -> Translations:
    """Returns the translations of Companion's and that game's texts, without those of other games."""
    return _merge_catalogues(language, [COMPANION_CATALOGUE], [game_key])


def translations_of_screen_texts(language: str) -> Translations:
    """Returns the translations of the texts that only the screen shows into a language."""
    return _cached_screen_translations(language, are_third_party_languages_disabled())


@lru_cache
def _cached_screen_translations(language: str, _are_third_party_disabled: bool) -> Translations:  # noqa: FBT001 - for the cache
    return _merge_catalogues(language, [SCREEN_CATALOGUE], [])


class UntranslatedText(NamedTuple):
    """A text that a language doesn't translate, and the catalogue in which a bundled language does."""

    catalogue_name: str
    text: str


def untranslated_texts(language: Language) -> list[UntranslatedText]:
    """Returns the untranslated texts of a language, sorted by catalogue and text.

    A text is untranslated if a bundled language translates it and this language doesn't. The translation of a
    game's text may be in any catalogue but the screen's.
    """
    if language.code == ENGLISH:
        return []
    translated = {
        (path.stem == SCREEN_CATALOGUE, text)
        for path in language.catalogue_paths
        for text in read_catalogue(path).forms_by_text
    }
    translatable = {
        (path.stem, text)
        for bundled in languages().values()
        if is_bundled(bundled.code)
        for path in bundled.catalogue_paths
        for text in read_catalogue(path).forms_by_text
    }
    return sorted(
        UntranslatedText(name, text)
        for name, text in translatable
        if (name == SCREEN_CATALOGUE, text) not in translated
    )


@lru_cache
def read_catalogue(path: Path) -> MessageCatalogue:
    """Returns the message catalogue in a file.

    Texts that can't be used are left out and named in `faults`.
    """
    try:
        text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except (OSError, ValueError) as fault:
        return MessageCatalogue({}, _english_plural_rule, (f"it can't be read: {fault}",))
    forms = dict[str, tuple[str, ...]]()
    faults = [f"line {number} can't be read: {line}" for number, line in find_unreadable_lines(text)]
    plural_rule: PluralRule = _english_plural_rule
    for entry in _ENTRY_END_PATTERN.split(text):
        try:
            parts = _parse_entry(entry)
            if rule_match := _PLURAL_RULE_PATTERN.search(
                next(iter(parts["msgstr"].values()), "") if _is_header(parts) else ""
            ):
                plural_rule = _check_plural_rule(gettext.c2py(rule_match[1].strip()))
            forms |= _translated_forms(entry, parts)
        except (ValueError, RecursionError) as fault:
            faults.append(str(fault))
    return MessageCatalogue(forms, plural_rule, tuple(faults))


@lru_cache
def _cached_translations(language: str, preferred_game: str, _are_third_party_disabled: bool) -> Translations:  # noqa: FBT001 - for the cache
    found_language = find_language(language)
    catalogue_names = [path.stem for path in found_language.catalogue_paths] if found_language else []
    game_keys = dict.fromkeys(
        [
            preferred_game,
            *(name for name in catalogue_names if name not in {COMPANION_CATALOGUE, SCREEN_CATALOGUE}),
        ]
    )
    return _merge_catalogues(
        language, [COMPANION_CATALOGUE], [*game_keys, *(path.stem for path in _game_catalogues)]
    )


def _merge_catalogues(language: str, names: Iterable[str], game_keys: Iterable[str]) -> Translations:
    """Merges the catalogues of these names in the language's folder, and those that games brought."""
    found_language = find_language(language)
    return Translations(
        read_catalogue(path)
        for name in (*names, *game_keys)
        for path in _catalogue_paths(found_language, language, name)
    )


def _catalogue_paths(found_language: Language | None, language: str, name: str) -> Iterator[Path]:
    """Yields the catalogues with a name: in the language's folder, then those that games brought."""
    if found_language is not None and (own_path := found_language.folder / f"{name}.po").is_file():
        yield own_path
    yield from (path for path in _game_catalogues if path.stem == name and path.parents[1].name == language)


def find_unreadable_lines(catalogue_text: str) -> Iterator[tuple[int, str]]:
    """Yields the number and text of each line with a string that doesn't end with a quotation mark."""
    for number, line in enumerate(catalogue_text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith(("msg", '"')) and _STRING_PATTERN.fullmatch(stripped) is None:
            yield number, stripped


def _english_plural_rule(n: int) -> int:
    return int(n != 1)


def _check_plural_rule(plural_rule: PluralRule) -> PluralRule:
    """Returns the plural rule; raises `ValueError` for a rule that fails or returns a negative number."""
    try:
        if min(map(plural_rule, range(PLURAL_RULE_TEST_COUNT))) >= 0:
            return plural_rule
    except ArithmeticError as fault:
        raise ValueError(f"Plural-Forms can't be used: {fault}") from fault
    raise ValueError("Plural-Forms can't be used: it is below 0 for some numbers")


def _parse_entry(entry: str) -> dict[str, dict[int, str]]:
    """Returns the strings of an entry by keyword, and then by the number of the form."""
    parts = dict[str, dict[int, str]]()
    forms, form_index = dict[int, str](), 0
    for line in entry.splitlines():
        if (match := _STRING_PATTERN.fullmatch(line.strip())) is not None:
            if match[1]:
                forms, form_index = parts.setdefault(match[1], {}), int(match[2] or 0)
            forms[form_index] = forms.get(form_index, "") + (
                json.loads(match[3]) if "\\" in match[3] else match[3][1:-1]
            )
    return parts


def _is_header(parts: dict[str, dict[int, str]]) -> bool:
    return parts.get("msgid") == {0: ""}


def _translated_forms(entry: str, parts: dict[str, dict[int, str]]) -> dict[str, tuple[str, ...]]:
    """Returns the forms of an entry by its English text; nothing for an entry marked fuzzy, which is a guess.

    Raises `ValueError` for a translation with a field that the text lacks.
    """
    english, forms = parts.get("msgid", {}).get(0, ""), tuple(parts.get("msgstr", {}).values())
    if not english or not forms or not all(forms) or _FUZZY_PATTERN.search(entry):
        return {}
    known_fields = _format_fields(english) | _format_fields(parts.get("msgid_plural", {}).get(0, ""))
    for form in forms:
        form.encode()  # half a character can't be drawn
        if _format_fields(form) - known_fields:
            raise ValueError(f"{form} names what isn't in {english}")
    return {english: forms}


def _format_fields(template: str) -> set[str]:
    """Returns the fields in braces: each name with its conversion and format."""
    if "{" not in template and "}" not in template:
        return set()
    parts = Formatter().parse(template)
    return {
        f"{name}!{conversion or ''}:{format_spec}"
        for _, name, format_spec, conversion in parts
        if name is not None
    }
