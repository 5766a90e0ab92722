"""The on-screen keyboard: kana and Latin letters with accents for names, and ASCII for the keys of networks.

It doesn't convert kana to kanji.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.name_matching import count_graphemes, fold_name, split_graphemes
from companion.table.seats import Seat
from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.kana import (
    HIRAGANA_COLUMNS,
    SMALL_KANA_KEY,
    VOICING_MARKS,
    hiragana_to_katakana,
    toggle_small_kana,
    toggle_voicing_mark,
)
from ui.widgets.keys.key import Key
from ui.widgets.keys.option_key import OptionKey

KnownName = tuple[str, str]
"""A name, and the colour of the piece that the player had last."""

# Accents, shown while the plain letter is held


ACCENTED_BY_LETTER = {
    "a": "äàáâãåæą",
    "c": "çćč",
    "d": "ďð",
    "e": "éèêëęě",
    "g": "ğ",
    "i": "íìîïı",
    "l": "ł",
    "n": "ñńň",
    "o": "öóòôõøœő",
    "r": "ř",
    "s": "ßśšş",
    "t": "ťþ",
    "u": "üúùûůű",
    "y": "ýÿ",
    "z": "žźż",
}
"""Accented letters in European names, by their plain letter; our fonts have all of them."""


def accented_variants(letter: str) -> str:
    """Returns the accented variants of a letter, in its case. Our fonts have no capital ß."""
    variants = ACCENTED_BY_LETTER.get(letter.lower(), "")
    if letter.islower():
        return variants
    return "".join(variant.upper() for variant in variants if len(variant.upper()) == 1)


class AccentPopup(PaperBoxLayout):
    """Popup with the accented variants of a letter, of which people choose one; `on_chosen` gets the letter.

    A letter is chosen by sliding the finger that opened the popup, or by another touch.
    """

    def __init__(self, letters: str, on_chosen: Callable[[str], object]) -> None:
        side, padding = theme.length.target, theme.length.gap / 2
        super().__init__(orientation="horizontal", padding=padding, spacing=0, size_hint=(None, None))
        self._on_chosen = on_chosen
        self.size = (len(letters) * side + 2 * padding, side + 2 * padding)
        for letter in letters:
            key = Key(text=letter, name=letter, style="kana", lines=1)
            key.bind(on_release=lambda key: on_chosen(key.text))
            add_children(self, key)

    def place_over(self, key: Widget, bounds: Widget) -> None:
        """Places the popup above a key, as far as there is room within `bounds`."""
        left = min(max(key.center_x - self.width / 2, bounds.x), bounds.right - self.width)
        self.pos = (left, min(key.top, bounds.top - self.height))

    def highlight_letter_at(self, x: float, y: float) -> None:
        """Shows the letter under the finger as pressed."""
        for key in self.children:
            key.state = "down" if key.collide_point(x, y) else "normal"

    def choose_letter_at(self, x: float, y: float) -> None:
        """Chooses the letter at the point where the finger was lifted; else the popup stays open."""
        self.highlight_letter_at(-1.0, -1.0)
        for key in self.children:
            if key.collide_point(x, y):
                self._on_chosen(key.text)
                return


# Known names


class KnownNamesRow(BoxLayout):
    """A row of known names, each with the piece of that player; as many as have room."""

    def __init__(self, on_name: Callable[[str], object], **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(size_hint_y=None, height=theme.length.target, spacing=gap, **kwargs)
        self._on_name, self._names = on_name, list[KnownName]()
        self.bind(width=self._fill)

    def show_names(self, names: Sequence[KnownName]) -> None:
        """Shows these names, the first ones if not all have room."""
        if list(names) != self._names:
            self._names = list(names)
            self._fill()

    def _fill(self, *_: object) -> None:
        self.clear_widgets()
        free_width = self.width
        for name, colour in self._names:
            key = OptionKey(text=name, name=f"known {name}", subject=Seat(0, name, colour), abbreviates=True)
            key.size_hint_x, key.width = None, max(key.min_width_in_row(), theme.length.target * 1.5)
            free_width -= key.width + self.spacing
            if free_width < -self.spacing:
                break
            key.bind(on_release=lambda _, name=name: self._on_name(name))
            self.add_widget(key)
        self.add_widget(Widget())


# The keyboard


REPLACED_TEXT_OPACITY = 0.55
"""The opacity of a text that the next letter replaces."""
_LATIN_ROWS = ("1234567890", "qwertyuiop", "asdfghjkl'", "zxcvbnm.-&")
_LOW_LINE, _VISIBLE_LOW_LINE = "_", "＿"
"""The low line, and the wider one that is shown for it: our font's is cut off at some sizes of letters."""
_SIGN_ROWS = ("!\"#$%&'(", ")*+,-./:", ";<=>?@[\\", f"]^{_VISIBLE_LOW_LINE}`{{|}}~")
_SCRIPTS = ("hiragana", "katakana", "latin")
_SCRIPTS_OF_NETWORK_KEYS = ("latin", "signs")
_UPRIGHT_KEY_HEIGHT_TARGETS = {"latin": 1.4, "kana": 1.15}
"""Height of a key on an upright screen, in targets; the keys needn't fill the page there."""


