"""The final score: the ceremony, the sums, and what comes after."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.half_numbers import WholeOrHalf
from companion.languages import languages
from companion.record.record import ScoreMoment
from companion.session.view import View, make_view
from companion.table.scores import GameResult, ScoreLine, Standing
from companion.table.seats import SEAT_COLOURS, Seat, make_seats
from companion.texts import Say, say, say_plain_text
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions, make_test_app
from tests.support.ui.screen_sizes import SIZES
from tests.support.ui.text_checks import ink_box_in_window


def ended(
    controller: Any,
    totals: tuple[int, ...],
    out: int = 0,
    aside: int = 1,
    why: Say | None = None,
    parts: int = 1,
) -> View:
    """A view of the game on the table as if it had ended so; the last `out` seats are eliminated.

    Each sheet has so many lines for information, and so many parts of the total, of which all but the first
    are 1; the first seat carries the reason.
    """
    seats = controller.view.seats
    standings = tuple(
        Standing(
            seat,
            1 + sum(other > total for other in totals),
            total,
            (
                ScoreLine(say("rounds won"), total - (parts - 1)),
                *(ScoreLine(say("bonus {n}", n=n), 1) for n in range(1, parts)),
                *(
                    ScoreLine(say("paid {n}", n=n), 10 * n, is_part_of_total=False)
                    for n in range(1, aside + 1)
                ),
            ),
            is_eliminated=seat.number > len(seats) - out,
            why=why if seat.number == 1 else None,
        )
        for seat, total in zip(seats, totals, strict=True)
    )
    return msgspec.structs.replace(
        make_view(controller.evening.session), question=None, result=GameResult(standings)
    )


@pytest.fixture
async def table(open_app: Any, tmp_path: Path) -> Any:
    """Three people in a sealed round."""
    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    names, colours = ["Aki", "Ben", "Chie"], ["orange", "sky", "green"]
    table.app.controller.start_new_game("sealed_bid", names, colours, {})
    return table


async def show(
    table: Any, totals: tuple[int, ...], out: int = 0, bests: Sequence[Say] = (), **more: Any
) -> Any:
    """The score screen."""
    from ui.screens.score import ScoreScreen

    seen = ended(table.app.controller, totals, out, **more)
    table.app.stage.replace_screen(lambda: ScoreScreen(seen, find_new_bests=lambda: bests))
    await table.wait_frames()
    return table.app.stage.screen


async def test_cards_turn_from_last_to_first(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's total can be read before those below it; the winner is named last."""
    from ui import theme

    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 0.2)
    monkeypatch.setattr(theme, "reduced_motion", False)
    score = await show(table, (3, 2, 1))
    up = [False, False, False]
    while not score.is_ceremony_over:
        await table.wait_frames(1)
        up = [place.turned_share == 1.0 for place in score.rank_cards]
        assert up == sorted(up)
        assert ("Aki wins!" in table.texts()) <= all(up)
    assert "Aki wins!" in table.texts()


