"""Every file that the program writes is its owner's alone, whatever the umask."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from companion.evening import Evening
from companion.files import user_files
from companion.files.regular_files import create_folder
from companion.store import Store
from hardware.wiring import WIRING_FILE
from hardware.wiring import files as wiring
from tests.support.in_process import run_in_process
from tests.support.program import COMPANION, TIMEOUT_SECONDS
from tests.support.soak import SOAK
from tests.support.systemd_notify import NotifySocket

OPEN, CLOSED = 0o000, 0o077
MASKS = (OPEN, CLOSED) if SOAK else (OPEN,)
"""What isn't made private stands out where a umask closes nothing."""
WRITERS: Mapping[str, tuple[str, ...]] = {
    "play": ("play sealed_bid --json --seats Aki,Ben,Chie --state STATE",),
    "log": ("log 1 --state STATE", "log 2 --to HERE/two.log --state STATE"),
    "export": tuple(
        f"export 2 --format {form} --out HERE/sheet.{form} --state STATE"
        for form in ("text", "csv", "json", "html")
    ),
    "history": ("history resume 1 --state STATE", "history delete 1 --yes --state STATE"),
    "players": ("players merge Aki Ben --state STATE", "players delete Chie --state STATE"),
    "settings": ("settings set sound off --state STATE",),
    "cards": (
        "cards export egypt HERE/egypt.toml --state STATE",
        "cards export bidders HERE/bidders.csv --state STATE",
        "cards import bidders HERE/bidders.csv --state STATE",
        "cards check bidders --entered --state STATE",
    ),
    "games": ("games new mine --state STATE",),
    "templates": (
        "templates export mine HERE/theirs.toml --state STATE",
        "templates import HERE/theirs.toml --state STATE",
    ),
    "backup": ("backup --state STATE", "backup HERE/kept.zip --state STATE"),
    "restore": ("restore HERE/kept.zip --yes --config --state STATE",),
    "new": ("new game my_game --in HERE/below/games",),
    "hardware": ("hardware init one-button", "hardware init reader --file HERE/below/wiring/hardware.toml"),
    "doctor": ("doctor --report HERE/report.txt --state STATE",),
    "health": ("health --state STATE",),
}
"""What is run, in this order; each verb that writes."""
OWN_PROCESS = {"doctor", "health"}
"""Verbs that open a window or devices; all others run in the process of the test, which is much faster."""
OTHERS = {
    "screen": "it is run below, as it ends only when it is told to",
    "demo": "a match takes half a minute; its pictures are looked at in tests/ui/test_demo.py",
    "show": "it is what demo runs",
    "replay": "it only reads",
    "api": "it only reads",
    "verify": "it only reads",
    "web": "it only reads",
    "simulate": "it makes a serial port, which is no file",
    "update": "root's, for all to read",
}


def test_every_verb_is_swept() -> None:
    """A new verb says whether it writes."""
    assert sorted({*WRITERS, *OTHERS}) == sorted(entry_points(group="companion.commands").names)


def modes(folder: Path) -> Iterator[tuple[str, int]]:
    """Every file and directory below, and who may do what with it."""
    for path in sorted(folder.rglob("*")):
        yield str(path.relative_to(folder)), stat.S_IMODE(path.lstat().st_mode)


def open_to_others(folder: Path) -> list[str]:
    """What there is that isn't its owner's alone."""
    return [
        f"{name} {mode:o}"
        for name, mode in modes(folder)
        if mode != (0o700 if (folder / name).is_dir() else 0o600)
    ]


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """A folder with saved games in it: one in a sealed round, one that is over."""
    folder = tmp_path / "found"
    create_folder(folder)
    with closing(Store.open(folder / "state", for_writing=True)) as store:
        evening = Evening(store)
        session = evening.begin_game("sealed_bid", ["Aki", "Ben", "Chie"], {})
        session.put_answer_in_envelope(session.question_number, session.table.seats[0], 7)
        evening.begin_game("egypt", ["Aki", "Ben", "Chie"], {})
        evening.put_game_away()
    return folder


def environment(there: Path) -> dict[str, str]:
    """No home but there, so that nothing is written elsewhere."""
    told = {"HOME": str(there / "home"), "COMPANION_CONFIG": str(there / "config")}
    return {**os.environ, **told, "SDL_VIDEODRIVER": "offscreen", "MESA_SHADER_CACHE_DISABLE": "true"}


