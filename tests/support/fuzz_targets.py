"""Every way into the program, each tried with something odd that follows from a seed, for the fuzz tests."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from companion import installed_games
from companion.jsonlines.json_session import play_over_streams
from companion.owner_decks import rows_to_csv, rows_to_toml
from companion.requests import Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import Store
from companion.testing.random_game import PLAYER_NAMES, choose_random_options
from tests.any_game_presets import SHIPPED, library
from tests.support.altered_rows import Alterations
from tests.support.fuzz_archives import copy, release
from tests.support.fuzz_keypad_protocol import cable
from tests.support.hardware.random_wiring import GOOD, drawn
from tests.support.in_process import Ended, check, run, timed
from tests.support.mutations import WORDS, odd

GOLDEN = Path(__file__).parents[1] / "golden"
LINES, ODD = 25, 0.4
"""Number of lines a program says to one game, and the share of odd ones."""
BEGIN = ["play", "sealed_bid", "--json", "--seats", "Aki,Ben"]
VERBS = (
    ["history", "list"],
    *(["history", "show", number] for number in "1234"),
    *(["export", number, "--format", form] for number in "123" for form in ("json", "csv", "text", "html")),
    *(["verify", number] for number in "1234"),
    *(["log", number] for number in "12"),
    ["players", "list"],
    ["games"],
    BEGIN,
    ["play", "sealed_bid", "--json", "--resume"],
)
"""What is asked of saved games that are damaged."""
SAID = b'{"do": "state"}\n{"do": "undo", "past_reveal": true}\n'


@cache
def logs() -> list[str]:
    """Sound logs of every game."""
    return [path.read_text(encoding="utf-8") for path in sorted(GOLDEN.glob("*.log"))]


def replay(rng: Random, there: Path) -> None:
    """A mailed log is replayed."""
    there.joinpath("mailed.log").write_text(odd(rng.choice(logs()), rng, logs()), "utf-8", "surrogatepass")
    more = rng.choice([[], [], ["--json"], ["--until", "20"]])
    check(run(["replay", str(there / "mailed.log"), *more]), lines_of_json="--json" in more)


def verify(rng: Random, there: Path) -> None:
    """A mailed log is proved."""
    there.joinpath("mailed.log").write_text(odd(rng.choice(logs()), rng, logs()), "utf-8", "surrogatepass")
    check(run(["verify", str(there / "mailed.log")]))


def games() -> list[Game]:
    """Every game that can be played."""
    return [game for game in installed_games.games().values() if isinstance(game, Game)]


def lines(rng: Random, there: Path) -> None:
    """A program plays, and says something odd now and then."""
    game = rng.choice(games())
    options = choose_random_options(game, rng)
    names = PLAYER_NAMES[: rng.randint(*game.players)]
    with closing(Store.open(there, for_writing=True)) as store:
        session = Session.begin(game, names, options, store.new_game_log(), seed=rng.getrandbits(32))
        for _ in range(LINES):
            sound = sound_lines(session, rng)
            text = odd(rng.choice(sound), rng, sound) if rng.random() < ODD else rng.choice(sound)
            for line in text.encode("utf-8", "surrogatepass").splitlines(keepends=True)[:LINES]:
                out = io.BytesIO()
                with timed():
                    play_over_streams(session, io.BytesIO(line), out)
                check(Ended(0, out.getvalue().decode(), ""), lines_of_json=True)


def sound_lines(session: Session, rng: Random) -> list[str]:
    """What a program may say now; answers more often than all else."""
    deeds: list[dict[str, Any]] = [
        *({"do": "undo", "past_reveal": True}, {"do": "redo"}, {"do": "state"}),
        {"do": "leave", "seat": "Aki"},
        {"do": "come_back", "seat": "Aki"},
        {"do": "rename", "seat": "Aki", "name": rng.choice(("Aki", "Zoe"))},
        {"do": "amend", "event": max(1, session.question_number - 1), "answer": None, "go_back": True},
    ]
    if rng.random() < 0.02:
        deeds.append({"do": "put_away"})
    accounts = list(session.table.ledger)
    if accounts:
        source, target = rng.choice(accounts), rng.choice(accounts)
        way = {
            "from": source.place.key_with_player_name,
            "to": target.place.key_with_player_name,
            "piece": source.piece.key,
        }
        deeds.append({"do": "correct", **way, "count": 1, "reason": "lost"})
    question = session.question
    if isinstance(question, Together):
        answers = [
            {
                "n": session.question_number,
                "seat": seat.name,
                "answer": part.answer_to_json(part.random_legal_answer(rng)),
            }
            for seat, part in question.parts_by_seat.items()
        ]
    elif question is not None:
        answers = [
            {
                "n": session.question_number,
                "answer": question.answer_to_json(question.random_legal_answer(rng)),
            }
        ]
    else:
        answers = []
    return [json.dumps(line, ensure_ascii=False) for line in (*deeds, *(answers * 20))]


def begins(game: str, there: Path, *options: str) -> None:
    """A game takes what lies in the state directory, and is played for a while."""
    names = ",".join(PLAYER_NAMES[: installed_games.playable_game(game).players[0]])
    words = ["play", game, "--json", "--seats", names, "--state", str(there), *options]
    lines = b'{"n": 1, "answer": null}\n{"do": "state"}\n{"do": "put_away"}\n'
    check(run(words, lines), lines_of_json=True)
    with closing(Store.open(there)) as store:
        for saved in store.saved_games():
            store.open_game_log(saved.number).events()


def cards(rng: Random, there: Path) -> None:
    """An owner's file is imported, or lies there already when a game begins."""
    copies = installed_games.owner_decks_by_name(there)
    name = rng.choice(list(copies))
    sound = [rows_to_toml(copy.load_rows()) for copy in copies.values()]
    kind = rng.choice((".toml", ".toml", ".csv"))
    text = rows_to_toml(copies[name].load_rows())
    if kind == ".csv":
        text = rows_to_csv(copies[name].load_rows().cards, copies[name].shipped_file)
        sound = [text]
    there.joinpath(f"mailed{kind}").write_text(odd(text, rng, sound), "utf-8", "surrogatepass")
    if kind == ".toml" and rng.random() < 0.5:
        copies[name].path.parent.mkdir(exist_ok=True)
        shutil.copy(there / "mailed.toml", copies[name].path)
    else:
        check(run(["cards", "import", name, str(there / f"mailed{kind}"), "--state", str(there)]))
    check(run(["cards", rng.choice(("show", "check")), name, "--state", str(there)]))
    begins(copies[name].game.key, there)


