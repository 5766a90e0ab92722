"""The terminal on a pipe: what it shows, what may be typed, and every command."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.errors import IllegalAnswer
from companion.games.any_game.rulebook import GAME as ANY_GAME
from companion.games.bidders.rulebook import GAME as BIDDERS
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.oyakata.rulebook import GAME as OYAKATA
from companion.games.sealed_bid.rulebook import GAME as SEALED
from companion.log.log import MemoryLog
from companion.log.timeline import events_recreating_steps
from companion.monospace_text import display_width
from companion.requests import Amount, Choose, FallingPriceStep, Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import make_view, movable_holdings_by_place
from companion.table.scores import GameResult, Standing
from companion.table.table import Table
from companion.terminal import play_in_terminal
from companion.terminal.answers import parse_typed_answer, typing_hints
from companion.texts import say
from tests.any_game_presets import deck_of as template
from tests.support.games.any_game_helpers import (
    begin_with_cards_and_coins,
    begin_with_shipped_template,
    rules_card,
)
from tests.support.stall_game import FailingLog
from tests.support.terminal_sessions import (
    TAGS,
    begin_session,
    event_count,
    piped_terminal,
    play_lines,
    terminal_output,
)

DEALT = ("1", "")
AUCTION = (*DEALT, "3", "w", "w")


def egypt() -> Session:
    """Three players before Egypt's first question."""
    return begin_session(EGYPT, "Aki", "Ben", "千恵")


def test_a_turn_shows_who_is_asked_the_bids_and_what_is_allowed() -> None:
    """Before a bid stand everybody's last bids, the question with its name, and the amounts allowed."""
    text = play_lines(egypt(), *DEALT, "3", "5")
    assert text.endswith(
        "Ben bids 5 for daughter 4.\n\n"
        "  Aki 3 · Ben 5 (highest) · 千恵 –\n"
        "千恵, bid for daughter 4 or withdraw.\n"
        "  6 to 99; w = withdraw\n"
        "千恵> \n\n"
        "Saved. To continue, run: companion play egypt --resume\n"
    )


def test_where_only_declining_is_left_the_prompt_says_so() -> None:
    """At the highest bid there is no number to type; one typed all the same is refused with that sentence."""
    text = play_lines(egypt(), *DEALT, "99", "100", "w")
    asked = "Ben can't bid for daughter 4 now and must withdraw."
    assert f"{asked}\n  w = withdraw\nBen> \n! {asked}\nBen> \nBen withdraws.\n" in text


def test_the_standing_is_aligned_whatever_the_script_of_the_names() -> None:
    """Names of double width don't push the columns aside; the seat asked has a mark."""
    text = play_lines(egypt(), *AUCTION, "1 1", "w")
    rows = [line for line in text.splitlines() if "●" in line or "■" in line]
    assert rows[-2:] == [
        "> ● Aki    23     4     0/2      starts · daughter 4",
        "  ■ 千恵   25     0     0/2",
    ]


def test_what_lies_between_the_seats_is_shown_with_them() -> None:
    """The market, the bank and the box are part of every standing, not only of `state`."""
    session = begin_session(EGYPT, "Aki", "Ben", "Chie")
    shown = play_lines(session, "1", "")
    assert "market" in shown
    assert "daughter 4, 5, 6, 7, 8, 9, 10, 11, 12, 13" in shown


def test_the_table_is_shown_anew_only_when_something_else_is_asked() -> None:
    """Bids and payments that follow each other don't repeat the standing; the next auction does."""
    text = play_lines(egypt(), *AUCTION, "1 1")
    assert text.count("── Egypt · Round 1 · daughter 4 ──") == 1
    assert text.count("── Egypt · Round 1 · daughter 5 ──") == 1


def test_words_are_typed_as_they_are() -> None:
    """Enter alone writes nothing, where that means something; what is a command stands in quotation marks."""
    session = begin_with_shipped_template("auction", "Aki", "Ben").session
    text = play_lines(
        session, "auction", "あおい　つぼ", "3", "w", "auction", "", "w", "w", "auction", '"undo"', "w", "w"
    )
    hint = (
        '  at most 20 characters; put a word that is also a command in quotation marks: "undo"\n '
        " Enter = No name\n> "
    )
    assert f"What is sold?\n{hint}" in text
    assert "Aki wins あおい つぼ with 3." in text
    assert "Aki, bid for lot 2 or withdraw." in text
    assert "Aki, bid for undo or withdraw." in text
    assert len(session.steps) == 12


def test_what_would_steer_a_terminal_is_no_name() -> None:
    """What can't be seen is a mark by the time it is read, and no name has more letters than have room."""
    session = begin_with_shipped_template("auction", "Aki", "Ben").session
    text = play_lines(session, "auction", "x" * 21, "\x1b[2JVase")
    assert "! The table can write at most 20 characters." in text
    assert "bid for �[2JVase" in text
    assert "\x1b" not in text


