"""Cards that lay on a reader before they were asked for: which of them are offered."""

from __future__ import annotations

import pytest

from companion.games.egypt import rulebook as egypt
from companion.games.high_bid import rulebook as high_bid
from companion.requests import Done, Read
from companion.rules.game import Game
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.texts import say
from tests.support.hardware.card_table import CardTable, begin_script


async def shows_cards(table: Table) -> GameResult:
    """A card is shown, twice; it may be the same one."""
    faces = table.track_faces("egypt")
    for _ in range(2):
        await Read(None, say("Show a card"), faces, 1, 1)
        await Done(None, say("Go on."))
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


SHOWS = Game("shows", 1, say("Shows"), (2, 3), shows_cards, decks=("egypt",))


@pytest.mark.parametrize(("is_lifted", "offered"), [(False, []), (True, ["egypt/4.1"])])
def test_what_was_lifted_and_laid_again_is_offered(*, is_lifted: bool, offered: list[str]) -> None:
    """It is meant for the next question; what has lain there since it answered the last one isn't."""
    table = CardTable(begin_script(SHOWS)).lay("egypt/4.1")
    if is_lifted:
        table.lift("egypt/4.1").lay("egypt/4.1")
    assert table.usable_earlier_tags == []
    table.session.answer(table.session.question_number, json_answer=True)
    assert table.show_next_question().usable_earlier_tags == offered


def test_what_does_not_go_with_what_is_laid_is_not_offered() -> None:
    """One tag of a card lay there; since the other was laid as payment it counts for nothing."""
    script = begin_script(egypt.GAME).says("table: Aki", "table: done", "Aki 3", "Ben withdraws")
    table = CardTable(script).lay("twice")
    table.session.answer(table.session.question_number, None)
    assert table.show_next_question().usable_earlier_tags == ["twice"]
    table.lay("egypt/4.1")
    assert (table.tags_for_question, table.usable_earlier_tags) == (["egypt/4.1"], [])


def test_a_game_that_was_put_away_hears_no_card() -> None:
    """Its question stands there still: nothing is taken, offered or said."""
    table = CardTable(begin_script(high_bid.GAME, 4).says("table: Aki", "table: done"))
    n = table.session.question_number
    table.session.put_away()
    table.show_next_question().lay("high_bid/lamps.1")
    assert (
        table.session.question_number,
        table.tags_for_question,
        table.usable_earlier_tags,
        table.announcements,
    ) == (n, [], [], [])
