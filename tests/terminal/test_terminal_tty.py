"""The terminal on a real pseudo-terminal: whole matches, hidden bids, leaving and coming back."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from companion.games.egypt.rulebook import GAME as EGYPT
from companion.log.log import MemoryLog
from companion.requests import Choose, Done, Raise, Read, Request
from companion.session.session import Session
from tests.support.pseudo_terminal import PseudoTerminal

NAMES = "Aki,Ben,千恵,Dai"


def typed(question: Request[Any]) -> tuple[str, object]:
    """What one player, who buys everything, and three who don't type at a question; and the JSON of it."""
    match question:
        case Choose():
            return "1", next(iter(question.offered_options))
        case Done():
            return "", True
        case Raise():
            return ("w", None) if question.bids else ("2", 2)
        case Read():
            return "0 2", [{"values": {}}, {"values": {}}]
    raise AssertionError(question.kind)


def test_a_whole_match_of_egypt_through_standard_input(tmp_path: Path) -> None:
    """Four players play to the final score on a terminal, see it with its lines, and put the game away."""
    beside = Session.begin(EGYPT, NAMES.split(","), {}, MemoryLog())
    with PseudoTerminal(["play", "egypt", "--state", str(tmp_path), "--seats", NAMES]) as tty:
        while (question := beside.question) is not None:
            prompt = f"{question.seats[0].name}> " if question.seats else "> "
            line, answer = typed(question)
            tty.type_line(line, prompt)
            beside.answer(beside.question_number, answer)
        tty.wait_for_prompt("> ")
        assert "! " not in tty.output
        tty.type_line("", "> ")
        assert tty.wait_for_exit() == 0
    assert "Final score: Aki wins.\r\n" in tty.plain_output
    assert (
        "1. Aki: 2\r\n     points   2\r\n     (for information: last round: daughters 85, "
        in tty.plain_output
    )
    assert tty.plain_output.endswith("The game is put away.\r\n")


def test_a_whole_sealed_round_without_an_echo(tmp_path: Path) -> None:
    """Each bid is typed unseen behind a cover; nothing of it is written before all envelopes are open."""
    bids = {"Aki": "777", "Ben": "888", "Chie": "666"}
    with PseudoTerminal(["play", "sealed_bid", "--state", str(tmp_path), "--seats", "Aki,Ben,Chie"]) as tty:
        for name, bid in bids.items():
            tty.type_line("", f"{name}, press Enter when nobody else is looking: ")
            tty.wait_for_prompt(f"{name}> ")
            assert not tty.is_echo_on
            tty.type_line(bid, f"{name}> ")
        tty.wait_for_prompt("> ")
        secret = tty.output[: tty.output.index("The envelopes are open:")]
        assert "what you type is not shown" in secret
        assert not any(bid in secret for bid in bids.values())
        assert tty.is_echo_on
        tty.type_line("2", "> ")
        tty.type_line("yes", "yes or no) ")
        tty.type_line("", "> ")
        assert tty.wait_for_exit() == 0
    assert "  Ben: 888 (won)\r\n" in tty.plain_output
    assert "Final score: Ben wins.\r\n" in tty.plain_output


def test_what_is_written_does_not_depend_on_sealed_bids(tmp_path: Path) -> None:
    """Two rounds that differ in their bids only write the same until the reveal, seals aside."""
    seen = []
    limited = ["play", "sealed_bid", "--seats", "Aki,Ben", "--option", "most=999"]
    for bids in ("7 1234 8", "901 1500 2"):
        first, refused, last = bids.split()
        with PseudoTerminal([*limited, "--state", str(tmp_path)]) as tty:
            tty.type_line("", "looking: ")
            tty.type_line(first, "Aki> ")
            tty.type_line("", "looking: ")
            tty.type_line(refused, "Ben> ")
            tty.type_line(last, "Ben> ")
            tty.wait_for_prompt("> ")
        before = tty.output[: tty.output.index("The envelopes are open:")]
        seen.append(re.sub(r"seal [0-9A-Z]{4}( [0-9A-Z]{4}){2}", "seal ----", before))
    assert seen[0] == seen[1]


def test_a_closed_envelope_is_changed_by_calling_its_owner(tmp_path: Path) -> None:
    """At the cover a name calls that player, whose new bid replaces the old; anything else is refused."""
    with PseudoTerminal(["play", "sealed_bid", "--state", str(tmp_path), "--seats", "Aki,Ben"]) as tty:
        tty.type_line("", "Aki, press Enter when nobody else is looking: ")
        tty.type_line("5", "Aki> ")
        tty.type_line("Dai", "Ben, press Enter when nobody else is looking: ")
        tty.type_line("aki", "Ben, press Enter when nobody else is looking: ")
        assert "! Press Enter, or type the name of another player: Aki, Ben." in tty.output
        tty.type_line("", "Aki, press Enter when nobody else is looking: ")
        tty.type_line("help", "Aki> ")
        tty.type_line("6", "Aki> ")
        tty.type_line("", "Ben, press Enter when nobody else is looking: ")
        tty.type_line("0", "Ben> ")
        tty.wait_for_prompt("> ")
    assert "  Aki: 6 (won)\r\n" in tty.plain_output


