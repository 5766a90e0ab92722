"""The drawer of `--simulate`: the wired devices, simulated, on a panel over any screen.

Touches in the drawer change the simulated hardware itself: a pin, a key, a tag on the antenna; the real
drivers react to the change. A closed drawer is a tab at the edge and needs no computing time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

from kivy.clock import Clock
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.cards import Deck
from companion.tag_enrolment import card_label
from companion.texts import render
from hardware.desk.entry import PAD_KEYS
from hardware.simulated.table import run_script_line
from hardware.simulated.tags import simulated_tag_uid
from hardware.wiring import Light
from ui import theme
from ui.host import AppWithEvening
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, draw_border, fill_rounded_box
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager

if TYPE_CHECKING:
    from hardware.simulated.pins import SimulatedButton
    from hardware.simulated.rc522 import SimulatedRc522
    from hardware.simulated.table import SimulatedTable


DRAWER_REFRESH_SECONDS = 0.1
"""Seconds between two updates of lights and displays while the drawer is open."""
CARD_PAGE_GRID = 4, 2
"""Columns and rows of cards on a page."""
KEYPAD_ROWS = tuple(PAD_KEYS[at : at + 5] for at in range(0, len(PAD_KEYS), 5))


class DrawerBackground(AutoRedrawWidget, BoxLayout):
    """The background of the open drawer."""

    def draw(self) -> None:
        """Draws the background of the drawer: dark wood with a line of brass as its edge."""
        fill_rounded_box(theme.FELT_DARK, self.box, 0.0)
        draw_border(theme.BRASS_DARK, self.box, theme.length.line, 0.0)

    def on_touch_down(self, touch: Any) -> bool:
        """Takes every touch of the drawer, so that the screen below gets none."""
        return bool(super().on_touch_down(touch)) or self.collide_point(*touch.pos)


class SimulatedSeatLight(AutoRedrawWidget):
    """A picture of a seat's light."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("is_on",)
    is_on = BooleanProperty(defaultvalue=False)

    def draw(self) -> None:
        """Draws the light, on or off."""
        side = min(self.width, self.height, theme.length.token)
        box = (self.center_x - side / 2, self.center_y - side / 2, side, side)
        fill_rounded_box(theme.BRASS_LIT if self.is_on else theme.FELT, box, side / 2)
        draw_border(theme.BRASS, box, theme.length.line, side / 2)


