"""Serial keypads: finds them at ports, sends signals for what they say, and shows panels on them.

    import threading

    from hardware.keypads import Keypads
    from hardware.device_drivers import SeatPanel
    from hardware.signals import Inbox, NumbersAnswer
    from hardware.wiring import Keypad

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    with Keypads([Keypad(seat=1, port="/dev/ttyACM0")], inbox) as keypads:
        keypads.show_panel("keypad 1", SeatPanel(question=7, line="Bid more than 4", light="blink"))
        while awake.wait():
            awake.clear()
            for signal in inbox.drain():
                print(signal)
                if isinstance(signal, NumbersAnswer):
                    keypads.handle_answer_accepted(signal)

One thread reads and writes all ports, and only puts signals into the inbox.
A keypad may be unplugged and plugged in at any time: into its own port or, if the wiring names only its id,
into any port.

`SerialLink` is the host's end of one cable, and lives as long as its port is open. `KeypadSession` keeps the
state of a keypad that must outlive unplugging. `KeypadPortPoller` opens the ports, reads them in turn, and
finds which keypad is at which port. All times are seconds of one monotonic clock.
"""

import errno
import grp
import itertools
import os
import select
import selectors
import termios
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol, TypeAlias

import serial
from serial.tools import list_ports

from companion.files import user_files
from hardware.device_drivers import DeviceDriver, SeatPanel, fit_to_display
from hardware.firmware.keypad.lines import LineSplitter
from hardware.keypad_protocol import (
    HEARTBEAT_SECONDS,
    MAX_MISSED_HEARTBEATS,
    PROTOCOL_VERSION,
    AnswerAcceptedMessage,
    AnswerRefusedMessage,
    ControlKeyMessage,
    DamagedLine,
    EntryMessage,
    HeartbeatMessage,
    HelloMessage,
    HelloRequestMessage,
    KeypadMessage,
    NumberedMessage,
    ShowMessage,
    encode_host_line,
    is_later_seq,
    parse_keypad_line,
)
from hardware.signals import (
    ControlKeyAnswer,
    DeviceAnswer,
    DeviceFound,
    DeviceLost,
    DuplicateKeypad,
    Inbox,
    LostReason,
    NumbersAnswer,
)
from hardware.wiring import Keypad

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class KeypadClockConverter:
    """Converts times of a keypad's clock to times of this machine's clock.

    A line is never early. So the least offset of the last lines is the true offset, plus the time that a
    cable always takes. Only the last lines count, because a keypad's crystal drifts.
    """

    def __init__(self) -> None:
        self._offsets: deque[float] = deque(maxlen=16)

    def record_heartbeat(self, keypad_ms: int, now: float) -> None:
        """Records that a heartbeat sent at `keypad_ms` of the keypad's clock arrived at `now`."""
        self._offsets.append(now - keypad_ms / 1000)

    def to_host_time(self, keypad_ms: int, now: float) -> float:
        """Converts a time of the keypad's clock; the result is never later than `now`."""
        return min(now, min(self._offsets, default=now) + keypad_ms / 1000)


class SerialLink:
    """The serial link to a keypad at one open port: checks lines, and tracks whether the keypad is alive."""

    def __init__(self, now: float) -> None:
        self.hello: HelloMessage | None = None
        self.clock = KeypadClockConverter()
        self._ended_boots: set[str] = set()
        self._splitter = LineSplitter()
        self._last_line_at = now

    def receive_messages(self, data: bytes, now: float) -> Iterator[NumberedMessage[KeypadMessage]]:
        """Handles bytes from the port; yields the message of each intact line.

        An answer before the first HELLO is dropped: the host doesn't know which keypad sent it, and the
        keypad repeats it. A HELLO of an earlier start of the keypad's program is dropped too: answers of that
        start can only be replays.
        """
        for line in self._splitter.feed_bytes(data):
            try:
                parsed = parse_keypad_line(line)
            except DamagedLine:
                continue
            self._last_line_at = now
            message = parsed.message
            if isinstance(message, HelloMessage) and message.boot in self._ended_boots:
                continue
            self._record_message(message, now)
            if self.hello is not None:
                yield parsed

    def is_silent(self, now: float) -> bool:
        """Returns whether no intact line has arrived for the time of three heartbeats."""
        return now - self._last_line_at > MAX_MISSED_HEARTBEATS * HEARTBEAT_SECONDS

    def _record_message(self, message: KeypadMessage, now: float) -> None:
        if isinstance(message, HelloMessage):
            if self.hello is not None and self.hello.boot != message.boot:
                self.clock = KeypadClockConverter()
                self._ended_boots.add(self.hello.boot)
            self.hello = message
        elif isinstance(message, HeartbeatMessage):
            self.clock.record_heartbeat(message.ms, now)


