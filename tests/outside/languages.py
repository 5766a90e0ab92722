"""The language of pirates, from a package that is installed for one test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion import languages
from tests.outside.shelf import PIRATE, put_on_the_shelf

PIRATES = "qpi"


@contextmanager
def installed(folder: Path, home: Path = PIRATE) -> Iterator[None]:
    """The package of a language lies on the path of modules."""
    with pytest.MonkeyPatch.context() as patch:
        put_on_the_shelf(folder, patch, home)
        forget()
        yield
    forget()


def forget() -> None:
    """As in a program that starts again."""
    languages._cached_translations.cache_clear()
    languages._cached_screen_translations.cache_clear()
