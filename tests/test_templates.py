"""Templates for Any Game: those that come along, one's own, and the sentence for what is wrong."""

from pathlib import Path

import pytest

from companion import templates
from companion.copies import decks_for
from companion.errors import TableError, Unknown
from companion.games.any_game.rulebook import GAME as ANY_GAME
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.rules.game import Pick
from tests.program import ran

TINY = """
[[card]]
id = "gem"
kind = "piece"
supply = 12
"""


def choices(directory: Path) -> list[str]:
    """The templates that Any Game offers there."""
    option = templates.offered(ANY_GAME, directory).options[0]
    assert isinstance(option, Pick)
    return list(option.choices)


@pytest.mark.parametrize("name", templates.SHIPPED)
def test_templates_come_along(name: str, tmp_path: Path) -> None:
    """Each is offered, can be read, and an evening begins with it."""
    assert name in choices(tmp_path)
    deck = templates.deck_of(name, tmp_path)
    assert decks_for(ANY_GAME, tmp_path, {"template": name}) == {"any_game": deck}


def test_an_own_template_is_begun_written_and_played(tmp_path: Path) -> None:
    """It begins as another one, is offered from then on, and its pieces are those written into it."""
    path = templates.begin("gems", "poker", tmp_path)
    assert templates.deck_of("gems", tmp_path) == templates.deck_of("poker", tmp_path)
    path.write_text(TINY, encoding="utf-8")
    assert choices(tmp_path)[-1] == "gems"
    (gem,) = decks_for(ANY_GAME, tmp_path, {"template": "gems"})["any_game"].designs
    usual = {"start": 0, "worth": 0, "look": "coin", "colour": "plain", "note": 0}
    assert gem.values == {"kind": "piece", "supply": 12, **usual}


def test_other_games_have_no_templates(tmp_path: Path) -> None:
    """Their options and decks are what they are."""
    assert templates.offered(EGYPT, tmp_path) == EGYPT
    assert list(decks_for(EGYPT, tmp_path, {"template": "poker"})) == ["egypt"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("card", "gems.toml: this is no TOML: "),
        ("", "gems.toml: there are no cards"),
        (TINY.replace("piece", "peace"), "gems.toml: card gem: kind is one of piece, category,"),
        (TINY.replace("12", "-1"), "gems.toml: card gem: supply is a number from 0 to 999999, not -1."),
        (
            TINY.replace("supply", "suply"),
            "gems.toml: card gem: Such a card has no suply; it has: kind, start",
        ),
        (
            TINY + 'colour = "gold"',
            "gems.toml: card gem: colour is one of plain, red, blue, yellow, black, white, brown, grey, not ",
        ),
        (TINY + 'look = "card"', "gems.toml: card gem: look is one of coin, chip, cube, gem, not card."),
        (
            '[[card]]\nid = "vp"\nkind = "category"\ncolour = "red"',
            "gems.toml: card vp: Such a card has no colour; it has: kind, ",
        ),
        (
            '[[card]]\nid = "pot"\nkind = "place"\n',
            "gems.toml: there are neither pieces nor points nor tracks.",
        ),
    ],
)
def test_what_is_wrong_in_a_template_is_named(text: str, why: str, tmp_path: Path) -> None:
    """File, card, key and what is allowed; no game begins with it."""
    templates.begin("gems", "poker", tmp_path).write_text(text, encoding="utf-8")
    with pytest.raises(TableError) as refused:
        decks_for(ANY_GAME, tmp_path, {"template": "gems"})
    assert str(refused.value).startswith(why)


def test_names_of_templates(tmp_path: Path) -> None:
    """An unknown one is refused with those there are; a new one needs a name nobody has, fit for a file."""
    with pytest.raises(Unknown, match="There is no template chess; there are: points, lowest, "):
        templates.deck_of("chess", tmp_path)
    templates.begin("mine", "train", tmp_path)
    for name in ("mine", "poker", "plain"):
        with pytest.raises(TableError, match=f"There is a template {name} already"):
            templates.begin(name, "train", tmp_path)
    with pytest.raises(TableError, match="has 1 to 20 small letters"):
        templates.begin("../mine", "train", tmp_path)


def test_the_verb_begins_a_template(tmp_path: Path) -> None:
    """`companion games new NAME` says where it lies; the list of games offers it; a second one is refused."""
    made = ran(["games", "new", "mine", "--like", "points"], tmp_path)
    assert made.returncode == 0
    assert f"{tmp_path}/templates/mine.toml" in made.stdout
    assert ", mine)" in ran(["games"], tmp_path).stdout
    again = ran(["games", "new", "mine"], tmp_path)
    assert (again.returncode, again.stderr) == (2, "There is a template mine already; choose another name.\n")
