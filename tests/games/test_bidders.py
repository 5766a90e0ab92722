"""Bidders! sentence by sentence: its phases, its rulings, its questions and answers, its refusals."""

import pytest

from companion.errors import StaleAnswer, UserError
from companion.games.bidders.rulebook import GAME
from companion.requests import Amount, Choose, Read, Together
from companion.rules.scene_views import CardSpreadView
from companion.scenes import evaluate_scene
from companion.session.view import make_view
from companion.testing import Script
from tests.support.games.bidders_helpers import (
    NAMES,
    begin_bidding,
    begin_script,
    count_at,
    dollar_counts,
    guild_worker_counts,
    pass_until_sold,
    play_round,
    round_number,
    start_player,
    turn_up_cards,
    type_card,
    worker_counts,
)
from tests.support.games.script_helpers import asked_players, question_heading

# The worked example


def example() -> Script:
    """Four players, A begins; a black card with start 6 and crew 3."""
    return type_card(type_card(begin_script(4), popularity=4), start=6, crew=3, popularity=-3)


def under(script: Script) -> tuple[int, int]:
    """The dollars under black and under white."""
    return count_at(script, "black project", "dollar"), count_at(script, "white project", "dollar")


AUCTION = (
    *("Aki: white", "Aki 2", "Ben: black", "Ben 2", "Chie: white", "Chie 4", "Dai: black", "Dai 1"),
    *("Aki: pass", "Ben: white", "Ben 5", "Chie: pass", "Aki: pass"),
)


def test_the_worked_example() -> None:
    """A 2 on white, B black for $2, C 4 on white, D black for $1, B 5 on white: each outbid takes back."""
    script = example()
    assert under(script) == (6, 0)
    assert under(script.says(*AUCTION[:4])) == (4, 2)
    assert guild_worker_counts(script) == [7, 6, 9, 9]
    assert guild_worker_counts(script.says(*AUCTION[4:6])) == [9, 6, 5, 9]
    assert under(script.says(*AUCTION[6:8])) == (3, 3)
    assert guild_worker_counts(script) == [9, 9, 5, 6]
    assert guild_worker_counts(script.says(*AUCTION[8:11])) == [9, 4, 9, 6]
    script.says(*AUCTION[11:12])
    assert script.last_notes == ["Dai has the black bid marker and passes."]
    script.says(*AUCTION[12:])
    assert script.last_notes == [
        "Ben wins the white card and takes $3.",
        "Dai wins the black card and takes $3.",
    ]
    assert dollar_counts(script) == [0, 3, 0, 3]


def test_the_end_of_the_worked_example() -> None:
    """B's neighbours C and A tie at 2: C gets the share, the card lies between B and C, and C starts next."""
    script = example().says(*AUCTION)
    assert script.question_log_key == "Together Aki Chie: Round 1: cooperation"
    script.says("Chie 2", "Aki 2")
    assert script.last_notes == [
        "Tie at 2: Chie sits to the left of Ben and wins the cooperation.",
        "Chie cooperates with Ben.",
        "The white card is now face down between Ben and Chie.",
        "Chie is the next start player.",
    ]
    assert worker_counts(script, "Ben/left edge") == [0, 5, 2, 0]
    assert worker_counts(script, "Dai/front") == [0, 0, 0, 3]
    assert guild_worker_counts(script) == [9, 4, 7, 6]
    assert asked_players(turn_up_cards(script)) == "Chie"


# Parts and preparation


@pytest.mark.parametrize(("players", "each"), [(3, 10), (4, 9), (5, 8)])
def test_how_many_workers(players: int, each: int) -> None:
    """3 players have 10 workers each, 4 have 9, 5 have 8."""
    script = Script(GAME, *NAMES[:players]).says("table: Ben")
    assert script.question_log_key == (
        f"Done: Shuffle the cards by colour, put 2 of each back unseen; all take {each} workers."
    )
    assert guild_worker_counts(script) == [each] * players


@pytest.mark.parametrize("players", [2, 6])
def test_how_many_play(players: int) -> None:
    """Three to five play."""
    with pytest.raises(UserError, match=f"Bidders! is for 3 to 5 players, not {players}."):
        Script(GAME, *(*NAMES, "Fumi")[:players])


def test_two_cards_of_each_colour_go_back_unseen() -> None:
    """Of 12 white and 12 black cards 2 each go back to the box unseen."""
    script = begin_script()
    for colour in ("white", "black"):
        assert (script["deck", f"{colour} card"], script["box", f"{colour} card"]) == (10, 2)


def test_what_everybody_has_at_the_start() -> None:
    """Q&A: nobody has money when the game begins."""
    assert dollar_counts(begin_script(5)) == [0] * 5


