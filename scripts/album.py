"""One evening to be photographed: every screen of it, in one language at one size.

    await Album(app, finger, take).fill()

`take(name)` photographs what is shown; the app runs in the same loop and its shelf is empty.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any

from companion import installed_games
from companion.languages import ENGLISH, languages
from companion.log.events import Answered, Began, Corrected
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.record import player_statistics
from companion.recorded_match import load_recorded_events
from companion.requests import Amount, Choose, Raise, Read, Together, Write
from companion.requests.request import SingleQuestion
from companion.rules.game import NO_NUMBER_WORD
from companion.session.session import Session
from companion.table.seats import SEAT_COLOURS as EVERY_COLOUR
from companion.table.seats import Seat
from companion.texts import render, say
from ui import theme

FEW = 4
"""Players at a table that isn't full."""
CROWDS = (8, 12)
"""Numbers of players in the pictures of large groups."""
COLOURS = ("orange", "sky", "green", "vermilion")
TOURED = ("bidders", "high_bid", "mammon", "oyakata")
"""Games of whose recorded match every kind of question is photographed."""
LATER = 12
"""When a question has been asked so often, much lies on the table."""
COVERED = f"high_bid Raise {LATER}"
"""Money is covered then: what only its owner may see is photographed."""
LOT = say("Paintings")
"""What is sold where people write a name; each language has that word."""
TEMPLATES = ("art", "auction", "contract", "coop", "majority", "poker", "property", "sheet", "tournament")
"""Tables of Any Game that are photographed beside `train` and `points`."""
SETTLED, MOST_ANSWERS, MOST_LOOKS, SMALL = 12, 60, 4, 30
"""Answers until much lies on such a table, and at most; looks at it; and numbers that people say there."""
BIDS = (12, 7, 0, 9)
WORTH_A_LOOK = 2
"""A payment above that takes more than one card."""
LONG = 3600.0
"""Seconds that a pause lasts while it is photographed."""
AT_HOME = (
    ("settings", ("settings",), ()),
    ("service", ("service",), ("close",)),
    ("devices", ("settings", "service", "devices"), ("close", "close")),
    ("decks", ("cards",), ()),
    ("cards", ("deck mammon",), ()),
    ("a card", ("card spy.2",), ("close",)),
    ("learning", ("whole",), ("finish", "close")),
    ("printed", ("deck bidders", "card B1", "edit"), ("close", "close", "close", "close")),
)
"""Pages beside a game: name, touches that lead there, touches that lead back."""
ON_THE_SHELF = (
    ("past games", ("past",), ()),
    ("a past game", ("game {newest}",), ()),
    ("what to do with it", ("more",), ()),
    ("a date", ("date",), ("close", "shelf")),
    ("players of the past", ("regulars",), ()),
    ("a player", ("regular {first}",), ("close", "close", "close")),
)
"""Pages behind home once some games have been played; `first` is who has won most."""
AT_THE_TABLE = (
    ("bank", ("bank",), ()),
    ("movements", ("movements",), ("close",)),
    ("count cards", ("audit",), ("no", "close")),
    ("history", ("history",), ()),
    ("event", ("event 4",), ()),
    ("amend", ("amend",), ("close", "close")),
    ("more", ("more",), ()),
    ("people", ("people",), ("close",)),
)
"""Pages that are opened while Egypt is played."""


