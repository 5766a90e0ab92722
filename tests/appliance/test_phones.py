"""Phones on a machine that boots: the process that faces the network, what it may do, and the hotspot.

The machine has a network of its own. The hotspot is a virtual cable: neither a radio nor a running
NetworkManager is in there. polkit is the real one, with the actions of the package network-manager.
"""

from __future__ import annotations

import json
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from hardware.wifi.hotspot import HOTSPOT_ADDRESS, HOTSPOT_PREFIX_LENGTH
from tests.appliance.box import ROOT, STATE, Box, missing, until
from tests.support.hotspot_guest import Answers, Wishes
from tests.support.hotspot_phone import PHONE, PHONE_MAC
from tests.support.soak import SOAK

pytestmark = [
    pytest.mark.without_coverage,
    pytest.mark.skipif(not SOAK, reason="a machine is installed and booted in a soak"),
    pytest.mark.skipif(bool(missing()), reason=missing() or "nothing is missing"),
    pytest.mark.timeout(3600),
    pytest.mark.xdist_group("boot"),
    pytest.mark.needs("ip"),
]
WEB, DHCP, PROBES = "companion-web.service", "companion-dhcp.service", "companion-probes.socket"
TRIED = "companion-tried.service"
ATTEMPTS = "/usr/local/lib/attempts.py"
PAGES = f"{HOTSPOT_ADDRESS}:8080"
MAX_EXPOSURE = 1.2
GUEST = ["unshare", "--net", sys.executable, "-m", "tests.support.hotspot_guest"]


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def machine(request: pytest.FixtureRequest) -> Iterator[Box]:
    """A machine with the companion installed, in a network of its own."""
    with Box(request.param) as machine:
        done = machine.installs()
        assert done.returncode == 0, done.stdout + done.stderr
        machine.starts_again(in_own_network=True)
        yield machine


@pytest.fixture
def box(machine: Box) -> Box:
    """The machine with phones switched on: the program does that after a restart if they were on before."""
    machine.does("systemctl", "stop", "companion")
    key = machine.root / STATE.lstrip("/") / "phones.key"
    key.write_bytes(secrets.token_bytes(32))
    machine.does("chown", "companion:companion", f"{STATE}/phones.key")
    machine.does("systemctl", "start", "companion")
    until(lambda: is_active(machine, WEB, DHCP, PROBES), "phones are on")
    return machine


def is_active(box: Box, *units: str) -> bool:
    """Whether all these units run."""
    return states(box, *units) == ["active"] * len(units)


def states(box: Box, *units: str) -> list[str]:
    """What systemd says of each unit."""
    return box.run("systemctl", "is-active", *units).stdout.split()


def as_user(box: Box, user: str, *words: str) -> int:
    """Returns the exit status of a command of a user of the machine."""
    return box.run("runuser", "-u", user, "--", *words).returncode


AS_COMPANION = ("runuser", "-u", "companion", "--", "systemctl", "--no-ask-password")


# What the process may do


def test_it_is_hardly_exposed_by_systemds_own_measure(box: Box) -> None:
    """The process that faces the network may do less than all others."""
    level = box.does("systemd-analyze", "security", "--no-pager", WEB).splitlines()[-1]
    found = re.search(r"level for companion-web\.service: ([\d.]+)", level)
    assert found is not None
    assert float(found[1]) <= MAX_EXPOSURE


def in_its_place(box: Box, *words: str) -> object:
    """Runs the attempts as a service that differs from companion-web.service only in its command."""
    unit = (box.root / "etc/systemd/system" / WEB).read_text()
    restrictions = [
        line
        for line in unit.partition("[Service]")[2].splitlines()
        if not line.startswith(("ExecStart=", "Restart", "Sockets="))
    ]
    out = "/var/lib/attempts.json"
    command = ["[Service]", "Type=oneshot", f"ExecStart=/usr/bin/python3 {ATTEMPTS} {' '.join(words)}"]
    lines = [*command, f"StandardOutput=truncate:{out}", *restrictions]
    box.does("tee", f"/run/systemd/system/{TRIED}", said="\n".join([*lines, ""]))
    box.does("systemctl", "daemon-reload")
    box.does("systemctl", "start", TRIED)
    return json.loads(box.does("cat", out))


@pytest.fixture
def prepared(box: Box) -> Iterator[Box]:
    """Devices, and files of others, that everybody on the machine could open."""
    box.does("cp", "/srv/companion/tests/appliance/attempts.py", ATTEMPTS)
    box.does("mkdir", "--mode=777", "/srv/all")
    for device in DEVICES:
        box.does("mknod", "--mode=666", device, "c", *FUSE)
    box.does("tee", "/etc/companion/hardware.toml", said="")
    for file in OTHERS_FILES:
        box.does("tee", file, said="")
    box.does("chmod", "--recursive", "a+rX", STATE)
    yield box
    box.does("chmod", "--recursive", "go=", STATE)
    box.does("rm", "--recursive", "/srv/all", *DEVICES, *OTHERS_FILES, "/etc/companion/hardware.toml")


