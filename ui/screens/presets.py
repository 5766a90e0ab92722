"""The pages of presets: the list of all, one preset, and one design of it with all its fields.

The fields of the deck determine what a preset contains: a new field needs no change here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

import msgspec
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.cards import CardValue, CardValues, Deck
from companion.cards.deck import NAME_FIELD, describe_values, field_label, word_label
from companion.errors import UserError
from companion.owner_decks import DeckRows, DesignRow
from companion.presets import (
    DESIGN_KIND_FIELD,
    MAX_NAME_LETTERS,
    unused_design_id,
    with_design,
    with_design_moved_up,
    without_design,
)
from companion.rules.game import Game
from companion.table.ledger import Piece
from companion.texts import Say, render
from ui import theme
from ui.evening.diagnostics import Diagnostics
from ui.evening.preset_service import PresetService
from ui.host import AppWithEvening, get_companion_app
from ui.pages import (
    DialogChoice,
    Page,
    open_choice_dialog,
    open_dialog,
    open_keyboard,
    open_page,
    show_message,
)
from ui.questions.card_form import CardValuesForm
from ui.screens.board import PrintedNumbersPage
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.messages import RefusalNotice
from ui.widgets.sheets.overlays import Overlay

LIST_GRID, UPRIGHT_LIST_GRID = (2, 5), (1, 10)
"""Columns and rows of a page of presets, or of the designs of one."""
FIELDS_SHOWN_AS_PICTURE = (DESIGN_KIND_FIELD, "look", "colour")
"""Fields whose values the picture of a design shows."""
UPRIGHT_HEAD_ROWS = 3
"""Rows that the head of an upright page takes."""
FOOT_ROWS = 1
"""Rows that the keys at the foot of a page take."""
MAX_VALUES_IN_SUMMARY = 3
"""The most values in the line below a design's name; more have no room in Japanese on a small panel."""


def make_key_pager(keys: Sequence[Key], *, upright: bool, reserved_rows: int = 0) -> Pager:
    """Returns a new pager for these keys.

    The two page keys go to the head of the page.
    """
    cols, rows = UPRIGHT_LIST_GRID if upright else LIST_GRID
    if upright:
        rows = min(
            rows,
            int(get_companion_app().stage.next_page_size[1] / (theme.length.target + theme.length.gap / 2))
            - UPRIGHT_HEAD_ROWS,
        )
    pager = Pager(
        items=keys, cols=cols, rows=rows - reserved_rows, between=theme.length.gap / 2, is_apart=True
    )
    for way in (pager.back_key, pager.next_key):
        way.width = theme.length.target
    return pager


def visible_page_keys(pager: Pager) -> tuple[Key, ...]:
    """Returns the two page keys of a pager; none if there is only one page."""
    return (pager.back_key, pager.next_key) if pager.page_count > 1 else ()


