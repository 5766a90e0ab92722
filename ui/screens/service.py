"""The service screens: the findings of the doctor, failures first, and every device with its last input.

It examines nothing and opens nothing; a `Diagnostics` does.
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
from ui.host import AppWithEvening, running_app
from ui.pages import Page, run_or_explain, show_message
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn, dent, paper, rim
from ui.widgets.drawing.symbols import draw_dot, draw_icon
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager

FINDINGS_PER_PAGE, UPRIGHT_FINDINGS_PER_PAGE = 3, 4
"""Each finding has room for two lines of text, and two more about what to do."""
DEVICE_COLUMNS, DEVICE_ROWS = 2, 3
"""Columns and rows of devices on a page."""
MARK_ICONS = {"ok": "tick", "failed": "cross", "skipped": "minus"}


class _Mark(Drawn):
    """The icon of a result: never a colour alone."""

    shows: ClassVar[tuple[str, ...]] = ("mark",)
    mark = OptionProperty("ok", options=list(MARK_ICONS))

    def draw(self) -> None:
        side = theme.length.glyph
        box = (self.center_x - side / 2, self.center_y - side / 2, side, side)
        draw_icon(MARK_ICONS[self.mark], box, theme.QUIET if self.mark == "ok" else theme.INK)


class FindingRow(Drawn, BoxLayout):
    """A finding of the doctor: on paper if something must be done, else flat on the felt."""

    def __init__(self, finding: Finding, lang: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap, gap * 0.4, gap * 2, gap * 0.4), spacing=gap, **kwargs)
        self.fails = finding.status == "failed"
        what = _text(render(finding.what, lang), felt=not self.fails, size_hint_y=1.15)
        texts = put(BoxLayout(orientation="vertical"), what)
        if finding.todo is not None:
            put(texts, _text(render(finding.todo, lang), style="quiet"))
        put(self, _Mark(mark=finding.status, size_hint_x=None, width=theme.length.glyph * 1.6), texts)

    def draw(self) -> None:
        """Draws paper with a red rim, or a dent."""
        if self.fails:
            paper(self.box, theme.length.line)
            rim(theme.DANGER, self.box, theme.length.rim)
        else:
            dent(self.box)


class ButtonLamps(Drawn):
    """A seat's buttons as lamps; a pressed button is a filled lamp."""

    shows: ClassVar[tuple[str, ...]] = ("caps", "down")
    caps = ListProperty()
    down = ListProperty()

    def draw(self) -> None:
        """Draws a ring for each button, filled while it is down."""
        side = theme.length.glyph
        for at, cap in enumerate(self.caps):
            x = self.right - (len(self.caps) - at) * side * 1.5
            box = (x, self.center_y - side / 2, side, side)
            rim(theme.INK, box, theme.length.line, side / 2)
            if cap in self.down:
                draw_dot(box, theme.BRASS_DARK)


class DeviceTile(Drawn, BoxLayout):
    """A device: its name, whether it can be used, and its last input."""

    shows: ClassVar[tuple[str, ...]] = ("fails",)
    fails = BooleanProperty(defaultvalue=False)
    said = StringProperty("")

    def __init__(self, name: str, caps: Sequence[str] = (), **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 1.5, gap * 0.6), **kwargs)
        self.lamps = ButtonLamps(
            caps=list(caps), size_hint_x=None, width=len(caps) * theme.length.glyph * 1.5
        )
        self.saying = Writing(style="bid", halign="right", size_hint_x=0.7)
        top = put(BoxLayout(spacing=gap), _text(name), self.lamps if caps else self.saying)
        self.status = _text("", style="quiet")
        put(self, top, self.status)
        self.bind(said=lambda _, said: setattr(self.saying, "text", said))

    def show(self, finding: Finding, status: Text, lang: str) -> None:
        """Shows whether the device can be used, or what to do."""
        self.fails = finding.status == "failed"
        self.status.text = render(finding.todo or status, lang)

    def draw(self) -> None:
        """Draws paper, with a red rim if the device can't be used."""
        paper(self.box, theme.length.line)
        if self.fails:
            rim(theme.DANGER, self.box, theme.length.rim)


class _Pages(Page):
    """A page with a pager and a row of keys below it: the head has no room for them."""

    def __init__(self, title: str, pager: Pager, keys: Sequence[Key], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.pager = pager
        foot = put(BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.gap), *keys)
        self.lay_out(title, pager, foot, keys=(pager.back, pager.on) if pager.is_apart else ())

    def _key(self, name: str, text: str, **look: Any) -> Key:
        """Returns a key that dispatches the event of its name."""
        return self.event_key(f"on_{name}", name=name, text=text, look="felt", **look)


class FindingsPage(_Pages):
    """The findings of the doctor."""

    __events__: tuple[str, ...] = (
        "on_report",  # write what was found into a file
        "on_devices",  # show the devices
        "on_copy",  # put all games onto a stick
    )

    def __init__(self, **kwargs: Any) -> None:
        app = running_app()
        self.report = self._key("report", app.tr("Write a report"), disabled=True)
        devices = self._key("devices", app.tr("Devices"))
        copy = self._key("copy", app.tr("Back up the games"))
        is_upright = app.stage.is_upright
        pager = Pager(
            rows=UPRIGHT_FINDINGS_PER_PAGE if is_upright else FINDINGS_PER_PAGE, is_apart=not is_upright
        )
        super().__init__(app.tr("Service"), pager, (copy, self.report, devices), **kwargs)

    def show(self, findings: Sequence[Finding], *, is_done: bool) -> None:
        """Shows the findings so far. Once all are in, failures come first and a report can be written."""
        found = sorted(findings, key=lambda finding: finding.status != "failed") if is_done else findings
        lang = running_app().lang
        self.pager.things = [FindingRow(finding, lang) for finding in found]
        self.report.disabled = not is_done