def test_the_table_chooses_the_first_start_player() -> None:
    """Any way of choosing the start player will do; that seat bids first."""
    script = Script(GAME, *NAMES[:4])
    assert script.question_log_key == "Choose: Who is the start player?"
    script.says("table: Chie", "table: done")
    assert start_player(script) == "Chie"
    assert asked_players(turn_up_cards(script)) == "Chie"


# Turning cards up


@pytest.mark.parametrize("line", ["table: lays card:W1", "table: lays tag:04b1", "table: lays W1"])
def test_a_card_is_picked_scanned_or_typed(line: str) -> None:
    """One card of each colour lies face up, whichever way it was read."""
    script = begin_script().says(line)
    assert (script["white project", "white card"], script["deck", "white card"]) == (1, 9)
    assert script.question_log_key == "Read: Round 1: turn up the black card"


def test_a_card_that_is_not_in_the_list() -> None:
    """Owners whose copy prints other numbers type those; they count like any other."""
    script = type_card(type_card(begin_script(), popularity=11), start=15, crew=8, popularity=-9)
    assert count_at(script, "black project", "dollar") == 15
    script.says("Aki: black", "Aki 1")
    assert guild_worker_counts(script) == [1, 9, 9, 9]


def test_the_bank_puts_the_start_under_the_black_card() -> None:
    """The bank puts the printed start under the black card; nothing lies under the white one."""
    script = begin_bidding()
    assert count_at(script, "black project", "dollar") == 6
    assert count_at(script, "white project", "dollar") == 0


def test_the_round_and_its_cards_are_told() -> None:
    """The heading names the round; what is printed on the cards lies face up in the middle."""
    script = begin_script()
    assert question_heading(script) == "Round 1 of 10"
    turn_up_cards(script)
    assert question_heading(script) == "Round 1 of 10"
    middle = evaluate_scene(make_view(script.session), script.session.scene).middle_parts
    cards = [part.open_cards[0] for part in middle if isinstance(part, CardSpreadView)]
    assert [face.big and face.big.value for face in cards] == [3, -2]
    assert [[one.value for one in face.corners] for face in cards] == [[], [6, 2]]
    pass_until_sold(script)
    assert question_heading(script) == "Round 2 of 10"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("table: lays card:B1", "card B1 doesn't show colour white."),
        ("table: lays B1", "card B1 doesn't show colour white."),
        ("table: lays card:W1 card:W2", "Only 1 card may be laid down here, not 2."),
        ("table: lays nothing", "At least 1 card is needed."),
        ("table: lays card:W99", "There is no card W99 in this deck."),
        ("table: lays tag:99", "Tag 99 belongs to card 4.1 of another game: egypt."),
        ("table can't", "You must lay down cards."),
        ("table: lays other", "popularity is missing. Allowed: a number from 1 to 20."),
    ],
)
def test_cards_that_are_refused(line: str, why: str) -> None:
    """A card of the wrong colour, no card or two, or a card nobody knows changes nothing."""
    assert begin_script().refuses(line) == why


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"start": 5, "popularity": -4}, "crew is missing. Allowed: a number from 1 to 8."),
        ({"start": 4, "crew": 9, "popularity": -1}, "crew must be a number from 1 to 8, not 9."),
        ({"start": 0, "crew": 1, "popularity": -1}, "start must be a number from 1 to 20, not 0."),
        ({"start": 4, "crew": 1, "popularity": 0}, "popularity must be a number from -20 to -1, not 0."),
        (
            {"cost": 4},
            "This kind of card has no value called cost. Choose from: colour, popularity, start, crew.",
        ),
    ],
)
def test_what_is_typed_must_be_possible(values: dict[str, int], why: str) -> None:
    """A typed card is complete and within what can be printed."""
    script = begin_script().says("table: lays card:W1")
    with pytest.raises(UserError) as refused:
        type_card(script, **values)
    assert str(refused.value) == why
    assert script.question_log_key == "Read: Round 1: turn up the black card"


def test_a_white_card_that_is_typed_is_popular() -> None:
    """A white card's popularity is 1 or more, also where it is typed."""
    script = begin_script()
    with pytest.raises(UserError, match=r"^popularity must be a number from 1 to 20, not 0\.$"):
        type_card(script, popularity=0)
    assert script.question_log_key == "Read: Round 1: turn up the white card"


def test_a_card_that_was_won_can_not_be_turned_up_again() -> None:
    """A card already turned up this game is refused; where it lies face down is not said."""
    script = play_round(begin_bidding(), white=("Aki", 1))
    assert script.refuses("table: lays card:W1") == "card W1 has already been turned over."


