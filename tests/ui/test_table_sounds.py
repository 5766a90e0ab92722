"""Which sound effect is heard when: it follows from what everybody may see, and tells nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion import installed_games, logtext
from companion.actions import REDO, UNDO
from companion.clocks import parse_clocks
from companion.log.log import MemoryLog
from companion.recorded_match import RecordedMatch
from companion.session.session import Session
from companion.session.view import Holding, View, make_view
from companion.testing.noninterference import _answer_both_games, swap_covered_pieces
from tests.games.test_scenes import answer
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_randomly, make_test_app
from tests.support.ui.sealing import seal_bid_by_touch

pytestmark = pytest.mark.usefixtures("without_motion")
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.log"))
GAMES_WITH_COVERED_PIECES = ("bidders", "high_bid", "oyakata")
Look = Callable[[Session], View]


def effect_of_change(before: View | None, after: View | None) -> str | None:
    """What is heard of a change; Kivy may only be loaded once the window is made."""
    from ui.evening import table_sounds

    return table_sounds.effect_of_change(before, after)


def golden_views(path: Path) -> list[View]:
    """The views of everybody in a golden match: before the first step and after each."""
    match = RecordedMatch(logtext.parse_log_text(path.read_text(encoding="utf-8")))
    views = [make_view(match.session)]
    while not match.is_over:
        match.play_next_step()
        views.append(make_view(match.session))
    return views


CASES = [
    ("egypt-3", "Choose: Who leads the first auction?", None),
    ("egypt-3", "Raise @1: chip 4", None),  # the bidding goes on
    ("high_bid-2", "Raise @2: lot 29", "gavel"),  # nobody bids
    ("bidders-3", "Read: Round 1: turn up the white card", "card"),
    ("bidders-3", "Amount @3: Round 1: dollars from the black card to the white card", "coins"),
    ("bidders-3", "Amount @1: Round 2: dollars from the black card to the white card", "coin"),
    ("bidders-3", "Amount @1: Round 1: your workers on the white card", "chip"),
    ("bidders-3", "Together @1 @3: Round 1: cooperation", "envelope"),
    ("bidders-3", "Choose @3: Round 1: bid on a card, or pass", None),
    ("bidders-3", "Choose @2: Round 2: bid on a card, or pass", "your_turn"),
    ("mammon-3", "Choose @1: Survey a first card", "coin"),
    ("oyakata-3", "Counts @1: Gems sold", "coins"),
]
"""A golden match, the log key of a question, and the effect of its first answer."""


@pytest.mark.parametrize(("log", "log_key", "effect"), CASES)
def test_a_change_is_heard_as_what_it_is(log: str, log_key: str, effect: str | None) -> None:
    """Cards, money and other pieces sound like themselves; a bid and a second choice are silent."""
    for before, after in pairwise(golden_views(Path(__file__).parents[1] / "golden" / f"{log}.log")):
        assert before.question is not None
        if before.question.log_key == log_key:
            assert effect_of_change(before, after) == effect
            return
    pytest.fail(f"{log} has no {log_key}")


@pytest.mark.sweep(5)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_match_sounds_like_its_game(path: Path) -> None:
    """Each sealed round sounds like an envelope, each sale is heard, and the end waits for the winners."""
    views = golden_views(path)
    for before, after in pairwise(views):
        assert before.question is not None
        effect = effect_of_change(before, after)
        if after.result is not None:
            assert effect is None
        elif before.question.is_sealed and after.question_number > before.question_number:
            assert effect == ("envelope" if after.opened_envelopes else "coin")  # else people move it by hand
        elif before.question.kind == "Raise" and (after.question is None or after.question.kind != "Raise"):
            assert effect in {"sold", "gavel"}
        else:
            assert effect not in {"fanfare", "envelope"}


def test_what_only_opens_is_silent() -> None:
    """A game that is opened, left or looked at later, and a score so far make no sound."""
    session = Session.begin(installed_games.playable_game("bidders"), NAMES, {}, MemoryLog(), seed=2)
    rng = Random(3)
    for _ in range(12):
        answer(session, rng)
    before = make_view(session)
    assert effect_of_change(None, before) is None
    assert effect_of_change(before, None) is None
    *_, last = golden_views(GOLDEN[0])
    assert effect_of_change(last, before) is None
    so_far = msgspec.structs.replace(last, is_score_so_far=True)
    assert effect_of_change(before, so_far) is None


def test_a_new_name_moves_nothing() -> None:
    """A seat that is renamed keeps its pieces."""
    session = Session.begin(installed_games.playable_game("bidders"), NAMES, {}, MemoryLog(), seed=2)
    for _ in range(12):
        answer(session, Random(3))
    before = make_view(session)
    session.rename_player(session.table.seats[0], "Zoe")
    assert effect_of_change(before, make_view(session)) is None


# Secrets


def effects_of_sealed_round(bids: dict[str, int], look: Look = make_view) -> list[str | None]:
    """What is heard of a round of Sealed bid until the last envelope is closed; the first seat bids twice."""
    session = Session.begin(installed_games.playable_game("sealed_bid"), [*bids], {}, MemoryLog(), seed=7)
    first = session.table.seats[0]
    n, effects = session.question_number, list[str | None]()
    for seat in (first, *session.table.seats):
        before = look(session)
        session.put_answer_in_envelope(n, seat, bids[seat.name] if effects else bids[seat.name] // 2)
        effects.append(effect_of_change(before, look(session)))
    return effects


def uncovered_view(session: Session) -> View:
    """A view that leaks: it counts what lies covered."""
    holdings = tuple(Holding(one.place, one.piece, one.count) for one in session.table.ledger if one.count)
    return msgspec.structs.replace(make_view(session), holdings=holdings)


def view_with_opened_envelopes(session: Session) -> View:
    """A view that leaks: its seals are the answers, and only an odd one is a seal."""
    view = make_view(session)
    envelopes = tuple(
        msgspec.structs.replace(one, seal="1" if session.drafts[one.seat].answer % 2 else "")
        if one.seat in session.drafts
        else one
        for one in view.envelopes
    )
    return msgspec.structs.replace(view, envelopes=envelopes)


ONE, OTHER = {"Aki": 4, "Ben": 0, "Chie": 90}, {"Aki": 99, "Ben": 51, "Chie": 1}


def test_every_envelope_sounds_the_same() -> None:
    """Whatever is inside, and whoever closes it again; the last one, which opens all, sounds the same too."""
    assert effects_of_sealed_round(ONE) == effects_of_sealed_round(OTHER) == ["envelope"] * 4


def test_a_seal_that_tells_is_heard() -> None:
    """If a seal depended on the answer, two rounds would differ."""
    look = view_with_opened_envelopes
    assert effects_of_sealed_round(ONE, look) != effects_of_sealed_round(OTHER, look)


def effects_of_covered_twins(game: str, seed: int, look: Look) -> list[tuple[str | None, str | None]]:
    """What is heard of two games that differ only in what lies covered, and then get the same answers."""
    rules, log, rng = installed_games.playable_game(game), MemoryLog(), Random(seed)
    session = Session.begin(rules, NAMES[: rules.players[1]], {}, log, seed=seed)
    for _ in range(30):
        answer(session, rng)
    one, other = (Session(session.game, list(log), MemoryLog(), salt=lambda: "0" * 32) for _ in range(2))

    def steps() -> Iterator[bool]:
        yield swap_covered_pieces(one, other, rng) is not None
        for _ in range(20):
            yield _answer_both_games(one, other, rng)

    effects, before, other_before = [], look(one), look(other)
    for is_played in steps():
        if not is_played or make_view(one).holdings != make_view(other).holdings:
            break
        after, other_after = look(one), look(other)
        effects.append((effect_of_change(before, after), effect_of_change(other_before, other_after)))
        before, other_before = after, other_after
    assert len(effects) > 1, "the twins were never played"
    return effects


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("game", GAMES_WITH_COVERED_PIECES)
def test_what_lies_covered_is_not_heard(game: str, seed: int) -> None:
    """Two tables that differ only in purses, hands, face-down cards or bags sound alike, answer by answer."""
    effects = effects_of_covered_twins(game, seed, make_view)
    assert [one for one, _ in effects] == [other for _, other in effects]


def test_a_view_that_leaks_is_heard() -> None:
    """If covered pieces counted, the twins would sound different."""
    differences = [
        one != other
        for game in GAMES_WITH_COVERED_PIECES
        for one, other in effects_of_covered_twins(game, 0, uncovered_view)
    ]
    assert any(differences)


# At the table


@pytest.fixture
async def heard(open_app: Any, tmp_path: Path) -> Callable[..., Any]:
    """A function that opens an app; it returns the app and the list of the effects that it plays."""

    async def start(folder: str = "state") -> tuple[Any, list[str]]:
        table = await open_app(make_test_app(tmp_path / folder, lang="en"))
        await table.wait_until(lambda: hasattr(table.app, "table_flow"))
        effects: list[str] = []
        play = table.app.sounds.play

        def listen(effect: Any) -> None:
            play(effect)
            effects.append(effect)

        table.app.sounds.play = listen
        table.app.table_flow._sounds._play = listen
        return table, effects

    return start


async def begin(table: Any, game: str) -> Any:
    """A game lies on the table."""
    table.app.controller.start_new_game(game, NAMES, COLOURS, {})
    await table.wait_frames()
    return table.app.controller


async def test_a_sealed_round_by_touch_sounds_the_same_for_all_bids(heard: Any) -> None:
    """One envelope for each player and nothing between; the gavel follows when the winner is lit up."""
    rounds = []
    for bids in ((7, 95, 3), (12, 0, 40)):
        table, effects = await heard(str(bids))
        await begin(table, "sealed_bid")
        moments: list[list[str]] = []
        for name, bid in zip(NAMES, bids, strict=True):
            await seal_bid_by_touch(table, name, bid)
            moments.append(effects[: len(moments) + 1])
        await table.wait_until(lambda effects=effects: effects[-1:] == ["gavel"])
        rounds.append([*moments, effects])
        table.app.stop()
        await table.running
        for left in table.window.children[:]:
            table.window.remove_widget(left)
    envelopes = [["envelope"], ["envelope"] * 2, ["envelope"] * 3]
    assert rounds[0] == rounds[1] == [*envelopes, [*envelopes[-1], "gavel"]]


async def test_a_refused_sealed_answer_is_silent(heard: Any) -> None:
    """A sound would tell everybody that somebody wanted to bid too much; a refusal in the open is heard."""
    table, effects = await heard()
    controller = await begin(table, "sealed_bid")
    seat = controller.view.seats[0]
    controller.seal_answer_in_envelope(controller.view.question_number, seat, -1)
    await table.wait_frames()
    assert effects == []
    controller.leave_table()
    controller = await begin(table, "egypt")
    controller.answer_question(controller.view.question_number, "nobody")
    await table.wait_frames()
    assert effects == ["refusal"]


async def test_a_private_refusal_is_silent(heard: Any) -> None:
    """Only one player may know of it."""
    table, effects = await heard()
    controller = await begin(table, "egypt")
    controller.dispatch("on_private_refusal", controller.view.game_title, controller.view.seats[0])
    await table.wait_frames()
    assert effects == []


async def test_undo_and_redo_are_silent(heard: Any) -> None:
    """They restore what was there; another answer after an undo is heard."""
    table, effects = await heard()
    controller = await begin(table, "oyakata")
    rng = Random(3)
    while effects[-1:] not in (["coin"], ["coins"]):
        assert controller.view.question is not None
        answer_randomly(controller, rng)
        await table.wait_frames()
    restored = [*effects]
    step = controller.evening.current_session.steps[-1]
    for action in (UNDO, REDO, UNDO):
        controller.run_table_action(action, {}, action.confirmations)
        await table.wait_frames()
        assert effects == restored
    controller.answer_question(controller.view.question_number, step.answer)
    await table.wait_frames()
    assert effects == [*restored, restored[-1]]


async def test_the_fanfare_is_for_the_winners(heard: Any) -> None:
    """It is heard once, when the ceremony announces them; a new size and a redo to the end are silent."""
    table, effects = await heard()
    controller = await begin(table, "sealed_bid")
    for seat in controller.view.seats:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, seat.number)
    table.app.table_flow.last_reveal_screen.close()
    controller.answer_question(controller.view.question_number, "finish")
    assert "fanfare" not in effects
    await table.wait_until(lambda: table.app.stage.screen.is_ceremony_over)
    await table.wait_frames()
    assert effects.count("fanfare") == 1
    table.app.stage.rebuild_screen()
    assert table.app.stage.screen.is_ceremony_over
    for action in (UNDO, REDO):
        controller.run_table_action(action, {}, action.confirmations)
        await table.wait_frames()
    assert table.app.stage.screen.is_ceremony_over
    assert effects.count("fanfare") == 1


async def test_only_the_most_important_effect_is_heard(heard: Any) -> None:
    """Of several in one frame the first in the order of `EFFECTS`; the next frame begins anew."""
    table, effects = await heard()
    sounds = table.app.table_flow._sounds
    for effect in ("your_turn", "time_up", "coins"):
        sounds.play_soon(effect)
    await table.wait_frames()
    assert effects == ["time_up"]
    sounds.play_soon("coins")
    await table.wait_frames()
    assert effects == ["time_up", "coins"]


async def test_one_touch_turns_all_sounds_off_and_keeps_the_volume(heard: Any) -> None:
    """At the table, at home and on every page; the icon shows the state, and a coin says: sounds are on."""
    table, effects = await heard()
    table.app.controller.change_setting("volume", 2)
    await table.tap("sound")
    settings = table.app.controller.settings
    assert (settings.sound, settings.volume, table.app.sounds.volume) == (False, 2, 0)
    await table.tap("settings", "muted")
    assert (table.app.controller.settings.sound, table.app.sounds.volume) == (True, 2)
    await table.tap("sound", "close")
    await begin(table, "egypt")
    await table.tap("muted")
    assert table.app.sounds.volume == 2
    assert table.find("sound").icon == "sound"
    assert {*effects} == {"coin"}


async def test_sound_turned_on_can_be_heard(heard: Any) -> None:
    """At volume 0 a touch of the icon sets the usual volume."""
    table, _ = await heard()
    table.app.controller.change_setting("volume", 0)
    await table.tap("muted")
    settings = table.app.controller.settings
    assert (settings.sound, settings.volume) == (True, 3)


async def test_without_sound_nothing_is_played(heard: Any) -> None:
    """The loudspeaker isn't even opened."""
    from ui.sound import SoundPlayer

    player = SoundPlayer()
    player.volume = 0
    player.load()
    player.play("coin")
    assert player.last_played is None
    assert player._sound_by_effect is None


