"""`companion cards learn GAME`: people lay cards on a reader one after the other, and teach their tags.

Typed lines help: `skip`, `back`, `finish`. With `--simulate`, a line may also be the id of a tag, or several
ids: the tags are laid on a simulated chip under the real driver, and lifted when they were read. What was
learnt is saved at once; Ctrl-C keeps it.
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
from hardware.desk.tags import describe_unreadable_tag
from hardware.devices import open_header_pins
from hardware.rfid.readers import ReaderChip, TagReaders, open_reader_at_spi
from hardware.signals import DeviceLost, Inbox, Signal, TagArrived, TagLeft, TagUnreadable
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.simulated.table import read_lines
from hardware.wiring import WIRING_FILE, read_wiring
from hardware.wiring.sections import Reader

SIMULATED_READER = Reader(zone="table", spi="/dev/spidev0.0")
"""The reader of a table without readers, if it is only simulated."""
LINE_HELP = say('Unknown: {line}. Type "skip", "back" or "finish".')
SIMULATED_LINE_HELP = say(
    'Unknown: {line}. Type "skip", "back", "finish", or the 8, 14 or 20 digits of a tag.'
)


class TagLearner:
    """A lesson at a terminal: handles what readers and people say, one thing after the other.

    `chip` is where simulated tags are laid; a line waits until they are lifted again.
    """

    def __init__(self, lesson: TagEnrolment, readers: Iterable[Reader], chip: SimulatedRc522 | None) -> None:
        self.lesson = lesson
        self._readers = {reader.device_name: reader for reader in readers}
        self._chip = chip
        self._laid: set[str] = set()
        self._lines: deque[str | None] = deque()
        self._is_over = False

    @property
    def is_over(self) -> bool:
        """Whether every card was asked for, or somebody typed `finish`."""
        return self._is_over or self.lesson.next_card is None

    def print_next_card(self) -> None:
        """Prints which card comes next."""
        card = self.lesson.next_card
        if card is not None and not self._is_over:
            text = "Lay {card} ({id}) on the reader. Cards left: {left}."
            _print(
                say(text, card=card_label(self.lesson.deck, card), id=card, left=self.lesson.remaining_count)
            )

    def handle_signal(self, signal: Signal) -> None:
        """Handles a signal of a reader."""
        match signal:
            case TagArrived(tag=tag, at=at):
                self._arrived(tag, at)
            case TagLeft(tag=tag):
                self.lesson.remove_from_reader(tag)
                self._laid.discard(tag)
            case TagUnreadable(claimed_tag=tag):
                self._print_result(describe_unreadable_tag(signal), tag)
                self._laid.discard(tag)  # as it never arrived, it never leaves
            case DeviceLost(device):
                _print(self._readers[device].describe_missing(signal, None))

    def add_line(self, line: str | None) -> None:
        """Adds a typed line; None: no more lines follow."""
        self._lines.append(line)

    def process_lines(self) -> None:
        """Does what was typed, as far as no simulated tag lies on the reader."""
        while self._lines and not self._laid and not self.is_over:
            line = self._lines.popleft()
            before = self.lesson.next_card
            self._do("finish" if line is None else line.strip())
            if self.lesson.next_card != before:
                self.print_next_card()

    def _arrived(self, tag: str, at: float) -> None:
        try:
            said = self.lesson.enrol_tag(tag, at)
        except UserError as error:
            said = error.text
        self._print_result(said, tag)

    def _print_result(self, said: Say, tag: str) -> None:
        """Prints what a tag led to, and the next card."""
        _print(said)
        self.print_next_card()
        if self._chip is not None and tag in self._chip.tags:
            self._chip.remove_tag(tag)

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
            _print(say(LINE_HELP.template, line=line))
            return
        tags = line.upper().split()
        try:
            for tag in tags:
                self._chip.add_tag(tag)
        except ValueError:
            _print(say(SIMULATED_LINE_HELP.template, line=line))
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
        chip = SimulatedRc522(clock=lambda: time.monotonic() - began) if args.simulate else None
        _teach(TagLearner(lesson, readers, chip), readers, chip)
        _print(say_n("{n} tag learned.", "{n} tags learned.", n=lesson.enrolled_count))
    return 0


def _teach(learner: TagLearner, readers: list[Reader], chip: SimulatedRc522 | None) -> None:
    """Runs until the last card, or the end of the typed lines."""
    news: SimpleQueue[Callable[[], None]] = SimpleQueue()
    inbox = Inbox(wake=lambda: news.put(drain))

    def drain() -> None:
        for signal in inbox.drain():
            learner.handle_signal(signal)

    Thread(target=_listen, args=(news, learner), name="lines", daemon=True).start()
    wired = TagReaders(readers, inbox, pins=open_header_pins, spi=_spi(chip))
    wired.start()
    try:
        learner.print_next_card()
        while not learner.is_over:
            news.get()()
            learner.process_lines()
    finally:
        wired.close()


def _spi(chip: SimulatedRc522 | None) -> Callable[..., ReaderChip]:
    return open_reader_at_spi if chip is None else lambda _path, **_: open_simulated_reader(chip)


def _listen(news: SimpleQueue[Callable[[], None]], learner: TagLearner) -> None:
    """Sends everything that is typed, and its end, to the thread of the lesson."""
    for line in read_lines(sys.stdin.fileno()):
        news.put(partial(learner.add_line, line))
    news.put(partial(learner.add_line, None))


def _readers(args: Namespace) -> list[Reader]:
    """Returns the readers to learn with; raises `UnknownName`, which names the zones there are."""
    wiring = read_wiring()
    for fault in wiring.faults:
        _print(fault)
    wired = list(wiring.reader)
    if not wired and args.simulate:
        wired = [SIMULATED_READER]
    if not wired:
        text = (
            "There is no reader in {file}. Add a [[reader]] section, or use --simulate to try "
            "without a reader."
        )
        raise UserError(say(text, file=WIRING_FILE))
    chosen = [reader for reader in wired if args.zone in (None, reader.zone)]
    if not chosen:
        zones = ", ".join(reader.zone for reader in wired)
        text = "{file} has no reader {zone}. Choose from: {names}."
        raise UnknownName(say(text, zone=args.zone, file=WIRING_FILE, names=zones))
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
