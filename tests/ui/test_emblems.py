"""Emblems: pictures of cards and actions, which are characters of a font that we ship."""

from __future__ import annotations

from typing import Any

import pytest

from companion import installed_games
from companion.cards.deck_file import face_of_card
from companion.log.events import Began
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.requests import Choose, DetailedOption
from companion.session.session import Session
from companion.table.seats import Seat
from tests.support.games.script_helpers import repeat_step


def find_emblems(key: str) -> set[str]:
    """The emblems of a game's cards and pieces, and of all options in its recorded match."""
    began, *_ = events = load_recorded_events(key)
    assert isinstance(began, Began)
    log = MemoryLog([began])
    session = Session(installed_games.playable_game(key), log, log)
    designs = [design.card_without_id for deck in began.decks.values() for design in deck.designs]
    emblems = {face_of_card(session.face_layouts, design).emblem for design in designs}
    session.answer_for_absent_players()
    emblems |= {piece.emblem for piece in session.table.ledger.pieces}
    for step in build_timeline(events).steps:
        if isinstance(session.question, Choose):
            options = session.question.options.values()
            emblems |= {option.emblem for option in options if isinstance(option, DetailedOption)}
        repeat_step(session, step)
    return emblems - {""}


@pytest.mark.parametrize("key", ["mammon", "oyakata", "high_bid"])
def test_every_card_has_an_emblem(key: str) -> None:
    """No card of these games is shown without a picture, whether or not it has a main value."""
    began, *_ = load_recorded_events(key)
    assert isinstance(began, Began)
    log = MemoryLog([began])
    layouts = Session(installed_games.playable_game(key), log, log).face_layouts
    for deck in began.decks.values():
        assert [d.id for d in deck.designs if not face_of_card(layouts, d.card_without_id).emblem] == []


@pytest.mark.parametrize("key", ["mammon", "oyakata", "high_bid"])
def test_actions_and_cards_have_emblems_that_our_fonts_have(key: str) -> None:
    """Each emblem is one character of the font for pictures, so nobody sees an empty box."""
    from fontTools.ttLib import TTFont

    from ui import theme

    emblems = find_emblems(key)
    assert len(emblems) >= 9
    for file in theme.FILES_BY_FONT["Noto Emoji"]:
        assert {ord(emblem) for emblem in emblems} <= TTFont(file).getBestCmap().keys()


async def test_an_emblem_takes_no_room_that_the_text_needs(open_app: Any) -> None:
    """The key measures as without it; the text moves beside it only where its letters keep their size."""
    from tests.support.ui.screen_sizes import make_bare_app
    from ui.widgets.keys.option_key import OptionKey

    table = await open_app(make_bare_app(), (800, 480))
    plain, wide, narrow = (
        OptionKey(
            text="exchange",
            detail_text="another player's card",
            emblem=emblem,
            size_hint=(None, None),
            size=size,
        )
        for emblem, size in (("", (400, 64)), ("\N{HANDSHAKE}", (400, 64)), ("\N{HANDSHAKE}", (190, 64)))
    )
    for key in (plain, wide, narrow):
        table.app.stage.add_widget(key)
    await table.wait_frames(3)
    for width in (120.0, 190.0, 400.0):
        assert plain.min_height_at(width) == wide.min_height_at(width)
        assert plain.is_too_narrow(width) == wide.is_too_narrow(width)
    emblem_width = wide.label.x - plain.label.x
    assert emblem_width > 0
    assert narrow.label.x - narrow.x == plain.label.x - plain.x


async def test_an_emblem_is_left_of_the_text_also_beside_a_price(
    open_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys of one question have their emblems in one column, whether the option costs something or not."""
    from tests.support.ui.screen_sizes import make_bare_app
    from ui.widgets.keys.option_key import OptionKey

    table = await open_app(make_bare_app(), (800, 480))
    seat = Seat(1, "Aki", "orange")
    free, costly = (
        OptionKey(
            text="exchange", emblem="\N{HANDSHAKE}", subject=subject, size_hint=(None, None), size=(400, 64)
        )
        for subject in (None, seat)
    )
    emblem_middles: list[tuple[float, float]] = []
    monkeypatch.setattr(
        OptionKey,
        "_draw_emblem",
        lambda key, middle, _side: emblem_middles.append((middle[0] - key.x, key.x)),
    )
    for key in (free, costly):
        table.app.stage.add_widget(key)
    await table.wait_frames(3)
    (from_left,) = {offset for offset, _ in emblem_middles}
    assert from_left < free.label.x - free.x < costly.label.x - costly.x
