"""The service screens: the findings of the doctor, failures first, and every device with its last input.

The screens examine nothing and open no device; a `Diagnostics` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, ListProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.texts import Text, render
from hardware.doctor.machine import Finding
from hardware.wiring import Buttons, Reader, Section
from ui import theme
from ui.evening.diagnostics import Diagnostics
from ui.host import AppWithEvening, get_companion_app
from ui.pages import Page, make_key, run_or_explain, show_message
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, draw_border, draw_paper, draw_sunken_background
from ui.widgets.drawing.symbols import draw_filled_dot, draw_icon
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager

FINDINGS_PER_PAGE, UPRIGHT_FINDINGS_PER_PAGE = 3, 4
"""Findings of a page: each has room for two lines of text, and for two lines of advice."""
MAX_ADVICE_LINES = 4
"""The most lines of advice, below one line of text."""
DEVICE_COLUMNS, DEVICE_ROWS = 2, 3
"""Columns and rows of devices on a page."""
ICON_BY_STATUS = {"ok": "tick", "info": "info", "failed": "cross", "skipped": "minus"}


class _StatusIcon(AutoRedrawWidget):
    """The icon of a result: never a colour alone."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("mark",)
    mark = OptionProperty("ok", options=list(ICON_BY_STATUS))

    def draw(self) -> None:
        side = theme.length.glyph
        box = (self.center_x - side / 2, self.center_y - side / 2, side, side)
        draw_icon(ICON_BY_STATUS[self.mark], box, theme.QUIET if self.mark in ("ok", "info") else theme.INK)


class FindingRow(AutoRedrawWidget, BoxLayout):
    """A row that shows one finding of the doctor.

    The row is on paper if something must be done, else flat on the felt.
    """

    def __init__(self, finding: Finding, lang: str, **kwargs: Any) -> None:
        gap, icon_width = theme.length.gap, theme.length.glyph * 1.6
        super().__init__(padding=(gap, gap * 0.7, gap * 2, gap), spacing=gap, **kwargs)
        self.has_failed = finding.status == "failed"
        labels = [_make_label(render(finding.subject, lang), is_on_felt=not self.has_failed)]
        if finding.advice is not None:
            labels.append(_make_label(render(finding.advice, lang), style="quiet"))
            labels[-1].lines = MAX_ADVICE_LINES
        text_width = get_companion_app().stage.next_page_size[0] - 6 * gap - icon_width
        for label in labels:  # each has the share of the height that its lines need
            label.size_hint_y = label.min_height_at(text_width)
        icon = _StatusIcon(mark=finding.status, size_hint_x=None, width=icon_width)
        add_children(self, icon, add_children(BoxLayout(orientation="vertical"), *labels))

    def draw(self) -> None:
        """Draws the row: as paper with a red rim if something must be done, else as a dent."""
        if self.has_failed:
            draw_paper(self.box, theme.length.line)
            draw_border(theme.DANGER, self.box, theme.length.rim)
        else:
            draw_sunken_background(self.box)


class ButtonLamps(AutoRedrawWidget):
    """A seat's buttons as lamps; a pressed button is a filled lamp."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("button_names", "pressed_buttons")
    button_names = ListProperty()
    pressed_buttons = ListProperty()

    def draw(self) -> None:
        """Draws a lamp for each button: a ring, filled while the button is down."""
        side = theme.length.glyph
        for index, button_name in enumerate(self.button_names):
            x = self.right - (len(self.button_names) - index) * side * 1.5
            box = (x, self.center_y - side / 2, side, side)
            draw_border(theme.INK, box, theme.length.line, side / 2)
            if button_name in self.pressed_buttons:
                draw_filled_dot(box, theme.BRASS_DARK)


class DeviceTile(AutoRedrawWidget, BoxLayout):
    """A tile of a device: its name, whether it can be used, and its last input."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("has_failed",)
    has_failed = BooleanProperty(defaultvalue=False)
    last_input = StringProperty("")

    def __init__(self, name: str, button_names: Sequence[str] = (), **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 1.5, gap * 0.6), **kwargs)
        self.lamps = ButtonLamps(
            button_names=list(button_names),
            size_hint_x=None,
            width=len(button_names) * theme.length.glyph * 1.5,
        )
        self.last_input_label = FittedLabel(style="bid", halign="right", size_hint_x=0.7)
        top = add_children(
            BoxLayout(spacing=gap), _make_label(name), self.lamps if button_names else self.last_input_label
        )
        self.status_label = _make_label("", style="quiet")
        add_children(self, top, self.status_label)
        self.bind(last_input=lambda _, text: setattr(self.last_input_label, "text", text))

    def show_finding(self, finding: Finding, status: Text, lang: str) -> None:
        """Shows whether the device can be used, and what to do if it can't."""
        self.has_failed = finding.status == "failed"
        self.status_label.text = render(finding.advice or status, lang)

    def draw(self) -> None:
        """Draws the tile as paper, with a red rim if the device can't be used."""
        draw_paper(self.box, theme.length.line)
        if self.has_failed:
            draw_border(theme.DANGER, self.box, theme.length.rim)


