"""Who plays and where they sit: a player's row in set-up, and the table whose sides names are dragged to."""

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
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, draw_border, draw_paper, fill_box, inset_box
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
"""Seconds for which a player's row is lit after they pressed a device."""
DEVICES_WIDTH_TARGETS = 2.4
"""Width of the list of devices, in targets."""


class PlayerRow(EventMixin, BoxLayout):
    """One player in set-up: token and name are keys, and a text names the devices they answer with.

    If it `is_narrow` the text stands below the name.
    """

    colour = StringProperty("orange")
    is_narrow = BooleanProperty(defaultvalue=False)
    name = StringProperty("")
    __events__ = (
        "on_piece",  # the token was pressed
        "on_rename",  # the name was pressed
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        width = theme.length.target * (1.0 if self.is_narrow else 1.2)
        self.token_key = TokenKey(name="colour", size_hint_x=None, width=width)
        self.name_key = Key(lines=2, abbreviates=True)
        add_children(self, self.token_key, self.name_key)
        self.token_key.bind(on_release=lambda _: self.dispatch("on_piece"))
        self.name_key.bind(on_release=lambda _: self.dispatch("on_rename"))
        gap = theme.length.gap
        self.devices_label = FittedLabel(
            style="quiet", lines=2, line_height=1.0, size_hint_x=None, padding=(gap, 0, 0, 0)
        )
        self.devices_label.width = theme.length.target * DEVICES_WIDTH_TARGETS
        self._below = ""
        self._end_flash_later = Clock.create_trigger(lambda _: self._end_flash(), FLASH_SECONDS)
        self.bind(colour=self._show, name=self._show)
        self._show()

    def show_devices(self, devices: Sequence[tuple[str, bool]] | None) -> None:
        """Names the player's devices, or the screen if there are none. None: nobody has devices."""
        is_beside = devices is not None and not self.is_narrow
        if is_beside == (self.devices_label.parent is None):
            self.add_widget(self.devices_label) if is_beside else self.remove_widget(self.devices_label)
        tr = get_running_translator().tr
        kinds = {"keypad": tr("keypad"), "numpad": tr("number pad"), "buttons": tr("buttons")}
        missing = {kind: tr("{device} off", device=name) for kind, name in kinds.items()}
        said = [(kinds if there else missing)[kind] for kind, there in devices or ()]
        self.devices_label.text = ", ".join(said) or tr("screen")
        self._below = self.devices_label.text if self.is_narrow and devices is not None else ""
        self._show()

    def flash(self) -> None:
        """Flashes the row for a moment.

        The row flashes because the player has pressed a device.
        """
        self.name_key.look = "brass"
        self._end_flash_later()

    def _end_flash(self) -> None:
        self.name_key.look = "paper"

    def _show(self, *_: object) -> None:
        self.token_key.colour = self.colour
        self.name_key.text = f"{self.name}\n{self._below}" if self._below else self.name


# Where people sit


SIDE_COUNT = 4
MIN_PLATE_LENGTH_TARGETS = 1.7
"""Least length of a name plate in targets, if there is room for it."""
MAX_PLATE_ROWS_PER_SIDE = 3
"""Rows of name plates at one side, at most."""


class NamePlate(AutoRedrawWidget, Widget):
    """A name and its token on a card."""

    def __init__(self, name: str, colour: str) -> None:
        self.name, self.colour = name, colour
        super().__init__(size_hint=(None, None))

    def draw(self) -> None:
        """Draws card, token and name; a long name is smaller."""
        gap, side = theme.length.gap, self.height * 0.6
        draw_paper(self.box, theme.length.line)
        draw_player_token(self.colour, (self.x + gap, self.center_y - side / 2, side, side))
        left, right = self.x + side + 2 * gap, self.right - gap
        lines = wrap_name(self.name, right - left)
        wide = max(measure_text_width(line, theme.length.key) for line in lines)
        largest = min(theme.length.key, self.height * 0.8 / len(lines))
        size = max(theme.length.smallest, min(largest, theme.length.key * (right - left) / wide))
        draw_text_lines(lines, ((left + right) / 2, self.center_y), size, theme.INK)


class SeatingTable(EventMixin, AutoRedrawWidget, Widget):
    """The table from above, to whose sides people drag names.

    The screen is in its middle; people sit at the sides. `people` are pairs of name and colour,
    `sides` the side of each name: 0 below, then anticlockwise. A name that is dragged goes to the
    nearest side; one that is only touched goes to the next.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("people", "sides")
    people = ListProperty()
    sides = DictProperty()
    __events__ = ("on_side",)  # name, side: this one sits there now

    def __init__(self, **kwargs: Any) -> None:
        self._plates: dict[str, RotatedFrame] = {}
        self._dragged: str | None = None
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Draws the table's edge and the screen, and places every name at its side, turned to its owner."""
        fill_box(theme.FELT_DARK, self.box)
        draw_border(theme.BRASS_DARK, self.box, theme.length.rim)
        x, y, width, height = inset_box(self.box, min(self.width, self.height) * 0.34)
        draw_paper((x, y, width, height), theme.length.line, theme.FELT_LIT)
        self._place()

    def _place(self) -> None:
        for name, colour in self.people:
            if name not in self._plates:
                self._plates[name] = RotatedFrame()
                self._plates[name].add_widget(NamePlate(name, colour))
                self.add_widget(self._plates[name])
        for side in range(SIDE_COUNT):
            # People sit clockwise: whoever is first at a side sits at its right end.
            here = [name for name, _ in reversed(self.people) if self.sides.get(name, 0) == side]
            for name, box in zip(here, self._boxes(side, len(here)), strict=True):
                turned = self._plates[name]
                turned.pos, turned.size, turned.quarter_turns = box[:2], box[2:], side
                for plate in turned.children:
                    plate.pos, plate.size = (0, 0), turned.inner_size

    def _boxes(self, side: int, count: int) -> list[Box]:
        """Returns the places for that many names in the middle of a side; many names take several rows."""
        gap, deep = theme.length.gap, theme.length.target
        edge = self.height if side % 2 else self.width
        room = edge - 2 * gap if side % 2 else edge - 2 * (deep + 2 * gap)
        rows = min(
            MAX_PLATE_ROWS_PER_SIDE,
            max(1, ceil(count * (MIN_PLATE_LENGTH_TARGETS * deep + gap) / (room + gap))),
        )
        beside = ceil(count / rows)
        long = min(theme.length.target * 2.6, (room - gap * (beside - 1)) / max(1, beside))
        start = (edge - long * min(count, beside) - gap * (min(count, beside) - 1)) / 2
        spots = (divmod(at, beside) for at in range(count))
        return [
            self._box(side, start + at * (long + gap), gap + row * (deep + gap), long) for row, at in spots
        ]

    def _box(self, side: int, along: float, aside: float, long: float) -> Box:
        """Returns a place so far along a side, from the left of who sits there, and so far from the edge."""
        deep = theme.length.target
        match side:
            case 0:
                return self.x + along, self.y + aside, long, deep
            case 1:
                return self.right - aside - deep, self.y + along, deep, long
            case 2:
                return self.right - along - long, self.top - aside - deep, long, deep
            case _:
                return self.x + aside, self.top - along - long, deep, long

    def nearest_side(self, x: float, y: float) -> int:
        """Returns the side nearest to a point, relative to width and height."""
        right, up = (x - self.x) / self.width, (y - self.y) / self.height
        far = (up, 1 - right, 1 - up, right)
        return far.index(min(far))

    # The finger

    def on_touch_down(self, touch: Any) -> bool:
        """Begins to drag a name."""
        for name, plate in self._plates.items():
            if self._dragged is None and plate.collide_point(*touch.pos):
                touch.grab(self)
                self._dragged = name
                touch.ud["began"] = touch.pos
        return bool(self.collide_point(*touch.pos))

    def on_touch_move(self, touch: Any) -> bool:
        """Moves the name with the finger."""
        if touch.grab_current is not self or self._dragged is None:
            return False
        self._plates[self._dragged].center = touch.pos
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """Leaves the name at the side where the finger let go."""
        if touch.grab_current is not self or self._dragged is None:
            return False
        touch.ungrab(self)
        name, self._dragged = self._dragged, None
        (x, y), (was_x, was_y) = touch.pos, touch.ud["began"]
        has_moved = abs(x - was_x) + abs(y - was_y) > theme.length.target / 2
        side = self.nearest_side(x, y) if has_moved else (self.sides.get(name, 0) + 1) % SIDE_COUNT
        self._draw_soon()
        self.dispatch("on_side", name, side)
        return True
