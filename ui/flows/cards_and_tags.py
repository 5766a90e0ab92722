"""Cards & tags: from home to a deck, to one card, or to a whole deck that is learnt card by card.

It shows the pages, and lets tags be told to the lesson as long as one of them is shown and nothing lies
over it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.cards import Deck
from companion.cards.deck import NAME
from companion.catalogue import games_with_presets
from companion.copies import Copy
from companion.errors import TableError
from companion.learning import Lesson
from companion.words import render
from hardware.desk.missing import unread
from hardware.signals import Tag, TagLeft, TagUnread
from ui import theme
from ui.asking.describing import Describing
from ui.evening.card_service import CardService
from ui.flows.presets import PresetFlow
from ui.host import TableHost
from ui.screens.board import BoardPage
from ui.screens.card import CardPage, Teaching, WholeDeck
from ui.screens.decks import DeckPage, Decks, board_name
from ui.widgets.drawing.putting import put
from ui.widgets.sheets.keyboard import keyboard
from ui.widgets.sheets.overlay import Overlay

LONGEST_NAME = 24


class CardsAndTags:
    """`CardsAndTags(app, controller.cards, preset_flow).open()`; the way back leads home."""

    def __init__(self, app: TableHost, box: CardService, preset_flow: PresetFlow) -> None:
        self.app, self.box = app, box
        self._preset_flow = preset_flow
        self._lesson: Lesson | None = None
        self._asked = 0
        self._page = 0
        self._again: Callable[[], None] = app.stage.rebuild
        box.bind(lost=lambda *_: self._miss())

    def open(self, decks: Collection[str] = ()) -> None:
        """The cards of the only one of these decks that has a copy; else the games."""
        self._page = 0
        copies = self.box.copies()
        found = [copies[name] for name in decks if name in copies]
        if len(found) == 1:
            self._deck(found[0])
        else:
            self._show(self._decks)

    # The pages

    def _decks(self) -> Widget:
        copies = self.box.copies()
        tags = {name: len(self.box.tags(name)) for name in copies}
        presets = [(game, len(self._preset_flow.service_of(game).labels())) for game in games_with_presets()]
        page = Decks(copies, tags, self.box.broken(), presets)
        page.bind(
            on_deck=lambda _, name: self._deck(copies[name]),
            on_presets=lambda _, game: self._preset_flow.open(game, lambda _name: self.app.stage.rebuild()),
            on_broken=lambda _, text: self.app.tell(text),
            on_close=lambda _: self.app.go_home(),
        )
        return page

    def _deck(self, copy: Copy) -> None:
        self._show(partial(self._deck_page, copy))

    def _deck_page(self, copy: Copy) -> Widget:
        page = DeckPage(copy, copy.deck(), self.box.tags(copy.name), self._page)
        page.bind(
            on_card=lambda _, card: self._card(copy, card),
            on_board=lambda _, key: self._show(partial(self._board_page, copy, key)),
            on_whole=lambda _: self._whole(copy),
            on_entered=lambda _: self._ask_entered(copy),
            on_turn=lambda _, at: setattr(self, "_page", at),
            on_close=lambda _: self.open(),
        )
        return page

    def _board_page(self, copy: Copy, key: str) -> Widget:
        page = BoardPage(board_name(key, self.app.lang), copy.deck().board[key], copy.shipped.bounds[key])

        def enter(_page: BoardPage, numbers: Sequence[int]) -> None:
            if self.app.tries(partial(self.box.enter_board, copy, key, numbers)):
                self._deck(copy)

        page.bind(on_entered=enter, on_close=lambda _: self._deck(copy))
        return page

    def _card(self, copy: Copy, card: str) -> None:
        deck = copy.deck()
        self._show(partial(self._card_page, copy, deck, card), self.box.lesson(deck, [card]))
        self._again = self.app.stage.rebuild

    def _card_page(self, copy: Copy, deck: Deck, card: str) -> Widget:
        tag = self.box.tags(copy.name).get(card, "")
        page = CardPage(deck, card, tag, readers=self.box.readers, lost=self.box.lost)
        page.bind(
            on_edit=lambda _: self._edit(copy, deck, card),
            on_name=lambda _: self._name(copy, deck, card),
            on_forget=lambda _: self.app.tries(partial(self._forget, tag, copy, card)),
            on_close=lambda _: self._deck(copy),
        )
        return page

    def _whole(self, copy: Copy, *, anew: bool = False) -> None:
        deck = copy.deck()
        cards = self.box.untaught(deck, anew=anew)
        if not cards:
            self._ask_anew(copy)
            return
        lesson = self.box.lesson(deck, cards)
        self._asked = len(cards)
        self._show(partial(self._whole_page, copy, lesson), lesson)
        self._again = self._tell
        if not self.box.readers:
            self._say(self.app.tr("There is no reader. Add one to hardware.toml."), refused=True)

    def _whole_page(self, copy: Copy, lesson: Lesson) -> Widget:
        page = WholeDeck(render(copy.game.title, self.app.lang), lost=self.box.lost)
        page.show(lesson, self._asked)
        page.bind(
            on_skip=lambda _: self._step(lesson.skip),
            on_back=lambda _: self._step(lesson.back),
            on_close=lambda _: self._deck(copy),
        )
        return page

    def _show(self, make: Callable[[], Widget], lesson: Lesson | None = None) -> None:
        """A page; with a lesson the tags are told to it from now on."""
        self._lesson = lesson
        self.box.hear(self._hear if lesson else None)
        self.app.stage.show(make)

    def _miss(self) -> None:
        """A reader was lost or found."""
        if isinstance(screen := self.app.stage.screen, Teaching):
            screen.lost = self.box.lost

    # What is laid on the readers

    def _hear(self, signal: Tag) -> None:
        screen = self.app.stage.screen
        if self._lesson is None or not isinstance(screen, Teaching):
            self.box.hear(None)
            return
        if isinstance(signal, TagLeft):
            self._lesson.lifted(signal.tag)
            return
        if self.app.stage.is_covered:
            return  # a card that comes near the reader must not end what somebody is typing
        if isinstance(signal, TagUnread):
            self._say(render(unread(signal), self.app.lang), refused=True)
            return
        refused = False
        try:
            said = self._lesson.arrived(signal.tag, signal.at)
        except TableError as error:
            said, refused = error.text, True
        self._again()
        self._say(render(said, self.app.lang), refused=refused)

    def _step(self, step: Callable[[], None]) -> None:
        self._say("")
        self.app.tries(step)
        self._tell()

    def _tell(self) -> None:
        self.app.stage.screen.show(self._lesson, self._asked)

    def _say(self, text: str, *, refused: bool = False) -> None:
        self.app.stage.screen.say(text, refused=refused)

    def _forget(self, tag: str, copy: Copy, card: str) -> None:
        self.box.forget(tag)
        self._card(copy, card)

    # What is printed

    def _edit(self, copy: Copy, deck: Deck, card: str) -> None:
        values = {key: value for key, value in deck.cards[card].values.items() if key != NAME}
        form = Describing(deck, {}, values, done=self.app.tr("Save these values"))
        overlay = Overlay(put(BoxLayout(padding=theme.length.gap), form))

        def enter(_form: Describing, entered: dict[str, Any]) -> None:
            if self.app.tries(partial(self.box.enter, copy, str(deck.cards[card].design), entered)):
                self._card(copy, card)

        form.bind(on_described=enter, on_cancel=overlay.close)
        self.app.stage.lay(overlay)

    def _name(self, copy: Copy, deck: Deck, card: str) -> None:
        design, values = str(deck.cards[card].design), deck.cards[card].values
        fields = {key: value for key, value in values.items() if key != NAME}

        def take(name: str) -> None:
            if self.app.tries(partial(self.box.enter, copy, design, {**fields, NAME: name})):
                self._card(copy, card)

        heading, before = self.app.tr("Name of the card"), str(values.get(NAME, ""))
        self.app.stage.lay(keyboard(heading, take, most=LONGEST_NAME, text=before))

    # What is asked first

    def _ask_anew(self, copy: Copy) -> None:
        tr = self.app.tr
        answers = [("no", tr("Keep the old tags"), "paper"), ("yes", tr("Learn the tags again"), "brass")]
        text = tr("Every card has a tag. Each card keeps its tag until you lay a new tag on the reader.")
        title = tr("Learn all tags again?")
        self.app.ask(title, text, answers, partial(self._whole, copy, anew=True))

    def _ask_entered(self, copy: Copy) -> None:
        tr = self.app.tr
        answers = [("no", tr("Not yet"), "paper"), ("yes", tr("All values entered"), "brass")]
        title = tr("Do all values match the cards in your game?")
        text = tr("Check the cards and the boards. Scores will then no longer be marked as provisional.")
        self.app.ask(title, text, answers, partial(self._entered, copy))

    def _entered(self, copy: Copy) -> None:
        if self.app.tries(partial(self.box.all_entered, copy)):
            self._deck(copy)