async def test_every_effect_can_be_played(heard: Any) -> None:
    """Kivy plays the shipped files; a volume is a gain."""
    from ui.sound import EFFECTS, GAIN_BY_VOLUME

    table, _ = await heard()
    player = table.app.sounds
    assert {*player._sound_by_effect} == {*EFFECTS}
    for volume in range(1, len(GAIN_BY_VOLUME)):
        player.volume = volume
        player.play("coins")
        sound = player._sound_by_effect["coins"]
        assert (sound.state, sound.volume) == ("play", GAIN_BY_VOLUME[volume])


def test_each_volume_is_five_decibels_louder() -> None:
    """The setting has a gain for each value, and ears hear equal steps."""
    from companion.settings import find_setting
    from ui.sound import GAIN_BY_VOLUME

    volume = find_setting("volume").description
    assert (volume.least, volume.most) == (0, len(GAIN_BY_VOLUME) - 1)
    steps = [louder / softer for softer, louder in pairwise(GAIN_BY_VOLUME[1:])]
    assert steps == pytest.approx([10 ** (5 / 20)] * 4, rel=0.02)


async def test_where_the_bar_is_short_the_icon_is_behind_the_last_one(heard: Any) -> None:
    """On a small flat panel with clocks the bar keeps what is needed more often."""
    table, _ = await heard()
    table.app.controller.change_setting("placement", "flat")
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {}, parse_clocks("turn=1:00 ring"))
    await table.wait_frames()
    assert "sound" in table.app.stage.screen.bar.hidden_icons
    await table.tap("more", "Sound off")
    assert not table.app.is_sound_on
    await table.tap("more", "Sound on")
    assert table.app.is_sound_on
