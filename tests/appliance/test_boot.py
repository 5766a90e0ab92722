"""The service on a machine that boots: installed, torn away, hung, updated, gone back and taken away again.

A real systemd is the init of a bare Debian in namespaces. No virtual terminal, panel or udev is in there:
the service draws into memory, and the rules for udev are only written.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.appliance.box import INSTALL, PATIENCE, ROOT, STATE, Box, missing, until
from tests.appliance.freeze import frozen
from tests.support.soak import SOAK

pytestmark = [
    pytest.mark.without_coverage,
    pytest.mark.skipif(not SOAK, reason="a machine is installed and booted in a soak"),
    pytest.mark.skipif(bool(missing()), reason=missing() or "nothing is missing"),
    pytest.mark.timeout(3600),
    pytest.mark.xdist_group("boot"),
]
CUTS = int(os.environ.get("COMPANION_CUTS", "50"))
"""Number of updates that are cut off, of all releases; each takes a minute where a machine is busy."""
OLD_STATES = ROOT / "tests/old_states"
RELEASES = sorted(folder.name for folder in OLD_STATES.glob("release-*"))
"""Releases whose games an update may find; `scripts.old_states` saved them."""
SOON = 5.0
"""Seconds in which it must be back."""


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    """A machine with the companion installed."""
    with Box(request.param) as machine:
        done = machine.installs()
        assert done.returncode == 0, done.stdout + done.stderr
        yield machine


def is_ready(box: Box) -> bool:
    """Whether its first frame is drawn."""
    return box.run("systemctl", "is-active", "companion").stdout.strip() == "active"


def question(box: Box) -> int:
    """The number of the open question of the game that is open, by JSON lines."""
    box.does("systemctl", "stop", "companion")
    return int(json.loads(box.plays(game="egypt")[0])["n"])


def begin_egypt(box: Box) -> int:
    """A game with two answers; gives the number of its open question."""
    box.does("systemctl", "stop", "companion")
    told = box.plays(
        '{"n": 1, "answer": "2"}', '{"n": 2, "answer": true}', game="egypt", seats="Aki,Ben,Chie"
    )
    return int(json.loads(told[-1])["n"])


def answers(box: Box, n: int) -> None:
    """The open question of that number is answered; the service isn't running."""
    assert json.loads(box.plays(f'{{"n": {n}, "answer": 7}}', game="egypt")[-1])["n"] == n + 1


def test_it_is_ready_and_starts_with_the_machine(box: Box) -> None:
    """Its first frame is drawn, and the copies of the games have their timer."""
    assert is_ready(box)
    assert box.shown("StatusText") == "home"
    units = ["companion.service", "companion-backup.timer"]
    assert box.does("systemctl", "is-enabled", *units).split() == ["enabled", "enabled"]


def test_a_second_installation_changes_nothing(box: Box) -> None:
    """A second installation leaves the running process as it is."""
    before = box.pid, box.does("readlink", "/opt/companion/current")
    done = box.installs()
    assert "is already installed" in done.stdout
    assert (box.pid, box.does("readlink", "/opt/companion/current")) == before


def test_it_is_hardly_exposed_by_systemds_own_measure(box: Box) -> None:
    """With its devices still to be used."""
    level = box.does("systemd-analyze", "security", "--no-pager", "companion.service").splitlines()[-1]
    found = re.search(r"level for companion\.service: ([\d.]+)", level)
    assert found is not None
    assert float(found[1]) <= 2.0


def test_it_can_write_nowhere_but_where_its_games_and_its_wiring_are(box: Box) -> None:
    """Everything else is read-only for it, as on a card that is write-protected."""
    inside = ["nsenter", "--target", str(box.pid), "--mount", "--root", "--wd", "touch"]
    for path in ("/opt/companion/x", "/etc/x", "/usr/x", "/boot/firmware/x"):
        assert "Read-only" in box.run(*inside, path).stderr
    box.does(*inside, f"{STATE}/x")
    box.does(*inside, "/etc/companion/x")
    box.does("rm", f"{STATE}/x", "/etc/companion/x")


def test_the_nightly_copy_brings_the_games_back(box: Box) -> None:
    """Made by its own service, which may do even less; also while the companion runs."""
    n = begin_egypt(box)
    box.does("systemctl", "start", "companion")
    box.does("systemctl", "start", "companion-backup.service")
    (kept,) = box.does("find", f"{STATE}/backups", "-name", "*.zip").split()
    box.does("systemctl", "stop", "companion")
    owner = ["runuser", "-u", "companion", "--", "companion"]
    assert "1 game restored" in box.does(*owner, "restore", kept, "--yes", "--state", STATE)
    assert question(box) == n
    box.does("systemctl", "start", "companion")


