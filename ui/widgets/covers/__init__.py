"""Cover art of the boxes, drawn in the theme's colours; a game without its own gets a card's back."""

from __future__ import annotations

from collections.abc import Callable

from ui.widgets.covers import any_game, bidders, demo, egypt, high_bid, mammon, oyakata, sealed_bid
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


def draw_cover(game: str, box: Box) -> None:
    """The art of that game inside `box`."""
    _ART.get(game, draw_back)(box)