def test_a_card_like_one_already_turned_up_is_typed() -> None:
    """While the list is a guess an owner's copy may have more cards with the same numbers than the list."""
    script = type_card(begin_script(), popularity=3).says("table: lays card:B4")
    type_card(pass_until_sold(script), popularity=3)
    assert script.question_log_key == "Read: Round 2: turn up the black card"


def test_a_card_in_the_box_can_not_be_turned_up_again() -> None:
    """A card that nobody wanted lies in the box for all to see."""
    script = pass_until_sold(begin_bidding())
    assert script.refuses("table: lays card:W1") == "card W1 is already at another place: box."


# The simultaneous auction


def test_bidding_goes_clockwise_from_the_start_player() -> None:
    """From the start player clockwise, each in turn, round and round."""
    script, order = begin_bidding(3, "Ben"), []
    for line in ("white", "1", "pass", "white", "2", "white", "3", "white", "4", "pass", "pass"):
        order.append(asked_players(script))
        script.says(f"{order[-1]}: {line}")
    assert order == ["Ben", "Ben", "Chie", "Aki", "Aki", "Ben", "Ben", "Chie", "Chie", "Aki", "Ben"]
    assert script.last_notes[0] == "Chie wins the white card and takes $0."


def test_only_who_is_asked_answers() -> None:
    """A turn is one seat's, and a second press of the same answer is refused."""
    script = begin_bidding()
    assert [seat.name for seat in script.question.seats] == ["Aki"]
    n = script.question_number
    script.says("Aki: pass")
    with pytest.raises(
        StaleAnswer, match=rf"^Question {n} has been answered. Question {n + 1}\ is open now.$"
    ):
        script.session.answer(n, "white")
    assert asked_players(script) == "Ben"


def test_a_bid_on_white_takes_workers_from_the_guild_card_and_the_marker() -> None:
    """A bid on white places workers of one's own and takes the white marker."""
    script = begin_bidding().says("Aki: white", "Aki 3")
    assert guild_worker_counts(script) == [6, 9, 9, 9]
    assert worker_counts(script, "white project") == [3, 0, 0, 0]
    assert script["Aki/guild card", "white marker"] == 1


def test_who_is_outbid_on_white_takes_the_workers_back() -> None:
    """A higher bid sends the outbid workers home and takes the marker over."""
    script = begin_bidding().says("Aki: white", "Aki 3", "Ben: white", "Ben 4")
    assert guild_worker_counts(script) == [9, 5, 9, 9]
    assert worker_counts(script, "white project") == [0, 4, 0, 0]
    assert (script["Aki/guild card", "white marker"], script["Ben/guild card", "white marker"]) == (0, 1)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Ben 3", "Ben must answer at least 4."),
        ("Ben 2", "Ben must answer at least 4."),
        ("Ben 0", "Ben must answer at least 4."),
        ("Ben -1", "Ben must answer at least 4."),
        ("Ben 10", "Ben's guild card has only 9 of Ben's workers."),
        ("Ben many", "Ben must answer with a whole number."),
    ],
)
def test_a_bid_on_white_is_higher_and_can_be_placed(line: str, why: str) -> None:
    """A bid on white is above the workers there now, and no more than one has on the guild card."""
    assert begin_bidding().says("Aki: white", "Aki 3", "Ben: white").refuses(line) == why


def test_a_first_bid_on_white_is_at_least_one_worker() -> None:
    """The first bid on white places at least one worker."""
    assert begin_bidding().says("Aki: white").refuses("Aki 0") == "Aki must answer at least 1."


def test_what_can_be_bid_is_shown() -> None:
    """The limits of a bid are the workers now on the card and those on the own guild card."""
    script = begin_bidding().says("Aki: white", "Aki 3", "Ben: white")
    assert script.open_question_limits == {"least": 4, "most": 9, "step": 1}
    assert script.question_log_key == "Amount Ben: Round 1: your workers on the white card"


def test_the_first_bid_on_black_moves_money_too() -> None:
    """Ruling: whoever bids on black moves $1 or more to white, the first bidder too."""
    script = begin_bidding().says("Aki: black")
    assert script.open_question_limits == {"least": 1, "most": 6, "step": 1}
    assert script.refuses("Aki 0") == "Aki must answer at least 1."
    script.says("Aki 2")
    assert (count_at(script, "black project", "dollar"), count_at(script, "white project", "dollar")) == (
        4,
        2,
    )


def test_a_bid_on_black_places_exactly_the_crew() -> None:
    """The workers for black are never asked for: they are as many as the card says."""
    script = begin_bidding().says("Aki: black", "Aki 1")
    assert guild_worker_counts(script) == [7, 9, 9, 9]
    assert worker_counts(script, "black project") == [2, 0, 0, 0]
    assert script["Aki/guild card", "black marker"] == 1
    assert asked_players(script) == "Ben"


