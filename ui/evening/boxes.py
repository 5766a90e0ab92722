"""What home and set-up must know of a game: the lid of its box and its options, as plain values.

Texts are already in the reader's language; whoever knows the games makes these again when it changes.
"""

from __future__ import annotations

import msgspec

Value = str | int | None
SIDE_BY_SIDE = 2
"""More choices than these are a list."""


class Titled(msgspec.Struct, frozen=True):
    """What stands before whatever can be chosen: a few words, and a sentence that says what it changes."""

    key: str
    title: str
    sentence: str


class PickOption(Titled, frozen=True):
    """An option with a few values: (value, what it is called)."""

    default: Value
    choices: tuple[tuple[Value, str], ...]
    made: str = ""
    """What the key says that leads to where people make choices of their own; empty where they make none."""

    @property
    def is_listed(self) -> bool:
        """Whether the choices are too many for keys side by side."""
        return len(self.choices) > SIDE_BY_SIDE

    def called(self, value: Value) -> str:
        """What stands on the key that leads to the list."""
        return dict(self.choices)[value]


class Timed(PickOption, frozen=True):
    """The clocks of the table: one of a list, as it says too much for a row of keys, or limits of its `own`.

    `asks`: the kinds of questions for which it may set them.
    """

    own: str = ""
    asks: tuple[str, ...] = ()

    def called(self, value: Value) -> str:
        """What stands on the key that leads to the list; whatever isn't on it is the table's own."""
        return dict(self.choices).get(value, self.own)


class NumberOption(Titled, frozen=True):
    """An option that is a whole number; `none` names what no number at all means, if it may be."""

    default: int | None
    least: int
    most: int
    none: str | None = None


class WordOption(Titled, frozen=True):
    """An option that the table writes itself, in up to `letters` letters."""

    default: str
    letters: int


Option = PickOption | NumberOption | WordOption


class BoxLid(msgspec.Struct, frozen=True):
    """The lid of one game's box; `broken` says why it can't be played, and is empty where it can.

    `cover` is the picture that a game brings, and is empty where it brings none.
    """

    key: str
    title: str
    least: int
    most: int
    broken: str = ""
    cover: str = ""


class Box(BoxLid, frozen=True):
    """One game on the shelf, and what can be chosen before it begins."""

    options: tuple[Option, ...] = ()

    @property
    def lid(self) -> BoxLid:
        """What is seen of it from outside."""
        return BoxLid(self.key, self.title, self.least, self.most, self.broken, self.cover)


class Going(msgspec.Struct, frozen=True):
    """A game that can be continued: its title, who plays, when it was played last, alone and in words.

    `since` and `when` are empty where nobody knew the time.
    """

    key: str
    title: str
    players: tuple[tuple[str, str], ...]
    since: str
    """Players are (name, colour)."""
    number: int = 0
    """Under which it is kept."""
    cover: str = ""
    when: str = ""
    names: str = ""
    """All names in a line."""
    is_open: bool = True
    """Whether it lay on the table last; a new game takes its place there."""


class Over(msgspec.Struct, frozen=True):
    """A game that was put away: its title, when that was, and in a line how it ended and how long it took."""

    number: int
    title: str
    when: str
    ending: str
    cover: str = ""


class Regular(msgspec.Struct, frozen=True):
    """Who has played games to their end, how many, and how many of them this name won."""

    name: str
    games: int
    wins: int


class Begin(msgspec.Struct, frozen=True):
    """What set-up ends in: everything needed to begin a game."""

    game: str
    names: tuple[str, ...]
    colours: tuple[str, ...]
    options: dict[str, Value] = msgspec.field(default_factory=dict)
    guests: tuple[tuple[str, str], ...] = ()
    """Name and colour of all who sit there, an empty name where nobody typed one: to be remembered."""
