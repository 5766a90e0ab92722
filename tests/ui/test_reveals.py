"""A reveal shows every answer whole, all that happened, and as winners whom the rules name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import installed_games
from companion.log.events import Answered, Began
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.requests import Amount, Choose, Counts, Together, Write
from companion.requests.counts import CountedItem
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import say
from tests.support.games.script_helpers import repeat_step
from tests.support.ui.play_screen_game import begin_session
from tests.support.ui.screen_faults import (
    find_cut_texts,
    find_overhanging_texts,
    find_overprinted_texts,
    visible_widgets,
)
from tests.support.ui.screen_variants import SCREEN_VARIANTS, ScreenVariant, variant_id
from tests.support.ui.text_checks import check_text_is_whole
from tests.ui.test_every_table import laid
from tests.ui.test_nothing_hidden import GOLDEN, written

WITH_ENVELOPES = ("bidders", "high_bid", "mammon", "sealed_bid")
SEALED = [log for log in GOLDEN if log.stem.partition("-")[0] in WITH_ENVELOPES]
FEW = 5
"""Most envelopes that stand in one row."""
LONG = "All I have, and more"
DIGIT_INK_EM = 0.82
"""Height of a digit's ink, as a share of the font size of a large number."""


async def check_reveal(table: Any, session: Session) -> Any:
    """Everything on the reveal of the last answer is whole; gives the reveal."""
    from ui.screens.reveal import RevealScreen

    seen = make_view(session)
    reveal = RevealScreen(seen)
    table.app.stage.show_overlay(reveal)
    reveal.skip_to_end()
    await table.wait_frames(8)  # a headline may make the title higher, then the envelopes have another place
    for bar in reveal.bars.values():
        check_text_is_whole(bar.answer_label)
        assert bar.answer_label.text
        assert bar.answer_label.top <= bar.top + 1
    check_heights(reveal)
    if reveal.notes is not None and reveal.notes.opacity:
        check_text_is_whole(reveal.notes)
    widgets = [*visible_widgets(reveal)]
    assert not [*find_overprinted_texts(widgets), *find_overhanging_texts(widgets), *find_cut_texts(widgets)]
    assert {seat for seat, bar in reveal.bars.items() if bar.is_winner} == set(seen.winners) & set(
        reveal.bars
    )
    reveal.close()
    return reveal


def check_heights(reveal: Any) -> None:
    """The more there is in an envelope the higher is its slip; where there is as much it is as high."""
    tops = [
        (bar.bid_share, round(bar.total_label.top)) for bar in reveal.bars.values() if hasattr(bar, "flap")
    ]
    row = [top for top in tops if len(tops) <= FEW] or []
    assert sorted(row) == sorted(row, key=lambda each: (each[1], each[0]))
    assert len({top for _, top in row}) == len({reach for reach, _ in row})


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", SCREEN_VARIANTS, ids=variant_id)
@pytest.mark.parametrize("log", SEALED, ids=lambda log: log.stem)
async def test_every_reveal_of_a_recorded_match_is_whole(
    open_app: Any, without_motion: None, log: Path, look: ScreenVariant
) -> None:
    """Numbers, and coins of several colours, at every size and in both languages."""
    began, *_ = events = written(log)
    assert isinstance(began, Began)
    kept = MemoryLog([began])
    session = Session(installed_games.playable_game(began.game), kept, kept)
    session.answer_for_absent_players()
    table = await laid(open_app, look)
    for step in build_timeline(events).steps:
        is_sealed = isinstance(session.question, Together) and not session.question.is_open
        repeat_step(session, step)
        if is_sealed and isinstance(step, Answered):
            await check_reveal(table, session)


async def of_all_kinds(table: Table) -> None:
    """Sealed things that are no single number."""
    coins = {"own": CountedItem(say("gold pieces"), 20), "foreign": CountedItem(say("silver pieces"), 20)}
    aki, ben, chie, *others = table.seats
    parts: dict[Seat, Any] = {
        aki: Counts(aki, say("How many?"), coins),
        ben: Choose(ben, say("What?"), {"all": say("everything that I have got"), "no": say("nothing")}),
        chie: Write(chie, say("What?")),
    }
    parts |= {seat: Amount(seat, say("How much?"), 0, 9) for seat in others}
    await Together(say("Everybody answers in secret"), parts)
    table.declare_outcome(say("Both win."), [chie, aki])


