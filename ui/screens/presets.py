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
from companion.house_rules import variant_key
from companion.owner_decks import DesignRow, EditableDeckRows
from companion.presets import (
    DESIGN_KIND_FIELD,
    MAX_PRESET_NAME_LETTERS,
    unused_design_id,
    with_design,
    with_design_moved_up,
    without_design,
)
from companion.rules.game import Game
from companion.rules.preset_pictures import PresetPicture
from companion.table.ledger import Piece
from companion.texts import Say, render
from ui import theme
from ui.evening.diagnostics import Diagnostics
from ui.evening.preset_choices import PresetChoices, PresetOfGame
from ui.evening.preset_service import PresetService
from ui.host import AppWithEvening, get_companion_app
from ui.pages import (
    DialogChoice,
    Page,
    make_key,
    open_choice_dialog,
    open_dialog,
    open_keyboard,
    open_page,
    run_or_explain,
    show_message,
)
from ui.questions.card_form import CardValuesForm
from ui.screens.board import PrintedNumbersPage
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key, with_danger_apart
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.preset_card import PresetKey
from ui.widgets.sheets.messages import RefusalNotice
from ui.widgets.sheets.overlays import Overlay

PRESET_LIST_GRID, UPRIGHT_PRESET_LIST_GRID = (2, 5), (1, 10)
"""Columns and rows of a page of presets, or of the designs of one."""
FIELDS_SHOWN_AS_PICTURE = (DESIGN_KIND_FIELD, "look", "colour")
"""Fields whose values the picture of a design shows."""
UPRIGHT_HEAD_ROWS = 3
"""Rows that the head of an upright page takes."""
FOOT_ROWS = 1
"""Rows that the keys at the foot of a page take."""
MAX_VALUES_IN_SUMMARY = 3
"""The most values in the line below a design's name; more have no room in Japanese on a small panel."""


def make_preset_key_pager(keys: Sequence[Key], *, is_upright: bool, reserved_rows: int = 0) -> Pager:
    """Returns a pager for these keys; the keys that turn its pages belong into the head of the page."""
    cols, rows = UPRIGHT_PRESET_LIST_GRID if is_upright else PRESET_LIST_GRID
    if is_upright:
        row_height = theme.length.target + theme.length.gap / 2
        page_rows = int(get_companion_app().stage.next_page_size[1] / row_height)
        rows = min(rows, page_rows - UPRIGHT_HEAD_ROWS)
    return Pager(
        items=keys, cols=cols, rows=rows - reserved_rows, between=theme.length.gap / 2, has_external_keys=True
    )


class PresetListPage(Page):
    """The page with the list of presets, in the order of `label_by_name`.

    `picture_by_name` has the picture of each. `own_names` are the names of people's own presets.
    `open_preset` gets the name of the preset that people touch; `choose_file` lets people import a file.
    """

    def __init__(
        self,
        label_by_name: Mapping[str, Say],
        picture_by_name: Mapping[str, PresetPicture],
        own_names: Sequence[str],
        *,
        open_preset: Callable[[str], object],
        choose_file: Callable[[], object],
    ) -> None:
        super().__init__()
        self._open_preset, self._picture_by_name = open_preset, picture_by_name
        tr = self.app.tr
        keys = [
            self._make_preset_key(name, label, is_own=name in own_names)
            for name, label in label_by_name.items()
        ]
        self.pager = make_preset_key_pager(keys, is_upright=get_companion_app().stage.is_next_page_portrait)
        import_key = make_key("import", tr("From a file"), choose_file, width_px=theme.length.bar * 2)
        self.add_content(
            tr("Templates"), self.pager, keys_beside_title=(*self.pager.page_keys_for_title, import_key)
        )

    def _make_preset_key(self, name: str, label: Say, *, is_own: bool) -> Key:
        key = PresetKey(
            name=f"template {name}", text=render(label, self.app.lang), subject=self._picture_by_name[name]
        )
        key.detail_text = self.app.tr("our own") if is_own else ""
        key.bind(on_release=lambda _: self._open_preset(name))
        return key


