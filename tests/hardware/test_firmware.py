"""The keypads' firmware, unchanged, in real MicroPython: keys, display, line, and what may go wrong."""

import os
import re
import select
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from hardware.firmware.keypad.lines import LineSplitter
from hardware.firmware.keypad.settings import DEFAULT_SETTINGS, read_keypad_toml, validate_keypad_id
from hardware.keypad_protocol import (
    HEARTBEAT_SECONDS,
    AnswerAcceptedMessage,
    AnswerRefusedMessage,
    ControlKeyMessage,
    EntryMessage,
    HeartbeatMessage,
    HelloMessage,
    HelloRequestMessage,
    HostMessage,
    KeypadMessage,
    ShowMessage,
    encode_host_line,
    parse_keypad_line,
)
from hardware.simulated.pins import SimulatedTM1637
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS
from tests.support.hardware.micropython_keypad import FIRMWARE, MICROPYTHON, SKIP_REASON, MicroPythonKeypad

metal = pytest.mark.skipif(not MICROPYTHON.is_file(), reason=SKIP_REASON)
M = TypeVar("M", bound=KeypadMessage)
NUMBER = "E660583883724A32"
"""Of the simulated chip."""


class Host:
    """A host's end of the line to one keypad, which says what a test tells it to."""

    def __init__(self, pico: MicroPythonKeypad) -> None:
        pico.plug_in()
        self.pico = pico
        self._tty = os.open(pico.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._splitter = LineSplitter()
        self._unread: list[tuple[int, KeypadMessage]] = []
        self._show: HostMessage | None = None
        self._beat_due = 0.0
        self.hello = self.hears(HelloMessage)[1]
        self.seq = 0

    def says(self, message: HostMessage, seq: int = 0) -> None:
        """One line."""
        os.write(self._tty, encode_host_line(seq, message))

    def babbles(self, data: bytes) -> None:
        """Any bytes, as fast as the keypad takes them."""
        while data:
            select.select([], [self._tty], [], TIMEOUT_SECONDS)
            data = data[os.write(self._tty, data) :]

    def shows(self, question: int, text: str = "Bid", light: str = "on") -> None:
        """From now on this is its heartbeat."""
        self._show = ShowMessage(self.hello.boot, question, light, text)  # type: ignore[arg-type]  # one of the three
        self.says(self._show)

    def falls_silent(self) -> None:
        """No more heartbeats."""
        self._show = None

    def hears(self, *kinds: type[M]) -> tuple[int, M]:
        """The next message of these kinds."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end:
            while self._unread:
                seq, message = self._unread.pop(0)
                if isinstance(message, kinds):
                    return seq, message
            self._listen()
        raise TimeoutError(f"no {kinds}")

    def hears_answer(self) -> EntryMessage | ControlKeyMessage:
        """The next answer, which is acknowledged at once; its repetitions are skipped."""
        while True:
            seq, message = self.hears(EntryMessage, ControlKeyMessage)
            assert isinstance(message, EntryMessage | ControlKeyMessage)
            self.says(AnswerAcceptedMessage(), seq)
            if seq != self.seq:
                self.seq = seq
                return message

    def sees(self, seen: Callable[[], bool]) -> None:
        """Wait until this is so."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while not seen():
            assert time.monotonic() < end, self.pico.display_lines()
            self._listen()

    def _listen(self) -> None:
        if self._show is not None and time.monotonic() > self._beat_due:
            self._beat_due = time.monotonic() + HEARTBEAT_SECONDS
            self.says(self._show)
        # While nothing is said the pins are looked at a hundred times a second.
        if select.select([self._tty], [], [], 0.01)[0]:
            lines = self._splitter.feed_bytes(os.read(self._tty, 4096))
            self._unread += [parse_keypad_line(line) for line in lines]

    def close(self) -> None:
        """Pull the plug."""
        os.close(self._tty)
        self.pico.unplug()


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Callable[[str], Host]]:
    """Plugs a keypad in, with this keypad.toml."""
    hosts: list[Host] = []

    def plugged(settings: str = "") -> Host:
        hosts.append(Host(MicroPythonKeypad(tmp_path / "pico", tmp_path / "port", settings)))
        return hosts[-1]

    yield plugged
    for host in hosts:
        host.close()


@pytest.fixture
def host(plug: Callable[[str], Host]) -> Host:
    """A keypad as it is without keypad.toml, on which question 7 is shown."""
    host = plug("")
    host.shows(7)
    return host


