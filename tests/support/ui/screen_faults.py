"""Finds what is wrong with a screen; returns all faults as texts instead of raising the first one."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from companion.languages import languages

MIN_CONTRAST = 4.5
"""Contrast ratio of letters with their background (WCAG 2.2, 1.4.3)."""
LATIN_WORD = re.compile(r"[A-Za-z]{3,}")
UNBREAKABLE_WORD = re.compile(r"[A-Za-zÀ-ɏ]{3,}|[ァ-ヺー]{2,}")
"""A word that must not be broken: in Latin letters, or in katakana."""
MIN_LETTER_KEY_WIDTH, LETTER_KEYS_PER_WIDTH = 64, 10.5
"""A letter key of the keyboard has at least this width in pixels, at any density.

Ten keys have to stand side by side, so they may be narrower in a narrower window.
"""
SIDE_MARGIN_FRACTION, VERTICAL_MARGIN_FRACTION = 0.02, 0.06
"""Fractions of a text's box that are empty at each side, and above and below its letters."""
MAX_HIDDEN_FRACTION = 0.25
"""Fraction of a letter that the piece on top of it may hide."""
NOTHING_LEFT_OUT_FROM = 720
"""On a window whose shorter side has at least this many pixels, nothing is left out.

With large text, everything is as large in proportion as on the smallest window, and the room is that of one.
"""
MANY_PANELS = 8
"""More people on a window no larger than that see what everybody holds of four companies a touch away."""
SEVERAL_LINES = 3
"""Lines that say what has just happened, from which on the rest of the table may be a touch away."""
ICONS_THAT_NEED_NO_WORD = {"leave", "back", "next", "minus", "plus", "up", "delete", "shift", "tick"}
"""Icons that everybody knows from arrows, sums and keyboards."""
EDGE_TOLERANCE = 2.0
"""Pixels by which letters may be closer to the frame of a key: boxes and letters are rounded to pixels."""
TOLERANCE = 0.5
"""Pixels of overlap or overhang that are no fault."""


def find_faults(table: Any, size: tuple[int, int]) -> list[str]:
    """Returns everything that is wrong with the topmost layer of the screen."""
    from ui import theme

    widgets = list(visible_widgets(_topmost_layer(table.app.stage.topmost_widget)))
    found = [
        *find_cut_texts(widgets),
        *_find_small_or_outside_keys(widgets, size),
        *_find_touching_keys(widgets),
        *find_overprinted_texts(widgets),
        *find_crowded_texts(widgets),
    ]
    found += [
        *find_overhanging_texts(widgets),
        *find_keys_with_lost_lines(widgets),
        *find_indistinguishable_keys(widgets),
        *find_wordless_icons(widgets),
    ]
    found += _find_texts_on_frames(widgets)
    found += find_texts_at_edges_of_keys(widgets)
    found += _find_faint_texts(table, widgets)
    is_large = min(size) >= NOTHING_LEFT_OUT_FROM and not theme.look.has_large_text
    found += find_left_out_marks(widgets, size) if is_large else []
    return found + ([*_find_untranslated_texts(widgets)] if table.app.lang == "ja" else [])


def _topmost_layer(screen: Any) -> Any:
    """Returns the dialog or overlay that takes every touch, or the screen itself."""
    from ui.widgets.sheets.overlays import Dialog, Overlay

    over = [child for child in screen.children if isinstance(child, Dialog | Overlay)]
    return over[0] if over else screen


def visible_widgets(widget: Any) -> Iterator[Any]:
    """Yields the visible widgets below `widget`, the topmost first, then itself."""
    if widget.opacity and widget.width > 0 and widget.height > 0:
        for child in widget.children:
            yield from visible_widgets(child)
        yield widget