def test_who_is_outbid_on_black_takes_the_workers_back() -> None:
    """The next bid on black sends the crew home and moves money again."""
    script = begin_bidding().says("Aki: black", "Aki 1", "Ben: black", "Ben 2")
    assert guild_worker_counts(script) == [9, 7, 9, 9]
    assert (count_at(script, "black project", "dollar"), count_at(script, "white project", "dollar")) == (
        3,
        3,
    )
    assert (script["Aki/guild card", "black marker"], script["Ben/guild card", "black marker"]) == (0, 1)


def test_no_more_dollars_move_than_lie_there() -> None:
    """More dollars than lie under black can't be moved."""
    script = begin_bidding().says("Aki: black", "Aki 4", "Ben: black")
    assert script.refuses("Ben 3") == "black project has only $2."


def test_with_nothing_left_under_black_nobody_bids_there() -> None:
    """Ruling: with $0 left under black nobody can bid on it any more."""
    script = begin_bidding().says("Aki: black", "Aki 6")
    assert script.refuses("Ben: black") == "There are no dollars left under the black card."
    assert script.open_question_limits["options"] == {
        "white": "white card · 1 worker or more",
        "pass": "pass",
    }
    assert script.open_question_limits["cant"] == {"black": "There are no dollars left under the black card."}


def test_who_has_fewer_workers_than_the_crew_can_not_bid_on_black() -> None:
    """A bid on black needs the crew on the guild card."""
    script = begin_bidding().says("correct 8 orange worker from Aki/guild card to box: lent")
    script.says("Aki: pass", "Ben: pass", "Chie: pass", "Dai: white", "Dai 1")
    assert script.open_question_limits["options"] == {"pass": "pass"}
    assert script.open_question_limits["cant"]["black"] == "Not enough workers."


def test_somebody_without_a_legal_bid_is_asked_to_pass() -> None:
    """Ruling: who can't bid is asked all the same, with pass as the only option."""
    script = begin_bidding().says("correct 9 sky worker from Ben/guild card to box: lent", "Aki: pass")
    assert asked_players(script) == "Ben"
    assert script.refuses("Ben: white") == "Not enough workers."
    assert script.open_question_limits["options"] == {"pass": "pass"}
    assert asked_players(script.says("Ben: pass")) == "Chie"


def test_a_pass_is_not_final() -> None:
    """Who has passed may bid when it is their turn again."""
    script = begin_bidding(3).says("Aki: pass", "Ben: white", "Ben 1", "Chie: pass", "Aki: white", "Aki 2")
    assert script["Aki/guild card", "white marker"] == 1
    assert asked_players(script) == "Ben"


@pytest.mark.parametrize(
    ("colour", "told"),
    [
        ("white", "Aki has the white bid marker and passes."),
        ("black", "Aki has the black bid marker and passes."),
    ],
)
def test_the_holder_of_a_marker_is_passed_for(colour: str, told: str) -> None:
    """Ruling: the holder of either marker can only pass; nobody asks, and all are told."""
    script = begin_bidding(3).says(f"Aki: {colour}", "Aki 1", "Ben: pass")
    other = "black" if colour == "white" else "white"
    script.says(f"Chie: {other}", "Chie 1")
    assert script.last_notes[1:] == [told]
    assert asked_players(script) == "Ben"


def test_the_auction_ends_when_all_others_have_passed_since_the_last_bid() -> None:
    """It ends when everybody but the last bidder has passed in a row; forced passes count."""
    script = begin_bidding(3).says("Aki: white", "Aki 1", "Ben: black", "Ben 1", "Chie: pass")
    assert isinstance(script.question, Together)
    assert script.last_notes[0] == "Aki has the white bid marker and passes."
    assert script.last_notes[1] == "Aki wins the white card and takes $1."


def test_the_last_bidder_is_not_asked_again() -> None:
    """Nobody raises an own bid: once all others have passed it is over."""
    script = begin_bidding(4).says("Aki: pass", "Ben: white", "Ben 1", "Chie: pass", "Dai: pass", "Aki: pass")
    assert script.last_notes[0] == "Ben wins the white card and takes $0."


def test_the_auction_ends_when_everybody_passes() -> None:
    """Without any bid it ends when everybody has passed once."""
    script = pass_until_sold(begin_bidding(5))
    assert [line for line in script.history_texts if line.endswith(" passes.")] == [
        f"{name} passes." for name in NAMES
    ]
    assert round_number(script) == 2


# Chips


def test_the_winners_take_what_lies_under_their_cards() -> None:
    """The white winner takes the dollars under white, the black winner those under black."""
    script = play_round(begin_bidding(), white=("Aki", 2), black=("Ben", 2))
    assert dollar_counts(script) == [2, 4, 0, 0]
    assert count_at(script, "white project", "dollar") == count_at(script, "black project", "dollar") == 0