AnswerVerdict: TypeAlias = AnswerAcceptedMessage | AnswerRefusedMessage


class LastAnswerRecord:
    """The last answer of one keypad since its start: its SEQ, its receipt, and the verdict sent for it.

    A keypad sends its next answer only after it got the verdict of the last one. So one record is enough, and
    an earlier answer can only be a replay.
    """

    def __init__(self, boot: str) -> None:
        self.boot = boot
        self._seq = 0
        self._receipt = 0
        self._verdict: AnswerVerdict | None = None

    def is_new_answer(self, seq: int) -> bool:
        """Returns whether the answer with this SEQ has not been delivered yet.

        The first answer of a record is always new: this machine may have been restarted meanwhile.
        """
        return not self._seq or is_later_seq(seq, self._seq)

    def record_answer(self, seq: int, receipt: int) -> None:
        """Records that the answer with this SEQ was delivered under this receipt."""
        self._seq, self._receipt, self._verdict = seq, receipt, None

    def set_verdict(self, receipt: int, verdict: AnswerVerdict) -> bytes:
        """Records the game's verdict; returns the line that tells the keypad.

        The line is empty if the keypad no longer waits for the verdict.
        """
        if receipt != self._receipt:
            return b""
        self._verdict = verdict
        return self.verdict_line_for_replay(self._seq)

    def verdict_line_for_replay(self, seq: int) -> bytes:
        """Returns the verdict line for an answer that the keypad sends again; empty without a verdict.

        A keypad that sent a later answer has got the verdict of this one, so an ACK ends the replay.
        """
        verdict = self._verdict if seq == self._seq else AnswerAcceptedMessage()
        return b"" if verdict is None else encode_host_line(seq, verdict)