def test_a_number_of_the_table_that_can_not_be_read_is_refused() -> None:
    """Nobody's name stands there, as nobody in particular is asked."""
    assert "! Type a number, 1 or more." in play_lines(
        begin_with_cards_and_coins(rules_card(auction="fixed")).session, "auction", "dear"
    )


def test_an_empty_line_shows_the_question_again() -> None:
    """Enter where an answer is wanted shows the table and the question again and answers nothing."""
    session = egypt()
    text = play_lines(session, "1", "", "", "")
    assert text.count("Aki, open the bidding for daughter 4.") == 3
    assert session.question_number == 3


@pytest.mark.parametrize(
    ("before", "line", "sentence"),
    [
        ((), "4", "Type a number from 1 to 3."),
        ((), "0", "Type a number from 1 to 3."),
        ((), "nobody", "Type a number from 1 to 3."),
        ((), "9" * 5000, "Type a number from 1 to 3."),
        ((), "0000000010", "Type a number from 1 to 3."),
        (("1",), "what", "Press Enter when you have done this."),
        (DEALT, "w", "Aki must bid at least 1."),
        (DEALT, "0", "Aki must bid at least 1."),
        (DEALT, "-3", "Aki must bid at least 1."),
        (DEALT, "100", "Aki can bid at most 99."),
        (DEALT, "9" * 5000, "Aki, type a number from 1 to 99. You must bid."),
        (DEALT, "3.5", "Aki, type a number from 1 to 99. You must bid."),
        ((*DEALT, "3"), "3", "Ben must bid more than 3."),
        ((*DEALT, "3"), "\x1b[2J", "Ben, type a number from 4 to 99. Type w to withdraw."),
        (AUCTION, "1 0", "These cards are worth 2; the price is 3."),
        (AUCTION, "26 26", "Aki's hand has only 25 cards, not 52."),
        (AUCTION, "5 0", "card 4: the deck has only 4, not 5."),
        (AUCTION, "3", "Type 2 numbers: cards numbered 4, other cards."),
        (AUCTION, "c", "Aki has enough cards to pay 3."),
        (AUCTION, "2x4 3 3", "Write what each number counts, such as 2x6 3xother."),
        (AUCTION, "3xother 4", "Write what each number counts, such as 2x6 3xother."),
        (AUCTION, "4.9", "This answer isn't clear. Type how many of each"),
        (AUCTION, "card 4.9", "There is no card 4.9 in this deck."),
        (AUCTION, "tag 77", "Tag 77 doesn't belong to a card yet. Pick or type the card."),
        (AUCTION, "tag 99", "Tag 99 belongs to card ruby of another game: oyakata."),
        (AUCTION, "4.1 4.1", "Card 4.1 is listed twice. Remove one of the two entries."),
        ((), "undo", "There is nothing to undo."),
        ((), "redo", "There is nothing to redo."),
        (
            DEALT,
            "amend",
            'Type "amend" and the number of an answer, such as: amend 12. Type "history" to see the numbers.',
        ),
        (
            DEALT,
            "amend 77",
            'Type "amend" and the number of an answer, such as: amend 12. Type "history" to see the numbers.',
        ),
        (
            DEALT,
            "amend ３x",
            'Type "amend" and the number of an answer, such as: amend 12. Type "history" to see the numbers.',
        ),
        (DEALT, "amend 1 5", "Type a number from 1 to 3."),
        (
            DEALT,
            "correct 2 cards",
            'Type only "correct", or a whole correction, such as: correct 2 cards from bank to Aki/hand',
        ),
        (DEALT, "correct 2 card from box to Aki/lap: x", "There is no place called Aki/lap. Places:"),
        (DEALT, "correct 2 gold from box to bank: x", "There is no piece called gold. Pieces:"),
        (DEALT, "correct 0 card from box to bank: x", "Move at least 1 piece, not 0."),
        (DEALT, "correct 99 card from box to bank: x", "box has only 10 cards, not 99."),
        (DEALT, "correct 1 card from box to bank: ", 'Type only "correct"'),
        (DEALT, "language fr", 'Type "language" and one of these: en, de, ja.'),
    ],
)
def test_wrong_input_gives_one_sentence_and_changes_nothing(
    before: tuple[str, ...], line: str, sentence: str
) -> None:
    """Whatever can't be is said in one line that begins with `!`; nothing is kept, the question stays."""
    session = egypt()
    play_lines(session, *before)
    events, question, holdings = event_count(session), session.question_number, make_view(session).holdings
    text = play_lines(session, line)
    troubles = [shown for shown in text.splitlines() if shown.startswith("! ")]
    assert len(troubles) == 1
    assert troubles[0].startswith(f"! {sentence}")
    assert (event_count(session), session.question_number, make_view(session).holdings) == (
        events,
        question,
        holdings,
    )


