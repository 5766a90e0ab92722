"""The scene of every game names only things on its table, for any number of players and any options."""

from collections.abc import Iterator, Mapping

import pytest

from companion.log.log import MemoryLog
from companion.rules.game import NO_NUMBER_WORD, ChoiceOption, Game, NumberOption
from companion.scenes import evaluate_scene
from companion.session.session import Session
from companion.session.view import make_view
from companion.testing.random_game import PLAYER_NAMES
from tests.conformance.registry import GAMES_WITH_ONE_TEMPLATE, config_name
from tests.support.soak import SOAK


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
