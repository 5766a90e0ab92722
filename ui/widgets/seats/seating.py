"""Who plays and where people sit: a player's row in set-up, and a table to whose sides people drag names."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any, ClassVar

from kivy.clock import Clock
from kivy.properties import BooleanProperty, DictProperty, ListProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import RotatedFrame, add_children
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    draw_border,
    draw_paper,
    fill_rounded_box,
    inset_box,
)
from ui.widgets.drawing.symbols import draw_player_token
from ui.widgets.drawing.text import FittedLabel, draw_text_lines, measure_text_width, wrap_name
from ui.widgets.keys.key import Key
from ui.words import get_running_translator


class TokenKey(Key):
    """A key with a player's token on it."""

    redraw_properties: ClassVar[tuple[str, ...]] = (*Key.redraw_properties, "colour")
    colour = OptionProperty("orange", options=list(theme.PLAYER_LOOKS))

    def draw(self) -> None:
        """Draws the key and the token."""
        super().draw()
        x, y, width, height = self.face_box
        side = min(width, height, theme.length.target) * 0.66
        draw_player_token(self.colour, (x + (width - side) / 2, y + (height - side) / 2, side, side))


FLASH_SECONDS = 1.2
"""Seconds for which a player's row is lit after the player pressed a device."""
DEVICES_WIDTH_TARGETS = 2.4
"""Width of the list of devices, in targets."""