def test_a_stick_that_is_put_in_can_be_written(box: Box) -> None:
    """Also one that came after the service had started."""
    box.does("mkdir", "--parents", "/media/stick")
    box.does("mount", "-t", "tmpfs", "-o", "uid=companion", "tmpfs", "/media/stick")
    inside = ["nsenter", "--target", str(box.pid), "--mount", "--root", "--wd"]
    box.does(*inside, "runuser", "-u", "companion", "touch", "/media/stick/x")
    box.does("test", "-e", "/media/stick/x")
    box.does("umount", "/media/stick")


def test_killed_it_is_back_at_the_same_question(box: Box) -> None:
    """Within five seconds, the game on the table; after a third time in a row safe mode would be offered."""
    n = begin_egypt(box)
    box.does("systemctl", "start", "companion")
    for _ in range(2):
        old = box.pid
        box.does("systemctl", "kill", "--signal=SIGKILL", "companion")
        took = until(lambda: box.pid not in {0, old} and is_ready(box), "it is back")  # noqa: B023 - at once
        assert took < SOON
        until(lambda: box.shown("StatusText") == f"Egypt: question {n}", "the game lies there")


def test_a_hung_game_is_ended_by_the_watchdog(box: Box) -> None:
    """Only the thread that runs the game hangs; the journal says where each was, and the game is back."""
    n = begin_egypt(box)
    box.does("systemctl", "start", "companion")
    old = box.pid
    with frozen(box.outside(old)):
        until(lambda: box.pid not in {0, old}, "systemd starts it again")
    until(lambda: box.shown("StatusText") == f"Egypt: question {n}", "the game lies there")
    journal = box.does("journalctl", "--unit", "companion", "--lines", "200", "--output", "cat")
    assert "Watchdog timeout" in journal


def test_stopped_in_a_sealed_round_the_envelopes_are_there_after_it(box: Box) -> None:
    """Also killed in it."""
    box.does("systemctl", "stop", "companion")
    told = box.plays('{"n": 1, "answer": 5, "seat": "Aki"}', game="sealed_bid", seats="Aki,Ben,Chie")
    assert json.loads(told[-1])["taken"]
    for end in ("SIGTERM", "SIGKILL"):
        box.does("systemctl", "start", "companion")
        box.does("systemctl", "kill", "--kill-whom=main", f"--signal={end}", "companion")
        box.does("systemctl", "stop", "companion")
        assert json.loads(box.plays(game="sealed_bid")[0])["in"] == ["Aki"]


@contextmanager
def stick(box: Box, image: Path) -> Iterator[Path]:
    """A stick with ext4 that holds the games of this machine; at the end it starts without it, as before."""
    with image.open("wb") as file:
        file.truncate(64 * 2**20)
    games = box.root / STATE.lstrip("/")
    subprocess.run(["mkfs.ext4", "-q", "-L", "companion-games", "-d", games, image], check=True)
    yield image
    box.starts_again()


def test_with_a_read_only_card_the_games_are_on_a_stick(box: Box, tmp_path: Path) -> None:
    """Nothing else that is written is there at the next start; the plug is pulled, and no answer is lost."""
    begin_egypt(box)
    n = question(box)
    with stick(box, tmp_path / "stick") as image:
        for given in range(3):
            box.starts_again(image)
            until(lambda: is_ready(box), "it starts")
            assert box.run("test", "-e", "/etc/left").returncode != 0
            box.does("touch", "/etc/left")
            assert (
                f"ok      state directory: {STATE}\n"
                in box.run("companion", "doctor", "--state", STATE).stdout
            )
            box.does("systemctl", "stop", "companion")
            asked = json.loads(box.plays(game="egypt")[0])
            assert asked["n"] == n + given
            answer = {"n": asked["n"], "answer": asked["limits"]["least"]}
            box.plays(json.dumps(answer), game="egypt")
    assert question(box) == n