@pytest.mark.sweep(3)
@pytest.mark.parametrize("look", SCREEN_VARIANTS, ids=variant_id)
@pytest.mark.parametrize("people", [3, 5, 12])
async def test_answers_that_are_no_number_are_whole(
    open_app: Any, without_motion: None, people: int, look: ScreenVariant
) -> None:
    """Pieces, a choice and a text stand on their slips in words; several winners are highlighted."""
    session = begin_session(of_all_kinds, people)
    given = {"1": {"own": 12, "foreign": 3}, "2": "all", "3": LONG} | {str(n): n % 9 for n in range(4, 13)}
    for seat in session.table.seats:
        session.put_answer_in_envelope(session.question_number, seat, given[str(seat.number)])
    table = await laid(open_app, look)
    reveal = await check_reveal(table, session)
    figures = [bar.answer_label.text for bar in reveal.bars.values()]
    assert figures[1:3] == ["everything that I have got", LONG]
    assert all(what in figures[0] for what in ("12", "gold pieces", "3", "silver pieces"))
    assert [bar.is_winner for bar in reveal.bars.values()] == [True, False, True] + [False] * (people - 3)


async def three_bids(table: Table) -> None:
    """Aki wins, whatever is bid."""
    await Together(say("All bid"), {seat: Amount(seat, say("How much?"), 0, 9) for seat in table.seats})
    table.declare_outcome(say("{seat} wins.", seat=table.seats[0]), table.seats[:1])


def reveal_of_three_bids(table: Any) -> tuple[Any, list[str]]:
    """A reveal over the table, and the list of the seats whose envelopes have opened so far."""
    from ui.screens.reveal import RevealScreen

    session = begin_session(three_bids)
    for seat in session.table.seats:
        session.put_answer_in_envelope(session.question_number, seat, seat.number)
    reveal, opened = RevealScreen(make_view(session)), list[str]()
    for seat, bar in reveal.bars.items():
        bar.bind(flap=lambda *_, name=seat.name: opened.append(name) if name not in opened else None)
    table.app.stage.show_overlay(reveal)
    return reveal, opened


