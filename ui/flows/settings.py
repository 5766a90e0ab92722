"""The way to the settings, from home and from the table."""

from __future__ import annotations

from collections.abc import Callable

from ui.host import TableHost
from ui.screens.settings import SettingsPage
from ui.widgets.keys.key import Key
from ui.widgets.sheets.overlay import Overlay


def open_settings(app: TableHost, service: Callable[[], object] | None = None) -> None:
    """Lays the page over everything; what is chosen counts at once. `service` is where its corner leads."""
    controller, corner = app.controller, None
    if service is not None:
        corner = Key(name="service", icon="service", look="felt")
        corner.bind(on_release=lambda _: service())
    page = SettingsPage(controller, corner)
    page.bind(on_value=lambda _, name, value: controller.change_setting(name, value))
    overlay = Overlay(page)
    page.bind(on_close=overlay.close)
    app.stage.lay(overlay)