def test_in_a_desktops_window_it_starts_for_its_user(box: Box) -> None:
    """In a folder of the user's own, without root; what it says first it does then, and takes back."""
    box.does("useradd", "--create-home", "aki")
    box.does("cp", "-r", "/srv/companion", "/home/aki/companion")
    box.does("chown", "-R", "aki:aki", "/home/aki")
    number = box.does("id", "-u", "aki").strip()
    box.does("systemctl", "start", f"user@{number}.service")
    aki = ["runuser", "-u", "aki", "--", "env", f"XDG_RUNTIME_DIR=/run/user/{number}", "HOME=/home/aki"]
    install = [*aki, "/home/aki/companion/scripts/install.sh", "--desktop"]
    files = [
        "/home/aki/.config/systemd/user/companion.service",
        "/home/aki/.config/autostart/companion.desktop",
    ]
    would = box.does(*install, "--dry-run")
    assert all(f"install: would write {file}" in would for file in files)
    assert box.run("test", "-e", files[0]).returncode != 0
    assert box.does(*install).endswith("install: done: the Companion starts the next time you log in\n")
    box.does(*aki, "systemctl", "--user", "set-environment", "SDL_VIDEODRIVER=offscreen")
    box.does(*aki, "systemctl", "--user", "start", "companion.service")  # which waits until it is ready
    box.does(*install, "--uninstall")
    assert [box.run("test", "-e", file).returncode for file in files] == [1, 1]
    assert box.run(*aki, "systemctl", "--user", "is-active", "companion.service").stdout.strip() != "active"
    box.does("systemctl", "stop", f"user@{number}.service")


def renewed(box: Box, version: str) -> None:
    """Another version lies in the clone."""
    file = box.root / "srv/companion/pyproject.toml"
    file.write_text(re.sub(r'(?m)^version = ".*"', f'version = "{version}"', file.read_text()))


@contextmanager
def changed(box: Box, path: str, change: Callable[[str], str]) -> Iterator[None]:
    """A file of the clone is another meanwhile."""
    file = box.root / "srv/companion" / path
    sound = file.read_text()
    file.write_text(change(sound))
    assert file.read_text() != sound
    yield
    file.write_text(sound)


def test_an_update_keeps_the_game_and_the_version_before(box: Box) -> None:
    """And the way back is one command, which keeps what was played since."""
    n, before = begin_egypt(box), box.does("readlink", "/opt/companion/current")
    renewed(box, "9.0.0")
    done = box.installs()
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"egypt draws at question {n}" in done.stdout
    assert box.does("companion", "--version") == "companion 9.0.0\n"
    assert box.does("readlink", "/opt/companion/previous") == before
    assert question(box) == n
    answers(box, n)
    assert box.installs("--rollback").returncode == 0
    assert box.does("readlink", "/opt/companion/current") == before
    assert is_ready(box)
    assert question(box) == n + 1


def test_the_version_before_may_lack_units_of_this_one(box: Box) -> None:
    """Going back takes them away, and the update brings them again."""
    renewed(box, "9.0.5")
    assert box.installs().returncode == 0
    box.does("rm", "/opt/companion/previous/appliance/systemd/companion-probes.socket")
    done = box.installs("--rollback")
    assert done.returncode == 0, done.stdout + done.stderr
    assert is_ready(box)
    unit = "/etc/systemd/system/companion-probes.socket"
    assert box.run("test", "-e", unit).returncode != 0
    assert box.installs("--rollback").returncode == 0
    box.does("test", "-e", unit)


def test_a_version_that_is_not_well_is_not_taken(box: Box) -> None:
    """It is tried with a copy; the old one goes on, and the games are as they were."""
    n, before = begin_egypt(box), box.does("readlink", "/opt/companion/current")
    with changed(box, "ui/stage.py", lambda text: f"{text}\nraise RuntimeError\n"):
        renewed(box, "9.0.1")
        done = box.installs()
    assert done.returncode == 1
    assert "nothing was changed" in done.stdout
    assert box.does("readlink", "/opt/companion/current") == before
    assert is_ready(box)
    assert question(box) == n


