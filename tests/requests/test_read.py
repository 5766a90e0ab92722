"""Cards: laid on a reader, picked, or typed."""

from random import Random
from typing import Any

import pytest

from companion.cards import Card, shipped_deck
from companion.errors import IllegalAnswer
from companion.requests import CardRate, CardsField, PriceInCards, Read
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.seats import make_seats
from companion.texts import render, say

AKI, BEN = make_seats(["Aki", "Ben"])
PAY = say("Payment")
CARD = Piece("card", say("card"))
OTHER: dict[str, dict[str, int]] = {"values": {}}
SIX = {"values": {"number": 6}}


class Hand:
    """Aki's hand of so many cards, and Egypt's faces."""

    def __init__(self, count: int, *, covered: bool = False) -> None:
        self.ledger = Ledger()
        self.hand: Account = self.ledger.supply_from_box(
            self.ledger.open_account(Place(say("hand"), AKI), CARD, covered=covered), count
        )
        self.faces = KnownCardTracker(
            shipped_deck("egypt"), self.ledger, lambda uid: None, Place(say("bank"))
        )

    def pays(self, owed: int | None = None, least: int = 1, **more: Any) -> Read:
        """Aki is asked for cards; a card numbered 6 counts 2, another 1."""
        rates = (CardRate(say("cards numbered 6"), 2, {"number": 6}), CardRate(say("other cards"), 1))
        worth = None if owed is None else PriceInCards(owed, rates)
        return Read(AKI, PAY, self.faces, least, self.hand, worth, **more)


def refusal(question: Read, given: object) -> str:
    """Why an answer is refused."""
    with pytest.raises(IllegalAnswer) as refused:
        question.check_answer(question.parse_answer(given))
    return str(refused.value)


def test_what_is_asked() -> None:
    """A seat is asked, or the table; never for how much."""
    assert Hand(5).pays(3).log_key == Hand(2).pays(9).log_key == "Read @1: Payment"
    assert Hand(5).pays().seats == (AKI,)
    assert Read(None, PAY, Hand(0).faces, 1, 1).seats == ()
    assert render(Hand(5).pays().text) == "Payment"


@pytest.mark.parametrize("given", ["6", 6, {"card": "6.1"}, True])
def test_cards_come_in_a_list(given: object) -> None:
    """An answer is a list of cards or null."""
    assert "Answer with a list of cards" in refusal(Hand(5).pays(), given)


def test_a_payment() -> None:
    """Named and typed cards pay together; the log keeps a tag as the card it stands for."""
    question = Hand(5).pays(5)
    answer = question.parse_answer([SIX, {"card": "6.1"}, OTHER])
    question.check_answer(answer)
    assert question.answer_to_json(answer) == [SIX, {"card": "6.1"}, OTHER]
    assert question.answer_to_json(None) is None
    assert render(question.describe_answer(answer)) == "Aki lays down 3 cards."


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([OTHER] * 4, "Aki's hand has only 3 cards, not 4."),
        ([], "At least 1 card is needed."),
        ([OTHER, OTHER], "These cards are worth 2; the price is 3."),
        ([{"card": "6.1"}, {"card": "6.1"}], "Card 6.1 is listed twice. Remove one of the two entries."),
        (None, "Aki has enough cards to pay 3."),
    ],
)
def test_a_payment_that_is_refused(given: object, why: str) -> None:
    """Too many, too few, too little, one card twice, or nothing from a hand that could pay."""
    assert refusal(Hand(3).pays(3, decline=say("can't pay")), given) == why


@pytest.mark.parametrize(("held", "believed"), [(2, True), (3, False), (4, False)])
def test_who_can_not_pay_is_believed(held: int, believed: bool) -> None:
    """Who can't pay is believed only where the cheapest cards could never reach the price."""
    question = Hand(held).pays(3, decline=say("can't pay"))
    assert question.may_decline is question.limits_json["cant"] is believed
    if believed:
        question.check_answer(question.parse_answer(None))
    assert render(question.describe_answer(None)) == "Aki: can't pay"


def test_where_declining_is_no_answer() -> None:
    """Without a "can't" null is refused; without a price it is always believed."""
    assert refusal(Hand(3).pays(), None) == "You must lay down cards."
    assert refusal(Hand(0).pays(3), None) == "You must lay down cards."
    assert Hand(3).pays(decline=say("none")).may_decline
    table = Read(None, PAY, Hand(0).faces, 1, 9, PriceInCards(3, (CardRate(say("all"), 1),)), say("can't"))
    assert refusal(table, None) == "The table has enough cards to pay 3."
    assert render(Read(None, PAY, Hand(0).faces, 1, 9).describe_answer(None)) == "The table: none"


def test_the_limits_say_what_is_owed() -> None:
    """How many cards, the price, and what each kind of card counts."""
    assert Hand(3).pays(3).limits_json == {
        "least": 1,
        "most": 3,
        "cant": False,
        "owed": 3,
        "worth": [
            {"label": "cards numbered 6", "values": {"number": 6}, "each": 2},
            {"label": "other cards", "values": {}, "each": 1},
        ],
    }


