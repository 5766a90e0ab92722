"""The list of languages over everything, each by its own name."""

from __future__ import annotations

from companion.languages import languages
from ui import theme
from ui.host import Host
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Leaf

UPRIGHT, LANDSCAPE = (2, 5), (3, 3)
"""Columns and rows of a page, where the screen is upright and where it isn't."""


def choose_language(app: Host) -> None:
    """Shows all languages; a touch on one changes to it, at once and everywhere."""
    codes = {f"language {code}": code for code in languages()}
    keys = [
        Key(name=name, text=languages()[code].name, chosen=code == app.lang) for name, code in codes.items()
    ]
    cols, rows = UPRIGHT if app.stage.is_upright else LANDSCAPE
    body = Pager(things=keys, cols=cols, rows=rows, between=theme.length.gap, look="paper")
    sheet = Leaf(title=app.tr("Language"), body=body, answers=[("close", app.tr("Close"), "paper")])

    def change(key: Key) -> None:
        app.lang = codes[key.name]

    sheet.leave_with(keys, change)
    app.stage.lay(sheet)
