"""The page about the Companion: its version, its licence, where the games are saved, and the games."""

from __future__ import annotations

from importlib.metadata import version

from kivy.uix.boxlayout import BoxLayout

from companion import installed_games
from companion.distribution import DISTRIBUTION_NAME
from companion.texts import render
from ui import theme
from ui.host import AppWithEvening
from ui.pages import open_full_screen_dialog
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.pager import Pager

LICENCE = "MIT"
ROWS_PER_PAGE, UPRIGHT_ROWS_PER_PAGE = 4, 7


def open_about(app: AppWithEvening) -> None:
    """Opens the page about the Companion."""
    tr = app.tr
    facts = [
        (tr("Version"), version(DISTRIBUTION_NAME)),
        (tr("Licence"), LICENCE),
        (tr("Saved games"), str(app.evening.store.directory)),
    ]
    facts += [
        (render(game.title, app.lang), tr("rules, version {n}", n=game.version))
        for game in installed_games.playable_games()
    ]
    rows = UPRIGHT_ROWS_PER_PAGE if app.stage.is_next_page_portrait else ROWS_PER_PAGE
    pager = Pager(items=[_make_row(*fact) for fact in facts], rows=theme.grow_count(rows), look="paper")
    open_full_screen_dialog("Companion", pager)


def _make_row(name: str, value: str) -> BoxLayout:
    name_label = FittedLabel(text=name, style="key", lines=2, size_hint_x=0.8)
    # Only the path of somebody's own folder may be too long.
    value_label = FittedLabel(text=value, lines=2, abbreviates=True)
    return add_children(BoxLayout(spacing=theme.length.space), name_label, value_label)
