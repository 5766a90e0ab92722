"""Simulated keypads on real terminals, worked by physical verbs.

    from pathlib import Path

    from hardware.simulated.keypads import SimulatedKeypad

    with SimulatedKeypad("kp-1", Path("/tmp/kp-1")) as keypad:
        keypad.wait_for(lambda: keypad.light == "blink", seconds=60)
        keypad.type("12 OK")
        print(keypad.display)

The host opens the port by its path, as it would open /dev/serial/by-id/….
The program is the firmware's own (`hardware.firmware.keypad.pad`).
Faults on demand: `unplug`, `spark` (a burst of garbage), `damage` (a share of
what goes through the cable, both ways), `hang` (the port is there, the program
says nothing).
"""

import contextlib
import os
import pty
import secrets
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Self, cast

from hardware.desk.keying import CAPS
from hardware.firmware.keypad.pad import Pad
from hardware.panel import Light
from hardware.signals import PadCap
from hardware.simulated.cable import Noise

CHUNK = 4096
CAN = "line16,kana"
NO_POWER = "\n"
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
    """A keypad at a port; it is plugged in when made, and worked from any thread.

    `path` is the port: a link, which is there while the keypad is plugged in.
    `watch` is called with display and light when they change, in a thread of the keypad.
    """

    def __init__(
        self,
        pad_id: str,
        path: Path,
        *,
        watch: Callable[[str, Light], None] = lambda _display, _light: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.id = pad_id
        self.path = path
        self._watch = watch
        self._clock = clock
        self._noise = Noise(seed=len(pad_id))
        self._hangs = False
        self._changed = threading.Condition()
        self._pad: Pad | None = None
        self._plug: _Plug | None = None
        self._thread: threading.Thread | None = None
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        self._seen: tuple[str, Light] = (NO_POWER, "off")
        try:
            self.plug_in()
        except OSError:
            self.close()
            raise

    def plug_in(self) -> None:
        """Give it power and a port; its program starts again.

        FileExistsError if the path is taken by something else.
        """
        if self._plug is not None:
            return
        if self.path.exists() and not self.path.is_symlink():
            raise FileExistsError(f"{self.path} already exists and is not a simulated port")
        with self._changed:
            self._plug = _Plug(self.path)
            self._hangs = False
            self._pad = Pad(self.id, secrets.token_hex(4).upper(), self._now(), CAN, "simulated")
        self._thread = threading.Thread(target=self._run, name=f"keypad {self.id}", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Pull the plug: the port vanishes, and everything not taken is forgotten."""
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
        """Its program hangs: it hears and says nothing until `recover`, or until it is plugged in again."""
        with self._changed:
            self._hangs = True
        os.write(self._wake, b"!")

    def recover(self) -> None:
        """Its program goes on where it hung."""
        with self._changed:
            self._hangs = False
        os.write(self._wake, b"!")

    def damage(self, share: float) -> None:
        """From now on so many of the chunks that go through its cable are damaged: 0.3 are 30 %."""
        with self._changed:
            self._noise.share = share

    def spark(self) -> None:
        """Garbage goes to the host: binary bytes, and a line that is far too long."""
        with self._changed:
            self._put(self._noise.burst())

    def press(self, cap: PadCap) -> None:
        """Press one key. ValueError if there is no such key."""
        with self._changed:
            if self._pad is not None and not self._hangs:
                self._pad.press(cap, self._now())
                self._send(self._pad)
        self._look()

    def type(self, keys: str) -> None:
        """Press several keys: `"12 OK"`, `"2.3 OK"`, `"NO"`.

        ValueError before the first if one doesn't exist.
        """
        for cap in caps(keys):
            self.press(cap)

    @property
    def display(self) -> str:
        """What the two lines of its display show."""
        with self._changed:
            return NO_POWER if self._pad is None else "\n".join(self._pad.display(self._now()))

    @property
    def light(self) -> Light:
        """What its light does."""
        with self._changed:
            return "off" if self._pad is None else cast("Light", self._pad.light(self._now()))

    @property
    def ready_for(self) -> int:
        """The number of the question that its keys answer now; 0 without one, or while it sends an answer."""
        with self._changed:
            pad = self._pad
            if pad is None or pad._shown is None or pad._answer:  # noqa: SLF001 - people feel it, nothing shows it
                return 0
            return int(pad._shown[0])  # noqa: SLF001 - the same

    def wait_for(self, seen: Callable[[], bool], seconds: float) -> None:
        """Wait until `seen` is true; it is asked after all that happens here.

        TimeoutError after so many seconds.
        """
        with self._changed:
            if not self._changed.wait_for(seen, seconds):
                raise TimeoutError(f"{self.id} shows {self._seen}")

    def close(self) -> None:
        """Unplug it for good."""
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
            os.read(self._woken, CHUNK)

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
            data = os.read(plug.end, CHUNK)
            with self._changed:
                for piece in self._noise.through(data):
                    pad.received(piece, self._now())
                self._send(pad)
        if self._woken in ready:
            self._calm()
        return True

    def _send(self, pad: Pad) -> None:
        for piece in self._noise.through(pad.outgoing()):
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


def caps(keys: str) -> list[PadCap]:
    """The keys of a text such as `"2.3 OK"`: a word is a key, or digits and points."""
    known = {str(cap): cap for cap in CAPS}
    words = [[word] if word in known else list(word) for word in keys.upper().split()]
    pressed = [key for word in words for key in word]
    for key in pressed:
        if key not in known:
            raise ValueError(f"there is no key {key!r} in {keys!r}; the keys are {' '.join(CAPS)}")
    return [known[key] for key in pressed]
