"""What lies at several places, grouped: which glyphs stand together, and which places are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.session.view import Holding, View
from companion.table.ledger import Place
from ui import theme
from ui.widgets.drawing.inscribed import across
from ui.widgets.drawing.writing import Writing
from ui.widgets.pieces.glyph import FaceGlyph, Glyph, Stack, called, glyph, is_card, is_face
from ui.widgets.pieces.pieces import Named
from ui.widgets.pieces.things import THINGS

WHOLE = 8
"""A pile of no more pieces is shown in its order, and no more open cards each by its name."""


def visible(held: Iterable[Holding]) -> list[Holding]:
    """What can be seen: nothing owed, no back of an open card, one back where all is covered."""
    covered: set[Place] = set()
    seen: list[Holding] = []
    for one in held:
        if one.count is None and (one.piece.mark or one.place in covered):
            continue
        if one.count is None:
            covered.add(one.place)
        if _lies(one):
            seen.append(one)
    faces: dict[Place, int] = {}
    for one in seen:
        if is_face(one.piece):
            faces[one.place] = faces.get(one.place, 0) + (one.count or 0)
    return [one for one in [_less_faces(one, faces) for one in seen] if _lies(one)]


def _lies(one: Holding) -> bool:
    return one.count is None or one.count > 0


def _less_faces(one: Holding, faces: dict[Place, int]) -> Holding:
    """A holding of backs without those whose faces are counted already."""
    if one.count is None or is_face(one.piece) or not is_card(one.piece):
        return one
    open_ones = min(faces.get(one.place, 0), one.count)
    if open_ones:
        faces[one.place] -= open_ones
    return Holding(one.place, one.piece, one.count - open_ones)


def named(text: str, *pieces: Glyph, felt: bool) -> Named:
    """Pieces with the name of their place before them."""
    width = across(text, theme.length.smallest) + theme.length.gap
    name = Writing(text=text, style="quiet", felt=felt, size_hint=(None, None), width=width)
    return Named(name, *pieces)


def glyphs(seen: View, there: Sequence[Holding], lang: str, *, felt: bool = False) -> list[Glyph]:
    """What lies at one place, a pile in its order."""
    pile = seen.piles.get(there[0].place, ())
    if 0 < len(pile) <= WHOLE and all(piece.look in THINGS for piece in pile):
        return [Stack(pile, lang)]
    return [glyph(one, lang, felt=felt) for one in there if not is_face(one.piece)] + _faces(there, lang)


def _faces(there: Sequence[Holding], lang: str) -> list[Glyph]:
    """Open cards, those of one name together; of very many only the number."""
    names = Counter[str]()
    for one in there:
        if is_face(one.piece):
            names[called(one.piece, lang)] += one.count or 0
    if len(names) > WHOLE:
        return [FaceGlyph(f"× {names.total()}")]
    return [FaceGlyph(name if count == 1 else f"{count} × {name}") for name, count in names.items()]
