"""The scene of Any Game: what its template puts before each seat and in the middle."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from companion.games.any_game import (
    bank,
    blinds,
    companies,
    contract,
    leaving,
    loans,
    lots,
    rounds,
    tiles,
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
    WholeOrHalf,
    find_leaders,
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
VisibleTotal = Callable[[VisibleTable, Seat | None], WholeOrHalf | None]
"""A function that returns a seat's total as everybody sees it; None if something hidden counts."""


def build_scene(setup: SceneSetup) -> Scene:
    """Builds the scene: a mat for each seat with its total, pieces and points, and the middle parts."""
    template = Template(setup.deck(DECK))
    captain_by_seat = assign_team_captains(setup.seats, template.general_rules.teams)
    visible_total = _make_total_function(template, captain_by_seat)

    def leaders(look: VisibleTable) -> Collection[Seat]:
        still_in = [seat for seat in setup.seats if not leaving.is_visibly_out(look, seat)]
        is_last_side = len({captain_by_seat[seat] for seat in still_in}) == 1
        if is_last_side and len(still_in) < len(setup.seats):
            return still_in
        return find_leaders(
            [seat for seat in setup.seats if not leaving.is_visibly_absent(look, seat)],
            lambda seat: visible_total(look, seat),
            lowest_leads=template.general_rules.lowest_wins,
        )

    return Scene(
        _build_mat(template, captain_by_seat, visible_total),
        tuple(_build_middle_parts(template, captain_by_seat)),
        leaders=leaders,
    )


def _build_mat(template: Template, captain_by_seat: CaptainBySeat, visible_total: VisibleTotal) -> SeatMat:
    categories = template.designs_of_kind("category")
    cells: list[CountCell | ComputedCell] = [
        _make_piece_cell(piece, template, captain_by_seat) for piece in template.design_by_piece
    ]
    if len(categories) <= MAX_CATEGORIES_ON_MAT:
        cells += [make_category_cell(category, captain_by_seat) for category in categories]
    cells += [
        *loans.build_debt_cells(template, captain_by_seat),
        *contract.build_bid_cells(template, captain_by_seat),
        *tournament.build_matches_won_cells(template),
    ]
    badges = (make_start_or_dealer_badge(template), *leaving.build_out_badges(template))
    rows = (*lots.build_lots_won_rows(template), *tiles.build_tile_rows(template))
    return SeatMat(
        ComputedCell(say("total"), visible_total, shows_change=True, is_total=True),
        cells=tuple(cells),
        badges=badges,
        rows=rows,
    )


def _make_piece_cell(
    piece: Piece, template: Template, captain_by_seat: CaptainBySeat
) -> CountCell | ComputedCell:
    """Returns the cell with the number of a piece in a seat's purse, or in the purse that its team shares."""
    if not template.general_rules.teams:
        return CountCell(piece, PURSE)
    return ComputedCell(
        piece.label, lambda look, seat: look.count(piece, PURSE, captain_of_mat(captain_by_seat, seat)), piece
    )


def _make_total_function(template: Template, captain_by_seat: CaptainBySeat) -> VisibleTotal:
    """Returns a function that returns a seat's total; the total is None if a covered purse counts."""
    worth_by_piece = {
        piece: read_number(design, "worth") for piece, design in template.design_by_piece.items()
    }

    def total(look: VisibleTable, seat: Seat | None) -> WholeOrHalf | None:
        captain = captain_of_mat(captain_by_seat, seat)
        if any(
            worth and look.count(piece, PURSE, captain) is None for piece, worth in worth_by_piece.items()
        ):
            return None
        piece_points = sum(
            look.visible_count_or_zero(piece, PURSE, captain) * worth
            for piece, worth in worth_by_piece.items()
        )
        return piece_points + sum(
            visible_points(look, template, captain) for visible_points in VISIBLE_POINT_FUNCTIONS
        )

    return total


def _build_middle_parts(template: Template, captain_by_seat: CaptainBySeat) -> Iterator[MiddlePart]:
    yield from lots.build_lot_parts(template)
    yield from tracks.build_progress_tracks(template)
    yield from rounds.build_round_parts(template, captain_by_seat)
    yield from blinds.build_blind_cells(template)
    yield from companies.build_company_grids(template, captain_by_seat)
    yield from tiles.build_middle_tile_rows(template)
    yield from bank.build_broken_bank_grid(template)
    yield from bank.build_bank_and_place_rows(template)
