"""The final score as a ceremony from last to first; each total opens its sum. The record is saved as a file.

For each player the card turns face up, and the lines of the score add up on a slip. The winner is announced
at the end, on a podium. A touch skips to the end of one player's sum, a second touch skips everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from math import ceil
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.record.record import ScoreMoment, ThinkingTime
from companion.record.text_export import score_summary
from companion.session.view import View
from companion.table.scores import ELIMINATED, GameResult, Standing
from companion.table.seats import Seat
from companion.texts import Say, render, say_people
from hardware.usb_sticks import find_writable_usb_sticks
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import AppWithEvening, get_companion_app
from ui.pages import (
    DialogChoice,
    SoundKey,
    open_choice_dialog,
    open_full_screen_dialog,
    run_or_explain,
    show_message,
)
from ui.screens.result_picture import ResultPicture, render_soon
from ui.screens.score_sum import GrowingSumSlip, ScoreSumSheet
from ui.screens.winners import WinnersPage
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.icon_bar import IconRow
from ui.widgets.keys.key import Key
from ui.widgets.pieces.things import use_pieces_of_game
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.podium import Podium
from ui.widgets.seats.rank_card import RankCard
from ui.widgets.seats.seat_slips import SeatSlip
from ui.widgets.sheets.messages import CollapsibleMessages
from ui.widgets.sheets.opposite_headline import OppositeHeadline
from ui.widgets.sheets.overlays import EventsNotice, make_turn_key
from ui.widgets.sheets.result_card import ResultCard
from ui.widgets.sheets.score_charts import QrCode, ScoreChartSheet, ScoreLineChart, ThinkingTimeBars
from ui.words import Translator

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
SCORE_ICONS = ("chart", "code", "save", "undo", "history")
PAST_SCORE_ICONS = ("chart", "code", "save", "history", "more")
MAX_ICONS_PER_ROW = {True: 7, False: 3}
"""The most icons side by side, by `is_upright`."""
MAX_CARD_HEIGHT_IN_ROWS, MAX_UPRIGHT_CARD_HEIGHT_IN_ROWS = 1.3, 1.9
"""The greatest height of a card, and that of a card as wide as an upright screen."""
UPRIGHT_CARDS_HEIGHT_SHARE = 0.6
"""The height of a column of cards on an upright screen, as a share of the screen's height."""
HEADING_HEIGHT_EM = 1.4
"""The height of the heading, in heights of its letters, while no key is beside it."""
SLIP_HEIGHT_IN_ROWS = 3.1
"""The height of the slip with the sum on an upright screen: name, total, and two lines."""
MIN_CHART_HEIGHT_IN_ROWS, MIN_CHART_WIDTH_IN_TARGETS = 2.2, 5.0
"""The least height and width of the chart below the cards."""
CHART_WIDTH_SHARES = (0.55, 0.45)
"""The widths of the chart beside the text that says what happened that are tried, as shares of both."""
MIN_WINNERS_HEIGHT_IN_TITLES, MIN_PODIUM_HEIGHT_IN_ROWS = 3.4, 1.6
"""The height that the winners' names keep below a podium, and the least height of that podium."""


