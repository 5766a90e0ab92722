"""One card: what is printed on it, and its tag; and a whole deck that is learnt card by card."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.cards import Deck
from companion.learning import Lesson, called
from companion.words import render
from ui import theme
from ui.host import running
from ui.screens.decks import printed_on
from ui.widgets.drawing.drawn import Drawn, Sheet, fill, inset
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.sheets.head import Head, Page
from ui.widgets.sheets.slip import Refusal

MOST_VALUES = 9
"""Lines that have room on the sheet."""


class Teaching(Page):
    """A page on which tags are laid: below it stands what was said of the last one.

    Where nothing was, it stands there why a reader can't be used, for as long as that is so.
    """

    lost = ObjectProperty(None, allownone=True)
    """What to say of a reader that can't be used."""

    def __init__(self, title: str, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        self.head = Head(title)
        self.body = BoxLayout(spacing=sizes.space)
        self.said = Writing(felt=True, halign="center", lines=2)
        self.refusal = Refusal()
        self.foot = put(BoxLayout(size_hint_y=None, height=sizes.remark), self.said)
        self.lay_under(self.head, self.body, self.foot)
        self._last = ("", False)
        self.bind(lost=lambda *_: self.say(*self._last))
        self.say("")

    def say(self, text: str, refused: bool = False) -> None:  # noqa: FBT001, FBT002 - as it was said last
        """What became of the last tag."""
        self._last = text, refused
        if self.lost and not text:
            text, refused = render(self.lost, self.app.lang), True
        self.said.text, self.refusal.text = ("", text) if refused else (text, "")
        self.foot.clear_widgets()
        put(self.foot, self.refusal if refused else self.said)


class CardPage(Teaching):
    """A card's printed values left, its tag right; `tag` is empty where it has none.

    `readers` is how many readers there are.
    """

    __events__: tuple[str, ...] = (
        "on_edit",  # what is printed on it is to be entered
        "on_name",  # it is to get another name
        "on_forget",  # its tag is to be no card any more
    )

    def __init__(self, deck: Deck, card: str, tag: str, *, readers: int, **kwargs: Any) -> None:
        self.deck, self.card = deck, card
        app = running()
        super().__init__(render(called(deck, card), app.lang), **kwargs)
        put(self.body, self._printed(), self._tag(tag, readers))

    def _printed(self) -> Sheet:
        tr, lang, sizes = self.app.tr, self.app.lang, theme.length
        sheet = Sheet()
        rows = printed_on(self.deck, self.card, lang)
        for field, value in rows[:MOST_VALUES]:
            shown = Writing(text=value, style="key", halign="right", size_hint_x=0.6)
            put(sheet, put(BoxLayout(spacing=sizes.gap), Writing(text=field), shown))
        if not rows:
            put(sheet, Writing(text=tr("All copies of this game have the same cards."), lines=3))
        if self.deck.fields:
            keys = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.gap)
            edit = self.telling("on_edit", text=tr("Enter the values"), name="edit")
            put(sheet, put(keys, edit, self.telling("on_name", text=tr("Name the card"), name="name")))
        return sheet

    def _tag(self, tag: str, readers: int) -> Sheet:
        tr, sizes = self.app.tr, theme.length
        sheet = Sheet()
        now = tr("Tag: {tag}", tag=tag) if tag else tr("No tag yet.")
        todo = tr("Lay the card on a reader to learn its tag.")
        todo = todo if readers else tr("There is no reader. Add one to hardware.toml.")
        put(sheet, Writing(text=now, lines=2, size_hint_y=0.5), Writing(text=todo, style="question", lines=5))
        if tag:
            key = self.telling("on_forget", text=tr("Forget this tag"), name="forget", look="danger")
            key.size_hint_y, key.height = None, sizes.target
            put(sheet, key)
        return sheet


class HowFar(Drawn):
    """How far it is: `share` from 0 to 1."""

    shows: ClassVar[tuple[str, ...]] = ("share",)
    share = NumericProperty(0.0)

    def draw(self) -> None:
        """A groove that fills with brass."""
        x, y, width, height = self.box
        fill(theme.FELT_DARK, self.box, height / 2)
        if self.share:
            fill(theme.BRASS, inset((x, y, max(height, width * self.share), height), theme.length.line))


class WholeDeck(Teaching):
    """The card whose tag is laid next, how many are left, and the keys to go on without a card."""

    __events__: tuple[str, ...] = (
        "on_skip",  # the next card, please
        "on_back",  # the card before once more
    )

    def __init__(self, title: str, **kwargs: Any) -> None:
        super().__init__(title, **kwargs)
        tr, sizes = self.app.tr, theme.length
        sheet = Sheet(padding=sizes.margin)
        self.todo = Writing(text=tr("Lay this card on a reader:"), size_hint_y=0.35)
        self.next = Writing(style="title", halign="center", lines=2)
        self.printed = Writing(style="body", halign="center", lines=2, size_hint_y=0.6)
        self.left = Writing(style="body", halign="center", size_hint_y=0.35)
        self.bar = HowFar(size_hint_y=None, height=sizes.space)
        put(self.body, put(sheet, self.todo, self.next, self.printed, self.left, self.bar))
        keys = BoxLayout(size_hint_y=None, height=sizes.row, spacing=sizes.gap)
        self.back = self.telling("on_back", text=tr("Previous card"), name="card before")
        self.skip = self.telling("on_skip", text=tr("Skip this card"), name="skip")
        self.finish = self.telling("on_close", text=tr("Finish"), name="finish", look="brass")
        put(self, put(keys, self.back, self.skip, self.finish))

    def show(self, lesson: Lesson, asked: int) -> None:
        """Where the lesson of so many cards stands."""
        tr, lang, card = self.app.tr, self.app.lang, lesson.card
        if card is None:
            self.todo.text = self.printed.text = ""
            self.next.text = tr("All cards are done.")
        else:
            self.todo.text = tr("Lay this card on a reader:")
            self.next.text = render(called(lesson.deck, card), lang)
            values = printed_on(lesson.deck, card, lang)
            self.printed.text = "  ".join(f"{field} {value}" for field, value in values)
        self.left.text = self.app.trn("{n} card is left", "{n} cards are left", lesson.left)
        self.bar.share = (asked - lesson.left) / asked
        self.back.disabled = lesson.left == asked
        self.skip.disabled = card is None
