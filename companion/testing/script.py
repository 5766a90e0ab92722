"""Plays a game from lines such as people would say, for tests of a rulebook.

Nothing here is random, and no clock runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from copy import copy
from itertools import count
from typing import Any

from companion.actions import (
    ACTIONS,
    LATER_ANSWERS_CONFIRMATION,
    REVEAL_CONFIRMATION,
    NeedsConfirmation,
    ParameterValues,
    SessionAndStore,
    TableAction,
    find_question_to_amend,
)
from companion.cards import CardValues, Deck
from companion.errors import UserError
from companion.half_numbers import number_to_json, parse_number
from companion.log.log import MemoryLog
from companion.name_matching import find_by_name
from companion.requests import (
    CardsField,
    ConfirmField,
    Form,
    NumberField,
    OptionField,
    QuantitiesField,
    Request,
    TextField,
)
from companion.rules.game import Game
from companion.session import typed_payments
from companion.session.session import Session
from companion.session.view import list_history_entries, make_view
from companion.table.scores import StoredResult
from companion.table.seats import Seat
from companion.testing.random_game import count_by_place_and_piece
from companion.texts import render

TABLE_WORD = "table"
DECLINE_WORDS = ("pass", "passes", "withdraw", "withdraws", "can't", "can't pay")
NUMBER_PATTERN = re.compile(r"-?\d+")
COUNT_PATTERN = re.compile(r"(\S+) (-?\d+)")
MULTIPLIED_CARD_PATTERN = re.compile(r"(?:(\d+)×)?(\S+)")
LINE_PATTERN_BY_ACTION = {
    "undo": r"undo(?P<reveal> past a reveal)?",
    "redo": r"redo( (?P<count>\d+))?",
    "leave": r"(?P<seat>.+) leaves",
    "come_back": r"(?P<seat>.+) returns",
    "rename": r"(?P<seat>.+?) is now (?P<name>.+)",
    "back": r"back to (?P<event>\d+)(?P<reveal> past a reveal)?",
    "correct": r"correct (?P<count>\d+) (?P<piece>.+?) from (?P<from>.+?) to (?P<to>.+?): (?P<reason>.*?)"
    r"(?P<again>, asking again)?",
    "pay": r"pay (?P<line>.+)",
    "amend": r"amend (?P<event>\d+): (?P<answer>.+?)(?P<later_answers>, going back)?"
    r"(?P<reveal> past a reveal)?",
}
"""The pattern of lines for each action, by action key.

