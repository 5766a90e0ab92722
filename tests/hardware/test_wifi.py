"""Wi-Fi through NetworkManager, with python-dbusmock's NetworkManager on a private bus."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion.texts import Say, render
from hardware.wifi.hotspot import LETTERS, WifiCredentials, encode_wifi_qr, make_credentials
from hardware.wifi.wifi import Wifi, WifiNetwork, WifiState, WifiStatus
from tests.support.hardware.network_manager import (
    COMPANY_LOGIN,
    MANAGER,
    NAME,
    RADIO,
    SAE,
    PrivateBus,
    private_bus,
)

pytestmark = pytest.mark.needs("dbus-daemon", "/usr/lib/python3/dist-packages/dbusmock/__init__.py")
HOTSPOT = "Companion hotspot"
NO_SCAN_SECONDS = 0.0
"""The radio of dbusmock never says that it has heard all channels."""


@pytest.fixture
def bus() -> Iterator[PrivateBus]:
    """A machine with NetworkManager and without radio."""
    with private_bus() as bus:
        bus.start_network_manager()
        yield bus


@pytest.fixture
def house(bus: PrivateBus) -> PrivateBus:
    """A machine in the house network Home, with three other networks in reach."""
    bus.add_radio()
    bus.add_access_point("home", "Home", 81)
    bus.add_access_point("neighbour", "Neighbour", 30)
    bus.add_access_point("open", "Café", 50, security=0)
    bus.add_access_point("office", "Office", 10, security=COMPANY_LOGIN)
    bus.connect("Home")
    return bus


@pytest.fixture
def wifi(bus: PrivateBus) -> Wifi:
    """The Wi-Fi of the machine."""
    return another_run(bus)


def another_run(bus: PrivateBus) -> Wifi:
    """Returns the Wi-Fi as a program that was just started sees it."""
    return Wifi(bus.address, scan_timeout_seconds=NO_SCAN_SECONDS)


def words(problem: Say | None) -> str:
    """Returns a problem as people read it."""
    assert problem is not None
    return render(problem)


def test_a_machine_without_radio_says_so(bus: PrivateBus, wifi: Wifi) -> None:
    """Its status, an empty list, and a sentence for whoever wants a hotspot."""
    assert wifi.read_status() == WifiStatus(WifiState.NO_HARDWARE)
    assert wifi.list_networks() == ()
    assert words(wifi.start_hotspot()) == "This machine has no Wi-Fi that NetworkManager controls."


@pytest.mark.parametrize("name", ["WirelessEnabled", "WirelessHardwareEnabled"])
def test_a_radio_that_is_switched_off_is_left_so(house: PrivateBus, wifi: Wifi, name: str) -> None:
    """By a setting or by a switch; the sentence says how to switch it on."""
    house.set_property(MANAGER, "", name, ("b", False))
    assert wifi.read_status() == WifiStatus(WifiState.SWITCHED_OFF)
    assert wifi.list_networks() == ()
    assert "nmcli radio wifi on" in words(wifi.join("Café"))


def test_without_network_manager_nothing_is_promised(bus: PrivateBus, wifi: Wifi) -> None:
    """NetworkManager isn't installed, or has ended, or the bus is gone."""
    bus.stop_network_manager()
    for each in (wifi, Wifi("unix:path=/nonexistent")):
        assert each.read_status() == WifiStatus(WifiState.NO_NETWORK_MANAGER)
        assert each.list_networks() == ()
        assert words(each.join("Home", "12345678")).startswith("NetworkManager doesn't answer")
        assert words(each.stop_hotspot()).startswith("NetworkManager doesn't answer")


