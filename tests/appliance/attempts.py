"""Tries what a service must not do, and prints as JSON what became of it: `done`, or the name of the error.

    python3 attempts.py opens PATH...
    python3 attempts.py finds_writable_folders

It runs by Python alone, in the place of a service.
"""

import errno
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

FOLDERS_OF_THE_KERNEL = ("/proc", "/sys")


def attempt(action: Callable[[], object]) -> str:
    """Returns what became of an action."""
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "done"


def open_for_reading(path: str) -> None:
    """Opens a file, a folder or a device."""
    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))


def find_writable_folders() -> list[str]:
    """Returns all folders in which a file can be made, but those of the kernel's own files."""
    found = []
    for folder, names, _ in os.walk("/"):
        names[:] = [name for name in names if str(Path(folder, name)) not in FOLDERS_OF_THE_KERNEL]
        file = Path(folder, "attempt")
        if attempt(file.touch) == "done":
            file.unlink()
            found.append(folder)
    return found


if __name__ == "__main__":
    verb, *paths = sys.argv[1:]
    if verb == "opens":
        result: object = {path: attempt(partial(open_for_reading, path)) for path in paths}
    else:
        result = find_writable_folders()
    print(json.dumps(result))