class Keyboard(EventMixin, FloatLayout):
    """On-screen keyboard that edits `text`, up to `max_letters` letters, under a `heading`.

    `known_names` are names with the colours of their pieces; those that begin as the text does are keys above
    the letters. If it `replaces_text`, the first letter takes the place of the text; deleting a letter edits
    it. A Latin letter that is held offers its accents: slide to one, or lift the finger and touch it. On an
    upright screen kana stand in lines of five if there is room, above a row of function keys. The owner sets
    the words (`done_text`, `space_text`, `cancel_text`) in the reader's language.
    """

    text = StringProperty("")
    heading = StringProperty("")
    done_text = StringProperty("Done")
    cancel_text = StringProperty("Cancel")
    space_text = StringProperty("Space")
    script = OptionProperty("latin", options=[*_SCRIPTS, "signs"])
    types_network_key = BooleanProperty(defaultvalue=False)
    """Whether the text is the key of a network: ASCII, in which no letter becomes a capital by itself."""
    is_shifted = BooleanProperty(defaultvalue=False)
    is_upright = BooleanProperty(defaultvalue=False)
    max_letters = NumericProperty(20)
    known_names = ListProperty()
    replaces_text = BooleanProperty(defaultvalue=False)
    __events__ = (
        "on_known_name",  # name: people choose a known name
        "on_done",  # text: the finished text, which isn't empty; a name has no spaces at its ends
        "on_cancel",  # the name stays as it was
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.is_shifted = self._capitalizes and (not self.text or self.replaces_text)
        gap = theme.length.gap
        self.board, self._spacer = BoxLayout(spacing=gap), Widget()
        self._page = BoxLayout(orientation="vertical", spacing=gap, padding=gap)
        self.known_names_row = KnownNamesRow(lambda name: self.dispatch("on_known_name", name))
        add_children(self, add_children(self._page, self._build_heading_line(), self.board))
        if self.known_names:
            self._page.add_widget(self.known_names_row, index=1)
        self._accent_popup: AccentPopup | None = None
        self._held_touch: Any = None
        self._rebuild_keys_soon = Clock.create_trigger(self._rebuild_keys, -1)
        self.bind(size=lambda *_: setattr(self, "is_upright", self.height > self.width))
        for name in ("script", "is_shifted", "done_text", "space_text", "is_upright", "height"):
            self.fbind(name, self._rebuild_keys_soon)
        for name in ("text", "heading", "cancel_text", "replaces_text"):
            self.fbind(name, self._update_texts)
        self._rebuild_keys()
        self._update_texts()
        self.typed.bind(width=self._update_texts)

    def _build_heading_line(self) -> BoxLayout:
        self._heading_line = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.gap)
        self.cancel_key = Key(name="cancel", look="felt", size_hint_x=0.2, lines=1)
        self.cancel_key.bind(on_release=lambda _: self.dispatch("on_cancel"))
        self.prompt, self.typed = FittedLabel(style="quiet"), FittedLabel(style="title")
        if self.types_network_key:  # the name of a network may be longer than that of a player
            self.prompt.lines, self.prompt.line_height = 3, 1.0
        self._text_sheet = PaperBoxLayout(orientation="horizontal", padding=[theme.length.space, 0])
        add_children(self._text_sheet, self.prompt, self.typed)
        return add_children(self._heading_line, self.cancel_key, self._text_sheet)

    def _rebuild_keys(self, *_: object) -> None:
        self.board.clear_widgets()
        is_kana = self.script not in _SCRIPTS_OF_NETWORK_KEYS
        letter_keys = self._build_kana_keys() if is_kana else self._build_rows_of_keys()
        function_keys = self._build_function_keys()
        self._arrange(letter_keys, function_keys)
        add_children(self.board, letter_keys, function_keys)
        self._update_texts()

    def _arrange(self, letter_keys: Widget, function_keys: BoxLayout) -> None:
        """Arranges letters beside the function keys, or above them on an upright screen."""
        sizes, is_upright = theme.length, self.is_upright
        self.board.orientation = "vertical" if is_upright else "horizontal"
        self.board.size_hint_y = None if is_upright else 1
        self._page.remove_widget(self._spacer)
        if is_upright:
            self._page.add_widget(self._spacer, index=1)
        landscape_height = sizes.target if self.known_names else sizes.row
        self._heading_line.height = sizes.row * 1.5 if is_upright else landscape_height
        self._text_sheet.orientation = "vertical" if is_upright else "horizontal"
        self.prompt.size_hint = (1, 0.6) if is_upright else (0.5, 1)
        function_keys.orientation = "horizontal" if is_upright else "vertical"
        if is_upright:
            letter_keys.size_hint = (1, 1)
            function_keys.size_hint_y, function_keys.height = None, sizes.row * 1.2
            self.board.height = self._letter_keys_height() + function_keys.height + sizes.gap
        else:
            letter_keys.size_hint_x, function_keys.size_hint_x = 0.83, 0.17

    def _letter_keys_height(self) -> float:
        """Returns the height of the letter keys on an upright screen."""
        is_kana = self.script not in _SCRIPTS_OF_NETWORK_KEYS
        rows = len(self._kana_lines()) if is_kana else len(_LATIN_ROWS) + 1
        key_height = _UPRIGHT_KEY_HEIGHT_TARGETS["kana" if is_kana else "latin"]
        return float(rows * theme.length.target * key_height)

    def _kana_lines(self) -> tuple[str, ...]:
        """Returns lines of five kana if they fit below each other, else lines of ten."""
        sizes = theme.length
        letters_height = len(HIRAGANA_COLUMNS) * sizes.target * _UPRIGHT_KEY_HEIGHT_TARGETS["kana"]
        names_height = sizes.target + sizes.gap if self.known_names else 0.0
        if self.is_upright and letters_height + sizes.row * 2.7 + sizes.gap * 4 + names_height <= self.height:
            return HIRAGANA_COLUMNS
        return tuple("".join(line) for line in zip(*HIRAGANA_COLUMNS, strict=True))

    def _build_kana_keys(self) -> Widget:
        lines = self._kana_lines()
        grid = GridLayout(cols=len(lines[0]))
        for letter in "".join(lines):
            text = hiragana_to_katakana(letter) if self.script == "katakana" else letter
            add_children(grid, Key(text=text, style="kana", lines=1, on_press=self._type))
        return grid

    def _build_rows_of_keys(self) -> Widget:
        """Returns the rows of Latin letters, or of signs, above the space key."""
        rows = BoxLayout(orientation="vertical")
        for letters in _SIGN_ROWS if self.script == "signs" else _LATIN_ROWS:
            cased = letters.upper() if self.is_shifted else letters
            keys = [Key(text=letter, style="kana", lines=1, on_press=self._type) for letter in cased]
            add_children(rows, add_children(BoxLayout(), *keys))
        if self.script == "signs":
            return add_children(rows, add_children(BoxLayout(), self._build_space_key()))
        shift = Key(icon="shift", name="shift", chosen=self.is_shifted, size_hint_x=0.25)
        shift.bind(on_press=lambda _: self.setter("is_shifted")(self, not self.is_shifted))
        return add_children(rows, add_children(BoxLayout(), shift, self._build_space_key()))

    def _build_space_key(self) -> Key:
        return Key(text=self.space_text, name="space", lines=1, on_press=self._add_space)

    def _build_function_keys(self) -> BoxLayout:
        delete_key = Key(icon="delete", name="delete", on_press=self._delete)
        scripts = _SCRIPTS_OF_NETWORK_KEYS if self.types_network_key else _SCRIPTS
        script_keys = [self._build_script_key(script) for script in scripts if script != self.script]
        column = add_children(BoxLayout(), delete_key, *script_keys)
        if self.script not in _SCRIPTS_OF_NETWORK_KEYS:
            add_children(column, self._build_space_key())
        self.done_key = Key(text=self.done_text, look="brass", name="done", lines=1, size_hint_y=1)
        self.done_key.bind(on_release=lambda _: self.dispatch("on_done", self._finished_text()))
        return add_children(column, self.done_key)

    def _build_script_key(self, script: str) -> Key:
        text = {"hiragana": "あいう", "katakana": "アイウ", "latin": "ABC", "signs": "#+="}[script]
        key = Key(text=text, name=script, lines=1)
        key.bind(on_release=lambda _: self.setter("script")(self, script))
        return key

    def _type(self, key: Key) -> None:
        if self.replaces_text:
            self.replaces_text, self.text = False, ""
        if key.text in VOICING_MARKS:
            self.text = toggle_voicing_mark(self.text, key.text)
        elif key.text == SMALL_KANA_KEY:
            self.text = toggle_small_kana(self.text)
        elif self._has_room():
            self.text += key.text.replace(_VISIBLE_LOW_LINE, _LOW_LINE)
            self.is_shifted = False
            self._offer_accents_if_held(key)

    def _offer_accents_if_held(self, key: Key) -> None:
        touch = key.last_touch
        if accented_variants(key.text) and not self.types_network_key:
            Clock.schedule_once(
                lambda _: self._open_accent_popup(key, touch), theme.LONG_PRESS_FOR_ACCENTS_SECONDS
            )

    def _open_accent_popup(self, key: Key, touch: Any) -> None:
        """Opens the accents, unless the finger was lifted or something else was typed meanwhile."""
        if key.state != "down" or key.last_touch is not touch or not self.text.endswith(key.text):
            return
        self._held_touch = touch
        self._accent_popup = popup = AccentPopup(accented_variants(key.text), self._replace_last_letter)
        popup.place_over(key, self)
        self.add_widget(popup)

    def _replace_last_letter(self, letter: str) -> None:
        """Replaces the plain letter, which was typed when the finger came down."""
        self._close_accent_popup()
        self.text = self.text[:-1] + letter

    def _close_accent_popup(self) -> None:
        if self._accent_popup is not None:
            self.remove_widget(self._accent_popup)
            self._accent_popup = self._held_touch = None

    def on_touch_down(self, touch: Any) -> bool:
        """Passes a touch to the keys, and closes the accents if the touch is outside them."""
        if self._accent_popup is not None and not self._accent_popup.collide_point(*touch.pos):
            self._close_accent_popup()
        return bool(super().on_touch_down(touch))

    def on_touch_move(self, touch: Any) -> bool:
        """Highlights the accent under the finger that holds the letter."""
        if self._accent_popup is not None and touch is self._held_touch:
            self._accent_popup.highlight_letter_at(*touch.pos)
        return bool(super().on_touch_move(touch))

    def on_touch_up(self, touch: Any) -> bool:
        """Chooses the accent under the lifted finger; elsewhere the accents stay open."""
        if self._accent_popup is not None and touch is self._held_touch:
            self._held_touch = None
            self._accent_popup.choose_letter_at(*touch.pos)
        return bool(super().on_touch_up(touch))

    def _add_space(self, _key: Key) -> None:
        self._edit_old_text()
        if self.text and self._has_room():
            self.text += " "
            self.is_shifted = self._capitalizes

    def _delete(self, _key: Key) -> None:
        self._edit_old_text()
        self.text = "".join(split_graphemes(self.text)[:-1])

    def _edit_old_text(self) -> None:
        """Keeps the old text, which the next letter would have replaced."""
        if self.replaces_text:
            self.replaces_text = self.is_shifted = False

    def _begins_as_typed(self, name: str) -> bool:
        """Returns whether a name begins with what people have typed."""
        return self.replaces_text or fold_name(name).startswith(fold_name(self.text))

    @property
    def _capitalizes(self) -> bool:
        """Whether the first letter of a word becomes a capital by itself."""
        return self.script == "latin" and not self.types_network_key

    def _finished_text(self) -> str:
        return str(self.text if self.types_network_key else self.text.strip())

    def _end_that_fits(self, text: str) -> str:
        """Returns the text; of the key of a network, which may be too long, the end that has room."""
        if self.types_network_key:
            text = text.replace(_LOW_LINE, _VISIBLE_LOW_LINE)
            while len(text) > 1 and measure_text_width(text, theme.length.key) > self.typed.width:
                text = f"…{text.removeprefix('…')[1:]}"
        return text

    def _has_room(self) -> bool:
        return count_graphemes(self.text) < int(self.max_letters)

    def _update_texts(self, *_: object) -> None:
        self.prompt.text, self.cancel_key.text = self.heading, self.cancel_text
        self.cancel_key.size_hint_min_x = self.cancel_key.min_width()
        has_caret = self._has_room() and not self.replaces_text
        self.typed.text = self._end_that_fits(f"{self.text}|" if has_caret else self.text)
        self.typed.opacity = REPLACED_TEXT_OPACITY if self.replaces_text else 1.0
        self.known_names_row.show_names(
            [(name, colour) for name, colour in self.known_names if self._begins_as_typed(name)]
        )
        self.done_key.disabled = not self.text.strip()
