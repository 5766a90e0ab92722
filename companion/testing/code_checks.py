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
from companion.clocks.clock_settings import ALL_KEYS as CLOCKED
from companion.errors import UserError
from companion.languages import add_game_catalogues, translations_without_other_games
from companion.requests import KINDS, Amount, Request
from companion.requests.request import LiveCount
from companion.rules.game import Game, option_value_as_typed
from companion.rules.scene import Scene, SceneSetup
from companion.table.faces import FaceTracker
from companion.table.ledger import Account
from companion.table.table import Table
from companion.texts import Labelled, Say, as_source_code, find_text_fault, render

TYPES_WITHOUT_FIELD_CHECK = (Account, Card, Deck, FaceTracker)
"""Types that only Companion creates, so their fields need no check."""
RULEBOOK_NAMES_TO_AWAIT = {
    name for name in rulebook.__all__ if name in KINDS or iscoroutinefunction(getattr(rulebook, name))
}
"""Names of the rulebook interface that do nothing until they are awaited."""
TEXT_FUNCTIONS = ("say", "say_n")
TYPES_WHOSE_METHODS_NEED_NO_AWAIT = (Table, FaceTracker, Account, str, list, dict, set)
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
    """Checks the code of a game, and raises AssertionError for the first fault.

    A fault is a question that isn't awaited, or a text without a value for a field.
    """
    fault = find_first_code_fault(
        tuple([(file.name, file.read_text(encoding="utf-8")) for file in _code_of(game)])
    )
    assert fault is None, fault


def _code_of(game: Game) -> list[Path]:
    """Returns the rulebook's file and the files of its package that it imports, directly or not."""
    waiting, found = [sys.modules[game.play.__module__]], dict[str, Path]()
    while waiting:
        module = waiting.pop()
        path = Path(getattr(module, "__file__", None) or "")
        if module.__name__ in found or path.parent != game.folder:
            continue
        found[module.__name__] = path
        waiting += [
            other for name in _imports(path, module.__package__ or "") if (other := sys.modules.get(name))
        ]
    return list(found.values())


@cache
def _imports(path: Path, package: str) -> list[str]:
    """Returns the modules that a file imports from."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            home = ".".join(filter(None, [package if node.level else "", node.module]))
            names += [home, *(f"{home}.{alias.name}" for alias in node.names)]
    return names


@lru_cache(maxsize=64)
def find_first_code_fault(files: tuple[tuple[str, str], ...]) -> str | None:
    """Returns the first fault in these files (pairs of name and code); None if there is none."""
    trees = {name: ast.parse(text) for name, text in files}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    plain = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    own = {node.name for node in nodes if isinstance(node, ast.AsyncFunctionDef)} - plain
    for name, tree in trees.items():
        for line, fault in chain(_not_awaited(tree, own), _gaps(tree)):
            return f"{name}, line {line}: {fault}"
    return None


def _not_awaited(tree: ast.Module, own: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yields calls in a coroutine that must be awaited and aren't."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    names = {*own, *_imported(tree, RULEBOOK_NAMES_TO_AWAIT)}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and (name := _name_called(call.func, names, own)):
            function = _function_of(call, parents)
            if isinstance(function, ast.AsyncFunctionDef) and not _is_handed_on(call, function, parents):
                yield call.lineno, f"{name}(…) does nothing without await: write await {name}(…)"


def _imported(tree: ast.Module, wanted: Collection[str]) -> Iterator[str]:
    """Yields the local names of imported names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("companion"):
            for alias in node.names:
                if alias.name == "*":
                    yield from wanted
                elif alias.name in wanted:
                    yield alias.asname or alias.name


def _name_called(function: ast.expr, names: Collection[str], own: Collection[str]) -> str | None:
    match function:
        case ast.Name(id=name) if name in names:
            return name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if (
            name in RULEBOOK_NAMES_TO_AWAIT and module == "rulebook"
        ):
            return name
        case ast.Attribute(attr=name) if name in own and not any(
            hasattr(kind, name) for kind in TYPES_WHOSE_METHODS_NEED_NO_AWAIT
        ):
            return name
    return None


