"""The settings screen, made from the fields of `companion.settings.Settings`, and the list of languages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.languages import languages
from companion.settings import Settings, setting_definitions
from ui.evening.controller import TableController
from ui.events import bind_weak
from ui.host import AppWithEvening, AppWithStage
from ui.pages import DialogChoice, Page, open_choice_dialog, open_page
from ui.screens.options import OptionsPager
from ui.widgets.keys.key import Key


class SettingsPage(Page):
    """A page with a slip for each setting; the key in the `corner` opens the service screen."""

    __events__: tuple[str, ...] = ("on_value",)  # name, value: people chose another value

    def __init__(self, controller: TableController, corner: Key | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._corner = corner
        self._pager = OptionsPager((), {}, corner=corner)
        self._pager.bind(on_value=lambda _, name, value: self._dispatch_value(name, value))
        self.add_content("", self._pager)
        bind_weak(controller, "settings", self._show_settings)
        self._show_settings(controller, controller.settings)

    def _show_settings(self, _controller: TableController, settings: Settings) -> None:
        """Shows all settings as they are now, in the reader's language."""
        definitions = setting_definitions()
        self.head.title.text = self.app.tr("Settings")
        if self._corner is not None:
            self._corner.text = self.app.tr("Service")
        self._pager.show_options(
            [setting.as_option for setting in definitions.values()],
            {name: setting.to_option(getattr(settings, name)) for name, setting in definitions.items()},
        )

    def _dispatch_value(self, name: str, value: int | str) -> None:
        self.dispatch("on_value", name, setting_definitions()[name].from_option(value))


# The way to the settings, from home and from the table.


def open_settings(app: AppWithEvening, open_service: Callable[[], object] | None = None) -> None:
    """Opens the page of the settings.

    Changes take effect at once. With `open_service`, a key in the corner calls it.
    """
    controller, corner = app.controller, None
    if open_service is not None:
        corner = Key(name="service", icon="service", look="felt")
        corner.bind(on_release=lambda _: open_service())
    page = SettingsPage(controller, corner)
    page.bind(on_value=lambda _, name, value: controller.change_setting(name, value))
    open_page(page)


# The list of languages, each by its own name.


UPRIGHT_LANGUAGE_GRID, LANDSCAPE_LANGUAGE_GRID = (2, 5), (3, 3)
"""Columns and rows of a page of languages on an upright screen and on a landscape screen."""


def open_language_list(app: AppWithStage) -> None:
    """Opens the list of all languages; a touch changes the language of the whole app at once."""

    def change(code: str) -> None:
        app.lang = code

    choices = [
        DialogChoice(f"language {code}", language.name, partial(change, code), is_chosen=code == app.lang)
        for code, language in languages().items()
    ]
    columns, rows = UPRIGHT_LANGUAGE_GRID if app.stage.is_next_page_portrait else LANDSCAPE_LANGUAGE_GRID
    close = DialogChoice("close", app.tr("Close"))
    open_choice_dialog(app.tr("Language"), choices, close, columns=columns, rows_per_page=rows)
