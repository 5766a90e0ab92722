"""Errors of users, who can correct them, and internal errors, which people should report.

Both families have one root. Every error carries a text that says what is wrong and what is allowed.
"""

from collections.abc import Iterable

from companion.name_matching import suggest_name
from companion.texts import Say, Text, render, say, shorten_long_values


class CompanionError(Exception):
    """The base class of all errors of the program, with a text that is shown.

    `text` is rendered when it is read, in the reader's language. It repeats long values only in part.
    """

    def __init__(self, text: Say) -> None:
        super().__init__(text)
        self.text = shorten_long_values(text)

    def __str__(self) -> str:
        return render(self.text)


class UserError(CompanionError):
    """A mistake that people can correct: they said or set something that isn't allowed.

    The error is shown, and nothing is changed.
    """


class IllegalAnswer(UserError, ValueError):
    """An answer that the open question doesn't allow."""


class PrivateRefusal(IllegalAnswer):
    """A refused answer whose reason may reveal hidden pieces or cards.

    `is_private`: the sentence reveals something hidden, so only the person who answered may read it.
    Otherwise the sentence repeats only the answer, such as cards that were put down in front of everybody.
    """

    def __init__(self, text: Say, *, is_private: bool = True) -> None:
        super().__init__(text)
        self.is_private = is_private


class UnknownName(UserError, LookupError):
    """A game, seat, option, place, piece or card that doesn't exist; the text lists those that do."""


def make_unknown_name_error(word: str, names: Iterable[str], fallback_text: Say) -> UnknownName:
    """Returns the error for a word that is none of `names`.

    The error suggests a similar name, never the word itself; else its text is `fallback_text`.
    """
    similar_name = suggest_name(word, [name for name in names if name != word])
    if similar_name is None:
        return UnknownName(fallback_text)
    return UnknownName(say('There is no "{word}". Did you mean "{near}"?', word=word, near=similar_name))


class StaleAnswer(UserError):
    """An answer to a question that is no longer open."""


class WouldUndoReveal(UserError):
    """Raised before an undo hides again what everybody has seen. Front ends ask for a confirmation."""

    def __init__(self) -> None:
        super().__init__(
            say(
                "If you go back, opened answers are closed again, but everybody has already seen them. "
                "Confirm to go back anyway."
            )
        )


class WouldDeleteDrafts(UserError):
    """Raised before a correction deletes answers of the open round. Front ends ask for a confirmation."""

    def __init__(self) -> None:
        super().__init__(say("Answers that are in already would be deleted. Confirm to go on anyway."))


class NoLegalContinuation(UserError):
    """Raised for a correction after which the game couldn't continue."""

    def __init__(self) -> None:
        super().__init__(
            say(
                "The game can't continue after that correction, so the correction wasn't made. Undo first, "
                "then correct."
            )
        )


class ReplayConflict(UserError):
    """Raised if an amendment, a redo or a correction makes a later event impossible.

    `event_number` is the number of that event.
    """

    def __init__(self, event: int, impossible_event_text: Text, why: Say) -> None:
        super().__init__(
            say(
                "“{was}” is no longer possible (answer {event}). {why}",
                event=event,
                was=impossible_event_text,
                why=why,
            )
        )
        self.event_number = event


class StoreUnavailable(UserError, OSError):
    """The store of the saved games can't be used.

    The state directory is in use, not writable, full, or newer than this program.
    """


class EventNotSaved(UserError, OSError):
    """Raised if an answer or another event of a game couldn't be saved, so that it doesn't count."""


class InternalError(CompanionError):
    """An internal error: a fault of the program.

    The error is logged, and people should report it.
    """


class RulesCrashed(InternalError, RuntimeError):
    """A rulebook failed on an answer. The answer doesn't count; undo and corrections still work."""


class RulesDifferFromLog(InternalError, RuntimeError):
    """The rulebook of this version asks other questions than the log of a saved game.

    `event_number` is the number of the first different question.
    """

    def __init__(self, event: int, why: Say) -> None:
        super().__init__(
            say(
                "With the rules of this version, this game can't continue. {why} The game stays saved, and "
                "you can begin a new game.",
                why=why,
            )
        )
        self.event = event


def describe_exception(error: BaseException) -> str:
    """Returns the type and the first line of another author's exception, such as `ValueError: No dice`."""
    line = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}: {line.rstrip('.')}" if line else type(error).__name__