class PresetPage(Page):
    """The page of one preset, with a key for each of its designs.

    People can change, add and remove the designs of their own presets. `deck` says which fields a design has.
    """

    __events__: tuple[str, ...] = (
        "on_design",  # id: people open that design
        "on_add",  # kind: people add a design of that kind
        "on_board",  # key: people open these numbers
        "on_copy",  # people copy the preset
        "on_rename",  # people rename the preset
        "on_export",  # people export the preset to a file
        "on_delete",  # people delete the preset
    )

    def __init__(
        self, title: str, rows: EditableDeckRows, deck: Deck, *, is_own: bool, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._deck = deck
        kinds = deck.fields[DESIGN_KIND_FIELD].choices
        ordered = sorted(rows.cards, key=lambda row: kinds.index(str(row[DESIGN_KIND_FIELD])))
        keys = [self._make_design_key(row, is_own=is_own) for row in ordered]
        keys += [self._make_board_key(key, numbers, is_own=is_own) for key, numbers in rows.board.items()]
        if is_own:
            keys += [self._make_add_key(kind) for kind in kinds]
        self.pager = make_preset_key_pager(
            keys, is_upright=get_companion_app().stage.is_next_page_portrait, reserved_rows=FOOT_ROWS
        )
        self.add_content(
            title,
            self.pager,
            self._make_foot(is_own=is_own),
            keys_beside_title=self.pager.page_keys_for_title,
        )

    def _make_design_key(self, row: DesignRow, *, is_own: bool) -> Key:
        lang = self.app.lang
        key = OptionKey(
            name=f"design {row['id']}", text=design_name(row, lang), subject=design_picture(row), lang=lang
        )
        key.detail_text = self._summary(row)
        event = ("on_design", str(row["id"])) if is_own else ("on_copy",)
        key.bind(on_release=lambda _: self.dispatch(*event))
        return key

    def _summary(self, row: DesignRow) -> str:
        """Returns the kind of a design and its first changed values; its own page has all values."""
        fields = self._deck.fields
        changed = {
            name: value
            for name, value in row.items()
            if name in fields and name not in FIELDS_SHOWN_AS_PICTURE and value != fields[name].default
        }
        kind = render(word_label(str(row[DESIGN_KIND_FIELD])), self.app.lang)
        if not changed:
            return kind
        first_values = dict(islice(changed.items(), MAX_VALUES_IN_SUMMARY))
        values = render(describe_values(first_values), self.app.lang).replace("-", "−")
        hidden_count = len(changed) - MAX_VALUES_IN_SUMMARY
        more = f" · {self.app.tr('{n} more', n=hidden_count)}" if hidden_count > 0 else ""
        return f"{kind} · {values}{more}"

    def _make_board_key(self, name: str, numbers: Sequence[CardValue], *, is_own: bool) -> Key:
        """Returns a key for a row of numbers, such as the steps of a price."""
        key = OptionKey(name=f"board {name}", text=render(field_label(name), self.app.lang))
        key.detail_text = " ".join(map(str, numbers))
        event = ("on_board", name) if is_own else ("on_copy",)
        key.bind(on_release=lambda _: self.dispatch(*event))
        return key

    def _make_add_key(self, kind: str) -> Key:
        key = Key(icon="plus", text=render(word_label(kind), self.app.lang), name=f"add {kind}", lines=1)
        key.bind(on_release=lambda _: self.dispatch("on_add", kind))
        return key

    def _make_foot(self, *, is_own: bool) -> BoxLayout:
        tr, sizes = self.app.tr, theme.length
        foot = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.gap)
        keys = [("copy", tr("Copy"), "paper" if is_own else "brass"), ("export", tr("To a file"), "paper")]
        if is_own:
            keys = [("delete", tr("Delete"), "danger"), ("rename", tr("Rename"), "paper"), *keys]
        widgets = []
        for name, text, look in keys:
            key = Key(name=name, text=text, look=look, has_narrow_margins=is_own)
            key.bind(on_release=lambda _, name=name: self.dispatch(f"on_{name}"))
            widgets.append(key)
        gap = 0.0 if self.app.stage.is_next_page_portrait else sizes.apart
        return add_children(foot, *with_danger_apart(widgets, gap))


