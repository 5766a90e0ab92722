"""Only plain files are read: whatever else lies there is refused at once, in a sentence, and nobody waits."""

from __future__ import annotations

import ast
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.bounds import MAX_OWN_TEMPLATES_PER_GAME
from companion.errors import UserError
from companion.evening import Evening
from companion.files import user_files
from companion.files.regular_files import read_regular_file, remove_unfinished_files
from companion.store import Store, archive
from companion.store.state_files import is_state_directory_in_use
from hardware.wiring import WIRING_FILE, WiringError, read_machine_wiring
from tests.any_game_presets import library
from tests.support.program import run_companion
from ui.evening import home_snapshot
from ui.starts import STARTS_FILE as STARTS
from ui.starts import CrashCounter, PreviousStarts

ROOT = Path(__file__).parents[2]
LONG = 20
"""Seconds; whoever waits for a pipe waits for ever."""
KINDS = ("pipe", "device", "directory", "socket", "link", "link to a pipe", "link to nothing")
REFUSED = r"It is not a regular file|Is a directory|It is a link|No such file or directory"


def lay(kind: str, path: Path) -> None:
    """Something that is no plain file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    other = path.with_name("other")
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "directory":
            path.mkdir()
        case "socket":
            with closing(socket.socket(socket.AF_UNIX)) as there:
                here = Path.cwd()
                os.chdir(path.parent)  # a socket's name is short
                there.bind(path.name)
                os.chdir(here)
        case "link":
            other.write_text("x = 1\n")
            path.symlink_to(other)
        case "link to a pipe":
            os.mkfifo(other)
            path.symlink_to(other)
        case "link to nothing":
            path.symlink_to(other)


@contextmanager
def in_time() -> Iterator[None]:
    """Fails where something is waited for."""

    def late(*_: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LONG)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_plain_file_is_refused(tmp_path: Path, kind: str) -> None:
    """By name and reason; where links may be followed, one to a plain file is read."""
    lay(kind, tmp_path / "x.toml")
    with in_time():
        with pytest.raises(UserError, match=rf"x\.toml can't be read: ({REFUSED})\.$"):
            user_files.read_user_file(tmp_path / "x.toml", 100, follow_links=False)
        with pytest.raises(OSError, match=REFUSED):
            read_regular_file(tmp_path / "x.toml", 100, follow_links=False)
        if kind == "link":
            assert user_files.read_user_file(tmp_path / "x.toml", 100) == "x = 1\n"
        else:
            with pytest.raises(UserError, match=REFUSED):
                user_files.read_user_file(tmp_path / "x.toml", 100)


def test_no_more_is_read_than_there_may_be(tmp_path: Path) -> None:
    """A file that is too long is refused, however long it is."""
    with (tmp_path / "x").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(OSError, match="File too large"):
        read_regular_file(tmp_path / "x", 100)


@pytest.mark.parametrize("kind", KINDS)
def test_such_a_template_is_not_offered(tmp_path: Path, kind: str) -> None:
    """It is no template; the others are. Its name can't be taken, and whoever asks for it is told why."""
    library(tmp_path).create_copy("mine", "points")
    lay(kind, tmp_path / "templates/odd.toml")
    with in_time():
        assert library(tmp_path).own_names() == ["mine"]
        with pytest.raises(UserError, match=rf"odd\.toml can't be read: ({REFUSED})"):
            library(tmp_path).load_preset_deck("odd")
        with pytest.raises(UserError, match="There is already a template called odd"):
            library(tmp_path).new_preset_path("odd")
        assert library(tmp_path).unused_name_like("odd") == "odd-2"


