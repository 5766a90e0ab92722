"""`companion cards learn GAME`: assigns tags to cards, which people lay on a reader one after the other.

People may type the lines `skip`, `back` and `finish`. With `--simulate`, a line may also be the id of a tag,
or several ids: the command puts these tags on a simulated chip under the real driver, and removes them once
they were read. Each tag is saved at once, so Ctrl-C loses nothing.
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
from companion.tag_enrolment import TagEnrolment, card_label, ids_of_cards_without_tag, taggable_decks_by_name
from companion.texts import Say, render, say, say_n
from hardware.desk.tags import describe_unreadable_tag
from hardware.devices import open_header_pins
from hardware.rfid.readers import ReaderChip, TagReaders, open_reader_at_spi
from hardware.signals import DeviceLost, Inbox, Signal, TagArrived, TagLeft, TagUnreadable
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.simulated.table import read_lines
from hardware.wiring import WIRING_FILE, read_machine_wiring
from hardware.wiring.sections import Reader

DEFAULT_SIMULATED_READER = Reader(zone="table", spi="/dev/spidev0.0")
"""The simulated reader if the wiring names none."""
UNKNOWN_LINE_TEXT = say('Unknown: {line}. Type "skip", "back" or "finish".')
UNKNOWN_SIMULATED_LINE_TEXT = say(
    'Unknown: {line}. Type "skip", "back", "finish", or the 8, 14 or 20 digits of a tag.'
)


class TagEnrolmentConsole:
    """Enrols tags in a terminal: handles the signals of readers and the typed lines.

    `chip` holds simulated tags; None for real readers. A typed line waits until the simulated tags are
    removed.
    """

    def __init__(
        self, enrolment: TagEnrolment, readers: Iterable[Reader], chip: SimulatedRc522 | None
    ) -> None:
        self.enrolment = enrolment
        self._readers = {reader.device_name: reader for reader in readers}
        self._chip = chip
        self._simulated_tags: set[str] = set()
        self._lines: deque[str | None] = deque()
        self._has_typed_finish = False

    @property
    def is_finished(self) -> bool:
        """Whether every card was asked for, or somebody typed `finish`."""
        return self._has_typed_finish or self.enrolment.next_card_id is None

    def print_next_card(self) -> None:
        """Prints which card to lay on the reader next."""
        card = self.enrolment.next_card_id
        if card is not None and not self._has_typed_finish:
            text = "Lay {card} ({id}) on the reader. Cards left: {left}."
            _print(
                say(
                    text,
                    card=card_label(self.enrolment.deck, card),
                    id=card,
                    left=self.enrolment.remaining_count,
                )
            )

    def handle_reader_signal(self, signal: Signal) -> None:
        """Handles a signal of a reader, such as a tag that arrived."""
        match signal:
            case TagArrived(tag=tag, at=at):
                self._enrol_tag(tag, at)
            case TagLeft(tag=tag):
                self.enrolment.note_tag_lifted(tag)
                self._simulated_tags.discard(tag)
            case TagUnreadable(claimed_tag=tag):
                self._print_result(describe_unreadable_tag(signal), tag)
                self._simulated_tags.discard(tag)  # it never arrived, so it never leaves
            case DeviceLost(device):
                _print(self._readers[device].describe_missing(signal, None))

    def queue_typed_line(self, line: str | None) -> None:
        """Queues a typed line; None means that no more lines follow."""
        self._lines.append(line)

    def process_typed_lines(self) -> None:
        """Handles the queued lines. Lines wait while a simulated tag is on the reader."""
        while self._lines and not self._simulated_tags and not self.is_finished:
            line = self._lines.popleft()
            before = self.enrolment.next_card_id
            self._run_line("finish" if line is None else line.strip())
            if self.enrolment.next_card_id != before:
                self.print_next_card()

    def _enrol_tag(self, tag: str, at: float) -> None:
        try:
            message = self.enrolment.enrol_tag(tag, at)
        except UserError as error:
            message = error.text
        self._print_result(message, tag)

    def _print_result(self, message: Say, tag: str) -> None:
        """Prints the message about a tag, and the next card; removes the tag if it is simulated."""
        _print(message)
        self.print_next_card()
        if self._chip is not None and tag in self._chip.tag_uids:
            self._chip.remove_tag(tag)

    def _run_line(self, line: str) -> None:
        match line:
            case "skip":
                self.enrolment.skip_card()
            case "back":
                self.enrolment.undo_previous_card()
            case "finish":
                self._has_typed_finish = True
            case _ if line:
                self._add_simulated_tags(line)

    def _add_simulated_tags(self, line: str) -> None:
        if self._chip is None:
            _print(say(UNKNOWN_LINE_TEXT.template, line=line))
            return
        tags = line.upper().split()
        try:
            for tag in tags:
                self._chip.add_tag(tag)
        except ValueError:
            _print(say(UNKNOWN_SIMULATED_LINE_TEXT.template, line=line))
        self._simulated_tags = set(self._chip.tag_uids)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--from", dest="first", metavar="CARD", help="start with this card")
    parser.add_argument(
        "--anew", action="store_true", help="also learn a second tag for cards that already have a tag"
    )
    parser.add_argument("--zone", help="use only the reader of this zone")
    parser.add_argument(
        "--simulate", action="store_true", help="work without a reader: type the ids of the tags"
    )


def _learn_tags(owner_deck: OwnerDeck, args: Namespace) -> int:
    deck = load_taggable_deck(owner_deck)
    readers = _choose_readers(args)
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        cards = ids_of_cards_without_tag(
            store, deck, args.first, include_tagged=args.anew, game_title=owner_deck.game.title
        )
        if not cards:
            _print(say("All these cards have a tag now."))
            return 0
        enrolment = TagEnrolment(store, deck, cards, taggable_decks_by_name(store.directory))
        started_at = time.monotonic()
        chip = SimulatedRc522(clock=lambda: time.monotonic() - started_at) if args.simulate else None
        _run_console(TagEnrolmentConsole(enrolment, readers, chip), readers, chip)
        _print(say_n("{n} tag learned.", "{n} tags learned.", n=enrolment.newly_enrolled_count))
    return 0


def _run_console(console: TagEnrolmentConsole, readers: list[Reader], chip: SimulatedRc522 | None) -> None:
    """Runs the enrolment until the last card, or the end of the typed lines."""
    tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
    inbox = Inbox(wake=lambda: tasks.put(drain))

    def drain() -> None:
        for signal in inbox.drain():
            console.handle_reader_signal(signal)

    Thread(target=_queue_typed_lines, args=(tasks, console), name="lines", daemon=True).start()
    open_reader: Callable[..., ReaderChip] = (
        open_reader_at_spi if chip is None else lambda _path, **_: open_simulated_reader(chip)
    )
    tag_readers = TagReaders(readers, inbox, pins=open_header_pins, spi=open_reader)
    tag_readers.start()
    try:
        console.print_next_card()
        while not console.is_finished:
            tasks.get()()
            console.process_typed_lines()
    finally:
        tag_readers.close()


def _queue_typed_lines(tasks: SimpleQueue[Callable[[], None]], console: TagEnrolmentConsole) -> None:
    """Sends every typed line, and the end of input, to the main thread."""
    for line in read_lines(sys.stdin.fileno()):
        tasks.put(partial(console.queue_typed_line, line))
    tasks.put(partial(console.queue_typed_line, None))


def _choose_readers(args: Namespace) -> list[Reader]:
    """Returns the readers for the enrolment; raises `UnknownName` for an unknown zone."""
    wiring = read_machine_wiring()
    for fault in wiring.faults:
        _print(fault)
    readers = list(wiring.reader)
    if not readers and args.simulate:
        readers = [DEFAULT_SIMULATED_READER]
    if not readers:
        text = (
            "There is no reader in {file}. Add a [[reader]] section, or use --simulate to try "
            "without a reader."
        )
        raise UserError(say(text, file=WIRING_FILE))
    chosen_readers = [reader for reader in readers if args.zone in (None, reader.zone)]
    if not chosen_readers:
        zones = ", ".join(reader.zone for reader in readers)
        text = "{file} has no reader {zone}. Choose from: {names}."
        raise UnknownName(say(text, zone=args.zone, file=WIRING_FILE, names=zones))
    # A simulated chip uses no pin of this machine.
    return [replace(chosen_readers[0], reset=None)] if args.simulate else chosen_readers


def _print(text: Say) -> None:
    sys.stdout.write(f"{render(text)}\n")
    sys.stdout.flush()


LEARN = CardsSubcommand(
    "Learn tags: lay the cards of a game on a reader, one after another.",
    _learn_tags,
    _add_arguments,
    "companion cards learn mammon --from spy.1",
)