def test_a_card_no_rate_fits_counts_nothing() -> None:
    """Only cards with a rate pay."""
    only_sixes = PriceInCards(2, (CardRate(say("cards numbered 6"), 2, {"number": 6}),))
    assert only_sixes.value_of(Card(None, None, {})) == 0


def test_the_first_rate_that_fits_counts() -> None:
    """The screen counts beside each rate the cards that go by it; of some there is none."""
    sixes, reds = (
        CardRate(say("cards numbered 6"), 2, {"number": 6}),
        CardRate(say("red cards"), 1, {"red": 1}),
    )
    worth = PriceInCards(2, (sixes, reds))
    shown: list[dict[str, int | float | str]] = [{"number": 6, "red": 1}, {"red": 1}, {"number": 7}]
    assert [worth.first_matching_rate(Card(None, None, values)) for values in shown] == [sixes, reds, None]


def test_what_was_seen_is_never_told() -> None:
    """Whatever hand and faces are covered: the limits are the same, and so is every refusal."""
    refusals: dict[str, set[str]] = {}
    for count, shown in ((2, "6.1"), (3, "6.2"), (9, "7.1")):
        table = Hand(count, covered=True)
        table.faces.move_faces([table.faces.parse_card({"card": shown})])
        question = table.pays(5, decline=say("can't pay"))
        assert question.limits_json["most"] is None
        assert question.limits_json["cant"] is True
        for given in ([{"card": "6.1"}], [{"card": "6.1"}, {"card": "6.2"}, OTHER], [SIX] * 6, [OTHER] * 9):
            try:
                question.check_answer(question.parse_answer(given))
            except IllegalAnswer as refused:
                refusals.setdefault(str(given), set()).add(str(refused))
    assert all(len(texts) == 1 for texts in refusals.values())
    assert (
        'These cards are worth 2; the price is 5. Or answer "can\'t pay".' in refusals[str([{"card": "6.1"}])]
    )
    assert {"Some of these cards can't be in that place any more."} in refusals.values()


def test_samples_pay_or_can_not() -> None:
    """Samples are named or typed cards that cover the price, or null where a hand can't."""
    question = Hand(9).pays(6, decline=say("can't pay"))
    kinds = set()
    for seed in range(50):
        answer = question.random_legal_answer(Random(seed))
        question.check_answer(answer)
        kinds |= {card.id is None for card in answer or ()}
    assert kinds == {True, False}
    assert Hand(2).pays(6, decline=say("can't pay")).random_legal_answer(Random(1)) is None


def test_samples_without_a_price() -> None:
    """Without a price samples lay down any number of cards in the limits, and at times can't."""
    question = Hand(3).pays(least=0, decline=say("none fits"))
    samples = [question.random_legal_answer(Random(seed)) for seed in range(100)]
    assert {None if cards is None else len(cards) for cards in samples} == {None, 0, 1, 2, 3}
    assert Hand(0).pays(least=0).random_legal_answer(Random(1)) == ()


def test_samples_take_as_many_as_there_are() -> None:
    """Where fewer cards are left than were wanted, a sample lays those down, unless more are needed."""
    table = Hand(99)
    table.faces.move_faces(
        [table.faces.parse_card({"card": name}) for name in table.faces.possibly_unseen_card_ids()[1:]]
    )
    shown = {"number": 4}
    assert (
        max(
            len(table.pays(least=0, required_values=shown).random_legal_answer(Random(seed)) or ())
            for seed in range(20)
        )
        == 1
    )
    assert table.pays(least=2, required_values=shown).random_legal_answer(Random(1)) is None


def test_samples_avoid_what_was_seen() -> None:
    """When all sixes were seen, no sample lays one down."""
    table = Hand(9)
    table.faces.move_faces([table.faces.parse_card({"card": f"6.{copy}"}) for copy in range(1, 7)])
    for seed in range(50):
        assert all(card.design != "6" for card in table.pays(5).random_legal_answer(Random(seed)) or ())


@pytest.mark.parametrize(
    ("owed", "cards", "only"),
    [
        (1, 5, {"1": 0, "2": 1}),
        (2, 5, None),
        (2, 1, {"1": 1, "2": 0}),
        (6, 3, {"1": 3, "2": 0}),
        (7, 3, None),
    ],
)
def test_the_only_cards_that_pay_exactly(owed: int, cards: int, only: dict[str, int] | None) -> None:
    """A form knows them if no others pay exactly what is owed, with as many cards as everybody may count."""
    field = Hand(cards).pays(owed).form.single_field
    assert isinstance(field, CardsField)
    assert field.only_exact_payment == only


def test_the_only_cards_depend_on_no_hidden_hand() -> None:
    """Whether a covered hand is small leaves the form as it is."""
    fields = [Hand(cards, covered=True).pays(2).form.single_field for cards in (1, 9)]
    assert [field.only_exact_payment for field in fields if isinstance(field, CardsField)] == [None, None]
