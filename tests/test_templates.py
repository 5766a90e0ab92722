"""Templates for Any Game: those that come along, one's own, and the sentence for what is wrong."""

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import cli
from companion.cards import shipped_deck
from companion.errors import UnknownName, UserError
from companion.games.any_game.rulebook import GAME as ANY_GAME
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.house_rules import find_game_variant, load_house_rules, save_house_rule
from companion.installed_games import check_game_definition
from companion.presets import (
    Preset,
    PresetLibrary,
    starting_decks,
    unused_design_id,
    with_design,
    with_design_moved_up,
    with_own_presets,
    without_design,
)
from companion.rules.game import ChoiceOption, PresetConfig
from companion.store import Store
from companion.texts import say
from tests.any_game_presets import SHIPPED, library
from tests.support.program import run_companion

TINY = """
[[card]]
id = "gem"
kind = "piece"
supply = 12
"""


def choices(directory: Path) -> list[str]:
    """The templates that Any Game offers there."""
    option = with_own_presets(ANY_GAME, directory).options[0]
    assert isinstance(option, ChoiceOption)
    return list(option.choices)


@pytest.mark.parametrize("name", SHIPPED)
def test_templates_come_along(name: str, tmp_path: Path) -> None:
    """Each is offered, can be read, and an evening begins with it."""
    assert name in choices(tmp_path)
    deck = library(tmp_path).load_preset_deck(name)
    assert starting_decks(ANY_GAME, tmp_path, {"template": name}) == {"any_game": deck}


def test_an_own_template_is_begun_written_and_played(tmp_path: Path) -> None:
    """It begins as another one, is offered from then on, and its pieces are those written into it."""
    path = library(tmp_path).create_copy("gems", "poker")
    assert library(tmp_path).load_preset_deck("gems") == library(tmp_path).load_preset_deck("poker")
    path.write_text(TINY, encoding="utf-8")
    assert choices(tmp_path)[-1] == "gems"
    (gem,) = starting_decks(ANY_GAME, tmp_path, {"template": "gems"})["any_game"].designs
    usual = {"start": 0, "worth": 0, "look": "coin", "colour": "plain", "note": 0}
    assert gem.values == {"kind": "piece", "supply": 12, **usual}


def test_the_default_template_can_be_read_as_others_can(tmp_path: Path) -> None:
    """It has no file; its text is that of a copy, and its deck is the one that ships with the game."""
    own = library(tmp_path)
    assert own.load_preset_deck("plain") == shipped_deck("any_game", ANY_GAME.folder)
    assert own.create_copy("mine", "plain").read_text(encoding="utf-8") == own.read_preset_text("plain")


def test_a_template_whose_file_is_missing_is_not_suggested(tmp_path: Path) -> None:
    """The sentence names the templates that there are."""
    option = replace(ANY_GAME.options[0], choices={"plain": say("plain"), "lost": say("lost")})
    game = replace(ANY_GAME, options=(option, *ANY_GAME.options[1:]))
    with pytest.raises(UnknownName, match=r"There is no template lost\. Templates: plain\."):
        PresetLibrary(game, tmp_path).load_preset_deck("lost")


def test_other_games_have_no_templates(tmp_path: Path) -> None:
    """Their options and decks are what they are."""
    assert with_own_presets(EGYPT, tmp_path) == EGYPT
    assert list(starting_decks(EGYPT, tmp_path, {"template": "poker"})) == ["egypt"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("card", "gems.toml: this is not valid TOML: "),
        ("", "gems.toml: there are no cards"),
        (TINY.replace("piece", "peace"), "gems.toml: card gem: kind must be one of piece, category,"),
        (
            TINY.replace("12", "-1"),
            "gems.toml: card gem: supply must be a number from 0 to 99999999, not -1.",
        ),
        (
            TINY.replace("supply", "suply"),
            (
                "gems.toml: card gem: This kind of card has no value called suply. Choose from: supply, "
                "kind, start"
            ),
        ),
        (
            TINY + 'colour = "gold"',
            (
                "gems.toml: card gem: colour must be one of plain, red, blue, yellow, black, white, "
                "brown, grey, not "
            ),
        ),
        (TINY + 'look = "card"', "gems.toml: card gem: look must be one of coin, chip, cube, gem, not card."),
        (
            '[[card]]\nid = "vp"\nkind = "category"\ncolour = "red"',
            "gems.toml: card vp: This kind of card has no value called colour. Choose from: kind, ",
        ),
        (
            '[[card]]\nid = "pot"\nkind = "place"\n',
            "gems.toml: A template needs at least one piece, category or track.",
        ),
    ],
)
def test_what_is_wrong_in_a_template_is_named(text: str, why: str, tmp_path: Path) -> None:
    """File, card, key and what is allowed; no game begins with it."""
    library(tmp_path).create_copy("gems", "poker").write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as refused:
        starting_decks(ANY_GAME, tmp_path, {"template": "gems"})
    assert str(refused.value).startswith(why)