class KeypadSession:
    """The state of one wired keypad, plugged in or not; methods return bytes to send to it.

    An answer becomes one signal, however often the keypad sends it. The session remembers the verdict of the
    answer, and what the keypad shows. It doesn't know the port.
    """

    def __init__(self, device: str, inbox: Inbox) -> None:
        self.device = device
        self.panel = SeatPanel()
        self._inbox = inbox
        self._hello: HelloMessage | None = None
        self._last_answer = LastAnswerRecord("")
        self._reported_state: DeviceFound | DeviceLost | None = None

    @property
    def id_and_firmware(self) -> str:
        """The keypad's id and firmware; "" before the first HELLO."""
        return "" if self._hello is None else f"{self._hello.keypad_id}, {self._hello.firmware}"

    def handle_hello(self, hello: HelloMessage) -> bytes:
        """Handles a HELLO: notes the keypad's id and start, and returns the heartbeat to send."""
        self._hello = hello
        if hello.boot != self._last_answer.boot:
            self._last_answer = LastAnswerRecord(hello.boot)
        self.report_found()
        return self.heartbeat_line()

    def report_found(self) -> None:
        """Reports that the keypad can be used."""
        self._report_state(DeviceFound(self.device))

    def report_lost(self, reason: LostReason, detail: str = "") -> None:
        """Reports that the keypad can't be used, and why."""
        self._report_state(DeviceLost(self.device, reason, detail))

    def report_port_not_openable(self, group_if_denied: str) -> None:
        """Reports that the keypad can't be used, because its port can't be opened.

        Only members of `group_if_denied` may open the port; "" if nothing is plugged in. A keypad counts as
        unplugged until its first signal, so an unplugged keypad that was never found isn't reported.
        """
        if group_if_denied:
            self.report_lost("denied", group_if_denied)
        elif isinstance(self._reported_state, DeviceLost):
            self.report_lost("unplugged")

    def report_duplicate(self, keypad_id: str, port: str) -> None:
        """Reports a second keypad with the same id, at this port."""
        self._inbox.put(DuplicateKeypad(self.device, keypad_id, port))

    def handle_answer(
        self, seq: int, answer: EntryMessage | ControlKeyMessage, at: float, receipt: int
    ) -> bytes:
        """Handles an answer of the keypad: a new answer becomes a signal; returns the line to send.

        The line is the verdict of an answer that was sent before, and empty for a new answer.
        """
        if not self._last_answer.is_new_answer(seq):
            return self._last_answer.verdict_line_for_replay(seq)
        self._last_answer.record_answer(seq, receipt)
        question = answer.question
        if isinstance(answer, EntryMessage):
            self._inbox.put(NumbersAnswer(self.device, question, answer.numbers, at, receipt))
        else:
            self._inbox.put(ControlKeyAnswer(self.device, question, answer.key, at, receipt))
        return b""

    def set_verdict(self, receipt: int, refusal: str | None) -> bytes:
        """Sets the verdict of the keypad's answer; returns the line that tells the keypad.

        The answer is accepted if `refusal` is None; otherwise `refusal` says why it is refused.
        The line is empty if the keypad no longer waits for the verdict.
        """
        verdict = (
            AnswerAcceptedMessage()
            if refusal is None
            else AnswerRefusedMessage(self._fit_to_display(refusal))
        )
        return self._last_answer.set_verdict(receipt, verdict)

    def heartbeat_line(self) -> bytes:
        """Returns the heartbeat to send: all that the keypad shows, or before a HELLO the request for one."""
        if self._hello is None:
            return encode_host_line(0, HelloRequestMessage())
        panel = self.panel
        text = self._fit_to_display(panel.line)
        return encode_host_line(0, ShowMessage(self._hello.boot, panel.question, panel.light, text))

    def _fit_to_display(self, text: str) -> str:
        capabilities = self._hello.capabilities if self._hello else ()
        widths = [int(word[4:]) for word in capabilities if word.startswith("line") and word[4:].isdigit()]
        return fit_to_display(
            text,
            width_cells=min([*widths, MAX_DISPLAY_CELLS_PER_PROTOCOL_LINE]),
            has_kana="kana" in capabilities,
        )

    def _report_state(self, state: DeviceFound | DeviceLost) -> None:
        if state != self._reported_state:
            self._reported_state = state
            self._inbox.put(state)


MAX_DISPLAY_CELLS_PER_PROTOCOL_LINE = 20
"""Maximum characters of a text for a display, so that it fits a line even if all are escaped."""


UNKNOWN_DEVICE_RETRY_SECONDS = 5.0
"""Time until a port with an unknown device is tried again."""

DeviceFileIdentity: TypeAlias = tuple[int, int] | None


class IgnoredPorts:
    """Ports with an unknown device, which stay unopened for a while.

    A port is identified by its name and its file in /dev, so that another device that is plugged in under the
    same name is asked for HELLO at once. It is also identified by the keypad wired to it, because the lasting
    name of a port appears a moment after the port.
    """

    def __init__(self) -> None:
        self._retry_time_by_port: dict[tuple[str, str | None], tuple[DeviceFileIdentity, float]] = {}

    def ignore_port(self, path: str, expected_device: str | None, now: float) -> bool:
        """Ignores a port for a while; returns whether another device is there than the last time."""
        node = _device_node(path)
        old_node, _ = self._retry_time_by_port.get((path, expected_device), (None, now))
        self._retry_time_by_port[path, expected_device] = (node, now + UNKNOWN_DEVICE_RETRY_SECONDS)
        return node is None or node != old_node

    def may_open(self, path: str, expected_device: str | None, now: float) -> bool:
        """Returns whether a port may be opened now.

        `expected_device` is the name of the keypad that is wired to it.
        """
        node, retry_time = self._retry_time_by_port.get((path, expected_device), (None, now))
        return now >= retry_time or node != _device_node(path)