@pytest.mark.sweep(1)
@pytest.mark.parametrize("kind", KINDS)
def test_the_terminal_names_it_and_goes_on(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a template, a card file, a log, clocks, a sheet or a copy: a sentence each, and no game is begun."""
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config"))
    state = tmp_path / "state"
    lay(kind, state / "templates/odd.toml")
    lay(kind, state / "cards/bidders.toml")
    lay(kind, tmp_path / "log/x.log")
    log = str(tmp_path / "log/x.log")
    for command in (
        ["play", "any_game", "--seats", "Aki,Ben", "--option", "template=odd"],
        ["play", "bidders", "--seats", "Aki,Ben,Chie"],
        ["cards", "show", "bidders"],
        ["cards", "import", "bidders", log],
        ["templates", "import", log],
        ["restore", log, "--yes"],
        ["play", "egypt", "--seats", "Aki,Ben,Chie", "--clock", log],
    ):
        done = run_companion(command, state)
        assert (command, done.returncode) == (command, 2), done.stderr
        assert "Traceback" not in done.stderr
        assert done.stderr.count("\n") <= 3, done.stderr
    assert run_companion(["games"], state).returncode == 0
    assert "odd" not in run_companion(["templates"], state).stdout
    assert run_companion(["backup", str(tmp_path / "kept.zip")], state).returncode == 0
    with closing(Store.open(state)) as store:
        assert store.all_saved_games() == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_wiring_is_a_plain_file_or_a_link_to_one(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anything else is no reason to play without devices unseen: it is named. A copy is made without it."""
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config"))
    lay(kind, tmp_path / "config" / WIRING_FILE)
    with in_time():
        if kind == "link":
            (tmp_path / "config/other").write_text("")
            assert read_machine_wiring().sections_with_keys() == []
        else:
            with pytest.raises(WiringError, match=rf"hardware\.toml can't be read: ({REFUSED})"):
                read_machine_wiring()
    state = tmp_path / "state"
    with closing(Store.open(state, for_writing=True)) as store:
        Evening(store).begin_game("egypt", ["Aki", "Ben", "Chie"], {})
    assert run_companion(["backup", str(tmp_path / "kept.zip")], state).returncode == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_window_starts_beside_it(tmp_path: Path, kind: str) -> None:
    """What home looked like and how often it started is forgotten, and written anew where that can be."""
    lay(kind, tmp_path / "a" / STARTS)
    lay(kind, tmp_path / "b" / home_snapshot.SNAPSHOT_FILE_NAME)
    with in_time():
        assert CrashCounter(tmp_path / "a").count_start() == PreviousStarts()
        assert home_snapshot.load_home_snapshot(tmp_path / "b" / home_snapshot.SNAPSHOT_FILE_NAME) is None
        home_snapshot.save_home_snapshot(
            tmp_path / "b" / home_snapshot.SNAPSHOT_FILE_NAME, home_snapshot.HomeSnapshot("en", ())
        )
        kept = home_snapshot.load_home_snapshot(tmp_path / "b" / home_snapshot.SNAPSHOT_FILE_NAME)
    assert (kept is None) == (kind == "directory")


@pytest.mark.parametrize(
    "name", ["companion.sqlite3", "backup.sqlite3", "rescued.sqlite3", "lock", "sealed/drafts.sqlite3"]
)
def test_saved_games_in_a_pipe_are_none(tmp_path: Path, name: str) -> None:
    """Whoever plays and whoever only looks is told which file is in the way."""
    lay("pipe", tmp_path / name)
    for playing in (True, False):
        with in_time(), pytest.raises(UserError, match=rf"{name} must be a regular file\."):
            Store.open(tmp_path, for_writing=playing)


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("name", ["companion.sqlite3", "sealed/drafts.sqlite3"])
def test_nobody_waits_for_what_lies_beside_the_games(tmp_path: Path, name: str, suffix: str) -> None:
    """A pipe by the name of one of SQLite's own files is in the way; so whoever opens or copies is told."""
    Store.open(tmp_path, for_writing=True).close()
    for path in tmp_path.rglob("*-???"):
        path.unlink()
    lay("pipe", tmp_path / f"{name}{suffix}")
    for do in (
        lambda: Store.open(tmp_path, for_writing=True),
        lambda: Store.open(tmp_path),
        lambda: archive.write_archive(tmp_path, tmp_path / "kept.zip", "0.3.0", "", {}),
    ):
        with in_time(), pytest.raises(UserError, match=f"{name}{suffix} must be a regular file"):
            do()


def test_there_are_so_many_templates_and_no_more(tmp_path: Path) -> None:
    """One more can't be begun, copied or taken in until one is deleted; what is there is found quickly."""
    (tmp_path / "templates").mkdir()
    for number in range(MAX_OWN_TEMPLATES_PER_GAME):
        (tmp_path / f"templates/t{number}.toml").write_text("")
    (tmp_path / "x.toml").write_text(library(tmp_path).read_preset_text("points"))
    for more in (
        lambda: library(tmp_path).create_copy("more", "points"),
        lambda: library(tmp_path).existing_or_new_preset("points").duplicate("more"),
        lambda: library(tmp_path).import_file(tmp_path / "x.toml"),
    ):
        with pytest.raises(UserError, match=f"There are {MAX_OWN_TEMPLATES_PER_GAME} templates already"):
            more()
    library(tmp_path).delete("t0")
    assert library(tmp_path).import_file(tmp_path / "x.toml").preset_name == "x"


def test_nobody_waits_for_a_lock_or_a_leftover_that_is_a_pipe(tmp_path: Path) -> None:
    """Whoever asks whether somebody plays, or cleans up, goes on."""
    lay("pipe", tmp_path / "lock")
    lay("pipe", tmp_path / f".companion-{'0' * 32}.part")
    with in_time():
        assert not is_state_directory_in_use(tmp_path)
        remove_unfinished_files(tmp_path)


OURS = "it came along with the program, or with a game or language that was installed"
OF_THE_SYSTEM = "the kernel's and systemd's own"
READERS = {
    "companion/cards/deck_file.py": OURS,
    "companion/screen_characters.py": OURS,
    "companion/languages.py": OURS,
    "companion/record/html_page.py": OURS,
    "companion/recorded_match.py": OURS,
    "companion/presets.py": OURS,
    "companion/testing/game_check.py": OURS,
    "companion/testing/code_checks.py": OURS,
    "companion/commands/new.py": OURS,
    "companion/web/static_files.py": OURS,
    "hardware/doctor/system.py": OURS,
    "hardware/wiring/examples.py": OURS,
    "companion/subcommand.py": OF_THE_SYSTEM,
    "companion/wall_clock.py": OF_THE_SYSTEM,
    "hardware/doctor/machine.py": OF_THE_SYSTEM,
    "hardware/input_events.py": OF_THE_SYSTEM,
    "ui/kivy_env.py": OF_THE_SYSTEM,
    "ui/screen.py": OF_THE_SYSTEM,
    "ui/starts.py": OF_THE_SYSTEM,
    "hardware/commands/update.py": "it was looked at before, and is a copy of root's",
    "companion/store/archive.py": "restore wrote it, or it is a part of the archive that is being written",
    "companion/store/state_files.py": "restore wrote it, or it is the lock, which is never waited for",
    "companion/cli.py": "/dev/null",
    "ui/demo/hand.py": "a picture that was just taken",
    "hardware/backlight.py": "numbers of the kernel about the panel",
}
"""Which files read without `open_regular_file`, and why no file of people can keep them waiting."""


def reads(call: ast.Call) -> bool:
    """Whether a call opens a file; `open` without a word of where or how is a method of something else."""
    match call.func:
        case ast.Attribute(attr="read_text" | "read_bytes"):
            return True
        case ast.Attribute(value=ast.Name(id="os" | "io" | "gzip" | "wave" | "zipfile"), attr="open"):
            return True
        case ast.Attribute(attr="open"):
            return any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in call.args)
        case ast.Name(id="open"):
            return True
    return False


def test_whatever_people_bring_is_read_as_a_plain_file() -> None:
    """All else that reads a file without looking what it is reads what the program or the system brought."""
    found = {
        str(file.relative_to(ROOT))
        for folder in ("companion", "hardware", "ui")
        for file in (ROOT / folder).rglob("*.py")
        if any(reads(call) for call in ast.walk(ast.parse(file.read_text())) if isinstance(call, ast.Call))
    }
    found = {
        name
        for name in found
        if not name.startswith(
            (
                "hardware/firmware/",
                "companion/files/regular_files",
                "companion/commands/new_game",
            )
        )
    }
    assert sorted(found) == sorted(READERS)