def test_money_is_public() -> None:
    """Q&A: everybody may know how much everybody has; the screen shows it."""
    script = play_round(begin_bidding(), white=("Aki", 2), black=("Ben", 2))
    shown = {
        holding.place.key_with_player_name: holding.count
        for holding in make_view(script.session).holdings
        if holding.piece.key == "dollar" and holding.place.seat
    }
    assert shown == {"Aki/chips": 2, "Ben/chips": 4}


# The cooperative auction


def sharing(players: int = 4, winner: str = "Ben", *lines: str) -> Script:
    """Ben has won white with 1 worker; his neighbours are asked."""
    return pass_until_sold(begin_bidding(players, winner).says(f"{winner}: white", f"{winner} 1", *lines))


def test_only_the_neighbours_of_the_white_winner_bid() -> None:
    """The left and the right neighbour are asked together, in secret."""
    script = sharing(5)
    assert script.question_log_key == "Together Aki Chie: Round 1: cooperation"
    for name in ("Ben", "Dai", "Emi"):
        seat = script.session.table.seats.find_seat(name)
        with pytest.raises(
            UserError, match=f"^{name} isn't asked now. Sealed answers must come from: Chie, Aki.$"
        ):
            script.session.put_answer_in_envelope(script.question_number, seat, 1)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki 10", "Aki's guild card has only 9 of Aki's workers."),
        ("Aki -1", "Aki must answer at least 0."),
        ("Chie 10", "Chie's guild card has only 9 of Chie's workers."),
    ],
)
def test_nobody_cooperates_with_more_workers_than_there_are(line: str, why: str) -> None:
    """A bid is 0 to all workers on the guild card."""
    assert sharing().refuses(line) == why


@pytest.mark.parametrize(
    ("bids", "partner", "place", "following"),
    [
        (("Chie 3", "Aki 2"), "Chie", "Ben/left edge", "Chie"),
        (("Chie 2", "Aki 3"), "Aki", "Aki/left edge", "Ben"),
        (("Chie 2", "Aki 2"), "Chie", "Ben/left edge", "Chie"),
        (("Chie 0", "Aki 1"), "Aki", "Aki/left edge", "Ben"),
        (("Chie 9", "Aki 9"), "Chie", "Ben/left edge", "Chie"),
    ],
)
def test_who_cooperates(bids: tuple[str, str], partner: str, place: str, following: str) -> None:
    """More workers win, a tie above 0 the left neighbour; the first clockwise of the card starts next."""
    script = sharing().says(*bids)
    made = dict(line.split() for line in bids)
    tie_note = "Tie at {}: Chie sits to the left of Ben and wins the cooperation."
    tie_notes = [tie_note.format(made["Chie"])] if made["Chie"] == made["Aki"] else []
    assert script.last_notes[: len(tie_notes) + 1] == [*tie_notes, f"{partner} cooperates with Ben."]
    placed = {"Ben": 1, partner: int(made[partner])}
    assert worker_counts(script, place) == [placed.get(name, 0) for name in NAMES[:4]]
    assert guild_worker_counts(script) == [9 - placed.get(name, 0) for name in NAMES[:4]]
    assert start_player(script) == following


def test_the_winner_of_black_may_cooperate() -> None:
    """Q&A: having won black is no hindrance; what is left on the guild card can be bid."""
    script = begin_bidding(3).says("Aki: black", "Aki 1", "Ben: white", "Ben 1", "Chie: pass")
    assert script.question_log_key == "Together Aki Chie: Round 1: cooperation"
    assert script.refuses("Aki 9") == "Aki's guild card has only 8 of Aki's workers."
    script.says("Aki 8", "Chie 0")
    assert worker_counts(script, "Aki/left edge") == [8, 1, 0]


def test_a_neighbour_without_workers_is_not_asked() -> None:
    """Ruling: who has no workers bids 0 without being asked."""
    script = begin_bidding(3).says("correct 10 green worker from Chie/guild card to box: lent")
    script.says("Aki: pass", "Ben: white", "Ben 1", "Chie: pass", "Aki: pass")
    assert script.question_log_key == "Together Aki: Round 1: cooperation"
    script.says("Aki 1")
    assert script.last_notes[0] == "Aki cooperates with Ben."


def test_where_neither_neighbour_has_workers_nobody_is_asked() -> None:
    """Two neighbours without workers are two bids of 0."""
    script = begin_bidding(3).says(
        "correct 10 green worker from Chie/guild card to box: lent",
        "correct 10 orange worker from Aki/guild card to box: lent",
    )
    script.says("Aki: pass", "Ben: white", "Ben 1", "Chie: pass", "Aki: pass")
    assert "Nobody cooperates with Ben." in script.last_notes
    assert round_number(script) == 2