def _device_node(path: str) -> DeviceFileIdentity:
    try:
        stat = os.stat(path)  # noqa: PTH116 - a name in /dev, asked four times a second
    except OSError:
        return None
    return stat.st_ino, stat.st_ctime_ns


MAX_READ_BYTES = 4096
"""Maximum bytes read from one port before the other ports get their turn."""
SEARCHED_PORT_HELLO_TIMEOUT_SECONDS = 2.0
"""Time limit for HELLO at a port that the wiring doesn't name."""
SERIAL_GROUP = "dialout"
"""The group whose members may open serial ports on Debian."""

PORT_ERRORS = (OSError, termios.error)
"""Errors of a port whose plug was pulled: either may be raised, and termios.error is no OSError."""


class SerialPort(Protocol):
    """An open serial port; `read` and `write` raise one of PORT_ERRORS when it is unplugged."""

    @property
    def is_open(self) -> bool:
        """Whether `close` hasn't been called."""

    def fileno(self) -> int:
        """Returns the file descriptor for the selector."""

    def read(self, size: int, /) -> bytes:
        """Reads the bytes that have arrived, at most `size`, without waiting for more."""

    def write(self, data: bytes, /) -> int | None:
        """Writes all bytes to the port; the returned number isn't used.

        Raises one of PORT_ERRORS if writing takes too long.
        """

    def close(self) -> None:
        """Closes the port."""


class OpenKeypadPort:
    """An open port, with the keypad that is wired to it and the session of the keypad that answered there.

    The wired keypad is looked up when the port is opened: after unplugging, the port's name in /dev may be
    gone before its last lines are read.
    """

    def __init__(self, path: str, expected_keypad: Keypad | None, tty: SerialPort, now: float) -> None:
        self.path = path
        self.expected_keypad = expected_keypad
        self.tty = tty
        self.opened_at = now
        self.link = SerialLink(now)
        self.session: KeypadSession | None = None

    @property
    def expected_device_name(self) -> str | None:
        """The name of the keypad that is wired to this port."""
        return _device_name(self.expected_keypad)


