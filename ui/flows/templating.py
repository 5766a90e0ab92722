"""The templates of Any Game over home, cards or set-up: looked at, copied, changed, given away and taken in.

One page at a time lies over whatever is shown; every change is kept as soon as it is made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from kivy.uix.widget import Widget

from companion.cards import Values
from companion.cards.deck import NAME
from companion.copies import Row, Rows
from companion.copies.template import KIND, earlier, entered, free, without
from companion.errors import TableError
from companion.templates import LONGEST
from companion.words import Say, render
from ui.evening.template_service import TemplateService
from ui.host import TableHost
from ui.screens.board import BoardPage
from ui.screens.decks import board_name
from ui.screens.templates import DesignPage, TemplatePage, Templates, called
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Leaf
from ui.widgets.sheets.keyboard import keyboard
from ui.widgets.sheets.overlay import Overlay

LONGEST_NAME = 24
"""Letters of what a piece is called."""


class Templating:
    """`Templating(app, box).open(done)`; `done` gets the template looked at last once people are through."""

    def __init__(self, app: TableHost, box: TemplateService) -> None:
        self.app, self.box = app, box
        self._overlay: Overlay | None = None
        self._done: Callable[[str], object] = lambda _name: None
        self._last = ""

    def open(self, done: Callable[[str], object] = lambda _name: None) -> None:
        """All templates."""
        self._done, self._last = done, ""
        self._list()

    # The pages

    def _show(self, page: Widget) -> None:
        """In place of the page that lies there now."""
        self._close()
        self._overlay = Overlay(page)
        self.app.stage.lay(self._overlay)

    def _close(self) -> None:
        if self._overlay is not None:
            self._overlay.close()
        self._overlay = None

    def _list(self) -> None:
        names = self.box.called()
        own = [name for name in names if self.box.is_own(name)]
        page = Templates({name: names[name] for name in (*own, *names)}, own)
        page.bind(
            on_template=lambda _, name: self._template(name),
            on_take=lambda _: self._take(),
            on_close=lambda _: self._end(),
        )
        self._show(page)

    def _end(self) -> None:
        self._close()
        self._done(self._last)

    def _template(self, name: str) -> None:
        """What stands in it, or why that can't be read."""
        rows = self._try(partial(self.box.rows, name))
        if rows is None:
            return
        self._last = name
        label, is_own = self.box.called()[name], self.box.is_own(name)
        page = TemplatePage(render(label, self.app.lang), rows, self.box.printed().deck, is_own=is_own)
        page.bind(
            on_design=lambda _, design: self._design(name, rows, design),
            on_add=lambda _, kind: self._add(name, rows, kind),
            on_board=lambda _, key: self._board(name, rows, key),
            on_copy=lambda _: self._copy(name),
            on_rename=lambda _: self._rename(name),
            on_give=lambda _: self._give(name),
            on_delete=lambda _: self._delete(name),
            on_close=lambda _: self._list(),
        )
        self._show(page)

    def _design(self, name: str, rows: Rows, design: str) -> None:
        row = next(row for row in rows.cards if str(row["id"]) == design)
        page = self._form(name, rows, row)
        page.bind(
            on_earlier=lambda _: self._keep(name, partial(earlier, rows, design), page),
            on_remove=lambda _: self._keep(name, partial(without, rows, design), page),
        )

    def _form(self, name: str, rows: Rows, row: Row, *, is_new: bool = False) -> DesignPage:
        page = DesignPage(row, self.box.printed().deck, is_new=is_new)

        def enter(_page: DesignPage, values: Values) -> None:
            called_so = {key: page.row[key] for key in (KIND, NAME) if key in page.row}
            changed = partial(entered, rows, str(row["id"]), {**called_so, **values})
            self._keep(name, changed, page)

        page.bind(
            on_name=lambda _: self._type(called(page.row, self.app.lang), page.call),
            on_keep=enter,
            on_close=lambda _: self._template(name),
        )
        self._show(page)
        return page

    def _board(self, name: str, rows: Rows, key: str) -> None:
        """A row of numbers, each of which is turned; there may be more or fewer of them."""
        numbers, bound = [int(number) for number in rows.board[key]], self.box.printed().bounds[key]
        page = BoardPage(board_name(key, self.app.lang), numbers, bound, done=self.app.tr("Save"))

        def enter(_page: BoardPage, entered: list[int]) -> None:
            changed = msgspec.structs.replace(rows, board={**rows.board, key: list(entered)})
            self._try(partial(self.box.keep, name, changed))
            self._template(name)

        page.bind(on_entered=enter, on_close=lambda _: self._template(name))
        self._show(page)

    def _add(self, name: str, rows: Rows, kind: str) -> None:
        """What it is called comes first: the rest has its usual values."""

        def begin(typed: str) -> None:
            self._form(name, rows, {"id": free(rows, kind), KIND: kind, NAME: typed}, is_new=True)

        self._type("", begin)

    # What is done

    def _keep(self, name: str, changed: Callable[[], Rows], page: DesignPage) -> None:
        """Makes that what stands in it, or says on the page why it can't."""
        try:
            self.box.keep(name, changed())
        except TableError as error:
            said = render(plainly(error.text), self.app.lang)
            page.refuse(said[:1].upper() + said[1:])
        else:
            self._template(name)

    def _copy(self, name: str) -> None:
        self._ask_name("", lambda typed: self._to(partial(self.box.copy, name, typed)))

    def _rename(self, name: str) -> None:
        self._ask_name(name, lambda typed: self._to(partial(self.box.rename, name, typed)))

    def _to(self, do: Callable[[], str]) -> None:
        """Does it, and shows the template that it leads to."""
        name = self._try(do)
        if name is not None:
            self._template(name)

    def _give(self, name: str) -> None:
        file = self._try(partial(self.box.give, name))
        if file is not None:
            self.app.tell(self.app.tr("The template was saved as {file}.", file=str(file)))

    def _take(self) -> None:
        """Which of the files there are."""
        tr, found = self.app.tr, self.box.found()
        if not found:
            text = tr("No file was found. Plug in a USB stick, wait a few seconds and try again.")
            self.app.tell(text)
            return
        leaf = Leaf(title=tr("Which file?"), answers=[("no", tr("Cancel"), "paper")])
        leaf.body = Pager(
            things=[self._file(leaf, file) for file in found],
            cols=1 if self.app.stage.is_upright else 2,
            rows=8 if self.app.stage.is_upright else 4,
            look="paper",
        )
        self.app.stage.lay(leaf)

    def _file(self, leaf: Leaf, file: Path) -> Widget:
        def take(_key: Key) -> None:
            self.app.stage.take(leaf)
            self._to(partial(self.box.take, file))

        return Key(text=f"{file.parent.name}/{file.name}", name=f"file {file.name}", on_release=take)

    def _delete(self, name: str) -> None:
        tr = self.app.tr

        def gone() -> None:
            self._try(partial(self.box.delete, name))
            self._last = ""
            self._list()

        answers = [("no", tr("Keep the template"), "paper"), ("yes", tr("Delete"), "danger")]
        text = tr("Games that started with this template don't change.")
        self.app.ask(tr("Delete {name} permanently?", name=name), text, answers, gone)

    # How it is asked

    def _ask_name(self, before: str, take: Callable[[str], object]) -> None:
        heading = self.app.tr("Name of the template")
        self.app.stage.lay(keyboard(heading, take, most=LONGEST, text=before))

    def _type(self, before: str, take: Callable[[str], object]) -> None:
        self.app.stage.lay(keyboard(self.app.tr("Name"), take, most=LONGEST_NAME, text=before))

    def _try(self, do: Callable[[], Any]) -> Any:
        """What it gives, or None after it was said why it can't be."""
        try:
            return do()
        except TableError as error:
            self.app.tell(render(error.text, self.app.lang))
            return None


def plainly(text: Say) -> Say:
    """The sentence without the file and the thing that it is about, which people have before them."""
    while isinstance(why := dict(text.args).get("why"), Say):
        text = why
    return text
