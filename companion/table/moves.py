"""What people must move on the real table to get from one moment of a game to another.

`take_snapshot` records what is where, `diff_snapshots` returns the `PieceMove`s between two snapshots.
Between both, cards are traced one by one: `find_card_transfers` finds the single cards that one step moved,
and `trace_moved_cards` follows them back to the last common step and forth to the other moment.
Only public knowledge is used: nothing about a covered purse, and a card's name only where the card is open.
Everybody saw what went into or came out of a covered place without an owner, such as a bag.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

import msgspec

from companion.table.ledger import CardMovement, Ledger, Piece, Place
from companion.texts import Say, say, say_list

CardStep = tuple[CardMovement, ...]


class CardTransfer(msgspec.Struct):
    """One card that changed places, and its name if everybody saw it.

    `was_open`: it was face up at its source. `is_open`: it is face up at its target.
    `is_return`: a seat gave a card back at once for a card it got; it may be that very card or another one.
    """

    piece: Piece
    source: Place
    target: Place
    name: Say | None = None
    was_open: bool = False
    is_open: bool = False
    is_return: bool = False

    @property
    def reversed_transfer(self) -> CardTransfer:
        """The transfer in the opposite direction, from target to source."""
        return CardTransfer(
            self.piece, self.target, self.source, self.name, self.is_open, self.was_open, self.is_return
        )


def find_card_transfers(step: CardStep) -> list[CardTransfer]:
    """Returns the single cards that one step moved. The card that came last to a place leaves it first."""
    found: list[CardTransfer] = []
    for way in step:
        for _ in range(way.count if way.piece.is_physical_card else 0):
            assert way.source is not None
            assert way.target is not None
            came = [one for one in found if (one.piece, one.target) == (way.piece, way.source)]
            late = bool(came and way.source.seat and came[-1].source == way.target)
            if came and not late:
                came[-1].target = way.target
            else:
                late = late or any(one.is_return for one in found)
                found.append(CardTransfer(way.piece, way.source, way.target, is_return=late))
    found = [one for one in found if one.source != one.target]
    _name(found, step)
    return found


def _name(cards: Sequence[CardTransfer], step: CardStep) -> None:
    """Names cards by faces: a face open before and after names its card, another if unambiguous."""
    gone, come = _open(step)
    for source, target in dict.fromkeys((card.source, card.target) for card in cards):
        both = gone[source] & come[target]
        for card in _named([card for card in cards if (card.source, card.target) == (source, target)], both):
            card.was_open = card.is_open = True
        gone[source] -= both
        come[target] -= both
    for place, names in gone.items():
        for card in _named([card for card in cards if card.source == place and not card.name], names):
            card.was_open = True
    for place, names in come.items():
        for card in _named([card for card in cards if card.target == place and not card.name], names):
            card.is_open = True


def _open(step: CardStep) -> tuple[dict[Place, Counter[Say]], dict[Place, Counter[Say]]]:
    """Returns, by place, the names that no longer lie open there, and the names that newly do."""
    gone, come = defaultdict[Place, Counter[Say]](Counter), defaultdict[Place, Counter[Say]](Counter)
    for way in step:
        if way.piece.is_card_face:
            for ends, place in ((gone, way.source), (come, way.target)):
                if place:
                    ends[place][way.piece.label] += way.count
    for place in [*gone]:
        passed = gone[place] & come[place]
        gone[place] -= passed
        come[place] -= passed
    return gone, come


def _named(cards: Sequence[CardTransfer], names: Counter[Say]) -> list[CardTransfer]:
    """Gives the names to cards if it doesn't matter which card gets which; returns the named cards."""
    ends = {(card.piece, card.source, card.target) for card in cards}
    is_sure = len(ends) == 1 or (len(names) == 1 and names.total() == len(cards))
    if not is_sure or names.total() > len(cards):
        return []
    named = list(zip(cards, names.elements(), strict=False))
    for card, name in named:
        card.name = name
    return [card for card, _ in named]


def all_equal(items: Iterable[Hashable]) -> bool:
    """Returns whether all items are equal."""
    return len(set(items)) <= 1


# Tracing cards from one moment to another


CountsByPlace = Mapping[Place, int]
MAX_TRACED_CARDS = 1000
"""The most cards that are traced; if more moved, none is."""


class TracedCard(msgspec.Struct, eq=False):
    """A card being traced: where it was at first, where it is now, and the names seen on it.

    `moved_back`: it moved while going back. `is_guess`: it may be a card that came to its origin before.
    """

    origin: Place
    place: Place
    is_guess: bool
    names: list[Say]
    moved_back: bool = False