async def test_the_lines_of_a_sum_add_up(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line of a player is added on a slip, with the sum so far; the keys have their place afterwards."""
    from ui import theme

    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 0.2)
    score = await show(table, (7, 6, 5), parts=3)
    seen: dict[str, list[int]] = {"Aki": [], "Ben": [], "Chie": []}
    while not score.is_ceremony_over:
        await table.wait_frames(1)
        for card in score.rank_cards:
            total = int(card.total_label.text)
            if card.turned_share == 1.0 and total > 0 and total not in seen[card.name]:
                seen[card.name].append(total)
        assert (
            "again" in [getattr(widget, "name", "") for widget in table.widgets()]
        ) <= score.is_ceremony_over
    sums = {"Aki": [5, 6, 7], "Ben": [4, 5, 6], "Chie": [3, 4, 5]}
    assert {name: totals[-1] for name, totals in seen.items()} == {"Aki": 7, "Ben": 6, "Chie": 5}
    # A machine that misses a frame doesn't show each sum, but never one more or in another order.
    assert all(totals == [each for each in sums[name] if each in totals] for name, totals in seen.items())
    assert max(map(len, seen.values())) > 1
    assert table.find("again")


async def test_the_slip_has_a_total_only_with_the_last_line(table: Any) -> None:
    """Nobody takes the sum so far for the result; with reduced motion the total isn't 0 either."""
    score = await show(table, (7, 6, 5), parts=3)
    standing = score.rank_cards[0].standing
    slip_texts = [
        [widget.text for widget in score._slip.walk(restrict=True) if getattr(widget, "text", "")]
        for count in range(4)
        if score._slip.show_sum(standing, count, "en") is None
    ]
    assert [("Total" in texts) for texts in slip_texts] == [False, False, False, True]
    assert slip_texts[-1][-1] == "7"


async def test_a_touch_skips_a_sum_and_a_second_touch_everything(table: Any) -> None:
    """Whoever has no time sees everything at once; these touches press nothing."""
    score = await show(table, (3, 2, 1))
    await touch_middle(table)
    assert [card.turned_share for card in score.rank_cards] == [0.0, 0.0, 1.0]
    assert {"Aki", "Aki wins!"}.isdisjoint(table.texts())
    await touch_middle(table)
    assert {"Aki", "Ben", "Chie", "Aki wins!"} <= set(table.texts())
    assert table.app.stage.screen is score
    assert table.app.stage.topmost_widget is score
    await table.tap("Ben")
    assert "Total" in table.texts()


async def test_a_touch_after_the_last_sum_ends_the_ceremony(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then only the pause before the announcement is left to skip."""
    from ui import theme

    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 0.05)
    score = await show(table, (3, 2, 1))
    await table.wait_until(lambda: score.rank_cards[0].turned_share > 0)
    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 600.0)
    await table.wait_until(lambda: score._finished_card_count == 3)
    await touch_middle(table)
    assert score.is_ceremony_over


async def touch_middle(table: Any) -> None:
    """A touch in the middle of the window."""
    from kivy.tests.common import UnitTestTouch

    touch = UnitTestTouch(table.window.width / 2, table.window.height / 2)
    touch.touch_down()
    touch.touch_up()
    await table.wait_frames(2)


async def test_confetti_falls_once_on_the_podium(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in the winner's colour. After that nothing is drawn any more; a touch leads to the score."""
    from ui import theme
    from ui.widgets.seats.podium import Podium

    for name in ("REVEAL_PAUSE_SECONDS", "TURN_SECONDS", "CONFETTI_SECONDS"):
        monkeypatch.setattr(theme, name, 0.2)
    score = await show(
        table, (3, 2, 1), bests=[say("{name}'s best score in {game}", name="Aki", game="Egypt")]
    )
    await table.wait_until(lambda: score.winners_page is not None)
    page = score.winners_page
    assert theme.PLAYER_LOOKS["orange"].colour in page.confetti._colours
    await table.wait_until(lambda: page.confetti.parent is None)
    assert {"Aki wins!", "Aki's best score in Egypt"} <= set(table.texts())
    podium = next(widget for widget in table.widgets() if isinstance(widget, Podium))
    assert {"1", "2", "3", "Aki", "Ben", "Chie"} <= set(podium.visible_texts)
    shown: list[object] = []
    table.window.bind(on_flip=shown.append)
    await table.wait_frames(5)  # the last pieces go
    shown.clear()
    await table.wait_frames(30)
    table.window.unbind(on_flip=shown.append)
    assert shown == []
    await touch_middle(table)
    assert table.app.stage.topmost_widget is score
    assert "Aki's best score in Egypt" in table.texts()


@pytest.mark.usefixtures("without_motion")
async def test_with_reduced_motion_the_score_is_there_at_once(table: Any) -> None:
    """No podium and no confetti lie over it."""
    score = await show(table, (3, 2, 1))
    await table.wait_until(lambda: score.is_ceremony_over)
    await table.wait_frames()
    assert score.winners_page is None
    assert "Aki wins!" in table.texts()


@pytest.mark.parametrize(
    ("ranks", "out", "on_podium"),
    [
        ((1, 2, 3, 4), 0, {1: [1], 2: [2], 3: [3]}),
        ((1, 1, 3, 4), 0, {1: [1, 2], 3: [3]}),
        ((1, 1, 1, 1), 0, {1: [1, 2, 3, 4]}),
        ((1, 2, 2, 4), 3, {1: [1]}),
        ((1, 1, 1, 1), 4, {}),
    ],
)
def test_who_stands_on_the_podium(
    kivy_window: Any, ranks: tuple[int, ...], out: int, on_podium: dict[int, list[int]]
) -> None:
    """Players of the best three ranks, who share a block if they tied or won together; nobody who is out."""
    from ui.widgets.seats.podium import standings_by_podium_rank

    seats = make_seats(["Aki", "Ben", "Chie", "Dai"])
    standings = [
        Standing(seat, rank, 5, is_eliminated=seat.number > len(seats) - out)
        for seat, rank in zip(seats, ranks, strict=True)
    ]
    blocks = standings_by_podium_rank(standings)
    assert {rank: [each.seat.number for each in block] for rank, block in blocks.items()} == on_podium


@pytest.mark.parametrize(
    ("ranks", "names", "height", "named"),
    [
        ((1, 2, 2, 2), "Aki Ben Chie Dai", 300, "Aki Ben Chie Dai"),
        ((1, 2, 2, 2), "Aki Ben Chie Dai", 160, "Aki Ben Chie Dai"),
        ((1, 2, 2, 2, 2, 2), "Aki Benedicta Christopher Dorothea Emilia Fumi", 160, "Aki"),
        ((1, 1, 3), "Aki Ben Chie", 240, "Aki Ben Chie"),
        ((1, 2, 3), "Aki Ben Chie", 240, "Aki Ben Chie"),
        ((1, 2), "Aki Schmetterlingswiesen", 240, "Aki"),
    ],
)
def test_the_podium_is_centred_and_names_whom_it_has_room_for(
    kivy_window: Any, ranks: tuple[int, ...], names: str, height: int, named: str
) -> None:
    """The names of a block are below each other, or share lines if it is low; no name is broken."""
    from ui.widgets.seats.podium import Podium

    seats = make_seats(names.split())
    standings = [Standing(seat, rank, 5) for seat, rank in zip(seats, ranks, strict=True)]
    podium = Podium(standings, size=(300, height), pos=(30, 0))
    podium._draw(0)
    boxes = [podium._block_box(rank) for rank in {*ranks}]
    left, right = min(box[0] for box in boxes), max(box[0] + box[2] for box in boxes)
    assert left - podium.x == pytest.approx(podium.right - right)
    assert {*names.split()} & {*podium.visible_texts} == {*named.split()}


@pytest.mark.parametrize(("step_count", "is_shown"), [(2, True), (0, False)])
async def test_few_cards_leave_room_for_the_chart(table: Any, step_count: int, is_shown: bool) -> None:
    """After the ceremony the chart is below two cards; a touch opens it large. No history means no chart.

    The game is replayed once for both charts.
    """
    from ui.screens.score import ScoreScreen

    table.app.controller.leave_table()
    table.app.controller.start_new_game("sealed_bid", ["Aki", "Ben"], ["orange", "sky"], {})
    seen = ended(table.app.controller, (2, 1))
    totals: dict[Seat, WholeOrHalf] = {seat: 3 - seat.number for seat in seen.seats}
    moments = [ScoreMoment(n, totals) for n in range(step_count)]
    calls = []

    def replay() -> list[ScoreMoment]:
        calls.append("replay")
        return moments

    table.app.stage.replace_screen(lambda: ScoreScreen(seen, replay))
    score = table.app.stage.screen
    await table.wait_frames()
    assert "Score over time" not in table.texts()
    score.turn_up_all_cards()
    await table.wait_frames(5)
    assert ("Score over time" in table.texts()) == is_shown
    if is_shown:
        lowest = min(card.to_window(*card.pos)[1] for card in score.rank_cards)
        sheet = score.chart_sheet
        assert sheet.to_window(sheet.x, sheet.top)[1] < lowest
        await table.tap("small chart")
        assert "Close" in table.texts()
    assert calls == ["replay"]


async def test_a_page_that_was_left_plays_no_game_again(table: Any) -> None:
    """The saved games may be closed before the chart could be made."""
    from kivy.uix.widget import Widget

    from ui.screens.score import ScoreScreen

    seen = ended(table.app.controller, (3, 2, 1))
    calls = []

    def replay() -> list[ScoreMoment]:
        calls.append("replay")
        return []

    table.app.stage.replace_screen(lambda: ScoreScreen(seen, replay))
    score = table.app.stage.screen
    await table.wait_frames()
    table.app.stage.replace_screen(Widget)
    score._make_chart_soon()
    await table.wait_frames(3)
    assert not calls


async def test_a_rank_of_two_digits_has_room(table: Any) -> None:
    """Behind eleven winners stands the twelfth: its rank is whole, and touches neither edge nor shape."""
    from ui import theme

    names = ["Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Goro", "Hana", "Ida", "Jun", "Ken", "Lea"]
    table.app.controller.leave_table()
    table.app.controller.start_new_game("sealed_bid", names, SEAT_COLOURS, {})
    score = await show(table, (9,) * 11 + (1,))
    score.turn_up_all_cards()
    await table.wait_frames()
    last = score.rank_cards[-1]
    left, _, right, _ = ink_box_in_window(last.rank_label)
    assert last.rank_label.text == "12"
    assert last.rank_label.x + theme.length.rim < left < right < last.rank_label.right - theme.length.rim


async def test_a_total_opens_into_its_lines(table: Any) -> None:
    """Touch a card: what counts, a rule, the total; apart from it what is for information."""
    score = await show(table, (3, 2, 1))
    score.turn_up_all_cards()
    await table.wait_frames()
    await table.tap("Ben")
    assert {"rounds won", "Total", "For information", "paid 1"} <= set(table.texts())
    counting, total, aside = (table.find(text) for text in ("rounds won", "Total", "paid 1"))
    assert counting.right <= aside.x
    assert counting.y >= total.top
    assert aside.font_size < counting.font_size
    await table.tap("Close")
    assert "Total" not in table.texts()


async def test_equal_lines_of_a_sum_are_one_line(table: Any) -> None:
    """Cards of one name and value are counted and added up; the result itself keeps a line for each."""
    from ui.screens.score import ScoreScreen

    seen = ended(table.app.controller, (9, 2, 1))
    cards = [("Books", 3), ("Books", 2), ("Clocks", 0), ("Books", 3), ("Clocks", 0), ("Books", 3)]
    lines = tuple(ScoreLine(say_plain_text(name), value, is_part_of_total=False) for name, value in cards)
    assert seen.result is not None
    first, *others = seen.result.standings
    first = msgspec.structs.replace(first, lines=(*first.lines[:1], *lines))
    seen = msgspec.structs.replace(seen, result=GameResult((first, *others)))
    table.app.stage.replace_screen(lambda: ScoreScreen(seen))
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()
    await table.tap("Aki")
    sheet = next(one for one in table.widgets() if type(one).__name__ == "ScoreSumSheet")
    shown = [one for one in sheet.walk() if type(one).__name__ == "ScoreSumLine"]
    assert [(one._label.text, one._figure.text) for one in shown] == [
        ("rounds won", "9"), ("Total", "9"), ("Books ×3", "9"), ("Books", "2"), ("Clocks ×2", "0"),
    ]  # fmt: skip  # one line
    assert seen.result is not None
    assert len(seen.result.standings[0].lines) == 7


async def test_a_sheet_with_nothing_apart_is_only_the_sum(table: Any) -> None:
    """Without lines for information nothing speaks of any, and the sum is as wide as the sheet."""
    score = await show(table, (3, 2, 1), aside=0)
    score.turn_up_all_cards()
    await table.wait_frames()
    await table.tap("Ben")
    assert "For information" not in table.texts()
    assert table.find("Total").parent.width > table.window.width / 2


async def test_much_information_is_turned_page_by_page(table: Any) -> None:
    """More lines than a sheet holds are on further pages, the sum and its total beside each of them."""
    score = await show(table, (3, 2, 1), aside=9)
    score.turn_up_all_cards()
    await table.wait_frames()
    await table.tap("Ben")
    assert "paid 9" not in table.texts()
    await table.tap("page on", "page on")
    assert {"paid 9", "Total", "rounds won"} <= set(table.texts())


async def test_the_reason_stands_on_the_card_and_on_the_sheet(table: Any) -> None:
    """Why somebody is ranked so is read without opening the sheet, in the language of this moment."""
    score = await show(table, (3, 3, 1), why=say("wins the tie with {reason}", reason=say("yes")))
    score.turn_up_all_cards()
    await table.wait_frames()
    assert "wins the tie with yes" in table.texts()
    table.app.lang = "ja"
    await table.wait_frames()
    assert "同点で上位：はい" in table.texts()
    await table.tap("Aki")
    assert [widget.text for widget in table.widgets() if getattr(widget, "text", "")].count(
        "同点で上位：はい"
    ) == 2


@pytest.mark.parametrize(
    ("totals", "out", "said"),
    [
        ((3, 2, 1), 0, "Aki wins!"),
        ((3, 3, 1), 0, "Aki, Ben share the win!"),
        ((0, 0, 0), 3, "Nobody wins."),
    ],
)
async def test_the_winners_are_named(table: Any, totals: tuple[int, ...], out: int, said: str) -> None:
    """One, several, or nobody; who is eliminated is marked."""
    score = await show(table, totals, out)
    score.turn_up_all_cards()
    await table.wait_frames()
    assert said in table.texts()
    assert table.texts().count("eliminated") == (out > 0)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 720)])
