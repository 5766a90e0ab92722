r"""Simulated keypads on real terminals, worked by what hands do.

    from pathlib import Path

    from hardware.simulated.keypads import SimulatedKeypad

    with SimulatedKeypad("kp-1", Path("/tmp/kp-1")) as keypad:
        keypad.wait_for(lambda: keypad.light == "blink", seconds=60)
        keypad.type("12 OK")
        print(keypad.display)

The host opens the port by its path, as it would open /dev/serial/by-id/….
The program is the firmware's own (`hardware.firmware.keypad.pad`).
Faults on demand: `unplug`, `send_garbage`, `set_damaged_share` (of what goes through the cable, both ways),
and `hang` (the port is there, but the program says nothing).

    from hardware.simulated.keypads import CableNoise

    noise = CableNoise(seed=1, share=0.3)
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
from hardware.firmware.keypad.pad import Pad
from hardware.panel import LightState
from hardware.signals import PadKey

GARBAGE_BYTES = 1000
"""Bytes of garbage that a spark makes."""


class CableNoise:
    """A bad cable: damages a share of the chunks with flipped bits, lost bytes, garbage between, or cuts.

    The damage is drawn from a seed, so it can be repeated.
    """

    def __init__(self, seed: int, share: float = 0.0) -> None:
        self.damaged_share = share
        self.damaged_count = 0
        self._random = random.Random(seed)

    def transmit(self, chunk: bytes) -> list[bytes]:
        """Returns what arrives of a chunk, in pieces."""
        if not chunk or self._random.random() >= self.damaged_share:
            return [chunk]
        self.damaged_count += 1
        at = self._random.randrange(len(chunk))
        match self._random.randrange(4):
            case 0:
                return [self._flipped(chunk)]
            case 1:
                return [chunk[:at] + chunk[at + self._random.randint(1, 9) :]]
            case 2:
                return [chunk[:at], self._random.randbytes(self._random.randint(1, 300)), chunk[at:]]
            case _:
                return [chunk[:at], chunk[at:]]

    def make_garbage(self) -> bytes:
        """Returns garbage: any bytes, then a line that is far too long."""
        return self._random.randbytes(GARBAGE_BYTES) + b"7" * GARBAGE_BYTES + b"\n"

    def _flipped(self, chunk: bytes) -> bytes:
        flipped = bytearray(chunk)
        for _ in range(self._random.randint(1, 12)):
            flipped[self._random.randrange(len(chunk))] ^= 1 << self._random.randrange(8)
        return bytes(flipped)


MAX_READ_BYTES = 4096
CAPABILITIES = "line16,kana"
DARK_DISPLAY = "\n"
"""What a display without power shows."""


class _Plug:
    """A pseudo terminal; its port is held open here, so that it lives without a host."""

    def __init__(self, path: Path) -> None:
        self.end, self.port = pty.openpty()
        tty.setraw(self.port)  # or the terminal would echo the keypad's own lines
        os.set_blocking(self.end, False)
        try:
            self._show_at(path)
        except OSError:
            self._close()
            raise

    def _show_at(self, path: Path) -> None:
        fresh = path.with_name(f".{path.name}.new")
        fresh.unlink(missing_ok=True)  # a start that was killed may have left it
        fresh.symlink_to(os.ttyname(self.port))
        fresh.replace(path)

    def pull(self, path: Path) -> None:
        # Another keypad may have taken the path since, or somebody removed it.
        if path.is_symlink() and str(path.readlink()) == os.ttyname(self.port):
            path.unlink()
        self._close()

    def _close(self) -> None:
        os.close(self.end)
        os.close(self.port)


class SimulatedKeypad:
    """A keypad at a port; it is plugged in when made, and works from any thread.

    `path` is the port: a link, which is there while the keypad is plugged in.
    `watch` is called with display and light when they change, in a thread of the keypad.
    """

    def __init__(
        self,
        pad_id: str,
        path: Path,
        *,
        watch: Callable[[str, LightState], None] = lambda _display, _light: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.id = pad_id
        self.path = path
        self._watch = watch
        self._clock = clock
        self._noise = CableNoise(seed=len(pad_id))
        self._hangs = False
        self._changed = threading.Condition()
        self._pad: Pad | None = None
        self._plug: _Plug | None = None
        self._thread: threading.Thread | None = None
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        self._seen: tuple[str, LightState] = (DARK_DISPLAY, "off")
        try:
            self.plug_in()
        except OSError:
            self.close()
            raise

    def plug_in(self) -> None:
        """Gives it power and a port; its program starts again.

        FileExistsError if the path is taken by something else.
        """
        if self._plug is not None:
            return
        if self.path.exists() and not self.path.is_symlink():
            raise FileExistsError(f"{self.path} already exists and is not a simulated port")
        with self._changed:
            self._plug = _Plug(self.path)
            self._hangs = False
            self._pad = Pad(self.id, secrets.token_hex(4).upper(), self._now(), CAPABILITIES, "simulated")
        self._thread = threading.Thread(target=self._run, name=f"keypad {self.id}", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Pulls the plug: the port vanishes, and answers without a verdict are forgotten."""
        if self._plug is None or self._thread is None:
            return
        with self._changed:
            self._pad = None
        os.write(self._wake, b"!")
        self._thread.join()
        self._plug.pull(self.path)
        self._plug = None
        self._look()

    @property
    def is_plugged(self) -> bool:
        """Whether it is plugged in."""
        return self._plug is not None

    def hang(self) -> None:
        """Makes its program hang until `resume`, or until it is plugged in again."""
        with self._changed:
            self._hangs = True
        os.write(self._wake, b"!")

    def resume(self) -> None:
        """Lets its program go on where it hung."""
        with self._changed:
            self._hangs = False
        os.write(self._wake, b"!")

    def set_damaged_share(self, share: float) -> None:
        """Sets the share of damaged chunks in its cable: 0.3 is 30 %."""
        with self._changed:
            self._noise.damaged_share = share

    def send_garbage(self) -> None:
        """Sends garbage to the host: binary bytes, and a line that is far too long."""
        with self._changed:
            self._put(self._noise.make_garbage())

    def press(self, cap: PadKey) -> None:
        """Presses one key. ValueError if there is no such key."""
        with self._changed:
            if self._pad is not None and not self._hangs:
                self._pad.press(cap, self._now())
                self._send(self._pad)
        self._look()

    def type(self, keys: str) -> None:
        """Presses several keys: `"12 OK"`, `"2.3 OK"`, `"NO"`.

        ValueError before the first key if one doesn't exist.
        """
        for cap in parse_keys(keys):
            self.press(cap)

    @property
    def display(self) -> str:
        """The two lines of its display."""
        with self._changed:
            return DARK_DISPLAY if self._pad is None else "\n".join(self._pad.display(self._now()))

    @property
    def light(self) -> LightState:
        """What its light does."""
        with self._changed:
            return "off" if self._pad is None else cast("LightState", self._pad.light(self._now()))

    @property
    def answerable_question(self) -> int:
        """The number of the question that its keys answer now; 0 without one, or while it sends an answer."""
        with self._changed:
            pad = self._pad
            if pad is None or pad._shown is None or pad._answer:  # noqa: SLF001 - people feel it, nothing shows it
                return 0
            return int(pad._shown[0])  # noqa: SLF001 - the same

    def wait_for(self, seen: Callable[[], bool], seconds: float) -> None:
        """Waits until `seen` returns true; it is called after everything that happens here.

        TimeoutError after so many seconds.
        """
        with self._changed:
            if not self._changed.wait_for(seen, seconds):
                raise TimeoutError(f"{self.id} shows {self._seen}")

    def close(self) -> None:
        """Unplugs it for good."""
        self.unplug()
        os.close(self._woken)
        os.close(self._wake)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _now(self) -> int:
        return int(self._clock() * 1000)

    def _run(self) -> None:
        while self._turn():
            self._look()
        self._calm()

    def _calm(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._woken, MAX_READ_BYTES)

    def _turn(self) -> bool:
        with self._changed:
            pad, plug = self._pad, self._plug
            if pad is None or plug is None:
                return False
            if not self._hangs:
                pad.tick(self._now())
                self._send(pad)
            ends = [self._woken] if self._hangs else [self._woken, plug.end]
            wait = None if self._hangs else max(0.0, pad.due() / 1000 - self._clock())
        ready = select.select(ends, [], [], wait)[0]
        if plug.end in ready:
            data = os.read(plug.end, MAX_READ_BYTES)
            with self._changed:
                for piece in self._noise.transmit(data):
                    pad.received(piece, self._now())
                self._send(pad)
        if self._woken in ready:
            self._calm()
        return True

    def _send(self, pad: Pad) -> None:
        for piece in self._noise.transmit(pad.outgoing()):
            self._put(piece)

    def _put(self, data: bytes) -> None:
        # With no host the terminal is full at last, and bytes are lost as they are on a wire.
        if self._plug is not None:
            with contextlib.suppress(BlockingIOError):
                os.write(self._plug.end, data)

    def _look(self) -> None:
        with self._changed:
            sight = (self.display, self.light)
            is_new = sight != self._seen
            self._seen = sight
            self._changed.notify_all()
        if is_new:
            self._watch(*sight)


def parse_keys(keys: str) -> list[PadKey]:
    """Returns the keys of a text such as `"2.3 OK"`: a word is a key, or digits and points."""
    known = {str(cap): cap for cap in PAD_KEYS}
    words = [[word] if word in known else list(word) for word in keys.upper().split()]
    pressed = [key for word in words for key in word]
    for key in pressed:
        if key not in known:
            raise ValueError(f"there is no key {key!r} in {keys!r}; the keys are {' '.join(PAD_KEYS)}")
    return [known[key] for key in pressed]