class _PagedServicePage(Page):
    """A page with a pager and a row of keys below it, as the head has no room for the keys."""

    def __init__(self, title: str, pager: Pager, keys: Sequence[Key]) -> None:
        super().__init__()
        self.pager = pager
        foot = add_children(
            BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.gap), *keys
        )
        self.add_content(
            title,
            pager,
            foot,
            keys_beside_title=(pager.back_key, pager.page_number, pager.next_key)
            if pager.has_external_keys
            else (),
        )


class FindingsPage(_PagedServicePage):
    """The page of the doctor's findings, with keys that call the functions."""

    def __init__(
        self,
        *,
        write_report: Callable[[], object],
        open_devices: Callable[[], object],
        back_up_games: Callable[[], object],
    ) -> None:
        app = get_companion_app()
        self.report_key = make_key("report", app.tr("Write a report"), write_report, disabled=True)
        devices = make_key("devices", app.tr("Devices"), open_devices)
        copy = make_key("copy", app.tr("Back up the games"), back_up_games)
        is_upright = app.stage.is_next_page_portrait
        pager = Pager(
            rows=theme.grow_count(UPRIGHT_FINDINGS_PER_PAGE if is_upright else FINDINGS_PER_PAGE),
            has_external_keys=not is_upright,
        )
        super().__init__(app.tr("Service"), pager, (copy, self.report_key, devices))

    def show_findings(self, findings: Sequence[Finding], *, is_done: bool) -> None:
        """Shows the findings so far. Once all are in, failures come first and a report can be written."""
        shown = sorted(findings, key=lambda finding: finding.status != "failed") if is_done else findings
        lang = self.app.lang
        self.pager.items = [FindingRow(finding, lang) for finding in shown]
        self.report_key.disabled = not is_done


class DevicesPage(_PagedServicePage):
    """The page of all wired devices, with a key that pairs number pads.

    The back key leads to the findings.
    """

    def __init__(self, devices: Sequence[DeviceTile], pair_number_pads: Callable[[], object]) -> None:
        app = get_companion_app()
        pair = make_key("pair", app.tr("Number pads"), pair_number_pads)
        pager = Pager(
            cols=DEVICE_COLUMNS if devices else 1,
            rows=DEVICE_ROWS,
            has_external_keys=not app.stage.is_next_page_portrait,
        )
        super().__init__(app.tr("Devices"), pager, (pair,))
        empty_text = app.tr("No devices are set up yet. To begin, run: companion hardware init")
        pager.items = list(devices) or [_make_label(empty_text, is_on_felt=True)]


def _make_label(text: str, **kwargs: Any) -> FittedLabel:
    return FittedLabel(text=text, lines=2, line_height=1.0, **kwargs)


# The flow from home to the findings and to the devices.


