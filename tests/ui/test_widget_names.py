"""What the widgets are called. Kivy looks them up by their bare names, whatever file they are in."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

UI = Path(__file__).parents[2] / "ui"


def widgets() -> list[str]:
    """The classes of the screen that derive from others of it or of Kivy, directly or not."""
    bases = {
        node: [ast.unparse(base).rpartition(".")[2] for base in node.bases]
        for file in UI.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    found = {"Widget", "FloatLayout", "BoxLayout", "ScrollView", "Screen", "ModalView", "Label"}
    while more := {node.name for node, names in bases.items() if found & {*names}} - found:
        found |= more
    return [node.name for node in bases if node.name in found and bases[node]]


def test_no_two_widgets_have_one_name() -> None:
    """Else the look of one, or the class of the other, would be taken for it, by the order of imports."""
    names = Counter(widgets())
    assert names["Drawn"] == names["ScoreScreen"] == 1
    assert [name for name, count in names.items() if count > 1] == []
