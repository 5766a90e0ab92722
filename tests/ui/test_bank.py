"""The bank on the real window: pieces are dragged from purse to purse, and the books stay balanced."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import jsonlines
from companion.games.mammon.board import MARKET
from companion.languages import languages
from companion.requests import Together
from companion.session.session import Session
from companion.table.moves import PieceMove
from tests.support.long_names import PEOPLE
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions, answer_randomly, make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.text_checks import check_all_texts_are_whole
from ui.widgets.drawing.line_breaking import NO_BREAK_SPACE

TYPED = 0.25
"""How often a number is typed; else one piece moves, as the pad offers."""
pytestmark = pytest.mark.usefixtures("without_motion")


@pytest.fixture
async def egypt(home: Any) -> Any:
    """The bank of an auction that has begun."""
    return await bank_of(home, "egypt", "1", True, 3)


async def bank_of(home: Any, game: str, *given: object) -> Any:
    """The bank of a game after these answers."""
    home.app.controller.start_new_game(game, NAMES, COLOURS, {})
    answer_questions(home.app.controller, *given)
    await home.wait_frames()
    await home.tap("bank")
    return home


def the(table: Any, kind: str) -> Any:
    """The topmost widget of that class."""
    return next(widget for widget in table.widgets() if type(widget).__name__ == kind)


def purses(table: Any) -> dict[str, Any]:
    """Those on the page that is shown, by the names of their places."""
    shown = [widget for widget in table.widgets() if type(widget).__name__ == "Purse"]
    return {purse.place.key_with_player_name: purse for purse in shown}


def state(session: Session) -> dict[str, dict[str, int | None]]:
    """What lies where, as JSON tells it to everybody."""
    state = json.loads(json.dumps(jsonlines.public_table_as_json(session)))
    places: dict[str, dict[str, int | None]] = state["places"]
    return places


async def drag(table: Any, piece: str, source: str, target: str) -> None:
    """Takes hold of a piece in one purse and lets it go over another."""
    from kivy.tests.common import UnitTestTouch

    there = purses(table)
    spot = there[source].centre_of_piece(piece)
    assert spot is not None, f"no {piece} to be seen in {source}"
    touch = UnitTestTouch(*there[source].to_window(*spot))
    touch.touch_down()
    x, y = there[target].to_window(*there[target].center)
    touch.touch_move(x, y - there[target].height / 4)
    touch.touch_up()
    await table.wait_frames(2)


async def carry(table: Any, piece: str, source: str, target: str) -> Any:
    """What a drag asks for, whether or not the page shows both purses; gives what was held."""
    bank = the(table, "BankPage")
    there = {purse.place.key_with_player_name: purse for purse in bank.purses}
    held = next(one for one in there[source].holdings if one.piece.key == piece)
    bank.dispatch("on_move", {held: 0}, there[target].place)
    await table.wait_frames()
    return held


async def test_a_piece_is_dragged_from_purse_to_purse(egypt: Any) -> None:
    """How many and why are asked; then it lies there, on the bank's page and in JSON."""
    await drag(egypt, "card", "Aki/hand", "Ben/hand")
    assert "card: Aki's hand → Ben's hand" in egypt.texts()
    await egypt.tap("3", "confirm", "miscounted")
    session = egypt.app.evening.session
    assert (state(session)["Aki/hand"]["card"], state(session)["Ben/hand"]["card"]) == (22, 28)
    held = purses(egypt)
    assert [one.count for one in held["Aki/hand"].holdings if one.piece.key == "card"] == [22]
    assert session.steps[-1].reason == "Miscounted"


async def test_one_piece_needs_no_number(egypt: Any) -> None:
    """The leader's marker goes at once; only the reason is asked."""
    await carry(egypt, "leader", "Aki/front", "Ben/front")
    await egypt.tap("own words", "M", "o", "v", "e", "d", "done")
    assert state(egypt.app.evening.session)["Ben/front"] == {"leader": 1}
    assert egypt.app.evening.session.steps[-1].reason == "Moved"


