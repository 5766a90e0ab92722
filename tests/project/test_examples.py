"""Every example on every page is run in the form in which it stands there, or says why it can't be.

An example is a fenced block, an indented one, or a command in running text. What it is, is seen from what
stands in it; one that is nothing known fails, until the page says `<!-- illustration: why -->` before it.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO, TextIOWrapper
from pathlib import Path

import msgspec
import pytest

from benchmarks.pad_side import parse_host_line
from companion import cli, languages
from companion.files import toml, user_files
from companion.games.egypt import rulebook as egypt
from companion.installed_games import ENTRY_POINT_GROUP
from companion.session.session import Session
from companion.store import Store
from hardware.firmware.keypad.settings import read_keypad_toml
from hardware.keypad_protocol import parse_keypad_line
from hardware.wiring import load_wiring_without_faulty_sections
from hardware.wiring.sections import SECTION_TYPE_BY_NAME
from tests.any_game_presets import read
from tests.support.doc_examples import DOC_PAGES, ROOT, DocExample, examples_on_page
from tests.support.sealed_bid_games import begin_game, seal_bid

INLINE = re.compile(r"`((?:sudo )?(?:\.venv/bin/)?companion [^`\n]+)`")
MAY_BE = re.compile(r" \[--[^\]]*\]…?")
"""What may be left out, as a page writes it, is left out."""
REMARK = re.compile(r" +#.*| {2,}[a-z].*")

ELSEWHERE = {
    "docs/cards.md": "commands/test_cards_verb.py::test_the_examples_of_the_page_are_true",
    "docs/json.md": "jsonlines/test_jsonlines.py::test_the_examples_of_the_document_are_true",
    "docs/tags.md": "commands/test_tags_verb.py::test_the_example_of_the_page_is_true",
    "docs/your-own-game.md": "project/test_own_game.py::test_the_pages_games_pass_their_own_tests",
    "docs/your-own-card-game.md": "project/test_own_game.py::test_the_pages_games_pass_their_own_tests",
    "CONTRIBUTING.md": "project/test_contributing.py::test_the_example_test_passes",
}
"""What these pages show is run there, all of it, with more that is asked of it."""
SAVED = {"toml": "hardware.toml", "text": "evening.txt"}
"""The files that a session on the same page reads, by the kind of their block."""
PLACEHOLDERS = {"GAME": "egypt", "CARD": "4.1", "DIR": "out", "EXAMPLE": "one-button", "it": "ja"}
NOT_RUN = {
    "": "it opens the window; tests/ui plays in one",
    "screen": "it opens the window; tests/ui plays in one",
    "demo": "it opens the window; tests/ui plays in one",
    "show": "it opens a window; tests/ui plays in one",
    "doctor": "it looks at this machine; tests/hardware/test_doctor.py shows it others",
    "doctor --live": "people press what it names; tests/hardware/test_doctor_live.py has hands",
    "hardware init EXAMPLE --file": "into /etc; tests/hardware/test_machine.py begins some",
    "hardware draw": "there is no hardware.toml here; tests/scripts/test_draw_wiring.py has one",
    "hardware pair": "people press what it names; tests/hardware/test_pairing.py has hands",
    "hardware check": "it looks at this machine; tests/hardware/test_machine.py shows it others",
    "hardware show": "there is no hardware.toml here; tests/hardware/test_machine.py has one",
    "cards learn": "cards are laid; tests/commands/test_tags_verb.py lays them",
    "cards forget": "it has learnt no tag; tests/commands/test_tags_verb.py does",
    "cards export": "into FILE; tests/commands/test_cards_verb.py writes some",
    "cards import": "from FILE; tests/commands/test_cards_verb.py reads some",
    "verify FILE": "a text of a saved game; tests/commands/test_verify.py has some",
    "verify --noted": "a seal that somebody wrote down; tests/commands/test_verify.py has some",
    "api NAME": "any name that a game imports; tests/commands/test_api_verb.py asks for some",
    "new game": "into a folder of its own; tests/commands/test_new_game.py begins some",
    "log lanterns": "a game that only the page has; tests/log/test_logs.py writes some",
    "play lanterns": "a game that only the page has; tests/project/test_own_game.py plays it",
    "play egypt --resume --clock clocks.toml": "your own file; see tests/terminal/test_terminal_clock.py",
    "play any_game --option template=mygame": "a template of people's own; tests/test_templates.py has one",
    "settings set pin on": "a terminal asks for the digits; tests/commands/test_settings_verb.py types them",
    "simulate table <": "the page of that file runs it",
    "--lang": "it opens the window; tests/ui/test_languages.py has one in each language",
    "--safe": "it opens the window; tests/ui/test_starts.py starts it",
    "health": "it opens a window; tests/appliance asks it",
    "backup /": "onto a stick; tests/store/test_backup.py backs some up",
    "restore": "from FILE; tests/store/test_backup.py restores some",
    "update": "an installed version alone does it; tests/appliance updates one",
}
"""Commands that are read by the program's own parser, and not run: by how they begin, with the reason."""
WITH_PARTS = ("cards", "export", "history", "players")
"""Verbs that a page may name alone, though they do nothing alone."""
OF_OTHERS = {
    "apt": "Debian's packages, on a Pi",
    "git": "the way the project comes onto a Pi",
    "journalctl": "the service",
    "nmtui": "the Wi-Fi",
    "nmcli": "the Wi-Fi",
    "echo": "a line of a file",
    "~/flash/bin/pip": "the tool that writes onto a Pico",
    "~/flash/bin/mpremote": "the tool that writes onto a Pico",
    "nano": "an editor",
    "mkfs.ext4": "a stick for the games",
    "mount": "a stick for the games",
    "cp": "a stick for the games",
    "umount": "a stick for the games",
    "chown": "a stick for the games",
    "rm": "a stick for the games",
    "reboot": "the machine",
    "ssh-keygen": "whoever makes releases",
    "ssh": "the way to a Pi from another computer",
    "cd": "a step on the way to it",
    "systemd-sysusers": "the service, which only a machine with systemd has",
    "sed": "a step on the way to it",
    "systemctl": "the service",
    "python3": "an environment for a tool of others",
    "~/.cache/bench-peers/venv/bin/pip": "the peers that only a benchmark needs",
}
"""Programs of others, which aren't here, with the reason why a page names them."""


