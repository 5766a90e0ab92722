"""What people must move on the real table to get from one moment of a game to another.

`take_snapshot` records what is where, `diff_snapshots` returns the `PieceMove`s between two snapshots.
Between both, cards are traced one by one: `find_card_transfers` finds the single cards that one step moved,
and `trace_cards_to_move` follows them back to the last common step and forth to the other moment.
Only public knowledge is used: nothing about a covered purse, and a card's name only where the card is open.
Everybody saw what went into or came out of a covered place without an owner, such as a bag.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

import msgspec

from companion.table.ledger import CardMovement, Ledger, Piece, Place
from companion.texts import Say, say, say_list

CardMovementStep = tuple[CardMovement, ...]


class CardTransfer(msgspec.Struct):
    """The transfer of one card to another place, with the card's name if everybody saw it.

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


def find_card_transfers(step: CardMovementStep) -> list[CardTransfer]:
    """Returns the single cards that one step moved.

    The card that came last to a place leaves it first.
    """
    transfers: list[CardTransfer] = []
    for movement in step:
        for _ in range(movement.count if movement.piece.is_physical_card else 0):
            assert movement.source is not None
            assert movement.target is not None
            arrived = [
                transfer
                for transfer in transfers
                if (transfer.piece, transfer.target) == (movement.piece, movement.source)
            ]
            is_return = bool(arrived and movement.source.seat and arrived[-1].source == movement.target)
            if arrived and not is_return:
                arrived[-1].target = movement.target
            else:
                is_return = is_return or any(transfer.is_return for transfer in transfers)
                transfers.append(
                    CardTransfer(movement.piece, movement.source, movement.target, is_return=is_return)
                )
    transfers = [transfer for transfer in transfers if transfer.source != transfer.target]
    _assign_names(transfers, step)
    return transfers


def _assign_names(cards: Sequence[CardTransfer], step: CardMovementStep) -> None:
    """Gives the cards the names of their faces.

    A face that was open before and after the step names its card; another face only if that is unambiguous.
    """
    names_gone_by_place, names_new_by_place = _changed_open_names(step)
    for source, target in dict.fromkeys((card.source, card.target) for card in cards):
        names_at_both_ends = names_gone_by_place[source] & names_new_by_place[target]
        for card in _give_names(
            [card for card in cards if (card.source, card.target) == (source, target)], names_at_both_ends
        ):
            card.was_open = card.is_open = True
        names_gone_by_place[source] -= names_at_both_ends
        names_new_by_place[target] -= names_at_both_ends
    for place, names in names_gone_by_place.items():
        for card in _give_names([card for card in cards if card.source == place and not card.name], names):
            card.was_open = True
    for place, names in names_new_by_place.items():
        for card in _give_names([card for card in cards if card.target == place and not card.name], names):
            card.is_open = True


def _changed_open_names(
    step: CardMovementStep,
) -> tuple[dict[Place, Counter[Say]], dict[Place, Counter[Say]]]:
    """Returns, by place, the names of cards that are no longer open there, and those that newly are."""
    names_gone_by_place, names_new_by_place = (
        defaultdict[Place, Counter[Say]](Counter),
        defaultdict[Place, Counter[Say]](Counter),
    )
    for movement in step:
        if movement.piece.is_card_face:
            for names_by_place, place in (
                (names_gone_by_place, movement.source),
                (names_new_by_place, movement.target),
            ):
                if place:
                    names_by_place[place][movement.piece.label] += movement.count
    for place in [*names_gone_by_place]:
        unchanged_names = names_gone_by_place[place] & names_new_by_place[place]
        names_gone_by_place[place] -= unchanged_names
        names_new_by_place[place] -= unchanged_names
    return names_gone_by_place, names_new_by_place


