"""The gallery of a game's presets, from which people choose what to play.

Each preset is a card with a picture, a sentence, and what it is good for. The presets played last come first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil
from typing import Any

from kivy.uix.gridlayout import GridLayout

from companion.rules.game import Game, PresetDescription
from companion.texts import Say, render
from ui import theme
from ui.events import bind_weak
from ui.pages import Page
from ui.widgets.drawing.containers import add_children
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.preset_card import PresetCard, min_card_height
from ui.words import capitalize_first_letter

MIN_CARD_WIDTH_IN_TARGETS = 5.9
"""The least width of a card."""
GAP_BETWEEN_CARDS = 0.5
"""The gap between cards, as a share of the theme's gap."""
MAX_TABS_IN_ROW_IF_UPRIGHT = 3
"""The most groups side by side on an upright screen."""


class GalleryPage(Page):
    """A page with a card for each preset of a game, in groups.

    `descriptions` are what people read and see of each preset, by name. `recent_names` are the presets that
    were played last, the latest first; they come before all others.
    """

    __events__: tuple[str, ...] = (
        "on_choose",  # name: people choose that preset
        "on_own",  # people make a preset of their own
    )

    def __init__(
        self,
        game: Game,
        descriptions: Mapping[str, PresetDescription],
        recent_names: Sequence[str] = (),
        favourite_names: Collection[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._game, self._descriptions, self._favourites = game, descriptions, favourite_names
        recent = [name for name in recent_names if name in descriptions]
        self._names = list(dict.fromkeys((*recent, *descriptions)))
        self._groups = list(dict.fromkeys(one.group for one in descriptions.values() if one.group.template))
        self._open_group: Say | None = None
        bind_weak(self.app, "lang", self._fill)
        self._fill()

    def _fill(self, *_: object) -> None:
        """Fills the page in the reader's language."""
        self.clear_widgets()
        columns, rows = self._choose_grid()
        self.pager = Pager(
            cols=columns,
            rows=rows,
            between=theme.length.gap * GAP_BETWEEN_CARDS,
            has_external_keys=True,
            make=self._make_card,
        )
        own_key = self.make_event_key("on_own", name="own", look="felt", size_hint_x=None)
        if self.app.stage.is_next_page_portrait:
            own_key.icon, own_key.width = "pen", theme.length.target
        else:
            own_key.text = self.app.tr("Our own")
            own_key.width = own_key.min_width_in_row()
        page_keys = (self.pager.back_key, self.pager.page_number, self.pager.next_key)
        self.add_content(
            render(self._game.title, self.app.lang),
            self._make_tabs(),
            self.pager,
            keys_beside_title=(*page_keys, own_key),
        )
        self._show_group(self._open_group)

    def _choose_grid(self) -> tuple[int, int]:
        """Returns columns and rows of a page of cards."""
        sizes = theme.length
        width, height = self.app.stage.next_page_size
        gap = sizes.gap
        cards_height = height - 4 * gap - sizes.target - self._tabs_height
        between = gap * GAP_BETWEEN_CARDS
        columns = max(1, int((width - gap) // (MIN_CARD_WIDTH_IN_TARGETS * sizes.target + between)))
        return columns, max(1, int((cards_height + between) // (min_card_height() + between)))

    @property
    def _tabs_height(self) -> float:
        return self._tab_rows * (theme.length.target + theme.length.gap) - theme.length.gap

    @property
    def _tab_rows(self) -> int:
        """Number of rows in which the groups stand."""
        tabs = len(self._groups) + 1
        return ceil(tabs / MAX_TABS_IN_ROW_IF_UPRIGHT) if self.app.stage.is_next_page_portrait else 1

    def _make_tabs(self) -> GridLayout:
        """Returns a key for all presets, and a key for each group."""
        sizes, rows, lang = theme.length, self._tab_rows, self.app.lang
        columns = ceil((len(self._groups) + 1) / rows)
        grid = GridLayout(cols=columns, spacing=sizes.gap, size_hint_y=None, height=self._tabs_height)
        texts: dict[Say | None, str] = {None: self.app.tr("All")}
        texts |= {group: render(group, lang) for group in self._groups}
        self._tabs = {
            group: Key(name=f"group {group.template if group else 'all'}", text=text, has_narrow_margins=True)
            for group, text in texts.items()
        }
        for group, key in self._tabs.items():
            key.bind(on_release=lambda _, group=group: self._show_group(group))
        return add_children(grid, *self._tabs.values())

    def _show_group(self, group: Say | None) -> None:
        """Shows the presets of a group; None: all presets."""
        self._open_group = group
        for each, key in self._tabs.items():
            key.chosen = each == group
        self.pager.page = 0
        self.pager.items = [
            name for name in self._names if group is None or self._descriptions[name].group == group
        ]

    def _make_card(self, name: str) -> PresetCard:
        description, lang, tr = self._descriptions[name], self.app.lang, self.app.tr
        least, most = description.players or self._game.players
        good_for = render(description.good_for, lang)
        card = PresetCard(
            name=f"template {name}",
            text=capitalize_first_letter(render(self._game.preset_option.choices[name], lang)),
            sentence=render(description.sentence, lang),
            good_for=tr("For {what}", what=good_for) if good_for else "",
            players_text=str(least) if least == most else f"{least}–{most}",
            picture=description.picture,
            is_favourite=name in self._favourites,
        )
        card.bind(on_release=lambda _: self.dispatch("on_choose", name))
        return card