def test_bids_for_the_cooperation_come_sealed() -> None:
    """A bid can be replaced until both are in; then they are revealed together."""
    script = sharing().says("Chie 5", "Chie 1")
    assert script.history_texts[-1] == "Aki passes."
    script.says("Aki 2")
    assert script.history_texts[-1] == "Chie: 1, Aki: 2"
    assert script.last_notes[0] == "Aki cooperates with Ben."


# Nobody bids


def test_nobody_bids_on_white() -> None:
    """Nobody bids: white's dollars go to the bank, the card to the box; black is settled, no cooperation."""
    script = play_round(begin_bidding(4, "Dai"), black=("Aki", 2))
    assert dollar_counts(script) == [4, 0, 0, 0]
    assert (script["box", "white card"], count_at(script, "bank", "dollar")) == (3, -4)
    assert worker_counts(script, "Aki/front") == [2, 0, 0, 0]
    assert script.last_notes == [
        "Nobody bids on the white card. The card goes to the box and its $2 to the bank.",
        "Aki wins the black card and takes $4.",
        "Aki is the next start player.",
    ]
    assert start_player(script) == "Aki"
    assert script["Aki/front", "black card"] == 1


def test_after_an_unwanted_white_card_the_left_neighbour_starts() -> None:
    """Nobody bids on white: the start player's left neighbour is the next start player."""
    script = pass_until_sold(begin_bidding(4, "Dai"))
    assert script.last_notes == [
        "Nobody bids on the white card. The card goes to the box and its $0 to the bank.",
        "Nobody bids on the black card. The card goes to the box and its $6 to the bank.",
        "Aki is the next start player.",
    ]
    assert start_player(script) == "Aki"


def test_nobody_bids_on_black() -> None:
    """Nobody bids: black's dollars go back to the bank and the card to the box; white is settled."""
    script = play_round(begin_bidding(), white=("Chie", 1))
    assert count_at(script, "bank", "dollar") == 0
    assert (script["box", "black card"], script["Chie/front", "white card"]) == (3, 1)


def test_recovery_comes_also_when_nobody_bid_on_white() -> None:
    """Nobody bids on white: recovery happens all the same."""
    script = play_round(begin_bidding(), black=("Aki", 1))
    assert guild_worker_counts(script) == [7, 9, 9, 9]
    play_round(script)
    assert guild_worker_counts(script) == [8, 9, 9, 9]


def test_nobody_cooperates() -> None:
    """0 : 0 is no bid: the card lies in front of its winner, who is also the next start player."""
    script = sharing().says("Chie 0", "Aki 0")
    assert script.last_notes == [
        "Nobody cooperates with Ben.",
        "The white card is now face down in front of Ben.",
        "Ben is the next start player.",
    ]
    assert worker_counts(script, "Ben/front") == [0, 1, 0, 0]
    assert start_player(script) == "Ben"


# Recovery


def test_there_is_no_recovery_in_the_first_round() -> None:
    """Workers come back from the second round on."""
    script = play_round(begin_bidding(), white=("Aki", 3), black=("Ben", 1), share={"Ben": 2})
    assert guild_worker_counts(script) == [6, 5, 9, 9]


def test_what_was_bid_in_this_round_is_not_recovered() -> None:
    """Workers bid in a round don't come back in it."""
    script = play_round(begin_bidding(), white=("Aki", 3))
    play_round(script, white=("Ben", 4))
    assert guild_worker_counts(script) == [7, 5, 9, 9]
    assert worker_counts(script, "Ben/front") == [0, 4, 0, 0]


def test_one_worker_comes_back_from_each_of_three_places() -> None:
    """Left edge, front, right edge: one own worker from each, if there is one; at an edge to both."""
    script = play_round(begin_bidding(), white=("Ben", 4), share={"Chie": 3})
    play_round(script, white=("Ben", 3), share={"Aki": 2})
    play_round(script, black=("Ben", 1))
    assert guild_worker_counts(script) == [8, 4, 8, 9]
    assert worker_counts(script, "Ben/left edge") == [0, 2, 1, 0]
    assert worker_counts(script, "Aki/left edge") == [1, 2, 0, 0]
    assert worker_counts(script, "Ben/front") == [0, 1, 0, 0]
    play_round(script)
    assert script.last_notes[2] == "One worker goes back from each place: Aki 1, Ben 3, Chie 1."
    assert guild_worker_counts(script) == [9, 7, 9, 9]
    assert worker_counts(script, "Ben/left edge") == [0, 1, 0, 0]
    assert worker_counts(script, "Aki/left edge") == [0, 1, 0, 0]
    assert worker_counts(script, "Ben/front") == [0, 0, 0, 0]


