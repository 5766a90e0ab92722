"""The settings: each field of `companion.settings.Settings` on a slip; none is named here."""

from __future__ import annotations

from typing import Any

from companion.settings import Settings, definitions
from ui.evening.controller import TableController
from ui.events import heed
from ui.screens.options import OptionPages
from ui.widgets.keys.key import Key
from ui.widgets.sheets.head import Head, Page


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
        every = definitions()
        self._head.title.text = self.app.tr("Settings")
        if self._corner is not None:
            self._corner.text = self.app.tr("Service")
        self._pages.show(
            [setting.option for setting in every.values()],
            {name: setting.to_option(getattr(settings, name)) for name, setting in every.items()},
        )

    def _choose(self, name: str, value: int | str) -> None:
        self.dispatch("on_value", name, definitions()[name].from_option(value))
