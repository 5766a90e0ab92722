"""A key that can't be used says why, in a few words on the key; brass is only what to do now."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.languages import languages
from companion.log.log import MemoryLog
from companion.requests import Amount, Choose, CountedItem, Counts, DetailedOption
from companion.requests.choose import OptionRequirement
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.ledger import Piece
from companion.table.table import Table
from companion.texts import Labelled, say
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions
from tests.support.ui.screen_faults import visible_widgets
from tests.support.ui.screen_sizes import make_bare_app
from tests.ui.test_every_table import answer
from tests.ui.test_play import check_all

pytestmark = pytest.mark.usefixtures("without_motion")
COIN = Piece("coin", say("coin"))


def reason_on(key: Any) -> str:
    """What people read on a key about why it can't be used; "" if they read nothing."""
    assert key.is_inactive or not key.wrap_reason(key.width)
    return " ".join(key.wrap_reason(key.width))


async def shop(table: Table) -> None:
    """Aki has one coin, and can buy something for two, for one, or nothing."""
    purse, other = (table.account(COIN, say("purse"), seat) for seat in table.seats[:2])
    for account in (purse, other):
        table.supply_from_box(account, 1)
    options: dict[str, Labelled] = {
        "tent": DetailedOption(say("Tent"), price=2, note=say("keeps you dry")),
        "rope": DetailedOption(say("Rope"), price=1),
        "boat": DetailedOption(say("Boat"), price=1, barred_reason=say("The boats are sold.")),
        "pass": DetailedOption(say("Pass"), is_decline_option=True),
    }
    refusal = say("{seat} can't pay {price}.", seat=table.seats[0], price=2)
    await Choose(table.seats[0], say("What now?"), options, {"tent": OptionRequirement(purse, 2, refusal)})


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
async def test_a_barred_option_says_why(open_small_game: Any, size: tuple[int, int]) -> None:
    """The words are the refusal of the question itself; a move by hand that lifts it removes them."""
    table, game = await open_small_game(shop, size)
    check_all(table, size)
    assert reason_on(table.find("Tent")) == "Aki can't pay 2."
    assert reason_on(table.find("Boat")) == "The boats are sold."
    assert not table.find("Rope").reason
    assert table.find("Tent").shown_detail == "Aki can't pay 2."
    game.session.correct("Ben/purse", "Aki/purse", "coin", 1, "a gift")
    game.show()
    await table.wait_frames()
    assert not table.find("Tent").looks_disabled
    assert table.find("Tent").shown_detail == "price 2 · keeps you dry"


async def test_a_number_says_which_limit_it_breaks(open_small_game: Any) -> None:
    """The pad says so on its key, which is no brass key as long as there is nothing to take."""

    async def rules(table: Table) -> None:
        await Amount(table.seats[0], say("How much?"), 5, 40)

    table, _game = await open_small_game(rules)
    confirm = table.find("confirm")
    assert reason_on(confirm) == "type a number"
    for digits, reason in (("3", "at least 5"), ("45", "at most 40")):
        await table.tap("clear", *digits)
        assert reason_on(confirm) == reason
    await table.tap("clear", "9")
    assert not confirm.is_inactive


async def test_a_hidden_limit_is_no_reason(open_small_game: Any) -> None:
    """A number above what a covered purse holds looks like any other."""

    async def rules(table: Table) -> None:
        purse = table.covered_account(COIN, say("purse"), table.seats[0])
        table.supply_from_box(purse, 3)
        await Amount(table.seats[0], say("How much?"), 0, paid_from=purse)

    table, _game = await open_small_game(rules)
    await table.tap("9")
    assert not table.find("confirm").is_inactive


async def test_counts_say_how_many_are_chosen(open_small_game: Any) -> None:
    """Done says how many of how many; it is brass once something is chosen."""

    async def rules(table: Table) -> None:
        items = {name: CountedItem(say(name), 3) for name in ("corn", "wool")}
        await Counts(table.seats[0], say("Which?"), items, 2, 2)

    table, _game = await open_small_game(rules)
    done = table.find("take")
    assert reason_on(done) == "0 of 2 chosen"
    await table.tap("more corn")
    assert reason_on(done) == "1 of 2 chosen"
    await table.tap("more wool")
    assert not done.is_inactive
    assert done.look == "brass"


async def test_done_with_nothing_is_not_brass(open_small_game: Any) -> None:
    """People may answer nothing, but that isn't what they are asked to do."""

    async def rules(table: Table) -> None:
        await Counts(table.seats[0], say("Which?"), {"corn": CountedItem(say("corn"), 3)})

    table, game = await open_small_game(rules)
    done = table.find("take")
    assert (done.look, done.is_inactive) == ("paper", False)
    await table.tap("more corn")
    assert done.look == "brass"
    await table.tap("less corn", "take")
    assert game.answers == [{"corn": 0}]