FUSE = ("10", "229")
"""A device that every kernel has and that everybody may open; it stands for those that no kernel here has."""
DEVICES = ("/dev/gpiochip0", "/dev/spidev0.0", "/dev/ttyACM0", "/dev/tty1", "/dev/input0", "/srv/gpiochip0")
OTHERS_FILES = ("/run/companion/note", "/run/note", "/media/note")
GAMES = (STATE, f"{STATE}/companion.sqlite3", f"{STATE}/sealed", f"{STATE}/phones.key")
SETTINGS = ("/etc/companion", "/etc/companion/hardware.toml")
BUS = ("/run/dbus/system_bus_socket", "/run/systemd/private", "/run/systemd/journal/dev-log")


def test_it_reaches_no_device_game_setting_or_other_program(prepared: Box) -> None:
    """Not even where everybody else on the machine may: its own user without the service does reach them."""
    paths = [*DEVICES, *OTHERS_FILES, *GAMES, *SETTINGS]
    outside = ["runuser", "-u", "companion-web", "--", "python3", ATTEMPTS, "opens", *paths]
    assert json.loads(prepared.does(*outside)) == dict.fromkeys(paths, "done")
    found = in_its_place(prepared, "opens", *paths, *BUS, f"/proc/{prepared.pid}/status")
    assert isinstance(found, dict)
    assert {path: why for path, why in found.items() if why not in {"ENOENT", "EACCES", "EPERM"}} == {}
    assert in_its_place(prepared, "opens", "/opt/companion/current", "/run/companion-web") == {
        "/opt/companion/current": "done",
        "/run/companion-web": "done",
    }


def test_it_can_write_nowhere(prepared: Box) -> None:
    """Also not where everybody may, so that it can't fill the disk of the games."""
    outside = ["runuser", "-u", "companion-web", "--", "python3", ATTEMPTS, "finds_writable_folders"]
    assert {"/run/lock", "/srv/all"} <= {*json.loads(prepared.does(*outside))}
    assert in_its_place(prepared, "finds_writable_folders") == []


# Who may start and stop what


def test_the_companion_starts_and_stops_it_and_what_belongs_to_it(box: Box) -> None:
    """Addresses and port 80 in the hotspot come and go with it."""
    box.does(*AS_COMPANION, "stop", WEB)
    assert states(box, WEB, DHCP, PROBES) == ["inactive"] * 3
    box.does(*AS_COMPANION, "start", WEB)
    assert is_active(box, WEB, DHCP, PROBES)


OTHER_ORDERS = (
    ("restart", WEB),
    ("enable", WEB),
    ("set-property", WEB, "MemoryMax=1G"),
    *((verb, unit) for unit in (DHCP, PROBES, "companion-backup.service") for verb in ("start", "stop")),
    ("stop", "companion.service"),
    ("stop", "companion-web.socket"),
    ("stop", "dbus.service"),
    ("daemon-reload",),
)


def test_nobody_of_ours_may_start_or_stop_anything_else(box: Box) -> None:
    """The user of the process that faces the network may start and stop nothing at all."""
    orders = {("companion", order) for order in OTHER_ORDERS}
    of_web_process = (*OTHER_ORDERS, ("start", WEB), ("stop", WEB), ("poweroff",))
    orders |= {("companion-web", order) for order in of_web_process}
    assert [each for each in sorted(orders) if obeys(box, *each)] == []
    assert is_active(box, "companion", WEB, DHCP, PROBES)


def test_network_manager_obeys_the_companion_and_not_the_web_process(box: Box) -> None:
    """Of all actions that NetworkManager has here."""
    policy = box.does("cat", "/usr/share/polkit-1/actions/org.freedesktop.NetworkManager.policy")
    actions = re.findall(r'<action id="([^"]+)"', policy)
    allowed = {
        user: {action.rpartition("NetworkManager.")[2] for action in actions if may(box, user, action)}
        for user in ("companion", "companion-web")
    }
    assert allowed == {
        "companion": {"network-control", "settings.modify.system", "wifi.scan"},
        "companion-web": set(),
    }


def obeys(box: Box, user: str, order: tuple[str, ...]) -> bool:
    """Whether systemd does what a user of the machine wants."""
    return as_user(box, user, "systemctl", "--no-ask-password", *order) == 0


def may(box: Box, user: str, action: str) -> bool:
    """Whether polkit lets a user do something."""
    return as_user(box, user, "sh", "-c", f"exec pkcheck --action-id {action} --process $$") == 0


# Its end


