"""The pages of presets over home, cards or set-up: people look, copy, change, export and import.

One page at a time lies over what is shown. Every change is saved at once.
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
from companion.errors import TableError
from companion.presets import (
    KIND_FIELD,
    MAX_NAME_LETTERS,
    unused_id,
    with_design,
    with_design_earlier,
    without_design,
)
from companion.rules.game import Game
from companion.words import Say, render
from ui.evening.diagnostics import Diagnostics
from ui.evening.preset_service import PresetService
from ui.host import TableHost
from ui.screens.board import BoardPage
from ui.screens.decks import board_name
from ui.screens.presets import DesignPage, PresetListPage, PresetPage, design_name
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Leaf
from ui.widgets.sheets.keyboard import keyboard
from ui.widgets.sheets.overlay import Overlay

MAX_DESIGN_NAME_LETTERS = 24


class PresetFlow:
    """`PresetFlow(app, diagnostics).open(game, done)`; at the end `done` gets the preset seen last, or ""."""

    service: PresetService
    """The presets of the game whose pages were opened last."""

    def __init__(self, app: TableHost, diagnostics: Diagnostics) -> None:
        self.app = app
        self._diagnostics = diagnostics
        self._overlay: Overlay | None = None
        self._done: Callable[[str], object] = lambda _name: None
        self._last = ""

    def service_of(self, game: Game) -> PresetService:
        """The presets of a game."""
        return PresetService(game, self._diagnostics)

    def open(self, game: Game, done: Callable[[str], object] = lambda _name: None) -> None:
        """Opens the list of a game's presets."""
        self.service = self.service_of(game)
        self._done, self._last = done, ""
        self._open_list()

    # The pages

    def _show(self, page: Widget) -> None:
        """Shows a page in place of the current one."""
        self._close()
        self._overlay = Overlay(page)
        self.app.stage.lay(self._overlay)

    def _close(self) -> None:
        if self._overlay is not None:
            self._overlay.close()
        self._overlay = None

    def _open_list(self) -> None:
        labels = self.service.labels()
        own = [name for name in labels if self.service.is_own(name)]
        page = PresetListPage({name: labels[name] for name in (*own, *labels)}, own)
        page.bind(
            on_preset=lambda _, name: self._open_preset(name),
            on_import=lambda _: self._choose_file(),
            on_close=lambda _: self._finish(),
        )
        self._show(page)

    def _finish(self) -> None:
        self._close()
        self._done(self._last)

    def _open_preset(self, name: str) -> None:
        """Opens the page of a preset, or says why it can't be read."""
        rows = self._try(partial(self.service.rows, name))
        if rows is None:
            return
        self._last = name
        label, is_own = self.service.labels()[name], self.service.is_own(name)
        page = PresetPage(render(label, self.app.lang), rows, self.service.printed().deck, is_own=is_own)
        page.bind(
            on_design=lambda _, design: self._design(name, rows, design),
            on_add=lambda _, kind: self._add(name, rows, kind),
            on_board=lambda _, key: self._board(name, rows, key),
            on_copy=lambda _: self._copy(name),
            on_rename=lambda _: self._rename(name),
            on_export=lambda _: self._export(name),
            on_delete=lambda _: self._delete(name),
            on_close=lambda _: self._open_list(),
        )
        self._show(page)

    def _design(self, name: str, rows: Rows, design: str) -> None:
        row = next(row for row in rows.cards if str(row["id"]) == design)
        page = self._form(name, rows, row)
        page.bind(
            on_earlier=lambda _: self._keep(name, partial(with_design_earlier, rows, design), page),
            on_remove=lambda _: self._keep(name, partial(without_design, rows, design), page),
        )

    def _form(self, name: str, rows: Rows, row: Row, *, is_new: bool = False) -> DesignPage:
        page = DesignPage(row, self.service.printed().deck, is_new=is_new)

        def enter(_page: DesignPage, values: Values) -> None:
            named = {key: page.row[key] for key in (KIND_FIELD, NAME) if key in page.row}
            changed = partial(with_design, rows, str(row["id"]), {**named, **values})
            self._keep(name, changed, page)

        page.bind(
            on_name=lambda _: self._type(design_name(page.row, self.app.lang), page.set_name),
            on_keep=enter,
            on_close=lambda _: self._open_preset(name),
        )
        self._show(page)
        return page

    def _board(self, name: str, rows: Rows, key: str) -> None:
        """Opens a row of numbers, which people turn, add and remove."""
        numbers, bound = [int(number) for number in rows.board[key]], self.service.printed().bounds[key]
        page = BoardPage(board_name(key, self.app.lang), numbers, bound, done=self.app.tr("Save"))

        def enter(_page: BoardPage, entered: list[int]) -> None:
            changed = msgspec.structs.replace(rows, board={**rows.board, key: list(entered)})
            self._try(partial(self.service.keep, name, changed))
            self._open_preset(name)

        page.bind(on_entered=enter, on_close=lambda _: self._open_preset(name))
        self._show(page)

    def _add(self, name: str, rows: Rows, kind: str) -> None:
        """Asks for the name of a new design first; its other fields have their defaults."""

        def begin(typed: str) -> None:
            self._form(name, rows, {"id": unused_id(rows, kind), KIND_FIELD: kind, NAME: typed}, is_new=True)

        self._type("", begin)

    # What is done

    def _keep(self, name: str, changed: Callable[[], Rows], page: DesignPage) -> None:
        """Saves the changed rows, or says on the page why it can't."""
        try:
            self.service.keep(name, changed())
        except TableError as error:
            said = render(without_place(error.text), self.app.lang)
            page.refuse(said[:1].upper() + said[1:])
        else:
            self._open_preset(name)

    def _copy(self, name: str) -> None:
        self._ask_name("", lambda typed: self._open_result(partial(self.service.duplicate, name, typed)))

    def _rename(self, name: str) -> None:
        self._ask_name(name, lambda typed: self._open_result(partial(self.service.rename, name, typed)))

    def _open_result(self, do: Callable[[], str]) -> None:
        """Does something that returns the name of a preset, and opens that preset."""
        name = self._try(do)
        if name is not None:
            self._open_preset(name)

    def _export(self, name: str) -> None:
        file = self._try(partial(self.service.export, name))
        if file is not None:
            self.app.tell(self.app.tr("The template was saved as {file}.", file=str(file)))

    def _choose_file(self) -> None:
        """Asks which file is imported."""
        tr, found = self.app.tr, self.service.files_to_import()
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
            self._open_result(partial(self.service.import_file, file))

        return Key(text=f"{file.parent.name}/{file.name}", name=f"file {file.name}", on_release=take)

    def _delete(self, name: str) -> None:
        tr = self.app.tr

        def gone() -> None:
            self._try(partial(self.service.delete, name))
            self._last = ""
            self._open_list()

        answers = [("no", tr("Keep the template"), "paper"), ("yes", tr("Delete"), "danger")]
        text = tr("Games that started with this template don't change.")
        self.app.ask(tr("Delete {name} permanently?", name=name), text, answers, gone)

    # How it is asked

    def _ask_name(self, before: str, take: Callable[[str], object]) -> None:
        heading = self.app.tr("Name of the template")
        self.app.stage.lay(keyboard(heading, take, most=MAX_NAME_LETTERS, text=before))

    def _type(self, before: str, take: Callable[[str], object]) -> None:
        self.app.stage.lay(keyboard(self.app.tr("Name"), take, most=MAX_DESIGN_NAME_LETTERS, text=before))

    def _try(self, do: Callable[[], Any]) -> Any:
        """Returns what `do` returns; None after saying why it can't be done."""
        try:
            return do()
        except TableError as error:
            self.app.tell(render(error.text, self.app.lang))
            return None


def without_place(text: Say) -> Say:
    """The sentence without the file and the design that it is about, which people have before them."""
    while isinstance(why := dict(text.args).get("why"), Say):
        text = why
    return text
