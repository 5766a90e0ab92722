"""What comes after an end that nobody asked for: the table again, and after three of them safe mode."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.evening import Evening
from companion.store import Store
from tests.support.program import COMPANION, TIMEOUT_SECONDS
from tests.support.systemd_notify import NotifySocket
from tests.support.ui.app_helpers import NAMES, make_test_app
from ui.evening.home_snapshot import SNAPSHOT_FILE_NAME, HomeSnapshot, save_home_snapshot
from ui.starts import MAX_CRASHES_IN_A_ROW, STARTS_FILE, CrashCounter, PreviousStarts

WITH_CLOCKS = "turn=60"


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    """What changes with each start of the machine."""
    file = tmp_path / "boot_id"
    file.write_text("one\n")
    return file


def test_ends_that_nobody_asked_for_are_counted(tmp_path: Path, boot: Path) -> None:
    """One end as it should be, and the count begins anew."""
    starts = CrashCounter(tmp_path, boot)
    assert [starts.count_start() for _ in range(3)] == [
        PreviousStarts(),
        PreviousStarts(was_interrupted=True, crashes_in_a_row=1),
        PreviousStarts(True, 2),
    ]
    starts.record_clean_exit()
    assert starts.count_start() == PreviousStarts()


def test_a_pulled_plug_is_no_fault_of_the_program(tmp_path: Path, boot: Path) -> None:
    """The game was torn away all the same."""
    CrashCounter(tmp_path, boot).count_start()
    boot.write_text("another\n")
    assert CrashCounter(tmp_path, boot).count_start() == PreviousStarts(
        was_interrupted=True, crashes_in_a_row=0
    )


def test_what_went_on_for_long_was_no_bad_start(tmp_path: Path, boot: Path) -> None:
    """Its end counts as torn, but it offers no safe mode."""
    starts = CrashCounter(tmp_path, boot)
    for _ in range(MAX_CRASHES_IN_A_ROW):
        starts.count_start()
    starts.reset_crash_count()
    assert starts.count_start() == PreviousStarts(was_interrupted=True, crashes_in_a_row=0)


@pytest.mark.parametrize(
    "found",
    [
        b"",
        b"{",
        b"[]",
        b'{"boot": 1, "starts": "x"}',
        b"\xff",
        b'{"boot": "\xff", "starts": 1}',
        b'{"boot": "", "starts": 1, "x": ' + b"[" * 5000,
    ],
)
def test_a_count_that_says_nothing_is_none(tmp_path: Path, boot: Path, found: bytes) -> None:
    """Whatever stands in the file, the program starts."""
    (tmp_path / STARTS_FILE).write_bytes(found)
    assert CrashCounter(tmp_path, boot).count_start() == PreviousStarts()


def test_a_directory_that_takes_nothing_is_not_in_the_way(tmp_path: Path, boot: Path) -> None:
    """Nothing is counted there, and nothing raised."""
    starts = CrashCounter(tmp_path / "missing", boot)
    assert [starts.count_start(), starts.count_start()] == [PreviousStarts(), PreviousStarts()]
    starts.reset_crash_count()
    starts.record_clean_exit()


@pytest.fixture
async def torn(open_app: Any, tmp_path: Path, without_motion: None) -> Any:
    """The app as it starts after a game with clocks was torn away."""
    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        from companion.clocks import parse_clocks

        session = Evening(store).begin_game("egypt", NAMES, {}, parse_clocks(WITH_CLOCKS))
        session.answer(session.question_number, "2")
    app = make_test_app(tmp_path / "state")
    app.reopens_game_after_crash = True
    return await open_app(app)


async def test_the_game_lies_on_the_table_again_and_its_clocks_stand(torn: Any) -> None:
    """Nothing goes on unasked: the same question is open, and time stands still until somebody plays on."""
    await torn.wait_until(lambda: "Egypt was interrupted" in torn.texts())
    playing = torn.app.evening.current_session
    assert (playing.question_number, playing.are_clocks_paused) == (2, True)
    await torn.tap("go on")
    assert not playing.are_clocks_paused


async def test_who_answers_on_a_keypad_plays_on(torn: Any) -> None:
    """The question whether to is gone, and the clocks go."""
    await torn.wait_until(lambda: "Egypt was interrupted" in torn.texts())
    controller = torn.app.controller
    controller.answer_question(controller.view.question_number, True)
    await torn.wait_frames()
    assert "Egypt was interrupted" not in torn.texts()
    assert not controller.evening.current_session.are_clocks_paused


async def test_one_may_look_first(torn: Any) -> None:
    """The table is there, and its clocks stand."""
    await torn.wait_until(lambda: "Egypt was interrupted" in torn.texts())
    await torn.tap("look")
    assert "Egypt was interrupted" not in torn.texts()
    assert torn.app.evening.current_session.are_clocks_paused


async def test_one_may_put_it_away(torn: Any) -> None:
    """That is asked once more, as it can't be taken back."""
    await torn.wait_until(lambda: "Egypt was interrupted" in torn.texts())
    await torn.tap("end")
    assert "End the game here?" in torn.texts()
    await torn.tap("yes")
    assert torn.app.evening.find_open_game() is None


async def test_what_stays_is_set_aside_once_all_is_there(open_app: Any, tmp_path: Path) -> None:
    """Once an evening, when home leads everywhere: no touch waits for the memory to be looked through."""
    app, there = make_test_app(tmp_path / "state"), list[bool]()
    app.after_loading = lambda: there.append(hasattr(app, "table_flow") and app.has_open_evening)
    table = await open_app(app)
    await table.wait_until(lambda: there)
    await table.tap("Egypt")
    assert there == [True]


