"""Odd things at every way into the program, each way in a process of its own.

    python -m tests.fuzz                         # every way, 200 times
    python -m tests.fuzz replay --minutes 10     # and nothing takes longer than a second of the processor
    python -m tests.fuzz replay --only 4711      # one of them again

Whatever comes in, the program ends by itself with a sentence: no traceback, no more than 200 MB, no refusal
that repeats more than 200 letters, nothing that steers a terminal. Each try has its number as its seed.
What stands in `hardware.toml` and in the rows of the store is tried in `hardware/test_wiring_faults.py` and
`test_store_rows.py`. Over 300 lines, because it is one program.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import math
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion import catalogue, cli, owned, templates
from companion.game import Game
from companion.jsonlines import converse
from companion.requests import Together
from companion.session import Session
from companion.store import Store
from companion.testing.trial import NAMES, chosen
from tests.oddities import MARK, WORDS, odd

GOLDEN = Path(__file__).parent / "golden"
FAST = Path("/dev/shm")  # noqa: S108 - only made and removed there
"""Where keeping a file takes no time."""
MEGABYTES = 200
SECOND = 1.0
REPEATED = 200
NO_SUCH_RULES = "This game's log doesn't fit the rules|The rules of .* fail as it begins"
"""What is said where a log was played by other rules, or with cards that those never had."""
STEERING = {"Cc", "Cs", "Zl", "Zp"}
"""Control characters, halves of letters, ends of lines and paragraphs."""
LINES, ODD = 25, 0.4
"""So many lines a program says to one game, and how many of them are odd."""


class Ended(NamedTuple):
    """How the program ended, and what it said."""

    status: int | str | None
    said: str
    complained: str


class Limits:
    """How long anything may take, and how long it took at most."""

    seconds = 0.0
    longest = 0.0


class TooLong(BaseException):
    """It took longer than a second."""


@contextmanager
def brief() -> Iterator[None]:
    """Raises `TooLong` in what takes more of the processor's time than there is."""

    def stop(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, Limits.seconds)
    begun = time.process_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        Limits.longest = max(Limits.longest, time.process_time() - begun)


def run(words: Sequence[str], said: bytes = b"") -> Ended:
    """The program in this process, with these bytes on its standard input."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="")
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(said), "utf-8")
    try:
        with brief(), redirect_stdout(out), redirect_stderr(err):
            status: int | str | None = cli.main(words)
    except SystemExit as end:  # so argparse ends
        status = end.code
    finally:
        sys.stdin = before
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return Ended(status, *texts)


def check(ended: Ended, *, lines_of_json: bool = False) -> None:
    """Raises `AssertionError` where that isn't how a program ends."""
    assert ended.status in {0, 2} or (ended.status == 1 and re.match(NO_SUCH_RULES, ended.complained)), (
        f"status {ended.status}: {ended.complained[:300]!r}"
    )
    seen = ended.complained if lines_of_json else ended.said + ended.complained
    steering = {letter for letter in seen if unicodedata.category(letter) in STEERING} - {"\n"}
    assert not steering, f"control characters on the terminal: {steering!r}"
    refusal = ended.complained
    if lines_of_json:
        replies = [json.loads(line) for line in ended.said.splitlines()]
        refusal += "\n".join(str(reply.get("error", "")) for reply in replies)
    assert MARK * (REPEATED + 1) not in refusal, "a refusal repeats too much"
    assert len(max(refusal.split("\n"), key=len)) < 3_000, "a refusal is too long"


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
    return [game for game in catalogue.games().values() if isinstance(game, Game)]


