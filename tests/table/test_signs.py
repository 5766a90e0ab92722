"""The signs of the seats: twelve colours and shapes that people tell apart."""

from itertools import combinations

import pytest

from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR, Outline, shape_outline
from companion.table.seats import SEAT_COLOURS
from tests.support.colour_vision import MATRIX_BY_VISION, colour_difference, contrast_ratio

SHAPES = [sign.shape for sign in SIGN_BY_SEAT_COLOUR.values()]
PAPER, FELT, INK = "#F3EAD7", "#10211C", "#221C14"
FIRST = ("orange", "sky", "green", "vermilion", "purple")
OBJECT = 3.0
"""What WCAG 2.2 wants of a sign against its ground (1.4.11)."""
EASILY = 10.0
"""From this distance on two colours are others at a glance."""
FINE = 48
"""Rows of dots across a shape: so many pixels a token has at arm's length."""
MOST_ALIKE = 0.86
"""Share of what two shapes cover together that both may cover: that of a circle and a square."""
NEWER_ALIKE = 0.78


def covered(outline: Outline) -> set[tuple[int, int]]:
    """The dots within a shape, by the even-odd rule."""
    at = [1.08 * (2 * (each + 0.5) / FINE - 1) for each in range(FINE)]
    edges = list(zip(outline, [*outline[1:], outline[0]], strict=True))
    found = set()
    for row, y in enumerate(at):
        cuts = sorted(
            low[0] + (y - low[1]) * (high[0] - low[0]) / (high[1] - low[1])
            for low, high in edges
            if (low[1] > y) != (high[1] > y)
        )
        within = list(zip(cuts[::2], cuts[1::2], strict=True))
        found |= {
            (row, column) for column, x in enumerate(at) if any(left <= x < right for left, right in within)
        }
    return found


def turned(outline: Outline, quarters: int) -> Outline:
    """The shape as who sits at another side sees it."""
    for _ in range(quarters):
        outline = [(-y, x) for x, y in outline]
    return outline


def test_there_are_twelve() -> None:
    """Each has a colour, a shape, a letter and a shade of its own."""
    assert tuple(SIGN_BY_SEAT_COLOUR) == SEAT_COLOURS
    assert len(SIGN_BY_SEAT_COLOUR) == 12
    for values in zip(
        *((one.colour, one.shape, one.letter, one.terminal_colour) for one in SIGN_BY_SEAT_COLOUR.values()),
        strict=True,
    ):
        assert len(set(values)) == 12


def test_the_first_five_are_as_they_always_were() -> None:
    """Games of five people and fewer look as before; saved games name these colours."""
    assert SEAT_COLOURS[:5] == FIRST
    assert [SIGN_BY_SEAT_COLOUR[name].colour for name in FIRST] == [
        "#E69F00",
        "#56B4E9",
        "#009E73",
        "#D55E00",
        "#CC79A7",
    ]
    assert SHAPES[:5] == ["circle", "triangle", "square", "diamond", "star"]
    assert "".join(SIGN_BY_SEAT_COLOUR[name].letter for name in FIRST) == "●▲■◆★"


@pytest.mark.parametrize(("one", "other"), list(combinations(SHAPES, 2)))
def test_any_two_shapes_differ(one: str, other: str) -> None:
    """In grey, and however each is turned to its owner at the sides of a panel that lies flat."""
    first = covered(shape_outline(one))
    shares = []
    for quarters in range(4):
        second = covered(turned(shape_outline(other), quarters))
        shares.append(len(first & second) / len(first | second))
    assert max(shares) < (MOST_ALIKE if {one, other} <= set(SHAPES[:5]) else NEWER_ALIKE)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_looks_like_the_leaders_crown(shape: str) -> None:
    """Else nobody could tell who leads from whose sign it is."""
    test_any_two_shapes_differ(shape, "crown")


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_is_seen_whole_from_its_middle(shape: str) -> None:
    """So it can be filled by a fan of triangles; and it stays within its square."""
    points = shape_outline(shape)
    turns = [x * v - y * u for (x, y), (u, v) in zip(points, [*points[1:], points[0]], strict=True)]
    assert all(turn > -1e-9 for turn in turns) or all(turn < 1e-9 for turn in turns)
    assert all(max(abs(x), abs(y)) <= 1.08 for x, y in points)


@pytest.mark.parametrize("sight", MATRIX_BY_VISION)
def test_any_two_colours_differ_for_every_eye(sight: str) -> None:
    """None of the newer seven is nearer to another than the nearest two of the first five are somewhere."""
    first = [SIGN_BY_SEAT_COLOUR[name].colour for name in FIRST]
    floor = min(
        colour_difference(*pair, each) for each in MATRIX_BY_VISION for pair in combinations(first, 2)
    )
    assert floor > EASILY
    for one, other in combinations(SEAT_COLOURS, 2):
        assert (
            colour_difference(SIGN_BY_SEAT_COLOUR[one].colour, SIGN_BY_SEAT_COLOUR[other].colour, sight)
            >= floor
        ), (
            one,
            other,
        )


@pytest.mark.parametrize("colour", SEAT_COLOURS)
def test_a_sign_stands_out_from_paper_and_from_felt(colour: str) -> None:
    """On paper by its outline in ink, on felt by its colour."""
    assert contrast_ratio(INK, PAPER) >= OBJECT
    assert contrast_ratio(SIGN_BY_SEAT_COLOUR[colour].colour, FELT) >= OBJECT