class DevicesPage(_Pages):
    """Every wired device; the way back leads to the findings."""

    __events__: tuple[str, ...] = ("on_pair",)  # ask which number pad is at which seat

    def __init__(self, devices: Sequence[DeviceTile], **kwargs: Any) -> None:
        app = running_app()
        pair = self._key("pair", app.tr("Number pads"))
        pager = Pager(cols=DEVICE_COLUMNS, rows=DEVICE_ROWS, is_apart=not app.stage.is_upright)
        super().__init__(app.tr("Devices"), pager, (pair,), **kwargs)
        nothing = app.tr("No devices are set up yet. To begin, run: companion hardware init")
        pager.things = list(devices) or [_text(nothing, felt=True)]


def _text(text: str, **kwargs: Any) -> Writing:
    return Writing(text=text, lines=2, line_height=1.0, **kwargs)


# The flow from home to the findings and to the devices.


class ServiceFlow:
    """`ServiceFlow(app, controller.diagnostics, names, pair).open()`; the way back leads home.

    `names` are those of the open game, in the order of the seats; without one seats go by their number.
    `pair` asks them which number pad is whose.
    """

    def __init__(
        self,
        app: AppWithEvening,
        diagnostics: Diagnostics,
        names: Callable[[], Sequence[str]],
        pair: Callable[[Sequence[str]], None],
    ) -> None:
        self.app, self.diagnostics = app, diagnostics
        self._names = names
        self._ask_for_pads = pair
        self._devices: dict[str, tuple[Section, DeviceTile]] = {}
        diagnostics.bind(findings=lambda *_: self._found(), is_done=lambda *_: self._found())
        diagnostics.bind(on_heard=lambda _, device: self._heard(device))

    def open(self) -> None:
        """Examines the machine and shows the findings."""
        self.diagnostics.open()
        self._back()

    def close(self) -> None:
        """Stops the examination and shows home."""
        self.diagnostics.close()
        self.app.go_home()

    def _back(self) -> None:
        self.app.stage.show_screen(self._checks)

    def _checks(self) -> Widget:
        page = FindingsPage()
        page.show(self.diagnostics.findings, is_done=self.diagnostics.is_done)
        page.bind(
            on_close=lambda _: self.close(),
            on_report=lambda _: self._report(),
            on_copy=lambda _: self._copy(),
            on_devices=lambda _: self.app.stage.show_screen(self._table),
        )
        return page

    def _found(self) -> None:
        if isinstance(page := self.app.stage.screen, FindingsPage):
            page.show(self.diagnostics.findings, is_done=self.diagnostics.is_done)

    def _report(self) -> None:
        tr = self.app.tr

        def write() -> None:
            file = str(self.diagnostics.write_report())
            show_message(tr("The report was saved as {file}.", file=file))

        run_or_explain(write)

    def _copy(self) -> None:
        tr = self.app.tr

        def copy() -> None:
            file = str(self.diagnostics.back_up_games())
            text = tr("All games were saved in {file}. Unplug the stick when its light is off. Keep the file "
"private: it contains the hidden cards and bids of all games.", file=file)  # fmt: skip  # one sentence
            show_message(text)

        run_or_explain(copy)

    # Devices

    def _table(self) -> Widget:
        self._devices = {}
        for section, _ in self.diagnostics.device_findings():
            caps = list(section.pins) if isinstance(section, Buttons) else []
            name = render(section.title(self._who(section)), self.app.lang)
            self._devices[section.device_name] = section, DeviceTile(name, caps)
            self._show(section.device_name)
        table = DevicesPage([device for _, device in self._devices.values()])
        table.bind(on_close=lambda _: self._back(), on_pair=lambda _: self._pair())
        return table

    def _pair(self) -> None:
        names = self._names()
        self.diagnostics.close()
        self._ask_for_pads(names)

    def _heard(self, device: str) -> None:
        if isinstance(self.app.stage.screen, DevicesPage) and device in self._devices:
            self._show(device)

    def _show(self, device: str) -> None:
        section, tile = self._devices[device]
        finding = next(finding for each, finding in self.diagnostics.device_findings() if each is section)
        tile.show(finding, self.diagnostics.describe_device(section), self.app.lang)
        tile.lamps.down = [cap for of, cap in self.diagnostics.heard.buttons_down if of == device]
        lying = self.diagnostics.heard.tags_present.get(device, [])
        tile.said = _tags(lying) if isinstance(section, Reader) else self.diagnostics.last_input(device)

    def _who(self, section: Section) -> str | None:
        names, number = self._names(), section.seat_number or 0
        return names[number - 1] if 0 < number <= len(names) else None


def _tags(lying: Sequence[str]) -> str:
    """Returns the last four digits of each tag, enough to tell two stickers apart."""
    return " ".join(f"…{tag[-4:]}" for tag in lying)