def trace_moved_cards(
    piece: Piece, count_by_place: CountsByPlace, steps_now: Sequence[CardStep], steps_then: Sequence[CardStep]
) -> list[TracedCard]:
    """Returns the cards of a piece that have to move, in a possible order.

    `count_by_place` has their present places. `steps_now` and `steps_then` lead to the two moments.
    """
    same = 0
    while same < min(len(steps_now), len(steps_then)) and steps_now[same] == steps_then[same]:
        same += 1
    ways = [
        way for step in (*steps_now[same:], *steps_then[same:]) for way in step if way.piece.is_physical_card
    ]
    if sum(way.count for way in ways) > MAX_TRACED_CARDS or piece not in {way.piece for way in ways}:
        return []
    walk = _Walk(count_by_place)
    for step in reversed(steps_now[same:]):
        for late in (True, False):
            walk.go([one.reversed_transfer for one in reversed(_of(piece, step, late=late))], back=True)
    for step in steps_then[same:]:
        for late in (False, True):
            walk.go(_of(piece, step, late=late), back=False)
    return [card for card in walk.cards if card.place != card.origin]


def _of(piece: Piece, step: CardStep, *, late: bool) -> list[CardTransfer]:
    return [
        flight for flight in find_card_transfers(step) if flight.piece == piece and flight.is_return == late
    ]


class _Walk:
    """Traces cards from one moment to another; `cards` are all that have moved."""

    def __init__(self, held: CountsByPlace) -> None:
        self.cards: list[TracedCard] = []
        self._own = dict(held)
        self._came: dict[Place, list[TracedCard]] = {}

    def go(self, ways: Sequence[CardTransfer], *, back: bool) -> None:
        """Applies the transfers of one step, or takes them `back`."""
        leaving = [self._leaving(flight, back=back) for flight in ways]
        for card, flight in zip(leaving, ways, strict=True):
            card.place, card.moved_back = flight.target, card.moved_back or back
            card.names += [flight.name] if flight.name else []
            self._came.setdefault(flight.target, []).append(card)
        for flight in ways:
            self._empty(flight.source)

    def _leaving(self, flight: CardTransfer, *, back: bool) -> TracedCard:
        """Returns the card that leaves: the known one, else the one that came last, else one that lay there.

        Nobody knows which card leaves a seat's hand, so one that lay there at first is taken.
        """
        place = flight.source
        here = self._came.setdefault(place, [])
        fitting = [card for card in here if flight.name in card.names]
        if not fitting:
            fitting = [card for card in here if not (flight.was_open and card.names)]
            if place.seat and not self._are_alike(place, fitting):
                fitting = [card for card in fitting if card.moved_back and not back]
        if fitting:
            here.remove(fitting[-1])
            return fitting[-1]
        self._own[place] = self._own.get(place, 0) - 1
        self.cards.append(TracedCard(place, place, bool(here), []))
        return self.cards[-1]

    def _are_alike(self, place: Place, cards: Sequence[TracedCard]) -> bool:
        """Returns whether these are all cards there and it makes no difference which of them leaves."""
        others = self._own.get(place) or any(card.is_guess for card in self.cards if card.origin == place)
        return not others and all_equal((card.origin, *card.names) for card in cards)

    def _empty(self, place: Place) -> None:
        """Settles guesses once a place is empty: every card that came there has left again."""
        here = self._came[place]
        if here and self._own.get(place, 0) + len(here) == 0:
            left = [card for card in self.cards if card.origin == place and card.is_guess]
            if all_equal((card.place, *card.names) for card in left):
                for card, other in zip(here, left, strict=False):
                    self._stand_in(card, other)
            for card in left:
                card.is_guess = False
            here.clear()
            self._own[place] = 0

    def _stand_in(self, card: TracedCard, other: TracedCard) -> None:
        """Makes `card` the one that left, instead of `other`, which lay there at first."""
        card.place = other.place
        card.names += other.names
        came = self._came[card.place]
        if other in came:  # else that place has been emptied since, and nobody knows where it went from there
            came.remove(other)
            came.append(card)
        self.cards.remove(other)


# Snapshots and the moves between them


class PieceMove(msgspec.Struct, frozen=True):
    """Pieces to move from one place to another.

    `card_names`: the names of the cards, if everybody knows them. `shown_places` are the two places by their
    slot numbers at that moment, if they are in a compact row.
    """

    piece: Piece
    source: Place
    target: Place
    count: int = 1
    card_names: tuple[Say, ...] = ()
    shown_places: tuple[Place, Place] | None = None

    @property
    def moved_pieces_text(self) -> Say:
        """The count and name of the pieces, with the names of cards that everybody knows."""
        things = self.piece.quantity_text(self.count)
        return (
            say("{things} ({cards})", things=things, cards=say_list(self.card_names))
            if self.card_names
            else things
        )

    def instruction_text(self, *, is_return: bool = False) -> Say:
        """Returns the move as an instruction; `is_return`: the pieces go back to where they were."""
        text = "{things} from {source} back to {target}"
        return self._said(text) if is_return else self.description_text

    @property
    def description_text(self) -> Say:
        """The move as a text: `2 coins from Aki to bank`."""
        text = "{things} from {source} to {target}"
        return self._said(text)

    def _said(self, text: str) -> Say:
        source, target = self.shown_places or (self.source, self.target)
        return say(text, things=self.moved_pieces_text, source=source.owner_label, target=target.owner_label)


