"""`companion cards tags | forget | learn`: at a shell, with a simulated chip under the real driver."""

from __future__ import annotations

import signal
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from companion import cli
from companion.store import Store
from tests.support import third_party_packages
from tests.support.program import COMPANION, run_companion, wait_until_idle

READERS = """
[[reader]]
zone = "market"
spi = "/dev/spidev0.0"

[[reader]]
zone = "tray"
spi = "/dev/spidev0.1"
"""
ONE, TWO, THREE = "04A1B2C3D4E580", "DEADBEEF", "04A1B2C3D4E5F6010203"


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table with two readers."""
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    (tmp_path / "hardware.toml").write_text(READERS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state directory in which nothing has been learnt."""
    return tmp_path / "state"


def taught(state: Path, deck: str = "mammon") -> dict[str, str]:
    """The tags that a deck has."""
    with closing(Store.open(state)) as store:
        return store.tag_uid_by_card(deck)


def learn(state: Path, *words: str, said: str = "") -> list[str]:
    """`companion cards learn --simulate`, with these lines typed; what it prints."""
    done = run_companion(["cards", "learn", *words, "--simulate"], state, said)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


# learn


def test_the_example_of_the_page_is_true(state: Path) -> None:
    """What is typed after `>` leads to exactly what the page says."""
    page = (Path(__file__).parents[2] / "docs" / "tags.md").read_text(encoding="utf-8")
    (command, *lines) = page.split("```")[1].strip().splitlines()
    typed = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    words = command.removeprefix("$ companion cards learn ").removesuffix(" --simulate").split()
    said = learn(state, *words, said="".join(f"{line}\n" for line in typed))
    assert said == [line for line in lines if not line.startswith("> ")]


def test_a_simulated_reader_needs_no_reset_pin(state: Path, config: Path) -> None:
    """A table whose reader is reset by a pin is tried where there are no pins."""
    wired = READERS.replace('0.0"', '0.0"\nreset = "GPIO25"')
    (config / "hardware.toml").write_text(wired, encoding="utf-8")
    assert learn(state, "mammon", said=f"{ONE}\nfinish\n")[-1] == "1 tag learned."


def test_what_has_no_lasting_id_is_named_and_not_learnt(state: Path) -> None:
    """A phone, a forged tag, a good one; each is said when it is laid."""
    asks = "Lay mansion, 1 of 2 (mansion.1) on the reader. Cards left: 18."
    assert learn(state, "mammon", said=f"08A2B3C4\n88A2B3C4\n{ONE}\nfinish\n") == [
        asks,
        (
            "08A2B3C4 (08…) changes each time it is read, like the ids of phones and bank cards. Use "
            "another tag."
        ),
        asks,
        "Tag 88A2B3C4 is forged or broken: it gives two lengths for its id. Use another tag.",
        asks,
        "Saved the tag of mansion, 1 of 2.",
        "Lay mansion, 2 of 2 (mansion.2) on the reader. Cards left: 17.",
        "1 tag learned.",
    ]
    assert taught(state) == {"mansion.1": ONE}


def test_cards_are_learnt_in_a_row(state: Path) -> None:
    """Tags of 4, 7 and 10 bytes through chip and driver; each line says what comes next."""
    said = f"{ONE}\nskip\n{TWO.lower()}\n{THREE}\n"
    assert learn(state, "mammon", said=said) == [
        "Lay mansion, 1 of 2 (mansion.1) on the reader. Cards left: 18.",
        "Saved the tag of mansion, 1 of 2.",
        "Lay mansion, 2 of 2 (mansion.2) on the reader. Cards left: 17.",
        "Lay ambush, 1 of 2 (ambush.1) on the reader. Cards left: 16.",
        "Saved the tag of ambush, 1 of 2.",
        "Lay ambush, 2 of 2 (ambush.2) on the reader. Cards left: 15.",
        "Saved the tag of ambush, 2 of 2.",
        "Lay spy, 1 of 2 (spy.1) on the reader. Cards left: 14.",
        "3 tags learned.",
    ]
    assert taught(state) == {"mansion.1": ONE, "ambush.1": TWO, "ambush.2": THREE}


def test_what_can_not_be_learnt_is_said(state: Path) -> None:
    """A tag twice, two at once, another game's, and what is no tag: a sentence, and nothing is taught."""
    with closing(Store.open(state, for_writing=True)) as store:
        store.assign_tag(THREE, "egypt", "6.2")
    said = f"{ONE}\n{ONE}\n{TWO} 04FFFFFF\n{THREE}\nhello\nback\nback\n{TWO}\nfinish\n{ONE}\n"
    lines = learn(state, "mammon", "--from", "resolve.1", "--zone", "tray", said=said)
    refused = [line for line in lines if "(" not in line]
    assert refused == [
        "Saved the tag of resolve, 1 of 2.",
        ("This tag already belongs to resolve, 1 of 2. Lay down another card, or remove that tag first."),
        "Saved the tag of resolve, 2 of 2.",
        f"Two tags were laid down at the same time: 04FFFFFF and {TWO}. Lay down one card at a time.",
        "This tag belongs to card 6, 2 of 6 in Egypt, so it can't be used for a card of Mammon.",
        'Unknown: hello. Type "skip", "back", "finish", or the 8, 14 or 20 digits of a tag.',
        "Saved the tag of resolve, 1 of 2.",
        "1 tag learned.",
    ]
    assert taught(state) == {"resolve.1": TWO}