@pytest.mark.parametrize("lang", ["en", "ja", "de"])
async def test_winners_whose_names_have_no_room_are_counted(
    open_app: Any, tmp_path: Path, lang: str, size: tuple[int, int]
) -> None:
    """Nobody reads a list of names that breaks off before it says what they did."""
    from ui.screens.score import ScoreScreen
    from ui.widgets.drawing.text import FittedLabel

    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    names = [f"Maximilian Hohenfels {n}"[-20:] for n in range(1, 13)]
    table.app.controller.start_new_game("sealed_bid", names, SEAT_COLOURS, {})
    counted = {
        "en": "11 players share the win!",
        "ja": "11人の同点優勝！",
        "de": "11 Personen gewinnen gemeinsam!",
    }[lang]
    seen = ended(table.app.controller, (*[5] * 11, 3))
    table.app.stage.replace_screen(lambda: ScoreScreen(seen))
    score = table.app.stage.screen
    score.turn_up_all_cards()
    score._open_winners_page()
    await table.wait_frames(3)
    for page in (score, score.winners_page):
        titles = [each for each in page.walk() if isinstance(each, FittedLabel) and each.style == "title"]
        assert {each.shown_text for each in titles if each.text == score.winners_text} == {counted}


async def test_the_total_of_a_player_who_is_out_never_looks_as_if_it_counted(table: Any) -> None:
    """On the card, on the slip and on the sheet of the sum it is quiet."""
    from ui.screens.score_sum import GrowingSumSlip, ScoreSumLine, ScoreSumSheet
    from ui.widgets.drawing.text import FittedLabel

    score = await show(table, (31, 32, 33), out=1)
    score.turn_up_all_cards()
    slip = GrowingSumSlip("Total", size=(400, 400))
    for standing in score.result.standings:
        slip.show_sum(standing, 1, "en")
        sheet = ScoreSumSheet(standing, "Total", "For information", "en")
        card = next(each for each in score.rank_cards if each.standing is standing)
        for part in (slip, sheet, card):
            labels = [each for each in part.walk() if isinstance(each, FittedLabel)]
            totals = [label for label in labels if label.text == str(standing.total)]
            lines = [each for each in part.walk() if isinstance(each, ScoreSumLine) and not each.last]
            totals = [label for label in totals if all(label not in line.children for line in lines)]
            assert [label.is_dimmed for label in totals] == [standing.has_void_total], part


