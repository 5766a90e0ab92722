"""What the machine lets the Companion's users do, by our rules in polkit's own interpreter."""

from __future__ import annotations

import pytest

from tests.support.polkit_rules import decide

pytestmark = pytest.mark.needs("/usr/lib/polkit-1/polkitd")
NETWORK = "org.freedesktop.NetworkManager."
UNITS = "org.freedesktop.systemd1.manage-units"
NETWORK_ACTIONS = [
    "checkpoint-rollback",
    "enable-disable-connectivity-check",
    "enable-disable-network",
    "enable-disable-statistics",
    "enable-disable-wifi",
    "enable-disable-wimax",
    "enable-disable-wwan",
    "network-control",
    "reload",
    "settings.modify.global-dns",
    "settings.modify.hostname",
    "settings.modify.own",
    "settings.modify.system",
    "sleep-wake",
    "wifi.scan",
    "wifi.share.open",
    "wifi.share.protected",
]
"""NetworkManager's actions, as its own policy names them."""
ALLOWED_NETWORK_ACTIONS = {"network-control", "settings.modify.system", "wifi.scan"}
OTHER_ACTIONS = ["login1.power-off", "login1.reboot", "timedate1.set-time", "timedate1.set-ntp"]
UNIT_ACTIONS = [
    (unit, verb)
    for unit in ("companion-web.service", "companion.service", "companion-web.socket", "ssh.service")
    for verb in ("start", "stop", "restart", "enable", "kill")
]


@pytest.mark.parametrize("action", NETWORK_ACTIONS)
def test_the_companion_may_change_connections_and_nothing_else_of_the_network(action: str) -> None:
    """The companion connects and disconnects, changes profiles, and looks for networks."""
    expected = "yes" if action in ALLOWED_NETWORK_ACTIONS else "not handled"
    assert decide(NETWORK + action, "companion") == expected


@pytest.mark.parametrize(("unit", "verb"), UNIT_ACTIONS)
def test_the_companion_may_start_and_stop_its_web_process_and_no_other_unit(unit: str, verb: str) -> None:
    """Both by name, and with no other verb."""
    is_allowed = unit == "companion-web.service" and verb in {"start", "stop"}
    decision = decide(UNITS, "companion", {"unit": unit, "verb": verb})
    assert decision == ("yes" if is_allowed else "not handled")


def test_an_action_that_names_no_unit_is_not_for_the_companion() -> None:
    """As when somebody reloads systemd or sets an environment."""
    assert decide(UNITS, "companion") == "not handled"
    assert decide("org.freedesktop.systemd1.reload-daemon", "companion") == "not handled"


@pytest.mark.parametrize("user", ["companion-web", "companion2", "www-data", ""])
def test_the_web_process_and_others_may_do_none_of_it(user: str) -> None:
    """Whoever takes over the process that faces the network gets no right by our rules."""
    for action in NETWORK_ACTIONS:
        assert decide(NETWORK + action, user) == "not handled", action
    for action in OTHER_ACTIONS:
        assert decide(f"org.freedesktop.{action}", user) == "not handled", action
    for unit, verb in UNIT_ACTIONS:
        assert decide(UNITS, user, {"unit": unit, "verb": verb}) == "not handled", (unit, verb)


@pytest.mark.parametrize("action", OTHER_ACTIONS)
def test_the_companion_may_still_shut_down_and_set_the_clock(action: str) -> None:
    """One file of rules doesn't hide the other."""
    assert decide(f"org.freedesktop.{action}", "companion") == "yes"