def test_two_installations_are_not_made_at_once(box: Box) -> None:
    """The second says so, and changes nothing."""
    renewed(box, "9.0.2")
    update = box.started(INSTALL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert update.stdout is not None
    while "build version" not in update.stdout.readline():
        assert update.poll() is None, "it ended before it had begun"
    second = box.installs()
    assert (second.returncode, second.stdout) == (1, "install: another installation is running\n")
    update.communicate(timeout=PATIENCE)
    assert update.returncode == 0


def test_a_version_that_does_not_start_for_people_goes_by_itself(box: Box) -> None:
    """It was well when it was tried, and fails as the service: the one before is back, with the games."""
    n, before = begin_egypt(box), box.does("readlink", "/opt/companion/current")
    with changed(box, "ui/supervisor.py", lambda text: f"{text}\nraise RuntimeError\n"):
        renewed(box, "9.0.3")
        done = box.installs()
    assert done.returncode == 1
    assert "doesn't start" in done.stdout
    assert "install: going back to" in done.stdout
    assert box.does("readlink", "/opt/companion/current") == before
    assert is_ready(box)
    assert question(box) == n


def test_going_back_to_a_version_that_can_not_read_the_games(box: Box) -> None:
    """They are as before the update, and what was played since lies beside, in a directory that is named."""
    n, before = begin_egypt(box), box.does("readlink", "/opt/companion/current")
    newer = 'GAMES_MIGRATIONS += ("CREATE TABLE newer (number INTEGER);",)\n\nDRAFTS_MIGRATIONS ='
    with changed(
        box, "companion/store/database.py", lambda text: text.replace("DRAFTS_MIGRATIONS =", newer, 1)
    ):
        renewed(box, "9.0.4")
        assert box.installs().returncode == 0
    box.does("systemctl", "stop", "companion")
    answers(box, n)
    done = box.installs("--rollback")
    assert done.returncode == 0, done.stdout + done.stderr
    assert box.does("readlink", "/opt/companion/current") == before
    assert question(box) == n
    (aside,) = re.findall(rf"the newer games are in ({STATE}\.newer-\S+)", done.stdout)
    box.does("test", "-e", f"{aside}/companion.sqlite3")
    box.does("rm", "-r", aside)


def release_left(box: Box, release: str) -> dict[str, object]:
    """The games are those that a release left; gives what it asked for in its last sealed round."""
    box.does("systemctl", "stop", "companion")
    box.does("find", STATE, "-mindepth", "1", "-delete")
    box.does("cp", "-r", f"/srv/companion/tests/old_states/{release}/.", STATE)
    box.does("rm", f"{STATE}/told.json")
    box.does("chown", "-R", "companion:companion", STATE)
    told = json.loads((OLD_STATES / release / "told.json").read_text(encoding="utf-8"))
    open_game = told[-1]
    return {"n": open_game["n"], "in": list(open_game["in"])}


@pytest.mark.parametrize("release", RELEASES)
def test_an_update_may_be_cut_off_at_any_moment(box: Box, release: str) -> None:
    """The old version starts or the new one, each time, with a release's sealed round and its envelopes."""
    left, rng = release_left(box, release), random.Random(14)
    begun = time.monotonic()
    version = f"9.{RELEASES.index(release) + 1}"
    renewed(box, version)
    assert box.installs().returncode == 0
    longest = time.monotonic() - begun
    for number in range(CUTS // len(RELEASES)):
        renewed(box, f"{version}.{number}")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with box.started(INSTALL, **quiet) as update:
            with suppress(subprocess.TimeoutExpired):
                update.wait(rng.uniform(0, longest))
            cut_off(box)
        box.run("systemctl", "start", "companion")  # or it starts by itself
        until(lambda: is_ready(box), f"it starts after cut {number}")
        box.does("systemctl", "stop", "companion")
        asked = json.loads(box.plays(game="sealed_bid")[0])
        assert {"n": asked["n"], "in": asked["in"]} == left


def cut_off(box: Box) -> None:
    """Everything of the update is gone at once, as if the plug was pulled; and the service with it."""
    box.kill(b"install.sh", b"/opt/companion")


def test_what_is_taken_away_leaves_nothing_but_the_games(box: Box) -> None:
    """Also the lines in config.txt are gone, and the user; games are there when it is installed again."""
    n = begin_egypt(box)
    config = box.root / "boot/firmware/config.txt"
    assert "dtparam=spi=on" in config.read_text()
    assert box.installs("--uninstall").returncode == 0
    assert "spi" not in config.read_text()
    left = box.does("find", "/etc", "/opt", "/usr/local", "/var/lib", "/run", "-name", "*companion*").split()
    kept = [path for path in left if not path.startswith((STATE, "/etc/systemd/system/companion.service.d"))]
    assert kept == []
    assert box.run("getent", "passwd", "companion").returncode != 0
    assert box.installs().returncode == 0
    assert question(box) == n