@pytest.mark.parametrize(
    "line",
    ["1 1", "4 other", "4 o", "1x4 1", "1 x 4 other", "1×4 1×other", "4.1 other", "card 4.1, o",
     "tag 04a1b2c3 other", "tag 04:A1:B2:C3 o", "３xother", "0 3"],
)  # fmt: skip  # a table
def test_a_payment_is_two_counts_or_words_for_cards(line: str) -> None:
    """Counts in the order shown, or cards by number, times, id or tag; they pay what is owed."""
    session = egypt()
    text = play_lines(session, *AUCTION, line)
    assert "! " not in text
    assert "── Egypt · Round 1 · daughter 5 ──" in text


def test_who_cannot_pay_says_so() -> None:
    """`c` is offered and believed as soon as the hand is too small."""
    session = egypt()
    text = play_lines(session, *DEALT, "60", "w", "w", "c")
    assert 'such as "4 other other"; c = can\'t pay' in text
    assert "Aki can't pay and is knocked out of the round." in text


def test_a_choice_is_made_by_number_key_or_name() -> None:
    """Options are numbered; a key or what the option says does as well, in any case."""
    for line in ("2", "ben"):
        assert "Who leads the first auction? Ben" in play_lines(egypt(), line)


def test_a_number_is_the_one_shown_whatever_the_keys_are() -> None:
    """Of market cards 3 and 5 the second is 2; their keys, which are numbers too, choose nothing."""
    question = Choose(None, say("Which?"), {"3": say("third"), "5": say("fifth")})
    assert parse_typed_answer(question.form, "2", "en") == "5"
    for line in ("3", "5", "0", "-1"):
        with pytest.raises(IllegalAnswer, match="Type a number from 1 to 2"):
            parse_typed_answer(question.form, line, "en")


def test_a_falling_price_stands_over_those_who_may_take_it() -> None:
    """With what it falls to; the numbers of who takes it have nothing else beside them."""
    question = Choose(
        None, say("A hat?"), {"1": say("Aki"), "pass": say("Nobody")}, falling_price=FallingPriceStep(95, 80)
    )
    assert [hint.in_language("en") for hint in typing_hints(question.form)] == [
        "95  then 80",
        "1  Aki",
        "2  Nobody",
    ]


def test_a_word_that_may_mean_two_choices_chooses_neither() -> None:
    """Whoever is called nobody isn't meant by it."""
    question = Choose(None, say("Who?"), {"1": say("nobody"), "nobody": say("Nobody: play on")})
    with pytest.raises(IllegalAnswer, match="Type a number from 1 to 2"):
        parse_typed_answer(question.form, "nobody", "en")
    assert parse_typed_answer(question.form, "nobody: play on", "en") == "nobody"


def test_one_of_a_team_stands_for_it() -> None:
    """Whoever is named in one choice alone; a name of its own, or in two, is still the whole word."""
    teams = {"1": say("Aki, Chie"), "2": say("Ben, Dai"), "3": say("Dai, Emi"), "ben": say("Nobody")}
    question = Choose(None, say("Who?"), dict(teams))
    assert [
        parse_typed_answer(question.form, line, "en") for line in ("chie", "Emi", "aki, chie", "ben")
    ] == [
        "1",
        "3",
        "1",
        "ben",
    ]
    with pytest.raises(IllegalAnswer, match="Type a number from 1 to 4"):
        parse_typed_answer(question.form, "dai", "en")


def test_oyakata_is_typed_as_people_read_it() -> None:
    """Prices by their numbers, what was dug chip by chip, and that no tile is placed; the prompt says how."""
    session = begin_session(OYAKATA, "Aki", "Ben")
    text = play_lines(
        session, "1", "3 1", "2", "3 3 3 3", "dig", "soil mud soil", "blue", "1", "0xA5", "none"
    )
    assert "Turned over: a card with red 3, blue 3, yellow 3, white 3.\n" in text
    assert 'or only the card\'s values, such as "1 2 3 4"\n' in text
    assert "Aki: 2 soil, 1 mud\n" in text
    assert '; "none" = no card\n' in text
    assert text.count("! This answer isn't clear. Type the card") == 1
    assert "Aki lays down no cards.\n" in text


def test_where_two_things_could_be_meant_neither_is() -> None:
    """With "none" and "can't" both open, no and - are refused and say so."""
    session = begin_session(OYAKATA, "Aki", "Ben")
    text = play_lines(session, "1", "3 1", "2", "3 3 3 3", "dig", "none", "blue", "2", "no", "-", "c")
    assert text.count('! Type "none", or "c" for: An accident.\n') == 2
    assert "Aki: An accident\n" in text


def test_undo_says_what_is_taken_back_and_what_to_move_by_hand() -> None:
    """Undo names the answer and the pieces; redo puts both back."""
    text = play_lines(egypt(), *AUCTION, "1 1", "undo", "redo")
    assert "Undone: Aki lays down 2 cards.\nMoved by hand: 2 cards from bank back to Aki's hand\n" in text
    assert "Redone: Aki lays down 2 cards.\n" in text


