"""What the service tells the journal, and a report everybody: nothing of who plays, and nothing of what."""

from __future__ import annotations

import io
import logging
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import RulesCrashed
from companion.evening import Evening
from companion.requests import Choose
from companion.store import Store
from companion.texts import say
from hardware.doctor.report import describe_saved_games
from hardware.signals import DeviceFound, DeviceLost
from tests.support.program import COMPANION, TIMEOUT_SECONDS, run_companion
from ui.journal import (
    LOG,
    _log_thread_crash,
    configure_logging,
    format_traceback_without_message,
    log_device_change,
    log_error_behind_refusal,
)
from ui.starts import STARTS_FILE

NAMES = ["Zebulon", "Quirin", "よしこ"]
BIDS = [70707, 50505, 30303]


@pytest.fixture
def told() -> Iterator[io.StringIO]:
    """What the journal hears of the service."""
    before = LOG.handlers[:], LOG.level, LOG.propagate
    out = io.StringIO()
    configure_logging(is_service=True)
    handler = LOG.handlers[-1]
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(out)
    yield out
    LOG.handlers[:], LOG.propagate = before[0], before[2]
    LOG.setLevel(before[1])


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A game with unusual names: one round of sealed bids is open, in another two have sealed."""
    directory = tmp_path / "state"
    with closing(Store.open(directory, for_writing=True)) as store:
        session = Evening(store).begin_game("sealed_bid", NAMES, {})
        for bids in (BIDS, BIDS[:2]):
            for seat, bid in zip(session.table.seats, bids, strict=False):
                session.put_answer_in_envelope(session.question_number, seat, bid)
            if isinstance(session.question, Choose):
                session.answer(session.question_number, next(iter(session.question.options)))
    return directory


def secrets(state: Path) -> list[str]:
    """What nobody may read there: names, bids, the seed, salts and commitments."""
    with closing(Store.open(state)) as store:
        events = store.open_game_log(store.all_saved_games()[0].number).events()
    salts = [salt for event in events for salt in getattr(event, "salts", {}).values()]
    seeds = [str(event.seed) for event in events if hasattr(event, "seed")]
    return [*NAMES, *map(str, BIDS), *seeds, *salts]


def test_a_report_tells_how_it_was_played_and_not_by_whom_or_what(state: Path, tmp_path: Path) -> None:
    """The games, and the last inputs by question and device."""
    file = tmp_path / "report.txt"
    assert run_companion(["doctor", "--report", str(file)], state).stderr == ""
    text = file.read_text(encoding="utf-8")
    assert "1 × sealed_bid, open" in text
    assert re.search(r"^1 Answered by \w+ after \d+ s: Together @1 @2 @3$", text, re.MULTILINE)
    assert "1 Sealed by @2" in text
    assert len(secrets(state)) > len(NAMES + BIDS)
    assert [secret for secret in secrets(state) if secret in text] == []


def test_a_report_says_what_can_not_be_read(tmp_path: Path) -> None:
    """The rest of it is written all the same."""
    (tmp_path / "companion.sqlite3").write_bytes(b"x" * 5000)
    (line,) = describe_saved_games(tmp_path)
    assert line.startswith("the saved games can't be read: ")


def test_a_fault_is_told_without_what_it_was_about(told: io.StringIO) -> None:
    """Its kind and the lines it came through; its own words may repeat an answer."""
    try:
        {"card": 1}["70707"]
    except KeyError as error:
        crash = RulesCrashed(say("The rules failed at 70707."))
        crash.__cause__ = error
        log_error_behind_refusal(crash)
    text = told.getvalue()
    assert re.search(r"^<3>  test_journal\.py:\d+ in test_a_fault_is_told", text, re.MULTILINE)
    assert "<3>RulesCrashed: KeyError" in text
    assert "70707" not in text


@pytest.mark.parametrize("error", [KeyError("70707"), SystemExit("70707")])
def test_a_crash_in_a_thread_is_told_without_its_message(error: BaseException, told: io.StringIO) -> None:
    """The thread's name, the kind of the error and its lines; `SystemExit` only ends the thread."""

    def crash() -> None:
        raise error

    told.truncate(0)
    thread = threading.Thread(target=crash, name="keypads")
    before, threading.excepthook = threading.excepthook, _log_thread_crash
    try:
        thread.start()
        thread.join()
    finally:
        threading.excepthook = before
    text = told.getvalue()
    assert ('<3>the thread "keypads" crashed: KeyError' in text) == isinstance(error, KeyError)
    assert "70707" not in text


def test_what_people_can_mend_is_no_fault(told: io.StringIO) -> None:
    """A refusal says why on the screen, to those whom it concerns."""
    told.truncate(0)
    log_error_behind_refusal(RulesCrashed(say("No.")))
    assert told.getvalue() == ""
    assert format_traceback_without_message(None) == ""


def test_devices_that_come_and_go_are_told(told: io.StringIO) -> None:
    """Each by its name in the wiring, and why it is lost."""
    log_device_change(DeviceFound("keypad 2"))
    log_device_change(DeviceLost("keypad 2", "unplugged"))
    assert told.getvalue().splitlines()[-2:] == ["<6>keypad 2 is there", "<4>keypad 2 is lost: unplugged"]


def test_the_service_tells_the_journal_with_levels(state: Path) -> None:
    """From its start to its end; the game that was torn away goes on, and nobody is named."""
    (state / STARTS_FILE).write_text('{"boot": "", "starts": 1}')
    environ = {**os.environ, "COMPANION_SERVICE": "1", "SDL_VIDEODRIVER": "offscreen"}
    with subprocess.Popen(
        [COMPANION, "screen", "--state", str(state)], env=environ, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stderr is not None
        lines: list[str] = []
        while not lines or "goes on" not in lines[-1]:
            lines.append(program.stderr.readline())
        program.terminate()
        rest, _ = program.communicate(timeout=TIMEOUT_SECONDS)[1], None
    text = "".join(lines) + rest
    assert re.match(r"<6>companion \S+ starts with Python", text)
    assert "<6>ended normally" in text
    assert [secret for secret in secrets(state) if secret in text] == []