class PresetListPage(Page):
    """The page with the list of presets, in the order of `labels`.

    `own` are the names of people's own presets.
    """

    __events__: tuple[str, ...] = (
        "on_preset",  # name: somebody opens that preset
        "on_import",  # somebody imports a file
    )

    def __init__(self, labels: Mapping[str, Say], own: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        tr = self.app.tr
        keys = [self._key(name, label, is_own=name in own) for name, label in labels.items()]
        self.pager = make_key_pager(keys, upright=get_companion_app().stage.is_next_page_portrait)
        import_key = Key(text=tr("From a file"), name="import", size_hint_x=None, width=theme.length.bar * 2)
        import_key.bind(on_release=lambda _: self.dispatch("on_import"))
        self.add_content(tr("Templates"), self.pager, keys=(*visible_page_keys(self.pager), import_key))

    def _key(self, name: str, label: Say, *, is_own: bool) -> Key:
        key = OptionKey(name=f"template {name}", text=render(label, self.app.lang))
        key.detail_text = self.app.tr("our own") if is_own else ""
        key.bind(on_release=lambda _: self.dispatch("on_preset", name))
        return key


class PresetPage(Page):
    """One preset: a key for each of its designs. People can change, add and remove designs of their own.

    `deck` says which fields a design has.
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

    def __init__(self, title: str, rows: DeckRows, deck: Deck, *, is_own: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._deck = deck
        kinds = deck.fields[DESIGN_KIND_FIELD].choices
        ordered = sorted(rows.cards, key=lambda row: kinds.index(str(row[DESIGN_KIND_FIELD])))
        keys = [self._design(row, is_own=is_own) for row in ordered]
        keys += [self._board(key, numbers, is_own=is_own) for key, numbers in rows.board.items()]
        if is_own:
            keys += [self._add(kind) for kind in kinds]
        self.pager = make_key_pager(
            keys, upright=get_companion_app().stage.is_next_page_portrait, reserved_rows=FOOT_ROWS
        )
        self.add_content(title, self.pager, self._foot(is_own=is_own), keys=visible_page_keys(self.pager))

    def _design(self, row: DesignRow, *, is_own: bool) -> Key:
        lang = self.app.lang
        key = OptionKey(
            name=f"design {row['id']}", text=design_name(row, lang), subject=design_picture(row), lang=lang
        )
        key.detail_text = self._summary(row)
        if is_own:
            key.bind(on_release=lambda _: self.dispatch("on_design", str(row["id"])))
        else:
            key.bind(on_release=lambda _: self.dispatch("on_copy"))
        return key

    def _summary(self, row: DesignRow) -> str:
        """Returns the kind of a design and its first changed values; its own page has all values."""
        fields = self._deck.fields
        odd = {
            name: value
            for name, value in row.items()
            if name in fields and name not in FIELDS_SHOWN_AS_PICTURE and value != fields[name].default
        }
        kind = render(word_label(str(row[DESIGN_KIND_FIELD])), self.app.lang)
        if not odd:
            return kind
        values = render(
            describe_values(dict(islice(odd.items(), MAX_VALUES_IN_SUMMARY))), self.app.lang
        ).replace("-", "−")
        rest = len(odd) - MAX_VALUES_IN_SUMMARY
        more = f" · {self.app.tr('{n} more', n=rest)}" if rest > 0 else ""
        return f"{kind} · {values}{more}"

    def _board(self, name: str, numbers: Sequence[CardValue], *, is_own: bool) -> Key:
        """Returns a key for a row of numbers, such as the steps of a price."""
        key = OptionKey(name=f"board {name}", text=render(field_label(name), self.app.lang))
        key.detail_text = " ".join(map(str, numbers))
        key.bind(on_release=lambda _: self.dispatch(*(("on_board", name) if is_own else ("on_copy",))))
        return key

    def _add(self, kind: str) -> Key:
        key = Key(icon="plus", text=render(word_label(kind), self.app.lang), name=f"add {kind}", lines=1)
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

    def __init__(self, row: DesignRow, deck: Deck, *, is_new: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        tr, sizes = self.app.tr, theme.length
        self.row, self._deck = row, deck
        self.name_key = OptionKey(name="name", lang=self.app.lang)
        self.name_key.bind(on_release=lambda _: self.dispatch("on_name"))
        values = {
            name: value for name, value in row.items() if name in deck.fields and name != DESIGN_KIND_FIELD
        }
        self.form = CardValuesForm(
            deck, {DESIGN_KIND_FIELD: row[DESIGN_KIND_FIELD]}, values, done_text=tr("Save")
        )
        self.form.bind(
            on_described=lambda _, values: self.dispatch("on_keep", values),
            on_cancel=lambda _: self.dispatch("on_close"),
            on_turned=lambda _, field: self._turned(field),
        )
        self.hint = FittedLabel(is_on_felt=True, lines=2, line_height=1.0, halign="center")
        self.refusal = RefusalNotice()
        self.text_row = BoxLayout(size_hint_y=None, height=sizes.remark)
        self.add_content(
            "", self.form, self.text_row, keys=(self.name_key, *(() if is_new else self._ways()))
        )
        self.head.remove_widget(self.head.title)
        self._turned(next(iter(self.form.dials), ""))
        self.set_name(str(row.get(NAME_FIELD, "")))

    def _ways(self) -> list[Key]:
        keys = []
        for name, icon in (("earlier", "shift"), ("remove", "bin")):
            key = Key(name=name, icon=icon, look="felt", size_hint_x=None, width=theme.length.target)
            key.bind(on_release=lambda _, name=name: self.dispatch(f"on_{name}"))
            keys.append(key)
        return keys

    def set_name(self, name: str) -> None:
        """Gives the design this name; it is not saved yet."""
        self.row = {**self.row, NAME_FIELD: name} if name else {**self.row}
        self._picture()

    def show_refusal(self, text: str) -> None:
        """Shows why the design can't be saved, until a field has another value."""
        self._show_text(text, refused=True)

    def _turned(self, field: str) -> None:
        hint = self._deck.fields[field].hint if field in self._deck.fields else ""
        self._show_text(render(word_label(hint), self.app.lang) if hint else "", refused=False)
        self._picture()

    def _picture(self) -> None:
        """Shows its name, and how it looks with these values."""
        row = {**self.row, **self.form.values}
        self.name_key.text, self.name_key.subject = design_name(row, self.app.lang), design_picture(row)
        self.name_key.detail_text = render(word_label(str(row[DESIGN_KIND_FIELD])), self.app.lang)

    def _show_text(self, text: str, *, refused: bool) -> None:
        self.text_row.clear_widgets()
        (self.refusal if refused else self.hint).text = text
        self.text_row.add_widget(self.refusal if refused else self.hint)


def design_name(row: CardValues, lang: str) -> str:
    """Returns the name of a design; its kind if it has no name."""
    return render(word_label(str(row.get(NAME_FIELD) or row[DESIGN_KIND_FIELD])), lang)


def design_picture(row: CardValues) -> Piece | None:
    """Returns a piece with the look of the design; None if the design has no look."""
    if "look" not in row:
        return None
    colour = str(row.get("colour", ""))
    name = word_label(str(row.get(NAME_FIELD) or row["id"]))
    return Piece(
        str(row["id"]), name, look=str(row["look"]), colour=colour if colour in theme.PIECE_COLOURS else ""
    )


# The pages of presets over home, cards or set-up: people look, copy, change, export and import.
#
# One page at a time lies over what is shown. Every change is saved at once.


MAX_DESIGN_NAME_LETTERS = 24


class PresetFlow:
    """Shows the pages of a game's presets, and handles what people change there.

    `PresetFlow(app, diagnostics).open(game, on_closed_with_last_preset)`; the function gets the name of the
    last preset shown, or "".
    """

    service: PresetService
    """The service for the presets of the game whose pages were opened last."""

    def __init__(self, app: AppWithEvening, diagnostics: Diagnostics) -> None:
        self.app = app
        self._diagnostics = diagnostics
        self._overlay: Overlay | None = None
        self._done: Callable[[str], object] = lambda _name: None
        self._last = ""

    def make_service(self, game: Game) -> PresetService:
        """Returns a service for the presets of a game."""
        return PresetService(game, self._diagnostics)

    def open(
        self, game: Game, on_closed_with_last_preset: Callable[[str], object] = lambda _name: None
    ) -> None:
        """Opens the list of a game's presets.

        `on_closed_with_last_preset` gets the name of the last preset shown, or "".
        """
        self.service = self.make_service(game)
        self._done, self._last = on_closed_with_last_preset, ""
        self._open_list()

    # The pages

    def _show(self, page: Widget) -> None:
        """Shows a page in place of the current one."""
        self._close()
        self._overlay = open_page(page)

    def _close(self) -> None:
        if self._overlay is not None:
            self._overlay.close()
        self._overlay = None

    def _open_list(self) -> None:
        labels = self.service.label_by_preset_name()
        own = [name for name in labels if self.service.is_own_preset(name)]
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
        rows = self._try(partial(self.service.load_preset_rows, name))
        if rows is None:
            return
        self._last = name
        label, is_own = self.service.label_by_preset_name()[name], self.service.is_own_preset(name)
        page = PresetPage(
            render(label, self.app.lang), rows, self.service.shipped_deck_file().deck, is_own=is_own
        )
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

    def _design(self, name: str, rows: DeckRows, design: str) -> None:
        row = next(row for row in rows.cards if str(row["id"]) == design)
        page = self._form(name, rows, row)
        page.bind(
            on_earlier=lambda _: self._keep(name, partial(with_design_moved_up, rows, design), page),
            on_remove=lambda _: self._keep(name, partial(without_design, rows, design), page),
        )

    def _form(self, name: str, rows: DeckRows, row: DesignRow, *, is_new: bool = False) -> DesignPage:
        page = DesignPage(row, self.service.shipped_deck_file().deck, is_new=is_new)

        def enter(_page: DesignPage, values: CardValues) -> None:
            named = {key: page.row[key] for key in (DESIGN_KIND_FIELD, NAME_FIELD) if key in page.row}
            changed = partial(with_design, rows, str(row["id"]), {**named, **values})
            self._keep(name, changed, page)

        page.bind(
            on_name=lambda _: self._type(design_name(page.row, self.app.lang), page.set_name),
            on_keep=enter,
            on_close=lambda _: self._open_preset(name),
        )
        self._show(page)
        return page

    def _board(self, name: str, rows: DeckRows, key: str) -> None:
        """Opens a row of numbers, which people turn, add and remove."""
        numbers, bound = (
            [int(number) for number in rows.board[key]],
            self.service.shipped_deck_file().bounds[key],
        )
        page = PrintedNumbersPage(
            render(field_label(key), self.app.lang), numbers, bound, done_text=self.app.tr("Save")
        )

        def enter(_page: PrintedNumbersPage, entered: list[int]) -> None:
            changed = msgspec.structs.replace(rows, board={**rows.board, key: list(entered)})
            self._try(partial(self.service.save_preset, name, changed))
            self._open_preset(name)

        page.bind(on_entered=enter, on_close=lambda _: self._open_preset(name))
        self._show(page)

    def _add(self, name: str, rows: DeckRows, kind: str) -> None:
        """Asks for the name of a new design first; its other fields have their defaults."""

        def begin(typed: str) -> None:
            self._form(
                name,
                rows,
                {"id": unused_design_id(rows, kind), DESIGN_KIND_FIELD: kind, NAME_FIELD: typed},
                is_new=True,
            )

        self._type("", begin)

    # What is done

    def _keep(self, name: str, changed: Callable[[], DeckRows], page: DesignPage) -> None:
        """Saves the changed rows, or says on the page why it can't."""
        try:
            self.service.save_preset(name, changed())
        except UserError as error:
            said = render(innermost_reason(error.text), self.app.lang)
            page.show_refusal(said[:1].upper() + said[1:])
        else:
            self._open_preset(name)

    def _copy(self, name: str) -> None:
        self._ask_name(
            "", lambda typed: self._open_result(partial(self.service.duplicate_preset, name, typed))
        )

    def _rename(self, name: str) -> None:
        self._ask_name(
            name, lambda typed: self._open_result(partial(self.service.rename_preset, name, typed))
        )

    def _open_result(self, do: Callable[[], str]) -> None:
        """Does something that returns the name of a preset, and opens that preset."""
        name = self._try(do)
        if name is not None:
            self._open_preset(name)

    def _export(self, name: str) -> None:
        file = self._try(partial(self.service.export_preset, name))
        if file is not None:
            show_message(self.app.tr("The template was saved as {file}.", file=str(file)))

    def _choose_file(self) -> None:
        """Asks which file is imported."""
        tr, found = self.app.tr, self.service.find_importable_files()
        if not found:
            show_message(tr("No file was found. Plug in a USB stick, wait a few seconds and try again."))
            return
        files = [
            DialogChoice(
                f"file {file.name}",
                f"{file.parent.name}/{file.name}",
                partial(self._open_result, partial(self.service.import_preset_file, file)),
            )
            for file in found
        ]
        columns, rows = (1, 8) if self.app.stage.is_next_page_portrait else (2, 4)
        open_choice_dialog(tr("Which file?"), files, columns=columns, rows_per_page=rows)

    def _delete(self, name: str) -> None:
        tr = self.app.tr

        def gone() -> None:
            self._try(partial(self.service.delete_preset, name))
            self._last = ""
            self._open_list()

        open_dialog(
            tr("Delete {name} permanently?", name=name),
            tr("Games that started with this template don't change."),
            DialogChoice("no", tr("Keep the template")),
            DialogChoice("yes", tr("Delete"), gone, "danger"),
        )

    # How it is asked

    def _ask_name(self, before: str, take: Callable[[str], object]) -> None:
        heading = self.app.tr("Name of the template")
        open_keyboard(heading, take, max_letters=MAX_NAME_LETTERS, text=before)

    def _type(self, before: str, take: Callable[[str], object]) -> None:
        open_keyboard(self.app.tr("Name"), take, max_letters=MAX_DESIGN_NAME_LETTERS, text=before)

    def _try(self, do: Callable[[], Any]) -> Any:
        """Returns what `do` returns; None after saying why it can't be done."""
        try:
            return do()
        except UserError as error:
            show_message(error.text)
            return None


def innermost_reason(text: Say) -> Say:
    """Returns the innermost reason of an error, without the file and the design, which people see anyway."""
    while isinstance(why := dict(text.args).get("why"), Say):
        text = why
    return text
