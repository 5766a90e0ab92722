"""Nobody is called as everybody or a place where people type who pays."""

import pytest

from companion.errors import UserError
from companion.games.any_game.rulebook import GAME
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.log.log import MemoryLog
from companion.session.session import Session
from tests.support.games.any_game_helpers import begin_with_cards_and_coins, template_card
from tests.support.terminal_sessions import begin_session, play_lines

WHY = "{} can't be the name of a player, because this word means something else here."


@pytest.mark.parametrize("name", ["All", "bank", "銀行"])
def test_such_a_name_is_refused_as_a_game_begins(name: str) -> None:
    """Nothing is kept of a game that can't begin; other games know no such words."""
    log = MemoryLog()
    with pytest.raises(UserError) as refused:
        Session.begin(GAME, ["Aki", name], {}, log)
    assert str(refused.value) == WHY.format(name)
    assert not list(log)
    assert begin_session(EGYPT, "Aki", name, "Ben").table.seats[1].name == name


def test_no_place_means_everybody() -> None:
    """Whoever pays into it would pay all others."""
    with pytest.raises(UserError) as refused:
        begin_with_cards_and_coins(template_card("place", "pot", name="全員"))
    assert str(refused.value) == WHY.format("全員")


def test_such_a_name_is_refused_as_a_seat_is_renamed() -> None:
    """The old one stays."""
    session = begin_session(GAME, "Aki", "Ben")
    assert f"! {WHY.format('Bank')}\n" in play_lines(session, "rename Ben = Bank")
    assert session.table.seats[1].name == "Ben"


def test_an_old_game_is_opened_whatever_its_people_are_called() -> None:
    """It began before such names were refused; others of it may be renamed, and so may they."""
    log = MemoryLog([begin_session(GAME, "Aki", "Ben").began])
    log.save_names(["Aki", "All"])
    session = Session(GAME, list(log), log)
    assert session.table.seats[1].name == "All"
    session.rename_player(session.table.seats[0], "Dai")
    session.rename_player(session.table.seats[1], "Ben")
    assert [seat.name for seat in session.table.seats] == ["Dai", "Ben"]
