"""How a table looks at one moment: what a view shows, laid out as the game's scene says."""

from companion.scenes.laid import (
    CardsLaid,
    GridLaid,
    Laid,
    LotLaid,
    LotsLaid,
    MatLaid,
    Number,
    PartLaid,
    PileLaid,
    RowLaid,
    TrackLaid,
)
from companion.scenes.lay import lay

__all__ = [
    "CardsLaid",
    "GridLaid",
    "Laid",
    "LotLaid",
    "LotsLaid",
    "MatLaid",
    "Number",
    "PartLaid",
    "PileLaid",
    "RowLaid",
    "TrackLaid",
    "lay",
]