def lines(rng: Random, there: Path) -> None:
    """A program plays, and says something odd now and then."""
    game = rng.choice(games())
    options = {option.key: chosen(option, rng) for option in game.options}
    names = NAMES[: rng.randint(*game.players)]
    with closing(Store.open(there, playing=True)) as store:
        session = Session.begin(game, names, options, store.new_game(), seed=rng.getrandbits(32))
        for _ in range(LINES):
            sound = sound_lines(session, rng)
            text = odd(rng.choice(sound), rng, sound) if rng.random() < ODD else rng.choice(sound)
            for line in text.encode("utf-8", "surrogatepass").splitlines(keepends=True)[:LINES]:
                out = io.BytesIO()
                with brief():
                    converse(session, io.BytesIO(line), out)
                check(Ended(0, out.getvalue().decode(), ""), lines_of_json=True)


def sound_lines(session: Session, rng: Random) -> list[str]:
    """What a program may say now; answers more often than all else."""
    deeds: list[dict[str, Any]] = [
        *({"do": "undo", "past_reveal": True}, {"do": "redo"}, {"do": "state"}),
        {"do": "leave", "seat": "Aki"}, {"do": "come_back", "seat": "Aki"},
        {"do": "rename", "seat": "Aki", "name": rng.choice(("Aki", "Zoe"))},
        {"do": "amend", "event": max(1, session.n - 1), "answer": None, "go_back": True},
    ]  # fmt: skip
    if rng.random() < 0.02:
        deeds.append({"do": "put_away"})
    accounts = list(session.table.ledger)
    if accounts:
        source, target = rng.choice(accounts), rng.choice(accounts)
        deeds.append({"do": "correct", "from": source.place.text, "to": target.place.text,
                      "piece": source.piece.key, "count": 1, "reason": "lost"})  # fmt: skip
    question = session.question
    if isinstance(question, Together):
        answers = [{"n": session.n, "seat": seat.name, "answer": part.dump(part.sample(rng))}
                   for seat, part in question.parts.items()]  # fmt: skip
    elif question is not None:
        answers = [{"n": session.n, "answer": question.dump(question.sample(rng))}]
    else:
        answers = []
    return [json.dumps(line, ensure_ascii=False) for line in (*deeds, *(answers * 20))]


def begins(game: str, there: Path, rng: Random, *options: str) -> None:
    """A game takes what lies in the state directory, and is played for a while."""
    names = ",".join(NAMES[: catalogue.game(game).players[0]])
    words = ["play", game, "--json", "--seats", names, "--state", str(there), *options]
    lines = b'{"n": 1, "answer": null}\n{"do": "state"}\n{"do": "put_away"}\n'
    check(run(words, lines), lines_of_json=True)
    with closing(Store.open(there)) as store:
        for saved in store.saved():
            store.log(saved.number).events()


def cards(rng: Random, there: Path) -> None:
    """An owner's file is imported, or lies there already when a game begins."""
    copies = catalogue.copies(there)
    name = rng.choice(list(copies))
    sound = [owned.written(copy.rows()) for copy in copies.values()]
    kind = rng.choice((".toml", ".toml", ".csv"))
    text = owned.written(copies[name].rows())
    if kind == ".csv":
        text = owned.sheet(copies[name].rows().cards, copies[name].shipped)
        sound = [text]
    there.joinpath(f"mailed{kind}").write_text(odd(text, rng, sound), "utf-8", "surrogatepass")
    if kind == ".toml" and rng.random() < 0.5:
        copies[name].path.parent.mkdir(exist_ok=True)
        shutil.copy(there / "mailed.toml", copies[name].path)
    else:
        check(run(["cards", "import", name, str(there / f"mailed{kind}"), "--state", str(there)]))
    check(run(["cards", rng.choice(("show", "check")), name, "--state", str(there)]))
    begins(copies[name].game.key, there, rng)


def template(rng: Random, there: Path) -> None:
    """A template of somebody else's lies there when Any Game begins."""
    sound = [templates.text_of(name, there) for name in templates.SHIPPED]
    path = templates.path_of("mine", there)
    path.parent.mkdir()
    path.write_text(odd(rng.choice(sound), rng, sound), "utf-8", "surrogatepass")
    begins("any_game", there, rng, "--option", "template=mine")


