"""A reference implementation of Egypt, written from the rules alone, as pure functions on a frozen state.

It finds errors by disagreeing with the real game: with the same answers, both must ask the same questions,
refuse the same answers and end with the same standings. It knows no screen and no ledger, and its reasons for
refusing are for the reader of a failing test. Seats are numbered 1…players clockwise; a tuple by seat has
seat 1 first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CHIPS = tuple(range(4, 14))
NAMES = {f"{number}.{copy}": number for number in CHIPS for copy in range(1, number + 1)}
CARDS_DEALT = {3: 25, 4: 21, 5: 17}
HIGHEST_BID = 99
POINTS_TO_WIN = 2
CARDS_A_POINT = 3
PAY_RULES = ("own_bid", "winning_bid")

T = TypeVar("T")


class Question(NamedTuple):
    """A question: its kind, the seat asked (None: the table), its subject, and its options."""

    kind: str
    seat: int | None
    subject: int | str
    options: tuple[str, ...] = ()


TABLE_QUESTION_BY_PHASE = {
    "deal": Question("Done", None, "deal"),
    "end round": Question("Choose", None, "end round", ("end_round", "play_on")),
}


class Card(NamedTuple):
    """A card in a payment; number None means typed as "another card", name None means typed, not read."""

    number: int | None
    name: str | None = None


class PartlyTakenBack(NamedTuple):
    """Cards of one number of which some were taken back without saying which.

    `names` are the cards that were read, `back` is the number taken back, `paid` the number paid.
    """

    number: int
    names: tuple[str, ...]
    back: int
    paid: int


class RoundScore(NamedTuple):
    """One seat's score of a round: the sum of its chips, points for cards, and the total that counts."""

    chips: int = 0
    cards: int = 0
    total: int = 0


class Standing(NamedTuple):
    """A seat's place in the match; lines are points, then the last round's score."""

    seat: int
    rank: int
    total: int
    lines: tuple[int, int, int, int]


@dataclass(frozen=True)
class State:
    """The complete state between two answers, made of tuples, numbers and words only."""

    players: int
    pay_rule: str
    points: tuple[int, ...]
    last: tuple[RoundScore, ...]
    hands: tuple[int, ...]
    won: tuple[tuple[int, ...], ...]
    bids: tuple[int, ...]
    phase: str = "first leader"
    leader: int = 0
    opener: int = 0
    last_buyer: int = 0
    bank: int = 0
    aside: int = len(NAMES)
    market: tuple[int, ...] = CHIPS
    gone: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    end_offered: bool = False
    turn: tuple[int, ...] = ()
    due: tuple[int, ...] = ()
    broke: tuple[int, ...] = ()
    payment: tuple[Card, ...] = ()
    typed: int = 0
    read: tuple[str, ...] = ()
    mixed: tuple[PartlyTakenBack, ...] = ()


def begin(players: int, options: Mapping[str, str] | None = None) -> State:
    """Returns the state before the first question; raises ValueError for unknown players or options."""
    chosen = {"pay_rule": "own_bid", **(options or {})}
    if players not in CARDS_DEALT or set(chosen) != {"pay_rule"} or chosen["pay_rule"] not in PAY_RULES:
        message = f"no Egypt for {players} players with {chosen}"
        raise ValueError(message)
    none = (0,) * players
    return State(
        players=players,
        pay_rule=chosen["pay_rule"],
        points=none,
        last=(RoundScore(),) * players,
        hands=none,
        won=((),) * players,
        bids=none,
    )


def open_question(state: State) -> Question | None:
    """Returns the open question; None when the match is over."""
    match state.phase:
        case "first leader":
            seats = tuple(str(seat) for seat in range(1, state.players + 1))
            return Question("Choose", None, "first leader", seats)
        case "raise":
            return Question("Raise", state.turn[0], state.market[0])
        case "pay":
            return Question("Read", state.due[0], state.market[0])
        case "overpaid":
            return Question("Choose", state.due[0], "overpaid", ("take_back", "leave"))
    return TABLE_QUESTION_BY_PHASE.get(state.phase)


def refusal_reason(state: State, answer: object) -> str | None:
    """Returns why the open question refuses this answer, or None if the answer is legal."""
    question = open_question(state)
    if question is None:
        return "the match is over"
    match question.kind:
        case "Choose":
            return None if answer in question.options else f"not one of {question.options}"
        case "Raise":
            return _bid_refusal(state, answer)
        case "Read":
            return _payment_refusal(state, answer)
    return None if answer is True else "only done or not yet done"


def apply_answer(state: State, answer: object) -> State:
    """The state after this answer; ValueError with the reason when it is refused."""
    reason = refusal_reason(state, answer)
    if reason is not None:
        raise ValueError(reason)
    match state.phase:
        case "first leader":
            return replace(state, phase="deal", leader=int(str(answer)))
        case "deal":
            return _deal(state)
        case "raise":
            return _bid(state, answer)
        case "pay":
            return _enter_payment(state, answer)
        case "overpaid":
            return _take_back(state) if answer == "take_back" else _hand_over(state)
    return _score_round(state) if answer == "end_round" else _open(replace(state, end_offered=True))