def test_a_command_at_the_cover_keeps_the_cover(tmp_path: Path) -> None:
    """History at the cover is shown, and the same player is asked for."""
    with PseudoTerminal(["play", "sealed_bid", "--state", str(tmp_path), "--seats", "Aki,Ben"]) as tty:
        tty.type_line("history", "Aki, press Enter when nobody else is looking: ")
        assert "Nothing has happened yet." in tty.wait_for_prompt(
            "Aki, press Enter when nobody else is looking: "
        )


def test_a_game_that_was_left_goes_on_where_it_was(tmp_path: Path) -> None:
    """Quit in the middle of an auction, Ctrl-C in another: each time the same question comes again.

    The command that is shown at the end goes on with this game as it stands there.
    """
    state = ["--state", str(tmp_path / "our games")]
    with PseudoTerminal(["play", "egypt", *state, "--seats", NAMES]) as tty:
        for prompt, line in (("> ", "2"), ("> ", ""), ("Ben> ", "3"), ("千恵> ", "quit")):
            tty.type_line(line, prompt)
        assert tty.wait_for_exit() == 0
        _, command = tty.plain_output.strip().rsplit("Saved. To continue, run: companion ", 1)
    with PseudoTerminal(shlex.split(command)) as tty:
        shown = tty.wait_for_prompt("千恵> ")
        assert "Ben bids 3 for daughter 4." in shown
        assert "Aki – · Ben 3 (highest) · 千恵 – · Dai –" in shown
        tty.press_key("\x03")
        assert tty.wait_for_exit() == 0
    with PseudoTerminal(["play", "egypt", *state]) as tty:
        tty.type_line("", "Press Enter to continue this game, or type n for a new game: ")
        tty.wait_for_prompt("千恵> ")
        tty.press_key("\x04")
        assert tty.wait_for_exit() == 0


def test_closed_envelopes_survive_leaving(tmp_path: Path) -> None:
    """After quitting behind the cover the envelopes already closed are still closed, and the echo is back."""
    state = ["--state", str(tmp_path)]
    with PseudoTerminal(["play", "sealed_bid", *state, "--seats", "Aki,Ben"]) as tty:
        tty.type_line("", "looking: ")
        tty.type_line("5", "Aki> ")
        tty.type_line("", "looking: ")
        tty.wait_for_prompt("Ben> ")
        tty.press_key("\x03")
        assert tty.wait_for_exit() == 0
        assert tty.is_echo_on
    with PseudoTerminal(["play", "sealed_bid", *state, "--resume"]) as tty:
        assert "Aki: seal " in tty.wait_for_prompt("Ben, press Enter when nobody else is looking: ")


def test_names_are_asked_where_none_are_given(tmp_path: Path) -> None:
    """Without --seats people type their names; a game already open is offered first."""
    command = ["play", "egypt", "--state", str(tmp_path)]
    with PseudoTerminal(command) as tty:
        for prompt, line in (
            ("Player 1: ", "Aki, Ben"),
            ("Player 3: ", ""),
            ("Player 3: ", "Aki"),
            ("Player 3: ", "Chie,Dai,Emi,Fumi"),
            ("Player 3: ", "千恵"),
            ("Player 4: ", ""),
        ):
            tty.type_line(line, prompt)
        assert "★" not in tty.wait_for_prompt("> ")
    assert "! Egypt is for 3 to 5 players, not 2." in tty.plain_output
    assert "! Aki is used twice. Each player needs a different name and colour." in tty.plain_output
    assert "! Egypt is for 3 to 5 players, not 6." in tty.plain_output
    with PseudoTerminal(command) as tty:
        tty.type_line(
            "n",
            "A game of Egypt is open. Players: Aki, Ben, 千恵.\r\nPress Enter to continue this game, "
            "or type n for a new game: ",
        )
        tty.type_line("A,B,C,D,E", "Player 1: ")
        assert "★ E" in tty.wait_for_prompt("> ")


def test_leaving_before_anybody_is_named_says_how_to_begin(tmp_path: Path) -> None:
    """The end of the input at the names is a sentence, and no game has begun."""
    with PseudoTerminal(["play", "egypt", "--state", str(tmp_path)]) as tty:
        tty.wait_for_prompt("Player 1: ")
        tty.press_key("\x04")
        assert tty.wait_for_exit() == 2
    assert "Name the players in clockwise order, such as --seats Aki,Ben,Chie." in tty.plain_output


@pytest.mark.parametrize(
    ("environ", "styled"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_bold_and_colours_are_for_terminals_that_want_them(
    environ: dict[str, str], styled: bool, tmp_path: Path
) -> None:
    """NO_COLOR and a dumb terminal get plain text."""
    with PseudoTerminal(["play", "egypt", "--state", str(tmp_path), "--seats", NAMES], **environ) as tty:
        tty.wait_for_prompt("> ")
        assert ("\x1b[" in tty.output) is styled


def test_the_language_comes_from_the_locale(tmp_path: Path) -> None:
    """A Japanese locale is greeted in Japanese; --lang goes before it."""
    command = ["play", "egypt", "--state", str(tmp_path), "--seats", NAMES]
    with PseudoTerminal(command, LANG="ja_JP.UTF-8") as tty:
        assert "エジプト" in tty.wait_for_prompt("> ")
    with PseudoTerminal([*command, "--lang", "en"], LANG="ja_JP.UTF-8") as tty:
        assert "Egypt" in tty.wait_for_prompt("> ")
