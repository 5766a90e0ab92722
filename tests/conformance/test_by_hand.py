"""The moves by hand that people are told turn one table into the other, in every game, back and forth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from companion.errors import ReplayConflict, UserError
from companion.record.record import movements_by_step
from companion.requests import Done
from companion.rules.game import Game
from companion.session.run import RulebookRun, replay_steps
from companion.session.session import Session, find_no_card
from companion.table.ledger import PURSE, Piece, Place
from companion.table.moves import take_snapshot
from companion.testing.random_game import RandomGame, answer_randomly
from companion.texts import Say, render, say
from tests.conformance.registry import GAMES
from tests.conformance.single_cards import MoveSentence, TransferRecorder, apply_sentences
from tests.support.soak import SOAK

GATHER_SENTENCE = "Gather all the cards and shuffle them again."
LENGTHS = (15, 60, 150)
CHANGES_PER_GAME = 60 if SOAK else 20
GAMES_PER_LENGTH = 30 if SOAK else 1


class TableState:
    """The public positions of all pieces, except pieces of which some are in a covered purse."""

    def __init__(self, run: RulebookRun, recorder: TransferRecorder) -> None:
        ledger = run.table.ledger
        self.tracker = recorder.track_cards(ledger)
        self.pieces = [one for one in ledger.pieces if not one.is_marker]
        marks = {one.piece for one in ledger if one.piece.is_marker}
        hidden = {one.piece for one in ledger if one.covered and one.place.seat}
        self.shuffles = {one.question_number: one for one in run.answered_questions if one.shuffled_pieces}
        self.current_slot_by_place = ledger.current_slot_by_place()
        self.count_by_spot: Counter[tuple[Piece, Place]] = Counter()
        self.count_by_card_spot: Counter[tuple[Say, Place]] = Counter()
        for one in ledger:
            if one.piece not in marks | hidden:
                self.count_by_spot[one.piece, one.place] += one.count
            if one.piece.is_card_face and not one.covered and one.count > 0:
                self.count_by_card_spot[one.piece.label, one.place] += one.count

    def resolve_place(self, piece: Piece, called: Place) -> Place:
        """Returns the place that people call `called` now; a row that closes up gets new slot numbers."""
        spots = [
            at
            for at, number in self.current_slot_by_place.items()
            if number == called and self.count_by_spot[piece, at]
        ]
        return spots[0] if called.name in {at.name for at in self.current_slot_by_place} else called

    def are_all_cards_known(self, place: Place) -> bool:
        """Whether all players know every card at a place, and all cards have the same back."""
        backs = [
            count
            for (piece, at), count in self.count_by_spot.items()
            if at == place and piece.is_physical_card and count
        ]
        return len(backs) < 2 and sum(backs) == sum(
            n for (_, at), n in self.count_by_card_spot.items() if at == place
        )


def parse_move(pieces: Iterable[Piece], text: Say) -> MoveSentence:
    """Returns piece, places, count and card names of a sentence about one of these pieces."""
    values = dict(text.args)
    things, cards = values["things"], list[Say]()
    if "cards" in (named := dict(things.args)):
        things, rest = named["things"], named["cards"]
        while isinstance(rest, Say) and rest.template == "{one}, {other}":
            both = dict(rest.args)
            rest, cards = both["one"], [both["other"], *cards]
        cards = [rest, *cards]
    named = dict(things.args)
    count = named.get("n") or named.get("count") or 1
    (piece,) = [one for one in pieces if one.quantity_text(count) == things]
    return piece, place_of_holder(values["source"]), place_of_holder(values["target"]), count, tuple(cards)


def place_of_holder(holder: Place | Say) -> Place:
    """Returns the place; the name of a seat stands for its purse."""
    return holder if isinstance(holder, Place) else Place(PURSE, dict(holder.args)["seat"])


class HistoryChange:
    """A change from one state to another, and the sentences that told people what to move."""

    def __init__(self, before: TableState, after: TableState, session: Session, sentences: list[Say]) -> None:
        self.before, self.after, self.session = before, after, session
        self.gather_sentences = [text for text in sentences if render(text) == GATHER_SENTENCE]
        again = [one for n, one in self.after.shuffles.items() if n not in before.shuffles]
        self.instructions = [one.question.text for one in again]
        self.shuffled = {piece for one in again for piece in one.shuffled_pieces}
        self.move_sentences = [
            text for text in sentences if text not in (*self.gather_sentences, *self.instructions)
        ]
        assert len(sentences) == len(self.move_sentences) + len(self.gather_sentences) + len(again)

    def check(self) -> None:
        """Checks that the sentences turn the state before into the state after."""
        lost = self.before.shuffles.keys() - self.after.shuffles.keys()
        assert len(self.gather_sentences) == bool(lost), "a shuffle is said once"
        question = self.session.question
        free = set(question.shuffled_pieces) if lost and isinstance(question, Done) else set[Piece]()
        lies = Counter({at: n for at, n in self.before.count_by_spot.items() if at[0] not in self.shuffled})
        if self.shuffled:
            at_last = self.session.rulebook_run.steps_up_to_answer([*self.after.shuffles][-1])
            dealt = take_snapshot(
                replay_steps(self.session.game, self.session.began, at_last, find_no_card).table.ledger
            )
            lies.update({(piece, at): n for piece in self.shuffled for at, n in dealt.pieces[piece].items()})
        for text in self.move_sentences:
            piece, source, target, count, _ = self.parse_placed_move(text)
            lies[piece, source] -= count
            lies[piece, target] += count
        for at in lies | self.after.count_by_spot:
            if at in self.after.count_by_spot and at[0] not in free:
                assert lies[at] == self.after.count_by_spot[at], (
                    f"{at[0].key} at {at[1].key_with_player_name}"
                )
        self.check_cards()
        check_single_cards(self.before, self.after, self.move_sentences)
        self.check_card_movements()

    def check_card_movements(self) -> None:
        """Checks that a replay records the same card movements."""
        session = self.session
        anew = replay_steps(session.game, session.began, session.rulebook_run.steps, find_no_card)
        assert (
            session.rulebook_run.table.ledger.card_movements_by_step()
            == anew.table.ledger.card_movements_by_step()
        )

    def parse_placed_move(self, text: Say) -> MoveSentence:
        """What a sentence names, its places as the ledger knows them."""
        return parse_placed_move(self.before, self.after, text)

    def check_cards(self) -> None:
        """Checks that a sentence names a card exactly if all players know it."""
        before, after, cards = self.before, self.after, Counter(self.before.count_by_card_spot)
        for piece, source, target, count, names in map(self.parse_placed_move, self.move_sentences):
            assert len(names) in (0, count)
            for card in names:
                assert before.count_by_card_spot[card, source] or after.count_by_card_spot[card, target], (
                    "nobody knew that card"
                )
                cards[card, source] -= 1
                cards[card, target] += 1
            if piece.is_physical_card and not names and not self.shuffled | set(self.gather_sentences):
                new = any(
                    n > before.count_by_card_spot[at]
                    for at, n in after.count_by_card_spot.items()
                    if at[1] == source
                )
                # A card that wasn't there before arrived with this change, and its owner gives one away.
                was_there = before.count_by_spot[piece, source]
                known = was_there and before.are_all_cards_known(source) and after.are_all_cards_known(source)
                assert new or not known, f"which {piece.key} leaves {source.key_with_player_name}?"
        for card in {name for name, _ in before.count_by_card_spot}:
            here, there = (
                {at: n for (name, at), n in one.items() if name == card and n}
                for one in (before.count_by_card_spot, after.count_by_card_spot)
            )
            if sum(here.values()) == sum(there.values()):
                now = {at: cards[card, at] for at in here | there if cards[card, at]}
                free = (
                    self.shuffled
                    or self.gather_sentences
                    or before.tracker.cards_described_differently(after.tracker)
                )
                assert now == there or free, f"where does {render(card)} lie?"


def parse_placed_move(before: TableState, after: TableState, text: Say) -> MoveSentence:
    """What a sentence names, its places as the ledger knows them."""
    piece, source, target, count, names = parse_move(dict.fromkeys([*before.pieces, *after.pieces]), text)
    return piece, before.resolve_place(piece, source), after.resolve_place(piece, target), count, names


def check_single_cards(before: TableState, after: TableState, texts: list[Say]) -> None:
    """Checks that following the sentences puts every single card where it was; shuffled cards may differ."""
    changed = before.shuffles.keys() ^ after.shuffles.keys()
    shuffles = {**before.shuffles, **after.shuffles}
    shuffled = {piece for n in changed for piece in shuffles[n].shuffled_pieces}
    sentences = [parse_placed_move(before, after, text) for text in texts]
    cards = [part for part in sentences if part[0].is_physical_card and part[0] not in shuffled]
    if before.tracker.cards_described_differently(after.tracker):
        return  # nobody knows whether it is another card or somebody named the wrong card
    followed = apply_sentences(before.tracker, after.tracker, cards)
    here, there = (
        followed.visible_cards_by_spot(after.tracker),
        after.tracker.visible_cards_by_spot(followed),
    )
    for spot in here | there:
        if spot[0] not in shuffled:
            assert here.get(spot) == there.get(spot), (
                f"which {spot[0].key} lies at {spot[1].key_with_player_name}?"
            )


def random_history_changes(trial: RandomGame) -> Iterator[list[Say] | None]:
    """Performs random undos, redos and amendments; yields the sentences, or None for any other action."""
    session, rng = trial.session, trial.rng
    ways: list[Any] = [
        lambda: session.undo(past_reveal=True),
        lambda: session.undo_to_step_count(rng.randrange(len(session.steps) + 1), past_reveal=True),
        lambda: amend_randomly(trial),
        *[session.redo] * 4,
        lambda: session.redo(99),
    ]
    for _ in range(CHANGES_PER_GAME):
        try:
            yield rng.choice(ways)()
        except UserError:
            if session.question is not None:
                answer_randomly(session, rng)
            yield None


def amend_randomly(trial: RandomGame) -> list[Say]:
    """Amends a random answer, going back if a later answer conflicts; returns the sentences."""
    session = trial.session
    if not session.rulebook_run.answered_questions:
        raise UserError(say("Nothing was answered."))
    question_number = trial.rng.choice(
        [one.question_number for one in session.rulebook_run.answered_questions]
    )
    seat, answer = trial.sample_amendment(question_number)
    try:
        return session.amend_answer(question_number, answer, seat)
    except ReplayConflict:
        return session.amend_answer(question_number, answer, seat, go_back=True, past_reveal=True)


def begin_and_play(game: Game, length: int, number: int) -> RandomGame:
    """Begins a game and gives `length` random answers."""
    trial = RandomGame.begin(game, length + number, Random(f"{game.key} {length} {number}"))
    for _ in range(length):
        if trial.session.question is not None:
            answer_randomly(trial.session, trial.rng)
    return trial


@pytest.mark.sweep(4)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_is_moved_by_hand_makes_the_one_table_the_other(
    game: Game, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every move names source, target and count, and a card by its name if all players know it."""
    recorder, sentence_count = TransferRecorder(monkeypatch), 0
    for trial in (begin_and_play(game, length, number) for number in range(GAMES_PER_LENGTH)):
        session = trial.session
        before = TableState(session.rulebook_run, recorder)
        for texts in random_history_changes(trial):
            after = TableState(session.rulebook_run, recorder)
            if texts is not None:
                HistoryChange(before, after, session, texts).check()
                sentence_count += len(texts)
            before = after
    assert sentence_count or game.key in ("sealed_bid", "any_game")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_movements_tell_which_way_every_card_went(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Following the movements line by line puts every single card where it was."""
    recorder = TransferRecorder(monkeypatch)
    for number in range(GAMES_PER_LENGTH):
        session = begin_and_play(game, LENGTHS[1], number).session
        before = TableState(session.session_after_steps(0).rulebook_run, recorder)
        for entry, run in zip(movements_by_step(session), session.replay_step_by_step(), strict=True):
            after = TableState(run, recorder)
            check_single_cards(before, after, list(entry.moves))
            before = after
