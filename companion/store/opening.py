"""What happens when somebody begins to play: the damaged is set aside and rescued, the sound backed up."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import takewhile

from companion.log.events import Left, Sealed
from companion.store import chain
from companion.store.database import (
    checkpoint_wal,
    close_on_failure,
    delete_database,
    has_content,
    is_intact,
    open_for_writing,
    open_read_only,
    set_damaged_aside,
)
from companion.store.places import StateFiles
from companion.store.rescue import are_games_readable, is_newer, merge_games, rescue_games
from companion.store.rows import decode_draft, decode_json, list_games, select_typed
from companion.store.schema import DRAFTS_MIGRATIONS, GAMES_MIGRATIONS, schema_version
from companion.texts import Say, say, say_n


def open_games(places: StateFiles, notices: list[Say]) -> sqlite3.Connection:
    """All games, sound and up to date, with a fresh backup of them beside."""
    _set_aside_damaged_backup(places, notices)
    if not places.rescued.exists() and _are_games_damaged(places):
        rescue_games(places.games, places.backup, places.rescued)
    if places.rescued.exists():
        aside = set_damaged_aside(places.games)
        places.rescued.replace(places.games)
        notices.append(
            say("The saved games were damaged. The damaged file is kept as {name}.", name=aside.name)
            if aside.exists()
            else say("The saved games were missing. They were restored from the backup.")
        )
        notices += _describe_rescued(places)
    return open_for_writing(places.games, GAMES_MIGRATIONS)


def open_backup(places: StateFiles, games: sqlite3.Connection) -> sqlite3.Connection:
    """The backup, up to date with the games; what follows them from now on costs no fsync."""
    backup = open_for_writing(places.backup, GAMES_MIGRATIONS)
    with close_on_failure(backup):
        merge_games(games, backup)
        backup.execute("PRAGMA synchronous = NORMAL")
    return backup


def open_sealed(places: StateFiles, games: sqlite3.Connection, notices: list[Say]) -> sqlite3.Connection:
    """The sealed drafts of games that may still be continued; any others are destroyed."""
    is_copy = not places.sealed.exists()
    sound = is_intact(places.sealed, DRAFTS_MIGRATIONS, are_drafts_readable)
    if not sound:
        delete_database(
            places.sealed
        )  # kept aside, it would tell what was in the envelopes after they were opened
        text = (
            "The sealed answers were damaged and had to be deleted. Players who had sealed an answer are "
            "asked again."
        )
        notices.append(say(text))
    db = open_for_writing(places.sealed, DRAFTS_MIGRATIONS)
    with close_on_failure(db):
        db.execute("PRAGMA secure_delete = ON")
        kept = [game.number for game in list_games(games) if game.state in {"open", "waiting"}]
        db.execute("DELETE FROM draft WHERE game NOT IN (SELECT value FROM json_each(?))", (str(kept),))
        checkpoint_wal(db)
        lost = dict.fromkeys(name for number in kept for name in _players_asked_again(games, db, number))
        if sound and lost:
            text = "Some sealed answers were lost. These players are asked again: {names}."
            if is_copy:
                text = "A backup contains no sealed answers. These players are asked again: {names}."
            notices.append(say(text, names=", ".join(lost)))
    return db


def _players_asked_again(games: sqlite3.Connection, sealed: sqlite3.Connection, number: int) -> list[str]:
    """Whose envelope is closed by the log, and empty: the end of a -wal can be lost unseen.

    Only the events that came last are looked at, as any but a seal may have opened an envelope.
    """
    rows = sealed.execute("SELECT CAST(body AS BLOB) FROM draft WHERE game = ?", (number,))
    there = {decode_draft(body).commitment for (body,) in rows}
    last: dict[int, str] = {}
    backwards = (
        chain.decode_event(body) for _, body, _ in games.execute(f"{chain.SELECT_EVENTS} DESC", (number,))
    )
    for event in takewhile(lambda event: isinstance(event, (Sealed, Left)), backwards):
        if isinstance(event, Sealed):
            last.setdefault(event.seat, event.commitment)
    (names,) = next(select_typed(games, tuple[str], "SELECT names FROM game WHERE number = ?", number))
    known = decode_json(names, tuple[str, ...])
    return [known[seat - 1] for seat in sorted(last) if last[seat] not in there]


def _are_games_damaged(places: StateFiles) -> bool:
    """Whether something was lost: it can't be read, or the backup knows more, which was kept after it."""
    if not has_content(places.games):
        return places.backup.exists()
    return not is_intact(places.games, GAMES_MIGRATIONS, are_games_readable) or _are_games_behind_backup(
        places
    )


def _are_games_behind_backup(places: StateFiles) -> bool:
    """Whether the backup has what the games lack: a -wal whose middle is damaged ends there unseen."""
    if not has_content(places.backup):
        return False
    with closing(open_read_only(places.backup)) as backup, closing(open_read_only(places.games)) as games:
        return schema_version(backup) > 0 and is_newer(backup, games)


def _set_aside_damaged_backup(places: StateFiles, notices: list[Say]) -> None:
    if not is_intact(places.backup, GAMES_MIGRATIONS, are_games_readable):
        aside = set_damaged_aside(places.backup)
        notices.append(
            say(
                "The backup of the saved games was damaged. The damaged backup is kept as {name}, and a new "
                "backup was made.",
                name=aside.name,
            )
        )


def _describe_rescued(places: StateFiles) -> list[Say]:
    with closing(open_for_writing(places.games, GAMES_MIGRATIONS)) as db:
        games = list_games(db)
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


def are_drafts_readable(db: sqlite3.Connection) -> bool:
    """Whether every draft is one; raises what SQLite or JSON raises where it isn't."""
    for (body,) in db.execute("SELECT CAST(body AS BLOB) FROM draft"):
        decode_draft(body)
    return True
