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
        assert Auditor(game).says(who=who) == []


# Hands that nobody has named


@pytest.fixture
def town() -> Auditor:
    """Egypt: Aki has three cards on the hand, Ben two; 13.1 and a 12 were paid."""
    town = Auditor(egypt.GAME)
    town.lies("card", "box", "Aki/hand", 3)
    town.lies("card", "box", "Ben/hand", 2)
    town.lies("card", "box", "bank", 2)
    town.lies("card 13.1", "unseen", "bank")
    town.lies("card any 12", "unseen", "bank")
    return town


def test_a_hand_as_the_ledger_has_it(town: Auditor) -> None:
    """Whichever cards they are: a hand is only a number, and its cards may be of any kind."""
    assert town.says("4.1", "12.3", "13.2") == []
    assert town.says("5.1", "5.2", who=1) == []


def test_a_hand_of_another_number(town: Auditor) -> None:
    """If a hand has more or fewer cards, people choose where they came from or went."""
    (missing,) = town.reads("4.1")
    assert (missing.kind, render(missing.text)) == ("missing", "2 cards are missing.")
    assert {"Ben/hand", "bank", "box"} <= set(wheres(missing))
    town.mends(next(fix for fix in missing.fixes if fix.chosen_place.key_with_player_name == "Ben/hand"))
    assert (town.count("Aki/hand", "card"), town.count("Ben/hand", "card")) == (1, 4)
    assert town.says("4.1") == []
    (extra,) = town.reads("4.1", "4.2")
    assert (extra.kind, render(extra.text)) == ("extra", "There is 1 more card here than recorded.")
    assert "Chie/hand" not in wheres(extra)
    town.mends(next(fix for fix in extra.fixes if fix.chosen_place.key_with_player_name == "Ben/hand"))
    assert town.says("4.1", "4.2") == []


def test_a_card_on_a_hand_that_should_be_empty() -> None:
    """Which card it is says nothing: one more is there, and comes from where it is said to come from."""
    town = Auditor(egypt.GAME)
    (extra,) = town.reads("4.1")
    assert render(extra.text) == "There is 1 more card here than recorded."
    town.mends(next(fix for fix in extra.fixes if fix.chosen_place.key_with_player_name == "box"))
    assert (town.count("Aki/hand", "card"), town.says("4.1")) == (1, [])


def test_a_paid_card_on_the_hand(town: Auditor) -> None:
    """Its face goes back among the unseen, the card itself to the hand."""
    (found, less) = town.reads("4.1", "4.2", "13.1")
    assert render(found.text) == "card 13.1 is here, but it is recorded at bank."
    assert wheres(found) == ["Aki/hand"]
    assert less.kind == "missing"
    town.mends(found.fixes[0])
    assert (town.count("bank", "card 13.1"), town.count("unseen", "card 13.1")) == (0, 1)
    assert (town.count("Aki/hand", "card"), town.count("bank", "card")) == (4, 1)
    assert town.says("4.1", "4.2", "4.3", "13.1") == []


def test_more_copies_than_can_be_left(town: Auditor) -> None:
    """Where one of twelve was paid by its number, twelve on the hand are one too many."""
    town.lies("card", "box", "Aki/hand", 9)
    twelve = [f"12.{copy}" for copy in range(1, 13)]
    assert town.says(*twelve[:11], "4.1") == []
    (found,) = town.reads(*twelve)
    assert (found.kind, wheres(found)) == ("elsewhere", ["Aki/hand"])
    town.mends(found.fixes[0])
    assert (town.count("bank", "card any 12"), town.count("Aki/hand", "card")) == (0, 13)
    assert town.says(*twelve, "4.1") == []


def test_only_cards_that_were_read_are_here(town: Auditor) -> None:
    """Where a card was typed and all of its kind were read elsewhere, nothing follows for this hand."""
    for copy in range(1, 7):
        town.lies(f"card 6.{copy}", "unseen", "bank")
    town.lies("card any 6", "unseen", "bank")
    assert town.says("4.1", "4.2", "4.3") == []


# Cards that lie open


@pytest.fixture
def shop() -> Auditor:
    """High Bid: Aki has a set aside card and one on the hand, Ben one before him."""
    shop = Auditor(high_bid.GAME)
    names = list(shop.deck.cards)
    shop.lies("card", "auction pile", "Aki/set aside")
    shop.lies(f"card {names[0]}", "unseen", "Aki/set aside")
    shop.lies("card", "auction pile", "Aki/hand")
    shop.lies("card", "auction pile", "Ben/set aside")
    shop.lies(f"card {names[1]}", "unseen", "Ben/set aside")
    return shop


def test_open_cards_as_the_ledger_has_them(shop: Auditor) -> None:
    """Those that lie open by name, those on the hand by number."""
    names = list(shop.deck.cards)
    assert shop.says(names[0], names[5]) == []
    assert shop.says(names[1], who=1) == []


