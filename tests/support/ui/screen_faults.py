"""An eye for what is wrong with a screen: each fault is named and none raised, so that all are seen."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from companion.languages import languages

LEAST_CONTRAST = 4.5
"""Of letters against what is behind them (WCAG 2.2, 1.4.3)."""
LATIN = re.compile(r"[A-Za-z]{3,}")
WHOLE = re.compile(r"[A-Za-z]{3,}|[ァ-ヺー]{2,}")
"""A word that is never broken: in Latin letters, or in katakana."""
TARGET, TEN = 64, 10.5
"""Pixels that a letter of the keyboard is wide at least, whatever the density.

Ten have to stand side by side, so it may be narrower where a window is no wider than that.
"""
MARGIN, BELOW = 0.02, 0.06
"""Shares of a text's box that are empty at its sides, and above and below its letters."""
STACKED = 0.25
"""Share of a letter that may be hidden by the piece that lies on it."""
ROOMY = 720
"""From this shorter side on nothing is left out."""
TOLD = 0.5
"""Pixels that are no fault."""


def faults(table: Any, size: tuple[int, int]) -> list[str]:
    """Everything that is wrong with what lies on top now."""
    widgets = list(seen_of(_top(table.app.stage.topmost_widget)))
    found = [*cut(widgets), *_small_or_outside(widgets, size), *_touching(widgets), *overprinted(widgets)]
    found += [*overhanging(widgets), *lost_lines(widgets), *alike(widgets)]
    found += _framed(widgets)
    found += _faint(table, widgets)
    found += left_out(widgets) if min(size) >= ROOMY else []
    return found + ([*_untranslated(widgets)] if table.app.lang == "ja" else [])


def _top(screen: Any) -> Any:
    """What lies over all else on a screen, and takes every touch."""
    from ui.widgets.sheets.dialog import Dialog
    from ui.widgets.sheets.overlays import Overlay

    over = [child for child in screen.children if isinstance(child, Dialog | Overlay)]
    return over[0] if over else screen


def seen_of(widget: Any) -> Iterator[Any]:
    """What can be seen of it, the topmost first."""
    if widget.opacity and widget.width > 0 and widget.height > 0:
        for child in widget.children:
            yield from seen_of(child)
        yield widget


def cut(widgets: list[Any]) -> Iterator[str]:
    """Texts that lost letters, stand out of their box, or are broken inside a word."""
    from tests.support.ui.text_checks import check_whole, is_torn, readable
    from ui.widgets.drawing.text import FittedLabel

    for widget in widgets:
        if isinstance(widget, FittedLabel) and widget.text:
            try:
                check_whole(widget)
            except AssertionError:
                yield f"cut: {widget.text!r} in {widget.size} at {widget.font_size}"
            lines = ["".join(word.text for word in line.words) for line in widget._label._cached_lines]
            words = {word for line in lines for word in WHOLE.findall(line)}
            if broken := [word for word in WHOLE.findall(readable(widget)) if word not in words]:
                yield f"broken: {broken} of {widget.text!r}"
            if any(is_torn(*pair, widget.text) for pair in pairwise(lines)) and not widget.abbreviates:
                yield f"torn: {lines} in {widget.size} at {widget.font_size}"


def _small_or_outside(widgets: list[Any], size: tuple[int, int]) -> Iterator[str]:
    from ui import theme

    least = theme.length.target - TOLD
    for widget in _keys(widgets):
        is_letter = len(getattr(widget, "text", "")) == 1 and widget.width >= min(TARGET, min(size) / TEN)
        if min(widget.size) < least and not (is_letter and widget.height >= least):
            yield f"small: {_name(widget)} {widget.size}"
        left, low, right, high = in_window(widget)
        if min(left, low) < -TOLD or right > size[0] + TOLD or high > size[1] + TOLD:
            yield f"outside: {_name(widget)} {in_window(widget)}"


def _touching(widgets: list[Any]) -> Iterator[str]:
    for one, other in combinations(_keys(widgets), 2):
        left, low, right, high = in_window(one)
        west, south, east, north = in_window(other)
        beside = right <= west + TOLD or east <= left + TOLD
        if not (beside or high <= south + TOLD or north <= low + TOLD):
            yield f"touching: {_name(one)} and {_name(other)}"


