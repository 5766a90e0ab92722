"""The cover that a game of another package brings as a picture."""

from __future__ import annotations

from functools import lru_cache

from kivy.core.image import Image
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture

from ui import theme
from ui.widgets.drawing.drawn import Box


def draw(path: str, box: Box) -> bool:
    """The middle of the picture, as much of it as fills the box; false where there is none to be seen."""
    texture = _texture(path)
    if texture is None:
        return False
    x, y = box[:2]
    width, height = max(1.0, box[2]), max(1.0, box[3])  # a lid that isn't laid out yet has none
    share = min(texture.width / width, texture.height / height)
    across, up = width * share, height * share
    part = texture.get_region((texture.width - across) / 2, (texture.height - up) / 2, across, up)
    Color(*theme.WHITE)
    Rectangle(texture=part, pos=(x, y), size=(width, height))
    return True


@lru_cache
def _texture(path: str) -> Texture | None:
    try:
        return Image.load(path).texture
    except Exception:  # noqa: BLE001  Kivy raises plain ones; whatever a stranger brings, the others go on
        return None
