"""Keypads beside the screen: whose is missing is said there, and the demo table hears none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.languages import languages
from companion.session.view import make_view
from hardware.signals import ControlKeyAnswer
from hardware.simulated.keypads import SimulatedKeypad
from hardware.wiring import Keypad, Numpad, Wiring
from tests.support.calls import calls_of
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions, make_test_app
from tests.support.ui.screen_faults import find_faults

BEN_MISSES = "Ben's keypad is unplugged. Plug it in again or let Ben use the screen."


@pytest.fixture
def pad(tmp_path: Path) -> Iterator[SimulatedKeypad]:
    """The keypad of seat 2."""
    with SimulatedKeypad("kp-2", tmp_path / "kp-2") as pad:
        yield pad


@pytest.fixture
async def home(open_app: Any, tmp_path: Path, without_motion: None) -> Any:
    """The app on its first screen; seats 2 and 3 have keypads, if those are plugged in."""
    wiring = Wiring(tuple(Keypad(seat, port=str(tmp_path / f"kp-{seat}")) for seat in (2, 3)))
    return await open_app(wired_app(tmp_path, wiring))


def wired_app(folder: Path, wiring: Wiring, **kwargs: Any) -> Any:
    """The app with these devices."""
    from companion.store import Store
    from ui.app import CompanionApp
    from ui.evening.controller import TableController

    def controller() -> TableController:
        return TableController(Store.open(folder / "state", for_writing=True), wiring)

    return CompanionApp(controller, **kwargs)


def missed(table: Any) -> Sequence[str]:
    """What the screen says about keypads."""
    return [text for text in table.texts() if "keypad" in text]


def rows(table: Any) -> list[tuple[str, str]]:
    """Everybody in set-up: how they answer, and whether their row is lit."""
    people = table.app.stage.screen.people_page
    return [(row.devices_label.text, row.name_key.look) for row in people.rows]


async def test_set_up_shows_how_everybody_answers(home: Any, pad: SimulatedKeypad) -> None:
    """A press on one's own keypad lights one's row for a moment, and does nothing else."""
    await home.tap("Egypt")
    await home.wait_until(lambda: rows(home)[1][0] == "keypad")
    assert rows(home) == [("screen", "paper"), ("keypad", "paper"), ("keypad off", "paper")]
    looks: list[tuple[int, str]] = []  # a busy machine may look away for the whole moment
    for at, row in enumerate(home.app.stage.screen.people_page.rows):
        row.name_key.bind(look=lambda _, look, at=at: looks.append((at, look)))
    await home.wait_until(lambda: "not connected" not in pad.display)  # before that it takes no key
    pad.type("12 OK")
    await home.wait_until(lambda: (1, "paper") in looks)
    assert looks[0] == (1, "brass")
    assert {at for at, _ in looks} == {1}
    assert not [text for text in home.texts() if "12" in text]
    assert home.app.controller.view is None
    pad.unplug()
    await home.wait_until(lambda: rows(home)[1][0] == "keypad off")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280), (1920, 1080)])
async def test_how_everybody_answers_fits_every_size(
    open_app: Any, tmp_path: Path, lang: str, size: tuple[int, int]
) -> None:
    """Five people, some of whose devices are missing, and one who has two: nothing is cut."""
    wiring = Wiring(
        tuple(Keypad(seat, port=str(tmp_path / f"kp-{seat}")) for seat in (1, 3, 5)),
        numpad=(Numpad(5, "usb-0000:01:00.0-1.1"),),
    )
    table = await open_app(wired_app(tmp_path, wiring, lang=lang), size)
    table.app.open_game_setup("egypt")
    await table.wait_frames(3)
    await table.tap("5")
    await table.wait_frames(4)
    assert not find_faults(table, size)


async def test_without_devices_set_up_says_nothing_of_them(open_app: Any, tmp_path: Path) -> None:
    """Where everybody answers on the screen, nobody need be told."""
    table = await open_app(make_test_app(tmp_path / "state"))
    await table.tap("Egypt")
    assert "screen" not in table.texts()


async def test_a_press_in_a_game_lights_nobody_in_set_up(home: Any) -> None:
    """Only before a game is it a trial."""
    heard: list[tuple[str, bool]] = []
    controller = home.app.controller
    controller.bind(on_device_activity=lambda _, device, pressed: heard.append((device, pressed)))
    press = ControlKeyAnswer("keypad 2", 0, "ok", 0.0, 1)
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    controller._announce_input(press)
    await home.wait_frames(2)
    assert heard == []
    controller.leave_table()
    controller._announce_input(press)
    await home.wait_frames(2)
    assert ("keypad 2", True) in heard


async def test_a_keypad_that_is_not_there_is_missed_when_its_seat_is_asked(home: Any) -> None:
    """The sentence names the seat and what to do; it is said once, not at every question."""
    controller = home.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(controller, "1", True)
    await home.wait_frames()
    assert missed(home) == []
    answer_questions(controller, 3)
    await home.wait_frames()
    assert missed(home) == [BEN_MISSES]
    answer_questions(controller, 4, None, 5)
    await home.wait_frames()
    assert controller.view.question.seat.name == "Ben"
    assert missed(home) == []


async def test_everybody_whose_keypad_is_missing_in_a_sealed_round_is_named(home: Any) -> None:
    """One sentence for each, all of them together."""
    home.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    await home.wait_frames()
    assert missed(home) == [f"{BEN_MISSES} {BEN_MISSES.replace('Ben', 'ちえ')}"]


async def test_a_keypad_that_is_unplugged_in_its_own_turn_is_missed_at_once(
    home: Any, pad: SimulatedKeypad
) -> None:
    """And again the next time."""
    controller = home.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(controller, "1", True, 3)
    for _ in range(2):
        await home.wait_until(
            lambda: pad.light == "on" and "keypad 2" not in controller._devices.lost_devices
        )
        home.app.stage.screen.refusal.text = ""
        pad.unplug()
        await home.wait_until(lambda: missed(home) == [BEN_MISSES])
        pad.plug_in()


async def test_what_is_said_of_a_keypad_goes_when_it_is_back(home: Any, pad: SimulatedKeypad) -> None:
    """At once, without a touch; what is said of others stays, in either language, and no seal takes it."""
    controller = home.app.controller
    await home.wait_until(lambda: "keypad 2" not in controller._devices.lost_devices)
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    chie_misses = BEN_MISSES.replace("Ben", "ちえ")
    await home.wait_until(lambda: missed(home) == [chie_misses])
    pad.unplug()
    await home.wait_until(lambda: missed(home) == [f"{chie_misses} {BEN_MISSES}"])
    controller.seal_answer_in_envelope(controller.view.question_number, controller.view.seats[0], 3)
    home.app.lang = "ja"
    await home.wait_frames()
    assert [text for text in home.texts() if "Ben" in text and "キーパッド" in text]
    home.app.lang = "en"
    pad.plug_in()
    await home.wait_until(lambda: missed(home) == [chie_misses])


async def test_the_demo_table_hears_no_keypad(home: Any, pad: SimulatedKeypad) -> None:
    """Its keypads stay dark, and what is pressed on them changes nothing."""
    await home.wait_until(lambda: pad.display == "\n")
    home.app.home_flow.play_demo()
    for _ in range(8):
        n = home.app.controller.view.question_number
        pad.type("1 OK")
        await home.wait_until(lambda n=n: home.app.controller.view.question_number > n)
        assert pad.light == "off"
    assert home.app.controller.is_playing_recording


async def test_a_press_is_looked_at_once(home: Any, pad: SimulatedKeypad) -> None:
    """Screen and keypads show the same view of it: none is built for each of them, and none twice."""
    controller = home.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(controller, "1", True, 3)
    n, seen = controller.view.question_number, list[Any]()
    await home.wait_until(lambda: pad.answerable_question_number == n)  # earlier ones light it, too
    controller.fbind("view", lambda _, new: seen.append(new))
    with calls_of(make_view) as built:
        pad.type("4 OK")
        await home.wait_until(lambda: controller.view.question_number > n)
        await home.wait_until(lambda: pad.light == "off")
    assert [shown.question_number for shown in seen] == [n + 1]
    assert len(built) == 1
