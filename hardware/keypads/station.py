"""What the host keeps of one wired keypad, plugged in or not.

It makes an answer, sent as often as it takes, one signal; remembers what was
said to it; and knows what the keypad shows.
It knows no port and decides nothing about the game.
"""

from typing import TypeAlias

from hardware.inbox import Inbox
from hardware.panel import Panel, fitted
from hardware.protocol.lines import is_after
from hardware.protocol.protocol import Ack, Entry, Hello, Nak, Press, Show, Who, host_line
from hardware.signals import Doubled, Found, Lost, Pressed, Typed, Why

Verdict: TypeAlias = Ack | Nak


class AnswerBook:
    """The last answer of one keypad since its start: delivered or not, and what was said to it.

    A keypad sends its next answer only when the last one is settled, so one
    is enough to remember, and what comes before it can be nothing but a replay.
    """

    def __init__(self, boot: str) -> None:
        self.boot = boot
        self._seq = 0
        self._receipt = 0
        self._verdict: Verdict | None = None

    def is_new(self, seq: int) -> bool:
        """Whether the answer with this SEQ has not been delivered yet.

        Where nothing has been heard before, any is: this machine may have been restarted meanwhile.
        """
        return not self._seq or is_after(seq, self._seq)

    def enter(self, seq: int, receipt: int) -> None:
        """The answer is delivered under this receipt."""
        self._seq, self._receipt, self._verdict = seq, receipt, None

    def settle(self, receipt: int, verdict: Verdict) -> bytes:
        """The game has spoken: the line for the keypad, empty if it no longer waits for it."""
        if receipt != self._receipt:
            return b""
        self._verdict = verdict
        return self.reply(self._seq)

    def reply(self, seq: int) -> bytes:
        """What is said to an answer that was delivered before; empty while it isn't settled.

        Whoever sent the one after it had got its verdict: an ACK ends a replay.
        """
        verdict = self._verdict if seq == self._seq else Ack()
        return b"" if verdict is None else host_line(seq, verdict)


class Station:
    """One wired keypad; the bytes that its methods return are to be sent to it."""

    def __init__(self, device: str, inbox: Inbox) -> None:
        self.device = device
        self.panel = Panel()
        self._inbox = inbox
        self._hello: Hello | None = None
        self._book = AnswerBook("")
        self._state: Found | Lost | None = None

    @property
    def about(self) -> str:
        """Its id and its firmware; nothing before its first HELLO."""
        return "" if self._hello is None else f"{self._hello.id}, {self._hello.firmware}"

    def greet(self, hello: Hello) -> bytes:
        """The keypad said who it is; its program may have restarted."""
        self._hello = hello
        if hello.boot != self._book.boot:
            self._book = AnswerBook(hello.boot)
        self.found()
        return self.heartbeat()

    def found(self) -> None:
        """The keypad is heard."""
        self._say(Found(self.device))

    def lost(self, why: Why, what: str = "") -> None:
        """The keypad can't be used."""
        self._say(Lost(self.device, why, what))

    def unreachable(self, group: str) -> None:
        """Its port can't be opened: nothing is plugged in there, or only members of a group may."""
        if group:
            self.lost("denied", group)
        elif isinstance(self._state, Lost):
            self.lost("unplugged")

    def doubled(self, pad_id: str, port: str) -> None:
        """A second keypad, at this port, says the id of this one."""
        self._inbox.put(Doubled(self.device, pad_id, port))

    def answered(self, seq: int, answer: Entry | Press, at: float, receipt: int) -> bytes:
        """An answer arrived: a signal the first time, only what was said to it again later."""
        if not self._book.is_new(seq):
            return self._book.reply(seq)
        self._book.enter(seq, receipt)
        question = answer.question
        if isinstance(answer, Entry):
            self._inbox.put(Typed(self.device, question, answer.numbers, at, receipt))
        else:
            self._inbox.put(Pressed(self.device, question, answer.key, at, receipt))
        return b""

    def settle(self, receipt: int, refusal: str | None) -> bytes:
        """The game took the answer, or refused it with a sentence."""
        verdict = Ack() if refusal is None else Nak(self._fitted(refusal))
        return self._book.settle(receipt, verdict)

    def heartbeat(self) -> bytes:
        """All that the keypad shows; a question who it is while that isn't known."""
        if self._hello is None:
            return host_line(0, Who())
        panel = self.panel
        text = self._fitted(panel.line)
        return host_line(0, Show(self._hello.boot, panel.question, panel.light, text))

    def _fitted(self, text: str) -> str:
        can = self._hello.can if self._hello else ()
        widths = [int(word[4:]) for word in can if word.startswith("line") and word[4:].isdigit()]
        return fitted(text, width=min([*widths, MOST_CELLS]), kana="kana" in can)

    def _say(self, state: Found | Lost) -> None:
        if state != self._state:
            self._state = state
            self._inbox.put(state)


MOST_CELLS = 20
"""Characters in the longest line that is sent, so that it fits also when all are escaped."""