def run_with_mask(words: list[str], mask: int) -> tuple[int | str | None, str]:
    """Returns how the program ended and its error messages; only verbs of `OWN_PROCESS` start another one."""
    if words[0] in OWN_PROCESS:
        done = subprocess.run(
            [COMPANION, *words],
            input="",
            text=True,
            capture_output=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
            umask=mask,
        )
        return done.returncode, done.stderr
    former = os.umask(mask)
    try:
        ended = run_in_process(words)
    finally:
        os.umask(former)
    return ended.status, ended.error_output


@pytest.mark.without_coverage
@pytest.mark.parametrize("mask", MASKS, ids="{:03o}".format)
def test_every_file_is_its_owners_alone(there: Path, mask: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever verb wrote it, in the state directory or where people wanted it; and each new directory."""
    monkeypatch.chdir(there)
    for name, value in environment(there).items():
        monkeypatch.setenv(name, value)
    for command in (command for commands in WRITERS.values() for command in commands):
        words = command.replace("HERE", str(there)).replace("STATE", str(there / "state")).split()
        status, errors = run_with_mask(words, mask)
        assert (command, "Traceback" in errors) == (command, False)
        # Nobody has played to the end, so players has nothing to write; a doctor may find something.
        assert status == 0 or words[0] in {"doctor", "players"}, (command, errors)
        assert (command, open_to_others(there)) == (command, [])
    names = {name for name, _ in modes(there)}
    assert {
        "kept.zip",
        "sheet.html",
        "report.txt",
        "two.log",
    } <= names
    assert {"state/templates/mine.toml", "state/cards/bidders.toml", "config/hardware.toml"} <= names
    assert "below/games/my_game/pyproject.toml" in names


@pytest.mark.without_coverage
@pytest.mark.parametrize("mask", MASKS, ids="{:03o}".format)
def test_the_window_writes_nothing_that_others_can_read(there: Path, mask: int) -> None:
    """Neither while it runs nor when it ends."""
    with closing(NotifySocket(there.parent)) as systemd:
        told = {"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "400000", "SDL_AUDIODRIVER": "dummy"}
        with subprocess.Popen(
            [COMPANION, "screen", "--state", str(there / "state")],
            umask=mask,
            env={**environment(there), **told},
        ) as program:
            systemd.wait_for_message("WATCHDOG=1\nSTATUS=")
            during = open_to_others(there)
            program.send_signal(signal.SIGTERM)
            assert program.wait(TIMEOUT_SECONDS) == 0
    assert during == open_to_others(there) == []
    assert (there / "state/home.json").exists()


def test_what_is_packed_is_its_owners_too(there: Path) -> None:
    """Whoever unpacks a copy by hand gets files that nobody else reads."""
    subprocess.run(
        [COMPANION, "backup", there / "kept.zip", "--state", there / "state"], check=True, capture_output=True
    )
    with zipfile.ZipFile(there / "kept.zip") as kept:
        assert {part.external_attr >> 16 & 0o777 for part in kept.infolist()} == {0o600}


def test_files_of_an_older_version_become_their_owners(there: Path) -> None:
    """Version 0.2 left exports, cards, templates and home.json open; the next start closes them."""
    state = there / "state"
    others = there / "others"
    others.write_text("theirs")
    others.chmod(0o644)
    for name in (
        "home.json",
        "exports/1-egypt.html",
        "cards/egypt.toml",
        "templates/x.toml",
        "reports/doctor-1.txt",
    ):
        create_folder((state / name).parent)
        (state / name).write_text("{}")
        (state / name).chmod(0o644)
    (state / "exports/link").symlink_to(others)
    Store.open(state, for_writing=True).close()
    assert [name for name in open_to_others(state) if "link" not in name] == []
    assert stat.S_IMODE(others.stat().st_mode) == 0o644


def test_the_wiring_of_the_machine_is_for_all_who_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root writes it, the service reads it, and so does whoever is logged in: pins are no secret."""
    monkeypatch.setattr(wiring, "SHARED_FOLDER", tmp_path / "companion")
    before = os.umask(CLOSED)
    try:
        for folder in ("companion", "own"):
            path = tmp_path / folder / WIRING_FILE
            user_files.write_new_file(path, "", wiring.choose_file_mode_by_folder(path))
    finally:
        os.umask(before)
    assert dict(modes(tmp_path)) == {
        "companion": 0o755,
        "companion/hardware.toml": 0o644,
        "own": 0o700,
        "own/hardware.toml": 0o600,
    }
