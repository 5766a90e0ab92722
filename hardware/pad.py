"""What a keypad's program does, without metal: keys, bytes and moments in; display and bytes out.

The firmware is the same machine in MicroPython; this one stands in for it.
Digits are put together here, so that an answer is one line and each key is
seen at once; whose turn it is and what may be answered is not known here.
"""

from hardware.keying import CAPS, Keyed, keyed
from hardware.lines import MAX_SEQ, DamagedLine, LineSplitter
from hardware.panel import Light
from hardware.protocol import (
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
from hardware.signals import PadCap

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
        self._entry = Keyed()
        self._seq = 0
        self._answer: Entry | Press | None = None
        self._beat_due = now
        self._retry_due = now
        self._out = bytearray()

    def press(self, cap: PadCap, now: float) -> None:
        """A key goes down; ValueError if there is no such key.

        Ignored while the last answer isn't settled, and before a host has shown anything.
        """
        if cap not in CAPS:
            raise ValueError(f"no key {cap!r}; the keys are {' '.join(CAPS)}")
        if self._shown is None or self._answer is not None:
            return
        self._note = ""
        shown = self._shown.question
        begun = self._entry
        self._entry, said = keyed(begun, cap, shown)
        if isinstance(said, tuple):
            self._answer_with(Entry(begun.question, self._ms(now), said), now)
        elif said is not None:
            self._answer_with(Press(shown, self._ms(now), said), now)

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
                return self._entry.text

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
