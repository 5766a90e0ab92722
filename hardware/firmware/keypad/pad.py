"""The logic of a keypad: keys, bytes and times in; display, light and bytes out.

This module touches no pin, so the simulated keypads run it too. Times are milliseconds of the caller's clock.
The keypad puts digits together, so that an answer is one line and each key is shown at once. It doesn't know
whose turn it is, nor which answers are allowed.
"""

from .lines import MAX_SEQ, LineSplitter, encode_line, unescape_katakana, verify_and_split_line

FIRMWARE_VERSION = "1.1.2"
PROTOCOL_VERSION = 1
"""Version of the keypad protocol."""
HEARTBEAT_MS = 250
"""Milliseconds between two heartbeats, and between two attempts to send an answer."""
MAX_MISSED_HEARTBEATS = 3
"""Maximum heartbeats missed in a row; after more, the host counts as gone.

A heartbeat is missed if no intact line arrives in its time.
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
        self._entry_question = "0"
        self._seq = 0
        self._answer = ""
        self._answer_text = ""
        self._heartbeat_due = now_ms
        self._retry_due = now_ms
        self._outgoing = b""

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
            self._press_ok(now_ms)
        elif cap == "NO" and self._entry:
            # NO only erases an entry, so that nobody withdraws by mistake while typing.
            self._entry = ""
        elif cap in ("NO", "OWN"):
            self._answer_with_single_key(cap, now_ms)
        else:
            self._edit_entry(cap)

    def handle_host_bytes(self, data: bytes, now_ms: int) -> None:
        """Handles bytes from the host."""
        for line in self._splitter.feed_bytes(data):
            seq_and_body = verify_and_split_line(line)
            try:
                if seq_and_body is not None and self._handle_host_line(*seq_and_body):
                    self._last_host_line_ms = now_ms
            except ValueError:  # no host of this version sent it: the display stays as it is
                continue

    def queue_due_lines(self, now_ms: int) -> None:
        """Queues the lines that are due: a heartbeat, and an answer again that has no verdict yet."""
        if now_ms >= self._heartbeat_due:
            self._heartbeat_due = now_ms + HEARTBEAT_MS
            self._queue_line(0, self._hello if self._shown is None else f"BEAT {now_ms - self._started}")
        if self._answer and now_ms >= self._retry_due:
            self._send_answer(now_ms)

    def next_due_ms(self) -> int:
        """Returns the time at which `queue_due_lines` has something to do next."""
        return min(self._heartbeat_due, self._retry_due) if self._answer else self._heartbeat_due

    def take_outgoing_bytes(self) -> bytes:
        """Returns the bytes to send now, and removes them from the queue."""
        outgoing, self._outgoing = self._outgoing, b""
        return outgoing

    def display_lines(self, now_ms: int) -> tuple[str, str]:
        """Returns the two lines of the display: the host's text, and the entry or the answer being sent."""
        own_line = f">{self._answer_text}"[:DISPLAY_LINE_LENGTH] if self._answer else self._entry
        if self._shown is None or self._is_host_gone(now_ms):
            return NO_HOST_TEXT, own_line
        return self._note or self._shown[2], own_line

    def light_state(self, now_ms: int) -> str:
        """Returns the state of the light: `off`, `on` or `blink`; `off` without a host."""
        return "off" if self._shown is None or self._is_host_gone(now_ms) else self._shown[1]

    def _is_host_gone(self, now_ms: int) -> bool:
        return now_ms - self._last_host_line_ms > MAX_MISSED_HEARTBEATS * HEARTBEAT_MS

    def _press_ok(self, now_ms: int) -> None:
        if not self._entry:
            self._answer_with_single_key("OK", now_ms)
        elif not self._entry.endswith("."):
            entry, self._entry = self._entry, ""
            self._start_answer(
                f"ENTRY {self._entry_question} {now_ms - self._started} {entry}", entry, now_ms
            )

    def _answer_with_single_key(self, cap: str, now_ms: int) -> None:
        assert self._shown is not None
        question = self._shown[0]
        self._start_answer(f"PRESS {question} {now_ms - self._started} {cap.lower()}", cap, now_ms)

    def _edit_entry(self, cap: str) -> None:
        if cap == "DEL":
            self._entry = self._entry[:-1]
        elif not self._entry:
            assert self._shown is not None
            self._entry_question = self._shown[0]
            self._entry = "0." if cap == "." else cap  # or `.5` would be sent as 5
        elif len(self._entry) < MAX_ENTRY_LENGTH and not (cap == "." and self._entry.endswith(".")):
            self._entry += cap

    def _start_answer(self, answer: str, answer_text: str, now_ms: int) -> None:
        self._seq = self._seq % MAX_SEQ + 1
        self._answer, self._answer_text = answer, answer_text
        self._send_answer(now_ms)

    def _send_answer(self, now_ms: int) -> None:
        self._retry_due = now_ms + HEARTBEAT_MS
        self._queue_line(self._seq, self._answer)

    def _handle_host_line(self, seq: int, body: str) -> bool:
        """Handles a line; returns False or raises ValueError if a host doesn't send such lines."""
        word, _, rest = body.partition(" ")
        if word == "WHO":
            self._queue_line(0, self._hello)
        elif word == "SHOW":
            self._handle_show(rest.split(" ", 3))
        elif word in ("ACK", "NAK"):
            if self._answer and seq == self._seq:
                self._note = unescape_katakana(rest)
                self._answer = ""
        else:
            return False
        return True

    def _handle_show(self, parts: list[str]) -> None:
        if len(parts) == 4 and parts[0] == self._boot:  # noqa: PLR2004 - boot, question, light, text
            if not parts[1].isdigit() or parts[2] not in LIGHT_STATES:
                raise ValueError("no such question or light")
            shown = (parts[1], parts[2], unescape_katakana(parts[3]))
            if shown != self._shown:
                self._note = ""
            self._shown = shown

    def _queue_line(self, seq: int, body: str) -> None:
        self._outgoing += encode_line(seq, body)