def find_cut_texts(widgets: list[Any]) -> Iterator[str]:
    """Yields texts that lost letters, stand out of their box, or are broken inside a word."""
    from tests.support.ui.text_checks import check_text_is_whole, displayed_text, is_bad_line_break
    from ui.widgets.drawing.text import FittedLabel

    for widget in widgets:
        if isinstance(widget, FittedLabel) and widget.text:
            try:
                check_text_is_whole(widget)
            except AssertionError:
                yield f"cut: {widget.text!r} in {widget.size} at {widget.font_size}"
                continue
            lines = ["".join(word.text for word in line.words) for line in widget._label._cached_lines]
            words = {word for line in lines for word in UNBREAKABLE_WORD.findall(line)}
            if broken := [
                word for word in UNBREAKABLE_WORD.findall(displayed_text(widget)) if word not in words
            ]:
                yield f"broken: {broken} of {widget.text!r}"
            if (
                any(is_bad_line_break(*pair, widget.text) for pair in pairwise(lines))
                and not widget.abbreviates
            ):
                yield f"torn: {lines} in {widget.size} at {widget.font_size}"


def _find_small_or_outside_keys(widgets: list[Any], size: tuple[int, int]) -> Iterator[str]:
    from ui import theme

    least = theme.length.target - TOLERANCE
    for widget in _touchable_keys(widgets):
        is_letter = len(getattr(widget, "text", "")) == 1 and widget.width >= min(
            MIN_LETTER_KEY_WIDTH, min(size) / LETTER_KEYS_PER_WIDTH
        )
        if min(widget.size) < least and not (is_letter and widget.height >= least):
            yield f"small: {_describe(widget)} {widget.size}"
        left, low, right, high = box_in_window(widget)
        if min(left, low) < -TOLERANCE or right > size[0] + TOLERANCE or high > size[1] + TOLERANCE:
            yield f"outside: {_describe(widget)} {box_in_window(widget)}"


def _find_touching_keys(widgets: list[Any]) -> Iterator[str]:
    for one, other in combinations(_touchable_keys(widgets), 2):
        left, low, right, high = box_in_window(one)
        west, south, east, north = box_in_window(other)
        beside = right <= west + TOLERANCE or east <= left + TOLERANCE
        if not (beside or high <= south + TOLERANCE or north <= low + TOLERANCE):
            yield f"touching: {_describe(one)} and {_describe(other)}"


def _touchable_keys(widgets: list[Any]) -> list[Any]:
    """Returns all buttons except those that do nothing, such as a table middle that is only a line."""
    from kivy.uix.behaviors import ButtonBehavior

    from ui.widgets.pieces.middle import TableMiddle

    keys = [
        one for one in widgets if isinstance(one, ButtonBehavior) and not getattr(one, "is_static", False)
    ]
    return [one for one in keys if not (isinstance(one, TableMiddle) and one.disabled)]


def _describe(widget: Any) -> str:
    return f"{getattr(widget, 'name', '')!r} {getattr(widget, 'text', '')!r}"


def box_in_window(widget: Any) -> tuple[float, float, float, float]:
    """Returns left, bottom, right and top of a widget in the window, also of a rotated one."""
    (x, y), (u, v) = widget.to_window(*widget.pos), widget.to_window(widget.right, widget.top)
    return min(x, u), min(y, v), max(x, u), max(y, v)


# Texts over texts


def find_overprinted_texts(widgets: list[Any]) -> Iterator[str]:
    """Yields texts of one widget that overlap each other, or overlap the labels on the widget.

    A small sign such as −15 may cover a part of its own number or of the word before it for the few seconds
    that it is shown: the panel has no room elsewhere.
    """
    from tests.support.ui.text_checks import ink_box_in_window
    from ui.widgets.drawing.surfaces import AutoRedrawWidget
    from ui.widgets.drawing.text import FittedLabel

    for widget in widgets:
        if isinstance(widget, AutoRedrawWidget):
            inscribed = [box for stroke, _ in widget._applied if (box := letter_box(stroke.keyword_args))]
            written = [one for one in widget.children if isinstance(one, FittedLabel) and one.text]
            boxes = inscribed + [ink_box_in_window(one) for one in written if one.opacity]
            for one, other in combinations(boxes, 2):
                if _overlap(one, other):
                    yield f"overprinted: {type(widget).__name__} {_describe(widget)} {one} {other}"


