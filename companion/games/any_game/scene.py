"""How the table of Any Game looks: as its template says what lies there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from companion.games.any_game.companies import PRICES, price_at, share_of
from companion.games.any_game.companies import marker_of as price_of
from companion.games.any_game.laid import (
    BANK,
    BID,
    DEALER,
    LOAN,
    LOTS,
    OUT,
    PURSE,
    ROUND,
    START,
    TRACK,
    WON,
    counted,
    has_lots,
    pieces_of,
)
from companion.games.any_game.points import FRONT, Bonus, filled, points
from companion.games.any_game.printed import DECK, HouseRules, kind_of, named, number, rules_of
from companion.games.any_game.teams import called, keepers
from companion.games.any_game.terms import terms_of
from companion.games.any_game.tracks import TRACKS, marker_of
from companion.rulebook import (
    Badge,
    Cell,
    Deck,
    Design,
    Figure,
    Grid,
    Labelled,
    Lines,
    Look,
    Mat,
    Part,
    Piece,
    Place,
    Row,
    Scene,
    Seat,
    Setup,
    Track,
    say,
)

FEW = 4
"""Most kinds of points that have room on a mat; more stand in a grid alone."""
Keeper = Mapping[Seat, Seat]
Kind = tuple[Labelled, tuple[Figure | None, ...]]
"""What a kind of points is called, and how many of it each side has."""


def scene(setup: Setup) -> Scene:
    """Before each seat its total; then what it holds and its points of each kind."""
    deck = setup.deck(DECK)
    rules, keeper = rules_of(deck), keepers(setup.seats, rules_of(deck).teams)
    return Scene(_mat(deck, rules, keeper), tuple(_middle(deck, rules, keeper)))


def _mat(deck: Deck, rules: HouseRules, keeper: Keeper) -> Mat:
    categories = kind_of(deck, "category")
    cells: list[Cell | Figure] = [_held(one, rules, keeper) for one in pieces_of(deck)]
    if len(categories) <= FEW:
        cells += [_scored(one, keeper) for one in categories]
    if terms_of(deck).loans:
        cells.append(Figure(LOAN.label, lambda look, seat: look.number(LOAN, FRONT, _of(keeper, seat))))
    if rules.scoring == "contract" and rules.bids == "before":
        cells.append(Cell(BID, FRONT))
    if rules.scoring == "knockout":
        cells.append(Cell(WON, FRONT, label=say("won")))
    marker = Badge(DEALER, FRONT) if rules.deal == "left" else Badge(START, FRONT, say("starts"))
    out = (Badge(OUT, FRONT, say("out"), out=True),) if rules.out else ()
    rows = (Row(LOTS, label=say("won"), marks=True),) if has_lots(deck) else ()
    return Mat(_total(deck, keeper), cells=tuple(cells), badges=(marker, *out), rows=rows, changes=True)


def _held(one: Piece, rules: HouseRules, keeper: Keeper) -> Cell | Figure:
    """What lies in a purse, of a team in the purse that is everybody's."""
    if not rules.teams:
        return Cell(one, PURSE)
    return Figure(one.label, lambda look, seat: look.count(one, PURSE, _of(keeper, seat)), one)


def _scored(printed: Design, keeper: Keeper) -> Figure:
    """The points of one kind, gained less lost, of all rounds."""

    def of(look: Look, seat: Seat | None) -> int:
        return _by_round(look, [printed], _of(keeper, seat)).total()

    return Figure(named(printed), of)


def _total(deck: Deck, keeper: Keeper) -> Figure:
    pieces = pieces_of(deck)
    worth = {piece: number(one, "worth") for piece, one in pieces.items()}
    categories, bonuses = kind_of(deck, "category"), [Bonus(one) for one in kind_of(deck, "bonus")]
    companies = kind_of(deck, "company")

    def total(look: Look, seat: Seat | None) -> int | None:
        mine = _of(keeper, seat)
        if any(each and look.count(one, PURSE, mine) is None for one, each in worth.items()):
            return None
        shares = [look.number(share_of(one), PURSE, mine) * _price(look, deck, one) for one in companies]
        invested = sum(counted(pieces, each) for each in shares)
        owed = counted(pieces, look.number(LOAN, FRONT, mine))
        held = sum(look.number(one, PURSE, mine) * each for one, each in worth.items())
        scored = _by_round(look, categories, mine).total()
        more = sum(_bonus(look, one, categories, mine) for one in bonuses)
        return held + invested - owed + scored + more + look.number(WON, FRONT, mine)

    return Figure(say("total"), total)


def _bonus(look: Look, bonus: Bonus, categories: tuple[Design, ...], seat: Seat) -> int:
    group = [one for one in categories if number(one, "group") == bonus.group]
    return bonus.from_(_by_round(look, group, seat).total())


def _of(keeper: Keeper, seat: Seat | None) -> Seat:
    assert seat is not None, "the figures of a mat are a seat's"
    return keeper[seat]


