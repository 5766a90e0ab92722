"""companion-dhcp.service in a private network, asked as a phone asks."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hardware.wifi.hotspot import HOTSPOT_ADDRESS
from tests.support.program import TIMEOUT_SECONDS

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "systemd" / "companion-dhcp.service"
PHONE = ROOT / "tests" / "support" / "hotspot_phone.py"
OWN_NETWORK = ["unshare", "--net", "--map-user=1000", "--map-group=1000", "--keep-caps"]
ONLY_ITS_RIGHTS = "=-all,+net_bind_service,+net_admin"
PROBED_NAMES = [
    "captive.apple.com",
    "connectivitycheck.gstatic.com",
    "connectivitycheck.android.com",
    "www.msftconnecttest.com",
    "detectportal.firefox.com",
]

pytestmark = pytest.mark.needs("dnsmasq", "ip")


@pytest.fixture(scope="module")
def answers() -> Any:
    """What a phone hears."""
    if subprocess.run([*OWN_NETWORK, "true"], check=False, capture_output=True).returncode:
        pytest.skip("can't make a network here")
    (command,) = re.findall(r"^ExecStart=((?:.*\\\n)*.*)$", UNIT.read_text(), re.MULTILINE)
    rights = [f"--{kind}{ONLY_ITS_RIGHTS}" for kind in ("inh-caps", "ambient-caps", "bounding-set")]
    server = ["setpriv", *rights, *shlex.split(command)]
    done = subprocess.run(
        [*OWN_NETWORK, sys.executable, PHONE, HOTSPOT_ADDRESS, *server],
        input="\n".join([*PROBED_NAMES, "www.example.org", "example.local"]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=TIMEOUT_SECONDS,
    )
    return json.loads(done.stdout)


def test_a_phone_gets_an_address_of_the_hotspot(answers: Any) -> None:
    """With the rights of the unit alone; the server was there before the interface."""
    network, _, number = answers["offered"].rpartition(".")
    assert network == HOTSPOT_ADDRESS.rpartition(".")[0]
    assert 10 <= int(number) <= 250
    assert answers["options"]["1"] == "255.255.255.0"


def test_a_phone_is_told_that_the_hotspot_has_no_login_page(answers: Any) -> None:
    """And that the box is its router and its name server, without which Android leaves."""
    assert answers["options"]["114"] == "urn:ietf:params:capport:unrestricted"
    assert answers["options"]["3"] == answers["options"]["6"] == HOTSPOT_ADDRESS


def test_only_the_names_by_which_phones_try_the_internet_lead_to_the_box(answers: Any) -> None:
    """All others don't exist, so that no app waits for them."""
    names = answers["names"]
    assert {name: names.pop(name) for name in PROBED_NAMES} == dict.fromkeys(PROBED_NAMES, HOTSPOT_ADDRESS)
    assert names == {"www.example.org": "problem 3", "example.local": "problem 3"}
