"""A keypad whose firmware runs in real MicroPython at a pseudo-terminal, with the files as on a Pico."""

import contextlib
import os
import pty
import shutil
import subprocess
import tty
from pathlib import Path

from hardware.simulated.keypads import parse_keys

FIRMWARE = Path(__file__).parents[3] / "hardware/firmware"
MICROPYTHON = Path(
    os.environ.get("COMPANION_MICROPYTHON", Path.home() / ".cache/companion/micropython"), "micropython"
)
SKIP_REASON = f"no MicroPython at {MICROPYTHON}; see scripts/micropython/fetch.sh"
CAPS_BY_POSITION = ("1", "2", "3", "NO", "4", "5", "6", "DEL", "7", "8", "9", "OWN", ".", "0", "", "OK")
"""Key caps row by row; the rows begin at GP2, the columns at GP6."""
HEAP_SIZE = "180k"
"""Less memory than a Pico has, although values are twice as long on this machine."""
FONT = (FIRMWARE / "keypad/font.bin").read_bytes()
LETTER_BY_DOTS = {
    FONT[16 * at : 16 * at + 16]: chr(code)
    for at, code in enumerate([*range(0x20, 0x7F), *range(0xFF61, 0xFFA0)])
}
PRESS_MILLISECONDS = 30
"""Duration of a quick key press."""


class MicroPythonKeypad:
    """A keypad at a port that exists while the keypad is plugged in; `settings` is its keypad.toml."""

    def __init__(self, folder: Path, port: Path, settings: str = "") -> None:
        self.port = port
        self._folder = folder
        folder.mkdir()
        shutil.copytree(FIRMWARE / "keypad", folder / "keypad")
        shutil.copy(FIRMWARE / "main.py", folder)
        shutil.copy(FIRMWARE / "simulated/machine.py", folder)
        (folder / "keypad.toml").write_text(settings)
        (folder / "display").touch()
        os.mkfifo(folder / "fingers")
        self._fingers = os.open(folder / "fingers", os.O_RDWR)
        self._process: subprocess.Popen[bytes] | None = None

    def plug_in(self) -> None:
        """Connects the power: the firmware starts."""
        self.end, self._slave = pty.openpty()
        tty.setraw(self._slave)
        (self._folder / "wires").write_bytes(b"")
        self._wires = (self._folder / "wires").open("rb")
        self._partial_line = b""
        self._memory = bytearray(8 * 128)
        self._page = 0
        self.pin_events: list[list[str]] = []
        self.display_states: list[tuple[str, str]] = []
        self._process = subprocess.Popen(
            [MICROPYTHON, "-X", f"heapsize={HEAP_SIZE}", "main.py"],
            cwd=self._folder,
            env={**os.environ, "COMPANION_PICO": str(self._folder)},
            stdin=self.end,
            stdout=self.end,
        )
        self.port.symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        """Pulls the plug."""
        if self._process is None:
            return
        self.port.unlink()
        self._process.kill()
        self._process.wait()
        self._process = None
        self._wires.close()
        os.close(self.end)
        os.close(self._slave)
        os.set_blocking(self._fingers, False)
        with contextlib.suppress(BlockingIOError):  # drop key presses that are still queued
            os.read(self._fingers, 4096)

    def wait_for_exit(self) -> int:
        """Waits until the firmware ends; returns its exit status."""
        assert self._process is not None
        return self._process.wait(timeout=20)

    def is_running(self) -> bool:
        """Whether the firmware runs."""
        return self._process is not None and self._process.poll() is None

    def type(self, keys: str) -> None:
        """Presses keys one after the other; each takes a fifteenth of a second."""
        for cap in parse_keys(keys):
            self.press(cap)

    def press(self, *at_once: str, milliseconds: int = PRESS_MILLISECONDS) -> None:
        """Presses keys at the same time."""
        places = [divmod(CAPS_BY_POSITION.index(cap), 4) for cap in at_once]
        pins = [f"{2 + row} {6 + column}" for row, column in places]
        os.write(self._fingers, f"{milliseconds} {' '.join(pins)}\n".encode())

    def set_display_connected(self, *, is_connected: bool) -> None:
        """Disconnects the display, or connects it again, empty."""
        if is_connected:
            self._memory = bytearray(8 * 128)
            (self._folder / "display").touch()
        else:
            (self._folder / "display").unlink()

    def read_pin_events(self) -> None:
        """Reads new events at the pins into `pin_events`, and texts of the display into `display_states`."""
        *lines, self._partial_line = (self._partial_line + self._wires.read()).split(b"\n")
        for line in lines:
            words = line.decode().split()
            self.pin_events.append(words)
            if words[0] == "i2c":
                self._handle_display_bytes(bytes.fromhex(words[2]))

    def _handle_display_bytes(self, data: bytes) -> None:
        if data[0] == 0x40:
            self._memory[128 * self._page : 128 * self._page + len(data) - 1] = data[1:]
            if self._page % 2:  # the upper half of a letter arrives a moment before the lower half
                self.display_states.append((self._read_text(0), self._read_text(6)))
        elif data[1] == 0x21:
            self._page = data[5]

    def display_lines(self, rows: int = 64) -> tuple[str, str]:
        """Returns the topmost and the lowest line on the display."""
        self.read_pin_events()
        return self._read_text(0), self._read_text(rows // 8 - 2)

    def _read_text(self, page: int) -> str:
        cells = [128 * page + 8 * column for column in range(16)]
        dots = [self._memory[at : at + 8] + self._memory[at + 128 : at + 136] for at in cells]
        return "".join(
            LETTER_BY_DOTS.get(bytes(letter), "\N{REPLACEMENT CHARACTER}") for letter in dots
        ).rstrip()
