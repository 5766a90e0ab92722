"""Rising blinds in Any Game: levels of a list, by rounds or when the table says so."""

from __future__ import annotations

import pytest

from companion.errors import UserError
from companion.games.any_game.rulebook import GAME, check_deck
from companion.requests import Choose
from companion.rules.scene_views import CellView
from companion.scenes import evaluate_scene
from companion.session.view import make_view
from companion.testing import Script
from companion.texts import render
from tests.any_game_presets import read
from tests.support.games.any_game_helpers import rules_card, template_card

CHIP = template_card("piece", "chip", start=1500, note=25, worth=25)
POT = template_card("place", "pot")
LEVELS = "[board]\nblinds = [25, 50, 75, 100]\n"
"""The first levels of a home tournament with chips of 25: 25/50, 50/100, 75/150, 100/200."""
FOUR = ("Aki", "Ben", "Chie", "Dai")


def toml(*cards: str, board: str = LEVELS) -> str:
    """A template of these cards with a list of levels."""
    return board + "\n".join(f"[[card]]\n{one}" for one in cards)


def tournament(names: tuple[str, ...] = FOUR, **said: object) -> Script:
    """A poker tournament; the first seat deals first."""
    text = toml(CHIP, POT, rules_card(deal="left", auction="none", **said))
    return Script(GAME, *names, decks={"any_game": read(text, "own.toml")})


def pot(script: Script) -> int:
    """Money in the pot."""
    return script["pot", "chip"] * 25


def middle(script: Script) -> list[tuple[str, object]]:
    """Labels and numbers of the cells in the middle of the table."""
    scene = evaluate_scene(make_view(script.session), script.session.scene)
    cells = [part for part in scene.middle_parts if isinstance(part, CellView)]
    return [(render(cell.label), cell.value) for cell in cells if cell.label is not None]


def test_blinds_rise_every_few_rounds() -> None:
    """Two rounds of 25/50, then two of 50/100, and so on; the last level stays."""
    script, in_pot = tournament(level_rounds=2), list[int]()
    for _round in range(10):
        before = pot(script)
        script.says("table: round")
        in_pot.append(pot(script) - before)
    assert in_pot == [75, 75, 150, 150, 225, 225, 300, 300, 300, 300]
    assert script["round track", "blind level"] == 4


def reminder(script: Script) -> tuple[int, str] | None:
    """Seconds and text of the table's reminder."""
    one = script.session.table.reminder
    return None if one is None else (one.seconds, render(one.text))


def test_a_clock_reminds_of_the_next_level_until_the_last() -> None:
    """Each raise begins the next 20 minutes; the rules do nothing by themselves."""
    script = tournament(level_minutes=20)
    for small in (50, 75, 100):
        text = f"20 minutes are over. Raise the blinds to {small} and {2 * small}: “Blinds go up”."
        assert reminder(script) == (20 * 60, text)
        script.says("table: round", "restart")
        assert reminder(script) == (20 * 60, text)
        script.says("table: blinds")
    assert reminder(script) is None
    script.says("undo")
    assert reminder(script) is not None
    assert reminder(tournament(level_minutes=1)) == (
        60,
        "1 minute is over. Raise the blinds to 50 and 100: “Blinds go up”.",
    )
    assert reminder(tournament(level_rounds=2)) is None


def test_who_pays_and_what_is_said() -> None:
    """The level is announced before the two seats after the dealer pay."""
    script = tournament(level_rounds=1).says("table: round", "table: round")
    assert script.last_notes == [
        "Ben deals.",
        "The blinds are now 50 and 100.",
        "Chie pays a blind of 50.",
        "Dai pays a blind of 100.",
    ]
    script.says("undo")
    assert script["round track", "blind level"] == 1
    assert pot(script) == 75


def test_the_table_raises_the_blinds_when_its_clock_says_so() -> None:
    """A level of 20 minutes: somebody looks at the clock, and the next round begins with the next level."""
    script = tournament().says("table: round", "table: blinds")
    assert script.last_notes[-1] == "The blinds are now 50 and 100."
    assert pot(script) == 75
    script.says("table: round")
    assert pot(script) == 75 + 150
    script.says("table: blinds", "table: blinds", "table: blinds")
    assert script.last_notes[-1] == "The blinds are at the highest level."


def test_everybody_pays_an_ante() -> None:
    """From the third level on, each of four players pays 25 before the blinds of 75 and 150."""
    text = toml(
        CHIP,
        POT,
        rules_card(deal="left", auction="none", level_rounds=1),
        board="[board]\nblinds = [25, 50, 75, 100]\nantes = [0, 0, 25]\n",
    )
    script = Script(GAME, *FOUR, decks={"any_game": read(text, "own.toml")})
    script.says("table: round", "table: round")
    assert pot(script) == 75 + 150
    assert ("ante", 0) in middle(script)
    script.says("table: round")
    assert "The ante is 25 for everybody." in script.last_notes
    assert pot(script) == 75 + 150 + 4 * 25 + 225
    script.says("table: round")
    assert ("ante", 25) in middle(script)


def test_a_level_can_be_corrected_by_hand() -> None:
    """The marker may lie anywhere; before the first level and beyond the last one these two count."""
    script = tournament(names=("Aki", "Ben"))
    script.session.correct("box", "round track", "blind level", 6, "late")
    assert pot(script.says("table: round")) == 300
    script.session.correct("round track", "box", "blind level", 7, "early")
    assert pot(script.says("table: round")) == 300 + 75


def test_the_table_shows_the_blinds() -> None:
    """Small and big blind stand in the middle, as they are now."""
    script = tournament().says("table: round", "table: blinds")
    shown = middle(script)
    assert ("small blind", 50) in shown
    assert ("big blind", 100) in shown


