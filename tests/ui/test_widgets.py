"""The pieces by touch, each alone on the felt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.ui.screen_sizes import make_bare_app
from tests.support.ui.text_checks import check_all_texts_are_whole


@pytest.fixture
async def lay(open_app: Any) -> Callable[..., Any]:
    """Show one widget alone; gives the table and the widget."""
    table = await open_app(make_bare_app())

    async def show(make: Callable[[], Any]) -> tuple[Any, Any]:
        table.app.stage.replace_screen(make)
        await table.wait_frames()
        return table, table.app.stage.screen

    return show


@pytest.fixture
def still() -> Iterator[None]:
    """Reduced motion, for one test."""
    from ui import theme

    theme.reduced_motion = True
    yield
    theme.reduced_motion = False


async def test_a_name_in_kana_is_typed_with_marks_and_small_letters(lay: Any) -> None:
    """ジュン: shi, voiced, small yu, n, in katakana."""
    from ui.widgets.keys.keyboard import Keyboard

    done: list[str] = []
    table, keyboard = await lay(lambda: Keyboard(script="hiragana"))
    keyboard.bind(on_done=lambda _, text: done.append(text))
    await table.tap("katakana", "シ", "゛", "ユ", "小", "ン", "ア", "delete", "done")
    assert done == ["ジュン"]


@pytest.mark.parametrize(("script", "narrow"), [("hiragana", 1.0), ("latin", 0.85)])
async def test_upright_the_keyboard_lies_under_the_thumbs(open_app: Any, script: str, narrow: float) -> None:
    """Large enough for them, low on the page; ten Latin letters beside each other are narrower."""
    from ui import theme
    from ui.widgets.keys.key import Key
    from ui.widgets.keys.keyboard import Keyboard

    app = make_bare_app()
    table = await open_app(app, (720, 1280))
    app.stage.replace_screen(lambda: Keyboard(script=script, heading="Name of seat 1"))
    await table.wait_frames()
    board = app.stage.screen
    keys = [each for each in table.widgets() if isinstance(each, Key) and each is not board.cancel_key]
    assert len(keys) >= 40
    for key in keys:
        assert key.width >= theme.length.target * narrow
        assert key.height >= theme.length.target
        assert 0 <= key.x <= key.right <= 720
        assert 0 <= key.y <= key.top <= 1280 - theme.length.row * 1.5
    check_all_texts_are_whole(table.widgets())


@pytest.fixture
def held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who touches a letter holds it."""
    from ui import theme

    monkeypatch.setattr(theme, "LONG_PRESS_FOR_ACCENTS_SECONDS", 0.0)


@pytest.mark.usefixtures("held_at_once")
async def test_a_held_letter_offers_its_accents_and_the_finger_slides_to_one(lay: Any) -> None:
    """It stands there in place of the plain letter; the first one is large."""
    from ui.widgets.keys.keyboard import Keyboard

    table, keyboard = await lay(Keyboard)
    for plain, accent in (("E", "É"), ("o", "ø"), ("a", "å")):
        touch = table.press(plain)
        await table.wait_frames()
        x, y = table.find(accent).center
        touch.touch_move(x, y)
        await table.wait_frames(1)
        assert table.find(accent).state == "down"
        touch.touch_up(x, y)
        await table.wait_frames()
    assert keyboard.text == "Éøå"


@pytest.mark.usefixtures("held_at_once")
async def test_an_accent_may_be_chosen_by_a_second_touch(lay: Any) -> None:
    """A touch beside them takes them away and types what it touches."""
    from ui.widgets.keys.keyboard import Keyboard

    table, keyboard = await lay(lambda: Keyboard(text="Gro"))
    for _ in range(2):
        touch = table.press("s")
        await table.wait_frames()
        touch.touch_up()
        await table.wait_frames()
        if keyboard.text == "Gros":
            await table.tap("ß")
    assert keyboard.text == "Großs"
    await table.tap("n")
    assert keyboard.text == "Großsn"
    assert "ß" not in table.texts()