class ScoreScreen(EventMixin, BoxLayout):
    """The screen of the final score.

    `view` has a result. The outcome of the last answer is below the cards once the ceremony is over, as it
    may name the winner; if it has no room there, a key opens it. If there is more room, the chart
    of the score over time is there too.
    `scores_after_each_step` returns the score after each answer, `thinking_times` how long everybody took;
    they are called only when the chart is shown, and the first only once. `find_new_bests` returns sentences
    about totals that nobody, or not this player, has reached before. If `is_saved` is False, the game isn't
    in the store and people can't save its record. `past_game_title` is the title of a past game: it has no
    ceremony, and nothing can be undone.
    """

    view = ObjectProperty()
    winners_text = StringProperty("")
    winner_count_text = StringProperty("")
    """How many share the win, instead of a list of names that has no room."""
    bests_text = StringProperty("")
    heading = StringProperty("")
    is_saved = BooleanProperty(defaultvalue=True)
    past_game_title = StringProperty("")
    is_upright = BooleanProperty(defaultvalue=False)
    is_demo = BooleanProperty(defaultvalue=False)
    is_flat = BooleanProperty(defaultvalue=False)
    """Whether people sit around the screen, so that a key turns it, and who won stands at two edges.

    If it is known where they sit, each player also has a slip with the rank and total at their edge.
    """
    __events__ = (
        "on_icon_press",  # name: undo, again, put away, history, save, shelf, more, values
        "on_announcement",  # the ceremony is over, and the winners are announced
    )

    def __init__(
        self,
        view: View,
        scores_after_each_step: Callable[[], Sequence[ScoreMoment]] = tuple,
        thinking_times: Callable[[], Sequence[ThinkingTime]] = tuple,
        find_new_bests: Callable[[], Sequence[Say]] = tuple,
        **kwargs: Any,
    ) -> None:
        self._slips = _show_seat_slips(view) if kwargs.get("is_flat") else {}
        super().__init__(view=view, is_upright=get_companion_app().stage.is_next_page_portrait, **kwargs)
        use_pieces_of_game(holding.piece for holding in view.holdings)
        if self._slips:
            self.padding = (theme.length.gap, theme.length.gap)
        elif self.is_upright and self.is_flat:  # seven icons have room in a row
            self.padding = (2 * theme.length.gap, theme.length.margin)
        self._score_history = cache(scores_after_each_step)  # it replays the game; both charts show the same
        self._thinking_times = thinking_times
        self.ids.warned.bind(on_open_provisional_values=lambda _: self.dispatch("on_icon_press", "values"))
        self.app = get_companion_app()
        self._new_bests = () if self.view.is_score_so_far or self.past_game_title else find_new_bests()
        self._ceremony: Iterator[float] | None = None
        self._next_step_event: Any = None
        self._finished_card_count, self._has_skipped_step = 0, False
        # `ids` doesn't keep a grid alive while it is off the screen
        self._key_grids = [self.ids.ways.__self__, self.ids.signs.__self__]
        self._make_parts()
        bind_weak(self.app, "lang", self._update_texts)
        self._place_cards()
        self._make_keys()
        if self.past_game_title:
            self.turn_up_all_cards()
        else:
            self._begin_ceremony()
            self._update_texts()

    def _make_parts(self) -> None:
        """Makes the parts that aren't always shown.

        Removes the texts of the other layout: an empty label keeps a gap that the cards may need.
        """
        ids = self.ids
        beside_cards, above_cards = (ids.winners, ids.bests), (ids.winners_above_cards, ids.bests_above_cards)
        for label in beside_cards if self.is_upright else above_cards:
            detach_from_parent(label)
        self._slip = GrowingSumSlip(self.app.tr("Total"))
        self._ceremony_parts = BoxLayout(
            orientation="horizontal" if self.is_upright else "vertical", spacing=theme.length.gap
        )
        self._hint = FittedLabel(style="note", is_on_felt=True, halign="center", size_hint_y=None)
        self._hint.height = theme.length.note * 1.5
        self._turn_key = make_turn_key(self.app.stage.turn_to_opposite_side) if self.is_flat else None
        self._opposite_headline = OppositeHeadline()
        self._podium = Podium(self.result.standings, size_hint_y=None)
        self.winners_page: WinnersPage | None = None
        self.notes = CollapsibleMessages(opacity=0)
        self.notes.bind(size=lambda notes, _: notes.collapse_or_expand_to_fit())
        self.notes_key = Key(name="what happened", icon="next", look="felt", size_hint_x=None)
        self.notes_key.bind(on_release=lambda _: self._open_notes())
        self.chart_sheet: ScoreChartSheet | None = None
        self._foot = BoxLayout(size_hint_y=None, spacing=theme.length.gap)
        self.events_notice: EventsNotice | ResultCard | None = None
        self._make_triggers()

    def _make_triggers(self) -> None:
        """Makes the triggers that place the parts."""
        self._make_chart_soon = Clock.create_trigger(self._make_chart, 0)
        self._share_height_soon = Clock.create_trigger(
            self._share_height, -1
        )  # no box may change while it is laid out
        self._place_podium_soon = Clock.create_trigger(self._place_podium, -1)
        self.ids.column.bind(size=self._place_podium_soon)
        self._fit_warning_soon = Clock.create_trigger(self._fit_warning, -1)
        self.ids.head.bind(size=self._fit_warning_soon, children=self._fit_warning_soon)
        self.fbind("heading", self._fit_warning_soon)

    @property
    def result(self) -> GameResult:
        """Returns the result of the view."""
        result: GameResult = self.view.result
        return result

    def _place_cards(self) -> None:
        """Places all cards face down, the best at the top."""
        standings = self.result.standings
        count = len(standings)
        self._rows = count if self._do_cards_fit_in_one_column(count) else ceil(count / 2)
        is_narrow = self._rows < count
        self.rank_cards = [
            RankCard(standing, ended_early=self.view.is_score_so_far, is_narrow=is_narrow)
            for standing in standings
        ]
        self.ids.places.clear_widgets()
        parent = self.ids.places
        if is_narrow:
            gap = theme.length.gap * 0.375
            self.padding = (self.padding[0], theme.length.gap)
            parent = GridLayout(rows=self._rows, cols=2, orientation="tb-lr", spacing=gap)
            self.ids.places.add_widget(parent)
        for card in self.rank_cards:
            card.bind(on_release=lambda card: self._open_sum(card.standing))
            card.bind(min_card_height=self._share_height_soon)
            parent.add_widget(card)
        self.ids.places.bind(size=self._share_height_soon)

    def _do_cards_fit_in_one_column(self, count: int) -> bool:
        """Returns whether all cards fit in one column; many fit only on a tall screen."""
        max_height = UPRIGHT_CARDS_HEIGHT_SHARE * self.app.stage.next_page_size[1]
        is_tall_enough = self.is_upright and count * theme.length.row <= max_height
        return count <= MAX_FULL_DETAIL_PANELS or is_tall_enough

    def _make_keys(self) -> None:
        """Makes the keys for a game that has just ended, or for a past game."""
        first, second = ("shelf", "again") if self.past_game_title else ("again", "put away")
        self._keys = [Key(name=first, look="brass"), Key(name=second)]
        for key in self._keys:
            key.bind(on_release=lambda key: self.dispatch("on_icon_press", key.name))
            self._key_grids[0].add_widget(key)
        action_by_icon: dict[str, Callable[[], None]] = {
            "chart": self.show_score_over_time,
            "code": self.show_qr_code,
            "turn": self.app.stage.turn_to_opposite_side,
        }
        keys: list[Key] = []
        for icon in (
            *(PAST_SCORE_ICONS if self.past_game_title else SCORE_ICONS),
            *(["turn"] if self.is_flat else []),
        ):
            action = action_by_icon.get(icon, partial(self.dispatch, "on_icon_press", icon))
            key = Key(icon=icon, name=icon, look="felt", on_release=lambda _, action=action: action())
            key.disabled = icon == "save" and not self.is_saved
            keys.append(key)
        keys.append(SoundKey(size_hint_x=1))
        page_width = self.app.stage.next_page_size[0] - 2 * theme.length.margin
        max_icons = min(MAX_ICONS_PER_ROW[self.is_upright], int(page_width // theme.length.target))
        for row_keys in _split_into_even_rows(keys, max_icons):
            self._key_grids[1].add_widget(IconRow(row_keys))

    def _share_height(self, *_: object) -> None:
        """Gives each card the height it needs; if that is too much, all are equally high."""
        cards = self.ids.places
        is_narrow = self._rows < len(self.rank_cards)
        is_high = self.is_upright and not is_narrow
        max_rows = MAX_UPRIGHT_CARD_HEIGHT_IN_ROWS if is_high else MAX_CARD_HEIGHT_IN_ROWS * theme.max_growth
        max_card_height = theme.length.row * max_rows
        if is_narrow:
            min_card_height = max(card.min_card_height for card in self.rank_cards)
            min_height, preferred_height = self._rows * min_card_height, self._rows * max_card_height
        else:
            min_height = sum(card.min_card_height for card in self.rank_cards)
            preferred_height = sum(max(max_card_height, card.min_card_height) for card in self.rank_cards)
            for card in self.rank_cards:
                card.size_hint_max_y = max(max_card_height, card.min_card_height)
                card.size_hint_min_y = card.min_card_height if min_height <= cards.height else None
        gaps = (self._rows - 1) * cards.spacing
        cards.padding = (
            0,
            0,
            0,
            max(0.0, cards.height - preferred_height - gaps),
        )  # the cards are at the top
        self._place_foot(min_height + gaps, preferred_height + gaps)

    def _place_foot(self, min_cards_height: float, preferred_cards_height: float) -> None:
        """Shows below the cards what happened and the chart: both, one of them, or nothing, as fits."""
        cards, notes, foot = self.ids.places, self.notes, self._foot
        column, head = cards.parent, self.ids.head
        self._place_opposite_headline(min_cards_height)
        others = [column.spacing + each.height for each in column.children if each not in (cards, foot, head)]
        others.append(column.spacing + theme.length.body * HEADING_HEIGHT_EM)
        max_height = column.height - sum(others) - min_cards_height - column.spacing
        usual_height = column.height - sum(others) - preferred_cards_height - column.spacing
        min_notes_height, preferred_notes_height = (
            notes.min_and_preferred_height(cards.width) if notes.texts else (0.0, 0.0)
        )
        height = max(min_notes_height, min(preferred_notes_height, usual_height))
        parts: list[Widget] = [notes] if notes.texts and min_notes_height <= max_height else []
        chart_fit = self._fit_chart(max_height, min_cards_height) if self.is_ceremony_over else None
        chart_sheet = self.chart_sheet
        if chart_fit is not None and chart_sheet is None:
            self._make_chart_soon()
        elif chart_fit is not None and chart_sheet is not None and chart_sheet.has_lines:
            share, min_height = chart_fit
            parts, height = (
                [self.chart_sheet, *([notes] if notes.texts else [])],
                max(min_height, usual_height),
            )
            chart_sheet.size_hint_x, notes.size_hint_x = share, 1 - share
        has_room_above_cards = max_height >= theme.length.target - theme.length.body * HEADING_HEIGHT_EM
        place = head if has_room_above_cards or self.is_upright else self.ids.column
        self._show_notes_key(place if notes.texts and notes not in parts else None)
        self._fill_foot(parts, height)

    def _place_opposite_headline(self, min_cards_height: float) -> None:
        """Shows the people opposite who won, upside down at their edge, if the cards have room below."""
        cards, headline = self.ids.places, self._opposite_headline
        column = cards.parent
        headline.label.text = self.winners_text if self.is_flat else ""
        headline.fit_height(column.width)
        variable_parts = (cards, headline, self._foot, self.ids.head)
        others = [headline, *(each for each in column.children if each not in variable_parts)]
        min_height = sum(each.height + column.spacing for each in others) + min_cards_height
        may_have_key_above = self.is_upright and self.notes.texts
        head_height = theme.length.target if may_have_key_above else theme.length.body * HEADING_HEIGHT_EM
        min_height += head_height + column.spacing
        headline.show_at_top_of(column, has_room=min_height <= column.height)

    def _show_notes_key(self, place: Widget | None) -> None:
        """Shows the key that opens what happened in the heading's row or over the other keys, if anywhere."""
        head, key = self.ids.head, self.notes_key
        key.text, key.opacity = self.app.tr("What happened"), float(self.is_ceremony_over)
        key.disabled, key.width = not self.is_ceremony_over, key.min_width_in_row()
        if key.parent is place:
            return
        detach_from_parent(key)
        head.height = theme.length.target if place is head else theme.length.body * HEADING_HEIGHT_EM
        self.ids.heading.lines = 2 if place is head else 1
        key.size_hint = (None, 1) if place is head else (1, None)
        key.height = theme.length.target
        if place is not None:
            place.add_widget(key, index=0 if place is head else len(self._key_grids))
        self._place_podium_soon()

    def _fit_warning(self, *_: object) -> None:
        """Lets the badge of a warning say its word where heading and keys leave room for it."""
        heading, badge = self.ids.heading, self.ids.warned
        keys = [each for each in self.ids.head.children if each not in (heading, badge)]
        taken = heading.one_line_width() + sum(key.width for key in keys) + theme.length.gap
        badge.fit_into(self.ids.head.width - taken)

    def _fit_chart(self, max_height: float, min_cards_height: float) -> tuple[float, float] | None:
        """Returns the chart's share of the width below the cards, and the least height there.

        Returns None if the chart has no room: the cards keep at least a row each, and the text that says what
        happened is whole.
        """
        cards, notes, spacing = self.ids.places, self.notes, self._foot.spacing
        max_height -= max(0.0, self._rows * (theme.length.row + cards.spacing) - min_cards_height)
        for share in CHART_WIDTH_SHARES if notes.texts else (1.0,):
            chart_width = (cards.width - spacing) * share
            notes_width = max(1.0, cards.width - spacing - chart_width)
            notes_height = notes.min_and_preferred_height(notes_width)[0] if notes.texts else 0.0
            height = max(theme.length.row * MIN_CHART_HEIGHT_IN_ROWS, notes_height)
            if height <= max_height and chart_width >= theme.length.target * MIN_CHART_WIDTH_IN_TARGETS:
                return share, height
        return None

    def _fill_foot(self, parts: Sequence[Widget], height: float) -> None:
        foot, column = self._foot, self.ids.places.parent
        foot.height = height
        if foot.children[::-1] != [*parts]:
            foot.clear_widgets()
            add_children(foot, *parts)
        if parts and foot.parent is None:
            add_children(column, foot)
        elif not parts:
            detach_from_parent(foot)

    def _make_chart(self, _seconds: float) -> None:
        """Makes the chart below the cards, after the frame that shows the cards: the game is played again.

        A page that people have left meanwhile makes none: the saved games may be closed.
        """
        if self.chart_sheet is None and self.get_root_window() is not None:
            self.chart_sheet = ScoreChartSheet(self._score_history())
            self.chart_sheet.bind(on_release=lambda _: self.show_score_over_time())
            self._share_height_soon()

    # The ceremony

    @property
    def is_ceremony_over(self) -> bool:
        """Returns whether everybody's total is known and the winners are announced."""
        return self._ceremony is None

    def _begin_ceremony(self) -> None:
        """Begins the ceremony, with the slip in place of the keys."""
        for keys in self._key_grids:
            detach_from_parent(keys)
        self._slip.opacity = 0.0
        if self.is_upright:
            height = theme.length.row * SLIP_HEIGHT_IN_ROWS
            self._ceremony_parts.size_hint_y, self._ceremony_parts.height = None, height
        turn_keys = []
        if self._turn_key is not None:
            self._turn_key.size_hint_x = None if self.is_upright else 1
            turn_keys = [self._turn_key]
        hints = [] if self.is_upright else [self._hint]
        add_children(self.ids.column, add_children(self._ceremony_parts, self._slip, *hints, *turn_keys))
        self._ceremony = self._perform_ceremony()
        self._take_step()

    def _perform_ceremony(self) -> Iterator[float]:
        """Does one step of the ceremony after the other, and yields the seconds until the next one."""
        speed = max(1.0, len(self.rank_cards) / MAX_FULL_DETAIL_PANELS)
        for card in reversed(self.rank_cards):
            is_last = card is self.rank_cards[0]
            yield theme.REVEAL_PAUSE_SECONDS / (1 if is_last else 2 * speed)
            line_count = 0 if theme.reduced_motion else len(card.standing.counted_lines)
            card.show_sum(0)
            card.turn_face_up()
            yield theme.TURN_SECONDS
            self._slip.opacity = 1.0
            for count in range(1, line_count + 1):
                self._slip.show_sum(card.standing, count, self.app.lang)
                card.show_sum(count)
                yield min(theme.SCORE_LINE_SECONDS, theme.MAX_SUM_SECONDS / line_count) / speed
            self._slip.show_sum(card.standing, len(card.standing.counted_lines), self.app.lang)
            card.show_everything()
            self._show_on_seat_slip(card)
            self._finished_card_count += 1
        yield theme.REVEAL_PAUSE_SECONDS / 2

    def _take_step(self, *_: object) -> None:
        """Takes the next step, unless something lies over the cards; then the ceremony waits."""
        if self.app.stage.has_overlay:
            self._next_step_event = Clock.schedule_once(self._take_step, theme.REVEAL_PAUSE_SECONDS / 2)
        elif self._ceremony is not None:
            self._schedule_next_step(next(self._ceremony, None))

    def _schedule_next_step(self, seconds: float | None) -> None:
        """Schedules the next step; without seconds the ceremony is over."""
        if seconds is None:
            self._end_ceremony()
            self._open_winners_page()
        else:
            self._next_step_event = Clock.schedule_once(self._take_step, theme.animation_seconds(seconds))

    def _finish_card(self) -> None:
        """Finishes the sum that is adding up, or that of the next card; after the last one, the ceremony."""
        assert self._ceremony is not None
        self._next_step_event.cancel()
        finished_count = self._finished_card_count
        seconds: float | None = 0.0
        while seconds is not None and self._finished_card_count == finished_count:
            seconds = next(self._ceremony, None)
        self._schedule_next_step(seconds)

    def turn_up_all_cards(self) -> None:
        """Shows everything at once: all cards, and who won."""
        for card in self.rank_cards:
            card.show_everything()
            self._show_on_seat_slip(card)
        self._end_ceremony()

    def _show_on_seat_slip(self, card: RankCard) -> None:
        """Shows a player's place and total on the slip at the player's edge, if there is one."""
        standing = card.standing
        if (slip := self._slips.get(standing.seat)) is None:
            return
        slip.rank, slip.number = format_place(standing.rank, self.app), str(standing.total)
        slip.is_number_void, slip.is_winner = standing.has_void_total, card.is_winner
        is_shared = self.result.is_rank_shared(standing) and not standing.is_eliminated
        slip.rank_note = self.app.tr("shared") if is_shared else ""
        out = f"{standing.seat.name}\n{render(ELIMINATED, self.app.lang)}"
        slip.texts = [out] if standing.is_eliminated else []

    def _end_ceremony(self) -> None:
        """Announces the winners, with the keys in place of the slip."""
        was_over, self._ceremony = self.is_ceremony_over, None
        if self._next_step_event is not None:
            self._next_step_event.cancel()
        if not was_over:
            detach_from_parent(self._ceremony_parts)
            add_children(self.ids.column, *self._key_grids)
        self._update_texts()
        if not was_over:
            self.dispatch("on_announcement")

    def _open_winners_page(self) -> None:
        """Opens the podium over the cards, if somebody has won; with reduced motion the cards are enough."""
        if not self.view.winners_of_finished_game or theme.reduced_motion or self.get_root_window() is None:
            return
        reasons = [
            self.app.tr(
                "{name}: {reason}", name=card.standing.seat.name, reason=render(reason, self.app.lang)
            )
            for card in self.rank_cards
            if card.is_winner and (reason := card.standing.rank_reason)
        ]
        sentences = [*reasons, *self._best_sentences()]
        hint = self.app.tr("Touch the screen to see the score.")
        turn = self.app.stage.turn_to_opposite_side if self.is_flat else None
        self.winners_page = WinnersPage(
            self.result, self.winners_text, self.winner_count_text, sentences, hint, turn
        )
        self.app.stage.show_overlay(self.winners_page)

    def _place_podium(self, *_: object) -> None:
        """Shows the podium beside the cards, if there are winners and it has room above their names."""
        column, podium, sizes = self.ids.column, self._podium, theme.length
        height = 0.0
        if self.view.winners_of_finished_game and self.is_ceremony_over and not self.is_upright:
            beside_cards = [self.notes_key] * (self.notes_key.parent is column)
            fixed_parts = (*self._key_grids, *beside_cards, self.ids.bests)
            others = sum(part.height + column.spacing for part in fixed_parts) + column.spacing
            free_height = column.height - others - sizes.title * MIN_WINNERS_HEIGHT_IN_TITLES
            height = min(free_height, column.width * 0.9)
        if height >= sizes.row * MIN_PODIUM_HEIGHT_IN_ROWS:
            podium.height = height
            if podium.parent is None:
                column.add_widget(podium, index=len(column.children))
        else:
            detach_from_parent(podium)

    def _update_texts(self, *_: object) -> None:
        self.ids.warned.show_warning(self.view, self.app.lang, is_demo=self.is_demo)
        self._fit_warning_soon()
        for card in self.rank_cards:
            card.show_rank_reason(self.app.lang)
            if (slip := self._slips.get(card.standing.seat)) is not None and slip.rank:
                self._show_on_seat_slip(card)
        tr = self.app.tr
        texts = {"again": tr("Play again"), "put away": tr("Put away"), "shelf": tr("Past games")}
        for key in self._keys:
            key.text = texts[key.name]
        has_notes = not (self.past_game_title or self.view.is_score_so_far)
        texts_from_ending, texts_in_order = (
            [render(note, self.app.lang) for note in notes if has_notes]
            for notes in (self.view.notes_from_ending, self.view.notes)
        )
        self.notes.show_messages(
            texts_from_ending, tr("What happened"), shorter_texts=[texts_in_order or texts_from_ending]
        )
        self.notes.collapse_or_expand_to_fit()
        self._share_height_soon()
        ending = tr("The score so far") if self.view.is_score_so_far else tr("Final score")
        self.heading = self.past_game_title or ending
        self._hint.text = tr("Touch to go faster.")
        self.winners_text = self._winners_text() if self.is_ceremony_over else ""
        self.winner_count_text = self._winner_count_text() if self.is_ceremony_over else ""
        self.bests_text = "\n".join(self._best_sentences()) if self.is_ceremony_over else ""
        if self.chart_sheet is not None:
            self.chart_sheet.update_texts()
        self.notes.opacity = float(self.is_ceremony_over)
        self._place_podium_soon()

    def _best_sentences(self) -> list[str]:
        return [render(sentence, self.app.lang) for sentence in self._new_bests]

    def _open_notes(self) -> None:
        """Opens a notice of what the last answer led to, with the winners first."""
        outcomes, texts = self.view.outcomes, self.notes.texts
        heading = self.app.tr("The game is over: {winners}", winners=self.winners_text)
        turn = self.app.stage.turn_to_opposite_side if self.is_flat else None
        page_size, lang = self.app.stage.next_page_size, self.app.lang
        if any(outcome.scores is not None for outcome in outcomes):
            self.events_notice = ResultCard(
                outcomes, texts, (), page_size, lang, None, heading=heading, turn=turn
            )
        else:
            self.events_notice = EventsNotice(heading, texts, page_size, style="question", turn=turn)
        self.app.stage.show_overlay(self.events_notice)

    def _winners_text(self) -> str:
        app, winners = self.app, self.result.winners
        if self.view.is_score_so_far:
            return str(app.tr("Ended early"))
        if not winners:
            return str(app.tr("Nobody wins."))
        if len(winners) == 1:
            return str(app.tr("{name} wins!", name=winners[0].name))
        names = render(say_people(winners), app.lang)
        return str(app.tr("{names} share the win!", names=names))

    def _winner_count_text(self) -> str:
        """Returns how many players share the win, for where their names have no room; else nothing."""
        count = 0 if self.view.is_score_so_far else len(self.result.winners)
        if count <= 1:
            return ""
        return self.app.trn("{n} player shares the win!", "{n} players share the win!", count)

    def _open_sum(self, standing: Standing) -> None:
        tr, lang = self.app.tr, self.app.lang
        body = ScoreSumSheet(standing, tr("Total"), tr("For information"), lang)
        open_full_screen_dialog(standing.seat.name, body)

    def show_score_over_time(self) -> None:
        """Opens a chart of the score over time, with a way to the thinking times."""
        tr = self.app.tr
        moments = self._score_history()
        empty_text = tr("There is no history of the score.")
        body = ScoreLineChart(moments) if moments else FittedLabel(text=empty_text, lines=2)
        choices = [DialogChoice("close", tr("Close"), look="brass")]
        times = self._thinking_times()
        if any(time.seconds for time in times):
            show_times = partial(self._show_thinking_times, times)
            choices.insert(0, DialogChoice("thinking", tr("Thinking times"), show_times))
        open_full_screen_dialog(tr("Score over time"), body, *choices)

    def _show_thinking_times(self, times: Sequence[ThinkingTime]) -> None:
        open_full_screen_dialog(self.app.tr("Thinking times"), ThinkingTimeBars(times, self.app.lang))

    def make_picture(self, title: str) -> ResultPicture:
        """Returns the picture of the result, which isn't on the screen."""
        lang = self.app.lang
        texts = self._winners_text(), self._winner_count_text()
        return ResultPicture(self.view, title, *texts, self._best_sentences(), lang)

    def show_qr_code(self) -> None:
        """Shows a QR code with names, ranks and totals for a phone's camera."""
        tr, lang = self.app.tr, self.app.lang
        code = QrCode(score_summary(self.view.game_title, self.result, lang))
        open_full_screen_dialog(tr("Scan with a phone to see names, ranks and totals"), code)

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: stops the ceremony when the screen is removed."""
        if parent is None and self._next_step_event is not None:
            self._next_step_event.cancel()

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch: during the ceremony it skips one player's sum, a second touch everything.

        The key that turns the screen skips nothing.
        """
        turn_key = self._turn_key
        if self.is_ceremony_over or (turn_key is not None and turn_key.collide_point(*touch.pos)):
            return bool(super().on_touch_down(touch))
        if self._has_skipped_step:
            self.turn_up_all_cards()
        else:
            self._has_skipped_step = True
            self._finish_card()
        return True


def format_place(rank: int, translator: Translator) -> str:
    """Returns a rank as a place, such as 4th: a bare 4 beside a name would look like points."""
    match rank:
        case 1:
            return translator.tr("1st")
        case 2:
            return translator.tr("2nd")
        case 3:
            return translator.tr("3rd")
    return translator.tr("{n}th", n=rank)


def _show_seat_slips(view: View) -> Mapping[Seat, SeatSlip]:
    """Shows slips around the screen that is being built; returns them by the seats whose side is known.

    There are none if they would leave the cards too little height for a finger, as for twelve players at a
    small screen.
    """
    stage, sizes = get_companion_app().stage, theme.length
    slips = {seat: SeatSlip(seat) for seat in view.seats if seat in stage.side_by_seat}
    stage.show_slips_around_screen([*slips.values()])
    rows = len(view.seats) if len(view.seats) <= MAX_FULL_DETAIL_PANELS else ceil(len(view.seats) / 2)
    cards_height = rows * (sizes.target + sizes.gap * 0.75)
    if stage.next_page_size[1] >= cards_height + sizes.body * HEADING_HEIGHT_EM + 3 * sizes.gap:
        return slips
    stage.show_slips_around_screen(())
    return {}


def _split_into_even_rows(keys: Sequence[Key], max_per_row: int) -> Iterator[Sequence[Key]]:
    """Yields rows of about equally many keys, so that no key stands alone; the first rows are the longest."""
    row_count, start = ceil(len(keys) / max_per_row), 0
    for row in range(row_count):
        end = start + ceil((len(keys) - start) / (row_count - row))
        yield keys[start:end]
        start = end


# The record of a finished game as a file, which the evening writes.


def save_record_as_file(app: AppWithEvening, make_picture: Callable[[], ResultPicture]) -> None:
    """Saves the record as a file, in the format that people choose, or the picture of the result.

    A message says where the file is or why it can't be saved.
    """
    tr, lang = app.tr, app.lang
    text_by_format = {
        "html": tr("A page to read and print (HTML)"),
        "csv": tr("A table for a spreadsheet (CSV)"),
        "json": tr("All data, for programs (JSON)"),
    }

    def write(file_format: str) -> None:
        file = app.evening.export_record(file_format, lang)
        show_message(tr("The record was saved as {file}.", file=str(file)))

    def write_picture(png: bytes) -> None:
        sticks = find_writable_usb_sticks(app.controller.diagnostics.read_computer().machine.root)
        file = app.evening.save_picture(png, sticks)
        show_message(tr("The picture was saved as {file}.", file=str(file)))

    choices = [
        DialogChoice(file_format, text, partial(run_or_explain, partial(write, file_format)))
        for file_format, text in text_by_format.items()
    ]
    render_and_write = partial(
        render_soon, make_picture, lambda png: run_or_explain(partial(write_picture, png))
    )
    choices.insert(0, DialogChoice("png", tr("A picture of the result (PNG)"), render_and_write))
    columns = 1 if app.stage.is_next_page_portrait else 2
    close = DialogChoice("close", tr("Close"))
    open_choice_dialog(tr("Save the record"), choices, close, columns=columns, height_fraction=0.94)
