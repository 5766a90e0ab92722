"""Phones on the touchscreen: switching them on, pairing by QR code and digits, answering, unpairing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from companion.languages import languages
from companion.recorded_match import load_recorded_events
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR
from companion.web.link import WebListening
from companion.web.relay import UNPAIRED_CODE
from hardware.signals import PhoneSignal
from tests.support.long_names import PEOPLE
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions, make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.support.web_phone import WebPhone


@pytest.fixture
def open_table(open_app: Any, tmp_path: Path, loopback: None, seconds: Any) -> Callable[..., Any]:
    """A function that starts the program; the first time, it begins a game of sealed bids."""

    async def begin(
        size: tuple[int, int] = (800, 480),
        names: Any = NAMES,
        settings: Any = (),
        *,
        starts_again: bool = False,
        **kwargs: Any,
    ) -> Any:
        table = await open_app(make_test_app(tmp_path / "state", seconds=seconds, **kwargs), size)
        controller = table.app.controller
        for name, value in settings:
            controller.change_setting(name, value)
        if starts_again:
            controller.resume_saved_game()
        else:
            colours = [*SIGN_BY_SEAT_COLOUR][: len(names)]
            assert controller.start_new_game("sealed_bid", names, colours, {})
        await table.wait_frames(3)
        return table

    return begin


@pytest.fixture
async def table(open_table: Callable[..., Any]) -> Any:
    """A game of sealed bids on the table."""
    return await open_table()


async def open_phones(table: Any) -> Any:
    """Opens the page of phones; returns the service."""
    await table.tap("more", "phones")
    return table.app.controller.phone_service


async def switch_on(table: Any) -> Any:
    """Opens the page of phones and switches them on; returns the service."""
    service = await open_phones(table)
    await table.tap("switch")
    assert service.is_on
    return service


async def compare_digits(table: Any, service: Any) -> tuple[WebPhone, Any]:
    """Scans the code that the screen shows; returns the phone, and what waits for the touch on the screen."""
    await table.wait_until(lambda: service.phones.address_of_code() is not None)
    phone = WebPhone(service.phones.address_of_code())
    digits = await asyncio.to_thread(phone.redeem)
    await table.wait_until(lambda: digits in table.texts())
    waiting = asyncio.create_task(asyncio.to_thread(phone.await_confirmation))
    await table.wait_until(lambda: service.phones.pending_pairing.confirmation_request is not None)
    return phone, waiting


async def pair(table: Any, service: Any, *keys: str) -> WebPhone:
    """Pairs a phone, with touches of keys and of the digits on the screen, and HTTP on the phone."""
    await table.tap(*keys)
    phone, waiting = await compare_digits(table, service)
    await table.tap("equal")
    assert await waiting == 200
    return phone


async def connect(table: Any, service: Any, phone: WebPhone) -> None:
    """Opens the page of a paired phone, and waits until the box knows it."""
    await asyncio.to_thread(phone.open_page)
    await table.wait_until(lambda: phone.client.seat_number in service.phones.connected_seat_numbers)


def says(table: Any, seat_number: int, text: str) -> Callable[[], bool]:
    """Returns a function that returns whether the page of phones says this about a seat."""
    return lambda: table.find(f"seat {seat_number}").detail_text == text


async def test_a_phone_is_paired_by_touch_and_seals_a_bid(table: Any) -> None:
    """Switched on, scanned, digits compared, bid sealed: the table's envelope has the phone's letters."""
    service = await switch_on(table)
    phone = await pair(table, service, "seat 2")
    await table.wait_until(lambda: "A phone for Ben" not in table.texts())
    await asyncio.to_thread(phone.open_page)
    await table.wait_until(says(table, 2, "Phone is connected"))
    await asyncio.to_thread(phone.answer, 7)
    (seal,) = [each.seal for each in table.app.controller.view.envelopes if each.has_answer]
    assert phone.tab is not None
    assert phone.tab.private["envelope"] == {"answer": "7", "letters": seal}
    phone.close()
    await table.wait_until(says(table, 2, "Phone is asleep"))


async def test_an_unpaired_phone_is_told_so_at_once(table: Any) -> None:
    """One touch on the player, one on the key; the seat has no phone, and the page's connection is closed."""
    service = await switch_on(table)
    phone = await pair(table, service, "seat 2")
    await connect(table, service, phone)
    await table.tap("seat 2", "unpair")
    assert await asyncio.to_thread(phone.wait_until_closed) == UNPAIRED_CODE
    assert says(table, 2, "No phone")()