class ServiceFlow:
    """Shows the service screens: the findings of the doctor, and the devices.

    `ServiceFlow(app, controller.diagnostics, names, pair).open()`; the back key leads home.
    `get_player_names` returns the players of the open game, in the order of the seats; without a game, seats
    have numbers. `pair_number_pads` asks these players which number pad is whose.
    """

    def __init__(
        self,
        app: AppWithEvening,
        diagnostics: Diagnostics,
        get_player_names: Callable[[], Sequence[str]],
        pair_number_pads: Callable[[Sequence[str]], None],
    ) -> None:
        self.app, self.diagnostics = app, diagnostics
        self._names = get_player_names
        self._pair = pair_number_pads
        self._devices: dict[str, tuple[Section, DeviceTile]] = {}
        diagnostics.bind(
            findings=lambda *_: self._update_findings(),
            is_examination_done=lambda *_: self._update_findings(),
        )
        diagnostics.bind(on_device_signal=lambda _, device: self._update_device(device))

    def open(self) -> None:
        """Opens the service screens: examines the machine and shows the findings."""
        self.diagnostics.start_examination()
        self._show_findings()

    def close(self) -> None:
        """Stops the examination, closes the service screens and shows home."""
        self.diagnostics.stop_examination()
        self.app.show_home()

    def _show_findings(self) -> None:
        self.app.stage.replace_screen(self._make_findings_page)

    def _make_findings_page(self) -> Widget:
        page = FindingsPage(
            write_report=self._write_report,
            open_devices=lambda: self.app.stage.replace_screen(self._make_devices_page),
            back_up_games=self._back_up_games,
        )
        page.show_findings(self.diagnostics.findings, is_done=self.diagnostics.is_examination_done)
        page.bind(on_close=lambda _: self.close())
        return page

    def _update_findings(self) -> None:
        if isinstance(page := self.app.stage.screen, FindingsPage):
            page.show_findings(self.diagnostics.findings, is_done=self.diagnostics.is_examination_done)

    def _write_report(self) -> None:
        tr = self.app.tr

        def write() -> None:
            file = str(self.diagnostics.write_report_file())
            show_message(tr("The report was saved as {file}.", file=file))

        run_or_explain(write)

    def _back_up_games(self) -> None:
        tr = self.app.tr

        def copy() -> None:
            file = str(self.diagnostics.back_up_games_to_usb_stick())
            text = tr("All games were saved in {file}. Unplug the stick when its light is off. Keep the file "
"private: it contains the hidden cards and bids of all games.", file=file)  # fmt: skip  # one sentence
            show_message(text)

        run_or_explain(copy)

    # Devices

    def _make_devices_page(self) -> Widget:
        self._devices = {}
        for section, _ in self.diagnostics.device_findings_by_section():
            button_names = list(section.pins) if isinstance(section, Buttons) else []
            name = render(section.device_title(self._player_name(section)), self.app.lang)
            self._devices[section.device_name] = section, DeviceTile(name, button_names)
            self._update_tile(section.device_name)
        page = DevicesPage([tile for _, tile in self._devices.values()], self._pair_number_pads)
        page.bind(on_close=lambda _: self._show_findings())
        return page

    def _pair_number_pads(self) -> None:
        names = self._names()
        self.diagnostics.stop_examination()
        self._pair(names)

    def _update_device(self, device: str) -> None:
        if isinstance(self.app.stage.screen, DevicesPage) and device in self._devices:
            self._update_tile(device)

    def _update_tile(self, device: str) -> None:
        section, tile = self._devices[device]
        finding = next(
            finding
            for finding_section, finding in self.diagnostics.device_findings_by_section()
            if finding_section is section
        )
        tile.show_finding(finding, self.diagnostics.describe_device(section), self.app.lang)
        tile.lamps.pressed_buttons = [
            button_name
            for button_device, button_name in self.diagnostics.signal_history.buttons_down
            if button_device == device
        ]
        if isinstance(section, Reader):
            tags = self.diagnostics.signal_history.tags_by_device.get(device, [])
            tile.last_input = " ".join(f"…{tag[-4:]}" for tag in tags)  # enough to tell two stickers apart
        else:
            tile.last_input = self.diagnostics.last_input_text(device)

    def _player_name(self, section: Section) -> str | None:
        names, number = self._names(), section.seat_number or 0
        return names[number - 1] if 0 < number <= len(names) else None
