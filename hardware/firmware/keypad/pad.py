"""What a keypad does: keys, bytes and moments in; display, light and bytes out.

It touches no pin, so the simulated keypads run it too; moments are
milliseconds of the caller's clock.
Digits are put together here, so that an answer is one line and each key is
seen at once; whose turn it is and what may be answered is not known here.
"""

from .lines import MAX_SEQ, LineSplitter, read_line, unescape, write_line

FIRMWARE = "1.1.1"
VERSION = 1
"""Of the protocol."""
HEARTBEAT = 250
"""Milliseconds between two heartbeats, and between two tries of an answer."""
MISSED = 3
"""Heartbeats without an intact line after which the host counts as gone."""
ENTRY_LENGTH = 16

CAPS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "DEL", "NO", "OK", "OWN")
"""What is printed on the keys."""
LIGHTS = ("off", "on", "blink")
NO_HOST = "not connected"
WIDTH = 16


class Pad:
    """One keypad's program from its start to the moment its power goes.

    `boot` is eight hexadecimal digits drawn at the start; `can` what it says it can, with commas.
    """

    def __init__(self, pad_id: str, boot: str, now: int, can: str, firmware: str = FIRMWARE) -> None:
        self._boot = boot
        self._hello = f"HELLO {VERSION} {pad_id} {firmware} {boot} {can}"
        self._started = now
        self._splitter = LineSplitter()
        self._shown: tuple[str, str, str] | None = None  # question, light, text
        self._heard = now
        self._note = ""
        self._entry = ""
        self._entry_for = "0"
        self._seq = 0
        self._answer = ""
        self._sending = ""
        self._beat_due = now
        self._retry_due = now
        self._out = b""

    def press(self, cap: str, now: int) -> None:
        """A key goes down; ValueError if there is no such key.

        Ignored while the last answer isn't settled, and before a host has shown anything.
        """
        if cap not in CAPS:
            raise ValueError(f"no key {cap!r}; the keys are {' '.join(CAPS)}")
        if self._shown is None or self._answer:
            return
        self._note = ""
        if cap == "OK":
            self._ok(now)
        elif cap == "NO" and self._entry:
            # NO erases an entry: withdrawing can't be typed over by mistake.
            self._entry = ""
        elif cap in ("NO", "OWN"):
            self._press_alone(cap, now)
        else:
            self._edit(cap)

    def received(self, data: bytes, now: int) -> None:
        """Bytes came from the host."""
        for line in self._splitter.split(data):
            intact = read_line(line)
            try:
                if intact is not None and self._hear(*intact):
                    self._heard = now
            except ValueError:  # from no host of this version: what it showed stays
                continue

    def tick(self, now: int) -> None:
        """Say what is due: a heartbeat, and an unsettled answer once more."""
        if now >= self._beat_due:
            self._beat_due = now + HEARTBEAT
            self._say(0, self._hello if self._shown is None else f"BEAT {now - self._started}")
        if self._answer and now >= self._retry_due:
            self._send_answer(now)

    def due(self) -> int:
        """When `tick` has something to do next."""
        return min(self._beat_due, self._retry_due) if self._answer else self._beat_due

    def outgoing(self) -> bytes:
        """The bytes to send now; each is returned once."""
        out, self._out = self._out, b""
        return out

    def display(self, now: int) -> tuple[str, str]:
        """The two lines of the display: the host's, and the entry or what is being sent."""
        own = f">{self._sending}"[:WIDTH] if self._answer else self._entry
        if self._shown is None or self._is_alone(now):
            return NO_HOST, own
        return self._note or self._shown[2], own

    def light(self, now: int) -> str:
        """What the light does: `off`, `on` or `blink`; off without a host."""
        return "off" if self._shown is None or self._is_alone(now) else self._shown[1]

    def _is_alone(self, now: int) -> bool:
        return now - self._heard > MISSED * HEARTBEAT

    def _ok(self, now: int) -> None:
        if not self._entry:
            self._press_alone("OK", now)
        elif not self._entry.endswith("."):
            entry, self._entry = self._entry, ""
            self._answer_with(f"ENTRY {self._entry_for} {now - self._started} {entry}", entry, now)

    def _press_alone(self, cap: str, now: int) -> None:
        assert self._shown is not None
        question = self._shown[0]
        self._answer_with(f"PRESS {question} {now - self._started} {cap.lower()}", cap, now)

    def _edit(self, cap: str) -> None:
        if cap == "DEL":
            self._entry = self._entry[:-1]
        elif len(self._entry) < ENTRY_LENGTH and (cap != "." or self._entry[-1:].isdigit()):
            if not self._entry:
                assert self._shown is not None
                self._entry_for = self._shown[0]
            self._entry += cap

    def _answer_with(self, answer: str, sending: str, now: int) -> None:
        self._seq = self._seq % MAX_SEQ + 1
        self._answer, self._sending = answer, sending
        self._send_answer(now)

    def _send_answer(self, now: int) -> None:
        self._retry_due = now + HEARTBEAT
        self._say(self._seq, self._answer)

    def _hear(self, seq: int, body: str) -> bool:
        """Take what the host says; False or ValueError if a host doesn't say such things."""
        word, _, rest = body.partition(" ")
        if word == "WHO":
            self._say(0, self._hello)
        elif word == "SHOW":
            self._show(rest.split(" ", 3))
        elif word in ("ACK", "NAK"):
            if self._answer and seq == self._seq:
                self._note = unescape(rest)
                self._answer = ""
        else:
            return False
        return True

    def _show(self, parts: list[str]) -> None:
        if len(parts) == 4 and parts[0] == self._boot:  # noqa: PLR2004 - boot, question, light, text
            if not parts[1].isdigit() or parts[2] not in LIGHTS:
                raise ValueError("no such question or light")
            shown = (parts[1], parts[2], unescape(parts[3]))
            if shown != self._shown:
                self._note = ""
            self._shown = shown

    def _say(self, seq: int, body: str) -> None:
        self._out += write_line(seq, body)