class Album:
    """One evening in one language at one size."""

    def __init__(
        self,
        app: Any,
        finger: Any,
        take: Callable[[str], Awaitable[None]],
        crowd: Sequence[str] = (),
    ) -> None:
        """`crowd` are a dozen people, the first four of whom play where not all do."""
        self.app, self.finger, self._take_picture = app, finger, take
        self._is_result_taken = False
        self.crowd = crowd or people(app.lang)
        self.names = self.crowd[:FEW]

    async def fill(
        self,
        toured: Sequence[str] = TOURED,
        crowds: Sequence[int] = CROWDS,
        templates: Sequence[str] = TEMPLATES,
    ) -> None:
        """From an empty shelf to the final score, these games' questions, large groups, these templates."""
        self.app.controller.remember_value("people", list(zip(self.names, COLOURS, strict=True)))
        await self._set_up()
        await self._pages(AT_HOME)
        await self._board()
        await self._templates()
        await self._egypt()
        await self._any_game()
        await self._rounds()
        await self._demo()
        for people in crowds:
            await self.show_crowd(people)
        await self._sealed()
        await self.finger.tap_buttons(self.app.tr("Keep it"))
        self.app.controller.leave_table()
        await self.finger.wait_frames(2)
        for game in toured:
            await self._tour(game)
        for template in templates if toured else ():
            await self._table(template)
        evening = self.app.evening
        most, newest = (
            player_statistics.statistics_of_all_players(evening.store)[0],
            evening.past_games()[0],
        )
        known = {"first": most.name, "newest": newest.number}
        pages = [(name, [one.format(**known) for one in there], back) for name, there, back in ON_THE_SHELF]
        await self._pages(pages)

    async def _take(self, name: str) -> None:
        """Photographs the screen without the card that shows a result; the first such card by itself."""
        card: Any = getattr(self.app.stage.screen, "events_notice", None)
        if type(card).__name__ == "ResultCard" and card.parent is not None:
            if not self._is_result_taken:
                self._is_result_taken = True
                await self._take_picture("result")
            card.close()
            await self.finger.wait_frames(2)
        await self._take_picture(name)

    async def _set_up(self) -> None:
        await self._take("home")
        await self.finger.tap_buttons(self._title("sealed_bid"))
        await self._take("players")
        stands = self.app.controller.settings.placement == "standing"
        await self.finger.tap_buttons("sides", "placement flat")
        await self._take("who sits where")
        await self.finger.tap_buttons(*["placement standing"] * stands)
        await self.finger.tap_buttons("close", self.names[0])
        await self._take("keyboard")
        await self.finger.tap_buttons("done", "rules")
        await self._take("rules")
        while not self.finger.can_tap("clock of the table"):
            await self.finger.tap_buttons("page on")
        await self.finger.tap_buttons("clock of the table")
        await self._take("clocks")
        await self.finger.tap_buttons(self.app.tr("Our own limits"))
        await self._take("limits")
        await self.finger.tap_buttons("budget", self.app.tr("Ring a bell"))
        await self._take("a limit")
        await self.finger.tap_buttons("close", "close")
        self.app.show_home()
        await self.finger.wait_frames(2)

    async def _board(self) -> None:
        """Numbers that are printed on a board; boards come after the cards."""
        self.app.show_home()
        await self.finger.wait_frames(2)
        await self.finger.tap_buttons("cards", "deck bidders")
        while not self.finger.can_tap("board hearts"):
            await self.finger.tap_buttons("page on")
        await self.finger.tap_buttons("board hearts")
        await self._take("a board")
        await self.finger.tap_buttons("close", "close", "close")

    def _title(self, game: str) -> str:
        return render(installed_games.playable_game(game).title, self.app.lang)

    async def _pages(self, pages: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> None:
        for name, there, back in pages:
            for touched in there:
                await (self._open_bank() if touched == "bank" else self.finger.tap_buttons(touched))
            await self._take(name)
            await self.finger.tap_buttons(*back)

    async def _open_bank(self) -> None:
        """By its sign, or where the bar is too short for it by what the last one opens."""
        await self.finger.tap_buttons(*(["bank"] if self.finger.can_tap("bank") else ["more", "bank"]))

    async def _egypt(self) -> None:
        """A recorded match, photographed at its turns.

        Answers between them aren't shown: to draw all two hundred took a third of the album's time.
        """
        controller, pause = self.app.controller, theme.REVEAL_PAUSE_SECONDS
        controller.start_new_game("egypt", self.names, COLOURS, {})
        events = load_recorded_events("egypt")
        steps = build_timeline(events).steps
        picture_by_step = _first_turns(events)
        shown = {step - back for step in (*picture_by_step, len(steps)) for back in (1, 2)}
        for index, step in enumerate(steps):
            assert isinstance(step, Answered)
            if (name := picture_by_step.get(index)) is not None:
                await self._take(name)
                if name == "payment":
                    await self._by_hand()
                    await self._pages(AT_THE_TABLE)
            theme.REVEAL_PAUSE_SECONDS = LONG
            session = self.app.evening.current_session
            answer = controller.answer_question if index in shown else session.answer
            answer(session.question_number, step.answer)
        await self._score()
        theme.REVEAL_PAUSE_SECONDS = pause

    async def _covered(self, name: str) -> None:
        """What lies before somebody, and under the hand what only that player may see."""
        await self.finger.tap_buttons(f"before {name}")
        await self._take("before a player")
        await self.finger.tap_buttons("private")
        await self._take("for one player")
        hand = next(
            widget for widget in self.finger.walk_widgets_from_top() if type(widget).__name__ == "PrivateView"
        )
        x, y, width, height = hand._spot  # noqa: SLF001 where the finger must be
        touch = self.finger.press_and_hold(hand, (x + width / 2, y + height / 2))
        await self.finger.wait_frames(2)
        await self._take("under the hand")
        touch.send_touch_up()
        await self.finger.wait_frames(2)
        await self.finger.tap_buttons("close")

    async def _any_game(self) -> None:
        """A game of which only the money is kept: something is paid, and it ends."""
        self.app.controller.start_new_game("any_game", self.names, COLOURS, {"template": "train"})
        await self._take("any game")
        await self._open_bank()
        bank = next(
            widget for widget in self.finger.walk_widgets_from_top() if type(widget).__name__ == "BankPage"
        )
        bank.select_holding(bank.purses[0].holdings[0])
        await self.finger.wait_frames(2)
        await self.finger.tap_buttons("100", "1")
        await self._take("paying")
        await self.finger.tap_buttons("to each", "close")
        await self._take("any game, paid")
        await self.finger.tap_buttons("more", "end", "yes")
        self.app.stage.screen.turn_up_all_cards()
        await self._take("any game score")
        await self.finger.tap_buttons("put away")

    async def _templates(self) -> None:
        """Takes the templates of Any Game: the gallery, a shipped template, and a copy of it."""
        self.app.show_home()
        await self.finger.wait_frames(2)
        await self.finger.tap_buttons(self._title("any_game"))
        await self._take("gallery")
        await self.finger.tap_buttons("close")
        await self.finger.tap_buttons("cards", "presets any_game")
        await self._take("templates")
        await self.finger.tap_buttons("template plain")
        await self._take("a template")
        await self.finger.tap_buttons("copy")
        await self.finger.tap_buttons(*(["ABC"] if self.finger.can_tap("ABC") else []), "1", "done")
        await self._take("a template of our own")
        await self.finger.tap_buttons("design coin")
        await self._take("a piece of a template")
        await self.finger.tap_buttons("cancel", "delete", "yes", "close", "close")

    async def _rounds(self) -> None:
        """Points by rounds: one is entered, and the sheet of all so far."""
        controller = self.app.controller
        controller.start_new_game("any_game", self.names, COLOURS, {"template": "points"})
        for at in range(3):
            controller.answer_question(controller.view.question_number, "write_round")
            controller.answer_question(
                controller.view.question_number, {str(seat): seat * 4 - at * 7 for seat in range(1, 5)}
            )
        controller.answer_question(controller.view.question_number, "write_round")
        await self.finger.wait_frames(2)
        if self.finger.can_tap("unfold"):
            await self.finger.tap_buttons("unfold")
        await self.finger.tap_buttons("1", "2", "confirm", "sign", "7")
        await self._take("a round")
        for _ in range(3):
            await self.finger.tap_buttons("confirm")
        await self._score_sheet()
        controller.leave_table()
        controller.start_new_game("any_game", self.names, COLOURS, {"template": "poker"})
        await self.finger.wait_frames(2)
        await self.finger.tap_buttons("done")
        await self._open_bank()
        await self.finger.tap_buttons("pay", "3", "7")
        await self._take("an amount")
        controller.leave_table()
        await self.finger.wait_frames(2)

    async def _score_sheet(self) -> None:
        """All rounds so far, one of their numbers, and how the score went."""
        await self.finger.tap_buttons("more", "score")
        await self._take("score sheet")
        while self.finger.can_tap("page back"):
            await self.finger.tap_buttons("page back")
        while not self.finger.can_tap("cell 1 2"):
            await self.finger.tap_buttons("page on")
        await self.finger.tap_buttons("cell 1 2")
        await self._take("amend a round")
        await self.finger.tap_buttons("close", "course")
        await self._take("standing so far")
        await self.finger.tap_buttons("close", "close")

    async def show_crowd(self, people: int) -> None:
        """Many people: how they sit down, bid, are paid, bid in secret, and stand at the end."""
        app, controller = self.app, self.app.controller
        names, what = self.crowd[:people], f"{people} people"
        before = controller.load_remembered_value("people", [])
        controller.remember_value("people", list(zip(names, EVERY_COLOUR, strict=False)))
        await self.finger.wait_frames(2)
        await self.finger.tap_buttons(self._title("any_game"), "template plain")
        await self._pages(
            (
                (f"{what} sit down", (), ()),
                (f"{what}, which piece", ("colour",), ("no",)),
                (f"{what}, who sits where", ("sides",), ("close",)),
            )
        )
        app.show_home()
        await self.finger.wait_frames(2)
        await self._many_bid(names, what)
        await self._many_seal(names, what)
        controller.remember_value("people", before)

    async def _many_bid(self, names: Sequence[str], what: str) -> None:
        """An auction, points, the bank; then the score of a game that many played."""
        app, controller = self.app, self.app.controller
        controller.start_new_game("any_game", names, EVERY_COLOUR[: len(names)], {"template": "train"})
        for answer in ("auction", *(3 * number for number in range(1, 6))):
            controller.answer_question(controller.view.question_number, answer)
        await self._take(f"{what} bid")
        while controller.view.question.seat is not None:
            controller.answer_question(controller.view.question_number, None)
        await self._pages(
            (
                (f"{what} play", (), ()),
                (f"{what}, the bank", ("bank",), ("close",)),
                (f"{what}, who they are", ("more", "people"), ("close",)),
            )
        )
        controller.answer_question(controller.view.question_number, "start_player")
        await self._take(f"{what}, who starts")
        controller.answer_question(controller.view.question_number, "3")
        controller.answer_question(controller.view.question_number, "finish")
        app.stage.screen.turn_up_all_cards()
        await self._take(f"{what} score")
        await self._pages(
            ((f"{what} chart", ("chart",), ("close",)), (f"{what} code", ("code",), ("close",)))
        )
        await self.finger.tap_buttons("put away")

    async def _many_seal(self, names: Sequence[str], what: str) -> None:
        """Half of them have closed their envelopes; then all are open."""
        app, controller, pause = self.app, self.app.controller, theme.REVEAL_PAUSE_SECONDS
        controller.start_new_game("sealed_bid", names, EVERY_COLOUR[: len(names)], {"start": "500"})
        seats = controller.view.seats
        for seat in seats[::2]:
            controller.seal_answer_in_envelope(controller.view.question_number, seat, 7 * seat.number)
        await asyncio.sleep(theme.TURN_SECONDS)
        await self._take(f"{what} seal")
        theme.REVEAL_PAUSE_SECONDS = LONG
        for seat in seats[1::2]:
            controller.seal_answer_in_envelope(controller.view.question_number, seat, 7 * seat.number)
        app.table_flow.last_reveal_screen.skip_to_end()
        await self._take(f"{what} reveal")
        theme.REVEAL_PAUSE_SECONDS = pause
        await self.finger.tap_buttons("go on")
        controller.leave_table()
        await self.finger.wait_frames(2)

    async def _demo(self) -> None:
        """A game that plays by itself, and what a touch on its keys asks."""
        self.app.home_flow.play_demo()
        await self.finger.wait_until(lambda: self.finger.can_tap("undo"))
        await self._take("demo")
        await self.finger.tap_buttons("undo")
        await self._take("demo invites")
        await self.finger.tap_buttons("no")
        self.app.controller.leave_table()

    async def _by_hand(self) -> None:
        """Undo, photographed, and put right again."""
        paid = self.app.controller.view.question.price.owed
        rate = self.app.controller.view.question.price.rates[-1]
        await self.finger.tap_buttons(*["more 2"] * (-(-paid // rate.value)))
        await self._take("payment counted")
        await self.finger.tap_buttons("lay", "undo")
        await self._take("by hand")
        await self.finger.tap_buttons(self.app.tr("All moved"))

    async def _tour(self, game: str) -> None:
        """A recorded match: each question when it is asked first, and once more when much lies there."""
        app, controller = self.app, self.app.controller
        events = load_recorded_events(game)
        began = events[0]
        assert isinstance(began, Began)
        options = {
            key: NO_NUMBER_WORD if value is None else str(value) for key, value in began.options.items()
        }
        controller.start_new_game(game, self.names[: len(began.names)], COLOURS[: len(began.names)], options)
        asked: Counter[str] = Counter()
        for step in build_timeline(events).steps:
            if isinstance(step, Corrected):
                continue
            question, n = controller.view.question, controller.view.question_number
            about = _about(question)
            asked[about] += 1
            if asked[about] in (1, LATER):
                name = f"{game} {about} {asked[about]}"
                await self._take(name)
                if name == COVERED:
                    await self._covered(controller.view.seats[1].name)
            if isinstance(question, Together):
                for seat in question.seats:
                    controller.seal_answer_in_envelope(n, seat, step.answer[str(seat.number)])
                app.table_flow.last_reveal_screen.close()
            else:
                controller.answer_question(n, step.answer)
        await self._score_of(game)

    async def _score_of(self, game: str) -> None:
        await self._score_up(f"{game} score")
        await self.finger.tap_widget(self.app.stage.screen.rank_cards[0])
        await self._take(f"{game} sum")
        await self.finger.tap_buttons(self.app.tr("Close"), "put away")

    async def _table(self, template: str) -> None:
        """Whatever people do: the menu once something lies there, and each other question as it comes."""
        controller, rng, taken = self.app.controller, Random(template), set[str]()
        lot = render(LOT, self.app.lang)
        controller.start_new_game("any_game", self.names, COLOURS, {"template": template})
        for answers in range(MOST_ANSWERS):
            question, n = controller.view.question, controller.view.question_number
            about = _about(question)
            if about not in taken and (question.seats or answers > SETTLED):
                taken.add(about)
                await self._take(f"any game {template} {about}")
            if len(taken) == MOST_LOOKS:
                break
            if isinstance(question, Together):
                for seat, part in question.parts_by_seat.items():
                    controller.seal_answer_in_envelope(n, seat, part.answer_to_json(_said(part, rng, lot)))
                self.app.table_flow.last_reveal_screen.close()
            else:
                controller.answer_question(n, question.answer_to_json(_said(question, rng, lot)))
        controller.put_away()
        await self.finger.wait_frames(2)

    async def _score(self) -> None:
        await self._take("score face down")
        await self._score_up("score")
        await self.finger.tap_widget(self.app.stage.screen.rank_cards[0])
        await self._take("sum")
        await self.finger.tap_buttons(self.app.tr("Close"))
        await self._pages((("chart", ("chart",), ("close",)), ("code", ("code",), ("close",))))
        await self.finger.tap_buttons("put away")

    async def _score_up(self, what: str) -> None:
        """All cards, and before them what the last answer led to, where a key opens that."""
        score = self.app.stage.screen
        score.turn_up_all_cards()
        await self.finger.wait_frames(2)
        if self.finger.can_tap("what happened"):
            await self.finger.tap_buttons("what happened")
            await self._take_picture(f"{what}, what happened")
            score.events_notice.close()
        await self._take(what)

    async def _sealed(self) -> None:
        """A second sealed round, with envelopes that might be torn up, and its reveal."""
        app, controller = self.app, self.app.controller
        controller.start_new_game("sealed_bid", self.names, COLOURS, {})
        for seat in controller.view.seats:
            controller.seal_answer_in_envelope(controller.view.question_number, seat, seat.number)
        app.table_flow.last_reveal_screen.skip_to_end()
        await self.finger.wait_frames(1)
        await self.finger.tap_buttons("go on", "again")
        await self._take("envelopes open")
        first, *others = controller.view.seats
        await self._seal(first.name, BIDS[0])
        controller.seal_answer_in_envelope(controller.view.question_number, others[0], BIDS[1])
        await asyncio.sleep(theme.TURN_SECONDS)
        await self._take("envelopes")
        await self.finger.tap_buttons("undo")
        await self._take("tear up")
        await self.finger.tap_buttons(app.tr("Keep it"))
        app.show_home()
        await self._take("home with an open game")
        await self.finger.tap_buttons("waiting")
        await self._take("waiting games")
        await self.finger.tap_buttons("close")
        controller.resume_saved_game()
        await self._reveal(others[1:])

    async def _reveal(self, missing: Sequence[Seat]) -> None:
        """All in, open, and an undo that would hide it again."""
        app, controller = self.app, self.app.controller
        theme.REVEAL_PAUSE_SECONDS = LONG
        for seat, bid in zip(missing, BIDS[-len(missing) :], strict=True):
            controller.seal_answer_in_envelope(controller.view.question_number, seat, bid)
        await self._take("all in")
        app.table_flow.last_reveal_screen.skip_to_end()
        await self._take("reveal")
        await self.finger.tap_buttons("go on")
        await self._take("another round")
        await self.finger.tap_buttons("undo")
        await self._take("past a reveal")

    async def _seal(self, name: str, bid: int) -> None:
        from ui.widgets.seats.private_view import hand_over_text

        await self.finger.tap_buttons(name)
        await self._take("cover")
        await self.finger.tap_buttons(hand_over_text(name), *str(bid))
        await self._take("entering")
        await self.finger.tap_buttons("confirm")
        await asyncio.sleep(theme.TURN_SECONDS)
        await self._take("closed")
        await asyncio.sleep(theme.REVEAL_PAUSE_SECONDS)


def people(lang: str) -> Sequence[str]:
    """Returns a dozen names as readers of a language write them, where it has some."""
    known = languages()
    return [*dict.fromkeys((*known[lang].demo_names, *known[ENGLISH].demo_names))][: len(EVERY_COLOUR)]


def _about(question: Any) -> str:
    """What kind of question it is and its words without the names and numbers in them."""
    text = question.question.template if isinstance(question, SingleQuestion | Together) else ""
    return f"{question.kind} {re.sub('[^A-Za-z ]+', '', re.sub('{.*?}', '', text))}".strip()[:40]


def _said(question: Any, rng: Random, lot: str) -> Any:
    """What people might answer; to finish comes last, and what is sold is called so."""
    match question:
        case Amount(least=least, step=step, highest_publicly_allowed=most):
            usual = max(0, least) + step * rng.randrange(SMALL)
            return usual if most is None else min(usual, most)
        case Write():
            return lot
        case Choose(offered_options=offered) if "finish" in offered:
            return rng.choice([key for key in question.legal_option_keys if key != "finish"])
    return question.random_legal_answer(rng)


def _first_turns(events: Sequence[Any]) -> dict[int, str]:
    """The steps of a recorded match before which something is worth a photograph, each thing once."""
    log = MemoryLog([events[0]])
    session = Session(installed_games.playable_game(events[0].game), log, log)
    step_by_name: dict[str, int] = {}
    for index, step in enumerate(build_timeline(events).steps):
        assert isinstance(step, Answered)
        if name := _turn(session.question):
            step_by_name.setdefault(name, index)
        session.answer(session.question_number, step.answer)
    return {index: name for name, index in step_by_name.items()}


def _turn(question: Any) -> str:
    """What is worth a photograph of this question: an auction under way, a payment, a warning."""
    match question:
        case Raise(bids=bids) if len(bids) > 1:
            return "auction"
        case Read(price=worth) if worth is not None and worth.owed > WORTH_A_LOOK:
            return "payment"
        case Choose(seat=seat) if seat is not None:
            return "overpaid"
    return ""
