"""The logic of a keypad: keys, bytes and times in; display, light and bytes out.

No pin is touched here, so the simulated keypads run this code too. Times are milliseconds of the caller's
clock. Digits are put together here, so that an answer is one line and each key is shown at once; whose turn
it is and what may be answered is not known here.
"""

from .lines import MAX_SEQ, LineSplitter, decode_line, encode_line, unescape_display_text

FIRMWARE_VERSION = "1.1.1"
PROTOCOL_VERSION = 1
"""Version of the keypad protocol."""
HEARTBEAT_MS = 250
"""Milliseconds between two heartbeats, and between two attempts to send an answer."""
MAX_MISSED_HEARTBEATS = 3
"""Maximum heartbeats missed in a row: after this many, the host counts as gone.

A heartbeat is missed if no intact line arrives meanwhile.
"""
MAX_ENTRY_LENGTH = 16

KEY_CAPS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "DEL", "NO", "OK", "OWN")
"""The labels printed on the keys."""
LIGHT_STATES = ("off", "on", "blink")
NO_HOST_TEXT = "not connected"
DISPLAY_LINE_LENGTH = 16


class KeypadProgram:
    """The program of one keypad, from its start until the power goes off.

    `boot` is eight hexadecimal digits, drawn at random at the start; `capabilities` are words with commas
    between them.
    """

    def __init__(
        self, keypad_id: str, boot: str, now_ms: int, capabilities: str, firmware: str = FIRMWARE_VERSION
    ) -> None:
        self._boot = boot
        self._hello = f"HELLO {PROTOCOL_VERSION} {keypad_id} {firmware} {boot} {capabilities}"
        self._started = now_ms
        self._splitter = LineSplitter()
        self._shown: tuple[str, str, str] | None = None  # question, light, text
        self._last_host_line_ms = now_ms
        self._note = ""
        self._entry = ""
        self._entry_for = "0"
        self._seq = 0
        self._answer = ""
        self._sending = ""
        self._beat_due = now_ms
        self._retry_due = now_ms
        self._out = b""

    def press_key(self, cap: str, now_ms: int) -> None:
        """Handles a key that goes down; raises ValueError if there is no such key.

        Keys are ignored while the last answer has no verdict, and before a host has shown anything.
        """
        if cap not in KEY_CAPS:
            raise ValueError(f"no key {cap!r}; the keys are {' '.join(KEY_CAPS)}")
        if self._shown is None or self._answer:
            return
        self._note = ""
        if cap == "OK":
            self._ok(now_ms)
        elif cap == "NO" and self._entry:
            # NO erases an entry: withdrawing can't be typed over by mistake.
            self._entry = ""
        elif cap in ("NO", "OWN"):
            self._press_alone(cap, now_ms)
        else:
            self._edit(cap)

    def handle_host_bytes(self, data: bytes, now_ms: int) -> None:
        """Handles bytes from the host."""
        for line in self._splitter.feed_bytes(data):
            intact = decode_line(line)
            try:
                if intact is not None and self._handle_host_line(*intact):
                    self._last_host_line_ms = now_ms
            except ValueError:  # from no host of this version: what it showed stays
                continue

    def queue_due_lines(self, now_ms: int) -> None:
        """Queues the lines that are due: a heartbeat, and an answer without a verdict once more."""
        if now_ms >= self._beat_due:
            self._beat_due = now_ms + HEARTBEAT_MS
            self._queue_line(0, self._hello if self._shown is None else f"BEAT {now_ms - self._started}")
        if self._answer and now_ms >= self._retry_due:
            self._send_answer(now_ms)

    def next_due_ms(self) -> int:
        """Returns the time at which `queue_due_lines` has something to do next."""
        return min(self._beat_due, self._retry_due) if self._answer else self._beat_due

    def take_outgoing_bytes(self) -> bytes:
        """Returns the bytes to send now, and removes them from the queue."""
        out, self._out = self._out, b""
        return out

    def display_lines(self, now_ms: int) -> tuple[str, str]:
        """Returns the two lines of the display: the host's text, and the entry or the answer being sent."""
        own = f">{self._sending}"[:DISPLAY_LINE_LENGTH] if self._answer else self._entry
        if self._shown is None or self._is_alone(now_ms):
            return NO_HOST_TEXT, own
        return self._note or self._shown[2], own

    def light_state(self, now_ms: int) -> str:
        """Returns the state of the light: `off`, `on` or `blink`; `off` without a host."""
        return "off" if self._shown is None or self._is_alone(now_ms) else self._shown[1]

    def _is_alone(self, now: int) -> bool:
        return now - self._last_host_line_ms > MAX_MISSED_HEARTBEATS * HEARTBEAT_MS

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
        elif len(self._entry) < MAX_ENTRY_LENGTH and (cap != "." or self._entry[-1:].isdigit()):
            if not self._entry:
                assert self._shown is not None
                self._entry_for = self._shown[0]
            self._entry += cap

    def _answer_with(self, answer: str, sending: str, now: int) -> None:
        self._seq = self._seq % MAX_SEQ + 1
        self._answer, self._sending = answer, sending
        self._send_answer(now)

    def _send_answer(self, now: int) -> None:
        self._retry_due = now + HEARTBEAT_MS
        self._queue_line(self._seq, self._answer)

    def _handle_host_line(self, seq: int, body: str) -> bool:
        """Handles a line from the host; False or ValueError if a host doesn't send such lines."""
        word, _, rest = body.partition(" ")
        if word == "WHO":
            self._queue_line(0, self._hello)
        elif word == "SHOW":
            self._show(rest.split(" ", 3))
        elif word in ("ACK", "NAK"):
            if self._answer and seq == self._seq:
                self._note = unescape_display_text(rest)
                self._answer = ""
        else:
            return False
        return True

    def _show(self, parts: list[str]) -> None:
        if len(parts) == 4 and parts[0] == self._boot:  # noqa: PLR2004 - boot, question, light, text
            if not parts[1].isdigit() or parts[2] not in LIGHT_STATES:
                raise ValueError("no such question or light")
            shown = (parts[1], parts[2], unescape_display_text(parts[3]))
            if shown != self._shown:
                self._note = ""
            self._shown = shown

    def _queue_line(self, seq: int, body: str) -> None:
        self._out += encode_line(seq, body)
