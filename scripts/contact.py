"""Contact sheets of the photographs: a page for each game and one for all else, every look side by side.

    .venv/bin/python -m scripts.contact [FOLDER]

`scripts.screenshots` writes them at its end, as `FOLDER/sheet-GAME.html`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path
from urllib.parse import quote

from companion import installed_games

PHOTOGRAPH = re.compile(r"(?P<at>[0-9]+) (?P<what>.+) (?P<look>[a-z]{2}-[0-9]+x[0-9]+(?:-flat)?)\.png")
PAGES = "pages"
"""What shows no question of a game that is photographed under its name."""
STYLE = """body { background: #14241f; color: #f3ead7; font: 15px sans-serif; margin: 1em }
section { display: flex; flex-wrap: wrap; gap: .5em; align-items: end }
figure { margin: 0 } img { height: 15em } figcaption { font-size: .8em }"""


def write(folder: Path) -> list[Path]:
    """Writes the sheets of all photographs that lie there; gives the files."""
    found = [match for file in sorted(folder.glob("*.png")) if (match := PHOTOGRAPH.fullmatch(file.name))]
    by_game: dict[str, list[re.Match[str]]] = {}
    for match in found:
        by_game.setdefault(_game(match["what"]), []).append(match)
    files = []
    for game, photographs in sorted(by_game.items()):
        files.append(folder / f"sheet-{game}.html")
        files[-1].write_text(_page(game, photographs), encoding="utf-8")
    return files


def _game(what: str) -> str:
    first = what.split(maxsplit=1)[0]
    return first if first in installed_games.games() else PAGES


def _page(game: str, photographs: Iterable[re.Match[str]]) -> str:
    steps: dict[str, list[re.Match[str]]] = {}
    for match in sorted(photographs, key=lambda match: (int(match["at"]), match["look"])):
        steps.setdefault(match["what"], []).append(match)
    parts = [f"<!doctype html><meta charset=utf-8><title>{escape(game)}</title><style>{STYLE}</style>"]
    for what, looks in steps.items():
        figures = [
            f'<figure><a href="{quote(look[0])}"><img loading=lazy src="{quote(look[0])}" alt=""></a>'
            f"<figcaption>{look['look']}</figcaption></figure>"
            for look in looks
        ]
        parts.append(f"<h2>{escape(what)}</h2><section>{''.join(figures)}</section>")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    for sheet in write(Path(*sys.argv[1:2] or ["out/screens"])):
        print(sheet)