The groups are named after parameters and confirmations. A line that matches the group of a confirmation
confirms it.
"""
EXPLICIT_CONFIRMATIONS = (LATER_ANSWERS_CONFIRMATION, REVEAL_CONFIRMATION)
"""Confirmations that a line must name; all others are given automatically."""


class Script:
    """Plays a game in a test from lines such as people would say.

    `Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "Aki 1", "Ben withdraws")`.
    A line says who answers (`table` for a question to everybody) and what, with or without a colon:

    | kind     | lines                                                                              |
    | -------- | ---------------------------------------------------------------------------------- |
    | Choose   | `table: Aki`, `Ben: take_back`, `Ben: Take back a 4`: an option's key or words     |
    | Raise    | `Aki 4`, `Aki bids 4`, `Aki withdraws`, `Aki passes`                                |
    | Amount   | `Aki 4`, `Aki bids 4`; where halves count also `Aki 7½` or `Aki 7.5`                |
    | Counts   | `Aki: own 2, foreign 1` (what isn't named is 0), `Aki: nothing`, `Aki can't`        |
    | Read     | `Ben pays 6 6 other`, `Ben pays 2×6 3×other`, `Ben pays card:6.1 tag:04a1b2`,       |
    |          | `Ben: 6 other` (any verb, or none), `Ben pays nothing`, `Ben can't pay`              |
    | Roll     | `table: 75 0`: what the real dice show; `roll`, see below, lets Companion roll      |
    | Write    | `table: Vase`, or the words for no answer: `table: No name`                         |
    | Done     | `table: done`                                                                      |
    | Together | one line per seat, in any order, such as `Ben 3`, `Aki 0`; a second                 |
    |          | line of a seat replaces its answer until all are in; in an open round one line may  |
    |          | answer for all, in the order in which they sit: `table: 3, 0, 12`                   |

    In a Read, `6` is a card described by the values of design 6, `other` a card without any values,
    `card:6.1` a card picked by its id, `tag:…` a card laid on a reader (`tags` maps tags to cards).
    `decks` are printed values to use instead of those that the game brings.

    `script["Aki/hand", "card"]` is how many of a piece lie at a place, by their keys.

    Lines that are no answers:
    `Aki leaves`, `Aki returns`, `time is up` (then `has_only_rung` says whether the clock only rang),
    `roll`, `undo`, `undo past a reveal`, `redo`, `restart` (the program starts again from its log),
    `back to 7`, `Aki is now Dai`, `correct 2 card from Aki/hand to bank: miscounted`
    (with `, asking again` at its end the open question is asked once more),
    `amend 7: Ben 3` (7 is the question's number), `amend 7: Ben 3, going back`
    (or `going back past a reveal`), `redo 14` (as many of 14 as fit).
    `pay Aki Ben 5`, and every other action of `companion.actions` by its word or key and a word for each
    parameter: `put away`. What people must confirm is confirmed, but for `past a reveal` and `going back`.

    A line that the game refuses raises the game's own error; `refuses` expects that.
    A line that can't be read, or names a seat that isn't asked, raises AssertionError.
    """

    def __init__(
        self,
        game: Game,
        *names: str,
        options: Mapping[str, str] | None = None,
        tags: Mapping[str, tuple[str, str]] | None = None,
        decks: Mapping[str, Deck] | None = None,
        seed: int = 1,
    ) -> None:
        self.log = MemoryLog()
        self.moves_by_hand: list[str] = []
        """What people must move by hand after the last undo, redo or amendment."""
        self.has_only_rung = False
        self._session_options: dict[str, Any] = {
            "tags": (tags or {}).get,
            "clock": lambda: 0.0,
            "salt": _make_salt_function(),
        }
        self.session = Session.begin(
            game, names, options or {}, self.log, deck_by_name=decks, seed=seed, **self._session_options
        )

    def says(self, *lines: str) -> Script:
        """Plays these lines one after the other; returns the script itself."""
        for line in lines:
            self._play(line)
        return self

    def copy(self) -> Script:
        """Returns a copy at the same moment on its own table, so that tests can share a beginning."""
        assert not self.session.drafts, "what is in an envelope isn't copied"
        script = copy(self)
        script.log, script.moves_by_hand = MemoryLog(self.log), []
        script.log.save_names(self.log.current_names())
        script._session_options = {**self._session_options, "salt": _make_salt_function()}  # noqa: SLF001 - another of its class
        script._restart()  # noqa: SLF001 - another of its class
        return script

    def refuses(self, line: str) -> str:
        """Plays a line that must be refused, checks that nothing has changed, and returns the refusal."""
        before = self._state()
        try:
            self._play(line)
        except UserError as error:
            assert self._state() == before, f"{line!r} was refused, but changed something"
            return render(error.text)
        raise AssertionError(f"{line!r} was not refused")

    def __getitem__(self, account: tuple[str, str]) -> int:
        """Returns the number of these pieces at a place: `script["Aki/hand", "card"]`."""
        return self.session.table.ledger.find_account_by_keys(*account).count

    @property
    def question_number(self) -> int:
        """The number of the open question."""
        return self.session.question_number

    @property
    def question(self) -> Request[Any]:
        """The open question."""
        assert self.session.question is not None, "the game is over"
        return self.session.question

    @property
    def question_log_key(self) -> str:
        """The log key of the open question: `Raise Aki: chip 7`; empty when the game is over."""
        question = self.session.question
        return (
            ""
            if question is None
            else self.session.rulebook_run.replace_seat_numbers_with_names(question.log_key)
        )

    @property
    def open_question_limits(self) -> dict[str, Any]:
        """The limits of the open question: which answers it allows."""
        return self.question.limits_json

    @property
    def last_notes(self) -> list[str]:
        """The notes of the last answer, as sentences."""
        return [render(note) for note in make_view(self.session).notes]

    @property
    def history_texts(self) -> list[str]:
        """The sentences of the history.

        Undone events aren't among them.
        """
        return [render(entry.text) for entry in list_history_entries(self.session)]

    @property
    def result_json(self) -> StoredResult:
        """The result as JSON with English labels."""
        assert self.session.result is not None, f"the game still asks: {self.question_log_key}"
        return self.session.result.to_json(render)

    def _state(self) -> object:
        return (
            self.question_number,
            self.question_log_key,
            len(self.log),
            count_by_place_and_piece(self.session),
            dict(self.session.drafts),
        )

    def _play(self, line: str) -> None:
        if line == "restart":
            self._restart()
        elif line == "time is up":
            self.has_only_rung = not self.session.give_timeout_answers(self.question_number)
        elif not self._try_action(line):
            self._answer(line)

    def _restart(self) -> None:
        self.session = Session(self.session.game, self.log, self.log, **self._session_options)
        self.session.answer_for_absent_players()

    def _try_action(self, line: str) -> bool:
        """Runs the action that a line names by a sentence or a word; returns False if it names none."""
        for key, pattern in LINE_PATTERN_BY_ACTION.items():
            if match := re.fullmatch(pattern, line):
                words_by_group = {
                    name: words for name, words in match.groupdict().items() if words is not None
                }
                self._run_action(
                    ACTIONS[key], self._parse_sentence_parameters(key, words_by_group), words_by_group.keys()
                )
                return True
        for action in ACTIONS.values():
            name = render(action.command.word) if action.command else action.key
            if action.key not in LINE_PATTERN_BY_ACTION and f"{line} ".startswith(f"{name} "):
                self._run_action(
                    action, self._parse_word_parameters(action, line.removeprefix(name).split()), ()
                )
                return True
        return False

    def _run_action(
        self, action: TableAction, values: ParameterValues, confirmed_keys: Collection[str]
    ) -> None:
        all_confirmed_keys = [
            key for key in action.confirmations if key not in EXPLICIT_CONFIRMATIONS or key in confirmed_keys
        ]
        try:
            outcome = action.run(SessionAndStore(self.session), values, all_confirmed_keys)
        except NeedsConfirmation as error:
            raise error.session_error_or_self from None
        if outcome.moves_by_hand is not None:
            self.moves_by_hand = [render(move) for move in outcome.moves_by_hand]

    def _parse_sentence_parameters(self, key: str, words_by_group: Mapping[str, str]) -> ParameterValues:
        """Returns the parameters of an action from the groups of its sentence."""
        if key == "back":
            return {"kept": self.session.step_count_before_answer(int(words_by_group["event"]))}
        if key == "pay":
            payment = typed_payments.parse_payment(self.session, words_by_group["line"], "en")
            assert payment is not None, f"{words_by_group['line']!r} is no payment"
            return payment
        types = {
            parameter.key: parameter.json_type
            for parameter in ACTIONS[key].parameters
            if parameter.json_type is not object
        }
        values = {name: types[name](words) for name, words in words_by_group.items() if name in types}
        if key == "amend":
            question = find_question_to_amend(SessionAndStore(self.session), values)
            seat, values["answer"] = self._parse_answer(question, words_by_group["answer"])
            values |= {"seat": seat.key} if question.parts_by_seat and seat is not None else {}
        return values

    def _parse_word_parameters(self, action: TableAction, words: list[str]) -> ParameterValues:
        """Returns the parameters of an action from one word for each. A confirmation needs no word."""
        values: dict[str, Any] = {}
        while (missing := action.next_missing_parameter(SessionAndStore(self.session), values)) is not None:
            parameter, form = missing
            match form.single_field:
                case ConfirmField(answer=answer):
                    values[parameter.key] = answer
                case _:
                    values[parameter.key] = _parse_form_answer(form, words.pop(0))
        assert not words, f"{action.key} takes no {words}"
        return values

    def _answer(self, line: str) -> None:
        seat, json_answer = self._parse_answer(self.question, line)
        if self.question.parts_by_seat and seat is not None:
            self.session.put_answer_in_envelope(
                self.question_number, seat, json_answer, answer_source="script"
            )
        else:
            self.session.answer(self.question_number, json_answer, answer_source="script")

    def _parse_answer(self, question: Request[Any], line: str) -> tuple[Seat | None, object]:
        seat, words = self._split_seat_and_words(line)
        log_key = self.session.rulebook_run.replace_seat_numbers_with_names(question.log_key)
        if seat is None and question.parts_by_seat and not question.is_sealed:
            return None, _parse_round(question, words)
        assert not question.seats or seat in question.seats, f"{line!r}, but asked is: {log_key}"
        if question.parts_by_seat:
            assert seat is not None
            question = question.parts_by_seat[seat]
        return seat, _parse_form_answer(question.form, words)

    def _split_seat_and_words(self, line: str) -> tuple[Seat | None, str]:
        seats = {seat: (seat.name, seat.key) for seat in self.session.table.seats}
        for end in reversed([index for index, letter in enumerate(line) if letter in " :"]):
            name, words = line[:end], line[end + 1 :].strip()
            if name == TABLE_WORD:
                return None, words
            if len(named_seats := find_by_name(name, seats)) == 1:
                return named_seats[0], words
        raise AssertionError(f"{line!r} begins with nobody at the table")


def _make_salt_function() -> Callable[[], str]:
    salts = (f"{number:032x}" for number in count())
    return lambda: next(salts)


def _parse_round(question: Request[Any], words: str) -> object:
    """Reads `3, 0, 12` or `bid 1, made 1; bid 0, made 2` as the answers of all seats in their order."""
    seats = sorted(question.parts_by_seat, key=lambda seat: seat.number)
    answers = zip(seats, words.split("; " if ";" in words else ", "), strict=True)
    return {
        str(seat.number): _parse_form_answer(question.parts_by_seat[seat].form, word)
        for seat, word in answers
    }


def _parse_form_answer(form: Form, words: str) -> object:
    """Returns an answer in words as JSON; words that can't be read are returned as they are."""
    decline = form.decline
    is_word = isinstance(form.single_field, TextField | OptionField)
    if (decline and words == render(decline.label)) or (words in DECLINE_WORDS and not is_word):
        return decline.answer if decline else None
    answer: object = words
    match form.single_field:
        case None if form.is_list_answer:
            numbers = words.split()
            answer = (
                [int(number) for number in numbers] if all(map(NUMBER_PATTERN.fullmatch, numbers)) else words
            )
        case NumberField() | None:
            last_word = words.rsplit(maxsplit=1)[-1]
            number = parse_number(last_word)
            answer = words if number is None else number_to_json(number)
        case OptionField() as choice:
            answer = next((key for key, label in choice.all_options.items() if render(label) == words), words)
        case QuantitiesField():
            answer = _parse_counts(words)
        case CardsField() as cards:
            answer = _parse_cards(cards, words)
        case ConfirmField():
            answer = words == "done"
    return answer


def _parse_counts(words: str) -> object:
    """Reads `own 2, foreign 1` as numbers by key; words that can't be read are returned as they are."""
    counts = [COUNT_PATTERN.fullmatch(count) for count in ([] if words == "nothing" else words.split(", "))]
    return {count[1]: int(count[2]) for count in counts if count} if all(counts) else words


def _parse_cards(field: CardsField, words: str) -> list[dict[str, object]]:
    """Reads `pays 2×6 card:6.1 tag:04a1b2 other` as a list of cards. The verb can be left out."""
    printed = {design.id: design.values for design in field.deck.designs}
    verb, *rest = words.split()
    is_card = _parse_multiplied_card(verb)[1] in printed or ":" in verb or verb == "other"
    card_words = [word for word in ([verb, *rest] if is_card else rest) if word != "nothing"]
    assert card_words or "nothing" in words, f"no card of this deck is called {verb!r}"
    return [
        _parse_card(word, printed)
        for times, word in (_parse_multiplied_card(word) for word in card_words)
        for _ in range(times)
    ]


def _parse_multiplied_card(word: str) -> tuple[int, str]:
    match = MULTIPLIED_CARD_PATTERN.fullmatch(word)
    assert match is not None
    return int(match[1] or 1), match[2]


def _parse_card(word: str, printed: Mapping[str, CardValues]) -> dict[str, object]:
    key, _, name = word.partition(":")
    if name:
        return {key: name}
    if word == "other":
        return {"values": {}}
    assert word in printed, f"no card of this deck is called {word!r}"
    return {"values": dict(printed[word])}
