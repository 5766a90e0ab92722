"""What a log proves of its envelopes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion import cli, logtext
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.log.events import Answered
from companion.log.log import MemoryLog
from companion.session.session import Session

Happens = Callable[[Session], object]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where a log is written."""
    return tmp_path / "evening.log"


def proved(log: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """The exit status of verify, and what it says beside the letters, which differ each time."""
    status = cli.main(["verify", str(log)])
    lines = capsys.readouterr().out.splitlines()
    return status, [line for line in lines if not line.startswith("  The seal of ")]


def played(*happens: Happens) -> str:
    """The log of one sealed round in which Aki changes her mind, and of what happens then."""
    log = MemoryLog()
    session = Session.begin(sealed_bid.GAME, ["Aki", "Ben"], {}, log)
    aki, ben = session.table.seats
    for seat, bid in ((aki, 9), (aki, 3), (ben, 5)):
        session.put_answer_in_envelope(1, seat, bid)
    for happen in happens:
        happen(session)
    return logtext.format_log_text(log)


HELD = "Question 1: every opened answer matches its seal."


@pytest.mark.parametrize(
    ("happens", "told"),
    [
        ([], []),
        (
            [lambda session: session.amend_answer(1, 8, session.table.seats[1])],
            ["The answer was changed later, while question 2"],
        ),
        (
            [lambda session: session.undo(past_reveal=True)],
            ["The reveal was taken back later, while question 2"],
        ),
        ([lambda session: session.undo(past_reveal=True), lambda session: session.redo()], []),
        (
            [
                lambda session: session.amend_answer(1, 8, session.table.seats[1]),
                lambda session: session.undo(past_reveal=True),
                lambda session: session.put_answer_in_envelope(4, session.table.seats[0], 1),
            ],
            [
                "The answer was changed later, while question 2",
                "The reveal was taken back later, while question 3",
            ],
        ),
    ],
    ids=["kept", "amended", "undone", "redone", "both"],
)
def test_what_the_table_changed_is_named(
    log: Path, capsys: pytest.CaptureFixture[str], happens: list[Happens], told: list[str]
) -> None:
    """The envelopes held what was opened; a round amended or taken back later is named with its event."""
    log.write_text(played(*happens), encoding="utf-8")
    assert proved(log, capsys) == (0, [HELD, *(f"  {what} was open." for what in told)])


@pytest.mark.parametrize(
    ("old", "new", "who"),
    [
        ("{Aki: 3, Ben: 5}", "{Aki: 7, Ben: 5}", "Aki"),
        ("{Aki: 3, Ben: 5}", "{Aki: 9, Ben: 6}", "Aki, Ben"),
        ('salts {"1": "', 'salts {"1": "0', "Aki"),
        ('salts {"1": "', 'salts {"3": "', "Aki, 3"),
        ("1  sealed Ben", "1  sealed Aki", "Aki, Ben"),
        ("{Aki: 3, Ben: 5}", "5", "Aki, Ben"),
    ],
)
def test_a_changed_bid_is_found(
    log: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, who: str
) -> None:
    """Whoever changes a bid, a salt or a seal in the log is found out, and whose it was is said."""
    text = played()
    assert old in text
    log.write_text(text.replace(old, new), encoding="utf-8")
    at = next(at for at, event in enumerate(logtext.parse_log_text(text), 1) if isinstance(event, Answered))
    assert proved(log, capsys) == (
        2,
        [
            (
                f"Event {at}, question 1: the opened answers of these players differ from their sealed "
                f"answers: {who}."
            )
        ],
    )


def test_a_log_without_envelopes(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing was sealed there is nothing to prove."""
    log.write_text(played().split("\n\n")[0] + "\n", encoding="utf-8")
    assert proved(log, capsys) == (0, ["This game has no sealed rounds."])