def test_recovery_is_a_worker_from_each_place_not_from_each_card() -> None:
    """Ruling: several cards in one place are one stack, white ones without cooperation among black ones."""
    script = play_round(begin_bidding(), white=("Aki", 2), black=("Dai", 1))
    play_round(script, black=("Aki", 1))
    assert worker_counts(script, "Aki/front") == [2, 0, 0, 0]
    assert (script["Aki/front", "white card"], script["Aki/front", "black card"]) == (1, 1)
    play_round(script)
    assert worker_counts(script, "Aki/front") == [1, 0, 0, 0]


# The end of a round


def test_markers_go_back_for_the_next_round() -> None:
    """Both markers lie beside their decks again when a round is over."""
    script = play_round(begin_bidding(), white=("Aki", 1), black=("Ben", 1))
    assert (script["white project", "white marker"], script["black project", "black marker"]) == (1, 1)


def test_ten_rounds_are_played() -> None:
    """After ten rounds no card is left, and the game is over."""
    script = begin_script()
    for _ in range(10):
        assert script.session.question is not None
        play_round(script)
    assert script.session.result is not None
    assert (script["deck", "white card"], script["deck", "black card"]) == (0, 0)


def test_won_cards_lie_face_down() -> None:
    """Q&A: nobody may look at won cards, not even their owners; only their backs are seen."""
    script = play_round(begin_bidding(), white=("Aki", 1), black=("Ben", 1), share={"Ben": 1})
    for eyes in (None, *script.session.table.seats):
        seen = make_view(script.session, eyes)
        cards = [
            (each.place.key_with_player_name, each.piece.key)
            for each in seen.holdings
            if "card " in each.piece.key
        ]
        assert cards == []
    assert count_at(script, "Aki/left edge", "white card") == 1
    assert count_at(script, "Ben/front", "black card") == 1


def test_the_history_names_no_card() -> None:
    """Who looks at what was answered learns that a card was turned up, not which."""
    script = play_round(begin_bidding(), white=("Aki", 1))
    assert script.history_texts[2:4] == ["1 card is laid down."] * 2
    assert not any("W1" in line or "popularity" in line for line in script.history_texts)


# What can be put right by hand


def test_a_marker_that_was_moved_by_hand_counts() -> None:
    """The marker says whose bid stands, so a correction during a question counts."""
    script = begin_bidding(3).says("Aki: white", "Aki 1")
    script.says("correct 1 white marker from Aki/guild card to Ben/guild card: misheard")
    script.says("correct 1 orange worker from white project to Aki/guild card: misheard")
    script.says("correct 1 sky worker from Ben/guild card to white project: misheard")
    script.says("Ben: pass", "Chie: pass", "Chie 0", "Aki 0")
    assert worker_counts(script, "Ben/front") == [0, 1, 0]


def test_a_start_player_marker_that_was_moved_by_hand_counts() -> None:
    """Whoever has the marker when the cards are turned up begins, and it passes on from there."""
    script = begin_script().says("correct 1 start player from Aki/guild card to Chie/guild card: misheard")
    turn_up_cards(script)
    assert asked_players(script) == "Chie"
    script.says("correct 1 start player from Chie/guild card to Dai/guild card: misheard")
    assert start_player(pass_until_sold(script)) == "Aki"


def test_where_nobody_has_the_start_player_marker_the_table_is_asked() -> None:
    """Ruling: without a marker the table chooses the start player again."""
    script = begin_script().says("correct 1 start player from Aki/guild card to box: lost")
    turn_up_cards(script)
    assert script.question_log_key == "Choose: Who is the start player?"
    script.says("table: Dai")
    assert asked_players(script) == "Dai"
    script.says("correct 1 start player from Dai/guild card to box: lost")
    pass_until_sold(script)
    assert (
        script.last_notes[-1]
        == "Nobody bids on the black card. The card goes to the box and its $6 to the bank."
    )
    turn_up_cards(script, "W2", "B2")
    assert script.question_log_key == "Choose: Who is the start player?"


def test_workers_put_right_by_hand_count_at_once() -> None:
    """The most of an open bid are the workers on the guild card at that moment."""
    script = begin_bidding().says(
        "Aki: white", "correct 2 orange worker from Aki/guild card to box: miscounted"
    )
    assert script.open_question_limits["most"] == 7
    assert script.refuses("Aki 8") == "Aki's guild card has only 7 of Aki's workers."