async def test_the_same_people_play_again(table: Any) -> None:
    """The finished game is put away; a new one has the same names, colours and options."""
    controller = table.app.controller
    for seat in controller.view.seats:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 1)
    controller.answer_question(controller.view.question_number, "finish")
    await table.wait_frames()
    table.app.table_flow.last_reveal_screen.close()
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()
    await table.tap("again")
    assert controller.view.question.kind == "Together"
    assert [seat.name for seat in controller.view.seats] == ["Aki", "Ben", "Chie"]
    assert [each.state for each in controller.evening.store.all_saved_games()] == ["open", "finished"]


async def test_upright_a_whole_sheet_stands_there_where_it_fits(table: Any) -> None:
    """Five lines of information need no page to turn."""
    table.window.size = (720, 1280)
    await table.wait_frames()
    score = await show(table, (3, 2, 1), aside=5)
    score.turn_up_all_cards()
    await table.wait_frames()
    await table.tap("Ben")
    assert {"paid 1", "paid 5", "Total", "rounds won"} <= set(table.texts())


@pytest.mark.sweep(2)
@pytest.mark.parametrize("is_flat", [False, True])
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 720)])
async def test_no_icon_of_the_final_score_stands_alone(
    table: Any, size: tuple[int, int], is_flat: bool
) -> None:
    """The rows have about equally many, with the loudspeaker beside others."""
    from ui.screens.score import ScoreScreen

    table.window.size = size
    await table.wait_frames()
    seen = ended(table.app.controller, tuple(seat.number for seat in table.app.controller.view.seats))
    table.app.stage.replace_screen(lambda: ScoreScreen(seen, is_flat=is_flat))
    score = table.app.stage.screen
    score.turn_up_all_cards()
    await table.wait_frames()
    rows = [len(row.children) for row in score.ids.signs.children]
    assert sum(rows) == (7 if is_flat else 6)
    assert min(rows) > 1
    assert max(rows) - min(rows) <= 1


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("is_flat", [False, True])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.usefixtures("without_motion")
async def test_the_final_score_says_why_it_is_provisional(
    open_app: Any, tmp_path: Path, size: tuple[int, int], is_flat: bool, lang: str
) -> None:
    """The badge gives the reason on every screen, as the heading leaves room for it."""
    from ui.screens.score import ScoreScreen

    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    table.app.controller.start_new_game("bidders", NAMES, COLOURS, {})
    seen = ended(table.app.controller, tuple(seat.number for seat in table.app.controller.view.seats))
    table.app.stage.replace_screen(lambda: ScoreScreen(seen, is_flat=is_flat))
    score = table.app.stage.screen
    score.turn_up_all_cards()
    await table.wait_frames()
    badge, heading = score.ids.warned, score.ids.heading
    assert badge.text == table.app.words.translate_text(lang, "Some card values are guesses")
    assert heading.x + heading.one_line_width() <= badge.x


