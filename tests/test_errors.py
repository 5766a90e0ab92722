"""Two families of errors under one root."""

import pytest

from companion import errors
from companion.errors import (
    CompanionError,
    InternalError,
    ReplayConflict,
    RulesDifferFromLog,
    UserError,
    WouldUndoReveal,
)
from companion.texts import say


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.IllegalAnswer, ValueError),
        (errors.UnknownName, LookupError),
        (errors.StoreUnavailable, OSError),
        (errors.EventNotSaved, OSError),
        (errors.RulesCrashed, RuntimeError),
        (errors.RulesDifferFromLog, RuntimeError),
    ],
)
def test_an_error_is_the_fitting_builtin_too(error: type[CompanionError], builtin: type[Exception]) -> None:
    """Who doesn't know us can catch what Python calls it."""
    assert issubclass(error, builtin)
    assert issubclass(error, CompanionError)


def test_a_word_is_never_suggested_instead_of_itself() -> None:
    """If it is known but can't be used, the sentence says what can be."""
    fallback = say("There is no lost.")
    assert str(errors.make_unknown_name_error("lost", ["lost"], fallback)) == "There is no lost."
    assert "Did you mean" in str(errors.make_unknown_name_error("lost", ["lost", "losst"], fallback))


def test_every_error_belongs_to_one_family() -> None:
    """An error is either the table's, which people can mend, or ours."""
    for error in vars(errors).values():
        if isinstance(error, type) and issubclass(error, CompanionError) and error is not CompanionError:
            assert issubclass(error, UserError) != issubclass(error, InternalError)


def test_an_error_is_a_sentence() -> None:
    """An error says its text, and keeps it for readers of another language."""
    error = errors.IllegalAnswer(say("{who} must answer.", who="Ben"))
    assert str(error) == "Ben must answer."
    assert error.text == say("{who} must answer.", who="Ben")


def test_a_misfit_names_the_event() -> None:
    """What no longer fits is said with its number, its question and the reason."""
    misfit = ReplayConflict(12, say("Aki bids 7."), say("Ben has withdrawn."))
    assert misfit.event_number == 12
    assert str(misfit) == "“Aki bids 7.” is no longer possible (answer 12). Ben has withdrawn."
    assert RulesDifferFromLog(12, misfit.text).event == 12


def test_a_reveal_asks_first() -> None:
    """Undo past a reveal says why it asks."""
    assert "everybody has already seen them" in str(WouldUndoReveal())
