"""How a table looks at one moment: what a view shows, laid out as the game's scene says."""

from companion.scenes.laid import (
    CardsLaid,
    GridLaid,
    LotLaid,
    LotsLaid,
    MatLaid,
    NumberLaid,
    PartLaid,
    PileLaid,
    RowLaid,
    TableLaid,
    TrackLaid,
)
from companion.scenes.lay import lay

__all__ = [
    "CardsLaid",
    "GridLaid",
    "LotLaid",
    "LotsLaid",
    "MatLaid",
    "NumberLaid",
    "PartLaid",
    "PileLaid",
    "RowLaid",
    "TableLaid",
    "TrackLaid",
    "lay",
]
