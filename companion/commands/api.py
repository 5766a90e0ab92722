"""The subcommand `api`: shows what a rulebook and its tests may import, from the code itself."""

from __future__ import annotations

import ast
import inspect
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from textwrap import indent
from types import ModuleType
from typing import Any

from companion import rulebook, testing
from companion.errors import make_unknown_name_error
from companion.monospace_text import align_columns
from companion.requests import Request
from companion.subcommand import Subcommand
from companion.texts import say

DOCUMENTED_MODULES = (rulebook, testing)
MAX_SIGNATURE_CHARACTERS_PER_LINE = 100
"""The most characters of a signature on one line; a longer signature has one parameter a line."""
NAME_GROUP_PATTERN = re.compile(r"^- ([^:]+):((?:.|\n(?!-|\n))*)", re.MULTILINE)
"""The pattern of a paragraph in a module's docstring that groups names."""
MODULE_PREFIX = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")
SENTENCE = re.compile(r"(.+?)\.?(?=(?<=\.)\s+[A-Z`]|\s*\n\n|\s*$)", re.DOTALL)
OPTIONAL = re.compile(r"\bOptional\[(.+)\]$")


class ApiName:
    """One name of the API that a rulebook or its tests may import.

    The object says where the name is imported from, how it is called, and what its docstring is.
    """

    def __init__(self, name: str, module: ModuleType) -> None:
        self.name, self.module = name, module
        self.value = getattr(module, name)

    @cached_property
    def docstring(self) -> str:
        """The docstring of the name.

        A value without a docstring has the text below it in the source.
        """
        value = self.value
        if isinstance(value, type) or inspect.isfunction(value):
            return inspect.getdoc(value) or ""
        return _below(_source_of(self.name, self.module), self.name)

    @property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        return _first_sentence(self.docstring)

    @property
    def signature(self) -> str:
        """How a function or class is called or awaited; for a value, the value."""
        value = self.value
        if isinstance(value, type) or inspect.isfunction(value):
            awaited = inspect.iscoroutinefunction(value) or (
                isinstance(value, type) and issubclass(value, Request) and value is not Request
            )
            return ("await " if awaited else "") + _signature(self.name, value)
        shown = _plain_type(value) if not isinstance(value, str | Mapping) else repr(value)
        return (
            f"{self.name} = {shown}"
            if len(shown) <= MAX_SIGNATURE_CHARACTERS_PER_LINE and "<" not in shown
            else self.name
        )

    @property
    def public_methods(self) -> dict[str, Any]:
        """The public methods and properties of a class."""
        if not isinstance(self.value, type):
            return {}
        found = {name: inspect.getattr_static(self.value, name) for name in dir(self.value) if name[0] != "_"}
        return {name: value for name, value in found.items() if _function_of(value) is not None}

    @property
    def is_request(self) -> bool:
        """True for a request class.

        A rulebook only awaits a request, so its methods are not shown.
        """
        return isinstance(self.value, type) and issubclass(self.value, Request)


def rulebook_api_by_name() -> dict[str, ApiName]:
    """Returns the API of rulebooks by name: everything that a rulebook or its tests may import."""
    return {name: ApiName(name, module) for module in DOCUMENTED_MODULES for name in module.__all__}


def name_groups(module: ModuleType) -> dict[str, list[str]]:
    """Returns the names of a module by the groups in its docstring; without groups, all names under `""`."""
    found = {
        head: [name for name in dict.fromkeys(re.findall(r"`(\w+)`", text)) if name in module.__all__]
        for head, text in NAME_GROUP_PATTERN.findall(str(module.__doc__))
    }
    return found or {"": list(module.__all__)}


def describe_name(name: str) -> str:
    """Returns the description of a name or of a method.

    Raises `UnknownName`, which suggests the likely name.
    """
    known = rulebook_api_by_name()
    if name in known:
        return _described(known[name])
    methods = {
        f"{one.name}.{method}": (one, method) for one in known.values() for method in one.public_methods
    }
    found = [name] if name in methods else [one for one in methods if one.partition(".")[2] == name]
    if not found:
        text = 'There is no "{word}" in the API. To list every name, run "companion api".'
        raise make_unknown_name_error(name, [*known, *methods], say(text, word=name))
    return "\n\n".join(_method(*methods[one]) for one in found)


