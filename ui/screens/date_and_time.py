"""The page on which people set the date and the time of the machine, which may have no network."""

from __future__ import annotations

from calendar import monthrange
from datetime import datetime

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion import wall_clock
from ui import theme
from ui.evening.controller import TableController
from ui.host import AppWithEvening, SetClockFunction
from ui.pages import Page, make_key, make_key_row, open_number_pad_on_touch, open_page, show_message
from ui.starts import read_boot_id
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.steppers import TypableStepper

FIRST_YEAR, LAST_YEAR = 2026, 2099


class DateAndTimePage(Page):
    """A page with a dial for the year, month, day, hour and minute, and a key that sets the clock.

    `on_moment` gets the date and the time, in the machine's own time zone.
    """

    __events__: tuple[str, ...] = ("on_moment",)

    def __init__(self, now: datetime) -> None:
        super().__init__(padding=theme.length.margin)
        tr = self.app.tr
        hint_text = tr("With a network, the machine sets its clock by itself.")
        hint_height = theme.length.body * 2.6
        hint = FittedLabel(text=hint_text, is_on_felt=True, lines=2, size_hint_y=None, height=hint_height)
        self.year = _make_dial("year", tr("Year"), now.year, FIRST_YEAR, LAST_YEAR)
        self.month = _make_dial("month", tr("Month"), now.month, 1, 12)
        self.day = _make_dial("day", tr("Day"), now.day, 1, 31)
        self.hour = _make_dial("hour", tr("Hour"), now.hour, 0, 23)
        self.minute = _make_dial("minute", tr("Minute"), now.minute, 0, 59)
        date, time = (self.year, self.month, self.day), (self.hour, self.minute)
        dials = BoxLayout(spacing=theme.length.gap)
        if self.app.stage.is_next_page_portrait:
            dials.orientation = "vertical"
            add_children(dials, *date, *time)
        else:
            add_children(dials, _make_column(*date), _make_column(*time, Widget()))
        for dial in (self.year, self.month):
            dial.fbind("count", self._fit_days)
        self._fit_days()
        set_key = make_key("set clock", tr("Set the clock"), self._dispatch_moment, look="brass")
        self.add_content(tr("Date and time"), hint, dials, make_key_row(set_key))

    def _fit_days(self, *_: object) -> None:
        """Lets people choose only days that the month has."""
        self.day.most = monthrange(self.year.count, self.month.count)[1]
        self.day.count = min(self.day.count, self.day.most)

    def _dispatch_moment(self) -> None:
        date = (int(self.year.count), int(self.month.count), int(self.day.count))
        moment = datetime(*date, int(self.hour.count), int(self.minute.count)).astimezone()
        self.dispatch("on_moment", moment)


def _make_column(*widgets: Widget) -> BoxLayout:
    return add_children(BoxLayout(orientation="vertical", spacing=theme.length.gap), *widgets)


def _make_dial(name: str, text: str, count: int, least: int, most: int) -> TypableStepper:
    dial = TypableStepper(name=name, text=text, count=min(most, max(least, count)), least=least, most=most)
    open_number_pad_on_touch(dial)
    return dial


# The flow: sets the clock, and trusts it until the machine restarts.


BOOT_OF_CLOCK_KEY = "clock_set_in_boot"
"""The key under which the id of the machine's start is remembered in which people set the clock."""


def open_date_and_time(app: AppWithEvening, set_clock: SetClockFunction) -> None:
    """Opens the page for the date and the time; games then have dates, also without a network."""
    page = DateAndTimePage(datetime.now().astimezone())

    def set_and_trust(_page: DateAndTimePage, moment: datetime) -> None:
        problem = set_clock(moment)
        if problem:
            show_message(app.tr("The clock can't be set: {why}", why=problem))
            return
        app.controller.remember_value(BOOT_OF_CLOCK_KEY, read_boot_id())
        trust_clock_if_set_by_hand(app.controller)
        page.close()

    page.bind(on_moment=set_and_trust)
    open_page(page)


def trust_clock_if_set_by_hand(controller: TableController) -> None:
    """Trusts the machine's clock if people have set it since the machine was started."""
    boot_id = read_boot_id()
    if boot_id and controller.load_remembered_value(BOOT_OF_CLOCK_KEY, "", str) == boot_id:
        wall_clock.trust_clock()
