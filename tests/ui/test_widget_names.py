"""What the widgets are called. Kivy looks them up by their bare names, whatever file they are in."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
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
    assert names["AutoRedrawWidget"] == names["ScoreScreen"] == 1
    assert [name for name, count in names.items() if count > 1] == []


OF_KIVY = {
    "children",
    "disabled",
    "height",
    "padding",
    "parent",
    "pos",
    "size",
    "state",
    "text",
    "width",
    "x",
    "y",
}
"""Properties of Kivy's own widgets that ours are bound to."""


def bound_names(tree: ast.AST) -> Iterator[str]:
    """Yields the names of properties that a module binds: one by one, in a loop, or to be drawn anew."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="fbind" | "funbind"), args=[ast.Constant(value=str(name)), *_]
            ):
                yield name
            case ast.For(iter=ast.Tuple() as names) if "fbind(" in ast.unparse(node):
                yield from texts(names)
            case (
                ast.Assign(targets=[ast.Name(id="redraw_properties")], value=ast.Tuple() as names)
                | ast.AnnAssign(target=ast.Name(id="redraw_properties"), value=ast.Tuple() as names)
            ):
                yield from texts(names)


def texts(node: ast.AST) -> Iterator[str]:
    """Yields the texts in a node."""
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def test_a_property_that_is_bound_by_name_is_there() -> None:
    """Kivy says nothing where it isn't, and what should follow it stays as it was."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in UI.rglob("*.py")]
    there = {
        target.id
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and "Property(" in ast.unparse(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    bound = [name for tree in trees for name in bound_names(tree)]
    assert len(bound) > 100
    assert {name for name in bound if not name.startswith("on_")} - there - OF_KIVY == set()
