"""The settings: each field of `companion.settings.Settings` on a slip; none is named here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.languages import languages
from companion.settings import Settings, setting_definitions
from ui.evening.controller import TableController
from ui.events import heed
from ui.host import Host, TableHost
from ui.pages import Choice, Page, open_choice, open_page
from ui.screens.options import OptionPages
from ui.widgets.keys.key import Key
from ui.widgets.sheets.page_header import Head


class SettingsPage(Page):
    """Follows the settings of an evening; the key in the `corner` leads to the service page."""

    __events__: tuple[str, ...] = ("on_value",)  # name, value: people chose another value

    def __init__(self, controller: TableController, corner: Key | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._corner = corner
        self._head, self._pages = Head(""), OptionPages((), {}, corner=corner)
        self._pages.bind(on_value=lambda _, name, value: self._choose(name, value))
        self.lay_under(self._head, self._pages)
        heed(controller, "settings", self._show)
        self._show(controller, controller.settings)

    def _show(self, _controller: TableController, settings: Settings) -> None:
        """Shows all settings as they are now, in the reader's language."""
        every = setting_definitions()
        self._head.title.text = self.app.tr("Settings")
        if self._corner is not None:
            self._corner.text = self.app.tr("Service")
        self._pages.show(
            [setting.as_option for setting in every.values()],
            {name: setting.to_option(getattr(settings, name)) for name, setting in every.items()},
        )

    def _choose(self, name: str, value: int | str) -> None:
        self.dispatch("on_value", name, setting_definitions()[name].from_option(value))


# The way to the settings, from home and from the table.


def open_settings(app: TableHost, service: Callable[[], object] | None = None) -> None:
    """Lays the page over everything; what is chosen counts at once. `service` is where its corner leads."""
    controller, corner = app.controller, None
    if service is not None:
        corner = Key(name="service", icon="service", look="felt")
        corner.bind(on_release=lambda _: service())
    page = SettingsPage(controller, corner)
    page.bind(on_value=lambda _, name, value: controller.change_setting(name, value))
    open_page(page)


# The list of languages over everything, each by its own name.


UPRIGHT, LANDSCAPE = (2, 5), (3, 3)
"""Columns and rows of a page, where the screen is upright and where it isn't."""


def choose_language(app: Host) -> None:
    """Shows all languages; a touch on one changes to it, at once and everywhere."""

    def change(code: str) -> None:
        app.lang = code

    choices = [
        Choice(f"language {code}", language.name, partial(change, code), is_chosen=code == app.lang)
        for code, language in languages().items()
    ]
    columns, rows = UPRIGHT if app.stage.is_upright else LANDSCAPE
    close = Choice("close", app.tr("Close"))
    open_choice(app.tr("Language"), choices, close, columns=columns, rows=rows)
