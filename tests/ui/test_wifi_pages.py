"""Wi-Fi on the touchscreen, with python-dbusmock's NetworkManager: its status, joining, and the hotspot."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.languages import languages
from companion.pin import hash_pin
from hardware.wifi.wifi import Wifi
from tests.support.hardware.network_manager import MANAGER, PrivateBus, private_bus
from tests.support.long_names import PEOPLE
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.ui.test_phones import FLAT, LARGE, SIZES

pytestmark = [
    pytest.mark.needs("dbus-daemon", "/usr/lib/python3/dist-packages/dbusmock/__init__.py"),
    pytest.mark.usefixtures("loopback"),
]
IN_HOME = "The Companion is in the Wi-Fi Home."


@pytest.fixture
def bus() -> Iterator[PrivateBus]:
    """A machine with NetworkManager and without radio."""
    with private_bus() as bus:
        bus.start_network_manager()
        yield bus


@pytest.fixture
def house(bus: PrivateBus) -> PrivateBus:
    """A machine in the house network Home, with other networks in reach."""
    bus.add_radio()
    bus.add_access_point("home", "Home", 81)
    bus.add_access_point("neighbour", "Neighbour", 30)
    bus.add_access_point("open", "Café", 50, security=0)
    bus.connect("Home")
    return bus


@pytest.fixture
def open_page_of_wifi(open_app: Any, tmp_path: Path, bus: PrivateBus) -> Callable[..., Any]:
    """A function that begins a game and opens the page of the Wi-Fi from the page of phones."""

    async def begin(size: tuple[int, int] = (800, 480), settings: Any = (), **kwargs: Any) -> Any:
        from ui.evening.wifi_service import WifiService

        table = await open_app(make_test_app(tmp_path / "state", **kwargs), size)
        controller = table.app.controller
        controller.wifi_service = WifiService(
            lambda: Wifi(bus.address, activation_timeout_seconds=1.0, scan_timeout_seconds=0.0)
        )
        for name, value in settings:
            controller.change_setting(name, value)
        controller.start_new_game("sealed_bid", PEOPLE[kwargs.get("lang", "en")][:3], COLOURS, {})
        await table.wait_frames(3)
        await table.tap("more", "phones", "wifi")
        await table.wait_until(lambda: controller.wifi_service.status is not None)
        await table.wait_frames(2)
        return table

    return begin


def says(table: Any, text: str) -> Callable[[], bool]:
    """Returns a function that returns whether a text of the screen contains this one."""
    return lambda: any(text in each for each in table.texts())


async def find_networks(table: Any, name: str) -> None:
    """Opens the list of networks, and touches one of them."""
    await table.tap("join")
    await table.wait_until(says(table, name))
    await table.tap(f"network {name}")


async def test_a_network_is_joined_with_the_key_that_people_type(
    house: PrivateBus, open_page_of_wifi: Callable[..., Any]
) -> None:
    """With small and capital letters, digits and signs; no letter becomes a capital by itself."""
    table = await open_page_of_wifi()
    assert says(table, IN_HOME)()
    await find_networks(table, "Neighbour")
    await table.tap(*"right", "space", *"key", "shift", "A", *"1", "signs", *"!＿~", "latin", "b")
    await table.tap("done")
    await table.wait_until(says(table, "The Companion is in the Wi-Fi Neighbour."))
    ((settings, *_),) = house.calls("AddAndActivateConnection2")
    assert settings["802-11-wireless-security"]["psk"] == ("s", "right keyA1!_~b")


async def test_joining_a_network_needs_the_pin(
    house: PrivateBus, open_page_of_wifi: Callable[..., Any]
) -> None:
    """As before the settings; no network is looked for until the PIN is right, and a hotspot needs none."""
    table = await open_page_of_wifi(settings=[("pin", hash_pin("0042"))])
    await table.tap("join", *"0043")
    assert any("This PIN is wrong" in text for text in table.texts())
    await table.wait_frames(3)
    assert house.calls("RequestScan") == []
    await table.tap(*"0042")
    await table.wait_until(says(table, "Neighbour"))
    await table.tap("close", "hotspot")
    assert says(table, "Open a hotspot?")()


async def test_the_list_says_what_each_network_needs(
    house: PrivateBus, open_page_of_wifi: Callable[..., Any]
) -> None:
    """A saved one is joined without its key, which people can also type anew; an open one has none."""
    table = await open_page_of_wifi()
    await table.tap("join")
    await table.wait_until(says(table, "Café"))
    details = {name: table.find(f"network {name}").detail_text for name in ("Home", "Café", "Neighbour")}
    assert details == {
        "Home": "Signal 4 of 4, saved",
        "Café": "Signal 3 of 4, without a key",
        "Neighbour": "Signal 2 of 4",
    }
    await table.tap("network Café")
    await table.wait_until(says(table, "The Companion is in the Wi-Fi Café."))
    await find_networks(table, "Home")
    assert table.find("key").text == "Type another key"
    await table.tap("join")
    await table.wait_until(says(table, IN_HOME))


async def test_people_see_that_joining_takes_time_and_why_it_failed(
    house: PrivateBus, open_page_of_wifi: Callable[..., Any]
) -> None:
    """One sentence says what to do; the machine is in its network as before."""
    table = await open_page_of_wifi()
    house.set_outcome("silent")
    await find_networks(table, "Neighbour")
    await table.tap(*"wrongkey", "done")
    assert says(table, "Joining Neighbour …")()
    await table.wait_until(says(table, "Neighbour doesn't answer. Switch it on or move the Companion closer"))
    await table.tap("done")
    assert says(table, IN_HOME)()
    house.set_outcome(7)
    await find_networks(table, "Neighbour")
    await table.tap(*"wrongkey", "done")
    await table.wait_until(says(table, "Neighbour doesn't accept this key."))


async def test_nothing_opens_once_people_have_left_the_page(
    house: PrivateBus, open_page_of_wifi: Callable[..., Any]
) -> None:
    """Whatever they began goes on: the network list and the hotspot's code don't cover the game later."""
    table = await open_page_of_wifi()
    service = table.app.controller.wifi_service
    for keys in (("join",), ("hotspot", "yes")):
        await table.tap(*keys)
        table.app.stage.topmost_widget.content.close()
        await table.wait_frames(2)
        assert "Phones" in table.texts()
        await table.wait_until(lambda: not service.is_busy)
        await table.wait_frames(3)
        assert "Phones" in table.texts()
        await table.tap("wifi")
        await table.wait_until(lambda: not service.is_busy)
        await table.wait_frames(3)
    assert says(table, f"The hotspot {service.status.name} is on.")()


async def test_the_hotspot_has_a_code_that_comes_before_that_of_a_seat(
    house: PrivateBus, open_page_of_wifi: Callable[..., Any]
) -> None:
    """One code at a time, that of the Wi-Fi with name and key. Phones are on: they need addresses."""
    table = await open_page_of_wifi()
    await table.tap("hotspot", "no")
    assert says(table, IN_HOME)()
    await table.tap("hotspot", "yes")
    await table.wait_until(says(table, "The Companion's Wi-Fi"))
    status = table.app.controller.wifi_service.status
    assert says(table, f"Key: {status.key}")()
    code = f"WIFI:T:WPA;S:{status.name};P:{status.key};;"
    assert shown_codes(table) == [code]
    await table.tap("close")
    assert says(table, f"The hotspot {status.name} is on.")()
    service = table.app.controller.phone_service
    assert service.is_on
    await table.tap("close", "seat 2")
    assert shown_codes(table) == [code]
    assert service.phones.offered_code is None
    await table.tap("go on")
    await table.wait_until(lambda: service.phones.address_of_code() is not None)
    await table.wait_frames(2)
    assert shown_codes(table) == [service.phones.address_of_code()]
    await table.tap("close", "wifi", "close hotspot")
    await table.wait_until(says(table, IN_HOME))
    await table.tap("close", "seat 2")
    assert not says(table, "The Companion's Wi-Fi")()


def shown_codes(table: Any) -> list[str]:
    """Returns the texts of the QR codes on the topmost page."""
    topmost = table.app.stage.topmost_widget
    return [each.encoded_text for each in topmost.walk() if hasattr(each, "encoded_text")]


@pytest.mark.parametrize(
    ("why", "sentence"),
    [
        ("no NetworkManager", "NetworkManager doesn't answer, so the Companion can't change the Wi-Fi."),
        ("no hardware", "This machine has no Wi-Fi that NetworkManager controls."),
        ("switched off", "The Wi-Fi is switched off. To switch it on, run this command"),
    ],
)
async def test_the_page_says_why_there_is_no_wifi(
    bus: PrivateBus, open_page_of_wifi: Callable[..., Any], why: str, sentence: str
) -> None:
    """Then nothing can be chosen."""
    if why == "no NetworkManager":
        bus.stop_network_manager()
    elif why == "switched off":
        bus.add_radio()
        bus.set_property(MANAGER, "", "WirelessEnabled", ("b", False))
    table = await open_page_of_wifi()
    assert says(table, sentence)()
    assert table.app.stage.topmost_widget.content.keys.children == []


LOOKS = [
    *product(SIZES, languages(), ((),)),
    *product(SIZES[:4], languages(), ((FLAT,),)),
    *product(SIZES, languages(), ((LARGE,),)),
]
LOOKED_AT = LOOKS if SOAK else [(SIZES[0], "de", (LARGE,))]
LONGEST_NAME = "FRITZ!Box 7590 Wohnzimmer Anbau"
NAMES_OF_NETWORKS = re.compile("Home|Neighbour|Café|FRITZ|Andere|Companion [A-Z]{2}|：[a-z]{12}|abcd")


@pytest.mark.parametrize(
    ("size", "lang", "settings"), LOOKED_AT, ids=lambda at: str(at).replace(", ", "x").replace("'", "")
)
async def test_nothing_is_wrong_with_any_page(  # noqa: PLR0915 - the walk through all pages
    house: PrivateBus,
    open_page_of_wifi: Callable[..., Any],
    size: tuple[int, int],
    lang: str,
    settings: Any,
) -> None:
    """With long names and the longest key: status, networks, keys to type, the hotspot and its code."""
    house.add_access_point("long", LONGEST_NAME, 90)
    for number in range(9):
        house.add_access_point(f"other{number}", f"Andere {number}", 20 + number)
    table = await open_page_of_wifi(size, settings, lang=lang)
    found: list[str] = []

    def is_name(fault: str) -> bool:
        """Returns whether a fault is only that the name of a network isn't Japanese."""
        return fault.startswith("untranslated") and bool(NAMES_OF_NETWORKS.search(fault))

    async def look(what: str) -> None:
        await table.wait_frames(4)
        found.extend(f"{what}: {fault}" for fault in find_faults(table, size) if not is_name(fault))

    await look("status")
    await table.tap("join")
    await table.wait_until(says(table, LONGEST_NAME))
    await look("networks")
    await table.tap(f"network {LONGEST_NAME}", *"abcdefg" * 9)
    await look("letters")
    await table.tap("signs")
    await look("signs")
    house.set_outcome(7)
    await table.tap("done")
    await table.wait_until(lambda: not table.app.controller.wifi_service.is_busy)
    await look("problem")
    await table.tap("done", "hotspot")
    await look("question")
    await table.tap("yes")
    await table.wait_until(lambda: bool(shown_codes(table)))
    await look("code")
    await table.tap("close")
    await look("hotspot")
    await table.tap("close")
    await look("phones")
    await table.tap("seat 1")
    await look("code before a seat")
    assert not found, "\n".join(found)
