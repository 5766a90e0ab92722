"""Cards & tags: the decks, the cards of a deck, one card, and learning the tags of a whole deck."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from kivy.properties import NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.cards import Deck
from companion.cards.deck import NAME_FIELD, field_label, word_label
from companion.errors import UserError
from companion.installed_games import BrokenGame, games_offering_presets
from companion.owner_decks import OwnerDeck
from companion.rules.game import COVER_SUFFIX, Game
from companion.tag_enrolment import TagEnrolment, card_label
from companion.texts import render
from hardware.desk.tags import describe_unreadable_tag
from hardware.signals import TagLeft, TagSignal, TagUnreadable
from ui import theme
from ui.evening.card_service import CardService
from ui.host import AppWithEvening, get_companion_app
from ui.pages import DialogChoice, Page, open_dialog, open_keyboard, run_or_explain, show_message
from ui.questions.card_form import CardValuesForm
from ui.screens.board import PrintedNumbersPage
from ui.screens.presets import PresetFlow
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout, draw_border, fill_rounded_box
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.game_box import GameBoxButton
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import BadgeWidget
from ui.widgets.sheets.messages import RefusalNotice
from ui.widgets.sheets.overlays import Overlay

DECK_GRID = (3, 2)
"""Columns and rows of a page of decks; an upright page has them swapped."""
CARD_GRID, UPRIGHT_CARD_GRID = (5, 4), (3, 7)
"""Columns and rows of a page of cards."""


class DeckListPage(Page):
    """A page with a list of the decks whose cards can have tags.

    `deck_by_name` are these decks by name, `tag_count_by_deck` is the number of cards with a tag by deck.
    `broken_games` are the games that can't be loaded, which may have cards. `preset_counts` are the games
    that have presets in place of cards, and how many presets each has.
    """

    __events__: tuple[str, ...] = (
        "on_deck",  # name: people open the cards of that deck
        "on_presets",  # game: people open the presets of that game
        "on_broken",  # text: people ask what is wrong with a deck
    )

    def __init__(
        self,
        deck_by_name: Mapping[str, OwnerDeck],
        tag_count_by_deck: Mapping[str, int],
        broken_games: Sequence[BrokenGame],
        preset_counts: Sequence[tuple[Game, int]],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        boxes = [self._deck_box(name, copy, tag_count_by_deck[name]) for name, copy in deck_by_name.items()]
        boxes += [self._presets_box(game, count) for game, count in preset_counts]
        boxes += [
            self._box(game.key, game.key, problem=render(game.why, self.app.lang)) for game in broken_games
        ]
        cols, rows = DECK_GRID[::-1] if get_companion_app().stage.is_next_page_portrait else DECK_GRID
        self.add_content(
            self.app.tr("Cards & tags"), Pager(items=boxes, cols=cols, rows=rows, between=theme.length.space)
        )

    def _deck_box(self, name: str, copy: OwnerDeck, tag_count: int) -> GameBoxButton:
        lang, title = self.app.lang, render(copy.game.title, self.app.lang)
        try:
            card_count = len(copy.load_own_or_shipped_deck().cards)
        except UserError as error:
            return self._box(name, title, problem=render(error.text, lang))
        note = self.app.tr("{cards} cards, {tags} with tags", cards=card_count, tags=tag_count)
        box = self._box(name, title, note)
        box.cover_path = str(copy.game.find_file(COVER_SUFFIX) or "")
        return box

    def _presets_box(self, game: Game, count: int) -> GameBoxButton:
        box = GameBoxButton(text=render(game.title, self.app.lang))
        box.audience_text = self.app.tr("{n} templates", n=count)
        box.name, box.cover_path = f"presets {game.key}", str(game.find_file(COVER_SUFFIX) or "")
        box.bind(on_release=lambda _: self.dispatch("on_presets", game))
        return box

    def _box(self, name: str, title: str, note: str = "", problem: str = "") -> GameBoxButton:
        """Returns the box of a deck; a deck with a `problem` can't be opened."""
        note = note or self.app.tr("Broken")
        box = GameBoxButton(text=title, audience_text=note, is_broken=bool(problem))
        box.name = f"deck {name}"
        event = ("on_broken", problem) if problem else ("on_deck", name)
        box.bind(on_release=lambda _: self.dispatch(*event))
        return box


class BoardKey(str):
    """The key of a board; its type tells it from the name of a card."""

    __slots__ = ()