def _give_names(cards: Sequence[CardTransfer], names: Counter[Say]) -> list[CardTransfer]:
    """Gives the names to cards if it doesn't matter which card gets which; returns the named cards."""
    kinds = {(card.piece, card.source, card.target) for card in cards}
    is_unambiguous = len(kinds) == 1 or (len(names) == 1 and names.total() == len(cards))
    if not is_unambiguous or names.total() > len(cards):
        return []
    card_name_pairs = list(zip(cards, names.elements(), strict=False))
    for card, name in card_name_pairs:
        card.name = name
    return [card for card, _ in card_name_pairs]


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


def trace_cards_to_move(
    piece: Piece,
    count_by_place: CountsByPlace,
    steps_now: Sequence[CardMovementStep],
    steps_then: Sequence[CardMovementStep],
) -> list[TracedCard]:
    """Returns the cards of a piece that have to move, in a possible order.

    `count_by_place` has their present places. `steps_now` and `steps_then` lead to the two moments.
    """
    common_count = 0
    while (
        common_count < min(len(steps_now), len(steps_then))
        and steps_now[common_count] == steps_then[common_count]
    ):
        common_count += 1
    movements = [
        movement
        for step in (*steps_now[common_count:], *steps_then[common_count:])
        for movement in step
        if movement.piece.is_physical_card
    ]
    if sum(movement.count for movement in movements) > MAX_TRACED_CARDS or piece not in {
        movement.piece for movement in movements
    }:
        return []
    tracer = _CardTracer(count_by_place)
    for step in reversed(steps_now[common_count:]):
        for is_return in (True, False):
            tracer.apply_step(
                [
                    transfer.reversed_transfer
                    for transfer in reversed(_transfers_of(piece, step, is_return=is_return))
                ],
                is_backward=True,
            )
    for step in steps_then[common_count:]:
        for is_return in (False, True):
            tracer.apply_step(_transfers_of(piece, step, is_return=is_return), is_backward=False)
    return [card for card in tracer.cards if card.place != card.origin]


def _transfers_of(piece: Piece, step: CardMovementStep, *, is_return: bool) -> list[CardTransfer]:
    return [
        transfer
        for transfer in find_card_transfers(step)
        if transfer.piece == piece and transfer.is_return == is_return
    ]


