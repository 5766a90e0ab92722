"""`companion cards learn GAME`: cards are laid on a reader one after the other and get their tags.

Lines that are typed help: `skip`, `back`, `finish`. With `--simulate` a line may also be the id of a tag,
or several: they are laid on a simulated chip under the real driver, and lifted when they were heard.
What was learnt is kept at once; Ctrl-C leaves it so.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from queue import SimpleQueue
from threading import Thread

from msgspec.structs import replace

from companion.commands.cards import CardsSubcommand, load_taggable_deck
from companion.errors import UnknownName, UserError
from companion.files.state_directory import state_directory
from companion.owner_decks import OwnerDeck
from companion.store import Store
from companion.tag_enrolment import TagEnrolment, card_label, cards_without_tag, decks_with_tags
from companion.texts import Say, render, say, say_n
from hardware.desk.missing import READERS, unread
from hardware.gpio.taking import header_pins
from hardware.inbox import Inbox
from hardware.rfid.rfid import ReaderChip, at_spi
from hardware.rfid.wired_readers import WiredReaders
from hardware.signals import Lost, Signal, TagArrived, TagLeft, TagUnread
from hardware.simulated.chip import SimulatedChip, open_simulated
from hardware.simulated.console import lines_of
from hardware.wiring import FILE, read_wiring
from hardware.wiring.sections import Reader

SIMULATED = Reader(zone="table", spi="/dev/spidev0.0")
"""The reader of a table that has none, where it is only simulated."""
HELP = say('Unknown: {line}. Type "skip", "back" or "finish".')
HELP_SIMULATED = say('Unknown: {line}. Type "skip", "back", "finish", or the 8, 14 or 20 digits of a tag.')


class Learner:
    """One lesson at a terminal: what readers and people say, one thing after the other.

    `chip` is where simulated tags are laid; a line waits until they are lifted again.
    """

    def __init__(self, lesson: TagEnrolment, readers: Iterable[Reader], chip: SimulatedChip | None) -> None:
        self.lesson = lesson
        self._zones = {reader.device: reader.zone for reader in readers}
        self._chip = chip
        self._laid: set[str] = set()
        self._lines: deque[str | None] = deque()
        self._is_over = False

    @property
    def is_over(self) -> bool:
        """Whether every card was asked for, or somebody has had enough."""
        return self._is_over or self.lesson.next_card is None

    def ask(self) -> None:
        """Says which card comes next."""
        card = self.lesson.next_card
        if card is not None and not self._is_over:
            text = "Lay {card} ({id}) on the reader. Cards left: {left}."
            _print(
                say(text, card=card_label(self.lesson.deck, card), id=card, left=self.lesson.remaining_count)
            )

    def hears(self, signal: Signal) -> None:
        """A reader said something."""
        match signal:
            case TagArrived(tag=tag, at=at):
                self._arrived(tag, at)
            case TagLeft(tag=tag):
                self.lesson.remove_from_reader(tag)
                self._laid.discard(tag)
            case TagUnread(tag=tag):
                self._heard(unread(signal), tag)
                self._laid.discard(tag)  # as it never arrived, it never leaves
            case Lost(device, why, what):
                _print(say(READERS[why].template, zone=self._zones[device], what=what))

    def types(self, line: str | None) -> None:
        """Somebody typed a line; None: they will type no more."""
        self._lines.append(line)

    def go_on(self) -> None:
        """Does what was typed, as far as no simulated tag lies on the reader."""
        while self._lines and not self._laid and not self.is_over:
            line = self._lines.popleft()
            before = self.lesson.next_card
            self._do("finish" if line is None else line.strip())
            if self.lesson.next_card != before:
                self.ask()

    def _arrived(self, tag: str, at: float) -> None:
        try:
            said = self.lesson.enrol_tag(tag, at)
        except UserError as error:
            said = error.text
        self._heard(said, tag)

    def _heard(self, said: Say, tag: str) -> None:
        """What to say of a tag, and the next card."""
        _print(said)
        self.ask()
        if self._chip is not None and tag in self._chip.tags:
            self._chip.lift(tag)

    def _do(self, line: str) -> None:
        match line:
            case "skip":
                self.lesson.skip_card()
            case "back":
                self.lesson.go_back()
            case "finish":
                self._is_over = True
            case _ if line:
                self._lay(line)

    def _lay(self, line: str) -> None:
        if self._chip is None:
            _print(say(HELP.template, line=line))
            return
        tags = line.upper().split()
        try:
            for tag in tags:
                self._chip.lay(tag)
        except ValueError:
            _print(say(HELP_SIMULATED.template, line=line))
        self._laid = set(self._chip.tags)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--from", dest="first", metavar="CARD", help="start with this card")
    parser.add_argument(
        "--anew", action="store_true", help="also learn a second tag for cards that already have a tag"
    )
    parser.add_argument("--zone", help="use only the reader of this zone")
    parser.add_argument(
        "--simulate", action="store_true", help="work without a reader: type the ids of the tags"
    )


def _learn(copy: OwnerDeck, args: Namespace) -> int:
    deck = load_taggable_deck(copy)
    readers = _readers(args)
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        cards = cards_without_tag(store, deck, args.first, include_tagged=args.anew, title=copy.game.title)
        if not cards:
            _print(say("All these cards have a tag now."))
            return 0
        lesson = TagEnrolment(store, deck, cards, decks_with_tags(store.directory))
        began = time.monotonic()
        chip = SimulatedChip(clock=lambda: time.monotonic() - began) if args.simulate else None
        _teach(Learner(lesson, readers, chip), readers, chip)
        _print(say_n("{n} tag learned.", "{n} tags learned.", n=lesson.enrolled_count))
    return 0


def _teach(learner: Learner, readers: list[Reader], chip: SimulatedChip | None) -> None:
    """Until the last card, or the end of what is typed."""
    news: SimpleQueue[Callable[[], None]] = SimpleQueue()
    inbox = Inbox(wake=lambda: news.put(drain))

    def drain() -> None:
        for signal in inbox.drain():
            learner.hears(signal)

    Thread(target=_listen, args=(news, learner), name="lines", daemon=True).start()
    wired = WiredReaders(readers, inbox, pins=header_pins, spi=_spi(chip))
    wired.start()
    try:
        learner.ask()
        while not learner.is_over:
            news.get()()
            learner.go_on()
    finally:
        wired.close()


def _spi(chip: SimulatedChip | None) -> Callable[..., ReaderChip]:
    return at_spi if chip is None else lambda _path, **_: open_simulated(chip)


def _listen(news: SimpleQueue[Callable[[], None]], learner: Learner) -> None:
    """Everything that is typed, and its end, goes to the thread of the lesson."""
    for line in lines_of(sys.stdin.fileno()):
        news.put(partial(learner.types, line))
    news.put(partial(learner.types, None))


def _readers(args: Namespace) -> list[Reader]:
    """The readers to learn with; raises `UnknownName`, which names the zones there are."""
    wiring = read_wiring()
    for fault in wiring.faults:
        _print(fault)
    wired = list(wiring.reader)
    if not wired and args.simulate:
        wired = [SIMULATED]
    if not wired:
        text = (
            "There is no reader in {file}. Add a [[reader]] section, or use --simulate to try "
            "without a reader."
        )
        raise UserError(say(text, file=FILE))
    chosen = [reader for reader in wired if args.zone in (None, reader.zone)]
    if not chosen:
        zones = ", ".join(reader.zone for reader in wired)
        text = "{file} has no reader {zone}. Choose from: {names}."
        raise UnknownName(say(text, zone=args.zone, file=FILE, names=zones))
    # A simulated chip hangs on no pin of this machine.
    return [replace(chosen[0], reset=None)] if args.simulate else chosen


def _print(text: Say) -> None:
    sys.stdout.write(f"{render(text)}\n")
    sys.stdout.flush()


LEARN = CardsSubcommand(
    "Learn tags: lay the cards of a game on a reader, one after another.",
    _learn,
    _arguments,
    "companion cards learn mammon --from spy.1",
)