def form(block: DocExample) -> str:
    """What a block is; nothing where nobody knows."""
    lines = block.text.splitlines()
    name = str(block.page.relative_to(ROOT))
    is_session = any(line.startswith("$ companion ") for line in lines)
    forms = {
        "illustration": block.is_illustration,
        "directive": block.kind.startswith("{"),  # `make docs` reads it
        "elsewhere": name in ELSEWHERE
        and (is_session or block.kind in ("python", "csv") or "[[card]]" in lines),
        "session": is_session,
        "file": block.kind == "text" and name == "docs/simulate.md",
        "lines": all(line.startswith(("> ", "< ")) for line in lines),
        "toml": block.kind == "toml" or lines[0].startswith("[["),
        "commands": not block.kind and all(is_command(line) for line in lines if line),
    }
    return next((form for form, is_so in forms.items() if is_so), "")


def is_command(line: str) -> bool:
    """Whether a shell would know what to do with it."""
    line = line.removeprefix("sudo ").removeprefix("-u companion ")
    first = line.removeprefix(".venv/bin/").split()[0]
    return first in ("companion", "make", *OF_OTHERS) or (ROOT / first).is_file()


BLOCKS = [block for page in DOC_PAGES for block in examples_on_page(page)]


def of_form(wanted: str) -> list[DocExample]:
    """All blocks of one form."""
    return [block for block in BLOCKS if form(block) == wanted]


def named(block: DocExample) -> str:
    """A block in the list of tests."""
    return f"{block.page.relative_to(ROOT)}:{block.text.splitlines()[0][:40]}"


def test_every_block_is_something_that_is_run() -> None:
    """A new example is of a form that a test runs, or the page says why it is only an illustration."""
    assert [named(block) for block in BLOCKS if not form(block)] == []
    assert all(of_form(each) for each in ("session", "elsewhere", "file", "lines", "toml", "commands"))


@pytest.mark.parametrize("text", ["frobnicate --all", "$ frobnicate", "> 0 WHO*CCBC\nfrobnicate"])
def test_a_block_that_nobody_knows_is_found(text: str, tmp_path: Path) -> None:
    """Until the page says why it is there."""
    page = ROOT / "docs" / "bank.md"
    assert form(DocExample(page, "", text)) == form(DocExample(page, "sh", text)) == ""
    written = tmp_path / "page.md"
    known = f"<!-- illustration: none -->\n\n```\n{text}\n```\n"
    written.write_text(f"```\n{text}\n```\n{known}", encoding="utf-8")
    assert [block.is_illustration for block in examples_on_page(written)] == [False, True]


@pytest.mark.parametrize(("page", "test"), ELSEWHERE.items())
def test_what_is_run_elsewhere_is_run_there(page: str, test: str) -> None:
    """That test is there, and reads that page."""
    file, _, name = test.partition("::")
    text = (ROOT / "tests" / file).read_text(encoding="utf-8")
    assert f"def {name}(" in text
    assert Path(page).name in text


@pytest.mark.parametrize("block", of_form("session"), ids=named)
def test_a_session_goes_as_the_page_says(block: DocExample, tmp_path: Path) -> None:
    """In a shell, beside the files that the page shows: each line is said, in the order of each device."""
    for other in examples_on_page(block.page):
        if other.kind in SAVED:
            (tmp_path / SAVED[other.kind]).write_text(other.text, encoding="utf-8")
    command, *told = block.text.splitlines()
    line = ["sh", "-c", command.removeprefix("$ ")]
    env = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(tmp_path)}
    run = subprocess.run(
        line, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120
    )
    assert (run.returncode, run.stderr) == (0, "")
    for device in {line.partition(":")[0] for line in told}:
        heard = iter([line for line in run.stdout.splitlines() if line.startswith(f"{device}:")])
        assert [line for line in told if line.startswith(f"{device}:") and line not in heard] == []