async def test_another_phone_takes_the_place_of_the_first(table: Any) -> None:
    """Until the digits have been compared, the first one stays paired; then only the other one can answer."""
    service = await switch_on(table)
    first = await pair(table, service, "seat 2")
    await connect(table, service, first)
    await table.tap("seat 2", "code", "close")
    assert service.phones.paired_seat_numbers == {2}
    second = await pair(table, service, "seat 2", "code")
    assert await asyncio.to_thread(first.wait_until_closed) == UNPAIRED_CODE
    await connect(table, service, second)
    await asyncio.to_thread(second.answer, 7)
    assert [each.seat.name for each in table.app.controller.view.envelopes if each.has_answer] == ["Ben"]
    second.close()


async def test_a_phone_whose_digits_differ_is_refused(table: Any) -> None:
    """The phone is told so; the seat has no phone, and the page of the code is closed."""
    service = await switch_on(table)
    await table.tap("seat 2")
    _, waiting = await compare_digits(table, service)
    await table.tap("differ")
    assert await waiting == 403
    assert says(table, 2, "No phone")()


async def test_a_code_can_be_used_for_five_minutes(table: Any, seconds: Any) -> None:
    """Then its page closes, and a phone that scanned it before is refused."""
    service = await switch_on(table)
    await table.tap("seat 2")
    await table.wait_until(lambda: service.phones.address_of_code() is not None)
    phone = WebPhone(service.phones.address_of_code())
    seconds.now += 299
    await table.wait_frames(3)
    assert "A phone for Ben" in table.texts()
    seconds.now += 2
    await table.wait_until(lambda: "A phone for Ben" not in table.texts())
    with pytest.raises(AssertionError, match="403"):
        await asyncio.to_thread(phone.redeem)


async def test_digits_are_compared_within_a_minute(table: Any, seconds: Any) -> None:
    """Otherwise the phone is refused, and the page of the digits closes."""
    service = await switch_on(table)
    await table.tap("seat 2")
    _, waiting = await compare_digits(table, service)
    seconds.now += 61
    assert await waiting == 403
    await table.wait_until(lambda: "A phone for Ben" not in table.texts())
    assert says(table, 2, "No phone")()


async def test_switched_off_no_page_is_connected(table: Any) -> None:
    """The connection is closed, the web process has ended, and no phone is paired when they are on again."""
    service = await switch_on(table)
    phone = await pair(table, service, "seat 2")
    await connect(table, service, phone)
    await table.tap("switch")
    await asyncio.to_thread(phone.wait_until_closed)
    with pytest.raises(ConnectionRefusedError):
        await asyncio.to_thread(phone.open_page)
    await table.tap("switch")
    assert service.phones.paired_seat_numbers == frozenset()


async def test_phones_stay_paired_when_the_program_restarts(open_table: Callable[..., Any]) -> None:
    """Phones are on at once, and the page of a phone connects again and answers."""
    table = await open_table()
    phone = await pair(table, await switch_on(table), "seat 2")
    table.app.close_evening()
    table.window.remove_widget(table.app.root)
    table = await open_table(starts_again=True)
    service = table.app.controller.phone_service
    await table.wait_until(lambda: service.is_on and bool(service.phones.web_addresses))
    phone.host = service.phones.web_addresses[0]
    await connect(table, service, phone)
    await asyncio.to_thread(phone.answer, 7)
    assert [each.seat.name for each in table.app.controller.view.envelopes if each.has_answer] == ["Ben"]
    phone.close()


