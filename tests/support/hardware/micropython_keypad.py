"""A keypad whose firmware, file by file as it is copied to a Pico, runs in real MicroPython at a terminal."""

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
"""Row by row; a row begins at GP2, a column at GP6."""
HEAP_SIZE = "180k"
"""Less than a Pico has, though values are twice as long here."""
FONT = (FIRMWARE / "keypad/font.bin").read_bytes()
LETTER_BY_DOTS = {
    FONT[16 * at : 16 * at + 16]: chr(code)
    for at, code in enumerate([*range(0x20, 0x7F), *range(0xFF61, 0xFFA0)])
}
PRESS_MILLISECONDS = 30
"""Milliseconds of a quick finger."""


class MicroPythonKeypad:
    """A keypad at a port, which is there while it is plugged in; `settings` is its keypad.toml."""

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
        """Give it power: its program starts again."""
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
        """Pull the plug."""
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
        with contextlib.suppress(BlockingIOError):  # what was not pressed yet isn't any more
            os.read(self._fingers, 4096)

    def wait_for_exit(self) -> int:
        """How its program ended."""
        assert self._process is not None
        return self._process.wait(timeout=20)

    def is_running(self) -> bool:
        """Whether its program still runs."""
        return self._process is not None and self._process.poll() is None

    def type(self, keys: str) -> None:
        """Press keys one after the other; takes a fifteenth of a second for each."""
        for cap in parse_keys(keys):
            self.press(cap)

    def press(self, *at_once: str, milliseconds: int = PRESS_MILLISECONDS) -> None:
        """Press keys at once."""
        places = [divmod(CAPS_BY_POSITION.index(cap), 4) for cap in at_once]
        pins = [f"{2 + row} {6 + column}" for row, column in places]
        os.write(self._fingers, f"{milliseconds} {' '.join(pins)}\n".encode())

    def set_display_connected(self, *, is_connected: bool) -> None:
        """Pull the display's plug, or push it in again; it then shows nothing yet."""
        if is_connected:
            self._memory = bytearray(8 * 128)
            (self._folder / "display").touch()
        else:
            (self._folder / "display").unlink()

    def read_pin_events(self) -> None:
        """Take in what happened at the pins since the last time: `told` as it is, `sights` of the display."""
        *lines, self._partial_line = (self._partial_line + self._wires.read()).split(b"\n")
        for line in lines:
            words = line.decode().split()
            self.pin_events.append(words)
            if words[0] == "i2c":
                self._handle_display_bytes(bytes.fromhex(words[2]))

    def _handle_display_bytes(self, data: bytes) -> None:
        if data[0] == 0x40:
            self._memory[128 * self._page : 128 * self._page + len(data) - 1] = data[1:]
            if self._page % 2:  # the upper half of a letter is there a moment before the lower
                self.display_states.append((self._read_text(0), self._read_text(6)))
        elif data[1] == 0x21:
            self._page = data[5]

    def display_lines(self, rows: int = 64) -> tuple[str, str]:
        """What a reader reads on the display: the uppermost line and the lowest."""
        self.read_pin_events()
        return self._read_text(0), self._read_text(rows // 8 - 2)

    def _read_text(self, page: int) -> str:
        cells = [128 * page + 8 * column for column in range(16)]
        dots = [self._memory[at : at + 8] + self._memory[at + 128 : at + 136] for at in cells]
        return "".join(
            LETTER_BY_DOTS.get(bytes(letter), "\N{REPLACEMENT CHARACTER}") for letter in dots
        ).rstrip()
