"""One whole game of each rulebook on the real window: nothing is cut, whatever is asked."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.requests import Amount, Choose, Counts, Done, Raise, Roll, Together
from companion.rules.scene_views import CardSpreadView
from companion.testing.random_game import answer_randomly
from tests.any_game_presets import SHIPPED
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import answer_questions, make_test_app
from tests.support.ui.screen_sizes import SIZES
from tests.support.ui.text_checks import check_all_texts_are_whole
from tests.ui.test_play import check_all

NAMES = ["Emmanuelle", "Ben", "ちえ", "ダイスケ", "Maximilian"]
COLOURS = ["orange", "sky", "green", "vermilion", "purple"]
PATIENCE = 300
FEW = 6
"""More touches than these for one number are typed in no time by nobody."""


def touches(question: Any, plain: Any) -> list[str]:
    """The keys that give this answer, from first to last; none where it takes too many."""
    keys: list[str] = []
    match question:
        case Done():
            keys = ["done"]
        case Choose():
            keys = [plain, "sure"] if question.confirmation_for(plain) else [plain]
        case Raise() | Counts() if plain is None:
            keys = ["way out" if isinstance(question, Raise) else "cant"]
        case Amount() | Raise():
            keys = [*("sign" if key == "-" else key for key in str(plain)), "confirm"]
        case Roll():
            keys = [f"die {at} {face}" for at, face in enumerate(plain, 1)]
        case Counts() if sum(plain.values()) <= FEW:
            keys = [f"more {key}" for key, count in plain.items() for _ in range(count)] + ["take"]
    return keys


def keys_seen(table: Any) -> set[str]:
    """The keys that can be touched."""
    from ui.widgets.keys.key import Key

    return {widget.name or widget.text for widget in table.widgets() if isinstance(widget, Key)}


async def answered(table: Any, rng: Random, *, by_touch: bool) -> None:
    """The open question is answered in some legal way."""
    from ui.demo.hand import SimulatedFinger

    controller = table.app.controller
    question, n = controller.view.question, controller.view.question_number
    if isinstance(question, Together):
        for seat, part in question.parts_by_seat.items():
            controller.seal_answer_in_envelope(n, seat, part.answer_to_json(part.random_legal_answer(rng)))
        if table.app.table_flow.last_reveal_screen is not None:
            table.app.table_flow.last_reveal_screen.close()
        return
    plain = question.answer_to_json(question.random_legal_answer(rng))
    keys = touches(question, plain) if by_touch else []
    if not keys or not set(keys) <= keys_seen(table):
        controller.answer_question(n, plain)
        return
    await SimulatedFinger(table.app, table.window).tap_buttons(*keys)  # it finds a key by its name first
    assert controller.evening.session.steps[-1].answer == plain


async def show_question(table: Any) -> None:
    """Shows what is on the table after answers that weren't shown."""
    table.app.controller._show()
    if table.app.table_flow.last_reveal_screen is not None:
        table.app.table_flow.last_reveal_screen.close()
    await table.wait_frames(4)


TABLES = [
    ("bidders", 5, 47, "en"),
    ("high_bid", 4, 40, "ja"),
    ("mammon", 5, 45, "ja"),
    ("oyakata", 4, 17, "en"),
]
"""Game, players, seed, language."""


@pytest.mark.parametrize("at", TABLES if SOAK else TABLES[:1], ids=lambda at: at[0])
async def test_a_whole_game_fits_on_the_window(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: Any
) -> None:
    """Every kind of question is answered by touch when it comes first, up to the sums of the final score."""
    from ui import theme

    game, players, seed, lang = at
    monkeypatch.setattr(theme, "IGNORED_REPEATED_TOUCH_SECONDS", 0.0)
    table = await open_app(make_test_app(tmp_path / "state", lang=lang))
    controller, rng, seen = table.app.controller, Random(seed), set()
    controller.start_new_game(game, NAMES[:players], COLOURS[:players], {})
    session = controller.evening.current_session
    while (question := session.question) is not None:
        news = (question.kind, getattr(getattr(question, "question", None), "template", ""))
        if news in seen:
            answer_randomly(session, rng)  # not shown: it would take most of the time
            continue
        seen.add(news)
        await show_question(table)
        check_all(table, SIZES[0])
        await answered(table, rng, by_touch=True)
    await show_question(table)
    assert len(seen) > FEW
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()
    await table.tap(NAMES[0])
    check_all_texts_are_whole(table.widgets())