def _numbers(answer: KeypadMessage) -> tuple[int, ...]:
    assert isinstance(answer, EntryMessage)
    return answer.numbers


@metal
def test_it_says_who_it_is(host: Host) -> None:
    """The number of the chip is its id, as it stands in the name of its port; then its heart beats."""
    assert (host.hello.version, host.hello.keypad_id, host.hello.capabilities) == (
        1,
        NUMBER,
        ("line16", "kana"),
    )
    host.hears(HeartbeatMessage)
    host.says(HelloRequestMessage())
    assert host.hears(HelloMessage)[1] == host.hello


@metal
def test_each_press_of_a_bouncing_key_counts_once(host: Host) -> None:
    """Every key, pressed by a quick finger: none lost, none doubled, and the sixteenth does nothing."""
    for keys, numbers in (
        ("98765", (98765,)),
        ("43210", (43210,)),
        ("1.2", (1, 2)),
        ("77 DEL 7", (77,)),
        ("8 NO 9", (9,)),
    ):
        host.pico.type(f"{keys} OK")
        assert _numbers(host.hears_answer()) == numbers
    host.pico.press("")
    for key in ("NO", "OWN", "OK"):
        host.pico.type(key)
        answer = host.hears_answer()
        assert isinstance(answer, ControlKeyMessage)
        assert answer.key == key.lower()


@metal
def test_a_key_that_nobody_presses_never_counts(host: Host) -> None:
    """Three keys down make a fourth seem so: none of them counts; two at once both do."""
    host.pico.press("1", "2", "4")
    host.pico.press("3", "8")
    host.pico.press("OK")
    assert sorted(str(*_numbers(host.hears_answer()))) == ["3", "8"]


@metal
def test_the_host_is_answered_while_a_key_is_held(host: Host) -> None:
    """A key held down counts once, and nothing waits for it."""
    host.pico.press("5", milliseconds=700)
    host.pico.press("OK")
    beats = [host.hears(HeartbeatMessage)[0] for _ in range(2)]
    assert beats == [0, 0]
    assert _numbers(host.hears_answer()) == (5,)


@metal
def test_its_display_is_read_letter_by_letter(host: Host) -> None:
    """The host's line above, katakana too; the entry below, then what is on its way, then nothing."""
    host.shows(8, "Bid 5-99/NO ﾍﾞﾝ%")
    host.sees(lambda: host.pico.display_lines() == ("Bid 5-99/NO ﾍﾞﾝ%", ""))
    host.pico.type("12")
    host.sees(lambda: host.pico.display_lines()[1] == "12")
    host.pico.type("OK")
    host.sees(lambda: host.pico.display_lines()[1] == ">12")
    host.says(AnswerRefusedMessage("More than 12"), host.hears(EntryMessage)[0])
    host.sees(lambda: host.pico.display_lines() == ("More than 12", ""))
    host.falls_silent()
    host.sees(lambda: host.pico.display_lines() == ("not connected", ""))


@metal
def test_a_display_may_be_pulled_out_and_in(plug: Callable[[str], Host]) -> None:
    """The keypad works on without it, and fills it again within a second; one of 32 rows serves as well."""
    host = plug("height = 32  # the small one\n")
    host.pico.set_display_connected(is_connected=False)
    host.shows(7, "Bid")
    host.pico.type("6 OK")
    assert _numbers(host.hears_answer()) == (6,)
    host.pico.set_display_connected(is_connected=True)
    host.shows(7, "Bid again")
    host.sees(lambda: host.pico.display_lines(rows=32)[0] == "Bid again")


class Wire:
    """One of the two wires to a TM1637, moved as the firmware moved it."""

    def __init__(self) -> None:
        self.watchers: list[Callable[[], None]] = []
        self.function = "output"
        self._level = True
        self._pulls: set[object] = set()

    @property
    def state(self) -> bool:
        """The level."""
        return self._level and not self._pulls

    def move(self, *, level: bool) -> None:
        """The keypad's end."""
        self._level = level
        self._watch()

    def pull_down(self, who: object, *, is_down: bool) -> None:
        """The chip's end."""
        self._pulls = {who} if is_down else set()
        self._watch()

    def is_pulled_down_by(self, who: object) -> bool:
        """Whether the chip holds it down."""
        return who in self._pulls

    def _watch(self) -> None:
        for watcher in self.watchers:
            watcher()


