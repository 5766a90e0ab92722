"""Cards & tags: which game's cards; and all cards of one game, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.cards import Deck
from companion.cards.deck import NAME, field_word, spoken
from companion.catalogue import Broken
from companion.copies import Copy
from companion.errors import TableError
from companion.rules.game import COVER_SUFFIX, Game
from companion.words import render
from ui import theme
from ui.host import running
from ui.widgets.covers.lid import Lid
from ui.widgets.drawing.putting import put
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import Plate
from ui.widgets.sheets.head import Head, Page

GAMES = (3, 2)
CARDS, UPRIGHT_CARDS = (5, 4), (3, 7)
"""Columns and rows; of games upright as many rows as else columns."""


class Decks(Page):
    """The boxes whose cards can have tags; `tags` are the numbers of those that have one.

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
        copies: Mapping[str, Copy],
        tags: Mapping[str, int],
        broken: Sequence[Broken],
        presets: Sequence[tuple[Game, int]],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        head = Head(self.app.tr("Cards & tags"))
        lids = [self._deck(name, copy, tags[name]) for name, copy in copies.items()]
        lids += [self._presets(game, count) for game, count in presets]
        lids += [self._lid(one.key, one.key, why=render(one.why, self.app.lang)) for one in broken]
        cols, rows = GAMES[::-1] if running().stage.is_upright else GAMES
        self.lay_under(head, Pager(things=lids, cols=cols, rows=rows, between=theme.length.space))

    def _deck(self, name: str, copy: Copy, tags: int) -> Lid:
        lang, title = self.app.lang, render(copy.game.title, self.app.lang)
        try:
            cards = len(copy.deck().cards)
        except TableError as error:
            return self._lid(name, title, why=render(error.text, lang))
        note = self.app.tr("{cards} cards, {tags} with tags", cards=cards, tags=tags)
        lid = self._lid(name, title, note)
        lid.cover = str(copy.game.find_file(COVER_SUFFIX) or "")
        return lid

    def _presets(self, game: Game, count: int) -> Lid:
        lid = Lid(text=render(game.title, self.app.lang))
        lid.note = self.app.tr("{n} templates", n=count)
        lid.name, lid.cover = f"presets {game.key}", str(game.find_file(COVER_SUFFIX) or "")
        lid.bind(on_release=lambda _: self.dispatch("on_presets", game))
        return lid

    def _lid(self, name: str, title: str, note: str = "", why: str = "") -> Lid:
        """A box to open, or with `why` not."""
        note = note or self.app.tr("Broken")
        lid = Lid(text=title, note=note, broken=bool(why))
        lid.name = f"deck {name}"
        lid.bind(on_release=lambda _: self.dispatch(*(("on_broken", why) if why else ("on_deck", name))))
        return lid


class BoardKey(str):
    """The key of a board, among the names of cards."""

    __slots__ = ()


class DeckPage(Page):
    """All cards of a deck; a tick says that a card has its tag, a red plate that values are provisional.

    Boards come after the cards.
    """

    __events__: tuple[str, ...] = (
        "on_card",  # name: one card is wanted
        "on_board",  # key: what is printed on a board is wanted
        "on_whole",  # all cards are to be learnt in a row
        "on_entered",  # all values are those of one's own copy, no longer provisional
        "on_turn",  # page: another page is shown
    )

    def __init__(self, copy: Copy, deck: Deck, tags: Mapping[str, str], page: int = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        lang = self.app.lang
        cols, rows = UPRIGHT_CARDS if running().stage.is_upright else CARDS
        self.pager = Pager(
            things=[*deck.cards, *map(BoardKey, deck.board)],
            make=lambda thing: self._thing(deck, thing, thing in tags),
            page=page,
            cols=cols,
            rows=rows,
            between=theme.length.gap / 2,
            is_apart=True,
        )
        self.pager.bind(page=lambda _, page: self.dispatch("on_turn", page))
        head = Head(render(copy.game.title, lang), (*self.pager.turning, self._whole()))
        self.lay_under(head, self.pager)
        if deck.provisional:
            put(self, self._provisional())

    def _whole(self) -> Key:
        width = {"size_hint_x": None, "width": theme.length.bar * 2}
        return self.telling(
            "on_whole", text=self.app.tr("Learn all tags"), name="whole", look="brass", **width
        )

    def _provisional(self) -> BoxLayout:
        """The badge, and the way to be rid of it."""
        tr, sizes = self.app.tr, theme.length
        row = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.space)
        badge = Plate(tr("provisional values"), warning=True, pos_hint={"center_y": 0.5})
        badge.height = sizes.glyph * 1.3
        entered = self.telling("on_entered", text=tr("All values match our copy"), name="entered", lines=2)
        return put(row, badge, entered)

    def _thing(self, deck: Deck, thing: str, has_tag: bool) -> Key:  # noqa: FBT001 - one of three to show
        if isinstance(thing, BoardKey):
            text, key = board_name(thing, self.app.lang), str(thing)
            return self.telling("on_board", key, text=text, name=f"board {key}", is_full=True)
        return self._card(deck, thing, has_tag)

    def _card(self, deck: Deck, name: str, has_tag: bool) -> Key:  # noqa: FBT001 - one of three things to show
        text = short(deck, name, self.app.lang)
        look = {"chosen": has_tag, "style": "body" if "\n" in text else "key", "is_full": True}
        return self.telling("on_card", name, text=text, name=f"card {name}", lines=2, **look)


def board_name(key: str, lang: str) -> str:
    """What a row of a board is called."""
    return render(field_word(key), lang)


def short(deck: Deck, name: str, lang: str) -> str:
    """A card's name, or its id; below it, which of several that look alike."""
    design = deck.design(name)
    assert design is not None
    label = str(design.values.get(NAME, ""))
    label = render(spoken(label), lang) if label else design.id
    return label if design.copies == 1 else f"{label}\n{design.names.index(name) + 1}/{design.copies}"


def printed_on(deck: Deck, name: str, lang: str) -> list[tuple[str, str]]:
    """What is printed on a card and may be entered: each field and its value, as people read them."""
    values = deck.cards[name].values
    rows = [(key, value) for key, value in values.items() if key in deck.fields]
    return [
        (
            render(field_word(key), lang),
            render(spoken(value), lang) if isinstance(value, str) else str(value).replace("-", "−"),
        )
        for key, value in rows
    ]
