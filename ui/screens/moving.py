"""What is asked before pieces move by hand: how many, and why.

    Moved(app, held, "coin: bank → Aki's purse", 0, reasons=not game.free_moves, take=move)

`take(count, reason, again)` moves them; it is called once, or never where people give it up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.session.view import Holding
from ui import theme
from ui.host import Host
from ui.widgets.drawing.putting import put
from ui.widgets.keys.key import Key
from ui.widgets.keys.pad import Pad
from ui.widgets.sheets.dialog import Dialog
from ui.widgets.sheets.head import Head
from ui.widgets.sheets.keyboard import keyboard
from ui.widgets.sheets.overlay import Overlay

LONGEST_REASON = 40
Take = Callable[[int, str, bool], None]


class Moved:
    """One move, from taking hold of a piece to its reason; `way` says from where to where.

    `count` is how many, 0 where nobody has said it.
    """

    def __init__(self, app: Host, held: Holding, way: str, count: int, *, reasons: bool, take: Take) -> None:
        self.app, self.held, self.way = app, held, way
        self._reasons, self._take = reasons, take
        if count or (held.count == 1 and not held.endless):
            self._why(count or 1)
        else:
            self._how_many()

    def _how_many(self) -> None:
        """The pad; what is covered or never ends has no highest number that could be shown."""
        tr, sizes = self.app.tr, theme.length
        most = None if self.held.endless else self.held.count
        sentence = tr("{least} or more", least=1)
        if most is not None:
            sentence = tr("From {least} to {most}", least=1, most=most)
        pad = Pad(least=1, most=most, sentence=sentence, yes=tr("Move {amount}", amount="{amount}"))
        pad.start_at(1)
        head = Head(self.way)
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        overlay = Overlay(put(page, head, pad))
        head.bind(on_close=overlay.close)

        def confirmed(_pad: Pad, amount: int) -> None:
            overlay.close()
            self._why(amount)

        pad.bind(on_confirm=confirmed)
        self.app.stage.lay(overlay)

    def _why(self, count: int) -> None:
        reasoned(self.app, self.way, reasons=self._reasons, take=partial(self._take, count))


def reasoned(app: Host, title: str, *, reasons: bool, take: Callable[[str, bool], None]) -> None:
    """Takes a reason, and whether the question is asked again; at once where the game wants none."""
    if not reasons:
        take("", False)
        return
    why = Why(app, title=title)
    why.bind(on_reason=lambda _, reason, again: take(reason, again))
    app.stage.lay(why)


class Why(Dialog):
    """Ready reasons and one's own words; the open question may be asked again after the move.

    The dialog takes itself away before it tells.
    """

    wide, tall = 0.94, 0.96
    __events__ = (
        *Dialog.__events__,
        "on_reason",  # reason, again: why the pieces move, and whether the question is asked again
    )

    def __init__(self, app: Host, **kwargs: Any) -> None:
        self.app = app
        tr, sizes = app.tr, theme.length
        grid = GridLayout(cols=2, spacing=sizes.gap)
        reasons = {
            "miscounted": tr("Miscounted"),
            "forgotten": tr("We forgot a move"),
            "wrong place": tr("It was in the wrong place"),
            "house rule": tr("House rule"),
        }
        for name, text in reasons.items():
            put(grid, Key(name=name, text=text, on_release=lambda key: self._give(key.text)))
        own = Key(name="own words", text=tr("Another reason"), icon="pen")
        own.bind(on_release=lambda _: self._type())
        self.again = Key(name="ask again", text=tr("Also ask this question again"))
        self.again.bind(on_release=lambda key: key.setter("chosen")(key, not key.chosen))
        put(grid, own, self.again)
        answers = [("no", tr("Don't move it"), "paper")]
        super().__init__(body=grid, answers=answers, **kwargs)

    def _type(self) -> None:
        heading = self.app.tr("Why?")
        self.app.stage.lay(keyboard(heading, self._give, most=LONGEST_REASON))

    def _give(self, reason: str) -> None:
        self.leave()
        self.dispatch("on_reason", reason, self.again.chosen)
