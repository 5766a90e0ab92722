"""The texts of the pages."""

from __future__ import annotations

from companion.texts import render, say

TEXT_BY_KEY = {"table": say("Table")}


def page_texts(language: str) -> dict[str, str]:
    """Returns the texts of the pages in a language, by key."""
    return {key: render(text, language) for key, text in TEXT_BY_KEY.items()}