def test_a_network_manager_that_hangs_is_not_waited_for(
    house: PrivateBus, wifi: Wifi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first call that isn't answered is the last one."""
    monkeypatch.setattr("hardware.wifi.bus.CALL_TIMEOUT_SECONDS", 0.05)
    house.suspend_network_manager()
    assert wifi.read_status() == WifiStatus(WifiState.NO_NETWORK_MANAGER)
    assert words(wifi.start_hotspot()).startswith("NetworkManager doesn't answer")


def test_the_status_names_the_house_network(house: PrivateBus, wifi: Wifi) -> None:
    """With its signal and the machine's address in it, once NetworkManager knows them."""
    assert wifi.read_status() == WifiStatus(WifiState.CONNECTED, "Home")
    config = f"{MANAGER}/IP4Config/1"
    addresses = ("aa{sv}", [{"address": ("s", "192.168.1.5"), "prefix": ("u", 24)}])
    house.mock("AddObject", "ssa{sv}a(ssss)", config, f"{NAME}.IP4Config", {"AddressData": addresses}, [])
    for interface, name, path in (
        ("Device.Wireless", "ActiveAccessPoint", f"{MANAGER}/AccessPoint/home"),
        ("Device", "Ip4Config", config),
    ):
        house.call(
            RADIO,
            "org.freedesktop.DBus.Mock",
            "AddProperty",
            "ssv",
            f"{NAME}.{interface}",
            name,
            ("o", path),
        )
    assert wifi.read_status() == WifiStatus(WifiState.CONNECTED, "Home", "192.168.1.5", signal_steps=4)


def test_a_machine_in_no_network_says_so(bus: PrivateBus, wifi: Wifi) -> None:
    """A machine that is on its way into a network is in none yet."""
    bus.add_radio()
    assert wifi.read_status() == WifiStatus(WifiState.NOT_CONNECTED)
    bus.set_outcome("silent")
    bus.connect("Home")
    assert wifi.read_status() == WifiStatus(WifiState.NOT_CONNECTED)


def test_each_network_is_listed_once_the_strongest_first(house: PrivateBus, wifi: Wifi) -> None:
    """Left out: more access points of a name, networks without a name, devices that talk to each other."""
    house.add_access_point("home2", "Home", 20)
    house.add_access_point("hidden", "", 99)
    house.add_access_point("printer", "Printer", 99, mode=1)
    assert wifi.list_networks() == (
        WifiNetwork("Home", 4, is_secured=True, is_saved=True),
        WifiNetwork("Café", 3, is_secured=False, is_saved=False),
        WifiNetwork("Neighbour", 2, is_secured=True, is_saved=False),
        WifiNetwork("Office", 1, is_secured=True, is_saved=False),
    )


def test_what_is_gone_meanwhile_is_left_out(house: PrivateBus, wifi: Wifi) -> None:
    """NetworkManager has named it a moment before."""
    for path in (f"{MANAGER}/AccessPoint/neighbour", f"{MANAGER}/Settings/0"):
        house.mock("RemoveObject", "s", path)
    assert [(each.name, each.is_saved) for each in wifi.list_networks()] == [
        ("Home", False),
        ("Café", False),
        ("Office", False),
    ]
    house.mock("RemoveObject", "s", RADIO)
    assert wifi.read_status() == WifiStatus(WifiState.NO_HARDWARE)


def test_a_scan_ends_when_the_radio_has_heard_all_channels(house: PrivateBus) -> None:
    """A list that waited for the whole timeout would fail this test by its own timeout."""
    house.call(
        RADIO,
        "org.freedesktop.DBus.Mock",
        "AddMethod",
        "sssss",
        f"{NAME}.Device.Wireless",
        "RequestScan",
        "a{sv}",
        "",
        f"self.UpdateProperties('{NAME}.Device.Wireless', {{'LastScan': 7}})",
    )
    assert len(Wifi(house.address, scan_timeout_seconds=10_000).list_networks()) == 4


def test_a_network_is_joined_with_its_key_and_saved(house: PrivateBus, wifi: Wifi) -> None:
    """NetworkManager takes the rest from the access point. The network from before stays saved."""
    assert wifi.join("Neighbour", "right key") is None
    assert house.active_name() == "Neighbour"
    assert {*house.profiles()} == {"Home", "Neighbour"}
    ((settings, device, point, options),) = house.calls("AddAndActivateConnection2")
    assert settings == {
        "802-11-wireless-security": {"key-mgmt": ("s", "wpa-psk"), "psk": ("s", "right key")},
    }
    assert (device, point) == (RADIO, f"{MANAGER}/AccessPoint/neighbour")
    assert options == {"persist": ("s", "volatile")}
    assert wifi.join("Home") is None
    assert {*house.profiles()} == {"Home", "Neighbour"}, "a network that wasn't saved is gone when it is left"


def test_a_network_with_wpa3_alone_is_joined_so(house: PrivateBus, wifi: Wifi) -> None:
    """Its access point has another kind of key."""
    house.add_access_point("new", "New", security=SAE)
    assert wifi.join("New", "right key") is None
    ((settings, *_),) = house.calls("AddAndActivateConnection2")
    assert settings["802-11-wireless-security"]["key-mgmt"] == ("s", "sae")


def test_an_open_network_needs_no_key(house: PrivateBus, wifi: Wifi) -> None:
    """Nothing is sent but which network it is."""
    assert wifi.join("Café") is None
    ((settings, *_),) = house.calls("AddAndActivateConnection2")
    assert settings == {}


@pytest.mark.parametrize(
    ("outcome", "problem"),
    [
        (7, "Neighbour doesn't accept this key. Check each letter of the key and try again."),
        (11, "Neighbour doesn't answer. Switch it on or move the Companion closer, then try again."),
        (53, "Neighbour doesn't answer. Switch it on or move the Companion closer, then try again."),
        (17, "Neighbour gives the Companion no address. Restart the router, then try again."),
        (8, "The connection to Neighbour broke off. Move the Companion closer, then try again."),
        ("connection 9", "Neighbour doesn't accept this key. Check each letter of the key and try again."),
        (
            "connection 6",
            "Neighbour doesn't answer. Switch it on or move the Companion closer, then try again.",
        ),
        ("connection 5", "Neighbour gives the Companion no address. Restart the router, then try again."),
        ("connection 2", "The connection to Neighbour broke off. Move the Companion closer, then try again."),
    ],
)
def test_a_network_that_cant_be_joined_is_forgotten(
    house: PrivateBus, wifi: Wifi, outcome: str | int, problem: str
) -> None:
    """A sentence says what to do, and the machine is in its earlier network again."""
    house.set_outcome(outcome)
    assert words(wifi.join("Neighbour", "wrong key")) == problem
    assert house.active_name() == "Home"
    assert {*house.profiles()} == {"Home"}


def test_a_network_that_never_answers_is_given_up(house: PrivateBus) -> None:
    """After a time, also if NetworkManager itself goes on trying."""
    house.set_outcome("silent")
    problem = Wifi(house.address, activation_timeout_seconds=0.0).join("Neighbour", "right key")
    assert words(problem).startswith("Neighbour doesn't answer.")
    assert house.active_name() == "Home"
    assert {*house.profiles()} == {"Home"}


def test_an_attempt_that_is_given_up_doesnt_go_on(bus: PrivateBus) -> None:
    """The machine was in no network, and is in none afterwards."""
    bus.add_radio()
    bus.add_access_point("home", "Home")
    bus.set_outcome("silent")
    assert Wifi(bus.address, activation_timeout_seconds=0.0).join("Home", "right key") is not None
    assert bus.active_name() == ""
    assert bus.profiles() == {}


def test_network_manager_may_end_while_it_connects(house: PrivateBus) -> None:
    """That is noticed at once: waiting for the whole timeout would fail this test by its own timeout."""
    house.set_outcome("quit")
    problem = Wifi(house.address, activation_timeout_seconds=10_000).join("Neighbour", "right key")
    assert words(problem).startswith("NetworkManager doesn't answer")


@pytest.mark.parametrize(
    ("name", "key", "problem"),
    [
        ("Neighbour", "", "The key of a Wi-Fi has 8 to 63 characters."),
        ("Neighbour", "1234567", "The key of a Wi-Fi has 8 to 63 characters."),
        ("Neighbour", "1" * 64, "The key of a Wi-Fi has 8 to 63 characters."),
        ("Office", "12345678", "Office can't be joined with a WPA key alone. Choose another network."),
        (
            "Gone",
            "12345678",
            "Gone doesn't answer. Switch it on or move the Companion closer, then try again.",
        ),
    ],
)
def test_what_cant_succeed_leaves_the_connection_alone(
    house: PrivateBus, wifi: Wifi, name: str, key: str, problem: str
) -> None:
    """NetworkManager isn't asked."""
    assert words(wifi.join(name, key)) == problem
    assert house.calls("AddAndActivateConnection2") == []
    assert len(house.calls("ActivateConnection")) == 1, "the machine was connected once, before"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "PermissionDenied",
            "This machine doesn't let the Companion change the Wi-Fi. Run scripts/install.sh once more.",
        ),
        ("UnknownConnection", "NetworkManager refuses this: the device can't"),
    ],
)
def test_a_refusal_says_why(house: PrivateBus, wifi: Wifi, name: str, problem: str) -> None:
    """The rules of polkit are missing, or the radio can't do what was asked for."""
    refusal = f'raise dbus.exceptions.DBusException("the device can\'t", name="{NAME}.{name}")'
    house.mock(
        "AddMethod", "sssss", NAME, "AddAndActivateConnection2", "a{sa{sv}}ooa{sv}", "ooa{sv}", refusal
    )
    assert words(wifi.start_hotspot()) == problem
    assert house.active_name() == "Home"