def _keys(widgets: list[Any]) -> list[Any]:
    """All but a middle that is only a line and leads nowhere."""
    from kivy.uix.behaviors import ButtonBehavior

    from ui.widgets.pieces.middle import TableMiddle

    keys = [
        one for one in widgets if isinstance(one, ButtonBehavior) and not getattr(one, "is_static", False)
    ]
    return [one for one in keys if not (isinstance(one, TableMiddle) and one.disabled)]


def _name(widget: Any) -> str:
    return f"{getattr(widget, 'name', '')!r} {getattr(widget, 'text', '')!r}"


def in_window(widget: Any) -> tuple[float, float, float, float]:
    """Left, low, right and high end, also of one that is turned."""
    (x, y), (u, v) = widget.to_window(*widget.pos), widget.to_window(widget.right, widget.top)
    return min(x, u), min(y, v), max(x, u), max(y, v)


# Texts over texts


def overprinted(widgets: list[Any]) -> Iterator[str]:
    """Texts that one widget inscribes into one another, or into what is written on it."""
    from tests.support.ui.text_checks import inked
    from ui.widgets.drawing.surfaces import AutoRedrawWidget
    from ui.widgets.drawing.text import FittedLabel

    for widget in widgets:
        if isinstance(widget, AutoRedrawWidget):
            inscribed = [box for stroke, _ in widget._applied if (box := letters(stroke.keyword_args))]
            written = [
                one for one in widget.children if inscribed and isinstance(one, FittedLabel) and one.text
            ]
            boxes = inscribed + [inked(one) for one in written if one.opacity]
            for one, other in combinations(boxes, 2):
                if _over(one, other):
                    yield f"overprinted: {type(widget).__name__} {_name(widget)} {one} {other}"


def overhanging(widgets: list[Any]) -> Iterator[str]:
    """Texts inscribed into a card, plate or coin, or into a widget, that stand out of it at a side."""
    from ui.widgets.drawing.surfaces import AutoRedrawWidget

    for widget in widgets:
        if not isinstance(widget, AutoRedrawWidget):
            continue
        itself = [one for one in (widget.parent, widget) if isinstance(one, AutoRedrawWidget)]
        grounds = [_whole(one) for one in itself]  # a clock draws itself on its strip
        for stroke, _ in widget._applied:
            if ground := _ground_of(stroke.keyword_args):
                grounds.append(ground)
            elif box := letters(stroke.keyword_args):
                middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
                below = [one for one in grounds if _holds(one, middle)]
                if not below or all(_stands_out(one, below[-1]) for one in (box, _ink(stroke.keyword_args))):
                    yield f"overhanging: {type(widget).__name__} {_name(widget)} {box} of {below[-1:]}"


def lost_lines(widgets: list[Any]) -> Iterator[str]:
    """Keys that are too low or too narrow for their words and what stands below them."""
    from ui.widgets.keys.option_key import OptionKey

    for widget in widgets:
        if isinstance(widget, OptionKey) and (
            widget.is_too_narrow(widget.width) or widget.min_height_at(widget.width) > widget.height + TOLD
        ):
            yield f"lost lines: {_name(widget)} {widget.detail_text!r} in {widget.size}"


def alike(widgets: list[Any]) -> Iterator[str]:
    """Keys that look like one another, though each does something else.

    In a row with a word of its own, as that of a number that is counted, each row may have the same keys.
    """
    from ui.widgets.keys.key import Key

    looks: dict[object, set[str]] = {}
    for key in widgets:
        if isinstance(key, Key):
            parts = ("text", "icon", "below", "price", "about", "card", "colour")
            drawn = [str(getattr(key, part, "")) for part in parts]
            looks.setdefault((*drawn, _labels_beside(key)), set()).add(key.name or str(id(key)))
    yield from (f"alike: {sorted(names)} {look}" for look, names in looks.items() if len(names) > 1)


