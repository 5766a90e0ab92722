"""Words and numbers of tables and markets are as large as a note where their room allows, and clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion.cards import face_of_card
from companion.log.log import MemoryLog
from companion.rules.scene_views import MatView, RowView
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.ledger import Piece
from companion.texts import say
from tests.any_game_presets import deck_of
from tests.support.games.any_game_helpers import NO_DIRECTORY
from tests.support.ui.play_screen_game import begin_session
from tests.support.ui.screen_faults import (
    box_in_window,
    contrast_ratio,
    letter_box,
    visible_widgets,
)
from tests.support.ui.screen_variants import ScreenVariant, variant_id, variants_with_languages_in_turn
from tests.ui.test_every_table import answer, laid
from tests.ui.test_panel_room import LOOKS, TABLES, begin, show
from tests.ui.test_results import scored
from tests.ui.test_score_sheet import TWELVE, rounds
from tests.ui.test_shelving import play

pytestmark = pytest.mark.usefixtures("without_motion")
SIZES = [(800, 480), (480, 800)]
MOMENTS = (4, 12, 20)
"""Numbers of answers after which tables are looked at."""
SIZE_LARGER = 1.05
"""A text that could be larger by more than this factor is small."""
LETTERS_SHARE = 0.85
"""Share of the size of a drawn text that its letters are high at least."""
MIN_LABEL_CONTRAST = 6.0
"""Least contrast ratio of quiet words with the felt and the paper on which tables are."""


def find_small_texts(middle: Any) -> Iterator[str]:
    """Yields each row of the middle whose words are smaller than digits in such a line, and than a note.

    Unless the row is too wide for larger words.
    """
    from ui import theme
    from ui.widgets.pieces.marks import DIGITS_LINE_SHARE

    rows: dict[int, list[Any]] = {}
    for placed in middle.placed:
        rows.setdefault(round(placed.y + placed.box[3] / 2), []).append(placed)
    for row in rows.values():
        free_width = middle.right - max(placed.box[0] + placed.box[2] for placed in row)
        missing_width_by_line: dict[int, float] = {}
        for text in texts_of(row):
            size = min(theme.length.note, text.line_height * DIGITS_LINE_SHARE)
            factor = size / text.mark.ink_height(text.line_height)
            if factor > SIZE_LARGER:
                y = round(text.y)
                missing_width_by_line[y] = missing_width_by_line.get(y, 0.0) + text.box[2] * (factor - 1)
        if missing_width_by_line and max(missing_width_by_line.values()) < free_width:
            yield f"{middle.size}: {[placed.mark.visible_text for placed in row]}"


def texts_of(row: Sequence[Any]) -> Iterator[Any]:
    """Yields the words and numbers of marks, also those of a grid."""
    from ui.widgets.pieces.grid import GridMark
    from ui.widgets.pieces.marks import TextMark

    for leaf in (leaf for placed in row for leaf in placed.walk() if not leaf.parts):
        is_grid = isinstance(leaf.mark, GridMark)
        for one in leaf.mark.placed_texts(leaf.x, leaf.y, leaf.line_height) if is_grid else (leaf,):
            if isinstance(one.mark, TextMark) and one.mark.visible_text:
                yield one


def find_numbers_stuck_to_words(marks: Sequence[Any]) -> Iterator[str]:
    """Yields each word and what follows it in one mark with less than a space between them."""
    from ui import theme
    from ui.widgets.pieces.marks import SPACE_EM, TextMark

    for parts in (leaf.parts for placed in marks for leaf in placed.walk()):
        for word, following in pairwise(part for part in parts if part.box[2]):
            gap, space = following.x - (word.x + word.box[2]), SPACE_EM * theme.length.smallest
            if isinstance(word.mark, TextMark) and word.mark.visible_text and -1 < gap < space - 0.1:
                yield f"{word.mark.visible_text}{following.mark.visible_text}: {gap}"


def find_small_labels(widgets: Sequence[Any]) -> Iterator[str]:
    """Yields labels whose letters are smaller than a note, though the text would fit as a note."""
    from ui import theme
    from ui.widgets.drawing.text import FittedLabel

    note = int(theme.length.note)
    for label in widgets:
        if isinstance(label, FittedLabel) and label.text and label.font_size < note:
            measurer = label._make_measurer(label.text)
            if label._fits_at(measurer, note):
                yield f"{label.text!r} at {label.font_size} in {label.size}"


def pieces_on_cards(middle: Any) -> list[float]:
    """Widths of the pieces that lie on the cards of a market."""
    from ui.widgets.pieces.spread import CardInNumberedRowMark

    return [
        placed.mark.piece_size_at(placed.line_height)
        for placed in middle.placed
        if isinstance(placed.mark, CardInNumberedRowMark)
    ]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("look", LOOKS, ids=variant_id)
@pytest.mark.parametrize(("game", "people", "has_long_names"), TABLES)
async def test_no_table_in_the_middle_has_small_words_in_large_room(
    open_app: Any, game: str, people: int, look: ScreenVariant, *, has_long_names: bool
) -> None:
    """At any moment, what the middle writes is as large as a note, unless that would have no room."""
    from ui import theme

    table, rng, found = await laid(open_app, look), Random(3), []
    session = begin(game, people, look.lang, has_long_names=has_long_names)
    for answered in range(max(MOMENTS) + 1):
        if session.question is None:
            break
        if answered in MOMENTS:
            panels = await show(table, session, look)
            middle = table.app.stage.screen.middle
            if middle.height > 0:
                found += [f"{answered}: {fault}" for fault in find_small_texts(middle)]
                found += [f"{side}" for side in pieces_on_cards(middle) if side < theme.length.smallest]
            found += [f"{answered}: {fault}" for fault in find_repeated_things(panels)]
            marks = [placed for part in (middle, *panels) for placed in part.placed]
            found += [f"{answered}: {fault}" for fault in find_numbers_stuck_to_words(marks)]
        answer(session, rng)
    assert not found, f"{len(found)}\n" + "\n".join(found)


def find_repeated_things(panels: Sequence[Any]) -> Iterator[str]:
    """Yields what a panel or the middle shows several times instead of once with a number."""
    from ui.widgets.pieces.card import OpenCardMark
    from ui.widgets.pieces.marks import BadgeMark

    for panel in panels:
        things = [
            one.mark.visible_text for one in panel.placed if isinstance(one.mark, OpenCardMark | BadgeMark)
        ]
        yield from (
            f"{panel.name}: {thing} {count} times" for thing, count in Counter(things).items() if count > 1
        )


@pytest.mark.usefixtures("kivy_window")
def test_equal_cards_are_one_card_with_their_number() -> None:
    """In the order of the first ones; a panel and the middle show open cards so."""
    from ui.widgets.pieces.card import make_open_card_marks

    session = begin("high_bid", 3, "en", has_long_names=False)
    cards = session.began.decks["high_bid"].cards
    ids = ("books.1", "clocks.1", "books.2", "books.3")
    marks = make_open_card_marks([face_of_card(session.face_layouts, cards[each]) for each in ids], "en")
    assert [mark.visible_text for mark in marks] == ["Books ×3", "Clocks"]


@pytest.mark.usefixtures("kivy_window")
def test_the_label_of_open_cards_is_never_alone_in_a_line() -> None:
    """On a panel it stays with the first card, so that people see which cards it names."""
    from ui.widgets.seats.panel_columns import PanelColumns
    from ui.widgets.seats.panel_layout import PanelContents

    session = begin("high_bid", 3, "en", has_long_names=False)
    card = face_of_card(session.face_layouts, session.began.decks["high_bid"].cards["books.1"])
    mat = MatView(session.table.seats[0], None, (), (), (RowView(say("set aside"), open_cards=(card,)),))
    contents = PanelContents(mat, PanelColumns(), "en", "everything", (), 0.0)
    assert [mark.visible_text for mark in contents.own_marks] == ["set aside Books"]


@pytest.mark.parametrize("size", SIZES)
async def test_a_round_that_was_decided_is_a_table_in_large_letters(
    open_app: Any, size: tuple[int, int]
) -> None:
    """The card grows until its words are as large as a note, as far as the screen allows."""
    from ui import theme
    from ui.widgets.sheets.result_card import ResultCard, ScoreTableWidget

    table = await laid(open_app, ScreenVariant("landscape", size, "en"))
    session = begin_session(scored)
    session.answer(session.question_number, "yes")
    card = ResultCard(
        make_view(session).outcomes, ["Ben begins."], (), table.app.stage.next_page_size, "en", None
    )
    table.app.stage.show_overlay(card)
    await table.wait_frames()
    (scores,) = [each for each in card.walk() if isinstance(each, ScoreTableWidget)]
    heights = [box[3] - box[1] for stroke, _ in scores._applied if (box := letter_box(stroke.keyword_args))]
    assert min(heights) > theme.length.note * LETTERS_SHARE


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("people", [None, TWELVE], ids=["three", "twelve"])
async def test_the_score_sheet_has_no_small_words_in_large_room(
    open_app: Any, make_app_with_clock: Any, size: tuple[int, int], people: Any
) -> None:
    """Neither the sums so far nor names, of few people and of many."""
    from ui.screens.score_sheet import ScoreSheetPage

    table = await open_app(make_app_with_clock("en"), size)
    points = (5, 0, -2) if people is None else (5, 0, -2, *range(9))
    await rounds(table, points, points, people=people)
    await table.tap("more", "score")
    (page,) = [each for each in table.widgets() if isinstance(each, ScoreSheetPage)]
    found = [*find_small_labels([*visible_widgets(page)])]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", SIZES)
async def test_past_games_and_players_are_written_as_large_as_fits(
    open_app: Any, make_app_with_clock: Any, size: tuple[int, int]
) -> None:
    """Games, players, records and evenings."""
    table = await open_app(make_app_with_clock("en"), size)
    play(table.app.controller)
    play(table.app.controller)
    await table.wait_frames()
    found: list[str] = []
    for keys in (("past",), ("regulars",), ("close", "records"), ("evenings",)):
        await table.tap(*keys)
        found += find_small_labels([*visible_widgets(table.app.stage)])
    assert not found, "\n".join(found)


@pytest.mark.usefixtures("kivy_window")
def test_quiet_words_are_clear() -> None:
    """Quieter than other words, but read at arm's length."""
    from ui import theme

    for ink, grounds in (
        (theme.INK_QUIET, (theme.PAPER, theme.PAPER_LIT, theme.KRAFT)),
        (theme.QUIET, (theme.FELT, theme.FELT_LIT, theme.FELT_DARK)),
    ):
        assert min(contrast_ratio(ink, ground) for ground in grounds) >= MIN_LABEL_CONTRAST


