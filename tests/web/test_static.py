"""The files of the pages: small, without anything from outside, and with every text they need."""

import gzip
import re

import pytest

from companion.languages import languages
from companion.web.static_files import STATIC_FOLDER, read_static_files
from companion.web.texts import LANGUAGE_PREFIX, PAGE_TEXTS, page_texts
from scripts.draw_seat_signs import SIGNS_MODULE, signs_module

MAX_BYTES_OF_ALL_FILES = 60 * 1024
SOURCES = {
    path.name: path.read_text("utf-8")
    for path in STATIC_FOLDER.iterdir()
    if path.suffix in {".html", ".js", ".css"}
}
TEXT_KEY_PREFIXES = ("fact:", "size:", "theme:")
"""The beginnings of keys to which the pages add the name of a fact or of a choice."""


def test_all_files_together_are_small() -> None:
    """A phone loads everything, with TweetNaCl, in one step on a slow network."""
    sizes = [len(gzip.compress(file.content)) for file in read_static_files().values()]
    assert sum(sizes) <= MAX_BYTES_OF_ALL_FILES


@pytest.mark.parametrize("name", SOURCES)
def test_nothing_is_inline_or_from_outside(name: str) -> None:
    """Scripts and styles are files of our own, and nothing is loaded from another address."""
    source = SOURCES[name].replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"https?://|//[a-z]+\.|innerHTML|eval\(|style=|\son[a-z]+=", source) == []
    assert re.findall(r"<script(?![^>]* src=)|<style", source) == []


@pytest.mark.parametrize("page", ["index", "seat", "table"])
def test_a_page_names_all_its_modules(page: str) -> None:
    """A browser asks for all of them at once, not for some only after it has read others."""
    modules, unread = set[str](), [f"{page}.js"]
    while unread:
        imported = set(re.findall(r'from "/static/(\w+\.js)"', SOURCES[unread.pop()]))
        unread += imported - modules
        modules |= imported
    preloaded = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)">', SOURCES[f"{page}.html"])
    assert sorted(preloaded) == sorted(modules)


def test_the_pages_use_every_text_and_have_every_text() -> None:
    """A key in a page without its text would be shown as it is."""
    all_sources = "\n".join(SOURCES.values())
    quoted = set(re.findall(r'["`]([a-z_]+(?::[a-z_]+)?)["`]', all_sources))
    called = re.findall(r'\btext\("([^"]+)"|data-text="([^"]+)"', all_sources)
    assert {key for pair in called for key in pair if key} <= set(PAGE_TEXTS)
    assert {key for key in PAGE_TEXTS if not key.startswith(TEXT_KEY_PREFIXES)} <= quoted


def test_texts_name_all_languages() -> None:
    """The page offers each language by its own name."""
    texts = page_texts("ja")
    assert texts[f"{LANGUAGE_PREFIX}de"] == "Deutsch"
    assert {key for key in texts if key.startswith(LANGUAGE_PREFIX)} == {
        f"{LANGUAGE_PREFIX}{code}" for code in languages()
    }


def test_the_signs_are_those_of_the_screen() -> None:
    """The shapes on the pages are drawn from the same outlines as those on the screen."""
    assert SIGNS_MODULE.read_text("utf-8") == signs_module()