class PlayerRow(EventMixin, BoxLayout):
    """Row of one player in set-up: token and name are keys, and a text names the player's devices.

    If the row `is_narrow`, the text is below the name.
    """

    colour = StringProperty("orange")
    is_narrow = BooleanProperty(defaultvalue=False)
    name = StringProperty("")
    __events__ = (
        "on_token",  # the token was pressed
        "on_rename",  # the name was pressed
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        width = theme.length.target * (1.0 if self.is_narrow else 1.2)
        self.token_key = TokenKey(name="colour", size_hint_x=None, width=width)
        self.name_key = Key(lines=2, abbreviates=True)
        add_children(self, self.token_key, self.name_key)
        self.token_key.bind(on_release=lambda _: self.dispatch("on_token"))
        self.name_key.bind(on_release=lambda _: self.dispatch("on_rename"))
        gap = theme.length.gap
        self.devices_label = FittedLabel(
            style="quiet", lines=2, line_height=1.0, size_hint_x=None, padding=(gap, 0, 0, 0)
        )
        self.devices_label.width = theme.length.target * DEVICES_WIDTH_TARGETS
        self._devices_text_below_name = ""
        self._end_flash_later = Clock.create_trigger(self._end_flash, FLASH_SECONDS)
        self.bind(colour=self._update_keys, name=self._update_keys)
        self._update_keys()

    def show_devices(self, devices: Sequence[tuple[str, bool]] | None) -> None:
        """Names the player's devices (kind, and whether it is connected), or the screen if there are none.

        None means that nobody has devices.
        """
        is_beside = devices is not None and not self.is_narrow
        if is_beside == (self.devices_label.parent is None):
            self.add_widget(self.devices_label) if is_beside else self.remove_widget(self.devices_label)
        tr = get_running_translator().tr
        device_names = {"keypad": tr("keypad"), "numpad": tr("number pad"), "buttons": tr("buttons")}
        disconnected_texts = {kind: tr("{device} off", device=name) for kind, name in device_names.items()}
        device_names["phone"], disconnected_texts["phone"] = tr("phone"), tr("phone asleep")
        texts = [
            (device_names if is_connected else disconnected_texts)[kind]
            for kind, is_connected in devices or ()
        ]
        self.devices_label.text = ", ".join(texts) or tr("screen")
        self._devices_text_below_name = (
            self.devices_label.text if self.is_narrow and devices is not None else ""
        )
        self._update_keys()

    def flash(self) -> None:
        """Lights the row for a moment, because the player has pressed a device."""
        self.name_key.look = "brass"
        self._end_flash_later()

    def _end_flash(self, *_: object) -> None:
        self.name_key.look = "paper"

    def _update_keys(self, *_: object) -> None:
        self.token_key.colour = self.colour
        self.name_key.text = (
            f"{self.name}\n{self._devices_text_below_name}" if self._devices_text_below_name else self.name
        )


# Where people sit


SIDE_COUNT = 4
MIN_PLATE_LENGTH_TARGETS = 1.7
"""Least length of a name plate in targets, if there is room."""
MAX_PLATE_ROWS_PER_SIDE = 3
"""Maximum number of rows of name plates at one side."""


class NamePlate(AutoRedrawWidget, Widget):
    """Card with a player's token and name."""

    def __init__(self, name: str, colour: str) -> None:
        self.name, self.colour = name, colour
        super().__init__(size_hint=(None, None))

    def draw(self) -> None:
        """Draws card, token and name; a long name has smaller letters."""
        gap, side = theme.length.gap, self.height * 0.6
        draw_paper(self.box, theme.length.line)
        draw_player_token(self.colour, (self.x + gap, self.center_y - side / 2, side, side))
        left, right = self.x + side + 2 * gap, self.right - gap
        lines = wrap_name(self.name, right - left)
        text_width = max(measure_text_width(line, theme.length.key) for line in lines)
        max_size = min(theme.length.key, self.height * 0.8 / len(lines))
        size = max(theme.length.smallest, min(max_size, theme.length.key * (right - left) / text_width))
        draw_text_lines(lines, ((left + right) / 2, self.center_y), size, theme.INK)


class SeatingTable(EventMixin, AutoRedrawWidget, Widget):
    """The table from above, with the screen in the middle; people drag names to its sides.

    `people` are pairs of name and colour. `sides` has the side of each name: 0 below, then anticlockwise. A
    dragged name goes to the nearest side; a name that is only touched goes to the next side.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("people", "sides")
    people = ListProperty()
    sides = DictProperty()
    __events__ = ("on_side",)  # name, side: people moved the name to the side

    def __init__(self, **kwargs: Any) -> None:
        self._plates: dict[str, RotatedFrame] = {}
        self._dragged: str | None = None
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Draws the table and the screen, and places every name at its side, turned to its owner."""
        fill_rounded_box(theme.FELT_DARK, self.box)
        draw_border(theme.BRASS_DARK, self.box, theme.length.rim)
        x, y, width, height = inset_box(self.box, min(self.width, self.height) * 0.34)
        draw_paper((x, y, width, height), theme.length.line, theme.FELT_LIT)
        self._place_plates()

    def _place_plates(self) -> None:
        for name, colour in self.people:
            if name not in self._plates:
                self._plates[name] = RotatedFrame()
                self._plates[name].add_widget(NamePlate(name, colour))
                self.add_widget(self._plates[name])
        for side in range(SIDE_COUNT):
            # People sit clockwise, so the first player of a side sits at its right end.
            names = [name for name, _ in reversed(self.people) if self.sides.get(name, 0) == side]
            for name, box in zip(names, self._plate_boxes(side, len(names)), strict=True):
                frame = self._plates[name]
                frame.pos, frame.size, frame.quarter_turns = box[:2], box[2:], side
                for plate in frame.children:
                    plate.pos, plate.size = (0, 0), frame.inner_size

    def _plate_boxes(self, side: int, count: int) -> list[Box]:
        """Returns the boxes for `count` names in the middle of a side; many names take several rows."""
        gap, depth = theme.length.gap, theme.length.target
        edge = self.height if side % 2 else self.width
        available_length = edge - 2 * gap if side % 2 else edge - 2 * (depth + 2 * gap)
        rows = min(
            MAX_PLATE_ROWS_PER_SIDE,
            max(1, ceil(count * (MIN_PLATE_LENGTH_TARGETS * depth + gap) / (available_length + gap))),
        )
        plates_per_row = ceil(count / rows)
        plate_length = min(
            theme.length.target * 2.6,
            (available_length - gap * (plates_per_row - 1)) / max(1, plates_per_row),
        )
        start = (
            edge - plate_length * min(count, plates_per_row) - gap * (min(count, plates_per_row) - 1)
        ) / 2
        cells = (divmod(column, plates_per_row) for column in range(count))
        return [
            self._plate_box(
                side, start + column * (plate_length + gap), gap + row * (depth + gap), plate_length
            )
            for row, column in cells
        ]

    def _plate_box(
        self, side: int, distance_along: float, distance_from_edge: float, plate_length: float
    ) -> Box:
        """Returns the box of a name at a side.

        `distance_along` is measured from the left end, as seen by a person at the side.
        """
        depth = theme.length.target
        match side:
            case 0:
                return self.x + distance_along, self.y + distance_from_edge, plate_length, depth
            case 1:
                return self.right - distance_from_edge - depth, self.y + distance_along, depth, plate_length
            case 2:
                return (
                    self.right - distance_along - plate_length,
                    self.top - distance_from_edge - depth,
                    plate_length,
                    depth,
                )
            case _:
                return (
                    self.x + distance_from_edge,
                    self.top - distance_along - plate_length,
                    depth,
                    plate_length,
                )

    def nearest_side(self, x: float, y: float) -> int:
        """Returns the side nearest to a point; distances are shares of width and height."""
        right, up = (x - self.x) / self.width, (y - self.y) / self.height
        distances = (up, 1 - right, 1 - up, right)
        return distances.index(min(distances))

    # Dragging

    def on_touch_down(self, touch: Any) -> bool:
        """Starts dragging a touched name."""
        for name, plate in self._plates.items():
            if self._dragged is None and plate.collide_point(*touch.pos):
                touch.grab(self)
                self._dragged = name
                touch.ud["began"] = touch.pos
        return bool(self.collide_point(*touch.pos))

    def on_touch_move(self, touch: Any) -> bool:
        """Moves the dragged name with the finger."""
        if touch.grab_current is not self or self._dragged is None:
            return False
        self._plates[self._dragged].center = touch.pos
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """Drops the dragged name at the nearest side.

        A name that was only touched goes to the next side.
        """
        if touch.grab_current is not self or self._dragged is None:
            return False
        touch.ungrab(self)
        name, self._dragged = self._dragged, None
        (x, y), (was_x, was_y) = touch.pos, touch.ud["began"]
        has_moved = abs(x - was_x) + abs(y - was_y) > theme.length.target / 2
        side = self.nearest_side(x, y) if has_moved else (self.sides.get(name, 0) + 1) % SIDE_COUNT
        self.draw_soon()
        self.dispatch("on_side", name, side)
        return True