class KeypadPortPoller:
    """Opens, reads and writes the serial ports of all keypads, in the keypads' own thread.

    Only `wake` and `describe_device` may be called from any thread.
    """

    def __init__(
        self,
        sections: Sequence[Keypad],
        inbox: Inbox,
        open_serial_port: Callable[[str], SerialPort],
        list_ports_to_search: Callable[[], Iterable[str]],
        clock: Callable[[], float],
    ) -> None:
        self._sections = sections
        self._sessions = {keypad.device_name: KeypadSession(keypad.device_name, inbox) for keypad in sections}
        self._open_serial_port = open_serial_port
        self._list_ports_to_search = list_ports_to_search
        self._clock = clock
        self._receipts = itertools.count(1)
        self._open_ports: dict[str, OpenKeypadPort] = {}
        self._ignored_ports = IgnoredPorts()
        self._next_heartbeat_at = clock()
        self._is_woken = False
        self._wake_read_fd, self._wake_write_fd = os.pipe()
        os.set_blocking(self._wake_read_fd, False)
        os.set_blocking(self._wake_write_fd, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._wake_read_fd, selectors.EVENT_READ, None)

    def describe_device(self, device: str) -> str:
        """Returns id and firmware of a keypad; may be called from any thread."""
        return self._sessions[device].id_and_firmware if device in self._sessions else ""

    def wake(self) -> None:
        """Wakes the poller: ends its current or its next wait.

        Callers must queue their calls before.
        """
        if not self._is_woken:
            self._is_woken = True
            os.write(self._wake_write_fd, b"!")

    def poll_once(self) -> None:
        """Waits until bytes arrive or a heartbeat is due, then reads the ports and sends the heartbeats."""
        for key, _ in self._selector.select(max(0.0, self._next_heartbeat_at - self._clock())):
            if key.data is None:
                os.read(self._wake_read_fd, MAX_READ_BYTES)
                self._is_woken = False
            else:
                self._read_port(key.data)
        now = self._clock()
        if now >= self._next_heartbeat_at:
            self._next_heartbeat_at = now + HEARTBEAT_SECONDS
            self._open_missing_ports(now)
            for port in list(self._open_ports.values()):
                self._send_heartbeat(port, now)

    def show_panel(self, device: str, panel: SeatPanel) -> None:
        """Stores a panel for a keypad, and shows it now or when the keypad is connected."""
        session = self._sessions[device]
        if panel != session.panel:
            session.panel = panel
            self._send_to(session, session.heartbeat_line())

    def send_verdict(self, answer: DeviceAnswer, refusal: str | None) -> None:
        """Stores the verdict of an answer, and sends it to the keypad if the keypad is connected.

        After a later answer of the keypad the verdict is dropped.
        """
        session = self._sessions[answer.device]
        self._send_to(session, session.set_verdict(answer.receipt, refusal))

    def report_all_lost(self) -> None:
        """Reports all keypads as lost, because no thread reads the ports any more."""
        for session in self._sessions.values():
            session.report_lost("failed")

    def close(self) -> None:
        """Closes all ports."""
        for port in self._open_ports.values():
            port.tty.close()
        self._selector.close()
        os.close(self._wake_read_fd)
        os.close(self._wake_write_fd)

    def _open_missing_ports(self, now: float) -> None:
        candidates = self._ports_to_open()
        denied_groups = [
            self._open_port(path, expected_keypad, now) for path, expected_keypad in candidates.items()
        ]
        groups_of_searched_ports = [
            group
            for expected_keypad, group in zip(candidates.values(), denied_groups, strict=True)
            if expected_keypad is None
        ]
        if groups_of_searched_ports and all(groups_of_searched_ports):
            for keypad in self._keypads_to_search():
                self._sessions[keypad.device_name].report_port_not_openable(groups_of_searched_ports[0])

    def _open_port(self, path: str, expected_keypad: Keypad | None, now: float) -> str:
        """Opens a port that isn't open yet.

        Returns the group that may open the port if access was denied, else "".
        """
        port = self._open_ports.get(path)
        if port is not None:
            # The lasting name of a port comes a moment after the port.
            if port.expected_keypad is None and port.session is None:
                port.expected_keypad = expected_keypad
            return ""
        if not self._ignored_ports.may_open(path, _device_name(expected_keypad), now):
            return ""
        try:
            port = OpenKeypadPort(path, expected_keypad, self._open_serial_port(path), now)
        except PORT_ERRORS as error:  # the port isn't there yet, or access is denied: tried again
            group = _group_that_may_open(path, error)
            if expected_keypad is not None:
                self._sessions[expected_keypad.device_name].report_port_not_openable(group)
            return group
        self._open_ports[path] = port
        self._selector.register(port.tty.fileno(), selectors.EVENT_READ, port)
        return ""

    def _ports_to_open(self) -> dict[str, Keypad | None]:
        # Two names in /dev may be one port, and a name may move to another port.
        wired_ports = {
            user_files.resolve_link(keypad.port): keypad
            for keypad in self._sections
            if keypad.port is not None
        }
        searched_paths = (
            [user_files.resolve_link(path) for path in self._list_ports_to_search()]
            if self._keypads_to_search()
            else []
        )
        return {**dict.fromkeys(searched_paths), **wired_ports}

    def _keypads_to_search(self) -> list[Keypad]:
        """Returns the keypads without a wired port that aren't connected yet."""
        connected_sessions = {port.session for port in self._open_ports.values()}
        return [
            keypad
            for keypad in self._sections
            if keypad.port is None and self._sessions[keypad.device_name] not in connected_sessions
        ]

    def _read_port(self, port: OpenKeypadPort) -> None:
        try:
            data = port.tty.read(MAX_READ_BYTES)
        except PORT_ERRORS:
            self._close_port(port)
            return
        now = self._clock()
        for seq, message in port.link.receive_messages(data, now):
            if port.tty.is_open:
                self._handle_message(port, seq, message, now)

    def _handle_message(self, port: OpenKeypadPort, seq: int, message: KeypadMessage, now: float) -> None:
        if isinstance(message, HelloMessage):
            self._handle_hello(port, message)
        if port.session is None:
            return
        port.session.report_found()
        if isinstance(message, EntryMessage | ControlKeyMessage):
            at = port.link.clock.to_host_time(message.ms, now)
            reply = port.session.handle_answer(seq, message, at, next(self._receipts))
            self._send(port, reply)

    def _handle_hello(self, port: OpenKeypadPort, hello: HelloMessage) -> None:
        keypad = port.expected_keypad or self._keypad_with_id(hello.keypad_id)
        session = None if keypad is None else self._sessions[keypad.device_name]
        if port.session is not None and port.session is not session:
            port.session.report_lost("another")
        port.session = None
        if keypad is None or session is None:
            self._ignore_port(port)
        elif reason := self._why_unusable(keypad, hello):
            self._ignore_port(port)
            session.report_lost(reason)
        elif self._is_at_another_port(session):
            if self._ignore_port(port):
                session.report_duplicate(hello.keypad_id, port.path)
        else:
            port.session = session
            self._send(port, session.handle_hello(hello))

    def _keypad_with_id(self, keypad_id: str) -> Keypad | None:
        return next(
            (keypad for keypad in self._sections if keypad.port is None and keypad.id == keypad_id), None
        )

    def _why_unusable(self, keypad: Keypad, hello: HelloMessage) -> LostReason | None:
        has_other_id = keypad.id not in (None, hello.keypad_id)
        if has_other_id or any(
            other.id == hello.keypad_id for other in self._sections if other is not keypad
        ):
            return "another"
        return None if hello.version == PROTOCOL_VERSION else "protocol"

    def _is_at_another_port(self, session: KeypadSession) -> bool:
        """Returns whether another port has this keypad; closes that port if it is silent."""
        for port in list(self._open_ports.values()):
            if port.session is session:
                if not port.link.is_silent(self._clock()):
                    return True
                self._close_port(port)
        return False

    def _ignore_port(self, port: OpenKeypadPort) -> bool:
        self._close_port(port)
        return self._ignored_ports.ignore_port(port.path, port.expected_device_name, self._clock())

    def _send_heartbeat(self, port: OpenKeypadPort, now: float) -> None:
        session = port.session
        if session is None:
            self._send(port, encode_host_line(0, HelloRequestMessage()))
            if now > port.opened_at + SEARCHED_PORT_HELLO_TIMEOUT_SECONDS and port.expected_keypad is None:
                self._ignore_port(port)
            return
        if port.link.is_silent(now):
            session.report_lost("silent")
        self._send(port, session.heartbeat_line())

    def _send_to(self, session: KeypadSession, line: bytes) -> None:
        for port in list(self._open_ports.values()):
            if port.session is session:
                self._send(port, line)

    def _send(self, port: OpenKeypadPort, line: bytes) -> None:
        try:
            port.tty.write(line)
        except PORT_ERRORS:
            self._close_port(port)

    def _close_port(self, port: OpenKeypadPort) -> None:
        if port.tty.is_open:
            self._selector.unregister(port.tty.fileno())
            port.tty.close()
            del self._open_ports[port.path]
            if port.session is not None:
                port.session.report_lost("unplugged")
                port.session = None