def _labels_beside(key: Any) -> tuple[str, ...]:
    """What stands in the row of a key, or names that row."""
    from ui.widgets.drawing.text import FittedLabel

    row = key.parent
    beside = [
        one for one in row.walk(restrict=True) if isinstance(one, FittedLabel) and one.parent is not key
    ]
    beside += [one for one in getattr(row.parent, "children", ()) if isinstance(one, FittedLabel)]
    titles = [getattr(above, "title", "") for above in (row.parent, row.parent.parent) if above is not None]
    return (*(one.text for one in beside), *titles)


def _framed(widgets: list[Any]) -> Iterator[str]:
    """Texts that touch the frame of a row in question, or the one that a winner's envelope wears."""
    from tests.support.ui.text_checks import inked
    from ui import theme
    from ui.widgets.seats.answer_rows import OpenRoundRow
    from ui.widgets.seats.envelope import Envelope

    rim, frame = theme.length.rim, theme.length.line + theme.length.rim * 1.4
    for widget in widgets:
        if isinstance(widget, OpenRoundRow) and widget.active_number_index >= 0:
            room = widget.x + frame, widget.y + frame, widget.right - frame, widget.top - frame
            texts = [one for one in widget.children if getattr(one, "text", "")]
        elif isinstance(widget, Envelope) and widget.is_winner:
            room = widget.x, widget.y, widget.right, widget.body_box()[1] - rim
            texts = [widget.name_label]
        else:
            continue
        for text in texts:
            left, low, right, high = inked(text)
            if left < room[0] or low < room[1] - TOLD or right > room[2] or high > room[3] + TOLD:
                yield f"framed: {text.text!r} {inked(text)} in {room}"


def _stands_out(letters: tuple[float, ...], ground: tuple[float, ...]) -> bool:
    return letters[0] < ground[0] - TOLD or ground[2] + TOLD < letters[2]


def _ink(settings: dict[str, Any]) -> tuple[float, float, float, float]:
    """Left, low, right and high end of the letters themselves: a single one fills less of its box."""
    from tests.support.ui.text_checks import ink

    x, y = settings["pos"]
    left, low, right, high = ink(settings["texture"])
    return x + left, y + low, x + right, y + high


def _ground_of(settings: dict[str, Any]) -> tuple[float, float, float, float] | None:
    """Left, low, right and high end of what is filled with a colour, and may be written on."""
    from ui.widgets.drawing.surfaces import _FILLED_TRIANGLES

    if settings.get("indices") is not _FILLED_TRIANGLES:
        return None
    corners = settings["vertices"]
    return corners[0], corners[1], corners[-4], corners[-3]


