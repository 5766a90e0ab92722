"""The scene of Any Game: what its template puts before each seat and in the middle."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.any_game import (
    bank,
    companies,
    contract,
    leaving,
    loans,
    lots,
    rounds,
    tournament,
    tracks,
)
from companion.games.any_game.points import category_figure, keeper_of_mat, scene_points
from companion.games.any_game.state import PURSE
from companion.games.any_game.teams import Keepers, keepers
from companion.games.any_game.template import DECK, Template, number_on
from companion.games.any_game.turn_order import marker_badge
from companion.rulebook import (
    ComputedCell,
    CountCell,
    MiddlePart,
    Piece,
    Scene,
    SceneSetup,
    Seat,
    SeatMat,
    VisibleTable,
    say,
)

MAX_CATEGORIES_ON_MAT = 4
"""More categories of points have no room on a mat; a grid shows them."""
SCENE_POINTS = (companies.scene_points, loans.scene_points, scene_points, tournament.scene_points)
"""What each feature adds to the total on a mat, besides pieces."""


def scene(setup: SceneSetup) -> Scene:
    """The mat of each seat with its total, what it holds and its points; and the parts in the middle."""
    template = Template(setup.deck(DECK))
    keeper = keepers(setup.seats, template.common_rules.teams)
    return Scene(_mat(template, keeper), tuple(_middle(template, keeper)))


def _mat(template: Template, keeper: Keepers) -> SeatMat:
    categories = template.designs("category")
    cells: list[CountCell | ComputedCell] = [_piece_cell(one, template, keeper) for one in template.pieces]
    if len(categories) <= MAX_CATEGORIES_ON_MAT:
        cells += [category_figure(one, keeper) for one in categories]
    cells += [
        *loans.mat_cells(template, keeper),
        *contract.mat_cells(template),
        *tournament.mat_cells(template),
    ]
    badges = (marker_badge(template), *leaving.badges(template))
    rows = tuple(lots.mat_rows(template))
    return SeatMat(
        _total(template, keeper), cells=tuple(cells), badges=badges, rows=rows, shows_last_change=True
    )


def _piece_cell(one: Piece, template: Template, keeper: Keepers) -> CountCell | ComputedCell:
    """The number of a piece in the purse of the seat, or in the purse that its team shares."""
    if not template.common_rules.teams:
        return CountCell(one, PURSE)
    return ComputedCell(
        one.label, lambda look, seat: look.count(one, PURSE, keeper_of_mat(keeper, seat)), one
    )


def _total(template: Template, keeper: Keepers) -> ComputedCell:
    """The total of a seat; None where a covered purse counts."""
    worth = {piece: number_on(one, "worth") for piece, one in template.pieces.items()}

    def total(look: VisibleTable, seat: Seat | None) -> int | None:
        mine = keeper_of_mat(keeper, seat)
        if any(each and look.count(one, PURSE, mine) is None for one, each in worth.items()):
            return None
        held = sum(look.open_count(one, PURSE, mine) * each for one, each in worth.items())
        return held + sum(points(look, template, mine) for points in SCENE_POINTS)

    return ComputedCell(say("total"), total)


def _middle(template: Template, keeper: Keepers) -> Iterator[MiddlePart]:
    yield from tracks.scene_parts(template)
    yield from rounds.scene_parts(template, keeper)
    yield from companies.scene_grids(template, keeper)
    yield from bank.scene_rows(template)