async def test_a_killed_web_process_is_started_again(table: Any) -> None:
    """The phone is asleep until its page has connected again; it is still paired."""
    service = await switch_on(table)
    phone = await pair(table, service, "seat 2")
    await connect(table, service, phone)
    await table.wait_until(says(table, 2, "Phone is connected"))
    service._web_process.child.kill()
    await table.wait_until(says(table, 2, "Phone is asleep"))
    await table.wait_until(lambda: bool(service.phones.web_addresses))
    phone.host = service.phones.web_addresses[0]
    await connect(table, service, phone)
    await table.wait_until(says(table, 2, "Phone is connected"))
    phone.close()


async def test_strangers_move_nothing_on_the_screen(table: Any) -> None:
    """A key that is about to be touched stays the same, whoever connects with a recorded cookie or watches.

    With only the cookie, no phone is shown anything either.
    """
    service = await switch_on(table)
    phone = await pair(table, service, "seat 2")
    await connect(table, service, phone)
    await table.wait_until(says(table, 2, "Phone is connected"))
    key = table.find("seat 1")
    with pytest.raises(ConnectionClosed):
        await asyncio.to_thread(phone.eavesdropper().open_page)
    await table.wait_frames(5)
    assert not await asyncio.to_thread(phone.has_more)
    with await asyncio.to_thread(phone.watch_table, "de") as viewer:
        assert await asyncio.to_thread(viewer.recv, 30)
    await table.wait_frames(5)
    assert table.find("seat 1") is key
    phone.close()


# Until when a phone is paired


async def end_game(table: Any) -> None:
    """Ends the game early; the score is shown."""
    await table.tap("close", "more", "end", "yes")
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()


async def test_no_phone_is_paired_once_the_game_is_put_away(table: Any) -> None:
    """While the score is shown, its page is still connected; then it is told that it is not paired."""
    service = await switch_on(table)
    phone = await pair(table, service, "seat 2")
    await connect(table, service, phone)
    await end_game(table)
    assert service.phones.connected_seat_numbers == {2}
    await table.tap("put away")
    assert await asyncio.to_thread(phone.wait_until_closed) == UNPAIRED_CODE
    assert service.is_on
    assert service.phones.paired_seat_numbers == frozenset()


async def test_the_same_people_play_again_with_their_phones(table: Any) -> None:
    """Nobody scans a code again: the page shows the first question of the new game, and answers it."""
    service = await switch_on(table)
    phone = await pair(table, service, "seat 2")
    await connect(table, service, phone)
    await end_game(table)
    await table.tap("again")
    assert table.app.controller.view.question_number == 1
    await asyncio.to_thread(phone.read_until, lambda tab: tab.question is None)
    await asyncio.to_thread(phone.read_until, lambda tab: tab.question is not None)
    await asyncio.to_thread(phone.answer, 7)
    assert [each.seat.name for each in table.app.controller.view.envelopes if each.has_answer] == ["Ben"]
    phone.close()


async def test_a_seat_with_another_player_has_no_phone(table: Any) -> None:
    """In the next game, who has the same seat as before keeps a phone; a corrected name is no new player."""
    service = await switch_on(table)
    for key in ("seat 1", "seat 2"):
        await pair(table, service, key)
    await table.tap("close", "more", "people", "rename Aki", "delete", "e", "done")
    assert [seat.name for seat in table.app.controller.view.seats] == ["Ake", "Ben", "ちえ"]
    assert service.phones.paired_seat_numbers == {1, 2}
    table.app.controller.leave_table()
    assert service.phones.paired_seat_numbers == {1, 2}
    table.app.controller.start_new_game("sealed_bid", ["Ake", "Dai", "Ben"], COLOURS, {})
    assert service.phones.paired_seat_numbers == {1}


