"""A refusal is read by one alone only where its reason is private; what lies in the open is said to all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app

pytestmark = pytest.mark.usefixtures("without_motion")


async def test_cards_that_were_paid_before_all_are_refused_before_all(open_app: Any, tmp_path: Path) -> None:
    """Aki pays with card 4.1; that Ben can't pay with it, too, stands near the question for everybody."""
    table = await open_app(make_test_app(tmp_path, lang="en"))
    controller = table.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    for answer in ("1", True, 1, 2, None, None, [{"card": "4.1"}]):
        controller.answer_question(controller.view.question_number, answer)
    n, asked = controller.view.question_number, controller.view.question.seat
    controller.answer_question(n, [{"card": "4.1"}, {"card": "5.1"}])
    await table.wait_frames()
    assert controller.view.question_number == n
    assert "At least one of these cards can't be here any more: card 4.1, card 5.1." in table.texts()
    assert f"That isn't possible. Only {asked.name} may see the reason." not in table.texts()


async def test_provisional_values_lead_to_the_cards(open_app: Any, tmp_path: Path) -> None:
    """A touch on the sign or beside it says what it means; from there the way leads to the cards."""
    from ui.screens.cards_and_tags import DeckPage
    from ui.screens.play import PlayScreen

    table = await open_app(make_test_app(tmp_path, lang="en"))
    controller = table.app.controller
    controller.start_new_game("bidders", NAMES, COLOURS, {})
    await table.wait_frames(4)
    badge = shown_badge(table.app.stage.screen)
    assert badge.text in ("provisional", "Some card values are guesses")
    reach = 0.49 * theme_target()
    await touch(table, *badge.to_window(badge.center_x - reach, badge.center_y))
    assert "Some card values are guesses" in table.texts()
    await table.tap("no")
    assert isinstance(table.app.stage.screen, PlayScreen)
    await touch(table, *badge.to_window(*badge.center))
    await table.tap("yes")
    assert isinstance(table.app.stage.screen, DeckPage)
    assert controller.evening.unfinished_games()[0].game == "bidders"


async def test_a_badge_of_a_demo_leads_nowhere(open_app: Any, tmp_path: Path) -> None:
    """It says Demo, and its values are nobody's."""
    table = await open_app(make_test_app(tmp_path, lang="en"))
    table.app.controller.start_new_game("bidders", NAMES, COLOURS, {})
    await table.wait_frames(4)
    screen = table.app.stage.screen
    screen.is_demo = True
    screen.show_view()
    await table.wait_frames(4)
    badge = shown_badge(screen)
    assert badge.text == "Demo"
    await touch(table, *badge.to_window(*badge.center))
    assert "Some card values are guesses" not in table.texts()


def shown_badge(screen: Any) -> Any:
    """Returns the only badge with a warning: in the heading line, else in the banner."""
    badges = [part.warning_badge for part in (screen.heading, screen.question_banner)]
    (shown,) = [badge for badge in badges if badge.opacity]
    return shown


def theme_target() -> float:
    """How large any key is at least."""
    from ui import theme

    return theme.length.target


async def touch(table: Any, x: float, y: float) -> None:
    """A finger there, and away again."""
    from kivy.tests.common import UnitTestTouch

    finger = UnitTestTouch(x, y)
    finger.touch_down()
    await table.wait_frames(1)
    finger.touch_up()
    await table.wait_frames(3)