async def test_moving_can_be_given_up_at_any_step(egypt: Any) -> None:
    """At the number, at the reason, over no purse, over the same purse: nothing has moved."""
    before = state(egypt.app.evening.session)
    await drag(egypt, "card", "Aki/hand", "Ben/hand")
    await egypt.tap("close")
    await drag(egypt, "card", "Aki/hand", "Ben/hand")
    await egypt.tap("confirm", "no")
    await drag(egypt, "card", "Aki/hand", "Aki/hand")
    assert before == state(egypt.app.evening.session)
    assert purses(egypt)


async def test_why_something_could_not_be_moved_goes_when_the_table_has_changed(egypt: Any) -> None:
    """By a touch, or by a device that answers meanwhile: what lies there is another then."""
    bank = the(egypt, "BankPage")
    bank.show_refusal("At most 1 lies there.")
    await egypt.wait_frames()
    assert "At most 1 lies there." in egypt.texts()
    answer_questions(egypt.app.controller, None)
    await egypt.wait_frames()
    assert "At most 1 lies there." not in egypt.texts()


async def test_two_touches_do_what_a_drag_does(egypt: Any) -> None:
    """Touch the piece, then the place; a purse opens into everything in it by name."""
    bank = the(egypt, "BankPage")
    bank.dispatch("on_look", purses(egypt)["Aki/hand"].place)
    await egypt.wait_frames()
    await egypt.tap("take card")
    assert "Choose how many to move, then touch a place." in egypt.texts()
    touch = egypt.press("Ben's hand")
    touch.touch_up()
    await egypt.wait_frames()
    await egypt.tap("confirm", "forgotten")
    assert state(egypt.app.evening.session)["Ben/hand"]["card"] == 26


async def any_game(home: Any, **options: str) -> Any:
    """The bank of Any Game for three, which wants no reasons."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, options)
    await home.wait_frames()
    await home.tap("bank")
    return home


def only(table: Any, place: str) -> dict[str, int | None]:
    """What lies there."""
    return state(table.app.evening.session).get(place, {})


def money(table: Any) -> list[int | None]:
    """What everybody has."""
    return [only(table, f"{name}/purse").get("money", 0) for name in NAMES]


async def touch_piece(table: Any, purse: str, piece: str = "") -> None:
    """Touches a piece in a purse, the first if nothing is said, and lets it lie."""
    from kivy.tests.common import UnitTestTouch

    there = purses(table)[purse]
    touch = UnitTestTouch(*there.to_window(*there.centre_of_piece(piece or there.holdings[0].piece.key)))
    touch.touch_down()
    touch.touch_up()
    await table.wait_frames(2)


async def touch_purse(table: Any, purse: str) -> None:
    """Touches the name of a purse."""
    from kivy.tests.common import UnitTestTouch

    head = purses(table)[purse].head
    touch = UnitTestTouch(*head.to_window(*head.center))
    touch.touch_down()
    touch.touch_up()
    await table.wait_frames(2)


async def test_a_hundred_and_fifty_are_paid_in_four_touches(home: Any) -> None:
    """The piece, 100, 50, and who gets it: the numbers add up."""
    await any_game(home, template="train")
    await touch_piece(home, "Aki/purse")
    await home.tap("100", "50")
    await touch_purse(home, "Ben/purse")
    assert money(home) == [250, 550, 400]


async def test_no_more_is_offered_than_lies_there(home: Any) -> None:
    """A number that would be too much can't be touched; the cross begins again, and a touch lays it back."""
    await any_game(home, template="train")
    await touch_piece(home, "Aki/purse")
    while not home.find("100").disabled:
        await home.tap("100")
    assert the(home, "AmountBar").amount == 400
    await home.tap("clear")
    assert the(home, "AmountBar").amount == 0
    await touch_piece(home, "Aki/purse")
    assert the(home, "BankPage").selected_holding is None


async def test_several_pieces_of_a_purse_go_together(home: Any) -> None:
    """Each is counted by itself; they arrive in one go, and one touch more takes them all out of the hand."""
    await bank_of(home, "oyakata")
    await home.tap("page on")
    for piece, keys in (("red gem", ["1", "1"]), ("soil", ["5"]), ("red gem", ["1"])):
        await touch_piece(home, "centre", piece)
        await home.tap(*keys)
    said = the(home, "AmountBar").description.text.replace(NO_BREAK_SPACE, " ")
    assert "5 soil" in said
    assert "3 red gems" in said
    await touch_purse(home, "bank")
    await home.tap("miscounted")
    session = home.app.evening.session
    assert [one.target for one in session.steps[-1].moves] == ["bank", "bank"]
    there = state(session)["bank"]
    assert (there["red gem"], there["soil"]) == (3, 5)
    await touch_piece(home, "centre", "red gem")
    await home.tap("1")
    await touch_piece(home, "centre", "soil")
    await home.tap("clear")
    assert not the(home, "BankPage").amounts.amount_by_other_holding


