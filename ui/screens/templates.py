"""The templates of Any Game: which there are, what stands in one, and one thing of it with all its fields.

What may stand there comes from the deck's fields: a new field needs nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.cards import Deck, Value, Values
from companion.cards.deck import NAME, spoken, told
from companion.copies import Row, Rows
from companion.copies.template import KIND
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

LISTED, UPRIGHT_LISTED = (2, 5), (1, 10)
"""Columns and rows of a page of templates, or of what stands in one."""
SEEN = (KIND, "look", "colour")
"""Fields whose values are seen without words."""
HEAD = 3
"""Rows less for the head of a page that is upright."""
FOOT = 1
"""A row less where keys stand below them."""
MAX_VALUES = 3
"""Values in the line below a thing's name; more have no room in Japanese on a small panel."""


def paged(things: Sequence[Key], *, upright: bool, less: int = 0) -> Pager:
    """Their pages, whose keys stand in a head."""
    cols, rows = UPRIGHT_LISTED if upright else LISTED
    if upright:
        rows = min(rows, int(running().stage.room[1] / (theme.length.target + theme.length.gap / 2)) - HEAD)
    pager = Pager(things=things, cols=cols, rows=rows - less, between=theme.length.gap / 2, is_apart=True)
    for way in (pager.back, pager.on):
        way.width = theme.length.target
    return pager


def turning(pager: Pager) -> tuple[Key, ...]:
    """Those keys, where there is more than a page."""
    return (pager.back, pager.on) if pager.pages > 1 else ()