def test_an_amended_answer_is_asked_for_and_played_again() -> None:
    """`amend N` asks that question again, or takes the answer in the same line."""
    session = egypt()
    text = play_lines(session, *DEALT, "3", "amend 3", "4")
    assert "Aki, open the bidding for daughter 4.\n  1 to 99; you must bid\nNew answer: " in text
    assert "Amended: Aki bids 4 for daughter 4.\n" in text
    assert "Amended: Aki bids 5 for daughter 4.\n" in play_lines(session, "amend 3 5")


def test_an_amendment_that_breaks_something_later_is_offered_to_go_back() -> None:
    """The first later event that no longer fits is named; no leaves all as it was, yes goes back to it."""
    session = egypt()
    play_lines(session, *DEALT, "3", "4", "w")
    text = play_lines(session, "amend 3 9", "no")
    assert (
        "! “Ben bids 4 for daughter 4.” is no longer possible (answer 4). Ben must bid more than 9.\n" in text
    )
    assert "Amended" not in text
    assert "Amended: Aki bids 9 for daughter 4.\n" in play_lines(session, "amend 3 9", "yes")
    assert len(session.steps) == 3


def test_what_an_amendment_took_back_is_offered_again() -> None:
    """The line under a question says what waits, and redo puts back one, so many, or all that fits."""
    session = egypt()
    play_lines(session, *DEALT, "3", "4", "w", "w")
    text = play_lines(session, "amend 3 6", "yes")
    assert "\n  After this answer, you can redo 3 more answers.\n" in text
    assert '\n  Type "redo all" to bring back 2 more answers.\n' in play_lines(session, "8")
    text = play_lines(session, "redo 9")
    assert "Redone: 千恵 withdraws.\nRedone: Aki withdraws.\n" in text
    assert session.waiting_redo_count == 0
    assert "Redone: Aki withdraws.\n" in play_lines(session, "undo", "redo all")
    assert "  redo all" not in play_lines(session, "undo")
    assert '! Type "redo", "redo all", or "redo" and the number of answers to redo.\n' in play_lines(
        session, "redo everything"
    )
    assert "やり直しました" in play_lines(session, "やり直し 全部", language="ja")


def test_an_amendment_past_a_reveal_asks_twice() -> None:
    """Going back to what no longer fits takes a reveal back only if people say so."""
    session = begin_session(SEALED, "Aki", "Ben", start="9")
    play_lines(session, "1", "2", "again", "3", "4")
    before = len(session.steps)
    text = play_lines(session, "amend 2 finish", "yes", "no")
    assert "! Everybody has seen the answers. If you undo the reveal, everybody answers again.\n" in text
    assert "Undo the reveal?" in text
    assert len(session.steps) == before
    assert "Amended: " in play_lines(session, "amend 2 finish", "yes", "yes")
    assert len(session.steps) == 2


def test_a_correction_in_one_line() -> None:
    """`correct 2 card from box to Aki/hand: reason` moves them and shows the table."""
    session = egypt()
    assert "Corrected.\n" in play_lines(session, *DEALT, "correct 2 card from box to Aki/hand: miscounted")
    assert "Corrected: 2 cards from box to Aki's hand (miscounted)" in play_lines(session, "history")


def test_a_correction_says_why_the_question_is_another() -> None:
    """The question is asked again with what is left, and the sentence stands before it."""
    session = begin_session(BIDDERS, "Aki", "Ben", "Chie")
    for answer in ("1", True, [{"card": "W1"}], [{"card": "B1"}]):
        session.answer(session.question_number, answer)
    text = play_lines(session, "correct 10 orange worker from Aki/guild card to box: lost")
    assert "Corrected.\nThe choices have changed, so the companion asks the question again.\n" in text


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "correct 5 $ from bank to Aki"),
        ("en", "correct 5 $ from Bank to aki’s purse"),
        ("en", "correct 5 money from bank to Aki/purse"),
        ("ja", "correct 5 $ from 銀行 to Akiさんの財布"),
        ("ja", "correct 5 $ from bank to Aki"),
    ],
)
def test_a_correction_takes_the_names_that_are_shown(language: str, line: str) -> None:
    """A piece and a place are called as they are shown, in the reader's language or English, or by key."""
    decks = {"any_game": template("train", Path("/nonexistent"))}
    session = Session.begin(ANY_GAME, ["Aki", "Ben"], {}, MemoryLog(), deck_by_name=decks, seed=1)
    play_lines(session, line, language=language)
    assert session.table.ledger.find_account_by_keys("Aki/purse", "money").count == 405


