"""A game whose cards all have tags, which tests lay on readers; without hardware and without a window."""

from __future__ import annotations

from companion.cards import shipped_deck
from companion.log.events import Answered
from companion.rules.game import Game
from companion.session.session import Session
from companion.testing import Script
from companion.texts import render
from hardware.desk.tags import TagInput
from hardware.signals import TagArrived, TagLeft
from hardware.wiring import Reader

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi")
MARKET_READER = Reader("market", "/dev/spidev0.0")


def tags_of(*decks: str) -> dict[str, tuple[str, str]]:
    """Returns a tag for each card, named after the card (`egypt/4.1`), and a second tag for `egypt/4.1`."""
    tags = {f"{deck}/{card}": (deck, card) for deck in decks for card in shipped_deck(deck).cards}
    return {**tags, "twice": ("egypt", "4.1")}


TAGS = tags_of("egypt", "high_bid", "mammon", "bidders", "oyakata")


def begin_script(game: Game, players: int = 3, **options: str) -> Script:
    """Begins a game whose cards all have known tags."""
    return Script(game, *NAMES[:players], options=options, tags=TAGS)


class CardTable:
    """Players who lay cards, one a second. `announcements` are for all, `private_notices` for one player."""

    def __init__(self, script: Script, *readers: Reader) -> None:
        self.session: Session = script.session
        self.log = script.log
        self.now = 0.0
        self.tag_input = TagInput(readers or (MARKET_READER,), lambda: self.now)
        self.tag_input.show_private_notice = lambda text, seat: self.private_notices.append(
            f"{seat.name}: {render(text)}"
        )
        self.announcements: list[str] = []
        self.private_notices: list[str] = []
        self.tag_input.update_open_question(self.session)

    def lay(self, *cards: str, zone: str = "market") -> CardTable:
        """Lays cards one after the other."""
        for card in cards:
            self.lay_at_once(card, zone=zone)
        return self

    def lay_at_once(self, *cards: str, zone: str = "market") -> CardTable:
        """Lays cards that the reader finds at the same time."""
        self.now += 1
        for card in cards:
            self.tag_input.update_open_question(self.session)
            signal = TagArrived(f"reader {zone}", zone, card, self.now)
            self.announcements += map(render, self.tag_input.handle_tag_signal(self.session, signal))
        return self.show_next_question()

    def lift(self, *cards: str, zone: str = "market") -> CardTable:
        """Takes cards away, one after the other."""
        for card in cards:
            self.now += 1
            self.tag_input.handle_tag_signal(self.session, TagLeft(f"reader {zone}", zone, card, self.now))
        return self

    def show_next_question(self) -> CardTable:
        """Shows the next question a second later."""
        self.now += 1
        self.tag_input.update_open_question(self.session)
        return self

    def use_earlier_cards(self) -> CardTable:
        """Uses the cards that the screen offers because they were laid earlier."""
        self.announcements += map(render, self.tag_input.use_earlier_tags(self.session))
        return self.show_next_question()

    @property
    def tags_for_question(self) -> list[str]:
        """The tags that were laid for the open question."""
        return self.tag_input.tags_for_open_question(self.session)

    @property
    def usable_earlier_tags(self) -> list[str]:
        """The tags that were laid earlier and may be used."""
        return self.tag_input.fitting_tags_read_before_question(self.session)

    @property
    def last_answer(self) -> tuple[object, str]:
        """The last answer in the log, and how it was given."""
        event = self.log[-1]
        assert isinstance(event, Answered)
        return event.answer, event.via
