"""Buttons that show a preset with its picture, and a key that makes it a favourite."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.rules.preset_pictures import PresetPicture
from ui import theme
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, draw_paper, inset_box
from ui.widgets.drawing.symbols import draw_shape
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.pieces.preset_picture import draw_preset_picture

PICTURE_WIDTH_TO_HEIGHT = 1.15
"""The width of a picture, as a share of the height of its card."""
MAX_PICTURE_WIDTH_SHARE = 0.22
"""The most that a picture takes of the width of its card."""
SENTENCE_LINES = 2
TITLE_HEIGHT_EM, SENTENCE_HEIGHT_EM, GOOD_FOR_HEIGHT_EM = 1.2, 1.1, 1.2
"""The heights of a line of each text, in font sizes."""


def min_card_height() -> float:
    """Returns the least height of a card whose texts are all whole."""
    sizes = theme.length
    small_lines = SENTENCE_LINES * SENTENCE_HEIGHT_EM + GOOD_FOR_HEIGHT_EM
    texts = sizes.key * TITLE_HEIGHT_EM + sizes.smallest * small_lines
    return texts + sizes.gap / 2 + sizes.rim + sizes.lift


class PresetCard(ButtonBehavior, AutoRedrawWidget):
    """A button with everything that people read and see of a preset; a favourite has a star."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("state", "picture", "players_text", "is_favourite")
    name = StringProperty("")
    text = StringProperty("")
    sentence = StringProperty("")
    good_for = StringProperty("")
    players_text = StringProperty("")
    picture = ObjectProperty(PresetPicture())
    is_favourite = BooleanProperty(defaultvalue=False)

    def __init__(self, **kwargs: Any) -> None:
        # People name their own presets, and have presets with many features.
        self.title_label = FittedLabel(style="key", abbreviates=True)
        self.sentence_label = FittedLabel(
            style="quiet", lines=SENTENCE_LINES, line_height=1.0, valign="top", abbreviates=True
        )
        self.good_for_label = FittedLabel(style="quiet", abbreviates=True)
        super().__init__(**kwargs)
        self._labels = {
            "text": self.title_label,
            "sentence": self.sentence_label,
            "good_for": self.good_for_label,
        }
        add_children(self, *self._labels.values())
        for name, label in self._labels.items():
            label.text = getattr(self, name)
            self.fbind(name, label.setter("text"))

    @property
    def visible_texts(self) -> list[str]:
        """The number of players, for screen readers and for tests."""
        return [self.players_text] if self.players_text else []

    def draw(self) -> None:
        """Draws the paper and the picture, and places the texts."""
        sizes, is_pressed = theme.length, self.state == "down"
        x, y, width, height = inset_box(self.box, sizes.rim / 2)
        lift = 0.0 if is_pressed else sizes.lift
        face = (x, y + lift, width, height - sizes.lift)
        draw_paper(face, lift, theme.PAPER_PRESSED if is_pressed else theme.PAPER)
        picture_height = face[3] - sizes.gap / 2
        picture_width = min(picture_height * PICTURE_WIDTH_TO_HEIGHT, face[2] * MAX_PICTURE_WIDTH_SHARE)
        margin = sizes.gap / 4
        picture_box = (x + margin, face[1] + margin, picture_width, picture_height)
        draw_preset_picture(self.picture, self.players_text, picture_box)
        if self.is_favourite:
            side = sizes.key
            star_box = (picture_box[0], picture_box[1] + picture_height - side, side, side)
            draw_shape("star", star_box, theme.BRASS, theme.INK, sizes.hair)
        left = picture_box[0] + picture_width + sizes.gap
        self._place_texts((left, face[1] + margin, x + width - left - sizes.gap / 2, picture_height))

    def _place_texts(self, box: tuple[float, float, float, float]) -> None:
        x, y, width, height = box
        sizes = theme.length
        title_height = sizes.key * TITLE_HEIGHT_EM
        good_for_height = sizes.smallest * GOOD_FOR_HEIGHT_EM if self.good_for else 0.0
        self.title_label.pos = (x, y + height - title_height)
        self.title_label.size = (width, title_height)
        self.good_for_label.pos, self.good_for_label.size = (x, y), (width, max(1.0, good_for_height))
        self.sentence_label.pos = (x, y + good_for_height)
        self.sentence_label.size = (width, max(1.0, height - title_height - good_for_height))


class PresetKey(OptionKey):
    """A key with the picture and the name of a preset, for long lists; its subject is the picture."""

    subject = ObjectProperty(PresetPicture())

    @property
    def _picture_height(self) -> float:
        return theme.length.target - theme.length.rim - theme.length.lift - theme.length.gap

    @property
    def width_left_of_text(self) -> float:
        """Width of the picture and of the gap behind it."""
        return self._picture_height * PICTURE_WIDTH_TO_HEIGHT + theme.length.gap

    def _draw_subject(self, left: float, y: float, height: float) -> None:
        picture_height = min(height, self._picture_height)
        box = (
            left,
            y + (height - picture_height) / 2,
            picture_height * PICTURE_WIDTH_TO_HEIGHT,
            picture_height,
        )
        draw_preset_picture(self.subject, "", box)


class FavouriteKey(Key):
    """A key with a star, which is filled for a favourite."""

    redraw_properties: ClassVar[tuple[str, ...]] = (*Key.redraw_properties, "is_favourite")
    is_favourite = BooleanProperty(defaultvalue=False)

    def draw(self) -> None:
        """Draws the key and the star."""
        super().draw()
        x, y, width, height = self.face_box
        side = min(width, height) * 0.6
        box = (x + (width - side) / 2, y + (height - side) / 2, side, side)
        colour = theme.BRASS if self.is_favourite else theme.CLEAR
        draw_shape("star", box, colour, theme.PAPER, theme.length.line)