def _by_round(look: Look, kinds: list[Design] | tuple[Design, ...], seat: Seat) -> Counter[int]:
    """The points of a seat by rounds; 0 is what belongs to none."""
    signs: dict[Piece, int] = {}
    for one in kinds:
        gained, lost = points(one)
        signs |= {gained: 1, lost: -1}
    found: Counter[int] = Counter()
    for (place, piece), count in look.counts.items():
        if place.seat == seat and piece in signs:
            found[place.slot or 0] += signs[piece] * (count or 0)
    return found


def _middle(deck: Deck, rules: HouseRules, keeper: Keeper) -> Iterator[Part]:
    for one in kind_of(deck, "track"):
        goal = number(one, "goal")
        yield Track(named(one), Cell(marker_of(one), TRACKS), goal)
    if rules.rounds:
        yield Track(say("rounds"), Cell(ROUND, TRACK), rules.rounds)
    elif rules.scoring == "free":
        yield Cell(ROUND, TRACK, label=say("round"))
    yield from _grids(deck, keeper)
    if companies := kind_of(deck, "company"):
        heads = tuple([named(one) for one in companies])
        yield Grid(heads, lambda look: tuple(_shares(look, deck, keeper)))
    if pieces := tuple(pieces_of(deck)):
        for place in (BANK, *[named(one) for one in kind_of(deck, "place")]):
            yield Row(place, pieces, label=place)


def _shares(look: Look, deck: Deck, keeper: Keeper) -> Iterator[Kind]:
    """A line for the prices, one for each side and the bank with its shares, and one for the treasuries."""
    companies = kind_of(deck, "company")
    yield say("price"), tuple([_number(_price(look, deck, one)) for one in companies])
    for side in dict.fromkeys(keeper.values()):
        held = [look.number(share_of(one), PURSE, side) for one in companies]
        yield called(keeper, side), tuple([_number(count) for count in held])
    yield BANK, tuple([_number(look.number(share_of(one), BANK)) for one in companies])
    money = [one for one in pieces_of(deck) if one.money_value]
    lying = [sum(look.number(each, named(one)) * each.money_value for each in money) for one in companies]
    if any(lying):
        yield say("treasury"), tuple([_number(count) for count in lying])


def _price(look: Look, deck: Deck, company: Design) -> int:
    """What a share costs now; 0 where it has no price."""
    return price_at(deck.board["prices"], look.number(price_of(company), PRICES))


def _grids(deck: Deck, keeper: Keeper) -> Iterator[Grid]:
    """Seats by rounds, and where there are several kinds of points, seats by kinds."""
    categories = kind_of(deck, "category")
    sides = tuple(dict.fromkeys(keeper.values()))
    heads = tuple([called(keeper, side) for side in sides])
    if categories:
        yield Grid(heads, lambda look: _rounds(look, categories, sides), adds=True)
    if len(categories) > 1:
        yield Grid(heads, lambda look: tuple(_kinds(look, deck, sides)))


def _rounds(look: Look, categories: tuple[Design, ...], sides: tuple[Seat, ...]) -> Lines:
    """A line for each round in which points were written down, and one for all of them."""
    each = [_by_round(look, categories, side) for side in sides]
    last = max([look.number(ROUND, TRACK), *[slot for one in each for slot in one]])
    if not last:
        return ()
    lines = [
        (
            say("round {round}", round=slot),
            tuple([_number(one[slot], _at(slot), side) for one, side in zip(each, sides, strict=True)]),
        )
        for slot in range(1, last + 1)
    ]
    if any(one[0] for one in each):
        lines.append((say("other points"), tuple([_number(one[0]) for one in each])))
    return (*lines, (say("points"), tuple([_number(one.total()) for one in each])))


def _kinds(look: Look, deck: Deck, sides: tuple[Seat, ...]) -> Iterator[Kind]:
    """A line for each kind of points, and for what groups of them give besides; empty boxes are empty.

    None as long as nothing was written down, but for a sheet, of which people want to see the boxes.
    """
    categories = kind_of(deck, "category")
    is_sheet = rules_of(deck).scoring == "sheet"
    if not is_sheet and not any(_by_round(look, categories, side) for side in sides):
        return
    for one in deck.designs:
        if one.values["kind"] == "category":
            cells = [
                None if is_sheet and not look.number(filled(one), FRONT, side) else _noted(look, one, side)
                for side in sides
            ]
            yield named(one), tuple(cells)
        elif one.values["kind"] == "bonus":
            bonus = Bonus(one)
            yield bonus.label, tuple([_number(_bonus(look, bonus, categories, side)) for side in sides])


def _noted(look: Look, one: Design, side: Seat) -> Figure:
    return _number(_by_round(look, [one], side).total(), points(one)[0], side)


def _number(value: int, about: Piece | Place | None = None, seat: Seat | None = None) -> Figure:
    """A number of a grid, and the answer that it comes from."""
    told = None if about is None or seat is None else (about, seat)
    return Figure(say("points"), lambda _look, _seat: value, told=told)


def _at(slot: int) -> Place:
    """What questions about a round are about."""
    return Place(FRONT, slot=slot)