async def test_everybody_else_is_paid_in_one_go(home: Any) -> None:
    """To each, or from each; all of it or nothing, and who can't pay is named."""
    await any_game(home, template="train")
    await touch_piece(home, "Aki/purse")
    await home.tap("10", "to each")
    assert money(home) == [380, 410, 410]
    await touch_piece(home, "bank")
    await home.tap("100", "to each")
    assert money(home) == [480, 510, 510]
    await carry(home, "money", "ちえ/purse", "bank")
    await home.tap(*"505", "confirm")
    events = len(home.app.evening._events())
    await touch_piece(home, "Aki/purse")
    await home.tap("10", "from each")
    assert money(home) == [480, 510, 5]
    assert "ちえ" in the(home, "BankPage").refusal.text
    assert len(home.app.evening._events()) == events
    await touch_piece(home, "Aki/purse")
    await home.tap("5", "from each")
    assert money(home) == [490, 505, 0]


async def test_who_has_left_for_good_is_not_everybody_else(home: Any) -> None:
    """Nothing goes to them, nor from them."""
    await any_game(home, template="property")
    session = home.app.evening.current_session
    session.answer(session.question_number, "out")
    session.answer(session.question_number, "2")
    await touch_piece(home, "Aki/purse")
    await home.tap("10", "to each")
    await touch_piece(home, "Aki/purse")
    await home.tap("5", "from each")
    assert money(home) == [1495, 1500, 1505]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280), (1920, 1080)])
