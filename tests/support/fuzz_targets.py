"""The fuzz targets: each feeds input from a seeded random generator to one input of the program."""

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
from companion.jsonlines import play_over_streams
from companion.owner_decks import rows_to_csv, rows_to_toml
from companion.requests import Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import Store
from companion.testing.random_game import PLAYER_NAMES, choose_random_options
from tests.any_game_presets import SHIPPED, library
from tests.support.altered_rows import RowAlterer
from tests.support.fuzz_archives import fuzz_archive, fuzz_release
from tests.support.fuzz_keypad_protocol import fuzz_keypad_protocol
from tests.support.hardware.random_wiring import VALID_SECTION_BY_DEVICE, random_wiring_text
from tests.support.in_process import ProgramResult, check_clean_exit, limit_cpu_time, run_in_process
from tests.support.mutations import ODD_WORDS, mutate

RECORDED_LOGS = Path(__file__).parents[1] / "golden"
LINES_PER_GAME, MUTATED_LINE_FRACTION = 25, 0.4
"""Number of lines that a JSON client sends to one game, and the fraction of mutated lines."""
BEGIN_COMMAND = ["play", "sealed_bid", "--json", "--seats", "Aki,Ben"]
COMMANDS_FOR_SAVED_GAMES = (
    ["history", "list"],
    *(["history", "show", number] for number in "1234"),
    *(["export", number, "--format", form] for number in "123" for form in ("json", "csv", "text", "html")),
    *(["verify", number] for number in "1234"),
    *(["log", number] for number in "12"),
    ["players", "list"],
    ["games"],
    BEGIN_COMMAND,
    ["play", "sealed_bid", "--json", "--resume"],
)
"""Commands that run on damaged saved games."""
JSON_INPUT = b'{"do": "state"}\n{"do": "undo", "past_reveal": true}\n'


@cache
def recorded_log_texts() -> list[str]:
    """Returns valid logs of every game."""
    return [path.read_text(encoding="utf-8") for path in sorted(RECORDED_LOGS.glob("*.log"))]


def fuzz_replay(rng: Random, directory: Path) -> None:
    """Replays a mutated log that somebody mailed."""
    directory.joinpath("mailed.log").write_text(
        mutate(rng.choice(recorded_log_texts()), rng, recorded_log_texts()), "utf-8", "surrogatepass"
    )
    options = rng.choice([[], [], ["--json"], ["--until", "20"]])
    check_clean_exit(
        run_in_process(["replay", str(directory / "mailed.log"), *options]),
        is_json_output="--json" in options,
    )


def fuzz_verify(rng: Random, directory: Path) -> None:
    """Verifies a mutated log that somebody mailed."""
    directory.joinpath("mailed.log").write_text(
        mutate(rng.choice(recorded_log_texts()), rng, recorded_log_texts()), "utf-8", "surrogatepass"
    )
    check_clean_exit(run_in_process(["verify", str(directory / "mailed.log")]))


def playable_games() -> list[Game]:
    """Returns every installed game that can be played."""
    return [game for game in installed_games.games().values() if isinstance(game, Game)]


def fuzz_json_lines(rng: Random, directory: Path) -> None:
    """Plays a game by JSON lines, some of them mutated."""
    game = rng.choice(playable_games())
    options = choose_random_options(game, rng)
    names = PLAYER_NAMES[: rng.randint(*game.players)]
    with closing(Store.open(directory, for_writing=True)) as store:
        session = Session.begin(game, names, options, store.new_game_log(), seed=rng.getrandbits(32))
        for _ in range(LINES_PER_GAME):
            valid_texts = valid_json_lines(session, rng)
            text = (
                mutate(rng.choice(valid_texts), rng, valid_texts)
                if rng.random() < MUTATED_LINE_FRACTION
                else rng.choice(valid_texts)
            )
            for line in text.encode("utf-8", "surrogatepass").splitlines(keepends=True)[:LINES_PER_GAME]:
                out = io.BytesIO()
                with limit_cpu_time():
                    play_over_streams(session, io.BytesIO(line), out)
                check_clean_exit(ProgramResult(0, out.getvalue().decode(), ""), is_json_output=True)