def standings(state: State) -> tuple[Standing, ...]:
    """Returns the seats, best first, ranked like 1, 2, 2, 4; the lines have the last finished round."""
    rows = (
        Standing(seat, 1 + sum(other > points for other in state.points), points, (points, *last))
        for seat, points, last in zip(_seats_from(state, 1), state.points, state.last, strict=True)
    )
    return tuple(sorted(rows, key=lambda row: (row.rank, row.seat)))


def owed(state: State) -> int:
    """Returns what the seat that is asked to pay owes."""
    return max(state.bids) if state.pay_rule == "winning_bid" else state.bids[state.due[0] - 1]


def copies_left(state: State) -> int:
    """Returns how many cards of the chip's number can still turn up in this auction's payments."""
    chip = state.market[0]
    mixed = sum(each.paid for each in state.mixed if each.number == chip)
    return chip - state.typed - mixed - sum(NAMES[name] == chip for name in state.read)


def _seats_from(state: State, seat: int) -> tuple[int, ...]:
    return tuple((seat - 1 + step) % state.players + 1 for step in range(state.players))


def _bidders(state: State, first: int) -> tuple[int, ...]:
    """Returns the seats that can take part in an auction, clockwise from `first`."""
    seats = _seats_from(state, first)
    return tuple(seat for seat in seats if state.hands[seat - 1] and seat not in state.out)


def _with_value(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[: seat - 1], value, *values[seat:])


def _deal(state: State) -> State:
    """Gathers all cards and chips, deals, and opens the first auction."""
    each = CARDS_DEALT[state.players]
    return _open(
        replace(
            state,
            opener=state.leader,
            hands=(each,) * state.players,
            aside=len(NAMES) - each * state.players,
            bank=0,
            market=CHIPS,
            won=((),) * state.players,
            gone=(),
            out=(),
            last_buyer=0,
            end_offered=False,
            read=(),
            mixed=(),
        )
    )


def _open(state: State) -> State:
    none = (0,) * state.players
    turn = _bidders(state, state.leader)
    return replace(state, phase="raise", turn=turn, bids=none, broke=(), typed=0)


def _bid_refusal(state: State, answer: object) -> str | None:
    current = max(state.bids)
    if answer is None:
        return None if current else "the leader must open"
    if type(answer) is not int:
        return "a bid is a whole amount"
    if not current < answer <= HIGHEST_BID:
        return f"a bid is above {current} and at most {HIGHEST_BID}"
    return None


def _bid(state: State, answer: object) -> State:
    """Bids or withdraws; when one bidder is left, everybody who bid has to pay."""
    seat, *others = state.turn
    if isinstance(answer, int):
        state = replace(state, bids=_with_value(state.bids, seat, answer))
        others.append(seat)
    state = replace(state, turn=tuple(others))
    if len(others) > 1:
        return state
    due = tuple(seat for seat in _seats_from(state, state.leader) if state.bids[seat - 1])
    return replace(state, phase="pay", due=due)


def _card(chip: int, entry: object) -> Card | None:
    if entry == {"values": {}}:
        return Card(None)
    if entry == {"values": {"number": chip}}:
        return Card(chip)
    match entry:
        case {"card": str(name), **rest} if name in NAMES and not rest:
            return Card(NAMES[name], name)
    return None


def _cards(state: State, answer: object) -> tuple[Card, ...]:
    """Returns the cards of a payment; raises ValueError if one of them is not a card of this game."""
    laid = [_card(state.market[0], entry) for entry in answer] if isinstance(answer, list) else []
    cards = tuple(card for card in laid if card is not None)
    if not isinstance(answer, list) or len(cards) < len(laid):
        message = "not a list of cards of this game"
        raise ValueError(message)
    return cards


def _worth(state: State, *cards: Card) -> int:
    return sum(2 if card.number == state.market[0] else 1 for card in cards)


def _payment_refusal(state: State, answer: object) -> str | None:
    hand = state.hands[state.due[0] - 1]
    if answer is None:
        return None if hand < owed(state) else "the hand has as many cards as are owed"
    try:
        cards = _cards(state, answer)
    except ValueError as error:
        return str(error)
    if len(cards) > hand:
        return f"only {hand} cards in the hand"
    names = Counter(card.name for card in cards if card.name is not None)
    if any(count > 1 or name in state.read for name, count in names.items()) or any(
        len(names.keys() & set(each.names)) > each.back for each in state.mixed
    ):
        return "a card is paid once a round"
    own = [card for card in cards if card.number == state.market[0]]
    if any(card.name is None for card in own) and len(own) > copies_left(state):
        return f"only {copies_left(state)} cards of this number are left"
    return None if _worth(state, *cards) >= owed(state) else f"{owed(state)} is owed"


def _enter_payment(state: State, answer: object) -> State:
    if answer is None:
        return _next_due(replace(state, broke=(*state.broke, state.due[0])))
    return _check_overpayment(replace(state, payment=_cards(state, answer)))