def test_it_ends_with_the_companion(box: Box) -> None:
    """Phones are on again when the companion starts."""
    box.does("systemctl", "stop", "companion")
    assert states(box, PROBES, DHCP) == ["inactive"] * 2
    until(lambda: states(box, WEB) == ["inactive"], "it has ended")
    box.does("systemctl", "start", "companion")
    until(lambda: is_active(box, WEB, DHCP, PROBES), "phones are on again")


def test_a_companion_that_is_killed_and_stopped_stays_so(box: Box) -> None:
    """The web process, which connects again and again, doesn't start it, and ends too."""
    box.does("sh", "-c", "systemctl kill --signal=SIGKILL companion && systemctl stop companion")
    until(lambda: states(box, WEB) == ["inactive"], "it has ended")
    assert states(box, "companion", "companion-web.socket", PROBES, DHCP)[1:] == ["inactive"] * 3
    assert box.pid == 0


def test_phones_are_on_after_a_crash_of_the_companion(box: Box) -> None:
    """Systemd starts it again."""
    old = box.pid
    box.does("systemctl", "kill", "--signal=SIGKILL", "companion")
    until(lambda: box.pid not in {0, old} and is_active(box, "companion", WEB, DHCP, PROBES), "it is back")


# The hotspot

PROBED = {
    "captive.apple.com": ("/hotspot-detect.html", 200, "Success"),
    "connectivitycheck.gstatic.com": ("/generate_204", 204, ""),
    "connectivitycheck.android.com": ("/generate_204", 204, ""),
    "www.msftconnecttest.com": ("/connecttest.txt", 200, "Microsoft Connect Test"),
    "detectportal.firefox.com": ("/success.txt", 200, "success\n"),
}


def visit(box: Box, wishes: Wishes) -> Answers:
    """A phone joins the hotspot and asks for that."""
    pipe = subprocess.PIPE
    with subprocess.Popen(GUEST, cwd=ROOT, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as guest:
        assert guest.stdout is not None
        assert guest.stdout.readline() == "here\n"
        peer = ("peer", "name", PHONE, "address", PHONE_MAC.hex(":"), "netns", str(guest.pid))
        box.sets_up_network("link", "add", "hotspot", "type", "veth", *peer)
        box.sets_up_network("address", "add", f"{HOTSPOT_ADDRESS}/{HOTSPOT_PREFIX_LENGTH}", "dev", "hotspot")
        box.sets_up_network("link", "set", "hotspot", "up")
        out, err = guest.communicate(msgspec.json.encode(wishes).decode() + "\n")
    # The cable is gone with the phone's network.
    assert guest.returncode == 0, err
    return msgspec.json.decode(out, type=Answers)


def test_a_phone_in_the_hotspot_gets_an_address_and_stays(box: Box) -> None:
    """Its tests of the internet succeed at port 80; its pages come from the companion at their own port."""
    probes = [(name, path) for name, (path, *_) in PROBED.items()]
    pages = [(PAGES, "/table"), (HOTSPOT_ADDRESS, "/table"), ("captive.apple.com:8080", "/table")]
    wishes = Wishes([*PROBED, "www.example.org"], [*probes, *pages], f"{PAGES}/table/socket?language=en")
    found = visit(box, wishes)
    assert found.offered.startswith(HOTSPOT_ADDRESS.rpartition(".")[0])
    assert found.options[114] == "urn:ietf:params:capport:unrestricted"
    assert found.names == dict.fromkeys(PROBED, HOTSPOT_ADDRESS) | {"www.example.org": "problem 3"}
    for (_, status, text), (got, content) in zip(PROBED.values(), found.pages, strict=False):
        assert got == status
        assert text in content
    assert [status for status, _ in found.pages[len(PROBED) :]] == [200, 404, 421]
    assert json.loads(found.message)["v"] == 1, "the web process is connected with the companion"


def test_phones_can_be_on_where_something_else_uses_port_80(box: Box) -> None:
    """Only the tests of the internet get another answer."""
    box.does(*AS_COMPANION, "stop", WEB)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    other = box.started("python3", "-m", "http.server", "80", **quiet)
    until(lambda: "0.0.0.0:80" in network_sockets(box), "it listens")
    try:
        box.does(*AS_COMPANION, "start", WEB)
        until(lambda: "0.0.0.0:8080" in network_sockets(box), "pages are there")
        assert states(box, WEB, PROBES) == ["active", "failed"]
    finally:
        box.kill(b"http.server")
        other.wait()


def network_sockets(box: Box) -> Sequence[str]:
    """Returns where programs in the machine listen."""
    table = Path(f"/proc/{box.outside(1)}/net/tcp").read_text().splitlines()[1:]
    entries = [line.split() for line in table]
    return [as_text(entry[1]) for entry in entries if entry[3] == "0A"]


def as_text(address: str) -> str:
    """Returns an address of /proc/net/tcp as people write it."""
    host, port = address.split(":")
    return ".".join(str(byte) for byte in reversed(bytes.fromhex(host))) + f":{int(port, 16)}"