def test_a_name_that_two_share_is_no_name() -> None:
    """Where two pieces are called alike only their keys tell them apart; the refusal lists these."""
    deck = template("poker", Path("/nonexistent"))
    alike = tuple(replace(one, values={**one.values, "name": "chip"}) for one in deck.designs)
    decks = {"any_game": replace(deck, designs=alike)}
    session = Session.begin(ANY_GAME, ["Aki", "Ben"], {}, MemoryLog(), deck_by_name=decks, seed=1)
    text = play_lines(session, "correct 1 chip from bank to Aki", "correct 1 red from bank to Aki")
    assert "! There is no piece called chip. Pieces: white, red, blue" in text
    assert "Corrected." in text


def test_a_correction_step_by_step() -> None:
    """`correct` alone asks what, where to, how many and why; one piece needs no number."""
    session = egypt()
    text = play_lines(session, *DEALT, "correct", "1", "2", "2", "miscounted")
    assert "What do you want to move? (press Enter to move nothing) " in text
    assert "Corrected." in text
    lying = [one for there in movable_holdings_by_place(session).values() for one in there]
    leader = next(number for number, one in enumerate(lying, 1) if one.piece.key == "leader")
    text = play_lines(session, "correct", str(leader), "1", "Ben leads")
    assert "How many?" not in text
    assert "Corrected." in text


def test_a_free_move_needs_no_reason() -> None:
    """Any Game asks for none; what never runs out is a source though nothing lies there."""
    session = begin_session(ANY_GAME, "Aki", "Ben")
    assert "Corrected." in play_lines(session, "correct 5 coin from bank to Aki/purse")
    sources = [one for there in movable_holdings_by_place(session).values() for one in there]
    bank = next(number for number, one in enumerate(sources, 1) if one.place.key == "bank")
    text = play_lines(session, "correct", str(bank), "2", "3")
    assert f"  {bank:>2}  bank: coin\n" in text
    assert "Why?" not in text
    assert [
        one.count for one in make_view(session).holdings if one.place.key_with_player_name == "Ben/purse"
    ] == [3]


def test_a_correction_asks_again() -> None:
    """`correct again` has the open question asked once more, under another number."""
    session = egypt()
    play_lines(session, *DEALT)
    n = session.question_number
    play_lines(session, "correct again 1 card from box to Aki/hand: miscounted")
    assert session.question_number == n + 1


def test_undo_takes_back_a_correction_before_an_answer() -> None:
    """`undo` after `correct again` takes the correction back, not the answer; `redo` puts it back."""
    session = egypt()
    play_lines(session, *DEALT)
    before = [*session.steps]
    play_lines(session, "correct again 1 card from box to bank: miscounted")
    corrected = events_recreating_steps(session.steps)
    text = play_lines(session, "undo")
    assert session.steps == before
    assert [line for line in text.splitlines() if "Undone" in line] == [
        "Undone: Corrected: 1 card from box to bank (miscounted)"
    ]
    text = play_lines(session, "redo")
    assert events_recreating_steps(session.steps) == corrected
    assert [line for line in text.splitlines() if "Redone" in line] == [
        "Redone: Corrected: 1 card from box to bank (miscounted)"
    ]


def test_the_table_goes_back() -> None:
    """`back N` takes that answer and all later ones back and says what to move; a number is needed."""
    session = egypt()
    play_lines(session, *AUCTION, "1 1", "2", "w", "w")
    text = play_lines(session, "back 4", "back", "back 99")
    assert "Undone: 千恵 withdraws.\n" in text
    assert "Undone: Ben withdraws.\n" in text
    assert "Moved by hand: " in text
    assert (
        '! Type "back" and the number of an answer, such as: back 12. Type "history" to see the numbers.\n'
        in text
    )
    assert "! Answer 99 can't be changed" in text
    assert session.question is not None
    assert [seat.name for seat in session.question.seats] == ["Ben"]


def test_people_come_and_go() -> None:
    """A seat gets another name; who is away is marked, and answered for where silence is an answer."""
    session = egypt()
    text = play_lines(
        session, *DEALT, "3", "rename 千恵 = Chie", "away Ben", "rename Dai", "away Emi", "here Ben"
    )
    assert "Ben has left." in text
    assert "Chie, bid for daughter 4 or withdraw." in text
    assert "has left" in next(line for line in text.splitlines() if "▲ Ben" in line and "has left" in line)
    assert "! Type the old and the new name like this: rename Aki = Dai\n" in text
    assert "! There is no player called Emi. Players: Aki, Ben, Chie.\n" in text
    assert "Ben is back." in text
    assert session.absent_seats == []


def test_an_early_end_shows_the_score_so_far() -> None:
    """Put away before its end, the game tells how it stood."""
    text = play_lines(
        begin_session(ANY_GAME, "Aki", "Ben"), "correct 5 coin from bank to Aki/purse", "put away", "yes"
    )
    assert (
        "The game ended early. The score so far:\n1. Aki: 0\n     points   0\n     (for information: "
        "coin 5)\n"
    ) in text


