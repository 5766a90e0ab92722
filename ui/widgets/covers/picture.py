"""The picture on a box: what its game brings, or a card's back."""

from __future__ import annotations

from functools import lru_cache

from kivy.core.image import Image
from kivy.graphics.texture import Texture

from ui import theme
from ui.widgets.drawing.drawn import Box
from ui.widgets.drawing.strokes import Color, Rectangle
from ui.widgets.pieces.cardback import draw_back


def draw_cover(path: str, box: Box) -> None:
    """As much of the picture as fills the box; its lower edge goes first, as the label lies on it anyway."""
    texture = _texture(path)
    if texture is None:
        draw_back(box)
        return
    x, y = box[:2]
    width, height = max(1.0, box[2]), max(1.0, box[3])  # a lid that isn't laid out yet has none
    share = min(texture.width / width, texture.height / height)
    across, up = width * share, height * share
    part = texture.get_region((texture.width - across) / 2, texture.height - up, across, up)
    Color(*theme.WHITE)
    Rectangle(texture=part, pos=(x, y), size=(width, height))


@lru_cache
def _texture(path: str) -> Texture | None:
    try:
        return Image.load(path).texture
    except Exception:  # noqa: BLE001  Kivy raises plain ones; whatever a stranger brings, the others go on
        return None