class SimulatedDevicesDrawer(FloatLayout):
    """The drawer of simulated devices over the app's stage, refreshed until `stop_refreshing`."""

    def __init__(self, app: AppWithEvening, simulated_table: SimulatedTable) -> None:
        super().__init__()
        self.app, self.simulated_table = app, simulated_table
        self._seat_or_zone = ""
        self._shows_faults = False
        self._updates: list[Callable[[], None]] = []
        self._update_trigger = Clock.schedule_interval(
            lambda _: self._update_widgets(), DRAWER_REFRESH_SECONDS
        )
        self._update_trigger.cancel()
        sections = [
            section
            for _, section in simulated_table.wiring.sections_with_keys()
            if section.type_name() in SEAT_DEVICE_KINDS
        ]
        seat_numbers = {section.seat_number or 0 for section in sections}
        self.builder_by_place: dict[str, Callable[[], Widget]] = {
            **{str(seat): partial(self._make_seat_page, seat) for seat in sorted(seat_numbers)},
            **{zone: partial(self._make_reader_page, zone) for zone in simulated_table.readers},
        }
        app.fbind("lang", lambda *_: self.rebuild())
        self.rebuild()

    @property
    def is_open(self) -> bool:
        """Whether the drawer is open."""
        return bool(self._seat_or_zone)

    def open_at(self, seat_or_zone: str) -> None:
        """Opens the drawer at a seat's number or a reader's zone; an empty text closes it."""
        self._seat_or_zone = seat_or_zone
        self._shows_faults = False
        self.rebuild()

    def rebuild(self) -> None:
        """Builds the drawer again, for the size of the window and the app's language."""
        self.clear_widgets()
        self._updates = []
        self._update_trigger.cancel()
        if not self.builder_by_place:
            return
        if not self.is_open:
            self.add_widget(self._make_tab())
            return
        self.add_widget(self._make_open_drawer())
        self._update_trigger()
        self._update_widgets()

    def stop_refreshing(self) -> None:
        """Stops updating lights and displays, when the app ends."""
        self._update_trigger.cancel()

    def _update_widgets(self) -> None:
        for update in self._updates:
            update()

    def _make_tab(self) -> Widget:
        sizes, tr = theme.length, self.app.tr
        tab = Key(name=tr("Devices"), icon="next", look="brass")
        tab.size_hint, tab.size = (None, None), (sizes.target * 0.5, sizes.target)
        tab.pos_hint = {"x": 0, "center_y": 0.5}
        first = next(iter(self.builder_by_place))
        tab.bind(on_release=lambda _: self.open_at(first))
        return tab

    def _make_open_drawer(self) -> Widget:
        sizes, tr = theme.length, self.app.tr
        background = DrawerBackground(orientation="vertical", padding=sizes.gap, spacing=sizes.gap / 2)
        background.size_hint, background.pos_hint = (1, 0.56), {"x": 0, "y": 0}
        head = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.gap / 2)
        close = Key(icon="leave", name=tr("Close the drawer"), look="felt")
        close.size_hint_x, close.width = None, sizes.target
        close.bind(on_release=lambda _: self.open_at(""))
        add_children(head, close)
        for place in self.builder_by_place:
            key = Key(text=place, name=f"drawer {place}", chosen=place == self._seat_or_zone, lines=1)
            key.bind(on_release=lambda _, place=place: self.open_at(place))
            add_children(head, key)
        if caption_by_fault_line(self.app, self.simulated_table, self._seat_or_zone):
            add_children(head, key := Key(text=tr("Faults"), chosen=self._shows_faults, lines=1))
            key.bind(on_release=lambda _: self._toggle_faults())
        shows_faults, place = self._shows_faults, self._seat_or_zone
        content = (
            make_fault_keys(self.app, self.simulated_table, place)
            if shows_faults
            else self.builder_by_place[place]()
        )
        return add_children(background, head, content)

    def _toggle_faults(self) -> None:
        """Switches between the devices of a seat or zone and their faults."""
        self._shows_faults = not self._shows_faults
        self.rebuild()

    def _make_seat_page(self, seat: int) -> Widget:
        """Returns the simulated displays, lights and buttons of a seat."""
        table = self.simulated_table
        row = add_children(BoxLayout(spacing=theme.length.gap), self._make_seat_outputs(seat))
        keys = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2, size_hint_x=2.2)
        pad = table.keypads.get(seat) or table.numpads.get(seat)
        if pad is not None:
            for row_keys in KEYPAD_ROWS:
                press_keys = [
                    _make_press_key(f"{seat} {key}", key, partial(pad.type, key)) for key in row_keys
                ]
                add_children(keys, add_children(BoxLayout(spacing=theme.length.gap / 2), *press_keys))
        if seat in table.buttons:
            buttons = table.buttons[seat].items()
            hold_keys = [
                _make_hold_key(f"{seat} {name}", CAPTION_BY_BUTTON[name], button) for name, button in buttons
            ]
            add_children(keys, add_children(BoxLayout(spacing=theme.length.gap / 2), *hold_keys))
        return add_children(row, keys) if keys.children else row

    def _make_seat_outputs(self, seat: int) -> Widget:
        """Returns the lights, displays and plug of a seat."""
        table = self.simulated_table
        column = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2)
        keypad, numpad, display = table.keypads.get(seat), table.numpads.get(seat), table.displays.get(seat)
        if keypad is not None:
            self._add_display_line(column, lambda: keypad.display.partition("\n")[0])
            self._add_display_line(column, lambda: keypad.display.partition("\n")[2])
        if display is not None:
            self._add_display_line(column, lambda: display.text, "digit")
        lamps: list[Callable[[], bool]] = []
        if keypad is not None:
            lamps.append(lambda: keypad.light != "off")
        if numpad is not None:
            lamps.append(lambda: numpad.is_lit)
        if any(light.seat == seat for light in table.wiring.sections_of_type(Light)):
            lamps.append(lambda: table.is_light_on(seat))
        for is_lit in lamps:
            lamp = SimulatedSeatLight()
            add_children(column, lamp)
            self._updates.append(partial(_update_light, lamp, is_lit))
        if (pad := keypad or numpad) is not None:
            add_children(column, self._make_plug_key(f"{seat} plug", pad))
        return column

    def _add_display_line(self, column: BoxLayout, read_text: Callable[[], str], style: str = "body") -> None:
        label = FittedLabel(is_on_felt=True, style=style)
        add_children(column, label)

        def update() -> None:
            label.text = read_text()

        self._updates.append(update)

    def _make_plug_key(self, name: str, device: Any) -> Key:
        tr = self.app.tr
        key = Key(name=name, lines=1)

        def update() -> None:
            key.text = tr("Unplug") if device.is_plugged_in else tr("Plug in")

        def toggle() -> None:
            (device.unplug if device.is_plugged_in else device.plug_in)()
            update()

        key.bind(on_release=lambda _: toggle())
        update()
        return key

    def _make_reader_page(self, zone: str) -> Widget:
        """Returns the cards of the game as buttons; those on the reader are ticked."""
        chip = self.simulated_table.readers[zone]
        column = BoxLayout(spacing=theme.length.gap)
        deck = self._deck_on_table()
        self._updates.append(lambda: None if _is_same_deck(self._deck_on_table(), deck) else self.rebuild())
        cards = [] if deck is None else [(deck, name) for name in deck.cards]
        if cards:
            columns, rows = CARD_PAGE_GRID
            add_children(
                column,
                Pager(
                    items=cards, cols=columns, rows=rows, make=lambda each: self._make_card_key(chip, *each)
                ),
            )
        else:
            add_children(
                column, FittedLabel(text=self.app.tr("No game with cards is open."), is_on_felt=True, lines=2)
            )
        plug = self._make_plug_key(f"{zone} plug", chip)
        plug.size_hint_x, plug.width = None, theme.length.target * 1.8
        return add_children(column, plug)

    def _deck_on_table(self) -> Deck | None:
        """Returns the taggable deck of the game on the table; None without such a game."""
        return self.app.evening.taggable_deck if self.app.has_open_evening else None

    def _make_card_key(self, chip: SimulatedRc522, deck: Deck, name: str) -> Key:
        tag = simulated_tag_uid(deck.name, name)
        key = Key(
            text=render(card_label(deck, name), self.app.lang),
            name=f"card {name}",
            chosen=tag in chip.tag_uids,
        )

        def toggle() -> None:
            if tag in chip.tag_uids:
                chip.remove_tag(tag)
            else:
                chip.add_tag(tag)
            key.chosen = tag in chip.tag_uids

        key.bind(on_release=lambda _: toggle())
        return key