def test_cards_that_were_exchanged(shop: Auditor) -> None:
    """One is missing, one lies elsewhere; where more than one place may be meant, people choose."""
    names = list(shop.deck.cards)
    found, missing = shop.reads(names[1], names[5])
    assert (found.kind, wheres(found)) == ("elsewhere", ["Aki/hand", "Aki/set aside"])
    assert missing.kind == "missing"
    assert "Ben/set aside" in wheres(missing)
    shop.mends(found.fixes[1])
    shop.mends(next(fix for fix in missing.fixes if fix.chosen_place.key_with_player_name == "Ben/set aside"))
    assert shop.count("Ben/set aside", f"card {names[0]}") == 1
    assert (shop.says(names[1], names[5]), shop.says(names[0], who=1)) == ([], [])


def test_a_card_of_ones_own_that_was_only_described(shop: Auditor) -> None:
    """Any card of its kind is the one; without one it is missing."""
    names = list(shop.deck.cards)
    design = shop.deck.cards[names[9]].design
    shop.lies("card", "auction pile", "Aki/set aside")
    shop.lies(f"card any {design}", "unseen", "Aki/set aside")
    assert shop.says(names[0], names[5], names[9]) == []
    (missing,) = shop.reads(names[0], names[5])
    kind = shop.deck.cards[names[9]].values["name"]
    assert render(missing.text) == f"{kind} isn't here, but it is recorded at Aki's set aside."


def test_a_card_that_was_described_elsewhere() -> None:
    """Where no more copies of it can be left, one of those described was another card."""
    army = Auditor(mammon.GAME)
    army.lies("card", "market/1", "discard pile")
    army.lies("card", "market/2", "discard pile")
    army.lies("card any spy", "unseen", "discard pile", 2)
    army.lies("card", "market/3", "Aki/hand")
    (found, *_) = army.reads("spy.2")
    assert render(found.text) == "spy is here, but it is recorded at discard pile."
    army.mends(found.fixes[0])
    assert (army.count("discard pile", "card any spy"), army.count("Aki/hand", "card")) == (1, 2)
    assert army.says("spy.2", "mansion.1") == []


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
    palace.lies("white card", "box", "Aki/front")
    palace.lies(face, "box", "face down in front/1")
    assert palace.says(one) == palace.says(other) == []
    (missing,) = palace.says()
    assert missing.startswith("a card with colour white, popularity 4 isn't here, but it is recorded at")
    (extra,) = palace.reads(one, other)
    assert extra.kind == "extra"
    found, *_ = palace.reads(one, other, who=1)
    assert (found.kind, wheres(found)) == (
        "elsewhere",
        ["face down in front/2", "face down on the left edge/2"],
    )
    palace.mends(found.fixes[0])
    assert palace.count("face down in front/2", face) == 1


# Cards that lie covered from all


def test_won_cards_that_nobody_may_see() -> None:
    """The faces kept for a seat are its cards; a face is moved by itself, the cards are counted apart."""
    palace = Auditor(bidders.GAME)
    palace.lies("white card", "deck", "Aki/front")
    palace.lies("card W1", "unseen", "face down in front/1")
    palace.lies("white card", "deck", "Ben/front")
    palace.lies("card W2", "unseen", "face down in front/2")
    assert palace.says("W1") == []
    found, missing = palace.reads("W2")
    assert wheres(found) == ["face down in front/1", "face down on the left edge/1"]
    called = [render(fix.chosen_place) for fix in found.fixes]
    assert called == ["face down in front of Aki", "face down on Aki's left edge"]
    assert "face down in front/2" in wheres(missing)
    palace.mends(found.fixes[0])
    palace.mends(
        next(fix for fix in missing.fixes if fix.chosen_place.key_with_player_name == "face down in front/2")
    )
    assert (palace.says("W2"), palace.says("W1", who=1)) == ([], [])
    (extra,) = palace.reads("W2", "W3")
    assert (extra.kind, render(extra.text)) == ("extra", "card W3 is here, but it is not recorded here.")


def test_tiles_whose_faces_only_the_companion_keeps() -> None:
    """Oyakata's tunnels are counted; that a face was seen says nothing about whose it is."""
    mine = Auditor(oyakata.GAME)
    tiles = [name for name, design in mine.deck.cards.items() if design.values.get("letter") == "A"]
    mine.lies("tile A", "pile", "Aki/tunnel", 2)
    mine.lies(f"card {tiles[0]}", "unseen", "laid tiles")
    assert mine.says(tiles[0], tiles[1]) == []
    assert mine.says(tiles[0]) == ["1 card is missing."]


# All together


@pytest.mark.sweep(2)
@pytest.mark.unwatched
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
        for difference in auditor.reads(*read, who=who):
            before = auditor.session.table.ledger.total_by_piece_key()
            text = render(difference.text)
            told = auditor.says(*read, who=who).count(text)
            for fix in difference.fixes:
                assert fix.moves
                there = auditor.session
                auditor.session = Session(game, list(auditor.log), MemoryLog(auditor.log))
                with suppress(NoLegalContinuation):
                    auditor.mends(fix)
                    assert difference.kind != "elsewhere" or auditor.says(*read, who=who).count(text) < told
                    made += 1
                assert auditor.session.table.ledger.total_by_piece_key() == before
                auditor.session = there
    assert made or game is oyakata.GAME  # whose two kinds of tiles only people can tell apart