@pytest.mark.parametrize("lang", languages())
async def test_the_qr_code_has_its_word_on_the_smallest_screen(table: Any, lang: str) -> None:
    """The keys of a row share its width as their words need it; at most the longest word has no room."""
    table.app.lang = lang
    score = await show(table, (3, 2, 1))
    score.turn_up_all_cards()
    await table.wait_frames()
    for row in score.ids.signs.children:
        *shorter, _longest = sorted(row.children, key=lambda key: key.width_with_caption())
        assert all(key.shown_caption for key in shorter), [key.caption for key in shorter]
    assert table.find("code").shown_caption


async def test_a_chart_has_an_axis_of_rounds(table: Any) -> None:
    """The numbers are below the lines, and apart from them the axis says what they count."""
    from ui import theme
    from ui.widgets.sheets.score_charts import ScoreLineChart

    seats = make_seats(["Aki", "Ben"])
    totals: dict[Seat, WholeOrHalf] = {seat: 3 - seat.number for seat in seats}
    for numbers, label, ticks in (((1, 1, 2, 3), "Round", "123"), ((None,) * 4, "Question", "1234")):
        moments = [ScoreMoment(n, totals, number) for n, number in enumerate(numbers, 1)]
        chart = ScoreLineChart(moments, size=(600, 300), size_hint=(None, None))
        table.app.stage.show_overlay(chart)
        await table.wait_frames()
        assert chart.axis_label.text == label
        shown = [tick for tick in chart.ticks if tick.text]
        assert "".join(tick.text for tick in shown) == ticks
        assert all(tick.top <= chart._lines_bottom for tick in shown)
        assert chart.axis_label.x >= shown[-1].right + theme.length.gap
        chart.parent.remove_widget(chart)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("lang", ["en", "ja", "de"])