SEAT_DEVICE_KINDS = ("keypad", "numpad", "buttons", "light", "display")
"""The kinds of devices that belong to a seat."""


def _is_same_deck(deck: Deck | None, other_deck: Deck | None) -> bool:
    """Returns whether two decks have the same name; an undo makes a new object of the same deck."""
    return (deck and deck.name) == (other_deck and other_deck.name)


def _update_light(lamp: SimulatedSeatLight, is_lit: Callable[[], bool]) -> None:
    lamp.is_on = is_lit()


def _make_press_key(name: str, text: str, press: Callable[[], None]) -> Key:
    """Returns a key that acts when it goes down, as the keys of a keypad do."""
    key = Key(name=name, text=text, lines=1, has_narrow_margins=True)
    key.bind(on_press=lambda _: press())
    return key


def _make_hold_key(name: str, text: str, button: SimulatedButton) -> Key:
    """Returns a key that is down as long as the finger is, even if the finger slides off the key."""
    key = Key(name=name, text=text, style="digit", lines=1, always_release=True)
    key.bind(on_press=lambda _: button.press_down(), on_release=lambda _: button.release())
    return key


# Faults of the simulated devices: a key of the drawer runs a line of `hardware.simulated.table`, so drawer,
# scripts and command line have the same faults.


