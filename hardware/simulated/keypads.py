r"""Simulated keypads on real terminals, operated through methods.

    from pathlib import Path

    from hardware.simulated.keypads import SimulatedKeypad

    with SimulatedKeypad("kp-1", Path("/tmp/kp-1")) as keypad:
        keypad.wait_until(lambda: keypad.light == "blink", timeout_seconds=60)
        keypad.type("12 OK")
        print(keypad.display)

The host opens the port by its path, as it would open /dev/serial/by-id/…. The program is the firmware's own
(`hardware.firmware.keypad.pad`). Faults on demand: `unplug`, `send_garbage`, `set_damaged_chunk_share` (for
both directions of the cable), and `hang_program` (the port is there, but the program says nothing).

    from hardware.simulated.keypads import CableNoise

    noise = CableNoise(seed=1, damaged_share=0.3)
    print(noise.transmit(b"0 WHO*CCBC\n"))
"""

import contextlib
import os
import pty
import random
import secrets
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Self, cast

from hardware.desk.entry import PAD_KEYS
from hardware.device_drivers import LightState
from hardware.firmware.keypad.pad import KeypadProgram
from hardware.signals import PadKey

GARBAGE_BYTES = 1000
"""Number of garbage bytes that a spark on the cable makes."""


class CableNoise:
    """Noise of a bad cable, which damages a share of the chunks that are sent.

    The noise flips bits, loses bytes, inserts garbage, or cuts a chunk in two. It is drawn from a seed, so it
    can be repeated.
    """

    def __init__(self, seed: int, damaged_share: float = 0.0) -> None:
        self.damaged_share = damaged_share
        self.damaged_count = 0
        self._random = random.Random(seed)

    def transmit(self, sent_chunk: bytes) -> list[bytes]:
        """Returns the pieces of a chunk that arrive, perhaps damaged."""
        if not sent_chunk or self._random.random() >= self.damaged_share:
            return [sent_chunk]
        self.damaged_count += 1
        cut = self._random.randrange(len(sent_chunk))
        match self._random.randrange(4):
            case 0:
                return [self._flip_bits(sent_chunk)]
            case 1:
                return [sent_chunk[:cut] + sent_chunk[cut + self._random.randint(1, 9) :]]
            case 2:
                return [
                    sent_chunk[:cut],
                    self._random.randbytes(self._random.randint(1, 300)),
                    sent_chunk[cut:],
                ]
            case _:
                return [sent_chunk[:cut], sent_chunk[cut:]]

    def make_garbage(self) -> bytes:
        """Returns garbage: random bytes, then a line that is far too long."""
        return self._random.randbytes(GARBAGE_BYTES) + b"7" * GARBAGE_BYTES + b"\n"

    def _flip_bits(self, chunk: bytes) -> bytes:
        flipped = bytearray(chunk)
        for _ in range(self._random.randint(1, 12)):
            flipped[self._random.randrange(len(chunk))] ^= 1 << self._random.randrange(8)
        return bytes(flipped)


MAX_READ_BYTES = 4096
CAPABILITIES = "line16,kana"
UNPOWERED_DISPLAY_TEXT = "\n"
"""The two empty lines of a display without power."""


class _Plug:
    """A pseudo terminal; its port is held open here, so that it works without a host."""

    def __init__(self, path: Path) -> None:
        self.end, self.port = pty.openpty()
        tty.setraw(self.port)  # otherwise the terminal would echo the keypad's own lines
        os.set_blocking(self.end, False)
        try:
            self._link_port(path)
        except OSError:
            self._close()
            raise

    def _link_port(self, path: Path) -> None:
        new_link = path.with_name(f".{path.name}.new")
        new_link.unlink(missing_ok=True)  # a process that was killed may have left it
        new_link.symlink_to(os.ttyname(self.port))
        new_link.replace(path)

    def pull(self, path: Path) -> None:
        # Another keypad may have taken the path since, or somebody may have removed it.
        if path.is_symlink() and str(path.readlink()) == os.ttyname(self.port):
            path.unlink()
        self._close()

    def _close(self) -> None:
        os.close(self.end)
        os.close(self.port)