def find_covered_texts(widgets: list[Any]) -> Iterator[str]:
    """Yields texts on which another widget draws something; `widgets` are in order, the topmost first.

    What lies below a message that is there for a moment is no fault, nor what a widget draws over its own
    texts.
    """
    from ui.widgets.sheets.messages import RefusalNotice, UndoneNotice

    drawn_above: list[tuple[Any, set[int], list[tuple[float, ...]]]] = []
    for widget in widgets:
        lineage, (letters, grounds) = _lineage(widget), _drawn_boxes_in_window(widget)
        for over, lineage_over, boxes in drawn_above if letters else ():
            if id(widget) not in lineage_over and any(
                _overlap_by_pixels(text, box) for text in letters for box in boxes
            ):
                yield f"covered: {_describe(widget)} by {type(over).__name__} {_describe(over)}"
        is_message = any(isinstance(one, RefusalNotice | UndoneNotice) for one in lineage)
        if not is_message and (letters or grounds):
            drawn_above.append((widget, {id(one) for one in lineage}, [*letters, *grounds]))


def _lineage(widget: Any) -> list[Any]:
    """Returns a widget and the widgets in which it is."""
    lineage = [widget]
    while (parent := lineage[-1].parent) is not lineage[-1] and parent is not None:
        lineage.append(parent)
    return lineage


def _drawn_boxes_in_window(widget: Any) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    """Returns the boxes of a widget's letters, and of what it fills with a colour, in the window."""
    from tests.support.ui.text_checks import ink_box_in_window
    from ui.widgets.drawing.surfaces import AutoRedrawWidget
    from ui.widgets.drawing.text import FittedLabel

    letters, grounds = list[Any](), list[Any]()
    if isinstance(widget, FittedLabel) and widget.text and widget.texture is not None:
        letters.append(ink_box_in_window(widget))
    elif isinstance(widget, AutoRedrawWidget):
        settings = [stroke.keyword_args for stroke, _ in widget._applied]
        letters += [box for each in settings if (box := letter_box(each))]
        grounds += [box for each in settings if (box := _filled_box(each))]
    return [_to_window(widget, box) for box in letters], [_to_window(widget, box) for box in grounds]


def _to_window(widget: Any, box: tuple[float, ...]) -> tuple[float, ...]:
    """Returns a box of a widget in the coordinates of the window, also if the widget is rotated."""
    (x, y), (u, v) = widget.to_window(*box[:2]), widget.to_window(*box[2:])
    return min(x, u), min(y, v), max(x, u), max(y, v)