def _device_name(keypad: Keypad | None) -> str | None:
    return None if keypad is None else keypad.device_name


def _group_that_may_open(path: str, error: Exception) -> str:
    """Returns the group whose members may open a port to which access was denied; "" for another error."""
    if getattr(error, "errno", None) not in (errno.EACCES, errno.EPERM):
        return ""
    try:
        group = grp.getgrgid(os.stat(path).st_gid).gr_name  # noqa: PTH116 - a name in /dev
    except (OSError, KeyError):
        return SERIAL_GROUP
    return SERIAL_GROUP if group == "root" else group


KEYPAD_BAUD_RATE = 115_200
WRITE_TIMEOUT_SECONDS = 0.1
"""Seconds after which a keypad that takes no bytes counts as unplugged."""


def list_usb_serial_ports() -> list[str]:
    """Returns every USB serial port of this machine."""
    return [port.device for port in list_ports.comports() if port.vid is not None]


class KeypadTty(serial.Serial):
    """A serial port that fails to write only if it takes no bytes for some time.

    pyserial looks at the clock once more after it has written: on a busy machine, whose thread had to wait
    for a processor meanwhile, a line that was written would unplug the keypad.
    """

    def write(self, data: "ReadableBuffer", /) -> int:
        """Writes all bytes; raises `SerialTimeoutException` if the port takes none."""
        rest = written = bytes(data)
        while rest:
            if not select.select([], [self.fileno()], [], WRITE_TIMEOUT_SECONDS)[1]:
                raise serial.SerialTimeoutException("the port takes no bytes")
            rest = rest[os.write(self.fileno(), rest) :]
        return len(written)


