"""Nothing is made or lost in Mammon: after every event the coins and the cards are where they may be."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from companion.games.mammon.rulebook import GAME
from companion.requests import Choose, Together
from companion.session.session import Session
from companion.testing.random_game import RandomGame, sample_answer
from tests.support.games.mammon_helpers import COLOURS
from tests.support.soak import SOAK

GAMES = 100 if SOAK else 8
COIN_PLACES = {"treasury", "bet", "strength", "front line", "market", "bank"}
CARD_PLACES = {"hand", "market", "turned up", "discard pile", "box"}


def found(session: Session) -> tuple[Counter[str], Counter[str]]:
    """How many of each piece there are, and at which kinds of places coins and cards lie."""
    pieces, places = Counter[str](), Counter[str]()
    for account in session.table.ledger:
        if account.count and (account.piece.look == "coin" or account.piece.key == "card"):
            assert account.count > 0
            pieces[account.piece.key] += account.count
            places[f"{account.piece.look} {account.place.name.template}"] += account.count
    return pieces, places


def only_own_colours_fight(session: Session) -> None:
    """Strength, at hand or put forward, is of the own colour."""
    for account in session.table.ledger:
        if account.count and account.place.name.template in {"strength", "front line"}:
            assert account.place.seat is not None
            assert account.piece.colour == account.place.seat.colour


def play(trial: RandomGame, watch: Callable[[], None]) -> None:
    """A random game of people who buy the head and arm, so that they have something left to fight with."""
    session, rng = trial.session, trial.rng
    while (question := session.question) is not None:
        watch()
        if isinstance(question, Together):
            arms = question.question.template == "Arming"
            for seat, part in question.parts_by_seat.items():
                session.put_answer_in_envelope(
                    session.question_number,
                    seat,
                    part.limits_json["most"] // 2 if arms else sample_answer(part, rng),
                )
        elif isinstance(question, Choose) and question.question.template == "Which card do you buy?":
            session.answer(session.question_number, next(iter(question.offered_options)))
        else:
            session.answer(session.question_number, sample_answer(question, rng))
    watch()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_20_coins_of_each_colour_at_every_event(players: int) -> None:
    """20 coins of each colour and 18 cards at every event, all where the rules know of them."""
    wanted = dict.fromkeys((f"{colour} coin" for colour in COLOURS[:players]), 20) | {"card": 18}
    seen = Counter[str]()
    for number in range(GAMES):
        trial = RandomGame.begin(GAME, players - 2, Random(f"mammon {players} {number}"))

        def watch(session: Session = trial.session) -> None:
            pieces, places = found(session)
            assert pieces == wanted
            only_own_colours_fight(session)
            seen.update(places)

        play(trial, watch)
    assert set(seen) <= {f"coin {name}" for name in COIN_PLACES} | {f"card {name}" for name in CARD_PLACES}
    assert {f"coin {name}" for name in COIN_PLACES} <= set(seen), "every place was used"