@pytest.mark.parametrize(
    "steps", [("",), ("99",), ("1", ""), ("1", "2", ""), ("1", "2", "x"), ("1", "2", "2", "")]
)
def test_a_correction_can_be_left_at_any_step(steps: tuple[str, ...]) -> None:
    """Enter, or what is no number of the list, moves nothing."""
    session = egypt()
    assert "! Nothing was moved.\n" in play_lines(session, *DEALT, "correct", *steps)
    assert len(session.steps) == 2


def test_the_history_lists_the_latest_events_with_their_numbers() -> None:
    """Each answer has the number to amend it by; what it led to stands below; a number limits the list."""
    session = egypt()
    assert "Nothing has happened yet.\n" in play_lines(session, "history")
    text = play_lines(session, *AUCTION, "history 1")
    assert "    5  千恵 withdraws.\n       Aki wins daughter 4 at 3.\n       To pay: Aki 3.\n" in text
    assert "    4  Ben withdraws.\n" not in text


def test_the_state_shows_all_that_lies_open() -> None:
    """After what the game's scene names, in its order, comes all else; what a place owes is left out."""
    text = play_lines(egypt(), *DEALT, "state")
    assert text.endswith(
        "    market   daughter 4, 5, 6, 7, 8, 9, 10, 11, 12, 13\n"
        "    bank     0\n"
        "    box           10 cards\n"
        "    round track   round\n"
        "Aki> \n\n"
        "Saved. To continue, run: companion play egypt --resume\n"
    )


def test_numbered_pieces_are_named_once_in_every_language() -> None:
    """The number may stand before or after the name."""
    assert "娘4, 5, 6, 7, 8, 9, 10, 11, 12, 13\n" in play_lines(egypt(), *DEALT, "state", language="ja")


def test_help_begins_with_the_rule_behind_the_question() -> None:
    """Who asks for help at a question first reads what the rules say to it, and what happens next."""
    session = begin_session(EGYPT, "Aki", "Ben", "Chie")
    assert "Choose who leads the first auction." in play_lines(session, "?")
    assert "最初の競りを始める人を選びます。" in play_lines(session, "?", language="ja")


@pytest.mark.parametrize("line", ["help", "?", "HELP"])
def test_help_lists_every_command(line: str) -> None:
    """Help is a line a command."""
    text = play_lines(egypt(), line)
    people = ["rename", "away", "here"]
    words = ["help", "undo", "redo", "history", "amend", "back", "correct", "state", *people, "language"]
    words += ["pause", "quit", "put away"]
    assert all(f"\n  {word} " in text for word in words)


def test_the_language_changes_at_once() -> None:
    """After `language ja` everything is asked again in that language."""
    session = egypt()
    assert play_lines(session, "language ja").count("Aki") == 4


def test_commands_and_answers_may_be_typed_in_the_language_of_the_table() -> None:
    """In Japanese every command has its Japanese word beside the English one; yes and withdraw too."""
    session = egypt()
    text = play_lines(session, *DEALT, "3", "手を引く", "取り消し", "ヘルプ", "片付け", "はい", language="ja")
    assert "取り消しました：" in text
    assert "  undo / 取り消し " in text
    assert session.is_put_away


def test_a_german_table_undoes_and_redoes_in_its_own_words() -> None:
    """In German, commands, their arguments and withdrawing are German words too, with their umlauts."""
    session = egypt()
    text = play_lines(
        session,
        *(*DEALT, "3", "raus", "rückgängig", "zurück 2", "wiederholen alles"),
        *("hilfe", "ändern 3", "5", "verlauf", "wegräumen", "ja"),
        language="de",
    )
    assert "Zurückgenommen: Ben steigt aus.\n" in text
    assert "Wiederholt: Aki bietet 3 für Tochter 4.\n" in text
    assert "Geändert: Aki bietet 5 für Tochter 4.\n" in text
    assert "  undo / rückgängig " in text
    assert session.is_put_away


def test_half_width_names_can_be_typed() -> None:
    """A name in half-width letters is found however the keyboard writes it."""
    session = begin_session(SEALED, "ｱｷ", "Ben")
    play_lines(session, "3", "4")
    assert "Amended: ｱｷ: 5, Ben: 4" in play_lines(session, "amend 1 ｱｷ 5")
    assert "Amended: ｱｷ: 6, Ben: 4" in play_lines(session, "amend 1 アキ 6")
    assert "Who leads the first auction? ｱｷ" in play_lines(begin_session(EGYPT, "ｱｷ", "Ben", "Chie"), "アキ")


def test_quit_leaves_the_game_as_it_is() -> None:
    """Nothing after quit is read; the game is not put away."""
    session = egypt()
    assert "Saved. To continue, run: companion play egypt --resume" in play_lines(session, "quit", "1")
    assert session.question_number == 1
    assert not session.is_put_away


def test_an_unfinished_game_is_put_away_only_after_a_yes() -> None:
    """Putting a running game away is asked once more."""
    session = egypt()
    play_lines(session, "put away", "no")
    assert not session.is_put_away
    assert "The game is put away.\n" in play_lines(session, "put away", "yes")
    assert session.is_put_away


