"""Every game: what people are told to move by hand makes the one table the other, back and forth."""

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
from tests.conformance.single_cards import Sentence, Watch, follow
from tests.support.soak import SOAK

GATHER = "Gather all the cards and shuffle them again."
LENGTHS = (15, 60, 150)
DEEDS = 60 if SOAK else 20
TABLES = 30 if SOAK else 1


class Standing:
    """What lies where, as all may know it; a piece of which some lies in a covered purse is left out."""

    def __init__(self, run: RulebookRun, watch: Watch) -> None:
        ledger = run.table.ledger
        self.bag = watch.bag(ledger)
        self.pieces = [one for one in ledger.pieces if not one.is_marker]
        marks = {one.piece for one in ledger if one.piece.is_marker}
        hidden = {one.piece for one in ledger if one.covered and one.place.seat}
        self.shuffles = {
            told.question_number: told for told in run.answered_questions if told.shuffled_pieces
        }
        self.numbered = ledger.current_slot_by_place()
        self.lies: Counter[tuple[Piece, Place]] = Counter()
        self.cards: Counter[tuple[Say, Place]] = Counter()
        for one in ledger:
            if one.piece not in marks | hidden:
                self.lies[one.piece, one.place] += one.count
            if one.piece.is_card_face and not one.covered and one.count > 0:
                self.cards[one.piece.label, one.place] += one.count

    def spot(self, piece: Piece, called: Place) -> Place:
        """Where this piece lies that people call so now; a row that closes up is counted again."""
        spots = [at for at, number in self.numbered.items() if number == called and self.lies[piece, at]]
        return spots[0] if called.name in {at.name for at in self.numbered} else called

    def knows_all(self, place: Place) -> bool:
        """Whether every card that lies there is known to all, and all have the same back."""
        backs = [
            count
            for (piece, at), count in self.lies.items()
            if at == place and piece.is_physical_card and count
        ]
        return len(backs) < 2 and sum(backs) == sum(n for (_, at), n in self.cards.items() if at == place)


def parts(pieces: Iterable[Piece], text: Say) -> Sentence:
    """What a sentence about these pieces names."""
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
    return piece, place_of(values["source"]), place_of(values["target"]), count, tuple(cards)


def place_of(holder: Place | Say) -> Place:
    """The place that is called so: a seat's name is that of its purse."""
    return holder if isinstance(holder, Place) else Place(PURSE, dict(holder.args)["seat"])


class Deed:
    """Something that led from one moment to another, and what people were told to move."""

    def __init__(self, before: Standing, after: Standing, session: Session, told: list[Say]) -> None:
        self.before, self.after, self.session = before, after, session
        self.gathers = [text for text in told if render(text) == GATHER]
        again = [one for n, one in self.after.shuffles.items() if n not in before.shuffles]
        self.instructions = [one.question.text for one in again]
        self.shuffled = {piece for one in again for piece in one.shuffled_pieces}
        self.moves = [text for text in told if text not in (*self.gathers, *self.instructions)]
        assert len(told) == len(self.moves) + len(self.gathers) + len(again)

    def check(self) -> None:
        """Applied to the one table, the sentences give the other."""
        lost = self.before.shuffles.keys() - self.after.shuffles.keys()
        assert len(self.gathers) == bool(lost), "a shuffle is said once"
        question = self.session.question
        free = set(question.shuffled_pieces) if lost and isinstance(question, Done) else set[Piece]()
        lies = Counter({at: n for at, n in self.before.lies.items() if at[0] not in self.shuffled})
        if self.shuffled:
            at_last = self.session.rulebook_run.steps_up_to_answer([*self.after.shuffles][-1])
            dealt = take_snapshot(
                replay_steps(self.session.game, self.session.began, at_last, find_no_card).table.ledger
            )
            lies.update({(piece, at): n for piece in self.shuffled for at, n in dealt.pieces[piece].items()})
        for text in self.moves:
            piece, source, target, count, _ = self.parts(text)
            lies[piece, source] -= count
            lies[piece, target] += count
        for at in lies | self.after.lies:
            if at in self.after.lies and at[0] not in free:
                assert lies[at] == self.after.lies[at], f"{at[0].key} at {at[1].key_with_player_name}"
        self.check_cards()
        check_single_cards(self.before, self.after, self.moves)
        self.check_steps()

    def check_steps(self) -> None:
        """What another run wrote down of the ways of cards is what happened in this one, too."""
        session = self.session
        anew = replay_steps(session.game, session.began, session.rulebook_run.steps, find_no_card)
        assert (
            session.rulebook_run.table.ledger.card_movements_by_step()
            == anew.table.ledger.card_movements_by_step()
        )

    def parts(self, text: Say) -> Sentence:
        """What a sentence names, its places as the ledger knows them."""
        return placed(self.before, self.after, text)

    def check_cards(self) -> None:
        """A card is called by its name where all know it, and only there."""
        before, after, cards = self.before, self.after, Counter(self.before.cards)
        for piece, source, target, count, names in map(self.parts, self.moves):
            assert len(names) in (0, count)
            for card in names:
                assert before.cards[card, source] or after.cards[card, target], "nobody knew that card"
                cards[card, source] -= 1
                cards[card, target] += 1
            if piece.is_physical_card and not names and not self.shuffled | set(self.gathers):
                new = any(n > before.cards[at] for at, n in after.cards.items() if at[1] == source)
                lay = before.lies[piece, source]  # else it came there, and its owner gives one away
                known = lay and before.knows_all(source) and after.knows_all(source)
                assert new or not known, f"which {piece.key} leaves {source.key_with_player_name}?"
        for card in {name for name, _ in before.cards}:
            here, there = (
                {at: n for (name, at), n in one.items() if name == card and n}
                for one in (before.cards, after.cards)
            )
            if sum(here.values()) == sum(there.values()):
                now = {at: cards[card, at] for at in here | there if cards[card, at]}
                free = self.shuffled or self.gathers or before.bag.said_else(after.bag)
                assert now == there or free, f"where does {render(card)} lie?"


