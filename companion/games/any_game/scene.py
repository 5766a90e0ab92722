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
from companion.games.any_game.points import captain_of_mat, make_category_cell, visible_category_points
from companion.games.any_game.state import PURSE
from companion.games.any_game.teams import CaptainBySeat, assign_team_captains
from companion.games.any_game.template import DECK, Template, read_number
from companion.games.any_game.turn_order import make_start_or_dealer_badge
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
"""Limit of the categories on a mat, which has no room for more; a grid shows them."""
VISIBLE_POINT_FUNCTIONS = (
    companies.visible_share_points,
    loans.visible_debt_points,
    visible_category_points,
    tournament.visible_match_points,
)
"""Functions that return what each feature adds to the total on a mat, besides pieces."""


def build_scene(setup: SceneSetup) -> Scene:
    """Builds the scene: a mat for each seat with its total, pieces and points, and the middle parts."""
    template = Template(setup.deck(DECK))
    keeper = assign_team_captains(setup.seats, template.general_rules.teams)
    return Scene(_mat(template, keeper), tuple(_middle(template, keeper)))


def _mat(template: Template, captain_by_seat: CaptainBySeat) -> SeatMat:
    categories = template.designs_of_kind("category")
    cells: list[CountCell | ComputedCell] = [
        _piece_cell(one, template, captain_by_seat) for one in template.design_by_piece
    ]
    if len(categories) <= MAX_CATEGORIES_ON_MAT:
        cells += [make_category_cell(one, captain_by_seat) for one in categories]
    cells += [
        *loans.build_debt_cells(template, captain_by_seat),
        *contract.build_bid_cells(template),
        *tournament.build_matches_won_cells(template),
    ]
    badges = (make_start_or_dealer_badge(template), *leaving.build_out_badges(template))
    rows = tuple(lots.build_lots_won_rows(template))
    return SeatMat(
        _total(template, captain_by_seat),
        cells=tuple(cells),
        badges=badges,
        rows=rows,
        shows_last_change=True,
    )


def _piece_cell(one: Piece, template: Template, captain_by_seat: CaptainBySeat) -> CountCell | ComputedCell:
    """The number of a piece in the purse of the seat, or in the purse that its team shares."""
    if not template.general_rules.teams:
        return CountCell(one, PURSE)
    return ComputedCell(
        one.label, lambda look, seat: look.count(one, PURSE, captain_of_mat(captain_by_seat, seat)), one
    )


def _total(template: Template, captain_by_seat: CaptainBySeat) -> ComputedCell:
    """The total of a seat; None where a covered purse counts."""
    worth = {piece: read_number(one, "worth") for piece, one in template.design_by_piece.items()}

    def total(look: VisibleTable, seat: Seat | None) -> int | None:
        mine = captain_of_mat(captain_by_seat, seat)
        if any(each and look.count(one, PURSE, mine) is None for one, each in worth.items()):
            return None
        held = sum(look.open_count(one, PURSE, mine) * each for one, each in worth.items())
        return held + sum(points(look, template, mine) for points in VISIBLE_POINT_FUNCTIONS)

    return ComputedCell(say("total"), total)


def _middle(template: Template, captain_by_seat: CaptainBySeat) -> Iterator[MiddlePart]:
    yield from tracks.build_progress_tracks(template)
    yield from rounds.build_round_parts(template, captain_by_seat)
    yield from companies.build_company_grids(template, captain_by_seat)
    yield from bank.build_bank_and_place_rows(template)