def test_the_hotspot_has_these_settings(house: PrivateBus, wifi: Wifi) -> None:
    """The hotspot forwards nothing, isolates phones, isn't saved, and doesn't begin with the machine."""
    home_uuid = house.profiles()["Home"]["connection"]["uuid"][1]
    assert wifi.start_hotspot() is None
    status = wifi.read_status()
    ((settings, device, point, options),) = house.calls("AddAndActivateConnection2")
    assert settings == {
        "connection": {
            "id": ("s", HOTSPOT),
            "type": ("s", "802-11-wireless"),
            "autoconnect": ("b", False),
        },
        "802-11-wireless": {
            "ssid": ("ay", status.name.encode()),
            "mode": ("s", "ap"),
            "band": ("s", "bg"),
            "ap-isolation": ("i", 1),
        },
        "802-11-wireless-security": {
            "key-mgmt": ("s", "wpa-psk"),
            "proto": ("as", ["rsn"]),
            "pairwise": ("as", ["ccmp"]),
            "group": ("as", ["ccmp"]),
            "pmf": ("i", 1),
            "psk": ("s", status.key),
        },
        "ipv4": {
            "method": ("s", "manual"),
            "address-data": ("aa{sv}", [{"address": ("s", "10.193.78.1"), "prefix": ("u", 24)}]),
            "never-default": ("b", True),
        },
        "ipv6": {"method": ("s", "disabled")},
        "user": {"data": ("a{ss}", {"companion.previous-profile": home_uuid})},
    }
    assert (device, point) == (RADIO, "/")
    assert options == {"persist": ("s", "volatile")}