class TableSnapshot(msgspec.Struct, frozen=True):
    """A snapshot of the table: what is where at one moment.

    `pieces`: the counts of each piece by place. `open_cards`: the counts of open cards of each name by place.
    `hidden_counts`: counts that only their owner may know. `slots`: the slot numbers of compact rows then.
    `card_steps`: the movements of cards of each kind; none if their order doesn't matter or they were
    shuffled.
    """

    pieces: Mapping[Piece, CountsByPlace]
    open_cards: Mapping[Say, CountsByPlace]
    hidden_counts: frozenset[tuple[Piece, Place]]
    slots: Mapping[Place, Place] = {}
    card_steps: Mapping[Piece, tuple[CardStep, ...]] = {}

    def with_pieces_from(self, other: TableSnapshot, pieces: Collection[Piece]) -> TableSnapshot:
        """Returns this snapshot with the given pieces as they are in another one."""
        there = {piece: there for piece, there in other.pieces.items() if piece in pieces}
        ways = {piece: ways for piece, ways in other.card_steps.items() if piece in pieces}
        pieces_now, hidden = {**self.pieces, **there}, self.hidden_counts | other.hidden_counts
        return TableSnapshot(pieces_now, self.open_cards, hidden, self.slots, {**self.card_steps, **ways})

    def without_card_steps_of(self, pieces: Collection[Piece]) -> TableSnapshot:
        """Returns this snapshot without the card steps of the given pieces, so that no card is traced."""
        ways = {piece: ways for piece, ways in self.card_steps.items() if piece not in pieces}
        return msgspec.structs.replace(self, card_steps=ways)

    def has_open_card(self, card_name: Say, place: Place) -> bool:
        """Returns whether a card of this name is open at the place."""
        return bool(self.open_cards.get(card_name, {}).get(place))


def take_snapshot(ledger: Ledger) -> TableSnapshot:
    """Returns a snapshot of what is on the table now."""
    pieces: dict[Piece, dict[Place, int]] = {}
    cards: dict[Say, dict[Place, int]] = {}
    hidden = set()
    for account in ledger:
        piece, place = account.piece, account.place
        if not piece.is_marker:
            pieces.setdefault(piece, {})[place] = account.count
            if account.covered and place.seat:
                hidden.add((piece, place))
        elif piece.is_card_face and account.count > 0 and not account.covered:
            there = cards.setdefault(piece.label, {})
            there[place] = there.get(place, 0) + account.count
    ways = dict.fromkeys(
        [piece for piece in pieces if piece.is_physical_card], ledger.card_movements_by_step()
    )
    return TableSnapshot(pieces, cards, frozenset(hidden), ledger.current_slot_by_place(), ways)


def diff_snapshots(now: TableSnapshot, then: TableSnapshot) -> list[PieceMove]:
    """Returns the moves that lead from `now` to `then`; each source and target comes once."""
    hidden = now.hidden_counts | then.hidden_counts
    found: dict[tuple[Piece, Place, Place, bool], tuple[int, tuple[Say, ...]]] = {}
    for piece in {**now.pieces, **then.pieces}:
        for source, target, count, names in _ways(piece, now, then):
            if (piece, source) not in hidden and (piece, target) not in hidden:
                way = piece, source, target, bool(names)
                before, known = found.get(way, (0, ()))
                found[way] = before + count, known + names
    called = {**then.slots, **now.slots}, {**now.slots, **then.slots}
    return [PieceMove(*way[:3], *what, _called(*way[1:3], *called)) for way, what in found.items()]


def _called(
    source: Place, target: Place, before: Mapping[Place, Place], after: Mapping[Place, Place]
) -> tuple[Place, Place]:
    """Returns the source by its present slot number and the target by its later one."""
    return before.get(source, source), after.get(target, target)


_Told = tuple[Place, Place, int, tuple[Say, ...]]


def _ways(piece: Piece, now: TableSnapshot, then: TableSnapshot) -> Iterator[_Told]:
    """Yields traced cards if they explain the difference; else moves from where there is too much."""
    here, there = now.pieces.get(piece, {}), then.pieces.get(piece, {})
    if here == there and piece not in now.card_steps:
        return
    more = {place: here.get(place, 0) - there.get(place, 0) for place in {**here, **there}}
    if piece in now.card_steps and piece in then.card_steps:
        cards = trace_moved_cards(piece, here, now.card_steps[piece], then.card_steps[piece])
        ends = Counter(card.origin for card in cards)
        ends.subtract(card.place for card in cards)
        if all(ends[place] == count for place, count in more.items()):
            for card in cards:
                start, end = card.origin, card.place
                names = [
                    name
                    for name in card.names
                    if now.has_open_card(name, start) or then.has_open_card(name, end)
                ]
                yield start, end, 1, tuple(names[:1])
            return
    hidden = now.hidden_counts | then.hidden_counts
    yield from _pairs({place: count for place, count in more.items() if (piece, place) not in hidden})


def _pairs(more: CountsByPlace) -> Iterator[_Told]:
    """Yields moves of interchangeable pieces."""
    missing = {place: -count for place, count in more.items() if count < 0}
    for source, count in more.items():
        left = count
        for target, wanted in missing.items():
            if (moved := min(left, wanted)) > 0:
                left -= moved
                missing[target] -= moved
                yield source, target, moved, ()
