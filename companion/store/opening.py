"""What happens when somebody begins to play: the damaged is set aside and rescued, the sound backed up."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import takewhile

from companion.log.events import Left, Sealed
from companion.store import chain
from companion.store.database import (
    closed_on_failure,
    connect,
    destroy,
    fold_in,
    has_content,
    is_sound,
    look,
    set_aside,
)
from companion.store.places import Places
from companion.store.rescue import bring, knows_more, reads_well, rescue
from companion.store.rows import decoded_draft, saved, shaped, value
from companion.store.schema import DRAFTS, GAMES, version
from companion.words import Say, say, say_n


def open_games(places: Places, notices: list[Say]) -> sqlite3.Connection:
    """All games, sound and up to date, with a fresh backup of them beside."""
    _set_aside_damaged_backup(places, notices)
    if not places.rescued.exists() and _are_damaged(places):
        rescue(places.games, places.backup, places.rescued)
    if places.rescued.exists():
        aside = set_aside(places.games)
        places.rescued.replace(places.games)
        notices.append(
            say("The saved games were damaged. The damaged file is kept as {name}.", name=aside.name)
            if aside.exists()
            else say("The saved games were missing. They were restored from the backup.")
        )
        notices += _rescued(places)
    return connect(places.games, GAMES)


def open_backup(places: Places, games: sqlite3.Connection) -> sqlite3.Connection:
    """The backup, up to date with the games; what follows them from now on costs no fsync."""
    backup = connect(places.backup, GAMES)
    with closed_on_failure(backup):
        bring(games, backup)
        backup.execute("PRAGMA synchronous = NORMAL")
    return backup


def open_sealed(places: Places, games: sqlite3.Connection, notices: list[Say]) -> sqlite3.Connection:
    """The sealed drafts of games that may still be continued; any others are destroyed."""
    is_copy = not places.sealed.exists()
    sound = is_sound(places.sealed, DRAFTS, drafts_read_well)
    if not sound:
        destroy(places.sealed)  # kept aside, it would tell what was in the envelopes after they were opened
        text = (
            "The sealed answers were damaged and had to be deleted. Players who had sealed an answer are "
            "asked again."
        )
        notices.append(say(text))
    db = connect(places.sealed, DRAFTS)
    with closed_on_failure(db):
        db.execute("PRAGMA secure_delete = ON")
        kept = [game.number for game in saved(games) if game.state in {"open", "waiting"}]
        db.execute("DELETE FROM draft WHERE game NOT IN (SELECT value FROM json_each(?))", (str(kept),))
        fold_in(db)
        lost = dict.fromkeys(name for number in kept for name in _asked_again(games, db, number))
        if sound and lost:
            text = "Some sealed answers were lost. These players are asked again: {names}."
            if is_copy:
                text = "A backup contains no sealed answers. These players are asked again: {names}."
            notices.append(say(text, names=", ".join(lost)))
    return db


def _asked_again(games: sqlite3.Connection, sealed: sqlite3.Connection, number: int) -> list[str]:
    """Whose envelope is closed by the log, and empty: the end of a -wal can be lost unseen.

    Only the events that came last are looked at, as any but a seal may have opened an envelope.
    """
    rows = sealed.execute("SELECT CAST(body AS BLOB) FROM draft WHERE game = ?", (number,))
    there = {decoded_draft(body).commitment for (body,) in rows}
    last: dict[int, str] = {}
    backwards = (chain.decoded(body) for _, body, _ in games.execute(f"{chain.ROWS} DESC", (number,)))
    for event in takewhile(lambda event: isinstance(event, (Sealed, Left)), backwards):
        if isinstance(event, Sealed):
            last.setdefault(event.seat, event.commitment)
    (names,) = next(shaped(games, tuple[str], "SELECT names FROM game WHERE number = ?", number))
    known = value(names, tuple[str, ...])
    return [known[seat - 1] for seat in sorted(last) if last[seat] not in there]


def _are_damaged(places: Places) -> bool:
    """Whether something was lost: it can't be read, or the backup knows more, which was kept after it."""
    if not has_content(places.games):
        return places.backup.exists()
    return not is_sound(places.games, GAMES, reads_well) or _are_behind(places)


def _are_behind(places: Places) -> bool:
    """Whether the backup has what the games lack: a -wal whose middle is damaged ends there unseen."""
    if not has_content(places.backup):
        return False
    with closing(look(places.backup)) as backup, closing(look(places.games)) as games:
        return version(backup) > 0 and knows_more(backup, games)


def _set_aside_damaged_backup(places: Places, notices: list[Say]) -> None:
    if not is_sound(places.backup, GAMES, reads_well):
        aside = set_aside(places.backup)
        notices.append(
            say(
                "The backup of the saved games was damaged. The damaged backup is kept as {name}, and a new "
                "backup was made.",
                name=aside.name,
            )
        )


def _rescued(places: Places) -> list[Say]:
    with closing(connect(places.games, GAMES)) as db:
        games = saved(db)
    told = [say_n("{n} game was rescued.", "{n} games were rescued.", n=len(games))]
    return told + [
        say(
            "{game} with {names} can continue from the last event that could be read.",
            game=game.game,
            names=", ".join(game.names),
        )
        for game in games
        if game.state == "open"
    ]


def drafts_read_well(db: sqlite3.Connection) -> bool:
    """Whether every draft is one; raises what SQLite or JSON raises where it isn't."""
    for (body,) in db.execute("SELECT CAST(body AS BLOB) FROM draft"):
        decoded_draft(body)
    return True