async def test_envelopes_open_one_by_one(open_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the seats, and the winner's last; then the outcome is shown."""
    from ui import theme

    for name in ("REVEAL_PAUSE_SECONDS", "NEXT_ENVELOPE_SECONDS", "WINNER_PAUSE_SECONDS"):
        monkeypatch.setattr(theme, name, 0.02)
    table = await laid(open_app, SCREEN_VARIANTS[0])
    reveal, opened = reveal_of_three_bids(table)
    await table.wait_until(lambda: reveal.notes is not None)
    assert opened == ["Ben", "Chie", "Aki"]
    assert [bar.is_winner for bar in reveal.bars.values()] == [True, False, False]


async def test_a_touch_opens_all_that_are_left(open_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the first and the winner's; afterwards nothing opens again."""
    from ui import theme

    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(theme, "NEXT_ENVELOPE_SECONDS", 600.0)
    monkeypatch.setattr(theme, "ALL_ENVELOPES_SECONDS", 1800.0)
    table = await laid(open_app, SCREEN_VARIANTS[0])
    reveal, opened = reveal_of_three_bids(table)
    await table.wait_until(lambda: bool(opened))
    assert opened == ["Ben"]
    await table.tap("All bid")
    assert opened == ["Ben", "Aki", "Chie"]
    assert reveal.notes is not None
    assert reveal._steps == []


async def test_without_motion_all_open_at_once(open_app: Any, without_motion: None) -> None:
    """Nothing is slower than it must be."""
    table = await laid(open_app, SCREEN_VARIANTS[0])
    reveal, opened = reveal_of_three_bids(table)
    await table.wait_until(lambda: bool(opened))
    assert opened == ["Ben", "Chie", "Aki"]
    await table.wait_until(lambda: reveal.notes is not None)


@pytest.mark.parametrize("look", SCREEN_VARIANTS, ids=variant_id)
async def test_the_result_is_the_largest_sentence_once_all_envelopes_are_open(
    open_app: Any, without_motion: None, look: ScreenVariant
) -> None:
    """Only the numbers are larger. Nothing tells it before; afterwards the notes don't repeat it."""
    from ui.widgets.drawing.text import FittedLabel

    table = await laid(open_app, look)
    reveal, _ = reveal_of_three_bids(table)
    assert reveal.title.text == "All bid"
    assert "Aki wins." not in table.texts()
    await table.wait_until(lambda: reveal.notes is not None)
    await table.wait_frames()
    assert reveal.title.text == "Aki wins."
    sizes = {
        label.text: label.font_size
        for label in reveal.walk()
        if isinstance(label, FittedLabel) and label.text and label is not reveal.title
    }
    assert {"1", "2", "3"} <= {*sizes}
    assert reveal.title.font_size > max(size for text, size in sizes.items() if not text.isdecimal())
    assert "Aki wins." not in sizes


@pytest.mark.parametrize(
    ("size", "bids", "min_ink_height"),
    [
        ((800, 480), (12, 0, 3), 70),
        ((800, 480), (1, 1, 0), 70),
        ((800, 480), (150, 30, 0, 145), 55),
        ((480, 800), (1, 0, 0), 70),
    ],
)
async def test_a_bid_is_large_on_a_slip_that_is_little_higher(
    open_app: Any, without_motion: None, size: tuple[int, int], bids: tuple[int, ...], min_ink_height: int
) -> None:
    """The slip of 0 is as high as its number; the others are higher in proportion to their bids."""
    from ui import theme
    from ui.screens.reveal import RevealScreen

    async def bidding(table: Table) -> None:
        await Together(say("All bid"), {seat: Amount(seat, say("How much?"), 0, 999) for seat in table.seats})

    session = begin_session(bidding, len(bids))
    for seat, bid in zip(session.table.seats, bids, strict=True):
        session.put_answer_in_envelope(session.question_number, seat, bid)
    table = await laid(open_app, ScreenVariant("landscape", size, "en"))
    reveal = RevealScreen(make_view(session))
    table.app.stage.show_overlay(reveal)
    reveal.skip_to_end()
    await table.wait_frames(4)
    bars = [*reveal.bars.values()]
    font_sizes = [bar.answer_label.font_size for bar in bars]
    assert max(font_sizes) - min(font_sizes) <= 2
    ink_height = min(font_sizes) * DIGIT_INK_EM
    assert min_ink_height <= ink_height <= 90
    heights = [bar.answer_label.top - sum(bar.body_box()[1::2]) for bar in bars]
    stub = heights[bids.index(0)]
    assert stub <= ink_height * 1.5
    assert max(heights) - stub <= theme.length.number + 1
    for height, bid in zip(heights, bids, strict=True):
        assert height - stub == pytest.approx((max(heights) - stub) * bid / max(bids), abs=1)


async def test_without_a_winner_the_title_still_says_what_was_asked(
    open_app: Any, without_motion: None
) -> None:
    """So that everybody knows what the answers are; what was decided is below."""
    from ui.screens.reveal import RevealScreen

    async def bids(table: Table) -> None:
        await Together(say("All bid"), {seat: Amount(seat, say("How much?"), 0, 9) for seat in table.seats})
        table.declare_outcome(say("Nobody wins."))

    table = await laid(open_app, SCREEN_VARIANTS[0])
    session = begin_session(bids)
    for seat in session.table.seats:
        session.put_answer_in_envelope(session.question_number, seat, 0)
    reveal = RevealScreen(make_view(session))
    table.app.stage.show_overlay(reveal)
    reveal.skip_to_end()
    await table.wait_frames()
    assert reveal.title.text == "All bid"
    assert reveal.notes is not None
    assert reveal.notes.text == "Nobody wins."


NAMES_OF_TWENTY_LETTERS = ("Maximilian Alexander", "Wilhelmina Charlotte", "Bartholomew Johannes")


@pytest.mark.parametrize("look", SCREEN_VARIANTS, ids=variant_id)
async def test_names_of_twenty_letters_are_whole_on_a_reveal(
    open_app: Any, without_motion: None, look: ScreenVariant
) -> None:
    """They wrap between words, in the headline too."""
    from ui import theme
    from ui.screens.reveal import RevealScreen

    session = begin_session(three_bids, names=NAMES_OF_TWENTY_LETTERS)
    for seat in session.table.seats:
        session.put_answer_in_envelope(session.question_number, seat, seat.number)
    table = await laid(open_app, look)
    reveal = RevealScreen(make_view(session))
    table.app.stage.show_overlay(reveal)
    reveal.skip_to_end()
    await table.wait_frames(4)
    check_text_is_whole(reveal.title)
    for name, bar in zip(NAMES_OF_TWENTY_LETTERS, reveal.bars.values(), strict=True):
        assert bar.name_label.text.split() == name.split()
        assert bar.name_label.font_size >= round(theme.length.smallest)
        check_text_is_whole(bar.name_label)


@pytest.mark.parametrize(
    ("note", "label"), [("", ("turn", "Turn round")), (" ".join(["word"] * 55), ("turn", ""))]
)
async def test_the_key_that_turns_the_page_has_a_word_if_there_is_room(
    open_app: Any, without_motion: None, note: str, label: tuple[str, str]
) -> None:
    """The word makes no room for itself: what happened and the envelopes keep theirs."""
    from ui.screens.reveal import RevealScreen

    async def bids(table: Table) -> None:
        await Together(say("All bid"), {seat: Amount(seat, say("How much?"), 0, 9) for seat in table.seats})
        if note:
            table.add_note(say(note))

    table = await laid(open_app, ScreenVariant("flat", (480, 800), "en"))
    session = begin_session(bids)
    for seat in session.table.seats:
        session.put_answer_in_envelope(session.question_number, seat, seat.number)
    reveal = RevealScreen(make_view(session), is_flat=True)
    table.app.stage.show_overlay(reveal)
    reveal.skip_to_end()
    await table.wait_frames(4)
    key = table.find("turn")
    assert (key.icon, key.text) == label
    assert not [*find_cut_texts([*visible_widgets(reveal)])]


async def test_what_the_envelopes_cover_is_not_drawn(open_app: Any, without_motion: None) -> None:
    """Nobody sees the table then, and drawing it took half of each frame; afterwards it is drawn again."""
    from kivy.uix.widget import Widget

    table = await laid(open_app, SCREEN_VARIANTS[0])
    stage = table.app.stage

    def is_table_drawn() -> bool:
        return bool(stage.canvas.indexof(stage.screen.parent.canvas) >= 0)

    reveal, _ = reveal_of_three_bids(table)
    await table.wait_frames(2)
    assert not is_table_drawn()
    reveal.close()
    assert is_table_drawn()
    reveal_of_three_bids(table)
    stage.rebuild_screen()
    assert is_table_drawn()
    stage.show_overlay(Widget())
    assert is_table_drawn()


async def test_a_bet_of_several_kinds_shows_its_sum(open_app: Any) -> None:
    """Large above the words; the title is the sentence that the game says."""
    table = await laid(open_app, ScreenVariant("landscape", (800, 480), "en"))

    async def bets(table: Table) -> None:
        coins = {
            "own": CountedItem(say("own coins"), 9),
            "foreign": CountedItem(say("foreign coins"), 9, value=2),
        }
        await Together(
            say("Everybody bets"), {seat: Counts(seat, say("Bet?"), coins) for seat in table.seats}
        )
        table.declare_outcome(say("{seat} bets most: {n}.", seat=table.seats[1], n=8), [table.seats[1]])

    session = begin_session(bets)
    for seat, (own, foreign) in zip(session.table.seats, ((1, 1), (2, 3), (0, 0)), strict=True):
        bet = {"own": own, "foreign": foreign}
        session.put_answer_in_envelope(session.question_number, seat, bet)
    reveal = await check_reveal(table, session)
    assert reveal.title.text == "Ben bets most: 8."
    assert [bar.total_label.text for bar in reveal.bars.values()] == ["3", "8", "0"]
    for bar in reveal.bars.values():
        check_text_is_whole(bar.total_label)
        assert bar.total_label.font_size > reveal.notes.font_size


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
@pytest.mark.parametrize("lang", ["en", "ja", "de"])
async def test_an_answer_of_three_lines_in_a_list_of_five_is_whole(
    open_app: Any, size: tuple[int, int], lang: str
) -> None:
    """Each row is as high as its answer needs; so is the sentence below the list, unless it is left out."""
    table = await laid(open_app, ScreenVariant("landscape", size, lang))

    long = (
        "All that I have on this table, two of the cards that I draw later, one of those coins beside the "
        "bank, and everything that anybody else has left"
    )
    options = {"all": say("{text}", text=long), "nothing": say("Nothing at all")}

    async def orders(table: Table) -> None:
        parts = {seat: Choose(seat, say("What?"), dict(options)) for seat in table.seats}
        await Together(say("Everybody orders"), parts)
        table.add_note(say("{text}", text=long))

    session = begin_session(orders, FEW)
    for seat in session.table.seats:
        answer = "all" if seat.number in (2, 4) else "nothing"
        session.put_answer_in_envelope(session.question_number, seat, answer)
    await check_reveal(table, session)
