"""What people read about a saved game: its title, who played, when, and how it ended.

Each function asks the evening and renders in the reader's language. What the store can't read is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from companion import installed_games
from companion.errors import UserError
from companion.record.dates import format_duration, short_date_time
from companion.record.record import NO_FACTS, GameFacts
from companion.rules.game import COVER_SUFFIX
from companion.store import SavedGame
from companion.texts import literal_text, render, say_list
from ui.host import AppWithEvening
from ui.pages import Choice, open_dialog
from ui.widgets.drawing.line_breaking import UNBROKEN

MAX_PLAYERS_NAMED = 6
"""Players named in the row of a past game; a touch shows all."""


def title_of(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns what people say they play: the game, or the template that stands for it."""
    found = app.controller.read_store(lambda evening: evening.title_of(saved), literal_text(saved.game))
    return render(found, app.lang)


def game_title(app: AppWithEvening, key: str) -> str:
    """Returns the title of a game; its key if the game is no longer installed."""
    try:
        return render(installed_games.playable_game(key).title, app.lang)
    except UserError:
        return key


def names_of(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns all names in a line."""
    return render(say_list(map(literal_text, saved.names)), app.lang)


def cover_file(saved: SavedGame) -> str:
    """Returns the file of the game's picture; empty if it has none."""
    try:
        return str(installed_games.playable_game(saved.game).find_file(COVER_SUFFIX) or "")
    except UserError:
        return ""


def last_played(app: AppWithEvening, saved: SavedGame) -> list[str]:
    """Returns date and time when the game lay on the table last; nothing if nobody knew the time."""
    touched = app.controller.read_store(lambda evening: evening.last_played_at(saved), None)
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(touched)).split() if touched else []


def facts_of(app: AppWithEvening, saved: SavedGame) -> GameFacts:
    """Returns when and how long the game was played, whether it counts, and the like."""
    return app.controller.read_store(lambda evening: evening.facts_of(saved), NO_FACTS)


def title_and_date(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns which game it was, and when."""
    return f"{title_of(app, saved)}  {short_date_time(facts_of(app, saved).play_dates)}".rstrip()


def describe_ending(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns how the game ended and how long it took; it says so if the game doesn't count."""
    known, ended = facts_of(app, saved), _ended(app, saved)
    if not known.is_counted:
        ended = app.tr("Not counted: {ended}", ended=ended)
    return "   ".join([ended, *([format_duration(known.seconds)] if round(known.seconds) else [])])


def _ended(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns ranks, names and totals of the best, and how many more; names alone if there is no score."""
    if saved.result is None:
        return app.tr("{names}: ended early", names=names_of(app, saved))
    places = [
        f"{one['rank']}. {one['seat']} {one['total']}".replace(" ", UNBROKEN)
        for one in saved.result["standings"]
    ]
    more = [f"+{len(places) - MAX_PLAYERS_NAMED}"] if len(places) > MAX_PLAYERS_NAMED else []
    ranks = "   ".join([*places[:MAX_PLAYERS_NAMED], *more])
    return app.tr("Ended early: {ranks}", ranks=ranks) if saved.state == "put away" else ranks


# Before a new game: the open one stays saved.


def stays_saved_sentence(app: AppWithEvening, going: SavedGame) -> str:
    """Returns the sentence that a game is saved and can be continued."""
    return app.tr("{game} with {names} is saved. You can continue it from the home screen at any time.",
                  game=title_of(app, going),
                  names=names_of(app, going))  # fmt: skip  # one sentence


def confirm_new_game(app: AppWithEvening, going: SavedGame | None, begin: Callable[[], object]) -> None:
    """Calls `begin`; if a game is open, asks first and says that it stays saved."""
    if going is None:
        begin()
        return
    not_now, yes = Choice("no", app.tr("Not now")), Choice("yes", app.tr("Begin"), begin, "brass")
    open_dialog(app.tr("Begin a new game?"), stays_saved_sentence(app, going), not_now, yes)
