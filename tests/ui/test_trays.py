"""Cards on a simulated reader beside the screen: picked as if by touch, offered, refused in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.log.log import MemoryLog
from companion.requests import Done, Read
from companion.rules.game import Game
from companion.session.session import Session
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table as Rules
from companion.texts import say
from hardware.simulated.pins import ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Reader, Wiring
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions
from tests.support.ui.screen_sizes import SIZES_AND_LONG_WORDS

WIRING = Wiring(reader=(Reader("market", "/dev/spidev0.0"),))
CARDS = {
    "04A2B3C4D5E601": ("high_bid", "lamps.1"),
    "04A2B3C4D5E602": ("high_bid", "maps.1"),
    "04A2B3C4D5E603": ("egypt", "4.1"),
    "04A2B3C4D5E604": ("egypt", "7.1"),
    "04A2B3C4D5E605": ("egypt", "7.2"),
}
TAG = {card: uid for uid, card in CARDS.items()}


class Metal:
    """A reader, hands, and a clock that goes on when something has been done."""

    def __init__(self, table: Any, metal: SimulatedTable) -> None:
        self.table, self.metal = table, metal
        self.controller = table.app.controller

    def lay(self, game: str, *cards: str) -> None:
        """Lays cards on the reader."""
        self.metal.clock.wait(1.0)
        for card in cards:
            self.metal.readers["market"].add_tag(TAG[game, card])

    def lift(self, game: str, card: str) -> None:
        """It is taken away."""
        self.metal.readers["market"].remove_tag(TAG[game, card])

    def begin(self, game: str, *answers: object) -> None:
        """A game up to its first cards."""
        assert self.controller.start_new_game(game, NAMES, COLOURS, {})
        answer_questions(self.controller, *answers)

    async def laid(self, count: int, waiting: int = 0) -> None:
        """It comes to so many cards laid, and so many that wait."""
        trays = self.controller.reader_state
        await self.table.wait_until(
            lambda: (len(trays.current_tags), trays.waiting_tag_count) == (count, waiting)
        )
        await self.table.wait_frames()


@pytest.fixture
def simulated() -> Iterator[SimulatedTable]:
    """A table with one reader."""
    with SimulatedTable(WIRING, ManualClock()) as metal:
        yield metal


@pytest.fixture
def open_metal(open_app: Any, tmp_path: Path, without_motion: None, simulated: SimulatedTable) -> Any:
    """The app at some size, over a store that knows a few tags."""
    from companion.store import Store
    from hardware.devices import Devices
    from ui.app import CompanionApp
    from ui.evening.controller import TableController

    def controller() -> Any:
        store = Store.open(tmp_path / "state", for_writing=True)
        for uid, card in CARDS.items():
            store.assign_tag(uid, *card)
        devices = partial(Devices, clock=simulated.clock, pins=simulated.pins, spi=simulated.open_reader)
        return TableController(store, WIRING, devices=devices)

    async def start(size: tuple[int, int] = (800, 480), lang: str = "en") -> Metal:
        table = await open_app(CompanionApp(controller, lang=lang), size)
        return Metal(table, simulated)

    return start


OWED = ("1", True, 3, None, None)
"""Answers of Egypt after which Aki owes 3 for chip 4."""


async def test_laid_cards_are_counted_on_the_payment_pad(open_metal: Any) -> None:
    """Each card that is laid or lifted is a step; touch can add typed ones, and takes no laid one back."""
    there = await open_metal()
    there.begin("egypt", *OWED)
    pad = there.table.app.stage.screen.question_widget
    there.lay("egypt", "7.1", "7.2")
    await there.laid(2)
    assert [stepper.count for stepper in pad.steppers] == [0, 2]
    assert pad.steppers[1].rest == 1
    assert there.table.find("lay").disabled
    there.lift("egypt", "7.2")
    await there.laid(1)
    assert [stepper.count for stepper in pad.steppers] == [0, 1]
    await there.table.tap("more 1", "lay")
    step = there.controller.evening.current_session.steps[-1]
    assert step.answer == [{"card": "7.1"}, {"values": {"number": 4}}]


async def test_what_lies_there_is_taken_with_one_touch(open_metal: Any) -> None:
    """Cards laid before the payment was asked for are offered, not counted; the key goes with the touch."""
    there = await open_metal()
    there.begin("egypt", *OWED[:4])
    there.lay("egypt", "4.1", "7.1")
    await there.table.wait_until(lambda: len(there.metal.readers["market"].tag_uids) == 2)
    before = there.controller.reader_state
    assert (before.current_tags, before.waiting_tag_count) == ([], 0)
    tray = there.controller._devices.tag_input._tags_on_readers
    await there.table.wait_until(lambda: len(tray._tags_by_device.get("reader market", ())) == 2)
    answer_questions(there.controller, None)
    await there.laid(0, waiting=2)
    await there.table.tap("Use these 2 cards")
    await there.laid(2)
    assert "Use these 2 cards" not in there.table.texts()
    await there.table.tap("lay")
    assert there.controller.evening.current_session.steps[-1].answer == [{"card": "4.1"}, {"card": "7.1"}]


async def test_a_card_that_is_turned_up_needs_no_touch(open_metal: Any) -> None:
    """It is the answer; what lay there before is a key of the list."""
    there = await open_metal()
    there.begin("high_bid", "1")
    there.lay("high_bid", "lamps.1")
    tray = there.controller._devices.tag_input._tags_on_readers
    await there.table.wait_until(lambda: bool(tray._tags_by_device))
    answer_questions(there.controller, True)
    await there.laid(0, waiting=1)
    n = there.controller.view.question_number
    await there.table.tap("Use this card")
    assert there.controller.view.question_number > n
    assert there.controller.evening.current_session.steps[-1].via == "reader"


async def test_another_games_card_is_refused_in_words(open_metal: Any) -> None:
    """The sentence stands at the question, which waits."""
    there = await open_metal()
    there.begin("high_bid", "1", True)
    n = there.controller.view.question_number
    there.lay("egypt", "4.1")
    sentence = "This tag belongs to card 4, 1 of 4 in Egypt."
    await there.table.wait_until(lambda: sentence in there.table.texts())
    assert there.controller.view.question_number == n


async def test_what_was_wrong_with_a_card_goes_with_the_next_that_is_taken(open_metal: Any) -> None:
    """Nobody needs to touch the screen; lifting the wrong one leaves time to read."""
    there = await open_metal()
    there.begin("egypt", *OWED)
    there.lay("high_bid", "lamps.1")
    await there.table.wait_until(lambda: any("High Bid" in text for text in there.table.texts()))
    said = there.table.app.stage.screen.refusal.text
    there.lift("high_bid", "lamps.1")
    tray = there.controller._devices.tag_input._tags_on_readers
    await there.table.wait_until(lambda: not any(tray._tags_by_device.values()))
    assert said in there.table.texts()
    there.lay("egypt", "7.1")
    await there.laid(1)
    assert said not in there.table.texts()


async def test_a_notice_over_the_score_goes_when_its_reason_goes(
    open_metal: Any, simulated: SimulatedTable
) -> None:
    """Where no question stands, what a device lacks is said over the screen."""
    there = await open_metal()
    there.begin("egypt")
    await there.table.wait_frames()
    await there.table.tap("more", "end", "yes")
    there.table.app.stage.screen.turn_up_all_cards()
    simulated.readers["market"].unplug()
    await there.table.wait_until(lambda: any("The reader market" in text for text in there.table.texts()))
    simulated.readers["market"].plug_in()

    def is_gone() -> bool:
        simulated.clock.wait(1.0)
        return not any("The reader market" in text for text in there.table.texts())

    await there.table.wait_until(is_gone)


async def test_a_reader_that_is_not_there_is_said_once(open_metal: Any, simulated: SimulatedTable) -> None:
    """A game with cards begins without it."""
    simulated.readers["market"].unplug()
    there = await open_metal()
    await there.table.wait_until(lambda: "reader market" in there.controller._devices._lost_by_device)
    there.begin("egypt")
    await there.table.wait_frames()
    assert [text for text in there.table.texts() if "The reader market" in text]
    answer_questions(there.controller, "1")
    await there.table.wait_frames()
    assert not [text for text in there.table.texts() if "The reader market" in text]


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LONG_WORDS)
async def test_nothing_is_cut(open_metal: Any, size: tuple[int, int], lang: str) -> None:
    """Both pads with cards that lie there, at every size in both languages."""
    from tests.ui.test_play import check_all

    there = await open_metal(size, lang)
    there.lay("high_bid", "lamps.1")
    there.lay("egypt", "4.1", "7.1")
    tray = there.controller._devices.tag_input._tags_on_readers
    await there.table.wait_until(lambda: len(tray._tags_by_device.get("reader market", ())) == 3)
    there.begin("egypt", *OWED)
    await there.laid(0, waiting=2)
    check_all(there.table, size)
    there.begin("high_bid", "1", True)
    await there.laid(0, waiting=1)
    check_all(there.table, size)


async def lay_three(table: Rules) -> GameResult:
    """Up to three cards are laid down."""
    await Read(table.seats[0], say("Lay cards down"), table.track_faces("high_bid"), 0, 3, is_face_up=True)
    await Done(None, say("Pack up"))
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


async def test_laid_cards_are_chosen_keys_of_the_list(open_metal: Any) -> None:
    """Laid, touched and offered ones are one answer; no touch takes a laid one back, lifting does."""
    there = await open_metal()
    game = Game("three", 1, say("Three cards"), (2, 5), lay_three, decks=("high_bid",))
    there.lay("high_bid", "maps.1")
    tray = there.controller._devices.tag_input._tags_on_readers
    await there.table.wait_until(lambda: bool(tray._tags_by_device))
    evening = there.controller.evening
    evening.session = Session.begin(game, NAMES, {}, MemoryLog(), tags=evening.store.card_of_tag)
    there.controller._show()
    await there.laid(0, waiting=1)
    there.lay("high_bid", "lamps.1")
    await there.laid(1, waiting=1)
    find = there.table.find
    assert [find(f"card {name}").chosen for name in ("lamps", "maps", "coins")] == [True, False, False]
    await there.table.tap("card coins", "Use this card")
    await there.laid(2)
    assert [find(f"card {name}").chosen for name in ("lamps", "maps", "coins")] == [True, True, True]
    assert find("lay").text == "Done: 3"
    await there.table.tap("take back")
    assert find("take back").disabled
    there.lift("high_bid", "maps.1")
    await there.laid(1)
    await there.table.tap("lay")
    assert there.controller.evening.current_session.steps[-1].answer == [{"card": "lamps.1"}]