def valid_json_lines(session: Session, rng: Random) -> list[str]:
    """Returns lines that a JSON client may send now, most of them answers."""
    requests: list[dict[str, Any]] = [
        *({"do": "undo", "past_reveal": True}, {"do": "redo"}, {"do": "state"}),
        {"do": "leave", "seat": "Aki"},
        {"do": "come_back", "seat": "Aki"},
        {"do": "rename", "seat": "Aki", "name": rng.choice(("Aki", "Zoe"))},
        {"do": "amend", "event": max(1, session.question_number - 1), "answer": None, "go_back": True},
    ]
    if rng.random() < 0.02:
        requests.append({"do": "put_away"})
    accounts = list(session.table.ledger)
    if accounts:
        source, target = rng.choice(accounts), rng.choice(accounts)
        move = {
            "from": source.place.key_with_player_name,
            "to": target.place.key_with_player_name,
            "piece": source.piece.key,
        }
        requests.append({"do": "correct", **move, "count": 1, "reason": "lost"})
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
    return [json.dumps(line, ensure_ascii=False) for line in (*requests, *(answers * 20))]


def begin_and_play_game(game: str, directory: Path, *options: str) -> None:
    """Begins a game in the state directory, answers once and puts it away, then reads all saved logs."""
    names = ",".join(PLAYER_NAMES[: installed_games.playable_game(game).players[0]])
    arguments = ["play", game, "--json", "--seats", names, "--state", str(directory), *options]
    lines = b'{"n": 1, "answer": null}\n{"do": "state"}\n{"do": "put_away"}\n'
    check_clean_exit(run_in_process(arguments, lines), is_json_output=True)
    with closing(Store.open(directory)) as store:
        for saved in store.all_saved_games():
            store.open_game_log(saved.number).events()


def fuzz_card_files(rng: Random, directory: Path) -> None:
    """Imports an owner's file of cards, or places it where the game finds it; then begins the game."""
    decks_by_name = installed_games.owner_decks_by_name(directory)
    name = rng.choice(list(decks_by_name))
    valid_texts = [rows_to_toml(copy.load_rows()) for copy in decks_by_name.values()]
    suffix = rng.choice((".toml", ".toml", ".csv"))
    text = rows_to_toml(decks_by_name[name].load_rows())
    if suffix == ".csv":
        text = rows_to_csv(decks_by_name[name].load_rows().cards, decks_by_name[name].shipped_file)
        valid_texts = [text]
    directory.joinpath(f"mailed{suffix}").write_text(mutate(text, rng, valid_texts), "utf-8", "surrogatepass")
    if suffix == ".toml" and rng.random() < 0.5:
        decks_by_name[name].path.parent.mkdir(exist_ok=True)
        shutil.copy(directory / "mailed.toml", decks_by_name[name].path)
    else:
        check_clean_exit(
            run_in_process(
                ["cards", "import", name, str(directory / f"mailed{suffix}"), "--state", str(directory)]
            )
        )
    check_clean_exit(
        run_in_process(["cards", rng.choice(("show", "check")), name, "--state", str(directory)])
    )
    begin_and_play_game(decks_by_name[name].game.key, directory)


def fuzz_template(rng: Random, directory: Path) -> None:
    """Begins Any Game with a mutated template of somebody else."""
    valid_texts = [library(directory).read_preset_text(name) for name in SHIPPED]
    path = library(directory).own_preset_path("mine")
    path.parent.mkdir()
    path.write_text(mutate(rng.choice(valid_texts), rng, valid_texts), "utf-8", "surrogatepass")
    begin_and_play_game("any_game", directory, "--option", "template=mine")