class Tm1637Display:
    """What people read on a TM1637 at GP0 and GP1 of a keypad."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._wires = {"0": Wire(), "1": Wire()}
        self._chip = SimulatedTM1637(*self._wires.values())
        self._read = 0
        self._seen: list[str] = []

    def comes_to_show(self, digits: str) -> bool:
        """Whether they made these digits, however short, since this was last so."""
        self._host.pico.read_pin_events()
        for kind, *words in self._host.pico.pin_events[self._read :]:
            if kind == "pin" and words[0] in self._wires:
                self._wires[words[0]].move(level=words[1] == "1")
                self._seen.append(self._chip.text)
        self._read = len(self._host.pico.pin_events)
        is_seen = digits in self._seen
        if is_seen:
            del self._seen[: self._seen.index(digits)]
        return is_seen

    @property
    def fights(self) -> int:
        """How often the keypad drove a wire against the chip."""
        return self._chip.drive_conflicts


@metal
def test_four_digits_show_the_entry_and_let_a_line_pass_by(plug: Callable[[str], Host]) -> None:
    """The line begins, moves on, and gives way to the entry; a sent entry stands until it is taken."""
    host = plug('display = "tm1637"\n')
    assert host.hello.capabilities == ("line16",)
    digits = Tm1637Display(host)
    host.shows(7, "12-345678")
    host.sees(lambda: digits.comes_to_show("12-3"))
    host.sees(lambda: digits.comes_to_show("2-34"))
    host.pico.type("98765")
    host.sees(lambda: digits.comes_to_show("----"))
    host.pico.type("DEL DEL DEL OK")
    host.hears(EntryMessage)
    host.sees(lambda: digits.comes_to_show(" ?98"))
    assert digits.fights == 0


@metal
def test_the_light_blinks_and_the_buzzer_calls_once(plug: Callable[[str], Host]) -> None:
    """A tenth of a second when the light comes on; keys, refusals and the next question make no sound."""
    host = plug('display = ""\nlight = 20\nbuzzer = 21\n')
    assert host.hello.capabilities == ("line0",)
    host.shows(7, light="blink")
    host.sees(lambda: _told(host, "pin", "20") == ["1", "0", "1"])
    host.pico.type("1 OK")
    host.says(AnswerRefusedMessage("No"), host.hears(EntryMessage)[0])
    host.shows(8, light="on")
    host.pico.type("2 OK")
    host.hears_answer()
    assert _told(host, "pwm", "21") == ["32768", "0"]
    host.shows(0, light="off")
    host.sees(lambda: _told(host, "pin", "20")[-1] == "0")
    host.shows(9)
    host.sees(lambda: _told(host, "pwm", "21") == ["32768", "0", "32768", "0"])


def _told(host: Host, kind: str, number: str) -> list[str]:
    host.pico.read_pin_events()
    return [level for what, at, level in host.pico.pin_events if (what, at) == (kind, number)]


@metal
def test_garbage_is_taken_in_little_memory(host: Host) -> None:
    """200 kilobytes of any bytes, Ctrl-C among them, and lines without end, on a Pico's heap: it plays on."""
    host.babbles(bytes(range(256)) * 400 + b"\x03" * 1000 + b"7" * 100_000)
    host.babbles(b"\n")
    host.shows(8)
    host.sees(lambda: host.pico.display_lines()[0] == "Bid")
    host.pico.type("3 OK")
    answer = host.hears_answer()
    assert (_numbers(answer), host.pico.is_running()) == ((3,), True)


@metal
def test_a_host_that_does_not_read_holds_nothing_up(host: Host) -> None:
    """The line to the host is full to the brim; light and display follow all the same."""
    host.babbles(encode_host_line(0, HelloRequestMessage()) * 500)
    host.shows(8, "Still here", "off")
    end = time.monotonic() + TIMEOUT_SECONDS
    while host.pico.display_lines()[0] != "Still here":
        assert time.monotonic() < end
        select.select([], [], [], 0.01)


@metal
def test_it_stays_out_of_the_way_while_ok_is_held(tmp_path: Path) -> None:
    """With OK down at the start the program ends, so that mpremote can change the files."""
    pico = MicroPythonKeypad(tmp_path / "pico", tmp_path / "port")
    pico.press("OK", milliseconds=5_000)
    pico.plug_in()
    assert pico.wait_for_exit() == 0
    pico.unplug()


@metal
def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    """The program ends, and says where it is wrong and what is allowed."""
    pico = MicroPythonKeypad(tmp_path / "pico", tmp_path / "port", 'display = "lcd"\n')
    pico.plug_in()
    assert pico.wait_for_exit() == 1
    pico.unplug()


