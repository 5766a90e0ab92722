"""Checks a game's code and values: missing awaits, texts without values, wrong types, missing translations.

The code of a game is parsed, not run. The values that it makes are compared with the types of their fields.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, lru_cache
from inspect import iscoroutinefunction
from itertools import chain
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from companion import rulebook
from companion.cards import Card, Deck
from companion.cards.deck import NAME_FIELD, field_label, word_label
from companion.clocks import ALL_CLOCK_KEYS
from companion.errors import UserError
from companion.languages import add_game_catalogues, translations_without_other_games
from companion.requests import REQUEST_TYPE_BY_KIND, Amount, Request
from companion.requests.request import LiveCount
from companion.rules.game import Game, option_value_as_typed
from companion.rules.scene import Scene, SceneSetup
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Account
from companion.table.table import Table
from companion.texts import Labelled, Say, as_source_code, find_text_fault, render

TYPES_WITHOUT_FIELD_CHECK = (Account, Card, Deck, KnownCardTracker)
"""Types that only Companion creates, so their fields need no check."""
RULEBOOK_NAMES_TO_AWAIT = {
    name
    for name in rulebook.__all__
    if name in REQUEST_TYPE_BY_KIND or iscoroutinefunction(getattr(rulebook, name))
}
"""Names of the rulebook interface that do nothing until they are awaited."""
TEXT_FUNCTIONS = ("say", "say_n")
TYPES_WHOSE_METHODS_NEED_NO_AWAIT = (Table, KnownCardTracker, Account, str, list, dict, set)
"""Types whose method names aren't mistaken for a coroutine that the author wrote."""
NODES_AWAITING_OR_PASSING_QUESTION = (
    *(ast.Await, ast.Call, ast.keyword, ast.Return, ast.Yield, ast.Lambda, ast.Starred),
    *(ast.Dict, ast.List, ast.Tuple, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp, ast.GeneratorExp),
)
"""Syntax nodes around a question that await it or pass it on."""

# Code


def find_source_files(game: Game) -> list[Path]:
    """Returns the files of a game's package, or the one file that holds its rulebook."""
    module = sys.modules[game.play.__module__]
    return sorted(game.folder.glob("*.py")) if module.__package__ else [Path(str(module.__file__))]


def check_game_code(game: Game) -> None:
    """Raises AssertionError for the first fault in a game's code.

    A fault is a question that isn't awaited, or a text without a value for a field.
    """
    fault = find_first_code_fault(
        tuple([(file.name, file.read_text(encoding="utf-8")) for file in _imported_source_files(game)])
    )
    assert fault is None, fault


def _imported_source_files(game: Game) -> list[Path]:
    """Returns the rulebook's file and the files of its package that it imports, directly or indirectly."""
    modules, path_by_module = [sys.modules[game.play.__module__]], dict[str, Path]()
    while modules:
        module = modules.pop()
        path = Path(getattr(module, "__file__", None) or "")
        if module.__name__ in path_by_module or path.parent != game.folder:
            continue
        path_by_module[module.__name__] = path
        modules += [
            other
            for name in _imported_module_names(path, module.__package__ or "")
            if (other := sys.modules.get(name))
        ]
    return list(path_by_module.values())


@cache
def _imported_module_names(path: Path, package: str) -> list[str]:
    """Returns the modules that a file imports from."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            module_name = ".".join(filter(None, [package if node.level else "", node.module]))
            names += [module_name, *(f"{module_name}.{alias.name}" for alias in node.names)]
    return names


@lru_cache(maxsize=64)
def find_first_code_fault(files: tuple[tuple[str, str], ...]) -> str | None:
    """Returns the first fault in these files (pairs of name and code); None if there is none."""
    trees = {name: ast.parse(text) for name, text in files}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    function_names = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    coroutine_names = {node.name for node in nodes if isinstance(node, ast.AsyncFunctionDef)} - function_names
    for name, tree in trees.items():
        for line, fault in chain(_find_missing_awaits(tree, coroutine_names), _find_text_faults(tree)):
            return f"{name}, line {line}: {fault}"
    return None


def _find_missing_awaits(tree: ast.Module, coroutine_names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yields the calls in coroutines that must be awaited and aren't: line and fault."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    names_to_await = {*coroutine_names, *_imported_names(tree, RULEBOOK_NAMES_TO_AWAIT)}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and (
            name := _name_to_await(call.func, names_to_await, coroutine_names)
        ):
            function = _enclosing_function(call, parents)
            if isinstance(function, ast.AsyncFunctionDef) and not _is_awaited_or_passed_on(
                call, function, parents
            ):
                yield call.lineno, f"{name}(…) does nothing without await: write await {name}(…)"


def _imported_names(tree: ast.Module, names: Collection[str]) -> Iterator[str]:
    """Yields the local names of imported names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("companion"):
            for alias in node.names:
                if alias.name == "*":
                    yield from names
                elif alias.name in names:
                    yield alias.asname or alias.name