def fuzz_arguments(rng: Random, directory: Path) -> None:
    """Runs commands in which one argument, such as a name, an option or a clock, is odd."""
    command_line = rng.choice((
        "play sealed_bid --json --seats Aki,Ben --option unit=$",
        "play egypt --json --seats Aki,Ben,Chie --option pay_rule=own_bid",
        "play any_game --json --seats Aki,Ben --option template=poker --option rounds=3",
        "play sealed_bid --seats Aki,Ben --clock turn=60",
        "players merge Aki Ben", "players delete Aki", "history show 1", "export 1 --format text",
        "verify 1", "log 1", "verify 1 --noted K7MQ93XD2HVT",
        "cards show egypt", "cards edit egypt 4 number=4", "games new mine --like poker",
        "cards edit bidders board.hire 1 2 3", "replay mailed.log --until 3", "demo egypt",
    ))  # fmt: skip  # a list of what people type
    odd_words = [word for word in ODD_WORDS if "\0" not in word] + ["\udcff", "Aki\udcff"]
    spots = command_line.split(" ")
    index = rng.randrange(1, len(spots))
    prefix = rng.choice(("", spots[index].partition("=")[0] + "=", "Aki,"))
    spots[index] = prefix + rng.choice(odd_words)
    check_clean_exit(
        run_in_process(
            [*spots, *(["--state", str(directory)] if spots[0] not in {"replay", "demo"} else [])]
        ),
        is_json_output="--json" in spots,
    )


def fuzz_wiring(rng: Random, directory: Path) -> None:
    """Reads a hardware.toml that was written by hand or copied from anywhere."""
    valid_texts = ["".join(VALID_SECTION_BY_DEVICE.values())]
    text = random_wiring_text(rng) if rng.random() < 0.5 else rng.choice(valid_texts)
    path = directory / "hardware.toml"
    path.write_text(mutate(text, rng, valid_texts) if rng.random() < 0.7 else text, "utf-8", "surrogatepass")
    action = rng.choice((["show"], ["check", "--simulate"]))
    check_clean_exit(run_in_process(["hardware", *action, "--file", str(path)]))


@cache
def shared_row_alterer() -> tuple[RowAlterer, object]:
    """Returns unaltered saved games, made once, and their directory, which is deleted with the process."""
    directory = tempfile.TemporaryDirectory(prefix="fuzz")
    return RowAlterer(Path(directory.name) / "sound"), directory


def fuzz_saved_rows(rng: Random, directory: Path) -> None:
    """Opens saved games in which rows of the database were altered."""
    check_altered_games(shared_row_alterer()[0], rng.getrandbits(32), directory / "state")


def check_altered_games(alterer: RowAlterer, seed: int, state: Path) -> None:
    """Runs three commands on altered saved games, resumes a game, and begins a new one."""
    alterations_made = alterer.copy_with_alterations(seed, state)
    for command in (
        *Random(seed).sample(COMMANDS_FOR_SAVED_GAMES, 3),
        ["play", "egypt", "--json", "--resume"],
        BEGIN_COMMAND,
    ):
        try:
            check_command(command, state)
        except Exception as fault:
            raise AssertionError((command, alterations_made)) from fault


def check_command(command: Sequence[str], state: Path) -> None:
    """Runs one command on saved games; the output of `export` isn't checked, as it isn't for a terminal."""
    result = run_in_process([*command, "--state", str(state)], JSON_INPUT)
    shown = "" if command[0] == "export" else result.output
    check_clean_exit(
        ProgramResult(result.status, shown, result.error_output), is_json_output="--json" in command
    )
    assert result.status == 0 or "--seats" not in command, f"no new game can begin: {result.error_output}"


FUZZ_TARGETS: dict[str, Callable[[Random, Path], None]] = {
    "replay": fuzz_replay,
    "verify": fuzz_verify,
    "json": fuzz_json_lines,
    "cards": fuzz_card_files,
    "template": fuzz_template,
    "words": fuzz_arguments,
    "wiring": fuzz_wiring,
    "rows": fuzz_saved_rows,
    "cable": fuzz_keypad_protocol,
    "copy": fuzz_archive,
    "release": fuzz_release,
}