def placed(before: Standing, after: Standing, text: Say) -> Sentence:
    """What a sentence names, its places as the ledger knows them."""
    piece, source, target, count, names = parts(dict.fromkeys([*before.pieces, *after.pieces]), text)
    return piece, before.spot(piece, source), after.spot(piece, target), count, names


def check_single_cards(before: Standing, after: Standing, texts: list[Say]) -> None:
    """Whoever does what is told has every single card where it lay then; of shuffled ones any will do."""
    changed = before.shuffles.keys() ^ after.shuffles.keys()
    shuffles = {**before.shuffles, **after.shuffles}
    shuffled = {piece for n in changed for piece in shuffles[n].shuffled_pieces}
    told = [placed(before, after, text) for text in texts]
    cards = [part for part in told if part[0].is_physical_card and part[0] not in shuffled]
    if before.bag.said_else(after.bag):
        return  # nobody can say whether that was a slip of the tongue or another card
    followed = follow(before.bag, after.bag, cards)
    here, there = followed.prints(after.bag), after.bag.prints(followed)
    for spot in here | there:
        if spot[0] not in shuffled:
            assert here.get(spot) == there.get(spot), (
                f"which {spot[0].key} lies at {spot[1].key_with_player_name}?"
            )


def deeds(trial: RandomGame) -> Iterator[list[Say] | None]:
    """People go back and forth, and change what was answered; None: they did something else."""
    session, rng = trial.session, trial.rng
    ways: list[Any] = [
        lambda: session.undo(past_reveal=True),
        lambda: session.undo_to_step_count(rng.randrange(len(session.steps) + 1), past_reveal=True),
        lambda: amends(trial),
        *[session.redo] * 4,
        lambda: session.redo(99),
    ]
    for _ in range(DEEDS):
        try:
            yield rng.choice(ways)()
        except UserError:
            if session.question is not None:
                answer_randomly(session, rng)
            yield None


def amends(trial: RandomGame) -> list[Say]:
    """Another answer to some question."""
    session = trial.session
    if not session.rulebook_run.answered_questions:
        raise UserError(say("Nothing was answered."))
    event = trial.rng.choice([told.question_number for told in session.rulebook_run.answered_questions])
    seat, given = trial.sample_amendment(event)
    try:
        return session.amend_answer(event, given, seat)
    except ReplayConflict:
        return session.amend_answer(event, given, seat, go_back=True, past_reveal=True)


def begun(game: Game, length: int, number: int) -> RandomGame:
    """A game in which so much was answered."""
    trial = RandomGame.begin(game, length + number, Random(f"{game.key} {length} {number}"))
    for _ in range(length):
        if trial.session.question is not None:
            answer_randomly(trial.session, trial.rng)
    return trial


@pytest.mark.sweep(7)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_is_moved_by_hand_makes_the_one_table_the_other(
    game: Game, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every move says from where, to where and how many; every card that all know is called by its name."""
    watch, told = Watch(monkeypatch), 0
    for trial in (begun(game, length, number) for number in range(TABLES)):
        session = trial.session
        before = Standing(session.rulebook_run, watch)
        for texts in deeds(trial):
            after = Standing(session.rulebook_run, watch)
            if texts is not None:
                Deed(before, after, session, texts).check()
                told += len(texts)
            before = after
    assert told or game.key in ("sealed_bid", "any_game")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_movements_tell_which_way_every_card_went(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Line by line, whoever follows the movements has every single card where it lay."""
    watch = Watch(monkeypatch)
    for number in range(TABLES):
        session = begun(game, LENGTHS[1], number).session
        before = Standing(session.session_after_steps(0).rulebook_run, watch)
        for entry, run in zip(movements_by_step(session), session.replay_step_by_step(), strict=True):
            after = Standing(run, watch)
            check_single_cards(before, after, list(entry.moves))
            before = after