@pytest.mark.usefixtures("held_at_once")
async def test_a_name_that_is_full_offers_no_accent(lay: Any) -> None:
    """Else it would take the place of another letter."""
    from ui.widgets.keys.keyboard import Keyboard

    table, keyboard = await lay(lambda: Keyboard(text="Jose", max_letters=4))
    touch = table.press("e")
    await table.wait_frames()
    touch.touch_up()
    assert "é" not in table.texts()
    assert keyboard.text == "Jose"


@pytest.mark.sweep(2)
@pytest.mark.parametrize("script", ["hiragana", "katakana", "latin"])
async def test_the_keyboard_has_room_on_a_small_upright_panel(open_app: Any, script: str) -> None:
    """At 480×800 every key is on the panel, and none lies over another."""
    from tests.support.ui.screen_faults import find_faults
    from ui.widgets.keys.keyboard import Keyboard

    table = await open_app(make_bare_app(), (480, 800))
    table.app.stage.replace_screen(lambda: Keyboard(script=script, heading="Name of seat 1"))
    await table.wait_frames(3)
    assert find_faults(table, (480, 800)) == []


def test_large_letters_have_large_accents() -> None:
    """An ß has none in our fonts; a digit has no accents at all."""
    from ui.widgets.keys.keyboard import accented_variants

    assert accented_variants("s") == "ßśšş"
    assert accented_variants("S") == "ŚŠŞ"
    assert accented_variants("1") == ""


async def test_what_sleeps_takes_no_touch_beside_it(lay: Any) -> None:
    """A sleeping sign at the right leaves the corner at the left below to the key that is there."""
    from kivy.uix.floatlayout import FloatLayout

    from ui.widgets.keys.key import Key

    pressed: list[str] = []
    corner = Key(name="corner", size_hint=(None, None), on_release=lambda key: pressed.append(key.name))
    asleep = Key(icon="minus", disabled=True, size_hint=(None, None), pos=(400, 300))

    def both() -> FloatLayout:
        layout = FloatLayout()
        layout.add_widget(corner)
        layout.add_widget(asleep)
        return layout

    table, _ = await lay(both)
    await table.tap("corner")
    assert pressed == ["corner"]


async def test_a_name_has_an_end_and_no_space_at_its_ends(lay: Any) -> None:
    """The keyboard stops at `most` letters; a name of spaces can't be finished."""
    from ui.widgets.keys.keyboard import Keyboard

    done: list[str] = []
    table, keyboard = await lay(lambda: Keyboard(max_letters=4))
    keyboard.bind(on_done=lambda _, text: done.append(text))
    await table.tap("space", "done")
    assert not done
    await table.tap("J", "o", "space", "A", "b", "delete", "done")
    assert done == ["Jo"]


async def test_the_pad_confirms_only_what_fits(lay: Any) -> None:
    """Below the least, above the most and between the steps the brass key is asleep."""
    from ui.widgets.keys.number_pad import NumberPad

    heard: list[int] = []
    table, pad = await lay(lambda: NumberPad(least=10, most=50, step=5))
    pad.bind(on_confirm=lambda _, amount: heard.append(amount))
    for digits in ("5", "51", "12"):
        await table.tap("clear", *digits, "confirm")
    assert not heard
    await table.tap("clear", "1", "5", "+5", "confirm")
    assert heard == [20]


async def test_quick_keys_stay_between_least_and_most(lay: Any) -> None:
    """Stepping from nothing begins at the least."""
    from ui.widgets.keys.number_pad import NumberPad

    table, pad = await lay(lambda: NumberPad(least=3, most=7))
    await table.tap("+1")
    assert pad.amount == 3
    await table.tap("−1")
    assert pad.amount == 3
    await table.tap("+5")
    assert pad.amount == 7