class Templates(Page):
    """`called` says what each is called, in this order, `own` which are one's own."""

    __events__: tuple[str, ...] = (
        "on_template",  # name: what stands in that one is wanted
        "on_take",  # one is to come from a file
    )

    def __init__(self, called: Mapping[str, Say], own: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        tr = self.app.tr
        keys = [self._key(name, label, is_own=name in own) for name, label in called.items()]
        self.pager = paged(keys, upright=running().stage.is_upright)
        take = Key(text=tr("From a file"), name="take", size_hint_x=None, width=theme.length.bar * 2)
        take.bind(on_release=lambda _: self.dispatch("on_take"))
        self.lay_under(Head(tr("Templates"), (*turning(self.pager), take)), self.pager)

    def _key(self, name: str, label: Say, *, is_own: bool) -> Key:
        key = OptionKey(name=f"template {name}", text=render(label, self.app.lang))
        key.below = self.app.tr("our own") if is_own else ""
        key.bind(on_release=lambda _: self.dispatch("on_template", name))
        return key


class TemplatePage(Page):
    """What stands in a template: a key for each thing; one's own may be changed, added to and taken out.

    `may` is what may stand in it.
    """

    __events__: tuple[str, ...] = (
        "on_design",  # id: that thing is wanted with all its fields
        "on_add",  # kind: there is to be one more of that kind
        "on_board",  # key: these numbers are wanted
        "on_copy",  # one that begins as this one is wanted
        "on_rename",  # it is to be called by another name
        "on_give",  # it is to be written into a file
        "on_delete",  # it is to be gone
    )

    def __init__(self, title: str, rows: Rows, may: Deck, *, is_own: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._may = may
        kinds = may.fields[KIND].choices
        ordered = sorted(rows.cards, key=lambda row: kinds.index(str(row[KIND])))
        keys = [self._design(row, is_own=is_own) for row in ordered]
        keys += [self._board(key, numbers, is_own=is_own) for key, numbers in rows.board.items()]
        if is_own:
            keys += [self._add(kind) for kind in kinds]
        self.pager = paged(keys, upright=running().stage.is_upright, less=FOOT)
        self.lay_under(Head(title, turning(self.pager)), self.pager, self._foot(is_own=is_own))

    def _design(self, row: Row, *, is_own: bool) -> Key:
        lang = self.app.lang
        key = OptionKey(name=f"design {row['id']}", text=called(row, lang), about=pictured(row), lang=lang)
        key.below = self._summary(row)
        if is_own:
            key.bind(on_release=lambda _: self.dispatch("on_design", str(row["id"])))
        else:
            key.bind(on_release=lambda _: self.dispatch("on_copy"))
        return key

    def _summary(self, row: Row) -> str:
        """Its kind, and the first of its values that are not the usual ones; its own page has them all."""
        fields = self._may.fields
        odd = {
            name: value
            for name, value in row.items()
            if name in fields and name not in SEEN and value != fields[name].default
        }
        kind = render(spoken(str(row[KIND])), self.app.lang)
        if not odd:
            return kind
        values = render(told(dict(islice(odd.items(), MAX_VALUES))), self.app.lang).replace("-", "−")
        rest = len(odd) - MAX_VALUES
        more = f" · {self.app.tr('{n} more', n=rest)}" if rest > 0 else ""
        return f"{kind} · {values}{more}"

    def _board(self, name: str, numbers: Sequence[Value], *, is_own: bool) -> Key:
        """A row of numbers, such as the steps of a price."""
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
        keys = [("copy", tr("Copy"), "paper" if is_own else "brass"), ("give", tr("To a file"), "paper")]
        if is_own:
            keys = [("delete", tr("Delete"), "danger"), ("rename", tr("Rename"), "paper"), *keys]
        for name, text, look in keys:
            key = Key(name=name, text=text, look=look)
            key.bind(on_release=lambda _, name=name: self.dispatch(f"on_{name}"))
            foot.add_widget(key)
        return foot


class DesignPage(Page):
    """One thing of a template: its name and its fields; the sentence below says what the last field means."""

    __events__: tuple[str, ...] = (
        "on_name",  # it is to be called otherwise
        "on_keep",  # name, values: so it is to stand there
        "on_earlier",  # it is to come before the one of its kind before it
        "on_remove",  # it is to be taken out
    )

    def __init__(self, row: Row, may: Deck, *, is_new: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        tr, sizes = self.app.tr, theme.length
        self.row, self._may = row, may
        self.named = OptionKey(name="name", lang=self.app.lang)
        self.named.bind(on_release=lambda _: self.dispatch("on_name"))
        head = Head("", (self.named, *(() if is_new else self._ways())))
        head.remove_widget(head.title)
        values = {name: value for name, value in row.items() if name in may.fields and name != KIND}
        self.form = Describing(may, {KIND: row[KIND]}, values, done=tr("Save"))
        self.form.bind(
            on_described=lambda _, values: self.dispatch("on_keep", values),
            on_cancel=lambda _: self.dispatch("on_close"),
            on_turned=lambda _, field: self._turned(field),
        )
        self.hint = Writing(felt=True, lines=2, line_height=1.0, halign="center")
        self.refusal = Refusal()
        self.said = BoxLayout(size_hint_y=None, height=sizes.remark)
        self.lay_under(head, self.form, self.said)
        self._turned(next(iter(self.form.dials), ""))
        self.call(str(row.get(NAME, "")))

    def _ways(self) -> list[Key]:
        keys = []
        for name, icon in (("earlier", "shift"), ("remove", "bin")):
            key = Key(name=name, icon=icon, look="felt", size_hint_x=None, width=theme.length.target)
            key.bind(on_release=lambda _, name=name: self.dispatch(f"on_{name}"))
            keys.append(key)
        return keys

    def call(self, name: str) -> None:
        """What it is called from now on."""
        self.row = {**self.row, NAME: name} if name else {**self.row}
        self._picture()

    def refuse(self, text: str) -> None:
        """Why it can't be so, until a field has another value."""
        self._say(text, refused=True)

    def _turned(self, field: str) -> None:
        hint = self._may.fields[field].hint if field in self._may.fields else ""
        self._say(render(spoken(hint), self.app.lang) if hint else "", refused=False)
        self._picture()

    def _picture(self) -> None:
        """What it is called, and how it looks with these values."""
        row = {**self.row, **self.form.values}
        self.named.text, self.named.about = called(row, self.app.lang), pictured(row)
        self.named.below = render(spoken(str(row[KIND])), self.app.lang)

    def _say(self, text: str, *, refused: bool) -> None:
        self.said.clear_widgets()
        (self.refusal if refused else self.hint).text = text
        self.said.add_widget(self.refusal if refused else self.hint)


def called(row: Values, lang: str) -> str:
    """What a thing of a template is called; its kind, where it has no name."""
    return render(spoken(str(row.get(NAME) or row[KIND])), lang)


def pictured(row: Values) -> Piece | None:
    """A piece that looks so; None for what has no look."""
    if "look" not in row:
        return None
    colour = str(row.get("colour", ""))
    name = spoken(str(row.get(NAME) or row["id"]))
    return Piece(str(row["id"]), name, look=str(row["look"]), colour=colour if colour in theme.PIECES else "")
