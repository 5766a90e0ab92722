"""The box of a game on the shelf: cover art under a paper label."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

from kivy.core.image import Image
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from ui import theme
from ui.widgets.drawing.canvas_diff import (
    Color,
    Rectangle,
    RoundedRectangle,
    StencilPop,
    StencilPush,
    StencilUnUse,
    StencilUse,
)
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.line_breaking import widest_word_width
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    draw_border,
    draw_paper,
    draw_shadow,
    fill_rounded_box,
    inset_box,
)
from ui.widgets.drawing.text import FittedLabel, count_name_lines, measure_text_width
from ui.widgets.pieces.cardback import draw_card_back

ONE_LINE_TITLE_HEIGHT_EM, TWO_LINE_TITLE_HEIGHT_EM = 1.2, 1.9
"""Heights of a title, in font sizes."""
MAX_PRESET_TITLE_LINES = 3
"""The most lines of the title of a preset."""


def draw_cover_image(image_path: str, box: Box) -> None:
    """Draws a cover image so that it fills the box, cut off where it is too large.

    The top of the image is kept, because a label covers the lower edge. A card's back stands for an image
    that can't be loaded.
    """
    texture = _load_texture(image_path)
    if texture is None:
        draw_card_back(box)
        return
    x, y = box[:2]
    width, height = max(1.0, box[2]), max(1.0, box[3])  # a box that isn't laid out yet has no size
    scale = min(texture.width / width, texture.height / height)
    region_width, region_height = width * scale, height * scale
    region = texture.get_region(
        (texture.width - region_width) / 2, texture.height - region_height, region_width, region_height
    )
    Color(*theme.WHITE)
    Rectangle(texture=region, pos=(x, y), size=(width, height))


@lru_cache
def _load_texture(path: str) -> Texture | None:
    try:
        return Image.load(path).texture
    except Exception:  # noqa: BLE001  Kivy raises plain Exceptions; a stranger's bad image mustn't stop other games
        return None


class GameBoxButton(ButtonBehavior, AutoRedrawWidget):
    """Button that looks like a game's box, with the cover image, and a label with title and audience.

    A broken game's box is dark and framed in red. The box of a preset shows its `picture`.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("cover_path", "picture", "state", "is_broken")
    cover_path = StringProperty("")
    picture = ObjectProperty(None, allownone=True)
    """The picture of a preset, drawn in place of the cover image."""
    text = StringProperty("")
    audience_text = StringProperty("")
    is_broken = BooleanProperty(defaultvalue=False)

    def __init__(self, **kwargs: Any) -> None:
        self.title_label = FittedLabel(style="key", halign="center", lines=2)
        self.audience_label = FittedLabel(style="quiet", halign="center")
        super().__init__(**kwargs)
        add_children(self, self.title_label, self.audience_label)
        self.bind(text=self.title_label.setter("text"), audience_text=self.audience_label.setter("text"))
        self.title_label.text, self.audience_label.text = self.text, self.audience_text
        if self.picture is not None:  # people name their own presets
            self.title_label.abbreviates, self.title_label.lines = True, MAX_PRESET_TITLE_LINES

    def draw(self) -> None:
        """Draws box, cover image and label."""
        sizes = theme.length
        lift = sizes.line if self.state == "down" else sizes.lift * 1.5
        x, y, width, height = self.box
        lid = (x, y + lift, width, height - sizes.lift * 1.5)
        draw_shadow(lid, lift)
        fill_rounded_box(theme.INK, (x, y, width, lid[3]))
        fill_rounded_box(theme.BRASS_DARK, lid)
        self._draw_rounded_cover(inset_box(lid, sizes.line))
        draw_border(theme.DANGER if self.is_broken else theme.BRASS, lid, sizes.line)
        if self.is_broken:
            fill_rounded_box(theme.multiply_opacity(theme.INK, 0.6), lid)
        if self.state == "down":
            fill_rounded_box(theme.multiply_opacity(theme.INK, 0.3), lid)
        self._draw_label_and_place_texts(lid)

    def _draw_rounded_cover(self, box: Box) -> None:
        radius = theme.length.radius * 0.8
        StencilPush()
        RoundedRectangle(pos=box[:2], size=box[2:], radius=[radius])
        StencilUse()
        if self.picture is None:
            draw_cover_image(self.cover_path, (box[0], box[1] + box[3] * 0.15, box[2], box[3] * 0.85))
        else:
            # Not before: it would delay the first frame.
            from ui.widgets.pieces.preset_picture import draw_preset_picture

            label_height = self._label_height((self.x, self.y, self.width, self.height))
            draw_preset_picture(
                self.picture, "", (box[0], box[1] + label_height, box[2], box[3] - label_height)
            )
        StencilUnUse()
        RoundedRectangle(pos=box[:2], size=box[2:], radius=[radius])
        StencilPop()

    def _label_margin(self) -> float:
        """Returns the margin beside the label: less for a preset, or if a word of the title needs it."""
        gap = theme.length.gap
        is_narrow = self.picture is not None or self._widest_word_width() > self.width - 3 * gap
        return gap / 2 if is_narrow else gap

    def _widest_word_width(self) -> float:
        """Returns the width of the widest word of the title in the smallest font size."""
        return widest_word_width(self.text, lambda text: measure_text_width(text, theme.length.smallest))

    def _title_height(self, lid: Box) -> float:
        """Returns the height of one line or two; of as many lines as it needs for the title of a preset."""
        gap, key = theme.length.gap, theme.length.key
        width = lid[2] - 2 * self._label_margin() - gap
        if count_name_lines(self.text, width - gap) == 1:
            return key * ONE_LINE_TITLE_HEIGHT_EM
        least = self.title_label.min_height_at(width) if self.picture is not None else 0.0
        return max(key * TWO_LINE_TITLE_HEIGHT_EM, least)

    def _label_height(self, lid: Box) -> float:
        gap = theme.length.gap
        audience_lines = count_name_lines(self.audience_text, lid[2] - 3 * gap, bold=False)
        audience_height = theme.length.smallest * 1.3 * (audience_lines if self.audience_text else 0)
        return self._title_height(lid) + audience_height + gap

    def _draw_label_and_place_texts(self, lid: Box) -> None:
        gap = theme.length.gap
        self.audience_label.lines = count_name_lines(self.audience_text, lid[2] - 3 * gap, bold=False)
        audience_lines = self.audience_label.lines if self.audience_text else 0
        title_height, label_height = self._title_height(lid), self._label_height(lid)
        margin = self._label_margin()
        label = (lid[0] + margin, lid[1] + margin, lid[2] - 2 * margin, label_height)
        draw_paper(label, 0, radius=theme.length.radius * 0.5)
        x, y, width, height = inset_box(label, gap / 2)
        if not audience_lines:
            title_height = height
        self.title_label.pos, self.title_label.size = (x, y + height - title_height), (width, title_height)
        self.audience_label.pos, self.audience_label.size = (
            (label[0], y),
            (label[2], max(1.0, height - title_height)),
        )