def template(rng: Random, there: Path) -> None:
    """A template of somebody else's lies there when Any Game begins."""
    sound = [library(there).read_preset_text(name) for name in SHIPPED]
    path = library(there).own_preset_path("mine")
    path.parent.mkdir()
    path.write_text(odd(rng.choice(sound), rng, sound), "utf-8", "surrogatepass")
    begins("any_game", there, "--option", "template=mine")


def words(rng: Random, there: Path) -> None:
    """Names, options and clocks as people type them, and whatever else stands behind a verb."""
    sound = rng.choice((
        "play sealed_bid --json --seats Aki,Ben --option unit=$",
        "play egypt --json --seats Aki,Ben,Chie --option pay_rule=own_bid",
        "play any_game --json --seats Aki,Ben --option template=poker --option rounds=3",
        "play sealed_bid --seats Aki,Ben --clock turn=60",
        "players merge Aki Ben", "players delete Aki", "history show 1", "export 1 --format text",
        "verify 1", "log 1", "verify 1 --noted K7MQ93XD2HVT",
        "cards show egypt", "cards edit egypt 4 number=4", "games new mine --like poker",
        "cards edit bidders board.hire 1 2 3", "replay mailed.log --until 3", "demo egypt",
    ))  # fmt: skip  # a list of what people type
    odd_ones = [word for word in WORDS if "\0" not in word] + ["\udcff", "Aki\udcff"]
    spots = sound.split(" ")
    at = rng.randrange(1, len(spots))
    kept = rng.choice(("", spots[at].partition("=")[0] + "=", "Aki,"))
    spots[at] = kept + rng.choice(odd_ones)
    check(
        run([*spots, *(["--state", str(there)] if spots[0] not in {"replay", "demo"} else [])]),
        lines_of_json="--json" in spots,
    )


def wiring(rng: Random, there: Path) -> None:
    """What a table is wired with was written by hand, or copied from anywhere."""
    sound = ["".join(GOOD.values())]
    text = drawn(rng) if rng.random() < 0.5 else rng.choice(sound)
    path = there / "hardware.toml"
    path.write_text(odd(text, rng, sound) if rng.random() < 0.7 else text, "utf-8", "surrogatepass")
    act = rng.choice((["show"], ["check", "--simulate"]))
    check(run(["hardware", *act, "--file", str(path)]))


@cache
def alterations() -> tuple[Alterations, object]:
    """Sound saved games, made once, and the directory that goes with the process."""
    there = tempfile.TemporaryDirectory(prefix="fuzz")
    return Alterations(Path(there.name) / "sound"), there


def rows(rng: Random, there: Path) -> None:
    """The saved games hold something else than what was kept."""
    tried(alterations()[0], rng.getrandbits(32), there / "state")


def tried(alterations: Alterations, seed: int, state: Path) -> None:
    """Three verbs look at saved games in which something was altered; one goes on, and a new one begins."""
    done = alterations.altered(seed, state)
    for verb in (*Random(seed).sample(VERBS, 3), ["play", "egypt", "--json", "--resume"], BEGIN):
        try:
            looked(verb, state)
        except Exception as fault:
            raise AssertionError((verb, done)) from fault


def looked(verb: Sequence[str], state: Path) -> None:
    """One verb looks at saved games; what it exports is for no terminal."""
    ended = run([*verb, "--state", str(state)], SAID)
    shown = "" if verb[0] == "export" else ended.said
    check(Ended(ended.status, shown, ended.complained), lines_of_json="--json" in verb)
    assert ended.status == 0 or "--seats" not in verb, f"no new game can begin: {ended.complained}"


WAYS: dict[str, Callable[[Random, Path], None]] = {
    "replay": replay,
    "verify": verify,
    "json": lines,
    "cards": cards,
    "template": template,
    "words": words,
    "wiring": wiring,
    "rows": rows,
    "cable": cable,
    "copy": copy,
    "release": release,
}
