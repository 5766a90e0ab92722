"""Templates of Any Game by touch: from set-up and from the cards, copied, changed, given away, taken in."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.errors import UserError
from companion.games.any_game.rulebook import GAME
from companion.texts import say_plain_text
from tests.any_game_presets import library
from tests.support.soak import SOAK
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.support.ui.setting_slips import turn_to_slip
from ui.evening.preset_service import PresetService

pytestmark = pytest.mark.usefixtures("without_motion")
ONE_OF = 1 if SOAK else 3
"""One in this many pages of the forms is looked at."""


def own(table: Any) -> list[str]:
    """The templates that people have made."""
    return library(table.app.evening.store.directory).own_names()


def service(table: Any) -> Any:
    """The presets of Any Game, as the pages see them."""
    return table.app.preset_flow.make_service(GAME)


def rows(table: Any, name: str) -> dict[str, dict[str, Any]]:
    """What stands in a template, by its ids."""
    return {str(row["id"]): row for row in service(table).load_preset_rows(name).cards}


async def mine(table: Any) -> None:
    """The page of a template that began as the poker chips."""
    await table.tap("cards", "presets any_game")
    await reach(table, "template poker")
    await table.tap("copy", "M", "done")
    assert own(table) == ["m"]


async def reach(table: Any, name: str) -> None:
    """Turns pages until that key is there, and touches it."""
    while name not in [getattr(widget, "name", "") for widget in table.widgets()]:
        await table.tap("page on")
    await table.tap(name)


async def test_a_template_is_copied_and_its_pieces_changed(home: Any) -> None:
    """One that came along is only copied; a field is turned, typed or chosen from a list, and kept."""
    await mine(home)
    await home.tap("design white", "more start", "type supply", "5", "0", "confirm")
    await home.tap("type colour", "grey", "described")
    white = rows(home, "m")["white"]
    assert (white["start"], white["supply"], white["colour"]) == (21, 50, "grey")
    assert rows(home, "poker")["white"]["start"] == 20
    await home.tap("design red", "name", "delete", "x", "done", "described")
    assert rows(home, "m")["red"]["name"] == "red chix"


async def test_pieces_are_added_moved_and_taken_out(home: Any) -> None:
    """A new one is named first; what comes first pays the bids; nothing is kept that is given up."""
    await mine(home)
    before = list(rows(home, "m"))
    await reach(home, "add piece")
    await home.tap("G", "done", "cancel")
    assert list(rows(home, "m")) == before
    await reach(home, "add piece")
    await home.tap("G", "done", "described")
    assert list(rows(home, "m")) == [*before, "piece 1"]
    await home.tap("design piece 1", "earlier")
    pieces = [name for name, row in rows(home, "m").items() if row["kind"] == "piece"]
    assert pieces == ["white", "red", "piece 1", "blue"]
    await home.tap("design red", "remove")
    assert "red" not in rows(home, "m")


async def test_what_can_not_be_is_a_sentence_at_the_form(home: Any) -> None:
    """Two pieces of one name, rules twice, nothing at all; a turn of a field takes the sentence away."""
    service(home).duplicate_preset("plain", "m")
    await home.tap(
        "cards", "presets any_game", "template m", "design points", "remove", "design coin", "remove"
    )
    assert "A template can't be empty." in home.texts()
    await home.tap("more start")
    assert "A template can't be empty." not in home.texts()
    await home.tap("cancel")
    for said in ("B", "C"):
        await reach(home, "add rules")
        await home.tap(said, "done", "described")
    assert 'Only one card can have kind = "rules".' in home.texts()
    assert list(rows(home, "m")) == ["coin", "rules 1"]
    await home.tap("cancel")
    for _ in range(2):
        await reach(home, "add piece")
        await home.tap("G", "done", "described")
    assert "There is already another G. Choose a different name." in home.texts()


async def test_a_row_of_numbers_is_changed(home: Any) -> None:
    """Each is turned or typed, and there may be one more or one less, as far as that is allowed."""
    service(home).duplicate_preset("train", "m")
    await home.tap("cards", "presets any_game", "template m")
    await reach(home, "board prices")
    before = [int(number) for number in service(home).load_preset_rows("m").board["prices"]]
    await home.tap("fewer", "page back", "page back", "more 1", "entered")
    assert service(home).load_preset_rows("m").board["prices"] == [before[0] + 1, *before[1:-1]]
    await reach(home, "board prices")
    await home.tap("more", "entered")
    assert len(service(home).load_preset_rows("m").board["prices"]) == len(before)


async def test_a_field_says_what_it_means(home: Any) -> None:
    """The sentence of the field that was turned last stands below the form."""
    await mine(home)
    await home.tap("design white", "more supply")
    assert (
        "Number of these pieces in the bank at the start. 0 means that the bank never runs out."
        in home.texts()
    )


async def test_a_template_is_called_otherwise_and_deleted(home: Any) -> None:
    """It is asked first; the list shows what there is, and a favourite stays one."""
    from ui.evening.preset_choices import PresetChoices, PresetOfGame

    await mine(home)
    choices, old = PresetChoices(home.app.controller), PresetOfGame("any_game", "m")
    choices.toggle_favourite(old)
    choices.remember_played(old)
    await home.tap("rename", "y", "done")
    assert own(home) == ["my"]
    assert (choices.favourites, choices.recent_names("any_game")) == ([("any_game", "my")], ["my"])
    await home.tap("delete", "no")
    assert own(home) == ["my"]
    await home.tap("delete", "yes")
    assert own(home) == []
    assert (choices.favourites, choices.recent_names("any_game")) == ([], [])
    assert "template my" not in [getattr(widget, "name", "") for widget in home.widgets()]


async def test_a_template_goes_to_a_file_and_comes_from_one(home: Any, tmp_path: Path) -> None:
    """Without a stick the file lies beside the games; what is in no file can't be taken, and it is said."""
    await home.tap("cards", "presets any_game", "import")
    assert any(text.startswith("No file was found.") for text in home.texts())
    await home.tap("done")
    await reach(home, "template train")
    await home.tap("export")
    file = home.app.evening.store.directory / "exports/train.toml"
    assert f"The template was saved as {file}." in home.texts()
    await home.tap("done", "close", "import", "file train.toml")
    assert own(home) == ["train-2"]
    assert rows(home, "train-2") == rows(home, "train")
    file.write_text("card")
    await home.tap("close", "import", "file train.toml")
    assert any(text.startswith("train.toml: this is not valid TOML") for text in home.texts())


