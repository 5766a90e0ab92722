"""Where everything is kept that must outlive the program: games, sealed drafts, tags and settings.

It knows events but no rules, and it never replays a game.

One directory holds four files, all of them SQLite but the lock:

- `companion.sqlite3`: the log of every game as rows, tags and settings. An event is on the disk, fsynced,
  when `GameLog.append` returns (WAL, `synchronous=FULL`: one fsync).
- `sealed/drafts.sqlite3`: what is in closed envelopes, readable by its owner only, destroyed at the reveal.
- `backup.sqlite3`: all games as they stood when the directory was last opened for playing and found sound.
- `lock`: held while somebody plays. Reading needs no lock and writes nothing.

A damaged file is never deleted. It is set aside under a name that says so, and a new one takes its place:
the log of each game as far as it can be read (any beginning of a log is a saved game), or as the backup has
it where that is longer. Which game was open is kept; damaged drafts are simply asked for again.
"""

from companion.store.game_log import GameLog
from companion.store.game_rows import SavedGame
from companion.store.state_files import is_in_use
from companion.store.store import Store

__all__ = ["GameLog", "SavedGame", "Store", "is_in_use"]
