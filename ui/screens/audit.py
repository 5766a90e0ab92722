"""Checking one player's cards, for their eyes only: cards are read, then compared with the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.cards import Deck
from companion.errors import UserError
from companion.table.audit import AuditDifference, AuditFix
from companion.table.seats import Seat
from companion.texts import Say, render
from hardware.desk.tags import describe_unreadable_tag
from hardware.signals import TagLeft, TagSignal, TagUnreadable
from ui import theme
from ui.evening.card_service import CardService
from ui.host import AppWithEvening
from ui.pages import DialogChoice, open_choice_dialog, open_page
from ui.screens.actions import run_with_confirmations
from ui.screens.cards_and_tags import TagReadingPage
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import FittedLabel, split_in_two_lines, widest_line_width_in_smallest_font
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.private_view import HandOverCover, hand_over_text

DIFFERENCES_PER_PAGE = 3
MAX_KEYS_BELOW_EACH_OTHER = 5
"""Maximum number of players with long names in one column of keys on an upright screen."""


class AuditPage(TagReadingPage):
    """The page of an audit: how many cards were read, then how they differ from the ledger.

    Each difference has a key that fixes it.
    """

    __events__: tuple[str, ...] = (
        "on_again",  # people read all cards again, from the first
        "on_more",  # people read more cards
        "on_compare",  # all cards have been read
        "on_fix",  # difference: people fix one difference
        "on_fix_all",  # people fix all differences that have only one fix
        "on_close",
    )

    def __init__(self, seat: Seat, **kwargs: Any) -> None:
        super().__init__("", **kwargs)
        self.seat = seat
        self.head.title.text = self.app.tr("{name}'s cards", name=seat.name)
        add_children(self.head, PlayerToken(colour=seat.colour, size_hint_x=None, width=theme.length.token))
        self.keys = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.gap)
        add_children(self, self.keys)
        self.pager: Pager | None = None

    def show_read_card_count(self, card_count: int, *, reader_count: int) -> None:
        """Shows how many cards people have read so far."""
        tr = self.app.tr
        hint = (
            tr("Pass all your cards over a reader, one at a time or a few together.")
            if reader_count
            else tr("There is no reader. Add one to hardware.toml.")
        )
        number = FittedLabel(text=str(card_count), style="number", halign="center")
        self._show_in_body(
            add_children(
                PaperBoxLayout(), number, FittedLabel(text=hint, halign="center", lines=2, size_hint_y=0.6)
            )
        )
        self._replace_keys(
            self.make_event_key("on_again", name="again", text=tr("Start over")),
            self.make_event_key("on_compare", name="compare", text=tr("Compare"), look="brass"),
        )

    def show_differences(self, differences: Sequence[AuditDifference]) -> None:
        """Shows the differences between the read cards and the ledger.

        A difference without a fix can't be touched.
        """
        tr, sizes = self.app.tr, theme.length
        self.pager = Pager(
            items=[self._make_difference_key(difference) for difference in differences]
            or [
                FittedLabel(
                    text=tr("Everything matches the companion's records."),
                    style="question",
                    is_on_felt=True,
                    halign="center",
                )
            ],
            rows=DIFFERENCES_PER_PAGE if differences else 1,
            between=sizes.gap / 2,
            has_external_keys=True,
        )
        self._show_in_body(self.pager)
        keys = [self.make_event_key("on_more", name="more", text=tr("Read more")), *self.pager.page_turn_keys]
        if differences:
            fix_all = self.make_event_key("on_fix_all", name="all", text=tr("Fix everything"), look="brass")
            fix_all.disabled = not any(len(difference.fixes) == 1 for difference in differences)
            keys.append(fix_all)
        self._replace_keys(*keys)

    def _make_difference_key(self, difference: AuditDifference) -> Key:
        tr, lang = self.app.tr, self.app.lang
        hint_by_fix_count = {0: tr("Open the bank to correct this."), 1: tr("Touch to fix this.")}
        hint = hint_by_fix_count.get(len(difference.fixes), tr("Touch to choose the place."))
        text = f"{render(difference.text, lang)}\n{hint}"
        key = self.make_event_key(
            "on_fix", difference, text=text, name=f"fix {difference.kind}", style="body", lines=3
        )
        key.disabled, key.has_narrow_margins = not difference.fixes, True
        return key

    def _show_in_body(self, widget: Any) -> None:
        self.body.clear_widgets()
        add_children(self.body, widget)

    def _replace_keys(self, *keys: Key) -> None:
        self.keys.clear_widgets()
        add_children(self.keys, *keys)


# The flow from the bank: asks whose cards, shows the cover, then shows cards and differences to that player.
#
# The evening compares, the controller corrects. The shared screen shows nothing of an audit: until the player
# opens the cover there is nothing to see, and the flow forgets the cards as soon as the page is closed.


class AuditFlow:
    """Audits a player's cards: reads them and compares them with the ledger.

    `deck` is the deck of the open game.
    """

    def __init__(self, app: AppWithEvening, deck: Deck) -> None:
        self.app, self.deck = app, deck
        self.card_service = app.controller.cards
        self._read_cards: set[str] = set()
        self._page: AuditPage | None = None

    def ask_whose_cards_to_check(self) -> None:
        """Asks whose cards people want to check."""
        seats = self.app.controller.view.seats
        has_long_names = (
            max(widest_line_width_in_smallest_font(split_in_two_lines(seat.name)) for seat in seats)
            > theme.length.target
        )
        is_upright = self.app.stage.is_next_page_portrait
        columns = 2 if has_long_names or is_upright else len(seats)
        if has_long_names and is_upright and len(seats) <= MAX_KEYS_BELOW_EACH_OTHER:
            columns = 1
        open_choice_dialog(
            self.app.tr("Whose cards do you want to check?"),
            [
                DialogChoice(seat.name, seat.name, partial(self._show_cover, seat), subject=seat)
                for seat in seats
            ],
            columns=columns,
            height_fraction=0.85 if has_long_names else 0.6,
            abbreviates=True,
        )

    def _show_cover(self, seat: Seat) -> None:
        tr = self.app.tr
        cover = HandOverCover(
            colour=seat.colour,
            text=hand_over_text(seat.name),
            hint=tr("Press here when nobody else is looking."),
        )
        cover.bind(on_release=lambda _: self._open_audit_page(cover, seat))
        self.app.stage.show_overlay(cover)

    def _open_audit_page(self, cover: HandOverCover, seat: Seat) -> None:
        self.app.stage.remove_overlay(cover)
        self._page = page = AuditPage(seat, reader_problem=self.card_service.lost_reader_text)
        page.bind(
            on_again=lambda _: self._start_over(),
            on_more=lambda _: self._show_card_count(),
            on_compare=lambda _: self._show_differences(),
            on_fix=lambda _, difference: self._fix_difference(difference),
            on_fix_all=lambda _: self._fix_all(len(self._find_differences())),
        )
        self._start_over()
        self.card_service.set_tag_handler(self._handle_tag)
        self.card_service.fbind("lost_reader_text", self._show_lost_reader)
        open_page(page, on_removed=self._stop_reading)

    def _show_lost_reader(self, _box: CardService, lost: Say | None) -> None:
        """Shows on the page that a reader can't be used, or that all can be used again."""
        assert self._page is not None
        self._page.reader_problem = lost

    def _stop_reading(self) -> None:
        """Forgets the cards that were read; tags go to the game again."""
        self.card_service.set_tag_handler(None)
        self.card_service.funbind("lost_reader_text", self._show_lost_reader)
        self._read_cards.clear()

    # Reading

    def _start_over(self) -> None:
        self._read_cards.clear()
        self._show_card_count()

    def _show_card_count(self) -> None:
        assert self._page is not None
        self._page.show_tag_result("")
        self._page.show_read_card_count(len(self._read_cards), reader_count=self.card_service.reader_count)

    def _handle_tag(self, signal: TagSignal) -> None:
        assert self._page is not None
        if isinstance(signal, TagLeft):
            return
        if isinstance(signal, TagUnreadable):
            self._page.show_tag_result(
                render(describe_unreadable_tag(signal), self.app.lang), is_refusal=True
            )
            return
        try:
            self._read_cards.add(self.card_service.require_card_id_of_tag(self.deck, signal.tag))
        except UserError as error:
            self._page.show_tag_result(render(error.text, self.app.lang), is_refusal=True)
            return
        self._show_card_count()

    # Comparing

    def _find_differences(self) -> list[AuditDifference]:
        assert self._page is not None
        differences: list[AuditDifference] = self.app.evening.audit_hand(self._page.seat, self._read_cards)
        return differences

    def _show_differences(self) -> None:
        assert self._page is not None
        self._page.show_tag_result("")
        self._page.show_differences(self._find_differences())

    def _fix_difference(self, difference: AuditDifference) -> None:
        if len(difference.fixes) == 1:
            self._apply_fix(difference.fixes[0])
            return
        lang = self.app.lang
        places = [
            DialogChoice(
                f"at {fix.chosen_place.key_with_player_name}",
                render(fix.chosen_place, lang),
                partial(self._apply_fix, fix),
            )
            for fix in difference.fixes
        ]
        open_choice_dialog(
            render(difference.text, lang), places, columns=3, rows_per_page=3, has_narrow_margins=True
        )

    def _fix_all(self, max_count: int) -> None:
        """Fixes at most `max_count` differences, one after the other: each fix may change the others.

        A difference with several fixes stays, as people must choose one.
        """
        difference = next(
            (candidate for candidate in self._find_differences() if len(candidate.fixes) == 1), None
        )
        if difference is not None and max_count:
            self._apply_fix(difference.fixes[0], on_fixed=partial(self._fix_all, max_count - 1))

    def _apply_fix(self, fix: AuditFix, on_fixed: Callable[[], object] = lambda: None) -> None:
        assert self._page is not None
        page = self._page

        def show_result(_: None) -> None:
            self._show_differences()
            on_fixed()

        run_with_confirmations(
            self.app,
            partial(self.app.controller.apply_audit_fix, fix),
            show_refusal=lambda error: page.show_tag_result(
                render(error.text, self.app.lang), is_refusal=True
            ),
            on_done=show_result,
        )
