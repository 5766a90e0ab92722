"""Cards & tags: the decks, the cards of a deck, one card, and learning the tags of a whole deck."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

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
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout, fill_box, inset_box
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.game_box import GameBoxButton
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import BadgeWidget
from ui.widgets.sheets.messages import RefusalNotice
from ui.widgets.sheets.overlays import Overlay

DECK_GRID = (3, 2)
CARD_GRID, UPRIGHT_CARD_GRID = (5, 4), (3, 7)
"""Columns and rows of a page; an upright page of decks has them swapped."""


class DeckListPage(Page):
    """A list of the decks whose cards can have tags; `tags` is the number of cards with a tag by deck.

    `broken` are the games that can't be loaded, which may have cards.
    `presets` are the games that have presets in place of cards, and how many.
    """

    __events__: tuple[str, ...] = (
        "on_deck",  # name: the cards of that deck are wanted
        "on_presets",  # game: somebody opens the presets of that game
        "on_broken",  # text: somebody wants to know what is wrong with that deck
    )

    def __init__(
        self,
        copies: Mapping[str, OwnerDeck],
        tags: Mapping[str, int],
        broken: Sequence[BrokenGame],
        presets: Sequence[tuple[Game, int]],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        lids = [self._deck(name, copy, tags[name]) for name, copy in copies.items()]
        lids += [self._presets(game, count) for game, count in presets]
        lids += [self._lid(one.key, one.key, why=render(one.why, self.app.lang)) for one in broken]
        cols, rows = DECK_GRID[::-1] if get_companion_app().stage.is_next_page_portrait else DECK_GRID
        self.add_content(
            self.app.tr("Cards & tags"), Pager(items=lids, cols=cols, rows=rows, between=theme.length.space)
        )

    def _deck(self, name: str, copy: OwnerDeck, tags: int) -> GameBoxButton:
        lang, title = self.app.lang, render(copy.game.title, self.app.lang)
        try:
            cards = len(copy.load_deck().cards)
        except UserError as error:
            return self._lid(name, title, why=render(error.text, lang))
        note = self.app.tr("{cards} cards, {tags} with tags", cards=cards, tags=tags)
        lid = self._lid(name, title, note)
        lid.cover_path = str(copy.game.find_file(COVER_SUFFIX) or "")
        return lid

    def _presets(self, game: Game, count: int) -> GameBoxButton:
        lid = GameBoxButton(text=render(game.title, self.app.lang))
        lid.audience_text = self.app.tr("{n} templates", n=count)
        lid.name, lid.cover_path = f"presets {game.key}", str(game.find_file(COVER_SUFFIX) or "")
        lid.bind(on_release=lambda _: self.dispatch("on_presets", game))
        return lid

    def _lid(self, name: str, title: str, note: str = "", why: str = "") -> GameBoxButton:
        """Returns the box of a deck; with `why` it can't be opened."""
        note = note or self.app.tr("Broken")
        lid = GameBoxButton(text=title, audience_text=note, is_broken=bool(why))
        lid.name = f"deck {name}"
        lid.bind(on_release=lambda _: self.dispatch(*(("on_broken", why) if why else ("on_deck", name))))
        return lid


class BoardKey(str):
    """The key of a board, told apart by its type from the names of cards."""

    __slots__ = ()