def _function_of(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.AST | None:
    """Returns the function that contains a node, None at module level."""
    while (up := parents.get(node)) is not None:
        if isinstance(up, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return up
        node = up
    return None


def _is_handed_on(node: ast.AST, function: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Returns True if a question is awaited, passed to another function, or kept for later."""
    up = parents[node]
    while isinstance(up, ast.IfExp) and node is not up.test:
        node, up = up, parents[up]
    match up:
        case ast.Call(func=called):
            return called is not node
        case ast.DictComp() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            used = [each for each in ast.walk(function) if isinstance(each, ast.Name) and each.id == name]
            read = [each for each in used if isinstance(each.ctx, ast.Load)]
            if not _is_question(node if isinstance(node, ast.Call) else None):
                return any(_awaits(parents[each]) for each in read)
            return any(isinstance(parents[each], NODES_AWAITING_OR_PASSING_QUESTION) for each in read)
        case ast.Assign() | ast.AnnAssign():
            return True
    return isinstance(up, NODES_AWAITING_OR_PASSING_QUESTION)


def _is_question(call: ast.Call | None) -> bool:
    """Returns True for a Request, known by its capital: it may be part of another one, a coroutine can't."""
    match call:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name[:1].isupper()
    return True


def _awaits(parent: ast.AST) -> bool:
    """Returns True if the parent awaits a coroutine, or passes it to a function that does."""
    match parent:
        case ast.Await() | ast.Return() | ast.Lambda() | ast.Call(func=ast.Name()):
            return True
    return False


def _gaps(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields texts in the code that lack a value."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    names = set(_imported(tree, TEXT_FUNCTIONS))
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or ast.unparse(call.func) not in names:
            continue
        keys = [keyword.arg for keyword in call.keywords]
        forms = [_meant(form, call, parents, tree) for form in call.args[:2]]
        if not forms or None in (*keys, *forms):
            continue
        first, *others = [str(form) for form in forms]
        args = [*([("n", 0)] if others else []), *((str(key), 0) for key in keys)]
        if gap := find_text_fault(Say(first, tuple(args), others[0] if others else None)):
            yield call.lineno, gap


def _meant(
    form: ast.expr, call: ast.Call, parents: Mapping[ast.AST, ast.AST], tree: ast.Module
) -> str | None:
    """Returns the template in the call or assigned to the name in it; None if it can't be known."""
    if isinstance(form, ast.Name):
        for scope in (_function_of(call, parents), tree):
            given = [
                node
                for node in ast.walk(scope or tree)
                if isinstance(node, ast.Assign) and _function_of(node, parents) in (scope, None)
            ]
            found = [node.value for node in given if ast.unparse(node.targets[0]) == form.id]
            if found:
                form = found[0] if len(found) == 1 else form
                break
    return form.value if isinstance(form, ast.Constant) and isinstance(form.value, str) else None


# Values


def check_game_types(game: Game) -> None:
    """Raises AssertionError for wrong types, numbers of players, defaults or question kinds in `Game`."""
    check_field_types(game)
    least, most = game.players
    assert 1 <= least <= most, f"Game.players is {game.players}: the fewest first, then the most"
    unknown = [kind for kind in game.question_kinds if kind not in CLOCKED]
    assert not unknown, f"Game.question_kinds names {', '.join(unknown)}; known kinds: {', '.join(KINDS)}"
    keys = [option.key for option in game.options]
    twice = [key for key in keys if keys.count(key) > 1]
    assert not twice, f"Game.options has two with the key {twice[0]}" if twice else ""
    for option in game.options:
        try:
            option.parse_value(option_value_as_typed(option.default))
        except UserError as error:
            raise AssertionError(f"The default of option {option.key} isn't allowed: {error}") from error


def with_scene_type_check(game: Game) -> Game:
    """Returns the game with a scene function that checks the types of its scene.

    A part of a wrong type raises AssertionError.
    """
    make = game.scene
    if make is None:
        return game

    def checked(setup: SceneSetup) -> Scene:
        scene = make(setup)
        assert isinstance(scene, Scene), f"Game.scene must give a Scene, not {as_source_code(scene)}"
        check_field_types(scene)
        return scene

    return msgspec.structs.replace(game, scene=checked)


def check_question_types(question: Request[Any]) -> None:
    """Checks the types of a question's values, and raises AssertionError for a wrong one.

    Limits that leave no answer raise it, too.
    """
    for part in (question, *question.parts_by_seat.values()):
        check_field_types(part)
        if isinstance(part, Amount) and isinstance(part.most, int):
            limits = f"{part.least} at least and {part.most} at most"
            assert part.least <= part.most or part.decline, f'Amount "{render(part.text)}" is {limits}'


def check_field_types(value: msgspec.Struct) -> None:
    """Checks that each field has a value of its declared type.

    Raises AssertionError for the first field with a value of another type.
    """
    for fault in _faults(value):
        raise AssertionError(fault)


def _faults(value: msgspec.Struct) -> Iterator[str]:
    if isinstance(value, TYPES_WITHOUT_FIELD_CHECK):
        return
    if isinstance(value, Say) and (gap := find_text_fault(value)):
        yield gap
    for name, hint in _hints(type(value)).items():
        yield from _misfits(getattr(value, name), hint, f"{type(value).__name__}.{name}")


@cache
def _hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {name: hints[name] for name in kind.__struct_fields__ if name in hints}


def _misfits(value: object, hint: Any, where: str) -> Iterator[str]:
    """Yields what is wrong with the value of a field."""
    if not _may_be(value, hint):
        wanted = _words(hint)
        more = (
            f": write say({as_source_code(value)})" if isinstance(value, str) and "a text" in wanted else ""
        )
        yield f"{where} must be {wanted}, not {as_source_code(value)}{more}"
        return
    if isinstance(value, msgspec.Struct):
        yield from _faults(value)
    elif isinstance(value, Mapping):
        for each in chain(value, value.values()):
            yield from _faults(each) if isinstance(each, msgspec.Struct) else ()
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _misfits(each, Any, where)


def _may_be(value: object, hint: Any) -> bool:
    """Returns True if a value and everything in it has a type; unknown types fit everything."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _may_be(value, args[0])
    if origin in {Union, UnionType}:
        return any(_may_be(value, arg) for arg in args)
    if origin is Literal:
        return value in args
    if hint in _LIKE:
        return not isinstance(value, str) and all(hasattr(value, name) for name in _LIKE[hint])
    kind = origin or hint
    if hint is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return True
    return isinstance(value, kind) and (not args or _fit(value, kind, args))


_LIKE: dict[Any, tuple[str, ...]] = {Labelled: ("label", "key"), LiveCount: ("count", "covered")}
"""Protocols, with the methods that a value must have."""


def _fit(value: Any, kind: type, args: tuple[Any, ...]) -> bool:
    """Returns True if everything in a tuple, mapping or list has its type."""
    if kind is tuple:
        each = args[:1] * len(value) if args[1:] == (...,) else args
        return len(value) == len(each) and all(map(_may_be, value, each))
    if issubclass(kind, Mapping):
        return all(_may_be(key, args[0]) and _may_be(one, args[1]) for key, one in value.items())
    if issubclass(kind, Collection):
        return not isinstance(value, str) and all(_may_be(one, args[0]) for one in value)
    return True


_NAMED: dict[Any, str] = {
    Say: "a text",
    Labelled: "a text, a piece, a place or a seat",
    LiveCount: "an account",
    int: "a number",
    str: "a word",
    Callable: "a function",
    NoneType: "None",
}


def _words(hint: Any) -> str:
    """Returns a type in words, for the author."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return " or ".join(dict.fromkeys(map(_words, args)))
    if origin is Annotated:
        return _words(args[0])
    if origin is tuple:
        return "a tuple" + (f" of {_words(args[0]).removeprefix('a ')}" if args[1:] == (...,) else "")
    if (known := _NAMED.get(origin or hint)) is not None:
        return known
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"a mapping from {_words(args[0])} to {_words(args[1])}"
    return f"a {getattr(origin or hint, '__name__', hint)}"


# Texts and their translations


WORD_PATTERN = re.compile(r"[^\W\d_]{2,}")
"""A word of some language, in a text without its fields."""


def find_untranslated_texts(game: Game, language: str) -> list[str]:
    """Returns the texts of a game that have no translation in a language, in the order they are said.

    `assert find_untranslated_texts(GAME, "de") == []`. It looks at the texts in the game's files and the
    words of its decks. A translation in another game's catalogue doesn't count: the same word may mean
    something else there.
    """
    add_game_catalogues(game.folder / "locale", game.key)
    forms = [(text,) if isinstance(text, str) else text for text in dict.fromkeys(_texts(game))]
    said = [form for form in forms if WORD_PATTERN.search(re.sub(r"\{\w*\}", "", form[0]))]
    known = translations_without_other_games(language, game.key)
    return list(dict.fromkeys(form[0] for form in said if known.gettext(form[0]) == form[0]))


def _texts(game: Game) -> Iterator[str | tuple[str, str]]:
    for file in find_source_files(game):
        yield from extract_texts_from_code(file.read_text(encoding="utf-8"))
    for name in game.decks:
        if (deck := game.folder / f"{name}.toml").is_file():
            yield from extract_texts_from_deck(tomllib.loads(deck.read_text(encoding="utf-8")))


def extract_texts_from_code(code: str) -> Iterator[str | tuple[str, str]]:
    """Yields the texts to translate in a module's code.

    They are the templates passed to `say`, and the pairs (one, many) passed to `say_n`. Babel's own
    search sees neither a `say` in a list in a `say` nor a long template that was given a name.
    """
    nodes = list(ast.walk(ast.parse(code)))
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    given = {say: [call.args for call in calls if ast.unparse(call.func) == say] for say in ("say", "say_n")}
    names = {args[0].id for args in given["say"] if isinstance(args[0], ast.Name)}
    templates = [args[0] for args in given["say"]]
    templates += [
        node.value for node in nodes if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in names
    ]
    for template in templates:
        for one in (template.body, template.orelse) if isinstance(template, ast.IfExp) else (template,):
            if isinstance(one, ast.Constant):
                yield str(one.value)
    for one, many, *_ in given["say_n"]:
        yield ast.literal_eval(one), ast.literal_eval(many)


def extract_texts_from_deck(deck: Mapping[str, Any]) -> Iterator[str]:
    """Yields the texts in a deck's file: names of cards, boards and fields, choices and hints."""
    fields = deck.get("fields", {})
    words = [card[NAME_FIELD] for card in deck["card"] if NAME_FIELD in card]
    words += [choice for field in fields.values() for choice in field.get("choices", ())]
    words += [field["hint"] for field in fields.values() if "hint" in field]
    yield from (field_label(name).template for name in [*fields, *deck.get("board", ())])
    for word in words:
        yield word_label(word).template
