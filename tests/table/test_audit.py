"""An audit finds what lies otherwise than in the ledger, and each of its fixes puts that right."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import msgspec
import pytest

from companion.cards import shipped_deck
from companion.errors import NoLegalContinuation
from companion.games.bidders import rulebook as bidders
from companion.games.egypt import rulebook as egypt
from companion.games.high_bid import rulebook as high_bid
from companion.games.mammon import rulebook as mammon
from companion.games.oyakata import rulebook as oyakata
from companion.log.log import MemoryLog
from companion.rules.game import Game
from companion.session.session import Session
from companion.table.audit import AuditDifference
from companion.testing.random_game import answer_randomly
from companion.texts import render
from tests.support.auditor import NAMES, Auditor
from tests.support.soak import SOAK

GAMES = [bidders.GAME, egypt.GAME, high_bid.GAME, mammon.GAME, oyakata.GAME]


def wheres(difference: AuditDifference) -> list[str]:
    """The places one may choose between."""
    return [fix.chosen_place.key_with_player_name for fix in difference.fixes]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_nobody_has_anything_before_the_game_begins(game: Game) -> None:
    """No cards before anybody: nothing to be found."""
    for who in range(3):
        assert Auditor(game).difference_texts(who=who) == []


# Hands that nobody has named


@pytest.fixture
def town() -> Auditor:
    """Egypt: Aki has three cards on the hand, Ben two; 13.1 and a 12 were paid."""
    town = Auditor(egypt.GAME)
    town.move_by_hand("card", "box", "Aki/hand", 3)
    town.move_by_hand("card", "box", "Ben/hand", 2)
    town.move_by_hand("card", "box", "bank", 2)
    town.move_by_hand("card 13.1", "unseen", "bank")
    town.move_by_hand("card any 12", "unseen", "bank")
    return town


def test_a_hand_as_the_ledger_has_it(town: Auditor) -> None:
    """Whichever cards they are: a hand is only a number, and its cards may be of any kind."""
    assert town.difference_texts("4.1", "12.3", "13.2") == []
    assert town.difference_texts("5.1", "5.2", who=1) == []


def test_a_hand_of_another_number(town: Auditor) -> None:
    """If a hand has more or fewer cards, people choose where they came from or went."""
    (missing,) = town.find_differences("4.1")
    assert (missing.kind, render(missing.text)) == ("missing", "2 cards are missing.")
    assert {"Ben/hand", "bank", "box"} <= set(wheres(missing))
    town.apply_fix(next(fix for fix in missing.fixes if fix.chosen_place.key_with_player_name == "Ben/hand"))
    assert (town.ledger_count("Aki/hand", "card"), town.ledger_count("Ben/hand", "card")) == (1, 4)
    assert town.difference_texts("4.1") == []
    (extra,) = town.find_differences("4.1", "4.2")
    assert (extra.kind, render(extra.text)) == ("extra", "There is 1 more card here than recorded.")
    assert "Chie/hand" not in wheres(extra)
    town.apply_fix(next(fix for fix in extra.fixes if fix.chosen_place.key_with_player_name == "Ben/hand"))
    assert town.difference_texts("4.1", "4.2") == []


def test_a_card_on_a_hand_that_should_be_empty() -> None:
    """Which card it is says nothing: one more is there, and comes from where it is said to come from."""
    town = Auditor(egypt.GAME)
    (extra,) = town.find_differences("4.1")
    assert render(extra.text) == "There is 1 more card here than recorded."
    town.apply_fix(next(fix for fix in extra.fixes if fix.chosen_place.key_with_player_name == "box"))
    assert (town.ledger_count("Aki/hand", "card"), town.difference_texts("4.1")) == (1, [])


def test_a_paid_card_on_the_hand(town: Auditor) -> None:
    """Its face goes back among the unseen, the card itself to the hand."""
    (found, less) = town.find_differences("4.1", "4.2", "13.1")
    assert render(found.text) == "card 13.1 is here, but it is recorded at bank."
    assert wheres(found) == ["Aki/hand"]
    assert less.kind == "missing"
    town.apply_fix(found.fixes[0])
    assert (town.ledger_count("bank", "card 13.1"), town.ledger_count("unseen", "card 13.1")) == (0, 1)
    assert (town.ledger_count("Aki/hand", "card"), town.ledger_count("bank", "card")) == (4, 1)
    assert town.difference_texts("4.1", "4.2", "4.3", "13.1") == []


def test_more_copies_than_can_be_left(town: Auditor) -> None:
    """Where one of twelve was paid by its number, twelve on the hand are one too many."""
    town.move_by_hand("card", "box", "Aki/hand", 9)
    twelve = [f"12.{copy}" for copy in range(1, 13)]
    assert town.difference_texts(*twelve[:11], "4.1") == []
    (found,) = town.find_differences(*twelve)
    assert (found.kind, wheres(found)) == ("elsewhere", ["Aki/hand"])
    town.apply_fix(found.fixes[0])
    assert (town.ledger_count("bank", "card any 12"), town.ledger_count("Aki/hand", "card")) == (0, 13)
    assert town.difference_texts(*twelve, "4.1") == []


def test_only_cards_that_were_read_are_here(town: Auditor) -> None:
    """Where a card was typed and all of its kind were read elsewhere, nothing follows for this hand."""
    for copy in range(1, 7):
        town.move_by_hand(f"card 6.{copy}", "unseen", "bank")
    town.move_by_hand("card any 6", "unseen", "bank")
    assert town.difference_texts("4.1", "4.2", "4.3") == []


# Cards that lie open


@pytest.fixture
def shop() -> Auditor:
    """High Bid: Aki has a set aside card and one on the hand, Ben one before him."""
    shop = Auditor(high_bid.GAME)
    names = list(shop.deck.cards)
    shop.move_by_hand("card", "auction pile", "Aki/set aside")
    shop.move_by_hand(f"card {names[0]}", "unseen", "Aki/set aside")
    shop.move_by_hand("card", "auction pile", "Aki/hand")
    shop.move_by_hand("card", "auction pile", "Ben/set aside")
    shop.move_by_hand(f"card {names[1]}", "unseen", "Ben/set aside")
    return shop


def test_open_cards_as_the_ledger_has_them(shop: Auditor) -> None:
    """Those that lie open by name, those on the hand by number."""
    names = list(shop.deck.cards)
    assert shop.difference_texts(names[0], names[5]) == []
    assert shop.difference_texts(names[1], who=1) == []


def test_cards_that_were_exchanged(shop: Auditor) -> None:
    """One is missing, one lies elsewhere; where more than one place may be meant, people choose."""
    names = list(shop.deck.cards)
    found, missing = shop.find_differences(names[1], names[5])
    assert (found.kind, wheres(found)) == ("elsewhere", ["Aki/hand", "Aki/set aside"])
    assert missing.kind == "missing"
    assert "Ben/set aside" in wheres(missing)
    shop.apply_fix(found.fixes[1])
    shop.apply_fix(
        next(fix for fix in missing.fixes if fix.chosen_place.key_with_player_name == "Ben/set aside")
    )
    assert shop.ledger_count("Ben/set aside", f"card {names[0]}") == 1
    assert (shop.difference_texts(names[1], names[5]), shop.difference_texts(names[0], who=1)) == ([], [])


def test_a_card_of_ones_own_that_was_only_described(shop: Auditor) -> None:
    """Any card of its kind is the one; without one it is missing."""
    names = list(shop.deck.cards)
    design = shop.deck.cards[names[9]].design
    shop.move_by_hand("card", "auction pile", "Aki/set aside")
    shop.move_by_hand(f"card any {design}", "unseen", "Aki/set aside")
    assert shop.difference_texts(names[0], names[5], names[9]) == []
    (missing,) = shop.find_differences(names[0], names[5])
    kind = shop.deck.cards[names[9]].values["name"]
    assert render(missing.text) == f"{kind} isn't here, but it is recorded at Aki's set aside."


def test_a_card_that_was_described_elsewhere() -> None:
    """Where no more copies of it can be left, one of those described was another card."""
    army = Auditor(mammon.GAME)
    army.move_by_hand("card", "market/1", "discard pile")
    army.move_by_hand("card", "market/2", "discard pile")
    army.move_by_hand("card any spy", "unseen", "discard pile", 2)
    army.move_by_hand("card", "market/3", "Aki/hand")
    (found, *_) = army.find_differences("spy.2")
    assert render(found.text) == "spy is here, but it is recorded at discard pile."
    army.apply_fix(found.fixes[0])
    assert (army.ledger_count("discard pile", "card any spy"), army.ledger_count("Aki/hand", "card")) == (
        1,
        2,
    )
    assert army.difference_texts("spy.2", "mansion.1") == []


def test_a_card_that_looks_like_others() -> None:
    """Described so that it may be either of two, either of them is the one; a third one is elsewhere."""
    deck = msgspec.structs.replace(shipped_deck("bidders"), provisional=False)
    alike = [
        design for design in deck.designs if design.has_printed_values({"colour": "white", "popularity": 4})
    ]
    one, other = (design.id for design in alike)
    palace = Auditor(bidders.GAME, {"bidders": deck})
    session = palace.session
    session.answer(session.question_number, "1")
    session.answer(session.question_number, True)
    session.answer(session.question_number, [{"values": {"popularity": 4}}])
    face = "card colour white, popularity 4"
    session.answer(session.question_number, [{"card": "B1"}])
    for _ in NAMES:
        session.answer(session.question_number, "pass")
    palace.move_by_hand("white card", "box", "Aki/front")
    palace.move_by_hand(face, "box", "face down in front/1")
    assert palace.difference_texts(one) == palace.difference_texts(other) == []
    (missing,) = palace.difference_texts()
    assert missing.startswith("a card with colour white, popularity 4 isn't here, but it is recorded at")
    (extra,) = palace.find_differences(one, other)
    assert extra.kind == "extra"
    found, *_ = palace.find_differences(one, other, who=1)
    assert (found.kind, wheres(found)) == (
        "elsewhere",
        ["face down in front/2", "face down on the left edge/2"],
    )
    palace.apply_fix(found.fixes[0])
    assert palace.ledger_count("face down in front/2", face) == 1


# Cards that lie covered from all


def test_won_cards_that_nobody_may_see() -> None:
    """The faces kept for a seat are its cards; a face is moved by itself, the cards are counted apart."""
    palace = Auditor(bidders.GAME)
    palace.move_by_hand("white card", "deck", "Aki/front")
    palace.move_by_hand("card W1", "unseen", "face down in front/1")
    palace.move_by_hand("white card", "deck", "Ben/front")
    palace.move_by_hand("card W2", "unseen", "face down in front/2")
    assert palace.difference_texts("W1") == []
    found, missing = palace.find_differences("W2")
    assert wheres(found) == ["face down in front/1", "face down on the left edge/1"]
    called = [render(fix.chosen_place) for fix in found.fixes]
    assert called == ["face down in front of Aki", "face down on Aki's left edge"]
    assert "face down in front/2" in wheres(missing)
    palace.apply_fix(found.fixes[0])
    palace.apply_fix(
        next(fix for fix in missing.fixes if fix.chosen_place.key_with_player_name == "face down in front/2")
    )
    assert (palace.difference_texts("W2"), palace.difference_texts("W1", who=1)) == ([], [])
    (extra,) = palace.find_differences("W2", "W3")
    assert (extra.kind, render(extra.text)) == ("extra", "card W3 is here, but it is not recorded here.")


def test_tiles_whose_faces_only_the_companion_keeps() -> None:
    """Oyakata's tunnels are counted; that a face was seen says nothing about whose it is."""
    mine = Auditor(oyakata.GAME)
    tiles = [name for name, design in mine.deck.cards.items() if design.values.get("letter") == "A"]
    mine.move_by_hand("tile A", "pile", "Aki/tunnel", 2)
    mine.move_by_hand(f"card {tiles[0]}", "unseen", "laid tiles")
    assert mine.difference_texts(tiles[0], tiles[1]) == []
    assert mine.difference_texts(tiles[0]) == ["1 card is missing."]