async def back_to_the_menu(table: Any, rng: Random) -> None:
    """Answers whatever a line of the menu leads to, until the menu is there again, or the final score."""
    controller = table.app.controller
    for _ in range(PATIENCE):
        await table.wait_frames()
        question = controller.view.question
        if question is None or question.text.template == "What is next?":
            return
        await answered(table, rng, by_touch=True)
    raise AssertionError("there is no way back to the menu")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("template", SHIPPED)
async def test_any_game_is_played_by_touch_with_each_template(
    open_app: Any, tmp_path: Path, without_motion: None, template: str
) -> None:
    """Whatever the menu has is done once, by touch where that can be; then the final score is seen."""
    table, rng = await open_app(make_test_app(tmp_path / "state")), Random(template)
    controller = table.app.controller
    controller.start_new_game("any_game", NAMES[:3], COLOURS[:3], {"template": template})
    await table.wait_frames()
    for key in [key for key in controller.view.question.options if key != "finish"]:
        if controller.view.question is not None and key in controller.view.question.options:
            controller.answer_question(controller.view.question_number, key)
            await back_to_the_menu(table, rng)
    if controller.view.question is not None:
        while "finish" not in keys_seen(table):
            await table.tap("page on")
        await table.tap("finish")
        assert "Finish this game and count the score?" in table.texts()
        await table.tap("not sure")
        while "finish" not in keys_seen(table):
            await table.tap("page on")
        await table.tap("finish", "sure")
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()
    assert "Final score" in table.texts()
    assert len(controller.view.result.standings) == 3


async def test_chips_of_a_template_are_told_apart(open_app: Any, tmp_path: Path) -> None:
    """Before each seat every chip is drawn in its colour, with its number and the letter of the colour."""
    table = await open_app(make_test_app(tmp_path / "state"))
    table.app.controller.start_new_game("any_game", NAMES[:2], COLOURS[:2], {"template": "poker"})
    await table.wait_frames()
    strip = next(iter(table.app.stage.screen.panels.values()))
    assert {"B 5", "R 10", "W 20"} <= set(strip.visible_texts)


def test_every_look_and_colour_of_a_template_can_be_drawn(kivy_window: Any) -> None:
    """Each look that a template may name is drawn as a thing, each colour is one of those of no player."""
    from companion.cards import shipped_deck_file
    from ui import theme
    from ui.widgets.pieces.things import SOLID_PIECE_LOOKS

    fields = shipped_deck_file("any_game").deck.fields
    assert set(fields["look"].choices) <= set(SOLID_PIECE_LOOKS)
    assert set(fields["colour"].choices) == {"plain", *theme.PIECE_COLOURS}


@pytest.mark.usefixtures("without_motion")
async def test_the_market_of_mammon_is_counted_anew(home: Any) -> None:
    """On the screen too the cards left are numbered from the head."""
    controller = home.app.controller
    assert controller.start_new_game("mammon", NAMES[:2], COLOURS[:2], {})
    answer_questions(controller, True)
    aki, ben = controller.view.seats
    for seat, bid in ((aki, 1), (ben, 0)):
        controller.seal_answer_in_envelope(controller.view.question_number, seat, bid)
    answer_questions(controller, "2", "4", "4")
    await home.wait_frames()
    middle_parts = home.app.stage.screen.scene_view.middle_parts
    cards = [part for part in middle_parts if isinstance(part, CardSpreadView)]
    left = [part.place.slot for part in cards if part.back_count]
    assert left
    assert left == list(range(1, len(left) + 1))
