"""Draws public names at random, to see whether a reader can tell what they mean.

    python -m scripts.draw_names 42 --count 60 > names.md
    python -m scripts.draw_names 42 --count 60 --docstrings > meanings.md

The first list has path, name and signature, which is what readers get. The second has the docstrings too,
which is what their guesses are judged by. Names without a docstring are left out.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "hardware", "ui")


class PublicName(NamedTuple):
    """A public function, method, class or constant: where it is, how it is declared, and what it means."""

    path: str
    declaration: str
    docstring: str


def public_names() -> list[PublicName]:
    """Returns every public name that has a docstring, in order of path and line."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [name for path in paths for name in _names_in(path)]


def _names_in(path: Path) -> Iterator[PublicName]:
    module = ast.parse(path.read_text(encoding="utf-8"))
    where = str(path.relative_to(ROOT))
    for declaration, docstring in _declarations(module.body, ""):
        yield PublicName(where, declaration, " ".join(docstring.split()))


def _declarations(body: list[ast.stmt], owner: str) -> Iterator[tuple[str, str]]:
    for node, after in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if not name.startswith("_"):
                if docstring := ast.get_docstring(node):
                    yield _signature(node, owner), docstring
            case ast.ClassDef(name=name) if not name.startswith("_"):
                if docstring := ast.get_docstring(node):
                    bases = ", ".join(ast.unparse(base) for base in node.bases)
                    yield f"class {name}({bases})", docstring
                yield from _declarations(node.body, f"{name}.")
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                match after:
                    case ast.Expr(value=ast.Constant(value=str(docstring))) if not name.startswith("_"):
                        yield f"{owner}{ast.unparse(node)[:100]}", docstring


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: str) -> str:
    marks = [ast.unparse(mark) for mark in node.decorator_list if isinstance(mark, ast.Name)]
    kind = "property " if any("property" in mark for mark in marks) else ""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{kind}{owner}{node.name}({ast.unparse(node.args)}){returns}"


def main() -> None:
    """Prints the drawn names, numbered."""
    parser = argparse.ArgumentParser(description="Draws public names at random.")
    parser.add_argument("seed", type=int)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--docstrings", action="store_true", help="print what each name means too")
    chosen = parser.parse_args()
    drawn = Random(chosen.seed).sample(public_names(), chosen.count)
    for number, name in enumerate(drawn, 1):
        print(f"{number}. {name.path}: `{name.declaration}`")
        if chosen.docstrings:
            print(f"   {name.docstring}")


if __name__ == "__main__":
    main()