def _overlap_by_pixels(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Returns whether two boxes overlap by more than the tip of a letter that reaches below its line."""
    from ui import theme

    across, up = (min(one[at + 2], other[at + 2]) - max(one[at], other[at]) for at in (0, 1))
    return min(across, up) > theme.length.line


def find_crowded_texts(widgets: list[Any]) -> Iterator[str]:
    """Yields neighbours in a row without frames, such as a title and a key, that read as one text.

    Labels of one widget, such as a number and its limit, may be close.
    """
    from kivy.uix.boxlayout import BoxLayout

    from tests.support.ui.text_checks import ink_box_in_window
    from ui import theme
    from ui.widgets.drawing.text import FittedLabel

    rows = [
        one
        for one in widgets
        if isinstance(one, BoxLayout)
        and one.orientation == "horizontal"
        and one.height <= theme.length.row + TOLERANCE
    ]
    for row in rows:
        texts = [
            one
            for one in row.walk(restrict=True)
            if isinstance(one, FittedLabel) and one.text and one.is_on_felt and one.opacity
        ]
        for left, right in pairwise(sorted(texts, key=ink_box_in_window)):
            distance = ink_box_in_window(right)[0] - ink_box_in_window(left)[2]
            if left.parent is not right.parent and distance < theme.length.space:
                yield f"crowded: {left.text!r} and {right.text!r}"


def find_overhanging_texts(widgets: list[Any]) -> Iterator[str]:
    """Yields texts that stand out at a side of the card, plate, coin or widget on which they are drawn."""
    from ui.widgets.drawing.surfaces import AutoRedrawWidget

    for widget in widgets:
        if not isinstance(widget, AutoRedrawWidget):
            continue
        itself = [one for one in (widget.parent, widget) if isinstance(one, AutoRedrawWidget)]
        grounds = [_widget_box(one) for one in itself]  # a clock draws itself on its player panel
        for stroke, _ in widget._applied:
            if ground := _filled_box(stroke.keyword_args):
                grounds.append(ground)
            elif box := letter_box(stroke.keyword_args):
                middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
                below = [one for one in grounds if _contains(one, middle)]
                if not below or all(
                    _overhangs(one, below[-1]) for one in (box, _stroke_ink_box(stroke.keyword_args))
                ):
                    yield f"overhanging: {type(widget).__name__} {_describe(widget)} {box} of {below[-1:]}"


def find_keys_with_lost_lines(widgets: list[Any]) -> Iterator[str]:
    """Yields keys that are too low or too narrow for their label and the details below it."""
    from ui.widgets.keys.option_key import OptionKey

    for widget in widgets:
        if isinstance(widget, OptionKey) and (
            widget.is_too_narrow(widget.width)
            or widget.min_height_at(widget.width) > widget.height + TOLERANCE
        ):
            yield f"lost lines: {_describe(widget)} {widget.detail_text!r} in {widget.size}"


def find_indistinguishable_keys(widgets: list[Any]) -> Iterator[str]:
    """Keys that look like one another, though each does something else.

    In a row with a word of its own, as that of a number that is counted, each row may have the same keys.
    """
    from ui.widgets.keys.key import Key

    looks: dict[object, set[str]] = {}
    for key in widgets:
        if isinstance(key, Key):
            parts = ("text", "icon", "below", "price", "about", "card", "colour", "subject")
            drawn = [str(getattr(key, part, "")) for part in parts]
            looks.setdefault((*drawn, _labels_beside(key)), set()).add(key.name or str(id(key)))
    yield from (f"alike: {sorted(names)} {look}" for look, names in looks.items() if len(names) > 1)


def find_wordless_icons(widgets: list[Any]) -> Iterator[str]:
    """Yields keys with only an icon that have no name, or no word for where there is room for one."""
    from ui.widgets.keys.key import Key

    for key in widgets:
        if isinstance(key, Key) and key.icon and not key.text:
            if not key.name:
                yield f"icon without a name: {key.icon}"
            if not key.caption and key.icon not in ICONS_THAT_NEED_NO_WORD:
                yield f"icon without a word: {key.icon} on {key.name!r}"


def _labels_beside(key: Any) -> tuple[str, ...]:
    """Returns the labels in the row of a key, and the titles of that row."""
    from ui.widgets.drawing.text import FittedLabel

    row = key.parent
    beside = [
        one for one in row.walk(restrict=True) if isinstance(one, FittedLabel) and one.parent is not key
    ]
    beside += [one for one in getattr(row.parent, "children", ()) if isinstance(one, FittedLabel)]
    titles = [getattr(above, "title", "") for above in (row.parent, row.parent.parent) if above is not None]
    return (*(one.text for one in beside), *titles)


def _find_texts_on_frames(widgets: list[Any]) -> Iterator[str]:
    """Yields texts that touch the frame of an active row, or the frame of the winner's envelope."""
    from tests.support.ui.text_checks import ink_box_in_window
    from ui import theme
    from ui.widgets.seats.answer_rows import SeatNumbersRow
    from ui.widgets.seats.envelope import Envelope

    rim, frame = theme.length.rim, theme.length.line + theme.length.rim * 1.4
    for widget in widgets:
        if isinstance(widget, SeatNumbersRow) and widget.active_number_index >= 0:
            room = widget.x + frame, widget.y + frame, widget.right - frame, widget.top - frame
            texts = [one for one in widget.children if getattr(one, "text", "")]
        elif isinstance(widget, Envelope) and widget.is_winner:
            room = widget.x, widget.y, widget.right, widget.body_box()[1] - rim
            texts = [widget.name_label]
        else:
            continue
        for text in texts:
            left, low, right, high = ink_box_in_window(text)
            if left < room[0] or low < room[1] - TOLERANCE or right > room[2] or high > room[3] + TOLERANCE:
                yield f"framed: {text.text!r} {ink_box_in_window(text)} in {room}"


def find_texts_at_edges_of_keys(widgets: list[Any]) -> Iterator[str]:
    """Yields keys whose letters are less than a gap away from the frame, although they have room for it.

    Where the smallest letters have no such room they may be closer, but never touch the frame.
    """
    from ui import theme
    from ui.widgets.keys.key import Key
    from ui.widgets.keys.option_key import CardKey

    for key in widgets:
        if not isinstance(key, Key) or isinstance(key, CardKey) or key.look == "felt" or not key.text:
            continue
        x, y, width, height = key.face_box
        is_framed = not key.is_inactive and (key.look != "paper" or key.chosen)
        frame = theme.length.rim if is_framed else 0.0
        room = _room_within_gaps(key, frame)
        has_room = not key.abbreviates and _has_phrases_within(key, room)
        for index, (left, low, right, high) in enumerate(_letters_on_key(key)):
            beside, above = min(left - x, x + width - right) - frame, min(low - y, y + height - high) - frame
            is_smallest = key.label.font_size <= round(theme.length.smallest) + 1  # sizes are whole pixels
            least_above = 0.0 if is_smallest else theme.length.gap
            is_wide_detail = index > 0 and right - left > room - 2 * EDGE_TOLERANCE
            least_beside = theme.length.gap if has_room and not is_wide_detail else theme.length.line
            if beside < least_beside - EDGE_TOLERANCE or above < least_above - EDGE_TOLERANCE:
                yield f"at the edge: {_describe(key)} {beside:.1f} {above:.1f} in {key.size}"


def _letters_on_key(key: Any) -> Iterator[tuple[float, float, float, float]]:
    """Yields the boxes of the letters of a key's text, and of what stands below it; no picture's letters."""
    from tests.support.ui.text_checks import ink_box_in_window
    from ui import theme

    if key.label.opacity and key.label.texture is not None:
        yield ink_box_in_window(key.label)
    for stroke, _ in () if key.icon else key._applied:
        if letter_box(stroke.keyword_args):
            box = _stroke_ink_box(stroke.keyword_args)
            if box[0] > key.label.x - theme.length.gap and box[3] < key.label.y + theme.length.gap:
                yield box


def _room_within_gaps(key: Any, frame: float) -> float:
    """Returns the width for a key's text with a gap at each side; `frame` is the thickness of its frame."""
    from ui import theme

    if getattr(key, "has_pieces_row", False):  # its label is only the number in the corner
        return float(key.face_box[2] - 2 * (frame + theme.length.gap))
    margin = key.face_box[0] + key.face_box[2] - key.label.right
    return float(key.label.width + 2 * (margin - frame - theme.length.gap))


def _has_phrases_within(key: Any, room: float) -> bool:
    """Returns whether the smallest letters have room in that width: no phrase broken, no line more."""
    from ui import theme
    from ui.widgets.drawing.line_breaking import count_wrapped_lines, widest_phrase_width
    from ui.widgets.drawing.text import measure_text_width

    def measure(text: str) -> float:
        return measure_text_width(text, theme.length.smallest)

    lines_now = count_wrapped_lines(key.text, key.label.width, measure)
    is_whole = widest_phrase_width(key.text, measure) <= room
    return is_whole and count_wrapped_lines(key.text, room, measure) <= lines_now


def _overhangs(letters: tuple[float, ...], ground: tuple[float, ...]) -> bool:
    return letters[0] < ground[0] - TOLERANCE or ground[2] + TOLERANCE < letters[2]


def _stroke_ink_box(settings: dict[str, Any]) -> tuple[float, float, float, float]:
    """Returns left, bottom, right and top of the letters: a single letter fills less of its box."""
    from tests.support.ui.text_checks import ink_box

    x, y = settings["pos"]
    left, low, right, high = ink_box(settings["texture"])
    return x + left, y + low, x + right, y + high


def _filled_box(settings: dict[str, Any]) -> tuple[float, float, float, float] | None:
    """Returns left, bottom, right and top of a stroke that is filled with a colour, else None."""
    from ui.widgets.drawing.surfaces import _FILLED_TRIANGLES

    if settings.get("indices") is not _FILLED_TRIANGLES:
        return None
    corners = settings["vertices"]
    return corners[0], corners[1], corners[-4], corners[-3]


def _contains(box: tuple[float, ...], point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _widget_box(widget: Any) -> tuple[float, float, float, float]:
    return widget.x, widget.y, widget.right, widget.top


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two boxes overlap; a piece of a stack may hide a little of the letter below it."""
    across, up = (min(one[at + 2], other[at + 2]) - max(one[at], other[at]) for at in (0, 1))
    return up > TOLERANCE and across > min(one[2] - one[0], other[2] - other[0]) * MAX_HIDDEN_FRACTION


def letter_box(settings: dict[str, Any]) -> tuple[float, float, float, float] | None:
    """Returns left, bottom, right and top of the letters of a stroke with text, else None."""
    if settings.keys() != {"texture", "pos", "size"} or tuple(settings["size"]) != settings["texture"].size:
        return None
    (x, y), (width, height) = settings["pos"], settings["size"]
    return (
        x + width * SIDE_MARGIN_FRACTION,
        y + height * VERTICAL_MARGIN_FRACTION,
        x + width * (1 - SIDE_MARGIN_FRACTION),
        y + height * (1 - VERTICAL_MARGIN_FRACTION),
    )


# Marks that are left out


def count_lines_of_notes(widgets: list[Any]) -> int:
    """Returns how many lines say what has just happened."""
    from ui.widgets.sheets.messages import CollapsibleMessages

    return sum(
        len(widget.label._label._cached_lines)
        for widget in widgets
        if isinstance(widget, CollapsibleMessages) and widget.label.text
    )


def find_left_out_marks(widgets: list[Any], size: tuple[int, int]) -> Iterator[str]:
    """Yields what a player panel or the table middle only counts (`3 more`) instead of showing it.

    A screen whose keys need pages, or on which one key says what happened, has no such fault: what is left
    out is one touch away. Nor has the middle of a table with many panels on a smaller window, or below
    several lines that say what has just happened.
    """
    from ui.widgets.pieces.marks import LeftOutCountBadge
    from ui.widgets.pieces.middle import TableMiddle
    from ui.widgets.seats.player_panel import PlayerPanel

    if any(getattr(widget, "name", "") in ("page on", "what happened") for widget in widgets):
        return
    panels = [widget for widget in widgets if isinstance(widget, PlayerPanel)]
    is_crowded = len(panels) > MANY_PANELS and min(size) <= NOTHING_LEFT_OUT_FROM
    is_crowded |= count_lines_of_notes(widgets) >= SEVERAL_LINES
    middles = [] if is_crowded else [widget for widget in widgets if isinstance(widget, TableMiddle)]
    for widget in [*middles, *panels]:
        counted = [one.mark.visible_text for one in widget.placed if isinstance(one.mark, LeftOutCountBadge)]
        yield from (f"left out: {text} of {_describe(widget)}" for text in counted)


# Contrast


def _find_faint_texts(table: Any, widgets: list[Any]) -> Iterator[str]:
    """Yields texts with too little contrast to their background, also on disabled keys, and quiet drawn ones.

    A number that is zero is drawn in a quiet colour, and has to be as clear as letters. Such a digit fills a
    third of its narrow box, and no single shade of the felt around it a fifth: `MIN_GROUND_OF_DRAWN_FRACTION`
    is lower, as otherwise the digit's own ink would be taken for its background.
    """
    from ui.widgets.drawing.text import FittedLabel

    picture = table.app.stage.export_as_image().texture
    shades, width = memoryview(picture.pixels.translate(COARSE_SHADES)).cast("I"), picture.width
    for widget in widgets:
        if isinstance(widget, FittedLabel) and widget.text.strip() and not _is_covered(widget, widgets):
            box = [round(edge) for edge in box_in_window(widget)]
            grounds = _main_background_colours(shades, width, picture.height, box)
            if grounds and max(contrast_ratio(widget.color, ground) for ground in grounds) < MIN_CONTRAST:
                yield f"faint: {widget.text!r} on {grounds}"
        for box, ink in _drawn_texts(widget):
            grounds = _main_background_colours(
                shades, width, picture.height, box, MIN_GROUND_OF_DRAWN_FRACTION
            )
            if grounds and max(contrast_ratio(ink, ground) for ground in grounds) < MIN_CONTRAST:
                yield f"faint: drawn on {_describe(widget)} at {box} on {grounds}"


def _drawn_texts(widget: Any) -> Iterator[tuple[list[int], Any]]:
    """Yields the box in the window and the colour of each quiet text that a widget draws without a label."""
    from ui import theme
    from ui.widgets.drawing.surfaces import AutoRedrawWidget

    if not isinstance(widget, AutoRedrawWidget):
        return
    ink: Any = ()
    quiet_inks = {theme.INK_QUIET, theme.QUIET}
    for stroke, _ in widget._applied:
        ink = stroke.args or ink
        if tuple(ink) in quiet_inks and (box := letter_box(stroke.keyword_args)):
            corners = widget.to_window(*box[:2]), widget.to_window(*box[2:])
            (left, right), (low, high) = (sorted(edges) for edges in zip(*corners, strict=True))
            yield [round(edge) for edge in (left, low, right, high)], ink


def _is_covered(writing: Any, widgets: list[Any]) -> bool:
    """Whether a refusal notice lies over the text."""
    from ui.widgets.sheets.messages import RefusalNotice

    slips = [one for one in widgets if isinstance(one, RefusalNotice) and one.label is not writing]
    middle = writing.to_window(*writing.center)
    return any(_contains(box_in_window(one), middle) for one in slips)


MIN_BACKGROUND_FRACTION, MIN_GROUND_OF_DRAWN_FRACTION = 0.2, 0.1
"""A background covers at least this fraction of the box of a label, and of a text that is drawn alone."""
COARSE_SHADES = bytes(part // 8 * 8 for part in range(256))
"""Maps similar shades to one shade."""


def _main_background_colours(
    shades: memoryview,
    width: int,
    height: int,
    box: list[int],
    min_fraction: float = MIN_BACKGROUND_FRACTION,
) -> list[tuple[float, ...]]:
    """Returns the two most common colours in a box; dense letters are one of them. Row 0 is at the top."""
    left, low, right, high = max(0, box[0]), max(0, box[1]), min(width, box[2]), min(height, box[3])
    if right <= left or high <= low:
        return []
    count: Counter[int] = Counter()
    for line in range(height - high, height - low, 2):
        count.update(shades[line * width + left : line * width + right : 2].tolist())
    common = [shade for shade, many in count.most_common(2) if many > count.total() * min_fraction]
    return [tuple(part / 255 for part in shade.to_bytes(4, sys.byteorder)[:3]) for shade in common]


def contrast_ratio(ink: Any, ground: Any) -> float:
    """Returns the contrast ratio of two colours (WCAG 2.2); a transparent ink is mixed with the ground."""
    share = ink[3] if len(ink) > 3 else 1.0
    mixed = [share * over + (1 - share) * under for over, under in zip(ink, ground, strict=False)]
    one, other = sorted((_relative_luminance(mixed), _relative_luminance(ground)))
    return (other + 0.05) / (one + 0.05)


LINEAR_SRGB_LIMIT = 0.04045
"""Below this value the sRGB curve is a straight line."""


def _relative_luminance(colour: Any) -> float:
    red, green, blue = (
        float(part / 12.92 if part <= LINEAR_SRGB_LIMIT else ((part + 0.055) / 1.055) ** 2.4)
        for part in colour[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# Words

UNTRANSLATED_TEXTS = re.compile(
    r"ABC|High Bid|Bidders!|^Companion$|^MIT$|^/.*"  # letters, and games whose titles stay in Latin letters
    r"|[0-9A-HJKMNP-TV-Z]{4}( [0-9A-HJKMNP-TV-Z]{4})+"  # seals of envelopes
    r"|グループ ?[a-z]+|companion [a-z ]+|\w+\.toml|root|Python [\d.]+|Raspberry Pi"
    r"|COMPANION_STATE|(?<=：)/\S+"  # where the saved games are
    r"|[\d.]+:\d+/[a-z]+(/\d+)?"  # addresses of pages for phones
    r"|(?<=：)[^（）]*(?=（)|(?<=：)[A-Z][^（）]*\(.*"  # processors and systems
)
"""Texts that stay in Latin letters in Japanese: names of files and systems, commands, addresses, seals."""


def _find_untranslated_texts(widgets: list[Any]) -> Iterator[str]:
    """Yields English texts on a Japanese screen; the names of languages are in their own language."""
    own = {one.name for one in languages().values()}
    for widget in widgets:
        text = getattr(widget, "text", "")
        if isinstance(text, str) and text not in own and LATIN_WORD.search(UNTRANSLATED_TEXTS.sub("", text)):
            yield f"untranslated: {text!r}"
