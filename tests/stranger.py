"""A verb that a stranger's package brings, as the program finds it."""

from pathlib import Path

ECHO = """
from companion.cli import Verb

def arguments(parser):
    parser.add_argument("words", nargs="*")
    parser.add_argument("--offscreen", action="store_true")
    parser.add_argument("--out")

def run(args):
    print(args.words, args.offscreen, args.out)
    return 7

VERB = Verb("Print what it is told.", arguments, run)
"""


def install(folder: Path, name: str, module: str, group: str = "companion.verbs") -> None:
    """Installs a verb, or a part of one, in a folder of `sys.path`: its name, the text of its module."""
    (folder / f"stranger_{name}.py").write_text(module, encoding="utf-8")
    described = folder / f"stranger_{name}-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Name: stranger-{name}\nVersion: 1\n", encoding="utf-8")
    points = f"[{group}]\n{name} = stranger_{name}:VERB\n"
    (described / "entry_points.txt").write_text(points, encoding="utf-8")
