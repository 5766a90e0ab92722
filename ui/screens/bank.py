"""The bank: every place of the table as a purse, from which pieces are dragged to another.

It moves nothing: whoever made it asks how many and why, and shows it what lies there then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any

from kivy.uix.gridlayout import GridLayout

from companion.requests.fields import NumberField
from companion.session.typed_payments import Payment
from companion.session.view import Holding
from companion.table.ledger import Place
from companion.table.moves import PieceMove
from companion.texts import Say, render, say, say_list
from ui import theme
from ui.host import TableHost, running
from ui.pages import Choice, Page, open_choice, open_keyboard, open_number_pad, open_page, open_sheet
from ui.screens.actions import confirming
from ui.screens.audit import Audit
from ui.screens.history import LINES, Movements, MoveRow
from ui.screens.paying import Paying, Ways, pay_key, ways
from ui.widgets.drawing.containers import put
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import Glyph
from ui.widgets.pieces.pieces import STEPS
from ui.widgets.seats.purse import EASY_PIECE_SHARE, AmountBar, Purse, holding_picture
from ui.widgets.sheets.dialog import Dialog
from ui.widgets.sheets.messages import Refusal
from ui.widgets.sheets.page_header import Head

GRIDS = ((2, 3), (3, 2), (3, 3), (4, 3), (4, 4), (5, 4), (5, 5))
UPRIGHT_GRIDS = ((2, 5), (2, 6), (3, 5), (3, 6), (3, 7), (3, 9))
"""Columns and rows of a page that are tried: the fewest that have all purses, or the most that have room."""


class Bank(Page):
    """`show` it what lies at every place. A piece is dragged, or touched and then the place where it goes.

    How many may be said by touches before; another piece of the same purse goes along then.
    `others` are the places of everybody else that are like one.

    `has_cards`: whether there are cards that can be counted with a reader. `has_money`: whether an amount can
    be paid in whatever pieces make it.
    """

    __events__: tuple[str, ...] = (
        "on_move",  # counted, target: this goes there, so much of each; 0: nobody has said how much
        "on_each",  # counted, to_each: everybody else gets as much of it, or gives it
        "on_look",  # place: somebody wants to see all that lies there
        "on_movements",  # somebody wants to see what moved
        "on_audit",  # somebody's cards are to be counted
        "on_pay",  # an amount is to be paid
    )

    share: float = EASY_PIECE_SHARE
    """How large pieces are at least, of the largest."""

    def __init__(self, *, has_cards: bool = False, has_money: bool = False, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        self.purses: list[Purse] = []
        self.chosen: Holding | None = None
        self._drag: Drag | None = None
        upright = running().stage.is_upright
        self._grids = UPRIGHT_GRIDS if upright else GRIDS
        columns, rows = self._grids[0]
        self.pager = Pager(cols=columns, rows=rows, is_apart=not upright, between=sizes.gap / 2)
        self.pager.bind(size=self._divide)
        tr = self.app.tr
        moved = Key(text=tr("Journal"), name="movements", lines=1, size_hint_x=None, width=sizes.bar * 1.7)
        moved.bind(on_release=lambda _: self.dispatch("on_movements"))
        audit = Key(text=tr("Check cards"), name="audit", size_hint_x=None, width=sizes.bar * 1.7)
        audit.bind(on_release=lambda _: self.dispatch("on_audit"))
        for key in (self.pager.back, self.pager.on):
            key.width = sizes.target
        turning = (self.pager.back, self.pager.on) if self.pager.is_apart else ()
        pay = pay_key(self.app)
        pay.bind(on_release=lambda _: self.dispatch("on_pay"))
        keys = (*turning, *((pay,) if has_money else ()), *((audit,) if has_cards else ()), moved)
        head = Head(tr("Bank"), keys)
        self.refusal = Refusal()
        self.amounts = AmountBar()
        self.amounts.bind(on_each=lambda _, to_each: self._each(to_each=to_each))
        self.lay_under(head, self.pager, self.amounts)

    def show(self, purses: Mapping[Place, Sequence[Holding]], numbered: Mapping[Place, Place]) -> None:
        """What lies where now; what couldn't be moved before may be moved now.

        `numbered` is how the places of rows are called now.
        """
        self.let_go()
        self.refusal.lift()
        if list(purses) != [purse.place for purse in self.purses]:
            self.purses = [Purse(place, self.app.lang) for place in purses]
            self.pager.things = self.purses
        for purse in self.purses:
            purse.show_name(numbered.get(purse.place, purse.place))
            purse.show_holdings(purses[purse.place])
        self._divide()
        self._say()

    def _divide(self, *_: object) -> None:
        """As few and as large as have room, all of them on one page if they can be; each row as it needs."""
        for self.share in (EASY_PIECE_SHARE, STEPS[-1]):
            if fitting := [grid for grid in self._grids if self._have_room(*grid)]:
                break
        fitting = fitting or [self._grids[0]]
        whole = (grid for grid in fitting if grid[0] * grid[1] >= len(self.purses))
        columns, rows = next(whole, fitting[-1])
        self.pager.cols, self.pager.rows = columns, rows
        for page in self._pages(columns, rows):
            usual = sum(high for _, high in page) / len(page)
            for row, high in page:
                for purse in row:
                    purse.size_hint_y = high / usual if usual < inf else 1.0

    def _have_room(self, columns: int, rows: int) -> bool:
        """Whether every row can be as high as it must; one without purses is as high as usual."""
        height = self.pager.height - theme.length.gap / 2 * (rows - 1)
        return all(
            sum(high for _, high in page) <= height * len(page) / rows for page in self._pages(columns, rows)
        )

    def _pages(self, columns: int, rows: int) -> Iterator[list[tuple[list[Purse], float]]]:
        """The rows of each page, and how high the highest purse of a row makes it."""
        gap, each = theme.length.gap / 2, columns * rows
        width = (self.pager.width - gap * (columns - 1)) / columns
        for first in range(0, len(self.purses), each):
            page = self.purses[first : first + each]
            lines = [page[at : at + columns] for at in range(0, len(page), columns)]
            yield [(line, max(purse.needed_height(width, self.share) for purse in line)) for line in lines]

    def refuse(self, text: str) -> None:
        """Why something can't be moved, until the next touch."""
        self.refusal.text = text
        amounts = self.amounts
        self.refusal.lay_over(self, (amounts.x, amounts.y, amounts.width, amounts.height))

    def choose(self, held: Holding | None) -> None:
        """The next place touched gets this, and with it what was counted before from the same purse."""
        if held is None or held != self.chosen:
            along = self.counted if held is not None and self._goes_along(held) else {}
            self.amounts.along = {one: count for one, count in along.items() if one != held}
            self.amounts.amount = 0 if held is None else along.get(held, 0)
        self.chosen = held
        self._say()

    @property
    def counted(self) -> dict[Holding, int]:
        """What is in the hand and how much of each, the last one chosen last; 0: nobody has said."""
        here = {} if self.chosen is None else {self.chosen: int(self.amounts.amount)}
        return {**self.amounts.along, **here}

    def _goes_along(self, held: Holding) -> bool:
        """Whether this is counted beside what was counted before."""
        before = self.chosen
        return before is not None and before.place == held.place and bool(self.amounts.amount)

    def let_go(self) -> None:
        """Nothing is in the hand any more."""
        self._lift()
        self.choose(None)

    def _lift(self) -> None:
        """The finger holds nothing any more."""
        if self._drag is not None and self._drag.shown is not None:
            running().stage.take(self._drag.shown)
        self._drag = None
        self._light(None)

    def _say(self) -> None:
        tr = self.app.tr
        self.amounts.hint = (
            tr("Drag a piece to where it belongs, or touch it.")
            if self.chosen is None
            else tr("Choose how many to move, then touch a place.")
        )
        self.amounts.held = self.chosen

    # The finger

    def on_touch_down(self, touch: Any) -> bool:
        """Takes hold of a piece."""
        if self.refusal.take(touch):
            return True
        purse = self._purse_at(touch)
        if purse is None:
            return bool(super().on_touch_down(touch))
        if self._drag is None:
            held = purse.holding_at(*touch.pos)
            touch.grab(self)
            self._drag = Drag(purse, held, touch)
            if held is not None:
                self._drag.shown = holding_picture(held, self.app.lang)
                running().stage.lay(self._drag.shown)
                self._drag.follow(touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """The piece follows; over a way to another page it turns the page."""
        drag = self._drag
        if touch.grab_current is not self or drag is None or drag.held is None:
            return bool(super().on_touch_move(touch))
        drag.follow(touch)
        self._light(self._purse_at(touch) if drag.has_moved else None)
        way = next((key for key in (self.pager.back, self.pager.on) if key.collide_point(*touch.pos)), None)
        if way is not None and way is not drag.way and not way.disabled:
            way.dispatch("on_release")
        drag.way = way
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """Lays it down, or chooses what was only touched."""
        drag = self._drag
        if touch.grab_current is not self or drag is None:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        purse, chosen = self._purse_at(touch), self.chosen
        self._lift()
        if drag.held is not None and drag.has_moved:
            self._lay_down({drag.held: 0}, purse)
        elif purse is drag.purse and chosen is not None and chosen.place != purse.place:
            self._lay_down(self.counted, purse)
        elif purse is drag.purse and drag.held is not None and drag.held != chosen:
            self.choose(drag.held)
        elif purse is drag.purse and chosen is None:
            self.dispatch("on_look", purse.place)
        elif purse is drag.purse:
            self.choose(None)
        return True

    def _lay_down(self, counted: Mapping[Holding, int], purse: Purse | None) -> None:
        """What was counted goes, where this is among it; a dragged piece may be one that nobody counted."""
        *_, held = counted
        counted = self.counted if held in self.counted else counted
        self.choose(None)
        if purse is not None and purse.place != held.place:
            self.dispatch("on_move", counted, purse.place)

    def _each(self, *, to_each: bool) -> None:
        counted = {held: max(1, count) for held, count in self.counted.items()}
        self.choose(None)
        if counted:
            self.dispatch("on_each", counted, to_each)

    def called(self, place: Place) -> str:
        """What a place is called now."""
        return next(purse.name for purse in self.purses if purse.place == place)

    def others(self, place: Place) -> list[Place]:
        """Where everybody else has the like of it; where it is nobody's, what everybody has first."""
        seats = [purse.place for purse in self.purses if purse.place.seat not in (None, place.seat)]
        alike = [other for other in seats if place.seat is not None and other.name == place.name]
        first = {other.seat: other for other in reversed(seats)}
        return alike or [first[seat] for seat in dict.fromkeys(other.seat for other in seats)]

    def _purse_at(self, touch: Any) -> Purse | None:
        shown = (purse for purse in self.pager.grid.children if isinstance(purse, Purse))
        return next((purse for purse in shown if purse.collide_point(*touch.pos)), None)

    def _light(self, lit: Purse | None) -> None:
        for purse in self.purses:
            purse.lit = purse is lit


class Drag:
    """A finger on a purse, and the piece it has taken hold of, if any."""

    def __init__(self, purse: Purse, held: Holding | None, touch: Any) -> None:
        self.purse, self.held = purse, held
        self.shown: Glyph | None = None
        self.began, self.has_moved = touch.pos, False
        self.way: Key | None = None

    def follow(self, touch: Any) -> None:
        """Brings the piece under the finger."""
        x, y = touch.pos
        self.has_moved |= abs(x - self.began[0]) + abs(y - self.began[1]) > theme.length.space
        if self.shown is not None:
            self.shown.height = theme.length.piece * 1.4
            self.shown.center = x, y


# What is asked before pieces move by hand: how many, and why.
# `take(count, reason, again)` moves them; it is called once, or never where people give it up.


MAX_REASON_LETTERS = 40


def ask_count_and_reason(
    held: Holding, way: str, count: int, *, has_reasons: bool, move: Callable[[int, str, bool], None]
) -> None:
    """Asks how many pieces move, unless `count` says it, and why; then calls `move(count, reason, again)`.

    `way` says from where to where. `move` is called once, or never if people give it up.
    """
    if count or (held.count == 1 and not held.is_endless):
        ask_reason(way, has_reasons=has_reasons, move=partial(move, count or 1))
        return

    def counted(count: int) -> None:
        ask_reason(way, has_reasons=has_reasons, move=partial(move, count))

    # What is covered or never ends has no highest number that could be shown.
    field = NumberField(least=1, most=None if held.is_endless else held.count)
    open_number_pad(way, field, counted, confirm=running().tr("Move {amount}", amount="{amount}"), start=1)


def ask_reason(title: str, *, has_reasons: bool, move: Callable[[str, bool], None]) -> None:
    """Asks for a reason and whether to ask the open question again; some games need no reason."""
    if not has_reasons:
        move("", False)
        return
    why = Why(title=title)
    why.bind(on_reason=lambda _, reason, again: move(reason, again))
    running().stage.lay(why)


class Why(Dialog):
    """Ready reasons and one's own words; the open question may be asked again after the move.

    The dialog takes itself away before it tells.
    """

    wide, tall = 0.94, 0.96
    __events__ = (
        *Dialog.__events__,
        "on_reason",  # reason, again: why the pieces move, and whether the question is asked again
    )

    def __init__(self, **kwargs: Any) -> None:
        tr, sizes = running().tr, theme.length
        grid = GridLayout(cols=2, spacing=sizes.gap)
        reasons = {
            "miscounted": tr("Miscounted"),
            "forgotten": tr("We forgot a move"),
            "wrong place": tr("It was in the wrong place"),
            "house rule": tr("House rule"),
        }
        for name, text in reasons.items():
            put(grid, Key(name=name, text=text, on_release=lambda key: self._give(key.text)))
        own = Key(name="own words", text=tr("Another reason"), icon="pen")
        own.bind(on_release=lambda _: self._type())
        self.again = Key(name="ask again", text=tr("Also ask this question again"))
        self.again.bind(on_release=lambda key: key.setter("chosen")(key, not key.chosen))
        put(grid, own, self.again)
        answers = [("no", tr("Don't move it"), "paper")]
        super().__init__(body=grid, answers=answers, **kwargs)

    def _type(self) -> None:
        open_keyboard(running().tr("Why?"), self._give, max_letters=MAX_REASON_LETTERS)

    def _give(self, reason: str) -> None:
        self.leave()
        self.dispatch("on_reason", reason, self.again.chosen)


# The bank over the table: pieces go from purse to purse, with their reason where the game wants one.


PAIR = 2
"""With so few seats everybody else is the other one."""


class Banking:
    """`Banking(app).page()` is the bank's page, to be shown what lies where by `show`."""

    def __init__(self, app: TableHost) -> None:
        self.app = app
        self._paying: Paying | None = None

    def page(self) -> Bank:
        """The page, of which every touch is heeded."""
        evening = self.app.evening
        bank = Bank(has_cards=evening.deck_with_tags is not None, has_money=bool(evening.money_places()))
        bank.bind(
            on_move=lambda _, counted, target: self._move(bank, counted, target),
            on_each=lambda _, counted, to_each: self._each(bank, counted, to_each=to_each),
            on_look=lambda _, place: self._look(bank, place),
            on_movements=lambda _: self._movements(),
            on_audit=lambda _: self._audit(),
            on_pay=lambda _: self._pay(),
        )
        return bank

    def _said(self, text: Any) -> str:
        return render(text, self.app.lang)

    @property
    def _has_reasons(self) -> bool:
        return not self.app.evening.game.has_free_moves

    def _move(self, bank: Bank, counted: Mapping[Holding, int], target: Place) -> None:
        """To that place; how many of the last is asked where nobody has said it and there are several."""
        *_, (last, many) = counted.items()

        def take(count: int, reason: str, again: bool) -> None:  # noqa: FBT001 - its caller gives it by place
            gone = {**counted, last: count}.items()
            moves = [PieceMove(held.piece, held.place, target, count) for held, count in gone]
            self._do(bank, moves, reason, again=again)

        way = f"{self._pieces(counted)}: {bank.called(last.place)} → {bank.called(target)}"
        ask_count_and_reason(last, way, many, has_reasons=self._has_reasons, move=take)

    def _each(self, bank: Bank, counted: Mapping[Holding, int], *, to_each: bool) -> None:
        """As much to everybody else, or from everybody else, in one go."""
        place = next(iter(counted)).place
        everybody = self.app.evening.table.paying_seats
        others = [other for other in bank.others(place) if other.seat in everybody]
        ways = [(place, other) if to_each else (other, place) for other in others]
        moves = [PieceMove(held.piece, *way, count) for way in ways for held, count in counted.items()]

        def take(reason: str, again: bool) -> None:  # noqa: FBT001 - its caller gives it by place
            self._do(bank, moves, reason, again=again)

        tr, pieces = self.app.tr, self._pieces(counted)
        text = (
            tr("{pieces} to each player", pieces=pieces)
            if to_each
            else tr("{pieces} from each player", pieces=pieces)
        )
        ask_reason(f"{bank.called(place)}: {text}", has_reasons=self._has_reasons, move=take)

    def _pieces(self, counted: Mapping[Holding, int]) -> str:
        parts = [
            self._said(held.piece.quantity(count) if count else held.piece) for held, count in counted.items()
        ]
        return ", ".join(parts)

    def _do(self, bank: Bank, moves: Sequence[PieceMove], reason: str, *, again: bool) -> None:
        """All of it, or it is said why not; people confirm it where sealed answers would be deleted."""

        def refuse(why: Say | None) -> None:
            if why is not None:
                bank.refuse(self._said(why))

        def do(confirmed: Collection[str]) -> Say | None:
            return self.app.controller.correct(moves, reason, again=again, confirmed=confirmed)

        confirming(self.app, do, refuse=lambda error: refuse(error.text), done=refuse)

    # AmountBar

    def _pay(self) -> None:
        """The page for amounts, over the bank."""
        self._paying = page = Paying()
        page.bind(on_pay=lambda _, payers, payees, amount: self._paid(page, Payment(payers, payees, amount)))
        self.show_money()
        open_page(page)

    def show_money(self) -> None:
        """How much lies where now, if the page for amounts is open."""
        if self._paying is None:
            return
        evening, lang = self.app.evening, self.app.lang
        places = evening.money_places()
        everybody = evening.table.paying_seats
        seats = tuple(place for place in places if place.seat in everybody)
        tills = [ways(place, lang) for place in places]
        if len(seats) > PAIR:
            tills.append(Ways(seats, self.app.tr("Everybody")))
        self._paying.show(tills, evening.purses())

    def _paid(self, page: Paying, payment: Payment) -> None:
        """All of it, as one line of the history, or it is said why not."""

        def take(reason: str, again: bool) -> None:  # noqa: FBT001 - its caller gives it by place
            def do(confirmed: Collection[str]) -> Sequence[PieceMove]:
                moves = payment.moves(self.app.evening.table.ledger)
                self.app.controller.correct(moves, reason, again=again, confirmed=confirmed)
                return moves

            confirming(
                self.app,
                do,
                refuse=lambda error: page.refuse(self._said(error.text)),
                done=lambda moves: page.told(self._told(moves)),
            )

        ask_reason(page.head.title.text, has_reasons=self._has_reasons, move=take)

    def _told(self, moves: Sequence[PieceMove]) -> str:
        """Which pieces go where, those of one way together."""
        ways: dict[tuple[Place, Place], dict[Any, int]] = {}
        for move in moves:
            ways.setdefault((move.source, move.target), {})[move.piece] = move.count
        lines = []
        for (source, target), counts in ways.items():
            things = say_list([piece.quantity(count) for piece, count in counts.items()])
            way = {"source": source.holder, "target": target.holder}
            lines.append(self._said(say("{things} from {source} to {target}", things=things, **way)))
        return "; ".join(lines)

    def _audit(self) -> None:
        deck = self.app.evening.deck_with_tags
        if deck is not None:
            Audit(self.app, deck).open()

    def _look(self, bank: Bank, place: Place) -> None:
        """Lists everything in a purse by name, to be chosen where it has no room to be touched."""
        purse = next(purse for purse in bank.purses if purse.place == place)
        if purse.holdings:
            close = Choice("close", self.app.tr("Close"), look="brass")
            open_choice(purse.name, [self._taking(bank, one) for one in purse.holdings], close, rows=4)

    def _taking(self, bank: Bank, held: Holding) -> Choice:
        piece, count = held.piece, held.count
        text = self._said(piece if count is None or count == 1 else piece.quantity(count))
        return Choice(f"take {piece.key}", text, partial(bank.choose, held))

    def _movements(self) -> None:
        page = Movements(self.app.evening.movements())
        page.bind(on_touched=lambda _, at: self._moves(page.moves[at]))
        open_page(page)

    def _moves(self, moves: Sequence[Say]) -> None:
        """Lists all that moved with one thing: a line may have room for the first few only."""
        rows = [MoveRow(self._said(move)) for move in moves]
        open_sheet("", Pager(things=rows, rows=LINES, look="paper"))