def test_after_the_hotspot_the_machine_is_in_its_earlier_network(house: PrivateBus, wifi: Wifi) -> None:
    """The hotspot's profile is gone, as after a power cut."""
    assert wifi.start_hotspot() is None
    status = wifi.read_status()
    assert status.state is WifiState.HOTSPOT
    assert re.fullmatch(f"Companion [{LETTERS.upper()}]{{2}}", status.name)
    assert re.fullmatch(f"[{LETTERS}]{{12}}", status.key)
    assert wifi.stop_hotspot() is None
    assert house.active_name() == "Home"
    assert {*house.profiles()} == {"Home"}
    assert wifi.read_status() == WifiStatus(WifiState.CONNECTED, "Home")


def test_another_run_of_the_program_finds_the_hotspot(house: PrivateBus, wifi: Wifi) -> None:
    """With its key; it stays as it is, and leads back to the network from before."""
    assert wifi.start_hotspot() is None
    status = wifi.read_status()
    later = another_run(house)
    assert later.start_hotspot() is None
    assert later.read_status() == status
    assert later.stop_hotspot() is None
    assert house.active_name() == "Home"


def test_each_hotspot_has_a_key_and_a_name_of_its_own(house: PrivateBus, wifi: Wifi) -> None:
    """Keys are made anew, also within an evening."""
    keys = set()
    for _ in range(3):
        assert wifi.start_hotspot() is None
        keys.add(wifi.read_status().key)
        assert wifi.stop_hotspot() is None
    assert len(keys) == 3