def test_names_of_templates(tmp_path: Path) -> None:
    """An unknown one is refused with those there are; a new one needs a name nobody has, fit for a file."""
    with pytest.raises(UnknownName, match=r"There is no template shogi\. Templates: plain, points, lowest, "):
        library(tmp_path).load_preset_deck("shogi")
    library(tmp_path).create_copy("mine", "train")
    for name in ("mine", "poker", "plain"):
        with pytest.raises(UserError, match=f"There is already a template called {name}"):
            library(tmp_path).create_copy(name, "train")
    with pytest.raises(UserError, match="must be 1 to 20 lowercase letters"):
        library(tmp_path).create_copy("../mine", "train")


def test_the_verb_begins_a_template(tmp_path: Path) -> None:
    """`companion games new NAME` says where it lies; the list of games offers it; a second one is refused."""
    made = run_companion(["games", "new", "mine", "--like", "points"], tmp_path)
    assert made.returncode == 0
    assert f"{tmp_path}/templates/mine.toml" in made.stdout
    assert ", mine)" in run_companion(["games"], tmp_path).stdout
    again = run_companion(["games", "new", "mine"], tmp_path)
    assert (again.returncode, again.stderr) == (
        2,
        "There is already a template called mine. Choose another name.\n",
    )


def test_a_template_may_be_called_in_any_script(tmp_path: Path) -> None:
    """Kana too; what people write is brought near to a name, and a number tells it from one that is there."""
    assert library(tmp_path).unused_name_like("My game!") == "my-game"
    assert library(tmp_path).unused_name_like("くにのゲーム") == "くにのゲーム"
    assert library(tmp_path).unused_name_like("...") == "template"
    assert library(tmp_path).unused_name_like("poker") == "poker-2"
    library(tmp_path).create_copy("くに", "poker")
    assert (library(tmp_path).own_names(), library(tmp_path).unused_name_like("くに")) == (["くに"], "くに-2")
    with pytest.raises(UserError, match="lowercase letters"):
        library(tmp_path).create_copy("Mine", "poker")


def test_a_long_name_keeps_room_for_its_number(tmp_path: Path) -> None:
    """With a hundred templates of one long name, the next one is still offered a name of 20 letters."""
    own = library(tmp_path)
    own.create_copy("a" * 17, "poker")
    path = own.own_preset_path("a" * 17)
    for number in range(2, 100):
        path.with_name(f"{'a' * 17}-{number}.toml").touch()
    assert own.unused_name_like("a" * 25) == f"{'a' * 16}-100"


def test_an_own_template_is_renamed_and_deleted(tmp_path: Path) -> None:
    """What stands in it stays the same; a taken name and a template that isn't there are refused."""
    library(tmp_path).create_copy("mine", "poker")
    library(tmp_path).rename("mine", "ours")
    assert library(tmp_path).own_names() == ["ours"]
    assert library(tmp_path).load_preset_deck("ours") == library(tmp_path).load_preset_deck("poker")
    with pytest.raises(UserError, match="There is already a template called train"):
        library(tmp_path).rename("ours", "train")
    library(tmp_path).delete("ours")
    assert library(tmp_path).own_names() == []
    with pytest.raises(UnknownName, match=r"There is no template ours\. Templates: plain, points, "):
        library(tmp_path).delete("ours")
    with pytest.raises(UnknownName, match=r"There is no template ours\. Templates: plain, points, "):
        library(tmp_path).rename("ours", "theirs")


@pytest.mark.parametrize("name", ["plain", "property"])
def test_what_came_along_stays(name: str, tmp_path: Path) -> None:
    """It is neither deleted nor renamed; a file of people's own in its stead is theirs."""
    with pytest.raises(UserError, match=f"The template {name} comes with the Companion"):
        library(tmp_path).delete(name)
    with pytest.raises(UserError, match=f"The template {name} comes with the Companion"):
        library(tmp_path).rename(name, "mine")
    library(tmp_path).create_copy("mine", "poker").rename(tmp_path / f"templates/{name}.toml")
    library(tmp_path).delete(name)
    assert library(tmp_path).own_names() == []