def test_ctrl_c_leaves_what_was_learnt(state: Path) -> None:
    """Each tag was kept when it was laid; the games can be opened at once."""
    words = [COMPANION, "cards", "learn", "mammon", "--simulate", "--state", str(state)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{ONE}\n")
    process.stdin.flush()
    assert "Saved the tag of" in [process.stdout.readline() for _ in range(2)][1]
    wait_until_idle(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == cli.INTERRUPTED_STATUS
    process.communicate()
    assert taught(state) == {"mansion.1": ONE}
    Store.open(state, for_writing=True).close()


def test_a_lesson_ends_with_its_last_card(state: Path) -> None:
    """Then nothing more is read; only cards without a tag are asked for, unless all are wanted."""
    assert learn(state, "mammon", "--from", "dung.2", said=f"{ONE}\n{TWO}\n")[-1] == "1 tag learned."
    assert learn(state, "mammon", "--from", "dung.2") == ["All these cards have a tag now."]
    learn(state, "mammon", "--from", "dung.2", "--anew", said=f"{TWO}\n")
    assert taught(state) == {"dung.2": TWO}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("chess", "There are no cards for chess. Games with cards: "),
        ("any_game", "There are no cards for any_game. Games with cards: bidders, egypt, high_bid, "),
        ("mammon --from king", "Mammon has no card king. Its cards: mansion.1, "),
        ("mammon --zone shelf", "hardware.toml has no reader shelf. Choose from: market, tray."),
    ],
)
def test_what_there_is_not_is_named(
    state: Path, words: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game, a card or a zone that doesn't exist: a sentence with those that do."""
    assert cli.main(["cards", "learn", *words.split(), "--simulate", "--state", str(state)]) == 2
    assert capsys.readouterr().err.startswith(why)


def test_without_a_reader_nothing_can_be_learnt(
    state: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence says what to write where; a simulated one needs no file."""
    (config / "hardware.toml").unlink()
    assert cli.main(["cards", "learn", "mammon", "--state", str(state)]) == 2
    assert capsys.readouterr().err == (
        "There is no reader in hardware.toml. Add a [[reader]] section, or use --simulate to try "
        "without a reader.\n"
    )
    learn(state, "mammon", said=f"{ONE}\n")
    assert taught(state) == {"mansion.1": ONE}


def test_a_reader_that_is_not_there_is_said(state: Path) -> None:
    """On a machine without SPI, or without the package for it, the lesson begins, and says what to do."""
    words = [COMPANION, "cards", "learn", "mammon", "--zone", "tray", "--state", str(state)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert "Cards left: 18" in process.stdout.readline()
        assert "reader tray " in process.stdout.readline()
        process.stdin.write(f"{ONE}\nfinish\n")
        process.stdin.flush()
        assert process.stdout.readline() == f'Unknown: {ONE}. Type "skip", "back" or "finish".\n'
        assert process.wait(20) == 0


# tags and forget


def test_tags_are_listed_and_forgotten(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each card with its tag or without; a card without one has nothing to forget.

    One that the deck no longer has is forgotten too.
    """
    with closing(Store.open(state, for_writing=True)) as store:
        store.assign_tag(ONE, "mammon", "spy.2")
    at = ["--state", str(state)]
    assert cli.main(["cards", "tags", "mammon", *at]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Mammon: 1 of 18 cards has a tag."
    assert [line.split() for line in lines[4:7]] == [
        ["ambush.2", "–"],
        ["spy.1", "–"],
        ["spy.2", ONE],
    ]
    assert cli.main(["cards", "forget", "mammon", "spy.2", *at]) == 0
    assert capsys.readouterr().out == "Mammon: 0 of 18 cards have a tag.\n"
    assert cli.main(["cards", "forget", "mammon", "spy.2", *at]) == 2
    assert capsys.readouterr().err == "spy, 2 of 2 has no tag.\n"
    with closing(Store.open(state, for_writing=True)) as store:
        store.assign_tag(ONE, "mammon", "spy.9")
    assert cli.main(["cards", "forget", "mammon", "spy.9", *at]) == 0
    assert taught(state) == {}
    capsys.readouterr()
    assert cli.main(["cards", "forget", "mammon", "king", *at]) == 2
    assert capsys.readouterr().err.startswith("Mammon has no card king. ")


# parts of strangers


def test_a_broken_part_is_in_nobodys_way(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is a sentence where it stands; the other parts work."""
    monkeypatch.syspath_prepend(str(tmp_path))
    third_party_packages.install_subcommand(
        tmp_path, "bend", "import no_such_module", group="companion.cards"
    )
    assert cli.main(["cards", "tags", "mammon", "--state", str(state)]) == 0
    capsys.readouterr()
    assert cli.main(["cards", "bend", "mammon", "--state", str(state)]) == 1
    assert 'The command "cards bend" can\'t be loaded: ModuleNotFoundError' in capsys.readouterr().err


def test_a_broken_part_stands_in_the_list_of_parts_with_its_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever letters its fault has."""
    monkeypatch.syspath_prepend(str(tmp_path))
    third_party_packages.install_subcommand(
        tmp_path, "warp", "raise ValueError('50 %o')", group="companion.cards"
    )
    with pytest.raises(SystemExit):
        cli.main(["cards", "--help"])
    assert "ValueError: 50 %o." in " ".join(capsys.readouterr().out.split())
