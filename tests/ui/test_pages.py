"""Pages and dialogs: one line opens each, and each closes before it does what people chose."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.errors import UserError
from companion.requests.fields import NumberField
from companion.texts import say
from tests.support.ui.screen_sizes import make_bare_app


@pytest.fixture
async def table(open_app: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An app with an empty stage."""
    from ui import theme

    monkeypatch.setattr(theme, "IGNORED_REPEATED_TOUCH_SECONDS", 0.0)
    return await open_app(make_bare_app(lang="en"))


async def test_a_new_page_needs_its_file_and_one_line(table: Any) -> None:
    """The toy opens, asks before it does something, and its way back leads to what was there before."""
    from tests.probes.rockets import open_rockets

    open_rockets()
    await table.wait_frames()
    assert {"Rockets", "0 rockets", "Light one"} <= set(table.texts())
    await table.tap("light", "no")
    assert "0 rockets" in table.texts()
    await table.tap("light", "yes")
    assert "1 rockets" in table.texts()
    await table.tap("close")
    assert not table.app.stage.has_overlay


def test_the_product_does_not_know_the_page_of_a_test() -> None:
    """The toy isn't in any file that ships."""
    root = Path(__file__).parents[2]
    code = [path for room in ("companion", "hardware", "ui") for path in (root / room).rglob("*.py")]
    assert not [path for path in code if "Rocket" in path.read_text(encoding="utf-8")]


async def test_a_choice_closes_its_list_before_it_runs(table: Any) -> None:
    """What it runs may open the next page; a way out runs nothing."""
    from ui.pages import DialogChoice, open_choice_dialog

    chosen: list[tuple[str, bool]] = []

    def choose(name: str) -> DialogChoice:
        return DialogChoice(name, name.title(), lambda: chosen.append((name, table.app.stage.has_overlay)))

    for rows in (None, 4):
        open_choice_dialog("Which?", [choose("red"), choose("blue")], rows_per_page=rows)
        await table.wait_frames()
        assert {"Which?", "Red", "Blue", "Cancel"} <= set(table.texts())
        await table.tap("blue")
    open_choice_dialog("Which?", [choose("red")])
    await table.wait_frames()
    await table.tap("no")
    assert chosen == [("blue", False)] * 2
    assert not table.app.stage.has_overlay


async def test_what_can_not_be_undone_stands_apart(table: Any) -> None:
    """In a list it is below the others, left of the way out, with a gap between; between answers too."""
    from ui import theme
    from ui.pages import DialogChoice, open_choice_dialog, open_dialog

    delete = DialogChoice("delete", "Delete", look="danger")
    open_choice_dialog("What now?", [DialogChoice("home", "Home"), delete, DialogChoice("date", "Date")])
    await table.wait_frames()
    home, date, no, deletes = (table.find(name) for name in ("home", "date", "no", "delete"))
    assert deletes.look == "danger"
    assert deletes.top < min(home.y, date.y)
    assert deletes.right + theme.length.apart < no.x
    await table.tap("no")
    open_dialog("Delete it?", "It goes.", DialogChoice("no", "Keep it"), delete)
    await table.wait_frames()
    assert table.find("no").right + theme.length.apart < table.find("delete").x
    await table.tap("delete")
    assert not table.app.stage.has_overlay


async def test_what_can_not_be_pressed_now_can_be_read(table: Any) -> None:
    """A disabled key is an outline with quiet text, on felt and on paper, whatever its look."""
    from kivy.uix.boxlayout import BoxLayout

    from tests.support.ui.screen_faults import contrast_ratio, find_faults
    from ui import theme
    from ui.pages import Page, open_full_screen_dialog, open_page
    from ui.widgets.drawing.containers import add_children
    from ui.widgets.keys.key import Key
    from ui.widgets.keys.option_key import OptionKey

    def make_keys() -> list[Any]:
        looks = ("paper", "brass", "danger", "felt")
        disabled = [Key(name=look, text=f"Key {look}", look=look, disabled=True) for look in looks[:3]]
        explains = OptionKey(name="explains", text="Buy", detail_text="price 7", looks_disabled=True)
        return [*disabled, explains]

    page_keys = [*make_keys(), Key(name="felt", text="Key felt", look="felt", disabled=True)]
    page = open_page(add_children(Page("Disabled"), *page_keys))
    await table.wait_frames()
    assert not find_faults(table, (800, 480))
    assert {key.label.color[:] == list(theme.QUIET) for key in page_keys} == {True}
    page.close()
    paper_keys = make_keys()
    open_full_screen_dialog("Disabled", add_children(BoxLayout(orientation="vertical"), *paper_keys))
    await table.wait_frames()
    assert not find_faults(table, (800, 480))
    assert {key.label.color[:] == list(theme.INK_QUIET) for key in paper_keys} == {True}
    for text, ground in ((theme.QUIET, theme.FELT_LIT), (theme.INK_QUIET, theme.PAPER)):
        assert contrast_ratio(text, ground) >= 4.5


async def test_a_page_says_when_it_is_gone(table: Any) -> None:
    """Also where the screen below it is built again, which takes everything away."""
    from ui.pages import Page, open_page

    gone: list[str] = []
    for name in ("first", "second"):
        open_page(Page(name), on_removed=partial(gone.append, name))
        await table.wait_frames()
        if name == "first":
            await table.tap("close")
    assert gone == ["first"]
    table.app.stage.rebuild_screen()
    assert gone == ["first", "second"]


async def test_a_number_is_typed_within_its_limits(table: Any) -> None:
    """The pad says the limits, and gives the number after it has gone."""
    from ui.pages import open_number_pad

    typed: list[int] = []
    for most, sentence in ((9, "From 1 to 9"), (None, "1 or more")):
        field = NumberField(least=1, most=most)
        open_number_pad("How many?", field, typed.append, confirm_text="Take {amount}")
        await table.wait_frames()
        assert {"How many?", sentence} <= set(table.texts())
        await table.tap("7", "confirm")
    assert typed == [7, 7]
    assert not table.app.stage.has_overlay


async def test_a_refusal_is_explained(table: Any) -> None:
    """The sentence of the error is shown until somebody has read it."""
    from ui.pages import run_or_explain

    def refuse() -> None:
        raise UserError(say("The box is closed."))

    assert run_or_explain(lambda: None)
    assert not run_or_explain(refuse)
    await table.wait_frames()
    assert "The box is closed." in table.texts()
    await table.tap("Understood")
    assert not table.app.stage.has_overlay
