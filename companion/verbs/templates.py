"""The verb `templates`: the templates of Any Game are listed, given away, taken in and deleted.

`companion games new` begins one. What can't be a template is refused whole: nothing is written then.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from companion import catalogue, templates
from companion.copies.template import Template
from companion.files import files
from companion.files.places import state_directory
from companion.rules.game import Pick
from companion.verb import Verb, add_examples, state_argument
from companion.words import render, say

STDOUT = "-"


def _template(name: str, args: Namespace) -> Template:
    return Template(catalogue.game(templates.DECK), name, state_directory(args.state))


def _list(args: Namespace) -> int:
    directory = state_directory(args.state)
    offered = templates.offered(catalogue.game(templates.DECK), directory)
    (option,) = (one for one in offered.options if isinstance(one, Pick) and one.key == templates.OPTION)
    own, width = set(templates.own(directory)), max(map(len, option.choices))
    for name, label in option.choices.items():
        what = str(templates.path_of(name, directory)) if name in own else render(label)
        print(f"{name:{width}}  {what}")
    return 0


def _export(args: Namespace) -> int:
    text = _template(args.name, args).text
    if args.file == STDOUT:
        print(text, end="")
    else:
        files.hand_over(Path(args.file), text, over=args.force)
    return 0


def _import(args: Namespace) -> int:
    new = _template(templates.PLAIN, args).taken(Path(args.file))
    told = say("{file} was added as the template {name}.", file=args.file, name=new.called)
    print(render(told))
    return 0


def _delete(args: Namespace) -> int:
    templates.delete(args.name, state_directory(args.state))
    return 0


def _arguments(parser: ArgumentParser) -> None:
    words = parser.add_subparsers(metavar="ACTION")

    def part(name: str, do: Callable[[Namespace], int], help_: str, example: str) -> ArgumentParser:
        one = words.add_parser(name, help=help_, description=help_)
        add_examples(one, example)
        state_argument(one, within=True)
        one.set_defaults(word=do)
        return one

    export = part(
        "export", _export, "Write a template to a file.", "companion templates export train mytrain.toml"
    )
    export.add_argument("name", metavar="NAME", help="the name of the template")
    export.add_argument("file", metavar="FILE", help="the file to write, or - to print the template")
    export.add_argument("--force", action="store_true", help="overwrite a file that already exists")
    new = part(
        "import",
        _import,
        "Add a file as a template with the name of the file.",
        "companion templates import mygame.toml",
    )
    new.add_argument("file", metavar="FILE", help="the template as a .toml file")
    delete = part("delete", _delete, "Delete one of your own templates.", "companion templates delete mygame")
    delete.add_argument("name", metavar="NAME", help="the name of the template")
    parser.set_defaults(word=_list)
    state_argument(parser)


def _templates(args: Namespace) -> int:
    done: int = args.word(args)
    return done


TEMPLATES = Verb(
    "List the templates of Any Game; export, import or delete one.",
    _arguments,
    _templates,
    ("companion templates", "companion templates export train mytrain.toml"),
)
