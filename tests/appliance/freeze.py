"""A process of which only the main thread stands still, as if it hung."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

SEIZE, INTERRUPT, DETACH, WALL = 0x4206, 0x4207, 17, 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def _ptrace(request: int, thread: int) -> None:
    if _libc.ptrace(request, thread, None, None) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@contextmanager
def frozen(thread: int) -> Iterator[None]:
    """That thread alone stands still meanwhile; the first of a process has the process's own number."""
    _ptrace(SEIZE, thread)
    _ptrace(INTERRUPT, thread)
    os.waitpid(thread, 0)
    try:
        yield
    finally:
        try:
            _ptrace(DETACH, thread)
        except ProcessLookupError:  # it has been ended meanwhile, and nobody else may bury it
            with suppress(ChildProcessError):
                os.waitpid(thread, WALL)