class DeckPage(Page):
    """The page of a deck, with a key for each card.

    A tick says that a card has its tag, a red plate that values are provisional.
    Boards come after the cards.
    """

    __events__: tuple[str, ...] = (
        "on_card",  # name: people open a card
        "on_board",  # key: people open the numbers printed on a board
        "on_whole",  # people begin to learn the tags of all cards
        "on_entered",  # people say that all values match their copy, so none is provisional
        "on_turn",  # page: another page is shown
    )

    def __init__(
        self, owner_deck: OwnerDeck, deck: Deck, tag_by_card: Mapping[str, str], page: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        lang = self.app.lang
        cols, rows = UPRIGHT_CARD_GRID if get_companion_app().stage.is_next_page_portrait else CARD_GRID
        self.pager = Pager(
            items=[*deck.cards, *map(BoardKey, deck.board)],
            make=lambda item: self._make_item_key(deck, item, has_tag=item in tag_by_card),
            page=page,
            cols=cols,
            rows=rows,
            between=theme.length.gap / 2,
            has_external_keys=True,
        )
        self.pager.bind(page=lambda _, page: self.dispatch("on_turn", page))
        width = {"size_hint_x": None, "width": theme.length.bar * 2}
        learn_all = self.make_event_key(
            "on_whole", text=self.app.tr("Learn all tags"), name="whole", look="brass", **width
        )
        tag_count = sum(card in tag_by_card for card in deck.cards)
        game_title = render(owner_deck.game.title, lang)
        title = self.app.tr(
            "{game}: {n} of {total} cards have a tag",
            game=game_title,
            n=tag_count,
            total=len(deck.cards),
        )
        self.add_content(
            title,
            self.pager,
            keys_beside_title=(*self.pager.page_keys_for_title, learn_all),
        )
        self.head.title.shorter_text = game_title
        if deck.provisional:
            add_children(self, self._make_provisional_row())

    def _make_provisional_row(self) -> BoxLayout:
        """Returns the badge of provisional values, with the key that removes it."""
        tr, sizes = self.app.tr, theme.length
        row = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.space)
        badge = BadgeWidget(tr("provisional values"), is_warning=True, pos_hint={"center_y": 0.5})
        badge.height = sizes.glyph * 1.3
        entered = self.make_event_key(
            "on_entered", text=tr("All values match our copy"), name="entered", lines=2
        )
        return add_children(row, badge, entered)

    def _make_item_key(self, deck: Deck, item: str, *, has_tag: bool) -> Key:
        """Returns the key of a card or, if the item is a `BoardKey`, of a board."""
        if isinstance(item, BoardKey):
            text, key = render(field_label(item), self.app.lang), str(item)
            return self.make_event_key(
                "on_board", key, text=text, name=f"board {key}", has_narrow_margins=True
            )
        text = card_key_text(deck, item, self.app.lang)
        look = {"chosen": has_tag, "style": "body" if "\n" in text else "key", "has_narrow_margins": True}
        return self.make_event_key("on_card", item, text=text, name=f"card {item}", lines=2, **look)


def card_key_text(deck: Deck, name: str, lang: str) -> str:
    """Returns the text on a card's key: its name, or its id if it has none.

    If there are several copies, the number of the copy is below.
    """
    design = deck.design_of_copy(name)
    assert design is not None
    name_on_card = str(design.values.get(NAME_FIELD, ""))
    label = render(word_label(name_on_card), lang) if name_on_card else design.id
    return label if design.copies == 1 else f"{label}\n{design.copy_ids.index(name) + 1}/{design.copies}"


class PrintedFieldValue(NamedTuple):
    """A value printed on a card and the name of its field, both as people read them."""

    field: str
    value: str


def printed_field_values(deck: Deck, name: str, lang: str) -> list[PrintedFieldValue]:
    """Returns the printed values of a card.

    Only fields that people can enter are included.
    """
    return [
        PrintedFieldValue(
            render(field_label(key), lang),
            render(word_label(value), lang) if isinstance(value, str) else str(value).replace("-", "−"),
        )
        for key, value in deck.cards[name].values.items()
        if key in deck.fields
    ]


# Pages that read tags: for one card, and for a deck whose tags are learned card by card.


MAX_PRINTED_VALUES_ON_SHEET = 9
"""The most printed values that fit on the sheet."""