class _CardTracer:
    """Traces cards from one moment to another; `cards` are all that have moved."""

    def __init__(self, count_by_place: CountsByPlace) -> None:
        self.cards: list[TracedCard] = []
        self._untraced_counts = dict(count_by_place)
        self._arrived_by_place: dict[Place, list[TracedCard]] = {}

    def apply_step(self, transfers: Sequence[CardTransfer], *, is_backward: bool) -> None:
        """Applies the transfers of one step; with `is_backward` they lead back to the last common step."""
        cards = [self._choose_leaving_card(transfer, is_backward=is_backward) for transfer in transfers]
        for card, transfer in zip(cards, transfers, strict=True):
            card.place, card.moved_back = transfer.target, card.moved_back or is_backward
            card.names += [transfer.name] if transfer.name else []
            self._arrived_by_place.setdefault(transfer.target, []).append(card)
        for transfer in transfers:
            self._resolve_guesses_if_empty(transfer.source)

    def _choose_leaving_card(self, transfer: CardTransfer, *, is_backward: bool) -> TracedCard:
        """Returns the card that leaves: the one of this name, or the last that came, or one there at first.

        Nobody knows which card leaves a seat's hand, so one that was there at first is taken.
        """
        place = transfer.source
        arrived_cards = self._arrived_by_place.setdefault(place, [])
        candidates = [card for card in arrived_cards if transfer.name in card.names]
        if not candidates:
            candidates = [card for card in arrived_cards if not (transfer.was_open and card.names)]
            if place.seat and not self._are_interchangeable(place, candidates):
                candidates = [card for card in candidates if card.moved_back and not is_backward]
        if candidates:
            arrived_cards.remove(candidates[-1])
            return candidates[-1]
        self._untraced_counts[place] = self._untraced_counts.get(place, 0) - 1
        self.cards.append(TracedCard(place, place, bool(arrived_cards), []))
        return self.cards[-1]

    def _are_interchangeable(self, place: Place, cards: Sequence[TracedCard]) -> bool:
        """Returns whether these are all cards at the place and it doesn't matter which of them leaves."""
        has_other_cards = self._untraced_counts.get(place) or any(
            card.is_guess for card in self.cards if card.origin == place
        )
        return not has_other_cards and all_equal((card.origin, *card.names) for card in cards)

    def _resolve_guesses_if_empty(self, place: Place) -> None:
        """Resolves the guesses about a place once it is empty: every card that came there has left again."""
        arrived_cards = self._arrived_by_place[place]
        if arrived_cards and self._untraced_counts.get(place, 0) + len(arrived_cards) == 0:
            guessed_cards = [card for card in self.cards if card.origin == place and card.is_guess]
            if all_equal((card.place, *card.names) for card in guessed_cards):
                for card, guessed_card in zip(arrived_cards, guessed_cards, strict=False):
                    self._replace_guessed_card(card, guessed_card)
            for card in guessed_cards:
                card.is_guess = False
            arrived_cards.clear()
            self._untraced_counts[place] = 0

    def _replace_guessed_card(self, card: TracedCard, replaced_card: TracedCard) -> None:
        """Makes `card` the one that left, instead of `replaced_card`, which was there at first."""
        card.place = replaced_card.place
        card.names += replaced_card.names
        arrived_cards = self._arrived_by_place[card.place]
        # Otherwise the place has been emptied since, and nobody knows where the card went from there.
        if replaced_card in arrived_cards:
            arrived_cards.remove(replaced_card)
            arrived_cards.append(card)
        self.cards.remove(replaced_card)


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
        """Returns the move as an instruction; `is_return`: the pieces move back to where they were."""
        text = "{things} from {source} back to {target}"
        return self._fill_in_places(text) if is_return else self.description_text

    @property
    def description_text(self) -> Say:
        """The move as a text: `2 coins from Aki to bank`."""
        text = "{things} from {source} to {target}"
        return self._fill_in_places(text)

    def _fill_in_places(self, text: str) -> Say:
        source, target = self.shown_places or (self.source, self.target)
        return say(
            text, things=self.moved_pieces_text, source=source.label_as_owner, target=target.label_as_owner
        )


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
    card_steps: Mapping[Piece, tuple[CardMovementStep, ...]] = {}

    def with_pieces_from(self, other: TableSnapshot, pieces: Collection[Piece]) -> TableSnapshot:
        """Returns this snapshot with the given pieces as they are in another one."""
        other_counts = {piece: counts for piece, counts in other.pieces.items() if piece in pieces}
        other_steps = {piece: steps for piece, steps in other.card_steps.items() if piece in pieces}
        return TableSnapshot(
            {**self.pieces, **other_counts},
            self.open_cards,
            self.hidden_counts | other.hidden_counts,
            self.slots,
            {**self.card_steps, **other_steps},
        )

    def without_card_steps_of(self, pieces: Collection[Piece]) -> TableSnapshot:
        """Returns this snapshot without the card steps of the given pieces, so that no card is traced."""
        other_steps = {piece: steps for piece, steps in self.card_steps.items() if piece not in pieces}
        return msgspec.structs.replace(self, card_steps=other_steps)

    def has_open_card(self, card_name: Say, place: Place) -> bool:
        """Returns whether a card of this name is open at the place."""
        return bool(self.open_cards.get(card_name, {}).get(place))


