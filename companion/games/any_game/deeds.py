"""What a line of the menu is: a thing that people may do next, and when the menu has it.

No line is barred for what lies where: pieces are moved by hand while the menu is open. What can't be done
then is said once it is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from companion.games.any_game.laid import Laid
from companion.rulebook import Request, Say


def always(_shelf: Laid) -> bool:
    """Whatever lies on the table."""
    return True


class MenuLine(msgspec.Struct, frozen=True):
    """`key` is what logs keep; `there` says whether this table has it; deeds of a `group` stand together."""

    key: str
    label: Callable[[Laid], Say] | Say
    do: Callable[[Laid], Coroutine[Request[Any], Any, None]]
    there: Callable[[Laid], bool] = always
    group: Say | None = None

    def called(self, shelf: Laid) -> Say:
        """How the menu calls it now."""
        return self.label(shelf) if callable(self.label) else self.label
