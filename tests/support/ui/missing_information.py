"""Finds what the play screen doesn't show although people need it: past events and the question's subject."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def find_missing_information(play: Any) -> list[str]:
    """Returns a sentence for each thing that people need and that the play screen doesn't show.

    Past events are on the screen or on the sheet over it; the question's subject is in the table middle.
    """
    return [*_find_hidden_notes(play), *_find_hidden_subjects(play)]


def _find_hidden_notes(play: Any) -> Iterator[str]:
    notes = play.notes
    if not notes.texts:
        return
    notes_text = " | ".join(notes.texts)
    if not notes.opacity or notes.height <= 0:
        if notes.is_shown_elsewhere:
            return
        yield f"what happened is hidden: {notes_text}"
    elif notes.is_collapsed:
        notice = play.events_notice
        if getattr(notice, "has_more", False):
            return  # a touch opens everything
        if notice is None or notice.parent is None or tuple(notice.texts) != tuple(notes.texts):
            yield f"what happened is folded and not open: {notes_text}"
        elif any(
            is_text_cut(label, label.width, label.height)
            for label in (notice.label, getattr(notice, "headline", notice.label))
        ):
            yield f"what happened is cut: {notes_text}"
    else:
        left, low, right, high = notes.padding
        if is_text_cut(notes.label, notes.width - left - right, notes.height - low - high):
            yield f"what happened is cut: {notes_text}"


def is_text_cut(label: Any, width: float, height: float) -> bool:
    """Whether a text doesn't fit at its smallest size; its box need not be laid out yet."""
    return bool(label.min_height_at(width) > height + 1)


def _find_hidden_subjects(play: Any) -> Iterator[str]:
    if play.middle.hides_question_subject:
        yield f"what is asked about is hidden: {play.view.question.about}"