class TagReadingPage(Page):
    """A page for reading tags; its foot shows the result of the last tag.

    As long as there is no result, the foot shows why a reader can't be used, if one can't.
    """

    reader_problem = ObjectProperty(None, allownone=True)
    """Why a reader can't be used; None if all can."""

    def __init__(self, title: str, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        self.body = BoxLayout(spacing=sizes.space)
        self.result_text = FittedLabel(is_on_felt=True, halign="center", lines=2)
        self.refusal = RefusalNotice()
        self.foot = add_children(BoxLayout(size_hint_y=None, height=sizes.remark), self.result_text)
        self.add_content(title, self.body, self.foot)
        self._last_result = ("", False)
        self.bind(reader_problem=lambda *_: self.show_tag_result(*self._last_result))
        self.show_tag_result("")

    def show_tag_result(self, text: str, is_refusal: bool = False) -> None:  # noqa: FBT001, FBT002 - as it was said last
        """Shows the result of the last tag, as a refusal if `is_refusal`."""
        self._last_result = text, is_refusal
        if self.reader_problem and not text:
            text, is_refusal = render(self.reader_problem, self.app.lang), True
        self.result_text.text, self.refusal.text = ("", text) if is_refusal else (text, "")
        self.foot.clear_widgets()
        add_children(self.foot, self.refusal if is_refusal else self.result_text)


class CardPage(TagReadingPage):
    """The page of one card: its printed values and its tag.

    The values are at the left, the tag at the right. `tag` is empty if the card has none.
    `reader_count` is the number of readers.
    """

    __events__: tuple[str, ...] = (
        "on_edit",  # people enter the printed values
        "on_name",  # people rename the card
        "on_forget",  # people delete the tag of the card
    )

    def __init__(self, deck: Deck, card: str, tag: str, *, reader_count: int, **kwargs: Any) -> None:
        self.deck, self.card = deck, card
        app = get_companion_app()
        super().__init__(render(card_label(deck, card), app.lang), **kwargs)
        add_children(self.body, self._make_values_sheet(), self._make_tag_sheet(tag, reader_count))

    def _make_values_sheet(self) -> PaperBoxLayout:
        tr, lang, sizes = self.app.tr, self.app.lang, theme.length
        sheet = PaperBoxLayout()
        rows = printed_field_values(self.deck, self.card, lang)
        for field, value in rows[:MAX_PRINTED_VALUES_ON_SHEET]:
            figure = FittedLabel(text=value, style="key", halign="right", size_hint_x=0.6)
            add_children(sheet, add_children(BoxLayout(spacing=sizes.gap), FittedLabel(text=field), figure))
        if not rows:
            add_children(
                sheet,
                FittedLabel(
                    text=tr("All copies of this game have the same cards."), lines=3, is_paragraph=True
                ),
            )
        if self.deck.fields:
            keys = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.gap)
            edit = self.make_event_key("on_edit", text=tr("Enter the values"), name="edit")
            rename = self.make_event_key("on_name", text=tr("Name the card"), name="name")
            add_children(sheet, add_children(keys, edit, rename))
        return sheet

    def _make_tag_sheet(self, tag: str, reader_count: int) -> PaperBoxLayout:
        tr, sizes = self.app.tr, theme.length
        sheet = PaperBoxLayout()
        current = tr("Tag: {tag}", tag=tag) if tag else tr("No tag yet.")
        instruction = (
            tr("Lay the card on a reader to learn its tag.")
            if reader_count
            else tr("There is no reader. Add one to hardware.toml.")
        )
        add_children(
            sheet,
            FittedLabel(text=current, lines=2, size_hint_y=0.5),
            FittedLabel(text=instruction, style="question", lines=5),
        )
        if tag:
            key = self.make_event_key("on_forget", text=tr("Forget this tag"), name="forget", look="danger")
            key.size_hint_y, key.height = None, sizes.target
            add_children(sheet, key)
        return sheet


