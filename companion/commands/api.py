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
"""The most characters of a signature on one line; a longer one has a line for each parameter."""
NAME_GROUP_PATTERN = re.compile(r"^- ([^:]+):((?:.|\n(?!-|\n))*)", re.MULTILINE)
"""The pattern of a paragraph in a module's docstring that groups names."""
MODULE_PREFIX_PATTERN = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")
FIRST_SENTENCE_PATTERN = re.compile(r"(.+?)\.?(?=(?<=\.)\s+[A-Z`]|\s*\n\n|\s*$)", re.DOTALL)
OPTIONAL_TYPE_PATTERN = re.compile(r"\bOptional\[(.+)\]$")


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
        return _text_below(_defining_module(self.name, self.module), self.name)

    @property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        return _first_sentence(self.docstring)

    @property
    def signature(self) -> str:
        """How a function or class is called or awaited; for a value, the value."""
        value = self.value
        if isinstance(value, type) or inspect.isfunction(value):
            is_awaitable = inspect.iscoroutinefunction(value) or (
                isinstance(value, type) and issubclass(value, Request) and value is not Request
            )
            return ("await " if is_awaitable else "") + _format_signature(self.name, value)
        value_text = _format_type(value) if not isinstance(value, str | Mapping) else repr(value)
        return (
            f"{self.name} = {value_text}"
            if len(value_text) <= MAX_SIGNATURE_CHARACTERS_PER_LINE and "<" not in value_text
            else self.name
        )

    @property
    def public_methods(self) -> dict[str, Any]:
        """The public methods and properties of a class."""
        if not isinstance(self.value, type):
            return {}
        members = {
            name: inspect.getattr_static(self.value, name) for name in dir(self.value) if name[0] != "_"
        }
        return {name: value for name, value in members.items() if _find_function(value) is not None}

    @property
    def is_request(self) -> bool:
        """True for a request class.

        A rulebook only awaits a request, so its methods are not shown.
        """
        return isinstance(self.value, type) and issubclass(self.value, Request)


def rulebook_api_by_name() -> dict[str, ApiName]:
    """Returns everything that a rulebook or its tests may import, by name."""
    return {name: ApiName(name, module) for module in DOCUMENTED_MODULES for name in module.__all__}


def names_by_docstring_heading(module: ModuleType) -> dict[str, list[str]]:
    """Returns the names of a module by the headings in its docstring.

    A module without groups has all its names under `""`.
    """
    names_by_heading = {
        heading: [name for name in dict.fromkeys(re.findall(r"`(\w+)`", text)) if name in module.__all__]
        for heading, text in NAME_GROUP_PATTERN.findall(str(module.__doc__))
    }
    return names_by_heading or {"": list(module.__all__)}


def describe_name(name: str) -> str:
    """Returns the description of a name or of a method.

    Raises `UnknownName`, which suggests the likely name.
    """
    api = rulebook_api_by_name()
    if name in api:
        return _describe_api_name(api[name])
    methods = {
        f"{api_name.name}.{method}": (api_name, method)
        for api_name in api.values()
        for method in api_name.public_methods
    }
    matches = [name] if name in methods else [key for key in methods if key.partition(".")[2] == name]
    if not matches:
        text = 'There is no "{word}" in the API. To list every name, run "companion api".'
        raise make_unknown_name_error(name, [*api, *methods], say(text, word=name))
    return "\n\n".join(_describe_method(*methods[key]) for key in matches)


def describe_all_names() -> str:
    """Returns every name with its first sentence, in groups."""
    blocks = []
    for module in DOCUMENTED_MODULES:
        blocks.append(f"from {module.__name__} import …")
        for heading, names in names_by_docstring_heading(module).items():
            rows = align_columns([[f"  {name}", ApiName(name, module).summary] for name in names])
            blocks.append("\n".join([heading, *rows] if heading else rows))
    return "\n\n".join([*blocks, "companion api NAME says more."])


def _describe_api_name(api_name: ApiName) -> str:
    parts = [
        f"from {api_name.module.__name__} import {api_name.name}",
        api_name.signature,
        api_name.docstring,
    ]
    methods = {} if api_name.is_request else api_name.public_methods
    rows = [
        [_format_signature(name, value), _first_sentence(inspect.getdoc(value) or "")]
        for name, value in methods.items()
    ]
    parts.append("\n".join(f"{indent(signature, '  ')}\n      {text}" for signature, text in rows))
    return "\n\n".join(part for part in parts if part)