async def test_a_stick_comes_first(home: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one is mounted files go there and are found there."""
    monkeypatch.setattr("ui.evening.preset_service.find_writable_usb_sticks", lambda _root: [tmp_path])
    await home.tap("cards", "presets any_game", "template points", "export", "done", "close", "import")
    assert (tmp_path / "points.toml").exists()
    await home.tap("file points.toml")
    assert own(home) == ["points-2"]


async def test_a_stick_offers_only_plain_files(
    home: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe would hold up the window, and a link could lead to any file; what becomes one is refused."""
    monkeypatch.setattr("ui.evening.preset_service.find_writable_usb_sticks", lambda _root: [tmp_path])
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "real").write_text("")
    (tmp_path / "link.toml").symlink_to("real")
    (tmp_path / "folder.toml").mkdir()
    await home.tap("cards", "presets any_game", "template points", "export", "done", "close", "import")
    assert [
        name for widget in home.widgets() if (name := getattr(widget, "name", "")).startswith("file ")
    ] == ["file points.toml"]
    (tmp_path / "points.toml").unlink()
    (tmp_path / "points.toml").symlink_to("real")
    await home.tap("file points.toml")
    assert any("points.toml can't be read: It is a link." in text for text in home.texts())
    assert own(home) == []


async def test_a_pipe_among_the_templates_holds_up_nothing(home: Any) -> None:
    """It isn't offered; set-up and the page of templates open as ever."""
    folder = home.app.evening.store.directory / "templates"
    folder.mkdir()
    os.mkfifo(folder / "odd.toml")
    await home.tap("cards", "presets any_game")
    assert own(home) == []
    names = [getattr(widget, "name", "") for widget in home.widgets()]
    assert "template points" in names
    assert "template odd" not in names