def open_serial_port(path: str) -> KeypadTty:
    """Opens a serial port for a keypad. Raises OSError or termios.error."""
    tty = KeypadTty()
    tty.port = path
    tty.baudrate = KEYPAD_BAUD_RATE
    tty.timeout = 0
    tty.exclusive = True
    tty.dtr = True  # a keypad on TinyUSB sends nothing without it
    tty.open()
    return tty


class Keypads(DeviceDriver):
    """Driver of the wired keypads.

    `list_ports_to_search` lists the ports to search for keypads that are wired by id alone.
    The methods are for the game's thread and return at once.
    """

    def __init__(
        self,
        sections: Sequence[Keypad],
        inbox: Inbox,
        *,
        list_ports_to_search: Callable[[], Iterable[str]] = list_usb_serial_ports,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._poller = KeypadPortPoller(sections, inbox, open_serial_port, list_ports_to_search, clock)
        self._queued_calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._panel_by_device: dict[str, SeatPanel] = {}
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="keypads", daemon=True)

    def start(self) -> None:
        """Starts the thread that opens the ports and finds the keypads."""
        self._thread.start()

    def close(self) -> None:
        """Closes all ports; the keypads then show that nobody is connected."""
        if not self._is_closed:
            self._is_closed = True
            if self._thread.ident is not None:
                self._poller.wake()
                self._thread.join()
            self._poller.close()

    def describe_device(self, device: str) -> str:
        """Returns id and firmware from the last HELLO; "" before one, or for another device."""
        return self._poller.describe_device(device)

    def show_panel(self, device: str, panel: SeatPanel) -> None:
        """Shows a panel on a keypad until the next one, also after it is plugged in later."""
        if self._panel_by_device.get(device) == panel:
            return
        self._panel_by_device[device] = panel
        self._queue_call(lambda: self._poller.show_panel(device, panel))

    def handle_answer_accepted(self, answer: DeviceAnswer) -> None:
        """Informs the keypad that its answer is saved, so that it may forget the answer."""
        self._queue_call(lambda: self._poller.send_verdict(answer, None))

    def handle_answer_refused(self, answer: DeviceAnswer, reason: str) -> None:
        """Informs the keypad that its answer doesn't count; it shows the reason until its next key."""
        self._queue_call(lambda: self._poller.send_verdict(answer, reason))

    def _queue_call(self, call: Callable[[], None]) -> None:
        if not self._is_closed:
            self._queued_calls.put(call)
            self._poller.wake()

    def _run(self) -> None:
        try:
            while not self._is_closed:
                self._poller.poll_once()
                while not self._queued_calls.empty():
                    self._queued_calls.get()()
        except BaseException:
            # A game must never wait for a keypad that no thread reads.
            self._poller.report_all_lost()
            raise
