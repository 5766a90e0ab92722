"""A game, a tag on each of its cards, and hands that lay them on readers; no metal and no window."""

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
MARKET = Reader("market", "/dev/spidev0.0")


def tags_of(*decks: str) -> dict[str, tuple[str, str]]:
    """A tag for each card, called as the card: `egypt/4.1`; and a second one for `egypt/4.1`."""
    tags = {f"{deck}/{card}": (deck, card) for deck in decks for card in shipped_deck(deck).cards}
    return {**tags, "twice": ("egypt", "4.1")}


TAGS = tags_of("egypt", "high_bid", "mammon", "bidders", "oyakata")


def script_of(game: Game, players: int = 3, **options: str) -> Script:
    """A game at a table whose cards have all been taught."""
    return Script(game, *NAMES[:players], options=options, tags=TAGS)


class CardTable:
    """People who lay cards, one a second. `said` is what all may read, `whispered` what one may."""

    def __init__(self, script: Script, *readers: Reader) -> None:
        self.session: Session = script.session
        self.log = script.log
        self.now = 0.0
        self.laying = TagInput(readers or (MARKET,), lambda: self.now)
        self.laying.show_private_notice = lambda text, seat: self.whispered.append(
            f"{seat.name}: {render(text)}"
        )
        self.said: list[str] = []
        self.whispered: list[str] = []
        self.laying.update_open_question(self.session)

    def lays(self, *cards: str, zone: str = "market") -> CardTable:
        """Cards are laid one after the other."""
        for card in cards:
            self.together(card, zone=zone)
        return self

    def together(self, *cards: str, zone: str = "market") -> CardTable:
        """Cards arrive in one look."""
        self.now += 1
        for card in cards:
            self.laying.update_open_question(self.session)
            signal = TagArrived(f"reader {zone}", zone, card, self.now)
            self.said += map(render, self.laying.handle_tag_signal(self.session, signal))
        return self.plays()

    def lifts(self, *cards: str, zone: str = "market") -> CardTable:
        """Cards are taken away."""
        for card in cards:
            self.now += 1
            self.laying.handle_tag_signal(self.session, TagLeft(f"reader {zone}", zone, card, self.now))
        return self

    def plays(self) -> CardTable:
        """A moment later everybody sees the next question."""
        self.now += 1
        self.laying.update_open_question(self.session)
        return self

    def takes(self) -> CardTable:
        """Somebody touches what the screen offers."""
        self.said += map(render, self.laying.use_earlier_tags(self.session))
        return self.plays()

    @property
    def laid(self) -> list[str]:
        """What is laid for the open question."""
        return self.laying.tags_for_open_question(self.session)

    @property
    def offered(self) -> list[str]:
        """What lay there before, and may be taken."""
        return self.laying.fitting_tags_read_before_question(self.session)

    @property
    def last(self) -> tuple[object, str]:
        """The last answer in the log, and how it was given."""
        event = self.log[-1]
        assert isinstance(event, Answered)
        return event.answer, event.via
