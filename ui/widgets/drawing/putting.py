"""Widgets put into a box, so that a page reads as what it is made of."""

from __future__ import annotations

from typing import TypeVar

from kivy.uix.widget import Widget

W = TypeVar("W", bound=Widget)


def put(box: W, *parts: Widget) -> W:
    """The box with these in it, behind what is there, wherever they stood before."""
    for part in parts:
        take_away(part)
        box.add_widget(part)
    return box


def take_away(part: Widget) -> None:
    """From where it is, if it is anywhere."""
    if part.parent is not None:
        part.parent.remove_widget(part)
