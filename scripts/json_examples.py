"""Plays the examples of docs/json.md again and writes down what came back.

Run it after a text of a game has changed, then read the difference: a test expects the examples to be true.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "docs" / "json.md"
EXAMPLE = re.compile(r"^```\n\$ companion (.*)\n((?:[<>] .*\n)*)```$", re.MULTILINE)
COMPANION = Path(sys.executable).with_name("companion")


def played(example: re.Match[str], state: str) -> str:
    """Return one example with the lines that come back now."""
    command, lines = example.groups()
    said = [line for line in lines.splitlines() if line.startswith(">")]
    run = subprocess.run(
        [COMPANION, *command.split(), "--state", state],
        input="\n".join(line[2:] for line in said),
        capture_output=True,
        text=True,
        check=True,
    )
    first, *came = [f"< {line}" for line in run.stdout.splitlines()]
    pairs = [line for pair in zip(said, came, strict=True) for line in pair]
    return "\n".join(["```", f"$ companion {command}", first, *pairs, "```"])


def main() -> None:
    """Rewrite the document; its games follow each other in one state directory."""
    with tempfile.TemporaryDirectory() as state:
        text = EXAMPLE.sub(lambda example: played(example, state), DOCUMENT.read_text(encoding="utf-8"))
    DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
