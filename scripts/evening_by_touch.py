"""One whole evening by touch, from the first start until the machine is shut down, to be photographed.

    await EveningByTouch(app, finger, take, names).play()

The app must ask the first questions, and its store must be empty. People answer them, try the guided bid,
play Egypt, property trading with the bank, and points by rounds; then they look at their records. Every step
is a touch of the simulated finger; `take(name)` photographs what is shown.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from companion import installed_games
from companion.log.events import Answered
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.requests import Raise, Read
from companion.texts import render
from ui.demo.demo import Demonstration
from ui.demo.hand import AnsweringHand

TRIAL_BIDS = (12, 7, 9)
"""What the first three people bid in the guided round."""
MANY_BIDS, WORTH_A_LOOK = 2, 2
"""Bids of an auction, and the price of a payment, above which it is photographed."""
LEFT_AT = 60
"""The answer of Egypt before which people look at home, with the game that waits."""
RENTS = ((0, 1, 150), (3, 1, 220), (2, 0, 37))
"""Who pays whom how much in the property game, by the numbers of their tiles."""
POINTS = ((12, 7, -3, 20), (5, 18, 9, 0), (14, 6, 11, 8))
"""The points of each round."""

CEREMONY_SECONDS = 120.0
"""The most seconds that a ceremony takes."""
CONFETTI_FALLS = 0.35
"""The share of the confetti's time after which it is photographed."""


