"""The languages that texts can be read in: those that come along, and those of installed packages.

A language is a folder with `language.toml` and its catalogues, which `companion.translations` reads:

    name = "Deutsch"
    keyboard = "latin"
    people = ["Anna", "Ben", …]

`name` is what its readers call it, `keyboard` what they type names with (one of `KEYBOARDS`), `people` the
players of the demo table and of pictures; without them they are those of English. Texts are written in
English, which needs no catalogue.

Ours are the folders in `companion/locale`. A package names its folder, a package of Python's, by an entry
point in the group `companion.languages`, `de = "companion_german"`; none of its code runs.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec

from companion.distribution import PACKAGE_FOLDER

GROUP = "companion.languages"
ENGLISH = "en"
"""The language in which texts are written."""
DESCRIPTION = "language.toml"
Keyboard = Literal["latin", "hiragana"]
KEYBOARDS: tuple[Keyboard, ...] = get_args(Keyboard)
"""What names can be typed with first; the screen's keyboard has a key to each other one."""
Name = Annotated[str, msgspec.Meta(pattern=r"^[^\s/,@=]+$", max_length=20)]
"""A name that nobody would be refused."""
_OURS = PACKAGE_FOLDER / "locale"
_CODE = re.compile(r"[a-z]{2,3}(_[A-Za-z]{2,4})?")


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `language.toml` says."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
    keyboard: Keyboard = "latin"
    people: tuple[Name, ...] = ()


class Language(msgspec.Struct, frozen=True):
    """A language by its code, such as `de` or `pt_BR`; `name` is its own name for itself."""

    code: str
    name: str
    folder: Path
    keyboard: Keyboard
    people: tuple[str, ...]

    @property
    def catalogues(self) -> list[Path]:
        """Returns the files with its texts, each called by whose texts it translates."""
        return sorted(self.folder.glob("*.po"))


class _Outside(msgspec.Struct):
    kept_out: bool = False


_outside = _Outside()


def languages() -> dict[str, Language]:
    """Returns all languages by code: English first, the others in the order of their codes."""
    found = {code: one for code in (*_folders(), *_points(tuple(sys.path))) if (one := find(code))}
    return dict(sorted(found.items(), key=lambda item: (item[0] != ENGLISH, item[0])))


def find(code: object) -> Language | None:
    """Returns the language with that code; None if there is none. For one of ours no package is looked at."""
    if not isinstance(code, str):
        return None
    try:
        return _language(code, tuple(sys.path), _outside.kept_out)
    except ValueError:
        return None


def broken() -> dict[str, str]:
    """Returns why each language that can't be used can't, by the code and the package it comes from."""
    reasons: dict[str, str] = {}
    for code in _points(tuple(sys.path)):
        try:
            _language(code, tuple(sys.path), False)
        except ValueError as fault:
            reasons[code] = str(fault)
    return reasons


def keep_to_ours() -> None:
    """From now on languages of other packages are not found: in safe mode, where one may be at fault."""
    _outside.kept_out = True


def are_kept_out() -> bool:
    """True if the languages of other packages aren't used."""
    return _outside.kept_out


def is_ours(code: str) -> bool:
    """True if the language comes with Companion."""
    return code in _folders()


def best(locale: str) -> str:
    """Returns the code of the language that fits a locale such as `de_AT.UTF-8` best, else English."""
    wanted = re.split("[.@]", locale)[0]
    fitting = [code for code in languages() if wanted == code or wanted.startswith(f"{code}_")]
    return max(fitting, key=len, default=ENGLISH)


@lru_cache
def _language(code: str, path: tuple[str, ...], kept_out: bool) -> Language | None:  # noqa: FBT001 - for the cache
    """Raises `ValueError` for one that can't be used."""
    if folder := _folders().get(code):
        return _read(code, folder)
    point = None if kept_out else _points(path).get(code)
    return None if point is None else _read(code, _folder_of(point))


@lru_cache
def _folders() -> Mapping[str, Path]:
    """Returns the folders of the languages that come along, by code."""
    return {path.parent.name: path.parent for path in sorted(_OURS.glob(f"*/{DESCRIPTION}"))}


@lru_cache(1)
def _points(_path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Returns the entry points of other packages by code; one whose code is taken has its package named too.

    Looked for once: who installs a language starts the program again.
    """
    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        is_taken = point.name in _folders() or points.get(point.name, point).value != point.value
        package = point.dist.name if point.dist else point.value
        points[f"{point.name} ({package})" if is_taken else point.name] = point
    return points


def _folder_of(point: EntryPoint) -> Path:
    """Returns the folder that an entry point names."""
    name = point.value
    if not name.isidentifier():  # of a package in another one the outer one would be run
        raise ValueError(f"{name} must be the name of a package, without points")
    try:
        spec = find_spec(name)
    except Exception as fault:  # whatever a stranger's package makes of the search
        raise ValueError(f"{name} can't be found") from fault
    places = None if spec is None else spec.submodule_search_locations
    if not places:
        raise ValueError(f"there is no package {name}")
    return Path(next(iter(places)))


def _read(code: str, folder: Path) -> Language:
    if " " in code:
        raise ValueError("there is another language with this code")
    if not _CODE.fullmatch(code):
        raise ValueError("its code must be like de or pt_BR")
    try:
        text = (folder / DESCRIPTION).read_text(encoding="utf-8")
        said = msgspec.convert(tomllib.loads(text), Description)
    except OSError as fault:
        raise ValueError(f"{DESCRIPTION} can't be read") from fault
    except (ValueError, RecursionError) as fault:
        raise ValueError(f"{DESCRIPTION}: {fault}") from fault
    return Language(code, said.name, folder, said.keyboard, said.people)