@pytest.mark.parametrize("block", of_form("lines"), ids=named)
def test_lines_of_the_protocol_are_right(block: DocExample) -> None:
    """Each is one that the program reads, of the side that says it."""
    for line in block.text.splitlines():
        (parse_keypad_line if line.startswith("> ") else parse_host_line)(line[2:].encode())


@pytest.mark.parametrize("block", of_form("toml"), ids=named)
def test_a_file_can_be_copied(block: DocExample, tmp_path: Path) -> None:
    """It is a wiring, a keypad's settings, a template, or an entry point of a package, without a fault."""
    rows = toml.parse_toml(block.text)
    path = tmp_path / "copied.toml"
    path.write_text(block.text, encoding="utf-8")
    if rows.keys() <= SECTION_TYPE_BY_NAME.keys():
        assert load_wiring_without_faulty_sections(path).faults == ()
    elif "card" in rows:
        read(user_files.read_user_file(path, toml.MAX_TOML_CHARACTERS), "copied.toml")
    elif "project" in rows:
        assert {*rows["project"]["entry-points"]} <= {ENTRY_POINT_GROUP, languages.ENTRY_POINT_GROUP}
    elif "people" in rows:
        msgspec.convert(rows, languages.LanguageDescription)
    else:
        assert read_keypad_toml(str(path)) == rows


# Commands


def commands(text: str) -> Iterator[list[str]]:
    """The words after `companion` of each command in it, without remarks."""
    for line in text.splitlines():
        words = shlex.split(REMARK.sub("", line.removeprefix("sudo ").removeprefix("-u companion ")))
        if words and words[0].removeprefix(".venv/bin/") == "companion":
            yield words[1:]


def parse(words: list[str]) -> None:
    """Reads a command as the program does; SystemExit where there is no such verb, argument or option."""
    name, rest = (words[0], words[1:]) if words and not words[0].startswith("-") else ("screen", words)
    parser = ArgumentParser()
    found = cli.load_subcommand(name)
    found.add_arguments(parser)
    parser.parse_args(rest)


def why_not_run(words: list[str]) -> str | None:
    """The reason why a command is only read."""
    line = " ".join(words)
    if not words:
        return NOT_RUN[""]
    return next((why for begins, why in NOT_RUN.items() if begins and line.startswith(begins)), None)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state directory after some evenings: twelve games, of which the last wait."""
    state = tmp_path_factory.mktemp("evenings") / "state"
    with closing(Store.open(state, for_writing=True)) as store:
        for number in range(10):
            names = ["Akki" if number % 2 else "Aki", "Ben"]
            session = begin_game(store, names)
            for name in names:
                seal_bid(session, name, 1)
            session.answer(session.question_number, "finish")
            session.put_away()
        Session.begin(
            egypt.GAME, ["Aki", "Ben", "Chie"], {}, store.new_game_log(), tags=store.card_of_tag, seed=7
        )
        begin_game(store)
        begin_game(store)
    return state


@pytest.fixture
def shell(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], int]:
    """Somebody at home who types a command and then nothing more."""
    shutil.copytree(saved, tmp_path / "state")
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def types(words: list[str]) -> int:
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO()))
        return cli.main(words)

    return types


def run(words: list[str], shell: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]) -> None:
    """Reads a command, and runs it where it can be."""
    why, words = why_not_run(words), [PLACEHOLDERS.get(word, word) for word in words]
    if words[:1] == ["play"] and not {"--seats", "--resume"} & {*words}:
        words += ["--seats", "Aki,Ben,Chie"]  # a terminal asks for the names
    if words in ([part] for part in WITH_PARTS):
        cli.load_subcommand(words[0])
    elif "VERB" not in words:
        parse(words)
        if why is None:
            assert shell(words) == 0, capsys.readouterr().err


@pytest.mark.parametrize("block", of_form("commands"), ids=named)
def test_commands_do_what_they_say(
    block: DocExample, shell: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]
) -> None:
    """One after the other, after some evenings of play; what can't be run here is read all the same."""
    for words in commands(MAY_BE.sub("", block.text)):
        run(words, shell, capsys)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"^make (\w+)", block.text, re.MULTILINE)) <= set(targets)


INLINES = sorted({found for page in DOC_PAGES for found in INLINE.findall(page.read_text(encoding="utf-8"))})


@pytest.mark.sweep(20)
@pytest.mark.parametrize("line", INLINES)
def test_a_command_in_a_sentence_is_one(
    line: str, shell: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]
) -> None:
    """It is read by the program's own parser, and run where it can be."""
    for words in commands(line.partition(" <")[0]):
        run(words, shell, capsys)


def test_each_reason_has_its_example() -> None:
    """No reason outlives what it excuses."""
    texts = [*INLINES, *(block.text for block in of_form("commands") + of_form("session"))]
    lines = [" ".join(words) for text in texts for words in commands(text.replace("$ ", ""))]
    assert [begins for begins in NOT_RUN if not any(line.startswith(begins) for line in lines)] == []
