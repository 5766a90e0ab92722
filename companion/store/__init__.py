"""Stores everything that must outlive the program: games, sealed drafts, card tags and settings.

The store knows log events but no rules, and it never replays a game.

One directory holds four files. All but the lock are SQLite databases:

- `companion.sqlite3`: the log of every game as rows, the tags and the settings. When `GameLog.append`
  returns, the event is on the disk and fsynced (WAL, `synchronous=FULL`: one fsync).
- `sealed/drafts.sqlite3`: the answers in closed envelopes. Only the owner can read the file, and a draft is
  destroyed at the reveal.
- `backup.sqlite3`: a copy of all games. The copy is brought up to date whenever the directory is opened for
  writing and its games are intact, and then follows every write.
- `lock`: held while somebody plays. Reading needs no lock and writes nothing.

A damaged file with games is never deleted, but renamed to a name that says so. A new file takes its place,
which holds each log as far as it can be read (any beginning of a log is a saved game), or the backup's log
where that is longer. The open game stays open. Damaged drafts are deleted, and their players are asked again.
"""

from companion.store.game_log import GameLog
from companion.store.game_rows import SavedGame
from companion.store.state_files import is_state_directory_in_use
from companion.store.store import Store

__all__ = ["GameLog", "SavedGame", "Store", "is_state_directory_in_use"]