class EveningByTouch:
    """One evening of four people; `names` are typed on the keyboard of the screen."""

    def __init__(
        self, app: Any, finger: Any, take: Callable[[str], Awaitable[None]], names: Sequence[str]
    ) -> None:
        self.app, self.finger, self._take, self.names = app, finger, take, names
        self._hand = AnsweringHand(app, finger)
        self._demonstration = Demonstration(app, self._hand, {}, None)

    async def play(self) -> None:
        """The whole evening."""
        await self.finger.wait_until(lambda: hasattr(self.app, "table_flow"))
        await self._first_start()
        await self._guided_bid()
        await self._egypt()
        await self._property()
        await self._points()
        await self._records()
        await self._shut_down()

    async def _first_start(self) -> None:
        await self.finger.wait_until(lambda: self.finger.can_tap("done"))
        await self._tap(f"language {self.app.lang}")
        await self._take("first start")
        await self._tap("done")
        await self._take("newcomers")

    async def _guided_bid(self) -> None:
        """The short game with hints: three people seal a bid each, and see who wins."""
        await self._tap("try", f"try with {len(TRIAL_BIDS)}")
        question, number = self.app.controller.view.question, self.app.controller.view.question_number
        for (seat, part), bid in zip(question.parts_by_seat.items(), TRIAL_BIDS, strict=True):
            await self._hand.seal_answer(seat, part, bid)
            if not self.app.controller.view.opened_envelopes:
                await self._take(f"hints {seat.number}")
        await self.finger.wait_until(lambda: self.app.controller.view.question_number != number)
        reveal = self.app.table_flow.last_reveal_screen
        await self.finger.wait_until(lambda: self.finger.can_tap("go on", reveal))
        await self._take("guided bid")
        await self._tap("go on")
        await self._finish()

    async def _egypt(self) -> None:
        """The game that home suggests, as four people played it."""
        await self._sit_down()
        wanted = {"auction", "payment"}
        for count, step in enumerate(build_timeline(load_recorded_events("egypt")).steps):
            assert isinstance(step, Answered)
            await self._close_notice()
            if count == LEFT_AT:
                await self._leave_and_come_back()
            name = _moment(self.app.controller.view)
            if name in wanted:
                wanted.discard(name)
                await self._take(name)
            await self._demonstration.enter_answer(self.app.controller.view.question, step.answer)
        await self._see_score(look=("podium", "score"))
        await self.finger.tap_widget(self.app.stage.screen.rank_cards[0])
        await self._take("sum")
        await self._tap("close")
        for page in ("chart", "code"):
            await self._tap(page)
            await self._take(page)
            await self._tap("close")
        await self._tap("put away")

    async def _sit_down(self) -> None:
        """Names are typed in one go."""
        await self._tap("suggested", str(len(self.names)), self.app.tr("Player {n}", n=1))
        for name in self.names:
            await self._type(name)
            if name == self.names[0]:
                await self._take("keyboard")
            await self._tap("done")
        await self._take("players")
        await self._tap("begin")

    async def _leave_and_come_back(self) -> None:
        await self._tap("more")
        await self._take("more")
        await self._tap("home")
        await self._take("home with an open game")
        await self._tap(self.app.tr("Continue"))

    async def _property(self) -> None:
        """Rents are typed in the bank, and the change is seen on the panels."""
        await self._tap(self._title("any_game"))
        await self._take("gallery")
        await self._choose_template("property")
        await self._tap("begin", "bank", "pay")
        for payer, payee, amount in RENTS:
            await self._tap(*str(amount))
            for party in (payer, payee):
                await self.finger.tap_widget(self._tiles()[party])
        await self._tap("close", "close")
        await self.finger.wait_until(lambda: not self._coins())
        await self._take("money moves")
        await self._tap("bank")
        await self._take("bank")
        await self._tap("close")
        await self._finish()

    def _tiles(self) -> list[Any]:
        """The tiles of the page on which an amount is paid, in their order."""
        return self._find("MoneyPlaceTile")[::-1]

    def _coins(self) -> list[Any]:
        """Coins that slide over the table."""
        return self._find("SlidingCoins")

    def _find(self, class_name: str) -> list[Any]:
        """All widgets of this class, the topmost first."""
        found = self.finger.walk_widgets_from_top()
        return [widget for widget in found if type(widget).__name__ == class_name]

    async def _points(self) -> None:
        """Three rounds of a card game, whose points are entered on the sheet."""
        await self._tap(self._title("any_game"))
        await self._choose_template("points")
        await self._tap("begin", "write_round")
        for points in POINTS:
            for index, value in enumerate(points):
                if points == POINTS[-1] and index == len(points) // 2:
                    await self._take("a round")
                await self._tap(*["sign"] * (value < 0), *str(abs(value)), "confirm")
        await self._tap("more", "score")
        await self._take("score sheet")
        await self._tap("close")
        await self._finish()

    async def _records(self) -> None:
        """Past games, and who has won how often."""
        egypt = next(saved for saved in self.app.evening.past_games() if saved.game == "egypt")
        await self._tap("past")
        await self._take("past games")
        await self._tap(f"game {egypt.number}")
        await self._take("a past game")
        await self._tap("more")
        await self._take("what to do with it")
        await self._tap("close", "shelf", "regulars")
        await self._take("players of the past")
        await self._tap(f"regular {self.names[0]}")
        await self._take("a player")
        await self._tap("close", "close", "close")

    async def _shut_down(self) -> None:
        await self._tap("quit")
        await self._take("shut down")
        await self._tap("off")
        await self._take("good night")

    async def _finish(self) -> None:
        """Ends a game that people end when they like, and puts it away."""
        if self.finger.can_tap("menu"):  # the next round is shown in place of the menu
            await self._tap("menu")
        while not self.finger.can_tap("finish"):
            await self._tap("page on")
        await self._tap("finish", "sure")
        await self._see_score()
        await self._tap("put away")

    async def _see_score(self, look: Sequence[str] = ()) -> None:
        """Watches the ceremony until its end; each name of `look` is a picture."""
        score = self.app.stage.screen
        await self.finger.wait_until(lambda: score.is_ceremony_over, CEREMONY_SECONDS)
        if score.winners_page is not None:
            if "podium" in look:
                await self.finger.wait_until(lambda: score.winners_page.confetti.time_share > CONFETTI_FALLS)
                await self._take("podium")
            await self.finger.tap_widget(score.winners_page)
        await self.finger.wait_frames(2)
        await self._close_notice()
        if "score" in look:
            await self._take("score")

    async def _close_notice(self) -> None:
        """Touches the card of what happened, if it covers the screen."""
        notice = self.app.stage.screen.events_notice
        if notice is not None and notice.parent is not None:
            await self.finger.tap_widget(getattr(notice, "sheet", notice))

    async def _choose_template(self, name: str) -> None:
        while not self.finger.can_tap(f"template {name}"):
            await self._tap("page on")
        await self._tap(f"template {name}")

    async def _type(self, name: str) -> None:
        """Types a name: in kana where it has only those, else on the Latin keyboard."""
        for script in () if name.isascii() else ("hiragana", "katakana"):
            if self.finger.can_tap(script):
                await self._tap(script)
            if all(self.finger.can_tap(letter) for letter in name):
                await self._tap(*name)
                return
        await self._hand.type_text(name)

    async def _tap(self, *names: str) -> None:
        await self.finger.tap_buttons(*names)

    def _title(self, game: str) -> str:
        return render(installed_games.playable_game(game).title, self.app.lang)


def _moment(view: Any) -> str:
    """What is worth a photograph of this view."""
    match view.question:
        case Raise(bids=bids) if len(bids) > MANY_BIDS:
            return "auction"
        case Read(price=price) if price is not None and price.owed > WORTH_A_LOOK:
            return "payment"
    return ""
