"""Service: what the doctor finds, failing lines first, and every device with what it says at this moment.

It examines nothing and opens nothing; a `Bench` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.app import App
from kivy.properties import BooleanProperty, ListProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.words import Text, render
from hardware.doctor.machine import Finding
from ui import theme
from ui.widgets.drawing.drawn import Drawn, fill, paper, rim
from ui.widgets.drawing.icons import draw_dot, draw_icon
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.head import Head, Page

ROWS = 4
ACROSS, DOWN = 2, 3
"""Devices on a page."""
SIGNS = {"ok": "tick", "failed": "cross", "skipped": "minus"}


class _Mark(Drawn):
    """Well, or not: always a sign, never a colour alone."""

    shows: ClassVar[tuple[str, ...]] = ("mark",)
    mark = OptionProperty("ok", options=list(SIGNS))

    def draw(self) -> None:
        side = theme.length.glyph
        box = (self.center_x - side / 2, self.center_y - side / 2, side, side)
        draw_icon(SIGNS[self.mark], box, theme.QUIET if self.mark == "ok" else theme.INK)


class FindingLine(Drawn, BoxLayout):
    """One line of the doctor: on paper where something is to be done, else flat on the felt."""

    def __init__(self, finding: Finding, lang: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap, gap * 0.4, gap * 2, gap * 0.4), spacing=gap, **kwargs)
        self.fails = finding.mark == "failed"
        texts = BoxLayout(orientation="vertical")
        texts.add_widget(_text(render(finding.what, lang), felt=not self.fails, size_hint_y=1.15))
        if finding.todo is not None:
            texts.add_widget(_text(render(finding.todo, lang), style="quiet"))
        self.add_widget(_Mark(mark=finding.mark, size_hint_x=None, width=theme.length.glyph * 1.6))
        self.add_widget(texts)

    def draw(self) -> None:
        """Paper with a red rim, or a dent."""
        if self.fails:
            paper(self.box, theme.length.line)
            rim(theme.DANGER, self.box, theme.length.rim)
        else:
            fill(theme.fade(theme.FELT_DARK, 0.55), self.box)


class Lamps(Drawn):
    """A seat's buttons as lamps; one that is down is filled and stands higher."""

    shows: ClassVar[tuple[str, ...]] = ("caps", "down")
    caps = ListProperty()
    down = ListProperty()

    def draw(self) -> None:
        """A ring each, filled while its button is down."""
        side = theme.length.glyph
        for at, cap in enumerate(self.caps):
            x = self.right - (len(self.caps) - at) * side * 1.5
            box = (x, self.center_y - side / 2, side, side)
            rim(theme.INK, box, theme.length.line, side / 2)
            if cap in self.down:
                draw_dot(box, theme.BRASS_DARK)


class Device(Drawn, BoxLayout):
    """A device on paper: what it is called, whether it can be used, and what it says now."""

    shows: ClassVar[tuple[str, ...]] = ("fails",)
    fails = BooleanProperty(defaultvalue=False)
    said = StringProperty("")

    def __init__(self, name: str, caps: Sequence[str] = (), **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 1.5, gap * 0.6), **kwargs)
        top = BoxLayout(spacing=gap)
        self.lamps = Lamps(caps=list(caps), size_hint_x=None, width=len(caps) * theme.length.glyph * 1.5)
        self.saying = Writing(style="bid", halign="right", size_hint_x=0.7)
        top.add_widget(_text(name))
        top.add_widget(self.lamps if caps else self.saying)
        self.status = _text("", style="quiet")
        for part in (top, self.status):
            self.add_widget(part)
        self.bind(said=lambda _, said: setattr(self.saying, "text", said))

    def show(self, finding: Finding, status: Text, lang: str) -> None:
        """How it stands."""
        self.fails = finding.mark == "failed"
        self.status.text = render(finding.todo or status, lang)

    def draw(self) -> None:
        """Paper, with a red rim where it can't be used."""
        paper(self.box, theme.length.line)
        if self.fails:
            rim(theme.DANGER, self.box, theme.length.rim)


class _Pages(Page):
    """A head, pages of things, and keys in a row at its foot: in the head they would leave no room for it."""

    def __init__(self, title: str, pager: Pager, keys: Sequence[Key], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.pager = pager
        pager.back.width = pager.on.width = theme.length.target
        foot = BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.gap)
        for key in keys:
            foot.add_widget(key)
        self.lay_under(Head(title, (pager.back, pager.on) if pager.is_apart else ()), pager, foot)


class Checks(_Pages):
    """The doctor's lines."""

    __events__: tuple[str, ...] = (
        "on_report",  # write what was found into a file
        "on_devices",  # show the devices
        "on_copy",  # put all games onto a stick
    )

    def __init__(self, **kwargs: Any) -> None:
        app = App.get_running_app()
        self.report = _key("report", app.tr("Write a report"), disabled=True)
        devices = _key("devices", app.tr("Devices"))
        copy = _key("copy", app.tr("Copy the games"))
        copy.bind(on_release=lambda _: self.dispatch("on_copy"))
        self.report.bind(on_release=lambda _: self.dispatch("on_report"))
        devices.bind(on_release=lambda _: self.dispatch("on_devices"))
        pager = Pager(rows=ROWS, is_apart=not app.stage.is_upright)
        super().__init__(app.tr("Service"), pager, (copy, self.report, devices), **kwargs)

    def show(self, findings: Sequence[Finding], *, is_done: bool) -> None:
        """These were found so far; once it is all, failing ones come first, and a report can be written."""
        found = sorted(findings, key=lambda finding: finding.mark != "failed") if is_done else findings
        lang = App.get_running_app().lang
        self.pager.things = [FindingLine(finding, lang) for finding in found]
        self.report.disabled = not is_done


class DeviceTable(_Pages):
    """Every wired device. Closed it leads back to the doctor's lines."""

    __events__: tuple[str, ...] = ("on_pair",)  # ask which number pad is at which seat

    def __init__(self, devices: Sequence[Device], **kwargs: Any) -> None:
        app = App.get_running_app()
        pair = _key("pair", app.tr("Number pads"))
        pair.bind(on_release=lambda _: self.dispatch("on_pair"))
        pager = Pager(cols=ACROSS, rows=DOWN, is_apart=not app.stage.is_upright)
        super().__init__(app.tr("Devices"), pager, (pair,), **kwargs)
        nothing = app.tr("Nothing is wired yet. Begin with: companion hardware init")
        pager.things = list(devices) or [_text(nothing, felt=True)]


def _key(name: str, text: str, **kwargs: Any) -> Key:
    return Key(name=name, text=text, look="felt", **kwargs)


def _text(text: str, **kwargs: Any) -> Writing:
    return Writing(text=text, lines=2, line_height=1.0, **kwargs)