# All together


@pytest.mark.sweep(1)
@pytest.mark.without_coverage
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_fix_can_be_made(game: Game) -> None:
    """Whatever is found in a game under way, each way to put it right is a correction that may be made.

    Nothing is made or lost, and what lay elsewhere doesn't any more. Only a card that the game needs where it
    lies stays there until that is over.
    """
    auditor, rng, made = Auditor(game), Random(7), 0
    for _ in range(12 if SOAK else 6):
        for _ in range(4):
            if auditor.session.question is not None:
                answer_randomly(auditor.session, rng)
        if auditor.session.question is None:
            break
        read = rng.sample(list(auditor.deck.cards), rng.choice((1, 4)))
        who = rng.randrange(3)
        for difference in auditor.find_differences(*read, who=who):
            before = auditor.session.table.ledger.total_by_piece_key()
            text = render(difference.text)
            told = auditor.difference_texts(*read, who=who).count(text)
            for fix in difference.fixes:
                assert fix.moves
                there = auditor.session
                auditor.session = Session(game, list(auditor.log), MemoryLog(auditor.log))
                with suppress(NoLegalContinuation):
                    auditor.apply_fix(fix)
                    assert (
                        difference.kind != "elsewhere"
                        or auditor.difference_texts(*read, who=who).count(text) < told
                    )
                    made += 1
                assert auditor.session.table.ledger.total_by_piece_key() == before
                auditor.session = there
    assert made or game is oyakata.GAME  # whose two kinds of tiles only people can tell apart
