"""Writes the saved games that a release brings for `tests/old_states`, with the present program.

    .venv/bin/python -m scripts.old_states tests/old_states/release-0.3.0

The folder must not exist. It gets three games of each kind: one that is over, one that was put away early,
and an unfinished one. It also gets more templates of Any Game, settings, house rules and tags. `told.json`
says what this version tells people about each unfinished game, in the order of the games' numbers.

Answers come from fixed seeds, and clocks and salts are fixed too, so each run writes the same games. Only
the salt of the PIN is new each time.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from itertools import count, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion import installed_games
from companion.cards import CardValues
from companion.clocks import parse_clocks
from companion.errors import CompanionError
from companion.evening import Evening
from companion.house_rules import find_game_variant, load_house_rules, save_house_rule, variant_key
from companion.pin import hash_pin
from companion.presets import PresetLibrary, starting_decks, with_design, with_own_presets
from companion.requests import Amount, Choose, Request
from companion.rules.game import option_value_as_typed
from companion.session.session import Session
from companion.session.view import movable_holdings_by_place
from companion.settings import save_setting
from companion.store import SavedGame, Store
from companion.testing.random_game import answer_randomly, is_legal_answer, sample_answer

SAVED_FILES = ("companion.sqlite3", "sealed", "templates")
"""What the folder keeps of a state directory; the backup of the games would double its size."""
NAMES = ("Aki", "Ben", "ちえ")
NEW_NAME = "Zoe"
DAY = 1_795_980_600.0
"""When all games are played, in seconds since 1970: an evening in November 2026."""
PIN = "0042"
SETTINGS = {"language": "ja", "placement": "flat", "volume": 5, "dim_after": "10", "large_text": True}
HOUSE_RULES = (
    ("egypt", "pay_rule", "winning_bid"),
    ("any_game plain", "wins", "lowest"),
    ("any_game plain", "most", 12),
)
"""The variant, the option and the value of each house rule."""
CARD_BY_TAG = {"04A2B3C4D5E680": ("egypt", "4.1"), "04A1B2C3D4E5F6": ("bidders", "W10")}
OWN_TEMPLATE, COPIED_TEMPLATE = "our-railway", "shares"
ADDED_COMPANY: CardValues = {"name": "Ferry Company", "kind": "company", "livery": "white", "step_at": 12}
FINISH_KEY = "finish"
"""The option that ends Any Game and Sealed bid, which is chosen only if it is wished for."""
ANSWERS_BEFORE_PUT_AWAY, ANSWERS_BEFORE_CHANGES, ANSWERS_AFTER_CHANGES = 6, 12, 6
MAX_ANSWERS = 400
"""The most answers until a game is over, or until several players are asked at once."""
MOST_ENTERED = 40
"""The largest number that people enter, such as points, if a question allows it."""
MAX_AMENDMENTS_TRIED = 20
"""The most answers that are tried as the amendment of one question."""


class Plan(NamedTuple):
    """How a game is played.

    `wishes` are keys of options. The first one is chosen as soon as a question offers it, then the second
    one, and so on; all other answers are random. `later_wishes` follow after the changes of an unfinished
    game. That game is left where several players answer at once, if it asks such questions, unless
    `is_left_in_round` is False.
    """

    game: str
    options: Mapping[str, str] = {}
    wishes: Sequence[str] = ()
    later_wishes: Sequence[str] = ()
    names: Sequence[str] = NAMES
    clocks: str = ""
    is_left_in_round: bool = True
    seed: int = 1


def any_game(template: str, *wishes: str, **fields: Any) -> Plan:
    """Returns the plan of a game with a template of Any Game."""
    return Plan("any_game", {"template": template}, wishes, **fields)


OVER = {
    "any_game": any_game("partners", "write_round", FINISH_KEY, names=(*NAMES, "Dai")),
    "bidders": Plan("bidders", seed=14),
    "egypt": Plan("egypt", seed=20),
    "high_bid": Plan("high_bid", seed=11),
    "oyakata": Plan("oyakata", seed=18),
    "sealed_bid": Plan("sealed_bid", wishes=("again", "again", FINISH_KEY)),
}
"""The games that are played to their end; their seeds were searched for, so that they are short."""
EARLY = {"any_game": any_game("tournament", "match")}
UNFINISHED = {
    "any_game": any_game("plain", later_wishes=("sealed_bid",)),
    "egypt": Plan("egypt", clocks="turn=60 ring"),
}
MORE_UNFINISHED = (
    any_game("rummy", "3", "write_round", "join", *["write_round"] * 3, later_wishes=("write_round",)),
    any_game(OWN_TEMPLATE, "price", "payment", "dividend", is_left_in_round=False),
)
REOPENED = any_game("chess", "write_round", "write_round", FINISH_KEY)


class PlannedGame:
    """A game that begins in a store and is played by its plan; `session` is the game."""

    def __init__(self, store: Store, plan: Plan) -> None:
        self._plan, self._wishes = plan, [*plan.wishes]
        self._rng = rng = Random(f"{plan.game} {plan.seed}")
        game = with_own_presets(installed_games.playable_game(plan.game), store.directory)
        house_rules = load_house_rules(store).rules.get(
            variant_key(plan.game, plan.options.get("template", "")), {}
        )
        options = {key: option_value_as_typed(value) for key, value in house_rules.items()}
        options |= plan.options
        seconds = count()
        self.session = Session.begin(
            game,
            plan.names,
            options,
            store.new_game_log(),
            deck_by_name=starting_decks(game, store.directory, options),
            seed=plan.seed,
            clock_settings=parse_clocks(plan.clocks),
            clock=lambda: float(next(seconds)),
            salt=lambda: f"{rng.getrandbits(128):032x}",
        )

    def answer(self) -> None:
        """Answers the open question; if several players are asked at once, all of them answer."""
        session, question = self.session, self.session.question
        assert question is not None
        if question.parts_by_seat:
            self.answer_parts(question, len(question.seats))
        elif isinstance(question, Choose | Amount):
            session.answer(session.question_number, self._choose_answer(question))
        else:
            answer_randomly(session, self._rng)

    def answer_parts(self, question: Request[Any], seat_count: int) -> None:
        """Answers the open question to several players for the first of them."""
        n = self.session.question_number
        for seat in question.seats[:seat_count]:
            json_answer = self._choose_answer(question.parts_by_seat[seat])
            self.session.put_answer_in_envelope(n, seat, json_answer)

    def _choose_answer(self, question: Request[Any]) -> object:
        """Returns the next wish if the question offers it, otherwise a random answer."""
        if self._wishes and is_legal_answer(question, self._wishes[0]):
            return self._wishes.pop(0)
        while (json_answer := choose_randomly(question, self._rng)) == FINISH_KEY:
            pass
        return json_answer

    def answer_times(self, answer_count: int) -> None:
        """Gives a number of answers; fewer if the game is over before."""
        for _ in range(answer_count):
            if self.session.question is not None:
                self.answer()

    def play_to_end(self) -> None:
        """Answers until the game is over."""
        self.answer_times(MAX_ANSWERS)
        assert self.session.result is not None, (
            f"{self._plan} isn't over after {MAX_ANSWERS} answers: try another seed"
        )

    def change(self) -> None:
        """Undoes three answers, redoes two, moves a piece by hand, amends an answer and renames a player."""
        session = self.session
        session.undo_to_step_count(len(session.steps) - 3, past_reveal=True)
        session.redo(2)
        move_piece_by_hand(session)
        amend_answer(session, self._rng)
        session.rename_player(session.table.seats[1], NEW_NAME)

    def leave(self) -> None:
        """Plays on as the plan says, and leaves the game unfinished."""
        self._wishes += self._plan.later_wishes
        if not self._plan.is_left_in_round or "Together" not in self.session.game.question_kinds:
            self.answer_times(ANSWERS_AFTER_CHANGES)
            return
        for _ in range(MAX_ANSWERS):
            question = self.session.question
            assert question is not None, f"{self._plan} is over too early: try another seed"
            if len(question.parts_by_seat) > 1:
                self.answer_parts(question, len(question.seats) - 1)
                return
            self.answer()
        raise AssertionError(f"{self._plan} never asks several players at once")


def choose_randomly(question: Request[Any], rng: Random) -> object:
    """Returns a random legal answer as JSON: a small number, with a half where halves count."""
    if isinstance(question, Amount):
        number = rng.randint(0, MOST_ENTERED)
        for small_number in (number + 0.5, number):
            if is_legal_answer(question, small_number):
                return small_number
    return sample_answer(question, rng)


def move_piece_by_hand(session: Session) -> None:
    """Moves the first piece that may be moved by hand."""
    holdings_by_place = movable_holdings_by_place(session)
    for source, holdings in holdings_by_place.items():
        for holding, target in product(holdings, holdings_by_place):
            with suppress(CompanionError):
                session.correct(source.key, target.key, holding.piece.key, 1, "miscounted")
                return
    raise AssertionError(f"no piece of {session.game.key} may be moved by hand")


def amend_answer(session: Session, rng: Random) -> None:
    """Amends the latest answer, but not the last one, of which another answer fits with all later ones."""
    for answered in reversed(session.rulebook_run.answered_questions[:-1]):
        question, answer, seat = answered.question, answered.answer, None
        if question.parts_by_seat:
            seat = question.seats[0]
            question, answer = question.parts_by_seat[seat], answer[seat]
        for _ in range(MAX_AMENDMENTS_TRIED):
            json_answer = choose_randomly(question, rng)
            if json_answer != question.answer_to_json(answer):
                with suppress(CompanionError):
                    session.amend_answer(answered.question_number, json_answer, seat)
                    return
    raise AssertionError(f"no answer of {session.game.key} can be amended")


class StateWriter:
    """Plays the games of a store; `told` is what the program says of the unfinished ones."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._evening = Evening(store, clock=lambda: DAY, seconds=lambda: 0.0)
        self.told: list[dict[str, Any]] = []

    def play_all(self) -> None:
        """Changes the settings and plays all games; a game of Sealed bid is the open one at the end."""
        self._change_settings()
        game_keys = sorted(game.key for game in installed_games.playable_games())
        over = {key: self._play_to_end(OVER.get(key, Plan(key))) for key in game_keys}
        self._evening.reopen_game(over["any_game"])
        amend_answer(self._evening.current_session, Random(1))
        self._evening.put_game_away()
        for key in game_keys:
            self._play_and_put_away_early(EARLY.get(key, Plan(key)))
        self._evening.reopen_game(self._play_to_end(REOPENED))
        self.told.append(describe_unfinished_game(self._evening.current_session))
        for plan in (*MORE_UNFINISHED, *[UNFINISHED.get(key, Plan(key)) for key in game_keys]):
            self._play_and_leave(plan)

    def _change_settings(self) -> None:
        """Changes settings and house rules, assigns tags to cards, and makes a template."""
        store = self._store
        for name, value in {**SETTINGS, "pin": hash_pin(PIN)}.items():
            save_setting(store, name, value)
        for words, option_key, option_value in HOUSE_RULES:
            save_house_rule(store, find_game_variant(words, store.directory), option_key, option_value)
        for uid, (deck_name, card_id) in CARD_BY_TAG.items():
            store.assign_tag(uid, deck_name, card_id)
        library = PresetLibrary(installed_games.playable_game("any_game"), store.directory)
        copy = library.existing_or_new_preset(COPIED_TEMPLATE).duplicate(OWN_TEMPLATE)
        copy.save_rows(with_design(copy.load_rows(), "ferry", ADDED_COMPANY), copy.path.name)

    def _play_to_end(self, plan: Plan) -> SavedGame:
        """Plays a game to its end and puts it away."""
        game = PlannedGame(self._store, plan)
        game.play_to_end()
        game.session.put_away()
        return self._store.all_saved_games()[0]

    def _play_and_put_away_early(self, plan: Plan) -> None:
        """Plays a game that somebody leaves, and puts it away before its end."""
        game = PlannedGame(self._store, plan)
        game.answer_times(ANSWERS_BEFORE_PUT_AWAY)
        game.session.mark_player_absent(game.session.table.seats[-1])
        assert game.session.result is None
        game.session.put_away()

    def _play_and_leave(self, plan: Plan) -> None:
        """Plays a game in which much is changed, and leaves it unfinished."""
        game = PlannedGame(self._store, plan)
        game.answer_times(ANSWERS_BEFORE_CHANGES)
        game.change()
        game.leave()
        self.told.append(describe_unfinished_game(game.session))


def describe_unfinished_game(session: Session) -> dict[str, Any]:
    """Returns what `told.json` says of a game: its question, who plays, and what is in the envelopes."""
    return {
        "game": session.game.key,
        "n": session.question_number,
        "asks": session.question.log_key if session.question else None,
        "names": [seat.name for seat in session.table.seats],
        "in": {seat.name: draft.answer for seat, draft in session.drafts.items()},
    }


def write_folder(folder: Path) -> None:
    """Writes a new folder with the saved games and `told.json`."""
    folder.mkdir(parents=True)
    with closing(Store.open(folder, for_writing=True)) as store:
        writer = StateWriter(store)
        writer.play_all()
    for path in folder.iterdir():
        if path.name not in SAVED_FILES:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
    told_text = json.dumps(writer.told, ensure_ascii=False, indent=1)
    (folder / "told.json").write_text(f"{told_text}\n", encoding="utf-8")


if __name__ == "__main__":
    installed_games.disable_third_party_games()
    write_folder(Path(sys.argv[1]))
