"""The pages of presets: the list of all, one preset, and one design of it with all its fields.

What may stand in a preset comes from the fields of its deck: a new field needs nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.cards import Deck, Value, Values
from companion.cards.deck import NAME, spoken, told
from companion.copies import Row, Rows
from companion.presets import KIND_FIELD
from companion.table.ledger import Piece
from companion.words import Say, render
from ui import theme
from ui.asking.describing import Describing
from ui.host import running
from ui.screens.decks import board_name
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.option import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.head import Head, Page
from ui.widgets.sheets.slip import Refusal

LIST_GRID, UPRIGHT_LIST_GRID = (2, 5), (1, 10)
"""Columns and rows of a page of presets, or of the designs of one."""
SHOWN_AS_PICTURE = (KIND_FIELD, "look", "colour")
"""Fields whose values the picture of a design shows."""
HEAD_ROWS = 3
"""Rows that the head of an upright page takes."""
FOOT_ROWS = 1
"""Rows that the keys at the foot of a page take."""
MAX_VALUES = 3
"""Values in the line below a design's name; more have no room in Japanese on a small panel."""


def key_pager(keys: Sequence[Key], *, upright: bool, taken_rows: int = 0) -> Pager:
    """Pages of keys; the head of the page gets the two keys that turn them."""
    cols, rows = UPRIGHT_LIST_GRID if upright else LIST_GRID
    if upright:
        rows = min(
            rows, int(running().stage.room[1] / (theme.length.target + theme.length.gap / 2)) - HEAD_ROWS
        )
    pager = Pager(things=keys, cols=cols, rows=rows - taken_rows, between=theme.length.gap / 2, is_apart=True)
    for way in (pager.back, pager.on):
        way.width = theme.length.target
    return pager


def turning_keys(pager: Pager) -> tuple[Key, ...]:
    """The two keys that turn pages; none if there is only one page."""
    return (pager.back, pager.on) if pager.pages > 1 else ()