def take_snapshot(ledger: Ledger) -> TableSnapshot:
    """Returns a snapshot of what is on the table now."""
    counts_by_piece: dict[Piece, dict[Place, int]] = {}
    counts_by_card_name: dict[Say, dict[Place, int]] = {}
    hidden_counts = set()
    for account in ledger:
        piece, place = account.piece, account.place
        if not piece.is_marker:
            counts_by_piece.setdefault(piece, {})[place] = account.count
            if account.covered and place.seat:
                hidden_counts.add((piece, place))
        elif piece.is_card_face and account.count > 0 and not account.covered:
            count_by_place = counts_by_card_name.setdefault(piece.label, {})
            count_by_place[place] = count_by_place.get(place, 0) + account.count
    card_steps = dict.fromkeys(
        [piece for piece in counts_by_piece if piece.is_physical_card], ledger.card_movements_by_step()
    )
    return TableSnapshot(
        counts_by_piece,
        counts_by_card_name,
        frozenset(hidden_counts),
        ledger.current_slot_by_place(),
        card_steps,
    )


def diff_snapshots(now: TableSnapshot, wanted: TableSnapshot) -> list[PieceMove]:
    """Returns the moves that lead from `now` to `wanted`; each source and target comes once."""
    hidden_counts = now.hidden_counts | wanted.hidden_counts
    count_and_names_by_move: dict[tuple[Piece, Place, Place, bool], tuple[int, tuple[Say, ...]]] = {}
    for piece in {**now.pieces, **wanted.pieces}:
        for source, target, count, card_names in _find_moves_of_piece(piece, now, wanted):
            if (piece, source) not in hidden_counts and (piece, target) not in hidden_counts:
                move_key = piece, source, target, bool(card_names)
                earlier_count, earlier_names = count_and_names_by_move.get(move_key, (0, ()))
                count_and_names_by_move[move_key] = earlier_count + count, earlier_names + card_names
    slots_before, slots_after = {**wanted.slots, **now.slots}, {**now.slots, **wanted.slots}
    return [
        PieceMove(
            piece,
            source,
            target,
            count,
            card_names,
            (slots_before.get(source, source), slots_after.get(target, target)),
        )
        for (piece, source, target, _), (count, card_names) in count_and_names_by_move.items()
    ]


_MovedCards = tuple[Place, Place, int, tuple[Say, ...]]


def _find_moves_of_piece(piece: Piece, now: TableSnapshot, then: TableSnapshot) -> Iterator[_MovedCards]:
    """Yields the traced cards of a piece if they explain the difference; else moves without tracing."""
    counts_now, counts_then = now.pieces.get(piece, {}), then.pieces.get(piece, {})
    if counts_now == counts_then and piece not in now.card_steps:
        return
    surplus_by_place = {
        place: counts_now.get(place, 0) - counts_then.get(place, 0) for place in {**counts_now, **counts_then}
    }
    if piece in now.card_steps and piece in then.card_steps:
        cards = trace_cards_to_move(piece, counts_now, now.card_steps[piece], then.card_steps[piece])
        moved_counts = Counter(card.origin for card in cards)
        moved_counts.subtract(card.place for card in cards)
        if all(moved_counts[place] == count for place, count in surplus_by_place.items()):
            for card in cards:
                source, target = card.origin, card.place
                names = [
                    name
                    for name in card.names
                    if now.has_open_card(name, source) or then.has_open_card(name, target)
                ]
                yield source, target, 1, tuple(names[:1])
            return
    hidden_counts = now.hidden_counts | then.hidden_counts
    yield from _match_surplus_to_missing(
        {place: count for place, count in surplus_by_place.items() if (piece, place) not in hidden_counts}
    )


def _match_surplus_to_missing(surplus_by_place: CountsByPlace) -> Iterator[_MovedCards]:
    """Yields moves of interchangeable pieces, from places with too many to places with too few."""
    missing_by_place = {place: -count for place, count in surplus_by_place.items() if count < 0}
    for source, count in surplus_by_place.items():
        remaining = count
        for target, missing in missing_by_place.items():
            if (moved_count := min(remaining, missing)) > 0:
                remaining -= moved_count
                missing_by_place[target] -= moved_count
                yield source, target, moved_count, ()