class SimulatedKeypad:
    """A simulated keypad at a port, plugged in from the start and usable from any thread.

    `path` is the port: a link, which exists while the keypad is plugged in. `on_change` gets display and
    light when they change, in the keypad's thread or in one that presses a key or unplugs the keypad.
    """

    def __init__(
        self,
        keypad_id: str,
        path: Path,
        *,
        on_change: Callable[[str, LightState], None] = lambda _display, _light: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.id = keypad_id
        self.path = path
        self._on_change = on_change
        self._clock = clock
        self._noise = CableNoise(seed=len(keypad_id))
        self._hangs = False
        self._changed = threading.Condition()
        self._pad: KeypadProgram | None = None
        self._plug: _Plug | None = None
        self._thread: threading.Thread | None = None
        self._wake_reader, self._wake_writer = os.pipe()
        os.set_blocking(self._wake_reader, False)
        self._last_shown: tuple[str, LightState] = (UNPOWERED_DISPLAY_TEXT, "off")
        try:
            self.plug_in()
        except OSError:
            self.close()
            raise

    def plug_in(self) -> None:
        """Plugs the keypad in; its program starts again.

        Raises FileExistsError if something else is at the path.
        """
        if self._plug is not None:
            return
        if self.path.exists() and not self.path.is_symlink():
            raise FileExistsError(f"{self.path} already exists and is not a simulated port")
        with self._changed:
            self._plug = _Plug(self.path)
            self._hangs = False
            self._pad = KeypadProgram(
                self.id, secrets.token_hex(4).upper(), self._now(), CAPABILITIES, "simulated"
            )
        self._thread = threading.Thread(target=self._run, name=f"keypad {self.id}", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Unplugs the keypad: the port vanishes, and answers without a verdict are lost."""
        if self._plug is None or self._thread is None:
            return
        with self._changed:
            self._pad = None
        os.write(self._wake_writer, b"!")
        self._thread.join()
        self._plug.pull(self.path)
        self._plug = None
        self._report_changes()

    @property
    def is_plugged_in(self) -> bool:
        """Whether the keypad is plugged in."""
        return self._plug is not None

    def hang_program(self) -> None:
        """Makes the keypad's program hang until `resume_program`, or until it is plugged in again."""
        with self._changed:
            self._hangs = True
        os.write(self._wake_writer, b"!")

    def resume_program(self) -> None:
        """Lets the keypad's program continue where it hung."""
        with self._changed:
            self._hangs = False
        os.write(self._wake_writer, b"!")

    def set_damaged_chunk_share(self, share: float) -> None:
        """Sets the share of chunks that the cable damages: 0.3 is 30 %."""
        with self._changed:
            self._noise.damaged_share = share

    def send_garbage(self) -> None:
        """Sends garbage to the host: binary bytes, and a line that is far too long."""
        with self._changed:
            self._write(self._noise.make_garbage())

    def press(self, cap: PadKey) -> None:
        """Presses one key; raises ValueError if there is no such key."""
        with self._changed:
            if self._pad is not None and not self._hangs:
                self._pad.press_key(cap, self._now())
                self._send(self._pad)
        self._report_changes()

    def type(self, keys: str) -> None:
        """Types several keys, given as text such as `"12 OK"`, `"2.3 OK"` or `"NO"`.

        Raises ValueError before the first key if one doesn't exist.
        """
        for key in parse_keys(keys):
            self.press(key)

    @property
    def display(self) -> str:
        """The two lines of the keypad's display."""
        with self._changed:
            return (
                UNPOWERED_DISPLAY_TEXT
                if self._pad is None
                else "\n".join(self._pad.display_lines(self._now()))
            )

    @property
    def light(self) -> LightState:
        """The state of the keypad's light."""
        with self._changed:
            return "off" if self._pad is None else cast("LightState", self._pad.light_state(self._now()))

    @property
    def answerable_question_number(self) -> int:
        """The number of the question that keys answer now.

        The number is 0 without a question, and while the keypad sends an answer.
        """
        with self._changed:
            pad = self._pad
            if pad is None or pad._shown is None or pad._answer:  # noqa: SLF001 - a keypad shows this to nobody
                return 0
            return int(pad._shown[0])  # noqa: SLF001 - as above

    def wait_until(self, condition: Callable[[], bool], timeout_seconds: float) -> None:
        """Waits until `condition` returns true.

        The condition is called after every event of the keypad. Raises TimeoutError after `timeout_seconds`.
        """
        with self._changed:
            if not self._changed.wait_for(condition, timeout_seconds):
                raise TimeoutError(f"{self.id} shows {self._last_shown}")

    def close(self) -> None:
        """Unplugs the keypad for good."""
        self.unplug()
        os.close(self._wake_reader)
        os.close(self._wake_writer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _now(self) -> int:
        return int(self._clock() * 1000)

    def _run(self) -> None:
        while self._run_once():
            self._report_changes()
        self._clear_wake_pipe()

    def _clear_wake_pipe(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake_reader, MAX_READ_BYTES)

    def _run_once(self) -> bool:
        with self._changed:
            pad, plug = self._pad, self._plug
            if pad is None or plug is None:
                return False
            if not self._hangs:
                pad.queue_due_lines(self._now())
                self._send(pad)
            readable_ends = [self._wake_reader] if self._hangs else [self._wake_reader, plug.end]
            timeout = None if self._hangs else max(0.0, pad.next_due_ms() / 1000 - self._clock())
        ready_ends = select.select(readable_ends, [], [], timeout)[0]
        if plug.end in ready_ends:
            data = os.read(plug.end, MAX_READ_BYTES)
            with self._changed:
                for piece in self._noise.transmit(data):
                    pad.handle_host_bytes(piece, self._now())
                self._send(pad)
        if self._wake_reader in ready_ends:
            self._clear_wake_pipe()
        return True

    def _send(self, pad: KeypadProgram) -> None:
        for piece in self._noise.transmit(pad.take_outgoing_bytes()):
            self._write(piece)

    def _write(self, data: bytes) -> None:
        # Without a host the terminal fills up, and bytes are lost as on a wire.
        if self._plug is not None:
            with contextlib.suppress(BlockingIOError):
                os.write(self._plug.end, data)

    def _report_changes(self) -> None:
        with self._changed:
            shown_now = (self.display, self.light)
            has_changed = shown_now != self._last_shown
            self._last_shown = shown_now
            self._changed.notify_all()
        if has_changed:
            self._on_change(*shown_now)


def parse_keys(keys: str) -> list[PadKey]:
    """Parses a text such as `"2.3 OK"` as keys: a word is a key, or digits and points."""
    key_by_text = {str(cap): cap for cap in PAD_KEYS}
    words = [[word] if word in key_by_text else list(word) for word in keys.upper().split()]
    parsed_keys = [key for word in words for key in word]
    for key in parsed_keys:
        if key not in key_by_text:
            raise ValueError(f"there is no key {key!r} in {keys!r}; the keys are {' '.join(PAD_KEYS)}")
    return [key_by_text[key] for key in parsed_keys]
