"""The house rules on the touchscreen: the games, and for each the options with which new games begin.

The pages know no game; they draw what `companion.house_rules` says of the installed games.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from companion.house_rules import GameVariant, game_variants, load_house_rules
from companion.installed_games import playable_games
from companion.rules.game import Game
from companion.settings import Settings
from companion.table.table import OptionValue
from companion.texts import render
from ui import theme
from ui.evening.controller import TableController
from ui.events import bind_weak
from ui.host import AppWithEvening
from ui.pages import DialogChoice, Page, open_choice_dialog, open_page, run_or_explain
from ui.screens.options import OptionsPager, SlipWithKey
from ui.widgets.keys.key import Key
from ui.words import capitalize_first_letter

MAX_RULES_IN_WORDS = 2
"""The most house rules of a game that its slip says in words."""
PRESET_LIST_COLUMNS, PRESET_LIST_COLUMNS_IF_UPRIGHT = 3, 2
PRESET_LIST_FRAME_ROWS = 4
"""The height of the frame of a list of presets, in rows: title, keys under the list, and edges."""


def open_house_rules(app: AppWithEvening) -> None:
    """Opens the page with a slip for each game that has options."""
    open_page(HouseRulesPage(app.controller))


class HouseRulesPage(Page):
    """A page with a slip for each game that has options: its house rules, and a key that leads to them.

    House rules of a game that isn't installed can be deleted.
    """

    def __init__(self, controller: TableController) -> None:
        super().__init__()
        self._controller = controller
        self._pager = OptionsPager((), {})
        self.add_content(self.app.tr("House rules"), self._pager)
        bind_weak(controller, "settings", self._show_games)
        self._show_games(controller, controller.settings)

    def _show_games(self, _controller: TableController, settings: Settings) -> None:
        """Shows the house rules as they are now."""
        directory = self.app.evening.store.directory
        slips: list[SlipWithKey] = []
        known_keys: set[str] = set()
        for game in playable_games():
            variants = list(game_variants(directory, game))
            known_keys |= {variant.key for variant in variants}
            if variants:
                slips.append(self._make_slip(game, variants, settings))
        self._pager.show_options([*slips, *self._make_slips_of_missing_games(known_keys)], {})

    def _make_slip(self, game: Game, variants: list[GameVariant], settings: Settings) -> SlipWithKey:
        """Returns the slip of a game; the key of a game with presets opens a list of them."""
        tr, lang, rules = self.app.tr, self.app.lang, settings.house_rules
        title, hint = render(game.title, lang), tr("The usual rules.")
        changed = [variant for variant in variants if variant.key in rules]
        if game.presets is not None:
            if changed:
                hint = self.app.trn(
                    "{n} template with house rules", "{n} templates with house rules", len(changed)
                )
            choose = partial(self._choose_preset, title, variants)
            return SlipWithKey(game.key, title, hint, tr("Templates"), choose)
        (variant,) = variants
        if changed:
            values = rules[variant.key]
            hint = self.app.trn("{n} house rule", "{n} house rules", len(values))
            if len(values) <= MAX_RULES_IN_WORDS:
                hint = render(variant.describe_values(values), lang)
        return SlipWithKey(game.key, title, hint, tr("Change"), partial(self._open_variant, variant))

    def _make_slips_of_missing_games(self, known_keys: Collection[str]) -> list[SlipWithKey]:
        """Returns a slip for each game or preset that has house rules and can't be played now."""
        tr = self.app.tr
        hint = tr("Not installed, or can't be loaded. Its house rules are kept.")
        return [
            SlipWithKey(key, key, hint, tr("Delete"), partial(self._delete_rules, key))
            for key in _keys_of_unusable_rules(self._controller)
            if key not in known_keys
        ]

    def _delete_rules(self, key: str) -> None:
        self._controller.move_house_rules(key)
        self._show_games(self._controller, self._controller.settings)  # rules that aren't used are no change

    def _choose_preset(self, title: str, variants: list[GameVariant]) -> None:
        """Opens the list of presets; those with house rules are marked."""
        app, rules = self.app, self._controller.settings.house_rules
        choices = [
            DialogChoice(
                f"rules of {variant.preset_name}",
                capitalize_first_letter(render(variant.title, app.lang)),
                partial(self._open_variant, variant),
                is_chosen=variant.key in rules,
            )
            for variant in variants
        ]
        sizes, is_upright = theme.length, app.stage.is_next_page_portrait
        height = app.stage.next_page_size[1] - PRESET_LIST_FRAME_ROWS * sizes.row
        open_choice_dialog(
            title,
            choices,
            DialogChoice("close", app.tr("Close")),
            columns=PRESET_LIST_COLUMNS_IF_UPRIGHT if is_upright else PRESET_LIST_COLUMNS,
            rows_per_page=max(1, int(height // (sizes.target + sizes.gap))),
            lines=2,
        )

    def _open_variant(self, variant: GameVariant) -> None:
        open_page(VariantRulesPage(self._controller, variant))


class VariantRulesPage(Page):
    """A page with a slip for each option of a game, or of a preset, and a key back to the usual rules.

    A change counts for new games at once.
    """

    def __init__(self, controller: TableController, variant: GameVariant) -> None:
        super().__init__()
        self._controller, self._variant = controller, variant
        tr = self.app.tr
        self._usual_key = Key(name="usual rules", look="felt", text=tr("Usual rules"))
        self._usual_key.bind(on_release=lambda _: self._delete_rules())
        self._has_unusable_rules = variant.key in _keys_of_unusable_rules(controller)
        self._pager = OptionsPager((), {}, corner=self._usual_key)
        self._pager.bind(on_value=lambda _, key, value: self._change_rule(key, value))
        title = capitalize_first_letter(render(variant.title, self.app.lang))
        self.add_content(tr("{game}: house rules", game=title), self._pager)
        bind_weak(controller, "settings", self._show_rules)
        self._show_rules(controller, controller.settings)

    def _show_rules(self, _controller: TableController, settings: Settings) -> None:
        """Shows the options with the values with which new games begin."""
        house_rules = settings.house_rules.get(self._variant.key, {})
        self._usual_key.disabled = not (house_rules or self._has_unusable_rules)
        self._pager.show_options(self._variant.options, {**self._variant.usual_values, **house_rules})

    def _change_rule(self, key: str, value: OptionValue) -> None:
        """Changes a house rule, or says why that isn't possible and shows the old value again."""
        if not run_or_explain(partial(self._controller.change_house_rule, self._variant, key, value)):
            self._show_rules(self._controller, self._controller.settings)

    def _delete_rules(self) -> None:
        """Goes back to the usual rules, also from rules that can't be used."""
        self._has_unusable_rules = False
        self._controller.move_house_rules(self._variant.key)
        self._show_rules(self._controller, self._controller.settings)


def _keys_of_unusable_rules(controller: TableController) -> Collection[str]:
    """Returns the keys of the games and presets with saved house rules that can't be used."""
    loaded = controller.read_store(lambda evening: load_house_rules(evening.store), None)
    return [] if loaded is None or controller.is_safe_mode else [key for key in loaded.faults if key]