@pytest.mark.parametrize("ground", ["FELT_LIT", "PAPER"])
async def test_a_quiet_digit_on_paper_is_found(open_app: Any, ground: str) -> None:
    """The sweep for contrast takes a nought on felt for clear, and on paper for faint."""
    from tests.support.ui.screen_faults import _find_faint_texts
    from ui import theme
    from ui.widgets.drawing.surfaces import AutoRedrawWidget, fill_rounded_box
    from ui.widgets.drawing.text import draw_text

    class Nought(AutoRedrawWidget):
        def draw(self) -> None:
            fill_rounded_box(getattr(theme, ground), self.box)
            draw_text("0", self.center, theme.length.note, theme.QUIET, theme.MONEY_FONT)

    table = await laid(open_app, ScreenVariant("landscape", (800, 480), "en"))
    nought = Nought()
    table.app.stage.show_overlay(nought)
    await table.wait_frames()
    assert bool([*_find_faint_texts(table, [nought])]) == (ground == "PAPER")


# Letters of things


def letters_of(names: Sequence[str], lang: str = "en", **colours: str) -> list[str]:
    """The letters on chips with these names."""
    from ui.widgets.pieces.things import name_letters, use_pieces_of_game

    chips = [Piece(name, say(name), look="chip", colour=colours.get(name, "brown")) for name in names]
    use_pieces_of_game(chips)
    return [name_letters(chip, lang) for chip in chips]