CAPTION_BY_BUTTON = {"plus": "+", "minus": "−", "ok": "OK", "tap": "•"}
"""The caption of each button."""
CARD_PLACEHOLDER = "CARD"
"""Placeholder in a fault line for each of the cards on the reader."""
FAULT_COLUMNS = 3


def caption_by_fault_line(
    app: AppWithEvening, simulated_table: SimulatedTable, seat_or_zone: str
) -> dict[str, str]:
    """Returns the caption of each fault of a seat or a zone, by its line."""
    if seat_or_zone in simulated_table.readers:
        return {f"{seat_or_zone} {line}": text for line, text in _reader_faults(app).items()}
    seat, lines = int(seat_or_zone), dict[str, str]()
    for name in simulated_table.buttons.get(seat, {}):
        lines |= _button_faults(app, name)
    if seat in simulated_table.keypads:
        lines |= _keypad_faults(app)
    return {f"{seat_or_zone} {line}": text for line, text in lines.items()}


def make_fault_keys(app: AppWithEvening, simulated_table: SimulatedTable, seat_or_zone: str) -> GridLayout:
    """Returns a grid of buttons for the faults of a seat or a zone."""
    grid = GridLayout(cols=FAULT_COLUMNS, spacing=theme.length.gap / 2)
    for line, text in caption_by_fault_line(app, simulated_table, seat_or_zone).items():
        key = Key(text=text, name=line, lines=2)
        key.bind(on_release=lambda _, line=line: cause_fault_in_background(simulated_table, line))
        add_children(grid, key)
    return grid


def cause_fault_in_background(simulated_table: SimulatedTable, fault_line: str) -> None:
    """Causes a fault, in a thread of its own, because some faults take seconds."""
    zone = fault_line.partition(" ")[0]
    cards = (
        sorted(simulated_table.readers[zone].tag_uids)
        if CARD_PLACEHOLDER in fault_line
        else [CARD_PLACEHOLDER]
    )
    for card in cards:
        Thread(
            target=partial(run_script_line, simulated_table, fault_line.replace(CARD_PLACEHOLDER, card)),
            name=fault_line,
            daemon=True,
        ).start()


def _button_faults(app: AppWithEvening, name: str) -> dict[str, str]:
    tr, key = app.tr, CAPTION_BY_BUTTON[name]
    return {
        f"bounce {name}": tr("{key} bounces", key=key),
        f"chatter {name} 2": tr("{key}: bad contact", key=key),
    }


def _keypad_faults(app: AppWithEvening) -> dict[str, str]:
    tr = app.tr
    return {
        "noise": tr("Garbage lines"),
        "damage 30": tr("Bad cable"),
        "damage 0": tr("Good cable"),
        "silent": tr("Program hangs"),
        "speak": tr("Program resumes"),
    }


def _reader_faults(app: AppWithEvening) -> dict[str, str]:
    tr = app.tr
    return {
        f"again {CARD_PLACEHOLDER}": tr("Read twice"),
        f"flicker {CARD_PLACEHOLDER} 0.05": tr("Card flickers"),
        "deaf": tr("Reads nothing"),
        "brown-out": tr("Power dips"),
        "noise 1": tr("Radio noise"),
        "noise 0": tr("No noise"),
    }