def test_where_a_correction_leaves_no_bid_that_is_taken_back() -> None:
    """Who chose to bid and then has too few workers is asked again, and can't choose that any more."""
    script = begin_bidding().says("Aki: white", "Aki 3", "Ben: white")
    script.says("correct 7 sky worker from Ben/guild card to box: miscounted")
    assert script.question_log_key == "Choose Ben: Round 1: bid on a card, or pass"
    assert "white" not in script.open_question_limits["options"]
    assert asked_players(script.says("Ben: pass")) == "Chie"


def test_dollars_put_right_by_hand_count_at_once() -> None:
    """The most of an open move are the dollars under black at that moment."""
    script = begin_bidding().says("Aki: black", "correct 3 dollar from bank to black project: miscounted")
    assert script.open_question_limits["most"] == 9


@pytest.mark.parametrize("place", ["Ben/front", "Ben/left edge"])
def test_workers_can_be_put_where_none_have_lain_yet(place: str) -> None:
    """Where cards are won to is known from the beginning, so that whatever lies there can be put right."""
    script = begin_bidding().says(f"correct 2 sky worker from Ben/guild card to {place}: left there")
    assert count_at(script, place, "sky worker") == 2


def test_workers_without_a_marker_go_home() -> None:
    """Where people took the marker away nobody has bid, and the workers go back."""
    script = begin_bidding(3).says("Aki: white", "Aki 4")
    script.says("correct 1 white marker from Aki/guild card to white project: taken back")
    pass_until_sold(script)
    assert guild_worker_counts(script) == [10, 10, 10]
    assert script["box", "white card"] == 3


def test_workers_that_came_back_and_are_gone_can_not_be_bid() -> None:
    """Who is outbid and has the workers corrected away is refused what would need them."""
    script = begin_bidding(3).says("Aki: white", "Aki 4", "Ben: pass", "Chie: white", "Chie 5")
    script.says("correct 10 orange worker from Aki/guild card to box: lost")
    for card in ("white", "black"):
        assert script.refuses(f"Aki: {card}") == "Not enough workers."
    assert asked_players(script.says("Aki: pass")) == "Ben"


def test_a_card_that_is_taken_away_stops_nobody() -> None:
    """The card turned up first may be taken away by hand: the other is turned up, and the round goes on."""
    script = begin_script().says("table: lays card:W1")
    script.says("correct 1 card W1 from white project to box: lost")
    assert asked_players(script.says("table: lays card:B4")) == "Aki"


def test_without_cards_in_a_deck_the_game_ends() -> None:
    """Where people took the last cards of a colour away by hand, there are no more rounds."""
    script = begin_bidding().says("correct 9 black card from deck to box: lost")
    assert pass_until_sold(script).session.result is not None


def test_undo_says_what_to_move_back() -> None:
    """Undo names workers, money and markers to move by hand, and no face."""
    script = begin_bidding().says("Aki: black", "Aki 2", "undo")
    assert sorted(script.moves_by_hand) == [
        "$2 from white project back to black project",
        "2 of Aki's workers from black project back to Aki's guild card",
        "black bid marker from Aki's guild card back to black project",
    ]


def test_an_amended_bid_keeps_what_came_later() -> None:
    """What is asked is the same whatever was bid before, so a misheard bid can be put right later."""
    script = begin_bidding().says("Aki: white")
    event = script.question_number
    script.says("Aki 1", "Ben: white", "Ben 4", "Chie: pass")
    script.says(f"amend {event}: Aki 3")
    assert asked_players(script) == "Dai"
    assert guild_worker_counts(script) == [9, 5, 9, 9]


def test_the_kinds_of_questions() -> None:
    """A turn is a choice, a bid a number, a card turned up a reading."""
    script = begin_script()
    assert isinstance(script.question, Read)
    assert isinstance(turn_up_cards(script).question, Choose)
    assert isinstance(script.says("Aki: white").question, Amount)


# What people moved by hand


def test_without_its_card_nobody_can_bid_on_a_project() -> None:
    """Once people took the black card away, the next player is offered white alone, and the rules go on."""
    script = example()
    session = script.session
    session.answer(session.question_number, "white")
    session.correct("black project", "@2/front", "black card", 1, "it was in the way")
    if isinstance(session.question, Choose):
        session.answer(session.question_number, "white")
    session.answer(session.question_number, 1)
    assert isinstance(session.question, Choose)
    assert list(session.question.offered_options) == ["white", "pass"]


def test_a_card_of_the_other_colour_is_not_the_projects() -> None:
    """A white card that somebody laid at the black project changes neither its crew nor who can bid."""
    script = example()
    session = script.session
    session.correct("unseen", "black project", "card W12", 1, "miscounted")
    session.answer(session.question_number, "black")
    session.answer(session.question_number, 2)
    assert sum(worker_counts(script, "black project")) == 3