def test_a_machine_that_was_in_no_network_is_in_none_afterwards(bus: PrivateBus, wifi: Wifi) -> None:
    """A box that has only ever had a hotspot."""
    bus.add_radio()
    assert wifi.start_hotspot() is None
    assert wifi.stop_hotspot() is None
    assert wifi.read_status() == WifiStatus(WifiState.NOT_CONNECTED)
    assert bus.profiles() == {}


def test_the_earlier_network_may_be_deleted_meanwhile(house: PrivateBus, wifi: Wifi) -> None:
    """The hotspot still ends."""
    assert wifi.start_hotspot() is None
    home = f"{MANAGER}/Settings/0"
    house.mock("RemoveWifiConnection", "ss", RADIO, home)
    assert wifi.stop_hotspot() is None
    assert house.active_name() == ""


def test_the_earlier_network_may_be_out_of_reach_meanwhile(house: PrivateBus, wifi: Wifi) -> None:
    """A sentence says so; the hotspot is off."""
    assert wifi.start_hotspot() is None
    house.set_outcome(53)
    assert words(wifi.stop_hotspot()).startswith("Home doesn't answer.")
    assert wifi.read_status() == WifiStatus(WifiState.NOT_CONNECTED)


def test_a_hotspot_that_fails_leads_back(house: PrivateBus, wifi: Wifi) -> None:
    """A radio may have no access point in it, or only say that it has one."""
    house.set_outcome(10)
    assert words(wifi.start_hotspot()).startswith("The hotspot didn't start.")
    assert house.active_name() == "Home"
    assert {*house.profiles()} == {"Home"}
    house.set_property(RADIO, ".Device.Wireless", "WirelessCapabilities", ("u", 0xBF))
    assert words(wifi.start_hotspot()).startswith("The Wi-Fi of this machine can't open a hotspot.")
    assert house.active_name() == "Home"


def test_no_network_is_joined_while_the_hotspot_is_on(house: PrivateBus, wifi: Wifi) -> None:
    """Phones would lose their seats without a word; a hotspot that is off is no reason."""
    assert wifi.start_hotspot() is None
    assert words(wifi.join("Café")) == "Switch off the hotspot first. The Wi-Fi can't do both at once."
    assert wifi.read_status().state is WifiState.HOTSPOT


def test_without_hotspot_there_is_nothing_to_stop(house: PrivateBus, wifi: Wifi) -> None:
    """The house network stays."""
    assert wifi.stop_hotspot() is None
    assert house.active_name() == "Home"


def test_keys_can_be_read_and_typed() -> None:
    """One keyboard of a phone has all letters of a key; none looks like another, and they make no words."""
    assert not {*LETTERS} & {*"aeiouilmqw0123456789"}
    assert LETTERS.islower()
    assert len({make_credentials() for _ in range(50)}) == 50


@pytest.mark.parametrize(
    ("name", "key", "text"),
    [
        ("Companion KR", "bcdf", "WIFI:T:WPA;S:Companion KR;P:bcdf;;"),
        ('a;b,c"d', "e:f\\g", 'WIFI:T:WPA;S:a\\;b\\,c\\"d;P:e\\:f\\\\g;;'),
    ],
)
def test_a_qr_code_has_name_and_key(name: str, key: str, text: str) -> None:
    """Characters that have a meaning in the text are escaped."""
    assert encode_wifi_qr(WifiCredentials(name, key)) == text