def _describe_method(api_name: ApiName, name: str) -> str:
    method = api_name.public_methods[name]
    signature = _format_signature(f"{api_name.name}.{name}", method)
    return f"{signature}\n\n{indent(inspect.getdoc(method) or '', '    ')}"


def _find_function(value: object) -> Callable[..., Any] | None:
    """Returns the function of a method or a property; None for a field or a constant."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, classmethod | staticmethod):
        return value.__func__
    return value if inspect.isfunction(value) else None


def _format_signature(name: str, value: Any) -> str:
    """Returns how a function is called, such as `move(source: Account, count: int = 1)`.

    A long signature has one parameter a line.
    """
    if isinstance(value, type) and getattr(value, "_is_protocol", False):
        return name
    function = _find_function(value) or value
    signature = inspect.signature(function)
    return_type = (
        "" if signature.return_annotation in (signature.empty, "None", None) else signature.return_annotation
    )
    arrow = f" -> {_format_type(return_type)}" if return_type else ""
    if isinstance(value, property):
        return name + arrow
    parameters = [
        parameter for parameter in signature.parameters.values() if parameter.name not in ("self", "cls")
    ]
    texts = list(_format_parameters(parameters))
    line = f"{name}({', '.join(texts)}){arrow}"
    if len(line) <= MAX_SIGNATURE_CHARACTERS_PER_LINE:
        return line
    return "\n".join([f"{name}(", *(f"    {text}," for text in texts), f"){arrow}"])


def _format_parameters(parameters: list[inspect.Parameter]) -> Iterator[str]:
    for previous, parameter in pairwise([None, *parameters]):
        assert parameter is not None
        if parameter.kind is parameter.KEYWORD_ONLY and (
            previous is None or previous.kind in _POSITIONAL_KINDS
        ):
            yield "*"
        stars = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + "**" * (
            parameter.kind is parameter.VAR_KEYWORD
        )
        type_ = "" if parameter.annotation is parameter.empty else f": {_format_type(parameter.annotation)}"
        yield f"{stars}{parameter.name}{type_}{_format_default(parameter.default)}"


_POSITIONAL_KINDS = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _format_default(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return ""
    if isinstance(value, Mapping):
        return f" = {dict(value)!r}"
    if inspect.isfunction(value):
        is_public = value.__name__.isidentifier() and not value.__name__.startswith("_")
        return f" = {value.__name__}" if is_public else " = …"
    text = repr(value)
    return " = …" if text.startswith("<") else f" = {text}"


def _format_type(annotation: Any) -> str:
    """Returns a type as people write it, without the modules that its parts come from."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return OPTIONAL_TYPE_PATTERN.sub(r"\1 | None", MODULE_PREFIX_PATTERN.sub("", text))


def _first_sentence(text: str) -> str:
    match = FIRST_SENTENCE_PATTERN.match(text)
    return " ".join((match[1] if match else text).split()).rstrip(".:;")


def _defining_module(name: str, module: ModuleType) -> ModuleType:
    """Returns the module that a module imports a name from; the module itself if it defines the name."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ImportFrom) and any(
            (alias.asname or alias.name) == name for alias in node.names
        ):
            return import_module(str(node.module))
    return module


def _text_below(module: ModuleType, name: str) -> str:
    """Returns the text below a value in the source of its module; "" if there is none."""
    for assignment, expression in pairwise(ast.parse(inspect.getsource(module)).body):
        targets = (
            assignment.targets
            if isinstance(assignment, ast.Assign)
            else [getattr(assignment, "target", None)]
        )
        assigns_name = any(isinstance(target, ast.Name) and target.id == name for target in targets)
        if assigns_name and isinstance(expression, ast.Expr) and isinstance(expression.value, ast.Constant):
            return inspect.cleandoc(str(expression.value.value))
    return ""


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="a name, or Class.method; without NAME, all names are listed"
    )


def _show(args: Namespace) -> int:
    print(describe_all_names() if args.name is None else describe_name(args.name))
    return 0


API = Subcommand(
    "Show what a rulebook can import.",
    _add_arguments,
    _show,
    ("companion api Raise", "companion api Table.move"),
)