def test_without_a_file_everything_is_as_the_page_says(tmp_path: Path) -> None:
    """Settings have values of their own."""
    assert read_keypad_toml(str(tmp_path / "keypad.toml")) == DEFAULT_SETTINGS


def test_a_file_says_what_is_otherwise(tmp_path: Path) -> None:
    """One value a line, comments aside."""
    path = tmp_path / "keypad.toml"
    path.write_text('# seat 3\nid = "kp-3"\n\nrows = [10, 11, 12, 13]  # the other side\n')
    assert read_keypad_toml(str(path)) == {**DEFAULT_SETTINGS, "id": "kp-3", "rows": [10, 11, 12, 13]}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("colour = 3", "keypad.toml:2: colour; allowed: id, rows, "),
        ("light", "keypad.toml:2: light; allowed: id, rows, "),
        ("light = GP15", "keypad.toml:2: light = GP15; allowed: such as 15"),
        ('light = "15"', 'keypad.toml:2: light = "15"; allowed: such as 15'),
        ("rows = 2", "keypad.toml:2: rows = 2; allowed: such as [2, 3, 4, 5]"),
        ("height = 48", "keypad.toml:2: height = 48; allowed: such as 64 or 32"),
        ('display = "lcd"', 'keypad.toml:2: display = "lcd"; allowed: such as "ssd1306" or "tm1637" or ""'),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    """File, line, key, and what is allowed."""
    assert said in refused(tmp_path / "keypad.toml", f"# mine\n{line}\n")


def refused(path: Path, text: str) -> str:
    """Why such a file isn't read."""
    path.write_text(text)
    with pytest.raises(ValueError, match=r"keypad\.toml") as error:
        read_keypad_toml(str(path))
    return str(error.value)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("columns = [6, 7, 8]", "keypad.toml: caps has 16 keys, rows and columns make 12; allowed: as many"),
        ('rows = [2]\ncolumns = [6]\ncaps = ["ok"]', 'keypad.toml: caps has "ok"; allowed: 0 1 2 3'),
    ],
)
def test_each_key_of_the_matrix_has_a_cap_that_there_is(tmp_path: Path, lines: str, said: str) -> None:
    """Else the program would fail at the first press of such a key, and again after each start."""
    assert said in refused(tmp_path / "keypad.toml", lines)


@pytest.mark.parametrize("wrong", ["", ".kp", "kp 1", "k" * 25, "ﾍﾞﾝ"])
def test_an_id_that_no_line_can_say_is_refused(wrong: str) -> None:
    """It names the letters that are allowed."""
    assert validate_keypad_id("kp-1.a_B") == "kp-1.a_B"
    with pytest.raises(ValueError, match="1 to 24 characters"):
        validate_keypad_id(wrong)


PAGE = (FIRMWARE.parents[1] / "docs/build/keypad.md").read_text("utf-8")


def test_the_page_says_what_the_firmware_does() -> None:
    """Its wiring table has the pins and keys that hold without keypad.toml, its example every setting."""
    wired = {
        part: int(pin) for part, pin in re.findall(r"^\| (.+?) \| GP(\d+) \| \d+ \|$", PAGE, re.MULTILINE)
    }
    keys = [pin for part, pin in wired.items() if part.startswith("keys, row")]
    assert keys == DEFAULT_SETTINGS["rows"]
    assert [pin for part, pin in wired.items() if part.startswith("keys, column")] == DEFAULT_SETTINGS[
        "columns"
    ]
    assert [pin for part, pin in wired.items() if part.startswith("display S")] == DEFAULT_SETTINGS[
        "display_pins"
    ]
    assert [pin for part, pin in wired.items() if part.startswith("buzzer")] == [DEFAULT_SETTINGS["buzzer"]]
    assert [pin for part, pin in wired.items() if part.startswith("LED")] == [DEFAULT_SETTINGS["light"]]
    caps = [cap for part in wired for cap in re.findall(r"[0-9A-Z.]+|no function", part.partition("(")[2])]
    assert ["" if cap == "no function" else cap for cap in caps][:16] == DEFAULT_SETTINGS["caps"]


def test_the_example_on_the_page_can_be_copied(tmp_path: Path) -> None:
    """It is a keypad.toml, and TOML."""
    example = PAGE.partition("```toml\n")[2].partition("```")[0]
    path = tmp_path / "keypad.toml"
    path.write_text(example)
    read = read_keypad_toml(str(path))
    assert read == tomllib.loads(example)
    assert read.keys() == DEFAULT_SETTINGS.keys()
