"""Whole games with metal alone: buttons for what is counted, a reader for what is a card; no touch."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import partial

import pytest

from companion.cards import shipped_deck
from companion.errors import IllegalAnswer
from companion.games.bidders import rulebook as bidders
from companion.games.mammon import rulebook as mammon
from companion.requests import Choose, Read
from companion.rules.game import Game
from companion.testing.random_game import sample_answer
from hardware.wiring import Buttons, Reader, Wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.button_table import ButtonTable

WIRING = Wiring(
    buttons=(
        Buttons(1, tap=Pin(4)),
        Buttons(2, plus=Pin(5), ok=Pin(6)),
        Buttons(3, minus=Pin(22), plus=Pin(23), ok=Pin(24)),
    ),
    reader=(Reader("market", "/dev/spidev0.0", reset=Pin(25)),),
)


class Hands:
    """People at a table with buttons and one reader; each card has a tag of its own."""

    def __init__(self, game: Game, seed: int) -> None:
        names = [(deck, card) for deck in game.decks for card in shipped_deck(deck).cards]
        self.tag = {card: f"04{number:06X}" for number, (_, card) in enumerate(names)}
        known = {self.tag[card]: (deck, card) for deck, card in names}
        self.rng = random.Random(seed)
        self.table = ButtonTable(WIRING)
        self.session = self.table.begin_game(game, seed, tags=known.get)
        self.laid: list[str] = []

    def play(self) -> None:
        """Until the score."""
        while (question := self.session.question) is not None:
            card = self._card()
            if card is None:
                self.table.answer_randomly(self.rng)
                continue
            n = self.session.question_number
            self.table.clock.wait(1.0)
            reader = self.table.simulated.readers["market"]
            reader.add_tag(self.tag[card])
            self.table.play_until(partial(self._is_past, n))
            assert self.session.rulebook_run.answered_questions[-1].question is question
            reader.remove_tag(self.tag[card])
            self.laid.append(card)

    def _is_past(self, n: int) -> bool:
        return self.session.question_number != n

    def _card(self) -> str | None:
        """A card to lay for the open question; None where it is answered otherwise."""
        question = self.session.question
        if isinstance(question, Read):
            for name in self.rng.sample(unseen := question.tracker.possibly_unseen_card_ids(), len(unseen)):
                with suppress(IllegalAnswer):
                    question.check_answer(question.parse_answer([{"card": name}]))
                    return name
        if isinstance(question, Choose) and question.deck is not None:
            key = sample_answer(question, self.rng)
            copies = next((design.copy_ids for design in question.deck.designs if design.id == key), ())
            return next((name for name in copies if name not in self.laid), None)
        return None


@pytest.mark.parametrize(("game", "seed", "least"), [(bidders.GAME, 3, 20), (mammon.GAME, 8, 5)])
def test_a_whole_game_is_played_with_metal_alone(game: Game, seed: int, least: int) -> None:
    """Each card turned up or played is read by the simulated chip, each number comes from a button."""
    hands = Hands(game, seed)
    try:
        hands.play()
    finally:
        hands.table.close()
    assert hands.session.result is not None
    assert hands.table.announcements == []
    assert len(hands.laid) >= least