def _name_to_await(
    function: ast.expr, names: Collection[str], coroutine_names: Collection[str]
) -> str | None:
    match function:
        case ast.Name(id=name) if name in names:
            return name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if (
            name in RULEBOOK_NAMES_TO_AWAIT and module == "rulebook"
        ):
            return name
        case ast.Attribute(attr=name) if name in coroutine_names and not any(
            hasattr(known_type, name) for known_type in TYPES_WHOSE_METHODS_NEED_NO_AWAIT
        ):
            return name
    return None


def _enclosing_function(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.AST | None:
    """Returns the function that contains a node, None at module level."""
    while (parent := parents.get(node)) is not None:
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return parent
        node = parent
    return None


def _is_awaited_or_passed_on(node: ast.AST, function: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Returns whether a question is awaited, passed to another function, or kept for later."""
    parent = parents[node]
    while isinstance(parent, ast.IfExp) and node is not parent.test:
        node, parent = parent, parents[parent]
    match parent:
        case ast.Call(func=function_node):
            return function_node is not node
        case ast.DictComp() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            uses = [use for use in ast.walk(function) if isinstance(use, ast.Name) and use.id == name]
            reads = [use for use in uses if isinstance(use.ctx, ast.Load)]
            if not _may_be_request(node if isinstance(node, ast.Call) else None):
                return any(_is_awaited_by(parents[use]) for use in reads)
            return any(isinstance(parents[use], NODES_AWAITING_OR_PASSING_QUESTION) for use in reads)
        case ast.Assign() | ast.AnnAssign():
            return True
    return isinstance(parent, NODES_AWAITING_OR_PASSING_QUESTION)


def _may_be_request(call: ast.Call | None) -> bool:
    """Returns whether a call creates a Request, known by its capital letter; True without a call.

    A Request may be part of another one, a coroutine can't.
    """
    match call:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name[:1].isupper()
    return True


def _is_awaited_by(parent: ast.AST) -> bool:
    """Returns whether the parent node awaits a coroutine, or passes it to a function that awaits it."""
    match parent:
        case ast.Await() | ast.Return() | ast.Lambda() | ast.Call(func=ast.Name()):
            return True
    return False


def _find_text_faults(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields the texts in the code that are wrong or lack a value: line and fault."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    text_function_names = set(_imported_names(tree, TEXT_FUNCTIONS))
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or ast.unparse(call.func) not in text_function_names:
            continue
        keys = [keyword.arg for keyword in call.keywords]
        templates = [_find_template(template, call, parents, tree) for template in call.args[:2]]
        if not templates or None in (*keys, *templates):
            continue
        singular, *plural = [str(template) for template in templates]
        args = [*([("n", 0)] if plural else []), *((str(key), 0) for key in keys)]
        if fault := find_text_fault(Say(singular, tuple(args), plural[0] if plural else None)):
            yield call.lineno, fault


def _find_template(
    template: ast.expr, call: ast.Call, parents: Mapping[ast.AST, ast.AST], tree: ast.Module
) -> str | None:
    """Returns the template that a call has as a string or by a name; None if it can't be known."""
    if isinstance(template, ast.Name):
        for scope in (_enclosing_function(call, parents), tree):
            assignments = [
                node
                for node in ast.walk(scope or tree)
                if isinstance(node, ast.Assign) and _enclosing_function(node, parents) in (scope, None)
            ]
            values = [node.value for node in assignments if ast.unparse(node.targets[0]) == template.id]
            if values:
                template = values[0] if len(values) == 1 else template
                break
    return template.value if isinstance(template, ast.Constant) and isinstance(template.value, str) else None


# Values


def check_game_fields(game: Game) -> None:
    """Raises AssertionError for wrong types, numbers of players, defaults or question kinds in `Game`."""
    check_field_types(game)
    least, most = game.players
    assert 1 <= least <= most, f"Game.players is {game.players}: the fewest first, then the most"
    unknown_kinds = [kind for kind in game.question_kinds if kind not in ALL_CLOCK_KEYS]
    known_kinds = ", ".join(REQUEST_TYPE_BY_KIND)
    assert not unknown_kinds, (
        f"Game.question_kinds names {', '.join(unknown_kinds)}; known kinds: {known_kinds}"
    )
    keys = [option.key for option in game.options]
    duplicates = [key for key in keys if keys.count(key) > 1]
    assert not duplicates, f"Game.options has two with the key {duplicates[0]}" if duplicates else ""
    for option in game.options:
        try:
            option.parse_value(option_value_as_typed(option.default))
        except UserError as error:
            raise AssertionError(f"The default of option {option.key} isn't allowed: {error}") from error


def game_with_scene_type_check(game: Game) -> Game:
    """Returns the game with a scene function that raises AssertionError for a part of a wrong type."""
    make_scene = game.scene
    if make_scene is None:
        return game

    def make_checked_scene(setup: SceneSetup) -> Scene:
        scene = make_scene(setup)
        assert isinstance(scene, Scene), f"Game.scene must give a Scene, not {as_source_code(scene)}"
        check_field_types(scene)
        return scene

    return msgspec.structs.replace(game, scene=make_checked_scene)


def check_question_types_and_limits(question: Request[Any]) -> None:
    """Raises AssertionError for a question's value of a wrong type, and for limits that leave no answer."""
    for part in (question, *question.parts_by_seat.values()):
        check_field_types(part)
        if isinstance(part, Amount) and isinstance(part.most, int):
            limits = f"{part.least} at least and {part.most} at most"
            assert part.least <= part.most or part.decline, f'Amount "{render(part.text)}" is {limits}'


def check_field_types(value: msgspec.Struct) -> None:
    """Raises AssertionError for the first field whose value doesn't have the declared type."""
    for fault in _find_field_faults(value):
        raise AssertionError(fault)


def _find_field_faults(value: msgspec.Struct) -> Iterator[str]:
    if isinstance(value, TYPES_WITHOUT_FIELD_CHECK):
        return
    if isinstance(value, Say) and (fault := find_text_fault(value)):
        yield fault
    for name, field_type in _field_types(type(value)).items():
        yield from _find_value_faults(getattr(value, name), field_type, f"{type(value).__name__}.{name}")


@cache
def _field_types(struct_type: type[msgspec.Struct]) -> dict[str, Any]:
    types = get_type_hints(struct_type)
    return {name: types[name] for name in struct_type.__struct_fields__ if name in types}


def _find_value_faults(value: object, field_type: Any, field_name: str) -> Iterator[str]:
    """Yields what is wrong with the value of a field."""
    if not _has_type(value, field_type):
        type_text = _describe_type(field_type)
        advice = (
            f": write say({as_source_code(value)})"
            if isinstance(value, str) and "a text" in type_text
            else ""
        )
        yield f"{field_name} must be {type_text}, not {as_source_code(value)}{advice}"
        return
    if isinstance(value, msgspec.Struct):
        yield from _find_field_faults(value)
    elif isinstance(value, Mapping):
        for entry in chain(value, value.values()):
            yield from _find_field_faults(entry) if isinstance(entry, msgspec.Struct) else ()
    elif isinstance(value, tuple | list):
        for entry in value:
            yield from _find_value_faults(entry, Any, field_name)


def _has_type(value: object, expected_type: Any) -> bool:
    """Returns whether a value and everything in it has a type; unknown types fit everything."""
    origin, args = get_origin(expected_type), get_args(expected_type)
    if origin is Annotated:
        return _has_type(value, args[0])
    if origin in {Union, UnionType}:
        return any(_has_type(value, arg) for arg in args)
    if origin is Literal:
        return value in args
    if expected_type in _METHODS_BY_PROTOCOL:
        return not isinstance(value, str) and all(
            hasattr(value, name) for name in _METHODS_BY_PROTOCOL[expected_type]
        )
    plain_type = origin or expected_type
    if expected_type is Any or not isinstance(plain_type, type) or getattr(plain_type, "_is_protocol", False):
        return True
    return isinstance(value, plain_type) and (not args or _entries_have_types(value, plain_type, args))


_METHODS_BY_PROTOCOL: dict[Any, tuple[str, ...]] = {
    Labelled: ("label", "key"),
    LiveCount: ("count", "covered"),
}
"""The names that a value must have, by protocol."""


def _entries_have_types(value: Any, container_type: type, args: tuple[Any, ...]) -> bool:
    """Returns whether everything in a tuple, mapping or list has its type."""
    if container_type is tuple:
        entry_types = args[:1] * len(value) if args[1:] == (...,) else args
        return len(value) == len(entry_types) and all(map(_has_type, value, entry_types))
    if issubclass(container_type, Mapping):
        return all(_has_type(key, args[0]) and _has_type(entry, args[1]) for key, entry in value.items())
    if issubclass(container_type, Collection):
        return not isinstance(value, str) and all(_has_type(entry, args[0]) for entry in value)
    return True


_TEXT_BY_TYPE: dict[Any, str] = {
    Say: "a text",
    Labelled: "a text, a piece, a place or a seat",
    LiveCount: "an account",
    int: "a number",
    str: "a word",
    Callable: "a function",
    NoneType: "None",
}


def _describe_type(described_type: Any) -> str:
    """Returns a type in words, for the author."""
    origin, args = get_origin(described_type), get_args(described_type)
    if origin in {Union, UnionType}:
        return " or ".join(dict.fromkeys(map(_describe_type, args)))
    if origin is Annotated:
        return _describe_type(args[0])
    if origin is tuple:
        return "a tuple" + (f" of {_describe_type(args[0]).removeprefix('a ')}" if args[1:] == (...,) else "")
    if (text := _TEXT_BY_TYPE.get(origin or described_type)) is not None:
        return text
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"a mapping from {_describe_type(args[0])} to {_describe_type(args[1])}"
    return f"a {getattr(origin or described_type, '__name__', described_type)}"


# Texts and their translations


WORD_PATTERN = re.compile(r"[^\W\d_]{2,}")
"""The pattern of a word of some language, in a text without its fields."""


def find_untranslated_texts(game: Game, language: str) -> list[str]:
    """Returns the texts of a game that have no translation in a language, in the order of its files.

    A test of a game says `assert find_untranslated_texts(GAME, "de") == []`. The texts are those in the
    game's files and the words of its decks. A translation in another game's catalogue doesn't count, because
    the same word may mean something else there.
    """
    add_game_catalogues(game.folder / "locale", game.key)
    texts = dict.fromkeys(text if isinstance(text, str) else text[0] for text in _extract_game_texts(game))
    translatable = [text for text in texts if WORD_PATTERN.search(re.sub(r"\{\w*\}", "", text))]
    translations = translations_without_other_games(language, game.key)
    return [text for text in translatable if translations.gettext(text) == text]


def _extract_game_texts(game: Game) -> Iterator[str | tuple[str, str]]:
    for file in find_source_files(game):
        yield from extract_texts_from_code(file.read_text(encoding="utf-8"))
    for name in game.decks:
        if (deck := game.folder / f"{name}.toml").is_file():
            yield from extract_texts_from_deck(tomllib.loads(deck.read_text(encoding="utf-8")))


def extract_texts_from_code(code: str) -> Iterator[str | tuple[str, str]]:
    """Yields the texts to translate in a module's code.

    They are the templates passed to `say`, and the pairs (singular, plural) passed to `say_n`. Babel's own
    search sees neither a `say` in a list in a `say` nor a long template that was given a name.
    """
    nodes = list(ast.walk(ast.parse(code)))
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    args_by_function = {
        name: [call.args for call in calls if ast.unparse(call.func) == name] for name in TEXT_FUNCTIONS
    }
    templates = [args[0] for args in args_by_function["say"]]
    names = {template.id for template in templates if isinstance(template, ast.Name)}
    templates += [
        node.value for node in nodes if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in names
    ]
    for template in templates:
        for node in (template.body, template.orelse) if isinstance(template, ast.IfExp) else (template,):
            if isinstance(node, ast.Constant):
                yield str(node.value)
    for singular, plural, *_ in args_by_function["say_n"]:
        yield ast.literal_eval(singular), ast.literal_eval(plural)


def extract_texts_from_deck(deck: Mapping[str, Any]) -> Iterator[str]:
    """Yields the texts in a deck's file: names of cards, boards and fields, choices and hints."""
    fields = deck.get("fields", {})
    words = [card[NAME_FIELD] for card in deck["card"] if NAME_FIELD in card]
    words += [choice for field in fields.values() for choice in field.get("choices", ())]
    words += [field["hint"] for field in fields.values() if "hint" in field]
    yield from (field_label(name).template for name in [*fields, *deck.get("board", ())])
    for word in words:
        yield word_label(word).template