class DeckPage(Page):
    """The page of a deck, with a key for each card.

    A tick says that a card has its tag, a red plate that values are provisional.
    Boards come after the cards.
    """

    __events__: tuple[str, ...] = (
        "on_card",  # name: one card is wanted
        "on_board",  # key: what is printed on a board is wanted
        "on_whole",  # all cards are to be learnt in a row
        "on_entered",  # all values are those of one's own copy, no longer provisional
        "on_turn",  # page: another page is shown
    )

    def __init__(
        self, copy: OwnerDeck, deck: Deck, tags: Mapping[str, str], page: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        lang = self.app.lang
        cols, rows = UPRIGHT_CARD_GRID if get_companion_app().stage.is_next_page_portrait else CARD_GRID
        self.pager = Pager(
            items=[*deck.cards, *map(BoardKey, deck.board)],
            make=lambda thing: self._thing(deck, thing, thing in tags),
            page=page,
            cols=cols,
            rows=rows,
            between=theme.length.gap / 2,
            is_apart=True,
        )
        self.pager.bind(page=lambda _, page: self.dispatch("on_turn", page))
        self.add_content(
            render(copy.game.title, lang), self.pager, keys=(*self.pager.page_turn_keys, self._whole())
        )
        if deck.provisional:
            add_children(self, self._provisional())

    def _whole(self) -> Key:
        width = {"size_hint_x": None, "width": theme.length.bar * 2}
        return self.make_event_key(
            "on_whole", text=self.app.tr("Learn all tags"), name="whole", look="brass", **width
        )

    def _provisional(self) -> BoxLayout:
        """Returns the badge of provisional values, with the key that removes it."""
        tr, sizes = self.app.tr, theme.length
        row = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.space)
        badge = BadgeWidget(tr("provisional values"), is_warning=True, pos_hint={"center_y": 0.5})
        badge.height = sizes.glyph * 1.3
        entered = self.make_event_key(
            "on_entered", text=tr("All values match our copy"), name="entered", lines=2
        )
        return add_children(row, badge, entered)

    def _thing(self, deck: Deck, thing: str, has_tag: bool) -> Key:  # noqa: FBT001 - one of three to show
        if isinstance(thing, BoardKey):
            text, key = render(field_label(thing), self.app.lang), str(thing)
            return self.make_event_key(
                "on_board", key, text=text, name=f"board {key}", has_narrow_margins=True
            )
        return self._card(deck, thing, has_tag)

    def _card(self, deck: Deck, name: str, has_tag: bool) -> Key:  # noqa: FBT001 - one of three things to show
        text = card_key_text(deck, name, self.app.lang)
        look = {"chosen": has_tag, "style": "body" if "\n" in text else "key", "has_narrow_margins": True}
        return self.make_event_key("on_card", name, text=text, name=f"card {name}", lines=2, **look)


def card_key_text(deck: Deck, name: str, lang: str) -> str:
    """Returns the text on a card's key: its name, or its id if it has none.

    If there are several copies, the number of the copy is below.
    """
    design = deck.design_of_copy(name)
    assert design is not None
    label = str(design.values.get(NAME_FIELD, ""))
    label = render(word_label(label), lang) if label else design.id
    return label if design.copies == 1 else f"{label}\n{design.copy_ids.index(name) + 1}/{design.copies}"


def printed_values(deck: Deck, name: str, lang: str) -> list[tuple[str, str]]:
    """Returns the printed values of a card, each after the name of its field, as people read them.

    Only fields that people can enter are included.
    """
    values = deck.cards[name].values
    rows = [(key, value) for key, value in values.items() if key in deck.fields]
    return [
        (
            render(field_label(key), lang),
            render(word_label(value), lang) if isinstance(value, str) else str(value).replace("-", "−"),
        )
        for key, value in rows
    ]


# One card with its printed values and its tag, and a whole deck whose tags are learned card by card.


MAX_PRINTED_VALUES_ON_SHEET = 9
"""The most printed values that fit on the sheet."""