@pytest.mark.usefixtures("without_motion")
async def test_a_chip_has_the_letter_of_its_own_name(open_small_game: Any) -> None:
    """Of two names that begin alike each has a second letter, one that the other hasn't at that place."""
    await open_small_game(scored)
    assert letters_of(["Rust", "Amber", "Cobalt"]) == ["R", "A", "C"]
    assert letters_of(["Rust", "Ruby", "Amber"]) == ["Rs", "Rb", "A"]
    assert letters_of(["Red Rail", "Red Road"]) == ["Ra", "Ro"]
    assert letters_of(["Rail", "Rails"]) == ["R1", "R2"]
    assert letters_of(["Blacksmith", "black chip"], **{"black chip": "black"}) == ["B", "K"]
    assert letters_of(["Kiln", "black chip"], **{"black chip": "black"}) == ["Ki", "K"]


@pytest.mark.parametrize(
    ("template", "look"),
    [
        (template, look)
        for number, template in enumerate(("art", "dealers", "shares", "train"))
        for look in variants_with_languages_in_turn(number, {"landscape": [(800, 480)]})
    ],
    ids=str,
)
async def test_shares_have_letters_of_their_companies(
    open_app: Any, template: str, look: ScreenVariant
) -> None:
    """Each begins as the name does, and no two companies have the same."""
    from companion.texts import render
    from ui.widgets.pieces.things import name_letters

    table = await laid(open_app, look)
    game = begin("any_game", 4, look.lang, has_long_names=False).game
    decks = {"any_game": deck_of(template, NO_DIRECTORY)}
    session = Session.begin(
        game, ("Aki", "Ben", "Chie", "Dai"), {"template": template}, MemoryLog(), deck_by_name=decks, seed=7
    )
    await show(table, session, look)
    chips = {holding.piece for holding in make_view(session).holdings if holding.piece.look == "chip"}
    letters = {chip: name_letters(chip, look.lang) for chip in chips}
    assert len(set(letters.values())) == len(chips) > 1
    for chip, letter in letters.items():
        assert render(chip, look.lang).upper().startswith(letter[0].upper())


@pytest.mark.parametrize("lying", [False, True])
async def test_a_result_s_cross_is_as_large_as_a_key(open_app: Any, *, lying: bool) -> None:
    """It is a target, though a touch anywhere closes the card."""
    from ui import theme
    from ui.widgets.sheets.result_card import CloseMark, ResultCard

    table = await laid(open_app, ScreenVariant("flat" if lying else "landscape", (800, 480), "en"))
    session = begin_session(scored)
    session.answer(session.question_number, "yes")
    card = ResultCard(make_view(session).outcomes, [], (), table.app.stage.next_page_size, "en", 600.0)
    table.app.stage.show_overlay(card)
    await table.wait_frames()
    (cross,) = [each for each in card.walk() if isinstance(each, CloseMark)]
    left, low, right, high = box_in_window(cross)
    assert min(right - left, high - low) >= theme.length.target - 1
