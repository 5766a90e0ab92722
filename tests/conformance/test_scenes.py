"""The scene of every game names only things on its table, for any number of players and any options."""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

import pytest

from companion.languages import languages
from companion.log.log import MemoryLog
from companion.rules.game import NO_NUMBER_WORD, ChoiceOption, Game, NumberOption
from companion.rules.scene_views import CellView, MatView
from companion.scenes import describe_card, evaluate_scene
from companion.session.session import Session
from companion.session.view import make_view
from companion.testing.random_game import PLAYER_NAMES, RandomGame, answer_randomly
from companion.texts import render
from tests.conformance.registry import (
    GAMES_WITH_ONE_TEMPLATE,
    RANDOM_GAMES,
    GameConfig,
    config_name,
    each_config,
)
from tests.support.soak import SOAK

BEGINNING = 10
"""The number of answers that belong to the beginning of a game."""
MAX_ANSWERS = 400
"""The number of answers after which a random game has shown what its panels show."""


def option_choices(game: Game) -> Iterator[Mapping[str, str]]:
    """Yields the defaults, and each choice of each option; of a number both ends."""
    yield {}
    for option in game.options:
        if isinstance(option, ChoiceOption):
            yield from ({option.key: choice} for choice in option.choices)
        elif isinstance(option, NumberOption):
            ends = [
                str(option.least),
                str(option.most),
                *([NO_NUMBER_WORD] if option.default is None else []),
            ]
            yield from ({option.key: end} for end in ends)


@pytest.mark.parametrize("game", GAMES_WITH_ONE_TEMPLATE, ids=config_name)
def test_a_scene_fits_every_table_of_its_game(game: Game) -> None:
    """The scene's pieces and places exist with up to five players and every choice; each seat has a mat.

    A sample has as few players as may play, and as many.
    """
    least, most = game.players
    counts = range(least, min(most, len(PLAYER_NAMES)) + 1)
    for count in counts if SOAK else {counts[0], counts[-1]}:
        for chosen in option_choices(game):
            session = Session.begin(game, PLAYER_NAMES[:count], chosen, MemoryLog())
            laid = evaluate_scene(make_view(session), session.scene)
            assert [mat.seat for mat in laid.mats] == list(session.table.seats), (count, chosen)


@each_config
def test_no_table_says_that_it_is_round_0(config: GameConfig) -> None:
    """Before the first round there is no number of the round; only a track shows that none has begun."""
    session = RandomGame.begin(config.game, 0, Random(0), config.decks).session
    for _ in range(BEGINNING):
        counter = session.table.round_counter
        rounds = [
            part.value
            for part in evaluate_scene(make_view(session), session.scene).middle_parts
            if isinstance(part, CellView) and part.display == "number" and counter is not None
            if (counter.place, counter.piece) in part.accounts
        ]
        assert 0 not in rounds
        if session.question is None:
            break
        answer_randomly(session, Random(0))


def entries(mat: MatView, lang: str) -> Iterator[str]:
    """Yields what a panel shows: its numbers, badges, pieces and cards, each with the label of its row."""
    yield from (render(cell.name, lang) for cell in (mat.headline, *mat.cells) if cell is not None)
    yield from (render(label, lang) for label, _ in mat.badges)
    for row in mat.rows:
        label = "" if row.label is None else f"{render(row.label, lang)}: "
        names = {render(piece, lang) for piece, _ in row.counted_pieces}
        cards = {render(describe_card(face), lang) for face in row.open_cards}
        yield from (f"{label}{name}" for name in names | cards)


@each_config
@pytest.mark.parametrize("game_number", range(RANDOM_GAMES))
def test_no_panel_shows_two_things_under_one_name(config: GameConfig, game_number: int) -> None:
    """Goods that somebody has and those set aside, for instance, differ by the label of their place."""
    game = RandomGame.begin(config.game, game_number, Random(game_number), config.decks)
    for _ in range(MAX_ANSWERS):
        mats = evaluate_scene(make_view(game.session), game.session.scene).mats
        for mat, lang in [(mat, lang) for mat in mats for lang in languages()]:
            counts = Counter(entries(mat, lang))
            assert [name for name, count in counts.items() if count > 1] == [], (mat.seat.name, lang)
        if game.session.question is None:
            break
        answer_randomly(game.session, game.rng)