async def test_a_recorded_game_unpairs_nobody(table: Any) -> None:
    """Whoever looks at the demo, up to its end, has left the table only for a while."""
    controller = table.app.controller
    service = await switch_on(table)
    await pair(table, service, "seat 3")
    controller.leave_table()
    controller.play_recording(load_recorded_events("high_bid"))
    while controller.is_playing_recording:
        controller._play_next_step()
    controller.leave_table()
    assert service.phones.paired_seat_numbers == {3}


# Set-up


def inputs(table: Any) -> list[str]:
    """Returns what set-up says of each seat's devices."""
    return [row.devices_label.text for row in table.app.stage.screen.people_page.rows]


async def test_phones_are_paired_before_the_game(open_app: Any, tmp_path: Path, loopback: None) -> None:
    """Set-up shows them beside the names, which may change later; the game begins with them."""
    table = await open_app(make_test_app(tmp_path / "state"))
    await table.wait_until(lambda: hasattr(table.app, "table_flow"))
    table.app.open_game_setup("sealed_bid")
    await table.wait_frames(3)
    assert "screen" not in table.texts()
    service = table.app.controller.phone_service
    await table.tap("phones", "switch")
    assert table.find("seat 2").text == "Player 2"
    phone = await pair(table, service, "seat 2")
    await table.tap("close")
    await table.wait_until(lambda: inputs(table)[:2] == ["screen", "phone asleep"])
    await connect(table, service, phone)
    await table.wait_until(lambda: inputs(table)[:2] == ["screen", "phone"])
    assert not [text for text in table.texts() if "press a key" in text]
    await table.tap("Player 2", "B", "e", "n", "done", "cancel", "begin")
    await asyncio.to_thread(phone.read_until, lambda tab: tab.question is not None)
    await asyncio.to_thread(phone.answer, 7)
    assert [each.seat.name for each in table.app.controller.view.envelopes if each.has_answer] == ["Ben"]
    phone.close()


async def test_set_up_forgets_phones_that_are_switched_off(
    open_app: Any, tmp_path: Path, loopback: None
) -> None:
    """Nothing is said of devices, as nobody has one any more."""
    table = await open_app(make_test_app(tmp_path / "state"))
    await table.wait_until(lambda: hasattr(table.app, "table_flow"))
    table.app.open_game_setup("sealed_bid")
    await table.wait_frames(3)
    await table.tap("phones", "switch")
    await pair(table, table.app.controller.phone_service, "seat 1")
    assert inputs(table)[0] == "phone asleep"
    await table.tap("switch", "close")
    assert "screen" not in table.texts()


# Sleeping phones

BEN_SLEEPS = "Ben's phone is asleep. Wake it up, or let Ben use the screen."


def warning(table: Any) -> str:
    """Returns what the play screen says about devices."""
    return str(table.app.stage.screen.refusal.text)


async def pass_seconds(table: Any, seconds: Any, count: float) -> None:
    """Lets seconds pass, and the check that comes each second."""
    seconds.now += count
    table.app.controller.phone_service.check_times()
    await table.wait_frames(2)


async def test_a_sleeping_phone_is_named_once_its_answer_was_awaited_for_20_seconds(
    table: Any, seconds: Any
) -> None:
    """Once, until it is back; nothing else on the screen changes, and nobody else is named."""
    service = await switch_on(table)
    ben, chie = [await pair(table, service, key) for key in ("seat 2", "seat 3")]
    await connect(table, service, chie)
    await table.tap("close")
    before = set(table.texts())
    await pass_seconds(table, seconds, 19)
    assert warning(table) == ""
    await pass_seconds(table, seconds, 1)
    assert warning(table) == BEN_SLEEPS
    assert set(table.texts()) == before | {BEN_SLEEPS}
    await connect(table, service, ben)
    await table.wait_until(lambda: warning(table) == "")
    ben.close()
    await table.wait_until(lambda: 2 not in service.phones.connected_seat_numbers)
    await pass_seconds(table, seconds, 19)
    assert warning(table) == ""
    await pass_seconds(table, seconds, 1)
    assert warning(table) == BEN_SLEEPS
    table.app.stage.screen.refusal.text = ""
    await pass_seconds(table, seconds, 100)
    assert warning(table) == ""
    chie.close()