async def test_what_is_counted_fits_every_size(
    open_app: Any, tmp_path: Path, lang: str, size: tuple[int, int]
) -> None:
    """The keys, the number and what everybody gets: nothing is cut beside a name of twenty letters."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    names = PEOPLE[lang][:3]
    table.app.controller.start_new_game("any_game", names, COLOURS, {"template": "train"})
    await table.wait_frames()
    await table.tap("bank")
    await touch_piece(table, f"{names[0]}/purse")
    await table.wait_frames(4)
    assert not find_faults(table, size)
    await table.tap("100", "1")
    await table.wait_frames(4)
    assert not find_faults(table, size)


async def test_a_reason_is_asked_once_for_everybody(egypt: Any) -> None:
    """Where the game wants one; each card then lies where it was said."""
    before = state(egypt.app.evening.session)
    await touch_piece(egypt, "Aki/hand")
    await egypt.tap("1", "to each", "house rule")
    after = state(egypt.app.evening.session)
    for place, more in (("Aki/hand", -2), ("Ben/hand", 1), ("ちえ/hand", 1)):
        assert (after[place]["card"] or 0) - (before[place]["card"] or 0) == more
    step = egypt.app.evening.session.steps[-1]
    assert (step.reason, len(step.moves)) == ("House rule", 2)


async def test_the_question_can_be_asked_again(egypt: Any) -> None:
    """With the reason people may have the open question asked once more."""
    n = egypt.app.controller.view.question_number
    await drag(egypt, "card", "Aki/hand", "Ben/hand")
    await egypt.tap("confirm", "ask again", "miscounted")
    assert egypt.app.controller.view.question_number == n + 1
    assert egypt.app.controller.view.question.seat.name == "Ben"


async def test_sealed_answers_are_deleted_only_after_people_agreed(home: Any) -> None:
    """The bank asks before it asks the open round again; without a yes the bid stays in its envelope."""
    controller = home.app.controller
    controller.start_new_game("sealed_bid", NAMES[:2], COLOURS[:2], {"start": "10"})
    for bid, seat in enumerate(controller.view.seats, 3):
        controller.seal_answer_in_envelope(controller.view.question_number, seat, bid)
    answer_questions(controller, "again")
    controller.seal_answer_in_envelope(controller.view.question_number, controller.view.seats[0], 1)
    await home.wait_frames()
    for said, left in (("no", 1), ("yes", 0)):
        await home.tap("bank")
        await carry(home, "money", "Ben/purse", "Aki/purse")
        await home.tap("1", "confirm", "ask again", "miscounted")
        assert "Tear up the envelopes?" in home.texts()
        await home.tap(said)
        assert len(home.app.evening.session.drafts) == left
        await home.tap("close")


async def test_why_the_question_is_asked_anew_is_a_sentence(home: Any) -> None:
    """Where it offers something else after a correction people read so over the bank."""
    await bank_of(home, "bidders", "1", True, [{"card": "W1"}], [{"card": "B1"}])
    await carry(home, "orange worker", "Aki/guild card", "box")
    await home.tap("1", "0", "confirm", "miscounted")
    anew = "The choices have changed, so the companion asks the question again."
    assert anew in home.texts()
    assert list(home.app.controller.view.question.offered_options) == ["pass"]
    await home.tap("Bank")
    assert anew not in home.texts()


async def test_what_cannot_be_moved_is_a_sentence(home: Any) -> None:
    """A piece that belongs elsewhere: the sentence goes with the next touch, nothing has moved."""
    await bank_of(home, "oyakata")
    await carry(home, "gold", "bank", "Aki/discontent")
    await home.tap("1", "confirm", "miscounted")
    assert "gold can't be placed at Aki's discontent. Choose another place." in home.texts()
    await home.tap("Bank")
    assert "gold can't be placed at Aki's discontent. Choose another place." not in home.texts()
    assert home.app.evening.session.steps == []


async def test_what_is_covered_refuses_no_number(home: Any) -> None:
    """What people say came out of a purse was there: no number tells how much that was."""
    await bank_of(home, "high_bid")
    dollar = await carry(home, "dollar", "Aki/purse", "Ben/purse")
    assert dollar.count is None
    await home.tap(*"99999", "confirm", "miscounted")
    assert len(home.app.evening.session.steps) == 1


async def test_covered_purses_are_backs_without_a_number(home: Any) -> None:
    """Whatever cash there is, the bank shows a back."""
    from companion.texts import render
    from ui.widgets.pieces.marks import CoveredMark, HorizontalGroup

    await bank_of(home, "high_bid")
    purse = next(
        purse for purse in the(home, "BankPage").purses if purse.place.key_with_player_name == "Aki/purse"
    )
    ((held, placed),) = purse.holdings_view.placed_holdings
    assert isinstance(placed.mark, HorizontalGroup)
    assert [type(part) is CoveredMark for part in placed.mark.marks] == [False, True]
    assert placed.mark.visible_text == render(held.piece)


def moves(table: Any, rng: Random) -> Iterator[tuple[str, str, str, int]]:
    """Piece, source, target and number of some legal move on this page."""
    there = purses(table)
    sources = [
        (one, purse.place.key_with_player_name)
        for purse in there.values()
        for one in purse.holdings
        if one.count is not None and not one.piece.is_marker and purse.centre_of_piece(one.piece.key)
    ]
    while True:
        one, source = rng.choice(sources)
        endless = one.piece.is_endless and one.place.seat is None
        most = 9 if endless else min(9, one.count)
        yield (
            one.piece.key,
            source,
            rng.choice([name for name in there if name != source]),
            rng.randint(1, most),
        )


def play(table: Any, rng: Random) -> None:
    """The open question is answered in some legal way."""
    controller = table.app.controller
    if isinstance(controller.view.question, Together):
        for seat, part in controller.view.question.parts_by_seat.items():
            controller.seal_answer_in_envelope(
                controller.view.question_number, seat, part.answer_to_json(part.random_legal_answer(rng))
            )
        table.app.table_flow.last_reveal_screen.close()
    else:
        answer_randomly(controller, rng)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("game", "options", "count"),
    [("any_game", {"template": "train"}, 100 if SOAK else 8), ("mammon", {}, 20 if SOAK else 2)],
)
async def test_a_hundred_drags_keep_the_books_balanced(
    home: Any, game: str, options: dict[str, str], count: int
) -> None:
    """Each drag moves what was typed and nothing else; sums stay, and the saved game has the same state.

    A hundred in a soak, fewer otherwise.
    """
    controller, rng = home.app.controller, Random(4)
    controller.start_new_game(game, NAMES, COLOURS, options)
    for _ in range(12 if game == "mammon" else 0):
        play(home, rng)
    await home.wait_frames()
    await home.tap("bank")
    session = controller.evening.session
    sums, expected = session.table.ledger.total_by_piece_key(), state(session)
    for _ in range(count):
        piece, source, target, number = next(moves(home, rng))
        await drag(home, piece, source, target)
        if any(type(widget).__name__ == "NumberPad" for widget in home.widgets()):
            number = number if rng.random() < TYPED else 1
            await home.tap(*([str(number)] if number > 1 else []), "confirm")
        else:
            number = 1
        if not controller.evening.game.has_free_moves:
            await home.tap("house rule")
        for place, change in ((source, -number), (target, number)):
            there = expected.setdefault(place, {})
            there[piece] = (there.get(piece) or 0) + change
            if not there[piece]:
                del there[piece]
        assert state(session) == {place: there for place, there in expected.items() if there}
        assert session.table.ledger.total_by_piece_key() == sums
    again = Session(session.game, controller.evening._events(), session._log)
    assert state(again) == state(session)


LONG = {
    "en": ["Wilhelmina", "Ben", "Chie", "Maximilian"],
    "de": ["Wilhelmine", "Ben", "Clara", "Maximilian"],
    "ja": ["アキコちゃん", "ベン", "ちえ", "大輔"],
}


async def every_page(table: Any) -> AsyncIterator[None]:
    """The bank is opened, and its pages are turned one after the other."""
    await table.wait_frames(1)
    await table.tap("bank")
    pager = the(table, "BankPage").pager
    for page in range(pager.page_count):
        pager.page = page
        await table.wait_frames(3)
        yield


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("game", "lang"), [("bidders", "en"), ("oyakata", "en"), ("mammon", "de"), ("high_bid", "ja")]
)
async def test_every_purse_has_its_whole_name(open_app: Any, tmp_path: Path, game: str, lang: str) -> None:
    """However long the names of places and owners are."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang))
    table.app.controller.start_new_game(game, LONG[lang], [*COLOURS, "vermilion"], {})
    async for _ in every_page(table):
        for purse in purses(table).values():
            assert not purse.name_label.shorten
            assert purse.name_label.texture_size[1] <= purse.head.height * 1.1