# Brass is the one thing to do now

MAX_QUESTIONS_PER_GAME = 60
GAMES = [
    ("egypt", {}),
    ("mammon", {}),
    ("bidders", {}),
    ("high_bid", {}),
    ("any_game", {"template": "train"}),
    ("sealed_bid", {}),
]


def brass_keys(table: Any) -> list[str]:
    """The keys that say that they are the thing to do now."""
    area = table.app.stage.screen.question_area
    widgets = [widget for widget in area.walk(restrict=True) if hasattr(widget, "look")]
    return [widget.name for widget in widgets if widget.look == "brass" and not widget.is_inactive]


def option_looks(table: Any) -> list[str]:
    """The looks of the options of a choice, in their order; none of another question."""
    widget = table.app.stage.screen.question_widget
    return [key.look for key in widget.keys.values()] if type(widget).__name__ == "OptionKeys" else []


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game for game, _ in GAMES])
async def test_at_most_one_key_is_brass(home: Any, game: str, options: dict[str, str]) -> None:
    """Whatever is asked: two things to do now would be none. A barred option always has words to say.

    What asks before it ends something has a red edge and comes last, as the key that declines.
    """
    controller, rng = home.app.controller, Random(3)
    controller.start_new_game(game, NAMES, COLOURS, options)
    seen = set[str]()
    for _ in range(MAX_QUESTIONS_PER_GAME):
        question = controller.view.question
        if question is None:
            break
        if question.log_key not in seen and type(home.app.stage.screen).__name__ == "PlayScreen":
            seen.add(question.log_key)
            await home.wait_frames(2)
            assert len(brass_keys(home)) <= 1, question.log_key
            looks = option_looks(home)
            assert "danger" not in looks[:-1], question.log_key
            if looks[1:] == ["danger"]:
                assert looks == ["brass", "danger"], question.log_key
            dead = [widget for widget in home.widgets() if getattr(widget, "looks_disabled", False)]
            assert all(key.reason for key in dead), question.log_key
        if question.is_sealed:
            for seat, part in list(question.parts_by_seat.items()):
                answer = part.answer_to_json(part.random_legal_answer(rng))
                controller.seal_answer_in_envelope(controller.view.question_number, seat, answer)
            await home.wait_until(lambda: type(home.app.stage.screen).__name__ != "RevealScreen")
        else:
            answer_questions(controller, question.answer_to_json(question.random_legal_answer(rng)))
    assert seen


# A dead key says why, also on the smallest screens

SMALL_VARIANTS = [
    (layout, size, lang)
    for layout, size in (
        ("landscape", (800, 480)),
        ("upright", (480, 800)),
        ("flat", (800, 480)),
        ("flat", (480, 800)),
    )
    for lang in languages()
]
PLAYED_GAMES = ["egypt", "mammon", "bidders", "high_bid", "oyakata"]


def silent_dead_keys(table: Any) -> list[str]:
    """The keys of the question that can't be used and don't say why; a number stands beside a mere icon.

    A key with a card's picture may be too narrow for the words; a touch says them.
    """
    keys = [widget for widget in visible_widgets(table.app.stage.screen.question_area) if is_dead(widget)]
    silent = [key for key in keys if key.text and not key.shown_reason]
    return [
        f"{key.name}: {key.text} ({key.reason}) {key.size}"
        for key in silent
        if not (key.reason and key.looks_disabled and (key.subject is not None or key.has_pieces_row))
    ]


def is_dead(widget: Any) -> bool:
    """Whether a widget is a key that can't be used now."""
    return bool(getattr(widget, "is_inactive", False))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("game", PLAYED_GAMES)
@pytest.mark.parametrize(("layout", "size", "lang"), SMALL_VARIANTS)
async def test_every_dead_key_says_why(
    open_app: Any, game: str, layout: str, size: tuple[int, int], lang: str
) -> None:
    """Whatever is asked, at the smallest sizes: a key that can't be used has the words for it."""
    session = Session.begin(installed_games.playable_game(game), NAMES, {}, MemoryLog(), seed=7)
    table, rng, seen = await open_app(make_bare_app(lang=lang), size), Random(3), set[object]()
    silent = []
    for _ in range(MAX_QUESTIONS_PER_GAME):
        if (question := session.question) is None:
            break
        sort = question.log_key, repr(getattr(question, "limits_json", {}).get("cant"))
        if sort not in seen:
            seen.add(sort)
            await show_table(table, session, layout)
            silent += [f"{question.log_key}: {key}" for key in silent_dead_keys(table)]
        answer(session, rng)
    assert seen
    assert not silent


async def show_table(table: Any, session: Session, layout: str) -> None:
    """Shows the open question of a session on the screen."""
    from ui.screens.play import PlayScreen

    table.app.stage.replace_screen(
        lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name=layout)
    )
    await table.wait_frames(4)
