"""What a keypad's program does, without metal: keys, bytes and moments in; display and bytes out.

The firmware is the same machine in MicroPython; this one stands in for it.
Digits are put together here, so that an answer is one line and each key is
seen at once; whose turn it is and what may be answered is not known here.
"""

from typing import Literal, TypeAlias, get_args

from hardware.lines import MAX_SEQ, DamagedLine, LineSplitter
from hardware.panel import Light
from hardware.protocol import (
    ENTRY_LENGTH,
    HEARTBEAT,
    MISSED,
    VERSION,
    Ack,
    Beat,
    Entry,
    FromHost,
    Hello,
    Nak,
    Press,
    Show,
    Who,
    pad_line,
    parse_host_line,
)
from hardware.signals import Key

Cap: TypeAlias = Literal["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "DEL", "NO", "OK", "OWN"]
CAPS: tuple[Cap, ...] = get_args(Cap)
"""What is printed on the keys; two of the sixteen have no function."""

NO_POWER = "\n"
"""What a display without power shows."""
NO_HOST = "not connected"
WIDTH = 16


class Pad:
    """One keypad's program from its start to the moment its power goes.

    `boot` is eight hexadecimal digits drawn at the start; `now` is in seconds
    of the caller's clock and counts as 0 ms at the start.
    """

    def __init__(self, pad_id: str, boot: str, now: float) -> None:
        self._hello = Hello(VERSION, pad_id, "simulated", boot, (f"line{WIDTH}", "kana"))
        self._started = now
        self._splitter = LineSplitter()
        self._shown: Show | None = None
        self._heard = now
        self._note = ""
        self._entry = ""
        self._entry_for = 0
        self._seq = 0
        self._answer: Entry | Press | None = None
        self._beat_due = now
        self._retry_due = now
        self._out = bytearray()

    def press(self, cap: Cap, now: float) -> None:
        """A key goes down; ValueError if there is no such key.

        Ignored while the last answer isn't settled, and before a host has shown anything.
        """
        if cap not in CAPS:
            raise ValueError(f"no key {cap!r}; the keys are {' '.join(CAPS)}")
        if self._shown is None or self._answer is not None:
            return
        self._note = ""
        if cap == "OK":
            self._ok(now)
        elif cap == "NO":
            self._no(now)
        elif cap == "OWN":
            self._answer_with(self._pressed("own", now), now)
        else:
            self._edit(cap)

    def received(self, data: bytes, now: float) -> None:
        """Bytes came from the host."""
        for line in self._splitter.split(data):
            try:
                seq, message = parse_host_line(line)
            except DamagedLine:
                continue
            self._hear(seq, message, now)

    def tick(self, now: float) -> None:
        """Say what is due: a heartbeat, and an unsettled answer once more."""
        if now >= self._beat_due:
            self._beat_due = now + HEARTBEAT
            self._say(0, self._hello if self._shown is None else Beat(self._ms(now)))
        if self._answer is not None and self._shown is not None and now >= self._retry_due:
            self._send_answer(now)

    def due(self) -> float:
        """When `tick` has something to do next."""
        return min(self._beat_due, self._retry_due) if self._answer else self._beat_due

    def outgoing(self) -> bytes:
        """The bytes to send now; each is returned once."""
        out, self._out = bytes(self._out), bytearray()
        return out

    def display(self, now: float) -> str:
        """The two lines of the display: the host's, and the entry or what is being sent."""
        if self._shown is None or now - self._heard > MISSED * HEARTBEAT:
            return f"{NO_HOST}\n{self._own_line()}"
        return f"{self._note or self._shown.text}\n{self._own_line()}"

    @property
    def light(self) -> Light:
        """What the light does."""
        return "off" if self._shown is None else self._shown.light

    def _own_line(self) -> str:
        match self._answer:
            case Entry(_, _, numbers):
                return f">{'.'.join(map(str, numbers))}"[:WIDTH]
            case Press(_, _, key):
                return f">{key.upper()}"
            case _:
                return self._entry

    def _ok(self, now: float) -> None:
        if self._entry.endswith("."):
            return
        if self._entry:
            numbers = tuple(map(int, self._entry.split(".")))
            self._answer_with(Entry(self._entry_for, self._ms(now), numbers), now)
        else:
            self._answer_with(self._pressed("ok", now), now)
        self._entry = ""

    def _no(self, now: float) -> None:
        # With an entry on the display NO erases it: withdrawing can't be typed over by mistake.
        if self._entry:
            self._entry = ""
        else:
            self._answer_with(self._pressed("no", now), now)

    def _edit(self, cap: Cap) -> None:
        if cap == "DEL":
            self._entry = self._entry[:-1]
        elif len(self._entry) < ENTRY_LENGTH and (cap != "." or self._entry[-1:].isdigit()):
            if not self._entry and self._shown is not None:
                self._entry_for = self._shown.question
            self._entry += cap

    def _pressed(self, key: Key, now: float) -> Press:
        return Press(self._shown.question if self._shown else 0, self._ms(now), key)

    def _answer_with(self, answer: Entry | Press, now: float) -> None:
        self._seq = self._seq % MAX_SEQ + 1
        self._answer = answer
        self._send_answer(now)

    def _send_answer(self, now: float) -> None:
        if self._answer is not None:
            self._retry_due = now + HEARTBEAT
            self._say(self._seq, self._answer)

    def _hear(self, seq: int, message: FromHost, now: float) -> None:
        self._heard = now
        match message:
            case Who():
                self._say(0, self._hello)
            case Show() if message.boot == self._hello.boot:
                if message != self._shown:
                    self._note = ""
                self._shown = message
            case Ack() | Nak() if self._answer is not None and seq == self._seq:
                self._answer = None
                self._note = message.text if isinstance(message, Nak) else ""
            case _:
                pass

    def _say(self, seq: int, message: Hello | Beat | Entry | Press) -> None:
        self._out += pad_line(seq, message)

    def _ms(self, now: float) -> int:
        return round((now - self._started) * 1000)