async def test_a_sleeping_phone_is_not_named_once_its_player_has_answered(table: Any, seconds: Any) -> None:
    """On the screen, for example; in the next round the phone has 20 seconds again."""
    controller = table.app.controller
    await pair(table, await switch_on(table), "seat 2")
    await table.tap("close")
    await pass_seconds(table, seconds, 15)
    aki, ben, chie = controller.view.seats
    controller.seal_answer_in_envelope(controller.view.question_number, ben, 3)
    await pass_seconds(table, seconds, 100)
    assert warning(table) == ""
    for seat in (aki, chie):
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 1)
    answer_questions(controller, "again")
    await pass_seconds(table, seconds, 19)
    assert warning(table) == ""
    await pass_seconds(table, seconds, 1)
    assert warning(table) == BEN_SLEEPS


async def test_an_unpaired_phone_is_not_named_any_more(table: Any, seconds: Any) -> None:
    """Nor is one that was switched off with all others."""
    service = await switch_on(table)
    for end in (("seat 2", "unpair"), ("switch",)):
        await pair(table, service, "seat 2")
        await table.tap("close")
        await pass_seconds(table, seconds, 0)
        await pass_seconds(table, seconds, 20)
        assert warning(table) == BEN_SLEEPS
        await table.tap("more", "phones", *end)
        assert warning(table) == ""


# Every look

SIZES = [(800, 480), (1280, 720), (720, 1280), (480, 800), (1920, 1080)]
FLAT, LARGE = ("placement", "flat"), ("large_text", True)
LOOKS = [
    *product(SIZES, languages(), ((),)),
    *product(SIZES[:4], languages(), ((FLAT,),)),
    *product(SIZES, languages(), ((LARGE,),)),
]
LOOKED_AT = LOOKS if SOAK else [(SIZES[3], "de", ()), (SIZES[0], "ja", (FLAT,)), (SIZES[0], "de", (LARGE,))]


@pytest.mark.parametrize(
    ("size", "lang", "settings"), LOOKED_AT, ids=lambda at: str(at).replace(", ", "x").replace("'", "")
)
async def test_nothing_is_wrong_with_any_page(  # noqa: PLR0915 - the walk through all pages
    open_table: Callable[..., Any], size: tuple[int, int], lang: str, settings: Any
) -> None:
    """For twelve people with long names: off, on, without a network, code, digits, paired, asleep."""
    table = await open_table(size, PEOPLE[lang], settings, lang=lang)
    found: list[str] = []

    async def look(what: str) -> None:
        await table.wait_frames(4)
        found.extend(f"{what}: {fault}" for fault in find_faults(table, size))

    def set_addresses(*addresses: str) -> None:
        service.handle_signal(PhoneSignal(WebListening(addresses, 8080)), None)

    service = await open_phones(table)
    await look("off")
    await table.tap("switch", "seat 1")
    await look("one moment")
    await table.wait_until(lambda: bool(service.phones.web_addresses))
    phone, waiting = await compare_digits(table, service)
    await look("digits")
    await table.tap("equal")
    assert await waiting == 200
    set_addresses("192.168.178.123")
    await table.wait_until(lambda: any("192.168.178.123" in text for text in table.texts()))
    await look("asleep")
    await connect(table, service, phone)
    await look("connected")
    await table.tap("seat 1")
    await look("paired")
    await table.tap("code")
    await look("code")
    set_addresses()
    await look("code without a network")
    await table.tap("close")
    await look("without a network")
    await table.tap("close")
    table.app.controller.leave_table()
    table.app.open_game_setup("sealed_bid")
    await look("set-up")
    phone.close()
    await table.wait_until(lambda: service.phones.connected_seat_numbers == frozenset())
    await look("set-up with a sleeping phone")
    assert not found, "\n".join(found)