def _holds(box: tuple[float, ...], point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _whole(widget: Any) -> tuple[float, float, float, float]:
    return widget.x, widget.y, widget.right, widget.top


def _over(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether they meet; pieces of a stack hide a little of the letter below them."""
    across, up = (min(one[at + 2], other[at + 2]) - max(one[at], other[at]) for at in (0, 1))
    return up > TOLD and across > min(one[2] - one[0], other[2] - other[0]) * STACKED


def letters(settings: dict[str, Any]) -> tuple[float, float, float, float] | None:
    """Left, low, right and high end of what is written, if it is a text; letters don't fill its whole box."""
    if settings.keys() != {"texture", "pos", "size"} or tuple(settings["size"]) != settings["texture"].size:
        return None
    (x, y), (width, height) = settings["pos"], settings["size"]
    return x + width * MARGIN, y + height * BELOW, x + width * (1 - MARGIN), y + height * (1 - BELOW)


# What has no room


def left_out(widgets: list[Any]) -> Iterator[str]:
    """What a strip or the middle of the table only counts (`3 more`) instead of showing it.

    Where the keys themselves need pages it is a touch away.
    """
    from ui.widgets.pieces.marks import LeftOutCountBadge
    from ui.widgets.pieces.middle import TableMiddle
    from ui.widgets.seats.player_panel import PlayerPanel

    if any(getattr(widget, "name", "") == "page on" for widget in widgets):
        return
    for widget in widgets:
        if isinstance(widget, TableMiddle | PlayerPanel):
            counted = [
                one.mark.visible_text for one in widget.placed if isinstance(one.mark, LeftOutCountBadge)
            ]
            yield from (f"left out: {text} of {_name(widget)}" for text in counted)


# Contrast


def _faint(table: Any, widgets: list[Any]) -> Iterator[str]:
    """Texts that stand out too little from what is drawn behind them."""
    from ui.widgets.drawing.text import FittedLabel

    picture = table.app.stage.export_as_image().texture
    shades, width = memoryview(picture.pixels.translate(COARSE)).cast("I"), picture.width
    for widget in widgets:
        if isinstance(widget, FittedLabel) and widget.text.strip() and not _is_asleep(widget, widgets):
            box = [round(edge) for edge in in_window(widget)]
            grounds = _grounds(shades, width, picture.height, box)
            if grounds and max(contrast(widget.color, ground) for ground in grounds) < LEAST_CONTRAST:
                yield f"faint: {widget.text!r} on {grounds}"


def _is_asleep(writing: Any, widgets: list[Any]) -> bool:
    """Whether its key does nothing now, or a sentence that says why not lies over it."""
    from ui.widgets.sheets.messages import RefusalNotice

    slips = [one for one in widgets if isinstance(one, RefusalNotice) and one.label is not writing]
    middle = writing.to_window(*writing.center)
    return writing.disabled or any(_holds(in_window(one), middle) for one in slips)


LEAST_GROUND = 0.2
"""Share of a text's box that its ground covers at least."""
COARSE = bytes(part // 8 * 8 for part in range(256))
"""Shades of a ground that differ by less are one."""


def _grounds(shades: memoryview, width: int, height: int, box: list[int]) -> list[tuple[float, ...]]:
    """The colours that are there most: of dense letters their own is one. The first line is the highest."""
    left, low, right, high = max(0, box[0]), max(0, box[1]), min(width, box[2]), min(height, box[3])
    if right <= left or high <= low:
        return []
    count: Counter[int] = Counter()
    for line in range(height - high, height - low, 2):
        count.update(shades[line * width + left : line * width + right : 2].tolist())
    common = [shade for shade, many in count.most_common(2) if many > count.total() * LEAST_GROUND]
    return [tuple(part / 255 for part in shade.to_bytes(4, sys.byteorder)[:3]) for shade in common]


def contrast(ink: Any, ground: Any) -> float:
    """Of two colours, from 1 to 21, as WCAG 2.2 reckons it; what is half clear is mixed first."""
    share = ink[3] if len(ink) > 3 else 1.0
    mixed = [share * over + (1 - share) * under for over, under in zip(ink, ground, strict=False)]
    one, other = sorted((_light(mixed), _light(ground)))
    return (other + 0.05) / (one + 0.05)


DIM = 0.04045
"""Below this share of light sRGB is a straight line."""


def _light(colour: Any) -> float:
    red, green, blue = (
        float(part / 12.92 if part <= DIM else ((part + 0.055) / 1.055) ** 2.4) for part in colour[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# Words

SAME = re.compile(
    r"ABC|High Bid|Bidders!"  # letters and two boxes in their own writing
    r"|[0-9A-HJKMNP-TV-Z]{4}( [0-9A-HJKMNP-TV-Z]{4})+"  # seals
    r"|グループ ?[a-z]+|companion [a-z ]+|\w+\.toml|root|Python [\d.]+|Raspberry Pi"
    r"|(?<=：)[^（）]*(?=（)|(?<=：)[A-Z][^（）]*\(.*"  # processors and systems
)
"""What is written so in Japanese too: names of languages, files, groups, commands and systems, and seals."""


def _untranslated(widgets: list[Any]) -> Iterator[str]:
    """English in Japanese; languages stand by their own names."""
    own = {one.name for one in languages().values()}
    for widget in widgets:
        text = getattr(widget, "text", "")
        if isinstance(text, str) and text not in own and LATIN.search(SAME.sub("", text)):
            yield f"untranslated: {text!r}"