def template(directory: Path, name: str) -> Preset:
    """A template of that directory."""
    return library(directory).existing_or_new_preset(name)


def test_any_template_can_be_the_beginning_of_another(tmp_path: Path) -> None:
    """The plain one too; it has the same in it, and the one it began as stays as it is."""
    mine = template(tmp_path, "plain").duplicate("mine")
    assert mine.load_rows() == template(tmp_path, "plain").load_rows()
    assert (
        template(tmp_path, "poker").duplicate("chips").load_rows() == template(tmp_path, "poker").load_rows()
    )
    assert library(tmp_path).own_names() == ["chips", "mine"]
    with pytest.raises(UserError, match="There is already a template called mine"):
        template(tmp_path, "train").duplicate("mine")


def test_pieces_of_a_template_are_added_changed_moved_and_taken_out(tmp_path: Path) -> None:
    """Each change is checked as a whole; ids are no words of people's, so that no log confuses them."""
    mine = template(tmp_path, "poker").duplicate("mine")
    rows = mine.load_rows()
    others = [row["id"] for row in rows.cards if row["kind"] != "piece"]

    def pieces() -> list[object]:
        return [row["id"] for row in mine.load_rows().cards if row["id"] not in others]

    name = unused_design_id(rows, "piece")
    assert name == "piece 1"
    mine.save_rows(with_design(rows, name, {"kind": "piece", "name": "gem", "look": "gem"}), "mine")
    assert pieces() == ["white", "red", "blue", "piece 1"]
    assert unused_design_id(mine.load_rows(), "piece") == "piece 2"
    mine.save_rows(
        with_design(
            mine.load_rows(), "white", {"kind": "piece", "name": "white chip", "note": 1, "start": 7}
        ),
        "mine",
    )
    white = mine.load_own_or_shipped_deck().design_of_copy("white")
    assert white is not None
    assert white.values["start"] == 7
    mine.save_rows(without_design(mine.load_rows(), "red"), "mine")
    mine.save_rows(with_design_moved_up(mine.load_rows(), "piece 1"), "mine")
    assert pieces() == ["white", "piece 1", "blue"]
    assert with_design_moved_up(mine.load_rows(), "white") == mine.load_rows()


def test_no_two_pieces_of_a_template_are_called_the_same(tmp_path: Path) -> None:
    """One that keeps its name is not another; a kind of points may be called like a piece, a place not."""
    mine = template(tmp_path, "poker").duplicate("mine")
    rows = mine.load_rows()
    for kind in ("piece", "place", "company"):
        with pytest.raises(UserError, match=r"m: card one: There is already another Red chip. Choose"):
            mine.save_rows(with_design(rows, "one", {"kind": kind, "name": "Red chip "}), "m")
    assert mine.load_rows() == rows
    mine.save_rows(
        with_design(rows, "red", {"kind": "piece", "name": "red chip", "note": 5, "start": 1}), "m"
    )
    mine.save_rows(with_design(mine.load_rows(), "category 1", {"kind": "category", "name": "red chip"}), "m")
    assert [row["name"] for row in mine.load_rows().cards if row["id"] in ("red", "category 1")] == [
        "red chip"
    ] * 2


def test_a_copy_has_the_remarks_too(tmp_path: Path) -> None:
    """Whoever writes into the file reads what was said of it; one that can't be played begins no other."""
    mine = template(tmp_path, "contract").duplicate("mine")
    assert mine.path.read_text(encoding="utf-8").startswith("# Tricks with bids")
    mine.path.write_text(TINY + TINY.replace('"gem"', '"gem 2"\nname = "gem"'), encoding="utf-8")
    why = "mine.toml: card gem 2: There is already another gem"
    with pytest.raises(UserError, match=why):
        template(tmp_path, "mine").duplicate("other")
    refused = run_companion(["games", "new", "other", "--like", "mine"], tmp_path)
    assert (refused.returncode, refused.stderr.startswith(why)) == (2, True)
    assert library(tmp_path).own_names() == ["mine"]
    assert run_companion(["games", "new", "other", "--like", "plain"], tmp_path).returncode == 0
    assert template(tmp_path, "other").load_rows() == template(tmp_path, "plain").load_rows()


def test_how_many_copies_there_are_stays_when_values_change(tmp_path: Path) -> None:
    """Of what nobody enters on the screen nothing is lost."""
    path = library(tmp_path).create_copy("gems", "poker")
    path.write_text(TINY + "copies = 2\n", encoding="utf-8")
    (row,) = with_design(template(tmp_path, "gems").load_rows(), "gem", {"kind": "piece", "supply": 3}).cards
    assert row == {"id": "gem", "kind": "piece", "supply": 3, "copies": 2}


