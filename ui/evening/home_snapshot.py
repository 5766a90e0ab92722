"""A saved snapshot of the home screen, which the next start draws before the games are loaded.

Nothing depends on the file. Wrong or old content is replaced as soon as the games are loaded.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from companion.files import bounded_json
from companion.files.regular_files import read_regular_file, replace_file
from companion.rules.preset_pictures import PresetPicture

SNAPSHOT_FILE_NAME = "home.json"
"""The name of the snapshot file in the state directory."""
MAX_SNAPSHOT_BYTES = 2**20
"""Maximum size of a snapshot file that is read. With all our games the file has some 2,000 bytes."""


class GameSummary(msgspec.Struct, frozen=True):
    """A game on the home screen: its key, its title and how many can play it.

    `broken_reason` says why the game can't be played, and is empty if it can. `cover_file` is the file of its
    picture, and is empty without a picture. A favourite preset of a game has the name of the preset, and its
    own picture.
    """

    key: str
    title: str
    min_players: int
    max_players: int
    broken_reason: str = ""
    cover_file: str = ""
    preset_name: str = ""
    picture: PresetPicture | None = None


class OngoingGame(msgspec.Struct, frozen=True):
    """The ongoing game that home offers to continue.

    `store_number` is its number in the store. `players` are pairs of name and colour. `names` has all names
    in one line. `since` is empty if the time is unknown.
    """

    store_number: int
    title: str
    players: tuple[tuple[str, str], ...]
    names: str
    since: str = ""


class FirstSteps(msgspec.Struct, frozen=True):
    """What home offers newcomers: a game to play, and whether they may try a shorter one before."""

    suggested_game: GameSummary
    offers_trial: bool


class HomeSnapshot(msgspec.Struct, frozen=True):
    """What home shows, and in which look.

    Home shows the games, the game to continue, and how many other games wait, in a language. `first_steps` is
    None once people have played, or don't want to see it.
    """

    lang: str
    games: tuple[GameSummary, ...]
    ongoing_game: OngoingGame | None = None
    waiting_game_count: int = 0
    first_steps: FirstSteps | None = None
    has_large_text: bool = False
    has_high_contrast: bool = False


_DECODER = msgspec.json.Decoder(HomeSnapshot)


def load_home_snapshot(file: Path) -> HomeSnapshot | None:
    """Returns the saved snapshot; None if there is none that can be read."""
    try:
        return bounded_json.decode_stored_json(
            _DECODER, read_regular_file(file, MAX_SNAPSHOT_BYTES, follow_links=False)
        )
    except (OSError, ValueError, msgspec.MsgspecError):
        return None


def save_home_snapshot(file: Path, snapshot: HomeSnapshot) -> None:
    """Saves the snapshot of home for the next start; errors of the disk are ignored."""
    with suppress(OSError):
        replace_file(file, msgspec.json.encode(snapshot))