def describe_all_names() -> str:
    """Returns every name with its first sentence, in groups."""
    blocks = []
    for module in DOCUMENTED_MODULES:
        blocks.append(f"from {module.__name__} import …")
        for head, members in name_groups(module).items():
            rows = align_columns([[f"  {name}", ApiName(name, module).summary] for name in members])
            blocks.append("\n".join([head, *rows] if head else rows))
    return "\n\n".join([*blocks, "companion api NAME says more."])


def _described(one: ApiName) -> str:
    parts = [f"from {one.module.__name__} import {one.name}", one.signature, one.docstring]
    members = {} if one.is_request else one.public_methods
    rows = [
        [_signature(name, value), _first_sentence(inspect.getdoc(value) or "")]
        for name, value in members.items()
    ]
    parts.append("\n".join(f"{indent(call, '  ')}\n      {text}" for call, text in rows))
    return "\n\n".join(part for part in parts if part)


def _method(one: ApiName, method: str) -> str:
    value = one.public_methods[method]
    call = _signature(f"{one.name}.{method}", value)
    return f"{call}\n\n{indent(inspect.getdoc(value) or '', '    ')}"


def _function_of(value: object) -> Callable[..., Any] | None:
    """The function of a method or a property; None for a field or a constant."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, classmethod | staticmethod):
        return value.__func__
    return value if inspect.isfunction(value) else None


def _signature(name: str, value: Any) -> str:
    """`move(source: Account, target: Account, count: int = 1)`; one parameter a line if it is long."""
    if isinstance(value, type) and getattr(value, "_is_protocol", False):
        return name
    function = _function_of(value) or value
    found = inspect.signature(function)
    gives = "" if found.return_annotation in (found.empty, "None", None) else found.return_annotation
    arrow = f" -> {_plain_type(gives)}" if gives else ""
    if isinstance(value, property):
        return name + arrow
    parameters = [one for one in found.parameters.values() if one.name not in ("self", "cls")]
    texts = list(_parameters(parameters))
    line = f"{name}({', '.join(texts)}){arrow}"
    if len(line) <= MAX_SIGNATURE_CHARACTERS_PER_LINE:
        return line
    return "\n".join([f"{name}(", *(f"    {text}," for text in texts), f"){arrow}"])


def _parameters(parameters: list[inspect.Parameter]) -> Iterator[str]:
    for before, one in pairwise([None, *parameters]):
        assert one is not None
        if one.kind is one.KEYWORD_ONLY and (before is None or before.kind in _BY_POSITION):
            yield "*"
        stars = "*" * (one.kind is one.VAR_POSITIONAL) + "**" * (one.kind is one.VAR_KEYWORD)
        type_ = "" if one.annotation is one.empty else f": {_plain_type(one.annotation)}"
        yield f"{stars}{one.name}{type_}{_default(one.default)}"


_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _default(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return ""
    if isinstance(value, Mapping):
        return f" = {dict(value)!r}"
    if inspect.isfunction(value):
        is_public = value.__name__.isidentifier() and not value.__name__.startswith("_")
        return f" = {value.__name__}" if is_public else " = …"
    shown = repr(value)
    return " = …" if shown.startswith("<") else f" = {shown}"


def _plain_type(annotation: Any) -> str:
    """A type as people write it, without the modules that its parts come from."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return OPTIONAL.sub(r"\1 | None", MODULE_PREFIX.sub("", text))


def _first_sentence(text: str) -> str:
    found = SENTENCE.match(text)
    return " ".join((found[1] if found else text).split()).rstrip(".:;")


def _source_of(name: str, module: ModuleType) -> ModuleType:
    """The module that a module imports a name from."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ImportFrom) and any((one.asname or one.name) == name for one in node.names):
            return import_module(str(node.module))
    return module


def _below(module: ModuleType, name: str) -> str:
    """The text below a value in the source of its module."""
    for given, text in pairwise(ast.parse(inspect.getsource(module)).body):
        targets = given.targets if isinstance(given, ast.Assign) else [getattr(given, "target", None)]
        is_meant = any(isinstance(one, ast.Name) and one.id == name for one in targets)
        if is_meant and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            return inspect.cleandoc(str(text.value.value))
    return ""


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="a name, or Class.method; without NAME, all names are listed"
    )


def _show(args: Namespace) -> int:
    print(describe_all_names() if args.name is None else describe_name(args.name))
    return 0


API = Subcommand(
    "Show what a rulebook can import.",
    _arguments,
    _show,
    ("companion api Raise", "companion api Table.move"),
)