def _surplus(state: State) -> list[Card]:
    """Returns the cards to take back: low before high worth, known before unknown, the last laid first."""
    over, spare = _worth(state, *state.payment) - owed(state), []
    latest_last = sorted(state.payment, key=lambda card: (-_worth(state, card), card.number is not None))
    for card in reversed(latest_last):
        if _worth(state, card) <= over:
            spare.append(card)
            over -= _worth(state, card)
    return spare


def _check_overpayment(state: State) -> State:
    """Warns if fewer cards would pay the bid; otherwise hands the payment over."""
    return replace(state, phase="overpaid") if _surplus(state) else _hand_over(state)


def _take_back(state: State) -> State:
    """Keeps the surplus in the hand; for equal cards nobody says which ones stay."""
    spare, cards = Counter(card.number for card in _surplus(state)), list(state.payment)
    mixed = []
    for number, back in spare.items():
        alike = [card for card in cards if card.number == number]
        cards = [card for card in cards if card.number != number]
        names = tuple(card.name for card in alike if card.name)
        if number is None or not names or back == len(alike):
            cards += [Card(number)] * (len(alike) - back)
        else:
            mixed.append(PartlyTakenBack(number, names, back, len(alike) - back))
            state = _record_cards_out_of_hand(state, *names)
    return _hand_over(replace(state, payment=tuple(cards)), mixed)


def _hand_over(state: State, mixed: Sequence[PartlyTakenBack] = ()) -> State:
    """Moves the final payment from the hand to the bank."""
    seat, cards = state.due[0], state.payment
    laid = len(cards) + sum(each.paid for each in mixed)
    typed = sum(card.number == state.market[0] and card.name is None for card in cards)
    state = replace(
        state,
        hands=_with_value(state.hands, seat, state.hands[seat - 1] - laid),
        bank=state.bank + laid,
        typed=state.typed + typed,
        mixed=(*state.mixed, *mixed),
        payment=(),
    )
    for card in cards:
        state = state if card.name is None else _record_read_card(state, card.name)
    return _next_due(state)


def _record_read_card(state: State, name: str) -> State:
    """Records that a card that was read is in the bank."""
    return _record_cards_out_of_hand(replace(state, read=(*state.read, name)), name)


def _record_cards_out_of_hand(state: State, *names: str) -> State:
    """Records cards that came out of a hand; once all taken back came out, the others are in the bank."""
    groups = []
    for each in state.mixed:
        left = tuple(name for name in each.names if name not in names)
        came = len(each.names) - len(left)
        if came < each.back:
            groups.append(each._replace(names=left, back=each.back - came))
        else:
            typed = each.paid - len(left) if each.number == state.market[0] else 0
            state = replace(state, read=(*state.read, *left), typed=state.typed + typed)
    return replace(state, mixed=tuple(groups))


def _next_due(state: State) -> State:
    state = replace(state, due=state.due[1:])
    return replace(state, phase="pay") if state.due else _end_auction(state)


def _end_auction(state: State) -> State:
    """Applies knock-outs after all payments, and sells or removes the chip."""
    for seat in state.broke:
        bank = state.bank + state.hands[seat - 1]
        state = replace(state, bank=bank, hands=_with_value(state.hands, seat, 0))
    winner, chip = state.turn[0], state.market[0]
    state = replace(state, out=(*state.out, *state.broke), market=state.market[1:])
    if winner in state.broke:
        state = replace(state, gone=(*state.gone, chip))
    else:
        won = _with_value(state.won, winner, (*state.won[winner - 1], chip))
        state = replace(state, won=won, last_buyer=winner)
    return _continue_round(state, winner)


def _continue_round(state: State, winner: int) -> State:
    """Opens the next auction, offers to end the round, or scores it."""
    able = _bidders(state, winner)
    if not state.market or not able:
        return _score_round(state)
    state = replace(state, leader=able[0])
    if len(state.out) == state.players - 1 and not state.end_offered:
        return replace(state, phase="end round")
    return _open(state)


def _score_round(state: State) -> State:
    """Computes the round's totals, gives its point, and decides who leads the next round."""
    last = tuple(_round_score(state, seat) for seat in _seats_from(state, 1))
    still_in = [seat for seat in _seats_from(state, 1) if seat not in state.out]
    best = max((last[seat - 1].total for seat in still_in), default=0)
    highest = [seat for seat in still_in if last[seat - 1].total == best]
    state = replace(state, last=last, phase="deal", leader=state.last_buyer or state.opener)
    if len(highest) != 1:
        return state
    (seat,) = highest
    points = _with_value(state.points, seat, state.points[seat - 1] + 1)
    phase = "over" if points[seat - 1] == POINTS_TO_WIN else "deal"
    return replace(state, points=points, leader=seat, phase=phase)


def _round_score(state: State, seat: int) -> RoundScore:
    chips, cards = sum(state.won[seat - 1]), state.hands[seat - 1] // CARDS_A_POINT
    return RoundScore(chips, cards, 0 if seat in state.out else chips + cards)