def sealed(**options: str) -> Session:
    """Three players before a sealed bid."""
    return begin_session(SEALED, "Aki", "Ben", "Chie", **options)


def test_sealed_bids_are_asked_one_after_the_other() -> None:
    """Envelopes show the beginning of their seal; when the last is closed all are opened."""
    text = play_lines(sealed(), "3", "4", "0")
    assert "Aki's answer is sealed.\n\n  Aki: seal " in text
    assert (
        "The envelopes are open:\n  Aki: 3\n  Ben: 4 (won)\n  Chie: 0\nBen wins with 4.\nTo pay: Ben 4.\n"
        in text
    )


def test_who_won_is_marked_where_envelopes_open() -> None:
    """As the rules say, not whoever bid most; nobody where nobody wins."""
    assert "  Aki: 3\n  Ben: 4\n  Chie: 2 (won)\n" in play_lines(sealed(wins="lowest"), "3", "4", "2")
    assert "(won)" not in play_lines(sealed(), "4", "4", "2")


@pytest.mark.parametrize("line", ["-1", "1000", "x987", "98765", "", "9 8", "987.5"])
def test_a_refused_sealed_bid_is_never_repeated(line: str) -> None:
    """A refusal of a sealed bid says what is allowed and nothing of what was typed."""
    session = sealed(most="999")
    text = play_lines(session, line)
    (trouble,) = [shown for shown in text.splitlines() if shown.startswith("! ")]
    assert "98" not in trouble
    assert not session.drafts


def test_undo_past_a_reveal_is_confirmed() -> None:
    """Anything but yes leaves the opened envelopes open."""
    session = sealed()
    play_lines(session, "3", "4", "0", "undo", "no")
    assert len(session.steps) == 1
    assert "Undone: Aki: 3, Ben: 4, Chie: 0\n" in play_lines(session, "undo", "yes")
    assert not session.steps


def test_going_back_throws_closed_envelopes_away_only_after_a_yes() -> None:
    """Undo, redo and amend say how many envelopes would be lost."""
    session = sealed()
    play_lines(session, "3", "4", "0", "1", "7")
    for line in ("undo", "amend 1 Ben 5"):
        text = play_lines(session, line, "no")
        assert "1 sealed answer will be torn up.\nTear up the envelopes? (yes or no)" in text
        assert len(session.drafts) == 1
    play_lines(session, "undo", "yes", "redo")
    assert not session.drafts
    play_lines(session, "7", "undo", "yes")
    play_lines(session, "undo", "yes", "5")
    assert "Tear up the envelopes?" in play_lines(session, "redo", "no")


def test_a_sealed_answer_is_amended_by_name() -> None:
    """After the reveal one seat's answer can be changed; without a name it is asked for."""
    session = sealed()
    play_lines(session, "3", "4", "0")
    assert "Amended: Aki: 3, Ben: 5, Chie: 0\n" in play_lines(session, "amend 1 Ben 5")
    assert "Amended: Aki: 6, Ben: 5, Chie: 0\n" in play_lines(session, "amend 1", "Aki", "6")
    assert "! Type the name of a player who answered: Aki, Ben, Chie.\n" in play_lines(
        session, "amend 1 Dai 5"
    )


def test_a_sealed_answer_that_no_longer_fits_is_asked_for_again() -> None:
    """A purse corrected below a sealed bid opens no envelope; at the reveal its seat is told, and asked."""
    session = sealed(start="20")
    text = play_lines(session, "15", "correct 10 money from Aki/purse to bank: miscounted", "4", "3", "10")
    assert text.count("Only Aki must answer again: Aki has only 10 coins.") == 1
    assert "Aki wins with 10." in text


def test_the_final_score_has_its_lines_and_waits() -> None:
    """The winners, each total with its sum, then what is for information; undo works, Enter puts it away."""
    session = sealed()
    text = play_lines(session, "3", "4", "0", "2", "no", "2", "yes")
    assert text.count("Finish this game and count the score?") == 2
    assert (
        "Final score: Ben wins.\n"
        "1. Ben: 1\n     rounds won   1\n     (for information: paid 4)\n"
        "2. Aki: 0\n     rounds won   0\n     (for information: paid 0)\n"
    ) in text
    assert not session.is_put_away
    assert "Another round?" in play_lines(session, "undo")
    play_lines(session, "2", "yes", "what", "")
    assert session.is_put_away


def test_a_shared_first_place_names_all_winners() -> None:
    """Nobody has won a round: all share first place."""
    text = play_lines(sealed(), "0", "0", "0", "finish", "yes", "put away")
    assert "Final score: Aki, Ben, Chie share first place.\n" in text
    assert "The game is put away.\n" in text