async def test_a_pad_of_negative_numbers_starts_at_0_and_has_a_sign(lay: Any) -> None:
    """No key leads to a number that nobody typed, and what is deleted down to its sign is no number."""
    from ui.widgets.keys.number_pad import NumberPad

    heard: list[int] = []
    table, pad = await lay(lambda: NumberPad(least=-9999, most=9999))
    pad.bind(on_confirm=lambda _, amount: heard.append(amount))
    await table.tap("+1", "confirm")
    await table.tap("delete", "0", "−1", "delete")
    assert (pad.amount_label.text, pad.confirm_key.disabled) == ("−", True)
    await table.tap("delete", "delete", "sign", "1", "2", "confirm", "sign", "confirm")
    assert heard == [1, -12, 12]


async def test_the_first_digit_replaces_an_offered_amount(lay: Any) -> None:
    """12 is offered; 3 and 4 make 34."""
    from ui.widgets.keys.number_pad import NumberPad

    table, pad = await lay(NumberPad)
    pad.prefill_amount(12)
    await table.tap("3", "4")
    assert pad.amount == 34


async def test_the_way_out_of_a_pad_is_there_only_when_it_is_named(lay: Any) -> None:
    """Who must bid sees no withdrawal."""
    from ui.widgets.keys.number_pad import NumberPad

    heard: list[str] = []
    table, pad = await lay(NumberPad)
    pad.bind(on_decline=lambda _: heard.append("no"))
    assert pad.decline_key.parent is None
    pad.decline_text = "Withdraw"
    await table.wait_frames()
    await table.tap("Withdraw")
    assert heard == ["no"]
    pad.decline_text = ""
    assert pad.decline_key.parent is None


async def test_a_closed_envelope_shows_a_name_and_nothing_of_its_amount(lay: Any) -> None:
    """The amount is read only when the slip is out."""
    from ui.widgets.seats.envelope import Envelope

    opened: list[str] = []
    table, envelope = await lay(lambda: Envelope(name="Ben", is_waiting=False))
    envelope.bind(on_opened=lambda _: opened.append("open"))
    assert set(table.texts()) == {"Ben"}
    envelope.open("12")
    await table.wait_until(lambda: bool(opened))
    assert {"Ben", "12"} == set(table.texts())


async def test_with_reduced_motion_an_envelope_opens_at_once(lay: Any, still: None) -> None:
    """Nothing moves, nothing is waited for."""
    from ui.widgets.seats.envelope import Envelope

    table, envelope = await lay(lambda: Envelope(name="Ben", is_waiting=False))
    envelope.open("7")
    await table.wait_frames(4)
    assert envelope.slip == 1.0


async def test_nothing_under_a_dialog_or_cover_can_be_touched(lay: Any) -> None:
    """The answer of the dialog is the only thing that goes through."""
    from ui.widgets.keys.key import Key
    from ui.widgets.seats.private_view import HandOverCover
    from ui.widgets.sheets.overlays import Dialog

    heard: list[str] = []
    table, key = await lay(lambda: Key(text="Below"))
    key.bind(on_release=lambda _: heard.append("below"))
    dialog = Dialog(title="Sure?", answers=[("no", "No", "paper"), ("yes", "Yes", "brass")])
    dialog.bind(on_answer=lambda _, answer: heard.append(answer))
    table.app.stage.show_overlay(dialog)
    await table.wait_frames()
    await table.tap("Below", "Yes")
    assert heard == ["yes"]
    cover = HandOverCover(text="Aki, take the screen")
    table.app.stage.show_overlay(cover)
    await table.wait_frames()
    await table.tap("Below")
    assert heard == ["yes"]


async def test_a_bar_says_what_was_pressed_and_what_is_asleep(lay: Any) -> None:
    """A greyed sign does nothing."""
    from ui.widgets.keys.icon_bar import IconBar

    heard: list[str] = []
    table, bar = await lay(lambda: IconBar(label_by_name={"language": "日本語"}))
    bar.bind(on_icon_press=lambda _, name: heard.append(name))
    bar.set_enabled("redo", is_enabled=False)
    await table.tap("undo", "redo", "language")
    assert heard == ["undo", "language"]