def test_a_template_without_levels_asks_and_pays_as_before() -> None:
    """No entry in the menu, no marker, and blinds of the rules."""
    text = toml(CHIP, POT, rules_card(auction="none", small_blind=25, big_blind=50), board="")
    script = Script(GAME, *FOUR, decks={"any_game": read(text, "own.toml")})
    assert isinstance(script.question, Choose)
    assert "blinds" not in script.question.legal_option_keys
    assert not [one for one in script.session.table.ledger if one.piece.key == "blind level"]


@pytest.mark.parametrize(
    ("cards", "board", "why"),
    [
        (
            (CHIP, POT, rules_card(level_rounds=3, level_minutes=3)),
            LEVELS,
            "level_rounds and level_minutes don't work together. Set one of them to 0.",
        ),
        (
            (CHIP, POT, rules_card(level_minutes=3)),
            "[board]\nblinds = [25]\n",
            'level_minutes needs the list "blinds" with the small blind of at least two levels.',
        ),
        (
            (CHIP, POT, rules_card(level_rounds=3)),
            "",
            'level_rounds needs the list "blinds" with the small blind of at least two levels.',
        ),
        ((CHIP, rules_card()), LEVELS, 'Blinds and "payee = place" need a place in the template.'),
        (
            (template_card("category", "points"), POT, rules_card()),
            LEVELS,
            "Companies, loans and payments need a piece that serves as money.",
        ),
        (
            (CHIP, POT, rules_card(big_blind=50)),
            LEVELS,
            'big_blind must be 0, because the list "blinds" says how high the blinds are.',
        ),
        (
            (CHIP, POT, rules_card()),
            "[board]\nantes = [25]\n",
            'The list "antes" needs the list "blinds".',
        ),
        (
            (CHIP, POT, rules_card()),
            "[board]\nblinds = [25, 50]\nantes = [0, 5]\n",
            "antes can't be 5: the notes can pay only multiples of 25.",
        ),
        (
            (CHIP, POT, rules_card()),
            "[board]\nblinds = [25]\nantes = [0, 25]\n",
            'The list "antes" can\'t be longer than the list "blinds".',
        ),
        (
            (CHIP, POT, rules_card()),
            "[board]\nblinds = [50, 25]\n",
            'The blinds of the list "blinds" can\'t become lower from one level to the next.',
        ),
        (
            (CHIP, POT, template_card("category", "points"), rules_card(scoring="sheet")),
            LEVELS,
            'Leave the list "blinds" out, because "scoring = sheet" has no rounds.',
        ),
        (
            (CHIP, POT, rules_card()),
            "[board]\nblinds = [25, 40]\n",
            "blinds can't be 40: the notes can pay only multiples of 25.",
        ),
    ],
)
def test_levels_that_contradict_the_template_are_refused(
    cards: tuple[str, ...], board: str, why: str
) -> None:
    """Each in a sentence that names the list or the field."""
    with pytest.raises(UserError) as refused:
        check_deck(read(toml(*cards, board=board), "own.toml"))
    assert str(refused.value) == why


def test_blinds_that_were_raised_early_wait_for_their_rounds() -> None:
    """The table is in a hurry and plays the second level from round 1 on; it still ends with round 4."""
    script, in_pot = tournament(level_rounds=2), list[int]()
    script.says("table: blinds")
    for _round in range(6):
        before = pot(script)
        script.says("table: round")
        in_pot.append(pot(script) - before)
    assert in_pot == [150, 150, 150, 150, 225, 225]


@pytest.mark.parametrize(
    ("dealer", "small", "big"),
    [(0, "Ben", "Chie"), (1, "Chie", "Aki"), (2, "Aki", "Ben"), (3, "Ben", "Chie")],
)
def test_the_blinds_of_teams_are_paid_by_the_seats_after_the_dealer(
    dealer: int, small: str, big: str
) -> None:
    """Six people in three teams sit crosswise: Aki and Dai, Ben and Emi, Chie and Fay share a purse."""
    text = toml(CHIP, POT, rules_card(deal="left", auction="none", teams=3))
    script = Script(GAME, *FOUR, "Emi", "Fay", decks={"any_game": read(text, "own.toml")})
    script.says(*["table: round"] * (dealer + 1))
    paid = [note for note in script.last_notes if "blind of" in note]
    assert paid == [f"{small} pays a blind of 25.", f"{big} pays a blind of 50."]


def test_without_a_start_player_a_note_says_why_nobody_pays_blinds() -> None:
    """Antes are paid by everybody; blinds need a seat from which they are counted."""
    text = toml(CHIP, POT, rules_card(auction="none"))
    script = Script(GAME, *FOUR, decks={"any_game": read(text, "own.toml")}).says("table: round")
    assert (script.last_notes, pot(script)) == (["Nobody pays blinds. Choose a start player first."], 0)
    script.says("table: start_player", "table: 1", "table: round")
    assert pot(script) == 75


def test_who_pays_less_than_the_ante_is_named() -> None:
    """The ante is said first; then come those who pay only a part, or nothing."""
    chip = template_card("piece", "chip", start=30, worth=1)
    text = toml(chip, POT, rules_card(auction="none"), board="[board]\nblinds = [5]\nantes = [50]\n")
    script = Script(GAME, "Aki", "Ben", decks={"any_game": read(text, "own.toml")})
    script.says("table: start_player", "table: 1", "table: round")
    assert script.last_notes == ["The ante is 50 for everybody."]
    assert script.says("table: part").last_notes == ["Aki pays only 30."]
    assert script.says("table: nothing").last_notes[0] == "Ben pays no ante."