def test_what_cannot_be_saved_is_not_taken() -> None:
    """A full disk is one sentence, and the question stays."""
    disk = FailingLog()
    session = Session.begin(EGYPT, ["Aki", "Ben", "Chie"], {}, disk, tags=TAGS.get)
    disk.is_full = True
    why = "[Errno 28] No space left on device"
    assert f"! This could not be saved, so it doesn't count: {why}\n" in play_lines(session, "1")
    assert session.question_number == 1


def test_rules_that_crash_are_one_sentence() -> None:
    """An answer on which a rulebook fails doesn't count; the same question is asked."""

    async def rules(table: Table) -> GameResult:
        await Choose(None, say("Crash?"), {"yes": say("Yes"), "no": say("No")})
        raise ZeroDivisionError

    session = begin_session(Game("fragile", 1, say("Fragile"), (2, 5), rules), "Aki", "Ben")
    text = play_lines(session, "1")
    assert (
        "! The rules of Fragile crashed here. The answer doesn't count. Undo or correct something, "
        "then go on.\n" in text
    )
    assert session.question_number == 1


def test_a_grave_0_is_asked_about() -> None:
    """Where 0 is grave its sentence is said first; whoever doesn't say yes is asked again."""

    async def rules(table: Table) -> GameResult:
        aki, ben = table.seats
        part = Amount(aki, say("Strength"), zero_confirmation=say("With 0 you are out."))
        armed = await Together(say("Arming"), {aki: part, ben: Amount(ben, say("Strength"))})
        alone = await part
        return GameResult((Standing(aki, 1, armed[aki] + alone), Standing(ben, 2, armed[ben])))

    session = begin_session(Game("grave", 1, say("Grave"), (2, 5), rules), "Aki", "Ben")
    text = play_lines(session, "0", "no", "3", "0", "0", "yes")
    assert text.count("With 0 you are out. (yes or no)") == 2
    assert "1. Aki: 3\n2. Ben: 0\n" in text


def test_sealed_answers_on_which_the_rules_crash_can_be_given_anew() -> None:
    """All envelopes are closed and still can't be opened: the first seat is asked once more."""

    async def rules(table: Table) -> GameResult:
        aki, ben = table.seats
        bids = await Together(say("Bids"), {seat: Amount(seat, say("Bid"), step=2) for seat in (aki, ben)})
        return GameResult((Standing(aki, 1, 10 // bids[aki]), Standing(ben, 1, 0, is_eliminated=True)))

    session = begin_session(Game("fragile", 1, say("Fragile"), (2, 5), rules), "Aki", "Ben")
    text = play_lines(session, "0", "2", "3", "2")
    assert "  0 or more, in steps of 2\n" in text
    assert "! The rules of Fragile crashed here" in text
    assert "! Aki must answer 0 or more, in steps of 2.\n" in text
    assert "Final score: Aki wins.\n1. Aki: 5\n1. Ben: eliminated (0)\n" in text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("q", "quit"), ("exit", "quit"), (":q", "quit"), ("stats", "state"), ("list", "history"), ("h", "help")],
)
def test_other_words_for_a_command_are_understood(typed: str, meant: str) -> None:
    """Where they are no answer."""
    said = play_lines(begin_session(EGYPT, "Aki", "Ben", "Chie"), "1", typed)
    assert said == play_lines(begin_session(EGYPT, "Aki", "Ben", "Chie"), "1", meant)


@pytest.mark.parametrize(("typed", "word"), [("histroy", "history"), ("undoo", "undo"), ("statte", "state")])
def test_a_misspelled_command_is_answered_with_what_was_meant(typed: str, word: str) -> None:
    """Beside what may be answered."""
    said = play_lines(begin_session(EGYPT, "Aki", "Ben", "Chie"), typed)
    assert f"! Type a number from 1 to 3. Or did you mean {word}?" in said


def test_nothing_is_guessed_of_what_is_sealed() -> None:
    """Of what was typed into an envelope no letter is told; to leave is still possible."""
    said = play_lines(begin_session(SEALED, "Aki", "Ben"), "histroy", "q")
    assert "did you mean" not in said
    assert "Saved. To continue, run:" in said


@pytest.mark.parametrize("columns", [40, 60])
def test_no_line_of_a_game_is_wider_than_the_terminal(columns: int) -> None:
    """Prompts, help, hints and the table."""
    there = piped_terminal("help", "1", "history", "state", "histroy", environ={"COLUMNS": str(columns)})
    assert play_in_terminal(begin_session(EGYPT, "Aki", "Ben", "Chie"), there) == 0
    assert [line for line in terminal_output(there).splitlines() if display_width(line) > columns] == []


def test_the_input_may_begin_with_a_byte_order_mark() -> None:
    """As Windows begins texts."""
    said = play_lines(begin_session(EGYPT, "Aki", "Ben", "Chie"), "\ufeff1")
    assert said == play_lines(begin_session(EGYPT, "Aki", "Ben", "Chie"), "1")