def words(rng: Random, there: Path) -> None:
    """Names, options and clocks as people type them, and whatever else stands behind a verb."""
    sound = rng.choice((
        "play sealed_bid --json --seats Aki,Ben --option unit=$",
        "play egypt --json --seats Aki,Ben,Chie --option pay_rule=own_bid",
        "play any_game --json --seats Aki,Ben --option template=poker --option rounds=3",
        "play sealed_bid --seats Aki,Ben --clock turn=60",
        "players merge Aki Ben", "players delete Aki", "history show 1", "export 1 --format text",
        "verify 1", "log 1", "cards show egypt", "cards edit egypt 4 number=4", "games new mine --like poker",
        "cards edit bidders board.hire 1 2 3", "replay mailed.log --until 3", "demo egypt",
    ))  # fmt: skip
    odd_ones = [word for word in WORDS if "\0" not in word] + ["\udcff", "Aki\udcff"]
    spots = sound.split(" ")
    at = rng.randrange(1, len(spots))
    kept = rng.choice(("", spots[at].partition("=")[0] + "=", "Aki,"))
    spots[at] = kept + rng.choice(odd_ones)
    check(run([*spots, *(["--state", str(there)] if spots[0] not in {"replay", "demo"} else [])]),
          lines_of_json="--json" in spots)  # fmt: skip


WAYS: dict[str, Callable[[Random, Path], None]] = {
    "replay": replay,
    "verify": verify,
    "json": lines,
    "cards": cards,
    "template": template,
    "words": words,
}


def tried(way: str, number: int) -> str:
    """What went wrong; nothing where nothing did."""
    with tempfile.TemporaryDirectory(prefix="fuzz", dir=FAST if FAST.is_dir() else None) as there:
        try:
            WAYS[way](Random(f"{way} {number}"), Path(there))
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 - whatever it is, it is what was looked for
            return traceback.format_exc(limit=-6)[-2_000:]
    return ""


def rounds(way: str, numbers: Iterable[int], minutes: float | None) -> int:
    """Tries these numbers until the time is up, and tells what came of it; gives how many went wrong."""
    tried(way, 0)  # what is loaded at first counts for nobody
    before, most = kilobytes("VmHWM"), kilobytes("VmSize") * 1024 + MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    Limits.seconds, Limits.longest = SECOND if minutes else 0.0, 0.0
    end = time.monotonic() + (minutes or math.inf) * 60
    faults = tries = 0
    for number in numbers:
        tries += 1
        if fault := tried(way, number):
            faults += 1
            print(f"--- {way} {number}\n{fault}", flush=True)
        if time.monotonic() > end:
            break
    more = (kilobytes("VmHWM") - before) / 1024
    print(f"{way}: {tries} tries, {faults} faults, longest {Limits.longest:.2f} s, {more:.0f} MB more")
    return faults


def kilobytes(line: str) -> int:
    """What Linux says of the memory of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(one.split()[1]) for one in lines if one.startswith(line))


def main() -> int:
    """Every way in a process of its own."""
    parser = argparse.ArgumentParser(description="Odd things at every way into the program.")
    parser.add_argument("way", choices=[*WAYS, "all"], nargs="?", default="all")
    parser.add_argument("--tries", type=int, default=200, help="how many, where no time is given")
    parser.add_argument("--minutes", type=float, help="as long as that; then a try has a second")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the number of the first try")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="that one alone")
    args = parser.parse_args()
    if args.way == "all":
        here = [sys.executable, "-m", "tests.fuzz"]
        return max(subprocess.run([*here, way, *sys.argv[1:]], check=False).returncode for way in WAYS)
    if args.only is not None:
        numbers: Iterable[int] = [args.only]
    else:
        numbers = itertools.count(args.first) if args.minutes else range(args.first, args.first + args.tries)
    return min(1, rounds(args.way, numbers, args.minutes))


if __name__ == "__main__":
    sys.exit(main())