async def test_without_an_open_game_home_stays(open_app: Any, tmp_path: Path) -> None:
    """There is nothing to lay on the table."""
    app = make_test_app(tmp_path / "state")
    app.reopens_game_after_crash = True
    table = await open_app(app)
    await table.wait_until(lambda: not app.reopens_game_after_crash)
    assert "Demo table" in table.texts()


async def test_in_safe_mode_nothing_that_was_set_counts(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_motion: None
) -> None:
    """Nor is anything set; devices are left alone, and the saved games are all there."""
    from companion import installed_games, languages
    from ui.screen import make_app

    monkeypatch.setattr(installed_games, "_third_party", installed_games._ThirdParty())
    monkeypatch.setattr(languages, "_third_party", languages._ThirdPartyLanguages())
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    (tmp_path / "hardware.toml").write_text("[[keypad]]\nseat = 1\nid = 'kp-1'\n")
    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        Evening(store).begin_game("egypt", NAMES, {})
        store.save_value("sound", False)
    table = await open_app(make_app(tmp_path / "state", safe_mode=True))
    controller = table.app.controller
    assert any(text.startswith("Safe mode: ") for text in table.texts())
    assert controller.settings.sound is True
    controller.change_setting("sound", value=True)
    assert controller.evening.store.load_value("sound", None, bool) is False
    assert [one.game for one in controller.evening.unfinished_games()] == ["egypt"]
    assert controller.diagnostics.wiring.sections_with_keys() == []


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[NotifySocket]:
    """Whoever starts the service."""
    with closing(NotifySocket(tmp_path)) as listener:
        yield listener


def started(state: Path, systemd: NotifySocket, *words: str) -> subprocess.Popen[bytes]:
    """The program, as systemd starts it."""
    told = {"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "400000", "SDL_VIDEODRIVER": "offscreen"}
    return subprocess.Popen(
        [COMPANION, "screen", "--state", str(state), *words],
        env={**os.environ, **told},
        stderr=subprocess.PIPE,
    )


def test_systemd_hears_that_it_is_there_that_it_lives_and_what_waits(
    tmp_path: Path, systemd: NotifySocket
) -> None:
    """Ready with the first frame, then signs of life; torn away it comes back to the same question."""
    state = tmp_path / "state"
    with closing(Store.open(state, for_writing=True)) as store:
        session = Evening(store).begin_game("egypt", NAMES, {})
        session.answer(session.question_number, "2")
    for status, end in (("home", signal.SIGKILL), ("Egypt: question 2", signal.SIGTERM)):
        with started(state, systemd) as program:
            assert systemd.wait_for_message("READY=1")
            assert systemd.wait_for_message(f"WATCHDOG=1\nSTATUS={status}")
            program.send_signal(end)
            assert program.wait(TIMEOUT_SECONDS) == (-end if end == signal.SIGKILL else 0)
    assert systemd.wait_for_message("STOPPING=1")
    assert not (state / STARTS_FILE).exists()


def test_an_address_that_begins_with_an_at_sign_is_no_file() -> None:
    """An abstract socket of systemd is written with @ in place of its first, null byte: sd_notify(3)."""
    from ui.supervisor import SystemdNotifier

    name = f"companion-{os.getpid()}"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)) as listener:
        listener.bind(f"\0{name}")
        notifier = SystemdNotifier(f"@{name}")
        with closing(notifier._socket):
            notifier.send(READY="1", STATUS="home")
        assert listener.recv(1000) == b"READY=1\nSTATUS=home"


def test_a_hung_thread_gives_no_sign_and_says_where_it_was(tmp_path: Path, systemd: NotifySocket) -> None:
    """What systemd ends with SIGABRT writes the line of each thread, and no value."""
    with started(tmp_path / "state", systemd) as program:
        assert systemd.wait_for_message("WATCHDOG=1")
        program.send_signal(signal.SIGABRT)
        _, said = program.communicate(timeout=TIMEOUT_SECONDS)
    assert b'File "' in said
    assert program.returncode == -signal.SIGABRT


def test_after_three_ends_in_a_row_safe_mode_is_offered(tmp_path: Path, systemd: NotifySocket) -> None:
    """It waits there: nothing that may be at fault is loaded before somebody has chosen."""
    state = tmp_path / "state"
    Store.open(state, for_writing=True).close()
    starts = CrashCounter(state)
    for _ in range(MAX_CRASHES_IN_A_ROW):
        starts.count_start()
    with started(state, systemd) as program:
        assert systemd.wait_for_message("READY=1")
        Store.open(state, for_writing=True).close()  # nobody plays there yet
        program.terminate()
        assert program.wait(TIMEOUT_SECONDS) == 0


@pytest.mark.parametrize(("given", "shown"), [({}, "ja"), ({"lang": "en"}, "en")])
async def test_safe_mode_is_offered_in_the_language_that_was_asked_for(
    open_app: Any, tmp_path: Path, given: dict[str, Any], shown: str
) -> None:
    """Without one it is offered in the language in which home was drawn last."""
    app = make_test_app(tmp_path / "state", **given)
    app.home_snapshot_file = tmp_path / SNAPSHOT_FILE_NAME
    save_home_snapshot(app.home_snapshot_file, HomeSnapshot("ja", ()))
    app.offers_safe_mode, app.open_safe_evening = True, app._open_evening
    table = await open_app(app)
    assert app.lang == shown
    assert app.tr("Start normally") in table.texts()