class TagPage(Page):
    """A page for reading tags; its foot shows the result of the last tag.

    If there was no tag yet, the foot shows why a reader can't be used, as long as that is so.
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
        self._last = ("", False)
        self.bind(reader_problem=lambda *_: self.show_tag_result(*self._last))
        self.show_tag_result("")

    def show_tag_result(self, text: str, is_refusal: bool = False) -> None:  # noqa: FBT001, FBT002 - as it was said last
        """Shows the result of the last tag, as a refusal if `is_refusal`."""
        self._last = text, is_refusal
        if self.reader_problem and not text:
            text, is_refusal = render(self.reader_problem, self.app.lang), True
        self.result_text.text, self.refusal.text = ("", text) if is_refusal else (text, "")
        self.foot.clear_widgets()
        add_children(self.foot, self.refusal if is_refusal else self.result_text)


class CardPage(TagPage):
    """The page of one card: its printed values and its tag.

    The values are at the left, the tag at the right. `tag` is empty if the card has none.
    `readers` is the number of readers.
    """

    __events__: tuple[str, ...] = (
        "on_edit",  # what is printed on it is to be entered
        "on_name",  # it is to get another name
        "on_forget",  # its tag is to be no card any more
    )

    def __init__(self, deck: Deck, card: str, tag: str, *, readers: int, **kwargs: Any) -> None:
        self.deck, self.card = deck, card
        app = get_companion_app()
        super().__init__(render(card_label(deck, card), app.lang), **kwargs)
        add_children(self.body, self._printed(), self._tag(tag, readers))

    def _printed(self) -> PaperBoxLayout:
        tr, lang, sizes = self.app.tr, self.app.lang, theme.length
        sheet = PaperBoxLayout()
        rows = printed_values(self.deck, self.card, lang)
        for field, value in rows[:MAX_PRINTED_VALUES_ON_SHEET]:
            shown = FittedLabel(text=value, style="key", halign="right", size_hint_x=0.6)
            add_children(sheet, add_children(BoxLayout(spacing=sizes.gap), FittedLabel(text=field), shown))
        if not rows:
            add_children(sheet, FittedLabel(text=tr("All copies of this game have the same cards."), lines=3))
        if self.deck.fields:
            keys = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.gap)
            edit = self.make_event_key("on_edit", text=tr("Enter the values"), name="edit")
            add_children(
                sheet,
                add_children(
                    keys, edit, self.make_event_key("on_name", text=tr("Name the card"), name="name")
                ),
            )
        return sheet

    def _tag(self, tag: str, readers: int) -> PaperBoxLayout:
        tr, sizes = self.app.tr, theme.length
        sheet = PaperBoxLayout()
        now = tr("Tag: {tag}", tag=tag) if tag else tr("No tag yet.")
        todo = tr("Lay the card on a reader to learn its tag.")
        todo = todo if readers else tr("There is no reader. Add one to hardware.toml.")
        add_children(
            sheet,
            FittedLabel(text=now, lines=2, size_hint_y=0.5),
            FittedLabel(text=todo, style="question", lines=5),
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
        """Draws the bar: a groove that fills with brass."""
        x, y, width, height = self.box
        fill_box(theme.FELT_DARK, self.box, height / 2)
        if self.share:
            fill_box(
                theme.BRASS, inset_box((x, y, max(height, width * self.share), height), theme.length.line)
            )


class DeckTagsPage(TagPage):
    """The page on which the tags of a deck are learned, card by card.

    The page shows the next card to lay on a reader, with keys to skip or go back.
    """

    __events__: tuple[str, ...] = (
        "on_skip",  # the next card, please
        "on_back",  # the card before once more
    )

    def __init__(self, title: str, **kwargs: Any) -> None:
        super().__init__(title, **kwargs)
        tr, sizes = self.app.tr, theme.length
        sheet = PaperBoxLayout(padding=sizes.margin)
        self.todo = FittedLabel(text=tr("Lay this card on a reader:"), size_hint_y=0.35)
        self.next = FittedLabel(style="title", halign="center", lines=2)
        self.printed = FittedLabel(style="body", halign="center", lines=2, size_hint_y=0.6)
        self.left = FittedLabel(style="body", halign="center", size_hint_y=0.35)
        self.bar = EnrolmentProgress(size_hint_y=None, height=sizes.space)
        add_children(self.body, add_children(sheet, self.todo, self.next, self.printed, self.left, self.bar))
        keys = BoxLayout(size_hint_y=None, height=sizes.row, spacing=sizes.gap)
        self.back = self.make_event_key("on_back", text=tr("Previous card"), name="card before")
        self.skip = self.make_event_key("on_skip", text=tr("Skip this card"), name="skip")
        self.finish = self.make_event_key("on_close", text=tr("Finish"), name="finish", look="brass")
        add_children(self, add_children(keys, self.back, self.skip, self.finish))

    def show_next_card(self, enrolment: TagEnrolment, initial_card_count: int) -> None:
        """Shows the next card, and how many are left of the `initial_card_count` at the start."""
        tr, lang, card = self.app.tr, self.app.lang, enrolment.next_card_id
        if card is None:
            self.todo.text = self.printed.text = ""
            self.next.text = tr("All cards are done.")
        else:
            self.todo.text = tr("Lay this card on a reader:")
            self.next.text = render(card_label(enrolment.deck, card), lang)
            values = printed_values(enrolment.deck, card, lang)
            self.printed.text = "  ".join(f"{field} {value}" for field, value in values)
        self.left.text = self.app.trn("{n} card is left", "{n} cards are left", enrolment.remaining_count)
        self.bar.share = (initial_card_count - enrolment.remaining_count) / initial_card_count
        self.back.disabled = enrolment.remaining_count == initial_card_count
        self.skip.disabled = card is None


# The flow from home to a deck, to one card, or to a whole deck.
#
# It shows the pages, and lets tags be told to the lesson as long as one of them is shown and nothing lies
# over it.


MAX_CARD_NAME_LETTERS = 24


class CardsFlow:
    """Shows the pages of the cards and their tags, and handles what people do there.

    `CardsFlow(app, controller.cards, preset_flow).open_decks()`; the way back leads home.
    """

    def __init__(self, app: AppWithEvening, box: CardService, preset_flow: PresetFlow) -> None:
        self.app, self.card_service = app, box
        self._preset_flow = preset_flow
        self._lesson: TagEnrolment | None = None
        self._asked = 0
        self._page = 0
        self._again: Callable[[], None] = app.stage.rebuild_screen
        box.bind(lost_reader_text=lambda *_: self._miss())

    def open_decks(self, deck_names: Collection[str] = ()) -> None:
        """Opens the list of all decks.

        If exactly one of `deck_names` can have tags, the cards of that deck are opened instead.
        """
        self._page = 0
        copies = self.card_service.taggable_decks()
        found = [copies[name] for name in deck_names if name in copies]
        if len(found) == 1:
            self._deck(found[0])
        else:
            self._show(self._decks)

    # The pages

    def _decks(self) -> Widget:
        copies = self.card_service.taggable_decks()
        tags = {name: len(self.card_service.tag_by_card(name)) for name in copies}
        presets = [
            (game, len(self._preset_flow.make_service(game).label_by_preset_name()))
            for game in games_offering_presets()
        ]
        page = DeckListPage(copies, tags, self.card_service.broken_games(), presets)
        page.bind(
            on_deck=lambda _, name: self._deck(copies[name]),
            on_presets=lambda _, game: self._preset_flow.open(
                game, lambda _name: self.app.stage.rebuild_screen()
            ),
            on_broken=lambda _, text: show_message(text),
            on_close=lambda _: self.app.show_home(),
        )
        return page

    def _deck(self, copy: OwnerDeck) -> None:
        self._show(partial(self._deck_page, copy))

    def _deck_page(self, copy: OwnerDeck) -> Widget:
        page = DeckPage(copy, copy.load_deck(), self.card_service.tag_by_card(copy.name), self._page)
        page.bind(
            on_card=lambda _, card: self._card(copy, card),
            on_board=lambda _, key: self._show(partial(self._board_page, copy, key)),
            on_whole=lambda _: self._whole(copy),
            on_entered=lambda _: self._ask_entered(copy),
            on_turn=lambda _, at: setattr(self, "_page", at),
            on_close=lambda _: self.open_decks(),
        )
        return page

    def _board_page(self, copy: OwnerDeck, key: str) -> Widget:
        title = render(field_label(key), self.app.lang)
        page = PrintedNumbersPage(title, copy.load_deck().board[key], copy.shipped_file.bounds[key])

        def enter(_page: PrintedNumbersPage, numbers: Sequence[int]) -> None:
            if run_or_explain(partial(self.card_service.save_board_values, copy, key, numbers)):
                self._deck(copy)

        page.bind(on_entered=enter, on_close=lambda _: self._deck(copy))
        return page

    def _card(self, copy: OwnerDeck, card: str) -> None:
        deck = copy.load_deck()
        self._show(
            partial(self._card_page, copy, deck, card), self.card_service.start_tag_enrolment(deck, [card])
        )
        self._again = self.app.stage.rebuild_screen

    def _card_page(self, copy: OwnerDeck, deck: Deck, card: str) -> Widget:
        tag = self.card_service.tag_by_card(copy.name).get(card, "")
        page = CardPage(
            deck,
            card,
            tag,
            readers=self.card_service.reader_count,
            reader_problem=self.card_service.lost_reader_text,
        )
        page.bind(
            on_edit=lambda _: self._edit(copy, deck, card),
            on_name=lambda _: self._name(copy, deck, card),
            on_forget=lambda _: run_or_explain(partial(self._forget, tag, copy, card)),
            on_close=lambda _: self._deck(copy),
        )
        return page

    def _whole(self, copy: OwnerDeck, *, anew: bool = False) -> None:
        deck = copy.load_deck()
        cards = self.card_service.card_ids_without_tag(deck, include_tagged=anew)
        if not cards:
            self._ask_anew(copy)
            return
        lesson = self.card_service.start_tag_enrolment(deck, cards)
        self._asked = len(cards)
        self._show(partial(self._whole_page, copy, lesson), lesson)
        self._again = self._tell
        if not self.card_service.reader_count:
            self._say(self.app.tr("There is no reader. Add one to hardware.toml."), is_refusal=True)

    def _whole_page(self, copy: OwnerDeck, lesson: TagEnrolment) -> Widget:
        page = DeckTagsPage(
            render(copy.game.title, self.app.lang), reader_problem=self.card_service.lost_reader_text
        )
        page.show_next_card(lesson, self._asked)
        page.bind(
            on_skip=lambda _: self._step(lesson.skip_card),
            on_back=lambda _: self._step(lesson.go_back_to_previous_card),
            on_close=lambda _: self._deck(copy),
        )
        return page

    def _show(self, make: Callable[[], Widget], lesson: TagEnrolment | None = None) -> None:
        """Shows a page; with a lesson, tags go to the lesson from now on."""
        self._lesson = lesson
        self.card_service.set_tag_handler(self._hear if lesson else None)
        self.app.stage.replace_screen(make)

    def _miss(self) -> None:
        """Shows on the page that a reader was lost or found."""
        if isinstance(screen := self.app.stage.screen, TagPage):
            screen.reader_problem = self.card_service.lost_reader_text

    # What is laid on the readers

    def _hear(self, signal: TagSignal) -> None:
        screen = self.app.stage.screen
        if self._lesson is None or not isinstance(screen, TagPage):
            self.card_service.set_tag_handler(None)
            return
        if isinstance(signal, TagLeft):
            self._lesson.note_tag_lifted(signal.tag)
            return
        if self.app.stage.has_overlay:
            return  # a card that comes near the reader must not end what somebody is typing
        if isinstance(signal, TagUnreadable):
            self._say(render(describe_unreadable_tag(signal), self.app.lang), is_refusal=True)
            return
        refused = False
        try:
            said = self._lesson.enrol_tag(signal.tag, signal.at)
        except UserError as error:
            said, refused = error.text, True
        self._again()
        self._say(render(said, self.app.lang), is_refusal=refused)

    def _step(self, step: Callable[[], None]) -> None:
        self._say("")
        run_or_explain(step)
        self._tell()

    def _tell(self) -> None:
        self.app.stage.screen.show_next_card(self._lesson, self._asked)

    def _say(self, text: str, *, is_refusal: bool = False) -> None:
        self.app.stage.screen.show_tag_result(text, is_refusal=is_refusal)

    def _forget(self, tag: str, copy: OwnerDeck, card: str) -> None:
        self.card_service.delete_tag(tag)
        self._card(copy, card)

    # What is printed

    def _edit(self, copy: OwnerDeck, deck: Deck, card: str) -> None:
        values = {key: value for key, value in deck.cards[card].values.items() if key != NAME_FIELD}
        form = CardValuesForm(deck, {}, values, done_text=self.app.tr("Save these values"))

        def enter(_form: CardValuesForm, entered: dict[str, Any]) -> None:
            if run_or_explain(
                partial(self.card_service.save_design_values, copy, str(deck.cards[card].design), entered)
            ):
                self._card(copy, card)

        overlay = Overlay(add_children(BoxLayout(padding=theme.length.gap), form))
        form.bind(on_described=enter, on_cancel=overlay.close)
        self.app.stage.show_overlay(overlay)

    def _name(self, copy: OwnerDeck, deck: Deck, card: str) -> None:
        design, values = str(deck.cards[card].design), deck.cards[card].values
        fields = {key: value for key, value in values.items() if key != NAME_FIELD}

        def take(name: str) -> None:
            if run_or_explain(
                partial(self.card_service.save_design_values, copy, design, {**fields, NAME_FIELD: name})
            ):
                self._card(copy, card)

        heading, before = self.app.tr("Name of the card"), str(values.get(NAME_FIELD, ""))
        open_keyboard(heading, take, max_letters=MAX_CARD_NAME_LETTERS, text=before)

    # What is asked first

    def _ask_anew(self, copy: OwnerDeck) -> None:
        tr = self.app.tr
        open_dialog(
            tr("Learn all tags again?"),
            tr("Every card has a tag. Each card keeps its tag until you lay a new tag on the reader."),
            DialogChoice("no", tr("Keep the old tags")),
            DialogChoice("yes", tr("Learn the tags again"), partial(self._whole, copy, anew=True), "brass"),
        )

    def _ask_entered(self, copy: OwnerDeck) -> None:
        tr = self.app.tr
        open_dialog(
            tr("Do all values match the cards in your game?"),
            tr("Check the cards and the boards. Scores will then no longer be marked as provisional."),
            DialogChoice("no", tr("Not yet")),
            DialogChoice("yes", tr("All values entered"), partial(self._entered, copy), "brass"),
        )

    def _entered(self, copy: OwnerDeck) -> None:
        if run_or_explain(partial(self.card_service.mark_values_final, copy)):
            self._deck(copy)
