"""Notices that cover the table for a moment: events, the dice that were rolled, a clock that is up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.requests import Die
from companion.texts import render
from ui import theme
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import PaperBoxLayout, draw_border
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.sheets.overlays import TimedNotice

MAX_NOTICE_LINES = 24


class EventsNotice(TimedNotice):
    """A notice of the latest events: all that happened after the last answer.

    Each event has a line. The notice is shown if the screen has no room for the events.
    """

    def __init__(self, title: str, texts: Sequence[str], **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(padding=sizes.margin, **kwargs)
        self.texts = texts
        self.title = FittedLabel(text=title, style="question", size_hint_y=None, height=sizes.question * 1.4)
        self.label = FittedLabel(text="\n".join(texts), lines=MAX_NOTICE_LINES, line_height=1.0, valign="top")
        sheet = PaperBoxLayout(padding=sizes.margin, spacing=sizes.gap)
        add_children(self, add_children(sheet, self.title, self.label))


class DiceNotice(TimedNotice):
    """The dice that the companion rolled, large, each with its name."""

    def __init__(self, dice: Sequence[Die], faces: Sequence[int], lang: str, **kwargs: Any) -> None:
        super().__init__(theme.REVEAL_PAUSE_SECONDS, **kwargs)
        for die, face in zip(dice, faces, strict=True):
            sheet = PaperBoxLayout(
                size_hint_y=None, height=theme.length.grand * 2.4, pos_hint={"center_y": 0.5}
            )
            number = FittedLabel(text=str(face), style="grand", halign="center")
            name = FittedLabel(
                text=render(die.label, lang), style="question", halign="center", size_hint_y=0.35
            )
            add_children(self, add_children(sheet, number, name))


class _RedRimmedPaper(PaperBoxLayout):
    def draw(self) -> None:
        """Draws paper with a red rim."""
        super().draw()
        draw_border(theme.DANGER, self.box, theme.length.rim * 2)


class TimeUpNotice(TimedNotice):
    """A notice that a clock is up; `text` says whose time is up and what happens now."""

    def __init__(self, text: str, **kwargs: Any) -> None:
        super().__init__(theme.EXPIRED_CLOCK_NOTICE_SECONDS, **kwargs)
        sheet = _RedRimmedPaper(size_hint_y=None, height=theme.length.grand * 2.2, pos_hint={"center_y": 0.5})
        time = FittedLabel(text="0:00", style="grand", halign="center")
        sentence = FittedLabel(text=text, style="question", halign="center", lines=3)
        add_children(self, add_children(sheet, time, sentence))
