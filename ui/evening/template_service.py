"""The templates of Any Game, those of one's own and those on a stick, as the screen's pages need them.

It draws nothing and asks nobody; what can't be kept is raised as `TableError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion import catalogue, templates
from companion.cards import Printed
from companion.copies import Rows
from companion.copies.template import Template
from companion.files.plain import is_plain
from companion.rules.game import Game, Pick
from companion.words import Say
from hardware.doctor.sticks import sticks
from ui.evening.diagnostics import Diagnostics

EXPORTS = "exports"
"""The folder in the state directory that files go to, and come from, where there is no stick."""


class TemplateService:
    """`TemplateService(diagnostics)`: the machine that is examined has the saved games and the sticks."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics

    @property
    def _directory(self) -> Path:
        return self._diagnostics.host().state

    @property
    def game(self) -> Game:
        """The game whose templates they are."""
        return catalogue.game(templates.DECK)

    def called(self) -> dict[str, Say]:
        """What each template is called, those that come along first."""
        options = templates.offered(self.game, self._directory).options
        picks = (option for option in options if isinstance(option, Pick) and option.key == templates.OPTION)
        return dict(next(picks).choices)

    def is_own(self, name: str) -> bool:
        """Whether it is one of people's own, which can be changed."""
        return name in templates.own(self._directory)

    def rows(self, name: str) -> Rows:
        """What stands in a template."""
        return self._template(name).rows()

    def printed(self) -> Printed:
        """What may stand in one."""
        return self._template(templates.PLAIN).shipped

    def keep(self, name: str, rows: Rows) -> None:
        """Makes that what stands in a template of one's own."""
        self._template(name).keep(rows, f"{name}.toml")

    def copy(self, name: str, wanted: str) -> str:
        """A new one with the same in it, called as near as can be to what people typed; gives its name."""
        return self._template(name).begun(templates.fitting(wanted, self._directory)).called

    def rename(self, name: str, wanted: str) -> str:
        """Calls one of one's own as near as can be to what people typed; gives its name."""
        to = templates.fitting(wanted, self._directory)
        templates.rename(name, to, self._directory)
        return to

    def delete(self, name: str) -> None:
        """One of one's own is gone."""
        templates.delete(name, self._directory)

    def give(self, name: str) -> Path:
        """Writes it as a file onto the first stick, where there is none beside the games; gives the file."""
        return self._template(name).given(self._folders()[0])

    def found(self) -> Sequence[Path]:
        """The files that may be templates, on sticks and beside the games."""
        found = (file for folder in self._folders() for file in sorted(folder.glob("*.toml")))
        return [file for file in found if is_plain(file)]

    def take(self, file: Path) -> str:
        """A template from such a file; gives its name."""
        return self._template(templates.PLAIN).taken(file, follow=False).called

    def _folders(self) -> list[Path]:
        return [*sticks(self._diagnostics.host().machine.root), self._directory / EXPORTS]

    def _template(self, name: str) -> Template:
        return Template(self.game, name, self._directory)