def test_each_game_keeps_its_own_presets_in_a_folder(tmp_path: Path) -> None:
    """Those of Any Game lie where version 0.2 put them; no game sees another one's presets."""
    other = PresetLibrary(
        replace(ANY_GAME, key="other", presets=PresetConfig("template", "any_game")), tmp_path
    )
    assert library(tmp_path).create_copy("ours", "points") == tmp_path / "templates/ours.toml"
    assert other.create_copy("theirs", "points").parent == tmp_path / "templates/other"
    assert (library(tmp_path).own_names(), other.own_names()) == (["ours"], ["theirs"])


@pytest.mark.parametrize(
    "presets",
    [
        PresetConfig("pay_rule", "no deck"),
        PresetConfig("no option", "egypt"),
        PresetConfig("pay_rule", "egypt", own_folder=""),
    ],
)
def test_presets_need_an_option_and_a_deck(presets: PresetConfig) -> None:
    """A game of another package hears so before it is offered."""
    check_game_definition(replace(EGYPT, presets=PresetConfig("pay_rule", "egypt")))
    with pytest.raises(UserError, match="its presets must name a choice in its options and a deck"):
        check_game_definition(replace(EGYPT, presets=presets))


def test_a_template_goes_into_a_folder_and_comes_from_a_file(tmp_path: Path) -> None:
    """Beside whatever lies there; the same again, under the name of the file; what can't be is refused."""
    stick, home, other = tmp_path / "stick", tmp_path / "home", tmp_path / "other"
    first = template(home, "train").export_to_folder(stick)
    second = template(home, "train").export_to_folder(stick)
    assert [first.name, second.name] == ["train.toml", "train-2.toml"]
    taken = library(other).import_file(second)
    assert (taken.preset_name, taken.load_rows()) == ("train-2", template(home, "train").load_rows())
    first.write_text('[[card]]\nid = "side"\nkind = "place"\n', encoding="utf-8")
    with pytest.raises(
        UserError, match=r"train\.toml: .*A template needs at least one piece, category or track"
    ):
        library(other).import_file(first)
    assert library(other).own_names() == ["train-2"]


def test_the_verb_gives_templates_away_and_takes_them_in(tmp_path: Path) -> None:
    """A list, a file, another directory, and gone again; nothing is written over unasked."""
    file = str(tmp_path / "mine.toml")
    assert run_companion(["games", "new", "mine", "--like", "points"], tmp_path / "a").returncode == 0
    assert "points by round" in run_companion(["templates"], tmp_path / "a").stdout
    assert run_companion(["templates", "export", "mine", file], tmp_path / "a").returncode == 0
    assert "--force" in run_companion(["templates", "export", "mine", file], tmp_path / "a").stderr
    assert "[[card]]" in run_companion(["templates", "export", "mine", "-"], tmp_path / "a").stdout
    took = run_companion(["templates", "import", file], tmp_path / "b")
    assert took.stdout == f"{file} was added as the template mine.\n"
    assert "templates/mine.toml" in run_companion(["templates"], tmp_path / "b").stdout
    stays = run_companion(["templates", "delete", "property"], tmp_path / "b")
    assert (stays.returncode, stays.stderr.startswith("The template property comes with")) == (2, True)
    assert run_companion(["templates", "delete", "mine"], tmp_path / "b").returncode == 0
    assert library(tmp_path / "b").own_names() == []


def test_the_house_rules_of_a_template_go_with_it(tmp_path: Path) -> None:
    """A later template of that name begins without any; while somebody plays, both stay."""
    library(tmp_path).create_copy("ours", "rummy")
    command = ["templates", "delete", "ours", "--state", str(tmp_path)]
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        save_house_rule(store, find_game_variant("any_game ours", tmp_path), "tie_rule", "money")
        save_house_rule(store, find_game_variant("any_game rummy", tmp_path), "tie_rule", "money")
        assert cli.main(command) == 2
        assert library(tmp_path).own_names() == ["ours"]
    assert cli.main(command) == 0
    assert library(tmp_path).own_names() == []
    assert cli.main(["templates", "delete", "rummy", "--state", str(tmp_path)]) == 2
    with closing(Store.open(tmp_path)) as store:
        assert load_house_rules(store) == ({"any_game rummy": {"tie_rule": "money"}}, {})