async def test_a_template_sets_options_which_people_can_change(home: Any) -> None:
    """Set-up shows what the template sets."""
    await home.tap("Any Game", "group Auctions", "template dealers")
    set_up = home.app.stage.screen
    assert (set_up.value_by_option["template"], set_up.value_by_option["ties"]) == ("dealers", "order")
    await home.tap("rules")
    await turn_to_slip(home, "the first in turn order from the seller or start player wins")
    set_up.choose_option("ties", "named")
    await home.wait_frames()
    await home.tap("Begin")
    assert home.app.evening.current_session.began.options["ties"] == "named"


async def test_a_broken_template_says_why_it_can_not_be_read(home: Any) -> None:
    """With its file, so that people can mend it."""
    await mine(home)
    await home.tap("close")
    folder = home.app.evening.store.directory / "templates"
    (folder / "m.toml").write_text('[[card]]\nid = "x"\n')
    await home.tap("template m")
    assert any(text.startswith("m.toml: card x: kind is missing") for text in home.texts())


async def test_each_template_in_the_list_has_its_picture(home: Any) -> None:
    """The gallery has the same ones; the picture of an own template follows from what stands in it, too."""
    service(home).duplicate_preset("poker", "m")
    await home.tap("cards", "presets any_game")
    page = next(one for one in home.widgets() if type(one).__name__ == "PresetListPage")
    pictures = {key.name.removeprefix("template "): key.subject for key in page.pager.items}
    descriptions = home.app.evening.describe_presets(GAME)
    assert pictures == {name: description.picture for name, description in descriptions.items()}
    assert pictures["m"].signs or pictures["m"].pieces


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
async def test_nothing_is_wrong_with_the_pages_of_templates(
    open_app: Any, make_app_with_clock: Any, size: tuple[int, int], lang: str
) -> None:
    """The list, what stands in one, and every kind of thing with all its fields, page by page."""
    table = await open_app(make_app_with_clock(lang), size)
    box = service(table)
    box.duplicate_preset("poker", "1")
    found: list[str] = []
    pages = count()

    async def look(what: str) -> None:
        await table.wait_frames(3)
        if next(pages) % ONE_OF == 0:
            found.extend(f"{what}: {fault}" for fault in find_faults(table, size))

    await table.tap("cards", "presets any_game")
    await look("templates")
    await table.tap("template 1")
    await look("a template")
    for kind in box.shipped_deck_file().deck.fields["kind"].choices:
        await reach(table, f"add {kind}")
        table.app.stage.topmost_widget.content.dispatch("on_done", "12345")
        await look(kind)
        page = next(one for one in table.widgets() if type(one).__name__ == "DesignFieldsPage")
        while not page.form.pager.next_key.disabled and page.form.pager.page_count > 1:
            await table.tap("page on")
            await look(f"{kind}, page {page.form.pager.page}")
        await table.tap("cancel")
    assert not found, "\n".join(found)


async def test_names_of_lots_are_switched_on_by_touch(home: Any) -> None:
    """They are a field of the rules like any other, with its sentence; from then on a lot is asked about."""
    service(home).duplicate_preset("estate", "m")
    await home.tap("cards", "presets any_game")
    await reach(home, "template m")
    await home.tap("design rules")
    while "more names" not in [getattr(widget, "name", "") for widget in home.widgets()]:
        await home.tap("page on")
    await home.tap("more names")
    assert any(text.startswith("Choose whether you name each lot") for text in home.texts())
    await home.tap("described")
    assert rows(home, "m")["rules"]["names"] == "yes"


async def test_what_can_not_be_saved_or_deleted_stays_below_the_reason(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason lies over the page, which stays as it was: no number that was entered is lost."""

    def refuse(*_: object) -> None:
        raise UserError(say_plain_text("The disk is full."))

    monkeypatch.setattr(PresetService, "save_preset", refuse)
    monkeypatch.setattr(PresetService, "delete_preset", refuse)
    service(home).duplicate_preset("train", "m")
    await home.tap("cards", "presets any_game", "template m")
    await reach(home, "board prices")
    await home.tap("more", "entered")
    assert home.app.stage.topmost_widget.text == "The disk is full."
    await home.tap("done", "fewer", "close", "delete", "yes")
    assert home.app.stage.topmost_widget.text == "The disk is full."
    await home.tap("done", "rename")