@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
@pytest.mark.parametrize("placement", ["standing", "flat"])
async def test_the_ceremony_says_how_to_go_faster(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str, placement: str
) -> None:
    """While cards lie face down, the words are whole; afterwards they are gone."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    controller = table.app.controller
    controller.change_setting("placement", placement)
    controller.start_new_game("any_game", ["Aki", "Ben", "Chie"], SEAT_COLOURS[:3], {"template": "points"})
    answer_questions(controller, "finish")
    await table.wait_until(lambda: hasattr(table.app.stage.screen, "turn_up_all_cards"))
    await table.wait_frames(3)
    hint = table.app.tr("Touch to go faster.")
    assert table.find(hint).shown_text == hint
    assert not table.find(hint).shorten
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames(3)
    assert hint not in table.texts()


def test_no_number_has_a_line_through_it() -> None:
    """A line through a single digit reads as another sign: 1 as + or 十."""
    from kivy.graphics import InstructionGroup
    from kivy.graphics import Rectangle as DrawnRectangle

    from companion.rules.scene_views import CellView
    from companion.texts import say
    from ui.widgets.drawing.canvas_diff import record_drawing, update_canvas
    from ui.widgets.pieces.marks import PAPER_TEXT_COLOURS
    from ui.widgets.pieces.worded import make_cell_value_mark

    mark = make_cell_value_mark(CellView(None, say("total"), 1, is_void=True), PAPER_TEXT_COLOURS)
    drawing = record_drawing(lambda: mark.draw(100, 0, 61))
    drawn = [made for _, made in update_canvas(InstructionGroup(), [], drawing)]
    assert len([made for made in drawn if isinstance(made, DrawnRectangle)]) == 1