async def test_a_bar_shows_the_words_that_have_room(lay: Any) -> None:
    """Below the icons, in the reader's language, and the narrowest first; every key keeps its name."""
    from ui import theme
    from ui.widgets.keys.icon_bar import IconBar

    def words() -> dict[str, str]:
        return {name: key.shown_caption for name, key in bar.keys.items()}

    table, bar = await lay(lambda: IconBar(icon_names=["undo", "redo", "up"], orientation="horizontal"))
    bar.size_hint, bar.size = (None, None), (6 * theme.length.target, theme.length.target)
    await table.wait_frames()
    assert words() == {"undo": "Undo", "redo": "Redo", "up": ""}
    table.app.lang = "ja"
    await table.wait_frames()
    assert words() == {"undo": "戻す", "redo": "やり直す", "up": ""}
    bar.width = 3 * theme.length.target
    await table.wait_frames()
    assert words() == {"undo": "戻す", "redo": "", "up": ""}
    assert {key.width for key in bar.keys.values()} == {theme.length.target}


async def test_a_pager_shows_every_thing_once(lay: Any) -> None:
    """Seven things, four a page: two pages and no scrolling."""
    from ui.widgets.keys.key import Key
    from ui.widgets.keys.pager import Pager

    table, _ = await lay(lambda: Pager(items=[Key(text=f"Thing {n}") for n in range(7)], cols=2, rows=2))
    first = {text for text in table.texts() if text.startswith("Thing")}
    await table.tap("page on")
    second = {text for text in table.texts() if text.startswith("Thing")}
    assert (len(first), len(second)) == (4, 3)
    assert not first & second


async def test_a_pager_shows_more_as_soon_as_it_has_more_columns_or_rows(lay: Any) -> None:
    """Its page fills up at once when whoever lays it out finds room for more."""
    from ui.widgets.keys.key import Key
    from ui.widgets.keys.pager import Pager

    table, pager = await lay(lambda: Pager(items=[Key(text=f"Thing {n}") for n in range(7)], cols=2, rows=1))
    shown = [len(pager.grid.children)]
    for name, count in (("cols", 3), ("rows", 2), ("cols", 1)):
        setattr(pager, name, count)
        await table.wait_frames(1)
        shown.append(len([text for text in table.texts() if text.startswith("Thing")]))
    assert shown == [2, 3, 6, 2]


async def test_a_filler_takes_no_height_that_cards_need(lay: Any) -> None:
    """In a column that gets as low as its cards need, they stay inside."""
    from kivy.uix.boxlayout import BoxLayout
    from kivy.uix.widget import Widget

    from ui.widgets.drawing.containers import add_children, make_filler

    column = BoxLayout(orientation="vertical", spacing=6, size_hint=(None, None), size=(100, 400))
    cards = [Widget(size_hint_min_y=least, size_hint_max_y=93.6) for least in (64, 71.2)]
    table, _ = await lay(lambda: add_children(BoxLayout(), add_children(column, *cards, make_filler())))
    for height in (400, 151.12):
        column.height = height
        await table.wait_frames(2)
        assert max(card.top for card in cards) <= column.top + 1, height


async def test_the_texts_of_two_keys_on_felt_stay_apart(lay: Any) -> None:
    """Nothing but the space between them shows where one ends."""
    from kivy.uix.boxlayout import BoxLayout

    from tests.support.ui.text_checks import ink_box_in_window
    from ui import theme
    from ui.widgets.drawing.containers import add_children
    from ui.widgets.drawing.text import measure_text_width
    from ui.widgets.keys.key import Key

    keys = [Key(text=text, look="felt", lines=1) for text in ("Cards & tags", "Cards & tags")]
    row = BoxLayout(size_hint=(None, None), height=theme.length.target)
    row.width = 2 * measure_text_width(keys[1].text, theme.length.key) + theme.length.gap
    table, _ = await lay(lambda: add_children(BoxLayout(), add_children(row, *keys)))
    await table.wait_frames(2)
    left, right = (ink_box_in_window(key.label) for key in keys)
    assert right[0] - left[2] >= theme.length.space
