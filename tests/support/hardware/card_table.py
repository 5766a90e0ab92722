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
MARKET_READER = Reader("market", "/dev/spidev0.0")


def tags_of(*decks: str) -> dict[str, tuple[str, str]]:
    """A tag for each card, called as the card: `egypt/4.1`; and a second one for `egypt/4.1`."""
    tags = {f"{deck}/{card}": (deck, card) for deck in decks for card in shipped_deck(deck).cards}
    return {**tags, "twice": ("egypt", "4.1")}


TAGS = tags_of("egypt", "high_bid", "mammon", "bidders", "oyakata")


def begin_script(game: Game, players: int = 3, **options: str) -> Script:
    """A game at a table whose cards have all been taught."""
    return Script(game, *NAMES[:players], options=options, tags=TAGS)


class CardTable:
    """People who lay cards, one a second. `said` is what all may read, `whispered` what one may."""

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
        """Cards are laid one after the other."""
        for card in cards:
            self.lay_at_once(card, zone=zone)
        return self

    def lay_at_once(self, *cards: str, zone: str = "market") -> CardTable:
        """Cards arrive in one look."""
        self.now += 1
        for card in cards:
            self.tag_input.update_open_question(self.session)
            signal = TagArrived(f"reader {zone}", zone, card, self.now)
            self.announcements += map(render, self.tag_input.handle_tag_signal(self.session, signal))
        return self.show_next_question()

    def lift(self, *cards: str, zone: str = "market") -> CardTable:
        """Cards are taken away."""
        for card in cards:
            self.now += 1
            self.tag_input.handle_tag_signal(self.session, TagLeft(f"reader {zone}", zone, card, self.now))
        return self

    def show_next_question(self) -> CardTable:
        """A moment later everybody sees the next question."""
        self.now += 1
        self.tag_input.update_open_question(self.session)
        return self

    def use_earlier_cards(self) -> CardTable:
        """Somebody touches what the screen offers."""
        self.announcements += map(render, self.tag_input.use_earlier_tags(self.session))
        return self.show_next_question()

    @property
    def tags_for_question(self) -> list[str]:
        """What is laid for the open question."""
        return self.tag_input.tags_for_open_question(self.session)

    @property
    def usable_earlier_tags(self) -> list[str]:
        """What lay there before, and may be taken."""
        return self.tag_input.usable_earlier_tags(self.session)

    @property
    def last_answer(self) -> tuple[object, str]:
        """The last answer in the log, and how it was given."""
        event = self.log[-1]
        assert isinstance(event, Answered)
        return event.answer, event.via