class DesignFieldsPage(Page):
    """The page of one design of a preset: its name and its fields.

    The sentence below says what the field means that was changed last.
    """

    __events__: tuple[str, ...] = (
        "on_name",  # people change the name
        "on_keep",  # values: people save the design
        "on_earlier",  # people move the design before the previous design of its kind
        "on_remove",  # people remove the design
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
            on_value_changed=lambda _, field: self._show_field_hint(field),
        )
        self.hint = FittedLabel(is_on_felt=True, lines=2, line_height=1.0, halign="center")
        self.refusal = RefusalNotice()
        self.text_row = BoxLayout(size_hint_y=None, height=sizes.remark)
        self.add_content(
            "",
            self.form,
            self.text_row,
            keys_beside_title=(self.name_key, *(() if is_new else self._make_design_keys())),
        )
        self.head.remove_widget(self.head.title)
        self._show_field_hint(next(iter(self.form.dials), ""))
        self.set_name(str(row.get(NAME_FIELD, "")))

    def _make_design_keys(self) -> list[Key]:
        """Returns the keys that move and remove a saved design."""
        keys = []
        for name, icon in (("earlier", "shift"), ("remove", "bin")):
            key = Key(name=name, icon=icon, look="felt", size_hint_x=None, width=theme.length.target)
            key.bind(on_release=lambda _, name=name: self.dispatch(f"on_{name}"))
            keys.append(key)
        return keys

    def set_name(self, name: str) -> None:
        """Gives the design this name, without saving it."""
        self.row = {**self.row, NAME_FIELD: name} if name else {**self.row}
        self._show_name_and_picture()

    def show_refusal(self, text: str) -> None:
        """Shows why the design can't be saved, until a field has another value."""
        self._show_text(text, self.refusal)

    def _show_field_hint(self, field: str) -> None:
        hint = self._deck.fields[field].hint if field in self._deck.fields else ""
        self._show_text(render(word_label(hint), self.app.lang) if hint else "", self.hint)
        self._show_name_and_picture()

    def _show_name_and_picture(self) -> None:
        """Shows the name of the design, and its picture with the current values."""
        row = {**self.row, **self.form.values}
        self.name_key.text, self.name_key.subject = design_name(row, self.app.lang), design_picture(row)
        self.name_key.detail_text = render(word_label(str(row[DESIGN_KIND_FIELD])), self.app.lang)

    def _show_text(self, text: str, label: RefusalNotice | FittedLabel) -> None:
        self.text_row.clear_widgets()
        label.text = text
        self.text_row.add_widget(label)


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
# One page at a time is open over the screen. Every change is saved at once.


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
        self._on_closed: Callable[[str], object] = lambda _name: None
        self._last_preset = ""

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
        self._on_closed, self._last_preset = on_closed_with_last_preset, ""
        self._open_list()

    # The pages

    def _replace_page(self, page: Widget) -> None:
        """Shows a page in place of the current one."""
        self._close_page()
        self._overlay = open_page(page)

    def _close_page(self) -> None:
        if self._overlay is not None:
            self._overlay.close()
        self._overlay = None

    def _open_list(self) -> None:
        labels = self.service.label_by_preset_name()
        own = [name for name in labels if self.service.is_own_preset(name)]
        page = PresetListPage(
            {name: labels[name] for name in (*own, *labels)},
            self.service.picture_by_preset_name(),
            own,
            open_preset=self._open_preset,
            choose_file=self._choose_file_to_import,
        )
        page.bind(on_close=lambda _: self._finish())
        self._replace_page(page)

    def _finish(self) -> None:
        self._close_page()
        self._on_closed(self._last_preset)

    def _open_preset(self, name: str) -> None:
        """Opens the page of a preset, or says why it can't be read."""
        rows = self._try_or_explain(partial(self.service.load_preset_rows, name))
        if rows is None:
            return
        self._last_preset = name
        label, is_own = self.service.label_by_preset_name()[name], self.service.is_own_preset(name)
        page = PresetPage(
            render(label, self.app.lang), rows, self.service.shipped_deck_file().deck, is_own=is_own
        )
        page.bind(
            on_design=lambda _, design: self._open_design(name, rows, design),
            on_add=lambda _, kind: self._add_design(name, rows, kind),
            on_board=lambda _, key: self._open_board(name, rows, key),
            on_copy=lambda _: self._copy_preset(name),
            on_rename=lambda _: self._rename_preset(name),
            on_export=lambda _: self._export_preset(name),
            on_delete=lambda _: self._delete_preset(name),
            on_close=lambda _: self._open_list(),
        )
        self._replace_page(page)

    def _open_design(self, name: str, rows: EditableDeckRows, design: str) -> None:
        row = next(row for row in rows.cards if str(row["id"]) == design)
        page = self._open_design_page(name, rows, row)
        page.bind(
            on_earlier=lambda _: self._save_rows(name, partial(with_design_moved_up, rows, design), page),
            on_remove=lambda _: self._save_rows(name, partial(without_design, rows, design), page),
        )

    def _open_design_page(
        self, name: str, rows: EditableDeckRows, row: DesignRow, *, is_new: bool = False
    ) -> DesignFieldsPage:
        page = DesignFieldsPage(row, self.service.shipped_deck_file().deck, is_new=is_new)

        def save(_page: DesignFieldsPage, values: CardValues) -> None:
            kind_and_name = {key: page.row[key] for key in (DESIGN_KIND_FIELD, NAME_FIELD) if key in page.row}
            change = partial(with_design, rows, str(row["id"]), {**kind_and_name, **values})
            self._save_rows(name, change, page)

        page.bind(
            on_name=lambda _: self._ask_design_name(design_name(page.row, self.app.lang), page.set_name),
            on_keep=save,
            on_close=lambda _: self._open_preset(name),
        )
        self._replace_page(page)
        return page

    def _open_board(self, name: str, rows: EditableDeckRows, key: str) -> None:
        """Opens the page of a row of numbers, which people change, add and remove."""
        numbers = [int(number) for number in rows.board[key]]
        bound = self.service.shipped_deck_file().bounds[key]

        def save(entered: list[int]) -> None:
            changed = msgspec.structs.replace(rows, board={**rows.board, key: list(entered)})
            if run_or_explain(partial(self.service.save_preset, name, changed)):
                self._open_preset(name)

        title, done_text = render(field_label(key), self.app.lang), self.app.tr("Save")
        page = PrintedNumbersPage(title, numbers, bound, save, done_text=done_text)
        page.bind(on_close=lambda _: self._open_preset(name))
        self._replace_page(page)

    def _add_design(self, name: str, rows: EditableDeckRows, kind: str) -> None:
        """Asks for the name of a new design, then opens its page; the other fields have their defaults."""

        def open_form(design_name: str) -> None:
            row: DesignRow = {
                "id": unused_design_id(rows, kind),
                DESIGN_KIND_FIELD: kind,
                NAME_FIELD: design_name,
            }
            self._open_design_page(name, rows, row, is_new=True)

        self._ask_design_name("", open_form)

    # Changes

    def _save_rows(self, name: str, change: Callable[[], EditableDeckRows], page: DesignFieldsPage) -> None:
        """Saves the changed rows, or says on the page why it can't."""
        try:
            self.service.save_preset(name, change())
        except UserError as error:
            reason = render(innermost_reason(error.text), self.app.lang)
            page.show_refusal(reason[:1].upper() + reason[1:])
        else:
            self._open_preset(name)

    def _copy_preset(self, name: str) -> None:
        self._ask_preset_name(
            "", lambda typed: self._open_result(partial(self.service.duplicate_preset, name, typed))
        )

    def _rename_preset(self, name: str) -> None:
        def rename(typed: str) -> str:
            new_name = self.service.rename_preset(name, typed)
            self._rename_in_choices(name, new_name)
            return new_name

        self._ask_preset_name(name, lambda typed: self._open_result(partial(rename, typed)))

    def _rename_in_choices(self, name: str, new_name: str) -> None:
        """Renames a preset among favourites, those played last and house rules; without a name it is gone."""
        preset = PresetOfGame(self.service.game.key, name)
        PresetChoices(self.app.controller).rename_preset(preset, new_name)
        new_key = variant_key(preset.game, new_name) if new_name else ""
        self.app.controller.move_house_rules(variant_key(*preset), new_key)

    def _open_result(self, do: Callable[[], str]) -> None:
        """Calls `do`, which returns the name of a preset, and opens that preset."""
        name = self._try_or_explain(do)
        if name is not None:
            self._open_preset(name)

    def _export_preset(self, name: str) -> None:
        file = self._try_or_explain(partial(self.service.export_preset, name))
        if file is not None:
            show_message(self.app.tr("The template was saved as {file}.", file=str(file)))

    def _choose_file_to_import(self) -> None:
        """Asks which file to import."""
        tr, files = self.app.tr, self.service.find_importable_files()
        if not files:
            show_message(tr("No file was found. Plug in a USB stick, wait a few seconds and try again."))
            return
        choices = [
            DialogChoice(
                f"file {file.name}",
                f"{file.parent.name}/{file.name}",
                partial(self._open_result, partial(self.service.import_preset_file, file)),
            )
            for file in files
        ]
        columns, rows = (1, 8) if self.app.stage.is_next_page_portrait else (2, 4)
        open_choice_dialog(tr("Which file?"), choices, columns=columns, rows_per_page=rows)

    def _delete_preset(self, name: str) -> None:
        tr = self.app.tr

        def delete() -> None:
            if run_or_explain(partial(self.service.delete_preset, name)):
                self._rename_in_choices(name, "")
                self._last_preset = ""
                self._open_list()

        open_dialog(
            tr("Delete {name} permanently?", name=name),
            tr("Games that started with this template don't change."),
            DialogChoice("no", tr("Keep the template")),
            DialogChoice("yes", tr("Delete"), delete, "danger"),
        )

    # Names

    def _ask_preset_name(self, old_name: str, on_name: Callable[[str], object]) -> None:
        heading = self.app.tr("Name of the template")
        open_keyboard(heading, on_name, max_letters=MAX_PRESET_NAME_LETTERS, text=old_name)

    def _ask_design_name(self, old_name: str, on_name: Callable[[str], object]) -> None:
        open_keyboard(self.app.tr("Name"), on_name, max_letters=MAX_DESIGN_NAME_LETTERS, text=old_name)

    def _try_or_explain(self, do: Callable[[], Any]) -> Any:
        """Returns what `do` returns; if `do` fails, says why and returns None."""
        try:
            return do()
        except UserError as error:
            show_message(error.text)
            return None


def innermost_reason(text: Say) -> Say:
    """Returns the innermost reason of an error.

    The file and the design, which the outer reasons name, are on the screen anyway.
    """
    while isinstance(why := dict(text.args).get("why"), Say):
        text = why
    return text
