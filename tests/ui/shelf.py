"""Two boxes as set-up sees them, and a note of what the app was told to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from companion.languages import languages
from tests.soak import SOAK
from ui.evening.boxes import Begin, Box, Going, NumberOption, PickOption

SIZES = [(800, 480), (1280, 720)]

LOOKS = list(product(SIZES, languages())) if SOAK else [(SIZES[0], "ja")]
"""Size and language of a screen that is looked at: all in a soak, otherwise the tightest."""
TITLES = {
    "en": {"egypt": "Egypt", "sealed_bid": "Sealed bid"},
    "ja": {"egypt": "エジプトの人買い", "sealed_bid": "封印入札"},
}


@dataclass
class PaperShelf:
    """A shelf that writes down what it is asked."""

    open_game: bool = False
    lately: list[list[tuple[str, str]]] = field(default_factory=list)
    """Groups who played together."""
    heard: list[object] = field(default_factory=list)

    def boxes(self, lang: str) -> list[Box]:
        """Egypt and the sealed bid with options of every kind."""
        ja = lang == "ja"
        title = TITLES[lang]
        pays = PickOption(
            "pay_rule",
            "支払う額" if ja else "What each bidder pays",
            "誰がいくら払うかを決めます。" if ja else "Everyone who bid pays in the end.",
            "own_bid",
            (
                ("own_bid", "自分の入札額" if ja else "Own bid"),
                ("winning_bid", "落札額" if ja else "Winning bid"),
            ),
        )
        ties = PickOption(
            "ties",
            "同額" if ja else "Ties",
            "同じ額のとき。" if ja else "When two bid the same.",
            "again",
            (
                ("again", "もう一度" if ja else "Bid again"),
                ("first", "先の人" if ja else "The first"),
                ("nobody", "だれも落札しない" if ja else "Nobody wins it"),
            ),
        )
        start = NumberOption(
            "start",
            "始めの持ち金" if ja else "Money at the start",
            "なしにすると、支払いは記録だけです。" if ja else "Without it payments are only recorded.",
            None,
            1,
            999,
            "なし" if ja else "None",
        )
        most = NumberOption(
            "most",
            "入札の上限" if ja else "Highest bid",
            "これより高い入札はできません。" if ja else "Nobody may bid more than this.",
            999,
            1,
            9999,
        )
        return [
            Box("egypt", title["egypt"], 3, 5, options=(pays,)),
            Box("sealed_bid", title["sealed_bid"], 2, 5, options=(pays, start, most, ties)),
        ]

    def going(self, lang: str) -> list[Going]:
        """A game of Egypt, if one is open."""
        if not self.open_game:
            return []
        people = (("Aki", "orange"), ("Ben", "sky"), ("ちえ", "green"))
        since = "金曜 20:15 から" if lang == "ja" else "since Friday 20:15"
        return [Going("egypt", TITLES[lang]["egypt"], people, since, number=7, names="Aki, Ben, ちえ")]

    def people(self) -> list[tuple[str, str]]:
        """Nobody has played before."""
        return []

    def groups(self) -> list[list[tuple[str, str]]]:
        """Those who played together."""
        return self.lately

    def sides(self, people: Sequence[tuple[str, str]]) -> None:
        """Note it."""
        self.heard.append(people)

    def templates(self, done: Callable[[str], object]) -> None:
        """Note it."""
        self.heard.append(done)

    def inputs(self, seat: int) -> dict[str, bool]:
        """Nobody has any."""
        return {}

    def begin(self, begin: Begin) -> None:
        """Note it."""
        self.heard.append(begin)

    def resume(self, number: int) -> None:
        """Note it."""
        self.heard.append(f"resume {number}")

    def waiting(self) -> None:
        """Note it."""
        self.heard.append("waiting")

    def past(self) -> None:
        """Note it."""
        self.heard.append("past")

    def demo(self) -> None:
        """Note it."""
        self.heard.append("demo")

    def cards(self) -> None:
        """Note it."""
        self.heard.append("cards")

    def settings(self) -> None:
        """Note it."""
        self.heard.append("settings")


def paper_app(shelf: PaperShelf, **kwargs: Any) -> Any:
    """The app over a paper shelf: home and set-up, and no evening."""
    from ui.app import CompanionApp
    from ui.flows.at_home import AtHome

    class PaperApp(CompanionApp):
        def on_start(self) -> None:
            self.home = AtHome(self, shelf, self.leaving)
            self.go_home()

    return PaperApp(None, **kwargs)  # type: ignore[arg-type]  # no evening is opened