async def test_purses_of_players_come_first_and_unused_places_last(home: Any) -> None:
    """A place is unused if nothing lies there, for a player's place before no player; a broke one stays."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "train"})
    await home.wait_frames()
    await home.tap("bank")
    bank = the(home, "BankPage")
    order = [purse.place.key_with_player_name for purse in bank.purses]
    assert order[:3] == ["Aki/purse", "Ben/purse", "ちえ/purse"]
    empty = [not purse.holdings for purse in bank.purses]
    assert empty == sorted(empty)
    assert empty[-1]
    (money,) = bank.purses[1].holdings
    assert money.count is not None
    to_aki = PieceMove(money.piece, money.place, bank.purses[0].place, money.count)
    home.app.controller.correct_by_hand([to_aki], "", ask_again=False)
    await home.tap("close", "bank")
    order = [purse.place.key_with_player_name for purse in the(home, "BankPage").purses]
    assert order[:3] == ["Aki/purse", "Ben/purse", "ちえ/purse"]


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "pages"), [((800, 480), 2), ((1280, 720), 2), ((720, 1280), 1)])
async def test_as_many_purses_have_a_page_as_have_room(
    open_app: Any, tmp_path: Path, size: tuple[int, int], pages: int
) -> None:
    """Of twelve people, two places for each; a small or low panel has two pages."""
    table = await open_app(make_test_app(tmp_path / "state"), size)
    people = [f"{name}{at}" for at in range(4) for name in NAMES]
    table.app.controller.start_new_game("any_game", people, [*theme_colours()][: len(people)], {})
    await table.wait_frames()
    await table.tap("bank")
    await table.wait_frames(3)
    assert the(table, "BankPage").pager.page_count == pages
    assert not [purse.name for purse in purses(table).values() if purse.holdings_view.left_out_count]
    assert not find_faults(table, size)


TEMPLATES = ("poker", "train")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280), (1920, 1080)])
@pytest.mark.parametrize("game", ["bidders", "oyakata", "high_bid", "mammon", *TEMPLATES])
async def test_a_full_purse_makes_only_its_own_row_high(
    open_app: Any, tmp_path: Path, game: str, size: tuple[int, int]
) -> None:
    """All that lies in each purse is seen, each can be touched, and nearly empty rows are lower."""
    from ui import theme

    table = await open_app(make_test_app(tmp_path / "state"), size)
    key, options = ("any_game", {"template": game}) if game in TEMPLATES else (game, {})
    table.app.controller.start_new_game(key, NAMES, COLOURS, options)
    if game == "poker":
        answer_questions(table.app.controller, "done")
    async for _ in every_page(table):
        rows = [(purse.y, purse.height, purse.needed_height(purse.width)) for purse in purses(table).values()]
        assert not [purse.name for purse in purses(table).values() if purse.holdings_view.left_out_count]
        assert min(high for _, high, _ in rows) >= theme.length.target - 1
        needs = {y: max(need for at, _, need in rows if at == y) for y, _, _ in rows}
        highs = {y: high for y, high, _ in rows}
        by_need = sorted(needs, key=needs.__getitem__)
        assert [round(highs[y]) for y in by_need] == sorted(round(high) for high in highs.values())


def theme_colours() -> Iterator[str]:
    """Of all pieces that people can have."""
    from ui import theme

    yield from theme.PLAYER_LOOKS


async def test_coins_of_all_players_lie_side_by_side(home: Any) -> None:
    """Each is told by its sign, so that none of them hides behind a number of what else there is."""
    home.app.controller.start_new_game("mammon", LONG["en"], [*COLOURS, "vermilion"], {})
    session = home.app.evening.session
    for seat in session.table.seats:
        session.correct(f"{seat.name}/treasury", "bank", f"{seat.colour} coin", 11, "so")
    await home.wait_frames()
    await home.tap("bank")
    bank = purses(home)["bank"]
    assert bank.holdings_view.left_out_count == 0
    assert all(bank.centre_of_piece(f"{seat.colour} coin") for seat in session.table.seats)


async def test_the_movements_open_into_all_that_moved(home: Any) -> None:
    """A line has room for the first moves and says how many more; touched, it lists them all."""
    home.app.controller.start_new_game("egypt", LONG["en"], [*COLOURS, "vermilion"], {})
    answer_questions(home.app.controller, "1", True)
    await home.wait_frames()
    await home.tap("bank", "movements")
    last = "21 cards from box to Maximilian's hand"
    assert [text for text in home.texts() if text.startswith("21 cards from box") and text.endswith("+1")]
    assert last not in home.texts()
    await home.tap("movement 0")
    assert last in home.texts()


@pytest.mark.sweep(1)
@pytest.mark.parametrize("lang", languages())
async def test_the_bank_fits_the_small_screen(open_app: Any, tmp_path: Path, lang: str) -> None:
    """Any Game's purses, the pad, the reasons and the movements: no text is cut."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang))
    controller = table.app.controller
    controller.start_new_game(
        "egypt", [*NAMES, "大輔", "Maximilian"], ["orange", "sky", "green", "vermilion", "purple"], {}
    )
    answer_questions(controller, "1", True)
    await table.wait_frames()
    await table.tap("bank")

    async def whole() -> None:
        await table.wait_frames(4)
        check_all_texts_are_whole(table.widgets())

    await whole()
    await drag(table, "card", "Aki/hand", "Ben/hand")
    await whole()
    await table.tap("confirm")
    await whole()
    await table.tap("wrong place")
    await whole()
    await table.tap("movements")
    await whole()


async def test_a_row_that_has_closed_up_is_numbered_anew(home: Any) -> None:
    """A purse is called as the picture of the table calls it; one empty place is left, to lay a card down."""
    bank = the(await bank_of(home, "mammon"), "BankPage")
    session = home.app.evening.session
    session.correct("market/4", "discard pile", "card", 1, "torn")
    bank.show_purses(
        home.app.evening.movable_holdings_by_place(), session.table.ledger.current_slot_by_place()
    )
    names = [purse.name for purse in bank.purses if purse.place.name == MARKET]
    assert names == [f"market {n}" for n in (1, 2, 3, 4, *range(4, len(names)))]