class EnrolmentProgress(AutoRedrawWidget):
    """A bar that shows the progress of an enrolment.

    `share` is the share of the cards that are done, from 0 to 1.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("share",)
    share = NumericProperty(0.0)

    def draw(self) -> None:
        """Draws the bar: an outline on the paper, which fills with brass."""
        x, y, width, height = self.box
        if self.share:
            fill_rounded_box(theme.BRASS, (x, y, max(height, width * self.share), height), height / 2)
        draw_border(theme.BRASS_DARK, self.box, theme.length.line, height / 2)


class DeckTagsPage(TagReadingPage):
    """The page on which the tags of a deck are learned, card by card.

    The page shows the next card to lay on a reader, with keys to skip or go back.
    """

    __events__: tuple[str, ...] = (
        "on_skip",  # people skip the card that is asked for
        "on_back",  # people go back to the previous card
    )

    def __init__(self, title: str, **kwargs: Any) -> None:
        super().__init__(title, **kwargs)
        tr, sizes = self.app.tr, theme.length
        sheet = PaperBoxLayout(padding=sizes.margin)
        self.instruction_label = FittedLabel(text=tr("Lay this card on a reader:"), size_hint_y=0.35)
        self.next_card_label = FittedLabel(style="title", halign="center", lines=2)
        self.printed_values_label = FittedLabel(style="body", halign="center", lines=2, size_hint_y=0.6)
        self.remaining_label = FittedLabel(style="body", halign="center", size_hint_y=0.35)
        self.progress_bar = EnrolmentProgress(size_hint_y=None, height=sizes.space)
        add_children(
            self.body,
            add_children(
                sheet,
                self.instruction_label,
                self.next_card_label,
                self.printed_values_label,
                self.remaining_label,
                self.progress_bar,
            ),
        )
        keys = BoxLayout(size_hint_y=None, height=sizes.row, spacing=sizes.gap)
        self.previous_card_key = self.make_event_key("on_back", text=tr("Previous card"), name="card before")
        self.skip_key = self.make_event_key("on_skip", text=tr("Skip this card"), name="skip")
        self.finish_key = self.make_event_key("on_close", text=tr("Finish"), name="finish", look="brass")
        add_children(self, add_children(keys, self.previous_card_key, self.skip_key, self.finish_key))

    def show_next_card(self, enrolment: TagEnrolment, initial_card_count: int) -> None:
        """Shows the next card, and how many are left of the `initial_card_count` at the start."""
        tr, lang, card = self.app.tr, self.app.lang, enrolment.next_card_id
        if card is None:
            self.instruction_label.text = self.printed_values_label.text = ""
            self.next_card_label.text = tr("All cards are done.")
        else:
            self.instruction_label.text = tr("Lay this card on a reader:")
            self.next_card_label.text = render(card_label(enrolment.deck, card), lang)
            values = printed_field_values(enrolment.deck, card, lang)
            self.printed_values_label.text = "  ".join(f"{field} {value}" for field, value in values)
        self.remaining_label.text = self.app.trn(
            "{n} card is left", "{n} cards are left", enrolment.remaining_count
        )
        self.progress_bar.share = (initial_card_count - enrolment.remaining_count) / initial_card_count
        self.previous_card_key.disabled = enrolment.remaining_count == initial_card_count
        self.skip_key.disabled = card is None


# The flow from home to a deck, to one card, or to the tags of a deck.
#
# The flow shows the pages. Tags go to the enrolment as long as a page that reads tags is shown and nothing
# lies over it.


MAX_CARD_NAME_LETTERS = 24


class CardsFlow:
    """Shows the pages of the cards and their tags, and handles what people do there.

    `CardsFlow(app, controller.cards, preset_flow).open_decks()`; the way back leads home.
    """

    def __init__(self, app: AppWithEvening, card_service: CardService, preset_flow: PresetFlow) -> None:
        self.app, self.card_service = app, card_service
        self._preset_flow = preset_flow
        self._enrolment: TagEnrolment | None = None
        self._initial_card_count = 0
        self._page_index = 0
        self._refresh_page: Callable[[], None] = app.stage.rebuild_screen
        card_service.bind(lost_reader_text=lambda *_: self._show_lost_reader())

    def open_decks(self, preferred_deck_names: Collection[str] = ()) -> None:
        """Opens the list of all decks.

        If exactly one of `deck_names` can have tags, the cards of that deck are opened instead.
        """
        self._page_index = 0
        copies = self.card_service.taggable_decks()
        named = [copies[name] for name in preferred_deck_names if name in copies]
        if len(named) == 1:
            self._open_deck(named[0])
        else:
            self._show(self._make_deck_list_page)

    # The pages

    def _make_deck_list_page(self) -> Widget:
        copies = self.card_service.taggable_decks()
        tags = {name: len(self.card_service.tag_by_card(name)) for name in copies}
        presets = [
            (game, len(self._preset_flow.make_service(game).label_by_preset_name()))
            for game in games_offering_presets()
        ]
        page = DeckListPage(copies, tags, self.card_service.broken_games(), presets)
        page.bind(
            on_deck=lambda _, name: self._open_deck(copies[name]),
            on_presets=lambda _, game: self._preset_flow.open(
                game, lambda _name: self.app.stage.rebuild_screen()
            ),
            on_broken=lambda _, text: show_message(text),
            on_close=lambda _: self.app.show_home(),
        )
        return page

    def _open_deck(self, copy: OwnerDeck) -> None:
        self._show(partial(self._make_deck_page, copy))

    def _make_deck_page(self, copy: OwnerDeck) -> Widget:
        page = DeckPage(
            copy,
            copy.load_own_or_shipped_deck(),
            self.card_service.tag_by_card(copy.deck_name),
            self._page_index,
        )
        page.bind(
            on_card=lambda _, card: self._open_card(copy, card),
            on_board=lambda _, key: self._show(partial(self._make_board_page, copy, key)),
            on_whole=lambda _: self._open_deck_tags(copy),
            on_entered=lambda _: self._ask_to_mark_final(copy),
            on_turn=lambda _, page_index: setattr(self, "_page_index", page_index),
            on_close=lambda _: self.open_decks(),
        )
        return page

    def _make_board_page(self, copy: OwnerDeck, key: str) -> Widget:
        title = render(field_label(key), self.app.lang)

        def save(numbers: Sequence[int]) -> None:
            if run_or_explain(partial(self.card_service.save_printed_board_numbers, copy, key, numbers)):
                self._open_deck(copy)

        numbers = copy.load_own_or_shipped_deck().board[key]
        page = PrintedNumbersPage(title, numbers, copy.shipped_file.bounds[key], save)
        page.bind(on_close=lambda _: self._open_deck(copy))
        return page

    def _open_card(self, copy: OwnerDeck, card: str) -> None:
        deck = copy.load_own_or_shipped_deck()
        self._show(
            partial(self._make_card_page, copy, deck, card),
            self.card_service.start_tag_enrolment(deck, [card]),
        )
        self._refresh_page = self.app.stage.rebuild_screen

    def _make_card_page(self, copy: OwnerDeck, deck: Deck, card: str) -> Widget:
        tag = self.card_service.tag_by_card(copy.deck_name).get(card, "")
        page = CardPage(
            deck,
            card,
            tag,
            reader_count=self.card_service.reader_count,
            reader_problem=self.card_service.lost_reader_text,
        )
        page.bind(
            on_edit=lambda _: self._open_values_form(copy, deck, card),
            on_name=lambda _: self._ask_card_name(copy, deck, card),
            on_forget=lambda _: run_or_explain(partial(self._delete_tag, tag, copy, card)),
            on_close=lambda _: self._open_deck(copy),
        )
        return page

    def _open_deck_tags(self, copy: OwnerDeck, *, include_tagged: bool = False) -> None:
        deck = copy.load_own_or_shipped_deck()
        cards = self.card_service.card_ids_without_tag(deck, include_tagged=include_tagged)
        if not cards:
            self._ask_to_learn_again(copy)
            return
        enrolment = self.card_service.start_tag_enrolment(deck, cards)
        self._initial_card_count = len(cards)
        self._show(partial(self._make_deck_tags_page, copy, enrolment), enrolment)
        self._refresh_page = self._show_next_card
        if not self.card_service.reader_count:
            self._show_tag_result(
                self.app.tr("There is no reader. Add one to hardware.toml."), is_refusal=True
            )

    def _make_deck_tags_page(self, copy: OwnerDeck, enrolment: TagEnrolment) -> Widget:
        page = DeckTagsPage(
            render(copy.game.title, self.app.lang), reader_problem=self.card_service.lost_reader_text
        )
        page.show_next_card(enrolment, self._initial_card_count)
        page.bind(
            on_skip=lambda _: self._change_next_card(enrolment.skip_card),
            on_back=lambda _: self._change_next_card(enrolment.undo_previous_card),
            on_close=lambda _: self._open_deck(copy),
        )
        return page

    def _show(self, make_page: Callable[[], Widget], enrolment: TagEnrolment | None = None) -> None:
        """Shows a page; with an enrolment, tags go to the enrolment from now on."""
        self._enrolment = enrolment
        self.card_service.set_tag_handler(self._handle_tag if enrolment else None)
        self.app.stage.replace_screen(make_page)

    def _show_lost_reader(self) -> None:
        """Shows on the page that a reader was lost or found."""
        if isinstance(screen := self.app.stage.screen, TagReadingPage):
            screen.reader_problem = self.card_service.lost_reader_text

    # Tags on the readers

    def _handle_tag(self, signal: TagSignal) -> None:
        screen = self.app.stage.screen
        if self._enrolment is None or not isinstance(screen, TagReadingPage):
            self.card_service.set_tag_handler(None)
            return
        if isinstance(signal, TagLeft):
            self._enrolment.note_tag_lifted(signal.tag)
            return
        if self.app.stage.has_overlay:
            return  # a card near the reader must not interrupt somebody who is typing
        if isinstance(signal, TagUnreadable):
            self._show_tag_result(render(describe_unreadable_tag(signal), self.app.lang), is_refusal=True)
            return
        is_refusal = False
        try:
            result = self._enrolment.enrol_tag(signal.tag, signal.at)
        except UserError as error:
            result, is_refusal = error.text, True
        self._refresh_page()
        self._show_tag_result(render(result, self.app.lang), is_refusal=is_refusal)

    def _change_next_card(self, change: Callable[[], None]) -> None:
        self._show_tag_result("")
        run_or_explain(change)
        self._show_next_card()

    def _show_next_card(self) -> None:
        self.app.stage.screen.show_next_card(self._enrolment, self._initial_card_count)

    def _show_tag_result(self, text: str, *, is_refusal: bool = False) -> None:
        self.app.stage.screen.show_tag_result(text, is_refusal=is_refusal)

    def _delete_tag(self, tag: str, copy: OwnerDeck, card: str) -> None:
        self.card_service.delete_tag(tag)
        self._open_card(copy, card)

    # Printed values

    def _open_values_form(self, copy: OwnerDeck, deck: Deck, card: str) -> None:
        values = {key: value for key, value in deck.cards[card].values.items() if key != NAME_FIELD}
        form = CardValuesForm(deck, {}, values, done_text=self.app.tr("Save these values"))
        overlay = Overlay(add_children(BoxLayout(padding=theme.length.gap), form))
        form.bind(
            on_described=lambda _, entered: self._save_values(copy, deck, card, entered),
            on_cancel=overlay.close,
        )
        self.app.stage.show_overlay(overlay)

    def _ask_card_name(self, copy: OwnerDeck, deck: Deck, card: str) -> None:
        values = deck.cards[card].values
        other_values = {key: value for key, value in values.items() if key != NAME_FIELD}

        def save(name: str) -> None:
            self._save_values(copy, deck, card, {**other_values, NAME_FIELD: name})

        heading, old_name = self.app.tr("Name of the card"), str(values.get(NAME_FIELD, ""))
        open_keyboard(heading, save, max_letters=MAX_CARD_NAME_LETTERS, text=old_name)

    def _save_values(self, copy: OwnerDeck, deck: Deck, card: str, values: dict[str, Any]) -> None:
        """Saves the printed values of a card's design and shows the card again, or explains why it can't."""
        design = str(deck.cards[card].design)
        if run_or_explain(partial(self.card_service.save_printed_design_values, copy, design, values)):
            self._open_card(copy, card)

    # Confirmations

    def _ask_to_learn_again(self, copy: OwnerDeck) -> None:
        tr = self.app.tr
        open_dialog(
            tr("Learn all tags again?"),
            tr("Every card has a tag. Each card keeps its tag until you lay a new tag on the reader."),
            DialogChoice("no", tr("Keep the old tags")),
            DialogChoice(
                "yes",
                tr("Learn the tags again"),
                partial(self._open_deck_tags, copy, include_tagged=True),
                "brass",
            ),
        )

    def _ask_to_mark_final(self, copy: OwnerDeck) -> None:
        tr = self.app.tr
        open_dialog(
            tr("Do all values match the cards in your game?"),
            tr("Check the cards and the boards. Scores will then no longer be marked as provisional."),
            DialogChoice("no", tr("Not yet")),
            DialogChoice("yes", tr("All values entered"), partial(self._mark_final, copy), "brass"),
        )

    def _mark_final(self, copy: OwnerDeck) -> None:
        if run_or_explain(partial(self.card_service.mark_values_final, copy)):
            self._open_deck(copy)
