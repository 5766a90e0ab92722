"""Texts about a saved game: its title, who played, when, and how it ended.

Each function asks the evening and renders in the reader's language. What the store can't read is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion import installed_games
from companion.errors import UserError
from companion.log.log import PlayDates
from companion.record.dates import format_duration, say_date, say_date_and_time
from companion.record.record import FACTS_OF_UNSAVED_GAME, GameFacts
from companion.rules.game import COVER_SUFFIX
from companion.store import SavedGame
from companion.texts import render, say_list, say_plain_text
from ui import theme
from ui.host import AppWithEvening, get_companion_app
from ui.pages import DialogChoice, open_dialog
from ui.widgets.drawing.line_breaking import NO_BREAK_SPACE, count_wrapped_lines
from ui.widgets.drawing.text import measure_text_width

MAX_PLAYERS_NAMED = 6
"""The most players named in the details of a past game."""
NOBODY = "–"
"""Stands for the winners of a game that nobody won."""


def saved_game_title(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns the title of a saved game.

    A preset that stands for the game has its own title.
    """
    title = app.controller.read_store(lambda evening: evening.title_of(saved), say_plain_text(saved.game))
    return render(title, app.lang)


def join_all_player_names(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns the names of all players, in one line."""
    return render(say_list(map(say_plain_text, saved.names)), app.lang)


def cover_path(saved: SavedGame) -> str:
    """Returns the file of the game's picture; empty if it has none."""
    try:
        return str(installed_games.playable_game(saved.game).find_file(COVER_SUFFIX) or "")
    except UserError:
        return ""


def last_played_date_and_time(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns the date and the time when the game was played last; "" if the clock wasn't set."""
    seconds = app.controller.read_store(lambda evening: evening.last_played_at(saved), None)
    return _render_date_and_time(app, PlayDates(seconds)) if seconds else ""


def saved_game_facts(app: AppWithEvening, saved: SavedGame) -> GameFacts:
    """Returns the facts of a saved game, such as its dates, its duration and whether it counts."""
    return app.controller.read_store(lambda evening: evening.facts_of(saved), FACTS_OF_UNSAVED_GAME)


def describe_date(app: AppWithEvening, iso_date: str | None) -> str:
    """Returns a date as people of the reader's language write it, or that it isn't known."""
    return render(say_date(iso_date), app.lang) if iso_date else app.tr("Unknown date")


def title_and_date(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns the title of a game, and the date it was played."""
    date_and_time = _render_date_and_time(app, saved_game_facts(app, saved).play_dates)
    return f"{saved_game_title(app, saved)}  {date_and_time}".rstrip()


def _render_date_and_time(app: AppWithEvening, play_dates: PlayDates) -> str:
    date_and_time = say_date_and_time(play_dates)
    return "" if date_and_time is None else render(date_and_time, app.lang)


def describe_ending_and_duration(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns how the game ended and how long it took, and whether it counts."""
    facts, ending = saved_game_facts(app, saved), _describe_ranks(app, saved)
    if not facts.is_counted:
        ending = app.tr("Not counted: {ended}", ended=ending)
    return "   ".join(
        [ending, *([format_duration(facts.played_seconds)] if round(facts.played_seconds) else [])]
    )


def describe_winners(app: AppWithEvening, saved: SavedGame, width_px: float, max_lines: int) -> str:
    """Returns who won and with which total, and whether the game counts and was played to its end.

    If more players won than fit in that width and number of lines, the text says how many more.
    """
    result, is_counted = saved.result, saved_game_facts(app, saved).is_counted

    def add_whether_counted(ending: str) -> str:
        return ending if is_counted else app.tr("Not counted: {ended}", ended=ending)

    if result is None:
        return add_whether_counted(app.tr("Ended early"))
    best_totals = [standing["total"] for standing in result["standings"] if standing["rank"] == 1]

    def describe(winners: str) -> str:
        ending = app.tr("{names}: {total}", names=winners, total=best_totals[0]) if best_totals else winners
        if saved.state == "put away":
            ending = app.tr("Ended early: {ranks}", ranks=ending)
        return add_whether_counted(ending)

    return join_names_that_fit(saved.winners or [NOBODY], width_px, max_lines, describe)


def join_names_that_fit(
    names: Sequence[str], width_px: float, max_lines: int, describe: Callable[[str], str] = str
) -> str:
    """Returns a text with as many whole names as fit in that width and number of lines of small letters.

    `describe` makes the text from the names. If names are left out, the text says how many: `Aki, Ben, +2`.
    """
    if not names:
        return describe("")

    def text_with(count: int) -> str:
        more = [f"+{len(names) - count}"] if count < len(names) else []
        return describe(
            render(say_list(map(say_plain_text, [*names[:count], *more])), get_companion_app().lang)
        )

    texts = [text_with(count) for count in range(len(names), 0, -1)]
    return next((text for text in texts if has_room_in_lines(text, width_px, max_lines)), texts[-1])


def has_room_in_lines(text: str, width_px: float, max_lines: int) -> bool:
    """Returns whether a text has room in that width and number of lines of small letters."""
    return count_wrapped_lines(text, width_px, _measure_small_text) <= max_lines


def _measure_small_text(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)


def _describe_ranks(app: AppWithEvening, saved: SavedGame) -> str:
    """Returns rank, name and total of the best players, and how many more there are.

    Returns only the names if there is no score.
    """
    if saved.result is None:
        return app.tr("{names}: ended early", names=join_all_player_names(app, saved))
    standings = [
        f"{standing['rank']}. {standing['seat']} {standing['total']}".replace(" ", NO_BREAK_SPACE)
        for standing in saved.result["standings"]
    ]
    more = [f"+{len(standings) - MAX_PLAYERS_NAMED}"] if len(standings) > MAX_PLAYERS_NAMED else []
    ranks = "   ".join([*standings[:MAX_PLAYERS_NAMED], *more])
    return app.tr("Ended early: {ranks}", ranks=ranks) if saved.state == "put away" else ranks


# Before a new game: the open game stays saved.


def stays_saved_sentence(app: AppWithEvening, open_game: SavedGame) -> str:
    """Returns the sentence that the open game is saved and can be continued."""
    return app.tr("{game} with {names} is saved. You can continue it from the home screen at any time.",
                  game=saved_game_title(app, open_game),
                  names=join_all_player_names(app, open_game))  # fmt: skip  # one sentence


def confirm_new_game(app: AppWithEvening, open_game: SavedGame | None, begin: Callable[[], object]) -> None:
    """Asks people to confirm a new game while another is open, then calls `begin`.

    The question says that the open game stays saved. If no game is open, `begin` is called at once.
    """
    if open_game is None:
        begin()
        return
    not_now, yes = DialogChoice("no", app.tr("Not now")), DialogChoice("yes", app.tr("Begin"), begin, "brass")
    open_dialog(app.tr("Begin a new game?"), stays_saved_sentence(app, open_game), not_now, yes)
