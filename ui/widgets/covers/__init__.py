"""Cover art of the boxes: ours drawn in the theme's colours, others their own picture, or a card's back."""

from __future__ import annotations

from collections.abc import Callable

from ui.widgets.covers import any_game, bidders, demo, egypt, high_bid, mammon, oyakata, picture, sealed_bid
from ui.widgets.drawing.drawn import Box
from ui.widgets.pieces.cardback import draw_back

_ART: dict[str, Callable[[Box], None]] = {
    "any_game": any_game.draw,
    "bidders": bidders.draw,
    "egypt": egypt.draw,
    "high_bid": high_bid.draw,
    "mammon": mammon.draw,
    "oyakata": oyakata.draw,
    "sealed_bid": sealed_bid.draw,
    "demo": demo.draw,
}


def draw_cover(game: str, cover: str, box: Box) -> None:
    """The art of that game inside `box`; `cover` is the picture that it brings, if it brings one."""
    if game in _ART:
        _ART[game](box)
    elif not (cover and picture.draw(cover, box)):
        draw_back(box)