class PresetListPage(Page):
    """Lists presets with their `labels`, in this order; `own` are the names of people's own."""

    __events__: tuple[str, ...] = (
        "on_preset",  # name: somebody opens that preset
        "on_import",  # somebody imports a file
    )

    def __init__(self, labels: Mapping[str, Say], own: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        tr = self.app.tr
        keys = [self._key(name, label, is_own=name in own) for name, label in labels.items()]
        self.pager = key_pager(keys, upright=running().stage.is_upright)
        import_key = Key(text=tr("From a file"), name="import", size_hint_x=None, width=theme.length.bar * 2)
        import_key.bind(on_release=lambda _: self.dispatch("on_import"))
        self.lay_under(Head(tr("Templates"), (*turning_keys(self.pager), import_key)), self.pager)

    def _key(self, name: str, label: Say, *, is_own: bool) -> Key:
        key = OptionKey(name=f"template {name}", text=render(label, self.app.lang))
        key.below = self.app.tr("our own") if is_own else ""
        key.bind(on_release=lambda _: self.dispatch("on_preset", name))
        return key


class PresetPage(Page):
    """One preset: a key for each of its designs. People may change, add and remove designs of an own preset.

    `deck` says what may stand in a preset.
    """

    __events__: tuple[str, ...] = (
        "on_design",  # id: somebody opens that design
        "on_add",  # kind: somebody adds a design of that kind
        "on_board",  # key: somebody opens these numbers
        "on_copy",  # somebody copies the preset
        "on_rename",  # somebody renames the preset
        "on_export",  # somebody exports the preset to a file
        "on_delete",  # somebody deletes the preset
    )

    def __init__(self, title: str, rows: Rows, deck: Deck, *, is_own: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._deck = deck
        kinds = deck.fields[KIND_FIELD].choices
        ordered = sorted(rows.cards, key=lambda row: kinds.index(str(row[KIND_FIELD])))
        keys = [self._design(row, is_own=is_own) for row in ordered]
        keys += [self._board(key, numbers, is_own=is_own) for key, numbers in rows.board.items()]
        if is_own:
            keys += [self._add(kind) for kind in kinds]
        self.pager = key_pager(keys, upright=running().stage.is_upright, taken_rows=FOOT_ROWS)
        self.lay_under(Head(title, turning_keys(self.pager)), self.pager, self._foot(is_own=is_own))

    def _design(self, row: Row, *, is_own: bool) -> Key:
        lang = self.app.lang
        key = OptionKey(
            name=f"design {row['id']}", text=design_name(row, lang), about=design_picture(row), lang=lang
        )
        key.below = self._summary(row)
        if is_own:
            key.bind(on_release=lambda _: self.dispatch("on_design", str(row["id"])))
        else:
            key.bind(on_release=lambda _: self.dispatch("on_copy"))
        return key

    def _summary(self, row: Row) -> str:
        """The kind of a design and its first values that aren't defaults; its own page has them all."""
        fields = self._deck.fields
        odd = {
            name: value
            for name, value in row.items()
            if name in fields and name not in SHOWN_AS_PICTURE and value != fields[name].default
        }
        kind = render(spoken(str(row[KIND_FIELD])), self.app.lang)
        if not odd:
            return kind
        values = render(told(dict(islice(odd.items(), MAX_VALUES))), self.app.lang).replace("-", "−")
        rest = len(odd) - MAX_VALUES
        more = f" · {self.app.tr('{n} more', n=rest)}" if rest > 0 else ""
        return f"{kind} · {values}{more}"

    def _board(self, name: str, numbers: Sequence[Value], *, is_own: bool) -> Key:
        """A key for a row of numbers, such as the steps of a price."""
        key = OptionKey(name=f"board {name}", text=board_name(name, self.app.lang))
        key.below = " ".join(map(str, numbers))
        key.bind(on_release=lambda _: self.dispatch(*(("on_board", name) if is_own else ("on_copy",))))
        return key

    def _add(self, kind: str) -> Key:
        key = Key(icon="plus", text=render(spoken(kind), self.app.lang), name=f"add {kind}", lines=1)
        key.bind(on_release=lambda _: self.dispatch("on_add", kind))
        return key

    def _foot(self, *, is_own: bool) -> BoxLayout:
        tr, sizes = self.app.tr, theme.length
        foot = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.gap)
        keys = [("copy", tr("Copy"), "paper" if is_own else "brass"), ("export", tr("To a file"), "paper")]
        if is_own:
            keys = [("delete", tr("Delete"), "danger"), ("rename", tr("Rename"), "paper"), *keys]
        for name, text, look in keys:
            key = Key(name=name, text=text, look=look)
            key.bind(on_release=lambda _, name=name: self.dispatch(f"on_{name}"))
            foot.add_widget(key)
        return foot


class DesignPage(Page):
    """One design of a preset: its name and its fields. The sentence below says what the last field means."""

    __events__: tuple[str, ...] = (
        "on_name",  # somebody changes the name
        "on_keep",  # values: somebody saves the design
        "on_earlier",  # somebody moves it before the previous design of its kind
        "on_remove",  # somebody removes the design
    )

    def __init__(self, row: Row, deck: Deck, *, is_new: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        tr, sizes = self.app.tr, theme.length
        self.row, self._deck = row, deck
        self.name_key = OptionKey(name="name", lang=self.app.lang)
        self.name_key.bind(on_release=lambda _: self.dispatch("on_name"))
        head = Head("", (self.name_key, *(() if is_new else self._ways())))
        head.remove_widget(head.title)
        values = {name: value for name, value in row.items() if name in deck.fields and name != KIND_FIELD}
        self.form = Describing(deck, {KIND_FIELD: row[KIND_FIELD]}, values, done=tr("Save"))
        self.form.bind(
            on_described=lambda _, values: self.dispatch("on_keep", values),
            on_cancel=lambda _: self.dispatch("on_close"),
            on_turned=lambda _, field: self._turned(field),
        )
        self.hint = Writing(felt=True, lines=2, line_height=1.0, halign="center")
        self.refusal = Refusal()
        self.text_row = BoxLayout(size_hint_y=None, height=sizes.remark)
        self.lay_under(head, self.form, self.text_row)
        self._turned(next(iter(self.form.dials), ""))
        self.set_name(str(row.get(NAME, "")))

    def _ways(self) -> list[Key]:
        keys = []
        for name, icon in (("earlier", "shift"), ("remove", "bin")):
            key = Key(name=name, icon=icon, look="felt", size_hint_x=None, width=theme.length.target)
            key.bind(on_release=lambda _, name=name: self.dispatch(f"on_{name}"))
            keys.append(key)
        return keys

    def set_name(self, name: str) -> None:
        """Gives the design this name; it is not saved yet."""
        self.row = {**self.row, NAME: name} if name else {**self.row}
        self._picture()

    def refuse(self, text: str) -> None:
        """Shows why the design can't be saved, until a field has another value."""
        self._show_text(text, refused=True)

    def _turned(self, field: str) -> None:
        hint = self._deck.fields[field].hint if field in self._deck.fields else ""
        self._show_text(render(spoken(hint), self.app.lang) if hint else "", refused=False)
        self._picture()

    def _picture(self) -> None:
        """Shows its name, and how it looks with these values."""
        row = {**self.row, **self.form.values}
        self.name_key.text, self.name_key.about = design_name(row, self.app.lang), design_picture(row)
        self.name_key.below = render(spoken(str(row[KIND_FIELD])), self.app.lang)

    def _show_text(self, text: str, *, refused: bool) -> None:
        self.text_row.clear_widgets()
        (self.refusal if refused else self.hint).text = text
        self.text_row.add_widget(self.refusal if refused else self.hint)


def design_name(row: Values, lang: str) -> str:
    """What people call a design; its kind if it has no name."""
    return render(spoken(str(row.get(NAME) or row[KIND_FIELD])), lang)


def design_picture(row: Values) -> Piece | None:
    """A piece with the look of the design; None if it has no look."""
    if "look" not in row:
        return None
    colour = str(row.get("colour", ""))
    name = spoken(str(row.get(NAME) or row["id"]))
    return Piece(str(row["id"]), name, look=str(row["look"]), colour=colour if colour in theme.PIECES else "")
