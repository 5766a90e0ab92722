"""`companion simulate keypad`: the command, as somebody at a shell works it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.device_drivers import SeatPanel
from hardware.keypads import Keypads
from hardware.signals import DeviceFound, DeviceLost, NumbersAnswer
from hardware.wiring import Keypad
from tests.support.hardware.device_helpers import SignalListener

PROGRAM = "import sys; from companion.cli import main; sys.exit(main())"


class Shell:
    """The command in a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "simulate", "keypad", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )

    def type(self, line: str) -> None:
        """Type a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def reads(self, wanted: str) -> str:
        """Read on to the first line that has this in it."""
        assert self._process.stdout is not None
        seen = []
        for line in self._process.stdout:
            seen.append(line)
            if wanted in line:
                return line.strip()
        raise AssertionError(f"no {wanted!r} in {seen}")

    def ends(self) -> int:
        """End of input; its exit status."""
        self._process.communicate(timeout=20)
        return self._process.returncode


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A keypad kp-7 at a port of our choice."""
    shell = Shell("--id", "kp-7", "--port", str(tmp_path / "kp-7"))
    yield shell
    shell.ends()


def test_it_can_be_played_with(shell: Shell, tmp_path: Path) -> None:
    """It prints its port and what it shows, and takes keys, plug and unplug."""
    game = SignalListener()
    port = tmp_path / "kp-7"
    assert shell.reads("port") == f"port {port}"
    with Keypads([Keypad(seat=2, port=str(port), id="kp-7")], game.inbox) as keypads:
        keypads.show_panel("keypad 2", SeatPanel(7, "ベン > 4", "blink"))
        assert shell.reads("ﾍﾞﾝ > 4").endswith("light blink")
        shell.type("5 5 DEL OK")
        bid = game.wait_for_signal(NumbersAnswer)
        assert bid.numbers == (5,)
        assert shell.reads(">5")
        keypads.handle_answer_accepted(bid)
        shell.type("unplug")
        assert game.wait_for_signal(DeviceLost).reason == "unplugged"
        shell.type("plug")
        assert game.wait_for_signal(DeviceFound) == DeviceFound("keypad 2")
        assert shell.reads("ﾍﾞﾝ > 4")
        shell.type("7 ENTER")
        assert "there is no key 'E'" in shell.reads("no key")
        assert shell.ends() == 0
        assert game.wait_for_signal(DeviceLost).reason == "unplugged"
    assert not port.is_symlink()


def test_faults_are_made_on_demand(shell: Shell, tmp_path: Path) -> None:
    """Garbage, a damaged cable, a program that hangs and goes on; an answer comes through all the same."""
    game = SignalListener()
    port = tmp_path / "kp-7"
    shell.reads("port")
    with Keypads([Keypad(seat=2, port=str(port))], game.inbox) as keypads:
        keypads.show_panel("keypad 2", SeatPanel(7, "Bid", "on"))
        shell.reads("[Bid ")
        for fault in ("noise", "damage 40"):
            shell.type(fault)
        shell.type("12 OK")
        assert game.wait_for_signal(NumbersAnswer).numbers == (12,)
        shell.type("damage 0")
        shell.type("silent")
        assert game.wait_for_signal(DeviceLost).reason == "silent"
        shell.type("speak")
        assert game.wait_for_signal(DeviceFound) == DeviceFound("keypad 2")
        shell.type("damage 101")
        assert shell.reads("no key").endswith("or: unplug, plug, noise, silent, speak, damage PERCENT")


def test_it_finds_a_place_for_its_port_itself() -> None:
    """Without --port it prints one of its own, and takes it away at the end."""
    shell = Shell()
    port = Path(shell.reads("port").removeprefix("port "))
    assert port.name == "kp-1"
    assert port.is_char_device()
    assert shell.ends() == 0
    assert not port.parent.exists()


def test_a_port_that_somebody_else_has_taken_is_left_to_them(tmp_path: Path) -> None:
    """Of two keypads at one path the later one is reached; the end of the first leaves its port alone."""
    port = tmp_path / "kp-1"
    first = Shell("--port", str(port))
    first.reads("port")
    second = Shell("--port", str(port))
    second.reads("port")
    assert first.ends() == 0
    assert port.is_char_device()
    port.unlink()
    assert second.ends() == 0


def test_a_port_that_can_not_be_made_is_an_error(tmp_path: Path) -> None:
    """The exit status is 2."""
    assert Shell("--port", str(tmp_path / "nowhere" / "kp-1")).ends() == 2


def test_an_id_that_can_not_be_said_is_an_error() -> None:
    """The exit status is 2, as for any wrong argument."""
    assert Shell("--id", "kp 1").ends() == 2
